// SPDX-License-Identifier: MIT
/* A job as the command stream of a Vivante GPU. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vivante/vivante.h"
#include "tool/job/frame.h"
#include "tool/job/parser.h"

struct vivante_frame {
	struct job_frame base;
	struct viv_specs specs;
	struct viv_stream stream;
	struct viv_surface color, depth, out;
	struct viv_2d_surface images[JOB_MAX_IMAGES];
	uint32_t starts[JOB_MAX_DRAWS];	/* words of the stream before each draw */
	uint32_t num_starts;
	struct limn_fence fence;
	bool submitted;
};

/* --- State ---------------------------------------------------------------------------- */

/* The side that is clockwise to the eye is what the chip calls front (Mesa etnaviv_zsa.c). */
static void set_stencil(struct viv_state *to, const struct job_state *from)
{
	const struct utgard_stencil *f = &from->stencil[!from->front_cw], *b = &from->stencil[from->front_cw];

	if (!from->stencil_test)
		return;
	to->pe_stencil_op = VIV_SET(VIVS_PE_STENCIL_OP_FUNC_FRONT, f->func) |
			    VIV_SET(VIVS_PE_STENCIL_OP_PASS_FRONT, f->zpass) |
			    VIV_SET(VIVS_PE_STENCIL_OP_FAIL_FRONT, f->fail) |
			    VIV_SET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT, f->zfail) |
			    VIV_SET(VIVS_PE_STENCIL_OP_FUNC_BACK, b->func) |
			    VIV_SET(VIVS_PE_STENCIL_OP_PASS_BACK, b->zpass) |
			    VIV_SET(VIVS_PE_STENCIL_OP_FAIL_BACK, b->fail) |
			    VIV_SET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK, b->zfail);
	to->pe_stencil_config = VIV_SET(VIVS_PE_STENCIL_CONFIG_MODE, VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED) |
				VIV_SET(VIVS_PE_STENCIL_CONFIG_REF_FRONT, f->ref) |
				VIV_SET(VIVS_PE_STENCIL_CONFIG_MASK_FRONT, f->mask) |
				VIV_SET(VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT, f->write);
	to->pe_stencil_ref_back = VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK, b->ref);
	to->pe_stencil_ext2 = VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK, b->mask) |
			      VIV_SET(VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK, b->write);
}

static void set_blend(struct viv_state *to, const struct job_state *from)
{
	struct job_blend b[2] = { from->blend[0], from->blend[1] };
	uint32_t c[4];
	bool separate;

	for (int i = 0; i < 4; i++) {
		to->blend_color[i] = from->blend_color[i];
		c[i] = lrintf(to->blend_color[i] * 255);
	}
	to->pe_blend_color = VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_R, c[0]) | VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_G, c[1]) |
			     VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_B, c[2]) | VIV_SET(VIVS_PE_ALPHA_BLEND_COLOR_A, c[3]);
	if (!from->blend_on)
		return;
	for (int i = 0; i < 2; i++)
		if (b[i].no_factors)
			b[i].source = b[i].destination = BLEND_FUNC_ONE;
	separate = b[0].equation != b[1].equation || b[0].source != b[1].source ||
		   b[0].destination != b[1].destination;
	to->pe_alpha_config = VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
			      (separate ? VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA : 0) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR, b[0].source) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR, b[0].destination) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_COLOR, b[0].equation) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA, b[1].source) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA, b[1].destination) |
			      VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_ALPHA, b[1].equation);
}

static void set_viewport(struct viv_state *to, const struct job_state *from, const struct job_target *target)
{
	float p[4], range[2] = { from->depth_range[0], from->depth_range[1] };

	for (int i = 0; i < 4; i++)
		p[i] = from->viewport[i];
	to->scale[0] = p[2] / 2;
	to->scale[1] = -p[3] / 2;
	to->offset[0] = p[0] + p[2] / 2;
	to->offset[1] = p[1] + p[3] / 2;
	/* The chip has made z 0 to 1 before. */
	to->scale[2] = range[1] - range[0];
	to->offset[2] = range[0];
	to->clip[2] = target->width;
	to->clip[3] = target->height;
	for (int i = 0; i < 4 && from->scissored; i++)
		to->clip[i] = from->scissor[i] + (i < 2 ? 0 : from->scissor[i - 2]);
}

