// SPDX-License-Identifier: MIT
/*
 * Bifrost at the level of Mesa's Notes.txt: the ops that its notes explain, one slot
 * instruction to a 32-bit word. FMA instructions have 23 bits, ADD instructions
 * 20; bit 31 of the word tells which of the two it is, and a tuple is an FMA
 * word with the ADD word after it. This is unpacked: bifrost_clause.h takes
 * clauses apart. Beside the notes' ops there are those that Mesa's test of
 * constant folding has values for. Encodings: Mesa src/panfrost/compiler/bifrost/
 * ISA.xml; names of sources: bifrost.h. Text: '*' FMA, '+' ADD, as Mesa prints.
 */
#include <errno.h>
#include <string.h>

#include "isa/emit.h"
#include "isa/line.h"

enum { FORM_FMA, FORM_ADD, FORMS };

#define SOURCES \
	{ "src0", 0, 3, 0, "source (bifrost.h); for some ops other bits" }, \
	{ "src1", 3, 3, 0, "source, or modifiers" }, \
	{ "src2", 6, 3, 0, "source, or modifiers" }, \
	{ "bits_9_2", 9, 2, 0, "op or modifiers" }

static const struct isa_field fma_fields[] = {
	SOURCES,
	{ "op", 11, 12, 0, "with bits below, by op" },
	{ "unknown_23_8", 23, 8, 0, "none of an FMA instruction" },
	{ "slot", 31, 1, 0, "0: FMA (this library's)" },
};

static const struct isa_field add_fields[] = {
	SOURCES,
	{ "op", 11, 9, 0, "with bits below, by op" },
	{ "unknown_20_11", 20, 11, 0, "none of an ADD instruction" },
	{ "slot", 31, 1, 1, "1: ADD (this library's)" },
};

static const struct isa_form forms[FORMS] = {
	[FORM_FMA] = { "fma", 0, fma_fields, sizeof(fma_fields) / sizeof(*fma_fields) },
	[FORM_ADD] = { "add", 0, add_fields, sizeof(add_fields) / sizeof(*add_fields) },
};

/* Bits of the word from lo up, of an instruction's exact value. */
#define F(lo, exact)	{ lo, 32 - (lo), (exact) >> (lo) }
#define A(lo, exact)	{ lo, 32 - (lo), ((exact) | 0x80000000u) >> (lo) }

#define TABLE(name, exact, note) \
	{ 0, FORM_ADD, { A(6, exact) }, "+" name "%n%k%z %a", note }, \
	{ 0, FORM_ADD, { A(8, exact), { 6, 1, 1 } }, "+" name "%n%k%z%W %a", note }

