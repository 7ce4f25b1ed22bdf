// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/states.h>

#include "isa/half.h"
#include "isa/utgard_pp.h"
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

/* --- Commands as the table has them ---------------------------------------------- */

enum list { VS, PLBU, TILE, PLB };
enum kind { UINT, LESS1, HEX, ADDR, BOOL, FLOAT, MODE, REG, ADDR8, ADDR16, ADDR32, ADDR64 };

enum id {
#define UTG_COMMAND(list, name, bits, opcode, text) list##_##name,
#include <limn/utgard/commands.inc>
	NUM_COMMANDS
};

static const struct row {
	uint8_t list, bits;
	uint32_t op;
	const char *text;
} rows[] = {
#define UTG_COMMAND(list, name, bits, opcode, text) { list, bits, opcode, text },
#include <limn/utgard/commands.inc>
};

static const struct operand {
	uint8_t command, bit, width, kind;
	const char *name;
} operands[] = {
#define UTG_OPERAND(list, command, name, hi, lo, kind) { list##_##command, lo, (hi) - (lo) + 1, kind, #name },
#include <limn/utgard/commands.inc>
};

/* Rows of one opcode are told apart by other bits. */
static bool fits(enum id id, const uint32_t words[2])
{
	uint32_t lo = words[0];

	switch (id) {
	case TILE_CALL:
	case PLB_CALL:
		return PPS_TARGET_TYPE(lo) == PPS_TARGET_CALL;
	case PLB_JUMP:
		return PPS_TARGET_TYPE(lo) == PPS_TARGET_JUMP;
	case PLB_RETURN:
		return lo == PLB_RETURN_LO;
	case PLB_NOP:
		return !lo;
	case PLB_TRIANGLE:
		return !(words[1] & ~PLB_TRIANGLE_HI(~0u, ~0u));
	default:
		return true;
	}
}

/* The command's row, NUM_COMMANDS: there is none. */
static enum id find(enum list list, const uint32_t words[2])
{
	for (unsigned int i = 0; i < NUM_COMMANDS; i++)
		if (rows[i].list == list && words[1] >> (32 - rows[i].bits) == rows[i].op && fits(i, words))
			return i;
	return NUM_COMMANDS;
}

static void format_operand(const struct operand *o, uint32_t v, char *out, size_t size)
{
	static const uint8_t shift[] = { [ADDR8] = 3, [ADDR16] = 4, [ADDR32] = 5, [ADDR64] = 6 };

	switch (o->kind) {
	case MODE:
		snprintf(out, size, "%s", mode_name(v));
		return;
	case REG:
		snprintf(out, size, "register 0x%03x", v);
		return;
	case FLOAT:
		snprintf(out, size, "%g", (double)as_float(v));
		return;
	case ADDR:
	case ADDR8:
	case ADDR16:
	case ADDR32:
	case ADDR64:
		snprintf(out, size, "0x%08x", v << shift[o->kind]);
		return;
	default:
		snprintf(out, size, o->kind == HEX ? "0x%x" : "%u", v + (o->kind == LESS1));
	}
}

/* The row's text with what the operands are: {NAME}, {NAME?text if it is set}, {NAME!if it is not}. */
static void describe(struct utgard_command *c, enum id id)
{
	const char *t = rows[id].text;
	size_t n = 0, name, length;

	for (; *t && n < sizeof(c->text) - 1; t += *t == '}') {
		if (*t != '{') {
			c->text[n++] = *t++;
			t -= *t == '}' && t[-1] == '}';
			continue;
		}
		name = strcspn(++t, "?!}");
		for (unsigned int i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
			const struct operand *o = &operands[i];
			uint32_t v = utgard_bits_get(c->words, o->bit, o->width);

			if (o->command != id || strncmp(o->name, t, name) || o->name[name])
				continue;
			length = strcspn(t + name, "}");
			if (t[name] == '}')
				format_operand(o, v, c->text + n, sizeof(c->text) - n);
			else
				snprintf(c->text + n, sizeof(c->text) - n, "%.*s",
					 (t[name] == '?') == !!v ? (int)length - 1 : 0, t + name + 1);
			n += strlen(c->text + n);
		}
		t += strcspn(t, "}");
	}
}

static void set_scissor(struct utgard_command *c, struct utgard_state *s)
{
	s->scissor[0] = utgard_get(c->words, PLBU_SCISSOR_MIN_X);
	s->scissor[1] = utgard_get(c->words, PLBU_SCISSOR_MIN_Y);
	s->scissor[2] = utgard_get(c->words, PLBU_SCISSOR_MAX_X) + 1;
	s->scissor[3] = utgard_get(c->words, PLBU_SCISSOR_MAX_Y) + 1;
}

