// SPDX-License-Identifier: MIT
/*
 * Lists gone wrong, and the order of things: every broken stream ends the job
 * with its own interrupt or finding, none hangs the model, and pixels do not
 * depend on the order of tiles.
 */
#include "model/carriers/host/host_priv.h"
#include "pp_scene.h"
#include "tests/sim/shader.h"
#include "tool/dump.h"
#include "tool/json.h"

static struct scene s;

static int end(void **state)
{
	scene_free(&s);
	return 0;
}

#define W 64
#define H 64

static const float triangle[3][4] = { { 3, 5, 0, 1 }, { 60, 12, 0, 1 }, { 20, 61, 0, 1 } };
static const float whole[3][4] = { { 0, 0, 0, 1 }, { 2 * W, 0, 0, 1 }, { 0, 2 * H, 0, 1 } };
static const float colors[3][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };

/* With that fragment shader. */
static void draw_by(struct scene *s, uint32_t shader)
{
	uint32_t rsw[RSW_WORDS];

	scene_rsw(s, rsw, scene_data(s, colors, sizeof(colors)));
	rsw[RSW_SHADER_ADDRESS] = shader;
	scene_state(s, rsw, scene_data(s, triangle, sizeof(triangle)));
	scene_prim(s, PLB_OP_TRIANGLE, 0, 1, 2);
}

static void draw(struct scene *s)
{
	draw_by(s, s->shader | 3);
}

static const struct {
	uint32_t bit;
	const char *name;
} pp_irqs[] = {
	{ PP_IRQ_BUS_ERROR, "PP_IRQ_BUS_ERROR" }, { PP_IRQ_WRITE_BOUND, "PP_IRQ_WRITE_BOUND" },
	{ PP_IRQ_INVALID_PLIST_CMD, "PP_IRQ_INVALID_PLIST_CMD" }, { PP_IRQ_CALL_STACK_UNDERFLOW, "PP_IRQ_CALL_STACK_UNDERFLOW" },
	{ PP_IRQ_CALL_STACK_OVERFLOW, "PP_IRQ_CALL_STACK_OVERFLOW" },
};

/* What limn decode says of the last job, which failed. It is printed with interrupts and report, for host/hangs.sh. */
static void pp_says(const struct scene *s, const char *says, const char *why)
{
	const struct dump_region region = { .va = s->va, .size = SCENE_BYTES, .whole = SCENE_BYTES, .data = s->mem };
	struct dump_job job = {
		.queue = 1, .regions = (struct dump_region *)&region, .num_regions = 1, .frame = (uint8_t *)&s->job, .frame_size = sizeof(s->job),
	};
	struct dump_reg regs[] = {
		{ "pp0", PP_STATUS, PP_STATUS_RENDERING }, { "pp0", PP_INT_RAWSTAT, s->raw }, { "pp0", PP_CURRENT_REND_LIST, s->rend },
		{ "pp0", PP_BUS_ERROR_STATUS, s->bus_error }, { "ppmmu0", MMU_STATUS, s->mmu[0] },
		{ "ppmmu0", MMU_INT_RAWSTAT, s->mmu[1] }, { "ppmmu0", MMU_PAGE_FAULT_ADDR, s->mmu[2] },
	};
	struct dump dump = { .regs = regs, .num_regs = 7, .jobs = &job, .num_jobs = 1 };
	char *out = NULL, *at;
	size_t len;
	struct json json = { .to = open_memstream(&out, &len), .text = true };

	dump_print_utgard(&dump, &job, &(struct dump_options){ .json = &json });
	fclose(json.to);
	at = strstr(out, "in short: ");
	printf("pp hangs:");
	for (size_t i = 0; i < sizeof(pp_irqs) / sizeof(pp_irqs[0]); i++)
		if (s->raw & pp_irqs[i].bit)
			printf(" %s", pp_irqs[i].name);
	printf(" %s\n    %.*s\n", s->last, at ? (int)strcspn(at + 10, "\n") : 0, at ? at + 10 : "");
	if (!at || !strstr(at, says) || !strstr(at, why))
		fail_msg("'%s', '%s' is not said in:\n%s", says, why, out);
	free(out);
}

