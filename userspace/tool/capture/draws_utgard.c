// SPDX-License-Identifier: MIT
/* Draws of a GP job: what the VS list and the PLBU list have set when each of them draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/lima_drm.h>
#include <limn/utgard/gp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/half.h"
#include "lib/utgard/decode.h"
#include "lib/utgard/states.h"
#include "tool/capture/draws.h"

#define MAX_WORDS	1024	/* of a shader */
#define MAX_UNIFORMS	64	/* that are told, of each kind */
#define MAX_TEXTURES	8
#define PLBU_REGS	16	/* from PLBU_REG_POSITIONS on */

/* Orders of facts. */
enum {
	ORDER_LIST, ORDER_VERTEX_SHADER, ORDER_ATTRIBUTES = 0x20, ORDER_INDICES = 0x40, ORDER_VERTEX_UNIFORMS = 0x100, ORDER_PLBU = 0x800, ORDER_RSW = 0x1000, ORDER_FRAGMENT_SHADER = 0x2000,
	ORDER_FRAGMENT_UNIFORMS = 0x2100, ORDER_TEXELS = 0x2200, ORDER_TEXTURES = 0x3000, ORDER_TEXTURE = 0x1000,
};

struct vertex {
	struct utgard_state state;
	char text[120];
	uint32_t words[2];
	uint32_t streams[2];	/* VS: attributes, varyings: how many */
	uint32_t plbu[PLBU_REGS];	/* PLBU: its registers, and which were set */
	uint32_t plbu_set;
};

/* A walk over a list: a command has drawn when the count of draws goes up behind it. */
struct walk {
	const struct replay_job *job;
	struct vertex last, *draws;
	size_t num;
	bool any;
};

static const void *memory_at(void *ctx, uint32_t va, uint32_t len)
{
	return limn_replay_memory(ctx, va, len);
}

static void keep(struct walk *w)
{
	struct vertex *more = realloc(w->draws, (w->num + 1) * sizeof(*more));

	if (!more)
		return;
	w->draws = more;
	more[w->num++] = w->last;
}

static bool on_command(void *ctx, const struct utgard_command *c)
{
	struct walk *w = ctx;
	uint32_t number;

	if (w->any && c->state->draws > w->last.state.draws)
		keep(w);
	w->any = true;
	w->last.state = *c->state;
	memcpy(w->last.words, c->words, sizeof(w->last.words));
	if (c->list == UTGARD_VS_LIST && c->words[1] >> 28 == VS_STREAMS__OP)
		w->last.streams[!!utgard_get(c->words, VS_STREAMS_VARYINGS)] = utgard_get(c->words, VS_STREAMS_COUNT);
	number = utgard_get(c->words, PLBU_REGISTER_NUMBER) - PLBU_REG_POSITIONS;
	if (c->list == UTGARD_PLBU_LIST && c->words[1] >> 28 == PLBU_REGISTER__OP && number < PLBU_REGS) {
		w->last.plbu[number] = c->words[0];
		w->last.plbu_set |= 1u << number;
	}
	snprintf(w->last.text, sizeof(w->last.text), "%s", c->text);
	return true;
}

static void walk_list(struct walk *w, enum utgard_list list, uint32_t start, uint32_t end)
{
	const struct utgard_memory memory = { (void *)w->job, memory_at };
	struct utgard_walk result;

	if (start == end)
		return;
	limn_utgard_decode(&memory, list, start, end, on_command, w, &result);
	if (w->any && result.state.draws > w->last.state.draws)
		keep(w);
}

/* --- One draw ----------------------------------------------------------------------------- */

/* The named fields of a block in memory; words without fields as they are. */
static void block_facts(struct draws *d, uint32_t order, enum utgard_block block, const char *prefix, const uint32_t *words,
			unsigned int num_words)
{
	const struct utgard_field *f, *next;

	for (unsigned int i = 0; (f = limn_utgard_field_at(i)); i++) {
		uint64_t two = 0;
		char key[80];
		char name[40];
		struct draw_fact *fact;
		uint32_t value;

		next = limn_utgard_field_at(i + 1);
		if (f->block != block || f->bit / 32u >= num_words ||
		    (f->width == 32 && f->kind != UTGARD_KIND_ADDR && next && next->block == block && next->width < 32))
			continue;
		memcpy(&two, words + f->bit / 32, f->bit / 32 + 1u < num_words ? 8 : 4);
		value = two >> f->bit % 32;
		value &= f->width == 32 ? ~0u : (1u << f->width) - 1;
		snprintf(key, sizeof(key), "%s.%s", prefix, f->name);
		if (limn_utgard_value_text(f->kind, value, name, sizeof(name)))
			fact = draws_fact(d, order + i, key, "%s", name);
		else
			fact = draws_fact(d, order + i, key, f->kind == UTGARD_KIND_UINT || f->kind == UTGARD_KIND_BOOL ? "%u" : "0x%x",
					  value);
		if (fact)
			fact->address = f->kind == UTGARD_KIND_ADDR || !strcmp(f->name, "LEVEL0");
	}
}

