// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/capture/pixel.h"
#include "tool/options.h"

#define MAX_STEPS	1000		/* that are told of one run of a shader */

int pixel_read(const char *option, const char *text, int32_t *x, int32_t *y)
{
	int n = 0;

	if (sscanf(text, "%5d,%5d%n", x, y, &n) == 2 && !text[n] && *x >= 0 && *y >= 0)
		return EXIT_OK;
	return failed(EXIT_USAGE, "%s%s: a pixel is X,Y: two numbers from 0 on", option, text);
}

static const char *const verdicts[] = {
	[MODEL_DRAWN] = "drawn",
	[MODEL_MISSED] = "does not cover it",
	[MODEL_CULLED] = "culled: it shows the face that is not drawn",
	[MODEL_CLIPPED] = "outside of the view volume, clipped away",
	[MODEL_SCISSORED] = "cut off by the scissor",
	[MODEL_DEPTH_CLIPPED] = "beyond the near or far plane",
	[MODEL_STENCIL_FAILED] = "failed the stencil test",
	[MODEL_DEPTH_FAILED] = "failed the depth test",
	[MODEL_DISCARDED] = "discarded by the shader",
	[MODEL_ALPHA_FAILED] = "failed the alpha test",
	[MODEL_UNCOVERED] = "no sample left by alpha to coverage",
	[MODEL_MASKED] = "no channel may be written",
};

/* Utgard's by its state; Vivante's is the so many'th draw of the submit that runs. */
static const struct draw *draw_of(const struct pixel_history *h, const struct model_fragment *f)
{
	uint32_t n = f->draw;

	for (size_t i = h->draws ? h->draws->num : 0; f->state && i--;)
		if (h->draws->list[i].state == f->state)
			return &h->draws->list[i];
	for (size_t i = 0; h->draws && !f->state && i < h->draws->num; i++) {
		const struct draw *d = &h->draws->list[i];

		if (d->submit == h->submit && !d->copy && !n--)
			return d;
	}
	return NULL;
}

static void print_head(const struct pixel_history *h, const struct model_fragment *f)
{
	const struct draw *d = draw_of(h, f);
	struct json *j = h->json;

	report(j, "submit {submit}, ", INT("submit", h->submit));
	if (d)
		report(j, "draw {draw} of submit {draw_submit} ({command}), ", INT("draw", d->index), INT("draw_submit", d->submit),
		       STRING("command", d->what));
	else if (!f->state)
		report(j, "draw {draw}, ", INT("draw", f->draw));
	report(j, "{primitive}", STRING("primitive", f->primitive));
	json_words(j, "vertices", f->index, f->vertices);
	for (uint32_t i = 0; i < f->vertices; i++)
		report(j, "{_gap}{_i}", TEXT("_gap", " "), TEXT_INT("_i", f->index[i]));
	if (f->state && !strcmp(f->unit, "plbu"))
		report(j, ", state at 0x{state}: ", HEX("state", f->state));	/* which side is its front, the PLBU does not know */
	else if (f->state)
		report(j, ", {_side}, state at 0x{state}: ", BOOL("front", f->front), TEXT("_side", f->front ? "front" : "back"),
		       HEX("state", f->state));
	else
		report(j, ", {_side}clockwise, target at 0x{target}: ", BOOL("clockwise", f->front),
		       TEXT("_side", f->front ? "" : "counter-"), HEX("target", f->target));
	report(j, "{verdict}", STRING("verdict", verdicts[f->verdict]));
	if (f->distance > 0 && isfinite(f->distance))
		report(j, f->verdict == MODEL_MISSED ? " by {pixels_away%.1f} pixels" : ", and {pixels_away%.1f} pixels away",
		       REAL("pixels_away", f->distance));
	report(j, "\n");
}

