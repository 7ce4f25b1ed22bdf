// SPDX-License-Identifier: MIT
/*
 * What the virtual Vivante chips say they are, and their registers: identity
 * against gpus.json (captures of real chips), reset, interrupts, idle loop.
 */
#include "viv_stream.h"
#include "model/vivante/internal.h"
#include "tests/sim/shader.h"

/* --- Identity ---------------------------------------------------------- */

/* The value of a key of the chip's object, which ends at end; false: it has none. */
static bool value(const char *chip, const char *end, const char *key, uint32_t *val)
{
	char quoted[64];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	at = strstr(chip, quoted);
	if (!at || at > end)
		return false;
	at = strchr(at + strlen(quoted), '"');
	*val = strtoul(at + 1, NULL, 0);
	return true;
}

static const char *find_chip(const char *json, const char *platform, const char *type)
{
	char quoted[64];
	const char *at = strstr(json, platform);

	snprintf(quoted, sizeof(quoted), "\"type\": \"%s\"", type);
	return at ? strstr(at, quoted) : NULL;
}

static uint32_t reg(struct env *e, uint32_t address)
{
	return model_read32(host_model(e->host), address);
}

static void check_word(const char *chip, const char *end, const char *key, uint32_t have)
{
	uint32_t want;

	if (value(chip, end, key, &want) && want != have)
		fail_msg("%s is %08x, the real chip has %08x", key, have, want);
}

/* Of core n, whose window follows those of the others. */
static void check_chip(struct env *e, const char *chip, unsigned int n)
{
	static const uint32_t minor[] = {
		VIVS_HI_CHIP_MINOR_FEATURE_0, VIVS_HI_CHIP_MINOR_FEATURE_1, VIVS_HI_CHIP_MINOR_FEATURE_2,
		VIVS_HI_CHIP_MINOR_FEATURE_3, VIVS_HI_CHIP_MINOR_FEATURE_4, VIVS_HI_CHIP_MINOR_FEATURE_5,
	};
	const char *end = strchr(chip, '}');
	const uint32_t window = n * host_model(e->host)->row->gpu.window;
	const struct host_identity *id = &e->id;

	assert_int_equal(host_identity(e->host, n, &e->id), 0);
	/* What a client of the driver sees, and the registers themselves. */
	check_word(chip, end, "chipModel", id->model);
	check_word(chip, end, "chipRevision", id->revision);
	check_word(chip, end, "chipFeatures", id->features[0]);
	check_word(chip, end, "chipFeatures", reg(e, window + VIVS_HI_CHIP_FEATURE));
	check_word(chip, end, "chipMinorFeatures", id->features[1]);
	for (unsigned int i = 0; i < 7; i++) {
		char key[32] = "chipMinorFeatures";

		if (i)
			snprintf(key, sizeof(key), "chipMinorFeatures%u", i);
		check_word(chip, end, key, id->features[1 + i]);
		if (i < COUNT(minor))
			check_word(chip, end, key, reg(e, window + minor[i]));
	}
	check_word(chip, end, "streamCount", id->stream_count);
	check_word(chip, end, "registerMax", id->register_max);
	check_word(chip, end, "threadCount", id->thread_count);
	check_word(chip, end, "shaderCoreCount", id->shader_core_count);
	check_word(chip, end, "vertexCacheSize", id->vertex_cache_size);
	check_word(chip, end, "vertexOutputBufferSize", id->vertex_output_buffer_size);
	check_word(chip, end, "pixelPipes", id->pixel_pipes);
	check_word(chip, end, "instructionCount", id->instruction_count);
	check_word(chip, end, "numConstants", id->num_constants);
	check_word(chip, end, "bufferSize", id->buffer_size);
}

