// SPDX-License-Identifier: MIT
/*
 * Midgard: loads and stores, textures. What operands mean: Mesa
 * src/panfrost/midgard/midgard.h, disassemble.c, midgard_compile.c.
 */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/midgard_thread.h"

/* What the load/store unit's registers name: r26, r27, or what the GPU knows of the thread. */
static const union mdsim_reg *ldst_reg(const struct thread *t, unsigned int reg)
{
	static const union mdsim_reg zero;

	return reg < 2 ? &t->r[26 + reg] : reg < 7 ? &t->s->special[t->lane][reg - 2] : &zero;
}

static uint32_t ldst_value(const struct thread *t, unsigned int reg, unsigned int comp)
{
	return ldst_reg(t, reg)->u32[comp];
}

/* Of two components, from comp on; the register's last component has no second half. */
static uint64_t ldst_wide(const struct thread *t, unsigned int reg, unsigned int comp)
{
	const union mdsim_reg *r = ldst_reg(t, reg);

	return r->u32[comp] | (comp < 3 ? (uint64_t)r->u32[comp + 1] << 32 : 0);
}

static int32_t offset_of(const struct isa_bits *k)
{
	return mdt_sign_extend(md_get(k, ld_offset), 18);
}

static uint64_t address_of(const struct thread *t, const struct isa_bits *k, bool indexed)
{
	unsigned int reg = md_get(k, ld_index_reg), comp = md_get(k, ld_index_comp);
	uint64_t base, index;

	base = md_get(k, ld_wide) ? ldst_wide(t, md_get(k, ld_arg_reg), md_get(k, ld_arg_comp)) :
				    ldst_value(t, md_get(k, ld_arg_reg), md_get(k, ld_arg_comp));
	switch (md_get(k, ld_index_format)) {
	case 1:
		index = ldst_wide(t, reg, comp);
		break;
	case 3:
		index = (uint64_t)(int32_t)ldst_value(t, reg, comp);
		break;
	default:	/* GUESS: 0, reserved, is as 2 */
		index = ldst_value(t, reg, comp);
	}
	return base + (indexed ? index << md_get(k, ld_index_shift) : 0) + (uint64_t)(int64_t)offset_of(k);
}

/* Bytes in units of swap turned round. */
static void swap_bytes(uint8_t *p, unsigned int size, unsigned int swap)
{
	for (unsigned int i = 0; swap > 1 && i + swap <= size; i += swap) {
		for (unsigned int k = 0; k < swap / 2; k++) {
			uint8_t v = p[i + k];

			p[i + k] = p[i + swap - 1 - k];
			p[i + swap - 1 - k] = v;
		}
	}
}

static void access_memory(struct thread *t, uint64_t address, void *data, unsigned int size, bool write)
{
	const struct mdsim_io *io = t->s->io;

	if (!io || !io->memory || !io->memory(io->ctx, t->lane, address, data, size, write)) {
		t->s->events |= MDSIM_MEMORY;
		if (!write)
			memset(data, 0, size);
	}
}

/* Sizes in bytes of ld and st, ld_ubo alike: from the op of the row of eight or so that each has. */
struct access {
	uint8_t size, swap;
	bool sign;
};

static struct access access_of(unsigned int op)
{
	static const struct access rows[20] = {
		[0x00] = { 1, 0, false }, [0x01] = { 1, 0, true },
		[0x04] = { 2, 0, false }, [0x05] = { 2, 0, true }, [0x06] = { 2, 2, false }, [0x07] = { 2, 2, true },
		[0x08] = { 4, 0, false }, [0x09] = { 4, 2, false }, [0x0a] = { 4, 4, false },
		[0x0c] = { 8, 0, false }, [0x0d] = { 8, 2, false }, [0x0e] = { 8, 4, false }, [0x0f] = { 8, 8, false },
		[0x10] = { 16, 0, false }, [0x11] = { 16, 2, false }, [0x12] = { 16, 4, false }, [0x13] = { 16, 8, false },
	};
	unsigned int row = op - (op >= 0xc0 ? 0xc0 : op >= 0xa0 ? 0xa0 : 0x80);

	return row < 20 ? rows[row] : (struct access){ 0 };
}

/* A value of less than 32 bits widened. */
static void widen_loaded(union mdsim_reg *data, struct access a)
{
	if (a.size < 4 && a.sign)
		data->u32[0] = (uint32_t)((int32_t)(data->u32[0] << (32 - 8 * a.size)) >> (32 - 8 * a.size));
}

