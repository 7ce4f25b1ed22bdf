// SPDX-License-Identifier: MIT
/*
 * Vivante GCxxx: the table: the union of etna_viv's rnndb isa.xml and Mesa's
 * etnaviv.xml. Where they name a code differently (0x24, 0x36, 0x48, 0x60, 0x7f)
 * Mesa's name is taken: its vectors come from later hardware. The text is Mesa's.
 */
#include <string.h>

#include "isa/line.h"
#include "isa/vivante.h"
#include "isa/vivante_operand.h"

const struct viv_source viv_source[3] = {
	{ 43, 44, 54, 62, 63, 64, 67 },
	{ 70, 71, 81, 89, 90, 91, 96 },
	{ 99, 100, 110, 118, 119, 121, 124 },
};

#define HEAD \
	{ "opcode", 0, 6, 0, "low bits; opcode_bit6 is the seventh" }, \
	{ "cond", 6, 5, 0, "condition" }, \
	{ "sat", 11, 1, 0, "clamp the result to 0..1" }, \
	{ "dst_use", 12, 1, 0, "" }, \
	{ "dst_amode", 13, 3, 0, "1-4: plus a.x .. a.w" }, \
	{ "dst_reg", 16, 7, 0, "" }, \
	{ "dst_comps", 23, 4, 0, "write mask" }, \
	{ "tex_id", 27, 5, 0, "sampler" }

#define SOURCES01 \
	{ "src0_use", 43, 1, 0, "" }, { "src0_reg", 44, 9, 0, "" }, { "type_bit2", 53, 1, 0, "" }, \
	{ "src0_swiz", 54, 8, 0, "" }, { "src0_neg", 62, 1, 0, "" }, { "src0_abs", 63, 1, 0, "" }, \
	{ "src0_amode", 64, 3, 0, "" }, { "src0_rgroup", 67, 3, 0, "" }, \
	{ "src1_use", 70, 1, 0, "" }, { "src1_reg", 71, 9, 0, "" }, { "opcode_bit6", 80, 1, 0, "GC2000 and later" }, \
	{ "src1_swiz", 81, 8, 0, "" }, { "src1_neg", 89, 1, 0, "" }, { "src1_abs", 90, 1, 0, "" }, \
	{ "src1_amode", 91, 3, 0, "" }, { "type", 94, 2, 0, "low bits of the operand type" }, \
	{ "src1_rgroup", 96, 3, 0, "" }

#define SOURCE2 \
	{ "src2_use", 99, 1, 0, "" }, { "src2_reg", 100, 9, 0, "" }, { "low_half", 109, 1, 0, "dual-16: thread 0" }, \
	{ "src2_swiz", 110, 8, 0, "" }, { "src2_neg", 118, 1, 0, "" }, { "src2_abs", 119, 1, 0, "" }, \
	{ "high_half", 120, 1, 0, "dual-16: thread 1" }, { "src2_amode", 121, 3, 0, "" }, \
	{ "src2_rgroup", 124, 3, 0, "" }, { "dst_full", 127, 1, 0, "text: .hp" }

static const struct isa_field alu[] = {
	HEAD,
	{ "rmode", 32, 2, 0, "1: towards zero, 2: to nearest even" },
	{ "pmode", 34, 1, 0, "text: .pack when 0" },
	{ "left_shift", 35, 3, 0, "loads and stores: of the offset" },
	{ "unknown_38_1", 38, 1, 0, "" },
	{ "skphp", 39, 1, 0, "skip in helper pixels" },
	{ "local", 40, 1, 0, "local memory" },
	{ "unknown_41_1", 41, 1, 0, "" },
	{ "denorm", 42, 1, 0, "" },
	SOURCES01, SOURCE2,
};

static const struct isa_field tex[] = {
	HEAD,
	{ "tex_amode", 32, 3, 0, "1-4: sampler plus a.x .. a.w" },
	{ "tex_swiz", 35, 8, 0, "of what is fetched" },
	SOURCES01, SOURCE2,
};

static const struct isa_field cf[] = {
	HEAD,
	{ "unknown_32_11", 32, 11, 0, "" },
	SOURCES01,
	{ "unknown_99_4", 99, 4, 0, "" },
	{ "target", 103, 15, 0, "instruction" },
	{ "unknown_118_10", 118, 10, 0, "" },
};

static const struct isa_form forms[VIV_FORMS] = {
	[VIV_F_ALU] = { "", 0, alu, sizeof(alu) / sizeof(alu[0]) },
	[VIV_F_TEX] = { "tex", 0, tex, sizeof(tex) / sizeof(tex[0]) },
	[VIV_F_CF] = { "cf", 0, cf, sizeof(cf) / sizeof(cf[0]) },
};

static const char *const units[] = { "instruction" };

