#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uvec4 v_a;
flat in ivec4 v_b;
out uvec4 f_out;
//! range v_a 0 4294967295
//! range v_b -2147483648 2147483647
//! not vivante: Mesa 25.0.7 has no umulExtended() for it

void main()
{
	uint hi, lo, c, d;
	int shi, slo;

	umulExtended(v_a.x, v_a.y, hi, lo);
	imulExtended(v_b.x, v_b.y, shi, slo);
	uint sum = uaddCarry(v_a.z, v_a.w, c), difference = usubBorrow(v_a.z, v_a.w, d);

	f_out = uvec4(hi ^ uint(slo), lo ^ uint(shi), sum + c, difference - d);
}
