// SPDX-License-Identifier: MIT
/* Front end, states, semaphores and MMU of the virtual Vivante chips; what hangs them. */
#include "viv_stream.h"
#include "model/vivante/internal.h"

static struct vivante *chip(struct env *e)
{
	return viv_of(host_model(e->host)->units[0]);
}

static uint32_t pipe_of(const struct env *e)
{
	return e->id.model == 0x320 ? HOST_PIPE_2D : HOST_PIPE_3D;
}

/* Runs what was put: it must hang, or fault, and the report must hold why. */
static void must_fail(struct env *e, enum host_status status, const char *why)
{
	e->expect_reports = true;
	e->last[0] = 0;
	assert_int_equal(run(e, pipe_of(e)), status);
	if (why && !strstr(e->last, why))
		fail_msg("report '%s' does not say '%s'", e->last, why);
	/* And after the reset it works again. */
	put(e, VIV_FE_COMMAND(NOP), 0);
	assert_int_equal(run(e, pipe_of(e)), HOST_OK);
}

static void load_states(void **state)
{
	for (unsigned int i = 0; chip_at(i); i++) {
		env_open(&e, chip_at(i));
		/* Several at once, padded; a count of 0 is 1024. */
		e.word[e.n++] = VIV_FE_COMMAND(LOAD_STATE) | 2 << 16 | VIVS_DE_FILTER_KERNEL / 4;
		e.word[e.n++] = 0x11111111;
		e.word[e.n++] = 0x22222222;
		e.word[e.n++] = 0xdeadbeef;
		e.word[e.n++] = VIV_FE_COMMAND(LOAD_STATE) | VIVS_VS_UNIFORMS / 4;
		for (unsigned int k = 0; k < 1024; k++)
			e.word[e.n++] = k;
		e.n++;
		assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL), 0x11111111);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL + 4), 0x22222222);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL + 8), 0);
		assert_int_equal(viv_state(chip(&e), VIVS_VS_UNIFORMS + 1023 * 4), 1023);
	}
}

/* Groups of bits and the bit that keeps them, as rnndb has them, written down here a second time. */
static const struct {
	uint32_t state, group, mask;
} masked[] = {
	{ VIVS_GL_MULTI_SAMPLE_CONFIG, 0x00000003, 1u << 3 },	/* MSAA_SAMPLES */
	{ VIVS_GL_MULTI_SAMPLE_CONFIG, 0x000000f0, 1u << 8 },	/* MSAA_ENABLES */
	{ VIVS_PA_CONFIG, 1u << 22, 1u << 23 },			/* WIDE_LINE */
	{ VIVS_PE_DEPTH_CONFIG, 0x00000003, 1u << 3 },		/* DEPTH_MODE */
	{ VIVS_PE_DEPTH_CONFIG, 1u << 4, 1u << 5 },		/* DEPTH_FORMAT */
	{ VIVS_PE_DEPTH_CONFIG, 0x00000700, 1u << 11 },		/* DEPTH_FUNC */
	{ VIVS_PE_DEPTH_CONFIG, 1u << 12, 1u << 13 },		/* WRITE_ENABLE */
	{ VIVS_PE_DEPTH_CONFIG, 1u << 16, 1u << 17 },		/* EARLY_Z */
	{ VIVS_PE_DEPTH_CONFIG, 1u << 26, 1u << 27 },		/* SUPER_TILED */
	{ VIVS_PE_STENCIL_OP, 0x00000007, 1u << 3 },		/* FUNC_FRONT */
	{ VIVS_PE_STENCIL_OP, 0x70000000, 1u << 31 },		/* DEPTH_FAIL_BACK */
	{ VIVS_PE_STENCIL_CONFIG, 0x00000003, 1u << 4 },	/* MODE */
	{ VIVS_PE_STENCIL_CONFIG, 0x0000ff00, 1u << 5 },	/* REF_FRONT */
	{ VIVS_PE_STENCIL_CONFIG, 0x00ff0000, 1u << 6 },	/* MASK_FRONT */
	{ VIVS_PE_STENCIL_CONFIG, 0xff000000, 1u << 7 },	/* WRITE_MASK_FRONT */
	{ VIVS_PE_ALPHA_OP, 1u << 0, 1u << 1 },			/* ALPHA_TEST */
	{ VIVS_PE_ALPHA_OP, 0x00000070, 1u << 7 },		/* ALPHA_FUNC */
	{ VIVS_PE_ALPHA_OP, 0x0000ff00, 1u << 16 },		/* ALPHA_REF */
	{ VIVS_PE_STENCIL_CONFIG_EXT, 0x000000ff, 1u << 8 },	/* REF_BACK */
	{ VIVS_PE_ALPHA_CONFIG, 1u << 0, 1u << 1 },		/* BLEND_ENABLE_COLOR */
	{ VIVS_PE_ALPHA_CONFIG, 0x000000f0, 1u << 2 },		/* SRC_FUNC_COLOR */
	{ VIVS_PE_ALPHA_CONFIG, 0x00000f00, 1u << 3 },		/* DST_FUNC_COLOR */
	{ VIVS_PE_ALPHA_CONFIG, 0x00007000, 1u << 15 },		/* EQ_COLOR */
	{ VIVS_PE_ALPHA_CONFIG, 0x00f00000, 1u << 18 },		/* SRC_FUNC_ALPHA */
	{ VIVS_PE_ALPHA_CONFIG, 0x0f000000, 1u << 19 },		/* DST_FUNC_ALPHA */
	{ VIVS_PE_COLOR_FORMAT, 0x0000000f, 1u << 4 },		/* FORMAT */
	{ VIVS_PE_COLOR_FORMAT, 0x00000f00, 1u << 12 },		/* COMPONENTS */
	{ VIVS_PE_COLOR_FORMAT, 1u << 16, 1u << 17 },		/* OVERWRITE */
	{ VIVS_PE_COLOR_FORMAT, 1u << 20, 1u << 21 },		/* SUPER_TILED */
	{ VIVS_PE_LOGIC_OP, 0x0000000f, 1u << 4 },		/* OP */
};

