// SPDX-License-Identifier: MIT
/*
 * Midgard: threads, bundles, sources and destinations.
 *
 * A bundle's first stage is vmul and sadd, its second vadd, smul and lut
 * (Mesa midgard_schedule.c). The second stage sees what the first has written,
 * whatever the register: Mesa's scheduler puts an instruction and the one that
 * reads its result into one bundle before registers are given out. Units of one
 * stage do not see each other's results.
 */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "isa/midgard.h"
#include "sim/midgard_thread.h"

static const union mdsim_reg *source(const struct thread *t, unsigned int reg)
{
	static const union mdsim_reg none;

	if (reg == CONSTANTS)
		return t->constants ? t->constants : &none;
	return &t->r[reg];
}

union mdsim_reg *mdt_destination(struct thread *t, unsigned int reg)
{
	if (!(t->written >> reg & 1))
		t->next[reg] = t->r[reg];
	t->written |= 1u << reg;
	return &t->next[reg];
}

/* --- Components ------------------------------------------------------------------ */

uint64_t mdt_raw(const union mdsim_reg *r, unsigned int i, unsigned int bits)
{
	switch (bits) {
	case 8:
		return r->u8[i & 15];
	case 16:
		return r->u16[i & 7];
	case 32:
		return r->u32[i & 3];
	default:
		return r->u64[i & 1];
	}
}

void mdt_set_raw(union mdsim_reg *r, unsigned int i, unsigned int bits, uint64_t v)
{
	switch (bits) {
	case 8:
		r->u8[i & 15] = v;
		break;
	case 16:
		r->u16[i & 7] = v;
		break;
	case 32:
		r->u32[i & 3] = v;
		break;
	default:
		r->u64[i & 1] = v;
	}
}

double mdt_as_float(uint64_t v, unsigned int bits)
{
	uint32_t w = v;
	double d;
	float f;

	if (bits <= 16)
		return half_to_float(v);
	if (bits == 32) {
		memcpy(&f, &w, sizeof(f));
		return f;
	}
	memcpy(&d, &v, sizeof(d));
	return d;
}

uint64_t mdt_from_float(double d, unsigned int bits)
{
	float f = d;
	uint64_t v;
	uint32_t w;

	if (bits <= 16)
		return half_from_float(f);
	if (bits == 32) {
		memcpy(&w, &f, sizeof(w));
		return w;
	}
	memcpy(&v, &d, sizeof(v));
	return v;
}

uint64_t mdt_round_float(double d, unsigned int bits, unsigned int mode)
{
	uint64_t v = mdt_from_float(d, bits), sign = 1ull << (bits < 16 ? 15 : bits - 1);
	double have = mdt_as_float(v, bits);

	/* One step is 1 in sign and magnitude; beyond zero lies the least number of d's sign. */
	if ((mode == 2 || (mode == 1 && d > 0)) && have > d)
		v = v & sign ? v + 1 : v ? v - 1 : sign | 1;
	else if ((mode == 3 || (mode == 1 && d < 0)) && have < d)
		v = v == sign ? 1 : v & sign ? v - 1 : v + 1;
	return v;
}

/* The mode in which an op's result goes into its register, and with it into fewer bits. */
static unsigned int rounding_of(unsigned int op)
{
	bool named = (op >= 0x10 && op <= 0x17) || (op >= 0x30 && op <= 0x33) || (op >= 0x38 && op <= 0x3b) ||
		     (op >= 0xb8 && op <= 0xbf);

	return named ? op & 3 : 0;
}

/* How an integer of half the width becomes one of bits. */
static uint64_t widen(uint64_t v, unsigned int bits, unsigned int mod)
{
	unsigned int half = bits / 2;

	switch (mod) {
	case 0:
		return (uint64_t)((int64_t)(v << (64 - half)) >> (64 - half));
	case 2:
		return v | v << half;
	case 3:
		return v << half;
	}
	return v;
}

