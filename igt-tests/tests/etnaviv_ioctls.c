// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "gpu_sys.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("The ioctls of the etnaviv ABI but for submit: each errno, and what they are for");

static int fd = -1;
static struct etna_bo bo;

static void get_param(void)
{
	struct drm_etnaviv_param req = { .param = ETNAVIV_PARAM_GPU_MODEL };

	igt_assert_neq_u32(etna_param(fd, 0, ETNAVIV_PARAM_GPU_MODEL), 0);
	for (req.param = 1; req.param <= ETNAVIV_PARAM_GPU_ECO_ID; req.param++)
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), 0);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), -EINVAL);
	req.param = 0;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), -EINVAL);
	req.param = ETNAVIV_PARAM_GPU_MODEL;
	req.pipe = ETNA_MAX_PIPES;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), -EINVAL);
	req.pipe = ETNA_MAX_PIPES - 1;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), -ENXIO);
}

/* What mainline's etnaviv tells of such chips. */
static void specs(void)
{
	static const struct {
		uint32_t model, revision, streams, instructions;
	} known[] = {
		{ 0x880, 0x5106, 8, 512 },
		{ 0x2000, 0x5108, 8, 512 },
		{ 0x3000, 0x5450, 16, 256 },
		{ 0x7000, 0x6214, 16, 512 },
	};
	uint32_t model = etna_param(fd, 0, ETNAVIV_PARAM_GPU_MODEL);
	uint32_t revision = etna_param(fd, 0, ETNAVIV_PARAM_GPU_REVISION);
	bool found = false;

	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].model != model || known[i].revision != revision)
			continue;
		found = true;
		igt_assert_eq_u32(etna_param(fd, 0, ETNAVIV_PARAM_GPU_STREAM_COUNT), known[i].streams);
		igt_assert_eq_u32(etna_param(fd, 0, ETNAVIV_PARAM_GPU_INSTRUCTION_COUNT), known[i].instructions);
	}
	igt_require_f(found, "no values are known of %x, %x\n", model, revision);
}

static int try_new(uint64_t size, uint32_t flags)
{
	struct drm_etnaviv_gem_new req = { .size = size, .flags = flags };
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &req);

	if (!ret)
		gem_close(fd, req.handle);
	return ret;
}

static void gem_new(void)
{
	igt_assert_eq(try_new(1, ETNA_BO_WC), 0);
	igt_assert_eq(try_new(4096, ETNA_BO_CACHED), 0);
	igt_assert_eq(try_new(4096, ETNA_BO_UNCACHED), 0);
	igt_assert_eq(try_new(4096, ETNA_BO_WC | ETNA_BO_FORCE_MMU), 0);
	igt_assert_eq(try_new(4096, 0), -EINVAL);
	igt_assert_eq(try_new(4096, ETNA_BO_WC | ETNA_BO_CACHED), -EINVAL);
	igt_assert_eq(try_new(4096, ETNA_BO_WC | 1), -EINVAL);
}

static void gem_new_sizes(void)
{
	igt_assert_eq(try_new(0, ETNA_BO_WC), -EINVAL);
	igt_assert_neq(try_new(1ull << 40, ETNA_BO_WC), 0);
	igt_assert_neq(try_new(~0ull, ETNA_BO_WC), 0);
}

static void gem_info(void)
{
	struct drm_etnaviv_gem_info req = { .handle = 0xbad };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &req), -ENOENT);
	req.handle = bo.handle;
	req.pad = 1;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &req), -EINVAL);
}

static void cpu_prep(void)
{
	struct drm_etnaviv_gem_cpu_fini fini = { .handle = bo.handle };

	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ | ETNA_PREP_WRITE, 0), 0);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini), 0);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ | ETNA_PREP_NOSYNC, 0), 0);
	igt_assert_eq(etna_try_prep(fd, bo.handle, 8, 0), -EINVAL);
	igt_assert_eq(etna_try_prep(fd, 0xbad, ETNA_PREP_READ, 0), -ENOENT);
	fini.flags = 1;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini), -EINVAL);
	fini.flags = 0;
	fini.handle = 0xbad;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini), -ENOENT);
}

