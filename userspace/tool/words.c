// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/json.h"
#include "tool/words.h"

#define MAX_REPEATED	(16u << 20)	/* bytes that a "*" stands for: no shader is as long */

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

	*w = (struct words){ .list = malloc(size + 4), .count = size / 4, .left_out = size % 4 };
	for (size_t i = 0; i < w->count && w->list; i++, b += 4)
		w->list[i] = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
	return w->list;
}

/* --- Text ------------------------------------------------------------------------------ */

struct number {
	uint64_t value;
	uint8_t digits;		/* 0: it may be of any size */
	bool prefix;
	bool first;		/* of its line */
};

/* The offset in front of a line, as it stands there. */
struct offset {
	char text[20];		/* "": there is none */
	size_t from, count;	/* the line's numbers */
};

struct numbers {
	struct number *list;
	size_t count, room;
	bool plain, colons;	/* colons: offsets end in one, as those of xxd */
	bool c;			/* lists of C: what has commas and no 0x is decimal */
	bool run;		/* xxd -p: lines are nothing but digits, two of them a byte */
	bool big, little;	/* which byte of a number comes first, by the characters behind */
	int base;		/* of offsets; 0: nothing says it so far */
	bool again;		/* lines are left out here, which are as the last one */
	bool unclear;		/* how many they are */
	bool failed;		/* out of memory */
	unsigned int width;	/* digits of offsets without a colon; 0: there was none */
	struct offset last, now;
};

static bool make_room(struct numbers *n, size_t more)
{
	struct number *list = n->list;

	if (n->room - n->count < more) {
		n->room = 2 * n->room + more + 64;
		list = realloc(n->list, n->room * sizeof(*list));
		n->failed |= !list;
		n->list = list ? list : n->list;
	}
	return list;
}

static void add(struct numbers *n, struct number number)
{
	if (!n->failed && make_room(n, 1))
		n->list[n->count++] = number;
}

static bool is_comment(const char *s, const char *end)
{
	return end - s > 1 && s[0] == '/' && s[1] == '/';
}

/* Behind what may stand between numbers: a C comment and a debugger's <symbol> too. */
static const char *skip(const char *s, const char *end)
{
	const char *close = NULL;

	if (isspace((unsigned char)*s) || strchr(",{}[]()@\"'", *s))
		return s + 1;
	if (*s == '<')
		close = memchr(s, '>', end - s);
	else if (end - s > 3 && s[0] == '/' && s[1] == '*' && memmem(s + 2, end - s - 2, "*/", 2))
		close = (const char *)memmem(s + 2, end - s - 2, "*/", 2) + 1;
	return close ? close + 1 : s;
}

static void keep_offset(struct numbers *n, const char *s, size_t length)
{
	if (length < sizeof(n->now.text))
		snprintf(n->now.text, sizeof(n->now.text), "%.*s", (int)length, s);
}

/* A line of digits alone, too many for a number, or like lines before it fewer; letters alone are rather a word. */
static bool read_run(struct numbers *n, const char *s, const char *end)
{
	bool decimal = n->run;
	size_t digits = 0;

	for (; s + digits < end && isxdigit((unsigned char)s[digits]); digits++)
		decimal |= isdigit((unsigned char)s[digits]);
	if (n->plain || !decimal || s + digits != end || digits % 2 || (digits <= 16 && !n->run))
		return false;
	n->run = true;
	for (size_t i = 0; i < digits; i += 2)
		add(n, (struct number){ strtoul((char[]){ s[i], s[i + 1], 0 }, NULL, 16), .digits = 2 });
	return true;
}

