#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in uvec4 v_b;
flat in ivec4 v_n;
out ivec4 f_out;
//! range v_a -2147483648 2147483647
//! range v_b 0 4294967295
//! range v_n 0 31

void main()
{
	ivec4 c = v_a >> v_n;

	c += v_a << v_n.yzwx;
	c ^= ivec4(v_b >> uvec4(v_n.zwxy));
	f_out = c + (v_a >> 3) - (v_a << 5);
}
