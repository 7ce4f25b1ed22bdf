// SPDX-License-Identifier: MIT
/*
 * Midgard: operands as text, as Mesa's disassembler writes them: what all units
 * share, and branches. Branches that meet a bundle name it by a label.
 */
#include <string.h>

#include "isa/midgard_text.h"

const char md_components[17] = "xyzwefghijklmnop";
const char *const md_float_outmods[4] = { NULL, "clamp_0_inf", "clamp_m1_1", "clamp_0_1" };

const char *const md_tags[16] = {
	"invalid", "break", "tex/vt", "tex", "tex/bar", "ldst", "unk1", "unk2",
	"alu/4", "alu/8", "alu/12", "alu/16", "aluw/4", "aluw/8", "aluw/12", "aluw/16",
};

/* --- Small things ------------------------------------------------------------- */

/* ".name" of a list; count: none of them. */
unsigned int md_suffix(struct isa_cursor *c, const char *const *names, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		size_t n;

		if (!names[i] || c->end - c->at < 2 || *names[i] != c->at[1])
			continue;
		n = strlen(names[i]);
		if (!n || c->end - c->at <= (ptrdiff_t)n || *c->at != '.' || memcmp(c->at + 1, names[i], n))
			continue;
		/* All of the word, not its beginning. */
		if (c->at + 1 + n < c->end && ((c->at[1 + n] >= 'a' && c->at[1 + n] <= 'z') || c->at[1 + n] == '_' ||
					       (c->at[1 + n] >= '0' && c->at[1 + n] <= '9')))
			continue;
		c->at += n + 1;
		return i;
	}
	return count;
}

bool md_uint(struct isa_cursor *c, unsigned int max, unsigned int *v)
{
	int64_t n;

	if (!isa_number(c, 0, max, &n))
		return false;
	*v = n;
	return true;
}

bool md_signed(struct isa_cursor *c, unsigned int bits, uint32_t *v)
{
	int64_t n;

	isa_literal(c, "+");
	if (!isa_number(c, -(1ll << (bits - 1)), (1ll << (bits - 1)) - 1, &n))
		return false;
	*v = n;
	return true;
}

