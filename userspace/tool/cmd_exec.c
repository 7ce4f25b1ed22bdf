// SPDX-License-Identifier: MIT
/* limn exec: runs one shader on given inputs in the simulator. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/mbs.h"
#include "isa/table.h"
#include "tool/cmd.h"
#include "tool/exec_step.h"
#include "tool/job/job.h"

static const char about[] =
	"Runs eight invocations of a shader, text or words, or of the first draw of a job, with its\n"
	"uniforms and vertices as inputs; prints what they put out. Inputs are 0\n"
	"unless given, the same in all lanes or, with @N behind the name, in lane N:\n"
	"  utgard-gp   a0-a15 attributes, t0-t511 uniforms; out: varyings v0-v15\n"
	"  utgard-pp   v0-v15 varyings, u0-u511 uniforms (rounded to fp16), tex0-tex15 the\n"
	"              one colour of a texture, fb the colour and depth the depth in the tile,\n"
	"              fragcoord, pointcoord, face; out: $0, registers that were written, and which\n"
	"              lanes were discarded. Lanes: two 2x2 quads, lane = quad * 4 + y * 2 + x\n"
	"  vivante     t0-t31 registers, u0-u511 uniforms, tex0-tex31, face; texN=coords2 or\n"
	"              coords3: each texel is so many coordinates, w the level or bias;\n"
	"              texN=reference: that of a shadow map; out: registers that were written, as\n"
	"              float and hexadecimal, and the memory. Of -i gc2000, and of older chips, integers\n"
	"              are those of x, and NaN converted is the largest one. Of several uniforms in an\n"
	"              instruction the last is read for all, but of -i gc7000l\n"
	"  midgard     r0-r31 registers, a0-a15 attributes, v0-v15 varyings, u0-u511 the vectors\n"
	"              of uniform buffer 0, tex0-tex15, fb the tile buffer, img0-img15 images as\n"
	"              ADDRESS,WIDTH,HEIGHT[,LAYERS] in memory, a texel four words; texN=coords: each\n"
	"              texel is its coordinates and the level or bias, of a shadow map the reference;\n"
	"              the last 96 KiB of memory are the threads', whose numbers are the lane's;\n"
	"              out: varyings, render targets rt0-rt7, depth and stencil as zs, the tile\n"
	"              buffer, registers that were written, memory\n"
	"  bifrost     r0-r63 registers, of one number; fau0-fau127 uniforms of the fast-access RAM,\n"
	"              of two; fragcoord (z, w), pointcoord; else as midgard. What a GPU presets is\n"
	"              not: r60 the coverage, r61 and r62 vertex and instance ...\n"
	"NAME=i:X,Y,Z,W gives integers. memADDRESS=... (not Utgard) sets words of memory,\n"
	"1 MiB from address 0, from ADDRESS on; changed words are printed.\n";

static bool index_in(const char *name, const char *prefix, unsigned int max, unsigned int *index)
{
	size_t n = strlen(prefix);
	unsigned long v;
	char *end;

	if (strncmp(name, prefix, n) || name[n] < '0' || name[n] > '9')
		return false;
	v = strtoul(name + n, &end, 10);
	*index = v;
	return !*end && v < max;
}

static bool is(const struct exec *e, const char *isa)
{
	return !strcmp(limn_isa_name(e->file.isa), isa);
}

/* Those whose shaders have attributes and varyings, textures and memory alike. */
static bool is_panfrost(const struct exec *e)
{
	return is(e, "midgard") || is(e, "bifrost");
}

enum { GP = 1, PP = 2, VIV = 4, MD = 8, BI = 16 };

/* Inputs of the sets: name and, unless it is 0, how many are numbered behind it; where they are; values of each. */
static const struct input {
	unsigned int sets;
	const char *name;
	unsigned int count;
	size_t offset;
	unsigned int values;
} inputs[] = {
	{ VIV, "t", 32, offsetof(struct exec, registers), 4 },
	{ MD, "r", 32, offsetof(struct exec, registers), 4 },
	{ BI, "r", BFSIM_REGISTERS, offsetof(struct exec, bf.r), 1 },
	{ GP | MD | BI, "a", 16, offsetof(struct exec, attributes), 4 },
	{ PP | MD | BI, "v", 16, offsetof(struct exec, varyings), 4 },
	{ PP | MD | BI, "tex", 16, offsetof(struct exec, textures), 4 },
	{ VIV, "tex", 32, offsetof(struct exec, textures), 4 },
	{ PP | MD, "fb", 0, offsetof(struct exec, fb), 4 },
	{ PP, "depth", 0, offsetof(struct exec, depth), 4 },
	{ PP | BI, "fragcoord", 0, offsetof(struct exec, env.fragcoord), 4 },
	{ PP | BI, "pointcoord", 0, offsetof(struct exec, env.pointcoord), 2 },
	{ PP | VIV, "face", 0, offsetof(struct exec, env.frontfacing), 1 },
};

