// SPDX-License-Identifier: MIT
/* Midgard: the table, text both ways, what is refused, and the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/midgard.h"
#include "tests/isa/random.h"

static void fields_cover(void **state)
{
	for (unsigned int f = 0; f < isa_midgard.form_count; f++) {
		const struct isa_form *form = &isa_midgard.forms[f];
		unsigned int bits = md_bits[form->block];
		uint8_t seen[128] = { 0 };

		for (unsigned int i = 0; i < form->count; i++) {
			const struct isa_field *fd = &form->fields[i];

			assert_true(fd->width >= 1 && fd->lo + fd->width <= bits);
			assert_true(fd->width == 32 || fd->reset < 1u << fd->width);
			for (unsigned int b = fd->lo; b < fd->lo + fd->width; b++) {
				if (seen[b]++)
					fail_msg("%s.%s: bit %u has two fields", form->name, fd->name, b);
			}
		}
		for (unsigned int b = 0; b < bits; b++) {
			if (!seen[b])
				fail_msg("%s: bit %u has no field", form->name, b);
		}
	}
}

static void rows_are_reached(void **state)
{
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];
		bool reached = false;

		for (unsigned int v = 0; v < 256 && !reached; v++) {
			struct isa_bits b = { { v << 16 | v << 8 | v, 0, 0, 0 } };

			for (int k = 0; k < 3 && op->match[k].width; k++)
				isa_put(&b, op->match[k].lo, op->match[k].width, op->match[k].value);
			reached = isa_match_op(&isa_midgard, op->unit, &b) == op;
		}
		if (!reached)
			fail_msg("row %u, \"%s\", is hidden", i, op->pattern);
	}
}

/* The opcodes that the T6xx notes list, with their names or today's. */
static void the_notes_opcodes(void **state)
{
	static const struct { uint8_t code; const char *name; } rows[] = {
		{ 0x10, "FADD" }, { 0x14, "FMUL" }, { 0x28, "FMIN" }, { 0x2c, "FMAX" }, { 0x30, "FMOV" },
		{ 0x36, "FFLOOR" }, { 0x37, "FCEIL" }, { 0x3c, "FDOT3" }, { 0x3d, "FDOT3R" }, { 0x3e, "FDOT4" },
		{ 0x3f, "FREDUCE" }, { 0x40, "ADD" }, { 0x46, "SUB" }, { 0x58, "MUL" }, { 0x7b, "MOV" },
		{ 0x80, "FCMP.eq" }, { 0x81, "FCMP.ne" }, { 0x82, "FCMP.lt" }, { 0x83, "FCMP.le" }, { 0x99, "F2I.rtz" },
		{ 0xa0, "CMP.eq" }, { 0xa1, "CMP.ne" }, { 0xa4, "CMP.lt" }, { 0xa5, "CMP.le" }, { 0xc5, "FCSEL.scalar" },
		{ 0xb8, "I2F" }, { 0xe8, "FATAN2_PT2" }, { 0xf0, "FRCP" }, { 0xf2, "FRSQRT" }, { 0xf3, "FSQRT" },
		{ 0xf4, "FEXP2" }, { 0xf5, "FLOG2" }, { 0xf6, "FSINPI" }, { 0xf7, "FCOSPI" }, { 0xf9, "FATAN2_PT1" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct isa_bits b = { { (uint32_t)rows[i].code << 16 } };

		for (int unit = MD_U_VECTOR; unit <= MD_U_SCALAR; unit++) {
			const struct isa_op *op = isa_match_op(&isa_midgard, unit, &b);
			size_t n = strlen(rows[i].name);

			assert_memory_equal(op->pattern, rows[i].name, n);
			assert_int_equal(op->pattern[n], '%');
		}
	}
}

static void back_and_forth(const uint32_t *words, size_t count)
{
	char *text = limn_isa_disasm(&isa_midgard, words, count);
	struct isa_messages messages;
	uint32_t *back;
	size_t n;

	assert_non_null(text);
	if (limn_isa_asm(&isa_midgard, text, strlen(text), &back, &n, &messages))
		fail_msg("line %u: %s in\n%s", messages.list[0].line, messages.list[0].text, text);
	if (n != count || memcmp(back, words, 4 * count))
		fail_msg("came back differently:\n%s", text);
	free(back);
	free(text);
	assert_int_equal(limn_isa_check(&isa_midgard, words, count, &messages), 0);
	limn_isa_messages_free(&messages);
}

/* An ALU bundle with random instructions that has the length its tag says. */
static size_t shaped(uint32_t *words)
{
	static const uint8_t bit[7] = { 17, 19, 21, 23, 25, 26, 27 }, halves[7] = { 4, 3, 4, 3, 4, 1, 3 };
	unsigned int n = 2, quads;
	uint32_t control = random_word() & 0xf155ff00;

	for (int i = 0; i < 7; i++) {
		if (random_word() % 3 == 0) {
			control |= 1u << bit[i];
			n += halves[i];
		}
	}
	quads = (n + 7) / 8;
	if (quads < 4 && random_word() % 2)
		quads++;
	for (unsigned int i = 1; i < 4 * quads; i++)
		words[i] = random_word();
	for (unsigned int i = n; i % 8; i++)
		words[i / 2] &= i % 2 ? 0x0000ffff : 0xffff0000;
	words[0] = control | MD_ALU | random_word() % 2 * 4 | (quads - 1) | random_word() % 16 << 4;
	return 4 * quads;
}

static void round_trips(void **state)
{
	random_seed();
	for (int round = 0; round < 5000; round++) {
		uint32_t words[64];
		size_t count = 0, bundles = random_word() % 4, loose = random_word() % 6;

		for (size_t i = 0; i < bundles; i++)
			count += shaped(words + count);
		for (size_t i = 0; i < loose; i++)
			words[count++] = random_word();
		if (count)
			back_and_forth(words, count);
	}
}

/* Bits laid out by hand from the T6xx notes, with the text they must have. */
static void known_words(void **state)
{
	/* vmul fmul r0 = r1 * 0.5; writes to all components; the last bundle. */
	static const uint32_t mul[4] = {
		0x00020018, /* control: tag 8, next 1, vector multiplier */
		/* reg word: src1 1, src2 = 0x3800 >> 11 = 7, dest 0, inline constant */
		0x80e1 | 0x0214u << 16, /* body, low: fmul, full, no modifiers */
		/* src1 swizzle xyzw at bit 15 of the body: 0xe4 << 15; src2: 0; mode none; mask 0xff */
		0x0072 | 0xff20u << 16,
		0,
	};
	static const char mul_text[] = "vmul.FMUL.f32 R0, R1, #0.5\n\n";
	char *text = limn_isa_disasm(&isa_midgard, mul, 4);

	assert_string_equal(text, mul_text);
	free(text);
}

static const struct isa_message *first(struct isa_messages *m, const char *text)
{
	uint32_t *words;
	size_t count;

	assert_int_equal(limn_isa_asm(&isa_midgard, text, strlen(text), &words, &count, m), -22);
	return &m->list[0];
}

static void bad_texts(void **state)
{
	static const struct { const char *text, *say; unsigned int line, column; } rows[] = {
		{ "vmul.fnord.f32 R0, R1, R2\n", "unknown instruction", 1, 6 },
		{ "vmul.FMUL.i32 R0, R1, R2\n", "expected .f8", 1, 10 },
		{ "vmul.FMUL.f32 R0, R1\n", "expected ','", 1, 21 },
		{ "vmul.FMUL.f32 R0, Q1, R2\n", "expected a register", 1, 19 },
		{ "vmul.FMUL.f32 R0, R1, R2, R3\n", "expected 'set", 1, 27 },
		{ "vmul.FMUL.f64 R0.xyz, R1, R2\n", "does not have", 1, 17 },
		{ "vmul.FMUL.f33 R0, R1, R2\n", "expected .f8", 1, 10 },
		{ "vmul.FMUL.f32 R0, R1, R2\nvmul.FADD.f32 R0, R1, R2\n", "already", 2, 25 },
		{ "vmul.FMUL.f32 R0, R1, R2\nNOP\n", "bundle of its own", 2, 4 },
		{ "sadd.FADD.f32 R0.i, R1.x, R2.x\n", "expected a component", 1, 17 },
		{ "sadd.FADD.f32 R0.x, R1.e, R2.x\n", "four components", 1, 25 },
		{ "vadd.FADD.f32 R0, R1, <1, 2, 3, 5>\nuconstants 0x3f800000, 0x40000000, 0x40400000, 0\n", "no such value", 1, 23 },
		{ "vadd.FADD.f32 R0, R1, #0.1\n", "no 'uconstants'", 1, 23 },
		{ "br.uncond L1\n", "no such label", 1, 11 },
		{ "NOP\nL1:\n", "before a bundle", 2, 1 },
		{ "L1:\nNOP\n\nL1:\nNOP\n", "there already", 4, 1 },
		{ "br.cond.maybe +1 -> alu/4\n", "expected write0", 1, 9 },
		{ "TEX.4d TA0.f32, texture0, fsampler0, AT0.32\n", "expected .cube", 1, 4 },
		{ "uconstants 1, 2, 3\n", "expected four", 1, 19 },
		{ "vmul.FMUL.f32 R0, R1, R2, set ld.op 3\n", "no field 'ld.op'", 1, 31 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct isa_messages m;
		const struct isa_message *f = first(&m, rows[i].text);

		if (!strstr(f->text, rows[i].say) || f->line != rows[i].line || f->column != rows[i].column)
			fail_msg("%s: %u:%u: %s", rows[i].text, f->line, f->column, f->text);
		limn_isa_messages_free(&m);
	}
}

/* Rules: a program for each, and one for none. */
static void rules(void **state)
{
	static const struct { const char *text, *rule; } rows[] = {
		{ "vmul.FMUL.f32 R0, R1, R2\n\nNOP\n\nvadd.FADD.f32 R0, R1, R2\n", NULL },
		{ "vmul.FMUL.f32 R0, AL0, R2\n", "constants" },
		{ "vmul.FMUL.f32 R0, R1, R2\nuconstants 1, 2, 3, 4\n", "constants" },
		{ "vmul.FMUL.f32 U0, R1, R2\n", "uniform-write" },
		{ "ctrl, set ctrl.next 5\nvmul.FMUL.f32 R0, R1, R2\n\nvadd.FADD.f32 R0, R1, R2\n", "next-tag" },
		{ "br.cond.always -1 -> alu/8\n", "branch-tag" },
		{ "br.cond.always +9 -> alu/4\n", "branch-target" },
		{ ".word 1 2 3 4\n", "tag" },
		{ "vmul.FMUL.f32 R0, R1, R2, set vec.shrink 3\n", "shrink" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct isa_messages m;
		uint32_t *words;
		size_t count;

		if (limn_isa_asm(&isa_midgard, rows[i].text, strlen(rows[i].text), &words, &count, &m))
			fail_msg("%s: %s", rows[i].text, m.list[0].text);
		assert_int_equal(limn_isa_check(&isa_midgard, words, count, &m), 0);
		assert_int_equal(m.count, rows[i].rule != NULL);
		if (rows[i].rule)
			assert_string_equal(m.list[0].rule, rows[i].rule);
		limn_isa_messages_free(&m);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_cover),
		cmocka_unit_test(rows_are_reached),
		cmocka_unit_test(the_notes_opcodes),
		cmocka_unit_test(round_trips),
		cmocka_unit_test(known_words),
		cmocka_unit_test(bad_texts),
		cmocka_unit_test(rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
