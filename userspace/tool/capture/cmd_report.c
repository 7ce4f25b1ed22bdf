// SPDX-License-Identifier: MIT
/*
 * limn report: a capture as one page: the picture after each draw, what each draw changed and what it cost, how often
 * pixels changed, when jobs were submitted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "model/fragment.h"
#include "tool/capture/stages.h"
#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/out_file.h"
#include "tool/target.h"

#define MAX_STAGES	256	/* pictures on a page */

struct options {
	const char *path, *out, *model;
	unsigned int submit;
	bool one, quiet, strict;
};

/* What a draw's fragment shader did, and where. */
struct cost {
	uint64_t pixels, instructions, samples;
	uint32_t changed, tiles;	/* pixels that are others; tiles of 16x16 that it touches */
};

#define MAX_UNITS	24
#define MAX_MARKS	1000	/* across a timeline: what is closer is one */

/* Work of a unit, in slices of the model's work; end not included. */
struct span {
	unsigned int unit;
	uint64_t from, to;
};

struct units {
	char name[MAX_UNITS][16];
	uint64_t since[MAX_UNITS];	/* it works, from then on */
	uint64_t busy[MAX_UNITS];
	bool works[MAX_UNITS];
	unsigned int num;
	struct span *spans;		/* in the order of their ends */
	size_t num_spans, max_spans;
	uint64_t now;
	uint64_t *submits;		/* when each began */
	uint32_t num_submits;
};

struct page {
	const struct options *o;
	struct stages stages;
	FILE *to;
	uint32_t width, height;
	uint8_t *was;		/* the picture before */
	uint32_t *times;	/* by pixel: draws that changed it */
	struct cost *costs;	/* by draw */
	uint32_t *instructions, *samples;	/* by pixel, of all draws */
	uint32_t *now;		/* by pixel: instructions of the draw at hand */
	uint8_t *tiles;		/* by tile: the draw at hand touches it */
	uint32_t stage;		/* the draw at hand, plus one; 0: none */
	char *reports;		/* of the model: lines */
	size_t reports_size;
	FILE *reports_to;
	struct units units;
};

static const char style[] =
	":root { color-scheme: light dark }\n"
	"body { font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }\n"
	".strip { display: flex; gap: 1rem; flex-wrap: wrap } figure { margin: 0; max-width: 260px }\n"
	"img { image-rendering: pixelated; width: 256px; border: 1px solid #8886; background: #222 }\n"
	"figcaption { font-size: .85rem; overflow-wrap: anywhere } table { border-collapse: collapse }\n"
	"td, th { text-align: left; padding: .1rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }\n"
	"td.n { text-align: right; position: relative; min-width: 6rem } td.n i { position: absolute; left: 0; top: .2rem; bottom: .2rem;"
	" background: #38c5 }\n"
	"pre { background: #8882; padding: .5rem; overflow-x: auto; font-size: .8rem; margin: 0 }\n";

static void put_text(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", to);
		else if (*text == '>')
			fputs("&gt;", to);
		else if (*text == '&')
			fputs("&amp;", to);
		else if (*text == '"')
			fputs("&quot;", to);
		else
			fputc(*text, to);
	}
}

/* RFC 4648. */
static void put_base64(FILE *to, const uint8_t *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);

		fputc(digits[v >> 18], to);
		fputc(digits[v >> 12 & 63], to);
		fputc(i + 1 < n ? digits[v >> 6 & 63] : '=', to);
		fputc(i + 2 < n ? digits[v & 63] : '=', to);
	}
}

/* Without alpha: of a target it says nothing of what is behind the page's picture. */
static int put_image(struct page *p, const char *what, const uint8_t *rgba, struct limn_error *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGB };
	size_t pixels = (size_t)p->width * p->height;
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	uint8_t *png = malloc(size), *rgb = malloc(3 * pixels);
	bool ok = png && rgb;

	for (size_t i = 0; ok && i < pixels; i++)
		memcpy(rgb + 3 * i, rgba + 4 * i, 3);
	ok = ok && png_image_write_to_memory(&image, png, &size, 0, rgb, 0, NULL);
	free(rgb);
	if (ok) {
		fputs("<img alt=\"", p->to);
		put_text(p->to, what);
		fputs("\" src=\"data:image/png;base64,", p->to);
		put_base64(p->to, png, size);
		fputs("\">", p->to);
	}
	free(png);
	return ok ? 0 : limn_fail(err, -1, "out of memory");
}

