// SPDX-License-Identifier: MIT
/*
 * Midgard: programs taken apart, threads, bundles.
 *
 * A bundle's first stage is vmul and sadd, its second vadd, smul and lut
 * (Mesa midgard_schedule.c). The second stage sees what the first has written,
 * whatever the register: Mesa's scheduler puts an instruction and the one that
 * reads its result into one bundle before registers are given out. Units of one
 * stage do not see each other's results.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/midgard_code.h"

struct mdsim_program {
	const uint32_t *words;
	size_t count;
	struct md_code *code[];		/* by 128-bit word; NULL where no thread has been */
};

/* --- Taking apart ------------------------------------------------------------------ */

static void decode_memory(struct md_code *code, const struct md_bundle *b, unsigned int which)
{
	const struct isa_op *op = md_row(&b->block[which], which);

	if (op->id != MD_OP_LDST_NOP)
		code->mem[code->memory++] = (struct md_mem){ op, md_lane_bodies[op->id], b->block[which] };
}

static void decode_branch(struct md_branch *branch, const struct isa_bits *block, unsigned int which)
{
	branch->op = md_row(block, which);
	branch->distance = md_distance(block, branch->op);
	branch->ends = md_target_tag(block, branch->op) == MD_BREAK;
	branch->condition = branch->op->form == MD_F_BRX ? md_get(block, brx_cond) : md_get(block, br_cond);
}

static void decode_alu(struct md_code *code, const struct md_bundle *b)
{
	unsigned int n = 0;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++) {
		const struct md_alu *k = &code->alu[n];

		if (!(b->present >> i & 1))
			continue;
		md_decode_alu(md_row(&b->block[i], i), &b->block[i], &code->alu[n++]);
		code->stage[i >= MD_B_VADD]++;
		for (unsigned int c = 0; c < k->count; c++)
			code->writes_r1 |= (k->dest == 1 && k->dest_bits == 32) << k->element[c];
	}
	for (unsigned int c = 0; c < 4; c++)
		code->constants[c] = (v8u){ 0 } + b->block[MD_B_CONST].w[c];
	for (unsigned int i = 0; i < 2; i++)
		if (b->present >> (MD_B_BRANCH + i) & 1)
			decode_branch(&code->branch[i], &b->block[MD_B_BRANCH + i], MD_B_BRANCH + i);
}

static struct md_code *decode(const uint32_t *words, size_t left)
{
	struct md_code *code = aligned_alloc(64, (sizeof(*code) + 63) & ~63ul);
	struct md_bundle b;

	if (!code)
		return NULL;
	memset(code, 0, sizeof(*code));
	md_split(words, left, &b);
	code->words = b.words;
	if (!b.words)
		return code;
	code->stops = (words[0] >> 4 & 15) == MD_BREAK;
	code->last_alu = b.words < left && (words[b.words] & 15) >= MD_ALU;
	for (unsigned int which = MD_B_LDST0; which <= MD_B_TEX; which++)
		if (b.present >> which & 1)
			decode_memory(code, &b, which);
	decode_alu(code, &b);
	return code;
}

/* Bundles are taken apart where a thread comes to them: only that says where one begins. */
struct mdsim_program *mdsim_decode(const uint32_t *words, size_t count)
{
	struct mdsim_program *p = calloc(1, sizeof(*p) + (count / 4 + 1) * sizeof(p->code[0]));

	if (p) {
		p->words = words;
		p->count = count;
	}
	return p;
}

void mdsim_free(struct mdsim_program *p)
{
	for (size_t i = 0; p && i * 4 < p->count; i++)
		free(p->code[i]);
	free(p);
}

union mdsim_reg mdsim_get(const struct mdsim_state *s, unsigned int lane, unsigned int reg)
{
	return (union mdsim_reg){ .u32 = { s->r[reg][0][lane], s->r[reg][1][lane], s->r[reg][2][lane], s->r[reg][3][lane] } };
}

/* --- Bundles -------------------------------------------------------------------------- */

static void unknown_op(struct md_run *t, const struct isa_op *op)
{
	if (!t->s->unknown) {
		t->s->unknown = op;
		t->s->unknown_at = t->at;
	}
	t->s->events |= MDSIM_UNKNOWN_OP;
}

static void run_units(struct md_run *t)
{
	const struct md_alu *k = t->code->alu;

	for (unsigned int stage = 0; stage < 2; stage++) {
		if (!stage || t->code->stage[stage])
			memcpy(t->from, t->s->r, sizeof(t->from));
		for (unsigned int i = 0; i < t->code->stage[stage]; i++, k++) {
			if (k->body)
				md_run_alu(t, k);
			else
				unknown_op(t, k->op);
		}
	}
	/* Both load/store instructions read what was there before the bundle, which has no arithmetic then. */
	for (unsigned int i = 0; i < t->code->memory; i++) {
		const struct md_mem *mem = &t->code->mem[i];

		if (!isa_has_semantics(mem->op))
			unknown_op(t, mem->op);
		else if (mem->op->form == MD_F_TEX)
			md_run_texture(t, mem);
		else
			md_run_ldst(t, mem);
	}
}

/* --- Control flow ---------------------------------------------------------------------- */

