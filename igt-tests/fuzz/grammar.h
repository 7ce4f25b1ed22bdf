/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer's programs: calls of ioctls and verbs with values for each field, as
 * text and in memory. What may be called is grammar.inc.
 */
#ifndef FUZZ_GRAMMAR_H
#define FUZZ_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <drm.h>
#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <drm/limn_drm.h>

#define FUZZ_FILES	4	/* that a process has open: its own, then these */
#define FUZZ_FILE_PRIMARY 1	/* its own too; names (FLINK) are not for render nodes */
#define FUZZ_FILE_SHARED 2	/* of all processes */
#define FUZZ_FILE_OTHER	3	/* of another device: a GPU of the other family, or vgem */
#define FUZZ_SLOTS	16	/* of each kind, file and process */
#define FUZZ_PROCESSES	4
#define FUZZ_CALLS	512	/* of a program at most */
#define FUZZ_FIELDS	20	/* of a struct at most */
#define FUZZ_ENTRIES	8	/* of an array at most */

/* What results are kept as, to be used by later calls. */
enum fuzz_slot {
	SLOT_BO, SLOT_CTX, SLOT_SYNCOBJ, SLOT_PERFMON, SLOT_FENCE,	/* of a file */
	SLOT_NAME, SLOT_DMABUF, SLOT_SYNC_FILE,				/* of a process */
	SLOT_KINDS,
};

/* Kinds of fields. In programs, "*" is what a field should be for the call to be well formed. */
enum fuzz_kind {
	KIND_ZERO,	/* must be zero */
	KIND_NUM,	/* below the argument */
	KIND_FLAGS,	/* of the argument's bits */
	KIND_BITS,	/* the same, one at least */
	KIND_SIZE,	/* bytes of memory */
	KIND_OFFSET,	/* bytes within memory */
	KIND_VA,	/* GPU address */
	KIND_SLOT,	/* "#n": the slot of that kind */
	KIND_OPTION,	/* the same; 0: none */
	KIND_NEW,	/* "#n": the slot that the result goes to */
	KIND_OUT,	/* ignored */
	KIND_SYNC,	/* slot of a syncobj, or of a sync file when the first word has the argument's bit */
	KIND_COUNT,	/* *: entries of its array; below the argument, if there is one */
	KIND_STRIDE,	/* *: the argument */
	KIND_ARRAY,	/* *: pointer to the entries */
	KIND_CONTENT,	/* pointer to a job's commands: enum fuzz_content, and a seed from bit 3 on */
	KIND_BYTES,	/* *: bytes of them */
	KIND_TEXT,	/* *: pointer to some text */
	KIND_MEMORY,	/* "#n": address of that page of the process; else a pointer */
	KIND_TIME,	/* ns: below 1000: so many ms from now */
	KIND_TIME_SEC,	/* the same in two fields: seconds from now */
	KIND_TIME_NSEC,
};

/* What a job's commands are made of; all but rubbish use the client's own memory. */
enum fuzz_content {
	CONTENT_RUBBISH, CONTENT_STORE, CONTENT_CLEAR, CONTENT_LONG, CONTENT_FLIPPED, CONTENT_UNMAPPED,
	CONTENT_INVALID, CONTENT_ENDLESS,
};

#define FUZZ_STAR	(~0ull)			/* "*" */
#define FUZZ_SLOT(n)	(0x5107000000000000ull + (n))	/* "#n" */
#define FUZZ_IS_SLOT(v)	((v) - FUZZ_SLOT(0) < FUZZ_SLOTS)

struct fuzz_type;

struct fuzz_field {
	const char *of, *name, *text;	/* text: the argument, as it stands in grammar.inc */
	uint16_t offset, size;
	enum fuzz_kind kind;
	uint64_t argument;
	const char *count, *entry;	/* KIND_ARRAY: field, struct */
	const struct fuzz_type *entry_type;
};

struct fuzz_type {
	const char *name;
	const struct fuzz_field *fields;
	unsigned int num_fields;
	size_t size;
};

enum fuzz_family { FAMILY_ANY, FAMILY_LIMA, FAMILY_ETNAVIV, FAMILY_LIMN };

/* An ioctl, or a verb: request is 0. */
struct fuzz_callee {
	const char *name, *type_name, *request_name;
	unsigned long request;
	enum fuzz_family family;
	bool seldom;	/* takes as long as hundreds of others */
	const struct fuzz_type *type;
};

struct fuzz_record {
	const struct fuzz_type *type;
	uint64_t value[FUZZ_FIELDS];
	struct fuzz_record *entries[FUZZ_FIELDS];	/* KIND_ARRAY: the first, */
	struct fuzz_record *last[FUZZ_FIELDS];		/* and the last */
	struct fuzz_record *next;			/* of the array that this is in */
};

struct fuzz_call {
	const struct fuzz_callee *callee;
	unsigned int process, file, fail;	/* fail: that allocation of the call fails; 0: none */
	struct fuzz_record *record;
};

struct fuzz_program {
	struct fuzz_call calls[FUZZ_CALLS];
	unsigned int num_calls;
};

struct fuzz_random {
	uint64_t state;
};

/* Below n. */
uint64_t fuzz_below(struct fuzz_random *r, uint64_t n);

/* Finds fault with the tables: an error that says where, or NULL. */
const char *fuzz_grammar_init(void);
/* One line for each callee. */
void fuzz_grammar_list(FILE *out);
/* Descriptions for syzkaller of "lima", "etnaviv" or "limn"; false: another name. */
bool fuzz_syzkaller(const char *name, FILE *out);
/* NULL: there is none. */
const struct fuzz_callee *fuzz_callee(unsigned int index);
unsigned int fuzz_callee_index(const struct fuzz_callee *callee);

/* The only one there is; in memory that processes share. */
struct fuzz_program *fuzz_program_new(void);
/* Frees what it was made of. */
void fuzz_forget(void);
void fuzz_generate(struct fuzz_program *p, struct fuzz_random *r, enum fuzz_family abi, bool extensions);
void fuzz_mutate(struct fuzz_program *p, struct fuzz_random *r, enum fuzz_family abi, bool extensions);
void fuzz_print(const struct fuzz_program *p, FILE *out);
/* The next program from *at on: 1, 0 when there is none, or -1 and an error with line and column. */
int fuzz_parse(struct fuzz_program *p, const char *text, const char **at, const char *file_name, char *error,
	       size_t error_size);

#endif
