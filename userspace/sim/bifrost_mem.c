// SPDX-License-Identifier: MIT
/*
 * Bifrost: what leaves the arithmetic units, and what lanes do with each other. Each is a body for one lane, which the
 * op's row names; registers that go in and come out are the same for all of them.
 */
#include <stdlib.h>

#include "isa/half.h"
#include "sim/bifrost_code.h"
#include "sim/midgard_code.h"

static v8u *staging(struct bf_run *t, unsigned int n)
{
	return &t->s->r[(bf_get(t->code->header, staging_register) + n) % BFSIM_REGISTERS];
}

void bf_run_message(struct bf_lane *l)
{
	for (unsigned int i = 0; i < 4; i++)
		l->data.u32[i] = (*staging(l->t, i))[l->lane];
	l->k->lane(l);
	for (unsigned int i = 0; i < l->out; i++) {
		(*staging(l->t, i))[l->lane] = l->data.u32[i];
		l->t->s->written |= 1ull << (staging(l->t, i) - l->t->s->r);
	}
}

/* An op's body. */
#define DO(id, e)	static void lane_##id(struct bf_lane *l) { e; }

DO(nothing, (void)l)

/* These go to the data registers. */
static void put_words(struct bf_lane *l, uint32_t x, uint32_t y, uint32_t z, unsigned int count)
{
	l->data = (union mdsim_reg){ .u32 = { x, y, z } };
	l->out = count;
}

/* What an op with a number in it or one more source names. */
static uint32_t named(const struct bf_lane *l, unsigned int source)
{
	return l->k->sources > source ? l->s[source].w : l->k->number[0];
}

static unsigned int vector_size(const struct bf_insn *k)
{
	const char *word = bf_word(bf_mod(k, vecsize));

	return *word == 'v' ? word[1] - '0' : 1;
}

/* --- Memory ------------------------------------------------------------------------ */

static void access_memory(struct bf_lane *l, uint64_t address, void *data, unsigned int size, bool write)
{
	if (!write)
		memset(data, 0, size);
	if (!l->io->memory || !l->io->memory(l->io->ctx, l->lane, address, data, size, write))
		l->t->s->events |= BFSIM_MEMORY;
}

/* The first two sources, behind SHADDXL its sum, within the segment. */
static uint64_t address_of(const struct bf_lane *l)
{
	const struct bf_carry *c = l->carry;
	uint64_t low = l->s[0].w, high = l->s[1].w;
	unsigned int segment = bf_mod(l->k, seg);

	if (c->shadd && c->wide)
		high = (uint32_t)(low + c->high + (high << c->shift) + c->overflow), low = c->low;
	else if (c->shadd)
		high += c->high + c->overflow;
	low |= high << 32;
	return segment == BFW_wls ? low + l->t->s->shared : segment == BFW_tl ? low + l->t->s->local[l->lane] : low;
}

static bool is_known_segment(const struct bf_lane *l)
{
	unsigned int segment = bf_mod(l->k, seg);

	if (segment != BFW_stream && segment != BFW_pos && segment != BFW_vary)
		return true;
	bf_not_executed(l->t, l->k->op);
	return false;
}

static unsigned int bytes_of(const struct bf_insn *k)
{
	const char *type = bf_row(k->op)->type;

	return (type[0] ? atoi(type + 2) : 32) / 8;
}

/* "h1", "w0", "d0": where a small number goes. */
static void put_small(struct bf_lane *l, uint32_t v, unsigned int bits)
{
	const char *where = bf_word(bf_mod(l->k, lane_dest));
	unsigned int extend = bf_mod(l->k, extend), width = *where == 'b' ? 8 : *where == 'h' ? 16 : 32;
	unsigned int shift = *where == 'n' ? 0 : width * (where[1] - '0');
	uint32_t mask = (uint32_t)(~0ull >> (64 - width)) << shift;

	v = (uint32_t)(extend == BFW_sext ? (uint64_t)isa_signed(v, bits) : isa_low(v, bits));
	l->data.u32[0] = (l->data.u32[0] & ~mask) | (v << shift & mask);
	l->data.u32[1] = extend == BFW_sext && v >> 31 ? ~0u : 0;
	l->out = *where == 'd' ? 2 : 1;
}

static void lane_load(struct bf_lane *l)
{
	unsigned int size = bytes_of(l->k);
	union mdsim_reg v = { .u32 = { 0 } };

	if (!is_known_segment(l))
		return;
	if (bf_mod(l->k, seg) == BFW_ubo)
		md_call(l, load, MDSIM_UNIFORM, l->s[1].w, l->s[0].w, false, &v);
	else
		access_memory(l, address_of(l), &v, size, false);
	if (size <= 4) {
		put_small(l, v.u32[0], 8 * size);
		return;
	}
	l->data = v;
	l->out = (size + 3) / 4;
}

