// SPDX-License-Identifier: MIT
/* Utgard GP: the operands of an instruction, each read and written. */
#include <string.h>

#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

/* ".c" with nothing but an operand's end behind it. */
static bool read_component(struct isa_cursor *c, unsigned int *comp)
{
	const char *p;

	if (!isa_literal(c, "."))
		return isa_expect(c, "expected '.' and one component: x, y, z or w");
	p = c->at < c->end ? memchr("xyzw", *c->at, 4) : NULL;
	if (!p)
		return isa_expect(c, "expected one of x, y, z, w");
	*comp = strchr("xyzw", *p) - "xyzw";
	c->at++;
	return true;
}

static void write_component(unsigned int component, struct isa_text *text)
{
	isa_putc(text, '.');
	isa_putc(text, "xyzw"[component & 3]);
}

static bool claim(struct isa_cursor *c, const char *at, bool *claimed, bool equal, const char *what)
{
	if (*claimed && !equal) {
		c->at = at;
		return isa_expect(c, "%s", what);
	}
	*claimed = true;
	return true;
}

static bool claim_reg0(struct gp_insn *in, struct isa_cursor *c, const char *at, bool attribute, unsigned int n)
{
	if (!claim(c, at, &in->reg0, gp_get(&in->bits, register0_attribute) == attribute &&
		   gp_get(&in->bits, register0_addr) == n,
		   "register unit 0 loads one attribute or register; this is a second one"))
		return false;
	gp_put(&in->bits, register0_attribute, attribute);
	gp_put(&in->bits, register0_addr, n);
	return true;
}

/* --- Names of results -------------------------------------------------------- */

struct gp_name gp_read_name(struct isa_cursor *c)
{
	struct gp_name name = { .at = c->at };

	while (c->at < c->end && isa_is(*c->at, ISA_NAME))
		c->at++;
	name.length = c->at - name.at;
	return name;
}

static bool same_name(struct gp_name a, struct gp_name b)
{
	return a.length && a.length == b.length && !memcmp(a.at, b.at, a.length);
}

/* Mesa numbers every unit's result: six to an instruction. */
static bool is_number(struct gp_name name, int64_t *n)
{
	struct isa_cursor c = { .at = name.at, .end = name.at + name.length, .quiet = true };

	return isa_number(&c, -2 * GP_RESULTS, 1 << 30, n) && c.at == c.end;
}

static bool find_name(struct gp_text *t, struct gp_name name, size_t from, size_t to, int64_t *ago, unsigned int *unit)
{
	for (size_t n = from; n < to && n < t->count; n++) {
		for (unsigned int u = 0; u < GP_RESULTS; u++) {
			if (same_name(gp_insn(t, t->count - 1 - n)->results[u], name)) {
				*ago = n;
				*unit = u;
				return true;
			}
		}
	}
	return false;
}

/* Which unit, how many instructions ago, has that result? False: none. */
static bool find_result(struct gp_text *t, struct gp_name name, int64_t *ago, unsigned int *unit)
{
	int64_t n;

	if (find_name(t, name, 0, 3, ago, unit))
		return true;
	if (!is_number(name, &n))
		return find_name(t, name, 3, NAME_REACH, ago, unit);
	n += GP_RESULTS * 2;
	*ago = (int64_t)t->count - 1 - (n / GP_RESULTS - 2);
	*unit = n % GP_RESULTS;
	return true;
}

static void write_result(const struct gp_text *t, int delta, struct isa_text *text)
{
	isa_putc(text, '^');
	isa_put_int(text, (int)t->number * GP_RESULTS + delta);
}

/* --- Sources ------------------------------------------------------------------ */

static bool read_load(struct gp_insn *in, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at;
	unsigned int comp;
	int64_t addr, off = 7;

	c->at += 2;
	if (!isa_number(c, 0, 511, &addr))
		return false;
	if (isa_literal(c, "+addr") ? !isa_number(c, 1, 3, &off) : isa_literal(c, "+unk") && !isa_number(c, 0, 7, &off))
		return false;
	if (!isa_literal(c, "]"))
		return isa_expect(c, "expected ']', +addr1, +addr2 or +addr3");
	if (!read_component(c, &comp))
		return false;
	if (!claim(c, at, &in->load, gp_get(&in->bits, load_addr) == addr && gp_get(&in->bits, load_offset) == off,
		   "an instruction loads one vec4 of uniforms or temporaries; this is a second one"))
		return false;
	gp_put(&in->bits, load_addr, addr);
	gp_put(&in->bits, load_offset, off);
	*src = GP_SRC_LOAD + comp;
	return true;
}

