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
#define ORDER_ATTRIBUTES (STATES + 32)
#define ORDER_INDICES	(STATES + 64)
#define ORDER_TEXELS	(STATES + 128)

struct walk {
	struct draws *draws;
	const struct replay_job *job;
	uint32_t *state;
	uint8_t *set;
	uint32_t index;
	bool drawing;		/* the words of its command follow */
	uint32_t argument, command[8];	/* its words */
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

/* What a draw goes through: vertices, or indices. */
struct range {
	bool indexed;
	uint32_t first, count;
};

/* Vertices of n primitives, by PRIMITIVE_TYPE_*. */
static uint32_t vertices_of(uint32_t type, uint32_t n)
{
	switch (type) {
	case PRIMITIVE_TYPE_POINTS:
	case PRIMITIVE_TYPE_LINE_LOOP:
		return n;
	case PRIMITIVE_TYPE_LINES:
		return 2 * n;
	case PRIMITIVE_TYPE_LINE_STRIP:
		return n + 1;
	case PRIMITIVE_TYPE_TRIANGLES:
		return 3 * n;
	default:
		return n ? n + 2 : 0;
	}
}

static bool range_of(const struct walk *w, struct range *r)
{
	const uint32_t *c = w->command;

	switch (VIV_GET(VIV_FE_OPCODE, c[0])) {
	case FE_OPCODE_DRAW_PRIMITIVES:
	case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
		*r = (struct range){ VIV_GET(VIV_FE_OPCODE, c[0]) == FE_OPCODE_DRAW_INDEXED_PRIMITIVES, c[2], vertices_of(c[1] & 0xff, c[3]) };
		return true;
	case FE_OPCODE_DRAW_INSTANCED:
		r->indexed = c[0] & VIV_FE_DRAW_INSTANCED_HEADER_INDEXED;
		r->count = VIV_GET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, c[1]);
		r->first = r->indexed ? 0 : c[2];
		return true;
	}
	return false;
}

/* Of a stream: the address and what is set beside it; false: that kind of stream is not set. */
static bool stream_of(const struct walk *w, uint32_t base, uint32_t stride, struct draws_array *a)
{
	if (!state(w, base))
		return false;
	a->va = state(w, base);
	a->stride = stride;
	return true;
}

/* One element: where its stream is, and how large; false: not set. */
static bool element_of(const struct walk *w, uint32_t i, struct draws_array *a)
{
	bool newer = w->set[VIV_AT(VIVS_NFE_GENERIC_ATTRIB_CONFIG0, i) / 4];
	uint32_t config = state(w, newer ? VIV_AT(VIVS_NFE_GENERIC_ATTRIB_CONFIG0, i) : VIV_AT(VIVS_FE_VERTEX_ELEMENT_CONFIG, i));
	uint32_t n = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM, config), start = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_START, config);
	uint32_t end = newer ? VIV_GET(VIVS_NFE_GENERIC_ATTRIB_CONFIG1_END, state(w, VIV_AT(VIVS_NFE_GENERIC_ATTRIB_CONFIG1, i))) :
			       VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_END, config);

	/* Which kind a GPU has is in no capture: those of HALTI2, several, or one. */
	if (!stream_of(w, VIV_AT(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR, n),
		       VIV_GET(VIVS_NFE_VERTEX_STREAMS_CONTROL_VERTEX_STRIDE, state(w, VIV_AT(VIVS_NFE_VERTEX_STREAMS_CONTROL, n))), a) &&
	    !stream_of(w, VIV_AT(VIVS_FE_VERTEX_STREAMS_BASE_ADDR, n),
		       VIV_GET(FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE, state(w, VIV_AT(VIVS_FE_VERTEX_STREAMS_CONTROL, n))), a) &&
	    !stream_of(w, VIVS_FE_VERTEX_STREAM_BASE_ADDR,
		       VIV_GET(FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE, state(w, VIVS_FE_VERTEX_STREAM_CONTROL)), a))
		return false;
	a->va += start;
	a->bytes = end > start ? end - start : 0;
	a->floats = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE, config) == FE_DATA_TYPE_FLOAT;
	return a->bytes;
}

/* Of indices: the lowest and the number up to the highest. */
static bool spread(const struct walk *w, const struct draws_array *indices, struct range *r)
{
	const uint8_t *p = limn_replay_memory(w->job, indices->va, (uint64_t)indices->bytes * indices->count);
	uint32_t low = UINT32_MAX, high = 0, none = indices->bytes == 4 ? UINT32_MAX : (1u << 8 * indices->bytes) - 1;

	for (uint32_t i = 0; p && i < indices->count; i++) {
		uint32_t index = 0;

		memcpy(&index, p + i * indices->bytes, indices->bytes);
		if (index == none)
			continue;	/* it may begin strips anew */
		low = index < low ? index : low;
		high = index > high ? index : high;
	}
	*r = (struct range){ .first = low, .count = high - low + 1 };
	return low <= high;
}