/* Where the input called name is kept, and how many values it takes; NULL: there is none. */
static v8f *find_input(struct exec *e, const char *name, unsigned int *values)
{
	unsigned int n;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		const struct input *in = &inputs[i];

		n = 0;
		if (!(in->sets >> e->file.isa->number & 1) ||
		    (in->count ? !index_in(name, in->name, in->count, &n) : strcmp(name, in->name)))
			continue;
		*values = in->values;
		return (v8f *)((char *)e + in->offset) + n * in->values;
	}
	return NULL;
}

/* "X,Y,Z,W" or "i:X,..." into at most max values; their number, 0 when it is none of that. */
static unsigned int read_values(const char *text, float *value, unsigned int max)
{
	bool integers = !strncmp(text, "i:", 2);
	const char *p = text + (integers ? 2 : 0);
	unsigned int n = 0;

	for (;;) {
		char *end;

		if (n == max)
			return 0;
		if (integers) {
			long long v = strtoll(p, &end, 0);
			uint32_t bits = v;

			if (v < INT32_MIN || v > UINT32_MAX)
				return 0;
			memcpy(&value[n], &bits, 4);
		} else {
			value[n] = strtof(p, &end);
		}
		n++;
		if (end == p || (*end && *end != ','))
			return 0;
		if (!*end)
			return n;
		p = end + 1;
	}
}

static bool set_memory(struct exec *e, const char *address, const float *value, unsigned int n)
{
	char *end;
	unsigned long at = strtoul(address, &end, 0);

	if (end == address || *end || at % 4 || at / 4 > MEMORY_WORDS - n)
		return false;
	memcpy(e->memory + at / 4, value, n * 4);
	return true;
}

/* ADDRESS,WIDTH,HEIGHT[,LAYERS]; all of it lies in memory. */
static bool set_image(struct exec *e, unsigned int which, const char *text)
{
	unsigned long v[4] = { 0, 0, 0, 1 };
	unsigned int n = 0;
	char *end;

	for (;; text = end + 1) {
		v[n] = strtoul(text, &end, 0);
		if (end == text || *text == '-' || v[n++] > MEMORY_WORDS * 4)
			return false;
		if (!*end)
			break;
		if (*end != ',' || n == 4)
			return false;
	}
	if (n < 3 || v[0] % 4 || v[1] > 0xffff || v[2] > 0xffff || v[3] > 0xffff ||
	    (double)v[1] * v[2] * v[3] * 16 > MEMORY_WORDS * 4 - v[0])
		return false;
	e->images[which] = (struct exec_image){ v[0], v[1], v[2], v[3] };
	return true;
}

static const char no_input[] = "no input";

/* "X,Y,Z,W" for a name that is neither memory nor an image. NULL, no_input, or what is wrong. */
static const char *set_lanes(struct exec *e, char *name, const float value[4], unsigned int n)
{
	const char *uniform = is(e, "utgard-gp") ? "t" : "u";
	char *at = strchr(name, '@');
	unsigned int i, values, lanes = 0xff;
	v8f *to;

	if (at) {
		if (at[1] < '0' || at[1] > '7' || at[2])
			return "lanes are @0 to @7";
		lanes = 1u << (at[1] - '0');
		*at = 0;
	}
	if (is(e, "bifrost") && !at && n && n <= 2 && index_in(name, "fau", BFSIM_UNIFORMS, &i)) {
		memcpy(e->bf.uniforms[i], value, sizeof(e->bf.uniforms[i]));
		return NULL;
	}
	if (index_in(name, uniform, MAX_UNIFORMS, &i)) {
		if (at)
			return "all lanes have the same uniforms";
		if (!n || n > 4)
			return "it takes one to four numbers, with commas between them";
		memcpy(e->uniforms[i], value, sizeof(e->uniforms[i]));
		return NULL;
	}
	to = find_input(e, name, &values);
	if (!to)
		return no_input;
	if (!n || n > values)
		return values == 1 ? "it takes one number" : values == 2 ? "it takes one or two numbers, with a comma between them" :
		       "it takes one to four numbers, with commas between them";
	for (int lane = 0; lane < SIM_LANES; lane++) {
		for (unsigned int c = 0; c < values && lanes >> lane & 1; c++)
			to[c][lane] = value[c];
	}
	return NULL;
}

