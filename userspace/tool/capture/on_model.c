// SPDX-License-Identifier: MIT
/* Replays on the in-process model. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>

#include "model/carriers/host/host.h"
#include "tool/capture/replay.h"
#include "tool/message.h"
#include "tool/target.h"
#include "tool/trace/activity.h"

#define RAM	(1ull << 30)

struct replay_gpu {
	struct host *host;
	const struct replay_options *o;
	void (*write)(void *ctx, const char *name, const char *part, enum model_activity what, const char *text);
	uint64_t slices;	/* that the options' activity() was told of */
};

static void on_report(void *ctx, const char *unit, const char *text)
{
	const struct replay_gpu *gpu = ctx;
	char line[600];

	snprintf(line, sizeof(line), "%s: %s", unit, text);
	if (gpu->o->report)
		gpu->o->report(gpu->o->ctx, line);
}

static void on_activity(void *ctx, const char *name, const char *part, enum model_activity what, const char *text)
{
	struct replay_gpu *gpu = ctx;
	struct model_stats stats;

	if (gpu->write)
		gpu->write(NULL, name, part, what, text);
	if (!gpu->o->activity || what == MODEL_HAPPENED || !gpu->host)
		return;
	model_get_stats(host_model(gpu->host), &stats);
	gpu->o->activity(gpu->o->ctx, part, what == MODEL_BEGINS, stats.slices - gpu->slices);
	gpu->slices = stats.slices;
}

static int open_gpu(const struct replay_options *o, const struct capture_file *file, struct replay_gpu **out,
		    struct limn_error *err)
{
	struct host_config config = {
		.gpu = o->model ? o->model : capture_gpu(file), .strict = o->strict, .seed = o->seed, .ram = RAM,
		.threads = target_threads(o->threads),
		.report = on_report,
	};
	struct replay_gpu *gpu = calloc(1, sizeof(*gpu));
	struct host_identity id;
	int ret;

	if (!gpu)
		return limn_fail(err, -1, "out of memory");
	gpu->o = o;
	gpu->write = activity_writer();
	config.ctx = gpu;
	config.activity = o->activity || gpu->write ? on_activity : NULL;
	ret = host_create(&config, &gpu->host);
	if (ret) {
		free(gpu);
		if (!*config.gpu)
			return limn_fail(err, -1, "there is no model of the GPU that was captured; give --model");
		return limn_fail(err, -1, "model '%s': %s%s", config.gpu, ret == -ENODEV ? "there is none" : strerror(-ret),
				 ret == -ENODEV ? did_you_mean(config.gpu, target_models, NULL) : "");
	}
	*out = gpu;
	if ((host_identity(gpu->host, 0, &id) == 0) != (file->told.family == LIMN_CAPTURE_VIVANTE))
		return limn_fail(err, -1, "the capture is of a %s, but %s is not one",
				 file->told.family == LIMN_CAPTURE_VIVANTE ? "Vivante" : "Mali Utgard", config.gpu);
	return 0;
}

static void close_gpu(struct replay_gpu *gpu)
{
	host_destroy(gpu->host);
	free(gpu);
}

static int create(struct replay_gpu *gpu, const struct capture_bo *bo, uint32_t va, struct replay_bo *to,
		  struct limn_error *err)
{
	uint32_t flags = bo->told.flags & LIMN_CAPTURE_HEAP ? HOST_BO_HEAP : 0, backed;
	void *map;
	bool chosen = va || bo->file->told.family == LIMN_CAPTURE_UTGARD;
	int ret = chosen ? host_bo_create_at(gpu->host, va, bo->told.size, flags, &to->handle) :
			   host_bo_create(gpu->host, bo->told.size, flags, &to->handle);

	if (ret) {
		to->handle = 0;
		return limn_fail(err, -1, "a BO of %llu bytes at 0x%08x: %s", (unsigned long long)bo->told.size, va,
				 ret == -ENOMEM ? "there is no memory, or another one is there" : strerror(-ret));
	}
	host_bo_info(gpu->host, to->handle, &to->va, &map, &backed);
	to->map = flags ? NULL : map;
	return 0;
}

static void free_bo(struct replay_gpu *gpu, struct replay_bo *bo)
{
	host_bo_free(gpu->host, bo->handle);
}

static int submit(struct replay_gpu *gpu, const struct capture_submit *s, const uint32_t *words, struct limn_error *err)
{
	enum host_status status;
	int ret;

	if (s->file->told.family == LIMN_CAPTURE_UTGARD)
		ret = host_submit(gpu->host, s->told.pipe == LIMA_PIPE_GP ? HOST_PIPE_GP : HOST_PIPE_PP, words,
				  s->told.cmd_size, &status);
	else
		ret = host_submit_stream(gpu->host, s->told.exec_state == ETNA_PIPE_2D ? HOST_PIPE_2D : HOST_PIPE_3D, words,
					 s->told.cmd_size / 4, &status);
	if (ret)
		return limn_fail(err, -1, "this GPU does not take such a job");
	if (status == HOST_OK)
		return 0;
	limn_fail(err, -1, "%s", host_error(gpu->host));
	return 1;
}

struct model *replay_model(const struct replay_gpu *gpu)
{
	return host_model(gpu->host);
}

const struct replay_carrier replay_on_model = {
	.open = open_gpu,
	.close = close_gpu,
	.create = create,
	.free = free_bo,
	.submit = submit,
};