static void vertex_facts(struct draws *d, const struct replay_job *job, const struct vertex *v)
{
	const struct utgard_memory memory = { (void *)job, memory_at };
	uint32_t words[MAX_WORDS];
	size_t n = limn_utgard_shader_words(&memory, UTGARD_VS_LIST, v->state.shader, v->state.shader_instructions, words,
					    MAX_WORDS);
	const void *p;

	if (n)
		draws_code(d, ORDER_VERTEX_SHADER, "vertex shader", "utgard-gp", words, n);
	for (uint32_t i = 0; i < v->state.uniform_vectors && i < MAX_UNIFORMS; i++) {
		float f[4];
		char key[40];

		p = limn_replay_memory(job, v->state.uniforms + 16 * i, 16);
		if (!p)
			break;
		memcpy(f, p, sizeof(f));
		snprintf(key, sizeof(key), "vertex uniform %u", i);
		draws_fact(d, ORDER_VERTEX_UNIFORMS + i, key, "%g %g %g %g", f[0], f[1], f[2], f[3]);
	}
}

/* What the vertices and indices are. */
static void data_facts(struct draws *d, const struct replay_job *job, const struct vertex *vs, const struct vertex *plbu)
{
	struct draws_array indices = {
		.va = plbu->plbu[PLBU_REG_INDICES - PLBU_REG_POSITIONS], .count = utgard_get(plbu->words, PLBU_DRAW_COUNT),
		.bytes = 1u << UTGARD_GET(PLBU_REG_INDEX_SIZE, plbu->state.primitive),
	};

	indices.stride = indices.bytes;
	for (uint32_t i = 0; i < vs->streams[0]; i++) {
		const void *p = limn_replay_memory(job, vs->state.attributes + 8 * i, 8);
		struct draws_array a = { .count = utgard_get(vs->words, VS_DRAW_COUNT) };
		uint32_t w[2] = { 0, GP_STREAM_UNUSED };
		char key[32];

		if (p)
			memcpy(w, p, sizeof(w));
		if (w[1] == GP_STREAM_UNUSED)
			continue;
		a.va = w[0];
		a.stride = GP_STREAM_STRIDE(w[1]);
		a.floats = GP_STREAM_TYPE(w[1]) == GP_TYPE_F32;
		a.bytes = a.floats ? 4 * GP_STREAM_COMPONENTS(w[1]) : a.stride;
		snprintf(key, sizeof(key), "attribute %u", i);
		draws_array(d, ORDER_ATTRIBUTES + i, key, job, &a);
	}
	if (utgard_get(plbu->words, PLBU_DRAW_INDEXED))
		draws_array(d, ORDER_INDICES, "indices", job, &indices);
}

/* The PLBU's registers: their fields, or the whole. */
static void plbu_facts(struct draws *d, const struct vertex *v)
{
	const struct utgard_field *f, *next;

	for (unsigned int i = 0; (f = limn_utgard_field_at(i)); i++) {
		uint32_t n = f->bit / 32u - PLBU_REG_POSITIONS, value = n < PLBU_REGS ? v->plbu[n] : 0;
		struct draw_fact *fact;
		char key[80], name[40];
		float real;

		next = limn_utgard_field_at(i + 1);
		if (f->block != UTGARD_BLOCK_PLBU_REG || n >= PLBU_REGS || !(v->plbu_set >> n & 1) ||
		    (f->width == 32 && next && next->block == f->block && next->bit / 32 == f->bit / 32))
			continue;
		memcpy(&real, &value, sizeof(real));
		value = f->width == 32 ? value : value >> f->bit % 32 & ((1u << f->width) - 1);
		snprintf(key, sizeof(key), "PLBU_REG.%s", f->name);
		if (f->kind == UTGARD_KIND_FLOAT)
			fact = draws_fact(d, ORDER_PLBU + i, key, "%g", (double)real);
		else if (limn_utgard_value_text(f->kind, value, name, sizeof(name)))
			fact = draws_fact(d, ORDER_PLBU + i, key, "%s", name);
		else
			fact = draws_fact(d, ORDER_PLBU + i, key, "0x%x", value);
		if (fact)
			fact->address = f->kind == UTGARD_KIND_ADDR;
	}
}

static void fragment_uniforms(struct draws *d, const struct replay_job *job, const uint32_t *rsw)
{
	const void *list = limn_replay_memory(job, rsw[11] & ~15u, 4);
	uint32_t vectors = 1u << (rsw[11] & 15), va;

	if (!(rsw[13] & 0x80) || !list)
		return;
	memcpy(&va, list, 4);
	for (uint32_t i = 0; i < vectors && i < MAX_UNIFORMS; i++) {
		const uint8_t *p = limn_replay_memory(job, va + 8 * i, 8);
		uint16_t h[4];
		char key[40];

		if (!p)
			return;
		memcpy(h, p, sizeof(h));
		snprintf(key, sizeof(key), "fragment uniform %u", i);
		draws_fact(d, ORDER_FRAGMENT_UNIFORMS + i, key, "%g %g %g %g", half_to_float(h[0]), half_to_float(h[1]),
			   half_to_float(h[2]), half_to_float(h[3]));
	}
}

