#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
in vec4 v_b;
layout(location = 0) out vec4 f_one;
layout(location = 1) out vec4 f_two;
layout(location = 2) out vec4 f_three;

void main()
{
	f_one = v_a * v_b;
	f_two = v_a - v_b;
	f_three = v_b.x > 0.0 ? v_a : v_b;
}
