// SPDX-License-Identifier: GPL-2.0-only
/*
 * From handles to BOs.
 */

/**
 * DOC: BO lists
 *
 * A client that draws frame after frame lists the same BOs again and again. So
 * an open file remembers the list of its last submit to each queue: when the
 * handles are the same, nothing is looked up.
 *
 * That changes nobody's life: a list is forgotten as soon as any handle of the
 * file is closed, before the BO loses its mapping. A list that was looked up
 * while that happened is used, as it would be had the ioctl come first, but
 * not remembered (&limn_bo_lists.closed): the number of a closed handle may
 * soon stand for another BO.
 *
 * With &limn_backend.lazy_va a list pins addresses, so it goes with its jobs.
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <drm/drm_gem.h>

#include "limn_bo_list.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_submit.h"
#include "limn_vm.h"

/* How often finished jobs are waited for, to be freed, when addresses are taken. */
#define LIMN_PIN_TRIES	8

/* A longer list is not remembered; nor an empty one: no handle would make it go. */
#define LIMN_MAX_REMEMBERED	256

static void limn_bo_list_release(struct kref *ref)
{
	struct limn_bo_list *list = container_of(ref, struct limn_bo_list, ref);
	unsigned int i;

	for (i = 0; i < list->num; i++) {
		if (i < list->num_pinned)
			limn_mapping_unpin(list->mappings[i]);
		if (list->mappings[i])
			limn_mapping_put(list->mappings[i]);
		drm_gem_object_put(list->objs[i]);
	}
	kvfree(list);
}

void limn_bo_list_put(struct limn_bo_list *list)
{
	if (list)
		kref_put(&list->ref, limn_bo_list_release);
}

void limn_bo_lists_init(struct limn_bo_lists *lists)
{
	spin_lock_init(&lists->lock);
}

/**
 * limn_bo_lists_forget - a handle of the file is being closed
 * @lists: the file's
 *
 * It does not lead to its BO any more, and its number is not free yet.
 */
void limn_bo_lists_forget(struct limn_bo_lists *lists)
{
	struct limn_bo_list *old[LIMN_MAX_PIPES];
	unsigned int i;

	spin_lock(&lists->lock);
	lists->closed++;
	memcpy(old, lists->list, sizeof(old));
	memset(lists->list, 0, sizeof(lists->list));
	spin_unlock(&lists->lock);
	for (i = 0; i < ARRAY_SIZE(old); i++)
		limn_bo_list_put(old[i]);
}

/* The remembered list, perhaps an unsuitable one; and what to compare later. */
static struct limn_bo_list *limn_bo_lists_look(struct limn_bo_lists *lists, unsigned int slot,
					       u64 *closed)
{
	struct limn_bo_list *list;

	spin_lock(&lists->lock);
	*closed = lists->closed;
	list = lists->list[slot];
	if (list)
		kref_get(&list->ref);
	spin_unlock(&lists->lock);
	return list;
}

static void limn_bo_lists_remember(struct limn_bo_lists *lists, unsigned int slot,
				   struct limn_bo_list *list, u64 closed)
{
	struct limn_bo_list *old = NULL;

	spin_lock(&lists->lock);
	if (lists->closed == closed) {
		kref_get(&list->ref);
		old = lists->list[slot];
		lists->list[slot] = list;
	}
	spin_unlock(&lists->lock);
	limn_bo_list_put(old);
}

static bool limn_bo_list_fits(const struct limn_bo_list *list, const struct limn_submit_bo *bos,
			      u32 n)
{
	u32 i;

	if (list->num != n)
		return false;
	for (i = 0; i < n; i++) {
		if (list->handles[i] != bos[i].handle)
			return false;
	}
	return true;
}

/*
 * Who has waited for a job may use its addresses again; but until the scheduler
 * has freed it, a moment later, the job still has them.
 */
static int limn_bo_list_pin(struct limn_device *ldev, struct limn_mapping *mapping, u64 va)
{
	unsigned int tries = 0;
	int ret;

	for (;;) {
		ret = limn_mapping_pin(mapping, va);
		if ((ret != -EINVAL && ret != -ENOSPC) || ++tries > LIMN_PIN_TRIES)
			return ret;
		limn_sched_reap(ldev);
		usleep_range(50, 100);
	}
}

static int limn_bo_list_fill(struct limn_bo_list *list, struct limn_device *ldev,
			     struct drm_file *file, const struct limn_submit_bo *bos, u32 n)
{
	struct limn_vm *vm = to_limn_file(file)->vm;
	u32 i;
	int ret;

	for (i = 0; i < n; i++) {
		struct drm_gem_object *obj = drm_gem_object_lookup(file, bos[i].handle);

		if (!obj)
			return -ENOENT;
		list->handles[i] = bos[i].handle;
		list->objs[i] = obj;
		list->mappings[i] = limn_mapping_get(vm, to_limn_bo(obj));
		list->num = i + 1;
		if (!list->mappings[i])
			return -ENOENT;	/* its handle is being closed */
		list->has_heap |= !!to_limn_bo(obj)->heap;
		if (!ldev->be->lazy_va)
			continue;
		ret = limn_bo_list_pin(ldev, list->mappings[i], bos[i].va);
		if (ret)
			return ret;
		list->num_pinned = i + 1;
	}
	return 0;
}

static struct limn_bo_list *limn_bo_list_create(struct limn_device *ldev, struct drm_file *file,
						const struct limn_submit_bo *bos, u32 n)
{
	struct limn_bo_list *list;
	size_t head = ALIGN(struct_size(list, handles, n), sizeof(void *));
	int ret;

	list = kvmalloc(head + n * (sizeof(*list->objs) + sizeof(*list->mappings)), GFP_KERNEL);
	if (!list)
		return ERR_PTR(-ENOMEM);
	memset(list, 0, sizeof(*list));
	kref_init(&list->ref);
	list->objs = (void *)list + head;
	list->mappings = (void *)(list->objs + n);
	ret = limn_bo_list_fill(list, ldev, file, bos, n);
	if (!ret)
		return list;
	limn_bo_list_put(list);
	return ERR_PTR(ret);
}

/**
 * limn_bo_list_get - the BOs that userspace listed
 * @ldev: the device
 * @file: whose handles they are
 * @slot: queue of the first job
 * @bos: the list, as it came
 * @n: its length
 *
 * Return: the list, for limn_bo_list_put(); or an ERR_PTR(): -ENOENT: no such
 * BO, what limn_mapping_pin() says, -ENOMEM.
 */
struct limn_bo_list *limn_bo_list_get(struct limn_device *ldev, struct drm_file *file,
				      unsigned int slot, const struct limn_submit_bo *bos, u32 n)
{
	struct limn_bo_lists *lists = &to_limn_file(file)->bo_lists;
	struct limn_bo_list *list;
	u64 closed;

	if (ldev->be->lazy_va || !n || n > LIMN_MAX_REMEMBERED)
		return limn_bo_list_create(ldev, file, bos, n);

	list = limn_bo_lists_look(lists, slot, &closed);
	if (list && limn_bo_list_fits(list, bos, n))
		return list;
	limn_bo_list_put(list);
	list = limn_bo_list_create(ldev, file, bos, n);
	if (!IS_ERR(list))
		limn_bo_lists_remember(lists, slot, list, closed);
	return list;
}
