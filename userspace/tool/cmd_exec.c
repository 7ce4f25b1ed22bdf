// SPDX-License-Identifier: MIT
/* limn exec: runs one shader on given inputs in the simulator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "sim/vivante.h"
#include "tool/cmd.h"
#include "tool/shader_file.h"

#define MAX_UNIFORMS 512

static const char usage[] =
	"usage: limn exec [-i ISA] [--hex] [--in NAME=X[,Y[,Z[,W]]]]... [--trace] [--limit N] FILE|-\n"
	"Runs eight invocations; prints what they put out. FILE is text (.gp, .pp, .asm,\n"
	".txt) or words. Inputs are 0 unless given, the same in all lanes or, with @N\n"
	"behind the name, in lane N:\n"
	"  utgard-gp   a0-a15 attributes, t0-t511 uniforms; out: varyings v0-v15\n"
	"  utgard-pp   v0-v15 varyings, u0-u511 uniforms (rounded to fp16), tex0-tex15 the\n"
	"              one colour of a texture, fb the colour and depth the depth in the tile,\n"
	"              fragcoord, pointcoord, face; out: $0 and which lanes were discarded.\n"
	"              Lanes: two 2x2 quads, lane = quad * 4 + y * 2 + x\n"
	"  vivante     t0-t15 registers, u0-u511 uniforms, tex0-tex15, face; NAME=i:X,Y,Z,W gives\n"
	"              integers; out: the registers that changed, as float and hexadecimal\n"
	"  --trace     each instruction with what it changed\n"
	"  --limit N   stop after N instructions (default 100000), exit status 1\n";

struct exec {
	struct shader_file file;
	const char *isa;
	bool hex, trace;
	unsigned int limit;
	char *text;			/* disassembly, for the trace */
	v8f attributes[16][4], varyings[16][4], textures[16][4], fb[4], depth[4];
	float uniforms[MAX_UNIFORMS][4];
	unsigned int uniform_count;
	struct ppsim_env env;
	struct gpsim_state gp;
	struct ppsim_state pp;
	struct vivsim_env viv_env;
	struct vivsim_state viv;
};

static bool index_in(const char *name, const char *prefix, unsigned int max, unsigned int *index)
{
	size_t n = strlen(prefix);
	char *end;

	if (strncmp(name, prefix, n) || name[n] < '0' || name[n] > '9')
		return false;
	*index = strtoul(name + n, &end, 10);
	return !*end && *index < max;
}

/* Where the input called name is kept, NULL when there is none; uniforms are no vectors. */
static v8f *find_input(struct exec *e, const char *name)
{
	unsigned int i;

	if (!strcmp(isa_name(e->file.isa), "utgard-gp"))
		return index_in(name, "a", 16, &i) ? e->attributes[i] : NULL;
	if (!strcmp(isa_name(e->file.isa), "vivante") && index_in(name, "t", 16, &i))
		return e->attributes[i];
	if (index_in(name, "v", 16, &i))
		return e->varyings[i];
	if (index_in(name, "tex", 16, &i))
		return e->textures[i];
	if (!strcmp(name, "fb"))
		return e->fb;
	if (!strcmp(name, "depth"))
		return e->depth;
	if (!strcmp(name, "fragcoord"))
		return e->env.fragcoord;
	return NULL;
}

