// SPDX-License-Identifier: MIT
/*
 * Midgard: loads and stores, textures. What operands mean: Mesa src/panfrost/midgard: midgard.h, disassemble.c,
 * midgard_compile.c, midgard_emit.c. A unit's function runs all lanes; what it asks of memory goes lane by lane.
 */
#include <string.h>

#include "isa/half.h"
#include "sim/midgard_code.h"

#define EACH_LANE(t, lane) (unsigned int lane = 0; lane < SIM_LANES; lane++) if ((t)->lanes >> lane & 1)

/* --- Registers ------------------------------------------------------------------------- */

/* What the load/store unit's registers name: r26, r27, or what the GPU knows of the thread. */
static const v8u *unit_reg(const struct md_run *t, unsigned int reg)
{
	static const v8u zero[4];

	return reg < 2 ? t->s->r[26 + reg] : reg < 7 ? t->s->special[reg - 2] : zero;
}

/* Of two components, from comp on; the register's last component has no second half. */
static uint64_t wide(const v8u *r, unsigned int comp, unsigned int lane)
{
	return r[comp][lane] | (comp < 3 ? (uint64_t)r[comp + 1][lane] << 32 : 0);
}

static int32_t offset_of(const struct md_mem *k)
{
	return (int32_t)(md_get(&k->bits, ld_offset) << 14) >> 14;
}

static uint32_t index_of(const struct md_run *t, const struct md_mem *k, unsigned int lane)
{
	return unit_reg(t, md_get(&k->bits, ld_index_reg))[md_get(&k->bits, ld_index_comp)][lane] << md_get(&k->bits, ld_index_shift);
}

/* Index register, shifted, plus the number in the instruction: of attributes, varyings, images, special values. */
static uint32_t number_of(const struct md_run *t, const struct md_mem *k, unsigned int lane)
{
	return index_of(t, k, lane) + (uint32_t)(offset_of(k) >> 9);
}

static uint64_t address_of(const struct md_run *t, const struct md_mem *k, unsigned int lane)
{
	const v8u *r = unit_reg(t, md_get(&k->bits, ld_arg_reg)), *i = unit_reg(t, md_get(&k->bits, ld_index_reg));
	unsigned int comp = md_get(&k->bits, ld_arg_comp), index_comp = md_get(&k->bits, ld_index_comp);
	uint64_t base = md_get(&k->bits, ld_wide) ? wide(r, comp, lane) : r[comp][lane], index;

	switch (md_get(&k->bits, ld_index_format)) {
	case 1:
		index = wide(i, index_comp, lane);
		break;
	case 3:
		index = (uint64_t)(int32_t)i[index_comp][lane];
		break;
	default:	/* GUESS: 0, reserved, is as 2 */
		index = i[index_comp][lane];
	}
	if (k->op->props & MD_P_COMPARES)
		index = 0;
	return base + (index << md_get(&k->bits, ld_index_shift)) + (uint64_t)(int64_t)offset_of(k);
}

static void set_component(union mdsim_reg *r, unsigned int i, bool half, uint32_t v)
{
	if (half)
		r->u16[i] = v;
	else
		r->u32[i] = v;
}

static uint32_t component(const union mdsim_reg *r, unsigned int i, bool half)
{
	return half ? r->u16[i] : r->u32[i];
}

/* To components of the register, or halves of them: half. */
static void put_component(struct md_write *w, unsigned int i, bool half, unsigned int lane, uint32_t v)
{
	unsigned int shift = half ? i % 2 * 16 : 0, c = half ? i / 2 : i;
	uint32_t mask = (half ? 0xffffu : ~0u) << shift;

	w->bits[c] |= mask;
	w->value[c][lane] = (w->value[c][lane] & ~mask) | (v << shift & mask);
}

/* Through mask and swizzle. */
static void put_result(const struct md_mem *k, struct md_write *w, unsigned int lane, const union mdsim_reg *data, bool half)
{
	unsigned int mask = md_get(&k->bits, ld_mask), swizzle = md_get(&k->bits, ld_swizzle);

	w->reg = md_written(md_get(&k->bits, ld_reg));
	for (unsigned int i = 0; i < 4; i++)
		if (mask >> i & 1)
			put_component(w, i, half, lane, component(data, swizzle >> 2 * i & 3, half));
}

