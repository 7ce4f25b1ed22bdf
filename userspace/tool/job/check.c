// SPDX-License-Identifier: MIT
/* Whether a draw has all that it needs. What a wrong one does to a GPU is a hang or a fault. */
#include <stdio.h>
#include <string.h>

#include "tool/job/parser.h"

/* How many vertices a mode takes: at least, and in multiples of. */
static void check_count(struct job_parser *p, const struct job_draw *d)
{
	bool restart = d->indices && d->indices->restart;
	static const struct {
		const char *name;
		uint32_t least, step;
	} modes[] = {
		{ "points", 1, 1 }, { "lines", 2, 2 }, { "line-loop", 2, 1 }, { "line-strip", 2, 1 },
		{ "triangles", 3, 3 }, { "triangle-strip", 3, 1 }, { "triangle-fan", 3, 1 },
		{ "quads", 4, 4 }, { "quad-strip", 4, 2 }, { "polygon", 3, 1 },
		{ "rectangle", 3, 3 },
	};
	const struct form_type *type = form_type_find("mode", 4);
	unsigned int value;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!form_value(type, p->job->family, modes[i].name, &value) || value != d->mode)
			continue;
		if (d->count < modes[i].least || (d->count % modes[i].step && !restart))
			job_error(p, d->at, "%u vertices are not enough or too many for %s", d->count,
				  modes[i].name);
	}
}

/* The range of the indices used; every one of them is within the index data. */
static void check_indices(struct job_parser *p, struct job_draw *d)
{
	const struct job_indices *ix = d->indices;

	if (d->first > ix->count || d->count > ix->count - d->first) {
		job_error_unless(p, d->at, "indices %u to %u are drawn, there are %u", d->first,
				 d->first + d->count - 1, ix->count);
		return;
	}
	d->min_index = UINT32_MAX;
	d->max_index = 0;
	for (uint32_t i = d->first; i < d->first + d->count; i++) {
		uint32_t v = ix->index_bytes == 1 ? ((const uint8_t *)ix->data)[i] :
			     ix->index_bytes == 2 ? ((const uint16_t *)ix->data)[i] : ((const uint32_t *)ix->data)[i];

		if (ix->restart && v == 0xffffffff >> (32 - 8 * ix->index_bytes))
			continue;
		d->min_index = v < d->min_index ? v : d->min_index;
		d->max_index = v > d->max_index ? v : d->max_index;
	}
}

static void check_attributes(struct job_parser *p, struct job_draw *d)
{
	uint32_t n = JOB_MAX_ATTRIBUTES;

	while (n && !d->attributes[n - 1])
		n--;
	for (uint32_t i = 0; i < n; i++) {
		if (!d->attributes[i])
			job_error_unless(p, d->at, "attribute %u is set, attribute %u is not", n - 1, i);
		else if (d->max_index >= d->attributes[i]->vertices)
			job_error_unless(p, d->at, "vertex %u is drawn, attribute %u has %u vertices", d->max_index,
					 i, d->attributes[i]->vertices);
	}
	d->num_attributes = n;
	if (!n && p->job->family == JOB_VIVANTE)
		job_error_unless(p, d->at, "no attribute is set");
}

static const char *stage_name(enum job_stage stage)
{
	return stage == JOB_VERTEX ? "vertex" : stage == JOB_COMPUTE ? "compute" : "fragment";
}

/* --- Utgard ---------------------------------------------------------------------- */

/* "instruction 3 of the shader at line 12" */
static void fail_use(struct job_parser *p, const struct job_draw *d, enum job_stage stage,
		     const struct isa_use *use, const char *what, uint32_t there)
{
	bool vertex = stage == JOB_VERTEX;

	if (use->index < there)
		return;
	job_error_unless(p, d->at, "%s %u does not exist (there are %u): %s %zu of the %s shader at line %u", what,
			 use->index, there, vertex ? "instruction" : "word", vertex ? use->at / 4 : use->at,
			 stage_name(stage), d->shaders[stage]->at.line);
}

/* What shaders name must be there. */
static void check_uses(struct job_parser *p, const struct job_draw *d)
{
	uint32_t varyings = 0, textures = 0, stored = 0;

	for (uint32_t i = 0; i < d->num_outputs; i++)
		varyings += d->outputs[i].kind >= JOB_VARYING;
	while (textures < JOB_MAX_TEXTURES && d->textures[JOB_FRAGMENT][textures].texture)
		textures++;
	for (int stage = 0; stage < JOB_STAGES; stage++) {
		for (uint32_t i = 0; i < d->shaders[stage]->num_uses; i++) {
			const struct isa_use *use = &d->shaders[stage]->uses[i];

			if (use->kind == ISA_ATTRIBUTE)
				fail_use(p, d, stage, use, "attribute", d->num_attributes);
			else if (use->kind == ISA_UNIFORM)
				fail_use(p, d, stage, use, "uniform vector", d->num_uniforms[stage]);
			else if (use->kind == ISA_OUTPUT)
				fail_use(p, d, stage, use, "output", d->num_outputs);
			else if (use->kind == ISA_VARYING)
				fail_use(p, d, stage, use, "varying", varyings);
			else if (use->kind == ISA_TEXTURE)
				fail_use(p, d, stage, use, "texture", textures);
			if (use->kind == ISA_OUTPUT && use->index < 32)
				stored |= 1u << use->index;
		}
	}
	for (uint32_t i = 0; i < d->num_outputs; i++)
		if (!(stored >> i & 1))
			job_error_unless(p, d->shaders[JOB_VERTEX]->at,
					 "output %u is never stored by this vertex shader, with which line %u draws", i,
					 d->at.line);
}

