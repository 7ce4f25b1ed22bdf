// SPDX-License-Identifier: MIT
/* limn exec: runs one shader on given inputs in the simulator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/cmd.h"
#include "tool/exec.h"

static const char usage[] =
	"usage: limn exec [-i ISA] [--hex] [--in NAME=X[,Y[,Z[,W]]]]... [--trace] [--limit N | --bench S] FILE|-\n"
	"Runs eight invocations; prints what they put out. FILE is text (.gp, .pp, .asm,\n"
	".txt) or words. Inputs are 0 unless given, the same in all lanes or, with @N\n"
	"behind the name, in lane N:\n"
	"  utgard-gp   a0-a15 attributes, t0-t511 uniforms; out: varyings v0-v15\n"
	"  utgard-pp   v0-v15 varyings, u0-u511 uniforms (rounded to fp16), tex0-tex15 the\n"
	"              one colour of a texture, fb the colour and depth the depth in the tile,\n"
	"              fragcoord, pointcoord, face; out: $0 and which lanes were discarded.\n"
	"              Lanes: two 2x2 quads, lane = quad * 4 + y * 2 + x\n"
	"  vivante     t0-t31 registers, u0-u511 uniforms, tex0-tex31, face; texN=coords2 or\n"
	"              coords3: each texel is so many coordinates, w the level or bias;\n"
	"              texN=reference: that of a shadow map; out: the registers that changed, as\n"
	"              float and hexadecimal, and the memory\n"
	"  midgard     r0-r31 registers, a0-a15 attributes, v0-v15 varyings, u0-u511 the vectors\n"
	"              of uniform buffer 0, tex0-tex15, fb the tile buffer, img0-img15 images as\n"
	"              ADDRESS,WIDTH,HEIGHT[,LAYERS] in memory, a texel four words; texN=coords: each\n"
	"              texel is its coordinates and the level or bias, of a shadow map the reference;\n"
	"              the last 96 KiB of memory are the threads', whose numbers are the lane's;\n"
	"              out: varyings, render targets rt0-rt7, depth and stencil as zs, the tile\n"
	"              buffer, registers that changed, memory\n"
	"  bifrost     port0-port2, fau0 and fau1 (low, high), r0 the data of memory ops,\n"
	"              u0-u511 uniform buffer 0; out: the results of the last FMA and ADD\n"
	"NAME=i:X,Y,Z,W gives integers. memADDRESS=... (not Utgard) sets words of memory,\n"
	"1 MiB from address 0, from ADDRESS on; changed words are printed.\n"
	"  --trace     each instruction with what it changed\n"
	"  --bench S   run again and again for S seconds of CPU time; print the rate\n"
	"  --limit N   stop after N instructions (default 100000), exit status 1\n";

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
	return !strcmp(isa_name(e->file.isa), isa);
}

/* Where the input called name is kept, NULL when there is none; uniforms are no vectors. */
static v8f *find_input(struct exec *e, const char *name)
{
	unsigned int i;

	if (is(e, "bifrost"))
		return !strcmp(name, "r0") ? e->registers[0] : NULL;
	if (is(e, "vivante") && index_in(name, "t", 32, &i))
		return e->registers[i];
	if (is(e, "midgard") && index_in(name, "r", 32, &i))
		return e->registers[i];
	if ((is(e, "utgard-gp") || is(e, "midgard")) && index_in(name, "a", 16, &i))
		return e->attributes[i];
	if ((is(e, "utgard-pp") || is(e, "midgard")) && index_in(name, "v", 16, &i))
		return e->varyings[i];
	if (!is(e, "utgard-gp") && index_in(name, "tex", is(e, "vivante") ? 32 : 16, &i))
		return e->textures[i];
	if ((is(e, "utgard-pp") || is(e, "midgard")) && !strcmp(name, "fb"))
		return e->fb;
	if (!is(e, "utgard-pp"))
		return NULL;
	if (!strcmp(name, "depth"))
		return e->depth;
	if (!strcmp(name, "fragcoord"))
		return e->env.fragcoord;
	return NULL;
}

