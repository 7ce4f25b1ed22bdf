// SPDX-License-Identifier: MIT
/*
 * The command buffers and the context buffer that the vendor's driver sent to
 * real chips (LIMN_DATA/vivante), decoded:
 * every word is what the capture's own decoder said, nothing is unknown, and
 * the checker has nothing against them. Skipped where the data is missing.
 */
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/vivante/decode.h"

#define MAX_WORDS 8192

static char folder[400];

struct capture {
	char name[64];
	size_t count, reserved;		/* words; of them in front that the kernel fills in */
	uint32_t words[MAX_WORDS];
	char notes[MAX_WORDS][40];	/* second column */
	size_t seen;
	bool exact;			/* NOTES name every word */
};

static struct capture capture;

static void read_capture(const char *name)
{
	char path[500], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(capture.name, sizeof(capture.name), "%s", name);
	f = fopen(path, "r");
	assert_non_null(f);
	capture.count = capture.reserved = capture.seen = 0;
	while (fgets(line, sizeof(line), f)) {
		size_t n = capture.count++;

		assert_true(n < MAX_WORDS);
		capture.notes[n][0] = 0;
		assert_true(sscanf(line, "%" SCNx32 " %39[^\n]", &capture.words[n], capture.notes[n]) >= 1);
		if (capture.reserved == n && !strcmp(capture.notes[n], "PAD"))
			capture.reserved++;
	}
	fclose(f);
	/* The first 32 bytes of a buffer are the vendor's kernel driver's, for a pipe switch. */
	assert_true(!capture.reserved || capture.reserved == 8);
}

static void expect_word(void *ctx, const struct viv_word *w)
{
	size_t at = w->at + capture.reserved;
	const char *note = capture.notes[at];
	uint32_t base, count;
	int fixed;

	assert_int_equal(w->at, capture.seen++);
	assert_int_equal(w->value, capture.words[at]);
	switch (w->type) {
	case VIV_WORD_COMMAND:
		if (sscanf(note, "LOAD_STATE %" SCNx32 " %" SCNu32 " %d", &base, &count, &fixed) == 3) {
			assert_int_equal(w->row->at, FE_OPCODE_LOAD_STATE);
			assert_int_equal(viv_fe_load_address(w->value), base);
			assert_int_equal(viv_fe_load_count(w->value), count);
			assert_int_equal(!!(w->value & VIV_FE_LOAD_STATE_HEADER_FIXP), fixed);
		} else if (*note) {
			assert_string_equal(note, w->row->name);
		}
		break;
	case VIV_WORD_STATE:
		assert_int_equal(strtoul(note, NULL, 16), w->address);
		assert_non_null(w->row);
		break;
	case VIV_WORD_PAD:
		if (*note)
			assert_string_equal(note, "PAD");
		break;
	case VIV_WORD_ARGUMENT:
		/* The capture's decoder names no arguments; what pads a STALL or a DRAW may be named so. */
		assert_true(!*note || !strcmp(note, "PAD"));
		break;
	default:
		fail_msg("%s: word %zu is of type %d", capture.name, at, w->type);
	}
}

static void expect_note(void *ctx, const struct viv_finding *f)
{
	/* Explained: the kernel appends the LINK; the vendor's driver always wrote this scissor. */
	if (f->severity != VIV_NOTE || (strcmp(f->rule, "prefetch") && strcmp(f->rule, "scissor")))
		fail_msg("%s: word %zu: %s [%s]", capture.name, f->at + capture.reserved, f->text, f->rule);
}

static void test_captures(void **state)
{
	const struct viv_sink sink = { NULL, expect_word, expect_note, NULL, NULL };
	struct viv_decode_stats stats;
	DIR *dir = opendir(folder);
	struct dirent *e;
	unsigned int files = 0, commands = 0;

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		if (!strstr(e->d_name, "-cmdbuf"))
			continue;
		read_capture(e->d_name);
		limn_viv_decode(capture.words + capture.reserved, capture.count - capture.reserved, VIV_DECODE_USER,
				&sink, &stats);
		assert_int_equal(capture.seen, capture.count - capture.reserved);
		assert_int_equal(stats.unknown_commands, 0);
		assert_int_equal(stats.unknown_states, 0);
		commands += stats.commands;
		files++;
	}
	closedir(dir);
	printf("%u buffers, %u commands\n", files, commands);
	assert_int_equal(files, 23);
}