static const struct isa_op ops[] = {
	{ 0, FORM_FMA, { F(0, 0x701963) }, "*NOP", "nothing" },
	{ 0, FORM_FMA, { F(3, 0x701968) }, "*MOV.i32 %a", "a copy" },
	{ 0, FORM_FMA, { F(4, 0x700d10) }, "*F16_TO_F32%l %a", "half h0 (low) or h1 to float // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(5, 0x701e20) }, "*FREXPE.f32.log%w %a", "exponent for log, FLOG_FREXPE // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(9, 0x701c20), { 7, 1, 0 }, { 5, 1, 1 } }, "*FREXPE.f32%Q%N%w %a",
	  ".neg: FRCP_FREXPE, .sqrt: FSQRT_FREXPE, both: FRSQ_FREXPE // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(8, 0x701a20), { 5, 1, 1 } }, "*FREXPM.f32.log%m%K%w %a",
	  "mantissa in [0.75, 1.5), LOG_FREXPM // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(8, 0x701b20), { 5, 1, 1 } }, "*FREXPM.f32%q%K%w %a",
	  "mantissa in [0.5, 1), FRCP_FREXPM; .sqrt: in [0.25, 1), FSQRT_FREXPM // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(9, 0x70e600) }, "*SHADDXL.i64 %a, %b, %s",
	  "LSHIFT_ADD_LOW32.i64; the rest goes to the ADD slot // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(11, 0x70e000) }, "*SHADDXL.u32 %a, %b%L, %s", "LSHIFT_ADD_LOW32.u32 // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(11, 0x70e800) }, "*SHADDXL.s32 %a, %b%L, %s", "LSHIFT_ADD_LOW32.i32 // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_FMA, { F(18, 0x280000) }, "*FMA_RSCALE.f32%r%i%g%h %a, %b, %c, %d",
	  "(a * b + c) * 2^d; the step of the reductions" },
	{ 0, FORM_FMA, { F(8, 0x70f000) }, "*MKVEC.v2i16%A%B %a, %b", "two halves, the first one low; what Mesa's Notes.txt's SWZ is of two" },
	{ 0, FORM_FMA, { F(16, 0x710000) }, "*MKVEC.v4i8%C%D%E%F %a, %b, %c, %d", "four bytes, the first one low" },
	{ 0, FORM_FMA, { F(16, 0x313000), { 11, 3, 6 } }, "*LSHIFT_OR.i32%M%J%I %a, %b, %c",
	  "a << (a byte of c), or b; .not1: or ~b; .not: all of it inverted" },
	{ 0, FORM_FMA, { { 31, 1, 0 } }, "*OP %o", "unknown" },

	{ 0, FORM_ADD, { A(0, 0x3d964) }, "+NOP", "nothing" },
	{ 0, FORM_ADD, { A(3, 0x3d968) }, "+MOV.i32 %a", "a copy // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(6, 0x3d948), { 3, 1, 1 } }, "+SWZ.v2i16%S %a",
	  "halves: the low, then the high one of the result; .h01 is MOV // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(8, 0x75300) }, "+MKVEC.v2i16%A%B %a, %b", "two halves, the first one low" },
	{ 0, FORM_ADD, { A(4, 0x3cd10) }, "+F16_TO_F32%l %a", "half h0 (.X) or h1 (.Y) to float // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(5, 0x3de20) }, "+FREXPE.f32.log%w %a", "exponent for log, FLOG_FREXPE // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(9, 0x3dc20), { 7, 1, 0 }, { 5, 1, 1 } }, "+FREXPE.f32%Q%N%w %a",
	  ".neg: FRCP_FREXPE, .sqrt: FSQRT_FREXPE, both: FRSQ_FREXPE // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(8, 0x3da20), { 5, 1, 1 } }, "+FREXPM.f32.log%m%K%w %a",
	  "mantissa in [0.75, 1.5), LOG_FREXPM // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(8, 0x3db20), { 5, 1, 1 } }, "+FREXPM.f32%q%K%w %a",
	  "mantissa in [0.5, 1), FRCP_FREXPM; .sqrt: in [0.25, 1), FSQRT_FREXPM // Mesa Notes.txt, ISA.xml" },
	TABLE("FRCP_APPROX.f32", 0x67000, "FRCP_TABLE: about 2/m // Mesa Notes.txt, ISA.xml"),
	TABLE("FRSQ_APPROX.f32", 0x67100, "FRSQ_TABLE: about 1/sqrt of FREXPM.sqrt // Mesa Notes.txt, ISA.xml"),
	TABLE("FLOG_TABLE.f32.red", 0x67300, "FRCP_APPROX: about 1/m in 5 bits // Mesa Notes.txt, ISA.xml"),
	{ 0, FORM_ADD, { A(3, 0x67ae0) }, "+FLOG_TABLE.f32.natural.high %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(3, 0x67ae8) }, "+FLOG_TABLE.f32.base2.high %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(3, 0x67af0) }, "+FLOG_TABLE.f32.natural.low %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(3, 0x67af8) }, "+FLOG_TABLE.f32.base2.low %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(5, 0x67b00) }, "+FLOG_TABLE.f32.base2%n%k %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(5, 0x67b20) }, "+FLOG_TABLE.f32.natural%n%k %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(8, 0x67b40), { 5, 2, 2 } }, "+FLOG_TABLE.f32.base2%n%k%W %a", "log of the reduction" },
	{ 0, FORM_ADD, { A(8, 0x67b40), { 5, 2, 3 } }, "+FLOG_TABLE.f32.natural%n%k%W %a",
	  "log of the reduction" },
	{ 0, FORM_ADD, { A(7, 0x66000), { 5, 2, 0 } }, "+FRCP.f32%n%k %a", "FRCP_FAST.f32: 1/x, not on G71 // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(9, 0x67080), { 6, 2, 2 } }, "+FRCP.f16%n%k%z%H %a", "FRCP_FAST.f16 // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(6, 0x3f8c0) }, "+SHADDXH.i32 %a, %b",
	  "LSHIFT_ADD_HIGH32: the high half of the SHADDXL before it // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(11, 0x74000) }, "+MUX.i32%x %a, %b, %c", ".bit: (c & a) | (~c & b) // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(8, 0xc8f00) }, "+ATEST %a, %b%u", "alpha to coverage, late tests // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(11, 0xc8800) }, "+DISCARD.f32%e%v %a, %b", "discards when a and b compare so // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(9, 0xca800) }, "+BLEND %a, %b, %c", "coverage and colour to the blender // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(9, 0x61000) }, "+LOAD.i128%G %a, %b", ".ubo: LD_UBO.v4i32, offset and binding // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(14, 0xc0400), { 9, 2, 2 } }, "+LEA_ATTR%f %a, %b, %c",
	  "LD_VAR_ADDR: a varying's address and type, three words for ST_CVT // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { A(9, 0xc8400) }, "+LEA_ATTR %a, %b, %c", "LD_VAR_ADDR, of the type that the descriptor has" },
	{ 0, FORM_ADD, { A(11, 0xc9800) }, "+ST_CVT%V %a, %b, %c", "ST_VAR: a varying by address and type // Mesa Notes.txt, ISA.xml" },
	{ 0, FORM_ADD, { { 31, 1, 1 } }, "+OP %o", "unknown" },
};

