/* SPDX-License-Identifier: MIT */
/*
 * The shader core's surroundings: programs by address, and what a shader asks
 * for while it runs: varyings, uniforms, textures, the tile buffer.
 */
#include <math.h>
#include <stdlib.h>

#include "model/core.h"
#include "model/utgard/pp.h"

#define PROGRAMS	32

/* Instructions that a fragment may execute. GUESS(pp-endless-shader): none does so many and ends. */
#define ENDLESS		(1u << 20)

/*
 * A decoded shader and the words it was decoded from: before its first use in
 * a job they are compared with what memory holds by then.
 */
struct pp_program {
	struct ppsim_program *code;
	uint32_t va, first_length;
	uint32_t *words;		/* offset, count, words...; again and again */
	unsigned int used, room;
	bool current;
	bool reads_place;
};

struct pp_shader {
	struct ppsim_state *state;
	struct ppsim_env env;
	struct ppsim_env batch_env;
	struct pp_program program[PROGRAMS];
	unsigned int next;
	/* while decoding */
	struct pp_program *decoding;
};

static const v8f lane_x = { 0, 1, 0, 1, 2, 3, 2, 3 };
static const v8f lane_y = { 0, 0, 1, 1, 0, 0, 1, 1 };

/* --- Varyings ----------------------------------------------------------- */

static uint32_t varying_va(const struct pp *pp, unsigned int slot, unsigned int i)
{
	const struct pp_draw *d = pp->draw;

	return d->varyings + pp->prim.index[i] * d->varying_stride + d->varying_offset[slot];
}

static bool fetch_vertex(struct pp *pp, unsigned int slot, unsigned int i)
{
	const struct pp_draw *d = pp->draw;
	float *v = pp->prim.vertex[slot][i];
	uint32_t va = varying_va(pp, slot, i);
	unsigned int c, type = d->varying_type[slot], n = 2;
	uint8_t bytes[4];
	uint16_t h[4];

	/* GUESS(pp-varying-missing): components that the varying does not store are 0, 0, 0, 1. */
	v[0] = v[1] = v[2] = 0;
	v[3] = !unit_answer(&pp->u, PROFILE_PP_VARYING_MISSING);
	pp->count[PP_CNT_VARYING_READS] += type == RSW_VARYING_F32X4 ? 2 : 1;
	switch (type) {
	case RSW_VARYING_F32X4:
		return pp_read(pp, va, v, 16);
	case RSW_VARYING_F32X2:
		return pp_read(pp, va, v, 8);
	case RSW_VARYING_F16X4:
		n = 4;
		break;
	case RSW_VARYING_F16X2:
	case RSW_VARYING_SNORM16X2:
	case RSW_VARYING_UNORM16X2:
		break;
	case RSW_VARYING_UNORM8X4:
		if (!pp_read(pp, va, bytes, sizeof(bytes)))
			return false;
		for (c = 0; c < 4; c++)
			v[c] = bytes[c] / 255.0f;
		return true;
	default:
		return true;	/* reported by the RSW's decoder */
	}
	if (!pp_read(pp, va, h, 2 * n))
		return false;
	for (c = 0; c < n; c++)
		v[c] = type == RSW_VARYING_SNORM16X2 ? fmaxf((int16_t)h[c] / 32767.0f, -1) :
		       type == RSW_VARYING_UNORM16X2 ? h[c] / 65535.0f : half_to_float(h[c]);
	return true;
}

/* The planes of a varying times 1/w over the triangle at hand. */
static bool setup_planes(struct pp *pp, unsigned int slot)
{
	struct pp_prim *p = &pp->prim;
	const struct pp_tri *t = &p->tri;
	unsigned int k, i;
	v4d f[3];
	v4f vertex;

	if (!(p->vertex_valid >> slot & 1)) {
		for (i = 0; i < p->vertices; i++)
			if (!fetch_vertex(pp, slot, i))
				return false;
		p->vertex_valid |= 1u << slot;
	}
	for (k = 0; k < 3; k++) {
		f[k] = (v4d){ 0 };
		for (i = 0; i < p->vertices; i++) {
			memcpy(&vertex, p->vertex[slot][i], sizeof(vertex));
			f[k] += t->weight[k][i] * __builtin_convertvector(vertex, v4d);
		}
		f[k] *= t->inv_w[k];
	}
	p->plane[slot][0] = f[0];
	p->plane[slot][1] = (f[1] - f[0]) * t->l1[0] + (f[2] - f[0]) * t->l2[0];
	p->plane[slot][2] = (f[1] - f[0]) * t->l1[1] + (f[2] - f[0]) * t->l2[1];
	p->plane_valid |= 1u << slot;
	return true;
}

