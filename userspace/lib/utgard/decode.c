// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/states.h>

#include "isa/float_bits.h"
#include "lib/utgard/decode.h"
#include "lib/utgard/states.h"

#define MAX_COMMANDS	(1u << 20)
#define MAX_RUNS	4096
#define MAX_CALLS	16

struct walker {
	const struct utgard_memory *memory;
	enum utgard_list list;
	utgard_visitor visit;
	void *ctx;
	struct utgard_walk *walk;
	/* Pieces without a jump that were walked, [from, to): a jump into one is a loop. */
	struct {
		uint32_t from, to;
	} run[MAX_RUNS];
	unsigned int runs;
	uint32_t stack[MAX_CALLS];
	unsigned int depth;
};

static void __attribute__((format(printf, 2, 3))) say(struct utgard_command *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->text, sizeof(c->text), format, args);
	va_end(args);
}

static void uses(struct utgard_command *c, uint32_t address, uint32_t bytes)
{
	c->address = address;
	c->bytes = bytes;
}

static const char *mode_name(unsigned int mode)
{
	static const char *const names[] = {
		"points", "lines", "line loop", "line strip", "triangles", "triangle strip", "triangle fan",
		"quads", "quad strip", "polygon",
	};

	return mode < sizeof(names) / sizeof(names[0]) ? names[mode] : mode == GP_MODE_RECT ? "rectangle" : "unknown mode";
}

/* --- VS ------------------------------------------------------------------------ */

static void vs_register(struct utgard_command *c)
{
	uint32_t w0 = c->words[0], reg = c->words[1] & 0xfff;

	if (reg == VS_REG_SHADER_INFO)
		say(c, "shader info: %u instructions, prefetch %u", (UTGARD_GET(VS_REG_INSTRUCTIONS, w0) + 1),
		    UTGARD_GET(VS_REG_PREFETCH, w0));
	else if (reg == VS_REG_COUNTS)
		say(c, "counts: %u attributes, %u varyings", (UTGARD_GET(VS_REG_ATTRIBUTES, w0) + 1), (UTGARD_GET(VS_REG_VARYINGS, w0) + 1));
	else
		say(c, "register 0x%03x := 0x%x", reg, w0);
}

static void vs_streams(struct utgard_command *c, struct utgard_state *s)
{
	bool varyings = c->words[1] & VS_W1_STREAMS_VARYINGS;
	uint32_t count = VS_W1_STREAMS_COUNT(c->words[1]);

	say(c, "%s: %u descriptors at 0x%08x", varyings ? "varyings" : "attributes", count, c->words[0]);
	uses(c, c->words[0], 8 * count);
	*(varyings ? &s->varyings : &s->attributes) = c->words[0];
}

/* False: there is no such command. */
static bool vs_command(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t w0 = c->words[0], w1 = c->words[1];

	switch (w1 >> GP_OP_SHIFT) {
	case GP_OP_DRAW:
		say(c, "draw: %u vertices%s", VS_DRAW_COUNT(w0, w1), w0 & 1 ? ", indexed" : "");
		s->draws++;
		return true;
	case GP_OP_REGISTER:
		vs_register(c);
		return true;
	case GP_OP_STREAMS:
		vs_streams(c, s);
		return true;
	case VS_OP_UNIFORMS:
		say(c, "uniforms: %u vectors at 0x%08x", VS_W1_VEC4S(w1), w0);
		uses(c, w0, 16 * VS_W1_VEC4S(w1));
		s->uniforms = w0;
		s->uniform_vectors = VS_W1_VEC4S(w1);
		return true;
	case VS_OP_SHADER:
		say(c, "shader: %u instructions at 0x%08x", VS_W1_VEC4S(w1), w0);
		uses(c, w0, 16 * VS_W1_VEC4S(w1));
		s->shader = w0;
		s->shader_instructions = VS_W1_VEC4S(w1);
		return true;
	case VS_OP_SEMAPHORE:
		say(c, "semaphore 0x%05x", w1 & 0xfffffff);
		return true;
	case VS_OP_FLUSH:
		say(c, "flush");
		return true;
	case GP_OP_JUMP:
		say(c, "jump to 0x%08x", w0);
		return true;
	}
	return false;
}

