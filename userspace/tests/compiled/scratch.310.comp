#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
precision highp float;
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { int a_words[40]; };
//! range a_words 0 15

void main()
{
	int base = int(gl_GlobalInvocationID.x) * 4;
	int list[16];

	for (int i = 0; i < 16; i++)
		list[i] = i * i;
	for (int i = 0; i < 4; i++)
		list[a_words[base + i] & 15] += i + base;
	for (int i = 0; i < 4; i++)
		a_words[base + i] = list[(a_words[base + i] + i) & 15];
}
