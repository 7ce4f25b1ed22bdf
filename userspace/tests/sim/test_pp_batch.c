// SPDX-License-Identifier: MIT
/*
 * Straight programs of random words: a batch has in every register what states have that run one block
 * after the other, some quads of them and some instructions at a time, to the bit but for the kind of NaN;
 * states have nothing in the other quads. Or the batch refuses, and then for a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/utgard_pp.h"
#include "sim/utgard_pp.h"
#include "tests/isa/random.h"

static struct ppsim_state one __attribute__((aligned(32)));
static struct ppsim_env env __attribute__((aligned(32)));
static struct ppsim_batch batch __attribute__((aligned(64)));
static unsigned int block;		/* that env is asked for */
static const uint8_t quads[] = { 0x0f, 0xf0, 0xff };

static bool get_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	for (unsigned int i = 0; i < count; i++)
		halves[i] = (uint16_t)(address * 77 + (int)i);
	return address > -40 && address < 40;
}

static void varying_of(unsigned int b, unsigned int address, v8f *out)
{
	v8f v = { 0, 1, -1, 2, 1e9f, -1e9f, 0.5f, 3 };

	*out = v * (float)(b + 1) + (float)address * 0.37f;
}

static bool get_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	for (unsigned int i = 0; i < count; i++)
		varying_of(block, address + i, &out[i]);
	return true;
}

static void sample_of(unsigned int b, const struct ppsim_sample *s, const v8f *lod, const v8f coord[4], v8f rgba[4])
{
	for (unsigned int c = 0; c < 4; c++)
		rgba[c] = coord[c] * 0.5f + (float)(s->sampler + s->type + b);
	if (s->lod_mode != PPSIM_LOD_IMPLICIT)
		rgba[3] += *lod;
}

static bool get_sample(void *ctx, const struct ppsim_sample *sample, v8f *rgba)
{
	sample_of(block, sample, sample->lod, sample->coord, rgba);
	return true;
}

static bool batch_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	for (unsigned int i = 0; i < batch.n; i++)
		for (unsigned int c = 0; c < count; c++)
			varying_of(i, address + c, &out[c * PPSIM_BATCH + i]);
	return true;
}

static bool batch_sample(void *ctx, const struct ppsim_sample *s, v8f *out)
{
	const ppsim_column *coord = (const ppsim_column *)s->coord;

	for (unsigned int i = 0; i < batch.n; i++) {
		const v8f at[4] = { coord[0][i], coord[1][i], coord[2][i], coord[3][i] };
		v8f rgba[4];

		sample_of(i, s, &s->lod[i], at, rgba);
		for (unsigned int c = 0; c < 4; c++)
			out[c * PPSIM_BATCH + i] = rgba[c];
	}
	return true;
}

static void same(unsigned int program, unsigned int reg, unsigned int c, unsigned int lanes)
{
	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		float want = one.registers[reg][c][lane], got = batch.file[reg][c][block][lane];

		if (!(lanes >> lane & 1))
			assert_true(want == 0);
		else if (memcmp(&want, &got, sizeof(want)) && !(want != want && got != got))
			fail_msg("program %u, block %u, lane %u: $%u.%c is %a, alone %a", program, block, lane, reg, "xyzw"[c], got, want);
	}
}

/* One block after the other; false: it reads what is not there. */
static void compare(unsigned int n, struct ppsim_program *prog, bool ran)
{
	bool outside = false;

	for (block = 0; block < batch.n; block++) {
		unsigned int lanes = quads[random_word() % 3], limit = 1 + random_word() % 9;
		enum sim_status status = SIM_LIMIT;

		ppsim_begin(&one, prog, &env, (uint8_t)lanes);
		while (status == SIM_LIMIT)
			status = ppsim_run(&one, limit);
		assert_int_equal(status, SIM_DONE);
		assert_int_equal(one.instructions, ppsim_straight(prog));
		assert_int_equal(one.discarded, 0);
		assert_int_equal(one.events & ~PPSIM_UNIFORM_RANGE, 0);
		outside |= one.events != 0;
		for (unsigned int reg = 0; reg < 16 && ran; reg++)
			for (unsigned int c = 0; c < 4; c++)
				same(n, reg, c, lanes);
	}
	assert_int_equal(outside, !ran);
}

/* A few instructions without the two kinds of fields that are never straight. */
static unsigned int make(uint32_t words[256])
{
	const uint32_t never = 1u << (PP_ctrl_fields + PP_TEMP - 1) | 1u << (PP_ctrl_fields + PP_BRANCH - 1);
	unsigned int count = 1 + random_word() % 6, at = 0;

	for (unsigned int i = 0; i < count; i++) {
		uint32_t ctrl = (random_word() & random_word() & 0x0007ff80) & ~never;
		unsigned int size = pp_size(ctrl);

		words[at] = ctrl | size | (i + 1 == count ? 1u << PP_ctrl_stop : 0);
		for (unsigned int k = 1; k < size; k++)
			words[at + k] = random_word();
		at += size;
	}
	return at;
}

static void test_random(void **unused)
{
	static struct ppsim_env batch_env __attribute__((aligned(32)));
	unsigned int straight = 0, refused = 0;

	random_seed();
	batch_env.uniform = env.uniform = get_uniform;
	env.varying = get_varying;
	env.sample = get_sample;
	batch_env.varying = batch_varying;
	batch_env.sample = batch_sample;
	batch.env = &batch_env;
	for (unsigned int n = 0; n < 60000; n++) {
		uint32_t words[256];
		struct ppsim_program *prog = ppsim_decode_words(words, make(words));
		bool ran;

		assert_non_null(prog);
		if (ppsim_straight(prog)) {
			batch.n = 1 + random_word() % PPSIM_BATCH;
			for (unsigned int i = 0; i < batch.n; i++)
				batch.lanes[i] = quads[random_word() % 3];
			ran = ppsim_batch_run(prog, &batch, 0xffff);
			compare(n, prog, ran);
			straight++;
			refused += !ran;
		}
		ppsim_free(prog);
	}
	printf("%u straight programs, %u of them refused\n", straight, refused);
	assert_true(straight > 2000 && refused > 20 && refused < straight / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
