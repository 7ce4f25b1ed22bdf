// SPDX-License-Identifier: MIT
/* Bifrost: what leaves the arithmetic units, and what lanes do with each other. */
#include <stdlib.h>

#include "isa/float_bits.h"
#include "isa/half.h"
#include "sim/bifrost_code.h"
#include "sim/midgard_code.h"

/* Register n of the data, to be read; to be written. */
static v8u *staging(struct bf_run *t, unsigned int n)
{
	return &t->s->r[(bf_header(t->code->header, staging_register) + n) % BFSIM_REGISTERS];
}

static v8u *staging_out(struct bf_run *t, unsigned int n)
{
	v8u *r = staging(t, n);

	t->s->written |= 1ull << (r - t->s->r);
	return r;
}

/* The first four, of one lane. */
static union mdsim_reg staged(struct bf_run *t, unsigned int lane)
{
	union mdsim_reg v;

	for (unsigned int i = 0; i < 4; i++)
		v.u32[i] = (*staging(t, i))[lane];
	return v;
}

static unsigned int vector_size(const struct bf_insn *k)
{
	const char *word = bf_word(bf_mod(k, vecsize));

	return *word == 'v' ? word[1] - '0' : 1;
}

/* --- Memory ------------------------------------------------------------------------ */

static void access_memory(struct bf_run *t, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	const struct mdsim_io *io = t->s->io;

	if (!write)
		memset(data, 0, size);
	if (!io || !io->memory || !io->memory(io->ctx, lane, address, data, size, write))
		t->s->events |= BFSIM_MEMORY;
}

/* The first two sources, behind SHADDXL its sum, within the segment. */
static uint64_t address_of(struct bf_run *t, const struct bf_insn *k, unsigned int lane)
{
	const struct bf_carry *c = &t->carry[lane];
	uint64_t low = t->sources[0][lane], high = t->sources[1][lane];
	unsigned int segment = bf_mod(k, seg);

	if (c->shadd && c->wide)
		high = (uint32_t)(low + c->high + (high << c->shift) + c->overflow), low = c->low;
	else if (c->shadd)
		high += c->high + c->overflow;
	low |= high << 32;
	return segment == BFW_wls ? low + t->s->shared : segment == BFW_tl ? low + t->s->local[lane] : low;
}

static bool is_known_segment(struct bf_run *t, const struct bf_insn *k)
{
	unsigned int segment = bf_mod(k, seg);

	if (segment != BFW_stream && segment != BFW_pos && segment != BFW_vary)
		return true;
	t->s->events |= BFSIM_UNKNOWN_OP;
	return false;
}

static unsigned int bytes_of(const struct bf_insn *k)
{
	const char *type = bf_row(k->op)->type;

	return (type[0] ? atoi(type + 2) : 32) / 8;
}

/* "h1", "w0", "d0": where a small number goes. */
static void put_small(struct bf_run *t, const struct bf_insn *k, unsigned int lane, uint32_t v, unsigned int bits)
{
	const char *where = bf_word(bf_mod(k, lane_dest));
	unsigned int extend = bf_mod(k, extend), width = *where == 'b' ? 8 : *where == 'h' ? 16 : 32;
	unsigned int shift = *where == 'n' ? 0 : width * (where[1] - '0');
	uint32_t mask = (uint32_t)(~0ull >> (64 - width)) << shift;

	if (extend == BFW_sext)
		v = (uint32_t)((int32_t)(v << (32 - bits)) >> (32 - bits));
	(*staging_out(t, 0))[lane] = ((*staging(t, 0))[lane] & ~mask) | (v << shift & mask);
	if (*where == 'd')
		(*staging_out(t, 1))[lane] = extend == BFW_sext && v >> 31 ? ~0u : 0;
}

static void unit_load(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int size = bytes_of(k);

	if (!is_known_segment(t, k))
		return;
	EACH_LANE(t->lanes) {
		union mdsim_reg v = { .u32 = { 0 } };

		if (bf_mod(k, seg) == BFW_ubo && t->s->io && t->s->io->load)
			t->s->io->load(t->s->io->ctx, lane, MDSIM_UNIFORM, t->sources[1][lane], t->sources[0][lane], false, &v);
		else
			access_memory(t, lane, address_of(t, k, lane), &v, size, false);
		if (size <= 4)
			put_small(t, k, lane, v.u32[0] & (uint32_t)(~0ull >> (64 - 8 * size)), 8 * size);
		for (unsigned int i = 0; size > 4 && i < (size + 3) / 4; i++)
			(*staging_out(t, i))[lane] = v.u32[i];
	}
}

