// SPDX-License-Identifier: MIT
/*
 * PP instructions from memory to struct pp_instr, each reachable one once.
 *
 * Layout of the fields: mali-isa-docs Utgard-PP.md, Mesa's lima
 * ir/pp/codegen.h. A control word says which of twelve fields follow; they
 * stand back to back, bit 0 of a field at the next free bit.
 */
#include <stdlib.h>

#include "sim/half.h"
#include "sim/utgard_pp_decode.h"

#define PP_MAX_INSTRUCTIONS 65536
#define PP_MAX_WORDS 31

static const uint8_t field_bits[PP_FIELDS] = { 34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64 };

/* A field while it is taken apart, lowest bits first. */
struct cursor {
	const uint32_t *words;
	unsigned int bit;
};

static uint32_t take(struct cursor *c, unsigned int n)
{
	uint64_t pair = c->words[c->bit / 32] | (uint64_t)c->words[c->bit / 32 + 1] << 32;
	uint32_t value = (uint32_t)(pair >> c->bit % 32) & (n == 32 ? ~0u : (1u << n) - 1);

	c->bit += n;
	return value;
}

static void note(struct ppsim_program *prog, int at, const char *text)
{
	struct pp_note *grown;

	for (unsigned int i = 0; i < prog->note_count; i++)
		if (prog->notes[i].at == at && prog->notes[i].text == text)
			return;
	grown = realloc(prog->notes, (prog->note_count + 1) * sizeof(*grown));
	if (!grown) {
		prog->no_memory = true;
		return;
	}
	prog->notes = grown;
	prog->notes[prog->note_count++] = (struct pp_note){ text, at };
}

static void expect(struct ppsim_program *prog, const struct pp_instr *in, uint32_t value,
		   uint32_t known, const char *text)
{
	if (value != known)
		note(prog, in->at, text);
}

static struct pp_src vec4_src(struct cursor *c)
{
	struct pp_src s = { .reg = take(c, 4) };

	for (int i = 0; i < 4; i++)
		s.swizzle[i] = take(c, 2);
	s.absolute = take(c, 1);
	s.negate = take(c, 1);
	return s;
}

static struct pp_src scalar_reg(uint32_t reg)
{
	return (struct pp_src){ .reg = reg >> 2, .swizzle = { reg & 3, reg & 3, reg & 3, reg & 3 } };
}

static struct pp_src scalar_src(struct cursor *c)
{
	struct pp_src s = scalar_reg(take(c, 6));

	s.absolute = take(c, 1);
	s.negate = take(c, 1);
	return s;
}

static void decode_varying(struct ppsim_program *prog, struct pp_instr *in, struct cursor c)
{
	static const uint8_t kinds[16] = {
		[0] = PP_LOAD_VARYING, [1] = PP_LOAD_VARYING, [2] = PP_LOAD_VARYING, [3] = PP_LOAD_VARYING,
		[4] = PP_LOAD_REGISTER, [5] = PP_LOAD_REGISTER, [6] = PP_LOAD_REGISTER, [7] = PP_LOAD_REGISTER,
		[8] = PP_LOAD_CUBE_VARYING, [9] = PP_LOAD_CUBE_REGISTER, [10] = PP_LOAD_NORMALIZE,
		[11] = PP_LOAD_FRAGCOORD, [12] = PP_LOAD_POINTCOORD, [13] = PP_LOAD_FRONTFACING,
	};
	struct cursor reg = c;
	uint32_t source = take(&c, 4), align, offset;

	in->varying.kind = kinds[source];
	if (source > 13) {
		in->unknown = true;
		note(prog, in->at, "varying field: unknown source");
	}
	/* 2: divide by z, 3: by w. */
	in->varying.divide = source < 8 ? source & 3 : 0;
	if (in->varying.divide == 1)
		note(prog, in->at, "varying field: unknown perspective 1");
	expect(prog, in, take(&c, 1), 0, "varying field: unknown_4_1 set");
	align = take(&c, 2);
	in->varying.components = align == 0 ? 1 : align == 1 ? 2 : 4;
	expect(prog, in, take(&c, 3), source == 10 ? 1 : 0, "varying field: unknown_7_3 set");
	offset = take(&c, 4);
	take(&c, 2);
	offset = offset << 2 | take(&c, 2);
	in->varying.offset = offset;
	in->varying.offset_enable = offset >> 2 != 15;
	in->varying.index = take(&c, 6);
	in->varying.dest = take(&c, 4);
	in->varying.mask = take(&c, 4);

	if (in->varying.kind == PP_LOAD_REGISTER || in->varying.kind == PP_LOAD_CUBE_REGISTER ||
	    in->varying.kind == PP_LOAD_NORMALIZE) {
		struct pp_src *s = &in->varying.src;

		reg.bit += 10;
		s->reg = take(&reg, 4);
		s->negate = take(&reg, 1);
		s->absolute = take(&reg, 1);
		for (int i = 0; i < 4; i++)
			s->swizzle[i] = take(&reg, 2);
		in->varying.components = 4;
		in->varying.offset_enable = false;
	} else if (align == 2) {
		note(prog, in->at, "varying field: unknown alignment 2");
	}
	if (in->varying.kind != PP_LOAD_VARYING && in->varying.kind != PP_LOAD_CUBE_VARYING)
		in->varying.offset_enable = false;
}