/* Components from the first on, as many as the slot has or are wanted; their number. */
static unsigned int components(const struct pp *pp, unsigned int slot, unsigned int first, unsigned int count, v8f *out)
{
	const struct pp_block *b = pp->block;
	const struct pp_tri *t = &pp->prim.tri;
	const v4d_packed *p = pp->prim.plane[slot];
	v4f base = __builtin_convertvector(p[0] + p[1] * (b->x + 0.5 - t->ref_x) + p[2] * (b->y + 0.5 - t->ref_y), v4f);
	v4f dx = __builtin_convertvector((v4d)p[1], v4f), dy = __builtin_convertvector((v4d)p[2], v4f);
	unsigned int n = count < 4 - first ? count : 4 - first;

	for (unsigned int i = 0; i < n; i++)
		out[i] = (base[first + i] + dx[first + i] * lane_x + dy[first + i] * lane_y) * b->w;
	return n;
}

static bool cb_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	struct pp *pp = ctx;
	unsigned int i, n;

	for (i = 0; i < count; i += n, address += n) {
		unsigned int slot = address / 4;

		n = 1;
		out[i] = (v8f){ 0 };
		if (slot >= RSW_MAX_VARYINGS ||
		    pp->draw->varying_offset[slot] >= pp->draw->varying_stride) {
			if (pp_once(pp, PP_ONCE_VARYING))
				unit_report(&pp->u, "shader at 0x%08x reads varying %u beyond the stride of %u bytes",
					    pp->draw->shader, slot, pp->draw->varying_stride);
			continue;
		}
		if (pp->prim.plane_valid >> slot & 1 || setup_planes(pp, slot))
			n = components(pp, slot, address % 4, count - i, &out[i]);
	}
	return true;
}

/* Is all there to be read, and nobody told? */
static bool readable(struct pp *pp, uint32_t va, uint32_t len)
{
	const struct unit *u = &pp->u;

	return (unit_page(u, va) && unit_page(u, va + len - 1)) ||
	       (unit_page_quietly(&pp->u, va) && unit_page_quietly(&pp->u, va + len - 1));
}

static bool batch_varying(void *ctx, unsigned int address, unsigned int count, v8f *to)
{
	struct pp *pp = ctx;
	const struct pp_batch *batch = pp->batch;
	struct pp_prim *prim = &pp->prim;
	unsigned int slot = address / 4, first = address % 4;
	ppsim_column *out = (ppsim_column *)to;
	const v4d_packed *p;
	v8f dx[4], dy[4];
	v4f x, y;

	if (slot >= RSW_MAX_VARYINGS || pp->draw->varying_offset[slot] >= pp->draw->varying_stride)
		return false;
	for (unsigned int i = 0; i < prim->vertices && !(prim->vertex_valid >> slot & 1); i++)
		if (!readable(pp, varying_va(pp, slot, i), 16))
			return false;
	if (!(prim->plane_valid >> slot & 1))
		setup_planes(pp, slot);
	p = prim->plane[slot];
	x = __builtin_convertvector((v4d)p[1], v4f);
	y = __builtin_convertvector((v4d)p[2], v4f);
	for (unsigned int c = 0; c < count; c++) {
		dx[c] = x[first + c] * lane_x;
		dy[c] = y[first + c] * lane_y;
	}
	for (unsigned int i = 0; i < batch->sim.n; i++) {
		v4f base = __builtin_convertvector(p[0] + p[1] * batch->x[i] + p[2] * batch->y[i], v4f);

		for (unsigned int c = 0; c < count; c++)
			out[c][i] = (base[first + c] + dx[c] + dy[c]) * batch->w[i];
	}
	return true;
}

