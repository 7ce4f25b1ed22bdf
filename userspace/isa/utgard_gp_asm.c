// SPDX-License-Identifier: MIT
/*
 * Utgard GP: text to words. One instruction is a run of lines, one per unit;
 * a label or an empty line starts the next.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/emit.h"
#include "isa/recall.h"
#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_asm.h"
#include "isa/utgard_gp_text.h"

/* What a run of lines names, at most, to be recognised without its hash. */
#define KNOWN_RESULTS 24

/* What a run of lines was. */
struct known {
	struct isa_bits bits;
	struct claims claims;
	unsigned int lines;
	/* Of its key: literal characters behind the result before, those behind the last, and how many results; UINT8_MAX: not told. */
	uint8_t literals[KNOWN_RESULTS], tail, results;
	/* Of a branch's target: its length, how far before the end of the run it begins, and on which line; 0: none. */
	uint16_t target_length, target_before, target_line;
};

/* Its bits are final. */
static void put_out(struct gp_asm *as, size_t number)
{
	const struct insn *in = gp_insn(as, number);

	as->no_memory |= !isa_words_add(&as->out, in->bits.w, 4) || !isa_lines_add(as->messages, in->line, 4);
}

static void begin_insn(struct gp_asm *as, const struct isa_bits *bits)
{
	struct insn *in = gp_current(as);

	in->bits = *bits;
	in->claims = (struct claims){ 0 };
	in->line = as->line;
	in->content = in->named = false;
	as->open = true;
}

static bool open_insn(struct gp_asm *as)
{
	if (as->open)
		return true;
	/* The next one may still name what register unit 0 of this one loads. */
	if (as->count >= 2)
		put_out(as, as->count - 2);
	as->count++;
	begin_insn(as, &as->reset);
	return !as->no_memory;
}

static bool report(struct gp_asm *as, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	if (!isa_message(as->messages, &at, "%s", text))
		as->no_memory = true;
	return false;
}

/* Two units in one opcode field, or a unit used twice? */
static const char *conflict(const struct insn *before, struct insn *in, unsigned int unit)
{
	static const uint16_t uses[] = { [GP_A0] = 1, [GP_A1] = 2, [GP_M0] = 4, [GP_M1] = 8, [GP_P] = 16,
					 [GP_C] = 32, [GP_M01] = 12, [GP_BR] = 64 };
	unsigned int mul = gp_get(&before->bits, mul_op);

	if (in->claims.units & uses[unit])
		return "this unit is used already; a label or an empty line starts the next instruction";
	in->claims.units |= uses[unit];
	if (unit == GP_A0 || unit == GP_A1) {
		if (in->claims.acc_op && gp_get(&before->bits, acc_op) != gp_get(&in->bits, acc_op))
			return "both accumulators share one opcode, and the other one has a different one";
		in->claims.acc_op = true;
	}
	if (unit == GP_M1 && in->claims.mul_op)
		gp_put(&in->bits, mul_op, mul);	/* mul beside mul or complex2 */
	else if (unit == GP_M0)
		in->claims.mul_op = true;
	return NULL;
}

static bool add_fixup(struct gp_asm *as, unsigned int line, const char *start)
{
	struct fixup *f = as->fixups;

	if (as->fixup_count == as->fixup_room) {
		f = realloc(f, (as->fixup_room * 2 + 64) * sizeof(*f));
		if (!f)
			return as->no_memory = true, false;
		as->fixups = f;
		as->fixup_room = as->fixup_room * 2 + 64;
	}
	f[as->fixup_count++] = (struct fixup){ as->target, as->count - 1, line, as->target.at - start + 1 };
	return true;
}

static bool read_statement(struct gp_asm *as, struct isa_cursor *c, unsigned int line, const char *start)
{
	const char *at = c->at;
	struct isa_choice choice;
	const struct isa_op *op;
	struct insn before;

	if (!open_insn(as))
		return false;
	before = *gp_current(as);
	gp_current(as)->content = true;
	isa_choose(as->isa, c, &choice);
	while (c->at = at, (op = isa_next_choice(&choice, c))) {
		const char *wrong;

		as->target.length = 0;
		if (isa_read_op(as->isa, as, &gp_current(as)->bits, op, c)) {
			wrong = conflict(&before, gp_current(as), op->unit);
			if (wrong)
				return report(as, line, at - start + 1, wrong);
			return !as->target.length || add_fixup(as, line, start);
		}
		*gp_current(as) = before;
		gp_current(as)->content = true;
	}
	if (!c->fail)
		isa_unknown(c, at);
	return report(as, line, c->fail - start + 1, c->error);
}