static void set_state(struct viv_state *to, const struct job_state *from, const struct job_target *target)
{
	/* The modes name the side, as the eye sees it, that is dropped (Mesa etnaviv_translate.h). */
	bool cull_ccw = (from->cull == 2) == from->front_cw;

	set_viewport(to, from, target);
	to->pa_config = VIV_SET(VIVS_PA_CONFIG_CULL_FACE_MODE, !from->cull ? VIVS_PA_CONFIG_CULL_FACE_MODE_OFF :
				cull_ccw ? VIVS_PA_CONFIG_CULL_FACE_MODE_CCW : VIVS_PA_CONFIG_CULL_FACE_MODE_CW) |
			VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID) |
			VIV_SET(VIVS_PA_CONFIG_SHADE_MODEL, VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	to->pa_system_mode = VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER;
	to->line_width = from->line_width;
	to->point_size = from->point_size;
	to->depth_scale = from->offset[0];
	to->depth_units = from->offset[1];
	to->depth_test = from->depth_test;
	to->pe_depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC,
				      from->depth_test ? from->depth_func : COMPARE_FUNC_ALWAYS) |
			      (from->depth_test && from->depth_write ? VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE : 0);
	to->pe_alpha_op = VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_FUNC, from->alpha_func);
	if (from->alpha_test)
		to->pe_alpha_op |= VIVS_PE_ALPHA_OP_ALPHA_TEST |
				   VIV_SET(VIVS_PE_ALPHA_OP_ALPHA_REF, lrint(from->alpha_ref * 255));
	to->color_mask = from->color_mask;
	to->sample_mask = from->sample_mask;
	set_stencil(to, from);
	set_blend(to, from);
}

/* --- Draws -------------------------------------------------------------------------- */

/* The vertex shader numbers its samplers from 0; the core has them behind the fragment shader's. */
static uint32_t *place_samplers(struct vivante_frame *f, const struct job_shader *s)
{
	uint32_t *words = malloc(s->count * 4);

	if (!words)
		return NULL;
	memcpy(words, s->words, s->count * 4);
	for (uint32_t i = 0; i < s->count; i += 4)
		if (job_shader_samples(words + i))
			words[i] += f->specs.vs_samplers << 27;
	return words;
}

static uint32_t draw_number(const struct vivante_frame *f, const struct job_draw *d)
{
	return d - f->base.scene->draws;
}

static const char *const stage_names[JOB_SHADERS] = {
	[JOB_VERTEX] = "vertex shader", [JOB_FRAGMENT] = "fragment shader", [JOB_COMPUTE] = "compute shader",
};

static int set_shader(struct vivante_frame *f, struct viv_shader *out, const struct job_draw *d, enum job_stage stage,
		      uint32_t least_temps, struct limn_error *err)
{
	const struct job_shader *s = d->shaders[stage];

	out->instructions = s->count / 4;
	out->temps = s->temps > least_temps ? s->temps : least_temps;
	if (f->specs.halti < (stage == JOB_COMPUTE ? 2 : 5))
		return 0;
	out->bo = job_upload(&f->base, stage_names[stage], draw_number(f, d), s, out->words, s->count * 4, err);
	return out->bo ? 0 : -1;
}

/* NULL, or what the core lacks to read it. Facts: Mesa etnaviv_screen.c. */
static const char *texture_lacks(const struct viv_specs *specs, const char *needs)
{
	const struct {
		const char *name;
		bool has;
	} features[] = {
		{ "linear", viv_has(specs, chipMinorFeatures1, LINEAR_TEXTURE_SUPPORT) },
		{ "supertiled", viv_has(specs, chipMinorFeatures2, SUPERTILED_TEXTURE) },
		{ "ETC1", viv_has(specs, chipFeatures, ETC1_TEXTURE_COMPRESSION) },
		{ "DXT", viv_has(specs, chipFeatures, DXT_TEXTURE_COMPRESSION) },
		{ "ETC2", viv_has(specs, chipMinorFeatures1, HALTI0) },
		{ "3D", viv_has(specs, chipMinorFeatures1, HALTI0) },
		{ "HALTI1", specs->halti >= 1 },
		{ "HALTI5", specs->halti >= 5 },
	};

	for (size_t i = 0; needs && i < sizeof(features) / sizeof(features[0]); i++)
		if (!strcmp(features[i].name, needs) && !features[i].has)
			return needs;
	return NULL;
}

