// SPDX-License-Identifier: MIT
/* The in-process model as a backend of liblimn, and the choice between it and a node. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>

#include "model/carriers/host/host.h"
#include "model/model.h"
#include "model/profile.h"
#include "model/report.h"
#include "tool/target.h"
#include "tool/trace/activity.h"

#define DEFAULT_MODEL "mali-400-mp2"

/* Jobs run inside submit(), which also tells how they ended; a fence is a job's number. */
struct model_backend {
	struct host *host;
	struct limn_device *dev;
	uint64_t jobs;
	const char *gpu;
	void (*report)(void *ctx, const char *text);
	void *ctx;
	struct model_backend *next;
};

static struct model_backend *backends;

static void print_report(void *ctx, const char *unit, const char *text)
{
	const struct model_backend *be = ctx;
	char line[600];

	snprintf(line, sizeof(line), "%s: %s", unit, text);
	if (be->report)
		be->report(be->ctx, line);
	else
		fprintf(stderr, "model: %s\n", line);
}

/* As the etnaviv ABI numbers them. */
static void set_params(const struct host_identity *id, uint64_t *p)
{
	for (int i = 0; i < 13; i++)
		p[ETNAVIV_PARAM_GPU_FEATURES_0 + i] = id->features[i];
	p[ETNAVIV_PARAM_GPU_MODEL] = id->model;
	p[ETNAVIV_PARAM_GPU_REVISION] = id->revision;
	p[ETNAVIV_PARAM_GPU_PRODUCT_ID] = id->product_id;
	p[ETNAVIV_PARAM_GPU_CUSTOMER_ID] = id->customer_id;
	p[ETNAVIV_PARAM_GPU_ECO_ID] = id->eco_id;
	p[ETNAVIV_PARAM_GPU_STREAM_COUNT] = id->stream_count;
	p[ETNAVIV_PARAM_GPU_REGISTER_MAX] = id->register_max;
	p[ETNAVIV_PARAM_GPU_THREAD_COUNT] = id->thread_count;
	p[ETNAVIV_PARAM_GPU_VERTEX_CACHE_SIZE] = id->vertex_cache_size;
	p[ETNAVIV_PARAM_GPU_SHADER_CORE_COUNT] = id->shader_core_count;
	p[ETNAVIV_PARAM_GPU_PIXEL_PIPES] = id->pixel_pipes;
	p[ETNAVIV_PARAM_GPU_VERTEX_OUTPUT_BUFFER_SIZE] = id->vertex_output_buffer_size;
	p[ETNAVIV_PARAM_GPU_BUFFER_SIZE] = id->buffer_size;
	p[ETNAVIV_PARAM_GPU_INSTRUCTION_COUNT] = id->instruction_count;
	p[ETNAVIV_PARAM_GPU_NUM_CONSTANTS] = id->num_constants;
	p[ETNAVIV_PARAM_GPU_NUM_VARYINGS] = id->num_varyings;
	p[ETNAVIV_PARAM_SOFTPIN_START_ADDR] = ~0ull;
}

static int model_get_info(void *priv, struct limn_info *info, struct limn_error *err)
{
	struct model_backend *be = priv;
	struct host_identity id;

	snprintf(info->driver, sizeof(info->driver), "model");
	snprintf(info->desc, sizeof(info->desc), "limn in-process model");
	info->version[0] = 1;
	while (info->num_cores < LIMN_MAX_CORES && !host_identity(be->host, info->num_cores, &id))
		set_params(&id, info->params[info->num_cores++]);
	if (info->num_cores) {
		info->family = LIMN_VIVANTE;
		info->version[1] = TARGET_ETNAVIV_MINOR;
		return 0;
	}
	info->version[1] = TARGET_LIMA_MINOR;
	info->gpu = host_gpu_id(be->host) == 0x450 ? 450 : 400;
	info->num_pp = host_num_pp(be->host);
	info->gp_version = host_gp_version(be->host);
	info->pp_version = host_pp_version(be->host);
	return 0;
}

