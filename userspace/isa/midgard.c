// SPDX-License-Identifier: MIT
/*
 * Midgard: the table, and bundles taken apart and put together.
 *
 * Facts: seed 003; Mesa src/panfrost/midgard/midgard.h (codes, names, fields),
 * midgard_ops.c. Seed and Mesa agree on the codes that the seed has; its
 * "output modifier 2" is the clamp to [-1, 1], and 0xac, 0xb0 load from
 * uniform buffers.
 */
#include <string.h>

#include "isa/midgard.h"

const uint8_t md_bits[MD_BLOCKS] = { 32, 64, 48, 64, 48, 64, 16, 48, 128, 60, 60, 128 };
const char *const md_block_names[MD_BLOCKS] = {
	"ctrl", "vmul", "sadd", "vadd", "smul", "lut", "br", "brx", "uconstants", "ld", "ld", "tex",
};

#define X(form, name, lo, width, reset, note) { #name, lo, width, reset, note },
static const struct isa_field ctrl_fields[] = { MD_CTRL_FIELDS(X) };
static const struct isa_field vec_fields[] = { MD_VEC_FIELDS(X) };
static const struct isa_field scalar_fields[] = { MD_SCALAR_FIELDS(X) };
static const struct isa_field br_fields[] = { MD_BR_FIELDS(X) };
static const struct isa_field bru_fields[] = { MD_BRU_FIELDS(X) };
static const struct isa_field brx_fields[] = { MD_BRX_FIELDS(X) };
static const struct isa_field ldst_fields[] = { MD_LDST_FIELDS(X) };
static const struct isa_field tex_fields[] = { MD_TEX_FIELDS(X) };
#undef X

#define FORM(name, block, fields) { name, block, fields, sizeof(fields) / sizeof(fields[0]) }
/* A form's block is the first of those that it describes. */
static const struct isa_form forms[MD_FORMS] = {
	[MD_F_CTRL] = FORM("ctrl", MD_B_CTRL, ctrl_fields),
	[MD_F_VEC] = FORM("vec", MD_B_VMUL, vec_fields),
	[MD_F_SCALAR] = FORM("sca", MD_B_SADD, scalar_fields),
	[MD_F_BR] = FORM("br", MD_B_BRANCH, br_fields),
	[MD_F_BRU] = FORM("bru", MD_B_BRANCH, bru_fields),
	[MD_F_BRX] = FORM("brx", MD_B_BRANCHX, brx_fields),
	[MD_F_LDST] = FORM("ld", MD_B_LDST0, ldst_fields),
	[MD_F_TEX] = FORM("tex", MD_B_TEX, tex_fields),
};

/* %w: lane width; %D: destination; %A, %B: sources. */
#define V(code, name, note) \
	{ MD_U_VECTOR, MD_F_VEC, { { MD_vec_op, 8, code } }, name "%w %D, %A, %B", note }
#define S(code, name, note) \
	{ MD_U_SCALAR, MD_F_SCALAR, { { MD_sca_op, 8, code } }, name "%w %D, %A, %B", note }
/* %R: register, mask and swizzle; %X: argument; %Y: index; %O: offset. */
#define LDST(code, name, note) \
	{ MD_U_LDST, MD_F_LDST, { { MD_ld_op, 8, code } }, name " %R, %X, %Y, %O", note }
#define TEX(code, name, note) \
	{ MD_U_TEX, MD_F_TEX, { { MD_tex_op, 4, code } }, name "%m %T, %U, %P, %I", note }
#define BR(code, name, note) \
	{ MD_U_BRANCH, MD_F_BR, { { MD_br_op, 3, code } }, "br." name ".%c %o -> %t", note }
#define BRX(code, name, note) \
	{ MD_U_BRANCHX, MD_F_BRX, { { MD_brx_op, 3, code } }, "brx%k." name ".%c %o -> %t", note }

