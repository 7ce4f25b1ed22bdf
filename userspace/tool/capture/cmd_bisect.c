// SPDX-License-Identifier: MIT
/*
 * limn bisect: the draw that makes a picture wrong. The picture that is expected is of the end alone, so draws are
 * asked what would be without them, and what if their tests passed: when the wrong pixels are right then, that is
 * the draw. Else it is the one whose pixels are those that are wrong, or one that shows nowhere and came near.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/capture/pixel.h"
#include "tool/capture/stages.h"
#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/png.h"
#include "tool/target.h"

#define SAMPLES		12		/* wrong pixels whose history is looked at */
#define COLOURS		(1u << 24)
#define REPORTS		10		/* of the model that are printed */

struct options {
	const char *path, *expect, *model;
	unsigned int submit, within;
	bool one, json, strict;
	uint64_t seed;
};

/* What wrong pixels say of a draw. */
struct suspect {
	uint32_t changed;		/* pixels that it changes, wrong or not, when it comes */
	uint32_t spoilt, last;		/* wrong pixels that were right before it, and that it changed last */
	uint32_t matters, covers;	/* pixels of the end that are others without it; wrong ones of these */
	uint32_t lacking;		/* wrong pixels where it is missing, by its colours elsewhere */
	uint32_t without, forced;	/* wrong pixels that are right without it, and when its tests pass */
	/* Samples: it was rejected; it came nearest, of those that show nowhere and of all; it drew. */
	uint32_t rejected, idle_near, near, drawn;
	bool out;			/* rejected in the sample that is looked at */
};

struct bisect {
	const struct options *o;
	struct stages stages;
	struct replay_picture expected;
	struct suspect *suspects;
	uint64_t replays;
	uint32_t wrong, samples[SAMPLES], num_samples;	/* pixels: how many, and some */
	uint32_t *right;		/* by pixel: 1 + the last stage that it was right in, 0: none */
	uint32_t *changed;		/* by pixel: 1 + the last draw that changed it */
	uint8_t *final, *was;
	uint8_t *colours, *lights;	/* sets of colours of a draw: its own; what it adds */
	/* Of the sample that is looked at. */
	uint32_t nearest[2];		/* of those that show nowhere, of all */
	float distance[2];
};

static bool same(const struct bisect *b, const uint8_t *x, const uint8_t *y)
{
	/* Alpha is not in every file, and not in every target. */
	for (unsigned int c = 0; c < 3; c++)
		if (abs(x[c] - y[c]) > (int)b->o->within)
			return false;
	return true;
}

static size_t pixels(const struct bisect *b)
{
	return (size_t)b->expected.width * b->expected.height;
}

/* Each replay: of stages, then two for each draw, then those of the samples. */
static void step(struct bisect *b)
{
	progress(++b->replays, 3ull * b->stages.num + 1 + b->num_samples);
}

/* What stage n has drawn. */
static int look_at(struct bisect *b, uint32_t n, struct limn_error *err)
{
	const struct replay_picture *p = &b->stages.picture;

	step(b);
	if (stages_run(&b->stages, n, err))
		return -1;
	if (!stages_show(&b->stages, b->expected.width, b->expected.height, err))
		return -1;
	for (size_t i = 0; i < pixels(b); i++) {
		const uint8_t *is = p->rgba + 4 * i;

		if (n && memcmp(is, b->was + 4 * i, 4)) {
			b->suspects[n - 1].changed++;
			b->changed[i] = n;
		}
		if (same(b, is, b->expected.rgba + 4 * i))
			b->right[i] = n + 1;
	}
	memcpy(b->was, p->rgba, 4 * pixels(b));
	return 0;
}

/* Votes of the wrong pixels, once all stages have been looked at. */
static void count_votes(struct bisect *b)
{
	for (size_t i = 0; i < pixels(b); i++) {
		if (same(b, b->final + 4 * i, b->expected.rgba + 4 * i))
			continue;
		/* Right after stage n, which has n draws: draw number n has spoilt it. */
		if (b->right[i])
			b->suspects[b->right[i] - 1].spoilt++;
		else if (b->changed[i])
			b->suspects[b->changed[i] - 1].last++;
	}
}

static bool idle(const struct bisect *b, uint32_t draw)
{
	return !b->suspects[draw].changed && !b->suspects[draw].matters;
}

