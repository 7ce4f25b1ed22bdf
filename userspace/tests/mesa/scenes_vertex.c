// SPDX-License-Identifier: MIT
/*
 * One scene per thing a vertex shader can do: a mesh of 12 x 12 squares, each vertex coloured by
 * the function under test of its place p, (0, 0) to (1, 1).
 */
#include "scene.h"

enum { GRID = 12, SIDE = GRID + 1 };

static void set_inputs(void)
{
	static const float table[6][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 1 }, { 0, 1, 1, 1 },
		{ 0.5f, 0.25f, 0.75f, 1 } };
	static const float m[16] = {
		0.5f, 0.1f, 0.2f, 0, 0.2f, 0.6f, 0.1f, 0, 0.1f, 0.2f, 0.4f, 0, 0.1f, 0.1f, 0.1f, 1 };
	GLint prog;

	glGetIntegerv(GL_CURRENT_PROGRAM, &prog);
	glUniform4fv(glGetUniformLocation(prog, "table"), 6, table[0]);
	glUniformMatrix4fv(glGetUniformLocation(prog, "m4"), 1, GL_FALSE, m);
	glUniform1f(glGetUniformLocation(prog, "k"), 0.5f);
	glUniform4f(glGetUniformLocation(prog, "u"), 0.25f, 0.5f, 0.75f, 1);
	glUniform1i(glGetUniformLocation(prog, "three"), 3);
}

static void mesh(float tex[SIDE * SIDE * 2], float color[SIDE * SIDE * 4],
		 unsigned short index[GRID * GRID * 6])
{
	for (int i = 0; i < SIDE * SIDE; i++) {
		tex[i * 2] = (float)(i % SIDE) / GRID;
		tex[i * 2 + 1] = (float)(i / SIDE) / GRID;
		for (int c = 0; c < 4; c++)
			color[i * 4 + c] = (float)((i * (c + 3)) % 17) / 16.0f;
	}
	for (int i = 0; i < GRID * GRID; i++) {
		int v = i / GRID * SIDE + i % GRID;

		for (int k = 0; k < 6; k++)
			index[i * 6 + k] = v + (const int[]){ 0, 1, SIDE, SIDE, 1, SIDE + 1 }[k];
	}
}

static void draw(const struct scene *s)
{
	static float tex[SIDE * SIDE * 2], color[SIDE * SIDE * 4];
	static unsigned short index[GRID * GRID * 6];

	mesh(tex, color, index);
	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(s->vs, s->fs ? s->fs : fs_plain);
	set_inputs();
	attrib(ATTR_POS, 2, tex);
	attrib(ATTR_COLOR, 4, color);
	glDrawElements(GL_TRIANGLES, GRID * GRID * 6, GL_UNSIGNED_SHORT, index);
}

/* The same mesh as points whose size the shader computes. */
static void draw_sizes(const struct scene *s)
{
	static float tex[SIDE * SIDE * 2], color[SIDE * SIDE * 4];
	static unsigned short index[GRID * GRID * 6];

	mesh(tex, color, index);
	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(s->vs, fs_plain);
	attrib(ATTR_POS, 2, tex);
	glDrawArrays(GL_POINTS, 0, SIDE * SIDE);
}

/* A shader that reads no attribute at all: the driver has no stream to give. */
static void draw_nothing_in(const struct scene *s)
{
	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(s->vs, fs_plain);
	glDrawArrays(GL_POINTS, 0, 1);
}

#define HEAD \
	"attribute vec2 pos; attribute vec4 color; varying vec4 v_color;\n" \
	"uniform vec4 table[6]; uniform mat4 m4; uniform float k; uniform vec4 u;\n" \
	"uniform int three;\n"
#define VS(n, body) { .name = "v_" n, .draw = draw, .vs = HEAD \
	"void main() { vec2 p = pos; gl_Position = vec4(p * 1.8 - 0.9, 0.0, 1.0);\n" body " }\n" }
#define VN(n, a, b, c) VS(n, "v_color = vec4(" a ", " b ", " c ", 1.0);")

