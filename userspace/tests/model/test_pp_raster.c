// SPDX-License-Identifier: MIT
/*
 * What the PP covers and interpolates, against references computed here from
 * first principles: fill rules, sub-pixel positions, perspective, clipping at
 * the eye, scissor, points, lines, samples.
 */
#include "pp_scene.h"

#define W 80
#define H 64

/* Counts: every fragment adds 1/255 to all channels. */
static void counting_state(struct scene *s, const float (*pos)[4], unsigned int n)
{
	float one[4] = { 1 / 255.0f, 1 / 255.0f, 1 / 255.0f, 1 / 255.0f };
	uint32_t rsw[RSW_WORDS], va;
	uint8_t *v;
	unsigned int i;

	va = scene_alloc(s, n * 16, (void **)&v);
	for (i = 0; i < n; i++)
		memcpy(v + i * 16, one, 16);
	scene_rsw(s, rsw, va);
	rsw[RSW_ALPHA_BLEND] = 0xf0000000 | RSW_BLEND_ADD | RSW_BLEND_ADD << 3 |
		RSW_FACTOR_ONE << 6 | RSW_FACTOR_ONE << 11 | RSW_FACTOR_ONE << 16 |
		RSW_FACTOR_ONE << 20;
	scene_state(s, rsw, scene_data(s, pos, n * 16));
}

static void expect_counts(const struct scene *s, unsigned int want)
{
	uint32_t x, y;

	for (y = 0; y < s->h; y++)
		for (x = 0; x < s->w; x++)
			if (scene_channel(s, x, y, 0) != want)
				fail_msg("pixel %u, %u drawn %u times, not %u", x, y,
					 scene_channel(s, x, y, 0), want);
}

#define GRID 12

/* A grid of jittered points that reaches beyond the target; each cell two triangles. */
static void mesh(struct scene *s, uint64_t *seed, unsigned int mode)
{
	static float pos[(GRID + 1) * (GRID + 1)][4];
	unsigned int i, j, n = 0;

	for (j = 0; j <= GRID; j++)
		for (i = 0; i <= GRID; i++, n++) {
			double jx = scene_rnd_in(seed, -1.5, 1.5), jy = scene_rnd_in(seed, -1.2, 1.2);
			double x = -10 + i * (W + 20) / (double)GRID;
			double y = -10 + j * (H + 20) / (double)GRID;

			if (i && i < GRID)
				x += jx;
			if (j && j < GRID)
				y += jy;
			if (mode == 1) {		/* corners on pixels' corners */
				x = floor(x);
				y = floor(y);
			} else if (mode == 2) {		/* on their centres */
				x = floor(x) + 0.5;
				y = floor(y) + 0.5;
			}
			pos[n][0] = x;
			pos[n][1] = y;
			pos[n][2] = 0.5;
			pos[n][3] = 1;
		}
	counting_state(s, pos, n);
	for (j = 0; j < GRID; j++)
		for (i = 0; i < GRID; i++) {
			uint32_t a = j * (GRID + 1) + i, b = a + 1, c = a + GRID + 1, d = c + 1;

			/* Both diagonals, both windings. */
			if (scene_rnd(seed) & 1) {
				scene_prim(s, PLB_OP_TRIANGLE, a, b, c);
				scene_prim(s, PLB_OP_TRIANGLE, c, b, d);
			} else {
				scene_prim(s, PLB_OP_TRIANGLE, a, d, b);
				scene_prim(s, PLB_OP_TRIANGLE, d, a, c);
			}
		}
}

static void test_fill_rule_mesh(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int i;

	for (i = 0; i < 12; i++) {
		struct scene s;

		scene_init(&s, W, H);
		mesh(&s, &seed, i % 3);
		scene_render(&s);
		expect_counts(&s, 1);
		scene_free(&s);
	}
}

