// SPDX-License-Identifier: MIT
/* Whether a draw has all that it needs. What a wrong one does to a GPU is a hang or a fault. */
#include <stdio.h>

#include "tool/job_parser.h"

/* How many vertices a mode takes: at least, and in multiples of. */
static void check_count(struct job_parser *p, const struct utgard_draw *d, int line, int column)
{
	static const struct {
		const char *name;
		uint32_t least, step;
	} modes[] = {
		[GP_MODE_POINTS] = { "points", 1, 1 },
		[GP_MODE_LINES] = { "lines", 2, 2 },
		[GP_MODE_LINE_LOOP] = { "line-loop", 2, 1 },
		[GP_MODE_LINE_STRIP] = { "line-strip", 2, 1 },
		[GP_MODE_TRIANGLES] = { "triangles", 3, 3 },
		[GP_MODE_TRIANGLE_STRIP] = { "triangle-strip", 3, 1 },
		[GP_MODE_TRIANGLE_FAN] = { "triangle-fan", 3, 1 },
		[GP_MODE_QUADS] = { "quads", 4, 4 },
		[GP_MODE_QUAD_STRIP] = { "quad-strip", 4, 2 },
		[GP_MODE_POLYGON] = { "polygon", 3, 1 },
	};

	if (d->count < modes[d->mode].least || d->count % modes[d->mode].step)
		job_fail_at(&p->r, line, column, "%u vertices are not enough or too many for %s",
			    d->count, modes[d->mode].name);
}

static void check_attributes(struct job_parser *p, struct job_draw *draw, uint32_t last, int line,
			     int column)
{
	uint32_t n = UTGARD_MAX_ATTRIBUTES;

	while (n && !draw->attributes[n - 1])
		n--;
	for (uint32_t i = 0; i < n; i++) {
		if (!draw->attributes[i])
			job_fail_at(&p->r, line, column, "attribute %u is set, attribute %u is not",
				    n - 1, i);
		else if (last >= draw->attributes[i]->vertices)
			job_fail_at(&p->r, line, column,
				    "vertex %u is drawn, attribute %u has %u vertices", last, i,
				    draw->attributes[i]->vertices);
	}
	draw->draw.num_attributes = n;
}

static void check_textures(struct job_parser *p, struct job_draw *draw, int line, int column)
{
	uint32_t n = UTGARD_MAX_TEXTURES;

	while (n && !draw->textures[n - 1])
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (!draw->textures[i])
			job_fail_at(&p->r, line, column, "texture %u is set, texture %u is not",
				    n - 1, i);
	draw->draw.num_textures = n;
}

/* The range of the indices used; every one of them is within the index data. */
static void check_indices(struct job_parser *p, struct job_draw *draw, int line, int column)
{
	const struct job_indices *ix = draw->indices;
	struct utgard_draw *d = &draw->draw;

	if (d->start > ix->count || d->count > ix->count - d->start) {
		job_fail_at(&p->r, line, column, "indices %u to %u are drawn, there are %u",
			    d->start, d->start + d->count - 1, ix->count);
		return;
	}
	d->min_index = UINT32_MAX;
	d->max_index = 0;
	for (uint32_t i = d->start; i < d->start + d->count; i++) {
		uint32_t v = ix->index_bytes == 1 ? ((const uint8_t *)ix->data)[i] :
						    ((const uint16_t *)ix->data)[i];

		d->min_index = v < d->min_index ? v : d->min_index;
		d->max_index = v > d->max_index ? v : d->max_index;
	}
	d->indices = ix->data;
}

/* "instruction 3 of the shader at line 12" */
static void fail_use(struct job_parser *p, const struct job_shader *s, const struct isa_use *use,
		     bool vertex, int line, int column, const char *what, uint32_t there)
{
	char where[32];

	if (vertex)
		snprintf(where, sizeof(where), "instruction %zu", use->at / 4);
	else
		snprintf(where, sizeof(where), "word %zu", use->at);
	job_fail_at(&p->r, line, column, "%s %u does not exist (there are %u): %s of the %s shader "
		    "at line %d", what, use->index, there, where, vertex ? "vertex" : "fragment",
		    s->line);
}

/* What shaders name must be there. */
static void check_uses(struct job_parser *p, const struct utgard_draw *d, int line, int column)
{
	uint32_t varyings = 0, stored = 0;

	for (uint32_t i = 0; i < d->num_outputs; i++)
		varyings += d->outputs[i].kind == UTGARD_VARYING;
	for (uint32_t i = 0; i < p->vs->num_uses; i++) {
		const struct isa_use *use = &p->vs->uses[i];

		if (use->kind == ISA_ATTRIBUTE && use->index >= d->num_attributes)
			fail_use(p, p->vs, use, true, line, column, "attribute", d->num_attributes);
		if (use->kind == ISA_UNIFORM && use->index >= d->num_vs_uniforms)
			fail_use(p, p->vs, use, true, line, column, "uniform vector",
				 d->num_vs_uniforms);
		if (use->kind == ISA_OUTPUT && use->index >= d->num_outputs)
			fail_use(p, p->vs, use, true, line, column, "output", d->num_outputs);
		if (use->kind == ISA_OUTPUT)
			stored |= 1u << use->index;
	}
	for (uint32_t i = 0; i < d->num_outputs; i++)
		if (!(stored >> i & 1))
			job_fail_at(&p->r, line, column,
				    "output %u is never stored by the vertex shader at line %d", i,
				    p->vs->line);
	for (uint32_t i = 0; i < p->fs->num_uses; i++) {
		const struct isa_use *use = &p->fs->uses[i];

		if (use->kind == ISA_VARYING && use->index >= varyings)
			fail_use(p, p->fs, use, false, line, column, "varying", varyings);
		if (use->kind == ISA_UNIFORM && use->index >= d->num_fs_uniforms / 4)
			fail_use(p, p->fs, use, false, line, column, "uniform vector",
				 d->num_fs_uniforms / 4);
		if (use->kind == ISA_TEXTURE && use->index >= d->num_textures)
			fail_use(p, p->fs, use, false, line, column, "texture", d->num_textures);
	}
}

void job_check_draw(struct job_parser *p, struct job_draw *draw, int line, int column)
{
	struct utgard_draw *d = &draw->draw;
	uint32_t last;

	check_count(p, d, line, column);
	if (!p->vs)
		job_fail_at(&p->r, line, column, "a draw without a vertex-shader");
	if (!p->fs)
		job_fail_at(&p->r, line, column, "a draw without a fragment-shader");
	if (!d->num_outputs)
		job_fail_at(&p->r, line, column, "a draw without outputs");
	if (p->r.failed)
		return;
	if (d->index_bytes)
		check_indices(p, draw, line, column);
	last = d->index_bytes ? d->max_index : d->start + d->count - 1;
	check_attributes(p, draw, last, line, column);
	check_textures(p, draw, line, column);
	if (!p->r.failed)
		check_uses(p, d, line, column);
}
