/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	vec2 p = gl_PointCoord * 2.0 - 1.0;

	gl_FragColor = v_a * clamp(1.0 - dot(p, p) * 0.1, 0.0, 1.0);
}
