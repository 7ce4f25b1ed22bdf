// SPDX-License-Identifier: MIT
/* Bifrost's table: fields, rows, round trip of any word, known encodings, the pairing rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/table.h"
#include "sim/bifrost.h"

static uint64_t seed;

static uint32_t rnd(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 32;
}

static int setup(void **state)
{
	const char *s = getenv("LIMN_TEST_SEED");

	seed = s ? strtoull(s, NULL, 0) : 1;
	printf("seed %llu\n", (unsigned long long)seed);
	return 0;
}

static void test_fields_cover(void **state)
{
	for (unsigned int f = 0; f < isa_bifrost.form_count; f++) {
		const struct isa_form *form = &isa_bifrost.forms[f];
		unsigned int seen[32] = { 0 };

		for (unsigned int i = 0; i < form->count; i++)
			for (unsigned int b = 0; b < form->fields[i].width; b++)
				seen[form->fields[i].lo + b]++;
		for (unsigned int b = 0; b < 32; b++)
			assert_int_equal(seen[b], 1);
	}
}

/* No row is hidden by those before it, and no word is without a row. */
static void test_rows(void **state)
{
	for (unsigned int i = 0; i < isa_bifrost.op_count; i++) {
		const struct isa_op *op = &isa_bifrost.ops[i];
		bool reached = false;

		for (unsigned int n = 0; n < 5000 && !reached; n++) {
			struct isa_bits b = { { rnd() } };

			for (unsigned int m = 0; m < 3 && op->match[m].width; m++)
				isa_put(&b, op->match[m].lo, op->match[m].width, op->match[m].value);
			reached = isa_match_op(&isa_bifrost, 0, &b) == op;
		}
		if (!reached)
			fail_msg("row \"%s\" is hidden", op->pattern);
	}
	for (unsigned int n = 0; n < 100000; n++) {
		struct isa_bits b = { { rnd() } };

		assert_non_null(isa_match_op(&isa_bifrost, 0, &b));
	}
}

static void round_trip(const uint32_t *words, size_t count)
{
	struct isa_messages messages = { 0 };
	char *text = isa_disasm(&isa_bifrost, words, count);
	uint32_t *again = NULL;
	size_t n = 0;

	assert_non_null(text);
	if (isa_asm(&isa_bifrost, text, strlen(text), &again, &n, &messages) || n != count ||
	    memcmp(again, words, count * 4))
		fail_msg("no round trip: %s", text);
	isa_messages_free(&messages);
	free(again);
	free(text);
}

static void test_round_trip(void **state)
{
	static uint32_t words[1024];
	unsigned int n, i;

	for (n = 0; n < 150; n++) {
		for (i = 0; i < 1024; i++) {
			const struct isa_op *op = &isa_bifrost.ops[rnd() % isa_bifrost.op_count];
			struct isa_bits b = { { rnd() } };

			/* Words of all rows, with all else random; and noise. */
			for (unsigned int m = 0; i & 7 && m < 3 && op->match[m].width; m++)
				isa_put(&b, op->match[m].lo, op->match[m].width, op->match[m].value);
			words[i] = b.w[0];
		}
		round_trip(words, 1024);
	}
}

/* All instructions of both slots, none left out. */
static void test_all_words(void **state)
{
	static uint32_t words[1 << 16];

	for (uint32_t at = 0; at < (1u << 23 | 1u << 20); at += 1 << 16) {
		for (uint32_t i = 0; i < 1 << 16; i++)
			words[i] = at + i < 1u << 23 ? at + i : 0x80000000 | ((at + i) & ~(1u << 23));
		round_trip(words, 1 << 16);
	}
}

