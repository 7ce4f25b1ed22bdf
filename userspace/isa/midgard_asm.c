// SPDX-License-Identifier: MIT
/*
 * Midgard: text to words and back, as Mesa's disassembler writes it. A line is
 * an instruction; an empty line ends a bundle.
 *
 *	L1:
 *	vmul.FMUL.f32 R0, R1, #0.5
 *	sadd.FADD.f32 R1.x, R2.x, #2
 *	br.cond.true L1 -> alu/8
 *	uconstants 0x40000000, 0x0, 0x0, 0x0
 *
 *	LD_VARY.f32 R0.xyzw, 0.x, AL0.x + 0x1
 *
 * Also: "writeout" marks the tag of an ALU bundle, "break" says that the program
 * may end behind this one (the next tag is 1), "ctrl" is one without
 * instructions, ".word N..." is what has no shape, and ", set FORM.FIELD N"
 * behind any line says what its text cannot. The next bundle's tag is filled
 * in; "ctrl, set ctrl.next N" says another.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/midgard_text.h"
#include "isa/recall.h"

/* A bundle in the program. */
struct place {
	uint32_t start;		/* in words */
	unsigned int line;
	bool next_set, stop;	/* of struct md_read_bundle */
	bool raw;
};

/* A bundle with branches, which are put in when all labels are there. */
struct jump {
	size_t place;
	struct md_read_bundle bundle;
};

/* What is kept of a paragraph that is one bundle without labels. */
struct known {
	uint32_t lines;		/* of the paragraph, with the empty one */
	uint16_t first;		/* the bundle's line: so many below the paragraph's */
	uint8_t count;
	bool next_set, stop;
	uint8_t targets;	/* of branches, that the text is without */
	uint32_t words[16];
	/* Only where there are targets; their names and lines are those of their places in the text. */
	struct md_read_bundle bundle;
	uint8_t which[2];
};

/* A paragraph by what it is known by. */
struct key {
	const char *text;
	size_t length;
	unsigned int targets;		/* that the text is without */
	struct { const char *at; size_t length; } target[2];
	char without[ISA_RECALL_TEXT];
};

struct md_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct md_read_bundle bundle;	/* when open */
	bool open, no_memory;
	const char *line_start, *end;
	unsigned int line;
	struct isa_labels labels;	/* of places */
	struct isa_words out;
	struct place *places;
	size_t count, room;
	struct jump *jumps;
	size_t jump_count, jump_room;
	struct isa_recall recall;
	struct key *key;		/* of the pending paragraph */
	/* A paragraph that was not known, and what there was before it. */
	struct {
		const char *start, *end;	/* NULL: there is none */
		unsigned int line;
		size_t count, labels, jumps, messages;
	} pending;
};

static bool report(struct md_asm *as, const struct isa_cursor *c)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = as->line,
				  .column = (c->fail ? c->fail : c->at) - as->line_start + 1 };

	if (!isa_message(as->messages, &at, "%s", c->error))
		as->no_memory = true;
	return false;
}

static bool read_four(struct isa_cursor *c, uint32_t w[4])
{
	for (int i = 0; i < 4; i++) {
		int64_t v;

		isa_blanks(c);
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[i] = v;
		if (i < 3 && !isa_literal(c, ","))
			return isa_expect(c, "expected four constants");
	}
	return true;
}

/* The bundle's constants: its instructions show their values, and stand before them. */
static void look_ahead(struct md_asm *as, struct md_read_bundle *bu)
{
	const char *p = as->line_start;

	while (p < as->end) {
		const char *nl = memchr(p, '\n', as->end - p);
		struct isa_cursor c = { .at = p, .end = nl ? nl : as->end };

		isa_blanks(&c);
		if (c.at == c.end)
			return;
		if (isa_literal(&c, "uconstants")) {
			bu->has_constants = read_four(&c, bu->constants);
			return;
		}
		p = nl ? nl + 1 : as->end;
	}
}

static struct md_read_bundle *open_bundle(struct md_asm *as)
{
	if (as->open)
		return &as->bundle;
	memset(&as->bundle, 0, sizeof(as->bundle));
	as->bundle.line = as->line;
	look_ahead(as, &as->bundle);
	as->open = true;
	return &as->bundle;
}