/* What is stored, swizzled: bit 0 of the register's number chooses r26 or r27. */
static union mdsim_reg stored(const struct md_run *t, const struct md_mem *k, unsigned int lane, bool half)
{
	union mdsim_reg from = mdsim_get(t->s, lane, 26 + (md_get(&k->bits, ld_reg) & 1)), data = { .u32 = { 0 } };

	for (unsigned int i = 0; i < 4; i++)
		set_component(&data, i, half, component(&from, md_get(&k->bits, ld_swizzle) >> 2 * i & 3, half));
	return data;
}

static bool is_half(const struct md_mem *k)
{
	return MD_TYPE_OF(k->op->props) == MDSIM_F16;
}

/* --- Memory --------------------------------------------------------------------------------- */

/* Bytes in units of swap turned round. */
static void swap_bytes(void *data, unsigned int size, unsigned int swap)
{
	uint8_t *p = data;

	for (unsigned int i = 0; swap > 1 && i + swap <= size; i += swap) {
		for (unsigned int k = 0; k < swap / 2; k++) {
			uint8_t v = p[i + k];

			p[i + k] = p[i + swap - 1 - k];
			p[i + swap - 1 - k] = v;
		}
	}
}

static void access_memory(struct md_run *t, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	const struct mdsim_io *io = t->s->io;

	if (!io || !io->memory || !io->memory(io->ctx, lane, address, data, size, write)) {
		t->s->events |= MDSIM_MEMORY;
		if (!write)
			memset(data, 0, size);
	}
}

/* Byte order and sign of what was loaded. */
static void put_loaded(const struct md_mem *k, struct md_write *w, unsigned int lane, union mdsim_reg *data)
{
	unsigned int size = MD_BYTES_OF(k->op->props), unused = 32 - 8 * size;

	swap_bytes(data, size, MD_SWAP_OF(k->op->props));
	if (k->op->props & MD_P_SIGNED)
		data->u32[0] = (uint32_t)((int32_t)(data->u32[0] << unused) >> unused);
	put_result(k, w, lane, data, false);
}

static void unit_LD(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	for EACH_LANE(t, lane) {
		union mdsim_reg data = { .u32 = { 0 } };

		access_memory(t, lane, address_of(t, k, lane), &data, MD_BYTES_OF(k->op->props), false);
		put_loaded(k, w, lane, &data);
	}
}

/* A bit of the mask is a byte of 32 bits and less, two of 64, four of 128 (Mesa midgard_pack_common_store_mask()). */
static void unit_ST(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	unsigned int size = MD_BYTES_OF(k->op->props), each = size > 4 ? size / 4 : 1;

	for EACH_LANE(t, lane) {
		union mdsim_reg data = stored(t, k, lane, false);
		uint64_t address = address_of(t, k, lane);

		swap_bytes(&data, size, MD_SWAP_OF(k->op->props));
		for (unsigned int i = 0; i < size; i += each)
			if (md_get(&k->bits, ld_mask) >> i / each & 1)
				access_memory(t, lane, address + i, data.u8 + i, each, true);
	}
}

/* Atomic ops: what memory gets of what it had, the operand and, for CMPXCHG, what is compared with. */
#define ATOMS(X) \
	X(AADD, old + v) X(AAND, old & v) X(AOR, old | v) X(AXOR, old ^ v) X(XCHG, v) X(CMPXCHG, old == compare ? v : old) \
	X(ASMIN, a < b ? old : v) X(ASMAX, a > b ? old : v) X(AUMIN, old < v ? old : v) X(AUMAX, old > v ? old : v)

