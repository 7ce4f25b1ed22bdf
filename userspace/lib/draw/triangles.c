// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "lib/draw/triangles.h"
#include "lib/utgard/utgard.h"
#include "lib/vivante/vivante.h"

#define TEMPS		16
#define MAX_CONSTANTS	64

/* What a call makes, and gives back at its end. */
struct drawing {
	struct limn_device *dev;
	const struct limn_triangles *t;
	struct limn_error *err;
	uint32_t *vs, *fs;
	uint32_t vs_bytes, fs_bytes;
	struct limn_bo *attributes[LIMN_TRIANGLES_ATTRIBUTES], *vs_bo, *fs_bo;
};

static int assemble(struct drawing *d, const char *set, const char *name, const char *text, uint32_t **words, uint32_t *bytes)
{
	struct isa_messages messages = { .list = NULL };
	size_t count = 0;
	int ret = limn_isa_asm(limn_isa_find(set), text, strlen(text), words, &count, &messages);

	*bytes = (uint32_t)(count * sizeof(**words));
	if (ret)
		limn_fail(d->err, ret, "%s shader, line %u: %s", name, messages.count ? messages.list->line : 0,
			  messages.count ? messages.list->text : "out of memory");
	limn_isa_messages_free(&messages);
	return ret;
}

static int upload(struct drawing *d, const void *data, uint32_t bytes, struct limn_bo **bo)
{
	int ret = limn_bo_create(d->dev, bytes, 0, bo, d->err);

	if (!ret)
		memcpy((*bo)->map, data, bytes);
	return ret;
}

static int prepare(struct drawing *d)
{
	const struct limn_triangles *t = d->t;
	bool utgard = limn_get_info(d->dev)->family == LIMN_UTGARD;
	int ret = 0;

	if (t->size < sizeof(*t) || !t->num_attributes || t->num_attributes > LIMN_TRIANGLES_ATTRIBUTES ||
	    !t->num_vertices || t->num_vertices % 3 || t->num_vertices > 65535 || t->num_constants > MAX_CONSTANTS ||
	    !t->width || !t->height || t->width > UTGARD_MAX_SIZE || t->height > UTGARD_MAX_SIZE)
		return limn_fail(d->err, -EINVAL, "no triangles, or more than these: a size, a number of attributes or constants");
	for (uint32_t i = 0; i < t->num_attributes && !ret; i++)
		ret = upload(d, t->attributes[i], t->num_vertices * 16, &d->attributes[i]);
	if (!ret)
		ret = assemble(d, utgard ? "utgard-gp" : "vivante", "vertex", t->vertex_shader, &d->vs, &d->vs_bytes);
	if (!ret)
		ret = assemble(d, utgard ? "utgard-pp" : "vivante", "fragment", t->fragment_shader, &d->fs, &d->fs_bytes);
	return ret;
}

/* --- Utgard ------------------------------------------------------------------------------------- */

static void to_viewport(const struct limn_triangles *t, float (*positions)[4])
{
	for (uint32_t i = 0; i < t->num_vertices; i++) {
		float *p = positions[i], w = p[3];

		p[0] = (p[0] / w + 1) / 2 * (float)t->width;
		p[1] = (1 - p[1] / w) / 2 * (float)t->height;
		p[2] = (p[2] / w + 1) / 2;
		p[3] = 1 / w;
	}
}

/* The last instruction of the vertex shader that loads an attribute. */
static int find_prefetch(struct drawing *d, uint32_t *prefetch)
{
	struct isa_use *uses;
	size_t n;

	if (limn_isa_uses(limn_isa_find("utgard-gp"), d->vs, d->vs_bytes / 4, &uses, &n))
		return limn_fail(d->err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		if (uses[i].kind == ISA_ATTRIBUTE && uses[i].at / 4 > *prefetch)
			*prefetch = (uint32_t)uses[i].at / 4;
	}
	free(uses);
	return 0;
}

