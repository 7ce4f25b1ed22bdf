// SPDX-License-Identifier: MIT
/* limn decode: where the front end of a Vivante core stopped, and what was set by then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "isa/vivante.h"
#include "lib/vivante/decode.h"
#include "tool/dump.h"
#include "tool/json.h"

#define NEAR		10	/* words shown before the one it stopped at */
#define AFTER		2	/* and behind it */
#define STATES		0x10000	/* words of state space */
#define MAX_SHADER	4096	/* words of a shader */
#define MAX_ROUND	65536	/* commands that the front end is followed for */

/* A stream, and how far the front end got in it. */
struct walk {
	const struct dump_options *o;
	const struct dump_job *job;
	size_t stop;		/* word; the stream's length: all of it */
	bool here, ahead;	/* that is where the front end is; it is in the ring behind that */
	bool fetched;		/* it has taken the command there, and is behind it */
	bool foreign;		/* a BO that a jump led into: what stands at its start may be anything */
	size_t draws, draw_at;	/* before and at the stop; the last one's word */
	char at_stop[80];	/* the command there */
	enum viv_need need;	/* what it takes */
	uint32_t argument;	/* its second word */
	uint32_t idle;		/* HI_IDLE_STATE; a 0 is one that works */
	uint32_t features;	/* HI_CHIP_FEATURE, 0: not in the dump */
	/* Why it hangs, of the kind of which that is the first: what the stream says itself, what it leaves open, any error. */
	struct {
		char why[160], where[60];
		struct dump_place place;
	} cause[3];
	char loop[260];		/* an instruction with which a shader cannot end, and whose */
	struct dump_place loop_place;
	bool of_source;		/* the stream is the job file's */
	uint32_t *state;	/* last values, by address / 4 */
	uint8_t *set;
	size_t states;
};

/* Units that an idle register's bits name; a 0 is one that works. */
static void print_idle(struct json *j, uint32_t idle)
{
	const struct viv_row *row = limn_viv_state_named("VIVS_HI_IDLE_STATE");
	const char *gap = "busy: ";

	json_array(j, "busy");
	for (const struct viv_row *f = row ? limn_viv_field_first(row) : NULL; f; f = limn_viv_field_next(f)) {
		if (f->hi != f->lo || idle >> f->lo & 1)
			continue;
		report(j, "{_gap}{_name}", TEXT("_gap", gap), TEXT("_name", f->name), STRING(NULL, f->name));
		gap = ", ";
	}
	json_end_array(j);
	report(j, *gap == 'b' ? "all units are idle\n" : "\n");
}

/* A register or state: name and meaning of a value. */
static void print_value(struct json *j, const char *template, const char *unit, uint32_t at, const struct viv_row *row,
			const uint32_t index[2], uint32_t value)
{
	char name[96] = "", meaning[512] = "";

	if (row) {
		limn_viv_state_text(row, index, name, sizeof(name));
		limn_viv_value_text(row, value, meaning, sizeof(meaning));
	}
	json_object(j, NULL);
	if (unit)
		report(j, "", STRING("unit", unit));
	report(j, template, TEXT("_unit", unit), HEX("at", at), STRING("name", name), HEX("value", value),
	       STRING("meaning", meaning));
	json_end_object(j);
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

	json_array(o->json, "registers");
	for (size_t i = 0; i < dump->num_regs; i++) {
		const struct dump_reg *reg = &dump->regs[i];
		uint32_t index[2] = { 0 };
		bool show = o->all;

		for (unsigned int k = 0; k < sizeof(always) / sizeof(always[0]); k++)
			show |= reg->offset == always[k];
		if (show)
			print_value(o->json, "{_unit%-4s} {at%05llx} {name%-28s} {value}  {meaning}\n", reg->unit, reg->offset,
				    limn_viv_state_at(reg->offset, index), index, reg->value);
	}
	json_end_array(o->json);
	if (any_reg(dump, VIVS_HI_IDLE_STATE, &idle))
		print_idle(o->json, idle);
}

