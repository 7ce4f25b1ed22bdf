// SPDX-License-Identifier: MIT
/* limn disasm and limn check: shader words to text, and to findings. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/bifrost_clause.h"
#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/shader_file.h"

struct options {
	const char *isa;
	bool hex, json, clauses;
	struct isa_declared *declared;	/* limn check */
};

static unsigned int *declared_option(struct isa_declared *d, const char *name)
{
	return !strcmp(name, "--temps") ? &d->temporaries : !strcmp(name, "--inputs") ? &d->inputs :
	       !strcmp(name, "--elements") ? &d->elements : NULL;
}

static bool read_count(const char *command, const char *option, const char *text, unsigned int *count)
{
	char *end;
	unsigned long v = strtoul(text, &end, 0);

	if (end == text || *end || v > 1024 || strchr(text, '-')) {
		fprintf(stderr, "limn %s: %s takes a number, 0 to 1024, not '%s'\n", command, option, text);
		return false;
	}
	*count = v;
	return true;
}

/* 0: go on; else the exit status, less one. */
static int parse(int argc, char **argv, const char *usage, struct options *o, struct shader_file *file)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 1;
		}
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			o->isa = argv[++i];
		else if (!strcmp(argv[i], "--hex"))
			o->hex = true;
		else if (!strcmp(argv[i], "--json"))
			o->json = true;
		else if (!strcmp(argv[i], "--clauses") && !strcmp(argv[0], "disasm"))
			o->clauses = true;
		else if (o->declared && i + 1 < argc && declared_option(o->declared, argv[i])) {
			if (!read_count(argv[0], argv[i], argv[i + 1], declared_option(o->declared, argv[i])))
				return 3;
			i++;
		} else if (!file->path && (argv[i][0] != '-' || !argv[i][1]))
			file->path = argv[i];
		else {
			fprintf(stderr, "limn %s: unexpected '%s'\n%s", argv[0], argv[i], usage);
			return 3;
		}
	}
	if (!file->path) {
		fputs(usage, stderr);
		return 3;
	}
	file->isa = shader_isa(argv[0], o->isa, file->path);
	return file->isa ? 0 : 3;
}

static int sink(void *ctx, const char *text, size_t length)
{
	return fwrite(text, 1, length, stdout) == length ? 0 : -EIO;
}

static int json_sink(void *ctx, const char *text, size_t length)
{
	json_print_text(stdout, text, length);
	return ferror(stdout) ? -EIO : 0;
}

static bool disassemble(const struct shader_file *file, bool json)
{
	int err;

	if (json)
		printf("{\"isa\": \"%s\", \"words\": %zu, \"text\": \"", isa_name(file->isa), file->count);
	err = isa_disasm_to(file->isa, file->words, file->count, json ? json_sink : sink, NULL);
	if (json)
		printf("\"}\n");
	if (!err && fflush(stdout))
		err = -EIO;
	if (err)
		fprintf(stderr, "limn disasm: %s\n", err == -ENOMEM ? "out of memory" : "standard output cannot be written");
	return !err;
}

/* Bifrost programs as GPUs have them. */
static bool disassemble_clauses(const struct shader_file *file)
{
	size_t at;
	int err = isa_bifrost_clauses_to(file->words, file->count, sink, NULL, &at);

	if (fflush(stdout) && (!err || err == -EINVAL))
		err = -EIO;
	if (err == -EINVAL)
		fprintf(stderr, "limn disasm: %s: at word %zu there is no clause, or not all of one\n", file->path, at);
	else if (err)
		fprintf(stderr, "limn disasm: %s\n", err == -ENOMEM ? "out of memory" : "standard output cannot be written");
	return !err;
}