static int draw_utgard(struct drawing *d, uint8_t *rgba)
{
	const struct limn_triangles *t = d->t;
	const struct utgard_target target = {
		.width = t->width, .height = t->height, .pixel = limn_utgard_pixel_find("rgba8888"), .samples = 1,
		.clear_color = { t->clear[0], t->clear[1], t->clear[2], t->clear[3] }, .clear_depth = 0xffffff,
	};
	struct utgard_draw draw = {
		.mode = GP_MODE_TRIANGLES, .count = t->num_vertices, .num_attributes = t->num_attributes,
		.num_outputs = t->num_attributes, .vs = d->vs, .vs_bytes = d->vs_bytes, .fs = d->fs, .fs_bytes = d->fs_bytes,
		.num_fs_uniforms = t->num_constants * 4,
	};
	uint16_t constants[MAX_CONSTANTS * 4];
	struct utgard_frame *frame;
	const uint8_t *pixels;
	uint32_t stride;
	int ret = find_prefetch(d, &draw.vs_prefetch);

	if (ret)
		return ret;
	to_viewport(t, d->attributes[0]->map);
	for (uint32_t i = 0; i < t->num_attributes; i++) {
		draw.attributes[i].bo = d->attributes[i];
		draw.attributes[i].format = GP_STREAM(16, GP_TYPE_F32, 4);
		draw.outputs[i] = (struct utgard_output){ i ? UTGARD_VARYING : UTGARD_POSITION, 4, false };
	}
	for (uint32_t i = 0; i < t->num_constants * 4; i++)
		constants[i] = limn_utgard_half(t->constants[i / 4][i % 4]);
	draw.fs_uniforms = constants;
	limn_utgard_state_init(&draw.state, t->width, t->height);
	ret = limn_utgard_frame_create(d->dev, &target, &frame, d->err);
	if (ret)
		return ret;
	ret = limn_utgard_draw(frame, &draw, d->err);
	if (!ret)
		ret = limn_utgard_frame_end(frame, d->err);
	limn_utgard_frame_how(frame, t->how);
	if (!ret)
		ret = limn_utgard_frame_submit(frame, d->err);
	if (!ret)
		ret = limn_utgard_frame_wait(frame, -1, d->err);
	pixels = limn_utgard_frame_pixels(frame, &stride);
	for (uint32_t y = 0; y < t->height && !ret; y++)
		memcpy(rgba + y * t->width * 4, pixels + y * stride, t->width * 4);
	limn_utgard_frame_free(frame);
	return ret;
}

/* --- Vivante ------------------------------------------------------------------------------------ */

static void set_call(const struct drawing *d, struct viv_call *call)
{
	const struct limn_triangles *t = d->t;

	call->vs = (struct viv_shader){ .words = d->vs, .instructions = d->vs_bytes / 16, .temps = TEMPS, .bo = d->vs_bo };
	call->ps = (struct viv_shader){
		.words = d->fs, .instructions = d->fs_bytes / 16, .temps = TEMPS, .bo = d->fs_bo,
		.uniforms = (const uint32_t *)t->constants, .num_uniforms = t->num_constants,
	};
	call->num_attributes = t->num_attributes;
	call->num_varyings = t->num_attributes - 1;
	for (uint32_t i = 0; i < t->num_attributes; i++) {
		call->attributes[i] = (struct viv_attribute){
			.bo = d->attributes[i], .stride = 16, .type = FE_DATA_TYPE_FLOAT, .components = 4, .bytes = 16, .reg = i,
		};
		if (i)
			call->varyings[i - 1] = (struct viv_varying){ .kind = VIV_VARYING_GENERIC, .components = 4, .reg = i };
	}
	call->primitive = PRIMITIVE_TYPE_TRIANGLES;
	call->count = t->num_vertices;
	call->size_reg = -1;
	call->color_reg = 1;
}

static int submit_and_wait(struct drawing *d, const struct viv_specs *specs, struct viv_stream *s)
{
	struct limn_submit submit = {
		.size = sizeof(submit), .pipe = LIMN_PIPE_3D, .core = specs->core, .how = d->t->how, .words = s->words,
		.num_words = s->num_words, .relocs = s->relocs, .num_relocs = s->num_relocs, .uses = s->uses, .num_uses = s->num_uses,
	};
	struct limn_fence fence;
	int ret = limn_submit(d->dev, &submit, &fence, d->err);

	if (ret)
		return ret;
	ret = limn_wait(&fence, -1, d->err);
	limn_fence_free(&fence);
	return ret;
}

