// SPDX-License-Identifier: MIT
/* The targets in a disassembled text are labels: what is put before them moves them. Texts that differ in targets alone. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/isa.h"

struct row {
	const char *isa, *text, *before;	/* before: one more instruction */
};

static const struct row rows[] = {
	{ "utgard-gp", "nop\n\nloop: mov.p ^p a0.x\n\tbranch ^p loop\n\nnop\n", "nop\n\n" },
	{ "utgard-gp", "nop\n\nmov.p ^p a0.x\n\tbranch ^p end\n\nend: nop\n", "nop\n\n" },
	{ "utgard-pp", "nop\nloop: mov.v1 $0 $0\nbranch loop\nstop\n", "nop\n" },
	{ "utgard-pp", "nop\nbranch.gt $0.x $1.x end\nmov.v1 $0 $0\nend: stop\n", "nop\n" },
	{ "vivante", "mov t0, void, void, u0.xyzw\nl: add t0, t0, void, t0\nbranch.lt void, t0, u1, l\n",
	  "nop void, void, void, void\n" },
	{ "vivante", "mov t0, void, void, u0.xyzw\ncall void, void, void, f\nret void, void, void, void\nf: ret void, void, void, void\n",
	  "nop void, void, void, void\n" },
};

static uint32_t *assemble(const struct isa *isa, const char *text, size_t *n)
{
	struct isa_messages m;
	uint32_t *words;

	if (limn_isa_asm(isa, text, strlen(text), &words, n, &m))
		fail_msg("%s: %s\n%s", limn_isa_name(isa), m.count ? m.list[0].text : "?", text);
	limn_isa_messages_free(&m);
	return words;
}

/* before + disassembled text is before + text. */
static void test_targets_move(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct isa *isa = limn_isa_find(rows[i].isa);
		char longer[2048], again[4096];
		uint32_t *words, *want, *have;
		size_t n, n_want, n_have;
		char *text;

		words = assemble(isa, rows[i].text, &n);
		text = limn_isa_disasm(isa, words, n);
		assert_non_null(text);
		snprintf(longer, sizeof(longer), "%s%s", rows[i].before, rows[i].text);
		snprintf(again, sizeof(again), "%s%s", rows[i].before, text);
		want = assemble(isa, longer, &n_want);
		have = assemble(isa, again, &n_have);
		assert_int_equal(n_want, n_have);
		if (memcmp(want, have, n_want * sizeof(*want)))
			fail_msg("%s: a target did not move with its instruction:\n%s", rows[i].isa, again);
		/* The row says something only where the words differ from those of the target's old place. */
		if (!memcmp(words, want + (n_want - n), n * sizeof(*words)))
			assert_string_equal(rows[i].isa, "utgard-pp");	/* its targets are relative */
		free(words);
		free(text);
		free(want);
		free(have);
	}
}

#define BRANCHES 600

/* Lines and paragraphs that differ in their targets alone, so many that the assembler knows them; wrong: one without. */
static char *branches(bool midgard, bool wrong)
{
	char *text = malloc(BRANCHES * 64 + 64), *to = text;

	assert_non_null(text);
	for (unsigned int i = 0; i < BRANCHES; i++) {
		unsigned int target = i * 7919 % BRANCHES;

		if (midgard)
			to += sprintf(to, "L%u:\nvmul.FMUL.f32 R0, R1, R2\nbrx.reserved.cond.true L%u\n\n", i, target);
		else
			to += sprintf(to, "@ %u: branch.eq $1.x $2.x %u\n", i * 4, target * 4);
	}
	if (wrong)
		sprintf(to, midgard ? "vmul.FMUL.f32 R0, R1, R2\nbrx.reserved.cond.true \n\n" : "branch.eq $1.x $2.x \n");
	return text;
}

static void test_branches_alike(void **state)
{
	for (unsigned int midgard = 0; midgard < 2; midgard++) {
		const struct isa *isa = limn_isa_find(midgard ? "midgard" : "utgard-pp");
		char *text = branches(midgard, false), *again, *line;
		struct isa_messages m;
		uint32_t *words;
		size_t n;

		words = assemble(isa, text, &n);
		again = limn_isa_disasm(isa, words, n);
		assert_non_null(again);
		line = again;
		for (unsigned int i = 0; i < BRANCHES; i++) {
			unsigned int target = i * 7919 % BRANCHES, have = 0;

			line = strstr(line, midgard ? "brx.reserved.cond.true L" : "branch.eq $1.x $2.x ");
			assert_non_null(line);
			line += strlen(midgard ? "brx.reserved.cond.true L" : "branch.eq $1.x $2.x ");
			assert_int_equal(sscanf(line, "%u", &have), 1);
			/* Midgard's labels are numbered from 1, in order. */
			assert_int_equal(have, midgard ? target + 1 : target * 4);
		}
		free(again);
		free(words);
		free(text);
		text = branches(midgard, true);
		assert_int_equal(limn_isa_asm(isa, text, strlen(text), &words, &n, &m), -EINVAL);
		assert_int_equal(m.count, 1);
		assert_int_equal(m.list[0].line, midgard ? BRANCHES * 4 + 2 : BRANCHES + 1);
		limn_isa_messages_free(&m);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets_move),
		cmocka_unit_test(test_branches_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