/* Is it a number of C that does without 0x? Between commas, numbers and the line's ends. */
static bool read_decimal(const struct numbers *n, const char *line, const char *s, struct number *to, const char *end)
{
	const char *before = s, *behind = s;
	uint64_t value = 0;
	bool comma;

	for (; behind < s + to->digits && isdigit((unsigned char)*behind); behind++)
		value = value * (*s == '0' ? 8 : 10) + (*behind - '0');
	if (!n->c || to->prefix || behind == s || behind != s + to->digits)
		return false;
	while (before > line && isspace((unsigned char)before[-1]))
		before--;
	comma = before > line && before[-1] == ',';
	for (; behind < end && (isspace((unsigned char)*behind) || strchr("uUlL,", *behind)); behind++)
		comma |= *behind == ',';
	if (!comma || (behind < end && !isdigit((unsigned char)*behind) && !strchr("}])/", *behind)))
		return false;
	to->value = value;
	to->digits = value < 256 ? 0 : value <= UINT32_MAX ? 8 : 16;
	to->prefix = true;
	return true;
}

/* Numbers to the end of the line, or to what is none. Where characters follow them, if any do. */
static const char *read_numbers(struct numbers *n, size_t first, const char *s, const char *end)
{
	const char *line = s;
	bool colon = false;

	/* Behind an offset with a colon two blanks end the numbers: characters follow, or a disassembly. */
	while (s < end && !(colon && n->count > first && end - s > 1 && s[0] == ' ' && s[1] == ' ')) {
		struct number to = { .first = n->count == first };
		const char *begin = skip(s, end);

		/* [1 2 3 4] and what it means. */
		if (*s == ']' && n->count > first + 1)
			break;
		if (begin > s) {
			s = begin;
			continue;
		}
		if (*s == ':' && n->count > first) {
			/* All of it was an offset. */
			n->count = first;
			n->colons = colon = true;
			keep_offset(n, line, s - line);
			s++;
			continue;
		}
		to.prefix = end - s > 2 && (s[0] == '0' || s[0] == '\\') && (s[1] | 32) == 'x';
		s += to.prefix ? 2 : 0;
		for (begin = s; s < end && isxdigit((unsigned char)*s) && s - begin <= 16; s++)
			to.value = to.value << 4 | (uint64_t)(isdigit((unsigned char)*s) ? *s - '0' : (*s | 32) - 'a' + 10);
		to.digits = s - begin;
		while ((to.prefix || n->c) && s < end && *s && strchr("uUlL", *s))
			s++;
		if (!read_decimal(n, line, begin, &to, end) && (!to.digits || to.digits > 16 ||
		    (s < end && !isspace((unsigned char)*s) && !strchr(to.prefix ? ",;:)]}#\\\"'" : ",;:)]}#", *s))))
			break;
		if (to.first && !colon)
			line = begin;
		add(n, to);
	}
	/* An offset of another length than what follows, and no numbers of a length that words have not. */
	if (n->count - first > 1 && !n->plain && !n->list[first].prefix &&
	    n->list[first].digits != n->list[first + 1].digits) {
		n->width = n->list[first].digits;
		keep_offset(n, line, n->width);
		n->count--;
		memmove(&n->list[first], &n->list[first + 1], (n->count - first) * sizeof(*n->list));
		n->list[first].first = true;
	}
	/* Where the dump ends. */
	if (n->width && n->count == first + 1 && n->list[first].digits == n->width) {
		keep_offset(n, line, n->width);
		n->count = first;
	}
	return colon && end - s > 2 ? s + 2 : NULL;
}

static uint64_t bytes_of(const struct numbers *n, const struct offset *line)
{
	return line->count * (n->list[line->from].digits / 2);
}

/* Does the line's characters' column have the bytes of its numbers in that order? */
static bool shows(const struct numbers *n, const char *chars, size_t length, bool big)
{
	size_t at = 0;

	while (length > bytes_of(n, &n->now) && *chars == ' ') {
		chars++;
		length--;
	}
	for (size_t i = n->now.from; i < n->now.from + n->now.count; i++) {
		unsigned int bytes = n->list[i].digits / 2;

		for (unsigned int b = 0; b < bytes; b++, at++) {
			unsigned char c = n->list[i].value >> 8 * (big ? bytes - 1 - b : b);

			if (at >= length || chars[at] != (c >= ' ' && c < 0x7f ? c : '.'))
				return false;
		}
	}
	return at;
}

