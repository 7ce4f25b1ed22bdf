// SPDX-License-Identifier: MIT
/*
 * Vertex streams of the Utgard GP.
 *
 * Formats: Mesa lima_draw.c (lima_attrib_type, lima_update_varying), limare gp.c.
 */
#include <math.h>

#include "isa/half.h"
#include "model/utgard/vs_stream.h"

static const struct type {
	uint8_t bytes;		/* of a component; 0: the type is not known */
	bool is_signed, normalize;
	enum { T_INT, T_FLOAT, T_HALF, T_FIXED } kind;
} types[] = {
	[GP_TYPE_F32] = { 4, true, false, T_FLOAT }, [GP_TYPE_F16] = { 2, true, false, T_HALF },
	[GP_TYPE_I32] = { 4, true, false, T_INT }, [GP_TYPE_U32] = { 4, false, false, T_INT },
	[GP_TYPE_I16] = { 2, true, false, T_INT }, [GP_TYPE_U16] = { 2, false, false, T_INT },
	[GP_TYPE_I8] = { 1, true, false, T_INT }, [GP_TYPE_U8] = { 1, false, false, T_INT },
	[GP_TYPE_I8N] = { 1, true, true, T_INT }, [GP_TYPE_U8N] = { 1, false, true, T_INT },
	[GP_TYPE_I16N] = { 2, true, true, T_INT }, [GP_TYPE_U16N] = { 2, false, true, T_INT },
	[GP_TYPE_I32N] = { 4, true, true, T_INT }, [GP_TYPE_U32N] = { 4, false, true, T_INT },
	[GP_TYPE_FIXED] = { 4, true, false, T_FIXED },
};

/* GUESS(vs-snorm): signed normalised values as c / (2^(b-1) - 1), not below -1. */
static float convert(const struct type *t, uint32_t bits)
{
	unsigned int b = 8 * t->bytes;
	double val = t->is_signed ? (double)((int32_t)(bits << (32 - b)) >> (32 - b)) : (double)bits;

	if (t->kind == T_FLOAT)
		return as_float(bits);
	if (t->kind == T_HALF)
		return half_to_float(bits);
	if (t->kind == T_FIXED)
		return val / 65536.0;
	return t->normalize ? fmax(val / (double)((1ull << (b - t->is_signed)) - 1), -1) : val;
}

bool vs_load(struct gp *gp, const struct vs_stream *s, uint32_t first, uint8_t mask, v8f out[4])
{
	uint32_t type = GP_STREAM_TYPE(s->format), n = GP_STREAM_COMPONENTS(s->format);
	unsigned int bytes = type < sizeof(types) / sizeof(types[0]) ? types[type].bytes : 0;
	float values[4][SIM_LANES];

	/* GUESS(vs-attribute-missing): missing components are 0, 0, 0, 1, as GL has it; Mesa adds nothing for them. */
	for (int c = 0; c < 4; c++) {
		for (int lane = 0; lane < SIM_LANES; lane++)
			values[c][lane] = c == 3 && !unit_answer(&gp->u, PROFILE_VS_ATTRIBUTE_MISSING);
	}
	if (!bytes && (s->format & 0x3f) != GP_STREAM_UNUSED)
		unit_report(&gp->u, "attribute stream %08x: unknown format %03x", s->format, type);
	if ((s->format & 0x3f) == GP_STREAM_UNUSED)
		bytes = 0;
	for (int lane = 0; bytes && lane < SIM_LANES; lane++) {
		uint32_t va = s->address + (first + lane) * GP_STREAM_STRIDE(s->format);
		uint8_t raw[16];

		if (!(mask >> lane & 1))
			continue;
		if (!gp_load(gp, va, raw, n * bytes))
			return false;
		for (uint32_t c = 0; c < n; c++) {
			uint32_t bits = 0;

			if (type == GP_TYPE_F32) {
				memcpy(&values[c][lane], raw + 4 * c, 4);
				continue;
			}
			memcpy(&bits, raw + c * bytes, bytes);
			values[c][lane] = convert(&types[type], bits);
		}
	}
	memcpy(out, values, sizeof(values));
	return true;
}

bool vs_store(struct gp *gp, const struct vs_stream *s, uint32_t first, uint8_t mask, const v8f in[4])
{
	uint32_t kind = s->format & 0x3f, n = GP_STREAM_COMPONENTS(s->format);
	bool half = GP_STREAM_TYPE(s->format) == GP_VARYING_F16;

	if (kind == GP_STREAM_UNUSED)
		return true;
	if (kind == (GP_VARYING_POSITION_WORD & 0x3f)) {
		n = 4;
	} else if (vs_is_point_size(s)) {
		n = 1;
	} else if (!half && GP_STREAM_TYPE(s->format) != GP_VARYING_F32) {
		unit_report(&gp->u, "varying stream %08x: unknown format %03x", s->format,
			    GP_STREAM_TYPE(s->format));
		return true;
	}
	for (int lane = 0; lane < SIM_LANES; lane++) {
		uint32_t va = s->address + (first + lane) * GP_STREAM_STRIDE(s->format);
		uint16_t h[4];
		float f[4];

		if (!(mask >> lane & 1))
			continue;
		for (uint32_t c = 0; c < n; c++) {
			f[c] = in[c][lane];
			if (half)
				/* GUESS(vs-half-round): to nearest, ties to even; too big becomes infinity. */
				h[c] = half_from_float(f[c]);
		}
		if (!gp_store(gp, va, half ? (void *)h : (void *)f, n * (half ? 2 : 4)))
			return false;
	}
	return true;
}
