/* SPDX-License-Identifier: MIT */
/* Shader files of the asm, disasm, check and exec commands: text, hex or binary, and their messages. */
#ifndef LIMN_TOOL_SHADER_FILE_H
#define LIMN_TOOL_SHADER_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/isa.h"

struct shader_file {
	const char *path;	/* "-" is standard input */
	const struct isa *isa;
	char *data;
	size_t size;
	void *map;		/* where data, or words in its place, are the file itself; of that size */
	size_t map_size;
	uint32_t *words;
	size_t count;
	bool keep_lines;	/* when it is assembled */
	unsigned int *lines;	/* by word: of the text; NULL when they were not kept, or it was no text */
	size_t line_count;
};

/* By -i NAME or, with NAME NULL, by the file's ending .gp or .pp. NULL: printed why not. */
const struct isa *shader_isa(const char *command, const char *name, const char *path);

/* All of these print what is wrong and return false then. */
bool shader_read(const char *command, struct shader_file *file);
enum shader_messages {
	SHADER_TEXT,		/* on standard error */
	SHADER_JSON,		/* a list on standard error, empty when there are none */
	SHADER_JSON_ERRORS,	/* a list on standard output, but nothing when there are none */
};

bool shader_assemble(struct shader_file *file, enum shader_messages how);
bool shader_binary(const char *command, struct shader_file *file, bool hex);
/*
 * MBS1 containers (what glGetProgramBinary and the offline compiler of
 * Mali-200/400 give): takes the code of the shader out. When the file is none
 * this does nothing. False: it is one, and broken, or of another set.
 */
bool shader_unpack(const char *command, struct shader_file *file);

/* Does it end in .gp, .pp, .asm or .txt? */
bool shader_is_text(const struct shader_file *file);
/* Assembles what does, takes the rest as binary. */
bool shader_any(const char *command, struct shader_file *file, bool hex);
void shader_free(struct shader_file *file);

#endif
