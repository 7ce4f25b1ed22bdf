#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in uvec4 v_b;
out ivec4 f_out;
//! range v_a 0 70000
//! range v_b 0 4294967295

void main()
{
	f_out = ivec4(findMSB(v_a.x) + findMSB(v_a.y) * 64, findMSB(v_b.x) + findMSB(v_b.y >> 9u), findMSB(v_a.z >> 3), findMSB(uint(v_a.w))) +
		findMSB(ivec4(v_b >> 20u));
}
