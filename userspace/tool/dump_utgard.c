// SPDX-License-Identifier: MIT
/* limn decode: where GP or PP stopped, on which command, in which state and shader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/isa.h"
#include "isa/utgard_gp.h"
#include "lib/utgard/decode.h"
#include "tool/dump.h"
#include "tool/json.h"

#define NEAR		6	/* commands shown before the one it stopped at */
#define IN_TILE		12	/* and of the polygon list that it was in */
#define MAX_WORDS	1024	/* of a shader */
#define HERE		"the unit says that it is here"

/* Words of the frames that userspace submits: <drm/lima_drm.h>. */
#define FRAME_NUM_PP		PP_FRAME_WORDS
#define M400_LISTS		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M400_FRAME_BYTES	((M400_LISTS + 4 + 4) * 4)
#define M450_USE_DLBU		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M450_LISTS		(M450_USE_DLBU + 2)

/* One list of a unit that was at work, and what is known of its end. */
struct unit {
	const struct dump *dump;
	const struct dump_job *job;
	const struct dump_options *o;
	struct utgard_memory memory;
	const char *name, *mmu, *what;	/* "pp0", "ppmmu0", "tile list" */
	enum utgard_list list;
	uint32_t start, end;
	uint32_t stop;		/* command it stopped at, if has_stop */
	bool has_stop, active;
	char why[160];
	struct dump_place place;	/* what it is about, if not the command where it stopped */
	/* While printing. */
	unsigned int index, stop_index, total;
	bool ends_well;		/* the list is sound */
	bool in_tile;		/* it stopped somewhere in the polygon list that follows */
	struct utgard_state state;
};

static const void *memory_at(void *ctx, uint32_t va, uint32_t len)
{
	return dump_memory(ctx, va, len);
}

static uint32_t frame_word(const struct dump_job *job, unsigned int i)
{
	uint32_t w = 0;

	if ((i + 1) * sizeof(w) <= job->frame_size)
		memcpy(&w, job->frame + i * sizeof(w), sizeof(w));
	return w;
}

static void place(const struct dump_job *job, uint64_t va, char *text, size_t size)
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

/* The MMU's fault, when it has one. */
static bool page_fault(const struct unit *u, uint32_t *address, bool *write)
{
	uint32_t status, raw;

	if (!dump_reg(u->dump, u->mmu, MMU_STATUS, &status) || !dump_reg(u->dump, u->mmu, MMU_INT_RAWSTAT, &raw))
		return false;
	*write = status & MMU_STATUS_FAULT_IS_WRITE;
	return (raw & MMU_INT_PAGE_FAULT || status & MMU_STATUS_PAGE_FAULT_ACTIVE) &&
	       dump_reg(u->dump, u->mmu, MMU_PAGE_FAULT_ADDR, address);
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

/* The draw whose attribute or varying stream has an address, which was not to be read or written. */
struct stream_search {
	const struct utgard_memory *memory;
	uint32_t address, streams[2];	/* attributes, varyings: how many */
	unsigned int commands;
	uint32_t va;
	char why[120];
};

static bool find_stream(void *ctx, const struct utgard_command *c)
{
	struct stream_search *s = ctx;
	uint32_t op = c->words[1] >> GP_OP_SHIFT, count = utgard_get(c->words, VS_DRAW_COUNT);

	if (op == VS_STREAMS__OP)
		s->streams[!!utgard_get(c->words, VS_STREAMS_VARYINGS)] = utgard_get(c->words, VS_STREAMS_COUNT);
	for (uint32_t k = 0; k < 2 && op == VS_DRAW__OP; k++) {
		uint32_t table = k ? c->state->varyings : c->state->attributes;

		for (uint32_t i = 0; i < s->streams[k] && !s->why[0]; i++) {
			const void *p = s->memory->at(s->memory->ctx, table + 8 * i, 8);
			uint32_t w[2];

			if (!p)
				break;
			memcpy(w, p, sizeof(w));
			if (w[1] != GP_STREAM_UNUSED && s->address - w[0] < count * GP_STREAM_STRIDE(w[1]))
				snprintf(s->why, sizeof(s->why), "%s %u of this draw, of %u vertices, %s 0x%08x, where nothing is mapped for that",
					 k ? "varying" : "attribute", i, count, k ? "writes" : "reads", s->address);
		}
	}
	s->va = c->va;
	s->commands += !s->why[0];
	return !s->why[0];
}

static bool stream_fault(struct unit *u, uint32_t address)
{
	struct stream_search s = { .memory = &u->memory, .address = address };
	struct utgard_walk walk;

	if (u->list != UTGARD_VS_LIST)
		return false;
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, find_stream, &s, &walk);
	return stop_for(u, s.va, s.commands, s.why);
}

