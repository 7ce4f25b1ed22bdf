// SPDX-License-Identifier: MIT
/* Utgard GP: words to text. */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

/* What the operands need to know of their place. */
struct gp_writer {
	const struct isa_bits *previous;	/* NULL in the first instruction */
	unsigned int index;
};

static void write_store(const struct isa_bits *b, unsigned int second, unsigned int unit,
			struct isa_text *text)
{
	static const uint8_t code[] = { 0, 1, 2, 3, GP_STORE_PASS, GP_STORE_COMPLEX };
	unsigned int src = isa_get(b, second ? GP_store1_src_z : GP_store0_src_x, 6);
	bool lo = (src & 7) == code[unit], hi = src >> 3 == code[unit];
	unsigned int addr = second ? gp_get(b, store1_addr) : gp_get(b, store0_addr);

	if (!lo && !hi)
		return;
	if (second ? gp_get(b, store1_temporary) : gp_get(b, store0_temporary))
		isa_printf(text, "/t[addr0].");
	else if (second ? gp_get(b, store1_varying) : gp_get(b, store0_varying))
		isa_printf(text, "/v%u.", addr);
	else
		isa_printf(text, "/$%u.", addr);
	if (lo)
		isa_printf(text, "%c", second ? 'z' : 'x');
	if (hi)
		isa_printf(text, "%c", second ? 'w' : 'y');
}

static void write_source(const struct gp_writer *w, const struct isa_bits *b, unsigned int src,
			 bool ident, unsigned int unit, struct isa_text *text)
{
	static const uint8_t p1[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_P };
	static const uint8_t p2[] = { GP_P, GP_A0, GP_A1, GP_M0, GP_M1 };
	int base = (int)w->index * GP_RESULTS;
	char c = "xyzw"[src & 3];

	if (src >= GP_SRC_P1_REG0 && w->previous)
		isa_printf(text, "^%c%u.%c", gp_get(w->previous, register0_attribute) ? 'a' : '$',
			   gp_get(w->previous, register0_addr), c);
	else if (src >= GP_SRC_P1_REG0)
		isa_printf(text, "?%u", src);
	else if (src >= GP_SRC_P2_PASS)
		isa_printf(text, "^%d", base - 2 * GP_RESULTS + p2[src - GP_SRC_P2_PASS]);
	else if (src == GP_SRC_IDENT && ident)
		isa_printf(text, "%u", unit == GP_A0 || unit == GP_A1 ? 0 : 1);
	else if (src == GP_SRC_P1_COMPLEX)
		isa_printf(text, "^%d", base - GP_RESULTS + GP_C);
	else if (src == GP_SRC_UNUSED)
		isa_printf(text, "unused");
	else if (src >= GP_SRC_P1_ACC0)
		isa_printf(text, "^%d", base - GP_RESULTS + p1[src - GP_SRC_P1_ACC0]);
	else if (src >= GP_SRC_LOAD) {
		unsigned int off = gp_get(b, load_offset);

		isa_printf(text, "t[%u", gp_get(b, load_addr));
		if (off >= 1 && off <= 3)
			isa_printf(text, "+addr%u", off);
		else if (off != 7)
			isa_printf(text, "+unk%u", off);
		isa_printf(text, "].%c", c);
	} else if (src >= GP_SRC_UNKNOWN)
		isa_printf(text, "unknown%u", src - GP_SRC_UNKNOWN);
	else if (src >= GP_SRC_REG1)
		isa_printf(text, "$%u.%c", gp_get(b, register1_addr), c);
	else if (gp_get(b, register0_attribute))
		isa_printf(text, "a%u.%c", gp_get(b, register0_addr), c);
	else
		isa_printf(text, "$%u.%c:0", gp_get(b, register0_addr), c);
}

void gp_write(void *ctx, const struct isa_bits *b, const struct isa_op *op, char letter,
	      struct isa_text *text)
{
	const struct gp_writer *w = ctx;
	unsigned int unit = op->unit, place, neg;

