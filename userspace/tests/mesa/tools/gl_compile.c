// SPDX-License-Identifier: MIT
/*
 * Has a GL driver compile two shaders, each by itself, and draws a point, so that a driver that prints what it compiles
 * (ETNA_MESA_DEBUG=dump_shaders, LIMA_DEBUG=gp,pp) does so on standard output. Under Mesa's noop shims no GPU is needed.
 *
 *	gl-compile VERSION VERTEX FRAGMENT	VERSION of GLSL ES: 100, 300, 310
 *
 * Exit status 1 with the log when they do not compile; 77 when the driver has no such version.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

static void fail(int status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	exit(status);
}

static void make_context(int version)
{
	static const EGLint config_attr[] = {
		EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
		EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE };
	static const EGLint surface_attr[] = { EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE };
	const EGLint context_attr[] = { EGL_CONTEXT_MAJOR_VERSION, version / 100 < 3 ? 2 : 3,
					EGL_CONTEXT_MINOR_VERSION, version / 10 % 10, EGL_NONE };
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLSurface surface;
	EGLContext context;
	EGLConfig config;
	EGLint n = 0;

	if (!eglInitialize(display, NULL, NULL) || !eglChooseConfig(display, config_attr, &config, 1, &n) || !n)
		fail(77, "no EGL display without a surface\n");
	eglBindAPI(EGL_OPENGL_ES_API);
	surface = eglCreatePbufferSurface(display, config, surface_attr);
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attr);
	if (!eglMakeCurrent(display, surface, surface, context))
		fail(77, "no context for GLSL ES %d\n", version);
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	if (!f || !text || !fread(text, 1, (1 << 16) - 1, f))
		fail(1, "%s: cannot read\n", path);
	fclose(f);
	return text;
}

/* A program of its own, so that the linker moves nothing from one stage into the other. */
static GLuint compile(GLenum stage, const char *path)
{
	PFNGLCREATESHADERPROGRAMVEXTPROC create = (void *)eglGetProcAddress("glCreateShaderProgramvEXT");
	const char *text = read_file(path);
	char log[4096] = "";
	GLuint program;
	GLint ok = 0;

	program = create(stage, 1, &text);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	glGetProgramInfoLog(program, sizeof(log), NULL, log);
	if (!ok)
		fail(1, "%s: %s\n", path, log);
	return program;
}

/* What the Vivante chips' blender takes as it is: other orders of components are swapped by the shader. */
static void make_target(void)
{
	GLuint texture, framebuffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 16, 16, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, NULL);
	glBindTexture(GL_TEXTURE_2D, 0);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail(77, "no BGRA framebuffer\n");
	glViewport(0, 0, 16, 16);
}

/* A texel for every sampler: without one Mesa makes a texture of its own and waits for it, which a shim never ends. */
static void make_textures(void)
{
	for (GLenum unit = 0; unit < 8; unit++) {
		GLuint textures[2];

		glActiveTexture(GL_TEXTURE0 + unit);
		glGenTextures(2, textures);
		glBindTexture(GL_TEXTURE_2D, textures[0]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
		glBindTexture(GL_TEXTURE_CUBE_MAP, textures[1]);
		for (GLenum face = 0; face < 6; face++)
			glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	}
}

int main(int argc, char **argv)
{
	PFNGLUSEPROGRAMSTAGESEXTPROC use_stages;
	PFNGLGENPROGRAMPIPELINESEXTPROC generate;
	PFNGLBINDPROGRAMPIPELINEEXTPROC bind;
	const char *extensions;
	GLuint pipeline;

	if (argc != 4)
		fail(2, "usage: gl-compile VERSION VERTEX FRAGMENT\n");
	make_context(atoi(argv[1]));
	extensions = (const char *)glGetString(GL_EXTENSIONS);
	if (!extensions || !strstr(extensions, "GL_EXT_separate_shader_objects"))
		fail(77, "no GL_EXT_separate_shader_objects\n");
	make_target();
	make_textures();
	use_stages = (void *)eglGetProcAddress("glUseProgramStagesEXT");
	generate = (void *)eglGetProcAddress("glGenProgramPipelinesEXT");
	bind = (void *)eglGetProcAddress("glBindProgramPipelineEXT");
	generate(1, &pipeline);
	use_stages(pipeline, GL_VERTEX_SHADER_BIT_EXT, compile(GL_VERTEX_SHADER, argv[2]));
	use_stages(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, compile(GL_FRAGMENT_SHADER, argv[3]));
	bind(pipeline);
	glDrawArrays(GL_POINTS, 0, 1);
	glFlush();	/* a shim of lima's never signals what glFinish() would wait for */
	fflush(NULL);
	/* Mesa's exit handlers have nothing of ours to save. */
	_Exit(0);
}
