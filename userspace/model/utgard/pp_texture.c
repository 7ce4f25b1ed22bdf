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

#include <limn/utgard/formats.h>

#include "model/texture.h"
#include "model/utgard/pp.h"

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
	l->plain = tex->unorm && tex->bytes != 3 && !tex->volume && !((l->va | l->row | l->slice) % tex->bytes);
}

/* Bits of a 4-bit number at even positions, see utgard_tile_index(). */
static inline v8u spread(v8u v)
{
	v = (v | v << 2) & 0x33;
	return (v | v << 1) & 0x55;
}

#define INLINE	static inline __attribute__((always_inline))

/*
 * Where texels are: a part of x, and two of y; of which the address is y + ((x ^ twist) in bytes).
 * In a tile of 16x16 bit n of x ^ y is bit 2n of a texel's place and that of y is bit 2n + 1, which
 * makes y its bits twice, exclusive or those of x.
 */
struct row {
	v8u y, twist;
};

INLINE v8u place_x(bool tiled, v8u x)
{
	return tiled ? spread(x & 15) | (x & ~15u) << 4 : x;
}

INLINE struct row place_y(bool tiled, const struct pp_level *l, v8u y)
{
	if (tiled)
		return (struct row){ (y >> 4) * l->row, spread(y & 15) | spread(y & 15) << 1 };
	return (struct row){ y * l->row, { 0 } };
}

static v8u texel_va(const struct pp_texture *tex, const struct pp_level *l, v8u x, v8u y, v8u z)
{
	v8u va = l->va + z * l->slice;
	struct row row;

	if (tex->format != TEX_FORMAT_ETC1) {
		row = place_y(tex->tiled, l, y);
		return va + row.y + (place_x(tex->tiled, x) ^ row.twist) * tex->bytes;
	}
	x >>= 2;
	y >>= 2;
	if (tex->tiled)
		return va + (y >> 2) * l->row + ((x >> 2) * 16 + (spread((x ^ y) & 3) | spread(y & 3) << 1)) * tex->bytes;
	return va + y * l->row + x * tex->bytes;
}

/* The texel's bytes; zeroes on a fault. buf: for those that lie across two pages. */
static inline const uint8_t *texel_bytes(struct pp *pp, uint32_t bytes, uint32_t va, uint8_t buf[8])
{
	const uint8_t *p;

	if (pp->quiet && (va % MODEL_PAGE + bytes > MODEL_PAGE || !unit_page_quietly(&pp->u, va)))
		goto nothing;
	if (va % MODEL_PAGE + bytes <= MODEL_PAGE)
		p = unit_ptr(&pp->u, va, bytes);
	else
		p = unit_read(&pp->u, va, buf, bytes) ? buf : NULL;
	if (p)
		return p;
nothing:
	pp->fault = true;
	memset(buf, 0, 8);
	return buf;
}

/* Of a unorm format. */
INLINE v8f channel_of(const struct pp_texture *tex, unsigned int c, v8u words)
{
	if (!tex->channel[c].mask)
		return v8_splat(tex->channel[c].constant);
	return __builtin_convertvector((v8i)(words >> tex->channel[c].bit & tex->channel[c].mask), v8f) * tex->channel[c].unit;
}

static void count_texels(struct pp *pp, unsigned int n)
{
	pp->count[PP_CNT_TEXTURE_READS] += n;
	pp->count[PP_CNT_BUS_READS] += n;
	pp->count[PP_CNT_BUS_READ_REQUESTS] += n;
	unit_stats(&pp->u)->texels += n;
}

/* One level of a texture, and where each lane samples it. */
struct sampling {
	struct pp *pp;
	const struct pp_texture *tex;
	const struct pp_level *level;
	v8f coord[3];
	v8i face;			/* of a cube, else 0 */
};

/* A negative index is the border. */
static void fetch(void *ctx, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4])
{
	const struct sampling *s = ctx;
	const struct pp_texture *tex = s->tex;
	struct pp *pp = s->pp;
	v8i border = (*x | *y | *z) < 0;
	unsigned int inside = lanes & ~v8_mask(border), c;
	v8u va = texel_va(tex, s->level, (v8u)*x, (v8u)*y, (v8u)*z), words = { 0 };

	count_texels(pp, __builtin_popcount(inside));
	if (tex->unorm) {
		EACH_LANE(inside) {
			uint8_t buf[8];
			uint32_t word = 0;

			memcpy(&word, texel_bytes(pp, tex->bytes, va[lane], buf), tex->bytes);
			words[lane] = word;
		}
		for (c = 0; c < 4; c++)
			out[c] = channel_of(tex, c, words);
	}
	for (; inside && !tex->unorm; inside &= inside - 1) {
		unsigned int i = __builtin_ctz(inside);
		uint8_t buf[8];
		float rgba[4];

		pp_texel_decode(tex, texel_bytes(pp, tex->bytes, va[i], buf), (*x)[i] & 3, (*y)[i] & 3, rgba);
		for (c = 0; c < 4; c++)
			out[c][i] = rgba[c];
	}
	for (c = 0; c < 4 && lanes & v8_mask(border); c++)
		out[c] = v8_select(border, v8_splat(tex->border[c]), out[c]);
}

