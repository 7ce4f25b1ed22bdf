// SPDX-License-Identifier: MIT
/*
 * The driver's checker of Vivante command streams, built for the host: what it
 * refuses and where it says so; against a second, slow walk over random streams.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../drivers/gpu/drm/limn/validate/vivante_stream.c"

static struct vivante_states mmu_v1, mmu_v2;

#define LOAD(address, count)	(VIV_FE_COMMAND(LOAD_STATE) |				\
				 VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, (address) / 4) |	\
				 VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, count))

#define FIXED			VIV_FE_LOAD_STATE_HEADER_FIXP

/* Addresses of the tests' buffers: those with this upper half. */
static int in_buffer(void *data, unsigned int index, unsigned int word)
{
	return word >> 16 == 0x8123;
}

#define ALL	(~0u)

static struct vivante_check found;
/* What the chip has: bits of enum viv_need. */
static unsigned int has = ALL;

static enum vivante_refusal run(const struct vivante_states *states, const unsigned int *words,
				unsigned int count)
{
	found = (struct vivante_check){
		.states = states,
		.commands = vivante_commands(has),
		.address_ok = states == &mmu_v1 ? in_buffer : NULL,
	};
	return vivante_check_stream(&found, words, count);
}

#define V1(...)	run(&mmu_v1, (unsigned int[]){ __VA_ARGS__ },					\
		    sizeof((unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int))
#define V2(...)	run(&mmu_v2, (unsigned int[]){ __VA_ARGS__ },					\
		    sizeof((unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int))

#define COLOR_ADDR	VIVS_PE_COLOR_ADDR
#define CONFIG		VIVS_PE_COLOR_FORMAT

static void test_good(void **state)
{
	assert_int_equal(run(&mmu_v1, NULL, 0), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(NOP), 0), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(STALL), 0x701), VIVANTE_OK);
	assert_int_equal(V1(LOAD(CONFIG, 1), 0), VIVANTE_OK);
	assert_int_equal(V1(LOAD(COLOR_ADDR, 1), 0x81230000), VIVANTE_OK);
	assert_int_equal(V2(LOAD(COLOR_ADDR, 1), 0x1000), VIVANTE_OK);
	assert_int_equal(V2(LOAD(COLOR_ADDR, 1) | FIXED, 0x1000), VIVANTE_OK);
	assert_int_equal(V1(LOAD(VIVS_VS_UNIFORMS, 2) | FIXED, 1, 2, 0), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_PRIMITIVES), 4, 0, 1), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES), 4, 0, 1, 0, 0), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_INSTANCED) | 4 << 16 | 1, 3, 0, 0), VIVANTE_OK);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_2D) | 1 << 8, 0, 0, 0x00100010), VIVANTE_OK);
	assert_int_equal(V1(LOAD(VIVS_GL_SEMAPHORE_TOKEN, 1), 0x701), VIVANTE_OK);
	assert_int_equal(V1(LOAD(VIVS_GL_FLUSH_CACHE, 1), 3), VIVANTE_OK);
	assert_int_equal(V1(LOAD(VIVS_TS_FLUSH_CACHE, 1), 1), VIVANTE_OK);
}

/* A stream is not to leave itself, nor to stop FE, nor to talk to other chips. */
static void test_opcodes(void **state)
{
	static const unsigned int refused[] = {
		VIV_FE_COMMAND(END), VIV_FE_COMMAND(WAIT) | 10, VIV_FE_COMMAND(LINK) | 2,
		VIV_FE_COMMAND(RETURN), VIV_FE_COMMAND(CHIP_SELECT) | 1,
		VIV_FE_COMMAND(WAIT_FENCE), VIV_FE_COMMAND(SNAP_PAGES),
	};
	unsigned int i, op;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(V2(VIV_FE_COMMAND(NOP), 0, refused[i], 0x1000), VIVANTE_BAD_OPCODE);
		assert_int_equal(found.index, 2);
		assert_int_equal(V1(refused[i], 0x81230000), VIVANTE_BAD_OPCODE);
	}
	assert_int_equal(V2(VIV_FE_COMMAND(CALL) | 2, 0x1000, 2, 0x1000), VIVANTE_BAD_OPCODE);
	for (op = 0; op < 32; op++)
		if (!viv_fe_command_words(op << 27))
			assert_int_equal(V2(op << 27, 0), VIVANTE_BAD_OPCODE);
	/* Of END it matters not that it could raise an event. */
	assert_int_equal(V2(VIV_FE_COMMAND(END) | 0x101, 0), VIVANTE_BAD_OPCODE);
}

