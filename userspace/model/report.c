// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/report.h"

#define REPORT_BYTES	(1u << 20)

/* --- Writing ---------------------------------------------------------------- */

struct out {
	FILE *to;
	uint64_t sum;		/* FNV-1a */
};

static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (const char *c = text; *c; c++)
		o->sum = (o->sum ^ (uint8_t)*c) * 0x100000001b3;
	if (o->to)
		fputs(text, o->to);
}

static void put_words(struct out *o, const uint32_t *words, uint32_t count)
{
	put(o, "[");
	for (uint32_t i = 0; i < count; i++)
		put(o, "%s\"0x%08" PRIx32 "\"", i ? ", " : "", words[i]);
	put(o, "]");
}

/* All but the sum; returns it. */
static uint64_t put_report(const struct report *r, FILE *to)
{
	struct out o = { to, 0xcbf29ce484222325 };

	put(&o, "{\n  \"limn\": \"%s\",\n  \"kernel\": \"%s\",\n", r->limn, r->kernel);
	put(&o, "  \"driver\": \"%s\",\n  \"gpu\": \"%s\",\n  \"identity\": ", r->driver, r->gpu);
	put_words(&o, r->identity, r->num_identity);
	put(&o, ",\n  \"probes\": [\n");
	for (unsigned int i = 0; i < r->num_rows; i++) {
		const struct report_row *row = &r->rows[i];

		put(&o, "    {\"id\": \"%s\", \"answer\": \"%s\", \"words\": ", row->id, row->answer);
		put_words(&o, row->words, row->num_words);
		put(&o, "}%s\n", i + 1 < r->num_rows ? "," : "");
	}
	put(&o, "  ],\n");
	return o.sum;
}

void report_write(const struct report *r, FILE *to)
{
	fprintf(to, "  \"sum\": \"0x%016" PRIx64 "\"\n}\n", put_report(r, to));
}

/* --- Reading: only what report_write() writes ---------------------------------- */

struct in {
	const char *at, *end;
	unsigned int line;
	const char *what;	/* is wrong, the first */
};

/* What is wrong where the text goes on otherwise, or ends. */
static const char *otherwise(const struct in *in, const char *what)
{
	return *in->at ? what : in->at < in->end ? "not text" : "the report is cut off here";
}

static void expect(struct in *in, const char *text)
{
	if (in->what)
		return;
	for (; *text && *text == *in->at; text++)
		in->line += *in->at++ == '\n';
	if (*text)
		in->what = otherwise(in, "not a report of limn probe, or changed here");
}

static void take_string(struct in *in, char *to, size_t size)
{
	size_t n = 0;

	if (in->what)
		return;
	while (in->at[n] >= ' ' && in->at[n] <= '~' && in->at[n] != '"' && in->at[n] != '\\')
		n++;
	if (in->at[n] != '"' || n >= size) {
		in->at += n;
		in->what = otherwise(in, "a string that no report has");
		return;
	}
	memcpy(to, in->at, n);
	to[n] = 0;
	in->at += n;
	expect(in, "\"");
}

static uint32_t take_words(struct in *in, uint32_t *words, uint32_t room)
{
	uint32_t count = 0;
	char text[24];

	expect(in, "[");
	while (!in->what && *in->at != ']') {
		expect(in, count ? ", \"" : "\"");
		take_string(in, text, sizeof(text));
		if (in->what)
			break;
		if (count == room || strlen(text) != 10 || strncmp(text, "0x", 2) ||
		    strspn(text + 2, "0123456789abcdef") != 8) {
			in->what = "not a word, or too many";
			break;
		}
		words[count++] = strtoul(text, NULL, 16);
	}
	expect(in, "]");
	return count;
}

static void take_rows(struct in *in, struct report *r)
{
	while (!in->what && *in->at == ' ' && r->num_rows < REPORT_PROBES) {
		struct report_row *row = &r->rows[r->num_rows];

		if (!strncmp(in->at, "  ]", 3))
			break;
		row->line = in->line;
		expect(in, "    {\"id\": \"");
		take_string(in, row->id, sizeof(row->id));
		expect(in, ", \"answer\": \"");
		take_string(in, row->answer, sizeof(row->answer));
		expect(in, ", \"words\": ");
		row->num_words = take_words(in, row->words, REPORT_WORDS);
		expect(in, "}");
		if (!in->what)
			r->num_rows++;
		expect(in, *in->at == ',' ? ",\n" : "\n");
	}
}

bool report_read(struct report *r, const char *text, size_t length, unsigned int *line, const char **what)
{
	struct in in = { text, text + length, 1, NULL };
	char sum[24] = "", right[24];

	*r = (struct report){ .limn = "" };
	expect(&in, "{\n  \"limn\": \"");
	take_string(&in, r->limn, sizeof(r->limn));
	expect(&in, ",\n  \"kernel\": \"");
	take_string(&in, r->kernel, sizeof(r->kernel));
	expect(&in, ",\n  \"driver\": \"");
	take_string(&in, r->driver, sizeof(r->driver));
	expect(&in, ",\n  \"gpu\": \"");
	take_string(&in, r->gpu, sizeof(r->gpu));
	expect(&in, ",\n  \"identity\": ");
	r->num_identity = take_words(&in, r->identity, REPORT_IDENTITY);
	expect(&in, ",\n  \"probes\": [\n");
	take_rows(&in, r);
	expect(&in, "  ],\n  \"sum\": \"");
	take_string(&in, sum, sizeof(sum));
	snprintf(right, sizeof(right), "0x%016" PRIx64, put_report(r, NULL));
	if (!in.what && strcmp(sum, right))
		in.what = "the sum is not that of what stands above: the report was changed";
	expect(&in, "\n}\n");
	if (!in.what && in.at < in.end)
		in.what = "text behind the end of the report";
	*what = in.what;
	*line = in.line;
	return !in.what;
}

bool report_load(struct report *r, const char *path, unsigned int *line, const char **what)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, REPORT_BYTES);
	size_t n = f && text ? fread(text, 1, REPORT_BYTES - 1, f) : 0;
	bool read = f && text && !ferror(f);

	*line = 0;
	*what = f && !text ? "out of memory" : strerror(errno);
	if (f)
		fclose(f);
	read = read && report_read(r, text, n, line, what);
	free(text);
	return read;
}
