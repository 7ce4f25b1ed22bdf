// SPDX-License-Identifier: MIT
/* What is drawn to: partial clears, reload of earlier pixels, frame buffer objects, multisample. */
#include <stdlib.h>

#include "scene.h"

static const float tri[] = { -0.8f, -0.7f, 0.8f, -0.6f, 0.1f, 0.9f };
static const float tri_color[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 };

static void draw_tri(void)
{
	program(vs_plain, fs_plain);
	attrib(ATTR_POS, 2, tri);
	attrib(ATTR_COLOR, 4, tri_color);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDisableVertexAttribArray(ATTR_COLOR);
}

/* Waits until the GPU has drawn, so that what follows must fetch the earlier pixels again. */
static void end_frame(void)
{
	unsigned char px[4];

	glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
}

static void clear(float r, float g, float b, GLbitfield what)
{
	glClearColor(r, g, b, 1);
	glClear(what);
}

static void draw_reload(const struct scene *s)
{
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT);
	draw_tri();
	end_frame();
	program(vs_tex, fs_uniform);
	uniform4("color", 1, 1, 0, 1);
	draw_rect(-0.9f, 0.2f, 0.1f, 0.4f, 0);
}

static void draw_reloaddepth(const struct scene *s)
{
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 7, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	draw_tri();
	end_frame();
	program(vs_tex, fs_uniform);
	glStencilFunc(GL_ALWAYS, 7, 0xff);
	uniform4("color", 1, 1, 0, 1);
	draw_rect(-0.9f, 0.2f, 0.9f, 0.4f, 0.5f);
	draw_rect(-0.9f, -0.4f, 0.9f, -0.2f, -0.5f);
	end_frame();
	glStencilFunc(GL_NOTEQUAL, 7, 0xff);
	glDisable(GL_DEPTH_TEST);
	uniform4("color", 1, 0, 1, 1);
	draw_rect(-0.1f, -0.9f, 0.1f, 0.9f, 0);
}

static void draw_partialclear(const struct scene *s)
{
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	draw_tri();
	end_frame();
	glEnable(GL_SCISSOR_TEST);
	glScissor(40, 50, 100, 60);
	clear(0.8f, 0.1f, 0.1f, GL_COLOR_BUFFER_BIT);
	glScissor(96, 96, 64, 64);
	glColorMask(0, 1, 0, 1);
	clear(0, 0.9f, 0, GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	glColorMask(1, 1, 1, 1);
}

/* Colour of the first frame, depth of the second: clears one buffer and keeps the other. */
static void draw_cleardepth(const struct scene *s)
{
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_tri();
	end_frame();
	glClear(GL_DEPTH_BUFFER_BIT);
	program(vs_tex, fs_uniform);
	uniform4("color", 1, 1, 0, 1);
	draw_rect(-0.5f, -0.5f, 0.5f, 0.1f, 0.5f);
	end_frame();
	clear(0.1f, 0.5f, 0.1f, GL_COLOR_BUFFER_BIT);
	uniform4("color", 0, 1, 1, 1);
	draw_rect(-0.9f, -0.9f, 0.9f, 0.9f, 0.7f);
}

static void draw_frames(const struct scene *s)
{
	for (int i = 0; i < 20; i++) {
		clear(0.05f * i, 0.1f, 0.2f, GL_COLOR_BUFFER_BIT);
		draw_tri();
		glFlush();
		program(vs_tex, fs_uniform);
		uniform4("color", 1, 1, 0, 1);
		draw_rect(-0.9f + 0.08f * i, -0.9f, -0.85f + 0.08f * i, 0.9f, 0);
		end_frame();
	}
}

static GLuint fbo(GLuint *tex, int w, int h, GLenum format, GLenum type)
{
	GLuint fb;

	glGenTextures(1, tex);
	glBindTexture(GL_TEXTURE_2D, *tex);
	glTexImage2D(GL_TEXTURE_2D, 0, format, w, h, 0, format, type, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &fb);
	glBindFramebuffer(GL_FRAMEBUFFER, fb);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *tex, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail("the frame buffer object is incomplete");
	glViewport(0, 0, w, h);
	return fb;
}

/* Renders into a texture, then draws the texture, one texel a pixel. */
static void through_fbo(const struct scene *s, int w, int h, GLenum format, GLenum type)
{
	GLuint tex, depth;

	fbo(&tex, w, h, format, type);
	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, w, h);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_tri();
	glDisable(GL_DEPTH_TEST);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glViewport(0, 0, scene_width(s), scene_height(s));
	clear(0.1f, 0.1f, 0.1f, GL_COLOR_BUFFER_BIT);
	program(vs_tex, fs_tex);
	glBindTexture(GL_TEXTURE_2D, tex);
	draw_rect(-1, -1, -1 + 2.0f * w / scene_width(s), -1 + 2.0f * h / scene_height(s), 0);
}

