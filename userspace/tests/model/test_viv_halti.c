// SPDX-License-Identifier: MIT
/*
 * What the newer Vivante chips add: where instanced draws start, indirect draws, several render targets, tile
 * status of textures; and occlusion queries. Instances: scenes/vivante/draw.limn.
 */
#include "tests/model/viv_scene.h"

enum { POINTS = 1, TRIANGLES = 4 };

/*
 * A texture of 64x64 texels in rows whose tiles of 256 bytes, 64 texels of a row, are clear where the row is odd;
 * the target's tiles are said to be of 128 bytes.
 */
static void test_sampler_tile_status(void **unused)
{
	static const struct vert v[3] = { { { -1, 3, 0, 1 }, { 0, -1 } }, { { -1, -1, 0, 1 }, { 0, 1 } }, { { 3, -1, 0, 1 }, { 2, 1 } } };
	const uint32_t ts_at = TEXTURE_AT + SIZE * SIZE * 4;
	struct env *e = &s.e;
	uint32_t *d;

	scene_open(&s, "gc7000l");
	scene_clear(&s, 0, 0);
	scene_vertices(&s, v, 3);
	scene_states(&s);
	program(&s, false, "texld t1, tex0, t1.xyyy, void, void\n");
	d = memset(e->map[1] + DESC_AT, 0, 256);
	d[TXDESC_LOD_ADDR / 4] = e->va[1] + TEXTURE_AT;
	d[TXDESC_CONFIG0 / 4] = VIV_SET(TE_SAMPLER_CONFIG0_TYPE, TEXTURE_TYPE_2D) | VIV_SET(TE_SAMPLER_CONFIG0_FORMAT, TEXTURE_FORMAT_A8R8G8B8) |
				VIV_SET(TE_SAMPLER_CONFIG0_ADDRESSING_MODE, TEXTURE_ADDRESSING_MODE_LINEAR);
	d[TXDESC_CONFIG1 / 4] = 1 << TE_SAMPLER_CONFIG1_SWIZZLE_G__SHIFT | 2 << TE_SAMPLER_CONFIG1_SWIZZLE_B__SHIFT |
				3 << TE_SAMPLER_CONFIG1_SWIZZLE_A__SHIFT;
	d[TXDESC_SIZE / 4] = SIZE | SIZE << 16;
	d[TXDESC_LINEAR_STRIDE / 4] = SIZE * 4;
	memset(e->map[1] + TEXTURE_AT, 0x40, SIZE * SIZE * 4);
	memset(e->map[1] + ts_at, 0x10, SIZE / 2);
	set(e, VIVS_PE_MEM_CONFIG, VIV_SET(VIVS_PE_MEM_CONFIG_COLOR_TS_MODE, TS_MODE_128B));
	set(e, VIVS_NTE_DESCRIPTOR_CONTROL, VIVS_NTE_DESCRIPTOR_CONTROL_ENABLE);
	set(e, VIVS_NTE_DESCRIPTOR_ADDR, e->va[1] + DESC_AT);
	set(e, VIVS_NTE_DESCRIPTOR_SAMP_CTRL0, VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIN, TEXTURE_FILTER_NEAREST) |
					       VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MAG, TEXTURE_FILTER_NEAREST));
	set(e, VIVS_NTE_DESCRIPTOR_TX_CTRL, VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_ENABLE |
					    VIV_SET(VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_MODE, TS_MODE_256B));
	set(e, VIVS_TS_SAMPLER_CONFIG, VIVS_TS_SAMPLER_CONFIG_ENABLE);
	set(e, VIVS_TS_SAMPLER_STATUS_BASE, e->va[1] + ts_at);
	set(e, VIVS_TS_SAMPLER_CLEAR_VALUE, 0x80808080);
	set(e, VIVS_TS_SAMPLER_CLEAR_VALUE2, 0x80808080);
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
	for (uint32_t i = 0; i < SIZE * SIZE; i++)
		assert_int_equal(color_at(&s, i % SIZE, i / SIZE), i / SIZE % 2 ? 0x80808080 : 0x40404040);
}

/* Points in a row: vertex i in column 4 * i, its red is i + 1. Indices: the last first. */
static void row_of_points(unsigned int n)
{
	struct vert v[8];

	for (unsigned int i = 0; i < n; i++)
		v[i] = (struct vert){ { (float)(4 * i) * 2 / SIZE - 1 + 1.0f / SIZE, 1.0f / SIZE, 0, 1 },
				      { (float)(i + 1) / 255, 0, 0, 1 } };
	scene_clear(&s, 0, 0);
	scene_vertices(&s, v, n);
	for (unsigned int i = 0; i < n; i++)
		s.e.map[1][INDEX_AT + i] = (uint8_t)(n - 1 - i);
	scene_states(&s);
	setf(&s.e, VIVS_PA_POINT_SIZE, 0.5f);
	set(&s.e, VIVS_FE_INDEX_STREAM_BASE_ADDR, s.e.va[1] + INDEX_AT);
	set(&s.e, VIVS_FE_INDEX_STREAM_CONTROL, 0);
}

/* Those of the n points that the mask names were drawn, and no other. */
static void check_points(const char *gpu, const char *what, unsigned int n, uint32_t mask)
{
	for (unsigned int i = 0; i < n; i++) {
		uint32_t got = color_at(&s, i * 4, 31) >> 16 & 255, want = mask >> i & 1 ? i + 1 : 0;

		if (got != want)
			fail_msg("%s, %s: point %u has red %u, not %u", gpu, what, i, got, want);
	}
}

