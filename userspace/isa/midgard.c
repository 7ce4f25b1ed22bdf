// SPDX-License-Identifier: MIT
/*
 * Midgard: the table, and bundles taken apart and put together.
 *
 * Facts: seed 003; Mesa src/panfrost/midgard/midgard.h (codes, fields),
 * midgard_ops.c (names). Seed and Mesa agree on the codes that the seed has; its
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
/* %R: result; %S: what is stored; the rest: midgard_mem.c, midgard_tex.c. */
#define LDST(code, pattern, note) \
	{ MD_U_LDST, MD_F_LDST, { { MD_ld_op, 8, code } }, pattern, note }
#define TEX(code, name, note) \
	{ MD_U_TEX, MD_F_TEX, { { MD_tex_op, 4, code } }, name "%m %T, %U, %P, %I", note }
#define BR(code, name, note) \
	{ MD_U_BRANCH, MD_F_BR, { { MD_br_op, 3, code } }, "br." name ".%c %o", note }
#define BRX(code, name, note) \
	{ MD_U_BRANCHX, MD_F_BRX, { { MD_brx_op, 3, code } }, "brx%k." name ".%c %o", note }

#define ACROSS "unknown: it goes over components; Mesa runs it on vector units, what a scalar unit gives nobody says"
#define POWER "unknown: Mesa has its name alone, and no second part that it would go with"
#define FORMAT "unknown: Mesa says colour from or to a native format, and not how its 22 bits name one"
#define GRADIENT "unknown: Mesa says what it makes, a gradient, and not how that is laid out for TEX_GRAD"