static bool read_set(struct gp_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);
	unsigned int form;
	const struct isa_field *f = isa_find_field(as->isa, c->at, n, &form);
	int64_t v;

	if (!f)
		return isa_expect(c, "there is no field '%.*s'", n < 60 ? (int)n : 60, c->at);
	c->at += n;
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << f->width) - 1, &v) || !open_insn(as))
		return false;
	isa_put(&gp_current(as)->bits, f->lo, f->width, v);
	gp_current(as)->content = true;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "junk after the value");
}

static bool read_word(struct gp_asm *as, struct isa_cursor *c)
{
	uint32_t w[4];
	size_t n = 0;
	int64_t v;

	for (; !isa_at_end(c); isa_blanks(c)) {
		if (n == 4)
			return isa_expect(c, ".word takes at most four words, one instruction");
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[n++] = v;
	}
	if (!n)
		return isa_expect(c, "expected a word");
	if (as->open && gp_current(as)->content)
		as->open = false;
	if (n < 4) {
		as->no_memory |= !isa_words_add(&as->tail, w, n);
		return true;
	}
	if (!open_insn(as))
		return false;
	memcpy(gp_current(as)->bits.w, w, sizeof(w));
	as->open = false;
	return true;
}

/* "NAME:" at the cursor. */
static bool read_label(struct gp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	struct name name = gp_read_name(c);
	int err;

	if (!name.length || !isa_literal(c, ":")) {
		c->at = at;
		return false;
	}
	if (as->open && gp_current(as)->content)
		as->open = false;
	err = isa_label_add(&as->labels, &(struct isa_label){ name.at, name.length, as->count - as->open });
	if (err == -EEXIST)
		report(as, as->line, name.at - as->start + 1, "this label is there already");
	as->no_memory |= err == -ENOMEM;
	return true;
}

/* "NAME:" at the beginning of a line; false: nothing else is there. */
static bool read_labels(struct gp_asm *as, struct isa_cursor *c)
{
	bool any = false;

	isa_blanks(c);
	while (read_label(as, c)) {
		any = true;
		isa_blanks(c);
	}
	if (!isa_at_end(c))
		return true;
	/* A line with nothing but a comment is no empty line. */
	if (!any && c->at >= c->end && as->open && gp_current(as)->content)
		as->open = false;
	if (any)
		open_insn(as);
	return false;
}

static void read_line(struct gp_asm *as, struct isa_cursor *c, unsigned int line, const char *start)
{
	if (as->tail.count) {
		report(as, line, c->at - start + 1, "a .word with less than four words can only be the last");
		return;
	}
	for (;;) {
		bool ok = true;

		c->fail = NULL;
		if (isa_literal_word(c, ".word"))
			isa_blanks(c), ok = read_word(as, c);
		else if (isa_literal(c, "set "))
			isa_blanks(c), ok = read_set(as, c);
		else if (c->end - c->at >= 3 && !memcmp(c->at, "nop", 3) &&
			 (c->end - c->at == 3 || strchr(" \t\r,#/", c->at[3]))) {
			c->at += 3;
			isa_blanks(c);
			if (open_insn(as))
				gp_current(as)->content = true;
		} else if (isa_literal(c, "unknown_1 ")) {
			c->at -= strlen("unknown_1 ");
			ok = read_set(as, c);
		} else if (!read_statement(as, c, line, start)) {
			return;
		}
		if (!ok) {
			report(as, line, (c->fail ? c->fail : c->at) - start + 1, c->error);
			return;
		}
		if (c->at >= c->end || *c->at != ',')
			return;
		c->at++;
		isa_blanks(c);
	}
}

