#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec4 v_i;
out vec4 f_out;
//! range v_i 0 15

void main()
{
	float list[16];

	for (int i = 0; i < 16; i++)
		list[i] = v_a.x * float(i);
	list[v_i.x] = v_a.y;
	list[v_i.y] += v_a.z;
	for (int i = 1; i < 16; i++)
		list[i] += list[i - 1] * 0.25;
	f_out = vec4(list[v_i.z], list[v_i.w], list[v_i.x], list[15]);
}
