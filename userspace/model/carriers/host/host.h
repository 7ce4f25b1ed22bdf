/* SPDX-License-Identifier: MIT */
/*
 * In-process carrier: the virtual GPU behind the verbs that the lima and the
 * etnaviv user ABI have (BO, VA, submit, wait), with no kernel in between.
 *
 * It plays the driver's part over the model's registers: page tables, cache and
 * TLB flushes, frame registers, interrupts, heap growth, recovery. It is not
 * driver code. One address space per device; single-threaded; a job runs
 * inside host_submit(). All VAs are 32 bits, page aligned, and not 0 unless the caller chooses that.
 */
#ifndef LIMN_HOST_H
#define LIMN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct host;

struct host_config {
	const char *gpu;	/* "mali-400-mp2", "gc2000" */
	bool strict;
	uint64_t seed;
	unsigned int threads;	/* as of struct model_config */
	uint64_t ram;		/* bytes of device memory, 0: 256 MiB */
	const uint32_t *lowest;	/* Utgard: address of the first BO, NULL: 1 MiB. Linux' lima has it at 0 */
	uint64_t timeout;	/* model steps a job may take, 0: 5 million */
	void *ctx;
	/* What strict mode and unknown words have to say; may be NULL. */
	void (*report)(void *ctx, const char *unit, const char *text);
	/* Utgard: at each interrupt of a job, and when its time is over: registers show what they will not after the reset. May be NULL. */
	void (*look)(void *ctx);
	/* As of struct model_carrier; gpu: as models are named. May be NULL. */
	void (*activity)(void *ctx, const char *gpu, const char *part, enum model_activity what, const char *text);
};

/* 0, -ENODEV: no such GPU, -ENOMEM. */
int host_create(const struct host_config *config, struct host **host);
void host_destroy(struct host *host);

/* As lima's GET_PARAM: product id (0x400, 0x450), number of PPs, version words. */
unsigned int host_gpu_id(const struct host *host);
unsigned int host_num_pp(const struct host *host);
uint32_t host_gp_version(const struct host *host);
uint32_t host_pp_version(const struct host *host);

/* BO. handle is never 0. A heap BO has size bytes of VA, and grows into them. */
#define HOST_BO_HEAP	1u
/* 0, -EINVAL: size 0 or above 512 MiB or unknown flags, -ENOMEM. */
int host_bo_create(struct host *host, uint32_t size, uint32_t flags, uint32_t *handle);
/* The same at a VA of the caller's choice, for replays; -ENOMEM: not free. */
int host_bo_create_at(struct host *host, uint32_t va, uint32_t size, uint32_t flags, uint32_t *handle);
/* -ENOENT for an unknown handle; so in all that follow. */
int host_bo_free(struct host *host, uint32_t handle);
/* va, the pointer through which the CPU sees the bytes, and the size that is backed. */
int host_bo_info(struct host *host, uint32_t handle, uint32_t *va, void **map, uint32_t *backed);

enum host_status {
	HOST_OK,
	HOST_FAULT,		/* page fault, bus error, invalid command, no room in the heap */
	HOST_TIMEOUT,
};

/*
 * One job; frame as in drm_lima_gp_frame.frame (6 words), or in
 * drm_lima_m400_pp_frame / drm_lima_m450_pp_frame (the struct, bytes as given
 * to the ioctl). Runs to its end; GP and PP jobs run in the order of calls.
 * 0 and *status, or -EINVAL: the frame's size, its number of PPs or an order
 * of addresses is wrong for this GPU and pipe, as in lima's ioctl.
 */
#define HOST_PIPE_GP	0u
#define HOST_PIPE_PP	1u
int host_submit(struct host *host, uint32_t pipe, const void *frame, uint32_t frame_size,
		enum host_status *status);

/* --- Vivante ------------------------------------------------------------ */

/* What a core is, as drivers tell clients (etnaviv's GET_PARAM); core: 0 but on GPUs of several. */
struct host_identity {
	uint32_t model, revision, product_id, customer_id, eco_id;
	uint32_t features[13];	/* chipFeatures, chipMinorFeatures0 .. 11 */
	uint32_t stream_count, register_max, thread_count, shader_core_count, vertex_cache_size;
	uint32_t vertex_output_buffer_size, pixel_pipes, instruction_count, num_constants, num_varyings, buffer_size;
	bool mmu_v2;
};

/* 0, -ENOENT: no such core, -EINVAL: another family. */
int host_identity(struct host *host, unsigned int core, struct host_identity *identity);

/*
 * Runs a command stream to its end, and flushes the caches. words: count of
 * them, from a whole command to a whole command, with addresses as
 * host_bo_info() gives them; no jump at its end. 0 and *status, or -EINVAL:
 * another family, no core with that pipe, an odd count, or too long.
 */
#define HOST_PIPE_3D	0u
#define HOST_PIPE_2D	1u
int host_submit_stream(struct host *host, uint32_t pipe, const uint32_t *words, uint32_t count,
		       enum host_status *status);

/* One line that says why the last job did not end well; "" otherwise. */
const char *host_error(const struct host *host);

struct model *host_model(struct host *host);

#endif
