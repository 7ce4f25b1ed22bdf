// SPDX-License-Identifier: MIT
/*
 * Bifrost programs as text, as Mesa's disassembler writes them, and back. What an assembler would choose otherwise than
 * the words have it is there as "constants" and "set".
 */
#include <stdio.h>
#include <stdlib.h>

#include "isa/bifrost.h"
#include "isa/half.h"
#include "isa/program.h"

/* --- What both ways share ----------------------------------------------------------- */

/* "dwb(N, N)": a bit for each slot. */
static bool read_wait(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	uint32_t v = 0;
	int64_t bit;

	if (!isa_literal(c, "dwb("))
		return isa_expect(c, "expected dwb(");
	do {
		isa_blanks(c);
		if (!isa_number(c, 0, 7, &bit))
			return false;
		v |= 1 << bit;
	} while (isa_literal(c, ","));
	isa_operand_put(o, in->bits, v);
	return isa_literal(c, ")") || isa_expect(c, "expected ')'");
}

static void write_wait(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);

	for (const char *before = "dwb("; v; v &= v - 1, before = ", ")
		isa_printf(text, "%s%d%s", before, __builtin_ctz(v), v & (v - 1) ? "" : ")");
}

#define RESERVED(name)
#define X(name, text) [BFM_##name] = text,
static const char *const messages[32] = { "", BF_MESSAGES(X, RESERVED) };
#undef X
#define X(name, text) [BFM_##name] = "next_" text,
static const char *const next_messages[32] = { "", BF_MESSAGES(X, RESERVED) };
#undef X

#define AT(name) { { BF_##name, BF_##name##_width } }
#define NAMES(field, list) { 'n', ISA_NAMES, .at = AT(field), .names = list }
#define WORDS_OF(...) (const char *const[]){ __VA_ARGS__ }

/* The header's words, in their order. */
static const struct isa_operand header_word[] = {
	{ 'd', ISA_ROWS, ISA_PARTS({ 'n', ISA_UINT, .at = AT(slot) }), ISA_ONE_OF({ .pattern = "ds(%n)" }) },
	NAMES(staging_barrier, WORDS_OF("", "osrb")),
	NAMES(flow, WORDS_OF("eos", "nbb br_pc", "nbb r_uncond", "nbb", "bb r_uncond", "bb", "we r_uncond", "we")),
	NAMES(suppress_inf, WORDS_OF("", "inf_suppress")),
	NAMES(suppress_nan, WORDS_OF("", "nan_suppress")),
	NAMES(ftz, WORDS_OF("", "ftz_dx11", "ftz_hsa", "ftz_au")),
	NAMES(exceptions, WORDS_OF("", "fpe_ts", "fpe_pd", "fpe_psqr")),
	NAMES(message, messages),
	NAMES(terminate_discarded, WORDS_OF("", "td")),
	NAMES(prefetch, WORDS_OF("", "ncph")),
	NAMES(next_message, next_messages),
	{ 'w', .at = AT(wait), .read = read_wait, .write = write_wait },
	{ 0 },
};

static const struct isa_operand header_words = { 0, ISA_ANY_ORDER, .prefix = " ", .list = header_word };

/* To the cursor's end. */
static bool read_header(struct isa_cursor *c, uint64_t *header)
{
	struct isa_bits bits = { { 0 } };
	struct isa_insn in = { &isa_bifrost, NULL, &bits, NULL };
	const char *at;

	isa_operand_read(&header_words, &in, c);
	*header = bits.w[0] | (uint64_t)bits.w[1] << 32;
	isa_blanks(c);
	if (c->at == c->end)
		return true;
	at = c->at;
	isa_expect(c, "expected a word of a clause's header, or '{'");
	/* One of them may say what is wrong farther on. */
	for (const struct isa_operand *o = header_word; o->letter; o++, c->at = at)
		isa_operand_read(o, &in, c);
	return false;
}

/* FAU below the uniforms and constants. */
static const char *const special[8] = {
	"#0", "lane_id", "warp_id", "core_id", "framebuffer_size", "atest_datum", "sample", NULL,
};

#define FIRST_BLEND	8
#define UNIFORM		0x80

/* --- Writing ---------------------------------------------------------------------- */

