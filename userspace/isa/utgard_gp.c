// SPDX-License-Identifier: MIT
/*
 * Utgard GP: the table. Facts: mali-isa-docs Utgard-GP.md ("doc"), Mesa
 * src/gallium/drivers/lima/ir/gp ("Mesa"). The text is the dialect of Mesa's
 * disassembler.
 */
#include <stdio.h>

#include "isa/utgard_gp.h"

#define X(name, lo, width, reset, note) { #name, lo, width, reset, note },
static const struct isa_field fields[] = { GP_FIELDS(X) };
#undef X

static const struct isa_form forms[] = {
	{ "", 0, fields, sizeof(fields) / sizeof(fields[0]) },
};

static const char *const units[] = {
	"accumulator 0", "accumulator 1", "multiplier 0", "multiplier 1", "pass", "complex",
	"both multipliers", "branch",
};

#define OP(name, unit_, match_, text, props_, why_, note_) \
	{ .unit = GP_##unit_, .match = match_, .pattern = text, .note = note_, .why = why_, .id = GP_OP_##name, .props = props_ },
#define ROW OP
static const struct isa_op ops[] = {
#include "isa/utgard_gp_ops.inc"
};

#define PLACE(name) { GP_##name, GP_##name##_width }

/* How far back a name is looked for, to say how old it is. */
#define NAME_REACH 64

struct name {
	const char *at;
	size_t length;
};

/* What program.c keeps of a text that is read: names of results, by their instruction's number; that number and one. */
struct names {
	struct {
		size_t number;
		struct name results[GP_RESULTS];
	} slots[NAME_REACH];
};

static const size_t own_size = sizeof(struct names);

/* What several operands may name, and then the same. */
enum claim { LOAD, REG0, REG1, STORE0, STORE1 };

static const struct isa_operand claims[] = {
	[LOAD] = { .at = { PLACE(load_addr), PLACE(load_offset) },
		   .what = "an instruction loads one vec4 of uniforms or temporaries; this is a second one" },
	[REG0] = { .at = { PLACE(register0_addr), PLACE(register0_attribute) },
		   .what = "register unit 0 loads one attribute or register; this is a second one" },
	[REG1] = { .at = { PLACE(register1_addr) }, .what = "register unit 1 loads one register; this is a second one" },
	[STORE0] = { .at = { PLACE(store0_addr), PLACE(store0_varying), PLACE(store0_temporary) },
		     .what = "x and y of an instruction go to one place; this is a second one" },
	[STORE1] = { .at = { PLACE(store1_addr), PLACE(store1_varying), PLACE(store1_temporary) },
		     .what = "z and w of an instruction go to one place; this is a second one" },
};

#define ATTRIBUTE	(1 << GP_register0_addr_width)
#define VARYING		(1 << GP_store0_addr_width)
#define TEMPORARY	(2 << GP_store0_addr_width)
#define NO_OFFSET	7

static bool claim(struct isa_bits *b, uint32_t *have, enum claim which, uint32_t value, struct isa_cursor *c,
		  const char *at)
{
	if (*have >> which & 1 && isa_operand_get(&claims[which], b) != value)
		return isa_expect_at(c, at, "%s", claims[which].what);
	*have |= 1u << which;
	isa_operand_put(&claims[which], b, value);
	return true;
}

static bool read_component(struct isa_cursor *c, unsigned int *comp)
{
	if (!isa_literal(c, "."))
		return isa_expect(c, "expected '.' and one component: x, y, z or w");
	return isa_letter(c, "xyzw", 4, comp) || isa_expect(c, "expected one of x, y, z, w");
}

/* --- Names of results -------------------------------------------------------- */

static struct name read_name(struct isa_cursor *c)
{
	struct name name = { c->at, isa_span(c, ISA_NAME) };

	c->at += name.length;
	return name;
}

/* What the unit's result of n instructions ago is called; no length: it has no name, or is not there. */
static struct name name_of(const struct isa_program *p, size_t n, unsigned int unit)
{
	const struct names *names = p->own;
	size_t slot = (p->index - n) % NAME_REACH;

	return names && n <= p->index && names->slots[slot].number == p->index - n + 1 ? names->slots[slot].results[unit] :
	       (struct name){ 0 };
}

/* Which unit, how many instructions ago (from .. to - 1), has a result of that name? */
static bool find_name(const struct isa_program *p, struct name name, size_t from, size_t to, int64_t *ago, unsigned int *unit)
{
	for (size_t n = from; n < to && name.length; n++) {
		for (unsigned int u = 0; u < GP_RESULTS; u++) {
			struct name other = name_of(p, n, u);

			if (other.length != name.length || memcmp(other.at, name.at, name.length))
				continue;
			*ago = n;
			*unit = u;
			return true;
		}
	}
	return false;
}

/* The names of results that can be reached, the last ones first. */
static void list_names(const struct isa_program *p, struct isa_choices *to)
{
	char word[40];

	for (size_t i = 0; i < NAME_REACH * GP_RESULTS; i++) {
		struct name name = name_of(p, i / GP_RESULTS, i % GP_RESULTS);

		if (name.length >= sizeof(word))
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)name.length, name.length ? name.at : "");
		isa_choice(to, "^", word);
	}
}

