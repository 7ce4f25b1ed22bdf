// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "lima_jobs.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("The device goes: unbind and bind through sysfs, module unload, under clients");

/* A client that works until the device goes, then as often as it comes back. */
static void __attribute__((noreturn)) restless_client(uint32_t seed)
{
	for (;;) {
		int fd = lima_try_open();
		uint32_t handle;

		if (fd < 0) {
			usleep(2000);
			continue;
		}
		for (int i = 0; i < 50; i++) {
			struct drm_lima_ctx_create ctx = { 0 };
			struct drm_lima_gem_submit_bo bo = { .flags = LIMA_SUBMIT_BO_WRITE };
			struct drm_lima_gp_frame frame = { 0 };
			struct drm_lima_gem_submit submit = {
				.nr_bos = 1, .bos = (uintptr_t)&bo, .frame = (uintptr_t)&frame,
				.frame_size = sizeof(frame),
			};

			if (gpu_try(fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx) ||
			    lima_try_create(fd, 65536, 0, &handle))
				break;
			bo.handle = handle;
			submit.ctx = ctx.id;
			/* A list that is not there: it ends with a fault. */
			frame.frame[2] = 0x70000000;
			frame.frame[3] = 0x70000010;
			if (gpu_try(fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &submit))
				break;
			if (i % 4 == 0)
				lima_try_wait(fd, handle, LIMA_GEM_WAIT_WRITE, gpu_time(SEC_NS / 10));
		}
		close(fd);
	}
}

static void bind_again(void)
{
	igt_assert_eq(gpu_bind(), 0);
	lima_check_gpu();
}

/* A worker may still be about to free the last job, which keeps the module; at once when it has. */
static void unload(void)
{
	int64_t end = gpu_time(5 * SEC_NS);

	while (syscall(SYS_delete_module, gpu_module(), O_NONBLOCK)) {
		igt_assert_eq(errno, EWOULDBLOCK);
		igt_assert_lt(gpu_time(0), end);
	}
}

igt_main
{
	igt_fixture {
		igt_require(geteuid() == 0);
		lima_check_gpu();
		gpu_device_path();
		gpu_module();
		gpu_timeout_ms();
	}

	igt_describe("Without clients, ten times");
	igt_subtest("idle")
		for (int i = 0; i < 10; i++) {
			igt_assert_eq(gpu_unbind(), 0);
			igt_assert_eq(lima_try_open(), -1);
			bind_again();
		}

	igt_describe("With a file open: its ioctls say ENODEV, its close is harmless");
	igt_subtest("open-file") {
		struct gpu_client c = lima_client_new();
		struct lima_job job = lima_gp_store(&c, 0, 1);
		struct drm_lima_get_param param = { 0 };
		uint32_t handle;

		igt_assert_eq(gpu_unbind(), 0);
		igt_assert_eq(lima_try_submit(c.fd, &job), -ENODEV);
		igt_assert_eq(lima_try_create(c.fd, PAGE_BYTES, 0, &handle), -ENODEV);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, LIMA_GEM_WAIT_WRITE, 0), -ENODEV);
		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMA_GET_PARAM, &param), -ENODEV);
		igt_assert_eq(lima_try_ctx_free(c.fd, c.ctx), -ENODEV);
		munmap(c.lists.map, c.lists.size);
		munmap(c.target.map, c.target.size);
		close(c.fd);
		bind_again();
	}

	igt_describe("A file closed only after the device is back");
	igt_subtest("open-file-across") {
		struct gpu_client c = lima_client_new();

		igt_assert_eq(gpu_unbind(), 0);
		bind_again();
		munmap(c.lists.map, c.lists.size);
		munmap(c.target.map, c.target.size);
		close(c.fd);
		lima_check_gpu();
	}

	igt_describe("With jobs that run and wait: each fence ends");
	igt_subtest("with-work")
		for (int i = 0; i < 5; i++) {
			struct gpu_client c = lima_client_new();
			int fences[20];

			for (uint32_t k = 0; k < 20; k++) {
				struct lima_job job = k & 1 ? lima_pp_clear(&c, k) : lima_gp_long(&c, 0, k);
				uint32_t fence = lima_submit_fence(c.fd, &job);

				/* A syncobj is out of reach once its device is gone; a sync file is not. */
				igt_assert_eq(drmSyncobjExportSyncFile(c.fd, fence, &fences[k]), 0);
			}
			igt_assert_eq(gpu_unbind(), 0);
			for (uint32_t k = 0; k < 20; k++) {
				igt_assert_eq(sync_fence_wait(fences[k], gpu_timeout_ms() * 5 / 2), 0);
				igt_assert_neq(sync_fence_status(fences[k]), 0);
				close(fences[k]);
			}
			munmap(c.lists.map, c.lists.size);
			munmap(c.target.map, c.target.size);
			close(c.fd);
			bind_again();
		}

	igt_describe("With an endless job running: its fence ends with an error");
	igt_subtest("with-hang")
		for (int pipe = 0; pipe < 2; pipe++) {
			struct gpu_client c = lima_client_new();
			struct lima_job job = pipe ? lima_pp_endless(&c) : lima_gp_endless(&c);
			int file;

			igt_assert_eq(drmSyncobjExportSyncFile(c.fd, lima_submit_fence(c.fd, &job), &file), 0);
			igt_assert_eq(gpu_unbind(), 0);
			igt_assert_eq(sync_fence_wait(file, gpu_timeout_ms() * 5 / 2), 0);
			igt_assert_lt(sync_fence_status(file), 0);
			close(file);
			munmap(c.lists.map, c.lists.size);
			munmap(c.target.map, c.target.size);
			close(c.fd);
			bind_again();
		}

	igt_describe("A mapping stays usable, or faults with SIGBUS, and does no harm");
	igt_subtest("mapping") {
		struct gpu_client c = lima_client_new();
		pid_t pid;
		int status;

		c.target.map[0] = 1;
		igt_assert_eq(gpu_unbind(), 0);
		pid = fork();
		igt_assert(pid >= 0);
		if (!pid) {
			signal(SIGBUS, SIG_DFL);
			c.target.map[0] = 2;
			_exit(0);
		}
		igt_assert_eq(waitpid(pid, &status, 0), pid);
		igt_assert(WIFEXITED(status) || WTERMSIG(status) == SIGBUS);
		munmap(c.lists.map, c.lists.size);
		munmap(c.target.map, c.target.size);
		close(c.fd);
		bind_again();
	}

	igt_describe("Again and again under four clients that never rest");
	igt_subtest("under-load") {
		igt_fork(child, 4)
			restless_client(child);
		gpu_rebind_often();
		igt_kill_children(SIGKILL);
		lima_check_gpu();
	}

	igt_describe("The module cannot go while a file is open, and goes without");
	igt_subtest("module-unload") {
		const char *file = getenv("LIMN_KO");
		char command[512];
		int fd;

		igt_require_f(file || !gpu_is_limn() || !system("modprobe -n -q limn"),
			      "LIMN_KO is not given, and no limn.ko is installed\n");
		fd = lima_open();
		igt_assert_eq(syscall(SYS_delete_module, gpu_module(), O_NONBLOCK), -1);
		igt_assert_eq(errno, EWOULDBLOCK);
		close(fd);
		for (int i = 0; i < 3; i++) {
			unload();
			snprintf(command, sizeof(command), "%s %s sched_timeout_ms=500",
				 gpu_is_limn() && file ? "insmod" : "modprobe",
				 gpu_is_limn() && file ? file : gpu_module());
			igt_assert_eq(system(command), 0);
			lima_check_gpu();
		}
	}
}