/* Each command by what the chip has; what is not a client's, by nothing. */
static void test_needs(void **state)
{
	static const struct {
		unsigned int opcode, need;
	} rows[] = {
		{ FE_OPCODE_LOAD_STATE, VIV_NEEDS_NOTHING },
		{ FE_OPCODE_NOP, VIV_NEEDS_NOTHING },
		{ FE_OPCODE_STALL, VIV_NEEDS_NOTHING },
		{ FE_OPCODE_DRAW_2D, VIV_NEEDS_PIPE_2D },
		{ FE_OPCODE_DRAW_PRIMITIVES, VIV_NEEDS_PIPE_3D },
		{ FE_OPCODE_DRAW_INDEXED_PRIMITIVES, VIV_NEEDS_PIPE_3D },
		{ FE_OPCODE_DRAW_INSTANCED, VIV_NEEDS_HALTI0 },
		{ FE_OPCODE_DRAW_INDIRECT, VIV_NEEDS_HALTI5 },
	};
	unsigned int i, all = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int bit = 1u << rows[i].opcode;

		all |= bit;
		assert_int_equal(viv_fe_need(rows[i].opcode), rows[i].need);
		assert_true(vivante_commands(1u << rows[i].need) & bit);
		if (rows[i].need != VIV_NEEDS_NOTHING)
			assert_false(vivante_commands(~(1u << rows[i].need)) & bit);
	}
	assert_int_equal(vivante_commands(ALL), all);

	has = 1u << VIV_NEEDS_PIPE_3D | 1u << VIV_NEEDS_HALTI0;
	assert_int_equal(V2(VIV_FE_COMMAND(NOP), 0, VIV_FE_COMMAND(DRAW_INDIRECT) | 4, 0x1000),
			 VIVANTE_BAD_OPCODE);
	assert_int_equal(found.index, 2);
	assert_int_equal(V2(VIV_FE_COMMAND(DRAW_2D) | 1 << 8, 0, 0, 0x00100010), VIVANTE_BAD_OPCODE);
	assert_int_equal(V2(VIV_FE_COMMAND(DRAW_INSTANCED) | 4 << 16 | 1, 3, 0, 0), VIVANTE_OK);
	has = ALL;
}

static void test_lengths(void **state)
{
	static unsigned int words[2048];

	assert_int_equal(V1(VIV_FE_COMMAND(NOP)), VIVANTE_BAD_LENGTH);
	assert_int_equal(V1(LOAD(CONFIG, 1)), VIVANTE_BAD_LENGTH);
	assert_int_equal(V1(VIV_FE_COMMAND(NOP), 0, LOAD(CONFIG, 2), 0, 0), VIVANTE_BAD_LENGTH);
	assert_int_equal(found.index, 2);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_PRIMITIVES), 4, 0), VIVANTE_BAD_LENGTH);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_2D), 0, 0, 0), VIVANTE_BAD_LENGTH);
	/* A count of 0 is 1024: what follows is payload, not commands. */
	words[0] = LOAD(VIVS_SH_UNIFORMS, 0);
	assert_int_equal(run(&mmu_v2, words, 1024), VIVANTE_BAD_LENGTH);
	words[2] = VIV_FE_COMMAND(END);
	assert_int_equal(run(&mmu_v2, words, 1026), VIVANTE_OK);
	words[1026] = VIV_FE_COMMAND(END);
	assert_int_equal(run(&mmu_v2, words, 1028), VIVANTE_BAD_OPCODE);
	assert_int_equal(found.index, 1026);
	/* 0 rectangles are 256. */
	memset(words, 0, sizeof(words));
	words[0] = VIV_FE_COMMAND(DRAW_2D);
	assert_int_equal(run(&mmu_v2, words, 512), VIVANTE_BAD_LENGTH);
	assert_int_equal(run(&mmu_v2, words, 514), VIVANTE_OK);
	words[0] |= 1 << 16;
	assert_int_equal(run(&mmu_v2, words, 516), VIVANTE_BAD_DATA);
}