/* Cached BOs, and a fini without a prep before it. */
static void cpu_fini_alone(void)
{
	struct drm_etnaviv_gem_new req = { .size = 4096, .flags = ETNA_BO_CACHED };
	struct drm_etnaviv_gem_cpu_fini fini = { 0 };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &req), 0);
	fini.handle = req.handle;
	igt_assert_eq(etna_try_prep(fd, req.handle, ETNA_PREP_WRITE, 0), 0);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini), 0);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_FINI, &fini), 0);
	gem_close(fd, req.handle);
}

/* A job that uses the BO so, and waits for the gate; its fence's file. */
static int start_behind(const struct gpu_gate *gate, struct etna_job *job, uint32_t use)
{
	etna_job_init(job);
	if (!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		job->exec_state = ETNA_PIPE_2D;
	job->flags = ETNA_SUBMIT_FENCE_FD_IN;
	job->fence_fd = gate->file;
	etna_job_use(job, &bo, use);
	return etna_start(fd, job);
}

/* A job that cannot start: everybody who waits for it waits. */
static void waits(void)
{
	struct drm_etnaviv_wait_fence fence = { 0 };
	struct drm_etnaviv_gem_wait wait = { .handle = bo.handle };
	struct etna_job job;
	struct gpu_gate gate = gpu_gate_new(-1);
	int file = start_behind(&gate, &job, ETNA_SUBMIT_BO_WRITE);

	fence.fence = job.fence;
	fence.flags = ETNA_WAIT_NONBLOCK;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), -EBUSY);
	fence.flags = 0;
	fence.timeout = etna_time(20);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), -ETIMEDOUT);
	wait.flags = ETNA_WAIT_NONBLOCK;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -EBUSY);
	wait.flags = 0;
	wait.timeout = etna_time(20);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -ETIMEDOUT);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ | ETNA_PREP_NOSYNC, 0), -EBUSY);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ, 20), -ETIMEDOUT);

	gpu_gate_open(&gate);
	igt_assert_eq(etna_end(file), 0);
	wait.timeout = fence.timeout = etna_time(30000);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), 0);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), 0);
	gpu_gate_free(-1, &gate);
}

/* A job reads the BO: the CPU may read it as well, and has to wait to write it. */
static void waits_to_write(void)
{
	struct etna_job job;
	struct gpu_gate gate = gpu_gate_new(-1);
	int file = start_behind(&gate, &job, ETNA_SUBMIT_BO_READ);

	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ | ETNA_PREP_NOSYNC, 0), 0);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_READ, 20), 0);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_WRITE | ETNA_PREP_NOSYNC, 0), -EBUSY);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_WRITE, 20), -ETIMEDOUT);
	gpu_gate_open(&gate);
	igt_assert_eq(etna_end(file), 0);
	igt_assert_eq(etna_try_prep(fd, bo.handle, ETNA_PREP_WRITE, 30000), 0);
	gpu_gate_free(-1, &gate);
}

/* Times as far off as they can be written, on all three ways to wait. -ETIMEDOUT, or 0. */
static int wait_until(int64_t sec, int64_t nsec)
{
	const struct drm_etnaviv_timespec time = { .tv_sec = sec, .tv_nsec = nsec };
	struct drm_etnaviv_gem_wait wait = { .handle = bo.handle, .timeout = time };
	struct drm_etnaviv_gem_cpu_prep prep = { .handle = bo.handle, .op = ETNA_PREP_READ, .timeout = time };
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait);

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_PREP, &prep), ret);
	return ret;
}