/* Room for one more. NULL: out of memory. */
static void *more(struct md_asm *as, void **list, size_t count, size_t *room, size_t size)
{
	if (count == *room) {
		void *p = realloc(*list, (*room * 2 + 64) * size);

		if (!p) {
			as->no_memory = true;
			return NULL;
		}
		*list = p;
		*room = *room * 2 + 64;
	}
	return (char *)*list + count * size;
}

static void add_place(struct md_asm *as, const struct place *place, const uint32_t *words, size_t count)
{
	struct place *p = more(as, (void **)&as->places, as->count, &as->room, sizeof(*p));

	if (!p)
		return;
	*p = *place;
	p->start = as->out.count;
	as->count++;
	as->no_memory |= !isa_words_add(&as->out, words, count) || !isa_lines_add(as->messages, place->line, count);
}

/* The words of a bundle but for its next tag. */
unsigned int md_finish(const struct md_read_bundle *bu, uint32_t out[16])
{
	struct md_bundle b = bu->b;
	uint32_t *ctrl = &b.block[MD_B_CTRL].w[0];

	if (b.present >> MD_B_LDST0 & 1) {
		*ctrl = (*ctrl & ~15u) | MD_LDST;
		if (!(b.present >> MD_B_LDST1 & 1))
			b.block[MD_B_LDST1].w[0] = 3;	/* noop */
	} else if (!(b.present >> MD_B_TEX & 1)) {
		*ctrl = (*ctrl & ~15u) | MD_ALU | (bu->writeout ? 4 : 0);
	}
	return md_join(&b, out);
}

static void close_bundle(struct md_asm *as)
{
	struct md_read_bundle *bu = &as->bundle;
	struct place place = { .line = bu->line, .next_set = bu->next_set, .stop = bu->stop, .raw = bu->raw.count };
	uint32_t out[16];

	if (!as->open)
		return;
	as->open = false;
	if (bu->target[0].name || bu->target[1].name) {
		struct jump *jump = more(as, (void **)&as->jumps, as->jump_count, &as->jump_room, sizeof(*jump));

		if (jump) {
			*jump = (struct jump){ as->count, *bu };
			as->jump_count++;
		}
	}
	if (bu->raw.count)
		add_place(as, &place, bu->raw.list, bu->raw.count);
	else
		add_place(as, &place, out, md_finish(bu, out));
	free(bu->raw.list);
}

/* ", set FORM.FIELD N" as often as there are; form MD_FORMS: none is allowed. */
static bool read_sets(struct md_asm *as, struct md_read_bundle *bu, struct isa_bits *block, unsigned int form,
		      struct isa_cursor *c)
{
	for (isa_blanks(c); c->at < c->end && *c->at == ','; isa_blanks(c)) {
		const struct isa_field *f;
		unsigned int found;
		size_t n;
		int64_t v;

		c->at++;
		isa_blanks(c);
		if (!isa_literal(c, "set "))
			return isa_expect(c, "too many operands: expected 'set FORM.FIELD N'");
		isa_blanks(c);
		n = isa_word_length(c);
		f = isa_find_field(as->isa, c->at, n, &found);
		if (!f || found != form)
			return isa_expect(c, "there is no field '%.*s' in this line", n < 60 ? (int)n : 60, c->at);
		c->at += n;
		isa_blanks(c);
		if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
			return false;
		isa_put(block, f->lo, f->width, v);
		bu->next_set |= form == MD_F_CTRL && f->lo == MD_ctrl_next;
		bu->next_set |= form == MD_F_TEX && f->lo == MD_tex_next;
	}
	return isa_at_end(c) || isa_expect(c, "junk at the end of the line");
}

/* Has the unit a row for the first word at the cursor? The others are not worth an error. */
static bool has_row(const struct md_asm *as, unsigned int unit, struct isa_cursor *c)
{
	const struct isa_op *op;
	struct isa_choice choice;

	isa_choose(as->isa, c, &choice);
	while ((op = isa_next_choice(&choice, c)) && c->quiet)
		if (op->unit == unit)
			return true;
	return false;
}

