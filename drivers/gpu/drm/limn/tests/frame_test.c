// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: which frames are refused, and which registers a frame writes.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <drm/lima_drm.h>

#include "../limn_compat.h"
#include "../utgard/utgard.h"

static void gp_frames(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 frame[6];
		int ret;
	} rows[] = {
		{ "both lists", { 0x1000, 0x1008, 0x2000, 0x2010, 0x3000, 0x4000 }, 0 },
		{ "VS only", { 0x1000, 0x1008, 0, 0, 0, 0 }, 0 },
		{ "PLBU only, no heap", { 0, 0, 0x2000, 0x2008, 0, 0 }, 0 },
		{ "nothing to do", { 0x1000, 0x1000, 0x2000, 0x2000, 0x3000, 0x4000 }, -EINVAL },
		{ "VS ends before it starts", { 0x1008, 0x1000, 0x2000, 0x2008, 0, 0 }, -EINVAL },
		{ "PLBU ends before it starts", { 0, 0, 0x2008, 0x2000, 0, 0 }, -EINVAL },
		{ "heap ends before it starts", { 0, 0, 0x2000, 0x2008, 0x4000, 0x3000 }, -EINVAL },
		{ "start not aligned", { 0x1004, 0x1008, 0, 0, 0, 0 }, -EINVAL },
		{ "end not aligned", { 0, 0, 0x2000, 0x200c, 0, 0 }, -EINVAL },
		{ "to the end of memory", { 0xfffffff0, 0xfffffff8, 0, 0, 0, 0 }, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, utgard_check_gp_frame(rows[i].frame), rows[i].ret, "%s",
				    rows[i].what);
}

static void pp_frames_m400(struct kunit *test)
{
	struct drm_lima_m400_pp_frame f = {};

	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 4), -EINVAL);
	f.num_pp = 4;
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 4), 0);
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 3), -EINVAL);
	f.plbu_array_address[3] = 4;
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 4), -EINVAL);
	f.num_pp = 3;	/* of the fourth nothing is read */
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 4), 0);
	f.num_pp = U32_MAX;
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, false, 4), -EINVAL);
}

static void pp_frames_m450(struct kunit *test)
{
	struct drm_lima_m450_pp_frame f = { .num_pp = 8 };

	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, true, 8), 0);
	f._pad = 1;
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, true, 8), -EINVAL);
	f._pad = 0;
	f.plbu_array_address[1] = 3;
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, true, 8), -EINVAL);
	f.use_dlbu = 1;	/* now it is a DLBU register */
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&f, true, 8), 0);
}

static u32 written(const struct utgard_reg_write *plan, unsigned int n, u32 reg)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (plan[i].reg == reg)
			return plan[i].value;
	}
	return 0xdead;
}

/* What a core is left with must be the frame, from the values after a reset. */
static void pp_plan(struct kunit *test)
{
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 frame[PP_FRAME_WORDS] = {};
	u32 wb[PP_WB_UNITS * PP_WB_WORDS] = {};
	unsigned int n;

	/* The two whose reset value is not 0, at it: nothing to write. */
	frame[PP_FEATURES / 4] = 0x2;
	frame[PP_SUBPIXEL / 4] = 0x75;
	KUNIT_EXPECT_EQ(test, utgard_plan_pp_frame(frame, wb, plan), 0);

	/* And at 0, where all others need no write. */
	frame[PP_FEATURES / 4] = 0;
	frame[PP_SUBPIXEL / 4] = 0;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, 2);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_FEATURES), 0);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_SUBPIXEL), 0);

	/* These two are per core: never from the frame. */
	frame[PP_FRAME / 4] = 0x1000;
	frame[PP_STACK / 4] = 0x2000;
	frame[PP_CHANNEL_LAYOUT / 4] = 0x8888;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, 3);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_CHANNEL_LAYOUT), 0x8888);
}

static void pp_plan_write_back(struct kunit *test)
{
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 frame[PP_FRAME_WORDS], wb[PP_WB_UNITS * PP_WB_WORDS];
	unsigned int n, i;

	/* Everything differs: all is written, but the two per core. */
	for (i = 0; i < ARRAY_SIZE(frame); i++)
		frame[i] = 0x100 + i;
	for (i = 0; i < ARRAY_SIZE(wb); i++)
		wb[i] = 0x200 + i;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, UTGARD_MAX_PP_WRITES - 2);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_WB(2) + PP_WB_ADDRESS),
			0x200 + 2 * PP_WB_WORDS + PP_WB_ADDRESS / 4);

	/* A unit without a source is off, whatever else it has. */
	wb[PP_WB_WORDS] = 0;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, UTGARD_MAX_PP_WRITES - 2 - PP_WB_WORDS);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_WB(1) + PP_WB_ADDRESS), 0xdead);
}

static struct kunit_case frame_cases[] = {
	KUNIT_CASE(gp_frames),
	KUNIT_CASE(pp_frames_m400),
	KUNIT_CASE(pp_frames_m450),
	KUNIT_CASE(pp_plan),
	KUNIT_CASE(pp_plan_write_back),
	{}
};

static struct kunit_suite frame_suite = {
	.name = "limn-utgard-frame",
	.test_cases = frame_cases,
};

kunit_test_suite(frame_suite);

MODULE_IMPORT_NS(LIMN_KUNIT_NS);
MODULE_DESCRIPTION("KUnit tests for limn");
MODULE_LICENSE("GPL");
