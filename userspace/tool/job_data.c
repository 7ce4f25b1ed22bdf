// SPDX-License-Identifier: MIT
/* Statements of a job file that carry data: vertices, uniforms, textures, shaders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "tool/job_parser.h"
#include "tool/png.h"

/* --- Vertex data ------------------------------------------------------ */

static const struct job_element elements[] = {
	{ "float", GP_TYPE_F32, FE_DATA_TYPE_FLOAT, 4, -3.4e38, 3.4e38, 0, false },
	{ "half", GP_TYPE_F16, FE_DATA_TYPE_HALF_FLOAT, 2, -65504, 65504, 0, false },
	{ "fixed", GP_TYPE_FIXED, FE_DATA_TYPE_FIXED, 4, -32768, 32767.9999, 65536, false },
	{ "byte", GP_TYPE_I8, FE_DATA_TYPE_BYTE, 1, -128, 127, 1, false },
	{ "ubyte", GP_TYPE_U8, FE_DATA_TYPE_UNSIGNED_BYTE, 1, 0, 255, 1, false },
	{ "short", GP_TYPE_I16, FE_DATA_TYPE_SHORT, 2, -32768, 32767, 1, false },
	{ "ushort", GP_TYPE_U16, FE_DATA_TYPE_UNSIGNED_SHORT, 2, 0, 65535, 1, false },
	{ "int", GP_TYPE_I32, FE_DATA_TYPE_INT, 4, -2147483648.0, 2147483647.0, 1, false },
	{ "uint", GP_TYPE_U32, FE_DATA_TYPE_UNSIGNED_INT, 4, 0, 4294967295.0, 1, false },
	{ "byten", GP_TYPE_I8N, FE_DATA_TYPE_BYTE, 1, -1, 1, 127, true },
	{ "ubyten", GP_TYPE_U8N, FE_DATA_TYPE_UNSIGNED_BYTE, 1, 0, 1, 255, true },
	{ "shortn", GP_TYPE_I16N, FE_DATA_TYPE_SHORT, 2, -1, 1, 32767, true },
	{ "ushortn", GP_TYPE_U16N, FE_DATA_TYPE_UNSIGNED_SHORT, 2, 0, 1, 65535, true },
};

const struct job_element *job_format(struct job_reader *r, uint32_t *components)
{
	size_t n = strlen(r->text);

	if (!r->failed && r->token == JOB_WORD && n > 1 && r->text[n - 1] >= '1' &&
	    r->text[n - 1] <= '4') {
		for (unsigned int i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
			if (strlen(elements[i].name) == n - 1 &&
			    !strncmp(elements[i].name, r->text, n - 1)) {
				*components = r->text[n - 1] - '0';
				job_next(r);
				return &elements[i];
			}
		}
	}
	job_fail(r, "no attribute format '%s'", r->text);
	return NULL;
}

static void put_element(const struct job_element *e, double value, uint8_t *out)
{
	int64_t i;
	float f = value;
	uint16_t h;

	if (e->gp_type == GP_TYPE_F32) {
		memcpy(out, &f, 4);
	} else if (e->gp_type == GP_TYPE_F16) {
		h = utgard_half(f);
		memcpy(out, &h, 2);
	} else {
		i = llrint(value * e->scale);
		for (int b = 0; b < e->bytes; b++)
			out[b] = i >> (8 * b);
	}
}

const struct job_element *job_vertices(struct job_parser *p, uint32_t slot, struct job_vertex_data *v)
{
	struct job_reader *r = &p->r;
	int line = r->token_line, column = r->token_column;
	const struct job_element *e = job_format(r, &v->components);
	struct job_number *list;
	uint32_t count = job_block(r, &list, NULL, NULL);

	if (r->failed)
		return NULL;
	if (!count || count % v->components || count / v->components > JOB_MAX_VERTICES)
		job_fail_at(r, line, column,
			    "attribute %u: %u numbers are not 1 to %u vertices of %u", slot,
			    count, JOB_MAX_VERTICES, v->components);
	v->vertices = count / v->components;
	v->stride = (e->bytes * v->components + 3) & ~3u;
	v->data = job_alloc(p->job, (uint64_t)v->stride * v->vertices);
	if (!v->data)
		job_fail(r, "out of memory");
	for (uint32_t i = 0; i < count && !r->failed; i++) {
		double value = list[i].value;

		if (value < e->min || value > e->max)
			job_fail_at(r, list[i].line, list[i].column, "%.12g is not in %.12g to %.12g", value,
				    e->min, e->max);
		else
			put_element(e, value, v->data + (i / v->components) * v->stride +
					      (i % v->components) * e->bytes);
	}
	free(list);
	return r->failed ? NULL : e;
}

