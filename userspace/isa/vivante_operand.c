// SPDX-License-Identifier: MIT
/* Vivante: operands and modifiers, words to text and back, as Mesa's etnaviv assembler has them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/line.h"
#include "isa/vivante.h"
#include "isa/vivante_operand.h"

#define COLUMN 18	/* where operands begin */

static const char *const cond[32] = {
	"", ".gt", ".lt", ".ge", ".le", ".eq", ".ne", ".and", ".or", ".xor", ".not", ".nz", ".gez", ".gz", ".lez",
	".lz", [VIV_SELMSB] = ".selmsb",
};

static const char *const type[8] = { "", ".s32", ".s8", ".u16", ".f16", ".s16", ".u32", ".u8" };

/* Mesa's names of write masks; 5 and 6 are odd there. */
static const char *const comps[16] = {
	".____", ".x___", "._y__", ".xy__", ".__z_", ".zx", ".zy", ".xyz_", ".___w", ".x__w", "._y_w", ".xy_w",
	".__zw", ".x_zw", "._yzw", "",
};

static const char *const amode[5] = { "", "[a.x]", "[a.y]", "[a.z]", "[a.w]" };
static const char *const thread[4] = { "", ".t0", ".t1", ".t01" };
static const char *const rmode[4] = { "", ".rtz", ".rtne", ".rm3" };

unsigned int viv_immediate_bits(const struct isa_bits *b, unsigned int source)
{
	const struct viv_source *s = &viv_source[source];

	return isa_get(b, s->reg, 9) | isa_get(b, s->swiz, 8) << 9 | isa_get(b, s->neg, 1) << 17 |
	       isa_get(b, s->abs, 1) << 18 | isa_get(b, s->amode, 1) << 19;
}

static void put_immediate(struct isa_bits *b, unsigned int source, unsigned int kind, unsigned int v)
{
	const struct viv_source *s = &viv_source[source];

	isa_put(b, s->rgroup, 3, VIV_IMMEDIATE);
	isa_put(b, s->reg, 9, v & 0x1ff);
	isa_put(b, s->swiz, 8, v >> 9 & 0xff);
	isa_put(b, s->neg, 1, v >> 17 & 1);
	isa_put(b, s->abs, 1, v >> 18 & 1);
	isa_put(b, s->amode, 3, (v >> 19 & 1) | kind << 1);
}

/* --- writing ------------------------------------------------------------ */

static void write_numbered(const char *name, unsigned int n, struct isa_text *text)
{
	isa_puts(text, name);
	isa_put_uint(text, n);
}

static void write_amode(unsigned int mode, struct isa_text *text)
{
	if (mode < 5) {
		isa_puts(text, amode[mode]);
	} else {
		write_numbered("[", mode, text);
		isa_putc(text, ']');
	}
}

static void write_swizzle(unsigned int s, struct isa_text *text)
{
	char name[5] = { '.', "xyzw"[s & 3], "xyzw"[s >> 2 & 3], "xyzw"[s >> 4 & 3], "xyzw"[s >> 6] };

	isa_append(text, name, sizeof(name));
}

static void write_float(float f, struct isa_text *text)
{
	if (isnan(f))
		isa_puts(text, signbit(f) ? "-nan" : "nan");
	else if (isinf(f))
		isa_puts(text, f < 0 ? "-inf" : "inf");
	else if (f && (fabsf(f) < 1e-3f || fabsf(f) > 1e9f))
		isa_printf(text, "%.9ef", f);
	else
		isa_printf(text, "%f", f);
}

static void write_immediate(const struct isa_bits *b, unsigned int source, struct isa_text *text)
{
	unsigned int v = viv_immediate_bits(b, source);
	float f;

	switch (isa_get(b, viv_source[source].amode, 3) >> 1) {
	case VIV_IMM_FLOAT:
		v <<= 12;
		memcpy(&f, &v, 4);
		write_float(f, text);
		break;
	case VIV_IMM_INT:
		isa_put_int(text, (int)(v << 12) >> 12);
		break;
	case VIV_IMM_UINT:
		isa_put_uint(text, v);
		break;
	default:
		/* Mesa prints six digits; what they lose comes back as set. */
		if (isnan(half_to_float(v & 0xffff)) || (v & 0x7fff) == 0x7c00)
			write_float(half_to_float(v & 0xffff), text);
		else
			isa_printf(text, "%f", half_to_float(v & 0xffff));
	}
}

