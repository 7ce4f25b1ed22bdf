#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec2 v_i;
uniform mat4 u_m;
out vec4 f_out;
//! range v_i 0 3

void main()
{
	vec4 c = v_a * 2.0;

	c[v_i.x] = 7.0;
	f_out = c + u_m[v_i.y] + vec4(v_a[v_i.y]);
}
