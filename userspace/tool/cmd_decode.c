// SPDX-License-Identifier: MIT
/* limn decode: command streams as text, with what is wrong in them; and dumps of failed jobs. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vivante/decode.h"
#include "tool/cmd.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tool/shader_file.h"

#define MAX_BYTES (256u << 20)

struct options {
	const char *kind, *path;
	bool hex, json, user, quiet, all;
	size_t skip;
	bool placed;		/* at is known */
	uint32_t at;		/* GPU address of the first word that is decoded */
};

static const char usage[] =
	"usage: limn decode -i vivante-fe [--hex] [--json] [--user] [--check] [--skip N] [--at ADDR] FILE|-\n"
	"  --hex    FILE has 32-bit words as hexadecimal text, what follows them on a line\n"
	"           is a comment; else little-endian binary\n"
	"  --user   a client's stream: kernel-only states and jumps are errors\n"
	"  --check  only the findings\n"
	"  --skip N words in front to leave out\n"
	"  --at ADDR the GPU address of the first word: then what LINK and CALL fetch in here is checked\n"
	"Prints the FE command stream of a Vivante GPU with names and meanings, then what is\n"
	"wrong with it. Exit status 1 when there is an error among the findings.\n"
	"\n"
	"usage: limn decode [--all] [--json] DUMP|-\n"
	"  --all    every register and command, not only those near the end\n"
	"Tells where the unit stopped, on which command, in which state and shader. DUMP: what\n"
	"limn.ko or mainline etnaviv left in /sys/class/devcoredump/devcd*/data, or mainline lima\n"
	"in its device's file \"error\".\n";

/* --- Words of a file ------------------------------------------------------ */

static char *read_all(const char *path, size_t *size)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t room = 1 << 16, n = 0, got;
	char *data = NULL, *more;

	if (!f) {
		fprintf(stderr, "limn decode: %s: %s\n", path, strerror(errno));
		return NULL;
	}
	do {
		room *= 2;
		more = room <= MAX_BYTES ? realloc(data, room + 1) : NULL;
		if (!more)
			break;
		data = more;
		got = fread(data + n, 1, room - n, f);
		n += got;
	} while (n == room);
	if (!more || ferror(f)) {
		fprintf(stderr, "limn decode: %s: %s\n", path, ferror(f) ? strerror(errno) : "too large");
		free(data);
		data = NULL;
	} else {
		data[n] = 0;
		*size = n;
	}
	if (f != stdin)
		fclose(f);
	return data;
}

/* A word of 8 digits at s, or of up to 8 behind 0x; NULL: none, else what follows. */
static const char *hex_word(const char *s, uint32_t *value)
{
	bool prefix = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	const char *end;
	char *after;

	s += prefix ? 2 : 0;
	for (end = s; isxdigit((unsigned char)*end); end++)
		;
	if (end == s || end - s > 8 || (!prefix && end - s != 8) || (*end && !isspace((unsigned char)*end) && *end != ',' && *end != '#'))
		return NULL;
	*value = strtoul(s, &after, 16);
	return *end == ',' ? end + 1 : end;
}

static bool from_text(const char *path, const char *text, size_t size, uint32_t *words, size_t *count)
{
	const char *line = text;
	size_t n = 0;

	for (int number = 1; line < text + size; number++) {
		const char *s = line, *next, *end = memchr(line, '\n', text + size - line);
		bool first = true;

		end = end ? end : text + size;
		while (s < end) {
			while (s < end && isspace((unsigned char)*s))
				s++;
			if (s == end || *s == '#')
				break;
			next = hex_word(s, &words[n]);
			if (!next && first) {
				fprintf(stderr, "limn decode: %s:%d:%d: not a word of 8 hexadecimal digits\n",
					path, number, (int)(s - line) + 1);
				return false;
			}
			if (!next)
				break;
			n++;
			first = false;
			s = next;
		}
		line = end + 1;
	}
	*count = n;
	return true;
}