static void set_sampler(struct viv_texture *to, const struct job_sampler *from)
{
	to->min = from->min ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
	to->mag = from->mag ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
	to->mip = TEXTURE_FILTER_NONE + from->mip;
	to->wrap_s = from->wrap[0];
	to->wrap_t = from->wrap[1];
	to->wrap_r = from->wrap[2];
	to->lod_min = from->lod[0];
	to->lod_max = from->lod[1];
	to->lod_bias = from->bias;
	to->compare = from->compare;
	memcpy(to->swizzle, from->swizzle, sizeof(to->swizzle));
}

static int set_textures(struct vivante_frame *f, struct viv_call *call, struct viv_texture *store,
			const struct job_draw *d, struct limn_error *err)
{
	for (uint32_t i = 0; i < JOB_STAGES * JOB_MAX_TEXTURES; i++) {
		bool vertex = i >= JOB_MAX_TEXTURES;
		const struct job_unit *from = &d->textures[vertex ? JOB_VERTEX : JOB_FRAGMENT][i % JOB_MAX_TEXTURES];
		uint32_t unit = i % JOB_MAX_TEXTURES + (vertex ? f->specs.vs_samplers : 0);
		const struct job_texture *t = from->texture;
		struct limn_bo *desc;

		if (!t)
			continue;
		if (unit >= (f->specs.halti >= 1 ? 32 : 12) || call->textures[unit])
			return limn_fail(err, -EINVAL, "line %u: the core has no such texture unit", d->at.line);
		if (texture_lacks(&f->specs, t->needs))
			return limn_fail(err, -ENOTSUP, "line %u: the core has no %s textures", d->at.line, t->needs);
		store[i] = *(const struct viv_texture *)t->image;
		set_sampler(&store[i], &from->sampler);
		store[i].bo = job_upload(&f->base, "texture", draw_number(f, d), t, t->data, t->bytes, err);
		if (!store[i].bo)
			return -1;
		if (f->specs.halti >= 5) {
			desc = job_upload(&f->base, "texture descriptor", draw_number(f, d), NULL, NULL, TXDESC_BYTES, err);
			if (!desc)
				return -1;
			limn_viv_texture_describe(&store[i], desc->map);
			store[i].desc = desc;
		}
		call->textures[unit] = &store[i];
	}
	return 0;
}

static int set_vertices(struct vivante_frame *f, struct viv_call *call, const struct job_draw *d,
			struct limn_error *err)
{
	const struct job_indices *ix = d->indices;

	call->num_attributes = d->num_attributes;
	for (uint32_t i = 0; i < d->num_attributes; i++) {
		const struct job_attribute *a = d->attributes[i];

		call->attributes[i] = (struct viv_attribute){
			.bo = job_upload(&f->base, "attribute", draw_number(f, d), a, a->data, a->stride * a->vertices, err),
			.stride = a->stride,
			.type = a->element->fe_type, .components = a->components,
			.bytes = a->element->bytes * a->components, .normalize = a->element->normalized, .reg = i,
		};
		if (!call->attributes[i].bo)
			return -1;
	}
	if (!ix)
		return 0;
	call->indices = job_upload(&f->base, "indices", draw_number(f, d), ix, ix->data, ix->count * ix->index_bytes, err);
	call->index_type = ix->index_bytes == 1 ? VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR :
			   ix->index_bytes == 2 ? VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT :
			   VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_INT;
	call->restart = ix->restart;
	return call->indices ? 0 : -1;
}

static void set_outputs(struct viv_call *call, const struct job_draw *d)
{
	call->size_reg = -1;
	for (uint32_t i = 0; i < d->num_outputs; i++) {
		const struct job_output *o = &d->outputs[i];

		if (o->kind == JOB_POSITION)
			call->position = o->reg;
		else if (o->kind == JOB_POINT_SIZE)
			call->size_reg = o->reg;
		else
			call->varyings[call->num_varyings++] = (struct viv_varying){
				.kind = o->kind == JOB_POINT_COORD ? VIV_VARYING_POINT_COORD :
					o->kind == JOB_COLOR ? VIV_VARYING_COLOR : VIV_VARYING_GENERIC,
				.components = o->components, .reg = o->reg,
			};
	}
}

