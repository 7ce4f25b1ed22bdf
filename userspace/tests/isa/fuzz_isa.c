// SPDX-License-Identifier: MIT
/*
 * libFuzzer over the instruction sets: the first byte chooses the set and the
 * direction, the rest is text, words or a container. Text: an error or words
 * that come back the same by way of the disassembler. Words: text, findings
 * and execution. See SELECTOR.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/bifrost_clause.h"
#include "isa/mbs.h"
#include "isa/table.h"
#include "tool/vue.h"
#include "sim/bifrost.h"
#include "sim/midgard.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "sim/vivante.h"

#define STEPS	200

/* SELECTOR: low six bits the set, as limn_isa_at() counts; VUE: the layout of i965 payloads. */
#define TEXT	0x40
#define MBS	0x80
#define VUE	63

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void words_to_text(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_messages m;
	uint32_t *again;
	size_t n;
	char *text = limn_isa_disasm(isa, words, count);

	if (!text || limn_isa_asm(isa, text, strlen(text), &again, &n, &m) || n != count ||
	    (n && memcmp(again, words, n * 4)))
		abort();
	limn_isa_messages_free(&m);
	free(again);
	free(text);
	if (limn_isa_check_declared(isa, words, count, &(struct isa_declared){ count % 64, count % 7, count % 5, count % 3 }, &m))
		abort();
	for (size_t i = 0; i < m.count; i++)
		if (!m.list[i].rule || !m.list[i].text || m.list[i].at > count || m.list[i].other > count)
			abort();
	limn_isa_messages_free(&m);
}

static void execute_gp(const uint32_t *words, size_t count)
{
	static struct gpsim_state gp __attribute__((aligned(32)));
	struct gpsim_program *prog;

	if (count < 4 || count > 2048)
		return;
	prog = gpsim_decode(words, count / 4);
	gpsim_begin(&gp, prog, 0xff);
	gpsim_run(&gp, STEPS);
	gpsim_free(prog);
}

static void execute_pp(const uint32_t *words, size_t count)
{
	static struct ppsim_state fp __attribute__((aligned(32)));
	static struct ppsim_env env __attribute__((aligned(32)));
	struct ppsim_program *prog = ppsim_decode_words(words, count);

	env.temporaries = 8;
	ppsim_begin(&fp, prog, &env, 0xff);
	ppsim_run(&fp, STEPS);
	ppsim_free(prog);
}

static bool no_load(void *ctx, uint32_t address, uint32_t *value)
{
	*value = address;
	return address & 4;
}

static bool no_store(void *ctx, uint32_t address, uint32_t value)
{
	return address & 4;
}

static void execute_vivante(const uint32_t *words, size_t count)
{
	static struct vivsim_state s __attribute__((aligned(32)));
	static struct vivsim_env env __attribute__((aligned(32)));
	static const uint32_t uniforms[4][4] = { { 1, 2, 3, 4 }, { 0x3f800000, 0xffffffff, 0x7fc00000, 0x80000000 } };
	static struct vivsim_state bound __attribute__((aligned(32)));
	struct vivsim_op *ops = malloc(count / 4 * sizeof(*ops) + 1);
	v8u (*constants)[4] = aligned_alloc(sizeof(v8u), (count + 1) * sizeof(*constants));

	env.uniforms = uniforms;
	env.uniform_count = 4;
	env.load = no_load;
	env.store = no_store;
	vivsim_decode(words, count / 4, ops);
	vivsim_begin(&s, ops, count / 4, &env, 0xff);
	memcpy(bound.temps, s.temps, sizeof(s.temps));
	vivsim_run(&s, STEPS);
	/* Operands looked up before give what they give without. */
	vivsim_bind(&bound, ops, count / 4, &env, constants);
	vivsim_begin(&bound, ops, count / 4, &env, 0xff);
	vivsim_run(&bound, STEPS);
	if (memcmp(bound.temps, s.temps, sizeof(s.temps)) || bound.events != s.events)
		abort();
	free(constants);
	free(ops);
}

static bool md_memory(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	if (!write)
		memset(data, (int)address, size);
	return address & 4;
}

static void md_image(void *ctx, unsigned int lane, const struct mdsim_texel *texel, bool store, union mdsim_reg *data)
{
	if (!store)
		memset(data, (int)texel->image, sizeof(*data));
}

