#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in ivec4 v_b;
out ivec4 f_out;
//! range v_a -200000 200000
//! range v_b -200000 200000
//! not vivante: Mesa 25.0.7 swizzles the immediates of imul (etna_emit_alu()): 0xffff becomes 0x1ffff

int multiply(int a, int b)
{
	int ah = a >> 16, al = a & 0xffff;

	return ah * b + (al * (b >> 8) >> 8);
}

void main()
{
	f_out = ivec4(multiply(v_a.x, v_b.x), multiply(v_a.y, v_b.y), (v_a.z + 0x8000) >> 16, -v_b.w / 65536);
}
