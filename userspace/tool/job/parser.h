/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the job parser share; job.h is the outside.
 *
 * A statement is a row of statements.inc: its name, the families that have it,
 * the form of its arguments and what it does. form_read() reads the arguments
 * as the form says, into a list that the row's function then walks; what is
 * wrong with them it has said before. Help and documentation print the forms.
 *
 * A form:  word        that word           NAME, NAME:type  an argument of a type
 *          [ ... ]     or nothing          ( ... )          a group
 *          a | b       either              ...              once more, as often as it comes
 * Without ":type" the type is NAME in small letters. Which way to go is always
 * told by the token at hand.
 */
#ifndef LIMN_TOOL_JOB_PARSER_H
#define LIMN_TOOL_JOB_PARSER_H

#include "tool/job/job.h"
#include "tool/job/lex.h"

#define JOB_MAX_ARGS	96
#define JOB_MAX_NUMBERS	JOB_LIMIT(1u << 22, 1u << 9)	/* in a block */
#define JOB_MAX_LOOPS	8		/* within each other */
#define JOB_MAX_CALLS	16
#define JOB_MAX_FILES	8		/* included from each other */
#define JOB_MAX_SCENES	JOB_LIMIT(4096, 8)
#define JOB_MAX_WORK	JOB_LIMIT(1u << 26, 1u << 11)	/* expressions and calls of functions */
#define JOB_MAX_FILE	JOB_LIMIT(64u << 20, 1u << 12)

enum form_kind {
	FORM_WHOLE,	/* a whole number, min to max */
	FORM_NUMBER,	/* min to max */
	FORM_CHOICE,	/* one of words, or of what list gives */
	FORM_NAME,	/* any word */
	FORM_STRING,	/* in quotes */
	FORM_TEMP,	/* t0 to t63 */
	FORM_BLOCK,	/* { numbers } */
	FORM_TEXT,	/* { lines } */
	FORM_OPEN,	/* { alone: statements follow */
	FORM_REST,	/* the rest of the line */
	FORM_PAIR,	/* two numbers with a comma or an x between them */
	FORM_FORM,	/* what another form says */
};

#define FORM_NOT_THERE	0xff

struct form_choice {
	const char *word;
	uint8_t value[3];	/* by family; FORM_NOT_THERE: it has none */
};

struct form_type {
	const char *name;
	enum form_kind kind;
	double min, max;
	const struct form_choice *choices;	/* ended by NULL; or else: */
	const char *(*list)(enum job_family family, unsigned int index);	/* the value is the index */
	const char *text;	/* FORM_FORM: the form; FORM_CHOICE: said instead of too many words */
};

const struct form_type *form_type_at(unsigned int index);	/* NULL behind the last */
const struct form_type *form_type_find(const char *name, size_t length);
/* Word number index of a choice; NULL behind the last. */
const char *form_word(const struct form_type *t, enum job_family family, unsigned int index);
/* False: it is none of the words. */
bool form_value(const struct form_type *t, enum job_family family, const char *word, unsigned int *value);

/* Values of the types "output" and "varying". */
#define JOB_OUTPUT(kind, components)	((kind) << 4 | (components))

/* A number of a block. */
struct job_number {
	double value;
	unsigned int line, column;
};

struct job_arg {
	const char *name;	/* in the form, length of it; of a word: itself */
	size_t length;
	const struct form_type *type;	/* NULL: a word of the form */
	struct place at;
	double number;		/* FORM_CHOICE: the value of the word; FORM_TEMP; FORM_PAIR: the first */
	double second;
	const char *text;	/* FORM_NAME, FORM_STRING, FORM_TEXT, FORM_REST */
	size_t text_length;
	struct place text_at;	/* FORM_TEXT: where it begins */
	struct job_number *block;	/* FORM_BLOCK: malloc'ed, freed with the statement */
	uint32_t count;
};

