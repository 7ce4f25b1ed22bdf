// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames: which are refused, and which registers they need written.
 *
 * Pure functions. Nothing a frame says can harm more than its own address space, so the checks are
 * for mistakes that the hardware would answer with something hard to understand.
 */
#include <kunit/visibility.h>
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <drm/lima_drm.h>

#include "utgard.h"

/* Commands and list entries are two words. */
#define LIST_ALIGN	8

static_assert(GP_PLBU_ALLOC_END / 4 + 1 == LIMA_GP_FRAME_REG_NUM);
static_assert(PP_FRAME_WORDS == LIMA_PP_FRAME_REG_NUM);
static_assert(PP_WB_WORDS == LIMA_PP_WB_REG_NUM);
static_assert(sizeof(struct drm_lima_gp_frame) == 24);
static_assert(sizeof(struct drm_lima_m400_pp_frame) == 272);
static_assert(sizeof(struct drm_lima_m450_pp_frame) == 312);
/* Both kinds of PP frame begin with the same fields, which utgard/pp.c reads from either. */
static_assert(offsetof(struct drm_lima_m400_pp_frame, num_pp) ==
	      offsetof(struct drm_lima_m450_pp_frame, num_pp));
static_assert(offsetof(struct drm_lima_m400_pp_frame, wb) ==
	      offsetof(struct drm_lima_m450_pp_frame, wb));

/*
 * The six words of a GP frame, in register order. 0, or -EINVAL when a list or the heap ends before
 * it starts, a list is not aligned to 8 bytes, or both lists are empty.
 */
int utgard_check_gp_frame(const u32 *frame)
{
	const u32 vs = frame[GP_VSCL_START / 4], vs_end = frame[GP_VSCL_END / 4];
	const u32 plbu = frame[GP_PLBUCL_START / 4], plbu_end = frame[GP_PLBUCL_END / 4];

	if (vs > vs_end || plbu > plbu_end ||
	    frame[GP_PLBU_ALLOC_START / 4] > frame[GP_PLBU_ALLOC_END / 4])
		return -EINVAL;
	if (!IS_ALIGNED(vs | vs_end | plbu | plbu_end, LIST_ALIGN))
		return -EINVAL;
	if (vs == vs_end && plbu == plbu_end)
		return -EINVAL;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(utgard_check_gp_frame);

static int utgard_check_lists(const u32 *lists, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!IS_ALIGNED(lists[i], LIST_ALIGN))
			return -EINVAL;
	}
	return 0;
}

/*
 * A PP frame of either GPU that has @num_pp cores. 0, or -EINVAL when it asks for no core or for
 * more than there are, a tile list is not aligned to 8 bytes, or padding is not zero.
 */
int utgard_check_pp_frame(const void *frame, bool m450, unsigned int num_pp)
{
	const struct drm_lima_m400_pp_frame *f400 = frame;
	const struct drm_lima_m450_pp_frame *f450 = frame;

	if (f400->num_pp == 0 || f400->num_pp > num_pp)
		return -EINVAL;
	if (!m450)
		return utgard_check_lists(f400->plbu_array_address, f400->num_pp);
	if (f450->_pad)
		return -EINVAL;
	if (f450->use_dlbu)
		return 0;
	return utgard_check_lists(f450->plbu_array_address, f450->num_pp);
}
EXPORT_SYMBOL_IF_KUNIT(utgard_check_pp_frame);

/*
 * The register file after a reset: zero, but for these two (ARM's GPL kernel
 * driver, mali_pp_job.c and mali_pp.c, which write frames in the same way).
 */
static u32 utgard_pp_reset_value(u32 reg)
{
	switch (reg) {
	case PP_FEATURES:
		return 0x2;
	case PP_SUBPIXEL:
		return 0x75;
	default:
		return 0;
	}
}

/*
 * What must be written to a core fresh from reset, all but what differs from core to core
 * (PP_FRAME, PP_STACK). @out has room for UTGARD_MAX_PP_WRITES; returns how many were used. A
 * write-back unit without a source is off, and its other registers do not matter.
 */
unsigned int utgard_plan_pp_frame(const u32 *frame, const u32 *wb, struct utgard_reg_write *out)
{
	unsigned int n = 0, i, unit;

	for (i = 0; i < PP_FRAME_WORDS; i++) {
		u32 reg = i * 4;

		if (reg == PP_FRAME || reg == PP_STACK ||
		    (frame[i] == utgard_pp_reset_value(reg) && !limn_conservative))
			continue;
		out[n].reg = reg;
		out[n++].value = frame[i];
	}
	for (unit = 0; unit < PP_WB_UNITS; unit++, wb += PP_WB_WORDS) {
		if (!wb[PP_WB_SOURCE_SELECT / 4] && !limn_conservative)
			continue;
		for (i = 0; i < PP_WB_WORDS; i++) {
			if (!wb[i] && !limn_conservative)
				continue;
			out[n].reg = PP_WB(unit) + i * 4;
			out[n++].value = wb[i];
		}
	}
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(utgard_plan_pp_frame);