static void write_words(const struct bf_slot *slot, unsigned int where, struct isa_text *text)
{
	const struct bf_row *row = bf_row(slot->op);

	BF_EACH_WORD(row, i, k) {
		unsigned int plain = bf_tables[row->parts[i].table].columns[k].plain;

		if (bf_where(&row->parts[i], k) == where && slot->words[i][k] != plain)
			isa_printf(text, ".%s", bf_word(slot->words[i][k]));
	}
}

static void write_value(const struct bf_value *v, bool add, struct isa_text *text)
{
	static const char *const passed[8] = { [BF_STAGE] = "#0", [BF_PASS_FMA] = "t0", [BF_PASS_ADD] = "t1" };

	if (v->kind == BF_REGISTER)
		isa_printf(text, "r%u", v->value);
	else if (v->kind == BF_PASSED)
		isa_puts(text, add && v->value == BF_STAGE ? "t" : passed[v->value]);
	else if (v->kind == BF_CONSTANT)
		isa_printf(text, "0x%08x /* %f */", v->value, (double)as_float(v->value));
	else if (v->kind == BF_TARGET)
		isa_printf(text, "clause_%u%s", v->value, v->high ? " >> 32" : "");
	else if (v->value >= UNIFORM)
		isa_printf(text, "u%u.w%u", v->value - UNIFORM, v->high);
	else if (v->value < FIRST_BLEND && special[v->value])
		isa_printf(text, "%s.%c", special[v->value], v->high ? 'y' : 'x');
	else if (v->value >= FIRST_BLEND && v->value < 2 * FIRST_BLEND)
		isa_printf(text, "blend_descriptor_%u.%c", v->value - FIRST_BLEND, v->high ? 'y' : 'x');
	else
		isa_printf(text, "reserved%u.%c", v->value, v->high ? 'y' : 'x');
}

static void write_slot(const struct bf_slot *slot, unsigned int staging, struct isa_text *text)
{
	static const char *const written[] = { [BF_WRITE] = "", [BF_WRITE_LO] = ".h0", [BF_WRITE_HI] = ".h1" };
	const struct bf_row *row = bf_row(slot->op);
	bool add = slot->op->unit == BF_ADD;
	unsigned int n = 0;

	isa_puts(text, "    ");
	isa_puts(text, slot->op->pattern);
	write_words(slot, BF_NAME, text);
	isa_putc(text, ' ');
	if (slot->dest.mode)
		isa_printf(text, "r%u:", slot->dest.reg);
	isa_puts(text, add ? "t1" : "t0");
	if (slot->dest.mode)
		isa_puts(text, written[slot->dest.mode]);
	BF_EACH_SOURCE(row, i) {
		isa_puts(text, ", ");
		write_value(&slot->sources[i], add, text);
		write_words(slot, n++, text);
	}
	for (unsigned int i = 0; row->parts[i].table; i++)
		if (row->parts[i].table == BF_NUMBER)
			isa_printf(text, ", %s:%u", bf_word(row->parts[i].word), slot->numbers[i]);
	if (*row->staging)
		isa_printf(text, ", @r%u", staging);
	isa_putc(text, '\n');
}

void bf_write_form(const struct isa_op *op, struct isa_text *text)
{
	const struct bf_row *row = bf_row(op);
	char operand = 'A';

	isa_printf(text, "%s %s%s", op->pattern, row->flags & BF_NO_DEST ? "" : "rN:", op->unit == BF_ADD ? "t1" : "t0");
	BF_EACH_SOURCE(row, i)
		isa_printf(text, ", %c", operand++);
	for (unsigned int i = 0; row->parts[i].table; i++)
		if (row->parts[i].table == BF_NUMBER)
			isa_printf(text, ", %s:N", bf_word(row->parts[i].word));
	isa_puts(text, *row->staging ? ", @rN" : "");
}

static struct isa_bits as_bits64(uint64_t v)
{
	return (struct isa_bits){ { v, v >> 32 } };
}

/* Returns what the text says of it. */
static uint64_t write_header(uint64_t header, struct isa_text *text)
{
	struct isa_bits bits = as_bits64(header);
	struct isa_insn in = { &isa_bifrost, NULL, &bits, NULL };
	size_t start = text->length;
	struct isa_cursor c;

	isa_operand_write(&header_words, &in, text);
	if (text->failed)
		return 0;
	c = (struct isa_cursor){ .at = text->data + start, .end = text->data + text->length };
	read_header(&c, &header);
	isa_putc(text, '\n');
	return header;
}

