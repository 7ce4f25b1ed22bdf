// SPDX-License-Identifier: MIT
/*
 * Streams that real clients have sent, through the driver's checker: those of the
 * vendor's driver (LIMN_DATA/vivante) and, where
 * LIMN_MESA_STREAMS names a folder of them, Mesa's GEM_SUBMITs (streams.h). None is
 * refused, by the rules of either MMU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "streams.h"

#include "../../../drivers/gpu/drm/limn/validate/vivante_stream.c"

static struct vivante_states mmu_v1, mmu_v2;
static unsigned int streams, commands, addresses, refused;

struct relocated {
	const struct stream *s;
	uint32_t next;
};

/* Mesa names its addresses; the vendor's streams have them in place, above what is physical memory. */
static int is_address(void *data, unsigned int index, unsigned int word)
{
	struct relocated *r = data;

	addresses++;
	if (!r->s->has_relocs)
		return 1;
	while (r->next < r->s->num_relocs && r->s->relocs[r->next] < index)
		r->next++;
	return r->next < r->s->num_relocs && r->s->relocs[r->next] == index;
}

static void check(struct stream *s, const struct vivante_states *states)
{
	struct relocated r = { s, 0 };
	struct vivante_check found = {
		.states = states,
		.commands = vivante_commands(~0u),
		.address_ok = states == &mmu_v1 ? is_address : NULL,
		.data = &r,
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

	/* A client with addresses of its own choice has an MMUv2. */
	if (!s->softpin)
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

static void test_mesa(void **state)
{
	const char *folder = getenv("LIMN_MESA_STREAMS");

	if (!folder)
		skip();
	run(folder);
	assert_true(streams > 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vendor),
		cmocka_unit_test(test_mesa),
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
