// SPDX-License-Identifier: MIT
/* The model as the shared library that QEMU's device loads: see abi.h. */
#include <stddef.h>
#include "model/carriers/qemu/abi.h"
#include "model/model.h"

static unsigned int window(const char *name)
{
	const struct model_gpu *gpu = model_gpu_find(name);

	return gpu ? gpu->window : 0;
}

static const char *irq_name(const char *name, unsigned int line)
{
	const struct model_gpu *gpu = model_gpu_find(name);

	return gpu && line < MODEL_MAX_IRQS ? gpu->irq[line] : NULL;
}

static int create(const struct limn_qemu_config *config, struct model **model)
{
	const struct model_config c = {
		.gpu = config->gpu,
		.strict = config->strict,
		.seed = config->seed,
		.fault = config->fault,
		.ram = { .base = config->ram, .dma = config->dma, .size = config->size },
		.carrier = { .ctx = config->ctx, .irq = config->irq, .report = config->report },
	};

	return model_create(&c, model);
}

extern const struct limn_qemu_model limn_qemu_model;
const struct limn_qemu_model limn_qemu_model = {
	.abi = LIMN_QEMU_ABI,
	.window = window,
	.irq_name = irq_name,
	.create = create,
	.destroy = model_destroy,
	.read32 = model_read32,
	.write32 = model_write32,
	.step = model_step,
	.polls = model_polls,
	.set_clocks = model_set_clocks,
	.set_reset = model_set_reset,
};
