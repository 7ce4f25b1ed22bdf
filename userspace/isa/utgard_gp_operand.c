// SPDX-License-Identifier: MIT
/* Utgard GP: operands of an instruction, text to fields. */
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_asm.h"
#include "isa/utgard_gp_text.h"

static bool component(struct isa_cursor *c, unsigned int *comp)
{
	const char *p = c->at < c->end ? memchr("xyzw", *c->at, 4) : NULL;

	if (!p)
		return isa_expect(c, "expected one of x, y, z, w");
	*comp = (unsigned int)(strchr("xyzw", *p) - "xyzw");
	c->at++;
	return true;
}

/* ".c" with nothing but an operand's end behind it. */
static bool dot_component(struct isa_cursor *c, unsigned int *comp)
{
	if (!isa_literal(c, "."))
		return isa_expect(c, "expected '.' and one component: x, y, z or w");
	return component(c, comp);
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

static bool read_load(struct insn *in, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at;
	unsigned int comp, off = 7;
	int64_t addr, n;

	c->at += 2;
	if (!isa_number(c, 0, 511, &addr))
		return false;
	if (isa_literal(c, "+addr")) {
		if (!isa_number(c, 1, 3, &n))
			return false;
		off = n;
	} else if (isa_literal(c, "+unk")) {
		if (!isa_number(c, 0, 7, &n))
			return false;
		off = n;
	}
	if (!isa_literal(c, "]"))
		return isa_expect(c, "expected ']', +addr1, +addr2 or +addr3");
	if (!dot_component(c, &comp))
		return false;
	if (!claim(c, at, &in->claims.load, gp_get(&in->bits, load_addr) == addr &&
		   gp_get(&in->bits, load_offset) == off,
		   "an instruction loads one vec4 of uniforms or temporaries; this is a second one"))
		return false;
	gp_put(&in->bits, load_addr, addr);
	gp_put(&in->bits, load_offset, off);
	*src = GP_SRC_LOAD + comp;
	return true;
}

static bool claim_reg0(struct insn *in, struct isa_cursor *c, const char *at, bool attribute, unsigned int n)
{
	if (!claim(c, at, &in->claims.reg0, gp_get(&in->bits, register0_attribute) == attribute &&
		   gp_get(&in->bits, register0_addr) == n,
		   "register unit 0 loads one attribute or register; this is a second one"))
		return false;
	gp_put(&in->bits, register0_attribute, attribute);
	gp_put(&in->bits, register0_addr, n);
	return true;
}

static bool read_register(struct insn *in, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at++;
	unsigned int comp, unit = 1;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !dot_component(c, &comp))
		return false;
	if (isa_literal(c, ":0")) {
		unit = 0;
	} else if (!isa_literal(c, ":1") && in->claims.reg1 && gp_get(&in->bits, register1_addr) != n) {
		unit = 0;
	}
	if (!unit) {
		*src = GP_SRC_REG0 + comp;
		return claim_reg0(in, c, at, false, n);
	}
	if (!claim(c, at, &in->claims.reg1, gp_get(&in->bits, register1_addr) == n,
		   "register unit 1 loads one register; this is a second one"))
		return false;
	gp_put(&in->bits, register1_addr, n);
	*src = GP_SRC_REG1 + comp;
	return true;
}

static bool read_attribute(struct insn *in, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at++;
	unsigned int comp;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !dot_component(c, &comp) || !claim_reg0(in, c, at, true, n))
		return false;
	*src = GP_SRC_REG0 + comp;
	return true;
}

/* ^a0.x, ^$0.x: what register unit 0 loaded an instruction ago. */
static bool read_previous_register(struct gp_asm *as, struct isa_cursor *c, unsigned int *src)
{
	const char *at = c->at++;
	bool attribute = *c->at++ == 'a';
	unsigned int comp;
	int64_t n;

	if (!isa_number(c, 0, 15, &n) || !dot_component(c, &comp))
		return false;
	if (as->count < 2) {
		c->at = at;
		return isa_expect(c, "there is no instruction before this one");
	}
	if (!claim_reg0(gp_insn(as, as->count - 2), c, at, attribute, n))
		return false;
	*src = GP_SRC_P1_REG0 + comp;
	return true;
}

struct name gp_read_name(struct isa_cursor *c)
{
	struct name name = { c->at, 0, 0 };

	for (; c->at < c->end && isa_is(*c->at, ISA_NAME); c->at++)
		name.key = name.key << 8 | (unsigned char)*c->at;
	name.length = c->at - name.at;
	return name;
}

