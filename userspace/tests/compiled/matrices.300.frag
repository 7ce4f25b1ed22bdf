#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
uniform mat4 u_m;
uniform mat3 u_n;
out vec4 f_out;
//! tolerance 2e-4

void main()
{
	mat3 t = transpose(u_n) * 0.5 + outerProduct(v_a.xyz, v_a.wzy);
	mat3 i = inverse(u_n * 0.1 + mat3(3.0));

	f_out = vec4(t * v_a.xyz, determinant(u_n)) + vec4(i * v_a.yzw, 0.0) + transpose(u_m) * v_a;
}