/* The same, also by number: Mesa numbers every unit's result, six to an instruction. */
static bool find_result(const struct isa_program *p, struct name name, int64_t *ago, unsigned int *unit)
{
	struct isa_cursor c = { .at = name.at, .end = name.at + name.length, .quiet = true };
	int64_t n;

	if (find_name(p, name, 0, 3, ago, unit))
		return true;
	if (!isa_number(&c, -2 * GP_RESULTS, 1 << 30, &n) || c.at != c.end)
		return find_name(p, name, 3, NAME_REACH, ago, unit);
	*ago = (int64_t)p->index + 2 - (n + 2 * GP_RESULTS) / GP_RESULTS;
	*unit = (n + 2 * GP_RESULTS) % GP_RESULTS;
	return true;
}

static void write_result(const struct isa_program *p, unsigned int unit, unsigned int ago, struct isa_text *text)
{
	isa_printf(text, "^%d", (int)(p->index - ago) * GP_RESULTS + (int)unit);
}

/* --- Sources ------------------------------------------------------------------ */

static bool read_load(struct isa_insn *in, struct isa_cursor *c, unsigned int *src)
{
	struct isa_program *p = in->ctx;
	const char *at = c->at;
	unsigned int comp;
	int64_t addr, off = NO_OFFSET;

	c->at += 2;
	if (!isa_number(c, 0, 511, &addr))
		return false;
	if (isa_literal(c, "+addr") ? !isa_number(c, 1, 3, &off) : isa_literal(c, "+unk") && !isa_number(c, 0, 7, &off))
		return false;
	if (!isa_literal(c, "]"))
		return isa_expect(c, "expected ']', +addr1, +addr2 or +addr3");
	if (!read_component(c, &comp))
		return false;
	*src = GP_SRC_LOAD + comp;
	return claim(in->bits, &p->claims, LOAD, addr | off << GP_load_addr_width, c, at);
}

static void write_load(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int off = gp_get(b, load_offset);

	isa_printf(text, "t[%u", gp_get(b, load_addr));
	if (off != NO_OFFSET)
		isa_printf(text, off >= 1 && off <= 3 ? "+addr%u" : "+unk%u", off);
	isa_putc(text, ']');
}

/* $0.x, or a0.x; last: behind '^', what register unit 0 of the instruction before loads. */
static bool read_register(struct isa_insn *in, struct isa_cursor *c, const char *at, bool last, unsigned int *src)
{
	struct isa_program *p = in->ctx;
	struct isa_bits *b = last ? (struct isa_bits *)(p->out.list + p->out.count - 4) : in->bits;
	bool attribute = *c->at++ == 'a', unit0 = attribute || last;
	unsigned int comp;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !read_component(c, &comp))
		return false;
	if (!unit0)
		unit0 = isa_literal(c, ":0") ||
			(!isa_literal(c, ":1") && p->claims >> REG1 & 1 && gp_get(b, register1_addr) != n);
	*src = (last ? GP_SRC_P1_REG0 : unit0 ? GP_SRC_REG0 : GP_SRC_REG1) + comp;
	return claim(b, last ? &p->last_claims : &p->claims, unit0 ? REG0 : REG1, n | (attribute ? ATTRIBUTE : 0), c, at);
}

