/* SPDX-License-Identifier: MIT */
/*
 * The shape of an instruction set's table, and the engine that walks it.
 *
 * An instruction is one or more blocks of bits. Each block has forms: ways to
 * cut it into fields that cover every bit once. A row of the table is an op:
 * the unit it belongs to, the values that some bit ranges must have, and its
 * text as a pattern. Encode, decode, check and documentation walk these rows.
 *
 * A pattern is literal text, ' ' for one or more blanks, and '%' with a letter
 * for an operand. What a letter stands for is declared once, in operands[]; the
 * engine reads and writes it from there.
 *
 * A set is made of:
 *
 *	NAME.h		NAME_FIELDS(X), an X(name, lo, width, reset, note) for each field: the
 *			only place that knows where bits are. From it come isa_field[], the enum
 *			of places, NAME_get() and NAME_put().
 *	NAME_ops.inc	one OP(id, ...) for each op, ROW(id, ...) for further encodings of the
 *			same op. Whoever needs something of all ops defines the two macros and
 *			includes the file: isa_op[] and enum NAME_op (OP alone) in isa/, the
 *			table of functions in sim/, tests.
 *	operands[]	one isa_operand for each letter (and form or unit, where its place differs).
 *
 * What a text does not say is at its reset value. The disassembler assembles
 * its own output and adds "set FIELD VALUE" for each field that came out
 * differently: that is why any word survives the way to text and back.
 */
#ifndef LIMN_ISA_TABLE_H
#define LIMN_ISA_TABLE_H

#include <string.h>

#include "isa/isa.h"

#define ISA_BLOCK_WORDS 4
#define ISA_MAX_BLOCKS 14
#define ISA_MAX_SETS 8
#define ISA_MAX_WORDS 32

struct isa_bits {
	uint32_t w[ISA_BLOCK_WORDS];
};

/* The low bits of v, 1 to 64 of them; the same as a number in two's complement. */
static inline uint64_t isa_low(uint64_t v, unsigned int bits)
{
	return v & ~0ull >> (64 - bits);
}