static void broken(struct scene *s)
{
	scene_init(s, W, H);
	s->expect_reports = true;
}

/* The job fails, the model says why, so does limn decode, and the next job is fine. */
static void must_fail(struct scene *s, enum host_status status, uint32_t irq, const char *says)
{
	char word[16];

	if (status != HOST_FAULT)
		fail_msg("status %d", status);
	snprintf(word, sizeof(word), "%08x", irq);
	if (irq && !strstr(s->error, word))
		fail_msg("\"%s\" does not name %s", s->error, word);
	assert_true(s->reports > 0);
	pp_says(s, says, "");
	s->list = 0;
	draw(s);
	scene_render(s);
	assert_true(scene_pixel(s, 25, 25) >> 24 == 255);
	scene_free(s);
}

/* Tile lists of our own, up to PPS_END; LIST: the polygon list's address. */
#define LIST	0x0badca11

static void test_broken_tile_lists(void **state)
{
	static const char unknown[] = "stopped at 0x00d00000: there is no such command";
	static const struct {
		uint32_t cmd[2][2], irq;
		const char *says;
	} rows[] = {
		{ { { 0, 0x00000000 } }, PP_IRQ_INVALID_PLIST_CMD, unknown }, { { { 0, 0x12345678 } }, PP_IRQ_INVALID_PLIST_CMD, unknown },
		{ { { 0, 0xc0000000 } }, PP_IRQ_INVALID_PLIST_CMD, unknown }, { { { 0, 0xb4000000 } }, PP_IRQ_INVALID_PLIST_CMD, unknown },
		{ { { 0, 0x80000000 } }, PP_IRQ_INVALID_PLIST_CMD, unknown },
		{ { { LIST, PPS_CALL } }, PP_IRQ_INVALID_PLIST_CMD, "it calls a polygon list outside of a tile" },
		{ { { 0, PPS_BEGIN_TILE }, { PLB_RETURN_LO, PLB_RETURN_HI } }, PP_IRQ_CALL_STACK_UNDERFLOW,
		  "it returns, and nothing was called" },
	};

	for (unsigned int i = 0; i < COUNT(rows); i++) {
		const uint32_t (*cmd)[2] = rows[i].cmd;

		broken(&s);
		scene_tile_word(&s, cmd[0][0] == LIST ? PPS_CALL_WORD(s.va + SCENE_LIST) : cmd[0][0], cmd[0][1]);
		if (cmd[1][1])
			scene_tile_word(&s, cmd[1][0], cmd[1][1]);
		scene_tile_word(&s, 0, PPS_END);
		s.tiles = 0;
		must_fail(&s, scene_submit(&s), rows[i].irq, rows[i].says);
	}
}

static void test_broken_polygon_lists(void **state)
{
	static const uint32_t bad[][2] = {
		{ 0, 0x00010000 }, { 0, 0x01ff0000 }, { 0, 0x90000000 }, { 0, 0xa0000000 }, { 0, 0xb0000000 }, { 0, 0xc0000000 },
		{ 0, 0xd0000000 }, { 0, 0xe0000000 }, { 0x12345678, PLB_JUMP_HI },
	};

	for (unsigned int i = 0; i < COUNT(bad); i++) {
		broken(&s);
		draw(&s);
		scene_cmd(&s, bad[i][0], bad[i][1]);
		must_fail(&s, scene_run(&s), PP_IRQ_INVALID_PLIST_CMD, "stopped at 0x00500010: there is no such command");
	}
	/* It calls itself. */
	broken(&s);
	scene_cmd(&s, PPS_CALL_WORD(s.va + SCENE_LIST), PPS_CALL);
	must_fail(&s, scene_run(&s), PP_IRQ_CALL_STACK_OVERFLOW, "from within as many calls as the unit can remember");
}

