// SPDX-License-Identifier: MIT
/* Statements that set the frame or fixed-function state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/states.h"
#include "lib/vivante/tiling.h"
#include "tool/job/parser.h"

/* --- The frame -------------------------------------------------------------------- */

void job_set_target(struct job_parser *p)
{
	struct job_target *t = &p->scene->target;
	struct job_state *s = &p->now.state;
	const struct utgard_stencil keep = { .func = RSW_ALWAYS, .mask = 0xff, .write = 0xff };

	p->has_target = true;
	if (!t->width)
		t->width = t->height = JOB_MAX_SIZE;
	s->viewport[2] = t->width;
	s->viewport[3] = t->height;
	s->depth_range[1] = 1;
	s->depth_func = RSW_ALWAYS;
	s->stencil[0] = s->stencil[1] = keep;
	s->alpha_func = RSW_ALWAYS;
	s->color_mask = 0xf;
	s->sample_mask = 0xf;
	s->point_size = s->line_width = 1;
	/* A Vivante fragment shader's t0.z is the depth. */
	s->color_register = p->job->family == JOB_VIVANTE;
}

void job_read_target(struct job_parser *p)
{
	struct job_target *t = &p->scene->target;
	const struct job_arg *a;

	/* A scene may have another one than what stands before the scenes. */
	if (p->has_target && (p->own_target || !p->prelude.there))
		job_error(p, p->at, "a second target");
	if (p->failed)
		return;
	t->at = p->at;
	t->width = job_whole(p);
	t->height = job_whole(p);
	a = job_given(p, "FORMAT");
	t->pixel = limn_utgard_pixel_at(a ? a->number : 0);
	t->format = limn_viv_pixel_at(a ? a->number : 0);
	a = job_given(p, "LAYOUT");
	t->layout = a ? a->number : VIV_TILE;
	t->samples = 1;
	t->clear_depth = 1;
	p->own_target = true;
	job_set_target(p);
}

void job_store(struct job_parser *p)
{
	const struct job_statement *s = p->statement;
	char *to = (s->base == JOB_BASE_STATE ? (char *)&p->now.state : (char *)p->scene) + s->offset;

	for (; p->arg < p->num_args; to += s->size) {
		double v = job_number(p);

		if (s->size == sizeof(double))
			*(double *)to = v;
		else if (s->size == sizeof(uint32_t))
			*(uint32_t *)to = v;
		else
			*(bool *)to = v;
	}
}

void job_read_clear(struct job_parser *p)
{
	struct job_target *t = &p->scene->target;

	if (job_took(p, "color"))
		job_numbers(p, t->clear_color, 4);
	else if (job_took(p, "depth"))
		t->clear_depth = job_number(p);
	else if (job_took(p, "stencil"))
		t->clear_stencil = job_whole(p);
}

void job_read_heap(struct job_parser *p)
{
	p->scene->target.heap = job_whole(p);
	p->scene->target.fixed_heap = job_took(p, "fixed");
}

/* --- Where and what is drawn -------------------------------------------------------- */

void job_read_scissor(struct job_parser *p)
{
	struct job_state *s = &p->now.state;
	const uint32_t size[2] = { p->scene->target.width, p->scene->target.height };

	s->scissored = !job_took(p, "off");
	for (int i = 0; i < 4 && s->scissored; i++) {
		const struct job_arg *a = job_take(p);
		uint32_t least = i / 2, most = i < 2 ? size[i] - 1 : size[i - 2] - s->scissor[i - 2];

		s->scissor[i] = a->number;
		if (s->scissor[i] < least || s->scissor[i] > most) {
			job_error(p, a->at, "%.*s: %u is not in %u to %u", (int)a->length, a->name, s->scissor[i],
				  least, most);
			s->scissored = false;
		}
	}
}

void job_read_depth(struct job_parser *p)
{
	struct job_state *s = &p->now.state;

	s->depth_test = !job_took(p, "off");
	if (!s->depth_test)
		return;
	s->depth_func = job_whole(p);
	s->depth_write = !job_took(p, "read-only");
}