/* For each field of want that is not as have has it; all: also for those. */
static void write_sets(unsigned int form, uint64_t want, uint64_t have, bool all, struct isa_text *text)
{
	struct isa_bits w = as_bits64(want), h = as_bits64(all ? ~want : have);

	isa_write_sets(&isa_bifrost, form, &w, &h, "    ", "\n", text);
}

static void write_clause(const struct bifrost_clause *c, size_t at, struct isa_text *text)
{
	struct bifrost_clause have = { .tuple_count = c->tuple_count };
	struct bf_slot slots[2 * BIFROST_TUPLES];
	unsigned int staging = bf_get(c->header, staging_register), bad;
	bool constants, staged = false;

	bf_get_slots(c, at, slots);
	for (unsigned int i = 0; i < 2 * c->tuple_count; i++)
		staged |= *bf_row(slots[i].op)->staging;
	/* What the text alone means says which "set" are needed. */
	bad = bf_assign(&have, slots, at, false);
	constants = c->constant_count != have.constant_count ||
		    memcmp(c->constants, have.constants, sizeof(have.constants));
	if (constants) {
		have = *c;
		bad = bf_assign(&have, slots, at, true);
		have.modifier = 0;
	}
	isa_printf(text, "clause_%zu:\n", at);
	have.header = write_header(c->header, text);
	if (staged)
		have.header |= (uint64_t)staging << BF_staging_register;
	isa_puts(text, "{\n");
	for (unsigned int i = 0; i < c->tuple_count; i++) {
		const struct bifrost_tuple *want = &c->tuples[i], *got = &have.tuples[i];

		write_slot(&slots[2 * i], staging, text);
		write_slot(&slots[2 * i + 1], staging, text);
		write_sets(BF_F_FMA, want->fma, got->fma, bad >> i & 1, text);
		write_sets(BF_F_ADD, want->add, got->add, bad >> i & 1, text);
		write_sets(BF_F_REGISTERS, want->registers, got->registers, bad >> i & 1, text);
	}
	isa_puts(text, constants ? "    constants" : "");
	for (unsigned int i = 0; constants && i < c->constant_count; i++)
		isa_printf(text, "%s0x%016llx", i ? ", " : " ", (unsigned long long)c->constants[i] << 4);
	isa_puts(text, constants ? "\n" : "");
	write_sets(BF_F_HEADER, c->header, have.header, false, text);
	write_sets(BF_F_CLAUSE, c->modifier, have.modifier, false, text);
	isa_puts(text, "}\n\n");
}

void bf_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		struct bifrost_clause c;

		n = i % 4 ? 0 : limn_isa_bifrost_clause_read(words + i, count - i, &c);
		if (n) {
			write_clause(&c, i / 4, text);
		} else {
			n = count - i < 4 ? count - i : 4;
			isa_line_words(words + i, n, text);
			isa_putc(text, '\n');
		}
	}
}

/* --- Reading: slots --------------------------------------------------------------- */

#define WORDS	12	/* modifiers in one place, at most */

/* Modifiers as they are in the text. */
struct names {
	const char *at[WORDS];
	uint8_t length[WORDS];
	unsigned int count, used;	/* used: a bit each */
	bool alias;			/* they stand for a name that the text has */
};

/* ".NAME" as often as it is there, behind those that are known. */
static void read_names(struct isa_cursor *c, struct names *names)
{
	while (c->end - c->at > 1 && *c->at == '.' && isa_in_name(c->at[1]) && names->count < WORDS) {
		const char *start = ++c->at;

		while (c->at < c->end && isa_in_name(*c->at))
			c->at++;
		names->at[names->count] = start;
		names->length[names->count++] = c->at - start;
	}
}

/* The column's word: the first of the names that it can be, or else the one that is not written. */
static bool choose_word(const struct bf_table *t, unsigned int column, struct names *names, uint8_t *word)
{
	for (unsigned int i = 0; i < names->count; i++) {
		for (unsigned int k = 0; !(names->used >> i & 1) && k < t->code_count; k++) {
			const char *name = bf_word(t->codes[k].words[column]);

			if (strlen(name) != names->length[i] || memcmp(names->at[i], name, names->length[i]))
				continue;
			names->used |= 1u << i;
			*word = t->codes[k].words[column];
			return true;
		}
	}
	*word = t->columns[column].plain;
	return *word != BFW_required;
}