static union mdsim_value finish_source(uint64_t v, unsigned int have, unsigned int bits, unsigned int mod, bool integer)
{
	union mdsim_value out = { 0 };

	if (integer) {
		out.u = have < bits ? widen(v, bits, mod) : v;
		return out;
	}
	out.f = mdt_as_float(v, have);
	if (mod & 1)
		out.f = fabs(out.f);
	if (mod & 2)
		out.f = -out.f;
	return out;
}

/* Integers are signed: Mesa embedded_to_inline_constant() takes those that 16 bits hold with their sign. */
static union mdsim_value immediate(uint16_t v, unsigned int bits, bool integer)
{
	uint64_t wide = integer ? (uint64_t)(int16_t)v : mdt_from_float(half_to_float(v), bits);

	return finish_source(wide, bits, bits, 0, integer);
}

/* Element numbers at which the two halves of a swizzle begin (Mesa print_vec_swizzle()). */
static void swizzle_bases(unsigned int expand, unsigned int bits, unsigned int base[2])
{
	unsigned int half = 128 / bits / 2;

	base[0] = 0;
	base[1] = half;
	switch (expand) {
	case 1:
		base[1] = 0;
		break;
	case 2:
		base[0] = half;
		break;
	case 3:
		base[0] = half;
		base[1] = 0;
		break;
	case 4:
		base[1] = half / 2;
		break;
	case 5:
		base[0] = half;
		base[1] = half + half / 2;
		break;
	case 6:
		base[0] = half / 2;
		base[1] = 0;
		break;
	case 7:
		base[0] = half + half / 2;
		break;
	}
}

/* Component i of a vector source with lanes of bits. */
static union mdsim_value vec_component(const union mdsim_reg *r, unsigned int i, unsigned int bits, unsigned int mod,
				       unsigned int expand, unsigned int swizzle, bool integer)
{
	unsigned int have = expand >= 4 && bits > 8 ? bits / 2 : bits, base[2], element, half;

	if (bits == 64 && expand < 4) {
		uint64_t lo = r->u32[swizzle >> 4 * i & 3], hi = r->u32[swizzle >> (4 * i + 2) & 3];

		return finish_source(lo | hi << 32, 64, 64, mod, integer);
	}
	if (bits == 64)
		/* A pair of selectors for each lane, as for 64-bit sources: 0, 1 or 2, 3 (Mesa mir_pack_swizzle_64()). */
		return finish_source(r->u32[(swizzle >> (4 * i + 1) & 1) + (expand & 1 ? 2 : 0)], 32, 64, mod, integer);
	swizzle_bases(expand, have, base);
	half = i >= 64 / bits && bits < 32;
	if (bits == 8)
		element = base[half] + 2 * (swizzle >> (i / 2 % 4) * 2 & 3) + i % 2;
	else
		element = base[half] + (swizzle >> i % 4 * 2 & 3);
	return finish_source(mdt_raw(r, element, have), have, bits, mod, integer);
}

/* --- Results ---------------------------------------------------------------------- */

double mdt_clamp_float(double v, unsigned int outmod)
{
	switch (outmod) {
	case 1:
		return v > 0 ? v : 0;
	case 2:
		return isnan(v) || v < -1 ? -1 : v > 1 ? 1 : v;
	case 3:
		return v > 0 ? v > 1 ? 1 : v : 0;
	}
	return v;
}

/* An integer of bits that is stored with half of them. */
static uint64_t shrink_int(uint64_t v, unsigned int bits, unsigned int outmod)
{
	unsigned int half = bits / 2;
	int64_t s = bits == 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits), top = (1ll << (half - 1)) - 1;
	uint64_t u = bits == 64 ? v : v & ((1ull << bits) - 1);

	switch (outmod) {
	case 0:
		return s > top ? top : s < -top - 1 ? -top - 1 : s;
	case 1:
		/* GUESS: of a signed value; below 0 becomes 0. */
		return s < 0 ? 0 : u > 2 * (uint64_t)top + 1 ? 2 * (uint64_t)top + 1 : u;
	case 3:
		return u >> half;
	}
	return u;
}

