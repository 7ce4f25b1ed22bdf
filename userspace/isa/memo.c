// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "isa/memo.h"

#define SETS		ISA_MEMO_SETS
#define WAYS		4
#define ARENA		ISA_MEMO_ARENA
#define CHUNK		16
#define MAX_TEXT	8192	/* of one entry */

/* In the arena: the key, the slots, then the text. */
struct entry {
	uint16_t key_words, slots;
	uint16_t tail;			/* text behind the last slot */
	uint16_t total;			/* all text */
	uint32_t state;
};

struct isa_memo {
	struct set {
		uint32_t hash[WAYS];	/* of words seen */
		uint32_t at[WAYS];	/* in the arena, plus 1; 0: seen once */
	} sets[SETS];
	uint32_t used, turn, state;
	/* Of the words that isa_memo_write() did not know: where they go when they came before, or NULL. */
	uint32_t *place;
	char arena[ARENA + CHUNK] __attribute__((aligned(8)));
};

struct isa_memo *isa_memo_new(void)
{
	struct isa_memo *m = malloc(sizeof(*m));

	if (!m)
		return NULL;
	memset(m->sets, 0, sizeof(m->sets));
	m->used = m->turn = 0;
	m->place = NULL;
	return m;
}

void isa_memo_free(struct isa_memo *memo)
{
	free(memo);
}

/* A sum of products, which do not wait for each other; the high half is the good one. */
static inline uint32_t hash(const uint32_t *words, unsigned int count)
{
	uint64_t h = count, k = 0x9e3779b97f4a7c15ull;

	for (unsigned int i = 0; i < count; i++, k += 0xd1342543de82ef96ull)
		h += (words[i] + 0x85ebca6bull) * k;
	return h >> 32;
}

/* The entry of these words. NULL: there is none, and m->place says whether they came before. */
static inline const struct entry *find(struct isa_memo *m, const uint32_t *words, unsigned int count)
{
	uint32_t h = hash(words, count), differ = 0;
	struct set *set = &m->sets[h % SETS];
	const struct entry *e;
	const uint32_t *key;
	unsigned int way = 0;

	m->place = NULL;
	while (way < WAYS && set->hash[way] != h)
		way++;
	if (way == WAYS) {
		way = m->turn++ % WAYS;
		set->hash[way] = h;
		set->at[way] = 0;
		return NULL;
	}
	m->place = &set->at[way];
	if (!set->at[way])
		return NULL;
	e = (const void *)(m->arena + set->at[way] - 1);
	key = (const void *)(e + 1);
	if (e->key_words != count)
		return NULL;
	for (unsigned int i = 0; i < count; i++)
		differ |= key[i] ^ words[i];
	return differ ? NULL : e;
}

/* Whole chunks: room behind both is there. */
static inline char *put_text(char *to, const char *from, unsigned int n)
{
	unsigned int i = 0;

	do {
		memcpy(to + i, from + i, CHUNK);
		i += CHUNK;
	} while (i < n);
	return to + n;
}

bool isa_memo_write(struct isa_memo *m, const uint32_t *words, unsigned int count,
		    const struct isa_counter *base, struct isa_text *text)
{
	const struct entry *e = m && count <= ISA_MEMO_WORDS ? find(m, words, count) : NULL;
	const struct isa_slot *slot;
	const char *from;
	char *to;

	if (!e || !isa_text_room(text, e->total + e->slots * 10 + 2 * CHUNK))
		return false;
	slot = (const void *)((const char *)(e + 1) + e->key_words * 4);
	from = (const char *)(slot + e->slots);
	to = text->data + text->length;
	for (unsigned int i = 0; i < e->slots; i++, slot++) {
		to = put_text(to, from, slot->length);
		from += slot->length;
		to = isa_emit_counter(to, base, slot->delta);
	}
	to = put_text(to, from, e->tail);
	text->length = to - text->data;
	m->state = e->state;
	return true;
}

uint32_t isa_memo_state(const struct isa_memo *m)
{
	return m->state;
}

bool isa_memo_again(const struct isa_memo *m)
{
	return m && m->place;
}

void isa_draft_begin(struct isa_draft *draft, const struct isa_text *text)
{
	draft->begin = draft->last = text->length;
	draft->count = 0;
	draft->state = 0;
	draft->whole = true;
}

void isa_memo_keep(struct isa_memo *m, const uint32_t *words, unsigned int count,
		   const struct isa_draft *draft, const struct isa_text *text)
{
	size_t total, size;
	const char *from;
	struct entry *e;
	char *to;

	if (!isa_memo_again(m) || !draft->whole || text->failed)
		return;
	total = text->length - draft->last;
	for (unsigned int i = 0; i < draft->count; i++)
		total += draft->slots[i].length;
	size = sizeof(*e) + count * 4 + draft->count * sizeof(*draft->slots) + total + CHUNK;
	size = (size + 7) & ~(size_t)7;
	if (total > MAX_TEXT)
		return;
	if (m->used + size > ARENA) {
		memset(m->sets, 0, sizeof(m->sets));
		m->used = 0;
		return;
	}
	*m->place = m->used + 1;
	e = (void *)(m->arena + m->used);
	m->used += size;
	*e = (struct entry) { count, draft->count, text->length - draft->last, total, draft->state };
	memcpy(e + 1, words, count * 4);
	to = (char *)(e + 1) + count * 4;
	memcpy(to, draft->slots, draft->count * sizeof(*draft->slots));
	to += draft->count * sizeof(*draft->slots);
	from = text->data + draft->begin;
	for (unsigned int i = 0; i < draft->count; i++) {
		memcpy(to, from, draft->slots[i].length);
		to += draft->slots[i].length;
		from += draft->slots[i].length + draft->digits[i];
	}
	memcpy(to, from, e->tail);
}