static void put_result(struct thread *t, const struct isa_bits *k, const union mdsim_reg *data, bool half)
{
	unsigned int mask = md_get(k, ld_mask), swizzle = md_get(k, ld_swizzle);
	union mdsim_reg *out = mdt_destination(t, md_get(k, ld_reg));

	for (unsigned int i = 0; i < 4; i++) {
		if (mask >> i & 1)
			mdt_set_raw(out, i, half ? 16 : 32, mdt_raw(data, swizzle >> 2 * i & 3, half ? 16 : 32));
	}
}

/* What is stored, swizzled. */
static union mdsim_reg stored(const struct thread *t, const struct isa_bits *k, bool half)
{
	const union mdsim_reg *from = &t->r[26 + (md_get(k, ld_reg) & 1)];
	union mdsim_reg data = { .u32 = { 0 } };

	for (unsigned int i = 0; i < 4; i++)
		mdt_set_raw(&data, i, half ? 16 : 32, mdt_raw(from, md_get(k, ld_swizzle) >> 2 * i & 3, half ? 16 : 32));
	return data;
}

static void global_load(struct thread *t, const struct isa_bits *k)
{
	struct access a = access_of(md_get(k, ld_op));
	union mdsim_reg data = { .u32 = { 0 } };

	access_memory(t, address_of(t, k, true), &data, a.size, false);
	swap_bytes(data.u8, a.size, a.swap);
	widen_loaded(&data, a);
	put_result(t, k, &data, false);
}

/* GUESS: of a store of 32 bits and more, the mask drops components of 32 bits. */
static void global_store(struct thread *t, const struct isa_bits *k)
{
	struct access a = access_of(md_get(k, ld_op));
	union mdsim_reg data = stored(t, k, false);
	uint64_t address = address_of(t, k, true);

	swap_bytes(data.u8, a.size, a.swap);
	for (unsigned int i = 0; i < a.size; i += 4) {
		if (a.size < 4 || md_get(k, ld_mask) >> i / 4 & 1)
			access_memory(t, address + i, data.u8 + i, a.size < 4 ? a.size : 4, true);
	}
}

static uint64_t atomic(unsigned int kind, uint64_t old, uint64_t v, uint64_t compare, unsigned int bits)
{
	int64_t a = (int64_t)(old << (64 - bits)) >> (64 - bits), b = (int64_t)(v << (64 - bits)) >> (64 - bits);

	switch (kind) {
	case 0: return old + v;
	case 1: return old & v;
	case 2: return old | v;
	case 3: return old ^ v;
	case 4: return a < b ? old : v;
	case 5: return old < v ? old : v;
	case 6: return a > b ? old : v;
	case 7: return old > v ? old : v;
	case 8: return v;
	default: return old == compare ? v : old;
	}
}

/* The old value goes to the first component of the mask. The operand stands where others have a swizzle. */
static void atomic_op(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, ld_op) - 0x40, size = op & 1 ? 8 : 4, mask = md_get(k, ld_mask);
	unsigned int from = md_get(k, ld_swizzle);
	uint64_t address = address_of(t, k, op < 0x24), v = ldst_wide(t, from >> 2 & 7, from & 3), old = 0, new;
	uint64_t compare = ldst_wide(t, md_get(k, ld_index_reg), md_get(k, ld_index_comp));

	if (size == 4) {
		v = (uint32_t)v;
		compare = (uint32_t)compare;
	}
	access_memory(t, address, &old, size, false);
	swap_bytes((uint8_t *)&old, size, op & 2 ? size : 0);
	new = atomic(op >> 2, old, v, compare, 8 * size);
	swap_bytes((uint8_t *)&new, size, op & 2 ? size : 0);
	access_memory(t, address, &new, size, true);
	for (unsigned int i = 0; i < 4; i++) {
		if (!(mask >> i & 1))
			continue;
		mdt_set_raw(mdt_destination(t, md_get(k, ld_reg)), i, 32, old);
		if (size == 8 && i < 3)
			mdt_set_raw(mdt_destination(t, md_get(k, ld_reg)), i + 1, 32, old >> 32);
		break;
	}
}