/* --- Uniforms, textures, tile buffer ------------------------------------ */

static bool cb_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	struct pp *pp = ctx;
	const struct pp_draw *d = pp->draw;

	if (address < 0 || address + count > d->uniforms_count) {
		if (pp_once(pp, PP_ONCE_UNIFORM))
			unit_report(&pp->u, "shader at 0x%08x reads uniform %d.%d, RSW at 0x%08x gives %u scalars",
				    d->shader, address >> 2, address & 3, d->va, d->uniforms_count);
		return false;
	}
	pp->count[PP_CNT_LOAD_READS]++;
	return pp_read(pp, d->uniforms + 2 * address, halves, 2 * count);
}

static bool batch_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	struct pp *pp = ctx;
	const struct pp_draw *d = pp->draw;

	if (address < 0 || address + count > d->uniforms_count || !readable(pp, d->uniforms + 2 * address, 2 * count))
		return false;
	/* Each block reads it. */
	for (unsigned int i = 0; i < pp->batch->sim.n; i++)
		cb_uniform(ctx, address, count, halves);
	return true;
}

static const enum pp_lod_mode lod_modes[] = {
	[PPSIM_LOD_IMPLICIT] = PP_LOD_AUTO,
	[PPSIM_LOD_BIAS] = PP_LOD_BIAS,
	[PPSIM_LOD_EXPLICIT] = PP_LOD_EXPLICIT,
};

static bool cb_sample(void *ctx, const struct ppsim_sample *s, v8f *rgba)
{
	struct pp *pp = ctx;
	const struct pp_texture *tex = pp_texture_get(pp, pp->draw, s->sampler);
	bool cube = s->type == 31;
	unsigned int c;

	for (c = 0; c < 4; c++)
		rgba[c] = (v8f){ 0 };
	if (!tex)
		return true;
	if (cube != tex->cube && pp_once(pp, PP_ONCE_SAMPLER))
		unit_report(&pp->u, "shader at 0x%08x samples as type %u, texture descriptor at 0x%08x is %s cube",
			    pp->draw->shader, s->type, tex->va, tex->cube ? "a" : "no");
	pp->samples_taken++;
	pp_texture_sample(pp, tex, s->coord, lod_modes[s->lod_mode], s->lod, s->mask, rgba);
	if (pp->watched)
		pp_watch_sample(pp, s, rgba);
	return true;
}

static bool batch_sample(void *ctx, const struct ppsim_sample *s, v8f *rgba)
{
	struct pp *pp = ctx;
	const struct ppsim_batch *b = &pp->batch->sim;
	const struct pp_texture *tex = s->sampler < pp->draw->num_textures ? &pp->draw->texture[s->sampler] : NULL;

	/* Its first use, and what is wrong with it, are told of. */
	if (!tex || !tex->va || (s->type == 31) != tex->cube)
		return false;
	pp->samples_taken += b->n;
	pp->quiet = true;
	pp_texture_sample_batch(pp, tex, b->n, (const ppsim_column *)s->coord, lod_modes[s->lod_mode], s->lod, b->lanes,
				(ppsim_column *)rgba);
	pp->quiet = false;
	return !pp->fault;
}

/* GUESS(pp-fb-read-sample): with multisampling a shader reads the first sample. */
static void cb_framebuffer(void *ctx, bool depth, v8f out[4])
{
	struct pp *pp = ctx;
	const struct pp_tile *t = pp->tile;
	unsigned int b = pp->block->index, c;
	v8u v = depth ? t->zs[0][b] : t->color[0][b];

	if (depth) {
		out[0] = __builtin_convertvector((v8i)(v & PP_CLEAR_DEPTH_MASK), v8f) *
			 (1.0f / PP_CLEAR_DEPTH_MASK);
		return;
	}
	for (c = 0; c < 4; c++) {
		out[c] = __builtin_convertvector((v8i)(v >> (8 * c) & 255), v8f) * (1 / 255.0f);
		if (pp_fp16(pp))
			out[c] = t->fcolor[b][c];
	}
}

