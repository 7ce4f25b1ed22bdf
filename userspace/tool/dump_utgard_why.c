// SPDX-License-Identifier: MIT
/* limn decode: on which command GP or PP stopped, and why. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/isa.h"
#include "isa/utgard_gp.h"
#include "tool/dump_utgard.h"

uint32_t dump_frame_word(const struct dump_job *job, unsigned int i)
{
	uint32_t w = 0;

	if ((i + 1) * sizeof(w) <= job->frame_size)
		memcpy(&w, job->frame + i * sizeof(w), sizeof(w));
	return w;
}

void dump_place_text(const struct dump_job *job, uint64_t va, char *text, size_t size)
{
	const struct dump_region *region = dump_region_of(job, va);

	if (!region)
		snprintf(text, size, "in no BO of the job");
	else
		snprintf(text, size, "byte 0x%llx of the BO at 0x%llx%s%s%s", (unsigned long long)(va - region->va),
			 (unsigned long long)region->va, region->label[0] ? " (" : "", region->label,
			 region->label[0] ? ")" : "");
}

/* --- Finding the command ------------------------------------------------------------ */

struct search {
	uint32_t address;	/* of memory, or of a command */
	bool memory;
	bool found;
	uint32_t va;
	unsigned int at, commands;
};

static bool look_for(void *ctx, const struct utgard_command *c)
{
	struct search *s = ctx;

	if (!s->found && (s->memory ? c->bytes && s->address - c->address < c->bytes : c->va == s->address)) {
		s->found = true;
		s->va = c->va;
		s->at = s->commands;
	}
	s->commands++;
	return true;
}

static bool find(struct unit *u, uint32_t address, bool memory, struct search *s, struct utgard_walk *walk)
{
	*s = (struct search){ .address = address, .memory = memory };
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, look_for, s, walk);
	return s->found;
}

/* A memory access that failed. */
struct access {
	uint32_t address;
	const char *verb, *did, *why;	/* "writes", "wrote", "where nothing is mapped for that" */
};

bool dump_page_fault(const struct dump *dump, const char *mmu, uint32_t *address, bool *write)
{
	uint32_t status, raw;

	if (!dump_reg(dump, mmu, MMU_STATUS, &status) || !dump_reg(dump, mmu, MMU_INT_RAWSTAT, &raw))
		return false;
	*write = status & MMU_STATUS_FAULT_IS_WRITE;
	return (raw & MMU_INT_PAGE_FAULT || status & MMU_STATUS_PAGE_FAULT_ACTIVE) &&
	       dump_reg(dump, mmu, MMU_PAGE_FAULT_ADDR, address);
}

/* That, or what the bus has refused. */
static bool failed_access(const struct unit *u, struct access *f)
{
	bool tiles = u->list == UTGARD_TILE_LIST, write = false;
	uint32_t raw = 0;

	*f = (struct access){ .why = "where nothing is mapped for that" };
	if (dump_page_fault(u->dump, u->mmu, &f->address, &write)) {
		f->verb = write ? "writes" : "reads";
		f->did = write ? "wrote" : "read";
		return true;
	}
	f->verb = "uses";
	f->did = "used";
	f->why = "where the bus answers with an error";
	dump_reg(u->dump, u->name, tiles ? PP_INT_RAWSTAT : GP_INT_RAWSTAT, &raw);
	return raw & (tiles ? PP_IRQ_BUS_ERROR : GP_IRQ_BUS_ERROR) &&
	       dump_reg(u->dump, u->name, tiles ? PP_BUS_ERROR_STATUS : GP_BUS_ERROR_STAT, &f->address);
}

static void stop_at(struct unit *u, uint32_t va, unsigned int index)
{
	u->stop = va;
	u->stop_index = index;
	u->has_stop = true;
}

/* Where the unit stopped, if that is why. */
static bool stop_for(struct unit *u, uint32_t va, unsigned int index, const char *why)
{
	if (!why[0])
		return false;
	stop_at(u, va, index);
	snprintf(u->why, sizeof(u->why), "%s", why);
	return true;
}

#define MAX_ELEMENTS	(1u << 20)	/* that are looked at in all: a broken dump may have any number */