/* --- Operands: each letter is some bits and their names ------------------------ */

#define N(s)	ISA_NAME_OF(s)

static const struct isa_name no_yes_neg[] = { N(""), N(".neg") };
static const struct isa_name no_yes_neg2[] = { N(""), N(".neg2") };
static const struct isa_name no_yes_abs[] = { N(""), N(".abs") };
static const struct isa_name no_yes_sqrt[] = { N(""), N(".sqrt") };
static const struct isa_name no_yes_divzero[] = { N(""), N(".divzero") };
static const struct isa_name no_yes_not[] = { N(""), N(".not") };
static const struct isa_name not1_no[] = { N(".not1"), N("") };
static const struct isa_name half[] = { N(".h0"), N(".h1") };
static const struct isa_name byte[] = { N(".b0"), N(".b2") };
static const struct isa_name any_byte[] = { N(".b0"), N(".b1"), N(".b2"), N(".b3") };
static const struct isa_name swizzle[] = { N(".h00"), N(".h10"), N(".h01"), N(".h11") };
static const struct isa_name widen[] = { N(".w0"), N(""), N(".h0"), N(".h1") };
static const struct isa_name lane[] = { N(".h0"), N(".h1"), N(""), N(".lane3") };
static const struct isa_name mux[] = { N(".neg"), N(".int_zero"), N(".fp_zero"), N(".bit") };
static const struct isa_name compare[] = { N(".eq"), N(".ne"), N(".lt"), N(".le") };
static const struct isa_name widen2[] = { N(".h0.h0"), N(".h1.h0"), N(".h0.h1"), N(".h1.h1"), N(""), N(".v5"), N(".v6"), N(".v7") };
static const struct isa_name segment[] = { N(".seg0"), N(""), N(".wls"), N(".stream"), N(".ubo"), N(".seg5"), N(".seg6"), N(".tl") };
static const struct isa_name size[] = { N(""), N(".v2"), N(".v3"), N(".v4") };
static const struct isa_name rscale[] = { N(""), N(".clamp_0_inf"), N(".clamp_m1_1"), N(".clamp_0_1"), N(".n"), N(".n.rtz"),
					    N(".scale16"), N(".left") };