int cmd_disasm(int argc, char **argv)
{
	static const char usage[] =
		"usage: limn disasm -i ISA [--hex] [--json | --clauses] FILE|-\n"
		"  -i ISA     one of those that limn isa lists\n"
		"  --hex      FILE has 32-bit words as hexadecimal text; else little-endian binary\n"
		"  --clauses  bifrost: FILE is a program as GPUs have it, in clauses; their\n"
		"             instructions, with headers and registers as comments\n"
		"Any words have a text, and limn asm makes the same words of it (not of --clauses: it\n"
		"makes the instructions without their clauses).\n";
	struct shader_file file = { 0 };
	struct options o = { 0 };
	int ret = parse(argc, argv, usage, &o, &file);

	if (ret)
		return ret - 1;
	if (o.clauses && (o.json || strcmp(isa_name(file.isa), "bifrost"))) {
		fprintf(stderr, "limn disasm: --clauses is for bifrost, without --json\n");
		return 2;
	}
	ret = 1;
	if (shader_read("disasm", &file) && shader_binary("disasm", &file, o.hex) &&
	    (o.clauses ? disassemble_clauses(&file) : disassemble(&file, o.json)))
		ret = 0;
	shader_free(&file);
	return ret;
}

/* Words of an instruction, where all have the same. */
static unsigned int unit_of(const struct isa *isa)
{
	return !strcmp(isa_name(isa), "utgard-gp") || !strcmp(isa_name(isa), "vivante") ? 4 : 1;
}

static void print_finding(const struct shader_file *file, const struct isa_message *f)
{
	static const char *const severity[] = { "error", "warning", "note" };
	unsigned int unit = unit_of(file->isa);
	const char *what = unit == 4 ? "instruction " : "word ";

	if (f->at < file->line_count)
		printf("%s:%u: %s: %s%u", file->path, file->lines[f->at], severity[f->severity], what, f->at / unit);
	else
		printf("%s: %s: %s%u", file->path, severity[f->severity], what, f->at / unit);
	if (f->other != f->at)
		printf(" (with %u, %u %s)", f->other / unit, (f->other < f->at ? f->at - f->other : f->other - f->at) / unit,
		       f->other < f->at ? "before" : "after");
	printf(": %s [%s]\n", f->text, f->rule);
}

static void print_findings(const struct shader_file *file, const struct isa_messages *m)
{
	for (size_t i = 0; i < m->count; i++)
		print_finding(file, &m->list[i]);
}

static void print_json_findings(const struct shader_file *file, const struct isa_messages *m)
{
	static const char *const severity[] = { "error", "warning", "note" };
	unsigned int unit = unit_of(file->isa);
	struct json j = { .to = stdout };

	json_array(&j, NULL);
	for (size_t i = 0; i < m->count; i++) {
		const struct isa_message *f = &m->list[i];

		json_object(&j, NULL);
		json_string(&j, "severity", severity[f->severity]);
		json_string(&j, "rule", f->rule);
		json_int(&j, "at", f->at / unit);
		json_int(&j, "other", f->other / unit);
		json_int(&j, "line", f->at < file->line_count ? file->lines[f->at] : 0);
		json_string(&j, "message", f->text);
		json_end_object(&j);
	}
	json_end_array(&j);
}

/* Text with errors is reported where findings would be: as JSON that is the list of them. */
static bool read_checked(struct shader_file *file, const struct options *o)
{
	if (!shader_read("check", file))
		return false;
	file->keep_lines = true;
	if (!o->json || o->hex || !shader_is_text(file))
		return shader_any("check", file, o->hex);
	return shader_assemble(file, SHADER_JSON_ERRORS);
}

int cmd_check(int argc, char **argv)
{
	static const char usage[] =
		"usage: limn check [-i ISA] [--hex] [--json] [--temps N] [--inputs N] [--elements N] FILE|-\n"
		"Checks a shader, text (.gp, .pp, .asm, .txt) or words, against the rules of its\n"
		"instruction set. Findings name the line of a text, the instruction (or, where they\n"
		"differ in length, the word), the other one that it is about, and the rule.\n"
		"With --json a list of them, or of the errors of a text that cannot be assembled.\n"
		"For vivante, what the states around the shader declare: temporaries (NUM_TEMPS),\n"
		"inputs of a vertex shader (VS_INPUT_COUNT), and vertex elements.\n"
		"Exit status 1 when there is an error among them.\n";
	struct shader_file file = { 0 };
	struct isa_declared declared = { ISA_UNDECLARED, ISA_UNDECLARED, ISA_UNDECLARED };
	struct isa_messages m = { 0 };
	struct options o = { .declared = &declared };
	int ret = parse(argc, argv, usage, &o, &file);

	if (ret)
		return ret - 1;
	ret = 1;
	if (read_checked(&file, &o)) {
		if (isa_check_declared(file.isa, file.words, file.count, &declared, &m))
			fprintf(stderr, "limn check: out of memory\n");
		else
			ret = m.errors ? 1 : 0;
		(o.json ? print_json_findings : print_findings)(&file, &m);
	}
	isa_messages_free(&m);
	shader_free(&file);
	return ret;
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

			if (strcmp(name, isa_name(isa)) || row >= rows || seen[row] || !isa_row_at(isa, row, &r))
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

	for (unsigned int i = 0; i < index && isa_row_at(isa, i, &r); i++)
		if (r.why && !strcmp(r.why, why))
			return false;
	return true;
}

