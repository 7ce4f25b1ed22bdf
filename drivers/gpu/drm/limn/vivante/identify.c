// SPDX-License-Identifier: GPL-2.0-only
/*
 * What core is this? Registers, corrections, and a table for the cores whose
 * registers do not say.
 *
 * Facts: Linux drivers/gpu/drm/etnaviv/etnaviv_gpu.c and etnaviv_hwdb.c, which
 * have them from the vendor's driver and feature database.
 */
#include "vivante.h"

#define ANY	(~0u)

struct vivante_hwdb_row {
	u32 model, revision, product_id, customer_id, eco_id;
	/* In the order of struct vivante_identity, from stream_count on. */
	u16 spec[11];
	u32 features[13];
};

static const struct vivante_hwdb_row vivante_hwdb[] = {
	{ 0x400, 0x4652, 0x70001, 0x100, 0,
	  { 4, 64, 128, 1, 8, 1024, 1, 256, 320, 0, 8 },
	  { 0xa0e9e004, 0xe1299fff, 0xbe13b219, 0xce110010, 0x08000001, 0x00020102, 0x00120000 } },
	{ 0x520, 0x5341, 0x5202, 0x204, 0,
	  { 1, 64, 256, 1, 8, 512, 1, 256, 168, 0, 8 },
	  { 0xe02c7eca, 0xe9399eff, 0xfe1fb2db, 0xcedf0080, 0x10800005, 0x20000000, 0x00020880,
	    0, 0x00001000 } },
	{ 0x7000, 0x6202, 0x70003, 0, 0,
	  { 8, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16 },
	  { 0xe0287cad, 0xc1489eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfccee201, 0x03fffa6f, 0x00e10ef0, 0x0088003c, 0x00004040, 0x00000024 } },
	{ 0x7000, 0x6203, 0x70003, 0x4, 0,
	  { 16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16 },
	  { 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x00c8003c, 0x00004040, 0x00000024 } },
	{ 0x7000, 0x6204, ANY, ANY, 0,
	  { 16, 64, 512, 2, 16, 1024, 1, 512, 320, 0, 16 },
	  { 0xe0287c8d, 0xc1589eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0x3b5ac333,
	    0xfcce6000, 0xfffbfa6f, 0x00e10ef3, 0x04c8003c, 0x00004060, 0x00000024 } },
	{ 0x7000, 0x6214, ANY, ANY, ANY,
	  { 16, 64, 1024, 4, 16, 1024, 2, 512, 320, 0, 16 },
	  { 0xe0287cad, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333,
	    0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024 } },
	{ 0x8000, 0x7120, 0x45080009, 0x88, 0,
	  { 8, 64, 256, 1, 16, 1024, 1, 512, 320, 0, 16 },
	  { 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333,
	    0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010 } },
	{ 0x8000, 0x8002, 0x5080009, 0x9f, 0x6000000,
	  { 8, 64, 256, 1, 16, 1024, 1, 512, 320, 0, 16 },
	  { 0xe0287cac, 0xc1799eff, 0xfefbfadb, 0xeb9d6fbf, 0xedfffced, 0xd30dafc7, 0x7b5ac333,
	    0xfc8ee200, 0x03fffa6f, 0x00fe0ef0, 0x0088003c, 0x108048c0, 0x00000010 } },
};

static bool vivante_hwdb_matches(u32 row, u32 value)
{
	return row == ANY || row == value;
}

static bool vivante_from_hwdb(struct vivante_identity *id)
{
	u32 *const spec[] = {
		&id->stream_count, &id->register_max, &id->thread_count, &id->shader_core_count,
		&id->vertex_cache_size, &id->vertex_output_buffer_size, &id->pixel_pipes,
		&id->instruction_count, &id->num_constants, &id->buffer_size, &id->varyings_count,
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(vivante_hwdb); i++) {
		const struct vivante_hwdb_row *row = &vivante_hwdb[i];

		if (row->model != id->model || row->revision != id->revision ||
		    !vivante_hwdb_matches(row->product_id, id->product_id) ||
		    !vivante_hwdb_matches(row->customer_id, id->customer_id) ||
		    !vivante_hwdb_matches(row->eco_id, id->eco_id))
			continue;
		for (k = 0; k < ARRAY_SIZE(spec); k++)
			*spec[k] = row->spec[k];
		memcpy(id->features, row->features, sizeof(id->features));
		return true;
	}
	return false;
}