/* The draw of which a stream, an index or a vertex is at an address that failed, or outside of the write bounds. */
struct stream_search {
	const struct utgard_memory *memory;
	const struct access *access;	/* NULL: what is written outside of bounds */
	uint32_t bounds[2];
	uint32_t streams[2];		/* VS: attributes, varyings: how many */
	uint32_t indices, positions;	/* PLBU: registers */
	uint32_t elements;		/* PLBU: looked at */
	unsigned int commands;
	uint32_t va;
	char why[160];
};

static void check_streams(struct stream_search *s, const struct utgard_state *state, uint32_t count)
{
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t table = k ? state->varyings : state->attributes;

		for (uint32_t i = 0; i < s->streams[k] && !s->why[0]; i++) {
			const void *p = s->memory->at(s->memory->ctx, table + 8 * i, 8);
			uint32_t w[2], bytes;

			if (!p)
				break;
			memcpy(w, p, sizeof(w));
			bytes = count * GP_STREAM_STRIDE(w[1]);
			if (w[1] == GP_STREAM_UNUSED)
				continue;
			if (s->access && s->access->address - w[0] < bytes)
				snprintf(s->why, sizeof(s->why), "%s %u of this draw, of %u vertices, %s 0x%08x, %s", k ? "varying" : "attribute", i,
					 count, *s->access->verb == 'u' ? "uses" : k ? "writes" : "reads", s->access->address, s->access->why);
			else if (!s->access && k && (w[0] < s->bounds[0] || w[0] + bytes - 1 > s->bounds[1]))
				snprintf(s->why, sizeof(s->why), "varying %u of this draw is written from 0x%08x on, but the write bounds are 0x%08x and "
					 "0x%08x", i, w[0], s->bounds[0], s->bounds[1]);
		}
	}
}

static void check_elements(struct stream_search *s, const struct utgard_command *c)
{
	uint32_t count = utgard_get(c->words, PLBU_DRAW_COUNT), start = utgard_get(c->words, PLBU_DRAW_START);
	uint32_t bytes = 1u << UTGARD_GET(PLBU_REG_INDEX_SIZE, c->state->primitive), address = s->access->address;
	bool indexed = utgard_get(c->words, PLBU_DRAW_INDEXED);

	if (indexed && address - s->indices < count * bytes)
		snprintf(s->why, sizeof(s->why), "this draw %s its indices at 0x%08x, %s", s->access->verb, address, s->access->why);
	for (uint32_t i = 0; i < count && !s->why[0] && s->elements < MAX_ELEMENTS; i++, s->elements++) {
		uint32_t index = indexed ? 0 : i;	/* indices of size 3 do not exist: the model takes 0 */
		bool read = indexed && bytes <= sizeof(index);
		const void *p = read ? s->memory->at(s->memory->ctx, s->indices + i * bytes, bytes) : NULL;

		if (p)
			memcpy(&index, p, bytes);
		if ((p || !read) && address - ((indexed ? s->positions : c->state->positions) + 16 * (index - (indexed ? start : 0))) < 16)
			snprintf(s->why, sizeof(s->why), "this draw %s the position of vertex %u at 0x%08x, %s", s->access->verb, index, address,
				 s->access->why);
	}
}

static bool find_stream(void *ctx, const struct utgard_command *c)
{
	struct stream_search *s = ctx;
	uint32_t op = c->words[1] >> GP_OP_SHIFT, number = utgard_get(c->words, PLBU_REGISTER_NUMBER);

	if (c->list == UTGARD_VS_LIST && op == VS_STREAMS__OP)
		s->streams[!!utgard_get(c->words, VS_STREAMS_VARYINGS)] = utgard_get(c->words, VS_STREAMS_COUNT);
	else if (c->list == UTGARD_VS_LIST && op == VS_DRAW__OP)
		check_streams(s, c->state, utgard_get(c->words, VS_DRAW_COUNT));
	else if (c->list == UTGARD_PLBU_LIST && op == PLBU_REGISTER__OP && (number == PLBU_REG_INDICES || number == PLBU_REG_POSITIONS))
		*(number == PLBU_REG_INDICES ? &s->indices : &s->positions) = c->words[0];
	else if (c->list == UTGARD_PLBU_LIST && op == PLBU_STORE__OP && !s->access && (c->words[0] < s->bounds[0] || c->words[0] + 3 > s->bounds[1]))
		snprintf(s->why, sizeof(s->why), "it stores a register at 0x%08x, but the write bounds are 0x%08x and 0x%08x", c->words[0],
			 s->bounds[0], s->bounds[1]);
	else if (c->list == UTGARD_PLBU_LIST && op == PLBU_DRAW__OP && s->access && (c->words[0] || c->words[1]))
		check_elements(s, c);
	s->va = c->va;
	s->commands += !s->why[0];
	return !s->why[0];
}

