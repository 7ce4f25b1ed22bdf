// SPDX-License-Identifier: MIT
/* limn decode: where the front end of a Vivante core stopped, and what was set by then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "isa/isa.h"
#include "lib/vivante/decode.h"
#include "tool/dump.h"
#include "tool/json.h"

#define NEAR		10	/* words shown before the one it stopped at */
#define AFTER		2	/* and behind it */
#define STATES		0x10000	/* words of state space */
#define MAX_SHADER	4096	/* words of a shader */

/* A stream, and how far the front end got in it. */
struct walk {
	const struct dump_options *o;
	const struct dump_job *job;
	size_t stop;		/* word; the stream's length: all of it */
	uint32_t *state;	/* last values, by address / 4 */
	uint8_t *set;
	size_t states;
};

/* Units that an idle register's bits name; a 0 is one that works. */
static void print_idle(uint32_t idle, struct json *json)
{
	const struct viv_row *row = viv_state_named("VIVS_HI_IDLE_STATE");
	const char *separator = "busy: ";

	if (json)
		json_array(json, "busy");

	for (const struct viv_row *f = row ? viv_field_first(row) : NULL; f; f = viv_field_next(f)) {
		if (f->hi != f->lo || idle >> f->lo & 1)
			continue;
		if (json)
			json_string(json, NULL, f->name);
		else
			printf("%s%s", separator, f->name);
		separator = ", ";
	}
	if (json)
		json_end_array(json);
	else
		printf("%s\n", *separator == 'b' ? "all units are idle" : "");
}

/* A register or state: name and meaning of a value. */
static void json_value(struct json *j, uint32_t at, const char *name, uint32_t value, const char *meaning)
{
	json_hex(j, "at", at);
	json_string(j, "name", name);
	json_hex(j, "value", value);
	json_string(j, "meaning", meaning);
}

static void print_register(const struct dump_reg *reg, struct json *json)
{
	char name[96] = "", meaning[512] = "";
	uint32_t index[2] = { 0 };
	const struct viv_row *row = viv_state_at(reg->offset, index);

	if (row) {
		viv_state_text(row, index, name, sizeof(name));
		viv_value_text(row, reg->value, meaning, sizeof(meaning));
	}
	if (json) {
		json_object(json, NULL);
		json_string(json, "unit", reg->unit);
		json_value(json, reg->offset, name, reg->value, meaning);
		json_end_object(json);
		return;
	}
	printf("%-4s %05x %-28s %08x  %s\n", reg->unit, reg->offset, name, reg->value, meaning);
}

/* A register, whatever its unit is called. */
static bool any_reg(const struct dump *dump, uint32_t offset, uint32_t *value)
{
	for (size_t i = 0; i < dump->num_regs; i++) {
		if (dump->regs[i].offset == offset) {
			*value = dump->regs[i].value;
			return true;
		}
	}
	return false;
}

static void print_registers(const struct dump *dump, const struct dump_options *o)
{
	static const uint32_t always[] = { VIVS_HI_AXI_STATUS, VIVS_FE_DMA_STATUS, VIVS_FE_DMA_DEBUG_STATE,
					   VIVS_FE_DMA_ADDRESS, VIVS_FE_DMA_LOW, VIVS_FE_DMA_HIGH };
	uint32_t idle;

	if (o->json)
		json_array(o->json, "registers");
	for (size_t i = 0; i < dump->num_regs; i++) {
		const struct dump_reg *reg = &dump->regs[i];
		bool show = o->all;

		if (reg->offset == VIVS_HI_IDLE_STATE && !o->json)
			print_idle(reg->value, NULL);
		for (unsigned int k = 0; k < sizeof(always) / sizeof(always[0]); k++)
			show |= reg->offset == always[k];
		if (show)
			print_register(reg, o->json);
	}
	if (!o->json)
		return;
	json_end_array(o->json);
	if (any_reg(dump, VIVS_HI_IDLE_STATE, &idle))
		print_idle(idle, o->json);
}

/* --- Streams ------------------------------------------------------------------------ */