static void read_attribute(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	uint32_t slot = job_integer(r, "attribute", 0, UTGARD_MAX_ATTRIBUTES - 1);
	const struct job_element *e;
	struct job_vertex_data v;
	struct job_attribute *a;

	if (job_accept(r, "off")) {
		p->now.attributes[slot] = NULL;
		return;
	}
	e = job_vertices(p, slot, &v);
	a = job_alloc(p->job, sizeof(*a));
	if (!a)
		job_fail(r, "out of memory");
	if (r->failed)
		return;
	a->format = GP_STREAM(v.stride, e->gp_type, v.components);
	a->vertices = v.vertices;
	a->bytes = v.stride * v.vertices;
	a->data = v.data;
	p->now.attributes[slot] = a;
}

const struct job_indices *job_index_list(struct job_parser *p)
{
	static const char *const types[] = { "u8", "u16", NULL };
	struct job_reader *r = &p->r;
	uint8_t bytes = 1 + job_choice(r, "indices", types);
	uint32_t max = bytes == 1 ? 255 : 65535, count;
	struct job_indices *ix = job_alloc(p->job, sizeof(*ix));
	struct job_number *list;

	count = job_block(r, &list, NULL, NULL);
	if (r->failed)
		return NULL;
	if (ix)
		ix->data = job_alloc(p->job, (uint64_t)count * bytes + 1);
	if (!ix || !ix->data)
		job_fail(r, "out of memory");
	for (uint32_t i = 0; i < count && !r->failed; i++) {
		double v = list[i].value;

		if (v < 0 || v > max || v != floor(v))
			job_fail_at(r, list[i].line, list[i].column,
				    "index %g is not a whole number in 0 to %u", v, max);
		else if (bytes == 1)
			((uint8_t *)ix->data)[i] = v;
		else
			((uint16_t *)ix->data)[i] = v;
	}
	free(list);
	if (r->failed)
		return NULL;
	ix->index_bytes = bytes;
	ix->count = count;
	return ix;
}

static void read_indices(struct job_parser *p)
{
	const struct job_indices *ix = job_index_list(p);

	if (ix)
		p->now.indices = ix;
}

/* outputs position|point-size|float1..4|half1..4 ...: one per output register of the VS. */
static void read_outputs(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	struct utgard_draw *d = &p->now.draw;
	uint32_t positions = 0, sizes = 0, varyings = 0;

	d->num_outputs = 0;
	while (!r->failed && r->token == JOB_WORD) {
		struct utgard_output o = { .components = 4 };
		const struct job_element *e;
		uint32_t components;

		if (d->num_outputs == UTGARD_MAX_OUTPUTS)
			job_fail(r, "more than %u outputs", UTGARD_MAX_OUTPUTS);
		if (job_accept(r, "position")) {
			o.kind = UTGARD_POSITION;
			positions++;
		} else if (job_accept(r, "point-size")) {
			o.kind = UTGARD_POINT_SIZE;
			o.components = 1;
			sizes++;
		} else if (!r->failed) {
			e = job_format(r, &components);
			if (e && e->gp_type != GP_TYPE_F32 && e->gp_type != GP_TYPE_F16)
				job_fail(r, "a varying is float1 to float4 or half1 to half4");
			if (!e)
				return;
			o.kind = UTGARD_VARYING;
			o.components = components;
			o.half = e->gp_type == GP_TYPE_F16;
			varyings++;
		}
		if (!r->failed)
			d->outputs[d->num_outputs++] = o;
	}
	if (positions != 1 || sizes > 1 || varyings > RSW_MAX_VARYINGS)
		job_fail(r, "outputs are one position, at most one point-size, at most %u varyings",
			 RSW_MAX_VARYINGS);
}

/* --- Uniforms --------------------------------------------------------- */

/* "viewport": scale and translation of x, y, z, as Mesa's vertex shaders end with. */
static uint32_t expand_viewport(void *ctx, const char *word, double v[16])
{
	const struct job_parser *p = ctx;

	if (strcmp(word, "viewport"))
		return 0;
	for (int i = 0; i < 3; i++) {
		v[i] = p->scale[i];
		v[4 + i] = p->translate[i];
	}
	v[3] = 0;
	v[7] = 0;
	return 8;
}

