// SPDX-License-Identifier: MIT
/* Reading of job files: the loop over statements, draws, memory and files. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job_parser.h"

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

void job_free(struct job *job)
{
	struct job_block *next;

	if (!job)
		return;
	for (struct job_block *b = job->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(job->draws);
	free(job);
}

void job_file_path(const struct job_parser *p, const char *name, char *path, uint32_t size)
{
	const char *slash = strrchr(p->r.path, '/');

	if (name[0] == '/' || !slash)
		snprintf(path, size, "%s", name);
	else
		snprintf(path, size, "%.*s/%s", (int)(slash - p->r.path), p->r.path, name);
}

static char *read_file(const char *path, uint32_t max, uint32_t *size, struct limn_error *err)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t n = 0;

	if (!f) {
		limn_fail(err, -1, "%.150s: %s", path, strerror(errno));
		return NULL;
	}
	text = malloc((size_t)max + 1);
	if (text)
		n = fread(text, 1, (size_t)max + 1, f);
	if (!text || ferror(f) || n > max) {
		limn_fail(err, -1, "%.150s: %s", path, !text ? "out of memory" :
			  n > max ? "too large" : strerror(errno));
		free(text);
		fclose(f);
		return NULL;
	}
	fclose(f);
	text[n] = 0;
	*size = n;
	return text;
}

char *job_file_read(struct job_parser *p, const char *path, uint32_t max, uint32_t *size)
{
	struct limn_error err;
	char *text = read_file(path, max, size, &err);

	if (!text)
		job_fail(&p->r, "%s", err.text);
	return text;
}

/* draw MODE FIRST COUNT, draw-indexed MODE FIRST COUNT */
static void read_draw(struct job_parser *p, bool indexed, int line, int column)
{
	static const char *const modes[] = {
		"points", "lines", "line-loop", "line-strip", "triangles", "triangle-strip",
		"triangle-fan", "quads", "quad-strip", "polygon", NULL
	};
	struct job_reader *r = &p->r;
	struct job_draw *draws, *draw = &p->now;
	uint32_t room = p->room_draws ? p->room_draws * 2 : 16;

	draw->line = line;
	draw->draw.mode = job_choice(r, "mode", modes);
	draw->draw.start = job_integer(r, "first", 0, 0xffffff);
	draw->draw.count = job_integer(r, "count", 1, JOB_MAX_VERTICES);
	draw->draw.index_bytes = 0;
	if (indexed && !draw->indices)
		job_fail_at(r, line, column, "draw-indexed without indices");
	if (r->failed)
		return;
	if (indexed)
		draw->draw.index_bytes = draw->indices->index_bytes;
	job_check_draw(p, draw, line, column);
	if (p->job->num_draws == JOB_MAX_DRAWS)
		job_fail_at(r, line, column, "more than %u draws", JOB_MAX_DRAWS);
	if (p->job->num_draws == p->room_draws && !r->failed) {
		draws = realloc(p->job->draws, room * sizeof(*draws));
		if (!draws) {
			job_fail(r, "out of memory");
			return;
		}
		p->job->draws = draws;
		p->room_draws = room;
	}
	if (!r->failed)
		p->job->draws[p->job->num_draws++] = *draw;
}

static const struct job_statement *find(const struct job_statement *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

static void read_statement(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	int line = r->token_line, column = r->token_column;
	const struct job_statement *s;
	bool indexed;

	if (r->token != JOB_WORD) {
		job_fail(r, "a statement is expected");
		return;
	}
	if (!p->has_target && !job_is_word(r, "target")) {
		job_fail(r, "the first statement must be target");
		return;
	}
	indexed = job_is_word(r, "draw-indexed");
	if (indexed || job_is_word(r, "draw")) {
		job_next(r);
		read_draw(p, indexed, line, column);
	} else {
		s = find(job_state_statements, r->text);
		if (!s)
			s = find(job_data_statements, r->text);
		if (!s) {
			job_fail(r, "no statement '%s'", r->text);
			return;
		}
		job_next(r);
		s->read(p);
	}
	if (!r->failed && r->token != JOB_NEWLINE && r->token != JOB_END)
		job_fail(r, "the end of the line is expected");
}

int job_parse(const char *path, const char *text, struct job **out, struct limn_error *err)
{
	struct job_parser p = { 0 };

	p.job = calloc(1, sizeof(*p.job));
	if (!p.job)
		return limn_fail(err, -1, "%.100s: out of memory", path);
	p.job->frames = 1;
	job_reader_init(&p.r, path, text, err);
	while (!p.r.failed && p.r.token == JOB_NEWLINE)
		job_next(&p.r);
	if (job_accept(&p.r, "vivante"))
		vjob_parse(&p);
	while (!p.r.failed && p.r.token != JOB_END) {
		if (p.r.token == JOB_NEWLINE)
			job_next(&p.r);
		else
			read_statement(&p);
	}
	if (!p.has_target && !p.job->vivante)
		job_fail(&p.r, "no target");
	if (p.r.failed) {
		job_free(p.job);
		return -1;
	}
	*out = p.job;
	return 0;
}

int job_read(const char *path, struct job **job, struct limn_error *err)
{
	uint32_t size;
	char *text = read_file(path, 64u << 20, &size, err);
	int ret;

	if (!text)
		return -1;
	if (memchr(text, 0, size)) {
		free(text);
		return limn_fail(err, -1, "%.150s:1:1: not a text file", path);
	}
	ret = job_parse(path, text, job, err);
	free(text);
	return ret;
}