int md_sign_extend(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

int md_component(char ch)
{
	const char *p = ch ? strchr(md_components, ch) : NULL;

	return p ? p - md_components : -1;
}

/* --- Swizzles ------------------------------------------------------------------ */

/* Where the letters of the two halves of a vector begin. */
static void halves(unsigned int mode, unsigned int expand, unsigned int *first, unsigned int *second)
{
	unsigned int half = 64 / ((8u << mode) >> (expand >= 4));

	*first = 0;
	*second = half;
	switch (expand) {
	case 1: *second = 0; break;
	case 2: *first = half; break;
	case 3: *first = half; *second = 0; break;
	case 4: *second = half / 2; break;
	case 5: *first = half; *second = half + half / 2; break;
	case 6: *first = half / 2; *second = 0; break;
	case 7: *first = half + half / 2; break;
	}
}

/* 64-bit lanes: a pair of selectors is a capital letter, or both in brackets. */
static void write_wide(struct isa_text *text, unsigned int expand, unsigned int swizzle, unsigned int mask)
{
	unsigned int first, second, bit = 0;

	halves(3, expand, &first, &second);
	for (unsigned int i = first; i < 4; i += expand >= 4 ? 1 : 2, bit += 4) {
		unsigned int a = swizzle >> 2 * i & 3, b = swizzle >> 2 * (i + 1) & 3;

		if (bit > 7 || !(mask >> bit & 1))
			continue;
		if (expand >= 4)
			isa_putc(text, md_components[(a + (expand == 5 ? 2 : 0)) / 2]);
		else if (b == a + 1)
			isa_putc(text, a >> 1 ? 'Y' : 'X');
		else
			isa_printf(text, "[%c%c]", md_components[a], md_components[b]);
	}
}

void md_write_letters(struct isa_text *text, unsigned int mode, unsigned int expand, unsigned int swizzle,
		      unsigned int mask)
{
	unsigned int first, second, step = mode ? 1u << (mode - 1) : 1;

	if (mode == 3) {
		write_wide(text, expand, swizzle, mask);
		return;
	}
	halves(mode, expand, &first, &second);
	for (unsigned int i = 0; i < (mode < 2 ? 8u : 4u); i++) {
		unsigned int c = swizzle >> 2 * (i & 3) & 3;

		if (!(mask >> i * step & 1))
			continue;
		c = (mode ? c : 2 * c) + (i < 4 ? first : second);
		isa_putc(text, md_components[c & 15]);
		if (!mode)
			isa_putc(text, md_components[(c + 1) & 15]);
	}
}

/*
 * The selectors, of four, that the letters do not show: like the one before, or
 * the first one, as Mesa's compiler leaves them.
 */
unsigned int md_fill_swizzle(unsigned int swizzle, unsigned int seen)
{
	unsigned int last;

	if (!seen)
		return swizzle;
	last = swizzle >> 2 * (unsigned int)__builtin_ctz(seen) & 3;
	for (unsigned int i = 0; i < 4; i++) {
		if (seen >> i & 1)
			last = swizzle >> 2 * i & 3;
		else
			swizzle = (swizzle & ~(3u << 2 * i)) | last << 2 * i;
	}
	return swizzle;
}

/* A pair of selectors of 64-bit lanes: how many letters, 0: none. */
static size_t read_pair(const char *p, size_t n, bool expands, bool high, unsigned int *pair)
{
	int a = n && expands ? md_component(*p) : -1, b;

	if (n && expands) {
		a -= high;
		/* Mesa's compiler uses pairs here too; the letter shows the first alone. */
		*pair = a == 0 ? 4 : 14;
		return a == 0 || a == 1 ? 1 : 0;
	}
	if (n && (*p == 'X' || *p == 'Y')) {
		*pair = *p == 'X' ? 4 : 14;
		return 1;
	}
	if (n < 4 || *p != '[' || p[3] != ']')
		return 0;
	a = md_component(p[1]);
	b = md_component(p[2]);
	if (a < 0 || a > 3 || b < 0 || b > 3)
		return 0;
	*pair = (unsigned int)(a | b << 2);
	return 4;
}

static bool read_wide(const char *p, size_t n, unsigned int expand, unsigned int mask, unsigned int *swizzle)
{
	unsigned int first, second, bit = 0, v = 0xe4, pair, k, seen = 0;
	size_t used;

	halves(3, expand, &first, &second);
	for (unsigned int i = first; i < 4; i += expand >= 4 ? 1 : 2, bit += 4) {
		if (bit > 7 || !(mask >> bit & 1))
			continue;
		used = read_pair(p, n, expand >= 4, expand == 5, &pair);
		if (!used)
			return false;
		k = expand >= 4 ? 4 * (bit / 4) : 2 * i;
		v = (v & ~(15u << k)) | pair << k;
		seen |= 1u << k / 4;
		p += used;
		n -= used;
	}
	v &= 0xff;
	*swizzle = seen == 1 ? (v & 15) * 17 : seen == 2 ? (v >> 4) * 17 : v;
	return !n;
}

bool md_read_letters(const char *letters, size_t n, unsigned int mode, unsigned int expand, unsigned int mask,
		     unsigned int *swizzle)
{
	unsigned int first, second, step = mode ? 1u << (mode - 1) : 1, seen = 0, v = 0xe4;

	if (mode == 3)
		return read_wide(letters, n, expand, mask, swizzle);
	halves(mode, expand, &first, &second);
	for (unsigned int i = 0; i < (mode < 2 ? 8u : 4u); i++) {
		int c = n ? md_component(*letters) - (int)(i < 4 ? first : second) : -1;
		unsigned int slot = i & 3;

		if (!(mask >> i * step & 1))
			continue;
		if (!mode) {
			if (n < 2 || c < 0 || c & 1 || md_component(letters[1]) != md_component(*letters) + 1)
				return false;
			c /= 2;
			letters++;
			n--;
		}
		if (c < 0 || c > 3 || (seen >> slot & 1 && (v >> 2 * slot & 3) != (unsigned int)c))
			return false;
		seen |= 1u << slot;
		v = (v & ~(3u << 2 * slot)) | (unsigned int)c << 2 * slot;
		letters++;
		n--;
	}
	*swizzle = md_fill_swizzle(v, seen);
	return !n;
}

/* --- Branches ------------------------------------------------------------------- */

static const char *const conditions[4] = { "write0", "false", "true", "always" };
static const char *const calls[4] = { "reserved", NULL, "call", "return" };

static void write_condition(struct isa_text *text, unsigned int cond, bool wide)
{
	if (wide && cond != (cond & 3) * 0x5555)
		isa_printf(text, "lut%X", cond);
	else
		isa_puts(text, conditions[cond & 3]);
}

static bool read_condition(struct isa_cursor *c, bool wide, unsigned int *cond)
{
	if (wide && isa_literal(c, "lut")) {
		const char *digits = "0123456789ABCDEF", *p, *start = c->at;

		for (*cond = 0; c->at < c->end && *c->at && (p = strchr(digits, *c->at)) && c->at - start < 4; c->at++)
			*cond = *cond << 4 | (unsigned int)(p - digits);
		return c->at > start || isa_expect(c, "expected a look-up table of four hexadecimal digits");
	}
	for (unsigned int i = 0; i < 4; i++) {
		if (isa_literal(c, conditions[i])) {
			*cond = wide ? i * 0x5555 : i;
			return true;
		}
	}
	return isa_expect(c, "expected write0, false, true or always");
}

void md_branch_places(unsigned int form, unsigned int *offset, unsigned int *width, unsigned int *tag)
{
	*offset = form == MD_F_BR ? MD_br_offset : form == MD_F_BRU ? MD_bru_offset : MD_brx_offset;
	*width = form == MD_F_BRX ? MD_brx_offset_width : MD_br_offset_width;
	*tag = form == MD_F_BR ? MD_br_tag : form == MD_F_BRU ? MD_bru_tag : MD_brx_tag;
}

static bool read_tag(struct isa_cursor *c, unsigned int *tag)
{
	/* Longer names come first where one begins like another. */
	for (*tag = 16; (*tag)--; ) {
		size_t n = strlen(md_tags[*tag]);

		if ((size_t)(c->end - c->at) < n || memcmp(c->at, md_tags[*tag], n))
			continue;
		if (c->at + n < c->end && (c->at[n] == '/' || (c->at[n] >= '0' && c->at[n] <= '9')))
			continue;
		c->at += n;
		return true;
	}
	return isa_expect(c, "expected the kind of bundle that is jumped to: alu/4, ldst, tex, break, ...");
}

/* +N, -N or a label; then "-> TAG", which a label can do without. */
static bool read_target(struct md_place_in *in, struct isa_bits *b, unsigned int form, struct isa_cursor *c)
{
	unsigned int offset, width, tag, v;
	uint32_t n;

	md_branch_places(form, &offset, &width, &tag);
	if (c->at < c->end && *c->at != '+' && *c->at != '-' && !(*c->at >= '0' && *c->at <= '9')) {
		in->target = c->at;
		in->target_length = isa_word_length(c);
		c->at += in->target_length;
		if (!in->target_length)
			return isa_expect(c, "expected a label, or a distance such as +2");
	} else {
		if (!md_signed(c, width, &n))
			return false;
		isa_put(b, offset, width, n);
	}
	isa_blanks(c);
	if (!isa_literal(c, "->")) {
		in->bare = true;
		return in->target || isa_expect(c, "expected '->' and the kind of bundle there");
	}
	isa_blanks(c);
	if (!read_tag(c, &v))
		return false;
	isa_put(b, tag, 4, v);
	return true;
}

static bool read_branch(struct md_place_in *in, struct isa_bits *b, unsigned int form, char letter,
			struct isa_cursor *c)
{
	unsigned int v = 0;

	switch (letter) {
	case 'o':
		return read_target(in, b, form, c);
	case 'c':
		if (!read_condition(c, form == MD_F_BRX, &v))
			return false;
		if (form == MD_F_BRX)
			md_put(b, brx_cond, v);
		else
			md_put(b, br_cond, v);
		return true;
	case 'k':
		v = md_suffix(c, calls, 4);
		v = v < 4 ? v : 1;
		if (form == MD_F_BRX)
			md_put(b, brx_call, v);
		else
			md_put(b, bru_call, v);
		return true;
	}
	return false;
}

static void write_label(const struct md_place_in *in, uint32_t label, struct isa_text *text)
{
	const struct isa_counter *base = in->label_base;
	char *to;

	isa_putc(text, 'L');
	if (!isa_text_room(text, 10 + ISA_EMIT_SLACK))
		return;
	to = text->data + text->length;
	to = isa_draft_number(in->draft, text->data, to, base, (int)(label - (base->hundreds * 100 + base->rest)));
	text->length = to - text->data;
}

static void write_branch(const struct md_place_in *in, const struct isa_bits *b, unsigned int form, char letter,
			 struct isa_text *text)
{
	unsigned int offset, width, tag, call;
	int64_t distance, to;

	md_branch_places(form, &offset, &width, &tag);
	switch (letter) {
	case 'o':
		distance = md_sign_extend(isa_get(b, offset, width), width);
		to = (int64_t)in->next + 4 * distance;
		if (in->labels && to >= 0 && to < (int64_t)in->words && !(to % 4) && in->labels[to / 4])
			write_label(in, in->labels[to / 4], text);
		else
			isa_printf(text, "%+d", (int)distance);
		isa_puts(text, " -> ");
		isa_puts(text, md_tags[isa_get(b, tag, 4)]);
		break;
	case 'c':
		write_condition(text, form == MD_F_BRX ? md_get(b, brx_cond) : md_get(b, br_cond), form == MD_F_BRX);
		break;
	case 'k':
		call = form == MD_F_BRX ? md_get(b, brx_call) : md_get(b, bru_call);
		if (calls[call])
			isa_printf(text, ".%s", calls[call]);
	}
}

/* --- All of them ------------------------------------------------------------------------ */

static void op_place(const struct isa_op *op, unsigned int *lo, unsigned int *width)
{
	static const uint8_t places[MD_FORMS][2] = {
		[MD_F_VEC] = { MD_vec_op, 8 }, [MD_F_SCALAR] = { MD_sca_op, 8 }, [MD_F_BR] = { MD_br_op, 3 },
		[MD_F_BRU] = { MD_bru_op, 3 }, [MD_F_BRX] = { MD_brx_op, 3 }, [MD_F_LDST] = { MD_ld_op, 8 },
		[MD_F_TEX] = { MD_tex_op, 4 },
	};

	*lo = places[op->form][0];
	*width = places[op->form][1];
}

/* The code of an op without a name: two hexadecimal digits, a branch's one decimal digit. */
static bool read_code(struct isa_bits *block, const struct isa_op *op, struct isa_cursor *c)
{
	unsigned int lo, width, v = 0, n = 0;
	static const char digits[] = "0123456789ABCDEF";

	op_place(op, &lo, &width);
	if (width == 3) {
		if (!md_uint(c, 7, &v))
			return false;
	} else {
		for (const char *p; n < 2 && c->at < c->end && *c->at && (p = strchr(digits, *c->at)); n++, c->at++)
			v = v << 4 | (unsigned int)(p - digits);
		if (n < 2 || v >= 1u << width)
			return isa_expect(c, "expected the op's code, two hexadecimal digits");
	}
	isa_put(block, lo, width, v);
	return true;
}

bool md_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter, struct isa_cursor *cursor)
{
	if (letter == 'n')
		return read_code(block, op, cursor);
	switch (op->form) {
	case MD_F_VEC: case MD_F_SCALAR:
		return md_read_alu(ctx, block, op->form == MD_F_VEC, letter, cursor);
	case MD_F_LDST:
		return md_read_ldst(block, letter, cursor);
	case MD_F_TEX:
		return md_read_tex(block, letter, cursor);
	}
	return read_branch(ctx, block, op->form, letter, cursor);
}

void md_write(void *ctx, const struct isa_bits *block, const struct isa_op *op, char letter,
	      struct isa_text *text)
{
	unsigned int lo, width;

	if (letter == 'n') {
		op_place(op, &lo, &width);
		isa_printf(text, width == 3 ? "%u" : "%02X", isa_get(block, lo, width));
		return;
	}
	switch (op->form) {
	case MD_F_VEC: case MD_F_SCALAR:
		md_write_alu(ctx, block, op->form == MD_F_VEC, letter, text);
		return;
	case MD_F_LDST:
		md_write_ldst(block, letter, text);
		return;
	case MD_F_TEX:
		md_write_tex(block, letter, text);
		return;
	}
	write_branch(ctx, block, op->form, letter, text);
}
