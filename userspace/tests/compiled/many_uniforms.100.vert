/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
uniform mat4 u_m[4];
uniform vec4 u_k[10];
varying vec4 v_a;
//! range a_pos 1 2
//! tolerance 1e-5

void main()
{
	vec4 p = u_m[0] * a_pos * 0.125 + u_m[1] * a_pos.yzwx + u_m[2] * a_pos.zwxy + u_m[3] * a_pos.wxyz;

	v_a = p + u_k[0] * u_k[1] + u_k[2] - u_k[3] * u_k[4].x + u_k[5] + u_k[6].yxwz + u_k[7] * u_k[8] - u_k[9];
	gl_Position = a_pos;
}