static int draw_vivante(struct drawing *d, uint8_t *rgba)
{
	const struct limn_triangles *t = d->t;
	float w = (float)t->width / 2, h = (float)t->height / 2;
	const struct viv_state state = {
		.scale = { w, -h, 1 }, .offset = { w, h, 0 }, .clip = { 0, 0, t->width, t->height }, .line_width = 1,
		.pa_config = VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID),
		.pa_system_mode = VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER,
		.color_mask = 0xf, .sample_mask = 1,
	};
	struct viv_surface color = {
		.width = t->width, .height = t->height, .samples = 1, .cpp = 4, .bits = VIV_TILE, .format = PE_FORMAT_A8R8G8B8,
	}, rows = color;
	const uint32_t clear = (uint32_t)t->clear[3] << 24 | t->clear[0] << 16 | t->clear[1] << 8 | t->clear[2];
	struct viv_call call = { .color = &color, .state = &state };
	struct viv_stream stream = { .words = NULL };
	struct viv_specs specs;
	int ret = 0;

	if (!limn_viv_specs_find(&specs, limn_get_info(d->dev), true))
		return limn_fail(d->err, -ENOTSUP, "no 3D pipe");
	color.bits |= specs.pixel_pipes > 1 && !specs.single_buffer ? VIV_MULTI : 0;
	rows.bits = 0;
	/* From GC7000 on shaders are in memory. */
	if (specs.halti >= 5)
		ret = upload(d, d->vs, d->vs_bytes, &d->vs_bo);
	if (specs.halti >= 5 && !ret)
		ret = upload(d, d->fs, d->fs_bytes, &d->fs_bo);
	set_call(d, &call);
	if (!ret && limn_viv_call_check(&call, &specs))
		ret = limn_fail(d->err, -EINVAL, "%s", limn_viv_call_check(&call, &specs));
	if (!ret)
		ret = limn_viv_surface_create(&color, &specs, d->dev, d->err);
	if (!ret)
		ret = limn_viv_surface_create(&rows, &specs, d->dev, d->err);
	if (!ret)
		ret = limn_viv_stream_init(&stream, d->err);
	if (!ret) {
		limn_viv_begin_3d(&stream, &specs);
		limn_viv_clear(&stream, &specs, &color, (const uint32_t[]){ clear, clear });
		limn_viv_call_emit(&stream, &specs, &call);
		limn_viv_resolve(&stream, &specs, &color, &rows);
		ret = limn_viv_stream_end(&stream) ? submit_and_wait(d, &specs, &stream) : limn_fail(d->err, -ENOMEM, "out of memory");
	}
	for (uint32_t i = 0; i < t->width * t->height && !ret; i++) {
		const uint8_t *bgra = (uint8_t *)rows.bo->map + i / t->width * rows.stride + i % t->width * 4;

		memcpy(rgba + 4 * i, (uint8_t[]){ bgra[2], bgra[1], bgra[0], bgra[3] }, 4);
	}
	limn_viv_stream_free(&stream);
	limn_viv_surface_destroy(&color);
	limn_viv_surface_destroy(&rows);
	return ret;
}

int limn_draw_triangles(struct limn_device *dev, const struct limn_triangles *t, uint8_t *rgba, struct limn_error *err)
{
	struct drawing d = { .dev = dev, .t = t, .err = err };
	int ret = prepare(&d);

	if (!ret)
		ret = limn_get_info(dev)->family == LIMN_UTGARD ? draw_utgard(&d, rgba) : draw_vivante(&d, rgba);
	for (uint32_t i = 0; i < LIMN_TRIANGLES_ATTRIBUTES; i++)
		limn_bo_free(d.attributes[i]);
	limn_bo_free(d.vs_bo);
	limn_bo_free(d.fs_bo);
	free(d.vs);
	free(d.fs);
	return ret;
}