static void on_fragment(void *ctx, const struct model_fragment *f)
{
	struct stages *s = ctx;
	struct bisect *b = (struct bisect *)((char *)s - offsetof(struct bisect, stages));
	uint32_t draw = stages_draw_of(s, f->state, f->draw);

	if (draw == s->num)
		return;
	if (f->verdict == MODEL_DRAWN) {
		b->suspects[draw].drawn++;
		b->suspects[draw].out = false;
		return;
	}
	if (f->verdict != MODEL_MISSED && f->distance <= 0) {
		b->suspects[draw].out = true;
		return;
	}
	for (int all = !idle(b, draw); all < 2; all++) {
		if (b->nearest[all] < s->num && f->distance >= b->distance[all])
			continue;
		b->nearest[all] = draw;
		b->distance[all] = f->distance;
	}
}

static int ask_samples(struct bisect *b, struct limn_error *err)
{
	struct stages *s = &b->stages;
	int ret = 0;

	for (uint32_t i = 0; i < b->num_samples && !ret; i++) {
		step(b);
		s->watch.x = (int32_t)(b->samples[i] % b->expected.width);
		s->watch.y = (int32_t)(b->samples[i] / b->expected.width);
		s->watch.fragment = on_fragment;
		b->nearest[0] = b->nearest[1] = s->num;
		ret = stages_run(s, s->num, err);
		if (b->nearest[0] < s->num)
			b->suspects[b->nearest[0]].idle_near++;
		if (b->nearest[1] < s->num)
			b->suspects[b->nearest[1]].near++;
		for (uint32_t k = 0; k < s->num; k++) {
			b->suspects[k].rejected += b->suspects[k].out;
			b->suspects[k].out = false;
		}
	}
	s->watch.fragment = NULL;
	return ret;
}

/* The picture of a run with one odd draw, which may be of another size; NULL: no such picture. */
static const uint8_t *odd_picture(struct bisect *b, uint32_t draw, enum model_permit permit, struct limn_error *err)
{
	const struct replay_picture *p = &b->stages.picture;

	if (stages_run_odd(&b->stages, draw, permit, err) || !p->rgba || p->width != b->expected.width ||
	    p->height != b->expected.height)
		return NULL;
	return p->rgba;
}

/* Three channels as one number: a colour, or by how much it is brighter than another one. */
static uint32_t colour_of(const uint8_t *rgba, const uint8_t *less)
{
	uint32_t c = 0;

	for (unsigned int i = 0; i < 3; i++)
		c |= (uint32_t)(uint8_t)(rgba[i] - (less ? less[i] : 0)) << 8 * i;
	return c;
}

static void add(uint8_t *set, uint32_t colour)
{
	set[colour / 8] |= 1u << colour % 8;
}

static bool has(const uint8_t *set, uint32_t colour)
{
	return set[colour / 8] >> colour % 8 & 1;
}

/*
 * Wrong pixels where a draw is missing, to go by what it makes of others: they should have one of its colours, and have
 * none, or they should be brighter by as much as it makes others.
 */
static uint32_t missing_in(struct bisect *b, const uint8_t *without)
{
	uint32_t n = 0;

	memset(b->colours, 0, COLOURS / 8);
	memset(b->lights, 0, COLOURS / 8);
	for (size_t i = 0; i < pixels(b); i++) {
		if (memcmp(without + 4 * i, b->final + 4 * i, 4)) {
			add(b->colours, colour_of(b->final + 4 * i, NULL));
			add(b->lights, colour_of(b->final + 4 * i, without + 4 * i));
		}
	}
	for (size_t i = 0; i < pixels(b); i++) {
		const uint8_t *is = b->final + 4 * i, *expected = b->expected.rgba + 4 * i;

		n += !same(b, is, expected) && ((has(b->colours, colour_of(expected, NULL)) && !has(b->colours, colour_of(is, NULL))) ||
						has(b->lights, colour_of(expected, is)));
	}
	return n;
}

/* What would be without a draw, and if nothing rejected it. */
static void ask_odd(struct bisect *b, uint32_t draw, struct limn_error *err)
{
	struct suspect *s = &b->suspects[draw];
	const uint8_t *is;

	step(b);
	is = odd_picture(b, draw, MODEL_REFUSE, err);
	for (size_t i = 0; is && i < pixels(b); i++) {
		bool wrong = !same(b, b->final + 4 * i, b->expected.rgba + 4 * i), other = memcmp(is + 4 * i, b->final + 4 * i, 4);

		s->matters += other;
		s->covers += other && wrong;
		s->without += wrong && same(b, is + 4 * i, b->expected.rgba + 4 * i);
	}
	s->lacking = is ? missing_in(b, is) : 0;
	step(b);
	is = odd_picture(b, draw, MODEL_FORCE, err);
	for (size_t i = 0; is && i < pixels(b); i++)
		s->forced += !same(b, b->final + 4 * i, b->expected.rgba + 4 * i) && same(b, is + 4 * i, b->expected.rgba + 4 * i);
}

