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

/* The counts as the CHIP_SPECS registers have them; powers of two as their exponents. */
#define SPECS_1(streams, regs, threads, vcache, cores, pipes, vob) \
	(VIV_SET(VIVS_HI_CHIP_SPECS_STREAM_COUNT, streams) | VIV_SET(VIVS_HI_CHIP_SPECS_REGISTER_MAX, regs) | \
	 VIV_SET(VIVS_HI_CHIP_SPECS_THREAD_COUNT, threads) | VIV_SET(VIVS_HI_CHIP_SPECS_VERTEX_CACHE_SIZE, vcache) | \
	 VIV_SET(VIVS_HI_CHIP_SPECS_SHADER_CORE_COUNT, cores) | VIV_SET(VIVS_HI_CHIP_SPECS_PIXEL_PIPES, pipes) | \
	 VIV_SET(VIVS_HI_CHIP_SPECS_VERTEX_OUTPUT_BUFFER_SIZE, vob))
#define SPECS_2(buffer, constants) \
	(VIV_SET(VIVS_HI_CHIP_SPECS_2_BUFFER_SIZE, buffer) | VIV_SET(VIVS_HI_CHIP_SPECS_2_NUM_CONSTANTS, constants))
#define SPECS_3(varyings) \
	(VIV_SET(VIVS_HI_CHIP_SPECS_3_VARYINGS_COUNT, varyings) | VIV_SET(VIVS_HI_CHIP_SPECS_3_GPU_CORE_COUNT, 1))
#define SPECS_4(streams)	VIV_SET(VIVS_HI_CHIP_SPECS_4_STREAM_COUNT, streams)

/*
 * GUESS: CHIP_DATE and CHIP_TIME, which no source gives; none of the drivers'
 * special cases. Instruction counts 256 and 512 both as 0: drivers know by model.
 */
#define SOME_DATE	.date = 0x20120101, .time = 0x00120000

/* Of Marvell's Armada 510: both pipes in one core, and the chip that etna_viv's hardware.md was written about. No SPECS registers. */
static const struct viv_chip gc600 = {
	.name = "gc600", .model = 0x600, .revision = 0x19, SOME_DATE,
	.features = 0x00087ecd,
	.minor_features = { 0x00000007 },
	.stream_count = 1, .register_max = 64, .thread_count = 256, .shader_core_count = 1,
	.vertex_cache_size = 8, .vertex_output_buffer_size = 512, .pixel_pipes = 1,
	.instruction_count = 256, .num_constants = 168, .num_varyings = 8,
	.halti = -1, .super_tile_mode = 0, .pipe_2d = true, .pipe_3d = true, .ts_bits = 4,
	.scissor_hangs = true,
};

static const struct viv_chip gc880 = {
	.name = "gc880", .model = 0x880, .revision = 0x5106, SOME_DATE,
	.features = 0xe02864ad,
	.minor_features = { 0xc1f99eff, 0xeefbf2d9, 0x02100284 },
	.specs = { SPECS_1(8, 6, 8, 8, 1, 1, 9), SPECS_2(0, 256), SPECS_3(12) },
	.stream_count = 8, .register_max = 64, .thread_count = 256, .shader_core_count = 1,
	.vertex_cache_size = 8, .vertex_output_buffer_size = 512, .pixel_pipes = 1,
	.instruction_count = 512, .num_constants = 256, .num_varyings = 11,
	.halti = 0, .super_tile_mode = 1, .pipe_3d = true, .ts_bits = 2,
};

static const struct viv_chip gc2000 = {
	.name = "gc2000", .model = 0x2000, .revision = 0x5108, SOME_DATE,
	.features = 0xe0296cad,
	.minor_features = { 0xc9799eff, 0x2efbf2d9 },
	.specs = { SPECS_1(8, 6, 10, 16, 4, 2, 9), SPECS_2(0, 168) },
	.stream_count = 8, .register_max = 64, .thread_count = 1024, .shader_core_count = 4,
	.vertex_cache_size = 16, .vertex_output_buffer_size = 512, .pixel_pipes = 2,
	.instruction_count = 512, .num_constants = 168, .num_varyings = 11,
	.halti = 0, .super_tile_mode = 1, .pipe_3d = true, .ts_bits = 2,
};

static const struct viv_chip gc320 = {
	.name = "gc320", .model = 0x320, .revision = 0x5007, SOME_DATE,
	.features = 0xe02c7eca,
	.minor_features = { 0xc1399eff, 0x020fb2db },
	.specs = { SPECS_1(1, 6, 10, 16, 4, 2, 10), SPECS_2(8, 256), SPECS_3(8) },
	.stream_count = 1, .register_max = 64, .thread_count = 1024, .shader_core_count = 4,
	.vertex_cache_size = 16, .vertex_output_buffer_size = 1024, .pixel_pipes = 2,
	.instruction_count = 256, .num_constants = 256, .num_varyings = 8,
	.halti = -1, .super_tile_mode = 0, .pipe_2d = true, .ts_bits = 2,
};

