// SPDX-License-Identifier: GPL-2.0-only
/*
 * What core is this? Registers, corrections, and a table for the cores whose
 * registers do not say.
 *
 * Facts: Linux drivers/gpu/drm/etnaviv/etnaviv_gpu.c and etnaviv_hwdb.c, which
 * have them from the vendor's driver and feature database.
 */
#include <kunit/visibility.h>

#include "vivante.h"

#define ANY	(~0u)

/* Cores whose registers do not say all. */
static const struct vivante_identity vivante_hwdb[] = {
	{ 0x400, 0x4652, 0x70001, 0x100, 0,
	  4, 64, 128, 1, 8, 1024, 1, 256, 320, 0, 8,
	  { 0xa0e9e004, 0xe1299fff, 0xbe13b219, 0xce110010, 0x08000001, 0x00020102, 0x00120000 } },
	{ 0x520, 0x5341, 0x5202, 0x204, 0,
	  1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8,
	  { 0xe02c7eca, 0xe9399eff, 0xfe1fb2db, 0xcedf0080, 0x10800005, 0x20000000, 0x00020880,
	    0, 0x00001000 } },
	{ 0x7000, 0x6202, 0x70003, 0, 0,
	  8, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287cad, 0xc1489eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfccee201, 0x03fffa6f, 0x00e10ef0, 0x0088003c, 0x00004040, 0x00000024 } },
	{ 0x7000, 0x6203, 0x70003, 0x4, 0,
	  16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x00c8003c, 0x00004040, 0x00000024 } },
	{ 0x7000, 0x6204, ANY, ANY, 0,
	  16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x04c8003c, 0x00004060, 0x00000024 } },
	{ 0x7000, 0x6214, ANY, ANY, ANY,
	  16, 64, 1024, 4, 16, 1024, 2, 512, 320, 0, 16,
	  { 0xe0287cad, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333,
	    0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024 } },
	{ 0x8000, 0x6205, 0x80003, 0x15, 0,
	  16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287c8d, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x7b5ac333,
	    0xfcce6000, 0x03fbfa6f, 0x00ef0ef0, 0x0eca703c, 0x898048f0, 0x00000034 } },
	{ 0x8000, 0x7120, 0x45080009, 0x88, 0,
	  8, 64, 256, 1, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333,
	    0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010 } },
	{ 0x8000, 0x8002, 0x5080009, 0x9f, 0x6000000,
	  8, 64, 256, 1, 16, 1024, 1, 512, 320, 0, 16,
	  { 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333,
	    0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010 } },
};

static bool vivante_hwdb_matches(u32 row, u32 value)
{
	return row == ANY || row == value;
}

static bool vivante_from_hwdb(struct vivante_identity *id)
{
	const struct vivante_identity *row = vivante_hwdb, read = *id;

	for (; row < vivante_hwdb + ARRAY_SIZE(vivante_hwdb); row++) {
		if (row->model != id->model || row->revision != id->revision ||
		    !vivante_hwdb_matches(row->product_id, id->product_id) ||
		    !vivante_hwdb_matches(row->customer_id, id->customer_id) ||
		    !vivante_hwdb_matches(row->eco_id, id->eco_id))
			continue;
		/* ANY in a row matches every value; the register's own is kept. */
		*id = *row;
		id->product_id = read.product_id;
		id->customer_id = read.customer_id;
		id->eco_id = read.eco_id;
		return true;
	}
	return false;
}

