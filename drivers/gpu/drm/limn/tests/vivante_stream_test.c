// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what the checker's bit maps say, as the kernel's compiler made them, and
 * where relocations go. userspace/tests/driver/test_vivante_stream.c has the rest
 * of the checker.
 */
#include <kunit/test.h>
#include <drm/etnaviv_drm.h>

#include "../vivante/vivante.h"

/* A copy of its own: the module exports nothing of it. */
#include "../validate/vivante_stream.c"

static int states_init(struct kunit *test)
{
	struct vivante_states *states = kunit_kmalloc_array(test, 2, sizeof(*states), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, states);
	vivante_states_init(&states[0], 1);
	vivante_states_init(&states[1], 0);
	test->priv = states;
	return 0;
}

/* Each row of the table in each of its places, and nothing else. */
static void states_rows(struct kunit *test)
{
	struct vivante_states *v1 = test->priv, *v2 = v1 + 1;
	unsigned int i, a, b, allowed = 0, addresses = 0, bits = 0, address_bits = 0;

	for (i = 0; i < NUM_ROWS; i++) {
		const struct row *row = &rows[i];

		for (a = 0; a < row->n1; a++) {
			for (b = 0; b < row->n2; b++) {
				unsigned int at = row->address + a * row->s1 + b * row->s2;

				KUNIT_ASSERT_LT(test, at / 4, NUM_STATES);
				if (!(row->flags & VIV_USER) || row->vg)
					continue;
				KUNIT_EXPECT_FALSE(test, is_set(v1->refused, at / 4));
				KUNIT_EXPECT_FALSE(test, is_set(v2->special, at / 4));
				allowed++;
				addresses += row->kind == VIV_KIND_ADDR;
			}
		}
	}
	for (i = 0; i < NUM_STATES; i++) {
		KUNIT_EXPECT_EQ(test, is_set(v1->refused, i), is_set(v2->refused, i));
		/* What is refused is looked at. */
		KUNIT_EXPECT_TRUE(test, !is_set(v2->refused, i) || is_set(v2->special, i));
		bits += !is_set(v1->refused, i);
		address_bits += is_set(v1->special, i) && !is_set(v1->refused, i);
	}
	/* Rows may share an address, so there are no more bits than places. */
	KUNIT_EXPECT_GT(test, bits, 10000);
	KUNIT_EXPECT_LE(test, bits, allowed);
	KUNIT_EXPECT_GT(test, address_bits, 400);
	KUNIT_EXPECT_LE(test, address_bits, addresses);
}

/* What gives power over memory, other clients or the chip. */
static void states_refused(struct kunit *test)
{
	static const unsigned int never[] = {
		VIVS_HI_CLOCK_CONTROL, VIVS_PM_POWER_CONTROLS, VIVS_MMUv2_CONFIGURATION,
		VIVS_MMUv2_CONTROL, VIVS_MMUv2_PTA_CONFIG, VIVS_MMUv2_AHB_CONTROL,
		VIVS_MMUv2_SEC_CONTROL, VIVS_MC_MMU_FE_PAGE_TABLE, VIVS_MC_MMU_PE_PAGE_TABLE,
		VIVS_MC_MEMORY_BASE_ADDR_RA, VIVS_FE_COMMAND_ADDRESS, VIVS_GL_PIPE_SELECT,
		VIVS_GL_EVENT,
	};
	struct vivante_states *v1 = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(never); i++)
		KUNIT_EXPECT_TRUE_MSG(test, is_set(v1->refused, never[i] / 4), "%05x", never[i]);
}

/* Runs of states are looked at 32 at a time: against one by one. */
static void states_runs(struct kunit *test)
{
	struct vivante_states *v1 = test->priv;
	unsigned int first, num, i;

	for (first = 0; first + 70 < NUM_STATES; first += 61) {
		for (num = 1; num < 70; num += 1 + num / 3) {
			int any = 0;

			for (i = 0; i < num; i++)
				any |= is_set(v1->special, first + i);
			KUNIT_ASSERT_EQ_MSG(test, !!any_special(v1->special, first, num), any,
					    "%u at %05x", num, first * 4);
		}
	}
	KUNIT_EXPECT_EQ(test, any_special(v1->special, NUM_STATES - 1, 1),
			is_set(v1->special, NUM_STATES - 1));
}

/* --- Relocations ------------------------------------------------------------ */

struct reloc_test {
	struct limn_mapping mapping[2], *mappings[2];
	u32 words[16];
};

static int try_relocs(struct reloc_test *t, const struct drm_etnaviv_gem_submit_reloc *relocs,
		      u32 num)
{
	memset32(t->words, 0xdeadbeef, ARRAY_SIZE(t->words));
	return vivante_relocate(t->words, sizeof(t->words), relocs, num, t->mappings, 2);
}

