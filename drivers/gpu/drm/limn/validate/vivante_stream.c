// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checker of clients' Vivante command streams.
 */

/**
 * DOC: command streams
 *
 * On every Vivante GPU, with either MMU, each stream is walked before it runs,
 * after its relocations were put in: what is checked is what FE will fetch.
 *
 * - Commands: those that the table (include/limn/vivante/commands.inc) marks as
 *   a client's, if the chip and the job's pipe know them: LOAD_STATE, NOP, STALL,
 *   the draws. Not LINK, CALL, RETURN, WAIT, END: a stream runs from its first
 *   word to its last, and FE comes back. So there is no loop, and FE's address
 *   alone tells how far a job has come. FE hangs at a command it does not know.
 * - States: those that the table (include/limn/vivante/states.inc) marks as a
 *   client's. Page tables, pipe select, events, power and what the table does
 *   not know are refused, however the load is dressed; some may be turned off.
 * - Addresses: MMUv1 lets an address below 2 GiB reach physical memory. There,
 *   each state that is an address must point into a buffer of the job. Strides,
 *   sizes and shaders may still lead out of it: this is no isolation.
 *
 * A fixed-point load converts its words, so it must not touch addresses. The walk takes
 * a step for each word, and for each address as many as the BOs' number has bits.
 */
#include "vivante_stream.h"

struct row {
	unsigned int address;
	unsigned short n1, s1, n2, s2;
	unsigned char kind;
	unsigned char flags;
};

static const struct row rows[] = {
#define VIV_STATE(addr, unit, name, kind, init, flags) \
	{ addr, 1, 4, 1, 0, VIV_KIND_##kind, flags },
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) \
	{ addr, n1, s1, n2, s2, VIV_KIND_##kind, flags },
#include <limn/vivante/states.inc>
};

struct command_row {
	unsigned char opcode, need, flags;
};

static const struct command_row command_rows[] = {
#define VIV_COMMAND(opcode, name, words, need, flags) { opcode, VIV_NEEDS_##need, flags },
#include <limn/vivante/commands.inc>
};

#define NUM_ROWS	(sizeof(rows) / sizeof(struct row))
#define NUM_COMMANDS	(sizeof(command_rows) / sizeof(struct command_row))
#define NUM_STATES	(VIV_STATE_SPACE / 4)

static void allow(struct vivante_states *states, unsigned int address, int special)
{
	unsigned int state = address / 4, bit = 1u << state % 32;

	states->refused[state / 32] &= ~bit;
	if (!special)
		states->special[state / 32] &= ~bit;
}

/**
 * vivante_states_init - make the bit maps from the table
 * @states: to fill
 * @check_addresses: states that are addresses are special
 */
void vivante_states_init(struct vivante_states *states, int check_addresses)
{
	unsigned int i, a, b;

	for (i = 0; i < VIVANTE_STATE_WORDS; i++) {
		states->special[i] = ~0u;
		states->refused[i] = ~0u;
		states->zero[i] = 0;
	}
	for (i = 0; i < NUM_ROWS; i++) {
		const struct row *row = &rows[i];

		if (row->flags & VIV_ZERO)
			states->zero[row->address / 128] |= 1u << row->address / 4 % 32;
		if (!(row->flags & VIV_USER))
			continue;
		for (a = 0; a < row->n1; a++)
			for (b = 0; b < row->n2; b++)
				allow(states, row->address + a * row->s1 + b * row->s2,
				      check_addresses && row->kind == VIV_KIND_ADDR);
	}
}

static enum vivante_refusal refuse(struct vivante_check *check, unsigned int index,
				   unsigned int state, enum vivante_refusal why)
{
	check->index = index;
	check->state = state * 4;
	return why;
}

static int is_set(const unsigned int *map, unsigned int state)
{
	return map[state / 32] >> state % 32 & 1;
}

/* Is one of the states from first on special? They are all within the map. */
static int any_special(const unsigned int *map, unsigned int first, unsigned int num)
{
	unsigned int last = first + num - 1;
	unsigned int head = ~0u << first % 32, tail = ~0u >> (31 - last % 32), i;

	if (first / 32 == last / 32)
		return (map[first / 32] & head & tail) != 0;
	if (map[first / 32] & head || map[last / 32] & tail)
		return 1;
	for (i = first / 32 + 1; i < last / 32; i++) {
		if (map[i])
			return 1;
	}
	return 0;
}

static enum vivante_refusal check_special(struct vivante_check *check, const unsigned int *words,
					  unsigned int index, unsigned int first, unsigned int num)
{
	const struct vivante_states *states = check->states;
	int fixed_point = (words[index] & VIV_FE_LOAD_STATE_HEADER_FIXP) != 0;
	unsigned int i;

	for (i = 0; i < num; i++) {
		unsigned int at = index + 1 + i;

		if (is_set(states->zero, first + i) && !words[at])
			continue;
		if (is_set(states->refused, first + i))
			return refuse(check, at, first + i, VIVANTE_BAD_STATE);
		if (!is_set(states->special, first + i))
			continue;
		if (fixed_point)
			return refuse(check, at, first + i, VIVANTE_BAD_FIXED_POINT);
		if (check->address_ok && !check->address_ok(check->data, at, words[at]))
			return refuse(check, at, first + i, VIVANTE_BAD_ADDRESS);
	}
	return VIVANTE_OK;
}

/* The words of a LOAD_STATE are all there. */
static enum vivante_refusal check_load(struct vivante_check *check, const unsigned int *words,
				       unsigned int index)
{
	unsigned int first = VIV_GET(VIV_FE_LOAD_STATE_HEADER_OFFSET, words[index]);
	unsigned int num = viv_fe_load_count(words[index]);

	if (first + num > NUM_STATES)
		return refuse(check, index, first, VIVANTE_BAD_STATE);
	if (!any_special(check->states->special, first, num))
		return VIVANTE_OK;
	return check_special(check, words, index, first, num);
}

/* Most of a stream: a load of one state that is not special. */
static int is_plain_load(const unsigned int *special, unsigned int header)
{
	const unsigned int mask = VIV_MASK(VIV_FE_OPCODE) |
				  VIV_MASK(VIV_FE_LOAD_STATE_HEADER_COUNT);

	return (header & mask) == (VIV_FE_COMMAND(LOAD_STATE) |
				   VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1)) &&
	       !is_set(special, VIV_GET(VIV_FE_LOAD_STATE_HEADER_OFFSET, header));
}

