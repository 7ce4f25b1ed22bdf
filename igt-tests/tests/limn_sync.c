// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("SUBMIT's sync objects: binary, timelines, files; waits before signals; clients that die");

static struct gpu_client c = { .fd = -1 };
static struct limn_list l;

static void store(uint32_t index, uint32_t value)
{
	struct limn_job job = limn_store(&c, index, value);

	limn_list_init(&l, c.ctx);
	limn_list_add(&l, &job);
}

static bool still_waits(uint32_t fence)
{
	usleep(20000);
	return gpu_fence_status(c.fd, fence) == 0;
}

static uint64_t point_of(int fd, uint32_t syncobj)
{
	uint64_t point;

	igt_assert_eq(drmSyncobjQuery(fd, &syncobj, &point, 1), 0);
	return point;
}

static int wait_point(int fd, uint32_t syncobj, uint64_t point)
{
	return drmSyncobjTimelineWait(fd, &syncobj, &point, 1, gpu_time(gpu_patience_ms() * 1000000ll),
				      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
}

static int export_file(int fd, uint32_t syncobj)
{
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(fd, syncobj, &file), 0);
	return file;
}

static int file_status(int file)
{
	return sync_fence_status(file);
}

static void objects(void)
{
	igt_describe("A job waits for all of many syncobjs, in whatever order they come");
	igt_subtest("many-in") {
		struct gpu_gate gate[LIMN_LIST_SYNCS];
		uint32_t fence;

		store(0, 0x11);
		c.target.map[0] = 0;
		for (int i = 0; i < LIMN_LIST_SYNCS; i++) {
			gate[i] = gpu_gate_new(c.fd);
			limn_list_in(&l, 0, 0, gate[i].syncobj, 0);
		}
		fence = limn_list_fence(c.fd, &l);
		for (int i = 0; i < LIMN_LIST_SYNCS; i++) {
			igt_assert(still_waits(fence));
			igt_assert_eq_u32(c.target.map[0], 0);
			gpu_gate_open(&gate[(i * 3 + 1) % LIMN_LIST_SYNCS]);
		}
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x11);
		for (int i = 0; i < LIMN_LIST_SYNCS; i++)
			gpu_gate_free(c.fd, &gate[i]);
	}

	igt_describe("One job signals syncobjs, points and files, all of them when it has ended");
	igt_subtest("many-out") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		uint32_t binary = syncobj_create(c.fd, 0), timeline = syncobj_create(c.fd, 0);
		int files[2];

		store(0, 0x12);
		limn_list_in(&l, 0, 0, gate.syncobj, 0);
		limn_list_out(&l, 0, DRM_LIMN_SYNC_FD, ~0u, 0);
		limn_list_out(&l, 0, 0, binary, 0);
		limn_list_out(&l, 0, 0, timeline, 7);
		limn_list_out(&l, 0, DRM_LIMN_SYNC_FD, ~0u, 0);
		limn_submit_list(c.fd, &l);
		files[0] = l.out[0][0].handle;
		files[1] = l.out[0][3].handle;
		igt_assert(files[0] > 2 && files[1] > 2 && files[0] != files[1]);
		igt_assert_eq(fcntl(files[0], F_GETFD), FD_CLOEXEC);
		igt_assert_eq(file_status(files[0]), 0);
		igt_assert_eq(file_status(files[1]), 0);
		igt_assert_eq_u64(point_of(c.fd, timeline), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, binary, 0), 0);
		igt_assert_eq(wait_point(c.fd, timeline, 7), 0);
		igt_assert_eq_u64(point_of(c.fd, timeline), 7);
		igt_assert_eq(file_status(files[0]), 1);
		igt_assert_eq(file_status(files[1]), 1);
		close(files[0]);
		close(files[1]);
		syncobj_destroy(c.fd, timeline);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("Sync files in: of a job, of somebody else; they stay the caller's");
	igt_subtest("file-in") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		int file = export_file(c.fd, gate.syncobj);
		uint32_t first, second;

		store(0, 0x13);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_FD, file, 0);
		first = limn_list_fence(c.fd, &l);
		close(file);
		file = export_file(c.fd, first);
		store(0, 0x14);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_FD, file, 0);
		second = limn_list_fence(c.fd, &l);
		igt_assert_eq(file_status(file), 0);
		igt_assert(still_waits(second));
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(file_status(file), 1);
		igt_assert_eq_u32(c.target.map[0], 0x14);
		close(file);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A failed job's error arrives at every kind of its outs");
	igt_subtest("error-out") {
		struct limn_job job = limn_failing(&c, 1);
		uint32_t binary = syncobj_create(c.fd, 0);

		limn_list_init(&l, c.ctx);
		limn_list_add(&l, &job);
		limn_list_out(&l, 0, DRM_LIMN_SYNC_FD, 0, 0);
		limn_list_out(&l, 0, 0, binary, 0);
		limn_submit_list(c.fd, &l);
		igt_assert_eq(gpu_fence_end(c.fd, binary, 0), limn_fail_error(&c));
		igt_assert_eq(file_status(l.out[0][0].handle), limn_fail_error(&c));
		close(l.out[0][0].handle);
	}
}