/* --- Streams ------------------------------------------------------------------------ */

static void word_text(const struct viv_word *w, char *text, size_t size)
{
	char name[96] = "", meaning[512] = "";

	if (w->type == VIV_WORD_STATE && w->row)
		limn_viv_state_text(w->row, w->index, name, sizeof(name));
	else if (w->row)
		snprintf(name, sizeof(name), "%s", w->row->name);
	if (w->type == VIV_WORD_COMMAND && w->row) {
		const struct viv_row *head = limn_viv_command_word(w->row, 0);

		if (head)
			limn_viv_value_text(head, w->value & ~VIV_MASK(VIV_FE_OPCODE), meaning, sizeof(meaning));
	} else if (w->row) {
		limn_viv_value_text(w->row, w->loaded, meaning, sizeof(meaning));
	}
	snprintf(text, size, "%s%s%.200s", name, *meaning ? " " : "", meaning);
}

enum { CERTAIN, LIKELY, AN_ERROR, CAUSES };

/* "in draw 3", "behind draw 3", "before any draw", of the stream's. */
static void where_text(const struct walk *walk, size_t at, char *text, size_t size)
{
	if (!walk->draws)
		snprintf(text, size, "before any draw of its stream");
	else
		snprintf(text, size, "%s draw %zu of its stream", at == walk->draw_at ? "in" : "behind", walk->draws - 1);
}

static void note_cause(struct walk *walk, int kind, size_t at, const char *why)
{
	if (walk->cause[kind].why[0] || walk->foreign)
		return;
	snprintf(walk->cause[kind].why, sizeof(walk->cause[kind].why), "%s", why);
	where_text(walk, at, walk->cause[kind].where, sizeof(walk->cause[kind].where));
	walk->cause[kind].place = (struct dump_place){ .known = true, .word = at };
}

/* The instruction that it is about. */
static void note_finding(struct walk *walk, int kind, const struct viv_finding *f)
{
	bool first = !walk->cause[kind].why[0];

	note_cause(walk, kind, f->at, f->text);
	if (first) {
		walk->cause[kind].place.stage = f->stage;
		walk->cause[kind].place.instruction = f->instruction;
	}
}

/* What is set of SE hangs the draw behind it. */
static void note_next_draw(struct walk *walk, size_t at, const char *why)
{
	note_cause(walk, LIKELY, at, why);
	snprintf(walk->cause[LIKELY].where, sizeof(walk->cause[LIKELY].where), "in draw %zu of its stream", walk->draws);
}

/* Work for a pipe that the core does not have keeps PE at work for ever. */
static void check_pipe(struct walk *walk, const struct viv_word *w)
{
	enum viv_need need = w->type == VIV_WORD_COMMAND && w->row ? viv_fe_need(w->row->at) :
			     w->type == VIV_WORD_STATE && w->address == VIVS_RS_KICKER ? VIV_NEEDS_PIPE_3D : VIV_NEEDS_NOTHING;

	if (walk->features && !(walk->idle & VIVS_HI_IDLE_STATE_PE) &&
	    ((need == VIV_NEEDS_PIPE_3D && !(walk->features & chipFeatures_PIPE_3D)) ||
	     (need == VIV_NEEDS_PIPE_2D && !(walk->features & chipFeatures_PIPE_2D))))
		note_cause(walk, CERTAIN, w->at, w->type == VIV_WORD_STATE ? "a resolve on a core without a 3D pipe: hangs" :
			   need == VIV_NEEDS_PIPE_3D ? "a 3D draw on a core without a 3D pipe: hangs" :
			   "a 2D draw on a core without a 2D pipe: hangs");
}