static inline int64_t isa_signed(uint64_t v, unsigned int bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* Bits lo to lo + width - 1 of words; width is at most 32. */
static inline uint32_t isa_get_words(const uint32_t *words, unsigned int lo, unsigned int width)
{
	unsigned int w = lo / 32, shift = lo % 32;
	uint64_t v = words[w];

	if (shift + width > 32)
		v |= (uint64_t)words[w + 1] << 32;
	return v >> shift & ((1ull << width) - 1);
}

static inline void isa_put_words(uint32_t *words, unsigned int lo, unsigned int width, uint32_t value)
{
	unsigned int w = lo / 32, shift = lo % 32;
	uint64_t mask = ((1ull << width) - 1) << shift;
	uint64_t v = (uint64_t)value << shift & mask;

	words[w] = (words[w] & ~(uint32_t)mask) | (uint32_t)v;
	if (shift + width > 32)
		words[w + 1] = (words[w + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(v >> 32);
}

/* As many bits as width says. */
static inline void isa_copy_words(uint32_t *to, unsigned int to_lo, const uint32_t *from, unsigned int from_lo, unsigned int width)
{
	for (unsigned int i = 0, n; i < width; i += n) {
		n = width - i < 32 ? width - i : 32;
		isa_put_words(to, to_lo + i, n, isa_get_words(from, from_lo + i, n));
	}
}

static inline uint32_t isa_get(const struct isa_bits *bits, unsigned int lo, unsigned int width)
{
	return isa_get_words(bits->w, lo, width);
}

static inline void isa_put(struct isa_bits *bits, unsigned int lo, unsigned int width, uint32_t value)
{
	isa_put_words(bits->w, lo, width, value);
}

struct isa_field {
	const char *name;
	uint8_t lo, width;	/* at most 32 bits */
	uint32_t reset;		/* when the text does not mention it */
	const char *note;	/* meaning and source */
};

struct isa_form {
	const char *name;	/* fields are called FORM.FIELD in text; "" for FIELD alone */
	uint8_t block;
	const struct isa_field *fields;
	unsigned int count;
};

struct isa_match {
	uint8_t lo, width;	/* width 0: none */
	uint32_t value;
};

#define ISA_UNNAMED	""

/* Of a row in a macro's argument: MATCH({ lo, width, value }, ...). */
#define MATCH(...) { __VA_ARGS__ }

struct isa_op {
	uint8_t unit, form;
	struct isa_match match[3];	/* bits that this row demands */
	const char *pattern;
	const char *note;	/* meaning, and behind " // " the source, where it is not the set's */
	const char *why;	/* NULL: sim executes it. Why not; ISA_UNNAMED: nobody has named this code */
	uint16_t id;		/* enum NAME_op: rows that share an id share their semantics */
	uint32_t props;		/* the set's own columns, as bits of its enum NAME_prop */
};

static inline bool isa_has_semantics(const struct isa_op *op)
{
	return !op->why;
}

/* Of an op without semantics: the reason, as messages tell it. */
static inline const char *isa_no_semantics(const struct isa_op *op)
{
	return *op->why ? op->why : "nobody has named this code";
}

static inline bool isa_is_named(const struct isa_op *op)
{
	return !op->why || *op->why;
}

/* Rows that leave the last columns away. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Where a text is being read. */
struct isa_cursor {
	const char *at, *end;
	const char *fail;	/* farthest place of an error in this statement */
	bool quiet;		/* errors are not put down: another row may still be meant */
	bool weak;		/* another error at the same place is the better one */
	char error[400];
};

struct isa_text {
	char *data;
	size_t length, room;
	bool failed;		/* out of memory */
};

/* One instruction (or block) with its row, as operands are read and written. */
struct isa_insn {
	const struct isa *isa;
	const struct isa_op *op;
	struct isa_bits *bits;
	void *ctx;		/* struct isa_program; of sets with read_line their own */
};

enum isa_kind {
	/* The set's own functions; at[], names and arg are theirs to use. */
	ISA_CUSTOM,
	/*
	 * A name for each value. "": this value has no text. NULL: the text is prefix and the
	 * value in decimal, or, without a prefix, the value cannot be written. The longest name that is there is
	 * read; one that ends in a letter, digit or '_' ends there in the text too.
	 */
	ISA_NAMES,
	ISA_UINT,		/* prefix and a number */
	/*
	 * program.c, letter T: a branch's target, as a label. at[] has the instruction's number, its bits that arg
	 * has inverted; ISA_DISTANCE: words from the branch's own. list: where the target's length goes.
	 */
	ISA_TARGET, ISA_DISTANCE,
	/*
	 * Modifiers: the operands of list, written in its order and read in any, each at most once; prefix: between them.
	 * One that the text does not mention is read from an empty text.
	 */
	ISA_ANY_ORDER,
	/*
	 * One of rows, whose patterns are of the operands in list, then of the set's. The first one whose bits are as it
	 * demands is written; the one that takes the most text is read. ' ' may be no blank there.
	 */
	ISA_ROWS,
	/*
	 * Four components, each a letter of prefix, behind a '.', or one for all; a second place says that they are of the
	 * letters behind the first four. No text: as they are; optional: and written so.
	 */
	ISA_SWIZZLE,
};

/* Of ISA_ROWS; the one without pattern ends. */
struct isa_operand_row {
	struct isa_match match[3];
	const char *pattern;
};

/* Bits of an operand. */
struct isa_place {
	uint8_t lo, width;
};

#define ISA_PLACES 5

struct isa_operand {
	char letter;		/* of the pattern: %letter */
	uint8_t kind;		/* enum isa_kind */
	bool optional;		/* numbers: 0 has no text, not even prefix */
	uint32_t forms, units;	/* bit n: of form n's, of unit n's rows; 0: of all */
	struct isa_place at[ISA_PLACES];	/* the low bits first; width 0 ends */
	const char *prefix;	/* NULL: none */
	const char *const *names;	/* as many as the places have values */
	const char *what;	/* in the message: "expected WHAT" */
	/* CUSTOM: both are there. read: false with isa_expect() called. */
	bool (*read)(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *cursor);
	void (*write)(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text);
	int arg;		/* CUSTOM: what it likes; NAMES: 1: the word may go on behind the name; TARGET: see there */
	const struct isa_operand *list;	/* ANY_ORDER, ROWS: its parts; the first without letter ends. TARGET: see there */
	const struct isa_operand_row *rows;
};

/* Lists of an operand's declaration, which end themselves. */
#define ISA_PARTS(...)	.list = (const struct isa_operand[]){ __VA_ARGS__, { 0 } }
#define ISA_ONE_OF(...)	.rows = (const struct isa_operand_row[]){ __VA_ARGS__, { { { 0 } }, NULL } }

extern const char *const isa_component[4];	/* ".x" to ".w" */

/* Bits of the operand's place i alone. */
static inline uint32_t isa_get_at(const struct isa_operand *o, const struct isa_bits *bits, unsigned int i)
{
	return isa_get(bits, o->at[i].lo, o->at[i].width);
}

static inline void isa_put_at(const struct isa_operand *o, struct isa_bits *bits, unsigned int i, uint32_t value)
{
	isa_put(bits, o->at[i].lo, o->at[i].width, value);
}

/* The declaration for that letter of the op's pattern. NULL: there is none. */
const struct isa_operand *isa_operand_of(const struct isa *isa, const struct isa_op *op, char letter);
/* Its bits, the first place's lowest. */
uint32_t isa_operand_get(const struct isa_operand *o, const struct isa_bits *bits);
void isa_operand_put(const struct isa_operand *o, struct isa_bits *bits, uint32_t value);
/* The same of words, in which the operand's block begins at that bit. */
void isa_operand_put_words(const struct isa_operand *o, uint32_t *words, unsigned int bit, uint32_t value);
unsigned int isa_operand_width(const struct isa_operand *o);
/* From and to text, by its kind; also for CUSTOM operands that are made of others. */
bool isa_operand_read(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *cursor);
void isa_operand_write(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text);

enum isa_number { ISA_UTGARD_GP, ISA_UTGARD_PP, ISA_VIVANTE, ISA_MIDGARD, ISA_BIFROST };

/* How program.c lays out instructions of sets without read_line. */
enum isa_style {
	ISA_LINES,	/* one op, which is a line; branches' targets have labels */
	ISA_FIELDS,	/* ops are fields of a line, with commas between them; one at its end goes on in the next line */
	ISA_GAPS,	/* ops are lines; a label or an empty line ends the instruction */
};

struct isa_packet;
struct isa_program;
struct isa_checker;

struct isa {
	enum isa_number number;		/* as limn_isa_at() counts */
	const char *name;
	const struct isa_form *forms;
	unsigned int form_count;
	const struct isa_op *ops;
	unsigned int op_count;
	const struct isa_operand *operands;
	unsigned int operand_count;
	const char *const *units;	/* names of units, for the documentation */
	const char *source;		/* of the rows that do not name another */
	/* NULL: the first row whose match is there. */
	const struct isa_op *(*match)(const struct isa *isa, unsigned int unit, const struct isa_bits *block);
	enum isa_style style;
	unsigned int line_words;	/* of an instruction; 0: they have lengths. Zero words behind them are padding then */
	const uint8_t *block_bits;	/* of each block; 0 ends */
	/* Of the whole instruction there, 0: there is none. What the first word says. */
	size_t (*length)(const uint32_t *words, size_t left);
	unsigned int (*length_of)(uint32_t word);
	void (*split)(const uint32_t *words, struct isa_packet *packet);
	/* All ops are there: what goes without saying. */
	void (*complete)(struct isa_packet *packet);
	/* Bits in the first word of an instruction before one that begins with this word. */
	uint32_t (*followed_by)(uint32_t word);
	/* The n-th op, in the order of text; NULL: isa_match_op() of unit 0. */
	const struct isa_op *(*op_at)(const struct isa_packet *packet, unsigned int n, bool *end);
	/* May the op, which made bits of its block, stand in the open instruction? NULL: each unit once. */
	bool (*admit)(struct isa_program *p, const struct isa_op *op, struct isa_bits *bits, struct isa_cursor *c);
	const size_t *own_size;		/* of what the set itself keeps of a text that is read, isa_program.own; NULL: 0 */
	bool twice;			/* texts are read twice: the second time all labels are known */
	/* NULL: program.c's. One line, false: the cursor has the error; the end of the text, which frees what own has. */
	bool (*read_line)(struct isa_program *p, struct isa_cursor *c);
	void (*finish)(struct isa_program *p);
	/* NULL: program.c's. Sets text->failed when out of memory. */
	void (*disassemble)(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);
	/* NULL: isa_write_form() has it from the pattern. */
	void (*write_form)(const struct isa_op *op, struct isa_text *text);
	void (*check)(struct isa_checker *c);
};

/* Members of struct isa, each a list of that name in the set's file, and how long it is. */
#define ISA_LIST(name)	.name##s = name##s, .name##_count = sizeof(name##s) / sizeof(name##s[0])
#define ISA_LISTS	ISA_LIST(form), ISA_LIST(op), ISA_LIST(operand), .units = units

extern const struct isa isa_utgard_gp, isa_utgard_pp, isa_vivante, isa_midgard, isa_bifrost;

/* The row that describes this unit of this block, NULL when no row matches. */
const struct isa_op *isa_match_op(const struct isa *isa, unsigned int unit, const struct isa_bits *block);
void isa_reset(const struct isa *isa, unsigned int form, struct isa_bits *bits);

/* Writes a row's text with letters for its operands, as pages and messages show it. */
void isa_write_form(const struct isa *isa, const struct isa_op *op, struct isa_text *text);

/* Writes the op's pattern with its operands. */
void isa_write_op(const struct isa *isa, void *ctx, const struct isa_bits *block,
		  const struct isa_op *op, struct isa_text *text);

/*
 * Reads the op's pattern at the cursor, up to an end of statement; puts its
 * match values and operands into block. False: the cursor has the error.
 */
bool isa_read_op(const struct isa *isa, void *ctx, struct isa_bits *block,
		 const struct isa_op *op, struct isa_cursor *cursor);

/* For tests that note which rows they use: called for each row that was read. NULL. */
extern void (*isa_row_hook)(const struct isa *isa, const struct isa_op *op);

/*
 * The next row, in their order, that the text at the cursor may be; op is the last one, or NULL: the first. NULL:
 * no more. The rows come twice when none is taken: first quietly, then for the message.
 */
const struct isa_op *isa_next_choice(const struct isa *isa, const struct isa_op *op, struct isa_cursor *cursor);

/* Behind "set ": "FORM.FIELD" or "FIELD", NULL when there is none; and its value, to the end of the statement. */
const struct isa_field *isa_read_field(const struct isa *isa, struct isa_cursor *cursor, unsigned int *form);
bool isa_read_set(struct isa_cursor *cursor, const struct isa_field *field, struct isa_bits *bits);

/*
 * The op's fields called unknown_* that are not at their reset value, nor demanded by the row: one by one, from
 * *i on, which begins at 0. NULL: no more.
 */
const struct isa_field *isa_odd_field(const struct isa *isa, const struct isa_op *op, const struct isa_bits *bits,
				      unsigned int *i);

/* Text out. */
void isa_puts(struct isa_text *text, const char *s);
void isa_putc(struct isa_text *text, char c);
/* ".word" and the words, for what has no text of its own. */
void isa_line_words(const uint32_t *words, size_t count, struct isa_text *text);
void isa_printf(struct isa_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void isa_append(struct isa_text *text, const char *from, size_t n);
char *isa_text_finish(struct isa_text *text);
/* For each field of form that differs: prefix, "set NAME VALUE", suffix. */
void isa_write_sets(const struct isa *isa, unsigned int form, const struct isa_bits *want,
		    const struct isa_bits *have, const char *prefix, const char *suffix,
		    struct isa_text *text);

/* Text in. Classes of characters. */
enum isa_class {
	ISA_NAME = 1,	/* of a result or label: letters, digits, '_' and '-' */
	ISA_BLANK = 2,
	ISA_DIGIT = 4,
	ISA_WORD = 8,	/* letters, digits, '_' and '.' */
	ISA_STOP = 16,	/* behind an instruction's first word */
};

extern const uint8_t isa_classes[256];

static inline bool isa_is(char c, unsigned int classes)
{
	return isa_classes[(unsigned char)c] & classes;
}

/* Letters, digits and '_'. */
static inline bool isa_in_name(char c)
{
	return isa_is(c, ISA_WORD) && c != '.';
}

static inline void isa_blanks(struct isa_cursor *cursor)
{
	while (cursor->at < cursor->end && isa_is(*cursor->at, ISA_BLANK))
		cursor->at++;
}

/* Of the statement: comma, comment, line. */
static inline bool isa_at_end(const struct isa_cursor *cursor)
{
	if (cursor->at >= cursor->end || *cursor->at == '\n' || *cursor->at == ',' || *cursor->at == '#')
		return true;
	return *cursor->at == '/' && cursor->end - cursor->at >= 2 && cursor->at[1] == '/';
}

static inline bool isa_literal(struct isa_cursor *cursor, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(cursor->end - cursor->at) < n || memcmp(cursor->at, text, n))
		return false;
	cursor->at += n;
	return true;
}

/* Takes the letter at the cursor if it is one of the first count of these: n of them is before it. */
static inline bool isa_letter(struct isa_cursor *cursor, const char *letters, unsigned int count, unsigned int *n)
{
	const char *p = cursor->at < cursor->end ? memchr(letters, *cursor->at, count) : NULL;

	if (p)
		*n = p - letters;
	cursor->at += !!p;
	return p;
}

/* The same, of a whole word: behind it a blank, or the statement's end. */
static inline bool isa_literal_word(struct isa_cursor *cursor, const char *text)
{
	const char *at = cursor->at;

	if (isa_literal(cursor, text) && (isa_at_end(cursor) || isa_is(*cursor->at, ISA_BLANK)))
		return true;
	cursor->at = at;
	return false;
}

/* Decimal or 0x, with or without '-'; lo to hi. */
bool isa_number(struct isa_cursor *cursor, int64_t lo, int64_t hi, int64_t *value);
/* How many characters of these classes are at the cursor. */
size_t isa_span(const struct isa_cursor *cursor, unsigned int classes);
#define isa_word_length(cursor) isa_span(cursor, ISA_WORD)
/* Notes what was expected where the cursor stands; returns false. */
bool isa_expect(struct isa_cursor *cursor, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same at another place of the text. */
#define isa_expect_at(cursor, place, ...)	((cursor)->at = (place), isa_expect(cursor, __VA_ARGS__))

/* The same for a name that no row has: from word to the next blank. */
bool isa_unknown(struct isa_cursor *cursor, const char *word);

/* Words that may stand at a place, each behind a blank; what has no room is left out. */
struct isa_choices {
	char text[320];
};

void isa_choice(struct isa_choices *list, const char *prefix, const char *word);
/* The message ends in "; there are:" and the choices, if there are any. */
bool isa_unknown_modifier(struct isa_cursor *cursor, const char *word, size_t length, const struct isa_choices *list);

/* Messages. False when out of memory. */
bool isa_message(struct isa_messages *messages, const struct isa_message *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What the rules of a set go over. */
struct isa_checker {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	const struct isa_declared *declared;
	struct isa_messages *messages;
	bool no_memory;
};

/* What a rule finds. c: has messages and no_memory; at, other: word offsets. */
#define isa_finding(c, severity_, rule_, at_, other_, ...) \
	((c)->no_memory |= !isa_message((c)->messages, &(struct isa_message){ \
		.severity = severity_, .rule = rule_, .at = at_, .other = other_ }, __VA_ARGS__))

/*
 * Room for more entries of that size behind the count of a list, to which list points. It is had in powers of two, so
 * that the count says how much there is. False: out of memory.
 */
bool isa_room(void *list, size_t count, size_t more, size_t size);

/* How many words are left of these without the zero ones at their end. */
size_t isa_without_zeros(const uint32_t *words, size_t count);

#endif