/* Does it name an attribute or a register? Results may begin with 'a', too. */
static bool is_register(const struct isa_cursor *c)
{
	size_t left = c->end - c->at;

	return left > 1 && (*c->at == '$' || (*c->at == 'a' && isa_is(c->at[1], ISA_DIGIT) && memchr(c->at, '.', left < 4 ? left : 4)));
}

static bool read_result(struct isa_insn *in, struct isa_cursor *c, bool ident, unsigned int *src)
{
	const struct isa_program *p = in->ctx;
	const char *at = c->at++;
	unsigned int unit, its_unit, its_age;
	struct name name;
	int64_t ago;

	if (is_register(c)) {
		if (p->index)
			return read_register(in, c, at, true, src);
		return isa_expect_at(c, at, "there is no instruction before this one");
	}
	name = read_name(c);
	c->at = at;
	if (!name.length)
		return isa_expect(c, "expected a result's name after '^'");
	if (!find_result(p, name, &ago, &unit)) {
		struct isa_choices list = { "" };

		list_names(p, &list);
		return isa_expect(c, "no instruction before this one has a result '^%.*s'%s%s", name.length < 40 ? (int)name.length : 40,
				  name.at, *list.text ? "; there are:" : "", list.text);
	}
	if (ago == 1 && unit == GP_C && ident)
		return isa_expect(c, "the complex result cannot be the second operand (that code means 0 or 1)");
	for (*src = GP_SRC_P1_ACC0; *src <= GP_SRC_P2_MUL1; ++*src) {
		if (!gp_result(*src, &its_unit, &its_age) || its_unit != unit || its_age != ago)
			continue;
		c->at = name.at + name.length;
		return true;
	}
	return isa_expect(c, "^%.*s is %lld instructions old; %s", (int)name.length, name.at, (long long)ago,
			  unit == GP_C ? "a complex result can be read 1 later" : "results can be read 1 or 2 later");
}

/* ident: the character that GP_SRC_IDENT is here, 0: the complex result. */
static bool read_code(struct isa_insn *in, struct isa_cursor *c, char ident, unsigned int *src)
{
	int64_t n;

	if (isa_at_end(c))
		return isa_expect(c, "an operand is missing");
	if (isa_literal(c, "unused"))
		return *src = GP_SRC_UNUSED, true;
	if (isa_literal(c, "?"))
		return isa_number(c, 0, 31, &n) && (*src = n, true);
	if (isa_literal(c, "unknown"))
		return isa_number(c, 0, 3, &n) && (*src = GP_SRC_UNKNOWN + n, true);
	if (*c->at == '0' || *c->at == '1') {
		if (*c->at != ident)
			return isa_expect(c, "the only constants are 0 as second operand of an accumulator and 1 of a multiplier");
		c->at++;
		return *src = GP_SRC_IDENT, true;
	}
	if (c->end - c->at > 1 && c->at[0] == 't' && c->at[1] == '[')
		return read_load(in, c, src);
	if (*c->at == '$' || *c->at == 'a')
		return read_register(in, c, c->at, false, src);
	if (*c->at == '^')
		return read_result(in, c, ident, src);
	return isa_expect(c, "expected a source: a0.x, $0.x, t[0].x, ^result");
}

static void write_code(const struct isa_insn *in, unsigned int src, char ident, struct isa_text *text)
{
	const struct isa_program *p = in->ctx;
	bool last = src >= GP_SRC_P1_REG0;
	const struct isa_bits *b = last ? (const void *)(p->words + p->out.count - 4) : in->bits;
	unsigned int unit, ago;

	if (src == GP_SRC_IDENT && ident) {
		isa_putc(text, ident);
	} else if (gp_result(src, &unit, &ago)) {
		write_result(p, unit, ago, text);
	} else if (src == GP_SRC_UNUSED) {
		isa_puts(text, "unused");
	} else if (last && !p->index) {
		isa_printf(text, "?%u", src);
	} else if (src >= GP_SRC_UNKNOWN && src < GP_SRC_LOAD) {
		isa_printf(text, "unknown%u", src - GP_SRC_UNKNOWN);
	} else {
		bool attribute = gp_get(b, register0_attribute);

		if (!last && src >= GP_SRC_LOAD)
			write_load(b, text);
		else if (!last && src >= GP_SRC_REG1)
			isa_printf(text, "$%u", gp_get(b, register1_addr));
		else
			isa_printf(text, "%s%c%u", last ? "^" : "", attribute ? 'a' : '$', gp_get(b, register0_addr));
		isa_printf(text, ".%c%s", "xyzw"[src & 3], src < GP_SRC_REG1 && !attribute ? ":0" : "");
	}
}

