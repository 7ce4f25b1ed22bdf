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

/* Binary: the words of the file are little-endian then. */
static void put_words(struct shader_file *file, FILE *f, bool hex)
{
	unsigned int row = strcmp(limn_isa_name(file->isa), "utgard-gp") ? 6 : 4;

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
		data = limn_mbs_make(file->isa, file->words, file->count, &size);
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
	const char *out = NULL;
	bool mbs = false, quiet = false;
	const struct option shared[] = SHADER_OPTIONS(&file, "hexadecimal text also with --out"), own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &out, .value = "FILE",
		  .help = "little-endian 32-bit words; without it they are printed in hexadecimal" },
		{ .name = "--mbs", .kind = OPTION_FLAG, .to = &mbs,
		  .help = "an MBS1 container with the code alone (Utgard; needs --out)" },
		OPTION_QUIET(&quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "asm", .files = "FILE", .options = own, .more = shared, .paths = &file.path, .max_paths = 1,
		.min_paths = 1, .example = "limn asm shader.gp -o shader.bin",
		.about = "Shader text to words; - is standard input. All errors are reported, with their places.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (mbs && (!out || file.hex))
		return failed(EXIT_USAGE, "--mbs needs --out, and is not --hex");
	status = shader_load(&file, SHADER_TEXT | SHADER_LISTS);
	if (!status && !write_out(&file, out, file.hex, mbs))
		status = EXIT_INPUT;
	if (!status && out && strcmp(out, "-") && !quiet && !file.json)
		printf("%s %zu words\n", out, file.count);
	shader_free(&file);
	return status;
}
