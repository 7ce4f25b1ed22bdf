// SPDX-License-Identifier: MIT
/* limn vue: where a geometry shader's inputs are, and how its thread ends. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/vue.h"
#include "tool/cmd.h"

static const char help[] =
	"usage: limn vue [OPTION...]\n"
	"Payload of an i965 geometry shader: the register and dword of each input.\n"
	"  --simd8 | --simd4x2    eight primitives a thread (default), or two\n"
	"  --read-length N        256-bit units (two vec4 slots) of each vertex, default 1\n"
	"  --vertices N           of the input primitive: 1, 2, 3, 4 or 6; default 1\n"
	"  --first N              register of the first input, default 10\n"
	"  --max-vertices N       that the shader puts out; prints the control data header\n"
	"  --output points|strip  topology of the output, default strip\n"
	"  --end-primitive        the shader calls EndPrimitive()\n"
	"  --streams              the shader writes to several streams\n"
	"  --thread-end LIST      instructions (plain,urb,flow,effect,...): how the thread ends\n"
	"  --static-vertices N    their number is known to be N; without it, it is not\n"
	"  --json                 one JSON object\n";

struct options {
	struct vue_layout layout;
	struct vue_control control;
	bool have_control, json;
	int static_vertices;
	enum vue_insn *insns;
	unsigned int num_insns;
	bool have_insns;
};

static bool number(const char *name, const char *text, long lo, long hi, long *value)
{
	char *end;

	*value = strtol(text, &end, 0);
	if (*text && !*end && *value >= lo && *value <= hi)
		return true;
	fprintf(stderr, "limn vue: --%s: '%s' is no number from %ld to %ld\n", name, text, lo, hi);
	return false;
}

static bool instructions(struct options *o, char *list)
{
	static const char *const names[] = {
		[VUE_PLAIN] = "plain", [VUE_URB_WRITE] = "urb",
		[VUE_CONTROL_FLOW] = "flow", [VUE_SIDE_EFFECT] = "effect",
	};
	char *word, *rest = list;
	unsigned int i;

	o->have_insns = true;
	free(o->insns);
	o->num_insns = 0;
	o->insns = malloc((strlen(list) + 1) * sizeof(*o->insns));
	if (!o->insns) {
		fprintf(stderr, "limn vue: out of memory\n");
		return false;
	}
	while ((word = strsep(&rest, ","))) {
		for (i = 0; i < 4 && strcmp(word, names[i]); i++)
			;
		if (i == 4) {
			fprintf(stderr, "limn vue: --thread-end: no kind of instruction '%s'\n", word);
			return false;
		}
		o->insns[o->num_insns++] = i;
	}
	return true;
}

enum { SIMD8, SIMD4X2, LENGTH, VERTICES, FIRST, MAX, OUTPUT, END, STREAMS, THREAD, STATIC, JSON, HELP };

static const struct option long_options[] = {
	{ "simd8", no_argument, NULL, SIMD8 },
	{ "simd4x2", no_argument, NULL, SIMD4X2 },
	{ "read-length", required_argument, NULL, LENGTH },
	{ "vertices", required_argument, NULL, VERTICES },
	{ "first", required_argument, NULL, FIRST },
	{ "max-vertices", required_argument, NULL, MAX },
	{ "output", required_argument, NULL, OUTPUT },
	{ "end-primitive", no_argument, NULL, END },
	{ "streams", no_argument, NULL, STREAMS },
	{ "thread-end", required_argument, NULL, THREAD },
	{ "static-vertices", required_argument, NULL, STATIC },
	{ "json", no_argument, NULL, JSON },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

/* False after a message. */
static bool option(struct options *o, int c)
{
	long v = 0;

	switch (c) {
	case SIMD8:
	case SIMD4X2:
		o->layout.mode = c == SIMD8 ? VUE_SIMD8 : VUE_SIMD4X2;
		return true;
	case LENGTH:
		if (!number("read-length", optarg, 1, VUE_MAX_READ_LENGTH, &v))
			return false;
		o->layout.read_length = v;
		return true;
	case VERTICES:
		if (!number("vertices", optarg, 1, 6, &v))
			return false;
		o->layout.vertices = v;
		return true;
	case FIRST:
		if (!number("first", optarg, 0, 127, &v))
			return false;
		o->layout.first = v;
		return true;
	case MAX:
		if (!number("max-vertices", optarg, 0, 1024, &v))
			return false;
		o->control.max_vertices = v;
		o->have_control = true;
		return true;
	case OUTPUT:
		o->control.points = !strcmp(optarg, "points");
		if (o->control.points || !strcmp(optarg, "strip"))
			return true;
		fprintf(stderr, "limn vue: --output: '%s' is neither points nor strip\n", optarg);
		return false;
	case END:
		o->control.ends_primitives = true;
		return true;
	case STREAMS:
		o->control.streams = true;
		return true;
	case THREAD:
		return instructions(o, optarg);
	case STATIC:
		if (!number("static-vertices", optarg, 0, 1024, &v))
			return false;
		o->static_vertices = v;
		return true;
	case JSON:
		o->json = true;
		return true;
	}
	return false;
}