/* A fan around a pixel's centre: all edges meet in a sampling point. */
static void test_fill_rule_fan(void **state)
{
	struct scene s;
	float pos[18][4];
	unsigned int i;

	scene_init(&s, W, H);
	for (i = 0; i < 17; i++) {
		double a = i * 2 * M_PI / 16;

		pos[i][0] = 40.5 + 200 * cos(a);
		pos[i][1] = 32.5 + 200 * sin(a);
		pos[i][2] = 0;
		pos[i][3] = 1;
	}
	memcpy(pos[16], pos[0], sizeof(pos[0]));
	pos[17][0] = 40.5;
	pos[17][1] = 32.5;
	pos[17][2] = 0;
	pos[17][3] = 1;
	counting_state(&s, pos, 18);
	for (i = 0; i < 16; i++)
		scene_prim(&s, PLB_OP_TRIANGLE, 17, i, i + 1);
	scene_render(&s);
	expect_counts(&s, 1);
	scene_free(&s);
}

/*
 * Is the sampling point within the triangle? Exact: coordinates are multiples
 * of 1/256. Points on an edge are decided by moving the point a little to the
 * right and much less down, which makes top and left edges inclusive.
 */
static bool inside(const int64_t x[3], const int64_t y[3], int64_t px, int64_t py)
{
	__int128 scale = (__int128)1 << 30, qx = px * scale + ((__int128)1 << 15), qy = py * scale + 1;
	unsigned int i, positive = 0;

	for (i = 0; i < 3; i++) {
		unsigned int j = (i + 1) % 3;
		__int128 e = (x[j] - x[i]) * (qy - y[i] * scale) - (y[j] - y[i]) * (qx - x[i] * scale);

		positive += e > 0;
	}
	return positive == 3 || positive == 0;
}

static void test_coverage(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int n, k;

	for (n = 0; n < 60; n++) {
		struct scene s;
		int64_t x[3], y[3];
		float pos[3][4];
		uint32_t px, py;

		for (k = 0; k < 3; k++) {
			double spread = n % 3 == 0 ? 6 : n % 3 == 1 ? 60 : 4000;

			x[k] = lrint(256 * scene_rnd_in(&seed, W / 2 - spread, W / 2 + spread));
			y[k] = lrint(256 * scene_rnd_in(&seed, H / 2 - spread, H / 2 + spread));
			if (n % 2) {	/* many exact hits */
				x[k] = x[k] / 128 * 128;
				y[k] = y[k] / 128 * 128;
			}
			pos[k][0] = x[k] / 256.0;
			pos[k][1] = y[k] / 256.0;
			pos[k][2] = 0;
			pos[k][3] = 1;
		}
		if ((x[1] - x[0]) * (y[2] - y[0]) == (x[2] - x[0]) * (y[1] - y[0]))
			continue;
		scene_init(&s, W, H);
		counting_state(&s, pos, 3);
		scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
		scene_render(&s);
		for (py = 0; py < H; py++)
			for (px = 0; px < W; px++)
				if (inside(x, y, px * 256 + 128, py * 256 + 128) !=
				    scene_channel(&s, px, py, 0))
					fail_msg("triangle %u: pixel %u, %u is %u", n, px, py,
						 scene_channel(&s, px, py, 0));
		scene_free(&s);
	}
}

/* --- Interpolation ------------------------------------------------------------ */

/*
 * Colour at a pixel centre by solving for the clip-space point: weights b with
 * sum b_i (X_i, Y_i, W_i) proportional to (x, y, 1). False: outside, or so
 * near to an edge that rounding decides.
 */
static bool reference(const double clip[3][4], const float color[3][4], double x, double y,
		      double out[4], double *depth)
{
	double m[3][3], det, b[3], w = 0, z = 0, sum = 0;
	unsigned int i, c;

	for (i = 0; i < 3; i++) {
		m[0][i] = clip[i][0];
		m[1][i] = clip[i][1];
		m[2][i] = clip[i][3];
	}
	det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
	      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
	for (i = 0; i < 3; i++) {
		unsigned int j = (i + 1) % 3, k = (i + 2) % 3;

		b[i] = x * (m[1][j] * m[2][k] - m[1][k] * m[2][j]) +
		       y * (m[0][k] * m[2][j] - m[0][j] * m[2][k]) +
		       m[0][j] * m[1][k] - m[0][k] * m[1][j];
		b[i] /= det;
		sum += b[i];
	}
	for (i = 0; i < 3; i++) {
		if (b[i] / sum < 3e-3)
			return false;
		w += b[i] / sum * clip[i][3];
		z += b[i] / sum * clip[i][2];
	}
	if (w <= 1e-3)
		return false;
	for (c = 0; c < 4; c++) {
		out[c] = 0;
		for (i = 0; i < 3; i++)
			out[c] += b[i] / sum * color[i][c];
	}
	*depth = z / w;
	return sum > 0;
}