/* A figure up to its caption's text. */
static int begin_figure(struct page *p, const char *what, const uint8_t *rgba, struct limn_error *err)
{
	fputs("<figure>", p->to);
	if (put_image(p, what, rgba, err))
		return -1;
	fputs("<figcaption>", p->to);
	put_text(p->to, what);
	return 0;
}

/* From black, never, over blue and red to yellow, as often as any. */
static uint8_t *heat(const struct page *p, const uint32_t *times, uint32_t *most)
{
	size_t pixels = (size_t)p->width * p->height;
	uint8_t *rgba = malloc(4 * pixels);

	*most = 1;
	for (size_t i = 0; i < pixels; i++)
		*most = times[i] > *most ? times[i] : *most;
	for (size_t i = 0; rgba && i < pixels; i++) {
		double t = (double)times[i] / *most;

		rgba[4 * i] = (uint8_t)(255 * (t < 0.5 ? t * 2 : 1));
		rgba[4 * i + 1] = (uint8_t)(255 * (t < 0.5 ? 0 : t * 2 - 1));
		rgba[4 * i + 2] = (uint8_t)(255 * (!t ? 0 : t < 0.5 ? 0.6 : 1.2 - 1.2 * t));
		rgba[4 * i + 3] = 255;
	}
	return rgba;
}

static void on_cost(void *ctx, const struct model_cost *c)
{
	struct stages *s = ctx;
	struct page *p = (struct page *)((char *)s - offsetof(struct page, stages));
	uint32_t draw = stages_draw_of(s, c->state, c->draw);

	if (!p->stage || draw != p->stage - 1)
		return;
	for (unsigned int lane = 0; lane < FRAGMENT_LANES; lane++) {
		uint32_t x = (uint32_t)c->x + FRAGMENT_LANE_X(lane), y = (uint32_t)c->y + FRAGMENT_LANE_Y(lane);

		if (!(c->lanes >> lane & 1))
			continue;
		p->costs[draw].pixels++;
		p->costs[draw].instructions += c->instructions;
		p->costs[draw].samples += c->samples;
		/* Into a smaller target, say: counted, but in no map. */
		if (x >= p->width || y >= p->height)
			continue;
		p->instructions[y * p->width + x] += c->instructions;
		p->samples[y * p->width + x] += c->samples;
		p->now[y * p->width + x] += c->instructions;
		p->costs[draw].tiles += !p->tiles[y / 16 * ((p->width + 15) / 16) + x / 16];
		p->tiles[y / 16 * ((p->width + 15) / 16) + x / 16] = 1;
	}
}

static uint32_t count_changes(struct page *p, uint32_t stage)
{
	const uint8_t *is = p->stages.picture.rgba;
	uint32_t n = 0;

	for (size_t i = 0; stage && i < (size_t)p->width * p->height; i++) {
		bool changed = memcmp(is + 4 * i, p->was + 4 * i, 4);

		p->times[i] += changed;
		n += changed;
	}
	memcpy(p->was, is, (size_t)p->width * p->height * 4);
	return n;
}

static int put_stage(struct page *p, uint32_t stage, struct limn_error *err)
{
	const struct replay_picture *picture = &p->stages.picture;
	char name[240] = "before the first draw";
	uint32_t most;
	int ret = 0;

	p->stage = stage;
	memset(p->now, 0, (size_t)p->width * p->height * sizeof(*p->now));
	memset(p->tiles, 0, (size_t)(p->width + 15) / 16 * ((p->height + 15) / 16));
	if (stages_run(&p->stages, stage, err))
		return -1;
	if (!stages_show(&p->stages, p->width, p->height, err))
		return -1;
	if (stage)
		stages_name(&p->stages, stage - 1, name, sizeof(name));
	if (begin_figure(p, name, picture->rgba, err))
		return -1;
	if (!stage) {
		count_changes(p, 0);
	} else {
		uint8_t *rgba = heat(p, p->now, &most);

		p->costs[stage - 1].changed = count_changes(p, stage);
		fprintf(p->to, "<br><a href=\"#draw%u\">state</a>, %u pixels changed; what it costs, yellow %u instructions:<br>",
			stage - 1, p->costs[stage - 1].changed, most);
		ret = rgba ? put_image(p, "instructions of the draw by pixel", rgba, err) : limn_fail(err, -1, "out of memory");
		free(rgba);
	}
	fputs("</figcaption></figure>\n", p->to);
	return ret;
}