static const struct isa_op ops[] = {
	V(0x10, "fadd", "seed 003, Mesa"),
	V(0x11, "fadd_rtz", "Mesa"),
	V(0x12, "fadd_rtn", "Mesa"),
	V(0x13, "fadd_rtp", "Mesa"),
	V(0x14, "fmul", "seed 003, Mesa"),
	V(0x15, "fmul_rtz", "Mesa"),
	V(0x16, "fmul_rtn", "Mesa"),
	V(0x17, "fmul_rtp", "Mesa"),
	V(0x28, "fmin", "seed 003, Mesa"),
	V(0x29, "fmin_nan", "Mesa"),
	V(0x2a, "fabsmin", "Mesa"),
	V(0x2b, "fabsmin_nan", "Mesa"),
	V(0x2c, "fmax", "seed 003, Mesa"),
	V(0x2d, "fmax_nan", "Mesa"),
	V(0x2e, "fabsmax", "Mesa"),
	V(0x2f, "fabsmax_nan", "Mesa"),
	V(0x30, "fmov", "seed 003, Mesa"),
	V(0x31, "fmov_rtz", "Mesa"),
	V(0x32, "fmov_rtn", "Mesa"),
	V(0x33, "fmov_rtp", "Mesa"),
	V(0x34, "froundeven", "Mesa"),
	V(0x35, "ftrunc", "Mesa"),
	V(0x36, "ffloor", "seed 003, Mesa"),
	V(0x37, "fceil", "seed 003, Mesa"),
	V(0x38, "ffma", "unknown"),
	V(0x39, "ffma_rtz", "unknown"),
	V(0x3a, "ffma_rtn", "unknown"),
	V(0x3b, "ffma_rtp", "unknown"),
	V(0x3c, "fdot3", "seed 003, Mesa"),
	V(0x3d, "fdot3r", "seed 003, Mesa"),
	V(0x3e, "fdot4", "seed 003, Mesa"),
	V(0x3f, "freduce", "seed 003, Mesa"),
	V(0x40, "iadd", "seed 003, Mesa"),
	V(0x41, "ishladd", "Mesa"),
	V(0x46, "isub", "seed 003, Mesa"),
	V(0x47, "ishlsub", "Mesa"),
	V(0x48, "iaddsat", "Mesa"),
	V(0x49, "uaddsat", "Mesa"),
	V(0x4e, "isubsat", "Mesa"),
	V(0x4f, "usubsat", "Mesa"),
	V(0x58, "imul", "seed 003, Mesa"),
	V(0x59, "iwmul", "unknown"),
	V(0x5a, "uwmul", "unknown"),
	V(0x5b, "iuwmul", "unknown"),
	V(0x60, "imin", "Mesa"),
	V(0x61, "umin", "Mesa"),
	V(0x62, "imax", "Mesa"),
	V(0x63, "umax", "Mesa"),
	V(0x64, "iavg", "Mesa"),
	V(0x65, "uavg", "Mesa"),
	V(0x66, "iravg", "Mesa"),
	V(0x67, "uravg", "Mesa"),
	V(0x68, "iasr", "Mesa"),
	V(0x69, "ilsr", "Mesa"),
	V(0x6c, "ishlsat", "Mesa"),
	V(0x6d, "ushlsat", "Mesa"),
	V(0x6e, "ishl", "Mesa"),
	V(0x70, "iand", "Mesa"),
	V(0x71, "ior", "Mesa"),
	V(0x72, "inand", "Mesa"),
	V(0x73, "inor", "Mesa"),
	V(0x74, "iandnot", "Mesa"),
	V(0x75, "iornot", "Mesa"),
	V(0x76, "ixor", "Mesa"),
	V(0x77, "inxor", "Mesa"),
	V(0x78, "iclz", "Mesa"),
	V(0x7a, "ipopcnt", "Mesa"),
	V(0x7b, "imov", "seed 003, Mesa"),
	V(0x7c, "iabsdiff", "Mesa"),
	V(0x7d, "uabsdiff", "Mesa"),
	V(0x7e, "ichoose", "unknown"),
	V(0x80, "feq", "seed 003, Mesa"),
	V(0x81, "fne", "seed 003, Mesa"),
	V(0x82, "flt", "seed 003, Mesa"),
	V(0x83, "fle", "seed 003, Mesa"),
	V(0x88, "fball_eq", "Mesa"),
	V(0x89, "fball_neq", "Mesa"),
	V(0x8a, "fball_lt", "Mesa"),
	V(0x8b, "fball_lte", "Mesa"),
	V(0x90, "fbany_eq", "Mesa"),
	V(0x91, "fbany_neq", "Mesa"),
	V(0x92, "fbany_lt", "Mesa"),
	V(0x93, "fbany_lte", "Mesa"),
	V(0x98, "f2i_rte", "Mesa"),
	V(0x99, "f2i_rtz", "seed 003, Mesa"),
	V(0x9a, "f2i_rtn", "Mesa"),
	V(0x9b, "f2i_rtp", "Mesa"),
	V(0x9c, "f2u_rte", "Mesa"),
	V(0x9d, "f2u_rtz", "Mesa"),
	V(0x9e, "f2u_rtn", "Mesa"),
	V(0x9f, "f2u_rtp", "Mesa"),
	V(0xa0, "ieq", "seed 003, Mesa"),
	V(0xa1, "ine", "seed 003, Mesa"),
	V(0xa2, "ult", "Mesa"),
	V(0xa3, "ule", "Mesa"),
	V(0xa4, "ilt", "seed 003, Mesa"),
	V(0xa5, "ile", "seed 003, Mesa"),
	V(0xa8, "iball_eq", "Mesa"),
	V(0xa9, "iball_neq", "Mesa"),
	V(0xaa, "uball_lt", "Mesa"),
	V(0xab, "uball_lte", "Mesa"),
	V(0xac, "iball_lt", "Mesa"),
	V(0xad, "iball_lte", "Mesa"),
	V(0xb0, "ibany_eq", "Mesa"),
	V(0xb1, "ibany_neq", "Mesa"),
	V(0xb2, "ubany_lt", "Mesa"),
	V(0xb3, "ubany_lte", "Mesa"),
	V(0xb4, "ibany_lt", "Mesa"),
	V(0xb5, "ibany_lte", "Mesa"),
	V(0xb8, "i2f_rte", "seed 003, Mesa"),
	V(0xb9, "i2f_rtz", "Mesa"),
	V(0xba, "i2f_rtn", "Mesa"),
	V(0xbb, "i2f_rtp", "Mesa"),
	V(0xbc, "u2f_rte", "Mesa"),
	V(0xbd, "u2f_rtz", "Mesa"),
	V(0xbe, "u2f_rtn", "Mesa"),
	V(0xbf, "u2f_rtp", "Mesa"),
	V(0xc0, "icsel_v", "Mesa"),
	V(0xc1, "icsel", "Mesa"),
	V(0xc4, "fcsel_v", "Mesa"),
	V(0xc5, "fcsel", "seed 003, Mesa"),
	V(0xc6, "froundaway", "Mesa"),
	V(0xe8, "fatan2_pt2", "seed 003, Mesa"),
	V(0xec, "fpow_pt1", "unknown"),
	V(0xed, "fpown_pt1", "unknown"),
	V(0xee, "fpowr_pt1", "unknown"),
	V(0xf0, "frcp", "seed 003, Mesa"),
	V(0xf2, "frsqrt", "seed 003, Mesa"),
	V(0xf3, "fsqrt", "seed 003, Mesa"),
	V(0xf4, "fexp2", "seed 003, Mesa"),
	V(0xf5, "flog2", "seed 003, Mesa"),
	V(0xf6, "fsinpi", "seed 003, Mesa"),
	V(0xf7, "fcospi", "seed 003, Mesa"),
	V(0xf9, "fatan2_pt1", "seed 003, Mesa"),
	{ MD_U_VECTOR, MD_F_VEC, { { 0 } }, "op%n%w %D, %A, %B", "unknown" },
	S(0x10, "fadd", "seed 003, Mesa"),
	S(0x11, "fadd_rtz", "Mesa"),
	S(0x12, "fadd_rtn", "Mesa"),
	S(0x13, "fadd_rtp", "Mesa"),
	S(0x14, "fmul", "seed 003, Mesa"),
	S(0x15, "fmul_rtz", "Mesa"),
	S(0x16, "fmul_rtn", "Mesa"),
	S(0x17, "fmul_rtp", "Mesa"),
	S(0x28, "fmin", "seed 003, Mesa"),
	S(0x29, "fmin_nan", "Mesa"),
	S(0x2a, "fabsmin", "Mesa"),
	S(0x2b, "fabsmin_nan", "Mesa"),
	S(0x2c, "fmax", "seed 003, Mesa"),
	S(0x2d, "fmax_nan", "Mesa"),
	S(0x2e, "fabsmax", "Mesa"),
	S(0x2f, "fabsmax_nan", "Mesa"),
	S(0x30, "fmov", "seed 003, Mesa"),
	S(0x31, "fmov_rtz", "Mesa"),
	S(0x32, "fmov_rtn", "Mesa"),
	S(0x33, "fmov_rtp", "Mesa"),
	S(0x34, "froundeven", "Mesa"),
	S(0x35, "ftrunc", "Mesa"),
	S(0x36, "ffloor", "seed 003, Mesa"),
	S(0x37, "fceil", "seed 003, Mesa"),
	S(0x38, "ffma", "unknown"),
	S(0x39, "ffma_rtz", "unknown"),
	S(0x3a, "ffma_rtn", "unknown"),
	S(0x3b, "ffma_rtp", "unknown"),
	S(0x3c, "fdot3", "seed 003, Mesa"),
	S(0x3d, "fdot3r", "seed 003, Mesa"),
	S(0x3e, "fdot4", "seed 003, Mesa"),
	S(0x3f, "freduce", "seed 003, Mesa"),
	S(0x40, "iadd", "seed 003, Mesa"),
	S(0x41, "ishladd", "Mesa"),
	S(0x46, "isub", "seed 003, Mesa"),
	S(0x47, "ishlsub", "Mesa"),
	S(0x48, "iaddsat", "Mesa"),
	S(0x49, "uaddsat", "Mesa"),
	S(0x4e, "isubsat", "Mesa"),
	S(0x4f, "usubsat", "Mesa"),
	S(0x58, "imul", "seed 003, Mesa"),
	S(0x59, "iwmul", "unknown"),
	S(0x5a, "uwmul", "unknown"),
	S(0x5b, "iuwmul", "unknown"),
	S(0x60, "imin", "Mesa"),
	S(0x61, "umin", "Mesa"),
	S(0x62, "imax", "Mesa"),
	S(0x63, "umax", "Mesa"),
	S(0x64, "iavg", "Mesa"),
	S(0x65, "uavg", "Mesa"),
	S(0x66, "iravg", "Mesa"),
	S(0x67, "uravg", "Mesa"),
	S(0x68, "iasr", "Mesa"),
	S(0x69, "ilsr", "Mesa"),
	S(0x6c, "ishlsat", "Mesa"),
	S(0x6d, "ushlsat", "Mesa"),
	S(0x6e, "ishl", "Mesa"),
	S(0x70, "iand", "Mesa"),
	S(0x71, "ior", "Mesa"),
	S(0x72, "inand", "Mesa"),
	S(0x73, "inor", "Mesa"),
	S(0x74, "iandnot", "Mesa"),
	S(0x75, "iornot", "Mesa"),
	S(0x76, "ixor", "Mesa"),
	S(0x77, "inxor", "Mesa"),
	S(0x78, "iclz", "Mesa"),
	S(0x7a, "ipopcnt", "Mesa"),
	S(0x7b, "imov", "seed 003, Mesa"),
	S(0x7c, "iabsdiff", "Mesa"),
	S(0x7d, "uabsdiff", "Mesa"),
	S(0x7e, "ichoose", "unknown"),
	S(0x80, "feq", "seed 003, Mesa"),
	S(0x81, "fne", "seed 003, Mesa"),
	S(0x82, "flt", "seed 003, Mesa"),
	S(0x83, "fle", "seed 003, Mesa"),
	S(0x88, "fball_eq", "Mesa"),
	S(0x89, "fball_neq", "Mesa"),
	S(0x8a, "fball_lt", "Mesa"),
	S(0x8b, "fball_lte", "Mesa"),
	S(0x90, "fbany_eq", "Mesa"),
	S(0x91, "fbany_neq", "Mesa"),
	S(0x92, "fbany_lt", "Mesa"),
	S(0x93, "fbany_lte", "Mesa"),
	S(0x98, "f2i_rte", "Mesa"),
	S(0x99, "f2i_rtz", "seed 003, Mesa"),
	S(0x9a, "f2i_rtn", "Mesa"),
	S(0x9b, "f2i_rtp", "Mesa"),
	S(0x9c, "f2u_rte", "Mesa"),
	S(0x9d, "f2u_rtz", "Mesa"),
	S(0x9e, "f2u_rtn", "Mesa"),
	S(0x9f, "f2u_rtp", "Mesa"),
	S(0xa0, "ieq", "seed 003, Mesa"),
	S(0xa1, "ine", "seed 003, Mesa"),
	S(0xa2, "ult", "Mesa"),
	S(0xa3, "ule", "Mesa"),
	S(0xa4, "ilt", "seed 003, Mesa"),
	S(0xa5, "ile", "seed 003, Mesa"),
	S(0xa8, "iball_eq", "Mesa"),
	S(0xa9, "iball_neq", "Mesa"),
	S(0xaa, "uball_lt", "Mesa"),
	S(0xab, "uball_lte", "Mesa"),
	S(0xac, "iball_lt", "Mesa"),
	S(0xad, "iball_lte", "Mesa"),
	S(0xb0, "ibany_eq", "Mesa"),
	S(0xb1, "ibany_neq", "Mesa"),
	S(0xb2, "ubany_lt", "Mesa"),
	S(0xb3, "ubany_lte", "Mesa"),
	S(0xb4, "ibany_lt", "Mesa"),
	S(0xb5, "ibany_lte", "Mesa"),
	S(0xb8, "i2f_rte", "seed 003, Mesa"),
	S(0xb9, "i2f_rtz", "Mesa"),
	S(0xba, "i2f_rtn", "Mesa"),
	S(0xbb, "i2f_rtp", "Mesa"),
	S(0xbc, "u2f_rte", "Mesa"),
	S(0xbd, "u2f_rtz", "Mesa"),
	S(0xbe, "u2f_rtn", "Mesa"),
	S(0xbf, "u2f_rtp", "Mesa"),
	S(0xc0, "icsel_v", "Mesa"),
	S(0xc1, "icsel", "Mesa"),
	S(0xc4, "fcsel_v", "Mesa"),
	S(0xc5, "fcsel", "seed 003, Mesa"),
	S(0xc6, "froundaway", "Mesa"),
	S(0xe8, "fatan2_pt2", "seed 003, Mesa"),
	S(0xec, "fpow_pt1", "unknown"),
	S(0xed, "fpown_pt1", "unknown"),
	S(0xee, "fpowr_pt1", "unknown"),
	S(0xf0, "frcp", "seed 003, Mesa"),
	S(0xf2, "frsqrt", "seed 003, Mesa"),
	S(0xf3, "fsqrt", "seed 003, Mesa"),
	S(0xf4, "fexp2", "seed 003, Mesa"),
	S(0xf5, "flog2", "seed 003, Mesa"),
	S(0xf6, "fsinpi", "seed 003, Mesa"),
	S(0xf7, "fcospi", "seed 003, Mesa"),
	S(0xf9, "fatan2_pt1", "seed 003, Mesa"),
	{ MD_U_SCALAR, MD_F_SCALAR, { { 0 } }, "op%n%w %D, %A, %B", "unknown" },

	/* Branches: Mesa midgard.h, midgard_jmp_writeout_op. */
	{ MD_U_BRANCH, MD_F_BRU, { { MD_bru_op, 3, 1 } }, "br.uncond%k %o -> %t", "Mesa" },
	BR(2, "cond", "Mesa"),
	BR(4, "discard", "Mesa: ends the thread when the condition holds"),
	BR(6, "tilebuffer", "Mesa: branches while the tile buffer is not ready"),
	BR(7, "write", "Mesa: writes r0 to the tile buffer and ends; branches when it cannot yet"),
	{ MD_U_BRANCH, MD_F_BR, { { 0 } }, "br.unk%n.%c %o -> %t", "unknown" },
	BRX(1, "uncond", "Mesa"),
	BRX(2, "cond", "Mesa"),
	BRX(4, "discard", "Mesa"),
	BRX(6, "tilebuffer", "Mesa"),
	BRX(7, "write", "Mesa"),
	{ MD_U_BRANCHX, MD_F_BRX, { { 0 } }, "brx%k.unk%n.%c %o -> %t", "unknown" },

	LDST(0x03, "noop", "seed 003, Mesa"),
	LDST(0x04, "unpack_colour_f32", "unknown"),
	LDST(0x05, "unpack_colour_f16", "unknown"),
	LDST(0x06, "unpack_colour_u32", "unknown"),
	LDST(0x07, "unpack_colour_s32", "unknown"),
	LDST(0x08, "pack_colour_f32", "unknown"),
	LDST(0x09, "pack_colour_f16", "unknown"),
	LDST(0x0a, "pack_colour_u32", "unknown"),
	LDST(0x0b, "pack_colour_s32", "unknown"),
	LDST(0x0c, "lea", "unknown"),
	LDST(0x0d, "lea_image", "unknown"),
	LDST(0x0e, "ld_cubemap_coords", "unknown"),
	LDST(0x10, "ldst_mov", "unknown"),
	LDST(0x11, "ldst_perspective_div_y", "unknown"),
	LDST(0x12, "ldst_perspective_div_z", "unknown"),
	LDST(0x13, "ldst_perspective_div_w", "unknown"),
	LDST(0x40, "atomic_add", "unknown"),
	LDST(0x41, "atomic_add64", "unknown"),
	LDST(0x42, "atomic_add_be", "unknown"),
	LDST(0x43, "atomic_add64_be", "unknown"),
	LDST(0x44, "atomic_and", "unknown"),
	LDST(0x45, "atomic_and64", "unknown"),
	LDST(0x46, "atomic_and_be", "unknown"),
	LDST(0x47, "atomic_and64_be", "unknown"),
	LDST(0x48, "atomic_or", "unknown"),
	LDST(0x49, "atomic_or64", "unknown"),
	LDST(0x4a, "atomic_or_be", "unknown"),
	LDST(0x4b, "atomic_or64_be", "unknown"),
	LDST(0x4c, "atomic_xor", "unknown"),
	LDST(0x4d, "atomic_xor64", "unknown"),
	LDST(0x4e, "atomic_xor_be", "unknown"),
	LDST(0x4f, "atomic_xor64_be", "unknown"),
	LDST(0x50, "atomic_imin", "unknown"),
	LDST(0x51, "atomic_imin64", "unknown"),
	LDST(0x52, "atomic_imin_be", "unknown"),
	LDST(0x53, "atomic_imin64_be", "unknown"),
	LDST(0x54, "atomic_umin", "unknown"),
	LDST(0x55, "atomic_umin64", "unknown"),
	LDST(0x56, "atomic_umin_be", "unknown"),
	LDST(0x57, "atomic_umin64_be", "unknown"),
	LDST(0x58, "atomic_imax", "unknown"),
	LDST(0x59, "atomic_imax64", "unknown"),
	LDST(0x5a, "atomic_imax_be", "unknown"),
	LDST(0x5b, "atomic_imax64_be", "unknown"),
	LDST(0x5c, "atomic_umax", "unknown"),
	LDST(0x5d, "atomic_umax64", "unknown"),
	LDST(0x5e, "atomic_umax_be", "unknown"),
	LDST(0x5f, "atomic_umax64_be", "unknown"),
	LDST(0x60, "atomic_xchg", "unknown"),
	LDST(0x61, "atomic_xchg64", "unknown"),
	LDST(0x62, "atomic_xchg_be", "unknown"),
	LDST(0x63, "atomic_xchg64_be", "unknown"),
	LDST(0x64, "atomic_cmpxchg", "unknown"),
	LDST(0x65, "atomic_cmpxchg64", "unknown"),
	LDST(0x66, "atomic_cmpxchg_be", "unknown"),
	LDST(0x67, "atomic_cmpxchg64_be", "unknown"),
	LDST(0x80, "ld_u8", "unknown"),
	LDST(0x81, "ld_i8", "unknown"),
	LDST(0x84, "ld_u16", "unknown"),
	LDST(0x85, "ld_i16", "unknown"),
	LDST(0x86, "ld_u16_be", "unknown"),
	LDST(0x87, "ld_i16_be", "unknown"),
	LDST(0x88, "ld_32", "unknown"),
	LDST(0x89, "ld_32_bswap2", "unknown"),
	LDST(0x8a, "ld_32_bswap4", "unknown"),
	LDST(0x8c, "ld_64", "unknown"),
	LDST(0x8d, "ld_64_bswap2", "unknown"),
	LDST(0x8e, "ld_64_bswap4", "unknown"),
	LDST(0x8f, "ld_64_bswap8", "unknown"),
	LDST(0x90, "ld_128", "unknown"),
	LDST(0x91, "ld_128_bswap2", "unknown"),
	LDST(0x92, "ld_128_bswap4", "unknown"),
	LDST(0x93, "ld_128_bswap8", "unknown"),
	LDST(0x94, "ld_attr_32", "seed 003, Mesa"),
	LDST(0x95, "ld_attr_16", "seed 003, Mesa"),
	LDST(0x96, "ld_attr_32u", "unknown"),
	LDST(0x97, "ld_attr_32i", "unknown"),
	LDST(0x98, "ld_vary_32", "seed 003, Mesa"),
	LDST(0x99, "ld_vary_16", "seed 003, Mesa"),
	LDST(0x9a, "ld_vary_32u", "unknown"),
	LDST(0x9b, "ld_vary_32i", "unknown"),
	LDST(0x9c, "ld_special_32f", "unknown"),
	LDST(0x9d, "ld_special_16f", "unknown"),
	LDST(0x9e, "ld_special_32u", "unknown"),
	LDST(0x9f, "ld_special_32i", "unknown"),
	LDST(0xa0, "ld_ubo_u8", "unknown"),
	LDST(0xa1, "ld_ubo_i8", "unknown"),
	LDST(0xa4, "ld_ubo_u16", "unknown"),
	LDST(0xa5, "ld_ubo_i16", "unknown"),
	LDST(0xa6, "ld_ubo_u16_be", "unknown"),
	LDST(0xa7, "ld_ubo_i16_be", "unknown"),
	LDST(0xa8, "ld_ubo_32", "unknown"),
	LDST(0xa9, "ld_ubo_32_bswap2", "unknown"),
	LDST(0xaa, "ld_ubo_32_bswap4", "unknown"),
	LDST(0xac, "ld_ubo_64", "seed 003, Mesa"),
	LDST(0xad, "ld_ubo_64_bswap2", "unknown"),
	LDST(0xae, "ld_ubo_64_bswap4", "unknown"),
	LDST(0xaf, "ld_ubo_64_bswap8", "unknown"),
	LDST(0xb0, "ld_ubo_128", "seed 003, Mesa"),
	LDST(0xb1, "ld_ubo_128_bswap2", "unknown"),
	LDST(0xb2, "ld_ubo_128_bswap4", "unknown"),
	LDST(0xb3, "ld_ubo_128_bswap8", "unknown"),
	LDST(0xb4, "ld_image_32f", "unknown"),
	LDST(0xb5, "ld_image_16f", "unknown"),
	LDST(0xb6, "ld_image_32u", "unknown"),
	LDST(0xb7, "ld_image_32i", "unknown"),
	LDST(0xb8, "ld_tilebuffer_32f", "unknown"),
	LDST(0xb9, "ld_tilebuffer_16f", "unknown"),
	LDST(0xba, "ld_tilebuffer_raw", "unknown"),
	LDST(0xc0, "st_u8", "unknown"),
	LDST(0xc1, "st_i8", "unknown"),
	LDST(0xc4, "st_u16", "unknown"),
	LDST(0xc5, "st_i16", "unknown"),
	LDST(0xc6, "st_u16_be", "unknown"),
	LDST(0xc7, "st_i16_be", "unknown"),
	LDST(0xc8, "st_32", "unknown"),
	LDST(0xc9, "st_32_bswap2", "unknown"),
	LDST(0xca, "st_32_bswap4", "unknown"),
	LDST(0xcc, "st_64", "unknown"),
	LDST(0xcd, "st_64_bswap2", "unknown"),
	LDST(0xce, "st_64_bswap4", "unknown"),
	LDST(0xcf, "st_64_bswap8", "unknown"),
	LDST(0xd0, "st_128", "unknown"),
	LDST(0xd1, "st_128_bswap2", "unknown"),
	LDST(0xd2, "st_128_bswap4", "unknown"),
	LDST(0xd3, "st_128_bswap8", "unknown"),
	LDST(0xd4, "st_vary_32", "seed 003, Mesa"),
	LDST(0xd5, "st_vary_16", "seed 003, Mesa"),
	LDST(0xd6, "st_vary_32u", "unknown"),
	LDST(0xd7, "st_vary_32i", "unknown"),
	LDST(0xd8, "st_image_32f", "unknown"),
	LDST(0xd9, "st_image_16f", "unknown"),
	LDST(0xda, "st_image_32u", "unknown"),
	LDST(0xdb, "st_image_32i", "unknown"),
	LDST(0xdc, "st_special_32f", "unknown"),
	LDST(0xdd, "st_special_16f", "unknown"),
	LDST(0xde, "st_special_32u", "unknown"),
	LDST(0xdf, "st_special_32i", "unknown"),
	LDST(0xe8, "st_tilebuffer_32f", "unknown"),
	LDST(0xe9, "st_tilebuffer_16f", "unknown"),
	LDST(0xea, "st_tilebuffer_raw", "unknown"),
	LDST(0xfc, "trap", "unknown"),
	{ MD_U_LDST, MD_F_LDST, { { 0 } }, "ldst%n %R, %X, %Y, %O", "unknown" },

	TEX(1, "tex", "Mesa: with bias"),
	TEX(2, "tex_grad", "Mesa: with gradient"),
	TEX(4, "tex_fetch", "Mesa: a texel, unfiltered"),
	TEX(9, "der_to_grad", "unknown"),
	TEX(10, "tex_mov", "unknown"),
	TEX(11, "barrier", "Mesa: nothing but waiting"),
	TEX(12, "coords_to_grad", "unknown"),
	TEX(13, "derivative", "Mesa: in 2x2 threads"),
	{ MD_U_TEX, MD_F_TEX, { { 0 } }, "tex%n%m %T, %U, %P, %I", "unknown" },
};