static void atomic(struct md_run *t, const struct md_mem *k, struct md_write *w,
		   uint64_t (*update)(uint64_t old, uint64_t v, uint64_t compare, int64_t a, int64_t b))
{
	unsigned int size = MD_BYTES_OF(k->op->props), unused = 64 - 8 * size, from = md_get(&k->bits, ld_swizzle);
	unsigned int mask = md_get(&k->bits, ld_mask), first = mask ? (unsigned int)__builtin_ctz(mask) : 4;

	w->reg = md_written(md_get(&k->bits, ld_reg));
	for EACH_LANE(t, lane) {
		uint64_t address = address_of(t, k, lane), old = 0, new;
		/* The operand stands where others have a swizzle, what is compared where they have an index. */
		uint64_t v = wide(unit_reg(t, from >> 2 & 7), from & 3, lane) << unused;
		uint64_t compare = wide(unit_reg(t, md_get(&k->bits, ld_index_reg)), md_get(&k->bits, ld_index_comp), lane) << unused;

		access_memory(t, lane, address, &old, size, false);
		swap_bytes(&old, size, MD_SWAP_OF(k->op->props));
		new = update(old, v >> unused, compare >> unused, (int64_t)(old << unused), (int64_t)v);
		swap_bytes(&new, size, MD_SWAP_OF(k->op->props));
		access_memory(t, lane, address, &new, size, true);
		/* The old value goes to the first component of the mask. */
		if (first < 4)
			put_component(w, first, false, lane, old);
		if (first < 3 && size == 8)
			put_component(w, first + 1, false, lane, old >> 32);
	}
}

