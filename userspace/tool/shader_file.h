/* SPDX-License-Identifier: MIT */
/* Shader files of the asm, disasm, check and exec commands: text, hex, binary or MBS1, and their messages. */
#ifndef LIMN_TOOL_SHADER_FILE_H
#define LIMN_TOOL_SHADER_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/isa.h"
#include "tool/options.h"

struct job;

struct shader_file {
	/* Options. */
	const char *path;	/* "-" is standard input */
	const char *isa_name;
	bool hex, json;

	const struct isa *isa;
	char *data;		/* the file */
	struct source source;
	bool text;		/* it was assembled */
	const char *stage;	/* option: of a job, the shader that is taken */
	struct option_list defines;	/* option: of a job */
	struct job *job;	/* it was one: the shader of its first draw */
	uint32_t *words;
	size_t count;
	unsigned int *lines;	/* by word: of the text; NULL when it was no text */
	size_t line_count;
};

/* A table of the options that fill it; what --hex means there. */
#define SHADER_OPTIONS(file, hex_help) { \
	{ .name = "--isa", .letter = "-i", .kind = OPTION_TEXT, .to = &(file)->isa_name, .value = "ISA", \
	  .names = shader_isa_names, \
	  .help = "one of those that limn isa lists, or a chip or driver that has it (gc2000, panfrost's\n" \
		  "                        mali-t860); else by the file's ending .gp, .pp, .viv, or its MBS1 head" }, \
	{ .name = "--hex", .kind = OPTION_FLAG, .to = &(file)->hex, .help = hex_help }, \
	OPTION_JSON(&(file)->json), \
	{ .name = NULL } }

const char *shader_isa_names(void *ctx, unsigned int index);
/* By name, or an alias of one. NULL: after a message of that command. */
const struct isa *shader_isa(const char *name, const char *path);

#define SHADER_HEX_INPUT	"FILE is hexadecimal text, all of it, whatever it looks like"

enum shader_takes {
	SHADER_TEXT = 1, SHADER_WORDS = 2,
	SHADER_LISTS = 4,	/* with --json the errors of a text are a list even when there are none */
	SHADER_JOBS = 8,
};

/*
 * Reads the file: its words, or those that its text makes. EXIT_OK; or an exit status, after messages on
 * standard error (as JSON: of text that is to be words, on standard output).
 */
int shader_load(struct shader_file *file, unsigned int takes);
/* Words of an instruction, where all have the same number of them; else 1. */
unsigned int shader_unit(const struct isa *isa);
/* Leaves out the words of 0 behind the program's end, all of them instructions. */
void shader_trim(struct shader_file *file);
void shader_free(struct shader_file *file);
/* Which shader of a job's first draw is taken: --stage, else the one for pixels, or a kernel. */
unsigned int shader_stage(const struct shader_file *file);
/* Whether it is a job, with shaders in it: by its name, or what standard input has. */
bool shader_is_job(struct shader_file *file);
/* Reads a job; what it says goes to that stream, as JSON with --json. The status of job_read(). */
int shader_read_job(const struct shader_file *file, bool strict, FILE *to, struct job **job);

/* Errors of an assembler, at their place in the source, with what there is that is near. */
void shader_messages(struct messages *to, const struct isa *isa, const struct isa_messages *from, struct place first);

#endif