/* As the triangle is without detours. */
static void same_picture(const struct scene *s)
{
	struct scene plain = { 0 };

	scene_init(&plain, W, H);
	draw(&plain);
	scene_render(&plain);
	for (uint32_t i = 0; i < W * H; i++)
		assert_int_equal(scene_pixel(s, i % W, i / W), scene_pixel(&plain, i % W, i / W));
	scene_free(&plain);
}

/* Jumps and calls between blocks, as lists have that outgrow their first block. */
static void test_jump_and_call(void **state)
{
	scene_init(&s, W, H);
	/* 0: jump to 0x200; 0x200: call 0x400, return; 0x400: the draw, return */
	s.list = 0x400;
	draw(&s);
	scene_cmd(&s, PLB_RETURN_LO, PLB_RETURN_HI);
	s.list = 0x200;
	scene_cmd(&s, PPS_CALL_WORD(s.va + SCENE_LIST + 0x400), PPS_CALL);
	scene_cmd(&s, PLB_RETURN_LO, PLB_RETURN_HI);
	s.list = 0;
	scene_cmd(&s, PLB_JUMP_LO(s.va + SCENE_LIST + 0x200), PLB_JUMP_HI);
	scene_render(&s);
	same_picture(&s);
}

/* A triangle is drawn in those quarters of its block of tiles that its mask names, for any size of block. */
static void test_mask(void **state)
{
	for (uint32_t shift = 0; shift < 3; shift++)
		for (uint32_t mask = 0; mask <= PLB_MASK_ALL; mask++) {
			uint32_t rsw[RSW_WORDS];

			scene_init(&s, W, H);
			s.job.frame[PP_POLYGON_LIST_CONFIG / 4] = UTGARD_SET(PP_PLIST_SHIFT_W, shift) |
								  UTGARD_SET(PP_PLIST_SHIFT_H, shift);
			scene_rsw(&s, rsw, scene_data(&s, colors, sizeof(colors)));
			scene_state(&s, rsw, scene_data(&s, whole, sizeof(whole)));
			scene_cmd(&s, PLB_TRIANGLE_LO(0, 1), PLB_TRIANGLE_HI(mask, 2));
			scene_render(&s);
			for (uint32_t tile = 0; tile < 16; tile++) {
				uint32_t x = tile % 4, y = tile / 4;
				uint32_t quarter = shift ? (y >> (shift - 1) & 1) * 2 + (x >> (shift - 1) & 1) : 0;

				assert_int_equal(scene_pixel(&s, 16 * x + 8, 16 * y + 8) >> 24,
						 mask >> quarter & 1 ? 255 : 0);
			}
		}
}

/* A block of 2x2 tiles in the words of a Mali-400's PLBU: a triangle in all but the tile on the lower right. */
static void test_block_of_a_chip(void **state)
{
	float positions[8][4] = { { 0 } }, white[8][4];
	uint32_t rsw[RSW_WORDS], at;

	scene_init(&s, W, H);
	s.job.frame[PP_POLYGON_LIST_CONFIG / 4] = UTGARD_SET(PP_PLIST_SHIFT_W, 1) | UTGARD_SET(PP_PLIST_SHIFT_H, 1);
	for (unsigned int i = 0; i < 3; i++)
		memcpy(positions[2 * i + 3], whole[i], sizeof(whole[i]));
	for (unsigned int i = 0; i < 32; i++)
		white[i / 4][i % 4] = 1;
	scene_rsw(&s, rsw, scene_data(&s, white, sizeof(white)));
	at = scene_data(&s, rsw, sizeof(rsw));
	scene_cmd(&s, at >> 3, 0x80000000 | scene_data(&s, positions, sizeof(positions)) >> 6);
	scene_cmd(&s, 5 << 16 | 3, 7 << 25 | 7);
	scene_cmd(&s, 0xe0000003, 0xb0000000);
	scene_render(&s);
	for (uint32_t tile = 0; tile < 16; tile++)
		assert_int_equal(scene_pixel(&s, tile % 4 * 16 + 8, tile / 4 * 16 + 8) >> 24, tile % 2 && tile / 4 % 2 ? 0 : 255);
}

