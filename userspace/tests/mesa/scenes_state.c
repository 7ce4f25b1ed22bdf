// SPDX-License-Identifier: MIT
/* Primitives, vertex formats and per-fragment state. */
#include <math.h>
#include <stdlib.h>

#include "scene.h"

static void clear_all(float r, float g, float b)
{
	glClearColor(r, g, b, 1);
	glClearDepthf(1);
	glClearStencil(0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void rect_colored(float x0, float y0, float x1, float y1, float z, float r, float g,
			 float b, float a)
{
	uniform4("color", r, g, b, a);
	draw_rect(x0, y0, x1, y1, z);
}

static void draw_stencil(const struct scene *s)
{
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_STENCIL_TEST);
	/* A mask in the middle, then what is inside, what is outside, and a counted overlap. */
	glStencilFunc(GL_ALWAYS, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	glColorMask(0, 0, 0, 0);
	rect_colored(-0.5f, -0.5f, 0.5f, 0.5f, 0, 1, 1, 1, 1);
	glColorMask(1, 1, 1, 1);
	glStencilFunc(GL_EQUAL, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
	rect_colored(-0.9f, -0.2f, 0.3f, 0.2f, 0, 1, 0.5f, 0, 1);
	glStencilFunc(GL_NOTEQUAL, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	rect_colored(0, -0.8f, 0.8f, 0.8f, 0, 0, 0.5f, 1, 1);
	glStencilFunc(GL_LESS, 1, 0x3);
	rect_colored(-0.4f, -0.1f, 0, 0.1f, 0, 0, 1, 0, 1);
}

static void draw_stencil_ops(const struct scene *s)
{
	static const GLenum ops[] = { GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT,
				      GL_INCR_WRAP, GL_DECR_WRAP };

	clear_all(0, 0, 0);
	program(vs_tex, fs_uniform);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	glClearStencil(5);
	glClear(GL_STENCIL_BUFFER_BIT);
	for (int i = 0; i < 8; i++) {
		float x = -1 + i * 0.25f;

		/* Below: depth passes; above: depth fails and the next op in turn is taken. */
		glStencilFunc(GL_ALWAYS, 3, 0xff);
		glStencilOp(GL_KEEP, ops[(i + 1) % 8], ops[i]);
		rect_colored(x, -1, x + 0.2f, 0, 0, 0.1f, 0.1f, 0.1f, 1);
		glDepthFunc(GL_NEVER);
		rect_colored(x, 0, x + 0.2f, 1, 0, 0.1f, 0.1f, 0.1f, 1);
		glDepthFunc(GL_LEQUAL);
	}
	/* Shows the value of the stencil buffer, bit by bit. */
	glDisable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	for (int bit = 0; bit < 8; bit++) {
		glStencilFunc(GL_EQUAL, 0xff, 1 << bit);
		rect_colored(-1, -1, 1, 1, 0, bit < 3 ? 0.2f * (1 << bit) : 0,
			     bit < 5 ? 0 : 0.1f * (1 << (bit - 5)), bit == 3 || bit == 4 ? 0.4f : 0, 0);
	}
}

static void draw_depth_funcs(const struct scene *s)
{
	static const GLenum funcs[] = { GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER,
					GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS };

	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_DEPTH_TEST);
	for (int i = 0; i < 8; i++) {
		float x = -1 + i * 0.25f;

		glDepthFunc(GL_ALWAYS);
		rect_colored(x, -0.9f, x + 0.2f, 0.9f, 0.25f, 0, 0, 0.6f, 1);
		glDepthFunc(funcs[i]);
		rect_colored(x, 0.4f, x + 0.2f, 0.8f, 0.5f, 1, 0, 0, 1);
		rect_colored(x, -0.2f, x + 0.2f, 0.2f, 0.25f, 0, 1, 0, 1);
		rect_colored(x, -0.8f, x + 0.2f, -0.4f, -0.5f, 1, 1, 0, 1);
	}
}

static void draw_depth_slope(const struct scene *s)
{
	static const float a[] = { -0.9f, -0.8f, -0.9f, 0.9f, -0.7f, 0.9f, 0, 0.9f, 0.1f };
	static const float b[] = { -0.9f, 0.8f, 0.8f, 0.9f, 0.6f, -0.6f, 0, -0.9f, -0.2f };

	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_DEPTH_TEST);
	attrib(ATTR_POS, 3, a);
	uniform4("color", 1, 0.3f, 0.2f, 1);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	attrib(ATTR_POS, 3, b);
	uniform4("color", 0.2f, 0.6f, 1, 1);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_depth_mask(const struct scene *s)
{
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_DEPTH_TEST);
	glDepthMask(GL_FALSE);
	rect_colored(-0.8f, -0.8f, 0.2f, 0.2f, -0.5f, 1, 0, 0, 1);
	glDepthMask(GL_TRUE);
	rect_colored(-0.3f, -0.3f, 0.7f, 0.7f, 0.5f, 0, 1, 0, 1);
	glDepthRangef(0.6f, 1.0f);
	rect_colored(0, 0, 0.9f, 0.9f, -1, 0, 0, 1, 1);
}

static void draw_polygon_offset(const struct scene *s)
{
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_DEPTH_TEST);
	rect_colored(-0.8f, -0.8f, 0.8f, 0.8f, 0.1f, 0.5f, 0.5f, 0.5f, 1);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(0, -64);
	rect_colored(-0.7f, -0.7f, 0, 0.7f, 0.1f, 1, 0.5f, 0, 1);
	glPolygonOffset(0, 64);
	rect_colored(0, -0.7f, 0.7f, 0.7f, 0.1f, 0, 0.5f, 1, 1);
}

static void draw_cull(const struct scene *s)
{
	static const float ccw[] = { -0.3f, -0.3f, 0.3f, -0.3f, 0, 0.3f };
	static const float cw[] = { -0.3f, -0.3f, 0, 0.3f, 0.3f, -0.3f };

	clear_all(0.1f, 0.1f, 0.1f);
	program("attribute vec4 pos; uniform vec4 shift;\n"
		"void main() { gl_Position = pos + shift; }\n", fs_uniform);
	for (int i = 0; i < 6; i++) {
		float x = -0.6f + 0.6f * (i % 3), y = i < 3 ? 0.5f : -0.5f;

		if (i % 3)
			glEnable(GL_CULL_FACE);
		else
			glDisable(GL_CULL_FACE);
		glCullFace(i % 3 == 1 ? GL_BACK : GL_FRONT);
		glFrontFace(i < 3 ? GL_CCW : GL_CW);
		uniform4("shift", x - 0.08f, y, 0, 0);
		uniform4("color", 1, 0.5f, 0, 1);
		attrib(ATTR_POS, 2, ccw);
		glDrawArrays(GL_TRIANGLES, 0, 3);
		uniform4("shift", x + 0.08f, y - 0.1f, 0, 0);
		uniform4("color", 0, 0.5f, 1, 1);
		attrib(ATTR_POS, 2, cw);
		glDrawArrays(GL_TRIANGLES, 0, 3);
	}
}

static void draw_color_mask(const struct scene *s)
{
	clear_all(0.2f, 0.4f, 0.6f);
	program(vs_tex, fs_uniform);
	for (int i = 0; i < 16; i++) {
		float x = -1 + 0.5f * (i % 4), y = -1 + 0.5f * (i / 4);

		glColorMask(i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3);
		rect_colored(x, y, x + 0.4f, y + 0.4f, 0, 0.9f, 0.8f, 0.1f, 0.3f);
	}
	glColorMask(1, 1, 1, 1);
}

static void draw_scissor(const struct scene *s)
{
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, fs_uniform);
	glEnable(GL_SCISSOR_TEST);
	glScissor(13, 21, 100, 77);
	rect_colored(-1, -1, 1, 1, 0, 1, 0, 0, 1);
	glScissor(120, 0, 1, 256);
	rect_colored(-1, -1, 1, 1, 0, 0, 1, 0, 1);
	glScissor(130, 130, 99, 50);
	glClearColor(0, 0, 1, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	rect_colored(-0.1f, -0.05f, 0.4f, 0.3f, 0, 1, 1, 0, 1);
}

static void draw_viewport(const struct scene *s)
{
	static const float pos[] = { -1, -1, 1, -1, 0, 1 };
	static const float color[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 };

	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_plain, fs_plain);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_COLOR, 4, color);
	glViewport(10, 20, 100, 60);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glViewport(120, 100, 131, 153);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	/* Reaches out of the surface on two sides. */
	glViewport(-60, 120, 140, 200);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_blend_funcs(const struct scene *s)
{
	static const GLenum f[] = {
		GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR,
		GL_ONE_MINUS_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_ALPHA,
		GL_ONE_MINUS_DST_ALPHA, GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR,
		GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA };

	glClearColor(0.3f, 0.6f, 0.2f, 0.7f);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_uniform);
	glEnable(GL_BLEND);
	glBlendColor(0.2f, 0.5f, 0.8f, 0.4f);
	for (int i = 0; i < 14 * 14; i++) {
		float x = -1 + (i % 14) / 7.0f, y = -1 + (i / 14) / 7.0f;

		glBlendFunc(f[i % 14], f[i / 14]);
		rect_colored(x, y, x + 0.12f, y + 0.12f, 0, 0.7f, 0.25f, 0.5f, 0.6f);
	}
}