/* What a state is after that was written. */
static uint32_t written(struct env *e, uint32_t state, uint32_t val)
{
	set(e, state, val);
	assert_int_equal(run(e, HOST_PIPE_3D), HOST_OK);
	return viv_state(chip(e), state);
}

/* etna_viv hardware.md: "When the mask bit is set on a state write, the accompanying state bits will be unaffected." */
static void masked_states(void **state)
{
	env_open(&e, "gc2000");
	for (unsigned int i = 0; i < COUNT(masked); i++) {
		uint32_t at = masked[i].state, group = masked[i].group, mask = masked[i].mask, bits = 0, kept;

		for (unsigned int k = 0; k < COUNT(masked); k++)
			bits |= masked[k].state == at ? masked[k].mask : 0;
		/* Written, kept, written again; the mask bit itself is not state. */
		assert_int_equal(written(&e, at, group), group);
		kept = written(&e, at, mask);
		if (kept != group)
			fail_msg("state %05x: bits %08x with mask %08x become %08x", at, group, mask, kept);
		assert_int_equal(written(&e, at, 0), 0);
		/* Every other group is written while this one is kept. */
		assert_int_equal(written(&e, at, mask | (~bits & 0x0f0f0f0f)) & group, 0);
		written(&e, at, 0);
	}
}

/* 16.16 of the stream becomes float, rounded to 24 bits. */
static void fixed_point(void **state)
{
	static const struct {
		uint32_t fixed;
		float want;
	} f[] = {
		{ 0x00000000, 0 }, { 0x00010000, 1 }, { 0xffff0000, -1 }, { 0x00008000, 0.5f }, { 0x00000001, 0x1p-16f },
		{ 0xffffffff, -0x1p-16f }, { 0x80000000, -32768 }, { 0x7fffffff, 32768 }, { 0x01000001, 256.0000152587890625f },
		{ 0x07800005, 1920.0001220703125f },
	};

	for (unsigned int i = 0; chip_at(i); i++) {
		env_open(&e, chip_at(i));
		/* All at once into neighbouring states, which are floats. */
		e.word[e.n++] = VIV_FE_COMMAND(LOAD_STATE) | VIV_FE_LOAD_STATE_HEADER_FIXP | COUNT(f) << 16 |
				VIVS_PA_VIEWPORT_SCALE_X / 4;
		for (unsigned int k = 0; k < COUNT(f); k++)
			e.word[e.n++] = f[k].fixed;
		e.word[e.n++] = 0;
		e.expect_reports = true;	/* not all of them are states */
		assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
		for (unsigned int k = 0; k < COUNT(f); k++) {
			float got = viv_state_float(chip(&e), VIVS_PA_VIEWPORT_SCALE_X + k * 4);

			if (got != f[k].want)
				fail_msg("%08x becomes %.9g, not %.9g", f[k].fixed, (double)got, (double)f[k].want);
		}
	}
}