static void check_utgard(struct job_parser *p, struct job_draw *d)
{
	uint32_t n = JOB_MAX_TEXTURES;

	while (n && !d->textures[JOB_FRAGMENT][n - 1].texture)
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (!d->textures[JOB_FRAGMENT][i].texture)
			job_error_unless(p, d->at, "texture %u is set, texture %u is not", n - 1, i);
	if (!p->failed)
		check_uses(p, d);
}

/* --- Vivante --------------------------------------------------------------------- */

/* What a GPU does all the same, and hardly anybody wants; once for each shader. */
static void warn_vivante(struct job_parser *p, const struct job_draw *d)
{
	struct job_shader *vs = (struct job_shader *)d->shaders[JOB_VERTEX];
	uint32_t inputs[JOB_STAGES] = { d->num_attributes, 1 };

	for (uint32_t i = 0; i < d->num_outputs; i++) {
		const struct job_output *o = &d->outputs[i];

		inputs[JOB_FRAGMENT] += o->kind != JOB_POSITION && o->kind != JOB_POINT_SIZE;
		if (o->kind != JOB_POINT_COORD && o->reg >= d->num_attributes && !(vs->written >> o->reg & 1) && !vs->warned)
			job_warning(p, vs->at, "the vertex shader never writes t%u, which 'outputs' names", o->reg);
	}
	for (int stage = 0; stage < JOB_STAGES; stage++) {
		struct job_shader *s = (struct job_shader *)d->shaders[stage];
		uint64_t early = inputs[stage] < 64 ? s->early >> inputs[stage] : 0;

		if (early && !s->warned)
			job_warning(p, s->at, "the %s shader reads t%u before anything has written it", stage_name(stage),
				    inputs[stage] + __builtin_ctzll(early));
		s->warned = true;
	}
}

static void check_vivante(struct job_parser *p, struct job_draw *d)
{
	for (int stage = 0; stage < JOB_STAGES; stage++) {
		const struct job_shader *s = d->shaders[stage];
		const char *name = stage_name(stage);

		if (s->uniforms > d->num_uniforms[stage])
			job_error_unless(p, d->at, "the %s shader reads u%u, %s-uniforms gives %u vectors", name,
					 s->uniforms - 1, name, d->num_uniforms[stage]);
		for (uint32_t i = 0; i < 32; i++)
			if (s->textures >> i & 1 && (i >= JOB_MAX_TEXTURES || !d->textures[stage][i].texture))
				job_error_unless(p, d->at, "the %s shader samples tex%u, which is off", name, i);
	}
	if (d->state.depth_test && !p->scene->target.depth_cpp)
		job_error_unless(p, d->at, "depth test without a depth-buffer");
	if (d->state.stencil_test && p->scene->target.depth_cpp != 4)
		job_error_unless(p, d->at, "stencil test without depth-buffer d24s8");
	if (!p->failed)
		warn_vivante(p, d);
}

void job_check_draw(struct job_parser *p, struct job_draw *d)
{
	check_count(p, d);
	for (int stage = 0; stage < JOB_STAGES; stage++)
		if (!d->shaders[stage])
			job_error_unless(p, d->at, "a draw without a %s-shader", stage_name(stage));
	if (!d->num_outputs)
		job_error_unless(p, d->at, "a draw without outputs");
	if (p->failed)
		return;
	d->min_index = d->first;
	d->max_index = d->first + d->count - 1;
	if (d->indices)
		check_indices(p, d);
	if (!p->failed)
		check_attributes(p, d);
	if (!p->failed)
		(p->job->family == JOB_UTGARD ? check_utgard : check_vivante)(p, d);
}

/* u0 is the picture's memory. */
void job_check_compute(struct job_parser *p, const struct job_draw *d)
{
	const struct job_shader *s = d->shaders[JOB_COMPUTE];

	if (!s)
		job_error_unless(p, d->at, "compute without a compute-shader");
	else if (s->uniforms > d->num_uniforms[JOB_COMPUTE] + 1)
		job_error_unless(p, d->at, "the compute shader reads u%u, compute-uniforms gives %u vectors from u1 on",
				 s->uniforms - 1, d->num_uniforms[JOB_COMPUTE]);
	else if (s->textures)
		job_error_unless(p, d->at, "the compute shader samples a texture: it has none");
}

void job_check_scene(struct job_parser *p)
{
	const struct job_draw *now = &p->now;
	const char *name = p->scene->name;

	if (p->scene->question && !p->scene->num_draws && p->job->family != JOB_VIVANTE_2D)
		job_draw_square(p);
	else if (!p->scene->num_draws && (now->shaders[JOB_VERTEX] || now->shaders[JOB_FRAGMENT] || now->shaders[JOB_COMPUTE] || now->attributes[0]))
		job_warning(p, p->scene->at.line ? p->scene->at : p->scene->target.at, "nothing is drawn%s%s: there is no draw",
			    name ? " in " : "", name ? name : "");
}
