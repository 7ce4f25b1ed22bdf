// SPDX-License-Identifier: MIT
/*
 * Every load/store, texture and branch row of Midgard: what a row's name says
 * (size, byte order, sign, which kind of thing) against what it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/midgard.h"
#include "sim/midgard.h"
#include "tests/isa/random.h"
#include "tests/sim/midgard_rows.h"
#include "tests/sim/tested.h"

#define LANE	3
#define ADDRESS	0x200000000ull

static struct md_test s;
static uint8_t heap[64];

static struct {
	enum mdsim_kind kind;
	uint32_t index, offset;
	unsigned int mask, loads, stores;
	bool half;
	struct mdsim_texel texel;
	struct mdsim_sample sample;
	union mdsim_reg data;
} seen;

static bool memory(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	if (address < ADDRESS || address - ADDRESS > sizeof(heap) - size)
		return false;
	if (write)
		memcpy(heap + (address - ADDRESS), data, size);
	else
		memcpy(data, heap + (address - ADDRESS), size);
	return true;
}

static void load(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		 union mdsim_reg *out)
{
	seen.kind = kind;
	seen.index = index;
	seen.offset = offset;
	seen.half = half;
	seen.loads++;
	if (kind == MDSIM_UNIFORM)
		memcpy(out, heap + offset, 16);
	else
		*out = seen.data;
}

static void store(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		  const union mdsim_reg *in)
{
	seen.kind = kind;
	seen.index = index;
	seen.mask = mask;
	seen.half = half;
	seen.stores++;
	seen.data = *in;
}

static void image(void *ctx, unsigned int lane, const struct mdsim_texel *texel, bool write, union mdsim_reg *data)
{
	seen.texel = *texel;
	if (write) {
		seen.stores++;
		seen.data = *data;
	} else {
		seen.loads++;
		*data = seen.data;
	}
}

static void texture(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4])
{
	seen.sample = *sample;
	for (int i = 0; i < 4; i++)
		out[i] = 10 + i;
}

static const struct mdsim_io io = {
	.memory = memory, .load = load, .store = store, .image = image, .texture = texture,
};

/* The base address is 64 bits of r26.xy; values are in r27; what is loaded goes to r3. */
static void addressed(const struct isa_op *op, struct isa_bits *k)
{
	bool writes = !strncmp(op->pattern, "ST", 2);

	md_put(k, ld_reg, writes ? 27 : 3);
	md_put(k, ld_arg_reg, 0);
	md_put(k, ld_wide, 1);
	md_put(k, ld_offset, 16);
}

static void random_registers(void)
{
	for (int r = 0; r < 32; r++)
		for (int i = 0; i < 4; i++)
			s.r[LANE][r].u32[i] = random_word();
	s.r[LANE][26].u64[0] = ADDRESS;
	for (size_t i = 0; i < sizeof(heap); i++)
		heap[i] = random_word();
}

static void run(const struct isa_op *op, void (*change)(const struct isa_op *op, struct isa_bits *k))
{
	uint32_t words[16];
	size_t count = md_bundle_of(op, change, words);

	s.io = &io;
	s.events = 0;
	assert_int_equal(md_test_run(&s, words, count, 1 << LANE, 10), SIM_DONE);
	if (s.events)
		fail_msg("%s: events %u", op->pattern, s.events);
	tested_row(&isa_midgard, op);
}

/* Bytes and how many of them are turned round together, after the name: ".u16.be", ".64.bswap4". */
static unsigned int name_size(const char *name, unsigned int *swap)
{
	unsigned int bits = strtoul(name + strcspn(name, "0123456789"), NULL, 10);
	const char *bswap = strstr(name, ".bswap"), *blank = strchr(name, ' ');

	*swap = bswap && bswap < blank ? strtoul(bswap + 6, NULL, 10) :
		strstr(name, ".be ") ? bits / 8 : 1;
	return bits / 8;
}

static void swapped(uint8_t *to, const uint8_t *from, unsigned int size, unsigned int swap)
{
	for (unsigned int i = 0; i < size; i++)
		to[i] = from[i / swap * swap + (swap - 1 - i % swap)];
}

static void check_load(const struct isa_op *op, const uint8_t *from)
{
	unsigned int swap, size = name_size(op->pattern, &swap);
	union mdsim_reg want = { .u32 = { 0 } };

	swapped(want.u8, from, size, swap);
	if (strstr(op->pattern, ".s8 "))
		want.u32[0] = (uint32_t)(int8_t)want.u8[0];
	if (strstr(op->pattern, ".s16"))
		want.u32[0] = (uint32_t)(int16_t)want.u16[0];
	if (memcmp(&s.r[LANE][3], &want, 16))
		fail_msg("%s: 0x%08x 0x%08x, not 0x%08x 0x%08x", op->pattern, s.r[LANE][3].u32[0], s.r[LANE][3].u32[1],
			 want.u32[0], want.u32[1]);
}

