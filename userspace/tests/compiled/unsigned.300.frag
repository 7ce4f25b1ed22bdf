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
	uvec4 c = v_a * v_b + v_b.wzyx;

	c.x = max(v_a.x, v_b.x) - min(v_a.y, v_b.y);
	c.y = v_a.z > v_b.z ? v_a.z : 7u;
	f_out = c - v_a;
}
