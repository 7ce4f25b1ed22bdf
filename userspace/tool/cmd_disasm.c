// SPDX-License-Identifier: MIT
/* limn disasm and limn check: shader words to text, and to findings. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/cmd.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/shader_file.h"

static bool disassemble(const struct shader_file *file, bool json)
{
	char *text = limn_isa_disasm(file->isa, file->words, file->count);

	if (!text) {
		failed(EXIT_INPUT, "out of memory");
		return false;
	}
	if (json)
		printf("{\"isa\": \"%s\", \"words\": %zu, \"text\": \"", limn_isa_name(file->isa), file->count);
	if (json)
		json_print_text(stdout, text, strlen(text));
	else
		fputs(text, stdout);
	if (json)
		printf("\"}\n");
	free(text);
	return !fflush(stdout) && !ferror(stdout);
}

int cmd_disasm(int argc, char **argv)
{
	struct shader_file file = { 0 };
	const struct option shared[] = SHADER_OPTIONS(&file, SHADER_HEX_INPUT);
	struct command_line c = {
		.command = "disasm", .files = "FILE", .options = shared, .paths = &file.path, .max_paths = 1,
		.min_paths = 1, .example = "limn disasm -i gc2000 shader.bin",
		.about = "Words to shader text: binary, MBS1, hex dumps, what Mesa's drivers print (of Panfrost's\n"
			 "with BIFROST_MESA_DEBUG=shaders, MIDGARD_MESA_DEBUG=shaders,verbose); - is standard\n"
			 "input. Any words have a text, and limn asm makes the same words of it.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	status = shader_load(&file, SHADER_WORDS);
	if (!status && !disassemble(&file, file.json))
		status = EXIT_INPUT;
	shader_free(&file);
	return status;
}

/* Where an instruction begins in its line of the text: behind blanks and labels, "NAME:" or "@ NUMBER:". */
static struct place place_of(const struct shader_file *file, unsigned int line)
{
	struct place at = { &file->source, line, 1, 0 };
	const char *end, *begin = message_line(&at, &end), *p = begin, *name;

	for (;;) {
		for (; p < end && isspace((unsigned char)*p); p++)
			;
		for (name = p; name < end && (isalnum((unsigned char)*name) || strchr("@ _-.", *name)); name++)
			;
		if (name == p || name == end || *name != ':')
			break;
		p = name + 1;
	}
	at.column = p - begin + 1;
	return at;
}

static void print_findings(const struct shader_file *file, const struct isa_messages *m)
{
	static const char *const severity[] = { "error", "warning", "note" };
	struct json j = { .to = stdout, .text = !file->json };
	unsigned int unit = shader_unit(file->isa);
	const char *what = unit == 4 ? "instruction" : "word";

	json_array(&j, NULL);
	for (size_t i = 0; i < m->count; i++) {
		const struct isa_message *f = &m->list[i];
		unsigned int line = f->at < file->line_count ? file->lines[f->at] : 0;
		struct place at = line ? place_of(file, line) : (struct place){ .line = 0 };

		json_object(&j, NULL);
		report(&j, line ? "{_file}:{_line}:{_column}: {severity}: {_what} {at}" : "{_file}: {severity}: {_what} {at}",
		       TEXT("_file", file->path), STRING("severity", severity[f->severity]), STRING("rule", f->rule),
		       INT("at", f->at / unit), TEXT("_what", what), TEXT_INT("_line", line),
		       TEXT_INT("_column", at.column));
		report(&j, f->other == f->at ? "" : f->other < f->at ? " (with {other}, {_away} before)" :
		       " (with {other}, {_away} after)", INT("other", f->other / unit),
		       TEXT_INT("_away", (f->other < f->at ? f->at - f->other : f->other - f->at) / unit));
		report(&j, ": {message} [{_rule}]\n", INT("line", line), INT("column", at.column), STRING("message", f->text),
		       TEXT("_rule", f->rule));
		if (line && !file->json)
			message_show(&at, stdout);
		json_end_object(&j);
	}
	json_end_array(&j);
}

