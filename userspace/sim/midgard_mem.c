// SPDX-License-Identifier: MIT
/*
 * Midgard: loads and stores, textures. What operands mean: Mesa src/panfrost/midgard: midgard.h, disassemble.c,
 * midgard_compile.c, midgard_emit.c. Load/store ops are a body for one lane; what goes in and out of registers is the
 * same for all of them, by the columns of their rows.
 */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/midgard_code.h"

/* A load/store instruction in one lane. */
struct md_lane {
	struct md_run *t;
	const struct md_mem *k;
	const struct mdsim_io *io;
	unsigned int lane;
	union mdsim_reg *data;		/* what is stored, the argument, or 0; and what the register gets */
	bool half;			/* it has components of 16 bits */
	unsigned int mask;		/* of what is written */
};

#define get(l, name) md_get(&(l)->k->bits, ld_##name)

/* --- Registers ------------------------------------------------------------------------- */

/* What the load/store unit's registers name: r26, r27, or what the GPU knows of the thread. */
static const v8u *unit_reg(const struct md_lane *l, unsigned int reg)
{
	static const v8u zero[4];

	return reg < 2 ? l->t->from[26 + reg] : reg < 7 ? l->t->s->special[reg - 2] : zero;
}

/* Of two components, from comp on; the register's last component has no second half. */
static uint64_t wide(const struct md_lane *l, unsigned int reg, unsigned int comp)
{
	const v8u *r = unit_reg(l, reg);

	return r[comp][l->lane] | (comp < 3 ? (uint64_t)r[comp + 1][l->lane] << 32 : 0);
}

static int32_t offset_of(const struct md_lane *l)
{
	return (int32_t)isa_signed(get(l, offset), MD_ld_offset_width);
}

static uint32_t index_of(const struct md_lane *l)
{
	return unit_reg(l, get(l, index_reg))[get(l, index_comp)][l->lane] << get(l, index_shift);
}

/* Index register, shifted, plus the number in the instruction: of attributes, varyings, images, special values. */
static uint32_t number_of(const struct md_lane *l)
{
	return index_of(l) + (uint32_t)(offset_of(l) >> 9);
}

static uint64_t address_of(const struct md_lane *l)
{
	uint64_t base = wide(l, get(l, arg_reg), get(l, arg_comp)), index = wide(l, get(l, index_reg), get(l, index_comp));
	unsigned int format = get(l, index_format);

	base = get(l, wide) ? base : (uint32_t)base;
	/* GUESS(md-index-format-0): 0, reserved, is as 2 */
	index = format == 1 ? index : format == 3 ? (uint64_t)(int32_t)index : (uint32_t)index;
	index = l->k->op->props & MD_P_COMPARES ? 0 : index;
	return base + (index << get(l, index_shift)) + (uint64_t)(int64_t)offset_of(l);
}

/* Words of r as the swizzle picks them: of 32 bits, whatever the components have (Mesa mir_pack_swizzle_ldst()). */
static union mdsim_reg swizzled(const struct md_lane *l, union mdsim_reg r)
{
	union mdsim_reg data;

	for (unsigned int i = 0; i < 4; i++)
		data.u32[i] = r.u32[get(l, swizzle) >> 2 * i & 3];
	return data;
}

/* What a store, or an op with an argument, takes. */
static union mdsim_reg whole(const struct md_lane *l, const v8u *r)
{
	return (union mdsim_reg){ .u32 = { r[0][l->lane], r[1][l->lane], r[2][l->lane], r[3][l->lane] } };
}

static union mdsim_reg argument(const struct md_lane *l)
{
	return whole(l, unit_reg(l, get(l, arg_reg)));
}

