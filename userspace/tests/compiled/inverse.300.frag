#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
uniform mat4 u_m;
uniform mat2 u_n;
out vec4 f_out;
//! tolerance 1e-3

void main()
{
	mat4 i = inverse(u_m * 0.125 + mat4(2.0));

	f_out = i * v_a + vec4(inverse(u_n * 0.125 + mat2(1.5)) * v_a.xy, determinant(u_m * 0.25), 1.0);
}
