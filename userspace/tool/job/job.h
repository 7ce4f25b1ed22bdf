/* SPDX-License-Identifier: MIT */
/*
 * Job files: Documentation/job-format.rst describes the text; this is what it
 * turns into, for all families of GPUs. job_read() reads and checks a whole
 * file before anything is done; job_frame_create() makes it the commands of a
 * device (utgard.c, vivante.c).
 */
#ifndef LIMN_TOOL_JOB_JOB_H
#define LIMN_TOOL_JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"
#include "lib/limn.h"
#include "lib/utgard/utgard.h"
#include "lib/vivante/vivante.h"
#include "tool/message.h"

/* libFuzzer's builds have small limits: inputs reach each of them, and none takes long. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define JOB_LIMIT(limit, small)	small
#else
#define JOB_LIMIT(limit, small)	limit
#endif

#define JOB_MAX_SIZE		JOB_LIMIT(4096u, 256u)	/* of targets and textures, pixels each way */
#define JOB_MAX_VERTICES	65535u
#define JOB_MAX_DRAWS		JOB_LIMIT(4096u, 8u)
#define JOB_MAX_FRAMES		1000000u
#define JOB_MAX_ATTRIBUTES	16u
#define JOB_MAX_OUTPUTS		17u	/* position, point size, varyings */
#define JOB_MAX_TEXTURES	16u	/* of each shader */
#define JOB_MAX_LEVELS		14u
#define JOB_MAX_IMAGES		16u
#define JOB_MAX_STATES		128u
#define JOB_MAX_TEXTURE_BYTES	JOB_LIMIT(256u << 20, 1u << 14)

enum job_family { JOB_UTGARD, JOB_VIVANTE, JOB_VIVANTE_2D };

/* Which shader, and whose uniforms and textures; JOB_STAGES are those of a draw. */
enum job_stage { JOB_VERTEX, JOB_FRAGMENT, JOB_STAGES, JOB_COMPUTE = JOB_STAGES, JOB_SHADERS };

/* Values with a name in a job file (types.c) are stored as the family's hardware has them. */

struct job_target {
	struct place at;
	uint32_t width, height, samples;
	const struct utgard_pixel *pixel;	/* Utgard */
	const struct viv_pixel *format;		/* Vivante */
	uint32_t layout;			/* Vivante: VIV_TILE, VIV_SUPER */
	uint32_t depth_cpp;			/* Vivante's depth buffer: 0 (none), 2, 4 */
	bool fast_clear;
	double clear_color[4], clear_depth;
	uint32_t clear_stencil;
	uint32_t heap;				/* Utgard's tile heap, bytes; 0: the default */
	bool fixed_heap;
	struct utgard_forced words[JOB_MAX_STATES];	/* Utgard: of the frame */
	uint32_t num_words;
};

/* Vertex data of one attribute. */
struct job_attribute {
	const struct job_element *element;
	uint32_t components, stride, vertices;
	uint8_t *data;
};

struct job_indices {
	uint8_t index_bytes;
	bool restart;		/* the largest index starts strips anew */
	uint32_t count;
	void *data;
	struct place *places;	/* of each index */
};

struct job_texture {
	uint32_t width, height, depth, levels;
	void *image;		/* struct utgard_image, struct viv_texture: without BOs */
	uint8_t *data;		/* NULL: the frame's polygon lists (Utgard) */
	uint32_t bytes;
	const char *needs;	/* what a core must have to read it, or NULL */
};

struct job_sampler {
	uint32_t min, mag, mip;	/* 0 nearest, 1 linear; mip: none, nearest, linear */
	uint32_t wrap[3];
	double lod[2], bias;
	double border[4];
	bool texels;
	uint32_t compare;	/* Vivante: TEXTURE_COMPARE_FUNC_* and 1; 0: none */
	uint32_t swizzle[4];	/* Vivante: TEXTURE_SWIZZLE_* */
};

struct job_unit {
	const struct job_texture *texture;	/* NULL: off */
	struct job_sampler sampler;
};

/* A shader: its words and what a reading of them told. */
struct job_shader {
	struct place at;	/* where its text begins */
	uint32_t *words;
	uint32_t count;
	uint32_t prefetch;	/* GP: index of the last instruction that loads an attribute */
	bool discards;
	uint32_t *lines;	/* of a text: of each word, from at's; or NULL */
	struct isa_use *uses;	/* what it names from outside */
	uint32_t num_uses;
	uint32_t temps;			/* Vivante: one more than the highest */
	bool warned;			/* of the following */
	uint64_t written, early;	/* Vivante: temporaries, a bit each; early: read before that */
};

/* The line of that word, in a text; else where the shader begins. */
struct place job_shader_place(const struct job_shader *shader, uint32_t word);

enum job_output_kind { JOB_POSITION, JOB_POINT_SIZE, JOB_POINT_COORD, JOB_VARYING, JOB_COLOR, JOB_HALF };