static void word_text(const struct viv_word *w, char *text, size_t size)
{
	char name[96] = "", meaning[512] = "";

	if (w->type == VIV_WORD_STATE && w->row)
		viv_state_text(w->row, w->index, name, sizeof(name));
	else if (w->row)
		snprintf(name, sizeof(name), "%s", w->row->name);
	if (w->type == VIV_WORD_COMMAND && w->row) {
		const struct viv_row *head = viv_command_word(w->row, 0);

		if (head)
			viv_value_text(head, w->value & ~VIV_MASK(VIV_FE_OPCODE), meaning, sizeof(meaning));
	} else if (w->row) {
		viv_value_text(w->row, w->loaded, meaning, sizeof(meaning));
	}
	snprintf(text, size, "%s%s%.200s", name, *meaning ? " " : "", meaning);
}

static void on_word(void *ctx, const struct viv_word *w)
{
	struct walk *walk = ctx;
	char text[320];

	if (w->type == VIV_WORD_STATE && w->at < walk->stop && w->address / 4 < STATES) {
		walk->state[w->address / 4] = w->loaded;
		walk->set[w->address / 4] = 1;
	}
	if (!walk->o->all && (w->at + NEAR < walk->stop || w->at > walk->stop + AFTER))
		return;
	word_text(w, text, sizeof(text));
	if (walk->o->json) {
		json_object(walk->o->json, NULL);
		json_hex(walk->o->json, "at", 4 * w->at);
		json_hex(walk->o->json, "word", w->value);
		json_bool(walk->o->json, "command", w->type == VIV_WORD_COMMAND);
		json_string(walk->o->json, "text", text);
		json_bool(walk->o->json, "stopped_here", w->at == walk->stop);
		json_end_object(walk->o->json);
		return;
	}
	printf("  %s %06zx: %08x  %s%s\n", w->at == walk->stop ? "=>" : "  ", 4 * w->at, w->value,
	       w->type == VIV_WORD_COMMAND ? "" : "  ", text);
}

static void on_finding(void *ctx, const struct viv_finding *f)
{
	const struct walk *walk = ctx;

	if (f->severity != VIV_ERROR)
		return;
	if (walk->o->json) {
		json_object(walk->o->json, NULL);
		json_hex(walk->o->json, "at", 4 * f->at);
		json_string(walk->o->json, "error", f->text);
		json_string(walk->o->json, "rule", f->rule);
		json_end_object(walk->o->json);
	} else {
		printf("  %s %06zx: error: %s [%s]\n", f->at == walk->stop ? "=>" : "  ", 4 * f->at, f->text, f->rule);
	}
}

/* Where a job's stream leads: back into the ring. */
static const uint32_t *in_dump(void *ctx, uint32_t va, size_t *words)
{
	const struct walk *walk = ctx;

	for (size_t i = 0; i < walk->job->num_regions; i++) {
		const struct dump_region *r = &walk->job->regions[i];

		if (r->stream && va >= r->va && va - r->va < r->size && !((uintptr_t)r->data & 3)) {
			*words = (r->size - (va - r->va)) / 4;
			return (const uint32_t *)((const char *)r->data + (va - r->va));
		}
	}
	return NULL;
}

static uint32_t state(const struct walk *walk, uint32_t address)
{
	return walk->state[address / 4];
}

static bool is_set(const struct walk *walk, uint32_t address)
{
	return walk->set[address / 4];
}

static void print_words(const void *code, size_t words, struct json *json)
{
	char *text = isa_disasm(isa_find("vivante"), code, words);

	if (text && json)
		json_string(json, "code", text);
	else if (text)
		fputs(text, stdout);
	free(text);
}

