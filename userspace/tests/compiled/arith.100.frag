/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
uniform vec4 u_c;

void main()
{
	vec4 q = v_a * u_c - v_b;

	gl_FragColor = -q + v_a / (abs(v_b) + 1.0) - u_c * (v_b - 0.25);
}
