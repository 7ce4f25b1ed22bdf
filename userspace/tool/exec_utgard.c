// SPDX-License-Identifier: MIT
/* limn exec: the Utgard shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/utgard_gp.h"
#include "tool/exec.h"

/* The lines of the disassembly that belong to an instruction: "NNN:" or "@ N:" to the next. */
static void print_instruction(const char *text, const char *head)
{
	const char *p = strstr(text, head);

	while (p && p != text && p[-1] != '\n')
		p = strstr(p + 1, head);
	if (!p)
		return;
	do {
		const char *nl = strchr(p, '\n');

		printf("%.*s\n", (int)(nl - p), p);
		p = nl + 1;
	} while (*p == '\t');
}

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

/* One instruction of the thread that runs next, with the results of its units in all its lanes. */
static enum sim_status trace_gp(struct exec *e)
{
	const struct gpsim_thread *t = &e->gp.threads[e->gp.thread_count - 1];
	unsigned int mask = t->mask, pc = t->pc;
	static const uint8_t result[] = { GP_SRC_P1_ACC0, GP_SRC_P1_ACC1, GP_SRC_P1_MUL0, GP_SRC_P1_MUL1, GP_SRC_P1_PASS,
					  GP_SRC_P1_COMPLEX };
	static const char *const unit[] = { "a0", "a1", "m0", "m1", "p", "c" };
	enum sim_status status;
	struct isa_bits b;
	char head[16];

	memcpy(b.w, e->file.words + pc * 4, sizeof(b.w));
	snprintf(head, sizeof(head), "%03u:", pc);
	print_instruction(e->text, head);
	status = gpsim_run(&e->gp, 1);
	printf("\t# lanes %02x\n", mask);
	for (unsigned int u = GP_A0; u <= GP_C; u++)
		if (gp_unit_used(&b, u) || (u == GP_M0 && gp_unit_used(&b, GP_M01)))
			print_result(unit[u], &t->source[result[u]], mask);
	return status;
}

int exec_gp(struct exec *e)
{
	struct gpsim_program *prog = e->file.count % 4 ? NULL : gpsim_decode(e->file.words, e->file.count / 4);
	enum sim_status status = SIM_LIMIT;
	const char *note;
	unsigned int at;

	if (!prog) {
		fprintf(stderr, "%s: a GP shader has 1 to 512 instructions of 4 words, not %zu words\n",
			e->file.path, e->file.count);
		return 1;
	}
	for (unsigned int i = 0; (note = gpsim_note(prog, i, &at)); i++)
		fprintf(stderr, "%s: at %u: %s\n", e->file.path, at, note);
	memcpy(e->gp.attributes, e->attributes, sizeof(e->attributes));
	e->gp.uniforms = (const float (*)[4])e->uniforms;
	e->gp.uniform_count = MAX_UNIFORMS;
	gpsim_begin(&e->gp, prog, 0xff);
	if (!e->trace)
		status = gpsim_run(&e->gp, e->limit);
	for (unsigned int i = 0; e->trace && i < e->limit && status == SIM_LIMIT; i++) {
		status = e->gp.thread_count ? trace_gp(e) : gpsim_run(&e->gp, 1);
	}
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

static void env_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	struct exec *e = ctx;

	for (unsigned int i = 0; i < count; i++)
		out[i] = address + i < 64 ? e->varyings[0][address + i] : (v8f){ 0 };
}

static void env_sample(void *ctx, const struct ppsim_sample *sample, v8f rgba[4])
{
	struct exec *e = ctx;

	if (sample->sampler < 16)
		memcpy(rgba, e->textures[sample->sampler], sizeof(e->textures[0]));
}

static void env_framebuffer(void *ctx, bool depth, v8f out[4])
{
	struct exec *e = ctx;

	memcpy(out, depth ? e->depth : e->fb, sizeof(e->fb));
}

/* Index of the instruction that comes next: of the lanes that are alive, the lowest address. */
static void trace_pp(struct exec *e, v8f before[16][4])
{
	for (int r = 0; r < 16; r++) {
		unsigned int changed = 0;
		char name[16];

		for (int c = 0; c < 4; c++)
			changed |= (unsigned int)!!memcmp(&before[r][c], &e->pp.registers[r][c], sizeof(v8f)) << c;
		if (!changed)
			continue;
		snprintf(name, sizeof(name), "\t$%d", r);
		exec_print_vec4(r < 12 ? name : r == 12 ? "\t^const0" : r == 13 ? "\t^const1" :
			   r == 14 ? "\t^texture" : "\t^uniform", e->pp.registers[r], changed);
	}
}

int exec_pp(struct exec *e)
{
	struct ppsim_program *prog = ppsim_decode_words(e->file.words, e->file.count);
	enum sim_status status = SIM_LIMIT;
	const char *note;
	int at;

	if (!prog) {
		fprintf(stderr, "limn exec: out of memory\n");
		return 1;
	}
	for (unsigned int i = 0; (note = ppsim_note(prog, i, &at)); i++)
		fprintf(stderr, "%s: at word %d: %s\n", e->file.path, at, note);
	e->env.ctx = e;
	e->env.uniform = env_uniform;
	e->env.varying = env_varying;
	e->env.sample = env_sample;
	e->env.framebuffer = env_framebuffer;
	e->env.temporaries = PPSIM_TEMPORARIES;
	ppsim_begin(&e->pp, prog, &e->env, 0xff);
	if (!e->trace)
		status = ppsim_run(&e->pp, e->limit);
	for (unsigned int i = 0; e->trace && i < e->limit && status == SIM_LIMIT; i++) {
		v8f before[16][4];
		char head[16];

		memcpy(before, e->pp.registers, sizeof(before));
		snprintf(head, sizeof(head), "@%6d:", ppsim_next(&e->pp));
		print_instruction(e->text, head);
		status = ppsim_run(&e->pp, 1);
		trace_pp(e, before);
	}
	exec_print_vec4("$0", e->pp.registers[0], 15);
	printf("discarded =");
	for (int lane = 0; lane < SIM_LANES; lane++)
		if (e->pp.discarded >> lane & 1)
			printf(" %d", lane);
	printf("%s\n", e->pp.discarded ? "" : " none");
	ppsim_free(prog);
	return exec_finish(e, status, e->pp.fault, e->pp.events);
}