static int add_draw(struct vivante_frame *f, const struct job_draw *d, struct limn_error *err)
{
	const struct job_shader *ps = d->shaders[JOB_FRAGMENT];
	struct viv_texture textures[JOB_STAGES * JOB_MAX_TEXTURES];
	struct viv_extra extra[JOB_MAX_STATES];
	struct viv_state state = { 0 };
	struct viv_call call = {
		.color = &f->color, .depth = f->base.scene->target.depth_cpp ? &f->depth : NULL, .state = &state,
		.color_reg = d->state.color_register, .ps_discards = ps->discards, .primitive = d->mode,
		.first = d->first, .count = d->count, .instances = d->instances, .extra = extra, .num_extra = d->state.num_words,
	};
	uint32_t *vs = place_samplers(f, d->shaders[JOB_VERTEX]);
	const char *why;
	int ret;

	if (!vs)
		return limn_fail(err, -ENOMEM, "out of memory");
	set_state(&state, &d->state, &f->base.scene->target);
	set_outputs(&call, d);
	for (uint32_t i = 0; i < call.num_extra; i++)
		extra[i] = d->state.words[i].vivante;
	call.vs = (struct viv_shader){ .words = vs, .uniforms = (const uint32_t *)d->uniforms[JOB_VERTEX],
				       .num_uniforms = d->num_uniforms[JOB_VERTEX] };
	call.ps = (struct viv_shader){ .words = ps->words, .uniforms = (const uint32_t *)d->uniforms[JOB_FRAGMENT],
				       .num_uniforms = d->num_uniforms[JOB_FRAGMENT] };
	ret = set_vertices(f, &call, d, err);
	if (!ret)
		ret = set_shader(f, &call.vs, d, JOB_VERTEX, d->num_attributes, err);
	if (!ret)
		ret = set_shader(f, &call.ps, d, JOB_FRAGMENT, call.num_varyings + 1, err);
	if (!ret)
		ret = set_textures(f, &call, textures, d, err);
	if (!ret && d->indirect) {
		const uint32_t counts[] = { d->count, d->instances, d->first };

		call.indirect = job_upload(&f->base, "counts", draw_number(f, d), NULL, counts, sizeof(counts), err);
		ret = call.indirect ? 0 : -1;
	}
	why = ret ? NULL : limn_viv_call_check(&call, &f->specs);
	if (why)
		ret = limn_fail(err, -ENOTSUP, "line %u: %s", d->at.line, why);
	if (!ret) {
		f->starts[f->num_starts++] = f->stream.num_words;
		limn_viv_call_emit(&f->stream, &f->specs, &call);
	}
	free(vs);
	return ret;
}

/* --- 3D frames ------------------------------------------------------------------------- */

static void clear_values(const struct job_target *t, uint32_t color[2], uint32_t depth[2])
{
	float rgba[4], z = t->clear_depth;
	uint32_t c;

	for (int i = 0; i < 4; i++)
		rgba[i] = t->clear_color[i];
	c = limn_viv_pixel_encode(t->format, rgba);
	color[0] = color[1] = t->format->cpp == 2 ? c | c << 16 : c;
	if (t->depth_cpp == 2) {
		c = (uint32_t)(z * 0xffff + 0.5f);
		depth[0] = depth[1] = c | c << 16;
	} else {
		/* Stencil in the low byte. */
		depth[0] = depth[1] = (uint32_t)(z * 0xffffff + 0.5) << 8 | t->clear_stencil;
	}
}

