// SPDX-License-Identifier: MIT
/* Utgard GP: words to text. */
#include <stdlib.h>
#include <string.h>

#include "isa/memo.h"
#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

static const struct isa_label_style label = { 0, '0', 3, ":" }, target = { 0, '0', 3, "" };

/* What the operands need to know of their place. */
struct gp_writer {
	const struct isa_bits *previous;	/* NULL in the first instruction */
	unsigned int index;
	struct isa_draft *draft;
};

/* A result by Mesa's number: six to an instruction; delta from this one's first. */
static void write_result(const struct gp_writer *w, int delta, struct isa_text *text)
{
	isa_putc(text, '^');
	isa_draft_number(w->draft, text, w->index * GP_RESULTS, delta);
}

static void write_words(const uint32_t *words, size_t count, struct isa_text *text)
{
	isa_puts(text, ".word");
	for (size_t i = 0; i < count; i++) {
		isa_putc(text, ' ');
		isa_put_hex(text, words[i], 8);
	}
	isa_putc(text, '\n');
}

static void write_component(char c, struct isa_text *text)
{
	isa_putc(text, '.');
	isa_putc(text, c);
}

static void write_store(const struct isa_bits *b, unsigned int second, unsigned int unit,
			struct isa_text *text)
{
	static const uint8_t code[] = { 0, 1, 2, 3, GP_STORE_PASS, GP_STORE_COMPLEX };
	unsigned int src = isa_get(b, second ? GP_store1_src_z : GP_store0_src_x, 6);
	bool lo = (src & 7) == code[unit], hi = src >> 3 == code[unit];
	unsigned int addr = second ? gp_get(b, store1_addr) : gp_get(b, store0_addr);

	if (!lo && !hi)
		return;
	if (second ? gp_get(b, store1_temporary) : gp_get(b, store0_temporary)) {
		isa_puts(text, "/t[addr0].");
	} else {
		isa_puts(text, (second ? gp_get(b, store1_varying) : gp_get(b, store0_varying)) ? "/v" : "/$");
		isa_put_uint(text, addr);
		isa_putc(text, '.');
	}
	if (lo)
		isa_putc(text, second ? 'z' : 'x');
	if (hi)
		isa_putc(text, second ? 'w' : 'y');
}

static void write_load(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int off = gp_get(b, load_offset);

	isa_puts(text, "t[");
	isa_put_uint(text, gp_get(b, load_addr));
	if (off != 7) {
		isa_puts(text, off >= 1 && off <= 3 ? "+addr" : "+unk");
		isa_put_uint(text, off);
	}
	isa_putc(text, ']');
}

static void write_source(const struct gp_writer *w, const struct isa_bits *b, unsigned int src,
			 bool ident, unsigned int unit, struct isa_text *text)
{
	static const uint8_t p1[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_P };
	static const uint8_t p2[] = { GP_P, GP_A0, GP_A1, GP_M0, GP_M1 };
	char c = "xyzw"[src & 3];

	if (src >= GP_SRC_P1_REG0 && w->previous) {
		isa_puts(text, gp_get(w->previous, register0_attribute) ? "^a" : "^$");
		isa_put_uint(text, gp_get(w->previous, register0_addr));
		write_component(c, text);
	} else if (src >= GP_SRC_P1_REG0) {
		isa_putc(text, '?');
		isa_put_uint(text, src);
	} else if (src >= GP_SRC_P2_PASS) {
		write_result(w, p2[src - GP_SRC_P2_PASS] - 2 * GP_RESULTS, text);
	} else if (src == GP_SRC_IDENT && ident) {
		isa_putc(text, unit == GP_A0 || unit == GP_A1 ? '0' : '1');
	} else if (src == GP_SRC_P1_COMPLEX) {
		write_result(w, GP_C - GP_RESULTS, text);
	} else if (src == GP_SRC_UNUSED) {
		isa_puts(text, "unused");
	} else if (src >= GP_SRC_P1_ACC0) {
		write_result(w, p1[src - GP_SRC_P1_ACC0] - GP_RESULTS, text);
	} else if (src >= GP_SRC_LOAD) {
		write_load(b, text);
		write_component(c, text);
	} else if (src >= GP_SRC_UNKNOWN) {
		isa_puts(text, "unknown");
		isa_put_uint(text, src - GP_SRC_UNKNOWN);
	} else if (src >= GP_SRC_REG1) {
		isa_putc(text, '$');
		isa_put_uint(text, gp_get(b, register1_addr));
		write_component(c, text);
	} else {
		bool attribute = gp_get(b, register0_attribute);

		isa_putc(text, attribute ? 'a' : '$');
		isa_put_uint(text, gp_get(b, register0_addr));
		write_component(c, text);
		isa_puts(text, attribute ? "" : ":0");
	}
}

