/* SPDX-License-Identifier: MIT */
/*
 * Walk over an FE command stream: what each word is, and what is wrong with it.
 * Jumps are not followed; what FE would fetch at their targets is looked at, where
 * the caller knows it.
 */
#ifndef LIMN_LIB_VIVANTE_DECODE_H
#define LIMN_LIB_VIVANTE_DECODE_H

#include "lib/vivante/states.h"

enum viv_word_type {
	VIV_WORD_COMMAND,	/* first word of a command */
	VIV_WORD_ARGUMENT,	/* a word with a row of its own */
	VIV_WORD_STATE,		/* payload of LOAD_STATE */
	VIV_WORD_RECT,		/* DRAW_2D: rectangle corners, and data */
	VIV_WORD_DATA,
	VIV_WORD_PAD,
	VIV_WORD_UNKNOWN,	/* no such opcode, or behind a cut */
};

/* One word of the stream. */
struct viv_word {
	enum viv_word_type type;
	size_t at;			/* its index */
	uint32_t value;			/* as in the stream */
	const struct viv_row *row;	/* command, word or state; NULL: none known */
	uint32_t address;		/* STATE: byte address */
	uint32_t index[2];		/* STATE: which element */
	uint32_t loaded;		/* STATE: what the state gets (16.16 made float) */
	bool fixed;			/* STATE: value is 16.16 */
};

enum viv_severity { VIV_ERROR, VIV_WARNING, VIV_NOTE };

struct viv_finding {
	enum viv_severity severity;
	size_t at;			/* index of the word */
	const char *rule;		/* short name, stable */
	uint32_t hangs;			/* bits of HI_IDLE_STATE: the modules that it keeps at work; 0: it does not hang */
	char stage;			/* 'V', 'P': about an instruction of that shader, counted from its first; 0: of none */
	uint32_t instruction;
	char text[160];
};

/* Each may be NULL. Findings come in the order of the words. */
struct viv_sink {
	void *ctx;
	void (*word)(void *ctx, const struct viv_word *word);
	void (*finding)(void *ctx, const struct viv_finding *finding);
	/* The words at GPU address va, and how many there are; NULL: not known. */
	const uint32_t *(*memory)(void *ctx, uint32_t va, size_t *words);
	/* What a state was before the stream, for who knows: false: not known. */
	bool (*state)(void *ctx, uint32_t address, uint32_t *value);
};

struct viv_decode_stats {
	size_t commands, states, unknown_commands, unknown_states, errors, warnings;
};

/*
 * Walks n words. Rules: length, prefetch, alignment, unknown and forbidden
 * states, and what is known to hang the GPU (etna_viv hardware.md); a rule
 * that needs a state is silent until the stream itself has set that state, or the sink knows it.
 */
#define VIV_DECODE_USER	0x1	/* a client's stream: kernel-only states and jumps are errors */
void limn_viv_decode(const uint32_t *words, size_t n, uint32_t flags, const struct viv_sink *sink,
		     struct viv_decode_stats *stats);

#endif