/* What gives power over memory, power, events, other pipes. */
static void test_states(void **state)
{
	static const unsigned int refused[] = {
		VIVS_HI_CLOCK_CONTROL, VIVS_HI_AXI_CONFIG, VIVS_HI_INTR_ENBL, VIVS_PM_POWER_CONTROLS,
		VIVS_PM_MODULE_CONTROLS, VIVS_PM_PULSE_EATER, VIVS_MMUv2_SAFE_ADDRESS,
		VIVS_MMUv2_CONFIGURATION, VIVS_MMUv2_CONTROL, VIVS_MMUv2_PTA_CONFIG,
		VIVS_MMUv2_PTA_ADDRESS_LOW, VIVS_MMUv2_AHB_CONTROL, VIVS_MC_MMU_FE_PAGE_TABLE,
		VIVS_MC_MMU_RA_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_RA, VIVS_MC_MEMORY_BASE_ADDR_PE,
		VIVS_MC_BUS_CONFIG, VIVS_MC_PROFILE_CONFIG0, VIVS_FE_COMMAND_ADDRESS,
		VIVS_FE_COMMAND_CONTROL, VIVS_GL_EVENT, VIVS_GL_PIPE_SELECT,
		VIVS_GL_SRAM_REMAP_ADDRESS,
		0x3f000,	/* nothing is known of it */
	};
	unsigned int i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		unsigned int at = refused[i];

		assert_int_equal(V2(LOAD(at, 1), 0x1000), VIVANTE_BAD_STATE);
		assert_int_equal(found.state, at);
		assert_int_equal(found.index, 1);
		assert_int_equal(V1(LOAD(at, 1), 0x81230000), VIVANTE_BAD_STATE);
		assert_int_equal(V2(LOAD(at, 1) | FIXED, 0x1000), VIVANTE_BAD_STATE);
		/* At the end of a longer load. */
		if (at >= 8)
			assert_int_equal(V2(LOAD(at - 8, 3), 0, 0, 0), VIVANTE_BAD_STATE);
	}
	/* Past the end of the states. */
	assert_int_equal(V2(LOAD(0x3fffc, 3), 0, 0, 0), VIVANTE_BAD_STATE);
	/* On-chip memory may be taken out of the address space, but not put there. */
	assert_int_equal(V1(LOAD(VIVS_GL_OCB_REMAP_START, 2), 0, 0, 0), VIVANTE_OK);
	assert_int_equal(V2(LOAD(VIVS_GL_OCB_REMAP_START, 2) | FIXED, 0, 0, 0), VIVANTE_OK);
	assert_int_equal(V2(LOAD(VIVS_GL_OCB_REMAP_START, 2), 0, 1, 0), VIVANTE_BAD_STATE);
	assert_int_equal(found.state, VIVS_GL_OCB_REMAP_END);
	assert_int_equal(V1(LOAD(VIVS_GL_OCB_REMAP_START, 1), 0x80000000), VIVANTE_BAD_STATE);
}

