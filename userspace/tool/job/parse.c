// SPDX-License-Identifier: MIT
/* Reading of job files: the loop over statements, errors, memory and files. */
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/parser.h"
#include "tool/words.h"

#define JOB_STATEMENT(name, families, form, run, help) { name, families, form, run, help, 0, 0, 0 },
#define JOB_SETTER(name, families, form, base, member, help) \
	{ name, families, form, job_store, help, BASE_##base, offsetof(IN_##base, member), SIZE(((IN_##base *)0)->member) },
#define JOB_SECTION(title)	{ .name = "", .help = title },
#define BASE_state	JOB_BASE_STATE
#define BASE_scene	JOB_BASE_SCENE
#define IN_state	struct job_state
#define IN_scene	struct job_scene
/* Of an array, that of an element. */
#define SIZE(member)	_Generic((member), double *: sizeof(double), default: sizeof(member))
const struct job_statement job_statements[] = {
#include "tool/job/statements.inc"
	{ .name = NULL },
};
#undef JOB_STATEMENT
#undef JOB_SETTER
#undef JOB_SECTION

static const struct {
	const char *name, *model;
	enum limn_family device;
} families[] = {
	[JOB_UTGARD] = { "Utgard", "mali-400-mp2", LIMN_UTGARD },
	[JOB_VIVANTE] = { "Vivante", "gc2000", LIMN_VIVANTE },
	[JOB_VIVANTE_2D] = { "Vivante's 2D pipe", "gc320", LIMN_VIVANTE },
};

const char *job_family_name(enum job_family family)
{
	return families[family].name;
}

const char *job_family_how(enum job_family family)
{
	return family == JOB_UTGARD ? ", without the line 'vivante' above all" : "";
}

const char *job_family_model(enum job_family family)
{
	return families[family].model;
}

enum limn_family job_device_family(enum job_family family)
{
	return families[family].device;
}

/* --- Memory ------------------------------------------------------------------------ */

struct job_block {
	struct job_block *next;
	max_align_t data[];
};

void *job_alloc(struct job *job, uint64_t bytes)
{
	struct job_block *b = calloc(1, sizeof(*b) + (bytes ? bytes : 1));

	if (!b)
		return NULL;
	b->next = job->blocks;
	job->blocks = b;
	return b->data;
}

void *job_memory(struct job_parser *p, uint64_t bytes)
{
	void *m = job_alloc(p->job, bytes);

	if (!m)
		job_error(p, p->at, "out of memory");
	return m;
}

const char *job_keep(struct job_parser *p, const char *text)
{
	char *to = job_memory(p, strlen(text) + 1);

	return to ? strcpy(to, text) : "";
}

void *job_grow(struct job_parser *p, void *list, uint32_t count, uint32_t *room, size_t size)
{
	void *more;

	if (count < *room)
		return list;
	*room = *room ? *room * 2 : 16;
	more = job_memory(p, *room * size);
	if (more && count)
		memcpy(more, list, count * size);
	return more;
}

void job_free(struct job *job)
{
	struct job_block *next;

	if (!job)
		return;
	for (struct job_block *b = job->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(job);
}

/* --- Errors -------------------------------------------------------------------------- */

static void say(struct job_parser *p, enum severity severity, struct place at, const char *format, va_list args)
{
	/* What stands before the statement is a shader, say, that it draws with. */
	bool within = p->statement && severity == MESSAGE_ERROR && at.line >= p->at.line;
	char *form = within ? form_text(p->statement) : NULL;
	char *text = NULL, *note = NULL;
	size_t length;
	FILE *notes = open_memstream(&note, &length);

	if (notes && form)
		fputs(form, notes);
	for (unsigned int i = p->num_files; notes && i-- > 0;)
		fprintf(notes, "%sincluded at %s:%u", ftell(notes) ? "\n  " : "", p->includes[i].source->path, p->includes[i].line);
	if (notes)
		fclose(notes);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	message_add(p->messages, severity, at, note && *note ? note : NULL, "%s", text ? text : "out of memory");
	free(text);
	free(note);
	free(form);
}

void job_error(struct job_parser *p, struct place at, const char *format, ...)
{
	va_list args;

	if (p->failed)
		return;
	p->failed = true;
	va_start(args, format);
	say(p, MESSAGE_ERROR, at, format, args);
	va_end(args);
}

void job_error_unless(struct job_parser *p, struct place at, const char *format, ...)
{
	va_list args;

	if (p->failed)
		return;
	p->failed = true;
	if (p->messages->errors)
		return;
	va_start(args, format);
	say(p, MESSAGE_ERROR, at, format, args);
	va_end(args);
}

bool job_error_inside(struct job_parser *p, struct place at, const char *text, const struct job_value *value,
		      const char *wrong)
{
	const char *end, *line = message_line(&at, &end), *from = line + at.column - 1;

	p->failed |= !strcmp(wrong, JOB_SAID);
	if (!value->wrong_at || from >= end || p->failed)
		return p->failed;
	/* The text has one blank where the file may have several. */
	for (uint32_t i = 0; i < value->wrong_at; i++) {
		if (from == end || (*from != text[i] && text[i] != ' '))
			return false;
		do
			from++;
		while (text[i] == ' ' && from < end && isspace((unsigned char)*from));
	}
	at.column = from - line + 1;
	for (at.length = 0; from < end && (isalnum((unsigned char)*from) || *from == '_'); from++)
		at.length++;
	job_error(p, at, "%s", wrong);
	return true;
}

void job_warning(struct job_parser *p, struct place at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(p, MESSAGE_WARNING, at, format, args);
	va_end(args);
}

/* --- Files ------------------------------------------------------------------------------ */

void job_file_path(const struct job_parser *p, const char *name, char *path, size_t size)
{
	const char *from = p->at.source->path, *slash = strrchr(from, '/');

	if (name[0] == '/' || !slash)
		snprintf(path, size, "%s", name);
	else
		snprintf(path, size, "%.*s/%s", (int)(slash - from), from, name);
}

/* NULL, or why it cannot be had; the text is the job's memory. */
static const char *read_file(struct job *job, const char *path, uint32_t max, struct source *source)
{
	char *text, *copy;
	size_t n;
	const char *why = file_read(path, max, &text, &n);

	if (why)
		return why;
	copy = job_alloc(job, n + 1);
	if (copy)
		memcpy(copy, text, n);
	free(text);
	*source = (struct source){ source->path, copy, n };
	return copy ? NULL : "out of memory";
}

static const char *copy(struct job *job, const char *text)
{
	char *to = job_alloc(job, strlen(text) + 1);

	return to ? strcpy(to, text) : "job";
}

/* Zero bytes are the sign of other files; *at: of the first one. */
static bool has_no_nul(const struct source *source, struct place *at)
{
	const char *nul = memchr(source->text, 0, source->size);

	*at = (struct place){ source, 1, 1, 0 };
	for (const char *c = source->text; nul && c < nul; c++) {
		at->line += *c == '\n';
		at->column = *c == '\n' ? 1 : at->column + 1;
	}
	return !nul;
}

const struct source *job_file_read(struct job_parser *p, const char *name, uint32_t max, struct place at)
{
	struct source *source = job_memory(p, sizeof(*source));
	struct place nul;
	char path[1024];
	const char *why;

	if (!source)
		return NULL;
	job_file_path(p, name, path, sizeof(path));
	source->path = copy(p->job, path);
	why = read_file(p->job, path, max, source);
	if (why)
		job_error(p, at, "%s: %s", path, why);
	else if (!has_no_nul(source, &nul))
		job_error(p, at, "%s:%u:%u: a zero byte: this is no text file", path, nul.line, nul.column);
	return p->failed ? NULL : source;
}

/* --- Statements ---------------------------------------------------------------------------- */

static const char *statement_names(void *ctx, unsigned int index)
{
	const struct job_parser *p = ctx;

	for (const struct job_statement *s = job_statements; s->name; s++)
		if (s->families & 1u << p->job->family && !index--)
			return s->name;
	return index ? NULL : "vivante";
}

/* The row of the family; *other: another one has such a statement. */
static const struct job_statement *find(const struct job_parser *p, const char *name, bool *other)
{
	*other = false;
	for (const struct job_statement *s = job_statements; s->name; s++) {
		if (strcmp(s->name, name))
			continue;
		if (s->families & 1u << p->job->family)
			return s;
		*other = true;
	}
	return NULL;
}

bool job_has_statement(const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		size_t n;

		line += strspn(line, " \t\r\n");
		n = strcspn(line, " \t\r\n{(");
		for (const struct job_statement *s = job_statements; s->name; s++)
			if (n && strlen(s->name) == n && !strncmp(line, s->name, n))
				return true;
	}
	return false;
}

bool job_is_statement(const struct job_parser *p, const char *name)
{
	return find(p, name, &(bool){ false });
}

/* Skips what is left of a statement that failed: to the end of its line, and of its block. */
static void recover(struct job_parser *p)
{
	struct job_reader *r = &p->r;

	for (unsigned int i = 0; r->token == JOB_NEWLINE && i < p->num_hopes; i++) {
		if (p->hopes[i].type && p->hopes[i].type->kind == FORM_TEXT)
			job_skip_text(r);
	}
	while (r->token != JOB_END && (r->token != JOB_NEWLINE || r->depth))
		job_next(r);
}

/* As a call, draw(...), it may be known all the same. */
static void no_statement(struct job_parser *p)
{
	char name[40];
	bool other;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(p->r.text, "("), p->r.text);
	if (p->r.text[strlen(name)] == '(' && find(p, name, &other))
		job_error(p, p->at, "%s takes its arguments without ( ) and commas", name);
	else
		job_error(p, p->at, "no statement '%s'%s (limn info --statements lists them)", p->r.text,
			  did_you_mean(name, statement_names, p));
}