static void print_code(const struct walk *walk, const char *what, uint32_t va, uint32_t instructions)
{
	size_t words = instructions ? 4 * (size_t)instructions : 64;
	struct json *j = walk->o->json;
	const void *p;

	while (words && !dump_memory(walk->job, va, 4 * (words > MAX_SHADER ? MAX_SHADER : words)))
		words -= 4;
	words = words > MAX_SHADER ? MAX_SHADER : words;
	p = words ? dump_memory(walk->job, va, 4 * words) : NULL;
	if (j) {
		json_object(j, NULL);
		json_string(j, "stage", what);
		json_hex(j, "va", va);
	} else {
		printf("  %s shader at 0x%08x%s\n", what, va, p ? ":" : ", not in the dump");
	}
	if (p)
		print_words(p, words, j);
	if (j)
		json_end_object(j);
}

/* A shader that the stream itself has loaded: instructions [start, end) of the memory at base. */
static void print_loaded(const struct walk *walk, const char *what, uint32_t base, uint32_t start, uint32_t end)
{
	size_t first = base / 4 + 4 * (size_t)start, words = end > start ? 4 * (size_t)(end - start) : 0;
	struct json *j = walk->o->json;
	bool here;

	/* GC2000's pixel shaders come in through a second window onto the same memory. */
	if (base == VIVS_SH_INST_MEM && first < STATES && !walk->set[first])
		first -= (VIVS_SH_INST_MEM - VIVS_SH_INST_MEM_MIRROR) / 4;
	here = words && words <= MAX_SHADER && first + words <= STATES && walk->set[first];
	if (j) {
		json_object(j, NULL);
		json_string(j, "stage", what);
		json_int(j, "first_instruction", start);
		json_int(j, "end_instruction", end);
	} else {
		printf("  %s shader: instructions %u to %u of the shader memory%s\n", what, start, end,
		       here ? ":" : ", not loaded by this stream");
	}
	if (here)
		print_words(walk->state + first, words, j);
	if (j)
		json_end_object(j);
}

/* Shaders in memory, where GPUs have them there, or in the state itself. */
static void print_shaders(const struct walk *walk)
{
	const uint32_t vs = state(walk, VIVS_VS_RANGE), ps = state(walk, VIVS_PS_RANGE);

	if (is_set(walk, VIVS_VS_INST_ADDR))
		print_code(walk, "vertex", state(walk, VIVS_VS_INST_ADDR),
			   is_set(walk, VIVS_VS_RANGE) ? VIV_GET(VIVS_VS_RANGE_HIGH, vs) + 1 : 0);
	else if (is_set(walk, VIVS_VS_RANGE))
		print_loaded(walk, "vertex", VIVS_SH_INST_MEM, VIV_GET(VIVS_VS_RANGE_LOW, vs),
			     VIV_GET(VIVS_VS_RANGE_HIGH, vs) + 1);
	else if (is_set(walk, VIVS_VS_END_PC))
		print_loaded(walk, "vertex", VIVS_VS_INST_MEM, state(walk, VIVS_VS_START_PC),
			     state(walk, VIVS_VS_END_PC));
	if (is_set(walk, VIVS_PS_INST_ADDR))
		print_code(walk, "pixel", state(walk, VIVS_PS_INST_ADDR),
			   is_set(walk, VIVS_PS_RANGE) ? VIV_GET(VIVS_PS_RANGE_HIGH, ps) + 1 : 0);
	else if (is_set(walk, VIVS_PS_RANGE))
		print_loaded(walk, "pixel", VIVS_SH_INST_MEM, VIV_GET(VIVS_PS_RANGE_LOW, ps),
			     VIV_GET(VIVS_PS_RANGE_HIGH, ps) + 1);
	else if (is_set(walk, VIVS_PS_END_PC))
		print_loaded(walk, "pixel", VIVS_PS_INST_MEM, state(walk, VIVS_PS_START_PC),
			     state(walk, VIVS_PS_END_PC));
}