DO(store, if (is_known_segment(l)) access_memory(l, address_of(l), &l->data, bytes_of(l->k), true))

static void lane_segment(struct bf_lane *l)
{
	uint32_t base = bf_mod(l->k, seg) == BFW_wls ? l->t->s->shared : l->t->s->local[l->lane];

	/* Of the high word nothing changes: addresses of the model have 32 bits. */
	l->result = l->s[0].w + (l->k->op->unit == BF_ADD ? 0 : l->k->op->id == BF_OP_SEG_SUB ? -base : base);
}

/* --- Atomic operations: one lane after the other ------------------------------------------ */

/* Of some the operand is implied. */
static uint64_t atomic(unsigned int op, uint64_t old, uint64_t v, unsigned int bits)
{
	static md_update *const updates[] = {
		[BFW_aadd] = md_update_AADD, [BFW_aaddu] = md_update_AADD, [BFW_aadds] = md_update_AADD, [BFW_ainc] = md_update_AADD,
		[BFW_adec] = md_update_AADD, [BFW_asmin] = md_update_ASMIN, [BFW_asmax] = md_update_ASMAX, [BFW_asmax1] = md_update_ASMAX,
		[BFW_aumin] = md_update_AUMIN, [BFW_aumax] = md_update_AUMAX, [BFW_aumax1] = md_update_AUMAX, [BFW_aand] = md_update_AAND,
		[BFW_aor] = md_update_AOR, [BFW_aor1] = md_update_AOR, [BFW_axor] = md_update_AXOR,
	};
	bool one = op == BFW_ainc || op == BFW_asmax1 || op == BFW_aumax1 || op == BFW_aor1;

	v = one ? 1 : op == BFW_adec ? ~0ull : v;
	return updates[op](old, v, 0, isa_signed(old, bits), isa_signed(v, bits));
}

/* The arithmetic, for ATOM_CX beside it. */
static void lane_atom_c(struct bf_lane *l)
{
	l->carry->atomic = bf_mod(l->k, atom_opc);
	l->carry->wide = l->k->from.bits == 64;
}

static void lane_atom_cx(struct bf_lane *l)
{
	const struct bf_carry *c = l->carry;
	uint64_t address = l->s[0].w | (uint64_t)l->s[1].w << 32, old = 0, v = l->data.u64[0];
	unsigned int size = c->wide ? 8 : 4;

	access_memory(l, address, &old, size, false);
	v = atomic(c->atomic, old, isa_low(v, 8 * size), 8 * size);
	access_memory(l, address, &v, size, true);
	put_words(l, old, old >> 32, 0, 2);
}

/* GUESS(bf-atom-post): threads were not put together, so that what memory held is the answer. */
DO(atom_post, l->result = l->s[0].w)

/* AXCHG: swap; ACMPXCHG, ACMPSTORE: the word to compare is behind the new one. */
static void lane_exchange(struct bf_lane *l)
{
	unsigned int words = bytes_of(l->k) / 4, id = l->k->op->id;
	uint64_t address = address_of(l);
	uint32_t old[2] = { 0 };

	access_memory(l, address, old, 4 * words, false);
	if (id == BF_OP_AXCHG || !memcmp(old, l->data.u32 + words, 4 * words))
		access_memory(l, address, &l->data, 4 * words, true);
	put_words(l, old[0], old[1], 0, id == BF_OP_ACMPSTORE ? 0 : words);
}

/* --- Attributes and varyings ------------------------------------------------------------------ */

static void load_vector(struct bf_lane *l, enum mdsim_kind kind, uint32_t index)
{
	unsigned int format = bf_mod(l->k, format), size = vector_size(l->k);
	bool half = format == BFW_f16 || format == BFW_s16 || format == BFW_u16;

	put_words(l, 0, 0, 0, half ? (size + 1) / 2 : size);
	md_call(l, load, kind, index, 0, half, &l->data);
}

DO(attribute, load_vector(l, MDSIM_ATTRIBUTE, named(l, 2)))
DO(varying, load_vector(l, MDSIM_VARYING, named(l, 1)))
DO(flat, load_vector(l, MDSIM_VARYING, named(l, 0)))
DO(lea_attr, put_words(l, named(l, 2), BFSIM_VARYING, 0, 3))

