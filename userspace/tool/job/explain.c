// SPDX-License-Identifier: MIT
/* Messages of a model or a driver name addresses and words; a job has lines. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/frame.h"

/* The line of a shader: the message goes on with "word 3", or with "instruction 3", which has four (PP's are told by word). */
static struct place shader_place(const struct job_shader *s, const char *rest, uint32_t offset)
{
	uint32_t word = offset / 4;
	int n;

	if (sscanf(rest, ", word %d", &n) == 1)
		word += n;
	else if (sscanf(rest, ", instruction %d", &n) == 1)
		word += 4 * n;
	else if (!offset)
		return s->at;
	return job_shader_place(s, word);
}

static void describe(const struct job_frame *f, const struct utgard_part *part, const char *rest, struct place *at,
		     char *note, size_t size)
{
	const struct job_draw *d;

	*at = f->scene->target.at;
	if (part->draw >= f->scene->num_draws) {
		snprintf(note, size, "that is the %s", part->name);
		return;
	}
	d = &f->scene->draws[part->draw];
	*at = d->at;
	if (!strcmp(part->name, "vertex shader"))
		*at = shader_place(d->shaders[JOB_VERTEX], rest, part->offset);
	else if (!strcmp(part->name, "fragment shader"))
		*at = shader_place(d->shaders[JOB_FRAGMENT], rest, part->offset);
	else if (!strcmp(part->name, "compute shader"))
		*at = shader_place(d->shaders[JOB_COMPUTE], rest, part->offset);
	snprintf(note, size, "that is the %s of draw %u, at line %u", part->name, part->draw + 1, d->at.line);
}

/* What the callers of the library gave the GPU. */
static bool find_upload(const struct job_frame *f, uint32_t va, struct utgard_part *part)
{
	for (uint32_t i = 0; i < f->num_uploads; i++) {
		const struct job_upload *u = &f->uploads[i];

		if (u->bo->va && va - u->bo->va < u->bo->size) {
			*part = (struct utgard_part){ u->name, u->draw, va - u->bo->va };
			return true;
		}
	}
	return false;
}

/* An address as messages have them, eight digits; *end: behind it. */
static bool is_address(const char *text, const char *from, uint32_t *va, const char **end)
{
	size_t n = strspn(from, "0123456789abcdef");

	if (n != 8 || isalnum((unsigned char)from[8]) || (from > text && isalnum((unsigned char)from[-1]) &&
							  (from < text + 2 || from[-1] != 'x' || from[-2] != '0')))
		return false;
	*va = strtoul(from, NULL, 16);
	*end = from + 8;
	return true;
}

bool job_frame_place(const struct job_frame *f, uint32_t word, enum job_stage stage, uint32_t instruction, struct place *at,
		     char *note, size_t size)
{
	static const char *const names[JOB_SHADERS] = {
		[JOB_VERTEX] = "vertex shader", [JOB_FRAGMENT] = "fragment shader", [JOB_COMPUTE] = "compute shader",
	};
	struct utgard_part part = { .offset = 0 };
	char rest[32];

	if (!f->ops->find_command || !f->ops->find_command(f, word, &part.draw))
		return false;
	part.name = stage < JOB_SHADERS && f->scene->draws[part.draw].shaders[stage] ? names[stage] : "commands";
	snprintf(rest, sizeof(rest), ", instruction %u", instruction);
	describe(f, &part, rest, at, note, size);
	return true;
}

bool job_frame_explain(const struct job_frame *f, const char *text, struct place *at, char *note, size_t size)
{
	const char *stream = strstr(text, "(word "), *end;
	struct utgard_part part;
	uint32_t va, draw;

	if (stream && f->ops->find_command && f->ops->find_command(f, strtoul(stream + 6, NULL, 10), &draw)) {
		*at = f->scene->draws[draw].at;
		snprintf(note, size, "the front end has got to draw %u, at line %u", draw + 1, at->line);
		return true;
	}
	for (const char *p = text; *p; p++) {
		if (!is_address(text, p, &va, &end))
			continue;
		if ((f->ops->find && f->ops->find(f, va, &part)) || find_upload(f, va, &part)) {
			describe(f, &part, end, at, note, size);
			return true;
		}
		p = end - 1;
	}
	return false;
}