struct job_output {
	enum job_output_kind kind;
	uint32_t components;
	uint32_t reg;		/* Vivante: temporary that holds it */
};

/* Colour, then alpha. */
struct job_blend {
	bool no_factors;	/* min and max */
	uint32_t equation, source, destination;
};

/* A state or a part of one, given by name: written last. */
union job_word {
	struct utgard_forced utgard;
	struct viv_extra vivante;
};

struct job_state {
	double viewport[4];	/* x, y, width, height */
	double depth_range[2];
	bool scissored;
	uint32_t scissor[4];	/* x, y, width, height */
	uint32_t cull;		/* bits: front, back */
	bool front_cw;
	bool depth_test, depth_write;
	uint32_t depth_func;
	double offset[2];	/* scale, units */
	bool stencil_test;
	struct utgard_stencil stencil[2];	/* front, back */
	bool blend_on;
	struct job_blend blend[2];
	double blend_color[4];
	uint32_t color_mask;	/* bit 0 red .. bit 3 alpha */
	bool alpha_test;
	uint32_t alpha_func;
	double alpha_ref;
	bool alpha_to_coverage, alpha_to_one, dither;
	uint32_t sample_mask;
	double point_size, line_width;
	uint32_t gp_lists;	/* enum utgard_lists */
	uint32_t color_register, fragment_stack;
	union job_word words[JOB_MAX_STATES];
	uint32_t num_words;
};

/* A draw, or a compute kernel: all state as it stood at its line. */
struct job_draw {
	struct place at;
	struct job_state state;
	const struct job_attribute *attributes[JOB_MAX_ATTRIBUTES];
	uint32_t num_attributes;
	const struct job_indices *indices;	/* NULL: vertices in their order */
	uint32_t min_index, max_index;		/* of those that are drawn */
	struct place max_at;			/* where max_index stands, if it stands in the file */
	const struct job_shader *shaders[JOB_SHADERS];
	const float *uniforms[JOB_SHADERS];
	uint32_t num_uniforms[JOB_SHADERS];	/* vectors of four */
	struct job_output outputs[JOB_MAX_OUTPUTS];
	uint32_t num_outputs;
	struct job_unit textures[JOB_STAGES][JOB_MAX_TEXTURES];
	uint32_t mode, first, count, instances;
	bool indirect;
	uint32_t size[3], groups[3];		/* of compute; else 0 */
};

/* --- The 2D pipe ------------------------------------------------------------- */

/* Surfaces are the frame's. */
struct job_op {
	struct viv_2d_op op;
	uint32_t image;			/* source */
};

struct job_image {
	const char *name;
	uint32_t width, height;
	uint8_t *rgba;
};

/* --- What a picture must be ---------------------------------------------------- */

enum job_expect_kind {
	JOB_EXPECT_PIXELS, JOB_EXPECT_COUNT, JOB_EXPECT_DEPTH, JOB_EXPECT_STENCIL, JOB_EXPECT_SAME,
	JOB_EXPECT_REPORT, JOB_EXPECT_ERROR
};

#define JOB_ANY		-1000.0		/* a channel that may be anything */

struct job_expect {
	enum job_expect_kind kind;
	struct place at;
	uint32_t x, y, width, height;
	const float *values;		/* of all pixels, or of each */
	bool each;
	double within;
	const char *text;		/* of the report, of the error; the other scene's name */
	const char *answer;		/* of a probe, that it is a part of; NULL: it must be */
};

#define JOB_MAX_GPUS	16u

/* --- Jobs ---------------------------------------------------------------------- */

/* A picture: what is drawn and what is to come out. */
struct job_scene {
	const char *name;		/* NULL: the file has one */
	struct place at;
	struct job_target target;
	uint32_t frames;
	struct job_draw *draws;
	uint32_t num_draws;
	struct job_image images[JOB_MAX_IMAGES];
	uint32_t num_images;
	struct job_op *ops;
	uint32_t num_ops;
	struct job_expect *expects;
	uint32_t num_expects;
	const char *gpus[JOB_MAX_GPUS];	/* that it is for; none: all of its family */
	uint32_t num_gpus;
	const char *question;		/* what limn probe asks with it; NULL: it is no probe */
	bool risky, relied_on;
};

struct job_block;

struct job {
	enum job_family family;
	struct job_scene **scenes;
	uint32_t num_scenes;
	bool uses_frame;		/* another frame number may make another job */
	struct job_block *blocks;	/* all memory of the job */
};

struct job_options {
	const char *const *defines;	/* NAME=VALUE, for the file's "let NAME" */
	uint32_t num_defines;
	uint32_t frame;
};

/*
 * 0; -1 with errors among the messages (which may hold warnings after 0 too, and
 * are valid as long as the job, which is there in either case; NULL: no memory).
 * options may be NULL.
 */