/* Each kind of core has one of the two; the dump does not tell which. */
static void note_kick(struct walk *walk, const struct viv_word *w)
{
	const uint32_t others = VIVS_HI_IDLE_STATE_SH | VIVS_HI_IDLE_STATE_TS;

	if (w->address == VIVS_BLT_COMMAND && !(walk->idle & VIVS_HI_IDLE_STATE_BL))
		note_cause(walk, LIKELY, w->at, "BLT does not end, as if the core had none");
	if (w->address == VIVS_RS_KICKER && (walk->idle & (others | VIVS_HI_IDLE_STATE_PE)) == others)
		note_cause(walk, LIKELY, w->at, "RS does not end, as if the core had BLT instead");
}

static void on_word(void *ctx, const struct viv_word *w)
{
	struct walk *walk = ctx;
	char text[320];

	if (w->at <= walk->stop && w->type == VIV_WORD_UNKNOWN && !walk->foreign) {
		snprintf(walk->at_stop, sizeof(walk->at_stop), "a word that is no command");
	} else if (w->at <= walk->stop && w->type == VIV_WORD_COMMAND && !walk->foreign) {
		if (w->row && (!strncmp(w->row->name, "DRAW", 4) || strstr(w->row->name, "_DRAW"))) {
			walk->draws++;
			walk->draw_at = w->at;
		}
		walk->need = viv_fe_need(VIV_GET(VIV_FE_OPCODE, w->value));
		snprintf(walk->at_stop, sizeof(walk->at_stop), "%s", w->row ? w->row->name : "a word that is no command");
	}
	if (w->at == walk->stop + 1)
		walk->argument = w->value;
	if (w->at <= walk->stop)
		check_pipe(walk, w);
	if (w->at <= walk->stop && w->type == VIV_WORD_STATE)
		note_kick(walk, w);
	if (w->type == VIV_WORD_STATE && w->at < walk->stop && w->address / 4 < STATES) {
		walk->state[w->address / 4] = w->loaded;
		walk->set[w->address / 4] = 1;
	}
	if (!walk->o->all && (w->at + NEAR < walk->stop || w->at > walk->stop + AFTER))
		return;
	word_text(w, text, sizeof(text));
	json_object(walk->o->json, NULL);
	report(walk->o->json, "  {_mark} {at%06llx}: {word}  {_in}{text}\n", TEXT("_mark", w->at == walk->stop ? "=>" : "  "),
	       HEX("at", 4 * w->at), HEX("word", w->value), BOOL("command", w->type == VIV_WORD_COMMAND),
	       TEXT("_in", w->type == VIV_WORD_COMMAND ? "" : "  "), STRING("text", text),
	       BOOL("stopped_here", w->at == walk->stop));
	json_end_object(walk->o->json);
}

static void on_finding(void *ctx, const struct viv_finding *f)
{
	struct walk *walk = ctx;

	bool fe = f->hangs == VIVS_HI_IDLE_STATE_FE;

	if (f->hangs == VIVS_HI_IDLE_STATE_SE && f->hangs & ~walk->idle && f->at <= walk->stop)
		note_next_draw(walk, f->at, f->text);
	else if (!fe && f->hangs & ~walk->idle && f->at <= walk->stop)
		note_finding(walk, f->severity == VIV_NOTE ? LIKELY : CERTAIN, f);
	/* FE itself hangs nowhere but where it is. */
	else if (fe ? walk->here && f->at == walk->stop : f->severity == VIV_ERROR && f->at <= walk->stop)
		note_finding(walk, AN_ERROR, f);
	if (f->severity != VIV_ERROR || !walk->o->all)
		return;
	json_object(walk->o->json, NULL);
	report(walk->o->json, "  {_mark} {at%06llx}: error: {error} [{rule}]\n", TEXT("_mark", f->at == walk->stop ? "=>" : "  "),
	       HEX("at", 4 * f->at), STRING("error", f->text), STRING("rule", f->rule));
	json_end_object(walk->o->json);
}