static void lane_special(struct bf_lane *l)
{
	unsigned int name = bf_mod(l->k, varying_name);

	load_vector(l, MDSIM_SPECIAL, name == BFW_point ? BFSIM_POINT : name == BFW_frag_w ? BFSIM_FRAG_W : BFSIM_FRAG_Z);
}

static void put(struct bf_lane *l, enum mdsim_kind kind, uint32_t index, unsigned int mask)
{
	md_call(l, store, kind, index, mask, false, &l->data);
}

static void lane_st_cvt(struct bf_lane *l)
{
	unsigned int size = vector_size(l->k);

	if (l->s[1].w & BFSIM_VARYING)
		put(l, MDSIM_VARYING, l->s[0].w, (1 << size) - 1);
	else
		access_memory(l, address_of(l), &l->data, 4 * size, true);
}

static void lane_ld_cvt(struct bf_lane *l)
{
	l->out = vector_size(l->k);
	access_memory(l, address_of(l), &l->data, 4 * l->out, false);
}

/* Coordinates of 16 bits in the first two sources; the image's number in the third, or the row. */
static struct mdsim_texel texel_of(const struct bf_lane *l)
{
	return (struct mdsim_texel){
		.image = named(l, 2), .type = MDSIM_U32,
		.coords = { l->s[0].w, l->s[0].w >> 16, l->s[1].w, l->s[1].w >> 16 },
	};
}

static void lane_ld_texel(struct bf_lane *l)
{
	struct mdsim_texel texel = texel_of(l);

	put_words(l, 0, 0, 0, vector_size(l->k));
	md_call(l, image, &texel, false, &l->data);
}

static void lane_lea_texel(struct bf_lane *l)
{
	struct mdsim_texel texel = texel_of(l);
	uint64_t address = l->io->image_address ? l->io->image_address(l->io->ctx, l->lane, &texel) : 0;

	put_words(l, address, address >> 32, 0, 3);
}

/* --- Textures ------------------------------------------------------------------------- */

/* A texel, in registers from n on, of 32 or 16 bits a component. */
static void fetch_texel(struct bf_lane *l, const struct mdsim_sample *sample, unsigned int reg, bool half)
{
	float out[4] = { 0 };

	md_call(l, texture, sample, out);
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int n = (reg + (half ? i / 2 : i)) % BFSIM_REGISTERS;
		v8u *to = &l->t->s->r[n];
		uint32_t v = half ? half_from_float(out[i]) : as_bits(out[i]);

		(*to)[l->lane] = !half ? v : i & 1 ? ((*to)[l->lane] & 0xffff) | v << 16 : v;
		l->t->s->written |= 1ull << n;
	}
}

static unsigned int data_register(const struct bf_lane *l)
{
	return bf_get(l->t->code->header, staging_register);
}

/* TEXS_2D, TEXS_CUBE, VAR_TEX: all is in the instruction, the numbers in the order of the row's. */
static void fetch_simple(struct bf_lane *l, const float coords[4], bool cube, uint32_t texture, uint32_t sampler)
{
	struct mdsim_sample s = { .mode = 1, .dimensions = cube ? 0 : 2, .op = bf_mod(l->k, lod_mode) == BFW_zero_lod ? 2 : 1,
				  .texture = texture, .sampler = sampler };

	memcpy(s.coords, coords, sizeof(s.coords));
	fetch_texel(l, &s, data_register(l), l->k->from.bits == 16);
}

static void lane_texs_2d(struct bf_lane *l)
{
	const float coords[4] = { as_float(l->s[0].w), as_float(l->s[1].w) };

	fetch_simple(l, coords, false, l->k->number[0], l->k->number[1]);
}

/* Face and place on it, as CUBEFACE2 and Mesa's bi_emit_texc_cube_coord() have them. */
static void lane_texs_cube(struct bf_lane *l)
{
	float coords[4] = { 0 };

	md_cube_direction((l->s[0].w & 0x1fffffff) | l->s[2].w | (uint64_t)l->s[1].w << 32, coords);
	fetch_simple(l, coords, true, l->k->number[1], l->k->number[0]);
}

static void lane_var_tex(struct bf_lane *l)
{
	union mdsim_reg v = { .u32 = { l->s[0].w, l->s[1].w } };
	float coords[4] = { 0 };

	md_call(l, load, MDSIM_VARYING, l->k->number[0], 0, false, &v);
	memcpy(coords, v.f32, 2 * sizeof(*coords));
	fetch_simple(l, coords, false, l->k->number[1], l->k->number[1]);
}

