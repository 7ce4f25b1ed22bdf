// SPDX-License-Identifier: MIT
/* Shaders of a job: text to words, with errors at their place in the job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/job_parser.h"

void job_shader_fail(struct job_parser *p, const char *path, int line, const struct isa_messages *messages)
{
	const char *job_path = p->r.path;

	p->r.path = path;
	for (size_t i = 0; i < messages->count; i++) {
		const struct isa_message *m = &messages->list[i];

		if (m->severity == ISA_ERROR) {
			job_fail_at(&p->r, line + (int)m->line - 1, m->column, "%s", m->text);
			break;
		}
	}
	if (!p->r.failed)
		job_fail_at(&p->r, line, 1, "the shader cannot be assembled");
	p->r.path = job_path;
}

/* Keeps what the shader names from outside, and reads off what the draw must know. */
static void note_uses(struct job_parser *p, bool vertex, struct job_shader *shader)
{
	struct isa_use *list = NULL;
	size_t n = 0;

	if (isa_uses(isa_find(vertex ? "utgard-gp" : "utgard-pp"), shader->words,
		     shader->bytes / 4, &list, &n)) {
		job_fail_at(&p->r, shader->line, 1, "out of memory");
		return;
	}
	shader->uses = job_alloc(p->job, n * sizeof(*list));
	if (!shader->uses)
		job_fail_at(&p->r, shader->line, 1, "out of memory");
	else if (n)
		memcpy(shader->uses, list, n * sizeof(*list));
	shader->num_uses = n;
	for (size_t i = 0; i < n; i++) {
		if (list[i].kind == ISA_ATTRIBUTE && list[i].at / 4 > shader->prefetch)
			shader->prefetch = list[i].at / 4;
		shader->discards |= list[i].kind == ISA_DISCARD;
	}
	free(list);
}

struct job_shader *job_shader_words(struct job_parser *p, bool vertex, const uint32_t *words,
				    uint32_t count, int line)
{
	struct job_shader *shader = job_alloc(p->job, sizeof(*shader));

	if (!count)
		job_fail_at(&p->r, line, 1, "the shader is empty");
	if (vertex && (count % 4 || count / 4 > 512))
		job_fail_at(&p->r, line, 1,
			    "a vertex shader has 1 to 512 instructions of 4 words, not %u words",
			    count);
	if (shader)
		shader->words = job_alloc(p->job, count * 4);
	if (!shader || !shader->words)
		job_fail_at(&p->r, line, 1, "out of memory");
	if (p->r.failed)
		return NULL;
	memcpy(shader->words, words, count * 4);
	shader->bytes = count * 4;
	shader->line = line;
	note_uses(p, vertex, shader);
	return p->r.failed ? NULL : shader;
}

void job_shader_warn(const struct isa *isa, const char *path, int line, const struct isa_messages *assembled,
		     const uint32_t *words, size_t count)
{
	struct isa_messages found;

	isa_check(isa, words, count, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct isa_message *m = &found.list[i];
		unsigned int at = m->at < assembled->line_count ? assembled->lines[m->at] : 1;

		if (m->severity != ISA_NOTE)
			fprintf(stderr, "%s:%u: %s: %s [%s]\n", path, line + at - 1,
				m->severity == ISA_ERROR ? "error" : "warning", m->text, m->rule);
	}
	isa_messages_free(&found);
}

struct job_shader *job_shader_assemble(struct job_parser *p, bool vertex, const char *path,
				       const char *text, int line)
{
	const struct isa *isa = isa_find(vertex ? "utgard-gp" : "utgard-pp");
	struct isa_messages messages = { 0 };
	struct job_shader *shader = NULL;
	uint32_t *words = NULL;
	size_t count = 0;
	int ret;

	if (!isa) {
		job_fail(&p->r, "no assembler for this shader");
		return NULL;
	}
	ret = isa_asm_lines(isa, text, strlen(text), &words, &count, &messages);
	if (ret)
		job_shader_fail(p, path, line, &messages);
	else
		shader = job_shader_words(p, vertex, words, count, line);
	if (shader)
		job_shader_warn(isa, path, line, &messages, words, count);
	isa_messages_free(&messages);
	free(words);
	return shader;
}
