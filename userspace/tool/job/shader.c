// SPDX-License-Identifier: MIT
/* Shaders of a job: text to words, with messages at their place in the job. */
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "limn/vivante/states.h"
#include "model/model.h"
#include "tool/job/parser.h"
#include "tool/shader_file.h"

static const struct isa *isa_of(const struct job_parser *p, enum job_stage stage)
{
	return limn_isa_find(p->job->family != JOB_UTGARD ? "vivante" :
			     stage == JOB_VERTEX ? "utgard-gp" : "utgard-pp");
}

/* Keeps what the shader names from outside, and reads off what the draw must know. */
static void note_uses(struct job_parser *p, const struct isa *isa, struct job_shader *shader)
{
	struct isa_use *list = NULL;
	size_t n = 0;

	if (limn_isa_uses(isa, shader->words, shader->count, &list, &n)) {
		job_error(p, shader->at, "out of memory");
		return;
	}
	shader->uses = job_memory(p, n * sizeof(*list));
	if (shader->uses && n)
		memcpy(shader->uses, list, n * sizeof(*list));
	shader->num_uses = n;
	for (size_t i = 0; i < n; i++) {
		if (list[i].kind == ISA_ATTRIBUTE && list[i].at / 4 > shader->prefetch)
			shader->prefetch = list[i].at / 4;
		shader->discards |= list[i].kind == ISA_DISCARD;
	}
	free(list);
}

/* Source operands of a Vivante instruction, rnndb isa.xml: word and bit of use, register, register group. */
static const struct {
	uint8_t word, use, reg, group_word, group;
} sources[] = { { 1, 11, 12, 2, 3 }, { 2, 6, 7, 3, 0 }, { 3, 3, 4, 3, 28 } };

#define GROUP_TEMP	0
#define GROUP_UNIFORM0	2
#define GROUP_UNIFORM1	3
#define OP_TEXKILL	0x17

bool job_shader_samples(const uint32_t *w)
{
	uint32_t opcode = (w[0] & 0x3f) | (w[2] >> 10 & 0x40);

	/* TEXLD, B, D, L, P; TEXLDLPCF, TEXLDGPCF, TEXLDPCF's kin */
	return (opcode >= 0x18 && opcode <= 0x1c) || (opcode >= 0x6f && opcode <= 0x70);
}

static void add_use(struct job_shader *s, enum isa_use_kind kind, uint32_t index, uint32_t at)
{
	s->uses[s->num_uses++] = (struct isa_use){ .kind = kind, .index = index, .at = at };
}

/*
 * What a Vivante shader names; the assembler has made the words, so every field is what it says. A temporary that
 * is read before it is written is what comes in: an attribute or a varying.
 */
static void scan(struct job_parser *p, struct job_shader *s)
{
	s->uses = job_memory(p, s->count * sizeof(*s->uses));	/* at most four of an instruction */
	if (!s->uses)
		return;
	s->temps = 1;
	for (uint32_t i = 0; i + 3 < s->count; i += 4) {
		const uint32_t *w = s->words + i;
		uint32_t opcode = (w[0] & 0x3f) | (w[2] >> 10 & 0x40), reg;

		for (int k = 0; k < 3; k++) {
			uint32_t group = w[sources[k].group_word] >> sources[k].group & 7;

			if (!(w[sources[k].word] >> sources[k].use & 1))
				continue;
			reg = w[sources[k].word] >> sources[k].reg & 0x1ff;
			if (group == GROUP_TEMP && reg + 1 > s->temps)
				s->temps = reg + 1;
			if (group == GROUP_TEMP && reg < 64 && !(s->written >> reg & 1)) {
				s->early |= 1ull << reg;
				add_use(s, ISA_ATTRIBUTE, reg, i);
			}
			if (group == GROUP_UNIFORM0 || group == GROUP_UNIFORM1)
				add_use(s, ISA_UNIFORM, reg + (group == GROUP_UNIFORM1 ? 128 : 0), i);
		}
		reg = w[0] >> 16 & 0x7f;
		if (w[0] & 0x1000 && reg + 1 > s->temps)
			s->temps = reg + 1;
		if (w[0] & 0x1000 && reg < 64)
			s->written |= 1ull << reg;
		if (job_shader_samples(w))
			add_use(s, ISA_TEXTURE, w[0] >> 27, i);
		s->discards |= opcode == OP_TEXKILL;
	}
}

static struct job_shader *read_words(struct job_parser *p, enum job_stage stage, const uint32_t *words,
				     uint32_t count, struct place at)
{
	bool utgard = p->job->family == JOB_UTGARD;
	struct job_shader *shader = job_memory(p, sizeof(*shader));

	if (!count)
		job_error(p, at, "the shader is empty");
	else if (utgard && stage == JOB_VERTEX && (count % 4 || count / 4 > 512))
		job_error(p, at, "a vertex shader has 1 to 512 instructions of 4 words, not %u words", count);
	else if (!utgard && count % 4)
		job_error(p, at, "a shader has instructions of 4 words, not %u words", count);
	if (shader)
		shader->words = job_memory(p, count * 4);
	if (p->failed)
		return NULL;
	memcpy(shader->words, words, count * 4);
	shader->count = count;
	shader->at = at;
	if (utgard)
		note_uses(p, isa_of(p, stage), shader);
	else
		scan(p, shader);
	return p->failed ? NULL : shader;
}

