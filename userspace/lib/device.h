/* SPDX-License-Identifier: MIT */
/* Inside liblimn: a device. */
#ifndef LIMN_LIB_DEVICE_H
#define LIMN_LIB_DEVICE_H

#include <pthread.h>

#include "lib/limn.h"

struct limn_device {
	const struct limn_backend *ops;
	void *priv;
	struct limn_info info;
	pthread_mutex_t lock;	/* held while the backend works, but for those that may be called at any time */
};

/* Whether the backend has a verb, and is new enough to know of it. */
#define limn_backend_has(dev, verb)	\
	((dev)->ops->size >= offsetof(struct limn_backend, verb) + sizeof((dev)->ops->verb) && (dev)->ops->verb)

#endif
