/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	vec4 c = v_a.x > v_b.x ? v_a * 2.0 : v_b - 1.0;

	c.z = v_a.w > 0.0 ? (v_b.y > 0.0 ? c.x : v_a.y) : v_b.z;
	gl_FragColor = c;
}