/* text: has %u for the most that a pixel has. */
static int put_heat(struct page *p, const uint32_t *times, const char *text, struct limn_error *err)
{
	uint32_t most;
	uint8_t *rgba = heat(p, times, &most);
	char what[120];
	int ret;

	snprintf(what, sizeof(what), "%s: black none, yellow %u", text, most);
	ret = rgba ? begin_figure(p, what, rgba, err) : limn_fail(err, -1, "out of memory");
	if (!ret)
		fputs("</figcaption></figure>\n", p->to);
	free(rgba);
	return ret;
}

/* A number, and a bar as long as its share of the most. */
static void put_bar(struct page *p, uint64_t value, uint64_t most)
{
	fprintf(p->to, "<td class=\"n\"><i style=\"width:%.1f%%\"></i>%llu</td>", most ? 100.0 * (double)value / (double)most : 0,
		(unsigned long long)value);
}

static void put_costs(struct page *p, uint32_t num)
{
	struct cost most = { .pixels = 0 };
	char name[240];

	fputs("<h2>What each draw costs</h2>\n<p>Of its fragment shader, as the model runs it.</p>\n<table>\n<tr><th>draw</th>"
	      "<th>pixels shaded</th><th>pixels changed</th><th>instructions</th><th>texture reads</th><th>tiles of 16x16</th></tr>\n", p->to);
	for (uint32_t i = 0; i < num; i++) {
		const struct cost *c = &p->costs[i];

		most.pixels = c->pixels > most.pixels ? c->pixels : most.pixels;
		most.changed = c->changed > most.changed ? c->changed : most.changed;
		most.instructions = c->instructions > most.instructions ? c->instructions : most.instructions;
		most.samples = c->samples > most.samples ? c->samples : most.samples;
		most.tiles = c->tiles > most.tiles ? c->tiles : most.tiles;
	}
	for (uint32_t i = 0; i < num; i++) {
		stages_name(&p->stages, i, name, sizeof(name));
		fprintf(p->to, "<tr><td><a href=\"#draw%u\">", i);
		put_text(p->to, name);
		fputs("</a></td>", p->to);
		put_bar(p, p->costs[i].pixels, most.pixels);
		put_bar(p, p->costs[i].changed, most.changed);
		put_bar(p, p->costs[i].instructions, most.instructions);
		put_bar(p, p->costs[i].samples, most.samples);
		put_bar(p, p->costs[i].tiles, most.tiles);
		fputs("</tr>\n", p->to);
	}
	fputs("</table>\n", p->to);
}

