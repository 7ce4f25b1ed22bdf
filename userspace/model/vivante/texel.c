// SPDX-License-Identifier: MIT
/*
 * TX: texel formats. Names, and which bits they mean, as rnndb common_3d.xml and
 * Mesa etnaviv_format.c have them: highest bits first.
 */
#include <math.h>

#include "isa/half.h"
#include "model/texture.h"
#include "model/vivante/copy.h"
#include "model/vivante/viv3d.h"

#define EXT(name)	(V3D_TEX_EXT + TEXTURE_FORMAT_EXT_##name)
#define OLD(name)	TEXTURE_FORMAT_##name

enum kind {
	T_NONE, T_UNORM, T_SNORM, T_HALF, T_RAW, T_INT, T_ALPHA, T_LUMINANCE, T_INTENSITY, T_LA,
	T_SMALL_FLOAT, T_SHARED, T_DEPTH16, T_DEPTH24, T_BLOCK, T_YUV,
};

static const struct format {
	uint8_t bytes, kind;
	uint8_t shift[4], bits[4];	/* red, green, blue, alpha; 0 bits: not there */
} formats[128] = {
	[OLD(A8)] = { 1, T_ALPHA, { 0 }, { 0 } },
	[OLD(L8)] = { 1, T_LUMINANCE, { 0 }, { 0 } },
	[OLD(I8)] = { 1, T_INTENSITY, { 0 }, { 0 } },
	[OLD(A8L8)] = { 2, T_LA, { 0 }, { 0 } },
	[OLD(A4R4G4B4)] = { 2, T_UNORM, { 8, 4, 0, 12 }, { 4, 4, 4, 4 } },
	[OLD(X4R4G4B4)] = { 2, T_UNORM, { 8, 4, 0, 0 }, { 4, 4, 4, 0 } },
	[OLD(A8R8G8B8)] = { 4, T_UNORM, { 16, 8, 0, 24 }, { 8, 8, 8, 8 } },
	[OLD(X8R8G8B8)] = { 4, T_UNORM, { 16, 8, 0, 0 }, { 8, 8, 8, 0 } },
	[OLD(A8B8G8R8)] = { 4, T_UNORM, { 0, 8, 16, 24 }, { 8, 8, 8, 8 } },
	[OLD(X8B8G8R8)] = { 4, T_UNORM, { 0, 8, 16, 0 }, { 8, 8, 8, 0 } },
	[OLD(R5G6B5)] = { 2, T_UNORM, { 11, 5, 0, 0 }, { 5, 6, 5, 0 } },
	[OLD(A1R5G5B5)] = { 2, T_UNORM, { 10, 5, 0, 15 }, { 5, 5, 5, 1 } },
	[OLD(X1R5G5B5)] = { 2, T_UNORM, { 10, 5, 0, 0 }, { 5, 5, 5, 0 } },
	/* Two texels; shift: of the first luma and both chroma. */
	[OLD(YUY2)] = { 2, T_YUV, { 0, 8, 24, 0 }, { 0 } },
	[OLD(UYVY)] = { 2, T_YUV, { 8, 0, 16, 0 }, { 0 } },
	[OLD(D16)] = { 2, T_DEPTH16, { 0 }, { 0 } },
	[OLD(D24X8)] = { 4, T_DEPTH24, { 0 }, { 0 } },
	[OLD(DXT1)] = { 8, T_BLOCK, { 0 }, { 0 } },
	[OLD(DXT2_DXT3)] = { 16, T_BLOCK, { 0 }, { 0 } },
	[OLD(DXT4_DXT5)] = { 16, T_BLOCK, { 0 }, { 0 } },
	[OLD(E5B9G9R9)] = { 4, T_SHARED, { 0 }, { 0 } },
	[OLD(ETC1)] = { 8, T_BLOCK, { 0 }, { 0 } },
	/* The extended NONE is ETC2's RGB8 (Mesa). */
	[EXT(NONE)] = { 8, T_BLOCK, { 0 }, { 0 } },
	[EXT(RGB8_PUNCHTHROUGH_ALPHA1_ETC2)] = { 8, T_BLOCK, { 0 }, { 0 } },
	[EXT(RGBA8_ETC2_EAC)] = { 16, T_BLOCK, { 0 }, { 0 } },
	[EXT(R11_EAC)] = { 8, T_BLOCK, { 0 }, { 0 } },
	[EXT(RG11_EAC)] = { 16, T_BLOCK, { 0 }, { 0 } },
	[EXT(SIGNED_R11_EAC)] = { 8, T_BLOCK, { 0 }, { 0 } },
	[EXT(SIGNED_RG11_EAC)] = { 16, T_BLOCK, { 0 }, { 0 } },
	[EXT(R8)] = { 1, T_UNORM, { 0 }, { 8, 0, 0, 0 } },
	[EXT(G8R8)] = { 2, T_UNORM, { 0, 8, 0, 0 }, { 8, 8, 0, 0 } },
	[EXT(A2B10G10R10)] = { 4, T_UNORM, { 0, 10, 20, 30 }, { 10, 10, 10, 2 } },
	[EXT(R8_SNORM)] = { 1, T_SNORM, { 0 }, { 8, 0, 0, 0 } },
	[EXT(G8R8_SNORM)] = { 2, T_SNORM, { 0, 8, 0, 0 }, { 8, 8, 0, 0 } },
	[EXT(X8B8G8R8_SNORM)] = { 4, T_SNORM, { 0, 8, 16, 0 }, { 8, 8, 8, 0 } },
	[EXT(A8B8G8R8_SNORM)] = { 4, T_SNORM, { 0, 8, 16, 24 }, { 8, 8, 8, 8 } },
	[EXT(R16F)] = { 2, T_HALF, { 0 }, { 16, 0, 0, 0 } },
	[EXT(G16R16F)] = { 4, T_HALF, { 0, 16, 0, 0 }, { 16, 16, 0, 0 } },
	[EXT(A16B16G16R16F)] = { 8, T_HALF, { 0, 16, 32, 48 }, { 16, 16, 16, 16 } },
	[EXT(R32F)] = { 4, T_RAW, { 0 }, { 32, 0, 0, 0 } },
	[EXT(G32R32F)] = { 8, T_RAW, { 0, 32, 0, 0 }, { 32, 32, 0, 0 } },
	[EXT(R32I)] = { 4, T_INT, { 0 }, { 32, 0, 0, 0 } },
	[EXT(G32R32I)] = { 8, T_INT, { 0, 32, 0, 0 }, { 32, 32, 0, 0 } },
	[EXT(R8I)] = { 1, T_INT, { 0 }, { 8, 0, 0, 0 } },
	[EXT(G8R8I)] = { 2, T_INT, { 0, 8, 0, 0 }, { 8, 8, 0, 0 } },
	[EXT(A8B8G8R8I)] = { 4, T_INT, { 0, 8, 16, 24 }, { 8, 8, 8, 8 } },
	[EXT(R16I)] = { 2, T_INT, { 0 }, { 16, 0, 0, 0 } },
	[EXT(G16R16I)] = { 4, T_INT, { 0, 16, 0, 0 }, { 16, 16, 0, 0 } },
	[EXT(A16B16G16R16I)] = { 8, T_INT, { 0, 16, 32, 48 }, { 16, 16, 16, 16 } },
	[EXT(A2B10G10R10UI)] = { 4, T_INT, { 0, 10, 20, 30 }, { 10, 10, 10, 2 } },
	[EXT(B10G11R11F)] = { 4, T_SMALL_FLOAT, { 0, 11, 22, 0 }, { 11, 11, 10, 0 } },
	[EXT(D24S8)] = { 4, T_DEPTH24, { 0 }, { 0 } },
};

