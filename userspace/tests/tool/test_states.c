// SPDX-License-Identifier: MIT
/*
 * Fixed-function state, one small job a row on the in-process model in strict
 * mode: what a few pixels must be, from the definitions of GL.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tool/jobs.h"

#define SIZE 32

/* A flat colour by fragment uniform, position from a0 with w = 1. */
#define HEAD "target 32 32\nclear color 0 0 0 0\noutputs position\n" \
	     "vertex-uniforms { viewport }\n" SHADER \
	     "attribute 0 float3 { -1 -1 0   1 -1 0   -1 1 0   1 1 0 }\n" \
	     "fragment-uniforms { 1 1 1 1 }\n"
#define SHADER "vertex-shader {\n" \
	       "mul.m0 ^x a0.x t[0].x\nmul.m1 ^y a0.y t[0].y\n\n" \
	       "mul.m0 ^z a0.z t[0].z\nmov.m1 ^w a0.w\n\n" \
	       "add.a0 ^_/v0.x ^x t[1].x\nadd.a1 ^_/v0.y ^y t[1].y\n\n" \
	       "add.a0 ^_/v0.z ^z t[1].z\nmov.m1 ^_/v0.w ^w\n}\n" \
	       "fragment-shader {\nload.u 0, mov.v1 $0 ^uniform, stop\n}\n"
/* A quad with texture 0 at a1. */
#define TEXTURED "target 32 32\nclear color 0 0 0 0\noutputs position float2\n" \
		 "vertex-uniforms { viewport }\nvertex-shader {\n" \
		 "mul.m0 ^x a0.x t[0].x\nmul.m1 ^y a0.y t[0].y\n\n" \
		 "mul.m0 ^z a0.z t[0].z\nmov.m1 ^w a0.w\n\n" \
		 "add.a0 ^_/v0.x ^x t[1].x\nadd.a1 ^_/v0.y ^y t[1].y\n\n" \
		 "add.a0 ^_/v0.z ^z t[1].z\nmov.m1 ^_/v0.w ^w\n\n" \
		 "mov.a0 ^_/v1.x a1.x\nmov.a1 ^_/v1.y a1.y\n}\n" \
		 "fragment-shader {\n" \
		 "load.v ^discard.xy 0.xy, texld 0, mov.v1 $0 ^texture, sync, stop\n}\n" \
		 "attribute 0 float3 { -1 -1 0   1 -1 0   -1 1 0   1 1 0 }\n"
#define QUAD "draw triangle-strip 0 4\n"

static void run(const char *text, uint8_t rgba[SIZE * SIZE * 4])
{
	struct job *job = job_of(text);
	uint8_t *drawn;

	assert_int_equal(job->scenes[0]->target.width * job->scenes[0]->target.height, SIZE * SIZE);
	drawn = job_draw(job, "mali-400-mp2", 3);
	memcpy(rgba, drawn, SIZE * SIZE * 4);
	free(drawn);
}

struct probe {
	int x, y;
	uint8_t rgba[4];
};

#define W { 255, 255, 255, 255 }
#define N { 0, 0, 0, 0 }
#define R { 255, 0, 0, 255 }
#define G { 0, 255, 0, 255 }
#define RED "fragment-uniforms { 1 0 0 1 }\n"
#define GREEN "fragment-uniforms { 0 1 0 1 }\n"
/* Counter-clockwise as one looks at the picture. */
#define CCW "attribute 0 float3 { -1 -1 0   1 -1 0   0 1 0 }\n"
#define TRIANGLE "draw triangles 0 3\n"
#define AT(z) "attribute 0 float3 { -1 -1 " z "  1 -1 " z "  -1 1 " z "  1 1 " z " }\n"

