// SPDX-License-Identifier: MIT
/*
 * Finding rows without walking all of the table: by eight bits of the block,
 * chosen for each unit so that most rows demand something of them, and by the
 * first two characters of the text. Built from the rows at first use.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/emit.h"
#include "isa/table.h"

#define KEY_BITS	8
#define KEYS		(1u << KEY_BITS)
#define TEXTS		128
#define DIRECT_BITS	12
#define WORDS		2048
#define FIELD_NAMES	1024

/* What a row demands. */
struct demand {
	struct isa_bits mask, value;
};

struct isa_rows {
	struct isa_unit_rows units[ISA_MAX_UNITS];
	uint16_t first[TEXTS + 1];
	uint16_t *list;
	/* Rows whose first word has no operands, by that word: hashed. */
	struct word {
		const char *text;
		uint64_t key;		/* its last eight characters */
		uint16_t length, first, count;	/* of word_list */
	} words[WORDS];
	uint16_t *word_list;
	struct isa_bits *resets;	/* by form */
	struct demand *demands;		/* by row */
	struct isa_plan *plans;
	struct field_text {
		uint8_t length;
		char text[ISA_EMIT_SLACK - 1];		/* "set NAME " */
	} *fields;			/* of all forms, one behind the other */
	uint16_t (*field_of)[32 * ISA_BLOCK_WORDS];	/* by form, and bit: its field among these */
	struct field_name {
		const struct isa_field *field;
		uint8_t form;
	} names[FIELD_NAMES];		/* hashed, by what "set" calls them */
};

static unsigned int text_key(char a, char b)
{
	return ((unsigned char)a * 37u + (unsigned char)b) % TEXTS;
}

/* The bits that a row demands. */
static void demand(const struct isa_op *op, struct demand *d)
{
	memset(d, 0, sizeof(*d));
	for (int i = 0; i < 3 && op->match[i].width; i++) {
		isa_put(&d->mask, op->match[i].lo, op->match[i].width, ~0u);
		isa_put(&d->value, op->match[i].lo, op->match[i].width, op->match[i].value);
	}
}

static inline bool matches(const struct demand *d, const struct isa_bits *block)
{
	uint32_t differ = 0;

	for (int w = 0; w < ISA_BLOCK_WORDS; w++)
		differ |= (block->w[w] ^ d->value.w[w]) & d->mask.w[w];
	return !differ;
}

/*
 * Runs of bits that any row of the unit demands, none across a word's end. False: they are too
 * many for a table of all their values.
 */
static bool find_runs(const struct isa *isa, const struct isa_rows *r, unsigned int unit, struct isa_unit_rows *u)
{
	uint32_t any[ISA_BLOCK_WORDS] = { 0 };
	unsigned int bits = 0;

	for (unsigned int i = 0; i < isa->op_count; i++)
		for (int w = 0; w < ISA_BLOCK_WORDS; w++)
			any[w] |= isa->ops[i].unit == unit ? r->demands[i].mask.w[w] : 0;
	for (unsigned int w = 0; w < ISA_BLOCK_WORDS; w++) {
		while (any[w]) {
			unsigned int lo = __builtin_ctz(any[w]), width = __builtin_ctzll(~((uint64_t)any[w] >> lo));

			if (u->run_count == ISA_RUNS || bits + width > DIRECT_BITS)
				return false;
			u->runs[u->run_count++] = (struct isa_run){ w, lo, bits, (1u << width) - 1 };
			bits += width;
			any[w] &= ~(uint32_t)(((1ull << width) - 1) << lo);
		}
	}
	u->count = 1u << bits;
	return true;
}

/* One row for each value of the runs. */
static bool build_direct(const struct isa *isa, const struct isa_rows *r, unsigned int unit, struct isa_unit_rows *u)
{
	u->list = malloc(u->count * sizeof(*u->list));
	for (unsigned int v = 0; u->list && v < u->count; v++) {
		struct isa_bits b = { { 0 } };
		unsigned int i = 0;

		for (unsigned int k = 0; k < u->run_count; k++)
			b.w[u->runs[k].word] |= (v >> u->runs[k].out & u->runs[k].mask) << u->runs[k].shift;
		while (i < isa->op_count && (isa->ops[i].unit != unit || !matches(&r->demands[i], &b)))
			i++;
		u->list[v] = i < isa->op_count ? i : ISA_NO_ROW;
	}
	return u->list;
}