/* A descriptor of two textures: Mesa bifrost.h, struct bifrost_dual_texture_operation. */
static void fetch_two(struct bf_lane *l, uint32_t d)
{
	struct mdsim_sample s = { .mode = 1, .dimensions = 2, .op = 1, .sampler = d & 3, .texture = d >> 4 & 3 };

	s.coords[0] = as_float(l->s[0].w);
	s.coords[1] = as_float(l->s[1].w);
	fetch_texel(l, &s, data_register(l), !(d >> 25 & 4));
	s.sampler = d >> 6 & 3;
	s.texture = d >> 8 & 3;
	fetch_texel(l, &s, d >> 12 & 63, !(d >> 18 & 4));
}

enum { TEX_FETCH = 6, TEX = 7 };	/* less: gradients */
enum { LOD_GRADIENT = 3, LOD_EXPLICIT = 4, LOD_BIAS = 5, LOD_ZERO = 6 };

/* Mesa bifrost.h, struct bifrost_texture_operation; data registers: bifrost_compile.c, enum bifrost_tex_dreg. */
static void fetch_one(struct bf_lane *l, uint32_t d)
{
	unsigned int op = d >> 12 & 7, lod = d >> 20 & 7, format = d >> 24 & 15, n = 0, index = d >> 4 & 127, mode = d & 3;
	bool immediate = d >> 11 & 1;
	struct mdsim_sample s = { .mode = 1, .dimensions = d >> 18 & 3, .op = 1, .texture = index };
	uint32_t x = l->s[0].w, y = l->s[1].w;

#define NEXT	((*staging(l->t, n++))[l->lane])
	s.sampler = immediate ? d & 15 : index;
	s.coords[0] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)x : as_float(x);
	s.coords[1] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)y : as_float(y);
	if (s.dimensions == 3) {
		uint32_t z = NEXT;

		s.coords[2] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)z : as_float(z);
	}
	if (s.dimensions == 0)
		md_cube_direction(x | (uint64_t)y << 32, s.coords);
	if (op == TEX_FETCH || lod == LOD_EXPLICIT || lod == LOD_BIAS) {
		uint32_t level = NEXT;

		s.lod = (int16_t)level / 256.0f;
		s.op = op == TEX_FETCH ? 4 : lod == LOD_BIAS ? 1 : 2;
	}
	if (op == TEX && lod == LOD_ZERO)
		s.op = 2;
	if (op == TEX && lod == LOD_GRADIENT)
		n += 2;
	if (op == TEX_FETCH && lod >= 4) {
		s.op = 2;
		s.mode = 8 + lod - 4;
	}
	if (d >> 16 & 1) {
		s.reference = as_float(NEXT);
		s.mode = s.mode == 1 ? 5 : 6;
	}
	if (d >> 17 & 1)
		s.coords[3] = NEXT;
	if (d >> 15 & 1) {
		uint32_t offsets = NEXT;

		for (unsigned int i = 0; i < 3; i++)
			s.offset[i] = (int8_t)(offsets >> 8 * i);
	}
	/* Mode: which of the two are in registers. */
	if (!immediate && mode & 2)
		s.sampler = NEXT;
	if (!immediate && mode & 1)
		s.texture = NEXT;
#undef NEXT
	fetch_texel(l, &s, data_register(l), format < 4 || format == 12 || format == 13);
}

static void lane_texc(struct bf_lane *l)
{
	uint32_t d = l->s[2].w;
	bool two = (d >> 2 & 3) == 1 && !(d >> 11 & 1);

	/* Write masks: Mesa has whole ones alone. */
	if (d >> 28 != 15 || (two && (d >> 21 & 15) != 15))
		bf_not_executed(l->t, l->k->op);
	else if (two)
		fetch_two(l, d);
	else if ((d >> 12 & 7) >= TEX_FETCH)
		fetch_one(l, d);
	else	/* Who gives texels knows nothing of gradients: what describes them is level 0. */
		put_words(l, 0, 0, 0, 4);
}

/* --- Fragments -------------------------------------------------------------------------- */

/* Coverage is a result, and data too. */
static void put_coverage(struct bf_lane *l, uint32_t mask)
{
	l->result = mask;
	put_words(l, mask, 0, 0, 1);
}

/* GUESS(bf-atest): which of four samples alpha leaves: the first of them up to alpha's quarter, to nearest; of NaN none. */
static void lane_atest(struct bf_lane *l)
{
	unsigned int part = l->k->words[BFK_lanes][1], samples;
	uint32_t v = l->s[1].w;
	float alpha = part == BFW_h0 ? half_to_float(v) : part == BFW_h1 ? half_to_float(v >> 16) : as_float(v);

	samples = alpha >= 1 ? 4 : alpha > 0 ? (unsigned int)(alpha * 4 + 0.5f) : 0;
	/* Without alpha to coverage, which the datum does not say here, the mask stays. */
	put_coverage(l, l->t->s->special[BFSIM_ATEST][0][l->lane] ? l->s[0].w & ((1u << samples) - 1) : l->s[0].w);
}

