// SPDX-License-Identifier: MIT
/*
 * A GLES2 client on surfaceless EGL: draws scenes and writes them as PNGs. It uses nothing but EGL
 * and OpenGL ES 2.0 and takes whatever GPU the EGL implementation offers first.
 *
 *	mesa-client [--renderer WORD] [--jobs N] [--timeout SECONDS] [--single-sample] DIR [SCENE...]
 *	mesa-client --list
 *
 * Every scene is drawn by a process of its own, so that one that crashes or hangs costs only
 * itself. --renderer fails when GL_RENDERER does not contain WORD: without it a machine without a
 * GPU would silently answer with a software renderer. --single-sample draws multisampled scenes
 * with one sample, for a renderer that has no more. --jobs draws several scenes at a time, which a
 * driver must keep apart. Exit status: 0, or 1 when a scene failed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "png_io.h"
#include "scene.h"

static const struct scene *const tables[] = {
	scenes_basic, scenes_state, scenes_texture, scenes_target, scenes_fragment, scenes_vertex,
	scenes_more,
};

static const char *want_renderer;
static unsigned int timeout_s = 120;
static bool single_sample;
static int jobs = 1;

static EGLDisplay open_display(void)
{
	PFNEGLGETPLATFORMDISPLAYEXTPROC get =
		(void *)eglGetProcAddress("eglGetPlatformDisplayEXT");
	EGLDisplay dpy;

	if (!get)
		fail("EGL has no eglGetPlatformDisplayEXT");
	dpy = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (dpy == EGL_NO_DISPLAY || !eglInitialize(dpy, NULL, NULL))
		fail("no surfaceless EGL display (error %#x)", eglGetError());
	return dpy;
}

static void make_current(EGLDisplay dpy, const struct scene *s)
{
	const EGLint config_attr[] = {
		EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
		EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8,
		EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8, EGL_SAMPLES, single_sample ? 0 : s->samples, EGL_NONE };
	const EGLint surface_attr[] = {
		EGL_WIDTH, scene_width(s), EGL_HEIGHT, scene_height(s), EGL_NONE };
	const EGLint context_attr[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLSurface surface;
	EGLContext ctx;
	EGLConfig config;
	EGLint n = 0;

	if (!eglChooseConfig(dpy, config_attr, &config, 1, &n) || n < 1)
		fail("no EGL config with 8888 colour, depth 24, stencil 8, %d samples",
		     s->samples);
	eglBindAPI(EGL_OPENGL_ES_API);
	surface = eglCreatePbufferSurface(dpy, config, surface_attr);
	ctx = eglCreateContext(dpy, config, EGL_NO_CONTEXT, context_attr);
	if (surface == EGL_NO_SURFACE || ctx == EGL_NO_CONTEXT ||
	    !eglMakeCurrent(dpy, surface, surface, ctx))
		fail("no GLES2 context (EGL error %#x)", eglGetError());
}

static void save_pixels(const struct scene *s, const char *dir)
{
	int w = scene_width(s), h = scene_height(s);
	unsigned char *px = malloc((size_t)w * h * 4), *flipped = malloc((size_t)w * h * 4);
	char path[4096];
	GLenum err;

	/* Something that no scene draws: a read-back that does nothing must not look like black. */
	memset(px, 0x5a, (size_t)w * h * 4);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, px);
	err = glGetError();
	if (err)
		fail("%s: GL error %#x", s->name, err);
	for (int y = 0; y < h; y++)
		memcpy(flipped + (size_t)y * w * 4, px + (size_t)(h - 1 - y) * w * 4, (size_t)w * 4);
	if (snprintf(path, sizeof(path), "%s/%s.png", dir, s->name) >= (int)sizeof(path) ||
	    png_store(path, w, h, flipped))
		fail("%s: cannot write %s", s->name, path);
	free(px);
	free(flipped);
}

