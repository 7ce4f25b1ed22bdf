// SPDX-License-Identifier: MIT
/*
 * Broken jobs: a GP and a PP job that work, with random words changed in lists,
 * descriptors, shaders and frame registers. Whatever comes of them, the model
 * must stand, the job must end or time out, and the next good job must work.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <drm/lima_drm.h>
#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/isa.h"
#include "model/carriers/host/host.h"

#define ROUNDS		400
#define SIDE		32	/* pixels; 2 x 2 tiles */

/* Offsets in the BO; what lies before TARGET is fuzzed. */
#define VS_LIST		0x0000
#define PLBU_LIST	0x0200
#define VERTEX		0x0400	/* shaders */
#define FRAGMENT	0x0600
#define IN		0x0800
#define OUT		0x0840
#define RSW		0x0880
#define TILES		0x0900
#define ARRAY		0x0a00
#define ATTRIBUTES	0x0b00
#define FUZZED		0x0c00
#define VARYINGS	0x1000
#define BLOCKS		0x2000
#define TARGET		0x4000
#define BO_SIZE		0x8000

static const char vertex_text[] =
	"mov.a0 ^1/v0.x a0.x\n"
	"mov.a1 ^2/v0.y a0.y\n"
	"mov.m0 ^3/v0.z a0.z\n"
	"mov.m1 ^4/v0.w a0.w\n";

/* Colour 0: white is what it is cleared to. */
static const char fragment_text[] = "const0 0 0 0 1, mov.v1 $0 ^const0, stop\n";

static uint64_t state_of_random;

static uint32_t random32(void)
{
	state_of_random = state_of_random * 6364136223846793005ull + 1442695040888963407ull;
	return state_of_random >> 32;
}

struct env {
	struct host *host;
	uint32_t va, heap;
	uint8_t *map, *good;
	struct drm_lima_gp_frame gp;
	struct drm_lima_m400_pp_frame pp;
};

static uint32_t assemble(struct env *e, const char *isa, const char *text, uint32_t offset)
{
	struct isa_messages messages = { 0 };
	uint32_t *words;
	size_t count;

	if (isa_asm(isa_find(isa), text, strlen(text), &words, &count, &messages))
		fail_msg("%s, line %u: %s", isa, messages.list[0].line, messages.list[0].text);
	memcpy(e->map + offset, words, 4 * count);
	free(words);
	isa_messages_free(&messages);
	return count;
}

static uint32_t put(struct env *e, uint32_t offset, const uint32_t *words, uint32_t bytes)
{
	memcpy(e->map + offset, words, bytes);
	return e->va + offset + bytes;
}

