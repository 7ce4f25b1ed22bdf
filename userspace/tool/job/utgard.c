// SPDX-License-Identifier: MIT
/* A job as the commands of an Utgard GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/utgard/utgard.h"
#include "tool/job/frame.h"
#include "tool/job/parser.h"

struct utgard_job_frame {
	struct job_frame base;
	struct utgard_frame *frame;
};

/* The alpha factors have no room for "of alpha", and mean it anyway; saturate is one. */
static uint8_t alpha_factor(uint32_t factor)
{
	return factor == RSW_FACTOR_SRC_ALPHA_SATURATE ? RSW_FACTOR_ONE : factor;
}

static void set_blend(struct utgard_state *to, const struct job_state *from)
{
	struct job_blend b[2] = { from->blend[0], from->blend[1] };

	/* min(S * s + D * d, D): the factors that make it min(S, D) */
	for (int i = 0; i < 2; i++) {
		if (b[i].no_factors) {
			b[i].source = RSW_FACTOR_ONE;
			b[i].destination = RSW_FACTOR_ZERO;
		}
	}
	to->blend = true;
	to->blend_func_rgb = b[0].equation;
	to->blend_src_rgb = b[0].source;
	to->blend_dst_rgb = b[0].destination;
	to->blend_func_alpha = b[1].equation;
	to->blend_src_alpha = alpha_factor(b[1].source);
	to->blend_dst_alpha = alpha_factor(b[1].destination);
}

static void set_state(struct utgard_state *to, const struct job_state *from, const struct job_target *target)
{
	limn_utgard_state_init(to, target->width, target->height);
	if (from->blend_on)
		set_blend(to, from);
	for (int i = 0; i < 4; i++)
		to->blend_color[i] = from->blend_color[i];
	to->color_mask = from->color_mask;
	to->depth_test = from->depth_test;
	to->depth_write = from->depth_write;
	to->depth_func = from->depth_func;
	to->depth_near = from->depth_range[0];
	to->depth_far = from->depth_range[1];
	to->offset_scale = from->offset[0];
	to->offset_units = from->offset[1];
	to->stencil_test = from->stencil_test;
	to->front = from->stencil[0];
	to->back = from->stencil[1];
	to->alpha_func = from->alpha_func;
	to->alpha_ref = from->alpha_ref;
	to->sample_mask = from->sample_mask;
	to->alpha_to_coverage = from->alpha_to_coverage;
	to->alpha_to_one = from->alpha_to_one;
	to->dither = from->dither;
	to->cull_front = from->cull & 1;
	to->cull_back = from->cull & 2;
	to->front_ccw = !from->front_cw;
	to->point_size = from->point_size;
	to->line_width = from->line_width;
	if (from->scissored) {
		to->scissor_x = from->scissor[0];
		to->scissor_y = from->scissor[1];
		to->scissor_w = from->scissor[2];
		to->scissor_h = from->scissor[3];
	}
	to->viewport[0] = from->viewport[0];
	to->viewport[1] = from->viewport[0] + from->viewport[2];
	to->viewport[2] = from->viewport[1];
	to->viewport[3] = from->viewport[1] + from->viewport[3];
}

static uint32_t draw_number(const struct job_frame *f, const struct job_draw *d)
{
	return d - f->scene->draws;
}

static int set_vertices(struct job_frame *f, struct utgard_draw *to, const struct job_draw *from,
			struct limn_error *err)
{
	to->num_attributes = from->num_attributes;
	for (uint32_t i = 0; i < from->num_attributes; i++) {
		const struct job_attribute *a = from->attributes[i];

		to->attributes[i].format = GP_STREAM(a->stride, a->element->gp_type, a->components);
		to->attributes[i].bo = job_upload(f, "attribute", draw_number(f, from), a, a->data,
						   a->stride * a->vertices, err);
		if (!to->attributes[i].bo)
			return -1;
	}
	to->num_outputs = from->num_outputs;
	for (uint32_t i = 0; i < from->num_outputs; i++) {
		const struct job_output *o = &from->outputs[i];

		to->outputs[i] = (struct utgard_output){
			.kind = o->kind == JOB_POSITION ? UTGARD_POSITION :
				o->kind == JOB_POINT_SIZE ? UTGARD_POINT_SIZE : UTGARD_VARYING,
			.components = o->components, .half = o->kind == JOB_HALF,
		};
	}
	if (from->indices) {
		to->index_bytes = from->indices->index_bytes;
		to->indices = from->indices->data;
		to->min_index = from->min_index;
		to->max_index = from->max_index;
	}
	return 0;
}

static void set_sampler(struct utgard_sampler *to, const struct job_sampler *from)
{
	*to = (struct utgard_sampler){
		.min_linear = from->min, .mag_linear = from->mag, .mip = from->mip > 0, .mip_linear = from->mip > 1,
		.wrap_s = from->wrap[0], .wrap_t = from->wrap[1], .min_lod = from->lod[0],
		.max_lod = from->lod[1], .lod_bias = from->bias, .unnormalised = from->texels,
	};
	for (int i = 0; i < 4; i++)
		to->border[i] = from->border[i];
}

static int set_textures(struct job_frame *f, struct utgard_draw *to, const struct job_draw *from,
			struct limn_error *err)
{
	for (uint32_t i = 0; i < JOB_MAX_TEXTURES; i++) {
		const struct job_unit *unit = &from->textures[JOB_FRAGMENT][i];
		const struct job_texture *t = unit->texture;

		if (!t)
			break;
		to->num_textures = i + 1;
		to->textures[i].image = t->image;
		if (t->data)
			to->textures[i].bo = job_upload(f, "texture", draw_number(f, from), t, t->data, t->bytes, err);
		if (t->data && !to->textures[i].bo)
			return -1;
		set_sampler(&to->textures[i].sampler, &unit->sampler);
	}
	return 0;
}