static void decode_sampler(struct ppsim_program *prog, struct pp_instr *in, struct cursor c)
{
	in->sampler.lod_reg = take(&c, 6);
	in->sampler.offset = take(&c, 6);
	expect(prog, in, take(&c, 5), 0, "sampler field: unknown_12_5 set");
	in->sampler.explicit_lod = take(&c, 1);
	in->sampler.lod_enable = take(&c, 1);
	expect(prog, in, take(&c, 5), 0, "sampler field: unknown_19_5 set");
	in->sampler.type = take(&c, 5);
	in->sampler.offset_enable = take(&c, 1);
	in->sampler.index = take(&c, 12);
	expect(prog, in, take(&c, 20), 0x39001, "sampler field: unknown_42_20 is not 0x39001");
	if (in->sampler.type != 0 && in->sampler.type != 31)
		note(prog, in->at, "sampler field: unknown type");
}

static void decode_memory(struct pp_memory *m, struct cursor *c)
{
	m->align = take(c, 2);
	take(c, 6);
	m->offset = take(c, 6);
	m->offset_enable = take(c, 1);
	m->index = (int16_t)take(c, 16);
}

static void decode_uniform(struct ppsim_program *prog, struct pp_instr *in, struct cursor c)
{
	in->uniform.source = take(&c, 2);
	expect(prog, in, take(&c, 8), 0, "uniform field: unknown_2_8 set");
	decode_memory(&in->uniform, &c);
	if (in->uniform.source != 0 && in->uniform.source != 3) {
		in->unknown = true;
		note(prog, in->at, "uniform field: unknown source");
	}
	if (in->uniform.align == 3)
		note(prog, in->at, "uniform field: unknown alignment 3");
}

static void decode_vec4(struct pp_alu *a, struct cursor c, bool acc)
{
	a->arg[0] = vec4_src(&c);
	a->arg[1] = vec4_src(&c);
	a->dest = take(&c, 4);
	a->mask = take(&c, 4);
	a->outmod = take(&c, 2);
	a->op = take(&c, 5);
	a->mul_in = acc && take(&c, 1);
}

static void decode_float(struct pp_alu *a, struct cursor c, bool acc)
{
	uint32_t dest;

	a->arg[0] = scalar_src(&c);
	a->arg[1] = scalar_src(&c);
	dest = take(&c, 6);
	a->dest = dest >> 2;
	a->mask = take(&c, 1) << (dest & 3);
	a->outmod = take(&c, 2);
	a->op = take(&c, 5);
	a->mul_in = acc && take(&c, 1);
}