/* CHIP_SELECT: bit per core. A core that is left out follows the stream and does nothing. */
static void chip_select(void **state)
{
	for (unsigned int i = 0; chip_at(i); i++) {
		env_open(&e, chip_at(i));
		put(&e, VIV_FE_COMMAND(CHIP_SELECT) | 0x1, 0);
		set(&e, VIVS_DE_FILTER_KERNEL, 1);
		put(&e, VIV_FE_COMMAND(CHIP_SELECT) | 0xffff, 0);
		set(&e, VIVS_DE_FILTER_KERNEL + 4, 2);
		assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL), 1);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL + 4), 2);
		assert_int_equal(e.reports, 0);
		e.expect_reports = true;
		put(&e, VIV_FE_COMMAND(CHIP_SELECT) | 0x2, 0);
		set(&e, VIVS_DE_FILTER_KERNEL, 3);
		put(&e, VIV_FE_COMMAND(LINK) | 3, e.va[0]);
		/* Flow goes on there, and selects it again before it jumps back into the job's last words. */
		((uint32_t *)e.map[0])[0] = VIV_FE_COMMAND(CHIP_SELECT) | 0x1;
		((uint32_t *)e.map[0])[2] = VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | (VIVS_DE_FILTER_KERNEL + 4) / 4;
		((uint32_t *)e.map[0])[3] = 4;
		((uint32_t *)e.map[0])[4] = VIV_FE_COMMAND(END) | VIV_FE_END_HEADER_EVENT_ENABLE | 3;
		assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL), 1);
		assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL + 4), 4);
		assert_non_null(strstr(e.last, "leaves out core 0"));
		/* Left out to the end, it takes no part in the semaphore either, and the event does not come. */
		put(&e, VIV_FE_COMMAND(CHIP_SELECT) | 0x2, 0);
		must_fail(&e, HOST_TIMEOUT, "leaves out core 0");
	}
}

static void calls(void **state)
{
	uint32_t *there;

	env_open(&e, "gc2000");
	there = (uint32_t *)e.map[0];
	/* In the first BO: two states, and back to after the CALL. */
	there[0] = VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | VIVS_PA_LINE_WIDTH / 4;
	there[1] = 0x1234;
	there[2] = VIV_FE_COMMAND(RETURN);
	/* The rest goes on in the second BO, which links to a NOP and hangs for want of words. */
	put(&e, VIV_FE_COMMAND(CALL) | 2, e.va[0]);
	put(&e, 2, e.va[1]);
	((uint32_t *)e.map[1])[0] = VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | VIVS_PA_POINT_SIZE / 4;
	((uint32_t *)e.map[1])[1] = 0x5678;
	((uint32_t *)e.map[1])[2] = VIV_FE_COMMAND(END) | VIV_FE_END_HEADER_EVENT_ENABLE | 3;
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	assert_int_equal(viv_state(chip(&e), VIVS_PA_LINE_WIDTH), 0x1234);
	assert_int_equal(viv_state(chip(&e), VIVS_PA_POINT_SIZE), 0x5678);
}

/* CALL fetches as many words as it says, and so does the RETURN to it. */
static void call_prefetch(void **state)
{
	for (unsigned int i = 0; chip_at(i); i++) {
		uint32_t *there;

		env_open(&e, chip_at(i));
		there = (uint32_t *)e.map[0];
		memset(there, 0, 64);
		there[0] = there[2] = VIV_FE_COMMAND(NOP);
		there[4] = VIV_FE_COMMAND(RETURN);
		((uint32_t *)e.map[1])[0] = VIV_FE_COMMAND(NOP);
		((uint32_t *)e.map[1])[2] = VIV_FE_COMMAND(END);
		put(&e, VIV_FE_COMMAND(CALL) | 2, e.va[0]);
		put(&e, 2, e.va[1]);
		must_fail(&e, HOST_TIMEOUT, "used up");
		put(&e, VIV_FE_COMMAND(CALL) | 3, e.va[0]);
		put(&e, 1, e.va[1]);
		must_fail(&e, HOST_TIMEOUT, "used up");
		put(&e, VIV_FE_COMMAND(CALL) | 0, e.va[0]);
		put(&e, 1, e.va[1]);
		must_fail(&e, HOST_TIMEOUT, "used up");
		/* A CALL behind a CALL: there is one return address, the inner one. */
		there[4] = VIV_FE_COMMAND(CALL) | 1;
		there[5] = e.va[0] + 64;
		there[6] = 1;
		there[7] = e.va[1] + 64;
		there[16] = VIV_FE_COMMAND(RETURN);
		((uint32_t *)e.map[1])[16] = VIV_FE_COMMAND(END) | VIV_FE_END_HEADER_EVENT_ENABLE | 3;
		put(&e, VIV_FE_COMMAND(CALL) | 4, e.va[0]);
		put(&e, 2, e.va[1]);
		assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
		assert_non_null(strstr(e.last, "the outer return is lost"));
	}
}

