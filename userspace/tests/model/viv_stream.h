/* SPDX-License-Identifier: MIT */
/* A host device with two BOs and a stream, for tests of the Vivante model. */
#ifndef LIMN_TESTS_VIV_STREAM_H
#define LIMN_TESTS_VIV_STREAM_H

#include <limn/vivante/cmdstream.h>
#include <limn/vivante/hw_regs.h>

#include "model/carriers/host/host.h"
#include "model/vivante/tiling.h"
#include "tests/unit.h"

#define ENV_BO	(256u << 10)

/* The Vivante GPUs of the model's table that are one core, by number; NULL ends. */
static inline const char *chip_at(unsigned int n)
{
	for (unsigned int i = 0; model_gpu_at(i); i++)
		if (!strcmp(model_gpu_at(i)->compatible, "vivante,gc") && model_gpu_at(i)->devices == 1 && !n--)
			return model_gpu_at(i)->name;
	return NULL;
}

struct env {
	struct host *host;
	struct host_identity id;
	uint32_t va[2];
	uint8_t *map[2];
	uint32_t word[16384];
	unsigned int n, ran;	/* words put, and those of the last run() */
	uint32_t rs_config;
	unsigned int reports;
	char last[256];
	bool expect_reports;
	uint32_t clock;		/* HI_CLOCK_CONTROL, where a test has changed it */
};

static inline void on_report(void *ctx, const char *unit, const char *text)
{
	struct env *e = ctx;

	e->reports++;
	snprintf(e->last, sizeof(e->last), "%s: %s", unit, text);
	if (!e->expect_reports)
		print_error("unexpected report: %s\n", e->last);
}

/* Of nothing too: what is open is closed before the next, and behind a test. */
static inline void env_close(struct env *e)
{
	assert_true(e->expect_reports || !e->reports);
	if (e->host)
		host_destroy(e->host);
	memset(e, 0, sizeof(*e));
}

/* What the tests have, closed behind each of them. */
static struct env e;

static inline int end(void **state)
{
	env_close(&e);
	return 0;
}

static inline void env_open_as(struct env *e, const char *gpu, bool strict, uint64_t seed)
{
	struct host_config config = { .gpu = gpu, .strict = strict, .seed = seed, .ram = 32 << 20, .timeout = 200000, .ctx = e,
				      .report = on_report };

	env_close(e);
	assert_int_equal(host_create(&config, &e->host), 0);
	assert_int_equal(host_identity(e->host, 0, &e->id), 0);
	for (unsigned int i = 0; i < 2; i++) {
		uint32_t handle, backed;
		void *map;

		assert_int_equal(host_bo_create(e->host, ENV_BO, 0, &handle), 0);
		assert_int_equal(host_bo_info(e->host, handle, &e->va[i], &map, &backed), 0);
		e->map[i] = map;
	}
}

static inline void env_open(struct env *e, const char *gpu)
{
	env_open_as(e, gpu, true, 1);
}

static inline void put(struct env *e, uint32_t a, uint32_t b)
{
	e->word[e->n++] = a;
	e->word[e->n++] = b;
}

static inline void set(struct env *e, uint32_t address, uint32_t val)
{
	put(e, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
		    VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, address / 4), val);
}

/* Runs what has been put, and starts anew. */
static inline enum host_status run(struct env *e, uint32_t pipe)
{
	enum host_status status;

	assert_int_equal(host_submit_stream(e->host, pipe, e->word, e->n, &status), 0);
	e->ran = e->n;
	e->n = 0;
	return status;
}

/* Source or destination of RS: bo, bytes of a row of pixels, layout. */
static inline void rs_surface(struct env *e, bool dest, unsigned int bo, uint32_t stride, unsigned int layout,
			      unsigned int format)
{
	uint32_t word = layout ? stride * 4 : stride;

	word |= layout & VIV_LAYOUT_SUPER ? VIVS_RS_SOURCE_STRIDE_TILING : 0;
	word |= layout & VIV_LAYOUT_MULTI ? VIVS_RS_SOURCE_STRIDE_MULTI : 0;
	set(e, dest ? VIVS_RS_DEST_STRIDE : VIVS_RS_SOURCE_STRIDE, word);
	if (!dest)
		e->rs_config = 0;
	e->rs_config |= dest ? VIV_SET(VIVS_RS_CONFIG_DEST_FORMAT, format) :
			       VIV_SET(VIVS_RS_CONFIG_SOURCE_FORMAT, format);
	if (layout)
		e->rs_config |= dest ? VIVS_RS_CONFIG_DEST_TILED : VIVS_RS_CONFIG_SOURCE_TILED;
	if (e->id.pixel_pipes == 1) {
		set(e, dest ? VIVS_RS_DEST_ADDR : VIVS_RS_SOURCE_ADDR, e->va[bo]);
		return;
	}
	for (unsigned int i = 0; i < 2; i++)
		set(e, dest ? VIV_AT(VIVS_RS_PIPE_DEST_ADDR, i) : VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, i),
		    e->va[bo] + (layout & VIV_LAYOUT_MULTI ? i * ENV_BO / 2 : 0));
}

/* A window from (0, 0) on, on both pipes where there are two. */
static inline void rs_kick(struct env *e, uint32_t width, uint32_t height)
{
	bool two = e->id.pixel_pipes > 1 && height % 8 == 0;

	set(e, VIVS_RS_CONFIG, e->rs_config);
	set(e, VIVS_RS_WINDOW_SIZE, VIV_SET(VIVS_RS_WINDOW_SIZE_WIDTH, width) |
				    VIV_SET(VIVS_RS_WINDOW_SIZE_HEIGHT, two ? height / 2 : height));
	if (e->id.pixel_pipes > 1) {
		set(e, VIVS_RS_PIPE_OFFSET, 0);
		set(e, VIV_AT(VIVS_RS_PIPE_OFFSET, 1), two ? VIV_SET(VIVS_RS_PIPE_OFFSET_Y, height / 2) : 0);
	}
	set(e, VIVS_RS_DITHER, ~0u);
	set(e, VIV_AT(VIVS_RS_DITHER, 1), ~0u);
	set(e, VIVS_RS_KICKER, 0xbeebbeeb);
}

#endif
