/* SPDX-License-Identifier: GPL-2.0-only */
/* When the last jobs of a context were queued, started and done. */
#ifndef LIMN_STATS_H
#define LIMN_STATS_H

#include <linux/ktime.h>

struct limn_ctx;
struct limn_job;
struct limn_job_log;

int limn_stats_prepare(struct limn_ctx *ctx);
void limn_stats_fini(struct limn_ctx *ctx);
void limn_stats_queued(struct limn_job *job, u64 now);
void limn_stats_update(struct limn_job *job, ktime_t ended, int error);

#endif
