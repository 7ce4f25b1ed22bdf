// SPDX-License-Identifier: MIT
/* Statements that set textures and samplers, and colour formats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/vivante.h"
#include "tool/job/parser.h"
#include "tool/png.h"

/* --- Formats ------------------------------------------------------------------- */

const char *job_pixel_word(enum job_family family, unsigned int index)
{
	const struct utgard_pixel *pixel = limn_utgard_pixel_at(index);
	const struct viv_pixel *format = limn_viv_pixel_at(index);

	return family == JOB_UTGARD ? (pixel ? pixel->name : NULL) : format ? format->name : NULL;
}

/* Vivante's texels. */
struct texel {
	const char *name;
	uint32_t format, cpp;	/* bytes of a texel, or of a block */
	bool ext;
	uint8_t channel[4];	/* of each byte, from the lowest: 0 to 3 are r g b a */
	uint8_t bits[4];	/* width of each, from the lowest bit on */
	const char *needs;	/* of a core, to read it; without bits it is given as bytes */
	bool blocks;		/* of 4x4 texels */
	uint32_t config2;	/* bits of a descriptor: which integers are signed */
};

static const struct texel texels[] = {
	{ "rgba8888", TEXTURE_FORMAT_A8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 }, NULL, false, 0 },
	{ "bgra8888", TEXTURE_FORMAT_A8R8G8B8, 4, false, { 2, 1, 0, 3 }, { 8, 8, 8, 8 }, NULL, false, 0 },
	{ "rgbx8888", TEXTURE_FORMAT_X8B8G8R8, 4, false, { 0, 1, 2, 3 }, { 8, 8, 8, 8 }, NULL, false, 0 },
	{ "rgb565", TEXTURE_FORMAT_R5G6B5, 2, false, { 2, 1, 0, 3 }, { 5, 6, 5, 0 }, NULL, false, 0 },
	{ "rgba4444", TEXTURE_FORMAT_A4R4G4B4, 2, false, { 2, 1, 0, 3 }, { 4, 4, 4, 4 }, NULL, false, 0 },
	{ "rgba5551", TEXTURE_FORMAT_A1R5G5B5, 2, false, { 2, 1, 0, 3 }, { 5, 5, 5, 1 }, NULL, false, 0 },
	{ "l8", TEXTURE_FORMAT_L8, 1, false, { 0, 1, 2, 3 }, { 8, 0, 0, 0 }, NULL, false, 0 },
	{ "a8", TEXTURE_FORMAT_A8, 1, false, { 3, 0, 1, 2 }, { 8, 0, 0, 0 }, NULL, false, 0 },
	{ "la88", TEXTURE_FORMAT_A8L8, 2, false, { 0, 3, 1, 2 }, { 8, 8, 0, 0 }, NULL, false, 0 },
	{ "etc1", TEXTURE_FORMAT_ETC1, 8, false, { 0 }, { 0 }, "ETC1", true, 0 },
	{ "dxt1", TEXTURE_FORMAT_DXT1, 8, false, { 0 }, { 0 }, "DXT", true, 0 },
	{ "dxt3", TEXTURE_FORMAT_DXT2_DXT3, 16, false, { 0 }, { 0 }, "DXT", true, 0 },
	{ "dxt5", TEXTURE_FORMAT_DXT4_DXT5, 16, false, { 0 }, { 0 }, "DXT", true, 0 },
	/* The extended NONE is ETC2's RGB8 (Mesa etnaviv_format.c). */
	{ "etc2-rgb8", TEXTURE_FORMAT_EXT_NONE, 8, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "etc2-rgb8a1", TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "etc2-rgba8", TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC, 16, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "eac-r11", TEXTURE_FORMAT_EXT_R11_EAC, 8, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "eac-rg11", TEXTURE_FORMAT_EXT_RG11_EAC, 16, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "eac-r11-signed", TEXTURE_FORMAT_EXT_SIGNED_R11_EAC, 8, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "eac-rg11-signed", TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC, 16, true, { 0 }, { 0 }, "ETC2", true, 0 },
	{ "i8", TEXTURE_FORMAT_I8, 1, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "x4r4g4b4", TEXTURE_FORMAT_X4R4G4B4, 2, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "x8r8g8b8", TEXTURE_FORMAT_X8R8G8B8, 4, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "d16", TEXTURE_FORMAT_D16, 2, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "d24x8", TEXTURE_FORMAT_D24X8, 4, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "yuy2", TEXTURE_FORMAT_YUY2, 2, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "uyvy", TEXTURE_FORMAT_UYVY, 2, false, { 0 }, { 0 }, NULL, false, 0 },
	{ "e5b9g9r9", TEXTURE_FORMAT_E5B9G9R9, 4, false, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "r8", TEXTURE_FORMAT_EXT_R8, 1, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "g8r8", TEXTURE_FORMAT_EXT_G8R8, 2, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "a2b10g10r10", TEXTURE_FORMAT_EXT_A2B10G10R10, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "r8-snorm", TEXTURE_FORMAT_EXT_R8_SNORM, 1, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "g8r8-snorm", TEXTURE_FORMAT_EXT_G8R8_SNORM, 2, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "x8b8g8r8-snorm", TEXTURE_FORMAT_EXT_X8B8G8R8_SNORM, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "a8b8g8r8-snorm", TEXTURE_FORMAT_EXT_A8B8G8R8_SNORM, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "r16f", TEXTURE_FORMAT_EXT_R16F, 2, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "g16r16f", TEXTURE_FORMAT_EXT_G16R16F, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "a16b16g16r16f", TEXTURE_FORMAT_EXT_A16B16G16R16F, 8, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "r32f", TEXTURE_FORMAT_EXT_R32F, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "g32r32f", TEXTURE_FORMAT_EXT_G32R32F, 8, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "b10g11r11f", TEXTURE_FORMAT_EXT_B10G11R11F, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "d24s8", TEXTURE_FORMAT_EXT_D24S8, 4, true, { 0 }, { 0 }, "HALTI1", false, 0 },
	{ "r8ui", TEXTURE_FORMAT_EXT_R8I, 1, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "r8i", TEXTURE_FORMAT_EXT_R8I, 1, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT8 },
	{ "g8r8ui", TEXTURE_FORMAT_EXT_G8R8I, 2, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "g8r8i", TEXTURE_FORMAT_EXT_G8R8I, 2, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT8 },
	{ "a8b8g8r8ui", TEXTURE_FORMAT_EXT_A8B8G8R8I, 4, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "a8b8g8r8i", TEXTURE_FORMAT_EXT_A8B8G8R8I, 4, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT8 },
	{ "r16ui", TEXTURE_FORMAT_EXT_R16I, 2, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "r16i", TEXTURE_FORMAT_EXT_R16I, 2, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT16 },
	{ "g16r16ui", TEXTURE_FORMAT_EXT_G16R16I, 4, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "g16r16i", TEXTURE_FORMAT_EXT_G16R16I, 4, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT16 },
	{ "a16b16g16r16ui", TEXTURE_FORMAT_EXT_A16B16G16R16I, 8, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "a16b16g16r16i", TEXTURE_FORMAT_EXT_A16B16G16R16I, 8, true, { 0 }, { 0 }, "HALTI5", false, TE_SAMPLER_CONFIG2_SIGNED_INT16 },
	{ "r32i", TEXTURE_FORMAT_EXT_R32I, 4, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "g32r32i", TEXTURE_FORMAT_EXT_G32R32I, 8, true, { 0 }, { 0 }, "HALTI5", false, 0 },
	{ "a2b10g10r10ui", TEXTURE_FORMAT_EXT_A2B10G10R10UI, 4, true, { 0 }, { 0 }, "HALTI5", false, 0 },
};

