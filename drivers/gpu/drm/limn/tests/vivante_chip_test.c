// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what a core's registers say it is, and what is set up for it, for chips with
 * something of their own. What is expected: Linux drivers/gpu/drm/etnaviv/etnaviv_gpu.c.
 */
#include <kunit/device.h>
#include <linux/io.h>
#include <linux/logic_iomem.h>
#include <linux/slab.h>

#include "../limn_drv.h"
#include "../vivante/vivante.h"
#include "limn_test.h"

#define REGS_AT		0xfed00000ul	/* nothing else is there in User Mode Linux */

struct reg {
	u32 at, value;
};

/* Registers that keep what is written; which were read, and the first writes. */
static struct fake {
	u32 value[SZ_16K / 4];
	bool was_read[SZ_16K / 4];
	bool second;
	unsigned int num_writes;
	struct reg write[16];
	ktime_t when[16];
} *fake;

static unsigned long fake_read(void *priv, unsigned int offset, int size)
{
	u32 value = fake->value[offset / 4];

	fake->was_read[offset / 4] = true;
	if (offset == VIVS_HI_CLOCK_CONTROL)
		value |= VIVS_HI_CLOCK_CONTROL_IDLE_3D | VIVS_HI_CLOCK_CONTROL_IDLE_2D;
	/* What FE does is right when it is read again. */
	if (offset < VIVS_FE_DMA_STATUS || offset > VIVS_FE_DMA_HIGH)
		return value;
	fake->second = !fake->second;
	return fake->second ? ~value : value;
}

static void fake_write(void *priv, unsigned int offset, int size, unsigned long value)
{
	fake->value[offset / 4] = value;
	if (fake->num_writes == ARRAY_SIZE(fake->write))
		return;
	fake->when[fake->num_writes] = ktime_get();
	fake->write[fake->num_writes++] = (struct reg){ offset, value };
}

static long fake_map(unsigned long offset, size_t size, const struct logic_iomem_ops **ops,
		     void **priv)
{
	static const struct logic_iomem_ops fake_ops = { .read = fake_read, .write = fake_write };

	*ops = &fake_ops;
	return 0;
}

struct chip_test {
	struct vivante viv;
	struct limn_pipe pipe;
	struct vivante_core core;
	struct fake fake;
};

/* A region stays after this module, so its description must, too. */
static int chips_suite_init(struct kunit_suite *suite)
{
	struct {
		struct resource res;
		struct logic_iomem_region_ops ops;
	} *region = kzalloc(sizeof(*region), GFP_KERNEL);
	int ret;

	if (!region)
		return -ENOMEM;
	region->res = (struct resource)DEFINE_RES_MEM(REGS_AT, SZ_16K);
	region->ops.map = fake_map;
	ret = logic_iomem_add_region(&region->res, &region->ops);
	if (ret)
		kfree(region);
	return ret;
}

static int chip_init(struct kunit *test)
{
	struct chip_test *t = limn_test_alloc(test, sizeof(*t));

	t->core.dev = kunit_device_register(test, "limn-vivante-chip");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t->core.dev);
	fake = &t->fake;
	t->core.regs = ioremap(REGS_AT, SZ_16K);
	KUNIT_ASSERT_NOT_NULL(test, t->core.regs);
	t->viv.base.pipe[0] = &t->pipe;
	t->core.viv = &t->viv;
	test->priv = t;
	return 0;
}

static void chip_exit(struct kunit *test)
{
	struct chip_test *t = test->priv;

	iounmap(t->core.regs);
}

/* --- Identity --------------------------------------------------------------- */

