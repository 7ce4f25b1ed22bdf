/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform mat4 u_m[3];
uniform vec4 u_k[8];

void main()
{
	vec4 c = u_m[0] * v_a + u_m[1] * v_a.yzwx - u_m[2] * v_a.wzyx;

	gl_FragColor = c * 0.25 + u_k[0] - u_k[1] * u_k[2] + u_k[3] * u_k[4].x - u_k[5] + u_k[6].wzyx + u_k[7];
}
