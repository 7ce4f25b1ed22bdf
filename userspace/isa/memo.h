/* SPDX-License-Identifier: MIT */
/*
 * What instructions looked like before, for one call of a disassembler:
 * words to text. Shaders repeat themselves; what is seen a second time is kept,
 * so that words which never come again cost next to nothing. Text that depends
 * on the place has slots: numbers that are added to a base.
 */
#ifndef LIMN_ISA_MEMO_H
#define LIMN_ISA_MEMO_H

#include "isa/emit.h"

#define ISA_MEMO_WORDS	64	/* of a key */
#define ISA_MEMO_SLOTS	48
#ifndef ISA_MEMO_FEW		/* the fuzzer's are small, to get there and to be full */
#define ISA_MEMO_LONG	4096	/* characters; a shorter text is not worth a memo */
#define ISA_MEMO_FEW	64	/* instructions; fewer are not worth a memo */
#define ISA_MEMO_SETS	2048u
#define ISA_MEMO_ARENA	(768u << 10)
#endif

/* The text up to here, then base + delta in decimal. */
struct isa_slot {
	uint16_t length;	/* of the text since the slot before */
	int16_t delta;
};

/* A text being written that may be kept. */
struct isa_draft {
	size_t begin, last;	/* in the text: the instruction; what is behind the last slot */
	struct isa_slot slots[ISA_MEMO_SLOTS];
	uint8_t digits[ISA_MEMO_SLOTS];	/* that the text has in a slot */
	unsigned int count;
	bool whole;		/* all numbers that depend on the place are slots */
	uint32_t state;		/* kept with the text, for isa_memo_state() */
};

struct isa_memo;

/* NULL when out of memory, which does no harm: all functions take NULL. */
struct isa_memo *isa_memo_new(void);
void isa_memo_free(struct isa_memo *memo);

/* Appends what these words were and returns true; false: not known. base: NULL where there are no slots. */
bool isa_memo_write(struct isa_memo *memo, const uint32_t *words, unsigned int count,
		    const struct isa_counter *base, struct isa_text *text);

/* Did the words that isa_memo_write() did not know come before? Then isa_memo_keep() keeps their text. */
bool isa_memo_again(const struct isa_memo *memo);

/* The state of what isa_memo_write() wrote last. */
uint32_t isa_memo_state(const struct isa_memo *memo);

/* A new instruction begins in the text. */
void isa_draft_begin(struct isa_draft *draft, const struct isa_text *text);

/* Writes base + delta, as a slot of the draft, which may be NULL; text: where to's offset counts from. */
static inline char *isa_draft_number(struct isa_draft *draft, const char *text, char *to,
				     const struct isa_counter *base, int delta)
{
	char *end = isa_emit_counter(to, base, delta);
	struct isa_slot *slot;

	if (!draft)
		return end;
	/* Negative numbers are of the first instructions alone. */
	if (draft->count == ISA_MEMO_SLOTS || *to == '-' || base->hundreds > 9000000 || delta != (int16_t)delta) {
		draft->whole = false;
		return end;
	}
	slot = &draft->slots[draft->count];
	slot->length = to - text - draft->last;
	slot->delta = delta;
	draft->digits[draft->count++] = end - to;
	draft->last = end - text;
	return end;
}

/* Keeps the text since isa_draft_begin() for the words that isa_memo_write() was asked for last. */
void isa_memo_keep(struct isa_memo *memo, const uint32_t *words, unsigned int count,
		   const struct isa_draft *draft, const struct isa_text *text);

#endif
