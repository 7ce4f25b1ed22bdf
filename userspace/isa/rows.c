// SPDX-License-Identifier: MIT
/*
 * Finding rows without walking all of the table: by eight bits of the block,
 * chosen for each unit so that most rows demand something of them, and by the
 * first two characters of the text. Built from the rows at first use.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

#define KEY_BITS	8
#define KEYS		(1u << KEY_BITS)
#define TEXTS		128

struct unit_rows {
	unsigned int lo;		/* of the key in the block */
	uint16_t first[KEYS + 1];	/* into list */
	uint16_t *list;			/* rows that a key leaves possible, in the table's order */
};

struct isa_rows {
	struct unit_rows units[ISA_MAX_UNITS];
	uint16_t first[TEXTS + 1];
	uint16_t *list;
	struct isa_bits *resets;	/* by form */
};

static unsigned int text_key(char a, char b)
{
	return ((unsigned char)a * 37u + (unsigned char)b) % TEXTS;
}

/* Bits that a row demands. */
static struct isa_bits demanded(const struct isa_op *op, struct isa_bits *value)
{
	struct isa_bits mask = { { 0 } };

	memset(value, 0, sizeof(*value));
	for (int i = 0; i < 3 && op->match[i].width; i++) {
		isa_put(&mask, op->match[i].lo, op->match[i].width, ~0u);
		isa_put(value, op->match[i].lo, op->match[i].width, op->match[i].value);
	}
	return mask;
}

static bool possible(const struct isa_op *op, unsigned int lo, unsigned int key)
{
	struct isa_bits value, mask = demanded(op, &value);

	return !((isa_get(&value, lo, KEY_BITS) ^ key) & isa_get(&mask, lo, KEY_BITS));
}

static unsigned int best_key(const struct isa *isa, unsigned int unit)
{
	unsigned int best = 0, best_cost = ~0u;

	for (unsigned int lo = 0; lo <= 32 * ISA_BLOCK_WORDS - KEY_BITS; lo++) {
		unsigned int cost = 0;

		for (unsigned int i = 0; i < isa->op_count; i++) {
			struct isa_bits value, mask;

			if (isa->ops[i].unit != unit)
				continue;
			mask = demanded(&isa->ops[i], &value);
			cost += 1u << (KEY_BITS - __builtin_popcount(isa_get(&mask, lo, KEY_BITS)));
		}
		if (cost < best_cost) {
			best_cost = cost;
			best = lo;
		}
	}
	return best;
}

static bool build_unit(const struct isa *isa, unsigned int unit, struct unit_rows *u)
{
	size_t n = 0, room = 0;

	u->lo = best_key(isa, unit);
	for (unsigned int key = 0; key < KEYS; key++) {
		u->first[key] = n;
		for (unsigned int i = 0; i < isa->op_count; i++) {
			if (isa->ops[i].unit != unit || !possible(&isa->ops[i], u->lo, key))
				continue;
			if (n == room) {
				uint16_t *p = realloc(u->list, (room = room * 2 + 256) * sizeof(*p));

				if (!p)
					return false;
				u->list = p;
			}
			u->list[n++] = i;
		}
	}
	u->first[KEYS] = n;
	return true;
}

static bool build_texts(const struct isa *isa, struct isa_rows *r)
{
	size_t n = 0;

	/* A row whose text does not begin with two fixed characters may be under any key. */
	r->list = malloc((size_t)isa->op_count * TEXTS * sizeof(*r->list));
	if (!r->list)
		return false;
	for (unsigned int key = 0; key < TEXTS; key++) {
		r->first[key] = n;
		for (unsigned int i = 0; i < isa->op_count; i++) {
			const char *p = isa->ops[i].pattern;
			bool any = strcspn(p, "% ") < 2;

			if (any || text_key(p[0], p[1]) == key)
				r->list[n++] = i;
		}
	}
	r->first[TEXTS] = n;
	return true;
}