static void check_store(const struct isa_op *op)
{
	unsigned int swap, size = name_size(op->pattern, &swap);
	uint8_t before[sizeof(heap)], want[16];

	memcpy(before, heap, sizeof(heap));
	run(op, addressed);
	swapped(want, s.r[LANE][27].u8, size, swap);
	memcpy(before + 16, want, size);
	if (memcmp(heap, before, sizeof(heap)))
		fail_msg("%s stores something else", op->pattern);
}

/* Byte 16 on of uniform buffer 5, at an index of 0. */
static void uniform(const struct isa_op *op, struct isa_bits *k)
{
	md_put(k, ld_reg, 3);
	md_put(k, ld_arg_comp, 5 & 3);
	md_put(k, ld_arg_reg, 5 >> 2);
	md_put(k, ld_offset, 1 | 16 << 2);
}

static bool named(const struct isa_op *op, const char *name)
{
	return !strncmp(op->pattern, name, strlen(name));
}

static void test_memory(void **state)
{
	unsigned int rows = 0;

	random_seed();
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];

		for (int n = 0; n < 20 && op->unit == MD_U_LDST; n++) {
			random_registers();
			if (named(op, "LD.")) {
				run(op, addressed);
				check_load(op, heap + 16);
			} else if (named(op, "ST.")) {
				check_store(op);
			} else if (named(op, "LD_UBO.")) {
				run(op, uniform);
				assert_true(seen.kind == MDSIM_UNIFORM && seen.index == 5 && seen.offset == 16);
				check_load(op, heap + 16);
			} else {
				continue;
			}
			rows += !n;
		}
	}
	assert_int_equal(rows, 17 + 17 + 17);
}

/* --- Atomics ------------------------------------------------------------------------ */

static uint64_t atomic(const char *name, uint64_t old, uint64_t v, uint64_t compare, unsigned int bits)
{
	int64_t a = (int64_t)(old << (64 - bits)), b = (int64_t)(v << (64 - bits));
	bool is_signed = strstr(name, ".s");

	switch (name[0] == 'A' ? name[1] : name[0]) {
	case 'A': return name[2] == 'D' ? old + v : old & v;
	case 'O': return old | v;
	case 'X': return name[0] == 'A' ? old ^ v : v;
	case 'C': return old == compare ? v : old;
	default:
		if (named(&(struct isa_op){ .pattern = name }, "AMIN"))
			return (is_signed ? a < b : old < v) ? old : v;
		return (is_signed ? a > b : old > v) ? old : v;
	}
}

/* The operand, r27.xy, stands where others have a swizzle; CMPXCHG compares with r27.zw. */
static void atomic_operands(const struct isa_op *op, struct isa_bits *k)
{
	addressed(op, k);
	md_put(k, ld_reg, 3);
	md_put(k, ld_mask, strstr(op->pattern, "64") ? 3 : 1);
	md_put(k, ld_swizzle, 1 << 2);
	if (named(op, "CMPXCHG")) {
		md_put(k, ld_index_reg, 1);
		md_put(k, ld_index_comp, 2);
	}
}

static uint64_t number(const uint8_t *p, unsigned int bytes, bool big)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < bytes; i++)
		v |= (uint64_t)p[big ? bytes - 1 - i : i] << 8 * i;
	return v;
}

static void test_atomics(void **state)
{
	unsigned int rows = 0;

	random_seed();
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];

		if (op->unit != MD_U_LDST || op->match[0].value < 0x40 || op->match[0].value > 0x67)
			continue;
		rows++;
		for (int n = 0; n < 60; n++) {
			unsigned int bytes = strstr(op->pattern, "64") ? 8 : 4;
			bool big = strstr(op->pattern, ".be ");
			uint64_t old, got, want, v, compare;

			random_registers();
			old = number(heap + 16, bytes, big);
			if (n & 1)	/* what CMPXCHG finds */
				memcpy(&s.r[LANE][27].u32[2], &old, 8);
			v = bytes == 8 ? s.r[LANE][27].u64[0] : s.r[LANE][27].u32[0];
			compare = bytes == 8 ? s.r[LANE][27].u64[1] : s.r[LANE][27].u32[2];
			run(op, atomic_operands);
			want = atomic(op->pattern, old, v, compare, 8 * bytes);
			got = number(heap + 16, bytes, big);
			if (got != (bytes == 4 ? (uint32_t)want : want) ||
			    (bytes == 4 ? s.r[LANE][3].u32[0] : s.r[LANE][3].u64[0]) != old)
				fail_msg("%s of 0x%llx and 0x%llx: 0x%llx", op->pattern, (unsigned long long)old,
					 (unsigned long long)v, (unsigned long long)got);
		}
	}
	assert_int_equal(rows, 40);
}

