// SPDX-License-Identifier: MIT
/*
 * Surfaces, fast clear, resolves: RS, and BLT on the cores that have it instead.
 * Facts: Mesa etnaviv_resource.c, etnaviv_rs.c, etnaviv_blt.c, etnaviv_surface.c.
 */
#include <errno.h>
#include <string.h>

#include "lib/vivante/vivante.h"

static const struct viv_pixel pixels[] = {
	{ "bgra8888", PE_FORMAT_A8R8G8B8, DE_FORMAT_A8R8G8B8, 4, { 8, 8, 8, 8 } },
	{ "rgb565", PE_FORMAT_R5G6B5, DE_FORMAT_R5G6B5, 2, { 5, 6, 5, 0 } },
	{ "rgba4444", PE_FORMAT_A4R4G4B4, DE_FORMAT_A4R4G4B4, 2, { 4, 4, 4, 4 } },
	{ "rgba5551", PE_FORMAT_A1R5G5B5, DE_FORMAT_A1R5G5B5, 2, { 5, 5, 5, 1 } },
	{ NULL, PE_FORMAT_X8R8G8B8, DE_FORMAT_X8R8G8B8, 4, { 8, 8, 8, 0 } },
	{ NULL, PE_FORMAT_X4R4G4B4, DE_FORMAT_X4R4G4B4, 2, { 4, 4, 4, 0 } },
	{ NULL, PE_FORMAT_X1R5G5B5, DE_FORMAT_X1R5G5B5, 2, { 5, 5, 5, 0 } },
};

#define NUM_PIXELS	(sizeof(pixels) / sizeof(pixels[0]))

static const int pixel_order[4] = { 2, 1, 0, 3 };

const struct viv_pixel *limn_viv_pixel_at(unsigned int index)
{
	return index < NUM_PIXELS && pixels[index].name ? &pixels[index] : NULL;
}

const struct viv_pixel *limn_viv_pixel_find(uint32_t pe)
{
	for (size_t i = 0; i < NUM_PIXELS; i++)
		if (pixels[i].pe == pe)
			return &pixels[i];
	return NULL;
}

uint32_t limn_viv_pixel_encode(const struct viv_pixel *f, const float rgba[4])
{
	uint32_t value = 0, shift = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t max = (1u << f->bits[i]) - 1;

		value |= (uint32_t)(rgba[pixel_order[i]] * max + 0.5f) << shift;
		shift += f->bits[i];
	}
	return value;
}

void limn_viv_pixel_decode(const struct viv_pixel *f, const uint8_t *pixel, uint8_t rgba[4])
{
	uint32_t value = 0;

	memcpy(&value, pixel, f->cpp);
	for (int i = 0; i < 4; i++) {
		uint32_t max = (1u << f->bits[i]) - 1;

		rgba[pixel_order[i]] = max ? ((value & max) * 255 + max / 2) / max : 255;
		value >>= f->bits[i];
	}
}

static uint32_t align(uint32_t value, uint32_t to)
{
	return (value + to - 1) / to * to;
}

static uint32_t scale_x(const struct viv_surface *s)
{
	return s->samples > 1 ? 2 : 1;
}

static uint32_t scale_y(const struct viv_surface *s)
{
	return s->samples > 2 ? 2 : 1;
}

/* Bytes that one tile's status stands for. */
static uint32_t ts_tile_bytes(const struct viv_specs *p, uint32_t samples)
{
	if (p->line_256)
		return 128;	/* TS_MODE_128B */
	return samples > 1 && viv_has(p, chipMinorFeatures4, SMALL_MSAA) ? 256 : 64;
}

static void lay_out(struct viv_surface *s, const struct viv_specs *p)
{
	uint32_t x = 16, y = 4, pipes = s->bits & VIV_MULTI ? p->pixel_pipes : 1;

	if (s->bits & VIV_SUPER) {
		x = y = 64;
	} else if (s->bits & VIV_TILE) {
		x = 16 * scale_x(s);
		y = 4 * scale_y(s);
	} else {
		/* RS of two pipes writes upper and lower half: whole rows of tiles for each. */
		y = 4 * p->pixel_pipes;
	}
	s->padded_width = align(s->width * scale_x(s), x);
	s->padded_height = align(s->height * scale_y(s), y * pipes);
	s->stride = s->padded_width * s->cpp;
	s->tiles = s->padded_height * s->stride / ts_tile_bytes(p, s->samples);
	s->ts_size = 0;
	if (s->tile_status)
		s->ts_size = align((s->tiles * p->ts_bits + 7) / 8, 0x100 * p->pixel_pipes);
}

