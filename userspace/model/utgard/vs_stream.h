/* SPDX-License-Identifier: MIT */
/* Vertex streams of the GP: memory to eight lanes of registers, and back. */
#ifndef LIMN_MODEL_UTGARD_VS_STREAM_H
#define LIMN_MODEL_UTGARD_VS_STREAM_H

#include "model/utgard/gp.h"
#include "sim/simd.h"

struct vs_stream {
	uint32_t address, format;	/* as in memory; gp_stream.h */
};

/* Elements first.. of an attribute to lanes of mask; false: fault. Reports unknown formats. */
bool vs_load(struct gp *gp, const struct vs_stream *s, uint32_t first, uint8_t mask, v8f out[4]);

/* Lanes of mask to elements first.. of a varying stream; false: fault. */
bool vs_store(struct gp *gp, const struct vs_stream *s, uint32_t first, uint8_t mask, const v8f in[4]);

static inline bool vs_is_point_size(const struct vs_stream *s)
{
	return (s->format & 0x3f) == (GP_VARYING_POINT_SIZE_WORD & 0x3f);
}

#endif