#define HI(name, value)		{ VIVS_HI_CHIP_##name, value }
#define FEATURES(value)		HI(FEATURE, value)
#define MINOR_FEATURE(n, value)	HI(MINOR_FEATURE_##n, value)
#define SPEC(n, field, value)	VIV_SET(VIVS_HI_CHIP_SPECS##n##_##field, value)
#define P3D			chipFeatures_PIPE_3D
#define P2D			chipFeatures_PIPE_2D
#define VG			chipFeatures_PIPE_VG
#define FE20			chipFeatures_FE20
#define MORE			chipMinorFeatures0_MORE_MINOR_FEATURES
#define IDLE(module)		VIVS_HI_IDLE_STATE_##module
#define SMALL_IDLE		(IDLE(TX) | IDLE(RA) | IDLE(SE) | IDLE(PA) | IDLE(SH) | IDLE(PE) | \
				 IDLE(DE) | IDLE(FE))

/* What its registers say; the others are 0. */
struct source {
	u32 model, revision;
	struct reg regs[8];
};

static const struct chip {
	const char *name;
	struct source says;
	struct vivante_identity id;
	u32 idle_mask;		/* 0: all but AXI_LP */
	u32 unread[2];		/* registers that must not be read */
	bool secure;
} chips[] = {
	{ "GC500 r1, by its family",
	  { 0x1234, 0x5678,
	    { HI(IDENTITY, VIV_SET(VIVS_HI_CHIP_IDENTITY_FAMILY, 1) |
			   VIV_SET(VIVS_HI_CHIP_IDENTITY_REVISION, 1)),
	      FEATURES(P3D), MINOR_FEATURE(0, MORE) } },
	  { 0x500, 1, 0, 0, 0, 1, 64, 128, 1, 8, 512, 1, 256, 168, 0, 8, { P3D | P2D } },
	  .unread = { VIVS_HI_CHIP_MODEL, VIVS_HI_CHIP_MINOR_FEATURE_0 } },
	{ "GC500 r2",
	  { 0x500, 2, { FEATURES(P3D), MINOR_FEATURE(0, 1) } },
	  { 0x500, 2, 0, 0, 0, 1, 64, 128, 1, 8, 512, 1, 256, 168, 0, 8, { P3D | P2D, 1 } },
	  .unread = { VIVS_HI_CHIP_MINOR_FEATURE_1, VIVS_HI_CHIP_SPECS } },
	{ "GC500 r3",
	  { 0x500, 3, { FEATURES(P3D) } },
	  { 0x500, 3, 0, 0, 0, 1, 64, 128, 1, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC530",
	  { 0x530, 0x10, { FEATURES(P3D | chipFeatures_FAST_CLEAR) } },
	  { 0x530, 0x10, 0, 0, 0, 1, 64, 128, 1, 8, 512, 1, 256, 168, 0, 8,
	    { P3D | chipFeatures_FAST_CLEAR } } },
	{ "GC300 r1.0.5.1",
	  { 0x300, 0x2201, { HI(DATE, 0x20080814), HI(TIME, 0x12051100),
	    MINOR_FEATURE(0, MORE) } },
	  { 0x300, 0x1051, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D } },
	  .idle_mask = SMALL_IDLE, .unread = { VIVS_HI_CHIP_MINOR_FEATURE_0 } },
	{ "GC300 r2.2.0.1 of another time",
	  { 0x300, 0x2201, { HI(DATE, 0x20080814), HI(TIME, 0x12051101),
	    MINOR_FEATURE(0, 2) } },
	  { 0x300, 0x2201, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D, 2 } },
	  .idle_mask = SMALL_IDLE },
	{ "GC300 r2.2.0.1 of another day",
	  { 0x300, 0x2201, { HI(DATE, 0x20080815), HI(TIME, 0x12051100) } },
	  { 0x300, 0x2201, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D } },
	  .idle_mask = SMALL_IDLE },
	{ "GC300 r2.0",
	  { 0x300, 0x2000, { MINOR_FEATURE(0, 2) } },
	  { 0x300, 0x2000, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D, 2 } },
	  .idle_mask = SMALL_IDLE },
	{ "GC410, early",
	  { 0x410, 0x3fff, { FEATURES(P3D) } },
	  { 0x400, 0x3fff, 0, 0, 0, 1, 32, 64, 1, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC410",
	  { 0x410, 0x4000, { FEATURES(P3D) } },
	  { 0x400, 0x4000, 0, 0, 0, 1, 32, 64, 1, 8, 256, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC4ff, late",
	  { 0x4ff, 0x4200, { FEATURES(P3D) } },
	  { 0x400, 0x4200, 0, 0, 0, 1, 32, 64, 1, 8, 128, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC420",
	  { 0x420, 0x4200, { FEATURES(P2D) } },
	  { 0x420, 0x4200, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D } } },
	{ "GC600 r19, where two registers abort",
	  { 0x600, 0x19, { FEATURES(P3D), HI(CUSTOMER_ID, 5) } },
	  { 0x600, 0x19, 0, 5, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P3D } },
	  .idle_mask = SMALL_IDLE, .unread = { VIVS_HI_CHIP_PRODUCT_ID, VIVS_HI_CHIP_ECO_ID } },
	{ "GC600",
	  { 0x600, 0x20, { FEATURES(P3D), HI(PRODUCT_ID, 6), HI(ECO_ID, 7) } },
	  { 0x600, 0x20, 6, 0, 7, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P3D } },
	  .idle_mask = SMALL_IDLE },
	{ "GC700 without fast clear",
	  { 0x700, 0x20, { FEATURES(P3D | chipFeatures_FAST_CLEAR) } },
	  { 0x700, 0x20, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC1000 of one day",
	  { 0x1000, 0x5037, { FEATURES(P3D), HI(DATE, 0x20120617) } },
	  { 0x1000, 0x5037, 0, 0, 1, 4, 64, 256, 2, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC1000 of another",
	  { 0x1000, 0x5037, { FEATURES(P3D), HI(DATE, 0x20140511) } },
	  { 0x1000, 0x5037, 0, 0, 0, 4, 64, 256, 2, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC320 of one day",
	  { 0x320, 0x5303, { FEATURES(P2D), HI(DATE, 0x20140511) } },
	  { 0x320, 0x5303, 0, 0, 1, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D } } },
	{ "GC320 of another",
	  { 0x320, 0x5303, { FEATURES(P2D), HI(DATE, 0x20120617) } },
	  { 0x320, 0x5303, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8, { P2D } } },
	{ "GC2000+",
	  { 0x2000, 0xffff5450, { FEATURES(P3D) } },
	  { 0x3000, 0x5450, 0, 0, 0, 4, 64, 256, 2, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC2000 r5108",
	  { 0x2000, 0x5108, { FEATURES(P3D), MINOR_FEATURE(0, MORE),
	    MINOR_FEATURE(1, chipMinorFeatures1_HALTI0), MINOR_FEATURE(2, 2),
	    MINOR_FEATURE(3, 3), MINOR_FEATURE(4, 4), MINOR_FEATURE(5, 5) } },
	  { 0x2000, 0x5108, 0, 0, 0, 4, 64, 256, 2, 8, 512, 1, 512, 168, 0, 11,
	    { P3D, MORE, chipMinorFeatures1_HALTI0, 2, 3, 4, 5 } } },
	{ "GC880 r5106",
	  { 0x880, 0x5106, { FEATURES(P3D) } },
	  { 0x880, 0x5106, 0, 0, 0, 1, 64, 256, 1, 8, 512, 1, 512, 168, 0, 7, { P3D } } },
	{ "each field of the specs",
	  { 0x1500, 0x5245, { FEATURES(P3D), MINOR_FEATURE(0, MORE),
	    HI(SPECS, SPEC(, STREAM_COUNT, 3) |
	       SPEC(, REGISTER_MAX, 5) |
	       SPEC(, THREAD_COUNT, 9) |
	       SPEC(, VERTEX_CACHE_SIZE, 17) |
	       SPEC(, SHADER_CORE_COUNT, 6) |
	       SPEC(, PIXEL_PIPES, 4) |
	       SPEC(, VERTEX_OUTPUT_BUFFER_SIZE, 10)),
	    HI(SPECS_2, SPEC(_2, BUFFER_SIZE, 19) |
	       SPEC(_2, INSTRUCTION_COUNT, 1) |
	       SPEC(_2, NUM_CONSTANTS, 321)),
	    HI(SPECS_3, SPEC(_3, VARYINGS_COUNT, 13)) } },
	  { 0x1500, 0x5245, 0, 0, 0, 3, 32, 512, 6, 17, 1024, 4, 1024, 321, 19, 13,
	    { P3D, MORE } } },
	{ "streams by the newer register, position in two varyings",
	  { 0x1500, 0x5246, { FEATURES(P3D), MINOR_FEATURE(0, MORE),
	    HI(SPECS, SPEC(, STREAM_COUNT, 3)),
	    HI(SPECS_2, SPEC(_2, INSTRUCTION_COUNT, 2)),
	    HI(SPECS_3, SPEC(_3, VARYINGS_COUNT, 13)),
	    HI(SPECS_4, SPEC(_4, STREAM_COUNT, 7)) } },
	  { 0x1500, 0x5246, 0, 0, 0, 7, 64, 256, 2, 8, 512, 1, 2048, 168, 0, 12, { P3D, MORE } } },
	{ "GC400 of i.MX's kind, in the table",
	  { 0x400, 0x4652, { HI(PRODUCT_ID, 0x70001), HI(CUSTOMER_ID, 0x100) } },
	  { 0x400, 0x4652, 0x70001, 0x100, 0, 4, 64, 128, 1, 8, 1024, 1, 256, 320, 0, 8,
	    { 0xa0e9e004, 0xe1299fff, 0xbe13b219, 0xce110010, 0x08000001, 0x00020102,
	      0x00120000 } },
	  .unread = { VIVS_HI_CHIP_FEATURE, VIVS_HI_CHIP_SPECS } },
	{ "GC400 of another customer, not in the table",
	  { 0x400, 0x4652, { HI(PRODUCT_ID, 0x70001), HI(CUSTOMER_ID, 0x101),
	    FEATURES(P3D) } },
	  { 0x400, 0x4652, 0x70001, 0x101, 0, 1, 32, 64, 1, 8, 128, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC7000 r6204 of any product",
	  { 0x7000, 0x6204, { HI(PRODUCT_ID, 0x70003), HI(CUSTOMER_ID, 0x15) } },
	  { 0x7000, 0x6204, 0x70003, 0x15, 0, 16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16,
	    { 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	      0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x04c8003c, 0x00004060, 0x00000024 } },
	  .unread = { VIVS_HI_CHIP_FEATURE }, .secure = true },
	{ "GC7000 r6204 of another eco_id",
	  { 0x7000, 0x6204, { HI(ECO_ID, 1), FEATURES(P3D) } },
	  { 0x7000, 0x6204, 0, 0, 1, 4, 64, 256, 2, 8, 512, 1, 256, 168, 0, 8, { P3D } } },
	{ "GC7000 r6214 of any eco_id",
	  { 0x7000, 0x6214, { HI(PRODUCT_ID, 0x70002), HI(CUSTOMER_ID, 0x30),
	    HI(ECO_ID, 0x1000000) } },
	  { 0x7000, 0x6214, 0x70002, 0x30, 0x1000000, 16, 64, 1024, 4, 16, 1024, 2, 512, 320, 0, 16,
	    { 0xe0287cad, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333,
	      0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024 } },
	  .secure = true },
};

static void chip_set(const struct source *says)
{
	const struct reg *reg;

	memset(fake, 0, sizeof(*fake));
	fake->value[VIVS_HI_CHIP_MODEL / 4] = says->model;
	fake->value[VIVS_HI_CHIP_REV / 4] = says->revision;
	for (reg = says->regs; reg < says->regs + ARRAY_SIZE(says->regs) && reg->at; reg++)
		fake->value[reg->at / 4] = reg->value;
}

static void chip_identities(struct kunit *test)
{
	struct chip_test *t = test->priv;
	const struct chip *chip;
	unsigned int i;

	for (chip = chips; chip < chips + ARRAY_SIZE(chips); chip++) {
		u32 idle_mask = chip->idle_mask ?: ~VIVS_HI_IDLE_STATE_AXI_LP;

		chip_set(&chip->says);
		KUNIT_EXPECT_EQ_MSG(test, vivante_identify(&t->core), 0, "%s", chip->name);
		KUNIT_EXPECT_MEMEQ_MSG(test, &t->core.id, &chip->id, sizeof(chip->id), "%s",
				       chip->name);
		KUNIT_EXPECT_EQ_MSG(test, t->core.idle_mask, idle_mask, "%s", chip->name);
		KUNIT_EXPECT_EQ_MSG(test, t->core.secure, chip->secure, "%s", chip->name);
		for (i = 0; i < ARRAY_SIZE(chip->unread) && chip->unread[i]; i++)
			KUNIT_EXPECT_FALSE_MSG(test, fake->was_read[chip->unread[i] / 4],
					       "%s: %05x", chip->name, chip->unread[i]);
	}
}

static void chip_is_none(struct kunit *test)
{
	static const struct source none[] = {
		{ 0, 0, { FEATURES(P3D) } },
		{ 0x10000, 0, { FEATURES(P3D) } },
		{ ~0u, ~0u, { FEATURES(~0u) } },
		{ 0x355, 0x1215, { FEATURES(0) } },
		{ 0x600, 0x20, { FEATURES(~(P3D | P2D | VG | FE20)) } },
		{ 0x355, 0x1215, { FEATURES(VG | FE20) } },
	};
	static const struct source some[] = {
		{ 0xffff, 0, { FEATURES(P2D) } },
		{ 0x355, 0x1215, { FEATURES(VG) } },
		{ 0x355, 0x1215, { FEATURES(P3D | FE20) } },
	};
	struct chip_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		chip_set(&none[i]);
		KUNIT_EXPECT_EQ_MSG(test, vivante_identify(&t->core), -ENODEV, "row %u", i);
	}
	for (i = 0; i < ARRAY_SIZE(some); i++) {
		chip_set(&some[i]);
		KUNIT_EXPECT_EQ_MSG(test, vivante_identify(&t->core), 0, "row %u", i);
	}
}

/* --- Start ------------------------------------------------------------------ */

#define GATE(module)	VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_##module
#define ALWAYS		(GATE(RA_HZ) | GATE(RA_EZ))
#define EARLY		(ALWAYS | BIT(15))	/* before revision 5.4.2.2 */
#define EATER		0x01590880
#define GATING		VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING
#define NO_STALL	VIVS_PM_POWER_CONTROLS_DISABLE_STALL_MODULE_CLOCK_GATING

static const struct start {
	u32 model, revision;
	u32 features[5];
	u32 modules;
	u32 pulse_eater;
	u32 power;		/* bits of the power controls */
	u32 shift;		/* of the three power registers */
	u32 time;
	u32 memory, bus;	/* MC_DEBUG_MEMORY, MC_BUS_CONFIG: 0: as before */
	bool secure;
} starts[] = {
	/* PA */
	{ 0x300, 0x2000, { P3D }, EARLY, EATER },
	{ 0x300, 0x1fff, { P3D }, EARLY, EATER, .shift = 0x100 },
	{ 0x400, 0x4645, { P3D }, EARLY | GATE(PA), EATER },
	{ 0x420, 0x5337, { P2D }, EARLY, EATER },
	{ 0x600, 0x20, { P3D, 0, 0, 0, chipMinorFeatures3_BUG_FIXES12 }, EARLY, EATER },
	/* PE */
	{ 0x600, 0x4fff, { P3D, chipMinorFeatures0_HZ }, EARLY | GATE(PA) | GATE(PE), EATER },
	{ 0x600, 0x4fff, { P3D, chipMinorFeatures0_HZ, chipMinorFeatures1_DISABLE_PE_GATING },
	  EARLY | GATE(PA), EATER },
	{ 0x600, 0x5000, { P3D, chipMinorFeatures0_HZ }, EARLY | GATE(PA), EATER },
	/* Stalls */
	{ 0x800, 0x4301, { P3D }, EARLY | GATE(PA), EATER, .power = NO_STALL },
	{ 0x800, 0x4302, { P3D }, EARLY | GATE(PA), EATER, .power = NO_STALL },
	{ 0x800, 0x4303, { P3D }, EARLY | GATE(PA), EATER },
	/* TX, and what may be read of the pulse eater; of 2D nothing */
	{ 0x4000, 0x5222, { P3D }, EARLY | GATE(PA) | GATE(TX), EATER | VIVS_PM_PULSE_EATER_UNK23 },
	{ 0x4000, 0x5208, { P3D }, EARLY | GATE(PA), EATER | VIVS_PM_PULSE_EATER_UNK23 },
	{ 0x4000, 0x5245, { P3D }, EARLY | GATE(PA), EATER },
	{ 0x3000, 0x5420, { P3D }, EARLY | GATE(PA), EATER },
	{ 0x3000, 0x5421, { P3D }, EARLY | GATE(PA), 0 },
	{ 0x3000, 0x5422, { P3D }, ALWAYS | GATE(PA), 0 },
	{ 0x520, 0x5421, { P2D }, EARLY | GATE(PA), EATER },
	{ 0x7000, 0x6202, { P3D }, ALWAYS | GATE(PA) | GATE(TX) | GATE(SE) | GATE(RA), 0 },
	{ 0x7000, 0x6203, { P3D }, ALWAYS | GATE(PA) | GATE(TX), 0 },
	{ 0x7000, 0x6204, { P3D }, ALWAYS | GATE(PA), 0 },
	{ 0x7000, 0x6214, { P3D }, ALWAYS | GATE(PA), 0, .secure = true },
	{ 0x8000, 0x7200, { P3D }, ALWAYS | GATE(PA) | GATE(SH_EU), 0 },
	{ 0x8000, 0x8002, { P3D }, ALWAYS | GATE(PA) | GATE(SH_EU), 0 },
	{ 0x8000, 0x7120, { P3D }, ALWAYS | GATE(PA), 0 },
	{ 0x9200, 0x6304, { P3D }, ALWAYS | GATE(PA) | GATE(SH_EU), 0 },
	/* The pulse eater's base */
	{ 0x1000, 0x5038, { P3D }, EARLY | GATE(PA), EATER },
	{ 0x1000, 0x5039, { P3D }, EARLY | GATE(PA), 0x015a0880 },
	{ 0x1000, 0x5040, { P3D }, EARLY | GATE(PA), 0x015a0880 },
	/* The memory and the bus */
	{ 0x320, 0x5007, { P2D }, EARLY, EATER, .memory = 0xab120c },
	{ 0x320, 0x5220, { P2D }, EARLY, EATER, .memory = 0xab1208 },
	{ 0x320, 0x5220, { P2D }, EARLY, EATER, .time = 0x2062400 },
	{ 0x320, 0x5303, { P2D }, EARLY, EATER },
	{ 0x2000, 0x5108, { P3D }, EARLY | GATE(PA) | GATE(TX), EATER,
	  .bus = ~(VIV_MASK(VIVS_MC_BUS_CONFIG_FE_BUS_CONFIG) |
		   VIV_MASK(VIVS_MC_BUS_CONFIG_TX_BUS_CONFIG)) |
		 VIV_SET(VIVS_MC_BUS_CONFIG_FE_BUS_CONFIG, 1) },
	{ 0x2000, 0x5109, { P3D }, EARLY | GATE(PA), EATER },
};

#define CLOCK(bits)	{ VIVS_HI_CLOCK_CONTROL, (bits) | FULL_SPEED }
#define FULL_SPEED	VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64)
#define ISOLATE		VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU
#define EATER_17	(EATER | VIVS_PM_PULSE_EATER_UNK17)

/* Each write of a reset, and the time that it takes. */
static void chip_resets(struct kunit *test)
{
	static const struct reset {
		struct source says;
		u32 shift;
		struct reg reset;
		bool secure;
	} resets[] = {
		{ { 0x2000, 0x5108 }, 0, CLOCK(ISOLATE | VIVS_HI_CLOCK_CONTROL_SOFT_RESET) },
		{ { 0x300, 0x1051 }, 0x100, CLOCK(ISOLATE | VIVS_HI_CLOCK_CONTROL_SOFT_RESET) },
		{ { 0x7000, 0x6214 }, 0,
		  { VIVS_MMUv2_AHB_CONTROL, VIVS_MMUv2_AHB_CONTROL_RESET }, true },
	};
	struct chip_test *t = test->priv;
	const struct reset *r;

	for (r = resets; r < resets + ARRAY_SIZE(resets); r++) {
		const struct reg want[] = {
			{ VIVS_PM_POWER_CONTROLS + r->shift, 0 },
			{ VIVS_PM_PULSE_EATER + r->shift, EATER_17 },
			{ VIVS_PM_PULSE_EATER + r->shift,
			  EATER_17 | VIVS_PM_PULSE_EATER_DISABLE },
			CLOCK(VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD), CLOCK(0), CLOCK(ISOLATE),
			r->reset, CLOCK(ISOLATE), CLOCK(0),
		};

		chip_set(&r->says);
		fake->value[VIVS_HI_IDLE_STATE / 4] = ~0u;
		t->core.id.model = r->says.model;
		t->core.id.revision = r->says.revision;
		t->core.secure = r->secure;
		t->core.idle_mask = ~VIVS_HI_IDLE_STATE_AXI_LP;
		KUNIT_EXPECT_EQ(test, vivante_reset(&t->core), 0);
		KUNIT_EXPECT_MEMEQ_MSG(test, fake->write, want, sizeof(want), "GC%x",
				       r->says.model);
		/* Held for 10 us. */
		KUNIT_EXPECT_GE(test, ktime_us_delta(fake->when[7], fake->when[6]), 10);
	}
}

/* So far and no further: page tables are the other suite's. */
static int start_no_mmu(struct vivante_core *core)
{
	return -ECANCELED;
}

static void chip_starts(struct kunit *test)
{
	static const struct vivante_mmu_ops no_mmu = { .start = start_no_mmu };
	const u32 read_eater = EATER | VIVS_PM_PULSE_EATER_UNK17 | VIVS_PM_PULSE_EATER_DISABLE |
			       VIVS_PM_PULSE_EATER_INTERNAL_DFS;
	const u32 memory = 0xab12cd, bus = ~0u;
	struct chip_test *t = test->priv;
	unsigned int i;

	t->viv.mmu = &no_mmu;
	t->core.idle_mask = ~VIVS_HI_IDLE_STATE_AXI_LP;
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		const struct start *s = &starts[i];
		const struct source says = { s->model, s->revision, {
			{ VIVS_HI_IDLE_STATE, ~0u }, HI(TIME, s->time),
			{ VIVS_MC_DEBUG_MEMORY, memory }, { VIVS_MC_BUS_CONFIG, bus },
		} };
		const struct reg want[] = {
			{ VIVS_PM_POWER_CONTROLS, s->power | GATING },
			{ VIVS_PM_MODULE_CONTROLS, s->modules },
			{ VIVS_PM_PULSE_EATER, s->pulse_eater ?: read_eater },
			{ VIVS_MC_DEBUG_MEMORY, s->memory ?: memory },
			{ VIVS_MC_BUS_CONFIG, s->bus ?: bus },
			{ VIVS_HI_AXI_CONFIG, VIV_SET(VIVS_HI_AXI_CONFIG_AWCACHE, 2) |
					      VIV_SET(VIVS_HI_AXI_CONFIG_ARCACHE, 2) },
			{ VIVS_MMUv2_AHB_CONTROL, s->secure ? VIVS_MMUv2_AHB_CONTROL_RESET |
				VIVS_MMUv2_AHB_CONTROL_NONSEC_ACCESS : 0 },
			{ VIVS_HI_INTR_ENBL, 0 },
		};
		const struct reg *w;

		chip_set(&says);
		t->core.id.model = s->model;
		t->core.id.revision = s->revision;
		memcpy(t->core.id.features, s->features, sizeof(s->features));
		t->core.secure = s->secure;
		KUNIT_EXPECT_EQ(test, vivante_start(&t->core), -ECANCELED);
		for (w = want; w < want + ARRAY_SIZE(want); w++) {
			u32 at = w->at + (w < want + 3 ? s->shift : 0);

			KUNIT_EXPECT_EQ_MSG(test, fake->value[at / 4], w->value, "row %u: %05x", i,
					    at);
		}
	}
}

/* FE looks at its ring every 30 us when it is idle, whatever its clock; a WAIT has 16 bits. */
static void chip_waits(struct kunit *test)
{
	static const struct vivante_mmu_ops no_mmu = { .start = start_no_mmu };
	static const struct source says = { 0x2000, 0x5108, { { VIVS_HI_IDLE_STATE, ~0u } } };
	static const struct {
		unsigned long rate;
		unsigned int freq_scale;
		u32 cycles;
	} rows[] = {
		{ 0, 0, 200 }, { 10000000, 0, 305 }, { 528000000, 0, 16113 }, { 528000000, 6, 251 },
		{ 4000000000ul, 0, 0xffff },
	};
	struct chip_test *t = test->priv;
	unsigned int i;

	t->viv.mmu = &no_mmu;
	t->core.idle_mask = ~VIVS_HI_IDLE_STATE_AXI_LP;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		chip_set(&says);
		t->core.rate_core = rows[i].rate;
		t->core.freq_scale = rows[i].freq_scale;
		KUNIT_EXPECT_EQ(test, vivante_start(&t->core), -ECANCELED);
		KUNIT_EXPECT_EQ(test, t->core.wait_cycles, rows[i].cycles);
	}
}