/* CUBEMAP: GUESS on the swizzle, that it picks the source's components as it does for other ops. */
static void cubemap(struct thread *t, const struct isa_bits *k)
{
	const union mdsim_reg *in = ldst_reg(t, md_get(k, ld_arg_reg));
	union mdsim_reg data = { .u32 = { 0 } }, *out = mdt_destination(t, md_get(k, ld_reg));
	float direction[3];

	for (unsigned int i = 0; i < 3; i++) {
		unsigned int c = md_get(k, ld_swizzle) >> 2 * i & 3;

		direction[i] = md_get(k, ld_wide) ? in->f32[c] : half_to_float(in->u16[c]);
	}
	data.u64[0] = mdt_cube_descriptor(direction);
	for (unsigned int i = 0; i < 4; i++)
		if (md_get(k, ld_mask) >> i & 1)
			mdt_set_raw(out, i, 32, data.u32[i]);
}

/* LEA, LDST_MOV, the perspective divisions: results that come from registers alone. */
static void register_op(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, ld_op), swizzle = md_get(k, ld_swizzle), by = op - 0x10;
	const union mdsim_reg *in = ldst_reg(t, md_get(k, ld_arg_reg));
	union mdsim_reg data = { .u32 = { 0 } }, *out;

	if (op == 0x0c) {
		data.u64[0] = address_of(t, k, true);
		put_result(t, k, &data, false);
		return;
	}
	out = mdt_destination(t, md_get(k, ld_reg));
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int c = swizzle >> 2 * i & 3;

		if (!(md_get(k, ld_mask) >> i & 1))
			continue;
		/* GUESS: all components are divided, also the divisor. */
		if (op == 0x10)
			mdt_set_raw(out, i, 32, in->u32[c]);
		else if (md_get(k, ld_wide))
			mdt_set_raw(out, i, 32, mdt_from_float(in->f32[c] / in->f32[by], 32));
		else
			mdt_set_raw(out, i, 16, half_from_float(half_to_float(in->u16[c]) / half_to_float(in->u16[by])));
	}
}

/* Index register, shifted, plus the number in the instruction: of attributes, varyings, images, special values. */
static uint32_t number_of(const struct thread *t, const struct isa_bits *k)
{
	return (ldst_value(t, md_get(k, ld_index_reg), md_get(k, ld_index_comp)) << md_get(k, ld_index_shift)) +
	       (uint32_t)(offset_of(k) >> 9);
}

/*
 * What Mesa's enum midgard_varying_modifier does to a varying as it is loaded:
 * all components divided by one (GUESS: that one too), or a cube map's descriptor.
 */
static void modify_varying(const struct isa_bits *k, bool half, union mdsim_reg *data)
{
	unsigned int modifier = (unsigned int)offset_of(k) & 7;
	float v[4], by;

	if (!modifier || modifier > 4)
		return;
	for (unsigned int i = 0; i < 4; i++)
		v[i] = half ? half_to_float(data->u16[i]) : data->f32[i];
	if (modifier == 4) {
		data->u64[0] = mdt_cube_descriptor(v);
		return;
	}
	by = v[modifier];
	for (unsigned int i = 0; i < 4; i++)
		mdt_set_raw(data, i, half ? 16 : 32, mdt_from_float(v[i] / by, half ? 16 : 32));
}

/* Attributes, varyings, special values and the tile buffer: by number. */
static void numbered_load(struct thread *t, const struct isa_bits *k, enum mdsim_kind kind)
{
	const struct mdsim_io *io = t->s->io;
	unsigned int op = md_get(k, ld_op);
	bool half = op == 0x95 || op == 0x99 || op == 0x9d || op == 0xb9;
	union mdsim_reg data = { .u32 = { 0 } };

	if (io && io->load)
		io->load(io->ctx, t->lane, kind, kind == MDSIM_TILEBUFFER ? 0 : number_of(t, k), 0, half, &data);
	if (kind == MDSIM_VARYING && op <= 0x99)
		modify_varying(k, half, &data);
	/* GUESS: a descriptor is of 32-bit words, whatever the varying is. */
	put_result(t, k, &data, half && !(kind == MDSIM_VARYING && (offset_of(k) & 7) == 4));
}