/* --- Programs ----------------------------------------------------------- */

static bool cb_fetch(void *ctx, int offset, unsigned int count, uint32_t *words)
{
	struct pp *pp = ctx;
	struct pp_program *p = pp->shader->decoding;
	uint32_t *more;

	pp->count[PP_CNT_PROGRAM_READS] += (count + 1) / 2;
	if (!pp_read(pp, p->va + 4 * offset, words, 4 * count))
		return false;
	if (p->used + count + 2 > p->room) {
		more = realloc(p->words, 4 * (p->room * 2 + count + 64));
		if (!more)
			return true;	/* not recorded: decoded anew in the next job */
		p->words = more;
		p->room = p->room * 2 + count + 64;
	}
	p->words[p->used++] = offset;
	p->words[p->used++] = count;
	memcpy(p->words + p->used, words, 4 * count);
	p->used += count;
	return true;
}

/* Does memory still hold what the program was decoded from? */
static bool unchanged(struct pp *pp, const struct pp_program *p)
{
	unsigned int i = 0;
	uint32_t word;

	while (i < p->used) {
		uint32_t va = p->va + 4 * p->words[i], n = p->words[i + 1];

		for (i += 2; n; n--, i++, va += 4) {
			if (!pp_read(pp, va, &word, 4))
				return false;
			if (word != p->words[i])
				return false;
		}
	}
	return p->used;
}

static void drop(struct pp_program *p)
{
	ppsim_free(p->code);
	p->code = NULL;
	p->used = 0;
}

void pp_program_flush(struct pp *pp)
{
	unsigned int i;

	for (i = 0; i < PROGRAMS; i++)
		pp->shader->program[i].current = false;
	pp->shader->env.down = !UTGARD_GET(PP_FLIP_DERIVATIVES, pp->frame[PP_SCALING / 4]);
	pp->shader->batch_env.down = pp->shader->env.down;
}

static struct pp_program *program_get(struct pp *pp, const struct pp_draw *d)
{
	struct pp_shader *s = pp->shader;
	const struct isa_messages *notes;
	struct pp_program *p;
	unsigned int i;

	for (i = 0; i < PROGRAMS; i++) {
		p = &s->program[i];
		if (!p->code || p->va != d->shader || p->first_length != d->first_length)
			continue;
		if (p->current || unchanged(pp, p)) {
			p->current = true;
			return p;
		}
		break;
	}
	if (pp->fault)
		return NULL;
	if (i == PROGRAMS)
		p = &s->program[s->next++ % PROGRAMS];
	drop(p);
	p->va = d->shader;
	p->first_length = d->first_length;
	s->decoding = p;
	p->code = ppsim_decode(cb_fetch, pp, d->first_length);
	if (pp->fault || !p->code) {
		drop(p);
		return NULL;
	}
	p->current = true;
	p->reads_place = ppsim_reads_place(p->code);
	notes = ppsim_notes(p->code);
	for (i = 0; i < notes->count; i++)
		unit_report(&pp->u, "shader at 0x%08x, word %d (0x%08x): %s", p->va, (int)notes->list[i].at,
			    p->va + 4 * notes->list[i].at, notes->list[i].text);
	return p;
}

/* --- Running ------------------------------------------------------------ */