static int model_bo_create(void *priv, uint32_t size, uint32_t flags, struct limn_bo *bo,
			   struct limn_error *err)
{
	struct model_backend *be = priv;
	uint32_t backed;
	int ret = host_bo_create(be->host, size, flags & LIMN_BO_HEAP ? HOST_BO_HEAP : 0,
				 &bo->handle);

	if (!ret)
		ret = host_bo_info(be->host, bo->handle, &bo->va, &bo->map, &backed);
	if (ret)
		return limn_fail(err, ret, "BO of %u bytes: %s", size, strerror(-ret));
	if (flags & LIMN_BO_HEAP)
		bo->map = NULL;
	return 0;
}

static void model_bo_free(void *priv, struct limn_bo *bo)
{
	struct model_backend *be = priv;

	host_bo_free(be->host, bo->handle);
}

static int model_submit(void *priv, const struct limn_submit *submit, uint64_t *fence,
			struct limn_error *err)
{
	static const char *const names[] = {
		[LIMN_PIPE_GP] = "GP", [LIMN_PIPE_PP] = "PP", [LIMN_PIPE_3D] = "3D", [LIMN_PIPE_2D] = "2D",
	};
	struct model_backend *be = priv;
	enum host_status status;
	int ret;

	if (submit->words)
		ret = host_submit_stream(be->host, submit->pipe == LIMN_PIPE_2D ? HOST_PIPE_2D : HOST_PIPE_3D,
					 submit->words, submit->num_words, &status);
	else
		ret = host_submit(be->host, submit->pipe == LIMN_PIPE_GP ? HOST_PIPE_GP : HOST_PIPE_PP,
				  submit->frame, submit->frame_size, &status);
	if (ret)
		return limn_fail(err, ret, "submit of a %s job: %s", names[submit->pipe], strerror(-ret));
	if (status != HOST_OK)
		return limn_fail(err, status == HOST_TIMEOUT ? -ETIMEDOUT : -EIO, "the %s job failed: %s",
				 names[submit->pipe], host_error(be->host));
	*fence = be->jobs++;
	return 0;
}

static int model_wait(void *priv, uint64_t fence, int64_t timeout_ns, struct limn_error *err)
{
	return 0;
}

static void model_fence_free(void *priv, uint64_t fence)
{
}

static void model_close(void *priv)
{
	struct model_backend *be = priv, **link = &backends;

	while (*link && *link != be)
		link = &(*link)->next;
	if (*link)
		*link = be->next;
	host_destroy(be->host);
	free(be);
}

static const struct limn_backend model_backend_ops = {
	.size = sizeof(model_backend_ops),
	.get_info = model_get_info,
	.bo_create = model_bo_create,
	.bo_free = model_bo_free,
	.submit = model_submit,
	.wait = model_wait,
	.fence_free = model_fence_free,
	.close = model_close,
};

/* The model does as the report of its chip says, all of which is read before any of it counts. */
static int follow(struct model *m, const char *gpu, const char *path, struct limn_error *err)
{
	struct report *r = calloc(1, sizeof(*r));
	unsigned int line;
	const char *what;
	int ret = 0;

	if (!r)
		return limn_fail(err, -ENOMEM, "out of memory");
	if (!report_load(r, path, &line, &what))
		ret = line ? limn_fail(err, -EINVAL, "%.150s:%u: %s", path, line, what) :
			     limn_fail(err, -ENOENT, "%.150s: %s", path, what);
	else if (strcmp(r->gpu, gpu))
		ret = limn_fail(err, -EINVAL, "%.150s:5: a report of a %s, not of a %s", path, r->gpu, gpu);
	else
		model_follow(m, r);
	free(r);
	return ret;
}