/* GUESS for ST_SPECIAL and ST_TILEBUFFER, after their names: what LD_SPECIAL and LD_TILEBUFFER read is written. */
static void numbered_store(struct thread *t, const struct isa_bits *k, enum mdsim_kind kind)
{
	const struct mdsim_io *io = t->s->io;
	unsigned int op = md_get(k, ld_op);
	bool half = op == 0xd5 || op == 0xdd || op == 0xe9;
	union mdsim_reg data = stored(t, k, half);

	if (io && io->store)
		io->store(io->ctx, t->lane, kind, kind == MDSIM_TILEBUFFER ? 0 : number_of(t, k), md_get(k, ld_mask), half,
			  &data);
}

/*
 * Images: coordinates are 16-bit numbers in the argument register, two or, with
 * 64 bits, four (Mesa emit_image_op()).
 */
static void image_op(struct thread *t, const struct isa_bits *k)
{
	const struct mdsim_io *io = t->s->io;
	unsigned int op = md_get(k, ld_op), reg = md_get(k, ld_arg_reg), comp = md_get(k, ld_arg_comp);
	uint64_t where = md_get(k, ld_wide) ? ldst_wide(t, reg, comp) : ldst_value(t, reg, comp);
	struct mdsim_texel texel = {
		.image = number_of(t, k),
		.coords = { where, where >> 16, where >> 32, where >> 48 },
		.type = op == 0x0d ? MDSIM_U32 : (enum mdsim_type)(op & 3),
		.mask = md_get(k, ld_mask),
	};
	bool store = op >= 0xd8, half = op != 0x0d && texel.type == MDSIM_F16;
	union mdsim_reg data = { .u32 = { 0 } };

	if (op == 0x0d)
		data.u64[0] = io && io->image_address ? io->image_address(io->ctx, t->lane, &texel) : 0;
	else if (store)
		data = stored(t, k, half);
	if (op != 0x0d && io && io->image)
		io->image(io->ctx, t->lane, &texel, store, &data);
	if (!store)
		put_result(t, k, &data, half);
}

/*
 * Byte offsets. The buffer's number is in the instruction: Mesa's compiler puts it there by
 * midgard_pack_ubo_index_imm() and leaves bit 0 of the offset, which its disassembler asks for, at 0.
 */
static void uniform_load(struct thread *t, const struct isa_bits *k)
{
	const struct mdsim_io *io = t->s->io;
	struct access a = access_of(md_get(k, ld_op));
	int32_t offset = offset_of(k);
	uint32_t index = ldst_value(t, md_get(k, ld_index_reg), md_get(k, ld_index_comp)) << md_get(k, ld_index_shift);
	uint32_t buffer = md_get(k, ld_arg_comp) | md_get(k, ld_arg_reg) << 2 | md_get(k, ld_wide) << 5 |
			  md_get(k, ld_index_format) << 6;
	union mdsim_reg data = { .u32 = { 0 } };

	index += (uint32_t)(offset >> 2);
	if (io && io->load)
		io->load(io->ctx, t->lane, MDSIM_UNIFORM, buffer, index & ~3u, false, &data);
	if (a.size < 4)
		data.u32[0] = data.u32[0] >> 8 * (index & 3) & (a.size == 1 ? 0xff : 0xffff);
	/* GUESS: what is behind the op's size reads as 0, as of other memory. */
	memset(data.u8 + (a.size < 4 ? 4 : a.size), 0, 16 - (a.size < 4 ? 4u : a.size));
	swap_bytes(data.u8, a.size, a.swap);
	widen_loaded(&data, a);
	put_result(t, k, &data, false);
}

void mdt_ldst(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, ld_op);

	switch (op) {
	case 0x03:
		return;
	case 0x0c: case 0x10 ... 0x13:
		register_op(t, k);
		return;
	case 0x0e:
		cubemap(t, k);
		return;
	case 0x40 ... 0x67:
		atomic_op(t, k);
		return;
	case 0x80 ... 0x93:
		if (!access_of(op).size)
			break;
		global_load(t, k);
		return;
	case 0x94 ... 0x97:
		numbered_load(t, k, MDSIM_ATTRIBUTE);
		return;
	case 0x98 ... 0x9b:
		numbered_load(t, k, MDSIM_VARYING);
		return;
	case 0x9c ... 0x9f:
		numbered_load(t, k, MDSIM_SPECIAL);
		return;
	case 0xa0 ... 0xb3:
		if (!access_of(op).size)
			break;
		uniform_load(t, k);
		return;
	case 0x0d: case 0xb4 ... 0xb7: case 0xd8 ... 0xdb:
		image_op(t, k);
		return;
	case 0xb8 ... 0xba:
		numbered_load(t, k, MDSIM_TILEBUFFER);
		return;
	case 0xc0 ... 0xd3:
		if (!access_of(op).size)
			break;
		global_store(t, k);
		return;
	case 0xd4 ... 0xd7:
		numbered_store(t, k, MDSIM_VARYING);
		return;
	case 0xdc ... 0xdf:
		numbered_store(t, k, MDSIM_SPECIAL);
		return;
	case 0xe8 ... 0xea:
		numbered_store(t, k, MDSIM_TILEBUFFER);
		return;
	}
	t->s->events |= MDSIM_UNKNOWN_OP;
}