/* Of the access that failed; NULL: of the write bounds. */
static bool stream_fault(struct unit *u, const struct access *access)
{
	struct stream_search s = { .memory = &u->memory, .access = access };
	struct utgard_walk walk;

	if (u->list == UTGARD_TILE_LIST || (!access && (!dump_reg(u->dump, u->name, GP_WRITE_BOUND_LOW, &s.bounds[0]) ||
							!dump_reg(u->dump, u->name, GP_WRITE_BOUND_HIGH, &s.bounds[1]))))
		return false;
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, find_stream, &s, &walk);
	return stop_for(u, s.va, s.commands, s.why);
}

/* Why a GP's list that is sound does not end. */
struct waits {
	unsigned int raised, waited;	/* of the semaphore that a list waits for; by the other one, by this one */
	bool began;			/* PLBU: between its two semaphore commands, where draws without indices wait as well */
	unsigned int commands;
	uint32_t va;
	char why[120];
};

static bool count_raised(void *ctx, const struct utgard_command *c)
{
	struct waits *w = ctx;

	if (c->list == UTGARD_VS_LIST)
		w->raised += c->words[1] == VS_W1_SEMAPHORE && (c->words[0] == VS_SEM_END || c->words[0] == VS_SEM_END_INDEXED);
	else
		w->raised += c->words[1] == PLBU_W1_SEMAPHORE && c->words[0] == PLBU_SEM_BEGIN;
	return true;
}

static bool find_wait(void *ctx, const struct utgard_command *c)
{
	struct waits *w = ctx;
	bool vs = c->list == UTGARD_VS_LIST;
	uint32_t count = utgard_get(c->words, PLBU_DRAW_COUNT);

	if (c->words[1] == (vs ? VS_W1_SEMAPHORE : PLBU_W1_SEMAPHORE) && c->words[0] == (vs ? VS_SEM_BEGIN_2 : PLBU_SEM_END)) {
		if (w->waited++ == w->raised)
			snprintf(w->why, sizeof(w->why), "it waits for a semaphore of the %s, whose list raises it %u times", vs ? "PLBU" : "VS",
				 w->raised);
		w->began = false;
	} else if (!vs && c->words[1] == PLBU_W1_SEMAPHORE) {
		w->began = true;
	} else if (!vs && w->began && w->waited == w->raised && c->words[1] >> GP_OP_SHIFT == PLBU_DRAW__OP && (c->words[0] || c->words[1]) &&
		   !utgard_get(c->words, PLBU_DRAW_INDEXED)) {
		snprintf(w->why, sizeof(w->why), "this draw waits for a semaphore of the VS, whose list raises it %u times", w->raised);
	} else if (!vs && c->words[1] >> GP_OP_SHIFT == 0 && (c->words[0] || c->words[1]) &&
		   gp_count_hangs(utgard_get(c->words, PLBU_DRAW_MODE), count)) {
		snprintf(w->why, sizeof(w->why), "%u vertices do not fit the mode of this draw: hangs", count);
	}
	w->va = c->va;
	w->commands += !w->why[0];
	return !w->why[0];
}

/*
 * A vertex shader that cannot end: it branches past its end, or, if that is all there is, goes back. The first draw with
 * one.
 */
struct endless {
	const struct utgard_memory *memory;
	bool back;		/* that is what is looked for */
	unsigned int commands;
	uint32_t va;
	struct dump_place place;
	char why[160];
};

