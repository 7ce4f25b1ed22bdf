/* SPDX-License-Identifier: MIT */
/*
 * Scenes of the GLES2 client: each draws one picture with nothing but OpenGL ES 2.0, so that any
 * driver can be asked for the same pixels and the answers compared.
 */
#ifndef LIMN_TESTS_MESA_SCENE_H
#define LIMN_TESTS_MESA_SCENE_H

#include <stdbool.h>

#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

struct scene {
	const char *name;
	void (*draw)(const struct scene *s);
	/* Size of the surface in pixels; 0 means 256. */
	int width, height;
	/* Samples per pixel that the surface must have; 0 means 1. */
	int samples;
	/* For scenes that differ only in their shaders; NULL takes the draw function's default. */
	const char *vs, *fs;
};

/* Tables end with a row without a name. */
extern const struct scene scenes_basic[];
extern const struct scene scenes_state[];
extern const struct scene scenes_texture[];
extern const struct scene scenes_target[];
extern const struct scene scenes_fragment[];
extern const struct scene scenes_vertex[];
extern const struct scene scenes_more[];
extern const struct scene scenes_bench[];	/* by --frames alone */

extern int bench_frames;	/* scenes_bench.c: how many are timed */

static inline int scene_width(const struct scene *s)
{
	return s->width ? s->width : 256;
}

static inline int scene_height(const struct scene *s)
{
	return s->height ? s->height : 256;
}

/* gl.c: what every scene needs. Errors end the process with a message and status 1. */

__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *fmt, ...);

/* Compiles, links and uses a program. Attributes "pos", "color", "tex", "normal" get 0 to 3. */
GLuint program(const char *vs, const char *fs);

enum { ATTR_POS, ATTR_COLOR, ATTR_TEX, ATTR_NORMAL };

/* Points an attribute at @size floats per vertex in client memory. */
void attrib(GLuint index, int size, const float *data);

void uniform4(const char *name, float x, float y, float z, float w);
void uniform1(const char *name, float x);
void uniform_int(const char *name, int x);
void uniform_matrix(const char *name, const float m[16]);

/* Column-major 4x4 matrices; out may not alias the inputs. */
void mat_mul(float out[16], const float a[16], const float b[16]);
void mat_rotate(float out[16], float degrees, float x, float y, float z);
void mat_translate(float out[16], float x, float y, float z);
void mat_perspective(float out[16], float fov_degrees, float aspect, float near, float far);

/* A triangle strip over the rectangle, at depth z, with texture coordinates 0 to 1. */
void draw_rect(float x0, float y0, float x1, float y1, float z);

/* An 8-bit RGBA test picture: @kind 0 smooth gradients, 1 checks of 8 texels, 2 pseudo-random. */
unsigned char *test_image(int width, int height, int kind);

/* A bound GL_TEXTURE_2D with the test picture, nearest filter and clamp to edge. */
GLuint test_texture(int width, int height, int kind);

/* A small deterministic generator, the same on every machine; 0 <= value < 1. */
float rand_unit(unsigned int *state);

extern const char vs_plain[];	/* pos, color -> v_color */
extern const char fs_plain[];	/* v_color */
extern const char vs_tex[];	/* pos, tex -> v_tex */
extern const char fs_tex[];	/* texture2D(tex, v_tex) */
extern const char fs_uniform[];	/* uniform vec4 color */

#endif