static const char vs_many[] =
	"attribute vec2 pos; attribute vec4 color;\n"
	"varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying vec4 e;\n"
	"varying vec2 f; varying vec3 g;\n"
	"void main() {\n"
	"	gl_Position = vec4(pos * 1.8 - 0.9, 0.0, 1.0); a = pos.x; b = pos.yx;\n"
	"	c = vec3(pos, 1.0); d = color; e = color.wzyx * pos.x; f = pos * pos; g = c * 0.5;\n"
	"}\n";
static const char fs_many[] =
	"precision mediump float;\n"
	"varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying vec4 e;\n"
	"varying vec2 f; varying vec3 g;\n"
	"void main() { gl_FragColor = vec4(a * b.x + f.y * 0.3, c.y * d.x, e.y + g.z * 0.3, 1.0); }\n";

const struct scene scenes_vertex[] = {
	VS("position", "v_color = vec4(p, 0.5, 1.0);"),
	VS("attribute", "v_color = color;"),
	VS("uniform", "v_color = u * k + table[2] * 0.25;"),
	VN("arith", "p.x + p.y * 0.5", "p.x - p.y", "p.x * p.y + k"),
	VN("divide", "p.x / (p.y + 0.5)", "0.2 / (p.x + 0.25)", "k / (p.y + 1.0)"),
	VN("sqrt", "sqrt(p.x)", "sqrt(p.y * 0.5)", "0.2 * inversesqrt(p.x + 0.1)"),
	VN("exp", "exp(p.x) * 0.3", "exp2(p.y * 2.0 - 2.0)", "exp2(-p.x * 4.0)"),
	VN("log", "log(p.x + 1.0)", "log2(p.y + 1.0)", "-0.2 * log2(p.x * 0.9 + 0.05)"),
	VN("pow", "pow(p.x + 0.01, 2.2)", "pow(p.y + 0.01, 0.45)", "pow(p.x + 0.1, p.y * 3.0 + 0.5)"),
	VN("sin", "sin(p.x * 3.0)", "sin(p.y * 6.0) * 0.5 + 0.5", "cos(p.x * 1.5)"),
	VN("tan", "tan(p.x * 0.7)", "atan(p.y * 2.0) * 0.6", "asin(p.x * 0.9) * 0.6"),
	VN("atan2", "atan(p.y + 0.1, p.x + 0.1) * 0.5", "acos(p.y * 0.9) * 0.5", "0.5"),
	VN("abs_sign", "abs(p.x - 0.5)", "sign(p.y - 0.55) * 0.5 + 0.5", "abs(p.x - p.y)"),
	VN("floor", "floor(p.x * 5.1) * 0.2", "ceil(p.y * 4.1) * 0.25", "fract(p.x * 2.9)"),
	VN("mod", "mod(p.x * 4.1, 1.5) * 0.6", "mod(p.y * 2.1, k)", "mod(-p.x * 1.1, 0.7)"),
	VN("min_max", "min(p.x, p.y)", "max(p.x, 1.0 - p.y)", "clamp(p.x * 2.0, 0.25, 0.75)"),
	VN("mix", "mix(p.x, p.y, 0.3)", "mix(1.0, 0.2, p.x)", "mix(k, p.y, p.x)"),
	VN("step", "step(0.45, p.x)", "step(p.x, p.y + 0.01)", "smoothstep(0.2, 0.8, p.y)"),
	VN("length", "length(p)", "distance(p, vec2(0.45))", "dot(p, vec2(0.3, 0.6))"),
	VS("normalize", "v_color = vec4(normalize(vec3(p, 0.5)), 1.0);"),
	VS("cross", "v_color = vec4(cross(vec3(p, 0.5), u.zyx) + 0.4, 1.0);"),
	VS("reflect", "vec3 n = normalize(vec3(p - 0.45, 1.0));\n"
	   "v_color = vec4(reflect(vec3(0.3, 0.5, -0.7), n) * 0.5 + 0.5, 1.0);"),
	VS("matrix", "v_color = m4 * color * 0.8; v_color.w = 1.0;"),
	VS("matrix_chain", "v_color = m4 * (m4 * vec4(p, 0.5, 1.0)); gl_Position = m4 * gl_Position;"),
	VS("compare", "bvec2 b = lessThan(p, vec2(0.3, 0.6));\n"
	   "v_color = vec4(any(b) ? 0.8 : 0.2, all(b) ? 1.0 : 0.4, p.x == p.y ? 0.0 : 0.5, 1.0);"),
	VS("select", "v_color = vec4(p.x < 0.45 ? p.y : 1.0 - p.x, p.y > 0.3 ? 1.0 : p.x, k, 1.0);"),
	VS("if", "v_color = u; if (p.x > 0.45) v_color = color; v_color.w = 1.0;"),
	VS("if_else", "vec3 c;\n"
	   "if (p.x < 0.3) c = vec3(sin(p.y * 3.0)); else if (p.y < 0.45) c = color.xyz * k;\n"
	   "else { c = sqrt(color.xyz); if (p.x > 0.8) c.y = 0.0; }\n"
	   "v_color = vec4(c, 1.0);"),
	VS("loop", "float s = 0.0;\n"
	   "for (int i = 0; i < 20; i++) { if (float(i) > p.x * 20.0) break; s += 0.05; }\n"
	   "v_color = vec4(s, p.y, 0.3, 1.0);"),
	VS("loop_nested", "float s = 0.0;\n"
	   "for (int i = 0; i < 9; i++) { if (float(i) >= p.x * 9.0 + 0.1) break;\n"
	   "  for (int j = 0; j < 9; j++) { if (float(j) >= p.y * 9.0 + 0.1) break;\n"
	   "    s += 0.0123; } }\n"
	   "v_color = vec4(s, s * s, 1.0 - s, 1.0);"),
	VS("uniform_index", "v_color = table[int(p.x * 5.9)] * (0.5 + 0.5 * p.y);"),
	VS("uniform_index2", "v_color = table[three] * 0.5 + table[three + 1] * p.x * 0.5;"),
	VS("temporaries", "vec4 a[8];\n"
	   "for (int i = 0; i < 8; i++) a[i] = color * (0.1 + 0.1 * float(i)) + u * 0.1;\n"
	   "vec4 b = sin(a[0]) + a[1] * a[2]; vec4 c = a[3] * a[4].wzyx + sqrt(a[5]);\n"
	   "vec4 d = max(a[6], a[7].yxwz) - a[1]; v_color = (b * c + d * a[2] + c * a[0]) * 0.4;\n"
	   "v_color.w = 1.0;"),
	VS("perspective", "gl_Position = vec4((p * 2.0 - 1.0) * 2.0, p.y * 1.5 - 0.5, 1.0 + p.y * 2.0);\n"
	   "v_color = vec4(p, 1.0 - p.x, 1.0);"),
	/* Half of the mesh is in front of the near plane or behind the eye. */
	VS("near_clip", "gl_Position = vec4(p * 2.0 - 1.0, p.y * 3.0 - 2.0, p.y * 2.0 - 0.55);\n"
	   "v_color = vec4(p, 1.0 - p.x, 1.0);"),
	VS("outside", "gl_Position = vec4(p * 6.0 - 3.0, 0.0, 1.0); v_color = vec4(p, 0.5, 1.0);"),
	VS("depth_clip", "gl_Position = vec4(p * 1.8 - 0.9, p.x * 4.0 - 2.0, 1.0);\n"
	   "v_color = vec4(p, 0.5, 1.0);"),
	{ .name = "v_varyings_many", .draw = draw, .vs = vs_many, .fs = fs_many },
	{ .name = "v_point_size", .draw = draw_sizes, .vs =
		"attribute vec2 pos; varying vec4 v_color;\n"
		"void main() { gl_Position = vec4(pos * 1.8 - 0.9, 0.0, 1.0);\n"
		"	gl_PointSize = 1.0 + 11.0 * pos.x; v_color = vec4(pos, 1.0, 1.0); }\n" },
	{ .name = "v_no_attribute", .draw = draw_nothing_in, .vs =
		"varying vec4 v_color;\n"
		"void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 16.0;\n"
		"	v_color = vec4(1.0, 0.7, 0.2, 1.0); }\n" },
	{ }
};
