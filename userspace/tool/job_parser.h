/* SPDX-License-Identifier: MIT */
/* What the parts of the job parser share; job.h is the outside. */
#ifndef LIMN_TOOL_JOB_PARSER_H
#define LIMN_TOOL_JOB_PARSER_H

#include "tool/job.h"
#include "tool/job_lex.h"

struct job_parser {
	struct job_reader r;
	struct job *job;
	struct job_draw now;	/* state as of the current line */
	uint32_t room_draws;
	bool has_target;
	double scale[3], translate[3];	/* from clip space to pixels and depth */
	const struct job_shader *vs, *fs;
};

/* One statement: reads its arguments from behind its name to the end of its line. */
struct job_statement {
	const char *name;
	void (*read)(struct job_parser *p);
};

/* Tables, ended by a NULL name. */
extern const struct job_statement job_state_statements[];
extern const struct job_statement job_data_statements[];

/*
 * Fails at the draw's line unless all that the draw needs is there and fits;
 * fills in counts and the range of the indices.
 */
void job_check_draw(struct job_parser *p, struct job_draw *draw, int line, int column);

/*
 * What the rules of the instruction set say against a shader, on standard error; the job runs all
 * the same. assembled: the messages of isa_asm(), with the lines; the text begins at line.
 */
void job_shader_warn(const struct isa *isa, const char *path, int line, const struct isa_messages *assembled,
		     const uint32_t *words, size_t count);

/* Assembles text into words and reads off what the draw must know. */
struct job_shader *job_shader_assemble(struct job_parser *p, bool vertex, const char *path,
				       const char *text, int line);

/* The same from words; line is where they stand. */
struct job_shader *job_shader_words(struct job_parser *p, bool vertex, const uint32_t *words,
				    uint32_t count, int line);

/* An element of vertex data, for both families. */
struct job_element {
	const char *name;
	uint16_t gp_type, fe_type;
	uint8_t bytes;
	double min, max;
	double scale;		/* what 1.0 is stored as; 0: a float */
	bool normalized;
};

/* "float3", "ubyten4": an element and a count of 1 to 4; NULL after a failure. */
const struct job_element *job_format(struct job_reader *r, uint32_t *components);

struct job_vertex_data {
	uint32_t components, stride, vertices;
	uint8_t *data;
};

/* A format and a block of vertices of it; NULL after a failure. */
const struct job_element *job_vertices(struct job_parser *p, uint32_t slot, struct job_vertex_data *data);
/* u8|u16 { numbers }; NULL after a failure. */
const struct job_indices *job_index_list(struct job_parser *p);
/* Reads where texels come from; fills width x height x 4 floats. */
void job_source(struct job_parser *p, uint32_t width, uint32_t height, float *rgba);
/* Each texel of the next level is the mean of the up to four below it. */
void job_halve(const float *from, uint32_t w, uint32_t h, float *to);
/* Text of a shader, malloc'ed, and where it stands; NULL after a failure. */
char *job_shader_text(struct job_parser *p, char *path, uint32_t path_size, int *line);
/* Fails with the first error of a shader's text. */
struct isa_messages;
void job_shader_fail(struct job_parser *p, const char *path, int line, const struct isa_messages *messages);

/* A job that begins with vivante, from behind that word on: tool/vivante. */
void vjob_parse(struct job_parser *p);

/* Path of a file named in a job: relative to the job's folder. */
void job_file_path(const struct job_parser *p, const char *name, char *path, uint32_t size);
/* A whole file with a 0 behind it, malloc'ed; fails at the token at hand. */
char *job_file_read(struct job_parser *p, const char *path, uint32_t max, uint32_t *size);

#endif
