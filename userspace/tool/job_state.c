// SPDX-License-Identifier: MIT
/* Statements of a job file that set a target or fixed-function state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job_parser.h"

static const char *const funcs[] = {
	"never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always", NULL
};

static void set_viewport(struct job_parser *p, double x, double y, double w, double h)
{
	struct utgard_state *s = &p->now.draw.state;

	s->viewport[0] = x;
	s->viewport[1] = x + w;
	s->viewport[2] = y;
	s->viewport[3] = y + h;
	p->scale[0] = w / 2;
	p->scale[1] = -h / 2;	/* clip space is y up, pictures are y down */
	p->translate[0] = x + w / 2;
	p->translate[1] = y + h / 2;
}

static void set_depth_range(struct job_parser *p, double near, double far)
{
	p->now.draw.state.depth_near = near;
	p->now.draw.state.depth_far = far;
	p->scale[2] = (far - near) / 2;
	p->translate[2] = (far + near) / 2;
}

static void read_target(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	struct utgard_target *t = &p->job->target;
	uint32_t width, height;

	if (p->has_target)
		job_fail(r, "a second target");
	width = job_integer(r, "width", 1, UTGARD_MAX_SIZE);
	height = job_integer(r, "height", 1, UTGARD_MAX_SIZE);
	if (r->failed)
		return;
	t->width = width;
	t->height = height;
	t->pixel = utgard_pixel_at(0);
	t->samples = 1;
	t->clear_depth = 0xffffff;
	if (r->token == JOB_WORD) {
		t->pixel = utgard_pixel_find(r->text);
		if (!t->pixel)
			job_fail(r, "no pixel format '%s'", r->text);
		job_next(r);
	}
	p->has_target = true;
	utgard_state_init(&p->now.draw.state, width, height);
	set_depth_range(p, 0, 1);
	set_viewport(p, 0, 0, width, height);
}

static void read_samples(struct job_parser *p)
{
	static const char *const counts[] = { "1", "4", NULL };

	p->job->target.samples = job_choice(&p->r, "samples", counts) ? 4 : 1;
}

static void read_clear(struct job_parser *p)
{
	static const char *const what[] = { "color", "depth", "stencil", NULL };
	struct utgard_target *t = &p->job->target;

	switch (job_choice(&p->r, "clear", what)) {
	case 0:
		for (int i = 0; i < 4; i++)
			t->clear_color[i] = lrint(job_number(&p->r, "colour", 0, 1) * 255);
		break;
	case 1:
		t->clear_depth = lrint(job_number(&p->r, "depth", 0, 1) * 0xffffff);
		break;
	case 2:
		t->clear_stencil = job_integer(&p->r, "stencil", 0, 255);
		break;
	}
}

static void read_heap(struct job_parser *p)
{
	p->job->target.heap = job_integer(&p->r, "heap", 4096, 512u << 20);
	p->job->target.fixed_heap = job_accept(&p->r, "fixed");
}

static void read_frames(struct job_parser *p)
{
	p->job->frames = job_integer(&p->r, "frames", 1, 1000000);
}

static void read_viewport(struct job_parser *p)
{
	double v[4];

	v[0] = job_number(&p->r, "x", -8192, 8192);
	v[1] = job_number(&p->r, "y", -8192, 8192);
	v[2] = job_number(&p->r, "width", 0, 8192);
	v[3] = job_number(&p->r, "height", 0, 8192);
	set_viewport(p, v[0], v[1], v[2], v[3]);
}

static void read_depth_range(struct job_parser *p)
{
	double near = job_number(&p->r, "near", 0, 1);

	set_depth_range(p, near, job_number(&p->r, "far", 0, 1));
}

static void read_scissor(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;
	const struct utgard_target *t = &p->job->target;

	if (job_accept(&p->r, "off")) {
		s->scissor_x = 0;
		s->scissor_y = 0;
		s->scissor_w = t->width;
		s->scissor_h = t->height;
		return;
	}
	s->scissor_x = job_integer(&p->r, "x", 0, t->width - 1);
	s->scissor_y = job_integer(&p->r, "y", 0, t->height - 1);
	s->scissor_w = job_integer(&p->r, "width", 1, t->width - s->scissor_x);
	s->scissor_h = job_integer(&p->r, "height", 1, t->height - s->scissor_y);
}

static void read_cull(struct job_parser *p)
{
	static const char *const what[] = { "none", "front", "back", "both", NULL };
	unsigned int i = job_choice(&p->r, "cull", what);

	p->now.draw.state.cull_front = i & 1;
	p->now.draw.state.cull_back = i & 2;
}

static void read_front(struct job_parser *p)
{
	static const char *const what[] = { "cw", "ccw", NULL };

	p->now.draw.state.front_ccw = job_choice(&p->r, "front", what);
}