static const struct isa_name format[] = { N(".f16"), N(".f32"), N(".s32"), N(".u32"), N(".s16"), N(".u16"), N(".f64"), N(".i64") };
static const struct isa_name source[] = { N("port0"), N("port1"), N("port2"), N("stage"), N("fau_lo"), N("fau_hi"),
					  N("pass_fma"), N("pass_add") };

static const struct operand {
	uint8_t lo, width;
	const struct isa_name *names;	/* NULL: a number */
	const char *what;
} operands[128] = {
	['a'] = { 0, 3, source, "a source" }, ['b'] = { 3, 3, source, "a source" },
	['c'] = { 6, 3, source, "a source" }, ['d'] = { 9, 3, source, "a source" },
	['s'] = { 6, 3, NULL, "a shift" }, ['o'] = { 0, 31, NULL, "the instruction's bits" },
	['n'] = { 3, 1, no_yes_neg, "" }, ['k'] = { 4, 1, no_yes_abs, "" }, ['z'] = { 5, 1, no_yes_divzero, "" },
	['N'] = { 6, 1, no_yes_neg, "" }, ['K'] = { 6, 1, no_yes_abs, "" }, ['m'] = { 7, 1, no_yes_neg, "" },
	['q'] = { 7, 1, no_yes_sqrt, "" }, ['Q'] = { 8, 1, no_yes_sqrt, "" }, ['l'] = { 3, 1, half, ".h0 or .h1" },
	['W'] = { 7, 1, half, ".h0 or .h1" }, ['H'] = { 8, 1, half, ".h0 or .h1" }, ['w'] = { 3, 2, widen, "" },
	['u'] = { 6, 2, widen, "" }, ['L'] = { 9, 2, lane, "" }, ['x'] = { 9, 2, mux, "a mode" },
	['e'] = { 6, 2, compare, "a comparison" }, ['v'] = { 8, 3, widen2, "" }, ['G'] = { 6, 3, segment, "" },
	['V'] = { 9, 2, size, "" }, ['f'] = { 11, 3, format, "a register format" }, ['r'] = { 12, 3, rscale, "" }, ['i'] = { 15, 1, no_yes_abs, "" },
	['g'] = { 16, 1, no_yes_neg, "" }, ['h'] = { 17, 1, no_yes_neg2, "" },
	['A'] = { 6, 1, half, ".h0 or .h1" }, ['B'] = { 7, 1, half, ".h0 or .h1" },
	['C'] = { 12, 1, byte, ".b0 or .b2" }, ['D'] = { 13, 1, byte, ".b0 or .b2" }, ['E'] = { 14, 1, byte, ".b0 or .b2" },
	['F'] = { 15, 1, byte, ".b0 or .b2" }, ['S'] = { 4, 2, swizzle, ".h00, .h10, .h01 or .h11" },
	['I'] = { 9, 2, any_byte, ".b0 to .b3" }, ['J'] = { 14, 1, not1_no, "" }, ['M'] = { 15, 1, no_yes_not, "" },
};

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The longest whole name wins; an empty one when no other fits. */
static bool read_name(struct isa_bits *b, const struct operand *o, struct isa_cursor *c)
{
	int best = -1;
	size_t length = 0;

	for (unsigned int i = 0; i < 1u << o->width; i++) {
		size_t n = o->names[i].length;

		if ((size_t)(c->end - c->at) < n || memcmp(c->at, o->names[i].text, n) ||
		    (n && c->at + n < c->end && in_word(c->at[n])))
			continue;
		if (best < 0 || n > length) {
			best = i;
			length = n;
		}
	}
	if (best < 0)
		return isa_expect(c, "expected %s", o->what);
	c->at += length;
	isa_put(b, o->lo, o->width, best);
	return true;
}