static void unit_store(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	if (!is_known_segment(t, k))
		return;
	EACH_LANE(t->lanes) {
		union mdsim_reg v = staged(t, lane);

		access_memory(t, lane, address_of(t, k, lane), &v, bytes_of(k), true);
	}
}

static void unit_seg_add(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	uint32_t sign = k->op->id == BF_OP_SEG_SUB ? -1u : 1;

	EACH_LANE(t->lanes) {
		uint32_t base = bf_mod(k, seg) == BFW_wls ? t->s->shared : t->s->local[lane];

		/* Of the high word nothing changes: addresses of the model have 32 bits. */
		(*result)[lane] = k->op->unit == BF_FMA ? t->sources[0][lane] + sign * base : t->sources[0][lane];
	}
}

/* --- Atomic operations: one lane after the other ------------------------------------------ */

static uint64_t atomic(unsigned int op, uint64_t old, uint64_t v, unsigned int bits)
{
	int64_t a = (int64_t)(old << (64 - bits)), b = (int64_t)(v << (64 - bits));

	switch (op) {
	case BFW_aadd: case BFW_aaddu: case BFW_aadds:
		return old + v;
	case BFW_ainc:
		return old + 1;
	case BFW_adec:
		return old - 1;
	case BFW_asmin:
		return a < b ? old : v;
	case BFW_asmax: case BFW_asmax1:
		return op == BFW_asmax1 ? ((a >> (64 - bits)) > 1 ? old : 1) : a > b ? old : v;
	case BFW_aumin:
		return old < v ? old : v;
	case BFW_aumax: case BFW_aumax1:
		return op == BFW_aumax1 ? (old > 1 ? old : 1) : old > v ? old : v;
	case BFW_aand:
		return old & v;
	case BFW_aor: case BFW_aor1:
		return old | (op == BFW_aor1 ? 1 : v);
	default:
		return old ^ v;
	}
}

/* The arithmetic, for ATOM_CX beside it. */
static void unit_atom_c(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		t->carry[lane].atomic = bf_mod(k, atom_opc);
		t->carry[lane].wide = k->from.bits == 64;
	}
}

static void unit_atom_cx(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		uint64_t address = t->sources[0][lane] | (uint64_t)t->sources[1][lane] << 32, old, v;
		unsigned int size = t->carry[lane].wide ? 8 : 4;

		v = (*staging(t, 0))[lane] | (size == 8 ? (uint64_t)(*staging(t, 1))[lane] << 32 : 0);
		access_memory(t, lane, address, &old, 8, false);
		old &= ~0ull >> (64 - 8 * size);
		v = atomic(t->carry[lane].atomic, old, v, 8 * size);
		access_memory(t, lane, address, &v, size, true);
		(*staging_out(t, 0))[lane] = old;
		(*staging_out(t, 1))[lane] = old >> 32;
	}
}

/* GUESS(bf-atom-post): threads were not put together, so that what memory held is the answer. */
static void unit_atom_post(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	*result = t->sources[0];
}

/* AXCHG: swap; ACMPXCHG, ACMPSTORE: the word to compare is behind the new one. */
static void unit_exchange(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int words = bytes_of(k) / 4;
	bool plain = k->op->id == BF_OP_AXCHG;

	EACH_LANE(t->lanes) {
		union mdsim_reg v = staged(t, lane);
		uint64_t address = address_of(t, k, lane);
		uint32_t old[2] = { 0 };

		access_memory(t, lane, address, old, 4 * words, false);
		if (plain || !memcmp(old, v.u32 + words, 4 * words))
			access_memory(t, lane, address, &v, 4 * words, true);
		for (unsigned int i = 0; i < words && k->op->id != BF_OP_ACMPSTORE; i++)
			(*staging_out(t, i))[lane] = old[i];
	}
}

/* --- Attributes and varyings ------------------------------------------------------------------ */