static int create_surfaces(struct vivante_frame *f, struct limn_error *err)
{
	const struct job_target *t = &f->base.scene->target;
	uint32_t bits = t->layout;
	int ret;

	/* Without SINGLE_BUFFER each pixel pipe has a buffer of its own. */
	if (f->specs.pixel_pipes > 1 && !f->specs.single_buffer && bits)
		bits |= VIV_MULTI;
	if (!bits && !viv_has(&f->specs, chipMinorFeatures2, LINEAR_PE))
		return limn_fail(err, -ENOTSUP, "line %u: the core cannot draw into a linear target", t->at.line);
	if (bits & VIV_SUPER && !viv_has(&f->specs, chipMinorFeatures0, SUPER_TILED))
		return limn_fail(err, -ENOTSUP, "line %u: the core has no supertiled targets", t->at.line);
	if (t->samples > 1 && !viv_has(&f->specs, chipFeatures, MSAA))
		return limn_fail(err, -ENOTSUP, "line %u: the core has no multisampling", t->at.line);
	if (t->fast_clear && !viv_has(&f->specs, chipFeatures, FAST_CLEAR))
		return limn_fail(err, -ENOTSUP, "line %u: the core has no fast clear", t->at.line);
	f->color = (struct viv_surface){
		.width = t->width, .height = t->height, .samples = t->samples, .cpp = t->format->cpp,
		.bits = bits, .tile_status = t->fast_clear, .format = t->format->pe,
	};
	f->depth = f->color;
	f->depth.cpp = t->depth_cpp;
	f->depth.bits = bits ? bits : VIV_TILE;
	f->depth.format = t->depth_cpp == 2 ? VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16 :
			  VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;
	f->out = (struct viv_surface){
		.width = t->width, .height = t->height, .samples = 1, .cpp = t->format->cpp, .format = t->format->pe,
	};
	ret = limn_viv_surface_create(&f->color, &f->specs, f->base.dev, err);
	if (!ret && t->depth_cpp)
		ret = limn_viv_surface_create(&f->depth, &f->specs, f->base.dev, err);
	if (!ret)
		ret = limn_viv_surface_create(&f->out, &f->specs, f->base.dev, err);
	if (ret)
		return ret;
	limn_bo_label(f->color.bo, "target");
	if (f->depth.bo)
		limn_bo_label(f->depth.bo, "depth-buffer");
	limn_bo_label(f->out.bo, "picture");
	return 0;
}

/* --- Compute --------------------------------------------------------------------------- */

static int add_kernel(struct vivante_frame *f, const struct job_draw *d, struct limn_error *err)
{
	const struct job_shader *s = d->shaders[JOB_COMPUTE];
	struct viv_extra extra[JOB_MAX_STATES];
	struct viv_kernel k = {
		.program = { .words = s->words, .uniforms = (const uint32_t *)d->uniforms[JOB_COMPUTE],
			     .num_uniforms = d->num_uniforms[JOB_COMPUTE] },
		.memory = f->out.bo, .memory_words = { f->out.stride, f->out.height << 16 | f->out.width },
		.ids = s->early >> 1 & 1 ? 2 : 1, .extra = extra, .num_extra = d->state.num_words,
	};
	const char *why;

	for (uint32_t i = 0; i < k.num_extra; i++)
		extra[i] = d->state.words[i].vivante;
	memcpy(k.size, d->size, sizeof(k.size));
	memcpy(k.groups, d->groups, sizeof(k.groups));
	if (set_shader(f, &k.program, d, JOB_COMPUTE, k.ids, err))
		return -1;
	why = limn_viv_kernel_check(&k, &f->specs);
	if (why)
		return limn_fail(err, -ENOTSUP, "line %u: %s", d->at.line, why);
	f->starts[f->num_starts++] = f->stream.num_words;
	limn_viv_kernel_emit(&f->stream, &f->specs, &k);
	return 0;
}

/* Kernels find the picture as it is cleared, in rows. */
static int build_compute(struct vivante_frame *f, struct limn_error *err)
{
	const struct job_scene *scene = f->base.scene;
	const struct job_target *t = &scene->target;
	uint32_t color[2], unused[2];
	int ret;

	f->out = (struct viv_surface){
		.width = t->width, .height = t->height, .samples = 1, .cpp = t->format->cpp, .format = t->format->pe,
	};
	ret = limn_viv_surface_create(&f->out, &f->specs, f->base.dev, err);
	if (ret)
		return ret;
	limn_bo_label(f->out.bo, "picture");
	clear_values(t, color, unused);
	for (uint32_t i = 0; i < f->out.stride * t->height / 4; i++)
		((uint32_t *)f->out.bo->map)[i] = color[0];
	limn_viv_begin_3d(&f->stream, &f->specs);
	for (uint32_t i = 0; i < scene->num_draws && !ret; i++)
		ret = add_kernel(f, &scene->draws[i], err);
	return ret;
}

static int build_3d(struct vivante_frame *f, struct limn_error *err)
{
	const struct job_scene *scene = f->base.scene;
	uint32_t color[2], depth[2];
	int ret = create_surfaces(f, err);

	if (ret)
		return ret;
	clear_values(&scene->target, color, depth);
	limn_viv_begin_3d(&f->stream, &f->specs);
	limn_viv_clear(&f->stream, &f->specs, &f->color, color);
	if (scene->target.depth_cpp)
		limn_viv_clear(&f->stream, &f->specs, &f->depth, depth);
	for (uint32_t i = 0; i < scene->num_draws && !ret; i++)
		ret = add_draw(f, &scene->draws[i], err);
	if (!ret)
		limn_viv_resolve(&f->stream, &f->specs, &f->color, &f->out);
	return ret;
}

