// SPDX-License-Identifier: MIT
/*
 * Utgard PP: the table. Facts: mali-isa-docs Utgard-PP.md ("doc"), Mesa
 * src/gallium/drivers/lima/ir/pp ("Mesa"), whose disassembler's dialect the
 * text is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/utgard_pp.h"

#define X(group, name, lo, width, reset, note) { #name, lo, width, reset, note },
#define F(form, block, name, FIELDS) static const struct isa_field fields_##form[] = { FIELDS(X) };
PP_EACH_FORM(F)
#undef F
#undef X

#define F(form, block, name, FIELDS) { name, PP_##block, fields_##form, sizeof(fields_##form) / sizeof(fields_##form[0]) },
static const struct isa_form forms[PP_FORMS] = { PP_EACH_FORM(F) };
#undef F

/* The fields of a form cover its block. */
#define X(group, name, lo, width, reset, note) + (width)
const uint8_t pp_bits[PP_BLOCKS + 1] = {
	[PP_CTRL] = 0 PP_CTRL_FIELDS(X), [PP_VARYING] = 0 PP_VARYING_FIELDS(X), [PP_SAMPLER] = 0 PP_SAMPLER_FIELDS(X),
	[PP_UNIFORM] = 0 PP_UNIFORM_FIELDS(X), [PP_VMUL] = 0 PP_VECTOR(X), [PP_SMUL] = 0 PP_SCALAR(X),
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

/* --- Components ---------------------------------------------------------------- */

static unsigned int read_letters(struct isa_cursor *c, unsigned int comp[4])
{
	unsigned int n = 0;

	while (n < 4 && isa_letter(c, "xyzw", 4, &comp[n]))
		n++;
	return n;
}

static bool read_mask(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int comp[4], n = 0, mask = 15;
	const char *at = c->at;

	if (isa_literal(c, ".")) {
		mask = 0;
		n = read_letters(c, comp);
	}
	for (unsigned int i = 0; i < n; i++) {
		if (i && comp[i] <= comp[i - 1])
			return isa_expect_at(c, at + 1, "a destination's components come in the order x, y, z, w, each once");
		mask |= 1u << comp[i];
	}
	isa_put_at(o, in->bits, 0, mask);
	return true;
}

static void write_mask(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int mask = isa_get_at(o, in->bits, 0);

	for (int i = mask == 15 ? 4 : -1; i < 4; i++)
		if (i < 0 || mask >> i & 1)
			isa_putc(text, i < 0 ? '.' : "xyzw"[i]);
}

/* --- Products -------------------------------------------------------------------- */

static bool read_shift(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	int64_t n = 0;

	if (isa_literal(c, "<<") && !isa_number(c, -3, 7, &n))
		return false;
	isa_put_at(o, in->bits, 0, n & 7);
	return true;
}

static void write_shift(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (isa_get_at(o, in->bits, 0))
		isa_printf(text, "<<%u", isa_get_at(o, in->bits, 0));
}

/* --- Memory ------------------------------------------------------------------------ */

/*
 * 3, 3.xy, 3.z: index in units of four, two or one components, which is an alignment that varyings (unsigned) and
 * memory (signed) encode in their own ways.
 */
static bool read_index(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool memory = o->arg;
	int64_t lo = memory ? -32768 : 0, hi = memory ? 32767 : 63, v;
	unsigned int comp[4], n = 4;
	const char *at = c->at;

	if (!isa_number(c, lo, hi, &v))
		return false;
	if (isa_literal(c, ".")) {
		n = read_letters(c, comp);
		if (n == 1 || (n == 2 && comp[0] % 2 == 0 && comp[1] == comp[0] + 1))
			v = v * 4 / (int)n + comp[0] / n;
		else if (n != 4)
			return isa_expect(c, "expected one component, .xy or .zw, or nothing for all four");
	}
	if (v < lo || v > hi)
		return isa_expect_at(c, at, "this index does not fit its field");
	isa_put_at(o, in->bits, 0, v);
	isa_put_at(o, in->bits, 1, memory && n == 4 ? 2 : n - 1);
	return true;
}

static void write_index(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unit = o->arg ? pp_memory_unit(isa_get_at(o, in->bits, 1)) : pp_varying_unit(isa_get_at(o, in->bits, 1));
	int index = o->arg ? (int16_t)isa_get_at(o, in->bits, 0) : (int)isa_get_at(o, in->bits, 0);

	isa_printf(text, "%d", unit == 4 ? index : unit == 2 ? index >> 1 : index >> 2);
	if (unit == 2)
		isa_puts(text, index & 1 ? ".zw" : ".xy");
	else if (unit == 1)
		isa_printf(text, ".%c", "xyzw"[index & 3]);
}

/* What is stored: the alignment that the index gave decides between $0 and $0.x. Its parts are in list. */
static bool stores_vector(const struct isa_operand *o, const struct isa_insn *in)
{
	return pp_memory_unit(isa_get_at(o, in->bits, 1)) > 1;
}

static bool read_stored(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	isa_put_at(o, in->bits, 0, 0);
	return isa_operand_read(&o->list[0], in, c) && (stores_vector(o, in) || isa_operand_read(&o->list[1], in, c));
}

static void write_stored(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_operand_write(&o->list[0], in, text);
	if (!stores_vector(o, in))
		isa_operand_write(&o->list[1], in, text);
}

/* --- Constants --------------------------------------------------------------------- */

static bool read_halves(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	for (int i = 0; i < 4; i++) {
		char buf[64], *end;
		size_t n = 0;
		uint16_t h;

		isa_blanks(c);
		while (c->at + n < c->end && n < sizeof(buf) - 1 && !strchr(" \t\r\n,#", c->at[n]))
			n++;
		if (!n)
			return isa_expect(c, "a constant has four values; number %d is missing", i + 1);
		memcpy(buf, c->at, n);
		buf[n] = 0;
		if (buf[0] == '0' && (buf[1] | 32) == 'x') {
			unsigned long v = strtoul(buf, &end, 16);

			h = v;
			if (v > 0xffff)
				return isa_expect(c, "%s does not fit fp16's 16 bits", buf);
		} else {
			float f = strtof(buf, &end);

			h = half_from_float(f);
			if (end != buf && !*end && (h & 0x7fff) == 0x7c00 && f - f == 0)
				return isa_expect(c, "%s does not fit fp16: 65504 is the largest", buf);
		}
		if (end == buf || *end)
			return isa_expect(c, "expected a number, found '%s'", buf);
		isa_put_at(o, in->bits, i, h);
		c->at += n;
	}
	return true;
}

/* The fewest digits that make the same half, with a point or an exponent. */
static void write_half(uint16_t h, struct isa_text *text)
{
	float f = half_to_float(h);
	char buf[32];

	if ((h & 0x7c00) == 0x7c00) {
		isa_printf(text, "0x%04x", h);
		return;
	}
	if (f == rintf(f) && fabsf(f) < 2048) {
		isa_printf(text, "%.1f", f);
		return;
	}
	for (int precision = 1; precision <= 5; precision++) {
		snprintf(buf, sizeof(buf), "%.*g", precision, f);
		if (half_from_float(strtof(buf, NULL)) == h)
			break;
	}
	isa_puts(text, buf);
	if (!strpbrk(buf, ".e"))
		isa_puts(text, ".0");
}

static void write_halves(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			isa_putc(text, ' ');
		write_half(isa_get_at(o, in->bits, i), text);
	}
}