static void timelines(void)
{
	igt_describe("A ladder over both queues: each job waits for the point that the one before signals");
	igt_subtest("timeline-ladder") {
		uint32_t timeline = syncobj_create(c.fd, 0);
		uint64_t point = 10;

		drmSyncobjTimelineSignal(c.fd, &timeline, &point, 1);
		for (uint32_t i = 0; i < 20; i++) {
			struct limn_job job = i & 1 ? limn_clear(&c, 40 + i) : limn_store(&c, 0, 40 + i);

			limn_list_init(&l, c.ctx);
			l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
			limn_list_add(&l, &job);
			limn_list_in(&l, 0, 0, timeline, 10 + i);
			limn_list_out(&l, 0, 0, timeline, 11 + i);
			limn_submit_list(c.fd, &l);
		}
		igt_assert_eq(wait_point(c.fd, timeline, 30), 0);
		igt_assert_eq_u64(point_of(c.fd, timeline), 30);
		igt_assert_eq_u32(c.target.map[0], 59);
		syncobj_destroy(c.fd, timeline);
	}

	igt_describe("A point below one that is there is there too; one above is not");
	igt_subtest("timeline-points") {
		uint32_t timeline = syncobj_create(c.fd, 0);

		store(0, 1);
		limn_list_out(&l, 0, 0, timeline, 5);
		limn_submit_list(c.fd, &l);
		for (uint64_t point = 1; point < 8; point++) {
			store(0, point);
			limn_list_in(&l, 0, 0, timeline, point);
			igt_assert_eq(limn_try_list(c.fd, &l), point <= 5 ? 0 : -EINVAL);
		}
		igt_assert_eq(wait_point(c.fd, timeline, 5), 0);
		limn_wait_idle(c.fd, c.target.handle);
		syncobj_destroy(c.fd, timeline);
	}

	igt_describe("The last point there can be");
	igt_subtest("timeline-last") {
		uint32_t timeline = syncobj_create(c.fd, 0);

		store(0, 2);
		limn_list_out(&l, 0, 0, timeline, UINT64_MAX);
		limn_submit_list(c.fd, &l);
		igt_assert_eq(wait_point(c.fd, timeline, UINT64_MAX), 0);
		syncobj_destroy(c.fd, timeline);
	}
}

/* A child that signals this after a while; what it does it does through its own file. */
#define child_signals(proc, timeline, point_, usecs) \
	igt_fork_helper(proc) { \
		uint64_t limn_point = (point_); \
		usleep(usecs); \
		if (limn_point) \
			drmSyncobjTimelineSignal(c.fd, &(timeline), &limn_point, 1); \
		else \
			syncobj_signal(c.fd, &(timeline), 1); \
	}

static void on_alarm(int sig)
{
}