static void draw_blend_equations(const struct scene *s)
{
	static const GLenum eq[] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT };

	glClearColor(0.3f, 0.6f, 0.2f, 0.7f);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_uniform);
	glEnable(GL_BLEND);
	for (int i = 0; i < 9; i++) {
		float x = -1 + (i % 3) * 0.66f, y = -1 + (i / 3) * 0.66f;

		glBlendEquationSeparate(eq[i % 3], eq[i / 3]);
		glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE, GL_ONE, GL_DST_ALPHA);
		rect_colored(x, y, x + 0.5f, y + 0.5f, 0, 0.7f, 0.25f, 0.5f, 0.6f);
	}
}

static void draw_blend_minmax(const struct scene *s)
{
	glClearColor(0.3f, 0.6f, 0.2f, 0.7f);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_uniform);
	glEnable(GL_BLEND);
	glBlendEquation(GL_MIN_EXT);
	rect_colored(-0.9f, -0.9f, 0, 0.9f, 0, 0.5f, 0.5f, 0.5f, 0.5f);
	glBlendEquation(GL_MAX_EXT);
	rect_colored(0, -0.9f, 0.9f, 0.9f, 0, 0.5f, 0.5f, 0.5f, 0.5f);
}

static void ring(float *pos, float *color, int n)
{
	for (int i = 0; i < n; i++) {
		float a = 6.2831853f * i / n, r = i & 1 ? 0.9f : 0.4f;

		pos[i * 2] = r * cosf(a);
		pos[i * 2 + 1] = r * sinf(a);
		color[i * 4] = (float)i / n;
		color[i * 4 + 1] = 1 - color[i * 4];
		color[i * 4 + 2] = i & 1;
		color[i * 4 + 3] = 1;
	}
}