/* From the last line's offset to this one's. */
static uint64_t gap_of(const struct numbers *n, int base)
{
	return strtoull(n->now.text, NULL, base) - strtoull(n->last.text, NULL, base);
}

/*
 * hexdump and od write "*" for lines that are as the one before, up to the next offset. What its digits are the lines so
 * far say; seven in front of words are od's, octal. False: it does not say how many lines, or too many.
 */
static bool repeat(struct numbers *n)
{
	int base = n->base ? n->base : strlen(n->now.text) == 7 && n->list[n->last.from].digits == 8 ? 8 : 16;
	uint64_t size = bytes_of(n, &n->last), gap = *n->now.text && *n->last.text ? gap_of(n, base) : 0;
	size_t line = n->last.count, times, own = n->now.count;

	times = size ? gap / size - 1 : 0;
	if (!size || gap % size || gap < size || gap > MAX_REPEATED || n->count > MAX_REPEATED)
		return false;
	if (!make_room(n, times * line))
		return true;
	memmove(n->list + n->now.from + times * line, n->list + n->now.from, own * sizeof(*n->list));
	for (size_t i = 0; i < times; i++)
		memcpy(n->list + n->now.from + i * line, n->list + n->last.from, line * sizeof(*n->list));
	n->count += times * line;
	n->now.from += times * line;
	return true;
}

/* False: no word is in the line, nor is it a part of a dump. */
static bool read_line(struct numbers *n, const char *s, const char *end)
{
	static const int bases[] = { 16, 8, 10 };
	size_t first = n->count;
	const char *chars;

	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	if (end - s == 1 && *s == '*' && n->last.count) {
		n->again = true;
		return true;
	}
	if (read_run(n, s, end))
		return true;
	/* Of an assembler of C compilers. */
	for (unsigned int i = 0; i < 4; i++) {
		static const char *const data[] = { ".long", ".int", ".4byte", ".byte" };
		size_t length = strlen(data[i]);

		if ((size_t)(end - s) > length && !memcmp(s, data[i], length) && isspace((unsigned char)s[length]))
			s += length;
	}
	n->now = (struct offset){ .from = first };
	chars = read_numbers(n, first, s, end);
	for (size_t i = first; i < n->count; i++) {
		unsigned int d = n->list[i].digits;

		/* printf("%#x") has no 0x in front of 0. */
		if (i > first && n->list[i - 1].prefix && !n->list[i].value) {
			n->list[i].prefix = true;
			n->list[i].digits = d = n->list[i - 1].digits;
		}
		if (!n->plain && !n->list[i].prefix && d != 2 && d != 4 && d != 8 && d != 16)
			n->count = i;
	}
	/* A lone number of few digits is rather a word of a language. */
	if (!n->plain && n->count == first + 1 && !n->list[first].prefix && n->list[first].digits < 8)
		n->count = first;
	n->now.count = n->count - first;
	if (chars && shows(n, chars, end - chars, true) != shows(n, chars, end - chars, false)) {
		n->big |= shows(n, chars, end - chars, true);
		n->little |= !n->big;
	}
	if (n->again)
		n->unclear |= !repeat(n);
	for (int i = 0; i < 3 && !n->again && !n->base && *n->now.text && *n->last.text; i++)
		if (gap_of(n, bases[i]) == bytes_of(n, &n->last))
			n->base = bases[i];
	n->again = false;
	if (n->now.count)
		n->last = n->now;
	return n->count > first || (*n->now.text && !n->colons);
}

/*
 * Each line's first number is an offset where each says how many bytes, or words, were before. A power of two follow, as
 * tools print them: first words of instructions of four are none.
 */
