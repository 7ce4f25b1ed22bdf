// SPDX-License-Identifier: MIT
/* From a Vivante job to its stream on a device, and its picture. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool/vivante/vjob.h"

/* A BO and the data of the job that it holds. */
struct upload {
	const void *of;
	struct limn_bo *bo;
};

struct vjob_frame {
	const struct vjob *job;
	struct limn_device *dev;
	struct viv_specs specs;
	struct viv_stream stream;
	struct viv_surface color, depth, out;
	struct viv_2d_surface images[VJOB_MAX_IMAGES];
	struct upload *uploads;
	uint32_t num_uploads, room_uploads;
};

/* A BO with the bytes; of: whose, so that draws share it (NULL: shared by none). */
static struct limn_bo *upload(struct vjob_frame *f, const void *of, const void *data, uint32_t bytes,
			      struct limn_error *err)
{
	uint32_t room = f->room_uploads * 2 + 16;
	struct upload *uploads;
	struct limn_bo *bo;

	for (uint32_t i = 0; i < f->num_uploads && of; i++)
		if (f->uploads[i].of == of)
			return f->uploads[i].bo;
	if (f->num_uploads == f->room_uploads) {
		uploads = realloc(f->uploads, room * sizeof(*uploads));
		if (!uploads) {
			limn_fail(err, -ENOMEM, "out of memory");
			return NULL;
		}
		f->uploads = uploads;
		f->room_uploads = room;
	}
	if (limn_bo_create(f->dev, (bytes + 4095) & ~4095u, 0, &bo, err))
		return NULL;
	if (data)
		memcpy(bo->map, data, bytes);
	f->uploads[f->num_uploads++] = (struct upload){ of, bo };
	return bo;
}

/* --- Draws -------------------------------------------------------------------------- */

/* The vertex shader numbers its samplers from 0; the core has them behind the fragment shader's. */
static uint32_t *place_samplers(struct vjob_frame *f, const struct vjob_shader *s)
{
	uint32_t *words = malloc(s->instructions * 16);

	if (!words)
		return NULL;
	memcpy(words, s->words, s->instructions * 16);
	for (uint32_t i = 0; i < s->instructions; i++) {
		uint32_t *w = words + 4 * i, opcode = (w[0] & 0x3f) | (w[2] >> 10 & 0x40);

		if ((opcode >= 0x18 && opcode <= 0x1c) || (opcode >= 0x6f && opcode <= 0x70))
			w[0] += f->specs.vs_samplers << 27;
	}
	return words;
}

static int set_shader(struct vjob_frame *f, struct viv_shader *out, const struct vjob_shader *s, uint32_t least_temps,
		      struct limn_error *err)
{
	out->instructions = s->instructions;
	out->temps = s->temps > least_temps ? s->temps : least_temps;
	if (f->specs.halti < 5)
		return 0;
	out->bo = upload(f, s, out->words, s->instructions * 16, err);
	return out->bo ? 0 : -1;
}

/* NULL, or what the core lacks to read it. Facts: Mesa etnaviv_screen.c. */
static const char *texture_lacks(const struct viv_specs *specs, const struct vjob_texture *t)
{
	if (t->t.linear && !viv_has(specs, chipMinorFeatures1, LINEAR_TEXTURE_SUPPORT))
		return "linear";
	if (t->supertiled && !viv_has(specs, chipMinorFeatures2, SUPERTILED_TEXTURE))
		return "supertiled";
	if (t->compression == VJOB_ETC1 && !viv_has(specs, chipFeatures, ETC1_TEXTURE_COMPRESSION))
		return "ETC1";
	if (t->compression == VJOB_DXT && !viv_has(specs, chipFeatures, DXT_TEXTURE_COMPRESSION))
		return "DXT";
	if (t->compression == VJOB_ETC2 && !viv_has(specs, chipMinorFeatures1, HALTI0))
		return "ETC2";
	if (t->t.type == TEXTURE_TYPE_3D && !viv_has(specs, chipMinorFeatures1, HALTI0))
		return "3D";
	return NULL;
}

