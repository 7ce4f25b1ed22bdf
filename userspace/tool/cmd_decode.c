// SPDX-License-Identifier: MIT
/* limn decode: command streams as text, with what is wrong in them; and dumps of failed jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vivante/decode.h"
#include "tool/cmd.h"
#include "tool/dump.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/options.h"
#include "tool/words.h"

#define MAX_BYTES (256u << 20)

struct options {
	const char *kind, *path, *job;
	struct option_list defines;
	bool hex, json, user, quiet, all;
	unsigned int skip;
	bool placed;		/* at is known */
	unsigned int at;	/* GPU address of the first word that is decoded */
};

/* --- Words of a file ------------------------------------------------------ */

static char *read_all(const char *path, size_t *size)
{
	char *data;
	const char *why = file_read(path, MAX_BYTES, &data, size);

	if (why)
		fprintf(stderr, "limn decode: %s: %s\n", path, why);
	return data;
}

static uint32_t *read_words(const struct options *o, size_t *count)
{
	size_t size, left;
	char *data = read_all(o->path, &size);
	struct words w = { 0 };
	const char *dot = strrchr(o->path, '.');
	bool binary = dot && !strcasecmp(dot, ".bin"), text = data && size && (o->hex || (!binary && is_text(data, size)));

	if (!data)
		return NULL;
	if (text && !words_of_text(data, size, o->hex, &w))
		fprintf(stderr, "limn decode: %s: text without words of 8 hexadecimal digits\n", o->path);
	else if (text && w.left_out && o->hex)
		fprintf(stderr, "limn decode: %s:%u:1: not a word of 8 hexadecimal digits\n", o->path, w.line);
	else if (!text && words_of_bytes(data, size, &w) && w.left_out)
		fprintf(stderr, "limn decode: %s: %zu bytes are not whole words\n", o->path, size);
	else
		w.left_out = 0;
	left = w.count > o->skip ? w.count - o->skip : 0;
	if (w.list && !w.left_out && !left)
		fprintf(stderr, "limn decode: %s: empty\n", o->path);
	if (left)
		memmove(w.list, w.list + w.count - left, left * sizeof(*w.list));
	free(data);
	*count = left;
	if (left && !w.left_out)
		return w.list;
	free(w.list);
	return NULL;
}

/* --- Output ------------------------------------------------------------------ */

struct printer {
	const struct options *o;
	const uint32_t *stream;
	size_t count;			/* words of the stream */
	struct json json;
	size_t findings;
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
			limn_viv_state_text(w->row, w->index, text, size);
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
		header = limn_viv_command_word(w->row, 0);
		if (header)
			limn_viv_value_text(header, w->value & ~VIV_MASK(VIV_FE_OPCODE), text, size);
	} else if (w->row) {
		limn_viv_value_text(w->row, w->loaded, text, size);
	}
}

