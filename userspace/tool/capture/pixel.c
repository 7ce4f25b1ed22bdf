// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "lib/utgard/states.h"
#include "lib/vivante/states.h"
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
	char name[24] = "", value[80] = "";
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
		name[strlen(name)] = "xyzw"[c];
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

/*
 * What decides over a fragment, in the same words for both families; {} are fields of their tables of states. Of the
 * stencil's faces the first row is the one that Utgard calls front and Vivante clockwise.
 */
static const struct rule {
	const char *name, *utgard, *vivante;
	int face;		/* only of that face: 1, 0; -1: of both */
} rules[] = {
	{ "channels written", "{COLOR_MASK}", "{PE.COLOR_FORMAT.COMPONENTS}", -1 },
	{ "depth test", "{DEPTH_FUNC}, written: {DEPTH_WRITE}",
	  "{PE.DEPTH_CONFIG.DEPTH_FUNC}, written: {PE.DEPTH_CONFIG.WRITE_ENABLE}, buffer: {PE.DEPTH_CONFIG.DEPTH_MODE}", -1 },
	{ "stencil test", "{STENCIL_FUNC}, reference {STENCIL_REF}, mask {STENCIL_MASK}, write mask {STENCIL_WRITE_FRONT}; fail {STENCIL_FAIL}, "
	  "depth fail {STENCIL_ZFAIL}, pass {STENCIL_ZPASS}",
	  "{PE.STENCIL_OP.FUNC_FRONT}, reference {PE.STENCIL_CONFIG.REF_FRONT}, mask {PE.STENCIL_CONFIG.MASK_FRONT}, "
	  "write mask {PE.STENCIL_CONFIG.WRITE_MASK_FRONT}; fail {PE.STENCIL_OP.FAIL_FRONT}, depth fail {PE.STENCIL_OP.DEPTH_FAIL_FRONT}, "
	  "pass {PE.STENCIL_OP.PASS_FRONT}", 1 },
	{ "stencil test", "{STENCIL_BACK_FUNC}, reference {STENCIL_BACK_REF}, mask {STENCIL_BACK_MASK}, write mask {STENCIL_WRITE_BACK}; "
	  "fail {STENCIL_BACK_FAIL}, depth fail {STENCIL_BACK_ZFAIL}, pass {STENCIL_BACK_ZPASS}",
	  "{PE.STENCIL_OP.FUNC_BACK}, reference {PE.STENCIL_CONFIG_EXT.REF_BACK}, mask {PE.STENCIL_CONFIG_EXT2.MASK_BACK}, "
	  "write mask {PE.STENCIL_CONFIG_EXT2.WRITE_MASK_BACK}; fail {PE.STENCIL_OP.FAIL_BACK}, depth fail {PE.STENCIL_OP.DEPTH_FAIL_BACK}, "
	  "pass {PE.STENCIL_OP.PASS_BACK}", 0 },
	{ "alpha test", "{ALPHA_FUNC}, reference {ALPHA_REF}",
	  "{PE.ALPHA_OP.ALPHA_TEST}, {PE.ALPHA_OP.ALPHA_FUNC}, reference {PE.ALPHA_OP.ALPHA_REF}", -1 },
	{ "blend", "{BLEND_FUNC_RGB} of source * {BLEND_SRC_RGB}, destination * {BLEND_DST_RGB}; alpha {BLEND_FUNC_ALPHA} of "
	  "source * {BLEND_SRC_ALPHA}, destination * {BLEND_DST_ALPHA}",
	  "{PE.ALPHA_CONFIG.BLEND_ENABLE_COLOR}, {PE.ALPHA_CONFIG.EQ_COLOR} of source * {PE.ALPHA_CONFIG.SRC_FUNC_COLOR}, "
	  "destination * {PE.ALPHA_CONFIG.DST_FUNC_COLOR}; alpha on its own: {PE.ALPHA_CONFIG.BLEND_SEPARATE_ALPHA}, {PE.ALPHA_CONFIG.EQ_ALPHA} of "
	  "source * {PE.ALPHA_CONFIG.SRC_FUNC_ALPHA}, destination * {PE.ALPHA_CONFIG.DST_FUNC_ALPHA}", -1 },
};