static void run_statements(struct job_parser *p, bool in_loop);

static void run_statement(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	bool other;

	p->at = r->place;
	p->failed = false;
	p->turns = -1;
	p->include = NULL;
	r->depth = r->token == JOB_OPEN;
	if (r->token != JOB_WORD || r->what) {
		job_error(p, p->at, "%s", r->what ? r->what : "a statement is expected");
		return;
	}
	p->statement = find(p, r->text, &other);
	if (!p->statement) {
		if (other)
			job_error(p, p->at, "'%s' is no statement of jobs for %s, as this one is%s", r->text,
				  job_family_name(p->job->family), job_family_how(p->job->family));
		else if (job_is_word(r, "vivante"))
			job_error(p, p->at, "vivante must stand before all other statements");
		else
			no_statement(p);
		return;
	}
	if (!p->has_target && p->statement->families != JOB_HAS_ALL && strcmp(p->statement->name, "target")) {
		p->statement = NULL;
		job_error_unless(p, p->at, "the first statement must be target");
		job_set_target(p);
		return;
	}
	job_next(r);
	form_read(p, p->statement->form);
	if (!p->failed)
		p->statement->run(p);
	form_free(p);
	/* What comes behind a target that is wrong is looked at all the same. */
	if (p->failed && !p->has_target && !strcmp(p->statement->name, "target"))
		job_set_target(p);
}

