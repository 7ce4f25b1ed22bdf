// SPDX-License-Identifier: MIT
/*
 * Reads dumps. Formats: <limn/dump.h>; Linux drivers/gpu/drm/lima/lima_dump.h
 * and lima_drv.c; drivers/gpu/drm/etnaviv/etnaviv_dump.h and etnaviv_dump.c.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/dump.h>

#include "tool/dump.h"

#define LIMA_MAGIC	0x414d494cu	/* "LIMA" */
#define LIMA_HEAD	32u
#define LIMA_TASK	16u
#define LIMA_CHUNK	16u
enum { LIMA_FRAME, LIMA_BUFFER, LIMA_PROCESS_NAME, LIMA_PROCESS_ID };

#define ETNA_MAGIC	0x414e5445u	/* "ETNA" */
#define ETNA_HEADER	32u
enum { ETNA_REG, ETNA_MMU, ETNA_RING, ETNA_CMD, ETNA_BOMAP, ETNA_BO, ETNA_END };

struct reader {
	const uint8_t *data;
	size_t size;
	struct dump *dump;
	char *error;
	size_t error_size;
};

static bool __attribute__((format(printf, 3, 4))) broken(struct reader *r, size_t at, const char *format, ...)
{
	va_list args;
	int n = snprintf(r->error, r->error_size, "byte %zu: ", at);

	va_start(args, format);
	vsnprintf(r->error + n, r->error_size - n, format, args);
	va_end(args);
	return false;
}

static uint32_t word(const struct reader *r, size_t at)
{
	uint32_t w;

	memcpy(&w, r->data + at, sizeof(w));
	return w;
}

static uint64_t word64(const struct reader *r, size_t at)
{
	return word(r, at) | (uint64_t)word(r, at + 4) << 32;
}

static bool inside(const struct reader *r, size_t at, uint64_t len)
{
	return at <= r->size && len <= r->size - at;
}

/* One more element of an array, zeroed; NULL: no memory. */
static void *append(void *array, size_t *num, size_t each)
{
	void **list = array;
	char *more = realloc(*list, (*num + 1) * each);

	if (!more)
		return NULL;
	*list = more;
	memset(more + *num * each, 0, each);
	return more + (*num)++ * each;
}

static struct dump_job *add_job(struct reader *r)
{
	struct dump_job *job = append(&r->dump->jobs, &r->dump->num_jobs, sizeof(*job));

	if (job)
		job->queue = -1;
	return job;
}

static bool add_region(struct dump_job *job, struct dump_region region)
{
	struct dump_region *new = append(&job->regions, &job->num_regions, sizeof(region));

	if (new)
		*new = region;
	return new;
}

static bool add_regs(struct reader *r, const char *unit, size_t at, size_t size)
{
	for (size_t i = 0; i + 8 <= size; i += 8) {
		struct dump_reg *reg = append(&r->dump->regs, &r->dump->num_regs, sizeof(*reg));

		if (!reg)
			return broken(r, at, "out of memory");
		snprintf(reg->unit, sizeof(reg->unit), "%.31s", unit);
		reg->offset = word(r, at + i);
		reg->value = word(r, at + i + 4);
	}
	return true;
}

/* --- limn ------------------------------------------------------------------------ */

static bool limn_info(struct reader *r, size_t at, size_t size)
{
	size_t old = r->dump->info ? strlen(r->dump->info) : 0;
	char *text = realloc(r->dump->info, old + size + 1);
	const char *line;

	if (!text)
		return broken(r, at, "out of memory");
	memcpy(text + old, r->data + at, size);
	text[old + size] = '\0';
	r->dump->info = text;
	for (line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		sscanf(line, "error: %d", &r->dump->error);
		sscanf(line, "pid: %d", &r->dump->jobs[0].pid);
		sscanf(line, "process: %63[^\n]", r->dump->jobs[0].process);
		if (!strncmp(line, "fault: ", 7))
			r->dump->fault = strtoull(line + 7, NULL, 0);
	}
	return true;
}