static const struct {
	const char *name, *text;
	struct probe probes[6];
	int count;
} rows[] = {
	{ "whole", HEAD QUAD, { { 0, 0, W }, { 31, 0, W }, { 0, 31, W }, { 31, 31, W }, { 16, 15, W } }, 5 },
	{ "cull back, ccw", HEAD CCW "cull back\n" TRIANGLE, { { 16, 16, W } }, 1 },
	{ "cull front, ccw", HEAD CCW "cull front\n" TRIANGLE, { { 16, 16, N } }, 1 },
	{ "cull both", HEAD CCW "cull both\n" TRIANGLE, { { 16, 16, N } }, 1 },
	{ "cull back, front is cw", HEAD CCW "front cw\ncull back\n" TRIANGLE, { { 16, 16, N } }, 1 },
	{ "cull front, front is cw", HEAD CCW "front cw\ncull front\n" TRIANGLE, { { 16, 16, W } }, 1 },
	{ "culled strips keep their winding", HEAD "cull back\n" QUAD, { { 2, 30, W }, { 30, 2, W } }, 2 },
	{ "scissor", HEAD "scissor 4 6 8 10\n" QUAD,
	  { { 4, 6, W }, { 11, 15, W }, { 3, 6, N }, { 4, 5, N }, { 12, 15, N }, { 11, 16, N } }, 6 },
	{ "viewport", HEAD "viewport 8 4 16 8\nvertex-uniforms { viewport }\n" QUAD,
	  { { 8, 4, W }, { 23, 11, W }, { 7, 4, N }, { 8, 3, N }, { 24, 11, N }, { 23, 12, N } }, 6 },
	{ "y is up in clip space", HEAD "attribute 0 float3 { -1 0 0  1 0 0  -1 1 0  1 1 0 }\n" QUAD,
	  { { 5, 0, W }, { 5, 15, W }, { 5, 16, N }, { 5, 31, N } }, 4 },
	{ "color mask", HEAD "color-mask ga\n" QUAD, { { 9, 9, { 0, 255, 0, 255 } } }, 1 },
	{ "depth less", HEAD "depth less\n" RED AT("0.2") QUAD GREEN AT("0.5") QUAD, { { 9, 9, R } }, 1 },
	{ "depth greater", HEAD "clear depth 0\ndepth greater\n" RED AT("0.2") QUAD GREEN AT("0.5") QUAD,
	  { { 9, 9, G } }, 1 },
	{ "depth equal", HEAD "depth less\n" RED AT("0.2") QUAD "depth equal\n" GREEN AT("0.2") QUAD,
	  { { 9, 9, G } }, 1 },
	{ "depth not equal", HEAD "depth less\n" RED AT("0.2") QUAD "depth notequal\n" GREEN AT("0.2") QUAD,
	  { { 9, 9, R } }, 1 },
	{ "depth lequal", HEAD "depth less\n" RED AT("0.2") QUAD "depth lequal\n" GREEN AT("0.2") QUAD,
	  { { 9, 9, G } }, 1 },
	{ "depth never", HEAD "depth never\n" QUAD, { { 9, 9, N } }, 1 },
	{ "depth read-only", HEAD "depth less read-only\n" RED AT("0.2") QUAD GREEN AT("0.5") QUAD,
	  { { 9, 9, G } }, 1 },
	{ "depth off", HEAD "depth off\n" RED AT("0.2") QUAD GREEN AT("0.5") QUAD, { { 9, 9, G } }, 1 },
	{ "depth against the clear", HEAD "clear depth 0.5\ndepth less\n" AT("0.1") QUAD, { { 9, 9, N } }, 1 },
	{ "polygon offset", HEAD "depth less\n" RED AT("0.2") QUAD "polygon-offset 0 -60\n" GREEN AT("0.2") QUAD,
	  { { 9, 9, G } }, 1 },
	{ "alpha test", HEAD "fragment-uniforms { 1 1 1 0.4 }\nalpha-test greater 0.5\n" QUAD
	  , { { 9, 9, N } }, 1 },
	{ "alpha test of no matter", HEAD "fragment-uniforms { 1 1 1 0.4 }\nalpha-test always 0.5\n" QUAD
	  "fragment-uniforms { 1 0 0 0.4 }\nalpha-test never 0.1\n" QUAD
	  , { { 9, 9, { 255, 255, 255, 102 } } }, 1 },
	{ "alpha test passes", HEAD "fragment-uniforms { 1 1 1 1 }\nalpha-test gequal 0.5\n" QUAD,
	  { { 9, 9, W } }, 1 },
	{ "stencil counts", HEAD "color-mask none\nstencil always 0 255 keep keep incr 255\n" QUAD QUAD QUAD
	  "color-mask rgba\nstencil equal 3 255 keep keep keep 255\n" QUAD, { { 9, 9, W } }, 1 },
	{ "stencil counts no more", HEAD "color-mask none\nstencil always 0 255 keep keep incr 255\n" QUAD QUAD
	  "color-mask rgba\nstencil equal 3 255 keep keep keep 255\n" QUAD, { { 9, 9, N } }, 1 },
	{ "stencil clear and mask", HEAD "clear stencil 0xf5\nstencil equal 5 15 keep keep keep 255\n" QUAD,
	  { { 9, 9, W } }, 1 },
	{ "stencil depth fail", HEAD "clear depth 0\ndepth less\ncolor-mask none\n"
	  "stencil always 7 255 keep replace keep 255\n" QUAD
	  "depth off\ncolor-mask rgba\nstencil equal 7 255 keep keep keep 255\n" QUAD, { { 9, 9, W } }, 1 },
	{ "stencil write mask", HEAD "color-mask none\nstencil always 0xff 255 keep keep replace 0x0f\n" QUAD
	  "color-mask rgba\nstencil equal 0x0f 255 keep keep keep 255\n" QUAD, { { 9, 9, W } }, 1 },
	{ "two-sided stencil", HEAD CCW "color-mask none\nstencil front always 1 255 keep keep replace 255\n"
	  "stencil back always 2 255 keep keep replace 255\n" TRIANGLE
	  "color-mask rgba\nstencil equal 1 255 keep keep keep 255\n" TRIANGLE, { { 16, 16, W } }, 1 },
	{ "fan", HEAD "attribute 0 float3 { 0 0 0  1 1 0  -1 1 0  -1 -1 0  1 -1 0  1 1 0 }\n"
	  "cull back\ndraw triangle-fan 0 6\n", { { 16, 2, W }, { 2, 16, W }, { 16, 29, W }, { 29, 16, W } }, 4 },
	{ "first vertex", HEAD "attribute 0 float3 { 9 9 9  9 9 9  -1 -1 0  1 -1 0  -1 1 0  1 1 0 }\n"
	  "draw triangle-strip 2 4\n", { { 0, 0, W }, { 31, 31, W } }, 2 },
	{ "indices from the middle", HEAD "attribute 0 float3 { 9 9 9  9 9 9  -1 -1 0  1 -1 0  -1 1 0  1 1 0 }\n"
	  "indices u16 { 0 0 0 2 3 4 4 3 5 }\ndraw-indexed triangles 3 6\n", { { 0, 0, W }, { 31, 31, W } }, 2 },
	{ "lines", HEAD "attribute 0 float3 { -1 0.03125 0  1 0.03125 0 }\ndraw lines 0 2\n",
	  { { 5, 15, W }, { 28, 15, W }, { 5, 14, N }, { 5, 16, N } }, 4 },
	{ "points", HEAD "attribute 0 float3 { 0 0 0 }\npoint-size 6\ndraw points 0 1\n",
	  { { 13, 13, W }, { 18, 18, W }, { 12, 16, N }, { 19, 16, N }, { 16, 12, N }, { 16, 19, N } }, 6 },
	{ "discard", HEAD "fragment-shader {\nload.u 0, mov.v1 $0 ^uniform\ndiscard, stop\n}\n" QUAD,
	  { { 9, 9, N } }, 1 },
	{ "levels end with the last one", TEXTURED "attribute 1 float2 { 0 8  8 8  0 0  8 0 }\n"
	  "texture 0 rgba8888 32 32 levels 2 solid 1 0 0 1\ntexture-level 0 1 solid 0 1 0 1\n"
	  "sampler 0 mip nearest wrap repeat lod 0.7 9\n" QUAD, { { 9, 9, G } }, 1 },
	{ "no levels, whatever the least", TEXTURED "attribute 1 float2 { 0 8  8 8  0 0  8 0 }\n"
	  "texture 0 rgba8888 32 32 levels 2 solid 1 0 0 1\ntexture-level 0 1 solid 0 1 0 1\n"
	  "sampler 0 mip none wrap repeat lod 3 5\n" QUAD, { { 9, 9, R } }, 1 },
	{ "behind the viewer", HEAD "vertex-shader {\nmul.m0 ^x a0.x t[0].x\nmul.m1 ^y a0.y t[0].y\n\n"
	  "mul.m0 ^z a0.z t[0].z\nmov.a1 ^w -a0.w\n\nadd.a0 ^_/v0.x ^x t[1].x\nadd.a1 ^_/v0.y ^y t[1].y\n\n"
	  "add.a0 ^_/v0.z ^z t[1].z\nmov.m1 ^_/v0.w ^w\n}\n" QUAD, { { 9, 9, N } }, 1 },
};