static void load_vector(struct bf_run *t, const struct bf_insn *k, enum mdsim_kind kind, unsigned int lane, uint32_t index)
{
	bool half = bf_mod(k, format) == BFW_f16 || bf_mod(k, format) == BFW_s16 || bf_mod(k, format) == BFW_u16;
	unsigned int size = vector_size(k);
	union mdsim_reg v = { .u32 = { 0 } };

	if (t->s->io && t->s->io->load)
		t->s->io->load(t->s->io->ctx, lane, kind, index, 0, half, &v);
	for (unsigned int i = 0; i < (half ? (size + 1) / 2 : size); i++)
		(*staging_out(t, i))[lane] = v.u32[i];
}

static void unit_ld_attr(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes)
		load_vector(t, k, MDSIM_ATTRIBUTE, lane, k->sources > 2 ? t->sources[2][lane] : k->number[0]);
}

static void unit_ld_var(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	bool flat = k->op->id == BF_OP_LD_VAR_FLAT || k->op->id == BF_OP_LD_VAR_FLAT_IMM;
	unsigned int source = flat ? 0 : 1;

	EACH_LANE(t->lanes)
		load_vector(t, k, MDSIM_VARYING, lane, k->sources > source ? t->sources[source][lane] : k->number[0]);
}

static void unit_ld_special(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int name = bf_mod(k, varying_name);

	EACH_LANE(t->lanes)
		load_vector(t, k, MDSIM_SPECIAL, lane, name == BFW_point ? BFSIM_POINT : name == BFW_frag_w ? BFSIM_FRAG_W : BFSIM_FRAG_Z);
}

static void unit_lea_attr(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		(*staging_out(t, 0))[lane] = k->sources > 2 ? t->sources[2][lane] : k->number[0];
		(*staging_out(t, 1))[lane] = BFSIM_VARYING;
		(*staging_out(t, 2))[lane] = 0;
	}
}

static void unit_st_cvt(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int size = vector_size(k);

	EACH_LANE(t->lanes) {
		union mdsim_reg v = staged(t, lane);

		if (!(t->sources[1][lane] & BFSIM_VARYING))
			access_memory(t, lane, address_of(t, k, lane), &v, 4 * size, true);
		else if (t->s->io && t->s->io->store)
			t->s->io->store(t->s->io->ctx, lane, MDSIM_VARYING, t->sources[0][lane], (1 << size) - 1, false, &v);
	}
}

/* Coordinates of 16 bits in the first two sources; the image's number in the third, or the row. */
static struct mdsim_texel texel_of(const struct bf_run *t, const struct bf_insn *k, unsigned int lane)
{
	uint32_t xy = t->sources[0][lane], zw = t->sources[1][lane];

	return (struct mdsim_texel){
		.image = k->sources > 2 ? t->sources[2][lane] : k->number[0], .mask = 15,
		.coords = { xy, xy >> 16, zw, zw >> 16 }, .type = MDSIM_U32,
	};
}

static void unit_ld_texel(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		struct mdsim_texel texel = texel_of(t, k, lane);
		union mdsim_reg v = { .u32 = { 0 } };

		if (t->s->io && t->s->io->image)
			t->s->io->image(t->s->io->ctx, lane, &texel, false, &v);
		for (unsigned int i = 0; i < vector_size(k); i++)
			(*staging_out(t, i))[lane] = v.u32[i];
	}
}

static void unit_lea_texel(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		struct mdsim_texel texel = texel_of(t, k, lane);
		uint64_t address = t->s->io && t->s->io->image_address ? t->s->io->image_address(t->s->io->ctx, lane, &texel) : 0;

		(*staging_out(t, 0))[lane] = address;
		(*staging_out(t, 1))[lane] = address >> 32;
		(*staging_out(t, 2))[lane] = 0;
	}
}

static void unit_ld_cvt(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		union mdsim_reg v;

		access_memory(t, lane, address_of(t, k, lane), &v, 4 * vector_size(k), false);
		for (unsigned int i = 0; i < vector_size(k); i++)
			(*staging_out(t, i))[lane] = v.u32[i];
	}
}

/* --- Textures ------------------------------------------------------------------------- */

/* Face and place on it, as CUBEFACE2 and Mesa's bi_emit_texc_cube_coord() have them. */
static void cube_direction(uint32_t s, uint32_t t, float *coords)
{
	md_cube_direction(s | (uint64_t)t << 32, coords);
}

