#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in vec4 a_data;
flat out ivec4 v_bits;
out vec2 v_halves;
//! range a_pos 1 2
//! not vivante: Mesa 25.0.7 has no packHalf2x16() for it

void main()
{
	v_bits = floatBitsToInt(a_data) ^ ivec4(1, 2, 4, 8);
	v_halves = unpackHalf2x16(packHalf2x16(a_data.xy * 0.5));
	gl_Position = a_pos;
}
