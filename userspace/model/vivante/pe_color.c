// SPDX-License-Identifier: MIT
/*
 * PE: colour formats, blending, logic ops, dithering. Formats: rnndb
 * state_3d.xml (PE_FORMAT; names list the highest bits first). Components are
 * numbered as the shader writes them: 0 is what the format calls R.
 */
#include <math.h>

#include "model/vivante/viv3d.h"

enum kind { K_NONE, K_UNORM, K_FLOAT, K_INT, K_F32, K_SMALL_FLOAT };

/* Where the components are: shift and bits, 0 bits: not there. */
static const struct format {
	uint8_t bytes, kind;
	uint8_t shift[4], bits[4];
} formats[64] = {
	[PE_FORMAT_X4R4G4B4] = { 2, K_UNORM, { 8, 4, 0, 12 }, { 4, 4, 4, 0 } },
	[PE_FORMAT_A4R4G4B4] = { 2, K_UNORM, { 8, 4, 0, 12 }, { 4, 4, 4, 4 } },
	[PE_FORMAT_X1R5G5B5] = { 2, K_UNORM, { 10, 5, 0, 15 }, { 5, 5, 5, 0 } },
	[PE_FORMAT_A1R5G5B5] = { 2, K_UNORM, { 10, 5, 0, 15 }, { 5, 5, 5, 1 } },
	[PE_FORMAT_R5G6B5] = { 2, K_UNORM, { 11, 5, 0, 0 }, { 5, 6, 5, 0 } },
	[PE_FORMAT_X8R8G8B8] = { 4, K_UNORM, { 16, 8, 0, 24 }, { 8, 8, 8, 0 } },
	[PE_FORMAT_A8R8G8B8] = { 4, K_UNORM, { 16, 8, 0, 24 }, { 8, 8, 8, 8 } },
	[PE_FORMAT_A8] = { 1, K_UNORM, { 0, 0, 0, 0 }, { 0, 0, 0, 8 } },
	[PE_FORMAT_R8] = { 1, K_UNORM, { 0, 0, 0, 0 }, { 8, 0, 0, 0 } },
	[PE_FORMAT_G8R8] = { 2, K_UNORM, { 0, 8, 0, 0 }, { 8, 8, 0, 0 } },
	[PE_FORMAT_A2B10G10R10] = { 4, K_UNORM, { 0, 10, 20, 30 }, { 10, 10, 10, 2 } },
	[PE_FORMAT_R16F] = { 2, K_FLOAT, { 0, 0, 0, 0 }, { 16, 0, 0, 0 } },
	[PE_FORMAT_G16R16F] = { 4, K_FLOAT, { 0, 16, 0, 0 }, { 16, 16, 0, 0 } },
	[PE_FORMAT_A16B16G16R16F] = { 8, K_FLOAT, { 0, 16, 32, 48 }, { 16, 16, 16, 16 } },
	[PE_FORMAT_R32F] = { 4, K_F32, { 0, 0, 0, 0 }, { 32, 0, 0, 0 } },
	[PE_FORMAT_G32R32F] = { 8, K_F32, { 0, 32, 0, 0 }, { 32, 32, 0, 0 } },
	[PE_FORMAT_B10G11R11F] = { 4, K_SMALL_FLOAT, { 0, 11, 22, 0 }, { 11, 11, 10, 0 } },
	[PE_FORMAT_R8I] = { 1, K_INT, { 0, 0, 0, 0 }, { 8, 0, 0, 0 } },
	[PE_FORMAT_G8R8I] = { 2, K_INT, { 0, 8, 0, 0 }, { 8, 8, 0, 0 } },
	[PE_FORMAT_A8B8G8R8I] = { 4, K_INT, { 0, 8, 16, 24 }, { 8, 8, 8, 8 } },
	[PE_FORMAT_R16I] = { 2, K_INT, { 0, 0, 0, 0 }, { 16, 0, 0, 0 } },
	[PE_FORMAT_G16R16I] = { 4, K_INT, { 0, 16, 0, 0 }, { 16, 16, 0, 0 } },
	[PE_FORMAT_A16B16G16R16I] = { 8, K_INT, { 0, 16, 32, 48 }, { 16, 16, 16, 16 } },
	[PE_FORMAT_A2B10G10R10UI] = { 4, K_INT, { 0, 10, 20, 30 }, { 10, 10, 10, 2 } },
};

unsigned int v3d_color_bytes(unsigned int format)
{
	return format < 64 ? formats[format].bytes : 0;
}

static float clamp01(float f)
{
	return f > 0 ? f < 1 ? f : 1 : 0;
}

static float from_srgb(float c)
{
	return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float c)
{
	return c <= 0.0031308f ? c * 12.92f : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
}