static void drop_offsets(struct numbers *n)
{
	bool bytes = true, words = true, usual = true;
	size_t lines = 0, last = 0, to = 0;

	if (n->plain || n->colons || n->width)
		return;
	for (size_t i = 0; i < n->count; i++) {
		uint64_t gap = n->list[i].value - n->list[last].value;
		size_t count = i - last - 1;

		if (!n->list[i].first)
			continue;
		bytes &= !i || gap == 4 * count;
		words &= !i || gap == count;
		usual &= !i || !(count & (count - 1));
		lines += !i || count;
		last = i;
	}
	if (lines < 2 || !usual || !(bytes || words))
		return;
	for (size_t i = 0; i < n->count; i++)
		if (!n->list[i].first)
			n->list[to++] = n->list[i];
	n->count = to;
}

/* The numbers as words: bytes and half words when all have as many digits as those. */
static bool join(const struct numbers *n, struct words *w)
{
	unsigned int most = 0, least = 16, bytes;
	unsigned char *data = malloc(n->count * 8 + 1);
	size_t size = 0, left_out = w->left_out;
	unsigned int line = w->line;
	bool ok, big;

	for (size_t i = 0; i < n->count; i++) {
		most = n->list[i].digits > most ? n->list[i].digits : most;
		least = n->list[i].digits && n->list[i].digits < least ? n->list[i].digits : least;
	}
	bytes = most > 8 ? 8 : !most || (most == 2 && least == 2) ? 1 : most == 4 && least == 4 && !n->list[0].prefix ? 2 : 4;
	if (n->plain && bytes < 4 && n->count < 4)
		bytes = 4;
	/* xxd, unless it is told -e. */
	big = n->big != n->little ? n->big : bytes == 2 && n->colons;
	for (size_t i = 0; i < n->count && data; i++)
		for (unsigned int b = 0; b < bytes; b++)
			data[size++] = n->list[i].value >> 8 * (big ? bytes - 1 - b : b);
	ok = data && words_of_bytes(data, size, w);
	w->left_out = left_out;
	w->line = line;
	free(data);
	return ok;
}

/* [173, 74, 214, ...]: decimal bytes, or words where one is larger. As many as there are; 0: it is something else. */
static size_t read_decimals(struct numbers *n, const char *s, const char *end)
{
	bool comma = true, bytes = true;
	uint64_t v;

	for (; s < end; s++) {
		if (isspace((unsigned char)*s) || strchr("[](){}", *s))
			continue;
		if (*s == ',' && !comma) {
			comma = true;
			continue;
		}
		if (!comma || !isdigit((unsigned char)*s) || (*s == '0' && end - s > 1 && isalnum((unsigned char)s[1])))
			return 0;
		for (v = 0; s < end && isdigit((unsigned char)*s) && v <= UINT32_MAX; s++)
			v = v * 10 + (*s - '0');
		s--;
		add(n, (struct number){ v, .digits = 8 });
		bytes &= v < 256;
		comma = false;
		if (v > UINT32_MAX)
			return 0;
	}
	for (size_t i = 0; i < n->count && bytes; i++)
		n->list[i].digits = 2;
	return n->count > 3 ? n->count : 0;
}

bool words_of_text(const char *text, size_t size, bool plain, struct words *w)
{
	const char *hex = memmem(text, size, "0x", 2);
	struct numbers n = { .plain = plain, .c = hex && memchr(hex, ',', text + size - hex) };
	unsigned int line = 1;
	bool ok;

	memset(w, 0, sizeof(*w));
	if (!plain && read_decimals(&n, text, text + size))
		size = 0;
	else
		n.count = 0;
	for (const char *s = text, *end = text + size, *nl; s < end && !n.failed; s = nl + 1, line++) {
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
	drop_offsets(&n);
	ok = !n.failed && n.count && join(&n, w);
	w->unclear = n.unclear || n.again;
	free(n.list);
	return ok;
}
