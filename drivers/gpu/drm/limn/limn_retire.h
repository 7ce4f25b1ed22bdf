/* SPDX-License-Identifier: GPL-2.0-only */
/* What ended jobs hold, and when they give it back. */
#ifndef LIMN_RETIRE_H
#define LIMN_RETIRE_H

struct limn_device;
struct limn_job;
struct limn_pipe;
struct work_struct;

int limn_retire_init(void);
void limn_retire_exit(void);
void limn_job_retire(struct limn_job *job);
void limn_retire_work(struct work_struct *work);
void limn_retire_kept(struct limn_pipe *pipe);
void limn_retire_flush(struct limn_device *ldev);

#endif