static void states(void **state)
{
	uint8_t rgba[SIZE * SIZE * 4];
	int failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		run(rows[i].text, rgba);
		for (int k = 0; k < rows[i].count; k++) {
			const struct probe *p = &rows[i].probes[k];
			const uint8_t *is = rgba + 4 * (p->y * SIZE + p->x);

			if (memcmp(is, p->rgba, 4)) {
				print_error("%s: %d, %d is %u %u %u %u, not %u %u %u %u\n",
					    rows[i].name, p->x, p->y, is[0], is[1], is[2], is[3],
					    p->rgba[0], p->rgba[1], p->rgba[2], p->rgba[3]);
				failed++;
			}
		}
	}
	assert_int_equal(failed, 0);
}

/* Value of a blend factor for channel c. */
static double factor(const char *name, int c, const double s[4], const double d[4],
		     const double k[4])
{
	bool invert = !strncmp(name, "one-minus-", 10);
	const double *of;
	double v;

	if (!strcmp(name, "zero"))
		return 0;
	if (!strcmp(name, "one"))
		return 1;
	if (!strcmp(name, "src-alpha-saturate"))
		return c == 3 ? 1 : fmin(s[3], 1 - d[3]);
	if (invert)
		name += 10;
	of = !strncmp(name, "src", 3) ? s : !strncmp(name, "dst", 3) ? d : k;
	v = strstr(name, "-alpha") ? of[3] : of[c];
	return invert ? 1 - v : v;
}