/* Which unit, how many instructions ago, is called name? False: nowhere. */
static bool find_result(struct gp_asm *as, struct name name, int64_t *ago, unsigned int *unit)
{
	struct isa_cursor number = { .at = name.at, .end = name.at + name.length };
	bool odd = as->odd && as->count < as->odd + NAME_REACH;
	int64_t n;

	/* Names that are all Mesa's numbers need no search. */
	for (size_t i = as->count; odd && i-- > 0 && as->count - i <= NAME_REACH;) {
		for (unsigned int u = 0; gp_insn(as, i)->named && u < GP_RESULTS; u++) {
			if (gp_same(gp_insn(as, i)->results[u], name)) {
				*ago = as->count - 1 - i;
				*unit = u;
				return true;
			}
		}
	}
	/* Mesa numbers every unit's result: six to an instruction. */
	if (!isa_number(&number, -12, 1 << 30, &n) || number.at != number.end)
		return false;
	n += GP_RESULTS * 2;
	*ago = (int64_t)as->count - 1 - (n / GP_RESULTS - 2);
	*unit = n % GP_RESULTS;
	return true;
}

static bool read_result(struct gp_asm *as, struct isa_cursor *c, bool ident, unsigned int *src)
{
	static const uint8_t p1[] = { GP_SRC_P1_ACC0, GP_SRC_P1_ACC1, GP_SRC_P1_MUL0, GP_SRC_P1_MUL1,
				      GP_SRC_P1_PASS, GP_SRC_P1_COMPLEX };
	static const uint8_t p2[] = { GP_SRC_P2_ACC0, GP_SRC_P2_ACC1, GP_SRC_P2_MUL0, GP_SRC_P2_MUL1,
				      GP_SRC_P2_PASS };
	const char *at = c->at++;
	struct name name;
	unsigned int unit;
	int64_t ago;

	if (c->end - c->at > 1 && (*c->at == '$' || (*c->at == 'a' && c->at[1] >= '0' && c->at[1] <= '9' &&
						     memchr(c->at, '.', c->end - c->at < 4 ? c->end - c->at : 4)))) {
		c->at = at;
		return read_previous_register(as, c, src);
	}
	name = gp_read_name(c);
	c->at = at;
	if (!name.length)
		return isa_expect(c, "expected a result's name after '^'");
	if (!find_result(as, name, &ago, &unit))
		return isa_expect(c, "no instruction before this one has a result ^%.*s",
				  (int)name.length, name.at);
	if (ago == 1 && unit == GP_C && ident)
		return isa_expect(c, "the complex result cannot be the second operand (that code means 0 or 1)");
	if (ago < 1 || ago > 2 || (ago == 2 && unit == GP_C))
		return isa_expect(c, "^%.*s is %lld instructions old; %s", (int)name.length, name.at,
				  (long long)ago, unit == GP_C ? "a complex result can be read 1 later" :
				  "results can be read 1 or 2 later");
	*src = ago == 1 ? p1[unit] : p2[unit];
	c->at = name.at + name.length;
	return true;
}

static bool read_source(struct gp_asm *as, struct isa_cursor *c, const struct isa_op *op, char letter,
			unsigned int *src)
{
	struct insn *in = gp_current(as);
	bool ident = gp_source_is_ident(op->unit, letter);
	bool add = op->unit == GP_A0 || op->unit == GP_A1;
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
		if (!ident || *c->at != (add ? '0' : '1'))
			return isa_expect(c, "the only constants are 0 as second operand of an accumulator and 1 of a multiplier");
		c->at++;
		return *src = GP_SRC_IDENT, true;
	}
	if (c->end - c->at > 1 && c->at[0] == 't' && c->at[1] == '[')
		return read_load(in, c, src);
	if (*c->at == '$')
		return read_register(in, c, src);
	if (*c->at == 'a')
		return read_attribute(in, c, src);
	if (*c->at == '^')
		return read_result(as, c, ident, src);
	return isa_expect(c, "expected a source: a0.x, $0.x, t[0].x, ^result");
}

