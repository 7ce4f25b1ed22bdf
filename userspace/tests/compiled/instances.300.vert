#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in mat4 a_model;
in vec4 a_colour;
uniform mat4 u_view;
out vec4 v_colour;
out vec4 v_world;
//! range a_pos 1 2
//! tolerance 1e-4

void main()
{
	v_world = a_model * a_pos;
	v_colour = a_colour * 0.5 + v_world.x;
	gl_Position = u_view * v_world;
}