/* The ops that have a name; bit n for op n. */
#define MUL_OPS 0x8003ffffu
#define VEC4_ACC_OPS (1u << 0 | 1u << 4 | 0xff00u | 1u << 16 | 1u << 17 | 1u << 20 | 1u << 21 | 1u << 23 | 1u << 31)
#define FLOAT_ACC_OPS (1u << 0 | 1u << 4 | 0xff00u | 1u << 20 | 1u << 21 | 1u << 23 | 1u << 31)

static void known_op(struct ppsim_program *prog, struct pp_instr *in, const struct pp_alu *a,
		     uint32_t ops, const char *text)
{
	if (!(ops >> a->op & 1)) {
		in->unknown = true;
		note(prog, in->at, text);
	}
}

static void decode_combine(struct ppsim_program *prog, struct pp_instr *in, struct cursor c)
{
	struct cursor low = c, scalar = c, vector = c;
	bool dest_vec = take(&low, 1), arg1_en = take(&low, 1);
	uint32_t dest;

	in->combine.kind = dest_vec ? (arg1_en ? PP_COMBINE_VECTOR : PP_COMBINE_ATAN_PT1) :
			   arg1_en ? PP_COMBINE_ATAN_PT2 : PP_COMBINE_SCALAR;

	/* Two layouts over the same bits; arg1 is a scalar in one, a vec4 in the other. */
	take(&scalar, 2);
	in->combine.op = take(&scalar, 4);
	in->combine.arg[1].absolute = take(&scalar, 1);
	in->combine.arg[1].negate = take(&scalar, 1);
	dest = take(&scalar, 6);
	{
		bool absolute = in->combine.arg[1].absolute, negate = in->combine.arg[1].negate;

		in->combine.arg[1] = scalar_reg(dest);
		in->combine.arg[1].absolute = absolute;
		in->combine.arg[1].negate = negate;
	}
	{
		bool absolute = take(&scalar, 1), negate = take(&scalar, 1);

		in->combine.arg[0] = scalar_reg(take(&scalar, 6));
		in->combine.arg[0].absolute = absolute;
		in->combine.arg[0].negate = negate;
	}
	if (dest_vec) {
		in->combine.mask = take(&scalar, 4);
		in->combine.dest = take(&scalar, 4);
	} else {
		in->combine.outmod = take(&scalar, 2);
		dest = take(&scalar, 6);
		in->combine.dest = dest >> 2;
		in->combine.mask = 1 << (dest & 3);
	}
	if (arg1_en) {
		struct pp_src *s = &in->combine.arg[1];

		take(&vector, 2);
		for (int i = 0; i < 4; i++)
			s->swizzle[i] = take(&vector, 2);
		s->reg = take(&vector, 4);
		s->absolute = s->negate = false;
	}
	if ((in->combine.kind == PP_COMBINE_SCALAR && in->combine.op > 7) ||
	    (in->combine.kind == PP_COMBINE_ATAN_PT1 && in->combine.op != 8 && in->combine.op != 9)) {
		in->unknown = true;
		note(prog, in->at, "combine field: unknown op");
	}
}

static void decode_temp_write(struct ppsim_program *prog, struct pp_instr *in, struct cursor c)
{
	struct cursor store = c;
	uint32_t kind = take(&store, 2), fixed = take(&store, 2);

	if (fixed == 3) {
		in->fb.is_read = true;
		in->fb.color = kind & 1;
		take(&c, 6);
		in->fb.dest = take(&c, 4);
		if (!(kind & 2))
			note(prog, in->at, "framebuffer read: unknown source");
		return;
	}
	if (kind != 3 || fixed) {
		in->unknown = true;
		note(prog, in->at, "temporary write field: unknown destination");
	}
	in->store.source = take(&store, 6);
	decode_memory(&in->store, &store);
	if (in->store.align == 3)
		note(prog, in->at, "temporary write field: unknown alignment 3");
}

