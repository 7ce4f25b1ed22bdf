// SPDX-License-Identifier: MIT
/* Helpers of the GLES2 scenes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

const char vs_plain[] =
	"attribute vec4 pos; attribute vec4 color; varying vec4 v_color;\n"
	"void main() { gl_Position = pos; v_color = color; gl_PointSize = 1.0; }\n";
const char fs_plain[] =
	"precision mediump float; varying vec4 v_color;\n"
	"void main() { gl_FragColor = v_color; }\n";
const char vs_tex[] =
	"attribute vec4 pos; attribute vec2 tex; varying vec2 v_tex;\n"
	"void main() { gl_Position = pos; v_tex = tex; }\n";
const char fs_tex[] =
	"precision mediump float; varying vec2 v_tex; uniform sampler2D tex;\n"
	"void main() { gl_FragColor = texture2D(tex, v_tex); }\n";
const char fs_uniform[] =
	"precision mediump float; uniform vec4 color;\n"
	"void main() { gl_FragColor = color; }\n";

void fail(const char *fmt, ...)
{
	va_list ap;

	fputs("mesa-client: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static GLuint shader(GLenum type, const char *text)
{
	GLuint sh = glCreateShader(type);
	char log[2048] = "";
	GLint ok = 0;

	glShaderSource(sh, 1, &text, NULL);
	glCompileShader(sh);
	glGetShaderiv(sh, GL_COMPILE_STATUS, &ok);
	if (!ok) {
		glGetShaderInfoLog(sh, sizeof(log), NULL, log);
		fail("%s shader does not compile: %s\n%s",
		     type == GL_VERTEX_SHADER ? "vertex" : "fragment", log, text);
	}
	return sh;
}

GLuint program(const char *vs, const char *fs)
{
	GLuint prog = glCreateProgram();
	char log[2048] = "";
	GLint ok = 0;

	glAttachShader(prog, shader(GL_VERTEX_SHADER, vs));
	glAttachShader(prog, shader(GL_FRAGMENT_SHADER, fs));
	glBindAttribLocation(prog, ATTR_POS, "pos");
	glBindAttribLocation(prog, ATTR_COLOR, "color");
	glBindAttribLocation(prog, ATTR_TEX, "tex");
	glBindAttribLocation(prog, ATTR_NORMAL, "normal");
	glLinkProgram(prog);
	glGetProgramiv(prog, GL_LINK_STATUS, &ok);
	if (!ok) {
		glGetProgramInfoLog(prog, sizeof(log), NULL, log);
		fail("program does not link: %s", log);
	}
	glUseProgram(prog);
	return prog;
}

void attrib(GLuint index, int size, const float *data)
{
	glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, 0, data);
	glEnableVertexAttribArray(index);
}

static GLint location(const char *name)
{
	GLint prog = 0, loc;

	glGetIntegerv(GL_CURRENT_PROGRAM, &prog);
	loc = glGetUniformLocation(prog, name);
	if (loc < 0)
		fail("the program has no uniform \"%s\"", name);
	return loc;
}

void uniform4(const char *name, float x, float y, float z, float w)
{
	glUniform4f(location(name), x, y, z, w);
}

void uniform1(const char *name, float x)
{
	glUniform1f(location(name), x);
}

void uniform_int(const char *name, int x)
{
	glUniform1i(location(name), x);
}

void uniform_matrix(const char *name, const float m[16])
{
	glUniformMatrix4fv(location(name), 1, GL_FALSE, m);
}

void mat_mul(float out[16], const float a[16], const float b[16])
{
	for (int c = 0; c < 4; c++) {
		for (int r = 0; r < 4; r++) {
			float sum = 0;

			for (int k = 0; k < 4; k++)
				sum += a[k * 4 + r] * b[c * 4 + k];
			out[c * 4 + r] = sum;
		}
	}
}

void mat_rotate(float out[16], float degrees, float x, float y, float z)
{
	float a = degrees * (float)M_PI / 180.0f;
	float s = sinf(a), c = cosf(a), len = sqrtf(x * x + y * y + z * z);

	x /= len;
	y /= len;
	z /= len;
	memcpy(out, (float[16]){
		x * x * (1 - c) + c, y * x * (1 - c) + z * s, x * z * (1 - c) - y * s, 0,
		x * y * (1 - c) - z * s, y * y * (1 - c) + c, y * z * (1 - c) + x * s, 0,
		x * z * (1 - c) + y * s, y * z * (1 - c) - x * s, z * z * (1 - c) + c, 0,
		0, 0, 0, 1 }, 16 * sizeof(float));
}

void mat_translate(float out[16], float x, float y, float z)
{
	memcpy(out, (float[16]){ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1 },
	       16 * sizeof(float));
}

void mat_perspective(float out[16], float fov_degrees, float aspect, float near, float far)
{
	float f = 1.0f / tanf(fov_degrees * (float)M_PI / 360.0f);

	memcpy(out, (float[16]){
		f / aspect, 0, 0, 0, 0, f, 0, 0,
		0, 0, (far + near) / (near - far), -1,
		0, 0, 2 * far * near / (near - far), 0 }, 16 * sizeof(float));
}

void draw_rect(float x0, float y0, float x1, float y1, float z)
{
	static const float tex[] = { 0, 0, 1, 0, 0, 1, 1, 1 };
	float pos[] = { x0, y0, z, x1, y0, z, x0, y1, z, x1, y1, z };

	attrib(ATTR_POS, 3, pos);
	attrib(ATTR_TEX, 2, tex);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

float rand_unit(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 16777216.0f;
}

unsigned char *test_image(int width, int height, int kind)
{
	unsigned char *p = malloc((size_t)width * height * 4), *q = p;
	unsigned int seed = 4711;

	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++, q += 4) {
			bool on = (x / 8 + y / 8) & 1;

			if (kind == 0) {
				q[0] = 255 * x / (width > 1 ? width - 1 : 1);
				q[1] = 255 * y / (height > 1 ? height - 1 : 1);
				q[2] = 255 - (q[0] + q[1]) / 2;
				q[3] = 128 + q[0] / 2;
			} else if (kind == 1) {
				q[0] = on ? 230 : 40;
				q[1] = on ? 200 : 60 + 100 * y / height;
				q[2] = on ? 60 : 60 + 150 * x / width;
				q[3] = on ? 255 : 96;
			} else {
				for (int i = 0; i < 4; i++)
					q[i] = 255 * rand_unit(&seed);
			}
		}
	}
	return p;
}

GLuint test_texture(int width, int height, int kind)
{
	unsigned char *p = test_image(width, height, kind);
	GLuint tex;

	glGenTextures(1, &tex);
	glBindTexture(GL_TEXTURE_2D, tex);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, p);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	free(p);
	return tex;
}