/* Inputs of one number to a lane. */
static v8f *find_scalar(struct exec *e, const char *name)
{
	static const char *const sources[] = { "port0", "port1", "port2", "fau0", "fau1" };

	for (int i = 0; i < 5 && is(e, "bifrost"); i++)
		if (!strcmp(name, sources[i]))
			return (v8f *)&e->sources[i];
	if (!strcmp(name, "face") && (is(e, "utgard-pp") || is(e, "vivante")))
		return &e->env.frontfacing;
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

/* What is called name, once its @N is off. values: how many it takes. False: there is no such input. */
static bool find_place(struct exec *e, const char *name, v8f **vector, v8f **scalar, unsigned int *values)
{
	*vector = find_input(e, name);
	*scalar = find_scalar(e, name);
	*values = *scalar ? 1 : 4;
	if (!strcmp(name, "pointcoord") && is(e, "utgard-pp")) {
		*vector = e->env.pointcoord;
		*values = 2;
	}
	return *vector || *scalar;
}

static const char no_input[] = "no input";

/* "X,Y,Z,W" for a name that is neither memory nor an image. NULL, no_input, or what is wrong. */
static const char *set_lanes(struct exec *e, char *name, const float value[4], unsigned int n)
{
	const char *uniform = is(e, "utgard-gp") ? "t" : "u";
	char *at = strchr(name, '@');
	unsigned int i, values, lanes = 0xff;
	v8f *vector, *scalar;

	if (at) {
		if (at[1] < '0' || at[1] > '7' || at[2])
			return "lanes are @0 to @7";
		lanes = 1u << (at[1] - '0');
		*at = 0;
	}
	if (index_in(name, uniform, MAX_UNIFORMS, &i)) {
		if (at)
			return "all lanes have the same uniforms";
		if (!n || n > 4)
			return "it takes one to four numbers, with commas between them";
		memcpy(e->uniforms[i], value, sizeof(e->uniforms[i]));
		return NULL;
	}
	if (!find_place(e, name, &vector, &scalar, &values))
		return no_input;
	if (!n || n > values)
		return values == 1 ? "it takes one number" : values == 2 ? "it takes one or two numbers, with a comma between them" :
		       "it takes one to four numbers, with commas between them";
	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		if (scalar)
			(*scalar)[lane] = value[0];
		for (unsigned int c = 0; vector && c < values; c++)
			vector[c][lane] = value[c];
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
	if (is(e, "midgard") && index_in(name, "img", 16, &i))
		return set_image(e, i, equal + 1) ? NULL : "expected ADDRESS,WIDTH,HEIGHT[,LAYERS], all of it in the 1 MiB of memory";
	if (is(e, "midgard") && index_in(name, "tex", 16, &i) && !strcmp(equal + 1, "coords")) {
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

static bool read_limit(const char *text, unsigned int *limit)
{
	char *end;
	unsigned long v = strtoul(text, &end, 0);

	*limit = v;
	return end != text && !*end && *text != '-' && v > 0 && v <= INT32_MAX;
}

/* Options, then inputs once the instruction set is known. Returns the exit status, or -1 to go on. */
static int parse(int argc, char **argv, struct exec *e)
{
	const char *wrong;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 0;
		}
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			e->isa = argv[++i];
		else if (!strcmp(argv[i], "--in") && i + 1 < argc)
			i++;
		else if (!strcmp(argv[i], "--limit") && i + 1 < argc && read_limit(argv[i + 1], &e->limit))
			i++;
		else if (!strcmp(argv[i], "--bench") && i + 1 < argc && atof(argv[i + 1]) > 0)
			e->bench = atof(argv[++i]);
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
		wrong = set_input(e, argv[++i]);
		if (wrong == no_input)
			fprintf(stderr, "limn exec: '%s' is no input of %s (limn exec --help lists them)\n", argv[i],
				isa_name(e->file.isa));
		else if (wrong)
			fprintf(stderr, "limn exec: '%s': %s\n", argv[i], wrong);
		if (wrong)
			return 2;
	}
	return -1;
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
			return sets[i].run(e);
	return exec_bench(e);
}

static void free_exec(struct exec *e)
{
	if (!e)
		return;
	free(e->memory);
	free(e->memory_before);
	free(e->text);
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

int cmd_exec(int argc, char **argv)
{
	struct exec *e = new_exec();
	int status = 1;

	if (!e) {
		fprintf(stderr, "limn exec: out of memory\n");
		return 1;
	}
	status = parse(argc, argv, e);
	if (status < 0) {
		status = 1;
		if (shader_read("exec", &e->file) && shader_any("exec", &e->file, e->hex)) {
			e->text = isa_disasm(e->file.isa, e->file.words, e->file.count);
			if (e->text)
				status = execute(e);
			else
				fprintf(stderr, "limn exec: out of memory\n");
		}
	}
	free_exec(e);
	return status;
}