/* The lines of a loop, from behind its {, as often as it turns; leaves the token behind the }. */
static void run_loop(struct job_parser *p)
{
	struct job_variable *v = &p->loops[p->num_loops];
	struct job_reader begin = p->r;
	double turns = p->turns;
	size_t errors = p->messages->errors;
	struct place at = p->at;

	p->num_loops++;
	for (double i = 0; i < turns && p->messages->errors == errors; i++) {
		p->r = begin;
		v->value.v[0] = i;
		if (p->work++ > JOB_MAX_WORK) {
			p->failed = false;
			job_error(p, at, "the job has more than %u loops to turn", JOB_MAX_WORK);
		}
		run_statements(p, true);
	}
	p->num_loops--;
	p->failed = false;
	if (!turns) {
		p->r.depth = 1;
		while (p->r.token != JOB_END && p->r.depth)
			job_next(&p->r);
	}
	if (p->r.token != JOB_CLOSE)
		job_error(p, at, "{ without a line that holds its }");
	job_next(&p->r);
	if (!p->failed && p->r.token != JOB_NEWLINE && p->r.token != JOB_END)
		job_error(p, p->r.place, "the end of the line is expected, not '%s'", job_at_hand(&p->r));
}

static void run_include(struct job_parser *p)
{
	struct job_reader outer = p->r;

	job_reader_init(&p->r, p->include);
	p->include = NULL;
	p->includes[p->num_files++] = p->at;
	run_statements(p, false);
	p->num_files--;
	p->r = outer;
	p->failed = false;
}

