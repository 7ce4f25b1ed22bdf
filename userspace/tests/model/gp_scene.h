/* SPDX-License-Identifier: MIT */
/*
 * GP jobs made by hand: a host device with one BO, whose parts the test places, and
 * a tile heap. Both lists grow by vs() and plbu(), and start anew by gp_lists().
 */
#ifndef LIMN_TESTS_GP_SCENE_H
#define LIMN_TESTS_GP_SCENE_H

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>

#include "model/carriers/host/host.h"
#include "tests/sim/shader.h"

struct env {
	struct host *host;
	unsigned int reports;
	char last[256];
	uint32_t va, size, heap, handle, heap_handle;
	uint8_t *map;
	uint32_t vs_list, plbu_list;	/* offsets in the BO */
	uint32_t vs_words, plbu_words;
	struct {
		uint32_t status, raw, bus_error, mmu_status, mmu_raw, mmu_address, bounds[2];
	} seen;				/* of the last job, before it was reset */
};

static inline void on_report(void *ctx, const char *unit, const char *text)
{
	struct env *e = ctx;

	e->reports++;
	snprintf(e->last, sizeof(e->last), "%s: %s", unit, text);
}

static inline void on_look(void *ctx)
{
	struct env *e = ctx;
	struct model *m = host_model(e->host);

	e->seen.status = model_read32(m, GP_STATUS);
	e->seen.raw = model_read32(m, GP_INT_RAWSTAT);
	e->seen.bus_error = model_read32(m, GP_BUS_ERROR_STAT);
	e->seen.bounds[0] = model_read32(m, GP_WRITE_BOUND_LOW);
	e->seen.bounds[1] = model_read32(m, GP_WRITE_BOUND_HIGH);
	e->seen.mmu_status = model_read32(m, UTGARD_GPMMU_OFFSET + MMU_STATUS);
	e->seen.mmu_raw = model_read32(m, UTGARD_GPMMU_OFFSET + MMU_INT_RAWSTAT);
	e->seen.mmu_address = model_read32(m, UTGARD_GPMMU_OFFSET + MMU_PAGE_FAULT_ADDR);
}

/* Of nothing too: what is open is closed before the next, and behind a test. */
static inline void stop(struct env *e)
{
	if (e->host)
		host_destroy(e->host);
	memset(e, 0, sizeof(*e));
}

/* What the tests have, closed behind each of them. */
static struct env e;

static inline int end(void **state)
{
	stop(&e);
	return 0;
}

static inline void gp_open(struct env *e, bool strict, unsigned int timeout, uint32_t size, uint32_t heap_size)
{
	struct host_config config = { .gpu = "mali-400-mp1", .strict = strict, .seed = 3, .ctx = e,
				      .report = on_report, .look = on_look, .timeout = timeout };
	uint32_t backed;
	void *map;

	stop(e);
	assert_int_equal(host_create(&config, &e->host), 0);
	assert_int_equal(host_bo_create(e->host, heap_size, HOST_BO_HEAP, &e->heap_handle), 0);
	assert_int_equal(host_bo_info(e->host, e->heap_handle, &e->heap, &map, &backed), 0);
	assert_int_equal(host_bo_create(e->host, size, 0, &e->handle), 0);
	assert_int_equal(host_bo_info(e->host, e->handle, &e->va, &map, &backed), 0);
	e->map = map;
	e->size = size;
}

static inline void gp_lists(struct env *e, uint32_t vs_list, uint32_t plbu_list)
{
	e->vs_list = vs_list;
	e->plbu_list = plbu_list;
	e->vs_words = e->plbu_words = 0;
}

static inline void vs(struct env *e, uint32_t w0, uint32_t w1)
{
	uint32_t *list = (uint32_t *)(e->map + e->vs_list);

	list[e->vs_words++] = w0;
	list[e->vs_words++] = w1;
}

static inline void plbu(struct env *e, uint32_t w0, uint32_t w1)
{
	uint32_t *list = (uint32_t *)(e->map + e->plbu_list);

	list[e->plbu_words++] = w0;
	list[e->plbu_words++] = w1;
}

static inline void vs_reg(struct env *e, uint32_t n, uint32_t val)
{
	vs(e, val, (uint32_t)GP_OP_REGISTER << GP_OP_SHIFT | n);
}

static inline void reg(struct env *e, uint32_t n, uint32_t val)
{
	plbu(e, val, (uint32_t)GP_OP_REGISTER << GP_OP_SHIFT | n);
}

static inline void regf(struct env *e, uint32_t n, float f)
{
	uint32_t val;

	memcpy(&val, &f, sizeof(val));
	reg(e, n, val);
}

/* Assembles text to an offset; the words. */
static inline uint32_t shader(struct env *e, const char *isa, const char *text, uint32_t offset)
{
	size_t count;
	uint32_t *words = assemble(isa, text, &count);

	memcpy(e->map + offset, words, 4 * count);
	free(words);
	return count;
}

static inline void gp_frame(const struct env *e, uint32_t frame[6])
{
	frame[0] = e->vs_words ? e->va + e->vs_list : 0;
	frame[1] = frame[0] + 4 * e->vs_words;
	frame[2] = e->va + e->plbu_list;
	frame[3] = frame[2] + 4 * e->plbu_words;
	frame[4] = e->heap;
	frame[5] = e->heap + 0x1000;
}

static inline enum host_status run(struct env *e)
{
	enum host_status status = HOST_TIMEOUT;
	uint32_t frame[6];

	gp_frame(e, frame);
	e->last[0] = 0;
	assert_int_equal(host_submit(e->host, HOST_PIPE_GP, frame, sizeof(frame), &status), 0);
	return status;
}

#endif
