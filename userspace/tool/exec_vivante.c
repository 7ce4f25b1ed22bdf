// SPDX-License-Identifier: MIT
/* limn exec: Vivante shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/exec.h"

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

/* Registers that differ from before. */
static void print_registers(struct exec *e, v8u before[VIVSIM_TEMPS][4], const char *indent)
{
	for (unsigned int r = 0; r < VIVSIM_TEMPS; r++) {
		unsigned int changed = 0;
		char name[16];

		for (int c = 0; c < 4; c++)
			changed |= (unsigned int)!!memcmp(&before[r][c], &e->viv.temps[r][c], sizeof(v8u)) << c;
		snprintf(name, sizeof(name), "%st%u", indent, r);
		if (changed)
			exec_print_bits(name, e->viv.temps[r], changed);
	}
}

int exec_vivante(struct exec *e)
{
	static v8u before[VIVSIM_TEMPS][4], first[VIVSIM_TEMPS][4];
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
	e->viv_env.sample = viv_sample;
	e->viv_env.load = exec_load;
	e->viv_env.store = exec_store;
	e->viv_env.frontfacing = e->env.frontfacing;
	vivsim_decode(e->file.words, count, ops);
	vivsim_begin(&e->viv, ops, count, &e->viv_env, 0xff);
	if (!e->trace)
		status = vivsim_run(&e->viv, e->limit);
	for (unsigned int i = 0; e->trace && i < e->limit && status == SIM_LIMIT; i++) {
		unsigned int at = ~0u;
		const char *p = e->text;

		for (int lane = 0; lane < SIM_LANES; lane++)
			if (e->viv.live >> lane & 1 && e->viv.pc[lane] < at)
				at = e->viv.pc[lane];
		for (unsigned int k = 0; k < at && p; k++)
			p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
		if (at != ~0u && p && *p)
			printf("%03u: %.*s\n", at, (int)strcspn(p, "\n"), p);
		memcpy(before, e->viv.temps, sizeof(before));
		status = vivsim_run(&e->viv, 1);
		print_registers(e, before, "\t");
	}
	free(ops);
	print_registers(e, first, "");
	exec_print_memory(e);
	if (e->viv.discarded)
		printf("discarded = 0x%02x (lanes)\n", e->viv.discarded);
	return exec_finish(e, status, e->viv.fault, e->viv.events);
}