void md_run_ldst(struct md_run *t, const struct md_mem *k)
{
	static const struct mdsim_io nothing;
	struct md_lane l = { .t = t, .k = k, .io = t->s->io ? t->s->io : &nothing };
	unsigned int props = k->op->props, swizzle = props & MD_P_PLAIN ? 0xe4 : get(&l, swizzle), mask = get(&l, mask);
	unsigned int reg = md_written(get(&l, reg));
	bool half = props & MD_P_BY_WIDE ? !get(&l, wide) : MD_TYPE_OF(props) == MDSIM_F16;

	EACH_LANE(t->lanes) {
		union mdsim_reg data = { .u32 = { 0 } };

		l.lane = lane;
		l.half = half;
		l.mask = mask;
		l.data = &data;
		/* Bit 0 of the register's number chooses r26 or r27. */
		if (props & MD_P_STORES)
			data = swizzled(&l, whole(&l, t->from[26 + (get(&l, reg) & 1)]));
		else if (props & MD_P_PLAIN)
			data = swizzled(&l, argument(&l));
		k->body(&l);
		/* The mask, too, is of words (Mesa mir_pack_ldst_mask()). */
		for (unsigned int i = 0; i < 4 && !(props & MD_P_STORES); i++)
			if (l.mask >> i & 1)
				md_put_element(t, reg, i, 32, lane, data.u32[swizzle >> 2 * i & 3]);
	}
}

/* --- Memory --------------------------------------------------------------------------------- */

/* Bytes in units of swap turned round. */
static void swap_bytes(const struct md_lane *l, void *data)
{
	unsigned int size = MD_BYTES_OF(l->k->op->props), swap = MD_SWAP_OF(l->k->op->props);
	uint8_t from[16], *p = data;

	if (swap == 1)
		return;
	memcpy(from, data, size);
	for (unsigned int i = 0; i < size; i++)
		p[i] = from[i ^ (swap - 1)];
}

static void access_memory(struct md_lane *l, uint64_t address, void *data, unsigned int size, bool write)
{
	if (!l->io->memory || !l->io->memory(l->io->ctx, l->lane, address, data, size, write)) {
		l->t->s->events |= MDSIM_MEMORY;
		if (!write)
			memset(data, 0, size);
	}
}

/* Byte order and sign of what was loaded. */
static void order_loaded(struct md_lane *l)
{
	swap_bytes(l, l->data);
	if (l->k->op->props & MD_P_SIGNED)
		l->data->u32[0] = (uint32_t)isa_signed(l->data->u32[0], 8 * MD_BYTES_OF(l->k->op->props));
}

/* A bit of the mask is a byte of 32 bits and less, two of 64, four of 128 (Mesa midgard_pack_common_store_mask()). */
static void store(struct md_lane *l)
{
	unsigned int size = MD_BYTES_OF(l->k->op->props), each = size > 4 ? size / 4 : 1;

	swap_bytes(l, l->data);
	for (unsigned int i = 0; i < size; i += each)
		if (l->mask >> i / each & 1)
			access_memory(l, address_of(l) + i, l->data->u8 + i, each, true);
}

/* The old value goes to the first component of the mask; of 64 bits, to the next one too. */
static void exchange(struct md_lane *l, md_update *update)
{
	unsigned int size = MD_BYTES_OF(l->k->op->props), bits = 8 * size, from = get(l, swizzle);
	unsigned int first = l->mask ? (unsigned int)__builtin_ctz(l->mask) : 3;
	/* The operand stands where others have a swizzle, what is compared where they have an index. */
	uint64_t v = isa_low(wide(l, from >> 2 & 7, from & 3), bits), old = 0, new;
	uint64_t compare = isa_low(wide(l, get(l, index_reg), get(l, index_comp)), bits);

	access_memory(l, address_of(l), &old, size, false);
	swap_bytes(l, &old);
	new = update(old, v, compare, isa_signed(old, bits), isa_signed(v, bits));
	swap_bytes(l, &new);
	access_memory(l, address_of(l), &new, size, true);
	l->data->u32[first] = old;
	if (first < 3)
		l->data->u32[first + 1] = old >> 32;
	l->mask = l->mask ? (size == 8 ? 3u : 1u) << first : 0;
}