int limn_viv_surface_create(struct viv_surface *s, const struct viv_specs *specs, struct limn_device *dev,
			    struct limn_error *err)
{
	int ret;

	s->bo = s->ts_bo = NULL;
	s->ts_valid = false;
	lay_out(s, specs);
	ret = limn_bo_create(dev, align(s->padded_height * s->stride, 4096), 0, &s->bo, err);
	if (!ret && s->ts_size)
		ret = limn_bo_create(dev, align(s->ts_size, 4096), 0, &s->ts_bo, err);
	if (ret)
		limn_viv_surface_destroy(s);
	return ret;
}

void limn_viv_surface_destroy(struct viv_surface *s)
{
	limn_bo_free(s->bo);
	limn_bo_free(s->ts_bo);
	s->bo = s->ts_bo = NULL;
}

struct viv_tiling limn_viv_surface_tiling(const struct viv_surface *s)
{
	return (struct viv_tiling){
		.bits = s->bits, .mode = VIV_SUPERTILE_MODE_HZ, .cpp = s->cpp, .stride = s->stride,
		.height = s->padded_height,
	};
}

/* --- Beginning and flush -------------------------------------------------------- */

/* Flush of everything that BLT must see, as Mesa does before and after it. */
#define BLT_FLUSH (VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_SHADER_L1 | \
		   VIVS_GL_FLUSH_CACHE_UNK10 | VIVS_GL_FLUSH_CACHE_UNK11)

static void begin_halti5(struct viv_stream *s)
{
	limn_viv_set(s, VIVS_NTE_DESCRIPTOR_CONTROL, VIVS_NTE_DESCRIPTOR_CONTROL_ENABLE);
	limn_viv_set(s, VIVS_FE_HALTI5_UNK007D8, 2);
	limn_viv_set(s, VIVS_PS_SAMPLER_BASE, 0);
	limn_viv_set(s, VIVS_VS_SAMPLER_BASE, 0x20);
	limn_viv_set(s, VIVS_SH_CONFIG, VIVS_SH_CONFIG_RTNE_ROUNDING);
	limn_viv_set(s, VIVS_NTE_DESCRIPTOR_FLUSH, 0);
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK12 | VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK13);
	limn_viv_set(s, VIVS_VS_ICACHE_INVALIDATE, 0x1f);
}

void limn_viv_begin_3d(struct viv_stream *s, const struct viv_specs *p)
{
	static const uint32_t none[VIVS_NFE_GENERIC_ATTRIB_CONFIG0__LEN];

	limn_viv_set(s, VIVS_GL_API_MODE, VIVS_GL_API_MODE_OPENGL);
	limn_viv_set(s, VIVS_PA_W_CLIP_LIMIT, 0x34000001);
	limn_viv_set(s, VIVS_PA_FLAGS, 0);
	limn_viv_set(s, VIVS_PA_VIEWPORT_UNK00A80, 0x38a01404);
	limn_viv_set_float(s, VIVS_PA_VIEWPORT_UNK00A84, 8192);
	limn_viv_set(s, VIVS_PA_ZFARCLIPPING, 0);
	limn_viv_set(s, VIVS_RA_HDEPTH_CONTROL, VIV_SET(VIVS_RA_HDEPTH_CONTROL_COMPARE, COMPARE_FUNC_ALWAYS));
	limn_viv_set(s, VIVS_PS_CONTROL_EXT, 0);
	if (p->halti >= 1)
		limn_viv_set(s, VIVS_VS_HALTI1_UNK00884, 0x808);
	if (p->halti >= 2)
		limn_viv_set(s, VIVS_RA_UNK00E0C, 0);
	if (p->halti >= 3)
		limn_viv_set(s, VIVS_PS_HALTI3_UNK0103C, 0x76543210);
	if (p->halti >= 4) {
		/* Each group of the word by itself: nothing masked, all off. */
		limn_viv_set(s, VIVS_PS_MSAA_CONFIG, 0x6fffffff & 0xf70fffff & 0xfff6ffff & 0xffff6fff & 0xfffff6ff & 0xffffff7f);
		limn_viv_set(s, VIVS_PE_HALTI4_UNK014C0, 0);
	}
	if (viv_has(p, chipMinorFeatures4, BUG_FIXES18))
		limn_viv_set(s, VIVS_GL_BUG_FIXES, 6);
	if (!p->blt)
		limn_viv_set(s, VIVS_RS_SINGLE_BUFFER, p->single_buffer ? VIVS_RS_SINGLE_BUFFER_ENABLE : 0);
	if (p->halti >= 5)
		begin_halti5(s);
	/* Some cores leave reset with vertex elements on. */
	if (p->halti >= 5)
		limn_viv_set_many(s, VIVS_NFE_GENERIC_ATTRIB_CONFIG0, VIVS_NFE_GENERIC_ATTRIB_CONFIG0__LEN, none);
	else
		limn_viv_set_many(s, VIVS_FE_VERTEX_ELEMENT_CONFIG, p->halti >= 0 ? 16 : 12, none);
}

