/* SPDX-License-Identifier: MIT */
/* 32-bit words as people have them: binary, or hexadecimal text of any usual form; and whole files. */
#ifndef LIMN_TOOL_WORDS_H
#define LIMN_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of a file ("-": standard input), malloc'ed with a zero byte behind it. NULL; else why it cannot be had. */
const char *file_read(const char *path, size_t max, char **data, size_t *size);

/* Whether it reads as text: no control characters, and UTF-8. */
bool is_text(const char *data, size_t size);

struct words {
	uint32_t *list;		/* malloc'ed */
	size_t count;
	size_t left_out;	/* bytes at the end that are no whole word; of text: lines without words */
	unsigned int line;	/* the first of these lines, from 1 */
	bool unclear;		/* text: a "*" stands for lines, and no offset says how many */
};

/* Little-endian words. False: no memory. */
bool words_of_bytes(const void *data, size_t size, struct words *w);

/*
 * Words of text: as a debugger, a hex dump or a driver of Mesa prints them. On each line: an offset
 * (before a colon, of another length than what follows, or of what stood before), then numbers of 2 (bytes),
 * 4 (half words), 8 or 16 digits, or shorter ones behind 0x or \x, with blanks, commas and brackets between
 * them; what follows them is a comment. Or all lines are digits, two a byte; or decimal numbers with commas.
 * plain: shorter ones without 0x, too. False: no memory, or none is a word.
 */
bool words_of_text(const char *text, size_t size, bool plain, struct words *w);

#endif
