// SPDX-License-Identifier: MIT
/*
 * Utgard PP: the table. Facts: mali-isa-docs Utgard-PP.md ("doc"), Mesa
 * src/gallium/drivers/lima/ir/pp ("Mesa"), whose disassembler's dialect the
 * text is.
 */
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

const uint8_t pp_bits[PP_BLOCKS] = { 32, 34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64 };

static const struct isa_field ctrl[] = {
	{ "count", 0, 5, 0, "length in words, this one included" },
	{ "stop", 5, 1, 0, "the shader ends after this instruction" },
	{ "sync", 6, 1, 0, "with texture lookups and derivatives: the quad goes together (GUESS in doc)" },
	{ "fields", 7, 12, 0, "which fields follow" },
	{ "next_count", 19, 6, 0, "length of the next instruction" },
	{ "prefetch", 25, 1, 0, "the next instruction can be reached from here" },
	{ "unknown", 26, 6, 0, "0" },
};

static const struct isa_field varying[] = {
	{ "perspective", 0, 2, 0, "0 none, 2 divide by z, 3 divide by w" },
	{ "source_type", 2, 2, 0, "" },
	{ "unknown_0", 4, 1, 0, "" },
	{ "alignment", 5, 2, 0, "0: float, 1: vec2, 3: vec4; the unit of index" },
	{ "unknown_1", 7, 3, 0, "" },
	{ "offset_vector", 10, 4, 15, "register added to the index; 15: none" },
	{ "unknown_2", 14, 2, 0, "" },
	{ "offset_scalar", 16, 2, 0, "component of the offset register" },
	{ "index", 18, 6, 0, "" },
	{ "dest", 24, 4, 0, "15: nowhere, only for the texture unit" },
	{ "mask", 28, 4, 0, "" },
	{ "unknown_3", 32, 2, 0, "" },
};

static const struct isa_field varying_reg[] = {
	{ "perspective", 0, 2, 0, "0 none, 2 divide by z, 3 divide by w" },
	{ "source_type", 2, 2, 0, "" },
	{ "unknown_0", 4, 2, 0, "" },
	{ "normalize", 6, 1, 0, "Mesa's name; never seen set" },
	{ "unknown_1", 7, 3, 0, "doc has 1 for normalize" },
	{ "source", 10, 4, 0, "" },
	{ "negate", 14, 1, 0, "" },
	{ "absolute", 15, 1, 0, "" },
	{ "swizzle", 16, 8, 0, "" },
	{ "dest", 24, 4, 0, "15: nowhere, only for the texture unit" },
	{ "mask", 28, 4, 0, "" },
	{ "unknown_2", 32, 2, 0, "" },
};

static const struct isa_field sampler[] = {
	{ "lod_bias", 0, 6, 0, "register with the bias or level" },
	{ "index_offset", 6, 6, 0, "register added to the index" },
	{ "unknown_0", 12, 5, 0, "" },
	{ "explicit_lod", 17, 1, 0, "the register is the level itself" },
	{ "lod_bias_en", 18, 1, 0, "" },
	{ "unknown_1", 19, 5, 0, "" },
	{ "type", 24, 5, 0, "0: 2D and others, 31: cube" },
	{ "offset_en", 29, 1, 0, "" },
	{ "index", 30, 12, 0, "" },
	{ "unknown_2", 42, 20, 0x39001, "" },
};

static const struct isa_field uniform[] = {
	{ "source", 0, 2, 0, "0: uniform, 3: temporary" },
	{ "unknown_0", 2, 8, 0, "" },
	{ "alignment", 10, 2, 0, "0: float, 1: vec2, 2: vec4; the unit of index" },
	{ "unknown_1", 12, 6, 0, "" },
	{ "offset_reg", 18, 6, 0, "" },
	{ "offset_en", 24, 1, 0, "" },
	{ "index", 25, 16, 0, "signed" },
};