void limn_viv_flush(struct viv_stream *s, const struct viv_specs *p)
{
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
	limn_viv_set(s, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
}

/* --- RS --------------------------------------------------------------------------- */

struct rs_side {
	const struct limn_bo *bo;
	uint32_t bits, stride, half;	/* half: offset of the second pipe's part */
};

struct rs_job {
	struct rs_side src, dst;	/* src.bo NULL: a fill */
	uint32_t format;
	bool downsample_x, downsample_y;
	uint32_t width, height;
	uint32_t clear_value;
};

static uint32_t rs_stride(const struct viv_specs *p, const struct rs_side *side)
{
	uint32_t stride = side->bits & VIV_TILE ? side->stride * 4 : side->stride;

	return VIV_SET(VIVS_RS_SOURCE_STRIDE_STRIDE, stride) |
	       (side->bits & VIV_SUPER ? VIVS_RS_SOURCE_STRIDE_TILING : 0) |
	       (side->bits & VIV_MULTI ? VIVS_RS_SOURCE_STRIDE_MULTI : 0) |
	       (side->bits & VIV_SUPER && p->line_256 ? VIVS_RS_SOURCE_STRIDE_SUPER_TILED_NEW : 0);
}

static void rs_addresses(struct viv_stream *s, const struct viv_specs *p, const struct rs_job *job)
{
	uint32_t height = job->height, split = 0;
	bool src_multi = job->src.bits & VIV_MULTI, dst_multi = job->dst.bits & VIV_MULTI;

	if (p->pixel_pipes < 2 && !viv_has(p, chipMinorFeatures7, RS_NEW_BASEADDR)) {
		if (job->src.bo)
			limn_viv_set_bo(s, VIVS_RS_SOURCE_ADDR, job->src.bo, 0, LIMN_READ);
		limn_viv_set_bo(s, VIVS_RS_DEST_ADDR, job->dst.bo, 0, LIMN_WRITE);
		limn_viv_set(s, VIVS_RS_WINDOW_SIZE, VIV_SET(VIVS_RS_WINDOW_SIZE_WIDTH, job->width) |
						VIV_SET(VIVS_RS_WINDOW_SIZE_HEIGHT, height));
		return;
	}
	/* Both pipes work, each on half of the height, where that comes out even. */
	if (!p->single_buffer && p->pixel_pipes == 2 && !(height & (job->downsample_y ? 15 : 7)))
		split = height /= 2;
	if (job->src.bo) {
		limn_viv_set_bo(s, VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, 0), job->src.bo, 0, LIMN_READ);
		if (src_multi)
			limn_viv_set_bo(s, VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, 1), job->src.bo, job->src.half, LIMN_READ);
	}
	limn_viv_set_bo(s, VIV_AT(VIVS_RS_PIPE_DEST_ADDR, 0), job->dst.bo, 0, LIMN_WRITE);
	if (dst_multi)
		limn_viv_set_bo(s, VIV_AT(VIVS_RS_PIPE_DEST_ADDR, 1), job->dst.bo, job->dst.half, LIMN_WRITE);
	limn_viv_set(s, VIV_AT(VIVS_RS_PIPE_OFFSET, 0), 0);
	limn_viv_set(s, VIV_AT(VIVS_RS_PIPE_OFFSET, 1), VIV_SET(VIVS_RS_PIPE_OFFSET_Y, split));
	limn_viv_set(s, VIVS_RS_WINDOW_SIZE, VIV_SET(VIVS_RS_WINDOW_SIZE_WIDTH, job->width) |
					VIV_SET(VIVS_RS_WINDOW_SIZE_HEIGHT, height));
}

