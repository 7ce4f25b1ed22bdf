// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ended jobs hold, and when they give it back.
 */

/**
 * DOC: ended jobs
 *
 * Ended direct jobs are freed by a worker (&limn_device.retire_work), many at a time:
 * waking it for each would cost more than what it does, and it would run before the
 * one who waits for the fence. Who needs what they hold calls limn_sched_reap() or
 * limn_sched_hurry().
 *
 * A job whose pipe could not be reset keeps all that it holds (&limn_pipe.wild): the
 * hardware may have stopped in the middle, for want of a clock, and go on later.
 */
#include <drm/drm_drv.h>

#include "limn_sched.h"

/* What ended jobs hold goes now, and not a moment later. Does not wait, for reclaim. */
void limn_sched_retire_now(struct limn_device *ldev)
{
	if (!llist_empty(&ldev->retired))
		mod_delayed_work(ldev->sched_wq, &ldev->retire_work, 0);
}

/* Of each job whose fence has signalled, all is known now. */
void limn_sched_settle(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		spin_lock_irq(&ldev->pipe[i]->lock);
		spin_unlock_irq(&ldev->pipe[i]->lock);
	}
}

/* May the hardware still be at its memory? Then it goes to those that are kept. */
static bool limn_job_keep(struct limn_job *job)
{
	struct limn_pipe *pipe = job->pipe;
	bool keep;

	if (!job->kept)
		return false;
	/*
	 * limn_pipe_set_wild() finds it in the list, or this finds the pipe tame. When the device
	 * goes, its clocks do next: there is nothing more to wait for.
	 */
	spin_lock_irq(&pipe->lock);
	keep = pipe->wild && !READ_ONCE(pipe->ldev->gone);
	if (keep)
		llist_add(&job->retired, &pipe->ldev->kept);
	spin_unlock_irq(&pipe->lock);
	return keep;
}

static void limn_retire_list(struct llist_node *list)
{
	struct limn_job *job, *next;

	llist_for_each_entry_safe(job, next, llist_reverse_order(list), retired) {
		struct limn_pipe *pipe = job->pipe;

		if (limn_job_keep(job))
			continue;
		limn_job_release(job);
		if (atomic_dec_and_test(&pipe->jobs_left))
			wake_up(&pipe->idle);
		limn_job_discard(job);
	}
}

/* &limn_device.retire_work */
void limn_retire_work(struct work_struct *work)
{
	struct limn_device *ldev = container_of(work, struct limn_device, retire_work.work);
	struct llist_node *list, *kept;

	atomic_set(&ldev->num_retired, 0);
	list = llist_del_all(&ldev->retired);
	kept = llist_del_all(&ldev->kept);
	/* Who ends them may still be at it, with &limn_pipe.lock. */
	limn_sched_settle(ldev);
	limn_retire_list(kept);
	limn_retire_list(list);
}

/* Waits for the workers, so nobody may destroy their workqueues meanwhile. */
void limn_sched_flush(struct limn_device *ldev)
{
	unsigned int i;

	limn_sched_settle(ldev);
	for (i = 0; i < ldev->num_pipes; i++)
		flush_work(&ldev->pipe[i]->sched.work_free_job);
	flush_delayed_work(&ldev->retire_work);
}

/*
 * Jobs that are done give back what they hold: not later than now. Files may be open when the
 * device goes and its workqueues do; limn_unplug() sees to the jobs then.
 */
void limn_sched_reap(struct limn_device *ldev)
{
	int idx;

	if (drm_dev_enter(&ldev->drm, &idx)) {
		limn_sched_flush(ldev);
		drm_dev_exit(idx);
	}
}

/* The same for those that will be done, as soon as they are; until limn_sched_unhurry(). */
void limn_sched_hurry(struct limn_device *ldev)
{
	atomic_inc(&ldev->impatient);
	limn_sched_reap(ldev);
}

void limn_sched_unhurry(struct limn_device *ldev)
{
	atomic_dec(&ldev->impatient);
}
