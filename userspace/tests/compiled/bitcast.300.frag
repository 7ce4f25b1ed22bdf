#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec4 v_b;
out ivec4 f_out;

void main()
{
	ivec4 c = floatBitsToInt(v_a) ^ (floatBitsToInt(v_a.wzyx * 2.0) >> 3);

	c.x += int(floatBitsToUint(v_a.y) & 255u);
	f_out = c + floatBitsToInt(intBitsToFloat(v_b + 0x3f800000) + 1.0);
}
