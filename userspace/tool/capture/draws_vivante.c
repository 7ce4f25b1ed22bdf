// SPDX-License-Identifier: MIT
/* Draws, copies and clears of a command stream: every state that is set by then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "lib/vivante/decode.h"
#include "tool/capture/draws.h"

#define STATES		0x10000		/* words of state space */
#define MAX_WORDS	4096		/* of a shader */
#define ORDER_SHADERS	(STATES)
#define ORDER_COMMAND	(STATES + 16)

struct walk {
	struct draws *draws;
	const struct replay_job *job;
	uint32_t *state;
	uint8_t *set;
	uint32_t index;
	bool drawing;		/* the words of its command follow */
	uint32_t argument;
};

static uint32_t state(const struct walk *w, uint32_t address)
{
	return w->state[address / 4];
}

/* Shaders are told as text. */
static bool is_code(const struct viv_row *row)
{
	return strstr(row->name, "INST_MEM");
}

static void state_facts(const struct walk *w, bool copies)
{
	for (uint32_t i = 0; i < STATES; i++) {
		uint32_t index[2] = { 0 };
		const struct viv_row *row = w->set[i] ? limn_viv_state_at(4 * i, index) : NULL;
		char name[96], meaning[512];
		struct draw_fact *f;

		if (!row || is_code(row) || (!strncmp(row->name, "VIVS_RS_", 8) || !strncmp(row->name, "VIVS_BLT_", 9)) != copies)
			continue;
		limn_viv_state_text(row, index, name, sizeof(name));
		limn_viv_value_text(row, w->state[i], meaning, sizeof(meaning));
		f = draws_fact(w->draws, i, name, "%s%s0x%08x", meaning, *meaning ? " = " : "", w->state[i]);
		if (f)
			f->address = row->kind == VIV_KIND_ADDR;
	}
}

static void code_fact(const struct walk *w, uint32_t order, const char *key, const uint32_t *words, size_t n)
{
	if (words && n && n <= MAX_WORDS)
		draws_code(w->draws, order, key, "vivante", words, n);
}

/* In memory, where GPUs have it there, or in the state itself. */
static void shader_fact(const struct walk *w, uint32_t order, const char *key, uint32_t address, uint32_t range,
			uint32_t last, uint32_t memory, uint32_t start_pc, uint32_t end_pc)
{
	uint32_t low = VIV_GET(VIVS_VS_RANGE_LOW, state(w, range)), end = VIV_GET(VIVS_VS_RANGE_HIGH, state(w, range)) + 1;
	uint32_t base = VIVS_SH_INST_MEM, words[MAX_WORDS];
	size_t n, first;

	if (w->set[address / 4]) {
		const void *p;

		end = w->set[range / 4] ? end : state(w, last) + 1;
		p = 16ull * end <= sizeof(words) ? limn_replay_memory(w->job, state(w, address), 16ull * end) : NULL;
		if (p) {
			memcpy(words, p, 16ull * end);
			code_fact(w, order, key, words, 4 * end);
		}
		return;
	}
	if (!w->set[range / 4]) {
		low = state(w, start_pc);
		end = state(w, end_pc);
		base = memory;
	}
	first = base / 4 + 4 * (size_t)low;
	n = end > low ? 4 * (size_t)(end - low) : 0;
	/* GC2000's pixel shaders come in through a second window onto the same memory. */
	if (base == VIVS_SH_INST_MEM && first < STATES && !w->set[first])
		first -= (VIVS_SH_INST_MEM - VIVS_SH_INST_MEM_MIRROR) / 4;
	if (n <= MAX_WORDS && first + n <= STATES)
		code_fact(w, order, key, w->state + first, n);
}

static void on_draw(struct walk *w, const char *what, bool copy)
{
	struct draw *d = draws_add(w->draws, w->job->submit->number, w->index++, what);

	if (!d)
		return;
	d->copy = copy;
	state_facts(w, copy);
	if (copy)
		return;
	shader_fact(w, ORDER_SHADERS, "vertex shader", VIVS_VS_INST_ADDR, VIVS_VS_RANGE, VIVS_VS_ICACHE_COUNT,
		    VIVS_VS_INST_MEM, VIVS_VS_START_PC, VIVS_VS_END_PC);
	shader_fact(w, ORDER_SHADERS + 1, "fragment shader", VIVS_PS_INST_ADDR, VIVS_PS_RANGE, VIVS_PS_ICACHE_COUNT,
		    VIVS_PS_INST_MEM, VIVS_PS_START_PC, VIVS_PS_END_PC);
}

static void on_state(struct walk *w, const struct viv_word *word)
{
	if (word->address / 4 >= STATES)
		return;
	w->state[word->address / 4] = word->loaded;
	w->set[word->address / 4] = 1;
	if (word->address == VIVS_RS_KICKER || word->address == VIVS_RS_KICKER_INPLACE)
		on_draw(w, VIV_GET(VIVS_RS_CLEAR_CONTROL_MODE, state(w, VIVS_RS_CLEAR_CONTROL)) ? "RS clears" : "RS copies", true);
	else if (word->address == VIVS_BLT_COMMAND)
		on_draw(w, "BLT", true);
}

static void on_word(void *ctx, const struct viv_word *word)
{
	const char *name = word->row ? word->row->name : "";
	struct walk *w = ctx;
	char meaning[512];

	if (word->type == VIV_WORD_STATE) {
		on_state(w, word);
	} else if (word->type == VIV_WORD_COMMAND) {
		w->drawing = !strncmp(name, "DRAW", 4) || strstr(name, "_DRAW");
		w->argument = 0;
		if (w->drawing) {
			char what[200];
			const struct viv_row *head = limn_viv_command_word(word->row, 0);

			meaning[0] = 0;
			if (head)
				limn_viv_value_text(head, word->value & ~VIV_MASK(VIV_FE_OPCODE), meaning, sizeof(meaning));
			snprintf(what, sizeof(what), "%.60s%s%.100s", name, *meaning ? " " : "", meaning);
			on_draw(w, what, false);
		}
	} else if (word->type == VIV_WORD_ARGUMENT && w->drawing) {
		limn_viv_value_text(word->row, word->value, meaning, sizeof(meaning));
		draws_fact(w->draws, ORDER_COMMAND + w->argument++, name + (strncmp(name, "VIV_FE_", 7) ? 0 : 7), "%s%s%u", meaning, *meaning ? " = " : "", word->value);
	}
}

void draws_of_vivante(struct draws *draws, const struct replay_job *job)
{
	struct walk w = { .draws = draws, .job = job, .state = calloc(STATES, 4), .set = calloc(STATES, 1) };
	const struct viv_sink sink = { .ctx = &w, .word = on_word };
	struct viv_decode_stats stats;

	if (w.state && w.set)
		limn_viv_decode(job->words, job->submit->told.cmd_size / 4, 0, &sink, &stats);
	else
		draws->full = true;
	free(w.state);
	free(w.set);
}
