/* SPDX-License-Identifier: MIT */
/* BOs of the extension ABI for tests. */
#ifndef LIMN_BO_H
#define LIMN_BO_H

#include "limn_gpu.h"

int limn_try_bo(int fd, struct drm_limn_bo_create *req);
/* A mapped BO with these DRM_LIMN_BO_* flags, at va if that is not 0. */
struct gpu_bo limn_bo_new(int fd, uint32_t size, uint32_t flags, uint64_t va);
struct drm_limn_bo_info limn_bo_info(int fd, uint32_t handle);
/* 1 retained, 0 gone, or a negative errno. */
int limn_try_madvise(int fd, uint32_t handle, uint32_t advice);
int limn_try_userptr(int fd, void *addr, uint64_t size, uint32_t flags, uint32_t *handle);

/* All that the kernel's shrinkers can give back at once. */
void limn_drop_slab(void);
/* Whether reading (or writing) this word raises SIGBUS. */
bool limn_sigbus(volatile uint32_t *word, bool write);

#endif
