// SPDX-License-Identifier: MIT
/*
 * Compares the pictures of two renderers.
 *
 *	mesa-compare [--tolerance N] [--diff DIR] GOT_DIR WANT_DIR SCENE...
 *
 * Two correct rasterisers may give a pixel on a primitive's edge to different primitives, and
 * nothing else. So a pixel of the reference (WANT) counts as an edge pixel when some channel varies
 * by more than EDGE_CONTRAST within its 3 x 3 neighbourhood, and then:
 *
 *  - a pixel that is no edge pixel must match within the tolerance (3/255) in all four channels;
 *  - an edge pixel may be further off only if each channel lies within the range (plus tolerance)
 *    of the reference's 3 x 3 neighbourhood: an edge may move by a pixel, not invent a colour;
 *  - at most EDGE_SHARE of the edge pixels, and at least EDGE_FEW, may be off like that.
 *
 * The scenes of the table "rules" are judged differently, for the reason given there.
 * Every count is printed. A reference with only one colour proves little and is called flat. Exit
 * status: 0 when all pictures match, 1 when not.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "png_io.h"

enum { EDGE_CONTRAST = 8, EDGE_FEW = 8 };

static const double EDGE_SHARE = 0.10;
static int tolerance = 3;

struct rule {
	const char *scene;
	int tolerance;		/* 0: the usual */
	double most, least;	/* shares of the edge pixels that may, and must, be off; 0: the usual */
};

static const struct rule rules[] = {
	/* All of it is edge, and each fragment may be off by one pixel (OpenGL ES 2.0, 3.4.1). */
	{ "lines", 0, 0.30, 0 }, { "line_strip", 0, 0.30, 0 }, { "line_loop", 0, 0.30, 0 },
	/* Rounding to 5 bits may go either way: one step is 255 / 31. */
	{ "r_fbo_565", 9, 0, 0 },
	/* Only GOT has four samples: its edges must be smooth. */
	{ "r_msaa", 0, 1.0, 0.25 },
	{ }
};

struct result {
	int pixels, edges;
	int off;		/* not at an edge, beyond the tolerance */
	int edge_off;		/* at an edge, beyond the tolerance, colour from the neighbourhood */
	int edge_wrong;		/* at an edge, a colour that the neighbourhood does not have */
	int worst, worst_x, worst_y;	/* largest difference of those that do not pass */
	int largest;		/* largest difference away from edges */
	int tolerance;
	bool flat;
};

static const struct rule *rule_of(const char *name)
{
	const struct rule *rule = rules;

	while (rule->scene && strcmp(rule->scene, name))
		rule++;
	return rule;
}

static void neighbourhood(const unsigned char *px, int w, int h, int x, int y, int c, int *lo,
			  int *hi)
{
	*lo = 255;
	*hi = 0;
	for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < h; j++) {
		for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < w; i++) {
			int v = px[((size_t)j * w + i) * 4 + c];

			*lo = v < *lo ? v : *lo;
			*hi = v > *hi ? v : *hi;
		}
	}
}

static void compare_pixel(struct result *r, const unsigned char *got, const unsigned char *want,
			  int w, int h, int x, int y)
{
	size_t at = ((size_t)y * w + x) * 4;
	bool edge = false, inside = true, fails;
	int diff = 0;

	for (int c = 0; c < 4; c++) {
		int d = abs(got[at + c] - want[at + c]), lo, hi;

		neighbourhood(want, w, h, x, y, c, &lo, &hi);
		edge |= hi - lo > EDGE_CONTRAST;
		inside &= got[at + c] >= lo - r->tolerance &&
			  got[at + c] <= hi + r->tolerance;
		diff = d > diff ? d : diff;
	}
	r->pixels++;
	r->edges += edge;
	if (!edge && diff > r->largest)
		r->largest = diff;
	if (diff <= r->tolerance)
		return;
	fails = !edge || !inside;
	r->off += !edge;
	r->edge_wrong += edge && !inside;
	r->edge_off += edge && inside;
	if (fails && diff > r->worst) {
		r->worst = diff;
		r->worst_x = x;
		r->worst_y = y;
	}
}