static unsigned int interpolation_case(uint64_t *seed, bool behind, unsigned int type)
{
	struct scene s;
	double clip[3][4], want[4], depth;
	float pos[3][4], color[3][4];
	uint16_t half[3][4];
	uint32_t rsw[RSW_WORDS], x, y, va;
	unsigned int i, c, seen = 0;

	for (i = 0; i < 3; i++) {
		double w = scene_rnd_in(seed, 0.5, 8);

		if (behind && i == 0)
			w = -w / 4;
		clip[i][3] = w;
		clip[i][0] = scene_rnd_in(seed, -100, W + 100) * fabs(w);
		clip[i][1] = scene_rnd_in(seed, -100, H + 100) * fabs(w);
		clip[i][2] = 0.5 * w;
		for (c = 0; c < 4; c++) {
			/* Multiples of 1/256 are exact in 16 bits. */
			color[i][c] = (scene_rnd(seed) & 255) / 256.0f;
			half[i][c] = 0;
			if (color[i][c] > 0) {
				int e;
				float m = frexpf(color[i][c], &e);

				half[i][c] = (e + 14) << 10 | ((int)(m * 2048) & 1023);
			}
		}
		pos[i][0] = clip[i][0] / w;
		pos[i][1] = clip[i][1] / w;
		pos[i][2] = clip[i][2] / w;
		pos[i][3] = 1 / w;
		/* What the PP really gets. */
		clip[i][3] = 1.0 / pos[i][3];
		clip[i][0] = pos[i][0] * clip[i][3];
		clip[i][1] = pos[i][1] * clip[i][3];
	}
	scene_init(&s, W, H);
	va = type ? scene_data(&s, half, sizeof(half)) : scene_data(&s, color, sizeof(color));
	scene_rsw(&s, rsw, va);
	if (type) {
		rsw[RSW_VARYING_TYPES] = RSW_VARYING_F16X4;
		rsw[RSW_AUX0] = 0x300 | 1;
	}
	scene_state(&s, rsw, scene_data(&s, pos, sizeof(pos)));
	scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
	scene_render(&s);
	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++) {
			if (!reference(clip, color, x + 0.5, y + 0.5, want, &depth))
				continue;
			seen++;
			for (c = 0; c < 4; c++)
				if (fabs(scene_channel(&s, x, y, c) - want[c] * 255) > 1)
					fail_msg("pixel %u, %u channel %u is %u, not %.3f", x, y, c,
						 scene_channel(&s, x, y, c), want[c] * 255);
		}
	scene_free(&s);
	return seen;
}

static void test_perspective(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int i, seen = 0;

	for (i = 0; i < 40; i++)
		seen += interpolation_case(&seed, false, i & 1);
	assert_true(seen > 10000);
}

static void test_behind_the_eye(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int i, seen = 0;

	for (i = 0; i < 60; i++)
		seen += interpolation_case(&seed, true, 0);
	assert_true(seen > 5000);
}