static void on_word(void *ctx, const struct viv_word *w)
{
	static const char *const types[] = { "command", "argument", "state", "rect", "data", "pad", "unknown" };
	struct printer *p = ctx;
	char name[96], meaning[512];
	bool command;

	if (p->o->quiet)
		return;
	name_word(w, name, sizeof(name));
	mean_word(w, meaning, sizeof(meaning));
	command = w->type == VIV_WORD_COMMAND || w->type == VIV_WORD_UNKNOWN;
	json_object(&p->json, NULL);
	report(&p->json, "", INT("at", w->at), HEX("word", w->value), STRING("type", types[w->type]));
	if (w->fixed)
		report(&p->json, "", BOOL("fixed", true));
	report(&p->json, "{_at%06llx}: {_word}  {_in}", TEXT_HEX("_at", 4 * w->at), TEXT_HEX("_word", w->value),
	       TEXT("_in", command ? "" : "  "));
	if (w->type == VIV_WORD_STATE)
		report(&p->json, "{address%05llx} ", HEX("address", w->address));
	report(&p->json, "{name}{_is}{meaning}\n", STRING("name", name), STRING("meaning", meaning),
	       TEXT("_is", !*meaning ? "" : command ? " " : " := "));
	json_end_object(&p->json);
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

static void print_findings(struct printer *p)
{
	static const char *const severity[] = { "error", "warning", "note" };

	for (size_t i = 0; i < p->findings; i++) {
		const struct viv_finding *f = &p->list[i];

		json_object(&p->json, NULL);
		report(&p->json, "{_file}:@{_at%llx}: {severity}: {message} [{rule}]\n", TEXT("_file", p->o->path),
		       TEXT_HEX("_at", 4 * f->at), STRING("severity", severity[f->severity]), STRING("rule", f->rule),
		       INT("at", f->at), STRING("message", f->text));
		json_end_object(&p->json);
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
	struct printer p = { .o = o, .json = { .to = stdout, .text = !o->json } };
	struct viv_sink sink = { &p, on_word, on_finding, in_stream, NULL };
	struct viv_decode_stats stats;
	size_t count = 0;
	uint32_t *words = read_words(o, &count);

	if (!words)
		return 1;
	p.stream = words;
	p.count = count;
	json_object(&p.json, NULL);
	json_array(&p.json, "words");
	limn_viv_decode(words, count, o->user ? VIV_DECODE_USER : 0, &sink, &stats);
	json_end_array(&p.json);
	json_array(&p.json, "findings");
	print_findings(&p);
	json_end_array(&p.json);
	report(&p.json, "", INT("commands", stats.commands), INT("states", stats.states),
	       INT("unknown_commands", stats.unknown_commands), INT("unknown_states", stats.unknown_states));
	json_end_object(&p.json);
	if (p.full)
		fprintf(stderr, "limn decode: out of memory, findings are missing\n");
	free(p.list);
	free(words);
	return stats.errors || p.full ? 1 : 0;
}

static int decode_dump(const struct options *o)
{
	struct json json = { .to = stdout, .text = !o->json };
	const struct job_options job_options = { .defines = o->defines.list, .num_defines = o->defines.count };
	struct messages messages = { .list = NULL };
	struct job *job = NULL;
	struct dump_options options = { .all = o->all, .json = &json };
	char *data = NULL;
	size_t size;
	int ret = o->job ? job_read(o->job, &job_options, &job, &messages) : 0;

	if (ret)
		messages_print(&messages, stderr);
	messages_free(&messages);
	options.job = job;
	if (!ret)
		data = read_all(o->path, &size);
	ret = data ? dump_print(o->path, data, size, &options) : EXIT_INPUT;
	free(data);
	job_free(job);
	return ret;
}

int cmd_decode(int argc, char **argv)
{
	static const char *const kinds[] = { "dump", "vivante-fe", NULL };
	struct options o = { .kind = "dump" };
	const struct option own[] = {
		{ .name = "--isa", .letter = "-i", .kind = OPTION_TEXT, .to = &o.kind, .value = "KIND", .words = kinds,
		  .help = "what FILE is: dump, or vivante-fe, the command stream of a Vivante GPU, of which the\n"
			  "                        words are printed with names and meanings, then what is wrong with it" },
		{ .name = "--all", .kind = OPTION_FLAG, .to = &o.all,
		  .help = "every register and command, not only those near the end" },
		{ .name = "--job", .kind = OPTION_TEXT, .to = &o.job, .value = "JOB.limn",
		  .help = "dump: the job file that made it (limn run): its lines are told too" },
		OPTION_DEFINE(&o.defines),
		OPTION_JSON(&o.json),
		{ .name = "--hex", .kind = OPTION_FLAG, .to = &o.hex,
		  .help = "vivante-fe: FILE is hexadecimal text, all of it, whatever it looks like" },
		{ .name = "--user", .kind = OPTION_FLAG, .to = &o.user,
		  .help = "vivante-fe: a client's stream: kernel-only states and jumps are errors" },
		{ .name = "--check", .kind = OPTION_FLAG, .to = &o.quiet, .help = "vivante-fe: only the findings" },
		{ .name = "--skip", .kind = OPTION_COUNT, .to = &o.skip, .value = "N", .max = MAX_BYTES,
		  .help = "vivante-fe: words in front to leave out" },
		{ .name = "--at", .kind = OPTION_COUNT, .to = &o.at, .value = "ADDR", .max = UINT32_MAX, .given = &o.placed,
		  .help = "vivante-fe: GPU address of the first word; then what LINK and CALL fetch is checked" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "decode", .files = "FILE", .options = own, .paths = &o.path, .max_paths = 1, .min_paths = 1,
		.example = "limn decode job.dump",
		.about = "Tells of a job that failed where the unit stopped, on which command, in which state and\n"
			 "shader. FILE (- is standard input): what limn.ko or mainline etnaviv left in\n"
			 "/sys/class/devcoredump/devcd*/data, or mainline lima in its device's file \"error\".\n"
			 "Exit status 1 when there is an error among the findings.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (o.at % 8)
		return failed(EXIT_USAGE, "--at %#x: a multiple of 8 is expected", o.at);
	if (o.defines.count && !o.job)
		return failed(EXIT_USAGE, "-D is for the names of a job: --job JOB.limn is missing");
	if (o.job && strcmp(o.kind, "dump"))
		return failed(EXIT_USAGE, "--job is for dumps, not for -i %s", o.kind);
	return strcmp(o.kind, "dump") ? decode_vivante(&o) : decode_dump(&o);
}
