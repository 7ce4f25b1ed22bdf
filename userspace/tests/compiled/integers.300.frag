#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in ivec4 v_b;
uniform int u_n;
out ivec4 f_out;
//! range v_a -1000 1000
//! range v_b 1 30
//! range u_n -100 100

void main()
{
	ivec4 c = v_a * v_b + u_n;

	c.x = max(c.x, -v_a.y) - min(v_b.z, u_n);
	c.y = abs(c.y) * sign(v_a.z);
	c.z = clamp(c.z, -500, 500);
	f_out = c - (v_a.wzyx << 1);
}