static void read_depth(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;

	s->depth_test = !job_accept(&p->r, "off");
	if (!s->depth_test)
		return;
	s->depth_func = job_choice(&p->r, "depth", funcs);
	s->depth_write = !job_accept(&p->r, "read-only");
}

static void read_offset(struct job_parser *p)
{
	p->now.draw.state.offset_scale = job_number(&p->r, "scale", -32, 31.75);
	p->now.draw.state.offset_units = job_number(&p->r, "units", -64, 63.5);
}

/* stencil off | [front|back] FUNC REF MASK FAIL ZFAIL ZPASS WRITEMASK */
static void read_stencil(struct job_parser *p)
{
	static const char *const ops[] = {
		"keep", "replace", "zero", "invert", "incr-wrap", "decr-wrap", "incr", "decr", NULL
	};
	struct utgard_state *s = &p->now.draw.state;
	struct utgard_stencil side;
	bool front, back;

	s->stencil_test = !job_accept(&p->r, "off");
	if (!s->stencil_test)
		return;
	front = job_accept(&p->r, "front");
	back = !front && job_accept(&p->r, "back");
	side.func = job_choice(&p->r, "stencil", funcs);
	side.ref = job_integer(&p->r, "reference", 0, 255);
	side.mask = job_integer(&p->r, "mask", 0, 255);
	side.fail = job_choice(&p->r, "fail", ops);
	side.zfail = job_choice(&p->r, "depth fail", ops);
	side.zpass = job_choice(&p->r, "pass", ops);
	side.write = job_integer(&p->r, "write mask", 0, 255);
	if (!back)
		s->front = side;
	if (!front)
		s->back = side;
}