#define VECTOR_FIELDS \
	{ "arg0_source", 0, 4, 0, "" }, \
	{ "arg0_swizzle", 4, 8, 0, "" }, \
	{ "arg0_absolute", 12, 1, 0, "" }, \
	{ "arg0_negate", 13, 1, 0, "" }, \
	{ "arg1_source", 14, 4, 0, "" }, \
	{ "arg1_swizzle", 18, 8, 0, "" }, \
	{ "arg1_absolute", 26, 1, 0, "" }, \
	{ "arg1_negate", 27, 1, 0, "" }, \
	{ "dest", 28, 4, 0, "" }, \
	{ "mask", 32, 4, 0, "0: result only for the adder" }, \
	{ "dest_modifier", 36, 2, 0, "1: clamp to 0..1, 2: not below 0, 3: round" }, \
	{ "op", 38, 5, 0, "" }
#define SCALAR_FIELDS \
	{ "arg0_source", 0, 6, 0, "" }, \
	{ "arg0_absolute", 6, 1, 0, "" }, \
	{ "arg0_negate", 7, 1, 0, "" }, \
	{ "arg1_source", 8, 6, 0, "" }, \
	{ "arg1_absolute", 14, 1, 0, "" }, \
	{ "arg1_negate", 15, 1, 0, "" }, \
	{ "dest", 16, 6, 0, "" }, \
	{ "output_en", 22, 1, 0, "0: result only for the adder" }, \
	{ "dest_modifier", 23, 2, 0, "1: clamp to 0..1, 2: not below 0, 3: round" }, \
	{ "op", 25, 5, 0, "" }

static const struct isa_field vmul[] = { VECTOR_FIELDS };
static const struct isa_field vadd[] = { VECTOR_FIELDS, { "mul_in", 43, 1, 0, "arg0 is ^v0" } };
static const struct isa_field smul[] = { SCALAR_FIELDS };
static const struct isa_field sadd[] = { SCALAR_FIELDS, { "mul_in", 30, 1, 0, "arg0 is ^s0" } };

#define COMBINE_ARG0 \
	{ "arg0_absolute", 14, 1, 0, "" }, \
	{ "arg0_negate", 15, 1, 0, "" }, \
	{ "arg0_src", 16, 6, 0, "" }
#define COMBINE_HEAD \
	{ "dest_vec", 0, 1, 0, "" }, \
	{ "arg1_en", 1, 1, 0, "" }
#define COMBINE_OP \
	{ "op", 2, 4, 0, "" }, \
	{ "arg1_absolute", 6, 1, 0, "" }, \
	{ "arg1_negate", 7, 1, 0, "" }, \
	{ "arg1_src", 8, 6, 0, "" }
#define COMBINE_VECTOR \
	{ "arg1_swizzle", 2, 8, 0, "" }, \
	{ "arg1_source", 10, 4, 0, "" }

static const struct isa_field combine[] = {
	COMBINE_HEAD, COMBINE_OP, COMBINE_ARG0,
	{ "dest_modifier", 22, 2, 0, "" },
	{ "dest", 24, 6, 0, "" },
};

static const struct isa_field combine_wide[] = {
	COMBINE_HEAD, COMBINE_OP, COMBINE_ARG0,
	{ "mask", 22, 4, 0, "" },
	{ "dest", 26, 4, 0, "" },
};

static const struct isa_field combine_mul[] = {
	COMBINE_HEAD, COMBINE_VECTOR, COMBINE_ARG0,
	{ "mask", 22, 4, 0, "" },
	{ "dest", 26, 4, 0, "" },
};

static const struct isa_field combine_pt2[] = {
	COMBINE_HEAD, COMBINE_VECTOR,
	{ "unknown_0", 14, 8, 0, "" },
	{ "dest_modifier", 22, 2, 0, "" },
	{ "dest", 24, 6, 0, "" },
};

static const struct isa_field temp_write[] = {
	{ "dest", 0, 2, 3, "3: temporary" },
	{ "unknown_0", 2, 2, 0, "" },
	{ "source", 4, 6, 0, "" },
	{ "alignment", 10, 2, 0, "0: float, 1: vec2, 2: vec4; the unit of index" },
	{ "unknown_1", 12, 6, 0, "" },
	{ "offset_reg", 18, 6, 0, "" },
	{ "offset_en", 24, 1, 0, "" },
	{ "index", 25, 16, 0, "signed" },
};