/* Model and revision, as their users call it; and the numbers that tell variants apart. */
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

static void vivante_read_specs(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;
	u32 specs[4], streams;

	if (!VIVANTE_MINOR(id, 0, MORE_MINOR_FEATURES))
		return;
	specs[0] = vivante_read(core, VIVS_HI_CHIP_SPECS);
	specs[1] = vivante_read(core, VIVS_HI_CHIP_SPECS_2);
	specs[2] = vivante_read(core, VIVS_HI_CHIP_SPECS_3);
	specs[3] = vivante_read(core, VIVS_HI_CHIP_SPECS_4);

	id->stream_count = VIV_GET(VIVS_HI_CHIP_SPECS_STREAM_COUNT, specs[0]);
	id->register_max = VIV_GET(VIVS_HI_CHIP_SPECS_REGISTER_MAX, specs[0]);
	id->thread_count = VIV_GET(VIVS_HI_CHIP_SPECS_THREAD_COUNT, specs[0]);
	id->vertex_cache_size = VIV_GET(VIVS_HI_CHIP_SPECS_VERTEX_CACHE_SIZE, specs[0]);
	id->shader_core_count = VIV_GET(VIVS_HI_CHIP_SPECS_SHADER_CORE_COUNT, specs[0]);
	id->pixel_pipes = VIV_GET(VIVS_HI_CHIP_SPECS_PIXEL_PIPES, specs[0]);
	id->vertex_output_buffer_size =
		VIV_GET(VIVS_HI_CHIP_SPECS_VERTEX_OUTPUT_BUFFER_SIZE, specs[0]);
	id->buffer_size = VIV_GET(VIVS_HI_CHIP_SPECS_2_BUFFER_SIZE, specs[1]);
	id->instruction_count = VIV_GET(VIVS_HI_CHIP_SPECS_2_INSTRUCTION_COUNT, specs[1]);
	id->num_constants = VIV_GET(VIVS_HI_CHIP_SPECS_2_NUM_CONSTANTS, specs[1]);
	id->varyings_count = VIV_GET(VIVS_HI_CHIP_SPECS_3_VARYINGS_COUNT, specs[2]);
	streams = VIV_GET(VIVS_HI_CHIP_SPECS_4_STREAM_COUNT, specs[3]);
	if (streams)
		id->stream_count = streams;
}

static u32 vivante_output_buffer_default(const struct vivante_identity *id)
{
	if (id->model != chipModel_GC400 || id->revision < 0x4000)
		return 512;
	return id->revision < 0x4200 ? 256 : 128;
}

static u32 vivante_thread_default(u32 model)
{
	switch (model) {
	case chipModel_GC400:
		return 64;
	case chipModel_GC500:
	case chipModel_GC530:
		return 128;
	default:
		return 256;
	}
}

static u32 vivante_instructions(const struct vivante_core *core, u32 code)
{
	switch (code) {
	case 0:
		return vivante_is(core, chipModel_GC2000, 0x5108) ||
		       core->id.model == chipModel_GC880 ? 512 : 256;
	case 1:
		return 1024;
	case 2:
		return 2048;
	default:
		return 256;
	}
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

/* Logarithms become numbers, and what is 0 becomes what it means. */
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
 * Return: 0, or -ENXIO when it is no core that can be driven.
 */
int vivante_identify(struct vivante_core *core)
{
	struct vivante_identity *id = &core->id;

	memset(id, 0, sizeof(*id));
	vivante_read_model(core);
	/* Models are four digits. */
	if (!id->model || id->model > 0xffff) {
		dev_err(core->dev, "no Vivante core answers: model %08x\n", id->model);
		return -ENXIO;
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
		return -ENXIO;
	}
	/* They have a front end of another kind. */
	if (VIVANTE_FEATURE(id, PIPE_VG) && VIVANTE_FEATURE(id, FE20)) {
		dev_info(core->dev, "GC%x is a vector core with FE2.0: not driven\n", id->model);
		return -ENXIO;
	}
	core->secure = VIVANTE_MINOR(id, 7, BIT_SECURITY) && VIVANTE_MINOR(id, 10, SECURITY_AHB);
	dev_info(core->dev, "GC%x r%x\n", id->model, id->revision);
	return 0;
}
