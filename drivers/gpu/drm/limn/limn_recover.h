/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens when a job does not simply finish. */
#ifndef LIMN_RECOVER_H
#define LIMN_RECOVER_H

#include <linux/types.h>

struct limn_device;
struct limn_job;
struct limn_pipe;
struct work_struct;

/* How often drm_sched looks at the job of a pipe: jobs end so much late at most. */
#define LIMN_TIMEOUT_STEP_MS	20

void limn_recover_event_work(struct work_struct *work);
void limn_recover_check_deadline(struct limn_pipe *pipe);
bool limn_recover_is_guilty(const struct limn_job *job, int error);
void limn_recover_fail(struct limn_pipe *pipe, int error);
void limn_recover_set_wild(struct limn_pipe *pipe, bool wild);
bool limn_recover_is_wild(struct limn_device *ldev);

#endif