static void rs_run(struct viv_stream *s, const struct viv_specs *p, const struct rs_job *job)
{
	uint32_t stride = job->src.bo ? rs_stride(p, &job->src) : 0;

	if (job->src.bo && !p->line_256 && (job->downsample_x || job->downsample_y) &&
	    viv_has(p, chipMinorFeatures4, SMALL_MSAA))
		stride |= VIV_SET(VIVS_RS_SOURCE_STRIDE_TS_MODE, TS_MODE_256B);
	limn_viv_set(s, VIVS_RS_CONFIG, VIV_SET(VIVS_RS_CONFIG_SOURCE_FORMAT, job->format) |
				   VIV_SET(VIVS_RS_CONFIG_DEST_FORMAT, job->format) |
				   (job->downsample_x ? VIVS_RS_CONFIG_DOWNSAMPLE_X : 0) |
				   (job->downsample_y ? VIVS_RS_CONFIG_DOWNSAMPLE_Y : 0) |
				   (job->src.bits & VIV_TILE ? VIVS_RS_CONFIG_SOURCE_TILED : 0) |
				   (job->dst.bits & VIV_TILE ? VIVS_RS_CONFIG_DEST_TILED : 0));
	limn_viv_set(s, VIVS_RS_SOURCE_STRIDE, stride);
	limn_viv_set(s, VIVS_RS_DEST_STRIDE, rs_stride(p, &job->dst));
	rs_addresses(s, p, job);
	limn_viv_set(s, VIV_AT(VIVS_RS_DITHER, 0), 0xffffffff);
	limn_viv_set(s, VIV_AT(VIVS_RS_DITHER, 1), 0xffffffff);
	limn_viv_set(s, VIVS_RS_CLEAR_CONTROL, job->src.bo ? 0 :
		     VIV_SET(VIVS_RS_CLEAR_CONTROL_BITS, 0xffff) |
		     VIV_SET(VIVS_RS_CLEAR_CONTROL_MODE, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1));
	for (int i = 0; i < 4; i++)
		limn_viv_set(s, VIV_AT(VIVS_RS_FILL_VALUE, i), job->clear_value);
	limn_viv_set(s, VIVS_RS_EXTRA_CONFIG, 0);
	limn_viv_set(s, VIVS_RS_KICKER, 0xbeebbeeb);
}

static uint32_t rs_format(const struct viv_surface *s)
{
	return s->cpp == 2 ? s->format == PE_FORMAT_R5G6B5 && s->samples > 1 ? RS_FORMAT_R5G6B5 : RS_FORMAT_A4R4G4B4 :
	       RS_FORMAT_A8R8G8B8;
}

static struct rs_side rs_side(const struct viv_surface *s)
{
	return (struct rs_side){ s->bo, s->bits, s->stride, s->stride * (s->padded_height / 2) };
}

static void rs_clear(struct viv_stream *s, const struct viv_specs *p, struct viv_surface *surface)
{
	struct rs_job job = { .format = rs_format(surface), .clear_value = surface->clear_value[0] };

	if (surface->ts_size) {
		/* Tile status is memory to fill: rows of 64 bytes, tiled so that any size goes. */
		job.dst = (struct rs_side){ surface->ts_bo, VIV_TILE, 0x40, 0 };
		job.format = RS_FORMAT_A8R8G8B8;
		job.width = 16;
		job.height = align(surface->ts_size / 0x40, 4);
		job.clear_value = p->ts_clear;
	} else {
		job.dst = rs_side(surface);
		job.width = surface->padded_width;
		job.height = surface->padded_height;
	}
	rs_run(s, p, &job);
	limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
}

