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

static inline v8f choose(v8i mask, v8f yes, v8f no)
{
	return (v8f)(((v8i)yes & mask) | ((v8i)no & ~mask));
}

static inline v8i choose_index(v8i mask, v8i yes, v8i no)
{
	return (yes & mask) | (no & ~mask);
}

/* Of coordinates that an integer holds. */
static inline v8f floor8(v8f v)
{
	v8f t = __builtin_convertvector(__builtin_convertvector(v, v8i), v8f);

	return t + __builtin_convertvector(t > v, v8f);
}

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

/* Bits of a 4-bit number at even positions, see utgard_tile_index(). */
static inline v8u spread(v8u v)
{
	v = (v | v << 2) & 0x33;
	return (v | v << 1) & 0x55;
}

static inline v8u texel_va(const struct pp_texture *tex, const struct pp_level *l, v8u x, v8u y, v8u z)
{
	v8u va = l->va + z * l->slice;

	if (tex->format == TEX_FORMAT_ETC1) {
		x >>= 2;
		y >>= 2;
		if (tex->tiled)
			return va + (y >> 2) * l->row +
			       ((x >> 2) * 16 + (spread((x ^ y) & 3) | spread(y & 3) << 1)) * tex->bytes;
	} else if (tex->tiled) {
		return va + (y >> 4) * l->row +
		       ((x >> 4) * 256 + (spread((x ^ y) & 15) | spread(y & 15) << 1)) * tex->bytes;
	}
	return va + y * l->row + x * tex->bytes;
}

/* The texel's bytes; zeroes on a fault. buf: for those that lie across two pages. */
static inline const uint8_t *texel_bytes(struct pp *pp, uint32_t bytes, uint32_t va, uint8_t buf[8])
{
	const uint8_t *p;

	if (va % MODEL_PAGE + bytes <= MODEL_PAGE)
		p = unit_ptr(&pp->u, va, bytes);
	else
		p = unit_read(&pp->u, va, buf, bytes) ? buf : NULL;
	if (p)
		return p;
	pp->fault = true;
	memset(buf, 0, 8);
	return buf;
}

/* Of formats up to 32 bits. */
static inline v8u texel_words(struct pp *pp, uint32_t bytes, v8u va, unsigned int lanes)
{
	v8u words = { 0 };

	for (; lanes; lanes &= lanes - 1) {
		unsigned int i = __builtin_ctz(lanes);
		uint8_t buf[8];
		const uint8_t *p = texel_bytes(pp, bytes, va[i], buf);
		uint32_t v;

		switch (bytes) {
		case 4:
			memcpy(&v, p, 4);
			break;
		case 2:
			v = p[0] | p[1] << 8;
			break;
		case 1:
			v = p[0];
			break;
		default:
			v = p[0] | p[1] << 8 | p[2] << 16;
		}
		words[i] = v;
	}
	return words;
}

/* One texel for each lane; a negative index is the border. */
static void fetch(struct pp *pp, const struct pp_texture *tex, const struct pp_level *l, v8i x, v8i y, v8i z,
		  uint8_t lanes, v8f out[4])
{
	v8i border = (x | y | z) < 0;
	unsigned int inside = lanes & ~pp_lane_mask((v8u)border), i, c;
	v8u va = texel_va(tex, l, (v8u)x, (v8u)y, (v8u)z), words;
	uint8_t buf[8];
	float rgba[4];

	pp->count[PP_CNT_TEXTURE_READS] += __builtin_popcount(inside);
	pp->count[PP_CNT_BUS_READS] += __builtin_popcount(inside);
	pp->count[PP_CNT_BUS_READ_REQUESTS] += __builtin_popcount(inside);
	if (pp_texel_is_unorm(tex->format)) {
		words = texel_words(pp, tex->bytes, va, inside);
		pp_texels_decode(tex->format, tex->swap_rb, &words, out);
	} else {
		for (; inside; inside &= inside - 1) {
			i = __builtin_ctz(inside);
			pp_texel_decode(tex->format, tex->swap_rb, texel_bytes(pp, tex->bytes, va[i], buf),
					x[i] & 3, y[i] & 3, rgba);
			for (c = 0; c < 4; c++)
				out[c][i] = rgba[c];
		}
	}
	for (c = 0; c < 4; c++)
		out[c] = choose(border, (v8f){ 0 } + tex->border[c], out[c]);
}

static inline float clampf(float f, float lo, float hi)
{
	return f < lo ? lo : f > hi ? hi : f;
}

static inline v8f clamp8(v8f v, float lo, float hi)
{
	return choose(v < lo, (v8f){ 0 } + lo, choose(v > hi, (v8f){ 0 } + hi, v));
}

