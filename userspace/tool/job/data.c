// SPDX-License-Identifier: MIT
/* Statements that carry data: vertices, uniforms, shaders; draws. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "isa/half.h"
#include "lib/utgard/utgard.h"
#include "lib/vivante/vivante.h"
#include "tool/job/parser.h"

/* --- Vertex data ------------------------------------------------------ */

const struct job_element job_elements[] = {
	{ "float", GP_TYPE_F32, FE_DATA_TYPE_FLOAT, 4, -3.4e38, 3.4e38, 0, false },
	{ "half", GP_TYPE_F16, FE_DATA_TYPE_HALF_FLOAT, 2, -65504, 65504, 0, false },
	{ "fixed", GP_TYPE_FIXED, FE_DATA_TYPE_FIXED, 4, -32768, 32767.9999, 65536, false },
	{ "byte", GP_TYPE_I8, FE_DATA_TYPE_BYTE, 1, -128, 127, 1, false },
	{ "ubyte", GP_TYPE_U8, FE_DATA_TYPE_UNSIGNED_BYTE, 1, 0, 255, 1, false },
	{ "short", GP_TYPE_I16, FE_DATA_TYPE_SHORT, 2, -32768, 32767, 1, false },
	{ "ushort", GP_TYPE_U16, FE_DATA_TYPE_UNSIGNED_SHORT, 2, 0, 65535, 1, false },
	{ "int", GP_TYPE_I32, FE_DATA_TYPE_INT, 4, -2147483648.0, 2147483647.0, 1, false },
	{ "uint", GP_TYPE_U32, FE_DATA_TYPE_UNSIGNED_INT, 4, 0, 4294967295.0, 1, false },
	{ "byten", GP_TYPE_I8N, FE_DATA_TYPE_BYTE, 1, -128.0 / 127, 1, 127, true },
	{ "ubyten", GP_TYPE_U8N, FE_DATA_TYPE_UNSIGNED_BYTE, 1, 0, 1, 255, true },
	{ "shortn", GP_TYPE_I16N, FE_DATA_TYPE_SHORT, 2, -1, 1, 32767, true },
	{ "ushortn", GP_TYPE_U16N, FE_DATA_TYPE_UNSIGNED_SHORT, 2, 0, 1, 65535, true },
};

#define NUM_ELEMENTS (sizeof(job_elements) / sizeof(job_elements[0]))

/* Element and count: float1, float2, ... */
const char *job_element_word(enum job_family family, unsigned int index)
{
	static char words[NUM_ELEMENTS * 4][12];

	if (index >= NUM_ELEMENTS * 4)
		return NULL;
	snprintf(words[index], sizeof(words[0]), "%s%u", job_elements[index / 4].name, index % 4 + 1);
	return words[index];
}

static void put_element(const struct job_element *e, double value, uint8_t *out)
{
	int64_t i;
	float f = value;
	uint16_t h;

	if (e->gp_type == GP_TYPE_F32) {
		memcpy(out, &f, 4);
	} else if (e->gp_type == GP_TYPE_F16) {
		h = limn_utgard_half(f);
		memcpy(out, &h, 2);
	} else {
		i = llrint(value * e->scale);
		for (int b = 0; b < e->bytes; b++)
			out[b] = i >> (8 * b);
	}
}

double job_attribute_value(const struct job_attribute *a, uint32_t vertex, uint32_t component)
{
	const struct job_element *e = a->element;
	const uint8_t *at = a->data + vertex * a->stride + component * e->bytes;
	int64_t i = 0;
	float f;

	if (component >= a->components || vertex >= a->vertices)
		return component == 3;
	memcpy(&i, at, e->bytes);
	memcpy(&f, at, e->bytes == 4 ? 4 : 0);
	if (e->gp_type == GP_TYPE_F32)
		return f;
	if (e->gp_type == GP_TYPE_F16)
		return half_to_float(i);
	if (e->min < 0)
		i = i << (64 - 8 * e->bytes) >> (64 - 8 * e->bytes);
	return i / e->scale;
}

/* A number of the argument's block. */
static struct place at_number(const struct job_arg *a, uint32_t i)
{
	return (struct place){ a->at.source, a->block[i].line, a->block[i].column, 0 };
}

