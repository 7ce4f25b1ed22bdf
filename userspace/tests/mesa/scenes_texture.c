// SPDX-License-Identifier: MIT
/* Textures: formats, sizes, wrapping, filters, mipmaps, updates. */
#include <stdlib.h>

#include "scene.h"

static void begin(void)
{
	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_tex);
}

static void filter(GLenum min, GLenum mag)
{
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
}

/* As draw_rect, with texture coordinates from t0 to t1. */
static void rect_tex(float x0, float y0, float x1, float y1, float t0, float t1)
{
	float pos[] = { x0, y0, x1, y0, x0, y1, x1, y1 };
	float tex[] = { t0, t0, t1, t0, t0, t1, t1, t1 };

	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_TEX, 2, tex);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw_formats(const struct scene *s)
{
	static const struct {
		GLenum format, type;
		int bytes;
	} row[] = {
		{ GL_RGBA, GL_UNSIGNED_BYTE, 4 }, { GL_RGB, GL_UNSIGNED_BYTE, 3 },
		{ GL_LUMINANCE, GL_UNSIGNED_BYTE, 1 }, { GL_ALPHA, GL_UNSIGNED_BYTE, 1 },
		{ GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2 }, { GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2 },
		{ GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2 }, { GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2 },
		{ GL_BGRA_EXT, GL_UNSIGNED_BYTE, 4 },
	};
	enum { SIZE = 16 };

	begin();
	test_texture(1, 1, 0);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	for (int i = 0; i < 9; i++) {
		unsigned char data[SIZE * SIZE * 4];
		float x = -0.95f + 0.65f * (i % 3), y = -0.95f + 0.65f * (i / 3);
		unsigned int seed = i;

		for (int k = 0; k < SIZE * SIZE * row[i].bytes; k++)
			data[k] = 255 * rand_unit(&seed);
		glTexImage2D(GL_TEXTURE_2D, 0, row[i].format, SIZE, SIZE, 0, row[i].format,
			     row[i].type, data);
		rect_tex(x, y, x + 0.6f, y + 0.6f, 0, 1);
	}
}

static void draw_wrap(const struct scene *s)
{
	static const GLenum wrap[] = { GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT };

	begin();
	test_texture(32, 16, 1);
	for (int i = 0; i < 9; i++) {
		float x = -0.95f + 0.65f * (i % 3), y = -0.95f + 0.65f * (i / 3);

		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap[i % 3]);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap[i / 3]);
		rect_tex(x, y, x + 0.6f, y + 0.6f, -1.25f, 2.25f);
	}
}

static void draw_filter(const struct scene *s)
{
	begin();
	test_texture(8, 8, 0);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
	rect_tex(-0.9f, -0.9f, 0, 0, 0, 1);
	filter(GL_LINEAR, GL_LINEAR);
	rect_tex(0.05f, -0.9f, 0.95f, 0, 0, 1);
	rect_tex(-0.9f, 0.05f, 0, 0.95f, -0.5f, 1.5f);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
	rect_tex(0.05f, 0.05f, 0.95f, 0.95f, 0.8f, 1.3f);
}

static void draw_npot(const struct scene *s)
{
	begin();
	test_texture(37, 21, 0);
	filter(GL_LINEAR, GL_LINEAR);
	rect_tex(-0.9f, -0.9f, 0.9f, 0, 0, 1);
	test_texture(100, 3, 1);
	rect_tex(-0.9f, 0.1f, 0.9f, 0.5f, 0, 1);
	test_texture(1, 40, 0);
	rect_tex(-0.9f, 0.6f, 0.9f, 0.9f, 0, 1);
}

static void draw_large(const struct scene *s)
{
	begin();
	test_texture(1024, 512, 0);
	rect_tex(-0.9f, -0.9f, 0.9f, 0.9f, 0, 1);
}

/* Every level another colour: the picture shows which level the GPU took. */
static void colored_levels(int size)
{
	for (int level = 0; size >> level; level++) {
		int n = size >> level;
		unsigned char *p = malloc((size_t)n * n * 4);

		for (int i = 0; i < n * n; i++) {
			p[i * 4] = level * 36;
			p[i * 4 + 1] = 255 - level * 36;
			p[i * 4 + 2] = level & 1 ? 200 : 40;
			p[i * 4 + 3] = 255;
		}
		glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
		free(p);
	}
}

