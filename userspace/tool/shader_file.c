// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/mbs.h"
#include "isa/table.h"
#include "tool/job/job.h"
#include "tool/shader_file.h"
#include "tool/words.h"

#define MAX_SIZE (256u << 20)

/* --- Which instruction set ------------------------------------------------------------- */

#define UTGARD "Utgard has two instruction sets: give --isa one of them"

/* Names that people have for a set: of chips and drivers. A * stands for any letters. */
static const struct {
	const char *name, *isa, *several;	/* several: who has two of them */
} aliases[] = {
	{ "gp", "utgard-gp" }, { "pp", "utgard-pp" },
	{ "utgard", NULL, UTGARD }, { "lima", NULL, UTGARD }, { "mali-2*", NULL, UTGARD }, { "mali-4*", NULL, UTGARD },
	{ "mali4*", NULL, UTGARD }, { "panfrost", NULL, "Panfrost has two instruction sets: give --isa one of them" },
	{ "gc*", "vivante" }, { "etna*", "vivante" },
	{ "mali-t*", "midgard" }, { "t6*", "midgard" }, { "t7*", "midgard" }, { "t8*", "midgard" },
	{ "mali-g31", "bifrost" }, { "mali-g5*", "bifrost" }, { "mali-g7*", "bifrost" },
	{ "g31", "bifrost" }, { "g5*", "bifrost" }, { "g7*", "bifrost" },
};

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot + 1 : "";
}

const char *shader_isa_names(void *ctx, unsigned int index)
{
	const struct isa *isa = limn_isa_at(index);

	return isa ? limn_isa_name(isa) : NULL;
}

/* NULL: it is none, or *several says that it is one of two. */
static const struct isa *find_isa(const char *name, const char **several)
{
	const struct isa *isa;

	for (unsigned int i = 0; (isa = limn_isa_at(i)); i++)
		if (!strcasecmp(limn_isa_name(isa), name))
			return isa;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		const char *a = aliases[i].name, *star = strchr(a, '*');

		if (star ? strncasecmp(a, name, star - a) : strcasecmp(a, name))
			continue;
		*several = aliases[i].several;
		return *several ? NULL : limn_isa_find(aliases[i].isa);
	}
	return NULL;
}

static const struct isa *no_isa(const char *name, const char *why)
{
	char all[200] = "";
	const char *other;

	for (unsigned int i = 0; (other = shader_isa_names(NULL, i)); i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), " %s", other);
	if (why)
		failed(EXIT_USAGE, "%s; there are:%s", why, all);
	else
		failed(EXIT_USAGE, "no instruction set '%s'%s; there are:%s", name, did_you_mean(name, shader_isa_names, NULL), all);
	return NULL;
}

const struct isa *shader_isa(const char *name, const char *path)
{
	const char *several = NULL;
	const struct isa *isa = find_isa(name ? name : ending(path), &several);

	if (isa)
		return isa;
	if (!name && !strcasecmp(ending(path), "viv"))
		return limn_isa_find("vivante");
	if (several)
		isa = find_isa(ending(path), &(const char *){ NULL });
	if (isa)
		return isa;
	if (!name && !strcasecmp(ending(path), "limn"))
		return no_isa(name, "a .limn is a job, for limn run and limn check; the set of a shader is said by --isa");
	return no_isa(name, name ? several : "which instruction set? give --isa");
}

/* --- Reading ----------------------------------------------------------------------------- */

static const char *op_names(void *ctx, unsigned int index)
{
	static char name[64];
	const struct isa *isa = ctx;
	struct isa_text form = { .data = NULL };

	if (index >= isa->op_count)
		return NULL;
	*name = 0;
	if (isa_is_named(&isa->ops[index]))
		isa_write_form(isa, &isa->ops[index], &form);
	isa_putc(&form, ' ');
	if (form.length && !form.failed)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(form.data, " "), form.data);
	free(form.data);
	return name;
}

static bool is_op(const struct isa *isa, const char *word)
{
	const char *name;

	for (unsigned int i = 0; (name = op_names((void *)isa, i)); i++)
		if (!strcasecmp(name, word))
			return true;
	return false;
}

