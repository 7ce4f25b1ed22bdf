// SPDX-License-Identifier: MIT
/* Devices, BOs and jobs over whatever backend carries them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/device.h"

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
	pthread_mutex_init(&dev->lock, NULL);
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
	pthread_mutex_destroy(&dev->lock);
	free(dev);
}

int limn_open_any(const char *path, struct limn_device **dev, struct limn_error *err)
{
	int ret = limn_open(path, dev, err);

	return ret == -ENOENT || ret == -ENOTSUP ? limn_open_vivante(path, dev, err) : ret;
}

int limn_get_fd(const struct limn_device *dev)
{
	return limn_backend_has(dev, get_fd) ? dev->ops->get_fd(dev->priv) : -1;
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
	pthread_mutex_lock(&dev->lock);
	ret = dev->ops->bo_create(dev->priv, size, flags, bo, err);
	pthread_mutex_unlock(&dev->lock);
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
	pthread_mutex_lock(&bo->dev->lock);
	bo->dev->ops->bo_label(bo->dev->priv, bo, label);
	pthread_mutex_unlock(&bo->dev->lock);
}

void limn_bo_free(struct limn_bo *bo)
{
	if (!bo)
		return;
	pthread_mutex_lock(&bo->dev->lock);
	bo->dev->ops->bo_free(bo->dev->priv, bo);
	pthread_mutex_unlock(&bo->dev->lock);
	free(bo);
}

/* As this library knows it, of a caller that may know more or less of it: -E2BIG: it says what is not known here. */
static int copy_known(void *to, size_t known, const void *from, size_t size, size_t first, struct limn_error *err)
{
	const char *more = from;

	size = size ? size : first;
	memset(to, 0, known);
	memcpy(to, from, size < known ? size : known);
	for (size_t i = known; i < size; i++)
		if (more[i])
			return limn_fail(err, -E2BIG, "the program is of a newer liblimn and asks for what this one cannot");
	return 0;
}

#define COPY_KNOWN(to, from, first_new, err)	\
	copy_known(to, sizeof(*(to)), from, (from)->size, offsetof(__typeof__(*(to)), first_new), err)

int limn_submit(struct limn_device *dev, const struct limn_submit *from,
		struct limn_fence *fence, struct limn_error *err)
{
	struct limn_submit submit;
	struct limn_how how;
	int ret = COPY_KNOWN(&submit, from, how, err);

	if (!ret && submit.how) {
		ret = copy_known(&how, sizeof(how), submit.how, submit.how->size, sizeof(how), err);
		submit.how = &how;
	}
	if (!ret) {
		pthread_mutex_lock(&dev->lock);
		ret = dev->ops->submit(dev->priv, &submit, &fence->id, err);
		pthread_mutex_unlock(&dev->lock);
	}
	fence->dev = ret ? NULL : dev;
	return ret;
}

/* Without the ioctl: the BOs' implicit sync keeps the order; a failure leaves what is queued. */
static int submit_one_by_one(struct limn_device *dev, const struct limn_batch *b,
			     struct limn_fence *fences, struct limn_error *err)
{
	struct limn_use *uses = calloc(b->num_uses ? b->num_uses : 1, sizeof(*uses));
	int ret = uses ? 0 : limn_fail(err, -ENOMEM, "out of memory");
	struct limn_how how;

	for (uint32_t n = 0; n < b->num_jobs && !ret; n++) {
		struct limn_submit job = b->jobs[n];

		/* What they wait for and signal together, the first and the last do. */
		if (b->how) {
			how = *b->how;
			how.num_in = n ? 0 : how.num_in;
			how.num_out = n + 1 < b->num_jobs ? 0 : how.num_out;
		}
		job.how = b->how ? &how : NULL;
		job.size = sizeof(job);
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

int limn_submit_batch(struct limn_device *dev, const struct limn_batch *from,
		      struct limn_fence *fences, struct limn_error *err)
{
	uint64_t ids[LIMN_BATCH_JOBS];
	struct limn_batch batch, *b = &batch;
	struct limn_how how;
	int ret = COPY_KNOWN(&batch, from, how, err);

	if (!ret && b->how) {
		ret = copy_known(&how, sizeof(how), b->how, b->how->size, sizeof(how), err);
		b->how = &how;
	}
	if (ret)
		return ret;
	ret = -ENOTSUP;
	if (!b->num_jobs || b->num_jobs > LIMN_BATCH_JOBS)
		return limn_fail(err, -EINVAL, "a batch has 1 to %u jobs, not %u", LIMN_BATCH_JOBS,
				 b->num_jobs);
	for (uint32_t n = 0; n < b->num_jobs; n++)
		fences[n].dev = NULL;
	if (dev->ops->submit_batch) {
		pthread_mutex_lock(&dev->lock);
		ret = dev->ops->submit_batch(dev->priv, b, ids, err);
		pthread_mutex_unlock(&dev->lock);
	}
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
	if (fence->dev) {
		pthread_mutex_lock(&fence->dev->lock);
		fence->dev->ops->fence_free(fence->dev->priv, fence->id);
		pthread_mutex_unlock(&fence->dev->lock);
	}
	fence->dev = NULL;
}

int limn_fence_file(struct limn_fence *fence, int *fd, struct limn_error *err)
{
	struct limn_device *dev = fence->dev;

	if (!limn_backend_has(dev, fence_file))
		return limn_fail(err, -ENOTSUP, "%s has no sync files", dev->info.desc);
	return dev->ops->fence_file(dev->priv, fence->id, fd, err);
}