static void write_source(const struct isa_bits *b, unsigned int source, struct isa_text *text)
{
	static const char *const group[8] = { "t", "i", "u", "u", "th", "g5_", "g6_", "" };
	const struct viv_source *s = &viv_source[source];
	unsigned int rgroup = isa_get(b, s->rgroup, 3);
	bool absolute = isa_get(b, s->abs, 1);

	if (!isa_get(b, s->use, 1)) {
		isa_puts(text, "void");
	} else if (rgroup == VIV_IMMEDIATE) {
		write_immediate(b, source, text);
	} else {
		if (isa_get(b, s->neg, 1))
			isa_putc(text, '-');
		if (absolute)
			isa_putc(text, '|');
		write_numbered(group[rgroup], isa_get(b, s->reg, 9), text);
		write_amode(isa_get(b, s->amode, 3), text);
		write_swizzle(isa_get(b, s->swiz, 8), text);
		if (absolute)
			isa_putc(text, '|');
	}
}

static void write_modifiers(const struct isa_bits *b, const struct isa_op *op, struct isa_text *text)
{
	unsigned int c = isa_get(b, VIV_COND, 5);
	bool alu = op->form == VIV_F_ALU;

	if (alu && isa_get(b, VIV_DST_FULL, 1))
		isa_puts(text, ".hp");
	if (isa_get(b, VIV_SAT, 1))
		isa_puts(text, ".sat");
	if (c && !cond[c])
		write_numbered(".cond", c, text);
	else
		isa_puts(text, cond[c]);
	if (!alu) {
		isa_puts(text, type[viv_type(b)]);
		return;
	}
	if (isa_get(b, VIV_SKPHP, 1))
		isa_puts(text, ".skpHp");
	if (isa_get(b, VIV_DENORM, 1))
		isa_puts(text, ".denorm");
	if (isa_get(b, VIV_LOCAL, 1))
		isa_puts(text, ".local");
	isa_puts(text, type[viv_type(b)]);
	if (isa_get(b, VIV_LEFT_SHIFT, 3))
		write_numbered(".ls", isa_get(b, VIV_LEFT_SHIFT, 3), text);
	if (!isa_get(b, VIV_PMODE, 1))
		isa_puts(text, ".pack");
	isa_puts(text, thread[isa_get(b, VIV_LOW_HALF, 1) | isa_get(b, VIV_HIGH_HALF, 1) << 1]);
	isa_puts(text, rmode[isa_get(b, VIV_RMODE, 2)]);
}

void viv_write(void *ctx, const struct isa_bits *b, const struct isa_op *op, char letter,
	       struct isa_text *text)
{
	const struct isa_line *line = ctx;

	switch (letter) {
	case 'm':
		write_modifiers(b, op, text);
		break;
	case 'n':
		isa_put_uint(text, viv_opcode(b));
		break;
	case '_':
		do
			isa_putc(text, ' ');
		while (!text->failed && text->length - line->start < COLUMN);
		break;
	case 'D':
		if (!isa_get(b, VIV_DST_USE, 1)) {
			isa_puts(text, "void");
			break;
		}
		write_numbered("t", isa_get(b, VIV_DST_REG, 7), text);
		write_amode(isa_get(b, VIV_DST_AMODE, 3), text);
		isa_puts(text, comps[isa_get(b, VIV_DST_COMPS, 4)]);
		break;
	case 'M':
		isa_puts(text, "mem");
		isa_puts(text, comps[isa_get(b, VIV_DST_COMPS, 4)]);
		break;
	case 'A': case 'B': case 'C':
		write_source(b, letter - 'A', text);
		break;
	case 'a': case 'b': case 'c':
		write_source(b, letter - 'a', text);
		break;
	case 'x':
		isa_puts(text, "void");
		break;
	case 'X':
		write_numbered("tex", isa_get(b, VIV_TEX_ID, 5), text);
		write_amode(isa_get(b, VIV_TEX_AMODE, 3), text);
		write_swizzle(isa_get(b, VIV_TEX_SWIZ, 8), text);
		break;
	case 'T':
		isa_line_target(line, isa_get(b, VIV_TARGET, 15), text);
		break;
	}
}

/* --- reading ------------------------------------------------------------ */

static bool read_amode(struct isa_cursor *c, unsigned int *mode)
{
	int64_t n;

	*mode = 0;
	for (unsigned int i = 1; i < 5; i++)
		if (isa_literal(c, amode[i]))
			return *mode = i, true;
	if (!isa_literal(c, "["))
		return true;
	if (!isa_number(c, 0, 7, &n))
		return isa_expect(c, "expected [a.x], [a.y], [a.z] or [a.w]");
	*mode = n;
	return isa_literal(c, "]") || isa_expect(c, "expected ']'");
}

static bool read_swizzle(struct isa_cursor *c, unsigned int *swizzle)
{
	unsigned int v = 0;

	*swizzle = 0xe4;
	if (!isa_literal(c, "."))
		return true;
	for (int i = 0; i < 4; i++) {
		const char *p = c->at < c->end ? memchr("xyzw", *c->at, 4) : NULL;

		if (!p)
			return isa_expect(c, "a swizzle has four of x, y, z, w");
		v |= (unsigned int)(strchr("xyzw", *p) - "xyzw") << i * 2;
		c->at++;
	}
	*swizzle = v;
	return true;
}