static const struct isa_op ops[] = {
	V(0x10, "FADD", "a + b // seed 003, Mesa"),
	V(0x11, "FADD.rtz", "a + b, rounded towards 0"),
	V(0x12, "FADD.rtn", "a + b, rounded down"),
	V(0x13, "FADD.rtp", "a + b, rounded up"),
	V(0x14, "FMUL", "a * b // seed 003, Mesa"),
	V(0x15, "FMUL.rtz", "a * b, rounded towards 0"),
	V(0x16, "FMUL.rtn", "a * b, rounded down"),
	V(0x17, "FMUL.rtp", "a * b, rounded up"),
	V(0x28, "FMIN", "the smaller; of a number and NaN the number // seed 003, Mesa"),
	V(0x29, "FMIN.nan", "the smaller; NaN when either is"),
	V(0x2a, "FABSMIN", "the smaller of |a| and |b|"),
	V(0x2b, "FABSMIN.nan", "the smaller of |a| and |b|; NaN when either is"),
	V(0x2c, "FMAX", "the larger; of a number and NaN the number // seed 003, Mesa"),
	V(0x2d, "FMAX.nan", "the larger; NaN when either is"),
	V(0x2e, "FABSMAX", "the larger of |a| and |b|"),
	V(0x2f, "FABSMAX.nan", "the larger of |a| and |b|; NaN when either is"),
	V(0x30, "FMOV", "b // seed 003, Mesa"),
	V(0x31, "FMOV.rtz", "b, rounded towards 0"),
	V(0x32, "FMOV.rtn", "b, rounded down"),
	V(0x33, "FMOV.rtp", "b, rounded up"),
	V(0x34, "FROUNDEVEN", "to the nearest whole number, halves to even"),
	V(0x35, "FTRUNC", "to the whole number towards 0"),
	V(0x36, "FFLOOR", "to the whole number at or below // seed 003, Mesa"),
	V(0x37, "FCEIL", "to the whole number at or above // seed 003, Mesa"),
	V(0x38, "FMA", "x times y of the first source, plus the second"),
	V(0x39, "FMA.rtz", "x times y of the first source, plus the second"),
	V(0x3a, "FMA.rtn", "x times y of the first source, plus the second"),
	V(0x3b, "FMA.rtp", "x times y of the first source, plus the second"),
	V(0x3c, "FDOT3", "sum of the products of x, y, z // seed 003, Mesa"),
	V(0x3d, "FDOT3R", "sum of the products of x, y, z of reduced vectors // seed 003, Mesa"),
	V(0x3e, "FDOT4", "sum of the products of x, y, z, w // seed 003, Mesa"),
	V(0x3f, "FREDUCE", "a without the largest exponent of its components // seed 003, Mesa"),
	V(0x40, "ADD", "a + b // seed 003, Mesa"),
	V(0x41, "ADD", "(a << 1) + b"),
	V(0x46, "SUB", "a - b // seed 003, Mesa"),
	V(0x47, "SUB", "(a << 1) - b"),
	V(0x48, "ADDSAT", "a + b, saturated"),
	V(0x49, "ADDSAT", "a + b, saturated; unsigned"),
	V(0x4e, "SUBSAT", "a - b, saturated"),
	V(0x4f, "SUBSAT", "a - b, saturated; unsigned"),
	V(0x58, "MUL", "a * b // seed 003, Mesa"),
	V(0x59, "WMUL.s", "signed times signed, widening"),
	V(0x5a, "WMUL.u", "unsigned times unsigned, widening"),
	V(0x5b, "WMUL.su", "signed times unsigned, widening"),
	V(0x60, "MIN", "the smaller"),
	V(0x61, "MIN", "the smaller; unsigned"),
	V(0x62, "MAX", "the larger"),
	V(0x63, "MAX", "the larger; unsigned"),
	V(0x64, "AVG.rtz", "(a + b) / 2, rounded down"),
	V(0x65, "AVG.rtz", "(a + b) / 2, rounded down; unsigned"),
	V(0x66, "AVG.round", "(a + b + 1) / 2"),
	V(0x67, "AVG.round", "(a + b + 1) / 2; unsigned"),
	V(0x68, "ASR", "a >> b, the sign shifted in"),
	V(0x69, "LSR", "a >> b, 0 shifted in"),
	V(0x6c, "SHL.sat", "a << b, saturated"),
	V(0x6d, "SHL.sat", "a << b, saturated; unsigned"),
	V(0x6e, "SHL", "a << b"),
	V(0x70, "AND", "a & b"),
	V(0x71, "OR", "a | b"),
	V(0x72, "NAND", "~(a & b)"),
	V(0x73, "NOR", "~(a | b)"),
	V(0x74, "ANDNOT", "a & ~b"),
	V(0x75, "ORNOT", "a | ~b"),
	V(0x76, "XOR", "a ^ b"),
	V(0x77, "NXOR", "~(a ^ b)"),
	V(0x78, "CLZ", "zeros above the highest one"),
	V(0x7a, "POPCNT", "how many ones"),
	V(0x7b, "MOV", "b // seed 003, Mesa"),
	V(0x7c, "ABSDIFF", "|a - b|"),
	V(0x7d, "ABSDIFF", "|a - b|; unsigned"),
	V(0x7e, "CHOOSE", "components of the first source that the second names"),
	V(0x80, "FCMP.eq", "all ones when a == b, else 0 // seed 003, Mesa"),
	V(0x81, "FCMP.ne", "all ones when a != b, else 0 // seed 003, Mesa"),
	V(0x82, "FCMP.lt", "all ones when a < b, else 0 // seed 003, Mesa"),
	V(0x83, "FCMP.le", "all ones when a <= b, else 0 // seed 003, Mesa"),
	V(0x88, "FCMP.all.eq", "all ones when in all four a == b, else 0"),
	V(0x89, "FCMP.all.ne", "all ones when in all four a != b, else 0"),
	V(0x8a, "FCMP.all.lt", "all ones when in all four a < b, else 0"),
	V(0x8b, "FCMP.all.le", "all ones when in all four a <= b, else 0"),
	V(0x90, "FCMP.any.eq", "all ones when in any of four a == b, else 0"),
	V(0x91, "FCMP.any.ne", "all ones when in any of four a != b, else 0"),
	V(0x92, "FCMP.any.lt", "all ones when in any of four a < b, else 0"),
	V(0x93, "FCMP.any.le", "all ones when in any of four a <= b, else 0"),
	V(0x98, "F2I", "float to signed integer, to nearest even"),
	V(0x99, "F2I.rtz", "float to signed integer, rounded towards 0 // seed 003, Mesa"),
	V(0x9a, "F2I.rtn", "float to signed integer, rounded down"),
	V(0x9b, "F2I.rtp", "float to signed integer, rounded up"),
	V(0x9c, "F2U", "float to unsigned integer, to nearest even"),
	V(0x9d, "F2U.rtz", "float to unsigned integer, rounded towards 0"),
	V(0x9e, "F2U.rtn", "float to unsigned integer, rounded down"),
	V(0x9f, "F2U.rtp", "float to unsigned integer, rounded up"),
	V(0xa0, "CMP.eq", "all ones when a == b, else 0 // seed 003, Mesa"),
	V(0xa1, "CMP.ne", "all ones when a != b, else 0 // seed 003, Mesa"),
	V(0xa2, "CMP.lt", "all ones when a < b, else 0; unsigned"),
	V(0xa3, "CMP.le", "all ones when a <= b, else 0; unsigned"),
	V(0xa4, "CMP.lt", "all ones when a < b, else 0 // seed 003, Mesa"),
	V(0xa5, "CMP.le", "all ones when a <= b, else 0 // seed 003, Mesa"),
	V(0xa8, "CMP.all.eq", "all ones when in all four a == b, else 0"),
	V(0xa9, "CMP.all.ne", "all ones when in all four a != b, else 0"),
	V(0xaa, "CMP.all.lt", "all ones when in all four a < b, else 0; unsigned"),
	V(0xab, "CMP.all.le", "all ones when in all four a <= b, else 0; unsigned"),
	V(0xac, "CMP.all.lt", "all ones when in all four a < b, else 0"),
	V(0xad, "CMP.all.le", "all ones when in all four a <= b, else 0"),
	V(0xb0, "CMP.any.eq", "all ones when in any of four a == b, else 0"),
	V(0xb1, "CMP.any.ne", "all ones when in any of four a != b, else 0"),
	V(0xb2, "CMP.any.lt", "all ones when in any of four a < b, else 0; unsigned"),
	V(0xb3, "CMP.any.le", "all ones when in any of four a <= b, else 0; unsigned"),
	V(0xb4, "CMP.any.lt", "all ones when in any of four a < b, else 0"),
	V(0xb5, "CMP.any.le", "all ones when in any of four a <= b, else 0"),
	V(0xb8, "I2F", "signed integer to float, to nearest even // seed 003, Mesa"),
	V(0xb9, "I2F.rtz", "signed integer to float, rounded towards 0"),
	V(0xba, "I2F.rtn", "signed integer to float, rounded down"),
	V(0xbb, "I2F.rtp", "signed integer to float, rounded up"),
	V(0xbc, "U2F", "unsigned integer to float, to nearest even"),
	V(0xbd, "U2F.rtz", "unsigned integer to float, rounded towards 0"),
	V(0xbe, "U2F.rtn", "unsigned integer to float, rounded down"),
	V(0xbf, "U2F.rtp", "unsigned integer to float, rounded up"),
	V(0xc0, "CSEL.vector", "r31 ? a : b, component by component"),
	V(0xc1, "CSEL.scalar", "r31.w ? a : b"),
	V(0xc4, "FCSEL.vector", "r31 ? a : b, component by component"),
	V(0xc5, "FCSEL.scalar", "r31.w ? a : b // seed 003, Mesa"),
	V(0xc6, "FROUNDAWAY", "to the nearest whole number, halves away from 0"),
	V(0xe8, "FATAN2_PT2", "second step: of x and of z * w of the first // seed 003, Mesa"),
	V(0xec, "FPOW_PT1", POWER),
	V(0xed, "FPOWN_PT1", POWER),
	V(0xee, "FPOWR_PT1", POWER),
	V(0xf0, "FRCP", "1 / a // seed 003, Mesa"),
	V(0xf2, "FRSQRT", "1 / sqrt(a) // seed 003, Mesa"),
	V(0xf3, "FSQRT", "square root of a // seed 003, Mesa"),
	V(0xf4, "FEXP2", "2 to the a // seed 003, Mesa"),
	V(0xf5, "FLOG2", "logarithm of base 2 of a // seed 003, Mesa"),
	V(0xf6, "FSINPI", "sin(pi a) // seed 003, Mesa"),
	V(0xf7, "FCOSPI", "cos(pi a) // seed 003, Mesa"),
	V(0xf9, "FATAN2_PT1", "first step of atan2(a, b): three values in x, z, w // seed 003, Mesa"),
	{ MD_U_VECTOR, MD_F_VEC, { { 0 } }, "alu_op_%n%w %D, %A, %B", "unknown" },
	S(0x10, "FADD", "a + b // seed 003, Mesa"),
	S(0x11, "FADD.rtz", "a + b, rounded towards 0"),
	S(0x12, "FADD.rtn", "a + b, rounded down"),
	S(0x13, "FADD.rtp", "a + b, rounded up"),
	S(0x14, "FMUL", "a * b // seed 003, Mesa"),
	S(0x15, "FMUL.rtz", "a * b, rounded towards 0"),
	S(0x16, "FMUL.rtn", "a * b, rounded down"),
	S(0x17, "FMUL.rtp", "a * b, rounded up"),
	S(0x28, "FMIN", "the smaller; of a number and NaN the number // seed 003, Mesa"),
	S(0x29, "FMIN.nan", "the smaller; NaN when either is"),
	S(0x2a, "FABSMIN", "the smaller of |a| and |b|"),
	S(0x2b, "FABSMIN.nan", "the smaller of |a| and |b|; NaN when either is"),
	S(0x2c, "FMAX", "the larger; of a number and NaN the number // seed 003, Mesa"),
	S(0x2d, "FMAX.nan", "the larger; NaN when either is"),
	S(0x2e, "FABSMAX", "the larger of |a| and |b|"),
	S(0x2f, "FABSMAX.nan", "the larger of |a| and |b|; NaN when either is"),
	S(0x30, "FMOV", "b // seed 003, Mesa"),
	S(0x31, "FMOV.rtz", "b, rounded towards 0"),
	S(0x32, "FMOV.rtn", "b, rounded down"),
	S(0x33, "FMOV.rtp", "b, rounded up"),
	S(0x34, "FROUNDEVEN", "to the nearest whole number, halves to even"),
	S(0x35, "FTRUNC", "to the whole number towards 0"),
	S(0x36, "FFLOOR", "to the whole number at or below // seed 003, Mesa"),
	S(0x37, "FCEIL", "to the whole number at or above // seed 003, Mesa"),
	S(0x38, "FMA", ACROSS),
	S(0x39, "FMA.rtz", ACROSS),
	S(0x3a, "FMA.rtn", ACROSS),
	S(0x3b, "FMA.rtp", ACROSS),
	S(0x3c, "FDOT3", ACROSS),
	S(0x3d, "FDOT3R", ACROSS),
	S(0x3e, "FDOT4", ACROSS),
	S(0x3f, "FREDUCE", ACROSS),
	S(0x40, "ADD", "a + b // seed 003, Mesa"),
	S(0x41, "ADD", "(a << 1) + b"),
	S(0x46, "SUB", "a - b // seed 003, Mesa"),
	S(0x47, "SUB", "(a << 1) - b"),
	S(0x48, "ADDSAT", "a + b, saturated"),
	S(0x49, "ADDSAT", "a + b, saturated; unsigned"),
	S(0x4e, "SUBSAT", "a - b, saturated"),
	S(0x4f, "SUBSAT", "a - b, saturated; unsigned"),
	S(0x58, "MUL", "a * b // seed 003, Mesa"),
	S(0x59, "WMUL.s", "signed times signed, widening"),
	S(0x5a, "WMUL.u", "unsigned times unsigned, widening"),
	S(0x5b, "WMUL.su", "signed times unsigned, widening"),
	S(0x60, "MIN", "the smaller"),
	S(0x61, "MIN", "the smaller; unsigned"),
	S(0x62, "MAX", "the larger"),
	S(0x63, "MAX", "the larger; unsigned"),
	S(0x64, "AVG.rtz", "(a + b) / 2, rounded down"),
	S(0x65, "AVG.rtz", "(a + b) / 2, rounded down; unsigned"),
	S(0x66, "AVG.round", "(a + b + 1) / 2"),
	S(0x67, "AVG.round", "(a + b + 1) / 2; unsigned"),
	S(0x68, "ASR", "a >> b, the sign shifted in"),
	S(0x69, "LSR", "a >> b, 0 shifted in"),
	S(0x6c, "SHL.sat", "a << b, saturated"),
	S(0x6d, "SHL.sat", "a << b, saturated; unsigned"),
	S(0x6e, "SHL", "a << b"),
	S(0x70, "AND", "a & b"),
	S(0x71, "OR", "a | b"),
	S(0x72, "NAND", "~(a & b)"),
	S(0x73, "NOR", "~(a | b)"),
	S(0x74, "ANDNOT", "a & ~b"),
	S(0x75, "ORNOT", "a | ~b"),
	S(0x76, "XOR", "a ^ b"),
	S(0x77, "NXOR", "~(a ^ b)"),
	S(0x78, "CLZ", "zeros above the highest one"),
	S(0x7a, "POPCNT", "how many ones"),
	S(0x7b, "MOV", "b // seed 003, Mesa"),
	S(0x7c, "ABSDIFF", "|a - b|"),
	S(0x7d, "ABSDIFF", "|a - b|; unsigned"),
	S(0x7e, "CHOOSE", ACROSS),
	S(0x80, "FCMP.eq", "all ones when a == b, else 0 // seed 003, Mesa"),
	S(0x81, "FCMP.ne", "all ones when a != b, else 0 // seed 003, Mesa"),
	S(0x82, "FCMP.lt", "all ones when a < b, else 0 // seed 003, Mesa"),
	S(0x83, "FCMP.le", "all ones when a <= b, else 0 // seed 003, Mesa"),
	S(0x88, "FCMP.all.eq", ACROSS),
	S(0x89, "FCMP.all.ne", ACROSS),
	S(0x8a, "FCMP.all.lt", ACROSS),
	S(0x8b, "FCMP.all.le", ACROSS),
	S(0x90, "FCMP.any.eq", ACROSS),
	S(0x91, "FCMP.any.ne", ACROSS),
	S(0x92, "FCMP.any.lt", ACROSS),
	S(0x93, "FCMP.any.le", ACROSS),
	S(0x98, "F2I", "float to signed integer, to nearest even"),
	S(0x99, "F2I.rtz", "float to signed integer, rounded towards 0 // seed 003, Mesa"),
	S(0x9a, "F2I.rtn", "float to signed integer, rounded down"),
	S(0x9b, "F2I.rtp", "float to signed integer, rounded up"),
	S(0x9c, "F2U", "float to unsigned integer, to nearest even"),
	S(0x9d, "F2U.rtz", "float to unsigned integer, rounded towards 0"),
	S(0x9e, "F2U.rtn", "float to unsigned integer, rounded down"),
	S(0x9f, "F2U.rtp", "float to unsigned integer, rounded up"),
	S(0xa0, "CMP.eq", "all ones when a == b, else 0 // seed 003, Mesa"),
	S(0xa1, "CMP.ne", "all ones when a != b, else 0 // seed 003, Mesa"),
	S(0xa2, "CMP.lt", "all ones when a < b, else 0; unsigned"),
	S(0xa3, "CMP.le", "all ones when a <= b, else 0; unsigned"),
	S(0xa4, "CMP.lt", "all ones when a < b, else 0 // seed 003, Mesa"),
	S(0xa5, "CMP.le", "all ones when a <= b, else 0 // seed 003, Mesa"),
	S(0xa8, "CMP.all.eq", ACROSS),
	S(0xa9, "CMP.all.ne", ACROSS),
	S(0xaa, "CMP.all.lt", ACROSS),
	S(0xab, "CMP.all.le", ACROSS),
	S(0xac, "CMP.all.lt", ACROSS),
	S(0xad, "CMP.all.le", ACROSS),
	S(0xb0, "CMP.any.eq", ACROSS),
	S(0xb1, "CMP.any.ne", ACROSS),
	S(0xb2, "CMP.any.lt", ACROSS),
	S(0xb3, "CMP.any.le", ACROSS),
	S(0xb4, "CMP.any.lt", ACROSS),
	S(0xb5, "CMP.any.le", ACROSS),
	S(0xb8, "I2F", "signed integer to float, to nearest even // seed 003, Mesa"),
	S(0xb9, "I2F.rtz", "signed integer to float, rounded towards 0"),
	S(0xba, "I2F.rtn", "signed integer to float, rounded down"),
	S(0xbb, "I2F.rtp", "signed integer to float, rounded up"),
	S(0xbc, "U2F", "unsigned integer to float, to nearest even"),
	S(0xbd, "U2F.rtz", "unsigned integer to float, rounded towards 0"),
	S(0xbe, "U2F.rtn", "unsigned integer to float, rounded down"),
	S(0xbf, "U2F.rtp", "unsigned integer to float, rounded up"),
	S(0xc0, "CSEL.vector", "r31 ? a : b, component by component"),
	S(0xc1, "CSEL.scalar", "r31.w ? a : b"),
	S(0xc4, "FCSEL.vector", "r31 ? a : b, component by component"),
	S(0xc5, "FCSEL.scalar", "r31.w ? a : b // seed 003, Mesa"),
	S(0xc6, "FROUNDAWAY", "to the nearest whole number, halves away from 0"),
	S(0xe8, "FATAN2_PT2", "second step: of x and of z * w of the first // seed 003, Mesa"),
	S(0xec, "FPOW_PT1", POWER),
	S(0xed, "FPOWN_PT1", POWER),
	S(0xee, "FPOWR_PT1", POWER),
	S(0xf0, "FRCP", "1 / a // seed 003, Mesa"),
	S(0xf2, "FRSQRT", "1 / sqrt(a) // seed 003, Mesa"),
	S(0xf3, "FSQRT", "square root of a // seed 003, Mesa"),
	S(0xf4, "FEXP2", "2 to the a // seed 003, Mesa"),
	S(0xf5, "FLOG2", "logarithm of base 2 of a // seed 003, Mesa"),
	S(0xf6, "FSINPI", "sin(pi a) // seed 003, Mesa"),
	S(0xf7, "FCOSPI", "cos(pi a) // seed 003, Mesa"),
	S(0xf9, "FATAN2_PT1", "first step of atan2(a, b): three values in x, z, w // seed 003, Mesa"),
	{ MD_U_SCALAR, MD_F_SCALAR, { { 0 } }, "alu_op_%n%w %D, %A, %B", "unknown" },

	/* Branches: Mesa midgard.h, midgard_jmp_writeout_op. */
	{ MD_U_BRANCH, MD_F_BRU, { { MD_bru_op, 3, 1 } }, "br.uncond%k %o", "branches" },
	BR(2, "cond", "branches when the condition holds"),
	BR(4, "discard", "ends the thread when the condition holds"),
	BR(6, "tilebuffer", "branches while the tile buffer is not ready"),
	BR(7, "write", "writes r0 to the tile buffer and ends; branches when it cannot yet"),
	{ MD_U_BRANCH, MD_F_BR, { { 0 } }, "br.unk%n.%c %o", "unknown" },
	BRX(1, "uncond", "branches"),
	BRX(2, "cond", "branches when the condition holds"),
	BRX(4, "discard", "ends the thread when the condition holds"),
	BRX(6, "tilebuffer", "branches while the tile buffer is not ready"),
	BRX(7, "write", "writes r0 to the tile buffer and ends; branches when it cannot yet"),
	{ MD_U_BRANCHX, MD_F_BRX, { { 0 } }, "brx%k.unk%n.%c %o", "unknown" },

	LDST(0x03, "NOP", "nothing // seed 003, Mesa"),
	LDST(0x04, "UNPACK.f32 %R, %X, %F", FORMAT),
	LDST(0x05, "UNPACK.f16 %R, %X, %F", FORMAT),
	LDST(0x06, "UNPACK.u32 %R, %X, %F", FORMAT),
	LDST(0x07, "UNPACK.s32 %R, %X, %F", FORMAT),
	LDST(0x08, "PACK.f32 %R, %X, %F", FORMAT),
	LDST(0x09, "PACK.f16 %R, %X, %F", FORMAT),
	LDST(0x0a, "PACK.u32 %R, %X, %F", FORMAT),
	LDST(0x0b, "PACK.s32 %R, %X, %F", FORMAT),
	LDST(0x0c, "LEA %R, %E, %X", "the address"),
	LDST(0x0d, "LEA_IMAGE%m %R, %X, %I%a, %G", "the address of an image's texel"),
	LDST(0x0e, "CUBEMAP%m %R, %X", "a direction to the descriptor that TEX of a cube takes"),
	LDST(0x10, "LDST_MOV %R, %X", "a register of the unit"),
	LDST(0x11, "LDST_PERSPECTIVE_DIV_Y%m %R, %X", "all components divided by one"),
	LDST(0x12, "LDST_PERSPECTIVE_DIV_Z%m %R, %X", "all components divided by one"),
	LDST(0x13, "LDST_PERSPECTIVE_DIV_W%m %R, %X", "all components divided by one"),
	LDST(0x40, "AADD.32 %R, %E, %V", "adds the word in memory; gives the old value"),
	LDST(0x41, "AADD.64 %R, %E, %V", "adds the word in memory; gives the old value"),
	LDST(0x42, "AADD.32.be %R, %E, %V", "adds the word in memory; gives the old value"),
	LDST(0x43, "AADD.64.be %R, %E, %V", "adds the word in memory; gives the old value"),
	LDST(0x44, "AAND.32 %R, %E, %V", "ands the word in memory; gives the old value"),
	LDST(0x45, "AAND.64 %R, %E, %V", "ands the word in memory; gives the old value"),
	LDST(0x46, "AAND.32.be %R, %E, %V", "ands the word in memory; gives the old value"),
	LDST(0x47, "AAND.64.be %R, %E, %V", "ands the word in memory; gives the old value"),
	LDST(0x48, "AOR.32 %R, %E, %V", "ors the word in memory; gives the old value"),
	LDST(0x49, "AOR.64 %R, %E, %V", "ors the word in memory; gives the old value"),
	LDST(0x4a, "AOR.32.be %R, %E, %V", "ors the word in memory; gives the old value"),
	LDST(0x4b, "AOR.64.be %R, %E, %V", "ors the word in memory; gives the old value"),
	LDST(0x4c, "AXOR.32 %R, %E, %V", "exclusive-ors the word in memory; gives the old value"),
	LDST(0x4d, "AXOR.64 %R, %E, %V", "exclusive-ors the word in memory; gives the old value"),
	LDST(0x4e, "AXOR.32.be %R, %E, %V", "exclusive-ors the word in memory; gives the old value"),
	LDST(0x4f, "AXOR.64.be %R, %E, %V", "exclusive-ors the word in memory; gives the old value"),
	LDST(0x50, "AMIN.s32 %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x51, "AMIN.s64 %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x52, "AMIN.s32.be %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x53, "AMIN.s64.be %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x54, "AMIN.u32 %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x55, "AMIN.u64 %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x56, "AMIN.u32.be %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x57, "AMIN.u64.be %R, %E, %V", "keeps the smaller in the word in memory; gives the old value"),
	LDST(0x58, "AMAX.s32 %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x59, "AMAX.s64 %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5a, "AMAX.s32.be %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5b, "AMAX.s64.be %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5c, "AMAX.u32 %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5d, "AMAX.u64 %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5e, "AMAX.u32.be %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x5f, "AMAX.u64.be %R, %E, %V", "keeps the larger in the word in memory; gives the old value"),
	LDST(0x60, "XCHG.32 %R, %E, %V", "replaces the word in memory; gives the old value"),
	LDST(0x61, "XCHG.64 %R, %E, %V", "replaces the word in memory; gives the old value"),
	LDST(0x62, "XCHG.32.be %R, %E, %V", "replaces the word in memory; gives the old value"),
	LDST(0x63, "XCHG.64.be %R, %E, %V", "replaces the word in memory; gives the old value"),
	LDST(0x64, "CMPXCHG.32 %R, %E, %V, %C", "written when the old value is the last operand's; the old value"),
	LDST(0x65, "CMPXCHG.64 %R, %E, %V, %C", "written when the old value is the last operand's; the old value"),
	LDST(0x66, "CMPXCHG.32.be %R, %E, %V, %C", "written when the old value is the last operand's; the old value"),
	LDST(0x67, "CMPXCHG.64.be %R, %E, %V, %C", "written when the old value is the last operand's; the old value"),
	LDST(0x80, "LD.u8 %R, %E", "global memory"),
	LDST(0x81, "LD.s8 %R, %E", "global memory"),
	LDST(0x84, "LD.u16 %R, %E", "global memory"),
	LDST(0x85, "LD.s16 %R, %E", "global memory"),
	LDST(0x86, "LD.u16.be %R, %E", "global memory"),
	LDST(0x87, "LD.s16.be %R, %E", "global memory"),
	LDST(0x88, "LD.32 %R, %E", "global memory"),
	LDST(0x89, "LD.32.bswap2 %R, %E", "global memory"),
	LDST(0x8a, "LD.32.bswap4 %R, %E", "global memory"),
	LDST(0x8c, "LD.64 %R, %E", "global memory"),
	LDST(0x8d, "LD.64.bswap2 %R, %E", "global memory"),
	LDST(0x8e, "LD.64.bswap4 %R, %E", "global memory"),
	LDST(0x8f, "LD.64.bswap8 %R, %E", "global memory"),
	LDST(0x90, "LD.128 %R, %E", "global memory"),
	LDST(0x91, "LD.128.bswap2 %R, %E", "global memory"),
	LDST(0x92, "LD.128.bswap4 %R, %E", "global memory"),
	LDST(0x93, "LD.128.bswap8 %R, %E", "global memory"),
	LDST(0x94, "LD_ATTR.f32%m %R, %I%a, %G", "an attribute by its number // seed 003, Mesa"),
	LDST(0x95, "LD_ATTR.f16%m %R, %I%a, %G", "an attribute by its number // seed 003, Mesa"),
	LDST(0x96, "LD_ATTR.u32%m %R, %I%a, %G", "an attribute by its number"),
	LDST(0x97, "LD_ATTR.s32%m %R, %I%a, %G", "an attribute by its number"),
	LDST(0x98, "LD_VARY.f32%m %R, %I%a, %G", "a varying by its number, interpolated // seed 003, Mesa"),
	LDST(0x99, "LD_VARY.f16%m %R, %I%a, %G", "a varying by its number, interpolated // seed 003, Mesa"),
	LDST(0x9a, "LD_VARY.u32%m %R, %I%a, %G", "a varying by its number, interpolated"),
	LDST(0x9b, "LD_VARY.s32%m %R, %I%a, %G", "a varying by its number, interpolated"),
	LDST(0x9c, "LD_SPECIAL.f32 %R, %I%a", "a special value by its number"),
	LDST(0x9d, "LD_SPECIAL.f16 %R, %I%a", "a special value by its number"),
	LDST(0x9e, "LD_SPECIAL.u32 %R, %I%a", "a special value by its number"),
	LDST(0x9f, "LD_SPECIAL.s32 %R, %I%a", "a special value by its number"),
	LDST(0xa0, "LD_UBO.u8 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa1, "LD_UBO.s8 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa4, "LD_UBO.u16 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa5, "LD_UBO.s16 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa6, "LD_UBO.u16.be %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa7, "LD_UBO.s16.be %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa8, "LD_UBO.32 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xa9, "LD_UBO.32.bswap2 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xaa, "LD_UBO.32.bswap4 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xac, "LD_UBO.64 %R, %U, %I%u", "of a uniform buffer // seed 003, Mesa"),
	LDST(0xad, "LD_UBO.64.bswap2 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xae, "LD_UBO.64.bswap4 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xaf, "LD_UBO.64.bswap8 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xb0, "LD_UBO.128 %R, %U, %I%u", "of a uniform buffer // seed 003, Mesa"),
	LDST(0xb1, "LD_UBO.128.bswap2 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xb2, "LD_UBO.128.bswap4 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xb3, "LD_UBO.128.bswap8 %R, %U, %I%u", "of a uniform buffer"),
	LDST(0xb4, "LD_IMAGE.f32%m %R, %I%a, %G", "a texel of an image"),
	LDST(0xb5, "LD_IMAGE.f16%m %R, %I%a, %G", "a texel of an image"),
	LDST(0xb6, "LD_IMAGE.u32%m %R, %I%a, %G", "a texel of an image"),
	LDST(0xb7, "LD_IMAGE.s32%m %R, %I%a, %G", "a texel of an image"),
	LDST(0xb8, "LD_TILEBUFFER.f32 %R", "of the tile buffer"),
	LDST(0xb9, "LD_TILEBUFFER.f16 %R", "of the tile buffer"),
	LDST(0xba, "LD_TILEBUFFER.raw %R", "of the tile buffer"),
	LDST(0xc0, "ST.u8 %S, %E", "to global memory"),
	LDST(0xc1, "ST.s8 %S, %E", "to global memory"),
	LDST(0xc4, "ST.u16 %S, %E", "to global memory"),
	LDST(0xc5, "ST.s16 %S, %E", "to global memory"),
	LDST(0xc6, "ST.u16.be %S, %E", "to global memory"),
	LDST(0xc7, "ST.s16.be %S, %E", "to global memory"),
	LDST(0xc8, "ST.32 %S, %E", "to global memory"),
	LDST(0xc9, "ST.32.bswap2 %S, %E", "to global memory"),
	LDST(0xca, "ST.32.bswap4 %S, %E", "to global memory"),
	LDST(0xcc, "ST.64 %S, %E", "to global memory"),
	LDST(0xcd, "ST.64.bswap2 %S, %E", "to global memory"),
	LDST(0xce, "ST.64.bswap4 %S, %E", "to global memory"),
	LDST(0xcf, "ST.64.bswap8 %S, %E", "to global memory"),
	LDST(0xd0, "ST.128 %S, %E", "to global memory"),
	LDST(0xd1, "ST.128.bswap2 %S, %E", "to global memory"),
	LDST(0xd2, "ST.128.bswap4 %S, %E", "to global memory"),
	LDST(0xd3, "ST.128.bswap8 %S, %E", "to global memory"),
	LDST(0xd4, "ST_VARY.f32%m %S, %I%a, %G", "a varying by its number // seed 003, Mesa"),
	LDST(0xd5, "ST_VARY.f16%m %S, %I%a, %G", "a varying by its number // seed 003, Mesa"),
	LDST(0xd6, "ST_VARY.u32%m %S, %I%a, %G", "a varying by its number"),
	LDST(0xd7, "ST_VARY.s32%m %S, %I%a, %G", "a varying by its number"),
	LDST(0xd8, "ST_IMAGE.f32%m %S, %I%a, %G", "a texel of an image"),
	LDST(0xd9, "ST_IMAGE.f16%m %S, %I%a, %G", "a texel of an image"),
	LDST(0xda, "ST_IMAGE.u32%m %S, %I%a, %G", "a texel of an image"),
	LDST(0xdb, "ST_IMAGE.s32%m %S, %I%a, %G", "a texel of an image"),
	LDST(0xdc, "ST_SPECIAL.f32 %R, %I%a", "to a special value by its number"),
	LDST(0xdd, "ST_SPECIAL.f16 %R, %I%a", "to a special value by its number"),
	LDST(0xde, "ST_SPECIAL.u32 %R, %I%a", "to a special value by its number"),
	LDST(0xdf, "ST_SPECIAL.s32 %R, %I%a", "to a special value by its number"),
	LDST(0xe8, "ST_TILEBUFFER.f32 %R", "to the tile buffer"),
	LDST(0xe9, "ST_TILEBUFFER.f16 %R", "to the tile buffer"),
	LDST(0xea, "ST_TILEBUFFER.raw %R", "to the tile buffer"),
	LDST(0xfc, "TRAP %O", "unknown: Mesa has its name and that it takes a number; what becomes of the thread nobody says"),
	{ MD_U_LDST, MD_F_LDST, { { 0 } }, "ldst_op_%n %R", "unknown" },

	TEX(1, "TEX", "a texture, with a bias on the level"),
	TEX(2, "TEX_GRAD", "a texture, of a given level"),
	TEX(4, "TEX_FETCH", "a texel, unfiltered"),
	TEX(9, "DER_TO_GRAD", GRADIENT),
	TEX(10, "MOV", "the input"),
	{ MD_U_TEX, MD_F_TEX, { { MD_tex_op, 4, 11 } }, "BARRIER%b", "nothing but waiting" },
	TEX(12, "COORDS_TO_GRAD", GRADIENT),
	TEX(13, "DERIVATIVE", "in 2x2 threads"),
	{ MD_U_TEX, MD_F_TEX, { { 0 } }, "tex_op_%n%m %T, %U, %P, %I", "unknown" },
};

static const char *const units[] = { "vector", "scalar", "branch", "extended branch", "load/store", "texture" };

const struct isa isa_midgard = {
	.number = ISA_MIDGARD,
	.name = "midgard",
	.forms = forms,
	.form_count = MD_FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.source = "Mesa src/panfrost/midgard",
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

/* Half-words of an ALU bundle without padding and constants, by its control word. */
static unsigned int alu_halves(uint32_t ctrl)
{
	unsigned int n = 2;

#pragma GCC unroll 8
	for (unsigned int b = MD_B_VMUL; b <= MD_B_BRANCHX; b++)
		n += (ctrl >> control_bit[b] & 1) * (md_bits[b] / 16);
	return n;
}

static uint16_t half_at(const uint32_t *words, unsigned int i)
{
	return words[i / 2] >> i % 2 * 16;
}

/* Half-words of padding that are to be 0, behind the body. */
static bool padded(const uint32_t *words, unsigned int halves)
{
	uint32_t any = halves % 2 ? words[halves / 2] >> 16 : 0;

	for (unsigned int i = (halves + 1) / 2; i % 4; i++)
		any |= words[i];
	return !any;
}

unsigned int md_length(const uint32_t *words, size_t left)
{
	unsigned int tag = words[0] & 15, quads = (words[0] & 3) + 1, halves;

	if (tag < MD_ALU)
		return tag >= MD_TEX_VERTEX && tag <= MD_LDST && left >= 4 ? 4 : 0;
	halves = alu_halves(words[0]);
	if (4 * quads > left || quads < (halves + 7) / 8 || quads > (halves + 7) / 8 + 1 || !padded(words, halves))
		return 0;
	return 4 * quads;
}

static void split_alu(const uint32_t *words, size_t left, struct md_bundle *b)
{
	unsigned int quads = (words[0] & 3) + 1, reg = 2, body, halves;

	b->block[MD_B_CTRL].w[0] = words[0];
	b->present = 1 << MD_B_CTRL;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++)
		b->present |= (words[0] >> control_bit[i] & 1) << i;
	halves = alu_halves(words[0]);
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
	if (!padded(words, body))
		return;
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
		const uint32_t *w = words;

		b->block[MD_B_CTRL].w[0] = w[0] & 0xff;
		b->block[MD_B_LDST0].w[0] = w[0] >> 8 | w[1] << 24;
		b->block[MD_B_LDST0].w[1] = (w[1] >> 8 | w[2] << 24) & 0x0fffffff;
		b->block[MD_B_LDST1].w[0] = w[2] >> 4 | w[3] << 28;
		b->block[MD_B_LDST1].w[1] = w[3] >> 4;
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
	unsigned int quads, reg = 2, body = reg;
	uint32_t ctrl = 0;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++)
		ctrl |= (uint32_t)(b->present >> i & 1) << control_bit[i];
	quads = (alu_halves(ctrl) + 7) / 8 + (b->present >> MD_B_CONST & 1);
	ctrl |= b->block[MD_B_CTRL].w[0];
	if (quads > 4)
		return 0;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++)
		body += b->present >> i & 1;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++) {
		unsigned int lo = 0;

		if (!(b->present >> i & 1))
			continue;
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
	const uint32_t *first = b->block[MD_B_LDST0].w, *second = b->block[MD_B_LDST1].w;

	memset(out, 0, 64);
	if (b->present >> MD_B_TEX & 1) {
		memcpy(out, b->block[MD_B_TEX].w, 16);
		return 4;
	}
	if (!(b->present >> MD_B_LDST0 & 1))
		return join_alu(b, out);
	/* 60 bits each, from bits 8 and 68. */
	out[0] = (b->block[MD_B_CTRL].w[0] & 0xff) | first[0] << 8;
	out[1] = first[0] >> 24 | first[1] << 8;
	out[2] = (first[1] >> 24 & 15) | second[0] << 4;
	out[3] = second[0] >> 28 | second[1] << 4;
	return 4;
}
