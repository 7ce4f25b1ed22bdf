// SPDX-License-Identifier: MIT
/*
 * Utgard GP's vertex shader: its command list, and draws, eight vertices at a time.
 *
 * Facts: Mesa lima_gpu.h, lima_draw.c, lima_parser.c; limare gp.c, vs.h.
 */
#include <stdlib.h>

#include "isa/utgard_gp.h"
#include "model/utgard/vs_stream.h"
#include "sim/utgard_gp.h"

#define COMMANDS_PER_SLICE	16
#define GROUPS_PER_SLICE	8
#define INSTRUCTIONS_PER_SLICE	2000u
#define PROGRAMS		8
#define MAX_UNIFORMS		GPSIM_MEMORY

struct program {
	uint32_t words[GPSIM_MAX_INSTRUCTIONS * 4];
	uint32_t count;		/* instructions */
	uint32_t prefetch;	/* the last that loads an attribute */
	uint32_t attributes;	/* that it loads, a bit each */
	struct gpsim_program *decoded;
};

struct vs {
	struct gp *gp;
	struct gpsim_state *sim;
	struct program programs[PROGRAMS];
	unsigned int next_program;
	float constants[MAX_UNIFORMS][4];
	struct vs_stream in[GP_MAX_STREAMS], out[GP_MAX_STREAMS];
	/* What a reset clears. */
	bool active, hung;
	uint32_t pc, end;
	uint32_t shader, shader_size, info;
	uint32_t uniforms, num_uniforms;	/* vec4s */
	uint32_t attributes, num_attributes, varyings, num_varyings, counts;
	bool linked;			/* array draw: the PLBU follows */
	/* The draw under way. */
	bool draw, ready, running;
	uint32_t count, next;
	struct program *program;
};

struct vs *vs_create(struct gp *gp)
{
	struct vs *vs = calloc(1, sizeof(*vs));

	if (!vs)
		return NULL;
	vs->gp = gp;
	vs->sim = aligned_alloc(32, (sizeof(*vs->sim) + 31) / 32 * 32);
	if (!vs->sim) {
		free(vs);
		return NULL;
	}
	memset(vs->sim, 0, sizeof(*vs->sim));
	return vs;
}

void vs_destroy(struct vs *vs)
{
	if (!vs)
		return;
	for (int i = 0; i < PROGRAMS; i++)
		gpsim_free(vs->programs[i].decoded);
	free(vs->sim);
	free(vs);
}

void vs_reset(struct vs *vs)
{
	unit_clear(vs, active);
}

void vs_start(struct vs *vs, uint32_t start, uint32_t end)
{
	vs->active = true;
	vs->hung = false;
	vs->draw = false;
	vs->linked = false;
	vs->pc = start;
	vs->end = end;
}

bool vs_active(const struct vs *vs)
{
	return vs->active;
}

/* --- Draws ------------------------------------------------------------- */

static void find_attribute_loads(struct program *p, const uint32_t *words, uint32_t count)
{
	p->prefetch = p->attributes = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct isa_bits bits = { 0 };

		memcpy(bits.w, words + 4 * i, 16);
		if (!gp_get(&bits, register0_attribute))
			continue;
		p->prefetch = i;
		p->attributes |= 1u << gp_get(&bits, register0_addr);
	}
}

/* The decoded shader; NULL when there is none to run. */
static struct program *find_program(struct vs *vs, const uint32_t *words, uint32_t count)
{
	struct unit *u = &vs->gp->u;
	const struct isa_messages *notes;
	struct program *p;

	for (int i = 0; i < PROGRAMS; i++) {
		p = &vs->programs[i];
		if (p->decoded && p->count == count && !memcmp(p->words, words, 16 * count))
			return p;
	}
	p = &vs->programs[vs->next_program++ % PROGRAMS];
	gpsim_free(p->decoded);
	memcpy(p->words, words, 16 * count);
	p->count = count;
	find_attribute_loads(p, words, count);
	p->decoded = gpsim_decode(words, count);
	if (!p->decoded) {
		unit_report(u, "vertex shader %08x with %u instructions cannot be decoded", vs->shader, count);
		return NULL;
	}
	notes = gpsim_notes(p->decoded);
	for (size_t n = 0; n < notes->count; n++)
		unit_report(u, "vertex shader %08x, instruction %u: %s", vs->shader, notes->list[n].at, notes->list[n].text);
	return p;
}

static bool read_streams(struct vs *vs, uint32_t va, uint32_t count, struct vs_stream *s, const char *what)
{
	if (count > GP_MAX_STREAMS) {
		unit_report(&vs->gp->u, "%u %s streams", count, what);
		count = GP_MAX_STREAMS;
	}
	return gp_load(vs->gp, va, s, count * sizeof(*s));
}