static int decode_branch(struct ppsim_program *prog, struct pp_instr *in, struct cursor c,
			 unsigned int *next_count)
{
	uint32_t low = take(&c, 4);
	int target;

	in->branch.arg[1] = scalar_reg(take(&c, 6));
	in->branch.arg[0] = scalar_reg(take(&c, 6));
	in->branch.gt = take(&c, 1);
	in->branch.eq = take(&c, 1);
	in->branch.lt = take(&c, 1);
	/* GUESS: the discard word is the branch's layout with 3 here; then its condition counts too. */
	in->branch.discard = low == 3;
	if (low != 0 && low != 3)
		note(prog, in->at, "branch field: unknown_0_4");
	take(&c, 22);
	target = (int)take(&c, 27);
	target = (int)((uint32_t)target << 5) >> 5;
	*next_count = take(&c, 5);
	return target;
}

static void decode_fields(struct ppsim_program *prog, struct pp_instr *in, const uint32_t *words,
			  int *target, unsigned int *target_count)
{
	unsigned int bit = 32;

	for (unsigned int f = 0; f < PP_FIELDS; f++) {
		struct cursor c = { words, bit };

		if (!(in->fields >> f & 1))
			continue;
		bit += field_bits[f];
		switch (f) {
		case PP_VARYING:
			decode_varying(prog, in, c);
			break;
		case PP_SAMPLER:
			decode_sampler(prog, in, c);
			break;
		case PP_UNIFORM:
			decode_uniform(prog, in, c);
			break;
		case PP_VEC4_MUL:
			decode_vec4(&in->vmul, c, false);
			known_op(prog, in, &in->vmul, MUL_OPS, "vec4 mul: unknown op");
			break;
		case PP_FLOAT_MUL:
			decode_float(&in->fmul, c, false);
			known_op(prog, in, &in->fmul, MUL_OPS, "float mul: unknown op");
			break;
		case PP_VEC4_ACC:
			decode_vec4(&in->vacc, c, true);
			known_op(prog, in, &in->vacc, VEC4_ACC_OPS, "vec4 acc: unknown op");
			break;
		case PP_FLOAT_ACC:
			decode_float(&in->facc, c, true);
			known_op(prog, in, &in->facc, FLOAT_ACC_OPS, "float acc: unknown op");
			break;
		case PP_COMBINE:
			decode_combine(prog, in, c);
			break;
		case PP_TEMP_WRITE:
			decode_temp_write(prog, in, c);
			break;
		case PP_BRANCH:
			*target = decode_branch(prog, in, c, target_count);
			break;
		default:
			for (int i = 0; i < 4; i++)
				in->constant[f - PP_CONST0][i] = half_to_float(take(&c, 16));
		}
	}
}

static unsigned int fields_words(unsigned int fields)
{
	unsigned int bits = 0;

	for (unsigned int f = 0; f < PP_FIELDS; f++)
		if (fields >> f & 1)
			bits += field_bits[f];
	return 1 + (bits + 31) / 32;
}

/* Where the instruction at that word is, or will be, among the slots. */
static unsigned int *slot_of(const struct ppsim_program *prog, int at)
{
	unsigned int mask = 2 * prog->room - 1, k = (unsigned int)at * 0x9e3779b1u & mask;

	while (prog->slots[k] && prog->instr[prog->slots[k] - 1].at != at)
		k = (k + 1) & mask;
	return &prog->slots[k];
}

/* Room is a power of two. */
static bool more_room(struct ppsim_program *prog)
{
	unsigned int room = prog->room ? prog->room * 2 : 16;
	struct pp_instr *instr = realloc(prog->instr, room * sizeof(*instr));
	unsigned int *slots = calloc(2 * room, sizeof(*slots));

	prog->instr = instr ? instr : prog->instr;
	if (!instr || !slots) {
		free(slots);
		prog->no_memory = true;
		return false;
	}
	free(prog->slots);
	prog->slots = slots;
	prog->room = room;
	for (unsigned int i = 0; i < prog->count; i++)
		*slot_of(prog, instr[i].at) = i + 1;
	return true;
}