/* Commands that some chips do not have hang those; SNAP_PAGES does nothing that anybody knows, and says so. */
static void newer_commands(void **state)
{
	for (unsigned int i = 0; chip_at(i); i++) {
		bool newest = !strcmp(chip_at(i), "gc7000l");

		env_open(&e, chip_at(i));
		e.expect_reports = true;
		put(&e, VIV_FE_COMMAND(SNAP_PAGES), 0);
		if (newest) {
			set(&e, VIVS_DE_FILTER_KERNEL, 5);
			assert_int_equal(run(&e, pipe_of(&e)), HOST_OK);
			assert_non_null(strstr(e.last, "SNAP_PAGES"));
			assert_int_equal(viv_state(chip(&e), VIVS_DE_FILTER_KERNEL), 5);
		} else {
			must_fail(&e, HOST_TIMEOUT, "no command of this chip");
			put(&e, VIV_FE_COMMAND(WAIT_FENCE), e.va[0]);
			must_fail(&e, HOST_TIMEOUT, "no command of this chip");
			put(&e, VIV_FE_COMMAND(DRAW_INDIRECT) | 4, e.va[0]);
			must_fail(&e, HOST_TIMEOUT, "no command of this chip");
		}
		if (!strcmp(chip_at(i), "gc320")) {
			put(&e, VIV_FE_COMMAND(DRAW_INSTANCED) | 4 << 16 | 1, 3);
			put(&e, 0, 0);
			must_fail(&e, HOST_TIMEOUT, "no command of this chip");
		}
	}
}

static void semaphores(void **state)
{
	const uint32_t ra_pe = SYNC_RECIPIENT_RA | SYNC_RECIPIENT_PE << 8;
	const uint32_t fe_pe = SYNC_RECIPIENT_FE | SYNC_RECIPIENT_PE << 8;

	env_open(&e, "gc2000");
	set(&e, VIVS_GL_SEMAPHORE_TOKEN, ra_pe);
	set(&e, VIVS_GL_STALL_TOKEN, ra_pe);
	set(&e, VIVS_GL_SEMAPHORE_TOKEN, fe_pe);
	put(&e, VIV_FE_COMMAND(STALL), fe_pe);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
}

/* An event behind a flush of a cache that writes needs a semaphore between them; of one that only reads, not. */
static void flushes(void **state)
{
	const uint32_t event = VIVS_GL_EVENT_FROM_PE | 3;

	env_open(&e, "gc2000");
	set(&e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR);
	set(&e, VIVS_GL_SEMAPHORE_TOKEN, SYNC_RECIPIENT_FE | SYNC_RECIPIENT_PE << 8);
	set(&e, VIVS_GL_EVENT, event);
	set(&e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE);
	set(&e, VIVS_GL_EVENT, event);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	e.expect_reports = true;
	set(&e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR);
	set(&e, VIVS_GL_EVENT, event);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	assert_non_null(strstr(e.last, "an event right behind a flush"));
}

static void hangs(void **state)
{
	for (unsigned int i = 0; chip_at(i); i++) {
		env_open(&e, chip_at(i));
		put(&e, 0x00000000, 0);
		must_fail(&e, HOST_TIMEOUT, "no command");
		put(&e, 31u << 27, 0);
		must_fail(&e, HOST_TIMEOUT, "no command");
		put(&e, VIV_FE_COMMAND(RETURN), 0);
		must_fail(&e, HOST_TIMEOUT, "RETURN without a CALL");
		/* Fewer words than the block has, and none of them a jump. */
		put(&e, VIV_FE_COMMAND(LINK) | 1, e.va[0]);
		((uint32_t *)e.map[0])[0] = VIV_FE_COMMAND(NOP);
		must_fail(&e, HOST_TIMEOUT, "used up");
		put(&e, VIV_FE_COMMAND(LINK) | 1, e.va[0]);
		((uint32_t *)e.map[0])[0] = VIV_FE_COMMAND(LOAD_STATE) | 4 << 16 | VIVS_DE_FILTER_KERNEL / 4;
		must_fail(&e, HOST_TIMEOUT, "longer than");
		/* An endless loop of LINKs: busy, no end, and a reset brings it back. */
		put(&e, VIV_FE_COMMAND(LINK) | 1, e.va[0]);
		((uint32_t *)e.map[0])[0] = VIV_FE_COMMAND(LINK) | 1;
		((uint32_t *)e.map[0])[1] = e.va[0];
		must_fail(&e, HOST_TIMEOUT, NULL);
	}
}