/* Rows of a unit at the cursor; which: the block that gets it. */
static bool read_rows(struct md_asm *as, struct md_read_bundle *bu, unsigned int unit, struct isa_bits *block,
		      unsigned int *form, struct isa_cursor *c)
{
	const char *start = c->at;
	const struct isa_op *op;
	struct isa_choice choice;

	isa_choose(as->isa, c, &choice);
	while (c->at = start, (op = isa_next_choice(&choice, c))) {
		struct md_place_in in = { .constants = bu->has_constants ? bu->constants : NULL };

		if (op->unit != unit)
			continue;
		isa_reset(as->isa, op->form, block);
		if (isa_read_op(as->isa, &in, block, op, c)) {
			*form = op->form;
			c->fail = NULL;
			if (in.target)
				bu->target[op->form == MD_F_BRX] = (struct md_read_target){
					in.target, in.target_length, as->line, in.target - as->line_start + 1, op->form, in.bare };
			return true;
		}
	}
	return c->fail ? false : isa_unknown(c, start);
}

/* May a bundle have this block beside what it has? */
static bool fits(const struct md_read_bundle *bu, unsigned int which, struct isa_cursor *c)
{
	const uint16_t alu = (1 << (MD_B_CONST + 1)) - (1 << MD_B_VMUL), ldst = 1 << MD_B_LDST0 | 1 << MD_B_LDST1;
	uint16_t have = bu->b.present & ~(1 << MD_B_CTRL), kind;

	kind = which <= MD_B_CONST ? alu : which <= MD_B_LDST1 ? ldst : 1 << MD_B_TEX;
	if (bu->raw.count || have & ~kind)
		return isa_expect(c, "this belongs into a bundle of its own: an empty line ends one");
	if (have >> which & 1)
		return isa_expect(c, "the bundle has something for '%s' already", md_block_names[which]);
	return true;
}

static bool read_words(struct md_read_bundle *bu, struct isa_cursor *c)
{
	int64_t v;

	if (bu->b.present)
		return isa_expect(c, ".word stands in a bundle of its own");
	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		uint32_t w;

		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w = v;
		if (!isa_words_add(&bu->raw, &w, 1))
			return isa_expect(c, "out of memory");
	}
	if (c->at < c->end && *c->at == ',')
		return isa_expect(c, "words have blanks between them");
	return bu->raw.count || isa_expect(c, "expected a word");
}

static bool read_constants(struct md_read_bundle *bu, struct isa_cursor *c)
{
	if (!fits(bu, MD_B_CONST, c))
		return false;
	if (!read_four(c, bu->b.block[MD_B_CONST].w))
		return false;
	bu->b.present |= 1 << MD_B_CONST;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "more than four constants");
}

/* An instruction: by its prefix for the ALU, else load/store or texture. */
static bool read_instruction(struct md_asm *as, struct md_read_bundle *bu, struct isa_cursor *c)
{
	static const struct { const char *prefix; uint8_t block, unit; bool keep; } alu[] = {
		{ "vmul.", MD_B_VMUL, MD_U_VECTOR, false }, { "sadd.", MD_B_SADD, MD_U_SCALAR, false },
		{ "vadd.", MD_B_VADD, MD_U_VECTOR, false }, { "smul.", MD_B_SMUL, MD_U_SCALAR, false },
		{ "lut.", MD_B_LUT, MD_U_VECTOR, false }, { "brx", MD_B_BRANCHX, MD_U_BRANCHX, true },
		{ "br.", MD_B_BRANCH, MD_U_BRANCH, true },
	};
	unsigned int form, which;
	struct isa_bits block;

	for (size_t i = 0; i < sizeof(alu) / sizeof(alu[0]); i++) {
		const char *start = c->at;

		if (!isa_literal(c, alu[i].prefix))
			continue;
		c->at = alu[i].keep ? start : c->at;
		if (!read_rows(as, bu, alu[i].unit, &block, &form, c) || !fits(bu, alu[i].block, c))
			return false;
		bu->b.present |= 1 << alu[i].block;
		bu->b.block[alu[i].block] = block;
		return read_sets(as, bu, &bu->b.block[alu[i].block], form, c);
	}
	if (has_row(as, MD_U_TEX, c) && read_rows(as, bu, MD_U_TEX, &block, &form, c))
		which = MD_B_TEX;
	else if (read_rows(as, bu, MD_U_LDST, &block, &form, c))
		which = bu->b.present >> MD_B_LDST0 & 1 ? MD_B_LDST1 : MD_B_LDST0;
	else
		return false;
	if (!fits(bu, which, c))
		return false;
	bu->b.present |= 1 << which;
	bu->b.block[which] = block;
	return read_sets(as, bu, &bu->b.block[which], form, c);
}

