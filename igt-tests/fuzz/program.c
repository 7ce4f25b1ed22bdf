// SPDX-License-Identifier: MIT
/* Programs: made at random, changed at random, printed and read. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "grammar.h"

/* The call that is made now is to succeed, if it can: no flags, no syncs, what is there from the start. */
static bool tidy;

#define RECORDS	(FUZZ_CALLS * 40u)

/* The program that is made, printed or run, and all of its records; its workers see what they become. */
static struct pool {
	struct fuzz_program program;
	struct fuzz_record records[RECORDS];
} *pool;
static unsigned int pool_used;

struct fuzz_program *fuzz_program_new(void)
{
	if (!pool) {
		pool = mmap(NULL, sizeof(*pool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (pool == MAP_FAILED)
			abort();
	}
	return &pool->program;
}

void fuzz_forget(void)
{
	pool_used = 0;
}

static struct fuzz_record *record_new(const struct fuzz_type *type)
{
	struct fuzz_record *r;

	if (pool_used == RECORDS)
		return NULL;
	r = &pool->records[pool_used++];
	memset(r, 0, sizeof(*r));
	r->type = type;
	return r;
}

/* --- Random --------------------------------------------------------------- */

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators. */
static uint64_t next(struct fuzz_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

uint64_t fuzz_below(struct fuzz_random *r, uint64_t n)
{
	return n ? next(r) % n : 0;
}

static bool one_in(struct fuzz_random *r, unsigned int n)
{
	return !fuzz_below(r, n);
}

/* --- Values --------------------------------------------------------------- */

static uint64_t rubbish(struct fuzz_random *r, unsigned int bytes)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 0xff, 0x1000, 0x1001, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe, 0xfffff000, 0xffff800000000000,
	};

	uint64_t mask = bytes < 8 ? (1ull << (8 * bytes)) - 1 : ~0ull;

	if (one_in(r, 2))
		return (next(r) & mask) >> fuzz_below(r, 8 * (bytes < 8 ? bytes : 8));
	return numbers[fuzz_below(r, sizeof(numbers) / sizeof(numbers[0]))] & mask;
}

static uint64_t some_flags(struct fuzz_random *r, uint64_t mask)
{
	uint64_t value = next(r) & mask;

	/* One bit or none, mostly. */
	return one_in(r, 3) ? value : value & -value;
}

static uint64_t some_size(struct fuzz_random *r)
{
	if (one_in(r, 4))
		return 1 + fuzz_below(r, 1 << 16);
	return 4096ull << fuzz_below(r, one_in(r, 16) ? 14 : 6);
}

/* The first two slots are filled from the start. */
static bool has_client(enum fuzz_slot kind)
{
	return kind == SLOT_BO || kind == SLOT_CTX;
}

static uint64_t some_slot(struct fuzz_random *r, enum fuzz_slot kind)
{
	if (!has_client(kind))
		return FUZZ_SLOT(fuzz_below(r, 2));
	return FUZZ_SLOT(fuzz_below(r, tidy && !one_in(r, 4) ? 2 : 6));
}

static uint64_t some_value(struct fuzz_random *r, const struct fuzz_field *f)
{
	if (one_in(r, tidy ? 512 : 32)) {
		/* drm's own warns of a kmalloc() of more than it can have. */
		bool bounded = f->kind == KIND_COUNT && f->argument;

		return bounded ? fuzz_below(r, f->argument) : rubbish(r, f->size);
	}
	switch (f->kind) {
	case KIND_ZERO:
	case KIND_OUT:
	case KIND_TIME_SEC:
		return 0;
	case KIND_NUM:
		return fuzz_below(r, f->argument);
	case KIND_FLAGS:
		return tidy && !one_in(r, 8) ? 0 : some_flags(r, f->argument);
	case KIND_BITS:
		return some_flags(r, f->argument) ?: f->argument & -f->argument;
	case KIND_SIZE:
		return some_size(r);
	case KIND_OFFSET:
		return 4 * fuzz_below(r, 1024);
	case KIND_VA:
		return tidy || one_in(r, 2) ? 0 : 4096 * fuzz_below(r, 1 << 19);
	case KIND_OPTION:
		if (!one_in(r, tidy ? 16 : 3))
			return 0;
		return some_slot(r, f->argument);
	case KIND_SLOT:
		return some_slot(r, f->argument);
	case KIND_NEW:
		return FUZZ_SLOT(has_client(f->argument) ? 2 + fuzz_below(r, 4) : fuzz_below(r, 2));
	case KIND_SYNC:
	case KIND_MEMORY:
		return FUZZ_SLOT(fuzz_below(r, 4));
	case KIND_CONTENT:
		/* Endless ones cost a time-out each. */
		return fuzz_below(r, one_in(r, 16) ? CONTENT_ENDLESS + 1 : CONTENT_UNMAPPED) |
		       fuzz_below(r, 1 << 16) << 3;
	case KIND_TIME:
		return fuzz_below(r, 4);
	case KIND_TIME_NSEC:
		return fuzz_below(r, 4000000);
	case KIND_COUNT:
	case KIND_STRIDE:
	case KIND_ARRAY:
	case KIND_BYTES:
	case KIND_TEXT:
		return FUZZ_STAR;
	}
	return 0;
}

static struct fuzz_record *some_record(struct fuzz_random *r, const struct fuzz_type *type);

/* The first two BOs are what a client's own jobs are made of and write to. */
static void use_client(struct fuzz_random *r, struct fuzz_record *rec, unsigned int index)
{
	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		const struct fuzz_field *f = &rec->type->fields[i];

		if (f->kind == KIND_SLOT && f->argument == SLOT_BO)
			rec->value[i] = FUZZ_SLOT(index);
		else if (f->kind == KIND_FLAGS && !one_in(r, 8))
			rec->value[i] = f->argument;
	}
}