/* An alarm every few milliseconds interrupts whatever this process sleeps in. */
static void alarms(bool on)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = { 0 };

	timer.it_value.tv_usec = timer.it_interval.tv_usec = on ? 5000 : 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void before_signal(void)
{
	igt_describe("Wait before signal: the ioctl sleeps until there is a fence, binary or point");
	igt_subtest("wait-for-submit")
		for (int timeline = 0; timeline < 2; timeline++) {
			struct igt_helper_process proc = { 0 };
			uint32_t syncobj = syncobj_create(c.fd, 0), fence;

			c.target.map[0] = 0;
			store(0, 0x51);
			limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, syncobj, timeline ? 4 : 0);
			child_signals(&proc, syncobj, timeline ? 4 : 0, 50000);
			fence = limn_list_fence(c.fd, &l);
			igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
			igt_assert_eq_u32(c.target.map[0], 0x51);
			igt_wait_helper(&proc);
			syncobj_destroy(c.fd, syncobj);
		}

	igt_describe("The fence that it waits for may be that of a job which another process submits later");
	igt_subtest("wait-for-job") {
		uint32_t timeline = syncobj_create(c.fd, 0), fence;
		int shared = syncobj_handle_to_fd(c.fd, timeline, 0);
		struct igt_helper_process proc = { 0 };

		igt_fork_helper(&proc) {
			struct gpu_client me = limn_client_new();
			uint32_t mine = syncobj_fd_to_handle(me.fd, shared, 0);
			struct limn_job job = limn_clear(&me, 3);

			usleep(30000);
			limn_list_init(&l, me.ctx);
			limn_list_add(&l, &job);
			limn_list_out(&l, 0, 0, mine, 9);
			limn_submit_list(me.fd, &l);
			igt_assert_eq(wait_point(me.fd, mine, 9), 0);
			limn_client_free(&me);
		}
		store(0, 0x52);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, timeline, 9);
		fence = limn_list_fence(c.fd, &l);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u64(point_of(c.fd, timeline), 9);
		igt_assert_eq(igt_wait_helper(&proc), 0);
		close(shared);
		syncobj_destroy(c.fd, timeline);
	}

	igt_describe("ETIME: nobody ever signals; meanwhile others work, and nothing has happened after it");
	igt_subtest("wait-in-vain") {
		uint32_t empty = syncobj_create(c.fd, 0), fence = syncobj_create(c.fd, 0);
		struct igt_helper_process proc = { 0 };
		struct timespec start = { 0 };

		igt_fork_helper(&proc)
			for (int i = 0; i < 3; i++)
				limn_check_gpu();
		c.target.map[0] = 0;
		store(0, 0xbad);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, empty, 0);
		limn_list_out(&l, 0, 0, fence, 0);
		igt_nsec_elapsed(&start);
		igt_assert_eq(limn_try_list(c.fd, &l), -ETIME);
		igt_assert(igt_nsec_elapsed(&start) > 4 * SEC_NS);
		igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
		igt_assert_eq_u32(c.target.map[0], 0);
		igt_assert_eq(igt_wait_helper(&proc), 0);
		syncobj_destroy(c.fd, empty);
		syncobj_destroy(c.fd, fence);
	}

	igt_describe("A cycle of two processes that wait for each other's submit: both give up, the GPU is free");
	igt_subtest("cycle") {
		uint32_t a = syncobj_create(c.fd, 0), b = syncobj_create(c.fd, 0);

		igt_fork(child, 2) {
			store(child, 0xbad);
			limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, child ? a : b, 0);
			limn_list_out(&l, 0, 0, child ? b : a, 0);
			igt_assert_eq(limn_try_list(c.fd, &l), -ETIME);
		}
		igt_waitchildren();
		syncobj_destroy(c.fd, a);
		syncobj_destroy(c.fd, b);
		limn_check_works(&c);
	}

	igt_describe("Signals in the middle of the wait: interrupted once, it has done nothing; repeated, it ends well");
	igt_subtest("signals") {
		uint32_t empty = syncobj_create(c.fd, 0), fence = syncobj_create(c.fd, 0);
		struct igt_helper_process proc = { 0 };

		store(0, 0x53);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, empty, 3);
		limn_list_out(&l, 0, 0, fence, 0);
		alarms(true);
		for (int i = 0; i < 10; i++) {
			igt_assert_eq(gpu_try_once(c.fd, DRM_IOCTL_LIMN_SUBMIT, &l.args), -EINTR);
			igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
		}
		alarms(false);
		child_signals(&proc, empty, 3, 100000);
		alarms(true);
		limn_submit_list(c.fd, &l);
		alarms(false);
		igt_wait_helper(&proc);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		syncobj_destroy(c.fd, empty);
	}

	igt_describe("Clients that are killed while they wait: nothing of theirs runs, nothing is left");
	igt_subtest("killed-waiting") {
		uint32_t empty = syncobj_create(c.fd, 0), out = syncobj_create(c.fd, 0);
		pid_t pids[8];

		c.target.map[0] = 0;
		store(0, 0xbad);
		limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, empty, 0);
		limn_list_out(&l, 0, 0, out, 0);
		limn_list_out(&l, 0, DRM_LIMN_SYNC_FD, 0, 0);
		for (int i = 0; i < 8; i++) {
			pids[i] = fork();
			if (!pids[i]) {
				limn_try_list(c.fd, &l);
				_exit(1);
			}
		}
		usleep(50000);
		for (int i = 0; i < 8; i++) {
			int status;

			kill(pids[i], SIGKILL);
			igt_assert_eq(waitpid(pids[i], &status, 0), pids[i]);
			igt_assert(WIFSIGNALED(status));
		}
		syncobj_signal(c.fd, &empty, 1);
		igt_assert_eq(gpu_fence_status(c.fd, out), 0);
		limn_check_works(&c);
		syncobj_destroy(c.fd, empty);
		syncobj_destroy(c.fd, out);
	}

	igt_describe("Clients that are killed with jobs queued behind a fence that never comes: the jobs are cancelled");
	igt_subtest("killed-queued") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		int file = export_file(c.fd, gate.syncobj), status;
		pid_t pid = fork();

		if (!pid) {
			struct gpu_client me = limn_client_new();

			limn_list_frame(&l, &me, 0xbad);
			limn_list_in(&l, 0, DRM_LIMN_SYNC_FD, file, 0);
			limn_submit_list(me.fd, &l);
			raise(SIGKILL);
		}
		igt_assert_eq(waitpid(pid, &status, 0), pid);
		igt_assert(WIFSIGNALED(status));
		limn_check_works(&c);
		close(file);
		gpu_gate_open(&gate);
		gpu_gate_free(c.fd, &gate);
	}
}

