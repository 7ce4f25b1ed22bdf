// SPDX-License-Identifier: MIT
/*
 * The vertex shader unit: attribute and varying streams in every format, the
 * waiting of VS and PLBU for each other, faults in the middle, shaders without end.
 */
#include "tests/model/gp_dump.h"
#include "tests/model/gp_scene.h"

/* Copies attribute 0 to varying 0, attribute 1 to varying 1. */
static const char copy_text[] =
	"mov.a0 ^1/v0.x a0.x\n"
	"mov.a1 ^2/v0.y a0.y\n"
	"mov.m0 ^3/v0.z a0.z\n"
	"mov.m1 ^4/v0.w a0.w\n"
	"\n"
	"mov.a0 ^5/v1.x a1.x\n"
	"mov.a1 ^6/v1.y a1.y\n"
	"mov.m0 ^7/v1.z a1.z\n"
	"mov.m1 ^8/v1.w a1.w\n";

/* Varying 0 is uniform 1, whatever that is. */
static const char uniform_text[] =
	"mov.a0 ^1/v0.x t[1].x\n"
	"mov.a1 ^2/v0.y t[1].y\n"
	"mov.m0 ^3/v0.z t[1].z\n"
	"mov.m1 ^4/v0.w t[1].w\n";

static uint32_t instructions;

/* Offsets in the one BO. */
#define VS_LIST		0x0000
#define PLBU_LIST	0x1000
#define SHADER		0x2000
#define UNIFORMS	0x4000
#define IN		0x5000
#define OUT		0x5100
#define ATTRIBUTES	0x6000	/* two streams of 4 KiB */
#define VARYINGS	0x8000	/* two streams of 8 KiB */
#define BO_SIZE		0x10000

static void start(struct env *e, bool strict, const char *text)
{
	gp_open(e, strict, 2000, BO_SIZE, 1 << 20);
	gp_lists(e, VS_LIST, PLBU_LIST);
	instructions = shader(e, "utgard-gp", text, SHADER) / 4;
}

static void stream(struct env *e, uint32_t table, unsigned int i, uint32_t address, uint32_t format)
{
	uint32_t *s = (uint32_t *)(e->map + table) + 2 * i;

	s[0] = address;
	s[1] = format;
}

static void vs_draw_with(struct env *e, unsigned int streams, uint32_t count, uint32_t uniforms)
{
	vs(e, e->va + UNIFORMS, VS_W1_UNIFORMS(uniforms));
	vs(e, e->va + SHADER, VS_W1_SHADER(16 * instructions));
	vs_reg(e, VS_REG_SHADER_INFO, VS_SHADER_INFO(instructions - 1, 16 * instructions));
	vs_reg(e, VS_REG_COUNTS, VS_COUNTS(streams, streams));
	vs_reg(e, VS_REG_UNKNOWN_41, 3);
	vs(e, e->va + IN, VS_W1_ATTRIBUTES(streams));
	vs(e, e->va + OUT, VS_W1_VARYINGS(streams));
	vs(e, VS_W0_DRAW(count, false), VS_W1_DRAW(count));
	vs(e, 0, 0x60000000);
}

static void vs_draw(struct env *e, unsigned int streams, uint32_t count)
{
	vs_draw_with(e, streams, count, 64);
}

/* Of a shader without attributes. */
static void draw_positions(struct env *e, uint32_t count)
{
	stream(e, IN, 0, 0, GP_STREAM_UNUSED);
	stream(e, OUT, 0, e->va + VARYINGS, GP_VARYING_POSITION_WORD);
	vs_draw(e, 1, count);
}