/* 11 or 10 bits: a half float without sign and with fewer bits of fraction. */
static float small_float(uint32_t v, unsigned int bits)
{
	return half_to_float((uint16_t)(v << (15 - bits)));
}

/* GUESS(pe-small-float): as EXT_packed_float and Mesa's format_r11g11b10f.h say; ties to even. */
static uint32_t to_small_float(float f, unsigned int bits)
{
	unsigned int fraction = bits - 5, drop = 23 - fraction;
	uint32_t u, infinity = 31u << fraction;

	if (f != f)
		return infinity | 1u << (fraction - 1);
	if (!(f > 0))
		return 0;
	if (f < 0x1p-14f)
		return (uint32_t)rintf(f * (float)(1u << (14 + fraction)));
	memcpy(&u, &f, 4);
	u = (u + (1u << (drop - 1)) - 1 + (u >> drop & 1) - 0x38000000) >> drop;
	return isinf(f) ? infinity : u < infinity ? u : infinity - 1;
}

static void unpack(const struct format *f, uint64_t pixel, bool srgb, float out[4])
{
	for (unsigned int c = 0; c < 4; c++) {
		unsigned int n = f->bits[c];
		uint32_t v = n ? (uint32_t)(pixel >> f->shift[c] & (~0ull >> (64 - n))) : 0, u;

		/* What the format lacks reads as 0, alpha as 1. */
		out[c] = c == 3;
		if (!n)
			continue;
		switch (f->kind) {
		case K_UNORM:
			out[c] = (float)v / (float)((1u << n) - 1);
			if (srgb && c < 3)
				out[c] = from_srgb(out[c]);
			break;
		case K_FLOAT:
			out[c] = half_to_float((uint16_t)v);
			break;
		case K_SMALL_FLOAT:
			out[c] = small_float(v, n);
			break;
		default:
			u = v;
			memcpy(&out[c], &u, 4);
		}
	}
}

/* One component as the format stores it; round: 0 .. 1, what is added before cutting off. */
static uint32_t pack(const struct format *f, unsigned int c, float v, bool srgb, float round)
{
	unsigned int n = f->bits[c];
	uint32_t u;

	switch (f->kind) {
	case K_UNORM:
		v = clamp01(v);
		if (srgb && c < 3)
			v = to_srgb(v);
		u = (uint32_t)(v * (float)((1u << n) - 1) + round);
		return u >> n ? (1u << n) - 1 : u;
	case K_FLOAT:
		return half_from_float(v);
	case K_SMALL_FLOAT:
		return to_small_float(v, n);
	default:
		memcpy(&u, &v, 4);
		return u;
	}
}

/* Integers are saturated to what PS_CONTROL_EXT's mode says. */
static uint32_t pack_integer(const struct format *f, unsigned int c, uint32_t v, unsigned int mode)
{
	unsigned int n = f->bits[c];
	int32_t s = (int32_t)v, hi = (int32_t)((1u << (n - 1)) - 1);

	if (mode == COLOR_OUTPUT_MODE_I8 || mode == COLOR_OUTPUT_MODE_I16) {
		s = s > hi ? hi : s < -hi - 1 ? -hi - 1 : s;
		return (uint32_t)s & (~0u >> (32 - n));
	}
	/* Before HALTI5 the mode of all integers, with a sign or without (Mesa etnaviv_translate.h): these have theirs cut off. */
	if (mode == COLOR_OUTPUT_MODE_A2B10G10R10UI && f != &formats[PE_FORMAT_A2B10G10R10UI])
		return v & (~0u >> (32 - n));
	return v > ~0u >> (32 - n) ? ~0u >> (32 - n) : v;
}

/* --- Blending --------------------------------------------------------------------- */

static v8f factor(unsigned int func, unsigned int c, const v8f src[4], const v8f dst[4], const float constant[4])
{
	const v8f one = (v8f){ 0 } + 1;
	v8f a, b;

	switch (func) {
	case BLEND_FUNC_ONE: return one;
	case BLEND_FUNC_SRC_COLOR: return src[c];
	case BLEND_FUNC_ONE_MINUS_SRC_COLOR: return 1 - src[c];
	case BLEND_FUNC_SRC_ALPHA: return src[3];
	case BLEND_FUNC_ONE_MINUS_SRC_ALPHA: return 1 - src[3];
	case BLEND_FUNC_DST_ALPHA: return dst[3];
	case BLEND_FUNC_ONE_MINUS_DST_ALPHA: return 1 - dst[3];
	case BLEND_FUNC_DST_COLOR: return dst[c];
	case BLEND_FUNC_ONE_MINUS_DST_COLOR: return 1 - dst[c];
	case BLEND_FUNC_SRC_ALPHA_SATURATE:
		a = src[3];
		b = 1 - dst[3];
		return c == 3 ? one : (v8f)(((v8i)a & (a < b)) | ((v8i)b & ~(a < b)));
	case BLEND_FUNC_CONSTANT_ALPHA: return (v8f){ 0 } + constant[3];
	case BLEND_FUNC_ONE_MINUS_CONSTANT_ALPHA: return (v8f){ 0 } + (1 - constant[3]);
	case BLEND_FUNC_CONSTANT_COLOR: return (v8f){ 0 } + constant[c];
	case BLEND_FUNC_ONE_MINUS_CONSTANT_COLOR: return (v8f){ 0 } + (1 - constant[c]);
	default: return (v8f){ 0 };
	}
}

