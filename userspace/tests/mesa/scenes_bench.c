// SPDX-License-Identifier: MIT
/*
 * Frames to be timed, 640x480: colours alone, a mipmapped texture, light on a texture, 20,000 small
 * triangles. They are no part of the scenes whose pictures are compared: --frames N draws them.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scene.h"

#define WIDTH	640
#define HEIGHT	480
#define GRID	100	/* cells each way of two triangles */

int bench_frames;

static const char vs_turn[] =
	"attribute vec4 pos; attribute vec4 color; uniform mat4 m; varying vec4 v_color;\n"
	"void main() { gl_Position = m * pos; v_color = color; }\n";

static const char vs_floor[] =
	"attribute vec4 pos; attribute vec2 tex; uniform mat4 m; varying vec2 v_tex; varying vec3 v_normal;\n"
	"void main() { gl_Position = m * pos; v_tex = tex * 4.0; v_normal = (m * vec4(pos.xy, 1.0, 0.0)).xyz; }\n";

static const char fs_floor[] =
	"precision mediump float; varying vec2 v_tex; uniform sampler2D tex;\n"
	"void main() { gl_FragColor = texture2D(tex, v_tex); }\n";

static const char fs_lit[] =
	"precision mediump float; varying vec2 v_tex; varying vec3 v_normal; uniform sampler2D tex;\n"
	"void main() {\n"
	"	vec3 n = normalize(v_normal), l = normalize(vec3(0.3, 0.5, 1.0));\n"
	"	float d = max(dot(n, l), 0.0), s = pow(max(dot(reflect(-l, n), vec3(0.0, 0.0, 1.0)), 0.0), 8.0);\n"
	"	gl_FragColor = vec4(texture2D(tex, v_tex).rgb * (0.2 + d) + vec3(s), 1.0);\n"
	"}\n";

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Milliseconds in which a GPU's engines had jobs of this process, by its driver; 0 without one. Mesa has several of a file. */
static double busy_ms(void)
{
	DIR *dir = opendir("/proc/self/fdinfo");
	double most = 0;

	for (struct dirent *d = dir ? readdir(dir) : NULL; d; d = readdir(dir)) {
		char path[sizeof(d->d_name) + 32], line[256];
		double sum = 0, ns;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%s", d->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file))
			if (!strncmp(line, "drm-engine-", 11) && strstr(line, " ns") && sscanf(line, "%*s %lf", &ns) == 1)
				sum += ns / 1e6;
		if (file)
			fclose(file);
		most = sum > most ? sum : most;
	}
	if (dir)
		closedir(dir);
	return most;
}

/* Two frames untimed, then bench_frames, each with an angle of its own. */
static void time_frames(const struct scene *s, void (*frame)(void))
{
	double begin = 0, busy = 0, ms;

	for (int i = -2; i < bench_frames; i++) {
		float turn[16], away[16], view[16], m[16];

		if (!i) {
			busy = busy_ms();
			begin = now_ms();
		}
		mat_rotate(turn, 20.0f + i % 30, 0.6f, 0.8f, 0.1f);
		mat_translate(away, 0, 0, -2.2f);
		mat_mul(m, away, turn);
		mat_perspective(view, 60, (float)WIDTH / HEIGHT, 0.5f, 10);
		mat_mul(turn, view, m);
		uniform_matrix("m", turn);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		frame();
		glFinish();
	}
	ms = (now_ms() - begin) / bench_frames;
	busy = (busy_ms() - busy) / bench_frames;
	printf("%s %.3f ms a frame", s->name, ms);
	if (busy > 0)
		printf(", %.3f outside", ms - busy);
	puts("");
}

static void draw_two(void)
{
	draw_rect(-1.6f, -1.2f, 1.6f, 1.2f, -0.2f);
	draw_rect(-1.2f, -1.0f, 1.2f, 1.0f, 0.2f);
}

static void begin_bench(const char *vs, const char *fs)
{
	program(vs, fs);
	glEnable(GL_DEPTH_TEST);
	glClearColor(0.1f, 0.1f, 0.2f, 1);
}

static void plain(const struct scene *s)
{
	static const float colors[16] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1 };

	begin_bench(vs_turn, fs_plain);
	attrib(ATTR_COLOR, 4, colors);
	time_frames(s, draw_two);
}

static void textured(const struct scene *s)
{
	begin_bench(s->vs, s->fs);
	test_texture(512, 512, 0);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
	glGenerateMipmap(GL_TEXTURE_2D);
	uniform_int("tex", 0);
	time_frames(s, draw_two);
}

static void draw_grid(void)
{
	glDrawElements(GL_TRIANGLES, GRID * GRID * 6, GL_UNSIGNED_SHORT, NULL);
}

static void small(const struct scene *s)
{
	static float pos[(GRID + 1) * (GRID + 1)][3], color[(GRID + 1) * (GRID + 1)][4];
	static GLushort index[GRID * GRID * 6];
	unsigned int state = 1, n = 0;
	GLuint buffer[3];

	for (int i = 0; i < (GRID + 1) * (GRID + 1); i++) {
		pos[i][0] = (i % (GRID + 1) - GRID / 2) * (2.8f / GRID);
		pos[i][1] = (i / (GRID + 1) - GRID / 2) * (2.1f / GRID);
		pos[i][2] = rand_unit(&state) * 0.02f;
		for (int c = 0; c < 4; c++)
			color[i][c] = c < 3 ? rand_unit(&state) : 1;
	}
	for (int i = 0; i < GRID * GRID; i++) {
		int at = i / GRID * (GRID + 1) + i % GRID;
		const int corner[6] = { at, at + 1, at + GRID + 1, at + 1, at + GRID + 2, at + GRID + 1 };

		for (int k = 0; k < 6; k++)
			index[n++] = (GLushort)corner[k];
	}
	begin_bench(vs_turn, fs_plain);
	glGenBuffers(3, buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(pos), pos, GL_STATIC_DRAW);
	attrib(ATTR_POS, 3, NULL);
	glBindBuffer(GL_ARRAY_BUFFER, buffer[1]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(color), color, GL_STATIC_DRAW);
	attrib(ATTR_COLOR, 4, NULL);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[2]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
	time_frames(s, draw_grid);
}

const struct scene scenes_bench[] = {
	{ .name = "plain", .draw = plain, .width = WIDTH, .height = HEIGHT },
	{ .name = "textured", .draw = textured, .width = WIDTH, .height = HEIGHT, .vs = vs_floor, .fs = fs_floor },
	{ .name = "lit", .draw = textured, .width = WIDTH, .height = HEIGHT, .vs = vs_floor, .fs = fs_lit },
	{ .name = "small", .draw = small, .width = WIDTH, .height = HEIGHT },
	{ 0 },
};