static enum host_status finish(void)
{
	set(&s.e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	return run(&s.e, HOST_PIPE_3D);
}

/* DRAW_INSTANCED: first vertex, or what is added to each index; chips before HALTI2 have neither. */
static void test_instanced_start(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		for (unsigned int indexed = 0; indexed < 2; indexed++) {
			struct env *e = &s.e;
			bool start;

			scene_open(&s, chips[n]);
			start = s.halti >= 2;
			row_of_points(6);
			put(e, VIV_FE_COMMAND(DRAW_INSTANCED) | VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, POINTS) |
			    (indexed ? VIV_FE_DRAW_INSTANCED_HEADER_INDEXED : 0) |
			    VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO, 1),
			    VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, 3));
			/* Indices 5, 4, 3 and so on, less two. */
			put(e, indexed ? (uint32_t)-2 : 2, 0);
			assert_int_equal(finish(), HOST_OK);
			if (indexed)
				check_points(chips[n], "indexed", 6, start ? 7u << 1 : 7u << 3);
			else
				check_points(chips[n], "start", 6, start ? 7u << 2 : 7u);
		}
	}
}

/* More instances than the header's 16 bits hold: the rest of the count is in the second word. */
static void test_instance_count(void **unused)
{
	uint64_t samples;

	scene_open(&s, "gc7000l");
	row_of_points(2);
	set(&s.e, VIVS_GL_OCCLUSION_QUERY_ADDR, s.e.va[1] + 0x3000);
	put(&s.e, VIV_FE_COMMAND(DRAW_INSTANCED) | VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, POINTS),
	    VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, 1) | VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_INSTANCE_COUNT_HI, 1));
	put(&s.e, 0, 0);
	/* 65536 instances of one vertex: as many samples pass as there are instances. */
	set(&s.e, VIVS_GL_OCCLUSION_QUERY_CONTROL, 1);
	assert_int_equal(finish(), HOST_OK);
	check_points("gc7000l", "count", 2, 1);
	memcpy(&samples, s.e.map[1] + 0x3000, 8);
	assert_int_equal(samples, 0x10000);
}

/* DRAW_INDIRECT: counts from memory. */
static void test_indirect(void **unused)
{
	static const uint32_t args[2][4] = { { 3, 1, 2, 0 }, { 2, 1, 1, (uint32_t)-3 } };

	for (unsigned int indexed = 0; indexed < 2; indexed++) {
		scene_open(&s, "gc7000l");
		row_of_points(6);
		s.e.expect_reports = true;
		memcpy(s.e.map[1] + TEXTURE_AT, args[indexed], sizeof(args[0]));
		put(&s.e, VIV_FE_COMMAND(DRAW_INDIRECT) | VIV_SET(VIV_FE_DRAW_INDIRECT_HEADER_TYPE, POINTS) |
		    (indexed ? VIV_FE_DRAW_INDIRECT_HEADER_INDEXED : 0), s.e.va[1] + TEXTURE_AT);
		assert_int_equal(finish(), HOST_OK);
		/* Vertices 2, 3, 4; or indices 1 and 2, which are 4 and 3, less three. */
		check_points("gc7000l", "indirect", 6, indexed ? 1u << 1 | 1u << 0 : 7u << 2);
		/* Nothing to draw is drawn; arguments in a page that is not there are a fault. */
		memset(s.e.map[1] + TEXTURE_AT, 0, 16);
		put(&s.e, VIV_FE_COMMAND(DRAW_INDIRECT) | VIV_SET(VIV_FE_DRAW_INDIRECT_HEADER_TYPE, POINTS),
		    s.e.va[1] + TEXTURE_AT);
		assert_int_equal(finish(), HOST_OK);
		if (!strstr(s.e.last, "guessed: DRAW_INDIRECT"))
			fail_msg("report: %s", s.e.last);
		put(&s.e, VIV_FE_COMMAND(DRAW_INDIRECT) | VIV_SET(VIV_FE_DRAW_INDIRECT_HEADER_TYPE, POINTS), 0xf0000000);
		assert_int_equal(finish(), HOST_FAULT);
	}
}

/* Vertex elements that are written one by one, as the cube of the GC600 does: each goes on where the last ended. */
static void test_elements(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		uint32_t at;

		scene_open(&s, chips[n]);
		at = s.halti >= 5 ? VIVS_NFE_GENERIC_ATTRIB_CONFIG0 : VIVS_FE_VERTEX_ELEMENT_CONFIG;
		row_of_points(3);
		for (unsigned int i = 0; i < 2; i++)
			set(&s.e, at + i * 4, elements[i] | (s.halti >= 5 ? 0 : 0x80 | ((elements[i] >> 16 & 0xff) + 16) << 24));
		assert_int_equal(scene_draw(&s, POINTS, 3), HOST_OK);
		check_points(chips[n], "elements", 3, 7);
		/* One alone is one alone. */
		s.e.expect_reports = true;
		set(&s.e, at, elements[0] | (s.halti >= 5 ? 0 : 0x80 | 16 << 24));
		assert_int_equal(scene_draw(&s, POINTS, 3), HOST_TIMEOUT);
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
	}
}

/* Two targets, each with its own colour, mask and blending. */
static void test_targets(void **unused)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 1, 0, 0, 1 } }, { { 3, -1, 0, 1 }, { 1, 0, 0, 1 } }, { { -1, 3, 0, 1 }, { 1, 0, 0, 1 } },
	};

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
	assert_int_equal(depth_at(&s, 17, 5), 0xff40ff40);
}

#define TESTS(T) \
	T(test_sampler_tile_status) T(test_instanced_start) T(test_instance_count) T(test_indirect) T(test_elements) \
	T(test_query) T(test_targets)

UNIT_MAIN(TESTS, scene_end)
