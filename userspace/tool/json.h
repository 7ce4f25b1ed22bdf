/* SPDX-License-Identifier: MIT */
/* JSON as it is written: the commas and the escapes, so that nobody else has to think of them. */
#ifndef LIMN_TOOL_JSON_H
#define LIMN_TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	unsigned int depth;
	bool more;		/* something stands before, in this object or array */
};

/* In an object each value has a key; in an array, and outermost, key is NULL. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end_object(struct json *j);
void json_end_array(struct json *j);
void json_null(struct json *j, const char *key);
void json_bool(struct json *j, const char *key, bool value);
void json_int(struct json *j, const char *key, int64_t value);
void json_string(struct json *j, const char *key, const char *text);
void json_bytes(struct json *j, const char *key, const char *text, size_t length);
/* Addresses and words, as "0x0000abcd". */
void json_hex(struct json *j, const char *key, uint64_t value);

/* Only the string; bytes that are no UTF-8 are taken as Latin-1. */
void json_print_string(FILE *to, const char *text);
/* Without the quotes. */
void json_print_text(FILE *to, const char *text, size_t length);

#endif
