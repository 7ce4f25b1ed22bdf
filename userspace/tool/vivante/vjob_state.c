// SPDX-License-Identifier: MIT
/* Statements of a Vivante job that set the frame or fixed-function state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/vivante/states.h"
#include "tool/vivante/vjob.h"

static const char *const funcs[] = {
	"never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always", NULL
};

void vjob_state_init(struct vjob_parser *v)
{
	struct viv_state *s = &v->now.state;

	v->viewport[2] = v->job->width;
	v->viewport[3] = v->job->height;
	v->depth_range[1] = 1;
	s->clip[2] = v->job->width;
	s->clip[3] = v->job->height;
	s->pa_system_mode = VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER;
	s->line_width = s->point_size = 1;
	s->pe_depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, COMPARE_FUNC_ALWAYS);
	s->pe_alpha_op = VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_FUNC, COMPARE_FUNC_ALWAYS);
	s->color_mask = 0xf;
	s->sample_mask = 0xf;
	v->now.size_reg = -1;
	/* t0.z is the depth. */
	v->now.color_reg = 1;
	for (int i = 0; i < 2; i++) {
		v->stencil[i].func = COMPARE_FUNC_ALWAYS;
		v->stencil[i].mask = v->stencil[i].write = 0xff;
	}
}

/* The side that is clockwise to the eye is what the chip calls front (Mesa etnaviv_zsa.c). */
static void resolve_stencil(struct vjob_parser *v)
{
	struct viv_state *s = &v->now.state;
	int f = !v->front_cw, b = !f;

	s->pe_stencil_config = s->pe_stencil_op = s->pe_stencil_ref_back = s->pe_stencil_ext2 = 0;
	if (!v->stencil[0].on && !v->stencil[1].on)
		return;
	s->pe_stencil_op = VIV_SET(VIVS_PE_STENCIL_OP_FUNC_FRONT, v->stencil[f].func) |
			   VIV_SET(VIVS_PE_STENCIL_OP_PASS_FRONT, v->stencil[f].zpass) |
			   VIV_SET(VIVS_PE_STENCIL_OP_FAIL_FRONT, v->stencil[f].fail) |
			   VIV_SET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT, v->stencil[f].zfail) |
			   VIV_SET(VIVS_PE_STENCIL_OP_FUNC_BACK, v->stencil[b].func) |
			   VIV_SET(VIVS_PE_STENCIL_OP_PASS_BACK, v->stencil[b].zpass) |
			   VIV_SET(VIVS_PE_STENCIL_OP_FAIL_BACK, v->stencil[b].fail) |
			   VIV_SET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK, v->stencil[b].zfail);
	s->pe_stencil_config = VIV_SET(VIVS_PE_STENCIL_CONFIG_MODE, VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED) |
			       VIV_SET(VIVS_PE_STENCIL_CONFIG_REF_FRONT, v->stencil[f].ref) |
			       VIV_SET(VIVS_PE_STENCIL_CONFIG_MASK_FRONT, v->stencil[f].mask) |
			       VIV_SET(VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT, v->stencil[f].write);
	s->pe_stencil_ref_back = VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK, v->stencil[b].ref);
	s->pe_stencil_ext2 = VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK, v->stencil[b].mask) |
			     VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK, v->stencil[b].write);
}

void vjob_state_resolve(struct vjob_parser *v)
{
	struct viv_state *s = &v->now.state;
	const float *p = v->viewport;
	/* The modes name the side, as the eye sees it, that is dropped (Mesa etnaviv_translate.h). */
	bool cull_ccw = (v->cull == 2) == v->front_cw;

	s->scale[0] = p[2] / 2;
	s->scale[1] = -p[3] / 2;
	s->offset[0] = p[0] + p[2] / 2;
	s->offset[1] = p[1] + p[3] / 2;
	/* The chip has made z 0 to 1 before. */
	s->scale[2] = v->depth_range[1] - v->depth_range[0];
	s->offset[2] = v->depth_range[0];
	s->pa_config = VIV_SET(VIVS_PA_CONFIG_CULL_FACE_MODE, !v->cull ? VIVS_PA_CONFIG_CULL_FACE_MODE_OFF :
			       cull_ccw ? VIVS_PA_CONFIG_CULL_FACE_MODE_CCW : VIVS_PA_CONFIG_CULL_FACE_MODE_CW) |
		       VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID) |
		       VIV_SET(VIVS_PA_CONFIG_SHADE_MODEL, VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	resolve_stencil(v);
}

/* --- The frame -------------------------------------------------------------------- */

static void read_samples(struct vjob_parser *v)
{
	static const char *const counts[] = { "1", "2", "4", NULL };

	v->job->samples = 1u << job_choice(v->r, "samples", counts);
}

static void read_depth_buffer(struct vjob_parser *v)
{
	static const char *const formats[] = { "d16", "d24s8", NULL };

	v->job->depth_cpp = job_choice(v->r, "depth-buffer", formats) ? 4 : 2;
}

static void read_fast_clear(struct vjob_parser *v)
{
	static const char *const what[] = { "off", "on", NULL };

	v->job->fast_clear = job_choice(v->r, "fast-clear", what);
}