static void prepare(struct pp *pp, struct ppsim_env *env)
{
	const struct pp_block *b = pp->block;
	const struct pp_prim *p = &pp->prim;
	const struct pp_tri *t = &p->tri;
	uint32_t stack = UTGARD_GET(PP_STACK_SIZE_SIZE, pp->frame[PP_STACK_SIZE / 4]), scaling = pp->frame[PP_SCALING / 4];
	double z;
	v8f y;

	/* GUESS(pp-stack-unit): the stack size counts vec4s of a fragment. */
	env->temporaries = stack < PPSIM_TEMPORARIES ? stack : PPSIM_TEMPORARIES;
	if (!pp->draw->program->reads_place)
		return;
	z = t->z[0] + t->z_offset + t->z[1] * (b->x + 0.5 - t->ref_x) + t->z[2] * (b->y + 0.5 - t->ref_y);
	/*
	 * The origin registers count half pixels; y runs upwards from the bottom of the frame, in
	 * what Mesa writes (1 and 2 * height - 1, FLIP_FRAGCOORD and FLIP_DERIVATIVES). Mesa's shaders lean on it: for the
	 * window's surface, which lies in memory upside down, they take y as it comes (st STATE_FB_WPOS_
	 * Y_TRANSFORM, nir_lower_wpos_ytransform.c with lower-left origin).
	 * GUESS(pp-scaling): without a flip that y grows downwards, from an origin of 1 on, as x does, which is what limare
	 * knows for a frame off the screen (ioctl_registers.h); with FLIP_SPRITES a point's y grows upwards. The bits that
	 * scale do nothing with factors of 0. (Names: Mesa genxml/common.xml.)
	 */
	y = (float)b->y + lane_y;
	env->fragcoord[0] = (float)(int32_t)pp->frame[PP_ORIGIN_OFFSET_X / 4] * 0.5f + (float)b->x + lane_x;
	env->fragcoord[1] = (float)(int32_t)pp->frame[PP_ORIGIN_OFFSET_Y / 4] * 0.5f +
			    (UTGARD_GET(PP_FLIP_FRAGCOORD, scaling) ? -y : y);
	env->fragcoord[2] = (float)z + (float)t->z[1] * lane_x + (float)t->z[2] * lane_y;
	env->fragcoord[3] = b->w;
	env->frontfacing = (v8f){ 0 } + (t->front ? 1.0f : 0.0f);
	/* GUESS(pp-pointcoord): of what is no point, undefined in OpenGL ES 2.0 (3.3), it is 0, and not what the last point left. */
	env->pointcoord[0] = env->pointcoord[1] = (v8f){ 0 };
	if (p->op == PLB_OP_POINT) {
		env->pointcoord[0] = ((float)(b->x + 0.5) + lane_x - p->pos[0][0]) / p->size + 0.5f;
		env->pointcoord[1] = ((float)(b->y + 0.5) + lane_y - p->pos[0][1]) / p->size + 0.5f;
		if (UTGARD_GET(PP_FLIP_SPRITES, scaling))
			env->pointcoord[1] = 1 - env->pointcoord[1];
	}
}

/* Not of a pixel that is lost already and runs along with its quad. */
static bool pp_watches_steps(const struct pp *pp)
{
	return pp->watched && pp->watched->verdict == MODEL_DRAWN && pp->u.model->watch->step;
}

static void report_events(struct pp *pp, const struct ppsim_state *s)
{
	uint32_t va = pp->draw->shader;

	if (s->events & PPSIM_TEMPORARY_RANGE && pp_once(pp, PP_ONCE_STACK))
		unit_report(&pp->u, "shader at 0x%08x, word %d: temporary out of range, stack size register is 0x%08x",
			    va, (int)s->event_at[1], pp->frame[PP_STACK_SIZE / 4]);
	if (s->events & PPSIM_UNKNOWN_OP && pp_once(pp, PP_ONCE_SHADER))
		unit_report(&pp->u, "shader at 0x%08x, word %d: unknown operation, result 0", va,
			    (int)s->event_at[2]);
}

