// SPDX-License-Identifier: MIT
/* limn exec: the Utgard shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/utgard_gp.h"
#include "tool/exec_step.h"

/* A unit's result: once when all lanes of the mask agree, else lane by lane. */
static void print_result(const char *unit, const v8f *v, unsigned int mask)
{
	bool same = true;

	for (int lane = 0; lane < SIM_LANES; lane++)
		if (mask >> lane & 1 && memcmp(&(float){ (*v)[lane] }, &(float){ (*v)[__builtin_ctz(mask)] }, 4))
			same = false;
	printf("\t# %s", unit);
	if (same)
		printf(" %.6g", (*v)[__builtin_ctz(mask)]);
	for (int lane = 0; !same && lane < SIM_LANES; lane++) {
		if (mask >> lane & 1)
			printf(" %.6g", (*v)[lane]);
		else
			printf(" -");
	}
	printf("\n");
}

/* The results of an instruction's units, in the lanes of its thread. */
static void trace_gp(const struct exec *e, const struct gpsim_thread *t, unsigned int pc, unsigned int mask)
{
	static const uint8_t result[] = { GP_SRC_P1_ACC0, GP_SRC_P1_ACC1, GP_SRC_P1_MUL0, GP_SRC_P1_MUL1, GP_SRC_P1_PASS,
					  GP_SRC_P1_COMPLEX };
	static const char *const unit[] = { "a0", "a1", "m0", "m1", "p", "c" };
	struct isa_bits b;

	memcpy(b.w, e->file.words + pc * 4, sizeof(b.w));
	printf("\t# lanes %02x\n", mask);
	for (unsigned int u = GP_A0; u <= GP_C; u++)
		if (gp_unit_op(&b, u) || (u == GP_M0 && gp_unit_op(&b, GP_M01)))
			print_result(unit[u], &t->source[result[u]], mask);
}

/* The instruction of the thread that runs next, or what is behind the last one. */
static enum sim_status step_gp(struct exec *e)
{
	const struct gpsim_thread *t = e->gp.thread_count ? &e->gp.threads[e->gp.thread_count - 1] : NULL;
	unsigned int mask = t ? t->mask : 0, pc = t ? t->pc : 0, events = e->gp.events;
	enum sim_status status;

	if (t && !exec_step_at(e, "%03u:", pc, mask))
		return SIM_DONE;
	if (e->trace && t)
		exec_print_instruction(e, "%03u:", pc);
	status = gpsim_run(&e->gp, 1);
	if (e->trace && t)
		trace_gp(e, t, pc, mask);
	if (e->gp.events & ~events & GPSIM_UNKNOWN_OP)
		exec_unknown(e, "%03u:", pc);
	return status;
}

int exec_gp(struct exec *e)
{
	struct gpsim_program *prog = e->file.count % 4 ? NULL : gpsim_decode(e->file.words, e->file.count / 4);
	enum sim_status status = SIM_LIMIT;
	const struct isa_messages *notes;

	if (!prog) {
		fprintf(stderr, "%s: a GP shader has 1 to 512 instructions of 4 words, not %zu words\n",
			e->file.path, e->file.count);
		return 1;
	}
	notes = gpsim_notes(prog);
	for (size_t i = 0; i < notes->count; i++)
		fprintf(stderr, "%s: at %u: %s\n", e->file.path, notes->list[i].at, notes->list[i].text);
	memcpy(e->gp.attributes, e->attributes, sizeof(e->attributes));
	e->gp.uniforms = (const float (*)[4])e->uniforms;
	e->gp.uniform_count = MAX_UNIFORMS;
	gpsim_begin(&e->gp, prog, 0xff);
	for (unsigned int i = 0; i < e->limit && status == SIM_LIMIT; i++)
		status = step_gp(e);
	exec_print_changed("$", (v8u (*)[4])e->gp.registers, NULL, e->gp.registers_written, 16, 0xff);
	for (unsigned int v = 0; v < GPSIM_VARYINGS; v++) {
		char name[8];

		snprintf(name, sizeof(name), "v%u", v);
		if (e->gp.written[v])
			exec_print_vec4(name, e->gp.varyings[v], e->gp.written[v]);
	}
	gpsim_free(prog);
	return exec_finish(e, status, e->gp.fault, e->gp.events);
}

