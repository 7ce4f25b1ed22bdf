/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	vec4 f = floor(v_a * 3.0) + ceil(v_b * 2.0);

	gl_FragColor = f + fract(v_a * 5.0) + mod(v_b, 0.75) + mod(v_a, vec4(1.5, 0.5, 0.25, 2.0)) + sign(v_b) * abs(v_a);
}
