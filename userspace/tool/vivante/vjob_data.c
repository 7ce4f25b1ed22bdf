// SPDX-License-Identifier: MIT
/* Statements of a Vivante job that carry data: vertices, uniforms, shaders, textures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tool/vivante/vjob.h"

/* --- Vertices ------------------------------------------------------------------- */

static void read_attribute(struct vjob_parser *v)
{
	uint32_t slot = job_integer(v->r, "attribute", 0, VIV_MAX_ATTRIBUTES - 1);
	const struct job_element *e;
	struct job_vertex_data data;
	struct vjob_attribute *a;

	if (job_accept(v->r, "off")) {
		v->now.attributes[slot] = NULL;
		return;
	}
	e = job_vertices(v->p, slot, &data);
	a = job_alloc(v->p->job, sizeof(*a));
	if (!a)
		job_fail(v->r, "out of memory");
	if (v->r->failed)
		return;
	a->data = data.data;
	a->stride = data.stride;
	a->vertices = data.vertices;
	a->type = e->fe_type;
	a->components = data.components;
	a->element_bytes = e->bytes * data.components;
	a->normalized = e->normalized;
	v->now.attributes[slot] = a;
}

static void read_indices(struct vjob_parser *v)
{
	const struct job_indices *ix = job_index_list(v->p);

	if (ix)
		v->now.indices = ix;
}

/* A temporary, t0 to t63. */
static uint32_t read_temporary(struct vjob_parser *v)
{
	char *end = NULL;
	unsigned long n = v->r->text[0] == 't' ? strtoul(v->r->text + 1, &end, 10) : 64;

	if (v->r->failed || v->r->token != JOB_WORD || n > 63 || end == v->r->text + 1 || *end) {
		job_fail(v->r, "a temporary, t0 to t63, is expected, not '%s'", v->r->text);
		return 0;
	}
	job_next(v->r);
	return n;
}

/* outputs position T [KIND T]... [point-size T]; point-coord takes no temporary */
static void read_outputs(struct vjob_parser *v)
{
	struct vjob_draw *d = &v->now;
	bool position = false;

	d->num_varyings = 0;
	d->size_reg = -1;
	while (!v->r->failed && v->r->token == JOB_WORD) {
		struct viv_varying y = { .kind = VIV_VARYING_GENERIC };
		const char *word = v->r->text;
		size_t n = strlen(word);

		if (job_accept(v->r, "position")) {
			d->position = read_temporary(v);
			position = true;
			continue;
		}
		if (job_accept(v->r, "point-size")) {
			d->size_reg = read_temporary(v);
			continue;
		}
		if (job_is_word(v->r, "point-coord")) {
			y.kind = VIV_VARYING_POINT_COORD;
			y.components = 2;
		} else if (n == 6 && (!strncmp(word, "float", 5) || !strncmp(word, "color", 5)) && word[5] >= '1' &&
			   word[5] <= '4') {
			y.kind = word[0] == 'c' ? VIV_VARYING_COLOR : VIV_VARYING_GENERIC;
			y.components = word[5] - '0';
		} else {
			job_fail(v->r, "outputs: '%s' is none of position, point-size, point-coord, float1 to 4, color1 to 4",
				 word);
			return;
		}
		if (d->num_varyings == VIV_MAX_VARYINGS)
			job_fail(v->r, "more than %u varyings", VIV_MAX_VARYINGS);
		job_next(v->r);
		if (y.kind != VIV_VARYING_POINT_COORD)
			y.reg = read_temporary(v);
		if (!v->r->failed)
			d->varyings[d->num_varyings++] = y;
	}
	if (!position)
		job_fail(v->r, "outputs need a position");
}

/* --- Uniforms --------------------------------------------------------------------- */