/* --- Textures ---------------------------------------------------------------------- */

static float input(const struct isa_bits *k, const union mdsim_reg *in, unsigned int i)
{
	unsigned int c = md_get(k, tex_in_swizzle) >> 2 * i & 3;

	return md_get(k, tex_in_full) ? in->f32[c] : half_to_float(in->u16[c + 4 * md_get(k, tex_in_upper)]);
}

/* In 2x2 threads, lane = quad * 4 + y * 2 + x: the difference within the row or the column. */
static void derivative(const struct thread *t, const struct isa_bits *k, float out[4])
{
	unsigned int step = md_get(k, tex_mode) & 1 ? 2 : 1, low = t->lane & ~step, sel = md_get(k, tex_in_select);

	for (unsigned int i = 0; i < 4; i++)
		out[i] = input(k, &t->inputs[low | step][sel], i) - input(k, &t->inputs[low][sel], i);
}

static void sample(const struct thread *t, const struct isa_bits *k, const float coords[4], float out[4])
{
	const struct mdsim_io *io = t->s->io;
	struct mdsim_sample s = {
		.texture = md_get(k, tex_texture),
		.sampler = md_get(k, tex_sampler),
		.op = md_get(k, tex_op),
		.mode = md_get(k, tex_mode),
		.dimensions = md_get(k, tex_format),
		.lod = (int8_t)md_get(k, tex_bias_int) + md_get(k, tex_bias) / 256.0f,
	};

	memcpy(s.coords, coords, sizeof(s.coords));
	if (!s.dimensions) {
		uint32_t words[2];

		memcpy(words, coords, sizeof(words));
		mdt_cube_direction(words[0] | (uint64_t)words[1] << 32, s.coords);
	}
	if (s.op == 4)
		s.lod = md_get(k, tex_bias);
	if (md_get(k, tex_lod_reg)) {
		unsigned int sel = md_get(k, tex_bias), c = sel >> 3 & 3;
		const union mdsim_reg *r = &t->r[28 + (sel >> 1 & 1)];

		s.lod = sel & 1 ? r->f32[c] : half_to_float(r->u16[c + (sel & 4)]);
	}
	if (io && io->texture)
		io->texture(io->ctx, t->lane, &s, out);
}

void mdt_texture(struct thread *t, const struct isa_bits *k)
{
	unsigned int op = md_get(k, tex_op), swizzle = md_get(k, tex_swizzle), mask = md_get(k, tex_mask);
	const union mdsim_reg *in = &t->r[28 + md_get(k, tex_in_select)];
	float coords[4], colour[4] = { 0, 0, 0, 1 };
	bool full = md_get(k, tex_out_full);
	union mdsim_reg *out;

	if (op == 11)
		return;
	if (op != 1 && op != 2 && op != 4 && op != 10 && op != 13) {
		t->s->events |= MDSIM_UNKNOWN_OP;
		return;
	}
	for (unsigned int i = 0; i < 4; i++)
		coords[i] = input(k, in, i);
	if (op == 13)
		derivative(t, k, colour);
	else if (op == 10)
		memcpy(colour, coords, sizeof(colour));	/* GUESS by its name */
	else
		sample(t, k, coords, colour);
	out = mdt_destination(t, 28 + md_get(k, tex_out_select));
	for (unsigned int i = 0; i < 4; i++) {
		double v = mdt_clamp_float(colour[swizzle >> 2 * i & 3], md_get(k, tex_outmod));

		if (!(mask >> i & 1))
			continue;
		if (full)
			mdt_set_raw(out, i, 32, mdt_from_float(v, 32));
		else
			mdt_set_raw(out, i + (md_get(k, tex_out_upper) ? 4 : 0), 16, mdt_from_float(v, 16));
	}
}
