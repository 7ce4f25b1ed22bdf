// SPDX-License-Identifier: MIT
/*
 * Broken jobs: a GP and a PP job that work, with random words changed in lists,
 * descriptors, shaders and frame registers. Whatever comes of them, the model
 * must stand, the job must end or time out, and the next good job must work.
 */
#include "tests/model/gp_scene.h"
#include "tests/model/pp_scene.h"

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

static uint8_t good[FUZZED];
static struct drm_lima_gp_frame gp_job;
static struct drm_lima_m400_pp_frame pp_job;

static uint32_t put(struct env *e, uint32_t offset, const uint32_t *words, uint32_t bytes)
{
	memcpy(e->map + offset, words, bytes);
	return e->va + offset + bytes;
}

static void build_gp(struct env *e)
{
	static const float corners[3][4] = { { 0, 0, 0.5, 1 }, { 64, 0, 0.5, 1 }, { 0, 64, 0.5, 1 } };
	uint32_t va = e->va, size = 4 * shader(e, "utgard-gp", vertex_text, VERTEX), side = 0x42000000;
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
	gp_job.frame[0] = va + VS_LIST;
	gp_job.frame[1] = put(e, VS_LIST, vs, sizeof(vs));
	gp_job.frame[2] = va + PLBU_LIST;
	gp_job.frame[3] = put(e, PLBU_LIST, plbu, sizeof(plbu));
	gp_job.frame[4] = e->heap;
	gp_job.frame[5] = e->heap + 0x1000;
}

static void build_pp(struct env *e)
{
	uint32_t *rsw = (uint32_t *)(e->map + RSW), *tile = (uint32_t *)(e->map + TILES), length;

	shader(e, "utgard-pp", fragment_text, FRAGMENT);
	length = *(uint32_t *)(e->map + FRAGMENT) & 0x1f;
	pp_rsw(rsw, (e->va + FRAGMENT) | length);
	rsw[RSW_AUX0] = 0x1300;
	for (uint32_t i = 0; i < 4; i++) {
		*tile++ = 0;
		*tile++ = PPS_BEGIN_TILE | (i & 1) | (i >> 1) << 8;
		*tile++ = PPS_CALL_WORD(e->va + BLOCKS + 512 * i);
		*tile++ = PPS_CALL;
	}
	*tile++ = 0;
	*tile = PPS_END;
	pp_frame(&pp_job, SIDE, SIDE, e->va + TARGET);
	pp_job.plbu_array_address[0] = e->va + TILES;
	for (int i = 0; i < 4; i++)
		pp_job.frame[PP_CLEAR_COLOR(i) / 4] = ~0u;
}

static void start(struct env *e, bool strict)
{
	gp_open(e, strict, 300, BO_SIZE, 1 << 16);
	build_gp(e);
	build_pp(e);
	memcpy(good, e->map, FUZZED);
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

	memcpy(e->map, good, FUZZED);
	memset(e->map + TARGET, 0x55, 4 * SIDE * SIDE);
	if (submit(e, HOST_PIPE_GP, &gp_job, sizeof(gp_job)) != HOST_OK)
		fail_msg("the good GP job: %s", host_error(e->host));
	if (submit(e, HOST_PIPE_PP, &pp_job, sizeof(pp_job)) != HOST_OK)
		fail_msg("the good PP job: %s", host_error(e->host));
	for (int i = 0; i < SIDE * SIDE; i++)
		assert_int_equal(target[i], 0xff000000);
}

static uint32_t spoil(uint32_t word)
{
	switch (random_word() % 5) {
	case 0:
		return word ^ 1u << random_word() % 32;
	case 1:
		return random_word();
	case 2:
		return word + random_word() % 4096;
	case 3:
		return 0;
	default:
		return word | 0xffff0000;
	}
}

static void fuzz(void **state)
{
	unsigned int ends[3] = { 0 };

	for (int strict = 0; strict <= 1; strict++) {
		start(&e, strict);
		good_frame(&e);
		random_state = 42;
		for (int round = 0; round < ROUNDS; round++) {
			struct drm_lima_gp_frame gp = gp_job;
			struct drm_lima_m400_pp_frame pp = pp_job;
			enum host_status status;

			for (uint32_t n = random_word() % 6; n; n--) {
				uint32_t *word = (uint32_t *)e.map + random_word() % (FUZZED / 4);

				*word = spoil(*word);
			}
			if (random_word() % 8 == 0)
				gp.frame[random_word() % 6] = random_word();
			if (random_word() % 4 == 0)
				pp.frame[random_word() % PP_FRAME_WORDS] ^= 1u << random_word() % 32;
			if (random_word() % 4 == 0)
				pp.wb[random_word() % (3 * PP_WB_WORDS)] ^= 1u << random_word() % 32;
			status = submit(&e, HOST_PIPE_GP, &gp, sizeof(gp));
			ends[status]++;
			status = submit(&e, HOST_PIPE_PP, &pp, sizeof(pp));
			ends[status]++;
			good_frame(&e);
		}
	}
	print_message("# %u ok, %u faults, %u without end\n", ends[HOST_OK], ends[HOST_FAULT], ends[HOST_TIMEOUT]);
	assert_true(ends[HOST_OK] > 100 && ends[HOST_FAULT] > 20);
}

#define TESTS(T) T(fuzz)

UNIT_MAIN(TESTS, end)