static void read_uniforms(struct vjob_parser *v, const uint32_t **words, uint32_t *vectors)
{
	int line = v->r->token_line, column = v->r->token_column;
	struct job_number *list;
	uint32_t count = job_block(v->r, &list, NULL, NULL);
	float *f;

	if (v->r->failed)
		return;
	if (count % 4 || count / 4 > 512)
		job_fail_at(v->r, line, column, "%u numbers are not 0 to 512 vectors of 4", count);
	f = job_alloc(v->p->job, count * sizeof(*f) + 1);
	if (!f)
		job_fail(v->r, "out of memory");
	for (uint32_t i = 0; i < count && !v->r->failed; i++)
		f[i] = list[i].value;
	free(list);
	*words = (const uint32_t *)f;
	*vectors = count / 4;
}

static void read_vertex_uniforms(struct vjob_parser *v)
{
	read_uniforms(v, &v->now.vs_uniforms, &v->now.num_vs_uniforms);
}

static void read_fragment_uniforms(struct vjob_parser *v)
{
	read_uniforms(v, &v->now.ps_uniforms, &v->now.num_ps_uniforms);
}

static void read_color_register(struct vjob_parser *v)
{
	v->now.color_reg = read_temporary(v);
}

/* --- Shaders ------------------------------------------------------------------------ */

/* Source operands of an instruction, rnndb isa.xml: word and bit of use, register, register group. */
static const struct {
	uint8_t word, use, reg, group_word, group;
} sources[] = { { 1, 11, 12, 2, 3 }, { 2, 6, 7, 3, 0 }, { 3, 3, 4, 3, 28 } };

#define GROUP_TEMP	0
#define GROUP_UNIFORM0	2
#define GROUP_UNIFORM1	3
#define OP_TEXKILL	0x17

static bool samples(uint32_t opcode)
{
	/* TEXLD, B, D, L, P; TEXLDLPCF, TEXLDGPCF, TEXLDPCF's kin */
	return (opcode >= 0x18 && opcode <= 0x1c) || (opcode >= 0x6f && opcode <= 0x70);
}

/* What the shader names; the assembler has made the words, so every field is what it says. */
static void scan(struct vjob_shader *s)
{
	uint32_t temps = 1;

	for (uint32_t i = 0; i < s->instructions; i++) {
		const uint32_t *w = s->words + 4 * i;
		uint32_t opcode = (w[0] & 0x3f) | (w[2] >> 10 & 0x40), reg;

		if (w[0] & 0x1000 && (w[0] >> 16 & 0x7f) + 1 > temps)
			temps = (w[0] >> 16 & 0x7f) + 1;
		for (int k = 0; k < 3; k++) {
			uint32_t group = w[sources[k].group_word] >> sources[k].group & 7;

			if (!(w[sources[k].word] >> sources[k].use & 1))
				continue;
			reg = w[sources[k].word] >> sources[k].reg & 0x1ff;
			if (group == GROUP_TEMP && reg + 1 > temps)
				temps = reg + 1;
			reg += group == GROUP_UNIFORM1 ? 128 : 0;
			if ((group == GROUP_UNIFORM0 || group == GROUP_UNIFORM1) && reg + 1 > s->uniforms)
				s->uniforms = reg + 1;
		}
		if (samples(opcode))
			s->textures |= 1u << (w[0] >> 27);
		s->discards |= opcode == OP_TEXKILL;
	}
	s->temps = temps;
}

static const struct vjob_shader *read_shader(struct vjob_parser *v)
{
	struct isa_messages messages = { 0 };
	struct vjob_shader *s = NULL;
	char path[512], *text;
	uint32_t *words = NULL;
	size_t count = 0;
	int line;

	text = job_shader_text(v->p, path, sizeof(path), &line);
	if (!text)
		return NULL;
	if (isa_asm(isa_find("vivante"), text, strlen(text), &words, &count, &messages))
		job_shader_fail(v->p, path, line, &messages);
	else if (!count)
		job_fail_at(v->r, line, 1, "the shader is empty");
	else
		job_shader_warn(isa_find("vivante"), path, line, &messages, words, count);
	isa_messages_free(&messages);
	free(text);
	if (!v->r->failed)
		s = job_alloc(v->p->job, sizeof(*s));
	if (s)
		s->words = job_alloc(v->p->job, count * sizeof(*words));
	if (!v->r->failed && (!s || !s->words))
		job_fail(v->r, "out of memory");
	if (!v->r->failed) {
		memcpy(s->words, words, count * sizeof(*words));
		s->instructions = count / 4;
		s->line = line;
		scan(s);
	}
	free(words);
	return v->r->failed ? NULL : s;
}

