// SPDX-License-Identifier: MIT
/* Bifrost's tables: masks, parts, text that comes back as the same row, known encodings, aliases, bad texts, assigned ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/bifrost.h"
#include "tests/isa/random.h"

/* What a row demands in isa_op is its mask, and all of its parts lie within the slot and outside of each other. */
static void test_rows(void **state)
{
	for (unsigned int i = 0; i < isa_bifrost.op_count; i++) {
		const struct isa_op *op = &isa_bifrost.ops[i];
		const struct bf_row *row = &bf_rows[i];
		struct isa_bits mask = { { 0 } }, exact = { { 0 } };
		uint32_t used = row->mask, whole = op->unit == BF_FMA ? 0x7fffff : 0xfffff;

		for (unsigned int m = 0; m < 3 && op->match[m].width; m++) {
			isa_put(&mask, op->match[m].lo, op->match[m].width, ~0u);
			isa_put(&exact, op->match[m].lo, op->match[m].width, op->match[m].value);
		}
		if (mask.w[0] != row->mask || exact.w[0] != row->exact || row->exact & ~row->mask || row->mask & ~whole)
			fail_msg("%s: mask 0x%x, not 0x%x", op->pattern, mask.w[0], row->mask);
		for (unsigned int k = 0; row->sources[k]; k++)
			used |= row->sources[k] == '-' ? 0 : 7u << 3 * k;
		for (const struct bf_part *p = row->parts; p->table; p++) {
			const uint8_t places[5] = { p->table == BF_NUMBER ? p->width : bf_tables[p->table].places[0] };
			const uint8_t *more = p->table == BF_NUMBER ? places : bf_tables[p->table].places;

			for (unsigned int k = 0; k < 5 && (!k || more[k + 1]); k += k ? 2 : 1) {
				unsigned int lo = k ? more[k] : p->lo, width = k ? more[k + 1] : more[0];
				uint32_t bits = ((1u << width) - 1) << lo;

				if (used & bits || bits & ~whole)
					fail_msg("%s: bits 0x%x are used twice, or not there", op->pattern, bits);
				used |= bits;
			}
		}
		if (used != whole)
			fail_msg("%s: nothing says what bits 0x%x are", op->pattern, whole & ~used);
	}
}

/* Codes of a table differ, and so do their words. */
static void test_tables(void **state)
{
	for (unsigned int i = 0; i < isa_bifrost.op_count; i++)
		for (const struct bf_part *p = bf_rows[i].parts; p->table; p++) {
			const struct bf_table *t = &bf_tables[p->table];

			for (unsigned int a = 0; bf_is_words(p) && a < t->code_count; a++)
				for (unsigned int b = 0; b < a; b++) {
					assert_int_not_equal(t->codes[a].code, t->codes[b].code);
					if (!t->ordered)
						assert_memory_not_equal(t->codes[a].words, t->codes[b].words, t->column_count);
				}
		}
}

static uint32_t *assemble(const char *text, size_t *count)
{
	struct isa_messages m;
	uint32_t *words;

	if (limn_isa_asm(&isa_bifrost, text, strlen(text), &words, count, &m))
		fail_msg("%s:%u: %s", text, m.list[0].line, m.list[0].text);
	limn_isa_messages_free(&m);
	return words;
}

/* Every instruction of both slots, none left out of those that differ in more than sources: its text is its row's. */
static void test_all_words(void **state)
{
	for (uint32_t bits = 0; bits < (1 << 23) + (1 << 20); bits += 1 + random_word() % 64) {
		bool add = bits >= 1 << 23;
		struct isa_bits b = { { add ? bits - (1 << 23) : bits } };
		const struct isa_op *op = isa_match_op(&isa_bifrost, add, &b);
		uint32_t again = bf_row(op)->exact;

		for (const struct bf_part *p = bf_row(op)->parts; p->table; p++) {
			uint32_t with = b.w[0];

			if (!bf_is_words(p))
				continue;
			assert_true(bf_put_words(p, bf_code(p, b.w[0])->words, &with));
			assert_int_equal(with, b.w[0]);
			again |= with;
		}
		assert_int_equal(again & bf_row(op)->mask, bf_row(op)->exact);
	}
}

