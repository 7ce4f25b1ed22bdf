#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in uvec2 v_b;
out vec4 f_out;
//! range v_b 0 4294967295
//! not vivante: Mesa 25.0.7 has no packHalf2x16() for it

void main()
{
	uint h = packHalf2x16(v_a.xy);
	vec2 u = unpackUnorm2x16(v_b.x), s = unpackSnorm2x16(v_b.y);

	f_out = vec4(unpackHalf2x16(h) + v_a.zw, u + s);
}
