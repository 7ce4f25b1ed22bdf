// SPDX-License-Identifier: MIT
/* The jobs of etna_lib.h as SUBMIT takes them: with addresses in their places. */
#include "etna_lib.h"
#include "igt.h"
#include "limn_bo.h"
#include "limn_gpu.h"

#include <limn/dump.h>
#include <limn/vivante/cmdstream.h>

#define ROWS		8u	/* of the smallest fill: two pixel pipes, with four each */
#define ROW_BYTES	256u
#define SLOTS		64u	/* that limn_store() has in a target */
#define LONG_FILLS	90	/* BLT: ten words each, of LIMN_JOB_WORDS */

static void init(struct gpu_client *c)
{
	c->ctx = 0;	/* the one that the etnaviv ABI does not know it has */
	c->target = limn_bo_new(c->fd, SLOTS * ROWS * ROW_BYTES, 0, 0);
}

static uint32_t queue(const struct gpu_client *c, int side)
{
	return side ? limn_param(c->fd, DRM_LIMN_PARAM_NUM_QUEUES) - 1 : 0;
}

static bool can_fault(const struct gpu_client *c)
{
	return etna_has_softpin(c->fd);	/* so each client has its own page table */
}

static uint32_t word(uint32_t index)
{
	return index * ROWS * ROW_BYTES / 4;
}

/* The stream with its relocations put in. */
static void from_etna(const struct gpu_client *c, struct limn_job *job, const struct etna_job *etna,
		      uint32_t va)
{
	igt_assert(etna->num_words <= LIMN_JOB_WORDS);
	memcpy(job->words, etna->words, etna->num_words * 4);
	for (uint32_t i = 0; i < etna->num_relocs; i++)
		job->words[etna->relocs[i].submit_offset / 4] = va + etna->relocs[i].reloc_offset;
	job->size = etna->num_words * 4;
	job->exec_state = etna->exec_state;
}

static struct etna_job *stream(const struct limn_job *job)
{
	static struct etna_job etna;

	etna_job_init(&etna);
	etna.pipe = job->queue;
	return &etna;
}

static void fill(struct gpu_client *c, struct limn_job *job, uint32_t offset, uint32_t rows, uint32_t value,
		 uint32_t times, uint32_t va)
{
	const struct etna_bo bo = { .handle = c->target.handle, .size = c->target.size };
	struct etna_job *etna = stream(job);

	etna_job_fill_rows(c->fd, etna, &bo, offset, rows, value);
	for (uint32_t i = 1; i < times; i++)
		etna_job_fill_again(c->fd, etna);
	from_etna(c, job, etna, va);
	limn_job_use(job, &c->target, LIMN_WRITE);
}

static void store(struct gpu_client *c, struct limn_job *job, uint32_t index, uint32_t value, bool slow)
{
	fill(c, job, word(index) * 4, ROWS, value, slow ? LONG_FILLS : 1, c->target.va);
}

static void clear(struct gpu_client *c, struct limn_job *job, uint32_t value)
{
	fill(c, job, 0, LIMN_PICTURE, value, 1, c->target.va);
}

/* FE waits for a semaphore that nobody raises. */
static void endless(struct gpu_client *c, struct limn_job *job, int side)
{
	struct etna_job *etna = stream(job);

	if (!(etna_param(c->fd, job->queue, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		etna->exec_state = ETNA_PIPE_2D;
	etna_job_hang(etna);
	from_etna(c, job, etna, 0);
	limn_job_use(job, &c->target, LIMN_WRITE);
}

static void endless_shader(struct gpu_client *c, struct limn_job *job)
{
	endless(c, job, 1);
}

static void unmapped(struct gpu_client *c, struct limn_job *job, int side)
{
	igt_assert(c->target.va + c->target.size < GPU_HOLE);
	fill(c, job, 0, ROWS, 0xbad, 1, GPU_HOLE);
}

static int wait_bo(int fd, uint32_t handle, bool write, int64_t timeout_ns)
{
	struct drm_etnaviv_gem_cpu_fini fini = { .handle = handle };
	uint32_t op = write ? ETNA_PREP_WRITE : ETNA_PREP_READ;
	int ret;

	ret = etna_try_prep(fd, handle, op | (timeout_ns ? 0 : ETNA_PREP_NOSYNC), timeout_ns / 1000000);
	return ret ?: gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini);
}

const struct gpu_family gpu_vivante = {
	.name = "vivante",
	.dump_family = LIMN_DUMP_VIVANTE,
	.init = init,
	.queue = queue,
	.can_fault = can_fault,
	.word = word,
	.store = store,
	.clear = clear,
	.endless = endless,
	.endless_shader = endless_shader,
	.unmapped = unmapped,
	.wait = wait_bo,
};