static void wait_times(void)
{
	const int64_t second = 1000000000, tick = second / 100;	/* of the slowest clock, HZ=100 */
	const struct drm_etnaviv_timespec late = etna_time(60000);
	struct etna_job job;
	struct gpu_gate gate = gpu_gate_new(-1);
	int file = start_behind(&gate, &job, ETNA_SUBMIT_BO_WRITE);

	igt_assert_eq(wait_until(INT64_MIN, 0), -ETIMEDOUT);
	igt_assert_eq(wait_until(0, INT64_MIN), -ETIMEDOUT);
	igt_assert_eq(wait_until(INT64_MIN, INT64_MIN), -ETIMEDOUT);
	igt_assert_eq(wait_until(-1, second - 1), -ETIMEDOUT);
	/* Not normalised, as old clients wrote it: not over too soon, but for what rounding to ticks takes. */
	for (int i = 0; i < 3; i++) {
		const struct drm_etnaviv_timespec soon = etna_time(100);
		int64_t sec = i == 0 ? soon.tv_sec - 5 : i == 1 ? 0 : soon.tv_sec + 5;

		igt_assert_eq(wait_until(sec, soon.tv_nsec + (soon.tv_sec - sec) * second), -ETIMEDOUT);
		igt_assert(gpu_time(0) >= soon.tv_sec * second + soon.tv_nsec - tick);
	}

	gpu_gate_open(&gate);
	igt_assert_eq(wait_until(late.tv_sec + 5, late.tv_nsec - 5 * second), 0);
	igt_assert_eq(wait_until(INT64_MAX, 0), 0);
	igt_assert_eq(wait_until(0, INT64_MAX), 0);
	igt_assert_eq(wait_until(INT64_MAX, INT64_MAX), 0);
	igt_assert_eq(etna_end(file), 0);
	gpu_gate_free(-1, &gate);
}

static void refuse_waits(void)
{
	struct drm_etnaviv_wait_fence fence = { .flags = 2 };
	struct drm_etnaviv_gem_wait wait = { .handle = bo.handle, .flags = 2 };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), -EINVAL);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -EINVAL);
	fence.flags = wait.flags = 0;
	fence.pipe = wait.pipe = ETNA_MAX_PIPES;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), -EINVAL);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -EINVAL);
	fence.pipe = wait.pipe = ETNA_MAX_PIPES - 1;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), -ENXIO);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -ENXIO);
	wait.pipe = 0;
	wait.handle = 0xbad;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait), -ENOENT);
	/* A number that nobody has. */
	fence.pipe = 0;
	fence.fence = 0x12345;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &fence), 0);
}

static int try_userptr(void *at, uint64_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_etnaviv_gem_userptr req = {
		.user_ptr = (uintptr_t)at,
		.user_size = size,
		.flags = flags,
	};
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req);

	if (!ret && handle)
		*handle = req.handle;
	else if (!ret)
		gem_close(fd, req.handle);
	return ret;
}

static void refuse_userptr(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(page != MAP_FAILED);
	igt_assert_eq(try_userptr(page, 4096, 0, NULL), -EINVAL);
	igt_assert_eq(try_userptr(page, 4096, 4, NULL), -EINVAL);
	igt_assert_eq(try_userptr(page + 8, 4096, ETNA_USERPTR_WRITE, NULL), -EINVAL);
	igt_assert_eq(try_userptr(page, 4100, ETNA_USERPTR_WRITE, NULL), -EINVAL);
	igt_assert_eq(try_userptr(page, 8192, ETNA_USERPTR_WRITE, NULL), 0);
	munmap(page, 8192);
}

/* The GPU writes the caller's memory; then that goes away, and a job comes too late. */
static void userptr(void)
{
	uint32_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct etna_bo user = { .fd = fd, .size = 4096 };
	struct etna_job job;

	igt_require(etna_can_fill(fd));
	igt_assert(page != MAP_FAILED);
	page[0] = 1;
	igt_assert_eq(try_userptr(page, 4096, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &user.handle), 0);
	etna_job_init(&job);
	etna_job_fill(fd, &job, &user, 0xabcdef01);
	igt_assert_eq(etna_run(fd, &job), 0);
	igt_assert_eq_u32(page[0], 0xabcdef01);
	igt_assert_eq_u32(page[511], 0xabcdef01);
	munmap(page, 4096);
	etna_job_init(&job);
	etna_job_fill(fd, &job, &user, 2);
	igt_assert_eq(etna_run(fd, &job), 0);
	gem_close(fd, user.handle);
}