/* When each job was submitted, from the first one on: a mark for each, a row for each pipe of a process. */
static void put_times(struct page *p)
{
	struct capture_event e = { .type = CAPTURE_EVENT_FILE };
	uint64_t first = 0, last = 0;
	unsigned int rows = 0;
	struct { uint32_t process, pipe; char name[48]; } row[16];
	uint32_t process[16], pid[16];	/* those that there are */
	unsigned int processes = 0;

	for (int pass = 0; pass < 2; pass++) {
		limn_capture_rewind(p->stages.capture);
		if (pass)
			fprintf(p->to, "<h2>When jobs were submitted</h2>\n<p>In %.3f ms.</p>\n<svg viewBox=\"0 0 1000 %u\" width=\"100%%\">\n",
				(double)(last - first) * 1e-6, 30 * rows + 5);
		do {
			const struct capture_submit *s;
			unsigned int r;

			if (limn_capture_next(p->stages.capture, &e, NULL))
				break;
			if (e.type == CAPTURE_EVENT_PROCESS && !pass && processes < 16) {
				process[processes] = e.process;
				pid[processes++] = e.told_process.pid;
			}
			if (e.type != CAPTURE_EVENT_SUBMIT)
				continue;
			s = e.submit;
			for (r = 0; r < rows && (row[r].process != s->process || row[r].pipe != s->told.pipe); r++)
				;
			if (!pass) {
				first = first && first < s->told.time_ns ? first : s->told.time_ns;
				last = last > s->told.time_ns ? last : s->told.time_ns;
				if (r == rows && rows < 16) {
					bool utgard = s->file->told.family == LIMN_CAPTURE_UTGARD;
					unsigned int k = 0;

					while (k < processes && process[k] != s->process)
						k++;
					row[rows].process = s->process;
					row[rows].pipe = s->told.pipe;
					snprintf(row[rows++].name, sizeof(row[0].name), utgard ? "process %u, %s" : "process %u, %s %u",
						 k < processes ? pid[k] : 0, utgard ? s->told.pipe ? "PP" : "GP" : "core", s->told.pipe);
				}
				continue;
			}
			if (r == rows)
				continue;
			fprintf(p->to, "<rect x=\"%.2f\" y=\"%u\" width=\"3\" height=\"20\" fill=\"%s\"><title>submit %u of %s, after %.3f ms"
				"</title></rect>\n",
				last > first ? 180 + 810.0 * (double)(s->told.time_ns - first) / (double)(last - first) : 180, 30 * r + 5,
				e.refused ? "#d33" : "#38c", s->number, row[r].name, (double)(s->told.time_ns - first) * 1e-6);
		} while (e.type != CAPTURE_EVENT_END);
	}
	for (unsigned int r = 0; r < rows; r++)
		fprintf(p->to, "<text x=\"0\" y=\"%u\" font-size=\"13\" fill=\"currentColor\">%s</text>\n", 30 * r + 20,
			row[r].name);
	fputs("</svg>\n", p->to);
}

static unsigned int unit_of(struct units *u, const char *name)
{
	unsigned int i = 0;

	while (i < u->num && strcmp(u->name[i], name))
		i++;
	if (i == u->num && i < MAX_UNITS)
		snprintf(u->name[u->num++], sizeof(u->name[0]), "%s", name);
	return i;
}

static void on_activity(void *ctx, const char *name, bool begins, uint64_t slices)
{
	struct units *u = &((struct page *)ctx)->units;
	unsigned int unit = unit_of(u, name);

	u->now += slices;
	if (unit == MAX_UNITS || u->works[unit] == begins)
		return;
	u->works[unit] = begins;
	if (begins) {
		u->since[unit] = u->now;
		return;
	}
	if (u->num_spans == u->max_spans) {
		size_t max = u->max_spans ? 2 * u->max_spans : 1024;
		struct span *more = realloc(u->spans, max * sizeof(*more));

		if (!more)
			return;
		u->spans = more;
		u->max_spans = max;
	}
	/* What begins and ends within a slice takes that one. */
	u->spans[u->num_spans++] = (struct span){ unit, u->since[unit], u->now + (u->now == u->since[unit]) };
	u->busy[unit] += u->spans[u->num_spans - 1].to - u->since[unit];
}

static bool on_submit(void *ctx, const struct replay_job *job)
{
	struct units *u = &((struct page *)ctx)->units;
	uint32_t n = job->submit->number;
	uint64_t *more = realloc(u->submits, (n + 1ull) * sizeof(*more));

	for (u->submits = more ? more : u->submits; more && u->num_submits <= n; u->num_submits++)
		more[u->num_submits] = u->now;
	return true;
}

/* A unit's row, what is closer than a mark's width drawn as one. */
static void put_unit(struct page *p, unsigned int unit, unsigned int row)
{
	const struct units *u = &p->units;
	double scale = 860.0 / (double)(u->now + 1);
	uint64_t gap = u->now / MAX_MARKS;
	struct span s = { unit, 0, 0 };

	fprintf(p->to, "<text x=\"0\" y=\"%u\" font-size=\"13\" fill=\"currentColor\">", 24 * row + 34);
	put_text(p->to, u->name[unit]);
	fprintf(p->to, ", %.0f %%</text>\n", 100.0 * (double)u->busy[unit] / (double)(u->now + 1));
	for (size_t i = 0; i <= u->num_spans; i++) {
		const struct span *next = i < u->num_spans ? &u->spans[i] : NULL;

		if (next && next->unit != unit)
			continue;
		if (next && s.to && next->from <= s.to + gap) {
			s.to = next->to;
			continue;
		}
		if (s.to)
			fprintf(p->to, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"16\" fill=\"#38c\"><title>%s, slices %llu to %llu"
				"</title></rect>\n", 130 + scale * (double)s.from, 24 * row + 22, scale * (double)(s.to - s.from) + 0.3,
				u->name[unit], (unsigned long long)s.from, (unsigned long long)(s.to - 1));
		if (next)
			s = *next;
	}
}