static const char *const units[] = { "vector", "scalar", "branch", "extended branch", "load/store", "texture" };

const struct isa isa_midgard = {
	.name = "midgard",
	.forms = forms,
	.form_count = MD_FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.read = md_read,
	.write = md_write,
	.assemble = md_assemble,
	.disassemble = md_disassemble,
	.check = md_check,
};

/* --- Bundles ---------------------------------------------------------------- */

static const uint8_t unit_of_block[MD_BLOCKS] = {
	[MD_B_VMUL] = MD_U_VECTOR, [MD_B_SADD] = MD_U_SCALAR, [MD_B_VADD] = MD_U_VECTOR,
	[MD_B_SMUL] = MD_U_SCALAR, [MD_B_LUT] = MD_U_VECTOR, [MD_B_BRANCH] = MD_U_BRANCH,
	[MD_B_BRANCHX] = MD_U_BRANCHX, [MD_B_LDST0] = MD_U_LDST, [MD_B_LDST1] = MD_U_LDST, [MD_B_TEX] = MD_U_TEX,
};

/* The control bit of an ALU block. */
static const uint8_t control_bit[MD_B_BRANCHX + 1] = {
	[MD_B_VMUL] = 17, [MD_B_SADD] = 19, [MD_B_VADD] = 21, [MD_B_SMUL] = 23, [MD_B_LUT] = 25,
	[MD_B_BRANCH] = 26, [MD_B_BRANCHX] = 27,
};