/* The words that a column can have, of those that are written. */
static void list_column(const struct bf_table *t, unsigned int column, struct isa_choices *list)
{
	for (unsigned int k = 0; k < t->code_count; k++)
		if (t->codes[k].words[column] != t->columns[column].plain)
			isa_choice(list, ".", bf_word(t->codes[k].words[column]));
}

static bool choose_words(struct bf_slot *slot, unsigned int where, struct names *names, struct isa_cursor *c)
{
	const struct bf_row *row = bf_row(slot->op);
	struct isa_choices list = { "" };

	BF_EACH_WORD(row, i, k) {
		const struct bf_table *t = &bf_tables[row->parts[i].table];

		if (bf_where(&row->parts[i], k) != where)
			continue;
		list_column(t, k, &list);
		if (choose_word(t, k, names, &slot->words[i][k]))
			continue;
		list = (struct isa_choices){ "" };
		list_column(t, k, &list);
		return isa_expect(c, "a modifier is missing; there are:%s", list.text);
	}
	for (unsigned int i = 0; i < names->count; i++) {
		if (names->used >> i & 1)
			continue;
		if (!names->alias)
			c->at = names->at[i] - 1;
		return isa_unknown_modifier(c, names->at[i] - 1, names->length[i] + 1, &list);
	}
	return true;
}

/* Is there a code of these words, whatever the order of sources? */
static bool words_exist(const struct bf_slot *slot, struct isa_cursor *c)
{
	const struct bf_row *row = bf_row(slot->op);

	for (unsigned int i = 0; row->parts[i].table; i++) {
		uint32_t up = 1, down = 1 << 3;

		if (bf_is_words(&row->parts[i]) && !bf_put_words(&row->parts[i], slot->words[i], &up) &&
		    !bf_put_words(&row->parts[i], slot->words[i], &down))
			return isa_expect(c, "these modifiers do not go together");
	}
	return true;
}

static bool read_number(struct isa_cursor *c, const char *prefix, int64_t max, int64_t *v)
{
	const char *start = c->at;

	/* Behind which there is more it is a label. */
	if (isa_literal(c, prefix) && c->at < c->end && isa_is(*c->at, ISA_DIGIT) && isa_number(c, 0, max, v) &&
	    (c->at == c->end || !isa_in_name(*c->at)))
		return true;
	c->at = start;
	return false;
}

/* ".x" or ".y", or with 'w' ".w0" or ".w1". */
static bool read_half(struct isa_cursor *c, bool w, bool *high)
{
	*high = isa_literal(c, w ? ".w1" : ".y");
	return *high || isa_literal(c, w ? ".w0" : ".x") || isa_expect(c, w ? "expected .w0 or .w1" : "expected .x or .y");
}

/* A label, or "clause_" and a place that has none. */
static bool read_target(const struct isa_program *p, struct isa_cursor *c, struct bf_value *v)
{
	const char *name = c->at;
	int64_t n = 0, label;
	bool number = read_number(c, "clause_", INT32_MAX, &n);

	while (c->at < c->end && isa_in_name(*c->at))
		c->at++;
	label = isa_program_find(p, name, c->at - name);
	if (c->at == name || (label < 0 && !number && p->again))
		return isa_expect_at(c, name, "expected a source: rN, t, t0, t1, #0, uN.w0, 0x..., a label or the name of a special one");
	*v = (struct bf_value){ BF_TARGET, label >= 0 ? label / 4 : n, isa_literal(c, " >> 32") };
	return true;
}

static void skip_comment(struct isa_cursor *c)
{
	struct isa_cursor probe = *c;

	isa_blanks(&probe);
	if (!isa_literal(&probe, "/*"))
		return;
	while (probe.at < probe.end && !isa_literal(&probe, "*/"))
		probe.at++;
	c->at = probe.at;
}

static bool read_special(const struct isa_program *p, struct isa_cursor *c, struct bf_value *v)
{
	int64_t n;

	for (unsigned int i = 1; i < FIRST_BLEND && special[i]; i++) {
		if (isa_literal(c, special[i])) {
			*v = (struct bf_value){ BF_FAU, i, false };
			return read_half(c, false, &v->high);
		}
	}
	if (read_number(c, "blend_descriptor_", FIRST_BLEND - 1, &n))
		n += FIRST_BLEND;
	else if (!read_number(c, "reserved", UNIFORM - 1, &n))
		return read_target(p, c, v);
	*v = (struct bf_value){ BF_FAU, n, false };
	return read_half(c, false, &v->high);
}