static void test_addresses(void **state)
{
	assert_int_equal(V1(LOAD(COLOR_ADDR, 1), 0x1000), VIVANTE_BAD_ADDRESS);
	assert_int_equal(found.state, COLOR_ADDR);
	assert_int_equal(found.index, 1);
	assert_int_equal(V1(LOAD(COLOR_ADDR - 4, 2), 0, 0x1000, 0), VIVANTE_BAD_ADDRESS);
	assert_int_equal(found.index, 2);
	assert_int_equal(V1(LOAD(COLOR_ADDR, 1) | FIXED, 0x81230000), VIVANTE_BAD_FIXED_POINT);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_INDIRECT), 0x1000), VIVANTE_BAD_ADDRESS);
	assert_int_equal(V1(VIV_FE_COMMAND(DRAW_INDIRECT), 0x81230000), VIVANTE_OK);
	assert_int_equal(V2(VIV_FE_COMMAND(DRAW_INDIRECT), 0x1000), VIVANTE_OK);
}

struct span {
	unsigned int address, count;
};

/* Linux etnaviv_cmd_parser.c: the states that it takes for addresses. */
static const struct span parser_addresses[] = {
	{ 0x1200, 1 }, { 0x1228, 1 }, { 0x1238, 1 }, { 0x1284, 1 }, { 0x128c, 1 },
	{ 0x1304, 1 }, { 0x1310, 1 }, { 0x1318, 1 }, { 0x12800, 4 }, { 0x128a0, 4 },
	{ 0x128c0, 4 }, { 0x12970, 4 }, { 0x12a00, 8 }, { 0x12b40, 8 }, { 0x12b80, 8 },
	{ 0x12ce0, 8 }, { 0x0644, 1 }, { 0x064c, 1 }, { 0x0680, 8 }, { 0x086c, 1 },
	{ 0x1028, 1 }, { 0x1410, 1 }, { 0x1430, 1 }, { 0x1458, 1 }, { 0x1460, 8 },
	{ 0x1480, 8 }, { 0x1500, 8 }, { 0x1520, 8 }, { 0x1540, 8 }, { 0x1608, 1 },
	{ 0x1610, 1 }, { 0x1658, 1 }, { 0x165c, 1 }, { 0x1664, 1 }, { 0x1668, 1 },
	{ 0x16a4, 1 }, { 0x16c0, 8 }, { 0x16e0, 8 }, { 0x1740, 8 }, { 0x17c0, 8 },
	{ 0x17e0, 8 }, { 0x2400, 14 * 16 }, { 0x3824, 1 }, { 0x10800, 32 * 16 },
	{ 0x14600, 16 }, { 0x14800, 8 * 8 },
};