struct job_variable {
	char name[32];
	struct job_value value;
	const char *body;		/* of a function: its text */
	char parameters[4][32];
	unsigned int num_parameters;
	struct job_variable *next;
	bool wrong;		/* its value is, and it was said */
};

/* Where a statement may stand. */
#define JOB_HAS_UTGARD		(1u << JOB_UTGARD)
#define JOB_HAS_VIVANTE		(1u << JOB_VIVANTE)
#define JOB_HAS_2D		(1u << JOB_VIVANTE_2D)
#define JOB_HAS_3D		(JOB_HAS_UTGARD | JOB_HAS_VIVANTE)
#define JOB_HAS_ALL		(JOB_HAS_3D | JOB_HAS_2D)

struct job_parser;

struct job_statement {
	const char *name;
	unsigned int families;
	const char *form;
	void (*run)(struct job_parser *p);
	const char *help;	/* "": as the row above; of the row without a name that begins a section, its title */
	/* Setters: where the numbers go, and bytes of each. */
	enum { JOB_BASE_SCENE, JOB_BASE_STATE } base;
	uint16_t offset;
	uint8_t size;
};

struct job_parser {
	struct job_reader r;
	struct messages *messages;
	struct job *job;
	const struct job_options *options;
	bool used[64];			/* which of the options' defines a let took */
	struct job_scene *scene;	/* that is being read */
	struct job_draw now;		/* state as of the current line */
	uint32_t room_draws, room_ops, room_expects, room_scenes;
	bool has_target, own_target;	/* own_target: of the scene at hand */
	struct job_variable *variables;
	struct place includes[JOB_MAX_FILES];	/* statements that the file at hand came by, outermost first */
	unsigned int num_files;
	/* All as it stood before the first "scene", for each of them to start with. */
	struct {
		bool there, has_target;
		struct job_scene scene;
		struct job_draw now;
	} prelude;
	/* What the statement wants done when it is through. */
	const struct source *include;
	double turns;			/* of the loop that it begins; negative: it begins none */
	uint64_t work;			/* expressions and calls so far */

	/* The statement at hand. */
	const struct job_statement *statement;
	struct place at;		/* its name */
	bool failed;
	struct job_arg args[JOB_MAX_ARGS];
	unsigned int num_args, arg;	/* arg: the next one that it has not looked at */
	struct job_value pending;	/* numbers of the token at hand that no argument has taken yet */
	/* What could stand where the token at hand is. */
	struct form_hope {
		const char *word;
		size_t length;
		const struct form_type *type;
	} hopes[32];
	unsigned int num_hopes;

	struct job_variable loops[JOB_MAX_LOOPS + 4 * JOB_MAX_CALLS];	/* and arguments of functions */
	unsigned int num_loops;
	unsigned int calls;		/* of functions, within each other */
};

