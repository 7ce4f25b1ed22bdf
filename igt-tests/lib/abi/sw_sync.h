/* SPDX-License-Identifier: MIT */
/* Software fences, sync files: this part of libigt's ABI; see igt.h. */
#ifndef LIMN_SW_SYNC_H
#define LIMN_SW_SYNC_H

#include <stdbool.h>
#include <stdint.h>

int sync_fence_status(int fence);
int sync_fence_wait(int fence, int timeout_ms);
int sw_sync_timeline_create(void);
int sw_sync_timeline_create_fence(int timeline, uint32_t seqno);
void sw_sync_timeline_inc(int timeline, uint32_t count);
void igt_require_sw_sync(void);

#endif