/* The difference, eight times as strong, on a dimmed reference. */
static void write_diff(const char *dir, const char *name, const unsigned char *got,
		       const unsigned char *want, int w, int h)
{
	unsigned char *out = malloc((size_t)w * h * 4);
	char path[4096];

	for (size_t i = 0; i < (size_t)w * h * 4; i++) {
		int v = want[i] / 8 + 8 * abs(got[i] - want[i]);

		out[i] = i % 4 == 3 ? 255 : v > 255 ? 255 : v;
	}
	snprintf(path, sizeof(path), "%s/%s.png", dir, name);
	png_store(path, w, h, out);
	free(out);
}

static bool report(const char *name, const struct result *r, const unsigned char *got,
		   const unsigned char *want, int w)
{
	size_t at = ((size_t)r->worst_y * w + r->worst_x) * 4;
	const struct rule *rule = rule_of(name);
	int may = (rule->most ? rule->most : EDGE_SHARE) * r->edges;
	bool ok;

	may = may > EDGE_FEW ? may : EDGE_FEW;
	ok = !r->off && !r->edge_wrong && r->edge_off <= may && r->edge_off >= rule->least * r->edges;
	printf("%s: %s: %d pixels, %d off, largest difference %d; %d edge pixels, %d moved (%d may), %d wrong%s",
	       name, ok ? "same" : "DIFFERENT", r->pixels, r->off, r->largest, r->edges,
	       r->edge_off, may, r->edge_wrong, r->flat ? "; flat" : "");
	if (r->worst)
		printf("; worst at (%d, %d): %d %d %d %d, expected %d %d %d %d", r->worst_x,
		       r->worst_y, got[at], got[at + 1], got[at + 2], got[at + 3], want[at],
		       want[at + 1], want[at + 2], want[at + 3]);
	putchar('\n');
	return ok;
}

static bool compare(const char *got_dir, const char *want_dir, const char *diff_dir,
		    const char *name)
{
	unsigned char *got = NULL, *want = NULL;
	struct result r = { .flat = true };
	int w, h, gw, gh;
	char path[4096];
	bool ok = false;

	snprintf(path, sizeof(path), "%s/%s.png", want_dir, name);
	want = png_load(path, &w, &h);
	snprintf(path, sizeof(path), "%s/%s.png", got_dir, name);
	got = want ? png_load(path, &gw, &gh) : NULL;
	if (!want || !got) {
		printf("%s: MISSING: %s\n", name, path);
	} else if (gw != w || gh != h) {
		printf("%s: DIFFERENT: %d x %d pixels, expected %d x %d\n", name, gw, gh, w, h);
	} else {
		r.tolerance = rule_of(name)->tolerance ? rule_of(name)->tolerance : tolerance;
		for (int y = 0; y < h; y++) {
			for (int x = 0; x < w; x++) {
				compare_pixel(&r, got, want, w, h, x, y);
				r.flat &= !memcmp(want, want + ((size_t)y * w + x) * 4, 4);
			}
		}
		ok = report(name, &r, got, want, w);
		if (!ok && diff_dir)
			write_diff(diff_dir, name, got, want, w, h);
	}
	free(got);
	free(want);
	return ok;
}

int main(int argc, char **argv)
{
	const char *diff_dir = NULL;
	int failed = 0;

	argc--;
	argv++;
	for (; argc > 1 && !strncmp(*argv, "--", 2); argc -= 2, argv += 2) {
		if (!strcmp(*argv, "--tolerance"))
			tolerance = atoi(argv[1]);
		else if (!strcmp(*argv, "--diff"))
			diff_dir = argv[1];
		else
			break;
	}
	if (argc < 3 || !strncmp(*argv, "--", 2)) {
		fprintf(stderr, "usage: mesa-compare [--tolerance N] [--diff DIR] GOT_DIR WANT_DIR SCENE...\n");
		return 1;
	}
	if (diff_dir && mkdir(diff_dir, 0777) && errno != EEXIST)
		diff_dir = NULL;
	for (int i = 2; i < argc; i++)
		failed += !compare(argv[0], argv[1], diff_dir, argv[i]);
	return failed ? 1 : 0;
}