static bool rule_word(const struct model_fragment *f, uint32_t at, uint32_t *value)
{
	for (uint32_t i = 0; i < f->num_rules; i++)
		if (f->rule[i].at == at) {
			*value = f->rule[i].value;
			return true;
		}
	return false;
}

/* The field's value as its table says it; false: the fragment has not got that state. */
static bool field_text(const struct model_fragment *f, const char *name, char *text, size_t size)
{
	const char *dot = strrchr(name, '.'), *value = NULL;
	char state[80];
	uint32_t word = 0, width = 0;
	bool flag = false;

	if (!dot) {
		const struct utgard_field *u;

		snprintf(state, sizeof(state), "RSW.%s", name);
		u = limn_utgard_field_named(state, &(unsigned int){ 0 });
		if (!u || !rule_word(f, u->bit / 32, &word))
			return false;
		word >>= u->bit % 32;
		width = u->width;
		flag = u->kind == UTGARD_KIND_BOOL;
		if (limn_utgard_value_text(u->kind, word & ((1u << width) - 1), state, sizeof(state)))
			value = state;
	} else {
		const struct viv_row *row, *v, *kind;

		snprintf(state, sizeof(state), "%.*s", (int)(dot - name), name);
		row = limn_viv_state_named(state);
		if (!row || !rule_word(f, row->at, &word))
			return false;
		v = limn_viv_field_first(row);
		while (v && strcmp(v->name, dot + 1))
			v = limn_viv_field_next(v);
		if (!v)
			return false;
		word >>= v->lo;
		width = v->hi - v->lo + 1u;
		kind = limn_viv_kind_row(v->kind);
		flag = width == 1 && !kind;
		value = kind ? limn_viv_value_name(kind, word & ((1u << width) - 1)) : NULL;
	}
	word &= (1u << width) - 1;
	if (!strcmp(name, "COLOR_MASK") || !strcmp(dot ? dot : "", ".COMPONENTS"))
		snprintf(text, size, "%s%s%s%s%s", word & 1 ? "R" : "", word & 2 ? "G" : "", word & 4 ? "B" : "", word & 8 ? "A" : "",
			 word ? "" : "none");
	else if (value || flag)
		snprintf(text, size, "%s", value ? value : !word ? "off" : "on");
	else
		snprintf(text, size, "%u", word);
	return true;
}

static bool rule_text(const struct model_fragment *f, const char *template, char *text, size_t size)
{
	size_t n = 0;

	for (const char *p = template; *p && n + 1 < size; p++) {
		char name[64];

		if (*p != '{') {
			text[n++] = *p;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p + 1, "}"), p + 1);
		if (!field_text(f, name, text + n, size - n))
			return false;
		n += strlen(text + n);
		p = strchr(p, '}');
	}
	text[n] = 0;
	return true;
}

static void print_rules(struct json *j, const struct model_fragment *f)
{
	uint32_t stencil;
	char text[600];
	/* Vivante's second face counts in one mode only. */
	bool face = f->front || (rule_word(f, VIVS_PE_STENCIL_CONFIG, &stencil) && !f->state &&
				 VIV_GET(VIVS_PE_STENCIL_CONFIG_MODE, stencil) != VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED);

	json_array(j, "rules");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if ((r->face >= 0 && r->face != face) || !rule_text(f, f->state ? r->utgard : r->vivante, text, sizeof(text)))
			continue;
		if (!strncmp(text, "off,", 4))
			text[3] = 0;
		json_object(j, NULL);
		report(j, "  {rule}: {says}\n", STRING("rule", r->name), STRING("says", text));
		json_end_object(j);
	}
	json_end_array(j);
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
	print_rules(j, f);
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