/* A list without an end keeps the core busy until the driver gives up on it. */
static void test_endless_list(void **state)
{
	broken(&s);
	scene_cmd(&s, PLB_JUMP_LO(s.va + SCENE_LIST), PLB_JUMP_HI);
	assert_int_equal(scene_run(&s), HOST_TIMEOUT);
	pp_says(&s, "stopped at 0x00500000: the list comes back to where it has been", "");
	s.list = 0;
	draw(&s);
	scene_render(&s);
}

/*
 * So does a shader without an end: one unconditional branch to itself; one that runs on to what is no instruction; one
 * whose instruction is too short for its fields.
 */
static void test_endless_shaders(void **state)
{
	static const struct {
		uint32_t code[4];	/* the branch: conditions gt, eq, lt; target 0; length of the target 4 */
		const char *why;
	} shaders[] = {
		{ { 0x00010004 | 4 << 19, 0x00070000, 0x00000000, 0x00000040 }, ", whose instruction at word 0 branches: " },
		{ { 0x00180083, 0xf0003c60, 0, 0 }, "which runs on to word 3, where no instruction is" },
		{ { 0x000000a1, 0xf0003c60, 0, 0 }, "whose instruction at word 0 is shorter than its fields" },
	};

	for (unsigned int i = 0; i < COUNT(shaders); i++) {
		broken(&s);
		draw_by(&s, scene_data(&s, shaders[i].code, sizeof(shaders[i].code)) | (shaders[i].code[0] & 31));
		assert_int_equal(scene_run(&s), HOST_TIMEOUT);
		assert_true(s.reports > 0);
		/* The polygon list: state, then the triangle. */
		pp_says(&s, "did not come out of the fragment shader at ", shaders[i].why);
		s.list = 0;
		draw(&s);
		scene_render(&s);
		assert_true(scene_pixel(&s, 25, 25) >> 24 == 255);
	}
}

/* Of two draws in a tile it is the first one's shader that does not end: decode looks at each. */
static void test_whose_shader(void **state)
{
	static const uint32_t loop[] = { 0x00010004 | 4 << 19, 0x00070000, 0x00000000, 0x00000040 };
	char says[160];
	uint32_t at;

	broken(&s);
	at = scene_data(&s, loop, sizeof(loop));
	draw_by(&s, at | 4);
	draw(&s);
	assert_int_equal(scene_run(&s), HOST_TIMEOUT);
	snprintf(says, sizeof(says), "did not come out of the fragment shader at 0x%08x, whose instruction at word 0 branches", at);
	pp_says(&s, says, "");
}

/* What the bus has no memory for, and what is outside of the bounds that a driver has set. */
static void test_bus_and_bounds(void **state)
{
	uint32_t *directory, *entry;

	broken(&s);
	directory = (uint32_t *)host_ram_at(s.host, s.host->directory);
	entry = (uint32_t *)host_ram_at(s.host, directory[(s.va + SCENE_TARGET) >> MMU_PDE_SHIFT] & MMU_PAGE_MASK);
	entry += ((s.va + SCENE_TARGET) >> MMU_PTE_SHIFT) % MMU_ENTRIES;
	*entry = 0xfff00000 | (*entry & ~MMU_PAGE_MASK);
	draw(&s);
	assert_int_equal(scene_run(&s), HOST_FAULT);
	pp_says(&s, "while the unit used 0x00f00000, where the bus answers with an error", "");
	broken(&s);
	draw(&s);
	model_write32(host_model(s.host), UTGARD_PP_OFFSET(0) + PP_WRITE_BOUND_LOW, s.va);
	model_write32(host_model(s.host), UTGARD_PP_OFFSET(0) + PP_WRITE_BOUND_HIGH, s.va + 64);
	model_write32(host_model(s.host), UTGARD_PP_OFFSET(0) + PP_WRITE_BOUND_ENABLE, 1);
	assert_int_equal(scene_run(&s), HOST_FAULT);
	pp_says(&s, "it writes the tile outside the write bounds", "");
}

