/* SPDX-License-Identifier: GPL-2.0-only */
/* Dumps of jobs that hung or failed; format: <limn/dump.h>. */
#ifndef LIMN_DUMP_CORE_H
#define LIMN_DUMP_CORE_H

#include <linux/types.h>
#include <limn/dump.h>

struct limn_dump;
struct limn_job;
struct limn_pipe;

void limn_dump_take(struct limn_pipe *pipe, int error, u64 fault_addr);
void limn_dump_finish(struct limn_job *job);

/* For &limn_pipe_ops.dump. */
void limn_dump_begin(struct limn_dump *d, u32 type, const char *name, u64 va, u64 arg, u32 flags,
		     u64 size);
void limn_dump_put(struct limn_dump *d, const void *data, size_t size);
void limn_dump_end(struct limn_dump *d);
void limn_dump_section(struct limn_dump *d, u32 type, const char *name, u64 va, u64 arg, u32 flags,
		       const void *data, size_t size);
void limn_dump_regs(struct limn_dump *d, const char *unit, const u32 *offsets, unsigned int n,
		    u32 (*read)(void *unit, u32 offset), void *arg);

#endif