/* A core that cools down is slower by its clocks or by its divider, but not by both. */
static void chip_cools(struct kunit *test)
{
	static const struct source says = { 0x2000, 0x5108, { { VIVS_HI_IDLE_STATE, ~0u } } };
	struct chip_test *t = test->priv;
	unsigned int dfs;

	t->core.idle_mask = ~VIVS_HI_IDLE_STATE_AXI_LP;
	t->core.freq_scale = 2;
	for (dfs = 0; dfs < 2; dfs++) {
		chip_set(&says);
		t->core.id.features[3] = dfs ? chipMinorFeatures2_DYNAMIC_FREQUENCY_SCALING : 0;
		KUNIT_EXPECT_EQ(test, vivante_reset(&t->core), 0);
		KUNIT_EXPECT_EQ(test, VIV_GET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL,
					      fake->value[VIVS_HI_CLOCK_CONTROL / 4]),
				dfs ? 64 : 16);
	}
}

/* Where FE is: see fake_read(). */
static void chip_reads_twice(struct kunit *test)
{
	static const u32 regs[] = {
		VIVS_FE_DMA_STATUS, VIVS_FE_DMA_DEBUG_STATE, VIVS_FE_DMA_ADDRESS, VIVS_FE_DMA_LOW,
		VIVS_FE_DMA_HIGH,
	};
	struct chip_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		fake->value[regs[i] / 4] = 0x12345678 + i;
		KUNIT_EXPECT_EQ(test, vivante_read(&t->core, regs[i]), 0x12345678 + i);
	}
}

static struct kunit_case chip_cases[] = {
	KUNIT_CASE(chip_identities),
	KUNIT_CASE(chip_is_none),
	KUNIT_CASE(chip_resets),
	KUNIT_CASE(chip_starts),
	KUNIT_CASE(chip_waits),
	KUNIT_CASE(chip_cools),
	KUNIT_CASE(chip_reads_twice),
	{}
};

static struct kunit_suite chip_suite = {
	.name = "limn-vivante-chips",
	.suite_init = chips_suite_init,
	.init = chip_init,
	.exit = chip_exit,
	.test_cases = chip_cases,
};

kunit_test_suite(chip_suite);