static bool read_value(const struct isa_program *p, struct isa_cursor *c, bool add, struct bf_value *v)
{
	int64_t n;

	if (read_number(c, "r", 63, &n)) {
		*v = (struct bf_value){ BF_REGISTER, n, false };
	} else if (read_number(c, "t", 1, &n)) {
		*v = (struct bf_value){ BF_PASSED, BF_PASS_FMA + n, false };
	} else if (read_number(c, "u", UNIFORM - 1, &n)) {
		*v = (struct bf_value){ BF_FAU, UNIFORM + n, false };
		return read_half(c, true, &v->high);
	} else if (c->end - c->at > 2 && c->at[0] == '0' && c->at[1] == 'x') {
		if (!isa_number(c, 0, UINT32_MAX, &n))
			return false;
		*v = (struct bf_value){ BF_CONSTANT, n, false };
	} else if (isa_literal(c, "#0")) {
		*v = (struct bf_value){ BF_FAU, 0, false };
		if (c->at < c->end && *c->at == '.' && c->end - c->at > 1 && (c->at[1] == 'x' || c->at[1] == 'y'))
			return read_half(c, false, &v->high);
		if (!add)
			*v = (struct bf_value){ BF_PASSED, BF_STAGE, false };
	} else if (add && c->at < c->end && *c->at == 't' && (c->end - c->at < 2 || !isa_in_name(c->at[1]))) {
		c->at++;
		*v = (struct bf_value){ BF_PASSED, BF_STAGE, false };
	} else {
		return read_special(p, c, v);
	}
	return true;
}

static bool read_comma(struct isa_cursor *c)
{
	isa_blanks(c);
	if (!isa_literal(c, ","))
		return isa_expect(c, "expected ','");
	isa_blanks(c);
	return true;
}

static bool read_dest(struct isa_cursor *c, bool add, struct bf_dest *dest)
{
	int64_t reg = 0;

	*dest = (struct bf_dest){ 0 };
	if (read_number(c, "r", 63, &reg)) {
		if (!isa_literal(c, ":"))
			return isa_expect(c, "expected ':' and %s", add ? "t1" : "t0");
		*dest = (struct bf_dest){ reg, BF_WRITE };
	}
	if (!isa_literal(c, add ? "t1" : "t0"))
		return isa_expect(c, "expected the destination, %s or rN:%s", add ? "t1" : "t0", add ? "t1" : "t0");
	if (dest->mode && isa_literal(c, ".h0"))
		dest->mode = BF_WRITE_LO;
	else if (dest->mode && isa_literal(c, ".h1"))
		dest->mode = BF_WRITE_HI;
	return true;
}

/* What is behind the destination; first: modifiers of the first source that are known already. */
static bool read_operands(const struct isa_program *p, struct isa_cursor *c, const char *first, struct bf_slot *slot, int64_t *staging)
{
	const struct bf_row *row = bf_row(slot->op);
	unsigned int n = 0;

	BF_EACH_SOURCE(row, i) {
		if (!read_comma(c) || !read_value(p, c, slot->op->unit == BF_ADD, &slot->sources[i]))
			return false;
		struct isa_cursor known = { .at = first, .end = first + (n ? 0 : strlen(first)) };
		struct names names = { .count = 0 };

		skip_comment(c);
		read_names(&known, &names);
		read_names(c, &names);
		if (!choose_words(slot, n++, &names, c))
			return false;
	}
	for (unsigned int i = 0; row->parts[i].table; i++) {
		const struct bf_part *part = &row->parts[i];
		int64_t v;

		if (part->table != BF_NUMBER)
			continue;
		if (!read_comma(c))
			return false;
		if (!isa_literal(c, bf_word(part->word)) || !isa_literal(c, ":"))
			return isa_expect(c, "expected %s:NUMBER", bf_word(part->word));
		if (!isa_number(c, 0, (1 << part->width) - 1, &v))
			return false;
		slot->numbers[i] = v;
	}
	if (*row->staging && (!read_comma(c) || !read_number(c, "@r", 63, staging)))
		return isa_expect(c, "expected the data register, @rN");
	skip_comment(c);
	isa_blanks(c);
	if (c->at != c->end)
		return isa_expect(c, "too many operands, or junk after the instruction");
	return words_exist(slot, c);
}