uint8_t pp_shade(struct pp *pp, uint8_t lanes, v8f color[4], v8f color1[4], v8f depth[4])
{
	struct pp_shader *s = pp->shader;
	struct ppsim_state *state = s->state;
	struct pp_draw *d = pp->draw;
	uint8_t run = (lanes & 0x0f ? 0x0f : 0) | (lanes & 0xf0 ? 0xf0 : 0);
	enum sim_status status;

	/* Another shader may have taken the program's place since. */
	if (!d->program || d->program->va != d->shader ||
	    d->program->first_length != d->first_length)
		d->program = program_get(pp, d);
	if (!d->program)
		return 0;
	prepare(pp, &s->env);
	ppsim_begin(state, d->program->code, &s->env, run);
	status = pp_watches_steps(pp) ? pp_watch_run(pp, state, ENDLESS) : ppsim_run(state, ENDLESS);
	pp->budget -= 8 + (int)state->instructions;
	pp->count[PP_CNT_INSTRUCTIONS] += state->instructions;
	if (pp->fault)
		return 0;
	if (state->events)
		report_events(pp, state);
	if (status != SIM_DONE) {
		unit_report(&pp->u, "shader at 0x%08x, pixel %d, %d: %s; the core hangs", d->shader,
			    pp->block->x, pp->block->y, status == SIM_LIMIT ?
			    "more instructions than any shader needs" : state->fault.reason);
		pp->hang = true;
		return 0;
	}
	memcpy(color, state->registers[d->color_reg], 4 * sizeof(*color));
	if (d->blend)
		memcpy(color1, state->registers[d->color1_reg], 4 * sizeof(*color1));
	if (d->shader_depth || d->shader_stencil)
		memcpy(depth, state->registers[d->depth_reg], 4 * sizeof(*depth));
	return lanes & ~state->discarded;
}

bool pp_shades_batches(struct pp *pp)
{
	const struct pp_draw *d = pp->draw;

	return d->program && d->program->va == d->shader && d->program->first_length == d->first_length &&
	       ppsim_straight(d->program->code);
}

bool pp_shade_batch(struct pp *pp)
{
	const struct pp_draw *d = pp->draw;
	uint32_t vertex_valid = pp->prim.vertex_valid, plane_valid = pp->prim.plane_valid, taken = pp->samples_taken;
	unsigned int wanted = 1u << d->color_reg, n = pp->batch->sim.n;
	unsigned int length = ppsim_straight(d->program->code);
	uint64_t count[PP_CNT_MAX];

	if (d->blend)
		wanted |= 1u << d->color1_reg;
	if (d->shader_depth || d->shader_stencil)
		wanted |= 1u << d->depth_reg;
	memcpy(count, pp->count, sizeof(count));
	if (!ppsim_batch_run(d->program->code, &pp->batch->sim, wanted)) {
		memcpy(pp->count, count, sizeof(count));
		pp->prim.vertex_valid = vertex_valid;
		pp->prim.plane_valid = plane_valid;
		pp->samples_taken = taken;
		pp->fault = false;
		return false;
	}
	pp->budget -= (int)(n * (8 + length));
	pp->count[PP_CNT_INSTRUCTIONS] += n * length;
	return true;
}

int pp_shade_init(struct pp *pp)
{
	struct pp_shader *s = aligned_alloc(64, (sizeof(*s) + 63) & ~(size_t)63);

	if (!s)
		return -1;
	memset(s, 0, sizeof(*s));
	pp->shader = s;
	s->state = aligned_alloc(64, (sizeof(*s->state) + 63) & ~(size_t)63);
	if (!s->state)
		return -1;
	memset(s->state, 0, sizeof(*s->state));
	pp->batch = aligned_alloc(64, (sizeof(*pp->batch) + 63) & ~(size_t)63);
	if (!pp->batch)
		return -1;
	memset(pp->batch, 0, sizeof(*pp->batch));
	s->batch_env = (struct ppsim_env){
		.ctx = pp,
		.uniform = batch_uniform,
		.varying = batch_varying,
		.sample = batch_sample,
	};
	pp->batch->sim.env = &s->batch_env;
	s->env = (struct ppsim_env){
		.ctx = pp,
		.uniform = cb_uniform,
		.varying = cb_varying,
		.sample = cb_sample,
		.framebuffer = cb_framebuffer,
	};
	return 0;
}

void pp_shade_destroy(struct pp *pp)
{
	unsigned int i;

	if (!pp->shader)
		return;
	for (i = 0; i < PROGRAMS; i++) {
		drop(&pp->shader->program[i]);
		free(pp->shader->program[i].words);
	}
	free(pp->shader->state);
	free(pp->batch);
	free(pp->shader);
}