/* Pixels are drawn and none gets into the picture: the last copy; NULL: it is not so. */
static const struct draw *lost_copy(const struct bisect *b)
{
	const struct draws *d = &b->stages.draws;
	bool drawn = false;

	for (uint32_t i = 0; i < b->stages.num; i++) {
		drawn |= b->suspects[i].drawn;
		if (b->suspects[i].changed)
			return NULL;
	}
	for (size_t i = d->num; drawn && i--;)
		if (d->list[i].copy)
			return &d->list[i];
	return NULL;
}

static double healed(const struct bisect *b, uint32_t draw)
{
	const struct suspect *s = &b->suspects[draw];

	return fmax(fmax(s->without, s->forced), s->spoilt) / b->wrong;
}

/* What is wrong and the draw's: it shows there, or should by the colours. What has no colours only lets others show theirs. */
static double its_own(const struct bisect *b, uint32_t draw)
{
	const struct suspect *s = &b->suspects[draw];

	return s->changed ? s->covers + s->lacking : 0;
}

/* How much of what is wrong is the draw's, and of the draw's is wrong: 0 to 1. */
static double fits(const struct bisect *b, uint32_t draw)
{
	const struct suspect *s = &b->suspects[draw];
	double own = its_own(b, draw);

	return own > 0 ? own / b->wrong * own / (s->matters + s->lacking) : 0;
}

static double fits_all(const struct bisect *b, uint32_t draw)
{
	return its_own(b, draw) >= 0.95 * b->wrong ? fits(b, draw) : 0;
}

/* Of the draws that show nowhere, while others do: rejected; near; not even that. */
static double idle_rejected(const struct bisect *b, uint32_t draw)
{
	return idle(b, draw) ? (double)b->suspects[draw].rejected / b->num_samples : 0;
}

static double idle_near(const struct bisect *b, uint32_t draw)
{
	return idle(b, draw) ? (double)b->suspects[draw].idle_near / b->num_samples : 0;
}

static double idle_silent(const struct bisect *b, uint32_t draw)
{
	const struct suspect *s = &b->suspects[draw];

	return idle(b, draw) && !s->rejected && !s->idle_near && !s->drawn;
}

/* Of the draws that show all that is wrong: the one, where all others show less than a half. */
static double fits_alone(const struct bisect *b, uint32_t draw)
{
	for (uint32_t i = 0; i < b->stages.num; i++)
		if (i != draw && 2 * b->suspects[i].covers >= b->wrong)
			return 0;
	return fits_all(b, draw);
}

static double lacking(const struct bisect *b, uint32_t draw)
{
	const struct suspect *s = &b->suspects[draw];

	return s->changed ? (double)s->lacking / b->wrong : 0;
}

static double near(const struct bisect *b, uint32_t draw)
{
	return (double)b->suspects[draw].near / b->num_samples;
}

static double last(const struct bisect *b, uint32_t draw)
{
	return (double)b->suspects[draw].last / b->wrong;
}

/* In the order in which they are believed: what speaks for a draw, how much of it is enough, what is said then. */
static const struct ground {
	double (*of)(const struct bisect *b, uint32_t draw);
	double enough;
	const char *why;
} grounds[] = {
	{ healed, 0.5, NULL },
	{ fits_all, 0.4, "is what the wrong pixels show" },
	{ idle_rejected, 0.5, "shows nowhere: it is rejected where the picture is wrong" },
	{ idle_near, 0.01, "shows nowhere: no other draw comes nearer to where the picture is wrong" },
	{ idle_silent, 1, "shows nowhere: it does not get to the rasteriser" },
	{ lacking, 0.5, "does not show where the picture should have its colours" },
	{ fits_alone, 0.1, "is what the wrong pixels show" },
	{ fits, 0.2, "is what the wrong pixels show" },
	{ near, 0.5, "does not cover what is wrong, and no other draw comes nearer" },
	{ last, 0.01, "was the last one to draw where the picture is wrong" },
};