static void rs_resolve(struct viv_stream *s, const struct viv_specs *p, const struct viv_surface *src,
		       const struct viv_surface *dst)
{
	struct rs_job job = {
		.src = rs_side(src),
		.dst = rs_side(dst),
		.format = rs_format(src),
		.downsample_x = scale_x(src) > scale_x(dst),
		.downsample_y = scale_y(src) > scale_y(dst),
		/* In samples of the source, 16 by 4 pixels at least; all that is padding in both. */
		.width = align(src->width, 16) * scale_x(src),
		.height = align(src->height, 4 * p->pixel_pipes) * scale_y(src),
	};

	if (job.height > src->padded_height)
		job.height = src->padded_height;
	if (src->ts_valid) {
		limn_viv_set(s, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
		limn_viv_set_bo(s, VIVS_TS_COLOR_STATUS_BASE, src->ts_bo, 0, LIMN_READ);
		limn_viv_set_bo(s, VIVS_TS_COLOR_SURFACE_BASE, src->bo, 0, LIMN_READ);
		limn_viv_set(s, VIVS_TS_COLOR_CLEAR_VALUE, src->clear_value[0]);
		limn_viv_set(s, VIVS_TS_COLOR_CLEAR_VALUE_EXT, src->clear_value[1]);
	} else {
		limn_viv_set(s, VIVS_TS_MEM_CONFIG, 0);
	}
	rs_run(s, p, &job);
	/* What follows may read what RS wrote. */
	limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}

/* --- BLT -------------------------------------------------------------------------- */

static uint32_t blt_stride(const struct viv_surface *s, bool sized)
{
	uint32_t format = s->cpp == 2 ? BLT_FORMAT_R8G8 : s->cpp == 4 ? BLT_FORMAT_A8R8G8B8 : BLT_FORMAT_A16R16G16B16;

	return VIV_SET(VIVS_BLT_DEST_STRIDE_TILING, s->bits ? BLT_TILING_SUPER_TILED : BLT_TILING_LINEAR) |
	       VIV_SET(VIVS_BLT_DEST_STRIDE_FORMAT, sized ? format : 0) |
	       VIV_SET(VIVS_BLT_DEST_STRIDE_STRIDE, s->stride);
}

static uint32_t blt_config(const struct viv_surface *s, bool dest, bool ts)
{
	return VIV_SET(BLT_DEST_IMAGE_CONFIG_TS_MODE, TS_MODE_128B) | (ts ? BLT_DEST_IMAGE_CONFIG_TS : 0) |
	       VIV_SET(BLT_DEST_IMAGE_CONFIG_COMPRESSION_FORMAT, COMPRESSION_FORMAT_NONE) |
	       (dest ? BLT_DEST_IMAGE_CONFIG_UNK22 : 0) |
	       VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_R, TEXTURE_SWIZZLE_RED) |
	       VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_G, TEXTURE_SWIZZLE_GREEN) |
	       VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_B, TEXTURE_SWIZZLE_BLUE) |
	       VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_A, TEXTURE_SWIZZLE_ALPHA) |
	       (s->bits & VIV_SUPER ? dest ? BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED :
				      BLT_DEST_IMAGE_CONFIG_FROM_SUPER_TILED : 0);
}

static void blt_kick(struct viv_stream *s, uint32_t command)
{
	limn_viv_set(s, VIVS_BLT_SET_COMMAND, 3);
	limn_viv_set(s, VIVS_BLT_COMMAND, command);
	limn_viv_set(s, VIVS_BLT_SET_COMMAND, 3);
	limn_viv_set(s, VIVS_BLT_ENABLE, 0);
}

static void blt_ts(struct viv_stream *s, const struct viv_surface *surface, bool dest)
{
	if (dest) {
		limn_viv_set_bo(s, VIVS_BLT_DEST_TS, surface->ts_bo, 0, LIMN_READ | LIMN_WRITE);
		limn_viv_set(s, VIVS_BLT_DEST_TS_CLEAR_VALUE0, surface->clear_value[0]);
		limn_viv_set(s, VIVS_BLT_DEST_TS_CLEAR_VALUE1, surface->clear_value[1]);
	}
	limn_viv_set_bo(s, VIVS_BLT_SRC_TS, surface->ts_bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_BLT_SRC_TS_CLEAR_VALUE0, surface->clear_value[0]);
	limn_viv_set(s, VIVS_BLT_SRC_TS_CLEAR_VALUE1, surface->clear_value[1]);
}