static void unknown_states(void **state)
{
	env_open(&e, "gc2000");
	e.expect_reports = true;
	set(&e, 0x3a000, 0x42);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	assert_non_null(strstr(e.last, "unknown state 3a000 is set to 00000042"));
	set(&e, VIVS_HI_CLOCK_CONTROL, 0);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	assert_non_null(strstr(e.last, "a register of the bus"));
}

static void faults(void **state)
{
	static const char *const v2[] = { "gc3000", "gc7000l" };

	for (unsigned int i = 0; i < COUNT(v2); i++) {
		env_open(&e, v2[i]);
		put(&e, VIV_FE_COMMAND(LINK) | 2, 0xf0000000);
		must_fail(&e, HOST_FAULT, "not mapped");
		assert_string_equal(host_error(e.host), "");
		put(&e, VIV_FE_COMMAND(LINK) | 2, e.va[1] + ENV_BO + 0x1000);
		e.last[0] = 0;
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_FAULT);
		assert_non_null(strstr(host_error(e.host), "MMU exception 2"));
	}
}

/* MMUv1: what is not mapped is a page of the driver's choice, here of zeros, which is no command. */
static void unmapped_v1(void **state)
{
	env_open(&e, "gc2000");
	put(&e, VIV_FE_COMMAND(LINK) | 2, 0xf0000000);
	must_fail(&e, HOST_TIMEOUT, "no command");
	/* The linear window beyond memory: the bus answers with an error. */
	put(&e, VIV_FE_COMMAND(LINK) | 2, 0x7ff00000);
	must_fail(&e, HOST_FAULT, NULL);
}

static void wait_fence(void **state)
{
	env_open(&e, "gc7000l");
	((uint64_t *)e.map[0])[0] = 0x100000005ull;
	set(&e, VIVS_FE_FENCE_WAIT_DATA_LOW, 5);
	set(&e, VIVS_FE_FENCE_WAIT_DATA_HIGH, 1);
	put(&e, VIV_FE_COMMAND(WAIT_FENCE), e.va[0]);
	set(&e, VIVS_GL_FENCE_OUT_ADDRESS, e.va[1]);
	set(&e, VIVS_GL_FENCE_OUT_DATA_LOW, 7);
	set(&e, VIVS_GL_FENCE_OUT_DATA_HIGH, 9);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	assert_true(((uint64_t *)e.map[1])[0] == 0x900000007ull);
	/* A value that never comes. */
	set(&e, VIVS_FE_FENCE_WAIT_DATA_HIGH, 2);
	put(&e, VIV_FE_COMMAND(WAIT_FENCE), e.va[0]);
	must_fail(&e, HOST_TIMEOUT, NULL);
}

static void bad_submits(void **state)
{
	enum host_status status;

	env_open(&e, "gc2000");
	assert_int_equal(host_submit_stream(e.host, HOST_PIPE_3D, e.word, 3, &status), -22);
	assert_int_equal(host_submit_stream(e.host, HOST_PIPE_3D, e.word, 1 << 20, &status), -22);
	assert_int_equal(host_submit_stream(e.host, HOST_PIPE_2D, e.word, 2, &status), -22);
	assert_int_equal(host_submit_stream(e.host, 7, e.word, 2, &status), -22);
	assert_int_equal(host_identity(e.host, 1, &e.id), -2);
}

#define TESTS(T) \
	T(load_states) T(masked_states) T(fixed_point) T(chip_select) T(calls) T(call_prefetch) T(newer_commands) \
	T(semaphores) T(flushes) T(hangs) T(unknown_states) T(faults) T(unmapped_v1) \
	T(wait_fence) T(bad_submits)

UNIT_MAIN(TESTS, end)