static void put_units(struct page *p)
{
	const struct units *u = &p->units;

	if (!u->num_spans)
		return;
	fprintf(p->to, "<h2>When the model's units worked</h2>\n<p>In %llu slices of its work: a tile, some vertices, some commands or"
		" pixels each. They are no time, but the same in each run. Lines are submits.</p>\n<svg viewBox=\"0 0 1000 %u\""
		" width=\"100%%\">\n", (unsigned long long)u->now, 24 * u->num + 22);
	for (unsigned int i = 0; i < u->num; i++)
		put_unit(p, i, i);
	for (uint32_t i = 0; i < u->num_submits; i++)
		if (!i || u->submits[i] > u->submits[i - 1] + u->now / MAX_MARKS)
			fprintf(p->to, "<rect x=\"%.2f\" y=\"14\" width=\"1\" height=\"%u\" fill=\"#888\"><title>submit %u</title></rect>\n",
				130 + 860.0 * (double)u->submits[i] / (double)(u->now + 1), 24 * u->num, i);
	fputs("</svg>\n", p->to);
}

static void on_change(void *ctx, const struct draw_fact *was, const struct draw_fact *is)
{
	struct page *p = ctx;

	fputs("<tr><td>", p->to);
	put_text(p->to, (is ? is : was)->key);
	fputs("</td><td>", p->to);
	fputs(is && is->code ? "<pre>" : "", p->to);
	put_text(p->to, is ? is->value : "not set any more");
	fputs(is && is->code ? "</pre></td></tr>\n" : "</td></tr>\n", p->to);
}

static void put_state(struct page *p, uint32_t stage)
{
	const struct draws *d = &p->stages.draws;
	char name[240];

	stages_name(&p->stages, stage, name, sizeof(name));
	fprintf(p->to, "<h3 id=\"draw%u\">", stage);
	put_text(p->to, name);
	fputs("</h3>\n<table>\n", p->to);
	draws_compare(stage ? &d->list[p->stages.draw[stage - 1]] : NULL, &d->list[p->stages.draw[stage]], stage == 0, p, on_change);
	fputs("</table>\n", p->to);
}

static int put_page(struct page *p, struct limn_error *err)
{
	uint32_t num = p->stages.num < MAX_STAGES ? p->stages.num : MAX_STAGES;
	int ret = 0;

	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", p->to);
	put_text(p->to, p->o->path);
	fprintf(p->to, "</title><style>\n%s</style></head><body>\n<h1>", style);
	put_text(p->to, p->o->path);
	fprintf(p->to, "</h1>\n<p>%u submits, %u draws, %ux%u pixels.", p->stages.num_submits, p->stages.num, p->width, p->height);
	if (num < p->stages.num)
		fprintf(p->to, " The first %u draws are shown.", num);
	fputs("</p>\n", p->to);
	if (p->stages.failed[0] || p->reports_size) {
		fputs("<h2>Findings</h2>\n<pre>", p->to);
		put_text(p->to, p->stages.failed);
		fputs(p->stages.failed[0] ? "\n" : "", p->to);
		put_text(p->to, p->reports ? p->reports : "");
		fputs("</pre>\n", p->to);
	}
	fputs("<h2>The picture after each draw</h2>\n<div class=\"strip\">\n", p->to);
	progress_begin("draws");
	for (uint32_t i = 0; i <= num && !ret; i++) {
		ret = put_stage(p, i, err);
		progress(i + 1, num + 1);
	}
	progress_end();
	if (ret)
		return -1;
	fputs("</div>\n<h2>Where it is expensive</h2>\n<div class=\"strip\">\n", p->to);
	if (put_heat(p, p->times, "how many draws changed each pixel", err) ||
	    put_heat(p, p->instructions, "instructions of fragment shaders", err) || put_heat(p, p->samples, "texture reads", err))
		return -1;
	fputs("</div>\n", p->to);
	put_costs(p, num);
	put_units(p);
	put_times(p);
	fputs("<h2>State</h2>\n<p>Of the first draw all of it, then what each draw changes.</p>\n", p->to);
	for (uint32_t i = 0; i < num; i++)
		put_state(p, i);
	fputs("</body></html>\n", p->to);
	return 0;
}