bool v3d_texel_format(unsigned int format, unsigned int *bytes, unsigned int *block)
{
	if (format >= 128 || !formats[format].bytes)
		return false;
	*bytes = formats[format].bytes;
	*block = formats[format].kind == T_BLOCK ? 4 : 1;
	return true;
}

bool v3d_texel_is_unorm(const struct v3d_sampler *s)
{
	return formats[s->format].kind == T_UNORM && !s->srgb;
}

/*
 * v / max, which is (1 << n) - 1: the product with a factor of 12 bits is exact, and the rest of
 * the factor adds what rounds it as a division does (test_viv_formats tries every v of every
 * format).
 */
static inline __attribute__((always_inline)) v8f unit(v8f v, unsigned int max)
{
	double factor = 1.0 / max;
	float high = as_float(as_bits((float)factor) & ~0xfffu);

	return v * high + v * (float)(factor - (double)high);
}

/* One component of the texels in words; known: the compiler knows the format. */
static inline __attribute__((always_inline)) v8f channel(const struct format *f, bool known, v8u words, unsigned int c)
{
	uint32_t max = (1u << f->bits[c]) - 1;
	v8f v = __builtin_convertvector((v8i)(words >> f->shift[c] & max), v8f);

	if (!max)
		return v8_splat(c == 3);
	return known ? unit(v, max) : v / (float)max;
}