static void read_clear(struct vjob_parser *v)
{
	static const char *const what[] = { "color", "depth", "stencil", NULL };

	switch (job_choice(v->r, "clear", what)) {
	case 0:
		for (int i = 0; i < 4; i++)
			v->job->clear_color[i] = job_number(v->r, "colour", 0, 1);
		break;
	case 1:
		v->job->clear_depth = job_number(v->r, "depth", 0, 1);
		break;
	case 2:
		v->job->clear_stencil = job_integer(v->r, "stencil", 0, 255);
		break;
	}
}

static void read_frames(struct vjob_parser *v)
{
	v->p->job->frames = job_integer(v->r, "frames", 1, 1000000);
}

/* --- Where and what is drawn -------------------------------------------------------- */

static void read_viewport(struct vjob_parser *v)
{
	v->viewport[0] = job_number(v->r, "x", -8192, 8192);
	v->viewport[1] = job_number(v->r, "y", -8192, 8192);
	v->viewport[2] = job_number(v->r, "width", 0, 8192);
	v->viewport[3] = job_number(v->r, "height", 0, 8192);
}

static void read_depth_range(struct vjob_parser *v)
{
	v->depth_range[0] = job_number(v->r, "near", 0, 1);
	v->depth_range[1] = job_number(v->r, "far", 0, 1);
}

static void read_scissor(struct vjob_parser *v)
{
	uint32_t *clip = v->now.state.clip;

	if (job_accept(v->r, "off")) {
		clip[0] = clip[1] = 0;
		clip[2] = v->job->width;
		clip[3] = v->job->height;
		return;
	}
	clip[0] = job_integer(v->r, "x", 0, v->job->width - 1);
	clip[1] = job_integer(v->r, "y", 0, v->job->height - 1);
	clip[2] = clip[0] + job_integer(v->r, "width", 1, v->job->width - clip[0]);
	clip[3] = clip[1] + job_integer(v->r, "height", 1, v->job->height - clip[1]);
}

static void read_cull(struct vjob_parser *v)
{
	static const char *const what[] = { "none", "front", "back", NULL };

	v->cull = job_choice(v->r, "cull", what);
}

static void read_front(struct vjob_parser *v)
{
	static const char *const what[] = { "ccw", "cw", NULL };

	v->front_cw = job_choice(v->r, "front", what);
}

static void read_depth(struct vjob_parser *v)
{
	struct viv_state *s = &v->now.state;

	if (job_accept(v->r, "off")) {
		s->depth_test = false;
		s->pe_depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, COMPARE_FUNC_ALWAYS);
		return;
	}
	s->depth_test = true;
	s->pe_depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, job_choice(v->r, "depth", funcs)) |
			     (job_accept(v->r, "read-only") ? 0 : VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE);
}

static void read_polygon_offset(struct vjob_parser *v)
{
	v->now.state.depth_scale = job_number(v->r, "scale", -1e6, 1e6);
	v->now.state.depth_units = job_number(v->r, "units", -1e6, 1e6);
}

static void read_stencil(struct vjob_parser *v)
{
	static const char *const ops[] = {
		"keep", "zero", "replace", "incr", "decr", "invert", "incr-wrap", "decr-wrap", NULL
	};
	bool front = true, back = true;
	int from = 0;

	if (job_accept(v->r, "off")) {
		v->stencil[0].on = v->stencil[1].on = false;
		return;
	}
	if (job_accept(v->r, "front"))
		back = false;
	else if (job_accept(v->r, "back"))
		front = false;
	from = front ? 0 : 1;
	v->stencil[from].on = true;
	v->stencil[from].func = job_choice(v->r, "stencil", funcs);
	v->stencil[from].ref = job_integer(v->r, "reference", 0, 255);
	v->stencil[from].mask = job_integer(v->r, "mask", 0, 255);
	v->stencil[from].fail = job_choice(v->r, "fail", ops);
	v->stencil[from].zfail = job_choice(v->r, "zfail", ops);
	v->stencil[from].zpass = job_choice(v->r, "zpass", ops);
	v->stencil[from].write = job_integer(v->r, "write mask", 0, 255);
	if (front && back)
		v->stencil[1] = v->stencil[0];
}

static uint32_t read_factor(struct vjob_parser *v)
{
	static const char *const factors[] = {
		"zero", "one", "src", "one-minus-src", "src-alpha", "one-minus-src-alpha", "dst-alpha",
		"one-minus-dst-alpha", "dst", "one-minus-dst", "src-alpha-saturate", "const-alpha",
		"one-minus-const-alpha", "const", "one-minus-const", NULL
	};

	return job_choice(v->r, "factor", factors);
}