/* Why a GP's list that is sound does not end. */
struct waits {
	unsigned int raised, waited;	/* of the semaphore that a list waits for; by the other one, by this one */
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
	start = frame_word(u->job, GP_PLBU_ALLOC_START / 4);
	end = frame_word(u->job, GP_PLBU_ALLOC_END / 4);
	if (raw & GP_IRQ_PLBU_OOM || u->dump->error == -ENOSPC)
		snprintf(u->why, sizeof(u->why), "the tile heap at 0x%08x is full, %u KiB of it when the job began", start,
			 (end - start) >> 10);
	else if (raw & GP_IRQ_PTR_ARRAY_BOUND)
		snprintf(u->why, sizeof(u->why), "a primitive is in a block of tiles that the array of polygon lists does not have");
	else if (raw & GP_IRQ_WRITE_BOUND)
		snprintf(u->why, sizeof(u->why), "it writes outside the write bounds");
	return u->why[0];
}

static bool gp_waits(struct unit *u)
{
	bool vs = u->list == UTGARD_VS_LIST;
	struct waits w = { .raised = 0 };
	struct utgard_walk walk;
	uint32_t status = 0;

	if (u->list == UTGARD_TILE_LIST)
		return false;
	if ((!vs && plbu_error(u)) || (vs && vs_is_endless(u, false)))
		return true;
	limn_utgard_decode(&u->memory, vs ? UTGARD_PLBU_LIST : UTGARD_VS_LIST, frame_word(u->job, (vs ? GP_PLBUCL_START : GP_VSCL_START) / 4),
			   frame_word(u->job, (vs ? GP_PLBUCL_END : GP_VSCL_END) / 4), count_raised, &w, &walk);
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

static void explain(struct unit *u)
{
	uint32_t address = 0, rend = 0;
	struct utgard_walk walk;
	struct search s;
	bool write = false, fault = page_fault(u, &address, &write);
	char where[160];

	if (fault && find(u, address, true, &s, &walk)) {
		stop_at(u, s.va, s.at);
		snprintf(u->why, sizeof(u->why), "it %s 0x%08x, where nothing is mapped for that",
			 write ? "writes" : "reads", address);
		return;
	}
	find(u, address, false, &s, &walk);
	u->total = walk.commands;
	u->ends_well = walk.end == UTGARD_END_END;
	if (walk.end != UTGARD_END_END) {
		stop_at(u, walk.va, walk.end == UTGARD_END_MEMORY ? walk.commands : walk.commands - 1);
		snprintf(u->why, sizeof(u->why), "%s", limn_utgard_end_text(walk.end));
		return;
	}
	if (u->list == UTGARD_TILE_LIST && dump_reg(u->dump, u->name, PP_CURRENT_REND_LIST, &rend) &&
	    find(u, rend, false, &s, &walk)) {
		stop_at(u, s.va, s.at);
		snprintf(u->why, sizeof(u->why), HERE);
		if (fault) {
			place(u->job, address, where, sizeof(where));
			snprintf(u->why, sizeof(u->why), "while the unit %s 0x%08x, %.90s",
				 write ? "wrote" : "read", address, where);
		}
		return;
	}
	if (fault && !stream_fault(u, address))
		snprintf(u->why, sizeof(u->why), "the unit %s 0x%08x, which no command names",
			 write ? "wrote" : "read", address);
	else if (!fault && !gp_waits(u))
		snprintf(u->why, sizeof(u->why), "the list is sound: what it makes the unit do does not end");
}

/* --- Printing ------------------------------------------------------------------------ */

static void print_line(const struct unit *u, const struct utgard_command *c, bool here)
{
	struct json *j = u->o->json;

	json_object(j, NULL);
	json_words(j, "words", c->words, 2);
	report(j, "  {_mark} {at}: {_w0} {_w1}  {_in}{text}\n", TEXT("_mark", here ? "=>" : "  "), HEX("at", c->va),
	       TEXT_HEX("_w0", c->words[0]), TEXT_HEX("_w1", c->words[1]), TEXT("_in", c->nested ? "  " : ""),
	       STRING("text", c->text), BOOL("nested", c->nested), BOOL("stopped_here", here));
	json_end_object(j);
}

/* A tile's polygon list is shown up to its last primitive's state. */
static bool print_in_tile(struct unit *u, const struct utgard_command *c)
{
	if (!c->nested)
		return false;
	if (u->index++ - u->stop_index <= IN_TILE || u->o->all)
		print_line(u, c, false);
	u->state = *c->state;
	return true;
}

static bool print_command(void *ctx, const struct utgard_command *c)
{
	struct unit *u = ctx;
	bool here = u->has_stop && u->index == u->stop_index;

	if (u->in_tile)
		return print_in_tile(u, c);
	if (here)
		u->state = *c->state;
	if (u->o->all || here || (u->has_stop && u->index < u->stop_index && u->stop_index - u->index <= NEAR) ||
	    (!u->has_stop && u->total - u->index <= NEAR))
		print_line(u, c, here);
	u->index++;
	u->in_tile = here && u->list == UTGARD_TILE_LIST && !c->nested && u->ends_well;
	return u->o->all || !here || u->in_tile;
}

static void print_shader(const struct unit *u)
{
	bool vertex = u->list == UTGARD_VS_LIST;
	uint32_t words[MAX_WORDS], va = u->state.shader;
	struct json *j = u->o->json;
	size_t n;

	if (u->list == UTGARD_PLBU_LIST || !va)
		return;
	va = vertex ? va : va & RSW_SHADER_MASK;
	n = limn_utgard_shader_words(&u->memory, u->list, va, u->state.shader_instructions, words, MAX_WORDS);
	json_object(j, "shader");
	report(j, "  {stage} shader at 0x{va}", STRING("stage", vertex ? "vertex" : "fragment"), HEX("va", va));
	if (vertex)
		report(j, ", {instructions} instructions", INT("instructions", u->state.shader_instructions));
	report(j, "{_end}\n", TEXT("_end", n ? ":" : ", not in the dump"));
	if (n)
		dump_print_code(j, vertex ? "utgard-gp" : "utgard-pp", "    ", words, n);
	json_end_object(j);
}

static void print_rsw(const struct unit *u)
{
	const uint32_t *p = u->state.rsw ? dump_memory(u->job, u->state.rsw, RSW_BYTES) : NULL;
	uint32_t words[RSW_WORDS];
	struct json *j = u->o->json;

	if (!u->state.rsw)
		return;
	report(j, "  render state at 0x{render_state}{_end}", HEX("render_state", u->state.rsw),
	       TEXT("_end", p ? ":" : ", not in the dump\n"));
	if (!p)
		return;
	memcpy(words, p, sizeof(words));
	json_words(j, "render_state_words", words, RSW_WORDS);
	for (unsigned int i = 0; i < RSW_WORDS; i++)
		report(j, "{_gap}{_w}", TEXT("_gap", i % 8 ? " " : "\n    "), TEXT_HEX("_w", words[i]));
	report(j, "\n");
}

static void print_state(const struct unit *u)
{
	const struct utgard_state *s = &u->state;
	struct json *j = u->o->json;

	json_object(j, "state");
	if (s->tile_x >= 0)
		report(j, "  tile ({tile_x}, {tile_y}), pixels ({_x}, {_y}) and on; {primitives} primitives before\n",
		       INT("tile_x", s->tile_x), INT("tile_y", s->tile_y), TEXT_INT("_x", 16 * s->tile_x),
		       TEXT_INT("_y", 16 * s->tile_y), INT("primitives", s->draws));
	else
		report(j, s->draws ? "  after {draws} draws\n" : "", INT("draws", s->draws));
	if (s->positions)
		report(j, "  positions at 0x{positions}\n", HEX("positions", s->positions));
	if (s->uniforms)
		report(j, "  uniforms: {uniform_vectors} vectors at 0x{uniforms}\n", HEX("uniforms", s->uniforms),
		       INT("uniform_vectors", s->uniform_vectors));
	if (s->attributes)
		report(j, "  attributes at 0x{attributes}, varyings at 0x{varyings}\n", HEX("attributes", s->attributes),
		       HEX("varyings", s->varyings));
	if (s->scissor[2]) {
		json_object(j, "scissor");
		report(j, "  scissor ({left}, {top}) to ({right}, {bottom})\n", INT("left", s->scissor[0]),
		       INT("top", s->scissor[1]), INT("right", s->scissor[2]), INT("bottom", s->scissor[3]));
		json_end_object(j);
	}
	print_rsw(u);
	json_end_object(j);
	print_shader(u);
}

static void find_loop(struct unit *u, char *text, size_t size)
{
	uint32_t words[MAX_WORDS], va = u->state.shader & RSW_SHADER_MASK;
	size_t n = limn_utgard_shader_words(&u->memory, u->list, va, 0, words, MAX_WORDS);

	u->place = (struct dump_place){ .known = true, .va = va, .stage = 'P',
					.instruction = (uint32_t)limn_utgard_shader_endless(words, n, text, size) };
}

/* What the unit was doing and why it stopped, in a sentence. */
static void print_summary(struct unit *u)
{
	const struct utgard_state *s = &u->state;
	char doing[120], loop[200] = "", text[1000];
	uint32_t raw = 0;

	if (s->tile_x >= 0)
		snprintf(doing, sizeof(doing), "was drawing tile %d, %d", s->tile_x, s->tile_y);
	else if (s->draws)
		snprintf(doing, sizeof(doing), "had done %u draws of its %s", s->draws, u->what);
	else
		snprintf(doing, sizeof(doing), "was at its first draw of its %s", u->what);
	if (u->list == UTGARD_TILE_LIST && u->ends_well && s->shader && !strcmp(u->why, HERE) &&
	    !(dump_reg(u->dump, u->name, PP_INT_RAWSTAT, &raw) && raw & PP_IRQ_INVALID_PLIST_CMD))
		find_loop(u, loop, sizeof(loop));
	if (loop[0])
		snprintf(text, sizeof(text), "%s %s and did not come out of the fragment shader at 0x%08x%s.", u->name, doing,
			 s->shader & RSW_SHADER_MASK, loop);
	else if (u->has_stop)
		snprintf(text, sizeof(text), "%s %s and stopped at 0x%08x: %s.", u->name, doing, u->stop, u->why);
	else
		snprintf(text, sizeof(text), "%s %s: %s.", u->name, doing, u->why);
	/* Of the tile list the state tells the draw, of the others the command. */
	if (!u->place.known && u->list == UTGARD_TILE_LIST)
		u->place = (struct dump_place){ .known = s->rsw, .va = s->rsw };
	else if (!u->place.known)
		u->place = (struct dump_place){ .known = u->has_stop, .va = u->stop };
	if (u->o->source)
		dump_source_tell(u->o->source, u->job, &u->place, u->o->json, text, sizeof(text));
	report(u->o->json, "  in short: {summary}\n", STRING("summary", text));
}

static void print_unit(struct unit *u)
{
	struct json *j = u->o->json;
	struct utgard_walk walk;
	char where[160];

	u->memory = (struct utgard_memory){ (void *)u->job, memory_at };
	explain(u);
	place(u->job, u->start, where, sizeof(where));
	json_object(j, NULL);
	report(j, "{_unit}: {list} at 0x{start}, {place}\n", TEXT("_unit", u->name), STRING("list", u->what),
	       HEX("start", u->start), STRING("place", where));
	if (u->has_stop)
		report(j, "  stopped at 0x{stopped_at}: {why}\n", HEX("stopped_at", u->stop), STRING("why", u->why));
	else
		report(j, "  {why}\n", NONE("stopped_at"), STRING("why", u->why));
	json_array(j, "commands");
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, print_command, u, &walk);
	/* It stopped behind its last command, or nowhere in particular. */
	if (!u->has_stop || u->stop_index >= u->index) {
		u->state = walk.state;
		if (u->has_stop)
			report(j, "  => {_stop}: no memory\n", TEXT_HEX("_stop", u->stop));
	}
	json_end_array(j);
	print_state(u);
	print_summary(u);
	json_end_object(j);
}