static bool find_endless(void *ctx, const struct utgard_command *c)
{
	struct endless *e = ctx;
	uint32_t words[MAX_WORDS], n;

	if (c->words[1] >> GP_OP_SHIFT != VS_DRAW__OP || !utgard_get(c->words, VS_DRAW_COUNT)) {
		e->commands++;
		return true;
	}
	n = limn_utgard_shader_words(e->memory, UTGARD_VS_LIST, c->state->shader, c->state->shader_instructions, words, MAX_WORDS) / 4;
	for (uint32_t i = 0; i < n && !e->why[0]; i++) {
		struct isa_bits b = { 0 };
		unsigned int to;

		memcpy(b.w, words + 4 * i, 16);
		to = gp_branch_to(&b);
		if (!gp_get(&b, branch) || gp_get(&b, unknown_1) != GP_UNKNOWN_1_BRANCH)
			continue;
		e->place = (struct dump_place){ .known = true, .va = c->state->shader, .stage = 'V', .instruction = i };
		if (!e->back && to > n)
			snprintf(e->why, sizeof(e->why), "instruction %u of the vertex shader at 0x%08x branches to %u, but it has %u: hangs", i,
				 c->state->shader, to, n);
		else if (e->back && to <= i)
			snprintf(e->why, sizeof(e->why), "it does not come out of the vertex shader at 0x%08x, whose instruction %u branches back to %u",
				 c->state->shader, i, to);
	}
	e->va = c->va;
	e->commands += !e->why[0];
	return !e->why[0];
}

static bool vs_is_endless(struct unit *u, bool back)
{
	struct endless e = { .memory = &u->memory, .back = back };
	struct utgard_walk walk;

	limn_utgard_decode(&u->memory, u->list, u->start, u->end, find_endless, &e, &walk);
	u->place = e.why[0] ? e.place : u->place;
	return stop_for(u, e.va, e.commands, e.why);
}

/* What the PLBU's interrupts and the job's error tell; the PLBU does not say at which draw. */
static bool plbu_error(struct unit *u)
{
	uint32_t raw = 0, start = 0, end = 0;

	dump_reg(u->dump, u->name, GP_INT_RAWSTAT, &raw);
	start = dump_frame_word(u->job, GP_PLBU_ALLOC_START / 4);
	end = dump_frame_word(u->job, GP_PLBU_ALLOC_END / 4);
	if (raw & GP_IRQ_PLBU_OOM || u->dump->error == -ENOSPC)
		snprintf(u->why, sizeof(u->why), "the tile heap at 0x%08x is full, %u KiB of it when the job began", start,
			 (end - start) >> 10);
	else if (raw & GP_IRQ_PTR_ARRAY_BOUND)
		snprintf(u->why, sizeof(u->why), "a primitive is in a block of tiles that the array of polygon lists does not have");
	return u->why[0];
}

static bool gp_waits(struct unit *u)
{
	bool vs = u->list == UTGARD_VS_LIST;
	struct waits w = { .raised = 0 };
	struct utgard_walk walk;
	uint32_t status = 0, raw = 0;

	if (u->list == UTGARD_TILE_LIST)
		return false;
	dump_reg(u->dump, u->name, GP_INT_RAWSTAT, &raw);
	if (raw & GP_IRQ_WRITE_BOUND) {
		if (!stream_fault(u, NULL))
			snprintf(u->why, sizeof(u->why), "it, or the %s, writes outside the write bounds", vs ? "PLBU" : "VS");
		return true;
	}
	if ((!vs && plbu_error(u)) || (vs && vs_is_endless(u, false)))
		return true;
	limn_utgard_decode(&u->memory, vs ? UTGARD_PLBU_LIST : UTGARD_VS_LIST, dump_frame_word(u->job, (vs ? GP_PLBUCL_START : GP_VSCL_START) / 4),
			   dump_frame_word(u->job, (vs ? GP_PLBUCL_END : GP_VSCL_END) / 4), count_raised, &w, &walk);
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, find_wait, &w, &walk);
	if (stop_for(u, w.va, w.commands, w.why))
		return true;
	if (vs)
		return vs_is_endless(u, true);
	if (!w.waited || !dump_reg(u->dump, u->name, GP_STATUS, &status) || !(status & GP_STATUS_VS_ACTIVE))
		return false;
	snprintf(u->why, sizeof(u->why), "it waits for the VS, which is at work");
	return true;
}

/* --- PP ------------------------------------------------------------------------------ */

/* The primitive of the tile at work whose memory failed, or whose shader may not end: the first such one. */
struct tile_search {
	const struct unit *u;
	const struct access *access;	/* NULL: the shader is looked at */
	bool begun;
	unsigned int commands;		/* before the primitive */
	uint32_t va;			/* of it */
	uint32_t looked_at;		/* shader, the last one */
	struct dump_place place;
	char why[260];
};

