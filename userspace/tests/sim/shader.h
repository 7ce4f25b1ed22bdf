/* SPDX-License-Identifier: MIT */
/* Assembles text for the tests; a text with errors fails the test and shows them. */
#ifndef LIMN_TESTS_SIM_SHADER_H
#define LIMN_TESTS_SIM_SHADER_H

#include "isa/isa.h"
#include "tests/unit.h"

static inline uint32_t *assemble(const char *isa, const char *text, size_t *count)
{
	struct isa_messages m;
	uint32_t *words;
	int err = limn_isa_asm(limn_isa_find(isa), text, strlen(text), &words, count, &m);

	for (size_t i = 0; i < m.count; i++)
		print_error("%u:%u: %s\n", m.list[i].line, m.list[i].column, m.list[i].text);
	limn_isa_messages_free(&m);
	assert_int_equal(err, 0);
	return words;
}

static inline char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text;
	size_t n;

	if (!f)
		fail_msg("%s: cannot open", path);
	text = calloc(1, 65536);
	n = fread(text, 1, 65535, f);
	fclose(f);
	assert_true(n > 0);
	return text;
}

#endif
