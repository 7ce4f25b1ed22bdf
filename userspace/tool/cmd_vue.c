// SPDX-License-Identifier: MIT
/* limn vue: where a geometry shader's inputs are, and how its thread ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/vue.h"
#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/options.h"

struct options {
	struct vue_layout layout;
	struct vue_control control;
	bool json;
	int static_vertices;
	enum vue_insn *insns;
	unsigned int num_insns;
};

/* "plain,urb,flow": false after a message. */
static bool read_instructions(struct options *o, const struct command_line *c, const char *list)
{
	static const char *const names[] = {
		[VUE_PLAIN] = "plain", [VUE_URB_WRITE] = "urb",
		[VUE_CONTROL_FLOW] = "flow", [VUE_SIDE_EFFECT] = "effect",
	};

	o->insns = malloc((strlen(list) + 1) * sizeof(*o->insns));
	for (size_t n; o->insns; list += n + 1) {
		unsigned int i = 0;

		n = strcspn(list, ",");
		while (i < 4 && (strlen(names[i]) != n || strncmp(names[i], list, n)))
			i++;
		if (i == 4) {
			failed(EXIT_USAGE, "--thread-end: no kind of instruction '%.*s'; there are: plain urb flow effect", (int)n,
				      list);
			return false;
		}
		o->insns[o->num_insns++] = i;
		if (!list[n])
			return true;
	}
	failed(EXIT_USAGE, "out of memory");
	return false;
}

/* The dword's name: slot letter, primitive, component, as in "A7.x". */
static void name_dword(const struct vue_layout *l, struct vue_place at, char *name, size_t size)
{
	unsigned int p, v, s, c;

	vue_find(l, at, &p, &v, &s, &c);
	if (s < 26)
		snprintf(name, size, "%c%u.%c", 'A' + s, p, "xyzw"[c]);
	else
		snprintf(name, size, "S%u_%u.%c", s, p, "xyzw"[c]);
}

static void print_registers(struct json *j, const struct vue_layout *l)
{
	unsigned int per_vertex = vue_registers(l) / l->vertices;
	char name[32];

	json_array(j, "registers");
	for (unsigned int reg = l->first; reg < l->first + vue_registers(l); reg++) {
		unsigned int vertex = (reg - l->first) / per_vertex;
		bool heads = l->vertices > 1 && (reg - l->first) % per_vertex == 0;

		json_object(j, NULL);
		report(j, heads ? "vertex {vertex}\nr{register} =" : "r{register} =", INT("register", reg),
		       INT("vertex", vertex));
		json_array(j, "dwords");
		/*
		 * As text the highest primitive comes first, as the patch writes registers; within a
		 * half of SIMD4x2 the components are in order.
		 */
		for (unsigned int d = 0; d < 8; d++) {
			unsigned int dword = !j->text ? d : l->mode == VUE_SIMD8 ? 7 - d : d ^ 4;

			name_dword(l, (struct vue_place){ reg, dword }, name, sizeof(name));
			report(j, l->mode == VUE_SIMD4X2 && d == 4 ? " | {_name}" : " {_name}", STRING(NULL, name),
			       TEXT("_name", name));
		}
		json_end_array(j);
		json_end_object(j);
		report(j, "\n");
	}
	json_end_array(j);
}

static void print_end(struct json *j, const struct options *o)
{
	struct vue_end end = vue_thread_end(o->static_vertices, o->insns, o->num_insns);

	json_object(j, "thread_end");
	report(j, end.fold >= 0 ? "thread end: folded into the URB write, instruction {fold}\n" :
	       "thread end: a URB write of its own, {length} register{_s}\n", INT("fold", end.fold),
	       INT("length", end.length), TEXT("_s", end.length == 1 ? "" : "s"));
	json_end_object(j);
}