/* A job, with the shaders in it: what reading it says. */
static int check_job(const struct shader_file *file, bool werror)
{
	struct job *job;
	int ret = shader_read_job(file, werror, stdout, &job);

	job_free(job);
	return ret ? EXIT_INPUT : EXIT_OK;
}

int cmd_check(int argc, char **argv)
{
	struct shader_file file = { 0 };
	struct isa_declared declared = ISA_NOTHING_DECLARED;
	struct isa_messages m = { 0 };
	bool werror = false;
	const struct option shared[] = SHADER_OPTIONS(&file, SHADER_HEX_INPUT), own[] = {
		{ .name = "--temps", .kind = OPTION_COUNT, .to = &declared.temporaries, .value = "N", .max = 1024,
		  .help = "vivante: temporaries that are declared (NUM_TEMPS)" },
		{ .name = "--inputs", .kind = OPTION_COUNT, .to = &declared.inputs, .value = "N", .max = 1024,
		  .help = "vivante: inputs of a vertex shader (VS_INPUT_COUNT)" },
		{ .name = "--elements", .kind = OPTION_COUNT, .to = &declared.elements, .value = "N", .max = 1024,
		  .help = "vivante: vertex elements that are set" },
		OPTION_DEFINE(&file.defines),
		OPTION_WERROR(&werror),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "check", .files = "FILE", .options = own, .more = shared, .paths = &file.path, .max_paths = 1,
		.min_paths = 1, .example = "limn check shader.pp",
		.about = "Checks a shader, text or words, or those in a job, against the rules of its instruction\n"
			 "set. Findings name the place in a text, the instruction (or, where they differ in length,\n"
			 "the word), the other one that it is about, and the rule. Exit status 1 when there is an\n"
			 "error among them.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (shader_is_job(&file)) {
		status = check_job(&file, werror);
		shader_free(&file);
		return status;
	}
	status = shader_load(&file, SHADER_TEXT | SHADER_WORDS);
	if (!status) {
		shader_trim(&file);
		declared.uniforms = job_uniforms(file.isa_name ? file.isa_name : "");
		if (limn_isa_check_declared(file.isa, file.words, file.count, &declared, &m))
			status = failed(EXIT_INPUT, "out of memory");
		for (size_t i = 0; i < m.count && werror; i++) {
			m.errors += m.list[i].severity == ISA_WARNING;
			if (m.list[i].severity == ISA_WARNING)
				m.list[i].severity = ISA_ERROR;
		}
		print_findings(&file, &m);
		status = m.errors ? EXIT_INPUT : status;
	}
	limn_isa_messages_free(&m);
	shader_free(&file);
	return status;
}

#define MAX_ROWS 2048