/* Only the first error of a statement is kept; the statement then has no effect. */
void job_error(struct job_parser *p, struct place at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same where an earlier error may be the cause: then it is not said. */
void job_error_unless(struct job_parser *p, struct place at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What is wrong with an expression, at its place in it; false: with all of it, and nothing is said. */
bool job_error_inside(struct job_parser *p, struct place at, const char *text, const struct job_value *value,
		      const char *wrong);
void job_warning(struct job_parser *p, struct place at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* job_alloc(), and an error when there is none. */
void *job_memory(struct job_parser *p, uint64_t bytes);
/* A copy of the text that lives as long as the job; "" after an error. */
const char *job_keep(struct job_parser *p, const char *text);
/* Whether it can be the name of a variable. */
bool job_is_name(const char *text);
/* Twice the room when count is all of it; NULL after an error. */
void *job_grow(struct job_parser *p, void *list, uint32_t count, uint32_t *room, size_t size);

/* Reads a statement's arguments by its form into p->args. */
void form_read(struct job_parser *p, const char *form);
void form_free(struct job_parser *p);
/* "the form: attribute SLOT FORMAT { ... } | off" as people read it; malloc'ed. */
char *form_text(const struct job_statement *s);
/* How it comes that the job is of that family: the end of a sentence, or "". */
const char *job_family_how(enum job_family family);

/* --- Arguments that were read, in their order ---------------------------------- */

/* The next one; there is one, by the form. */
const struct job_arg *job_take(struct job_parser *p);
/* Takes the next one if it is that word of the form. */
bool job_took(struct job_parser *p, const char *word);
/* Takes the next one if its name in the form is that, else NULL. */
const struct job_arg *job_given(struct job_parser *p, const char *name);
/* Where the one is that was taken last. */
struct place job_here(const struct job_parser *p);
double job_number(struct job_parser *p);
uint32_t job_whole(struct job_parser *p);	/* of whole numbers, choices, temporaries */
void job_numbers(struct job_parser *p, double *out, unsigned int count);
/* Names that expressions may use: loops' counters, the viewport, ... */
const char *job_name(void *ctx, const char *name, const struct job_value *arguments, unsigned int count,
		     struct job_value *value);

/* --- Parts ------------------------------------------------------------------------ */

extern const struct job_statement job_statements[];
/* Of the job's family. */
bool job_is_statement(const struct job_parser *p, const char *name);

/* An element of vertex data. */
struct job_element {
	const char *name;
	uint16_t gp_type, fe_type;
	uint8_t bytes;
	double min, max;
	double scale;		/* what 1.0 is stored as; 0: a float */
	bool normalized;
};

extern const struct job_element job_elements[];
const char *job_element_word(enum job_family family, unsigned int index);

/* Ends the scene at hand, if any, and begins one with what stands before the first; NULL: the file's own. */
void job_begin_scene(struct job_parser *p, const char *name);
/* An error for each -D that no let has taken. */
void job_check_defines(struct job_parser *p);
/* State as it is at a target's birth; where there is none, of the largest. */
void job_set_target(struct job_parser *p);

/* Errors at the draw's line unless all that the draw needs is there and fits; fills in the rest of it. */
void job_check_draw(struct job_parser *p, struct job_draw *draw);
void job_check_compute(struct job_parser *p, const struct job_draw *draw);

/* What a probe draws that has no draw: six vertices of triangles. */
void job_draw_square(struct job_parser *p);
/* Ends a scene: a probe is drawn; warns of a scene that has all for a draw, and none. */
void job_check_scene(struct job_parser *p);

/* Path of a file named in a job: relative to the job's folder. */
void job_file_path(const struct job_parser *p, const char *name, char *path, size_t size);
/* A whole file; NULL: an error was said at that place. */
const struct source *job_file_read(struct job_parser *p, const char *name, uint32_t max, struct place at);

/* Assembles text, checks it, and reads off what the draw must know. NULL after an error. */
const struct job_shader *job_shader_assemble(struct job_parser *p, enum job_stage stage, const char *text,
					     size_t length, struct place at);
const struct job_shader *job_shader_words(struct job_parser *p, enum job_stage stage, const uint32_t *words,
					  uint32_t count, struct place at);

/* Whether a Vivante instruction names a sampler. */
bool job_shader_samples(const uint32_t *words);

/* Colour formats of targets, of both families' textures. */
const char *job_pixel_word(enum job_family family, unsigned int index);
const char *job_texel_word(enum job_family family, unsigned int index);

/* Where texels come from, as the type "source" has read it: fills width x height x 4 floats. */
void job_source(struct job_parser *p, uint32_t width, uint32_t height, float *rgba);

/* What statements do; statements.inc names them. */
#define JOB_STATEMENT(name, families, form, run, help) void run(struct job_parser *p);
#define JOB_SETTER(name, families, form, base, member, help)
#define JOB_SECTION(title)
#include "tool/job/statements.inc"
#undef JOB_STATEMENT
#undef JOB_SETTER
#undef JOB_SECTION
void job_store(struct job_parser *p);

#endif