/* The op that the word is near; what hangs on it may be wrong: its end is left out until there is one, or one is near. */
static const char *near_op(const struct isa *isa, const char *word)
{
	const char *near = "";
	char name[64];

	for (int exact = 1; exact >= 0 && !*near; exact--) {
		snprintf(name, sizeof(name), "%s", word);
		while (*name && !*near) {
			near = exact && !is_op(isa, name) ? "" : did_you_mean(name, op_names, (void *)isa);
			*(strrchr(name, '.') ? strrchr(name, '.') : name) = 0;
		}
	}
	return near;
}

/* Fields of the form that the word names, or else the forms; of a set whose fields have no forms all. */
static void list_fields(const struct isa *isa, const char *word, char *text, size_t size)
{
	size_t n = strcspn(word, ".");
	bool found = false;

	snprintf(text, size, "there are:");
	for (int pass = 0; pass < 2 && !found; pass++) {
		for (unsigned int i = 0; i < isa->form_count; i++) {
			const struct isa_form *f = &isa->forms[i];
			bool all = !*f->name || (strlen(f->name) == n && !strncmp(f->name, word, n));

			for (unsigned int k = 0; k < f->count && all; k++, found = true)
				snprintf(text + strlen(text), size - strlen(text), " %s%s%s", f->name, *f->name ? "." : "",
					 f->fields[k].name);
			if (!all && pass)
				snprintf(text + strlen(text), size - strlen(text), " %s.*", f->name);
		}
	}
}

static const char *field_names(void *ctx, unsigned int index)
{
	static char name[64];
	const struct isa *isa = ctx;

	for (unsigned int i = 0; i < isa->form_count; index -= isa->forms[i++].count) {
		const struct isa_form *f = &isa->forms[i];

		if (index >= f->count)
			continue;
		snprintf(name, sizeof(name), "%s%s%s", f->name, *f->name ? "." : "", f->fields[index].name);
		return name;
	}
	return NULL;
}

/* The word at that place; of an op's modifier that is not known, the line's first. */
static void word_at(struct place at, char *word, size_t size)
{
	const char *end, *line = message_line(&at, &end), *p = line + at.column - 1, *stop;

	if (p >= end || *p == '.' || isspace((unsigned char)*p))
		p = line;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (stop = p; stop < end && !isspace((unsigned char)*stop) && *stop != ',' && *stop != ';'; stop++)
		;
	snprintf(word, size, "%.*s", (int)(stop - p), p);
}

/* Letters of a row's first word that the text's first word has, in their order; 0: it has not all of them. */
static size_t letters_of(const char *pattern, const char *text, const char *end)
{
	size_t n = 0, run;

	for (bool first = true; *pattern && *pattern != ' '; first = false, pattern += run, text += run, n += run) {
		const char *at = text;

		while (*pattern == '%' && pattern[1] != '_')
			pattern += 2;
		if (*pattern == '%')
			break;
		run = strcspn(pattern, "% ");
		while (at < end && ((size_t)(end - at) < run || strncmp(pattern, at, run)) && !first)
			at++;
		if ((size_t)(end - at) < run || strncmp(pattern, at, run))
			return 0;
		text = at;
	}
	return n;
}

/* The op that the text begins with, by the most letters; NULL: none. */
static const struct isa_op *op_named(const struct isa *isa, const char *text, const char *end)
{
	const struct isa_op *best = NULL;
	const char *stop = text;
	size_t most = 0, n;

	while (stop < end && (isalnum((unsigned char)*stop) || strchr("_.*+", *stop)))
		stop++;
	for (unsigned int i = 0; i < isa->op_count; i++) {
		const struct isa_op *op = &isa->ops[i];
		size_t name = strcspn(op->pattern, "% ");

		if (!isa_is_named(op) || !name || (text + name < stop && (isalnum((unsigned char)text[name]) || text[name] == '_')))
			continue;
		n = letters_of(op->pattern, text, stop);
		/* Of several forms the longest: what may be left out is in it. */
		if (n > most || (best && n == most && n && strlen(op->pattern) > strlen(best->pattern))) {
			most = n;
			best = op;
		}
	}
	return best;
}