const struct isa_op *md_row(const struct isa_bits *block, unsigned int which)
{
	return isa_match_op(&isa_midgard, unit_of_block[which], block);
}

/* Half-words of an ALU bundle without padding and constants. */
static unsigned int alu_halves(uint16_t present)
{
	unsigned int n = 2;

	for (unsigned int b = MD_B_VMUL; b <= MD_B_BRANCHX; b++)
		n += present >> b & 1 ? md_bits[b] / 16 : 0;
	return n;
}

static uint16_t half_at(const uint32_t *words, unsigned int i)
{
	return words[i / 2] >> i % 2 * 16;
}

static void split_alu(const uint32_t *words, size_t left, struct md_bundle *b)
{
	unsigned int quads = (words[0] & 3) + 1, reg = 2, body, halves;

	b->block[MD_B_CTRL].w[0] = words[0];
	b->present = 1 << MD_B_CTRL;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++)
		b->present |= (words[0] >> control_bit[i] & 1) << i;
	halves = alu_halves(b->present);
	if (4 * quads > left || quads < (halves + 7) / 8 || quads > (halves + 7) / 8 + 1)
		return;
	body = reg;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++)
		body += b->present >> i & 1;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++) {
		unsigned int lo = 0;

		if (!(b->present >> i & 1))
			continue;
		if (i <= MD_B_LUT) {
			isa_put(&b->block[i], 0, 16, half_at(words, reg++));
			lo = 16;
		}
		for (; lo < md_bits[i]; lo += 16)
			isa_put(&b->block[i], lo, 16, half_at(words, body++));
	}
	for (; body % 8; body++) {
		if (half_at(words, body))
			return;		/* padding that is not 0 */
	}
	if (quads > (halves + 7) / 8) {
		memcpy(b->block[MD_B_CONST].w, words + 4 * (quads - 1), 16);
		b->present |= 1 << MD_B_CONST;
	}
	b->words = 4 * quads;
}

