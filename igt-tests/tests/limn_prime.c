// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("PRIME by the extension ABI: BOs and their fences between files, and between this device and vgem");

static struct gpu_client c = { .fd = -1 };

/* What client's jobs write to: memory of somebody else. */
static struct gpu_client with_import(const struct gpu_client *client, int dma_buf)
{
	struct gpu_client other = *client;

	other.target = (struct gpu_bo){ .fd = client->fd, .size = lseek(dma_buf, 0, SEEK_END) };
	other.target.handle = prime_fd_to_handle(client->fd, dma_buf);
	other.target.va = limn_bo_info(client->fd, other.target.handle).va;
	igt_assert_neq_u32(other.target.va, 0);
	return other;
}

static void between_files(void)
{
	igt_describe("Exported and imported in a second file: jobs of both write the same memory");
	igt_subtest("two-files") {
		struct gpu_client second = limn_client_new(), other;
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		struct limn_job job;

		other = with_import(&second, dma_buf);
		/* Known now, and kept: so BO_INFO says the same again. */
		igt_assert_eq_u64(limn_bo_info(second.fd, other.target.handle).va, other.target.va);
		job = limn_clear(&other, 0x51525354);
		igt_assert_eq(limn_run(second.fd, &job), 0);
		limn_check_picture(&c, 0x51525354);
		job = limn_clear(&c, 0x61626364);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		limn_check_picture(&c, 0x61626364);
		gem_close(second.fd, other.target.handle);
		close(dma_buf);
		limn_client_free(&second);
	}

	igt_describe("The importer's BO outlives the exporter's file");
	igt_subtest("exporter-gone") {
		struct gpu_client first = limn_client_new(), other;
		int dma_buf = prime_handle_to_fd(first.fd, first.target.handle);
		struct limn_job job;

		other = with_import(&c, dma_buf);
		limn_client_free(&first);
		job = limn_store(&other, 0, 7);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		other.target.map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, dma_buf, 0);
		igt_assert(other.target.map != MAP_FAILED);
		igt_assert_eq_u32(other.target.map[0], 7);
		munmap(other.target.map, 4096);
		gem_close(c.fd, other.target.handle);
		close(dma_buf);
	}

	igt_describe("Implicit sync holds across files, unless it was declined");
	igt_subtest("implicit-sync") {
		struct gpu_client second = limn_client_new(), other;
		struct gpu_gate gate = gpu_gate_new(c.fd);
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		struct limn_job job = limn_store(&c, 0, 1);
		uint32_t held, theirs;

		other = with_import(&second, dma_buf);
		job.in_sync = gate.syncobj;
		held = limn_submit_fence(c.fd, &job);
		job = limn_store(&other, 0, 2);
		theirs = limn_submit_fence(second.fd, &job);
		usleep(20000);
		igt_assert_eq(gpu_fence_status(second.fd, theirs), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, held, 0), 0);
		igt_assert_eq(gpu_fence_end(second.fd, theirs, 0), 0);
		igt_assert_eq_u32(*limn_word(&c, 0), 2);
		gem_close(second.fd, other.target.handle);
		close(dma_buf);
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&second);
	}
}

/* How a thread takes a BO's last handle away from a submit that is under way. */
struct closer {
	pthread_t thread;
	int fd;
	uint32_t handle;
	sem_t go;
};

static void *close_soon(void *data)
{
	struct closer *closer = data;

	sem_wait(&closer->go);
	gem_close(closer->fd, closer->handle);
	return NULL;
}

/* 0: closed too early, the submit did not find it; 1: it was queued. */
static int submit_while_closing(struct gpu_client *other, struct limn_job *job, uint32_t *fence)
{
	struct closer closer = { .fd = other->fd, .handle = other->target.handle };
	struct limn_list l;
	int ret;

	limn_list_init(&l, other->ctx);
	limn_list_add(&l, job);
	*fence = syncobj_create(other->fd, 0);
	limn_list_out(&l, 0, 0, *fence, 0);
	sem_init(&closer.go, 0, 0);
	igt_assert_eq(pthread_create(&closer.thread, NULL, close_soon, &closer), 0);
	sem_post(&closer.go);
	ret = limn_try_list(other->fd, &l);
	pthread_join(closer.thread, NULL);
	sem_destroy(&closer.go);
	igt_assert(!ret || ret == -ENOENT);
	if (ret)
		syncobj_destroy(other->fd, *fence);
	return !ret;
}