static void blend_equations(void **state)
{
	static const char *const funcs[] = { "add", "subtract", "reverse-subtract", "min", "max" };
	static const char *const factors[] = {
		"zero", "one", "src", "one-minus-src", "src-alpha", "one-minus-src-alpha", "dst",
		"one-minus-dst", "dst-alpha", "one-minus-dst-alpha", "const", "one-minus-const",
		"const-alpha", "one-minus-const-alpha", "src-alpha-saturate",
	};
	const double s[4] = { 0.8, 0.2, 0.6, 0.4 }, d[4] = { 51 / 255.0, 153 / 255.0, 102 / 255.0, 178 / 255.0 };
	const double k[4] = { 0.1, 0.7, 0.3, 0.9 };
	uint8_t rgba[SIZE * SIZE * 4];
	unsigned int drawn = 0;
	char text[4096];

	for (int f = 0; f < 5; f++) {
		for (int i = 0; i < (f < 3 ? 15 : 1); i++) {
			for (int j = f % 2; j < (f < 3 ? 14 : 2); j += 3) {
				char pair[80] = "";

				if (f < 3)
					snprintf(pair, sizeof(pair), "%s %s", factors[i], factors[(i + j) % 14]);
				snprintf(text, sizeof(text), "%s"
					 "fragment-uniforms { 0.2 0.6 0.4 0.698039 }\n" QUAD
					 "blend-color 0.1 0.7 0.3 0.9\nblend %s %s\n"
					 "fragment-uniforms { 0.8 0.2 0.6 0.4 }\n" QUAD, HEAD, funcs[f], pair);
				run(text, rgba);
				drawn++;
				for (int c = 0; c < 4; c++) {
					double a = f < 3 ? s[c] * factor(factors[i], c, s, d, k) : s[c];
					double b = f < 3 ? d[c] * factor(factors[(i + j) % 14], c, s, d, k) : d[c];
					double v = f == 0 ? a + b : f == 1 ? a - b : f == 2 ? b - a :
						   f == 3 ? fmin(a, b) : fmax(a, b);

					v = fmin(fmax(v, 0), 1) * 255;
					if (fabs(rgba[c] - v) > 1.5)
						fail_msg("%s %s, channel %d: %u, not %.1f", funcs[f], pair, c,
							 rgba[c], v);
				}
			}
		}
	}
	print_message("%u equations\n", drawn);
}