/* Bits of a texel, as the names of formats say them: A8R8G8B8; of blocks what they have at least. */
static unsigned int texel_bits(uint32_t config0)
{
	const struct viv_row *row = limn_viv_state_named("TE.SAMPLER_CONFIG0"), *f;
	unsigned int bits = 0;
	const char *name = NULL;

	row = row ? limn_viv_kind_row(row->kind) : NULL;
	for (f = row ? limn_viv_field_first(row) : NULL; f && strcmp(f->name, "FORMAT"); f = limn_viv_field_next(f))
		;
	if (f && limn_viv_kind_row(f->kind))
		name = limn_viv_value_name(limn_viv_kind_row(f->kind), VIV_GET(TE_SAMPLER_CONFIG0_FORMAT, config0));
	if (!name || strpbrk(name, "TYUN"))	/* DXT, ETC, YUV, NONE: the format is in another field */
		return 4;
	for (; *name; name++)
		if (*name >= '1' && *name <= '9')
			bits += (unsigned int)strtoul(name, (char **)&name, 10), name--;
	return bits;
}

static void texture_facts(struct walk *w)
{
	for (uint32_t i = 0; i < VIVS_NTE_SAMPLER_CONFIG0__LEN; i++) {
		uint32_t descriptor = state(w, VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, i)), config, size, va, words[TXDESC_BYTES / 4];
		const void *p = descriptor ? limn_replay_memory(w->job, descriptor, TXDESC_BYTES) : NULL;

		if (p) {
			memcpy(words, p, sizeof(words));
			config = words[TXDESC_CONFIG0 / 4];
			size = words[TXDESC_SIZE / 4];
			va = words[TXDESC_LOD_ADDR / 4];
		} else if (state(w, VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, i))) {
			config = state(w, VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, i));
			size = state(w, VIV_AT(VIVS_NTE_SAMPLER_SIZE, i));
			va = state(w, VIV_AT(VIVS_NTE_SAMPLER_ADDR_LOD, i));
		} else if (i < VIVS_TE_SAMPLER_CONFIG0__LEN) {
			config = state(w, VIV_AT(VIVS_TE_SAMPLER_CONFIG0, i));
			size = state(w, VIV_AT(VIVS_TE_SAMPLER_SIZE, i));
			va = state(w, VIV_AT(VIVS_TE_SAMPLER_LOD_ADDR, i));
		} else {
			continue;
		}
		if (VIV_GET(TE_SAMPLER_CONFIG0_TYPE, config) != TEXTURE_TYPE_NONE)
			draws_texels(w->draws, ORDER_TEXELS + i, i, w->job, va, (uint64_t)VIV_GET(TE_SAMPLER_SIZE_WIDTH, size) *
				     VIV_GET(TE_SAMPLER_SIZE_HEIGHT, size) * texel_bits(config) / 8);
	}
}

/* Once the words of its command are known: what its vertices and indices are. */
static void data_facts(struct walk *w)
{
	struct draws_array indices = { .va = state(w, VIVS_FE_INDEX_STREAM_BASE_ADDR) };
	struct range r;

	w->drawing = false;
	texture_facts(w);
	if (!range_of(w, &r) || !r.count)
		return;
	if (r.indexed) {
		indices.bytes = indices.stride = 1u << (VIV_GET(VIVS_FE_INDEX_STREAM_CONTROL_TYPE, state(w, VIVS_FE_INDEX_STREAM_CONTROL)) & 3);
		indices.va += r.first * indices.bytes;
		indices.count = r.count;
		draws_array(w->draws, ORDER_INDICES, "indices", w->job, &indices);
		if (!spread(w, &indices, &r))
			return;
	}
	for (uint32_t i = 0; i < VIV_GET(VIVS_VS_INPUT_COUNT_COUNT, state(w, VIVS_VS_INPUT_COUNT)) && i < VIVS_FE_VERTEX_ELEMENT_CONFIG__LEN; i++) {
		struct draws_array a = { .count = r.count };
		char key[32];

		if (!element_of(w, i, &a))
			continue;
		a.va += r.first * a.stride;
		snprintf(key, sizeof(key), "attribute %u", i);
		draws_array(w->draws, ORDER_ATTRIBUTES + i, key, w->job, &a);
	}
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

	if (w->drawing && word->type != VIV_WORD_ARGUMENT && word->type != VIV_WORD_PAD)
		data_facts(w);
	if (word->type == VIV_WORD_STATE) {
		on_state(w, word);
	} else if (word->type == VIV_WORD_COMMAND) {
		w->drawing = !strncmp(name, "DRAW", 4) || strstr(name, "_DRAW");
		w->argument = 0;
		memset(w->command, 0, sizeof(w->command));
		w->command[0] = word->value;
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
		if (w->argument + 1 < sizeof(w->command) / sizeof(w->command[0]))
			w->command[w->argument + 1] = word->value;
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
	if (w.drawing)
		data_facts(&w);
	free(w.state);
	free(w.set);
}