/* The form of the op whose operands the place is among, or of the one that begins there; "" where there is none. */
static void form_at(const struct isa *isa, struct place at, bool begins, char *form, size_t size)
{
	const char *end, *line = message_line(&at, &end), *stop = line + at.column - 1;
	const struct isa_op *op = begins ? op_named(isa, stop, end) : NULL;
	struct isa_text text = { .data = NULL };

	for (const char *p = stop < end ? stop + 1 : end; p-- > line && !op && !begins;)
		if (isgraph((unsigned char)*p) && (p == line || strchr(" \t,:.*+", p[-1])))
			op = op_named(isa, p, end);
	*form = 0;
	if (op)
		isa_write_form(isa, op, &text);
	if (op && !text.failed)
		snprintf(form, size, "the form: %.*s", (int)text.length, text.data);
	free(text.data);
}

static bool begins_line(struct place at)
{
	const char *end, *line = message_line(&at, &end);

	return strspn(line, " \t") + 1 == at.column;
}

/* "that is vivante": another set that takes the line as it is; "": there is none. */
static void other_set(const struct isa *isa, struct place at, char *text, size_t size)
{
	const char *end, *line = message_line(&at, &end);
	const struct isa *other;

	*text = 0;
	for (unsigned int i = 0; (other = limn_isa_at(i)) && !*text; i++) {
		struct isa_messages messages = { 0 };
		uint32_t *words = NULL;
		size_t count = 0;

		if (other != isa && !limn_isa_asm(other, line, end - line, &words, &count, &messages) && count)
			snprintf(text, size, "that is %s; here stands %s", limn_isa_name(other), limn_isa_name(isa));
		limn_isa_messages_free(&messages);
		free(words);
	}
}

/* Of a message that ends in "; there are: WORD WORD". */
static const char *choice_names(void *ctx, unsigned int index)
{
	static char name[64];
	const char *p = ctx;

	for (; index && *p; index--)
		p += strcspn(p, " ") + !!p[strcspn(p, " ")];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, " "), p);
	return *name ? name : NULL;
}

/* A message that lists what may stand there names the nearest of it alone, if there is one. */
static void name_choice(char *text)
{
	static const char there[] = "; there are: ";
	char *list = strstr(text, there), word[64];
	const char *from = strchr(text, '\''), *near = "";

	if (list && from++ && from < list) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(from, "'"), from);
		near = did_you_mean(word, choice_names, list + strlen(there));
	}
	if (*near && strlen(near) <= strlen(list))
		strcpy(list, near);
}

void shader_messages(struct messages *to, const struct isa *isa, const struct isa_messages *from, struct place first)
{
	unsigned int line = first.line, column = first.column;
	char word[64], note[1500], all[60];
	const char *near;

	for (size_t i = 0; i < from->count; i++) {
		const struct isa_message *m = &from->list[i];
		bool op = !strncmp(m->text, "unknown instruction", 19), field = !strncmp(m->text, "there is no field", 17);
		bool modifier = !strncmp(m->text, "unknown modifier", 16);

		if (m->severity != ISA_ERROR)
			continue;
		first.line = line + m->line - 1;
		first.column = column + m->column - 1;
		word_at(first, word, sizeof(word));
		name_choice(m->text);
		*note = *all = 0;
		near = "";
		if (field)
			list_fields(isa, word, note, sizeof(note));
		else if (op || modifier || begins_line(first))
			other_set(isa, first, note, sizeof(note));
		if (field)
			near = did_you_mean(word, field_names, (void *)isa);
		else if (op && !*note)
			near = near_op(isa, word);
		if (!field && !*note)
			form_at(isa, first, op, note, sizeof(note));
		if (op && !*near && !*note)
			snprintf(all, sizeof(all), " (limn isa -i %s lists them)", limn_isa_name(isa));
		message_add(to, MESSAGE_ERROR, first, *note ? note : NULL, "%s%s%s", m->text, near, all);
	}
}

