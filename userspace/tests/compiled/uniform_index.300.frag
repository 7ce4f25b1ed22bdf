#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in int v_i;
in vec4 v_a;
uniform vec4 u_list[10];
uniform mat3 u_turns[3];
uniform int u_numbers[4];
out vec4 f_out;
//! range v_i 0 2

void main()
{
	f_out = u_list[v_i * 3 + 1] + vec4(u_turns[v_i] * v_a.xyz, float(u_numbers[v_i + 1])) + u_list[9];
}