static void userptr_gone(void)
{
	igt_assert_eq(try_userptr((void *)0x10000, 4096, ETNA_USERPTR_WRITE, NULL), -EFAULT);
}

static void pm_query(void)
{
	struct drm_etnaviv_pm_domain dom = { 0 };
	struct drm_etnaviv_pm_signal sig = { 0 };
	unsigned int domains = 0, signals = 0;

	igt_require(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D);
	while (dom.iter != 0xff) {
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), 0);
		igt_assert_eq(dom.id, domains);
		domains++;
		signals += dom.nr_signals;
		for (sig = (struct drm_etnaviv_pm_signal) { .domain = dom.id }; sig.iter != 0xffff; )
			igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), 0);
		igt_assert_eq(sig.id + 1, dom.nr_signals);
		sig.iter = dom.nr_signals;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), -EINVAL);
	}
	igt_assert(domains >= 8 && signals >= 47);
	dom.iter = domains;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), -EINVAL);
	sig.domain = domains;
	sig.iter = 0;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), -EINVAL);
	dom.iter = 0;
	dom.pipe = sig.pipe = ETNA_MAX_PIPES;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), -EINVAL);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), -EINVAL);
	dom.pipe = sig.pipe = ETNA_MAX_PIPES - 1;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), -ENXIO);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), -ENXIO);
}

/* A core with both pipes: the domains of 2D come behind those of 3D. */
static void pm_query_2d(void)
{
	const uint32_t both = chipFeatures_PIPE_2D | chipFeatures_PIPE_3D;
	struct drm_etnaviv_pm_domain dom = { .iter = 8 };
	struct drm_etnaviv_pm_signal sig = { .domain = 8 };

	igt_require((etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & both) == both);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), 0);
	igt_assert(!strcmp(dom.name, "PE"));
	igt_assert_eq(dom.nr_signals, 1);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), 0);
	igt_assert(!strcmp(sig.name, "PIXELS_RENDERED_2D"));
}

/* Each core is a pipe: who it is, its jobs, its fences, its counters; and no core behind the last. */
static void every_core(void)
{
	static struct etna_job job;
	struct drm_etnaviv_param req = { .param = ETNAVIV_PARAM_GPU_MODEL };
	uint32_t pipe, cores = 0;

	while (cores < ETNA_MAX_PIPES && (req.pipe = cores, !gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req)))
		cores++;
	igt_assert(cores > 0);
	for (pipe = cores; pipe < ETNA_MAX_PIPES; pipe++) {
		req.pipe = pipe;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), -ENXIO);
	}
	for (pipe = 0; pipe < cores; pipe++) {
		uint64_t features = etna_param(fd, pipe, ETNAVIV_PARAM_GPU_FEATURES_0);
		struct drm_etnaviv_wait_fence wait = { .pipe = pipe, .timeout = etna_time(30000) };
		struct drm_etnaviv_pm_domain dom = { .pipe = pipe };
		struct etna_bo counters = etna_bo_new(fd, 4096);
		bool is_3d = features & chipFeatures_PIPE_3D;

		igt_info("pipe %u: GC%llx, %s\n", pipe,
			 (unsigned long long)etna_param(fd, pipe, ETNAVIV_PARAM_GPU_MODEL), is_3d ? "3D" : "2D");
		igt_assert(is_3d || features & chipFeatures_PIPE_2D);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &dom), 0);
		igt_assert(dom.nr_signals > 0 && !strcmp(dom.name, is_3d ? "HI" : "PE"));
		/* It sleeps after a while, each on its own, and wakes up for its job. */
		usleep(pipe ? 0 : 450000);
		etna_job_init(&job);
		job.pipe = pipe;
		job.exec_state = is_3d ? ETNA_PIPE_3D : ETNA_PIPE_2D;
		etna_put(&job, VIV_FE_COMMAND(NOP), 0);
		job.pmrs[0] = (struct drm_etnaviv_gem_submit_pmr) {
			.flags = ETNA_PM_PROCESS_POST, .sequence = 100 + pipe, .read_offset = 1,
			.read_idx = etna_job_use(&job, &counters, ETNA_SUBMIT_BO_WRITE),
		};
		job.num_pmrs = 1;
		igt_assert_eq(etna_run(fd, &job), 0);
		wait.fence = job.fence;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait), 0);
		/* Mainline's fence comes before the counters do. */
		for (int i = 0; i < 5000 && counters.map[0] != 100 + pipe; i++)
			usleep(1000);
		igt_assert_eq_u32(counters.map[0], 100 + pipe);
		etna_bo_free(&counters);
	}
}

