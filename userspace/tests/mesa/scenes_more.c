// SPDX-License-Identifier: MIT
/* Extensions that both lima and softpipe offer, sizes at the limits, long programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>

#include "scene.h"

static void need(const char *extension)
{
	const char *all = (const char *)glGetString(GL_EXTENSIONS);

	if (!all || !strstr(all, extension))
		fail("this GLES2 has no %s", extension);
}

static void begin(const char *vs, const char *fs)
{
	glClearColor(0.1f, 0.1f, 0.1f, 1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	program(vs, fs);
}

static void parameters(GLenum target, GLenum filter, GLenum wrap)
{
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, filter);
	glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
}

static GLuint new_texture(GLenum target, GLenum filter, GLenum wrap)
{
	GLuint tex;

	glGenTextures(1, &tex);
	glBindTexture(target, tex);
	parameters(target, filter, wrap);
	return tex;
}

static void draw_half(const struct scene *s)
{
	/* 0, 1/8, ... 15/8 as half floats: the sampler must not clamp, the colour buffer must. */
	static const unsigned short half[] = {
		0x0000, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3a00, 0x3b00,
		0x3c00, 0x3c80, 0x3d00, 0x3d80, 0x3e00, 0x3e80, 0x3f00, 0x3f80 };
	unsigned short data[16 * 16 * 4];

	need("GL_OES_texture_half_float_linear");
	begin(vs_tex, "precision mediump float; varying vec2 v_tex; uniform sampler2D tex;\n"
	      "void main() { vec4 c = texture2D(tex, v_tex); gl_FragColor = v_tex.x > 0.5 ? c * 0.5 : c; }\n");
	for (int i = 0; i < 16 * 16; i++) {
		data[i * 4] = half[i % 16];
		data[i * 4 + 1] = half[i / 16];
		data[i * 4 + 2] = half[15 - i % 16];
		data[i * 4 + 3] = half[8];
	}
	new_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_HALF_FLOAT_OES, data);
	draw_rect(-0.9f, -0.9f, 0.9f, 0, 0);
	parameters(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE);
	draw_rect(-0.9f, 0.1f, 0.9f, 0.9f, 0);
}

static void draw_etc1(const struct scene *s)
{
	unsigned char data[8 * 8 * 8];
	unsigned int seed = 1;

	need("GL_OES_compressed_ETC1_RGB8_texture");
	begin(vs_tex, fs_tex);
	for (int i = 0; i < (int)sizeof(data); i++)
		data[i] = 256 * rand_unit(&seed);
	/* Individual mode only: differences of the other mode may leave the range, which is undefined. */
	for (int i = 3; i < (int)sizeof(data); i += 8)
		data[i] &= ~2;
	new_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 32, 32, 0, sizeof(data), data);
	draw_rect(-1, -1, 1, 1, 0);
}

static void draw_rg(const struct scene *s)
{
	unsigned char data[16 * 16 * 2];

	need("GL_EXT_texture_rg");
	begin(vs_tex, fs_tex);
	for (int i = 0; i < (int)sizeof(data); i++)
		data[i] = i * 37;
	new_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RED_EXT, 16, 16, 0, GL_RED_EXT, GL_UNSIGNED_BYTE, data);
	draw_rect(-1, -1, 0, 1, 0);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RG_EXT, 16, 16, 0, GL_RG_EXT, GL_UNSIGNED_BYTE, data);
	draw_rect(0, -1, 1, 1, 0);
}

static void draw_volume(const struct scene *s)
{
	PFNGLTEXIMAGE3DOESPROC image3d = (void *)eglGetProcAddress("glTexImage3DOES");
	unsigned char data[8 * 8 * 8 * 4];

	need("GL_OES_texture_3D");
	begin(vs_tex, "#extension GL_OES_texture_3D : require\n"
	      "precision mediump float; varying vec2 v_tex; uniform mediump sampler3D tex;\n"
	      "void main() { gl_FragColor = texture3D(tex, vec3(v_tex, v_tex.x * 0.5 + v_tex.y * 0.4)); }\n");
	for (int i = 0; i < 8 * 8 * 8; i++) {
		data[i * 4] = i % 8 * 36;
		data[i * 4 + 1] = i / 8 % 8 * 36;
		data[i * 4 + 2] = i / 64 * 36;
		data[i * 4 + 3] = 255;
	}
	new_texture(GL_TEXTURE_3D_OES, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_WRAP_R_OES, GL_CLAMP_TO_EDGE);
	image3d(GL_TEXTURE_3D_OES, 0, GL_RGBA, 8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, data);
	draw_rect(-1, -1, 1, 1, 0);
}

