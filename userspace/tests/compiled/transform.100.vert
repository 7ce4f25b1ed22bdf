/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec3 a_normal;
uniform mat4 u_model;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform mat3 u_normal;
varying vec3 v_normal;
varying vec4 v_world;
//! tolerance 1e-4

void main()
{
	v_world = u_model * a_pos;
	v_normal = u_normal * a_normal;
	gl_Position = u_projection * u_view * v_world;
}