static void build_gp(struct env *e)
{
	static const float corners[3][4] = { { 0, 0, 0.5, 1 }, { 64, 0, 0.5, 1 }, { 0, 64, 0.5, 1 } };
	uint32_t va = e->va, size = 4 * assemble(e, "utgard-gp", vertex_text, VERTEX), side = 0x42000000;
	const uint32_t in[2] = { va + ATTRIBUTES, GP_STREAM(16, GP_TYPE_F32, 4) };
	const uint32_t out[2] = { va + VARYINGS, GP_VARYING_POSITION_WORD };
	const uint32_t array[4] = { va + BLOCKS, va + BLOCKS + 512, va + BLOCKS + 1024, va + BLOCKS + 1536 };
	const uint32_t vs[] = {
		VS_SEM_BEGIN_1, 0x50000000, VS_SEM_BEGIN_2, 0x50000000,
		va, VS_W1_UNIFORMS(16), va + VERTEX, VS_W1_SHADER(size),
		VS_SHADER_INFO(0, size), 0x10000000 | VS_REG_SHADER_INFO,
		VS_COUNTS(1, 1), 0x10000000 | VS_REG_COUNTS, 3, 0x10000000 | VS_REG_UNKNOWN_41,
		va + IN, VS_W1_ATTRIBUTES(1), va + OUT, VS_W1_VARYINGS(1),
		VS_W0_DRAW(3, false), VS_W1_DRAW(3), 0, 0x60000000, VS_SEM_END, 0x50000000,
	};
	const uint32_t plbu[] = {
		0x200, 0x10000000 | PLBU_REG_PRIMITIVE, 0, 0x10000000 | PLBU_REG_BLOCK_STEP,
		1u << 24 | 1 << 8, 0x10000000 | PLBU_REG_TILES, 2, PLBU_W1_BLOCK_STRIDE,
		va + ARRAY, PLBU_W1_ARRAY(4), side, 0x10000000 | PLBU_REG_VIEWPORT_RIGHT,
		side, 0x10000000 | PLBU_REG_VIEWPORT_TOP, 0x3f800000, 0x10000000 | PLBU_REG_DEPTH_FAR,
		PLBU_SEM_BEGIN, 0x60000000, PLBU_PRIM(1), 0x10000000 | PLBU_REG_PRIMITIVE,
		va + RSW, PLBU_W1_RSW(va + VARYINGS),
		PLBU_W0_SCISSOR(0, SIDE, 0), PLBU_W1_SCISSOR(0, SIDE),
		PLBU_W0_DRAW(0, 3), PLBU_W1_DRAW_ARRAYS(GP_MODE_TRIANGLES, 3),
		PLBU_SEM_END, 0x60000000, 0, PLBU_W1_END,
	};

	memcpy(e->map + ATTRIBUTES, corners, sizeof(corners));
	put(e, IN, in, sizeof(in));
	put(e, OUT, out, sizeof(out));
	put(e, ARRAY, array, sizeof(array));
	e->gp.frame[0] = va + VS_LIST;
	e->gp.frame[1] = put(e, VS_LIST, vs, sizeof(vs));
	e->gp.frame[2] = va + PLBU_LIST;
	e->gp.frame[3] = put(e, PLBU_LIST, plbu, sizeof(plbu));
	e->gp.frame[4] = e->heap;
	e->gp.frame[5] = e->heap + 0x1000;
}

static void build_pp(struct env *e)
{
	uint32_t *rsw = (uint32_t *)(e->map + RSW), *tile = (uint32_t *)(e->map + TILES), length;

	assemble(e, "utgard-pp", fragment_text, FRAGMENT);
	length = *(uint32_t *)(e->map + FRAGMENT) & 0x1f;
	/* As Mesa writes it for a draw without depth, stencil and blending. */
	rsw[2] = 0xfc3b1ad2;
	rsw[3] = 0x0000003e;
	rsw[4] = 0xffff0000;
	rsw[5] = 0xff000007;
	rsw[6] = 0xff000007;
	rsw[7] = 0x0000ffff;
	rsw[8] = 0x0000f807;
	rsw[9] = (e->va + FRAGMENT) | length;
	rsw[13] = 0x1300;
	for (uint32_t i = 0; i < 4; i++) {
		*tile++ = 0;
		*tile++ = PPS_BEGIN_TILE | (i & 1) | (i >> 1) << 8;
		*tile++ = PPS_CALL_WORD(e->va + BLOCKS + 512 * i);
		*tile++ = PPS_CALL;
	}
	*tile++ = 0;
	*tile = PPS_END;
	e->pp.num_pp = 1;
	e->pp.plbu_array_address[0] = e->va + TILES;
	e->pp.frame[PP_FEATURES / 4] = 2;
	for (int i = 0; i < 4; i++)
		e->pp.frame[PP_CLEAR_COLOR(i) / 4] = ~0u;
	e->pp.frame[PP_BOUND_BOX_LR / 4] = SIDE - 1;
	e->pp.frame[PP_BOUND_BOX_BT / 4] = SIDE - 1;
	e->pp.frame[PP_ORIGIN_OFFSET_X / 4] = PP_ORIGIN_OFFSET_X_DRIVER;
	e->pp.frame[PP_ORIGIN_OFFSET_Y / 4] = PP_ORIGIN_OFFSET_Y_DRIVER(SIDE);
	e->pp.frame[PP_SUBPIXEL / 4] = PP_SUBPIXEL_DRIVER;
	e->pp.frame[PP_TIEBREAK / 4] = PP_TIEBREAK_DRIVER;
	e->pp.frame[PP_SCALING / 4] = PP_SCALING_DRIVER;
	e->pp.frame[PP_CHANNEL_LAYOUT / 4] = PP_CHANNELS_8888;
	e->pp.wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_COLOR;
	e->pp.wb[PP_WB_ADDRESS / 4] = e->va + TARGET;
	e->pp.wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_B8G8R8A8;
	e->pp.wb[PP_WB_PITCH / 4] = PP_WB_PITCH_LINEAR(4 * SIDE);
}

