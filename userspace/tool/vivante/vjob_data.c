// SPDX-License-Identifier: MIT
/* Statements of a Vivante job that carry data: vertices, uniforms, shaders. Textures: vjob_texture.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/vivante/vjob.h"

/* --- Vertices ------------------------------------------------------------------- */

static void read_attribute(struct vjob_parser *v)
{
	uint32_t slot = job_integer(v->r, "attribute", 0, VIV_MAX_ATTRIBUTES - 1);
	const struct job_element *e;
	struct job_vertex_data data;
	struct vjob_attribute *a;

	if (job_accept(v->r, "off")) {
		v->now.attributes[slot] = NULL;
		return;
	}
	e = job_vertices(v->p, slot, &data);
	a = job_alloc(v->p->job, sizeof(*a));
	if (!a)
		job_fail(v->r, "out of memory");
	if (v->r->failed)
		return;
	a->data = data.data;
	a->stride = data.stride;
	a->vertices = data.vertices;
	a->type = e->fe_type;
	a->components = data.components;
	a->element_bytes = e->bytes * data.components;
	a->normalized = e->normalized;
	v->now.attributes[slot] = a;
}

static void read_indices(struct vjob_parser *v)
{
	const struct job_indices *ix = job_index_list(v->p);

	if (ix)
		v->now.indices = ix;
}

/* A temporary, t0 to t63. */
static uint32_t read_temporary(struct vjob_parser *v)
{
	char *end = NULL;
	unsigned long n = v->r->text[0] == 't' ? strtoul(v->r->text + 1, &end, 10) : 64;

	if (v->r->failed || v->r->token != JOB_WORD || n > 63 || end == v->r->text + 1 || *end) {
		job_fail(v->r, "a temporary, t0 to t63, is expected, not '%s'", v->r->text);
		return 0;
	}
	job_next(v->r);
	return n;
}

/* outputs position T [KIND T]... [point-size T]; point-coord takes no temporary */
static void read_outputs(struct vjob_parser *v)
{
	struct vjob_draw *d = &v->now;
	bool position = false;

	d->num_varyings = 0;
	d->size_reg = -1;
	while (!v->r->failed && v->r->token == JOB_WORD) {
		struct viv_varying y = { .kind = VIV_VARYING_GENERIC };
		const char *word = v->r->text;
		size_t n = strlen(word);

		if (job_accept(v->r, "position")) {
			d->position = read_temporary(v);
			position = true;
			continue;
		}
		if (job_accept(v->r, "point-size")) {
			d->size_reg = read_temporary(v);
			continue;
		}
		if (job_is_word(v->r, "point-coord")) {
			y.kind = VIV_VARYING_POINT_COORD;
			y.components = 2;
		} else if (n == 6 && (!strncmp(word, "float", 5) || !strncmp(word, "color", 5)) && word[5] >= '1' &&
			   word[5] <= '4') {
			y.kind = word[0] == 'c' ? VIV_VARYING_COLOR : VIV_VARYING_GENERIC;
			y.components = word[5] - '0';
		} else {
			job_fail(v->r, "outputs: '%s' is none of position, point-size, point-coord, float1 to 4, color1 to 4",
				 word);
			return;
		}
		if (d->num_varyings == VIV_MAX_VARYINGS)
			job_fail(v->r, "more than %u varyings", VIV_MAX_VARYINGS);
		job_next(v->r);
		if (y.kind != VIV_VARYING_POINT_COORD)
			y.reg = read_temporary(v);
		if (!v->r->failed)
			d->varyings[d->num_varyings++] = y;
	}
	if (!position)
		job_fail(v->r, "outputs need a position");
}

/* --- Uniforms --------------------------------------------------------------------- */

static void read_uniforms(struct vjob_parser *v, const uint32_t **words, uint32_t *vectors)
{
	int line = v->r->token_line, column = v->r->token_column;
	struct job_number *list;
	uint32_t count = job_block(v->r, &list, NULL, NULL);
	float *f;

	if (v->r->failed)
		return;
	if (count % 4 || count / 4 > 512)
		job_fail_at(v->r, line, column, "%u numbers are not 0 to 512 vectors of 4", count);
	f = job_alloc(v->p->job, count * sizeof(*f) + 1);
	if (!f)
		job_fail(v->r, "out of memory");
	for (uint32_t i = 0; i < count && !v->r->failed; i++)
		f[i] = list[i].value;
	free(list);
	*words = (const uint32_t *)f;
	*vectors = count / 4;
}

