/* SPDX-License-Identifier: MIT */
/*
 * Texture sampling: level of detail, wrapping, filtering, addressing.
 * Formulas: OpenGL ES 2.0 specification, 3.7.7 to 3.7.9 (and OpenGL's for the
 * wrap modes that ES lacks); storage: Mesa lima_texture.c, lima_resource.c.
 *
 * GUESS(pp-filter-bits): filtering weights and LOD have float precision; hardware surely has
 * fewer bits.
 */
#include <math.h>

#include "model/utgard/pp.h"

typedef float v4f __attribute__((vector_size(16)));

/* Bits of a 4-bit number spread to even positions, see utgard_tile_index(). */
static const uint8_t spread[16] = {
	0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
	0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
};

static uint32_t max1(uint32_t v)
{
	return v ? v : 1;
}

void pp_texture_level(const struct pp_texture *tex, unsigned int n, uint32_t va,
		      struct pp_level *l)
{
	uint32_t aw, ah;

	l->va = va;
	l->w = max1(tex->width >> n);
	l->h = tex->one_dim ? 1 : max1(tex->height >> n);
	l->d = tex->volume ? max1(tex->depth >> n) : 1;
	aw = (l->w + 15) & ~15u;
	ah = (l->h + 15) & ~15u;
	if (tex->format == TEX_FORMAT_ETC1) {
		l->slice = aw / 4 * (ah / 4) * tex->bytes;
		l->row = tex->tiled ? aw / 4 * 4 * tex->bytes : aw / 4 * tex->bytes;
	} else {
		l->slice = aw * ah * tex->bytes;
		l->row = tex->tiled ? aw * 16 * tex->bytes : aw * tex->bytes;
	}
	/* GUESS(pp-level-stride): a stride counts for the first level only; others have rows of 16 texels' multiples. */
	if (!tex->tiled && tex->stride && !n)
		l->row = tex->stride;
}

static uint32_t texel_va(const struct pp_texture *tex, const struct pp_level *l, uint32_t x,
			 uint32_t y, uint32_t z)
{
	uint32_t va = l->va + z * l->slice;

	if (tex->format == TEX_FORMAT_ETC1) {
		x >>= 2;
		y >>= 2;
		if (!tex->tiled)
			return va + y * l->row + x * tex->bytes;
		return va + (y >> 2) * l->row +
		       ((x >> 2) * 16 + (spread[(x ^ y) & 3] | spread[y & 3] << 1)) * tex->bytes;
	}
	if (!tex->tiled)
		return va + y * l->row + x * tex->bytes;
	return va + (y >> 4) * l->row +
	       ((x >> 4) * 256 + (spread[(x ^ y) & 15] | spread[y & 15] << 1)) * tex->bytes;
}

/* The texel's bytes; zeroes on a fault. buf: for those that lie across two pages. */
static const uint8_t *texel_bytes(struct pp *pp, const struct pp_texture *tex, uint32_t va,
				  uint8_t buf[8])
{
	const uint8_t *p;

	pp->count[PP_CNT_TEXTURE_READS]++;
	pp->count[PP_CNT_BUS_READS]++;
	pp->count[PP_CNT_BUS_READ_REQUESTS]++;
	if (va % MODEL_PAGE + tex->bytes <= MODEL_PAGE)
		p = unit_ptr(&pp->u, va, tex->bytes);
	else
		p = unit_read(&pp->u, va, buf, tex->bytes) ? buf : NULL;
	if (p)
		return p;
	pp->fault = true;
	memset(buf, 0, 8);
	return buf;
}

static inline v4f fetch(struct pp *pp, const struct pp_texture *tex, const struct pp_level *l,
			int x, int y, int z)
{
	uint8_t buf[8];
	const uint8_t *p;
	v4f out;

	if (x < 0 || y < 0 || z < 0) {
		memcpy(&out, tex->border, sizeof(out));
		return out;
	}
	p = texel_bytes(pp, tex, texel_va(tex, l, x, y, z), buf);
	if (tex->format == TEX_FORMAT_B8G8R8A8) {
		out = (v4f){ p[2], p[1], p[0], p[3] };
		if (tex->swap_rb)
			out = (v4f){ p[0], p[1], p[2], p[3] };
		return out * (1 / 255.0f);
	}
	pp_texel_decode(tex->format, tex->swap_rb, p, x & 3, y & 3, (float *)&out);
	return out;
}

