// SPDX-License-Identifier: MIT
/*
 * Jobs for Vivante: what they become passes the strict stream checker; pictures
 * hold what the job says, on every chip of the model.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/vivante/decode.h"
#include "tests/tool/jobs.h"

#define HEAD "vivante\ntarget 64 64\n"
/* Lines 3 to 11. */
#define DATA "attribute 0 float2 { -1 -1  1 -1  -1 1  1 1 }\n" \
	     "outputs position t0\n" \
	     "vertex-shader {\n\tmov t0, void, void, t0\n}\n" \
	     "fragment-shader {\n\tmov t1, void, void, u0\n}\n" \
	     "fragment-uniforms { 1 0 0 1 }\n"

/* --- Streams --------------------------------------------------------------------------- */

static const char *const chips[] = { "gc2000", "gc880", "gc3000", "gc7000l", "gc320" };
static const char *const examples[] = {
	"clear", "triangle", "cube", "textured", "msaa", "sprites", "displaced", "stencil", "fill", "copy", "stretch",
};

static void no_finding(void *ctx, const struct viv_finding *f)
{
	fail_msg("%s: word %zu: %s [%s]", (const char *)ctx, f->at, f->text, f->rule);
}

static void open_chip(const char *name, struct limn_device **dev)
{
	struct target target = { .model = name, .strict = true, .seed = 1 };
	struct limn_error err;

	if (target_open(&target, dev, &err))
		fail_msg("%s: %s", name, err.text);
}

/* Every example's stream, for every chip it fits: nothing to find for the checker. */
static void test_streams(void **state)
{
	unsigned int streams = 0;

	for (unsigned int c = 0; c < 5; c++) {
		struct limn_device *dev;

		open_chip(chips[c], &dev);
		for (unsigned int e = 0; e < 11; e++) {
			const struct viv_sink sink = { (void *)examples[e], NULL, no_finding, NULL, NULL };
			struct viv_decode_stats stats;
			struct job_frame *frame;
			struct limn_error err;
			const uint32_t *words;
			struct job *job;
			uint32_t count;
			char path[128];

			snprintf(path, sizeof(path), "userspace/tool/examples/vivante/%s.limn", examples[e]);
			job = job_of_file(path);
			if (job_frame_create(job, job->scenes[0], dev, &frame, &err)) {
				/* 2D and 3D pipes do not fit each other, and nothing else may. */
				assert_non_null(strstr(err.text, "pipe"));
				job_free(job);
				continue;
			}
			words = job_frame_words(frame, &count);
			limn_viv_decode(words, count, VIV_DECODE_USER, &sink, &stats);
			assert_int_equal(stats.unknown_states, 0);
			assert_true(stats.commands > 10);
			streams++;
			job_frame_free(frame);
			job_free(job);
		}
		limn_close(dev);
	}
	assert_int_equal(streams, 4 * 8 + 3);
}

/* --- Pictures ---------------------------------------------------------------------------- */

static uint8_t *rgba;

static void run(const char *chip, const char *text)
{
	free(rgba);
	rgba = job_draw(job_of(text), chip, 1);
}

static void expect(const char *chip, uint32_t width, uint32_t x, uint32_t y, uint32_t r, uint32_t g, uint32_t b,
		   uint32_t a, const char *text)
{
	const uint8_t *p = rgba + 4 * (y * width + x);

	if (p[0] != r || p[1] != g || p[2] != b || p[3] != a)
		fail_msg("%s: (%u, %u) is %u %u %u %u, not %u %u %u %u\n%s", chip, x, y, p[0], p[1], p[2], p[3], r, g, b, a,
			 text);
}

#define LEFT_HALF "attribute 0 float2 { -1 -1  0 -1  -1 1  0 1 }\n"