void job_read_stencil(struct job_parser *p)
{
	struct job_state *s = &p->now.state;
	struct utgard_stencil side;
	bool front, back;

	s->stencil_test = !job_took(p, "off");
	if (!s->stencil_test)
		return;
	front = job_took(p, "front");
	back = job_took(p, "back");
	side.func = job_whole(p);
	side.ref = job_whole(p);
	side.mask = job_whole(p);
	side.fail = job_whole(p);
	side.zfail = job_whole(p);
	side.zpass = job_whole(p);
	side.write = job_whole(p);
	if (!back)
		s->stencil[0] = side;
	if (!front)
		s->stencil[1] = side;
}

void job_read_blend(struct job_parser *p)
{
	struct job_state *s = &p->now.state;

	s->blend_on = !job_took(p, "off");
	for (int i = 0; i < 2 && s->blend_on; i++) {
		struct job_blend *b = &s->blend[i];
		const struct job_arg *a;

		if (i && p->arg == p->num_args) {
			*b = s->blend[0];
			break;
		}
		b->equation = job_whole(p);
		b->no_factors = b->equation >= RSW_BLEND_MIN || (p->job->family == JOB_VIVANTE && b->equation >= BLEND_EQ_MIN);
		a = job_given(p, "SRC");
		if (b->no_factors && a)
			job_error(p, a->at, "min and max take no factors");
		else if (!b->no_factors && !a)
			job_error(p, job_here(p), "the equation takes two factors: zero one src one-minus-src src-alpha ...");
		b->source = a ? a->number : 0;
		b->destination = a ? job_whole(p) : 0;
	}
}

void job_read_color_mask(struct job_parser *p)
{
	static const char letters[] = "rgba";
	const struct job_arg *a;
	uint32_t mask = 0;

	if (!job_took(p, "none")) {
		struct job_value value;

		a = job_take(p);
		if (a->text[0] == '(' && !job_evaluate(a->text, job_name, p, &value) && value.v[0] >= 0 && value.v[0] < 16) {
			p->now.state.color_mask = value.v[0];
			return;
		}
		for (const char *c = a->text; *c; c++) {
			const char *at = strchr(letters, *c);

			if (!at) {
				job_error(p, a->at, "'%s' is neither letters of rgba, nor none", a->text);
				return;
			}
			mask |= 1u << (at - letters);
		}
	}
	p->now.state.color_mask = mask;
}

void job_read_alpha_test(struct job_parser *p)
{
	struct job_state *s = &p->now.state;

	s->alpha_test = !job_took(p, "off");
	s->alpha_func = s->alpha_test ? job_whole(p) : RSW_ALWAYS;
	if (s->alpha_test)
		s->alpha_ref = job_number(p);
}

/* --- States by name ------------------------------------------------------------------- */

/* A number, or names of values with | between them. */
static uint32_t take_value(struct job_parser *p, const struct utgard_field *f)
{
	const struct job_arg *a = job_take(p);
	double all = ldexp(1, f ? f->width : 32), min = f && f->kind == UTGARD_KIND_INT ? -all / 2 : 0;
	double max = min + all - 1;
	struct job_value value;
	uint32_t named;

	if (f && limn_utgard_value_named(f->kind, a->text, &named))
		return named;
	if (job_evaluate(a->text, job_name, p, &value) || value.count != 1 || value.v[0] != floor(value.v[0]))
		job_error(p, a->at, "a number%s is expected, not '%s'", f ? " or a name of its values" : "", a->text);
	else if (value.v[0] < min || value.v[0] > max)
		job_error(p, a->at, "%s is not in %.10g to %.10g", a->text, min, max);
	return p->failed ? 0 : (int64_t)value.v[0];
}

static const char *utgard_names(void *ctx, unsigned int index)
{
	static char name[64];
	const struct utgard_field *f = limn_utgard_field_at(index);

	if (f)
		snprintf(name, sizeof(name), "%s.%s", f->block_name, f->name);
	return f ? name : NULL;
}

static const char *vivante_names(void *ctx, unsigned int index)
{
	const struct viv_row *row = limn_viv_row(index);

	return !row ? NULL : row->type == VIV_ROW_STATE ? row->name + 5 : "";
}