static void blend(const struct v3d_blend *b, const v8f src[4], const v8f dst[4], v8f out[4])
{
	for (unsigned int c = 0; c < 4; c++) {
		unsigned int i = c == 3;
		v8i less = src[c] < dst[c];
		v8f s, d;

		/* The smaller and the larger go without factors. */
		if (b->eq[i] == BLEND_EQ_MIN || b->eq[i] == BLEND_EQ_MAX) {
			if (b->eq[i] == BLEND_EQ_MAX)
				less = ~less;
			out[c] = (v8f)(((v8i)src[c] & less) | ((v8i)dst[c] & ~less));
			continue;
		}
		s = src[c] * factor(b->src[i], c, src, dst, b->constant);
		d = dst[c] * factor(b->dst[i], c, src, dst, b->constant);
		out[c] = b->eq[i] == BLEND_EQ_SUBTRACT ? s - d : b->eq[i] == BLEND_EQ_REVERSE_SUBTRACT ? d - s : s + d;
	}
}

/* Bit (source << 1 | destination) of the code is the result's. */
static uint64_t logic(unsigned int op, uint64_t s, uint64_t d)
{
	return (op & 8 ? s & d : 0) | (op & 4 ? s & ~d : 0) | (op & 2 ? ~s & d : 0) | (op & 1 ? ~s & ~d : 0);
}

/*
 * With OVERWRITE PE does not read the target: what the format does not use
 * becomes 0. GUESS(pe-x-alpha): alpha of an X format is written as 0 then.
 */
void v3d_color_start(const struct v3d_pe *pe, struct v3d_color *rt)
{
	const struct format *f = &formats[rt->format];

	rt->reads = (rt->blend.enable && f->kind != K_INT) || pe->logic_op != LOGIC_OP_COPY;
	rt->writable = rt->overwrite && !rt->reads && rt->mask == 15 ? ~0ull : 0;
	for (unsigned int c = 0; c < 4; c++)
		if (rt->mask >> c & 1 && f->bits[c])
			rt->writable |= ~0ull >> (64 - f->bits[c]) << f->shift[c];
}

/* --- Writing ----------------------------------------------------------------------- */

/* Four components of 8 bits: what most targets are. */
static inline __attribute__((always_inline)) void write_8888(struct viv3d *p, const struct v3d_color *rt,
							     const struct format *f, unsigned int lanes, const v8f color[4],
							     const struct v3d_pixels *pixels, unsigned int sample)
{
	uint32_t writable = (uint32_t)rt->writable;
	v8f src[4], out[4], dst[4];
	v8u old = { 0 }, word = { 0 };
	unsigned int c;

	for (c = 0; c < 4; c++)
		out[c] = src[c] = v8_unit(color[c]);
	if (writable != ~0u || rt->reads)
		old = v3d_load(pixels, sample, 4, lanes);
	if (rt->blend.enable) {
		for (c = 0; c < 4; c++)
			dst[c] = f->bits[c] ? __builtin_convertvector((v8i)(old >> f->shift[c] & 0xff), v8f) / 255.0f :
					      v8_splat(c == 3);
		blend(&rt->blend, src, dst, out);
		for (c = 0; c < 4; c++)
			out[c] = v8_unit(out[c]);
	}
	for (c = 0; c < 4; c++)
		if (f->bits[c])
			word |= (v8u)__builtin_convertvector(out[c] * 255 + 0.5f, v8i) << f->shift[c];
	v3d_store(pixels, sample, 4, lanes, (word & writable) | (old & ~writable));
	p->v->perf.pe_drawn_color += (uint32_t)__builtin_popcount(lanes);
}

