// SPDX-License-Identifier: MIT
/*
 * What liblimn offers beyond BOs and jobs, each once, on any driver: what limn.ko alone has must say so on others.
 * Compiled as a stranger's program is, by host/liblimn; the jobs are the example's triangle.
 */
#define main triangle_main
#include "../../../lib/examples/triangle.c"
#undef main

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(yes, ...)	do { if (!(yes)) { fprintf(stderr, "verbs.c:%d: ", __LINE__); fprintf(stderr, __VA_ARGS__); \
				    fprintf(stderr, "%s%s\n", *err.text ? ": " : "", err.text); exit(1); } } while (0)

static struct limn_error err;
static bool utgard;

static bool is_right(const uint8_t *rgba)
{
	const uint8_t *inside = rgba + 4 * (SIZE * 64 + 64), *outside = rgba + 4 * (SIZE * 4 + 4);

	return inside[0] == 255 && inside[1] == 77 && inside[2] == 0 && outside[0] == 40 && outside[2] == 40;
}

/* A job that waits for a syncobj which another thread signals, and then signals a timeline. */
static void *signal_later(void *arg)
{
	struct limn_device *dev = ((void **)arg)[0];

	usleep(50000);
	limn_syncobj_signal(dev, *(uint32_t *)((void **)arg)[1], 0, NULL);
	return NULL;
}

/* point 0: of a binary one, as lima.ko has no timelines. */
static void try_sync(struct limn_device *dev, uint32_t ctx, uint32_t perfmon, uint64_t point)
{
	static uint8_t rgba[SIZE * SIZE * 4];
	uint32_t binary, timeline;
	struct limn_sync in = { 0 }, out = { 0 };
	struct limn_how how = { .size = sizeof(how), .ctx = ctx, .perfmon = perfmon, .in = &in, .num_in = 1, .out = &out, .num_out = 1 };
	pthread_t thread;
	int file;

	CHECK(!limn_syncobj_create(dev, false, &binary, &err) && !limn_syncobj_create(dev, false, &timeline, &err), "syncobjs");
	CHECK(limn_syncobj_wait(dev, binary, 0, 1000000, &err) == -ETIME, "a wait for nothing ends in time");
	in.syncobj = binary;
	out.syncobj = timeline;
	out.point = point;
	pthread_create(&thread, NULL, signal_later, (void *[]){ dev, &binary });
	CHECK(!draw(dev, &how, rgba, &err) && is_right(rgba), "a job between syncobjs");
	pthread_join(thread, NULL);
	CHECK(!limn_syncobj_wait(dev, timeline, point, 1000000000, &err), "its syncobj");
	CHECK(!point || limn_syncobj_wait(dev, timeline, point + 1, 1000000, &err) == -ETIME, "a point that nobody signals");
	CHECK(!limn_syncobj_get_file(dev, binary, &file, &err) && !limn_syncobj_set_file(dev, binary, file, &err), "sync files");
	in.syncobj = (uint32_t)file;
	in.flags = LIMN_SYNC_FILE;
	out.point = point ? point + 2 : 0;
	memset(rgba, 0, sizeof(rgba));
	CHECK(!draw(dev, &how, rgba, &err) && is_right(rgba), "a job behind a sync file");
	close(file);
	limn_syncobj_destroy(dev, binary);
	limn_syncobj_destroy(dev, timeline);
}

static void try_limn(struct limn_device *dev)
{
	struct drm_limn_perf_domain domain;
	struct drm_limn_perf_signal signal;
	struct drm_limn_job_stat stats[64];
	struct drm_limn_ctx_query state;
	uint64_t value = 0, jobs = 0;
	uint32_t ctx, perfmon, num = 64;
	struct limn_bo *bo;
	bool retained;

	CHECK(!limn_ctx_create(dev, DRM_LIMN_PRIORITY_LOW, 500, &ctx, &err), "a context");
	CHECK(limn_ctx_create(dev, 77, 0, &num, &err) == -EINVAL, "a priority that is none");
	num = 64;
	CHECK(!limn_perf_domain(dev, 0, &domain, &err) && !limn_perf_signal(dev, 0, 0, &signal, &err), "counters");
	CHECK(limn_perf_domain(dev, 1000, &domain, &err) == -EINVAL, "a domain that is none");
	CHECK(!limn_perfmon_create(dev, 0, &(struct drm_limn_perf_counter){ 0, signal.signal }, 1, &perfmon, &err), "a perfmon");
	try_sync(dev, ctx, perfmon, 5);
	CHECK(!limn_perfmon_read(dev, perfmon, true, &value, 1, &jobs, &err) && jobs >= 2, "a perfmon's sums of %d jobs", (int)jobs);
	CHECK(!limn_perfmon_destroy(dev, perfmon, &err) && limn_perfmon_destroy(dev, perfmon, &err) == -ENOENT, "its end");
	CHECK(!limn_job_stats(dev, ctx, 0, stats, &num, &err) && num >= 2 && stats[0].ended_ns >= stats[0].started_ns &&
	      !stats[num - 1].error, "job statistics");
	CHECK(!limn_ctx_query(dev, ctx, &state, &err) && !state.banned && state.priority == DRM_LIMN_PRIORITY_LOW &&
	      state.timeout_ms == 500 && state.reset == DRM_LIMN_RESET_NONE, "a context's state");
	CHECK(!limn_ctx_free(dev, ctx, &err) && limn_ctx_free(dev, ctx, &err) == -ENOENT, "a context's end");
	CHECK(!limn_bo_create(dev, 8192, 0, &bo, &err), "a BO");
	limn_bo_label(bo, "label of %s", "verbs.c");
	CHECK(!limn_bo_madvise(bo, false, &retained, &err) && !limn_bo_madvise(bo, true, &retained, &err) && retained, "madvise");
	limn_bo_free(bo);
}

