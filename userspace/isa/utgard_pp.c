// SPDX-License-Identifier: MIT
/*
 * Utgard PP: the table. Facts: mali-isa-docs Utgard-PP.md ("doc"), Mesa
 * src/gallium/drivers/lima/ir/pp ("Mesa"), whose disassembler's dialect the
 * text is.
 */
#include <string.h>

#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

#define X(group, name, lo, width, reset, note) { #name, lo, width, reset, note },
static const struct isa_field ctrl[] = { PP_CTRL_FIELDS(X) };
static const struct isa_field varying[] = { PP_VARYING_FIELDS(X) };
static const struct isa_field varying_reg[] = { PP_VARYING_REG_FIELDS(X) };
static const struct isa_field sampler[] = { PP_SAMPLER_FIELDS(X) };
static const struct isa_field uniform[] = { PP_UNIFORM_FIELDS(X) };
static const struct isa_field vmul[] = { PP_VMUL_FIELDS(X) };
static const struct isa_field vadd[] = { PP_VADD_FIELDS(X) };
static const struct isa_field smul[] = { PP_SMUL_FIELDS(X) };
static const struct isa_field sadd[] = { PP_SADD_FIELDS(X) };
static const struct isa_field combine[] = { PP_COMBINE_FIELDS(X) };
static const struct isa_field combine_wide[] = { PP_COMBINE_WIDE_FIELDS(X) };
static const struct isa_field combine_mul[] = { PP_COMBINE_MUL_FIELDS(X) };
static const struct isa_field combine_pt2[] = { PP_COMBINE_PT2_FIELDS(X) };
static const struct isa_field temp_write[] = { PP_TEMP_FIELDS(X) };
static const struct isa_field fb_read[] = { PP_FB_FIELDS(X) };
static const struct isa_field branch[] = { PP_BRANCH_FIELDS(X) };
static const struct isa_field discard[] = { PP_DISCARD_FIELDS(X) };
static const struct isa_field constant[] = { PP_CONST_FIELDS(X) };
#undef X

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

/* The fields of a form cover its block. */
#define X(group, name, lo, width, reset, note) + (width)
const uint8_t pp_bits[PP_BLOCKS] = {
	[PP_CTRL] = 0 PP_CTRL_FIELDS(X), [PP_VARYING] = 0 PP_VARYING_FIELDS(X), [PP_SAMPLER] = 0 PP_SAMPLER_FIELDS(X),
	[PP_UNIFORM] = 0 PP_UNIFORM_FIELDS(X), [PP_VMUL] = 0 PP_VMUL_FIELDS(X), [PP_SMUL] = 0 PP_SMUL_FIELDS(X),
	[PP_VADD] = 0 PP_VADD_FIELDS(X), [PP_SADD] = 0 PP_SADD_FIELDS(X), [PP_COMBINE] = 0 PP_COMBINE_FIELDS(X),
	[PP_TEMP] = 0 PP_TEMP_FIELDS(X), [PP_BRANCH] = 0 PP_BRANCH_FIELDS(X), [PP_CONST0] = 0 PP_CONST_FIELDS(X),
	[PP_CONST1] = 0 PP_CONST_FIELDS(X),
};
#undef X

static const char *const units[PP_BLOCKS] = {
	"control", "varying load", "texture", "uniform and temporary load", "vector multiply",
	"scalar multiply", "vector add", "scalar add", "combine", "temporary store, framebuffer read",
	"branch", "constant 0", "constant 1",
};