void gp_write(void *ctx, const struct isa_bits *b, const struct isa_op *op, char letter,
	      struct isa_text *text)
{
	const struct gp_writer *w = ctx;
	unsigned int unit = op->unit, place, neg;

	switch (letter) {
	case 'D':
		unit = unit == GP_M01 ? GP_M0 : unit;
		write_result(w, unit, text);
		write_store(b, 0, unit, text);
		write_store(b, 1, unit, text);
		if (unit == GP_C && gp_get(b, complex_op) >= GP_COMPLEX_ADDR0) {
			isa_puts(text, "/addr");
			isa_put_uint(text, gp_get(b, complex_op) - GP_COMPLEX_ADDR0);
		}
		break;
	case 'P':
		write_result(w, GP_P, text);
		break;
	case 'T':
		isa_memo_label(NULL, text, gp_get(b, branch_target) + (gp_get(b, branch_target_lo) ? 0 : 256), &target);
		break;
	case 'X':
	case 'Y':
		write_source(w, b, GP_SRC_LOAD + (letter == 'Y'), false, unit, text);
		break;
	default:
		place = gp_operand_place(unit, letter, &neg);
		if (neg && isa_get(b, neg, 1))
			isa_putc(text, '-');
		write_source(w, b, isa_get(b, place, 5), gp_source_is_ident(unit, letter), unit, text);
	}
}

static const uint8_t order[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_M01, GP_C, GP_P, GP_BR };

/* Does the text of this instruction name what register unit 0 loaded before it? */
static bool reads_previous(const struct isa *isa, const struct isa_bits *b)
{
	for (unsigned int u = 0; u < sizeof(order); u++) {
		const struct isa_op *op = gp_unit_used(b, order[u]) ? isa_match_op(isa, order[u], b) : NULL;
		unsigned int neg;

		for (const char *p = op ? strchr(op->pattern, '%') : NULL; p; p = strchr(p + 2, '%'))
			if (strchr("ABCE", p[1]) &&
			    isa_get(b, gp_operand_place(op->unit, p[1], &neg), 5) >= GP_SRC_P1_REG0)
				return true;
	}
	return false;
}

/*
 * The lines of an instruction behind its label. False: the text depends on the
 * next instruction, and is not for others of the same words.
 */
static bool write_instruction(const struct isa *isa, const struct isa_bits *all, size_t count, size_t i,
			      struct isa_draft *draft, struct isa_text *text)
{
	struct gp_writer w = { i ? &all[i - 1] : NULL, i, draft };
	size_t start = text->length;
	struct isa_bits came_out;
	bool loads, alone = true;

	for (unsigned int u = 0; u < sizeof(order); u++) {
		const struct isa_op *op = gp_unit_used(&all[i], order[u]) ? isa_match_op(isa, order[u], &all[i]) : NULL;

		if (!op)
			continue;
		isa_putc(text, '\t');
		isa_write_op(isa, &w, &all[i], op, text);
		isa_putc(text, '\n');
	}
	/* What the text alone means says which "set" lines are needed. */
	if (!text->failed && gp_read_back(isa, text->data + start, text->length - start, i, &came_out, &loads)) {
		if (!loads && (gp_get(&all[i], register0_addr) || gp_get(&all[i], register0_attribute))) {
			alone = false;
			if (i + 1 < count && reads_previous(isa, &all[i + 1])) {
				gp_put(&came_out, register0_addr, gp_get(&all[i], register0_addr));
				gp_put(&came_out, register0_attribute, gp_get(&all[i], register0_attribute));
			}
		}
		isa_write_sets(isa, 0, &all[i], &came_out, "\t", "\n", text);
		if (text->length == start)
			isa_puts(text, "\tnop\n");
		return alone;
	}
	text->length = start;
	write_words(all[i].w, 4, text);
	return false;
}

void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	const struct isa_bits *all = (const void *)words;
	size_t n = count / 4;
	struct isa_memo *memo = n > ISA_MEMO_FEW ? isa_memo_new() : NULL;
	struct isa_draft draft;

	for (size_t i = 0; i < n && !text->failed; i++) {
		uint32_t key[5] = { all[i].w[0], all[i].w[1], all[i].w[2], all[i].w[3], ~0u };

		/* The text names what register unit 0 of the one before loads. */
		if (i)
			key[4] = gp_get(&all[i - 1], register0_addr) << 1 | gp_get(&all[i - 1], register0_attribute);
		isa_memo_label(memo, text, i, &label);
		if (!isa_memo_write(memo, key, 5, i * GP_RESULTS, text)) {
			isa_draft_begin(&draft, text);
			if (write_instruction(isa, all, n, i, &draft, text))
				isa_memo_keep(memo, key, 5, &draft, text);
		}
		isa_text_pause(text);
	}
	if (count % 4)
		write_words(words + n * 4, count % 4, text);
	isa_memo_free(memo);
}
