// SPDX-License-Identifier: MIT
/* Statements of a Vivante job that set textures and samplers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/vivante/vjob.h"

struct texel {
	const char *name;
	uint32_t format, cpp;	/* bytes of a texel, or of a block */
	bool ext;
	uint8_t channel[4];	/* of each byte, from the lowest: 0 to 3 are r g b a */
	uint8_t bits[4];	/* width of each, from the lowest bit on */
	enum vjob_compression compression;	/* blocks of 4x4 texels, given as bytes */
};

static const struct texel texels[] = {
	{ "rgba8888", TEXTURE_FORMAT_A8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 }, VJOB_PLAIN },
	{ "bgra8888", TEXTURE_FORMAT_A8R8G8B8, 4, false, { 2, 1, 0, 3 }, { 8, 8, 8, 8 }, VJOB_PLAIN },
	{ "rgbx8888", TEXTURE_FORMAT_X8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 }, VJOB_PLAIN },
	{ "rgb565", TEXTURE_FORMAT_R5G6B5, 2, false, { 2, 1, 0, 3 }, { 5, 6, 5, 0 }, VJOB_PLAIN },
	{ "rgba4444", TEXTURE_FORMAT_A4R4G4B4, 2, false, { 2, 1, 0, 3 }, { 4, 4, 4, 4 }, VJOB_PLAIN },
	{ "rgba5551", TEXTURE_FORMAT_A1R5G5B5, 2, false, { 2, 1, 0, 3 }, { 5, 5, 5, 1 }, VJOB_PLAIN },
	{ "l8", TEXTURE_FORMAT_L8, 1, false, { 0, 1, 2, 3 }, { 8, 0, 0, 0 }, VJOB_PLAIN },
	{ "a8", TEXTURE_FORMAT_A8, 1, false, { 3, 0, 1, 2 }, { 8, 0, 0, 0 }, VJOB_PLAIN },
	{ "la88", TEXTURE_FORMAT_A8L8, 2, false, { 0, 3, 1, 2 }, { 8, 8, 0, 0 }, VJOB_PLAIN },
	{ "etc1", TEXTURE_FORMAT_ETC1, 8, false, { 0 }, { 0 }, VJOB_ETC1 },
	{ "dxt1", TEXTURE_FORMAT_DXT1, 8, false, { 0 }, { 0 }, VJOB_DXT },
	{ "dxt3", TEXTURE_FORMAT_DXT2_DXT3, 16, false, { 0 }, { 0 }, VJOB_DXT },
	{ "dxt5", TEXTURE_FORMAT_DXT4_DXT5, 16, false, { 0 }, { 0 }, VJOB_DXT },
	/* The extended NONE is ETC2's RGB8 (Mesa etnaviv_format.c). */
	{ "etc2-rgb8", TEXTURE_FORMAT_EXT_NONE, 8, true, { 0 }, { 0 }, VJOB_ETC2 },
	{ "etc2-rgb8a1", TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8, true, { 0 }, { 0 }, VJOB_ETC2 },
	{ "etc2-rgba8", TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC, 16, true, { 0 }, { 0 }, VJOB_ETC2 },
	{ "eac-r11", TEXTURE_FORMAT_EXT_R11_EAC, 8, true, { 0 }, { 0 }, VJOB_ETC2 },
	{ "eac-rg11", TEXTURE_FORMAT_EXT_RG11_EAC, 16, true, { 0 }, { 0 }, VJOB_ETC2 },
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

/* Images of a level: faces of a cube, slices of a volume. */
static uint32_t images(const struct vjob_texture *t, uint32_t level)
{
	return t->t.type == TEXTURE_TYPE_CUBE_MAP ? 6 : minify(t->t.depth, level);
}

/* Bytes of one image of a level; blocks lie row by row, texels in tiles, padded. */
static uint32_t image_bytes(const struct vjob_texture *t, const struct texel *f, uint32_t level)
{
	uint32_t w = minify(t->t.width, level), h = minify(t->t.height, level), pad = t->supertiled ? 64 : 4;

	if (f->compression)
		return align(w, 4) / 4 * align(h, 4) / 4 * f->cpp;
	return align(w, pad) * align(h, t->t.linear ? 1 : pad) * f->cpp;
}