static void implicit(void)
{
	igt_describe("A list waits for the fences that its BOs carry, job by job: who reads, who writes");
	igt_subtest("implicit") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct gpu_bo shared = limn_bo_new(c.fd, 4096, 0, 0);
		struct limn_job job = limn_store(&c, 0, 1);
		uint32_t held, gp, pp;

		/* A reader of shared, held back. */
		limn_job_use(&job, &shared, LIMN_READ);
		limn_list_init(&l, c.ctx);
		limn_list_add(&l, &job);
		limn_list_in(&l, 0, 0, gate.syncobj, 0);
		held = limn_list_fence(c.fd, &l);
		/* Another file's frame, so that the queues' own order does not count. */
		struct gpu_client other = limn_client_new();
		struct gpu_bo theirs = { .fd = other.fd };
		int dma_buf = prime_handle_to_fd(c.fd, shared.handle);

		theirs.handle = prime_fd_to_handle(other.fd, dma_buf);
		limn_list_frame(&l, &other, 0x61);
		l.bo[l.args.bos.count++] = (struct drm_limn_submit_bo){
			.handle = theirs.handle, .read = 1, .write = 2,
		};
		gp = syncobj_create(other.fd, 0);
		limn_list_out(&l, 0, 0, gp, 0);
		pp = limn_list_fence(other.fd, &l);
		igt_assert_eq(gpu_fence_end(other.fd, gp, 0), 0);
		usleep(20000);
		igt_assert_eq(gpu_fence_status(other.fd, pp), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(other.fd, pp, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, held, 0), 0);
		close(dma_buf);
		gem_close(other.fd, theirs.handle);
		limn_client_free(&other);
		gpu_bo_free(&shared);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("The opt-out, of one BO and of all: it waits for nobody, and nobody waits for it");
	igt_subtest("implicit-opt-out")
		for (int all = 0; all < 2; all++) {
			struct gpu_gate gate = gpu_gate_new(c.fd), second = gpu_gate_new(c.fd);
			struct gpu_bo shared = limn_bo_new(c.fd, 4096, 0, 0);
			struct gpu_client other = limn_client_new();
			int dma_buf = prime_handle_to_fd(c.fd, shared.handle), file;
			uint32_t handle = prime_fd_to_handle(other.fd, dma_buf), held, fence;
			struct limn_job job = limn_store(&c, 0, 1);

			limn_job_use(&job, &shared, LIMN_WRITE);
			limn_list_init(&l, c.ctx);
			limn_list_add(&l, &job);
			limn_list_in(&l, 0, 0, gate.syncobj, 0);
			held = limn_list_fence(c.fd, &l);

			/* It does not wait for the writer that is held ... */
			limn_list_frame(&l, &other, 0x62);
			l.bo[l.args.bos.count++] = (struct drm_limn_submit_bo){
				.handle = handle, .write = 3,
				.flags = all ? 0 : DRM_LIMN_SUBMIT_BO_NO_IMPLICIT,
			};
			l.args.flags = all ? DRM_LIMN_SUBMIT_NO_IMPLICIT : 0;
			fence = limn_list_fence(other.fd, &l);
			igt_assert_eq(gpu_fence_end(other.fd, fence, 0), 0);
			gpu_gate_open(&gate);
			igt_assert_eq(gpu_fence_end(c.fd, held, 0), 0);

			/* ... and when it is held itself, the next writer does not wait for it. */
			limn_list_frame(&l, &other, 0x63);
			l.bo[l.args.bos.count++] = (struct drm_limn_submit_bo){
				.handle = handle, .write = 3,
				.flags = all ? 0 : DRM_LIMN_SUBMIT_BO_NO_IMPLICIT,
			};
			l.args.flags = all ? DRM_LIMN_SUBMIT_NO_IMPLICIT : 0;
			file = export_file(c.fd, second.syncobj);
			limn_list_in(&l, 0, DRM_LIMN_SYNC_FD, file, 0);
			held = limn_list_fence(other.fd, &l);
			igt_assert_eq(limn_try_wait(c.fd, shared.handle, false, 0), 0);
			igt_assert_eq(limn_run(c.fd, &job), 0);
			igt_assert_eq(gpu_fence_status(other.fd, held), 0);
			gpu_gate_open(&second);
			igt_assert_eq(gpu_fence_end(other.fd, held, 0), 0);
			close(file);
			gem_close(other.fd, handle);
			close(dma_buf);
			limn_client_free(&other);
			gpu_bo_free(&shared);
			gpu_gate_free(c.fd, &gate);
			gpu_gate_free(c.fd, &second);
		}
}

