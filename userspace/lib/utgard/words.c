// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "lib/utgard/utgard.h"

void limn_utgard_emit(struct utgard_words *words, uint32_t w0, uint32_t w1)
{
	uint32_t room = words->room ? words->room * 2 : 64;
	uint32_t *w;

	if (words->count + 2 > words->room) {
		w = realloc(words->w, room * sizeof(*w));
		if (!w) {
			words->failed = true;
			return;
		}
		words->w = w;
		words->room = room;
	}
	words->w[words->count++] = w0;
	words->w[words->count++] = w1;
}

void limn_utgard_words_free(struct utgard_words *words)
{
	free(words->w);
	memset(words, 0, sizeof(*words));
}

uint16_t limn_utgard_half(float f)
{
	return half_from_float(f);
}
