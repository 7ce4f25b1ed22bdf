// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/etnaviv_drm.h>

#include "lib/capture/replay.h"

struct replay {
	struct capture *capture;
	const struct replay_options *o;
	const struct replay_carrier *carrier;
	struct replay_totals *totals;
	struct capture_bo *verify;	/* its results are told; compared once all of them are */
	uint8_t *expected;		/* what it is to hold: the capture may tell what the CPU wrote then already */
	uint32_t last;			/* submit that has run */
	bool over;
};

/* --- Memory ---------------------------------------------------------------------------------- */

static int place_bo(struct replay *r, struct capture_bo *bo, uint32_t va, struct limn_error *err)
{
	struct replay_bo *to = bo->user;

	if (!to) {
		to = calloc(1, sizeof(*to));
		if (!to)
			return limn_fail(err, -1, "out of memory");
		to->size = bo->told.size;
		bo->user = to;
	}
	if (to->handle && (!va || to->va == va))
		return 0;
	if (to->handle)
		r->carrier->free(bo->file->user, to);
	to->handle = 0;
	if (r->carrier->create(bo->file->user, bo, va, to, err))
		return -1;
	if (to->map && bo->data)
		memcpy(to->map, bo->data, bo->told.size);
	return 0;
}

static void free_bo(struct replay *r, struct capture_bo *bo)
{
	struct replay_bo *to = bo->user;

	if (to && to->handle)
		r->carrier->free(bo->file->user, to);
	free(to);
	bo->user = NULL;
}

const uint8_t *limn_replay_memory(const struct replay_job *job, uint32_t va, uint64_t len)
{
	const struct capture_bo *bo;

	for (uint32_t i = 0; (bo = limn_capture_bo_at(job->capture, i)); i++) {
		const struct replay_bo *r = bo->user;

		if (bo->file == job->submit->file && r && r->handle && r->map && va >= r->va && va - r->va <= r->size &&
		    len <= r->size - (va - r->va))
			return r->map + (va - r->va);
	}
	return NULL;
}

/* --- Results --------------------------------------------------------------------------------- */

/* What was recorded replaces what is there: the jobs that follow get what they got. */
static void compare(struct replay *r)
{
	struct capture_bo *bo = r->verify;
	struct replay_bo *to = bo->user;
	struct replay_difference d = { .bo = bo, .submit = r->last };

	r->verify = NULL;
	r->totals->results++;
	r->totals->compared += bo->told.size;
	if (!memcmp(to->map, r->expected, bo->told.size))
		return;
	for (uint64_t i = bo->told.size; i--;) {
		if (to->map[i] == r->expected[i])
			continue;
		d.bytes++;
		d.offset = i;
		d.is = to->map[i];
		d.was = r->expected[i];
	}
	r->totals->different++;
	r->totals->differing += d.bytes;
	if (r->o->difference)
		r->o->difference(r->o->ctx, &d);
	memcpy(to->map, r->expected, bo->told.size);
}

static int on_data(struct replay *r, const struct capture_event *e, struct limn_error *err)
{
	struct replay_bo *to = e->bo->user;

	if (!to || !to->handle || !to->map)
		return 0;
	if (e->kind == LIMN_CAPTURE_RESULT) {
		uint8_t *expected = r->verify ? r->expected : realloc(r->expected, e->bo->told.size);

		if (!expected)
			return limn_fail(err, -1, "out of memory");
		r->expected = expected;
		r->verify = e->bo;
		memcpy(expected, e->bo->data, e->bo->told.size);
		return 0;
	}
	for (uint32_t i = 0; i < e->num_runs; i++)
		memcpy(to->map + e->runs[i].offset, e->bo->data + e->runs[i].offset, e->runs[i].size);
	return 0;
}

/* --- Jobs ------------------------------------------------------------------------------------ */

/* Gives every BO of the job its address. */
static int place_all(struct replay *r, const struct capture_submit *s, struct limn_error *err)
{
	bool vivante = s->file->told.family == LIMN_CAPTURE_VIVANTE;

	for (uint32_t i = 0; i < s->told.num_bos; i++) {
		const struct capture_use *use = &s->uses[i];

		if (use->told.va > UINT32_MAX)
			return limn_fail(err, -1, "submit %u: an address of more than 32 bits", s->number);
		if (use->bo && place_bo(r, use->bo, vivante ? use->told.va : use->bo->told.va, err))
			return -1;
	}
	return 0;
}

