// SPDX-License-Identifier: MIT
/* Text as it grows, and as it is read; what goes with it: messages, lists. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

/* Room for so many more, and one. False: out of memory. */
static bool room(struct isa_text *text, size_t more)
{
	size_t size = (text->room + more) * 2 + 256;
	char *data;

	if (text->failed || text->room - text->length > more)
		return !text->failed;
	data = realloc(text->data, size);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->room = size;
	return true;
}

void isa_append(struct isa_text *text, const char *from, size_t n)
{
	if (!room(text, n + 1))
		return;
	memcpy(text->data + text->length, from, n);
	text->length += n;
}

void isa_puts(struct isa_text *text, const char *s)
{
	isa_append(text, s, strlen(s));
}

void isa_putc(struct isa_text *text, char c)
{
	if (room(text, 2))
		text->data[text->length++] = c;
}

void isa_line_words(const uint32_t *words, size_t count, struct isa_text *text)
{
	isa_puts(text, ".word");
	for (size_t i = 0; i < count; i++)
		isa_printf(text, " 0x%08x", words[i]);
}

void isa_printf(struct isa_text *text, const char *format, ...)
{
	va_list ap, again;
	int n;

	if (!room(text, 64))
		return;
	va_start(ap, format);
	va_copy(again, ap);
	n = vsnprintf(text->data + text->length, text->room - text->length, format, ap);
	if (n >= (int)(text->room - text->length) && room(text, n))
		vsnprintf(text->data + text->length, text->room - text->length, format, again);
	text->length += text->failed ? 0 : n;
	va_end(again);
	va_end(ap);
}

char *isa_text_finish(struct isa_text *text)
{
	if (room(text, 1)) {
		text->data[text->length] = 0;
		return text->data;
	}
	free(text->data);
	return NULL;
}

/* --- Text in ----------------------------------------------------------------- */

#define LETTER	(ISA_NAME | ISA_WORD)

const uint8_t isa_classes[256] = {
	['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['0' ... '9'] = LETTER | ISA_DIGIT, ['_'] = LETTER,
	['-'] = ISA_NAME, ['.'] = ISA_WORD, [' '] = ISA_BLANK | ISA_STOP, ['\t'] = ISA_BLANK | ISA_STOP,
	['\r'] = ISA_BLANK | ISA_STOP, ['\n'] = ISA_STOP, [','] = ISA_STOP, ['#'] = ISA_STOP,
};

bool isa_number(struct isa_cursor *cursor, int64_t lo, int64_t hi, int64_t *value)
{
	const char *p = cursor->at + (cursor->at < cursor->end && *cursor->at == '-');
	size_t n = isa_span(&(struct isa_cursor){ .at = p, .end = cursor->end }, ISA_WORD);
	bool negative = p > cursor->at, hex = n > 2 && *p == '0' && (p[1] | 32) == 'x';
	const char *from = hex ? p + 2 : p, *behind = p + n;
	char digits[64] = "", *end;
	long long v;

	/* Zeros in front may be many. */
	while (behind - from > 1 && *from == '0' && isxdigit((unsigned char)from[1]))
		from++;
	memcpy(digits, from, behind - from < (int)sizeof(digits) ? (size_t)(behind - from) : sizeof(digits) - 1);
	if (!isxdigit((unsigned char)*digits) || (!hex && *digits > '9'))
		return isa_expect(cursor, "expected a number");
	v = strtoll(digits, &end, hex ? 16 : 10);
	if (v == INT64_MAX && hi < v)
		return isa_expect(cursor, "%.*s is out of range: %lld to %lld", (int)(behind - cursor->at < 60 ? behind - cursor->at : 60),
				  cursor->at, (long long)lo, (long long)hi);
	v = negative ? -v : v;
	if (v < lo || v > hi || (negative && lo >= 0))
		return isa_expect(cursor, "%s%lld is out of range: %lld to %lld", negative && !v ? "-" : "", v,
				  (long long)lo, (long long)hi);
	cursor->at = from + (end - digits);
	*value = v;
	return true;
}

size_t isa_span(const struct isa_cursor *cursor, unsigned int classes)
{
	const char *p = cursor->at;

	while (p < cursor->end && isa_is(*p, classes))
		p++;
	return p - cursor->at;
}

bool isa_expect(struct isa_cursor *cursor, const char *format, ...)
{
	va_list ap;

	if (cursor->quiet)
		return false;
	/* The row that got farthest is the one that was meant. */
	if (cursor->fail && cursor->at <= cursor->fail && !(cursor->weak && cursor->at == cursor->fail))
		return false;
	cursor->fail = cursor->at;
	cursor->weak = false;
	va_start(ap, format);
	vsnprintf(cursor->error, sizeof(cursor->error), format, ap);
	va_end(ap);
	return false;
}

void isa_choice(struct isa_choices *list, const char *prefix, const char *word)
{
	size_t n = strlen(list->text), more;
	char *end = list->text + n, *at = list->text;

	if (!*word)
		return;
	more = snprintf(end, sizeof(list->text) - n, " %s%s", prefix, word);
	/* Once, and whole. */
	while (n + more < sizeof(list->text) && (at = strstr(at, end)) != end && at[more] && at[more] != ' ')
		at++;
	if (n + more >= sizeof(list->text) || at != end)
		*end = 0;
}

bool isa_unknown_modifier(struct isa_cursor *cursor, const char *word, size_t length, const struct isa_choices *list)
{
	return isa_expect(cursor, "unknown modifier '%.*s'%s%s", length < 60 ? (int)length : 60, word,
			  *list->text ? "; there are:" : "", list->text);
}

bool isa_message(struct isa_messages *messages, const struct isa_message *place, const char *format, ...)
{
	va_list ap;
	int n;

	if (!isa_room(&messages->list, messages->count, 1, sizeof(*messages->list)))
		return false;
	messages->list[messages->count] = *place;
	va_start(ap, format);
	n = vasprintf(&messages->list[messages->count].text, format, ap);
	va_end(ap);
	if (n < 0)
		return false;
	messages->errors += place->severity == ISA_ERROR;
	messages->count++;
	return true;
}

void limn_isa_messages_free(struct isa_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		free(messages->list[i].text);
	free(messages->list);
	free(messages->lines);
	memset(messages, 0, sizeof(*messages));
}

static size_t capacity(size_t count)
{
	return count > 1 ? 1ull << (64 - __builtin_clzll(count - 1)) : count;
}

bool isa_room(void *list, size_t count, size_t more, size_t size)
{
	void *old, *new;

	if (capacity(count + more) == capacity(count))
		return true;
	memcpy(&old, list, sizeof(old));
	new = realloc(old, capacity(count + more) * size);
	if (new)
		memcpy(list, &new, sizeof(new));
	return new;
}

size_t isa_without_zeros(const uint32_t *words, size_t count)
{
	while (count && !words[count - 1])
		count--;
	return count;
}