static void print(const struct options *o, bool control)
{
	struct json j = { .to = stdout, .line = true, .text = !o->json };

	json_object(&j, NULL);
	report(&j, "{payload_registers} payload registers\n", STRING("mode", o->layout.mode == VUE_SIMD8 ? "simd8" : "simd4x2"),
	       INT("payload_registers", vue_registers(&o->layout)));
	print_registers(&j, &o->layout);
	if (control) {
		json_object(&j, "control_data");
		report(&j, "control data: {bits_per_vertex} bits a vertex, header of {header_bits} bits in {header_units} units"
		       " of 256\n",
		       INT("bits_per_vertex", vue_control_bits(&o->control)),
		       INT("header_bits", vue_control_header_bits(&o->control)),
		       INT("header_units", vue_control_header_units(&o->control)));
		json_end_object(&j);
	}
	if (o->insns)
		print_end(&j, o);
	json_end_object(&j);
}

int cmd_vue(int argc, char **argv)
{
	static const char *const outputs[] = { "points", "strip", NULL };
	struct options o = { .layout = { VUE_SIMD8, 1, 1, 10 }, .static_vertices = -1 };
	bool half = false, control = false, fixed = false, simd8;
	const char *output = "strip", *end = NULL;
	unsigned int vertices = 0;
	const struct option own[] = {
		{ .name = "--simd8", .kind = OPTION_FLAG, .to = &simd8, .help = "eight primitives a thread, the default" },
		{ .name = "--simd4x2", .kind = OPTION_FLAG, .to = &half, .help = "two primitives a thread" },
		{ .name = "--read-length", .kind = OPTION_COUNT, .to = &o.layout.read_length, .value = "N", .min = 1,
		  .max = VUE_MAX_READ_LENGTH, .help = "256-bit units (two vec4 slots) of each vertex, default 1" },
		{ .name = "--vertices", .kind = OPTION_COUNT, .to = &o.layout.vertices, .value = "N", .min = 1, .max = 6,
		  .help = "of the input primitive: 1, 2, 3, 4 or 6; default 1" },
		{ .name = "--first", .kind = OPTION_COUNT, .to = &o.layout.first, .value = "N", .max = 127,
		  .help = "register of the first input, default 10" },
		{ .name = "--max-vertices", .kind = OPTION_COUNT, .to = &o.control.max_vertices, .value = "N", .max = 1024,
		  .given = &control, .help = "that the shader puts out; prints the control data header" },
		{ .name = "--output", .kind = OPTION_TEXT, .to = &output, .value = "TOPOLOGY", .words = outputs,
		  .help = "of the output, points or strip; default strip" },
		{ .name = "--end-primitive", .kind = OPTION_FLAG, .to = &o.control.ends_primitives,
		  .help = "the shader calls EndPrimitive()" },
		{ .name = "--streams", .kind = OPTION_FLAG, .to = &o.control.streams,
		  .help = "the shader writes to several streams" },
		{ .name = "--thread-end", .kind = OPTION_TEXT, .to = &end, .value = "LIST",
		  .help = "instructions (plain,urb,flow,effect,...): how the thread ends" },
		{ .name = "--static-vertices", .kind = OPTION_COUNT, .to = &vertices, .value = "N", .max = 1024,
		  .given = &fixed, .help = "their number is known to be N; without it, it is not" },
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "vue", .files = "", .options = own, .example = "limn vue --simd4x2 --vertices 3",
		.about = "Payload of an i965 geometry shader: the register and dword of each input.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	o.layout.mode = half ? VUE_SIMD4X2 : VUE_SIMD8;
	o.control.points = !strcmp(output, "points");
	o.static_vertices = fixed ? (int)vertices : -1;
	if (!vue_valid(&o.layout))
		status = failed(EXIT_USAGE, "no primitive has %u vertices", o.layout.vertices);
	else if (end && !read_instructions(&o, &c, end))
		status = EXIT_USAGE;
	else
		print(&o, control);
	free(o.insns);
	return status;
}
