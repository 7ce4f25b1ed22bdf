// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "lib/vivante/check.h"

static void tell(const struct viv_sink *sink, const struct viv_word *w)
{
	if (sink && sink->word)
		sink->word(sink->ctx, w);
}

/* 16.16 to float, as FE does it with FIXP set. */
static uint32_t from_fixed(uint32_t value)
{
	float f = (int32_t)value / 65536.0f;
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static void load_state(struct viv_check *c, const uint32_t *words, size_t at, size_t words_here)
{
	uint32_t header = words[at], count = viv_fe_load_count(header);
	uint32_t address = viv_fe_load_address(header);
	struct viv_word w = { .fixed = header & VIV_FE_LOAD_STATE_HEADER_FIXP };

	if (address + 4 * count > VIV_STATE_SPACE)
		viv_check_fail(c, VIV_ERROR, at, "state-space",
			       "LOAD_STATE of %u words at 0x%05x runs past the end of the state space",
			       count, address);
	for (uint32_t i = 1; i < words_here; i++) {
		w.at = at + i;
		w.value = w.loaded = words[w.at];
		w.type = VIV_WORD_PAD;
		w.row = NULL;
		if (i <= count && address + 4 * (i - 1) < VIV_STATE_SPACE) {
			w.type = VIV_WORD_STATE;
			w.address = address + 4 * (i - 1);
			w.row = limn_viv_state_at(w.address, w.index);
			if (w.fixed)
				w.loaded = from_fixed(w.value);
		}
		tell(c->sink, &w);
		if (w.type == VIV_WORD_STATE) {
			c->stats->states++;
			viv_check_load(c, &w);
		}
	}
}

static void arguments(struct viv_check *c, const struct viv_row *command, const uint32_t *words,
		      size_t at, size_t words_here)
{
	uint32_t rects = command->at == FE_OPCODE_DRAW_2D ? viv_fe_rect_count(words[at]) : 0;
	struct viv_word w = { 0 };

	for (size_t i = 1; i < words_here; i++) {
		w.at = at + i;
		w.value = w.loaded = words[w.at];
		w.row = limn_viv_command_word(command, i);
		w.type = w.row ? VIV_WORD_ARGUMENT : VIV_WORD_PAD;
		if (rects && i >= 2) {
			w.type = i < 2 + 2 * rects ? VIV_WORD_RECT : VIV_WORD_DATA;
			w.row = i < 2 + 2 * rects ? limn_viv_command_word(command, 2 + (i & 1)) : NULL;
		}
		tell(c->sink, &w);
	}
}

/* Words of the command at hand; 0: it is none. */
static size_t one(struct viv_check *c, const uint32_t *words, size_t at, size_t n)
{
	unsigned int opcode = VIV_GET(VIV_FE_OPCODE, words[at]);
	size_t length = viv_fe_command_words(words[at]), here = length < n - at ? length : n - at;
	struct viv_word w = { .type = VIV_WORD_COMMAND, .at = at, .value = words[at], .loaded = words[at] };

	w.row = limn_viv_command(opcode);
	if (!length) {
		w.type = VIV_WORD_UNKNOWN;
		tell(c->sink, &w);
		c->stats->unknown_commands++;
		viv_check_fail(c, VIV_ERROR, at, "opcode", "no command has opcode %u", opcode);
		return 0;
	}
	tell(c->sink, &w);
	c->stats->commands++;
	if (opcode == FE_OPCODE_LOAD_STATE)
		load_state(c, words, at, here);
	else
		arguments(c, w.row, words, at, here);
	if (length > n - at)
		viv_check_fail(c, VIV_ERROR, at, "length", "%s of %zu words, but the stream ends after %zu",
			       w.row->name, length, n - at);
	else
		viv_check_command(c, words + at, at, opcode);
	return here;
}

void limn_viv_decode(const uint32_t *words, size_t n, uint32_t flags, const struct viv_sink *sink,
		     struct viv_decode_stats *stats)
{
	struct viv_decode_stats none;
	struct viv_check *c = calloc(1, sizeof(*c));
	struct viv_word rest = { .type = VIV_WORD_UNKNOWN };
	size_t at = 0, length = 1;

	stats = stats ? stats : &none;
	memset(stats, 0, sizeof(*stats));
	if (!c) {
		stats->errors = 1;
		return;
	}
	c->sink = sink;
	c->stats = stats;
	c->flags = flags;
	for (uint32_t i = 0; sink && sink->state && i < VIV_STATE_WORDS; i++)
		if (sink->state(sink->ctx, 4 * i, &c->value[i]))
			c->set_at[i] = VIV_SET_BEFORE;
	while (at < n && length) {
		length = one(c, words, at, n);
		at += length;
	}
	/* Behind an unknown command nobody knows where the next one begins. */
	for (rest.at = at + 1; !length && rest.at < n; rest.at++) {
		rest.value = rest.loaded = words[rest.at];
		tell(sink, &rest);
	}
	if (length)
		viv_check_end(c, n);
	free(c);
}
