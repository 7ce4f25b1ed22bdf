// SPDX-License-Identifier: MIT
/*
 * Examples with random damage: each is read, or refused with messages of a line
 * each that name a place; never anything else. Replay a seed with LIMN_SEED.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tool/job/job.h"

#define ROUNDS 4500

static uint64_t seed;

/* splitmix64 */
static uint32_t random_below(uint32_t n)
{
	uint64_t z = (seed += 0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % n;
}

static char *load(const char *name)
{
	char path[256], *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(path, sizeof(path), "userspace/%s.limn", name);
	f = fopen(path, "rb");
	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 15), f) > 100);
	fclose(f);
	return text;
}

/* Removes, changes, doubles or moves some bytes; the text stays below 64 KiB. */
static void damage(char *text)
{
	size_t length = strlen(text), at = random_below(length), n = random_below(60);

	if (n > length - at)
		n = length - at;
	switch (random_below(4)) {
	case 0:
		memmove(text + at, text + at + n, length - at - n + 1);
		break;
	case 1:
		text[at] = 1 + random_below(126);
		break;
	case 2:
		if (length + n < 60000) {
			memmove(text + at + n, text + at, length - at + 1);
			memmove(text + random_below(length), text + at, n);
		}
		break;
	case 3:
		text[at] = "{}\n #\"9-.e(*"[random_below(12)];
		break;
	}
}

static void damaged_examples(void **state)
{
	static const char *const names[] = {
		"tool/examples/triangle", "tool/examples/cube", "tool/examples/textured", "tool/examples/blended",
		"tool/examples/points-lines", "tool/examples/msaa", "tool/examples/stencil", "tool/examples/mipmap",
		"tool/examples/vivante/cube", "tool/examples/vivante/textured", "tool/examples/vivante/sprites",
		"tool/examples/vivante/displaced", "tool/examples/vivante/stencil", "tool/examples/vivante/copy",
		"tool/examples/vivante/stretch", "tests/jobs/language", "tests/jobs/language",
	};
	const char *given = getenv("LIMN_SEED");
	unsigned int taken = 0;

	seed = given ? strtoull(given, NULL, 0) : 1;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < ROUNDS; i++) {
		char *text = load(names[i % (sizeof(names) / sizeof(names[0]))]);
		struct messages messages = { 0 };
		struct job *job = NULL;
		char *shown = NULL;
		size_t length;
		FILE *to;

		for (uint32_t n = 1 + random_below(4); n && *text; n--)
			damage(text);
		if (!job_parse("userspace/tests/jobs/job.limn", text, NULL, &job, &messages))
			taken++;
		else if (!messages.count)
			fail_msg("round %d: nothing is said", i);
		assert_non_null(job);
		to = open_memstream(&shown, &length);
		messages_print(&messages, to);
		fclose(to);
		for (size_t k = 0; k < messages.count; k++)
			if (!messages.list[k].at.line || !messages.list[k].at.column || strchr(messages.list[k].text, '\n'))
				fail_msg("round %d: '%s'", i, messages.list[k].text);
		free(shown);
		messages_free(&messages);
		job_free(job);
		free(text);
	}
	print_message("%u of %d were still jobs\n", taken, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