static void print_vector(struct json *j, const char *key, const char *name, const float v[4])
{
	json_object(j, key);
	report(j, "  {_name} = {x%g} {y%g} {z%g} {w%g}\n", TEXT("_name", name), REAL("x", v[0]), REAL("y", v[1]), REAL("z", v[2]),
	       REAL("w", v[3]));
	json_end_object(j);
}

/* A register's components that changed: "t1.xy = 0.5 2"; bits that are a denormal float are told as they are. */
static void print_register(struct json *j, const struct model_step *s, const struct model_register *r)
{
	static const char *const pipes[] = { "^const0", "^const1", "^texture", "^uniform" };
	bool vivante = !strcmp(s->isa, "vivante");
	char name[24], value[80] = "";
	size_t n = 0;

	if (!vivante && r->number >= 12)
		snprintf(name, sizeof(name), "%s.", pipes[r->number - 12]);
	else
		snprintf(name, sizeof(name), "%c%u.", vivante ? 't' : '$', r->number);
	for (unsigned int c = 0; c < 4; c++) {
		float v;

		if (!(r->mask >> c & 1))
			continue;
		memcpy(&v, &r->value[c], 4);
		strncat(name, &"xyzw"[c], 1);
		if (fpclassify(v) == FP_SUBNORMAL)
			n += (size_t)snprintf(value + n, sizeof(value) - n, " 0x%x", r->value[c]);
		else
			n += (size_t)snprintf(value + n, sizeof(value) - n, " %.7g", (double)v);
	}
	json_object(j, NULL);
	report(j, "         {register} = {value}\n", STRING("register", name), STRING("value", value + 1));
	json_end_object(j);
}

static void print_step(struct json *j, const struct pixel_step *p)
{
	const struct model_step *s = &p->step;
	char *text = s->num_words ? limn_isa_disasm(limn_isa_find(s->isa), p->words, s->num_words) : NULL, *end;
	const char *line = text ? text : "";

	/* The number in front of an instruction is that of a shader which is it alone. */
	if (*line == '@')
		line = strchr(line, ':') ? strchr(line, ':') + 1 : line;
	line += strspn(line, " \t");
	json_object(j, NULL);
	report(j, "    {at%3lld}: ", INT("at", s->at));
	for (end = text ? text + strlen(text) : NULL; end > text && end[-1] == '\n';)
		*--end = 0;
	report(j, "{text}\n", STRING("text", line));
	free(text);
	if (s->sampled) {
		json_object(j, "texture");
		report(j, "         texture {sampler} at {s%g} {t%g} {r%g} {q%g} is {red%g} {green%g} {blue%g} {alpha%g}\n",
		       INT("sampler", s->sampler), REAL("s", s->coord[0]), REAL("t", s->coord[1]), REAL("r", s->coord[2]),
		       REAL("q", s->coord[3]), REAL("red", s->texel[0]), REAL("green", s->texel[1]), REAL("blue", s->texel[2]),
		       REAL("alpha", s->texel[3]));
		json_end_object(j);
	}
	json_array(j, "registers");
	for (uint32_t i = 0; i < s->num_registers; i++)
		print_register(j, s, &s->reg[i]);
	json_end_array(j);
	json_end_object(j);
}

static void print_steps(struct pixel_history *h)
{
	struct json *j = h->json;

	if (!h->num_steps)
		return;
	report(j, "  its shader:\n");
	json_array(j, "steps");
	for (size_t i = 0; i < h->num_steps; i++)
		print_step(j, &h->steps[i]);
	json_end_array(j);
	if (h->steps_left_out)
		report(j, "    and {steps_left_out} more\n", INT("steps_left_out", (int64_t)h->steps_left_out));
}