/* Words worked out by hand from the bit ranges in Mesa's ISA.xml. */
static void test_known(void **state)
{
	static const struct {
		const char *text;
		uint32_t word;
	} rows[] = {
		{ "*NOP", 0x701963 },
		{ "+NOP", 0x8003d964 },
		{ "*MOV.i32 pass_add", 0x70196f },
		{ "*FREXPE.f32.sqrt.neg port1", 0x701c20 | 1 << 8 | 1 << 6 | 1 << 3 | 1 },
		{ "+FREXPE.f32.log stage", 0x8003de20 | 1 << 3 | 3 },
		{ "+FREXPM.f32.sqrt.h1 port2", 0x8003db20 | 1 << 7 | 3 << 3 | 2 },
		{ "*SHADDXL.i64 port0, port1, 7", 0x70e600 | 7 << 6 | 1 << 3 },
		{ "*SHADDXL.u32 port0, port1.h1, 1", 0x70e000 | 1 << 9 | 1 << 6 | 1 << 3 },
		{ "*SHADDXL.s32 port0, port1, 0", 0x70e800 | 2 << 9 | 1 << 3 },
		{ "+SHADDXH.i32 port2, stage", 0x8003f8c0 | 3 << 3 | 2 },
		{ "+FRCP_APPROX.f32.neg.abs fau_lo", 0x80067000 | 3 << 3 | 4 },
		{ "+FRSQ_APPROX.f32.h1 port0", 0x80067140 | 1 << 7 },
		{ "+FLOG_TABLE.f32.red.divzero port0", 0x80067300 | 1 << 5 },
		{ "+FRCP.f32 port0", 0x80066000 },
		{ "+FRCP.f16.h1 port0", 0x80067080 | 1 << 8 },
		{ "+MUX.i32.bit port0, port1, port2", 0x80074000 | 3 << 9 | 2 << 6 | 1 << 3 },
		{ "+F16_TO_F32.h1 port0", 0x8003cd10 | 1 << 3 },
		{ "+DISCARD.f32.lt port0, port1", 0x800c8800 | 4 << 8 | 2 << 6 | 1 << 3 },
		{ "+LOAD.i128.ubo port0, port1", 0x80061000 | 4 << 6 | 1 << 3 },
		{ "*FMA_RSCALE.f32.n port0, port1, port2, stage", 0x280000 | 4 << 12 | 3 << 9 | 2 << 6 | 1 << 3 },
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct isa_messages messages = { 0 };
		uint32_t *words = NULL;
		size_t count = 0;
		char *text;

		if (isa_asm(&isa_bifrost, rows[i].text, strlen(rows[i].text), &words, &count, &messages))
			fail_msg("%s: %s", rows[i].text, messages.list[0].text);
		assert_int_equal(count, 1);
		if (words[0] != rows[i].word)
			fail_msg("%s: 0x%08x, not 0x%08x", rows[i].text, words[0], rows[i].word);
		text = isa_disasm(&isa_bifrost, words, 1);
		assert_memory_equal(text, rows[i].text, strlen(rows[i].text));
		free(text);
		free(words);
		isa_messages_free(&messages);
	}
}

static size_t errors_of(const char *text)
{
	struct isa_messages messages = { 0 }, found = { 0 };
	uint32_t *words;
	size_t count, n;

	assert_int_equal(isa_asm(&isa_bifrost, text, strlen(text), &words, &count, &messages), 0);
	assert_int_equal(isa_check(&isa_bifrost, words, count, &found), 0);
	n = found.errors;
	isa_messages_free(&messages);
	isa_messages_free(&found);
	free(words);
	return n;
}

static void test_pairing(void **state)
{
	assert_int_equal(errors_of("*SHADDXL.i64 port0, port1, 0\n+SHADDXH.i32 port0, port1\n"), 0);
	assert_int_equal(errors_of("*SHADDXL.i64 port0, port1, 0\n+LOAD.i128 port0, port1\n"), 0);
	assert_int_equal(errors_of("*SHADDXL.u32 port0, port1, 0\n+MOV.i32 port0\n"), 0);
	assert_int_equal(errors_of("*SHADDXL.i64 port0, port1, 0\n+MOV.i32 port0\n"), 1);
	assert_int_equal(errors_of("*SHADDXL.i64 port0, port1, 0\n"), 1);
	assert_int_equal(errors_of("+SHADDXH.i32 port0, port1\n"), 1);
	assert_int_equal(errors_of("*NOP\n+SHADDXH.i32 port0, port1\n"), 1);
	assert_int_equal(errors_of("*MOV.i32 port0\n+NOP\n"), 0);
}

static void test_bad_text(void **state)
{
	static const char *const bad[] = {
		"*FREXPE.f32", "*FREXPE.f32 port9", "+SHADDXH.i32 port0", "*SHADDXL.i64 port0, port1, 8",
		"+NOSUCH port0", "*FREXPE.f32.root port0", "+MUX.i32 port0, port1, port2", "*NOP port0",
	};

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct isa_messages messages = { 0 };
		uint32_t *words = NULL;
		size_t count;

		if (!isa_asm(&isa_bifrost, bad[i], strlen(bad[i]), &words, &count, &messages))
			fail_msg("taken: %s", bad[i]);
		assert_true(messages.errors > 0);
		isa_messages_free(&messages);
	}
}

/* The simulator knows what the table names, and nothing else. */
static void test_no_op_without_semantics(void **state)
{
	for (unsigned int i = 0; i < isa_bifrost.op_count; i++) {
		const struct isa_op *op = &isa_bifrost.ops[i];
		bool named = isa_has_semantics(op), executed = false;

		for (unsigned int n = 0; n < 3000; n++) {
			struct bifrost_lane lane = { .src = { rnd(), rnd(), rnd(), rnd() % 8 } };
			struct isa_bits b = { { rnd() } };
			bool ran;

			for (unsigned int m = 0; m < 3 && op->match[m].width; m++)
				isa_put(&b, op->match[m].lo, op->match[m].width, op->match[m].value);
			if (isa_match_op(&isa_bifrost, 0, &b) != op)
				continue;
			ran = bifrost_execute(b.w[0], &lane, NULL);
			if (ran && !named)
				fail_msg("0x%08x has no name, and is executed", b.w[0]);
			executed |= ran;
		}
		if (named && !executed)
			fail_msg("\"%s\" is named, and never executed", op->pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_cover),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_all_words),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_pairing),
		cmocka_unit_test(test_bad_text),
		cmocka_unit_test(test_no_op_without_semantics),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