static int set_textures(struct vjob_frame *f, struct viv_call *call, struct viv_texture *store,
			const struct vjob_draw *d, struct limn_error *err)
{
	for (uint32_t i = 0; i < 2 * VJOB_MAX_TEXTURES; i++) {
		const struct vjob_texture *t = d->textures[i / VJOB_MAX_TEXTURES][i % VJOB_MAX_TEXTURES];
		uint32_t unit = i % VJOB_MAX_TEXTURES + (i >= VJOB_MAX_TEXTURES ? f->specs.vs_samplers : 0);
		struct limn_bo *desc;

		if (!t)
			continue;
		if (unit >= (f->specs.halti >= 1 ? 32 : 12) || call->textures[unit])
			return limn_fail(err, -EINVAL, "line %d: the core has no such texture unit", d->line);
		if (texture_lacks(&f->specs, t))
			return limn_fail(err, -ENOTSUP, "line %d: the core has no %s textures", d->line,
					 texture_lacks(&f->specs, t));
		store[i] = t->t;
		store[i].bo = upload(f, t->data, t->data, t->bytes, err);
		if (!store[i].bo)
			return -1;
		if (f->specs.halti >= 5) {
			desc = upload(f, NULL, NULL, TXDESC_BYTES, err);
			if (!desc)
				return -1;
			viv_texture_describe(&store[i], desc->map);
			store[i].desc = desc;
		}
		call->textures[unit] = &store[i];
	}
	return 0;
}

static int set_vertices(struct vjob_frame *f, struct viv_call *call, const struct vjob_draw *d, struct limn_error *err)
{
	call->num_attributes = d->num_attributes;
	for (uint32_t i = 0; i < d->num_attributes; i++) {
		const struct vjob_attribute *a = d->attributes[i];

		call->attributes[i] = (struct viv_attribute){
			.bo = upload(f, a, a->data, a->stride * a->vertices, err), .stride = a->stride, .type = a->type,
			.components = a->components, .bytes = a->element_bytes, .normalize = a->normalized, .reg = i,
		};
		if (!call->attributes[i].bo)
			return -1;
	}
	if (!d->indices)
		return 0;
	call->indices = upload(f, d->indices, d->indices->data, d->indices->count * d->indices->index_bytes, err);
	call->index_type = d->indices->index_bytes == 1 ? VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR :
			   VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT;
	return call->indices ? 0 : -1;
}

static int add_draw(struct vjob_frame *f, const struct vjob_draw *d, struct limn_error *err)
{
	struct viv_texture textures[2 * VJOB_MAX_TEXTURES];
	struct viv_call call = {
		.color = &f->color, .depth = f->job->depth_cpp ? &f->depth : NULL, .state = &d->state,
		.position = d->position, .size_reg = d->size_reg, .num_varyings = d->num_varyings,
		.color_reg = d->color_reg, .ps_discards = d->ps->discards, .primitive = d->primitive,
		.first = d->first, .count = d->count,
	};
	uint32_t *vs = place_samplers(f, d->vs);
	const char *why;
	int ret;

	if (!vs)
		return limn_fail(err, -ENOMEM, "out of memory");
	memcpy(call.varyings, d->varyings, sizeof(call.varyings));
	call.vs = (struct viv_shader){ .words = vs, .uniforms = d->vs_uniforms, .num_uniforms = d->num_vs_uniforms };
	call.ps = (struct viv_shader){ .words = d->ps->words, .uniforms = d->ps_uniforms,
				       .num_uniforms = d->num_ps_uniforms };
	ret = set_vertices(f, &call, d, err);
	if (!ret)
		ret = set_shader(f, &call.vs, d->vs, d->num_attributes, err);
	if (!ret)
		ret = set_shader(f, &call.ps, d->ps, d->num_varyings + 1, err);
	if (!ret)
		ret = set_textures(f, &call, textures, d, err);
	why = ret ? NULL : viv_call_check(&call, &f->specs);
	if (why)
		ret = limn_fail(err, -ENOTSUP, "line %d: %s", d->line, why);
	if (!ret) {
		call.extra = d->extra;
		call.num_extra = d->num_extra;
		viv_call_emit(&f->stream, &f->specs, &call);
	}
	free(vs);
	return ret;
}

/* --- 3D frames ------------------------------------------------------------------------- */

static void clear_values(const struct vjob *job, uint32_t color[2], uint32_t depth[2])
{
	uint32_t c = vjob_pack(job->format, job->clear_color);

	color[0] = color[1] = job->format->cpp == 2 ? c | c << 16 : c;
	if (job->depth_cpp == 2) {
		c = (uint32_t)(job->clear_depth * 0xffff + 0.5f);
		depth[0] = depth[1] = c | c << 16;
	} else {
		/* Stencil in the low byte. */
		depth[0] = depth[1] = (uint32_t)(job->clear_depth * 0xffffff + 0.5) << 8 | job->clear_stencil;
	}
}

