// SPDX-License-Identifier: MIT
/* Bifrost: what hardware refuses or does differently than the text says. Sources: see bifrost.h. */
#include "isa/bifrost.h"

/* A letter of a row's sources: the codes that it can have, a bit each. */
static const uint8_t readable[128] = {
	['F'] = 0xfb, ['A'] = 0xff, ['T'] = 0xf7, ['G'] = 0xf3, ['Z'] = 0x08, ['R'] = 0x07, ['D'] = 0x33,
};

struct checker {
	struct isa_checker *all;
	struct bifrost_clause clause;
	struct bf_slot slots[2 * BIFROST_TUPLES];
	size_t at;		/* the clause's first word */
};

#define FINDING(c, severity, rule, ...) isa_finding((c)->all, severity, rule, (c)->at, (c)->at, __VA_ARGS__)

static void check_slot(struct checker *c, unsigned int tuple, bool add)
{
	const struct bifrost_tuple *t = &c->clause.tuples[tuple];
	const struct isa_op *op = c->slots[2 * tuple + add].op;
	const struct bf_row *row = bf_row(op);
	uint32_t bits = add ? t->add : t->fma;
	const char *name = add ? "ADD" : "FMA";
	struct bf_ports ports = bf_get_ports(t->registers, tuple == 0);

	if (op->id == BF_OP_OP)
		FINDING(c, ISA_ERROR, "encoding", "%s slot of tuple %u: 0x%x is no instruction", name, tuple, bits);
	BF_EACH_SOURCE(row, i) {
		unsigned int code = bf_bits(bits, 3 * i, 3);

		if (!(readable[(unsigned char)row->sources[i]] >> code & 1))
			FINDING(c, ISA_ERROR, "source", "%s slot of tuple %u: source %u cannot be that", name, tuple, i);
		else if ((code <= BF_PORT1 && !ports.read[code]) || (code == BF_PORT2 && ports.mode2 != BF_READ))
			FINDING(c, ISA_ERROR, "port", "%s slot of tuple %u: source %u is port %u, which does not read", name, tuple, i, code);
	}
	if (row->flags & BF_LAST && tuple + 1 < c->clause.tuple_count)
		FINDING(c, ISA_ERROR, "last", "%s can only be in the last tuple of a clause", op->pattern);
}

/* What SHADDXL shifts out and carries goes from FMA to ADD (Mesa Notes.txt). */
static void check_pair(struct checker *c, unsigned int tuple)
{
	const struct isa_op *fma = c->slots[2 * tuple].op, *add = c->slots[2 * tuple + 1].op;

	if (add->id == BF_OP_SHADDXH && fma->id != BF_OP_SHADDXL)
		FINDING(c, ISA_ERROR, "shaddx-pair", "SHADDXH needs a SHADDXL in the FMA slot of its tuple");
	if (fma->id == BF_OP_SHADDXL && !strcmp(bf_row(fma)->type, ".i64") && add->id != BF_OP_SHADDXH &&
	    !*bf_row(add)->staging)
		FINDING(c, ISA_ERROR, "shaddx-pair", "SHADDXL.i64 hands its carry to the ADD instruction of its tuple; that is none that takes it");
}

/* The message of a slot (Mesa bir.c, bi_message_type_for_instr()): some modifiers change that of the row. */
static unsigned int message_of(const struct bf_slot *slot)
{
	const struct bf_row *row = bf_row(slot->op);

	for (unsigned int i = 0; row->parts[i].table; i++) {
		if (slot->op->id == BF_OP_LOAD && bf_is_words(&row->parts[i]) && slot->words[i][0] == BFW_ubo)
			return BFM_attribute;
		if (slot->op->id == BF_OP_LD_VAR_SPECIAL && bf_is_words(&row->parts[i]) && slot->words[i][0] == BFW_frag_z)
			return BFM_z_stencil;
	}
	return row->message;
}

/* A clause has one message, whose kind the header says. */
static void check_messages(struct checker *c)
{
	unsigned int want = 0, have = bf_get(c->clause.header, message), count = 0;

	for (unsigned int i = 0; i < c->clause.tuple_count; i++) {
		unsigned int message = message_of(&c->slots[2 * i + 1]);

		want = message ? message : want;
		count += !!message;
	}
	if (count > 1)
		FINDING(c, ISA_ERROR, "message", "a clause has one message, this has %u", count);
	else if (want != have)
		FINDING(c, ISA_WARNING, "message", "the header says message kind %u, the instructions have %u", have, want);
}

static void check_clause(struct checker *c)
{
	bf_get_slots(&c->clause, c->at / 4, c->slots);
	if (bf_get(c->clause.header, unknown_0_5))
		FINDING(c, ISA_WARNING, "reserved", "bits of the header from %u on are reserved", BF_unknown_0_5);
	if (bf_get(c->clause.header, unknown_14))
		FINDING(c, ISA_WARNING, "reserved", "bits of the header from %u on are reserved", BF_unknown_14);
	for (unsigned int i = 0; i < c->clause.tuple_count; i++) {
		if (bf_get_ports(c->clause.tuples[i].registers, i == 0).reserved)
			FINDING(c, ISA_ERROR, "control", "tuple %u: this control of ports is reserved", i);
		check_slot(c, i, false);
		check_slot(c, i, true);
		check_pair(c, i);
	}
	check_messages(c);
}

void bf_check(struct isa_checker *all)
{
	struct checker c = { .all = all };
	const uint32_t *words = all->words;
	size_t count = all->count;
	bool ended = false;

	/* Zeroes behind the last clause are padding. */
	for (size_t n; c.at < count && (!c.at || isa_without_zeros(words + c.at, count - c.at)); c.at += n) {
		n = limn_isa_bifrost_clause_read(words + c.at, count - c.at, &c.clause);
		if (!n) {
			FINDING(&c, ISA_ERROR, "clause", "here is no clause, or not all of one");
			return;
		}
		check_clause(&c);
		ended |= !bf_get(c.clause.header, flow);
	}
	c.at = 0;
	if (count && !ended)
		FINDING(&c, ISA_WARNING, "end", "no clause ends the shader");
}