static void closing(void)
{
	igt_describe("A foreign fence on a BO holds a job back, even if its last handle is closed during the submit");
	igt_subtest("closed-while-submitting") {
		enum { ROUNDS = 40 };
		unsigned int queued = 0;
		char delay[32];
		bool sleeps = dev_read("power/autosuspend_delay_ms", delay, sizeof(delay)) > 0;

		/* With the GPU asleep, a submit takes long after it has found its BOs. */
		if (sleeps)
			dev_write("power/autosuspend_delay_ms", "0");
		for (uint32_t i = 0; i < ROUNDS; i++) {
			struct gpu_client other = c;
			struct gpu_gate gate = gpu_gate_new(c.fd);
			struct dma_buf_import_sync_file import = { .flags = DMA_BUF_SYNC_RW, .fd = gate.file };
			struct limn_job job;
			uint32_t fence;
			int dma_buf;

			other.target = limn_bo_new(c.fd, 65536, 0, 0);
			dma_buf = prime_handle_to_fd(c.fd, other.target.handle);
			igt_assert_eq(gpu_try(dma_buf, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import), 0);
			close(dma_buf);
			job = limn_store(&other, 0, 1);
			if (submit_while_closing(&other, &job, &fence)) {
				queued++;
				usleep(2000);
				igt_assert_f(!gpu_fence_status(c.fd, fence), "round %u: it did not wait\n", i);
				gpu_gate_open(&gate);
				igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
			}
			munmap(other.target.map, other.target.size);
			gpu_gate_free(c.fd, &gate);
		}
		if (sleeps)
			dev_write("power/autosuspend_delay_ms", delay);
		igt_info("%u of %u submits came first\n", queued, ROUNDS);
		igt_assert(queued);
	}
}

static void with_vgem(void)
{
	igt_describe("A BO of vgem, imported: our job writes it");
	igt_subtest("vgem-import") {
		struct drm_mode_create_dumb create = { .width = 64, .height = 512, .bpp = 32 };
		struct drm_mode_map_dumb map = { 0 };
		int vgem = vgem_open(), dma_buf;
		struct gpu_client other;
		struct limn_job job;

		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
		dma_buf = prime_handle_to_fd(vgem, create.handle);
		other = with_import(&c, dma_buf);
		job = limn_clear(&other, 0x31323334);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		map.handle = create.handle;
		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
		other.target.map = mmap(NULL, other.target.size, PROT_READ, MAP_SHARED, vgem, map.offset);
		igt_assert(other.target.map != MAP_FAILED);
		limn_check_picture(&other, 0x31323334);
		gpu_bo_free(&other.target);
		close(dma_buf);
		close(vgem);
	}

	igt_describe("Our BO in vgem: it sees what our job wrote");
	igt_subtest("vgem-export") {
		struct gpu_client other = c;
		uint32_t handle, *seen;
		struct limn_job job;
		int vgem = vgem_open(), dma_buf;

		/* vgem's device takes no segment beyond 64 KiB, and DRM's exporters do not ask. */
		other.target = limn_bo_new(c.fd, 65536, 0, 0);
		dma_buf = prime_handle_to_fd(c.fd, other.target.handle);
		handle = prime_fd_to_handle(vgem, dma_buf);
		job = limn_clear(&other, 0x41424344);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		seen = mmap(NULL, 4096, PROT_READ, MAP_SHARED, dma_buf, 0);
		igt_assert(seen != MAP_FAILED);
		igt_assert_eq_u32(seen[100], 0x41424344);
		munmap(seen, 4096);
		gem_close(vgem, handle);
		gpu_bo_free(&other.target);
		close(dma_buf);
		close(vgem);
	}

	igt_describe("A fence that vgem put on its BO holds our job back");
	igt_subtest("vgem-fence") {
		struct drm_mode_create_dumb create = { .width = 64, .height = 512, .bpp = 32 };
		int vgem = vgem_open(), dma_buf;
		struct gpu_client other;
		struct limn_job job;
		uint32_t fence, theirs;

		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
		dma_buf = prime_handle_to_fd(vgem, create.handle);
		other = with_import(&c, dma_buf);
		theirs = vgem_fence_attach(vgem, create.handle);
		job = limn_store(&other, 0, 7);
		fence = limn_submit_fence(c.fd, &job);
		usleep(20000);
		igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
		vgem_fence_signal(vgem, theirs);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gem_close(c.fd, other.target.handle);
		close(dma_buf);
		close(vgem);
	}
}

