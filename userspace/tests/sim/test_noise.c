// SPDX-License-Identifier: MIT
/*
 * Shaders of random words: both simulators end, stop at their limit or say what
 * is wrong; they never crash (run under ASan and UBSan by hand), and do the same
 * when run again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "isa/utgard_pp.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "tests/isa/random.h"

static struct gpsim_state gp __attribute__((aligned(32)));
static struct ppsim_state pp __attribute__((aligned(32)));
static struct ppsim_env env __attribute__((aligned(32)));

static void test_gp(void **unused)
{
	static float uniforms[8][4];
	static v8f first[GPSIM_VARYINGS][4];

	random_seed();
	for (int i = 0; i < 32; i++)
		uniforms[i / 4][i % 4] = (int)random_word() % 8;
	gp.uniforms = (const float (*)[4])uniforms;
	gp.uniform_count = 8;
	for (int n = 0; n < 2000; n++) {
		uint32_t words[64 * 4];
		unsigned int count = 1 + random_word() % 64;
		struct gpsim_program *prog;
		enum sim_status status = SIM_LIMIT;

		for (unsigned int i = 0; i < count * 4; i++)
			words[i] = random_word();
		/* Branches that stay in the program, and address registers, more often than by chance. */
		for (unsigned int i = 0; i < count; i++) {
			if (random_word() % 4 == 0) {
				words[i * 4 + 2] |= 3u << 5;
				words[i * 4 + 3] = (words[i * 4 + 3] & 0xfffff) | 13u << 20 | (random_word() % (count + 1)) << 24;
			}
		}
		prog = gpsim_decode(words, count);
		assert_non_null(prog);
		for (int again = 0; again < 2; again++) {
			enum sim_status s;

			gpsim_begin(&gp, prog, 0xff);
			s = gpsim_run(&gp, 500);
			assert_true((s == SIM_FAULT) == (gp.fault.reason != NULL));
			assert_true(gp.instructions <= 500);
			if (again) {
				assert_int_equal(s, status);
				assert_memory_equal(first, gp.varyings, sizeof(first));
			}
			memcpy(first, gp.varyings, sizeof(first));
			status = s;
		}
		gpsim_free(prog);
	}
}

static bool get_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	for (unsigned int i = 0; i < count; i++)
		halves[i] = address * 77 + i;
	return address > -1000 && address < 1000;
}

static bool get_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	assert_true(count == 1 || count == 2 || count == 4);
	for (unsigned int i = 0; i < count; i++)
		out[i] = (v8f){ 0, 1, -1, 2, 1e9f, -1e9f, 0.5f, 3 };
	return true;
}

static bool get_sample(void *ctx, const struct ppsim_sample *sample, v8f *rgba)
{
	for (int c = 0; c < 4; c++)
		rgba[c] = sample->coord[c];
	return true;
}

static void test_pp(void **unused)
{
	static v8f first[4];

	random_seed();
	env.uniform = get_uniform;
	env.varying = get_varying;
	env.sample = get_sample;
	env.temporaries = 300;
	for (int n = 0; n < 2000; n++) {
		uint32_t words[600];
		unsigned int at = 0, discarded = 0;
		struct ppsim_program *prog;

		while (at < 500 && random_word() % 32) {
			uint32_t ctrl = random_word() & (random_word() | 0x1ffff);

			ctrl = (ctrl & ~63u) | (pp_size(ctrl) + (random_word() % 64 == 0));
			words[at++] = ctrl;
			for (unsigned int i = 1; i < pp_size(ctrl); i++)
				words[at++] = random_word();
		}
		words[at++] = 1 | 1u << 5;
		prog = ppsim_decode_words(words, at);
		assert_non_null(prog);
		for (int again = 0; again < 2; again++) {
			enum sim_status s;

			ppsim_begin(&pp, prog, &env, 0xff);
			s = ppsim_run(&pp, 500);
			assert_true((s == SIM_FAULT) == (pp.fault.reason != NULL));
			if (again) {
				assert_int_equal(discarded, pp.discarded);
				assert_memory_equal(first, pp.registers[0], sizeof(first));
			}
			memcpy(first, pp.registers[0], sizeof(first));
			discarded = pp.discarded;
		}
		ppsim_free(prog);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gp),
		cmocka_unit_test(test_pp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