void md_split(const uint32_t *words, size_t left, struct md_bundle *b)
{
	unsigned int tag = words[0] & 15;

	memset(b, 0, sizeof(*b));
	if (tag >= MD_ALU) {
		split_alu(words, left, b);
	} else if (left >= 4 && tag == MD_LDST) {
		b->block[MD_B_CTRL].w[0] = words[0] & 0xff;
		for (unsigned int i = 0; i < 60; i++) {
			isa_put(&b->block[MD_B_LDST0], i, 1, words[(8 + i) / 32] >> (8 + i) % 32 & 1);
			isa_put(&b->block[MD_B_LDST1], i, 1, words[(68 + i) / 32] >> (68 + i) % 32 & 1);
		}
		b->present = 1 << MD_B_CTRL | 1 << MD_B_LDST0 | 1 << MD_B_LDST1;
		b->words = 4;
	} else if (left >= 4 && tag >= MD_TEX_VERTEX && tag <= MD_TEX_BARRIER) {
		memcpy(b->block[MD_B_TEX].w, words, 16);
		b->present = 1 << MD_B_TEX;
		b->words = 4;
	}
}

static void put_half(uint32_t *words, unsigned int i, uint16_t v)
{
	words[i / 2] |= (uint32_t)v << i % 2 * 16;
}

