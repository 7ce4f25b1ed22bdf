// SPDX-License-Identifier: MIT
/* Devices, BOs and jobs over whatever backend carries them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <drm/limn_drm.h>

#include "lib/limn.h"

struct limn_device {
	const struct limn_backend *ops;
	void *priv;
	struct limn_info info;
};

int limn_fail(struct limn_error *err, int code, const char *format, ...)
{
	va_list args;

	if (err) {
		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
	}
	return code;
}

int limn_open_backend(const struct limn_backend *ops, void *priv, struct limn_device **out,
		      struct limn_error *err)
{
	struct limn_device *dev = calloc(1, sizeof(*dev));
	int ret;

	if (!dev) {
		ops->close(priv);
		return limn_fail(err, -ENOMEM, "out of memory");
	}
	dev->ops = ops;
	dev->priv = priv;
	ret = ops->get_info(priv, &dev->info, err);
	if (ret) {
		limn_close(dev);
		return ret;
	}
	*out = dev;
	return 0;
}

void limn_close(struct limn_device *dev)
{
	if (!dev)
		return;
	dev->ops->close(dev->priv);
	free(dev);
}

const struct limn_info *limn_get_info(const struct limn_device *dev)
{
	return &dev->info;
}

int limn_bo_create(struct limn_device *dev, uint32_t size, uint32_t flags, struct limn_bo **out,
		   struct limn_error *err)
{
	struct limn_bo *bo = calloc(1, sizeof(*bo));
	int ret;

	if (!bo)
		return limn_fail(err, -ENOMEM, "out of memory");
	bo->dev = dev;
	bo->size = size;
	ret = dev->ops->bo_create(dev->priv, size, flags, bo, err);
	if (ret) {
		free(bo);
		return ret;
	}
	*out = bo;
	return 0;
}

void limn_bo_label(struct limn_bo *bo, const char *format, ...)
{
	char label[DRM_LIMN_LABEL_MAX + 1];
	va_list args;

	if (!bo->dev->ops->bo_label)
		return;
	va_start(args, format);
	vsnprintf(label, sizeof(label), format, args);
	va_end(args);
	for (char *p = label; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	bo->dev->ops->bo_label(bo->dev->priv, bo, label);
}

void limn_bo_free(struct limn_bo *bo)
{
	if (!bo)
		return;
	bo->dev->ops->bo_free(bo->dev->priv, bo);
	free(bo);
}

int limn_submit(struct limn_device *dev, const struct limn_submit *submit,
		struct limn_fence *fence, struct limn_error *err)
{
	int ret = dev->ops->submit(dev->priv, submit, &fence->id, err);

	fence->dev = ret ? NULL : dev;
	return ret;
}

/* Without the ioctl: the BOs' implicit sync keeps the order; a failure leaves what is queued. */
static int submit_one_by_one(struct limn_device *dev, const struct limn_batch *b,
			     struct limn_fence *fences, struct limn_error *err)
{
	struct limn_use *uses = calloc(b->num_uses ? b->num_uses : 1, sizeof(*uses));
	int ret = uses ? 0 : limn_fail(err, -ENOMEM, "out of memory");

	for (uint32_t n = 0; n < b->num_jobs && !ret; n++) {
		struct limn_submit job = b->jobs[n];

		job.uses = uses;
		job.num_uses = 0;
		for (uint32_t i = 0; i < b->num_uses; i++) {
			const struct limn_batch_use *use = &b->uses[i];
			uint32_t flags = (use->read >> n & 1 ? LIMN_READ : 0) |
					 (use->write >> n & 1 ? LIMN_WRITE : 0);

			if (flags)
				uses[job.num_uses++] = (struct limn_use){ use->bo, flags };
		}
		ret = limn_submit(dev, &job, &fences[n], err);
	}
	free(uses);
	return ret;
}

int limn_submit_batch(struct limn_device *dev, const struct limn_batch *b,
		      struct limn_fence *fences, struct limn_error *err)
{
	uint64_t ids[LIMN_BATCH_JOBS];
	int ret = -ENOTSUP;

	if (!b->num_jobs || b->num_jobs > LIMN_BATCH_JOBS)
		return limn_fail(err, -EINVAL, "a batch has 1 to %u jobs, not %u", LIMN_BATCH_JOBS,
				 b->num_jobs);
	for (uint32_t n = 0; n < b->num_jobs; n++)
		fences[n].dev = NULL;
	if (dev->ops->submit_batch)
		ret = dev->ops->submit_batch(dev->priv, b, ids, err);
	if (ret == -ENOTSUP)
		return submit_one_by_one(dev, b, fences, err);
	for (uint32_t n = 0; n < b->num_jobs && !ret; n++)
		fences[n] = (struct limn_fence){ dev, ids[n] };
	return ret;
}

int limn_fence_times(struct limn_fence *fence, uint64_t *ended_ns, uint64_t *woken_ns)
{
	const struct limn_backend *ops = fence->dev->ops;

	if (!ops->fence_times)
		return -ENOTSUP;
	return ops->fence_times(fence->dev->priv, fence->id, ended_ns, woken_ns);
}

int limn_wait(struct limn_fence *fence, int64_t timeout_ns, struct limn_error *err)
{
	return fence->dev->ops->wait(fence->dev->priv, fence->id, timeout_ns, err);
}

void limn_fence_free(struct limn_fence *fence)
{
	if (fence->dev)
		fence->dev->ops->fence_free(fence->dev->priv, fence->id);
	fence->dev = NULL;
}