/* rnndb state*.xml (etna_viv): the registers of type VIVM, an address of the GPU. */
static const struct span rnndb_addresses[] = {
	{ 0x0644, 1 }, { 0x064c, 1 }, { 0x0680, 8 }, { 0x07f8, 1 }, { 0x086c, 1 }, { 0x1028, 1 },
	{ 0x10a0, 1 }, { 0x10b8, 1 }, { 0x1114, 1 }, { 0x1200, 1 }, { 0x1228, 1 }, { 0x1238, 1 },
	{ 0x1284, 1 }, { 0x128c, 1 }, { 0x1304, 1 }, { 0x1310, 1 }, { 0x1318, 1 }, { 0x1410, 1 },
	{ 0x1430, 1 }, { 0x1458, 1 }, { 0x1460, 16 }, { 0x14c4, 1 }, { 0x1500, 3 }, { 0x1520, 3 },
	{ 0x1540, 3 }, { 0x1608, 1 }, { 0x1610, 1 }, { 0x1658, 2 }, { 0x1664, 2 }, { 0x1680, 1 },
	{ 0x1688, 1 }, { 0x1690, 1 }, { 0x1698, 1 }, { 0x16a4, 1 }, { 0x16c0, 16 }, { 0x1740, 8 },
	{ 0x17c0, 16 }, { 0x1a80, 8 }, { 0x2400, 12 }, { 0x2440, 12 }, { 0x2480, 12 },
	{ 0x24c0, 12 }, { 0x2500, 12 }, { 0x2540, 12 }, { 0x2580, 12 }, { 0x25c0, 12 },
	{ 0x2600, 12 }, { 0x2640, 12 }, { 0x2680, 12 }, { 0x26c0, 12 }, { 0x2700, 12 },
	{ 0x2740, 12 }, { 0x3824, 1 }, { 0x3868, 1 }, { 0x10800, 14 }, { 0x10840, 14 },
	{ 0x10880, 14 }, { 0x108c0, 14 }, { 0x10900, 14 }, { 0x10940, 14 }, { 0x10980, 14 },
	{ 0x109c0, 14 }, { 0x10a00, 14 }, { 0x10a40, 14 }, { 0x10a80, 14 }, { 0x10ac0, 14 },
	{ 0x10b00, 14 }, { 0x10b40, 14 }, { 0x10b80, 14 }, { 0x10bc0, 14 }, { 0x10c00, 14 },
	{ 0x10c40, 14 }, { 0x10c80, 14 }, { 0x10cc0, 14 }, { 0x10d00, 14 }, { 0x10d40, 14 },
	{ 0x10d80, 14 }, { 0x10dc0, 14 }, { 0x10e00, 14 }, { 0x10e40, 14 }, { 0x10e80, 14 },
	{ 0x10ec0, 14 }, { 0x10f00, 14 }, { 0x10f40, 14 }, { 0x10f80, 14 }, { 0x10fc0, 14 },
	{ 0x12800, 4 }, { 0x128a0, 4 }, { 0x128c0, 4 }, { 0x12970, 4 }, { 0x12a00, 8 },
	{ 0x12b40, 8 }, { 0x12b80, 8 }, { 0x12ce0, 8 }, { 0x12ee0, 8 }, { 0x14000, 1 },
	{ 0x14010, 1 }, { 0x14018, 1 }, { 0x14020, 1 }, { 0x14074, 1 }, { 0x1407c, 1 },
	{ 0x14084, 1 }, { 0x1408c, 1 }, { 0x140a4, 1 }, { 0x140c0, 14 }, { 0x14334, 1 },
	{ 0x14600, 16 }, { 0x146c0, 16 }, { 0x149c0, 8 }, { 0x14a08, 1 }, { 0x14b0c, 1 },
	{ 0x15800, 128 }, { 0x15c00, 128 }, { 0x1c008, 1 }, { 0x1c014, 1 }, { 0x1c040, 4 },
};

static unsigned int not_addresses(const struct span *known, unsigned int num)
{
	unsigned int i, n, bad = 0;

	for (i = 0; i < num; i++)
		for (n = 0; n < known[i].count; n++) {
			unsigned int at = known[i].address + 4 * n;

			if (is_set(mmu_v1.special, at / 4))
				continue;
			print_message("0x%05x is no address to the table\n", at);
			bad++;
		}
	return bad;
}

/* The table must know each as an address, or refuse it. */
static void test_known_addresses(void **state)
{
	assert_int_equal(not_addresses(parser_addresses, sizeof(parser_addresses) / sizeof(struct span)), 0);
	assert_int_equal(not_addresses(rnndb_addresses, sizeof(rnndb_addresses) / sizeof(struct span)), 0);
}

/* Each row of the table in each of its places, and nothing else. */
static void test_rows(void **state)
{
	static bool allowed[NUM_STATES], address[NUM_STATES];

	for (unsigned int i = 0; i < NUM_ROWS; i++) {
		const struct row *row = &rows[i];

		for (unsigned int a = 0; a < row->n1; a++)
			for (unsigned int b = 0; b < row->n2; b++) {
				unsigned int at = (row->address + a * row->s1 + b * row->s2) / 4;

				assert_in_range(at, 0, NUM_STATES - 1);
				if (!(row->flags & VIV_USER))
					continue;
				/* Rows may share a place. */
				address[at] = row->kind == VIV_KIND_ADDR && (address[at] || !allowed[at]);
				allowed[at] = true;
			}
	}
	for (unsigned int i = 0; i < NUM_STATES; i++) {
		bool off = 4 * i == VIVS_GL_OCB_REMAP_START || 4 * i == VIVS_GL_OCB_REMAP_END;

		assert_int_equal(is_set(mmu_v2.zero, i), off);
		assert_int_equal(is_set(mmu_v1.refused, i), !allowed[i]);
		assert_int_equal(is_set(mmu_v2.refused, i), !allowed[i]);
		assert_int_equal(is_set(mmu_v1.special, i), !allowed[i] || address[i]);
		assert_int_equal(is_set(mmu_v2.special, i), !allowed[i]);
	}
}