/* More files than a core with a security unit has address spaces at a time, one after the other. */
static void many_files(void)
{
	for (int i = 0; i < 600; i++) {
		int file = etna_try_open();

		igt_assert_f(file >= 0, "file %d: %d\n", i, file);
		close(file);
	}
}

/* More BOs in a job than mainline's list has room to be wrong about. */
static void many_bos(void)
{
	enum { NUM = 200 };	/* the debug kernel takes 20 ms for each */
	static struct drm_etnaviv_gem_submit_bo list[NUM];
	struct drm_etnaviv_gem_submit req = { 0 };
	struct etna_job job;

	etna_job_init(&job);
	if (!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		job.exec_state = ETNA_PIPE_2D;
	for (int i = 0; i < NUM; i++) {
		struct drm_etnaviv_gem_new new = { .size = 4096, .flags = ETNA_BO_WC };

		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &new), 0);
		list[i].handle = new.handle;
		list[i].flags = ETNA_SUBMIT_BO_WRITE;
	}
	req = etna_job_args(&job);
	req.bos = (uintptr_t)list;
	req.nr_bos = NUM;
	req.flags = ETNA_SUBMIT_FENCE_FD_OUT;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), 0);
	for (int i = 0; i < NUM; i++)
		gem_close(fd, list[i].handle);
	igt_assert_eq(etna_end(req.fence_fd), 0);
}

/* What a client asks a core for, over and over; and again when the GPU is back. Gives way to everybody. */
static void __attribute__((noreturn)) curious_client(void)
{
	struct sched_param idle = { 0 };

	igt_assert_eq(sched_setscheduler(0, SCHED_IDLE, &idle), 0);
	for (;;) {
		struct drm_etnaviv_param model = { .param = ETNAVIV_PARAM_GPU_MODEL };
		struct drm_etnaviv_pm_domain domain = { .pipe = 0 };
		struct drm_etnaviv_pm_signal sig = { .pipe = 0 };
		int file = etna_try_open();

		while (file >= 0 && !gpu_try(file, DRM_IOCTL_ETNAVIV_GET_PARAM, &model)) {
			igt_assert(model.value && model.value <= 0xffff);
			domain.iter = 0;
			sig.iter = 0;
			gpu_try(file, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &domain);
			gpu_try(file, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig);
		}
		if (file < 0)
			usleep(2000);
		else
			close(file);
	}
}

/* Has all of a CPU whenever *wanted says so. */
static void __attribute__((noreturn)) busy(const volatile int *wanted)
{
	for (;;) {
		if (!*wanted)
			usleep(500);
	}
}

/*
 * A core goes with its device, under ioctls that read what it is: clients that were interrupted in the middle
 * of one go on when the core is gone, for others have all CPUs meanwhile.
 */