/* --- Operands ---------------------------------------------------------------------- */

#define PLACE(field) { PP_##field, PP_##field##_width }
#define NO_PLACE { 0, 0 }
#define IN(form) (1u << PP_F_##form)
#define CUSTOM(what) .read = read_##what, .write = write_##what
#define ROW_IF(text, ...) { { __VA_ARGS__ }, text }
#define ALWAYS { 0 }
#define IS(field, value) { PP_##field, PP_##field##_width, value }

static const char *const outmod[4] = { "", ".sat", ".pos", ".int" };
static const char *const texture_type[32] = { [0] = "", [31] = ".cube" };
static const char *const minus[2] = { "", "-" };
#define SPECIAL [PP_REG_CONST0] = "^const0", [PP_REG_CONST1] = "^const1", [PP_REG_TEXTURE] = "^texture"
static const char *const registers[16] = { SPECIAL, [PP_REG_UNIFORM] = "^uniform" };
/* What no text has stands for a code that is no register. */
#define NEVER "\n"
static const char *const offsets[16] = { SPECIAL, [PP_NO_OFFSET] = NEVER };
static const char *const product[2][2] = { { NEVER, "^v0" }, { NEVER, "^s0" } };
static const char *const mesas_product[2][2] = { { NEVER, "^vmul" }, { NEVER, "^fmul" } };