/* Names of Mesa's Notes.txt: the mnemonic here, and modifiers of its first source. */
static const char *const aliases[][3] = {
	{ "LOG_FREXPM", "FREXPM.f32.log", "" }, { "FRCP_FREXPM", "FREXPM.f32", "" }, { "FSQRT_FREXPM", "FREXPM.f32.sqrt", "" },
	{ "FRCP_FREXPE", "FREXPE.f32", ".neg" }, { "FSQRT_FREXPE", "FREXPE.f32.sqrt", "" },
	{ "FRSQ_FREXPE", "FREXPE.f32.sqrt", ".neg" }, { "FLOG_FREXPE", "FREXPE.f32.log", "" },
	{ "LSHIFT_ADD_LOW32.i32", "SHADDXL.s32", "" }, { "LSHIFT_ADD_LOW32", "SHADDXL", "" }, { "LSHIFT_ADD_HIGH32", "SHADDXH", "" },
	{ "FRCP_FAST.f16.X", "FRCP.f16", ".h0" }, { "FRCP_FAST.f16.Y", "FRCP.f16", ".h1" }, { "FRCP_FAST", "FRCP", "" },
	{ "FRCP_TABLE", "FRCP_APPROX.f32", "" }, { "FRSQ_TABLE", "FRSQ_APPROX.f32", "" }, { "LD_UBO.v4i32", "LOAD.i128.ubo", "" },
	{ "F16_TO_F32.X", "F16_TO_F32", ".h0" }, { "F16_TO_F32.Y", "F16_TO_F32", ".h1" }, { "ST_VAR", "ST_CVT", "" },
	{ "LD_VAR_ADDR", "LEA_ATTR", "" }, { "ATEST.f32", "ATEST", "" }, { "SWZ.XX", "SWZ.v2i16", ".h00" },
	{ "SWZ.YX", "SWZ.v2i16", ".h10" }, { "SWZ.YY", "SWZ.v2i16", ".h11" }, { "SWZ.XY", "MOV.i32", "" },
};

/* A mnemonic of n characters, an alias replaced, in *to then; its length. first: modifiers of the first source. */
static size_t read_mnemonic(const char *at, size_t n, char *to, size_t room, const char **text, const char **first)
{
	size_t length = n < room ? n : room - 1, used;

	*text = at;
	memcpy(to, at, length);
	to[length] = 0;
	*first = "";
	for (unsigned int i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		used = strlen(aliases[i][0]);
		if (length <= used || memcmp(to + 1, aliases[i][0], used) || isa_in_name(to[used + 1]))
			continue;
		*first = aliases[i][2];
		*text = to;
		return snprintf(to + 1, room - 1, "%s%.*s", aliases[i][1], (int)(n - used - 1), at + used + 1) + 1;
	}
	return n < room ? n : 0;
}

/* One instruction as this row has it, whose text begins with the mnemonic; c is behind that. */
static bool read_as(const struct isa_program *p, const char *mnemonic, size_t length, const char *first, struct isa_cursor *c,
		    struct bf_slot *slot, int64_t *staging)
{
	size_t n = strlen(slot->op->pattern);
	struct isa_cursor name = { .at = mnemonic + n, .end = mnemonic + length };
	struct names names = { .alias = name.end != c->at };

	read_names(&name, &names);
	isa_blanks(c);
	return choose_words(slot, BF_NAME, &names, c) && read_dest(c, slot->op->unit == BF_ADD, &slot->dest) &&
	       read_operands(p, c, first, slot, staging);
}

static bool read_slot(const struct isa_program *p, struct isa_cursor *c, struct bf_slot *slot, int64_t *staging)
{
	const char *start = c->at++, *rest = c->at + isa_span(c, ISA_WORD), *mnemonic, *first;
	char alias[128];
	size_t length = read_mnemonic(start, rest - start, alias, sizeof(alias), &mnemonic, &first);

	/* First quietly: another row may be meant. */
	for (unsigned int loud = 0; loud < 2; loud++) {
		for (unsigned int i = 0; i < p->isa->op_count; i++) {
			const struct isa_op *op = &p->isa->ops[i];
			size_t n = strlen(op->pattern);

			if (n > length || memcmp(op->pattern, mnemonic, n) || (n < length && mnemonic[n] != '.'))
				continue;
			memset(slot, 0, sizeof(*slot));
			slot->op = op;
			c->at = rest;
			c->quiet = !loud;
			if (read_as(p, mnemonic, length, first, c, slot, staging)) {
				if (isa_row_hook)
					isa_row_hook(p->isa, op);
				c->quiet = false;
				return true;
			}
		}
	}
	return c->fail ? false : isa_unknown(c, start);
}