/* Where a job's stream leads, back into the ring, and where its shaders are. */
static const uint32_t *in_dump(void *ctx, uint32_t va, size_t *words)
{
	const struct walk *walk = ctx;

	for (size_t i = 0; i < walk->job->num_regions; i++) {
		const struct dump_region *r = &walk->job->regions[i];

		if (va >= r->va && va - r->va < r->size && !((uintptr_t)r->data & 3)) {
			*words = (r->size - (va - r->va)) / 4;
			return (const uint32_t *)((const char *)r->data + (va - r->va));
		}
	}
	return NULL;
}

/*
 * What the ring has set before the stream. Samplers that nobody has set are off, as far as the dump tells: worth a word
 * when it is TX that does not end.
 */
static bool before(void *ctx, uint32_t address, uint32_t *value)
{
	const struct walk *walk = ctx;
	bool sampler = (address >= VIVS_TE_SAMPLER_CONFIG0 && address < VIV_AT(VIVS_TE_SAMPLER_CONFIG0, VIVS_TE_SAMPLER_CONFIG0__LEN)) ||
		       (address >= VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, VIVS_TE_SAMPLER_CONFIG0__LEN) &&
			address < VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, VIVS_NTE_SAMPLER_CONFIG0__LEN));

	if (address / 4 >= STATES || (!walk->set[address / 4] && !(sampler && !(walk->idle & VIVS_HI_IDLE_STATE_TX))))
		return false;
	*value = walk->state[address / 4];
	return true;
}

static uint32_t state(const struct walk *walk, uint32_t address)
{
	return walk->state[address / 4];
}

static bool is_set(const struct walk *walk, uint32_t address)
{
	return walk->set[address / 4];
}

/*
 * The first instruction with which the shader cannot end: it leads beyond the end (whole: where that is, is known), or to
 * itself or one before it, or loops are in each other more deeply than there is room for.
 */
static void find_loop(struct walk *walk, const char *what, const uint32_t *words, size_t count, bool whole)
{
	unsigned int depth = 0;

	for (size_t i = 0; i + 4 <= count && !walk->loop[0]; i += 4) {
		const struct isa_op *op;
		struct isa_bits b;
		const char *line;
		char *text, does[80] = "";
		uint32_t to;

		memcpy(b.w, words + i, sizeof(b.w));
		op = isa_match_op(&isa_vivante, 0, &b);
		to = viv_target(op, &b);
		depth += op->id == VIV_OP_loop || op->id == VIV_OP_rep;
		depth -= depth && (op->id == VIV_OP_endloop || op->id == VIV_OP_endrep);
		if (depth > VIV_SHADER_NEST)
			snprintf(does, sizeof(does), "begins loop number %u within loops, and there is room for %u", depth, VIV_SHADER_NEST);
		else if (op->id != VIV_OP_branch && op->id != VIV_OP_branch_any && op->id != VIV_OP_call)
			continue;
		else if (whole && to > count / 4)
			snprintf(does, sizeof(does), "goes to %u, but it has %zu instructions", to, count / 4);
		else if (to <= i / 4)
			snprintf(does, sizeof(does), "%s %u", op->id == VIV_OP_call ? "calls back to" : "goes back to", to);
		else
			continue;
		text = limn_isa_disasm(&isa_vivante, words + i, 4);
		line = text ? text : "";
		/* A label, where it goes to itself. */
		if (line[strcspn(line, "\n:")] == ':' && strchr(line, '\n'))
			line = strchr(line, '\n') + 1;
		snprintf(walk->loop, sizeof(walk->loop), "instruction %zu of its %s shader %s: %.*s", i / 4, what, does,
			 (int)strcspn(line, "\n"), line);
		walk->loop_place = (struct dump_place){ .stage = *what == 'v' ? 'V' : 'P', .instruction = (uint32_t)(i / 4) };
		free(text);
	}
}