static void draw_scene(const struct scene *s, const char *dir)
{
	EGLDisplay dpy = open_display();
	const char *renderer;

	make_current(dpy, s);
	renderer = (const char *)glGetString(GL_RENDERER);
	if (want_renderer && (!renderer || !strstr(renderer, want_renderer)))
		fail("the renderer is \"%s\", not %s", renderer ? renderer : "?", want_renderer);
	glViewport(0, 0, scene_width(s), scene_height(s));
	s->draw(s);
	save_pixels(s, dir);
	eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglTerminate(dpy);
}

/* Scenes under way, each in a process of its own. */
static struct {
	pid_t pid;
	const struct scene *scene;
} running[64];
static int running_count, failed;

/* Waits until one of the running scenes has ended. */
static void reap(void)
{
	const struct scene *s;
	int status = 0, i = 0;
	pid_t pid;

	do {
		pid = waitpid(-1, &status, 0);
	} while (pid < 0 && errno == EINTR);
	while (i < running_count && running[i].pid != pid)
		i++;
	if (i == running_count)
		fail("lost a child process");
	s = running[i].scene;
	running[i] = running[--running_count];
	if (WIFSIGNALED(status))
		printf("%s: FAILED: %s\n", s->name, WTERMSIG(status) == SIGALRM ?
		       "did not finish in time" : strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		printf("%s: FAILED: the client gave up\n", s->name);
	else
		printf("%s: drawn\n", s->name);
	failed += status != 0;
}

static void start_scene(const struct scene *s, const char *dir)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		fail("fork: %s", strerror(errno));
	if (!pid) {
		alarm(timeout_s);
		draw_scene(s, dir);
		fflush(NULL);
		/* Mesa's exit handlers have nothing of ours to save. */
		_exit(0);
	}
	running[running_count].scene = s;
	running[running_count++].pid = pid;
}

static bool wanted(const char *name, char **names, int n)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return !n;
}

int main(int argc, char **argv)
{
	bool list = false;
	int drawn = 0;
	const char *dir;

	argc--;
	argv++;
	for (; argc && !strncmp(*argv, "--", 2); argc--, argv++) {
		if (!strcmp(*argv, "--list"))
			list = true;
		else if (!strcmp(*argv, "--single-sample"))
			single_sample = true;
		else if (!strcmp(*argv, "--renderer") && argc > 1)
			want_renderer = (argc--, *++argv);
		else if (!strcmp(*argv, "--timeout") && argc > 1)
			timeout_s = atoi((argc--, *++argv));
		else if (!strcmp(*argv, "--jobs") && argc > 1)
			jobs = atoi((argc--, *++argv));
		else if (!strcmp(*argv, "--frames") && argc > 1)
			bench_frames = atoi((argc--, *++argv));
		else
			fail("unknown option %s", *argv);
	}
	if (jobs < 1 || jobs > (int)(sizeof(running) / sizeof(running[0]))) {
		fail("--jobs takes 1 to %zu", sizeof(running) / sizeof(running[0]));
	}
	if (!list && !argc)
		fail("usage: mesa-client [--renderer WORD] [--list] [--timeout S] [--frames N] DIR [SCENE...]");
	dir = list ? "" : *argv++;
	argc -= !list;
	if (!list && mkdir(dir, 0777) && errno != EEXIST)
		fail("%s: %s", dir, strerror(errno));
	for (unsigned int t = 0; t < (bench_frames ? 1 : sizeof(tables) / sizeof(tables[0])); t++) {
		for (const struct scene *s = bench_frames ? scenes_bench : tables[t]; s->name; s++) {
			if (!wanted(s->name, argv, argc))
				continue;
			drawn++;
			if (list) {
				puts(s->name);
				continue;
			}
			start_scene(s, dir);
			while (running_count >= jobs)
				reap();
		}
	}
	while (running_count)
		reap();
	if (argc && drawn < argc)
		fail("%d of the scenes named do not exist", argc - drawn);
	return failed ? 1 : 0;
}