static unsigned int join_alu(const struct md_bundle *b, uint32_t *out)
{
	unsigned int quads = (alu_halves(b->present) + 7) / 8, reg = 2, body = reg;
	uint32_t ctrl = b->block[MD_B_CTRL].w[0];

	quads += b->present >> MD_B_CONST & 1;
	if (quads > 4)
		return 0;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++)
		body += b->present >> i & 1;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++) {
		unsigned int lo = 0;

		if (!(b->present >> i & 1))
			continue;
		ctrl |= 1u << control_bit[i];
		if (i <= MD_B_LUT) {
			put_half(out, reg++, isa_get(&b->block[i], 0, 16));
			lo = 16;
		}
		for (; lo < md_bits[i]; lo += 16)
			put_half(out, body++, isa_get(&b->block[i], lo, 16));
	}
	out[0] = (ctrl & ~3u) | (quads - 1);
	if (b->present >> MD_B_CONST & 1)
		memcpy(out + 4 * (quads - 1), b->block[MD_B_CONST].w, 16);
	return 4 * quads;
}

unsigned int md_join(const struct md_bundle *b, uint32_t *out)
{
	memset(out, 0, 64);
	if (b->present >> MD_B_TEX & 1) {
		memcpy(out, b->block[MD_B_TEX].w, 16);
		return 4;
	}
	if (!(b->present >> MD_B_LDST0 & 1))
		return join_alu(b, out);
	out[0] = b->block[MD_B_CTRL].w[0] & 0xff;
	for (unsigned int i = 0; i < 60; i++) {
		out[(8 + i) / 32] |= isa_get(&b->block[MD_B_LDST0], i, 1) << (8 + i) % 32;
		out[(68 + i) / 32] |= isa_get(&b->block[MD_B_LDST1], i, 1) << (68 + i) % 32;
	}
	return 4;
}