/* --- Registers ------------------------------------------------------------------------ */

/* Bits of registers, by unit and offset; an empty row ends those of a register. */
static const struct bits {
	const char *unit, *name;
	uint32_t offset;
	struct {
		uint32_t mask;
		const char *name;
	} list[14];
} registers[] = {
	{ "gp", "status", GP_STATUS, {
		{ GP_STATUS_VS_ACTIVE, "VS active" }, { GP_STATUS_PLBU_ACTIVE, "PLBU active" },
		{ GP_STATUS_BUS_STOPPED, "bus stopped" }, { GP_STATUS_BUS_ERROR, "bus error" },
		{ GP_STATUS_WRITE_BOUND, "write bound" } } },
	{ "gp", "interrupts", GP_INT_RAWSTAT, {
		{ GP_IRQ_VS_END, "VS end" }, { GP_IRQ_PLBU_END, "PLBU end" }, { GP_IRQ_PLBU_OOM, "heap is full" },
		{ GP_IRQ_FORCE_HANG, "forced hang" }, { GP_IRQ_HANG, "hang" }, { GP_IRQ_WRITE_BOUND, "write bound" },
		{ GP_IRQ_BUS_ERROR, "bus error" }, { GP_IRQ_SYNC_ERROR, "sync error" },
		{ GP_IRQ_VS_INVALID_CMD, "invalid VS command" }, { GP_IRQ_PLBU_INVALID_CMD, "invalid PLBU command" },
		{ GP_IRQ_SEM_UNDERFLOW, "semaphore underflow" }, { GP_IRQ_SEM_OVERFLOW, "semaphore overflow" },
		{ GP_IRQ_PTR_ARRAY_BOUND, "pointer array bound" } } },
	{ "pp", "status", PP_STATUS, {
		{ PP_STATUS_RENDERING, "rendering" }, { PP_STATUS_BUS_STOPPED, "bus stopped" } } },
	{ "pp", "interrupts", PP_INT_RAWSTAT, {
		{ PP_IRQ_END_OF_FRAME, "end of frame" }, { PP_IRQ_HANG, "hang" }, { PP_IRQ_FORCE_HANG, "forced hang" },
		{ PP_IRQ_BUS_ERROR, "bus error" }, { PP_IRQ_WRITE_BOUND, "write bound" },
		{ PP_IRQ_INVALID_PLIST_CMD, "invalid polygon list command" },
		{ PP_IRQ_CALL_STACK_UNDERFLOW, "call stack underflow" },
		{ PP_IRQ_CALL_STACK_OVERFLOW, "call stack overflow" }, { PP_IRQ_RESET_DONE, "reset done" } } },
};