void job_read_attribute(struct job_parser *p)
{
	uint32_t slot = job_whole(p), format;
	const struct job_arg *a, *list;
	struct job_attribute *to;

	if (job_took(p, "off")) {
		p->now.attributes[slot] = NULL;
		return;
	}
	a = job_take(p);
	list = job_take(p);
	format = a->number;
	to = job_memory(p, sizeof(*to));
	if (!to)
		return;
	to->element = &job_elements[format / 4];
	to->components = format % 4 + 1;
	to->stride = (to->element->bytes * to->components + 3) & ~3u;
	to->vertices = list->count / to->components;
	if (!list->count || list->count % to->components || to->vertices > JOB_MAX_VERTICES) {
		job_error(p, a->at, "attribute %u: %u numbers are not 1 to %u vertices of %u", slot, list->count,
			  JOB_MAX_VERTICES, to->components);
		return;
	}
	to->data = job_memory(p, (uint64_t)to->stride * to->vertices);
	for (uint32_t i = 0; i < list->count && !p->failed; i++) {
		double value = list->block[i].value;

		if (value < to->element->min || value > to->element->max)
			job_error(p, at_number(list, i), "%.12g is not in %.12g to %.12g", value, to->element->min,
				  to->element->max);
		else
			put_element(to->element, value, to->data + (i / to->components) * to->stride +
				    (i % to->components) * to->element->bytes);
	}
	if (!p->failed)
		p->now.attributes[slot] = to;
}

void job_read_indices(struct job_parser *p)
{
	struct job_indices *ix = job_memory(p, sizeof(*ix));
	uint32_t bytes = job_whole(p), max = 0xffffffff >> (32 - 8 * bytes);
	bool restart = job_took(p, "restart");
	const struct job_arg *list = job_take(p);

	if (ix) {
		ix->data = job_memory(p, (uint64_t)list->count * bytes);
		ix->places = job_memory(p, (uint64_t)list->count * sizeof(*ix->places));
	}
	for (uint32_t i = 0; i < list->count && !p->failed; i++) {
		double v = list->block[i].value;

		ix->places[i] = at_number(list, i);
		if (v < 0 || v > max || v != floor(v))
			job_error(p, ix->places[i], "index %g is not a whole number in 0 to %u", v, max);
		else if (bytes == 1)
			((uint8_t *)ix->data)[i] = v;
		else if (bytes == 2)
			((uint16_t *)ix->data)[i] = v;
		else
			((uint32_t *)ix->data)[i] = v;
	}
	if (p->failed)
		return;
	ix->index_bytes = bytes;
	ix->restart = restart;
	ix->count = list->count;
	p->now.indices = ix;
}

/* What an argument of "outputs" says. */
static struct job_output output_of(struct job_parser *p)
{
	const struct job_arg *a = job_take(p);
	unsigned int value = a->number;
	struct job_output o = { .kind = value >> 4, .components = value & 15 };

	if (a->type)
		return o;
	o.kind = !strncmp(a->name, "position", 8) ? JOB_POSITION :
		 !strncmp(a->name, "point-size", 10) ? JOB_POINT_SIZE : JOB_POINT_COORD;
	o.components = o.kind == JOB_POSITION ? 4 : o.kind == JOB_POINT_SIZE ? 1 : 2;
	return o;
}

void job_read_outputs(struct job_parser *p)
{
	uint32_t counts[JOB_HALF + 1] = { 0 }, varyings, max = RSW_MAX_VARYINGS;
	struct job_output list[JOB_MAX_ARGS];
	uint32_t n = 0;

	while (p->arg < p->num_args) {
		list[n] = output_of(p);
		if (p->job->family == JOB_VIVANTE && list[n].kind != JOB_POINT_COORD)
			list[n].reg = job_whole(p);
		counts[list[n++].kind]++;
	}
	if (p->job->family == JOB_VIVANTE)
		max = VIV_MAX_VARYINGS;
	varyings = counts[JOB_VARYING] + counts[JOB_HALF] + counts[JOB_COLOR] + counts[JOB_POINT_COORD];
	if (counts[JOB_POSITION] != 1 || counts[JOB_POINT_SIZE] > 1 || varyings > max) {
		job_error(p, p->at, "outputs are one position, at most one point-size, at most %u varyings", max);
		return;
	}
	memcpy(p->now.outputs, list, n * sizeof(list[0]));
	p->now.num_outputs = n;
}

/* --- Uniforms --------------------------------------------------------- */

/* "vertex-...", "compute-..." or "fragment-...", "texture" and "sampler". */
static enum job_stage stage_of(const struct job_parser *p)
{
	return !strncmp(p->statement->name, "vertex", 6) ? JOB_VERTEX :
	       !strncmp(p->statement->name, "compute", 7) ? JOB_COMPUTE : JOB_FRAGMENT;
}

void job_read_uniforms(struct job_parser *p)
{
	enum job_stage stage = stage_of(p);
	bool utgard = p->job->family == JOB_UTGARD, half = utgard && stage == JOB_FRAGMENT;
	uint32_t max = half ? 1024 : utgard ? 304 : 512;
	const struct job_arg *list = job_take(p);
	float *f;

	if (half && list->count > 4 * max)
		job_error(p, list->at, "more than %u fragment uniforms", 4 * max);
	else if (!half && (list->count % 4 || list->count / 4 > max))
		job_error(p, list->at, "%u numbers are not 0 to %u vectors of 4", list->count, max);
	f = job_memory(p, (list->count + 3) * sizeof(*f));
	for (uint32_t i = 0; i < list->count && !p->failed; i++) {
		f[i] = list->block[i].value;
		if (half && fabs(list->block[i].value) > 65504)
			job_error(p, at_number(list, i), "%g is too large for fp16", list->block[i].value);
	}
	if (p->failed)
		return;
	p->now.uniforms[stage] = f;
	p->now.num_uniforms[stage] = (list->count + 3) / 4;
}