static void draw_fbo(const struct scene *s)
{
	through_fbo(s, 128, 128, GL_RGBA, GL_UNSIGNED_BYTE);
}

static void draw_fboodd(const struct scene *s)
{
	through_fbo(s, 75, 50, GL_RGBA, GL_UNSIGNED_BYTE);
}

static void draw_fbo565(const struct scene *s)
{
	through_fbo(s, 64, 64, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
}

/* The frame buffer object itself is read back: its rows are not upside down as the surface's are. */
static void draw_readback(const struct scene *s)
{
	GLuint tex;

	fbo(&tex, scene_width(s), scene_height(s), GL_RGBA, GL_UNSIGNED_BYTE);
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT);
	draw_tri();
}

/* Each of two textures is drawn into the other several times. */
static void draw_pingpong(const struct scene *s)
{
	GLuint tex[2], fb[2];

	for (int i = 0; i < 2; i++) {
		fb[i] = fbo(&tex[i], 64, 64, GL_RGBA, GL_UNSIGNED_BYTE);
		clear(0.5f * i, 0, 0.5f, GL_COLOR_BUFFER_BIT);
	}
	draw_tri();
	program(vs_tex, fs_tex);
	for (int i = 0; i < 6; i++) {
		glBindFramebuffer(GL_FRAMEBUFFER, fb[i & 1]);
		glBindTexture(GL_TEXTURE_2D, tex[~i & 1]);
		draw_rect(-1, -1, 0.905f, 0.905f, 0);
	}
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glViewport(0, 0, scene_width(s), scene_height(s));
	glBindTexture(GL_TEXTURE_2D, tex[1]);
	draw_rect(-1, -1, 1, 1, 0);
}

static void draw_copytex(const struct scene *s)
{
	clear(0.2f, 0.3f, 0.4f, GL_COLOR_BUFFER_BIT);
	draw_tri();
	test_texture(64, 64, 1);
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 100, 100, 48, 40);
	program(vs_tex, fs_tex);
	draw_rect(-0.9f, 0, 0.1f, 0.9f, 0);
}

static void draw_msaa(const struct scene *s)
{
	clear(0.1f, 0.1f, 0.1f, GL_COLOR_BUFFER_BIT);
	draw_tri();
}

#define ROW(n, fn, ...) { .name = "r_" n, .draw = draw_ ## fn, __VA_ARGS__ }

const struct scene scenes_target[] = {
	ROW("reload", reload), ROW("reload_depth", reloaddepth),
	ROW("partial_clear", partialclear), ROW("clear_depth", cleardepth), ROW("frames", frames),
	ROW("fbo", fbo), ROW("fbo_odd", fboodd), ROW("fbo_565", fbo565),
	ROW("readback", readback), ROW("ping_pong", pingpong), ROW("copy_tex", copytex),
	ROW("reload_odd", reload, .width = 203, .height = 151),
	ROW("msaa", msaa, .samples = 4),
	{ }
};