#define X(id, e) \
	static uint64_t update_##id(uint64_t old, uint64_t v, uint64_t compare, int64_t a, int64_t b) \
	{ \
		return e; \
	} \
	static void unit_##id(struct md_run *t, const struct md_mem *k, struct md_write *w) \
	{ \
		atomic(t, k, w, update_##id); \
	}
ATOMS(X)
#undef X

/*
 * Byte offsets. The buffer's number is in the instruction: Mesa's compiler puts it there by
 * midgard_pack_ubo_index_imm() and leaves bit 0 of the offset, which its disassembler asks for, at 0.
 */
static void unit_LD_UBO(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	const struct mdsim_io *io = t->s->io;
	uint32_t buffer = isa_operand_get(isa_operand_of(&isa_midgard, k->op, 'U'), &k->bits);
	unsigned int size = MD_BYTES_OF(k->op->props);

	for EACH_LANE(t, lane) {
		uint32_t at = index_of(t, k, lane) + (uint32_t)(offset_of(k) >> 2);
		union mdsim_reg data = { .u32 = { 0 } };

		if (io && io->load)
			io->load(io->ctx, lane, MDSIM_UNIFORM, buffer, at & ~3u, false, &data);
		if (size < 4)
			data.u32[0] = data.u32[0] >> 8 * (at & 3) & (size == 1 ? 0xff : 0xffff);
		/* GUESS: what is behind the op's size reads as 0, as of other memory. */
		memset(data.u8 + (size < 4 ? 4 : size), 0, 16 - (size < 4 ? 4u : size));
		put_loaded(k, w, lane, &data);
	}
}

/* --- Results that come from registers alone ------------------------------------------------------ */

static void unit_NOP(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
}

static void unit_LEA(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	for EACH_LANE(t, lane) {
		union mdsim_reg data = { .u64 = { address_of(t, k, lane) } };

		put_result(k, w, lane, &data, false);
	}
}

/* The argument, swizzled, of 32-bit or half components. */
static union mdsim_reg argument(const struct md_run *t, const struct md_mem *k, unsigned int lane, bool half)
{
	const v8u *r = unit_reg(t, md_get(&k->bits, ld_arg_reg));
	union mdsim_reg from = { .u32 = { r[0][lane], r[1][lane], r[2][lane], r[3][lane] } }, data = { .u32 = { 0 } };

	for (unsigned int i = 0; i < 4; i++)
		set_component(&data, i, half, component(&from, md_get(&k->bits, ld_swizzle) >> 2 * i & 3, half));
	return data;
}

static void put_masked(const struct md_mem *k, struct md_write *w, unsigned int lane, const union mdsim_reg *data, bool half)
{
	w->reg = md_written(md_get(&k->bits, ld_reg));
	for (unsigned int i = 0; i < 4; i++)
		if (md_get(&k->bits, ld_mask) >> i & 1)
			put_component(w, i, half, lane, component(data, i, half));
}

static void unit_LDST_MOV(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	for EACH_LANE(t, lane) {
		union mdsim_reg data = argument(t, k, lane, false);

		put_masked(k, w, lane, &data, false);
	}
}

static void as_floats(const union mdsim_reg *r, bool half, float v[4])
{
	for (unsigned int i = 0; i < 4; i++)
		v[i] = half ? half_to_float(r->u16[i]) : r->f32[i];
}

static void from_floats(const float v[4], bool half, union mdsim_reg *r)
{
	for (unsigned int i = 0; i < 4; i++) {
		if (half)
			r->u16[i] = half_from_float(v[i]);
		else
			r->f32[i] = v[i];
	}
}

/* GUESS: all components are divided, also the divisor. */
static void unit_PERSPECTIVE(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	bool half = !md_get(&k->bits, ld_wide);

	for EACH_LANE(t, lane) {
		const v8u *r = unit_reg(t, md_get(&k->bits, ld_arg_reg));
		union mdsim_reg data = argument(t, k, lane, half), from = { .u32 = { r[0][lane], r[1][lane], r[2][lane], r[3][lane] } };
		float v[4], all[4];

		as_floats(&data, half, v);
		as_floats(&from, half, all);
		for (unsigned int i = 0; i < 4; i++)
			v[i] /= all[MD_TYPE_OF(k->op->props)];
		from_floats(v, half, &data);
		put_masked(k, w, lane, &data, half);
	}
}

/* GUESS on the swizzle, that it picks the source's components as it does for other ops. */
static void unit_CUBEMAP(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	bool half = !md_get(&k->bits, ld_wide);

	for EACH_LANE(t, lane) {
		union mdsim_reg data = argument(t, k, lane, half);
		float v[4];

		as_floats(&data, half, v);
		data = (union mdsim_reg){ .u64 = { md_cube_descriptor(v) } };
		put_masked(k, w, lane, &data, false);
	}
}

/* --- Attributes, varyings, special values, the tile buffer: by number --------------------------------- */

/*
 * What Mesa's enum midgard_varying_modifier does to a varying as it is loaded:
 * all components divided by one (GUESS: that one too), or a cube map's descriptor.
 */
static void modify_varying(unsigned int modifier, bool half, union mdsim_reg *data)
{
	float v[4], by;

	as_floats(data, half, v);
	if (modifier == 4) {
		data->u64[0] = md_cube_descriptor(v);
	} else if (modifier && modifier < 4) {
		by = v[modifier];
		for (unsigned int i = 0; i < 4; i++)
			v[i] /= by;
		from_floats(v, half, data);
	}
}

static void load_numbered(struct md_run *t, const struct md_mem *k, struct md_write *w, enum mdsim_kind kind)
{
	const struct mdsim_io *io = t->s->io;
	unsigned int modifier = kind == MDSIM_VARYING ? (unsigned int)offset_of(k) & 7 : 0;
	bool half = is_half(k);

	for EACH_LANE(t, lane) {
		union mdsim_reg data = { .u32 = { 0 } };

		if (io && io->load)
			io->load(io->ctx, lane, kind, kind == MDSIM_TILEBUFFER ? 0 : number_of(t, k, lane), 0, half, &data);
		modify_varying(modifier, half, &data);
		/* GUESS: a descriptor is of 32-bit words, whatever the varying is. */
		put_result(k, w, lane, &data, half && modifier != 4);
	}
}

/* GUESS for ST_SPECIAL and ST_TILEBUFFER, after their names: what LD_SPECIAL and LD_TILEBUFFER read is written. */
static void store_numbered(struct md_run *t, const struct md_mem *k, enum mdsim_kind kind)
{
	const struct mdsim_io *io = t->s->io;

	for EACH_LANE(t, lane) {
		union mdsim_reg data = stored(t, k, lane, is_half(k));

		if (io && io->store)
			io->store(io->ctx, lane, kind, kind == MDSIM_TILEBUFFER ? 0 : number_of(t, k, lane),
				  md_get(&k->bits, ld_mask), is_half(k), &data);
	}
}

#define LOADS(id, kind) \
	static void unit_##id(struct md_run *t, const struct md_mem *k, struct md_write *w) { load_numbered(t, k, w, kind); }
#define STORES(id, kind) \
	static void unit_##id(struct md_run *t, const struct md_mem *k, struct md_write *w) { store_numbered(t, k, kind); }
LOADS(LD_ATTR, MDSIM_ATTRIBUTE)
LOADS(LD_VARY, MDSIM_VARYING)
LOADS(LD_SPECIAL, MDSIM_SPECIAL)
LOADS(LD_TILEBUFFER, MDSIM_TILEBUFFER)
STORES(ST_VARY, MDSIM_VARYING)
STORES(ST_SPECIAL, MDSIM_SPECIAL)
STORES(ST_TILEBUFFER, MDSIM_TILEBUFFER)

/* Images: coordinates are 16-bit numbers in the argument register, two or, with 64 bits, four (Mesa emit_image_op()). */
static struct mdsim_texel texel_of(const struct md_run *t, const struct md_mem *k, unsigned int lane)
{
	uint64_t where = wide(unit_reg(t, md_get(&k->bits, ld_arg_reg)), md_get(&k->bits, ld_arg_comp), lane);

	if (!md_get(&k->bits, ld_wide))
		where = (uint32_t)where;
	return (struct mdsim_texel){
		.image = number_of(t, k, lane),
		.coords = { where, where >> 16, where >> 32, where >> 48 },
		.type = (enum mdsim_type)MD_TYPE_OF(k->op->props),
		.mask = md_get(&k->bits, ld_mask),
	};
}

static void unit_LEA_IMAGE(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	const struct mdsim_io *io = t->s->io;

	for EACH_LANE(t, lane) {
		struct mdsim_texel texel = texel_of(t, k, lane);
		union mdsim_reg data = { .u64 = { io && io->image_address ? io->image_address(io->ctx, lane, &texel) : 0 } };

		put_result(k, w, lane, &data, false);
	}
}

static void unit_LD_IMAGE(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	const struct mdsim_io *io = t->s->io;

	for EACH_LANE(t, lane) {
		struct mdsim_texel texel = texel_of(t, k, lane);
		union mdsim_reg data = { .u32 = { 0 } };

		if (io && io->image)
			io->image(io->ctx, lane, &texel, false, &data);
		put_result(k, w, lane, &data, is_half(k));
	}
}

static void unit_ST_IMAGE(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	const struct mdsim_io *io = t->s->io;

	for EACH_LANE(t, lane) {
		struct mdsim_texel texel = texel_of(t, k, lane);
		union mdsim_reg data = stored(t, k, lane, is_half(k));

		if (io && io->image)
			io->image(io->ctx, lane, &texel, true, &data);
	}
}

/* --- Textures ---------------------------------------------------------------------------------------- */

/* A component of AT0 or AT1, all of it or a half: as bits. */
static v8u texture_input(const struct md_run *t, unsigned int select, unsigned int c, bool full, bool upper)
{
	const v8u *r = t->s->r[MDSIM_AT0 + select];

	return full ? r[c] : r[(c + 4 * upper) / 2] >> c % 2 * 16 & 0xffff;
}

/* Mesa's midgard_tex_register_select: full, select, upper, component. */
static v8u selected(const struct md_run *t, unsigned int v)
{
	return texture_input(t, v >> 1 & 1, v >> 3 & 3, v & 1, v >> 2 & 1);
}

static v8u coordinate(const struct md_run *t, const struct md_mem *k, unsigned int i)
{
	unsigned int full = md_get(&k->bits, tex_in_full);
	v8u v = texture_input(t, md_get(&k->bits, tex_in_select), md_get(&k->bits, tex_in_swizzle) >> 2 * i & 3, full,
			      md_get(&k->bits, tex_in_upper));

	return full || k->op->id == MD_OP_TEX_FETCH ? v : (v8u)md_half_to_float(v);
}

static void put_texture(const struct md_mem *k, struct md_write *w, const v8f out[4])
{
	bool upper = md_get(&k->bits, tex_out_upper), real = md_get(&k->bits, tex_sampler_type) == 1, full = md_get(&k->bits, tex_out_full);

	w->reg = 28 + md_get(&k->bits, tex_out_select);
	for (unsigned int i = 0; i < 4; i++) {
		v8f v = out[md_get(&k->bits, tex_swizzle) >> 2 * i & 3];
		v8u bits;

		if (!(md_get(&k->bits, tex_mask) >> i & 1))
			continue;
		if (real)
			v = md_clamp(v, md_get(&k->bits, tex_outmod));
		bits = full || !real ? (v8u)v : md_float_to_half(v, 0);
		for (unsigned int lane = 0; lane < SIM_LANES; lane++)
			put_component(w, i + (upper && !full ? 4 : 0), !full, lane, bits[lane]);
	}
}

/* In 2x2 threads, lane = quad * 4 + y * 2 + x: the difference within the row or the column. */
static void unit_DERIVATIVE(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	unsigned int step = md_get(&k->bits, tex_mode) & 1 ? 2 : 1;
	v8f out[4];

	for (unsigned int i = 0; i < 4; i++) {
		v8f v = (v8f)coordinate(t, k, i);

		out[i] = V8_EACH(v[lane | (int)step] - v[lane & ~(int)step]);
	}
	put_texture(k, w, out);
}

/* GUESS by its name. */
static void unit_TEX_MOV(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	v8f out[4];

	for (unsigned int i = 0; i < 4; i++)
		out[i] = (v8f)coordinate(t, k, i);
	put_texture(k, w, out);
}

/* Number or register of a texture or sampler. */
static v8u handle(const struct md_run *t, bool reg, uint32_t v)
{
	return reg ? selected(t, v) : (v8u){ 0 } + v;
}

/* Texels that are added to coordinates: three numbers of four bits, or integers of a register with a swizzle. */
static v8i texel_offset(const struct md_run *t, const struct md_mem *k, unsigned int i)
{
	uint32_t v = md_get(&k->bits, tex_offset);

	if (!md_get(&k->bits, tex_offset_reg))
		return (v8i){ 0 } + ((int32_t)(v << (28 - 4 * i)) >> 28);
	return (v8i)texture_input(t, v >> 1 & 1, v >> (3 + 2 * i) & 3, v & 1, v >> 2 & 1);
}

static void unit_TEX(struct md_run *t, const struct md_mem *k, struct md_write *w)
{
	const struct mdsim_io *io = t->s->io;
	bool fetch = k->op->id == MD_OP_TEX_FETCH;
	v8u texture = handle(t, md_get(&k->bits, tex_texture_reg), md_get(&k->bits, tex_texture));
	v8u sampler = handle(t, md_get(&k->bits, tex_sampler_reg), md_get(&k->bits, tex_sampler));
	v8f out[4], lod = v8_splat((int8_t)md_get(&k->bits, tex_bias_int) + md_get(&k->bits, tex_bias) / 256.0f);
	v8u level = selected(t, md_get(&k->bits, tex_bias)), coords[4];
	v8i offset[3];

	if (!md_get(&k->bits, tex_lod_reg))
		lod = fetch ? v8_splat(md_get(&k->bits, tex_bias)) : lod;
	else if (fetch)
		lod = __builtin_convertvector((v8i)level, v8f);
	else
		lod = md_get(&k->bits, tex_bias) & 1 ? (v8f)level : md_half_to_float(level);
	for (unsigned int i = 0; i < 4; i++)
		coords[i] = coordinate(t, k, i);
	for (unsigned int i = 0; i < 3; i++)
		offset[i] = texel_offset(t, k, i);
	for EACH_LANE(t, lane) {
		struct mdsim_sample s = { texture[lane], sampler[lane], k->op->match[0].value, md_get(&k->bits, tex_mode),
					  md_get(&k->bits, tex_format), .lod = lod[lane] };
		float texel[4] = { 0, 0, 0, 1 };

		for (unsigned int i = 0; i < 4; i++)
			s.coords[i] = fetch ? (float)(int32_t)coords[i][lane] : ((v8f)coords[i])[lane];
		for (unsigned int i = 0; i < 3; i++)
			s.offset[i] = offset[i][lane];
		s.reference = s.coords[2];
		if (!s.dimensions)
			md_cube_direction(coords[0][lane] | (uint64_t)coords[1][lane] << 32, s.coords);
		if (io && io->texture)
			io->texture(io->ctx, lane, &s, texel);
		for (unsigned int i = 0; i < 4; i++)
			out[i][lane] = texel[i];
	}
	put_texture(k, w, out);
}

md_unit *md_unit_of(const struct isa_op *op)
{
	static md_unit *const units[MD_OPS] = {
#define unit_NONE NULL
#define LDST(id, code, pattern, sem, props, why, note) [MD_OP_##id] = unit_##sem,
#define TEX(id, code, pattern, sem, why, note) [MD_OP_##id] = unit_##sem,
#include "isa/midgard_ops.inc"
	};

	return units[op->id];
}
