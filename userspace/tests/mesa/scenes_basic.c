// SPDX-License-Identifier: MIT
/* The five pictures that unmodified Mesa must get right before anything else is looked at. */
#include "scene.h"

static void draw_clear(const struct scene *s)
{
	glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void draw_triangle(const struct scene *s)
{
	static const float pos[] = { -0.8f, -0.7f, 0.8f, -0.6f, 0.1f, 0.9f };
	static const float color[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 };

	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_plain, fs_plain);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_COLOR, 4, color);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static const char vs_lit[] =
	"attribute vec4 pos; attribute vec4 color; attribute vec3 normal;\n"
	"uniform mat4 mvp; uniform mat4 model; varying vec4 v_color;\n"
	"void main() {\n"
	"	gl_Position = mvp * pos;\n"
	"	vec3 n = normalize((model * vec4(normal, 0.0)).xyz);\n"
	"	float light = 0.25 + 0.75 * max(dot(n, normalize(vec3(0.4, 0.6, 0.9))), 0.0);\n"
	"	v_color = vec4(color.rgb * light, 1.0);\n"
	"}\n";

static void cube_vertices(float pos[24 * 3], float normal[24 * 3], float color[24 * 4],
			  unsigned short index[36])
{
	for (int face = 0; face < 6; face++) {
		int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
		float side = face & 1 ? 1.0f : -1.0f;

		for (int k = 0; k < 4; k++) {
			int i = face * 4 + k;

			pos[i * 3 + axis] = side;
			pos[i * 3 + u] = k & 1 ? 1.0f : -1.0f;
			pos[i * 3 + v] = k & 2 ? 1.0f : -1.0f;
			for (int c = 0; c < 3; c++) {
				normal[i * 3 + c] = c == axis ? side : 0;
				color[i * 4 + c] = c == axis ? 1.0f : 0.3f + 0.3f * (face & 1);
			}
			color[i * 4 + 3] = 1;
		}
		for (int k = 0; k < 6; k++)
			index[face * 6 + k] = face * 4 + (const int[]){ 0, 1, 2, 2, 1, 3 }[k];
	}
}

static void draw_cube(const struct scene *s)
{
	float pos[24 * 3], normal[24 * 3], color[24 * 4];
	float rx[16], ry[16], model[16], view[16], mv[16], proj[16], mvp[16];
	unsigned short index[36];

	cube_vertices(pos, normal, color, index);
	mat_rotate(rx, 30, 1, 0, 0);
	mat_rotate(ry, 40, 0, 1, 0);
	mat_mul(model, rx, ry);
	mat_translate(view, 0, 0, -5);
	mat_mul(mv, view, model);
	mat_perspective(proj, 45, (float)scene_width(s) / scene_height(s), 1, 20);
	mat_mul(mvp, proj, mv);

	glClearColor(0, 0.05f, 0.2f, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	program(vs_lit, fs_plain);
	uniform_matrix("mvp", mvp);
	uniform_matrix("model", model);
	attrib(ATTR_POS, 3, pos);
	attrib(ATTR_NORMAL, 3, normal);
	attrib(ATTR_COLOR, 4, color);
	/* Without culling: the depth test alone must hide the far faces. */
	glDrawElements(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, index);
}

static void draw_textured(const struct scene *s)
{
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_tex);
	test_texture(64, 64, 1);
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_blended(const struct scene *s)
{
	glClearColor(0.2f, 0.2f, 0.2f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_uniform);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	uniform4("color", 1, 0.2f, 0.1f, 0.6f);
	draw_rect(-0.8f, -0.8f, 0.3f, 0.3f, 0);
	uniform4("color", 0.1f, 0.3f, 1, 0.5f);
	draw_rect(-0.3f, -0.3f, 0.8f, 0.8f, 0);
}

const struct scene scenes_basic[] = {
	{ .name = "clear", .draw = draw_clear },
	{ .name = "triangle", .draw = draw_triangle },
	{ .name = "cube", .draw = draw_cube },
	{ .name = "textured", .draw = draw_textured },
	{ .name = "blended", .draw = draw_blended },
	{ }
};