static void keep_lines(struct job_parser *p, struct job_shader *shader, const struct isa_messages *assembled)
{
	shader->lines = job_memory(p, shader->count * sizeof(*shader->lines));
	for (uint32_t i = 0; i < shader->count && shader->lines; i++)
		shader->lines[i] = i < assembled->line_count ? assembled->lines[i] : 1;
}

struct place job_shader_place(const struct job_shader *s, uint32_t word)
{
	struct place at = s->at;
	const char *line, *end;

	if (!s->lines || word >= s->count)
		return at;
	at.line += s->lines[word] - 1;
	line = message_line(&at, &end);
	/* A text on one line begins within it. */
	if (at.column == 1)
		while (line < end && (*line == ' ' || *line == '\t')) {
			line++;
			at.column++;
		}
	return at;
}

const struct job_shader *job_shader_words(struct job_parser *p, enum job_stage stage, const uint32_t *words,
					  uint32_t count, struct place at)
{
	return read_words(p, stage, words, count, at);
}

enum isa_uniforms job_uniforms(const char *gpu)
{
	return !model_gpu_find(gpu) ? ISA_UNIFORMS_UNKNOWN :
	       model_minor_feature(gpu, 8) & chipMinorFeatures8_SH_NO_ONECONST_LIMIT ? ISA_MANY_UNIFORMS : ISA_ONE_UNIFORM;
}

/* What the rules of the instruction set say against it; the job runs all the same. */
static void say_findings(struct job_parser *p, const struct isa *isa, const struct job_shader *shader)
{
	struct isa_declared declared = ISA_NOTHING_DECLARED;
	struct isa_messages found;

	declared.uniforms = p->scene->num_gpus ? job_uniforms(p->scene->gpus[0]) : ISA_UNIFORMS_UNKNOWN;
	for (uint32_t i = 1; i < p->scene->num_gpus; i++)
		if (job_uniforms(p->scene->gpus[i]) != declared.uniforms)
			declared.uniforms = ISA_UNIFORMS_UNKNOWN;
	limn_isa_check_declared(isa, shader->words, shader->count, &declared, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct isa_message *m = &found.list[i];

		if (m->severity != ISA_NOTE)
			job_warning(p, job_shader_place(shader, m->at), "%s [%s]", m->text, m->rule);
	}
	limn_isa_messages_free(&found);
}

/* Of one line of the job: lines where it has ;. NULL after an error. */
static const char *split(struct job_parser *p, const char *text, size_t length)
{
	char *lines = job_memory(p, length + 1);

	for (size_t i = 0; i < length && lines; i++)
		lines[i] = text[i] == ';' ? '\n' : text[i];
	return lines;
}

/* The place of the message where the lines are one. */
static void join(struct isa_message *m, const char *text)
{
	const char *line = text;

	for (; m->line > 1; m->line--)
		line = strchr(line, '\n') + 1;
	m->column += line - text;
}

/* Of lines: ';' begins a comment in Vivante's, and may have been meant to separate instructions, as it does in one line. */
static void say_hidden(struct job_parser *p, const struct isa *isa, const char *text, size_t length, struct place at)
{
	const char *end = text + length;

	for (const char *line = text, *nl; line < end; line = nl + 1, at.line++) {
		const char *s = line + strspn(line, " \t");
		struct isa_messages messages;
		uint32_t *words;
		size_t count;

		nl = memchr(line, '\n', end - line);
		nl = nl ? nl : end;
		if (s < nl && *s == ';')
			continue;	/* a line that is but a comment */
		while (s < nl && *s != ';' && *s != '#' && (*s != '/' || s[1] != '/'))
			s++;
		if (s == nl || *s != ';')
			continue;
		at.column = s - line + 1;
		if (!limn_isa_asm(isa, s + 1, nl - s - 1, &words, &count, &messages) && count)
			job_warning(p, at, "what is behind ';' is a comment here: an instruction needs a line of its own");
		limn_isa_messages_free(&messages);
		free(words);
	}
}

const struct job_shader *job_shader_assemble(struct job_parser *p, enum job_stage stage, const char *text,
					     size_t length, struct place at)
{
	const struct isa *isa = isa_of(p, stage);
	struct isa_messages messages = { 0 };
	struct job_shader *shader = NULL;
	bool one_line = at.column > 1;
	uint32_t *words = NULL;
	size_t count = 0;
	int ret;

	text = one_line ? split(p, text, length) : text;
	if (!text)
		return NULL;
	ret = limn_isa_asm(isa, text, length, &words, &count, &messages);
	for (size_t i = 0; i < messages.count && one_line; i++)
		join(&messages.list[i], text);
	for (size_t i = 0; i < messages.line_count && one_line; i++)
		messages.lines[i] = 1;
	if (ret) {
		/* All its errors, though the statement has one. */
		shader_messages(p->messages, isa, &messages, at);
		p->failed = messages.count;
		job_error(p, at, "the shader cannot be assembled");
	} else {
		shader = read_words(p, stage, words, count, at);
	}
	if (shader) {
		if (!one_line)
			say_hidden(p, isa, text, length, at);
		keep_lines(p, shader, &messages);
		say_findings(p, isa, shader);
	}
	limn_isa_messages_free(&messages);
	free(words);
	return shader;
}