/* --- Shaders ---------------------------------------------------------- */

static const struct job_shader *read_words(struct job_parser *p, enum job_stage stage)
{
	const struct job_arg *list = job_take(p);
	const struct job_shader *shader = NULL;
	uint32_t *words = malloc(list->count * sizeof(*words) + 1);

	if (!words)
		job_error(p, p->at, "out of memory");
	for (uint32_t i = 0; i < list->count && !p->failed; i++) {
		double v = list->block[i].value;

		if (v < 0 || v > UINT32_MAX || v != floor(v))
			job_error(p, at_number(list, i), "not a word of 32 bits");
		else
			words[i] = v;
	}
	if (!p->failed)
		shader = job_shader_words(p, stage, words, list->count, p->at);
	free(words);
	return shader;
}

void job_read_shader(struct job_parser *p)
{
	enum job_stage stage = stage_of(p);
	const struct job_shader *shader = NULL;
	const struct source *source;
	const struct job_arg *a;

	if (job_took(p, "words")) {
		shader = read_words(p, stage);
	} else {
		a = job_take(p);
		if (a->type->kind == FORM_TEXT) {
			shader = job_shader_assemble(p, stage, a->text, a->text_length, a->text_at);
		} else {
			source = job_file_read(p, a->text, 1u << 20, a->at);
			if (source)
				shader = job_shader_assemble(p, stage, source->text, source->size,
							     (struct place){ source, 1, 1, 0 });
		}
	}
	if (shader)
		p->now.shaders[stage] = shader;
}

/* --- Draws ------------------------------------------------------------ */

static void add_draw(struct job_parser *p, const struct job_draw *draw)
{
	struct job_draw *draws;

	if (p->scene->num_draws && !p->scene->draws[0].groups[0] != !draw->groups[0])
		job_error(p, p->at, "a picture is drawn or computed, not both");
	if (p->scene->num_draws == JOB_MAX_DRAWS)
		job_error(p, p->at, "more than %u draws", JOB_MAX_DRAWS);
	if (p->failed)
		return;
	draws = job_grow(p, p->scene->draws, p->scene->num_draws, &p->room_draws, sizeof(*draws));
	if (!draws)
		return;
	p->scene->draws = draws;
	draws[p->scene->num_draws++] = *draw;
}

void job_read_draw(struct job_parser *p)
{
	bool indexed = !strcmp(p->statement->name, "draw-indexed");
	struct job_draw draw = p->now;

	draw.at = p->at;
	draw.mode = job_whole(p);
	draw.first = job_whole(p);
	draw.count = job_whole(p);
	draw.instances = job_took(p, "instances") ? job_whole(p) : 1;
	draw.indirect = job_took(p, "indirect");
	if (!indexed)
		draw.indices = NULL;
	else if (!draw.indices)
		job_error_unless(p, p->at, "draw-indexed without indices");
	if (!p->failed)
		job_check_draw(p, &draw);
	add_draw(p, &draw);
}

void job_draw_square(struct job_parser *p)
{
	struct job_draw draw = p->now;
	unsigned int mode = 0;

	form_value(form_type_find("mode", 4), p->job->family, "triangles", &mode);
	draw.at = p->scene->at;
	draw.mode = mode;
	draw.first = 0;
	draw.count = 6;
	draw.instances = 1;
	draw.indices = NULL;
	job_check_draw(p, &draw);
	add_draw(p, &draw);
}

void job_read_compute(struct job_parser *p)
{
	struct job_draw draw = p->now;
	uint32_t items[3];
	bool grouped;

	draw.at = p->at;
	for (int d = 0; d < 3; d++)
		items[d] = job_whole(p);
	grouped = job_took(p, "group");
	for (int d = 0; d < 3; d++) {
		draw.size[d] = grouped ? job_whole(p) : 1;
		draw.groups[d] = items[d] / draw.size[d];
		if (items[d] % draw.size[d])
			job_error(p, p->at, "%u items are not a multiple of the work group's %u", items[d], draw.size[d]);
		if (draw.size[d] > VIV_GROUP_ITEMS)
			job_error(p, p->at, "a work group has at most %u items in a dimension", VIV_GROUP_ITEMS);
	}
	if (!p->failed && (uint64_t)draw.size[0] * draw.size[1] * draw.size[2] > VIV_GROUP_ITEMS)
		job_warning(p, p->at, "nobody knows what a core does with a work group of more than %u items", VIV_GROUP_ITEMS);
	if (!p->failed)
		job_check_compute(p, &draw);
	add_draw(p, &draw);
}