static bool read_source(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int src;

	if (isa_literal(c, "-")) {
		if (!o->at[1].width)
			return isa_expect_at(c, at, "this operand cannot be negated%s", in->op->unit == GP_M0 || in->op->unit == GP_M1 ?
					     "; negate the second one" : "");
		isa_put(in->bits, o->at[1].lo, 1, 1);
	}
	if (!read_code(in, c, o->arg, &src))
		return false;
	isa_put_at(o, in->bits, 0, src);
	return true;
}

static void write_source(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (isa_get_at(o, in->bits, 1))
		isa_putc(text, '-');
	write_code(in, isa_get_at(o, in->bits, 0), o->arg, text);
}

static bool read_limit(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int src;

	if (!read_code(in, c, 0, &src))
		return false;
	if (src == (unsigned int)o->arg)
		return true;
	return isa_expect_at(c, at, "clamp takes its lower limit from .x and its upper from .y of the load");
}

static void write_limit(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_code(in, o->arg, 0, text);
}

/* --- Destinations -------------------------------------------------------------- */

/* One "v0.xy", "$0.zw" or "t[addr0].x" behind a destination's '/'. */
static bool read_store(struct isa_insn *in, struct isa_cursor *c, unsigned int unit)
{
	struct isa_program *p = in->ctx;
	const char *at = c->at;
	bool temporary = isa_literal(c, "t[addr0]"), varying = !temporary && isa_literal(c, "v");
	unsigned int comp;
	int64_t n = 0;

	if (!temporary && !varying && !isa_literal(c, "$"))
		return isa_expect(c, "expected a place to store to: v0.x, $0.x, t[addr0].x or, in unit c, addr0-addr3");
	if ((!temporary && !isa_number(c, 0, 15, &n)) || !read_component(c, &comp))
		return false;
	if (temporary)
		gp_put(in->bits, unknown_1, GP_UNKNOWN_1_STORE);
	for (c->at--; isa_letter(c, "xyzw", 4, &comp);) {
		unsigned int stored = gp_stored(in->bits, comp);

		if (!claim(in->bits, &p->claims, comp < 2 ? STORE0 : STORE1,
			   n | (varying ? VARYING : 0) | (temporary ? TEMPORARY : 0), c, at))
			return false;
		if (stored != GP_STORE_NONE && stored != GP_STORE_CODE(unit))
			return isa_expect_at(c, c->at - 1, "component %c is stored from another unit already", "xyzw"[comp]);
		isa_put(in->bits, GP_STORED(comp), 3, GP_STORE_CODE(unit));
	}
	return true;
}

/* Of one store unit, which has two components. */
static void write_store(const struct isa_bits *b, unsigned int s, unsigned int unit, struct isa_text *text)
{
	bool lo = gp_stored(b, 2 * s) == GP_STORE_CODE(unit), hi = gp_stored(b, 2 * s + 1) == GP_STORE_CODE(unit);
	uint32_t to = isa_operand_get(&claims[STORE0 + s], b);

	if (!lo && !hi)
		return;
	if (to & TEMPORARY)
		isa_puts(text, "/t[addr0].");
	else
		isa_printf(text, "/%c%u.", to & VARYING ? 'v' : '$', to & 15);
	if (lo)
		isa_putc(text, "xz"[s]);
	if (hi)
		isa_putc(text, "yw"[s]);
}

/* Which of the results it is. */
static unsigned int result_of(const struct isa_insn *in)
{
	return in->op->unit == GP_M01 ? GP_M0 : in->op->unit;
}

static bool read_destination(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct isa_program *p = in->ctx;
	struct names *names = p->own;
	struct name name = { 0 };

	if (isa_literal(c, "^"))
		name = read_name(c);
	if (!name.length)
		return isa_expect(c, "expected the result's name: ^ and a number or a word of your choice");
	if (names && names->slots[p->index % NAME_REACH].number != p->index + 1) {
		memset(&names->slots[p->index % NAME_REACH], 0, sizeof(names->slots[0]));
		names->slots[p->index % NAME_REACH].number = p->index + 1;
	}
	if (names)
		names->slots[p->index % NAME_REACH].results[result_of(in)] =
			name.length == 1 && *name.at == '_' ? (struct name){ 0 } : name;
	/* "/addr0" belongs to the row. */
	while (!(in->op->unit == GP_C && c->end - c->at > 5 && !memcmp(c->at, "/addr", 5)) && isa_literal(c, "/"))
		if (!read_store(in, c, result_of(in)))
			return false;
	return true;
}