static void write_any(struct viv3d *p, const struct v3d_color *rt, const struct v3d_block *b, const v8f color[4],
		      const struct v3d_pixels *pixels, unsigned int sample)
{
	const struct format *f = &formats[rt->format];
	/* GUESS(pe-dither-8bit): dithering concerns components of less than 8 bits. */
	bool dither = p->pe.dither && f->kind == K_UNORM && f->bytes == 2 && rt->format != PE_FORMAT_G8R8;
	v8f src[4], out[4], dst[4] = { { 0 } };
	uint64_t old[V3D_LANES] = { 0 };

	for (unsigned int c = 0; c < 4; c++)
		out[c] = src[c] = f->kind == K_UNORM ? v8_unit(color[c]) : color[c];
	EACH_LANE(b->cover[sample])
		memcpy(&old[lane], v3d_pixel(pixels, sample, lane), f->bytes);
	if (rt->blend.enable && f->kind != K_INT) {
		EACH_LANE(b->cover[sample]) {
			float of_lane[4];

			unpack(f, old[lane], rt->srgb, of_lane);
			for (unsigned int c = 0; c < 4; c++)
				dst[c][lane] = of_lane[c];
		}
		blend(&rt->blend, src, dst, out);
	}
	EACH_LANE(b->cover[sample]) {
		unsigned int x = (unsigned int)b->x + V3D_LANE_X(lane), y = (unsigned int)b->y + V3D_LANE_Y(lane);
		float round = dither ? ((float)p->pe.dither_matrix[(y & 3) * 4 + (x & 3)] + 0.5f) / 16 : 0.5f;
		uint64_t word = 0;

		for (unsigned int c = 0; c < 4; c++) {
			if (!f->bits[c])
				continue;
			word |= (uint64_t)(f->kind == K_INT ? pack_integer(f, c, ((v8u)color[c])[lane], rt->mode) :
							      pack(f, c, out[c][lane], rt->srgb, round)) << f->shift[c];
		}
		if (p->pe.logic_op != LOGIC_OP_COPY)
			word = logic(p->pe.logic_op, word, old[lane]);
		word = (word & rt->writable) | (old[lane] & ~rt->writable);
		memcpy(v3d_pixel(pixels, sample, lane), &word, f->bytes);
		p->v->perf.pe_drawn_color++;
	}
}

/* For who watches: the pixel as 8-bit RGBA, red lowest. */
static uint32_t rgba8(const struct v3d_color *rt, const uint8_t *pixel)
{
	uint64_t word = 0;
	uint32_t out = 0;
	float v[4];

	memcpy(&word, pixel, rt->target.bytes);
	unpack(&formats[rt->format], word, false, v);
	for (unsigned int c = 0; c < 4; c++) {
		uint32_t raw;

		memcpy(&raw, &v[c], 4);
		out |= (formats[rt->format].kind == K_INT ? raw & 255 : (uint32_t)(clamp01(v[c]) * 255 + 0.5f)) << 8 * c;
	}
	return out;
}

/* f: NULL, or the format of four times eight bits that it is. */
static inline __attribute__((always_inline)) void write_block(struct viv3d *p, const struct v3d_color *rt, const struct format *f,
							      const struct v3d_block *b, const v8f color[4], unsigned int samples)
{
	struct v3d_pixels pixels;
	uint8_t *watched = NULL;

	if (!v3d_covered(b, samples) || p->fault)
		return;
	v3d_tell(p, V3D_PART_PE, true);
	if (!v3d_pixels(p, &rt->target, b, b->run[1], &pixels))
		return;
	if (p->watched && rt == &p->pe.rt[0])
		watched = v3d_watched_pixel(p, b, &pixels);
	if (watched) {
		p->watched->has_color = true;
		p->watched->before = rgba8(rt, watched);
	}
	for (unsigned int s = 0; s < samples; s++) {
		if (!b->cover[s])
			continue;
		if (f)
			write_8888(p, rt, f, b->cover[s], color, &pixels, s);
		else
			write_any(p, rt, b, color, &pixels, s);
	}
	if (watched)
		p->watched->after = rgba8(rt, watched);
}

void v3d_write_color(struct viv3d *p, const struct v3d_color *rt, const struct v3d_block *b, unsigned int n,
		     const v8f color[][4])
{
	bool any = rt->srgb || p->pe.logic_op != LOGIC_OP_COPY;

	/* What most draws have is known to the compiler. */
	for (unsigned int i = 0; i < n; i++) {
		if (!any && rt->format == PE_FORMAT_A8R8G8B8 && p->samples.count == 1)
			write_block(p, rt, &formats[PE_FORMAT_A8R8G8B8], &b[i], color[i], 1);
		else if (!any && rt->format == PE_FORMAT_A8R8G8B8)
			write_block(p, rt, &formats[PE_FORMAT_A8R8G8B8], &b[i], color[i], p->samples.count);
		else if (!any && rt->format == PE_FORMAT_X8R8G8B8)
			write_block(p, rt, &formats[PE_FORMAT_X8R8G8B8], &b[i], color[i], p->samples.count);
		else
			write_block(p, rt, NULL, &b[i], color[i], p->samples.count);
	}
}