/* The dword's name: slot letter, primitive, component, as in "A7.x". */
static void print_dword(const struct vue_layout *l, struct vue_place at)
{
	unsigned int p, v, s, c;

	vue_find(l, at, &p, &v, &s, &c);
	if (s < 26)
		printf("%c%u.%c", 'A' + s, p, "xyzw"[c]);
	else
		printf("S%u_%u.%c", s, p, "xyzw"[c]);
}

static void print_registers(const struct vue_layout *l, bool json)
{
	unsigned int reg, d, per_vertex = vue_registers(l) / l->vertices;

	for (reg = l->first; reg < l->first + vue_registers(l); reg++) {
		unsigned int vertex = (reg - l->first) / per_vertex;

		if (json) {
			printf("%s{\"register\": %u, \"vertex\": %u, \"dwords\": [",
			       reg == l->first ? "" : ", ", reg, vertex);
			for (d = 0; d < 8; d++) {
				printf("%s\"", d ? ", " : "");
				print_dword(l, (struct vue_place){ reg, d });
				printf("\"");
			}
			printf("]}");
			continue;
		}
		if (l->vertices > 1 && (reg - l->first) % per_vertex == 0)
			printf("vertex %u\n", vertex);
		/*
		 * Highest primitive first, as the seed writes registers; within a
		 * half of SIMD4x2 the components are in order.
		 */
		printf("r%u =", reg);
		for (d = 0; d < 8; d++) {
			if (l->mode == VUE_SIMD4X2 && d == 4)
				printf(" |");
			printf(" ");
			print_dword(l, (struct vue_place){ reg, l->mode == VUE_SIMD8 ? 7 - d : d ^ 4 });
		}
		printf("\n");
	}
}

static void print_control(const struct vue_control *c, bool json)
{
	if (json)
		printf(", \"control_data\": {\"bits_per_vertex\": %u, \"header_bits\": %u, \"header_units\": %u}",
		       vue_control_bits(c), vue_control_header_bits(c), vue_control_header_units(c));
	else
		printf("control data: %u bits a vertex, header of %u bits in %u units of 256\n",
		       vue_control_bits(c), vue_control_header_bits(c), vue_control_header_units(c));
}

static void print_end(const struct options *o)
{
	struct vue_end end = vue_thread_end(o->static_vertices, o->insns, o->num_insns);

	if (o->json)
		printf(", \"thread_end\": {\"fold\": %d, \"length\": %u}", end.fold, end.length);
	else if (end.fold >= 0)
		printf("thread end: folded into the URB write, instruction %d\n", end.fold);
	else
		printf("thread end: a URB write of its own, %u register%s\n", end.length,
		       end.length == 1 ? "" : "s");
}

int cmd_vue(int argc, char **argv)
{
	struct options o = {
		.layout = { VUE_SIMD8, 1, 1, 10 },
		.static_vertices = -1,
	};
	int c, status = 2;

	optind = 1;
	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (c == HELP) {
			fputs(help, stdout);
			free(o.insns);
			return 0;
		}
		if (!option(&o, c))
			goto out;
	}
	if (optind < argc) {
		fprintf(stderr, "limn vue: unexpected argument '%s'\n", argv[optind]);
		goto out;
	}
	if (!vue_valid(&o.layout)) {
		fprintf(stderr, "limn vue: no primitive has %u vertices\n", o.layout.vertices);
		goto out;
	}
	status = 0;
	if (o.json)
		printf("{\"mode\": \"%s\", \"payload_registers\": %u, \"registers\": [",
		       o.layout.mode == VUE_SIMD8 ? "simd8" : "simd4x2", vue_registers(&o.layout));
	else
		printf("%u payload registers\n", vue_registers(&o.layout));
	print_registers(&o.layout, o.json);
	if (o.json)
		printf("]");
	if (o.have_control)
		print_control(&o.control, o.json);
	if (o.have_insns)
		print_end(&o);
	if (o.json)
		printf("}\n");
out:
	free(o.insns);
	return status;
}