/* fp16, malloc'ed. */
static uint16_t *half_uniforms(const struct job_draw *d)
{
	uint32_t count = 4 * d->num_uniforms[JOB_FRAGMENT];
	uint16_t *h = malloc(count * sizeof(*h) + 1);

	for (uint32_t i = 0; i < count && h; i++)
		h[i] = limn_utgard_half(d->uniforms[JOB_FRAGMENT][i]);
	return h;
}

static int add_draw(struct utgard_job_frame *f, const struct job_draw *from, struct limn_error *err)
{
	const struct job_shader *vs = from->shaders[JOB_VERTEX], *fs = from->shaders[JOB_FRAGMENT];
	struct utgard_draw draw = {
		.mode = from->mode, .start = from->first, .count = from->count,
		.vs = vs->words, .vs_bytes = vs->count * 4, .vs_prefetch = vs->prefetch,
		.vs_uniforms = from->uniforms[JOB_VERTEX], .num_vs_uniforms = from->num_uniforms[JOB_VERTEX],
		.fs = fs->words, .fs_bytes = fs->count * 4, .fs_discards = fs->discards,
		.fs_color_reg = from->state.color_register, .fs_stack = from->state.fragment_stack,
		.num_fs_uniforms = 4 * from->num_uniforms[JOB_FRAGMENT],
	};
	struct utgard_forced forced[JOB_MAX_STATES];
	uint16_t *half = half_uniforms(from);
	int ret;

	if (!half)
		return limn_fail(err, -1, "out of memory");
	draw.fs_uniforms = half;
	draw.lists = from->state.gp_lists;
	draw.forced = forced;
	draw.num_forced = from->state.num_words;
	for (uint32_t i = 0; i < draw.num_forced; i++)
		forced[i] = from->state.words[i].utgard;
	set_state(&draw.state, &from->state, &f->base.scene->target);
	ret = set_vertices(&f->base, &draw, from, err);
	if (!ret)
		ret = set_textures(&f->base, &draw, from, err);
	if (!ret)
		ret = limn_utgard_draw(f->frame, &draw, err);
	free(half);
	return ret;
}

static int build(struct job_frame *base, struct limn_error *err)
{
	struct utgard_job_frame *f = (struct utgard_job_frame *)base;
	const struct job_scene *scene = base->scene;
	const struct job_target *t = &scene->target;
	struct utgard_target target = {
		.width = t->width, .height = t->height, .pixel = t->pixel, .samples = t->samples,
		.clear_depth = lrint(t->clear_depth * 0xffffff), .clear_stencil = t->clear_stencil,
		.heap = t->heap, .fixed_heap = t->fixed_heap, .forced = t->words, .num_forced = t->num_words,
	};
	int ret;

	for (int i = 0; i < 4; i++)
		target.clear_color[i] = lrint(t->clear_color[i] * 255);
	ret = limn_utgard_frame_create(base->dev, &target, &f->frame, err);
	for (uint32_t i = 0; i < scene->num_draws && !ret; i++)
		ret = add_draw(f, &scene->draws[i], err);
	return ret ? ret : limn_utgard_frame_end(f->frame, err);
}

struct utgard_frame *job_frame_utgard(struct job_frame *base)
{
	return base->ops == &job_utgard_ops ? ((struct utgard_job_frame *)base)->frame : NULL;
}

static int submit(struct job_frame *base, struct limn_error *err)
{
	return limn_utgard_frame_submit(job_frame_utgard(base), err);
}

static int wait(struct job_frame *base, int64_t timeout_ns, struct limn_error *err)
{
	return limn_utgard_frame_wait(job_frame_utgard(base), timeout_ns, err);
}

static bool find(const struct job_frame *base, uint32_t va, struct utgard_part *part)
{
	return limn_utgard_frame_find(((const struct utgard_job_frame *)base)->frame, va, part);
}

static bool is_in(const struct job_frame *base, const struct job_memory *m)
{
	const struct utgard_job_frame *f = (const struct utgard_job_frame *)base;
	const void *here, *there;
	uint32_t va, bytes, same = 0;

	for (uint32_t i = 0; limn_utgard_frame_part(f->frame, i, &va, &bytes, &here); i++) {
		there = here && bytes ? m->at(m->ctx, va, bytes) : NULL;
		if (here && bytes && (!there || memcmp(here, there, bytes)))
			return false;
		same += there != NULL;
	}
	return same;
}

static void read_frame(const struct job_frame *base, uint8_t *rgba)
{
	const struct utgard_job_frame *f = (const struct utgard_job_frame *)base;
	const struct job_target *t = &base->scene->target;
	uint32_t stride, bytes = limn_utgard_pixel_bytes(t->pixel);
	const uint8_t *rows = limn_utgard_frame_pixels(f->frame, &stride);

	for (uint32_t y = 0; y < t->height; y++)
		for (uint32_t x = 0; x < t->width; x++, rgba += 4)
			limn_utgard_pixel_decode(t->pixel, rows + y * stride + x * bytes, rgba);
}

static void free_frame(struct job_frame *base)
{
	limn_utgard_frame_free(((struct utgard_job_frame *)base)->frame);
}

const struct job_frame_ops job_utgard_ops = {
	.size = sizeof(struct utgard_job_frame),
	.build = build,
	.submit = submit,
	.wait = wait,
	.read = read_frame,
	.find = find,
	.is_in = is_in,
	.free = free_frame,
};
