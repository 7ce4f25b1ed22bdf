// SPDX-License-Identifier: MIT
/* limn exec: values, memory and ends, printed the same for all instruction sets. */
#include <stdio.h>
#include <string.h>

#include "tool/exec.h"

static bool same_lanes(const v8f *v, unsigned int mask)
{
	for (int c = 0; c < 4; c++)
		for (int lane = 1; lane < SIM_LANES; lane++)
			if (mask >> c & 1 && memcmp(&(float){ v[c][lane] }, &(float){ v[c][0] }, 4))
				return false;
	return true;
}

void exec_print_vec4(const char *name, const v8f *v, unsigned int mask)
{
	bool same = same_lanes(v, mask);

	for (int lane = 0; lane < (same ? 1 : SIM_LANES); lane++) {
		if (same)
			printf("%s =", name);
		else
			printf("%s@%d =", name, lane);
		for (int c = 0; c < 4; c++) {
			if (mask >> c & 1)
				printf(" %.9g", v[c][lane]);
			else
				printf(" -");
		}
		printf("\n");
	}
}

void exec_print_bits(const char *name, const v8u *v, unsigned int mask)
{
	const v8f *f = (const v8f *)v;
	bool same = same_lanes(f, mask);

	for (int lane = 0; lane < (same ? 1 : SIM_LANES); lane++) {
		printf(same ? "%s =" : "%s@%d =", name, lane);
		for (int c = 0; c < 4; c++) {
			if (mask >> c & 1)
				printf(" %.9g", f[c][lane]);
			else
				printf(" -");
		}
		printf("   (");
		for (int c = 0; c < 4; c++) {
			if (mask >> c & 1)
				printf("%s0x%08x", c ? " " : "", v[c][lane]);
			else
				printf("%s-", c ? " " : "");
		}
		printf(")\n");
	}
}

bool exec_load(void *ctx, uint32_t address, uint32_t *value)
{
	struct exec *e = ctx;

	if (address % 4 || address / 4 >= MEMORY_WORDS)
		return false;
	*value = e->memory[address / 4];
	return true;
}

bool exec_store(void *ctx, uint32_t address, uint32_t value)
{
	struct exec *e = ctx;

	if (address % 4 || address / 4 >= MEMORY_WORDS)
		return false;
	e->memory[address / 4] = value;
	return true;
}

/* Words that the shader changed, four to a line as they come. */
void exec_print_memory(const struct exec *e)
{
	unsigned int n = 0;

	for (uint32_t i = 0; i < MEMORY_WORDS; i++) {
		if (e->memory[i] == e->memory_before[i]) {
			printf(n ? "\n" : "");
			n = 0;
			continue;
		}
		if (n == 4) {
			printf("\n");
			n = 0;
		}
		if (!n)
			printf("mem0x%x =", i * 4);
		printf(" 0x%08x", e->memory[i]);
		n++;
	}
	printf(n ? "\n" : "");
}

int exec_finish(struct exec *e, enum sim_status status, struct sim_fault fault, unsigned int events)
{
	if (events)
		fprintf(stderr, "%s: note: the shader met%s%s%s\n", e->file.path,
			events & 1 ? " a load out of range" : "", events & 2 ? " a store out of range" : "",
			events & 4 ? " an unknown op" : "");
	if (status == SIM_FAULT)
		fprintf(stderr, "%s: at %d: %s\n", e->file.path, (int)fault.at, fault.reason);
	if (status == SIM_LIMIT)
		fprintf(stderr, "%s: not at its end after %u instructions\n", e->file.path, e->limit);
	return status == SIM_DONE ? 0 : 1;
}