static bool read_comps(struct isa_cursor *c, unsigned int *mask)
{
	const char *at = c->at;
	unsigned int v = 0;

	*mask = 15;
	if (c->at >= c->end || *c->at != '.')
		return true;
	for (unsigned int i = 0; i < 15; i++)
		if (isa_literal(c, comps[i]))
			return *mask = i, true;
	/* Also the plain way: each component or '_' at its place, or left out. */
	c->at++;
	for (int i = 0; i < 4 && c->at < c->end; i++) {
		if (*c->at == "xyzw"[i])
			v |= 1u << i, c->at++;
		else if (*c->at == '_')
			c->at++;
	}
	*mask = v;
	if (v)
		return true;
	c->at = at;
	return isa_expect(c, "expected a write mask such as .xy__");
}

static bool read_immediate(struct isa_bits *b, unsigned int source, struct isa_cursor *c)
{
	char buf[64], *end;
	size_t n = 0;
	bool real = false;

	while (c->at + n < c->end && n < sizeof(buf) - 1 && !strchr(", \t\r", c->at[n]))
		n++;
	memcpy(buf, c->at, n);
	buf[n] = 0;
	real = strchr(buf, '.') || strstr(buf, "nan") || strstr(buf, "inf");
	if (real) {
		float f = isa_strtof(buf, &end);
		uint32_t u;

		memcpy(&u, &f, 4);
		if (isfinite(f) && u << 1 < 0xfefff000u)
			u += 0x800;	/* to the nearest of those with 20 bits */
		if (end == buf || (*end && strcmp(end, "f")))
			return isa_expect(c, "expected a number");
		put_immediate(b, source, VIV_IMM_FLOAT, u >> 12);
	} else {
		long long v = strtoll(buf, &end, 0);
		bool is_unsigned = *end == 'u' || v > 0x7ffff;

		if (end == buf || (*end && strcmp(end, "u")))
			return isa_expect(c, "expected a source: t0.xyzw, u0.xyzw, a number or void");
		if (v < -0x80000 || v > 0xfffff)
			return isa_expect(c, "%lld does not fit the 20 bits of an immediate", v);
		put_immediate(b, source, is_unsigned ? VIV_IMM_UINT : VIV_IMM_INT, v & 0xfffff);
	}
	c->at += n;
	return true;
}

static bool read_source(struct isa_bits *b, unsigned int source, struct isa_cursor *c)
{
	static const struct {
		const char *name;
		unsigned char group;
	} groups[] = { { "th", VIV_TEMP_HALF }, { "t", VIV_TEMP }, { "i", VIV_INTERNAL }, { "u", VIV_UNIFORM0 },
		       { "g5_", 5 }, { "g6_", 6 } };
	const struct viv_source *s = &viv_source[source];
	const char *at = c->at;
	bool negate, absolute;
	unsigned int v;
	int64_t n;

	if (isa_literal(c, "void"))
		return true;
	isa_put(b, s->use, 1, 1);
	negate = isa_literal(c, "-");
	absolute = isa_literal(c, "|");
	for (unsigned int i = 0; i < 6; i++) {
		if (!isa_literal(c, groups[i].name))
			continue;
		if (c->at < c->end && (*c->at < '0' || *c->at > '9')) {
			c->at = at;
			break;
		}
		if (!isa_number(c, 0, 511, &n) || !read_amode(c, &v))
			return false;
		isa_put(b, s->rgroup, 3, groups[i].group);
		isa_put(b, s->reg, 9, n);
		isa_put(b, s->amode, 3, v);
		if (!read_swizzle(c, &v))
			return false;
		isa_put(b, s->swiz, 8, v);
		isa_put(b, s->neg, 1, negate);
		isa_put(b, s->abs, 1, absolute);
		return !absolute || isa_literal(c, "|") || isa_expect(c, "expected '|'");
	}
	c->at = at;
	if (isa_at_end(c))
		return isa_expect(c, "an operand is missing; one that is not used is void");
	return read_immediate(b, source, c);
}

static bool read_destination(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v;
	int64_t n;

	if (isa_literal(c, "void"))
		return true;
	if (!isa_literal(c, "t"))
		return isa_expect(c, "expected a destination: t0.xyz_ or void");
	if (!isa_number(c, 0, 127, &n) || !read_amode(c, &v))
		return false;
	isa_put(b, VIV_DST_USE, 1, 1);
	isa_put(b, VIV_DST_REG, 7, n);
	isa_put(b, VIV_DST_AMODE, 3, v);
	if (!read_comps(c, &v))
		return false;
	isa_put(b, VIV_DST_COMPS, 4, v);
	return true;
}