unsigned int target_threads(uint64_t said)
{
	return said ? (unsigned int)said : (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool profile_failed;	/* what target_open() failed at last */

static int open_model(const struct target *target, const char *name, struct limn_device **dev,
		      struct limn_error *err)
{
	struct host_config config = {
		.gpu = name,
		.strict = target->strict,
		.seed = target->seed,
		.lowest = target->lowest,
		.threads = target_threads(target->threads),
		.report = print_report,
		.activity = activity_writer(),
	};
	struct model_backend *be = calloc(1, sizeof(*be));
	int ret;

	if (!be)
		return limn_fail(err, -ENOMEM, "out of memory");
	config.ctx = be;
	be->report = target->report;
	be->ctx = target->ctx;
	ret = host_create(&config, &be->host);
	if (ret) {
		free(be);
		return limn_fail(err, ret, "model '%s': %s%s", name, ret == -ENODEV ? "there is none" : strerror(-ret),
				 ret == -ENODEV ? did_you_mean(name, target_models, NULL) : "");
	}
	ret = target->profile ? follow(host_model(be->host), name, target->profile, err) : 0;
	profile_failed = ret;
	if (ret) {
		host_destroy(be->host);
		free(be);
		return ret;
	}
	be->gpu = model_gpu_find(name)->name;
	ret = limn_open_backend(&model_backend_ops, be, dev, err);
	if (ret)
		return ret;
	be->dev = *dev;
	be->next = backends;
	backends = be;
	return 0;
}

const char *target_models(void *ctx, unsigned int index)
{
	const struct model_gpu *gpu = model_gpu_at(index);

	return gpu ? gpu->name : NULL;
}

static int open_family(enum limn_family family, const char *path, struct limn_device **dev, struct limn_error *err)
{
	return family == LIMN_VIVANTE ? limn_open_vivante(path, dev, err) : limn_open(path, dev, err);
}

/* A node of the family; of the other one where the user gave its path, or either will do. */
static int open_node(const struct target *target, struct limn_device **dev, struct limn_error *err)
{
	int ret = open_family(target->family, target->device, dev, err);

	if ((ret == -ENOTSUP && target->device) || (ret == -ENOENT && target->any_family))
		return open_family(target->family == LIMN_VIVANTE ? LIMN_UTGARD : LIMN_VIVANTE, target->device, dev, err);
	return ret;
}

int target_open(const struct target *target, struct limn_device **dev, struct limn_error *err)
{
	const char *model = target->fallback ? target->fallback : DEFAULT_MODEL;
	static const char *told;
	int ret;

	if (target->device && target->model)
		return limn_fail(err, -EINVAL, TARGET_EITHER);
	if (target->model)
		return open_model(target, target->model, dev, err);
	ret = open_node(target, dev, err);
	if (ret == -ENOENT && target->node_only && !target->device)
		return limn_fail(err, ret, "no render node of lima or etnaviv in /dev/dri (--model NAME asks a model)");
	if (ret == -ENOENT && !target->device) {
		/* Nobody should take the model's picture for a driver's; once is enough. */
		if (!target->quiet && told != model)
			fprintf(stderr, "limn: no render node, using the in-process model %s\n", model);
		told = model;
		return open_model(target, model, dev, err);
	}
	return ret;
}

int target_status(const struct target *target)
{
	return profile_failed ? EXIT_INPUT : target->model ? EXIT_USAGE : EXIT_DEVICE;
}

const char *target_model_for(const struct limn_info *info)
{
	unsigned long long id = info->params[0][ETNAVIV_PARAM_GPU_MODEL];
	const struct model_gpu *gpu;
	char name[32];

	if (info->family == LIMN_UTGARD)
		snprintf(name, sizeof(name), "mali-%u-mp%u", info->gpu, info->num_pp);
	else
		snprintf(name, sizeof(name), "gc%llx%s", id, id == 0x7000 ? "l" : "");
	gpu = model_gpu_find(name);
	return gpu ? gpu->name : "";
}

const char *target_gpu(const struct limn_device *dev)
{
	for (struct model_backend *be = backends; be; be = be->next)
		if (be->dev == dev)
			return be->gpu;
	return target_model_for(limn_get_info(dev));
}

struct model *target_model(const struct limn_device *dev)
{
	for (struct model_backend *be = backends; be; be = be->next)
		if (be->dev == dev)
			return host_model(be->host);
	return NULL;
}