/* Copies up to a '^' or the end of a line, at most n characters. */
static inline size_t copy_plain(char *to, const char *from, size_t n)
{
	const uint64_t ones = 0x0101010101010101ull, high = ones << 7;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t w, caret, line, found;

		memcpy(&w, from + i, 8);
		memcpy(to + i, &w, 8);
		w = le64toh(w);
		caret = w ^ ones * '^';
		line = w ^ ones * '\n';
		found = ((caret - ones) & ~caret & high) | ((line - ones) & ~line & high);
		if (found)
			return i + __builtin_ctzll(found) / 8;
	}
	for (; i < n && from[i] != '^' && from[i] != '\n'; i++)
		to[i] = from[i];
	return i;
}

/* A number as it is usually written, behind it nothing of a name. NULL: something else is there. */
static const char *key_number(const char *p, const char *end, int64_t *n)
{
	const char *first = p;

	for (*n = 0; p < end && isa_is(*p, ISA_DIGIT) && *n < 1 << 30; p++)
		*n = *n * 10 + (*p - '0');
	if (p == first || (*first == '0' && p > first + 1) || (p < end && isa_is(*p, ISA_NAME)))
		return NULL;
	return p;
}

/* The same, of a number at most 100 below the counter, by the text of its hundreds. */
static const char *key_counted(const struct isa_counter *c, const char *p, const char *end, int64_t *n)
{
	const struct isa_prefix *prefix = &c->prefix;
	uint64_t text, want, before;

	if (c->hundreds < 2 || c->hundreds > 99999 || end - p < 16)
		return NULL;
	memcpy(&text, p, 8);
	memcpy(&want, c->prefix.text, 8);
	memcpy(&before, c->before.text, 8);
	if (le64toh(text ^ want) << (64 - 8 * c->prefix.length))
		prefix = &c->before;
	if (prefix == &c->before && le64toh(text ^ before) << (64 - 8 * c->before.length))
		return NULL;
	p += prefix->length + 2;
	if (!isa_is(p[-2], ISA_DIGIT) || !isa_is(p[-1], ISA_DIGIT) || isa_is(*p, ISA_NAME))
		return NULL;
	*n = (c->hundreds - (prefix == &c->before)) * 100 + (p[-2] - '0') * 10 + (p[-1] - '0');
	return p;
}

/*
 * The text of an instruction as a key: this line and those behind it that begin with a blank. Results by
 * Mesa's numbers are told from this instruction's first. False: the text depends on more than that.
 */
static bool make_key(struct gp_asm *as, const char *p, const char *end, size_t number)
{
	int64_t first = (int64_t)number * GP_RESULTS - 2 * GP_RESULTS, n;
	struct run *run = &as->run;
	char *to = run->key, *last = to + ISA_RECALL_TEXT;
	const char *number_end;

	isa_counter_set(&as->results, number * GP_RESULTS + GP_RESULTS - 1);
	while (p < end && to < last) {
		size_t plain = copy_plain(to, p, end - p < last - to ? end - p : last - to);

		to += plain;
		p += plain;
		if (p == end || to >= last)
			break;
		*to++ = *p++;
		if (p[-1] == '\n') {
			if (p < end && !isa_is(*p, ISA_BLANK))
				break;
			continue;
		}
		number_end = key_counted(&as->results, p, end, &n);
		p = number_end ? number_end : key_number(p, end, &n);
		if (!p || n < first || n >= first + 3 * GP_RESULTS)
			return false;
		*to++ = 'A' + (n - first);
	}
	if (to >= last)
		return false;
	run->end = p;
	run->length = to - run->key;
	return true;
}

/* May an instruction that was known stand here, as the one of that number? */
static bool may_recall(const struct gp_asm *as, size_t number)
{
	return as->recall.memory && !as->tail.count && (!as->odd || number >= as->odd + NAME_REACH);
}

/* end: of its text. */
static void put_known(struct gp_asm *as, const struct known *known, const char *end)
{
	if (!open_insn(as))
		return;
	gp_current(as)->bits = known->bits;
	gp_current(as)->claims = known->claims;
	gp_current(as)->content = true;
	if (known->target_length) {
		const char *start;

		as->target = (struct name){ end - known->target_before, known->target_length, 0 };
		for (start = as->target.at; start > as->start && start[-1] != '\n'; start--)
			;
		add_fixup(as, as->line + known->target_line, start);
	}
	as->line += known->lines;
}