/* A register's value by its fields, or by its own name and kind. */
static void describe_register(struct utgard_command *c, enum list list)
{
	uint32_t w0 = c->words[0], number = utgard_get(c->words, PLBU_REGISTER_NUMBER);
	const struct utgard_field *f = list == PLBU ? limn_utgard_register(UTGARD_BLOCK_PLBU_REG, number) : NULL;
	char name[32] = "";

	for (unsigned int i = 0; f && f->name[i] && i < sizeof(name) - 1; i++)
		name[i] = f->name[i] == '_' ? ' ' : tolower((unsigned char)f->name[i]);
	if (list == VS && number == VS_REG_SHADER_INFO)
		say(c, "shader info: %u instructions, prefetch %u", UTGARD_GET(VS_REG_INSTRUCTIONS, w0) + 1,
		    UTGARD_GET(VS_REG_PREFETCH, w0));
	else if (list == VS && number == VS_REG_COUNTS)
		say(c, "counts: %u attributes, %u varyings", UTGARD_GET(VS_REG_ATTRIBUTES, w0) + 1,
		    UTGARD_GET(VS_REG_VARYINGS, w0) + 1);
	else if (list == PLBU && number == PLBU_REG_TILES)
		say(c, "tiles: %u x %u", UTGARD_GET(PLBU_REG_TILES_WIDE, w0) + 1,
		    UTGARD_GET(PLBU_REG_TILES_HIGH, w0) + 1);
	else if (f && f->kind == UTGARD_KIND_FLOAT)
		say(c, "%s := %g", name, (double)as_float(w0));
	else if (f)
		say(c, f->kind == UTGARD_KIND_ADDR ? "%s := 0x%08x" : "%s := 0x%x", name, w0);
}

/* What a command of the GP's lists sets and reads. */
static void gp_effect(struct utgard_command *c, struct utgard_state *s, enum id id)
{
	const uint32_t *w = c->words;

	switch (id) {
	case VS_DRAW:
	case PLBU_DRAW:
		s->draws++;
		break;
	case VS_REGISTER:
	case PLBU_REGISTER:
		describe_register(c, rows[id].list);
		if (id == PLBU_REGISTER && utgard_get(w, PLBU_REGISTER_NUMBER) == PLBU_REG_PRIMITIVE)
			s->primitive = w[0];
		break;
	case VS_STREAMS:
		uses(c, w[0], 8 * utgard_get(w, VS_STREAMS_COUNT));
		*(utgard_get(w, VS_STREAMS_VARYINGS) ? &s->varyings : &s->attributes) = w[0];
		break;
	case VS_UNIFORMS:
		s->uniforms = w[0];
		s->uniform_vectors = utgard_get(w, VS_UNIFORMS_VECTORS);
		uses(c, w[0], 16 * s->uniform_vectors);
		break;
	case VS_SHADER:
		s->shader = w[0];
		s->shader_instructions = utgard_get(w, VS_SHADER_INSTRUCTIONS);
		uses(c, w[0], 16 * s->shader_instructions);
		break;
	case PLBU_LISTS:
		uses(c, w[0], 4 * (utgard_get(w, PLBU_LISTS_COUNT) + 1));
		break;
	case PLBU_SCISSOR:
		set_scissor(c, s);
		break;
	case PLBU_RSW:
		s->rsw = w[0];
		s->positions = utgard_get(w, PLBU_RSW_POSITIONS) << 4;
		break;
	case PLBU_STORE:
		uses(c, w[0], 4);
		break;
	default:
		break;
	}
}