/* "name:" before a bundle. */
static bool read_label(struct md_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);
	int err = 0;

	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':')
		return false;
	if (as->open)
		isa_expect(c, "a label stands before a bundle: an empty line ends one");
	else
		err = isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->count });
	if (err == -EEXIST)
		isa_expect(c, "this label is there already");
	as->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

/* A line that is just this word. */
static bool word_alone(struct isa_cursor *c, const char *word)
{
	const char *at = c->at;

	if (isa_literal(c, word)) {
		isa_blanks(c);
		if (isa_at_end(c) && (c->at == c->end || *c->at != ','))
			return true;
	}
	c->at = at;
	return false;
}

static bool read_line(struct md_asm *as, struct isa_cursor *c)
{
	struct md_read_bundle *bu;

	if (c->at < c->end && c->end[-1] == '\r')
		c->end--;
	isa_blanks(c);
	if (read_label(as, c) && (c->fail || c->at == c->end))
		return !c->fail;
	if (isa_at_end(c) && (c->at == c->end || *c->at != ',')) {
		if (c->at == c->end)	/* a comment does not end a bundle */
			close_bundle(as);
		return true;
	}
	bu = open_bundle(as);
	if (!bu)
		return false;
	if (isa_literal_word(c, ".word"))
		return read_words(bu, c);
	if (isa_literal(c, "uconstants"))
		return read_constants(bu, c);
	if (word_alone(c, "writeout"))
		return bu->writeout = true;
	if (word_alone(c, "break"))
		return bu->stop = true;
	if (isa_literal(c, "ctrl")) {
		bu->b.present |= 1 << MD_B_CTRL;
		return read_sets(as, bu, &bu->b.block[MD_B_CTRL], MD_F_CTRL, c);
	}
	return read_instruction(as, bu, c);
}

/* What a bundle says of the one behind it; 1 when that is none, or no bundle. */
static uint32_t next_tag(const uint32_t *words, size_t follower, size_t count)
{
	if (follower >= count || !md_length(words + follower, count - follower))
		return MD_BREAK;
	return words[follower] & 15;
}

static size_t start_of(const struct md_asm *as, size_t place)
{
	return place < as->count ? as->places[place].start : as->out.count;
}

/* Puts the distance to the label, and the tag there, into a branch of the bundle before next. */
static void resolve(struct md_asm *as, const struct md_read_target *t, struct isa_bits *block, size_t next)
{
	int64_t label = isa_label_find(&as->labels, t->name, t->length);
	struct isa_message at = { .severity = ISA_ERROR, .line = t->line, .column = t->column };
	unsigned int lo, width, tag;
	int64_t distance;

	if (label < 0) {
		as->no_memory |= !isa_message(as->messages, &at, "there is no such label");
		return;
	}
	md_branch_places(t->form, &lo, &width, &tag);
	distance = ((int64_t)start_of(as, label) - (int64_t)next) / 4;
	if (distance < -(1ll << (width - 1)) || distance >= 1ll << (width - 1))
		as->no_memory |= !isa_message(as->messages, &at, "the label is %lld bundle words away; this branch reaches %lld",
					      (long long)distance, (1ll << (width - 1)) - 1);
	isa_put(block, lo, width, (uint32_t)distance);
	if (t->bare)
		isa_put(block, tag, 4, (size_t)label < as->count ? as->out.list[start_of(as, label)] & 15 : MD_BREAK);
}

/* Labels and next tags. */
static void link_bundles(struct md_asm *as)
{
	uint32_t out[16];

	for (size_t i = 0; i < as->jump_count; i++) {
		struct jump *j = &as->jumps[i];

		for (int k = 0; k < 2; k++)
			if (j->bundle.target[k].name)
				resolve(as, &j->bundle.target[k], &j->bundle.b.block[MD_B_BRANCH + k], start_of(as, j->place + 1));
		memcpy(as->out.list + as->places[j->place].start, out, 4 * md_finish(&j->bundle, out));
	}
	for (size_t i = 0; i < as->count; i++) {
		const struct place *p = &as->places[i];
		uint32_t *word = as->out.list + p->start;

		if (p->raw || p->next_set)
			continue;
		*word = (*word & ~0xf0u) |
			(p->stop ? MD_BREAK : next_tag(as->out.list, start_of(as, i + 1), as->out.count)) << 4;
	}
}

