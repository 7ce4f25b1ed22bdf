// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("What a client's states are used for: its own jobs, and nobody else's");

#define MARK	0xdeadbeefu
#define VALUE	0x12345678u
#define ROWS	8u
#define SIZE	(ROWS * 256u)

struct client {
	int fd;
	struct etna_bo bo;
	struct etna_job job;
};

static void mark(struct client *c)
{
	for (uint32_t i = 0; i < SIZE / 4; i++)
		c->bo.map[i] = MARK;
}

static void is_all(const struct client *c, uint32_t value)
{
	for (uint32_t i = 0; i < SIZE / 4; i++)
		igt_assert_eq_u32(c->bo.map[i], value);
}

static void open_client(struct client *c)
{
	c->fd = etna_open();
	c->bo = etna_bo_new(c->fd, 4096);
	mark(c);
}

static void close_client(struct client *c)
{
	etna_bo_free(&c->bo);
	close(c->fd);
}

/* A job that loads all that a fill takes; its BO is in the list and so has an address. */
static void fill(struct client *c)
{
	etna_job_new(c->fd, &c->job);
	etna_job_fill_rows(c->fd, &c->job, &c->bo, 0, ROWS, VALUE);
	igt_assert_eq(etna_run(c->fd, &c->job), 0);
}

/* A job that loads nothing and lets the engine go: 0 or its error. */
static int go(struct client *c)
{
	uint32_t exec_state = c->job.exec_state;

	etna_job_new(c->fd, &c->job);
	c->job.exec_state = exec_state;
	c->job.fill_rows = ROWS;
	etna_job_use(&c->job, &c->bo, ETNA_SUBMIT_BO_WRITE);
	etna_job_fill_again(c->fd, &c->job);
	return etna_run(c->fd, &c->job);
}

/* What one job has loaded is there for the next one of the same file. */
static void own(struct client *a)
{
	fill(a);
	is_all(a, VALUE);
	mark(a);
	igt_assert_eq(go(a), 0);
	is_all(a, VALUE);
}

/*
 * Another client's engine goes without an address of its own. With MMUv1 the one
 * left there was the BO of the client before, with MMUv2 whatever this one has
 * there: BOs of the same size tend to have the same address. MMUv2 may say EFAULT.
 */
static void addresses(struct client *a, struct client *b)
{
	int error;

	/* So that it has an address, which a fill of its own is not to leave behind. */
	fill(b);
	for (int i = 0; i < 4; i++) {
		fill(a);
		mark(a);
		mark(b);
		b->job.exec_state = a->job.exec_state;
		error = go(b);
		igt_assert(error == 0 || (etna_has_softpin(b->fd) && error == -EFAULT));
		is_all(a, MARK);
		is_all(b, MARK);
	}
	fill(a);
	is_all(a, VALUE);
}

/* A client that comes after one that is gone, with the same address space or another one. */
static void gone(struct client *a)
{
	struct client b;

	for (int i = 0; i < 4; i++) {
		open_client(&b);
		fill(&b);
		close_client(&b);
		mark(a);
		b.job.exec_state = a->job.exec_state;
		go(a);
		is_all(a, MARK);
	}
}

/* KiB of this process that devices have pinned. */
static long pinned(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	igt_assert(file);
	while (kib < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "VmPin: %ld", &kib);
	fclose(file);
	igt_assert(kib >= 0);
	return kib;
}

/* The client's memory as a BO, filled by a job; the BO is gone with the job when this returns. */
static void fill_and_close(struct client *a, uint32_t *page)
{
	struct drm_etnaviv_gem_userptr req = {
		.user_ptr = (uintptr_t)page, .user_size = 4096, .flags = ETNA_USERPTR_READ | ETNA_USERPTR_WRITE,
	};
	struct client user = { .fd = a->fd, .bo = { .fd = a->fd, .size = 4096, .map = page } };
	long before = pinned();

	igt_assert_eq(gpu_try(a->fd, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req), 0);
	user.bo.handle = req.handle;
	mark(&user);
	fill(&user);
	is_all(&user, VALUE);
	gem_close(a->fd, req.handle);
	a->job.exec_state = user.job.exec_state;
	/* A job gives its BOs back a moment after its fence has signalled. */
	for (int i = 0; i < 20000 && pinned() != before; i++)
		usleep(1000);
	igt_assert_eq(pinned(), before);
}

/*
 * The engine goes where the last job had a BO that is closed now: its pages are still this
 * process', and stay as they are. What a TLB then has of that address is not what the next
 * BO there finds.
 */
static void closed(struct client *a)
{
	struct client user = { .fd = a->fd };
	int error;

	igt_require(etna_is_limn());
	user.bo.map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(user.bo.map != MAP_FAILED);
	for (int i = 0; i < 4; i++) {
		fill_and_close(a, user.bo.map);
		mark(&user);
		error = go(a);
		igt_assert(error == 0 || (etna_has_softpin(a->fd) && error == -EFAULT));
		is_all(&user, MARK);
	}
	munmap(user.bo.map, 4096);
}

igt_main
{
	static struct client a, b;

	igt_fixture {
		open_client(&a);
		open_client(&b);
	}
	igt_subtest("own")
		own(&a);
	igt_subtest("addresses")
		addresses(&a, &b);
	igt_subtest("gone")
		gone(&a);
	igt_describe("A job does not reach what its own client has closed before, nor does a later BO there miss its job");
	igt_subtest("closed")
		closed(&a);
	igt_fixture {
		close_client(&a);
		close_client(&b);
	}
}