static void write_load(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int off = gp_get(b, load_offset);

	isa_printf(text, "t[%u", gp_get(b, load_addr));
	if (off != 7)
		isa_printf(text, off >= 1 && off <= 3 ? "+addr%u" : "+unk%u", off);
	isa_putc(text, ']');
}

static bool read_register(struct gp_insn *in, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at++;
	unsigned int comp;
	bool unit0;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !read_component(c, &comp))
		return false;
	unit0 = isa_literal(c, ":0") ||
		(!isa_literal(c, ":1") && in->reg1 && gp_get(&in->bits, register1_addr) != n);
	*src = (unit0 ? GP_SRC_REG0 : GP_SRC_REG1) + comp;
	if (unit0)
		return claim_reg0(in, c, at, false, n);
	if (!claim(c, at, &in->reg1, gp_get(&in->bits, register1_addr) == n,
		   "register unit 1 loads one register; this is a second one"))
		return false;
	gp_put(&in->bits, register1_addr, n);
	return true;
}

/* a0.x; behind '^', also $0.x: what register unit 0 of that instruction loads. */
static bool read_unit0(struct gp_insn *in, struct isa_cursor *c, const char *at, unsigned int first, unsigned int *src)
{
	bool attribute = *c->at++ == 'a';
	unsigned int comp;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !read_component(c, &comp) || !claim_reg0(in, c, at, attribute, n))
		return false;
	*src = first + comp;
	return true;
}

static bool read_result(struct gp_text *t, struct isa_cursor *c, bool ident, unsigned int *src)
{
	static const uint8_t codes[2][GP_RESULTS] = {
		{ GP_SRC_P1_ACC0, GP_SRC_P1_ACC1, GP_SRC_P1_MUL0, GP_SRC_P1_MUL1, GP_SRC_P1_PASS, GP_SRC_P1_COMPLEX },
		{ GP_SRC_P2_ACC0, GP_SRC_P2_ACC1, GP_SRC_P2_MUL0, GP_SRC_P2_MUL1, GP_SRC_P2_PASS },
	};
	const char *at = c->at++;
	struct gp_name name;
	unsigned int unit;
	int64_t ago;

	if (c->end - c->at > 1 && (*c->at == '$' || (*c->at == 'a' && isa_is(c->at[1], ISA_DIGIT) &&
						     memchr(c->at, '.', c->end - c->at < 4 ? c->end - c->at : 4)))) {
		if (t->count >= 2)
			return read_unit0(gp_insn(t, t->count - 2), c, at, GP_SRC_P1_REG0, src);
		c->at = at;
		return isa_expect(c, "there is no instruction before this one");
	}
	name = gp_read_name(c);
	c->at = at;
	if (!name.length)
		return isa_expect(c, "expected a result's name after '^'");
	if (!find_result(t, name, &ago, &unit))
		return isa_expect(c, "no instruction before this one has a result ^%.*s", (int)name.length, name.at);
	if (ago == 1 && unit == GP_C && ident)
		return isa_expect(c, "the complex result cannot be the second operand (that code means 0 or 1)");
	if (ago < 1 || ago > 2 || (ago == 2 && unit == GP_C))
		return isa_expect(c, "^%.*s is %lld instructions old; %s", (int)name.length, name.at, (long long)ago,
				  unit == GP_C ? "a complex result can be read 1 later" : "results can be read 1 or 2 later");
	*src = codes[ago - 1][unit];
	c->at = name.at + name.length;
	return true;
}

/* ident: the character that GP_SRC_IDENT is here, 0: the complex result. */
static bool read_source(struct gp_text *t, struct isa_cursor *c, char ident, unsigned int *src)
{
	struct gp_insn *in = gp_current(t);
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
	if (*c->at == '$')
		return read_register(in, c, src);
	if (*c->at == 'a')
		return read_unit0(in, c, c->at, GP_SRC_REG0, src);
	if (*c->at == '^')
		return read_result(t, c, ident, src);
	return isa_expect(c, "expected a source: a0.x, $0.x, t[0].x, ^result");
}