static void read_vertex_uniforms(struct vjob_parser *v)
{
	read_uniforms(v, &v->now.vs_uniforms, &v->now.num_vs_uniforms);
}

static void read_fragment_uniforms(struct vjob_parser *v)
{
	read_uniforms(v, &v->now.ps_uniforms, &v->now.num_ps_uniforms);
}

static void read_color_register(struct vjob_parser *v)
{
	v->now.color_reg = read_temporary(v);
}

/* --- Shaders ------------------------------------------------------------------------ */

/* Source operands of an instruction, rnndb isa.xml: word and bit of use, register, register group. */
static const struct {
	uint8_t word, use, reg, group_word, group;
} sources[] = { { 1, 11, 12, 2, 3 }, { 2, 6, 7, 3, 0 }, { 3, 3, 4, 3, 28 } };

#define GROUP_TEMP	0
#define GROUP_UNIFORM0	2
#define GROUP_UNIFORM1	3
#define OP_TEXKILL	0x17

static bool samples(uint32_t opcode)
{
	/* TEXLD, B, D, L, P; TEXLDLPCF, TEXLDGPCF, TEXLDPCF's kin */
	return (opcode >= 0x18 && opcode <= 0x1c) || (opcode >= 0x6f && opcode <= 0x70);
}

/* What the shader names; the assembler has made the words, so every field is what it says. */
static void scan(struct vjob_shader *s)
{
	uint32_t temps = 1;

	for (uint32_t i = 0; i < s->instructions; i++) {
		const uint32_t *w = s->words + 4 * i;
		uint32_t opcode = (w[0] & 0x3f) | (w[2] >> 10 & 0x40), reg;

		if (w[0] & 0x1000 && (w[0] >> 16 & 0x7f) + 1 > temps)
			temps = (w[0] >> 16 & 0x7f) + 1;
		for (int k = 0; k < 3; k++) {
			uint32_t group = w[sources[k].group_word] >> sources[k].group & 7;

			if (!(w[sources[k].word] >> sources[k].use & 1))
				continue;
			reg = w[sources[k].word] >> sources[k].reg & 0x1ff;
			if (group == GROUP_TEMP && reg + 1 > temps)
				temps = reg + 1;
			reg += group == GROUP_UNIFORM1 ? 128 : 0;
			if ((group == GROUP_UNIFORM0 || group == GROUP_UNIFORM1) && reg + 1 > s->uniforms)
				s->uniforms = reg + 1;
		}
		if (samples(opcode))
			s->textures |= 1u << (w[0] >> 27);
		s->discards |= opcode == OP_TEXKILL;
	}
	s->temps = temps;
}

static const struct vjob_shader *read_shader(struct vjob_parser *v)
{
	struct isa_messages messages = { 0 };
	struct vjob_shader *s = NULL;
	char path[512], *text;
	uint32_t *words = NULL;
	size_t count = 0;
	int line;

	text = job_shader_text(v->p, path, sizeof(path), &line);
	if (!text)
		return NULL;
	if (isa_asm_lines(isa_find("vivante"), text, strlen(text), &words, &count, &messages))
		job_shader_fail(v->p, path, line, &messages);
	else if (!count)
		job_fail_at(v->r, line, 1, "the shader is empty");
	else
		job_shader_warn(isa_find("vivante"), path, line, &messages, words, count);
	isa_messages_free(&messages);
	free(text);
	if (!v->r->failed)
		s = job_alloc(v->p->job, sizeof(*s));
	if (s)
		s->words = job_alloc(v->p->job, count * sizeof(*words));
	if (!v->r->failed && (!s || !s->words))
		job_fail(v->r, "out of memory");
	if (!v->r->failed) {
		memcpy(s->words, words, count * sizeof(*words));
		s->instructions = count / 4;
		s->line = line;
		scan(s);
	}
	free(words);
	return v->r->failed ? NULL : s;
}

static void read_vertex_shader(struct vjob_parser *v)
{
	v->now.vs = read_shader(v);
}

static void read_fragment_shader(struct vjob_parser *v)
{
	v->now.ps = read_shader(v);
}

const struct vjob_statement vjob_data_statements[] = {
	{ "attribute", read_attribute },
	{ "indices", read_indices },
	{ "outputs", read_outputs },
	{ "vertex-uniforms", read_vertex_uniforms },
	{ "fragment-uniforms", read_fragment_uniforms },
	{ "color-register", read_color_register },
	{ "vertex-shader", read_vertex_shader },
	{ "fragment-shader", read_fragment_shader },
	{ NULL, NULL },
};