static void free_rows(struct isa_rows *r)
{
	for (unsigned int u = 0; u < ISA_MAX_UNITS; u++)
		free(r->units[u].list);
	free(r->list);
	free(r->resets);
	free(r);
}

static void reset(const struct isa *isa, unsigned int form, struct isa_bits *bits)
{
	const struct isa_form *f = &isa->forms[form];

	memset(bits, 0, sizeof(*bits));
	for (unsigned int i = 0; i < f->count; i++)
		isa_put(bits, f->fields[i].lo, f->fields[i].width, f->fields[i].reset);
}

static bool build_resets(const struct isa *isa, struct isa_rows *r)
{
	r->resets = malloc(isa->form_count * sizeof(*r->resets));
	for (unsigned int i = 0; r->resets && i < isa->form_count; i++)
		reset(isa, i, &r->resets[i]);
	return r->resets;
}

static struct isa_rows *build(const struct isa *isa)
{
	struct isa_rows *r = calloc(1, sizeof(*r));
	bool ok = r && build_texts(isa, r) && build_resets(isa, r);

	for (unsigned int i = 0; ok && i < isa->op_count; i++)
		if (!r->units[isa->ops[i].unit].list)
			ok = build_unit(isa, isa->ops[i].unit, &r->units[isa->ops[i].unit]);
	if (!ok && r) {
		free_rows(r);
		r = NULL;
	}
	return r;
}

/* NULL when out of memory: then all rows are walked. Lives as long as the process. */
static const struct isa_rows *rows(const struct isa *isa)
{
	static _Atomic(struct isa_rows *) built[ISA_MAX_SETS];
	unsigned int which = 0;
	struct isa_rows *r, *other = NULL;

	while (isa_at(which) != isa)
		which++;
	r = atomic_load_explicit(&built[which], memory_order_acquire);
	if (r)
		return r;
	r = build(isa);
	if (r && !atomic_compare_exchange_strong(&built[which], &other, r)) {
		free_rows(r);
		r = other;
	}
	return r;
}

void isa_reset(const struct isa *isa, unsigned int form, struct isa_bits *bits)
{
	const struct isa_rows *r = rows(isa);

	if (r)
		*bits = r->resets[form];
	else
		reset(isa, form, bits);
}

static bool op_matches(const struct isa_op *op, const struct isa_bits *block)
{
	for (int i = 0; i < 3 && op->match[i].width; i++)
		if (isa_get(block, op->match[i].lo, op->match[i].width) != op->match[i].value)
			return false;
	return true;
}

const struct isa_op *isa_match_op(const struct isa *isa, unsigned int unit, const struct isa_bits *block)
{
	const struct isa_rows *r = rows(isa);
	const struct unit_rows *u;
	unsigned int key;

	if (!r) {
		for (unsigned int i = 0; i < isa->op_count; i++)
			if (isa->ops[i].unit == unit && op_matches(&isa->ops[i], block))
				return &isa->ops[i];
		return NULL;
	}
	u = &r->units[unit];
	key = isa_get(block, u->lo, KEY_BITS);
	for (unsigned int i = u->first[key]; i < u->first[key + 1]; i++)
		if (op_matches(&isa->ops[u->list[i]], block))
			return &isa->ops[u->list[i]];
	return NULL;
}

const struct isa_op *isa_next_row(const struct isa *isa, const struct isa_cursor *cursor, unsigned int *at)
{
	const struct isa_rows *r = rows(isa);
	bool two = cursor->end - cursor->at >= 2;
	unsigned int key = two ? text_key(cursor->at[0], cursor->at[1]) : 0;
	unsigned int n = isa->op_count;

	if (r && two)
		n = r->first[key + 1] - r->first[key];
	while (*at < n) {
		unsigned int row = r && two ? r->list[r->first[key] + *at] : *at;
		const struct isa_op *op = &isa->ops[row];

		++*at;
		if (isa_may_be(op, cursor))
			return op;
	}
	return NULL;
}