static void mip_rects(GLenum min)
{
	begin();
	test_texture(1, 1, 0);
	colored_levels(128);
	filter(min, GL_NEAREST);
	/* 180, 90, 45, 22, 11 pixels wide; 128 texels each: never half way between two levels. */
	for (int i = 0; i < 5; i++) {
		float w = 1.40625f / (1 << i), y = -0.95f + 1.4375f - w;

		rect_tex(-0.95f + (i ? 1.45f : 0), i ? y - 0.5f : y - 0.0f,
			 -0.95f + (i ? 1.45f : 0) + w * (i ? 0.5f : 1), y + w * (i ? 0.5f : 1) - (i ? 0.5f : 0),
			 0, 1);
	}
}

static void draw_mipnearest(const struct scene *s) { mip_rects(GL_NEAREST_MIPMAP_NEAREST); }
static void draw_miplinear(const struct scene *s) { mip_rects(GL_LINEAR_MIPMAP_LINEAR); }

static void draw_mipgenerate(const struct scene *s)
{
	begin();
	test_texture(64, 64, 0);
	glGenerateMipmap(GL_TEXTURE_2D);
	filter(GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
	rect_tex(-0.9f, -0.9f, 0.1f, 0.1f, 0, 1);
	rect_tex(0.2f, -0.9f, 0.4f, -0.7f, 0, 1);
	rect_tex(0.2f, 0, 0.3f, 0.1f, 0, 1);
}

static void draw_subimage(const struct scene *s)
{
	unsigned char *p = test_image(64, 64, 1);

	begin();
	test_texture(64, 64, 0);
	rect_tex(-0.9f, -0.9f, 0, 0, 0, 1);
	/* Between two draws of one frame: the first must keep the old texels. */
	glTexSubImage2D(GL_TEXTURE_2D, 0, 5, 11, 37, 29, GL_RGBA, GL_UNSIGNED_BYTE, p);
	rect_tex(0.05f, 0.05f, 0.95f, 0.95f, 0, 1);
	free(p);
}

static void draw_many(const struct scene *s)
{
	GLuint tex[16];

	begin();
	for (int i = 0; i < 16; i++)
		tex[i] = test_texture(8 << (i % 4), 8 << (i / 4), i % 3);
	for (int i = 0; i < 16; i++) {
		float x = -1 + 0.5f * (i % 4), y = -1 + 0.5f * (i / 4);

		glBindTexture(GL_TEXTURE_2D, tex[i]);
		/* A size that puts no border of two texels on a pixel's centre. */
		rect_tex(x, y, x + 0.4471f, y + 0.4471f, 0, 1);
	}
}

static void draw_alpha(const struct scene *s)
{
	begin();
	test_texture(64, 64, 1);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	rect_tex(-0.8f, -0.8f, 0.4f, 0.4f, 0, 1);
	rect_tex(-0.3f, -0.3f, 0.9f, 0.9f, 0, 1);
}

static void draw_cubemap(const struct scene *s)
{
	static const float pos[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
	GLuint tex;

	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program("attribute vec4 pos; varying vec2 v;\n"
		"void main() { gl_Position = pos; v = pos.xy; }\n",
		/* A ball that mirrors the cube around it. */
		"precision mediump float; varying vec2 v; uniform samplerCube tex;\n"
		"void main() {\n"
		"	float r = dot(v, v); vec3 d = vec3(v * 1.5, 0.8);\n"
		"	if (r < 0.7) d = reflect(vec3(0, 0, 1), vec3(v, -sqrt(1.0 - r)));\n"
		"	gl_FragColor = textureCube(tex, d);\n"
		"}\n");
	glGenTextures(1, &tex);
	glBindTexture(GL_TEXTURE_CUBE_MAP, tex);
	for (int face = 0; face < 6; face++) {
		unsigned char *p = test_image(16, 16, 0);

		for (int i = 0; i < 16 * 16; i++)
			p[i * 4 + 2] = 40 * face;
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 16, 16, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, p);
		free(p);
	}
	/* Not linear: softpipe filters across the cube's edges, as ES 3 has it and ES 2 need not. */
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	attrib(ATTR_POS, 2, pos);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

#define ROW(n, fn) { .name = "t_" n, .draw = draw_ ## fn }

const struct scene scenes_texture[] = {
	ROW("formats", formats), ROW("wrap", wrap), ROW("filter", filter), ROW("npot", npot),
	ROW("large", large), ROW("mip_nearest", mipnearest), ROW("mip_linear", miplinear),
	ROW("mip_generate", mipgenerate), ROW("subimage", subimage), ROW("many", many),
	ROW("alpha", alpha), ROW("cubemap", cubemap),
	{ }
};