static void on_report(void *ctx, const char *text)
{
	struct page *p = ctx;

	if (p->reports_to)
		fprintf(p->reports_to, "%s\n", text);
}

/* The capture is read; its whole run is over. */
static int write_page(struct page *p)
{
	const struct replay_picture *picture = &p->stages.picture;
	struct limn_error err;
	struct out_file out;

	if (!picture->rgba)
		return failed(EXIT_INPUT, "%s: no submit has drawn anything that can be shown", p->o->path);
	p->width = picture->width;
	p->height = picture->height;
	p->was = malloc((size_t)p->width * p->height * 4);
	p->times = calloc((size_t)p->width * p->height, sizeof(*p->times));
	p->costs = calloc(p->stages.num + 1, sizeof(*p->costs));
	p->instructions = calloc((size_t)p->width * p->height, sizeof(*p->instructions));
	p->samples = calloc((size_t)p->width * p->height, sizeof(*p->samples));
	p->now = calloc((size_t)p->width * p->height, sizeof(*p->now));
	p->tiles = calloc((size_t)(p->width + 15) / 16 * ((p->height + 15) / 16), 1);
	if (!p->was || !p->times || !p->costs || !p->instructions || !p->samples || !p->now || !p->tiles)
		return failed(EXIT_INPUT, "out of memory");
	p->stages.watch.cost = on_cost;
	if (out_open(&out, p->o->out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	p->to = out.f;
	if (put_page(p, &err)) {
		out_discard(&out);
		return failed(EXIT_INPUT, "%s: %s", p->o->path, err.text);
	}
	if (out_close(&out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!p->o->quiet && strcmp(p->o->out, "-"))
		printf("%s: %u draws\n", p->o->out, p->stages.num);
	return EXIT_OK;
}

static int report_capture(const struct options *o)
{
	struct page p = { .o = o };
	const struct replay_options options = {
		.model = o->model, .last = o->one ? o->submit : UINT32_MAX, .strict = o->strict, .ctx = &p, .report = on_report,
		.activity = on_activity, .before = on_submit,
	};
	struct limn_error err;
	int status;

	p.reports_to = open_memstream(&p.reports, &p.reports_size);
	status = stages_open(&p.stages, o->path, &options, &err);
	if (p.reports_to)
		fclose(p.reports_to);
	p.reports_to = NULL;
	if (status) {
		free(p.reports);
		free(p.units.spans);
		free(p.units.submits);
		return failed(EXIT_INPUT, "%s", err.text);
	}
	status = write_page(&p);
	free(p.was);
	free(p.times);
	free(p.costs);
	free(p.instructions);
	free(p.samples);
	free(p.now);
	free(p.tiles);
	free(p.reports);
	free(p.units.spans);
	free(p.units.submits);
	stages_close(&p.stages);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct options o = { .path = NULL };
	const struct option own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE", .required = true,
		  .help = "the page, .html" },
		{ .name = "--submit", .kind = OPTION_COUNT, .to = &o.submit, .value = "N", .max = UINT32_MAX, .given = &o.one,
		  .help = "end behind that submit (they count from 0)" },
		OPTION_OTHER_MODEL(&o.model),
		OPTION_STRICT(&o.strict),
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "report", .files = "FILE", .options = own, .paths = &o.path, .max_paths = 1, .min_paths = 1,
		.example = "limn report frame.limncap -o report.html",
		.about = "Writes a capture as one HTML page that needs no network: the picture after each draw, how many\n"
			 "draws changed each pixel, what each draw costs and changes of the state, shaders, when the model's\n"
			 "units worked and jobs were submitted, and what the model reports.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	return report_capture(&o);
}