static float clampf(float f, float lo, float hi)
{
	return f < lo ? lo : f > hi ? hi : f;
}

/* Texel coordinate, wrapped as far as that goes before filtering. */
static float wrap_coord(unsigned int mode, float s, float size, bool unnorm)
{
	float u = s * (unnorm ? 1 : size);

	switch (mode) {
	case TEX_WRAP_REPEAT:
		if (!unnorm)
			return (s - floorf(s)) * size;
		return u - floorf(u / size) * size;
	case TEX_WRAP_CLAMP_TO_EDGE:
	case TEX_WRAP_CLAMP:
		return clampf(u, 0, size);
	case TEX_WRAP_CLAMP_TO_BORDER:
		return clampf(u, -1, size + 1);
	case TEX_WRAP_MIRROR_REPEAT:
		s = u / size;
		s -= 2 * floorf(s / 2);
		return (s > 1 ? 2 - s : s) * size;
	case TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
	case TEX_WRAP_MIRROR_CLAMP:
		return clampf(fabsf(u), 0, size);
	default:	/* TEX_WRAP_MIRROR_CLAMP_TO_BORDER */
		return clampf(fabsf(u), 0, size + 1);
	}
}

/* A texel's index after wrapping, -1: border. */
static int wrap_index(unsigned int mode, int i, int size, bool linear)
{
	if (i >= 0 && i < size)
		return i;
	switch (mode) {
	case TEX_WRAP_REPEAT:
		return i < 0 ? size - 1 : 0;
	case TEX_WRAP_CLAMP:
		if (linear)
			return -1;
		return i < 0 ? 0 : size - 1;
	case TEX_WRAP_MIRROR_CLAMP:
		return i < 0 ? 0 : linear ? -1 : size - 1;
	case TEX_WRAP_CLAMP_TO_BORDER:
		return -1;
	case TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
		return i < 0 ? 0 : -1;
	default:
		return i < 0 ? 0 : size - 1;
	}
}

static int nearest_index(unsigned int mode, float s, int size, bool unnorm)
{
	float u = wrap_coord(mode, s, size, unnorm);

	return wrap_index(mode, (int)floorf(u), size, false);
}

static v4f sample_nearest(struct pp *pp, const struct pp_texture *tex, const struct pp_level *l,
			  const float coord[3], int face)
{
	int x, y = 0, z = face;

	x = nearest_index(tex->wrap[0], coord[0], l->w, tex->unnorm);
	if (!tex->one_dim)
		y = nearest_index(tex->wrap[1], coord[1], l->h, tex->unnorm);
	if (tex->volume)
		z = nearest_index(tex->wrap[2], coord[2], l->d, tex->unnorm);
	return fetch(pp, tex, l, x, y, z);
}

/* The two texels around a coordinate, and the second one's weight. */
static float linear_axis(unsigned int mode, float s, int size, bool unnorm, int i[2])
{
	float u = wrap_coord(mode, s, size, unnorm) - 0.5f, f = floorf(u);

	i[0] = wrap_index(mode, (int)f, size, true);
	i[1] = wrap_index(mode, (int)f + 1, size, true);
	return u - f;
}

static v4f sample_linear(struct pp *pp, const struct pp_texture *tex, const struct pp_level *l,
			 const float coord[3], int face)
{
	int x[2], y[2] = { 0, 0 }, z[2] = { face, face };
	float wx, wy = 0, wz = 0;
	v4f out[2];
	unsigned int i;

	wx = linear_axis(tex->wrap[0], coord[0], l->w, tex->unnorm, x);
	if (!tex->one_dim)
		wy = linear_axis(tex->wrap[1], coord[1], l->h, tex->unnorm, y);
	if (tex->volume)
		wz = linear_axis(tex->wrap[2], coord[2], l->d, tex->unnorm, z);
	for (i = 0; i < (wz != 0 ? 2 : 1); i++) {
		v4f a = fetch(pp, tex, l, x[0], y[0], z[i]), b;

		if (wx != 0)
			a += wx * (fetch(pp, tex, l, x[1], y[0], z[i]) - a);
		if (wy != 0) {
			b = fetch(pp, tex, l, x[0], y[1], z[i]);
			if (wx != 0)
				b += wx * (fetch(pp, tex, l, x[1], y[1], z[i]) - b);
			a += wy * (b - a);
		}
		out[i] = a;
	}
	return wz != 0 ? out[0] + wz * (out[1] - out[0]) : out[0];
}