static bool set_input(struct exec *e, const char *arg)
{
	const char *uniform = strcmp(isa_name(e->file.isa), "utgard-gp") ? "u" : "t";
	const char *equal = strchr(arg, '='), *p = equal;
	float value[4] = { 0 };
	char name[32], *at;
	unsigned int n = 0, i, lanes = 0xff;
	bool integers = false;
	v8f *to;

	if (!equal || (size_t)(equal - arg) >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(equal - arg), arg);
	at = strchr(name, '@');
	if (at) {
		if (at[1] < '0' || at[1] > '7' || at[2])
			return false;
		lanes = 1u << (at[1] - '0');
		*at = 0;
	}
	if (!strncmp(equal + 1, "i:", 2)) {
		p += 2;
		integers = true;
	}
	do {
		char *end;
		uint32_t bits;

		value[n] = strtof(p + 1, &end);
		bits = strtoll(p + 1, integers ? &end : NULL, 0);
		if (integers)
			memcpy(&value[n], &bits, 4);
		n++;
		if (end == p + 1 || (*end && *end != ','))
			return false;
		p = end;
	} while (*p && n < 4);
	if (*p)
		return false;
	if (!at && index_in(name, uniform, MAX_UNIFORMS, &i)) {
		memcpy(e->uniforms[i], value, sizeof(value));
		e->uniform_count = i + 1 > e->uniform_count ? i + 1 : e->uniform_count;
		return true;
	}
	to = find_input(e, name);
	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		if (!strcmp(name, "face") && uniform[0] == 'u')
			e->env.frontfacing[lane] = value[0];
		else if (!strcmp(name, "pointcoord") && uniform[0] == 'u')
			e->env.pointcoord[0][lane] = value[0], e->env.pointcoord[1][lane] = value[1];
		else if (!to)
			return false;
		for (int c = 0; to && c < 4; c++)
			to[c][lane] = value[c];
	}
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

/* A vec4 once when all lanes agree, else a line for each. Components not in mask: "-". */
static void print_vec4(const char *name, const v8f *v, unsigned int mask)
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

/* One instruction of the thread that runs next, with its six results in its first lane. */
static enum sim_status trace_gp(struct exec *e)
{
	const struct gpsim_thread *t = &e->gp.threads[e->gp.thread_count - 1];
	unsigned int mask = t->mask, lane = __builtin_ctz(mask);
	const struct gpsim_results *r = &t->last;
	enum sim_status status;
	char head[16];

	snprintf(head, sizeof(head), "%03u:", t->pc);
	print_instruction(e->text, head);
	status = gpsim_run(&e->gp, 1);
	printf("\t# lanes %02x; lane %u: a0 %.6g a1 %.6g m0 %.6g m1 %.6g p %.6g c %.6g\n", mask, lane,
	       r->acc[0][lane], r->acc[1][lane], r->mul[0][lane], r->mul[1][lane], r->pass[lane],
	       r->complex[lane]);
	return status;
}

static int finish(struct exec *e, enum sim_status status, struct sim_fault fault, unsigned int events)
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

static int exec_gp(struct exec *e)
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
			print_vec4(name, e->gp.varyings[v], e->gp.written[v]);
	}
	gpsim_free(prog);
	return finish(e, status, e->gp.fault, e->gp.events);
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
		print_vec4(r < 12 ? name : r == 12 ? "\t^const0" : r == 13 ? "\t^const1" :
			   r == 14 ? "\t^texture" : "\t^uniform", e->pp.registers[r], changed);
	}
}

static int exec_pp(struct exec *e)
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
	print_vec4("$0", e->pp.registers[0], 15);
	printf("discarded =");
	for (int lane = 0; lane < SIM_LANES; lane++)
		if (e->pp.discarded >> lane & 1)
			printf(" %d", lane);
	printf("%s\n", e->pp.discarded ? "" : " none");
	ppsim_free(prog);
	return finish(e, status, e->pp.fault, e->pp.events);
}

static void viv_sample(void *ctx, const struct vivsim_sample *sample, v8f rgba[4])
{
	struct exec *e = ctx;

	if (sample->sampler < 16)
		memcpy(rgba, e->textures[sample->sampler], sizeof(e->textures[0]));
}

/* Registers that differ from before, as float and, by component, hexadecimal of lane 0. */
static void print_registers(struct exec *e, v8u before[VIVSIM_TEMPS][4], const char *indent)
{
	for (unsigned int r = 0; r < VIVSIM_TEMPS; r++) {
		unsigned int changed = 0;
		char name[16];

		for (int c = 0; c < 4; c++)
			changed |= (unsigned int)!!memcmp(&before[r][c], &e->viv.temps[r][c], sizeof(v8u)) << c;
		if (!changed)
			continue;
		snprintf(name, sizeof(name), "%st%u", indent, r);
		print_vec4(name, (const v8f *)e->viv.temps[r], changed);
		printf("%s     (lane 0: 0x%08x 0x%08x 0x%08x 0x%08x)\n", indent, e->viv.temps[r][0][0],
		       e->viv.temps[r][1][0], e->viv.temps[r][2][0], e->viv.temps[r][3][0]);
	}
}

