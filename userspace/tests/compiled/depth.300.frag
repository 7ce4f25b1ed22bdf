#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
out vec4 f_out;

void main()
{
	gl_FragDepth = v_a.x * 0.25 + 0.5;
	f_out = v_a.yzwx;
}