/* --- Paragraphs that came before ------------------------------------------------- */

/* The end of the paragraph at p, which is its empty line. NULL: it is too long to be kept. */
static const char *paragraph(const char *p, const char *end)
{
	const char *stop = end - p > ISA_RECALL_TEXT ? p + ISA_RECALL_TEXT : end;

	while ((p = memchr(p, '\n', stop - p)) && ++p < stop)
		if (*p == '\n')
			return p;
	return NULL;
}

/* The paragraph at p is not known: it may be kept when it has been read. */
static void look_at(struct md_asm *as, const char *p, const char *stop)
{
	if (!isa_recall_again(&as->recall))
		return;
	as->pending.start = p;
	as->pending.end = stop;
	as->pending.line = as->line + 1;
	as->pending.count = as->count;
	as->pending.labels = as->labels.total;
	as->pending.jumps = as->jump_count;
	as->pending.messages = as->messages->count;
}

/* The label that the line of a branch names, L and a number. Its length; 0: there is none. */
static size_t find_target(const char *line, const char *stop, const char **at)
{
	const char *p = memchr(line, ' ', stop - line), *digits;

	if (!p || stop - p < 3 || p[1] != 'L')
		return 0;
	*at = p + 1;
	digits = p + 2;
	for (p = digits; p < stop && isa_is(*p, ISA_DIGIT); p++)
		;
	return p > digits && p < stop && (*p == ' ' || *p == '\n') ? p - *at : 0;
}

/* Labels hardly come twice: an empty line, which no paragraph has, stands for each that a branch names. */
static void make_key(struct key *key, const char *p, const char *stop)
{
	char *to = key->without;

	key->text = p;
	key->length = stop - p;
	key->targets = 0;
	for (const char *from = p; p < stop && key->targets < 2;) {
		const char *nl = memchr(p, '\n', stop - p), *end = nl ? nl + 1 : stop, *at;
		size_t n = end - p > 3 && p[0] == 'b' && p[1] == 'r' ? find_target(p, end, &at) : 0;

		p = end;
		if (!n)
			continue;
		key->target[key->targets].at = at;
		key->target[key->targets++].length = n;
		/* A target has two characters at least, so the key is no longer than the text. */
		memcpy(to, from, at - from);
		to += at - from;
		*to++ = '\n';
		*to++ = '\n';
		from = at + n;
		key->text = key->without;
		key->length = to - key->without + (stop - from);
		memcpy(to, from, stop - from);
	}
}

static void put_jump(struct md_asm *as, const struct known *k)
{
	struct jump *jump = more(as, (void **)&as->jumps, as->jump_count, &as->jump_room, sizeof(*jump));

	if (!jump)
		return;
	*jump = (struct jump){ as->count, k->bundle };
	as->jump_count++;
	for (int i = 0; i < 2; i++) {
		struct md_read_target *t = &jump->bundle.target[i];

		if (!t->name)
			continue;
		t->name = as->key->target[k->which[i]].at;
		t->length = as->key->target[k->which[i]].length;
		t->line += as->line + 1;
	}
}

/* Takes the paragraph at p as known. What is behind it; NULL: it is not known. */
static const char *read_known(struct md_asm *as, const char *p)
{
	const struct isa_known *known;
	const char *stop = p;
	const struct known *k;

	if (as->open)
		return NULL;
	k = as->recall.next ? isa_known_value(as->recall.next) : NULL;
	known = k && !k->targets ? isa_recall_expected(&as->recall, &stop, as->end) : NULL;
	if (!known) {
		if (*p == 'L' && as->end - p > 1 && isa_is(p[1], ISA_DIGIT))	/* a label comes once */
			return NULL;
		stop = paragraph(p, as->end);
		if (stop) {
			make_key(as->key, p, stop);
			known = isa_recall_find(&as->recall, as->key->text, as->key->length);
		}
	}
	if (!known) {
		if (stop)
			look_at(as, p, stop);
		return NULL;
	}
	k = isa_known_value(known);
	if (k->targets)
		put_jump(as, k);
	add_place(as, &(struct place){ .line = as->line + 1 + k->first, .next_set = k->next_set, .stop = k->stop }, k->words, k->count);
	as->line += k->lines;
	return stop + 1;
}