/* Reads all that a draw needs before its first vertex; false: fault. */
static bool prepare(struct vs *vs)
{
	uint32_t words[GPSIM_MAX_INSTRUCTIONS * 4], count = (UTGARD_GET(VS_REG_INSTRUCTIONS, vs->info) + 1);
	struct unit *u = &vs->gp->u;

	if (count != vs->shader_size)
		unit_report(u, "shader %08x: %u instructions in its address command, %u in its info", vs->shader,
			    vs->shader_size, count);
	if (count > GPSIM_MAX_INSTRUCTIONS)
		count = GPSIM_MAX_INSTRUCTIONS;
	if ((UTGARD_GET(VS_REG_ATTRIBUTES, vs->counts) + 1) != vs->num_attributes ||
	    (UTGARD_GET(VS_REG_VARYINGS, vs->counts) + 1) != vs->num_varyings)
		unit_report(u, "%u attribute and %u varying streams, but counts %08x", vs->num_attributes,
			    vs->num_varyings, vs->counts);
	if (vs->num_uniforms > MAX_UNIFORMS) {
		unit_report(u, "%u uniform vectors", vs->num_uniforms);
		vs->num_uniforms = MAX_UNIFORMS;
	}
	if (!gp_load(vs->gp, vs->shader, words, 16 * count) ||
	    !gp_load(vs->gp, vs->uniforms, vs->constants, 16 * vs->num_uniforms) ||
	    !read_streams(vs, vs->attributes, vs->num_attributes, vs->in, "attribute") ||
	    !read_streams(vs, vs->varyings, vs->num_varyings, vs->out, "varying"))
		return false;
	vs->program = find_program(vs, words, count);
	/* Mesa ir/gp/codegen.c: what compilers put there; GUESS(vs-prefetch): less makes later loads return garbage. */
	if (vs->program && unit_strict(u) && UTGARD_GET(VS_REG_PREFETCH, vs->info) < vs->program->prefetch)
		unit_report(u, "shader %08x: prefetch is %u, but instruction %u loads an attribute", vs->shader,
			    UTGARD_GET(VS_REG_PREFETCH, vs->info), vs->program->prefetch);
	vs->sim->uniforms = (const float (*)[4])vs->constants;
	vs->sim->uniform_count = vs->num_uniforms;
	vs->ready = true;
	return true;
}

static uint8_t lanes(const struct vs *vs)
{
	return vs->count - vs->next >= SIM_LANES ? 0xff : (1u << (vs->count - vs->next)) - 1;
}

/* Loads the next vertices' attributes and starts their shader; false: fault. */
static bool begin_group(struct vs *vs)
{
	uint32_t n = vs->num_attributes < GP_MAX_STREAMS ? vs->num_attributes : GP_MAX_STREAMS;

	gpsim_begin(vs->sim, vs->program->decoded, lanes(vs));
	/*
	 * GUESS(vs-attribute-unused): a stream that no instruction loads is not read. Mesa's lima gives a shader without
	 * attributes one that it has not written (lima_draw.c), which boards draw.
	 */
	for (uint32_t i = 0; i < n; i++) {
		if (vs->program->attributes >> i & 1 && !vs_load(vs->gp, &vs->in[i], vs->next, lanes(vs), vs->sim->attributes[i]))
			return false;
	}
	vs->running = true;
	return true;
}

/* Stores what the shader made of the vertices; false: fault. */
static bool end_group(struct vs *vs)
{
	uint32_t n = vs->num_varyings < GP_MAX_STREAMS ? vs->num_varyings : GP_MAX_STREAMS;

	for (uint32_t i = 0; i < n; i++) {
		if (!vs->sim->written[i])
			unit_report(&vs->gp->u, "vertex shader %08x does not write varying %u, which has a stream",
				    vs->shader, i);
		if (!vs_store(vs->gp, &vs->out[i], vs->next, lanes(vs), vs->sim->varyings[i]))
			return false;
	}
	if (vs->sim->events)
		unit_report(&vs->gp->u, "vertex shader %08x: events %x (1 load range, 2 store range, 4 unknown op)",
			    vs->shader, vs->sim->events);
	unit_stats(&vs->gp->u)->vertices += __builtin_popcount(lanes(vs));
	vs->gp->count[GP_EVENT_VERTICES] += __builtin_popcount(lanes(vs));
	vs->running = false;
	vs->next += SIM_LANES;
	return true;
}

static void end_draw(struct vs *vs)
{
	vs->draw = false;
	if (!vs->linked)
		return;
	vs->gp->vs_point_sizes = 0;
	for (uint32_t i = 0; i < vs->num_varyings && i < GP_MAX_STREAMS; i++) {
		if (vs_is_point_size(&vs->out[i]))
			vs->gp->vs_point_sizes = vs->out[i].address;
	}
}

static enum slice draw_slice(struct vs *vs)
{
	unsigned int budget = INSTRUCTIONS_PER_SLICE;