/* The bytes of one device's BO through another's. */
static void try_import(struct limn_device *dev, const char *path)
{
	struct limn_device *other;
	struct limn_bo *bo, *same;
	int fd;

	CHECK(!limn_open_any(path, &other, &err) && !limn_bo_create(dev, 4096, 0, &bo, &err), "a second device");
	strcpy(bo->map, "over there");
	CHECK(!limn_bo_export(bo, &fd, &err) && !limn_bo_import(other, fd, &same, &err), "PRIME");
	CHECK(same->size == 4096 && !strcmp(same->map, "over there"), "what was imported");
	close(fd);
	CHECK(limn_bo_import(other, 0, &bo, NULL) < 0, "an import of what is no BO");
	limn_bo_free(same);
	limn_close(other);
}

static void *draw_some(void *dev)
{
	static __thread uint8_t rgba[SIZE * SIZE * 4];
	struct limn_error e = { "another picture" };

	for (int i = 0; i < 10; i++)
		if (draw(dev, NULL, rgba, &e) || !is_right(rgba))
			return fprintf(stderr, "thread: %s\n", e.text), "wrong";
	return NULL;
}

/* A varying, whose colour is the same in all corners; and what is no triangle. */
static void try_triangles(struct limn_device *dev)
{
	static const float green[3][4] = { { 0, 1, 0, 1 }, { 0, 1, 0, 1 }, { 0, 1, 0, 1 } };
	static uint8_t rgba[SIZE * SIZE * 4];
	struct limn_triangles t = {
		.size = sizeof(t), .width = SIZE, .height = SIZE, .attributes = { corners, green }, .num_attributes = 2, .num_vertices = 3,
		.vertex_shader = utgard ? "mov.a0 ^_/v0.x a0.x\nmov.a1 ^_/v0.y a0.y\nmov.m0 ^_/v0.z a0.z\nmov.m1 ^_/v0.w a0.w\n\n"
					  "mov.a0 ^_/v1.x a1.x\nmov.a1 ^_/v1.y a1.y\nmov.m0 ^_/v1.z a1.z\nmov.m1 ^_/v1.w a1.w\n" :
					  "mov t0, void, void, t0\nmov t1, void, void, t1\n",
		.fragment_shader = utgard ? "load.v $0 0, stop\n" : "mov t1, void, void, t1\n",
	};
	const uint8_t *inside = rgba + 4 * (SIZE * 64 + 64);

	CHECK(!limn_draw_triangles(dev, &t, rgba, &err) && !inside[0] && inside[1] == 255 && !rgba[1], "a varying");
	t.num_vertices = 4;
	CHECK(limn_draw_triangles(dev, &t, rgba, &err) == -EINVAL && strstr(err.text, "no triangles"), "four vertices");
	t.num_vertices = 3;
	t.fragment_shader = "\nnonsense\n";
	CHECK(limn_draw_triangles(dev, &t, rgba, &err) == -EINVAL && strstr(err.text, "fragment shader, line 2: "), "a shader of nonsense");
	err.text[0] = 0;
}

int main(int argc, char **argv)
{
	struct limn_device *dev;
	pthread_t threads[4];
	uint64_t value;

	CHECK(!limn_open_any(argc > 1 ? argv[1] : NULL, &dev, &err), "no device");
	err.text[0] = 0;
	utgard = limn_get_info(dev)->family == LIMN_UTGARD;
	if (!strncmp(limn_get_info(dev)->desc, "limn", 4)) {
		try_limn(dev);
	} else {
		CHECK(limn_ctx_create(dev, 0, 0, (uint32_t *)&value, &err) == -ENOTSUP && strstr(err.text, "limn.ko"), "no context");
		CHECK(limn_get_param(dev, 0, &value, &err) == -ENOTSUP, "no parameter");
		CHECK(utgard || limn_syncobj_create(dev, false, (uint32_t *)&value, &err) == -ENOTSUP, "no syncobj on etnaviv.ko");
		err.text[0] = 0;
	}
	if (utgard || !strncmp(limn_get_info(dev)->desc, "limn", 4))
		try_sync(dev, 0, 0, 0);
	try_triangles(dev);
	try_import(dev, limn_get_info(dev)->path);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, draw_some, dev);
	for (int i = 0; i < 4; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		CHECK(!wrong, "four threads, one device");
	}
	limn_close(dev);
	puts("all verbs");
	return 0;
}