static uint64_t finish_result(unsigned int op, union mdsim_value v, unsigned int bits, bool shrink, unsigned int outmod)
{
	if (!md_is_int_out(op))
		return mdt_round_float(mdt_clamp_float(v.f, outmod), shrink ? bits / 2 : bits, rounding_of(op));
	return shrink ? shrink_int(v.u, bits, outmod) : v.u;
}

/* csel: the first source where the condition holds, which r31 has: its w, or a vector. */
static bool is_csel(unsigned int op)
{
	return op == 0xc0 || op == 0xc1 || op == 0xc4 || op == 0xc5;
}

static bool condition(const struct thread *t, unsigned int op, unsigned int i, unsigned int bits)
{
	const union mdsim_reg *r = source(t, CONDITION);

	return op & 1 ? r->u32[3] != 0 : mdt_raw(r, i, bits) != 0;
}

/* --- Units ------------------------------------------------------------------------- */

static void vector_unit(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, vec_op), bits = 8u << md_get(k, vec_mode), n = 128 / bits, mask = md_get(k, vec_mask);
	unsigned int shrink = md_get(k, vec_shrink), half = shrink == 1 ? n : 0;
	bool integer = md_is_int(op), known = true;
	const union mdsim_reg *r1 = source(t, md_get(k, vec_src1)), *r2 = source(t, md_get(k, vec_src2));
	union mdsim_value a[16] = { { 0 } }, b[16] = { { 0 } }, v;
	union mdsim_reg *out;

	for (unsigned int i = 0; i < n; i++) {
		a[i] = vec_component(r1, i, bits, md_get(k, vec_src1_mod), md_get(k, vec_src1_expand),
				     md_get(k, vec_src1_swizzle), integer);
		b[i] = vec_component(r2, i, bits, md_get(k, vec_src2_mod), md_get(k, vec_src2_expand),
				     md_get(k, vec_src2_swizzle), integer);
		if (md_get(k, vec_imm)) {
			uint16_t imm = md_get(k, vec_src2) << 11 | md_get(k, vec_src2_expand) << 8 |
				       md_get(k, vec_src2_swizzle);

			b[i] = immediate(imm, bits, integer);
		}
	}
	out = mdt_destination(t, md_get(k, vec_dest));
	for (unsigned int i = 0; i < n; i++) {
		unsigned int bit = bits == 8 ? i / 2 : i * bits / 16;

		if (!(mask >> bit & 1))
			continue;
		if (is_csel(op))
			v = condition(t, op, i, bits) ? a[i] : b[i];
		else if (mdsim_across(op))
			v = mdsim_reduce(op, a, b, i, bits);
		else
			v = mdsim_op(op, a[i], b[i], i, bits, &known);
		mdt_set_raw(out, i + half, shrink < 2 && bits > 8 ? bits / 2 : bits,
			finish_result(op, v, bits, shrink < 2 && bits > 8, md_get(k, vec_outmod)));
	}
	if (!known)
		t->s->events |= MDSIM_UNKNOWN_OP;
}

static union mdsim_value scalar_source(const union mdsim_reg *r, unsigned int comp, bool full, unsigned int mod,
				       bool integer)
{
	return finish_source(full ? mdt_raw(r, comp >> 1, 32) : mdt_raw(r, comp, 16), full ? 32 : 16, 32, mod, integer);
}

