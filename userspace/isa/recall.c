// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "isa/memo.h"
#include "isa/recall.h"

#define SETS	ISA_MEMO_SETS
#define WAYS	4
#define ARENA	(2 * ISA_MEMO_ARENA)
#define HEAD	offsetof(struct isa_known, text)

struct isa_recall_memory {
	struct set {
		uint32_t hash[WAYS];	/* of texts seen */
		uint32_t at[WAYS];	/* in the arena, plus 1; 0: seen once */
	} sets[SETS];
	uint32_t used, turn;
	uint32_t *place;	/* for isa_recall_keep(), or NULL */
	struct isa_known *log[ISA_RECALL_LOG];
	char arena[ARENA] __attribute__((aligned(16)));
};

void isa_recall_begin(struct isa_recall *r, size_t length)
{
	struct isa_recall_memory *m = length > ISA_MEMO_LONG ? malloc(sizeof(*m)) : NULL;

	*r = (struct isa_recall){ .memory = m };
	if (!m)
		return;
	r->log = m->log;
	memset(m->sets, 0, sizeof(m->sets));
	m->used = m->turn = 0;
	m->place = NULL;
}

void isa_recall_end(struct isa_recall *r)
{
	free(r->memory);
}

static inline uint64_t load(const char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

static inline uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h << 29 | h >> 35;
}

/* Sixteen characters at a time, the last of them again where they are not whole. */
static uint32_t hash(const char *text, size_t length)
{
	uint64_t a = length, b = 0x85ebca6bc2b2ae35ull;
	size_t i;

	for (i = 0; i + 16 <= length; i += 16) {
		a = mix(a, load(text + i, 8));
		b = mix(b, load(text + i + 8, 8));
	}
	if (length >= 16) {
		a = mix(a, load(text + length - 16, 8));
		b = mix(b, load(text + length - 8, 8));
	} else if (length >= 8) {
		a = mix(a, load(text, 8));
		b = mix(b, load(text + length - 8, 8));
	} else {
		a = mix(a, load(text, length));
	}
	return mix(a, b) >> 16;
}

/* Known, but not expected: what came behind it the last time is expected now. */
static const struct isa_known *found(struct isa_recall *r, struct isa_known *k)
{
	uint32_t follow = k->when;

	isa_recall_note(r, k);
	/* The log forgets. */
	r->follow = r->now - follow < ISA_RECALL_LOG ? follow : r->now;
	r->next = r->follow < r->now ? r->log[r->follow % ISA_RECALL_LOG] : NULL;
	return k;
}

/* The sequence goes on behind what is not known if it did so the last time. */
static void not_found(struct isa_recall *r)
{
	bool same = r->follow < r->now && !r->next;

	r->log[r->now++ % ISA_RECALL_LOG] = NULL;
	if (!same)
		r->follow = r->now - 1;
	isa_recall_advance(r);
}

const struct isa_known *isa_recall_find(struct isa_recall *r, const char *text, size_t length)
{
	struct isa_recall_memory *m = r->memory;
	unsigned int way = 0;
	struct isa_known *k;
	struct set *set;
	uint32_t h;

	if (!m)
		return NULL;
	m->place = NULL;
	if (!length || length > ISA_RECALL_TEXT)
		return NULL;
	h = hash(text, length);
	set = &m->sets[h % SETS];
	while (way < WAYS && set->hash[way] != h)
		way++;
	if (way == WAYS) {
		way = m->turn++ % WAYS;
		set->hash[way] = h;
		set->at[way] = 0;
	} else if (!set->at[way]) {
		m->place = &set->at[way];
	} else {
		k = (void *)(m->arena + set->at[way] - 1);
		if (k->length == length && !memcmp(k->text, text, length))
			return found(r, k);
		m->place = &set->at[way];
	}
	not_found(r);
	return NULL;
}

bool isa_recall_again(const struct isa_recall *r)
{
	return r->memory && r->memory->place;
}

static size_t aligned(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

void isa_recall_keep(struct isa_recall *r, const char *text, size_t length, const void *value, size_t size)
{
	struct isa_recall_memory *m = r->memory;
	size_t behind, total;
	struct isa_known *k;

	if (!isa_recall_again(r))
		return;
	/* Values are aligned as the arena is. */
	behind = aligned(HEAD + length) - HEAD;
	total = HEAD + behind + aligned(size);
	if (total > ARENA - m->used) {
		memset(m->sets, 0, sizeof(m->sets));
		m->used = 0;
		m->place = NULL;
		r->next = NULL;
		r->now = r->follow = 0;
		return;
	}
	k = (void *)(m->arena + m->used);
	*m->place = m->used + 1;
	m->place = NULL;
	m->used += total;
	*k = (struct isa_known){ .when = r->now, .length = length, .value = behind };
	memcpy(k->text, text, length);
	memcpy(k->text + behind, value, size);
	r->log[(r->now - 1) % ISA_RECALL_LOG] = k;
}