/* --- 2D frames ------------------------------------------------------------------------- */

static int upload_images(struct vivante_frame *f, struct limn_error *err)
{
	for (uint32_t i = 0; i < f->base.scene->num_images; i++) {
		const struct job_image *m = &f->base.scene->images[i];
		/* Rows at multiples of 16 bytes, bytes b g r a. */
		uint32_t stride = (m->width * 4 + 15) & ~15u;
		struct limn_bo *bo = job_upload(&f->base, "image", ~0u, m, NULL, stride * m->height, err);

		if (!bo)
			return -1;
		for (uint32_t k = 0; k < m->width * m->height * 4; k++) {
			uint32_t c = k & 3, row = k / 4 / m->width, x = k / 4 % m->width;

			((uint8_t *)bo->map)[row * stride + 4 * x + (c < 3 ? 2 - c : 3)] = m->rgba[k];
		}
		f->images[i] = (struct viv_2d_surface){
			.bo = bo, .stride = stride, .width = m->width, .height = m->height,
			.format = DE_FORMAT_A8R8G8B8,
		};
	}
	return 0;
}

static void add_op(struct vivante_frame *f, const struct viv_2d_surface *dst, const struct job_op *of)
{
	struct viv_2d_op op = of->op;
	bool source = op.kind == VIV_2D_COPY || op.kind == VIV_2D_STRETCH || op.kind == VIV_2D_ROTATE;

	op.src = source ? &f->images[of->image] : NULL;
	op.dst = dst;
	limn_viv_2d_emit(&f->stream, &op);
	/* The next operation may read what this one wrote. */
	limn_viv_2d_flush(&f->stream);
}

static int build_2d(struct vivante_frame *f, struct limn_error *err)
{
	static const int shift[4] = { 16, 8, 0, 24 };
	const struct job_target *t = &f->base.scene->target;
	struct job_op clear = { .op = { .kind = VIV_2D_FILL, .to = { 0, 0, t->width, t->height } } };
	struct viv_2d_surface dst;
	int ret = upload_images(f, err);

	f->out = (struct viv_surface){
		.width = t->width, .height = t->height, .samples = 1, .cpp = t->format->cpp,
	};
	if (!ret)
		ret = limn_viv_surface_create(&f->out, &f->specs, f->base.dev, err);
	if (ret)
		return ret;
	dst = (struct viv_2d_surface){
		.bo = f->out.bo, .stride = f->out.stride, .width = t->width, .height = t->height,
		.format = t->format->de,
	};
	for (int i = 0; i < 4; i++)
		clear.op.argb |= (uint32_t)((float)t->clear_color[i] * 255 + 0.5f) << shift[i];
	add_op(f, &dst, &clear);
	for (uint32_t i = 0; i < f->base.scene->num_ops; i++)
		add_op(f, &dst, &f->base.scene->ops[i]);
	return 0;
}

/* --- Either ---------------------------------------------------------------------------- */

static int build(struct job_frame *base, struct limn_error *err)
{
	struct vivante_frame *f = (struct vivante_frame *)base;
	bool is_2d = base->job->family == JOB_VIVANTE_2D;
	int ret = limn_viv_stream_init(&f->stream, err);

	/* It has them: job_takes() was asked. */
	limn_viv_specs_find(&f->specs, limn_get_info(base->dev), !is_2d);
	if (!ret)
		ret = is_2d ? build_2d(f, err) : base->scene->num_draws && base->scene->draws[0].groups[0] ? build_compute(f, err) :
		      build_3d(f, err);
	if (!ret && !limn_viv_stream_end(&f->stream))
		ret = limn_fail(err, -ENOMEM, "out of memory");
	return ret;
}

static int submit(struct job_frame *base, struct limn_error *err)
{
	struct vivante_frame *f = (struct vivante_frame *)base;
	const struct limn_submit submit = {
		.pipe = base->job->family == JOB_VIVANTE_2D ? LIMN_PIPE_2D : LIMN_PIPE_3D, .core = f->specs.core,
		.words = f->stream.words, .num_words = f->stream.num_words,
		.relocs = f->stream.relocs, .num_relocs = f->stream.num_relocs,
		.uses = f->stream.uses, .num_uses = f->stream.num_uses,
	};
	int ret = limn_submit(base->dev, &submit, &f->fence, err);

	f->submitted = !ret;
	return ret;
}