static int create_surfaces(struct vjob_frame *f, struct limn_error *err)
{
	const struct vjob *job = f->job;
	uint32_t bits = job->bits;
	int ret;

	/* Without SINGLE_BUFFER each pixel pipe has a buffer of its own. */
	if (f->specs.pixel_pipes > 1 && !f->specs.single_buffer && bits)
		bits |= VIV_MULTI;
	if (!bits && !viv_has(&f->specs, chipMinorFeatures2, LINEAR_PE))
		return limn_fail(err, -ENOTSUP, "the core cannot draw into a linear target");
	if (bits & VIV_SUPER && !viv_has(&f->specs, chipMinorFeatures0, SUPER_TILED))
		return limn_fail(err, -ENOTSUP, "the core has no supertiled targets");
	if (job->samples > 1 && !viv_has(&f->specs, chipFeatures, MSAA))
		return limn_fail(err, -ENOTSUP, "the core has no multisampling");
	if (job->fast_clear && !viv_has(&f->specs, chipFeatures, FAST_CLEAR))
		return limn_fail(err, -ENOTSUP, "the core has no fast clear");
	f->color = (struct viv_surface){
		.width = job->width, .height = job->height, .samples = job->samples, .cpp = job->format->cpp,
		.bits = bits, .tile_status = job->fast_clear, .format = job->format->pe,
	};
	f->depth = f->color;
	f->depth.cpp = job->depth_cpp;
	f->depth.bits = bits ? bits : VIV_TILE;
	f->depth.format = job->depth_cpp == 2 ? VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16 :
			  VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;
	f->out = (struct viv_surface){
		.width = job->width, .height = job->height, .samples = 1, .cpp = job->format->cpp,
		.format = job->format->pe,
	};
	ret = viv_surface_create(&f->color, &f->specs, f->dev, err);
	if (!ret && job->depth_cpp)
		ret = viv_surface_create(&f->depth, &f->specs, f->dev, err);
	return ret ? ret : viv_surface_create(&f->out, &f->specs, f->dev, err);
}

static int build_3d(struct vjob_frame *f, struct limn_error *err)
{
	uint32_t color[2], depth[2];
	int ret = create_surfaces(f, err);

	if (ret)
		return ret;
	clear_values(f->job, color, depth);
	viv_begin_3d(&f->stream, &f->specs);
	viv_clear(&f->stream, &f->specs, &f->color, color);
	if (f->job->depth_cpp)
		viv_clear(&f->stream, &f->specs, &f->depth, depth);
	for (uint32_t i = 0; i < f->job->num_draws && !ret; i++)
		ret = add_draw(f, &f->job->draws[i], err);
	if (!ret)
		viv_resolve(&f->stream, &f->specs, &f->color, &f->out);
	return ret;
}

/* --- 2D frames ------------------------------------------------------------------------- */

static int upload_images(struct vjob_frame *f, struct limn_error *err)
{
	for (uint32_t i = 0; i < f->job->num_images; i++) {
		const struct vjob_image *m = &f->job->images[i];
		/* Rows at multiples of 16 bytes, bytes b g r a. */
		uint32_t stride = (m->width * 4 + 15) & ~15u;
		struct limn_bo *bo = upload(f, m, NULL, stride * m->height, err);
		uint8_t *out;

		if (!bo)
			return -1;
		for (uint32_t y = 0; y < m->height; y++) {
			out = (uint8_t *)bo->map + y * stride;
			for (uint32_t x = 0; x < m->width; x++, out += 4) {
				const uint8_t *in = m->rgba + 4 * (y * m->width + x);

				out[0] = in[2];
				out[1] = in[1];
				out[2] = in[0];
				out[3] = in[3];
			}
		}
		f->images[i] = (struct viv_2d_surface){
			.bo = bo, .stride = stride, .width = m->width, .height = m->height, .format = DE_FORMAT_A8R8G8B8,
		};
	}
	return 0;
}

static void add_op(struct vjob_frame *f, const struct viv_2d_surface *dst, const struct vjob_op *op)
{
	const struct viv_2d_surface *src = &f->images[op->image];

	switch (op->kind) {
	case VJOB_FILL:
		viv_2d_fill(&f->stream, dst, op->argb, &op->to, 1);
		break;
	case VJOB_COPY:
		viv_2d_copy(&f->stream, src, op->from.x1, op->from.y1, dst, &op->to, op->rop);
		break;
	case VJOB_STRETCH:
		viv_2d_stretch(&f->stream, src, &op->from, dst, &op->to);
		break;
	case VJOB_LINE:
		viv_2d_line(&f->stream, dst, op->argb, &op->to);
		break;
	case VJOB_ROTATE:
		viv_2d_rotate(&f->stream, src, dst, &op->to, op->rotation);
		break;
	}
	/* The next operation may read what this one wrote. */
	viv_2d_flush(&f->stream);
}

