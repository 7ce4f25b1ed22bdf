// SPDX-License-Identifier: GPL-2.0-only
/*
 * From handles to BOs.
 */

/**
 * DOC: BO lists
 *
 * A client that draws frame after frame lists the same BOs again and again. So an open file
 * remembers the list of its last submit to each queue: when the handles are the same, nothing is
 * looked up.
 *
 * A remembered list keeps no BO longer than its handle does: it is forgotten as soon as any
 * handle of the file is closed, before the BO loses its mapping. A list that was looked up while
 * that happened is used, as it would be had the ioctl come first, but not remembered
 * (&limn_bo_lists.closed): the number of a closed handle may soon stand for another BO.
 *
 * A job may pin the addresses of its list (limn_bo_list_pin()); a list that is only remembered
 * pins none.
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <drm/drm_gem.h>

#include "limn_bo_list.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_retire.h"
#include "limn_submit.h"
#include "limn_vm.h"

/* How often to wait for finished jobs to be retired when addresses are taken. */
#define LIMN_PIN_TRIES	8

/* A longer list is not remembered; nor an empty one: no handle would make it go. */
#define LIMN_MAX_REMEMBERED	256

static void limn_bo_list_release(struct kref *ref)
{
	struct limn_bo_list *list = container_of(ref, struct limn_bo_list, ref);
	unsigned int i;

	for (i = 0; i < list->num; i++) {
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

/* A handle is being closed: it does not lead to its BO any more, its number is not free yet. */
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

/* The remembered list, which may have other handles; and &limn_bo_lists.closed at this time. */
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

/* The same handles, and of the same BOs: some kernels let a client give a BO another handle. */
static bool limn_bo_list_fits(const struct limn_bo_list *list, struct drm_file *file,
			      const struct limn_submit_bo *bos, u32 n)
{
	u32 i;

	if (list->num != n)
		return false;
	guard(spinlock)(&file->table_lock);
	for (i = 0; i < n; i++) {
		if (list->handles[i] != bos[i].handle ||
		    idr_find(&file->object_idr, list->handles[i]) != list->objs[i])
			return false;
	}
	return true;
}

static int limn_bo_list_fill(struct limn_bo_list *list, struct drm_file *file,
			     const struct limn_submit_bo *bos, u32 n)
{
	struct limn_vm *vm = to_limn_file(file)->vm;
	u32 i;

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
		list->has_backing |= !!to_limn_bo(obj)->backing;
	}
	return 0;
}

static struct limn_bo_list *limn_bo_list_create(struct drm_file *file,
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
	ret = limn_bo_list_fill(list, file, bos, n);
	if (!ret)
		return list;
	limn_bo_list_put(list);
	return ERR_PTR(ret);
}

/*
 * The BOs that userspace listed: @n handles in @bos; @slot is the queue of the first job. The
 * list, for limn_bo_list_put(); or an ERR_PTR(): -ENOENT: no such BO, -ENOMEM.
 */
struct limn_bo_list *limn_bo_list_get(struct drm_file *file, unsigned int slot,
				      const struct limn_submit_bo *bos, u32 n)
{
	struct limn_bo_lists *lists = &to_limn_file(file)->bo_lists;
	struct limn_bo_list *list;
	u64 closed;

	if (!n || n > LIMN_MAX_REMEMBERED)
		return limn_bo_list_create(file, bos, n);

	list = limn_bo_lists_look(lists, slot, &closed);
	if (list && limn_bo_list_fits(list, file, bos, n))
		return list;
	limn_bo_list_put(list);
	list = limn_bo_list_create(file, bos, n);
	if (!IS_ERR(list))
		limn_bo_lists_remember(lists, slot, list, closed);
	return list;
}

/*
 * A client that has waited for a job may reuse its addresses, but the job keeps them pinned
 * until it is retired, a moment later. Waits for that.
 */
static int limn_bo_list_pin_one(struct limn_device *ldev, struct limn_mapping *mapping, u64 va)
{
	unsigned int tries = 0;
	int ret;

	for (;;) {
		ret = limn_mapping_pin(mapping, va);
		if ((ret != -EINVAL && ret != -ENOSPC) || ++tries > LIMN_PIN_TRIES)
			return ret;
		limn_retire_flush(ldev);
		usleep_range(50, 100);
	}
}

static void limn_bo_list_unpin_first(const struct limn_bo_list *list, unsigned int n)
{
	unsigned int i;

	if (!n)
		return;
	mutex_lock(&list->mappings[0]->vm->lock);
	for (i = 0; i < n; i++)
		limn_mapping_unpin(list->mappings[i]);
	mutex_unlock(&list->mappings[0]->vm->lock);
}

/*
 * Pin the addresses of a job's BOs: those that @bos asks for, if any. Most BOs have theirs from an
 * earlier job, which costs little. 0, until limn_bo_list_unpin(); or what limn_mapping_pin() says.
 */
int limn_bo_list_pin(const struct limn_bo_list *list, const struct limn_submit_bo *bos)
{
	struct limn_vm *vm;
	unsigned int i = 0;
	int ret;

	if (!list->num)
		return 0;
	vm = list->mappings[0]->vm;
	mutex_lock(&vm->map_lock);
	mutex_lock(&vm->lock);
	while (i < list->num && limn_mapping_pin_placed(list->mappings[i], bos[i].va))
		i++;
	mutex_unlock(&vm->lock);
	mutex_unlock(&vm->map_lock);

	for (; i < list->num; i++) {
		ret = limn_bo_list_pin_one(vm->ldev, list->mappings[i], bos[i].va);
		if (ret) {
			limn_bo_list_unpin_first(list, i);
			return ret;
		}
	}
	return 0;
}

void limn_bo_list_unpin(const struct limn_bo_list *list)
{
	limn_bo_list_unpin_first(list, list->num);
}
