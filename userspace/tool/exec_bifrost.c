// SPDX-License-Identifier: MIT
/* limn exec: Bifrost shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/bifrost.h"
#include "tool/exec_step.h"

/* What is neither attribute nor varying: gl_PointCoord, and w and z of gl_FragCoord. */
static void io_load(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		    union mdsim_reg *out)
{
	struct exec *e = ctx;

	if (kind != MDSIM_SPECIAL) {
		exec_io.load(ctx, lane, kind, index, offset, half, out);
		return;
	}
	for (unsigned int c = 0; c < 2; c++)
		out->f32[c] = index == BFSIM_POINT ? e->env.pointcoord[c][lane] :
			      e->env.fragcoord[index == BFSIM_FRAG_W ? 3 : 2][lane];
}

/* Registers in which some lane of the mask differs from before. */
static void print_registers(const struct exec *e, const v8u *before, unsigned int lanes, const char *indent)
{
	for (unsigned int r = 0; r < BFSIM_REGISTERS; r++) {
		v8u v[4] = { e->bf.r[r] };
		bool changed = !*indent && e->bf.written >> r & 1;
		char name[24];

		for (int lane = 0; lane < SIM_LANES; lane++)
			changed |= lanes >> lane & 1 && before[r][lane] != v[0][lane];
		snprintf(name, sizeof(name), "%sr%u", indent, r);
		if (changed)
			exec_print_bits(name, v, 1);
	}
}

/* The text of the one clause at that word. */
static void trace(void *ctx, unsigned int lanes, size_t at, const v8u *before)
{
	struct exec *e = ctx;
	struct bifrost_clause c;
	size_t n;
	char *text;
	const char *body;

	n = limn_isa_bifrost_clause_read(e->file.words + at, e->file.count - at, &c);
	text = limn_isa_disasm(e->file.isa, e->file.words + at, n);
	body = text ? strchr(text, '\n') : NULL;

	printf("lanes 0x%02x clause_%zu:%s", lanes, at / 4, body ? body : "\n");
	print_registers(e, before, lanes, "\t# ");
	free(text);
}

static bool enter(void *ctx, unsigned int lanes, size_t at)
{
	return exec_step_at(ctx, NULL, (unsigned int)at, lanes);
}

int exec_bifrost(struct exec *e)
{
	struct bfsim_program *program = bfsim_decode(e->file.words, e->file.count);
	struct mdsim_io io = exec_io;
	v8u first[BFSIM_REGISTERS];
	enum sim_status status;

	memcpy(first, e->bf.r, sizeof(first));
	io.ctx = e;
	io.load = io_load;
	e->bf.io = &io;
	e->bf.shared = SHARED_START;
	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		e->bf.special[BFSIM_LANE_ID][0][lane] = lane;
		e->bf.local[lane] = STORAGE_START + lane * STORAGE;
	}
	for (unsigned int i = 0; i < 8; i++)
		e->bf.special[BFSIM_BLEND + i][0] += i;
	e->bf.trace = e->trace ? trace : NULL;
	e->bf.enter = e->step ? enter : NULL;
	e->bf.trace_ctx = e;
	status = program ? bfsim_run(&e->bf, program, 0xff, e->limit) : SIM_FAULT;
	bfsim_free(program);
	exec_print_outputs(e);
	print_registers(e, first, 0xff, "");
	memcpy(e->memory + SHARED_START / 4, e->memory_before + SHARED_START / 4, SHARED + SIM_LANES * STORAGE);
	exec_print_memory(e);
	exec_print_lanes("discarded", e->bf.discarded);
	exec_print_unknown(e, &isa_bifrost, e->bf.unknown, e->bf.unknown_at);
	if (e->bf.events & BFSIM_BAD_CLAUSE)
		fprintf(stderr, "%s: a thread met words that are no clause, and ended\n", e->file.path);
	if (e->bf.events & (BFSIM_BAD_CLAUSE | BFSIM_UNKNOWN_OP))
		return EXIT_JOB;
	return exec_finish(e, status, (struct sim_fault){ 0 }, e->bf.events & BFSIM_MEMORY ? 1 : 0);
}
