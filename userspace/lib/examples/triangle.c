// SPDX-License-Identifier: MIT
/* A triangle on whatever GPU is there, as triangle.ppm: cc triangle.c $(pkg-config --cflags --libs liblimn) */
#include <isa/isa.h>
#include <lib/utgard/utgard.h>
#include <lib/vivante/vivante.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 128

/* Utgard: pixels, depth and 1/w; Vivante: clip space, y upwards. The same triangle. */
static const float pixels[] = { 16, 112, 0, 1, 112, 112, 0, 1, 64, 16, 0, 1 };
static const float clip[] = { -0.75, -0.75, 0, 1, 0.75, -0.75, 0, 1, 0, 0.75, 0, 1 };

static struct limn_bo *upload(struct limn_device *dev, const void *data, size_t bytes, struct limn_error *err)
{
	struct limn_bo *bo;

	if (limn_bo_create(dev, bytes, 0, &bo, err))
		return NULL;
	return memcpy(bo->map, data, bytes), bo;
}

static size_t assemble(const char *set, const char *text, uint32_t **words)
{
	struct isa_messages messages = { 0 };
	size_t count = 0;

	limn_isa_asm(limn_isa_find(set), text, strlen(text), words, &count, &messages);
	return limn_isa_messages_free(&messages), count * 4;
}

/* rgb: SIZE x SIZE x 3 bytes. 0; -1 with a line in err. */
static int draw_utgard(struct limn_device *dev, const struct limn_how *how, uint8_t *rgb, struct limn_error *err)
{
	struct utgard_target target = { SIZE, SIZE, limn_utgard_pixel_find("rgba8888"), 1, { 40, 40, 40, 255 }, 0xffffff, 0, 0, 0, 0, 0 };
	const uint16_t red[] = { limn_utgard_half(1), limn_utgard_half(0.3), 0, limn_utgard_half(1) };
	struct utgard_draw draw = { .mode = GP_MODE_TRIANGLES, .count = 3, .num_attributes = 1, .num_outputs = 1,
				    .outputs = { { UTGARD_POSITION, 4, false } }, .fs_uniforms = red, .num_fs_uniforms = 4 };
	struct utgard_frame *frame;
	uint32_t *vs, *fs, stride;

	draw.vs_bytes = assemble("utgard-gp", "mov.a0 ^_/v0.x a0.x\nmov.a1 ^_/v0.y a0.y\nmov.m0 ^_/v0.z a0.z\nmov.m1 ^_/v0.w a0.w\n", &vs);
	draw.fs_bytes = assemble("utgard-pp", "load.u 0, mov.v1 $0 ^uniform, stop\n", &fs);
	draw.vs = vs, draw.fs = fs;
	limn_utgard_state_init(&draw.state, SIZE, SIZE);
	draw.attributes[0].bo = upload(dev, pixels, sizeof(pixels), err);
	draw.attributes[0].format = GP_STREAM(16, GP_TYPE_F32, 4);
	if (!draw.attributes[0].bo || limn_utgard_frame_create(dev, &target, &frame, err) || limn_utgard_draw(frame, &draw, err) ||
	    limn_utgard_frame_end(frame, err) || (limn_utgard_frame_how(frame, how), limn_utgard_frame_submit(frame, err)) ||
	    limn_utgard_frame_wait(frame, -1, err))
		return -1;
	for (int i = 0; i < SIZE * SIZE; i++)
		memcpy(rgb + 3 * i, limn_utgard_frame_pixels(frame, &stride) + i / SIZE * stride + i % SIZE * 4, 3);
	limn_utgard_frame_free(frame);
	limn_bo_free((struct limn_bo *)draw.attributes[0].bo);
	return free(vs), free(fs), 0;
}