/* Every attribute type: three components of one element, and what comes out. */
static void attribute_formats(void **state)
{
	static const struct { uint32_t type; uint8_t bytes[12]; float want[3]; } rows[] = {
		{ GP_TYPE_F32, { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f }, { 1, -2, 0.5 } },
		{ GP_TYPE_F16, { 0, 0x3c, 0, 0xc0, 1, 0 }, { 1, -2, 0x1p-24 } },
		{ GP_TYPE_I32, { 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0 }, { 1, -1, 65536 } },
		{ GP_TYPE_U32, { 1, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 1, 0 }, { 1, 2147483648.0f, 65536 } },
		{ GP_TYPE_I16, { 5, 0, 0xff, 0xff, 0, 0x80 }, { 5, -1, -32768 } },
		{ GP_TYPE_U16, { 5, 0, 0xff, 0xff, 0, 0x80 }, { 5, 65535, 32768 } },
		{ GP_TYPE_I8, { 5, 0xff, 0x80 }, { 5, -1, -128 } },
		{ GP_TYPE_U8, { 5, 0xff, 0x80 }, { 5, 255, 128 } },
		{ GP_TYPE_I8N, { 127, 0x80, 0 }, { 1, -1, 0 } },
		{ GP_TYPE_U8N, { 255, 0, 51 }, { 1, 0, 0.2f } },
		{ GP_TYPE_I16N, { 0xff, 0x7f, 1, 0x80, 0, 0 }, { 1, -1, 0 } },
		{ GP_TYPE_U16N, { 0xff, 0xff, 0x33, 0x33, 0, 0 }, { 1, 0.2f, 0 } },
		{ GP_TYPE_I32N, { 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0x80, 0, 0, 0, 0 }, { 1, -1, 0 } },
		{ GP_TYPE_U32N, { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0x33, 0x33, 0x33, 0x33 }, { 1, 0, 0.2f } },
		{ GP_TYPE_FIXED, { 0, 0x80, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 3, 0 }, { 0.5, -1, 3 } },
	};

	start(&e, true, copy_text);
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (unsigned int n = 1; n <= 3; n++) {
			/* Element 1 of a stream with an odd stride, at an odd address. */
			float out[4];

			e.vs_words = 0;
			memset(e.map + ATTRIBUTES, 0xaa, 256);
			memcpy(e.map + ATTRIBUTES + 3 + 17, rows[i].bytes, 12);
			stream(&e, IN, 0, e.va + ATTRIBUTES + 3, GP_STREAM(17, rows[i].type, n));
			stream(&e, IN, 1, 0, GP_STREAM_UNUSED);
			stream(&e, OUT, 0, e.va + VARYINGS, GP_STREAM(16, GP_VARYING_F32, 4));
			stream(&e, OUT, 1, 0, GP_STREAM_UNUSED);
			vs_draw(&e, 2, 2);
			assert_int_equal(run(&e), HOST_OK);
			memcpy(out, e.map + VARYINGS + 16, 16);
			for (unsigned int c = 0; c < 4; c++) {
				float want = c < n ? rows[i].want[c] : c == 3;

				if (out[c] != want)
					fail_msg("type %03x, component %u of %u: %g, wanted %g", rows[i].type, c, n,
						 out[c], want);
			}
		}
	}
	assert_int_equal(e.reports, 0);
}

/* Varyings as floats and halves, positions, point sizes; nothing is written beside them. */
static void varying_formats(void **state)
{
	static const float in[4] = { 1, -2.5, 65504, 1e-7f };
	static const uint16_t half[4] = { 0x3c00, 0xc100, 0x7bff, 0x0002 };
	static const struct { uint32_t format, bytes; bool half; } rows[] = {
		{ GP_STREAM(16, GP_VARYING_F32, 1), 4, false },
		{ GP_STREAM(16, GP_VARYING_F32, 2), 8, false },
		{ GP_STREAM(16, GP_VARYING_F32, 3), 12, false },
		{ GP_STREAM(16, GP_VARYING_F32, 4), 16, false },
		{ GP_STREAM(8, GP_VARYING_F16, 1), 2, true },
		{ GP_STREAM(8, GP_VARYING_F16, 2), 4, true },
		{ GP_STREAM(8, GP_VARYING_F16, 3), 6, true },
		{ GP_STREAM(8, GP_VARYING_F16, 4), 8, true },
		{ GP_VARYING_POSITION_WORD, 16, false },
		{ GP_VARYING_POINT_SIZE_WORD, 4, false },
	};
	struct model_stats stats;

	start(&e, false, copy_text);
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint32_t stride = rows[i].format >> 11, count = 19;

		e.vs_words = 0;
		for (uint32_t n = 0; n < count; n++)
			memcpy(e.map + ATTRIBUTES + 16 * n, in, 16);
		memset(e.map + VARYINGS, 0xee, 4096);
		stream(&e, IN, 0, e.va + ATTRIBUTES, GP_STREAM(16, GP_TYPE_F32, 4));
		stream(&e, IN, 1, 0, GP_STREAM_UNUSED);
		stream(&e, OUT, 0, e.va + VARYINGS, rows[i].format);
		stream(&e, OUT, 1, 0, GP_STREAM_UNUSED);
		vs_draw(&e, 2, count);
		assert_int_equal(run(&e), HOST_OK);
		for (uint32_t n = 0; n < count; n++)
			assert_memory_equal(e.map + VARYINGS + stride * n,
					    rows[i].half ? (const void *)half : (const void *)in, rows[i].bytes);
		for (uint32_t b = rows[i].bytes; b < stride; b++)
			assert_int_equal(e.map[VARYINGS + b], 0xee);
		assert_int_equal(e.map[VARYINGS + stride * count], 0xee);
	}
	assert_int_equal(e.reports, 0);
	model_get_stats(host_model(e.host), &stats);
	assert_int_equal(stats.vertices, 19 * COUNT(rows));
}

