// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <string.h>

#include "grammar.h"

/* --- Structs that have no name of their own in a header ------------------- */

struct fuzz_prime_import { __u32 handle, flags; __s32 fd; };
struct fuzz_syncobj_import { __u32 handle, flags; __s32 fd; __u32 pad; };
struct fuzz_syncobj { __u32 handle; };
struct fuzz_point { __u64 point; };
struct fuzz_value { __u64 value; };
struct fuzz_map { __u32 bo, write; };
struct fuzz_fill { __u32 bo, seed; };
struct fuzz_number { __u32 n; };
struct fuzz_sync_file { __s32 fd; };
struct fuzz_dmabuf { __s32 fd; };

/* --- Tables --------------------------------------------------------------- */

#define AT(s, f)	.of = #s, .name = #f, .offset = offsetof(struct s, f), .size = sizeof(((struct s *)0)->f)
#define F(s, f, k, a)	{ AT(s, f), .kind = KIND_##k, .argument = (a), .text = #a },
#define P(s, f, c, e)	{ AT(s, f), .kind = KIND_ARRAY, .count = #c, .entry = #e },
#define I(n, r, s, f)
#define V(n, s)
#define S(n, s)
static struct fuzz_field all_fields[] = {
#include "grammar.inc"
};
#undef F
#undef P
#undef I
#undef V
#undef S

#define F(s, f, k, a)
#define P(s, f, c, e)
#define I(n, r, s, f)	{ .name = #n, .type_name = #s, .request = (r), .request_name = #r, .family = FAMILY_##f },
#define V(n, s)		{ .name = #n, .type_name = #s },
#define S(n, s)		{ .name = #n, .type_name = #s, .seldom = true },
static struct fuzz_callee callees[] = {
#include "grammar.inc"
};
#undef F
#undef P
#undef I
#undef V
#undef S

/* Sizes of all structs that are passed or pointed to. */
#define F(s, f, k, a)	{ #s, sizeof(struct s) },
#define P(s, f, c, e)	{ #s, sizeof(struct s) },
#define I(n, r, s, f)
#define V(n, s)
#define S(n, s)
static const struct { const char *name; size_t size; } sizes[] = {
#include "grammar.inc"
};

#define COUNT_OF(a)	(sizeof(a) / sizeof((a)[0]))

static struct fuzz_type types[COUNT_OF(all_fields)];
static unsigned int num_types;

static const struct fuzz_type *type_named(const char *name)
{
	for (unsigned int i = 0; i < num_types; i++) {
		if (!strcmp(types[i].name, name))
			return &types[i];
	}
	return NULL;
}

static const char *fault(const char *where, const char *what)
{
	static char text[200];

	snprintf(text, sizeof(text), "grammar.inc: %s: %s", where, what);
	return text;
}

/* Headers of this project and the two families: no byte may be missing. The others may grow. */
static bool is_whole(const char *name)
{
	return strncmp(name, "drm_", 4) || strstr(name, "_lima_") || strstr(name, "_etnaviv_") ||
	       strstr(name, "_limn_");
}

static const char *check_type(const struct fuzz_type *t)
{
	size_t at = 0;

	if (t->num_fields > FUZZ_FIELDS)
		return fault(t->name, "more fields than FUZZ_FIELDS");
	for (unsigned int i = 0; i < t->num_fields; i++) {
		const struct fuzz_field *f = &t->fields[i];

		if (f->offset != at)
			return fault(f->name, "does not begin where the field before ends");
		at += f->size;
	}
	/* Two of etnaviv's are padded by the compiler. */
	if (strstr(t->name, "_etnaviv_"))
		at += (t->size - at) % 8;
	if (at != t->size && is_whole(t->name))
		return fault(t->name, "has bytes behind the last field");
	return NULL;
}

const char *fuzz_grammar_init(void)
{
	const char *bad;

	for (unsigned int i = 0; i < COUNT_OF(all_fields); i++) {
		const struct fuzz_field *f = &all_fields[i];
		struct fuzz_type *t = &types[num_types];

		if (!num_types || strcmp(types[num_types - 1].name, f->of)) {
			if (type_named(f->of))
				return fault(f->of, "its rows stand in two places");
			*t = (struct fuzz_type) { .name = f->of, .fields = f, .size = sizes[i].size };
			num_types++;
		}
		types[num_types - 1].num_fields++;
	}
	for (unsigned int i = 0; i < COUNT_OF(all_fields); i++) {
		if (all_fields[i].kind != KIND_ARRAY)
			continue;
		all_fields[i].entry_type = type_named(all_fields[i].entry);
		if (!all_fields[i].entry_type)
			return fault(all_fields[i].name, "no rows for the struct of its entries");
	}
	for (unsigned int i = 0; i < num_types; i++) {
		bad = check_type(&types[i]);
		if (bad)
			return bad;
	}
	for (unsigned int i = 0; i < COUNT_OF(callees); i++) {
		callees[i].type = type_named(callees[i].type_name);
		if (!callees[i].type)
			return fault(callees[i].name, "no rows for its struct");
	}
	return NULL;
}

void fuzz_grammar_list(FILE *out)
{
	static const char *const families[] = { "any", "lima", "etnaviv", "limn" };

	for (unsigned int i = 0; i < COUNT_OF(callees); i++)
		fprintf(out, "%s %s %s\n", families[callees[i].family],
			callees[i].request ? "ioctl" : "verb", callees[i].name);
}

const struct fuzz_callee *fuzz_callee(unsigned int index)
{
	return index < COUNT_OF(callees) ? &callees[index] : NULL;
}

unsigned int fuzz_callee_index(const struct fuzz_callee *callee)
{
	return callee - callees;
}