#define OPC(code) { { 0, 6, (code) & 63 }, { 80, 1, (code) >> 6 } }
/* Capital letters: sources the op takes; small: those that it does not. */
#define ALU(code, name, srcs, note) { 0, VIV_F_ALU, OPC(code), name "%m%_%D, " srcs, note }
#define S012 "%A, %B, %C"
#define S01 "%A, %B, %c"
#define S02 "%A, %b, %C"
#define S12 "%a, %B, %C"
#define S0 "%A, %b, %c"
#define S2 "%a, %b, %C"
#define NONE "%a, %b, %c"
#define BARE(code, name, note) { 0, VIV_F_ALU, OPC(code), name "%_%D, %a, %b, %c", note }
#define TEXT(code, name, note) { 0, VIV_F_TEX, OPC(code), name "%_%D, %X, %A, %B, %C", note }
#define JUMP(code, name, note) { 0, VIV_F_CF, OPC(code), name "%m%_%D, %A, %B, %T", note }

/* Ops that rnndb lists as "unverified" and Mesa not at all, but for the name in a comment. */
#define SOURCES "unknown: rnndb has its name alone, unverified; what its sources mean nobody says"
#define LOW_PART "unknown: rnndb has its name alone, unverified; low part of what precision nobody says"
#define VARIANT "unknown: rnndb has its name alone, unverified; how it differs from the op of its name with a 0 nobody says"
#define WHICH_HALF "unknown: rnndb has its name alone, unverified; which half of the product, beside imullo0 and imulhi0, nobody says"
#define PLACES "unknown: rnndb has its name alone, unverified; where gradients and reference stand nobody says"