/* Of the draw of a list that has only that. */
#define AT_DRAW		(VS_LIST + 8 * 7)

static void faults(void **state)
{
	char why[160];

	/* Varyings to nowhere. */
	start(&e, true, uniform_text);
	stream(&e, IN, 0, 0, GP_STREAM_UNUSED);
	stream(&e, OUT, 0, 0x70000000, GP_VARYING_POSITION_WORD);
	vs_draw(&e, 1, 3);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "page fault at 70000000, write by bus id 0"));
	gp_stopped(&e, "VS", AT_DRAW, "varying 0 of this draw, of 3 vertices, writes 0x70000000, where nothing is mapped");
	/* An invalid command. */
	e.vs_words = 0;
	vs(&e, 1, 0xe0000000);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_int_equal(e.reports, 1);
	gp_stopped(&e, "VS", VS_LIST, "there is no such command");
	/* An attribute that no instruction loads is nowhere: that is the compiler's. */
	e.vs_words = 0;
	stream(&e, IN, 0, 0x70000000, GP_STREAM(16, GP_TYPE_F32, 4));
	stream(&e, OUT, 0, e.va + VARYINGS, GP_VARYING_POSITION_WORD);
	vs_draw(&e, 1, 3);
	assert_int_equal(run(&e), HOST_OK);
	/* One that is loaded runs off the end of its BO. */
	start(&e, true, copy_text);
	stream(&e, IN, 0, e.va + BO_SIZE - 32, GP_STREAM(16, GP_TYPE_F32, 4));
	stream(&e, OUT, 0, e.va + VARYINGS, GP_VARYING_POSITION_WORD);
	vs_draw(&e, 1, 1000);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "read by bus id 0"));
	snprintf(why, sizeof(why), "attribute 0 of this draw, of 1000 vertices, reads 0x%08x", e.va + BO_SIZE);
	gp_stopped(&e, "VS", AT_DRAW, why);
	/* And good again. */
	e.vs_words = 0;
	draw_positions(&e, 3);
	assert_int_equal(run(&e), HOST_OK);
	/* Outside of the bounds that a driver has set; a soft reset before any but the first job would take them away. */
	start(&e, true, uniform_text);
	draw_positions(&e, 3);
	model_write32(host_model(e.host), GP_WRITE_BOUND_LOW, e.va + VARYINGS + 16);
	assert_int_equal(run(&e), HOST_FAULT);
	snprintf(why, sizeof(why), "varying 0 of this draw is written from 0x%08x on, but the write bounds are 0x%08x "
		 "and 0xffffffff", e.va + VARYINGS, e.va + VARYINGS + 16);
	gp_stopped(&e, "VS", AT_DRAW, why);
	/* A page that the bus has no memory for. */
	e.vs_words = 0;
	draw_positions(&e, 3);
	gp_unplug(&e, e.va + VARYINGS);
	assert_int_equal(run(&e), HOST_FAULT);
	snprintf(why, sizeof(why), "varying 0 of this draw, of 3 vertices, uses 0x%08x, where the bus answers with an error",
		 e.va + VARYINGS);
	gp_stopped(&e, "VS", AT_DRAW, why);
}

/* Goes round while uniform 0 is not 0. */
static const char endless_text[] = "again:\nmov.p ^1 t[0].x\nbranch ^1 again\n";

static void endless_shader(void **state)
{
	static const float one = 1;

	start(&e, true, endless_text);
	memcpy(e.map + UNIFORMS, &one, sizeof(one));
	draw_positions(&e, 3);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	gp_says(&e, "gp was at its first draw of its VS list and stopped at 0x%08x: it does not come out of the vertex "
		"shader at 0x%08x, whose instruction 0 branches back to 0", e.va + AT_DRAW, e.va + SHADER);
	/* With 0 it ends; recovery has left nothing behind. */
	memset(e.map + UNIFORMS, 0, sizeof(one));
	assert_int_equal(run(&e), HOST_OK);
	/* A semaphore that the PLBU does not raise. */
	vs(&e, VS_SEM_BEGIN_2, VS_W1_SEMAPHORE);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	gp_says(&e, "gp had done 1 draws of its VS list and stopped at 0x%08x: it waits for a semaphore "
		"of the PLBU, whose list raises it 0 times", e.va + VS_LIST + 4 * e.vs_words - 8);
}