/* One "/v0.xy", "/$0.zw" or "/t[addr0].x" behind a destination. */
static bool read_store(struct insn *in, struct isa_cursor *c, unsigned int unit)
{
	static const uint8_t code[] = { 0, 1, 2, 3, GP_STORE_PASS, GP_STORE_COMPLEX };
	const char *at = c->at;
	bool temporary = false, varying = false;
	unsigned int comp;
	int64_t n = 0;

	if (isa_literal(c, "t[addr0]"))
		temporary = true;
	else if (isa_literal(c, "v"))
		varying = true;
	else if (!isa_literal(c, "$"))
		return isa_expect(c, "expected a place to store to: v0.x, $0.x, t[addr0].x or, in unit c, addr0-addr3");
	if (!temporary && !isa_number(c, 0, 15, &n))
		return false;
	if (!dot_component(c, &comp))
		return false;
	do {
		unsigned int s = comp / 2;
		unsigned int src = s ? GP_store1_src_z : GP_store0_src_x;
		unsigned int addr = s ? GP_store1_addr : GP_store0_addr;
		unsigned int isv = s ? GP_store1_varying : GP_store0_varying;
		unsigned int ist = s ? GP_store1_temporary : GP_store0_temporary;

		if (!claim(c, at, &in->claims.store[s], isa_get(&in->bits, addr, 4) == n &&
			   isa_get(&in->bits, isv, 1) == varying && isa_get(&in->bits, ist, 1) == temporary,
			   s ? "z and w of an instruction go to one place; this is a second one" :
			       "x and y of an instruction go to one place; this is a second one"))
			return false;
		isa_put(&in->bits, addr, 4, n);
		isa_put(&in->bits, isv, 1, varying);
		isa_put(&in->bits, ist, 1, temporary);
		if (temporary)
			gp_put(&in->bits, unknown_1, GP_UNKNOWN_1_STORE);
		src += comp % 2 * 3;
		if (isa_get(&in->bits, src, 3) != GP_STORE_NONE && isa_get(&in->bits, src, 3) != code[unit]) {
			c->at = at;
			return isa_expect(c, "component %c is stored from another unit already", "xyzw"[comp]);
		}
		isa_put(&in->bits, src, 3, code[unit]);
	} while (c->at < c->end && memchr("xyzw", *c->at, 4) && component(c, &comp));
	return true;
}

/* Is this name that number as it is usually written? */
static bool is_number(struct name name, uint64_t number)
{
	uint64_t v = 0;

	for (size_t i = 0; i < name.length; i++) {
		if (!isa_is(name.at[i], ISA_DIGIT) || v >> 40)
			return false;
		v = v * 10 + (name.at[i] - '0');
	}
	return v == number && (*name.at != '0' || name.length == 1);
}

static bool read_destination(struct gp_asm *as, struct isa_cursor *c, unsigned int unit)
{
	struct insn *in = gp_current(as);
	struct name name;
	int64_t n;

	if (!isa_literal(c, "^"))
		return isa_expect(c, "expected the result's name: ^ and a number or a word of your choice");
	name = gp_read_name(c);
	if (!name.length)
		return isa_expect(c, "expected the result's name: ^ and a number or a word of your choice");
	if (!(name.length == 1 && *name.at == '_')) {
		if (!in->named)
			memset(in->results, 0, sizeof(in->results));
		in->named = true;
		in->results[unit] = name;
		if (!is_number(name, (as->count - 1) * GP_RESULTS + unit))
			as->odd = as->count;
	}
	while (isa_literal(c, "/")) {
		if (unit == GP_C && isa_literal(c, "addr")) {
			if (!isa_number(c, 0, 3, &n))
				return false;
			gp_put(&in->bits, complex_op, GP_COMPLEX_ADDR0 + n);
		} else if (!read_store(in, c, unit)) {
			return false;
		}
	}
	return true;
}

bool gp_read(void *ctx, struct isa_bits *b, const struct isa_op *op, char letter, struct isa_cursor *c)
{
	struct gp_asm *as = ctx;
	unsigned int place, neg, src;
	const char *at = c->at;
	struct isa_cursor number;
	struct name name;
	int64_t n;

	switch (letter) {
	case 'D':
		return read_destination(as, c, op->unit == GP_M01 ? GP_M0 : op->unit);
	case 'P':
		if (!isa_literal(c, "^"))
			return isa_expect(c, "expected this instruction's pass result");
		name = gp_read_name(c);
		number = (struct isa_cursor){ .at = name.at, .end = c->at };
		if (!(gp_current(as)->named && gp_same(name, gp_current(as)->results[GP_P])) &&
		    !(isa_number(&number, 0, 1 << 30, &n) && number.at == number.end &&
		      n == (int64_t)(as->count - 1) * GP_RESULTS + GP_P)) {
			c->at = at;
			return isa_expect(c, "a branch tests the result of unit p of the same instruction");
		}
		return true;
	case 'T':
		as->target = gp_read_name(c);
		return as->target.length || isa_expect(c, "expected a label or an instruction's number");
	case 'X':
	case 'Y':
		if (!read_source(as, c, op, letter, &src))
			return false;
		if (src == GP_SRC_LOAD + (letter == 'Y'))
			return true;
		c->at = at;
		return isa_expect(c, "clamp takes its upper limit from .x and its lower from .y of the load");
	}
	place = gp_operand_place(op->unit, letter, &neg);
	if (isa_literal(c, "-")) {
		if (!neg) {
			c->at = at;
			return isa_expect(c, "this operand cannot be negated%s", op->unit == GP_M0 || op->unit == GP_M1 ?
					  "; negate the second one" : "");
		}
		isa_put(b, neg, 1, 1);
	}
	if (!read_source(as, c, op, letter, &src))
		return false;
	isa_put(b, place, 5, src);
	return true;
}
