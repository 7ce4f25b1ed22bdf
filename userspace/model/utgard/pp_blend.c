/* SPDX-License-Identifier: MIT */
/*
 * Blending of a block into the tile buffer: RGBA8, or 16-bit floats.
 * Formulas: OpenGL ES 2.0, 4.1.6, and EXT_blend_func_extended; encodings:
 * Mesa lima_draw.c.
 */
#include "model/utgard/pp.h"

static inline v8f choose(v8i m, v8f a, v8f b)
{
	return (v8f)(((v8i)a & m) | ((v8i)b & ~m));
}

static inline v8f minv(v8f a, v8f b)
{
	return choose(a < b, a, b);
}

static inline v8f maxv(v8f a, v8f b)
{
	return choose(a > b, a, b);
}

static inline v8u to_unorm8(v8f v)
{
	return (v8u)__builtin_convertvector(v8_unit(v) * 255 + 0.5f, v8i);
}

static inline v8f from_unorm8(v8u v)
{
	return __builtin_convertvector((v8i)(v & 0xff), v8f) * (1 / 255.0f);
}

struct inputs {
	const v8f *src, *src1, *dst;
	const float *constant;
};

static v8f factor(const struct inputs *in, unsigned int code, unsigned int c)
{
	unsigned int from = code & RSW_FACTOR_ALPHA ? 3 : c;
	v8f f = { 0 }, one = f + 1;

	switch (code & 7) {
	case RSW_FACTOR_SRC:
		f = in->src[from];
		break;
	case RSW_FACTOR_DST:
		f = in->dst[from];
		break;
	case RSW_FACTOR_CONST:
		f += in->constant[from];
		break;
	case RSW_FACTOR_SRC_ALPHA_SATURATE:
		f = c == 3 ? one : minv(in->src[3], one - in->dst[3]);
		break;
	case RSW_FACTOR_SRC1:
		f = in->src1[from];
		break;
	}
	return code & RSW_FACTOR_INVERT ? one - f : f;
}

static v8f equation(unsigned int func, v8f s, v8f d, v8f dst)
{
	switch (func) {
	case RSW_BLEND_SUBTRACT:
		return s - d;
	case RSW_BLEND_REVERSE_SUBTRACT:
		return d - s;
	case RSW_BLEND_MIN:
		return minv(s + d, dst);
	case RSW_BLEND_MAX:
		return maxv(s + d, dst);
	}
	return s + d;
}

/* Bit (source << 1 | destination) of the op is the result's (the newest lima, lima_draw.c and its genxml). */
static v8f logic(unsigned int op, v8u s, v8u d)
{
	v8u out = { 0 };

	out |= op & 1 ? ~s & ~d : out;
	out |= op & 2 ? ~s & d : out;
	out |= op & 4 ? s & ~d : out;
	out |= op & 8 ? s & d : out;
	return from_unorm8(out);
}

static void blend(const struct pp_draw *draw, const struct inputs *in, v8f out[4])
{
	unsigned int c;

	for (c = 0; c < 4; c++) {
		unsigned int sf = c < 3 ? draw->src_rgb : draw->src_alpha;
		unsigned int df = c < 3 ? draw->dst_rgb : draw->dst_alpha;
		unsigned int func = c < 3 ? draw->func_rgb : draw->func_alpha;

		if (func == RSW_BLEND_LOGIC) {
			out[c] = logic(sf, to_unorm8(in->src[c]), to_unorm8(in->dst[c]));
			continue;
		}
		out[c] = equation(func, in->src[c] * factor(in, sf, c),
				  in->dst[c] * factor(in, df, c), in->dst[c]);
	}
}

static void blend_fp16(struct pp *pp, const struct pp_draw *draw, unsigned int block,
		       const v8f src[4], const v8f src1[4], uint8_t lanes)
{
	v8f *dst = pp->tile->fcolor[block], out[4];
	struct inputs in = { src, src1, dst, draw->constant };
	unsigned int c, i;

	if (draw->blend)
		blend(draw, &in, out);
	else
		memcpy(out, src, sizeof(out));
	for (c = 0; c < 4; c++)
		for (i = 0; i < PP_LANES; i++)
			if (draw->color_mask >> c & lanes >> i & 1)
				dst[c][i] = half_to_float(half_from_float(out[c][i]));
}

static uint32_t written_bits(const struct pp_draw *draw)
{
	uint32_t write = 0;

	for (unsigned int c = 0; c < 4; c++)
		if (draw->color_mask >> c & 1)
			write |= 0xffu << (8 * c);
	return write;
}

void pp_blend_batch(struct pp *pp, const struct pp_draw *draw)
{
	const struct pp_batch *b = pp->batch;
	const ppsim_column *color = b->sim.file[draw->color_reg], *color1 = b->sim.file[draw->color1_reg];
	uint32_t write = written_bits(draw);

	for (unsigned int i = 0; i < b->sim.n && !draw->blend && write; i++) {
		v8u *to = &pp->tile->color[0][b->index[i]], m = write & pp_lanes(b->cover[i]);
		v8u packed = to_unorm8(color[0][i]) | to_unorm8(color[1][i]) << 8 | to_unorm8(color[2][i]) << 16 |
			     to_unorm8(color[3][i]) << 24;

		*to = (packed & m) | (*to & ~m);
	}
	for (unsigned int i = 0; i < b->sim.n && draw->blend; i++) {
		const v8f one[4] = { color[0][i], color[1][i], color[2][i], color[3][i] };
		const v8f other[4] = { color1[0][i], color1[1][i], color1[2][i], color1[3][i] };

		pp_blend(pp, draw, b->index[i], one, other, &b->cover[i]);
	}
}

void pp_blend(struct pp *pp, const struct pp_draw *draw, unsigned int block, const v8f color[4],
	      const v8f color1[4], const uint8_t lanes[PP_SAMPLES])
{
	v8u packed = { 0 };
	uint32_t write = written_bits(draw);
	v8f src[4], src1[4], dst[4], out[4];
	unsigned int s, c;

	if (!draw->color_mask)
		return;
	if (pp_fp16(pp)) {
		blend_fp16(pp, draw, block, color, color1, lanes[0]);
		return;
	}
	for (c = 0; c < 4; c++) {
		if (!draw->blend)
			break;
		src[c] = v8_unit(color[c]);
		src1[c] = v8_unit(color1[c]);
	}
	if (!draw->blend)
		for (c = 0; c < 4; c++)
			packed |= to_unorm8(color[c]) << (8 * c);
	for (s = 0; s < pp->tile->samples; s++) {
		v8u old = pp->tile->color[s][block], m;

		if (!lanes[s])
			continue;
		if (draw->blend) {
			struct inputs in = { src, src1, dst, draw->constant };

			for (c = 0; c < 4; c++)
				dst[c] = from_unorm8(old >> (8 * c));
			blend(draw, &in, out);
			packed = (v8u){ 0 };
			for (c = 0; c < 4; c++)
				packed |= to_unorm8(out[c]) << (8 * c);
		}
		m = write & pp_lanes(lanes[s]);
		pp->tile->color[s][block] = (packed & m) | (old & ~m);
	}
}