	if (!vs->ready && !prepare(vs))
		return SLICE_MORE;
	if (!vs->program) {
		vs->hung = true;
		return SLICE_WAIT;
	}
	for (int i = 0; i < GROUPS_PER_SLICE && vs->next < vs->count; i++) {
		if (!vs->running && !begin_group(vs))
			return SLICE_MORE;
		switch (gpsim_run(vs->sim, budget)) {
		case SIM_LIMIT:
			return SLICE_MORE;
		case SIM_FAULT:
			/* GUESS(vs-fault-hangs): a shader that cannot go on hangs the VS. */
			unit_report(&vs->gp->u, "vertex shader %08x, instruction %u: %s", vs->shader,
				    vs->sim->fault.at, vs->sim->fault.reason);
			vs->hung = true;
			return SLICE_WAIT;
		case SIM_DONE:
			if (!end_group(vs))
				return SLICE_MORE;
		}
	}
	if (vs->next >= vs->count)
		end_draw(vs);
	return SLICE_MORE;
}

/* --- Command list -------------------------------------------------------- */

static enum slice invalid(struct vs *vs, uint32_t w0, uint32_t w1)
{
	unit_report(&vs->gp->u, "VS list %08x: invalid command %08x %08x", vs->pc, w0, w1);
	vs->active = false;
	gp_raise(vs->gp, GP_IRQ_VS_INVALID_CMD);
	return SLICE_ERROR;
}

static void set_register(struct vs *vs, uint32_t w0, uint32_t w1)
{
	switch (w1 & 0x0fffffff) {
	case VS_REG_SHADER_INFO:
		vs->info = w0;
		return;
	case VS_REG_UNKNOWN_41:
		if (w0 != 3)
			unit_report(&vs->gp->u, "VS list %08x: register 041 is %08x; only 3 has been seen", vs->pc, w0);
		return;
	case VS_REG_COUNTS:
		vs->counts = w0;
		return;
	}
	unit_report(&vs->gp->u, "VS list %08x: %08x to unknown register %07x", vs->pc, w0, w1 & 0xfffffff);
}

/* What is guessed here stands at semaphore() of plbu.c. */
static enum slice semaphore(struct vs *vs, uint32_t w0, uint32_t w1)
{
	struct gp *gp = vs->gp;

	switch (w0) {
	case VS_SEM_BEGIN_1:
		vs->linked = true;
		return SLICE_MORE;
	case VS_SEM_BEGIN_2:
		if (!gp->sem_vs)
			return SLICE_WAIT;
		gp->sem_vs--;
		return SLICE_MORE;
	case VS_SEM_END:
	case VS_SEM_END_INDEXED:
		vs->linked = false;
		gp->sem_plbu++;
		return SLICE_MORE;
	}
	return invalid(vs, w0, w1);
}

static enum slice execute(struct vs *vs, const uint32_t w[2])
{
	uint32_t w0 = w[0], w1 = w[1];

	switch (w1 >> GP_OP_SHIFT) {
	case VS_DRAW__OP:
		if (!w0 && !w1)
			return SLICE_MORE;
		vs->count = utgard_get(w, VS_DRAW_COUNT);
		vs->next = 0;
		vs->ready = false;
		vs->running = false;
		vs->draw = true;
		return SLICE_MORE;
	case VS_REGISTER__OP:
		set_register(vs, w0, w1);
		return SLICE_MORE;
	case VS_STREAMS__OP:
		if (utgard_get(w, VS_STREAMS_VARYINGS)) {
			vs->varyings = w0;
			vs->num_varyings = utgard_get(w, VS_STREAMS_COUNT);
		} else {
			vs->attributes = w0;
			vs->num_attributes = utgard_get(w, VS_STREAMS_COUNT);
		}
		return SLICE_MORE;
	case VS_UNIFORMS__OP:
		vs->uniforms = w0;
		vs->num_uniforms = utgard_get(w, VS_UNIFORMS_VECTORS);
		return SLICE_MORE;
	case VS_SHADER__OP:
		vs->shader = w0;
		vs->shader_size = utgard_get(w, VS_SHADER_INSTRUCTIONS);
		return SLICE_MORE;
	case VS_SEMAPHORE__OP:
		return semaphore(vs, w0, w1);
	case VS_FLUSH__OP:
		return SLICE_MORE;
	}
	return invalid(vs, w0, w1);
}

enum slice vs_slice(struct vs *vs)
{
	if (vs->hung)
		return SLICE_WAIT;
	for (int i = 0; i < COMMANDS_PER_SLICE; i++) {
		enum slice s;
		uint32_t w[2];

		if (vs->draw)
			return draw_slice(vs);
		if (vs->pc == vs->end) {
			vs->active = false;
			return SLICE_END;
		}
		if (!gp_load(vs->gp, vs->pc, w, sizeof(w)))
			return SLICE_MORE;
		if (w[1] >> GP_OP_SHIFT == VS_JUMP__OP) {
			vs->pc = w[0];
			continue;
		}
		s = execute(vs, w);
		if (s == SLICE_WAIT && i)
			return SLICE_MORE;	/* not before all else was tried again */
		if (s != SLICE_MORE)
			return s;
		vs->pc += 8;
	}
	return SLICE_MORE;
}
