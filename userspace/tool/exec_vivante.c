// SPDX-License-Identifier: MIT
/* limn exec: Vivante shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tool/exec_step.h"
#include "tool/job/job.h"

static void viv_sample(void *ctx, const struct vivsim_sample *sample, v8f rgba[4])
{
	struct exec *e = ctx;

	if (sample->sampler >= 32)
		return;
	memcpy(rgba, e->textures[sample->sampler], sizeof(e->textures[0]));
	for (unsigned int c = 0; c < 4 && e->coord_count[sample->sampler]; c++) {
		bool given = c < e->coord_count[sample->sampler];

		if (c == 3)
			given = sample->lod_mode == VIVSIM_LOD_BIAS || sample->lod_mode == VIVSIM_LOD_EXPLICIT;
		rgba[c] = e->coord_count[sample->sampler] == 1 ? sample->reference : given ? sample->coord[c] : (v8f){ 0 };
	}
}

static enum sim_status step(struct exec *e)
{
	unsigned int events = e->viv.events, at = ~0u, lanes = 0;
	v8u before[VIVSIM_TEMPS][4];
	enum sim_status status;

	for (int lane = 0; lane < SIM_LANES; lane++)
		if (e->viv.live >> lane & 1 && e->viv.pc[lane] < at)
			at = e->viv.pc[lane];
	for (int lane = 0; lane < SIM_LANES; lane++)
		lanes |= (unsigned int)(e->viv.live >> lane & 1 && e->viv.pc[lane] == at) << lane;
	if (!exec_step_at(e, NULL, at, lanes))
		return SIM_DONE;
	if (e->trace) {
		exec_print_instruction(e, NULL, at);
		memcpy(before, e->viv.temps, sizeof(before));
	}
	status = vivsim_run(&e->viv, 1);
	if (e->trace)
		exec_print_changed("\tt", e->viv.temps, before, NULL, VIVSIM_TEMPS, 0xff);
	if (e->viv.events & ~events & VIVSIM_UNKNOWN_OP)
		exec_unknown(e, NULL, at);
	return status;
}

/* The number of the chip by whose name the set was asked for; without one a GC3000. */
static unsigned long chip_number(const char *name)
{
	return name && !strncasecmp(name, "gc", 2) ? strtoul(name + 2, NULL, 10) : 3000;
}

int exec_vivante(struct exec *e)
{
	static v8u first[VIVSIM_TEMPS][4];
	size_t count = e->file.count / 4;
	struct vivsim_op *ops = malloc(count * sizeof(*ops) + 1);
	enum sim_status status = SIM_LIMIT;

	if (!ops) {
		fprintf(stderr, "%s: out of memory\n", e->file.path);
		return 1;
	}
	memcpy(e->viv.temps, e->registers, sizeof(e->registers));
	memcpy(first, e->viv.temps, sizeof(first));
	e->viv_env.ctx = e;
	e->viv_env.uniforms = (const uint32_t (*)[4])e->uniforms;
	e->viv_env.uniform_count = MAX_UNIFORMS;
	e->viv_env.before_gc3000 = chip_number(e->file.isa_name) < 3000;
	e->viv_env.many_uniforms = job_uniforms(e->file.isa_name ? e->file.isa_name : "") == ISA_MANY_UNIFORMS;
	e->viv_env.sample = viv_sample;
	e->viv_env.load = exec_load;
	e->viv_env.store = exec_store;
	e->viv_env.frontfacing = e->env.frontfacing;
	vivsim_decode(e->file.words, count, ops);
	vivsim_begin(&e->viv, ops, count, &e->viv_env, 0xff);
	for (unsigned int i = 0; i < e->limit && status == SIM_LIMIT; i++)
		status = step(e);
	free(ops);
	exec_print_changed("t", e->viv.temps, first, e->viv.written, VIVSIM_TEMPS, 0xff);
	exec_print_memory(e);
	exec_print_lanes("discarded", e->viv.discarded);
	return exec_finish(e, status, e->viv.fault, e->viv.events);
}

