// SPDX-License-Identifier: MIT
/* Bifrost: the tables, and what the bits of a clause's slots mean. Sources: see bifrost.h. */
#include "isa/bifrost.h"

static const char *const words[] = {
#define X(name) #name,
	BF_WORDS(X)
#undef X
};

const char *bf_word(unsigned int word)
{
	return words[word];
}

/* --- Tables --------------------------------------------------------------------- */

enum { BFP_0, BFP_1, BFP_2, BFP_3, BFP_NAME = BF_NAME, BFP_PART };

#define COLUMNS(...)		{ __VA_ARGS__ }, sizeof((struct bf_column[]){ __VA_ARGS__ }) / sizeof(struct bf_column)
#define K(kind, where, plain)	{ BFK_##kind, BFP_##where, BFW_##plain }
#define AT(...)			{ __VA_ARGS__ }
#define ORDERED			, .ordered = true
#define C1(code, a)		{ code, { BFW_##a } }
#define C2(code, a, b)		{ code, { BFW_##a, BFW_##b } }
#define C3(code, a, b, c)	{ code, { BFW_##a, BFW_##b, BFW_##c } }
#define C4(code, a, b, c, d)	{ code, { BFW_##a, BFW_##b, BFW_##c, BFW_##d } }
#define C5(code, a, b, c, d, e)	{ code, { BFW_##a, BFW_##b, BFW_##c, BFW_##d, BFW_##e } }

#define TABLE(name, columns, places, ...) BFT_##name,
enum { BFT_none, BFT_number = BF_NUMBER,
#include "isa/bifrost_mods.inc"
};
#undef TABLE

#define TABLE(name, columns, places, ...) static const struct bf_code name##_codes[] = { __VA_ARGS__ };
#include "isa/bifrost_mods.inc"
#undef TABLE

