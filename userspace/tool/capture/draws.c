// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>	/* crc32() */

#include <limn/utgard/states.h>

#include "isa/isa.h"
#include "lib/utgard/utgard.h"
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
	struct draw *d = draws->into ? draws->into : draws->num ? &draws->list[draws->num - 1] : NULL;
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

#define LISTED		64	/* elements of an array that are told */

static void put_element(FILE *to, const struct draws_array *a, const uint8_t *p)
{
	char number[32];
	uint32_t value = 0;

	for (uint32_t i = 0; a->floats && i + 4 <= a->bytes; i += 4) {
		float f;

		memcpy(&f, p + i, 4);
		snprintf(number, sizeof(number), "%g", (double)f);
		if (strtof(number, NULL) != f)
			snprintf(number, sizeof(number), "%.9g", (double)f);
		fprintf(to, "%s%s", i ? " " : "", number);
	}
	if (a->floats)
		return;
	if (a->bytes <= 4) {
		memcpy(&value, p, a->bytes);
		fprintf(to, "%u", value);
		return;
	}
	for (uint32_t i = 0; i < a->bytes; i++)
		fprintf(to, "%02x", p[i]);
}

void draws_array(struct draws *draws, uint32_t order, const char *key, const struct replay_job *job, const struct draws_array *a)
{
	uint64_t size = a->count ? (uint64_t)a->stride * (a->count - 1) + a->bytes : 0;
	const uint8_t *p = size && a->bytes ? limn_replay_memory(job, a->va, size) : NULL;
	struct draw_fact *f;
	unsigned long sum = 0;
	char *text = NULL;
	size_t len;
	FILE *to = p ? open_memstream(&text, &len) : NULL;

	if (!to)
		return;
	for (uint32_t i = 0; i < a->count; i++) {
		sum = crc32(sum, p + (uint64_t)a->stride * i, a->bytes);
		if (i >= LISTED)
			continue;
		fprintf(to, "%s", i ? "; " : "");
		put_element(to, a, p + (uint64_t)a->stride * i);
	}
	if (a->count > LISTED)
		fprintf(to, "; of %u, checksum %08lx", a->count, sum);
	fclose(to);
	f = add_fact(draws, order, key, text);
	if (f)
		f->list = true;
}

void draws_texels(struct draws *draws, uint32_t order, unsigned int i, const struct replay_job *job, uint32_t va, uint64_t bytes)
{
	const uint8_t *p = va && bytes ? limn_replay_memory(job, va, bytes) : NULL;
	char key[32];

	snprintf(key, sizeof(key), "texels %u", i);
	if (p)
		draws_fact(draws, order, key, "%llu bytes of the first level, checksum %08lx", (unsigned long long)bytes, crc32(0, p, bytes));
}

uint64_t draws_utgard_texels(const uint32_t *desc)
{
	struct utgard_image image = {
		.width = utgard_get(desc, TEX_WIDTH), .height = utgard_get(desc, TEX_HEIGHT), .levels = 1,
	};
	struct limn_error err;

	for (unsigned int i = 0; (image.texel = limn_utgard_texel_at(i)) && image.texel->format != utgard_get(desc, TEX_FORMAT); i++)
		;
	if (!image.texel || limn_utgard_image_layout(&image, &err))
		return 0;
	/* Rows may have a length of their own, and none behind the last: what any has. */
	return utgard_get(desc, TEX_LAYOUT) == TEX_LAYOUT_TILED ? image.slice[0] :
	       (uint64_t)image.width * image.height * limn_utgard_texel_bytes(image.texel) /
	       (limn_utgard_texel_side(image.texel) * limn_utgard_texel_side(image.texel));
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

void draws_sort(struct draw *d)
{
	if (d->num_facts)
		qsort(d->facts, d->num_facts, sizeof(struct draw_fact), by_order);
}

void draws_forget(struct draw *d, uint32_t order)
{
	while (d->num_facts && d->facts[d->num_facts - 1].order >= order) {
		struct draw_fact *f = &d->facts[--d->num_facts];

		free(f->key);
		free(f->value);
	}
}

void draws_of_job(struct draws *draws, const struct replay_job *job)
{
	size_t before = draws->num;

	if (job->submit->file->told.family == LIMN_CAPTURE_UTGARD)
		draws_of_utgard(draws, job);
	else
		draws_of_vivante(draws, job);
	for (size_t i = before; i < draws->num; i++)
		draws_sort(&draws->list[i]);
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
