// SPDX-License-Identifier: MIT
/*
 * The states that the driver loads between two clients, chip by chip: what may be
 * loaded, and that nothing of the client before is left where it can be used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../../drivers/gpu/drm/limn/validate/vivante_clean.c"

#define PAGE	0x80000000u
#define LEFT	0xdead0000u	/* by the client before */

static const struct chip {
	const char *name;
	struct vivante_clean clean;
	/* What of the table's addresses it does not have: parts of their names. */
	const char *without[16];
	uint32_t uniforms[2][2], code[2][2];	/* first state and words */
} chips[] = {
	{ "gc2000", { .halti = 0, .model = 0x2000, .pixel_pipes = 2, .constants = 168, .instructions = 512,
		      .has = VIVANTE_HAS_PIPES | VIVANTE_HAS_STREAMS | VIVANTE_HAS_RS | VIVANTE_HAS_YUV },
	  { "_DE_", "_BLT_", "_NFE_", "_NTE_", "_TFB_", "_RT_", "ROBUSTNESS", "INST_ADDR", "GL_FENCE",
	    "TS_SAMPLER_SURFACE" },
	  { { VIVS_VS_UNIFORMS, 168 * 4 }, { VIVS_PS_UNIFORMS, 64 * 4 } }, { { VIVS_SH_INST_MEM, 2048 } } },
	{ "gc880", { .halti = 0, .model = 0x880, .pixel_pipes = 1, .constants = 256, .instructions = 512,
		     .has = VIVANTE_HAS_STREAMS | VIVANTE_HAS_RS },
	  { "_DE_", "_BLT_", "_NFE_", "_NTE_", "_TFB_", "_RT_", "ROBUSTNESS", "INST_ADDR", "GL_FENCE",
	    "TS_SAMPLER_SURFACE", "PIPE_", "YUV" },
	  { { VIVS_VS_UNIFORMS, 1024 }, { VIVS_PS_UNIFORMS, 1024 } }, { { VIVS_SH_INST_MEM, 2048 } } },
	{ "gc400", { .halti = -1, .model = 0x400, .pixel_pipes = 1, .constants = 168, .instructions = 256,
		     .has = VIVANTE_HAS_RS },
	  { "_DE_", "_BLT_", "_NFE_", "_NTE_", "_TFB_", "_RT_", "ROBUSTNESS", "INST_ADDR", "GL_FENCE",
	    "TS_SAMPLER_SURFACE", "PIPE_", "YUV", "STREAMS_BASE", "OCCLUSION" },
	  { { VIVS_VS_UNIFORMS, 168 * 4 }, { VIVS_PS_UNIFORMS, 64 * 4 } },
	  { { VIVS_VS_INST_MEM, 1024 }, { VIVS_PS_INST_MEM, 1024 } } },
	{ "gc3000", { .halti = 2, .model = 0x3000, .pixel_pipes = 2, .constants = 320, .instructions = 256,
		      .has = VIVANTE_HAS_PIPES | VIVANTE_HAS_STREAMS | VIVANTE_HAS_RS | VIVANTE_HAS_ICACHE },
	  { "_DE_", "_BLT_", "VIVS_TE_", "NTE_DESC", "_TFB_", "ROBUSTNESS", "GL_FENCE", "TS_SAMPLER_SURFACE",
	    "YUV", "NN_INST", "TP_INST" },
	  { { VIVS_SH_UNIFORMS, 1280 } }, { { VIVS_SH_INST_MEM, 2048 } } },
	{ "gc7000l", { .halti = 5, .model = 0x7000, .pixel_pipes = 2, .constants = 320, .instructions = 512,
		       .has = VIVANTE_HAS_PIPES | VIVANTE_HAS_STREAMS | VIVANTE_HAS_BLT | VIVANTE_HAS_ICACHE |
			      VIVANTE_HAS_TFB | VIVANTE_HAS_ROBUST },
	  { "_DE_", "_RS_", "VIVS_TE_", "VIVS_YUV_", "NN_INST", "TP_INST" },
	  { { VIVS_SH_HALTI5_UNIFORMS, 1280 } }, { { 0 } } },
	{ "gc320", { .pipe_2d = 1, .halti = -1, .model = 0x320, .pixel_pipes = 2,
		     .has = VIVANTE_HAS_MULTI | VIVANTE_HAS_MULTI_EX },
	  { "!_DE_" }, { { VIVS_DE_INDEX_COLOR_TABLE, 256 } }, { { 0 } } },
};

struct row {
	unsigned int address, n1, s1, n2, s2, kind, flags;
	const char *name;
};

static const struct row states[] = {
#define VIV_STATE(addr, unit, name, kind, init, flags) { addr, 1, 4, 1, 0, VIV_KIND_##kind, flags, #name },
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) \
	{ addr, n1, s1, n2, s2, VIV_KIND_##kind, flags, #name },
#include <limn/vivante/states.inc>
};

static uint32_t value[VIV_STATE_SPACE / 4], words[16384];

