// SPDX-License-Identifier: MIT
/*
 * What the newer Vivante chips add: instances, vertex and instance numbers,
 * several render targets, ETC2; and occlusion queries.
 */
#include "tests/model/viv_scene.h"

static struct scene s;

enum { POINTS = 1, TRIANGLES = 4 };

static enum host_status draw_instanced(uint32_t type, uint32_t vertices, uint32_t instances)
{
	struct env *e = &s.e;

	put(e, VIV_FE_COMMAND(DRAW_INSTANCED) | VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, type) |
	    VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO, instances),
	    VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, vertices));
	put(e, 0, 0);
	set(e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	return run(e, HOST_PIPE_3D);
}

/* Eight instances of a point; the second stream moves on with every instance, or every second one. */
static void test_instances(void **unused)
{
	static const float pos[4] = { -63 / 64.0f, 1 / 64.0f, 0, 1 };

	for (unsigned int n = 2; n < CHIPS; n++)
		for (unsigned int divisor = 1; divisor <= 2; divisor++) {
			float color[8][4];

			scene_open(&s, chips[n]);
			/* Element 0: the position, of a stream without a divisor; element 1: from stream 1. */
			memcpy(s.e.map[1], pos, sizeof(pos));
			for (unsigned int i = 0; i < 8; i++)
				memcpy(color[i], (const float[4]){ (float)i / 8, (float)(i + 1) / 255, 0, 1 }, 16);
			memcpy(s.e.map[1] + 0x1000, color, sizeof(color));
			s.elements[1] = FE_DATA_TYPE_FLOAT | 1 << 8;
			s.stride = 0;
			scene_clear(&s, 0, 0);
			scene_states(&s);
			/* Each instance lies to the right of the one before by what its colour says. */
			program(&s, true, "mov t4, void, void, t0\nmad t4.x___, t1.xxxx, u0.xxxx, t0.xxxx\nmov t5, void, void, t1\n");
			uniform(&s, true, 0, (const float[4]){ 1 });
			set(&s.e, VIV_AT(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR, 1), s.e.va[1] + 0x1000);
			set(&s.e, VIV_AT(VIVS_NFE_VERTEX_STREAMS_CONTROL, 1), 16);
			set(&s.e, VIV_AT(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR, 1), divisor);
			setf(&s.e, VIVS_PA_POINT_SIZE, 0.5f);
			assert_int_equal(draw_instanced(POINTS, 1, 8), HOST_OK);
			for (unsigned int i = 0; i < 8; i++) {
				uint32_t got = color_at(&s, i * 4, 31);

				assert_int_equal(got >> 8 & 255, i < 8 / divisor ? i + 1 : 0);
			}
			scene_close(&s);
		}
}

/* Samples that pass are counted from one write to the other. */
static void test_query(void **unused)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 1, 1, 1, 1 } }, { { 3, -1, 0, 1 }, { 1, 1, 1, 1 } }, { { -1, 3, 0, 1 }, { 1, 1, 1, 1 } },
	};

	for (unsigned int n = 0; n < CHIPS; n++) {
		uint64_t got;

		scene_open(&s, chips[n]);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		setf(&s.e, VIVS_SE_SCISSOR_RIGHT, 10.06f);
		setf(&s.e, VIVS_SE_SCISSOR_BOTTOM, 7.06f);
		set(&s.e, VIVS_GL_OCCLUSION_QUERY_ADDR, s.e.va[1] + 0x3000);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		set(&s.e, VIVS_GL_OCCLUSION_QUERY_CONTROL, 1);
		assert_int_equal(run(&s.e, HOST_PIPE_3D), HOST_OK);
		memcpy(&got, s.e.map[1] + 0x3000, 8);
		assert_int_equal(got, 70);
		scene_close(&s);
	}
}

/* Two targets, each with its own colour, mask and blending. */
static void test_targets(void **unused)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 1, 0, 0, 1 } }, { { 3, -1, 0, 1 }, { 1, 0, 0, 1 } }, { { -1, 3, 0, 1 }, { 1, 0, 0, 1 } },
	};
	uint32_t second;

	scene_open(&s, "gc7000l");
	scene_clear(&s, 0, 0x40404040);
	scene_vertices(&s, v, 3);
	scene_states(&s);
	program(&s, false, "mov t2, void, void, t1.yxyw\nmov t1, void, void, t1\n");
	set(&s.e, VIVS_PS_CONTROL, VIVS_PS_CONTROL_SATURATE_RT0 | VIV_SET(VIVS_PS_CONTROL_RT_COUNT, 1));
	set(&s.e, VIVS_PS_OUTPUT_REG, 1 | 2 << 8);
	set(&s.e, VIVS_PE_RT_ADDR_8_PIPE, s.e.va[0] + DEPTH_AT);
	set(&s.e, VIVS_PE_RT_CONFIG_8, VIV_SET(RT_CONFIG_STRIDE, SIZE * 4) | VIV_SET(RT_CONFIG_FORMAT, PE_FORMAT_A8R8G8B8) |
	    RT_CONFIG_SUPER_TILED);
	/* Green and alpha alone. */
	set(&s.e, VIVS_PE_HALTI5_RT_COLORMASK, VIV_SET(VIVS_PE_HALTI5_RT_COLORMASK_COMPONENTS, 10));
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
	assert_int_equal(color_at(&s, 17, 5), 0xffff0000);
	second = depth_at(&s, 17, 5);
	assert_int_equal(second, 0xff40ff40);
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