static bool limn_section(struct reader *r, const struct limn_dump_section *s, size_t at, size_t size)
{
	struct dump_job *job = &r->dump->jobs[0];
	struct dump_region region = { .va = s->va, .size = size, .whole = s->arg, .data = r->data + at };
	struct dump_table *table;

	switch (s->type) {
	case LIMN_DUMP_INFO:
		return limn_info(r, at, size);
	case LIMN_DUMP_REGS:
		return add_regs(r, s->name, at, size);
	case LIMN_DUMP_JOB:
		job->queue = s->arg;
		job->frame = r->data + at;
		job->frame_size = size;
		return true;
	case LIMN_DUMP_PAGE_TABLE:
		table = append(&r->dump->tables, &r->dump->num_tables, sizeof(*table));
		if (!table)
			return broken(r, at, "out of memory");
		*table = (struct dump_table){ s->va, r->data + at, size, s->flags & LIMN_DUMP_DIRECTORY };
		return true;
	case LIMN_DUMP_BO:
	case LIMN_DUMP_STREAM:
		region.heap = s->flags & LIMN_DUMP_HEAP;
		region.stream = s->type == LIMN_DUMP_STREAM;
		region.whole = region.stream ? size : s->arg;
		memcpy(region.label, s->name, sizeof(region.label) - 1);
		return add_region(job, region) || broken(r, at, "out of memory");
	}
	return true;	/* of a newer version */
}

static bool read_limn(struct reader *r)
{
	struct limn_dump_header header;
	struct limn_dump_section s;
	size_t at;

	if (r->size < sizeof(header))
		return broken(r, r->size, "the header is cut off");
	memcpy(&header, r->data, sizeof(header));
	if (header.major != LIMN_DUMP_MAJOR)
		return broken(r, 4, "version %u.%u, this program knows %u", header.major, header.minor,
			      LIMN_DUMP_MAJOR);
	if (header.header_size < sizeof(header) || header.header_size % 8)
		return broken(r, 8, "a header of %u bytes", header.header_size);
	r->dump->format = "limn 1";
	r->dump->vivante = header.family == LIMN_DUMP_VIVANTE;
	if (!add_job(r))
		return broken(r, 0, "out of memory");
	for (at = header.header_size;;) {
		memset(&s, 0, sizeof(s));
		if (!inside(r, at, sizeof(s)))
			break;
		memcpy(&s, r->data + at, sizeof(s));
		s.name[sizeof(s.name) - 1] = '\0';
		if (s.type == LIMN_DUMP_END)
			return true;
		if (s.header_size < sizeof(s) || s.header_size % 8)
			return broken(r, at + 8, "a section header of %u bytes", s.header_size);
		at += s.header_size;
		if (!inside(r, at, s.size)) {
			/* There was no more memory: what is there may still help. */
			if (at < r->size && !limn_section(r, &s, at, r->size - at))
				return false;
			break;
		}
		if (!limn_section(r, &s, at, s.size))
			return false;
		at += (s.size + 7) & ~7ull;
	}
	r->dump->partial = true;
	return true;
}

/* --- lima ------------------------------------------------------------------------ */

static bool lima_chunk(struct reader *r, struct dump_job *job, size_t at, uint32_t id, uint32_t size)
{
	struct dump_region region = { .size = size, .whole = size, .data = r->data + at + LIMA_CHUNK };

	switch (id) {
	case LIMA_FRAME:
		job->frame = r->data + at + LIMA_CHUNK;
		job->frame_size = size;
		return true;
	case LIMA_BUFFER:
		region.va = word(r, at + 8);
		return add_region(job, region) || broken(r, at, "out of memory");
	case LIMA_PROCESS_NAME:
		snprintf(job->process, sizeof(job->process), "%.*s", (int)(size < 63 ? size : 63),
			 (const char *)r->data + at + LIMA_CHUNK);
		return true;
	case LIMA_PROCESS_ID:
		job->pid = word(r, at + 8);
		return true;
	}
	return broken(r, at, "unknown chunk %u", id);
}

static bool lima_task(struct reader *r, size_t *at)
{
	uint32_t size, chunks;
	struct dump_job *job;
	size_t pos, end;

	if (!inside(r, *at, LIMA_TASK))
		return broken(r, *at, "a task is cut off");
	size = word(r, *at + 4);
	chunks = word(r, *at + 8);
	if (!inside(r, *at + LIMA_TASK, size))
		return broken(r, *at + 4, "a task of %u bytes is cut off", size);
	job = add_job(r);
	if (!job)
		return broken(r, *at, "out of memory");
	job->queue = word(r, *at);
	pos = *at + LIMA_TASK;
	end = pos + size;
	for (uint32_t i = 0; i < chunks; i++) {
		uint32_t bytes;

		if (pos + LIMA_CHUNK > end)
			return broken(r, pos, "chunk %u of %u is cut off", i, chunks);
		bytes = word(r, pos + 4);
		if (bytes > end - pos - LIMA_CHUNK)
			return broken(r, pos + 4, "a chunk of %u bytes is cut off", bytes);
		if (!lima_chunk(r, job, pos, word(r, pos), bytes))
			return false;
		pos += LIMA_CHUNK + bytes;
	}
	*at = end;
	return true;
}