/* Runs of states are looked at 32 at a time: against one by one. */
static void test_runs(void **state)
{
	for (unsigned int first = 0; first + 70 < NUM_STATES; first += 61)
		for (unsigned int num = 1; num < 70; num += 1 + num / 3) {
			int any = 0;

			for (unsigned int i = 0; i < num; i++)
				any |= is_set(mmu_v1.special, first + i);
			assert_int_equal(any_special(mmu_v1.special, first, num), any);
		}
	assert_int_equal(any_special(mmu_v1.special, NUM_STATES - 1, 1),
			 is_set(mmu_v1.special, NUM_STATES - 1));
}

struct named {
	const char *name;
	unsigned int kind, flags;
};

static const struct named named_rows[] = {
#define VIV_STATE(addr, unit, name, kind, init, flags) { #name, VIV_KIND_##kind, flags },
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) { #name, VIV_KIND_##kind, flags },
#include <limn/vivante/states.inc>
};

/* What these words are in, at the end of a name or with more of it behind, is an address. */
static bool sounds_like_address(const char *name)
{
	static const char *const words[] = { "_ADDR", "_BASE", "_POINTER", "_ROBUSTNESS", "_REMAP_" };
	static const char *const others[] = {
		/* Numbers of the first uniform, sampler and level. */
		"VIVS_VS_UNIFORM_BASE", "VIVS_PS_UNIFORM_BASE", "VIVS_VS_SAMPLER_BASE",
		"VIVS_PS_SAMPLER_BASE", "VIVS_NTE_SAMPLER_BASELOD",
	};

	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(name, others[i]))
			return false;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

/* UNK, and then the state's own address. */
static bool is_unknown(const char *name)
{
	const char *at = strstr(name, "_UNK");
	unsigned int digits = at ? strspn(at + 4, "0123456789ABCDEF") : 0;

	return digits >= 4;
}

/*
 * Names against types, of what a client may load; and of what nobody knows only
 * what Mesa loads (src/gallium/drivers/etnaviv of 25.0.7).
 */
static void test_names(void **state)
{
	static const char *const needed[] = {
		"BLT_UNK14058", "BLT_UNK1405C", "BLT_UNK1409C", "BLT_UNK140A0", "CL_UNK00924", "FE_HALTI5_UNK007D8",
		"GL_UNK03950", "PA_VIEWPORT_UNK00A80", "PA_VIEWPORT_UNK00A84", "PE_HALTI4_UNK014C0",
		"PS_HALTI3_UNK0103C", "PS_UNK10A4", "RA_MULTISAMPLE_UNK00E04", "RA_MULTISAMPLE_UNK00E10",
		"RA_UNK00E0C", "VS_HALTI1_UNK00884", "VS_HALTI5_UNK008A0",
	};
	unsigned int bad = 0, found = 0;

	for (unsigned int i = 0; i < sizeof(named_rows) / sizeof(named_rows[0]); i++) {
		const struct named *row = &named_rows[i];
		bool need = false;

		if (!(row->flags & VIV_USER))
			continue;
		if (sounds_like_address(row->name) && row->kind != VIV_KIND_ADDR) {
			print_message("%s is a client's and no address\n", row->name);
			bad++;
		}
		if (!is_unknown(row->name))
			continue;
		for (unsigned int k = 0; k < sizeof(needed) / sizeof(needed[0]); k++)
			need |= !strcmp(row->name + 5, needed[k]);
		found += need;
		if (!need) {
			print_message("%s is a client's, but nobody needs it\n", row->name);
			bad++;
		}
	}
	assert_int_equal(bad, 0);
	assert_int_equal(found, sizeof(needed) / sizeof(needed[0]));
}

static uint64_t seed;

static uint32_t random32(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 32;
}