static void read_vertex_uniforms(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	int line = r->token_line, column = r->token_column;
	struct job_number *list;
	uint32_t count = job_block(r, &list, expand_viewport, p);
	float *f;

	if (r->failed)
		return;
	if (count % 4 || count / 4 > 304)
		job_fail_at(r, line, column, "%u numbers are not 0 to 304 vectors of 4", count);
	f = job_alloc(p->job, count * sizeof(*f) + 1);
	if (!f)
		job_fail(r, "out of memory");
	for (uint32_t i = 0; i < count && !r->failed; i++)
		f[i] = list[i].value;
	free(list);
	p->now.draw.vs_uniforms = f;
	p->now.draw.num_vs_uniforms = count / 4;
}

static void read_fragment_uniforms(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	int line = r->token_line, column = r->token_column;
	struct job_number *list;
	uint32_t count = job_block(r, &list, NULL, NULL), room;
	uint16_t *h;

	if (r->failed)
		return;
	if (count > 4096)
		job_fail_at(r, line, column, "more than 4096 fragment uniforms");
	room = (count + 3) & ~3u;
	h = job_alloc(p->job, room * sizeof(*h) + 1);
	if (!h)
		job_fail(r, "out of memory");
	for (uint32_t i = 0; i < count && !r->failed; i++) {
		if (fabs(list[i].value) > 65504)
			job_fail_at(r, list[i].line, list[i].column, "%g is too large for fp16",
				    list[i].value);
		else
			h[i] = utgard_half(list[i].value);
	}
	free(list);
	p->now.draw.fs_uniforms = h;
	p->now.draw.num_fs_uniforms = room;
}

/* --- Textures --------------------------------------------------------- */

void job_source(struct job_parser *p, uint32_t width, uint32_t height, float *rgba)
{
	struct job_reader *r = &p->r;
	uint32_t cell, count, w, h;
	float colors[2][4];
	char path[512];
	struct limn_error err;

	if (job_accept(r, "checker")) {
		cell = job_integer(r, "checker", 1, UTGARD_MAX_SIZE);
		for (int i = 0; i < 8; i++)
			colors[i / 4][i % 4] = job_number(r, "colour", 0, 1);
		for (uint32_t i = 0; i < width * height; i++)
			memcpy(rgba + 4 * i, colors[(i % width / cell + i / width / cell) & 1],
			       sizeof(colors[0]));
	} else if (job_accept(r, "solid")) {
		for (int i = 0; i < 4; i++)
			colors[0][i] = job_number(r, "colour", 0, 1);
		for (uint32_t i = 0; i < width * height; i++)
			memcpy(rgba + 4 * i, colors[0], sizeof(colors[0]));
	} else if (job_accept(r, "gradient")) {
		/* Red grows to the right, green downwards: texel centres of a unit square. */
		for (uint32_t i = 0; i < width * height; i++) {
			rgba[4 * i] = (i % width + 0.5f) / width;
			rgba[4 * i + 1] = (i / width + 0.5f) / height;
			rgba[4 * i + 2] = 0;
			rgba[4 * i + 3] = 1;
		}
	} else if (job_accept(r, "png")) {
		uint8_t *bytes;

		if (r->failed || r->token != JOB_STRING) {
			job_fail(r, "png: the file's name in quotes is expected");
			return;
		}
		job_file_path(p, r->text, path, sizeof(path));
		if (png_load(path, &w, &h, &bytes, &err)) {
			job_fail(r, "%.100s", err.text);
			return;
		}
		if (w != width || h != height)
			job_fail(r, "'%.40s' is %ux%u, not %ux%u", r->text, w, h, width, height);
		else
			for (uint32_t i = 0; i < w * h * 4; i++)
				rgba[i] = bytes[i] / 255.0f;
		free(bytes);
		job_next(r);
	} else {
		int line = r->token_line, column = r->token_column;
		struct job_number *list;

		count = job_block(r, &list, NULL, NULL);
		if (!r->failed && count != width * height * 4)
			job_fail_at(r, line, column, "%u numbers, not %ux%u texels of 4", count,
				    width, height);
		for (uint32_t i = 0; i < count && !r->failed; i++)
			rgba[i] = list[i].value;
		free(list);
	}
}