static void identity(void **state)
{
	static const struct {
		const char *gpu, *platform, *type;
		unsigned int core;
	} rows[] = {
		{ "gc2000", "Freescale i.MX 6 Quad\"", "GC2000", 0 },
		{ "gc320", "Freescale i.MX 6 Quad\"", "GC320", 0 },
		{ "gc880", "Freescale i.MX 6 DualLite", "GC880", 0 },
		{ "gc3000", "Freescale i.MX 6 QuadPlus", "GC3000", 0 },
		{ "gc7000l", "Freescale i.MX 8 M", "GC7000L", 0 },
		{ "gc600", "Marvell Armada 510", "GC600", 0 },
		{ "imx6q", "Freescale i.MX 6 Quad\"", "GC2000", 0 },
		{ "imx6q", "Freescale i.MX 6 Quad\"", "GC320", 1 },
		{ "imx6q", "Freescale i.MX 6 Quad\"", "GC355", 2 },
	};
	const char *folder = getenv("LIMN_DATA");
	char path[512], *json;

	if (!folder) {
		print_message("LIMN_DATA is not set\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/vivante/gpus.json", folder);
	json = read_text(path);
	for (unsigned int i = 0; i < COUNT(rows); i++) {
		const char *chip = find_chip(json, rows[i].platform, rows[i].type);

		assert_non_null(chip);
		env_open(&e, rows[i].gpu);
		check_chip(&e, chip, rows[i].core);
	}
	free(json);
}

/* --- Jobs and registers ---------------------------------------------------- */

static void cores(void **state)
{
	const uint32_t vg = 2 * 0x4000;
	struct model *m;

	env_open(&e, "imx6q");
	assert_int_equal(e.id.model, 0x2000);
	assert_int_equal(host_identity(e.host, 1, &e.id), 0);
	assert_int_equal(e.id.model, 0x320);
	assert_int_equal(host_identity(e.host, 2, &e.id), 0);
	assert_int_equal(e.id.model, 0x355);
	assert_int_equal(host_identity(e.host, 3, &e.id), -2);
	put(&e, VIV_FE_COMMAND(NOP), 0);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	put(&e, VIV_FE_COMMAND(NOP), 0);
	assert_int_equal(run(&e, HOST_PIPE_2D), HOST_OK);
	/* The VG core's front end is of another kind: whoever starts it is told, and it stays busy until a reset. */
	m = host_model(e.host);
	e.expect_reports = true;
	assert_int_equal(model_read32(m, vg + VIVS_HI_CHIP_MODEL), 0x355);
	assert_int_equal(model_read32(m, vg + VIVS_HI_IDLE_STATE), 0x7fffffff);
	model_write32(m, vg + VIVS_FE_COMMAND_ADDRESS, 0);
	model_write32(m, vg + VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | 2);
	/* The read pushes the posted writes out. */
	assert_false(model_read32(m, vg + VIVS_HI_IDLE_STATE) & VIVS_HI_IDLE_STATE_FE);
	if (!strstr(e.last, "FE 2.0"))
		fail_msg("report: %s", e.last);
	assert_int_equal(model_read32(m, VIVS_HI_IDLE_STATE), 0x7fffffff);
}

/* INTR_ACKNOWLEDGE clears on read; INTR_ENBL gates the line. */
static void interrupts(void **state)
{
	struct vivante *v;

	env_open(&e, "gc2000");
	v = viv_of(host_model(e.host)->units[0]);
	model_write32(host_model(e.host), VIVS_HI_INTR_ENBL, 0);
	assert_int_equal(reg(&e, VIVS_HI_INTR_ENBL), 0);
	viv_interrupt(v, 1u << 7);
	assert_false(v->u.irq_want);
	model_write32(host_model(e.host), VIVS_HI_INTR_ENBL, ~0u);
	assert_int_equal(reg(&e, VIVS_HI_INTR_ENBL), ~0u);
	assert_true(v->u.irq_want);
	assert_int_equal(reg(&e, VIVS_HI_INTR_ACKNOWLEDGE), 1u << 7);
	assert_int_equal(reg(&e, VIVS_HI_INTR_ACKNOWLEDGE), 0);
	assert_false(v->u.irq_want);
}

static void reset_rules(void **state)
{
	const uint32_t clock = VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64);
	struct model *m;

	env_open(&e, "gc880");
	m = host_model(e.host);
	e.expect_reports = true;
	model_write32(m, VIVS_HI_CLOCK_CONTROL, clock | VIVS_HI_CLOCK_CONTROL_SOFT_RESET);
	model_read32(m, VIVS_HI_CLOCK_CONTROL);
	assert_non_null(strstr(e.last, "soft reset while module clock gating is on"));
	model_read32(m, VIVS_HI_IDLE_STATE);
	assert_non_null(strstr(e.last, "during a soft reset"));
	model_write32(m, VIVS_HI_CLOCK_CONTROL, clock);
	assert_int_equal(reg(&e, VIVS_HI_IDLE_STATE), 0x7fffffff);
	assert_int_equal(reg(&e, VIVS_HI_CLOCK_CONTROL) & 0x30000,
			 VIVS_HI_CLOCK_CONTROL_IDLE_3D | VIVS_HI_CLOCK_CONTROL_IDLE_2D);
	model_read32(m, 0x3ffc);
	assert_non_null(strstr(e.last, "unknown register 03ffc"));
	/* Cut off from the bus, FE fetches nothing. */
	model_write32(m, VIVS_HI_CLOCK_CONTROL, clock | VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU);
	model_write32(m, VIVS_FE_COMMAND_ADDRESS, e.va[0]);
	model_write32(m, VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | 2);
	assert_false(reg(&e, VIVS_HI_IDLE_STATE) & VIVS_HI_IDLE_STATE_FE);
	assert_non_null(strstr(e.last, "started while ISOLATE_GPU"));
}