static void print_registers(const struct dump *dump, const char *unit, struct json *j)
{
	uint32_t value;

	json_array(j, "registers");
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
		const struct bits *b = &registers[i];
		const char *gap = ": ";

		if (strncmp(b->unit, unit, 2) || !dump_reg(dump, unit, b->offset, &value))
			continue;
		json_object(j, NULL);
		report(j, "{_unit%-8s} {name%-10s} {value}", TEXT("_unit", unit), STRING("name", b->name),
		       HEX("value", value));
		json_array(j, "bits");
		for (unsigned int k = 0; b->list[k].mask; k++) {
			if (!(value & b->list[k].mask))
				continue;
			report(j, "{_gap}{_bit}", TEXT("_gap", gap), TEXT("_bit", b->list[k].name), STRING(NULL, b->list[k].name));
			gap = ", ";
		}
		json_end_array(j);
		json_end_object(j);
		report(j, "\n");
	}
	json_end_array(j);
}

/* The page table entry of an address; false: the dump has no table for it. */
static bool translation(const struct dump *dump, uint32_t va, uint32_t *entry)
{
	for (size_t i = 0; i < dump->num_tables; i++) {
		const struct dump_table *t = &dump->tables[i];
		uint32_t at = va >> MMU_PTE_SHIFT & (MMU_ENTRIES - 1);

		if (t->directory || t->va >> MMU_PDE_SHIFT != va >> MMU_PDE_SHIFT || 4 * at + 4 > t->size)
			continue;
		memcpy(entry, t->data + 4 * at, 4);
		return true;
	}
	return false;
}

