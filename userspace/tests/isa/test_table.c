// SPDX-License-Identifier: MIT
/*
 * The tables themselves: fields cover every bit once, every bit pattern has a
 * row, no row is hidden behind others, and the simulators know what every row
 * does that the table does not call unknown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_pp.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "tests/isa/random.h"

static unsigned int block_bits(const struct isa *isa, unsigned int block)
{
	unsigned int bits = 0;

	for (unsigned int f = 0; f < isa->form_count; f++)
		for (unsigned int i = 0; isa->forms[f].block == block && i < isa->forms[f].count; i++) {
			const struct isa_field *field = &isa->forms[f].fields[i];

			bits = field->lo + field->width > bits ? field->lo + field->width : bits;
		}
	return bits;
}

static void fields_cover(const struct isa *isa)
{
	for (unsigned int f = 0; f < isa->form_count; f++) {
		const struct isa_form *form = &isa->forms[f];
		uint8_t seen[128] = { 0 };
		unsigned int bits = block_bits(isa, form->block);

		for (unsigned int i = 0; i < form->count; i++) {
			const struct isa_field *fd = &form->fields[i];

			assert_true(fd->width >= 1 && fd->width <= 32 && fd->lo + fd->width <= bits);
			assert_true(fd->width == 32 || fd->reset < 1u << fd->width);
			for (unsigned int b = fd->lo; b < fd->lo + fd->width; b++) {
				if (seen[b]++)
					fail_msg("%s.%s: bit %u has two fields", form->name, fd->name, b);
			}
			for (unsigned int k = 0; k < i; k++)
				assert_string_not_equal(fd->name, form->fields[k].name);
		}
		for (unsigned int b = 0; b < bits; b++)
			if (!seen[b])
				fail_msg("%s: bit %u has no field", form->name, b);
	}
}

static void test_fields(void **state)
{
	for (unsigned int k = 0; limn_isa_at(k); k++)
		fields_cover(limn_isa_at(k));
	for (unsigned int b = 0; b < PP_BLOCKS; b++)
		assert_int_equal(pp_bits[b], block_bits(&isa_utgard_pp, b));
}

/* Random bits that satisfy the row's match. */
static struct isa_bits sample(const struct isa *isa, const struct isa_op *op)
{
	struct isa_bits b;
	unsigned int bits = block_bits(isa, isa->forms[op->form].block);

	for (int i = 0; i < 4; i++)
		b.w[i] = random_word();
	for (unsigned int i = bits; i < 128; i++)
		isa_put(&b, i, 1, 0);
	for (int i = 0; i < 3 && op->match[i].width; i++)
		isa_put(&b, op->match[i].lo, op->match[i].width, op->match[i].value);
	return b;
}

static void every_row_is_reached(const struct isa *isa)
{
	for (unsigned int i = 0; i < isa->op_count; i++) {
		const struct isa_op *op = &isa->ops[i];
		bool reached = false;

		for (int n = 0; n < 2000 && !reached; n++) {
			struct isa_bits b = sample(isa, op);

			reached = isa_match_op(isa, op->unit, &b) == op;
		}
		/* Rows of m1 beside complex2 have the text of those beside mul. */
		if (!reached)
			fail_msg("row %u, \"%s\", is hidden by rows before it", i, op->pattern);
	}
}

static void test_rows_are_reached(void **state)
{
	random_seed();
	for (unsigned int k = 0; limn_isa_at(k); k++)
		every_row_is_reached(limn_isa_at(k));
}

static void test_every_pattern_has_a_row(void **state)
{
	random_seed();
	for (int n = 0; n < 20000; n++) {
		static const uint8_t gp[] = { GP_A0, GP_A1, GP_P };
		struct isa_bits b = { { random_word(), random_word(), random_word(), random_word() } };

		for (unsigned int i = 0; i < sizeof(gp); i++)
			assert_non_null(isa_match_op(&isa_utgard_gp, gp[i], &b));
		for (unsigned int u = GP_M0; u < GP_UNITS; u++)
			if (u != GP_RESULTS && gp_unit_op(&b, u))
				assert_non_null(isa_match_op(&isa_utgard_gp, u, &b));
		for (unsigned int u = 1; u < PP_BLOCKS; u++)
			assert_non_null(isa_match_op(&isa_utgard_pp, u, &b));
		assert_non_null(isa_match_op(&isa_vivante, 0, &b));
	}
}

static bool called_unknown(const struct isa_op *op)
{
	return !isa_has_semantics(op);
}