/* Words worked out by hand from the bit ranges in Mesa's ISA.xml. r0 to r2 are ports 0 to 2 in that order. */
static void test_known(void **state)
{
	static const struct {
		const char *text;
		uint32_t word;
	} rows[] = {
		{ "*NOP t0", 0x701963 }, { "+NOP t1", 0x3d964 }, { "*MOV.i32 t0, t1", 0x70196f },
		{ "*FREXPE.f32.sqrt t0, r0.neg", 0x701c20 | 1 << 8 | 1 << 6 | 1 << 3 },
		{ "+FREXPE.f32.log t1, t", 0x3de20 | 1 << 3 | 3 }, { "+FREXPM.f32.sqrt t1, r0.h1", 0x3db20 | 1 << 7 | 3 << 3 },
		{ "*SHADDXL.i64 t0, r0, r1, shift:7", 0x70e600 | 7 << 6 | 1 << 3 },
		{ "*SHADDXL.u32 t0, r0, r1.h1, shift:1", 0x70e000 | 1 << 9 | 1 << 6 | 1 << 3 },
		{ "*SHADDXL.s32 t0, r0, r1, shift:0", 0x70e800 | 2 << 9 | 1 << 3 },
		{ "+FRCP_APPROX.f32 t1, u0.w0.neg.abs", 0x67000 | 3 << 3 | 4 }, { "+FRSQ_APPROX.f32 t1, r0.h1", 0x67140 | 1 << 7 },
		{ "+FLOG_TABLE.f32.red.divzero t1, r0", 0x67300 | 1 << 5 }, { "+FRCP.f16 t1, r0.h1", 0x67080 | 1 << 8 },
		{ "+MUX.i32.bit t1, r0, r1, r2", 0x74000 | 3 << 9 | 2 << 6 | 1 << 3 },
		{ "+DISCARD.f32.lt t1, r0, r1", 0xc8800 | 4 << 8 | 2 << 6 | 1 << 3 }, { "+LOAD.i128.ubo t1, r0, r1, @r0", 0x61000 | 4 << 6 | 1 << 3 },
		{ "*FMA_RSCALE.f32.n t0, r0, r1, r2, #0", 0x280000 | 4 << 12 | 3 << 9 | 2 << 6 | 1 << 3 },
		/* By the order of ports: abs of both, and of the first alone. */
		{ "*FADD.v2f16 t0, r1.abs, r0.abs", 0x6c0000 | 1 << 6 | 2 << 9 | 2 << 11 | 1 },
		{ "*FADD.v2f16 t0, r0.abs, r1", 0x6c0000 | 1 << 6 | 2 << 9 | 2 << 11 | 1 << 3 },
		{ "+LD_VAR_IMM.v4.store.f32.center t1, r0, index:3, @r4", 0x50000 | 3 << 8 | 3 << 3 },
		/* Names of the notes. */
		{ "+FRCP_FREXPE t1, r0", 0x3dc20 | 1 << 6 | 1 << 3 }, { "+F16_TO_F32.Y t1, r0", 0x3cd10 | 1 << 3 }, { "+SWZ.YX t1, r0", 0x3d948 | 1 << 4 },
		{ "*LOG_FREXPM t0, r0", 0x701a20 | 1 << 3 }, { "*FSQRT_FREXPE t0, r0", 0x701c20 | 1 << 8 | 1 << 3 },
		{ "*LSHIFT_ADD_LOW32.i64 t0, r0, r1, shift:7", 0x70e600 | 7 << 6 | 1 << 3 }, { "+FRCP_TABLE t1, r0", 0x67000 },
		{ "+LD_UBO.v4i32 t1, r0, r1, @r0", 0x61000 | 4 << 6 | 1 << 3 }, { "+FRCP_FAST.f32 t1, r0", 0x66000 },
		{ "*LSHIFT_ADD_LOW32.i32 t0, r0, r1, shift:0", 0x70e800 | 2 << 9 | 1 << 3 }, { "+LSHIFT_ADD_HIGH32.i32 t1, r0, r1", 0x3f8c0 | 1 << 3 },
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bifrost_clause c;
		char text[128];
		uint32_t *words;
		size_t count;

		snprintf(text, sizeof(text), "{\n%s\n}\n", rows[i].text);
		words = assemble(text, &count);
		assert_int_equal(limn_isa_bifrost_clause_read(words, count, &c), count);
		if ((rows[i].text[0] == '+' ? c.tuples[0].add : c.tuples[0].fma) != rows[i].word)
			fail_msg("%s: 0x%x or 0x%x, not 0x%x", rows[i].text, c.tuples[0].fma, c.tuples[0].add, rows[i].word);
		free(words);
	}
}