/* log2 of the texels that a quad's pixel spans, from its upper and left differences. */
static float quad_lod(const struct pp_texture *tex, const v8f coord[3], unsigned int quad)
{
	unsigned int l = quad * 4, i, n = tex->one_dim ? 1 : tex->volume ? 3 : 2;
	float size[3] = { tex->width, tex->height, tex->depth };
	float c[3][3] = { 0 }, dx = 0, dy = 0, d, rho;
	int face = -1;

	for (i = 0; i < 3; i++) {
		float v[3] = { coord[0][l + i], coord[1][l + i], coord[2][l + i] };

		if (tex->cube)
			face = fragment_cube_face(v, face, c[i]);
		else
			memcpy(c[i], v, sizeof(v));
	}
	for (i = 0; i < n; i++) {
		float s = tex->unnorm ? 1 : size[i];

		d = (c[1][i] - c[0][i]) * s;
		dx += d * d;
		d = (c[2][i] - c[0][i]) * s;
		dy += d * d;
	}
	rho = dx > dy ? dx : dy;
	if (!(rho > 0x1p-80f))
		return -40;
	return rho < 0x1p80f ? 0.5f * log2f(rho) : 40;
}

static v4f sample_level(struct pp *pp, const struct pp_texture *tex, unsigned int level,
			bool nearest, const float coord[3], int face)
{
	const struct pp_level *l = &tex->level[level];

	return nearest ? sample_nearest(pp, tex, l, coord, face) :
			 sample_linear(pp, tex, l, coord, face);
}

static v4f sample_lane(struct pp *pp, const struct pp_texture *tex, const float coord[3], int face,
		       float lod)
{
	bool nearest = tex->min_nearest;
	unsigned int l0;
	float f;
	v4f a;

	/* Before clamping: without mipmaps Mesa sets both limits to 0, and minifies still. */
	if (lod <= tex->mag_lod)
		return sample_level(pp, tex, 0, tex->mag_nearest, coord, face);
	lod = clampf(lod, tex->min_lod, tex->max_lod);
	if (!tex->mip_linear) {
		f = ceilf(lod + 0.5f) - 1;
		l0 = f > 0 ? f : 0;
		return sample_level(pp, tex, l0 > tex->last ? tex->last : l0, nearest, coord, face);
	}
	l0 = floorf(lod);
	f = lod - l0;
	a = sample_level(pp, tex, l0 > tex->last ? tex->last : l0, nearest, coord, face);
	if (f == 0 || l0 >= tex->last)
		return a;
	return a + f * (sample_level(pp, tex, l0 + 1, nearest, coord, face) - a);
}

void pp_texture_sample(struct pp *pp, const struct pp_texture *tex, const v8f coord[3],
		       enum pp_lod_mode mode, const v8f *lod, uint8_t lanes, v8f out[4])
{
	bool flat = tex->min_lod == tex->max_lod && tex->min_nearest == tex->mag_nearest;
	float auto_lod[2] = { 0, 0 };
	unsigned int i, c;

	for (c = 0; c < 4; c++)
		out[c] = (v8f){ 0 };
	if (!tex->valid)
		return;
	if (mode != PP_LOD_EXPLICIT && !flat) {
		auto_lod[0] = quad_lod(tex, coord, 0);
		auto_lod[1] = quad_lod(tex, coord, 1);
	}
	for (i = 0; i < PP_LANES; i++) {
		float st[3] = { fragment_sane(coord[0][i]), fragment_sane(coord[1][i]), fragment_sane(coord[2][i]) };
		float l = tex->lod_bias;
		v4f rgba;
		int face = 0;

		if (!(lanes >> i & 1))
			continue;
		if (tex->cube)
			face = fragment_cube_face((float[3]){ st[0], st[1], st[2] }, -1, st);
		l += mode == PP_LOD_EXPLICIT ? (*lod)[i] : auto_lod[i / 4];
		if (mode == PP_LOD_BIAS)
			l += (*lod)[i];
		rgba = sample_lane(pp, tex, st, face, fragment_sane(l));
		for (c = 0; c < 4; c++)
			out[c][i] = rgba[c];
	}
}