const char *job_texel_word(enum job_family family, unsigned int index)
{
	const struct utgard_texel *texel = limn_utgard_texel_at(index);

	if (family == JOB_UTGARD)
		return texel ? texel->name : NULL;
	return index < sizeof(texels) / sizeof(texels[0]) ? texels[index].name : NULL;
}

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

/* --- Where texels come from ------------------------------------------------------- */

static void load_png(struct job_parser *p, const struct job_arg *a, uint32_t width, uint32_t height, float *rgba)
{
	struct limn_error err;
	uint32_t w, h;
	uint8_t *bytes;
	char path[1024];

	job_file_path(p, a->text, path, sizeof(path));
	if (png_load(path, &w, &h, &bytes, &err)) {
		job_error(p, a->at, "%s", err.text);
		return;
	}
	if (w != width || h != height)
		job_error(p, a->at, "'%s' is %ux%u, not %ux%u", a->text, w, h, width, height);
	for (uint32_t i = 0; i < w * h * 4 && !p->failed; i++)
		rgba[i] = bytes[i] / 255.0f;
	free(bytes);
}

void job_source(struct job_parser *p, uint32_t width, uint32_t height, float *rgba)
{
	double colors[2][4] = { { 0 } };
	uint32_t cell = JOB_MAX_SIZE;
	const struct job_arg *a;

	if (job_took(p, "gradient")) {
		/* Red grows to the right, green downwards: texel centres of a unit square. */
		for (uint32_t i = 0; i < width * height; i++) {
			rgba[4 * i] = (i % width + 0.5f) / width;
			rgba[4 * i + 1] = (i / width + 0.5f) / height;
			rgba[4 * i + 2] = 0;
			rgba[4 * i + 3] = 1;
		}
		return;
	}
	if (job_took(p, "png")) {
		load_png(p, job_take(p), width, height, rgba);
		return;
	}
	a = job_given(p, "TEXELS");
	if (a) {
		if (a->count != width * height * 4)
			job_error(p, a->at, "%u numbers, not %ux%u texels of 4", a->count, width, height);
		for (uint32_t i = 0; i < a->count && !p->failed; i++)
			rgba[i] = a->block[i].value;
		return;
	}
	if (job_took(p, "checker")) {
		cell = job_whole(p);
		job_numbers(p, colors[0], 8);
	} else if (job_took(p, "solid")) {
		job_numbers(p, colors[0], 4);
	}
	for (uint32_t i = 0; i < width * height * 4; i++)
		rgba[i] = colors[(i / 4 % width / cell + i / 4 / width / cell) & 1][i % 4];
}