static int exec_vivante(struct exec *e)
{
	static v8u before[VIVSIM_TEMPS][4], first[VIVSIM_TEMPS][4];
	enum sim_status status = SIM_LIMIT;

	if (e->file.count % 4) {
		fprintf(stderr, "%s: %zu words are no whole number of instructions of 4 words\n", e->file.path,
			e->file.count);
		return 1;
	}
	for (int r = 0; r < 16; r++)
		memcpy(e->viv.temps[r], e->attributes[r], sizeof(e->attributes[r]));
	memcpy(first, e->viv.temps, sizeof(first));
	e->viv_env.ctx = e;
	e->viv_env.uniforms = (const uint32_t (*)[4])e->uniforms;
	e->viv_env.uniform_count = MAX_UNIFORMS;
	e->viv_env.sample = viv_sample;
	e->viv_env.frontfacing = e->env.frontfacing;
	vivsim_begin(&e->viv, e->file.words, e->file.count / 4, &e->viv_env, 0xff);
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
	print_registers(e, first, "");
	if (e->viv.discarded)
		printf("discarded = 0x%02x (lanes)\n", e->viv.discarded);
	return finish(e, status, e->viv.fault, e->viv.events);
}

/* Options, then inputs once the instruction set is known. Returns the exit status, or -1 to go on. */
static int parse(int argc, char **argv, struct exec *e)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 0;
		}
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			e->isa = argv[++i];
		else if (!strcmp(argv[i], "--in") && i + 1 < argc)
			i++;
		else if (!strcmp(argv[i], "--limit") && i + 1 < argc && atoi(argv[i + 1]) > 0)
			e->limit = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--hex"))
			e->hex = true;
		else if (!strcmp(argv[i], "--trace"))
			e->trace = true;
		else if (!e->file.path && (argv[i][0] != '-' || !argv[i][1]))
			e->file.path = argv[i];
		else {
			fprintf(stderr, "limn exec: unexpected '%s'\n%s", argv[i], usage);
			return 2;
		}
	}
	if (!e->file.path) {
		fputs(usage, stderr);
		return 2;
	}
	e->file.isa = shader_isa("exec", e->isa, e->file.path);
	if (!e->file.isa)
		return 2;
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--in"))
			continue;
		if (!set_input(e, argv[++i])) {
			fprintf(stderr, "limn exec: '%s' is no input of %s (limn exec --help lists them)\n", argv[i],
				isa_name(e->file.isa));
			return 2;
		}
	}
	return -1;
}

int cmd_exec(int argc, char **argv)
{
	struct exec *e = aligned_alloc(64, (sizeof(*e) + 63) / 64 * 64);
	int status;

	if (!e) {
		fprintf(stderr, "limn exec: out of memory\n");
		return 1;
	}
	memset(e, 0, sizeof(*e));
	e->limit = 100000;
	status = parse(argc, argv, e);
	if (status < 0) {
		status = 1;
		if (shader_read("exec", &e->file) && shader_any("exec", &e->file, e->hex)) {
			e->text = isa_disasm(e->file.isa, e->file.words, e->file.count);
			if (!e->text)
				fprintf(stderr, "limn exec: out of memory\n");
			else if (!strcmp(isa_name(e->file.isa), "utgard-gp"))
				status = exec_gp(e);
			else if (!strcmp(isa_name(e->file.isa), "utgard-pp"))
				status = exec_pp(e);
			else if (!strcmp(isa_name(e->file.isa), "vivante"))
				status = exec_vivante(e);
			else
				fprintf(stderr, "limn exec: %s cannot be executed\n", isa_name(e->file.isa));
		}
	}
	free(e->text);
	shader_free(&e->file);
	free(e);
	return status;
}
