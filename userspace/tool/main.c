// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/target.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", cmd_run, "draws jobs on a GPU or on its model" },
	{ "info", cmd_info, "what the GPU is" },
	{ "asm", cmd_asm, "shader text to words" },
	{ "disasm", cmd_disasm, "words to shader text" },
	{ "check", cmd_check, "a shader against the rules of its instruction set" },
	{ "decode", cmd_decode, "where a failed job stopped; command streams" },
	{ "capture", cmd_capture, "records what a program submits" },
	{ "replay", cmd_replay, "runs what was recorded again" },
	{ "show", cmd_show, "what was recorded: jobs, draws, state" },
	{ "diff", cmd_diff, "two captures, draw by draw" },
	{ "pixel", cmd_pixel, "what each primitive did to a pixel" },
	{ "bisect", cmd_bisect, "the first draw after which a picture is wrong" },
	{ "shrink", cmd_shrink, "a capture without what a pixel does not need" },
	{ "report", cmd_report, "a capture as one HTML page" },
	{ "trace", cmd_trace, "when a program's jobs waited and ran, as a timeline" },
	{ "top", cmd_top, "who uses the GPU, and how much" },
	{ "exec", cmd_exec, "runs a shader on given inputs" },
	{ "isa", cmd_isa, "the tables of the instruction sets" },
	{ "vue", cmd_vue, "payload layout of an i965 geometry shader's inputs" },
	{ "probe", cmd_probe, "asks a GPU what no document says of it" },
	{ "bench", cmd_bench, "frames and submits per second" },
};

#define NUM_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *to)
{
	fprintf(to, "usage: limn COMMAND [OPTION...]   (limn COMMAND --help tells more; limn --version)\n");
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].help);
	fputs("exit status: 0 done, 1 wrong input, 2 wrong usage, 3 the job failed, 4 no device\n"
	      "example: limn run triangle.limn -o triangle.png\n", to);
}

static int version(void)
{
	printf("limn %s\nliblimn.so.0, the same version\n", LIMN_VERSION);
	printf("user ABIs: lima 1.%u, etnaviv 1.%u, limn_drm.h where the driver is limn\nmodels:", TARGET_LIMA_MINOR,
	       TARGET_ETNAVIV_MINOR);
	for (unsigned int i = 0; target_models(NULL, i); i++)
		printf(" %s", target_models(NULL, i));
	putchar('\n');
	return EXIT_OK;
}

/* A result that could not be written is none. */
static int finish(const char *command, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "limn %s: standard output cannot be written\n", command);
	return status ? status : EXIT_INPUT;
}

static const char *command_names(void *ctx, unsigned int index)
{
	return index < NUM_COMMANDS ? commands[index].name : NULL;
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* limn --complete WORD...: what the last word can become, for shells. */
static int complete(int argc, char **argv)
{
	static const char *const options[] = { "--help", "--version" };
	const struct command *command = argc > 1 ? find(argv[0]) : NULL;

	options_set_mode(OPTIONS_COMPLETE);
	if (command)
		return command->run(argc, argv);
	for (size_t i = 0; i < NUM_COMMANDS && argc == 1; i++)
		if (!strncmp(commands[i].name, argv[0], strlen(argv[0])))
			puts(commands[i].name);
	for (size_t i = 0; i < 2 && argc == 1 && *argv[0] == '-'; i++)
		if (!strncmp(options[i], argv[0], strlen(argv[0])))
			puts(options[i]);
	return EXIT_OK;
}

/* limn --man: the commands of limn(1). */
static int man(void)
{
	options_set_mode(OPTIONS_MAN);
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		commands[i].run(1, (char *[]){ (char *)commands[i].name, NULL });
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *command = find(name);

	if (command)
		return finish(name, command->run(argc - 1, argv + 1));
	if (!strcmp(name, "help") && argc > 2 && find(argv[2]))
		return finish(name, find(argv[2])->run(2, (char *[]){ argv[2], (char *)"--help", NULL }));
	if (!strcmp(name, "--complete"))
		return complete(argc - 2, argv + 2);
	if (!strcmp(name, "--man"))
		return finish(name, man());
	if (!strcmp(name, "--version"))
		return finish(name, version());
	if (argc < 2 || !strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		usage(argc < 2 ? stderr : stdout);
		return argc < 2 ? EXIT_USAGE : finish(name, EXIT_OK);
	}
	fprintf(stderr, "limn: no command '%s'%s (limn --help lists them)\n", name, did_you_mean(name, command_names, NULL));
	return EXIT_USAGE;
}