static void write_source(const struct gp_text *t, const struct isa_bits *b, unsigned int src, char ident,
			 struct isa_text *text)
{
	/* Results, counted from this instruction's first. */
	static const int8_t result[32] = {
		[GP_SRC_P1_ACC0] = GP_A0 - GP_RESULTS, [GP_SRC_P1_ACC1] = GP_A1 - GP_RESULTS,
		[GP_SRC_P1_MUL0] = GP_M0 - GP_RESULTS, [GP_SRC_P1_MUL1] = GP_M1 - GP_RESULTS,
		[GP_SRC_P1_PASS] = GP_P - GP_RESULTS, [GP_SRC_P1_COMPLEX] = GP_C - GP_RESULTS,
		[GP_SRC_P2_PASS] = GP_P - 2 * GP_RESULTS, [GP_SRC_P2_ACC0] = GP_A0 - 2 * GP_RESULTS,
		[GP_SRC_P2_ACC1] = GP_A1 - 2 * GP_RESULTS, [GP_SRC_P2_MUL0] = GP_M0 - 2 * GP_RESULTS,
		[GP_SRC_P2_MUL1] = GP_M1 - 2 * GP_RESULTS,
	};
	bool previous = src >= GP_SRC_P1_REG0;
	const struct isa_bits *from = previous ? t->previous : b;

	if (src == GP_SRC_IDENT && ident) {
		isa_putc(text, ident);
	} else if (result[src]) {
		write_result(t, result[src], text);
	} else if (src == GP_SRC_UNUSED) {
		isa_puts(text, "unused");
	} else if (!from) {
		isa_printf(text, "?%u", src);
	} else if (src >= GP_SRC_UNKNOWN && src < GP_SRC_LOAD) {
		isa_printf(text, "unknown%u", src - GP_SRC_UNKNOWN);
	} else {
		if (!previous && src >= GP_SRC_LOAD)
			write_load(b, text);
		else if (!previous && src >= GP_SRC_REG1)
			isa_printf(text, "$%u", gp_get(b, register1_addr));
		else
			isa_printf(text, "%s%c%u", previous ? "^" : "", gp_get(from, register0_attribute) ? 'a' : '$',
				   gp_get(from, register0_addr));
		write_component(src, text);
		if (src < GP_SRC_REG1 && !gp_get(from, register0_attribute))
			isa_puts(text, ":0");
	}
}

bool gp_read_source(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int src;

	if (isa_literal(c, "-")) {
		if (!o->at[1].width) {
			c->at = at;
			return isa_expect(c, "this operand cannot be negated%s", in->op->unit == GP_M0 || in->op->unit == GP_M1 ?
					  "; negate the second one" : "");
		}
		isa_put(in->bits, o->at[1].lo, 1, 1);
	}
	if (!read_source(in->ctx, c, o->arg, &src))
		return false;
	isa_put(in->bits, o->at[0].lo, o->at[0].width, src);
	return true;
}

void gp_write_source(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (o->at[1].width && isa_get(in->bits, o->at[1].lo, 1))
		isa_putc(text, '-');
	write_source(in->ctx, in->bits, isa_get(in->bits, o->at[0].lo, o->at[0].width), o->arg, text);
}

bool gp_read_limit(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int src;

	if (!read_source(in->ctx, c, 0, &src))
		return false;
	if (src == (unsigned int)o->arg)
		return true;
	c->at = at;
	return isa_expect(c, "clamp takes its lower limit from .x and its upper from .y of the load");
}

void gp_write_limit(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_source(in->ctx, in->bits, o->arg, 0, text);
}

/* --- Destinations -------------------------------------------------------------- */

static const uint8_t store_code[GP_RESULTS] = { 0, 1, 2, 3, GP_STORE_PASS, GP_STORE_COMPLEX };

/* Where the two store units have their fields. */
static const struct {
	uint8_t src, addr, varying, temporary;
} stores[2] = {
	{ GP_store0_src_x, GP_store0_addr, GP_store0_varying, GP_store0_temporary },
	{ GP_store1_src_z, GP_store1_addr, GP_store1_varying, GP_store1_temporary },
};

static bool store_component(struct gp_insn *in, struct isa_cursor *c, unsigned int unit, unsigned int comp)
{
	unsigned int src = stores[comp / 2].src + comp % 2 * 3, have = isa_get(&in->bits, src, 3);

	if (have != GP_STORE_NONE && have != store_code[unit])
		return isa_expect(c, "component %c is stored from another unit already", "xyzw"[comp]);
	isa_put(&in->bits, src, 3, store_code[unit]);
	return true;
}