static const char *how_healed(const struct suspect *s)
{
	if (s->forced > s->without && s->forced > s->spoilt)
		return "is rejected where the picture is wrong, and would be right";
	return s->without >= s->spoilt ? "spoils pixels that are right without it" : "spoils pixels that were right before it";
}

/* The draw, and why; NULL: nobody knows. *number: its stage. Of draws that are as good the first. */
static const struct draw *choose(const struct bisect *b, uint32_t *number, const char **why)
{
	const struct draw *copy = lost_copy(b);

	*number = b->stages.num;
	*why = "does not copy what was drawn: is a flush missing before it?";
	if (copy)
		return copy;
	for (size_t g = 0; g < sizeof(grounds) / sizeof(grounds[0]) && *number == b->stages.num; g++) {
		double best = 0;

		for (uint32_t i = 0; i < b->stages.num; i++) {
			double is = grounds[g].of(b, i);

			if (is >= grounds[g].enough && is > 1.1 * best) {
				best = is;
				*number = i;
				*why = grounds[g].why ? grounds[g].why : how_healed(&b->suspects[i]);
			}
		}
	}
	return *number < b->stages.num ? &b->stages.draws.list[b->stages.draw[*number]] : NULL;
}

/* A pixel that speaks for the draw. */
static uint32_t example_of(const struct bisect *b, uint32_t draw)
{
	for (size_t i = 0; i < pixels(b); i++) {
		if (same(b, b->final + 4 * i, b->expected.rgba + 4 * i))
			continue;
		if (b->right[i] ? b->right[i] == draw + 1 : b->changed[i] == draw + 1)
			return (uint32_t)i;
	}
	return b->samples[0];
}

static void print_pixel(struct json *j, const char *key, const uint8_t *rgba)
{
	json_object(j, key);
	report(j, "{red} {green} {blue} {alpha}", INT("red", rgba[0]), INT("green", rgba[1]), INT("blue", rgba[2]),
	       INT("alpha", rgba[3]));
	json_end_object(j);
}

static void tell(struct bisect *b, struct json *j)
{
	uint32_t number, at, x, y;
	const char *why;
	const struct draw *d = choose(b, &number, &why);

	at = example_of(b, number);
	x = at % b->expected.width;
	y = at / b->expected.width;
	report(j, "{wrong} of {pixels} pixels are wrong\n", INT("wrong", b->wrong), INT("pixels", (int64_t)pixels(b)));
	if (d)
		report(j, "draw {draw} of submit {submit} ({command}) {why}\n", INT("draw", d->index), INT("submit", d->submit),
		       STRING("command", d->what), STRING("why", why));
	else
		report(j, "no draw is near where the picture is wrong\n", NONE("draw"));
	report(j, "pixel {x},{y} is ", INT("x", x), INT("y", y));
	print_pixel(j, "is", b->final + 4 * at);
	report(j, ", not ");
	print_pixel(j, "expected", b->expected.rgba + 4 * at);
	report(j, ": limn pixel {_path} {_x},{_y}", TEXT("_path", b->o->path), TEXT_INT("_x", x), TEXT_INT("_y", y));
	if (d)
		report(j, "; limn show {_path} --submit {_submit} --draw {_draw}", TEXT("_path", b->o->path),
		       TEXT_INT("_submit", d->submit), TEXT_INT("_draw", d->index));
	report(j, "\n");
}

/* The picture at the end, against what is expected. 0, an exit status after a message, or -1 with a line in err. */
static int compare(struct bisect *b, struct limn_error *err)
{
	const struct replay_picture *p = &b->stages.picture;

	if (!p->rgba)
		return limn_fail(err, -1, "no submit has drawn anything that can be shown");
	if (p->width != b->expected.width || p->height != b->expected.height)
		return limn_fail(err, -1, "its picture is %ux%u, the expected one %ux%u", p->width, p->height, b->expected.width,
				 b->expected.height);
	b->final = malloc(4 * pixels(b));
	b->was = calloc(pixels(b), 4);
	b->right = calloc(pixels(b), sizeof(*b->right));
	b->changed = calloc(pixels(b), sizeof(*b->changed));
	b->suspects = calloc(b->stages.num + 1, sizeof(*b->suspects));
	b->colours = malloc(COLOURS / 8);
	b->lights = malloc(COLOURS / 8);
	if (!b->final || !b->was || !b->colours || !b->lights || !b->right || !b->changed || !b->suspects)
		return limn_fail(err, -1, "out of memory");
	memcpy(b->final, p->rgba, 4 * pixels(b));
	for (size_t i = 0; i < pixels(b); i++)
		b->wrong += !same(b, b->final + 4 * i, b->expected.rgba + 4 * i);
	/* As many samples, spread over those that are wrong. */
	for (size_t i = 0, n = 0; i < pixels(b) && b->num_samples < SAMPLES; i++)
		if (!same(b, b->final + 4 * i, b->expected.rgba + 4 * i) && n++ * SAMPLES / (b->wrong + 1) >= b->num_samples)
			b->samples[b->num_samples++] = (uint32_t)i;
	return 0;
}

