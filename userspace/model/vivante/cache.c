// SPDX-License-Identifier: MIT
/*
 * Caches of PE, TS, textures and 2D.
 *
 * Strict mode: they have room for everything, keep each line that was touched
 * until they are flushed, and write nothing back before. Lines are kept by
 * virtual address. Lenient mode: an access goes straight to memory.
 *
 * What strict mode reports, with the address: whoever reads or writes memory
 * past a cache that holds it changed; and a cache that is asked for a line that
 * somebody has changed behind its back.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/vivante/internal.h"

#define LINE		64u
#define BUCKETS		256u

struct page {
	struct page *next;	/* in the bucket */
	uint32_t va;
	uint64_t valid, dirty;	/* bit per line */
	uint8_t data[MODEL_PAGE];
};

struct cache {
	struct page *bucket[BUCKETS];
	uint32_t dirty_lines;
};

struct viv_cache {
	struct cache cache[VIV_NUM_CACHES];
};

static const struct {
	const char *name, *module, *flush;	/* flush: the state that flushes it */
	bool writes;
} kinds[VIV_NUM_CACHES] = {
	[VIV_CACHE_COLOR] = { "colour cache", "pe", "GL.FLUSH_CACHE COLOR", true },
	[VIV_CACHE_DEPTH] = { "depth cache", "pe", "GL.FLUSH_CACHE DEPTH", true },
	[VIV_CACHE_TS] = { "tile status cache", "ts", "TS.FLUSH_CACHE", true },
	[VIV_CACHE_TX] = { "texture cache", "tx", "GL.FLUSH_CACHE TEXTURE", false },
	[VIV_CACHE_TX_VS] = { "vertex texture cache", "tx", "GL.FLUSH_CACHE TEXTUREVS", false },
	[VIV_CACHE_2D] = { "2D cache", "de", "GL.FLUSH_CACHE PE2D", true },
};

const enum viv_port viv_cache_port[VIV_NUM_CACHES] = {
	[VIV_CACHE_COLOR] = VIV_PORT_PE, [VIV_CACHE_DEPTH] = VIV_PORT_PEZ, [VIV_CACHE_TS] = VIV_PORT_RA,
	[VIV_CACHE_TX] = VIV_PORT_TX, [VIV_CACHE_TX_VS] = VIV_PORT_TX, [VIV_CACHE_2D] = VIV_PORT_PE,
};

int viv_cache_init(struct vivante *v)
{
	v->cache = calloc(1, sizeof(*v->cache));
	return v->cache ? 0 : -ENOMEM;
}

static void forget(struct cache *c)
{
	for (unsigned int b = 0; b < BUCKETS; b++) {
		while (c->bucket[b]) {
			struct page *p = c->bucket[b];

			c->bucket[b] = p->next;
			free(p);
		}
	}
	c->dirty_lines = 0;
}

void viv_cache_reset(struct vivante *v)
{
	for (unsigned int i = 0; i < VIV_NUM_CACHES; i++)
		forget(&v->cache->cache[i]);
}

void viv_cache_destroy(struct vivante *v)
{
	if (!v->cache)
		return;
	viv_cache_reset(v);
	free(v->cache);
}

bool viv_cache_dirty(const struct vivante *v, enum viv_cache_id id)
{
	return v->cache->cache[id].dirty_lines;
}

static struct page *find(const struct cache *c, uint32_t va)
{
	struct page *p = c->bucket[va / MODEL_PAGE % BUCKETS];

	while (p && p->va != (va & ~(MODEL_PAGE - 1)))
		p = p->next;
	return p;
}

static struct page *get(struct cache *c, uint32_t va)
{
	struct page **bucket = &c->bucket[va / MODEL_PAGE % BUCKETS], *p = find(c, va);

	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->va = va & ~(MODEL_PAGE - 1);
	p->next = *bucket;
	*bucket = p;
	return p;
}

/* A line that the cache has not changed itself must not be what memory no longer says. */
static void check_stale(struct vivante *v, enum viv_cache_id id, const struct page *p, uint32_t va, uint32_t len)
{
	const void *now = unit_ptr(v->port[viv_cache_port[id]], va, len);

	if (now && memcmp(now, p->data + va % MODEL_PAGE, len))
		viv_report(v, kinds[id].module, "stale %s: memory at %08x changed since it was cached, and %s did not flush it",
			   kinds[id].name, va, kinds[id].flush);
}

void viv_cache_crossed(struct vivante *v, enum viv_cache_id id, uint32_t va, uint32_t len)
{
	viv_report(v, "hi", "%s: access to %u bytes at %08x crosses a line", kinds[id].name, len, va);
}

void *viv_cached_strict(struct vivante *v, enum viv_cache_id id, uint32_t va, uint32_t len, bool write)
{
	struct unit *port = v->port[viv_cache_port[id]];
	struct cache *c = &v->cache->cache[id];
	uint32_t line = va % MODEL_PAGE / LINE;
	struct page *p;

	p = get(c, va);
	if (!p)
		return NULL;
	if (!(p->valid >> line & 1)) {
		viv_cache_check(v, kinds[id].module, va & ~(LINE - 1), LINE);
		if (!unit_read(port, va & ~(LINE - 1), p->data + line * LINE, LINE))
			return NULL;
		p->valid |= 1ull << line;
	} else if (!(p->dirty >> line & 1)) {
		check_stale(v, id, p, va, len);
	}
	if (write && !(p->dirty >> line & 1)) {
		/* Finds out now whether it may be written. */
		if (!unit_ptr_write(port, va))
			return NULL;
		p->dirty |= 1ull << line;
		c->dirty_lines++;
	}
	return p->data + va % MODEL_PAGE;
}

bool viv_cache_flush(struct vivante *v, enum viv_cache_id id)
{
	struct unit *port = v->port[viv_cache_port[id]];
	struct cache *c = &v->cache->cache[id];

	for (unsigned int b = 0; b < BUCKETS; b++) {
		for (struct page *p = c->bucket[b]; p; p = p->next) {
			for (unsigned int n = 0; p->dirty && n < MODEL_PAGE / LINE; n++) {
				if (!(p->dirty >> n & 1))
					continue;
				if (!unit_write(port, p->va + n * LINE, p->data + n * LINE, LINE))
					return false;
				p->dirty &= ~(1ull << n);
				c->dirty_lines--;
			}
		}
	}
	forget(c);
	return true;
}

void viv_cache_check(struct vivante *v, const char *module, uint32_t va, uint32_t len)
{
	if (!unit_strict(&v->u))
		return;
	for (unsigned int i = 0; i < VIV_NUM_CACHES; i++) {
		const struct cache *c = &v->cache->cache[i];

		for (uint32_t a = va & ~(LINE - 1); c->dirty_lines && a - va + LINE < len + LINE; a += LINE) {
			const struct page *p = find(c, a);

			if (!p || !(p->dirty >> (a % MODEL_PAGE / LINE) & 1))
				continue;
			viv_report(v, module, "touches memory at %08x that the %s holds changed: %s did not flush it", a,
				   kinds[i].name, kinds[i].flush);
			return;
		}
	}
}

const void *viv_texture_ptr(struct vivante *v, bool vertex, uint32_t va, uint32_t len)
{
	return viv_cached(v, vertex ? VIV_CACHE_TX_VS : VIV_CACHE_TX, va, len, false);
}
