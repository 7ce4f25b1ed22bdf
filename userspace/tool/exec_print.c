// SPDX-License-Identifier: MIT
/* limn exec: values, memory and ends, printed the same for all instruction sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/exec.h"
#include "tool/json.h"

/* With --json all of it is one object, which begins with a list of the values. */
static struct json json = { .text = true };
static bool listing;

void exec_json_begin(const struct exec *e)
{
	json = (struct json){ .to = stdout, .text = !e->file.json };
	if (json.text)
		return;
	json_object(&json, NULL);
	report(&json, "", STRING("file", e->file.path), STRING("isa", limn_isa_name(e->file.isa)));
	json_array(&json, "values");
	listing = true;
}

static void end_values(void)
{
	if (listing)
		json_end_array(&json);
	listing = false;
}

bool exec_json_lanes(const char *what, unsigned int lanes)
{
	if (json.text)
		return false;
	end_values();
	json_array(&json, what);
	for (int lane = 0; lane < SIM_LANES; lane++)
		if (lanes >> lane & 1)
			json_int(&json, NULL, lane);
	json_end_array(&json);
	return true;
}

/* lane -1: of all. The bits too: what is no number is null in JSON. */
static bool put_value(const char *name, int lane, const v8u *v, unsigned int mask)
{
	const v8f *f = (const v8f *)v;

	if (json.text)
		return false;
	json_object(&json, NULL);
	json.line = true;
	report(&json, "", STRING("name", name));
	if (lane >= 0)
		report(&json, "", INT("lane", lane));
	json_array(&json, "values");
	for (int c = 0; c < 4; c++)
		report(&json, "", mask >> c & 1 ? (struct json_field)REAL(NULL, f[c][lane > 0 ? lane : 0]) : (struct json_field)NONE(NULL));
	json_end_array(&json);
	json_array(&json, "words");
	for (int c = 0; c < 4; c++)
		report(&json, "", mask >> c & 1 ? (struct json_field)HEX(NULL, v[c][lane > 0 ? lane : 0]) : (struct json_field)NONE(NULL));
	json_end_array(&json);
	json_end_object(&json);
	json.line = false;
	return true;
}

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
		if (put_value(name, same ? -1 : lane, (const v8u *)v, mask))
			continue;
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
		if (put_value(name, same ? -1 : lane, v, mask))
			continue;
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

unsigned int exec_changed(const v8u *now, const v8u *before)
{
	static const v8u none[4];
	unsigned int changed = 0;

	for (int c = 0; c < 4; c++)
		changed |= (unsigned int)!!memcmp(&(before ? before : none)[c], &now[c], sizeof(v8u)) << c;
	return changed;
}

void exec_print_changed(const char *prefix, v8u (*now)[4], v8u (*before)[4], const uint8_t *written, unsigned int count,
			unsigned int lanes)
{
	v8u select = (v8u){ lanes, lanes, lanes, lanes, lanes, lanes, lanes, lanes } >> (v8u){ 0, 1, 2, 3, 4, 5, 6, 7 } & 1;
	unsigned int only = __builtin_ctz(lanes);

	for (unsigned int r = 0; r < count; r++) {
		v8u a[4], b[4], v[4];
		unsigned int mask;
		char name[32];

		for (int c = 0; c < 4; c++) {
			a[c] = now[r][c] * select;
			b[c] = before ? before[r][c] * select : (v8u){ 0 };
			v[c] = lanes & (lanes - 1) ? now[r][c] : (v8u){ 0 } + now[r][c][only];
		}
		mask = exec_changed(a, b) | (written ? written[r] : 0);
		snprintf(name, sizeof(name), lanes & (lanes - 1) ? "%s%u" : "%s%u@%u", prefix, r, only);
		if (mask)
			exec_print_bits(name, v, mask);
	}
}

/* The lines of the disassembly from the one that begins with that number; without a form, line number at. */
static const char *find_instruction(const struct exec *e, const char *form, unsigned int at)
{
	const char *p = e->text;
	char head[24] = "";

	if (form) {
		snprintf(head, sizeof(head), form, at);
		for (p = strstr(p, head); p && p != e->text && p[-1] != '\n';)
			p = strstr(p + 1, head);
	}
	while (p && !form && at--)
		p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
	return p && *p ? p : NULL;
}

void exec_print_instruction(const struct exec *e, const char *form, unsigned int at)
{
	const char *p = find_instruction(e, form, at);

	if (p && !form)
		printf("%03u: ", at);
	while (p) {
		size_t n = strcspn(p, "\n");

		printf("%.*s\n", (int)n, p);
		p = form && p[n] && p[n + 1] == '\t' ? p + n + 1 : NULL;
	}
}

void exec_unknown(struct exec *e, const char *form, unsigned int at)
{
	const char *p = find_instruction(e, form, at);

	if (e->unknown)
		return;
	e->unknown = true;
	if (p && form) {
		p += strcspn(p, ":") + 1;
		p += strspn(p, " \t");
	}
	fprintf(stderr, "%s: at %u: nobody has said what this does, or all of it: %.*s\n", e->file.path, at,
		p ? (int)strcspn(p, "\n") : 0, p ? p : "");
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

	end_values();
	json_array(&json, "memory");
	for (uint32_t i = 0; i < MEMORY_WORDS && !json.text; i++) {
		if (e->memory[i] == e->memory_before[i])
			continue;
		json_object(&json, NULL);
		report(&json, "", HEX("address", i * 4), HEX("word", e->memory[i]));
		json_end_object(&json);
	}
	json_end_array(&json);
	for (uint32_t i = 0; i < MEMORY_WORDS && json.text; i++) {
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

void exec_json_end(int status)
{
	end_values();
	report(&json, "", STRING("end", status == EXIT_OK ? "done" : "failed"));
	json_end_object(&json);
}

int exec_finish(struct exec *e, enum sim_status status, struct sim_fault fault, unsigned int events)
{
	if (events)
		fprintf(stderr, "%s: note: the shader met%s%s%s%s\n", e->file.path,
			events & 1 ? " a load out of range" : "", events & 2 ? " a store out of range" : "",
			events & 8 ? " several uniforms in an instruction, of which the last is read" : "",
			events & 4 ? " an op without semantics: what it puts out is not to be relied on" : "");
	if (status == SIM_FAULT)
		fprintf(stderr, "%s: at %d: %s\n", e->file.path, (int)fault.at, fault.reason);
	if (status == SIM_LIMIT)
		fprintf(stderr, "%s: not at its end after %u instructions\n", e->file.path, e->limit);
	return status == SIM_DONE && !(events & 4) ? EXIT_OK : EXIT_JOB;
}