/* Does the GP simulator take this row's op for unknown? Sources are ordinary ones. */
static bool gp_sim_unknown(const struct isa_op *op)
{
	struct gpsim_program *prog;
	bool unknown, negated;
	struct isa_bits b;

	isa_reset(&isa_utgard_gp, 0, &b);
	for (int i = 0; i < 3 && op->match[i].width; i++)
		isa_put(&b, op->match[i].lo, op->match[i].width, op->match[i].value);
	for (const char *l = "ABCE"; *l; l++) {
		const struct isa_operand *o = isa_operand_of(&isa_utgard_gp, op, *l);

		if (o && o->at[0].width && gp_source(&b, op, *l, &negated) == GP_SRC_UNUSED)
			isa_put(&b, o->at[0].lo, o->at[0].width, 0);
	}
	prog = gpsim_decode(b.w, 1);
	assert_non_null(prog);
	unknown = gpsim_notes(prog)->count;
	gpsim_free(prog);
	return unknown;
}

static bool pp_sim_unknown(const struct isa_op *op)
{
	unsigned int bits = pp_bits[op->unit], words = 1 + (bits + 31) / 32;
	struct isa_bits b;
	uint32_t code[5] = { words | 1u << 5 | 1u << (6 + op->unit) };
	struct ppsim_program *prog;
	bool unknown;

	isa_reset(&isa_utgard_pp, op->form, &b);
	if (strstr(op->pattern, "op%n"))
		isa_put(&b, op->unit == PP_COMBINE ? 2 : bits == 30 || bits == 31 ? 25 : 38,
			op->unit == PP_COMBINE ? 4 : 5, op->unit == PP_COMBINE ? 12 : 0x1a);
	for (int i = 0; i < 3 && op->match[i].width; i++)
		isa_put(&b, op->match[i].lo, op->match[i].width, op->match[i].value);
	memcpy(code + 1, b.w, (words - 1) * 4);
	prog = ppsim_decode_words(code, words);
	assert_non_null(prog);
	unknown = ppsim_notes(prog)->count;
	ppsim_free(prog);
	return unknown;
}

/* No op without semantics, and none that the simulator guesses at without the table saying so. */
static void test_semantics(void **state)
{
	for (unsigned int i = 0; i < isa_utgard_gp.op_count; i++) {
		const struct isa_op *op = &isa_utgard_gp.ops[i];

		if (gp_sim_unknown(op) != called_unknown(op))
			fail_msg("GP \"%s\": table says %sknown, simulator does not agree", op->pattern,
				 called_unknown(op) ? "un" : "");
	}
	for (unsigned int i = 0; i < isa_utgard_pp.op_count; i++) {
		const struct isa_op *op = &isa_utgard_pp.ops[i];

		if (op->unit != PP_CTRL && pp_sim_unknown(op) != called_unknown(op))
			fail_msg("PP \"%s\": table says %sknown, simulator does not agree", op->pattern,
				 called_unknown(op) ? "un" : "");
	}
}

/* Each letter of a pattern has an operand, whose bits lie in its form, with a reader and a writer. parts: come first. */
static void operands_are_whole(const struct isa *isa, const struct isa_op *op, const char *pattern, const struct isa_operand *parts)
{
	unsigned int bits = block_bits(isa, isa->forms[op->form].block);

	for (const char *p = pattern; *p; p++) {
		const struct isa_operand *o = parts;

		if (*p != '%')
			continue;
		for (p++; o && o->letter && o->letter != *p; o++)
			;
		o = o && o->letter ? o : isa_operand_of(isa, op, *p);
		if (!o)
			fail_msg("%s: \"%s\": there is no operand %c", limn_isa_name(isa), op->pattern, *p);
		for (unsigned int i = 0; i < ISA_PLACES; i++)
			if (o->at[i].lo + o->at[i].width > bits)
				fail_msg("%s: \"%s\": operand %c lies outside of its %u bits", limn_isa_name(isa), op->pattern, *p, bits);
		if (o->kind == ISA_CUSTOM && (!o->read || !o->write))
			fail_msg("%s: operand %c is not read, or not written", limn_isa_name(isa), *p);
		if (o->kind == ISA_NAMES && !o->names)
			fail_msg("%s: operand %c has no names", limn_isa_name(isa), *p);
		for (const struct isa_operand_row *row = o->rows; o->kind == ISA_ROWS && row->pattern; row++)
			operands_are_whole(isa, op, row->pattern, o->list);
	}
}

/* An op without semantics has a reason, and meaning and reason are not in one column. */
static void test_rows_are_whole(void **state)
{
	for (unsigned int k = 0; limn_isa_at(k); k++) {
		const struct isa *isa = limn_isa_at(k);

		for (unsigned int i = 0; isa->operands && i < isa->op_count; i++) {
			const struct isa_op *op = &isa->ops[i];

			operands_are_whole(isa, op, op->pattern, NULL);
			assert_true(op->form < isa->form_count);
			assert_non_null(op->note);
			if (!strncmp(op->note, "unknown", 7))
				fail_msg("%s: \"%s\": why it is not executed is the column why", limn_isa_name(isa), op->pattern);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_rows_are_reached),
		cmocka_unit_test(test_every_pattern_has_a_row),
		cmocka_unit_test(test_semantics),
		cmocka_unit_test(test_rows_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
