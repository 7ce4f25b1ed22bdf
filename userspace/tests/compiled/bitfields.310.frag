#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uvec4 v_a;
flat in ivec4 v_b;
out ivec4 f_out;
//! range v_a 0 4294967295
//! range v_b -2147483648 2147483647
//! not vivante: Mesa 25.0.7 has no bitfieldExtract() for it

void main()
{
	ivec4 c = bitfieldExtract(v_b, 3, 9);

	c.x += int(bitfieldInsert(v_a.x, v_a.y, 5, 7));
	c.y ^= int(bitfieldReverse(v_a.z));
	c.z += bitCount(v_a.w) * 1000 + findLSB(v_b.z);
	c.w += findMSB(v_a.y) * 100 + findMSB(v_b.w) + int(bitfieldExtract(v_a.x, 4, 12));
	f_out = c;
}