#define ANY "^const0, ^const1, ^texture, ^uniform or $0 to $11"
#define NO_PRODUCT ANY "; only the first operand of an adder can be its multiplier's result"
#define BARE ANY "; this operand cannot be negated"
#define REGISTER(says, ...) { 'r', ISA_NAMES, .at = { __VA_ARGS__ }, .names = registers, .prefix = "$", .what = says }
#define COMPONENT(...) { 'c', ISA_NAMES, .at = { __VA_ARGS__ }, .names = isa_component, .what = "one component: .x, .y, .z or .w" }
/* Behind the register: the swizzle of a vector; a scalar register's number has the component in its low bits. */
#define VECTOR(f, says) REGISTER(says, PLACE(f##_source)), { 'c', ISA_SWIZZLE, true, .at = { PLACE(f##_swizzle) }, .prefix = "xyzw" }
#define SCALAR(field, says) REGISTER(says, { PP_##field + 2, 4 }), COMPONENT({ PP_##field, 2 })
#define NEGATE(f) { 'n', ISA_NAMES, .at = { PLACE(f##_negate) }, .names = minus, .arg = 1 }
#define EITHER(f, text, ...) \
	ROW_IF("%n" text, IS(f##_absolute, 0), ##__VA_ARGS__), ROW_IF("%nabs(" text ")", IS(f##_absolute, 1), ##__VA_ARGS__)
#define PRODUCT(letter, field, list, i) { letter, ISA_NAMES, .at = { PLACE(field) }, .names = list[i], .what = ANY " or ^v0 or ^s0" }

/* at: register, swizzle, absolute, negate, and whether it is the multiplier's result instead. */
#define AT_VECTOR(f) PLACE(f##_source), PLACE(f##_swizzle), PLACE(f##_absolute), PLACE(f##_negate)
#define AT_SCALAR(f, field) PLACE(field), NO_PLACE, PLACE(f##_absolute), PLACE(f##_negate)
#define SOURCE(letter, in, f, parts, ...) \
	{ letter, ISA_ROWS, .forms = in, .at = { __VA_ARGS__ }, ISA_PARTS(NEGATE(f), parts), ISA_ONE_OF(EITHER(f, "%r%c")) }
/* The first operand of an adder. */
#define ADDEND(in, f, mul, i, parts, ...) \
	{ 'A', ISA_ROWS, .forms = in, .at = { __VA_ARGS__, PLACE(mul) }, \
	  ISA_PARTS(NEGATE(f), PRODUCT('p', mul, product, i), PRODUCT('q', mul, mesas_product, i), parts), \
	  ISA_ONE_OF(EITHER(f, "%p" ADDEND_##i, IS(mul, 1)), EITHER(f, "%r%c", IS(mul, 0)), EITHER(f, "%q" ADDEND_##i, IS(mul, 1))) }
#define ADDEND_0 "%c"
#define ADDEND_1 ""
#define BARE_SCALAR(letter, in, field) \
	{ letter, ISA_ROWS, .forms = in, .at = { PLACE(field) }, ISA_PARTS(SCALAR(field, BARE)), ISA_ONE_OF(ROW_IF("%r%c", ALWAYS)) }

#define WRITTEN(says, ...) { 'r', ISA_UINT, .at = { __VA_ARGS__ }, .prefix = "$", .what = says }
#define A_VECTOR "a register to write: $0 to $11"
#define MASKED(reg, field) WRITTEN(A_VECTOR, PLACE(reg)), { 'm', .at = { PLACE(field) }, CUSTOM(mask) }
#define DESTINATION(in, reg, mask) \
	{ 'D', ISA_ROWS, .forms = in, .at = { PLACE(reg), PLACE(mask) }, ISA_PARTS(MASKED(reg, mask)), ISA_ONE_OF(ROW_IF("%r%m", ALWAYS)) }
#define ONE_COMPONENT(in, field) \
	{ 'd', ISA_ROWS, .forms = in, .at = { PLACE(field) }, \
	  ISA_PARTS(WRITTEN("a register to write: $0.x to $11.w", { PP_##field + 2, 4 }), COMPONENT({ PP_##field, 2 })), \
	  ISA_ONE_OF(ROW_IF("%r%c", ALWAYS)) }
#define OUTMOD(in, field) { 'o', ISA_NAMES, .forms = in, .at = { PLACE(field) }, .names = outmod, .what = "a modifier" }
/* at: index, alignment, offset register; then a bit that says whether there is one. */
#define INDEXED(on) ISA_ONE_OF(ROW_IF("%n", IS(on, 0)), ROW_IF("%n+%r%c", IS(on, 1)))

static const struct isa_operand target_length = { .at = { PLACE(br_next_count) } };

static const struct isa_operand operands[] = {
	SOURCE('A', IN(VMUL), vec_arg0, VECTOR(vec_arg0, NO_PRODUCT), AT_VECTOR(vec_arg0)),
	ADDEND(IN(VADD), vec_arg0, vec_mul_in, 0, VECTOR(vec_arg0, ANY), AT_VECTOR(vec_arg0)),
	SOURCE('B', IN(VMUL) | IN(VADD), vec_arg1, VECTOR(vec_arg1, NO_PRODUCT), AT_VECTOR(vec_arg1)),
	SOURCE('A', IN(SMUL), sca_arg0, SCALAR(sca_arg0_source, NO_PRODUCT), AT_SCALAR(sca_arg0, sca_arg0_source)),
	ADDEND(IN(SADD), sca_arg0, sca_mul_in, 1, SCALAR(sca_arg0_source, ANY), AT_SCALAR(sca_arg0, sca_arg0_source)),
	SOURCE('B', IN(SMUL) | IN(SADD), sca_arg1, SCALAR(sca_arg1_source, NO_PRODUCT), AT_SCALAR(sca_arg1, sca_arg1_source)),
	BARE_SCALAR('A', IN(BRANCH), br_arg0_source),
	BARE_SCALAR('B', IN(BRANCH), br_arg1_source),
	SOURCE('A', 0, com_arg0, SCALAR(com_arg0_src, NO_PRODUCT), AT_SCALAR(com_arg0, com_arg0_src)),
	SOURCE('B', 0, com_arg1, SCALAR(com_arg1_src, NO_PRODUCT), AT_SCALAR(com_arg1, com_arg1_src)),
	{ 'W', ISA_ROWS, .at = { PLACE(com_arg1_source), PLACE(com_arg1_swizzle) }, ISA_PARTS(VECTOR(com_arg1, BARE)),
	  ISA_ONE_OF(ROW_IF("%r%c", ALWAYS)) },
	SOURCE('R', 0, reg, VECTOR(reg, NO_PRODUCT), AT_VECTOR(reg)),
	BARE_SCALAR('l', 0, tex_lod_bias),
	/* Destinations: register and mask; a component of a register; a register. */
	DESTINATION(IN(VMUL) | IN(VADD), vec_dest, vec_mask),
	DESTINATION(IN(COMBINE_WIDE) | IN(COMBINE_MUL), comv_dest, comv_mask),
	{ 'D', ISA_ROWS, .at = { PLACE(var_dest), PLACE(var_mask) }, .what = A_VECTOR, ISA_PARTS(MASKED(var_dest, var_mask)),
	  ISA_ONE_OF(ROW_IF("^discard%m", IS(var_dest, PP_REG_DISCARD)), ROW_IF("%r%m", ALWAYS)) },
	ONE_COMPONENT(IN(SMUL) | IN(SADD), sca_dest),
	ONE_COMPONENT(0, com_dest),
	{ 'F', ISA_UINT, .at = { PLACE(fb_dest) }, .prefix = "$", .what = A_VECTOR },
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
	{ 'i', ISA_ROWS, .at = { PLACE(tex_index), NO_PLACE, PLACE(tex_index_offset), PLACE(tex_offset_en) },
	  ISA_PARTS({ 'n', ISA_UINT, .at = { PLACE(tex_index) } }, SCALAR(tex_index_offset, ANY)), INDEXED(tex_offset_en) },
	{ 'J', ISA_ROWS, .at = { PLACE(mem_index), PLACE(mem_alignment), PLACE(mem_offset_reg), PLACE(mem_offset_en) },
	  ISA_PARTS({ 'n', .at = { PLACE(mem_index), PLACE(mem_alignment) }, .arg = 1, CUSTOM(index) }, SCALAR(mem_offset_reg, ANY)),
	  INDEXED(mem_offset_en) },
	/* The same without that bit, the offset register in two parts. */
	{ 'I', ISA_ROWS, .at = { PLACE(var_index), PLACE(var_alignment), PLACE(var_offset_scalar), PLACE(var_offset_vector) },
	  ISA_PARTS({ 'n', .at = { PLACE(var_index), PLACE(var_alignment) }, CUSTOM(index) },
		{ 'r', ISA_NAMES, .at = { PLACE(var_offset_vector) }, .names = offsets, .prefix = "$",
		  .what = ANY " but ^uniform, whose code means none" }, COMPONENT(PLACE(var_offset_scalar))),
	  ISA_ONE_OF(ROW_IF("%n", IS(var_offset_vector, PP_NO_OFFSET)), ROW_IF("%n+%r%c", ALWAYS)) },
	{ 'K', .at = { PLACE(temp_source), PLACE(mem_alignment) }, ISA_PARTS(SCALAR(temp_source, ANY)), CUSTOM(stored) },
	{ 'H', .at = { PLACE(const_x), PLACE(const_y), PLACE(const_z), PLACE(const_w) }, CUSTOM(halves) },
	{ 'T', ISA_DISTANCE, .at = { PLACE(br_target) }, .list = &target_length },
};

/* --- Instructions ------------------------------------------------------------------ */

static struct pp_src decode_source(const struct isa_operand *o, const struct isa_bits *b)
{
	bool vector = o->at[1].width;
	struct pp_src s = { .vector = vector, .absolute = isa_get_at(o, b, 2), .negate = isa_get_at(o, b, 3), .pipe = isa_get_at(o, b, 4) };

	s.reg = isa_get_at(o, b, 0) >> (vector ? 0 : 2);
	for (int i = 0; i < 4; i++)
		s.swizzle[i] = vector ? isa_get_at(o, b, 1) >> 2 * i & 3 : s.pipe ? 0 : isa_get_at(o, b, 0) & 3;
	return s;
}

static void decode_operand(struct pp_unit *u, const struct isa_operand *o, const struct isa_bits *b)
{
	static const float scale[8] = { 1.0f, 2.0f, 4.0f, 8.0f, 0.0625f, 0.125f, 0.25f, 0.5f };

	switch (o->letter) {
	case 'A': case 'R': case 'l':
		u->src[0] = decode_source(o, b);
		u->one = true;
		break;
	case 'K':
		u->one = true;
		u->src[0] = (struct pp_src){ .reg = isa_get_at(o, b, 0) >> 2, .swizzle = { isa_get_at(o, b, 0) & 3 } };
		break;
	case 'B': case 'W':
		u->src[1] = decode_source(o, b);
		u->two = true;
		break;
	case 'D': case 'F':
		u->dest = isa_get_at(o, b, 0);
		u->mask = o->letter == 'D' ? isa_get_at(o, b, 1) : 15;
		break;
	case 'd':
		u->dest = isa_get_at(o, b, 0) >> 2;
		u->mask = 1 << (isa_get_at(o, b, 0) & 3);
		break;
	case 'o':
		u->outmod = isa_get_at(o, b, 0);
		break;
	case 's':
		u->scale = scale[isa_get_at(o, b, 0)];
		break;
	case 't':
		u->code = isa_get_at(o, b, 0);
		break;
	case 'i': case 'J':
		u->index = (int16_t)isa_get_at(o, b, 0);
		u->components = pp_memory_unit(isa_get_at(o, b, 1));
		u->offset = isa_get_at(o, b, 3) ? isa_get_at(o, b, 2) : PP_NONE;
		break;
	case 'I':
		u->index = isa_get_at(o, b, 0);
		u->components = pp_varying_unit(isa_get_at(o, b, 1));
		u->offset = isa_get_at(o, b, 3) == PP_NO_OFFSET ? PP_NONE : isa_get_at(o, b, 3) << 2 | isa_get_at(o, b, 2);
		break;
	}
}

struct pp_unit pp_unit(const struct isa_op *op, const struct isa_bits *b)
{
	struct pp_unit u = { .id = op->id, .props = op->props, .scale = 1.0f, .offset = PP_NONE };

	for (const char *p = op->pattern; *p; p++)
		if (*p == '%')
			decode_operand(&u, isa_operand_of(&isa_utgard_pp, op, *++p), b);
	u.vector = strstr(op->pattern, "%D") || op->form == PP_F_VMUL || op->form == PP_F_VADD;
	if (op->id == PP_OP_branch)
		u.code = pp_get(b, br_cond);
	return u;
}

unsigned int pp_size(uint32_t ctrl)
{
	unsigned int bits = 31;

	for (unsigned int b = 1; b < PP_BLOCKS; b++)
		bits += PP_HAS(ctrl, b) ? pp_bits[b] : 0;
	return 1 + bits / 32;
}

uint32_t pp_split(const uint32_t *words, struct isa_bits *block)
{
	unsigned int at = 32;

	memset(block, 0, sizeof(*block) * PP_BLOCKS);
	block[0].w[0] = words[0];
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!PP_HAS(words[0], b))
			continue;
		isa_copy_words(block[b].w, 0, words, at, pp_bits[b]);
		at += pp_bits[b];
	}
	return at % 32 ? words[at / 32] >> at % 32 : 0;
}

static size_t length(const uint32_t *words, size_t left)
{
	return PP_COUNT(words[0]) == pp_size(words[0]) && PP_COUNT(words[0]) <= left ? PP_COUNT(words[0]) : 0;
}

static unsigned int length_of(uint32_t ctrl)
{
	return PP_COUNT(ctrl);
}

static void split(const uint32_t *words, struct isa_packet *packet)
{
	packet->padding = pp_split(words, packet->block);
	packet->units = PP_CTRL_GET(words[0], fields) << 1;
}

static void complete(struct isa_packet *packet)
{
	uint32_t fields = (packet->units >> 1) << PP_ctrl_fields, ctrl = packet->block[PP_CTRL].w[0];
	uint32_t flags = 1u << PP_ctrl_stop | 1u << PP_ctrl_sync | packet->kept[PP_CTRL].w[0];

	packet->block[PP_CTRL].w[0] = ((pp_size(fields) | fields) & ~flags) | (ctrl & flags);
}

/* Zero words are no instruction. */
static uint32_t followed_by(uint32_t ctrl)
{
	return PP_COUNT(ctrl) ? PP_FOLLOWED_BY(PP_COUNT(ctrl)) : 0;
}

/* Units in their order, then what the control word says. */
static const struct isa_op *op_at(const struct isa_packet *packet, unsigned int n, bool *end)
{
	static const uint8_t flags[] = { PP_ctrl_sync, PP_ctrl_stop };
	unsigned int unit = n + 1 < PP_BLOCKS ? n + 1 : PP_CTRL;
	struct isa_bits bits = packet->block[unit];

	*end = n + 1 >= PP_BLOCKS + sizeof(flags);
	if (*end || (unit && !(packet->units >> unit & 1)))
		return NULL;
	if (!unit)
		bits.w[0] &= 1u << flags[n + 1 - PP_BLOCKS];
	return isa_match_op(&isa_utgard_pp, unit, &bits);
}

const struct isa isa_utgard_pp = {
	.number = ISA_UTGARD_PP,
	.name = "utgard-pp",
	ISA_LISTS,
	.source = "mali-isa-docs Utgard-PP.md, Mesa lima ir/pp/codegen.h",
	.style = ISA_FIELDS,
	.block_bits = pp_bits,
	.length = length,
	.length_of = length_of,
	.split = split,
	.complete = complete,
	.followed_by = followed_by,
	.op_at = op_at,
	.check = pp_check,
};
