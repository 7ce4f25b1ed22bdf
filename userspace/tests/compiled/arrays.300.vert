#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in float a_which;
const vec2 CORNERS[4] = vec2[4](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(-1.0, 1.0), vec2(1.0, 1.0));
out vec2 v_corner;
out vec3 v_sum;
//! range a_pos 1 2
//! range a_which 0 3.9

void main()
{
	vec3 list[4] = vec3[4](a_pos.xyz, a_pos.yzw, a_pos.zwx, a_pos.wxy);

	v_corner = CORNERS[int(a_which)];
	v_sum = vec3(0.0);
	for (int i = 0; i < list.length(); i++)
		v_sum += list[i] * float(i + 1);
	gl_Position = a_pos;
}
