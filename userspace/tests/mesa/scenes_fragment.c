// SPDX-License-Identifier: MIT
/*
 * One scene per thing a fragment shader can do: a rectangle over the whole surface, v running from
 * (0, 0) to (1, 1), q a vec4 with perspective. Values are kept where half-float arithmetic, which
 * is what Utgard's fragment processor has, stays well inside the comparer's tolerance.
 */
#include <stdlib.h>

#include "scene.h"

static const char vs_default[] =
	"attribute vec4 pos; attribute vec2 tex; varying vec2 v; varying vec4 q;\n"
	"void main() {\n"
	"	gl_Position = pos; v = tex;\n"
	"	q = vec4(tex.y, 1.0 - tex.x, tex.x * 0.5 + 0.25, 1.0);\n"
	"}\n";

/* Sets what the program has of the names below. */
static void set_inputs(void)
{
	static const float table[8][4] = {
		{ 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 1 },
		{ 1, 0, 1, 1 }, { 0, 1, 1, 1 }, { 0.2f, 0.4f, 0.6f, 1 }, { 1, 1, 1, 1 },
	};
	static const float m[16] = {
		0.5f, 0.1f, 0.2f, 0, 0.2f, 0.6f, 0.1f, 0, 0.1f, 0.2f, 0.4f, 0, 0.1f, 0.1f, 0.1f, 1 };
	GLint prog;

	glGetIntegerv(GL_CURRENT_PROGRAM, &prog);
	glUniform4fv(glGetUniformLocation(prog, "table"), 8, table[0]);
	glUniformMatrix4fv(glGetUniformLocation(prog, "m4"), 1, GL_FALSE, m);
	glUniform1f(glGetUniformLocation(prog, "k"), 0.5f);
	glUniform1f(glGetUniformLocation(prog, "five"), 5.0f);
	glUniform1f(glGetUniformLocation(prog, "three_f"), 3.0f);
	glUniform4f(glGetUniformLocation(prog, "u"), 0.25f, 0.5f, 0.75f, 1);
	glUniform1i(glGetUniformLocation(prog, "three"), 3);
	for (int i = 0; i < 4; i++) {
		char name[] = { 't', '0' + i, 0 };

		glUniform1i(glGetUniformLocation(prog, name), i);
	}
	glUniform1i(glGetUniformLocation(prog, "cube"), 4);
}

static void set_textures(void)
{
	GLuint tex;

	for (int i = 0; i < 4; i++) {
		glActiveTexture(GL_TEXTURE0 + i);
		test_texture(64 >> (i & 1), 64, i & 1);
		if (i == 2) {
			glGenerateMipmap(GL_TEXTURE_2D);
			glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
					GL_LINEAR_MIPMAP_NEAREST);
		}
		if (i != 1)
			glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	}
	glActiveTexture(GL_TEXTURE4);
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
	glActiveTexture(GL_TEXTURE0);
}

