// SPDX-License-Identifier: MIT
/*
 * The examples, drawn by the in-process model in strict mode, against pictures
 * computed here from first principles. LIMN_PICTURES=DIR leaves both as PNGs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/model.h"
#include "tool/png.h"
#include "lib/utgard/utgard.h"
#include "tests/tool/jobs.h"
#include "tests/tool/reference.h"

struct picture {
	uint32_t w, h;
	uint8_t *rgba;
};

/* An example on a model, with another target line if given. */
static struct picture draw_on(const char *name, const char *model, const char *target)
{
	struct picture p;
	struct job *job;
	char path[256], text[16384];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "userspace/tool/examples/%s.limn", name);
	job = job_of_file(path);
	if (target) {
		char *line;

		job_free(job);
		n = snprintf(text, sizeof(text), "%s\n", target);
		f = fopen(path, "r");
		n += fread(text + n, 1, sizeof(text) - n - 1, f);
		fclose(f);
		text[n] = 0;
		line = strstr(text + 1, "\ntarget");
		line[1] = '#';
		job = job_of(text);
	}
	p.w = job->scenes[0]->target.width;
	p.h = job->scenes[0]->target.height;
	p.rgba = job_draw(job, model, 1);
	return p;
}

static struct picture draw(const char *name, const char *model)
{
	return draw_on(name, model, NULL);
}

static void leave(const char *name, const char *what, const struct picture *p)
{
	const char *dir = getenv("LIMN_PICTURES");
	struct limn_error err;
	char path[256];

	if (!dir)
		return;
	snprintf(path, sizeof(path), "%s/%s-%s.png", dir, name, what);
	if (png_save(path, p->w, p->h, p->rgba, &err))
		print_message("%s\n", err.text);
}

/*
 * Every channel within tolerance/255, but for pixels whose centre is closer
 * than near pixels to an edge. Of those there may be at most allowed.
 */
static void compare(const char *name, const struct picture *p, const struct ref_image *r,
		    double tolerance, double near, unsigned int allowed)
{
	struct picture ref = { r->w, r->h, malloc(r->w * r->h * 4) };
	unsigned int skipped = 0, wrong = 0, first = 0;
	double worst = 0;

	assert_int_equal(p->w, r->w);
	assert_int_equal(p->h, r->h);
	for (uint32_t i = 0; i < p->w * p->h; i++) {
		double off = 0;

		for (int c = 0; c < 4; c++) {
			double v = r->rgba[4 * i + c];

			v = v < 0 ? 0 : v > 1 ? 1 : v;
			ref.rgba[4 * i + c] = lrint(v * 255);
			off = fmax(off, fabs(p->rgba[4 * i + c] - v * 255));
		}
		/* A reference is not rounded to 8 bits: half a step more is still within. */
		if (off <= tolerance + 0.5) {
			worst = fmax(worst, off);
		} else if (r->edge[i] < near) {
			skipped++;
		} else {
			first = wrong++ ? first : i;
			worst = fmax(worst, off);
		}
	}
	leave(name, "model", p);
	leave(name, "reference", &ref);
	free(ref.rgba);
	print_message("%s: worst %.2f/255, %u edge pixels differ\n", name, worst, skipped);
	if (wrong)
		fail_msg("%s: %u pixels are wrong, the first at %u, %u; the worst by %.1f/255",
			 name, wrong, first % p->w, first / p->w, worst);
	if (skipped > allowed)
		fail_msg("%s: %u pixels at edges differ, %u may", name, skipped, allowed);
}

