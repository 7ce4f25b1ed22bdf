// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tool/json.h"

size_t utf8_length(const unsigned char *s, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
	uint32_t c;

	if (!n || n > left || s[0] >= 0xf8)
		return 0;
	c = s[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

void json_print_text(FILE *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char *s = (const unsigned char *)text + i;
		size_t n = *s < 0x80 ? 0 : utf8_length(s, length - i);

		if (*s == '"' || *s == '\\') {
			fprintf(to, "\\%c", *s);
		} else if (*s < 0x20 || *s == 0x7f || (*s >= 0x80 && !n)) {
			fprintf(to, "\\u%04x", *s);
		} else {
			fwrite(s, 1, n ? n : 1, to);
			i += n ? n - 1 : 0;
		}
	}
}

void json_print_string(FILE *to, const char *text)
{
	fputc('"', to);
	json_print_text(to, text, strlen(text));
	fputc('"', to);
}

/* What stands in front of a value. */
static void next(struct json *j, const char *key)
{
	if (j->more)
		fputs(j->line ? ", " : ",", j->to);
	if (j->depth && !j->line)
		fprintf(j->to, "\n%*s", 2 * (int)j->depth, "");
	if (key) {
		json_print_string(j->to, key);
		fputs(": ", j->to);
	}
	j->more = true;
}

static void begin(struct json *j, const char *key, char bracket)
{
	if (j->text)
		return;
	next(j, key);
	fputc(bracket, j->to);
	j->depth++;
	j->more = false;
}

static void end(struct json *j, char bracket)
{
	if (j->text)
		return;
	j->depth--;
	if (j->more && !j->line)
		fprintf(j->to, "\n%*s", 2 * (int)j->depth, "");
	fputc(bracket, j->to);
	j->more = true;
	if (!j->depth)
		fputc('\n', j->to);
}

void json_object(struct json *j, const char *key)
{
	begin(j, key, '{');
}

void json_array(struct json *j, const char *key)
{
	begin(j, key, '[');
}

void json_end_object(struct json *j)
{
	end(j, '}');
}

void json_end_array(struct json *j)
{
	end(j, ']');
}

void json_bool(struct json *j, const char *key, bool value)
{
	next(j, key);
	fputs(value ? "true" : "false", j->to);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	next(j, key);
	fprintf(j->to, "%" PRId64, value);
}

void json_bytes(struct json *j, const char *key, const char *text, size_t length)
{
	next(j, key);
	fputc('"', j->to);
	json_print_text(j->to, text, length);
	fputc('"', j->to);
}

void json_string(struct json *j, const char *key, const char *text)
{
	json_bytes(j, key, text, strlen(text));
}

void json_hex(struct json *j, const char *key, uint64_t value)
{
	next(j, key);
	fprintf(j->to, "\"0x%08" PRIx64 "\"", value);
}

void json_words(struct json *j, const char *key, const uint32_t *words, unsigned int count)
{
	json_array(j, key);
	for (unsigned int i = 0; i < count && !j->text; i++)
		json_hex(j, NULL, words[i]);
	json_end_array(j);
}

static void put_member(struct json *j, const struct json_field *f)
{
	switch (f->kind) {
	case 's':
		json_string(j, f->key, f->string);
		break;
	case 'x':
		json_hex(j, f->key, f->number);
		break;
	case 'd':
		json_int(j, f->key, f->number);
		break;
	case 'b':
		json_bool(j, f->key, f->number);
		break;
	case 'g':
		next(j, f->key);
		fprintf(j->to, isfinite(f->real) ? "%.9g" : "null", f->real);
		break;
	case '0':
		next(j, f->key);
		fputs("null", j->to);
		break;
	}
}

static void put_text(struct json *j, const struct json_field *f, const char *format)
{
	if (f->kind == 'g')
		fprintf(j->to, *format ? format : "%.9g", f->real);
	else if (f->string)
		fprintf(j->to, *format ? format : "%s", f->string);
	else
		fprintf(j->to, *format ? format : (f->kind | 32) == 'x' ? "%08llx" : "%lld", (long long)f->number);
}

void report_fields(struct json *j, const char *template, const struct json_field *fields)
{
	for (const struct json_field *f = fields; f->kind && !j->text; f++)
		put_member(j, f);
	while (j->text && template && *template) {
		size_t plain = strcspn(template, "{"), key;
		const char *begin = template + plain;
		char format[16];

		fwrite(template, 1, plain, j->to);
		template = begin;
		if (!*begin)
			break;
		key = strcspn(++begin, "%}");
		template = strchr(begin, '}') + 1;
		snprintf(format, sizeof(format), "%.*s", (int)(template - 1 - begin - key), begin + key);
		for (const struct json_field *f = fields; f->kind; f++)
			if (f->key && strlen(f->key) == key && !strncmp(f->key, begin, key))
				put_text(j, f, format);
	}
}
