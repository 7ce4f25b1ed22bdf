/* SPDX-License-Identifier: MIT */
/*
 * What tests of every user ABI need: a render node, ioctls, fences, time. Verbs
 * that start with "try" return 0 or a negative errno; the others fail the subtest.
 */
#ifndef GPU_LIB_H
#define GPU_LIB_H

#include <stdbool.h>
#include <stdint.h>

#include "igt_syncobj.h"
#include "sw_sync.h"

#define SEC_NS		1000000000ll
#define PAGE_BYTES	4096u
#define GPU_HOLE	0x7f000000u	/* an address that no BO of a test has */

/* --- Device ----------------------------------------------------------- */

/*
 * A new file on the first render node that speaks the ABI of that name ("lima",
 * "etnaviv"; NULL: any of them); -1 when there is none.
 */
int gpu_try_open(const char *abi);
/* Skips without one. */
int gpu_open(const char *abi);
/* A file on the primary node of the same device: what has names (FLINK) is not for render nodes. */
int gpu_open_primary(int render);
/* A file on vgem, another device to share memory and fences with; skips without it. */
int vgem_open(void);
/* Puts an open fence on a BO of it, as a writer; returns its name. It gives up after 10 s. */
uint32_t vgem_fence_attach(int vgem, uint32_t handle);
void vgem_fence_signal(int vgem, uint32_t fence);
/* The module behind the node that was opened last: "lima", "etnaviv" or "limn". */
const char *gpu_module(void);
bool gpu_is_limn(void);
/* How long a job may run, ms (the driver's module parameter, or lima's default). */
unsigned int gpu_timeout_ms(void);

/* An ioctl through igt_ioctl (restarted when a signal interrupts it): 0 or -errno. */
int gpu_try(int fd, unsigned long request, void *arg);
/* The same without the restart. */
int gpu_try_once(int fd, unsigned long request, void *arg);

/* --- Buffers and clients ---------------------------------------------- */

struct gpu_bo {
	int fd;
	uint32_t handle, size, va;
	uint32_t *map;		/* NULL when the CPU cannot map it */
};

void gpu_bo_free(struct gpu_bo *bo);

struct gpu_family;

/* A file with a context and memory for small jobs: see lima_jobs.h and limn_gpu.h. */
struct gpu_client {
	int fd;
	uint32_t ctx;
	const struct gpu_family *family;	/* NULL: made by the lima ABI */
	uint32_t num_pp;	/* Utgard */
	bool m450;
	struct gpu_bo lists;	/* all command lists and polygon lists; none on Vivante */
	struct gpu_bo target;	/* what jobs write */
};

/* --- Fences ----------------------------------------------------------- */

/* Monotonic clock, ns, relative_ns from now. */
int64_t gpu_time(int64_t relative_ns);
/* 1 signalled well, 0 not yet, a negative errno when the job failed. */
int gpu_fence_status(int fd, uint32_t syncobj);
/*
 * Waits for the end of the job, destroys the syncobj. Returns 0 or the job's
 * error; fails the subtest when the fence is still open after wait_ms (0: two
 * and a half job timeouts, four times that on Vivante, where a hang takes up to four).
 */
int gpu_fence_end(int fd, uint32_t syncobj, unsigned int wait_ms);
/* Waits may take that many job timeouts from now on: for tests whose clients queue up hangs. */
void gpu_be_patient(unsigned int timeouts);
/* What gpu_fence_end() waits at most, ms. */
unsigned int gpu_patience_ms(void);

/* A fence of no GPU in a syncobj: holds jobs back until it is released. */
struct gpu_gate {
	int device;		/* sw_sync's timeline or, where the kernel has none, vgem's file */
	int file;		/* the fence as a sync file */
	uint32_t vgem_fence;	/* vgem's name of it; 0: sw_sync's */
	uint32_t syncobj;
};

/* Skips on a kernel with neither sw_sync nor vgem. fd: -1: only the sync file, as for mainline etnaviv. */
struct gpu_gate gpu_gate_new(int fd);
void gpu_gate_open(const struct gpu_gate *gate);
/* fd: -1 when there is no syncobj, or it went with its file. */
void gpu_gate_free(int fd, struct gpu_gate *gate);

#endif