/* Where levels lie, and how many bytes all of them take. */
static uint64_t lay_out(struct vjob_texture *t, const struct texel *f)
{
	uint64_t at = 0;

	t->t.stride = align(t->t.width, t->supertiled ? 64 : 4) * f->cpp / (f->compression ? 4 : 1);
	t->t.slice = image_bytes(t, f, 0);
	for (uint32_t i = 0; i < t->t.levels; i++) {
		t->t.offsets[i] = at;
		at = (at + (uint64_t)image_bytes(t, f, i) * images(t, i) + 63) & ~63ull;
	}
	return at;
}

/* Rows of texels as they are in memory, into their image. */
static void store_image(struct vjob_texture *t, const struct texel *f, uint32_t level, uint32_t image, const uint8_t *rows)
{
	uint32_t w = minify(t->t.width, level), h = minify(t->t.height, level), pad = t->supertiled ? 64 : 4;
	struct viv_tiling tiling = {
		.bits = t->t.linear ? 0 : t->supertiled ? VIV_TILE | VIV_SUPER : VIV_TILE,
		.mode = VIV_SUPERTILE_MODE_HZ, .cpp = f->cpp, .stride = align(w, pad) * f->cpp, .height = align(h, pad),
	};
	uint8_t *to = t->data + t->t.offsets[level] + image * image_bytes(t, f, level);

	if (f->compression)
		memcpy(to, rows, image_bytes(t, f, level));
	else
		viv_tiling_store(&tiling, to, rows, w * f->cpp, 0, 0, w, h);
}

/* bytes { numbers }: all levels, their images, their rows of texels or blocks, from the first byte on. */
static void store_bytes(struct vjob_parser *v, struct vjob_texture *t, const struct texel *f)
{
	int line = v->r->token_line, column = v->r->token_column;
	uint64_t want = 0, at = 0;
	struct job_number *list;
	uint32_t count;
	uint8_t *bytes;

	for (uint32_t i = 0; i < t->t.levels; i++)
		want += (uint64_t)images(t, i) * (f->compression ? image_bytes(t, f, i) :
						  minify(t->t.width, i) * minify(t->t.height, i) * f->cpp);
	count = job_block(v->r, &list, NULL, NULL);
	if (v->r->failed)
		return;
	if (count != want)
		job_fail_at(v->r, line, column, "%u bytes are not the %llu of this texture", count, (unsigned long long)want);
	bytes = malloc(count + 1);
	if (!bytes)
		job_fail(v->r, "out of memory");
	for (uint32_t i = 0; i < count && !v->r->failed; i++) {
		if (list[i].value != (uint8_t)list[i].value)
			job_fail_at(v->r, list[i].line, list[i].column, "%g is no byte", list[i].value);
		else
			bytes[i] = list[i].value;
	}
	free(list);
	for (uint32_t i = 0; i < t->t.levels && !v->r->failed; i++) {
		for (uint32_t k = 0; k < images(t, i); k++) {
			store_image(t, f, i, k, bytes + at);
			at += f->compression ? image_bytes(t, f, i) : minify(t->t.width, i) * minify(t->t.height, i) * f->cpp;
		}
	}
	free(bytes);
}

/* One SOURCE: image of the first level, and the smaller ones made of it. */
static void store_source(struct vjob_parser *v, struct vjob_texture *t, const struct texel *f, uint32_t image)
{
	uint64_t texels_in = (uint64_t)t->t.width * t->t.height;
	float *level = malloc(texels_in * 16 + 16), *next = malloc(texels_in * 16 + 16), *swap;
	uint8_t *rows = malloc(texels_in * f->cpp + 1);

	if (!level || !next || !rows)
		job_fail(v->r, "out of memory");
	else
		job_source(v->p, t->t.width, t->t.height, level);
	for (uint32_t i = 0; i < t->t.levels && !v->r->failed; i++) {
		uint32_t n = minify(t->t.width, i) * minify(t->t.height, i);

		for (uint32_t k = 0; k < n; k++)
			pack_texel(f, level + 4 * k, rows + k * f->cpp);
		store_image(t, f, i, image, rows);
		job_halve(level, minify(t->t.width, i), minify(t->t.height, i), next);
		swap = level;
		level = next;
		next = swap;
	}
	free(level);
	free(next);
	free(rows);
}