#define TABLE(name, columns, places, ...) \
	[BFT_##name] = { columns, places, .code_count = sizeof(name##_codes) / sizeof(struct bf_code), .codes = name##_codes },
const struct bf_table bf_tables[] = {
#include "isa/bifrost_mods.inc"
};
#undef TABLE

#define PARTS(...)		{ __VA_ARGS__ }
#define M(name, lo)		{ BFT_##name, lo, BF_NAME }
#define S(name, lo, source)	{ BFT_##name, lo, source }
#define I(name, lo, width)	{ BFT_number, lo, BF_NAME, BFW_##name, width }

#define ROW(id, unit, type, mask, exact, sources, staging, message, flags, parts) \
	{ mask, exact, type, sources, staging, BFM_##message, flags, parts },
const struct bf_row bf_rows[] = {
#include "isa/bifrost_ops.inc"
};

/* Runs of bits of a mask, the lowest one and those behind it. */
#define LO(mask)		__builtin_ctz((mask) | 1u << 31)
#define WIDTH(mask)		((mask) ? __builtin_ctz(~((uint32_t)(mask) >> LO(mask))) : 0)
#define REST(mask)		((mask) & ~(((1u << WIDTH(mask)) - 1) << LO(mask)))
#define RUN(mask, exact)	{ LO(mask), WIDTH(mask), (exact) >> LO(mask) & ((1u << WIDTH(mask)) - 1) }

#define OP(id, sem, meaning) \
	enum { executed_##id = true }; \
	static const char meaning_##id[] = meaning, why_##id[1];
#define TEXT(id, why, meaning) \
	enum { executed_##id = false }; \
	static const char meaning_##id[] = meaning, why_##id[] = why;
#include "isa/bifrost_ops.inc"

#define TEXT_FMA	"*"
#define TEXT_ADD	"+"
#define ROW(id, unit, type, mask, exact, sources, staging, message, flags, parts) \
	{ BF_##unit, BF_F_##unit, { RUN(mask, exact), RUN(REST(mask), exact), RUN(REST(REST(mask)), exact) }, \
	  TEXT_##unit #id type, meaning_##id, executed_##id ? NULL : why_##id, BF_OP_##id },
static const struct isa_op ops[] = {
#include "isa/bifrost_ops.inc"
};

/* --- Fields --------------------------------------------------------------------- */

static const struct isa_field fma_fields[] = {
	{ "src0", 0, 3, 0, "source; of some ops other bits" }, { "src1", 3, 3, 0, "source; of some ops other bits" },
	{ "src2", 6, 3, 0, "source; of some ops other bits" }, { "src3", 9, 3, 0, "source; of most ops other bits" },
	{ "op", 12, 11, 0, "by op, with bits below" },
};

static const struct isa_field add_fields[] = {
	{ "src0", 0, 3, 0, "source; of some ops other bits" }, { "src1", 3, 3, 0, "source; of some ops other bits" },
	{ "src2", 6, 3, 0, "source; of some ops other bits" }, { "op", 9, 11, 0, "by op, with bits below" },
};

#define X(name, lo, width, reset, note) { #name, lo, width, reset, note },
static const struct isa_field register_fields[] = { BF_REGISTERS(X) };
static const struct isa_field header_fields[] = { BF_HEADER(X) };
static const struct isa_field clause_fields[] = { BF_MODIFIER(X) };
#undef X

#define FORM(name, block, fields) { name, block, fields, sizeof(fields) / sizeof(fields[0]) }

static const struct isa_form forms[BF_FORMS] = {
	[BF_F_FMA] = FORM("fma", 0, fma_fields),
	[BF_F_ADD] = FORM("add", 1, add_fields),
	[BF_F_REGISTERS] = FORM("registers", 2, register_fields),
	[BF_F_HEADER] = FORM("header", 3, header_fields),
	[BF_F_CLAUSE] = FORM("clause", 4, clause_fields),
};

static const char *const units[] = { "FMA", "ADD" };

/* Do all parts have words? */
static bool fits(const struct bf_row *row, uint32_t bits)
{
	if ((bits & row->mask) != row->exact)
		return false;
	for (const struct bf_part *p = row->parts; p->table; p++)
		if (bf_is_words(p) && !bf_code(p, bits))
			return false;
	return true;
}

static const struct isa_op *match(const struct isa *isa, unsigned int unit, const struct isa_bits *bits)
{
	for (unsigned int i = 0; i < isa->op_count; i++)
		if (ops[i].unit == unit && fits(&bf_rows[i], bits->w[0]))
			return &ops[i];
	return NULL;
}

const struct isa isa_bifrost = {
	.number = ISA_BIFROST,
	.name = "bifrost",
	ISA_LIST(form),
	ISA_LIST(op),
	.units = units,
	.source = "Mesa bifrost/ISA.xml",
	.match = match,
	.own_size = &bf_own_size,
	.twice = true,
	.read_line = bf_read_line,
	.finish = bf_finish,
	.disassemble = bf_disassemble,
	.write_form = bf_write_form,
	.check = bf_check,
};

/* --- Slots ---------------------------------------------------------------------- */

static uint32_t part_bits(const struct bf_part *part, uint32_t bits, unsigned int *width)
{
	const struct bf_table *t = &bf_tables[part->table];
	uint32_t v = bf_bits(bits, part->lo, t->places[0]);

	*width = t->places[0];
	for (unsigned int i = 1; i < 5 && t->places[i + 1]; i += 2) {
		v |= bf_bits(bits, t->places[i], t->places[i + 1]) << *width;
		*width += t->places[i + 1];
	}
	return v;
}

static bool is_ordered(uint32_t bits)
{
	return bf_bits(bits, 0, 3) > bf_bits(bits, 3, 3);
}

const struct bf_code *bf_code(const struct bf_part *part, uint32_t bits)
{
	const struct bf_table *t = &bf_tables[part->table];
	unsigned int width;
	uint32_t code = part_bits(part, bits, &width);

	if (t->ordered)
		code |= is_ordered(bits) << width;
	if (code < t->code_count && t->codes[code].code == code)
		return &t->codes[code];
	for (unsigned int i = 0; i < t->code_count; i++)
		if (t->codes[i].code == code)
			return &t->codes[i];
	return NULL;
}

bool bf_put_words(const struct bf_part *part, const uint8_t *chosen, uint32_t *bits)
{
	const struct bf_table *t = &bf_tables[part->table];
	unsigned int width;

	part_bits(part, 0, &width);
	for (unsigned int i = 0; i < t->code_count; i++) {
		const struct bf_code *c = &t->codes[i];
		struct isa_bits b = { { *bits } };
		uint32_t code = c->code;

		if (memcmp(c->words, chosen, t->column_count) || (t->ordered && (code >> width & 1) != is_ordered(*bits)))
			continue;
		isa_put(&b, part->lo, t->places[0], code);
		code >>= t->places[0];
		for (unsigned int k = 1; k < 5 && t->places[k + 1]; k += 2) {
			isa_put(&b, t->places[k], t->places[k + 1], code);
			code >>= t->places[k + 1];
		}
		*bits = b.w[0];
		return true;
	}
	return false;
}

/* --- Register blocks -------------------------------------------------------------- */

static const struct {
	uint8_t mode2, mode3;
	bool fma;
} controls[32] = {
	[1] = { BF_READ, BF_WRITE_LO, true }, { BF_READ, BF_WRITE_HI, true }, { BF_READ, BF_WRITE, true },
	{ BF_READ, BF_WRITE_LO }, { BF_READ, BF_WRITE_HI }, { BF_READ, BF_WRITE },
	{ BF_WRITE_LO, BF_WRITE_LO }, { BF_WRITE_LO, BF_WRITE_HI }, { BF_WRITE_LO, BF_WRITE },
	{ BF_WRITE_HI, BF_WRITE_LO }, { BF_WRITE_HI, BF_WRITE_HI }, { BF_WRITE_HI, BF_WRITE },
	{ BF_WRITE, BF_WRITE_LO }, { BF_WRITE, BF_WRITE_HI }, { BF_WRITE, BF_WRITE },
	{ BF_IDLE, BF_IDLE, true }, { BF_IDLE, BF_WRITE, true }, { BF_IDLE, BF_WRITE_LO, true }, { BF_IDLE, BF_WRITE_HI, true },
	{ BF_READ, BF_IDLE }, { BF_IDLE, BF_WRITE }, { BF_IDLE, BF_WRITE_LO }, { BF_IDLE, BF_WRITE_HI },
	{ BF_WRITE_LO, BF_WRITE_HI }, [26] = { BF_WRITE_HI, BF_WRITE_LO }, { BF_IDLE, BF_IDLE, true },
};

#define FIRST_IDLE	16
#define IDLE		27

struct bf_ports bf_get_ports(uint64_t registers, bool first)
{
	uint8_t port0 = bf_get(registers, port0), port1 = bf_get(registers, port1);
	unsigned int control = bf_get(registers, control);
	struct bf_ports p = { .reg[2] = bf_get(registers, port2), .reg[3] = bf_get(registers, port3) };

	if (control) {
		p.reg[0] = port0 <= port1 ? port0 : 63 - port0;
		p.read[0] = p.read[1] = true;
	} else {
		control = port1 >> 2;
		p.reg[0] = port0 | (port1 & 1) << 5;
		p.read[0] = !(port1 & 2);
	}
	p.reg[1] = port0 <= port1 ? port1 : 63 - port1;
	/* Five bits of control in four: the first tuple has bit 4 in bit 3, others have it when ports 2 and 3 are the same. */
	if (first)
		control = (control & 7) | (control & 8) << 1;
	else if (p.reg[2] == p.reg[3])
		control += 16;
	p.mode2 = controls[control].mode2;
	p.mode3 = controls[control].mode3;
	p.mode3_fma = controls[control].fma;
	p.reserved = p.mode2 == BF_IDLE && p.mode3 == BF_IDLE && !p.mode3_fma;
	return p;
}

/* By the register block behind the tuple's. */
static struct bf_dest get_dest(const struct bf_ports *next, bool add)
{
	if (!add && next->mode2 >= BF_WRITE)
		return (struct bf_dest){ next->reg[2], next->mode2 };
	if (next->mode3 >= BF_WRITE && next->mode3_fma == !add)
		return (struct bf_dest){ next->reg[3], next->mode3 };
	return (struct bf_dest){ 0 };
}

static void assign_read(struct bf_ports *p, unsigned int reg)
{
	for (unsigned int i = 0; i < 2; i++) {
		if (p->read[i] && p->reg[i] != reg)
			continue;
		p->read[i] = true;
		p->reg[i] = reg;
		return;
	}
	p->mode2 = BF_READ;
	p->reg[2] = reg;
}

/* Reads of the tuple's slots, then writes of those of the tuple before. */
static void assign_ports(struct bf_ports *p, const struct bf_slot *now, const struct bf_slot *before)
{
	const struct bf_dest *fma = &before[0].dest, *add = &before[1].dest;

	for (unsigned int i = 0; i < 2; i++)
		BF_EACH_SOURCE(bf_row(now[i].op), k)
			if (now[i].sources[k].kind == BF_REGISTER)
				assign_read(p, now[i].sources[k].value);
	if (p->read[1] && p->reg[1] < p->reg[0]) {
		uint8_t reg = p->reg[0];

		p->reg[0] = p->reg[1];
		p->reg[1] = reg;
	}
	if (add->mode) {
		p->reg[3] = add->reg;
		p->mode3 = add->mode;
	}
	if (fma->mode && !add->mode) {
		p->reg[3] = fma->reg;
		p->mode3 = fma->mode;
		p->mode3_fma = true;
	} else if (fma->mode) {
		p->reg[2] = fma->reg;
		p->mode2 = fma->mode;
	}
}

static void put_ports(struct bf_ports p, bool first, uint64_t *registers)
{
	unsigned int control = p.mode2 || p.mode3 ? 1 : first ? FIRST_IDLE : IDLE;
	bool same;

	for (; control < IDLE; control++)
		if (controls[control].mode2 == p.mode2 && controls[control].mode3 == p.mode3 &&
		    (controls[control].fma == p.mode3_fma || control == FIRST_IDLE))
			break;
	same = first ? !p.mode2 || !p.mode3 : control & 16;
	if (first)
		control = (control & 7) | (control & 16) >> 1;
	if (same)
		p.reg[p.mode2 ? 3 : 2] = p.reg[p.mode2 ? 2 : 3];
	control &= 15;
	*registers = (uint64_t)p.reg[3] << BF_port3 | (uint64_t)p.reg[2] << BF_port2;
	if (p.read[1]) {
		if (p.reg[0] > 31) {
			p.reg[0] = 63 - p.reg[0];
			p.reg[1] = 63 - p.reg[1];
		}
		*registers |= (uint64_t)p.reg[1] << BF_port1 | (uint64_t)control << BF_control;
	} else {
		*registers |= (uint64_t)(control << 2 | (p.read[0] ? p.reg[0] >> 5 : 2)) << BF_port1;
	}
	*registers |= (uint64_t)(p.reg[0] & 31) << BF_port0;
}

/* --- Constants -------------------------------------------------------------------- */

#define FIRST_CONSTANT	0x20	/* of FAU indices: below are special ones */
#define UNIFORM		0x80	/* from there on uniforms are */

/* By the high four bits of an FAU index: the clause's constant. */
static const uint8_t constant_of[8] = { 0, 0, 4, 5, 0, 1, 2, 3 }, index_of[6] = { 4, 5, 6, 7, 2, 3 };

/* What is relative to the clause: the whole, the high word, or both by themselves. */
enum relative { NOT, RELATIVE_64, RELATIVE_HIGH, RELATIVE_BOTH };

static enum relative relative(unsigned int m1, unsigned int m2, bool second)
{
	static const uint8_t by_m1[7][2] = {
		{ NOT, NOT }, { RELATIVE_64, NOT }, { RELATIVE_64, RELATIVE_64 }, { NOT, NOT },
		{ RELATIVE_HIGH, NOT }, { RELATIVE_HIGH, RELATIVE_HIGH }, { RELATIVE_64, NOT },
	};
	static const uint8_t by_m2[4] = { NOT, RELATIVE_HIGH, RELATIVE_BOTH, RELATIVE_HIGH };

	if (m1 < 7)
		return by_m1[m1][second];
	return m1 > 7 || m2 > 3 ? NOT : second ? by_m2[m2] : RELATIVE_BOTH;
}

#define RELATIVE_MODE	4	/* the high word */

static enum relative constant_mode(const struct bifrost_clause *c, unsigned int n)
{
	unsigned int embedded = bf_embedded(c->tuple_count), first = n - ((n - embedded) & 1);
	uint64_t a, b;

	if (n < embedded)
		return c->tuple_count == 3 || c->tuple_count == 6 ? relative(bf_get(c->modifier, m1), bf_get(c->modifier, m2), false) : NOT;
	/* Of a pair: the differences of the highest bits of the two, of both words. */
	a = c->constants[first];
	b = first + 1 < c->constant_count ? c->constants[first + 1] : 0;
	return relative(((a >> 56) - (b >> 56)) & 15, ((a >> 24) - (b >> 24)) & 15, n != first);
}

static struct bf_value get_fau(const struct bifrost_clause *c, unsigned int index, bool high, size_t at)
{
	unsigned int n = constant_of[index >> 4 & 7];
	struct bf_value v = { .kind = BF_FAU, .value = index, .high = high };
	enum relative mode;
	int64_t target;
	uint64_t whole;

	if (index < FIRST_CONSTANT || index >= UNIFORM)
		return v;
	whole = (n < c->constant_count ? c->constants[n] << 4 : 0) | (index & 15);
	mode = n < c->constant_count ? constant_mode(c, n) : NOT;
	v = (struct bf_value){ .kind = BF_CONSTANT, .value = high ? whole >> 32 : whole };
	if (mode == NOT || (mode == RELATIVE_HIGH && !high))
		return v;
	target = mode == RELATIVE_64 ? isa_signed(whole, 60) : isa_signed(v.value, 28);
	/* What is no place of a clause stays a number. */
	if (target & 15 || target / 16 + (int64_t)at < 0 || target / 16 + (int64_t)at > INT32_MAX)
		return v;
	return (struct bf_value){ BF_TARGET, target / 16 + at, mode == RELATIVE_64 && high };
}

static bool same_value(const struct bf_value *a, const struct bf_value *b)
{
	return a->kind == b->kind && a->value == b->value && a->high == b->high;
}

/* The sources of a tuple's slots that are constants, without those that are there twice. */
static unsigned int tuple_constants(const struct bf_slot *slots, struct bf_value *list)
{
	unsigned int count = 0;

	for (unsigned int k = 0; k < 2; k++)
		BF_EACH_SOURCE(bf_row(slots[k].op), i) {
			const struct bf_value *v = &slots[k].sources[i];
			unsigned int n = 0;

			while (n < count && !same_value(&list[n], v))
				n++;
			if (n == count && v->kind >= BF_CONSTANT)
				list[count++] = *v;
		}
	return count;
}

/* Do index and one of its words for each of the list have these values? */
static bool has_all(const struct bifrost_clause *c, unsigned int index, const struct bf_value *list, unsigned int count,
		    size_t at)
{
	for (unsigned int i = 0; i < count; i++) {
		struct bf_value low = get_fau(c, index, false, at), high = get_fau(c, index, true, at);

		if (!same_value(&low, &list[i]) && !same_value(&high, &list[i]))
			return false;
	}
	return true;
}

/* The FAU index of a constant of the clause that has them; 0: there is none. */
static unsigned int find_constant(const struct bifrost_clause *c, const struct bf_value *list, unsigned int count, size_t at)
{
	for (unsigned int n = 0; n < c->constant_count && n < 6; n++) {
		/* The low four bits are in the index, and one of the list has them if they are not 0. */
		for (unsigned int i = 0; i <= count; i++) {
			unsigned int low = !i || list[i - 1].kind == BF_TARGET ? 0 : list[i - 1].value & 15;

			if (has_all(c, index_of[n] << 4 | low, list, count, at))
				return index_of[n] << 4 | low;
		}
	}
	return 0;
}

/* A new constant for them, or of one the high word of one that has room, a bit each, if it is to. 0: it cannot be. */
static unsigned int add_constant(struct bifrost_clause *c, const struct bf_value *list, unsigned int count, size_t at,
				 unsigned int *room, bool share)
{
	const struct bf_value *low = &list[0], *high = count > 1 ? &list[1] : NULL;
	unsigned int embedded = bf_embedded(c->tuple_count), n = c->constant_count;
	uint64_t whole, mode = 0;

	if (share && *room && !high && low->kind == BF_CONSTANT) {
		n = __builtin_ctz(*room);
		*room &= *room - 1;
		c->constants[n] |= (uint64_t)low->value << 28;
		return index_of[n] << 4;
	}
	/* A branch's target is in the high word. */
	if (low->kind == BF_TARGET) {
		high = &list[0];
		low = count > 1 ? &list[1] : NULL;
	}
	if (count > 2 || n >= 6 || (low && low->kind == BF_TARGET) || (count > 1 && high->high))
		return 0;
	whole = low ? low->value : 0;
	if (high && high->kind == BF_TARGET) {
		whole |= (uint64_t)((high->value - at) * 16 & 0xfffffff) << 32;
		mode = RELATIVE_MODE;
	} else if (high) {
		whole |= (uint64_t)high->value << 32;
	}
	if (n < embedded && mode)
		c->modifier |= mode;
	else if (mode)
		whole |= mode << 60;
	c->constants[n] = whole >> 4;
	*room |= !high << n;
	c->constant_count++;
	return index_of[n] << 4 | (low ? low->value & 15 : 0);
}

/* The FAU index of a tuple. */
static unsigned int assign_fau(struct bifrost_clause *c, const struct bf_slot *slots, size_t at, bool constants,
			       unsigned int *room, bool share)
{
	struct bf_value list[2 * BF_SOURCES];
	unsigned int count = tuple_constants(slots, list), index;

	if (count) {
		index = find_constant(c, list, count, at);
		return index || constants ? index : add_constant(c, list, count, at, room, share);
	}
	for (unsigned int k = 0; k < 2; k++)
		BF_EACH_SOURCE(bf_row(slots[k].op), i)
			if (slots[k].sources[i].kind == BF_FAU)
				return slots[k].sources[i].value;
	return 0;
}

/* Behind those that are packed with the tuples constants come in pairs; one that fills it up leaves the last as it is. */
static void pad_constants(struct bifrost_clause *c)
{
	unsigned int embedded = bf_embedded(c->tuple_count), last = c->constant_count - 1;
	uint64_t high;

	if (c->constant_count < embedded)
		c->constant_count = embedded;
	if (!c->constant_count || !((c->constant_count - embedded) & 1))
		return;
	high = c->constants[last] >> 56;
	c->constants[c->constant_count++] = high < 8 && high != RELATIVE_MODE ? high << 56 : 0;
}

/* --- Tuples ----------------------------------------------------------------------- */

static unsigned int source_code(const struct bifrost_clause *c, const struct bf_ports *p, unsigned int index,
				const struct bf_value *v, size_t at)
{
	struct bf_value low;

	switch (v->kind) {
	case BF_REGISTER:
		for (unsigned int i = 0; i < 2; i++)
			if (p->read[i] && p->reg[i] == v->value)
				return BF_PORT0 + i;
		return BF_PORT2;
	case BF_PASSED:
		return v->value;
	case BF_FAU:
		return BF_FAU_LO + v->high;
	default:
		low = get_fau(c, index, false, at);
		return same_value(&low, v) ? BF_FAU_LO : BF_FAU_HI;
	}
}

static uint32_t put_slot(const struct bifrost_clause *c, const struct bf_slot *slot, const struct bf_ports *p,
			 unsigned int index, size_t at)
{
	const struct bf_row *row = bf_row(slot->op);
	struct isa_bits b = { { row->exact } };

	BF_EACH_SOURCE(row, i)
		isa_put(&b, 3 * i, 3, source_code(c, p, index, &slot->sources[i], at));
	for (unsigned int i = 0; row->parts[i].table; i++) {
		if (bf_is_words(&row->parts[i]))
			bf_put_words(&row->parts[i], slot->words[i], &b.w[0]);
		else
			isa_put(&b, row->parts[i].lo, row->parts[i].width, slot->numbers[i]);
	}
	return b.w[0];
}

static bool same_slot(const struct bf_slot *a, const struct bf_slot *b)
{
	bool same = a->op == b->op && a->dest.mode == b->dest.mode && (!a->dest.mode || a->dest.reg == b->dest.reg) &&
		    !memcmp(a->words, b->words, sizeof(a->words)) && !memcmp(a->numbers, b->numbers, sizeof(a->numbers));

	BF_EACH_SOURCE(bf_row(a->op), i)
		same = same && same_value(&a->sources[i], &b->sources[i]);
	return same;
}

unsigned int bf_assign(struct bifrost_clause *c, const struct bf_slot *slots, size_t at, bool constants)
{
	struct bf_slot have[2 * BIFROST_TUPLES];
	unsigned int index[BIFROST_TUPLES], bad = 0;
	bool again = true;

	/* A constant for each tuple may be too many: then two share one. */
	for (unsigned int share = 0; again; share++) {
		unsigned int room = 0;

		if (!constants) {
			memset(c->constants, 0, sizeof(c->constants));
			c->constant_count = c->modifier = 0;
		}
		for (unsigned int i = 0; i < c->tuple_count; i++)
			index[i] = assign_fau(c, &slots[2 * i], at, constants, &room, share);
		if (!constants)
			pad_constants(c);
		again = !share && c->constant_count > bf_most_constants(c->tuple_count);
	}
	for (unsigned int i = 0; i < c->tuple_count; i++) {
		struct bf_ports p = { 0 };

		assign_ports(&p, &slots[2 * i], &slots[2 * ((i ? i : c->tuple_count) - 1)]);
		put_ports(p, i == 0, &c->tuples[i].registers);
		c->tuples[i].registers |= index[i];
		c->tuples[i].fma = put_slot(c, &slots[2 * i], &p, index[i], at);
		c->tuples[i].add = put_slot(c, &slots[2 * i + 1], &p, index[i], at);
	}
	/* What came out differently did not fit: too few ports, several FAU indices, an order of sources. */
	bf_get_slots(c, at, have);
	for (unsigned int i = 0; i < 2 * c->tuple_count; i++)
		bad |= !same_slot(&slots[i], &have[i]) << i / 2;
	return bad;
}

static void get_slot(const struct bifrost_clause *c, unsigned int tuple, bool add, size_t at, struct bf_slot *slot)
{
	const struct bifrost_tuple *t = &c->tuples[tuple];
	struct isa_bits bits = { { add ? t->add : t->fma } };
	struct bf_ports now = bf_get_ports(t->registers, tuple == 0), next;
	const struct bf_row *row;

	tuple = (tuple + 1) % c->tuple_count;
	next = bf_get_ports(c->tuples[tuple].registers, tuple == 0);
	memset(slot, 0, sizeof(*slot));
	slot->op = isa_match_op(&isa_bifrost, add, &bits);
	slot->dest = get_dest(&next, add);
	row = bf_row(slot->op);
	BF_EACH_SOURCE(row, i) {
		unsigned int code = bf_bits(bits.w[0], 3 * i, 3);

		if (code <= BF_PORT2)
			slot->sources[i] = (struct bf_value){ BF_REGISTER, now.reg[code], false };
		else if (code == BF_FAU_LO || code == BF_FAU_HI)
			slot->sources[i] = get_fau(c, bf_get(t->registers, fau), code == BF_FAU_HI, at);
		else
			slot->sources[i] = (struct bf_value){ BF_PASSED, code, false };
	}
	for (unsigned int i = 0; row->parts[i].table; i++) {
		if (bf_is_words(&row->parts[i]))
			memcpy(slot->words[i], bf_code(&row->parts[i], bits.w[0])->words, BF_COLUMNS);
		else
			slot->numbers[i] = bf_bits(bits.w[0], row->parts[i].lo, row->parts[i].width);
	}
}

void bf_get_slots(const struct bifrost_clause *c, size_t at, struct bf_slot slots[2 * BIFROST_TUPLES])
{
	for (unsigned int i = 0; i < 2 * c->tuple_count; i++)
		get_slot(c, i / 2, i & 1, at, &slots[i]);
}