static int draw_vivante(struct limn_device *dev, const struct limn_how *how, uint8_t *rgb, struct limn_error *err)
{
	struct viv_state state = { .scale = { SIZE / 2, -SIZE / 2, 1 }, .offset = { SIZE / 2, SIZE / 2, 0 }, .clip = { 0, 0, SIZE, SIZE },
				   .pa_config = VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID), .line_width = 1,
				   .pa_system_mode = VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER,
				   .color_mask = 0xf, .sample_mask = 1 };
	struct viv_surface color = { .width = SIZE, .height = SIZE, .samples = 1, .cpp = 4, .bits = VIV_TILE, .format = PE_FORMAT_A8R8G8B8 };
	const float red[] = { 1, 0.3, 0, 1 };
	struct viv_call call = { .color = &color, .state = &state, .num_attributes = 1, .size_reg = -1, .color_reg = 1,
				 .primitive = PRIMITIVE_TYPE_TRIANGLES, .count = 3 };
	struct viv_surface rows = color;
	struct viv_stream stream;
	struct viv_specs specs;
	struct limn_fence fence;
	uint32_t *vs, *ps;

	if (!limn_viv_specs_find(&specs, limn_get_info(dev), true) || limn_viv_stream_init(&stream, err))
		return limn_fail(err, -1, "no 3D pipe");
	color.bits |= specs.pixel_pipes > 1 && !specs.single_buffer ? VIV_MULTI : 0;
	rows.bits = 0;
	call.vs = (struct viv_shader){ .instructions = assemble("vivante", "mov t0, void, void, t0\n", &vs) / 16, .temps = 1 };
	call.ps = (struct viv_shader){ .instructions = assemble("vivante", "mov t1, void, void, u0\n", &ps) / 16, .temps = 2,
				       .uniforms = (const uint32_t *)red, .num_uniforms = 1 };
	call.vs.words = vs, call.ps.words = ps;
	call.vs.bo = specs.halti < 5 ? NULL : upload(dev, vs, call.vs.instructions * 16, err);
	call.ps.bo = specs.halti < 5 ? NULL : upload(dev, ps, call.ps.instructions * 16, err);
	call.attributes[0] = (struct viv_attribute){ upload(dev, clip, sizeof(clip), err), 0, 16, FE_DATA_TYPE_FLOAT, 4, 16, 0, 0, 0 };
	if (!call.attributes[0].bo || limn_viv_surface_create(&color, &specs, dev, err) || limn_viv_surface_create(&rows, &specs, dev, err))
		return -1;
	limn_viv_begin_3d(&stream, &specs);
	limn_viv_clear(&stream, &specs, &color, (uint32_t[]){ 0xff282828, 0xff282828 });
	limn_viv_call_emit(&stream, &specs, &call);
	limn_viv_resolve(&stream, &specs, &color, &rows);
	if (!limn_viv_stream_end(&stream) ||
	    limn_submit(dev, &(struct limn_submit){ .size = sizeof(struct limn_submit), .pipe = LIMN_PIPE_3D, .core = specs.core, .how = how,
			.words = stream.words, .num_words = stream.num_words, .relocs = stream.relocs, .num_relocs = stream.num_relocs,
			.uses = stream.uses, .num_uses = stream.num_uses }, &fence, err) || limn_wait(&fence, -1, err))
		return -1;
	for (int i = 0; i < SIZE * SIZE * 3; i++)
		rgb[i] = ((uint8_t *)rows.bo->map)[i / 3 / SIZE * rows.stride + i / 3 % SIZE * 4 + 2 - i % 3];
	limn_fence_free(&fence);
	limn_viv_stream_free(&stream);
	limn_viv_surface_destroy(&color);
	limn_viv_surface_destroy(&rows);
	limn_bo_free((struct limn_bo *)call.vs.bo);
	limn_bo_free((struct limn_bo *)call.ps.bo);
	limn_bo_free((struct limn_bo *)call.attributes[0].bo);
	return free(vs), free(ps), 0;
}

int main(int argc, char **argv)
{
	static uint8_t rgb[SIZE * SIZE * 3];
	struct limn_device *dev;
	struct limn_error err;
	FILE *f;

	if (limn_open_any(argc > 1 ? argv[1] : NULL, &dev, &err) ||
	    (limn_get_info(dev)->family == LIMN_UTGARD ? draw_utgard : draw_vivante)(dev, NULL, rgb, &err))
		return fprintf(stderr, "%s\n", err.text), 1;
	f = fopen("triangle.ppm", "w");
	fprintf(f, "P6\n%d %d\n255\n", SIZE, SIZE);
	fwrite(rgb, sizeof(rgb), 1, f);
	return limn_close(dev), fclose(f);
}