/* A texel, in registers from n on, of 32 or 16 bits a component. */
static void fetch_texel(struct bf_run *t, unsigned int lane, const struct mdsim_sample *sample, unsigned int reg, bool half)
{
	float out[4] = { 0 };

	if (t->s->io && t->s->io->texture)
		t->s->io->texture(t->s->io->ctx, lane, sample, out);
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int n = (reg + (half ? i / 2 : i)) % BFSIM_REGISTERS;
		v8u *to = &t->s->r[n];
		uint32_t v = half ? half_from_float(out[i]) : as_bits(out[i]);

		(*to)[lane] = !half ? v : i & 1 ? ((*to)[lane] & 0xffff) | v << 16 : v;
		t->s->written |= 1ull << n;
	}
}

/* TEXS_2D, TEXS_CUBE, VAR_TEX: all is in the instruction. */
static void unit_texs(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int reg = bf_header(t->code->header, staging_register);
	bool cube = k->op->id == BF_OP_TEXS_CUBE, varying = k->op->id == BF_OP_VAR_TEX;

	EACH_LANE(t->lanes) {
		struct mdsim_sample s = { .mode = 1, .dimensions = cube ? 0 : 2, .op = bf_mod(k, lod_mode) == BFW_zero_lod ? 2 : 1 };
		union mdsim_reg v;

		/* In the order of the row's numbers. */
		s.sampler = cube ? k->number[0] : k->number[1];
		s.texture = cube ? k->number[1] : varying ? k->number[1] : k->number[0];
		s.coords[0] = as_float(t->sources[0][lane]);
		s.coords[1] = as_float(t->sources[1][lane]);
		if (cube)
			cube_direction((t->sources[0][lane] & 0x1fffffff) | t->sources[2][lane], t->sources[1][lane], s.coords);
		if (varying && t->s->io && t->s->io->load) {
			t->s->io->load(t->s->io->ctx, lane, MDSIM_VARYING, k->number[0], 0, false, &v);
			s.coords[0] = v.f32[0];
			s.coords[1] = v.f32[1];
		}
		fetch_texel(t, lane, &s, reg, k->from.bits == 16);
	}
}

/* A descriptor of two textures: Mesa bifrost.h, struct bifrost_dual_texture_operation. */
static void fetch_two(struct bf_run *t, unsigned int lane, uint32_t d, unsigned int reg)
{
	struct mdsim_sample s = { .mode = 1, .dimensions = 2, .op = 1, .sampler = d & 3, .texture = d >> 4 & 3 };

	s.coords[0] = as_float(t->sources[0][lane]);
	s.coords[1] = as_float(t->sources[1][lane]);
	fetch_texel(t, lane, &s, reg, !(d >> 25 & 4));
	s.sampler = d >> 6 & 3;
	s.texture = d >> 8 & 3;
	fetch_texel(t, lane, &s, d >> 12 & 63, !(d >> 18 & 4));
}

enum { TEX_FETCH = 6, TEX = 7 };	/* less: gradients */
enum { LOD_GRADIENT = 3, LOD_EXPLICIT = 4, LOD_BIAS = 5, LOD_ZERO = 6 };

/* Mesa bifrost.h, struct bifrost_texture_operation; data registers: bifrost_compile.c, enum bifrost_tex_dreg. */
static void fetch_one(struct bf_run *t, unsigned int lane, uint32_t d, unsigned int reg)
{
	unsigned int op = d >> 12 & 7, lod = d >> 20 & 7, format = d >> 24 & 15, n = 0, index = d >> 4 & 127, mode = d & 3;
	bool immediate = d >> 11 & 1;
	struct mdsim_sample s = { .mode = 1, .dimensions = d >> 18 & 3, .op = 1, .texture = index };
	uint32_t x = t->sources[0][lane], y = t->sources[1][lane];

#define NEXT	((*staging(t, n++))[lane])
	s.sampler = immediate ? d & 15 : index;
	s.coords[0] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)x : as_float(x);
	s.coords[1] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)y : as_float(y);
	if (s.dimensions == 3) {
		uint32_t z = NEXT;

		s.coords[2] = op == TEX_FETCH && lod < 4 ? (float)(int32_t)z : as_float(z);
	}
	if (s.dimensions == 0)
		cube_direction(x, y, s.coords);
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
	fetch_texel(t, lane, &s, reg, format < 4 || format == 12 || format == 13);
}