/* Beside a texture's base, which is in no BO at all: what is read of it is not far. */
#define TEXTURE_BYTES	(64u << 20)
#define MAX_TEXTURES	16

static bool tile_texture(const struct tile_search *s, const uint32_t *rsw, unsigned int *number)
{
	uint32_t num = UTGARD_GET(RSW_AUX0_NUM_SAMPLERS, rsw[RSW_AUX0]);

	for (*number = 0; *number < num && *number < MAX_TEXTURES; ++*number) {
		const uint32_t *list = dump_memory(s->u->job, rsw[RSW_TEXTURES_ADDRESS] + 4 * *number, 4);
		const uint32_t *p = list ? dump_memory(s->u->job, *list, 64) : NULL;
		uint32_t desc[16], base;

		if (!p)
			continue;
		memcpy(desc, p, sizeof(desc));
		base = utgard_tex_level(desc, 0) << TEX_LEVEL_SHIFT;
		if (!dump_region_of(s->u->job, base) && s->access->address - base < TEXTURE_BYTES)
			return true;
	}
	return false;
}

/* What of the primitive's memory failed; "": none of it. */
static void tile_access(struct tile_search *s, const struct utgard_command *c, uint32_t op)
{
	const bool small = op == PLB_OP_TRIANGLE;
	const uint32_t vertices[3] = {	/* all but the triangle have three of 20 bits */
		small ? utgard_get(c->words, PLB_TRIANGLE_V0) : utgard_get(c->words, PLB_WIDE_V0),
		small ? utgard_get(c->words, PLB_TRIANGLE_V1) : utgard_get(c->words, PLB_WIDE_V1),
		small ? utgard_get(c->words, PLB_TRIANGLE_V2) : utgard_get(c->words, PLB_WIDE_V2),
	};
	uint32_t address = s->access->address, rsw[RSW_WORDS], stride;
	const void *p = dump_memory(s->u->job, c->state->rsw, RSW_BYTES);
	const char *what = NULL;
	unsigned int number = 0;

	if (!p)
		return;
	memcpy(rsw, p, sizeof(rsw));
	stride = 8 * UTGARD_GET(RSW_AUX0_VARYING_STRIDE, rsw[RSW_AUX0]);
	for (unsigned int i = 0; i < 3 && !what; i++) {
		number = vertices[i];
		what = address - (c->state->positions + 16 * number) < 16 ? "the position of vertex" :
		       address - (rsw[RSW_VARYINGS_ADDRESS] + stride * number) < stride ? "the varyings of vertex" : NULL;
	}
	if (what)
		snprintf(s->why, sizeof(s->why), "%s %u", what, number);
	else if (address - (c->state->shader & RSW_SHADER_MASK) < 4 * MAX_WORDS)
		snprintf(s->why, sizeof(s->why), "its shader");
	else if (rsw[RSW_AUX0] & UTGARD_MASK(RSW_AUX0_HAS_UNIFORMS) && address - (rsw[RSW_UNIFORMS_ADDRESS] & RSW_UNIFORMS_MASK) < 4)
		snprintf(s->why, sizeof(s->why), "the address of its uniforms");
	else if (tile_texture(s, rsw, &number))
		snprintf(s->why, sizeof(s->why), "texture %u", number);
	s->place = (struct dump_place){ .known = true, .va = c->state->rsw };
}

static void tile_shader(struct tile_search *s, const struct utgard_command *c)
{
	uint32_t words[MAX_WORDS], va = c->state->shader & RSW_SHADER_MASK;
	size_t n = va && va != s->looked_at ? limn_utgard_shader_words(&s->u->memory, UTGARD_TILE_LIST, va, 0, words, MAX_WORDS) : 0;

	s->looked_at = va;
	s->place = (struct dump_place){ .known = true, .va = va, .stage = 'P',
					.instruction = (uint32_t)limn_utgard_shader_endless(words, n, s->why, sizeof(s->why)) };
}

