// SPDX-License-Identifier: MIT
/* The targets in a disassembled text are labels: what is put before them moves them. */
#include <setjmp.h>
#include <stdarg.h>
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

	if (isa_asm(isa, text, strlen(text), &words, n, &m))
		fail_msg("%s: %s\n%s", isa_name(isa), m.count ? m.list[0].text : "?", text);
	isa_messages_free(&m);
	return words;
}

/* before + disassembled text is before + text. */
static void test_targets_move(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct isa *isa = isa_find(rows[i].isa);
		char longer[2048], again[4096];
		uint32_t *words, *want, *have;
		size_t n, n_want, n_have;
		char *text;

		words = assemble(isa, rows[i].text, &n);
		text = isa_disasm(isa, words, n);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