/* --- Reading: clauses ------------------------------------------------------------- */

/* What program.c keeps of a text that is read: a clause. */
struct reader {
	struct bifrost_clause clause;
	struct bf_slot slots[2 * BIFROST_TUPLES];
	uint64_t set[BIFROST_TUPLES][BF_FORMS], mask[BIFROST_TUPLES][BF_FORMS];	/* what "set" says; header and clause: [0] */
	unsigned int line, whole;	/* line: of its beginning; whole: tuples whose registers are set, a bit each */
	bool inside, header, constants, added;	/* added: the last tuple has its ADD */
	int64_t staging;
};

static bool read_constants(struct reader *r, struct isa_cursor *c)
{
	r->constants = true;
	isa_blanks(c);
	if (c->at == c->end)
		return true;
	do {
		char number[32] = "", *end;
		unsigned long long v;

		isa_blanks(c);
		if (r->clause.constant_count == BIFROST_CONSTANTS)
			return isa_expect(c, "a clause has at most %u constants", BIFROST_CONSTANTS);
		if (c->end - c->at < 3 || c->at[0] != '0' || c->at[1] != 'x')
			return isa_expect(c, "expected a constant of 64 bits, 0x...");
		/* The text may end right behind it. */
		memcpy(number, c->at, c->end - c->at < 31 ? c->end - c->at : 31);
		v = strtoull(number, &end, 16);
		if (v & 15)
			return isa_expect(c, "a constant has 64 bits, whose lowest four are 0: they are the tuple's");
		r->clause.constants[r->clause.constant_count++] = v >> 4;
		c->at += end - number;
		isa_blanks(c);
	} while (isa_literal(c, ","));
	return c->at == c->end || isa_expect(c, "expected ','");
}

static bool read_set(struct reader *r, struct isa_cursor *c)
{
	const struct isa_field *f;
	struct isa_bits bits = { { 0 } };
	unsigned int form, tuple;

	f = isa_read_field(&isa_bifrost, c, &form);
	if (!f || !isa_read_set(c, f, &bits))
		return false;
	if (form <= BF_F_REGISTERS && !r->clause.tuple_count)
		return isa_expect(c, "there is no instruction to set this of");
	tuple = form <= BF_F_REGISTERS ? r->clause.tuple_count - 1 : 0;
	r->mask[tuple][form] |= ((1ull << f->width) - 1) << f->lo;
	r->set[tuple][form] &= ~(((1ull << f->width) - 1) << f->lo);
	r->set[tuple][form] |= bits.w[0] | (uint64_t)bits.w[1] << 32;
	if (form == BF_F_REGISTERS)
		r->whole |= 1u << tuple;
	return true;
}

static void apply_sets(struct reader *r)
{
	for (unsigned int i = 0; i < BIFROST_TUPLES; i++) {
		struct bifrost_tuple *t = &r->clause.tuples[i];
		uint64_t forms[BF_FORMS] = { t->fma, t->add, t->registers, r->clause.header, r->clause.modifier };

		for (unsigned int form = 0; form < BF_FORMS; form++)
			forms[form] = (forms[form] & ~r->mask[i][form]) | r->set[i][form];
		t->fma = forms[BF_F_FMA];
		t->add = forms[BF_F_ADD];
		t->registers = forms[BF_F_REGISTERS];
		r->clause.header = forms[BF_F_HEADER];
		r->clause.modifier = forms[BF_F_CLAUSE];
	}
}

static const struct isa_op *nop(const struct isa *isa, bool add)
{
	unsigned int i = 0;

	while (isa->ops[i].id != BF_OP_NOP || isa->ops[i].unit != add)
		i++;
	return &isa->ops[i];
}

/* What a header is when the text has none. */
static uint64_t default_header(const struct reader *r)
{
	uint64_t header = 0;

	for (unsigned int i = 0; i < r->clause.tuple_count; i++)
		header |= (uint64_t)bf_row(r->slots[2 * i + 1].op)->message << BF_message;
	return header;
}