/* What a command of the PP's lists sets and reads. */
static void pp_effect(struct walker *w, struct utgard_command *c, struct utgard_state *s, enum id id)
{
	uint32_t va = utgard_get(c->words, PLB_RSW_ADDRESS) << 3;
	const uint8_t *rsw;

	switch (id) {
	case TILE_BEGIN:
		s->tile_x = utgard_get(c->words, TILE_BEGIN_X);
		s->tile_y = utgard_get(c->words, TILE_BEGIN_Y);
		s->draws = 0;
		s->rsw = s->shader = s->positions = 0;
		break;
	case PLB_TRIANGLE:
	case PLB_WIDE:
	case PLB_LINE:
	case PLB_POINT:
	case PLB_RECT:
		s->draws++;
		break;
	case PLB_SCISSOR:
		set_scissor(c, s);
		break;
	case PLB_RSW:
		rsw = w->memory->at(w->memory->ctx, va, RSW_BYTES);
		uses(c, va, RSW_BYTES);
		s->rsw = va;
		s->positions = utgard_get(c->words, PLB_RSW_POSITIONS) << 6;
		s->shader = 0;
		if (rsw)
			memcpy(&s->shader, rsw + 4 * RSW_SHADER_ADDRESS, sizeof(s->shader));
		break;
	default:
		break;
	}
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
		if (w->list == UTGARD_PLBU_LIST && op == PLBU_END__OP)
			return finish(w, UTGARD_END_END, c->va);
		if (op != GP_OP_JUMP) {
			*va += 8;
			return true;
		}
		target = lo;
	} else if (!w->depth ? hi == PPS_CALL : hi == PLB_CALL__OP && PPS_TARGET_TYPE(lo) == PPS_TARGET_CALL) {
		if (w->walk->state.tile_x < 0)
			return finish(w, UTGARD_END_CALL, c->va);
		if (w->depth == MAX_CALLS)
			return finish(w, UTGARD_END_INVALID, c->va);
		if (!w->depth)
			w->runs = 1;	/* each tile's polygon list may be another one's, too */
		w->stack[w->depth++] = *va + 8;
		target = PPS_TARGET(lo);
	} else if (w->depth && hi == PLB_RETURN__OP && lo == PLB_RETURN_LO) {
		*va = w->stack[--w->depth];
		if (!w->depth)
			w->runs = 1;	/* back in the tile list's own piece */
		else
			resume_run(w, *va);
		return true;
	} else if (w->depth && hi == PLB_JUMP__OP) {
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

/* False: there is no such command. */
static bool understand(struct walker *w, struct utgard_command *c, struct utgard_state *s)
{
	enum list list = w->list == UTGARD_VS_LIST ? VS : w->list == UTGARD_PLBU_LIST ? PLBU : w->depth ? PLB : TILE;
	enum id id = find(list, c->words);

	if (list == TILE)
		s->tile_command = c->va;
	if (id == NUM_COMMANDS)
		return false;
	describe(c, id);
	if (list >= TILE)
		pp_effect(w, c, s, id);
	else
		gp_effect(c, s, id);
	return true;
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

void limn_utgard_decode(const struct utgard_memory *memory, enum utgard_list list, uint32_t start, uint32_t end,
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

size_t limn_utgard_shader_words(const struct utgard_memory *memory, enum utgard_list list, uint32_t va,
				uint32_t instructions, uint32_t *words, size_t max)
{
	const void *p = list == UTGARD_VS_LIST ? NULL : memory->at(memory->ctx, va, 4);
	size_t n = 0, length;

	if (list == UTGARD_VS_LIST) {
		n = 4 * (size_t)instructions < max ? 4 * (size_t)instructions : max;
		p = n ? memory->at(memory->ctx, va, 4 * n) : NULL;
		if (p)
			memcpy(words, p, 4 * n);
		return p ? n : 0;
	}
	for (uint32_t head = 0; p && n < max && !PP_STOP(head); p = memory->at(memory->ctx, va + 4 * n, 4)) {
		memcpy(&head, p, 4);
		length = PP_COUNT(head);
		p = length && n + length <= max ? memory->at(memory->ctx, va + 4 * n, 4 * length) : NULL;
		if (!p)
			break;
		memcpy(words + n, p, 4 * length);
		n += length;
	}
	return n;
}

size_t limn_utgard_shader_endless(const uint32_t *words, size_t n, char *text, size_t size)
{
	uint32_t last = 0;
	size_t where = 0;

	text[0] = 0;
	for (size_t at = 0; at < n; at += PP_COUNT(last)) {
		struct isa_bits block[PP_BLOCKS] = { 0 };
		char *line;

		last = words[at];
		where = at;
		if (PP_COUNT(last) > n - at)
			return at;
		if (pp_size(last) > PP_COUNT(last)) {
			snprintf(text, size, ", whose instruction at word %zu is shorter than its fields", at);
			return at;
		}
		pp_split(words + at, block);
		if (!PP_HAS(last, PP_BRANCH) || pp_target(&block[PP_BRANCH]) > 0)
			continue;
		line = limn_isa_disasm(limn_isa_find("utgard-pp"), words + at, PP_COUNT(last));
		if (line && strstr(line, "branch"))
			snprintf(text, size, ", whose instruction at word %zu branches: %.*s", at, (int)strcspn(line, "\n"), line);
		free(line);
		if (text[0])
			return at;
	}
	if (n && !PP_STOP(last) && (!PP_HAS(last, PP_BRANCH) || PP_PREFETCH(last)))
		snprintf(text, size, ", which runs on to word %zu, where no instruction is", n);
	return where;
}

const char *limn_utgard_end_text(enum utgard_end end)
{
	static const char *const texts[] = {
		[UTGARD_END_END] = "the list comes to its end",
		[UTGARD_END_MEMORY] = "the list goes on where there is no memory of this job",
		[UTGARD_END_INVALID] = "there is no such command",
		[UTGARD_END_CALL] = "it calls a polygon list outside of a tile",
		[UTGARD_END_LOOP] = "the list comes back to where it has been",
		[UTGARD_END_LENGTH] = "the list has more than a million commands",
		[UTGARD_END_STOP] = "stopped",
	};

	return texts[end];
}
