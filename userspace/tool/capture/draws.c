// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/capture/draws.h"

/* One more element, zeroed; NULL: no memory. */
static void *append(void *list, size_t *num, size_t each)
{
	void **to = list;
	char *more = *num % 64 ? *to : realloc(*to, (*num + 64) * each);

	if (!more)
		return NULL;
	*to = more;
	memset(more + *num * each, 0, each);
	return more + (*num)++ * each;
}

struct draw *draws_add(struct draws *draws, uint32_t submit, uint32_t index, const char *what)
{
	struct draw *d = append(&draws->list, &draws->num, sizeof(*d));

	draws->full |= !d;
	if (!d)
		return NULL;
	d->submit = submit;
	d->index = index;
	snprintf(d->what, sizeof(d->what), "%s", what);
	return d;
}

static struct draw_fact *add_fact(struct draws *draws, uint32_t order, const char *key, char *value)
{
	struct draw *d = draws->num ? &draws->list[draws->num - 1] : NULL;
	struct draw_fact *f = d && value ? append(&d->facts, &d->num_facts, sizeof(*f)) : NULL;

	draws->full |= !f;
	if (!f) {
		free(value);
		return NULL;
	}
	f->order = order;
	f->key = strdup(key);
	f->value = value;
	draws->full |= !f->key;
	d->num_facts -= !f->key;
	return f;
}

struct draw_fact *draws_fact(struct draws *draws, uint32_t order, const char *key, const char *format, ...)
{
	char *value = NULL;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&value, format, args);
	va_end(args);
	return add_fact(draws, order, key, n < 0 ? NULL : value);
}

void draws_code(struct draws *draws, uint32_t order, const char *key, const char *isa, const uint32_t *words, size_t count)
{
	struct draw_fact *f = add_fact(draws, order, key, limn_isa_disasm(limn_isa_find(isa), words, count));

	if (f)
		f->code = true;
}

void draws_free(struct draws *draws)
{
	for (size_t i = 0; i < draws->num; i++) {
		for (size_t k = 0; k < draws->list[i].num_facts; k++) {
			free(draws->list[i].facts[k].key);
			free(draws->list[i].facts[k].value);
		}
		free(draws->list[i].facts);
	}
	free(draws->list);
	*draws = (struct draws){ .list = NULL };
}

static int by_order(const void *a, const void *b)
{
	const struct draw_fact *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

void draws_of_job(struct draws *draws, const struct replay_job *job)
{
	size_t before = draws->num;

	if (job->submit->file->told.family == LIMN_CAPTURE_UTGARD)
		draws_of_utgard(draws, job);
	else
		draws_of_vivante(draws, job);
	for (size_t i = before; i < draws->num; i++)
		if (draws->list[i].num_facts)
			qsort(draws->list[i].facts, draws->list[i].num_facts, sizeof(struct draw_fact), by_order);
}

static bool collect(void *ctx, const struct replay_job *job)
{
	draws_of_job(ctx, job);
	return true;
}

int draws_read(const char *path, const char *model, struct draws *draws, struct limn_error *err)
{
	struct replay_options o = { .model = model, .last = UINT32_MAX, .ctx = draws, .before = collect };
	struct replay_totals totals;
	struct capture *c;
	int ret = limn_capture_open(path, &c, err);

	*draws = (struct draws){ .list = NULL };
	if (ret)
		return ret;
	ret = replay_here(c, &o, &totals, err);
	if (!ret && draws->full)
		ret = limn_fail(err, -1, "out of memory");
	if (!ret && limn_capture_damage(c))
		ret = limn_fail(err, -1, "%.120s: %.130s", path, limn_capture_damage(c));
	if (ret)
		draws_free(draws);
	limn_capture_close(c);
	return ret;
}

void draws_compare(const struct draw *a, const struct draw *b, bool addresses, void *ctx,
		   void (*differs)(void *ctx, const struct draw_fact *a, const struct draw_fact *b))
{
	size_t i = 0, k = 0, na = a ? a->num_facts : 0, nb = b ? b->num_facts : 0;

	while (i < na || k < nb) {
		const struct draw_fact *x = i < na ? &a->facts[i] : NULL, *y = k < nb ? &b->facts[k] : NULL;

		if (x && y && x->order != y->order) {
			if (x->order < y->order)
				y = NULL;
			else
				x = NULL;
		}
		i += x != NULL;
		k += y != NULL;
		if (x && y && !strcmp(x->value, y->value))
			continue;
		if (addresses || !(x ? x : y)->address)
			differs(ctx, x, y);
	}
}
