// SPDX-License-Identifier: MIT
/* Utgard GP: words to text. */
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/memo.h"
#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

/* The longest instruction: eight lines, or a "set" for every field. */
#define INSTRUCTION_TEXT	4096

struct gp_writer {
	const struct isa *isa;
	const struct isa_plan *plans;
	const struct isa_unit_rows *rows;
	struct isa_draft *draft;
	const char *text;			/* that the draft's offsets count in */
	const struct isa_bits *b, *previous;	/* previous: NULL in the first instruction */
	struct isa_counter label, results;	/* results: Mesa's numbers, six to an instruction; its first */
	struct isa_bits reset;
	struct isa_tell tell;
	uint32_t read;				/* bit by source code */
};

/* ".x" for 0 */
static char *write_component(unsigned int component, char *to)
{
	*to = '.';
	to[1] = "xyzw"[component & 3];
	return to + 2;
}

/* A result: so many after this instruction's first. */
static inline char *write_result(const struct gp_writer *w, int delta, char *to)
{
	return isa_draft_number(w->draft, w->text, isa_emit_char(to, '^'), &w->results, delta);
}

static char *write_store(struct gp_writer *w, unsigned int second, unsigned int code, char *to)
{
	const struct isa_bits *b = w->b;
	unsigned int at = second ? GP_store1_src_z : GP_store0_src_x, src = isa_get(b, at, 6);
	bool lo = (src & 7) == code, hi = src >> 3 == code;

	if (!lo && !hi)
		return to;
	if (lo)
		isa_put(&w->tell.told, at, 3, 7);
	if (hi)
		isa_put(&w->tell.told, at + 3, 3, 7);
	isa_put(&w->tell.told, second ? GP_store1_temporary : GP_store0_temporary, 1, 1);
	if (second ? gp_get(b, store1_temporary) : gp_get(b, store0_temporary)) {
		gp_put(&w->tell.said, unknown_1, GP_UNKNOWN_1_STORE);
		to = isa_emit(to, "/t[addr0].");
	} else {
		bool varying = second ? gp_get(b, store1_varying) : gp_get(b, store0_varying);

		isa_put(&w->tell.told, second ? GP_store1_addr : GP_store0_addr, 4, 15);
		isa_put(&w->tell.told, second ? GP_store1_varying : GP_store0_varying, 1, 1);
		to = varying ? isa_emit(to, "/v") : isa_emit(to, "/$");
		to = isa_emit_uint(to, second ? gp_get(b, store1_addr) : gp_get(b, store0_addr));
		to = isa_emit_char(to, '.');
	}
	if (lo)
		to = isa_emit_char(to, second ? 'z' : 'x');
	if (hi)
		to = isa_emit_char(to, second ? 'w' : 'y');
	return to;
}

static inline char *write_destination(struct gp_writer *w, unsigned int unit, char *to)
{
	static const uint8_t code[GP_UNITS] = { 0, 1, 2, 3, GP_STORE_PASS, GP_STORE_COMPLEX };
	unsigned int none = GP_STORE_NONE | GP_STORE_NONE << 3 | GP_STORE_NONE << 6 | GP_STORE_NONE << 9;

	to = write_result(w, unit, to);
	if (isa_get(w->b, GP_store0_src_x, 12) != none) {
		to = write_store(w, 0, code[unit], to);
		to = write_store(w, 1, code[unit], to);
	}
	if (unit == GP_C && gp_get(w->b, complex_op) >= GP_COMPLEX_ADDR0)
		to = isa_emit_uint(isa_emit(to, "/addr"), gp_get(w->b, complex_op) - GP_COMPLEX_ADDR0);
	return to;
}

static char *write_load(const struct isa_bits *b, char *to)
{
	unsigned int off = gp_get(b, load_offset);

	to = isa_emit_uint(isa_emit(to, "t["), gp_get(b, load_addr));
	if (off != 7) {
		to = off >= 1 && off <= 3 ? isa_emit(to, "+addr") : isa_emit(to, "+unk");
		to = isa_emit_uint(to, off);
	}
	return isa_emit_char(to, ']');
}