static void scalar_unit(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, sca_op), comp = md_get(k, sca_out_comp);
	bool integer = md_is_int(op), full = md_get(k, sca_out_full), known = true;
	union mdsim_value a, b, v;
	union mdsim_reg *out;

	a = scalar_source(source(t, md_get(k, sca_src1)), md_get(k, sca_src1_comp), md_get(k, sca_src1_full),
			  md_get(k, sca_src1_mod), integer);
	if (md_get(k, sca_imm)) {
		uint16_t imm = md_get(k, sca_src2) << 11 | md_get(k, sca_src2_mod) << 9 | md_get(k, sca_src2_full) << 8 |
			       md_get(k, sca_src2_comp) << 5 | md_get(k, sca_src2_low);

		b = immediate(imm, 32, integer);
	} else {
		b = scalar_source(source(t, md_get(k, sca_src2)), md_get(k, sca_src2_comp), md_get(k, sca_src2_full),
				  md_get(k, sca_src2_mod), integer);
	}
	if (is_csel(op))
		v = condition(t, op, full ? comp >> 1 : comp, 32) ? a : b;
	else
		v = mdsim_op(op, a, b, 0, 32, &known);
	known &= !mdsim_across(op);
	out = mdt_destination(t, md_get(k, sca_dest));
	mdt_set_raw(out, full ? comp >> 1 : comp, full ? 32 : 16,
		finish_result(op, v, 32, !full, md_get(k, sca_outmod)));
	if (!known)
		t->s->events |= MDSIM_UNKNOWN_OP;
}

static void commit(struct thread *t)
{
	for (unsigned int i = 0; i < 32; i++) {
		if (t->written >> i & 1)
			t->r[i] = t->next[i];
	}
	t->written = 0;
}

static void alu_bundle(struct thread *t, const struct md_bundle *b)
{
	static const struct { uint8_t block; bool vector, second; } order[] = {
		{ MD_B_VMUL, true, false }, { MD_B_SADD, false, false }, { MD_B_VADD, true, true },
		{ MD_B_SMUL, false, true }, { MD_B_LUT, true, true },
	};
	union mdsim_reg constants;
	bool second = false;

	memcpy(&constants, b->block[MD_B_CONST].w, 16);
	t->constants = b->present >> MD_B_CONST & 1 ? &constants : NULL;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(b->present >> order[i].block & 1))
			continue;
		if (order[i].second && !second) {
			commit(t);
			second = true;
		}
		if (order[i].vector)
			vector_unit(t, &b->block[order[i].block]);
		else
			scalar_unit(t, &b->block[order[i].block]);
	}
	t->constants = NULL;
	commit(t);
}

/* --- Control flow ---------------------------------------------------------------------- */

enum flow { FLOW_NEXT, FLOW_TAKEN, FLOW_END };

/* Extended conditions look up (r31.w, r31.x) twice over; a plain one is repeated. GUESS: only those are used here. */
static bool holds(const struct thread *t, unsigned int cond)
{
	return cond >> (t->r[CONDITION].u32[3] != 0) & 1;
}

static enum flow do_branch(struct thread *t, unsigned int op, unsigned int cond)
{
	switch (op) {
	case 1:
		return FLOW_TAKEN;
	case 2:
		return holds(t, cond) ? FLOW_TAKEN : FLOW_NEXT;
	case 4:
		if (!holds(t, cond))
			return FLOW_NEXT;
		t->s->discarded |= 1u << t->lane;
		return FLOW_END;
	case 6:
		return FLOW_NEXT;	/* the tile buffer is always ready here */
	case 7:
		t->s->written |= 1u << t->lane;
		return FLOW_END;
	}
	t->s->events |= MDSIM_UNKNOWN_OP;
	return FLOW_NEXT;
}

static enum flow branches(struct thread *t, const struct md_bundle *b, int32_t *offset)
{
	const struct isa_bits *k = &b->block[MD_B_BRANCH], *x = &b->block[MD_B_BRANCHX];
	enum flow f = FLOW_NEXT;