/* Each texel format, one texel a pixel: what a gradient with alpha comes back as. */
static void texture_formats(void **state)
{
	static const struct {
		const char *name;
		const char *channels;	/* of r, g, b, a: which of r g b a 0 1 is read */
		int bits[4];
	} formats[] = {
		{ "rgba8888", "rgba", { 8, 8, 8, 8 } }, { "bgra8888", "rgba", { 8, 8, 8, 8 } },
		{ "rgbx8888", "rgb1", { 8, 8, 8, 8 } }, { "rgb888", "rgb1", { 8, 8, 8, 8 } },
		{ "rgb565", "rgb1", { 5, 6, 5, 8 } }, { "rgba5551", "rgba", { 5, 5, 5, 1 } },
		{ "rgba4444", "rgba", { 4, 4, 4, 4 } }, { "l8", "rrr1", { 8, 8, 8, 8 } },
		{ "a8", "000a", { 8, 8, 8, 8 } }, { "i8", "rrrr", { 8, 8, 8, 8 } },
		{ "la88", "rrra", { 8, 8, 8, 8 } }, { "l16", "rrr1", { 16, 16, 16, 16 } },
		{ "rgba16f", "rgba", { 0, 0, 0, 0 } },
	};
	uint8_t rgba[SIZE * SIZE * 4];
	char text[4096];

	for (size_t i = 0; i < 2 * sizeof(formats) / sizeof(formats[0]); i++) {
		bool by_rows = i & 1;

		snprintf(text, sizeof(text), TEXTURED
			 "attribute 1 float2 { 0 1  1 1  0 0  1 0 }\n"
			 "texture 0 %s 32 32 %s { for y 32 { for x 32 { x/31 y/31 (x+y)/62 (31-x)/31 } } }\n" QUAD,
			 formats[i / 2].name, by_rows ? "rows" : "");
		run(text, rgba);
		for (int p = 0; p < SIZE * SIZE; p++) {
			double x = p % 32, y = p / 32;
			double in[4] = { x / 31, y / 31, (x + y) / 62, (31 - x) / 31 };

			for (int c = 0; c < 4; c++) {
				static const char names[] = "rgba";
				const char *at = strchr(names, formats[i / 2].channels[c]);
				double max = (1 << formats[i / 2].bits[c]) - 1;
				double v = formats[i / 2].channels[c] - '0';

				if (at) {
					v = in[at - names];
					if (max > 0)
						v = rint(v * max) / max;
				}
				if (fabs(rgba[4 * p + c] - v * 255) > 1)
					fail_msg("%s%s, %g, %g, channel %d: %u, not %.1f", formats[i / 2].name,
						 by_rows ? " by rows" : "", x, y, c, rgba[4 * p + c], v * 255);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(blend_equations),
		cmocka_unit_test(texture_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