static void draw_border(const struct scene *s)
{
	static const float color[] = { 1, 0.5f, 0.25f, 0.75f };

	need("GL_OES_texture_border_clamp");
	begin(vs_tex, "precision mediump float; varying vec2 v_tex; uniform sampler2D tex;\n"
	      "void main() { gl_FragColor = texture2D(tex, v_tex * 2.0 - 0.5); }\n");
	test_texture(16, 16, 1);
	parameters(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_BORDER_OES);
	glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_OES, color);
	draw_rect(-1, -1, 1, 1, 0);
}

static void draw_fragdepth(const struct scene *s)
{
	need("GL_EXT_frag_depth");
	begin(vs_tex, "#extension GL_EXT_frag_depth : require\n"
	      "precision mediump float; varying vec2 v_tex; uniform vec4 color;\n"
	      "void main() { gl_FragColor = color; gl_FragDepthEXT = color.x > 0.5 ? v_tex.x : v_tex.y; }\n");
	glEnable(GL_DEPTH_TEST);
	uniform4("color", 1, 0.4f, 0, 1);
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
	uniform4("color", 0, 0.4f, 1, 1);
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static GLuint depth_texture(int size)
{
	GLuint tex = new_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE), color, fb;

	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, size, size, 0, GL_DEPTH_COMPONENT,
		     GL_UNSIGNED_SHORT, NULL);
	glGenFramebuffers(1, &fb);
	glBindFramebuffer(GL_FRAMEBUFFER, fb);
	glGenRenderbuffers(1, &color);
	glBindRenderbuffer(GL_RENDERBUFFER, color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, size, size);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, tex, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail("a depth texture cannot be attached");
	return tex;
}

/* Draws a leaning triangle's depth into a texture and shows it. */
static void draw_depthtexture(const struct scene *s)
{
	static const float tri[] = { -0.8f, -0.7f, -0.8f, 0.8f, -0.6f, 0.2f, 0.1f, 0.9f, 0.9f };
	GLuint tex;

	need("GL_OES_depth_texture");
	tex = depth_texture(256);
	glEnable(GL_DEPTH_TEST);
	begin(vs_tex, fs_uniform);
	attrib(ATTR_POS, 3, tri);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDisable(GL_DEPTH_TEST);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	begin(vs_tex, fs_tex);
	glBindTexture(GL_TEXTURE_2D, tex);
	draw_rect(-1, -1, 1, 1, 0);
}

/* Renders into levels of a texture and into faces of a cube map. */
static void draw_fbolevels(const struct scene *s)
{
	GLuint tex = test_texture(64, 64, 1), cube, fb;

	need("GL_OES_fbo_render_mipmap");
	glGenerateMipmap(GL_TEXTURE_2D);
	glGenFramebuffers(1, &fb);
	glBindFramebuffer(GL_FRAMEBUFFER, fb);
	for (int level = 1; level < 4; level++) {
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tex, level);
		glViewport(0, 0, 64 >> level, 64 >> level);
		glClearColor(level == 1, level == 2, level == 3, 1);
		glClear(GL_COLOR_BUFFER_BIT);
		program(vs_tex, fs_uniform);
		uniform4("color", 0.5f, 0.5f, 0.5f, 1);
		draw_rect(-0.5f, -0.5f, 0, 0, 0);
	}
	cube = new_texture(GL_TEXTURE_CUBE_MAP, GL_NEAREST, GL_CLAMP_TO_EDGE);
	for (int face = 0; face < 6; face++)
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 32, 32, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, NULL);
	glViewport(0, 0, 32, 32);
	for (int face = 0; face < 6; face++) {
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				       GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, cube, 0);
		glClearColor(face & 1, face >> 1 & 1, face >> 2, 1);
		glClear(GL_COLOR_BUFFER_BIT);
		uniform4("color", 0.5f, 0.5f, 0.5f, 1);
		draw_rect(-0.5f, -0.5f, 0, 0.5f, 0);
	}
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glViewport(0, 0, scene_width(s), scene_height(s));
	begin(vs_tex, fs_tex);
	glBindTexture(GL_TEXTURE_2D, tex);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
	draw_rect(-1, -1, -0.5f, -0.5f, 0);
	draw_rect(-0.4f, -1, -0.15f, -0.75f, 0);
	draw_rect(0, -1, 0.125f, -0.875f, 0);
	draw_rect(0.2f, -1, 0.2625f, -0.9375f, 0);
	program(vs_tex, "precision mediump float; varying vec2 v_tex; uniform samplerCube tex;\n"
		"void main() { gl_FragColor = textureCube(tex, vec3(v_tex * 4.0 - 2.0, 0.9)); }\n");
	draw_rect(-1, -0.4f, 0, 0.6f, 0);
}