static int wait(struct job_frame *base, int64_t timeout_ns, struct limn_error *err)
{
	struct vivante_frame *f = (struct vivante_frame *)base;
	int ret;

	if (!f->submitted)
		return 0;
	ret = limn_wait(&f->fence, timeout_ns, err);
	limn_fence_free(&f->fence);
	f->submitted = false;
	return ret;
}

static bool find_command(const struct job_frame *base, uint32_t word, uint32_t *draw)
{
	const struct vivante_frame *f = (const struct vivante_frame *)base;
	uint32_t n = 0;

	while (n < f->num_starts && f->starts[n] < word)
		n++;
	*draw = n - 1;
	return n;
}

/* Whether a BO of the job is at that address too, if it is a shader. */
static bool shader_is_at(const struct job_frame *f, const struct limn_bo *bo, const struct job_memory *m, uint32_t va)
{
	for (uint32_t i = 0; i < f->num_uploads; i++) {
		const struct job_upload *u = &f->uploads[i];
		uint32_t bytes = u->bo == bo && strstr(u->name, "shader") ? ((const struct job_shader *)u->of)->count * 4 : 0;
		const void *there = bytes ? m->at(m->ctx, va, bytes) : NULL;

		if (bytes && (!there || memcmp(there, bo->map, bytes)))
			return false;
	}
	return true;
}

static bool is_in(const struct job_frame *base, const struct job_memory *m)
{
	const struct viv_stream *s = &((const struct vivante_frame *)base)->stream;
	const struct limn_reloc *r = s->relocs, *end = r + s->num_relocs;

	if (m->num_words < s->num_words)
		return false;
	for (uint32_t i = 0; i < s->num_words; i++) {
		if (r < end && r->word == i) {
			if (!shader_is_at(base, r->bo, m, m->words[i] - r->offset))
				return false;
			r++;
		} else if (m->words[i] != s->words[i]) {
			return false;
		}
	}
	return s->num_words;
}

static void read_frame(const struct job_frame *base, uint8_t *rgba)
{
	const struct vivante_frame *f = (const struct vivante_frame *)base;
	const struct job_target *t = &base->scene->target;

	for (uint32_t y = 0; y < t->height; y++) {
		const uint8_t *row = (const uint8_t *)f->out.bo->map + y * f->out.stride;

		for (uint32_t x = 0; x < t->width; x++, rgba += 4, row += t->format->cpp)
			limn_viv_pixel_decode(t->format, row, rgba);
	}
}

/* The sample, of one a pixel, in the low bits of a word; D24S8 has its stencil in the lowest byte. */
static bool read_depth(const struct job_frame *base, uint32_t x, uint32_t y, double *depth, uint32_t *stencil)
{
	const struct vivante_frame *f = (const struct vivante_frame *)base;
	struct viv_tiling tiling = limn_viv_surface_tiling(&f->depth);
	uint32_t word = 0;

	if (!f->depth.cpp || f->depth.tile_status || f->depth.samples > 1)
		return false;
	limn_viv_tiling_load(&tiling, f->depth.bo->map, &word, f->depth.cpp, x, y, 1, 1);
	*depth = f->depth.cpp == 2 ? word / 65535.0 : (word >> 8) / 16777215.0;
	*stencil = f->depth.cpp == 2 ? 0 : word & 255;
	return true;
}

const uint32_t *job_frame_words(const struct job_frame *base, uint32_t *count)
{
	const struct vivante_frame *f = (const struct vivante_frame *)base;

	if (base->ops != &job_vivante_ops)
		return NULL;
	*count = f->stream.num_words;
	return f->stream.words;
}

static void free_frame(struct job_frame *base)
{
	struct vivante_frame *f = (struct vivante_frame *)base;

	if (f->submitted)
		limn_fence_free(&f->fence);
	limn_viv_stream_free(&f->stream);
	limn_viv_surface_destroy(&f->color);
	limn_viv_surface_destroy(&f->depth);
	limn_viv_surface_destroy(&f->out);
}

const struct job_frame_ops job_vivante_ops = {
	.size = sizeof(struct vivante_frame),
	.build = build,
	.submit = submit,
	.wait = wait,
	.read = read_frame,
	.find_command = find_command,
	.is_in = is_in,
	.read_depth = read_depth,
	.free = free_frame,
};