#define NOWHERE	0xe0000000

/* Addresses that lead nowhere: each is a page fault, whatever the access was for. */
static void test_page_faults(void **state)
{
	static const char read[] = "while the unit read 0x";
	static const struct {
		const char *did, *what;			/* as limn decode says it */
		unsigned int word;			/* of the render state */
		bool state, positions, target, jump;	/* which is nowhere */
		uint32_t at, second;			/* where positions are in the BO, the triangle's second one */
	} rows[] = {
		{ read, ", its shader, in no BO", .word = RSW_SHADER_ADDRESS },
		{ read, ", the varyings of vertex 0, in no BO", .word = RSW_VARYINGS_ADDRESS },
		{ read, ", the address of its uniforms, in no BO", .word = RSW_UNIFORMS_ADDRESS },
		{ read, ", the position of vertex 0, in no BO", .positions = true },
		{ "stopped at 0x00500000: it reads 0xe0000000", "nothing is mapped", .state = true },
		{ "while the unit wrote 0xe0000000", "in no BO", .target = true },
		{ "the list goes on where there is no memory", "stopped at 0xe0000000", .jump = true },
		/* The BO's last 64 bytes: only vertices 0 to 3 are in it. */
		{ read, ", the position of vertex 65535, in no BO", .at = SCENE_BYTES - 64, .second = PLB_TRIANGLE_MAX },
		/* Vertex 0xffff is in the BO, the last that a wide triangle may have is not. */
		{ read, ", the position of vertex 1048575, in no BO", .at = SCENE_DEPTH, .second = PLB_INDEX_MAX },
	};

	for (unsigned int i = 0; i < COUNT(rows); i++) {
		uint32_t rsw[RSW_WORDS], at = rows[i].at ? rows[i].at : SCENE_DEPTH, second = rows[i].second ? rows[i].second : 1;
		enum host_status status;

		broken(&s);
		scene_rsw(&s, rsw, scene_data(&s, colors, sizeof(colors)));
		if (rows[i].word)
			rsw[rows[i].word] = NOWHERE | (rsw[rows[i].word] & 31);
		if (rows[i].word == RSW_UNIFORMS_ADDRESS)
			rsw[RSW_AUX0] |= 0x80;
		memcpy(s.mem + at, triangle, sizeof(triangle));
		scene_cmd(&s, PLB_RSW_LO(rows[i].state ? NOWHERE : scene_data(&s, rsw, RSW_BYTES)),
			  PLB_RSW_HI(rows[i].positions ? NOWHERE : s.va + at));
		scene_prim(&s, second > PLB_TRIANGLE_MAX ? PLB_OP_WIDE : PLB_OP_TRIANGLE, 0, second, 2);
		if (rows[i].target)
			s.job.wb[PP_WB_ADDRESS / 4] = NOWHERE;
		if (rows[i].jump)
			scene_cmd(&s, PLB_JUMP_LO(NOWHERE), PLB_JUMP_HI);
		status = scene_run(&s);
		if (status != HOST_FAULT || !strstr(s.error, "page fault"))
			fail_msg("case %u: status %d: %s", i, status, s.error);
		pp_says(&s, rows[i].did, rows[i].what);
		s.job.wb[PP_WB_ADDRESS / 4] = s.va + SCENE_TARGET;
		s.list = 0;
		draw(&s);
		scene_render(&s);
	}
}