static void print_fragment(struct pixel_history *h, const struct model_fragment *f)
{
	struct json *j = h->json;
	char name[40];

	json_object(j, NULL);
	print_head(h, f);
	for (uint32_t i = 0; i < f->vertices; i++) {
		snprintf(name, sizeof(name), "vertex %u", f->index[i]);
		print_vector(j, name, name, f->position[i]);
	}
	if (f->covered) {
		report(j, "  samples covered: {_n} of {samples}\n", HEX("covered", f->covered),
		       TEXT_INT("_n", __builtin_popcount(f->covered)), INT("samples", f->samples));
	}
	if (f->covered && f->has_zs) {
		report(j, "  depth {depth}; the buffer's {depth_before} -> {depth_after}, stencil {stencil_before} -> {stencil_after}\n",
		       HEX("depth", f->z), HEX("depth_before", f->zs_before & 0xffffff), HEX("depth_after", f->zs_after & 0xffffff),
		       INT("stencil_before", f->zs_before >> 24), INT("stencil_after", f->zs_after >> 24));
	}
	for (uint32_t i = 0; f->shaded && i < MODEL_WATCH_VARYINGS; i++) {
		snprintf(name, sizeof(name), "varying %u", i);
		if (f->varyings_read >> i & 1)
			print_vector(j, name, name, f->varying[i]);
	}
	print_steps(h);
	if (f->shaded)
		print_vector(j, "shader_out", "out of the shader", f->color);
	if (f->shaded && f->has_color) {
		report(j, "  colour {_r0} {_g0} {_b0} {_a0} -> {_r1} {_g1} {_b1} {_a1}\n", HEX("before", f->before), HEX("after", f->after),
		       TEXT_INT("_r0", f->before & 255), TEXT_INT("_g0", f->before >> 8 & 255), TEXT_INT("_b0", f->before >> 16 & 255),
		       TEXT_INT("_a0", f->before >> 24), TEXT_INT("_r1", f->after & 255), TEXT_INT("_g1", f->after >> 8 & 255),
		       TEXT_INT("_b1", f->after >> 16 & 255), TEXT_INT("_a1", f->after >> 24));
	}
	json_end_object(j);
}

static void on_step(void *ctx, const struct model_step *s)
{
	struct pixel_history *h = ctx;
	struct pixel_step *more = h->num_steps % 64 ? h->steps : NULL;

	if (!more && h->num_steps < MAX_STEPS)
		more = realloc(h->steps, (h->num_steps + 64) * sizeof(*more));
	if (!more || h->num_steps == MAX_STEPS) {
		h->steps_left_out++;
		return;
	}
	h->steps = more;
	more += h->num_steps++;
	more->step = *s;
	more->step.num_words = s->num_words < 32 ? s->num_words : 32;
	memcpy(more->words, s->words, 4 * more->step.num_words);
}

static void on_fragment(void *ctx, const struct model_fragment *f)
{
	struct pixel_history *h = ctx;

	if (f->verdict == MODEL_MISSED || f->distance > 0) {
		if (!h->any_missed || f->distance < h->nearest.distance)
			h->nearest = *f;
		h->any_missed = true;
		return;
	}
	h->told++;
	h->drawn += f->verdict == MODEL_DRAWN;
	print_fragment(h, f);
	h->num_steps = 0;
	h->steps_left_out = 0;
}

void pixel_watch(struct pixel_history *h, struct model *model)
{
	h->watch.ctx = h;
	h->watch.fragment = on_fragment;
	h->watch.step = on_step;
	h->watch.draws = 0;
	model_watch_pixel(model, &h->watch);
}

void pixel_end(struct pixel_history *h)
{
	struct json *j = h->json;

	free(h->steps);
	h->steps = NULL;
	h->num_steps = 0;
	if (h->drawn)
		return;
	report(j, h->told ? "nothing drew here: see above\n" : "nothing drew here: it is as it was cleared, or reloaded\n");
	if (h->told)
		return;
	if (!h->any_missed) {
		report(j, "no primitive came near it: none was drawn, or (Mali Utgard) none is in this tile's list\n");
		return;
	}
	report(j, "nearest: ");
	print_fragment(h, &h->nearest);
}
