/* SPDX-License-Identifier: MIT */
/*
 * The etnaviv user ABI 1.4 for tests: thin verbs on a file descriptor. Those
 * that start with "try" return 0 or a negative errno; the others fail the
 * subtest.
 */
#ifndef ETNA_LIB_H
#define ETNA_LIB_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/etnaviv_drm.h>

#include "gpu_lib.h"
#include "gpu_sys.h"
#include "sw_sync.h"

#define ETNA_STREAM_WORDS	4096
#define ETNA_RELOCS		64
#define ETNA_BOS		16
#define ETNA_PMRS		8

/* --- Device ------------------------------------------------------------- */

/* A new file on the first render node that speaks the ABI; skips without one. */
int etna_open(void);
int etna_try_open(void);
/* The driver is limn. */
bool etna_is_limn(void);
uint64_t etna_param(int fd, uint32_t pipe, uint32_t param);
/* The MMU of pipe 0 keeps clients apart, and lets them choose addresses. */
bool etna_has_softpin(int fd);
/* Absolute time, ms from now. */
struct drm_etnaviv_timespec etna_time(unsigned int ms);
/* The name and the sysfs folder of the driver of the first core. */
const char *etna_core_name(void);
const char *etna_driver_dir(void);

/* --- Buffers ------------------------------------------------------------ */

struct etna_bo {
	int fd;
	uint32_t handle, size;
	uint32_t *map;
};

struct etna_bo etna_bo_new(int fd, uint32_t size);
void etna_bo_free(struct etna_bo *bo);
int etna_try_prep(int fd, uint32_t handle, uint32_t op, unsigned int ms);

/* --- Jobs --------------------------------------------------------------- */

/* A job as GEM_SUBMIT takes it: words, relocations, BOs. */
struct etna_job {
	uint32_t pipe, exec_state, flags;
	int fence_fd;
	uint32_t words[ETNA_STREAM_WORDS], num_words;
	struct drm_etnaviv_gem_submit_reloc relocs[ETNA_RELOCS];
	uint32_t num_relocs;
	struct drm_etnaviv_gem_submit_bo bos[ETNA_BOS];
	uint32_t num_bos;
	struct drm_etnaviv_gem_submit_pmr pmrs[ETNA_PMRS];
	uint32_t num_pmrs;
	uint32_t fill_rows;	/* of the last fill */
	uint32_t fence;		/* out */
};

void etna_job_init(struct etna_job *job);
/* The same for pipe 0 of the file's device, which may have no 3D pipe. */
void etna_job_new(int fd, struct etna_job *job);
/* A job that runs: it fills the BO, or does nothing where the core cannot. */
void etna_job_good(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t value);
/* Index of the BO in the job's list. */
uint32_t etna_job_use(struct etna_job *job, const struct etna_bo *bo, uint32_t flags);
void etna_put(struct etna_job *job, uint32_t header, uint32_t argument);
void etna_set(struct etna_job *job, uint32_t state, uint32_t value);
/* A state that is an address: of a BO of the list, plus offset. */
void etna_set_address(struct etna_job *job, uint32_t state, uint32_t bo, uint32_t offset);
/* The ioctl's argument for the job, to be spoiled by refusal tests. */
struct drm_etnaviv_gem_submit etna_job_args(struct etna_job *job);
int etna_try_submit(int fd, struct etna_job *job);
/* Submits with a fence file: 0 or the job's error, when it is over. */
int etna_run(int fd, struct etna_job *job);
/* The same in two steps; the first returns the file. */
int etna_start(int fd, struct etna_job *job);
int etna_end(int file);

/* Words 0 .. 511 of the BO become value, if the core has the resolver (RS). */
void etna_job_fill(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t value);
bool etna_can_fill(int fd);
/*
 * So many rows of 64 words, a multiple of 8, from offset on become value, by
 * what the job's core has: RS, BLT or the 2D engine (then exec_state is 2D's).
 */
void etna_job_fill_rows(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t offset,
			uint32_t rows, uint32_t value);
/* The last fill once more: as often as one likes, to take time. */
void etna_job_fill_again(int fd, struct etna_job *job);
/* FE waits for a semaphore that nobody raises. */
void etna_job_hang(struct etna_job *job);

#endif