static void print_state(const struct walk *walk)
{
	struct json *j = walk->o->json;
	unsigned int n = 0;

	for (uint32_t i = 0; i < STATES; i++)
		n += walk->set[i];
	if (j) {
		json_int(j, "states_set", n);
		json_array(j, "state");
	} else {
		printf("  %u states set before%s\n", n, n ? ":" : "");
	}
	for (uint32_t i = 0; i < STATES; i++) {
		char name[96], meaning[512];
		uint32_t index[2] = { 0 };
		const struct viv_row *row;

		row = walk->set[i] ? viv_state_at(4 * i, index) : NULL;
		if (!row || (!walk->o->all && (row->kind != VIV_KIND_ADDR || !walk->state[i])))
			continue;
		viv_state_text(row, index, name, sizeof(name));
		viv_value_text(row, walk->state[i], meaning, sizeof(meaning));
		if (j) {
			json_object(j, NULL);
			json_value(j, 4 * i, name, walk->state[i], meaning);
			json_end_object(j);
		} else {
			printf("    %05x %-32s %08x  %s\n", 4 * i, name, walk->state[i], meaning);
		}
	}
	if (j) {
		json_end_array(j);
		json_array(j, "shaders");
	}
	print_shaders(walk);
	if (j)
		json_end_array(j);
}

static void print_stream(const struct dump_region *r, struct walk *walk, bool here)
{
	/* The ring still has jumps into streams that are no more. */
	bool ring = !strcmp(r->label, "ring");
	struct viv_sink sink = { walk, on_word, walk->o->all ? on_finding : NULL, ring ? NULL : in_dump };
	const char *name = r->label[0] ? r->label : "stream";
	struct viv_decode_stats stats;
	struct json *j = walk->o->json;
	size_t n = r->size / 4;
	uint32_t *words = malloc(r->size + 4);

	if (!words)
		return;
	memcpy(words, r->data, 4 * n);
	if (j) {
		json_object(j, NULL);
		json_string(j, "name", name);
		json_hex(j, "va", r->va);
		json_int(j, "words", n);
		json_bool(j, "front_end_here", here);
		if (here)
			json_hex(j, "stopped_at", r->va + 4 * walk->stop);
		json_array(j, "commands");
	} else {
		printf("%s at 0x%08llx, %zu words%s\n", name, (unsigned long long)r->va, n,
		       here ? ": the front end is here" : "");
	}
	viv_decode(words, n, 0, &sink, &stats);
	if (j)
		json_end_array(j);
	if (here)
		print_state(walk);
	if (j)
		json_end_object(j);
	free(words);
}

/*
 * Word of the command that the front end is at: it has fetched that one and stands
 * behind it, when the two words that it holds are the last before its address.
 */
static size_t stopped_at(const struct dump *dump, const struct dump_region *r, uint32_t fe)
{
	size_t at = (fe - r->va) / 4;
	uint32_t held[2], last[2];

	if (at < 2 || !any_reg(dump, VIVS_FE_DMA_LOW, &held[0]) || !any_reg(dump, VIVS_FE_DMA_HIGH, &held[1]))
		return at;
	memcpy(last, (const uint8_t *)r->data + 4 * (at - 2), sizeof(last));
	return memcmp(last, held, sizeof(last)) ? at : at - 2;
}

void dump_print_vivante(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	struct walk walk = { .o = o, .job = job, .state = calloc(STATES, 4), .set = calloc(STATES, 1) };
	uint32_t fe = 0;
	bool known = any_reg(dump, VIVS_FE_DMA_ADDRESS, &fe), found = false;

	print_registers(dump, o);
	if (o->json && known)
		json_hex(o->json, "front_end", fe);
	if (o->json)
		json_array(o->json, "streams");
	for (size_t i = 0; walk.state && walk.set && i < job->num_regions; i++) {
		const struct dump_region *r = &job->regions[i];
		bool here = known && fe >= r->va && fe - r->va < r->size;

		found |= here;
		if (!r->size || (!here && !r->stream) || (!here && !o->all && !strcmp(r->label, "ring")))
			continue;
		walk.stop = here ? stopped_at(dump, r, fe) : r->size / 4;
		print_stream(r, &walk, here);
	}
	if (o->json)
		json_end_array(o->json);
	else if (known && !found)
		printf("the front end is at 0x%08x, which is in no stream or BO of the dump\n", fe);
	free(walk.state);
	free(walk.set);
}