/* Extended conditions look up (r31.w, r31.x) twice over; a plain one is repeated. Others are not executed. */
static unsigned int holds(struct md_run *t, const struct md_branch *branch)
{
	unsigned int set = v8_mask(t->s->r[MD_CONDITION][3] != 0), condition = branch->condition;

	if (branch->op->form == MD_F_BRX && condition != (condition & 3) * 0x5555) {
		unknown_op(t, branch->op);
		return 0;
	}
	return ((condition & 1 ? ~set : 0) | (condition & 2 ? set : 0)) & t->lanes;
}

/*
 * r0 goes to the target that r1.z names, depth is r1.x and stencil r1.y. What the writeout's own bundle has not written of
 * r1 has no part in it: it is the first target, and no depth (Mesa midgard_ra.c, emit_fragment_store()).
 */
static void write_out(struct md_run *t)
{
	const struct mdsim_io *io = t->s->io;
	unsigned int given = t->code->writes_r1;

	EACH_LANE(t->lanes) {
		uint32_t select = given & 4 ? t->s->r[1][2][lane] : 0;
		union mdsim_reg color = mdsim_get(t->s, lane, 0), depth = mdsim_get(t->s, lane, 1);

		if (io && io->store && select != 0xff)
			io->store(io->ctx, lane, MDSIM_TARGET, select >> 8, 15, false, &color);
		if (io && io->store && given & 3)
			io->store(io->ctx, lane, MDSIM_TARGET, 255, given & 3, false, &depth);
	}
	t->s->written |= t->lanes;
}

/* taken: lanes that go to the target. What is left of t->lanes goes on, unless *ended. */
static void run_branches(struct md_run *t, unsigned int *taken, unsigned int *ended, int *distance)
{
	*taken = *ended = 0;
	for (unsigned int i = 0; i < 2 && !*taken; i++) {
		const struct md_branch *branch = &t->code->branch[i];

		if (!branch->op)
			continue;
		*distance = branch->distance;
		switch (branch->op->id) {
		case MD_OP_BR_UNCOND:
		case MD_OP_BR_COND:
			*taken = branch->op->id == MD_OP_BR_UNCOND ? t->lanes : holds(t, branch);
			*ended |= branch->ends ? *taken : 0;
			break;
		case MD_OP_BR_DISCARD:
			*ended |= holds(t, branch);
			t->s->discarded |= *ended;
			break;
		case MD_OP_BR_TILEBUFFER:	/* it is always ready here */
			break;
		case MD_OP_BR_WRITE:
			write_out(t);
			*ended |= t->code->stops ? t->lanes : 0;
			break;
		default:
			unknown_op(t, branch->op);
		}
	}
	*taken &= ~*ended;
}

static void go_on(struct md_run *t, const struct mdsim_program *p, unsigned int lanes, int64_t to)
{
	if (lanes && (to < 0 || to > (int64_t)p->count))
		t->s->events |= MDSIM_BAD_TARGET;
	if (to < 0 || to >= (int64_t)p->count)
		t->live &= ~lanes;
	t->pc = v8_choose(v8_lanes(lanes), v8_word((uint32_t)to), t->pc);
}

/* One bundle of the lanes in t. True: all of them go on together, at t->at. */
static bool step(struct md_run *t, const struct mdsim_program *p)
{
	unsigned int taken, ended, rest;
	int64_t next = (int64_t)t->at + t->code->words;
	v8u before[MDSIM_REGISTERS][4];
	int distance = 0;

	if (!t->code->words) {
		t->s->events |= MDSIM_BAD_BUNDLE;
		t->live &= ~t->lanes;
		return false;
	}
	if (t->s->enter && !t->s->enter(t->s->trace_ctx, t->lanes, t->at)) {
		t->live = 0;
		return false;
	}
	t->s->bundles += (unsigned int)__builtin_popcount(t->lanes);
	if (t->s->trace)
		memcpy(before, t->s->r, sizeof(before));
	run_units(t);
	run_branches(t, &taken, &ended, &distance);
	if (t->s->trace)
		t->s->trace(t->s->trace_ctx, t->lanes, t->at, before);
	rest = t->lanes & ~taken & ~ended;
	/* A next tag of 1 ends the program, but before a last ALU bundle. */
	if (t->code->stops && !t->code->last_alu) {
		ended |= rest;
		rest = 0;
	}
	if (rest == t->lanes && next < (int64_t)p->count) {
		t->at = next;
		return true;
	}
	t->live &= ~ended;
	go_on(t, p, rest, next);
	go_on(t, p, taken, next + 4ll * distance);
	return false;
}

enum sim_status mdsim_run(struct mdsim_state *s, struct mdsim_program *p, uint8_t mask, unsigned int limit)
{
	struct md_run t = { .s = s, .live = p->count ? mask : 0 };
	unsigned int others;

	while ((t.lanes = v8_lowest(t.pc, t.live, &t.at, &others))) {
		bool together = true;

		for (; together && t.at < others; limit--) {
			struct md_code **code = &p->code[t.at / 4];

			if (!limit)
				return SIM_LIMIT;
			*code = *code ? *code : decode(p->words + t.at, p->count - t.at);
			t.code = *code;
			if (!t.code)
				return SIM_FAULT;
			together = step(&t, p);
		}
		if (together)
			go_on(&t, p, t.lanes, t.at);
	}
	return SIM_DONE;
}
