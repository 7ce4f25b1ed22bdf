// SPDX-License-Identifier: MIT
/* Devices, BOs and jobs over whatever backend carries them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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