static int assemble(struct shader_file *file, unsigned int takes)
{
	struct messages messages = { 0 };
	struct isa_messages found;
	int err = limn_isa_asm(file->isa, file->data, file->source.size, &file->words, &file->count, &found);

	file->text = true;
	shader_messages(&messages, file->isa, &found, (struct place){ &file->source, 1, 1, 0 });
	if (file->json && (messages.count || takes & SHADER_LISTS))
		messages_json(&messages, takes & SHADER_LISTS ? stderr : stdout);
	else if (!file->json)
		messages_print(&messages, stderr);
	messages_free(&messages);
	file->lines = found.lines;
	file->line_count = found.line_count;
	found.lines = NULL;
	limn_isa_messages_free(&found);
	if (err == -ENOMEM)
		fprintf(stderr, "%s: out of memory\n", file->path);
	return err ? EXIT_INPUT : EXIT_OK;
}

int shader_read_job(const struct shader_file *file, bool strict, FILE *to, struct job **job)
{
	const struct job_options options = { .defines = file->defines.list, .num_defines = file->defines.count };
	struct messages messages = { .strict = strict };
	int ret = file->data ? job_parse(file->path, file->data, &options, job, &messages) :
			       job_read(file->path, &options, job, &messages);

	/* Where it is the result, a list without anything is one too. */
	if (file->json && (messages.count || to == stdout))
		messages_json(&messages, to);
	else if (!file->json)
		messages_print(&messages, to);
	messages_free(&messages);
	return ret;
}

unsigned int shader_stage(const struct shader_file *file)
{
	static const char *const names[] = { [JOB_VERTEX] = "vertex", [JOB_FRAGMENT] = "fragment", [JOB_COMPUTE] = "compute" };

	for (unsigned int i = 0; file->stage && i < JOB_SHADERS; i++)
		if (!strcmp(file->stage, names[i]))
			return i;
	return file->job->scenes[0]->draws[0].shaders[JOB_FRAGMENT] ? JOB_FRAGMENT : JOB_COMPUTE;
}

/* The shader of a job's first draw. */
static int take_job(struct shader_file *file)
{
	const struct job_shader *shader;
	const struct job_scene *scene;
	enum job_stage stage;

	if (shader_read_job(file, false, stderr, &file->job))
		return EXIT_INPUT;
	scene = file->job->scenes[0];
	if (!scene->num_draws)
		return failed(EXIT_INPUT, "%s: no shader is in it: the first scene draws nothing", file->path);
	stage = shader_stage(file);
	shader = scene->draws[0].shaders[stage];
	if (!shader)
		return failed(EXIT_INPUT, "%s: the first scene has no %s shader", file->path, file->stage);
	file->isa = limn_isa_find(file->job->family == JOB_VIVANTE ? "vivante" : stage == JOB_VERTEX ? "utgard-gp" : "utgard-pp");
	file->words = malloc(shader->count * 4);
	if (!file->words)
		return EXIT_INPUT;
	memcpy(file->words, shader->words, shader->count * 4);
	file->count = shader->count;
	return EXIT_OK;
}

/* An MBS1 container: what glGetProgramBinary and the offline compiler of Mali-200/400 give. */
static int unpack(struct shader_file *file)
{
	static const char *const sets[] = { "utgard-gp", "utgard-pp" };
	size_t offset, length;
	const char *why = NULL;
	struct words w;
	int err = -1;

	for (int i = 0; i < 2 && err; i++) {
		const struct isa *isa = file->isa_name && file->isa ? file->isa : limn_isa_find(sets[i]);

		err = limn_mbs_find(isa, file->data, file->source.size, &offset, &length, &why);
		if (!err)
			file->isa = isa;
	}
	if (!err && words_of_bytes(file->data + offset, length, &w)) {
		file->words = w.list;
		file->count = w.count;
		return EXIT_OK;
	}
	return failed(EXIT_INPUT, "%s: MBS1 container: %s", file->path, err ? why : "out of memory");
}

