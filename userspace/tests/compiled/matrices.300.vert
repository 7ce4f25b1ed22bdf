#version 300 es
/* SPDX-License-Identifier: MIT */
in vec4 a_pos;
in mat2 a_turn;
uniform mat3 u_frame;
uniform mat4 u_view;
out vec3 v_normal;
out vec2 v_turned;
//! range a_pos 1 2
//! tolerance 1e-4

void main()
{
	v_normal = transpose(inverse(u_frame * 0.125 + mat3(2.0))) * a_pos.xyz;
	v_turned = (a_turn * transpose(a_turn))[1];
	gl_Position = u_view * a_pos;
}
