// SPDX-License-Identifier: MIT
/* Utgard PP: words to text, one instruction to a line. */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

/* Is there an instruction here that has the length its fields need? */
static bool whole(const uint32_t *words, size_t left)
{
	return PP_COUNT(words[0]) == pp_size(words[0]) && PP_COUNT(words[0]) <= left;
}

static void separate(struct isa_text *text, bool *first)
{
	isa_printf(text, *first ? "" : ", ");
	*first = false;
}

static void write_instruction(const struct isa *isa, const uint32_t *words, size_t offset,
			      const uint32_t *came_out, struct isa_text *text)
{
	struct isa_bits block[PP_BLOCKS], other[PP_BLOCKS];
	struct pp_place place = { .offset = offset };
	uint32_t padding = pp_split(words, block);
	bool first = true;

	if (came_out && pp_split(came_out, other) == padding)
		came_out = memcmp(came_out, words, PP_COUNT(words[0]) * 4) ? came_out : NULL;
	isa_printf(text, "@%6zu: ", offset);
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		const struct isa_op *op;

		if (!PP_HAS(words[0], b))
			continue;
		separate(text, &first);
		op = isa_match_op(isa, b, &block[b]);
		isa_write_op(isa, &place, &block[b], op, text);
		if (came_out)
			isa_write_sets(isa, op->form, &block[b], &other[b], ", ", "", text);
	}
	if (PP_SYNC(words[0])) {
		separate(text, &first);
		isa_printf(text, "sync");
	}
	if (PP_STOP(words[0])) {
		separate(text, &first);
		isa_printf(text, "stop");
	}
	if (first)
		isa_printf(text, "nop");
	if (came_out) {
		isa_write_sets(isa, PP_F_CTRL, &block[0], &other[0], ", ", "", text);
		if (padding)
			isa_printf(text, ", set padding 0x%x", padding);
	}
	isa_printf(text, "\n");
}

/* first: the text without "set", a line for each instruction; what came out as it was keeps its line. */
static char *write_all(const struct isa *isa, const uint32_t *words, size_t count, const uint32_t *came_out,
		       const char *first)
{
	struct isa_text text = { 0 };

	for (size_t i = 0; i < count;) {
		size_t n = whole(words + i, count - i) ? PP_COUNT(words[i]) : 1;
		size_t length = first ? strcspn(first, "\n") + 1 : 0;

		if (first && !memcmp(came_out + i, words + i, n * 4))
			isa_append(&text, first, length);
		else if (whole(words + i, count - i))
			write_instruction(isa, words + i, i, came_out ? came_out + i : NULL, &text);
		else
			isa_printf(&text, ".word 0x%08x\n", words[i]);
		first = first ? first + length : NULL;
		i += n;
	}
	return isa_text_finish(&text);
}

char *pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_messages messages;
	uint32_t *came_out;
	size_t came_count;
	char *text, *first;
	int err;

	/* First without "set": what that assembles to says which are needed. */
	first = write_all(isa, words, count, NULL, NULL);
	if (!first)
		return NULL;
	err = isa_asm(isa, first, strlen(first), &came_out, &came_count, &messages);
	isa_messages_free(&messages);
	if (err || came_count != count)
		text = NULL;
	else if (!count || !memcmp(came_out, words, count * 4))
		text = first;
	else
		text = write_all(isa, words, count, came_out, first);
	free(came_out);
	if (text != first)
		free(first);
	return text;
}