static void triangle(void **state)
{
	static const double clear[] = { 26 / 255.0, 26 / 255.0, 26 / 255.0, 1 };
	static const struct ref_vertex v[] = {
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.8f, -0.8f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { 0, 0.8f, 0, 1 }, { 0, 0, 1, 1 } },
	};
	struct ref_image *r = ref_create(256, 256, clear);

	ref_triangle(r, &v[0], &v[1], &v[2], false, false, ref_shade_attr, NULL);
	for (int i = 0; model_gpu_at(i); i++) {
		struct picture p;

		if (strncmp(model_gpu_at(i)->name, "mali-", 5))
			continue;
		p = draw("triangle", model_gpu_at(i)->name);

		compare("triangle", &p, r, 0.5, 0, 0);
		free(p.rgba);
	}
	ref_free(r);
}

/* The triangle on targets of every format and of awkward sizes; tolerance: half a step of the format. */
static void triangle_on_targets(void **state)
{
	static const double clear[] = { 26 / 255.0, 26 / 255.0, 26 / 255.0, 1 };
	static const struct ref_vertex v[] = {
		{ { -0.8f, -0.8f, 0, 1 }, { 1, 0, 0, 1 } },
		{ { 0.8f, -0.8f, 0, 1 }, { 0, 1, 0, 1 } },
		{ { 0, 0.8f, 0, 1 }, { 0, 0, 1, 1 } },
	};
	static const struct {
		uint32_t w, h, samples;
		const char *format;
		double tolerance, near;
	} rows[] = {
		{ 1, 1, 1, "rgba8888", 0.5, 0.02 },
		{ 17, 33, 1, "rgba8888", 0.5, 0.02 },
		{ 250, 130, 1, "rgba8888", 0.5, 0.02 },
		{ 1030, 40, 1, "bgra8888", 0.5, 0.02 },
		{ 16, 2000, 1, "rgba8888", 0.5, 0.02 },
		{ 256, 256, 1, "rgb565", 4.2, 0.02 },
		{ 256, 256, 1, "rgba5551", 4.2, 0.02 },
		{ 256, 256, 1, "rgba4444", 8.6, 0.02 },
		{ 256, 256, 4, "rgba8888", 1, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t w = rows[i].w, h = rows[i].h, samples = rows[i].samples;
		struct ref_image *r = ref_create(w, h, clear);
		char target[80];
		struct picture p;
		char name[64];

		snprintf(target, sizeof(target), "target %u %u %s\nsamples %u", w, h, rows[i].format, samples);
		snprintf(name, sizeof(name), "triangle-%ux%u-%s-%u", w, h, rows[i].format, samples);
		p = draw_on("triangle", "mali-400-mp3", target);
		ref_triangle(r, &v[0], &v[1], &v[2], false, false, ref_shade_attr, NULL);
		compare(name, &p, r, rows[i].tolerance, rows[i].near,
			samples > 1 ? 800 : (w + h) / 8);
		ref_free(r);
		free(p.rgba);
	}
}

static void cube(void **state)
{
	static const double clear[] = { 51 / 255.0, 51 / 255.0, 64 / 255.0, 1 };
	static const uint8_t indices[] = {
		7, 5, 3, 3, 5, 1, 6, 7, 2, 2, 7, 3, 4, 5, 6, 6, 5, 7,
		0, 2, 1, 1, 2, 3, 0, 1, 4, 4, 1, 5, 0, 4, 2, 2, 4, 6,
	};
	double angle = M_PI / 180, f = 1 / tan(22.5 * angle);
	double cx = cos(30 * angle), sx = sin(30 * angle), cy = cos(40 * angle), sy = sin(40 * angle);
	struct ref_image *r = ref_create(256, 256, clear);
	struct picture p = draw("cube", "mali-400-mp2");
	struct ref_vertex v[8];

	for (int i = 0; i < 8; i++) {
		double x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
		double x1 = cy * x + sy * z, z1 = -sy * x + cy * z;
		double y2 = cx * y - sx * z1, z2 = sx * y + cx * z1 - 4.8;

		v[i] = (struct ref_vertex) {
			{ f * x1, f * y2, -11.0 / 9 * z2 - 20.0 / 9, -z2 },
			{ i & 1, i >> 1 & 1, i >> 2 & 1, 1 },
		};
	}
	for (int i = 0; i < 36; i += 3)
		ref_triangle(r, &v[indices[i]], &v[indices[i + 1]], &v[indices[i + 2]], true, false,
			     ref_shade_attr, NULL);
	compare("cube", &p, r, 1, 0.1, 60);
	ref_free(r);
	free(p.rgba);
}

static void quad(struct ref_image *r, double x0, double y0, double x1, double y1, double u1,
		 double v1, bool blend, ref_shade shade, const void *ctx)
{
	struct ref_vertex v[] = {
		{ { x0, y0, 0, 1 }, { 0, v1 } }, { { x1, y0, 0, 1 }, { u1, v1 } },
		{ { x0, y1, 0, 1 }, { 0, 0 } }, { { x1, y1, 0, 1 }, { u1, 0 } },
	};

	ref_triangle(r, &v[0], &v[1], &v[2], false, blend, shade, ctx);
	ref_triangle(r, &v[2], &v[1], &v[3], false, blend, shade, ctx);
}

/* Bilinear lookup, repeated, in a 16x16 checker of 4 texels. */
static void shade_checker(const void *ctx, int x, int y, const double attr[4], double rgba[4])
{
	static const double colors[2][4] = {
		{ 1, 204 / 255.0, 51 / 255.0, 1 }, { 26 / 255.0, 77 / 255.0, 153 / 255.0, 1 },
	};
	double u = attr[0] * 16 - 0.5, v = attr[1] * 16 - 0.5;
	int i = floor(u), j = floor(v);
	double a = u - i, b = v - j;

	for (int c = 0; c < 4; c++) {
		double t[2][2];

		for (int k = 0; k < 4; k++)
			t[k / 2][k % 2] = colors[(((i + k % 2) & 15) / 4 + ((j + k / 2) & 15) / 4) & 1][c];
		rgba[c] = (t[0][0] * (1 - a) + t[0][1] * a) * (1 - b) +
			  (t[1][0] * (1 - a) + t[1][1] * a) * b;
	}
}

/* Nearest texel of a 4x4 gradient in rgb565. */
static void shade_gradient(const void *ctx, int x, int y, const double attr[4], double rgba[4])
{
	int i = fmin(floor(attr[0] * 4), 3), j = fmin(floor(attr[1] * 4), 3);

	rgba[0] = rint((i + 0.5) / 4 * 31) / 31;
	rgba[1] = rint((j + 0.5) / 4 * 63) / 63;
	rgba[2] = 0;
	rgba[3] = 1;
}

static void textured(void **state)
{
	static const double clear[] = { 26 / 255.0, 26 / 255.0, 77 / 255.0, 1 };
	struct ref_image *r = ref_create(256, 256, clear);
	struct picture p = draw("textured", "mali-400-mp2");

	quad(r, -0.9, -0.9, 0.9, 0.9, 1.5, 1.5, false, shade_checker, NULL);
	quad(r, -0.3, -0.3, 0.3, 0.3, 1, 1, false, shade_gradient, NULL);
	compare("textured", &p, r, 2, 0.05, 0);
	ref_free(r);
	free(p.rgba);
}

static void blended(void **state)
{
	static const double clear[] = { 51 / 255.0, 51 / 255.0, 51 / 255.0, 1 };
	static const double white[] = { 0.9, 0.9, 0.5, 1 }, red[] = { 1, 0.2, 0.1, 0.6 };
	static const double blue[] = { 0.1, 0.3, 1, 0.5 };
	struct ref_image *r = ref_create(256, 256, clear);
	struct picture p = draw("blended", "mali-400-mp2");

	quad(r, -0.4, -0.9, 0.4, 0.9, 0, 0, false, ref_shade_constant, white);
	quad(r, -0.8, -0.8, 0.3, 0.3, 0, 0, true, ref_shade_constant, red);
	quad(r, -0.3, -0.3, 0.8, 0.8, 0, 0, true, ref_shade_constant, blue);
	/* The tile buffer rounds to 8 bits after each of three layers. */
	compare("blended", &p, r, 1.5, 0.05, 0);
	ref_free(r);
	free(p.rgba);
}

static const uint8_t *pixel(const struct picture *p, int x, int y)
{
	return p->rgba + 4 * (y * p->w + x);
}

/* A list that lost or swapped commands when the heap grew differs from the drawing order. */
static void heap(void **state)
{
	static const double clear[] = { 13 / 255.0, 13 / 255.0, 20 / 255.0, 1 };
	static const double bright[] = { 0.5, 0.35, 0.2 };
	struct ref_image *r = ref_create(256, 256, clear);
	struct picture p = draw("heap", "mali-400-mp2");

	for (int i = 0; i < 12000; i++) {
		double d = 0.96 * sqrt(i / 12000.0), a = i * 2.39996323;
		struct ref_vertex v[3];

		for (int k = 0; k < 3; k++) {
			v[k].clip[0] = (float)(d * cos(a) + 0.045 * cos(a + k * 2 * M_PI / 3));
			v[k].clip[1] = (float)(d * sin(a) + 0.045 * sin(a + k * 2 * M_PI / 3));
			v[k].clip[2] = 0;
			v[k].clip[3] = 1;
			for (int c = 0; c < 3; c++)
				v[k].attr[c] = rint((bright[k] + bright[k] * cos(a - 2.1 * c)) *
						    255) / 255;
			v[k].attr[3] = 1;
		}
		ref_triangle(r, &v[0], &v[1], &v[2], false, false, ref_shade_attr, NULL);
	}
	compare("heap", &p, r, 1, 0.02, 200);
	ref_free(r);
	free(p.rgba);
}

/* The same scene with a heap that cannot grow to what it needs is refused, not drawn half. */
static void heap_too_small(void **state)
{
	static const char *const statements[] = { "heap 32768\n", "heap 32768 fixed\n" };
	struct target target = { .model = "mali-400-mp2", .strict = true, .seed = 1 };

	for (int i = 0; i < 2; i++) {
		struct job_frame *frame;
		struct limn_device *dev;
		struct limn_error err;
		struct job *job;

		job = job_of_file("userspace/tool/examples/heap.limn");
		job->scenes[0]->target.heap = 32768;
		job->scenes[0]->target.fixed_heap = i;
		assert_int_equal(target_open(&target, &dev, &err), 0);
		assert_int_equal(job_frame_create(job, job->scenes[0], dev, &frame, &err), 0);
		err.text[0] = 0;
		assert_true(job_frame_submit(frame, &err) < 0);
		print_message("%s%s\n", statements[i], err.text);
		assert_non_null(strstr(err.text, "heap"));
		job_frame_free(frame);
		limn_close(dev);
		job_free(job);
	}
}

static void stencil(void **state)
{
	struct picture p = draw("stencil", "mali-400-mp2");

	leave("stencil", "model", &p);
	for (uint32_t y = 0; y < p.h; y++) {
		for (uint32_t x = 0; x < p.w; x++) {
			double nx = (x + 0.5) / 128 - 1, ny = 1 - (y + 0.5) / 128;
			double in = 0.8 - fabs(nx) - fabs(ny);	/* > 0: in the diamond */
			bool wide = fabs(nx) < 0.9 && fabs(ny) < 0.5;
			bool tall = fabs(nx) < 0.5 && fabs(ny) < 0.9;
			uint8_t want[3] = { 26, 26, 26 };

			if (fabs(in) < 0.01)
				continue;
			if (in > 0 && wide)
				memcpy(want, (uint8_t [3]) { 229, 153, 26 }, 3);
			else if (in < 0 && tall)
				memcpy(want, (uint8_t [3]) { 26, 102, 204 }, 3);
			for (int c = 0; c < 3; c++)
				if (abs(pixel(&p, x, y)[c] - want[c]) > 1)
					fail_msg("%u, %u is %u %u %u, not %u %u %u", x, y,
						 pixel(&p, x, y)[0], pixel(&p, x, y)[1],
						 pixel(&p, x, y)[2], want[0], want[1], want[2]);
		}
	}
	free(p.rgba);
}

/* Share of a pixel that a triangle covers, from 32x32 points. */
static double coverage(const double p[3][2], int x, int y)
{
	int in = 0;

	for (int i = 0; i < 1024; i++) {
		double px = x + (i % 32 + 0.5) / 32, py = y + (i / 32 + 0.5) / 32;
		double a = ref_area(p[0], p[1], px, py), b = ref_area(p[1], p[2], px, py);
		double c = ref_area(p[2], p[0], px, py);

		in += (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
	}
	return in / 1024.0;
}

/* With four samples, a white edge pixel holds 0 to 4 quarters of the light: near its share. */
static void msaa(void **state)
{
	static const double clip[3][2] = { { -0.9, -0.85 }, { 0.9, -0.8 }, { 0.85, 0.9 } };
	struct picture p = draw("msaa", "mali-400-mp2");
	unsigned int partial = 0;
	double t[3][2], sum = 0;

	leave("msaa", "model", &p);
	for (int i = 0; i < 3; i++) {
		t[i][0] = (clip[i][0] + 1) * 64;
		t[i][1] = (1 - clip[i][1]) * 64;
	}
	/* Below the diagonal there is the white triangle alone. */
	for (int y = 64; y < 128; y++) {
		for (int x = 64; x < 128; x++) {
			double share = coverage(t, x, y), is = pixel(&p, x, y)[2] / 255.0;
			double quarters = is * 4;

			assert_true(fabs(quarters - rint(quarters)) < 0.02);
			assert_true(fabs(share - is) <= 0.5);
			sum += is - share;
			partial += is > 0.1 && is < 0.9;
		}
	}
	print_message("msaa: %u partly covered pixels, mean error %.4f\n", partial, sum / 4096);
	assert_true(partial > 40);
	assert_true(fabs(sum / 4096) < 0.003);
	free(p.rgba);
}

/* Points are squares of their size around their place. */
static void check_point(const struct picture *p, double cx, double cy, double size,
			const uint8_t rgb[3])
{
	for (int y = cy - 20; y < cy + 20; y++) {
		for (int x = cx - 20; x < cx + 20; x++) {
			double dx = fabs(x + 0.5 - cx), dy = fabs(y + 0.5 - cy);
			const uint8_t *c = pixel(p, x, y);
			bool in = dx < size / 2 && dy < size / 2;

			if (fabs(dx - size / 2) < 0.01 || fabs(dy - size / 2) < 0.01)
				continue;
			if (memcmp(c, in ? rgb : (const uint8_t [3]) { 0, 0, 0 }, 3))
				fail_msg("point of %g at %g, %g: %d, %d is %u %u %u", size, cx, cy, x,
					 y, c[0], c[1], c[2]);
		}
	}
}

/* A line of a width covers what is well within half of it, and nothing well beyond. */
static void check_line(const struct picture *p, const double a[2], const double b[2], double width)
{
	double len = hypot(b[0] - a[0], b[1] - a[1]);

	for (int y = 0; y < (int)p->h; y++) {
		for (int x = 0; x < (int)p->w; x++) {
			double px = x + 0.5, py = y + 0.5;
			double along = ((px - a[0]) * (b[0] - a[0]) + (py - a[1]) * (b[1] - a[1])) / len;
			double off = fabs(ref_area(a, b, px, py)) / len;
			const uint8_t *c = pixel(p, x, y);

			if (along > 1 && along < len - 1 && off < width / 2 - 0.75)
				if (!(c[0] | c[1] | c[2]))
					fail_msg("line of width %g: %d, %d is empty", width, x, y);
		}
	}
}

static void points_and_lines(void **state)
{
	static const uint8_t colors[4][3] = {
		{ 255, 255, 255 }, { 255, 0, 0 }, { 0, 255, 0 }, { 0, 0, 255 },
	};
	static const double sizes[] = { 1, 4, 9, 24 };
	static const double diamond[4][2] = {
		{ 128, 76.8 }, { 179.2, 128 }, { 128, 179.2 }, { 76.8, 128 },
	};
	struct picture p = draw("points-lines", "mali-400-mp2");
	unsigned int lit = 0;

	leave("points-lines", "model", &p);
	for (int i = 0; i < 4; i++)
		check_point(&p, 32 + 64 * i, 32, sizes[i], colors[i]);
	check_line(&p, (double [2]) { 12.8, 204.8 }, (double [2]) { 243.2, 204.8 }, 3);
	check_line(&p, (double [2]) { 12.8, 230.4 }, (double [2]) { 243.2, 217.6 }, 8);
	/* The diamond: a pixel wide, closed, and nothing inside or around it. */
	for (int y = 60; y < 196; y++) {
		for (int x = 60; x < 196; x++) {
			const uint8_t *c = pixel(&p, x, y);
			double d = 1e9;

			for (int i = 0; i < 4; i++)
				d = fmin(d, ref_distance(diamond[i], diamond[(i + 1) % 4], x + 0.5,
							 y + 0.5));
			if (d > 1.5 && y < 190 && (c[0] | c[1] | c[2]))
				fail_msg("diamond: %d, %d is lit, %.2f away", x, y, d);
			lit += (c[0] | c[1] | c[2]) != 0 && y < 190;
		}
	}
	print_message("diamond: %u pixels\n", lit);
	assert_in_range(lit, 190, 420);
	free(p.rgba);
}

/*
 * The floor at row y is 2 / (f * ny) away; a pixel spans 6 * 64 texels over 24
 * units across and grows with the square of the distance along. On rows where
 * that makes the level of detail whole, the level's colour must be seen.
 */
static void mipmap(void **state)
{
	static const uint8_t hue[7][3] = {
		{ 1, 1, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 0, 1, 1 }, { 1, 0, 1 },
	};
	double f = 1 / tan(M_PI / 8);
	struct picture p = draw("mipmap", "mali-400-mp2");
	unsigned int rows = 0;

	leave("mipmap", "model", &p);
	for (int y = 132; y < 256; y++) {
		double ny = (y + 0.5) / 128 - 1, z = 2 * f / ny;
		double along = z * z / (2 * f) / 128 * 14 / 56 * 64;	/* texels a row */
		double across = z / f / 128 * 6 / 24 * 64;
		double lod = log2(fmax(along, across));
		int level = rint(lod);
		double sum[3] = { 0 };

		if (z < 4.2 || z > 58 || fabs(lod - level) > 0.03 || level < 1 || level > 6)
			continue;
		for (int x = 64; x < 192; x++)
			for (int c = 0; c < 3; c++)
				sum[c] += pixel(&p, x, y)[c] / (128 * 255.0);
		for (int c = 0; c < 3; c++)
			if ((hue[level][c] && sum[c] < 0.5) || (!hue[level][c] && sum[c] > 0.2))
				fail_msg("row %d, level %d: %.2f %.2f %.2f", y, level, sum[0], sum[1],
					 sum[2]);
		rows++;
	}
	print_message("mipmap: %u rows with a whole level\n", rows);
	assert_true(rows >= 3);
	free(p.rgba);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(triangle),
		cmocka_unit_test(triangle_on_targets),
		cmocka_unit_test(cube),
		cmocka_unit_test(textured),
		cmocka_unit_test(blended),
		cmocka_unit_test(points_and_lines),
		cmocka_unit_test(heap),
		cmocka_unit_test(heap_too_small),
		cmocka_unit_test(stencil),
		cmocka_unit_test(msaa),
		cmocka_unit_test(mipmap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
