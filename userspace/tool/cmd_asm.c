// SPDX-License-Identifier: MIT
/* limn asm: shader text to words. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/mbs.h"
#include "tool/cmd.h"
#include "tool/out_file.h"
#include "tool/shader_file.h"

static const char usage[] =
	"usage: limn asm [-i ISA] [-o OUT] [--hex | --mbs] [--json] FILE|-\n"
	"  -i ISA   one of those that limn isa lists; without it the file's ending .gp or .pp says\n"
	"  -o OUT   write little-endian 32-bit words to OUT; without it print them as hex\n"
	"  --hex    hex also with -o\n"
	"  --mbs    an MBS1 container with the code alone (Utgard; needs -o)\n"
	"  --json   errors as JSON on standard error, a list that is empty when there are none\n"
	"All errors are reported as FILE:LINE:COLUMN: MESSAGE; exit status 1 then.\n";

/* Binary: the words of the file are little-endian then. */
static void put_words(struct shader_file *file, FILE *f, bool hex)
{
	unsigned int row = strcmp(isa_name(file->isa), "utgard-gp") ? 6 : 4;

	for (size_t i = 0; !hex && i < file->count; i++)
		file->words[i] = htole32(file->words[i]);
	if (!hex)
		fwrite(file->words, 4, file->count, f);
	for (size_t i = 0; hex && i < file->count; i++)
		fprintf(f, "%08x%c", file->words[i], i % row == row - 1 || i + 1 == file->count ? '\n' : ' ');
}

/* To standard output without a name; main() sees whether that went well. */
static bool write_out(struct shader_file *file, const char *name, bool hex, bool mbs)
{
	struct limn_error err;
	struct out_file out;
	void *data = NULL;
	size_t size;
	bool ok;

	if (!name) {
		put_words(file, stdout, true);
		return true;
	}
	if (mbs) {
		data = mbs_make(file->isa, file->words, file->count, &size);
		if (!data) {
			fprintf(stderr, "limn asm: MBS1 holds Utgard shaders only\n");
			return false;
		}
	}
	ok = !out_open(&out, name, &err);
	if (ok) {
		if (mbs)
			fwrite(data, 1, size, out.f);
		else
			put_words(file, out.f, hex);
		ok = !out_close(&out, &err);
	}
	if (!ok)
		fprintf(stderr, "limn asm: %s\n", err.text);
	free(data);
	return ok;
}

int cmd_asm(int argc, char **argv)
{
	struct shader_file file = { 0 };
	const char *name = NULL, *out = NULL;
	bool hex = false, json = false, mbs = false;
	int status = 1;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 0;
		}
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			name = argv[++i];
		else if (!strcmp(argv[i], "-o") && i + 1 < argc)
			out = argv[++i];
		else if (!strcmp(argv[i], "--hex"))
			hex = true;
		else if (!strcmp(argv[i], "--mbs"))
			mbs = true;
		else if (!strcmp(argv[i], "--json"))
			json = true;
		else if (!file.path && (argv[i][0] != '-' || !argv[i][1]))
			file.path = argv[i];
		else {
			fprintf(stderr, "limn asm: unexpected '%s'\n%s", argv[i], usage);
			return 2;
		}
	}
	if (!file.path || (mbs && (!out || hex))) {
		fputs(usage, stderr);
		return 2;
	}
	file.isa = shader_isa("asm", name, file.path);
	if (!file.isa)
		return 2;
	if (shader_read("asm", &file) && shader_assemble(&file, json ? SHADER_JSON : SHADER_TEXT) &&
	    write_out(&file, out, hex, mbs))
		status = 0;
	shader_free(&file);
	return status;
}