static void unit_texc(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int reg = bf_header(t->code->header, staging_register);

	EACH_LANE(t->lanes) {
		uint32_t d = t->sources[2][lane];
		bool dual = (d >> 2 & 3) == 1 && !(d >> 11 & 1);

		/* Who gives texels knows nothing of gradients: what describes them is level 0. */
		if (!dual && (d >> 12 & 7) < TEX_FETCH)
			for (unsigned int i = 0; i < 4; i++)
				(*staging_out(t, i))[lane] = 0;
		else if (dual)
			fetch_two(t, lane, d, reg);
		else
			fetch_one(t, lane, d, reg);
	}
}

/* --- Fragments -------------------------------------------------------------------------- */

static float alpha_of(const struct bf_insn *k, uint32_t v)
{
	unsigned int word = k->words[BFK_widen][1];

	return word == BFW_h0 ? half_to_float(v) : word == BFW_h1 ? half_to_float(v >> 16) : as_float(v);
}

/* GUESS(bf-atest): which of four samples alpha leaves: the first of them up to alpha's quarter, to nearest; of NaN none. */
static void unit_atest(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		float alpha = alpha_of(k, t->sources[1][lane]);
		unsigned int samples = alpha >= 1 ? 4 : alpha > 0 ? (unsigned int)(alpha * 4 + 0.5f) : 0;
		uint32_t mask = t->sources[0][lane], left = mask & ((1u << samples) - 1);

		/* Without alpha to coverage, which the datum does not say here, the mask stays. */
		(*result)[lane] = t->s->special[BFSIM_ATEST][0][lane] ? left : mask;
		(*staging_out(t, 0))[lane] = (*result)[lane];
	}
}

static void unit_zs_emit(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		union mdsim_reg v = { .u32 = { t->sources[0][lane], t->sources[1][lane] } };
		unsigned int mask = (bf_mod(k, z) == BFW_z) | (bf_mod(k, stencil) == BFW_stencil) << 1;

		if (t->s->io && t->s->io->store)
			t->s->io->store(t->s->io->ctx, lane, MDSIM_TARGET, 255, mask, false, &v);
		(*result)[lane] = t->sources[2][lane];
		(*staging_out(t, 0))[lane] = t->sources[2][lane];
	}
}

static void unit_blend(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes) {
		union mdsim_reg v = staged(t, lane);

		if (t->s->io && t->s->io->store && t->sources[0][lane] && !(t->s->discarded >> lane & 1))
			t->s->io->store(t->s->io->ctx, lane, MDSIM_TARGET, t->sources[1][lane], 15, false, &v);
		(*result)[lane] = 0;
	}
}

/* --- Control flow ------------------------------------------------------------------------- */

static void jump(struct bf_run *t, unsigned int lane, const struct bf_insn *k)
{
	unsigned int source = k->sources - 1;
	const struct bf_value *v = &t->code->tuples[t->code->count - 1].words[k->codes[source] == BF_FAU_HI];

	bool fau = k->codes[source] == BF_FAU_LO || k->codes[source] == BF_FAU_HI;

	/* 0 ends the thread; what else is no place of the program leads out of it. */
	t->next[lane] = !fau ? BF_NOWHERE : v->kind == BF_TARGET ? v->value : v->kind == BF_FAU && !v->value ? BF_END : BF_NOWHERE;
}

static void unit_jump(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	EACH_LANE(t->lanes)
		jump(t, lane, k);
}

/* BRANCH, BRANCHZ and DISCARD: the bodies of bifrost_alu.c have compared. */
static void unit_branch(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	v8u truth = { 0 };

	bf_run_alu(t, k, &truth);
	EACH_LANE(t->lanes) {
		if (truth[lane] && k->op->id == BF_OP_DISCARD)
			t->s->discarded |= 1u << lane;
		else if (truth[lane])
			jump(t, lane, k);
	}
}

static void unit_branchc(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	const char *part = bf_word(k->words[BFK_lane][0]);
	unsigned int set = 0;
	bool taken;

	EACH_LANE(t->lanes) {
		uint32_t v = t->sources[0][lane];

		v = *part != 'h' ? v : part[1] == '1' ? v >> 16 : v & 0xffff;
		set |= (v != 0) << lane;
	}
	taken = bf_mod(k, combine) == BFW_all ? set == t->lanes : set != 0;
	EACH_LANE(t->lanes)
		if (taken)
			jump(t, lane, k);
}

/* --- Lanes ---------------------------------------------------------------------------------- */