#define SHARED	(128u << 10)	/* enough for the picture of either family */

/* A client of each driver; skips on a machine with one GPU. client[0] owns memory that it gives to client[1]. */
static void two_gpus(struct gpu_client *client, int *dma_buf, int first)
{
	static const char *const abi[] = { "lima", "etnaviv" };

	for (int i = 0; i < 2; i++) {
		int fd = gpu_try_open(abi[i ^ first]);

		igt_require_f(fd >= 0, "no GPU with the %s ABI beside another\n", abi[i ^ first]);
		client[i] = limn_client_on(fd);
	}
	gpu_bo_free(&client[0].target);
	client[0].target = limn_bo_new(client[0].fd, SHARED, 0, 0);
	*dma_buf = prime_handle_to_fd(client[0].fd, client[0].target.handle);
	gpu_bo_free(&client[1].target);
	client[1] = with_import(&client[1], *dma_buf);
}

static void two_gpus_free(struct gpu_client *client, int dma_buf)
{
	close(dma_buf);
	for (int i = 0; i < 2; i++)
		limn_client_free(&client[i]);
}

static void between_gpus(void)
{
	igt_describe("Two GPUs of different drivers write the same memory in turn, whoever owns it");
	igt_subtest("two-gpus")
		for (int first = 0; first < 2; first++) {
			struct gpu_client client[2];
			int dma_buf;

			two_gpus(client, &dma_buf, first);
			for (uint32_t i = 0; i < 6; i++) {
				struct limn_job job = limn_clear(&client[i & 1], 0x51000000 + i);

				igt_assert_eq(limn_run(client[i & 1].fd, &job), 0);
				limn_check_picture(&client[0], 0x51000000 + i);
			}
			two_gpus_free(client, dma_buf);
		}

	igt_describe("The one's fence on the memory holds the other's job back, and so does a sync file");
	igt_subtest("two-gpus-fences")
		for (int how = 0; how < 4; how++) {
			struct gpu_client client[2];
			struct gpu_gate gate;
			struct limn_job job;
			uint32_t held, later;
			int dma_buf, file;

			two_gpus(client, &dma_buf, how & 1);
			gate = gpu_gate_new(client[0].fd);
			job = limn_clear(&client[0], 1);
			job.in_sync = gate.syncobj;
			held = limn_submit_fence(client[0].fd, &job);
			job = limn_clear(&client[1], 2);
			if (how & 2) {
				igt_assert_eq(drmSyncobjExportSyncFile(client[0].fd, held, &file), 0);
				job.in_sync = syncobj_create(client[1].fd, 0);
				syncobj_import_sync_file(client[1].fd, job.in_sync, file);
				close(file);
			}
			later = limn_submit_fence(client[1].fd, &job);
			usleep(20000);
			igt_assert_eq(gpu_fence_status(client[1].fd, later), 0);
			gpu_gate_open(&gate);
			igt_assert_eq(gpu_fence_end(client[0].fd, held, 0), 0);
			igt_assert_eq(gpu_fence_end(client[1].fd, later, 0), 0);
			limn_check_picture(&client[0], 2);
			gpu_gate_free(client[0].fd, &gate);
			two_gpus_free(client, dma_buf);
		}

	igt_describe("A hang of one GPU: the other one, which waits for its memory, goes on");
	igt_subtest("two-gpus-hang")
		for (int first = 0; first < 2; first++) {
			struct gpu_client client[2];
			struct limn_job job;
			uint32_t bad;
			int dma_buf;

			two_gpus(client, &dma_buf, first);
			gpu_be_patient(12);
			job = limn_endless(&client[0], 1);
			limn_job_use(&job, &client[0].target, LIMN_WRITE);
			bad = limn_submit_fence(client[0].fd, &job);
			job = limn_clear(&client[1], 7);
			igt_assert_eq(limn_run(client[1].fd, &job), 0);
			igt_assert_eq(gpu_fence_end(client[0].fd, bad, 0), -ETIMEDOUT);
			limn_check_picture(&client[0], 7);
			gpu_be_patient(0);
			two_gpus_free(client, dma_buf);
		}
}

igt_main
{
	igt_fixture
		c = limn_client_new();
	between_files();
	closing();
	with_vgem();
	between_gpus();
	igt_fixture
		limn_client_free(&c);
}