static void draw(const struct scene *s)
{
	glClearColor(0.3f, 0.3f, 0.3f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(s->vs ? s->vs : vs_default, s->fs);
	set_textures();
	set_inputs();
	draw_rect(-1, -1, 1, 1, 0);
}

/* Two triangles of opposite winding, left and right. */
static void draw_facing(const struct scene *s)
{
	static const float pos[] = {
		-0.9f, -0.8f, -0.1f, -0.8f, -0.5f, 0.8f, 0.1f, -0.8f, 0.5f, 0.8f, 0.9f, -0.8f };

	glClearColor(0.3f, 0.3f, 0.3f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(vs_tex, s->fs);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_TEX, 2, pos);
	glDrawArrays(GL_TRIANGLES, 0, 6);
}

/* The rectangle leans away, so that every varying needs its perspective. */
static void draw_perspective(const struct scene *s)
{
	static const float pos[] = { -1, -1, 0, 1, 1, -1, 0, 1, -3, 3, 0.5f, 4, 3, 3, 0.5f, 4 };
	static const float tex[] = { 0, 0, 1, 0, 0, 1, 1, 1 };

	glClearColor(0.3f, 0.3f, 0.3f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	program(s->vs ? s->vs : vs_default, s->fs);
	set_textures();
	set_inputs();
	attrib(ATTR_POS, 4, pos);
	attrib(ATTR_TEX, 2, tex);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

#define HEAD \
	"precision mediump float; varying vec2 v; varying vec4 q;\n" \
	"uniform vec4 table[8]; uniform mat4 m4; uniform float k, five, three_f; uniform vec4 u;\n" \
	"uniform int three; uniform sampler2D t0, t1, t2, t3; uniform samplerCube cube;\n"
#define MAIN(body) HEAD "void main() { " body " }\n"
#define FS(n, body) { .name = "f_" n, .draw = draw, .fs = MAIN(body) }
#define FS_EXT(n, ext, body) \
	{ .name = "f_" n, .draw = draw, .fs = "#extension " ext " : require\n" MAIN(body) }
/* A scalar function of x in three channels, at three scalings. */
#define FN(n, a, b, c) FS(n, "gl_FragColor = vec4(" a ", " b ", " c ", 1.0);")

static const char vs_many[] =
	"attribute vec4 pos; attribute vec2 tex;\n"
	"varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying vec4 e;\n"
	"varying vec2 f; varying float g; varying vec3 h;\n"
	"void main() {\n"
	"	gl_Position = pos; a = tex.x; b = tex.yx; c = vec3(tex, 1.0 - tex.x);\n"
	"	d = vec4(tex * 0.5, tex.yx); e = vec4(1.0) - d; f = tex * tex; g = tex.y * 0.3;\n"
	"	h = c.zyx * 0.7;\n"
	"}\n";

const struct scene scenes_fragment[] = {
	FS("constant", "gl_FragColor = vec4(0.1, 0.5, 0.9, 0.3);"),
	FS("uniform", "gl_FragColor = u * k + table[2] * 0.25;"),
	FS("varying", "gl_FragColor = vec4(v, q.zw);"),
	FS("swizzle", "vec4 c = q.wzyx; c.yz = v.yx; c.x = q.z; gl_FragColor = c.zxyw;"),
	FN("arith", "v.x + v.y * 0.5", "v.x - v.y", "v.x * v.y + k"),
	FN("divide", "v.x / (v.y + 0.5)", "0.2 / (v.x + 0.25)", "(v.x + v.y) / five"),
	FN("sqrt", "sqrt(v.x)", "sqrt(v.y * 0.5)", "0.2 * inversesqrt(v.x + 0.1)"),
	FN("exp", "exp(v.x) * 0.3", "exp2(v.y * 2.0 - 2.0)", "exp2(-v.x * 4.0)"),
	FN("log", "log(v.x + 1.0)", "log2(v.y + 1.0)", "-0.2 * log2(v.x * 0.9 + 0.05)"),
	FN("pow", "pow(v.x, 2.2)", "pow(v.y, 0.45)", "pow(v.x + 0.1, v.y * 3.0 + 0.5)"),
	FN("sin", "sin(v.x * 3.0)", "sin(v.y * 6.0) * 0.5 + 0.5", "sin(-v.x) + 1.0"),
	FN("cos", "cos(v.x * 1.5)", "cos(v.y * 6.0) * 0.5 + 0.5", "cos(v.x * v.y)"),
	FN("tan", "tan(v.x * 0.7)", "tan(v.y * 0.5)", "0.5 - tan(v.x * 0.4)"),
	FN("asin", "asin(v.x * 0.9) * 0.6", "asin(v.y - 0.5) + 0.5", "acos(v.x * 0.9) * 0.5"),
	FN("atan", "atan(v.x * 2.0) * 0.6", "atan(v.y - 0.5) + 0.5",
	   "atan(v.y + 0.1, v.x + 0.1) * 0.5"),
	FN("abs_sign", "abs(v.x - 0.5)", "sign(v.y - 0.5) * 0.5 + 0.5", "abs(v.x - v.y)"),
	FN("floor", "floor(v.x * 5.0) * 0.2", "ceil(v.y * 4.0) * 0.25", "fract(v.x * 3.0)"),
	FN("mod", "mod(v.x * 4.0, 1.5) * 0.6", "mod(v.y * 2.0, k)", "mod(-v.x, 0.7)"),
	FN("min_max", "min(v.x, v.y)", "max(v.x, 1.0 - v.y)", "clamp(v.x * 2.0, 0.25, 0.75)"),
	FN("mix", "mix(v.x, v.y, 0.3)", "mix(1.0, 0.2, v.x)", "mix(k, v.y, v.x)"),
	FN("step", "step(0.4, v.x)", "step(v.x, v.y)", "smoothstep(0.2, 0.8, v.y)"),
	FN("length", "length(v)", "distance(v, vec2(0.5))", "length(q.xyz) * 0.5"),
	FN("dot", "dot(v, vec2(0.3, 0.6))", "dot(q.xyz, vec3(0.4))", "dot(q, u) * 0.5"),
	FS("cross", "gl_FragColor = vec4(cross(q.xyz, u.zyx) + 0.4, 1.0);"),
	FS("normalize", "gl_FragColor = vec4(normalize(q.xyz + 0.2), 1.0);"),
	FS("reflect", "vec3 n = normalize(q.xyz + 0.2);\n"
	   "gl_FragColor = vec4(reflect(vec3(v, 0.5), n) * 0.5 + 0.5, 1.0);"),
	FS("refract", "vec3 n = normalize(vec3(v - 0.5, 1.0));\n"
	   "gl_FragColor = vec4(refract(vec3(0, 0, -1), n, 0.7) * 0.5 + 0.6, 1.0);"),
	FS("faceforward", "vec3 f = faceforward(q.xyz, vec3(v - 0.5, 0.1), vec3(0.3, 0.5, 0));\n"
	   "gl_FragColor = vec4(f * 0.5 + 0.5, 1.0);"),
	FS("matrix", "mat3 m = mat3(0.2, 0.3, 0.4, v.x, 0.1, v.y, 0.5, 0.2, 0.1);\n"
	   "gl_FragColor = m4 * q * 0.5 + vec4(m * q.xyz, 1.0) * 0.5;"),
	FS("compare", "bvec2 b = lessThan(v, vec2(0.3, 0.6)); bvec2 c = greaterThanEqual(v, v.yx);\n"
	   "gl_FragColor = vec4(any(b) ? 0.8 : 0.2, all(c) ? 1.0 : 0.4, v.x == v.y ? 0.0 : 0.5, 1);"),
	FS("select", "gl_FragColor = vec4(v.x < 0.5 ? q.xy : q.zw, v.y > 0.3 ? 1.0 : v.x, 1.0);"),
	FS("if", "vec4 c = u; if (v.x > 0.5) c = q; gl_FragColor = c;"),
	FS("if_else", "vec3 c;\n"
	   "if (v.x < 0.3) c = vec3(sin(v.y * 3.0)); else if (v.y < 0.5) c = q.xyz * k;\n"
	   "else { c = sqrt(q.xyz); if (v.x > 0.8) c.y = 0.0; }\n"
	   "gl_FragColor = vec4(c, 1.0);"),
	FS("loop", "float s = 0.0;\n"
	   "for (int i = 0; i < 8; i++) { if (float(i) > v.x * 8.0) break; s += 0.125; }\n"
	   "gl_FragColor = vec4(s, v.y, 0.3, 1.0);"),
	FS("loop_nested", "float s = 0.0;\n"
	   "for (int i = 0; i < 9; i++) { if (float(i) >= v.x * 9.0) break;\n"
	   "  for (int j = 0; j < 9; j++) { if (float(j) >= v.y * 9.0) break;\n"
	   "    if (i == j) continue; s += 0.015625; } }\n"
	   "gl_FragColor = vec4(s, s * s, 1.0 - s, 1.0);"),
	FS("loop_texture", "vec4 s = vec4(0);\n"
	   "for (int i = 0; i < 12; i++) { if (float(i) > three_f + v.x * 4.0) break;\n"
	   "  s += texture2D(t0, v * 0.5 + float(i) * 0.03) * 0.08; }\n"
	   "gl_FragColor = s;"),
	FS("discard", "if (length(v - 0.5) > 0.4) discard; gl_FragColor = q;"),
	FS("discard_half", "if (fract(v.x * 8.0) < 0.5) discard; gl_FragColor = vec4(v, 0, 1);"),
	FS("discard_loop", "for (int i = 0; i < 4; i++)\n"
	   "  if (distance(v, vec2(0.2 + 0.2 * float(i))) < 0.08) discard;\n"
	   "gl_FragColor = vec4(v, 1, 1);"),
	FS_EXT("ddx", "GL_OES_standard_derivatives",
	       "gl_FragColor = vec4(dFdx(v.x) * 60.0, dFdy(v.y) * 100.0, fwidth(v.x - v.y) * 80.0, 1);"),
	FS_EXT("ddx_sign", "GL_OES_standard_derivatives",
	       "gl_FragColor = vec4(0.5 + dFdx(q.y) * 60.0, 0.5 + dFdy(q.x) * 60.0, 0.5, 1);"),
	FS("tex", "gl_FragColor = texture2D(t0, v);"),
	FS("tex_nearest", "gl_FragColor = texture2D(t1, v * 0.5 + 0.25);"),
	FS("tex_swizzle", "gl_FragColor = texture2D(t0, v.yx).bgra * vec4(1, 0.5, 1, 1);"),
	FS("tex_bias", "gl_FragColor = texture2D(t2, v * 4.0, 1.0);"),
	FS("tex_bias_var", "gl_FragColor = texture2D(t2, v * 2.0, floor(v.x * 4.0));"),
	FS("tex_proj", "gl_FragColor = texture2DProj(t0, vec3(v, 1.0 + v.x));"),
	FS("tex_proj4", "gl_FragColor = texture2DProj(t0, vec4(q.xy, 0.0, 0.6 + q.z));"),
	FS("tex_dependent", "vec4 c = texture2D(t0, v); gl_FragColor = texture2D(t3, c.xy * 0.8);"),
	FS("tex_four", "gl_FragColor = (texture2D(t0, v) + texture2D(t1, v.yx) +\n"
	   "  texture2D(t2, v * 0.7) + texture2D(t3, v * v)) * 0.25;"),
	FS("tex_same_twice", "gl_FragColor = texture2D(t0, v) * 0.5 + texture2D(t0, 1.0 - v) * 0.5;"),
	FS("tex_branch", "gl_FragColor = vec4(0.2);\n"
	   "if (v.x > 0.4) gl_FragColor = texture2D(t0, v);"),
	FS("cube", "gl_FragColor = textureCube(cube, vec3(v * 2.0 - 1.0, 0.7));"),
	FS("cube_around", "float a = v.x * 6.28; vec3 d = vec3(cos(a), v.y * 4.0 - 2.0, sin(a));\n"
	   "gl_FragColor = textureCube(cube, d);"),
	FS("uniform_index", "gl_FragColor = table[int(v.x * 7.9)] * (0.5 + 0.5 * v.y);"),
	FS("uniform_index2", "gl_FragColor = table[three] * 0.5 + table[three + 2] * v.x * 0.5;"),
	FS("array_index", "float a[6];\n"
	   "a[0] = v.x; a[1] = v.y; a[2] = 0.3; a[3] = q.z; a[4] = 1.0 - v.x; a[5] = k;\n"
	   "gl_FragColor = vec4(a[int(v.y * 5.9)], a[int(v.x * 5.9)], 0.5, 1.0);"),
	FS("array_store", "float a[5]; for (int i = 0; i < 5; i++) a[i] = 0.1 * float(i);\n"
	   "a[int(v.x * 4.0)] = v.y; gl_FragColor = vec4(a[1], a[3], a[4], 1.0);"),
	FS("int", "int i = int(v.x * 8.0); int j = int(v.y * 4.0);\n"
	   "gl_FragColor = vec4(float(i * j) * 0.02, float(i + 3) * 0.05, float(i - j) * 0.1, 1);"),
	FS("bool", "bool a = v.x > 0.5, b = v.y > 0.5; bool c = a ^^ b, d = !(a && b) || c;\n"
	   "gl_FragColor = vec4(float(a), float(b || c), float(d) * 0.5, 1.0);"),
	FS("mask", "vec4 c = vec4(0.1); c.x = v.x; c.zw += v.yy * 0.4; c.y *= c.x;\n"
	   "gl_FragColor = c + vec4(0, 0.2, 0, 0.5);"),
	FS("modifiers", "gl_FragColor = vec4(abs(-v.x), -(-v.y), clamp(v.x * 2.0 - 0.5, 0.0, 1.0),\n"
	   "  max(abs(v.y - 0.5) * 2.0, 0.0)) * 0.5 * 2.0 * 0.25 * 4.0;"),
	FS("vec4_chain", "vec4 a = q * u + v.xyxy; vec4 b = a * a - q; vec4 c = max(a, b) * 0.5;\n"
	   "gl_FragColor = min(c, a.wzyx) + b * 0.1;"),
	FS("spill", "vec4 r[12];\n"
	   "r[0] = q + 0.10; r[1] = q.yzwx * 0.9; r[2] = u * q; r[3] = vec4(v, v.yx);\n"
	   "r[4] = sin(q); r[5] = q * q; r[6] = sqrt(abs(q)); r[7] = r[0] * r[1];\n"
	   "r[8] = r[2] - r[3]; r[9] = r[4] + r[5]; r[10] = r[6] * r[7]; r[11] = texture2D(t0, v);\n"
	   "vec4 s = vec4(0);\n"
	   "s += r[0] * r[11]; s += r[1] * r[10]; s += r[2] * r[9]; s += r[3] * r[8];\n"
	   "s += r[4] * r[7].wzyx; s += r[5] * r[6]; s += r[0].yxwz * r[5]; s += r[1] * r[4].zwxy;\n"
	   "gl_FragColor = vec4(s.xyz * 0.15, 1.0);"),
	FS("fragcoord", "gl_FragColor = vec4(gl_FragCoord.xy / 256.0, gl_FragCoord.z, gl_FragCoord.w);"),
	{ .name = "f_fragcoord_persp", .draw = draw_perspective,
	  .fs = MAIN("gl_FragColor = vec4(gl_FragCoord.y / 256.0, gl_FragCoord.zw, 1.0);") },
	{ .name = "f_frontfacing", .draw = draw_facing,
	  .fs = "precision mediump float;\n"
		"void main() { gl_FragColor = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 1, 1); }\n" },
	{ .name = "f_perspective", .draw = draw_perspective,
	  .fs = MAIN("gl_FragColor = vec4(v, q.x, 1.0);") },
	{ .name = "f_perspective_tex", .draw = draw_perspective,
	  .fs = MAIN("gl_FragColor = texture2D(t0, v);") },
	{ .name = "f_perspective_mip", .draw = draw_perspective,
	  .fs = MAIN("gl_FragColor = texture2D(t2, v * vec2(4.0, 8.0)) * 0.35;") },
	{ .name = "f_varyings_many", .draw = draw_perspective, .vs = vs_many,
	  .fs = "precision mediump float;\n"
		"varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying vec4 e;\n"
		"varying vec2 f; varying float g; varying vec3 h;\n"
		"void main() {\n"
		"	gl_FragColor = vec4(a + g, b.x * c.y + f.x, d.z * e.x + h.y, 1.0) * 0.6;\n"
		"}\n" },
	{ .name = "f_varyings_swizzled", .draw = draw_perspective, .vs = vs_many,
	  .fs = "precision mediump float;\n"
		"varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying vec4 e;\n"
		"varying vec2 f; varying float g; varying vec3 h;\n"
		"void main() { gl_FragColor = vec4(h.zx, f.y + g, e.w * a); }\n" },
	{ .name = "f_varying_highp_tex", .draw = draw,
	  .fs = "precision highp float; varying highp vec2 v; uniform sampler2D t1;\n"
		"void main() { gl_FragColor = texture2D(t1, v * 16.0 - floor(v * 16.0)); }\n" },
	{ }
};
