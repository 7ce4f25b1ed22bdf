// SPDX-License-Identifier: MIT
/* limn exec: Bifrost slot instructions. */
#include <stdio.h>
#include <string.h>

#include "isa/table.h"
#include "sim/bifrost_program.h"
#include "tool/exec.h"

#define UBO	4	/* segment of LOAD */

/* Offset and binding; what is not buffer 0 reads memory at the address. */
static void env_load(void *ctx, unsigned int segment, const uint32_t src[2], uint32_t out[4])
{
	struct exec *e = ctx;

	for (unsigned int i = 0; i < 4; i++) {
		uint32_t word = src[0] / 4 + i;

		if (segment != UBO)
			exec_load(e, src[0] + 4 * i, &out[i]);
		else if (src[1] == 0 && word < MAX_UNIFORMS * 4)
			memcpy(&out[i], &e->uniforms[0][word], 4);
	}
}

static void env_store(void *ctx, const uint32_t src[3], unsigned int count, const uint32_t data[4])
{
	for (unsigned int i = 0; i < count; i++)
		exec_store(ctx, src[0] + 4 * i, data[i]);
}

static void print_result(const char *name, v8u v)
{
	v8u vec[4] = { v };

	exec_print_bits(name, vec, 1);
}

static void print_staging(const struct bifsim_state *s, const char *name)
{
	v8u all = s->staging[0] | s->staging[1] | s->staging[2] | s->staging[3];
	bool any = false;

	for (int lane = 0; lane < SIM_LANES; lane++)
		any |= all[lane] != 0;
	if (any)
		exec_print_bits(name, s->staging, 15);
}

int exec_bifrost(struct exec *e)
{
	struct bifrost_env env = { .ctx = e, .load = env_load, .store = env_store };
	struct bifsim_state s = { .env = &env };
	const char *line = e->text;
	size_t n = e->file.count < e->limit ? e->file.count : e->limit;

	memcpy(s.ports, e->sources, sizeof(s.ports));
	memcpy(s.fau, e->sources + 3, sizeof(s.fau));
	memcpy(s.staging, e->registers[0], sizeof(s.staging));
	for (size_t i = 0; i < n; i++) {
		unsigned int events = s.events;
		bool add = e->file.words[i] >> 31;

		s.events = 0;
		bifsim_step(&s, e->file.words[i], 0xff);
		if (e->trace) {
			printf("%03zu: %.*s\n", i, (int)strcspn(line, "\n"), line);
			print_result(add ? "\t# add" : "\t# fma", add ? s.add : s.fma);
			print_staging(&s, "\t# data");
		}
		if (s.events)
			fprintf(stderr, "%s: at %zu: nobody has named this instruction, or this mode of it\n",
				e->file.path, i);
		s.events |= events;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	print_result("fma", s.fma);
	print_result("add", s.add);
	print_staging(&s, "data");
	if (s.discarded)
		printf("discarded = 0x%02x (lanes)\n", s.discarded);
	exec_print_memory(e);
	return exec_finish(e, n < e->file.count ? SIM_LIMIT : SIM_DONE, (struct sim_fault){ 0 }, s.events ? 4 : 0);
}
