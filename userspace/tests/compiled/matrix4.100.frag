/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform mat4 u_m;
uniform mat4 u_n;
//! tolerance 1e-5

void main()
{
	mat4 m = u_m * u_n;
	mat3 small = mat3(m[0].xyz, m[1].yzw, m[2].zwx);

	gl_FragColor = m * v_a + vec4(small * v_a.xyz, v_a.w) + mat4(2.0) * v_a;
}