static void print_code(struct walk *walk, const char *what, uint32_t va, uint32_t instructions)
{
	size_t words = instructions ? 4 * (size_t)instructions : 64;
	struct json *j = walk->o->json;
	const void *p;

	while (words && !dump_memory(walk->job, va, 4 * (words > MAX_SHADER ? MAX_SHADER : words)))
		words -= 4;
	words = words > MAX_SHADER ? MAX_SHADER : words;
	p = words ? dump_memory(walk->job, va, 4 * words) : NULL;
	json_object(j, NULL);
	report(j, "  {stage} shader at 0x{va}{_end}\n", STRING("stage", what), HEX("va", va),
	       TEXT("_end", p ? ":" : ", not in the dump"));
	if (p) {
		uint32_t code[MAX_SHADER];

		memcpy(code, p, 4 * words);
		find_loop(walk, what, code, words, instructions);
		dump_print_code(j, "vivante", "", p, words);
	}
	json_end_object(j);
}

/* A shader that the stream itself has loaded: instructions [start, end) of the memory at base. */
static void print_loaded(struct walk *walk, const char *what, uint32_t base, uint32_t start, uint32_t end)
{
	size_t first = base / 4 + 4 * (size_t)start, words = end > start ? 4 * (size_t)(end - start) : 0;
	struct json *j = walk->o->json;
	bool here;

	/* GC2000's pixel shaders come in through a second window onto the same memory. */
	if (base == VIVS_SH_INST_MEM && first < STATES && !walk->set[first])
		first -= (VIVS_SH_INST_MEM - VIVS_SH_INST_MEM_MIRROR) / 4;
	here = words && words <= MAX_SHADER && first + words <= STATES && walk->set[first];
	json_object(j, NULL);
	report(j, "  {stage} shader: instructions {first_instruction} to {end_instruction} of the shader memory{_end}\n",
	       STRING("stage", what), INT("first_instruction", start), INT("end_instruction", end),
	       TEXT("_end", here ? ":" : ", not loaded by this stream"));
	if (here) {
		find_loop(walk, what, walk->state + first, words, true);
		dump_print_code(j, "vivante", "", walk->state + first, words);
	}
	json_end_object(j);
}

/* A stage's shader: in memory, where GPUs have it there, or in the state itself. */
static void print_shader(struct walk *walk, const char *what, uint32_t address, uint32_t range, uint32_t memory,
			 uint32_t start_pc, uint32_t end_pc, uint32_t new_high)
{
	/* The fields of both stages' RANGE are alike. */
	uint32_t low = VIV_GET(VIVS_VS_RANGE_LOW, state(walk, range));
	uint32_t end = VIV_GET(VIVS_VS_RANGE_HIGH, state(walk, range)) + 1;

	if (is_set(walk, address))
		print_code(walk, what, state(walk, address), is_set(walk, new_high) ? state(walk, new_high) : is_set(walk, range) ? end : 0);
	else if (is_set(walk, range))
		print_loaded(walk, what, VIVS_SH_INST_MEM, low, end);
	else if (is_set(walk, end_pc))
		print_loaded(walk, what, memory, state(walk, start_pc), state(walk, end_pc));
}

static void print_state(struct walk *walk)
{
	struct json *j = walk->o->json;
	unsigned int n = 0;

	for (uint32_t i = 0; i < STATES; i++)
		n += walk->set[i];
	report(j, "  {states_set} states set before{_end}\n", INT("states_set", n), TEXT("_end", n ? ":" : ""));
	json_array(j, "state");
	for (uint32_t i = 0; i < STATES; i++) {
		uint32_t index[2] = { 0 };
		const struct viv_row *row = walk->set[i] ? limn_viv_state_at(4 * i, index) : NULL;

		if (row && (walk->o->all || (row->kind == VIV_KIND_ADDR && walk->state[i])))
			print_value(j, "    {at%05llx} {name%-32s} {value}  {meaning}\n", NULL, 4 * i, row, index,
				    walk->state[i]);
	}
	json_end_array(j);
	json_array(j, "shaders");
	print_shader(walk, "vertex", VIVS_VS_INST_ADDR, VIVS_VS_RANGE, VIVS_VS_INST_MEM, VIVS_VS_START_PC, VIVS_VS_END_PC,
		     VIVS_VS_HALTI5_RANGE_HIGH);
	print_shader(walk, "pixel", VIVS_PS_INST_ADDR, VIVS_PS_RANGE, VIVS_PS_INST_MEM, VIVS_PS_START_PC, VIVS_PS_END_PC,
		     VIVS_PS_HALTI5_RANGE_HIGH);
	json_end_array(j);
}