/* Depth in memory against the plane through the corners: 24 bits, one step off at most. */
static void test_depth_plane(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int n, i;

	for (n = 0; n < 10; n++) {
		struct scene s;
		float pos[3][4] = { { -100, -90, 0, 1 }, { 300, -50, 0, 1 }, { 20, 250, 0, 1 } };
		uint32_t rsw[RSW_WORDS], x, y, v;

		for (i = 0; i < 3; i++)
			pos[i][2] = scene_rnd_in(&seed, 0, 1);
		scene_init(&s, W, H);
		s.job.wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_DEPTH_STENCIL;
		s.job.wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_Z24S8;
		s.job.frame[PP_CLEAR_STENCIL / 4] = 0xa5;
		scene_rsw(&s, rsw, scene_alloc(&s, 48, NULL));
		rsw[RSW_DEPTH_TEST] |= 1;
		scene_state(&s, rsw, scene_data(&s, pos, sizeof(pos)));
		scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
		scene_render(&s);
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				double px = x + 0.5, py = y + 0.5, a, b, c, area, z;

				area = (400.0) * (340) - (120.0) * (40);
				b = ((px + 100) * 340 - (py + 90) * 120) / area;
				c = ((py + 90) * 400 - (px + 100) * 40) / area;
				a = 1 - b - c;
				z = (a * pos[0][2] + b * pos[1][2] + c * pos[2][2]) * 0xffffff;
				v = scene_pixel(&s, x, y);
				assert_int_equal(v >> 24, 0xa5);
				if (fabs((v & 0xffffff) - z) > 1)
					fail_msg("pixel %u, %u: depth %u, not %.2f", x, y,
						 v & 0xffffff, z);
			}
		scene_free(&s);
	}
}

/*
 * Fragments in front of 0 or behind 1 are gone; the range in the RSW cuts, too, if told to. A
 * polygon offset, here of 0.8 either way, comes after that.
 */
static void test_depth_clip(void **state)
{
	static const uint32_t scale[3] = { 0, 0x7f, 0x80 };
	unsigned int mode, bits;

	for (mode = 0; mode < 12; mode++) {
		/* z = x / 40 - 0.5: in [0, 1] from pixel 20 to 59 */
		float pos[3][4] = { { 0, -100, -0.5, 1 }, { 160, -100, 3.5, 1 }, { 0, 300, -0.5, 1 } };
		float color[3][4] = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } };
		uint32_t rsw[RSW_WORDS], x;
		struct scene s;

		scene_init(&s, W, H);
		bits = (mode & 1 ? 0 : 0x10) | (mode & 2 ? 0 : 0x20);
		scene_rsw(&s, rsw, scene_data(&s, color, sizeof(color)));
		rsw[RSW_DEPTH_TEST] = 0xe | bits | scale[mode / 4] << 16;
		/* 0.25 .. 0.75: pixels 30 .. 49 */
		rsw[RSW_DEPTH_RANGE] = 0x4000 | 0xc000u << 16;
		scene_state(&s, rsw, scene_data(&s, pos, sizeof(pos)));
		scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
		scene_render(&s);
		for (x = 0; x < W; x++) {
			bool want = x >= (mode & 1 ? 30 : 20) && x < (mode & 2 ? 50 : 60);

			if ((scene_channel(&s, x, 10, 0) == 255) != want)
				fail_msg("mode %u pixel %u: %u", mode, x, scene_channel(&s, x, 10, 0));
		}
		scene_free(&s);
	}
}

/* --- Bounds, points, lines, rectangles ------------------------------------------- */

static const float whole[3][4] = { { -10, -10, 0, 1 }, { 400, -10, 0, 1 }, { -10, 400, 0, 1 } };

static void test_scissor(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int n;

	for (n = 0; n < 20; n++) {
		uint32_t x0 = scene_rnd(&seed) % W, y0 = scene_rnd(&seed) % H, x, y;
		uint32_t x1 = x0 + scene_rnd(&seed) % (W - x0), y1 = y0 + scene_rnd(&seed) % (H - y0);
		struct scene s;

		scene_init(&s, W, H);
		counting_state(&s, whole, 3);
		scene_cmd(&s, PLB_SCISSOR_LO(x0, y0, y1), PLB_SCISSOR_HI(x0, x1));
		scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
		scene_render(&s);
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++)
				assert_int_equal(scene_channel(&s, x, y, 0),
						 x >= x0 && x <= x1 && y >= y0 && y <= y1);
		scene_free(&s);
	}
}