/* The branches of the pending paragraph, if it has any. False: their targets are not those its key is without. */
static bool keep_jump(const struct md_asm *as, struct known *k)
{
	const struct key *key = as->key;
	unsigned int found = 0;

	if (as->jump_count == as->pending.jumps)
		return !key->targets;
	k->bundle = as->jumps[as->jump_count - 1].bundle;
	for (int i = 0; i < 2; i++) {
		struct md_read_target *t = &k->bundle.target[i];

		if (!t->name)
			continue;
		k->targets++;
		for (unsigned int n = 0; n < key->targets; n++) {
			if (t->name == key->target[n].at && t->length == key->target[n].length) {
				k->which[i] = n;
				found++;
			}
		}
		t->line -= as->pending.line;
	}
	return as->jump_count == as->pending.jumps + 1 && k->targets == key->targets && found == key->targets;
}

/* The pending paragraph has been read: keep it when it is what struct known can say. */
static void keep_known(struct md_asm *as)
{
	const struct place *p = as->count ? &as->places[as->count - 1] : NULL;
	struct known k = { .lines = as->line + 1 - as->pending.line };

	as->pending.end = NULL;
	if (as->open || as->no_memory || as->count != as->pending.count + 1 || as->labels.total != as->pending.labels ||
	    !keep_jump(as, &k) || as->messages->count != as->pending.messages || p->raw ||
	    p->line - as->pending.line > UINT16_MAX)
		return;
	k.first = p->line - as->pending.line;
	k.next_set = p->next_set;
	k.stop = p->stop;
	k.count = as->out.count - p->start;
	memcpy(k.words, as->out.list + p->start, 4 * k.count);
	isa_recall_keep(&as->recall, as->key->text, as->key->length, &k,
			k.targets ? sizeof(k) : offsetof(struct known, words) + 4 * k.count);
}

static void read_text(struct md_asm *as, const char *text)
{
	const char *p = text;

	while (p < as->end && !as->no_memory) {
		const char *known = as->recall.memory && !as->pending.end ? read_known(as, p) : NULL, *nl;
		struct isa_cursor c;

		if (known) {
			p = known;
			continue;
		}
		nl = memchr(p, '\n', as->end - p);
		isa_cursor_begin(&c, p, nl ? nl : as->end);
		as->line++;
		as->line_start = p;
		if (!read_line(as, &c))
			report(as, &c);
		if (p == as->pending.end)
			keep_known(as);
		p = nl ? nl + 1 : as->end;
	}
	close_bundle(as);
}

static void free_asm(struct md_asm *as)
{
	if (as->open)
		free(as->bundle.raw.list);
	free(as->places);
	free(as->jumps);
	isa_labels_free(&as->labels);
	isa_recall_end(&as->recall);
}

int md_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words, size_t *count,
		struct isa_messages *messages)
{
	struct key key;
	struct md_asm as = { .isa = isa, .messages = messages, .end = text + length, .key = &key };
	int err = 0;

	isa_recall_begin(&as.recall, length);
	read_text(&as, text);
	if (!as.no_memory && !messages->errors)
		link_bundles(&as);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	free_asm(&as);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}

bool md_read_text(const struct isa *isa, const char *text, size_t length, struct md_read_bundle *bundle)
{
	struct isa_messages messages = { 0 };
	struct md_asm as = { .isa = isa, .messages = &messages, .end = text + length };
	bool ok = true;

	while (ok && text < as.end) {
		const char *nl = memchr(text, '\n', as.end - text);
		struct isa_cursor c = { .at = text, .end = nl ? nl : as.end };

		as.line_start = text;
		text = nl ? nl + 1 : as.end;
		if (c.at < c.end)
			ok = read_line(&as, &c);
	}
	ok &= as.open && !as.count && !as.no_memory && !as.bundle.raw.count;
	*bundle = as.bundle;
	bundle->raw = (struct isa_words){ 0 };
	free_asm(&as);
	isa_messages_free(&messages);
	return ok;
}