static int build_2d(struct vjob_frame *f, struct limn_error *err)
{
	const struct vjob *job = f->job;
	const float *c = job->clear_color;
	struct viv_2d_surface dst;
	struct vjob_op clear = {
		.kind = VJOB_FILL, .to = { 0, 0, job->width, job->height },
		.argb = (uint32_t)(c[3] * 255 + 0.5f) << 24 | (uint32_t)(c[0] * 255 + 0.5f) << 16 |
			(uint32_t)(c[1] * 255 + 0.5f) << 8 | (uint32_t)(c[2] * 255 + 0.5f),
	};
	int ret = upload_images(f, err);

	f->out = (struct viv_surface){
		.width = job->width, .height = job->height, .samples = 1, .cpp = job->format->cpp,
	};
	if (!ret)
		ret = viv_surface_create(&f->out, &f->specs, f->dev, err);
	if (ret)
		return ret;
	dst = (struct viv_2d_surface){
		.bo = f->out.bo, .stride = f->out.stride, .width = job->width, .height = job->height,
		.format = job->format->de,
	};
	add_op(f, &dst, &clear);
	for (uint32_t i = 0; i < job->num_ops; i++)
		add_op(f, &dst, &job->ops[i]);
	return 0;
}

/* --- Either ---------------------------------------------------------------------------- */

int vjob_frame_create(const struct vjob *job, struct limn_device *dev, struct vjob_frame **out, struct limn_error *err)
{
	const struct limn_info *info = limn_get_info(dev);
	struct vjob_frame *f;
	int ret;

	if (info->family != LIMN_VIVANTE)
		return limn_fail(err, -ENOTSUP, "a job for Vivante, but the device is not one");
	f = calloc(1, sizeof(*f));
	if (!f)
		return limn_fail(err, -ENOMEM, "out of memory");
	f->job = job;
	f->dev = dev;
	ret = viv_stream_init(&f->stream, err);
	if (!ret && !viv_specs_find(&f->specs, info, !job->is_2d))
		ret = limn_fail(err, -ENOTSUP, "the GPU has no %s pipe", job->is_2d ? "2D" : "3D");
	if (!ret)
		ret = job->is_2d ? build_2d(f, err) : build_3d(f, err);
	if (!ret && !viv_stream_end(&f->stream))
		ret = limn_fail(err, -ENOMEM, "out of memory");
	if (ret) {
		vjob_frame_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

int vjob_frame_submit(struct vjob_frame *f, struct limn_fence *fence, struct limn_error *err)
{
	const struct limn_submit submit = {
		.pipe = f->job->is_2d ? LIMN_PIPE_2D : LIMN_PIPE_3D, .core = f->specs.core,
		.words = f->stream.words, .num_words = f->stream.num_words,
		.relocs = f->stream.relocs, .num_relocs = f->stream.num_relocs,
		.uses = f->stream.uses, .num_uses = f->stream.num_uses,
	};

	return limn_submit(f->dev, &submit, fence, err);
}

int vjob_frame_run(struct vjob_frame *f, int64_t timeout_ns, struct limn_error *err)
{
	struct limn_fence fence;
	int ret = vjob_frame_submit(f, &fence, err);

	if (ret)
		return ret;
	ret = limn_wait(&fence, timeout_ns, err);
	limn_fence_free(&fence);
	return ret;
}

void vjob_frame_read(const struct vjob_frame *f, uint8_t *rgba)
{
	const struct vjob_format *format = f->job->format;

	for (uint32_t y = 0; y < f->job->height; y++) {
		const uint8_t *row = (const uint8_t *)f->out.bo->map + y * f->out.stride;

		for (uint32_t x = 0; x < f->job->width; x++, rgba += 4, row += format->cpp)
			vjob_unpack(format, row, rgba);
	}
}

const uint32_t *vjob_frame_words(const struct vjob_frame *f, uint32_t *count)
{
	*count = f->stream.num_words;
	return f->stream.words;
}

void vjob_frame_free(struct vjob_frame *f)
{
	if (!f)
		return;
	viv_stream_free(&f->stream);
	viv_surface_destroy(&f->color);
	viv_surface_destroy(&f->depth);
	viv_surface_destroy(&f->out);
	for (uint32_t i = 0; i < f->num_uploads; i++)
		limn_bo_free(f->uploads[i].bo);
	free(f->uploads);
	free(f);
}
