/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
uniform vec4 u_c;

void main()
{
	float sum = dot(v_a, u_c), up = ceil(v_a.x * u_c.y), part = fract(v_a.y * 2.0), down = floor(v_b.z);

	gl_FragColor = vec4(sum, up + down, part * up, ceil(sum * 0.5) + fract(v_b.w * 4.0));
}