/* A frame that is no multiple of 16: nothing beyond it is drawn or written. */
static void test_bounding_box(void **state)
{
	struct scene s;
	uint32_t x, y;

	scene_init(&s, 37, 21);
	memset(s.mem + SCENE_TARGET, 0xcc, 48 * 48 * 4);
	counting_state(&s, whole, 3);
	scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
	scene_render(&s);
	for (y = 0; y < 48; y++)
		for (x = 0; x < 48; x++)
			assert_int_equal(scene_pixel(&s, x, y),
					 x < 37 && y < 21 ? 0x01010101 : 0xcccccccc);
	scene_free(&s);
}

static void test_points(void **state)
{
	static const struct {
		float x, y, size;
		unsigned int x0, y0, x1, y1;
	} points[] = {
		{ 10.5, 10.5, 1, 10, 10, 10, 10 },
		{ 10.0, 10.0, 1, 9, 9, 9, 9 },		/* ties go to the upper left's square */
		{ 10.3, 20.7, 1, 10, 20, 10, 20 },
		{ 40, 30, 8, 36, 26, 43, 33 },
		{ 40.5, 30.5, 5, 38, 28, 42, 32 },
		{ 70, 60, 40, 50, 40, 79, 63 },
	};
	unsigned int i;
	uint32_t x, y;

	for (i = 0; i < sizeof(points) / sizeof(*points); i++) {
		float pos[1][4] = { { points[i].x, points[i].y, 0, 1 } }, size = points[i].size;
		struct scene s;
		uint32_t v;

		scene_init(&s, W, H);
		counting_state(&s, pos, 1);
		memcpy(&v, &size, 4);
		scene_cmd(&s, v, PLB_SIZE_HI);
		scene_prim(&s, PLB_OP_POINT, 0, 0, 0);
		scene_render(&s);
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				bool want = x >= points[i].x0 && x <= points[i].x1 &&
					    y >= points[i].y0 && y <= points[i].y1;

				if (scene_channel(&s, x, y, 0) != want)
					fail_msg("point %u pixel %u, %u: %u", i, x, y,
						 scene_channel(&s, x, y, 0));
			}
		scene_free(&s);
	}
}

/* A line covers one pixel (its width) per step of its longer axis, from start to before its end. */
static void test_lines(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int n;

	for (n = 0; n < 40; n++) {
		unsigned int width = n % 4 ? 1 : 3, count[W > H ? W : H] = { 0 }, i;
		float pos[2][4] = { { 0, 0, 0, 1 }, { 0, 0, 0, 1 } }, size = width;
		double dx, dy, lo, hi;
		struct scene s;
		uint32_t v, x, y;
		bool steep;

		for (i = 0; i < 2; i++) {
			pos[i][0] = scene_rnd_in(&seed, 5, W - 5);
			pos[i][1] = scene_rnd_in(&seed, 5, H - 5);
		}
		dx = pos[1][0] - pos[0][0];
		dy = pos[1][1] - pos[0][1];
		steep = fabs(dy) > fabs(dx);
		scene_init(&s, W, H);
		counting_state(&s, pos, 2);
		memcpy(&v, &size, 4);
		scene_cmd(&s, v, PLB_SIZE_HI);
		scene_prim(&s, PLB_OP_LINE, 0, 1, 0);
		scene_render(&s);
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				double t, off;

				if (!scene_channel(&s, x, y, 0))
					continue;
				assert_int_equal(scene_channel(&s, x, y, 0), 1);
				count[steep ? y : x]++;
				/* Near the line, measured along the minor axis. */
				t = steep ? (y + 0.5 - pos[0][1]) / dy : (x + 0.5 - pos[0][0]) / dx;
				off = steep ? x + 0.5 - (pos[0][0] + t * dx) :
					      y + 0.5 - (pos[0][1] + t * dy);
				assert_true(fabs(off) <= width / 2.0 + 0.01);
			}
		lo = steep ? fmin(pos[0][1], pos[1][1]) : fmin(pos[0][0], pos[1][0]);
		hi = steep ? fmax(pos[0][1], pos[1][1]) : fmax(pos[0][0], pos[1][0]);
		for (i = 0; i < (steep ? H : W); i++) {
			if (fabs(i + 0.5 - lo) < 0.01 || fabs(i + 0.5 - hi) < 0.01)
				continue;
			assert_int_equal(count[i], i + 0.5 > lo && i + 0.5 < hi ? width : 0);
		}
		scene_free(&s);
	}
}

