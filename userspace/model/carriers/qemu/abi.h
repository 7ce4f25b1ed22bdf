/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
/*
 * What QEMU's device and the model's shared library (build/libmodel.so) agree on.
 * It stands apart from model.h, so that a change there does not build QEMU again.
 */
#ifndef LIMN_QEMU_ABI_H
#define LIMN_QEMU_ABI_H

#include <stdbool.h>
#include <stdint.h>

#define LIMN_QEMU_ABI		1
#define LIMN_QEMU_MODEL		"limn_qemu_model"	/* the library's one symbol */
#define LIMN_QEMU_IRQS		32			/* of one device at most */

struct limn_qemu_config {
	const char *gpu;	/* as the model names it: "mali-400-mp2" */
	const char *fault;	/* as model_config.fault; NULL: sound hardware */
	bool strict;
	uint64_t seed;
	/* Memory as the device addresses it: bytes [dma, dma + size). */
	void *ram;
	uint64_t dma, size;
	void *ctx;
	void (*irq)(void *ctx, unsigned int line, bool level);
	void (*report)(void *ctx, const char *unit, const char *text);
};

struct model;

/* The calls are those of model.h. */
struct limn_qemu_model {
	unsigned int abi;	/* LIMN_QEMU_ABI */
	unsigned int (*window)(const char *gpu);	/* bytes; 0: no such GPU */
	/* NULL after the last. */
	const char *(*irq_name)(const char *gpu, unsigned int line);
	/* 0 or a negative errno. The strings must outlive the model. */
	int (*create)(const struct limn_qemu_config *config, struct model **model);
	void (*destroy)(struct model *model);
	uint32_t (*read32)(struct model *model, uint32_t offset);
	void (*write32)(struct model *model, uint32_t offset, uint32_t value);
	bool (*step)(struct model *model);
	bool (*polls)(const struct model *model);
	void (*set_clocks)(struct model *model, bool bus, bool core);
	void (*set_reset)(struct model *model, bool asserted);
};

#endif