/* The same rules, a word at a time. */
static bool slow_ok(const struct vivante_states *states, const unsigned int *words, unsigned int count)
{
	bool v1 = states == &mmu_v1;
	unsigned int i = 0, n, k;

	while (i < count) {
		unsigned int w = words[i], length = 2;

		switch (w >> 27) {
		case 1:
			n = (w >> 16 & 0x3ff) ? (w >> 16 & 0x3ff) : 1024;
			length = n + 1 + (n + 1) % 2;
			if (length > count - i)
				return false;
			for (k = 0; k < n; k++) {
				unsigned int s = (w & 0xffff) + k;

				if (s > 0xffff || is_set(states->refused, s))
					return false;
				if (v1 && is_set(states->special, s) &&
				    (w >> 26 & 1 || words[i + 1 + k] >> 16 != 0x8123))
					return false;
			}
			break;
		case 3:
		case 9:
			break;
		case 4:
			if (w >> 16 & 0x7ff)
				return false;
			length = 2 + 2 * ((w >> 8 & 0xff) ? (w >> 8 & 0xff) : 256);
			break;
		case 5:
		case 12:
			length = 4;
			break;
		case 6:
			length = 6;
			break;
		case 16:
			if (count - i >= 2 && v1 && words[i + 1] >> 16 != 0x8123)
				return false;
			break;
		default:
			return false;
		}
		if (length > count - i)
			return false;
		i += length;
	}
	return true;
}

static unsigned int random_header(void)
{
	static const unsigned char ops[] = { 1, 1, 1, 1, 1, 1, 3, 4, 5, 6, 9, 12, 16 };
	static const unsigned int bases[] = {
		0x0600, 0x0680, 0x0800, 0x0a00, 0x0c00, 0x0e00, 0x1000, 0x1400, 0x1600, 0x1800,
		0x2000, 0x2400, 0x3800, 0x4000, 0x5000, 0x1200, 0x10000, 0x10800, 0x30000, 0x8000,
	};
	unsigned int op = random32() % 64 ? ops[random32() % sizeof(ops)] : random32() % 32;
	unsigned int base = bases[random32() % 20] / 4 + random32() % 48;

	if (op != 1)
		return op << 27 | (random32() % 8 ? 0x100 : random32() & 0x7ffffff);
	if (random32() % 64 == 0)
		base = random32() & 0xffff;
	return 1u << 27 | (random32() % 16 == 0) << 26 |
	       (random32() % 64 ? 1 + random32() % 12 : random32() % 1024) << 16 | base;
}

static void test_fuzz(void **state)
{
	static unsigned int words[8192];
	const char *env = getenv("LIMN_SEED");
	unsigned int round, good = 0, i, count;

	seed = env ? strtoull(env, NULL, 0) : 1;
	print_message("LIMN_SEED=%llu\n", (unsigned long long)seed);
	for (round = 0; round < 40000; round++) {
		const struct vivante_states *states = round % 2 ? &mmu_v1 : &mmu_v2;
		unsigned int commands = 1 + random32() % 5;
		bool ok;

		for (count = 0; commands--; ) {
			unsigned int header = random_header(), length = viv_fe_command_words(header);

			words[count] = header;
			for (i = 1; i < (length ? length : 1); i++)
				words[count + i] = random32() % 8 ? 0x81230000 | random32() % 65536 :
								    random32();
			count += length ? length : 1;
			if (count > 2500)
				break;
		}
		if (random32() % 16 == 0)
			count -= random32() % count;
		ok = run(states, words, count) == VIVANTE_OK;
		if (ok != slow_ok(states, words, count))
			fail_msg("round %u: the checker says %d, the rules say %d", round, ok, !ok);
		if (!ok)
			assert_true(found.index < count || !count);
		good += ok;
	}
	/* A fuzzer whose streams are all refused tests little. */
	assert_true(good > 4000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_opcodes),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_known_addresses),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_fuzz),
	};

	vivante_states_init(&mmu_v1, 1);
	vivante_states_init(&mmu_v2, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
