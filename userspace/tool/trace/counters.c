// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tool/trace/counters.h"

/* What says most comes first; of each domain as many as it can count at a time. */
static const char *const wanted[] = {
	"all slaves: read hits", "all slaves: read misses", "active cycles", "vertices processed", "fragments rasterised",
	"TOTAL_CYCLES", "SHADER_CYCLES", "PIXEL", "CACHE_HIT", "CACHE_MISS", "INPUT_",
};

#define WANTED	(sizeof(wanted) / sizeof(wanted[0]))

static bool has(const struct counters_gpu *g, uint32_t domain, uint32_t signal)
{
	for (uint32_t i = 0; i < g->num; i++)
		if (g->counter[i].domain == domain && g->counter[i].signal == signal)
			return true;
	return false;
}

/* Up to slots of the domain; word NULL: any. */
static uint32_t choose(struct counters_gpu *g, const struct drm_limn_perf_domain *d, const char *word, uint32_t slots)
{
	struct drm_limn_perf_signal signal;
	uint32_t chosen = 0;

	for (uint32_t i = 0; i < d->nr_signals && chosen < slots && g->num < DRM_LIMN_PERFMON_MAX; i++) {
		if (limn_perf_signal(g->dev, d->domain, i, &signal, NULL) || has(g, d->domain, signal.signal) ||
		    (word && !strcasestr(signal.name, word)))
			continue;
		g->counter[g->num] = (struct drm_limn_perf_counter){ d->domain, signal.signal };
		snprintf(g->name[g->num++], sizeof(g->name[0]), "%.32s: %.60s", d->name, signal.name);
		chosen++;
		if (word)
			break;
	}
	return chosen;
}

static void choose_all(struct counters_gpu *g)
{
	struct drm_limn_perf_domain d;
	uint64_t domains = 0;

	limn_get_param(g->dev, DRM_LIMN_PARAM_NUM_PERF_DOMAINS, &domains, NULL);
	for (uint32_t n = 0; n < domains; n++) {
		uint32_t left, most = domains > 4 ? 2 : 4;

		if (limn_perf_domain(g->dev, n, &d, NULL))
			continue;
		left = d.slots < most ? d.slots : most;
		for (size_t w = 0; w < WANTED && left; w++)
			left -= choose(g, &d, wanted[w], 1);
		choose(g, &d, NULL, left);
	}
}

static int open_gpu(struct counters *c, const char *path, struct limn_error *err)
{
	struct counters_gpu *g = &c->gpu[c->num];
	int ret;

	*g = (struct counters_gpu){ .num = 0 };
	ret = limn_open_any(path, &g->dev, err);
	if (ret)
		return -ENOENT;
	choose_all(g);
	ret = g->num ? limn_perfmon_create(g->dev, DRM_LIMN_PERFMON_DEVICE, g->counter, g->num, &g->perfmon, err) :
		       limn_fail(err, -ENOTSUP, "%s has no counters: its driver is %s, not limn.ko", path,
				 limn_get_info(g->dev)->driver);
	if (ret)
		limn_close(g->dev);
	else
		c->num++;
	return ret;
}

int counters_open(struct counters *c, struct limn_error *err)
{
	struct limn_error why;
	int ret = -ENOENT;

	*c = (struct counters){ .num = 0 };
	for (int minor = 128; minor < 192 && c->num < COUNTERS_GPUS; minor++) {
		char path[40];
		int is;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", minor);
		is = open_gpu(c, path, &why);
		if (is && is != -ENOENT) {
			ret = is;
			limn_fail(err, -1, "%s", why.text);
		}
	}
	if (c->num)
		return 0;
	return ret == -ENOENT ? limn_fail(err, -1, "no GPU of the lima or etnaviv user ABI has counters here") : -1;
}

void counters_read(struct counters *c)
{
	for (unsigned int n = 0; n < c->num; n++) {
		struct counters_gpu *g = &c->gpu[n];
		uint64_t now[DRM_LIMN_PERFMON_MAX];

		if (limn_perfmon_read(g->dev, g->perfmon, false, now, g->num, NULL, NULL))
			continue;
		for (uint32_t i = 0; i < g->num; i++) {
			g->value[i] = now[i] - g->before[i];
			g->before[i] = now[i];
		}
	}
}

void counters_sample(struct counters *c, struct timeline *t, uint64_t time)
{
	counters_read(c);
	for (unsigned int n = 0; n < c->num; n++)
		for (uint32_t i = 0; i < c->gpu[n].num; i++)
			timeline_counter(t, TIMELINE_COUNTERS + (int)n, time, c->gpu[n].name[i], (double)c->gpu[n].value[i]);
}

void counters_close(struct counters *c)
{
	for (unsigned int n = 0; n < c->num; n++)
		limn_close(c->gpu[n].dev);
	c->num = 0;
}