/* A request without such entries is as good. */
static bool is_optional(const struct fuzz_type *type)
{
	return strstr(type->name, "limn_sync") || strstr(type->name, "_reloc") || strstr(type->name, "_pmr");
}

static void some_entries(struct fuzz_random *r, struct fuzz_record *rec, unsigned int field)
{
	const struct fuzz_type *type = rec->type->fields[field].entry_type;
	bool bos = strstr(type->name, "submit_bo"), client = bos && !one_in(r, 8);
	unsigned int n = one_in(r, 4) ? fuzz_below(r, FUZZ_ENTRIES + 1) : fuzz_below(r, 3);

	if (tidy && !one_in(r, 8))
		n = is_optional(type) ? 0 : n ?: 1;
	if (strstr(type->name, "_job") || client)
		n = 1 + fuzz_below(r, tidy ? 2 : 3);
	if (client && n < 2)
		n = 2;
	for (unsigned int i = 0; i < n; i++) {
		struct fuzz_record *entry = some_record(r, type);

		if (!entry)
			return;
		if (client && i < 2)
			use_client(r, entry, i);
		entry->next = NULL;
		*(i ? &rec->last[field]->next : &rec->entries[field]) = entry;
		rec->last[field] = entry;
	}
}

static struct fuzz_record *some_record(struct fuzz_random *r, const struct fuzz_type *type)
{
	struct fuzz_record *rec = record_new(type);

	for (unsigned int i = 0; rec && i < type->num_fields; i++) {
		rec->value[i] = some_value(r, &type->fields[i]);
		if (type->fields[i].kind == KIND_ARRAY)
			some_entries(r, rec, i);
	}
	return rec;
}

/* --- Programs ------------------------------------------------------------- */

/* What the program is about: most of its calls make such a thing or use it. */
static enum fuzz_slot theme;

static bool makes(const struct fuzz_type *type, enum fuzz_slot kind)
{
	for (unsigned int i = 0; i < type->num_fields; i++) {
		if (type->fields[i].kind == KIND_NEW && type->fields[i].argument == kind)
			return true;
	}
	return false;
}

static bool is_about(const struct fuzz_type *type, enum fuzz_slot kind)
{
	for (unsigned int i = 0; i < type->num_fields; i++) {
		const struct fuzz_field *f = &type->fields[i];

		if ((f->kind == KIND_SLOT || f->kind == KIND_OPTION || f->kind == KIND_NEW) && f->argument == kind)
			return true;
		if (f->kind == KIND_ARRAY && is_about(f->entry_type, kind))
			return true;
	}
	return false;
}

