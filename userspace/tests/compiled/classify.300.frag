#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
out vec4 f_out;

void main()
{
	float big = exp2(v_a.x * 0.0 + 128.0), none = big - big;

	f_out = vec4(isinf(big), isinf(v_a.y), isnan(none), isnan(v_a.z)) + v_a;
}