static void store(struct vjob_parser *v, struct vjob_texture *t, const struct texel *f)
{
	if (job_accept(v->r, "bytes")) {
		store_bytes(v, t, f);
		return;
	}
	if (f->compression)
		job_fail(v->r, "a compressed texture is given as bytes");
	else if (t->t.depth > 1 && t->t.levels > 1)
		job_fail(v->r, "a volume with levels is given as bytes");
	for (uint32_t i = 0; i < images(t, 0) && !v->r->failed; i++)
		store_source(v, t, f, i);
}

static const struct texel *read_texel(struct vjob_parser *v)
{
	for (unsigned int i = 0; i < sizeof(texels) / sizeof(texels[0]); i++)
		if (job_accept(v->r, texels[i].name))
			return &texels[i];
	job_fail(v->r, "no texture format '%s'", v->r->text);
	return NULL;
}

/* [cube | volume DEPTH] [levels N|all] [linear|tiled|supertiled] */
static void read_layout(struct vjob_parser *v, struct vjob_texture *t, const struct texel *f)
{
	uint32_t max = 1;

	if (job_accept(v->r, "cube")) {
		t->t.type = TEXTURE_TYPE_CUBE_MAP;
		if (t->t.width != t->t.height)
			job_fail(v->r, "faces of a cube are square, not %ux%u", t->t.width, t->t.height);
	} else if (job_accept(v->r, "volume")) {
		t->t.type = TEXTURE_TYPE_3D;
		t->t.depth = job_integer(v->r, "depth", 1, 256);
	}
	while (minify(t->t.width, max) > 1 || minify(t->t.height, max) > 1 || minify(t->t.depth, max) > 1)
		max++;
	max += t->t.width > 1 || t->t.height > 1 || t->t.depth > 1;
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
	if (t->t.linear && t->t.type != TEXTURE_TYPE_2D)
		job_fail(v->r, "a linear texture has one image");
	if (f->compression && (t->t.linear || t->supertiled))
		job_fail(v->r, "a compressed texture is neither linear nor supertiled");
	t->t.halign = t->supertiled ? TEXTURE_HALIGN_SUPER_TILED : TEXTURE_HALIGN_FOUR;
}

/* texture|vertex-texture UNIT FORMAT WIDTH HEIGHT layout SOURCE... */
static void read_any_texture(struct vjob_parser *v, bool vertex)
{
	uint32_t unit = job_integer(v->r, "texture", 0, VJOB_MAX_TEXTURES - 1);
	struct vjob_texture *t;
	const struct texel *f;
	uint64_t bytes;

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
	t->t.wrap_s = t->t.wrap_t = t->t.wrap_r = TEXTURE_WRAPMODE_CLAMP_TO_EDGE;
	t->t.lod_max = VIV_MAX_LEVELS - 1;
	t->t.depth = 1;
	t->compression = f->compression;
	read_layout(v, t, f);
	if (v->r->failed)
		return;
	bytes = lay_out(t, f);
	if (bytes > VJOB_MAX_TEXTURE_BYTES) {
		job_fail(v->r, "a texture of %llu bytes is too large", (unsigned long long)bytes);
		return;
	}
	t->bytes = bytes;
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

/* wrap S [T [R]]: what is left out is as what was before it */
static void read_wraps(struct vjob_parser *v, struct viv_texture *t)
{
	static const char *const wraps[] = { "repeat", "mirror", "clamp", NULL };
	uint32_t *const of[] = { &t->wrap_s, &t->wrap_t, &t->wrap_r };
	uint32_t mode = job_choice(v->r, "wrap", wraps);

	for (unsigned int k = 0; k < 3; k++) {
		for (unsigned int i = 0; k && wraps[i]; i++) {
			if (job_accept(v->r, wraps[i])) {
				mode = i;
				break;
			}
		}
		*of[k] = mode;
	}
}

/* sampler|vertex-sampler UNIT SETTING... */
static void read_any_sampler(struct vjob_parser *v, bool vertex)
{
	static const char *const filters[] = { "nearest", "linear", NULL };
	static const char *const mips[] = { "none", "nearest", "linear", NULL };
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
			read_wraps(v, &t->t);
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

const struct vjob_statement vjob_texture_statements[] = {
	{ "texture", read_texture },
	{ "vertex-texture", read_vertex_texture },
	{ "sampler", read_sampler },
	{ "vertex-sampler", read_vertex_sampler },
	{ NULL, NULL },
};