/* NULL, no_input, or what is wrong with the input. */
static const char *set_input(struct exec *e, const char *arg)
{
	const char *equal = strchr(arg, '=');
	float value[64] = { 0 };
	unsigned int n, i;
	char name[32];

	if (!equal)
		return "expected NAME=VALUE";
	if ((size_t)(equal - arg) >= sizeof(name))
		return no_input;
	snprintf(name, sizeof(name), "%.*s", (int)(equal - arg), arg);
	if (is_panfrost(e) && index_in(name, "img", 16, &i))
		return set_image(e, i, equal + 1) ? NULL :
		       "expected ADDRESS,WIDTH,HEIGHT[,LAYERS], all of it in the 1 MiB of memory";
	if (is_panfrost(e) && index_in(name, "tex", 16, &i) && !strcmp(equal + 1, "coords")) {
		e->coords |= 1u << i;
		return NULL;
	}
	for (unsigned int k = 1; k <= 3 && is(e, "vivante") && index_in(name, "tex", 32, &i); k++) {
		static const char *const kinds[] = { "", "reference", "coords2", "coords3" };

		e->coord_count[i] = strcmp(equal + 1, kinds[k]) ? 0 : k;
		if (e->coord_count[i])
			return NULL;
	}
	n = read_values(equal + 1, value, 64);
	if (strncmp(name, "mem", 3) || is(e, "utgard-gp") || is(e, "utgard-pp"))
		return set_lanes(e, name, value, n);
	if (!n)
		return "expected one to 64 numbers, with commas between them";
	return set_memory(e, name + 3, value, n) ? NULL : "the address is no multiple of 4 in the 1 MiB of memory, or the words go beyond it";
}

/* The inputs, once the instruction set is known. */
static int set_inputs(struct exec *e, const struct command_line *c, const struct option_list *inputs)
{
	const char *wrong;

	for (unsigned int i = 0; i < inputs->count; i++) {
		wrong = set_input(e, inputs->list[i]);
		if (wrong == no_input)
			return failed(EXIT_USAGE, "'%s' is no input of %s (limn exec --help lists them)", inputs->list[i],
					     limn_isa_name(e->file.isa));
		if (wrong)
			return failed(EXIT_USAGE, "'%s': %s", inputs->list[i], wrong);
	}
	return EXIT_OK;
}

static int run_set(struct exec *e, int (*set)(struct exec *e))
{
	int status;

	exec_json_begin(e);
	status = set(e);
	exec_json_end(status);
	return status;
}

static int execute(struct exec *e)
{
	static const struct {
		const char *isa;
		int (*run)(struct exec *e);
	} sets[] = {
		{ "utgard-gp", exec_gp }, { "utgard-pp", exec_pp }, { "vivante", exec_vivante },
		{ "midgard", exec_midgard }, { "bifrost", exec_bifrost },
	};

	if (!e->file.count) {
		fprintf(stderr, "%s: there is no instruction to run\n", e->file.path);
		return 1;
	}
	if (e->file.count % 4 && (is(e, "utgard-gp") || is(e, "vivante"))) {
		fprintf(stderr, "%s: %zu words are no whole number of instructions of 4 words\n", e->file.path, e->file.count);
		return 1;
	}
	memcpy(e->memory_before, e->memory, MEMORY_WORDS * 4);
	for (size_t i = 0; !e->bench && i < sizeof(sets) / sizeof(sets[0]); i++)
		if (is(e, sets[i].isa))
			return run_set(e, sets[i].run);
	return exec_bench(e);
}

static void free_exec(struct exec *e)
{
	if (!e)
		return;
	free(e->memory);
	free(e->memory_before);
	free(e->text);
	exec_step_free(e->step);
	shader_free(&e->file);
	free(e);
}

static struct exec *new_exec(void)
{
	struct exec *e = aligned_alloc(64, (sizeof(*e) + 63) / 64 * 64);

	if (!e)
		return NULL;
	memset(e, 0, sizeof(*e));
	e->limit = 100000;
	e->memory = calloc(MEMORY_WORDS, 4);
	e->memory_before = calloc(MEMORY_WORDS, 4);
	if (e->memory && e->memory_before)
		return e;
	free_exec(e);
	return NULL;
}

