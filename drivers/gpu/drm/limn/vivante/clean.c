// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands between two clients, where FE fetches them: see "DOC: clean contexts".
 */
#include <kunit/visibility.h>
#include <linux/dma-mapping.h>
#include <linux/sizes.h>

#include "validate/vivante_clean.h"
#include "vivante.h"

int vivante_halti(const struct vivante_identity *id)
{
	if (VIVANTE_MINOR(id, 5, HALTI5))
		return 5;
	if (VIVANTE_MINOR(id, 5, HALTI4))
		return 4;
	if (VIVANTE_MINOR(id, 5, HALTI3))
		return 3;
	if (VIVANTE_MINOR(id, 4, HALTI2))
		return 2;
	if (VIVANTE_MINOR(id, 2, HALTI1))
		return 1;
	return VIVANTE_MINOR(id, 1, HALTI0) ? 0 : -1;
}

static unsigned int vivante_clean_has(const struct vivante_identity *id)
{
	return (id->pixel_pipes > 1 ? VIVANTE_HAS_PIPES : 0) |
	       (id->stream_count > 1 ? VIVANTE_HAS_STREAMS : 0) |
	       (VIVANTE_MINOR(id, 5, BLT_ENGINE) ? VIVANTE_HAS_BLT : VIVANTE_HAS_RS) |
	       (VIVANTE_MINOR(id, 3, INSTRUCTION_CACHE) ? VIVANTE_HAS_ICACHE : 0) |
	       (VIVANTE_MINOR(id, 6, HWTFB) ? VIVANTE_HAS_TFB : 0) |
	       (VIVANTE_FEATURE(id, YUV420_TILER) ? VIVANTE_HAS_YUV : 0) |
	       (VIVANTE_MINOR(id, 7, BIT_ROBUSTNESS) ? VIVANTE_HAS_ROBUST : 0) |
	       (VIVANTE_MINOR(id, 2, 2D_MULTI_SOURCE_BLIT) ? VIVANTE_HAS_MULTI : 0) |
	       (limn_conservative ? VIVANTE_STEER : 0) |
	       (VIVANTE_MINOR(id, 3, 2D_MULTI_SOURCE_BLT_EX) ? VIVANTE_HAS_MULTI_EX : 0);
}

static struct vivante_clean vivante_clean_of(const struct vivante_core *core, u32 pipe)
{
	const struct vivante_identity *id = &core->id;

	return (struct vivante_clean){
		.pipe_2d = pipe == PIPE_ID_PIPE_2D,
		.halti = vivante_halti(id),
		.model = id->model,
		.has = vivante_clean_has(id),
		.pixel_pipes = id->pixel_pipes,
		.constants = id->num_constants,
		.instructions = id->instruction_count,
		.address = core->viv->mmu->nobodys_page,
	};
}

/* &vivante_cleaner.va is set by &vivante_mmu_ops.init. */
int vivante_cleaner_init(struct vivante_core *core)
{
	struct vivante_cleaner *cleaner = &core->cleaner;
	struct vivante_clean clean;
	u32 pipe, words = 0, *at;

	for (pipe = 0; pipe < VIVANTE_CLEAN_PIPES; pipe++) {
		cleaner->words[pipe] = 0;
		if (!vivante_has_pipe(core, pipe))
			continue;
		clean = vivante_clean_of(core, pipe);
		cleaner->words[pipe] = vivante_clean_write(&clean, NULL);
		words += cleaner->words[pipe] + 2;
	}
	cleaner->size = ALIGN(words * sizeof(u32), SZ_4K);
	/* The size follows from what the core says of itself, which may be anything. */
	if (cleaner->size > VIVANTE_CLEAN_SIZE) {
		dev_err(core->dev, "%u bytes of states to clean: no such core\n", cleaner->size);
		return -ENODEV;
	}
	cleaner->cpu = vivante_alloc_commands(core->viv, cleaner->size, &cleaner->dma);
	if (!cleaner->cpu)
		return -ENOMEM;
	at = cleaner->cpu;
	for (pipe = 0; pipe < VIVANTE_CLEAN_PIPES; pipe++) {
		if (!cleaner->words[pipe])
			continue;
		clean = vivante_clean_of(core, pipe);
		cleaner->commands[pipe] = at;
		at += vivante_clean_write(&clean, at) + 2;
	}
	dma_sync_single_for_device(core->viv->base.dev, cleaner->dma, cleaner->size, DMA_TO_DEVICE);
	return 0;
}

/* FE is to see the LINK that was written behind the commands. */
void vivante_cleaner_sync(struct vivante_core *core, const u32 *link)
{
	const struct vivante_cleaner *cleaner = &core->cleaner;

	dma_sync_single_for_device(core->viv->base.dev,
				   cleaner->dma + (link - cleaner->cpu) * sizeof(*link),
				   2 * sizeof(*link), DMA_TO_DEVICE);
}

/**
 * vivante_cleaner_use - are states to be cleaned before this job?
 * @core: the core, whose last job has ended: FE is behind that one's stream
 * @vj: the next job
 *
 * Return: the commands to go through, which have room for a LINK behind their
 * &vivante_cleaner.words; NULL: the states are of the job's own client.
 */
u32 *vivante_cleaner_use(struct vivante_core *core, const struct vivante_job *vj)
{
	const struct vivante_cleaner *cleaner = &core->cleaner;
	u32 pipe = vj->exec_state;

	if (pipe >= VIVANTE_CLEAN_PIPES || !cleaner->words[pipe] || core->owner[pipe] == vj->client)
		return NULL;
	core->owner[pipe] = vj->client;
	return cleaner->commands[pipe];
}
EXPORT_SYMBOL_IF_KUNIT(vivante_cleaner_use);