/* To the end of the file; in a loop to its }. */
static void run_statements(struct job_parser *p, bool in_loop)
{
	while (p->r.token != JOB_END && !(in_loop && p->r.token == JOB_CLOSE)) {
		if (p->r.token == JOB_NEWLINE) {
			job_next(&p->r);
			continue;
		}
		run_statement(p);
		p->statement = NULL;
		if (!p->failed && p->include)
			run_include(p);
		else if (!p->failed && p->turns >= 0)
			run_loop(p);
		if (p->failed)
			recover(p);
	}
}

/* vivante [2d], before anything else. */
static void read_family(struct job_parser *p)
{
	struct job_reader *r = &p->r;

	while (r->token == JOB_NEWLINE)
		job_next(r);
	if (!job_is_word(r, "vivante"))
		return;
	p->job->family = JOB_VIVANTE;
	job_next(r);
	if (job_is_word(r, "2d")) {
		p->job->family = JOB_VIVANTE_2D;
		job_next(r);
	}
	p->at = r->place;
	if (r->token != JOB_NEWLINE && r->token != JOB_END) {
		job_error(p, r->place, "2d, or the end of the line is expected, not '%s'", job_at_hand(r));
		recover(p);
	}
}

static int parse(struct job *job, const struct source *source, const struct job_options *options,
		 struct messages *messages)
{
	struct job_parser *p = calloc(1, sizeof(*p));
	struct place nul;

	if (!p)
		return -1;
	p->job = job;
	p->messages = messages;
	p->options = options;
	job_reader_init(&p->r, source);
	p->at = (struct place){ source, 0, 0, 0 };
	job_begin_scene(p, NULL);
	if (has_no_nul(source, &nul)) {
		read_family(p);
		run_statements(p, false);
	} else {
		job_error(p, nul, "a zero byte: this is no text file");
	}
	p->failed = false;
	p->statement = NULL;
	if (!p->has_target)
		job_error_unless(p, p->r.place, "no target");
	job_check_defines(p);
	if (!messages->errors)
		job_check_scene(p);
	free(p);
	return messages->errors ? -1 : 0;
}

/* A job without anything in it, and its source's text: given, or of the file. */
static int begin(const char *path, const char *text, const struct job_options *options, struct job **out,
		 struct messages *messages)
{
	struct job *job = *out = calloc(1, sizeof(*job));
	struct source *source = job ? job_alloc(job, sizeof(*source)) : NULL;
	const char *why;

	if (!source)
		return -1;
	*source = (struct source){ copy(job, path), text ? copy(job, text) : "", text ? strlen(text) : 0 };
	why = text ? NULL : read_file(job, path, JOB_MAX_FILE, source);
	if (!why)
		return parse(job, source, options, messages);
	message_add(messages, MESSAGE_ERROR, (struct place){ source, 0, 0, 0 }, NULL, "%s", why);
	return -1;
}

int job_parse(const char *path, const char *text, const struct job_options *options, struct job **out,
	      struct messages *messages)
{
	return begin(path, text, options, out, messages);
}

int job_read(const char *path, const struct job_options *options, struct job **out, struct messages *messages)
{
	return begin(path, NULL, options, out, messages);
}

/* --- Arguments -------------------------------------------------------------------------------- */

const struct job_arg *job_take(struct job_parser *p)
{
	static const struct job_arg none;

	return p->arg < p->num_args ? &p->args[p->arg++] : &none;
}

const struct job_arg *job_given(struct job_parser *p, const char *name)
{
	const struct job_arg *a = &p->args[p->arg];

	if (p->arg == p->num_args || a->length != strlen(name) || strncmp(a->name, name, a->length))
		return NULL;
	p->arg++;
	return a;
}

bool job_took(struct job_parser *p, const char *word)
{
	return job_given(p, word);
}

struct place job_here(const struct job_parser *p)
{
	return p->arg ? p->args[p->arg - 1].at : p->at;
}

double job_number(struct job_parser *p)
{
	return job_take(p)->number;
}

uint32_t job_whole(struct job_parser *p)
{
	return job_take(p)->number;
}

void job_numbers(struct job_parser *p, double *out, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		out[i] = job_number(p);
}