static bool bifrost_read(void *ctx, struct isa_bits *b, const struct isa_op *op, char letter,
			 struct isa_cursor *c)
{
	const struct operand *o = &operands[(unsigned char)letter];
	int64_t v;

	if (o->names)
		return read_name(b, o, c);
	if (!isa_number(c, 0, (1ll << o->width) - 1, &v))
		return false;
	isa_put(b, o->lo, o->width, v);
	return true;
}

static void bifrost_tells(const struct isa_op *op, char letter, struct isa_bits *told)
{
	isa_put(told, operands[(unsigned char)letter].lo, operands[(unsigned char)letter].width, ~0u);
}

static char *bifrost_emit(const struct isa_bits *b, char letter, char *to)
{
	const struct operand *o = &operands[(unsigned char)letter];
	uint32_t v = b->w[0] >> o->lo & ((1u << o->width) - 1);

	if (o->names)
		return isa_emit_name(to, &o->names[v]);
	return o->width > 3 ? isa_emit_hex(to, v, 1) : isa_emit_uint(to, v);
}

/* --- Check ------------------------------------------------------------------------ */

static bool starts(const struct isa_op *op, const char *name)
{
	return op && !strncmp(op->pattern, name, strlen(name));
}

static const struct isa_op *op_at(const struct isa *isa, const uint32_t *words, size_t count, size_t i)
{
	struct isa_bits b = { { 0 } };

	if (i >= count)
		return NULL;
	b.w[0] = words[i];
	return isa_match_op(isa, 0, &b);
}

/*
 * Mesa Notes.txt: what SHADDXL shifts out and carries goes straight from FMA to ADD,
 * so the two must be one tuple; loads and stores may take SHADDXH's place.
 */
static int bifrost_check(const struct isa *isa, const uint32_t *words, size_t count,
			 struct isa_messages *messages)
{
	bool ok = count || isa_message(messages, &(struct isa_message){ .rule = "length" }, "there is no instruction");

	for (size_t i = 0; i < count; i++) {
		const struct isa_op *op = op_at(isa, words, count, i);
		const struct isa_op *next = op_at(isa, words, count, i + 1);
		const struct isa_op *before = i ? op_at(isa, words, count, i - 1) : NULL;
		struct isa_message at = { .severity = ISA_ERROR, .rule = "shaddx-pair", .at = i };

		if (starts(op, "*SHADDXL") && !starts(next, "+SHADDXH") && !starts(next, "+LOAD") &&
		    !starts(next, "+ST_CVT")) {
			at.other = next ? i + 1 : i;
			/* .u32 and .s32 also stand alone, with a result of 32 bits. */
			at.severity = starts(op, "*SHADDXL.i64") ? ISA_ERROR : ISA_NOTE;
			ok &= isa_message(messages, &at,
					  "SHADDXL hands its carry to the ADD instruction of its tuple; that is none that takes it");
		}
		if (starts(op, "+SHADDXH") && !starts(before, "*SHADDXL")) {
			at.other = i ? i - 1 : i;
			ok &= isa_message(messages, &at, "SHADDXH needs a SHADDXL in the FMA slot of its tuple");
		}
	}
	return ok ? 0 : -ENOMEM;
}

static const char *const units[] = { "instruction" };

const struct isa isa_bifrost = {
	.number = ISA_BIFROST,
	.name = "bifrost",
	.forms = forms,
	.form_count = FORMS,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.source = "Mesa bifrost/ISA.xml",
	.line_words = 1,
	.read = bifrost_read,
	.tells = bifrost_tells,
	.emit = bifrost_emit,
	.assemble = isa_line_assemble,
	.disassemble = isa_line_disassemble,
	.check = bifrost_check,
};