/*
 * Byte offsets. The buffer's number is in the instruction: Mesa's compiler puts it there by
 * midgard_pack_ubo_index_imm() and leaves bit 0 of the offset, which its disassembler asks for, at 0.
 */
static void load_uniforms(struct md_lane *l)
{
	uint32_t at = index_of(l) + (uint32_t)(offset_of(l) >> 2);
	unsigned int size = MD_BYTES_OF(l->k->op->props);

	md_call(l, load, MDSIM_UNIFORM, get(l, ubo), at & ~3u, false, l->data);
	if (size < 4)
		l->data->u32[0] = l->data->u32[0] >> 8 * (at & 3) & (size == 1 ? 0xff : 0xffff);
	/* GUESS(md-load-rest): what is behind the op's size reads as 0, as of other memory. */
	memset(l->data->u8 + (size < 4 ? 4 : size), 0, 16 - (size < 4 ? 4u : size));
	order_loaded(l);
}

/*
 * Cube map coordinates. CUBEMAP, and LD_VARY with the cube map
 * modifier, turn a direction into a 64-bit descriptor, which TEX takes in its
 * first two components (Mesa midgard.h, midgard_compile.c).
 *
 * GUESS(md-cube-descriptor): the descriptor is Bifrost's, which Mesa describes (bifrost_compile.c):
 * s in the low 29 bits of the first word, the face in the three above, t in the
 * second word; s is in [0, 1], where the float's upper three bits are 001 but
 * for numbers so small that it does not matter. GUESS(md-cube-faces): faces are numbered and
 * turned as OpenGL has them.
 */
#define S_BITS	0x1fffffffu
#define S_ABOVE	0x20000000u

/* The axes that lie along s and t on each face, 1 based; negative: against them. */
static const struct face {
	int8_t axis, s, t;
} faces[6] = {
	{ 1, -3, -2 }, { -1, 3, -2 }, { 2, 1, 3 }, { -2, 1, -3 }, { 3, 1, -2 }, { -3, -1, -2 },
};

static float along(const float v[3], int axis)
{
	return axis < 0 ? -v[-axis - 1] : v[axis - 1];
}

/* 0 to 1; not a number is 0. */
static float unit(float v)
{
	return v > 0 ? v < 1 ? v : 1 : 0;
}

static uint64_t cube_descriptor(const float direction[3])
{
	unsigned int longest = 0, face;
	float length, place[2];
	uint32_t words[2];

	/* GUESS(md-cube-equal): z wins over y over x where they are equal. */
	for (unsigned int i = 1; i < 3; i++)
		if (fabsf(direction[i]) >= fabsf(direction[longest]))
			longest = i;
	face = 2 * longest + !!signbit(direction[longest]);
	length = fabsf(direction[longest]);
	place[0] = unit(along(direction, faces[face].s) / length * 0.5f + 0.5f);
	place[1] = unit(along(direction, faces[face].t) / length * 0.5f + 0.5f);
	memcpy(words, place, sizeof(words));
	return (words[0] & S_BITS) | face << 29 | (uint64_t)words[1] << 32;
}

void md_cube_direction(uint64_t descriptor, float direction[3])
{
	uint32_t words[2] = { ((uint32_t)descriptor & S_BITS) | S_ABOVE, descriptor >> 32 };
	const struct face *f = &faces[(uint32_t)descriptor >> 29 < 6 ? (uint32_t)descriptor >> 29 : 0];
	int axes[3] = { f->axis, f->s, f->t };
	float place[2], values[3] = { 1 };

	memcpy(place, words, sizeof(place));
	values[1] = 2 * place[0] - 1;
	values[2] = 2 * place[1] - 1;
	for (unsigned int i = 0; i < 3; i++)
		direction[axes[i] < 0 ? -axes[i] - 1 : axes[i] - 1] = axes[i] < 0 ? -values[i] : values[i];
}