static int search(struct bisect *b, struct json *j, struct limn_error *err)
{
	char failed[sizeof(b->stages.failed)];
	int ret = 0;

	memcpy(failed, b->stages.failed, sizeof(failed));
	if (failed[0])
		report(j, "{failed}\n", STRING("failed", failed));
	if (!b->wrong) {
		report(j, "the picture is as expected\n", INT("wrong", 0));
		return 0;
	}
	progress_begin("replays");
	for (uint32_t n = 0; n <= b->stages.num && !ret; n++)
		ret = look_at(b, n, err);
	for (uint32_t i = 0; i < b->stages.num && !ret; i++)
		ask_odd(b, i, err);
	ret = ret ? ret : ask_samples(b, err);
	progress_end();
	if (!ret) {
		count_votes(b);
		tell(b, j);
	}
	return ret;
}

/* Of the whole capture, and only the first ones: of a missing flush there is one for each line of the cache. */
static void on_report(void *ctx, const char *text)
{
	uint32_t *reports = ctx;

	if ((*reports)++ < REPORTS)
		fprintf(stderr, "model: %s\n", text);
}

static int bisect(const struct options *o)
{
	uint32_t reports = 0;
	const struct replay_options options = {
		.model = o->model, .last = o->one ? o->submit : UINT32_MAX, .strict = o->strict, .seed = o->seed, .ctx = &reports,
		.report = on_report,
	};
	struct json json = { .to = stdout, .text = !o->json };
	struct bisect b = { .o = o };
	struct limn_error err;
	int status = EXIT_INPUT;

	if (png_load(o->expect, &b.expected.width, &b.expected.height, &b.expected.rgba, &err) ||
	    stages_open(&b.stages, o->path, &options, &err)) {
		free(b.expected.rgba);
		return failed(EXIT_INPUT, "%s", err.text);
	}
	if (reports > REPORTS)
		fprintf(stderr, "model: and %u more\n", reports - REPORTS);
	reports = REPORTS;
	json_object(&json, NULL);
	if (compare(&b, &err) || search(&b, &json, &err))
		failed(EXIT_INPUT, "%s: %s", o->path, err.text);
	else
		status = b.wrong ? EXIT_JOB : EXIT_OK;
	json_end_object(&json);
	free(b.final);
	free(b.was);
	free(b.right);
	free(b.changed);
	free(b.suspects);
	free(b.colours);
	free(b.lights);
	free(b.expected.rgba);
	stages_close(&b.stages);
	return status;
}

int cmd_bisect(int argc, char **argv)
{
	struct options o = { .path = NULL };
	const struct option own[] = {
		{ .name = "--expect", .kind = OPTION_TEXT, .to = &o.expect, .value = "PICTURE", .required = true,
		  .help = "a PNG of what limn replay -o should show" },
		{ .name = "--within", .kind = OPTION_COUNT, .to = &o.within, .value = "N", .max = 255,
		  .help = "channels may differ by as much (of 255); alpha is not compared" },
		{ .name = "--submit", .kind = OPTION_COUNT, .to = &o.submit, .value = "N", .max = UINT32_MAX, .given = &o.one,
		  .help = "the picture is that behind this submit, not the last one" },
		OPTION_OTHER_MODEL(&o.model),
		OPTION_STRICT(&o.strict),
		OPTION_SEED(&o.seed),
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "bisect", .files = "FILE", .options = own, .paths = &o.path, .max_paths = 1, .min_paths = 1,
		.example = "limn bisect frame.limncap --expect right.png",
		.about = "Names the draw of a capture after which its picture is wrong, and a pixel that shows it (limn pixel).\n"
			 "The capture is replayed on the model with the first draw, the first two, and so on, then without\n"
			 "each draw, and with each draw freed of tests, scissor and culling.\n"
			 "Exit status 3 when the picture is not as expected.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	return bisect(&o);
}