int job_read(const char *path, const struct job_options *options, struct job **job, struct messages *messages);
/* The same from text; files named in it are looked up relative to path's folder. */
int job_parse(const char *path, const char *text, const struct job_options *options, struct job **job,
	      struct messages *messages);
/* Of a Vivante GPU by its name: how many uniforms an instruction reads. */
enum isa_uniforms job_uniforms(const char *gpu);
/* Whether a line begins with a statement, of whatever family. */
bool job_has_statement(const char *text);
void job_free(struct job *job);
/* What a shader gets of a vertex; beyond its components 0, 0, 0, 1. */
double job_attribute_value(const struct job_attribute *attribute, uint32_t vertex, uint32_t component);
/* Zeroed memory that job_free() frees; NULL when there is none. */
void *job_alloc(struct job *job, uint64_t bytes);

/* All statements and the words of their arguments, as reStructuredText. */
void job_describe(FILE *to);

/* Of a family: "Utgard"; the model that a job runs on where nothing is said. */
const char *job_family_name(enum job_family family);
const char *job_family_model(enum job_family family);
enum limn_family job_device_family(enum job_family family);

/* --- Running ------------------------------------------------------------------- */

/* Whether the device is of the job's family; else a line in err. */
bool job_takes(const struct job *job, const struct limn_device *dev, struct limn_error *err);
/* And any job of the family can be drawn on it. */
bool job_fits(const struct job *job, const struct limn_device *dev);

/* A job's frame on a device, with the BOs it uses. */
struct job_frame;
int job_frame_create(const struct job *job, const struct job_scene *scene, struct limn_device *dev,
		     struct job_frame **frame, struct limn_error *err);
/* May be submitted again once it was waited for. */
int job_frame_submit(struct job_frame *frame, struct limn_error *err);
int job_frame_wait(struct job_frame *frame, int64_t timeout_ns, struct limn_error *err);
/* width x height x 4 bytes RGBA, top row first. */
void job_frame_read(const struct job_frame *frame, uint8_t *rgba);
/* Of a pixel; false: the job's family or its target has none that can be read. */
bool job_frame_read_depth(const struct job_frame *frame, uint32_t x, uint32_t y, double *depth, uint32_t *stencil);
/* The command stream of a Vivante job; NULL: it has none. */
const uint32_t *job_frame_words(const struct job_frame *frame, uint32_t *count);
/* The library's frame of an Utgard job; NULL: it is none. */
struct utgard_frame *job_frame_utgard(struct job_frame *frame);
/*
 * Where in the job the first thing is that a message of the model or of a driver names: by an address that the GPU
 * uses ("shader at 0x01106180, word 3"), or by a word of the command stream. False: it names nothing of the job.
 * *at: the line of the shader or of the draw; note: what it is, and of which draw.
 */
bool job_frame_explain(const struct job_frame *frame, const char *text, struct place *at, char *note, size_t size);
/*
 * The same of an instruction of a stage's shader, counted from its first, or of the draw itself (stage JOB_SHADERS),
 * which that word of a Vivante's command stream is of.
 */
bool job_frame_place(const struct job_frame *frame, uint32_t word, enum job_stage stage, uint32_t instruction,
		     struct place *at, char *note, size_t size);
/* What another run of a job has left in memory. */
struct job_memory {
	/* len bytes at an address of the GPU, NULL: they are not there. */
	const void *(*at)(void *ctx, uint32_t va, uint32_t len);
	void *ctx;
	const uint32_t *words;		/* Vivante: a command stream; its addresses may be others */
	size_t num_words;
};

/* Whether it was a run of this frame: its lists or its stream, states and shaders are the same. */
bool job_frame_is_in(const struct job_frame *frame, const struct job_memory *memory);
void job_frame_free(struct job_frame *frame);

/* --- Checking -------------------------------------------------------------------- */

/* A picture that was drawn before: for "expect same". */
struct job_picture {
	const char *name;
	uint8_t *rgba;
	size_t bytes;
};

/* What came out of a scene. */
struct job_outcome {
	const struct job_frame *frame;	/* NULL: it could not be made */
	const uint8_t *rgba;
	const char *error;		/* NULL: it did not fail */
	char *const *reports;		/* of the model */
	uint32_t num_reports;
	bool strict;			/* no report may be that is not expected */
	const struct job_picture *pictures;
	uint32_t num_pictures;
};

/* Errors, one for each expectation that is not met, and for what happened that was not expected. */
void job_check_outcome(const struct job_scene *scene, const struct job_outcome *outcome, struct messages *messages);

/*
 * A probe's words: what the picture has where answers look, a pixel (red in the low byte) or a count each.
 * words has room for scene->num_expects; returns their number.
 */
uint32_t job_probe_words(const struct job_scene *scene, const uint8_t *rgba, uint32_t *words);
/* The first answer that the words are; "other": none is. */
const char *job_probe_answer(const struct job_scene *scene, const uint32_t *words);

#endif