static const struct fuzz_callee *some_callee(struct fuzz_random *r, enum fuzz_family abi, bool extensions)
{
	bool about = !one_in(r, 4), maker = one_in(r, 4);
	const struct fuzz_callee *c;
	unsigned int n = 0;

	while (fuzz_callee(n))
		n++;
	for (;;) {
		c = fuzz_callee(fuzz_below(r, n));
		if (c->family != FAMILY_ANY && c->family != abi && !(c->family == FAMILY_LIMN && extensions))
			continue;
		if (c->seldom && !one_in(r, 4))
			continue;
		if (!about || (maker ? makes(c->type, theme) : is_about(c->type, theme)))
			return c;
		about = !one_in(r, 256);	/* this ABI may have none */
	}
}

/* The two that have clients of their own, unless something is for the others. */
static unsigned int some_file(struct fuzz_random *r)
{
	if (theme == SLOT_DMABUF || one_in(r, 8))
		return fuzz_below(r, FUZZ_FILES);
	if (theme == SLOT_NAME)
		return FUZZ_FILE_PRIMARY;
	return fuzz_below(r, 2) ? FUZZ_FILE_SHARED : 0;
}

static bool some_call(struct fuzz_random *r, struct fuzz_call *call, enum fuzz_family abi, bool extensions)
{
	static unsigned int process, file;

	call->callee = some_callee(r, abi, extensions);
	tidy = !one_in(r, 3);
	/* What a call makes is for the next ones, mostly. */
	if (one_in(r, 12))
		process = fuzz_below(r, FUZZ_PROCESSES);
	if (one_in(r, 6))
		file = some_file(r);
	call->process = process;
	call->file = file;
	call->fail = one_in(r, 16) ? 1 + fuzz_below(r, 24) : 0;
	call->record = some_record(r, call->callee->type);
	return call->record;
}

void fuzz_generate(struct fuzz_program *p, struct fuzz_random *r, enum fuzz_family abi, bool extensions)
{
	unsigned int n = 8 + fuzz_below(r, FUZZ_CALLS - 8);	/* processes take long to begin */

	theme = fuzz_below(r, SLOT_KINDS);
	for (p->num_calls = 0; p->num_calls < n; p->num_calls++) {
		if (!some_call(r, &p->calls[p->num_calls], abi, extensions))
			return;
	}
}

static void mutate_value(struct fuzz_random *r, struct fuzz_record *rec)
{
	unsigned int i = fuzz_below(r, rec->type->num_fields);
	const struct fuzz_field *f = &rec->type->fields[i];

	if (f->kind == KIND_ARRAY && rec->entries[i] && !one_in(r, 4))
		mutate_value(r, rec->entries[i]);
	else if (f->kind == KIND_ARRAY && !one_in(r, 4))
		some_entries(r, rec, i);
	else
		rec->value[i] = some_value(r, f);
}

void fuzz_mutate(struct fuzz_program *p, struct fuzz_random *r, enum fuzz_family abi, bool extensions)
{
	for (unsigned int n = 1 + fuzz_below(r, 6); n; n--) {
		unsigned int at = fuzz_below(r, p->num_calls + 1);
		struct fuzz_call *call = &p->calls[at];

		switch (at == p->num_calls ? 0 : fuzz_below(r, 5)) {
		case 0:		/* one more */
			if (p->num_calls == FUZZ_CALLS)
				break;
			memmove(call + 1, call, (p->num_calls - at) * sizeof(*call));
			if (!some_call(r, call, abi, extensions))
				memmove(call, call + 1, (p->num_calls - at) * sizeof(*call));
			else
				p->num_calls++;
			break;
		case 1:		/* one less */
			memmove(call, call + 1, (--p->num_calls - at) * sizeof(*call));
			break;
		case 2:
			call->process = fuzz_below(r, FUZZ_PROCESSES);
			call->fail = one_in(r, 4) ? 1 + fuzz_below(r, 24) : 0;
			break;
		default:
			mutate_value(r, call->record);
		}
	}
}

/* --- Text ----------------------------------------------------------------- */

/*
 * A call is a line: the process, the file, "!n" when its n-th allocation fails,
 * its name and its fields. A field that is not said is "*". "end" is behind the last.
 *
 *   p0 f0 lima_gem_submit ctx=#0 bos=*[{handle=#0 flags=1} {handle=#1 flags=3}] frame=17
 *   end
 */