/* What of a command's words needs a look, LOAD_STATE aside; they are all there. */
static enum vivante_refusal check_words(struct vivante_check *check, const unsigned int *words,
					unsigned int index)
{
	unsigned int opcode = VIV_GET(VIV_FE_OPCODE, words[index]);

	/* An FE that does not know the words behind the rectangles takes them for commands. */
	if (opcode == FE_OPCODE_DRAW_2D && VIV_GET(VIV_FE_DRAW_2D_HEADER_DATA_COUNT, words[index]))
		return refuse(check, index, 0, VIVANTE_BAD_DATA);
	if (opcode == FE_OPCODE_DRAW_INDIRECT && check->address_ok &&
	    !check->address_ok(check->data, index + 1, words[index + 1]))
		return refuse(check, index + 1, 0, VIVANTE_BAD_ADDRESS);
	return VIVANTE_OK;
}

/**
 * vivante_commands - the commands that a client's stream may have
 * @has: bit n: chip and pipe of the job have &enum viv_need n
 *
 * Return: bit n: opcode n, for &vivante_check.commands.
 */
unsigned int vivante_commands(unsigned int has)
{
	unsigned int i, commands = 0;

	has |= 1u << VIV_NEEDS_NOTHING;
	for (i = 0; i < NUM_COMMANDS; i++) {
		const struct command_row *row = &command_rows[i];

		if (row->flags & VIV_USER && has >> row->need & 1)
			commands |= 1u << row->opcode;
	}
	return commands;
}

/**
 * vivante_check_stream - may a client have this run?
 * @check: how; says where, when it may not
 * @words: the stream, as FE will fetch it
 * @count: of @words
 *
 * Return: VIVANTE_OK, or why not.
 */
enum vivante_refusal vivante_check_stream(struct vivante_check *check, const unsigned int *words,
					  unsigned int count)
{
	const unsigned int *special = check->states->special;
	unsigned int index = 0;

	while (index < count) {
		unsigned int opcode, length;
		enum vivante_refusal ret;

		if (is_plain_load(special, words[index]) && count - index >= 2) {
			index += 2;
			continue;
		}
		opcode = VIV_GET(VIV_FE_OPCODE, words[index]);
		length = viv_fe_command_words(words[index]);
		if (!(check->commands >> opcode & 1))
			return refuse(check, index, 0, VIVANTE_BAD_OPCODE);
		if (length > count - index)
			return refuse(check, index, 0, VIVANTE_BAD_LENGTH);
		if (opcode == FE_OPCODE_LOAD_STATE)
			ret = check_load(check, words, index);
		else
			ret = check_words(check, words, index);
		if (ret != VIVANTE_OK)
			return ret;
		index += length;
	}
	return VIVANTE_OK;
}

/* For messages. */
const char *vivante_refusal_text(enum vivante_refusal refusal)
{
	static const char * const text[] = {
		[VIVANTE_OK] = "no error",
		[VIVANTE_BAD_OPCODE] = "command not allowed",
		[VIVANTE_BAD_LENGTH] = "command runs past the end",
		[VIVANTE_BAD_STATE] = "state not allowed",
		[VIVANTE_BAD_ADDRESS] = "address outside of the job's buffers",
		[VIVANTE_BAD_FIXED_POINT] = "fixed-point load of an address",
		[VIVANTE_BAD_DATA] = "DRAW_2D with inline data",
	};

	return text[refusal];
}