	if (b->present >> MD_B_BRANCH & 1) {
		bool uncond = md_get(k, br_op) == 1;

		*offset = mdt_sign_extend(uncond ? md_get(k, bru_offset) : md_get(k, br_offset), 7);
		f = do_branch(t, md_get(k, br_op), uncond ? 3 : md_get(k, br_cond));
	}
	if (f == FLOW_NEXT && b->present >> MD_B_BRANCHX & 1) {
		*offset = mdt_sign_extend(md_get(x, brx_offset), 23);
		f = do_branch(t, md_get(x, brx_op), md_get(x, brx_cond) & 3);
	}
	return f;
}

static void trace(const struct thread *t, size_t at, const union mdsim_reg before[32])
{
	if (t->s->trace)
		t->s->trace(t->s->trace_ctx, t->lane, at, before);
}

/* One bundle of one thread. False: the thread has ended. */
static bool run_bundle(struct thread *t, const struct md_bundle *b, const uint32_t *words, size_t count)
{
	enum flow flow = FLOW_NEXT;
	union mdsim_reg before[32];
	size_t at = t->at;
	int32_t offset = 0;
	int64_t target;

	t->s->bundles++;
	if (t->s->trace)
		memcpy(before, t->r, sizeof(before));
	if (b->present >> MD_B_LDST0 & 1) {
		mdt_ldst(t, &b->block[MD_B_LDST0]);
		mdt_ldst(t, &b->block[MD_B_LDST1]);
	} else if (b->present >> MD_B_TEX & 1) {
		mdt_texture(t, &b->block[MD_B_TEX]);
	} else {
		alu_bundle(t, b);
		flow = branches(t, b, &offset);
	}
	commit(t);
	trace(t, at, before);
	if (flow == FLOW_END)
		return false;
	target = (int64_t)at + b->words + (flow == FLOW_TAKEN ? 4ll * offset : 0);
	if (target < 0 || target > (int64_t)count) {
		t->s->events |= MDSIM_BAD_TARGET;
		return false;
	}
	/* "next" of 1 ends the program, but before a last ALU bundle. */
	if (flow == FLOW_NEXT && (words[at] >> 4 & 15) == MD_BREAK && target < (int64_t)count &&
	    (words[target] & 15) < MD_ALU)
		return false;
	t->at = target;
	return target < (int64_t)count;
}

/* The threads at the lowest place go on together: derivatives look at their neighbours. */
static void run_some(struct thread *threads, uint8_t *live, const uint32_t *words, size_t count)
{
	union mdsim_reg inputs[SIM_LANES][2];
	struct md_bundle b;
	size_t at = SIZE_MAX;

	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		memcpy(inputs[lane], &threads[lane].r[28], sizeof(inputs[lane]));
		if (*live >> lane & 1 && threads[lane].at < at)
			at = threads[lane].at;
	}
	md_split(words + at, count - at, &b);
	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		struct thread *t = &threads[lane];

		if (!(*live >> lane & 1) || t->at != at)
			continue;
		t->inputs = (const union mdsim_reg (*)[2])inputs;
		if (!t->left--) {
			t->limited = true;
			*live &= ~(1u << lane);
		} else if (!b.words) {
			t->s->events |= MDSIM_BAD_BUNDLE;
			*live &= ~(1u << lane);
		} else if (!run_bundle(t, &b, words, count)) {
			*live &= ~(1u << lane);
		}
	}
}

enum sim_status mdsim_run(struct mdsim_state *s, const uint32_t *words, size_t count, uint8_t mask,
			  unsigned int limit)
{
	enum sim_status status = SIM_DONE;
	struct thread threads[SIM_LANES];
	uint8_t live = count ? mask : 0;

	for (unsigned int lane = 0; lane < SIM_LANES; lane++)
		threads[lane] = (struct thread){ .s = s, .lane = lane, .r = s->r[lane], .left = limit };
	while (live)
		run_some(threads, &live, words, count);
	for (unsigned int lane = 0; lane < SIM_LANES; lane++)
		status = threads[lane].limited ? SIM_LIMIT : status;
	return status;
}
