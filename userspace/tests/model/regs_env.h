/* SPDX-License-Identifier: MIT */
/* A model with 1 MiB of memory and no carrier, for tests of registers. */
#ifndef LIMN_TESTS_REGS_ENV_H
#define LIMN_TESTS_REGS_ENV_H

#include <limn/utgard/regs.h>

#include "model/model.h"
#include "tests/unit.h"

#define RAM		(1u << 20)
#define DMA		0x80000000u

struct env {
	struct model *model;
	uint8_t *ram;
	uint16_t mapped[RAM / 4096];	/* for DMA, as a carrier counts it */
	unsigned int reports;
	char first[256], last[256];
	bool irq[MODEL_MAX_IRQS];
};

static inline void on_irq(void *ctx, unsigned int line, bool level)
{
	((struct env *)ctx)->irq[line] = level;
}

static inline void on_report(void *ctx, const char *unit, const char *text)
{
	struct env *e = ctx;

	snprintf(e->last, sizeof(e->last), "%s: %s", unit, text);
	if (!e->reports++)
		memcpy(e->first, e->last, sizeof(e->first));
}

/* Of nothing too: what is open is closed before the next, and behind a test. */
static inline void stop(struct env *e)
{
	if (e->model)
		model_destroy(e->model);
	free(e->ram);
	memset(e, 0, sizeof(*e));
}

/* What the tests have, closed behind each of them. */
static struct env e;

static inline int end(void **state)
{
	stop(&e);
	return 0;
}

static inline void env_open(struct env *e, const char *gpu, bool strict, uint64_t seed)
{
	struct model_config config = { .gpu = gpu, .strict = strict, .seed = seed, .mapped = e->mapped };

	stop(e);
	e->ram = calloc(1, RAM);
	for (unsigned int i = 0; i < RAM / 4096; i++)
		e->mapped[i] = 1;
	config.ram = (struct model_ram){ e->ram, DMA, RAM };
	config.carrier = (struct model_carrier){ .ctx = e, .irq = on_irq, .report = on_report };
	assert_int_equal(model_create(&config, &e->model), 0);
}

static inline uint32_t rd(struct env *e, uint32_t off)
{
	return model_read32(e->model, off);
}

static inline void wr(struct env *e, uint32_t off, uint32_t val)
{
	model_write32(e->model, off, val);
}

/* As a driver polls: a few looks, no time in between but what the looks take. */
static inline void poll(struct env *e, uint32_t off, uint32_t mask, uint32_t want)
{
	for (int i = 0; i < 10; i++) {
		if ((rd(e, off) & mask) == want)
			return;
	}
	fail_msg("register %05x is %08x", off, rd(e, off));
}

#endif
