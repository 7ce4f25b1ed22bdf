// SPDX-License-Identifier: MIT
/* Host carrier: device memory, VA, BOs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/carriers/host/host_priv.h"

#define MAX_BO		(512u << 20)
#define HEAP_FIRST	(32u << 10)

/* --- Ranges ------------------------------------------------------------- */

/* Index where [start, start + pages) can be inserted; -1: something is there. */
static int64_t space_slot(const struct space *s, uint32_t start, uint32_t pages)
{
	uint32_t i = 0;

	if (start < s->first || start + pages > s->end || start + pages < start)
		return -1;
	while (i < s->num && s->used[i].start + s->used[i].pages <= start)
		i++;
	if (i < s->num && s->used[i].start < start + pages)
		return -1;
	return i;
}

static int space_take(struct space *s, uint32_t start, uint32_t pages)
{
	int64_t i = space_slot(s, start, pages);

	if (i < 0)
		return -ENOMEM;
	if (s->num == s->max) {
		uint32_t max = s->max ? s->max * 2 : 64;
		struct range *used = realloc(s->used, max * sizeof(*used));

		if (!used)
			return -ENOMEM;
		s->used = used;
		s->max = max;
	}
	memmove(&s->used[i + 1], &s->used[i], (s->num - i) * sizeof(*s->used));
	s->used[i] = (struct range){ start, pages };
	s->num++;
	return 0;
}

/* First fit. */
static int space_find(struct space *s, uint32_t pages, uint32_t *start)
{
	*start = s->low > s->first ? s->low : s->first;
	for (uint32_t i = 0; i < s->num; i++) {
		if (s->used[i].start + s->used[i].pages <= *start)
			continue;
		if (s->used[i].start >= *start + pages)
			break;
		*start = s->used[i].start + s->used[i].pages;
	}
	return space_take(s, *start, pages);
}

static void space_give(struct space *s, uint32_t start)
{
	for (uint32_t i = 0; i < s->num; i++) {
		if (s->used[i].start != start)
			continue;
		s->num--;
		memmove(&s->used[i], &s->used[i + 1], (s->num - i) * sizeof(*s->used));
		return;
	}
}

/* --- RAM --------------------------------------------------- */

uint8_t *host_ram_at(struct host *host, uint32_t pa)
{
	return host->ram + (pa - HOST_DMA);
}

int host_ram_alloc(struct host *host, uint32_t bytes, uint32_t *pa)
{
	uint32_t page;
	int err = space_find(&host->phys, bytes / HOST_PAGE, &page);
	uint64_t end;

	if (err)
		return err;
	*pa = page * HOST_PAGE;
	end = (uint64_t)*pa + bytes;
	/* What was never handed out is zero, and most of a heap is never touched. */
	if (*pa < host->fresh)
		memset(host_ram_at(host, *pa), 0, (end < host->fresh ? end : host->fresh) - *pa);
	if (host->fresh < end)
		host->fresh = end;
	return 0;
}

/* --- BOs ------------------------------------------------------------------- */

static struct host_bo *find_bo(struct host *host, uint32_t handle)
{
	if (!handle || handle > host->num_bos || !host->bos[handle - 1].used)
		return NULL;
	return &host->bos[handle - 1];
}

static int new_handle(struct host *host, uint32_t *handle)
{
	struct host_bo *bos;

	for (uint32_t i = 0; i < host->num_bos; i++) {
		if (!host->bos[i].used) {
			*handle = i + 1;
			return 0;
		}
	}
	bos = realloc(host->bos, (host->num_bos + 1) * sizeof(*bos));
	if (!bos)
		return -ENOMEM;
	host->bos = bos;
	host->bos[host->num_bos].used = false;
	*handle = ++host->num_bos;
	return 0;
}

static int back(struct host *host, struct host_bo *bo, uint32_t bytes)
{
	for (; bo->backed < bytes; bo->backed += HOST_PAGE) {
		int err = host->family->map_page(host, bo->va + bo->backed, bo->pa + bo->backed);

		if (err)
			return err;
	}
	return 0;
}

static int create(struct host *host, bool fixed, uint32_t va, uint32_t size, uint32_t flags, uint32_t *handle)
{
	struct host_bo bo = { .used = true, .heap = flags & HOST_BO_HEAP };
	uint32_t page = va / HOST_PAGE;
	int err;

	if (!size || size > MAX_BO || (flags & ~HOST_BO_HEAP) || va % HOST_PAGE)
		return -EINVAL;
	bo.size = (size + HOST_PAGE - 1) & ~(HOST_PAGE - 1);
	err = new_handle(host, handle);
	if (err)
		return err;
	err = fixed ? space_take(&host->va, page, bo.size / HOST_PAGE) :
		      space_find(&host->va, bo.size / HOST_PAGE, &page);
	if (err)
		return err;
	bo.va = page * HOST_PAGE;
	err = host_ram_alloc(host, bo.size, &bo.pa);
	if (err) {
		space_give(&host->va, page);
		return err;
	}
	err = back(host, &bo, bo.heap && bo.size > HEAP_FIRST ? HEAP_FIRST : bo.size);
	host->bos[*handle - 1] = bo;
	if (err)
		host_bo_free(host, *handle);
	return err;
}

int host_bo_create(struct host *host, uint32_t size, uint32_t flags, uint32_t *handle)
{
	return create(host, false, 0, size, flags, handle);
}

int host_bo_create_at(struct host *host, uint32_t va, uint32_t size, uint32_t flags, uint32_t *handle)
{
	return create(host, true, va, size, flags, handle);
}

int host_bo_free(struct host *host, uint32_t handle)
{
	struct host_bo *bo = find_bo(host, handle);

	if (!bo)
		return -ENOENT;
	for (uint32_t i = 0; i < bo->backed; i += HOST_PAGE)
		host->family->map_page(host, bo->va + i, 0);
	space_give(&host->va, bo->va / HOST_PAGE);
	space_give(&host->phys, bo->pa / HOST_PAGE);
	bo->used = false;
	return 0;
}

int host_bo_info(struct host *host, uint32_t handle, uint32_t *va, void **map, uint32_t *backed)
{
	struct host_bo *bo = find_bo(host, handle);

	if (!bo)
		return -ENOENT;
	*va = bo->va;
	*map = host_ram_at(host, bo->pa);
	*backed = bo->backed;
	return 0;
}

struct host_bo *host_heap_at(struct host *host, uint32_t va)
{
	for (uint32_t i = 0; i < host->num_bos; i++) {
		if (host->bos[i].used && host->bos[i].heap && host->bos[i].va == va)
			return &host->bos[i];
	}
	return NULL;
}

int host_heap_grow(struct host *host, struct host_bo *bo)
{
	if (bo->backed == bo->size)
		return -ENOSPC;
	return back(host, bo, bo->backed * 2 < bo->size ? bo->backed * 2 : bo->size);
}

int host_mem_init(struct host *host)
{
	host->ram = mmap(NULL, host->ram_size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (host->ram == MAP_FAILED) {
		host->ram = NULL;
		return -ENOMEM;
	}
	host->phys.first = HOST_DMA / HOST_PAGE;
	host->phys.end = host->phys.first + host->ram_size / HOST_PAGE;
	return host->family->mem_init(host);
}

void host_mem_fini(struct host *host)
{
	if (host->ram)
		munmap(host->ram, host->ram_size);
	free(host->phys.used);
	free(host->va.used);
	free(host->bos);
}