static char *write_source(struct gp_writer *w, unsigned int src, bool ident, unsigned int unit, char *to)
{
	static const int8_t result[32] = {
		[GP_SRC_P1_ACC0] = GP_A0 - GP_RESULTS, [GP_SRC_P1_ACC1] = GP_A1 - GP_RESULTS,
		[GP_SRC_P1_MUL0] = GP_M0 - GP_RESULTS, [GP_SRC_P1_MUL1] = GP_M1 - GP_RESULTS,
		[GP_SRC_P1_PASS] = GP_P - GP_RESULTS, [GP_SRC_P1_COMPLEX] = GP_C - GP_RESULTS,
		[GP_SRC_P2_PASS] = GP_P - 2 * GP_RESULTS, [GP_SRC_P2_ACC0] = GP_A0 - 2 * GP_RESULTS,
		[GP_SRC_P2_ACC1] = GP_A1 - 2 * GP_RESULTS, [GP_SRC_P2_MUL0] = GP_M0 - 2 * GP_RESULTS,
		[GP_SRC_P2_MUL1] = GP_M1 - 2 * GP_RESULTS,
	};
	const struct isa_bits *b = w->b;

	w->read |= 1u << src;
	if (src == GP_SRC_IDENT && ident)
		return isa_emit_char(to, unit == GP_A0 || unit == GP_A1 ? '0' : '1');
	if (result[src])
		return write_result(w, result[src], to);
	if (src == GP_SRC_UNUSED)
		return isa_emit(to, "unused");
	if (src >= GP_SRC_P1_REG0 && !w->previous)
		return isa_emit_uint(isa_emit_char(to, '?'), src);
	if (src >= GP_SRC_P1_REG0) {
		to = gp_get(w->previous, register0_attribute) ? isa_emit(to, "^a") : isa_emit(to, "^$");
		to = isa_emit_uint(to, gp_get(w->previous, register0_addr));
	} else if (src >= GP_SRC_LOAD) {
		to = write_load(b, to);
	} else if (src >= GP_SRC_UNKNOWN) {
		return isa_emit_uint(isa_emit(to, "unknown"), src - GP_SRC_UNKNOWN);
	} else if (src >= GP_SRC_REG1) {
		to = isa_emit_uint(isa_emit_char(to, '$'), gp_get(b, register1_addr));
	} else {
		bool attribute = gp_get(b, register0_attribute);

		to = isa_emit_char(to, attribute ? 'a' : '$');
		to = write_component(src, isa_emit_uint(to, gp_get(b, register0_addr)));
		return attribute ? to : isa_emit(to, ":0");
	}
	return write_component(src, to);
}

static inline __attribute__((always_inline)) char *write_operand(struct gp_writer *w, unsigned int unit, char letter,
								 char *to)
{
	unsigned int place, neg, target;

	switch (letter) {
	case 'D':
		return write_destination(w, unit == GP_M01 ? GP_M0 : unit, to);
	case 'P':
		return write_result(w, GP_P, to);
	case 'T':
		target = gp_get(w->b, branch_target) + (gp_get(w->b, branch_target_lo) ? 0 : 256);
		to = target < 100 ? isa_emit_char(to, '0') : to;
		return isa_emit_uint(target < 10 ? isa_emit_char(to, '0') : to, target);
	case 'X':
	case 'Y':
		return write_source(w, GP_SRC_LOAD + (letter == 'Y'), false, unit, to);
	case 'A': case 'B': case 'C': case 'E':
		place = gp_operand_place(unit, letter, &neg);
		if (neg && isa_get(w->b, neg, 1))
			to = isa_emit_char(to, '-');
		return write_source(w, isa_get(w->b, place, 5), gp_source_is_ident(unit, letter), unit, to);
	}
	return to;
}

void gp_tells(const struct isa_op *op, char letter, struct isa_bits *told)
{
	unsigned int place, neg;

	switch (letter) {
	case 'D':
		/* Text of multiplier 1 alone means a plain product; beside 0 it has that one's code. */
		if (op->unit == GP_M1)
			gp_put(told, mul_op, 0);
		break;
	case 'T':
		gp_put(told, branch_target, ~0u);
		gp_put(told, branch_target_lo, ~0u);
		break;
	case 'A': case 'B': case 'C': case 'E':
		place = gp_operand_place(op->unit, letter, &neg);
		isa_put(told, place, 5, ~0u);
		if (neg)
			isa_put(told, neg, 1, 1);
		break;
	}
}

/* Sources that say what the instruction loads. */
#define READ_REG0	0x0000000fu
#define READ_REG1	0x000000f0u
#define READ_LOAD	0x0000f000u
#define READ_PREVIOUS	0xf0000000u

/* One unit's line. Inline, so that the places of its operands are constants. */
static inline __attribute__((always_inline)) char *write_unit(struct gp_writer *w, unsigned int unit, char *to)
{
	const struct isa_plan *plan;
	unsigned int row;

	if (!gp_unit_used(w->b, unit))
		return to;
	row = isa_direct_row(&w->rows[unit], w->b);
	if (row == ISA_NO_ROW)
		return to;
	plan = &w->plans[row];
	isa_tell(&w->tell.told, &plan->told);
	to = isa_emit_char(to, '\t');
	for (unsigned int i = 0; i < plan->count; i++) {
		to = isa_emit_literal(to, &plan->pieces[i]);
		to = write_operand(w, unit, plan->pieces[i].letter, to);
	}
	return isa_emit_char(to, '\n');
}

