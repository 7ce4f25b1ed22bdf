// SPDX-License-Identifier: MIT
/*
 * The Vivante GPUs that there are.
 *
 * Facts: etna_viv's tools/data/gpus.json (identity, feature words, counts);
 * Linux etnaviv_hwdb.c (GC7000L's words 7 to 11), etnaviv_gpu.c (how a driver
 * reads the counts, and what NXP's GC3000 says it is); Mesa's copy of NXP's
 * gc_feature_database.h (product numbers, CACHE128B256BPERLINE); window sizes and
 * clock names from the device trees of i.MX6 and i.MX8M.
 */
#include "model/core.h"
#include "model/vivante/internal.h"

/*
 * The counts, and the first num of the CHIP_SPECS registers, which have some of them as
 * exponents of two. Streams are in the fourth where there is one, else in the first.
 */
#define COUNTS(num, streams, registers, threads, cores, vcache, vob, pipes, buffer, constants, varyings) \
	.stream_count = (streams), .register_max = (registers), .thread_count = (threads), \
	.shader_core_count = (cores), .vertex_cache_size = (vcache), .vertex_output_buffer_size = (vob), \
	.pixel_pipes = (pipes), .buffer_size = (buffer), .num_constants = (constants), \
	.specs = { \
		(num) < 1 ? 0 : VIV_SET(VIVS_HI_CHIP_SPECS_STREAM_COUNT, (num) < 4 ? (streams) : 0) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_REGISTER_MAX, __builtin_ctz(registers)) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_THREAD_COUNT, __builtin_ctz(threads)) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_VERTEX_CACHE_SIZE, vcache) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_SHADER_CORE_COUNT, cores) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_PIXEL_PIPES, pipes) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_VERTEX_OUTPUT_BUFFER_SIZE, __builtin_ctz(vob)), \
		(num) < 2 ? 0 : VIV_SET(VIVS_HI_CHIP_SPECS_2_BUFFER_SIZE, buffer) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_2_NUM_CONSTANTS, constants), \
		(num) < 3 ? 0 : VIV_SET(VIVS_HI_CHIP_SPECS_3_VARYINGS_COUNT, varyings) | \
			VIV_SET(VIVS_HI_CHIP_SPECS_3_GPU_CORE_COUNT, 1), \
		(num) < 4 ? 0 : VIV_SET(VIVS_HI_CHIP_SPECS_4_STREAM_COUNT, streams), \
	}

/* The feature words, and what follows from them. */
#define FEATURES(chip, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11) \
	.features = (chip), .minor_features = { m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 }, \
	.pipe_2d = (chip) & chipFeatures_PIPE_2D, .pipe_3d = (chip) & chipFeatures_PIPE_3D, \
	.mmu_v2 = (m1) & chipMinorFeatures1_MMU_VERSION, .blt = (m5) & chipMinorFeatures5_BLT_ENGINE, \
	.single_buffer = (m4) & chipMinorFeatures4_SINGLE_BUFFER, \
	.security = (m7) & chipMinorFeatures7_BIT_SECURITY && (m10) & chipMinorFeatures10_SECURITY_AHB, \
	.halti = (m5) & chipMinorFeatures5_HALTI5 ? 5 : (m4) & chipMinorFeatures4_HALTI2 ? 2 : \
		(m1) & chipMinorFeatures1_HALTI0 ? 0 : -1

/*
 * GUESS(chip-date): CHIP_DATE and CHIP_TIME, which no source gives; none of the drivers'
 * special cases. Instruction counts 256 and 512 both as 0: drivers know by model.
 */
#define SOME_DATE	.date = 0x20120101, .time = 0x00120000

