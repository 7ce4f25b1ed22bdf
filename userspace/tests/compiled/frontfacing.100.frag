/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	gl_FragColor = gl_FrontFacing ? v_a : v_b.yxwz;
}