static uint32_t *read_words(const struct options *o, size_t *count)
{
	size_t size;
	char *data = read_all(o->path, &size);
	uint32_t *words = data ? calloc(size / (o->hex ? 1 : 4) + 1, 4) : NULL;
	bool ok = words;

	if (data && !words)
		fprintf(stderr, "limn decode: out of memory\n");
	if (ok && o->hex) {
		ok = from_text(o->path, data, size, words, count);
	} else if (ok && size % 4) {
		fprintf(stderr, "limn decode: %s: %zu bytes are not whole words\n", o->path, size);
		ok = false;
	} else if (ok) {
		const unsigned char *b = (const unsigned char *)data;

		for (size_t i = 0; i < size / 4; i++)
			words[i] = b[4 * i] | b[4 * i + 1] << 8 | b[4 * i + 2] << 16 | (uint32_t)b[4 * i + 3] << 24;
		*count = size / 4;
	}
	if (ok && o->skip) {
		size_t left = *count > o->skip ? *count - o->skip : 0;

		memmove(words, words + *count - left, left * sizeof(*words));
		*count = left;
	}
	if (ok && !*count) {
		fprintf(stderr, "limn decode: %s: empty\n", o->path);
		ok = false;
	}
	free(data);
	if (!ok) {
		free(words);
		return NULL;
	}
	return words;
}

/* --- Output ------------------------------------------------------------------ */

struct printer {
	const struct options *o;
	const uint32_t *stream;
	size_t count;			/* words of the stream */
	size_t words, findings;
	struct viv_finding *list;
	bool full;
};

/* Name of the word in text, "" where it has none. */
static void name_word(const struct viv_word *w, char *text, size_t size)
{
	text[0] = 0;
	switch (w->type) {
	case VIV_WORD_COMMAND:
		snprintf(text, size, "%s", w->row->name);
		break;
	case VIV_WORD_STATE:
		if (w->row)
			viv_state_text(w->row, w->index, text, size);
		else
			snprintf(text, size, "unknown state");
		break;
	case VIV_WORD_ARGUMENT:
	case VIV_WORD_RECT:
		/* VIV_FE_LINK_ADDRESS: the part behind the command's name. */
		snprintf(text, size, "%s", w->row->name + strlen("VIV_FE_"));
		break;
	case VIV_WORD_DATA:
		snprintf(text, size, "data");
		break;
	case VIV_WORD_PAD:
		snprintf(text, size, "pad");
		break;
	case VIV_WORD_UNKNOWN:
		snprintf(text, size, "unknown");
		break;
	}
}

static void mean_word(const struct viv_word *w, char *text, size_t size)
{
	const struct viv_row *header;

	text[0] = 0;
	if (w->type == VIV_WORD_COMMAND && w->row->at == FE_OPCODE_LOAD_STATE) {
		snprintf(text, size, "0x%05x %u%s", viv_fe_load_address(w->value), viv_fe_load_count(w->value),
			 w->value & VIV_FE_LOAD_STATE_HEADER_FIXP ? " fixed" : "");
	} else if (w->type == VIV_WORD_COMMAND) {
		header = viv_command_word(w->row, 0);
		if (header)
			viv_value_text(header, w->value & ~VIV_MASK(VIV_FE_OPCODE), text, size);
	} else if (w->row) {
		viv_value_text(w->row, w->loaded, text, size);
	}
}

static void print_text(const struct viv_word *w, const char *name, const char *meaning)
{
	if (w->type == VIV_WORD_COMMAND || w->type == VIV_WORD_UNKNOWN)
		printf("%06zx: %08x  %s%s%s\n", 4 * w->at, w->value, name, *meaning ? " " : "", meaning);
	else if (w->type == VIV_WORD_STATE)
		printf("%06zx: %08x    %05x %s%s%s\n", 4 * w->at, w->value, w->address, name,
		       *meaning ? " := " : "", meaning);
	else
		printf("%06zx: %08x    %s%s%s\n", 4 * w->at, w->value, name, *meaning ? " := " : "", meaning);
}

static void print_json(const struct viv_word *w, const char *name, const char *meaning, bool first)
{
	static const char *const types[] = { "command", "argument", "state", "rect", "data", "pad", "unknown" };

	printf("%s{\"at\": %zu, \"word\": \"%08x\", \"type\": \"%s\"", first ? "" : ",\n  ", w->at, w->value,
	       types[w->type]);
	if (w->type == VIV_WORD_STATE)
		printf(", \"address\": \"%05x\"", w->address);
	if (w->fixed)
		printf(", \"fixed\": true");
	printf(", \"name\": ");
	json_print_string(stdout, name);
	printf(", \"meaning\": ");
	json_print_string(stdout, meaning);
	printf("}");
}

static void on_word(void *ctx, const struct viv_word *w)
{
	struct printer *p = ctx;
	char name[96], meaning[512];

	if (p->o->quiet)
		return;
	name_word(w, name, sizeof(name));
	mean_word(w, meaning, sizeof(meaning));
	if (p->o->json)
		print_json(w, name, meaning, !p->words);
	else
		print_text(w, name, meaning);
	p->words++;
}