static void lane_zs_emit(struct bf_lane *l)
{
	put_words(l, l->s[0].w, l->s[1].w, 0, 0);
	put(l, MDSIM_TARGET, 255, (bf_mod(l->k, z) == BFW_z) | (bf_mod(l->k, stencil) == BFW_stencil) << 1);
	put_coverage(l, l->s[2].w);
}

static void lane_blend(struct bf_lane *l)
{
	if (l->s[0].w && !(l->t->s->discarded >> l->lane & 1))
		put(l, MDSIM_TARGET, l->s[1].w, 15);
}

/* --- Control flow ------------------------------------------------------------------------- */

static void lane_jump(struct bf_lane *l)
{
	const struct bf_value *v = &l->k->source[l->k->sources - 1];

	/* 0 ends the thread; what else is no place of the program leads out of it. */
	l->t->next[l->lane] = v->kind == BF_TARGET ? v->value : v->kind == BF_FAU && !v->value ? BF_END : BF_NOWHERE;
}

/* Behind the bodies of bifrost_alu.c, which have compared. */
static void lane_branch(struct bf_lane *l)
{
	if (l->result)
		lane_jump(l);
	l->result = 0;
}

static void lane_discard(struct bf_lane *l)
{
	l->t->s->discarded |= !!l->result << l->lane;
	l->result = 0;
}

static void lane_branchc(struct bf_lane *l)
{
	const char *part = bf_word(l->k->words[BFK_lanes][0]);
	unsigned int set = 0;

	EACH_LANE(l->t->lanes) {
		uint32_t v = l->t->sources[0][lane];

		v = *part != 'h' ? v : part[1] == '1' ? v >> 16 : v & 0xffff;
		set |= (v != 0) << lane;
	}
	if (bf_mod(l->k, combine) == BFW_all ? set == l->t->lanes : set != 0)
		lane_jump(l);
}

/* --- Lanes ---------------------------------------------------------------------------------- */

/* What a lane that does not run gives; by the modifier's word. */
static const uint32_t inactive[] = {
	[BFW_umax] = ~0u, [BFW_i1] = 1, [BFW_v2i1] = 0x00010001, [BFW_smin] = 0x80000000, [BFW_smax] = 0x7fffffff,
	[BFW_v2smin] = 0x80008000, [BFW_v2smax] = 0x7fff7fff, [BFW_v4smin] = 0x80808080, [BFW_v4smax] = 0x7f7f7f7f,
	[BFW_f1] = 0x3f800000, [BFW_v2f1] = 0x3c003c00, [BFW_infn] = 0xff800000, [BFW_inf] = 0x7f800000,
	[BFW_v2infn] = 0xfc00fc00, [BFW_v2inf] = 0x7c007c00, [BFW_required] = 0,
};

static void lane_clper(struct bf_lane *l)
{
	unsigned int subgroup = bf_mod(l->k, subgroup), op = bf_mod(l->k, lane_op), n = l->s[1].w, from;
	/* Of the old one four; eight lanes are all there are. */
	unsigned int size = subgroup == BFW_none ? 4 : subgroup == BFW_subgroup16 ? 8 : 2 << (subgroup - BFW_subgroup2);

	n = op == BFW_xor ? l->lane ^ n : op == BFW_accumulate ? l->lane + n : op == BFW_shift ? l->lane - n : n;
	from = (l->lane & ~(size - 1)) + (n & (size - 1));
	l->result = l->t->lanes >> from & 1 ? l->t->sources[0][from] : inactive[bf_mod(l->k, inactive_result)];
}

/* GUESS(bf-wmask): of the lanes that are there now, from the subgroup's first on, as CLPER counts. */
static void lane_wmask(struct bf_lane *l)
{
	unsigned int size = 2u << (bf_mod(l->k, subgroup) - BFW_subgroup2), set = v8_mask(l->t->sources[0] != 0) & l->t->lanes;

	l->result = set >> (l->lane & ~(size - 1)) & ((1u << size) - 1);
}

#define lane_alu NULL	/* its body is in bifrost_sem.inc */
bf_lane_body *const bf_lane_bodies[BF_OPS] = {
#define OP(id, sem, meaning) [BF_OP_##id] = lane_##sem,
#include "isa/bifrost_ops.inc"
};
