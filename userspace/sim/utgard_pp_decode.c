// SPDX-License-Identifier: MIT
/* PP instructions from memory to struct pp_instr, each reachable one once, from the rows that their fields match. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "sim/utgard_pp_decode.h"

#define PP_MAX_INSTRUCTIONS 65536

#define note(prog, where, ...) \
	((prog)->no_memory |= !isa_message(&(prog)->notes, &(struct isa_message){ .at = (unsigned int)(where) }, __VA_ARGS__))

/* What the row does not say is as it is known to be, or a note. */
static void check_known(struct ppsim_program *prog, int at, const struct isa_op *row, const struct isa_bits *b)
{
	const char *form = isa_utgard_pp.forms[row->form].name;
	const struct isa_operand *index = isa_operand_of(&isa_utgard_pp, row, row->unit == PP_VARYING ? 'I' : 'J');
	const struct isa_field *f;
	unsigned int i = 0;

	while ((f = isa_odd_field(&isa_utgard_pp, row, b, &i)))
		note(prog, at, "%s.%s is 0x%x, not 0x%x as known", form, f->name, isa_get(b, f->lo, f->width), f->reset);
	if (row->unit == PP_SAMPLER && pp_get(b, tex_type) != 0 && pp_get(b, tex_type) != 31)
		note(prog, at, "%s.type is %u: unknown", form, pp_get(b, tex_type));
	if (index && (strstr(row->pattern, "%I") || strstr(row->pattern, "%J")) &&
	    isa_get_at(index, b, 1) == (row->unit == PP_VARYING ? 2 : 3))
		note(prog, at, "%s.alignment is %u: unknown", form, isa_get_at(index, b, 1));
}

static void decode_field(struct ppsim_program *prog, struct pp_instr *in, unsigned int block, const struct isa_bits *b)
{
	const struct isa_op *row = isa_match_op(&isa_utgard_pp, block, b);

	in->unit[block] = pp_unit(row, b);
	check_known(prog, in->at, row, b);
	if (isa_has_semantics(row))
		return;
	in->unknown = true;
	in->unit[block].id = PP_OP_unknown;
	note(prog, in->at, "%s: %.*s: %s", isa_utgard_pp.units[block], (int)strcspn(row->pattern, " "), row->pattern,
	     isa_no_semantics(row));
}

static void decode_fields(struct ppsim_program *prog, struct pp_instr *in, const uint32_t *words, struct isa_bits *block)
{
	pp_split(words, block);
	for (unsigned int f = 1; f < PP_CONST0; f++)
		if (in->has >> f & 1)
			decode_field(prog, in, f, &block[f]);
	for (unsigned int k = 0; k < 2; k++) {
		const struct isa_op *row = isa_match_op(&isa_utgard_pp, PP_CONST0 + k, &block[PP_CONST0 + k]);
		const struct isa_operand *o = isa_operand_of(&isa_utgard_pp, row, 'H');

		for (unsigned int i = 0; i < 4; i++)
			in->constant[k][i] = half_to_float(isa_get_at(o, &block[PP_CONST0 + k], i));
	}
}

/* --- Programs ------------------------------------------------------------------- */

struct place {
	int at;
	unsigned int index;
};

static int compare(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	return a->at < b->at ? -1 : a->at > b->at;
}

/* Index of the instruction at word at, added at the end when it is new. ~0u: no room. */
static unsigned int intern(struct ppsim_program *prog, int at)
{
	struct place key = { at, prog->count }, *place, **found = tfind(&key, &prog->places, compare);

	if (found)
		return (*found)->index;
	if (prog->count == PP_MAX_INSTRUCTIONS)
		return ~0u;
	place = malloc(sizeof(*place));
	if (place)
		*place = key;
	if (!place || !isa_room(&prog->instr, prog->count, 1, sizeof(prog->instr[0])) || !tsearch(place, &prog->places, compare)) {
		free(place);
		prog->no_memory = true;
		return ~0u;
	}
	prog->instr[prog->count] = (struct pp_instr){ .at = at, .next = ~0u, .target = ~0u };
	return prog->count++;
}

static void decode_one(struct ppsim_program *prog, unsigned int index, ppsim_fetch fetch, void *ctx,
		       unsigned int first_length)
{
	struct pp_instr in = prog->instr[index];
	uint32_t words[PP_MAX_WORDS + 1] = { 0 }, ctrl;
	struct isa_bits block[PP_BLOCKS];
	bool branches, goes_on;
	unsigned int length;

	if (!fetch(ctx, in.at, 1, words)) {
		prog->instr[index].fault = "instruction fetch from unmapped memory";
		return;
	}
	ctrl = words[0];
	length = PP_COUNT(ctrl);
	in.stop = PP_STOP(ctrl);
	in.has = PP_CTRL_GET(ctrl, fields) << 1;
	if (index == 0 && first_length && first_length != length)
		note(prog, in.at, "the render state's first instruction length is wrong");
	if (PP_CTRL_GET(ctrl, unknown))
		note(prog, in.at, "ctrl.unknown is 0x%x, not 0 as known", PP_CTRL_GET(ctrl, unknown));
	if (pp_size(ctrl) > length) {
		prog->instr[index].fault = "instruction shorter than its fields";
		return;
	}
	if (length > 1 && !fetch(ctx, in.at + 1, length - 1, words + 1)) {
		prog->instr[index].fault = "instruction fetch from unmapped memory";
		return;
	}
	decode_fields(prog, &in, words, block);
	branches = in.has >> PP_BRANCH & 1;
	goes_on = !(branches && in.unit[PP_BRANCH].id == PP_OP_discard) || PP_PREFETCH(ctrl);
	if (!in.stop && goes_on)
		in.next = intern(prog, in.at + (int)length);
	if (branches && in.unit[PP_BRANCH].id == PP_OP_branch)
		in.target = intern(prog, in.at + pp_target(&block[PP_BRANCH]));
	prog->instr[index] = in;
}

struct ppsim_program *ppsim_decode(ppsim_fetch fetch, void *ctx, unsigned int first_length)
{
	struct ppsim_program *prog = calloc(1, sizeof(*prog));

	if (!prog)
		return NULL;
	intern(prog, 0);
	for (unsigned int i = 0; i < prog->count; i++)
		decode_one(prog, i, fetch, ctx, first_length);
	if (prog->no_memory || !pp_add_calls(prog)) {
		ppsim_free(prog);
		return NULL;
	}
	return prog;
}

struct word_source {
	const uint32_t *words;
	unsigned int count;
};

static bool fetch_words(void *ctx, int offset, unsigned int count, uint32_t *words)
{
	const struct word_source *source = ctx;

	if (offset < 0 || (unsigned int)offset > source->count || count > source->count - (unsigned int)offset)
		return false;
	memcpy(words, source->words + offset, count * sizeof(*words));
	return true;
}

struct ppsim_program *ppsim_decode_words(const uint32_t *words, unsigned int count)
{
	struct word_source source = { words, count };

	return ppsim_decode(fetch_words, &source, 0);
}

void ppsim_free(struct ppsim_program *program)
{
	if (!program)
		return;
	free(program->instr);
	tdestroy(program->places, free);
	limn_isa_messages_free(&program->notes);
	free(program->call);
	free(program);
}

const struct isa_messages *ppsim_notes(const struct ppsim_program *program)
{
	return &program->notes;
}