static struct reloc_test *relocs_begin(struct kunit *test)
{
	struct reloc_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->mapping[0].node.start = 0x80001000;
	t->mapping[0].node.size = SZ_4K;
	t->mapping[1].node.start = 0xfffff000;
	t->mapping[1].node.size = SZ_4K;
	t->mappings[0] = &t->mapping[0];
	t->mappings[1] = &t->mapping[1];
	return t;
}

static void relocs_good(struct kunit *test)
{
	static const struct drm_etnaviv_gem_submit_reloc relocs[] = {
		{ .submit_offset = 0, .reloc_idx = 1, .reloc_offset = 0xffc },
		{ .submit_offset = 4, .reloc_idx = 0, .reloc_offset = 2 },
		{ .submit_offset = 60, .reloc_idx = 0 },
	};
	struct reloc_test *t = relocs_begin(test);

	KUNIT_EXPECT_EQ(test, try_relocs(t, NULL, 0), 0);
	KUNIT_EXPECT_EQ(test, try_relocs(t, relocs, ARRAY_SIZE(relocs)), 0);
	KUNIT_EXPECT_EQ(test, t->words[0], 0xfffffffc);
	KUNIT_EXPECT_EQ(test, t->words[1], 0x80001002);
	KUNIT_EXPECT_EQ(test, t->words[2], 0xdeadbeef);
	KUNIT_EXPECT_EQ(test, t->words[14], 0xdeadbeef);
	KUNIT_EXPECT_EQ(test, t->words[15], 0x80001000);
}

static void relocs_bad(struct kunit *test)
{
	static const struct drm_etnaviv_gem_submit_reloc bad[] = {
		{ .flags = 1 },
		{ .submit_offset = 2 },
		{ .submit_offset = 64 },
		{ .submit_offset = 0xfffffffc },
		{ .reloc_idx = 2 },
		{ .reloc_idx = 0xffffffff },
		{ .reloc_offset = SZ_4K - 3 },
		{ .reloc_offset = SZ_4K },
		{ .reloc_offset = 1ull << 32 },
		{ .reloc_offset = ~0ull },
		{ .reloc_offset = ~0ull - 3 },
	};
	static const struct drm_etnaviv_gem_submit_reloc disorder[][2] = {
		{ { .submit_offset = 8 }, { .submit_offset = 8 } },
		{ { .submit_offset = 8 }, { .submit_offset = 4 } },
		{ { .submit_offset = 60 }, { .submit_offset = 0 } },
		{ { .submit_offset = 60 }, { .submit_offset = 64 } },
	};
	struct reloc_test *t = relocs_begin(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		KUNIT_EXPECT_EQ_MSG(test, try_relocs(t, &bad[i], 1), -EINVAL, "row %u", i);
		KUNIT_EXPECT_EQ(test, t->words[0], 0xdeadbeef);
	}
	for (i = 0; i < ARRAY_SIZE(disorder); i++)
		KUNIT_EXPECT_EQ_MSG(test, try_relocs(t, disorder[i], 2), -EINVAL, "pair %u", i);
}

/* --- Addresses in their places ---------------------------------------------- */

#define NUM_RANGES	1000

static u32 range_at(u32 i)
{
	return 0x80000000u + i * SZ_64K + i % 7 * SZ_4K;
}

/* Every start, end and gap of many ranges, and of none. */
static void ranges_hold(struct kunit *test)
{
	u64 *range = kunit_kmalloc_array(test, NUM_RANGES, sizeof(*range), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, range);
	for (i = 0; i < NUM_RANGES; i++)
		range[i] = (u64)range_at(i) << 32 | (range_at(i) + SZ_8K - 4);
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, 0, range_at(0)));
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, 0));
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, ~0u));
	for (i = 0; i < NUM_RANGES; i++) {
		u32 at = range_at(i);

		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, at - 1));
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, NUM_RANGES, at));
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, NUM_RANGES, at + SZ_8K - 4));
		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, at + SZ_8K - 3));
		/* In the last of fewer, and behind it. */
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, i + 1, at + 2));
		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, i, at));
	}
}

static struct kunit_case stream_cases[] = {
	KUNIT_CASE(states_rows),
	KUNIT_CASE(states_refused),
	KUNIT_CASE(states_runs),
	KUNIT_CASE(relocs_good),
	KUNIT_CASE(relocs_bad),
	KUNIT_CASE(ranges_hold),
	{}
};

static struct kunit_suite stream_suite = {
	.name = "limn-vivante-stream",
	.init = states_init,
	.test_cases = stream_cases,
};

kunit_test_suite(stream_suite);