static void print_mmu(const struct dump *dump, const struct dump_job *job, const char *mmu, struct json *j)
{
	struct unit u = { .dump = dump, .mmu = mmu };
	uint32_t status, address, entry;
	char where[160];
	bool write;

	if (!dump_reg(dump, mmu, MMU_STATUS, &status) || !page_fault(&u, &address, &write))
		return;
	place(job, address, where, sizeof(where));
	json_object(j, "page_fault");
	report(j, "{_mmu%-8s} page fault: {access} of 0x{address} by bus master {bus_master}, {place}\n", TEXT("_mmu", mmu),
	       HEX("address", address), STRING("access", write ? "write" : "read"),
	       INT("bus_master", MMU_STATUS_BUS_ID(status)), STRING("place", where));
	if (translation(dump, address, &entry))
		report(j, "{_mmu%-8s} page entry {page_entry}{_why}\n", TEXT("_mmu", mmu), HEX("page_entry", entry),
		       TEXT("_why", !(entry & MMU_ENTRY_PRESENT) ? ": not present" : entry & MMU_ENTRY_WRITE ? "" : ": read-only"));
	else if (dump->num_tables)
		report(j, "{_mmu%-8s} no page table for that address\n", TEXT("_mmu", mmu), NONE("page_entry"));
	json_end_object(j);
}

