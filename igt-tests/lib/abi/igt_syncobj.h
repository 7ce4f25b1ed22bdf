/* SPDX-License-Identifier: MIT */
/* Sync objects: this part of libigt's ABI; see igt.h. */
#ifndef LIMN_IGT_SYNCOBJ_H
#define LIMN_IGT_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

uint32_t syncobj_create(int fd, uint32_t flags);
void syncobj_destroy(int fd, uint32_t handle);
int syncobj_handle_to_fd(int fd, uint32_t handle, uint32_t flags);
uint32_t syncobj_fd_to_handle(int fd, int syncobj_fd, uint32_t flags);
void syncobj_import_sync_file(int fd, uint32_t handle, int sync_file);
bool syncobj_wait(int fd, uint32_t *handles, uint32_t count, uint64_t abs_timeout_nsec,
		  uint32_t flags, uint32_t *first_signaled);
int syncobj_wait_err(int fd, uint32_t *handles, uint32_t count, uint64_t abs_timeout_nsec,
		     uint32_t flags);
void syncobj_reset(int fd, uint32_t *handles, uint32_t count);
void syncobj_signal(int fd, uint32_t *handles, uint32_t count);

#endif
