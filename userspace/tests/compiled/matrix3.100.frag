/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_a;
uniform mat3 u_m;
uniform mat3 u_n;
//! tolerance 1e-5

void main()
{
	mat3 m = matrixCompMult(u_m, u_n) - u_n * 0.5;

	gl_FragColor = vec4(u_m * (u_n * v_a) + v_a * m, m[2][0] + m[1].z);
}
