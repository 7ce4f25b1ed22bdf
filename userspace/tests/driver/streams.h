/* SPDX-License-Identifier: MIT */
/*
 * Command streams as text, for tests and benches of the driver's checker:
 *
 * - captures of the vendor's driver (LIMN_DATA/vivante): a word a line, then what
 *   its decoder named there; no relocations, addresses are in their places
 * - dumps of GEM_SUBMIT by Mesa (NAME.submit): a line of the arguments, lines "bo"
 *   and "reloc", then the words
 */
#ifndef LIMN_TESTS_DRIVER_STREAMS_H
#define LIMN_TESTS_DRIVER_STREAMS_H

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_MAX_WORDS	32768u	/* of a submit */

struct stream {
	char name[64];
	uint32_t *words, num_words;
	uint32_t *relocs, num_relocs;	/* indices of words that the kernel fills in, ascending */
	bool has_relocs;
	bool softpin;			/* addresses are in their places, the client's own */
};

static inline void stream_free(struct stream *s)
{
	free(s->words);
	free(s->relocs);
	memset(s, 0, sizeof(*s));
}

/* One word a line; the first ones may be reserved for the kernel ("PAD"). */
static inline void stream_read_capture(struct stream *s, FILE *f)
{
	char line[128], note[48];
	uint32_t reserved = 0, lines = 0, word;

	while (fgets(line, sizeof(line), f) && s->num_words < STREAM_MAX_WORDS) {
		note[0] = 0;
		if (sscanf(line, "%" SCNx32 " %47[^\n]", &word, note) < 1)
			continue;
		if (reserved == lines++ && !strcmp(note, "PAD"))
			reserved++;
		else
			s->words[s->num_words++] = word;
	}
}

static inline void stream_read_submit(struct stream *s, FILE *f)
{
	char line[256];
	uint32_t word, flags;
	int used;

	s->has_relocs = true;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "reloc at_word %" SCNu32, &word) == 1) {
			if (s->num_relocs < STREAM_MAX_WORDS)
				s->relocs[s->num_relocs++] = word;
			continue;
		}
		if (sscanf(line, "pipe %*u exec_state %*u flags %" SCNx32, &flags) == 1) {
			s->softpin = flags & 8;		/* ETNA_SUBMIT_SOFTPIN */
			continue;
		}
		if (!strncmp(line, "bo ", 3))
			continue;
		for (char *at = line; s->num_words < STREAM_MAX_WORDS &&
		     sscanf(at, "%" SCNx32 "%n", &word, &used) == 1; at += used)
			s->words[s->num_words++] = word;
	}
}

/* False: it is no stream. */
static inline bool stream_read(struct stream *s, const char *folder, const char *name)
{
	const char *end = strrchr(name, '.');
	bool submit = end && !strcmp(end, ".submit");
	char path[800];
	FILE *f;

	memset(s, 0, sizeof(*s));
	if (!submit && !strstr(name, "-cmdbuf"))
		return false;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "r");
	if (!f)
		return false;
	snprintf(s->name, sizeof(s->name), "%.63s", name);
	s->words = malloc(4 * STREAM_MAX_WORDS);
	s->relocs = malloc(4 * STREAM_MAX_WORDS);
	if (s->words && s->relocs)
		(submit ? stream_read_submit : stream_read_capture)(s, f);
	fclose(f);
	return true;
}

/* Calls @each for each stream of a folder and of those in it; returns how many. */
static inline unsigned int streams_each(const char *folder,
					void (*each)(void *ctx, struct stream *s), void *ctx)
{
	struct dirent **list;
	unsigned int found = 0;
	int n = scandir(folder, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		struct stream s;
		char path[700];

		if (list[i]->d_type == DT_DIR && name[0] != '.') {
			snprintf(path, sizeof(path), "%s/%s", folder, name);
			found += streams_each(path, each, ctx);
		} else if (stream_read(&s, folder, name)) {
			each(ctx, &s);
			stream_free(&s);
			found++;
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return found;
}

#endif