static bool read_lima(struct reader *r)
{
	uint32_t tasks;
	size_t at = LIMA_HEAD;

	if (r->size < LIMA_HEAD)
		return broken(r, r->size, "the header is cut off");
	if ((word(r, 4) & 0xffff) != 1)
		return broken(r, 4, "version %u.%u, this program knows 1", word(r, 4) & 0xffff, word(r, 4) >> 16);
	r->dump->format = "lima 1";
	tasks = word(r, 8);
	for (uint32_t i = 0; i < tasks; i++) {
		if (!lima_task(r, &at))
			return false;
	}
	return true;
}

/* --- etnaviv ----------------------------------------------------------------------- */

static bool etna_object(struct reader *r, size_t at, uint32_t type, uint32_t offset, uint32_t size)
{
	struct dump_job *job = &r->dump->jobs[0];
	struct dump_region region = { .va = word64(r, at + 16), .size = size, .whole = size, .data = r->data + offset };
	struct dump_table *table;

	switch (type) {
	case ETNA_REG:
		return add_regs(r, "gpu", offset, size);
	case ETNA_MMU:
		table = append(&r->dump->tables, &r->dump->num_tables, sizeof(*table));
		if (!table)
			return broken(r, at, "out of memory");
		*table = (struct dump_table){ 0, r->data + offset, size, true };
		return true;
	case ETNA_RING:
	case ETNA_CMD:
		region.stream = true;
		snprintf(region.label, sizeof(region.label), "%s", type == ETNA_RING ? "ring" : "cmd");
		return add_region(job, region) || broken(r, at, "out of memory");
	case ETNA_BO:
		return add_region(job, region) || broken(r, at, "out of memory");
	case ETNA_BOMAP:
		return true;
	}
	return broken(r, at + 4, "unknown object %u", type);
}

static bool read_etnaviv(struct reader *r)
{
	r->dump->format = "etnaviv";
	r->dump->vivante = true;
	if (!add_job(r))
		return broken(r, 0, "out of memory");
	for (size_t at = 0;; at += ETNA_HEADER) {
		uint32_t type, offset, size;

		if (!inside(r, at, ETNA_HEADER))
			return broken(r, at, "the list of objects is cut off");
		if (word(r, at) != ETNA_MAGIC)
			return broken(r, at, "no ETDUMP header");
		type = word(r, at + 4);
		offset = word(r, at + 8);
		size = word(r, at + 12);
		if (type == ETNA_END)
			return true;
		if (!inside(r, offset, size))
			return broken(r, at + 8, "an object of %u bytes at %u is cut off", size, offset);
		if (!etna_object(r, at, type, offset, size))
			return false;
	}
}

/* --- All of them ---------------------------------------------------------------------- */

bool dump_read(const void *data, size_t size, struct dump *dump, char *error, size_t error_size)
{
	struct reader r = { data, size, dump, error, error_size };
	uint32_t magic = 0;

	memset(dump, 0, sizeof(*dump));
	if (size >= sizeof(magic))
		memcpy(&magic, data, sizeof(magic));
	switch (magic) {
	case LIMN_DUMP_MAGIC:
		return read_limn(&r);
	case LIMA_MAGIC:
		return read_lima(&r);
	case ETNA_MAGIC:
		return read_etnaviv(&r);
	}
	return broken(&r, 0, "no dump of limn, lima or etnaviv");
}

void dump_free(struct dump *dump)
{
	for (size_t i = 0; i < dump->num_jobs; i++)
		free(dump->jobs[i].regions);
	free(dump->jobs);
	free(dump->regs);
	free(dump->tables);
	free(dump->info);
	memset(dump, 0, sizeof(*dump));
}

bool dump_reg(const struct dump *dump, const char *unit, uint32_t offset, uint32_t *value)
{
	for (size_t i = 0; i < dump->num_regs; i++) {
		const struct dump_reg *reg = &dump->regs[i];

		if (reg->offset == offset && !strcmp(reg->unit, unit)) {
			*value = reg->value;
			return true;
		}
	}
	return false;
}

const struct dump_region *dump_region_of(const struct dump_job *job, uint64_t va)
{
	for (size_t i = 0; i < job->num_regions; i++) {
		const struct dump_region *region = &job->regions[i];

		if (va >= region->va && va - region->va < region->whole)
			return region;
	}
	return NULL;
}

const void *dump_memory(const struct dump_job *job, uint64_t va, size_t len)
{
	const struct dump_region *region = dump_region_of(job, va);

	if (!region || va - region->va > region->size || len > region->size - (va - region->va))
		return NULL;
	return region->data + (va - region->va);
}