/* Texel coordinates, wrapped as far as that goes before filtering. */
static v8f wrap_coord(unsigned int mode, v8f s, float size, bool unnorm)
{
	v8f u = s * (unnorm ? 1 : size), positive = (v8f)((v8i)u & 0x7fffffff);

	switch (mode) {
	case TEX_WRAP_REPEAT:
		if (!unnorm)
			return (s - floor8(s)) * size;
		return u - floor8(u / size) * size;
	case TEX_WRAP_CLAMP_TO_EDGE:
	case TEX_WRAP_CLAMP:
		return clamp8(u, 0, size);
	case TEX_WRAP_CLAMP_TO_BORDER:
		return clamp8(u, -1, size + 1);
	case TEX_WRAP_MIRROR_REPEAT:
		s = u / size;
		s -= 2 * floor8(s / 2);
		return choose(s > 1, 2 - s, s) * size;
	case TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
	case TEX_WRAP_MIRROR_CLAMP:
		return clamp8(positive, 0, size);
	default:	/* TEX_WRAP_MIRROR_CLAMP_TO_BORDER */
		return clamp8(positive, 0, size + 1);
	}
}

/* Texels' indices after wrapping, -1: border. */
static inline v8i wrap_index(unsigned int mode, v8i i, int size, bool linear)
{
	v8i zero = { 0 }, low = zero, high = zero + size - 1;

	switch (mode) {
	case TEX_WRAP_REPEAT:
		low = zero + size - 1;
		high = zero;
		break;
	case TEX_WRAP_CLAMP:
		low = linear ? zero - 1 : zero;
		high = linear ? zero - 1 : high;
		break;
	case TEX_WRAP_MIRROR_CLAMP:
		high = linear ? zero - 1 : high;
		break;
	case TEX_WRAP_CLAMP_TO_BORDER:
		low = zero - 1;
		high = zero - 1;
		break;
	case TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
		high = zero - 1;
		break;
	}
	return choose_index(i < 0, low, choose_index(i < size, i, high));
}

/* The texel at a coordinate of one axis; or the two around it, and the second one's weight. */
struct axis {
	v8i i[2];
	v8f weight;
};

static inline struct axis texels(unsigned int mode, v8f s, int size, bool unnorm, bool nearest)
{
	v8f u = wrap_coord(mode, s, size, unnorm) - (nearest ? 0 : 0.5f), f = floor8(u);
	v8i i = __builtin_convertvector(f, v8i);
	struct axis a = { .i[0] = wrap_index(mode, i, size, !nearest) };

	if (!nearest) {
		a.i[1] = wrap_index(mode, i + 1, size, true);
		a.weight = u - f;
	}
	return a;
}

/* From a towards b, by a weight that is not 0 in the lanes. */
static inline void blend_texels(v8f a[4], const v8f b[4], v8f weight)
{
	for (unsigned int c = 0; c < 4; c++)
		a[c] = choose(weight != 0, a[c] + weight * (b[c] - a[c]), a[c]);
}

static inline uint8_t weighted(v8f weight)
{
	return pp_lane_mask((v8u)(weight != 0));
}

/* Of the four texels around a coordinate, those that have a weight are read. */
static void sample_slice(struct pp *pp, const struct pp_texture *tex, const struct pp_level *l,
			 const struct axis *x, const struct axis *y, v8i z, uint8_t lanes, v8f out[4])
{
	uint8_t right = lanes & weighted(x->weight), below = lanes & weighted(y->weight);
	v8f row[4], other[4];

	fetch(pp, tex, l, x->i[0], y->i[0], z, lanes, out);
	if (right) {
		fetch(pp, tex, l, x->i[1], y->i[0], z, right, other);
		blend_texels(out, other, x->weight);
	}
	if (!below)
		return;
	fetch(pp, tex, l, x->i[0], y->i[1], z, below, row);
	if (below & right) {
		fetch(pp, tex, l, x->i[1], y->i[1], z, below & right, other);
		blend_texels(row, other, x->weight);
	}
	blend_texels(out, row, y->weight);
}