static void blt_clear(struct viv_stream *s, struct viv_surface *d)
{
	bool ts = d->ts_size;

	limn_viv_set(s, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	limn_viv_set(s, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, d->cpp - 1));
	limn_viv_set(s, VIVS_BLT_DEST_STRIDE, blt_stride(d, false));
	limn_viv_set(s, VIVS_BLT_DEST_CONFIG, blt_config(d, true, ts));
	limn_viv_set_bo(s, VIVS_BLT_DEST_ADDR, d->bo, 0, LIMN_WRITE);
	limn_viv_set(s, VIVS_BLT_SRC_STRIDE, blt_stride(d, false));
	limn_viv_set(s, VIVS_BLT_SRC_CONFIG, blt_config(d, false, ts));
	limn_viv_set_bo(s, VIVS_BLT_SRC_ADDR, d->bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_BLT_DEST_POS, 0);
	limn_viv_set(s, VIVS_BLT_IMAGE_SIZE, VIV_SET(VIVS_BLT_IMAGE_SIZE_WIDTH, d->width * scale_x(d)) |
					VIV_SET(VIVS_BLT_IMAGE_SIZE_HEIGHT, d->height * scale_y(d)));
	limn_viv_set(s, VIVS_BLT_CLEAR_COLOR0, d->clear_value[0]);
	limn_viv_set(s, VIVS_BLT_CLEAR_COLOR1, d->clear_value[1]);
	limn_viv_set(s, VIVS_BLT_CLEAR_BITS0, 0xffffffff);
	limn_viv_set(s, VIVS_BLT_CLEAR_BITS1, 0xffffffff);
	if (ts)
		blt_ts(s, d, true);
	blt_kick(s, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
	limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_BLT);
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, BLT_FLUSH);
}

static void blt_resolve(struct viv_stream *s, const struct viv_surface *src, const struct viv_surface *dst)
{
	limn_viv_set(s, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	limn_viv_set(s, VIVS_BLT_CONFIG, 0);
	limn_viv_set(s, VIVS_BLT_SRC_STRIDE, blt_stride(src, true) |
		     (scale_x(src) > scale_x(dst) ? VIVS_BLT_SRC_STRIDE_DOWNSAMPLE_X : 0) |
		     (scale_y(src) > scale_y(dst) ? VIVS_BLT_SRC_STRIDE_DOWNSAMPLE_Y : 0));
	limn_viv_set(s, VIVS_BLT_SRC_CONFIG, blt_config(src, false, src->ts_valid));
	limn_viv_set(s, VIVS_BLT_SWIZZLE, 03210 | 03210 << 12);
	limn_viv_set(s, VIVS_BLT_UNK140A0, 0x00040004);
	limn_viv_set(s, VIVS_BLT_UNK1409C, 0x00400040);
	if (src->ts_valid)
		blt_ts(s, src, false);
	limn_viv_set_bo(s, VIVS_BLT_SRC_ADDR, src->bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_BLT_DEST_STRIDE, blt_stride(dst, true));
	limn_viv_set(s, VIVS_BLT_DEST_CONFIG, blt_config(dst, true, false));
	limn_viv_set_bo(s, VIVS_BLT_DEST_ADDR, dst->bo, 0, LIMN_WRITE);
	limn_viv_set(s, VIVS_BLT_SRC_POS, 0);
	limn_viv_set(s, VIVS_BLT_DEST_POS, 0);
	limn_viv_set(s, VIVS_BLT_IMAGE_SIZE, VIV_SET(VIVS_BLT_IMAGE_SIZE_WIDTH, src->width * scale_x(src)) |
					VIV_SET(VIVS_BLT_IMAGE_SIZE_HEIGHT, src->height * scale_y(src)));
	limn_viv_set(s, VIVS_BLT_UNK14058, 0xffffffff);
	limn_viv_set(s, VIVS_BLT_UNK1405C, 0xffffffff);
	blt_kick(s, VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE);
	limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_BLT);
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, BLT_FLUSH);
}

/* --- Either ------------------------------------------------------------------------ */

void limn_viv_clear(struct viv_stream *s, const struct viv_specs *p, struct viv_surface *surface, const uint32_t value[2])
{
	memcpy(surface->clear_value, value, sizeof(surface->clear_value));
	if (p->blt) {
		limn_viv_set(s, VIVS_GL_FLUSH_CACHE, BLT_FLUSH);
		limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
		limn_viv_set(s, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
		blt_clear(s, surface);
	} else {
		limn_viv_flush(s, p);
		rs_clear(s, p, surface);
	}
	surface->ts_valid = surface->ts_size;
}

void limn_viv_resolve(struct viv_stream *s, const struct viv_specs *p, const struct viv_surface *src,
		      const struct viv_surface *dst)
{
	if (p->blt) {
		limn_viv_set(s, VIVS_GL_FLUSH_CACHE, BLT_FLUSH);
		limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
		limn_viv_set(s, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
		blt_resolve(s, src, dst);
	} else {
		limn_viv_flush(s, p);
		rs_resolve(s, p, src, dst);
	}
}
