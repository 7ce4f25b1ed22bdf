// SPDX-License-Identifier: MIT
/* Bifrost clauses: what is written is read back; what is none, or is cut short, is not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/bifrost_clause.h"
#include "tests/isa/random.h"

/* Constants that clauses of so many tuples can have, the one among the tuples counted. */
static const unsigned int most[BIFROST_TUPLES + 1] = { 0, 2, 2, 3, 4, 5, 7, 6, 5 };
static const bool embedded[BIFROST_TUPLES + 1] = { [3] = true, [5] = true, [6] = true, [8] = true };

static uint64_t random_bits(unsigned int n)
{
	return ((uint64_t)random_word() << 32 | random_word()) >> (64 - n);
}

static struct bifrost_clause random_clause(unsigned int tuples, unsigned int constants)
{
	struct bifrost_clause c;

	memset(&c, 0, sizeof(c));
	c.tuple_count = tuples;
	c.constant_count = constants;
	c.header = random_bits(45);
	for (unsigned int i = 0; i < tuples; i++)
		c.tuples[i] = (struct bifrost_tuple){ random_bits(35), random_bits(23), random_bits(20) };
	for (unsigned int i = 0; i < constants; i++)
		c.constants[i] = random_bits(60);
	if (tuples == 3 || tuples == 6)
		c.modifier = random_bits(15);
	return c;
}

static void test_there_and_back(void **state)
{
	random_seed();
	for (unsigned int tuples = 1; tuples <= BIFROST_TUPLES; tuples++) {
		for (unsigned int constants = embedded[tuples]; constants <= most[tuples]; constants++) {
			for (unsigned int n = 0; n < 200; n++) {
				struct bifrost_clause c = random_clause(tuples, constants), back;
				uint32_t words[BIFROST_CLAUSE_WORDS + 4] = { 0 }, again[BIFROST_CLAUSE_WORDS];
				size_t count = limn_isa_bifrost_clause_write(&c, words);

				assert_true(count && count <= BIFROST_CLAUSE_WORDS && count % 4 == 0);
				assert_int_equal(limn_isa_bifrost_clause_read(words, BIFROST_CLAUSE_WORDS + 4, &back), count);
				assert_int_equal(limn_isa_bifrost_clause_write(&back, again), count);
				assert_memory_equal(words, again, count * 4);
				/* Constants behind the tuples come in pairs. */
				if ((constants - embedded[tuples]) % 2)
					back.constant_count--;
				assert_memory_equal(&c, &back, sizeof(c));
				for (size_t left = 0; left < count; left++)
					assert_int_equal(limn_isa_bifrost_clause_read(words, left, &back), 0);
			}
		}
	}
}

static void test_counts(void **state)
{
	uint32_t words[BIFROST_CLAUSE_WORDS];
	struct bifrost_clause c;

	for (unsigned int tuples = 0; tuples <= BIFROST_TUPLES + 1; tuples++) {
		memset(&c, 0, sizeof(c));
		c.tuple_count = tuples;
		c.constant_count = tuples && tuples <= BIFROST_TUPLES ? most[tuples] + 1 : 0;
		assert_int_equal(limn_isa_bifrost_clause_write(&c, words), 0);
		c.constant_count = 0;
		if (tuples <= BIFROST_TUPLES && embedded[tuples])
			assert_int_equal(limn_isa_bifrost_clause_write(&c, words), 0);
	}
}

/* Any words: none, or a clause that is written as it was. */
static void test_any_words(void **state)
{
	unsigned int taken = 0;

	random_seed();
	for (unsigned int n = 0; n < 200000; n++) {
		uint32_t words[BIFROST_CLAUSE_WORDS], again[BIFROST_CLAUSE_WORDS];
		struct bifrost_clause c = random_clause(1 + n % 8, most[1 + n % 8]);
		size_t count = limn_isa_bifrost_clause_write(&c, words), read;

		for (unsigned int i = 0; i < 1 + n % 3; i++)
			words[random_word() % count] ^= 1u << random_word() % 32;
		if (n % 16 == 0)
			for (size_t i = 0; i < count; i++)
				words[i] = random_word();
		read = limn_isa_bifrost_clause_read(words, count, &c);
		if (!read)
			continue;
		taken++;
		assert_int_equal(limn_isa_bifrost_clause_write(&c, again), read);
		assert_memory_equal(words, again, read * 4);
	}
	assert_true(taken > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_any_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