static void md_texture(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4])
{
	memcpy(out, sample->coords, sizeof(sample->coords));
}

static void execute_midgard(const uint32_t *words, size_t count)
{
	static const struct mdsim_io io = { .memory = md_memory, .image = md_image, .texture = md_texture };
	static struct mdsim_state s = { .io = &io };
	struct mdsim_program *program = mdsim_decode(words, count);

	if (!program)
		return;
	mdsim_run(&s, program, 0x81, STEPS);
	mdsim_free(program);
}

static void execute_bifrost(const uint32_t *words, size_t count)
{
	static const struct mdsim_io io = { .memory = md_memory, .image = md_image, .texture = md_texture };
	static struct bfsim_state s __attribute__((aligned(64))) = { .io = &io };
	struct bfsim_program *program = bfsim_decode(words, count);
	uint32_t again[BIFROST_CLAUSE_WORDS];
	struct bifrost_clause clause;
	size_t n = limn_isa_bifrost_clause_read(words, count, &clause);

	/* Words that are a clause are written as they were. */
	if (n > count || (n && (limn_isa_bifrost_clause_write(&clause, again) != n || memcmp(again, words, n * 4))))
		abort();
	if (!program)
		return;
	bfsim_run(&s, program, 0x81, STEPS);
	bfsim_free(program);
}

static void execute(const struct isa *isa, const uint32_t *words, size_t count)
{
	if (isa == &isa_utgard_gp)
		execute_gp(words, count);
	else if (isa == &isa_utgard_pp)
		execute_pp(words, count);
	else if (isa == &isa_vivante)
		execute_vivante(words, count);
	else if (isa == &isa_midgard)
		execute_midgard(words, count);
	else if (isa == &isa_bifrost)
		execute_bifrost(words, count);
}

static void from_text(const struct isa *isa, const char *text, size_t length)
{
	struct isa_messages m;
	uint32_t *words;
	size_t count;
	int err = limn_isa_asm(isa, text, length, &words, &count, &m);

	if (!!err != !!m.errors)
		abort();
	for (size_t i = 0; i < m.count; i++)
		if (!m.list[i].line || !m.list[i].column || !m.list[i].text[0])
			abort();
	if (!err)
		words_to_text(isa, words, count);
	limn_isa_messages_free(&m);
	free(words);
}

/* A container that is taken apart has its code inside itself. */
static void container(const struct isa *isa, const uint8_t *data, size_t size)
{
	size_t offset = 0, length = 0;
	const char *why = NULL;

	if (limn_mbs_find(isa, data, size, &offset, &length, &why)) {
		if (!why)
			abort();
		return;
	}
	if (offset > size || length > size - offset)
		abort();
}

/* Every component has one place, and the place leads back to it. */
static void vue(const uint8_t *data, size_t size)
{
	struct vue_layout l;
	struct vue_place place;
	unsigned int p, v, s, c;

	if (size < 8)
		return;
	l = (struct vue_layout) { data[0] % 3, data[1], data[2], data[3] };
	if (!vue_valid(&l))
		return;
	if (vue_place(&l, data[4], data[5], data[6], data[7], &place) &&
	    (!vue_find(&l, place, &p, &v, &s, &c) || p != data[4] || v != data[5] || s != data[6] || c != data[7]))
		abort();
	place = (struct vue_place) { data[4] | data[5] << 8, data[6] };
	if (vue_find(&l, place, &p, &v, &s, &c)) {
		struct vue_place again;

		if (!vue_place(&l, p, v, s, c, &again) || again.reg != place.reg || again.dword != place.dword)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct isa *isa;
	uint32_t *words;
	size_t count;

	if (!size)
		return 0;
	if ((data[0] & 63) == VUE) {
		vue(data + 1, size - 1);
		return 0;
	}
	isa = limn_isa_at((data[0] & 63) % 5);
	if (data[0] & TEXT) {
		from_text(isa, (const char *)data + 1, size - 1);
		return 0;
	}
	if (data[0] & MBS) {
		container(isa, data + 1, size - 1);
		return 0;
	}
	count = (size - 1) / 4;
	words = malloc(count * 4 + 1);
	if (!words)
		return 0;
	memcpy(words, data + 1, count * 4);
	words_to_text(isa, words, count);
	execute(isa, words, count);
	free(words);
	return 0;
}
