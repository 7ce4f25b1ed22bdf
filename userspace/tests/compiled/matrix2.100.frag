/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform mat2 u_m;
uniform mat2 u_n;

void main()
{
	mat2 m = u_m * u_n;

	m[1] += v_a.zw;
	m[0][1] = v_a.x;
	gl_FragColor = vec4(m * v_a.xy, v_a.yz * u_n);
}