static void print_stream(const struct dump_region *r, struct walk *walk, bool here)
{
	/* The ring still has jumps into streams that are no more. */
	bool ring = !strcmp(r->label, "ring");
	struct viv_sink sink = { walk, on_word, on_finding, ring ? NULL : in_dump, before };
	const char *name = r->label[0] ? r->label : "stream";
	struct viv_decode_stats stats;
	struct json *j = walk->o->json;
	size_t n = r->size / 4;
	uint32_t *words = malloc(r->size + 4);

	if (!words)
		return;
	memcpy(words, r->data, 4 * n);
	json_object(j, NULL);
	report(j, "{name} at 0x{va}, {words} words{_here}\n", STRING("name", name), HEX("va", r->va), INT("words", n),
	       BOOL("front_end_here", here), TEXT("_here", here ? ": the front end is here" : ""));
	if (here)
		report(j, "", HEX("stopped_at", r->va + 4 * walk->stop));
	json_array(j, "commands");
	limn_viv_decode(words, n, 0, &sink, &stats);
	json_end_array(j);
	/* In the ring FE has run ahead of what works at the stream. */
	if (here || walk->ahead)
		print_state(walk);
	walk->ahead |= here && ring;
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

/* The units that work, but for FE, as "SH, PE". AXI_LP is none: it tells of the bus' power. */
static void busy_units(const struct dump *dump, char *text, size_t size)
{
	const struct viv_row *row = limn_viv_state_named("VIVS_HI_IDLE_STATE");
	uint32_t idle = ~0u;
	size_t n = 0;

	text[0] = 0;
	any_reg(dump, VIVS_HI_IDLE_STATE, &idle);
	for (const struct viv_row *f = row ? limn_viv_field_first(row) : NULL; f; f = limn_viv_field_next(f))
		if (f->hi == f->lo && !(idle >> f->lo & 1) && strcmp(f->name, "FE") && strcmp(f->name, "AXI_LP") && n < size)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", f->name);
}

/*
 * A byte of a tile status buffer that means nothing. A tile has 2 bits or 4, as the chip will have it: 0, 1 and, of four,
 * 15 are what they may be.
 */
static bool is_no_tile_status(uint8_t b)
{
	bool fours = true, twos = true;

	for (unsigned int i = 0; i < 8; i += 4)
		fours &= (b >> i & 15) <= 1 || (b >> i & 15) == 15;
	for (unsigned int i = 0; i < 8; i += 2)
		twos &= (b >> i & 3) <= 1;
	return !fours && !twos;
}

/* When TS does not end: where it reads what is no tile status. */
static void find_tile_status(struct walk *walk)
{
	static const struct {
		const char *name;
		uint32_t base, enable;
	} buffers[] = {
		{ "colour", VIVS_TS_COLOR_STATUS_BASE, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR },
		{ "depth", VIVS_TS_DEPTH_STATUS_BASE, VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR },
	};

	for (unsigned int i = 0; i < 2; i++) {
		uint32_t va = state(walk, buffers[i].base);
		const uint8_t *p = NULL;
		char why[160];

		if (!is_set(walk, buffers[i].base) || !(state(walk, VIVS_TS_MEM_CONFIG) & buffers[i].enable))
			continue;
		for (; (p = dump_memory(walk->job, va, 1)) && !is_no_tile_status(*p); va++)
			;
		if (!p)
			continue;
		snprintf(why, sizeof(why), "the %s's tile status has 0x%02x at 0x%08x, which is none: hangs", buffers[i].name, *p, va);
		note_cause(walk, LIKELY, walk->draw_at, why);
	}
}

/* At a WAIT_FENCE that it has taken: what it waits for, if the dump has not got that. */
static bool fence_text(const struct walk *walk, const char *draw, char *text, size_t size)
{
	uint64_t have, want = (uint64_t)state(walk, VIVS_FE_FENCE_WAIT_DATA_HIGH) << 32 |
			      state(walk, VIVS_FE_FENCE_WAIT_DATA_LOW);
	const void *p = dump_memory(walk->job, walk->argument, sizeof(have));

	if (!walk->fetched || !p || strcmp(walk->at_stop, "WAIT_FENCE"))
		return false;
	memcpy(&have, p, sizeof(have));
	snprintf(text, size, "The front end waits at WAIT_FENCE, %s, for %llu at 0x%08x, where %llu is.",
		 draw, (unsigned long long)want, walk->argument, (unsigned long long)have);
	return have < want;
}

/* The LINK that leads the front end back to where it has been, with nothing on the way that ends or waits. */
static bool round_text(const struct walk *walk, uint32_t fe, char *text, size_t size)
{
	uint32_t va = fe, first = 0, w[2];

	for (unsigned int commands = 0, links = 0; commands < MAX_ROUND; commands++) {
		const void *p = dump_memory(walk->job, va, sizeof(w));

		if (!p)
			return false;
		memcpy(w, p, sizeof(w));
		switch (VIV_GET(VIV_FE_OPCODE, w[0])) {
		case FE_OPCODE_END:
		case FE_OPCODE_WAIT:
		case FE_OPCODE_STALL:
		case FE_OPCODE_CALL:
		case FE_OPCODE_RETURN:
		case FE_OPCODE_WAIT_FENCE:
			return false;
		case FE_OPCODE_LINK:
			if (links && w[1] == first) {
				snprintf(text, size, "The front end goes round for ever: the LINK at 0x%08x leads back to 0x%08x.",
					 va, first);
				return true;
			}
			first = links++ ? first : w[1];
			va = w[1];
			break;
		default:
			if (!viv_fe_command_words(w[0]))
				return false;
			va += 4 * viv_fe_command_words(w[0]);
		}
	}
	return false;
}

/* What the GPU was doing and why it stopped, in a sentence; *at: where the stream says so. */
static void summarize(const struct dump *dump, struct walk *walk, bool found, uint32_t fe, char *text, size_t size,
		      struct dump_place *at)
{
	const struct dump_place stop = { .known = walk->here, .word = walk->stop };
	char busy[120], draw[60];
	uint32_t clock = 0;
	int kind;

	busy_units(dump, busy, sizeof(busy));
	if (!(walk->idle & VIVS_HI_IDLE_STATE_TS))
		find_tile_status(walk);
	if (walk->draws)
		snprintf(draw, sizeof(draw), "in or behind draw %zu of its stream", walk->draws - 1);
	else
		where_text(walk, 0, draw, sizeof(draw));
	*at = (struct dump_place){ .known = walk->draws, .word = walk->draw_at };
	any_reg(dump, VIVS_HI_CLOCK_CONTROL, &clock);
	if (clock & VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU || VIV_GET(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE, clock)) {
		at->known = false;
		snprintf(text, size, "The core cannot work: HI.CLOCK_CONTROL %s.", clock & VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU ?
			 "isolates it from the bus (ISOLATE_GPU)" : "has left DEBUG_PIXEL_PIPE at other than 0");
	} else if (dump->fault) {
		snprintf(text, size, "The MMU stopped the core, %s: nothing is mapped at 0x%08llx for what it did.", draw,
			 (unsigned long long)dump->fault);
	} else if (!found || round_text(walk, fe, text, size)) {
		at->known = false;
		if (!found)
			snprintf(text, size, "The front end has left its streams: it is at 0x%08x, where a jump or a length led it.", fe);
	} else if (fence_text(walk, draw, text, size)) {
		*at = stop;
	} else if (walk->cause[CERTAIN].why[0] || (walk->cause[LIKELY].why[0] && (walk->idle & VIVS_HI_IDLE_STATE_SH || !walk->loop[0]))) {
		kind = walk->cause[CERTAIN].why[0] ? CERTAIN : LIKELY;
		*at = walk->cause[kind].place;
		snprintf(text, size, "The GPU does not come out of what it was told %s: %s.", walk->cause[kind].where, walk->cause[kind].why);
	} else if (!(walk->idle & VIVS_HI_IDLE_STATE_SH) && walk->loop[0]) {
		at->stage = walk->loop_place.stage;
		at->instruction = walk->loop_place.instruction;
		snprintf(text, size, "The shader core does not end, %s: %s.", draw, walk->loop);
	} else if (walk->cause[AN_ERROR].why[0]) {
		*at = walk->cause[AN_ERROR].place;
		snprintf(text, size, "The front end stopped at %s, %s: %s.", walk->at_stop, draw, walk->cause[AN_ERROR].why);
	} else if (walk->here && !strcmp(walk->at_stop, "RETURN")) {
		snprintf(text, size, "The front end stopped at RETURN, %s: nothing called the stream.", draw);
	} else if (walk->here && (walk->need == VIV_NEEDS_HALTI0 || walk->need == VIV_NEEDS_HALTI5) && !*busy) {
		*at = stop;
		snprintf(text, size, "The front end stopped at %s, %s: only some chips have that command.", walk->at_stop, draw);
	} else if (strstr(walk->at_stop, "STALL")) {
		snprintf(text, size, "The front end waits at a STALL, %s, for %s%s.", draw, *busy ? "units that are busy: " :
			 "a semaphore that nobody sends", busy);
	} else {
		snprintf(text, size, "The front end stopped at %s, %s; busy: %s.", walk->at_stop, draw, *busy ? busy : "nobody else");
	}
}

static void print_summary(const struct dump *dump, struct walk *walk, bool found, uint32_t fe)
{
	struct dump_place at;
	char text[1000];

	summarize(dump, walk, found, fe, text, sizeof(text), &at);
	if (walk->of_source)
		dump_source_tell(walk->o->source, walk->job, &at, walk->o->json, text, sizeof(text));
	report(walk->o->json, "In short: {summary}\n", STRING("summary", text));
}

void dump_print_vivante(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	struct walk walk = { .o = o, .job = job, .idle = ~0u, .state = calloc(STATES, 4), .set = calloc(STATES, 1) };
	uint32_t fe = 0;
	bool known = any_reg(dump, VIVS_FE_DMA_ADDRESS, &fe), found = false;

	any_reg(dump, VIVS_HI_IDLE_STATE, &walk.idle);
	any_reg(dump, VIVS_HI_CHIP_FEATURE, &walk.features);
	print_registers(dump, o);
	if (known)
		report(o->json, "", HEX("front_end", fe));
	json_array(o->json, "streams");
	for (size_t i = 0; walk.state && walk.set && i < job->num_regions; i++) {
		const struct dump_region *r = &job->regions[i];
		bool here = known && fe >= r->va && fe - r->va < r->size;

		found |= here;
		if (!r->size || (!here && !r->stream) || (!here && !o->all && !strcmp(r->label, "ring")))
			continue;
		walk.stop = here ? stopped_at(dump, r, fe) : r->size / 4;
		walk.here = here && r->stream;
		walk.fetched = here && r->va + 4 * walk.stop != fe;
		walk.foreign = !r->stream;
		if (r->stream) {
			walk.draws = 0;
			memset(walk.cause, 0, sizeof(walk.cause));
			walk.of_source = dump_source_is(o->source, job, r);
		}
		print_stream(r, &walk, here);
	}
	json_end_array(o->json);
	if (known)
		print_summary(dump, &walk, found, fe);
	if (known && !found)
		report(o->json, "the front end is at 0x{_at}, which is in no stream or BO of the dump\n", TEXT_HEX("_at", fe));
	free(walk.state);
	free(walk.set);
}