/* --- What goes by number --------------------------------------------------------------- */

/* Number 7 + r26.z; images at r26.w and, of 64 bits, behind it. */
static void by_number(const struct isa_op *op, struct isa_bits *k)
{
	md_put(k, ld_reg, named(op, "ST") ? 27 : 3);
	md_put(k, ld_index_reg, 0);
	md_put(k, ld_index_comp, 2);
	md_put(k, ld_offset, 7 << 9);
	md_put(k, ld_arg_reg, 0);
	md_put(k, ld_arg_comp, 3);
}

/* Which kind a name has; -1: it is an image, -2: none of them. */
static int kind_of(const struct isa_op *op)
{
	static const struct { const char *name; int kind; } kinds[] = {
		{ "LD_ATTR", MDSIM_ATTRIBUTE }, { "LD_VARY", MDSIM_VARYING }, { "ST_VARY", MDSIM_VARYING },
		{ "LD_SPECIAL", MDSIM_SPECIAL }, { "ST_SPECIAL", MDSIM_SPECIAL }, { "LD_TILEBUFFER", MDSIM_TILEBUFFER },
		{ "ST_TILEBUFFER", MDSIM_TILEBUFFER }, { "LD_IMAGE", -1 }, { "ST_IMAGE", -1 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (named(op, kinds[i].name))
			return kinds[i].kind;
	return -2;
}

static void check_image(const struct isa_op *op, uint32_t index)
{
	static const char *const types[] = { ".f32", ".f16", ".u32", ".s32" };

	assert_int_equal(seen.texel.image, index);
	assert_int_equal(seen.texel.coords[0], s.r[LANE][26].u16[6]);
	assert_int_equal(seen.texel.coords[1], s.r[LANE][26].u16[7]);
	assert_non_null(strstr(op->pattern, types[seen.texel.type]));
}

static void test_numbered(void **state)
{
	unsigned int rows = 0;

	random_seed();
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];
		bool half = strstr(op->pattern, ".f16"), writes = named(op, "ST");
		union mdsim_reg sent;
		int kind = kind_of(op);
		uint32_t index;

		if (op->unit != MD_U_LDST || kind == -2)
			continue;
		rows++;
		random_registers();
		memset(&seen, 0, sizeof(seen));
		for (int c = 0; c < 4; c++)
			seen.data.u32[c] = random_word();
		s.r[LANE][26].u32[2] = 5;
		sent = writes ? s.r[LANE][27] : seen.data;
		index = kind == MDSIM_TILEBUFFER ? writes ? 0 : 2 : 12;	/* what is stored is the first target's */
		run(op, by_number);
		assert_int_equal(seen.stores, writes);
		assert_int_equal(seen.loads, !writes);
		if (kind == -1)
			check_image(op, index);
		else if (seen.kind != (enum mdsim_kind)kind || seen.index != index || seen.half != half)
			fail_msg("%s: kind %d, index %u", op->pattern, seen.kind, seen.index);
		if (memcmp(writes ? &seen.data : &s.r[LANE][3], &sent, half ? 8 : 16))
			fail_msg("%s: other data", op->pattern);
	}
	assert_int_equal(rows, 4 + 4 + 4 + 4 + 4 + 3 + 3 + 4 + 4);
}

/* --- Registers ------------------------------------------------------------------------------ */

static void from_r27(const struct isa_op *op, struct isa_bits *k)
{
	md_put(k, ld_reg, 3);
	md_put(k, ld_arg_reg, 1);
	md_put(k, ld_wide, 1);
}

static const struct isa_op *row_of(unsigned int unit, unsigned int code)
{
	for (unsigned int i = 0; i < isa_midgard.op_count; i++)
		if (isa_midgard.ops[i].unit == unit && isa_midgard.ops[i].match[0].width &&
		    isa_midgard.ops[i].match[0].value == code)
			return &isa_midgard.ops[i];
	fail_msg("no row of unit %u has code 0x%x", unit, code);
	return NULL;
}

static void test_registers(void **state)
{
	random_seed();
	random_registers();
	run(row_of(MD_U_LDST, 0x10), from_r27);
	assert_memory_equal(&s.r[LANE][3], &s.r[LANE][27], 16);
	for (unsigned int by = 1; by < 4; by++) {
		s.r[LANE][27] = (union mdsim_reg){ .f32 = { 8, 2, 4, 16 } };
		run(row_of(MD_U_LDST, 0x10 + by), from_r27);
		for (int i = 0; i < 4; i++)
			assert_true(s.r[LANE][3].f32[i] == s.r[LANE][27].f32[i] / s.r[LANE][27].f32[by]);
	}
	random_registers();
	s.r[LANE][3] = s.r[LANE][27];
	run(row_of(MD_U_LDST, 0x03), NULL);
	assert_memory_equal(&s.r[LANE][3], &s.r[LANE][27], 16);
}