/* --- PLBU ------------------------------------------------------------------------ */

static void plbu_register(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t w0 = c->words[0], reg = c->words[1] & 0xfff;
	const struct utgard_field *f = utgard_register(UTGARD_BLOCK_PLBU_REG, reg);
	char name[32] = "";

	if (reg == PLBU_REG_PRIMITIVE)
		s->primitive = w0;
	for (unsigned int i = 0; f && f->name[i] && i < sizeof(name) - 1; i++)
		name[i] = f->name[i] == '_' ? ' ' : tolower((unsigned char)f->name[i]);
	if (!f)
		say(c, "register 0x%03x := 0x%x", reg, w0);
	else if (reg == PLBU_REG_TILES)
		say(c, "tiles: %u x %u", UTGARD_GET(PLBU_REG_TILES_WIDE, w0) + 1,
		    UTGARD_GET(PLBU_REG_TILES_HIGH, w0) + 1);
	else if (f->kind == UTGARD_KIND_FLOAT)
		say(c, "%s := %g", name, (double)as_float(w0));
	else
		say(c, f->kind == UTGARD_KIND_ADDR ? "%s := 0x%08x" : "%s := 0x%x", name, w0);
}

static void plbu_scissor(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t w0 = c->words[0], w1 = c->words[1];

	s->scissor[0] = PLBU_SCISSOR_MINX(w0, w1);
	s->scissor[1] = PLBU_SCISSOR_MINY(w0, w1);
	s->scissor[2] = PLBU_SCISSOR_MAXX(w0, w1);
	s->scissor[3] = PLBU_SCISSOR_MAXY(w0, w1);
	say(c, "scissor: (%u, %u) to (%u, %u)", s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
}

static bool plbu_command(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t w0 = c->words[0], w1 = c->words[1];

	switch (w1 >> GP_OP_SHIFT) {
	case GP_OP_DRAW:
		say(c, "draw: %u %s from %u%s", PLBU_DRAW_COUNT(w0, w1), mode_name(PLBU_DRAW_MODE(w1)),
		    PLBU_DRAW_START(w0), w1 & PLBU_DRAW_INDEXED ? ", indexed" : "");
		s->draws++;
		return true;
	case GP_OP_REGISTER:
		plbu_register(c, s);
		return true;
	case GP_OP_STREAMS:
		say(c, "polygon lists: %u addresses at 0x%08x", PLBU_ARRAY_BLOCKS(w1), w0);
		uses(c, w0, 4 * PLBU_ARRAY_BLOCKS(w1));
		return true;
	case PLBU_OP_BLOCK_STRIDE:
		say(c, "blocks in a row: %u", w0);
		return true;
	case PLBU_OP_END:
		say(c, "end");
		return true;
	case PLBU_OP_SEMAPHORE:
		say(c, "semaphore 0x%05x", w1 & 0xfffffff);
		return true;
	case PLBU_OP_SCISSOR:
		plbu_scissor(c, s);
		return true;
	case PLBU_OP_RSW:
		say(c, "render state at 0x%08x, positions at 0x%08x", w0, PLBU_RSW_POSITIONS(w1));
		s->rsw = w0;
		s->positions = PLBU_RSW_POSITIONS(w1);
		return true;
	case PLBU_OP_STORE:
		say(c, "store register 0x%03x to 0x%08x", w1 & 0xfff, w0);
		uses(c, w0, 4);
		return true;
	case PLBU_OP_FLUSH:
		say(c, "flush");
		return true;
	case GP_OP_JUMP:
		say(c, "jump to 0x%08x", w0);
		return true;
	}
	return false;
}

/* --- PP -------------------------------------------------------------------------- */

static void pp_render_state(struct walker *w, struct utgard_command *c, struct utgard_state *s)
{
	const uint8_t *rsw = w->memory->at(w->memory->ctx, c->words[0], RSW_BYTES);

	say(c, "render state at 0x%08x, positions at 0x%08x", c->words[0], PLB_RSW_GL_POS(c->words[1]));
	uses(c, c->words[0], RSW_BYTES);
	s->rsw = c->words[0];
	s->positions = PLB_RSW_GL_POS(c->words[1]);
	s->shader = 0;
	if (rsw)
		memcpy(&s->shader, rsw + 4 * RSW_SHADER_ADDRESS, sizeof(s->shader));
}

static void pp_scissor(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t lo = c->words[0], hi = c->words[1];

	s->scissor[0] = PLB_SCISSOR_X0(lo, hi);
	s->scissor[1] = PLB_SCISSOR_Y0(lo, hi);
	s->scissor[2] = PLB_SCISSOR_X1(lo, hi) + 1;
	s->scissor[3] = PLB_SCISSOR_Y1(lo, hi) + 1;
	say(c, "scissor: (%u, %u) to (%u, %u)", s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
}

static bool polygon_command(struct walker *w, struct utgard_command *c, struct utgard_state *s)
{
	static const char *const names[] = { [PLB_OP_TRIANGLE] = "triangle", [PLB_OP_LINE] = "line",
					     [PLB_OP_POINT] = "point", [PLB_OP_RECT] = "rectangle" };
	uint32_t lo = c->words[0], hi = c->words[1], op = PPS_OPCODE(hi);

	switch (op) {
	case PLB_OP_NOP:
		say(c, "nothing");
		return !lo && !hi;
	case PLB_OP_TRIANGLE:
	case PLB_OP_LINE:
	case PLB_OP_POINT:
	case PLB_OP_RECT:
		say(c, "%s: vertices %u, %u, %u", names[op], PLB_PRIM_I0(lo, hi), PLB_PRIM_I1(lo, hi),
		    PLB_PRIM_I2(lo, hi));
		s->draws++;
		return true;
	case PLB_OP_SIZE:
		say(c, "size := %g", (double)as_float(lo));
		return true;
	case PLB_OP_SCISSOR:
		pp_scissor(c, s);
		return true;
	case PLB_OP_RSW:
		pp_render_state(w, c, s);
		return true;
	case PLB_OP_JUMP:
		say(c, "jump to 0x%08x", PPS_TARGET(lo));
		return PPS_TARGET_TYPE(lo) == PPS_TARGET_JUMP;
	case PPS_CALL >> 28:
		say(c, "call 0x%08x", PPS_TARGET(lo));
		return PPS_TARGET_TYPE(lo) == PPS_TARGET_CALL;
	case PLB_OP_RETURN:
		say(c, "return");
		return true;
	}
	return false;
}

static bool tile_command(struct utgard_command *c, struct utgard_state *s)
{
	uint32_t lo = c->words[0], hi = c->words[1];

	if ((hi & 0xffff0000) == PPS_BEGIN_TILE) {
		s->tile_x = PPS_TILE_X(hi);
		s->tile_y = PPS_TILE_Y(hi);
		s->draws = 0;
		s->rsw = s->shader = s->positions = 0;
		say(c, "tile (%d, %d)", s->tile_x, s->tile_y);
		return true;
	}
	if (hi == PPS_CALL) {
		say(c, "polygon list at 0x%08x", PPS_TARGET(lo));
		return PPS_TARGET_TYPE(lo) == PPS_TARGET_CALL;
	}
	say(c, "end");
	return hi == PPS_END;
}

/* --- The walk ---------------------------------------------------------------------- */

static bool finish(struct walker *w, enum utgard_end end, uint32_t va)
{
	w->walk->end = end;
	w->walk->va = va;
	return false;
}

/* A new piece begins at va, unless somebody has been there. */
static bool begin_run(struct walker *w, uint32_t va)
{
	for (unsigned int i = 0; i < w->runs; i++) {
		if (va >= w->run[i].from && va < w->run[i].to)
			return false;
	}
	if (w->runs == MAX_RUNS)
		return false;
	w->run[w->runs].from = va;
	w->run[w->runs++].to = va;
	return true;
}

/* A piece that was left goes on. */
static void resume_run(struct walker *w, uint32_t va)
{
	if (w->runs == MAX_RUNS)
		w->runs--;
	w->run[w->runs].from = va;
	w->run[w->runs++].to = va;
}

/* The address after this command; false: the walk is over. */
static bool advance(struct walker *w, const struct utgard_command *c, uint32_t *va)
{
	uint32_t lo = c->words[0], hi = c->words[1], op = hi >> GP_OP_SHIFT, target;

	if (w->list != UTGARD_TILE_LIST) {
		if (w->list == UTGARD_PLBU_LIST && op == PLBU_OP_END)
			return finish(w, UTGARD_END_END, c->va);
		if (op != GP_OP_JUMP) {
			*va += 8;
			return true;
		}
		target = lo;
	} else if (!w->depth ? hi == PPS_CALL : op == PPS_CALL >> 28) {
		if (w->depth == MAX_CALLS)
			return finish(w, UTGARD_END_INVALID, c->va);
		if (!w->depth)
			w->runs = 1;	/* each tile's polygon list may be another one's, too */
		w->stack[w->depth++] = *va + 8;
		target = PPS_TARGET(lo);
	} else if (w->depth && op == PLB_OP_RETURN) {
		*va = w->stack[--w->depth];
		if (!w->depth)
			w->runs = 1;	/* back in the tile list's own piece */
		else
			resume_run(w, *va);
		return true;
	} else if (w->depth && op == PLB_OP_JUMP) {
		target = PPS_TARGET(lo);
	} else if (!w->depth && hi == PPS_END) {
		return finish(w, UTGARD_END_END, c->va);
	} else {
		*va += 8;
		return true;
	}
	if (!begin_run(w, target))
		return finish(w, UTGARD_END_LOOP, c->va);
	*va = target;
	return true;
}

static bool understand(struct walker *w, struct utgard_command *c, struct utgard_state *s)
{
	switch (w->list) {
	case UTGARD_VS_LIST:
		return vs_command(c, s);
	case UTGARD_PLBU_LIST:
		return plbu_command(c, s);
	default:
		if (w->depth)
			return polygon_command(w, c, s);
		s->tile_command = c->va;
		return tile_command(c, s);
	}
}

static bool step(struct walker *w, uint32_t *va)
{
	const void *p = *va % 8 ? NULL : w->memory->at(w->memory->ctx, *va, 8);
	struct utgard_state *s = &w->walk->state, before = *s;
	struct utgard_command c = { .list = w->list, .nested = w->depth, .va = *va, .state = &before };
	bool known;

	if (!p)
		return finish(w, UTGARD_END_MEMORY, *va);
	memcpy(c.words, p, 8);
	known = understand(w, &c, s);
	if (!known)
		say(&c, "no such command");
	w->walk->commands++;
	w->run[w->runs - 1].to = *va + 8;
	if (w->visit && !w->visit(w->ctx, &c))
		return finish(w, UTGARD_END_STOP, *va);
	if (!known)
		return finish(w, UTGARD_END_INVALID, *va);
	if (w->walk->commands == MAX_COMMANDS)
		return finish(w, UTGARD_END_LENGTH, *va);
	return advance(w, &c, va);
}

void utgard_decode(const struct utgard_memory *memory, enum utgard_list list, uint32_t start, uint32_t end,
		   utgard_visitor visit, void *ctx, struct utgard_walk *walk)
{
	struct walker w = { .memory = memory, .list = list, .visit = visit, .ctx = ctx, .walk = walk };
	uint32_t va = start;

	memset(walk, 0, sizeof(*walk));
	walk->state.tile_x = walk->state.tile_y = -1;
	begin_run(&w, start);
	do {
		if (end && va == end && list != UTGARD_TILE_LIST) {
			finish(&w, UTGARD_END_END, va);
			return;
		}
	} while (step(&w, &va));
}

const char *utgard_end_text(enum utgard_end end)
{
	static const char *const texts[] = {
		[UTGARD_END_END] = "the list comes to its end",
		[UTGARD_END_MEMORY] = "the list goes on where there is no memory of this job",
		[UTGARD_END_INVALID] = "there is no such command",
		[UTGARD_END_LOOP] = "the list comes back to where it has been",
		[UTGARD_END_LENGTH] = "the list has more than a million commands",
		[UTGARD_END_STOP] = "stopped",
	};

	return texts[end];
}