static void processes(void)
{
	igt_describe("A chain over both queues of four processes, each behind the one before, through timeline points");
	igt_subtest("process-chain") {
		enum { PROCESSES = 4, ROUNDS = 8 };
		uint32_t timeline = syncobj_create(c.fd, 0);
		int shared = syncobj_handle_to_fd(c.fd, timeline, 0);
		struct gpu_bo word = limn_bo_new(c.fd, LIMN_PICTURE * LIMN_PICTURE * 4, 0, 0);
		int dma_buf = prime_handle_to_fd(c.fd, word.handle);
		uint64_t zero = 1;

		gpu_be_patient(40);	/* that many submits sleep until another process runs */
		drmSyncobjTimelineSignal(c.fd, &timeline, &zero, 1);
		igt_fork(child, PROCESSES) {
			struct gpu_client me = limn_client_new();
			uint32_t mine = syncobj_fd_to_handle(me.fd, shared, 0);
			struct gpu_bo target = { .fd = me.fd };

			target.handle = prime_fd_to_handle(me.fd, dma_buf);
			target.size = LIMN_PICTURE * LIMN_PICTURE * 4;
			target.va = limn_bo_info(me.fd, target.handle).va;
			for (int round = 0; round < ROUNDS; round++) {
				uint64_t turn = round * PROCESSES + child;
				struct gpu_client to = me;
				struct limn_job job;

				to.target = target;
				job = turn & 1 ? limn_clear(&to, turn) : limn_store(&to, 0, turn);
				limn_list_init(&l, me.ctx);
				l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
				limn_list_add(&l, &job);
				limn_list_in(&l, 0, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, mine, 1 + turn);
				limn_list_out(&l, 0, 0, mine, 2 + turn);
				limn_submit_list(me.fd, &l);
			}
			igt_assert_eq(wait_point(me.fd, mine, 1 + PROCESSES * ROUNDS), 0);
			gem_close(me.fd, target.handle);
			limn_client_free(&me);
		}
		igt_assert_eq(wait_point(c.fd, timeline, 1 + PROCESSES * ROUNDS), 0);
		igt_assert_eq_u32(word.map[0], PROCESSES * ROUNDS - 1);
		igt_waitchildren();
		gpu_be_patient(0);
		close(dma_buf);
		close(shared);
		gpu_bo_free(&word);
		syncobj_destroy(c.fd, timeline);
	}
}

igt_main
{
	igt_fixture {
		c = limn_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX);
	}

	igt_subtest_group
		objects();
	igt_subtest_group
		timelines();
	igt_subtest_group
		before_signal();
	igt_subtest_group
		implicit();
	igt_subtest_group
		processes();

	igt_fixture
		limn_client_free(&c);
}
