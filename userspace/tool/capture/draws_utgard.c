// SPDX-License-Identifier: MIT
/* Draws of a GP job: what the VS list and the PLBU list have set when each of them draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/lima_drm.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/half.h"
#include "lib/utgard/decode.h"
#include "lib/utgard/states.h"
#include "tool/capture/draws.h"

#define MAX_WORDS	1024	/* of a shader */
#define MAX_UNIFORMS	64	/* that are told, of each kind */
#define MAX_TEXTURES	8

/* Orders of facts. */
enum {
	ORDER_LIST, ORDER_VERTEX_SHADER, ORDER_VERTEX_UNIFORMS = 0x100, ORDER_RSW = 0x1000, ORDER_FRAGMENT_SHADER = 0x2000,
	ORDER_FRAGMENT_UNIFORMS = 0x2100, ORDER_TEXTURES = 0x3000, ORDER_TEXTURE = 0x1000,
};

struct vertex {
	struct utgard_state state;
	char text[120];
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

	if (w->any && c->state->draws > w->last.state.draws)
		keep(w);
	w->any = true;
	w->last.state = *c->state;
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
	}
}

static void render_facts(struct draws *d, const struct replay_job *job, const struct utgard_state *s)
{
	const struct utgard_memory memory = { (void *)job, memory_at };
	const void *p = s->rsw ? limn_replay_memory(job, s->rsw, RSW_BYTES) : NULL;
	uint32_t rsw[RSW_WORDS], words[MAX_WORDS];
	size_t n;

	draws_fact(d, ORDER_LIST, "scissor", "%u,%u to %u,%u", s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
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

void draws_of_utgard(struct draws *d, const struct replay_job *job)
{
	struct walk vs = { .job = job }, plbu = { .job = job };
	const uint32_t *frame = job->words;

	if (job->submit->told.pipe != LIMA_PIPE_GP || job->submit->told.cmd_size < sizeof(struct drm_lima_gp_frame))
		return;
	walk_list(&vs, UTGARD_VS_LIST, frame[GP_VSCL_START / 4], frame[GP_VSCL_END / 4]);
	walk_list(&plbu, UTGARD_PLBU_LIST, frame[GP_PLBUCL_START / 4], frame[GP_PLBUCL_END / 4]);
	for (size_t i = 0; i < plbu.num; i++) {
		struct draw *draw = draws_add(d, job->submit->number, i, plbu.draws[i].text);

		if (!draw)
			break;
		draw->state = plbu.draws[i].state.rsw;
		/* Drivers write both lists draw by draw. */
		if (vs.num == plbu.num)
			vertex_facts(d, job, &vs.draws[i]);
		render_facts(d, job, &plbu.draws[i].state);
	}
	free(vs.draws);
	free(plbu.draws);
}