static void print_why(const struct isa *isa, unsigned int first, const char *why)
{
	struct isa_row r;

	printf("           not executed (%s):", why);
	for (unsigned int i = first; isa_row_at(isa, i, &r); i++)
		if (r.why && !strcmp(r.why, why))
			printf(" %.*s", (int)r.length, r.name);
	printf("\n");
}

/* Rows that are named and not executed, by reason; and those that no test has run. */
static void print_gaps(const struct isa *isa, const bool *seen, bool tested)
{
	bool any = false;
	struct isa_row r;

	for (unsigned int i = 0; isa_row_at(isa, i, &r); i++)
		if (r.why && first_of(isa, i, r.why))
			print_why(isa, i, r.why);
	for (unsigned int i = 0; tested && isa_row_at(isa, i, &r); i++) {
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

	isa_coverage(isa, &c);
	rows = c.ops + c.codes < MAX_ROWS ? c.ops + c.codes : MAX_ROWS;
	memset(seen, 0, sizeof(seen));
	tested = measured ? count_tested(isa, folder, seen, rows) : 0;
	printf("%-10s ops: named %u, encoded %u (100 %%), executed %u (%u %%)", isa_name(isa), c.ops, c.ops, c.executed,
	       100 * c.executed / c.ops);
	if (measured)
		printf(", tested %u (%u %%)", tested, 100 * tested / c.ops);
	else
		printf(", tested: not measured (make check fills %s)", folder);
	printf("; codes that nobody has named: %u; fields named: %u of %u\n", c.codes, c.fields - c.unknown_fields,
	       c.fields);
	print_gaps(isa, seen, measured);
}

/* The exit status. */
static int print_table(const char *name, const char *folder)
{
	static bool seen[MAX_ROWS];
	const struct isa *isa = shader_isa("isa", name, "");
	char *text;

	if (!isa)
		return 2;
	count_tested(isa, folder, seen, MAX_ROWS);
	text = isa_describe(isa, access(folder, R_OK) ? NULL : seen);
	if (!text) {
		fprintf(stderr, "limn isa: out of memory\n");
		return 1;
	}
	fputs(text, stdout);
	free(text);
	return 0;
}

int cmd_isa(int argc, char **argv)
{
	static const char usage[] =
		"usage: limn isa [-i ISA | --coverage] [--tested FOLDER]\n"
		"Without options: the instruction sets. -i: its table of ops and fields as\n"
		"reStructuredText. --coverage: how much of each table is named, encoded, executed and,\n"
		"by what make check left in build/tested, run by a unit test; and what is not, and why.\n";
	const char *folder = "build/tested";
	const struct isa *isa;

	if (argc == 5 && !strcmp(argv[3], "--tested"))
		folder = argv[4];
	if ((argc == 3 || (argc == 5 && folder == argv[4])) && !strcmp(argv[1], "-i"))
		return print_table(argv[2], folder);
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "--coverage") && !strcmp(argv[2], "--tested"))
		folder = argv[3];
	else if (argc > 2 || (argc == 2 && strcmp(argv[1], "--coverage"))) {
		fputs(usage, stderr);
		return 2;
	}
	for (unsigned int i = 0; (isa = isa_at(i)); i++) {
		if (argc == 1)
			printf("%s\n", isa_name(isa));
		else
			print_coverage(isa, folder);
	}
	return 0;
}