/* One "v0.xy", "$0.zw" or "t[addr0].x" behind a destination's '/'. */
static bool read_store(struct gp_insn *in, struct isa_cursor *c, unsigned int unit)
{
	const char *at = c->at, *p;
	bool temporary = isa_literal(c, "t[addr0]"), varying = !temporary && isa_literal(c, "v");
	struct isa_bits *b = &in->bits;
	unsigned int comp;
	int64_t n = 0;

	if (!temporary && !varying && !isa_literal(c, "$"))
		return isa_expect(c, "expected a place to store to: v0.x, $0.x, t[addr0].x or, in unit c, addr0-addr3");
	if ((!temporary && !isa_number(c, 0, 15, &n)) || !read_component(c, &comp))
		return false;
	for (c->at--; c->at < c->end && (p = memchr("xyzw", *c->at, 4)); c->at++) {
		unsigned int s;

		comp = strchr("xyzw", *p) - "xyzw";
		s = comp / 2;
		if (!claim(c, at, &in->store[s], isa_get(b, stores[s].addr, 4) == n &&
			   isa_get(b, stores[s].varying, 1) == varying && isa_get(b, stores[s].temporary, 1) == temporary,
			   s ? "z and w of an instruction go to one place; this is a second one" :
			       "x and y of an instruction go to one place; this is a second one"))
			return false;
		isa_put(b, stores[s].addr, 4, n);
		isa_put(b, stores[s].varying, 1, varying);
		isa_put(b, stores[s].temporary, 1, temporary);
		if (temporary)
			gp_put(b, unknown_1, GP_UNKNOWN_1_STORE);
		if (!store_component(in, c, unit, comp))
			return false;
	}
	return true;
}

static void write_store(const struct isa_bits *b, unsigned int s, unsigned int unit, struct isa_text *text)
{
	bool lo = isa_get(b, stores[s].src, 3) == store_code[unit];
	bool hi = isa_get(b, stores[s].src + 3, 3) == store_code[unit];

	if (!lo && !hi)
		return;
	if (isa_get(b, stores[s].temporary, 1))
		isa_puts(text, "/t[addr0].");
	else
		isa_printf(text, "/%c%u.", isa_get(b, stores[s].varying, 1) ? 'v' : '$', isa_get(b, stores[s].addr, 4));
	if (lo)
		isa_putc(text, "xz"[s]);
	if (hi)
		isa_putc(text, "yw"[s]);
}

bool gp_read_destination(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int unit = in->op->unit == GP_M01 ? GP_M0 : in->op->unit;
	struct gp_insn *insn = gp_current(in->ctx);
	struct gp_name name = { 0 };

	if (isa_literal(c, "^"))
		name = gp_read_name(c);
	if (!name.length)
		return isa_expect(c, "expected the result's name: ^ and a number or a word of your choice");
	insn->results[unit] = name.length == 1 && *name.at == '_' ? (struct gp_name){ 0 } : name;
	/* "/addr0" belongs to the row. */
	while (!(unit == GP_C && c->end - c->at > 5 && !memcmp(c->at, "/addr", 5)) && isa_literal(c, "/"))
		if (!read_store(insn, c, unit))
			return false;
	return true;
}

void gp_write_destination(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unit = in->op->unit == GP_M01 ? GP_M0 : in->op->unit;

	write_result(in->ctx, unit, text);
	write_store(in->bits, 0, unit, text);
	write_store(in->bits, 1, unit, text);
}

/* --- Branches -------------------------------------------------------------------- */

bool gp_read_condition(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct gp_text *t = in->ctx;
	const char *at = c->at;
	struct gp_name name;
	int64_t n;

	if (!isa_literal(c, "^"))
		return isa_expect(c, "expected this instruction's pass result");
	name = gp_read_name(c);
	if (same_name(name, gp_current(t)->results[GP_P]) ||
	    (is_number(name, &n) && n == (int64_t)(t->count - 1) * GP_RESULTS + GP_P))
		return true;
	c->at = at;
	return isa_expect(c, "a branch tests the result of unit p of the same instruction");
}

void gp_write_condition(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_result(in->ctx, GP_P, text);
}

bool gp_read_target(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct gp_text *t = in->ctx;

	t->target = gp_read_name(c);
	return t->target.length || isa_expect(c, "expected a label or an instruction's number");
}

void gp_write_target(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_printf(text, "%03u", gp_branch_to(in->bits));
}