static void read_vertex_shader(struct vjob_parser *v)
{
	v->now.vs = read_shader(v);
}

static void read_fragment_shader(struct vjob_parser *v)
{
	v->now.ps = read_shader(v);
}

/* --- Textures ------------------------------------------------------------------------- */

struct texel {
	const char *name;
	uint32_t format, cpp;
	bool ext;
	uint8_t channel[4];	/* of each byte, from the lowest: 0 to 3 are r g b a */
	uint8_t bits[4];	/* width of each, from the lowest bit on */
};

static const struct texel texels[] = {
	{ "rgba8888", TEXTURE_FORMAT_A8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 } },
	{ "bgra8888", TEXTURE_FORMAT_A8R8G8B8, 4, false, { 2, 1, 0, 3 }, { 8, 8, 8, 8 } },
	{ "rgbx8888", TEXTURE_FORMAT_X8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 } },
	{ "rgb565", TEXTURE_FORMAT_R5G6B5, 2, false, { 2, 1, 0, 3 }, { 5, 6, 5, 0 } },
	{ "rgba4444", TEXTURE_FORMAT_A4R4G4B4, 2, false, { 2, 1, 0, 3 }, { 4, 4, 4, 4 } },
	{ "rgba5551", TEXTURE_FORMAT_A1R5G5B5, 2, false, { 2, 1, 0, 3 }, { 5, 5, 5, 1 } },
	{ "l8", TEXTURE_FORMAT_L8, 1, false, { 0, 1, 2, 3 }, { 8, 0, 0, 0 } },
	{ "a8", TEXTURE_FORMAT_A8, 1, false, { 3, 0, 1, 2 }, { 8, 0, 0, 0 } },
	{ "la88", TEXTURE_FORMAT_A8L8, 2, false, { 0, 3, 1, 2 }, { 8, 8, 0, 0 } },
};

static void pack_texel(const struct texel *f, const float rgba[4], uint8_t *out)
{
	uint32_t value = 0, shift = 0;

	for (int i = 0; i < 4; i++) {
		float x = rgba[f->channel[i]], max = (1u << f->bits[i]) - 1;

		x = x < 0 ? 0 : x > 1 ? 1 : x;
		value |= (uint32_t)lrintf(x * max) << shift;
		shift += f->bits[i];
	}
	for (uint32_t b = 0; b < f->cpp; b++)
		out[b] = value >> (8 * b);
}