static uint32_t minify(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

/* Each texel of the next level is the mean of the up to four below it. */
static void halve(const float *from, uint32_t w, uint32_t h, float *to)
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

/* Stores rgba as one level of an image. */
typedef void (*store_fn)(struct job_parser *p, struct job_texture *t, uint32_t level, uint32_t image,
			 const float *rgba);

/* A source: image of the first level, and the smaller ones made of it. */
static void store_levels(struct job_parser *p, struct job_texture *t, uint32_t image, store_fn store)
{
	uint64_t size = (uint64_t)t->width * t->height;
	float *level = malloc(size * 16), *next = malloc(size * 16), *swap;

	if (!level || !next)
		job_error(p, p->at, "out of memory");
	else
		job_source(p, t->width, t->height, level);
	for (uint32_t i = 0; i < t->levels && !p->failed; i++) {
		store(p, t, i, image, level);
		halve(level, minify(t->width, i), minify(t->height, i), next);
		swap = level;
		level = next;
		next = swap;
	}
	free(level);
	free(next);
}

/* "levels all" or "levels N", up to a number; 1 without. */
static uint32_t take_levels(struct job_parser *p, uint32_t max)
{
	const struct job_arg *a;

	if (!job_took(p, "levels"))
		return 1;
	if (job_took(p, "all"))
		return max < JOB_MAX_LEVELS ? max : JOB_MAX_LEVELS;
	a = job_take(p);
	if (a->number > max)
		job_error(p, a->at, "levels: %g is not in 1 to %u", a->number, max);
	return a->number;
}

/* What follows "bytes", from the first byte on; malloc'ed, NULL after an error. */
static uint8_t *take_bytes(struct job_parser *p, uint64_t want)
{
	const struct job_arg *list = job_take(p);
	uint8_t *bytes;

	if (list->count != want)
		job_error(p, list->at, "%u bytes are not the %llu of this texture", list->count,
			  (unsigned long long)want);
	bytes = malloc(list->count + 1);
	if (!bytes)
		job_error(p, p->at, "out of memory");
	for (uint32_t i = 0; i < list->count && !p->failed; i++) {
		const struct job_number *n = &list->block[i];

		bytes[i] = n->value;
		if (n->value != bytes[i])
			job_error(p, (struct place){ list->at.source, n->line, n->column, 0 }, "%g is no byte",
				  n->value);
	}
	if (!p->failed)
		return bytes;
	free(bytes);
	return NULL;
}

/* --- Utgard ----------------------------------------------------------------------- */

static void utgard_store(struct job_parser *p, struct job_texture *t, uint32_t level, uint32_t image,
			 const float *rgba)
{
	limn_utgard_image_store(t->image, level, rgba, t->data);
}

static void utgard_store_bytes(struct job_parser *p, struct job_texture *t)
{
	const struct utgard_image *image = t->image;
	uint64_t want = 0, at = 0;
	uint8_t *bytes;

	for (uint32_t i = 0; i < t->levels; i++)
		want += (uint64_t)limn_utgard_image_slices(image, i) * limn_utgard_image_store_bytes(image, i, 0, NULL, NULL);
	bytes = take_bytes(p, want);
	for (uint32_t i = 0; i < t->levels && bytes; i++)
		for (uint32_t k = 0; k < limn_utgard_image_slices(image, i); k++)
			at += limn_utgard_image_store_bytes(image, i, k, bytes + at, t->data);
	free(bytes);
}

static void read_utgard(struct job_parser *p, struct job_texture *t, uint32_t format)
{
	struct utgard_image *image = job_memory(p, sizeof(*image));
	struct limn_error err;

	if (!image)
		return;
	*image = (struct utgard_image){ .texel = limn_utgard_texel_at(format), .width = t->width, .height = t->height };
	image->cube = job_took(p, "cube");
	if (job_took(p, "volume"))
		image->depth = job_whole(p);
	t->levels = image->levels = take_levels(p, limn_utgard_image_max_levels(t->width, t->height));
	image->tiled = !job_took(p, "rows");
	if (!image->tiled && t->levels > 1)
		job_error(p, job_here(p), "a texture stored in rows has one level");
	if (!p->failed && limn_utgard_image_layout(image, &err))
		job_error(p, p->at, "%s", err.text);
	if (p->failed)
		return;
	t->image = image;
	t->bytes = image->bytes;
	if (job_took(p, "lists"))
		return;
	t->data = job_memory(p, t->bytes);
	if (!t->data)
		return;
	if (job_took(p, "bytes"))
		utgard_store_bytes(p, t);
	else if (image->cube || image->depth || limn_utgard_texel_side(image->texel) > 1)
		job_error(p, job_here(p), "such a texture is given as bytes");
	else
		store_levels(p, t, 0, utgard_store);
}

void job_read_texture_level(struct job_parser *p)
{
	uint32_t unit = job_whole(p), w, h;
	const struct job_texture *t = p->now.textures[JOB_FRAGMENT][unit].texture;
	const struct job_arg *level = job_take(p);
	float *rgba;

	if (!t) {
		job_error_unless(p, p->at, "texture %u is not set", unit);
		return;
	}
	if (!t->data) {
		job_error(p, p->at, "polygon lists have no levels");
		return;
	}
	if (level->number >= t->levels) {
		job_error(p, level->at, "LEVEL: %g is not in 0 to %u", level->number, t->levels - 1);
		return;
	}
	w = minify(t->width, level->number);
	h = minify(t->height, level->number);
	rgba = calloc((uint64_t)w * h, 16);
	if (!rgba)
		job_error(p, p->at, "out of memory");
	else
		job_source(p, w, h, rgba);
	if (!p->failed)
		limn_utgard_image_store(t->image, level->number, rgba, t->data);
	free(rgba);
}

/* --- Vivante ------------------------------------------------------------------------ */

/* What a texture's image is: first member, so that a job_texture's image is it. */
struct viv_image {
	struct viv_texture t;
	const struct texel *f;
	bool supertiled;
};

static uint32_t align(uint32_t value, uint32_t to)
{
	return (value + to - 1) & ~(to - 1);
}

/* Images of a level: faces of a cube, slices of a volume. */
static uint32_t images(const struct viv_image *m, uint32_t level)
{
	return m->t.type == TEXTURE_TYPE_CUBE_MAP ? 6 : minify(m->t.depth, level);
}

/* Bytes of one image of a level; blocks lie row by row, texels in tiles, padded. */
static uint32_t image_bytes(const struct viv_image *m, uint32_t level)
{
	uint32_t w = minify(m->t.width, level), h = minify(m->t.height, level), pad = m->supertiled ? 64 : 4;

	if (m->f->blocks)
		return align(w, 4) / 4 * align(h, 4) / 4 * m->f->cpp;
	return align(w, pad) * align(h, m->t.linear ? 1 : pad) * m->f->cpp;
}

/* Bytes of one image as a job gives them: not padded. */
static uint32_t given_bytes(const struct viv_image *m, uint32_t level)
{
	return m->f->blocks ? image_bytes(m, level) :
	       minify(m->t.width, level) * minify(m->t.height, level) * m->f->cpp;
}

/* Where levels lie, and how many bytes all of them take. */
static uint64_t lay_out(struct viv_image *m)
{
	uint64_t at = 0;

	m->t.stride = align(m->t.width, m->supertiled ? 64 : 4) * m->f->cpp / (m->f->blocks ? 4 : 1);
	m->t.slice = image_bytes(m, 0);
	for (uint32_t i = 0; i < m->t.levels; i++) {
		m->t.offsets[i] = at;
		at = (at + (uint64_t)image_bytes(m, i) * images(m, i) + 63) & ~63ull;
	}
	return at;
}

/* Rows of texels as they are in memory, into their image. */
static void store_image(struct job_texture *t, uint32_t level, uint32_t image, const uint8_t *rows)
{
	const struct viv_image *m = t->image;
	uint32_t w = minify(t->width, level), h = minify(t->height, level), pad = m->supertiled ? 64 : 4;
	struct viv_tiling tiling = {
		.bits = m->t.linear ? 0 : m->supertiled ? VIV_TILE | VIV_SUPER : VIV_TILE,
		.mode = VIV_SUPERTILE_MODE_HZ, .cpp = m->f->cpp, .stride = align(w, pad) * m->f->cpp,
		.height = align(h, pad),
	};
	uint8_t *to = t->data + m->t.offsets[level] + image * image_bytes(m, level);

	if (m->f->blocks)
		memcpy(to, rows, image_bytes(m, level));
	else
		limn_viv_tiling_store(&tiling, to, rows, w * m->f->cpp, 0, 0, w, h);
}

static void viv_store(struct job_parser *p, struct job_texture *t, uint32_t level, uint32_t image, const float *rgba)
{
	const struct viv_image *m = t->image;
	uint32_t n = minify(t->width, level) * minify(t->height, level);
	uint8_t *rows = malloc(n * m->f->cpp);

	if (!rows)
		job_error(p, p->at, "out of memory");
	for (uint32_t i = 0; i < n && rows; i++)
		pack_texel(m->f, rgba + 4 * i, rows + i * m->f->cpp);
	if (rows)
		store_image(t, level, image, rows);
	free(rows);
}

/* All levels, their images, their rows of texels or blocks. */
static void store_bytes(struct job_parser *p, struct job_texture *t)
{
	const struct viv_image *m = t->image;
	uint64_t want = 0, at = 0;
	uint8_t *bytes;

	for (uint32_t i = 0; i < t->levels; i++)
		want += (uint64_t)images(m, i) * given_bytes(m, i);
	bytes = take_bytes(p, want);
	for (uint32_t i = 0; i < t->levels && bytes; i++)
		for (uint32_t k = 0; k < images(m, i); k++, at += given_bytes(m, i))
			store_image(t, i, k, bytes + at);
	free(bytes);
}

/* [cube | volume DEPTH] [levels ...] [linear | tiled | supertiled] */
static void take_layout(struct job_parser *p, struct viv_image *m)
{
	uint32_t max = 1;

	if (job_took(p, "cube")) {
		m->t.type = TEXTURE_TYPE_CUBE_MAP;
		if (m->t.width != m->t.height)
			job_error(p, job_here(p), "faces of a cube are square, not %ux%u", m->t.width, m->t.height);
	} else if (job_took(p, "volume")) {
		m->t.type = TEXTURE_TYPE_3D;
		m->t.depth = job_whole(p);
	}
	while (minify(m->t.width, max - 1) > 1 || minify(m->t.height, max - 1) > 1 || minify(m->t.depth, max - 1) > 1)
		max++;
	m->t.levels = take_levels(p, max);
	m->t.linear = job_took(p, "linear");
	m->supertiled = job_took(p, "supertiled");
	job_took(p, "tiled");
	m->t.halign = m->supertiled ? TEXTURE_HALIGN_SUPER_TILED : TEXTURE_HALIGN_FOUR;
	if (m->t.linear && m->t.levels > 1)
		job_error(p, job_here(p), "a linear texture has one level");
	else if (m->t.linear && m->t.type != TEXTURE_TYPE_2D)
		job_error(p, job_here(p), "a linear texture has one image");
	else if (m->f->blocks && (m->t.linear || m->supertiled))
		job_error(p, job_here(p), "a compressed texture is neither linear nor supertiled");
}

static void read_vivante(struct job_parser *p, struct job_texture *t, uint32_t format)
{
	struct viv_image *m = job_memory(p, sizeof(*m));
	uint64_t bytes;

	if (!m)
		return;
	m->f = &texels[format];
	m->t = (struct viv_texture){
		.type = TEXTURE_TYPE_2D, .format = m->f->format, .ext = m->f->ext, .width = t->width,
		.height = t->height, .depth = 1,
		.config2 = m->f->config2,
	};
	take_layout(p, m);
	t->levels = m->t.levels;
	t->image = m;
	t->needs = m->t.linear ? "linear" : m->supertiled ? "supertiled" : m->f->needs ? m->f->needs :
		   m->t.type == TEXTURE_TYPE_3D ? "3D" : NULL;
	bytes = p->failed ? 0 : lay_out(m);
	if (bytes > JOB_MAX_TEXTURE_BYTES)
		job_error(p, job_here(p), "a texture of %llu bytes is too large", (unsigned long long)bytes);
	if (p->failed)
		return;
	t->bytes = bytes;
	t->data = job_memory(p, bytes);
	if (!t->data)
		return;
	if (job_took(p, "bytes")) {
		store_bytes(p, t);
		return;
	}
	if (!m->f->bits[0])
		job_error(p, job_here(p), "a texture of this format is given as bytes");
	else if (m->t.depth > 1 && t->levels > 1)
		job_error(p, job_here(p), "a volume with levels is given as bytes");
	for (uint32_t i = 0; i < images(m, 0) && !p->failed; i++) {
		if (p->arg == p->num_args)
			job_error(p, p->at, "%u SOURCEs are needed, not %u", images(m, 0), i);
		else
			store_levels(p, t, i, viv_store);
	}
	if (p->arg < p->num_args && !p->failed)
		job_error(p, p->args[p->arg].at, "the end of the line is expected: %u SOURCEs are all", images(m, 0));
}

/* --- Statements ------------------------------------------------------------------------ */

static struct job_unit *take_unit(struct job_parser *p)
{
	enum job_stage stage = strncmp(p->statement->name, "vertex", 6) ? JOB_FRAGMENT : JOB_VERTEX;

	return &p->now.textures[stage][job_whole(p)];
}

void job_read_texture(struct job_parser *p)
{
	struct job_unit *unit = take_unit(p);
	struct job_texture *t;
	uint32_t format, clamp;

	if (job_took(p, "off")) {
		unit->texture = NULL;
		return;
	}
	t = job_memory(p, sizeof(*t));
	if (!t)
		return;
	format = job_whole(p);
	t->width = job_whole(p);
	t->height = job_whole(p);
	(p->job->family == JOB_UTGARD ? read_utgard : read_vivante)(p, t, format);
	if (p->failed)
		return;
	unit->texture = t;
	form_value(form_type_find("wrap", 4), p->job->family, "clamp", &clamp);
	unit->sampler = (struct job_sampler){
		.wrap = { clamp, clamp, clamp },
		.lod[1] = p->job->family == JOB_UTGARD ? TEX_MAX_LEVELS : VIV_MAX_LEVELS - 1,
		.swizzle = { TEXTURE_SWIZZLE_RED, TEXTURE_SWIZZLE_GREEN, TEXTURE_SWIZZLE_BLUE, TEXTURE_SWIZZLE_ALPHA },
	};
}

/* Four of the letters rgba01: what is read as red, green, blue, alpha. */
static void take_swizzle(struct job_parser *p, uint32_t swizzle[4])
{
	static const char letters[] = "rgba01";
	static const uint32_t values[] = {
		TEXTURE_SWIZZLE_RED, TEXTURE_SWIZZLE_GREEN, TEXTURE_SWIZZLE_BLUE, TEXTURE_SWIZZLE_ALPHA,
		TEXTURE_SWIZZLE_ZERO, TEXTURE_SWIZZLE_ONE,
	};
	const struct job_arg *a = job_take(p);

	if (strlen(a->text) != 4 || strspn(a->text, letters) != 4)
		job_error(p, a->at, "'%s' is not four letters of rgba01", a->text);
	for (int i = 0; i < 4 && !p->failed; i++)
		swizzle[i] = values[strchr(letters, a->text[i]) - letters];
}

void job_read_sampler(struct job_parser *p)
{
	uint32_t index = p->args[0].number;
	struct job_unit *unit = take_unit(p);
	struct job_sampler *s = &unit->sampler;

	if (!unit->texture)
		job_error_unless(p, p->args[0].at, "texture %u is not set", index);
	while (p->arg < p->num_args && !p->failed) {
		if (job_took(p, "min")) {
			s->min = job_whole(p);
		} else if (job_took(p, "mag")) {
			s->mag = job_whole(p);
		} else if (job_took(p, "mip")) {
			s->mip = job_whole(p);
		} else if (job_took(p, "wrap")) {
			/* What is left out is as what was before it. */
			for (int i = 0; i < 3; i++) {
				const struct job_arg *a = job_given(p, "WRAP");

				s->wrap[i] = a ? a->number : s->wrap[i - 1];
			}
		} else if (job_took(p, "lod")) {
			job_numbers(p, s->lod, 2);
		} else if (job_took(p, "bias")) {
			s->bias = job_number(p);
		} else if (job_took(p, "border")) {
			job_numbers(p, s->border, 4);
		} else if (job_took(p, "compare")) {
			s->compare = job_whole(p);
		} else if (job_took(p, "swizzle")) {
			take_swizzle(p, s->swizzle);
		} else {
			s->texels = job_took(p, "texels");
		}
	}
}
