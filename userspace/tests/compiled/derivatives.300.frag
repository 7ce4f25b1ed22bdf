#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
out vec4 f_out;
//! tolerance 1e-5

void main()
{
	vec2 d = vec2(dFdx(v_a.x), dFdy(v_a.y));
	float second = dFdy(dFdx(v_a.z) * v_a.w);

	f_out = vec4(d, second, fwidth(v_a.x + v_a.y));
}