static inline __attribute__((always_inline)) void texels_unorm(const struct format *f, bool known, const v8u *words, v8f out[4])
{
	for (unsigned int c = 0; c < 4; c++)
		out[c] = channel(f, known, *words, c);
}

/* As texture_slice() blends: a weight of 0 leaves what is finite as it is. */
static inline __attribute__((always_inline)) v8f linear(const struct format *f, bool known, const struct texture_four *t, unsigned int c)
{
	v8f left = channel(f, known, t->words[0], c), right = channel(f, known, t->words[1], c);
	v8f left1 = channel(f, known, t->words[2], c), right1 = channel(f, known, t->words[3], c);

	left = left + t->x * (right - left);
	left1 = left1 + t->x * (right1 - left1);
	return left + t->y * (left1 - left);
}

static inline __attribute__((always_inline)) void linear_unorm(const struct format *f, bool known, const struct texture_four t[2],
							       const v8f *between, v8f out[4])
{
	for (unsigned int c = 0; c < 4; c++)
		out[c] = linear(f, known, &t[0], c);
	for (unsigned int c = 0; between && c < 4; c++)
		out[c] += *between * (linear(f, known, &t[1], c) - out[c]);
}

/* The same for each format, and for what most textures are. */
#define FOR_FORMAT(function, ...) do { \
	if (s->format == OLD(A8B8G8R8)) \
		function(&formats[OLD(A8B8G8R8)], true, __VA_ARGS__); \
	else if (s->format == OLD(A8R8G8B8)) \
		function(&formats[OLD(A8R8G8B8)], true, __VA_ARGS__); \
	else if (s->format == OLD(X8B8G8R8)) \
		function(&formats[OLD(X8B8G8R8)], true, __VA_ARGS__); \
	else if (s->format == OLD(R5G6B5)) \
		function(&formats[OLD(R5G6B5)], true, __VA_ARGS__); \
	else \
		function(&formats[s->format], false, __VA_ARGS__); \
} while (0)

void v3d_texels_unorm(const struct v3d_sampler *s, const v8u *words, v8f out[4])
{
	FOR_FORMAT(texels_unorm, words, out);
}

void v3d_texels_linear(const struct v3d_sampler *s, const struct texture_four *t, const v8f *between, v8f out[4])
{
	FOR_FORMAT(linear_unorm, t, between, out);
}

