// SPDX-License-Identifier: MIT
/* limn exec --bench: instructions times lanes a second, of one simulator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/exec.h"

#define STEPS	20000	/* of an endless loop, before the clock is read */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Each runs the shader once, or STEPS of it, and returns instructions times lanes; 0: it cannot. */
static uint64_t run_gp(struct exec *e, void *program)
{
	uint64_t before = e->gp.instructions;

	gpsim_begin(&e->gp, program, 0xff);
	before = e->gp.instructions < before ? 0 : e->gp.instructions;
	gpsim_run(&e->gp, STEPS);
	return (e->gp.instructions - before) * SIM_LANES;
}

static uint64_t run_pp(struct exec *e, void *program)
{
	uint64_t before;

	ppsim_begin(&e->pp, program, &e->env, 0xff);
	before = e->pp.instructions;
	ppsim_run(&e->pp, STEPS);
	return (e->pp.instructions - before) * SIM_LANES;
}

static uint64_t run_vivante(struct exec *e, void *program)
{
	uint64_t before;

	vivsim_begin(&e->viv, program, e->file.count / 4, &e->viv_env, 0xff);
	before = e->viv.instructions;
	vivsim_run(&e->viv, STEPS);
	return (e->viv.instructions - before) * SIM_LANES;
}

/* Bundles; the lanes are counted one by one. */
static uint64_t run_midgard(struct exec *e, void *program)
{
	uint64_t before = e->md.bundles;

	mdsim_run(&e->md, program, 0xff, STEPS);
	return e->md.bundles - before;
}

/* Clauses; the lanes are counted one by one. */
static uint64_t run_bifrost(struct exec *e, void *program)
{
	uint64_t before = e->bf.clauses;

	bfsim_run(&e->bf, program, 0xff, STEPS);
	return e->bf.clauses - before;
}

int exec_bench(struct exec *e)
{
	const char *isa = limn_isa_name(e->file.isa);
	uint64_t (*run)(struct exec *e, void *program) = run_bifrost;
	void *program = NULL;
	uint64_t count = 0, once;
	double start, seconds;

	e->gp.uniforms = (const float (*)[4])e->uniforms;
	e->gp.uniform_count = MAX_UNIFORMS;
	memcpy(e->gp.attributes, e->attributes, sizeof(e->attributes));
	e->viv_env.uniforms = (const uint32_t (*)[4])e->uniforms;
	e->viv_env.uniform_count = MAX_UNIFORMS;
	if (!strcmp(isa, "utgard-gp")) {
		run = run_gp;
		program = e->file.count % 4 ? NULL : gpsim_decode(e->file.words, e->file.count / 4);
	} else if (!strcmp(isa, "utgard-pp")) {
		run = run_pp;
		program = ppsim_decode_words(e->file.words, e->file.count);
	} else if (!strcmp(isa, "vivante")) {
		run = run_vivante;
		program = malloc(e->file.count / 4 * sizeof(struct vivsim_op) + 1);
		if (program)
			vivsim_decode(e->file.words, e->file.count / 4, program);
	} else if (!strcmp(isa, "midgard")) {
		run = run_midgard;
		program = mdsim_decode(e->file.words, e->file.count);
	} else {
		program = bfsim_decode(e->file.words, e->file.count);
	}
	if (!program) {
		fprintf(stderr, "%s: this is no shader of %s\n", e->file.path, isa);
		return 1;
	}
	start = now();
	do {
		once = run(e, program);
		count += once;
		seconds = now() - start;
	} while (once && seconds < e->bench);
	if (run == run_gp)
		gpsim_free(program);
	if (run == run_pp)
		ppsim_free(program);
	if (run == run_vivante)
		free(program);
	if (run == run_midgard)
		mdsim_free(program);
	if (run == run_bifrost)
		bfsim_free(program);
	if (!once) {
		fprintf(stderr, "%s: no instruction of it runs\n", e->file.path);
		return 1;
	}
	printf("%s x lanes = %llu\nseconds = %.3f\nrate = %.6g\n", run == run_midgard ? "bundles" : run == run_bifrost ? "clauses" : "instructions",
	       (unsigned long long)count, seconds, seconds > 0 ? count / seconds : 0.0);
	return 0;
}
