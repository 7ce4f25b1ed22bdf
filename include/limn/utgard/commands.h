/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The rows of limn/utgard/commands.inc as constants: LIST_NAME__OP of a command,
 * LIST_NAME_OPERAND__BIT and __WIDTH of an operand, for utgard_get() on its two words
 * and for what puts a command together:
 *
 *	UTGARD_COMMAND(VS_DRAW) | UTGARD_OPERAND(VS_DRAW_COUNT, 3)
 */
#ifndef LIMN_UTGARD_COMMANDS_H
#define LIMN_UTGARD_COMMANDS_H

#include <limn/utgard/field.h>

enum {
#define UTG_COMMAND(list, name, bits, opcode, text) list##_##name##__OP = opcode, list##_##name##__BITS = bits,
#define UTG_OPERAND(list, command, name, hi, lo, kind) \
	list##_##command##_##name##__BIT = lo, list##_##command##_##name##__WIDTH = (hi) - (lo) + 1,
#include <limn/utgard/commands.inc>
};

#define UTGARD_COMMAND(c)	((unsigned long long)c##__OP << (64 - c##__BITS))
#define UTGARD_OPERAND(f, v)	(((unsigned long long)(v) & (~0ull >> (64 - f##__WIDTH))) << f##__BIT)
/* The words of a command. */
#define UTGARD_W0(c)		((unsigned int)(c))
#define UTGARD_W1(c)		((unsigned int)((unsigned long long)(c) >> 32))

#endif
