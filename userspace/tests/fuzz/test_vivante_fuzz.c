// SPDX-License-Identifier: MIT
/*
 * Streams of nonsense: the virtual Vivante chips must report, hang or fault as
 * they like, but end, touch no memory but the device's, and work after the
 * reset. LIMN_SEED changes the seed, LIMN_ROUNDS the number of streams.
 */
#include "tests/isa/random.h"
#include "tests/model/viv_stream.h"
#include "model/vivante/internal.h"

static uint32_t rnd(uint32_t n)
{
	return (uint32_t)((uint64_t)random_word() * n >> 32);
}

/* States that make something happen, and those around them. */
static const uint16_t kicks[] = {
	VIVS_GL_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE, VIVS_GL_SEMAPHORE_TOKEN, VIVS_TS_MEM_CONFIG,
	VIVS_RS_KICKER_INPLACE, VIVS_GL_STALL_TOKEN, VIVS_DE_VR_CONFIG, VIVS_GL_PIPE_SELECT,
	VIVS_GL_FLUSH_MMU,
	VIVS_TS_MEM_CONFIG, VIVS_RS_CLEAR_CONTROL, VIVS_RS_CONFIG, VIVS_DE_DEST_CONFIG, VIVS_DE_SRC_CONFIG,
};

static uint32_t number(struct env *e)
{
	switch (rnd(8)) {
	case 0:
		return rnd(~0u);
	case 1:
		return 1u << rnd(32);
	case 2:
		return e->va[rnd(2)] + rnd(ENV_BO) / 64 * 64;
	case 3:
		return (rnd(64) * 4) | rnd(64) * 4 << 16;
	case 4:
		return 64u << rnd(5);
	case 5:
		return ~0u;
	default:
		return rnd(16);
	}
}

/* A register of RS or 2D with a value that is likely to mean something; sizes stay small. */
static void sane_state(struct env *e)
{
	bool blt = e->id.model == 0x7000;

	switch (rnd(12)) {
	case 0:
		set(e, VIVS_RS_WINDOW_SIZE, (1 + rnd(8)) * 16 | (1 + rnd(8)) * 4 << 16);
		break;
	case 1:
		set(e, VIVS_RS_SOURCE_STRIDE, (64u << rnd(5)) | rnd(4) << 30);
		break;
	case 2:
		set(e, VIVS_RS_DEST_STRIDE, (64u << rnd(5)) | rnd(4) << 30);
		break;
	case 3:
		set(e, VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, rnd(2)), e->va[0]);
		break;
	case 4:
		set(e, VIV_AT(VIVS_RS_PIPE_DEST_ADDR, rnd(2)), e->va[1]);
		break;
	case 5:
		set(e, VIVS_DE_DEST_ADDRESS, e->va[1]);
		set(e, VIVS_DE_DEST_STRIDE, 64u << rnd(5));
		set(e, VIVS_DE_CLIP_BOTTOM_RIGHT, 64 | 64 << 16);
		break;
	case 6:
		set(e, VIVS_DE_SRC_ADDRESS, e->va[0]);
		set(e, VIVS_DE_SRC_STRIDE, 64u << rnd(5));
		break;
	case 7:
		set(e, VIVS_DE_VR_TARGET_WINDOW_HIGH, rnd(64) | rnd(64) << 16);
		set(e, VIVS_DE_VR_TARGET_WINDOW_LOW, 0);
		break;
	case 8:
		set(e, VIVS_BLT_ENABLE, rnd(8) != 0);
		set(e, VIVS_BLT_SRC_ADDR, e->va[0]);
		set(e, VIVS_BLT_DEST_ADDR, e->va[1]);
		set(e, VIVS_BLT_IMAGE_SIZE, rnd(100) | rnd(100) << 16);
		set(e, VIVS_BLT_BUFFER_SIZE, rnd(10000));
		break;
	case 9:
		set(e, VIVS_BLT_SRC_STRIDE, rnd(~0u));
		set(e, VIVS_BLT_DEST_STRIDE, rnd(~0u));
		set(e, VIVS_BLT_CONFIG, rnd(~0u));
		break;
	case 10:
		set(e, blt ? VIVS_BLT_COMMAND : VIVS_RS_CONFIG, blt ? rnd(8) : number(e));
		break;
	default:
		set(e, VIVS_TS_COLOR_STATUS_BASE, e->va[0]);
		set(e, VIVS_TS_COLOR_SURFACE_BASE, e->va[1]);
	}
}