/* The stream, with addresses. NULL: no memory. */
static uint32_t *relocate(const struct capture_submit *s)
{
	uint32_t *words = malloc(s->told.cmd_size + 8);

	if (!words)
		return NULL;
	memcpy(words, s->cmd, s->told.cmd_size);
	for (uint32_t i = 0; i < s->told.num_relocs; i++) {
		const struct limn_capture_reloc *reloc = &s->relocs[i];
		const struct replay_bo *to = reloc->use < s->told.num_bos && s->uses[reloc->use].bo ?
					     s->uses[reloc->use].bo->user : NULL;
		uint32_t address = to ? to->va + (uint32_t)reloc->bo_offset : 0;

		if (to)
			memcpy((uint8_t *)words + reloc->offset, &address, sizeof(address));
	}
	return words;
}

static int run(struct replay *r, const struct capture_submit *s, struct limn_error *err)
{
	struct replay_job job = { .capture = r->capture, .submit = s, .gpu = s->file->user };
	struct limn_error why = { "" };
	uint32_t *words;
	int ret;

	if (place_all(r, s, err))
		return -1;
	words = relocate(s);
	if (!words)
		return limn_fail(err, -1, "out of memory");
	job.words = words;
	if (r->o->before && !r->o->before(r->o->ctx, &job))
		r->over = true;
	ret = r->over ? 0 : r->carrier->submit(s->file->user, s, words, &why);
	if (ret < 0)
		limn_fail(err, -1, "submit %u: %s", s->number, why.text);
	job.failed = ret > 0 ? why.text : NULL;
	r->totals->failed += ret > 0;
	r->last = s->number;
	if (ret >= 0 && !r->over && r->o->job && !r->o->job(r->o->ctx, &job))
		r->over = true;
	free(words);
	return ret < 0 ? -1 : 0;
}

static int on_event(struct replay *r, const struct capture_event *e, struct limn_error *err)
{
	if (r->verify && (e->type != CAPTURE_EVENT_DATA || e->bo != r->verify || e->kind != LIMN_CAPTURE_RESULT))
		compare(r);
	switch (e->type) {
	case CAPTURE_EVENT_FILE:
		return r->carrier->open(r->o, e->file, (struct replay_gpu **)&e->file->user, err);
	case CAPTURE_EVENT_BO:
		return e->file->told.family == LIMN_CAPTURE_UTGARD ? place_bo(r, e->bo, e->bo->told.va, err) : 0;
	case CAPTURE_EVENT_BO_FREE:
		free_bo(r, e->bo);
		return 0;
	case CAPTURE_EVENT_DATA:
		return on_data(r, e, err);
	case CAPTURE_EVENT_SUBMIT:
		r->totals->submits++;
		r->totals->refused += e->refused != 0;
		if (!e->refused && run(r, e->submit, err))
			return -1;
		return 0;
	default:
		return 0;
	}
}

static void clean_up(struct replay *r)
{
	struct capture_bo *bo;

	for (uint32_t i = 0; (bo = limn_capture_bo_at(r->capture, i)); i++)
		free_bo(r, bo);
	for (uint32_t i = 0; limn_capture_file_at(r->capture, i); i++) {
		struct capture_file *f = limn_capture_file_at(r->capture, i);

		if (f->user)
			r->carrier->close(f->user);
		f->user = NULL;
	}
}

int limn_replay_run(struct capture *capture, const struct replay_carrier *carrier, const struct replay_options *o,
		    struct replay_totals *totals, struct limn_error *err)
{
	struct replay r = {
		.capture = capture, .o = o, .totals = totals,
		.carrier = carrier,
	};
	struct capture_event e = { .type = CAPTURE_EVENT_FILE };
	int ret = 0;

	*totals = (struct replay_totals){ .submits = 0 };
	while (!ret && !r.over && e.type != CAPTURE_EVENT_END) {
		/* The results of the last job wanted come behind it. */
		bool last = totals->submits && totals->submits - 1 >= o->last;

		ret = limn_capture_next(capture, &e, err);
		if (!ret && last && e.type != CAPTURE_EVENT_DATA) {
			if (e.type == CAPTURE_EVENT_BO_FREE)
				free_bo(&r, e.bo);	/* it is in no list any more */
			break;
		}
		if (!ret)
			ret = on_event(&r, &e, err);
		if (!ret && o->progress)
			o->progress(limn_capture_position(capture), limn_capture_size(capture));
	}
	if (!ret && r.verify)
		compare(&r);
	clean_up(&r);
	free(r.expected);
	return ret;
}