static void read_blend(struct vjob_parser *v)
{
	static const char *const equations[] = { "add", "subtract", "reverse-subtract", "min", "max", NULL };
	uint32_t eq[2], src[2] = { BLEND_FUNC_ONE }, dst[2] = { BLEND_FUNC_ONE };
	bool separate;

	if (job_accept(v->r, "off")) {
		v->now.state.pe_alpha_config = 0;
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (i && v->r->token != JOB_WORD) {
			eq[1] = eq[0];
			src[1] = src[0];
			dst[1] = dst[0];
			break;
		}
		eq[i] = job_choice(v->r, "blend", equations);
		if (eq[i] < BLEND_EQ_MIN) {
			src[i] = read_factor(v);
			dst[i] = read_factor(v);
		}
	}
	separate = eq[0] != eq[1] || src[0] != src[1] || dst[0] != dst[1];
	v->now.state.pe_alpha_config = VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
		(separate ? VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA : 0) |
		VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR, src[0]) |
		VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR, dst[0]) | VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_COLOR, eq[0]) |
		VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA, src[1]) |
		VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA, dst[1]) | VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_ALPHA, eq[1]);
}

static void read_blend_color(struct vjob_parser *v)
{
	struct viv_state *s = &v->now.state;
	uint32_t c[4];

	for (int i = 0; i < 4; i++) {
		s->blend_color[i] = job_number(v->r, "colour", 0, 1);
		c[i] = lrintf(s->blend_color[i] * 255);
	}
	s->pe_blend_color = VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_R, c[0]) | VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_G, c[1]) |
			    VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_B, c[2]) | VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_A, c[3]);
}

static void read_color_mask(struct vjob_parser *v)
{
	static const char letters[] = "rgba";
	uint32_t mask = 0;

	if (!job_accept(v->r, "none")) {
		for (const char *s = v->r->text; *s; s++) {
			const char *at = strchr(letters, *s);

			if (!at) {
				job_fail(v->r, "color-mask: '%s' is none, or letters of rgba", v->r->text);
				return;
			}
			mask |= 1u << (at - letters);
		}
		job_next(v->r);
	}
	v->now.state.color_mask = mask;
}

static void read_alpha_test(struct vjob_parser *v)
{
	uint32_t func;

	if (job_accept(v->r, "off")) {
		v->now.state.pe_alpha_op = VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_FUNC, COMPARE_FUNC_ALWAYS);
		return;
	}
	func = job_choice(v->r, "alpha-test", funcs);
	v->now.state.pe_alpha_op = VIVS_PE_ALPHA_OP_ALPHA_TEST | VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_FUNC, func) |
		VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_REF, lrint(job_number(v->r, "reference", 0, 1) * 255));
}

static void read_sample_mask(struct vjob_parser *v)
{
	v->now.state.sample_mask = job_integer(v->r, "sample-mask", 0, 15);
}

static void read_point_size(struct vjob_parser *v)
{
	v->now.state.point_size = job_number(v->r, "point-size", 0, 128);
}

static void read_line_width(struct vjob_parser *v)
{
	v->now.state.line_width = job_number(v->r, "line-width", 0, 128);
}

/* state NAME[i][j] VALUE | state off */
static void read_state(struct vjob_parser *v)
{
	struct vjob_draw *d = &v->now;
	const struct viv_row *row;
	unsigned int i = 0, j = 0;
	char name[128], *bracket;

	if (job_accept(v->r, "off")) {
		d->num_extra = 0;
		return;
	}
	snprintf(name, sizeof(name), "%s", v->r->text);
	bracket = strchr(name, '[');
	if (bracket) {
		*bracket = 0;
		if (sscanf(bracket + 1, "%u][%u", &i, &j) < 1)
			job_fail(v->r, "state: '%s' has no index", v->r->text);
	}
	row = viv_state_named(name);
	if (!row)
		job_fail(v->r, "no state '%s'", name);
	else if (i >= row->count || j >= row->count2)
		job_fail(v->r, "%s has %u elements", name, row->count * row->count2);
	else if (!(row->flags & VIV_USER) || row->kind == VIV_KIND_ADDR)
		job_fail(v->r, "%s is not a job's to write", name);
	if (d->num_extra == VJOB_MAX_EXTRA)
		job_fail(v->r, "more than %u states", VJOB_MAX_EXTRA);
	if (v->r->failed)
		return;
	job_next(v->r);
	d->extra[d->num_extra].address = row->at + i * row->stride + j * row->stride2;
	d->extra[d->num_extra++].value = job_integer(v->r, "value", 0, UINT32_MAX);
}

const struct vjob_statement vjob_state_statements[] = {
	{ "samples", read_samples },
	{ "depth-buffer", read_depth_buffer },
	{ "fast-clear", read_fast_clear },
	{ "clear", read_clear },
	{ "frames", read_frames },
	{ "viewport", read_viewport },
	{ "depth-range", read_depth_range },
	{ "scissor", read_scissor },
	{ "cull", read_cull },
	{ "front", read_front },
	{ "depth", read_depth },
	{ "polygon-offset", read_polygon_offset },
	{ "stencil", read_stencil },
	{ "blend", read_blend },
	{ "blend-color", read_blend_color },
	{ "color-mask", read_color_mask },
	{ "alpha-test", read_alpha_test },
	{ "sample-mask", read_sample_mask },
	{ "point-size", read_point_size },
	{ "line-width", read_line_width },
	{ "state", read_state },
	{ NULL, NULL },
};