/* A primitive without a render state is a finding and draws nothing. */
static void test_no_state(void **state)
{
	broken(&s);
	scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
	assert_int_equal(scene_run(&s), HOST_OK);
	assert_int_equal(s.reports, 1);
	assert_int_equal(scene_pixel(&s, 25, 25), 0);
}

/* Reserved bits: each a finding that names the word. */
static void test_reserved_bits(void **state)
{
	static const uint32_t bit[][2] = {
		{ 0, 1 << 8 }, { 2, 1 << 24 }, { 2, 4 }, { 3, 1 << 13 }, { 5, 1 << 12 }, { 6, 1 << 15 },
		{ 7, 1 << 24 }, { 8, 1 << 9 }, { 8, 1 << 10 }, { 8, 1 << 20 }, { 10, 7 }, { 13, 1 << 6 },
		{ 13, 1 << 10 }, { 13, 1 << 13 }, { 14, 1 }, { 14, 1u << 31 },
	};

	for (unsigned int i = 0; i < COUNT(bit); i++) {
		uint32_t rsw[RSW_WORDS];

		broken(&s);
		scene_rsw(&s, rsw, scene_data(&s, colors, sizeof(colors)));
		rsw[bit[i][0]] ^= bit[i][1];
		scene_state(&s, rsw, scene_data(&s, triangle, sizeof(triangle)));
		assert_int_equal(scene_run(&s), HOST_OK);
		if (!s.reports)
			fail_msg("word %u bits 0x%x: nothing reported", bit[i][0], bit[i][1]);
	}
}

/* Tiles in any order: the same pixels. */
static void test_tile_order(void **state)
{
	for (uint32_t step = 1; step < 16; step += 2) {
		scene_init(&s, W, H);
		draw(&s);
		scene_cmd(&s, PLB_RETURN_LO, PLB_RETURN_HI);
		for (uint32_t i = 0; i < 16; i++) {
			uint32_t tile = (5 + i * step) % 16;

			scene_tile_word(&s, 0, PPS_BEGIN_TILE | tile % 4 | tile / 4 << 8);
			scene_tile_word(&s, PPS_CALL_WORD(s.va + SCENE_LIST), PPS_CALL);
		}
		scene_tile_word(&s, 0, PPS_END);
		assert_int_equal(scene_submit(&s), HOST_OK);
		same_picture(&s);
	}
}

/* All write-back units in one job: colour, depth and stencil in blocks, depth of 16 bits in rows. */
static void test_three_units(void **state)
{
	static const uint32_t units[2][4] = {
		{ PP_WB_Z24S8, PP_WB_LAYOUT_TILED, PP_WB_PITCH_TILED(W), SCENE_DEPTH },
		{ PP_WB_Z16, PP_WB_LAYOUT_LINEAR, PP_WB_PITCH_LINEAR(2 * W), SCENE_DEPTH + (1 << 20) },
	};

	scene_init(&s, W, H);
	for (unsigned int i = 0; i < 4; i++)
		s.job.frame[PP_CLEAR_COLOR(i) / 4] = 0x80402010;	/* a b g r */
	s.job.frame[PP_CLEAR_DEPTH / 4] = 0x123456;
	s.job.frame[PP_CLEAR_STENCIL / 4] = 0x9a;
	for (unsigned int i = 0; i < 2; i++) {
		uint32_t *wb = s.job.wb + (i + 1) * PP_WB_WORDS;

		wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_DEPTH_STENCIL;
		wb[PP_WB_PIXEL_FORMAT / 4] = units[i][0];
		wb[PP_WB_PIXEL_LAYOUT / 4] = units[i][1];
		wb[PP_WB_PITCH / 4] = units[i][2];
		wb[PP_WB_ADDRESS / 4] = s.va + units[i][3];
	}
	scene_render(&s);
	for (uint32_t i = 0; i < W * H; i++) {
		assert_int_equal(scene_pixel(&s, i % W, i / W), 0x80102040);
		assert_int_equal(((uint32_t *)(s.mem + SCENE_DEPTH))[i], 0x9a123456);
		assert_int_equal(((uint16_t *)(s.mem + SCENE_DEPTH + (1 << 20)))[i], 0x1234);
	}
}