static const struct {
	const char *text;
	uint8_t left[4], right[4];	/* at (10, 20) and (50, 20) */
} pictures[] = {
	{ HEAD "clear color 0 1 0 1\n" DATA LEFT_HALF "draw triangle-strip 0 4\n", { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
	{ "vivante\ntarget 64 64 supertiled\nfast-clear on\nclear color 0 0 1 1\n" DATA LEFT_HALF
	  "draw triangle-strip 0 4\n", { 255, 0, 0, 255 }, { 0, 0, 255, 255 } },
	{ "vivante\ntarget 64 64 rgb565 tiled\nclear color 1 1 1 1\n" DATA LEFT_HALF "draw triangle-strip 0 4\n",
	  { 255, 0, 0, 255 }, { 255, 255, 255, 255 } },
	{ "vivante\ntarget 64 64 rgba4444 supertiled\nfast-clear on\nclear color 0 1 1 1\n" DATA LEFT_HALF
	  "draw triangle-strip 0 4\n", { 255, 0, 0, 255 }, { 0, 255, 255, 255 } },
	/* Nearer wins, whatever comes first; the second draw is farther away. */
	{ HEAD "depth-buffer d24s8\nclear depth 1\n" DATA "depth less\nattribute 0 float3 { -1 -1 0  0 -1 0  -1 1 0  0 1 0 }\n"
	  "draw triangle-strip 0 4\nfragment-uniforms { 0 0 1 1 }\n"
	  "attribute 0 float3 { -1 -1 0.5  1 -1 0.5  -1 1 0.5  1 1 0.5 }\ndraw triangle-strip 0 4\n",
	  { 255, 0, 0, 255 }, { 0, 0, 255, 255 } },
	{ HEAD "depth-buffer d16\nfast-clear on\nclear depth 1\n" DATA
	  "depth less\nattribute 0 float3 { -1 -1 0  0 -1 0  -1 1 0  0 1 0 }\n"
	  "draw triangle-strip 0 4\nfragment-uniforms { 0 0 1 1 }\n"
	  "attribute 0 float3 { -1 -1 0.5  1 -1 0.5  -1 1 0.5  1 1 0.5 }\ndraw triangle-strip 0 4\n",
	  { 255, 0, 0, 255 }, { 0, 0, 255, 255 } },
	/* Culling: counter-clockwise in clip space is front. */
	{ HEAD "clear color 0 0 0 1\n" DATA "cull back\n" LEFT_HALF "draw triangle-strip 0 4\ncull front\n"
	  "attribute 0 float2 { 0 -1  1 -1  0 1  1 1 }\ndraw triangle-strip 0 4\n", { 255, 0, 0, 255 }, { 0, 0, 0, 255 } },
	{ HEAD "clear color 0 0 0 1\n" DATA "front cw\ncull back\n" LEFT_HALF "draw triangle-strip 0 4\ncull front\n"
	  "attribute 0 float2 { 0 -1  1 -1  0 1  1 1 }\ndraw triangle-strip 0 4\n", { 0, 0, 0, 255 }, { 255, 0, 0, 255 } },
	{ HEAD "clear color 0 1 0 1\n" DATA "scissor 0 0 32 64\ndraw triangle-strip 0 4\n", { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
	{ HEAD "clear color 0 1 0 1\n" DATA "blend add one one\n" LEFT_HALF "draw triangle-strip 0 4\n",
	  { 255, 255, 0, 255 }, { 0, 255, 0, 255 } },
	{ HEAD "clear color 0 1 0 1\n" DATA "color-mask r\n" LEFT_HALF "draw triangle-strip 0 4\n",
	  { 255, 255, 0, 255 }, { 0, 255, 0, 255 } },
	{ "vivante\ntarget 64 64 supertiled\nsamples 4\nclear color 0 1 0 1\n" DATA LEFT_HALF "draw triangle-strip 0 4\n",
	  { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
	/* Stencil of the front side: counter-clockwise counts up. */
	{ HEAD "depth-buffer d24s8\nclear color 0 0 0 1\n" DATA "color-mask none\n"
	  "stencil front always 0 255 keep keep incr 255\nstencil back always 0 255 keep keep zero 255\n" LEFT_HALF
	  "draw triangle-strip 0 4\ncolor-mask rgba\nstencil equal 1 255 keep keep keep 0\n"
	  "attribute 0 float2 { -1 -1  1 -1  -1 1  1 1 }\ndraw triangle-strip 0 4\n",
	  { 255, 0, 0, 255 }, { 0, 0, 0, 255 } },
	/* Textures: rows, tiles, supertiles hold the same. */
#define TEXTURED(layout) HEAD DATA "attribute 1 float2 { 0 0  1 0  0 1  1 1 }\noutputs position t0 float2 t1\n" \
	"vertex-shader {\n\tmov t0, void, void, t0\n\tmov t1, void, void, t1\n}\n" \
	"fragment-shader {\n\ttexld t1, tex0, t1, void, void\n}\n" \
	"texture 0 rgba8888 16 16 " layout " checker 8  1 0 1 1  0 1 1 1\ndraw triangle-strip 0 4\n"
	/* Compressed, given as bytes: the left block, then the right one. Values worked out by hand from the formats. */
#define SAMPLED(coordinates, texture) HEAD DATA "attribute 1 " coordinates "\noutputs position t0 float3 t1\n" \
	"vertex-shader {\n\tmov t0, void, void, t0\n\tmov t1, void, void, t1\n}\n" \
	"fragment-shader {\n\ttexld t1, tex0, t1, void, void\n}\n" \
	"texture 0 " texture "\ndraw triangle-strip 0 4\n"
#define FLAT "float3 { 0 0 0  1 0 0  0 1 0  1 1 0 }"
	/* ETC1, two single colours, table 0, index 0: each channel and 2. */
	{ SAMPLED(FLAT, "etc1 8 4 bytes { 255 0 0 0 0 0 0 0  0 255 0 0 0 0 0 0 }"), { 255, 2, 2, 255 }, { 2, 255, 2, 255 } },
	{ SAMPLED(FLAT, "etc2-rgb8 8 4 bytes { 255 0 0 0 0 0 0 0  0 255 0 0 0 0 0 0 }"), { 255, 2, 2, 255 }, { 2, 255, 2, 255 } },
	/* EAC, multiplier 0: the base is the alpha. */
	{ SAMPLED(FLAT, "etc2-rgba8 8 4 bytes { 128 0 0 0 0 0 0 0 255 0 0 0 0 0 0 0  64 0 0 0 0 0 0 0 0 255 0 0 0 0 0 0 }"),
	  { 255, 2, 2, 128 }, { 2, 255, 2, 64 } },
	/* 8 * base + 4 and the first of table 0, -3, of 2047. */
	{ SAMPLED(FLAT, "eac-r11 8 4 bytes { 128 0 0 0 0 0 0 0  255 0 0 0 0 0 0 0 }"), { 128, 0, 0, 255 }, { 254, 0, 0, 255 } },
	{ SAMPLED(FLAT, "dxt1 8 4 bytes { 0 248 0 0 0 0 0 0  224 7 0 0 0 0 0 0 }"), { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
	/* Index 3 where the first colour is not the greater one: transparent black. */
	{ SAMPLED(FLAT, "dxt1 8 4 bytes { 0 0 0 248 255 255 255 255  224 7 31 0 85 85 85 85 }"), { 0, 0, 0, 0 }, { 0, 0, 255, 255 } },
	{ SAMPLED(FLAT, "dxt3 8 4 bytes { 136 136 136 136 136 136 136 136 0 248 0 0 0 0 0 0  "
		  "255 255 255 255 255 255 255 255 224 7 0 0 0 0 0 0 }"), { 255, 0, 0, 136 }, { 0, 255, 0, 255 } },
	{ SAMPLED(FLAT, "dxt5 8 4 bytes { 128 0 0 0 0 0 0 0 0 248 0 0 0 0 0 0  255 7 73 146 36 73 146 36 224 7 0 0 0 0 0 0 }"),
	  { 255, 0, 0, 128 }, { 0, 255, 0, 7 } },
	{ SAMPLED(FLAT, "rgba8888 2 1 bytes { 255 0 0 255  0 255 0 128 }"), { 255, 0, 0, 255 }, { 0, 255, 0, 128 } },
	{ SAMPLED(FLAT, "rgb565 2 2 bytes { 0 248 31 0  0 248 31 0 }"), { 255, 0, 0, 255 }, { 0, 0, 255, 255 } },
	/* A cube seen along +x, then +z; and -y, then -z. */
#define FACES " solid 1 0 0 1 solid 0 1 0 1 solid 0 0 1 1 solid 1 1 0 1 solid 0 1 1 1 solid 1 0 1 1"
	{ SAMPLED("float3 { 1 0 0  0 0 1  1 0 0  0 0 1 }", "rgba8888 4 4 cube" FACES), { 255, 0, 0, 255 }, { 0, 255, 255, 255 } },
	{ SAMPLED("float3 { 0 -1 0  0 0 -1  0 -1 0  0 0 -1 }", "rgb565 8 8 cube levels all" FACES),
	  { 255, 255, 0, 255 }, { 255, 0, 255, 255 } },
	/* A volume: its first slice, then its second. */
	{ SAMPLED("float3 { 0 0 0  0 0 1  0 0 0  0 0 1 }", "rgba8888 4 4 volume 2 solid 1 0 0 1 solid 0 1 0 1"),
	  { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
	{ SAMPLED("float3 { 0 0 0  0 0 1  0 0 0  0 0 1 }", "l8 2 1 volume 2 bytes { 10 20 30 40 }"),
	  { 10, 10, 10, 255 }, { 30, 30, 30, 255 } },
	{ TEXTURED("tiled"), { 0, 255, 255, 255 }, { 255, 0, 255, 255 } },
	{ TEXTURED("linear"), { 0, 255, 255, 255 }, { 255, 0, 255, 255 } },
};

static void test_pictures(void **state)
{
	for (unsigned int c = 0; c < 4; c++) {
		for (unsigned int i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
			const uint8_t *l = pictures[i].left, *r = pictures[i].right;

			run(chips[c], pictures[i].text);
			expect(chips[c], 64, 10, 20, l[0], l[1], l[2], l[3], pictures[i].text);
			expect(chips[c], 64, 50, 20, r[0], r[1], r[2], r[3], pictures[i].text);
		}
	}
}

static void test_2d(void **state)
{
	static const char text[] = "vivante 2d\ntarget 20 10\nclear color 0 0 1 1\nimage a 4 4 gradient\n"
				   "fill 2 2 3 3 1 0 0 1\ncopy a 1 1 10 0 3 3\nstretch a 0 0 4 4 10 4 4 4\n";

	run("gc320", text);
	expect("gc320", 20, 1, 2, 0, 0, 255, 255, text);
	expect("gc320", 20, 2, 2, 255, 0, 0, 255, text);
	expect("gc320", 20, 4, 4, 255, 0, 0, 255, text);
	expect("gc320", 20, 5, 4, 0, 0, 255, 255, text);
	/* The gradient's texel centres: (i + 0.5) / 4. */
	expect("gc320", 20, 10, 0, 96, 96, 0, 255, text);
	expect("gc320", 20, 12, 1, 223, 159, 0, 255, text);
	expect("gc320", 20, 13, 7, 223, 223, 0, 255, text);
}

/* Corners of a turned or mirrored image, and end points of lines: the last one is not drawn. */
static void test_2d_more(void **state)
{
	static const char text[] = "vivante 2d\ntarget 32 32\nclear color 0 0 0 1\n"
				   "image a 8 4 { for y 4 { for x 8 { x/8 y/4 0 1 } } }\n"
				   "rotate a 180 0 0\nrotate a 90 10 0\nrotate a 270 16 0\nrotate a flip-x 0 10\n"
				   "rotate a flip-y 0 16\nline 2 30 20 30 1 1 1 1\nline 20 20 30 30 1 1 0 1\n";

	run("gc320", text);
	expect("gc320", 32, 0, 0, 223, 191, 0, 255, text);
	expect("gc320", 32, 7, 3, 0, 0, 0, 255, text);
	/* A quarter turn anticlockwise: the top right corner comes to the top left. */
	expect("gc320", 32, 10, 0, 223, 0, 0, 255, text);
	expect("gc320", 32, 13, 7, 0, 191, 0, 255, text);
	expect("gc320", 32, 16, 0, 0, 191, 0, 255, text);
	expect("gc320", 32, 16, 7, 223, 191, 0, 255, text);
	expect("gc320", 32, 0, 10, 223, 0, 0, 255, text);
	expect("gc320", 32, 0, 16, 0, 191, 0, 255, text);
	expect("gc320", 32, 2, 30, 255, 255, 255, 255, text);
	expect("gc320", 32, 19, 30, 255, 255, 255, 255, text);
	expect("gc320", 32, 20, 30, 0, 0, 0, 255, text);
	expect("gc320", 32, 29, 29, 255, 255, 0, 255, text);
	expect("gc320", 32, 30, 30, 0, 0, 0, 255, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_streams), cmocka_unit_test(test_pictures),
		cmocka_unit_test(test_2d), cmocka_unit_test(test_2d_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