/* --- Vectors -------------------------------------------------------------------------------------- */

static void divide(struct md_lane *l, const union mdsim_reg *by, unsigned int divisor)
{
	float d = l->half ? half_to_float(by->u16[divisor]) : by->f32[divisor];

	for (unsigned int i = 0; i < 4; i++) {
		if (l->half)
			l->data->u16[i] = half_from_float(half_to_float(l->data->u16[i]) / d);
		else
			l->data->f32[i] /= d;
	}
}

/* GUESS(md-descriptor-words): a descriptor is of 32-bit words, whatever it is made of. */
static void describe_cube(struct md_lane *l)
{
	float v[3];

	for (unsigned int i = 0; i < 3; i++)
		v[i] = l->half ? half_to_float(l->data->u16[i]) : l->data->f32[i];
	l->data->u64[0] = cube_descriptor(v);
	l->half = false;
}

/* Attributes, varyings, special values: by number. Of the tile buffer a target is named (Mesa output_load_rt_addr()). */
static void load_numbered(struct md_lane *l, enum mdsim_kind kind)
{
	uint32_t target = get(l, index_reg) << 2 | get(l, index_comp);

	md_call(l, load, kind, kind == MDSIM_TILEBUFFER ? target : number_of(l), 0, l->half, l->data);
}

/*
 * What Mesa's enum midgard_varying_modifier does to a varying as it is loaded:
 * all components divided by one (GUESS(md-varying-modifier): that one too), or a cube map's descriptor.
 */
static void load_varying(struct md_lane *l)
{
	unsigned int modifier = (unsigned int)offset_of(l) & 7;
	union mdsim_reg by;

	load_numbered(l, MDSIM_VARYING);
	by = *l->data;
	if (modifier == 4)
		describe_cube(l);
	else if (modifier && modifier < 4)
		divide(l, &by, modifier);
}

/* The components that a store's mask names; a varying is stored whole, as an image's texel is (Mesa midgard.h, of ST_ATTR and ST_TEX). */
static unsigned int stored(const struct md_lane *l, enum mdsim_kind kind)
{
	if (kind == MDSIM_VARYING)
		return 15;
	return l->half ? (l->mask & 1 ? 3 : 0) | (l->mask & 2 ? 12 : 0) : l->mask;
}

/* GUESS(md-store-special), after the names of ST_SPECIAL and ST_TILEBUFFER: what LD_SPECIAL and LD_TILEBUFFER read is written. */
static void store_numbered(struct md_lane *l, enum mdsim_kind kind)
{
	md_call(l, store, kind, kind == MDSIM_TILEBUFFER ? 0 : number_of(l), stored(l, kind), l->half, l->data);
}

/* Images: coordinates are 16-bit numbers in the argument register, two or, with 64 bits, four (Mesa emit_image_op()). */
static struct mdsim_texel texel_of(const struct md_lane *l)
{
	uint64_t where = wide(l, get(l, arg_reg), get(l, arg_comp));

	where = get(l, wide) ? where : (uint32_t)where;
	return (struct mdsim_texel){
		.image = number_of(l),
		.coords = { where, where >> 16, where >> 32, where >> 48 },
		.type = (enum mdsim_type)MD_TYPE_OF(l->k->op->props),
	};
}

static void access_image(struct md_lane *l, bool write)
{
	struct mdsim_texel texel = texel_of(l);

	md_call(l, image, &texel, write, l->data);
}

static uint64_t image_address(struct md_lane *l)
{
	struct mdsim_texel texel = texel_of(l);

	return l->io->image_address ? l->io->image_address(l->io->ctx, l->lane, &texel) : 0;
}