/* Texel coordinates, wrapped as far as that goes before filtering. */
static v8f wrap_coord(unsigned int mode, v8f s, float size, bool unnorm)
{
	v8f u = s * (unnorm ? 1 : size);

	switch (mode) {
	case TEX_WRAP_REPEAT:
		if (!unnorm)
			return (s - texture_floor(s)) * size;
		return u - texture_floor(u / size) * size;
	case TEX_WRAP_CLAMP_TO_EDGE:
	case TEX_WRAP_CLAMP:
		return texture_clamp(u, 0, size);
	case TEX_WRAP_CLAMP_TO_BORDER:
		return texture_clamp(u, -1, size + 1);
	case TEX_WRAP_MIRROR_REPEAT:
		s = u / size;
		s -= 2 * texture_floor(s / 2);
		return v8_select(s > 1, 2 - s, s) * size;
	case TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
	case TEX_WRAP_MIRROR_CLAMP:
		return texture_clamp((v8f)((v8i)u & 0x7fffffff), 0, size);
	default:	/* TEX_WRAP_MIRROR_CLAMP_TO_BORDER */
		return texture_clamp((v8f)((v8i)u & 0x7fffffff), 0, size + 1);
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
	return texture_choose(i < 0, low, texture_choose(i < size, i, high));
}

static inline struct texture_axis texels(unsigned int mode, v8f s, int size, bool unnorm, bool nearest)
{
	v8f u = wrap_coord(mode, s, size, unnorm) - (nearest ? 0 : 0.5f), f = texture_floor(u);
	v8i i = __builtin_convertvector(f, v8i);
	struct texture_axis a = { .i[0] = wrap_index(mode, i, size, !nearest) };

	if (!nearest) {
		a.i[1] = wrap_index(mode, i + 1, size, true);
		a.weight = u - f;
	}
	return a;
}

/*
 * Words and weights of the texels around each lane's coordinates, for texels in pages of which no cache keeps a copy; false:
 * they are not. Those without a weight are read, too, but not counted.
 */
INLINE bool find_words(struct sampling *s, unsigned int level, bool linear, unsigned int lanes, struct texture_four *t,
		       unsigned int *count)
{
	const struct pp_texture *tex = s->tex;
	const struct pp_level *l = s->level = &tex->level[level];
	struct texture_axis x, y = { 0 };
	unsigned int sides = linear ? 2 : 1, shift = tex->bytes >> 1;	/* 1, 2 or 4 bytes */
	v8u base = l->va + (v8u)s->face * l->slice, va[4], column[2];
	v8i border = { 0 };
	struct row row[2];

	if (!l->plain)
		return false;
	x = texels(tex->wrap[0], s->coord[0], l->w, tex->unnorm, !linear);
	if (!tex->one_dim)
		y = texels(tex->wrap[1], s->coord[1], l->h, tex->unnorm, !linear);
	for (unsigned int k = 0; k < sides; k++) {
		border |= x.i[k] | y.i[k];
		column[k] = place_x(tex->tiled, (v8u)x.i[k]) << shift;
		row[k] = place_y(tex->tiled, l, (v8u)y.i[k]);
		row[k].y += base;
		row[k].twist <<= shift;
	}
	for (unsigned int i = 0; i < sides * sides; i++)
		va[i] = texture_needed(row[i >> 1].y + (column[i & 1] ^ row[i >> 1].twist), lanes);
	if (lanes & v8_mask(border < 0) || !texture_words(&s->pp->u, tex->bytes, sides * sides, va, t->words))
		return false;
	*count += (unsigned int)__builtin_popcount(lanes);
	if (linear) {
		unsigned int right = lanes & v8_mask(x.weight != 0), below = lanes & v8_mask(y.weight != 0);

		*count += (unsigned int)(__builtin_popcount(right | below << 8) + __builtin_popcount(right & below));
		t->x = x.weight;
		t->y = y.weight;
	}
	return true;
}

INLINE v8f filter_words(const struct pp_texture *tex, bool linear, const struct texture_four *t, unsigned int c)
{
	v8f a = channel_of(tex, c, t->words[0]), b;

	if (!linear || !tex->channel[c].mask)
		return a;
	a += t->x * (channel_of(tex, c, t->words[1]) - a);
	b = channel_of(tex, c, t->words[2]);
	b += t->x * (channel_of(tex, c, t->words[3]) - b);
	return a + t->y * (b - a);
}

/* What texture_filter() makes of fetch(), of one level or, by a weight, two; false, and nothing is counted: not that easy. */
INLINE bool sample_words(struct sampling *s, unsigned int level, bool linear, unsigned int lanes, const v8f *between, v8f out[4])
{
	struct texture_four t;
	unsigned int count = 0;

	if (!find_words(s, level, linear, lanes, &t, &count))
		return false;
	for (unsigned int c = 0; c < 4; c++)
		out[c] = filter_words(s->tex, linear, &t, c);
	if (between && !find_words(s, level + 1, linear, lanes, &t, &count))
		return false;
	for (unsigned int c = 0; between && c < 4; c++)
		out[c] += *between * (filter_words(s->tex, linear, &t, c) - out[c]);
	count_texels(s->pp, count);
	return true;
}

static bool plain_levels(struct sampling *s, unsigned int level, bool nearest, unsigned int lanes, const v8f *between, v8f out[4])
{
	return nearest ? sample_words(s, level, false, lanes, between, out) : sample_words(s, level, true, lanes, between, out);
}

static void sample_level(void *ctx, unsigned int level, bool nearest, unsigned int lanes, v8f out[4])
{
	struct sampling *s = ctx;
	const struct pp_texture *tex = s->tex;
	const struct pp_level *l = s->level = &tex->level[level];
	struct texture_axis axis[3] = { [2].i = { s->face } };

	if (plain_levels(s, level, nearest, lanes, NULL, out))
		return;
	axis[0] = texels(tex->wrap[0], s->coord[0], l->w, tex->unnorm, nearest);
	if (!tex->one_dim)
		axis[1] = texels(tex->wrap[1], s->coord[1], l->h, tex->unnorm, nearest);
	if (tex->volume)
		axis[2] = texels(tex->wrap[2], s->coord[2], l->d, tex->unnorm, nearest);
	texture_filter(fetch, s, axis, lanes, out);
}

/* log2 of texels, from their square. */
static float lod_of(float rho)
{
	if (!(rho > 0x1p-80f))
		return -40;
	return rho < 0x1p80f ? 0.5f * log2f(rho) : 40;
}

/* Places on the face that the first pixel of each quad sees. */
static void quad_faces(const v8f coord[3], v8f st[2])
{
	for (unsigned int i = 0, face = 0; i < PP_LANES; i++) {
		float v[3] = { coord[0][i], coord[1][i], coord[2][i] }, at[2];

		face = (unsigned int)fragment_cube_face(v, i % 4 ? (int)face : -1, at);
		st[0][i] = at[0];
		st[1][i] = at[1];
	}
}

/* log2 of the texels that a pixel of each quad spans, from the quad's upper and left differences. */
static v8f quad_lods(const struct pp_texture *tex, const v8f coord[3])
{
	unsigned int n = tex->one_dim ? 1 : tex->volume ? 3 : 2;
	const float size[3] = { tex->width, tex->height, tex->depth };
	v8f st[2], sum = { 0 };
	float rho[2], lod[2];

	if (tex->cube)
		quad_faces(coord, st);
	for (unsigned int i = 0; i < n; i++) {
		v8f c = tex->cube ? st[i] : coord[i];
		/* To the right in lane 0, downwards in lane 2. */
		v8f d = __builtin_shufflevector(c, c, 1, 1, 2, 2, 5, 5, 6, 6) - __builtin_shufflevector(c, c, 0, 0, 0, 0, 4, 4, 4, 4);

		d *= tex->unnorm ? 1 : size[i];
		sum += d * d;
	}
	for (unsigned int i = 0; i < 2; i++) {
		rho[i] = sum[4 * i] > sum[4 * i + 2] ? sum[4 * i] : sum[4 * i + 2];
		lod[i] = lod_of(rho[i]);
	}
	return (v8f){ lod[0], lod[0], lod[0], lod[0], lod[1], lod[1], lod[1], lod[1] };
}

static void choose_levels(const struct pp_texture *tex, v8f lod, struct texture_levels *l)
{
	/*
	 * Before clamping: without mipmaps Mesa sets both limits to 0, and minifies still. A least level of detail that
	 * is no magnification is taken all the same (lima_texture.c; piglit's lodclamp is not among what Mesa's CI lists as
	 * failing on a Mali-450).
	 */
	v8i magnified = tex->min_lod > tex->mag_lod ? (v8i){ 0 } : lod <= tex->mag_lod;
	v8f level, zero = { 0 };
	v8b bytes;

	l->nearest = v8_mask(magnified) & (tex->mag_nearest ? 0xff : 0);
	l->nearest |= v8_mask(~magnified) & (tex->min_nearest ? 0xff : 0);
	lod = texture_clamp(lod, tex->min_lod, tex->max_lod);
	if (tex->mip_linear) {
		level = texture_floor(lod);
		l->weight = v8_select(magnified, zero, lod - level);
		l->between = v8_mask((l->weight != 0) & (level < (float)tex->last));
	} else {
		level = -texture_floor(-(lod + 0.5f)) - 1;
	}
	level = v8_select(magnified, zero, texture_clamp(level, 0, (float)tex->last));
	bytes = __builtin_convertvector(__builtin_convertvector(level, v8i), v8b);
	memcpy(l->level, &bytes, sizeof(bytes));
}

/* Directions become faces and places on them. */
static void to_faces(struct sampling *s)
{
	for (unsigned int i = 0; i < PP_LANES; i++) {
		float d[3] = { s->coord[0][i], s->coord[1][i], s->coord[2][i] }, st[2];

		s->face[i] = fragment_cube_face(d, -1, st);
		s->coord[0][i] = st[0];
		s->coord[1][i] = st[1];
	}
}

/* The same levels for all, whatever their coordinates are? */
static bool is_flat(const struct pp_texture *tex, enum pp_lod_mode mode)
{
	return mode == PP_LOD_AUTO && tex->min_lod == tex->max_lod && tex->min_nearest == tex->mag_nearest;
}

static void levels_of(const struct pp_texture *tex, const v8f coord[3], enum pp_lod_mode mode, const v8f *lod, bool flat,
		      struct texture_levels *levels)
{
	v8f lods = v8_splat(tex->lod_bias);

	if (mode == PP_LOD_EXPLICIT) {
		lods += *lod;
	} else if (!flat) {
		lods += quad_lods(tex, coord);
	}
	if (mode == PP_LOD_BIAS)
		lods += *lod;
	choose_levels(tex, texture_sane(lods), levels);
}

/* flat: all lanes have the same levels. */
INLINE void sample(struct pp *pp, const struct pp_texture *tex, const v8f coord[3], const struct texture_levels *levels, bool flat,
		   unsigned int lanes, v8f out[4])
{
	struct sampling s;
	const v8f *between;
	unsigned int first;
	v8f next[4];
	bool nearest;

	s.pp = pp;
	s.tex = tex;
	s.face = (v8i){ 0 };
	s.coord[0] = texture_sane(coord[0]);
	s.coord[1] = texture_sane(coord[1]);
	if (tex->cube || tex->volume)
		s.coord[2] = texture_sane(coord[2]);
	if (tex->cube)
		to_faces(&s);
	if (!flat && (texture_alike(levels, lanes) != lanes || (levels->between & lanes && lanes & ~levels->between))) {
		texture_mipmap(sample_level, &s, levels, lanes, out);
		return;
	}
	first = (unsigned int)__builtin_ctz(lanes);
	nearest = levels->nearest >> first & 1;
	between = levels->between & lanes ? &levels->weight : NULL;
	if (plain_levels(&s, levels->level[first], nearest, lanes, between, out))
		return;
	sample_level(&s, levels->level[first], nearest, lanes, out);
	if (!between)
		return;
	sample_level(&s, levels->level[first] + 1u, nearest, lanes, next);
	for (unsigned int c = 0; c < 4; c++)
		out[c] += *between * (next[c] - out[c]);
}

void pp_texture_sample(struct pp *pp, const struct pp_texture *tex, const v8f coord[3],
		       enum pp_lod_mode mode, const v8f *lod, uint8_t lanes, v8f out[4])
{
	struct texture_levels levels = { 0 };

	for (unsigned int i = 0; i < 4; i++)
		out[i] = (v8f){ 0 };
	if (!tex->valid)
		return;
	levels_of(tex, coord, mode, lod, is_flat(tex, mode), &levels);
	sample(pp, tex, coord, &levels, false, lanes, out);
}

void pp_texture_sample_batch(struct pp *pp, const struct pp_texture *tex, unsigned int n, const ppsim_column *coord,
			     enum pp_lod_mode mode, const v8f *lod, const uint8_t *lanes, ppsim_column *out)
{
	bool flat = is_flat(tex, mode);
	struct texture_levels levels;

	for (unsigned int c = 0; c < 4 && !tex->valid; c++)
		memset(out[c], 0, n * sizeof(out[c][0]));
	for (unsigned int i = 0; i < n && tex->valid && !pp->fault; i++) {
		v8f at[3] = { coord[0][i], coord[1][i], coord[2][i] }, rgba[4] = { { 0 } };

		if (!flat || !i) {
			levels = (struct texture_levels){ 0 };
			levels_of(tex, at, mode, &lod[i], flat, &levels);
		}
		sample(pp, tex, at, &levels, flat, lanes[i], rgba);
		for (unsigned int c = 0; c < 4; c++)
			out[c][i] = rgba[c];
	}
}