/* More shaders in one job than the model keeps: each pixel column its own, used in turns. */
static void test_many_shaders(void **state)
{
	uint32_t rsw[W][RSW_WORDS], i, round, states;
	float pos[W][3][4];

	scene_init(&s, W, H);
	for (i = 0; i < W; i++) {
		uint32_t *words;
		size_t count;
		char text[120];

		snprintf(text, sizeof(text), "mov.v1 $0 ^const0, const0 %f 0.0 0.0 1.0, stop\n", i / 64.0);
		words = assemble("utgard-pp", text, &count);
		scene_rsw(&s, rsw[i], 0);
		rsw[i][RSW_SHADER_ADDRESS] = scene_data(&s, words, 4 * count) | (words[0] & 31);
		free(words);
		memcpy(pos[i], (float[3][4]){ { i + 1, 0, 0, 1 }, { i, 0, 0, 1 }, { i, 32, 0, 1 } }, 48);
	}
	states = scene_data(&s, rsw, sizeof(rsw));
	/* Twice: the upper half of the frame, then the lower. */
	for (round = 0; round < 2; round++)
		for (i = 0; i < W; i++) {
			pos[i][2][1] = 32 * (round + 1);
			pos[i][0][1] = pos[i][1][1] = 32 * round;
			scene_cmd(&s, PLB_RSW_LO(states + i * RSW_BYTES),
				  PLB_RSW_HI(scene_data(&s, pos[i], 48)));
			scene_prim(&s, PLB_OP_RECT, 0, 1, 2);
		}
	scene_render(&s);
	for (round = 0; round < H; round++)
		for (i = 0; i < W; i++)
			assert_int_equal(scene_channel(&s, i, round, 0), lround(i / 64.0 * 255));
}

/* Where a triangle has no point, it does not see that of the point before. */
static void test_point_before_triangle(void **state)
{
	static const float at[4][4] = { { 4, 4, 0, 1 }, { 16, 16, 0, 1 }, { 60, 16, 0, 1 }, { 16, 60, 0, 1 } };
	struct isa_messages messages = { 0 };
	const char text[] = "load.v $0 gl_PointCoord, stop\n";
	uint32_t rsw[RSW_WORDS], *words;
	size_t count;

	scene_init(&s, W, H);
	assert_int_equal(limn_isa_asm(limn_isa_find("utgard-pp"), text, strlen(text), &words, &count, &messages), 0);
	scene_rsw(&s, rsw, 0);
	rsw[RSW_SHADER_ADDRESS] = scene_data(&s, words, 4 * count) | (words[0] & 31);
	free(words);
	limn_isa_messages_free(&messages);
	scene_state(&s, rsw, scene_data(&s, at, sizeof(at)));
	scene_cmd(&s, 0x41000000, PLB_SIZE_HI);	/* 8 */
	scene_prim(&s, PLB_OP_POINT, 0, 0, 0);
	scene_prim(&s, PLB_OP_TRIANGLE, 1, 2, 3);
	scene_render(&s);
	assert_true(scene_pixel(&s, 6, 6) & 0xffffff);
	assert_int_equal(scene_pixel(&s, 20, 20), 0);
}

#define TESTS(T) \
	T(test_broken_tile_lists) \
	T(test_broken_polygon_lists) T(test_jump_and_call) T(test_mask) T(test_block_of_a_chip) \
	T(test_endless_list) T(test_endless_shaders) T(test_whose_shader) T(test_bus_and_bounds) T(test_page_faults) T(test_no_state) \
	T(test_reserved_bits) T(test_tile_order) T(test_three_units) T(test_many_shaders) T(test_point_before_triangle)

UNIT_MAIN(TESTS, end)