/* The rectangle of three corners, with its varyings linear over all of it. */
static void test_rect(void **state)
{
	float pos[3][4] = { { 70, 8, 0, 1 }, { 6, 8, 0, 1 }, { 6, 40, 0, 1 } };
	float color[3][4] = { { 1, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 1, 0, 1 } };
	uint32_t rsw[RSW_WORDS], x, y;
	struct scene s;

	scene_init(&s, W, H);
	scene_rsw(&s, rsw, scene_data(&s, color, sizeof(color)));
	scene_state(&s, rsw, scene_data(&s, pos, sizeof(pos)));
	scene_prim(&s, PLB_OP_RECT, 0, 1, 2);
	scene_render(&s);
	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++) {
			bool in = x >= 6 && x < 70 && y >= 8 && y < 40;

			assert_int_equal(scene_channel(&s, x, y, 3), in ? 255 : 0);
			if (!in)
				continue;
			assert_true(fabs(scene_channel(&s, x, y, 0) - (x - 5.5) / 64 * 255) <= 0.51);
			assert_true(fabs(scene_channel(&s, x, y, 1) - (y - 7.5) / 32 * 255) <= 0.51);
		}
	scene_free(&s);
}

/* --- Samples ----------------------------------------------------------------------- */

/* GUESS of the model: where the samples are, in 1/16 pixel. */
static const int sample_pos[4][2] = { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } };

static void test_msaa(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int n, k, i;

	for (n = 0; n < 24; n++) {
		unsigned int sample_mask = n % 4 == 3 ? scene_rnd(&seed) & 15 : 15;
		bool planes = n & 1;
		int64_t vx[3], vy[3];
		float pos[3][4], color[3][4];
		uint32_t rsw[RSW_WORDS], x, y;
		struct scene s;

		for (k = 0; k < 3; k++) {
			vx[k] = lrint(256 * scene_rnd_in(&seed, -20, W + 20));
			vy[k] = lrint(256 * scene_rnd_in(&seed, -20, H + 20));
			pos[k][0] = vx[k] / 256.0;
			pos[k][1] = vy[k] / 256.0;
			pos[k][2] = 0;
			pos[k][3] = 1;
			for (i = 0; i < 4; i++)
				color[k][i] = 1;
		}
		scene_init(&s, W, H);
		if (planes) {
			s.job.wb[PP_WB_MRT_BITS / 4] = 15;
			s.job.wb[PP_WB_MRT_PITCH / 4] = W * H * 4;
		}
		scene_rsw(&s, rsw, scene_data(&s, color, sizeof(color)));
		rsw[RSW_MULTI_SAMPLE] = 0x0807 | RSW_MSAA_ON << 3 | sample_mask << 12;
		scene_state(&s, rsw, scene_data(&s, pos, sizeof(pos)));
		scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
		scene_render(&s);
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				unsigned int hits = 0;

				for (k = 0; k < 4; k++) {
					bool in = (sample_mask >> k & 1) &&
						inside(vx, vy, x * 256 + sample_pos[k][0] * 16,
						       y * 256 + sample_pos[k][1] * 16);
					uint32_t v;

					hits += in;
					memcpy(&v, s.mem + SCENE_TARGET + W * H * 4 * k +
					       (y * W + x) * 4, 4);
					if (planes)
						assert_int_equal(v, in ? 0xffffffff : 0);
				}
				if (!planes)
					assert_int_equal(scene_channel(&s, x, y, 0),
							 (hits * 255 + 2) / 4);
			}
		scene_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill_rule_mesh),
		cmocka_unit_test(test_fill_rule_fan),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_perspective),
		cmocka_unit_test(test_behind_the_eye),
		cmocka_unit_test(test_depth_plane),
		cmocka_unit_test(test_depth_clip),
		cmocka_unit_test(test_scissor),
		cmocka_unit_test(test_bounding_box),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_rect),
		cmocka_unit_test(test_msaa),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