/* --- Textures ------------------------------------------------------------------------------ */

static void texture_fields(const struct isa_op *op, struct isa_bits *k)
{
	md_put(k, tex_format, 3);
	md_put(k, tex_texture, 4);
	md_put(k, tex_sampler, 6);
	md_put(k, tex_bias_int, op->match[0].value == 4 ? 0 : 2);
	md_put(k, tex_bias, op->match[0].value == 4 ? 2 : 128);
	md_put(k, tex_out_select, 1);
}

static void test_textures(void **state)
{
	for (unsigned int code = 1; code <= 4; code *= 2) {
		memset(&seen, 0, sizeof(seen));
		s.r[LANE][28] = (union mdsim_reg){ .f32 = { 1, 2, 3, 4 } };
		if (code == 4)	/* texels are counted */
			s.r[LANE][28] = (union mdsim_reg){ .u32 = { 1, 2, 3, 4 } };
		run(row_of(MD_U_TEX, code), texture_fields);
		assert_int_equal(seen.sample.op, code);
		assert_true(seen.sample.texture == 4 && seen.sample.sampler == 6 && seen.sample.dimensions == 3);
		assert_true(seen.sample.coords[2] == 3 && seen.sample.lod == (code == 4 ? 2 : 2.5f));
		assert_true(s.r[LANE][29].f32[0] == 10 && s.r[LANE][29].f32[3] == 13);
	}
	run(row_of(MD_U_TEX, 10), texture_fields);
	assert_memory_equal(&s.r[LANE][29], &s.r[LANE][28], 16);
	s.r[LANE][29] = (union mdsim_reg){ .f32 = { 5, 6, 7, 8 } };
	run(row_of(MD_U_TEX, 11), NULL);
	assert_true(s.r[LANE][29].f32[0] == 5);
}

/* --- Branches ------------------------------------------------------------------------------- */

static unsigned int condition;

static void branch_fields(const struct isa_op *op, struct isa_bits *k)
{
	if (op->unit == MD_U_BRANCHX)
		md_put(k, brx_cond, condition * 0x5555);
	else if (op->match[0].value != 1)
		md_put(k, br_cond, condition);
}

/* Where one bundle with that branch ends: it leads to itself, and two steps are allowed. */
enum end { ENDS, REPEATS, DISCARDS, WRITES };

static void back(const struct isa_op *op, struct isa_bits *k)
{
	branch_fields(op, k);
	md_put(k, br_tag, MD_ALU);	/* where it is in all three */
	if (op->unit == MD_U_BRANCHX)
		md_put(k, brx_offset, 0x7fffff);
	else if (op->match[0].value == 1)
		md_put(k, bru_offset, 0x7f);
	else
		md_put(k, br_offset, 0x7f);
}

static void test_branches(void **state)
{
	static const struct { unsigned int code, condition; bool r31; enum end end; } rows[] = {
		{ 1, 3, false, REPEATS }, { 2, 3, false, REPEATS }, { 2, 0, true, ENDS },
		{ 2, 2, true, REPEATS }, { 2, 2, false, ENDS }, { 2, 1, false, REPEATS }, { 2, 1, true, ENDS },
		{ 4, 2, true, DISCARDS }, { 4, 2, false, ENDS }, { 6, 3, true, ENDS }, { 7, 3, true, WRITES },
	};

	for (unsigned int unit = MD_U_BRANCH; unit <= MD_U_BRANCHX; unit++) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			const struct isa_op *op = row_of(unit, rows[i].code);
			uint32_t words[16];
			enum sim_status status;
			size_t count;

			condition = rows[i].condition;
			count = md_bundle_of(op, back, words);
			s.events = s.discarded = s.written = 0;
			s.r[LANE][31].u32[3] = rows[i].r31 ? ~0u : 0;
			status = md_test_run(&s, words, count, 1 << LANE, 2);
			assert_int_equal(s.events, 0);
			assert_int_equal(status, rows[i].end == REPEATS ? SIM_LIMIT : SIM_DONE);
			assert_int_equal(s.discarded, rows[i].end == DISCARDS ? 1 << LANE : 0);
			assert_int_equal(s.written, rows[i].end == WRITES ? 1 << LANE : 0);
			tested_row(&isa_midgard, op);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_numbered),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_textures),
		cmocka_unit_test(test_branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
