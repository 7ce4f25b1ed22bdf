/* SPDX-License-Identifier: MIT */
/* Texels of formats whose channels are all unorm, in line for who knows the format. */
#ifndef LIMN_MODEL_UTGARD_PP_TEXEL_H
#define LIMN_MODEL_UTGARD_PP_TEXEL_H

#include <limn/utgard/formats.h>

#include "model/utgard/pp.h"

/* One texel in a word for each lane. */
static inline __attribute__((always_inline)) void pp_texels_decode(unsigned int format, bool swap_rb, v8u words, v8f out[4])
{
	static const float unit[] = {
		[1] = 1, [4] = 1 / 15.0f, [5] = 1 / 31.0f, [6] = 1 / 63.0f, [8] = 1 / 255.0f, [16] = 1 / 65535.0f,
		[24] = 1 / 16777215.0f,
	};
	const struct utgard_format *f = &utgard_texel_formats[format];
	v8f channel[4];
	unsigned int c;

	for (c = 0; c < 4; c++) {
		unsigned int width = f->channel[c].width, bit = f->channel[c].bit;

		if (width)
			channel[c] = __builtin_convertvector((v8i)(words >> bit & ((1u << width) - 1)), v8f) * unit[width];
		else
			channel[c] = (v8f){ 0 } + (float)bit;
	}
	out[0] = swap_rb ? channel[2] : channel[0];
	out[1] = channel[1];
	out[2] = swap_rb ? channel[0] : channel[2];
	out[3] = channel[3];
}

#endif
