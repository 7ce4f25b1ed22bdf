// SPDX-License-Identifier: MIT
/* Utgard PP: words to text, one instruction to a line. */
#include <stdlib.h>
#include <string.h>

#include "isa/memo.h"
#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

/* The longest instruction: thirteen blocks, with a "set" for every field. */
#define INSTRUCTION_TEXT	(16u << 10)

struct program {
	const struct isa *isa;
	const struct isa_plan *plans;
	struct pp_writer writer;
	struct isa_bits reset[PP_FORMS];
	const uint32_t *words;
	size_t count;
	uint8_t *starts;		/* bit by word, made for the first branch */
	uint8_t sizes[1 << 12];		/* pp_size() by the control word's fields */
	bool no_memory;
};

/* Is there an instruction here that has the length its fields need? */
static bool whole(const struct program *p, size_t at)
{
	uint32_t ctrl = p->words[at];

	return PP_COUNT(ctrl) == p->sizes[ctrl >> 7 & 0xfff] && PP_COUNT(ctrl) <= p->count - at;
}

static size_t length_at(const struct program *p, size_t at)
{
	return whole(p, at) ? PP_COUNT(p->words[at]) : 1;
}

/* Stated length of what begins at that offset, 0: nothing does. */
static unsigned int size_at(struct program *p, int64_t offset)
{
	if (offset < 0 || offset >= (int64_t)p->count)
		return 0;
	if (!p->starts) {
		p->starts = calloc(p->count / 8 + 1, 1);
		if (!p->starts) {
			p->no_memory = true;
			return 0;
		}
		for (size_t i = 0; i < p->count; i += length_at(p, i))
			p->starts[i / 8] |= 1 << i % 8;
	}
	return p->starts[offset / 8] >> offset % 8 & 1 ? PP_COUNT(p->words[offset]) : 0;
}

static char *separate(const char *start, char *to)
{
	return to > start ? isa_emit(to, ", ") : to;
}

/* A block, and "set" for what its text does not tell. */
static char *write_block(struct program *p, unsigned int unit, const struct isa_bits *block, size_t at, char *to)
{
	const struct isa_op *op = isa_match_op(p->isa, unit, block);
	const struct isa_plan *plan = &p->plans[op - p->isa->ops];
	struct isa_tell *tell = &p->writer.tell;

	tell->told = plan->told;
	tell->said = p->reset[op->form];
	/* The assembler sees how long a branch's target is. */
	if (op->form == PP_F_BRANCH)
		isa_put(&tell->said, 68, 5, size_at(p, (int64_t)at + pp_target(block)));
	for (unsigned int i = 0; i < plan->count; i++) {
		to = isa_emit_literal(to, &plan->pieces[i]);
		if (plan->pieces[i].letter)
			to = pp_write(&p->writer, block, op, plan->pieces[i].letter, to);
	}
	if (!isa_all_told(block, tell))
		to = isa_emit_sets(p->isa, op->form, block, tell, ", ", "", to);
	return to;
}

/* next: what the control word says of the instruction behind. */
static char *write_instruction(struct program *p, size_t at, uint32_t next, char *to)
{
	const uint32_t *words = p->words + at;
	struct isa_bits block[PP_BLOCKS];
	uint32_t padding = pp_split(words, block);
	struct isa_tell made = { { { 0 } }, { { (words[0] & 0x7ffff) | next } } };
	char *start = to;

	for (unsigned int b = 1; b < PP_BLOCKS; b++)
		if (PP_HAS(words[0], b))
			to = write_block(p, b, &block[b], at, separate(start, to));
	if (PP_SYNC(words[0]))
		to = isa_emit(separate(start, to), "sync");
	if (PP_STOP(words[0]))
		to = isa_emit(separate(start, to), "stop");
	if (to == start)
		to = isa_emit(to, "nop");
	if (words[0] != made.said.w[0])
		to = isa_emit_sets(p->isa, PP_F_CTRL, &block[0], &made, ", ", "", to);
	if (padding)
		to = isa_emit_hex(isa_emit(to, ", set padding "), padding, 1);
	return isa_emit_char(to, '\n');
}

/* What the text depends on; 0: it is too much for a key. */
static unsigned int make_key(uint32_t key[ISA_MEMO_WORDS], struct program *p, size_t at, uint32_t next)
{
	const uint32_t *words = p->words + at;
	unsigned int n = PP_COUNT(words[0]);

	if (n + 1 > ISA_MEMO_WORDS)
		return 0;
	key[0] = next;
	for (unsigned int i = 0; i < n; i++)
		key[i + 1] = words[i];
	if (PP_HAS(words[0], PP_BRANCH))
		key[0] |= size_at(p, (int64_t)at + pp_branch_target(words));
	return n + 1;
}

static void disassemble_one(struct program *p, struct isa_memo *memo, size_t at, struct isa_text *text)
{
	size_t behind = at + PP_COUNT(p->words[at]);
	uint32_t next = behind < p->count ? PP_FOLLOWED_BY(PP_COUNT(p->words[behind])) : 0, key[ISA_MEMO_WORDS];
	unsigned int key_size = memo ? make_key(key, p, at, next) : 0;
	char *to = isa_emit_char(text->data + text->length, '@');
	struct isa_draft draft;

	isa_counter_set(&p->writer.offset, at);
	to = isa_emit(isa_emit_column(to, &p->writer.offset, 6, ' '), ": ");
	text->length = to - text->data;
	if (key_size && isa_memo_write(memo, key, key_size, &p->writer.offset, text))
		return;
	isa_draft_begin(&draft, text);
	p->writer.draft = key_size && isa_memo_again(memo) ? &draft : NULL;
	p->writer.text = text->data;
	text->length = write_instruction(p, at, next, to) - text->data;
	if (p->writer.draft)
		isa_memo_keep(memo, key, key_size, &draft, text);
}

void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct program p = { .isa = isa, .plans = isa_plans(isa), .words = words, .count = count };
	struct isa_memo *memo = count > 4 * ISA_MEMO_FEW ? isa_memo_new() : NULL;

	text->failed |= !p.plans;
	for (unsigned int i = 0; i < PP_FORMS; i++)
		isa_reset(isa, i, &p.reset[i]);
	for (uint32_t fields = 0; fields < sizeof(p.sizes); fields++)
		p.sizes[fields] = pp_size(fields << 7);
	for (size_t i = 0; i < count && isa_text_room(text, INSTRUCTION_TEXT); i += length_at(&p, i)) {
		if (whole(&p, i)) {
			disassemble_one(&p, memo, i, text);
		} else {
			char *to = isa_emit_hex(isa_emit(text->data + text->length, ".word "), words[i], 8);

			text->length = isa_emit_char(to, '\n') - text->data;
		}
		isa_text_pause(text);
	}
	text->failed |= p.no_memory;
	free(p.starts);
	isa_memo_free(memo);
}