static void no_state(struct job_parser *p, const struct job_arg *a, names_fn names)
{
	job_error(p, a->at, "no state '%s'%s", a->text, did_you_mean(a->text, names, NULL));
}

/* Of the frame, or of the draws that follow. */
static void read_utgard_state(struct job_parser *p)
{
	const struct job_arg *a = job_take(p);
	struct job_target *t = &p->scene->target;
	struct job_state *s = &p->now.state;
	struct utgard_forced word;
	const struct utgard_field *f;
	unsigned int index;
	bool frame;

	f = limn_utgard_field_named(a->text, &index);
	if (!f) {
		no_state(p, a, utgard_names);
		return;
	}
	word = (struct utgard_forced){ f->block, index, f->width, f->bit, take_value(p, f) };
	frame = f->block == UTGARD_BLOCK_PP || f->block == UTGARD_BLOCK_PP_WB;
	/* The same state again has its new value. */
	for (uint32_t i = 0; i < (frame ? t->num_words : s->num_words); i++) {
		struct utgard_forced *old = frame ? &t->words[i] : &s->words[i].utgard;

		if (old->block == word.block && old->index == index && old->bit == word.bit && old->width == word.width) {
			*old = word;
			return;
		}
	}
	if ((frame ? t->num_words : s->num_words) == JOB_MAX_STATES)
		job_error(p, p->at, "more than %u states", JOB_MAX_STATES);
	else if (frame && !p->failed)
		t->words[t->num_words++] = word;
	else if (!p->failed)
		s->words[s->num_words++].utgard = word;
}

/* target, or target+OFFSET: addresses are known only when the job is submitted. */
static uint32_t take_place(struct job_parser *p)
{
	const struct job_arg *a = job_take(p);
	struct job_value value = { .count = 1 };
	const char *offset = a->text + strlen("target");

	if (strncmp(a->text, "target", strlen("target")) || (*offset && *offset != '+') ||
	    (*offset && job_evaluate(offset + 1, job_name, p, &value)) || value.count != 1 || value.v[0] < 0 ||
	    value.v[0] > UINT32_MAX || value.v[0] != floor(value.v[0]))
		job_error(p, a->at, "an address is expected, target or target+OFFSET, not '%s'", a->text);
	return p->failed ? 0 : (uint32_t)value.v[0];
}

/* NAME[i][j] */
static void read_vivante_state(struct job_parser *p)
{
	struct job_state *s = &p->now.state;
	const struct job_arg *a = job_take(p);
	const struct viv_row *row;
	unsigned int index[2] = { 0 }, i, j, k = 0;
	char name[sizeof(p->r.text)], *part, *rest = NULL;

	snprintf(name, sizeof(name), "%s", a->text);
	strtok_r(name, "[", &rest);
	for (; k < 2 && (part = strtok_r(NULL, "][", &rest)); k++) {
		struct job_value value;

		if (job_evaluate(part, job_name, p, &value) || value.v[0] < 0 || value.v[0] > VIV_STATE_SPACE)
			job_error(p, a->at, "'%s' is no index", part);
		else
			index[k] = value.v[0];
	}
	if (!k && strchr(a->text, '['))
		job_error(p, a->at, "'%s' has no index", a->text);
	i = index[0];
	j = index[1];
	row = limn_viv_state_named(name);
	if (!row)
		no_state(p, a, vivante_names);
	else if (i >= row->count || j >= row->count2)
		job_error(p, a->at, "%s has %u elements", name, row->count * row->count2);
	else if (!(row->flags & VIV_USER))
		job_error(p, a->at, "%s is not a job's to write", name);
	else if (s->num_words == JOB_MAX_STATES)
		job_error(p, p->at, "more than %u states", JOB_MAX_STATES);
	else
		s->words[s->num_words++].vivante = (struct viv_extra){
			row->at + i * row->stride + j * row->stride2,
			row->kind == VIV_KIND_ADDR ? take_place(p) : take_value(p, NULL), row->kind == VIV_KIND_ADDR
		};
}

void job_read_state(struct job_parser *p)
{
	if (job_took(p, "off"))
		p->now.state.num_words = p->scene->target.num_words = 0;
	else
		(p->job->family == JOB_UTGARD ? read_utgard_state : read_vivante_state)(p);
}
