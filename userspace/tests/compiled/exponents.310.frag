#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec4 v_n;
out vec4 f_out;
//! range v_n -6 6
//! not vivante: Mesa 25.0.7 has no unpackSnorm4x8() for it

void main()
{
	f_out = ldexp(v_a, v_n) + vec4(unpackSnorm4x8(uint(v_n.x * 1234567)));
}