/* --- Jobs ------------------------------------------------------------------------------- */

/* Opens a unit's object, with its lists to come: two ends are due. */
static void begin_unit(const struct dump *dump, const struct dump_job *job, const struct dump_options *o,
		       const char *name, const char *mmu)
{
	json_object(o->json, NULL);
	report(o->json, "", STRING("unit", name));
	print_registers(dump, name, o->json);
	print_mmu(dump, job, mmu, o->json);
	json_array(o->json, "lists");
}

static void end_unit(const struct dump_options *o)
{
	json_end_array(o->json);
	json_end_object(o->json);
}

static void print_done(const struct dump_options *o, const char *unit, const char *list)
{
	json_object(o->json, NULL);
	report(o->json, "{_unit}: the {list} was done\n", TEXT("_unit", unit), STRING("list", list), BOOL("done", true));
	json_end_object(o->json);
}

static void print_gp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	struct unit vs = {
		.dump = dump, .job = job, .o = o, .name = "gp", .mmu = "gpmmu", .what = "VS list", .list = UTGARD_VS_LIST,
		.start = frame_word(job, GP_VSCL_START / 4), .end = frame_word(job, GP_VSCL_END / 4),
	};
	struct unit plbu = vs;
	uint32_t status = GP_STATUS_VS_ACTIVE | GP_STATUS_PLBU_ACTIVE;
	bool known = dump_reg(dump, "gp", GP_STATUS, &status);

	plbu.what = "PLBU list";
	plbu.list = UTGARD_PLBU_LIST;
	plbu.start = frame_word(job, GP_PLBUCL_START / 4);
	plbu.end = frame_word(job, GP_PLBUCL_END / 4);
	begin_unit(dump, job, o, "gp", "gpmmu");
	if (!known)
		report(o->json, "gp: no registers in the dump; its lists as they were submitted:\n");
	if (vs.start != vs.end && status & GP_STATUS_VS_ACTIVE)
		print_unit(&vs);
	else if (vs.start != vs.end)
		print_done(o, "gp", vs.what);
	if (plbu.start != plbu.end && (status & GP_STATUS_PLBU_ACTIVE || !(status & GP_STATUS_VS_ACTIVE)))
		print_unit(&plbu);
	else if (plbu.start != plbu.end)
		print_done(o, "gp", plbu.what);
	end_unit(o);
}

static void print_one_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o, uint32_t i)
{
	bool m450 = job->frame_size != M400_FRAME_BYTES, dlbu = m450 && frame_word(job, M450_USE_DLBU);
	char name[16], mmu[16];
	struct unit u = {
		.dump = dump, .job = job, .o = o, .name = name, .mmu = mmu, .what = "tile list",
		.list = UTGARD_TILE_LIST,
		.start = frame_word(job, (m450 ? M450_LISTS : M400_LISTS) + i),
	};
	uint32_t status, raw;

	snprintf(name, sizeof(name), "pp%u", i);
	snprintf(mmu, sizeof(mmu), "ppmmu%u", i);
	begin_unit(dump, job, o, name, mmu);
	if ((dump->num_regs && !dump_reg(dump, name, PP_STATUS, &status)) ||
	    (dump_reg(dump, name, PP_INT_RAWSTAT, &raw) && raw & PP_IRQ_END_OF_FRAME))
		print_done(o, name, u.what);
	else if (!dlbu)
		print_unit(&u);
	end_unit(o);
}

static void print_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	bool dlbu = job->frame_size != M400_FRAME_BYTES && frame_word(job, M450_USE_DLBU);
	uint32_t num = frame_word(job, FRAME_NUM_PP);

	if (dlbu)
		report(o->json, "pp: tiles are dealt by the DLBU: there are no tile lists in memory\n");
	for (uint32_t i = 0; i < num && i < 8; i++)
		print_one_pp(dump, job, o, i);
}

void dump_print_utgard(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	json_array(o->json, "units");
	if (!job->frame)
		report(o->json, "no frame in the dump\n");
	else
		(job->queue == 0 ? print_gp : print_pp)(dump, job, o);
	json_end_array(o->json);
}
