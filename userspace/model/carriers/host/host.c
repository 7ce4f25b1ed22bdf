// SPDX-License-Identifier: MIT
/* Host carrier: the device, its registers and interrupts. What a driver does with them is the family's. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/carriers/host/host_priv.h"

#define DEFAULT_RAM	(256ull << 20)
#define DEFAULT_TIMEOUT	5000000ull
#define POLLS		1000

uint32_t host_read(struct host *h, uint32_t off)
{
	return model_read32(h->model, off);
}

void host_write(struct host *h, uint32_t off, uint32_t val)
{
	model_write32(h->model, off, val);
}

void host_complain(struct host *h, const char *fmt, ...)
{
	va_list args;

	if (h->error[0])
		return;
	va_start(args, fmt);
	vsnprintf(h->error, sizeof(h->error), fmt, args);
	va_end(args);
}

/* Waits for (register & mask) == want. */
bool host_poll(struct host *h, uint32_t off, uint32_t mask, uint32_t want)
{
	for (int i = 0; i < POLLS; i++) {
		if ((host_read(h, off) & mask) == want)
			return true;
	}
	host_complain(h, "register %05x stays at %08x, waited for %08x in %08x", off, host_read(h, off), want, mask);
	return false;
}

static bool any_irq(const struct host *h)
{
	for (unsigned int i = 0; i < MODEL_MAX_IRQS; i++) {
		if (h->irq[i])
			return true;
	}
	return false;
}

/* Lets the model work until a line is up; false: it did not come in time. */
bool host_wait_irq(struct host *h, uint64_t *steps)
{
	uint64_t timeout = h->config.timeout ? h->config.timeout : DEFAULT_TIMEOUT;

	/* At least one step: a pulse without cause ends by itself. */
	do {
		bool busy = model_step(h->model);

		if (!busy && !any_irq(h)) {
			host_complain(h, "the job hangs: the model waits for nothing that will come");
			return false;
		}
		if (++*steps > timeout) {
			host_complain(h, "the job is not done after %llu steps", (unsigned long long)timeout);
			return false;
		}
	} while (!any_irq(h));
	return true;
}

static void on_irq(void *ctx, unsigned int line, bool level)
{
	((struct host *)ctx)->irq[line] = level;
}

static void on_report(void *ctx, const char *unit, const char *text)
{
	struct host *h = ctx;

	if (h->config.report)
		h->config.report(h->config.ctx, unit, text);
}

static void on_activity(void *ctx, const char *part, enum model_activity what, const char *text)
{
	const struct host *h = ctx;

	h->config.activity(h->config.ctx, h->gpu->name, part, what, text);
}

int host_create(const struct host_config *config, struct host **host)
{
	const struct model_gpu *gpu = model_gpu_find(config->gpu);
	struct model_config mc = { .gpu = config->gpu, .strict = config->strict, .seed = config->seed, .threads = config->threads };
	struct host *h;
	int err;

	if (!gpu)
		return -ENODEV;
	h = calloc(1, sizeof(*h));
	if (!h)
		return -ENOMEM;
	h->config = *config;
	h->gpu = gpu;
	h->family = strcmp(gpu->compatible, "vivante,gc") ? &host_utgard : &host_vivante;
	h->ram_size = config->ram ? config->ram : DEFAULT_RAM;
	err = host_mem_init(h);
	if (!err) {
		mc.ram = (struct model_ram){ .base = h->ram, .dma = HOST_DMA, .size = h->ram_size };
		mc.carrier = (struct model_carrier){ h, on_irq, on_report, config->activity ? on_activity : NULL };
		err = model_create(&mc, &h->model);
	}
	if (err) {
		host_destroy(h);
		return err;
	}
	h->family->start(h);
	*host = h;
	return 0;
}

void host_destroy(struct host *h)
{
	if (!h)
		return;
	model_destroy(h->model);
	host_mem_fini(h);
	free(h);
}

const char *host_error(const struct host *h)
{
	return h->error;
}

struct model *host_model(struct host *h)
{
	return h->model;
}