/* Model and revision, as userspace knows them; and the numbers that tell variants apart. */
static void vivante_read_model(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;
	u32 identity = vivante_read(core, VIVS_HI_CHIP_IDENTITY);
	u32 date;

	if (VIV_GET(VIVS_HI_CHIP_IDENTITY_FAMILY, identity) == 1) {
		id->model = chipModel_GC500;
		id->revision = VIV_GET(VIVS_HI_CHIP_IDENTITY_REVISION, identity);
		return;
	}
	date = vivante_read(core, VIVS_HI_CHIP_DATE);
	id->model = vivante_read(core, VIVS_HI_CHIP_MODEL);
	id->revision = vivante_read(core, VIVS_HI_CHIP_REV);
	id->customer_id = vivante_read(core, VIVS_HI_CHIP_CUSTOMER_ID);
	/* Reading these aborts on GC600 r19. */
	if (!vivante_is(core, chipModel_GC600, 0x19)) {
		id->product_id = vivante_read(core, VIVS_HI_CHIP_PRODUCT_ID);
		id->eco_id = vivante_read(core, VIVS_HI_CHIP_ECO_ID);
	}

	/* Variants of GC400 with numbers of their own. */
	if ((id->model & 0xff00) == chipModel_GC400 && id->model != chipModel_GC420)
		id->model = chipModel_GC400;
	/* An engineering change that the revision does not tell. */
	if (vivante_is(core, chipModel_GC300, 0x2201) && date == 0x20080814 &&
	    vivante_read(core, VIVS_HI_CHIP_TIME) == 0x12051100)
		id->revision = 0x1051;
	/* i.MX6QP's "GC2000+" is a GC3000. */
	if (vivante_is(core, chipModel_GC2000, 0xffff5450)) {
		id->model = chipModel_GC3000;
		id->revision &= 0xffff;
	}
	if ((vivante_is(core, chipModel_GC1000, 0x5037) && date == 0x20120617) ||
	    (vivante_is(core, chipModel_GC320, 0x5303) && date == 0x20140511))
		id->eco_id = 1;
}

static void vivante_read_features(struct vivante_core *core)
{
	static const u32 minor[] = {
		VIVS_HI_CHIP_MINOR_FEATURE_1, VIVS_HI_CHIP_MINOR_FEATURE_2,
		VIVS_HI_CHIP_MINOR_FEATURE_3, VIVS_HI_CHIP_MINOR_FEATURE_4,
		VIVS_HI_CHIP_MINOR_FEATURE_5,
	};
	struct vivante_identity *id = &core->id;
	unsigned int i;

	id->features[0] = vivante_read(core, VIVS_HI_CHIP_FEATURE);
	if (id->model == chipModel_GC700)
		id->features[0] &= ~chipFeatures_FAST_CLEAR;
	/* These have a 2D pipe, and no bit for it. */
	if ((id->model == chipModel_GC500 && id->revision <= 2) || id->model == chipModel_GC300)
		id->features[0] |= chipFeatures_PIPE_2D;

	/* The oldest do not have the other registers. */
	if ((id->model == chipModel_GC500 && id->revision < 2) ||
	    (id->model == chipModel_GC300 && id->revision < 0x2000))
		return;
	id->features[1] = vivante_read(core, VIVS_HI_CHIP_MINOR_FEATURE_0);
	if (!VIVANTE_MINOR(id, 0, MORE_MINOR_FEATURES))
		return;
	for (i = 0; i < ARRAY_SIZE(minor); i++)
		id->features[2 + i] = vivante_read(core, minor[i]);
}

