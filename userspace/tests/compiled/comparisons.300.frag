#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_a;
flat in ivec4 v_b;
flat in uvec2 v_c;
out ivec4 f_out;
//! range v_a -3 3
//! range v_b -3 3
//! range v_c 4294967294 4294967295

void main()
{
	ivec4 c = ivec4(lessThan(v_a, v_b)) + ivec4(greaterThanEqual(v_a, v_b.yzwx)) * 2;

	c.x += any(equal(v_a, v_b)) ? 10 : 20;
	c.y += all(notEqual(v_a.xyz, v_b.xyz)) ? 100 : 200;
	c.z += v_a == v_b.wzyx ? 1 : v_c.x < v_c.y ? 2 : 3;
	c.w += v_c.x <= 4294967294u ? 5 : 6;
	f_out = c;
}