static void on_finding(void *ctx, const struct viv_finding *f)
{
	struct printer *p = ctx;
	struct viv_finding *list = realloc(p->list, (p->findings + 1) * sizeof(*list));

	if (!list) {
		p->full = true;
		return;
	}
	p->list = list;
	list[p->findings++] = *f;
}

static void print_findings(const struct printer *p)
{
	static const char *const severity[] = { "error", "warning", "note" };

	for (size_t i = 0; i < p->findings; i++) {
		const struct viv_finding *f = &p->list[i];

		if (p->o->json) {
			printf("%s{\"severity\": \"%s\", \"rule\": \"%s\", \"at\": %zu, \"message\": ",
			       i ? ",\n  " : "", severity[f->severity], f->rule, f->at);
			json_print_string(stdout, f->text);
			printf("}");
		} else {
			printf("%s:@%zx: %s: %s [%s]\n", p->o->path, 4 * f->at, severity[f->severity], f->text,
			       f->rule);
		}
	}
}

/* A jump into the stream itself. */
static const uint32_t *in_stream(void *ctx, uint32_t va, size_t *left)
{
	const struct printer *p = ctx;
	size_t word = (uint32_t)(va - p->o->at) / 4;

	if (!p->o->placed || word >= p->count)
		return NULL;
	*left = p->count - word;
	return p->stream + word;
}

static int decode_vivante(const struct options *o)
{
	struct printer p = { .o = o };
	struct viv_sink sink = { &p, on_word, on_finding, in_stream };
	struct viv_decode_stats stats;
	size_t count = 0;
	uint32_t *words = read_words(o, &count);

	if (!words)
		return 1;
	p.stream = words;
	p.count = count;
	if (o->json)
		printf("{\"words\": [");
	viv_decode(words, count, o->user ? VIV_DECODE_USER : 0, &sink, &stats);
	if (o->json)
		printf("],\n\"findings\": [");
	print_findings(&p);
	if (o->json)
		printf("],\n\"commands\": %zu, \"states\": %zu, \"unknown_commands\": %zu, \"unknown_states\": %zu}\n",
		       stats.commands, stats.states, stats.unknown_commands, stats.unknown_states);
	if (p.full)
		fprintf(stderr, "limn decode: out of memory, findings are missing\n");
	free(p.list);
	free(words);
	return stats.errors || p.full ? 1 : 0;
}

static int decode_dump(const struct options *o)
{
	struct json json = { .to = stdout };
	const struct dump_options options = { .all = o->all, .json = o->json ? &json : NULL };
	size_t size;
	char *data = read_all(o->path, &size);
	int ret = data ? dump_print(o->path, data, size, &options) : 1;

	free(data);
	return ret;
}

static int parse(struct options *o, int argc, char **argv)
{
	char *end;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			o->kind = argv[++i];
		else if (!strcmp(argv[i], "--hex"))
			o->hex = true;
		else if (!strcmp(argv[i], "--json"))
			o->json = true;
		else if (!strcmp(argv[i], "--all"))
			o->all = true;
		else if (!strcmp(argv[i], "--user"))
			o->user = true;
		else if (!strcmp(argv[i], "--check"))
			o->quiet = true;
		else if (!strcmp(argv[i], "--skip") && i + 1 < argc) {
			o->skip = strtoul(argv[++i], &end, 0);
			if (!*argv[i] || *end)
				return 2;
		} else if (!strcmp(argv[i], "--at") && i + 1 < argc) {
			unsigned long long at = strtoull(argv[++i], &end, 0);

			if (!*argv[i] || *end || at > UINT32_MAX || at % 8)
				return 2;
			o->at = at;
			o->placed = true;
		} else if (!o->path && (argv[i][0] != '-' || !argv[i][1]))
			o->path = argv[i];
		else {
			fprintf(stderr, "limn decode: unexpected '%s'\n", argv[i]);
			return 2;
		}
	}
	return o->path ? 0 : 2;
}

int cmd_decode(int argc, char **argv)
{
	struct options o = { 0 };

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (parse(&o, argc, argv)) {
		fputs(usage, stderr);
		return 2;
	}
	if (!o.kind)
		return decode_dump(&o);
	if (strcmp(o.kind, "vivante-fe")) {
		fprintf(stderr, "limn decode: %s: -i vivante-fe is what there is\n", o.kind);
		return 2;
	}
	return decode_vivante(&o);
}
