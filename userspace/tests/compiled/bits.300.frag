#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uvec4 v_a;
flat in uvec4 v_b;
out uvec4 f_out;
//! range v_a 0 4294967295
//! range v_b 0 4294967295

void main()
{
	uvec4 c = (v_a & v_b) | (~v_a & v_b.wzyx);

	c.x ^= ~(v_a.x | v_b.y);
	c.y = ~(v_a.y & v_b.y) ^ ~v_b.x;
	c.z |= ~v_a.w;
	f_out = c ^ uvec4(0xffff0000u, 0xff00ff00u, 0xf0f0f0f0u, 1u);
}