/* One level for the lanes. face: of a cube, else 0. */
static void sample_level(struct pp *pp, const struct pp_texture *tex, unsigned int level, bool nearest,
			 const v8f coord[3], v8i face, uint8_t lanes, v8f out[4])
{
	const struct pp_level *l = &tex->level[level];
	struct axis x = texels(tex->wrap[0], coord[0], l->w, tex->unnorm, nearest);
	struct axis y = { 0 }, z = { .i = { face } };
	uint8_t behind;
	v8f other[4];

	if (!tex->one_dim)
		y = texels(tex->wrap[1], coord[1], l->h, tex->unnorm, nearest);
	if (tex->volume)
		z = texels(tex->wrap[2], coord[2], l->d, tex->unnorm, nearest);
	sample_slice(pp, tex, l, &x, &y, z.i[0], lanes, out);
	behind = lanes & weighted(z.weight);
	if (behind) {
		sample_slice(pp, tex, l, &x, &y, z.i[1], behind, other);
		blend_texels(out, other, z.weight);
	}
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

/* How each lane is sampled: from one level, or between two. */
struct levels {
	uint8_t level[PP_LANES];
	uint8_t nearest;		/* lanes */
	uint8_t between;		/* lanes: of the next level, too */
	v8f weight;			/* of that */
};

static void choose_levels(const struct pp_texture *tex, v8f lods, struct levels *l)
{
	for (unsigned int i = 0; i < PP_LANES; i++) {
		float lod = fragment_sane(lods[i]), f;
		unsigned int level = 0;

		/* Before clamping: without mipmaps Mesa sets both limits to 0, and minifies still. */
		if (lod <= tex->mag_lod) {
			l->level[i] = 0;
			l->nearest |= tex->mag_nearest << i;
			continue;
		}
		l->nearest |= tex->min_nearest << i;
		lod = clampf(lod, tex->min_lod, tex->max_lod);
		if (tex->mip_linear) {
			level = floorf(lod);
			f = lod - level;
			l->weight[i] = f;
			l->between |= (f != 0 && level < tex->last) << i;
		} else {
			f = ceilf(lod + 0.5f) - 1;
			level = f > 0 ? f : 0;
		}
		l->level[i] = level > tex->last ? tex->last : level;
	}
}

/* The level that is next above each lane's chosen one. */
static void sample_levels(struct pp *pp, const struct pp_texture *tex, const struct levels *l, unsigned int above,
			  const v8f coord[3], v8i face, uint8_t lanes, v8f out[4])
{
	while (lanes) {
		unsigned int first = __builtin_ctz(lanes), i, c;
		uint8_t same = 0;
		v8f part[4];

		for (i = first; i < PP_LANES; i++)
			same |= (l->level[i] == l->level[first] &&
				 (l->nearest >> i & 1) == (l->nearest >> first & 1)) << i;
		same &= lanes;
		sample_level(pp, tex, l->level[first] + above, l->nearest >> first & 1, coord, face, same, part);
		for (c = 0; c < 4; c++)
			out[c] = choose((v8i)pp_lanes(same), part[c], out[c]);
		lanes &= ~same;
	}
}

void pp_texture_sample(struct pp *pp, const struct pp_texture *tex, const v8f coord[3],
		       enum pp_lod_mode mode, const v8f *lod, uint8_t lanes, v8f out[4])
{
	bool flat = tex->min_lod == tex->max_lod && tex->min_nearest == tex->mag_nearest;
	v8f st[3], lods = (v8f){ 0 } + tex->lod_bias, next[4] = { 0 };
	struct levels levels = { 0 };
	v8i face = { 0 };
	unsigned int i, c;

	for (c = 0; c < 4; c++)
		out[c] = (v8f){ 0 };
	if (!tex->valid)
		return;
	if (mode == PP_LOD_EXPLICIT) {
		lods += *lod;
	} else if (!flat) {
		float q[2] = { quad_lod(tex, coord, 0), quad_lod(tex, coord, 1) };

		lods += (v8f){ q[0], q[0], q[0], q[0], q[1], q[1], q[1], q[1] };
	}
	if (mode == PP_LOD_BIAS)
		lods += *lod;
	choose_levels(tex, lods, &levels);
	for (i = 0; i < 3; i++)
		st[i] = choose((coord[i] > -0x1p22f) & (coord[i] < 0x1p22f), coord[i], (v8f){ 0 });
	for (i = 0; i < PP_LANES && tex->cube; i++) {
		float d[3] = { st[0][i], st[1][i], st[2][i] }, on_face[2];

		face[i] = fragment_cube_face(d, -1, on_face);
		st[0][i] = on_face[0];
		st[1][i] = on_face[1];
	}
	sample_levels(pp, tex, &levels, 0, st, face, lanes, out);
	if (!(lanes & levels.between))
		return;
	sample_levels(pp, tex, &levels, 1, st, face, lanes & levels.between, next);
	for (c = 0; c < 4; c++)
		out[c] = choose((v8i)pp_lanes(levels.between), out[c] + levels.weight * (next[c] - out[c]), out[c]);
}