/* Rows that the unit tests of the simulators have run: "ISA ROW" lines in the folder's files. */
static unsigned int count_tested(const struct isa *isa, const char *folder, bool *seen, unsigned int rows)
{
	DIR *dir = opendir(folder);
	struct dirent *d;
	unsigned int n = 0;

	while (dir && (d = readdir(dir))) {
		char path[512], name[64];
		unsigned int row;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
		f = d->d_name[0] == '.' ? NULL : fopen(path, "r");
		while (f && fscanf(f, "%63s %u", name, &row) == 2) {
			struct isa_row r;

			if (strcmp(name, limn_isa_name(isa)) || row >= rows || seen[row] || !limn_isa_row_at(isa, row, &r))
				continue;
			seen[row] = true;
			n += r.executed;
		}
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return n;
}

/* Is this the first row with that reason? */
static bool first_of(const struct isa *isa, unsigned int index, const char *why)
{
	struct isa_row r;

	for (unsigned int i = 0; i < index && limn_isa_row_at(isa, i, &r); i++)
		if (r.why && !strcmp(r.why, why))
			return false;
	return true;
}

static void print_why(const struct isa *isa, unsigned int first, const char *why)
{
	struct isa_row r;

	printf("           not executed (%s):", why);
	for (unsigned int i = first; limn_isa_row_at(isa, i, &r); i++)
		if (r.why && !strcmp(r.why, why))
			printf(" %.*s", (int)r.length, r.name);
	printf("\n");
}

/* Rows that are named and not executed, by reason; and those that no test has run. */
static void print_gaps(const struct isa *isa, const bool *seen, bool tested)
{
	bool any = false;
	struct isa_row r;

	for (unsigned int i = 0; limn_isa_row_at(isa, i, &r); i++)
		if (r.why && first_of(isa, i, r.why))
			print_why(isa, i, r.why);
	for (unsigned int i = 0; tested && limn_isa_row_at(isa, i, &r); i++) {
		if (!r.executed || seen[i])
			continue;
		printf("%s %.*s", any ? "" : "           no unit test runs:", (int)r.length, r.name);
		any = true;
	}
	printf(any ? "\n" : "");
}

/* All rows can be encoded: a test of the tables makes sure of it. */
static void print_coverage(const struct isa *isa, const char *folder)
{
	static bool seen[MAX_ROWS];
	unsigned int rows, tested;
	struct isa_coverage c;
	bool measured = !access(folder, R_OK);

	limn_isa_coverage(isa, &c);
	rows = c.ops + c.codes < MAX_ROWS ? c.ops + c.codes : MAX_ROWS;
	memset(seen, 0, sizeof(seen));
	tested = measured ? count_tested(isa, folder, seen, rows) : 0;
	printf("%-10s ops: named %u, encoded %u (100 %%), executed %u (%u %%)", limn_isa_name(isa), c.ops, c.ops, c.executed,
	       100 * c.executed / c.ops);
	if (measured)
		printf(", tested %u (%u %%)", tested, 100 * tested / c.ops);
	else
		printf(", tested: not measured (make check fills %s)", folder);
	printf("; codes that nobody has named: %u; fields named: %u of %u\n", c.codes, c.fields - c.unknown_fields,
	       c.fields);
	print_gaps(isa, seen, measured);
}

static int print_table(const struct isa *isa, const char *folder)
{
	static bool seen[MAX_ROWS];
	char *text;

	count_tested(isa, folder, seen, MAX_ROWS);
	text = limn_isa_describe(isa, access(folder, R_OK) ? NULL : seen);
	fputs(text ? text : "", stdout);
	if (!text)
		fprintf(stderr, "limn isa: out of memory\n");
	free(text);
	return text ? EXIT_OK : EXIT_INPUT;
}

int cmd_isa(int argc, char **argv)
{
	const char *folder = "build/tested", *name = NULL;
	bool coverage = false;
	const struct isa *isa;
	const struct option own[] = {
		{ .name = "--isa", .letter = "-i", .kind = OPTION_TEXT, .to = &name, .value = "ISA", .names = shader_isa_names,
		  .help = "its table of ops and fields as reStructuredText" },
		{ .name = "--coverage", .kind = OPTION_FLAG, .to = &coverage,
		  .help = "how much of each table is named, encoded, executed and run by a unit test" },
		{ .name = "--tested", .kind = OPTION_TEXT, .to = &folder, .value = "FOLDER",
		  .help = "what make check left there says what tests run; build/tested by default" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "isa", .files = "", .options = own, .example = "limn isa -i vivante",
		.about = "Lists the instruction sets.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (name && coverage)
		return failed(EXIT_USAGE, "--isa and --coverage exclude each other");
	if (name) {
		isa = shader_isa(name, "");
		return isa ? print_table(isa, folder) : EXIT_USAGE;
	}
	for (unsigned int i = 0; (isa = limn_isa_at(i)); i++) {
		if (coverage)
			print_coverage(isa, folder);
		else
			puts(limn_isa_name(isa));
	}
	return EXIT_OK;
}