/* --- The context buffer ------------------------------------------------------ */

static uint32_t address_of[MAX_WORDS];	/* state address of a word, plus one */
static bool is_nop[MAX_WORDS];

static void note_word(void *ctx, const struct viv_word *w)
{
	static bool nop;
	const size_t *base = ctx;

	if (w->type == VIV_WORD_COMMAND)
		nop = w->row->at == FE_OPCODE_NOP;
	is_nop[w->at + *base] = nop;
	if (w->type == VIV_WORD_STATE) {
		assert_non_null(w->row);
		address_of[w->at + *base] = w->address + 1;
	}
}

static void expect_context(void *ctx, const struct viv_finding *f)
{
	/* The vendor's context is written by its kernel driver, which may select the pipe. */
	if (f->severity != VIV_NOTE ||
	    (strcmp(f->rule, "kernel-state") && strcmp(f->rule, "scissor") && strcmp(f->rule, "prefetch")))
		fail_msg("context: word %zu: %s [%s]", f->at, f->text, f->rule);
}

static void decode_context(size_t from, size_t to)
{
	const struct viv_sink sink = { &from, note_word, expect_context, NULL, NULL };
	struct viv_decode_stats stats;

	limn_viv_decode(capture.words + from, to - from, 0, &sink, &stats);
	assert_int_equal(stats.unknown_commands, 0);
	assert_int_equal(stats.unknown_states, 0);
}

/*
 * The flush, semaphore, stall and pipe select that the buffer begins with stand
 * once more in its tail, but there the first header is missing and a fill word
 * (0xdeaddead) follows: no commands. Behind them NOPs and an empty LINK, which
 * the driver patches, and one word more.
 */
#define CONTEXT_TAIL	4206
#define CONTEXT_LINK	4220
#define CONTEXT_WORDS	4223

static void test_context(void **state)
{
	uint32_t index, address;
	unsigned int n = 0, nops = 0;
	char path[500];
	FILE *f;

	read_capture("context-words.txt");
	assert_int_equal(capture.count, CONTEXT_WORDS);
	decode_context(0, CONTEXT_TAIL);
	assert_memory_equal(capture.words + CONTEXT_TAIL, capture.words + 1, 7 * 4);
	assert_int_equal(capture.words[CONTEXT_TAIL + 7], 0xdeaddead);
	decode_context(CONTEXT_TAIL + 8, CONTEXT_LINK);
	assert_int_equal(capture.words[CONTEXT_LINK], VIV_FE_COMMAND(LINK));

	snprintf(path, sizeof(path), "%s/context-index.txt", folder);
	f = fopen(path, "r");
	assert_non_null(f);
	for (; fscanf(f, "%" SCNx32 " %" SCNx32, &index, &address) == 2; n++) {
		assert_true(index < CONTEXT_TAIL);
		/* Vertex elements that are not in use: the driver has put NOPs over them. */
		if (is_nop[index] && address >= 0x60c && address < 0x640)
			nops++;
		else if (address_of[index] != address + 1)
			fail_msg("context: word %u is of %05x, not %05x", index, address_of[index] - 1, address);
	}
	fclose(f);
	printf("%u words of the context at their addresses, %u under NOPs\n", n - nops, nops);
	assert_int_equal(n, 4065);
	assert_int_equal(nops, 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_captures), cmocka_unit_test(test_context) };
	const char *data = getenv("LIMN_DATA");
	DIR *dir;

	if (!data) {
		printf("LIMN_DATA is not set: skipped\n");
		return 77;
	}
	snprintf(folder, sizeof(folder), "%s/vivante", data);
	dir = opendir(folder);
	if (!dir) {
		printf("%s is missing\n", folder);
		return 1;
	}
	closedir(dir);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
