/* SPDX-License-Identifier: MIT */
/*
 * PP jobs made by hand, without a GP: one polygon list that all tiles call,
 * run by the host carrier on a strict model. Any finding of the model fails
 * the test, unless it says that it expects some.
 */
#ifndef LIMN_TESTS_PP_SCENE_H
#define LIMN_TESTS_PP_SCENE_H

#include <math.h>
#include <drm/lima_drm.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/states.h>

#include "model/carriers/host/host.h"
#include "tests/isa/random.h"
#include "tests/unit.h"

#define SCENE_BYTES	(24u << 20)
#define SCENE_LIST	(4u << 20)	/* where the polygon list starts in the BO */
#define SCENE_TILES	(12u << 20)
#define SCENE_TARGET	(14u << 20)
#define SCENE_DEPTH	(18u << 20)

struct scene {
	struct host *host;
	uint32_t handle, va;
	uint8_t *mem;
	uint32_t used;			/* bytes given away below SCENE_LIST */
	uint32_t list, tiles;		/* bytes written */
	uint32_t w, h;
	uint32_t shader;
	struct drm_lima_m400_pp_frame job;
	unsigned int reports;
	bool expect_reports;
	char error[256], last[256];
	uint32_t raw, rend, bus_error, mmu[3];	/* of the last job, before it was reset */
};

static void scene_report(void *ctx, const char *unit, const char *text)
{
	struct scene *s = ctx;

	s->reports++;
	snprintf(s->last, sizeof(s->last), "%s: %s", unit, text);
	if (!s->expect_reports)
		printf("# %s: %s\n", unit, text);
}

static inline void scene_look(void *ctx)
{
	struct scene *s = ctx;
	struct model *m = host_model(s->host);
	uint32_t pp = UTGARD_PP_OFFSET(0), mmu = UTGARD_PPMMU_OFFSET(0);

	s->raw = model_read32(m, pp + PP_INT_RAWSTAT);
	s->rend = model_read32(m, pp + PP_CURRENT_REND_LIST);
	s->bus_error = model_read32(m, pp + PP_BUS_ERROR_STATUS);
	s->mmu[0] = model_read32(m, mmu + MMU_STATUS);
	s->mmu[1] = model_read32(m, mmu + MMU_INT_RAWSTAT);
	s->mmu[2] = model_read32(m, mmu + MMU_PAGE_FAULT_ADDR);
}

static inline uint32_t scene_alloc(struct scene *s, uint32_t bytes, void **p)
{
	uint32_t at = (s->used + 63) & ~63u;

	assert_true(at + bytes <= SCENE_LIST);
	s->used = at + bytes;
	if (p)
		*p = s->mem + at;
	return s->va + at;
}

static inline uint32_t scene_data(struct scene *s, const void *data, uint32_t bytes)
{
	void *p;
	uint32_t va = scene_alloc(s, bytes, &p);

	memcpy(p, data, bytes);
	return va;
}

static inline void scene_cmd(struct scene *s, uint32_t lo, uint32_t hi)
{
	uint32_t cmd[2] = { lo, hi };

	memcpy(s->mem + SCENE_LIST + s->list, cmd, 8);
	s->list += 8;
}

/* Registers for a cleared w x h colour target, linear BGRA, at va. */
static inline void pp_frame(struct drm_lima_m400_pp_frame *job, uint32_t w, uint32_t h, uint32_t va)
{
	uint32_t *f = job->frame, *wb = job->wb;

	memset(job, 0, sizeof(*job));
	job->num_pp = 1;
	f[PP_FEATURES / 4] = 2;
	f[PP_CLEAR_DEPTH / 4] = 0xffffff;
	f[PP_BOUND_BOX_LR / 4] = w - 1;
	f[PP_BOUND_BOX_BT / 4] = h - 1;
	f[PP_ORIGIN_OFFSET_X / 4] = PP_ORIGIN_OFFSET_X_DRIVER;
	f[PP_ORIGIN_OFFSET_Y / 4] = PP_ORIGIN_OFFSET_Y_DRIVER(h);
	f[PP_SUBPIXEL / 4] = PP_SUBPIXEL_DRIVER;
	f[PP_TIEBREAK / 4] = PP_TIEBREAK_DRIVER;
	f[PP_SCALING / 4] = PP_SCALING_DRIVER;
	f[PP_CHANNEL_LAYOUT / 4] = PP_CHANNELS_8888;
	wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_COLOR;
	wb[PP_WB_ADDRESS / 4] = va;
	wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_B8G8R8A8;
	wb[PP_WB_PITCH / 4] = PP_WB_PITCH_LINEAR(((w + 15) & ~15u) * 4);
}

/* A render state as Mesa writes it for an opaque draw. */
static inline void pp_rsw(uint32_t rsw[RSW_WORDS], uint32_t shader)
{
	memset(rsw, 0, RSW_BYTES);
	rsw[RSW_ALPHA_BLEND] = 0xfc3b1ad2;
	rsw[RSW_DEPTH_TEST] = 0x3e;
	rsw[RSW_DEPTH_RANGE] = 0xffff0000;
	rsw[RSW_STENCIL_FRONT] = 0xff000007;
	rsw[RSW_STENCIL_BACK] = 0xff000007;
	rsw[RSW_STENCIL_TEST] = 0xffff;
	rsw[RSW_MULTI_SAMPLE] = 0xf807;
	rsw[RSW_SHADER_ADDRESS] = shader;
}

