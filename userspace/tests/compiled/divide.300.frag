#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in ivec2 v_b;
flat in uvec4 v_c;
out ivec4 f_out;
//! range v_a -100000 100000
//! range v_b 1 300
//! range v_c 1 4000000000

void main()
{
	uint q = v_c.x / (v_c.y >> 16u), r = v_c.z % (v_c.w & 1023u | 1u);

	f_out = ivec4(v_a.x / v_b.x, v_a.y / 7, int(q), int(r) + v_a.z / -v_b.y);
}