static void write_destination(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_result(in->ctx, result_of(in), 0, text);
	write_store(in->bits, 0, result_of(in), text);
	write_store(in->bits, 1, result_of(in), text);
}

/* --- Branches -------------------------------------------------------------------- */

static bool read_condition(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	struct name name;
	unsigned int unit;
	int64_t ago;

	if (!isa_literal(c, "^"))
		return isa_expect(c, "expected this instruction's pass result");
	name = read_name(c);
	if (name.length && find_result(in->ctx, name, &ago, &unit) && !ago && unit == GP_P)
		return true;
	return isa_expect_at(c, at, "a branch tests the result of unit p of the same instruction");
}

static void write_condition(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_result(in->ctx, GP_P, 0, text);
}

/* --- Instructions ------------------------------------------------------------------ */

/* Two units in one opcode field, or a unit used twice? */
static bool admit(struct isa_program *p, const struct isa_op *op, struct isa_bits *bits, struct isa_cursor *c)
{
	const unsigned int multipliers = 1 << GP_M0 | 1 << GP_M1 | 1 << GP_M01, accumulators = 1 << GP_A0 | 1 << GP_A1;
	const struct isa_bits *before = &p->packet.block[0];
	uint32_t have = p->packet.units;

	if (have >> op->unit & 1 || (have >> GP_M01 & 1 && multipliers >> op->unit & 1) || (op->unit == GP_M01 && have & multipliers))
		return isa_expect(c, "this unit is used already; a label or an empty line starts the next instruction");
	if (have & accumulators && accumulators >> op->unit & 1 && gp_get(before, acc_op) != gp_get(bits, acc_op))
		return isa_expect(c, "both accumulators share one opcode, and the other one has a different one");
	/* Multiplier 1 has the same text beside complex2. */
	if (op->unit == GP_M1 && have >> GP_M0 & 1)
		gp_put(bits, mul_op, gp_get(before, mul_op));
	return true;
}

/* --- Operands ---------------------------------------------------------------------- */