static const struct isa_op ops[] = {
	BARE(0x00, "nop", "nothing"),
	ALU(0x01, "add", S02, "src0 + src2"),
	ALU(0x02, "mad", S012, "src0 * src1 + src2"),
	ALU(0x03, "mul", S01, "src0 * src1"),
	ALU(0x04, "dst", S01, "1, src0.y * src1.y, src0.z, src1.w // rnndb isa.xml"),
	ALU(0x05, "dp3", S01, "dot product of three components, in all"),
	ALU(0x06, "dp4", S01, "dot product of four components, in all"),
	ALU(0x07, "dsx", S02, "derivative to x"),
	ALU(0x08, "dsy", S02, "derivative to y"),
	ALU(0x09, "mov", S2, "src2"),
	ALU(0x0a, "movar", S2, "float src2 to the address register"),
	ALU(0x0b, "movaf", S2, "float src2 to the address register // rnndb isa.xml"),
	ALU(0x0c, "rcp", S2, "1 / src2"),
	ALU(0x0d, "rsq", S2, "1 / sqrt(src2)"),
	ALU(0x0e, "litp", S012, "1, src1.y, exp2(src2.x), 1; y and z are 0 but where src1.z and the same of src0 are above 0 // rnndb isa.xml"),
	ALU(0x0f, "select", S012, "one condition operand: COND(src0) ? src1 : src2; two: src1 COND src0 ? src2 : src1 (rnndb)"),
	ALU(0x10, "set", S01, "src0 COND src1 ? 1.0 : 0.0"),
	ALU(0x11, "exp", S2, "exp2(src2.x), in all"),
	ALU(0x12, "log", S2, "log2(src2.x), in all; .rtz: as a product, as div (rnndb)"),
	ALU(0x13, "frc", S2, "src2 - floor(src2)"),
	JUMP(0x14, "call", "call"),
	BARE(0x15, "ret", "return"),
	JUMP(0x16, "branch", "when src0 COND src1"),
	ALU(0x17, "texkill", S01, "the fragment ends when src0 COND src1"),
	TEXT(0x18, "texld", "texture at src0; src2: reference of a shadow sampler (Mesa)"),
	TEXT(0x19, "texldb", "texture with a bias in src0.w"),
	TEXT(0x1a, "texldd", "texture with derivatives src1, src2"),
	TEXT(0x1b, "texldl", "texture of the level src0.w"),
	TEXT(0x1c, "texldpcf", "texture at src0, compared with the reference src2.x // rnndb isa.xml, its name alone"),
	ALU(0x1d, "rep", S01, "src0.x times what is before endrep // rnndb isa.xml, its name alone"),
	ALU(0x1e, "endrep", NONE, "end of rep // rnndb isa.xml"),
	ALU(0x1f, "loop", S01, "src0.x times what is before endloop, a.x from src0.y on in steps of src0.z // rnndb isa.xml, its name alone"),
	ALU(0x20, "endloop", NONE, "end of loop // rnndb isa.xml"),
	ALU(0x21, "sqrt", S2, "sqrt(src2)"),
	ALU(0x22, "sin", S2, "sin(src2 * pi / 2); .rtz: sin(src2 * pi), as a product, as div (rnndb)"),
	ALU(0x23, "cos", S2, "cos(src2 * pi / 2); .rtz: cos(src2 * pi), as a product, as div (rnndb)"),
	JUMP(0x24, "branch_any", "when src0 COND src1 in any component"),
	ALU(0x25, "floor", S2, "floor(src2)"),
	ALU(0x26, "ceil", S2, "ceil(src2)"),
	ALU(0x27, "sign", S2, "-1, 0 or 1"),
	ALU(0x28, "addlo", S02, LOW_PART),
	ALU(0x29, "mullo", S01, LOW_PART),
	BARE(0x2a, "barrier", "waits for the work group"),
	ALU(0x2b, "swizzle", S012, SOURCES),
	ALU(0x2c, "i2i", S01, "integer to the type's size"),
	ALU(0x2d, "i2f", S0, "integer of the type to float"),
	ALU(0x2e, "f2i", S0, "float to integer of the type, towards zero"),
	ALU(0x2f, "f2irnd", S0, "float to integer of the type, rounded as .rtz, .rtne say"),
	ALU(0x30, "f2i7", S0, SOURCES),
	ALU(0x31, "cmp", S012, "src0 COND src1 ? src2 : 0, on the type"),
	ALU(0x32, "load", S01, "memory at src0 + src1"),
	{ 0, VIV_F_ALU, OPC(0x33), "store%m%_%M, %A, %B, %C", "src2 to memory at src0 + src1" },
	ALU(0x34, "img_load_3d", S01, "as img_load, of the slice src1.z // rnndb isa.xml"),
	{ 0, VIV_F_ALU, OPC(0x35), "img_store_3d%m%_%M, %A, %B, %C", "as img_store, to the slice src1.z // rnndb isa.xml" },
	ALU(0x36, "clamp0_max", S01, "clamp src0 to 0 .. src1"),
	ALU(0x37, "nan", S012, SOURCES),
	ALU(0x38, "nextafter", S01, "the next number after src0 towards src1 // rnndb isa.xml, its name alone"),
	ALU(0x39, "roundeven", S2, "src2 to the nearest whole number, halves to even // rnndb isa.xml, its name alone"),
	ALU(0x3a, "roundaway", S2, "src2 to the nearest whole number, halves away from 0 // rnndb isa.xml, its name alone"),
	ALU(0x3b, "iaddsat", S02, "src0 + src2, saturated to the type"),
	ALU(0x3c, "imullo0", S01, "low half of the product"),
	ALU(0x3d, "imullo1", S01, VARIANT),
	ALU(0x3e, "imullosat0", S01, "low half of the product, saturated to the type (name only) // rnndb isa.xml"),
	ALU(0x3f, "imullosat1", S01, VARIANT),
	ALU(0x40, "imulhi0", S01, "high half of the product"),
	ALU(0x41, "imulhi1", S01, VARIANT),
	ALU(0x42, "imul0", S01, WHICH_HALF),
	ALU(0x43, "imul1", S01, VARIANT),
	ALU(0x44, "idiv0", S01, "quotient"),
	ALU(0x45, "idiv1", S01, VARIANT),
	ALU(0x46, "idiv2", S01, VARIANT),
	ALU(0x47, "idiv3", S01, VARIANT),
	ALU(0x48, "imod", S01, "remainder"),
	TEXT(0x49, "texelfetch", "the texel at the integers src0 of the level src1.x, a float (rnndb, GC7000L) // rnndb isa.xml"),
	ALU(0x4a, "imod2", S01, VARIANT),
	ALU(0x4b, "imod3", S01, VARIANT),
	ALU(0x4c, "imadlo0", S012, "low half of src0 * src1, + src2"),
	ALU(0x4d, "imadlo1", S012, VARIANT),
	ALU(0x4e, "imadlosat0", S012, "src0 * src1 + src2, saturated to the type"),
	ALU(0x4f, "imadlosat1", S012, VARIANT),
	ALU(0x50, "imadhi0", S012, "high half of src0 * src1, + src2 // rnndb isa.xml, its name alone"),
	ALU(0x51, "imadhi1", S012, VARIANT),
	ALU(0x52, "imadhisat0", S012, "as imadhi0, saturated to the type // rnndb isa.xml, its name alone"),
	ALU(0x53, "imadhisat1", S012, VARIANT),
	ALU(0x54, "halfadd", S02, "(src0 + src2) >> 1, without overflow // rnndb isa.xml, its name alone"),
	ALU(0x55, "halfaddinc", S02, "(src0 + src2 + 1) >> 1, without overflow // rnndb isa.xml, its name alone"),
	ALU(0x56, "movai", S2, "integer src2 to the address register"),
	ALU(0x57, "iabs", S2, "absolute value"),
	ALU(0x58, "leadzero", S2, "zeros above the highest one"),
	ALU(0x59, "lshift", S02, "src0 << src2"),
	ALU(0x5a, "rshift", S02, "src0 >> src2, arithmetic for signed types"),
	ALU(0x5b, "rotate", S02, "src0 turned left by src2"),
	ALU(0x5c, "or", S02, "src0 | src2"),
	ALU(0x5d, "and", S02, "src0 & src2"),
	ALU(0x5e, "xor", S02, "src0 ^ src2"),
	ALU(0x5f, "not", S2, "~src2"),
	ALU(0x60, "bit_extract", S012, "src2 bits of src0 from bit src1 on, extended as the type (GUESS on the order)"),
	ALU(0x61, "popcount", S2, "how many ones"),
	ALU(0x62, "storeb", S012, SOURCES),
	ALU(0x63, "rgb2yuv", S012, SOURCES),
	ALU(0x64, "div", S12, "src1 / src2; .rtz: two components that give it when multiplied (rnndb)"),
	ALU(0x65, "atomic_add", S012, "memory at src0 + src1, operand src2; the old value"),
	ALU(0x66, "atomic_xchg", S012, "as atomic_add"),
	ALU(0x67, "atomic_cmp_xchg", S012, "as atomic_add; compares with src2.x, writes src2.y (GUESS)"),
	ALU(0x68, "atomic_min", S012, "as atomic_add"),
	ALU(0x69, "atomic_max", S012, "as atomic_add"),
	ALU(0x6a, "atomic_or", S012, "as atomic_add"),
	ALU(0x6b, "atomic_and", S012, "as atomic_add"),
	ALU(0x6c, "atomic_xor", S012, "as atomic_add"),
	ALU(0x6d, "bit_rev", S0, "bits in the other order"),
	ALU(0x6e, "byte_rev", S0, "bytes in the other order // rnndb isa.xml, its name alone"),
	TEXT(0x6f, "texldlpcf", "texture of the level src1.x, compared with the reference src2.x (Mesa)"),
	TEXT(0x70, "texldgpcf", PLACES),
	ALU(0x71, "pack", S012, SOURCES),
	ALU(0x72, "conv", S01, "float of one size to another; src1: 0 to f32, 1 to f16 (GUESS)"),
	ALU(0x73, "dp2", S01, "dot product of two components, in all"),
	ALU(0x74, "norm_dp2", S0, "1 / length of two components (GUESS)"),
	ALU(0x75, "norm_dp3", S0, "1 / length of three components (GUESS)"),
	ALU(0x76, "norm_dp4", S0, "1 / length of four components (GUESS)"),
	ALU(0x77, "norm_mul", S012, SOURCES),
	ALU(0x78, "store_attr", S012, SOURCES),
	ALU(0x79, "img_load", S01, "texel at src1.xy of the image src0: address, bytes of a line, height << 16 | width (rnndb)"),
	{ 0, VIV_F_ALU, OPC(0x7a), "img_store%m%_%M, %A, %B, %C", "src2 to the texel of img_load (rnndb)" },
	ALU(0x7b, "restart", S012, SOURCES),
	ALU(0x7c, "nop7c", NONE, "nothing // rnndb isa.xml, its name alone"),
	ALU(0x7d, "nop7d", NONE, "nothing // rnndb isa.xml, its name alone"),
	ALU(0x7e, "nop7e", NONE, "nothing // rnndb isa.xml, its name alone"),
	{ 0, VIV_F_ALU, { { 0, 6, 0x3f }, { 80, 1, 1 }, { 99, 10, 1 | 11 << 1 } }, "bit_findlsb%m%_%D, %A, %b, %x",
	  "index of the lowest one; -1 when there is none" },
	{ 0, VIV_F_ALU, { { 0, 6, 0x3f }, { 80, 1, 1 }, { 99, 10, 1 | 12 << 1 } }, "bit_findmsb%m%_%D, %A, %b, %x",
	  "index of the highest one (signed types: of the highest bit unlike the sign); -1: none" },
	{ 0, VIV_F_ALU, { { 0, 0, 0 } }, "op%n%m%_%D, %A, %B, %C", "unknown" },
};

const struct isa isa_vivante = {
	.number = ISA_VIVANTE,
	.name = "vivante",
	.forms = forms,
	.form_count = VIV_FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.source = "rnndb isa.xml, Mesa etnaviv.xml",
	.line_words = 4,
	.line_target = { VIV_F_CF, VIV_TARGET, 15 },
	.read = viv_read,
	.write = viv_write,
	.assemble = isa_line_assemble,
	.disassemble = isa_line_disassemble,
	.check = viv_check,
	.check_declared = viv_check_declared,
};