static void draw_stencilsides(const struct scene *s)
{
	static const float pos[] = { -0.9f, -0.8f, -0.1f, -0.8f, -0.5f, 0.8f,
				     0.1f, -0.8f, 0.5f, 0.8f, 0.9f, -0.8f };

	begin(vs_tex, fs_uniform);
	glEnable(GL_STENCIL_TEST);
	glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 1, 0xff);
	glStencilFuncSeparate(GL_BACK, GL_ALWAYS, 2, 0xff);
	glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_REPLACE);
	glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_INVERT);
	glStencilMaskSeparate(GL_BACK, 0x3c);
	uniform4("color", 0.3f, 0.3f, 0.3f, 1);
	attrib(ATTR_POS, 2, pos);
	glDrawArrays(GL_TRIANGLES, 0, 6);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glStencilFunc(GL_EQUAL, 1, 0xff);
	uniform4("color", 1, 0.3f, 0, 1);
	draw_rect(-1, -0.5f, 1, 0, 0);
	glStencilFunc(GL_EQUAL, 0x3c, 0xff);
	uniform4("color", 0, 0.3f, 1, 1);
	draw_rect(-1, -0.4f, 1, 0.2f, 0);
}

static void draw_offsetslope(const struct scene *s)
{
	static const float tri[] = { -0.9f, -0.9f, -0.5f, 0.9f, -0.9f, 0.5f, 0, 0.9f, 0 };

	begin(vs_tex, fs_uniform);
	glEnable(GL_DEPTH_TEST);
	attrib(ATTR_POS, 3, tri);
	uniform4("color", 0.5f, 0.5f, 0.5f, 1);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glEnable(GL_SCISSOR_TEST);
	glScissor(0, 0, 128, 256);
	glPolygonOffset(-4, 0);
	uniform4("color", 1, 0.5f, 0, 1);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glScissor(128, 0, 128, 256);
	glPolygonOffset(4, 0);
	uniform4("color", 0, 0.5f, 1, 1);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_bigpoints(const struct scene *s)
{
	static const float pos[] = { 0, 0, -1, 0.5f, 0.99f, -0.97f, 0.6f, 0.7f };

	begin("attribute vec4 pos; void main() { gl_Position = pos; gl_PointSize = 98.0; }\n",
	      "precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, 0.5, 1.0); }\n");
	attrib(ATTR_POS, 2, pos);
	glDrawArrays(GL_POINTS, 0, 4);
}

static void draw_uintindex(const struct scene *s)
{
	enum { N = 70000 };
	static float pos[N * 2], color[N * 4];
	static const unsigned int index[] = { 3, 69999, 40000, 69998, 2, 69999 };

	need("GL_OES_element_index_uint");
	for (int i = 0; i < 6; i++) {
		int k = index[i];

		pos[k * 2] = i % 3 - 1 + i * 0.1f;
		pos[k * 2 + 1] = i % 2 - 0.5f + i * 0.05f;
		memcpy(color + k * 4, (float[4]){ i % 3 == 0, i % 3 == 1, i % 3 == 2, 1 }, 16);
	}
	begin(vs_plain, fs_plain);
	attrib(ATTR_POS, 2, pos);
	attrib(ATTR_COLOR, 4, color);
	glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_INT, index);
}