/* A source; neg: its negation, or the multiplier's, which is written before the second source. */
#define SOURCE(letter, unit, is, ...) \
	{ letter, .units = 1 << GP_##unit, .at = { __VA_ARGS__ }, .arg = is, .read = read_source, .write = write_source }
/* What the source code GP_SRC_IDENT is. */
#define ZERO '0'
#define ONE '1'
#define COMPLEX 0

static const struct isa_operand operands[] = {
	{ 'D', .read = read_destination, .write = write_destination },
	SOURCE('A', A0, COMPLEX, PLACE(acc0_src0), PLACE(acc0_src0_neg)),
	SOURCE('B', A0, ZERO, PLACE(acc0_src1), PLACE(acc0_src1_neg)),
	SOURCE('A', A1, COMPLEX, PLACE(acc1_src0), PLACE(acc1_src0_neg)),
	SOURCE('B', A1, ZERO, PLACE(acc1_src1), PLACE(acc1_src1_neg)),
	SOURCE('A', M0, COMPLEX, PLACE(mul0_src0)),
	SOURCE('B', M0, ONE, PLACE(mul0_src1), PLACE(mul0_neg)),
	SOURCE('A', M1, COMPLEX, PLACE(mul1_src0)),
	SOURCE('B', M1, ONE, PLACE(mul1_src1), PLACE(mul1_neg)),
	SOURCE('A', M01, COMPLEX, PLACE(mul0_src0)),
	SOURCE('B', M01, ONE, PLACE(mul0_src1)),
	SOURCE('C', M01, COMPLEX, PLACE(mul1_src0)),
	SOURCE('E', M01, ONE, PLACE(mul1_src1)),
	SOURCE('A', P, COMPLEX, PLACE(pass_src)),
	SOURCE('A', C, COMPLEX, PLACE(complex_src)),
	/* clamp's limits; they have no bits of their own. */
	{ 'X', .arg = GP_SRC_LOAD, .read = read_limit, .write = write_limit },
	{ 'Y', .arg = GP_SRC_LOAD + 1, .read = read_limit, .write = write_limit },
	{ 'P', .read = read_condition, .write = write_condition },
	{ 'T', ISA_TARGET, .arg = 1 << GP_branch_target_width, .at = { PLACE(branch_target), PLACE(branch_target_lo) },},
};

/* GP_A0 is 0: a result of that unit an instruction ago is 0 - GP_RESULTS. */
static const int8_t results[32] = {
	[GP_SRC_P1_ACC0] = GP_A0 - GP_RESULTS, [GP_SRC_P1_ACC1] = GP_A1 - GP_RESULTS,
	[GP_SRC_P1_MUL0] = GP_M0 - GP_RESULTS, [GP_SRC_P1_MUL1] = GP_M1 - GP_RESULTS,
	[GP_SRC_P1_PASS] = GP_P - GP_RESULTS, [GP_SRC_P1_COMPLEX] = GP_C - GP_RESULTS,
	[GP_SRC_P2_PASS] = GP_P - 2 * GP_RESULTS, [GP_SRC_P2_ACC0] = GP_A0 - 2 * GP_RESULTS,
	[GP_SRC_P2_ACC1] = GP_A1 - 2 * GP_RESULTS, [GP_SRC_P2_MUL0] = GP_M0 - 2 * GP_RESULTS,
	[GP_SRC_P2_MUL1] = GP_M1 - 2 * GP_RESULTS,
};

bool gp_result(unsigned int source, unsigned int *unit, unsigned int *ago)
{
	if (source >= GP_SRC_ZERO || !results[source])
		return false;
	*ago = results[source] < -GP_RESULTS ? 2 : 1;
	*unit = results[source] + (int)*ago * GP_RESULTS;
	return true;
}

const struct isa_op *gp_unit_op(const struct isa_bits *b, enum gp_unit unit)
{
	/* A unit is idle when one of these is not used; all sources have as many bits. */
	static const uint8_t needed[GP_RESULTS][2] = {
		[GP_A0] = { GP_acc0_src0, GP_acc0_src0 }, [GP_A1] = { GP_acc1_src0, GP_acc1_src0 },
		[GP_M0] = { GP_mul0_src0, GP_mul0_src1 }, [GP_M1] = { GP_mul1_src0, GP_mul1_src1 },
		[GP_P] = { GP_pass_src, GP_pass_src }, [GP_C] = { GP_complex_src, GP_complex_src },
	};

	for (unsigned int i = 0; i < 2 && unit < GP_RESULTS; i++)
		if (isa_get(b, needed[unit][i], GP_pass_src_width) == GP_SRC_UNUSED)
			return NULL;
	return isa_match_op(&isa_utgard_gp, unit, b);
}

unsigned int gp_source(const struct isa_bits *b, const struct isa_op *op, char letter, bool *negated)
{
	const struct isa_operand *o = isa_operand_of(&isa_utgard_gp, op, letter);
	unsigned int src;

	*negated = false;
	if (!o || !strstr(op->pattern, (char[]){ '%', letter, 0 }))
		return GP_SRC_UNUSED;
	if (!o->at[0].width)
		return o->arg;
	src = isa_get_at(o, b, 0);
	*negated = isa_get_at(o, b, 1);
	return src == GP_SRC_IDENT && o->arg ? o->arg == ZERO ? GP_SRC_ZERO : GP_SRC_ONE : src;
}

/* In the order of Mesa's disassembler. */
static const struct isa_op *op_at(const struct isa_packet *packet, unsigned int n, bool *end)
{
	static const uint8_t order[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_M01, GP_C, GP_P, GP_BR };

	*end = n >= sizeof(order);
	return *end ? NULL : gp_unit_op(&packet->block[0], order[n]);
}

const struct isa isa_utgard_gp = {
	.number = ISA_UTGARD_GP,
	.name = "utgard-gp",
	ISA_LISTS,
	.source = "mali-isa-docs Utgard-GP.md, Mesa lima ir/gp/codegen.h",
	.style = ISA_GAPS,
	.line_words = 4,
	.block_bits = (const uint8_t[]){ 128, 0 },
	.op_at = op_at,
	.admit = admit,
	.own_size = &own_size,
	.check = gp_check,
};