/* Index of the instruction at word at, added at the end when it is new. ~0u: no room. */
static unsigned int intern(struct ppsim_program *prog, int at)
{
	unsigned int *slot = prog->room ? slot_of(prog, at) : NULL;

	if (slot && *slot)
		return *slot - 1;
	if (prog->count == PP_MAX_INSTRUCTIONS || (prog->count == prog->room && !more_room(prog)))
		return ~0u;
	*slot_of(prog, at) = prog->count + 1;
	memset(&prog->instr[prog->count], 0, sizeof(prog->instr[0]));
	prog->instr[prog->count].at = at;
	prog->instr[prog->count].next = ~0u;
	prog->instr[prog->count].target = ~0u;
	return prog->count++;
}

static void decode_one(struct ppsim_program *prog, unsigned int index, ppsim_fetch fetch, void *ctx,
		       unsigned int first_length)
{
	struct pp_instr in = prog->instr[index];
	uint32_t words[PP_MAX_WORDS + 8] = { 0 };
	unsigned int length, target_count = 0, next = ~0u, target_index = ~0u;
	int target = 0;

	if (!fetch(ctx, in.at, 1, words)) {
		prog->instr[index].fault = "instruction fetch from unmapped memory";
		return;
	}
	length = words[0] & 31;
	in.fields = words[0] >> 7 & 0xfff;
	in.stop = words[0] >> 5 & 1;
	if (index == 0 && first_length && first_length != length)
		note(prog, in.at, "the render state's first instruction length is wrong");
	if (words[0] >> 26)
		note(prog, in.at, "control word: unknown_26_6 set");
	if (fields_words(in.fields) > length) {
		prog->instr[index].fault = "instruction shorter than its fields";
		return;
	}
	if (length > 1 && !fetch(ctx, in.at + 1, length - 1, words + 1)) {
		prog->instr[index].fault = "instruction fetch from unmapped memory";
		return;
	}
	decode_fields(prog, &in, words, &target, &target_count);
	if (!in.stop && !(in.fields >> PP_BRANCH & 1 && in.branch.discard))
		next = intern(prog, in.at + (int)length);
	else if (in.fields >> PP_BRANCH & 1 && !in.stop)
		next = words[0] >> 25 & 1 ? intern(prog, in.at + (int)length) : ~0u;
	if (in.fields >> PP_BRANCH & 1 && !in.branch.discard)
		target_index = intern(prog, in.at + target);
	in.next = next;
	in.target = target_index;
	prog->instr[index] = in;
}

struct ppsim_program *ppsim_decode(ppsim_fetch fetch, void *ctx, unsigned int first_length)
{
	struct ppsim_program *prog = calloc(1, sizeof(*prog));

	if (!prog)
		return NULL;
	intern(prog, 0);
	for (unsigned int i = 0; i < prog->count; i++)
		decode_one(prog, i, fetch, ctx, first_length);
	if (prog->no_memory) {
		ppsim_free(prog);
		return NULL;
	}
	return prog;
}

struct word_source {
	const uint32_t *words;
	unsigned int count;
};

static bool fetch_words(void *ctx, int offset, unsigned int count, uint32_t *words)
{
	const struct word_source *source = ctx;

	if (offset < 0 || (unsigned int)offset > source->count || count > source->count - (unsigned int)offset)
		return false;
	memcpy(words, source->words + offset, count * sizeof(*words));
	return true;
}

struct ppsim_program *ppsim_decode_words(const uint32_t *words, unsigned int count)
{
	struct word_source source = { words, count };

	return ppsim_decode(fetch_words, &source, 0);
}

void ppsim_free(struct ppsim_program *program)
{
	if (!program)
		return;
	free(program->instr);
	free(program->slots);
	free(program->notes);
	free(program);
}

const char *ppsim_note(const struct ppsim_program *program, unsigned int n, int *at)
{
	if (n >= program->note_count)
		return NULL;
	*at = program->notes[n].at;
	return program->notes[n].text;
}