static uint32_t minify(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

void job_halve(const float *from, uint32_t w, uint32_t h, float *to)
{
	uint32_t w2 = minify(w, 1), h2 = minify(h, 1);

	for (uint32_t y = 0; y < h2; y++) {
		for (uint32_t x = 0; x < w2; x++) {
			uint32_t x1 = 2 * x + 1 < w ? 2 * x + 1 : w - 1;
			uint32_t y1 = 2 * y + 1 < h ? 2 * y + 1 : h - 1;

			for (int c = 0; c < 4; c++)
				to[4 * (y * w2 + x) + c] =
					(from[4 * (2 * y % h * w + 2 * x % w) + c] +
					 from[4 * (2 * y % h * w + x1) + c] +
					 from[4 * (y1 * w + 2 * x % w) + c] +
					 from[4 * (y1 * w + x1) + c]) / 4;
		}
	}
}

static void store_levels(struct job_parser *p, struct job_texture *t, float *rgba)
{
	float *next = malloc((uint64_t)t->image.width * t->image.height * 16 + 16), *swap;
	float *level = rgba;

	if (!next) {
		job_fail(&p->r, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < t->image.levels; i++) {
		utgard_image_store(&t->image, i, level, t->data);
		job_halve(level, minify(t->image.width, i), minify(t->image.height, i), next);
		swap = level;
		level = next;
		next = swap;
	}
	free(level == rgba ? next : level);
}

/* texture UNIT FORMAT WIDTH HEIGHT [levels N|all] [rows] SOURCE */
static void read_texture(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	uint32_t unit = job_integer(r, "texture", 0, UTGARD_MAX_TEXTURES - 1);
	struct utgard_image image = { .levels = 1, .tiled = true };
	struct utgard_sampler *s = &p->now.draw.textures[unit].sampler;
	struct job_texture *t;
	struct limn_error err;
	float *rgba;

	if (job_accept(r, "off")) {
		p->now.textures[unit] = NULL;
		return;
	}
	image.texel = utgard_texel_find(r->text);
	if (!image.texel)
		job_fail(r, "no texture format '%s'", r->text);
	job_next(r);
	image.width = job_integer(r, "width", 1, UTGARD_MAX_SIZE);
	image.height = job_integer(r, "height", 1, UTGARD_MAX_SIZE);
	if (job_accept(r, "levels")) {
		uint32_t max = utgard_image_max_levels(image.width, image.height);

		image.levels = job_accept(r, "all") ? max : job_integer(r, "levels", 1, max);
	}
	image.tiled = !job_accept(r, "rows");
	if (!image.tiled && image.levels > 1)
		job_fail(r, "a texture stored in rows has one level");
	if (r->failed)
		return;
	if (utgard_image_layout(&image, &err)) {
		job_fail(r, "%.100s", err.text);
		return;
	}
	t = job_alloc(p->job, sizeof(*t));
	if (t)
		t->data = job_alloc(p->job, image.bytes);
	rgba = calloc((uint64_t)image.width * image.height + 1, 16);
	if (!t || !t->data || !rgba) {
		job_fail(r, "out of memory");
		free(rgba);
		return;
	}
	t->image = image;
	job_source(p, image.width, image.height, rgba);
	if (!r->failed)
		store_levels(p, t, rgba);
	free(rgba);
	p->now.textures[unit] = t;
	memset(s, 0, sizeof(*s));
	s->max_lod = TEX_MAX_LEVELS;
	s->wrap_s = TEX_WRAP_CLAMP_TO_EDGE;
	s->wrap_t = TEX_WRAP_CLAMP_TO_EDGE;
}

/* texture-level UNIT LEVEL SOURCE */
static void read_texture_level(struct job_parser *p)
{
	struct job_reader *r = &p->r;
	uint32_t unit = job_integer(r, "texture", 0, UTGARD_MAX_TEXTURES - 1), level, w, h;
	struct job_texture *t = (struct job_texture *)p->now.textures[unit];
	float *rgba;

	if (!t) {
		job_fail(r, "texture %u is not set", unit);
		return;
	}
	level = job_integer(r, "level", 0, t->image.levels - 1);
	w = minify(t->image.width, level);
	h = minify(t->image.height, level);
	rgba = calloc((uint64_t)w * h, 16);
	if (!rgba) {
		job_fail(r, "out of memory");
		return;
	}
	job_source(p, w, h, rgba);
	if (!r->failed)
		utgard_image_store(&t->image, level, rgba, t->data);
	free(rgba);
}

/* sampler UNIT [min F] [mag F] [mip M] [wrap S [T]] [lod MIN MAX] [bias B] [border R G B A] */
static void read_sampler(struct job_parser *p)
{
	static const char *const filters[] = { "nearest", "linear", NULL };
	static const char *const mips[] = { "none", "nearest", "linear", NULL };
	static const char *const wraps[] = {
		"repeat", "clamp", "clamp-half", "border", "mirror", "mirror-clamp",
		"mirror-clamp-half", "mirror-border", NULL
	};
	struct job_reader *r = &p->r;
	uint32_t unit = job_integer(r, "sampler", 0, UTGARD_MAX_TEXTURES - 1);
	struct utgard_sampler *s = &p->now.draw.textures[unit].sampler;

	if (!r->failed && !p->now.textures[unit])
		job_fail(r, "texture %u is not set", unit);
	while (!r->failed && r->token == JOB_WORD) {
		if (job_accept(r, "min")) {
			s->min_linear = job_choice(r, "min", filters);
		} else if (job_accept(r, "mag")) {
			s->mag_linear = job_choice(r, "mag", filters);
		} else if (job_accept(r, "mip")) {
			unsigned int i = job_choice(r, "mip", mips);

			s->mip = i > 0;
			s->mip_linear = i > 1;
		} else if (job_accept(r, "wrap")) {
			s->wrap_s = job_choice(r, "wrap", wraps);
			s->wrap_t = s->wrap_s;
			for (unsigned int i = 0; wraps[i]; i++)
				if (job_accept(r, wraps[i])) {
					s->wrap_t = i;
					break;
				}
		} else if (job_accept(r, "lod")) {
			s->min_lod = job_number(r, "lod", 0, 15.9375);
			s->max_lod = job_number(r, "lod", 0, 15.9375);
		} else if (job_accept(r, "bias")) {
			s->lod_bias = job_number(r, "bias", -15, 15);
		} else if (job_accept(r, "border")) {
			for (int i = 0; i < 4; i++)
				s->border[i] = job_number(r, "border", 0, 1);
		} else if (job_accept(r, "texels")) {
			s->unnormalised = true;
		} else {
			job_fail(r, "sampler: no setting '%s'", r->text);
		}
	}
}

/* --- Shaders ---------------------------------------------------------- */

/* A shader given as its words. */
static const struct job_shader *read_words(struct job_parser *p, bool vertex)
{
	struct job_reader *r = &p->r;
	int line = r->token_line;
	struct job_number *list;
	uint32_t count = job_block(r, &list, NULL, NULL), *words;
	struct job_shader *shader = NULL;

	if (r->failed)
		return NULL;
	words = malloc(count * sizeof(*words) + 1);
	if (!words)
		job_fail(r, "out of memory");
	for (uint32_t i = 0; i < count && !r->failed; i++) {
		if (list[i].value < 0 || list[i].value > UINT32_MAX ||
		    list[i].value != floor(list[i].value))
			job_fail_at(r, list[i].line, list[i].column, "not a word of 32 bits");
		else
			words[i] = list[i].value;
	}
	if (!r->failed)
		shader = job_shader_words(p, vertex, words, count, line);
	free(words);
	free(list);
	return shader;
}

char *job_shader_text(struct job_parser *p, char *path, uint32_t path_size, int *line)
{
	struct job_reader *r = &p->r;
	uint32_t size;
	char *text;

	*line = 1;
	if (r->token == JOB_STRING) {
		job_file_path(p, r->text, path, path_size);
		text = job_file_read(p, path, 1u << 20, &size);
		job_next(r);
	} else {
		snprintf(path, path_size, "%s", r->path);
		text = job_raw(r, line);
	}
	if (r->failed) {
		free(text);
		return NULL;
	}
	return text;
}

/* vertex-shader|fragment-shader { text } or "file" or words { numbers } */
static const struct job_shader *read_shader(struct job_parser *p, bool vertex)
{
	const struct job_shader *shader;
	char path[512], *text;
	int line;

	if (job_accept(&p->r, "words"))
		return read_words(p, vertex);
	text = job_shader_text(p, path, sizeof(path), &line);
	if (!text)
		return NULL;
	shader = job_shader_assemble(p, vertex, path, text, line);
	free(text);
	return shader;
}

static void read_vertex_shader(struct job_parser *p)
{
	p->vs = read_shader(p, true);
	if (!p->vs)
		return;
	p->now.draw.vs = p->vs->words;
	p->now.draw.vs_bytes = p->vs->bytes;
	p->now.draw.vs_prefetch = p->vs->prefetch;
}

static void read_fragment_shader(struct job_parser *p)
{
	p->fs = read_shader(p, false);
	if (!p->fs)
		return;
	p->now.draw.fs = p->fs->words;
	p->now.draw.fs_bytes = p->fs->bytes;
	p->now.draw.fs_discards = p->fs->discards;
}

const struct job_statement job_data_statements[] = {
	{ "attribute", read_attribute },
	{ "indices", read_indices },
	{ "outputs", read_outputs },
	{ "vertex-uniforms", read_vertex_uniforms },
	{ "fragment-uniforms", read_fragment_uniforms },
	{ "texture", read_texture },
	{ "texture-level", read_texture_level },
	{ "sampler", read_sampler },
	{ "vertex-shader", read_vertex_shader },
	{ "fragment-shader", read_fragment_shader },
	{ NULL, NULL },
};
