// SPDX-License-Identifier: MIT
/* Utgard PP: words to text, one instruction to a line. */
#include <stdlib.h>
#include <string.h>

#include "isa/memo.h"
#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

static const struct isa_label_style label = { '@', ' ', 6, ": " };

struct program {
	struct pp_surroundings around;	/* of the instruction being written */
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

static unsigned int size_at(const struct pp_surroundings *around, int64_t offset)
{
	struct program *p = (struct program *)around;

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

static void separate(struct isa_text *text, size_t start)
{
	if (text->length > start)
		isa_puts(text, ", ");
}

/* The fields' text; other: what the text without "set" assembles to, NULL for that text itself. */
static void write_fields(const struct isa *isa, const uint32_t *words, int offset, const uint32_t *other,
			 struct isa_draft *draft, struct isa_text *text)
{
	struct isa_bits block[PP_BLOCKS], came[PP_BLOCKS];
	struct pp_place place = { .offset = offset, .draft = draft };
	uint32_t padding = pp_split(words, block);
	size_t start = text->length;

	if (other)
		pp_split(other, came);
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		const struct isa_op *op;

		if (!PP_HAS(words[0], b))
			continue;
		separate(text, start);
		op = isa_match_op(isa, b, &block[b]);
		isa_write_op(isa, &place, &block[b], op, text);
		if (other)
			isa_write_sets(isa, op->form, &block[b], &came[b], ", ", "", text);
	}
	if (PP_SYNC(words[0])) {
		separate(text, start);
		isa_puts(text, "sync");
	}
	if (PP_STOP(words[0])) {
		separate(text, start);
		isa_puts(text, "stop");
	}
	if (text->length == start)
		isa_puts(text, "nop");
	if (other) {
		isa_write_sets(isa, PP_F_CTRL, &block[0], &came[0], ", ", "", text);
		if (padding) {
			isa_puts(text, ", set padding ");
			isa_put_hex(text, padding, 1);
		}
	}
}

static void write_words(const uint32_t *words, size_t n, struct isa_text *text)
{
	for (size_t i = 0; i < n; i++) {
		isa_puts(text, ".word ");
		isa_put_hex(text, words[i], 8);
		isa_putc(text, '\n');
	}
}

/* line: where its label begins. */
static void write_instruction(const struct isa *isa, struct program *p, const uint32_t *words, size_t line,
			      struct isa_draft *draft, struct isa_text *text)
{
	unsigned int n = PP_COUNT(words[0]);
	size_t start = text->length;
	uint32_t came_out[32];

	write_fields(isa, words, p->around.offset, NULL, draft, text);
	/* What the text alone means says which "set" are needed. */
	if (text->failed || !pp_read_back(isa, text->data + start, text->length - start, &p->around, came_out)) {
		text->length = line;
		write_words(words, n, text);
		draft->whole = false;
		return;
	}
	if (memcmp(came_out, words, n * 4)) {
		text->length = start;
		isa_draft_begin(draft, text);
		write_fields(isa, words, p->around.offset, came_out, draft, text);
	}
	isa_putc(text, '\n');
}

/* What the text depends on; 0: it is too much for a key. */
static unsigned int make_key(uint32_t key[ISA_MEMO_WORDS], const struct program *p, const uint32_t *words,
			     unsigned int n)
{
	if (n + 1 > ISA_MEMO_WORDS)
		return 0;
	key[0] = p->around.next;
	for (unsigned int i = 0; i < n; i++)
		key[i + 1] = words[i];
	if (PP_HAS(words[0], PP_BRANCH))
		key[0] |= size_at(&p->around, p->around.offset + pp_branch_target(words));
	return n + 1;
}

void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct program p = { .around.size_at = size_at, .words = words, .count = count };
	struct isa_memo *memo = count > 4 * ISA_MEMO_FEW ? isa_memo_new() : NULL;
	struct isa_draft draft;

	for (uint32_t fields = 0; fields < sizeof(p.sizes); fields++)
		p.sizes[fields] = pp_size(fields << 7);
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		size_t line = text->length;
		uint32_t key[ISA_MEMO_WORDS];
		unsigned int key_size;

		n = PP_COUNT(words[i]);
		if (!whole(&p, i)) {
			n = 1;
			write_words(words + i, 1, text);
			isa_text_pause(text);
			continue;
		}
		p.around.offset = i;
		p.around.next = i + n < count ? PP_FOLLOWED_BY(PP_COUNT(words[i + n])) : 0;
		isa_memo_label(memo, text, i, &label);
		key_size = memo ? make_key(key, &p, words + i, n) : 0;
		if (!key_size || !isa_memo_write(memo, key, key_size, i, text)) {
			isa_draft_begin(&draft, text);
			write_instruction(isa, &p, words + i, line, &draft, text);
			if (key_size)
				isa_memo_keep(memo, key, key_size, &draft, text);
		}
		isa_text_pause(text);
	}
	text->failed |= p.no_memory;
	free(p.starts);
	isa_memo_free(memo);
}
