#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uvec4 v_a;
flat in uvec4 v_b;
out uvec4 f_out;
//! range v_a 0 4294967295
//! range v_b 1 70000
//! not vivante: Mesa 25.0.7 swizzles the immediates of imul (etna_emit_alu()): 0xffff becomes 0x1ffff

void main()
{
	f_out = v_a % v_b + v_a / v_b.wzyx + v_a % 10u;
}