static int take_words(struct shader_file *file, struct words *w, bool hex)
{
	file->words = w->list;
	file->count = w->count;
	if (w->unclear)
		return failed(EXIT_INPUT, "%s: a line is \"*\", and no offset says for how many it stands (hexdump -v, od -v)",
			      file->path);
	if (hex && file->hex && w->left_out)
		fprintf(stderr, "%s:%u: expected words of up to eight hexadecimal digits\n", file->path, w->line);
	else if (hex && w->left_out)
		fprintf(stderr, "%s:%u: note: no words here%s; the line is left out\n", file->path, w->line,
			w->left_out > 1 ? ", and on others" : "");
	else if (w->left_out && w->count)
		fprintf(stderr, "%s: note: it is cut: the last %zu byte%s no whole word\n", file->path, w->left_out,
			w->left_out > 1 ? "s are" : " is");
	else if (w->left_out)
		failed(EXIT_INPUT, "%s: %zu bytes are no whole number of 32-bit words", file->path, w->left_out);
	return w->left_out && (w->count == 0 || (hex && file->hex)) ? EXIT_INPUT : EXIT_OK;
}

/* Whether it is called as shaders' texts are: then it is one, whatever bytes are in it. */
static bool named(const char *path)
{
	static const char *const endings[] = { "gp", "pp", "viv", "midgard", "bifrost", "asm", "txt" };
	bool is = false;

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		is |= !strcasecmp(endings[i], ending(path));
	return is;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static bool has(const char *line, const char *end, const char *what)
{
	return memmem(line, end - line, what, strlen(what));
}

/* In what a shader of Mesa becomes, line by line: does its disassembly begin behind this line, or with it? */
static const char *disassembly_at(const struct isa *isa, const char *line, const char *end)
{
	if (isa == &isa_bifrost)
		return begins(line, "clause_0:") ? line : NULL;
	if (isa == &isa_utgard_gp || isa == &isa_utgard_pp)
		return has(line, end, isa == &isa_utgard_gp ? " VS DISASSEMBLY BEGIN" : " FS DISASSEMBLY BEGIN") ? end : NULL;
	/* The last block of Mesa's own representation ends so. */
	return isa == &isa_midgard && *line == '}' && has(line, end, " from {") ? end : NULL;
}

/*
 * BIFROST_MESA_DEBUG=shaders and MIDGARD_MESA_DEBUG=shaders,verbose print of each shader what it becomes, and at last its
 * disassembly; LIMA_DEBUG=dump writes streams and those of both shaders. Of the last shader, or the last one of the stage,
 * this is kept; all else becomes blanks, so that places stay. False: it is nothing of that.
 */
static bool keep_disassembly(struct shader_file *file)
{
	static const char head[] = "shader: MESA_SHADER_";
	char *from = NULL, *to = NULL, *end = file->data + file->source.size, *nl;
	bool wanted = !strncmp(limn_isa_name(file->isa), "utgard", 6), inside = false;

	for (char *line = file->data; line < end; line = nl) {
		const char *begin;

		nl = memchr(line, '\n', end - line);
		nl = nl ? nl + 1 : end;
		if (begins(line, head) || begins(line, "SHADER-DB")) {
			to = inside && file->isa == &isa_midgard ? line : to;
			inside = false;
		}
		if (begins(line, head))
			wanted = !file->stage || !strncasecmp(line + strlen(head), file->stage, strlen(file->stage));
		begin = wanted ? disassembly_at(file->isa, line, nl) : NULL;
		if (begin) {
			from = (char *)begin;
			to = end;
			inside = true;
		} else if (inside && file->isa == &isa_bifrost && *line == '}') {
			to = nl;
		} else if (inside && has(line, nl, " DISASSEMBLY END")) {
			to = line;
			inside = false;
		}
	}
	for (char *p = file->data; from && p < end; p++)
		if ((p < from || p >= to) && *p != '\n')
			*p = ' ';
	return from;
}

#define DIGITS	"0123456789"
#define HEX	DIGITS "abcdefABCDEF"

/*
 * What LIMA_DEBUG=gp,pp and ETNA_MESA_DEBUG=dump_shaders print of an instruction: "000: W W W W" of the GP, "000 (@   0): W
 * ..." of the PP, "000 [W W W W] text" of Vivante. Its number; -1: it is nothing of that.
 */
static long words_in(const struct isa *isa, const char *line)
{
	size_t n = strspn(line, DIGITS);
	const char *p = line + n, *opening = isa == &isa_vivante ? " [" : ": ";

	if (isa == &isa_utgard_pp)
		p = begins(p, " (@") ? p + strcspn(p, ":\n") : "";
	return n && begins(p, opening) && strspn(p + 2, HEX) == 8 ? strtol(line, NULL, 10) : -1;
}

/* What the next shader of a log is: "" where it does not say. */
static const char *stage_in(const char *line)
{
	return begins(line, "VERT\n") || begins(line, "shader: MESA_SHADER_VERTEX") ? "vertex" :
	       begins(line, "FRAG\n") || begins(line, "shader: MESA_SHADER_FRAGMENT") ? "fragment" : NULL;
}

/*
 * Of such a log the words of the last shader of this set, or the last one of the stage, are kept; all else, numbers among
 * it, becomes blanks, so that places stay.
 */
static void keep_words(struct shader_file *file)
{
	const char *from = NULL, *stage = "";
	char *end = file->data + file->source.size, *nl;
	bool kept = false, wanted = true;
	unsigned int shaders = 0;

	for (char *line = file->data; line < end; line = nl) {
		long number = words_in(file->isa, line);

		nl = memchr(line, '\n', end - line);
		nl = nl ? nl + 1 : end;
		stage = stage_in(line) ? stage_in(line) : stage;
		if (number == 0) {
			wanted = file->isa != &isa_vivante || !file->stage || !*stage || !strcmp(stage, file->stage);
			shaders += wanted;
			from = wanted ? line : from;
		}
		/* What a line of the PP has no room for stands in the next one. */
		kept = wanted && (number >= 0 || (kept && file->isa == &isa_utgard_pp && strspn(line, " ") == 4 &&
						 strspn(line + 4, HEX) == 8));
		if (!kept && (shaders || stage_in(line)))
			memset(line, ' ', nl - line - (nl[-1] == '\n'));
	}
	for (char *p = file->data; from && p < from; p++)
		*p = *p == '\n' ? *p : ' ';
	if (shaders > 1)
		fprintf(stderr, "%s: note: of %u shaders in it this is the last\n", file->path, shaders);
}

/* What the bytes are: an option says so, or the name's ending, or they themselves. */
static int take_bytes(struct shader_file *file, unsigned int takes)
{
	bool text = (takes & SHADER_TEXT && named(file->path)) ||
		    (strcasecmp(ending(file->path), "bin") && is_text(file->data, file->source.size));
	struct words w = { 0 };

	if (text && !file->hex && keep_disassembly(file))
		return assemble(file, takes);
	if (text && !file->hex)
		keep_words(file);
	if ((file->hex || text) && takes & SHADER_WORDS && file->source.size) {
		if (words_of_text(file->data, file->source.size, file->hex, &w) || file->hex)
			return take_words(file, &w, true);
		free(w.list);
	}
	if (text && takes & SHADER_TEXT)
		return assemble(file, takes);
	if (text && file->source.size)
		return failed(EXIT_INPUT, "%s: this is text, not words (limn asm makes words of it)", file->path);
	if (!words_of_bytes(file->data, file->source.size, &w))
		failed(EXIT_INPUT, "out of memory");
	return w.list ? take_words(file, &w, false) : EXIT_INPUT;
}

/* The set that takes the most lines, and more than half of them; NULL: none does. */
static const struct isa *set_of_text(const char *text, size_t size)
{
	const struct isa *isa, *best = NULL;
	size_t lines = 0, least = SIZE_MAX;

	for (const char *line = text + strspn(text, " \t\r\n"); *line; line += strspn(line, " \t\r\n"), lines++)
		line += strcspn(line, "\n");
	for (unsigned int i = 0; (isa = limn_isa_at(i)); i++) {
		struct isa_messages messages = { 0 };
		unsigned int last = 0;
		uint32_t *words = NULL;
		size_t count = 0, wrong = 0;

		limn_isa_asm(isa, text, size, &words, &count, &messages);
		for (size_t k = 0; k < messages.count; last = messages.list[k++].line)
			wrong += messages.list[k].line != last;
		if (wrong < least && wrong * 2 < lines) {
			least = wrong;
			best = isa;
		}
		limn_isa_messages_free(&messages);
		free(words);
	}
	return best;
}

/* Whether a text without a name's ending is a shader's, or words. */
static bool is_shader(const char *text, size_t size)
{
	size_t mark = size > 2 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	struct words w;
	bool words;

	if (job_has_statement(text + mark))
		return false;
	words = words_of_text(text + mark, size - mark, false, &w) && !w.left_out;
	free(w.list);
	return words || set_of_text(text + mark, size - mark);
}

bool shader_is_job(struct shader_file *file)
{
	if (strcmp(file->path, "-"))
		return !strcasecmp(ending(file->path), "limn");
	/* Standard input has no ending: it is one unless an instruction set is named, or its bytes are no text, or a shader's. */
	return !file->isa_name && !file->hex && !file_read(file->path, MAX_SIZE, &file->data, &file->source.size) &&
	       !memchr(file->data, 0, file->source.size) && !is_shader(file->data, file->source.size);
}

int shader_load(struct shader_file *file, unsigned int takes)
{
	const char *why, *several = NULL;
	const struct isa *looks;
	bool mbs;

	if (takes & SHADER_JOBS && shader_is_job(file))
		return take_job(file);
	/* A wrong name is wrong usage, whatever the file is. */
	file->isa = file->isa_name ? find_isa(file->isa_name, &several) : NULL;
	if (file->isa_name && !file->isa && !several && !no_isa(file->isa_name, NULL))
		return EXIT_USAGE;
	why = file->data ? NULL : file_read(file->path, MAX_SIZE, &file->data, &file->source.size);
	if (why)
		return failed(EXIT_INPUT, "%s: %s", file->path, why);
	/* A byte order mark, of a text: binary words may begin so. */
	if (file->source.size > 2 && !memcmp(file->data, "\xef\xbb\xbf", 3) &&
	    (!(takes & SHADER_WORDS) || file->hex || (strcasecmp(ending(file->path), "bin") && is_text(file->data + 3, file->source.size - 3))))
		memset(file->data, ' ', 3);
	file->source.path = file->path;
	file->source.text = file->data;
	mbs = takes & SHADER_WORDS && limn_mbs_is(file->data, file->source.size);
	if (!file->isa && !mbs)
		file->isa = shader_isa(file->isa_name, file->path);
	if (!file->isa && !mbs) {
		looks = file->isa_name || memchr(file->data, 0, file->source.size) ? NULL : set_of_text(file->data, file->source.size);
		if (looks)
			fprintf(stderr, "  this looks like %s: --isa %s\n", limn_isa_name(looks), limn_isa_name(looks));
		return EXIT_USAGE;
	}
	if (mbs)
		return unpack(file);
	return takes & SHADER_WORDS ? take_bytes(file, takes) : assemble(file, takes);
}

unsigned int shader_unit(const struct isa *isa)
{
	return !strcmp(limn_isa_name(isa), "utgard-gp") || !strcmp(limn_isa_name(isa), "vivante") ? 4 : 1;
}

void shader_trim(struct shader_file *file)
{
	const char *name = limn_isa_name(file->isa);
	size_t n = file->count;

	/* Of a set whose instructions differ in length a word of 0 may be the last one's. */
	if (file->text || (shader_unit(file->isa) == 1 && strcmp(name, "midgard")))
		return;
	while (n && !file->words[n - 1])
		n--;
	n = (n + 3) & ~(size_t)3;
	if (n && n < file->count)
		file->count = n;
}

void shader_free(struct shader_file *file)
{
	job_free(file->job);
	free(file->data);
	free(file->words);
	free(file->lines);
}