static const struct row *row_of(uint32_t address)
{
	for (unsigned int i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		for (unsigned int a = 0; a < states[i].n1; a++)
			for (unsigned int b = 0; b < states[i].n2; b++)
				if (states[i].address + a * states[i].s1 + b * states[i].s2 == address)
					return &states[i];
	return NULL;
}

static bool has_not(const struct chip *chip, const char *name)
{
	for (unsigned int i = 0; i < sizeof(chip->without) / sizeof(chip->without[0]) && chip->without[i]; i++) {
		const char *part = chip->without[i];

		/* The 2D pipe's list is about nothing else. */
		if (part[0] == '!' ? !strstr(name, part + 1) : !!strstr(name, part))
			return true;
	}
	return false;
}

/* As FE would: all that a client may have left becomes what the commands say. */
static unsigned int load_all(const struct chip *chip)
{
	struct vivante_clean clean = chip->clean;
	unsigned int num, at, length;

	clean.address = PAGE;
	num = vivante_clean_write(&clean, NULL);
	assert_true(num && num % 2 == 0 && num < sizeof(words) / 4);
	memset(words, 0xff, sizeof(words));
	assert_int_equal(vivante_clean_write(&clean, words), num);
	assert_int_equal(words[num], ~0u);
	for (unsigned int i = 0; i < sizeof(value) / 4; i++)
		value[i] = LEFT;
	for (at = 0; at < num; at += length) {
		uint32_t first = viv_fe_load_address(words[at]);

		length = viv_fe_command_words(words[at]);
		assert_int_equal(VIV_GET(VIV_FE_OPCODE, words[at]), FE_OPCODE_LOAD_STATE);
		assert_true(length <= num - at);
		for (unsigned int i = 0; i < viv_fe_load_count(words[at]); i++)
			value[first / 4 + i] = words[at + 1 + i];
	}
	return num;
}

/* Only what a client could load itself, and of addresses only the page. */
static void check_loads(const struct chip *chip)
{
	for (unsigned int i = 0; i < sizeof(value) / 4; i++) {
		const struct row *row = value[i] == LEFT ? NULL : row_of(4 * i);

		if (value[i] == LEFT)
			continue;
		if (!row || !(row->flags & VIV_USER))
			fail_msg("%s: state %05x is no client's", chip->name, 4 * i);
		if ((row->kind == VIV_KIND_ADDR) != (value[i] == PAGE))
			fail_msg("%s: %s (%05x) becomes %08x", chip->name, row->name, 4 * i, value[i]);
		/* What does something when it is written would do it now. */
		if (strstr(row->name, "KICKER") || strstr(row->name, "COMMAND") || strstr(row->name, "QUERY_CONTROL") ||
		    strstr(row->name, "FENCE_OUT_DATA") || strstr(row->name, "PREFETCH"))
			fail_msg("%s: %s starts something", chip->name, row->name);
	}
}

/* Each address that the chip has is loaded. */
static void check_addresses(const struct chip *chip)
{
	for (unsigned int i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const struct row *row = &states[i];
		unsigned int n1 = row->n1;

		if (!(row->flags & VIV_USER) || row->kind != VIV_KIND_ADDR || has_not(chip, row->name))
			continue;
		if (strstr(row->name, "PE_PIPE_") || strstr(row->name, "RS_PIPE_"))
			n1 = chip->clean.pixel_pipes;
		for (unsigned int a = 0; a < n1; a++)
			for (unsigned int b = 0; b < row->n2; b++)
				if (value[(row->address + a * row->s1 + b * row->s2) / 4] != PAGE)
					fail_msg("%s: %s %u %u is left as it was", chip->name, row->name, a, b);
	}
}

static void check_zeros(const struct chip *chip, const uint32_t run[2])
{
	for (uint32_t i = 0; i < run[1]; i++)
		if (value[run[0] / 4 + i])
			fail_msg("%s: state %05x is left as it was", chip->name, run[0] + 4 * i);
}

/* What caches have of the client before goes when all states are loaded: the flush is the last command. */
static void check_caches(const struct chip *chip, unsigned int num)
{
	uint32_t caches = VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_TEXTUREVS | VIVS_GL_FLUSH_CACHE_SHADER_L1;

	if (chip->clean.pipe_2d)
		return;
	if (chip->clean.halti >= 5)
		caches |= VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK12 | VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK13;
	assert_int_equal(viv_fe_load_address(words[num - 2]), VIVS_GL_FLUSH_CACHE);
	assert_int_equal(words[num - 1] & caches, caches);
}

static void test_chips(void **state)
{
	for (unsigned int i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		unsigned int num = load_all(&chips[i]);

		check_loads(&chips[i]);
		check_addresses(&chips[i]);
		check_caches(&chips[i], num);
		for (unsigned int k = 0; k < 2; k++) {
			check_zeros(&chips[i], chips[i].uniforms[k]);
			check_zeros(&chips[i], chips[i].code[k]);
		}
		printf("%s: %u words between two clients\n", chips[i].name, num);
	}
}

/* With VIVANTE_STEER each load of memory that both shaders have is there twice: for the vertex and the pixel shader. */
static void test_steered(void **state)
{
	for (unsigned int i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		struct chip chip = chips[i];
		uint32_t control = 0;
		bool loaded[2] = { false };
		unsigned int num;

		if (chip.clean.pipe_2d)
			continue;
		chip.clean.has |= VIVANTE_STEER;
		num = load_all(&chip);
		check_loads(&chip);
		check_caches(&chip, num);
		for (unsigned int at = 0; at < num; at += viv_fe_command_words(words[at])) {
			uint32_t first = viv_fe_load_address(words[at]);

			if (first == VIVS_SH_CONTROL)
				control = words[at + 1];
			if (first == chip.uniforms[0][0])
				loaded[!!(control & VIVS_SH_CONTROL_PS_UNIFORM)] = true;
			if (first == VIVS_SH_HALTI5_UNIFORMS_MIRROR)
				loaded[1] = true;
		}
		assert_true(loaded[0] && loaded[1]);
		assert_false(control);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chips),
		cmocka_unit_test(test_steered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