static void start(struct env *e, bool strict)
{
	struct host_config config = { .gpu = "mali-400-mp1", .strict = strict, .seed = 1, .timeout = 300,
				      .ram = 16 << 20 };
	uint32_t handle, backed;
	void *map;

	memset(e, 0, sizeof(*e));
	assert_int_equal(host_create(&config, &e->host), 0);
	assert_int_equal(host_bo_create(e->host, BO_SIZE, 0, &handle), 0);
	assert_int_equal(host_bo_info(e->host, handle, &e->va, &map, &backed), 0);
	e->map = map;
	assert_int_equal(host_bo_create(e->host, 1 << 16, HOST_BO_HEAP, &handle), 0);
	assert_int_equal(host_bo_info(e->host, handle, &e->heap, &map, &backed), 0);
	build_gp(e);
	build_pp(e);
	e->good = malloc(FUZZED);
	memcpy(e->good, e->map, FUZZED);
}

static void stop(struct env *e)
{
	host_destroy(e->host);
	free(e->good);
}

static enum host_status submit(struct env *e, uint32_t pipe, const void *frame, uint32_t size)
{
	enum host_status status = HOST_FAULT;

	host_submit(e->host, pipe, frame, size, &status);	/* -EINVAL is fine, too */
	return status;
}

/* The triangle covers everything but the corner beyond its long side. */
static void good_frame(struct env *e)
{
	const uint32_t *target = (const uint32_t *)(e->map + TARGET);

	memcpy(e->map, e->good, FUZZED);
	memset(e->map + TARGET, 0x55, 4 * SIDE * SIDE);
	if (submit(e, HOST_PIPE_GP, &e->gp, sizeof(e->gp)) != HOST_OK)
		fail_msg("the good GP job: %s", host_error(e->host));
	if (submit(e, HOST_PIPE_PP, &e->pp, sizeof(e->pp)) != HOST_OK)
		fail_msg("the good PP job: %s", host_error(e->host));
	for (int i = 0; i < SIDE * SIDE; i++)
		assert_int_equal(target[i], 0xff000000);
}

static uint32_t spoil(uint32_t word)
{
	switch (random32() % 5) {
	case 0:
		return word ^ 1u << random32() % 32;
	case 1:
		return random32();
	case 2:
		return word + random32() % 4096;
	case 3:
		return 0;
	default:
		return word | 0xffff0000;
	}
}

static void fuzz(void **state)
{
	unsigned int ends[3] = { 0 };
	struct env e;

	for (int strict = 0; strict <= 1; strict++) {
		start(&e, strict);
		good_frame(&e);
		state_of_random = 42;
		for (int round = 0; round < ROUNDS; round++) {
			struct drm_lima_gp_frame gp = e.gp;
			struct drm_lima_m400_pp_frame pp = e.pp;
			enum host_status status;

			for (uint32_t n = random32() % 6; n; n--) {
				uint32_t *word = (uint32_t *)e.map + random32() % (FUZZED / 4);

				*word = spoil(*word);
			}
			if (random32() % 8 == 0)
				gp.frame[random32() % 6] = random32();
			if (random32() % 4 == 0)
				pp.frame[random32() % PP_FRAME_WORDS] ^= 1u << random32() % 32;
			if (random32() % 4 == 0)
				pp.wb[random32() % (3 * PP_WB_WORDS)] ^= 1u << random32() % 32;
			status = submit(&e, HOST_PIPE_GP, &gp, sizeof(gp));
			ends[status]++;
			status = submit(&e, HOST_PIPE_PP, &pp, sizeof(pp));
			ends[status]++;
			good_frame(&e);
		}
		stop(&e);
	}
	print_message("# %u ok, %u faults, %u without end\n", ends[HOST_OK], ends[HOST_FAULT], ends[HOST_TIMEOUT]);
	assert_true(ends[HOST_OK] > 100 && ends[HOST_FAULT] > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fuzz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