static bool find_in_tile(void *ctx, const struct utgard_command *c)
{
	struct tile_search *s = ctx;
	uint32_t op = c->words[1] >> 28;

	if (op >> 1 == PLB_OP_TRIANGLE)
		op = PLB_OP_TRIANGLE;
	if (!c->nested && s->begun && c->va != s->u->stop && c->words[1] >> 16 == TILE_BEGIN__OP && !s->u->dealt)
		return false;
	s->begun |= c->va == s->u->stop || s->u->dealt;
	s->va = c->va;
	s->commands++;
	if (!s->begun || !c->nested || !c->state->rsw || !c->words[1] ||
	    (op != PLB_OP_TRIANGLE && op != PLB_OP_WIDE && op != PLB_OP_LINE && op != PLB_OP_POINT && op != PLB_OP_RECT))
		return true;
	if (s->access)
		tile_access(s, c, op);
	else
		tile_shader(s, c);
	return !s->why[0];
}

/* Where the PP's registers say that it is, in the list of tiles or in a tile's polygon list. */
static void explain_tile(struct unit *u, const struct access *access)
{
	struct tile_search s = { .u = u, .access = access };
	struct utgard_walk walk;
	uint32_t raw = 0;
	char where[160];

	dump_reg(u->dump, u->name, PP_INT_RAWSTAT, &raw);
	snprintf(u->why, sizeof(u->why), "the unit says that it is here");
	if (raw & (PP_IRQ_INVALID_PLIST_CMD | PP_IRQ_CALL_STACK_UNDERFLOW | PP_IRQ_CALL_STACK_OVERFLOW))
		return;
	if (raw & PP_IRQ_WRITE_BOUND) {
		snprintf(u->why, sizeof(u->why), "it writes the tile outside the write bounds");
		return;
	}
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, find_in_tile, &s, &walk);
	u->place = s.why[0] ? s.place : u->place;
	if (u->dealt) {
		stop_at(u, s.va, s.commands - 1);
		u->has_stop = s.why[0];
		snprintf(u->why, sizeof(u->why), "which one, and where in it, is not known");
	}
	if (!access && s.why[0]) {
		snprintf(u->loop, sizeof(u->loop), "%s", s.why);
		u->loop_at = s.place.va;
	} else if (access) {
		dump_place_text(u->job, access->address, where, sizeof(where));
		snprintf(u->why, sizeof(u->why), "while the unit %s 0x%08x%s%.60s, %.90s", access->did, access->address, s.why[0] ? ", " : "", s.why,
			 *access->verb == 'u' ? access->why : where);
	}
}

void dump_utgard_explain(struct unit *u)
{
	struct utgard_walk walk;
	struct search s;
	struct access f;
	bool fault = failed_access(u, &f), tiles = u->list == UTGARD_TILE_LIST;
	uint32_t rend = 0, raw = 0;

	dump_reg(u->dump, u->name, PP_INT_RAWSTAT, &raw);

	if (fault && find(u, f.address, true, &s, &walk)) {
		stop_at(u, s.va, s.at);
		snprintf(u->why, sizeof(u->why), "it %s 0x%08x, %s", f.verb, f.address, f.why);
		return;
	}
	find(u, f.address, false, &s, &walk);
	u->total = walk.commands;
	u->ends_well = walk.end == UTGARD_END_END;
	if (walk.end != UTGARD_END_END) {
		stop_at(u, walk.va, walk.end == UTGARD_END_MEMORY ? walk.commands : walk.commands - 1);
		if (tiles && raw & PP_IRQ_CALL_STACK_UNDERFLOW)
			snprintf(u->why, sizeof(u->why), "it returns, and nothing was called");
		else if (tiles && raw & PP_IRQ_CALL_STACK_OVERFLOW)
			snprintf(u->why, sizeof(u->why), "it calls, from within as many calls as the unit can remember");
		else
			snprintf(u->why, sizeof(u->why), "%s", limn_utgard_end_text(walk.end));
		return;
	}
	if (tiles && dump_reg(u->dump, u->name, PP_CURRENT_REND_LIST, &rend) &&
	    find(u, rend, false, &s, &walk)) {
		stop_at(u, s.va, s.at);
		explain_tile(u, fault ? &f : NULL);
		return;
	}
	if (fault && !stream_fault(u, &f))
		snprintf(u->why, sizeof(u->why), "the unit %s 0x%08x, which no command names", f.did, f.address);
	else if (!fault && !gp_waits(u))
		snprintf(u->why, sizeof(u->why), "the list is sound: what it makes the unit do does not end");
}

