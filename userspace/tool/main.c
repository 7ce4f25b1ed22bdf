// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tool/cmd.h"
#include "tool/options.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", cmd_run, "run JOB.limn... [-o OUT.png]: draw jobs on a GPU or on the model" },
	{ "info", cmd_info, "what the GPU is" },
	{ "asm", cmd_asm, "asm [-i ISA] [-o OUT] FILE: shader text to words" },
	{ "disasm", cmd_disasm, "disasm -i ISA FILE: words to shader text" },
	{ "check", cmd_check, "check [-i ISA] FILE: rules of the instruction set" },
	{ "decode", cmd_decode, "decode DUMP: where a failed job stopped; decode -i vivante-fe FILE: command streams" },
	{ "exec", cmd_exec, "exec [-i ISA] [--in NAME=VALUES] FILE: run a shader on given inputs" },
	{ "isa", cmd_isa, "isa [-i ISA | --coverage]: the tables of the instruction sets" },
	{ "vue", cmd_vue, "payload layout of an i965 geometry shader's inputs" },
	{ "bench", cmd_bench, "frames and submits per second" },
};

static void usage(FILE *to)
{
	fprintf(to, "usage: limn COMMAND [OPTION...]   (limn COMMAND --help tells more)\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].help);
}

/* A result that could not be written is none. */
static int finish(const char *command, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (!status)
		fprintf(stderr, "limn %s: standard output cannot be written\n", command);
	return status ? status : 1;
}

static const char *command_names(void *ctx, unsigned int index)
{
	return index < sizeof(commands) / sizeof(commands[0]) ? commands[index].name : NULL;
}

int main(int argc, char **argv)
{
	const char *near;

	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return finish(argv[1], commands[i].run(argc - 1, argv + 1));
	near = nearest(argv[1], command_names, NULL);
	fprintf(stderr, "limn: no command '%s'%s%s%s\n", argv[1], near ? "; did you mean " : "; limn --help lists them",
		near ? near : "", near ? "?" : "");
	return EXIT_USAGE;
}
