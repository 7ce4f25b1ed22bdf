// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/json.h"
#include "tool/words.h"

static const char *read_all(const char *path, size_t max, char **data, size_t *size)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t n = 0, room = 0, got = 1;
	const char *why = NULL;
	char *more;

	*data = NULL;
	if (!f)
		return strerror(errno);
	while (got && !why) {
		if (n == room) {
			room = room * 2 + 65536;
			more = realloc(*data, room + 1);
			if (!more)
				why = "out of memory";
			*data = more ? more : *data;
		}
		got = why ? 0 : fread(*data + n, 1, room - n, f);
		n += got;
		if (n > max)
			why = "too large";
	}
	if (!why && ferror(f))
		why = strerror(errno);
	if (f != stdin)
		fclose(f);
	if (why) {
		free(*data);
		*data = NULL;
		return why;
	}
	(*data)[n] = 0;
	*size = n;
	return NULL;
}

const char *file_read(const char *path, size_t max, char **data, size_t *size)
{
	/* Standard input comes once, and is read for each frame. */
	static char *in;
	static size_t in_size;
	const char *why;

	if (strcmp(path, "-"))
		return read_all(path, max, data, size);
	why = in ? NULL : read_all(path, max, &in, &in_size);
	if (!why && in_size > max)
		why = "too large";
	*size = in_size;
	*data = why ? NULL : malloc(in_size + 1);
	if (*data)
		memcpy(*data, in, in_size + 1);
	return why || *data ? why : "out of memory";
}

bool is_text(const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const unsigned char *s = (const unsigned char *)data + i;
		size_t n = *s < 0x80 ? 1 : utf8_length(s, size - i);

		if (!n || *s == 0x7f || (*s < ' ' && !isspace(*s)))
			return false;
		i += n - 1;
	}
	return true;
}

bool words_of_bytes(const void *data, size_t size, struct words *w)
{
	const unsigned char *b = data;

	*w = (struct words){ malloc(size + 4), size / 4, size % 4, 0 };
	for (size_t i = 0; i < w->count && w->list; i++, b += 4)
		w->list[i] = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
	return w->list;
}

/* --- Text ------------------------------------------------------------------------------ */

struct number {
	uint64_t value;
	uint8_t digits;
	bool prefix;
};

struct numbers {
	struct number *list;
	size_t count;
	bool plain, colons;	/* colons: offsets end in one, as those of xxd */
	unsigned int offset;	/* digits of offsets without one; 0: there was none */
};

/* Numbers to the end of the line, or to what is none; returns how many are new. */
static size_t read_line(struct numbers *n, const char *s, const char *end)
{
	size_t first = n->count;
	bool colon = false;

	/* Behind an offset with a colon two blanks end the numbers: characters follow, or a disassembly. */
	while (s < end && !(colon && n->count > first && end - s > 1 && s[0] == ' ' && s[1] == ' ')) {
		struct number *to = &n->list[n->count];
		const char *begin;

		*to = (struct number){ 0 };
		/* [1 2 3 4] and what it means. */
		if (*s == ']' && n->count > first + 1)
			break;
		if (isspace((unsigned char)*s) || strchr(",{}[]()@", *s)) {
			s++;
			continue;
		}
		if (*s == ':' && n->count > first) {
			/* All of it was an offset. */
			n->count = first;
			n->colons = colon = true;
			s++;
			continue;
		}
		to->prefix = end - s > 2 && s[0] == '0' && (s[1] | 32) == 'x';
		s += to->prefix ? 2 : 0;
		for (begin = s; s < end && isxdigit((unsigned char)*s) && s - begin <= 16; s++)
			to->value = to->value << 4 | (uint64_t)(isdigit((unsigned char)*s) ? *s - '0' : (*s | 32) - 'a' + 10);
		to->digits = s - begin;
		while (to->prefix && s < end && strchr("uUlL", *s))
			s++;
		if (!to->digits || to->digits > 16 || (s < end && !isspace((unsigned char)*s) && !strchr(",;:)]}#", *s)))
			break;
		n->count++;
	}
	/* An offset of another length than what follows, and no numbers of a length that words have not. */
	if (n->count - first > 1 && !n->plain && !n->list[first].prefix &&
	    n->list[first].digits != n->list[first + 1].digits) {
		n->offset = n->list[first].digits;
		n->count--;
		memmove(&n->list[first], &n->list[first + 1], (n->count - first) * sizeof(*n->list));
	}
	/* Where the dump ends. */
	if (n->offset && n->count == first + 1 && n->list[first].digits == n->offset)
		n->count = first;
	for (size_t i = first; i < n->count; i++) {
		unsigned int d = n->list[i].digits;

		if (!n->plain && !n->list[i].prefix && d != 2 && d != 4 && d != 8 && d != 16)
			n->count = i;
	}
	/* A lone number of few digits is rather a word of a language. */
	if (!n->plain && n->count == first + 1 && !n->list[first].prefix && n->list[first].digits < 8)
		n->count = first;
	return n->count - first;
}

/* The numbers as words: bytes and half words when all have as many digits as those. */
static bool join(const struct numbers *n, struct words *w)
{
	unsigned int most = 0, least = 16, bytes;
	unsigned char *data = malloc(n->count * 8 + 1);
	size_t size = 0, left_out = w->left_out;
	unsigned int line = w->line;
	bool ok;

	for (size_t i = 0; i < n->count; i++) {
		most = n->list[i].digits > most ? n->list[i].digits : most;
		least = n->list[i].digits < least ? n->list[i].digits : least;
	}
	bytes = most > 8 ? 8 : most == 2 && least == 2 ? 1 : most == 4 && least == 4 && !n->list[0].prefix ? 2 : 4;
	if (n->plain && bytes < 4 && n->count < 4)
		bytes = 4;
	for (size_t i = 0; i < n->count && data; i++)
		for (unsigned int b = 0; b < bytes; b++)
			data[size++] = n->list[i].value >> 8 * (bytes == 2 && n->colons ? 1 - b : b);
	ok = data && words_of_bytes(data, size, w);
	w->left_out = left_out;
	w->line = line;
	free(data);
	return ok;
}

static bool is_comment(const char *s, const char *end)
{
	return end - s > 1 && s[0] == '/' && s[1] == '/';
}

bool words_of_text(const char *text, size_t size, bool plain, struct words *w)
{
	struct numbers n = { .list = malloc((size / 2 + 2) * sizeof(*n.list)), .plain = plain };
	unsigned int line = 1;
	bool ok;

	memset(w, 0, sizeof(*w));
	for (const char *s = text, *end = text + size, *nl; s < end && n.list; s = nl + 1, line++) {
		const char *stop;

		nl = memchr(s, '\n', end - s);
		nl = nl ? nl : end;
		while (s < nl && isspace((unsigned char)*s))
			s++;
		for (stop = s; stop < nl && *stop != '#' && *stop != ';' && !is_comment(stop, nl); stop++)
			;
		if (s < stop && !read_line(&n, s, stop) && !w->left_out++)
			w->line = line;
	}
	ok = n.list && n.count && join(&n, w);
	free(n.list);
	return ok;
}