static uint8_t read_factor(struct job_parser *p)
{
	static const struct {
		const char *name;
		uint8_t factor;
	} factors[] = {
		{ "zero", RSW_FACTOR_ZERO },
		{ "one", RSW_FACTOR_ONE },
		{ "src", RSW_FACTOR_SRC },
		{ "one-minus-src", RSW_FACTOR_SRC | RSW_FACTOR_INVERT },
		{ "src-alpha", RSW_FACTOR_SRC | RSW_FACTOR_ALPHA },
		{ "one-minus-src-alpha",
		  RSW_FACTOR_SRC | RSW_FACTOR_ALPHA | RSW_FACTOR_INVERT },
		{ "dst", RSW_FACTOR_DST },
		{ "one-minus-dst", RSW_FACTOR_DST | RSW_FACTOR_INVERT },
		{ "dst-alpha", RSW_FACTOR_DST | RSW_FACTOR_ALPHA },
		{ "one-minus-dst-alpha",
		  RSW_FACTOR_DST | RSW_FACTOR_ALPHA | RSW_FACTOR_INVERT },
		{ "const", RSW_FACTOR_CONST },
		{ "one-minus-const", RSW_FACTOR_CONST | RSW_FACTOR_INVERT },
		{ "const-alpha", RSW_FACTOR_CONST | RSW_FACTOR_ALPHA },
		{ "one-minus-const-alpha",
		  RSW_FACTOR_CONST | RSW_FACTOR_ALPHA | RSW_FACTOR_INVERT },
		{ "src-alpha-saturate", RSW_FACTOR_SRC_ALPHA_SATURATE },
	};

	for (unsigned int i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
		if (job_accept(&p->r, factors[i].name))
			return factors[i].factor;
	job_fail(&p->r, "no blend factor '%s'", p->r.text);
	return 0;
}

static void read_equation(struct job_parser *p, uint8_t *func, uint8_t *src, uint8_t *dst)
{
	static const char *const names[] = {
		"subtract", "reverse-subtract", "add", "min", "max", NULL
	};
	static const uint8_t values[] = {
		RSW_BLEND_SUBTRACT, RSW_BLEND_REVERSE_SUBTRACT, RSW_BLEND_ADD, RSW_BLEND_MIN,
		RSW_BLEND_MAX,
	};

	*func = values[job_choice(&p->r, "blend", names)];
	if (*func == RSW_BLEND_MIN || *func == RSW_BLEND_MAX) {
		/* min(S * s + D * d, D): the factors that make it min(S, D) */
		*src = RSW_FACTOR_ONE;
		*dst = RSW_FACTOR_ZERO;
		return;
	}
	*src = read_factor(p);
	*dst = read_factor(p);
}

/* blend off | FUNC SRC DST [FUNC SRC DST], the second for alpha. */
static void read_blend(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;

	s->blend = !job_accept(&p->r, "off");
	if (!s->blend)
		return;
	read_equation(p, &s->blend_func_rgb, &s->blend_src_rgb, &s->blend_dst_rgb);
	s->blend_func_alpha = s->blend_func_rgb;
	s->blend_src_alpha = s->blend_src_rgb;
	s->blend_dst_alpha = s->blend_dst_rgb;
	if (p->r.token == JOB_WORD)
		read_equation(p, &s->blend_func_alpha, &s->blend_src_alpha, &s->blend_dst_alpha);
	/* The alpha factors have no room for "of alpha", and mean it anyway; saturate is one. */
	if (s->blend_src_alpha == RSW_FACTOR_SRC_ALPHA_SATURATE)
		s->blend_src_alpha = RSW_FACTOR_ONE;
	if (s->blend_dst_alpha == RSW_FACTOR_SRC_ALPHA_SATURATE)
		s->blend_dst_alpha = RSW_FACTOR_ONE;
}

static void read_blend_color(struct job_parser *p)
{
	for (int i = 0; i < 4; i++)
		p->now.draw.state.blend_color[i] = job_number(&p->r, "colour", 0, 1);
}

static void read_color_mask(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;
	const char *c, *letters = "rgba", *at;

	s->color_mask = 0;
	if (job_accept(&p->r, "none"))
		return;
	if (p->r.token != JOB_WORD)
		job_fail(&p->r, "color-mask: letters of rgba, or none");
	for (c = p->r.text; *c; c++) {
		at = strchr(letters, *c);
		if (!at) {
			job_fail(&p->r, "color-mask: letters of rgba, or none");
			return;
		}
		s->color_mask |= 1u << (at - letters);
	}
	job_next(&p->r);
}

static void read_alpha_test(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;

	if (job_accept(&p->r, "off")) {
		s->alpha_func = RSW_ALWAYS;
		return;
	}
	s->alpha_func = job_choice(&p->r, "alpha-test", funcs);
	s->alpha_ref = job_number(&p->r, "reference", 0, 1);
}

static bool read_switch(struct job_parser *p, const char *what)
{
	static const char *const states[] = { "off", "on", NULL };

	return job_choice(&p->r, what, states);
}

static void read_alpha_to_coverage(struct job_parser *p)
{
	p->now.draw.state.alpha_to_coverage = read_switch(p, "alpha-to-coverage");
}

static void read_alpha_to_one(struct job_parser *p)
{
	p->now.draw.state.alpha_to_one = read_switch(p, "alpha-to-one");
}

static void read_dither(struct job_parser *p)
{
	p->now.draw.state.dither = read_switch(p, "dither");
}

static void read_sample_mask(struct job_parser *p)
{
	p->now.draw.state.sample_mask = job_integer(&p->r, "sample-mask", 0, 15);
}

static void read_point_size(struct job_parser *p)
{
	p->now.draw.state.point_size = job_number(&p->r, "point-size", 0.01, 100);
}

static void read_line_width(struct job_parser *p)
{
	p->now.draw.state.line_width = job_number(&p->r, "line-width", 0.01, 100);
}

static void read_color_register(struct job_parser *p)
{
	p->now.draw.fs_color_reg = job_integer(&p->r, "color-register", 0, 5);
}

static void read_fragment_stack(struct job_parser *p)
{
	p->now.draw.fs_stack = job_integer(&p->r, "fragment-stack", 0, 255);
}

/* rsw off | WORD MASK VALUE */
static void read_rsw(struct job_parser *p)
{
	struct utgard_state *s = &p->now.draw.state;
	uint32_t word, mask;

	if (job_accept(&p->r, "off")) {
		memset(s->rsw_mask, 0, sizeof(s->rsw_mask));
		memset(s->rsw_value, 0, sizeof(s->rsw_value));
		return;
	}
	word = job_integer(&p->r, "word", 0, RSW_WORDS - 1);
	mask = job_integer(&p->r, "mask", 0, UINT32_MAX);
	s->rsw_mask[word] |= mask;
	s->rsw_value[word] &= ~mask;
	s->rsw_value[word] |= job_integer(&p->r, "value", 0, UINT32_MAX) & mask;
}

const struct job_statement job_state_statements[] = {
	{ "target", read_target },
	{ "samples", read_samples },
	{ "clear", read_clear },
	{ "heap", read_heap },
	{ "frames", read_frames },
	{ "viewport", read_viewport },
	{ "depth-range", read_depth_range },
	{ "scissor", read_scissor },
	{ "cull", read_cull },
	{ "front", read_front },
	{ "depth", read_depth },
	{ "polygon-offset", read_offset },
	{ "stencil", read_stencil },
	{ "blend", read_blend },
	{ "blend-color", read_blend_color },
	{ "color-mask", read_color_mask },
	{ "alpha-test", read_alpha_test },
	{ "alpha-to-coverage", read_alpha_to_coverage },
	{ "alpha-to-one", read_alpha_to_one },
	{ "sample-mask", read_sample_mask },
	{ "dither", read_dither },
	{ "point-size", read_point_size },
	{ "line-width", read_line_width },
	{ "color-register", read_color_register },
	{ "fragment-stack", read_fragment_stack },
	{ "rsw", read_rsw },
	{ NULL, NULL },
};