static void texture_facts(struct draws *d, const struct replay_job *job, const uint32_t *rsw)
{
	uint32_t num = rsw[13] & 0x20 ? rsw[13] >> 14 & 0x3fff : 0;

	for (uint32_t i = 0; i < num && i < MAX_TEXTURES; i++) {
		const void *p = limn_replay_memory(job, rsw[12] + 4 * i, 4);
		uint32_t va, words[8];
		char prefix[16];

		if (!p)
			return;
		memcpy(&va, p, 4);
		p = limn_replay_memory(job, va, sizeof(words));
		if (!p)
			continue;
		memcpy(words, p, sizeof(words));
		snprintf(prefix, sizeof(prefix), "TEX[%u]", i);
		block_facts(d, ORDER_TEXTURES + i * ORDER_TEXTURE, UTGARD_BLOCK_TEX, prefix, words, 8);
		draws_texels(d, ORDER_TEXELS + i, i, job, utgard_tex_level(words, 0) << TEX_LEVEL_SHIFT, draws_utgard_texels(words));
	}
}

static void render_facts(struct draws *d, const struct replay_job *job, uint32_t state)
{
	const struct utgard_memory memory = { (void *)job, memory_at };
	const void *p = state ? limn_replay_memory(job, state, RSW_BYTES) : NULL;
	uint32_t rsw[RSW_WORDS], words[MAX_WORDS];
	size_t n;

	if (!p)
		return;
	memcpy(rsw, p, sizeof(rsw));
	block_facts(d, ORDER_RSW, UTGARD_BLOCK_RSW, "RSW", rsw, RSW_WORDS);
	n = limn_utgard_shader_words(&memory, UTGARD_TILE_LIST, rsw[9] & RSW_SHADER_MASK, 0, words, MAX_WORDS);
	if (n)
		draws_code(d, ORDER_FRAGMENT_SHADER, "fragment shader", "utgard-pp", words, n);
	fragment_uniforms(d, job, rsw);
	texture_facts(d, job, rsw);
}

/* The VS draw that makes the positions of a PLBU's; NULL: none does, as of the rectangle that drivers clear with. */
static const struct vertex *vs_draw_of(const struct walk *vs, const struct vertex *plbu)
{
	for (size_t i = 0; i < vs->num; i++) {
		const struct vertex *v = &vs->draws[i];

		for (uint32_t k = 0; k < v->streams[1]; k++) {
			const void *p = limn_replay_memory(vs->job, v->state.varyings + 8 * k, 4);
			uint32_t address = 0;

			if (p)
				memcpy(&address, p, 4);
			if (p && address == plbu->state.positions)
				return v;
		}
	}
	return NULL;
}

/* A PP job draws what the last GP job of its file has listed: what it reads is there now. */
static void drawn_by(struct draws *d, const struct replay_job *job)
{
	size_t n = d->num;

	while (n && (d->list[n - 1].file != job->submit->file || d->list[n - 1].drawn))
		n--;
	for (size_t i = n; i-- && d->list[i].submit == d->list[n - 1].submit && d->list[i].file == job->submit->file;) {
		d->into = &d->list[i];
		d->into->drawn = true;
		draws_forget(d->into, ORDER_RSW);
		render_facts(d, job, d->into->state);
		draws_sort(d->into);
	}
	d->into = NULL;
}

void draws_of_utgard(struct draws *d, const struct replay_job *job)
{
	struct walk vs = { .job = job }, plbu = { .job = job };
	const uint32_t *frame = job->words;

	if (job->submit->told.pipe == LIMA_PIPE_PP)
		drawn_by(d, job);
	if (job->submit->told.pipe != LIMA_PIPE_GP || job->submit->told.cmd_size < sizeof(struct drm_lima_gp_frame))
		return;
	walk_list(&vs, UTGARD_VS_LIST, frame[GP_VSCL_START / 4], frame[GP_VSCL_END / 4]);
	walk_list(&plbu, UTGARD_PLBU_LIST, frame[GP_PLBUCL_START / 4], frame[GP_PLBUCL_END / 4]);
	for (size_t i = 0; i < plbu.num; i++) {
		struct draw *draw = draws_add(d, job->submit->number, i, plbu.draws[i].text);
		const uint32_t *s = plbu.draws[i].state.scissor;
		const struct vertex *v;

		if (!draw)
			break;
		draw->state = plbu.draws[i].state.rsw;
		draw->file = job->submit->file;
		draws_fact(d, ORDER_LIST, "scissor", "%u,%u to %u,%u", s[0], s[1], s[2], s[3]);
		v = vs_draw_of(&vs, &plbu.draws[i]);
		if (v) {
			vertex_facts(d, job, v);
			data_facts(d, job, v, &plbu.draws[i]);
		}
		plbu_facts(d, &plbu.draws[i]);
		render_facts(d, job, plbu.draws[i].state.rsw);
	}
	free(vs.draws);
	free(plbu.draws);
}
