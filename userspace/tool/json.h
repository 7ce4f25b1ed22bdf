/* SPDX-License-Identifier: MIT */
/*
 * JSON as it is written: the commas and the escapes, so that nobody else has to think of them. What people
 * read as text and programs as JSON is said once, by report().
 */
#ifndef LIMN_TOOL_JSON_H
#define LIMN_TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	unsigned int depth;
	bool more;		/* something stands before, in this object or array */
	bool line;		/* all of it on one line */
	bool text;		/* for people: only report() prints, its text */
};

struct json_field {
	const char *key;
	char kind;		/* a letter of the macros below */
	const char *string;
	int64_t number;
	double real;
};

#define STRING(key, value)	{ key, 's', value, 0, 0 }
#define HEX(key, value)		{ key, 'x', NULL, value, 0 }	/* as "0x0000abcd", in text without the 0x */
#define INT(key, value)		{ key, 'd', NULL, value, 0 }
#define BOOL(key, value)	{ key, 'b', NULL, value, 0 }
#define REAL(key, value)	{ key, 'g', NULL, 0, value }
#define NONE(key)		{ key, '0', NULL, 0, 0 }	/* null */
#define TEXT(key, value)	{ key, 't', value, 0, 0 }	/* not in JSON */
#define TEXT_INT(key, value)	{ key, 'D', NULL, value, 0 }
#define TEXT_HEX(key, value)	{ key, 'X', NULL, value, 0 }

/*
 * As JSON the fields become members of the object at hand. As text the template is printed, with each
 * {key} replaced by its value, and {key%format} as printf() would. NULL: nothing as text.
 */
#define report(j, template, ...) \
	report_fields(j, template, (const struct json_field[]){ __VA_ARGS__ __VA_OPT__(,) { NULL, 0, NULL, 0, 0 } })
void report_fields(struct json *j, const char *template, const struct json_field *fields);

/* In an object each value has a key; in an array, and outermost, key is NULL. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end_object(struct json *j);
void json_end_array(struct json *j);
void json_bool(struct json *j, const char *key, bool value);
void json_int(struct json *j, const char *key, int64_t value);
void json_string(struct json *j, const char *key, const char *text);
void json_bytes(struct json *j, const char *key, const char *text, size_t length);
/* An array of them; nothing as text. */
void json_words(struct json *j, const char *key, const uint32_t *words, unsigned int count);
/* Addresses and words, as "0x0000abcd". */
void json_hex(struct json *j, const char *key, uint64_t value);

/* Bytes of the UTF-8 character at s, 0: it is none (RFC 3629). */
size_t utf8_length(const unsigned char *s, size_t left);

/* Only the string; bytes that are no UTF-8 are taken as Latin-1. */
void json_print_string(FILE *to, const char *text);
/* Without the quotes. */
void json_print_text(FILE *to, const char *text, size_t length);

#endif