static void draw_mode(GLenum mode, float width)
{
	float pos[24 * 2], color[24 * 4];

	ring(pos, color, 24);
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_plain, fs_plain);
	glLineWidth(width);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_COLOR, 4, color);
	glDrawArrays(mode, 0, 24);
}

static void draw_strip(const struct scene *s) { draw_mode(GL_TRIANGLE_STRIP, 1); }
static void draw_fan(const struct scene *s) { draw_mode(GL_TRIANGLE_FAN, 1); }
static void draw_lines(const struct scene *s) { draw_mode(GL_LINES, 1); }
static void draw_line_strip(const struct scene *s) { draw_mode(GL_LINE_STRIP, 1); }
static void draw_line_loop(const struct scene *s) { draw_mode(GL_LINE_LOOP, 1); }
static void draw_lines_wide(const struct scene *s) { draw_mode(GL_LINES, 7); }
static void draw_points(const struct scene *s) { draw_mode(GL_POINTS, 1); }

/* A strip with culling: its odd triangles must not be taken for back faces. */
static void draw_strip_culled(const struct scene *s)
{
	glEnable(GL_CULL_FACE);
	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_tex, "precision mediump float; varying vec2 v_tex;\n"
		"void main() { gl_FragColor = gl_FrontFacing ? vec4(v_tex, 0, 1) : vec4(1); }\n");
	draw_rect(-0.8f, -0.8f, 0.8f, 0.8f, 0);
}