static void print_record(const struct fuzz_record *rec, FILE *out)
{
	const char *space = "";

	for (unsigned int i = 0; i < rec->type->num_fields; i++) {
		const struct fuzz_field *f = &rec->type->fields[i];
		uint64_t v = rec->value[i];

		if (v != FUZZ_STAR || rec->entries[i])
			fprintf(out, "%s%s=", space, f->name);
		if (FUZZ_IS_SLOT(v))
			fprintf(out, "#%u", (unsigned int)(v - FUZZ_SLOT(0)));
		else if (v != FUZZ_STAR)
			fprintf(out, "%#" PRIx64, v);
		else if (rec->entries[i])
			fputc('*', out);
		else
			continue;
		space = " ";
		if (!rec->entries[i])
			continue;
		fputs("[", out);
		for (const struct fuzz_record *e = rec->entries[i]; e; e = e->next) {
			fputs(e == rec->entries[i] ? "{" : " {", out);
			print_record(e, out);
			fputc('}', out);
		}
		fputc(']', out);
	}
}

void fuzz_print(const struct fuzz_program *p, FILE *out)
{
	for (unsigned int i = 0; i < p->num_calls; i++) {
		const struct fuzz_call *c = &p->calls[i];

		fprintf(out, "p%u f%u ", c->process, c->file);
		if (c->fail)
			fprintf(out, "!%u ", c->fail);
		fprintf(out, "%s ", c->callee->name);
		print_record(c->record, out);
		fputc('\n', out);
	}
	fputs("end\n", out);
}

struct reader {
	const char *text, *at, *file_name;
	char *error;
	size_t error_size;
};

static int refuse(struct reader *r, const char *format, ...)
{
	unsigned int line = 1, column = 1;
	va_list args;
	int n;

	for (const char *c = r->text; c < r->at; c++) {
		line += *c == '\n';
		column = *c == '\n' ? 1 : column + 1;
	}
	n = snprintf(r->error, r->error_size, "%s:%u:%u: ", r->file_name, line, column);
	va_start(args, format);
	if (n >= 0 && (size_t)n < r->error_size)
		vsnprintf(r->error + n, r->error_size - n, format, args);
	va_end(args);
	return -1;
}

static bool take(struct reader *r, char c)
{
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t')
		r->at++;
}

static int read_number(struct reader *r, uint64_t *value)
{
	char *end;

	if (*r->at < '0' || *r->at > '9')
		return refuse(r, "a number is missing");
	errno = 0;
	*value = strtoull(r->at, &end, 0);
	if (errno || *value == FUZZ_STAR)
		return refuse(r, "the number is too big");
	r->at = end;
	return 0;
}

/* A number of a few, with its letter. */
static int read_index(struct reader *r, char letter, unsigned int end, unsigned int *value)
{
	const char *start = r->at;
	uint64_t n = 0;

	if (!take(r, letter))
		return refuse(r, "'%c' and a number are missing", letter);
	if (read_number(r, &n))
		return -1;
	if (n >= end) {
		r->at = start;
		return refuse(r, "%c%" PRIu64 " is not below %c%u", letter, n, letter, end);
	}
	*value = n;
	skip_blanks(r);
	return 0;
}

static bool is_slot(const struct fuzz_field *f)
{
	return f->kind == KIND_SLOT || f->kind == KIND_OPTION || f->kind == KIND_NEW || f->kind == KIND_SYNC ||
	       f->kind == KIND_MEMORY;
}

static int read_value(struct reader *r, const struct fuzz_field *f, uint64_t *value)
{
	const char *start = r->at;
	unsigned int slot;

	if (take(r, '*')) {
		*value = FUZZ_STAR;
		return 0;
	}
	if (*r->at != '#') {
		if (read_number(r, value))
			return -1;
		if (f->size < 8 && *value >> (8 * f->size)) {
			r->at = start;
			return refuse(r, "%s has %u bits", f->name, 8 * f->size);
		}
		return 0;
	}
	if (!is_slot(f))
		return refuse(r, "%s is no slot", f->name);
	if (read_index(r, '#', FUZZ_SLOTS, &slot))
		return -1;
	*value = FUZZ_SLOT(slot);
	return 0;
}

static int read_record(struct reader *r, struct fuzz_record *rec);

