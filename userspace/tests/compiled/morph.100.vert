/* SPDX-License-Identifier: MIT */
attribute vec3 a_one;
attribute vec3 a_two;
attribute vec3 a_three;
uniform vec3 u_weights;
uniform mat4 u_mvp;
varying vec3 v_pos;
//! range a_one 1 2
//! tolerance 1e-4

void main()
{
	vec3 p = mix(a_one, a_two, clamp(u_weights.x, 0.0, 1.0));

	p += (a_three - p) * clamp(u_weights.y, 0.0, 1.0);
	v_pos = p * smoothstep(-2.0, 2.0, u_weights.z) + reflect(p, vec3(0.0, 1.0, 0.0));
	gl_Position = u_mvp * vec4(p, 1.0);
}