/* Of Marvell's Armada 510: both pipes in one core, and the chip that etna_viv's hardware.md was written about. No SPECS registers. */
static const struct viv_chip gc600 = {
	.name = "gc600", .model = 0x600, .revision = 0x19, SOME_DATE,
	FEATURES(0x00087ecd, 0x00000007, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	COUNTS(0, 1, 64, 256, 1, 8, 512, 1, 0, 168, 8), .instruction_count = 256, .num_varyings = 8,
	.super_tile_mode = 0, .ts_bits = 4, .scissor_hangs = true,
};

static const struct viv_chip gc880 = {
	.name = "gc880", .model = 0x880, .revision = 0x5106, SOME_DATE,
	FEATURES(0xe02864ad, 0xc1f99eff, 0xeefbf2d9, 0x02100284, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	COUNTS(3, 8, 64, 256, 1, 8, 512, 1, 0, 256, 12), .instruction_count = 512, .num_varyings = 11,
	.super_tile_mode = 1, .ts_bits = 2,
};

static const struct viv_chip gc2000 = {
	.name = "gc2000", .model = 0x2000, .revision = 0x5108, SOME_DATE,
	FEATURES(0xe0296cad, 0xc9799eff, 0x2efbf2d9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	COUNTS(2, 8, 64, 1024, 4, 16, 512, 2, 0, 168, 0), .instruction_count = 512, .num_varyings = 11,
	.super_tile_mode = 1, .ts_bits = 2,
};

static const struct viv_chip gc320 = {
	.name = "gc320", .model = 0x320, .revision = 0x5007, SOME_DATE,
	FEATURES(0xe02c7eca, 0xc1399eff, 0x020fb2db, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	COUNTS(3, 1, 64, 1024, 4, 16, 1024, 2, 8, 256, 8), .instruction_count = 256, .num_varyings = 8,
	.super_tile_mode = 0, .ts_bits = 2,
};

/* NXP's "GC2000+": model and revision registers do not say what it is. */
static const struct viv_chip gc3000 = {
	.name = "gc3000", .model = 0x2000, .revision = 0xffff5450, SOME_DATE,
	FEATURES(0xe0287cad, 0xc9799efb, 0xfefbfadb, 0xeb9d4bbf, 0xedffdced, 0x930d2f47, 0x10000133, 0, 0, 0, 0, 0, 0),
	COUNTS(4, 16, 64, 1024, 4, 16, 1024, 2, 0, 320, 16), .instruction_count = 256, .num_varyings = 16,
	.super_tile_mode = 1, .ts_bits = 2,
};

static const struct viv_chip gc7000l = {
	.name = "gc7000l", .model = 0x7000, .revision = 0x6214, SOME_DATE,
	.product_id = 0x70002, .customer_id = 0x30, .eco_id = 0,
	FEATURES(0xe0287cad, 0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333,
		 0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024),
	COUNTS(4, 16, 64, 1024, 4, 16, 1024, 2, 0, 320, 16), .instruction_count = 512, .num_varyings = 16,
	.super_tile_mode = 1, .ts_bits = 4, .cache_128b_256b = true,
};

/*
 * The vector graphics core of an i.MX6. Its front end is of another kind ("FE 2.0"), which no public
 * source describes and no driver of the kernel drives: only its identity is here, and power and reset.
 */
static const struct viv_chip gc355 = {
	.name = "gc355", .model = 0x355, .revision = 0x1215, SOME_DATE,
	FEATURES(0x1e2c7cc8, 0x0024207f, 0x00000000, 0x00010104, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	.ts_bits = 2,
};

/*
 * Units of core n, whose window is at offset. Ports have no registers; MMUs
 * are the first unit's. The order is that of enum viv_unit.
 */
#define CORE(n, offset, hi_ops, name) \
	{ &hi_ops, offset, name, (n), 0, -1, -1, (n) }, \
	{ &vivante_fe_ops, offset, "fe", (n), 0, (n) * VIV_NUM_UNITS, -1, -1 }, \
	{ &vivante_port_ops, offset, "tx", (n), 0, (n) * VIV_NUM_UNITS, -1, -1 }, \
	{ &vivante_port_ops, offset, "pe", (n), 0, (n) * VIV_NUM_UNITS, -1, -1 }, \
	{ &vivante_port_ops, offset, "pez", (n), 0, (n) * VIV_NUM_UNITS, -1, -1 }, \
	{ &vivante_port_ops, offset, "ra", (n), 0, (n) * VIV_NUM_UNITS, -1, -1 }, \
	{ &vivante_pipe_ops, offset, "pipe", (n), 0, -1, -1, -1 }

#define SMALL_WINDOW	0x4000
#define LARGE_WINDOW	0x40000

/* The rest of a row: revision and interrupts. */
#define ROW(gpu_name, size, cores, chips, ...) \
	static const struct gpu_row gpu_name##_row = { \
		.gpu = { \
			.name = #gpu_name, \
			.compatible = "vivante,gc", \
			.window = (size), \
			.devices = (cores), \
			.clocks = { { "bus", false }, { "core", true }, { "shader", true }, { "reg", false } }, \
		}, \
		.units = gpu_name##_units, \
		.num_units = (cores) * VIV_NUM_UNITS, \
		.facts = (chips), \
		__VA_ARGS__ \
	}

#define GPU(chip_name, hi_ops, size) \
	static const struct viv_chip *const chip_name##_chips[] = { &chip_name }; \
	static const struct unit_desc chip_name##_units[] = { CORE(0, 0, hi_ops, #chip_name) }; \
	ROW(chip_name, size, 1, chip_name##_chips, .gpu.irq = { "gpu" }, \
	    .revision = &chip_name.revision, .revision_at = 1, .revision_words = 1)

GPU(gc600, vivante_hi_ops, SMALL_WINDOW);
GPU(gc2000, vivante_hi_ops, SMALL_WINDOW);
GPU(gc880, vivante_hi_ops, SMALL_WINDOW);
GPU(gc320, vivante_hi_ops, SMALL_WINDOW);
GPU(gc3000, vivante_hi_ops, SMALL_WINDOW);
GPU(gc7000l, vivante_hi_large_ops, LARGE_WINDOW);

/* An i.MX6Q has a 3D and a 2D core, which drivers make one device, and a VG core, which they leave alone. */
static const struct unit_desc imx6q_units[] = {
	CORE(0, 0, vivante_hi_ops, "gc2000"),
	CORE(1, SMALL_WINDOW, vivante_hi_ops, "gc320"),
	CORE(2, 2 * SMALL_WINDOW, vivante_hi_ops, "gc355"),
};

static const struct viv_chip *const imx6q_chips[] = { &gc2000, &gc320, &gc355 };
ROW(imx6q, SMALL_WINDOW, 3, imx6q_chips, .gpu.irq = { "gpu3d", "gpu2d", "gpuvg" });

const struct gpu_row *const vivante_gpus[] = {
	&gc2000_row,
	&gc880_row,
	&gc320_row,
	&gc600_row,
	&gc3000_row,
	&gc7000l_row,
	&imx6q_row,
	NULL,
};

uint32_t model_minor_feature(const char *gpu, unsigned int n)
{
	for (unsigned int i = 0; vivante_gpus[i]; i++)
		if (!strcmp(vivante_gpus[i]->gpu.name, gpu))
			return (*(const struct viv_chip *const *)vivante_gpus[i]->facts)->minor_features[n];
	return 0;
}

struct vivante *viv_of(const struct unit *u)
{
	return (struct vivante *)u->model->units[u->desc->index * VIV_NUM_UNITS];
}

const struct viv_chip *viv_chip_of(const struct unit *u)
{
	return ((const struct viv_chip *const *)u->model->row->facts)[u->desc->index];
}