/* The PLBU waits for a VS that does not come to its semaphore. */
static void plbu_waits(void **state)
{
	static const float one = 1;

	start(&e, true, endless_text);
	memcpy(e.map + UNIFORMS, &one, sizeof(one));
	draw_positions(&e, 3);
	vs(&e, VS_SEM_END, VS_W1_SEMAPHORE);
	e.plbu_words = 0;
	plbu(&e, PLBU_SEM_BEGIN, PLBU_W1_SEMAPHORE);
	plbu(&e, PLBU_SEM_END, PLBU_W1_SEMAPHORE);
	plbu(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	gp_says(&e, "gp was at its first draw of its PLBU list: it waits for the VS, which is at work.");
	/* With 0 both end. */
	memset(e.map + UNIFORMS, 0, sizeof(one));
	assert_int_equal(run(&e), HOST_OK);
}

/* A branch past the end: the model's VS cannot go on, and limn decode says so, of the second draw. */
static void branch_past_the_end(void **state)
{
	static const char text[] = "mov.p ^1 t[0].x\nbranch ^1 99\n";
	static const float one = 1;

	start(&e, true, uniform_text);
	memcpy(e.map + UNIFORMS, &one, sizeof(one));
	draw_positions(&e, 3);
	assert_int_equal(run(&e), HOST_OK);
	instructions = shader(&e, "utgard-gp", text, SHADER + 0x1000) / 4;
	vs(&e, e.va + SHADER + 0x1000, VS_W1_SHADER(16 * instructions));
	vs_reg(&e, VS_REG_SHADER_INFO, VS_SHADER_INFO(instructions - 1, 16 * instructions));
	vs(&e, VS_W0_DRAW(3, false), VS_W1_DRAW(3));
	assert_int_equal(run(&e), HOST_TIMEOUT);
	assert_non_null(strstr(e.last, "past the end"));
	gp_says(&e, "gp had done 1 draws of its VS list and stopped at 0x%08x: instruction 0 of the vertex shader at 0x%08x "
		"branches to 99, but it has 1: hangs", e.va + VS_LIST + 8 * 11, e.va + SHADER + 0x1000);
}

/* No bytes at the start of a page: in strict mode the L2 fetches none of its lines, instead of all that a page number can name. */
static void no_uniforms(void **state)
{
	start(&e, true, copy_text);
	stream(&e, IN, 0, 0, GP_STREAM_UNUSED);
	stream(&e, IN, 1, 0, GP_STREAM_UNUSED);
	stream(&e, OUT, 0, e.va + VARYINGS, GP_VARYING_POSITION_WORD);
	stream(&e, OUT, 1, 0, GP_STREAM_UNUSED);
	vs_draw_with(&e, 2, 3, 0);
	model_write32(host_model(e.host), UTGARD_M400_L2_OFFSET + L2_PERFCNT_SRC0, 0x20);	/* the GP's reads */
	assert_int_equal(run(&e), HOST_OK);
	assert_in_range(model_read32(host_model(e.host), UTGARD_M400_L2_OFFSET + L2_PERFCNT_VAL0), 1, 1000);
	assert_int_equal(e.reports, 0);
}

/* Of two streams the shader loads one. The other, in memory that is not there, changes neither the picture nor what is read. */
static void unused_stream(void **state)
{
	static const float point[4] = { 1, 2, 3, 4 };
	uint32_t reads[2];
	float out[4];

	for (unsigned int present = 0; present < 2; present++) {
		start(&e, true, "mov.a0 ^1/v0.x a0.x\nmov.a1 ^2/v0.y a0.y\nmov.m0 ^3/v0.z a0.z\nmov.m1 ^4/v0.w a0.w\n");
		memcpy(e.map + ATTRIBUTES, point, sizeof(point));
		stream(&e, IN, 0, e.va + ATTRIBUTES, GP_STREAM(0, GP_TYPE_F32, 4));
		stream(&e, IN, 1, present ? e.va + ATTRIBUTES + 4096 : 0x70000000, GP_STREAM(16, GP_TYPE_F32, 4));
		stream(&e, OUT, 0, e.va + VARYINGS, GP_VARYING_POSITION_WORD);
		stream(&e, OUT, 1, 0, GP_STREAM_UNUSED);
		vs_draw(&e, 2, 3);
		model_write32(host_model(e.host), UTGARD_M400_L2_OFFSET + L2_PERFCNT_SRC0, 0x20);	/* the GP's reads */
		assert_int_equal(run(&e), HOST_OK);
		reads[present] = model_read32(host_model(e.host), UTGARD_M400_L2_OFFSET + L2_PERFCNT_VAL0);
		memcpy(out, e.map + VARYINGS + 32, sizeof(out));
		assert_memory_equal(out, point, sizeof(out));
	}
	assert_int_equal(reads[0], reads[1]);
}

#define TESTS(T) \
	T(attribute_formats) T(varying_formats) T(plbu_waits) T(faults) \
	T(endless_shader) T(branch_past_the_end) T(no_uniforms) T(unused_stream)

UNIT_MAIN(TESTS, end)
