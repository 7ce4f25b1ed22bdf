/* SPDX-License-Identifier: MIT */
/*
 * Walks over the tables of <limn/vivante/states.h> and <limn/vivante/cmdstream.h>:
 * what a state is called, what a value means. Pure functions on constant tables.
 */
#ifndef LIMN_LIB_VIVANTE_STATES_H
#define LIMN_LIB_VIVANTE_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <limn/vivante/cmdstream.h>


enum viv_row_type {
	VIV_ROW_STATE, VIV_ROW_BITSET, VIV_ROW_FIELD, VIV_ROW_ENUM, VIV_ROW_VALUE,
	VIV_ROW_COMMAND, VIV_ROW_WORD, VIV_ROW_END
};

/* A row of the tables; which members count depends on the type. */
struct viv_row {
	enum viv_row_type type;
	const char *name;		/* states: VIVS_UNIT_NAME; fields and values: without owner */
	const char *unit;
	uint32_t at;			/* address; opcode; word's index; an enum value */
	uint16_t count, stride, count2, stride2;	/* STATE: elements, bytes */
	uint8_t hi, lo;			/* FIELD */
	uint8_t flags;			/* STATE: VIV_USER, ... */
	uint16_t kind;			/* STATE, FIELD: how to read it; BITSET, ENUM: its own */
	uint32_t init;			/* STATE */
};

/*
 * The state at a byte address and, in index, which element it is; NULL: none has
 * it. Where pipes share addresses the 2D or 3D pipe's row is found, not VG's.
 */
const struct viv_row *limn_viv_state_at(uint32_t address, uint32_t index[2]);
/* By name, with or without VIVS_; '.' stands for '_' ("PE.COLOR_FORMAT"). NULL: none. */
const struct viv_row *limn_viv_state_named(const char *name);
/* Row i of the states, bitsets and enums; NULL behind the last. */
const struct viv_row *limn_viv_row(size_t i);

/* First field of a state, bitset or word (NULL: none), and the next one. */
const struct viv_row *limn_viv_field_first(const struct viv_row *owner);
const struct viv_row *limn_viv_field_next(const struct viv_row *field);
/* The enum or bitset of a kind, NULL for plain kinds. */
const struct viv_row *limn_viv_kind_row(unsigned int kind);
/* Name of an enum's value, NULL: none; and the value of a name. */
const char *limn_viv_value_name(const struct viv_row *enumeration, uint32_t value);
bool limn_viv_value_named(const struct viv_row *enumeration, const char *name, uint32_t *value);

/* A command by opcode and the row of its word i, NULL: none. */
const struct viv_row *limn_viv_command(unsigned int opcode);
const struct viv_row *limn_viv_command_word(const struct viv_row *command, unsigned int i);

/* "PE.COLOR_FORMAT", "TE.SAMPLER_LOD_ADDR[3][0]"; returns text. */
char *limn_viv_state_text(const struct viv_row *state, const uint32_t index[2], char *text, size_t size);
/*
 * What a value of a state, bitset or word means: "FORMAT=A8R8G8B8 COMPONENTS=RGBA",
 * "1.5", "-3"; "" when its plain number says it all. Returns text.
 */
char *limn_viv_value_text(const struct viv_row *row, uint32_t value, char *text, size_t size);

#endif