static int read_entries(struct reader *r, struct fuzz_record *rec, unsigned int field)
{
	struct fuzz_record **end = &rec->entries[field];
	unsigned int n = 0;

	if (rec->type->fields[field].kind != KIND_ARRAY)
		return refuse(r, "%s is no array", rec->type->fields[field].name);
	r->at++;
	for (skip_blanks(r); !take(r, ']'); skip_blanks(r)) {
		if (!take(r, '{'))
			return refuse(r, "'{' or ']' is missing");
		if (n++ == FUZZ_ENTRIES)
			return refuse(r, "more than %u entries", FUZZ_ENTRIES);
		*end = record_new(rec->type->fields[field].entry_type);
		if (!*end)
			return refuse(r, "the program is too big");
		rec->last[field] = *end;
		if (read_record(r, *end))
			return -1;
		if (!take(r, '}'))
			return refuse(r, "'}' or a field of %s is missing", rec->type->fields[field].entry);
		end = &(*end)->next;
	}
	return 0;
}

static int read_record(struct reader *r, struct fuzz_record *rec)
{
	uint32_t read = 0;

	for (unsigned int i = 0; i < rec->type->num_fields; i++)
		rec->value[i] = FUZZ_STAR;
	for (skip_blanks(r); strchr("\n}", *r->at) == NULL; skip_blanks(r)) {
		size_t length = strcspn(r->at, "= \t\n{}");
		unsigned int i;

		for (i = 0; i < rec->type->num_fields; i++) {
			const char *name = rec->type->fields[i].name;

			if (strlen(name) == length && !strncmp(name, r->at, length))
				break;
		}
		if (i == rec->type->num_fields)
			return refuse(r, "struct %s has no field '%.*s'", rec->type->name, (int)length, r->at);
		if (read & 1u << i)
			return refuse(r, "a second %s", rec->type->fields[i].name);
		read |= 1u << i;
		r->at += length;
		if (!take(r, '='))
			return refuse(r, "'=' is missing");
		if (read_value(r, &rec->type->fields[i], &rec->value[i]))
			return -1;
		if (*r->at == '[' && read_entries(r, rec, i))
			return -1;
	}
	return 0;
}

static int read_call(struct reader *r, struct fuzz_call *call)
{
	size_t length;
	unsigned int i;

	call->fail = 0;
	if (read_index(r, 'p', FUZZ_PROCESSES, &call->process) || read_index(r, 'f', FUZZ_FILES, &call->file) ||
	    (*r->at == '!' && read_index(r, '!', 1000, &call->fail)))
		return -1;
	length = strcspn(r->at, " \t\n");
	for (i = 0; fuzz_callee(i); i++) {
		call->callee = fuzz_callee(i);
		if (strlen(call->callee->name) == length && !strncmp(call->callee->name, r->at, length))
			break;
	}
	if (!fuzz_callee(i))
		return refuse(r, "there is no call '%.*s'", (int)length, r->at);
	r->at += length;
	call->record = record_new(call->callee->type);
	if (!call->record)
		return refuse(r, "the program is too big");
	return read_record(r, call->record);
}

/* Blanks, a comment, the line's end. */
static int read_end_of_line(struct reader *r)
{
	skip_blanks(r);
	if (*r->at == '#')
		r->at += strcspn(r->at, "\n");
	if (*r->at && !take(r, '\n'))
		return refuse(r, "this is behind the line's end");
	return 0;
}

static bool take_end(struct reader *r)
{
	if (strncmp(r->at, "end", 3) || !strchr(" \t\n#", r->at[3]))
		return false;
	r->at += 3;
	return true;
}

int fuzz_parse(struct fuzz_program *p, const char *text, const char **at, const char *file_name, char *error,
	       size_t error_size)
{
	struct reader r = {
		.text = text, .at = *at, .file_name = file_name, .error = error, .error_size = error_size,
	};
	bool ended = false;

	for (p->num_calls = 0; *r.at && !ended;) {
		skip_blanks(&r);
		ended = take_end(&r);
		if (!ended && *r.at && *r.at != '\n' && *r.at != '#') {
			if (p->num_calls == FUZZ_CALLS)
				return refuse(&r, "more than %u calls", FUZZ_CALLS);
			if (read_call(&r, &p->calls[p->num_calls]))
				return -1;
			p->num_calls++;
		}
		if (read_end_of_line(&r))
			return -1;
	}
	if (p->num_calls && !ended)
		return refuse(&r, "the program has no 'end': is the file cut?");
	*at = r.at;
	return ended;
}
