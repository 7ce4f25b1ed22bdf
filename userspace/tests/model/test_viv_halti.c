// SPDX-License-Identifier: MIT
/*
 * What no job file says of newer Vivante chips' draws: where instanced ones start on older chips, indexed indirect
 * ones, elements in any order. Instances, several targets, queries: scenes/vivante/draw.limn.
 */
#include "tests/model/viv_scene.h"

enum { POINTS = 1 };

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

#define TESTS(T) T(test_instanced_start) T(test_indirect) T(test_elements)

UNIT_MAIN(TESTS, scene_end)