/* What a lane that does not run gives; by the modifier's word. */
static const uint32_t inactive[] = {
	[BFW_umax] = ~0u, [BFW_i1] = 1, [BFW_v2i1] = 0x00010001, [BFW_smin] = 0x80000000, [BFW_smax] = 0x7fffffff,
	[BFW_v2smin] = 0x80008000, [BFW_v2smax] = 0x7fff7fff, [BFW_v4smin] = 0x80808080, [BFW_v4smax] = 0x7f7f7f7f,
	[BFW_f1] = 0x3f800000, [BFW_v2f1] = 0x3c003c00, [BFW_infn] = 0xff800000, [BFW_inf] = 0x7f800000,
	[BFW_v2infn] = 0xfc00fc00, [BFW_v2inf] = 0x7c007c00, [BFW_required] = 0,
};

static void unit_clper(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
	unsigned int subgroup = bf_mod(k, subgroup), op = bf_mod(k, lane_op);
	/* Of the old one four; eight lanes are all there are. */
	unsigned int size = subgroup == BFW_none ? 4 : subgroup == BFW_subgroup16 ? 8 : 2 << (subgroup - BFW_subgroup2);

	EACH_LANE(t->lanes) {
		unsigned int n = t->sources[1][lane], first = lane & ~(size - 1), from;

		from = first + ((op == BFW_xor ? (lane ^ n) : op == BFW_accumulate ? lane + n : op == BFW_shift ? lane - n : n) & (size - 1));
		(*result)[lane] = t->lanes >> from & 1 ? t->sources[0][from] : inactive[bf_mod(k, inactive_result)];
	}
}

static void unit_nothing(struct bf_run *t, const struct bf_insn *k, v8u *result)
{
}

bf_unit *bf_unit_of(unsigned int id)
{
	static bf_unit *const units[BF_OPS] = {
		[BF_OP_LOAD] = unit_load, [BF_OP_STORE] = unit_store, [BF_OP_SEG_ADD] = unit_seg_add, [BF_OP_SEG_SUB] = unit_seg_add,
		[BF_OP_ATOM_C] = unit_atom_c, [BF_OP_ATOM_C1] = unit_atom_c, [BF_OP_ATOM_C_RETURN] = unit_atom_c,
		[BF_OP_ATOM_C1_RETURN] = unit_atom_c, [BF_OP_ATOM_CX] = unit_atom_cx, [BF_OP_ATOM_POST] = unit_atom_post,
		[BF_OP_AXCHG] = unit_exchange, [BF_OP_ACMPXCHG] = unit_exchange, [BF_OP_ACMPSTORE] = unit_exchange,
		[BF_OP_LD_ATTR] = unit_ld_attr, [BF_OP_LD_ATTR_IMM] = unit_ld_attr, [BF_OP_LD_VAR] = unit_ld_var,
		[BF_OP_LD_VAR_IMM] = unit_ld_var, [BF_OP_LD_VAR_FLAT] = unit_ld_var, [BF_OP_LD_VAR_FLAT_IMM] = unit_ld_var,
		[BF_OP_LD_VAR_SPECIAL] = unit_ld_special, [BF_OP_LEA_ATTR] = unit_lea_attr, [BF_OP_LEA_ATTR_IMM] = unit_lea_attr,
		[BF_OP_LD_ATTR_TEX] = unit_ld_texel, [BF_OP_LEA_ATTR_TEX] = unit_lea_texel, [BF_OP_LEA_TEX] = unit_lea_texel,
		[BF_OP_LEA_TEX_IMM] = unit_lea_texel, [BF_OP_ST_CVT] = unit_st_cvt, [BF_OP_LD_CVT] = unit_ld_cvt, [BF_OP_TEXS_2D] = unit_texs, [BF_OP_TEXS_CUBE] = unit_texs,
		[BF_OP_VAR_TEX] = unit_texs, [BF_OP_TEXC] = unit_texc, [BF_OP_ATEST] = unit_atest, [BF_OP_ZS_EMIT] = unit_zs_emit,
		[BF_OP_BLEND] = unit_blend, [BF_OP_JUMP] = unit_jump, [BF_OP_BRANCH] = unit_branch, [BF_OP_BRANCHZ] = unit_branch,
		[BF_OP_DISCARD] = unit_branch, [BF_OP_BRANCHC] = unit_branchc, [BF_OP_CLPER] = unit_clper,
		[BF_OP_CLPER_OLD] = unit_clper, [BF_OP_BARRIER] = unit_nothing,
	};

	return units[id];
}
