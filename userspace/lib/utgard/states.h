/* SPDX-License-Identifier: MIT */
/* State of Utgard GPUs by name: the rows of limn/utgard/states.inc. */
#ifndef LIMN_LIB_UTGARD_STATES_H
#define LIMN_LIB_UTGARD_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <limn/utgard/states.h>


enum utgard_block {
#define UTG_BLOCK(block, count, words) UTGARD_BLOCK_##block,
#include <limn/utgard/states.inc>
};

enum utgard_kind {
	UTGARD_KIND_UINT, UTGARD_KIND_INT, UTGARD_KIND_HEX, UTGARD_KIND_ADDR, UTGARD_KIND_FLOAT,
	UTGARD_KIND_BOOL,
#define UTG_ENUM(name) UTGARD_KIND_##name,
#include <limn/utgard/states.inc>
};

/* A word, a register or a field. */
struct utgard_field {
	const char *block_name, *name;
	uint8_t block, count;		/* enum utgard_block; how many of it there are */
	uint8_t width, kind;		/* 32: a whole word; enum utgard_kind */
	uint16_t bit;			/* of the block's words */
};

/* Row number index; NULL behind the last. */
const struct utgard_field *limn_utgard_field_at(unsigned int index);
/* "RSW.DEPTH_FUNC", "TEX[3].WIDTH"; *index: the number in brackets. NULL: no such, or not so many. */
const struct utgard_field *limn_utgard_field_named(const char *name, unsigned int *index);
/* The word or register of that number; NULL: it has no name. */
const struct utgard_field *limn_utgard_register(enum utgard_block block, unsigned int number);
/* Name of an enumeration's value, without its prefix: "LESS"; NULL: it has none. */
const char *limn_utgard_value_name(unsigned int kind, uint32_t value);
/* The same in text, of blend factors with what is done to their source: "SRC|INVERT|ALPHA"; false: it has none. */
bool limn_utgard_value_text(unsigned int kind, uint32_t value, char *text, size_t size);
/* Several with | between them; case does not count. */
bool limn_utgard_value_named(unsigned int kind, const char *names, uint32_t *value);

/* Bits that are to be what they are told. */
struct utgard_forced {
	uint8_t block, index, width;
	uint16_t bit;
	uint32_t value;
};

/* Forces those of a block in its words. */
void limn_utgard_force(uint32_t *words, enum utgard_block block, unsigned int index, const struct utgard_forced *forced,
		       uint32_t count);
/* The same for one word of it, alone. */
uint32_t limn_utgard_force_word(uint32_t word, unsigned int number, enum utgard_block block,
				const struct utgard_forced *forced, uint32_t count);

#endif