static const struct isa_field fb_read[] = {
	{ "source", 0, 1, 0, "0: depth, 1: colour" },
	{ "unknown_0", 1, 5, 7, "" },
	{ "dest", 6, 4, 0, "" },
	{ "unknown_1", 10, 31, 2, "" },
};

static const struct isa_field branch[] = {
	{ "unknown_0", 0, 4, 0, "" },
	{ "arg1_source", 4, 6, 0, "" },
	{ "arg0_source", 10, 6, 0, "" },
	{ "cond", 16, 3, 0, "1: arg0 > arg1, 2: equal, 4: less" },
	{ "unknown_1", 19, 22, 0, "" },
	{ "target", 41, 27, 0, "signed, words from this instruction" },
	{ "next_count", 68, 5, 0, "length of the target instruction" },
};

static const struct isa_field discard[] = {
	{ "word0", 0, 32, 0x007f0003, "" },
	{ "word1", 32, 32, 0, "" },
	{ "word2", 64, 9, 0, "" },
};

static const struct isa_field constant[] = {
	{ "x", 0, 16, 0, "fp16" },
	{ "y", 16, 16, 0, "fp16" },
	{ "z", 32, 16, 0, "fp16" },
	{ "w", 48, 16, 0, "fp16" },
};

#define FORM(name, block, fields) { name, block, fields, sizeof(fields) / sizeof((fields)[0]) }
static const struct isa_form forms[PP_FORMS] = {
	[PP_F_CTRL] = FORM("ctrl", PP_CTRL, ctrl),
	[PP_F_VARYING] = FORM("varying", PP_VARYING, varying),
	[PP_F_VARYING_REG] = FORM("varying_reg", PP_VARYING, varying_reg),
	[PP_F_SAMPLER] = FORM("sampler", PP_SAMPLER, sampler),
	[PP_F_UNIFORM] = FORM("uniform", PP_UNIFORM, uniform),
	[PP_F_VMUL] = FORM("vec4_mul", PP_VMUL, vmul),
	[PP_F_SMUL] = FORM("float_mul", PP_SMUL, smul),
	[PP_F_VADD] = FORM("vec4_acc", PP_VADD, vadd),
	[PP_F_SADD] = FORM("float_acc", PP_SADD, sadd),
	[PP_F_COMBINE] = FORM("combine", PP_COMBINE, combine),
	[PP_F_COMBINE_WIDE] = FORM("combine_wide", PP_COMBINE, combine_wide),
	[PP_F_COMBINE_MUL] = FORM("combine_mul", PP_COMBINE, combine_mul),
	[PP_F_COMBINE_PT2] = FORM("combine_pt2", PP_COMBINE, combine_pt2),
	[PP_F_TEMP] = FORM("temp_write", PP_TEMP, temp_write),
	[PP_F_FB] = FORM("fb_read", PP_TEMP, fb_read),
	[PP_F_BRANCH] = FORM("branch", PP_BRANCH, branch),
	[PP_F_DISCARD] = FORM("discard", PP_BRANCH, discard),
	[PP_F_CONST0] = FORM("const0", PP_CONST0, constant),
	[PP_F_CONST1] = FORM("const1", PP_CONST1, constant),
};

static const char *const units[PP_BLOCKS] = {
	"control", "varying load", "texture", "uniform and temporary load", "vector multiply",
	"scalar multiply", "vector add", "scalar add", "combine", "temporary store, framebuffer read",
	"branch", "constant 0", "constant 1",
};

#define LOAD(type, persp, form, text, note) \
	{ PP_VARYING, form, { { 2, 2, type }, { 0, 2, persp } }, "load" text, note }

/*
 * Multipliers, each op once without and once with a destination: without one the
 * result is only for the adder behind. The shorter text comes first for the reader, the
 * stricter match first for the writer.
 */
#define VEC(u, f, sfx, op, name, args, note) \
	{ u, f, { { 38, 5, op }, { 32, 4, 0 } }, name "%o." sfx args, note }, \
	{ u, f, { { 38, 5, op } }, name "%o." sfx " %D" args, note }