#define SPEC(n, field)									\
	VIV_GET(VIVS_HI_CHIP_SPECS##n##_##field, vivante_read(core, VIVS_HI_CHIP_SPECS##n))

static void vivante_read_specs(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;

	if (!VIVANTE_MINOR(id, 0, MORE_MINOR_FEATURES))
		return;
	id->stream_count = SPEC(, STREAM_COUNT);
	id->register_max = SPEC(, REGISTER_MAX);
	id->thread_count = SPEC(, THREAD_COUNT);
	id->vertex_cache_size = SPEC(, VERTEX_CACHE_SIZE);
	id->shader_core_count = SPEC(, SHADER_CORE_COUNT);
	id->pixel_pipes = SPEC(, PIXEL_PIPES);
	id->vertex_output_buffer_size = SPEC(, VERTEX_OUTPUT_BUFFER_SIZE);
	id->buffer_size = SPEC(_2, BUFFER_SIZE);
	id->instruction_count = SPEC(_2, INSTRUCTION_COUNT);
	id->num_constants = SPEC(_2, NUM_CONSTANTS);
	id->varyings_count = SPEC(_3, VARYINGS_COUNT);
	id->stream_count = SPEC(_4, STREAM_COUNT) ?: id->stream_count;
}

static u32 vivante_output_buffer_default(const struct vivante_identity *id)
{
	if (id->model != chipModel_GC400 || id->revision < 0x4000)
		return 512;
	return id->revision < 0x4200 ? 256 : 128;
}

static u32 vivante_thread_default(u32 model)
{
	if (model == chipModel_GC400)
		return 64;
	return model == chipModel_GC500 || model == chipModel_GC530 ? 128 : 256;
}

static u32 vivante_instructions(const struct vivante_core *core, u32 code)
{
	if (code == 0 &&
	    (vivante_is(core, chipModel_GC2000, 0x5108) || core->id.model == chipModel_GC880))
		return 512;
	return code == 1 ? 1024 : code == 2 ? 2048 : 256;
}

/* Position takes two varyings on these. */
static bool vivante_position_is_two(const struct vivante_core *core)
{
	static const struct {
		u32 model, revision;
	} cores[] = {
		{ 0x5000, 0x5434 }, { 0x4000, 0x5222 }, { 0x4000, 0x5245 }, { 0x4000, 0x5208 },
		{ 0x3000, 0x5435 }, { 0x2200, 0x5244 }, { 0x2100, 0x5108 }, { 0x2000, 0x5108 },
		{ 0x1500, 0x5246 }, { 0x880, 0x5107 }, { 0x880, 0x5106 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cores); i++) {
		if (vivante_is(core, cores[i].model, cores[i].revision))
			return true;
	}
	return false;
}

/* Some counts are logarithms in the registers, and 0 stands for a default. */
static void vivante_finish_specs(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;
	bool big = id->model >= 0x1000;

	id->stream_count = id->stream_count ?: big ? 4 : 1;
	id->register_max = id->register_max ? 1u << id->register_max :
			   id->model == chipModel_GC400 ? 32 : 64;
	id->thread_count = id->thread_count ? 1u << id->thread_count :
					      vivante_thread_default(id->model);
	id->vertex_cache_size = id->vertex_cache_size ?: 8;
	id->shader_core_count = id->shader_core_count ?: big ? 2 : 1;
	id->pixel_pipes = id->pixel_pipes ?: 1;
	id->vertex_output_buffer_size =
		id->vertex_output_buffer_size ? 1u << id->vertex_output_buffer_size :
						vivante_output_buffer_default(id);
	id->instruction_count = vivante_instructions(core, id->instruction_count);
	id->num_constants = id->num_constants ?: 168;
	id->varyings_count = id->varyings_count ?: VIVANTE_MINOR(id, 1, HALTI0) ? 12 : 8;
	if (vivante_position_is_two(core))
		id->varyings_count--;
}

/**
 * vivante_identify - fill in &vivante_core.id
 * @core: powered
 *
 * Return: 0, or -ENODEV when it is no core that can be driven.
 */
int vivante_identify(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;

	memset(id, 0, sizeof(*id));
	vivante_read_model(core);
	/* Models are four digits. */
	if (!id->model || id->model > 0xffff) {
		dev_err(core->dev, "no Vivante core answers: model %08x\n", id->model);
		return -ENODEV;
	}
	core->idle_mask = ~VIVS_HI_IDLE_STATE_AXI_LP;
	if (!vivante_from_hwdb(id)) {
		vivante_read_features(core);
		/* Modules that are not there read as busy. */
		if (id->model == chipModel_GC600 || id->model == chipModel_GC300)
			core->idle_mask = VIVS_HI_IDLE_STATE_TX | VIVS_HI_IDLE_STATE_RA |
					  VIVS_HI_IDLE_STATE_SE | VIVS_HI_IDLE_STATE_PA |
					  VIVS_HI_IDLE_STATE_SH | VIVS_HI_IDLE_STATE_PE |
					  VIVS_HI_IDLE_STATE_DE | VIVS_HI_IDLE_STATE_FE;
		vivante_read_specs(core);
		vivante_finish_specs(core);
	}
	if (!VIVANTE_FEATURE(id, PIPE_3D) && !VIVANTE_FEATURE(id, PIPE_2D) &&
	    !VIVANTE_FEATURE(id, PIPE_VG)) {
		dev_err(core->dev, "GC%x r%x is unknown: no pipe\n", id->model, id->revision);
		return -ENODEV;
	}
	/* FE2.0 is a front end that this driver does not know. */
	if (VIVANTE_FEATURE(id, PIPE_VG) && VIVANTE_FEATURE(id, FE20)) {
		dev_info(core->dev, "GC%x is a vector core with FE2.0: not driven\n", id->model);
		return -ENODEV;
	}
	core->secure = VIVANTE_MINOR(id, 7, BIT_SECURITY) && VIVANTE_MINOR(id, 10, SECURITY_AHB);
	dev_info(core->dev, "GC%x r%x\n", id->model, id->revision);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_identify);