static uint32_t minify(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

static uint32_t align(uint32_t value, uint32_t to)
{
	return (value + to - 1) & ~(to - 1);
}

/* Where levels lie, and how many bytes all of them take. */
static uint32_t lay_out(struct vjob_texture *t, uint32_t cpp)
{
	uint32_t pad = t->supertiled ? 64 : 4, at = 0;

	for (uint32_t i = 0; i < t->t.levels; i++) {
		uint32_t w = align(minify(t->t.width, i), pad), h = align(minify(t->t.height, i), t->t.linear ? 1 : pad);

		t->t.offsets[i] = at;
		if (!i)
			t->t.stride = w * cpp;
		at = align(at + w * h * cpp, 64);
	}
	return at;
}

static void store_level(struct vjob_texture *t, const struct texel *f, uint32_t level, const float *rgba, uint8_t *row)
{
	uint32_t w = minify(t->t.width, level), h = minify(t->t.height, level), pad = t->supertiled ? 64 : 4;
	struct viv_tiling tiling = {
		.bits = t->t.linear ? 0 : t->supertiled ? VIV_TILE | VIV_SUPER : VIV_TILE,
		.mode = VIV_SUPERTILE_MODE_HZ, .cpp = f->cpp, .stride = align(w, pad) * f->cpp, .height = align(h, pad),
	};

	for (uint32_t y = 0; y < h; y++) {
		for (uint32_t x = 0; x < w; x++)
			pack_texel(f, rgba + 4 * (y * w + x), row + x * f->cpp);
		viv_tiling_store(&tiling, t->data + t->t.offsets[level], row, w * f->cpp, 0, y, w, 1);
	}
}

static void store(struct vjob_parser *v, struct vjob_texture *t, const struct texel *f)
{
	uint64_t texels_in = (uint64_t)t->t.width * t->t.height;
	float *level = malloc(texels_in * 16 + 16), *next = malloc(texels_in * 16 + 16), *swap;
	uint8_t *row = malloc(t->t.width * f->cpp);

	if (!level || !next || !row)
		job_fail(v->r, "out of memory");
	else
		job_source(v->p, t->t.width, t->t.height, level);
	for (uint32_t i = 0; i < t->t.levels && !v->r->failed; i++) {
		store_level(t, f, i, level, row);
		job_halve(level, minify(t->t.width, i), minify(t->t.height, i), next);
		swap = level;
		level = next;
		next = swap;
	}
	free(level);
	free(next);
	free(row);
}

static const struct texel *read_texel(struct vjob_parser *v)
{
	for (unsigned int i = 0; i < sizeof(texels) / sizeof(texels[0]); i++)
		if (job_accept(v->r, texels[i].name))
			return &texels[i];
	job_fail(v->r, "no texture format '%s'", v->r->text);
	return NULL;
}

static void read_layout(struct vjob_parser *v, struct vjob_texture *t)
{
	uint32_t max = 1;

	while (minify(t->t.width, max) > 1 || minify(t->t.height, max) > 1)
		max++;
	max += t->t.width > 1 || t->t.height > 1;
	if (job_accept(v->r, "levels"))
		t->t.levels = job_accept(v->r, "all") ? max : job_integer(v->r, "levels", 1, max);
	if (t->t.levels > VIV_MAX_LEVELS)
		t->t.levels = VIV_MAX_LEVELS;
	if (job_accept(v->r, "linear"))
		t->t.linear = true;
	else if (job_accept(v->r, "supertiled"))
		t->supertiled = true;
	else
		job_accept(v->r, "tiled");
	if (t->t.linear && t->t.levels > 1)
		job_fail(v->r, "a linear texture has one level");
	t->t.halign = t->supertiled ? TEXTURE_HALIGN_SUPER_TILED : TEXTURE_HALIGN_FOUR;
}

/* texture|vertex-texture UNIT FORMAT WIDTH HEIGHT [levels N|all] [linear|tiled|supertiled] SOURCE */
static void read_any_texture(struct vjob_parser *v, bool vertex)
{
	uint32_t unit = job_integer(v->r, "texture", 0, VJOB_MAX_TEXTURES - 1);
	struct vjob_texture *t;
	const struct texel *f;

	if (job_accept(v->r, "off")) {
		v->now.textures[vertex][unit] = NULL;
		return;
	}
	f = read_texel(v);
	t = job_alloc(v->p->job, sizeof(*t));
	if (!t)
		job_fail(v->r, "out of memory");
	if (v->r->failed)
		return;
	t->t.type = TEXTURE_TYPE_2D;
	t->t.format = f->format;
	t->t.ext = f->ext;
	for (int i = 0; i < 4; i++)
		t->t.swizzle[i] = TEXTURE_SWIZZLE_RED + i;
	t->t.levels = 1;
	t->t.width = job_integer(v->r, "width", 1, VJOB_MAX_SIZE);
	t->t.height = job_integer(v->r, "height", 1, VJOB_MAX_SIZE);
	t->t.min = t->t.mag = TEXTURE_FILTER_NEAREST;
	t->t.mip = TEXTURE_FILTER_NONE;
	t->t.wrap_s = t->t.wrap_t = TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
	t->t.lod_max = VIV_MAX_LEVELS - 1;
	read_layout(v, t);
	if (v->r->failed)
		return;
	t->bytes = lay_out(t, f->cpp);
	t->data = job_alloc(v->p->job, t->bytes);
	if (!t->data)
		job_fail(v->r, "out of memory");
	if (!v->r->failed)
		store(v, t, f);
	if (!v->r->failed)
		v->now.textures[vertex][unit] = t;
}

static void read_texture(struct vjob_parser *v)
{
	read_any_texture(v, false);
}

static void read_vertex_texture(struct vjob_parser *v)
{
	read_any_texture(v, true);
}

/* sampler|vertex-sampler UNIT SETTING... */
static void read_any_sampler(struct vjob_parser *v, bool vertex)
{
	static const char *const filters[] = { "nearest", "linear", NULL };
	static const char *const mips[] = { "none", "nearest", "linear", NULL };
	static const char *const wraps[] = { "repeat", "mirror", "clamp", NULL };
	uint32_t unit = job_integer(v->r, "sampler", 0, VJOB_MAX_TEXTURES - 1);
	const struct vjob_texture *old = v->r->failed ? NULL : v->now.textures[vertex][unit];
	struct vjob_texture *t = job_alloc(v->p->job, sizeof(*t));

	if (!old || !t) {
		job_fail(v->r, !t ? "out of memory" : "sampler of a unit without texture");
		return;
	}
	/* Draws before this line keep what they had. */
	*t = *old;
	while (!v->r->failed && v->r->token == JOB_WORD) {
		if (job_accept(v->r, "min")) {
			t->t.min = TEXTURE_FILTER_NEAREST + job_choice(v->r, "min", filters);
		} else if (job_accept(v->r, "mag")) {
			t->t.mag = TEXTURE_FILTER_NEAREST + job_choice(v->r, "mag", filters);
		} else if (job_accept(v->r, "mip")) {
			t->t.mip = TEXTURE_FILTER_NONE + job_choice(v->r, "mip", mips);
		} else if (job_accept(v->r, "wrap")) {
			t->t.wrap_s = t->t.wrap_t = job_choice(v->r, "wrap", wraps);
			for (unsigned int i = 0; wraps[i]; i++) {
				if (job_accept(v->r, wraps[i])) {
					t->t.wrap_t = i;
					break;
				}
			}
		} else if (job_accept(v->r, "lod")) {
			t->t.lod_min = job_number(v->r, "lod", 0, 15);
			t->t.lod_max = job_number(v->r, "lod", 0, 15);
		} else if (job_accept(v->r, "bias")) {
			t->t.lod_bias = job_number(v->r, "bias", -15, 15);
		} else {
			job_fail(v->r, "sampler: no setting '%s'", v->r->text);
		}
	}
	v->now.textures[vertex][unit] = t;
}

static void read_sampler(struct vjob_parser *v)
{
	read_any_sampler(v, false);
}

static void read_vertex_sampler(struct vjob_parser *v)
{
	read_any_sampler(v, true);
}

const struct vjob_statement vjob_data_statements[] = {
	{ "attribute", read_attribute },
	{ "indices", read_indices },
	{ "outputs", read_outputs },
	{ "vertex-uniforms", read_vertex_uniforms },
	{ "fragment-uniforms", read_fragment_uniforms },
	{ "color-register", read_color_register },
	{ "vertex-shader", read_vertex_shader },
	{ "fragment-shader", read_fragment_shader },
	{ "texture", read_texture },
	{ "vertex-texture", read_vertex_texture },
	{ "sampler", read_sampler },
	{ "vertex-sampler", read_vertex_sampler },
	{ NULL, NULL },
};
