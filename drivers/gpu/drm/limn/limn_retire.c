// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ended jobs hold, and when they give it back.
 */

/**
 * DOC: retired jobs
 *
 * drm_sched's free_job() runs on the workqueue that starts jobs, so nothing there may wait. But
 * giving up a BO takes the reservation of whoever exported it (PRIME), folio locks (userptr)
 * and the locks of address spaces. So free_job() only queues the job on a workqueue that no
 * fence depends on, the module's limn-retire, and that gives back what the job holds.
 *
 * Whoever needs memory or addresses that ended jobs may hold calls limn_retire_flush().
 */
#include <linux/workqueue.h>

#include "limn_dump.h"
#include "limn_retire.h"
#include "limn_sched.h"

/* The module has one: a job that was killed in its queue may end when its device is gone. */
static struct workqueue_struct *limn_retire_wq;

int limn_retire_init(void)
{
	limn_retire_wq = alloc_workqueue("limn-retire", WQ_UNBOUND, 0);
	return limn_retire_wq ? 0 : -ENOMEM;
}

/* Each job holds the module, so the last is past its work function's last use of anything. */
void limn_retire_exit(void)
{
	destroy_workqueue(limn_retire_wq);
}

/* Keep a job whose memory a wild pipe may still access; any other is RETIRED, for good. */
static bool limn_job_keep(struct limn_job *job)
{
	struct limn_pipe *pipe = job->pipe;
	bool keep;

	spin_lock_irq(&pipe->lock);
	keep = pipe->wild && job->started;
	if (!keep)
		limn_job_set_state(job, LIMN_JOB_RETIRED);
	else if (job->state != LIMN_JOB_KEPT)
		limn_job_set_state(job, LIMN_JOB_KEPT);
	if (keep)
		list_add_tail(&job->link, &pipe->kept);
	spin_unlock_irq(&pipe->lock);
	return keep;
}

/* &limn_job.retire_work */
void limn_retire_work(struct work_struct *work)
{
	struct limn_job *job = container_of(work, struct limn_job, retire_work);
	struct limn_pipe *pipe = job->pipe;

	limn_dump_finish(job);
	if (limn_job_keep(job))
		return;
	limn_job_release(job);
	if (job->fence.seqno) {		/* drm_sched handed it over */
		spin_lock_irq(&pipe->lock);
		pipe->num_jobs--;
		spin_unlock_irq(&pipe->lock);
		wake_up(&pipe->idle);
	}
	limn_job_put(job);
}

/* Hand a job that drm_sched has freed to the retire workqueue. */
void limn_job_retire(struct limn_job *job)
{
	queue_work(limn_retire_wq, &job->retire_work);
}

/* Retire the jobs that were kept for a pipe which is not wild any more. */
void limn_retire_kept(struct limn_pipe *pipe)
{
	struct limn_job *job, *next;

	lockdep_assert_held(&pipe->lock);

	list_for_each_entry_safe(job, next, &pipe->kept, link) {
		list_del(&job->link);
		limn_job_retire(job);
	}
}

/* Has each job that is done been retired, but for those that are kept? */
static bool limn_pipe_is_flushed(struct limn_pipe *pipe)
{
	size_t alive;
	bool flushed;

	spin_lock_irq(&pipe->lock);
	alive = !!pipe->job + list_count_nodes(&pipe->staged) + list_count_nodes(&pipe->kept);
	flushed = alive == pipe->num_jobs;
	spin_unlock_irq(&pipe->lock);
	return flushed;
}

/*
 * Jobs that are done give back what they hold. Waits for jobs whose fences have signalled only, and
 * for a tenth of a second at most: new ones may get done all the time. The caller holds no lock
 * that a release might need; the device's workqueues may be gone.
 */
void limn_retire_flush(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		wait_event_timeout(pipe->idle, limn_pipe_is_flushed(pipe), HZ / 10);
	}
}
