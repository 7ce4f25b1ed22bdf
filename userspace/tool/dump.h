/* SPDX-License-Identifier: MIT */
/*
 * Dumps of failed jobs, for limn decode: limn's own (limn/dump.h), mainline
 * lima's (LIMA) and mainline etnaviv's (ETDUMP), all as one structure.
 */
#ifndef LIMN_TOOL_DUMP_H
#define LIMN_TOOL_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct json;

/* GPU memory; what a dump says of it. */
struct dump_region {
	uint64_t va, size;	/* bytes of data; 0: not in the dump */
	uint64_t whole;		/* bytes that it had */
	const uint8_t *data;
	char label[64];
	bool heap, stream;	/* stream: commands that the kernel keeps, not a BO */
};

struct dump_reg {
	char unit[32];
	uint32_t offset, value;
};

struct dump_table {
	uint64_t va;		/* what it maps */
	const uint8_t *data;
	size_t size;
	bool directory;
};

/* One job: what a dump is about; lima's may have several. */
struct dump_job {
	int queue;		/* -1: not told */
	char process[64];
	int pid;		/* 0: not told */
	const uint8_t *frame;	/* words as submitted, NULL: none */
	size_t frame_size;
	struct dump_region *regions;
	size_t num_regions;
};

struct dump {
	const char *format;	/* "limn 1.0" */
	bool vivante, partial;
	char *info;		/* text of limn's, or NULL */
	int error;		/* of limn's, 0: not told */
	uint64_t fault;
	struct dump_reg *regs;
	size_t num_regs;
	struct dump_table *tables;
	size_t num_tables;
	struct dump_job *jobs;
	size_t num_jobs;
};

/*
 * What data holds; it must outlive the dump. false, and a text for the user
 * with the byte where it went wrong, when it is broken.
 */
bool dump_read(const void *data, size_t size, struct dump *dump, char *error, size_t error_size);
void dump_free(struct dump *dump);

/* The value of a register; false: not in the dump. */
bool dump_reg(const struct dump *dump, const char *unit, uint32_t offset, uint32_t *value);
/* len bytes at va in one piece, NULL when they are not there. */
const void *dump_memory(const struct dump_job *job, uint64_t va, size_t len);
const struct dump_region *dump_region_of(const struct dump_job *job, uint64_t va);

/* The job file that a dump is of, drawn anew as far as its commands (dump_source.c). */
struct dump_source;
/* NULL after a message: there is no model for it, or the dump is of none of its scenes. */
struct dump_source *dump_source_open(const char *path, const struct dump *dump, const struct job *job);
void dump_source_free(struct dump_source *source);

/* A place of a job that a dump is of. */
struct dump_place {
	bool known;
	uint32_t va;		/* Utgard: of a command, a state, a shader */
	size_t word;		/* Vivante: of the stream */
	char stage;		/* 'V', 'P': in that shader; 0: in none */
	uint32_t instruction;	/* of it, from its first; Utgard's PP: word */
};

/* Ends the sentence, which has room for size bytes, with the line of the place; in JSON a member tells it too. */
void dump_source_tell(const struct dump_source *source, const struct dump_job *job, const struct dump_place *at,
		      struct json *j, char *sentence, size_t size);
/* Whether a stream of a dump is the job's. */
bool dump_source_is(const struct dump_source *source, const struct dump_job *job, const struct dump_region *stream);

struct dump_options {
	bool all;		/* every command, not only those near the stop */
	struct json *json;	/* where it goes, as JSON or as text */
	const struct job *job;	/* that the dump is of, NULL: not given */
	const struct dump_source *source;	/* dump_print() makes it of the job */
};

/* In JSON these write members of the job's object. */
void dump_print_utgard(const struct dump *dump, const struct dump_job *job, const struct dump_options *o);
void dump_print_vivante(const struct dump *dump, const struct dump_job *job, const struct dump_options *o);
/* The disassembly, as text with that in front of each line. */
void dump_print_code(struct json *j, const char *isa, const char *indent, const uint32_t *words, size_t count);
/* Reads data of a file called path and prints it: the command's exit status. */
int dump_print(const char *path, const void *data, size_t size, const struct dump_options *o);

#endif