static bool end_clause(struct isa_program *p, struct reader *r, struct isa_cursor *c)
{
	uint32_t words[BIFROST_CLAUSE_WORDS];
	unsigned int bad;
	size_t n;

	r->inside = false;
	if (!r->clause.tuple_count)
		return isa_expect(c, "a clause has at least one instruction");
	if (!r->header)
		r->clause.header = default_header(r);
	if (r->staging >= 0)
		r->clause.header |= (uint64_t)r->staging << BF_staging_register;
	/* How constants are relative to the clause decides which of them are found. */
	apply_sets(r);
	bad = bf_assign(&r->clause, r->slots, p->out.count / 4, r->constants) & ~r->whole;
	apply_sets(r);
	if (bad && p->again)
		return isa_expect(c, "tuple %d of this clause does not fit: too many registers or constants, or sources in the wrong order",
				  __builtin_ctz(bad));
	n = limn_isa_bifrost_clause_write(&r->clause, words);
	if (!n)
		return isa_expect(c, "a clause of %u tuples cannot have %u constants", r->clause.tuple_count, r->clause.constant_count);
	isa_program_put(p, words, n, 0, p->line);
	return true;
}

static bool read_instruction(const struct isa_program *p, struct reader *r, struct isa_cursor *c)
{
	bool add = *c->at == '+';
	int64_t staging = r->staging;
	struct bf_slot *slot;

	if (!add || r->added || !r->clause.tuple_count) {
		if (r->clause.tuple_count == BIFROST_TUPLES)
			return isa_expect(c, "a clause has at most %u tuples", BIFROST_TUPLES);
		slot = &r->slots[2 * r->clause.tuple_count++];
		slot[0] = (struct bf_slot){ .op = nop(p->isa, false) };
		slot[1] = (struct bf_slot){ .op = nop(p->isa, true) };
	}
	r->added = add;
	slot = &r->slots[2 * r->clause.tuple_count - 2 + add];
	if (!read_slot(p, c, slot, &staging))
		return false;
	if (r->staging >= 0 && staging != r->staging)
		return isa_expect(c, "messages of a clause have one data register, this has @r%d", (int)r->staging);
	r->staging = staging;
	return true;
}

static bool read_statement(struct isa_program *p, struct reader *r, struct isa_cursor *c)
{
	const char *start = c->at;

	while (!r->inside && isa_program_label(p, c))
		if (p->out.count % 4)
			return isa_expect_at(c, start, "a clause begins at a multiple of four words");
	if (c->at == c->end)
		return true;
	if (!r->inside) {
		if (isa_literal(c, "{")) {
			*r = (struct reader){ .clause.header = r->header ? r->clause.header : 0, .header = r->header,
					      .inside = true, .staging = -1, .line = p->line };
		} else if (isa_literal_word(c, ".word")) {
			if (!isa_program_words(p, c))
				return false;
		} else {
			r->header = true;
			return read_header(c, &r->clause.header);
		}
	} else if (*c->at == '*' || *c->at == '+') {
		return read_instruction(p, r, c);
	} else if (isa_literal_word(c, "set")) {
		return read_set(r, c);
	} else if (isa_literal_word(c, "constants")) {
		return read_constants(r, c);
	} else if (isa_literal(c, "}")) {
		bool ok = end_clause(p, r, c);

		r->header = false;
		return ok && (isa_blanks(c), c->at == c->end || isa_expect(c, "expected the end of the line behind '}'"));
	} else {
		return isa_expect(c, "expected an instruction, '*' FMA or '+' ADD, 'set', 'constants' or '}'");
	}
	isa_blanks(c);
	return c->at == c->end || isa_expect(c, "expected the end of the line");
}

bool bf_read_line(struct isa_program *p, struct isa_cursor *c)
{
	const char *at = c->at;

	/* A comment begins with "//", or with '#', as Mesa's verbose lines do too; "#0" is an operand. */
	while (at < c->end && !(c->end - at > 1 && at[0] == '/' && at[1] == '/') &&
	       !(*at == '#' && (c->end - at < 2 || at[1] != '0')))
		at++;
	c->end = at;
	isa_blanks(c);
	while (c->end > c->at && isa_is(c->end[-1], ISA_BLANK))
		c->end--;
	return read_statement(p, p->own, c);
}

void bf_finish(struct isa_program *p)
{
	struct reader *r = p->own;

	if (r->inside)
		isa_program_report(p, r->line, 1, "this clause has no '}'");
	*r = (struct reader){ .inside = false };
}

const size_t bf_own_size = sizeof(struct reader);
