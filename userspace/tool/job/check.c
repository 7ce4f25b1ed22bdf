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
		if (v > d->max_index || !d->max_at.line)
			d->max_at = ix->places[i];
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
		else if (d->max_index >= d->attributes[i]->vertices && d->max_at.line)
			job_error_unless(p, d->max_at, "vertex %u is drawn at line %u, attribute %u has %u vertices", d->max_index,
					 d->at.line, i, d->attributes[i]->vertices);
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

/* A shader names what the draw does not have: said at its line that does. */
static void fail_use(struct job_parser *p, const struct job_draw *d, enum job_stage stage, const struct isa_use *use,
		     const char *what, const char *giver, uint32_t there)
{
	p->statement = NULL;	/* the draw's form is no help */
	job_error_unless(p, job_shader_place(d->shaders[stage], use->at),
			 "%s %u does not exist (%s %u) at line %u, which draws with this %s shader", what, use->index, giver,
			 there, d->at.line, stage_name(stage));
}

static void check_uniforms(struct job_parser *p, const struct job_draw *d, enum job_stage stage, uint32_t there)
{
	static const char *const givers[JOB_SHADERS] = {
		"vertex-uniforms gives", "fragment-uniforms gives", "with those of compute-uniforms there are",
	};
	const struct job_shader *s = d->shaders[stage];

	for (uint32_t i = 0; i < s->num_uses; i++)
		if (s->uses[i].kind == ISA_UNIFORM && s->uses[i].index >= there)
			fail_use(p, d, stage, &s->uses[i], "uniform vector", givers[stage], there);
}

static void check_textures(struct job_parser *p, const struct job_draw *d, enum job_stage stage)
{
	const struct job_shader *s = d->shaders[stage];
	uint32_t there = 0;

	for (uint32_t i = 0; i < JOB_MAX_TEXTURES; i++)
		there += d->textures[stage][i].texture != NULL;
	for (uint32_t i = 0; i < s->num_uses; i++)
		if (s->uses[i].kind == ISA_TEXTURE && (s->uses[i].index >= JOB_MAX_TEXTURES ||
						       !d->textures[stage][s->uses[i].index].texture))
			fail_use(p, d, stage, &s->uses[i], "texture", "those that are set:", there);
}

/* --- Utgard ---------------------------------------------------------------------- */

/* Components of output i that the vertex shader never stores, a bit each. */
static uint32_t missing(const struct job_draw *d, uint32_t i)
{
	const struct job_shader *vs = d->shaders[JOB_VERTEX];
	uint32_t left = (1u << d->outputs[i].components) - 1;

	for (uint32_t k = 0; k < vs->num_uses; k++)
		if (vs->uses[k].kind == ISA_OUTPUT && vs->uses[k].index == i)
			left &= ~vs->uses[k].components;
	return left;
}

static void check_stores(struct job_parser *p, const struct job_draw *d)
{
	struct job_shader *vs = (struct job_shader *)d->shaders[JOB_VERTEX];

	for (uint32_t i = 0; i < d->num_outputs; i++)
		if (missing(d, i) == (1u << d->outputs[i].components) - 1)
			job_error_unless(p, job_shader_place(vs, 0),
					 "output %u is never stored by this vertex shader, with which line %u draws", i,
					 d->at.line);
	for (uint32_t i = 0; i < d->num_outputs && !p->failed && !vs->warned; i++)
		if (missing(d, i))
			job_warning(p, job_shader_place(vs, 0), "the vertex shader never stores v%u.%c, which 'outputs' names", i,
				    "xyzw"[__builtin_ctz(missing(d, i))]);
	vs->warned = true;
}

static void check_utgard(struct job_parser *p, struct job_draw *d)
{
	const struct job_shader *vs = d->shaders[JOB_VERTEX], *fs = d->shaders[JOB_FRAGMENT];
	uint32_t n = JOB_MAX_TEXTURES, varyings = 0;

	while (n && !d->textures[JOB_FRAGMENT][n - 1].texture)
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (!d->textures[JOB_FRAGMENT][i].texture)
			job_error_unless(p, d->at, "texture %u is set, texture %u is not", n - 1, i);
	for (uint32_t i = 0; i < d->num_outputs; i++)
		varyings += d->outputs[i].kind >= JOB_VARYING;
	for (uint32_t i = 0; i < vs->num_uses; i++) {
		if (vs->uses[i].kind == ISA_ATTRIBUTE && vs->uses[i].index >= d->num_attributes)
			fail_use(p, d, JOB_VERTEX, &vs->uses[i], "attribute", "there are", d->num_attributes);
		if (vs->uses[i].kind == ISA_OUTPUT && vs->uses[i].index >= d->num_outputs)
			fail_use(p, d, JOB_VERTEX, &vs->uses[i], "output", "outputs names", d->num_outputs);
	}
	for (uint32_t i = 0; i < fs->num_uses; i++)
		if (fs->uses[i].kind == ISA_VARYING && fs->uses[i].index >= varyings)
			fail_use(p, d, JOB_FRAGMENT, &fs->uses[i], "varying", "outputs names", varyings);
	check_uniforms(p, d, JOB_VERTEX, d->num_uniforms[JOB_VERTEX]);
	check_uniforms(p, d, JOB_FRAGMENT, d->num_uniforms[JOB_FRAGMENT]);
	check_textures(p, d, JOB_FRAGMENT);
	if (!p->failed)
		check_stores(p, d);
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
			job_warning(p, job_shader_place(vs, 0), "the vertex shader never writes t%u, which 'outputs' names", o->reg);
	}
	for (int stage = 0; stage < JOB_STAGES; stage++) {
		struct job_shader *s = (struct job_shader *)d->shaders[stage];

		for (uint32_t i = 0; i < s->num_uses && !s->warned; i++) {
			if (s->uses[i].kind != ISA_ATTRIBUTE || s->uses[i].index < inputs[stage])
				continue;
			job_warning(p, job_shader_place(s, s->uses[i].at),
				    "the %s shader reads t%u before anything has written it: %ss come in t0 to t%u at line %u",
				    stage_name(stage), s->uses[i].index, stage == JOB_VERTEX ? "attribute" : "varying",
				    inputs[stage] - 1, d->at.line);
			s->warned = true;
		}
		s->warned = true;
	}
}

static void check_vivante(struct job_parser *p, struct job_draw *d)
{
	for (int stage = 0; stage < JOB_STAGES; stage++) {
		check_uniforms(p, d, stage, d->num_uniforms[stage]);
		check_textures(p, d, stage);
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
	else
		check_uniforms(p, d, JOB_COMPUTE, d->num_uniforms[JOB_COMPUTE] + 1);
	for (uint32_t i = 0; s && i < s->num_uses; i++)
		if (s->uses[i].kind == ISA_TEXTURE)
			fail_use(p, d, JOB_COMPUTE, &s->uses[i], "texture", "of kernels there are", 0);
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
