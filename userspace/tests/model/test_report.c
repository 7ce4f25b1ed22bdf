// SPDX-License-Identifier: MIT
/* Reports as text: what is written is read; cut anywhere, or with any byte changed, it is none. */
#include "model/report.h"
#include "tests/unit.h"

static char *write_report(size_t *length)
{
	struct report r = {
		.limn = "0.2", .kernel = "6.12", .driver = "etnaviv 1.4.0", .gpu = "gc2000",
		.identity = { 0x2000, 0x5108 }, .num_identity = 2, .num_rows = 3,
		.rows = { { "viv-edge-rule", "top-left", { 1, 2 }, 2, 0 }, { "pa-w-clip", "failed", { 0 }, 0, 0 },
			  { "se-bias-unit", "other", { 0xffffffff }, 1, 0 } },
	};
	char *text = NULL;
	FILE *f = open_memstream(&text, length);

	assert_non_null(f);
	report_write(&r, f);
	fclose(f);
	return text;
}

static bool reads(const char *text, size_t length, unsigned int *line)
{
	static struct report r;
	const char *what = NULL;
	bool read = report_read(&r, text, length, line, &what);

	assert_true(read == !what);
	if (read) {
		assert_string_equal(r.gpu, "gc2000");
		assert_int_equal(r.num_rows, 3);
		assert_int_equal(r.rows[2].words[0], 0xffffffff);
	}
	return read;
}

static void cut(void **state)
{
	size_t length;
	char *text = write_report(&length);
	unsigned int line, lines = 1;

	assert_true(reads(text, length, &line));
	for (size_t n = 0; n < length; n++) {
		char *part = strndup(text, n);	/* of its own size: ASan sees who reads on */

		assert_false(reads(part, n, &line));
		assert_int_equal(line, lines);
		lines += text[n] == '\n';
		free(part);
	}
	free(text);
}

static void changed(void **state)
{
	static const char bytes[] = { 0, '\n', ' ', '"', '\\', ',', '0', 'f', '{', (char)0xff };
	size_t length;
	char *text = write_report(&length);
	unsigned int line;

	for (size_t n = 0; n < length; n++) {
		char was = text[n];

		for (unsigned int i = 0; i < sizeof(bytes); i++) {
			text[n] = bytes[i];
			if (bytes[i] != was)
				assert_false(reads(text, length, &line));
		}
		text[n] = was;
	}
	free(text);
}

/* More rows, words and letters than a report has. */
static void too_many(void **state)
{
	size_t length, room = 1 << 20;
	char *text = write_report(&length), *more = calloc(1, room);
	char *row = strstr(text, "    {"), *word = strstr(text, "\"0x");
	unsigned int line;

	assert_non_null(more);
	snprintf(more, room, "%.*s", (int)(row - text), text);
	for (unsigned int i = 0; i < 2 * REPORT_PROBES; i++)
		strcat(more, "    {\"id\": \"a\", \"answer\": \"b\", \"words\": []},\n");
	strcat(more, row);
	assert_false(reads(more, strlen(more), &line));
	snprintf(more, room, "%.*s", (int)(word - text), text);
	for (unsigned int i = 0; i < 2 * REPORT_WORDS; i++)
		strcat(more, "\"0x00000000\", ");
	strcat(more, word);
	assert_false(reads(more, strlen(more), &line));
	assert_int_equal(line, 6);
	memset(more, 0, room);
	snprintf(more, room, "{\n  \"limn\": \"%01000d\"", 0);
	assert_false(reads(more, strlen(more), &line));
	assert_int_equal(line, 2);
	free(more);
	free(text);
}

#define TESTS(T) T(cut) T(changed) T(too_many)

UNIT_MAIN(TESTS, NULL)