/* A whole program as Mesa prints it comes out of the words of its text. */
static void test_text(void **state)
{
	static const char text[] =
		"clause_0:\nds(0) osrb nbb r_uncond inf_suppress ftz_hsa fpe_pd vary td ncph next_attr dwb(0, 7)\n{\n"
		"    *FADD.f32.rtz.clamp_0_1 r5:t0.h1, r1.neg.abs, lane_id.x\n"
		"    +LD_VAR_IMM.v2.retrieve.f16 t1, lane_id.y, index:7, @r9\n"
		"    *CSEL.i32.eq t0, t0, #0, u127.w1, t1\n"
		"    +BRANCHZ.f16.gt t1, t.h1, u127.w0\n    constants 0x000000003f800000, 0x0000000000000000\n}\n\n";
	static const char branch[] = "clause_0:\nds(0) nbb\n{\n    *NOP t0\n    +JUMP t1, clause_2\n}\n\n"
				     "clause_2:\nds(1) eos\n{\n    *NOP t0\n    +BRANCHZ.i32.eq t1, r0, clause_0\n}\n\n";
	const char *texts[] = { branch, text };

	for (unsigned int i = 0; i < 2; i++) {
		size_t count;
		uint32_t *words = assemble(texts[i], &count);
		char *again = limn_isa_disasm(&isa_bifrost, words, count);

		assert_string_equal(again, texts[i]);
		free(again);
		free(words);
	}
}

/* A label may begin as a register does. */
static void test_label_like_register(void **state)
{
	static const char text[] = "r1loop:\nds(0) nbb\n{\n    *NOP t0\n    +JUMP t1, r1loop\n}\n";
	size_t count;
	uint32_t *words = assemble(text, &count);
	char *again = limn_isa_disasm(&isa_bifrost, words, count);

	assert_non_null(strstr(again, "+JUMP t1, clause_0\n"));
	free(again);
	free(words);
}

static void test_bad_text(void **state)
{
	static const struct { const char *text, *says; unsigned int line; } bad[] = {
		{ "{\n*FREXPE.f32\n}", "expected the destination", 2 }, { "{\n*FREXPE.f32 t0, r64\n}", "64 is out of range: 0 to 63", 2 },
		{ "{\n+SHADDXH.i32 t1, r0\n}", "expected ','", 2 }, { "{\n*SHADDXL.i64 t0, r0, r1, shift:8\n}", "8 is out of range", 2 },
		{ "{\n+NOSUCH t1\n}", "unknown instruction '+NOSUCH'", 2 }, { "{\n*FREXPE.f32.root t0, r0\n}", "unknown modifier '.root'; there are:", 2 },
		{ "{\n*FADD.f32 t0, r0.h2, r1\n}", "unknown modifier '.h2'", 2 }, { "{\n+BRANCH.f32 t1, r0, r1, clause_0\n}", "is missing; there are: .lt .le .ge .gt .eq .ne", 2 },
		{ "{\n*FADD.f32 t0, r0.h1, r1.h0\n}", "these modifiers do not go together", 2 }, { "{\n*NOP t0, r0\n}", "too many operands", 2 },
		{ "{\n*FADD.v2f16 t0, r1, r0\n}", "tuple 0 of this clause does not fit", 3 },
		{ "{\n*FMA.f32 t0, r0, r1, r2\n+FADD.f32 t1, r3, r4\n}", "too many registers", 4 },
		{ "{\n*FADD.f32 t0, u0.w0, u1.w0\n}", "does not fit", 3 }, { "{\n}", "at least one instruction", 2 },
		{ "{\n*NOP t0", "this clause has no '}'", 1 }, { "{\n*NOP t0\n} x", "expected the end of the line", 3 },
		{ "ds(8) eos\n{\n*NOP t0\n}", "8 is out of range", 1 }, { "ds(0) nowhere\n{\n*NOP t0\n}", "expected a word of a clause's header", 1 },
		{ "{\n*NOP t0\nconstants 0x11\n}", "whose lowest four are 0", 3 }, { "{\nset fma.op 1\n}", "there is no instruction to set this of", 2 },
		{ "{\n*NOP t0\nset nothing 1\n}", "there is no field 'nothing'", 3 }, { "x:\nx:\n{\n*NOP t0\n}", "this label is there already", 2 },
		{ ".word 1\nx:\n", "multiple of four words", 2 }, { "{\n+LOAD.i32 t1, r0, r1, @r2\n+STORE.i32 t1, r0, r1, @r3\n}", "one data register", 3 },
	};

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct isa_messages m;
		uint32_t *words;
		size_t count;

		assert_int_not_equal(limn_isa_asm(&isa_bifrost, bad[i].text, strlen(bad[i].text), &words, &count, &m), 0);
		if (!m.count || !strstr(m.list[0].text, bad[i].says) || m.list[0].line != bad[i].line)
			fail_msg("%s: line %u: %s", bad[i].text, m.count ? m.list[0].line : 0, m.count ? m.list[0].text : "nothing");
		limn_isa_messages_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_all_words),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_label_like_register),
		cmocka_unit_test(test_bad_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