#define DO(id, e) static void lane_##id(struct md_lane *l) { e; }
#define UPDATE(id, e) \
	uint64_t md_update_##id(uint64_t old, uint64_t v, uint64_t compare, int64_t a, int64_t b) { return e; } \
	DO(id, exchange(l, md_update_##id))

DO(LD, access_memory(l, address_of(l), l->data, MD_BYTES_OF(l->k->op->props), false); order_loaded(l))
DO(ST, store(l))
DO(LD_UBO, load_uniforms(l))
DO(LEA, l->data->u64[0] = address_of(l))
DO(LEA_IMAGE, l->data->u64[0] = image_address(l))
DO(LD_IMAGE, access_image(l, false))
DO(ST_IMAGE, access_image(l, true))
DO(LDST_MOV, (void)l)
/* GUESS(md-perspective-all): all components are divided, also the divisor. */
DO(PERSPECTIVE, union mdsim_reg by = argument(l); divide(l, &by, MD_TYPE_OF(l->k->op->props)))
DO(CUBEMAP, describe_cube(l); l->data->u64[1] = 0)
DO(LD_ATTR, load_numbered(l, MDSIM_ATTRIBUTE))
DO(LD_VARY, load_varying(l))
DO(LD_SPECIAL, load_numbered(l, MDSIM_SPECIAL))
DO(LD_TILEBUFFER, load_numbered(l, MDSIM_TILEBUFFER))
DO(ST_VARY, store_numbered(l, MDSIM_VARYING))
DO(ST_SPECIAL, store_numbered(l, MDSIM_SPECIAL))
DO(ST_TILEBUFFER, store_numbered(l, MDSIM_TILEBUFFER))
UPDATE(AADD, old + v)
UPDATE(AAND, old & v)
UPDATE(AOR, old | v)
UPDATE(AXOR, old ^ v)
UPDATE(XCHG, v)
UPDATE(CMPXCHG, old == compare ? v : old)
UPDATE(ASMIN, a < b ? old : v)
UPDATE(ASMAX, a > b ? old : v)
UPDATE(AUMIN, old < v ? old : v)
UPDATE(AUMAX, old > v ? old : v)

#undef get
#define tex(k, name) md_get(&(k)->bits, tex_##name)

/* --- Textures ---------------------------------------------------------------------------------------- */

/* A component of AT0 or AT1, all of it or a half: as bits. */
static uint32_t texture_input(const struct md_run *t, unsigned int lane, unsigned int select, unsigned int c, bool full, bool upper)
{
	return md_get_element(t->from[MDSIM_AT0 + select], full ? c : c + 4 * upper, full ? 32 : 16, lane);
}

/* Mesa's midgard_tex_register_select: full, select, upper, component. */
static uint32_t selected(const struct md_run *t, unsigned int lane, unsigned int v)
{
	return texture_input(t, lane, v >> 1 & 1, v >> 3 & 3, v & 1, v >> 2 & 1);
}

/* A float that has 32 bits, or 16. */
static float as_number(uint32_t v, bool full)
{
	return full ? as_float(v) : half_to_float(v);
}

/* Of a fetch an integer, else a float. */
static uint32_t coordinate(const struct md_run *t, const struct md_mem *k, unsigned int lane, unsigned int i)
{
	uint32_t v = texture_input(t, lane, tex(k, in_select), tex(k, in_swizzle) >> 2 * i & 3, tex(k, in_full), tex(k, in_upper));

	return k->op->id == MD_OP_TEX_FETCH ? v : as_bits(as_number(v, tex(k, in_full)));
}

static void put_texture(struct md_run *t, const struct md_mem *k, unsigned int lane, const uint32_t out[4])
{
	bool real = tex(k, sampler_type) == 1, half = !tex(k, out_full);

	for (unsigned int i = 0; i < 4; i++) {
		uint32_t v = out[tex(k, swizzle) >> 2 * i & 3];

		if (!(tex(k, mask) >> i & 1))
			continue;
		if (real && tex(k, outmod))
			v = as_bits(md_clamp(as_float(v), tex(k, outmod)));
		md_put_element(t, 28 + tex(k, out_select), i + (tex(k, out_upper) && half ? 4 : 0), half ? 16 : 32,
			       lane, real && half ? half_from_float(as_float(v)) : v);
	}
}

/* Texels that are added to coordinates: three numbers of four bits, or integers of a register with a swizzle. */
static int texel_offset(const struct md_run *t, const struct md_mem *k, unsigned int lane, unsigned int i)
{
	uint32_t v = tex(k, offset);

	if (!tex(k, offset_reg))
		return (int32_t)(v << (28 - 4 * i)) >> 28;
	return (int32_t)texture_input(t, lane, v >> 1 & 1, v >> (3 + 2 * i) & 3, v & 1, v >> 2 & 1);
}

static float level_of(const struct md_run *t, const struct md_mem *k, unsigned int lane)
{
	bool fetch = k->op->id == MD_OP_TEX_FETCH;

	if (!tex(k, lod_reg))
		return fetch ? tex(k, bias) : (int8_t)tex(k, bias_int) + tex(k, bias) / 256.0f;
	return fetch ? (int32_t)selected(t, lane, tex(k, bias)) : as_number(selected(t, lane, tex(k, bias)), tex(k, bias) & 1);
}

static void sample(const struct md_run *t, const struct md_mem *k, unsigned int lane, uint32_t out[4])
{
	const struct mdsim_io *io = t->s->io;
	struct mdsim_sample s = {
		tex(k, texture_reg) ? selected(t, lane, tex(k, texture)) : tex(k, texture),
		tex(k, sampler_reg) ? selected(t, lane, tex(k, sampler)) : tex(k, sampler),
		k->op->match[0].value, tex(k, mode), tex(k, format), .lod = level_of(t, k, lane),
	};
	float texel[4] = { 0, 0, 0, 1 };

	for (unsigned int i = 0; i < 4; i++)
		s.coords[i] = k->op->id == MD_OP_TEX_FETCH ? (float)(int32_t)coordinate(t, k, lane, i) : as_float(coordinate(t, k, lane, i));
	for (unsigned int i = 0; i < 3; i++)
		s.offset[i] = texel_offset(t, k, lane, i);
	s.reference = s.coords[2];
	if (!s.dimensions)
		md_cube_direction(coordinate(t, k, lane, 0) | (uint64_t)coordinate(t, k, lane, 1) << 32, s.coords);
	if (io && io->texture)
		io->texture(io->ctx, lane, &s, texel);
	memcpy(out, texel, sizeof(texel));
}

void md_run_texture(struct md_run *t, const struct md_mem *k)
{
	unsigned int step = tex(k, mode) & 1 ? 2 : 1;
	uint32_t out[4];

	if (k->op->id == MD_OP_BARRIER)
		return;
	EACH_LANE(t->lanes) {
		/* GUESS(md-tex-mov), by the name TEX_MOV: the input goes out as it is. */
		for (unsigned int i = 0; i < 4; i++)
			out[i] = coordinate(t, k, lane, i);
		/* In 2x2 threads, lane = quad * 4 + y * 2 + x: the difference within the row or the column. */
		for (unsigned int i = 0; i < 4 && k->op->id == MD_OP_DERIVATIVE; i++)
			out[i] = as_bits(as_float(coordinate(t, k, lane | step, i)) - as_float(coordinate(t, k, lane & ~step, i)));
		if (k->op->id != MD_OP_TEX_MOV && k->op->id != MD_OP_DERIVATIVE)
			sample(t, k, lane, out);
		put_texture(t, k, lane, out);
	}
}

/* By op: an op whose body is missing does not compile. */
#define lane_NONE NULL
#define lane_NOP NULL	/* it is left out where bundles are taken apart */
md_lane_body *const md_lane_bodies[MD_OPS] = {
#define LDST(id, code, pattern, sem, props, why, note) [MD_OP_##id] = lane_##sem,
#include "isa/midgard_ops.inc"
};

