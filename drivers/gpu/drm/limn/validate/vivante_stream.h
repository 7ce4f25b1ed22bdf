/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a client's Vivante command stream may hold. Pure C: the host builds and
 * fuzzes the same file.
 */
#ifndef LIMN_VALIDATE_VIVANTE_STREAM_H
#define LIMN_VALIDATE_VIVANTE_STREAM_H

#include <limn/vivante/cmdstream.h>

#define VIVANTE_STATE_WORDS	(VIV_STATE_SPACE / 4 / 32)

/**
 * struct vivante_states - which states a stream may load, a bit for each
 *
 * Bit n of word i is the state at byte address (32 * i + n) * 4.
 */
struct vivante_states {
	/** @special: refused, or an address that is looked at */
	unsigned int special[VIVANTE_STATE_WORDS];
	/** @refused: no stream may load it; see @zero */
	unsigned int refused[VIVANTE_STATE_WORDS];
	/** @zero: of those refused, may be loaded with 0 */
	unsigned int zero[VIVANTE_STATE_WORDS];
};

enum vivante_refusal {
	VIVANTE_OK,
	VIVANTE_BAD_OPCODE,	/* unknown to this chip or pipe, or not a client's */
	VIVANTE_BAD_LENGTH,	/* the command runs past the end */
	VIVANTE_BAD_STATE,	/* not a client's */
	VIVANTE_BAD_ADDRESS,	/* not inside of a buffer of the job */
	VIVANTE_BAD_FIXED_POINT,	/* an address that would be converted */
	VIVANTE_BAD_DATA,	/* DRAW_2D with words behind its rectangles */
};

/**
 * struct vivante_check - how to check, and what was found
 */
struct vivante_check {
	/** @states: of this GPU, from vivante_states_init() */
	const struct vivante_states *states;
	/** @commands: bit n: opcode n is allowed, from vivante_commands() */
	unsigned int commands;
	/**
	 * @address_ok: is this word, at this index, an address within the job's
	 * buffers? NULL where the MMU sees to that. Called in the order of the
	 * stream.
	 */
	int (*address_ok)(void *data, unsigned int index, unsigned int word);
	/** @data: for @address_ok */
	void *data;
	/** @index: out, when refused: word of the stream */
	unsigned int index;
	/** @state: out: byte address of the state, for the refusals that have one */
	unsigned int state;
};

unsigned int vivante_commands(unsigned int has);
void vivante_states_init(struct vivante_states *states, int check_addresses);
enum vivante_refusal vivante_check_stream(struct vivante_check *check, const unsigned int *words,
					  unsigned int count);
const char *vivante_refusal_text(enum vivante_refusal refusal);

#endif