/* The clocks may stop when FE has met an END, and not while it waits. */
static void stopped_clocks(void **state)
{
	const uint32_t clock = VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64) | VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU;

	for (int ends = 0; ends < 2; ends++) {
		struct model *m;
		uint32_t *ring;

		env_open(&e, "gc2000");
		e.expect_reports = true;
		m = host_model(e.host);
		ring = (uint32_t *)e.map[0];
		ring[0] = ends ? VIV_FE_COMMAND(END) : VIV_FE_COMMAND(WAIT) | 200;
		ring[2] = VIV_FE_COMMAND(LINK) | 2;
		ring[3] = e.va[0];
		model_write32(m, VIVS_FE_COMMAND_ADDRESS, e.va[0]);
		model_write32(m, VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | 2);
		for (unsigned int i = 0; i < 200 && (model_step(m) || !model_polls(m)); i++)
			;
		model_set_clocks(m, false, false);
		model_set_clocks(m, true, true);
		model_write32(m, VIVS_PM_POWER_CONTROLS, 0);
		model_write32(m, VIVS_HI_CLOCK_CONTROL, clock | VIVS_HI_CLOCK_CONTROL_SOFT_RESET);
		assert_int_equal(reg(&e, VIVS_HI_CLOCK_CONTROL) & VIVS_HI_CLOCK_CONTROL_SOFT_RESET,
				 VIVS_HI_CLOCK_CONTROL_SOFT_RESET);
		assert_int_equal(e.reports, !ends);
		assert_true(ends || strstr(e.last, "the clocks stopped while it ran"));
	}
}

/*
 * WAIT and LINK: the model says that it only watches memory; a LINK written
 * over the WAIT, argument first, takes FE out of the loop.
 */
static void idle_loop(void **state)
{
	struct model *m;
	uint32_t *ring;

	env_open(&e, "gc2000");
	m = host_model(e.host);
	ring = (uint32_t *)e.map[0];
	ring[0] = VIV_FE_COMMAND(WAIT) | 200;
	ring[2] = VIV_FE_COMMAND(LINK) | 2;
	ring[3] = e.va[0];
	ring[8] = VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | VIVS_GL_EVENT / 4;
	ring[9] = VIV_SET(VIVS_GL_EVENT_EVENT_ID, 11) | VIVS_GL_EVENT_FROM_PE;
	ring[10] = VIV_FE_COMMAND(END);
	model_write32(m, VIVS_FE_COMMAND_ADDRESS, e.va[0]);
	model_write32(m, VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | 2);
	for (unsigned int i = 0; i < 200 && (model_step(m) || !model_polls(m)); i++)
		;
	assert_true(model_polls(m));
	assert_false(reg(&e, VIVS_HI_IDLE_STATE) & VIVS_HI_IDLE_STATE_FE);
	for (unsigned int i = 0; i < 50; i++)
		assert_false(model_step(m));
	assert_in_range(reg(&e, VIVS_FE_DMA_ADDRESS), e.va[0], e.va[0] + 16);
	ring[1] = e.va[0] + 32;
	ring[0] = VIV_FE_COMMAND(LINK) | 2;
	for (unsigned int i = 0; i < 200 && (model_step(m) || model_polls(m)); i++)
		;
	assert_false(model_polls(m));
	assert_int_equal(reg(&e, VIVS_HI_INTR_ACKNOWLEDGE), 1u << 11);
	assert_int_equal(reg(&e, VIVS_HI_IDLE_STATE), 0x7fffffff);
	/* Linux restarts FE after END at this address + 2, and means the command behind it. */
	assert_int_equal(reg(&e, VIVS_FE_DMA_ADDRESS), e.va[0] + 48);
	assert_int_equal(VIV_GET(VIVS_FE_DMA_DEBUG_STATE_CMD_STATE, reg(&e, VIVS_FE_DMA_DEBUG_STATE)), 20);
}

/* Counters are read through a select register, 15 resets; not while debug registers are disabled. */
static void counters(void **state)
{
	struct vivante *v;
	struct model *m;

	env_open(&e, "gc2000");
	m = host_model(e.host);
	v = viv_of(m->units[0]);
	v->perf.pe_drawn_color += 1234;
	model_write32(m, VIVS_MC_PROFILE_CONFIG0, 2 << 16);
	assert_int_equal(reg(&e, VIVS_MC_PROFILE_PE_READ), 1234);
	model_write32(m, VIVS_MC_PROFILE_CONFIG0, 15 << 16);
	model_write32(m, VIVS_MC_PROFILE_CONFIG0, 2 << 16);
	assert_int_equal(reg(&e, VIVS_MC_PROFILE_PE_READ), 0);
	v->perf.pe_drawn_color += 7;
	assert_int_equal(reg(&e, VIVS_MC_PROFILE_PE_READ), 7);
	e.expect_reports = true;
	model_write32(m, VIVS_HI_CLOCK_CONTROL, VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64) |
					       VIVS_HI_CLOCK_CONTROL_DISABLE_DEBUG_REGISTERS);
	assert_int_equal(reg(&e, VIVS_MC_PROFILE_PE_READ), 0);
	assert_non_null(strstr(e.last, "DISABLE_DEBUG_REGISTERS"));
}

#define TESTS(T) \
	T(identity) T(cores) T(interrupts) T(reset_rules) T(stopped_clocks) T(idle_loop) T(counters)

UNIT_MAIN(TESTS, end)