static bool env_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	struct exec *e = ctx;

	if (address < 0 || address + count > MAX_UNIFORMS * 4)
		return false;
	for (unsigned int i = 0; i < count; i++)
		halves[i] = half_from_float(e->uniforms[0][address + i]);
	return true;
}

static bool env_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	struct exec *e = ctx;

	for (unsigned int i = 0; i < count; i++)
		out[i] = address + i < 64 ? e->varyings[0][address + i] : (v8f){ 0 };
	return true;
}

static bool env_sample(void *ctx, const struct ppsim_sample *sample, v8f *rgba)
{
	struct exec *e = ctx;

	if (sample->sampler < 16)
		memcpy(rgba, e->textures[sample->sampler], sizeof(e->textures[0]));
	return true;
}

static void env_framebuffer(void *ctx, bool depth, v8f out[4])
{
	struct exec *e = ctx;

	memcpy(out, depth ? e->depth : e->fb, sizeof(e->fb));
}

/* Names of the registers, general ones and pipes. */
static void print_registers_pp(const struct exec *e, const char *indent, v8f (*before)[4], unsigned int first, unsigned int last)
{
	static const char *const pipes[] = { "^const0", "^const1", "^texture", "^uniform" };
	char name[16];

	for (unsigned int r = first; r < last; r++) {
		unsigned int changed = exec_changed((const v8u *)e->pp.registers[r], before ? (const v8u *)before[r] : NULL);

		snprintf(name, sizeof(name), "%s$%u", indent, r);
		if (r >= 12)
			snprintf(name, sizeof(name), "%s%s", indent, pipes[r - 12]);
		if (changed)
			exec_print_vec4(name, e->pp.registers[r], changed);
	}
}

static enum sim_status step_pp(struct exec *e)
{
	unsigned int events = e->pp.events;
	enum sim_status status;
	v8f before[16][4];
	unsigned int lanes;
	int at = ppsim_next(&e->pp, &lanes);

	if (!exec_step_at(e, "@%6u:", (unsigned int)at, lanes))
		return SIM_DONE;
	if (e->trace) {
		memcpy(before, e->pp.registers, sizeof(before));
		exec_print_instruction(e, "@%6u:", at);
	}
	status = ppsim_run(&e->pp, 1);
	if (e->trace)
		print_registers_pp(e, "\t", before, 0, 16);
	if (e->pp.events & ~events & PPSIM_UNKNOWN_OP)
		exec_unknown(e, "@%6u:", at);
	return status;
}

int exec_pp(struct exec *e)
{
	struct ppsim_program *prog = ppsim_decode_words(e->file.words, e->file.count);
	enum sim_status status = SIM_LIMIT;
	const struct isa_messages *notes;

	if (!prog)
		return failed(1, "out of memory");
	notes = ppsim_notes(prog);
	for (size_t i = 0; i < notes->count; i++)
		fprintf(stderr, "%s: at word %d: %s\n", e->file.path, (int)notes->list[i].at, notes->list[i].text);
	e->env.ctx = e;
	e->env.uniform = env_uniform;
	e->env.varying = env_varying;
	e->env.sample = env_sample;
	e->env.framebuffer = env_framebuffer;
	e->env.temporaries = PPSIM_TEMPORARIES;
	ppsim_begin(&e->pp, prog, &e->env, 0xff);
	for (unsigned int i = 0; i < e->limit && status == SIM_LIMIT; i++)
		status = step_pp(e);
	/* $0 holds the colour of most shaders; of the others, those that changed. */
	for (unsigned int r = 0; r < 12; r++) {
		char name[16];

		snprintf(name, sizeof(name), "$%u", r);
		if (!r || e->pp.written >> 4 * r & 15)
			exec_print_vec4(name, e->pp.registers[r], 15);
	}
	if (!exec_json_lanes("discarded", e->pp.discarded)) {
		printf("discarded =");
		for (int lane = 0; lane < SIM_LANES; lane++)
			if (e->pp.discarded >> lane & 1)
				printf(" %d", lane);
		printf("%s\n", e->pp.discarded ? "" : " none");
	}
	ppsim_free(prog);
	return exec_finish(e, status, e->pp.fault, e->pp.events);
}

