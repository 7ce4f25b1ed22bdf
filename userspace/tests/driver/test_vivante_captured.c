// SPDX-License-Identifier: MIT
/*
 * Streams that the vendor's driver has sent (LIMN_DATA/vivante), through this driver's checker: none is
 * refused, by the rules of either MMU. Mesa's meet the checker wherever Mesa runs on limn.ko.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "streams.h"

#include "../../../drivers/gpu/drm/limn/validate/vivante_stream.c"

static struct vivante_states mmu_v1, mmu_v2;
static unsigned int streams, commands, addresses, refused;

/* They are in their places, above what is physical memory. */
static int is_address(void *data, unsigned int index, unsigned int word)
{
	addresses++;
	return 1;
}

static void check(struct stream *s, const struct vivante_states *states)
{
	struct vivante_check found = {
		.states = states,
		.commands = vivante_commands(~0u),
		.address_ok = states == &mmu_v1 ? is_address : NULL,
	};
	enum vivante_refusal ret = vivante_check_stream(&found, s->words, s->num_words);

	if (ret == VIVANTE_OK)
		return;
	print_message("%s: MMUv%d: word %u (%08x): %s, state %05x\n", s->name, states == &mmu_v1 ? 1 : 2,
		      found.index, s->words[found.index], vivante_refusal_text(ret), found.state);
	refused++;
}

static void each(void *ctx, struct stream *s)
{
	uint32_t length;

	check(s, &mmu_v1);
	check(s, &mmu_v2);
	streams++;
	for (uint32_t i = 0; i < s->num_words; i += length) {
		length = viv_fe_command_words(s->words[i]);
		if (!length)
			break;
		commands++;
	}
}

static void run(const char *folder)
{
	streams = commands = addresses = refused = 0;
	streams_each(folder, each, NULL);
	printf("%s: %u streams, %u commands, %u addresses, %u refused\n", folder, streams, commands, addresses,
	       refused);
	assert_int_equal(refused, 0);
}

static char vendor[500];

static void test_vendor(void **state)
{
	run(vendor);
	assert_int_equal(streams, 23);
	assert_true(commands > 1000 && addresses > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vendor),
	};
	const char *data = getenv("LIMN_DATA");
	DIR *dir;

	if (!data) {
		printf("LIMN_DATA is not set: skipped\n");
		return 77;
	}
	snprintf(vendor, sizeof(vendor), "%s/vivante", data);
	dir = opendir(vendor);
	if (!dir) {
		printf("%s is missing\n", vendor);
		return 1;
	}
	closedir(dir);

	vivante_states_init(&mmu_v1, 1);
	vivante_states_init(&mmu_v2, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