/* More uniforms than a dozen, in both shaders, each used. */
static void draw_uniforms(const struct scene *s)
{
	float table[200][4];

	begin("attribute vec4 pos; attribute vec2 tex; uniform vec4 a[200]; varying vec4 v_color;\n"
	      "void main() { gl_Position = pos; vec4 c = vec4(0);\n"
	      "	for (int i = 0; i < 10; i++) c += a[i * 20 + 19] * tex.x;\n"
	      "	v_color = c * 0.1 + vec4(0, 0, 0, 1); }\n",
	      "precision mediump float; uniform vec4 b[120]; varying vec4 v_color;\n"
	      "void main() { vec4 c = v_color;\n"
	      "	for (int i = 0; i < 120; i++) c.y += b[i].y * 0.01;\n"
	      "	gl_FragColor = c; }\n");
	for (int i = 0; i < 200 * 4; i++)
		table[i / 4][i % 4] = i % 4 == 3 ? 0 : (i * 7 % 11) / 11.0f;
	for (int i = 0; i < 2; i++) {
		GLint prog;

		glGetIntegerv(GL_CURRENT_PROGRAM, &prog);
		glUniform4fv(glGetUniformLocation(prog, i ? "b" : "a"), i ? 120 : 200, table[0]);
	}
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

static void draw_samplers(const struct scene *s)
{
	char name[3] = "t";
	GLint prog;

	begin(vs_tex, "precision mediump float; varying vec2 v_tex;\n"
	      "uniform sampler2D ta, tb, tc, td, te, tf, tg, th;\n"
	      "void main() { gl_FragColor = 0.125 * (texture2D(ta, v_tex) + texture2D(tb, v_tex) +\n"
	      "	texture2D(tc, v_tex) + texture2D(td, v_tex) + texture2D(te, v_tex) +\n"
	      "	texture2D(tf, v_tex) + texture2D(tg, v_tex) + texture2D(th, v_tex)); }\n");
	glGetIntegerv(GL_CURRENT_PROGRAM, &prog);
	for (int i = 0; i < 8; i++) {
		name[1] = 'a' + i;
		glActiveTexture(GL_TEXTURE0 + i);
		test_texture(8 << (i % 4), 64, i % 2);
		glUniform1i(glGetUniformLocation(prog, name), i);
	}
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

/* Loops whose count the compiler does not know, in both shaders. */
static void draw_while(const struct scene *s)
{
	begin("attribute vec4 pos; attribute vec2 tex; uniform float start; varying vec2 v_tex;\n"
	      "varying float v_sum;\n"
	      "void main() { gl_Position = pos; v_tex = tex; float x = start + tex.x * 8.0; v_sum = 0.0;\n"
	      "	while (x > 0.5) { v_sum += 0.05; x -= 1.0; if (v_sum > 0.52) break; } }\n",
	      "precision mediump float; uniform vec4 color; varying vec2 v_tex; varying float v_sum;\n"
	      "void main() { float x = v_tex.y * 8.0, s = 0.0;\n"
	      "	while (x > color.y) { x -= 1.0; if (v_tex.x > 0.5 && s > 0.3) continue; s += 0.1; }\n"
	      "	gl_FragColor = vec4(s, v_sum, x * 0.5, 1.0); }\n");
	uniform1("start", 4);
	uniform4("color", 0.5f, 0.125f, 0, 0);
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0);
}

/* Many small shapes all over a surface of any size. */
static void draw_size(const struct scene *s)
{
	begin(vs_tex, fs_tex);
	test_texture(64, 64, 0);
	for (int i = 0; i < 64; i++) {
		float x = -1 + 0.25f * (i % 8), y = -1 + 0.25f * (i / 8);

		draw_rect(x, y, x + 0.2189f, y + 0.2189f, 0);
	}
}

/* What was drawn is given up before the next frame starts. */
static void draw_discardfb(const struct scene *s)
{
	static const GLenum all[] = { GL_COLOR_EXT, GL_DEPTH_EXT, GL_STENCIL_EXT };
	PFNGLDISCARDFRAMEBUFFEREXTPROC discard = (void *)eglGetProcAddress("glDiscardFramebufferEXT");

	need("GL_EXT_discard_framebuffer");
	begin(vs_tex, fs_uniform);
	uniform4("color", 1, 0, 0, 1);
	draw_rect(-0.5f, -0.5f, 0.5f, 0.5f, 0);
	glFlush();
	discard(GL_FRAMEBUFFER, 3, all);
	begin(vs_tex, fs_uniform);
	uniform4("color", 0, 1, 0, 1);
	draw_rect(-0.2f, -0.2f, 0.8f, 0.8f, 0);
}

#define ROW(n, fn, ...) { .name = "x_" n, .draw = draw_ ## fn, __VA_ARGS__ }

const struct scene scenes_more[] = {
	ROW("half_float", half), ROW("etc1", etc1), ROW("rg", rg), ROW("volume", volume),
	ROW("border", border), ROW("frag_depth", fragdepth),
	ROW("depth_texture", depthtexture), ROW("fbo_levels", fbolevels),
	ROW("stencil_sides", stencilsides), ROW("offset_slope", offsetslope),
	ROW("big_points", bigpoints), ROW("uint_index", uintindex), ROW("uniforms", uniforms),
	ROW("samplers", samplers), ROW("while", while), ROW("discard_fb", discardfb),
	ROW("size_hd", size, .width = 1920, .height = 1080),
	ROW("size_tall", size, .width = 48, .height = 2048),
	ROW("size_wide", size, .width = 2048, .height = 40),
	ROW("size_max", size, .width = 4096, .height = 256),
	{ }
};