	switch (letter) {
	case 'D':
		unit = unit == GP_M01 ? GP_M0 : unit;
		isa_printf(text, "^%u", w->index * GP_RESULTS + unit);
		write_store(b, 0, unit, text);
		write_store(b, 1, unit, text);
		if (unit == GP_C && gp_get(b, complex_op) >= GP_COMPLEX_ADDR0)
			isa_printf(text, "/addr%u", gp_get(b, complex_op) - GP_COMPLEX_ADDR0);
		break;
	case 'P':
		isa_printf(text, "^%u", w->index * GP_RESULTS + GP_P);
		break;
	case 'T':
		isa_printf(text, "%03u", gp_get(b, branch_target) + (gp_get(b, branch_target_lo) ? 0 : 256));
		break;
	case 'X':
	case 'Y':
		write_source(w, b, GP_SRC_LOAD + (letter == 'Y'), false, unit, text);
		break;
	default:
		place = gp_operand_place(unit, letter, &neg);
		if (neg && isa_get(b, neg, 1))
			isa_printf(text, "-");
		write_source(w, b, isa_get(b, place, 5), gp_source_is_ident(unit, letter), unit, text);
	}
}

static void write_instruction(const struct isa *isa, const struct isa_bits *all, unsigned int i,
			      const struct isa_bits *came_out, struct isa_text *text)
{
	static const uint8_t order[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_M01, GP_C, GP_P, GP_BR };
	struct gp_writer w = { i ? &all[i - 1] : NULL, i };
	size_t start;

	isa_printf(text, "%03u:", i);
	start = text->length;
	for (unsigned int u = 0; u < sizeof(order); u++) {
		const struct isa_op *op;

		if (!gp_unit_used(&all[i], order[u]))
			continue;
		op = isa_match_op(isa, order[u], &all[i]);
		if (!op)
			continue;
		isa_printf(text, "\t");
		isa_write_op(isa, &w, &all[i], op, text);
		isa_printf(text, "\n");
	}
	if (came_out)
		isa_write_sets(isa, 0, &all[i], came_out, "\t", "\n", text);
	if (text->length == start)
		isa_printf(text, "\tnop\n");
}

/* Where the text of the next instruction begins: behind this line and those that go on with a tab. */
static const char *next_instruction(const char *p)
{
	do
		p += strcspn(p, "\n") + 1;
	while (*p == '\t');
	return p;
}

/* first: the text without "set"; what came out as it was keeps its lines. */
static char *write_all(const struct isa *isa, const struct isa_bits *all, size_t count,
		       const struct isa_bits *came_out, const uint32_t *rest, size_t rest_count,
		       const char *first)
{
	struct isa_text text = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *next = first ? next_instruction(first) : NULL;

		if (first && !memcmp(&came_out[i], &all[i], sizeof(all[i])))
			isa_append(&text, first, next - first);
		else
			write_instruction(isa, all, i, came_out ? &came_out[i] : NULL, &text);
		first = next;
	}
	for (size_t i = 0; i < rest_count; i++)
		isa_printf(&text, i ? " 0x%08x" : ".word 0x%08x", rest[i]);
	isa_printf(&text, rest_count ? "\n" : "");
	return isa_text_finish(&text);
}

char *gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count)
{
	const struct isa_bits *all = (const void *)words;
	size_t n = count / 4;
	struct isa_messages messages;
	uint32_t *came_out;
	size_t came_count;
	char *text = NULL, *first;
	int err;

	/* First without "set" lines: what that assembles to says which are needed. */
	first = write_all(isa, all, n, NULL, NULL, 0, NULL);
	if (!first)
		return NULL;
	err = isa_asm(isa, first, strlen(first), &came_out, &came_count, &messages);
	isa_messages_free(&messages);
	if (!err && came_count == n * 4)
		text = write_all(isa, all, n, (const void *)came_out, words + n * 4, count % 4, first);
	free(first);
	free(came_out);
	return text;
}