static char *write_units(struct gp_writer *w, char *to)
{
	struct isa_bits *told = &w->tell.told;

	w->read = 0;
	memset(told, 0, sizeof(*told));
	w->tell.said = w->reset;
	to = write_unit(w, GP_A0, to);
	to = write_unit(w, GP_A1, to);
	to = write_unit(w, GP_M0, to);
	to = write_unit(w, GP_M1, to);
	to = write_unit(w, GP_M01, to);
	to = write_unit(w, GP_C, to);
	to = write_unit(w, GP_P, to);
	to = write_unit(w, GP_BR, to);
	if (w->read & READ_REG0) {
		gp_put(told, register0_addr, ~0u);
		gp_put(told, register0_attribute, ~0u);
	}
	if (w->read & READ_REG1)
		gp_put(told, register1_addr, ~0u);
	if (w->read & READ_LOAD) {
		gp_put(told, load_addr, ~0u);
		gp_put(told, load_offset, ~0u);
	}
	return to;
}

/* Does the text of this instruction name what register unit 0 loaded before it? */
static bool reads_previous(const struct gp_writer *w, const struct isa_bits *b)
{
	struct gp_writer probe = *w;
	char text[INSTRUCTION_TEXT];

	probe.b = b;
	probe.draft = NULL;
	write_units(&probe, text);
	return probe.read & READ_PREVIOUS;
}

/* next: NULL for the last instruction. False in *alone: the text is not for others of the same words. */
static char *write_instruction(struct gp_writer *w, const struct isa_bits *next, bool *alone, char *to)
{
	char *start = to;

	*alone = true;
	to = write_units(w, to);
	if (!isa_all_told(w->b, &w->tell)) {
		if (!(w->read & READ_REG0) && (gp_get(w->b, register0_addr) || gp_get(w->b, register0_attribute))) {
			*alone = false;
			if (next && reads_previous(w, next)) {
				gp_put(&w->tell.told, register0_addr, ~0u);
				gp_put(&w->tell.told, register0_attribute, ~0u);
			}
		}
		to = isa_emit_sets(w->isa, 0, w->b, &w->tell, "\t", "\n", to);
	}
	return to == start ? isa_emit(to, "\tnop\n") : to;
}

static void disassemble_one(struct gp_writer *w, struct isa_memo *memo, const struct isa_bits *next,
			    struct isa_text *text)
{
	uint32_t key[5] = { w->b->w[0], w->b->w[1], w->b->w[2], w->b->w[3], ~0u };
	struct isa_draft draft;
	bool alone;
	char *to = text->data + text->length;

	to = isa_emit_char(isa_emit_column(to, &w->label, 3, '0'), ':');
	text->length = to - text->data;
	/* The text names what register unit 0 of the one before loads. */
	if (w->previous)
		key[4] = gp_get(w->previous, register0_addr) << 1 | gp_get(w->previous, register0_attribute);
	if (isa_memo_write(memo, key, 5, &w->results, text))
		return;
	isa_draft_begin(&draft, text);
	w->draft = isa_memo_again(memo) ? &draft : NULL;
	w->text = text->data;
	to = write_instruction(w, next, &alone, to);
	text->length = to - text->data;
	if (alone && w->draft)
		isa_memo_keep(memo, key, 5, &draft, text);
}

void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	const struct isa_bits *all = (const void *)words;
	struct gp_writer w = { .isa = isa, .plans = isa_plans(isa), .rows = isa_units(isa) };
	size_t n = count / 4;
	struct isa_memo *memo = n > ISA_MEMO_FEW ? isa_memo_new() : NULL;

	text->failed |= !w.plans || !w.rows;
	isa_reset(isa, 0, &w.reset);
	for (size_t i = 0; i < n && isa_text_room(text, INSTRUCTION_TEXT); i++) {
		w.b = &all[i];
		isa_counter_set(&w.label, i);
		isa_counter_set(&w.results, i * GP_RESULTS);
		disassemble_one(&w, memo, i + 1 < n ? &all[i + 1] : NULL, text);
		w.previous = w.b;
		isa_text_pause(text);
	}
	if (count % 4) {
		isa_line_words(words + n * 4, count % 4, text);
		isa_putc(text, '\n');
	}
	isa_memo_free(memo);
}
