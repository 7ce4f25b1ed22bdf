// SPDX-License-Identifier: MIT
// A vertex shader for flow.100.frag: a palette of matrices, a texture, a loop.
attribute vec4 p;
attribute vec3 normal;
attribute vec2 w;
varying vec4 a;
varying vec2 t;
uniform mat4 palette[4];
uniform sampler2D heights;
uniform mediump int n;
void main()
{
	vec4 sum = vec4(0.0);
	for (int i = 0; i < 6; i++) {
		if (i >= n)
			break;
		sum += palette[int(w.x) + i - i / 2 * 2] * p * w.y;
	}
	sum.z += texture2DLod(heights, w, 2.0).x;
	a = vec4(normalize(mat3(palette[1][0].xyz, palette[1][1].xyz, palette[1][2].xyz) * normal), sum.x > 0.0 ? 1.0 : exp2(sum.y));
	t = w * 0.5 + 0.5;
	gl_Position = sum;
	gl_PointSize = clamp(sum.w * 8.0, 1.0, 64.0);
}