static float from_srgb(float c)
{
	return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

/* One component, n bits. */
static float component(const struct format *f, const struct v3d_sampler *s, uint32_t v, unsigned int n)
{
	int32_t i = (int32_t)(v << (32 - n)) >> (32 - n);
	float x;

	switch (f->kind) {
	case T_UNORM:
		return (float)v / (float)((1u << n) - 1);
	case T_SNORM:
		x = (float)i / (float)((1 << (n - 1)) - 1);
		return x < -1 ? -1 : x;
	case T_HALF:
		return half_to_float((uint16_t)v);
	case T_SMALL_FLOAT:
		return half_to_float((uint16_t)(v << (15 - n)));
	case T_INT:
		return as_float(s->signed_int ? (uint32_t)i : v);
	default:
		return as_float(v);
	}
}

bool v3d_texel_is_integer(unsigned int format)
{
	return formats[format].kind == T_INT;
}

bool v3d_texel_is_yuv(unsigned int format)
{
	return formats[format].kind == T_YUV;
}

bool v3d_texel_has_stencil(unsigned int format)
{
	return formats[format].kind == T_DEPTH24;
}

static void components(const struct format *f, const struct v3d_sampler *s, const uint8_t *p, float out[4])
{
	uint64_t word = 0;

	memcpy(&word, p, f->bytes);
	/* What a format lacks is 0, alpha 1. GUESS(tex-integer-one): the integer 1 among integers, as OpenGL ES 3.0 has it. */
	out[0] = out[1] = out[2] = 0;
	out[3] = f->kind == T_INT ? as_float(1) : 1;
	for (unsigned int c = 0; c < 4; c++)
		if (f->bits[c])
			out[c] = component(f, s, (uint32_t)(word >> f->shift[c] & (~0ull >> (64 - f->bits[c]))), f->bits[c]);
}

static void set(float out[4], float r, float g, float b, float a)
{
	out[0] = r;
	out[1] = g;
	out[2] = b;
	out[3] = a;
}

/* Three components of 9 bits with a common exponent of 5 (OpenGL ES 3.0, 3.8.3.2). */
static void shared_exponent(const uint8_t *p, float out[4])
{
	uint32_t v;

	memcpy(&v, p, 4);
	for (unsigned int c = 0; c < 3; c++)
		out[c] = ldexpf((float)(v >> 9 * c & 0x1ff), (int)(v >> 27) - 15 - 9);
	out[3] = 1;
}

static void depth(const uint8_t *p, unsigned int kind, float out[4])
{
	uint32_t v = 0;
	float d;

	memcpy(&v, p, kind == T_DEPTH16 ? 2 : 4);
	d = kind == T_DEPTH16 ? (float)v / 65535.0f : (float)((double)(v >> 8) / 16777215.0);
	/* GUESS(tex-depth-components): depth is in all of red, green and blue. */
	set(out, d, d, d, 1);
}

/*
 * GUESS(tex-yuv): Mesa, which has shaders convert what a driver does not sample, leaves YUYV and UYVY to the texture unit
 * (etnaviv_format.c) and its result to the picture: RGB. By which equation is not written down: that of the 2D engine
 * without its BT.709. Both texels of a pair have its chroma, and filters get what is converted.
 */
static void yuv(const struct format *f, const uint8_t *p, unsigned int second, float out[4])
{
	const uint8_t *luma = p + f->shift[0] / 8 + 2 * second;
	uint8_t bgra[4];

	viv_from_yuv(false, *luma, p[f->shift[1] / 8], p[f->shift[2] / 8], bgra);
	set(out, (float)bgra[2] / 255.0f, (float)bgra[1] / 255.0f, (float)bgra[0] / 255.0f, 1);
}

void v3d_texel(const struct v3d_sampler *s, const uint8_t *p, unsigned int x, unsigned int y, float out[4])
{
	const struct format *f = &formats[s->format];
	float v = (float)p[0] / 255.0f;

	switch (f->kind) {
	case T_ALPHA:
		set(out, 0, 0, 0, v);
		break;
	case T_LUMINANCE:
		set(out, v, v, v, 1);
		break;
	case T_INTENSITY:
		set(out, v, v, v, v);
		break;
	case T_LA:
		set(out, v, v, v, (float)p[1] / 255.0f);
		break;
	case T_DEPTH16: case T_DEPTH24:
		/*
		 * GUESS(tex-stencil-components): with DEPTH_STENCIL_MODE of STENCIL (Mesa etnaviv_texture_desc.c, the newest)
		 * it is an integer in red, and 0, 0, 1.
		 */
		if (s->stencil)
			set(out, as_float(p[0]), 0, 0, as_float(1));
		else
			depth(p, f->kind, out);
		break;
	case T_SHARED:
		shared_exponent(p, out);
		break;
	case T_YUV:
		yuv(f, p, x, out);
		break;
	case T_BLOCK:
		v3d_texel_block(s->format, s->swapped, p, x, y, out);
		break;
	default:
		components(f, s, p, out);
	}
	if (s->srgb)
		for (unsigned int c = 0; c < 3; c++)
			out[c] = from_srgb(out[c]);
}