/* A word of one of the lists at the cursor, whole. */
static bool one_of(struct isa_cursor *c, const char *const *names, unsigned int count, unsigned int *index)
{
	for (unsigned int i = 0; i < count; i++) {
		size_t n = names[i] ? strlen(names[i]) : 0;

		if (n && (size_t)(c->end - c->at) >= n && !memcmp(c->at, names[i], n) &&
		    (c->at + n == c->end || strchr(". \t\r,", c->at[n]))) {
			c->at += n;
			*index = i;
			return true;
		}
	}
	return false;
}

static bool read_modifiers(struct isa_bits *b, const struct isa_op *op, struct isa_cursor *c)
{
	static const char *const flags[] = { ".hp", ".sat", ".skpHp", ".denorm", ".local", ".pack" };
	static const uint8_t flag_at[] = { VIV_DST_FULL, VIV_SAT, VIV_SKPHP, VIV_DENORM, VIV_LOCAL, VIV_PMODE };
	bool alu = op->form == VIV_F_ALU;
	unsigned int v;
	int64_t n;

	if (alu)
		isa_put(b, VIV_PMODE, 1, 1);
	while (c->at < c->end && *c->at == '.') {
		const char *at = c->at;

		if (one_of(c, cond, 32, &v)) {
			isa_put(b, VIV_COND, 5, v);
		} else if (one_of(c, type, 8, &v)) {
			isa_put(b, VIV_TYPE01, 2, v & 3);
			isa_put(b, VIV_TYPE2, 1, v >> 2);
		} else if (isa_literal(c, ".cond")) {
			if (!isa_number(c, 0, 31, &n))
				return false;
			isa_put(b, VIV_COND, 5, n);
		} else if (one_of(c, flags, 6, &v) && (alu || v == 1)) {
			isa_put(b, flag_at[v], 1, v != 5);
		} else if (alu && isa_literal(c, ".ls")) {
			if (!isa_number(c, 0, 7, &n))
				return false;
			isa_put(b, VIV_LEFT_SHIFT, 3, n);
		} else if (alu && one_of(c, thread, 4, &v)) {
			isa_put(b, VIV_LOW_HALF, 1, v & 1);
			isa_put(b, VIV_HIGH_HALF, 1, v >> 1);
		} else if (alu && one_of(c, rmode, 4, &v)) {
			isa_put(b, VIV_RMODE, 2, v);
		} else {
			c->at = at;
			return isa_expect(c, "unknown modifier '%.*s'", (int)isa_word_length(c), at);
		}
	}
	return true;
}

bool viv_read(void *ctx, struct isa_bits *b, const struct isa_op *op, char letter, struct isa_cursor *c)
{
	struct isa_line *line = ctx;
	unsigned int v;
	int64_t n;

	switch (letter) {
	case 'm':
		return read_modifiers(b, op, c);
	case 'n':
		if (!isa_number(c, 0, 127, &n))
			return false;
		isa_put(b, VIV_OPCODE, 6, n & 63);
		isa_put(b, VIV_OPCODE6, 1, n >> 6);
		return true;
	case '_':
		if (c->at < c->end && *c->at != ' ' && *c->at != '\t')
			return isa_expect(c, "unknown instruction or modifier");
		isa_blanks(c);
		return true;
	case 'D':
		return read_destination(b, c);
	case 'M':
		if (!isa_literal(c, "mem"))
			return isa_expect(c, "expected mem and a write mask");
		if (!read_comps(c, &v))
			return false;
		isa_put(b, VIV_DST_COMPS, 4, v);
		return true;
	case 'A': case 'B': case 'C':
		return read_source(b, letter - 'A', c);
	case 'a': case 'b': case 'c':
		return read_source(b, letter - 'a', c);
	case 'x':
		isa_put(b, viv_source[2].amode, 3, 4);
		isa_put(b, viv_source[2].rgroup, 3, VIV_IMMEDIATE);
		return isa_literal(c, "void") || isa_expect(c, "expected void");
	case 'X':
		if (!isa_literal(c, "tex"))
			return isa_expect(c, "expected a sampler: tex0.xyzw");
		if (!isa_number(c, 0, 31, &n))
			return false;
		isa_put(b, VIV_TEX_ID, 5, n);
		if (!read_amode(c, &v))
			return false;
		isa_put(b, VIV_TEX_AMODE, 3, v);
		if (!read_swizzle(c, &v))
			return false;
		isa_put(b, VIV_TEX_SWIZ, 8, v);
		return true;
	case 'T':
		line->target = c->at;
		line->target_length = isa_word_length(c);
		c->at += line->target_length;
		return line->target_length || isa_expect(c, "expected a label or an instruction's number");
	}
	return false;
}
