#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
in vec4 v_b;
out vec4 f_out;

void main()
{
	vec2 whole;
	vec2 part = modf(v_b.xy * 3.0, whole);

	f_out = vec4(trunc(v_a.x * 4.0), roundEven(v_a.y * 4.0), round(v_a.z * 4.0 + 0.01), part.x) + vec4(whole, part.y, floor(v_b.z));
}
