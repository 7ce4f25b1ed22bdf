/* SPDX-License-Identifier: MIT */
/*
 * What texts were before, for one call of an assembler: text to a value of the
 * assembler's own. Kept is what comes a second time. While a sequence of texts
 * comes again, the next one is expected: that takes a comparison, no hash and
 * no search for the text's end.
 */
#ifndef LIMN_ISA_RECALL_H
#define LIMN_ISA_RECALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ISA_RECALL_TEXT	1024	/* longer texts are not kept */

#define ISA_RECALL_LOG	32768u	/* texts; a power of two */

/* In the memory of its recall until that is full and all are forgotten: look at one before the next call. */
struct isa_known {
	uint32_t when;			/* it came last, as the log counts */
	uint16_t length, value;		/* of the text; where the value is behind it */
	char text[];
};

struct isa_recall {
	struct isa_known *next;		/* expected, or NULL */
	uint32_t now, follow;		/* in the log: texts so far; the one that is expected, now: none */
	struct isa_known **log;		/* NULL: of one that is not known */
	struct isa_recall_memory *memory;
};

/* For a text of that length: a short one is not worth it. Out of memory does no harm; nothing is known then. */
void isa_recall_begin(struct isa_recall *r, size_t length);
void isa_recall_end(struct isa_recall *r);

static inline const void *isa_known_value(const struct isa_known *k)
{
	return k->text + k->value;
}

/* It is the text that is here. */
static inline void isa_recall_note(struct isa_recall *r, struct isa_known *k)
{
	r->log[r->now++ % ISA_RECALL_LOG] = k;
	k->when = r->now;
}

/* What came behind the text that is expected, or was not known there either, is expected. */
static inline void isa_recall_advance(struct isa_recall *r)
{
	r->follow++;
	r->next = r->follow < r->now ? r->log[r->follow % ISA_RECALL_LOG] : NULL;
}

/* The expected text, found to be there. */
static inline const struct isa_known *isa_recall_take(struct isa_recall *r)
{
	struct isa_known *k = r->next;

	isa_recall_note(r, k);
	isa_recall_advance(r);
	return k;
}

/* If the text at *at and a newline behind it are what is expected: what that was, and *at is at the newline. NULL. */
static inline const struct isa_known *isa_recall_expected(struct isa_recall *r, const char **at, const char *end)
{
	const struct isa_known *k = r->next;

	if (!k || (size_t)(end - *at) <= k->length || (*at)[k->length] != '\n' || memcmp(*at, k->text, k->length))
		return NULL;
	*at += k->length;
	return isa_recall_take(r);
}

/* By the text itself. NULL: it is not known, and isa_recall_keep() will keep it if it came before. */
const struct isa_known *isa_recall_find(struct isa_recall *r, const char *text, size_t length);

/* Is isa_recall_keep() of any use for the text that was not found? */
bool isa_recall_again(const struct isa_recall *r);

/* The text that isa_recall_find() was asked for last and did not know is this value. */
void isa_recall_keep(struct isa_recall *r, const char *text, size_t length, const void *value, size_t size);

#endif
