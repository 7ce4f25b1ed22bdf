/* SPDX-License-Identifier: MIT */
/*
 * Jobs for Vivante: what the text of Documentation/job-format.rst turns into, and
 * the parser's parts. Names are the library's (lib/vivante/vivante.h).
 */
#ifndef LIMN_TOOL_VIVANTE_VJOB_H
#define LIMN_TOOL_VIVANTE_VJOB_H

#include "lib/vivante/vivante.h"
#include "tool/job_parser.h"

#define VJOB_MAX_SIZE		4096u
#define VJOB_MAX_TEXTURES	16u	/* of each shader */
#define VJOB_MAX_TEXTURE_BYTES	(256u << 20)
#define VJOB_MAX_EXTRA		32u
#define VJOB_MAX_IMAGES		16u

struct vjob_attribute {
	uint32_t type, components, stride, vertices;
	uint32_t element_bytes;		/* of all components */
	bool normalized;
	uint8_t *data;
};

struct vjob_shader {
	int line;
	uint32_t *words;
	uint32_t instructions;
	uint32_t temps;			/* that it names, and one more than the highest */
	uint32_t uniforms;		/* likewise */
	uint32_t textures;		/* mask of samplers */
	bool discards;
};

/* What a core needs to read it. */
enum vjob_compression { VJOB_PLAIN, VJOB_ETC1, VJOB_DXT, VJOB_ETC2 };

struct vjob_texture {
	struct viv_texture t;		/* without BOs */
	bool supertiled;
	enum vjob_compression compression;
	uint8_t *data;
	uint32_t bytes;
};

struct vjob_draw {
	int line;
	const struct vjob_attribute *attributes[VIV_MAX_ATTRIBUTES];
	uint32_t num_attributes;
	const struct job_indices *indices;
	const struct vjob_shader *vs, *ps;
	const uint32_t *vs_uniforms, *ps_uniforms;
	uint32_t num_vs_uniforms, num_ps_uniforms;
	const struct vjob_texture *textures[2][VJOB_MAX_TEXTURES];	/* fragment, vertex */
	uint32_t position;
	int32_t size_reg;
	struct viv_varying varyings[VIV_MAX_VARYINGS];
	uint32_t num_varyings, color_reg;
	struct viv_state state;
	struct viv_extra extra[VJOB_MAX_EXTRA];
	uint32_t num_extra;
	uint32_t primitive, first, count;
};

enum vjob_op_kind { VJOB_FILL, VJOB_COPY, VJOB_STRETCH, VJOB_LINE, VJOB_ROTATE };

struct vjob_op {
	enum vjob_op_kind kind;
	uint32_t image;			/* source */
	struct viv_rect from, to;
	uint32_t argb, rop, rotation;
};

struct vjob_image {
	char name[32];
	uint32_t width, height;
	uint8_t *rgba;
};

struct vjob {
	bool is_2d;
	uint32_t width, height, samples;
	const struct vjob_format *format;
	uint32_t bits;			/* tiling: VIV_TILE, VIV_SUPER */
	bool fast_clear;
	uint32_t depth_cpp;		/* 0: no depth buffer, 2, 4 */
	float clear_color[4];
	float clear_depth;
	uint32_t clear_stencil;
	bool clears_depth;
	struct vjob_draw *draws;
	uint32_t num_draws;
	struct vjob_image images[VJOB_MAX_IMAGES];
	uint32_t num_images;
	struct vjob_op *ops;
	uint32_t num_ops;
};

/* A colour format of targets. */
struct vjob_format {
	const char *name;
	uint32_t pe, de;		/* PE_FORMAT_*, DE_FORMAT_* */
	uint32_t cpp;
};

const struct vjob_format *vjob_format_find(const char *name);
/* A colour as the format stores it, in the low bits. */
uint32_t vjob_pack(const struct vjob_format *f, const float rgba[4]);
void vjob_unpack(const struct vjob_format *f, const uint8_t *pixel, uint8_t rgba[4]);

/* --- Parser ----------------------------------------------------------------- */

struct vjob_parser {
	struct job_parser *p;
	struct job_reader *r;		/* &p->r */
	struct vjob *job;
	struct vjob_draw now;
	bool has_target;
	float viewport[4], depth_range[2];
	bool front_cw;
	unsigned int cull;		/* none, front, back */
	struct {
		bool on;
		uint32_t func, fail, zfail, zpass, ref, mask, write;
	} stencil[2];			/* front, back */
	uint32_t room_draws, room_ops;
};

struct vjob_statement {
	const char *name;
	void (*read)(struct vjob_parser *v);
};

extern const struct vjob_statement vjob_state_statements[], vjob_data_statements[], vjob_2d_statements[];
extern const struct vjob_statement vjob_texture_statements[];

/* State as it is at a target's birth. */
void vjob_state_init(struct vjob_parser *v);
/* Register values of viewport, culling and stencil, for a draw at this line. */
void vjob_state_resolve(struct vjob_parser *v);

/* --- Running ---------------------------------------------------------------- */

struct vjob_frame;
int vjob_frame_create(const struct vjob *job, struct limn_device *dev, struct vjob_frame **frame,
		      struct limn_error *err);
/* Draws once and waits; timeout in ns. */
int vjob_frame_run(struct vjob_frame *f, int64_t timeout_ns, struct limn_error *err);
/* The same in two steps, for clients that keep jobs in flight. */
int vjob_frame_submit(struct vjob_frame *f, struct limn_fence *fence, struct limn_error *err);
/* width x height x 4 bytes RGBA, top row first. */
void vjob_frame_read(const struct vjob_frame *f, uint8_t *rgba);
/* The stream, for limn decode and for tests. */
const uint32_t *vjob_frame_words(const struct vjob_frame *f, uint32_t *count);
void vjob_frame_free(struct vjob_frame *f);

#endif