/* NXP's "GC2000+": model and revision registers do not say what it is. */
static const struct viv_chip gc3000 = {
	.name = "gc3000", .model = 0x2000, .revision = 0xffff5450, SOME_DATE,
	.features = 0xe0287cad,
	.minor_features = { 0xc9799efb, 0xfefbfadb, 0xeb9d4bbf, 0xedffdced, 0x930d2f47, 0x10000133, 0x00000000 },
	.specs = { SPECS_1(0, 6, 10, 16, 4, 2, 10), SPECS_2(0, 320), SPECS_3(16), SPECS_4(16) },
	.stream_count = 16, .register_max = 64, .thread_count = 1024, .shader_core_count = 4,
	.vertex_cache_size = 16, .vertex_output_buffer_size = 1024, .pixel_pipes = 2,
	.instruction_count = 256, .num_constants = 320, .num_varyings = 16,
	.halti = 2, .super_tile_mode = 1, .pipe_3d = true, .ts_bits = 2,
	.mmu_v2 = true, .single_buffer = true,
};

static const struct viv_chip gc7000l = {
	.name = "gc7000l", .model = 0x7000, .revision = 0x6214, SOME_DATE,
	.product_id = 0x70002, .customer_id = 0x30, .eco_id = 0,
	.features = 0xe0287cad,
	.minor_features = {
		0xc1799eff, 0xfefbfad9, 0xeb9d4fbf, 0xedfffced, 0xdb0dafc7, 0xbb5ac333,
		0xfc8ee200, 0x03fbfa6f, 0x00ef0ef0, 0x0edbf03c, 0x90044250, 0x00000024,
	},
	.specs = { SPECS_1(0, 6, 10, 16, 4, 2, 10), SPECS_2(0, 320), SPECS_3(16), SPECS_4(16) },
	.stream_count = 16, .register_max = 64, .thread_count = 1024, .shader_core_count = 4,
	.vertex_cache_size = 16, .vertex_output_buffer_size = 1024, .pixel_pipes = 2,
	.instruction_count = 512, .num_constants = 320, .num_varyings = 16,
	.halti = 5, .super_tile_mode = 1, .pipe_3d = true, .ts_bits = 4,
	.mmu_v2 = true, .security = true, .blt = true, .single_buffer = true, .cache_128b_256b = true,
};

/*
 * The vector graphics core of an i.MX6. Its front end is of another kind ("FE 2.0"), which no public
 * source describes and no driver of the kernel drives: only its identity is here, and power and reset.
 */
static const struct viv_chip gc355 = {
	.name = "gc355", .model = 0x355, .revision = 0x1215, SOME_DATE,
	.features = 0x1e2c7cc8,
	.minor_features = { 0x0024207f, 0x00000000, 0x00010104 },
	.halti = -1, .ts_bits = 2,
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

#define GPU(chip_name, hi_ops, size) \
	static const struct unit_desc chip_name##_units[] = { CORE(0, 0, hi_ops, #chip_name) }; \
	static const struct gpu_row chip_name##_row = { \
		.gpu = { \
			.name = #chip_name, \
			.compatible = "vivante,gc", \
			.window = (size), \
			.devices = 1, \
			.irq = { "gpu" }, \
			VIVANTE_CLOCKS, \
		}, \
		.units = chip_name##_units, \
		.num_units = VIV_NUM_UNITS, \
		.facts = (const struct viv_chip *const []){ &chip_name }, \
	}

#define VIVANTE_CLOCKS	.clocks = { { "bus", false }, { "core", true }, { "shader", true }, { "reg", false } }

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

static const struct gpu_row imx6q_row = {
	.gpu = {
		.name = "imx6q",
		.compatible = "vivante,gc",
		.window = SMALL_WINDOW,
		.devices = 3,
		.irq = { "gpu3d", "gpu2d", "gpuvg" },
		VIVANTE_CLOCKS,
	},
	.units = imx6q_units,
	.num_units = 3 * VIV_NUM_UNITS,
	.facts = (const struct viv_chip *const []){ &gc2000, &gc320, &gc355 },
};

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

struct vivante *viv_of(const struct unit *u)
{
	return (struct vivante *)u->model->units[u->desc->index * VIV_NUM_UNITS];
}

const struct viv_chip *viv_chip_of(const struct unit *u)
{
	return ((const struct viv_chip *const *)u->model->row->facts)[u->desc->index];
}