static unsigned int best_key(const struct isa *isa, const struct isa_rows *r, unsigned int unit)
{
	unsigned int best = 0, best_cost = ~0u;

	for (unsigned int lo = 0; lo <= 32 * ISA_BLOCK_WORDS - KEY_BITS; lo++) {
		unsigned int cost = 0;

		for (unsigned int i = 0; i < isa->op_count; i++)
			if (isa->ops[i].unit == unit)
				cost += 1u << (KEY_BITS - __builtin_popcount(isa_get(&r->demands[i].mask, lo, KEY_BITS)));
		if (cost < best_cost) {
			best_cost = cost;
			best = lo;
		}
	}
	return best;
}

/* The rows that a key leaves possible, for every key. */
static bool build_keys(const struct isa *isa, const struct isa_rows *r, unsigned int unit, struct isa_unit_rows *u)
{
	size_t n = 0, room = 0;

	u->lo = best_key(isa, r, unit);
	u->first = malloc((KEYS + 1) * sizeof(*u->first));
	for (unsigned int key = 0; u->first && key < KEYS; key++) {
		u->first[key] = n;
		for (unsigned int i = 0; i < isa->op_count; i++) {
			const struct demand *d = &r->demands[i];

			if (isa->ops[i].unit != unit ||
			    (isa_get(&d->value, u->lo, KEY_BITS) ^ key) & isa_get(&d->mask, u->lo, KEY_BITS))
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
	if (u->first)
		u->first[KEYS] = n;
	return u->first;
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

static inline unsigned int word_slot(uint64_t key, size_t length)
{
	return (key + length) * 0x9e3779b97f4a7c15ull >> 32 & (WORDS - 1);
}

static uint64_t word_key(const char *word, size_t length)
{
	uint64_t key = 0;

	for (size_t i = 0; i < length; i++)
		key = key << 8 | (unsigned char)word[i];
	return key;
}

static const struct word *find_word(const struct isa_rows *r, const char *text, size_t length, uint64_t key)
{
	const struct word *w = &r->words[word_slot(key, length)];

	while (w->text && (w->key != key || w->length != length || (length > 8 && memcmp(w->text, text, length))))
		w = w < &r->words[WORDS - 1] ? w + 1 : r->words;
	return w;
}

/* For every first word without operands, all rows that it may be. */
static bool build_words(const struct isa *isa, struct isa_rows *r)
{
	size_t n = 0, room = 0, words = 0;

	for (unsigned int i = 0; i < isa->op_count && words < WORDS / 2; i++) {
		const char *p = isa->ops[i].pattern;
		size_t length = strcspn(p, "% ");
		struct isa_cursor c = { .at = p, .end = p + length };
		struct word *w;

		if (p[length] == '%' || !length)
			continue;
		w = (struct word *)find_word(r, p, length, word_key(p, length));
		if (w->text)
			continue;
		words++;
		*w = (struct word){ p, word_key(p, length), length, n, 0 };
		for (unsigned int k = 0; k < isa->op_count; k++) {
			if (!isa_may_be(&isa->ops[k], &c))
				continue;
			if (n == room) {
				uint16_t *list = realloc(r->word_list, (room = room * 2 + 256) * sizeof(*list));

				if (!list)
					return false;
				r->word_list = list;
			}
			r->word_list[n++] = k;
			w->count++;
		}
	}
	return true;
}

static void free_rows(struct isa_rows *r)
{
	for (unsigned int u = 0; u < ISA_MAX_UNITS; u++)
		free(r->units[u].first), free(r->units[u].list);
	free(r->list);
	free(r->word_list);
	free(r->resets);
	free(r->demands);
	free(r->plans);
	free(r->fields);
	free(r->field_of);
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

/* Is it what "set" calls that field of the form? */
static bool is_field(const struct isa_form *form, const struct isa_field *field, const char *name, size_t length)
{
	size_t skip = form->name[0] ? strlen(form->name) + 1 : 0;

	return length > skip && (!skip || (!memcmp(name, form->name, skip - 1) && name[skip - 1] == '.')) &&
	       strlen(field->name) == length - skip && !memcmp(field->name, name + skip, length - skip);
}

static unsigned int field_slot(const struct isa *isa, const struct isa_rows *r, const char *name, size_t length)
{
	unsigned int i = word_slot(word_key(name, length), length) % FIELD_NAMES;

	while (r->names[i].field && !is_field(&isa->forms[r->names[i].form], r->names[i].field, name, length))
		i = (i + 1) % FIELD_NAMES;
	return i;
}

/* The first of a name counts. */
static void name_field(const struct isa *isa, struct isa_rows *r, unsigned int form, const struct isa_field *field)
{
	const char *prefix = isa->forms[form].name;
	char name[64];
	int n = snprintf(name, sizeof(name), "%s%s%s", prefix, prefix[0] ? "." : "", field->name);
	unsigned int i = field_slot(isa, r, name, n);

	if (!r->names[i].field)
		r->names[i] = (struct field_name){ field, form };
}

static bool build_fields(const struct isa *isa, struct isa_rows *r)
{
	unsigned int n = 0;

	for (unsigned int f = 0; f < isa->form_count; f++)
		n += isa->forms[f].count;
	if (n > FIELD_NAMES / 2)
		return false;
	r->fields = calloc(n, sizeof(*r->fields));
	r->field_of = calloc(isa->form_count, sizeof(*r->field_of));
	n = 0;
	for (unsigned int f = 0; r->fields && r->field_of && f < isa->form_count; f++) {
		const struct isa_form *fm = &isa->forms[f];

		for (unsigned int i = 0; i < fm->count; i++, n++) {
			name_field(isa, r, f, &fm->fields[i]);
			r->fields[n].length = snprintf(r->fields[n].text, sizeof(r->fields[n].text), "set %s%s%s ",
						       fm->name, fm->name[0] ? "." : "", fm->fields[i].name);
			for (unsigned int bit = 0; bit < fm->fields[i].width; bit++)
				r->field_of[f][fm->fields[i].lo + bit] = n;
		}
	}
	return r->fields && r->field_of;
}

static void plan(const struct isa *isa, const struct isa_op *op, struct isa_plan *plan)
{
	for (const char *p = op->pattern; *p && plan->count < ISA_PIECES;) {
		struct isa_piece *piece = &plan->pieces[plan->count++];
		size_t n = strcspn(p, "%");

		n = n < sizeof(piece->literal) ? n : sizeof(piece->literal);
		memcpy(piece->literal, p, n);
		piece->length = n;
		p += n;
		if (*p != '%')
			continue;
		piece->letter = p[1];
		if (isa->tells)
			isa->tells(op, p[1], &plan->told);
		p += 2;
	}
}

static bool build_plans(const struct isa *isa, struct isa_rows *r)
{
	r->demands = calloc(isa->op_count, sizeof(*r->demands));
	r->plans = calloc(isa->op_count, sizeof(*r->plans));
	for (unsigned int i = 0; r->demands && r->plans && i < isa->op_count; i++) {
		demand(&isa->ops[i], &r->demands[i]);
		r->plans[i].told = r->demands[i].mask;
		plan(isa, &isa->ops[i], &r->plans[i]);
	}
	return r->demands && r->plans;
}

static bool build_unit(const struct isa *isa, struct isa_rows *r, unsigned int unit)
{
	struct isa_unit_rows *u = &r->units[unit];

	if (find_runs(isa, r, unit, u))
		return build_direct(isa, r, unit, u);
	u->run_count = 0;
	u->count = 0;
	return build_keys(isa, r, unit, u);
}

static struct isa_rows *build(const struct isa *isa)
{
	struct isa_rows *r = calloc(1, sizeof(*r));
	bool ok = r && build_texts(isa, r) && build_words(isa, r) && build_resets(isa, r) && build_plans(isa, r) && build_fields(isa, r);

	for (unsigned int i = 0; ok && i < isa->op_count; i++)
		if (!r->units[isa->ops[i].unit].list)
			ok = build_unit(isa, r, isa->ops[i].unit);
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
	unsigned int which = isa->number;
	struct isa_rows *r, *other = NULL;

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

const struct isa_op *isa_match_op(const struct isa *isa, unsigned int unit, const struct isa_bits *block)
{
	const struct isa_rows *r = rows(isa);
	const struct isa_unit_rows *u;
	unsigned int key;

	if (!r) {
		for (unsigned int i = 0; i < isa->op_count; i++) {
			struct demand d;

			demand(&isa->ops[i], &d);
			if (isa->ops[i].unit == unit && matches(&d, block))
				return &isa->ops[i];
		}
		return NULL;
	}
	u = &r->units[unit];
	if (u->count) {
		unsigned int row = isa_direct_row(u, block);

		return row == ISA_NO_ROW ? NULL : &isa->ops[row];
	}
	key = isa_get(block, u->lo, KEY_BITS);
	for (unsigned int i = u->first[key]; i < u->first[key + 1]; i++)
		if (matches(&r->demands[u->list[i]], block))
			return &isa->ops[u->list[i]];
	return NULL;
}

const struct isa_plan *isa_plans(const struct isa *isa)
{
	const struct isa_rows *r = rows(isa);

	return r ? r->plans : NULL;
}

char *isa_emit_sets(const struct isa *isa, unsigned int form, const struct isa_bits *want,
		    const struct isa_tell *tell, const char *prefix, const char *suffix, char *to)
{
	const struct isa_rows *r = rows(isa);
	const uint16_t *field_of = r->field_of[form];
	const struct isa_form *fm = &isa->forms[form];
	unsigned int first = field_of[fm->fields[0].lo];
	size_t before = strlen(prefix), behind = strlen(suffix);

	for (unsigned int w = 0; w < ISA_BLOCK_WORDS; w++) {
		uint32_t differ = (want->w[w] ^ tell->said.w[w]) & ~tell->told.w[w];

		while (differ) {
			unsigned int bit = 32 * w + __builtin_ctz(differ);
			const struct isa_field *f = &fm->fields[field_of[bit] - first];
			const struct field_text *name = &r->fields[field_of[bit]];
			uint32_t v = isa_get(want, f->lo, f->width);
			unsigned int end = f->lo + f->width - 32 * w;

			/* A field over two words comes with the first that differs. */
			differ = end < 32 ? differ >> end << end : 0;
			if (f->lo < 32 * w && ((want->w[w - 1] ^ tell->said.w[w - 1]) & ~tell->told.w[w - 1]) >> f->lo % 32)
				continue;
			memcpy(to, prefix, before);
			to += before;
			memcpy(to, name->text, sizeof(name->text));
			to += name->length;
			to = v < 10 ? isa_emit_char(to, '0' + v) : isa_emit_hex(to, v, 1);
			memcpy(to, suffix, behind);
			to += behind;
		}
	}
	return to;
}

void isa_choose(const struct isa *isa, struct isa_cursor *cursor, struct isa_choice *choice)
{
	const struct isa_rows *r = rows(isa);
	const char *p = cursor->at;
	const struct word *w;
	unsigned int text;
	uint64_t key = 0;

	*choice = (struct isa_choice){ .isa = isa, .count = isa->op_count };
	cursor->quiet = true;
	if (!r || cursor->end - p < 2)
		return;
	for (; p < cursor->end && !isa_is(*p, ISA_STOP); p++)
		key = key << 8 | (unsigned char)*p;
	w = find_word(r, cursor->at, p - cursor->at, key);
	choice->sure = w->text;
	if (choice->sure) {
		choice->list = r->word_list + w->first;
		choice->count = w->count;
		return;
	}
	text = text_key(cursor->at[0], cursor->at[1]);
	choice->list = r->list + r->first[text];
	choice->count = r->first[text + 1] - r->first[text];
}

const struct isa_op *isa_next_choice(struct isa_choice *choice, struct isa_cursor *cursor)
{
	for (;;) {
		while (choice->at < choice->count) {
			unsigned int row = choice->list ? choice->list[choice->at] : choice->at;
			const struct isa_op *op = &choice->isa->ops[row];

			choice->at++;
			if (choice->sure || isa_may_be(op, cursor))
				return op;
		}
		if (!cursor->quiet)
			return NULL;
		cursor->quiet = false;
		choice->at = 0;
	}
}

const struct isa_field *isa_find_field(const struct isa *isa, const char *name, size_t length,
				       unsigned int *form)
{
	const struct isa_rows *r = rows(isa);
	const struct field_name *found = r && length ? &r->names[field_slot(isa, r, name, length)] : NULL;

	if (found && found->field) {
		*form = found->form;
		return found->field;
	}
	for (unsigned int f = 0; !r && f < isa->form_count; f++) {
		for (unsigned int i = 0; i < isa->forms[f].count; i++) {
			if (is_field(&isa->forms[f], &isa->forms[f].fields[i], name, length)) {
				*form = f;
				return &isa->forms[f].fields[i];
			}
		}
	}
	return NULL;
}