/* What the job, or the container, gives its shader: uniforms, and to a vertex shader the first vertices as lanes. */
static void set_job_inputs(struct exec *e)
{
	const struct job_draw *d = e->file.job ? &e->file.job->scenes[0]->draws[0] : NULL;
	enum job_stage stage = d ? shader_stage(&e->file) : JOB_FRAGMENT;
	v8f (*to)[4] = is(e, "vivante") ? e->registers : e->attributes;

	if (e->file.data && limn_mbs_is(e->file.data, e->file.source.size))
		limn_mbs_uniforms(e->file.isa, e->file.data, e->file.source.size, (uint32_t *)e->uniforms, MAX_UNIFORMS * 4);
	if (d && d->num_uniforms[stage])
		memcpy(e->uniforms + (stage == JOB_COMPUTE), d->uniforms[stage], d->num_uniforms[stage] * sizeof(e->uniforms[0]));
	for (uint32_t i = 0; d && i < d->num_attributes && stage == JOB_VERTEX; i++)
		for (uint32_t lane = 0; lane < SIM_LANES; lane++)
			for (uint32_t c = 0; c < 4; c++)
				to[i][c][lane] = job_attribute_value(d->attributes[i], d->first + lane, c);
}

static int run(struct exec *e, int argc, char **argv)
{
	static const char *const stages[] = { "vertex", "fragment", "compute", NULL };
	struct option_list inputs = { .count = 0 };
	bool step = false;
	const struct option shared[] = SHADER_OPTIONS(&e->file, SHADER_HEX_INPUT), own[] = {
		{ .name = "--in", .kind = OPTION_LIST, .to = &inputs, .value = "NAME=VALUE",
		  .help = "an input: NAME=X[,Y[,Z[,W]]]" },
		{ .name = "--stage", .kind = OPTION_TEXT, .to = &e->file.stage, .value = "STAGE", .words = stages,
		  .help = "of a job, or what Mesa's compilers print: vertex, fragment or compute; fragment by default" },
		OPTION_DEFINE(&e->file.defines),
		{ .name = "--trace", .kind = OPTION_FLAG, .to = &e->trace, .help = "each instruction with what it changed" },
		{ .name = "--step", .kind = OPTION_FLAG, .to = &step,
		  .help = "stops before the first instruction and takes commands (h lists them) from standard input:\n"
			  "                        steps, breakpoints, registers, conditions" },
		{ .name = "--limit", .kind = OPTION_COUNT, .to = &e->limit, .value = "N", .min = 1, .max = INT32_MAX,
		  .help = "stop after N instructions (default 100000), exit status 3" },
		{ .name = "--bench", .kind = OPTION_NUMBER, .to = &e->bench, .value = "S", .min = 1e-6, .max = 1e6,
		  .help = "run again and again for S seconds of CPU time; print the rate" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "exec", .files = "FILE", .about = about, .options = own, .more = shared,
		.paths = &e->file.path, .max_paths = 1, .min_paths = 1,
		.example = "limn exec shader.gp --in a0=1,2,3,1 --in t0=100,100,1 --trace",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (step && e->bench)
		return failed(EXIT_USAGE, "--step and --bench exclude each other");
	if (e->file.json && (step || e->bench || e->trace))
		return failed(EXIT_USAGE, "--json and %s exclude each other", step ? "--step" : e->trace ? "--trace" : "--bench");
	if (step && !strcmp(e->file.path, "-"))
		return failed(EXIT_USAGE, "--step takes commands from standard input: the shader must be a file");
	e->step = step ? exec_step_new() : NULL;
	if (step && !e->step)
		return failed(EXIT_INPUT, "out of memory");
	status = shader_load(&e->file, SHADER_TEXT | SHADER_WORDS | SHADER_JOBS);
	if (!status) {
		set_job_inputs(e);
		status = set_inputs(e, &c, &inputs);
	}
	if (status)
		return status;
	shader_trim(&e->file);
	e->text = limn_isa_disasm(e->file.isa, e->file.words, e->file.count);
	if (!e->text)
		fprintf(stderr, "limn exec: out of memory\n");
	return e->text ? execute(e) : EXIT_INPUT;
}

int cmd_exec(int argc, char **argv)
{
	struct exec *e = new_exec();
	int status = EXIT_INPUT;

	if (e)
		status = run(e, argc, argv);
	else
		fprintf(stderr, "limn exec: out of memory\n");
	free_exec(e);
	return status;
}