/* Takes the instruction at the cursor if it is known, and moves behind it; else notes what to keep. */
static bool recall(struct gp_asm *as, struct isa_cursor *c, const char *end)
{
	size_t number = as->count - as->open;
	const struct isa_known *known;

	if ((as->open && gp_current(as)->content) || !may_recall(as, number) || !make_key(as, c->at, end, number))
		return false;
	known = isa_recall_find(&as->recall, as->run.key, as->run.length);
	if (known) {
		put_known(as, isa_known_value(known), as->run.end);
		c->at = as->run.end;
		as->run.end = NULL;
		return true;
	}
	if (!isa_recall_again(&as->recall))
		as->run.end = NULL;
	as->run.count = number;
	as->run.fixups = as->fixup_count;
	as->run.labels = as->labels.total;
	as->run.messages = as->messages->count;
	as->run.line = as->line;
	return false;
}

/* Where the results are in a key, whose letters behind '^' they are. */
static void find_results(const char *key, size_t length, struct known *known)
{
	unsigned int n = 0;
	size_t from = 0;

	known->results = UINT8_MAX;
	if (!length || key[length - 1] != '\n')
		return;
	for (size_t i = 0; i < length; i++) {
		if (key[i] != '^')
			continue;
		if (n == KNOWN_RESULTS || i + 1 - from > UINT8_MAX)
			return;
		known->literals[n++] = ++i - from;
		from = i + 1;
	}
	known->tail = length - from;
	if (length - from <= UINT8_MAX)
		known->results = n;
}

/* Behind the lines of a run: they are kept if they are one instruction, alone and anywhere. */
static void remember(struct gp_asm *as)
{
	const struct run *run = &as->run;
	const char *end = run->end;
	struct known known;

	as->run.end = NULL;
	if (!as->open || as->count != run->count + 1 || as->fixup_count > run->fixups + 1 ||
	    as->labels.total != run->labels || as->messages->count != run->messages || as->tail.count ||
	    as->odd > run->count)
		return;
	memset(&known, 0, sizeof(known));
	known.bits = gp_current(as)->bits;
	known.claims = gp_current(as)->claims;
	known.lines = as->line - run->line;
	if (as->fixup_count > run->fixups) {
		const struct fixup *f = &as->fixups[run->fixups];

		/* A result behind it may be longer the next time. */
		if (memchr(f->name.at, '^', end - f->name.at))
			return;
		known.target_length = f->name.length;
		known.target_before = end - f->name.at;
		known.target_line = f->line - run->line;
	}
	find_results(run->key, run->length, &known);
	isa_recall_keep(&as->recall, run->key, run->length, &known, sizeof(known));
}

/* Are n characters, at least one, the same? Eight from each are there. */
static inline bool same_text(const char *a, const char *b, size_t n)
{
	uint64_t v, w;

	for (; n > 8; n -= 8, a += 8, b += 8) {
		memcpy(&v, a, 8);
		memcpy(&w, b, 8);
		if (v != w)
			return false;
	}
	memcpy(&v, a, 8);
	memcpy(&w, b, 8);
	return !(le64toh(v ^ w) << (64 - 8 * n));
}

/* Behind the text at p if it is the key's with results counted from this instruction; NULL: it is not. */
static const char *same_run(const struct isa_counter *c, const struct isa_known *k, const char *p)
{
	const struct known *known = isa_known_value(k);
	const char *key = k->text;

	for (unsigned int i = 0; i < known->results; i++) {
		const struct isa_prefix *prefix = &c->prefix;
		int rest;

		if (!same_text(p, key, known->literals[i]))
			return NULL;
		p += known->literals[i];
		key += known->literals[i];
		rest = (int)c->rest + *key++ - 'A' - (3 * GP_RESULTS - 1);
		if (rest < 0) {
			rest += 100;
			prefix = &c->before;
		}
		if (!same_text(p, prefix->text, prefix->length) || memcmp(p + prefix->length, isa_pairs + 2 * rest, 2))
			return NULL;
		p += prefix->length + 2;
	}
	return same_text(p, key, known->tail) ? p + known->tail : NULL;
}