static void command(struct env *e)
{
	uint32_t address, rects;

	/* What surely ends the stream is rare. */
	if (!rnd(400)) {
		put(e, rnd(~0u), number(e));
		return;
	}
	switch (rnd(16)) {
	case 0:
		set(e, kicks[rnd(4)], number(e));
		break;
	case 1:
		if (e->id.model != 0x320 && rnd(40))
			break;
		rects = 1 + rnd(4);
		put(e, VIV_FE_COMMAND(DRAW_2D) | rects << 8, 0xdeaddeed);
		for (unsigned int i = 0; i < rects; i++)
			put(e, rnd(40) | rnd(40) << 16, rnd(80) | rnd(80) << 16);
		break;
	case 2:
	case 3:
		if (rnd(e->id.model == 0x320 ? 200 : 8))
			break;
		if (rnd(2)) {
			put(e, VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES), rnd(9));
			put(e, rnd(4), rnd(8));
			put(e, rnd(4), 0);
			break;
		}
		put(e, VIV_FE_COMMAND(DRAW_PRIMITIVES), rnd(9));
		put(e, rnd(4), rnd(8));
		break;
	case 4:
		address = rnd(4) ? rnd(VIV_STATE_SPACE) & ~3u : kicks[rnd(COUNT(kicks))];
		/* Events are the driver's: a client that could send them could end its job. */
		if (address != VIVS_GL_EVENT && (address != VIVS_GL_PIPE_SELECT || !rnd(20)))
			set(e, address, number(e));
		break;
	case 5:
	case 6:
		if (e->id.model != 0x7000 && e->id.model != 0x320)
			set(e, VIVS_RS_KICKER, 1);
		break;
	case 7:
		set(e, VIV_AT(VIVS_RS_FILL_VALUE, rnd(4)), rnd(~0u));
		set(e, VIVS_RS_CLEAR_CONTROL, rnd(1 << 18));
		break;
	case 8:
		set(e, 0x600 + rnd(0x200) / 4 * 4, number(e));
		break;
	case 9:
		set(e, 0x800 + rnd(0x2800) / 4 * 4, number(e));
		break;
	default:
		sane_state(e);
	}
}

/* Many in one process would leave few to be seen: a report each is enough. */
static void nonsense(void **state)
{
	const char *seed = getenv("LIMN_SEED"), *rounds = getenv("LIMN_ROUNDS");
	uint64_t first = seed ? strtoull(seed, NULL, 0) : 1;
	unsigned int n = rounds ? strtoul(rounds, NULL, 0) : 300, ended[3] = { 0 }, chips = 0;

	print_message("seed %llu, %u streams\n", (unsigned long long)first, n);
	while (chip_at(chips))
		chips++;
	for (unsigned int i = 0; i < n; i++) {
		unsigned int commands;

		random_state = (first + i) * 0x9e3779b97f4a7c15ull | 1;
		env_open_as(&e, chip_at(i % chips), i % 2, first + i);
		e.expect_reports = true;
		for (unsigned int k = 0; k < ENV_BO / 4; k += 1 + rnd(64))
			((uint32_t *)e.map[rnd(2)])[k] = number(&e);
		set(&e, VIVS_RS_WINDOW_SIZE, 64 | 16 << 16);
		set(&e, VIVS_BLT_ENABLE, 1);
		for (unsigned int k = 0; k < 30; k++)
			sane_state(&e);
		commands = 4 + rnd(60);
		while (commands--)
			command(&e);
		ended[run(&e, e.id.model == 0x320 ? HOST_PIPE_2D : HOST_PIPE_3D)]++;
		put(&e, VIV_FE_COMMAND(NOP), 0);
		assert_int_equal(run(&e, e.id.model == 0x320 ? HOST_PIPE_2D : HOST_PIPE_3D), HOST_OK);
	}
	print_message("%u ended, %u faulted, %u hung\n", ended[HOST_OK], ended[HOST_FAULT], ended[HOST_TIMEOUT]);
}

#define TESTS(T) T(nonsense)

UNIT_MAIN(TESTS, end)