#define SCL(u, f, sfx, op, name, args, note) \
	{ u, f, { { 25, 5, op }, { 22, 1, 0 } }, name "%o." sfx args, note }, \
	{ u, f, { { 25, 5, op }, { 22, 1, 1 } }, name "%o." sfx " %d" args, note }

/* Nothing is behind the adders: '_' and a bare '$0.' say that the result goes nowhere. */
#define VEC_ADD(u, f, sfx, op, name, args, note) \
	{ u, f, { { 38, 5, op } }, name "%o." sfx " %D" args, note }
#define SCL_ADD(u, f, sfx, op, name, args, note) \
	{ u, f, { { 25, 5, op }, { 22, 1, 0 } }, name "%o." sfx " _" args, note }, \
	{ u, f, { { 25, 5, op }, { 22, 1, 1 } }, name "%o." sfx " %d" args, note }

#define MUL_ROWS(M, u, f, sfx) \
	M(u, f, sfx, 0x08, "not", " %A", "logical: arg0 == 0 ? 1 : 0"), \
	M(u, f, sfx, 0x09, "and", " %A %B", "logical: what is not 0 is true; 1 or 0"), \
	M(u, f, sfx, 0x0a, "or", " %A %B", "logical: what is not 0 is true; 1 or 0"), \
	M(u, f, sfx, 0x0b, "xor", " %A %B", "logical: what is not 0 is true; 1 or 0"), \
	M(u, f, sfx, 0x0c, "ne", " %A %B", "arg0 != arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x0d, "gt", " %A %B", "arg0 > arg1 ? 1 : 0 (doc: lessThan, operands the other way)"), \
	M(u, f, sfx, 0x0e, "ge", " %A %B", "arg0 >= arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x0f, "eq", " %A %B", "arg0 == arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x10, "min", " %A %B", "the smaller of arg0 and arg1"), \
	M(u, f, sfx, 0x11, "max", " %A %B", "the larger of arg0 and arg1"), \
	M(u, f, sfx, 0x1f, "mov", " %A", "arg0")

#define ACC_ROWS(M, u, f, sfx) \
	M(u, f, sfx, 0x00, "add", " %A %B", "arg0 + arg1"), \
	M(u, f, sfx, 0x04, "fract", " %A", "arg0 - floor(arg0)"), \
	M(u, f, sfx, 0x08, "ne", " %A %B", "arg0 != arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x09, "gt", " %A %B", "arg0 > arg1 ? 1 : 0 (doc: lessThan, operands the other way)"), \
	M(u, f, sfx, 0x0a, "ge", " %A %B", "arg0 >= arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x0b, "eq", " %A %B", "arg0 == arg1 ? 1 : 0"), \
	M(u, f, sfx, 0x0c, "floor", " %A", "the whole number at or below arg0"), \
	M(u, f, sfx, 0x0d, "ceil", " %A", "the whole number at or above arg0"), \
	M(u, f, sfx, 0x0e, "min", " %A %B", "the smaller of arg0 and arg1"), \
	M(u, f, sfx, 0x0f, "max", " %A %B", "the larger of arg0 and arg1"), \
	M(u, f, sfx, 0x14, "dFdx", " %A %B", "arg0 of the right pixel + arg1 of the left one: dFdx(x, -x)"), \
	M(u, f, sfx, 0x15, "dFdy", " %A %B", "arg0 of the upper pixel + arg1 of the lower one (y counts from the bottom)"), \
	M(u, f, sfx, 0x17, "sel", " %A %B", "^s0 != 0 ? arg0 : arg1 // Mesa lima ir/pp/codegen.h"), \
	M(u, f, sfx, 0x1f, "mov", " %A", "arg0")

/* Combine: to a scalar, and to a vec4. Each op is known with one of the two only. */
#define COMBINE(code, name, args, note, wide_note) \
	{ PP_COMBINE, PP_F_COMBINE, { { 0, 2, 0 }, { 2, 4, code } }, name "%o.s2 %d" args, note }, \
	{ PP_COMBINE, PP_F_COMBINE_WIDE, { { 0, 2, 1 }, { 2, 4, code } }, name ".s2 %D" args, wide_note }

#define SCALAR_ONLY "unknown: compilers write a scalar; what a vector gets nobody has said"
#define VECTOR_ONLY "unknown: compilers write the three values; what a scalar gets nobody has said"

#define BRANCH(code, text, note) { PP_BRANCH, PP_F_BRANCH, { { 16, 3, code } }, "branch" text, note }

static const struct isa_op ops[] = {
	{ PP_CTRL, PP_F_CTRL, { { 5, 1, 1 } }, "stop", "the shader ends; $0 is the colour" },
	{ PP_CTRL, PP_F_CTRL, { { 6, 1, 1 } }, "sync", "the threads of a quad go on together; for derivatives and textures" },

	LOAD(0, 0, PP_F_VARYING, ".v %D %I", "varying"),
	LOAD(0, 1, PP_F_VARYING, ".perspective.unknown.v %D %I", "unknown"),
	LOAD(0, 2, PP_F_VARYING, ".perspective.z.v %D %I", "varying / its z"),
	LOAD(0, 3, PP_F_VARYING, ".perspective.w.v %D %I", "varying / its w"),
	LOAD(1, 0, PP_F_VARYING_REG, ".v %D %R", "register; full precision copy for the texture unit"),
	LOAD(1, 1, PP_F_VARYING_REG, ".perspective.unknown.v %D %R", "unknown"),
	LOAD(1, 2, PP_F_VARYING_REG, ".perspective.z.v %D %R", "register / its z"),
	LOAD(1, 3, PP_F_VARYING_REG, ".perspective.w.v %D %R", "register / its w"),
	LOAD(2, 0, PP_F_VARYING, ".v %D cube(%I)", "varying as direction for a cube map"),
	LOAD(2, 1, PP_F_VARYING_REG, ".v %D cube(%R)", "register as direction for a cube map"),
	LOAD(2, 2, PP_F_VARYING_REG, ".v %D normalize(%R)", "register / its length (xyz)"),
	LOAD(2, 3, PP_F_VARYING, ".v %D gl_FragCoord", "w is 1 / gl_FragCoord.w (doc)"),
	LOAD(3, 0, PP_F_VARYING, ".v %D gl_PointCoord", "before scale and bias (doc)"),
	LOAD(3, 1, PP_F_VARYING, ".v %D gl_FrontFacing", "1 or 0"),
	LOAD(3, 2, PP_F_VARYING, ".v %D unknown2", "unknown"),
	LOAD(3, 3, PP_F_VARYING, ".v %D unknown3", "unknown"),

	{ PP_SAMPLER, PP_F_SAMPLER, { { 18, 1, 0 } }, "texld%t %i", "at the varying unit's result" },
	{ PP_SAMPLER, PP_F_SAMPLER, { { 18, 1, 1 }, { 17, 1, 0 } }, "texld.b%t %i %l", "with a bias on the level" },
	{ PP_SAMPLER, PP_F_SAMPLER, { { 18, 1, 1 }, { 17, 1, 1 } }, "texld.l%t %i %l", "of a given level" },

	{ PP_UNIFORM, PP_F_UNIFORM, { { 0, 2, 0 } }, "load.u %J", "uniform, fp16" },
	{ PP_UNIFORM, PP_F_UNIFORM, { { 0, 2, 3 } }, "load.t %J", "temporary" },
	{ PP_UNIFORM, PP_F_UNIFORM, { { 0, 2, 1 } }, "load.u1 %J", "unknown" },
	{ PP_UNIFORM, PP_F_UNIFORM, { { 0, 2, 2 } }, "load.u2 %J", "unknown" },

	{ PP_VMUL, PP_F_VMUL, { { 41, 2, 0 }, { 32, 4, 0 } }, "mul%o.v0 %A%s %B", "arg0 * arg1 * 2^s, s -3..3" },
	{ PP_VMUL, PP_F_VMUL, { { 41, 2, 0 } }, "mul%o.v0 %D %A%s %B", "arg0 * arg1 * 2^s, s -3..3" },
	MUL_ROWS(VEC, PP_VMUL, PP_F_VMUL, "v0"),
	{ PP_VMUL, PP_F_VMUL, { { 32, 4, 0 } }, "op%n%o.v0 %A %B", "unknown" },
	{ PP_VMUL, PP_F_VMUL, { { 0, 0, 0 } }, "op%n%o.v0 %D %A %B", "unknown" },
	{ PP_SMUL, PP_F_SMUL, { { 28, 2, 0 }, { 22, 1, 0 } }, "mul%o.s0 %A%s %B", "arg0 * arg1 * 2^s, s -3..3" },
	{ PP_SMUL, PP_F_SMUL, { { 28, 2, 0 }, { 22, 1, 1 } }, "mul%o.s0 %d %A%s %B", "arg0 * arg1 * 2^s, s -3..3" },
	MUL_ROWS(SCL, PP_SMUL, PP_F_SMUL, "s0"),
	{ PP_SMUL, PP_F_SMUL, { { 22, 1, 0 } }, "op%n%o.s0 %A %B", "unknown" },
	{ PP_SMUL, PP_F_SMUL, { { 22, 1, 1 } }, "op%n%o.s0 %d %A %B", "unknown" },

	ACC_ROWS(VEC_ADD, PP_VADD, PP_F_VADD, "v1"),
	VEC_ADD(PP_VADD, PP_F_VADD, "v1", 0x10, "sum3", " %A", "x + y + z of arg0, in every component"),
	VEC_ADD(PP_VADD, PP_F_VADD, "v1", 0x11, "sum4", " %A", "x + y + z + w of arg0, in every component"),
	{ PP_VADD, PP_F_VADD, { { 0, 0, 0 } }, "op%n%o.v1 %D %A %B", "unknown" },
	ACC_ROWS(SCL_ADD, PP_SADD, PP_F_SADD, "s1"),
	{ PP_SADD, PP_F_SADD, { { 22, 1, 0 } }, "op%n%o.s1 _ %A %B", "unknown" },
	{ PP_SADD, PP_F_SADD, { { 22, 1, 1 } }, "op%n%o.s1 %d %A %B", "unknown" },

	{ PP_COMBINE, PP_F_COMBINE_MUL, { { 0, 2, 3 } }, "mul.s2 %D %A %W", "arg0 * vector" },
	{ PP_COMBINE, PP_F_COMBINE_PT2, { { 0, 2, 2 } }, "atan_pt2%o.s2 %d %W",
	  "second part of atan and atan2: of the three values of the first" },
	COMBINE(0x0, "rcp", " %A", "1 / arg0", SCALAR_ONLY),
	COMBINE(0x1, "mov", " %A", "arg0", SCALAR_ONLY),
	COMBINE(0x2, "sqrt", " %A", "square root of arg0", SCALAR_ONLY),
	COMBINE(0x3, "rsqrt", " %A", "1 / sqrt(arg0)", SCALAR_ONLY),
	COMBINE(0x4, "exp2", " %A", "2 to the arg0", SCALAR_ONLY),
	COMBINE(0x5, "log2", " %A", "logarithm of base 2 of arg0", SCALAR_ONLY),
	COMBINE(0x6, "sin", " %A", "sin(2 pi arg0) (doc)", SCALAR_ONLY),
	COMBINE(0x7, "cos", " %A", "cos(2 pi arg0) (doc)", SCALAR_ONLY),
	COMBINE(0x8, "atan", " %A", VECTOR_ONLY, "first part: three values"),
	COMBINE(0x9, "atan2", " %A %B", VECTOR_ONLY, "first part of atan(arg0 / arg1): three values"),
	{ PP_COMBINE, PP_F_COMBINE, { { 0, 2, 0 } }, "op%n%o.s2 %d %A %B", "unknown" },
	{ PP_COMBINE, PP_F_COMBINE_WIDE, { { 0, 2, 1 } }, "op%n.s2 %D %A %B", "unknown" },

	{ PP_TEMP, PP_F_FB, { { 1, 5, 7 }, { 0, 1, 1 } }, "fb_color %F", "colour in the tile" },
	{ PP_TEMP, PP_F_FB, { { 1, 5, 7 }, { 0, 1, 0 } }, "fb_depth %F", "depth in the tile, in x" },
	{ PP_TEMP, PP_F_TEMP, { { 0, 2, 3 } }, "store.t %J %K", "temporary" },
	{ PP_TEMP, PP_F_TEMP, { { 0, 2, 0 } }, "store.u0 %J %K", "unknown" },
	{ PP_TEMP, PP_F_TEMP, { { 0, 2, 1 } }, "store.u1 %J %K", "unknown" },
	{ PP_TEMP, PP_F_TEMP, { { 0, 2, 2 } }, "store.u2 %J %K", "unknown" },

	{ PP_BRANCH, PP_F_DISCARD, { { 0, 32, 0x007f0003 }, { 32, 32, 0 }, { 64, 9, 0 } }, "discard",
	  "the fragment ends and writes nothing" },
	BRANCH(7, " %T", "always"),
	BRANCH(0, ".nv %A %B %T", "never"),
	BRANCH(1, ".gt %A %B %T", "when arg0 > arg1"),
	BRANCH(2, ".eq %A %B %T", "when arg0 == arg1"),
	BRANCH(3, ".ge %A %B %T", "when arg0 >= arg1"),
	BRANCH(4, ".lt %A %B %T", "when arg0 < arg1"),
	BRANCH(5, ".ne %A %B %T", "when arg0 != arg1"),
	BRANCH(6, ".le %A %B %T", "when arg0 <= arg1"),

	{ PP_CONST0, PP_F_CONST0, { { 0, 0, 0 } }, "const0 %H", "four fp16 values, read as ^const0" },
	{ PP_CONST1, PP_F_CONST1, { { 0, 0, 0 } }, "const1 %H", "four fp16 values, read as ^const1" },
};

unsigned int pp_size(uint32_t ctrl)
{
	unsigned int bits = 31;

	for (uint32_t has = ctrl >> 7 & 0xfff; has; has &= has - 1)
		bits += pp_bits[1 + __builtin_ctz(has)];
	return 1 + bits / 32;
}

static uint32_t take(const uint32_t *words, unsigned int end, unsigned int at, unsigned int n)
{
	uint64_t v = at / 32 < end ? words[at / 32] : 0;

	if (at % 32 + n > 32 && at / 32 + 1 < end)
		v |= (uint64_t)words[at / 32 + 1] << 32;
	return v >> at % 32 & ((1ull << n) - 1);
}

int pp_branch_target(const uint32_t *words)
{
	unsigned int end = pp_size(words[0]), at = 32;

	for (uint32_t has = words[0] >> 7 & ((1u << (PP_BRANCH - 1)) - 1); has; has &= has - 1)
		at += pp_bits[1 + __builtin_ctz(has)];
	return (int)(take(words, end, at + 41, 27) << 5) >> 5;
}

uint32_t pp_split(const uint32_t *words, struct isa_bits *block)
{
	unsigned int end = pp_size(words[0]), at = 32;

	memset(block, 0, sizeof(*block) * PP_BLOCKS);
	block[0].w[0] = words[0];
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!PP_HAS(words[0], b))
			continue;
		for (unsigned int i = 0; i < pp_bits[b]; i += 32) {
			unsigned int n = pp_bits[b] - i < 32 ? pp_bits[b] - i : 32;

			block[b].w[i / 32] = take(words, end, at + i, n);
		}
		at += pp_bits[b];
	}
	return at % 32 ? take(words, end, at, 32 - at % 32) : 0;
}

const struct isa isa_utgard_pp = {
	.number = ISA_UTGARD_PP,
	.name = "utgard-pp",
	.forms = forms,
	.form_count = PP_FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.source = "mali-isa-docs Utgard-PP.md, Mesa lima ir/pp/codegen.h",
	.read = pp_read,
	.tells = pp_tells,
	.assemble = pp_assemble,
	.disassemble = pp_disassemble,
	.check = pp_check,
};
