#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in uvec4 v_b;
out vec4 f_out;
//! range v_b 0 4294967295
//! not midgard: Mesa 25.0.7 stops at pack_uvec4_to_uint
//! not vivante: Mesa 25.0.7 has no pack_unorm_4x8 for it

void main()
{
	uint p = packUnorm4x8(v_a);
	uint q = packSnorm4x8(v_a.wzyx);

	f_out = unpackUnorm4x8(v_b.x) + unpackSnorm4x8(v_b.y);
	f_out += vec4(float(p & 255u), float(p >> 8u & 255u), float(p >> 16u & 255u), float(p >> 24u));
	f_out += vec4(float(q & 255u), float(q >> 8u & 255u), float(q >> 16u & 255u), float(q >> 24u));
}