#define OP(name, kind, unit_, form_, match_, text, props_, why_, note_) \
	{ .unit = PP_##unit_, .form = PP_F_##form_, .match = match_, .pattern = text, .note = note_, .why = why_, \
	  .id = PP_OP_##name, .props = props_ },
#define ROW OP
static const struct isa_op ops[] = {
#include "isa/utgard_pp_ops.inc"
};

#define PLACE(field) { PP_##field, PP_##field##_width }
#define NO_PLACE { 0, 0 }
#define IN(form) (1u << PP_F_##form)
#define CUSTOM(what) .read = pp_read_##what, .write = pp_write_##what
/* at: register, swizzle (none: it is a scalar register), absolute, negate, the multiplier's result instead. */
#define SOURCE(letter, in, ...) { letter, .forms = in, .at = { __VA_ARGS__ }, CUSTOM(source) }
#define OUTMOD(in, field) { 'o', ISA_NAMES, .forms = in, .at = { PLACE(field) }, .names = outmod, .what = "a modifier" }

static const char *const outmod[4] = { "", ".sat", ".pos", ".int" };
static const char *const texture_type[32] = { [0] = "", [31] = ".cube" };

static const struct isa_operand operands[] = {
	SOURCE('A', IN(VMUL), PLACE(vec_arg0_source), PLACE(vec_arg0_swizzle), PLACE(vec_arg0_absolute), PLACE(vec_arg0_negate)),
	SOURCE('A', IN(VADD), PLACE(vec_arg0_source), PLACE(vec_arg0_swizzle), PLACE(vec_arg0_absolute), PLACE(vec_arg0_negate),
	       PLACE(vec_mul_in)),
	SOURCE('B', IN(VMUL) | IN(VADD), PLACE(vec_arg1_source), PLACE(vec_arg1_swizzle), PLACE(vec_arg1_absolute),
	       PLACE(vec_arg1_negate)),
	SOURCE('A', IN(SMUL), PLACE(sca_arg0_source), NO_PLACE, PLACE(sca_arg0_absolute), PLACE(sca_arg0_negate)),
	SOURCE('A', IN(SADD), PLACE(sca_arg0_source), NO_PLACE, PLACE(sca_arg0_absolute), PLACE(sca_arg0_negate),
	       PLACE(sca_mul_in)),
	SOURCE('B', IN(SMUL) | IN(SADD), PLACE(sca_arg1_source), NO_PLACE, PLACE(sca_arg1_absolute), PLACE(sca_arg1_negate)),
	SOURCE('A', IN(BRANCH), PLACE(br_arg0_source)),
	SOURCE('B', IN(BRANCH), PLACE(br_arg1_source)),
	SOURCE('A', 0, PLACE(com_arg0_src), NO_PLACE, PLACE(com_arg0_absolute), PLACE(com_arg0_negate)),
	SOURCE('B', 0, PLACE(com_arg1_src), NO_PLACE, PLACE(com_arg1_absolute), PLACE(com_arg1_negate)),
	SOURCE('W', 0, PLACE(com_arg1_source), PLACE(com_arg1_swizzle)),
	SOURCE('R', 0, PLACE(reg_source), PLACE(reg_swizzle), PLACE(reg_absolute), PLACE(reg_negate)),
	SOURCE('l', 0, PLACE(tex_lod_bias)),
	/* Destinations: register and mask; a component of a register; a register. */
	{ 'D', .forms = IN(VMUL) | IN(VADD), .at = { PLACE(vec_dest), PLACE(vec_mask) }, CUSTOM(destination) },
	{ 'D', .forms = IN(COMBINE_WIDE) | IN(COMBINE_MUL), .at = { PLACE(comv_dest), PLACE(comv_mask) }, CUSTOM(destination) },
	{ 'D', .at = { PLACE(var_dest), PLACE(var_mask) }, CUSTOM(destination) },
	{ 'd', .forms = IN(SMUL) | IN(SADD), .at = { PLACE(sca_dest) }, CUSTOM(component) },
	{ 'd', .at = { PLACE(com_dest) }, CUSTOM(component) },
	{ 'F', ISA_UINT, .at = { PLACE(fb_dest) }, .prefix = "$", .what = "a register to write: $0 to $11" },
	OUTMOD(IN(VMUL) | IN(VADD), vec_dest_modifier),
	OUTMOD(IN(SMUL) | IN(SADD), sca_dest_modifier),
	OUTMOD(0, com_dest_modifier),
	/* The shift of a product, and the opcode of what has no name. */
	{ 's', .forms = IN(VMUL), .at = { { PP_vec_op, 3 } }, CUSTOM(shift) },
	{ 's', .at = { { PP_sca_op, 3 } }, CUSTOM(shift) },
	{ 'n', ISA_UINT, .forms = IN(VMUL) | IN(VADD), .at = { PLACE(vec_op) } },
	{ 'n', ISA_UINT, .forms = IN(SMUL) | IN(SADD), .at = { PLACE(sca_op) } },
	{ 'n', ISA_UINT, .at = { PLACE(com_op) } },
	{ 't', ISA_NAMES, .at = { PLACE(tex_type) }, .names = texture_type, .prefix = "_t", .what = "a texture's type" },
	/* Indices: index, alignment; then the offset register, with a bit that says whether there is one. */
	{ 'i', .at = { PLACE(tex_index), NO_PLACE, PLACE(tex_index_offset), PLACE(tex_offset_en) }, CUSTOM(index) },
	{ 'J', .at = { PLACE(mem_index), PLACE(mem_alignment), PLACE(mem_offset_reg), PLACE(mem_offset_en) }, CUSTOM(index) },
	/* The same without that bit, the offset register in two parts. */
	{ 'I', .at = { PLACE(var_index), PLACE(var_alignment), PLACE(var_offset_scalar), PLACE(var_offset_vector) },
	  CUSTOM(varying) },
	{ 'K', .at = { PLACE(temp_source), PLACE(mem_alignment) }, CUSTOM(stored) },
	{ 'H', .at = { PLACE(const_x), PLACE(const_y), PLACE(const_z), PLACE(const_w) }, CUSTOM(halves) },
	{ 'T', .at = { PLACE(br_target) }, CUSTOM(target) },
};

unsigned int pp_size(uint32_t ctrl)
{
	unsigned int bits = 31;

	for (unsigned int b = 1; b < PP_BLOCKS; b++)
		bits += PP_HAS(ctrl, b) ? pp_bits[b] : 0;
	return 1 + bits / 32;
}

static uint32_t take(const uint32_t *words, unsigned int end, unsigned int at, unsigned int n)
{
	uint64_t v = at / 32 < end ? words[at / 32] : 0;

	if (at % 32 + n > 32 && at / 32 + 1 < end)
		v |= (uint64_t)words[at / 32 + 1] << 32;
	return v >> at % 32 & ((1ull << n) - 1);
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

size_t pp_end(const uint32_t *words, size_t count)
{
	while (count && !words[count - 1])
		count--;
	return count;
}

const struct isa isa_utgard_pp = {
	.number = ISA_UTGARD_PP,
	.name = "utgard-pp",
	.forms = forms,
	.form_count = PP_FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.operands = operands,
	.operand_count = sizeof(operands) / sizeof(operands[0]),
	.units = units,
	.source = "mali-isa-docs Utgard-PP.md, Mesa lima ir/pp/codegen.h",
	.assemble = pp_assemble,
	.disassemble = pp_disassemble,
	.check = pp_check,
};