/* Of nothing too: what is open is closed before the next, and behind a test. */
static inline void scene_free(struct scene *s)
{
	if (s->host)
		host_destroy(s->host);
	memset(s, 0, sizeof(*s));
}

/* ctx, report and look of the config are the scene's. */
static inline void scene_begin_on(struct scene *s, uint32_t w, uint32_t h, struct host_config config)
{
	/* colour = varying 0: load.v $0 0.xyzw, stop */
	static const uint32_t shader[] = { 0x000000a3, 0xf0003c60, 0x00000000 };
	uint32_t backed;
	void *map;

	scene_free(s);
	config.ctx = s;
	config.report = scene_report;
	config.look = scene_look;
	assert_int_equal(host_create(&config, &s->host), 0);
	assert_int_equal(host_bo_create(s->host, SCENE_BYTES, 0, &s->handle), 0);
	assert_int_equal(host_bo_info(s->host, s->handle, &s->va, &map, &backed), 0);
	s->mem = map;
	s->shader = scene_data(s, shader, sizeof(shader));
	s->w = w;
	s->h = h;
	pp_frame(&s->job, w, h, s->va + SCENE_TARGET);
}

static inline void scene_begin(struct scene *s, uint32_t w, uint32_t h, bool strict)
{
	scene_begin_on(s, w, h, (struct host_config){ .gpu = "mali-400-mp1", .strict = strict, .timeout = 20000 });
}

static inline void scene_init(struct scene *s, uint32_t w, uint32_t h)
{
	scene_begin(s, w, h, true);
}

/* With one vec4 varying. */
static inline void scene_rsw(struct scene *s, uint32_t rsw[RSW_WORDS], uint32_t varyings)
{
	pp_rsw(rsw, s->shader | 3);
	rsw[RSW_AUX0] = 0x300 | 2;
	rsw[RSW_VARYINGS_ADDRESS] = varyings;
}

/* State for what follows: RSW and position array. */
static inline void scene_state(struct scene *s, const uint32_t rsw[RSW_WORDS], uint32_t positions)
{
	scene_cmd(s, PLB_RSW_LO(scene_data(s, rsw, RSW_BYTES)), PLB_RSW_HI(positions));
}

static inline void scene_prim(struct scene *s, unsigned int op, uint32_t i0, uint32_t i1,
			      uint32_t i2)
{
	if (op == PLB_OP_TRIANGLE)
		scene_cmd(s, PLB_TRIANGLE_LO(i0, i1), PLB_TRIANGLE_HI(PLB_MASK_ALL, i2));
	else
		scene_cmd(s, PLB_PRIM_LO(i0, i1), PLB_PRIM_HI(op, i1, i2));
}

static inline void scene_tile_word(struct scene *s, uint32_t lo, uint32_t hi)
{
	uint32_t cmd[2] = { lo, hi };

	memcpy(s->mem + SCENE_TILES + s->tiles, cmd, 8);
	s->tiles += 8;
}

static inline enum host_status scene_submit(struct scene *s)
{
	enum host_status status;

	s->job.frame[0] = s->va + SCENE_TILES;
	s->job.plbu_array_address[0] = s->va + SCENE_TILES;
	s->last[0] = 0;
	assert_int_equal(host_submit(s->host, HOST_PIPE_PP, &s->job, sizeof(s->job), &status), 0);
	snprintf(s->error, sizeof(s->error), "%s", host_error(s->host));
	if (!s->expect_reports)
		assert_int_equal(s->reports, 0);
	return status;
}

/* Ends the list, makes the tile list, runs, and starts new lists. */
static inline enum host_status scene_run(struct scene *s)
{
	uint32_t x, y;

	scene_cmd(s, PLB_RETURN_LO, PLB_RETURN_HI);
	for (y = 0; y < (s->h + 15) / 16; y++)
		for (x = 0; x < (s->w + 15) / 16; x++) {
			scene_tile_word(s, 0, PPS_BEGIN_TILE | x | y << 8);
			scene_tile_word(s, PPS_CALL_WORD(s->va + SCENE_LIST), PPS_CALL);
		}
	scene_tile_word(s, 0, PPS_END);
	s->list = 0;
	s->tiles = 0;
	return scene_submit(s);
}

static inline void scene_render(struct scene *s)
{
	enum host_status status = scene_run(s);

	if (status != HOST_OK)
		fail_msg("job: status %d: %s", status, s->error);
}

/* BGRA pixel of the linear target: red in bits 23:16. */
static inline uint32_t scene_pixel(const struct scene *s, uint32_t x, uint32_t y)
{
	uint32_t v;

	memcpy(&v, s->mem + SCENE_TARGET + (y * ((s->w + 15) & ~15u) + x) * 4, 4);
	return v;
}

static inline unsigned int scene_channel(const struct scene *s, uint32_t x, uint32_t y,
					 unsigned int c)
{
	static const uint8_t shift[4] = { 16, 8, 0, 24 };

	return scene_pixel(s, x, y) >> shift[c] & 255;
}

#endif