static void unbind_asked(void)
{
	volatile int *hogs = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct drm_etnaviv_param model = { .param = ETNAVIV_PARAM_GPU_MODEL };
	struct drm_etnaviv_pm_domain domain = { .pipe = 0 };
	struct drm_etnaviv_pm_signal sig = { .pipe = 0 };
	int file = etna_open();

	igt_require(etna_is_limn() && geteuid() == 0);
	igt_assert_eq(gpu_unbind(), 0);
	igt_assert_eq(gpu_try(file, DRM_IOCTL_ETNAVIV_GET_PARAM, &model), -ENODEV);
	igt_assert_eq(gpu_try(file, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &domain), -ENODEV);
	igt_assert_eq(gpu_try(file, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &sig), -ENODEV);
	close(file);
	igt_assert_eq(gpu_bind(), 0);
	igt_assert(hogs != MAP_FAILED);
	igt_fork(child, 4)
		curious_client();
	igt_fork(child, sysconf(_SC_NPROCESSORS_ONLN))
		busy(hogs);
	for (int i = 0; i < 20; i++) {
		usleep(20000);
		*hogs = 1;
		usleep(2000);
		igt_assert_eq(gpu_unbind(), 0);
		*hogs = 0;
		igt_assert_eq(gpu_bind(), 0);
	}
	igt_kill_children(SIGKILL);
	munmap((void *)hogs, 4096);
}

/* A BO of 1 MiB of vgem, imported, mapped through this device, and closed. */
static void map_import(int vgem)
{
	struct drm_mode_create_dumb create = { .width = 512, .height = 512, .bpp = 32 };
	struct drm_etnaviv_gem_info info = { 0 };
	uint32_t *map;
	int dma_buf;

	igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
	dma_buf = prime_handle_to_fd(vgem, create.handle);
	info.handle = prime_fd_to_handle(fd, dma_buf);
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &info), 0);
	map = mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	igt_assert(map != MAP_FAILED);
	memset(map, 1, create.size);
	munmap(map, create.size);
	gem_close(fd, info.handle);
	close(dma_buf);
	gem_close(vgem, create.handle);
}

static void import_mmap(void)
{
	int vgem = vgem_open();
	long before;

	map_import(vgem);
	before = mem_kib("Shmem");
	for (int i = 0; i < 32; i++)
		map_import(vgem);
	/* Half of it: each CPU may be some hundred pages behind with its count. */
	for (int i = 0; i < 1000 && mem_kib("Shmem") > before + 16384; i++)
		usleep(1000);
	igt_assert(mem_kib("Shmem") <= before + 16384);
	close(vgem);
}

igt_main
{
	igt_fixture {
		fd = etna_open();
		bo = etna_bo_new(fd, 4096);
	}
	igt_subtest("get-param")
		get_param();
	igt_describe("Counts that shaders and vertex fetch are made for");
	igt_subtest("specs")
		specs();
	igt_subtest("gem-new")
		gem_new();
	igt_subtest("gem-new-sizes")
		gem_new_sizes();
	igt_subtest("gem-info")
		gem_info();
	igt_subtest("cpu-prep")
		cpu_prep();
	igt_subtest("cpu-fini-alone")
		cpu_fini_alone();
	igt_subtest("waits")
		waits();
	igt_subtest("waits-to-write")
		waits_to_write();
	igt_subtest("wait-times")
		wait_times();
	igt_subtest("refuse-waits")
		refuse_waits();
	igt_subtest("refuse-userptr")
		refuse_userptr();
	igt_subtest("userptr")
		userptr();
	igt_subtest("userptr-gone")
		userptr_gone();
	igt_describe("Memory of another device goes with its last handle, though it was mapped through this one");
	igt_subtest("import-mmap")
		import_mmap();
	igt_subtest("pm-query")
		pm_query();
	igt_subtest("pm-query-2d")
		pm_query_2d();
	igt_subtest("every-core")
		every_core();
	igt_subtest("many-files")
		many_files();
	igt_subtest("many-bos")
		many_bos();
	igt_fixture {
		etna_bo_free(&bo);
		close(fd);
	}
	igt_subtest("unbind-asked")
		unbind_asked();
}