/* The instruction at p, if a number as its label is there and then what is expected. What is behind it; NULL. */
static const char *read_expected(struct gp_asm *as, const char *p, const char *end)
{
	const struct isa_known *k = as->recall.next;
	const struct known *known = isa_known_value(k);
	size_t number = as->count - (as->open && !gp_current(as)->content);
	const char *name = p;
	uint64_t value = 0;
	size_t length;
	int err;

	isa_counter_set(&as->results, number * GP_RESULTS + GP_RESULTS - 1);
	if (known->results == UINT8_MAX || as->results.hundreds < 2 || as->results.hundreds > 99999 || !may_recall(as, number) ||
	    (size_t)(end - p) < k->length + 8u * known->results + 32)
		return NULL;
	for (; p < end && isa_is(*p, ISA_DIGIT); p++)
		value = value * 10 + (*p - '0');
	length = p - name;
	if (!length || *p++ != ':')
		return NULL;
	while (p < end && isa_is(*p, ISA_BLANK))
		p++;
	if ((size_t)(end - p) < k->length + 8u * known->results + 8)
		return NULL;
	p = same_run(&as->results, k, p);
	if (!p || isa_is(*p, ISA_BLANK))
		return NULL;
	as->open &= !gp_current(as)->content;
	err = isa_label_add_number(&as->labels, &(struct isa_label){ name, length, number }, value);
	if (err == -EEXIST)
		report(as, as->line, 1, "this label is there already");
	as->no_memory |= err == -ENOMEM;
	isa_recall_take(&as->recall);
	put_known(as, known, p);
	return p;
}

static void read_text(struct gp_asm *as, const char *p, const char *end)
{
	struct isa_cursor c;

	while (p < end && !as->no_memory) {
		const char *next = NULL, *nl;

		as->start = p;
		if (p == as->run.end)
			remember(as);
		if (as->recall.next && as->count && isa_is(*p, ISA_DIGIT))
			next = read_expected(as, p, end);
		if (next) {
			p = next;
			continue;
		}
		nl = memchr(p, '\n', end - p);
		isa_cursor_begin(&c, p, nl ? nl : end);
		if (read_labels(as, &c)) {
			if (recall(as, &c, end)) {
				p = c.at;
				continue;
			}
			read_line(as, &c, as->line, p);
		}
		as->line++;
		p = nl ? nl + 1 : end;
	}
}

static void resolve(struct gp_asm *as)
{
	for (size_t i = 0; i < as->fixup_count && !as->no_memory; i++) {
		struct fixup *f = &as->fixups[i];
		struct isa_cursor number = { .at = f->name.at, .end = f->name.at + f->name.length };
		struct isa_bits *b = (struct isa_bits *)(as->out.list + f->index * 4);
		int64_t target = isa_label_find(&as->labels, f->name.at, f->name.length);

		if (target < 0 && (!isa_number(&number, 0, 511, &target) || number.at != number.end))
			report(as, f->line, f->column, "there is no such label");
		else if (target > 511)
			report(as, f->line, f->column, "the target is past instruction 511");
		gp_put(b, branch_target, target & 0xff);
		gp_put(b, branch_target_lo, target < 256);
	}
}

int gp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages)
{
	struct gp_asm as = { .isa = isa, .messages = messages, .line = 1 };
	int err = 0;

	isa_reset(isa, 0, &as.reset);
	isa_recall_begin(&as.recall, length);
	read_text(&as, text, text + length);
	if (as.count >= 2)
		put_out(&as, as.count - 2);
	/* A label at the very end names the place behind the last instruction. */
	if (as.count && !(as.open && !gp_current(&as)->content))
		put_out(&as, as.count - 1);
	resolve(&as);
	as.no_memory |= as.tail.count && !isa_words_add(&as.out, as.tail.list, as.tail.count);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	isa_labels_free(&as.labels);
	isa_recall_end(&as.recall);
	free(as.fixups);
	free(as.tail.list);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}