static void draw_sprites(const struct scene *s)
{
	static const float pos[] = { -0.5f, -0.4f, 0.5f, -0.4f, 0, 0.5f };

	clear_all(0.1f, 0.1f, 0.1f);
	program("attribute vec4 pos; void main() { gl_Position = pos; gl_PointSize = 60.0; }\n",
		"precision mediump float; uniform sampler2D tex;\n"
		"void main() { gl_FragColor = texture2D(tex, gl_PointCoord) * 0.5 +\n"
		"	vec4(gl_PointCoord, 0.0, 1.0) * 0.5; }\n");
	test_texture(32, 32, 1);
	attrib(ATTR_POS, 2, pos);
	glDrawArrays(GL_POINTS, 0, 3);
}

static void draw_formats(const struct scene *s)
{
	static const struct {
		GLenum type;
		GLboolean normal;
		int size;
	} row[] = {
		{ GL_UNSIGNED_BYTE, GL_TRUE, 4 }, { GL_UNSIGNED_BYTE, GL_TRUE, 3 },
		{ GL_UNSIGNED_SHORT, GL_TRUE, 4 }, { GL_SHORT, GL_TRUE, 3 }, { GL_BYTE, GL_TRUE, 4 },
		{ GL_UNSIGNED_BYTE, GL_FALSE, 2 }, { GL_FLOAT, GL_FALSE, 1 }, { GL_SHORT, GL_FALSE, 2 },
		{ GL_FIXED, GL_FALSE, 3 },
	};
	static const unsigned char u8[] = { 255, 0, 60, 255, 20, 255, 0, 200, 0, 40, 255, 255, 1, 1, 1, 1 };
	static const signed char s8[] = { 127, 0, 60, 127, 20, 127, 0, 100, 0, 40, 127, 127, 0, 0, 0, 0 };
	static const unsigned char ones[] = { 1, 0, 0, 1, 1, 1, 0, 0 };
	static const unsigned short u16[] = { 65535, 0, 9999, 65535, 999, 60000, 0, 65535, 0, 9, 65535, 65535 };
	static const short s16[] = { 32767, 0, 9999, 999, 30000, 0, 0, 9, 32767, 0, 0, 0 };
	static const short s16i[] = { 1, 0, 0, 1, 1, 1, 0, 0 };
	static const float f32[] = { 0.2f, 0.9f, 0.5f, 0 };
	static const int fixed[] = { 65536, 0, 6553, 0, 65536, 0, 32768, 0, 65536 };
	static const void *const data[] = { u8, u8, u16, s16, s8, ones, f32, s16i, fixed };

	clear_all(0.1f, 0.1f, 0.1f);
	program("attribute vec4 pos; attribute vec4 color; uniform vec4 shift; varying vec4 v_color;\n"
		"void main() { gl_Position = pos + shift; v_color = color; }\n", fs_plain);
	for (int i = 0; i < 9; i++) {
		static const float pos[] = { -0.3f, -0.3f, 0.3f, -0.3f, 0, 0.3f };

		attrib(ATTR_POS, 2, pos);
		uniform4("shift", -0.65f + 0.65f * (i % 3), -0.65f + 0.65f * (i / 3), 0, 0);
		glVertexAttribPointer(ATTR_COLOR, row[i].size, row[i].type, row[i].normal, 0, data[i]);
		glEnableVertexAttribArray(ATTR_COLOR);
		glDrawArrays(GL_TRIANGLES, 0, 3);
	}
	/* And no array at all: the constant attribute. */
	glDisableVertexAttribArray(ATTR_COLOR);
	glVertexAttrib4f(ATTR_COLOR, 1, 0.5f, 0.25f, 1);
	uniform4("shift", 0.32f, 0.32f, 0, 0);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_buffers(const struct scene *s)
{
	static const struct {
		float pos[2];
		unsigned char color[4];
	} v[] = {
		{ { 9, 9 }, { 0 } },	/* never drawn: the first vertex is not index 0 */
		{ { -0.8f, -0.8f }, { 255, 0, 0, 255 } }, { { 0.8f, -0.8f }, { 0, 255, 0, 255 } },
		{ { 0.8f, 0.8f }, { 0, 0, 255, 255 } }, { { -0.8f, 0.8f }, { 255, 255, 0, 255 } },
		{ { 0, 0 }, { 255, 255, 255, 255 } },
	};
	static const unsigned char index[] = { 7, 7, 1, 2, 5, 2, 3, 5, 3, 4, 5 };
	GLuint buf[2];

	clear_all(0.1f, 0.1f, 0.1f);
	program(vs_plain, fs_plain);
	glGenBuffers(2, buf);
	glBindBuffer(GL_ARRAY_BUFFER, buf[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buf[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
	glVertexAttribPointer(ATTR_POS, 2, GL_FLOAT, GL_FALSE, sizeof(v[0]), 0);
	glVertexAttribPointer(ATTR_COLOR, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(v[0]),
			      (void *)sizeof(v[0].pos));
	glEnableVertexAttribArray(ATTR_POS);
	glEnableVertexAttribArray(ATTR_COLOR);
	glDrawElements(GL_TRIANGLES, 9, GL_UNSIGNED_BYTE, (void *)2);
	/* Changes the buffer between two draws of one frame. */
	glBufferSubData(GL_ARRAY_BUFFER, 5 * sizeof(v[0]), sizeof(v[0].pos),
			(const float[2]){ 0.3f, 0.2f });
	glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, (void *)8);
}

static void draw_many(const struct scene *s)
{
	unsigned int seed = 20;

	clear_all(0, 0, 0);
	glEnable(GL_DEPTH_TEST);
	program(vs_tex, fs_uniform);
	for (int i = 0; i < 400; i++) {
		/* On pixels' edges: whom a pixel's centre belongs to is never in doubt. */
		float x = (int)(rand_unit(&seed) * 256) / 128.0f - 1;
		float y = (int)(rand_unit(&seed) * 256) / 128.0f - 1;

		rect_colored(x, y, x + 0.1875f, y + 0.15625f, rand_unit(&seed) * 2 - 1, rand_unit(&seed),
			     rand_unit(&seed), rand_unit(&seed), 1);
	}
}

/*
 * 60,000 small triangles, more than the first tile heap holds. The colour depends on the place only,
 * so that the picture is smooth whatever lies on top.
 */
static void draw_heap(const struct scene *s)
{
	enum { N = 60000 };
	float *pos = malloc(N * 6 * sizeof(float)), *color = malloc(N * 12 * sizeof(float));
	unsigned int seed = 60;

	for (int i = 0; i < N; i++) {
		float x = rand_unit(&seed) * 2 - 1, y = rand_unit(&seed) * 2 - 1;

		for (int k = 0; k < 3; k++) {
			float *p = pos + i * 6 + k * 2, *c = color + i * 12 + k * 4;

			p[0] = x + (k == 1) * 0.05f;
			p[1] = y + (k == 2) * 0.05f;
			c[0] = p[0] * 0.4f + 0.5f;
			c[1] = p[1] * 0.4f + 0.5f;
			c[2] = 0.25f;
			c[3] = 1;
		}
	}
	clear_all(0, 0, 0);
	program(vs_plain, fs_plain);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_COLOR, 4, color);
	glDrawArrays(GL_TRIANGLES, 0, N * 3);
	free(pos);
	free(color);
}

#define ROW(n, fn, ...) { .name = n, .draw = draw_ ## fn, __VA_ARGS__ }

const struct scene scenes_state[] = {
	ROW("stencil", stencil), ROW("stencil_ops", stencil_ops),
	ROW("depth_funcs", depth_funcs), ROW("depth_slope", depth_slope),
	ROW("depth_mask", depth_mask), ROW("polygon_offset", polygon_offset),
	ROW("cull", cull), ROW("color_mask", color_mask), ROW("scissor", scissor),
	ROW("viewport", viewport), ROW("blend_funcs", blend_funcs),
	ROW("blend_equations", blend_equations), ROW("blend_minmax", blend_minmax),
	ROW("strip", strip), ROW("fan", fan), ROW("lines", lines), ROW("line_strip", line_strip),
	ROW("line_loop", line_loop), ROW("lines_wide", lines_wide), ROW("points", points),
	ROW("strip_culled", strip_culled), ROW("sprites", sprites), ROW("formats", formats),
	ROW("buffers", buffers), ROW("many", many), ROW("heap", heap),
	ROW("odd_size", viewport, .width = 203, .height = 151),
	ROW("tiny", viewport, .width = 5, .height = 3),
	ROW("large", viewport, .width = 1024, .height = 600),
	{ }
};
