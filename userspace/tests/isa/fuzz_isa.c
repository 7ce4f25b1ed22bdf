// SPDX-License-Identifier: MIT
/*
 * libFuzzer over the instruction sets: the first byte chooses the set and the
 * direction, the rest is text or words. Text: an error or words that come back
 * the same by way of the disassembler. Words: text, findings and execution.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void words_to_text(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_messages m;
	uint32_t *again;
	size_t n;
	char *text = isa_disasm(isa, words, count);

	if (!text || isa_asm(isa, text, strlen(text), &again, &n, &m) || n != count ||
	    (n && memcmp(again, words, n * 4)))
		abort();
	free(again);
	free(text);
	if (isa_check(isa, words, count, &m))
		abort();
	isa_messages_free(&m);
}

static void execute(bool pp, const uint32_t *words, size_t count)
{
	static struct gpsim_state gp __attribute__((aligned(32)));
	static struct ppsim_state fp __attribute__((aligned(32)));
	static struct ppsim_env env __attribute__((aligned(32)));

	if (pp) {
		struct ppsim_program *prog = ppsim_decode_words(words, count);

		env.temporaries = 8;
		ppsim_begin(&fp, prog, &env, 0xff);
		ppsim_run(&fp, 200);
		ppsim_free(prog);
	} else if (count >= 4 && count <= 2048) {
		struct gpsim_program *prog = gpsim_decode(words, count / 4);

		gpsim_begin(&gp, prog, 0xff);
		gpsim_run(&gp, 200);
		gpsim_free(prog);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct isa *isa;
	uint32_t *words;
	size_t count;

	if (!size)
		return 0;
	isa = isa_at(data[0] & 63);
	if (!isa)
		return 0;
	if (data[0] & 64) {
		struct isa_messages m;
		int err = isa_asm(isa, (const char *)data + 1, size - 1, &words, &count, &m);

		if (!!err != !!m.errors)
			abort();
		if (!err)
			words_to_text(isa, words, count);
		isa_messages_free(&m);
		free(words);
		return 0;
	}
	count = (size - 1) / 4;
	words = malloc(count * 4 + 1);
	if (!words)
		return 0;
	memcpy(words, data + 1, count * 4);
	words_to_text(isa, words, count);
	if ((data[0] & 63) < 2)
		execute(data[0] & 1, words, count);
	free(words);
	return 0;
}
