/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute mat3 a_frame;
attribute vec2 a_uv;
attribute float a_scale;
attribute vec3 a_colour;
varying vec3 v_turned;
varying vec4 v_rest;
//! range a_pos 1 2

void main()
{
	v_turned = a_frame * a_colour;
	v_rest = vec4(a_uv * a_scale, a_frame[1].yz);
	gl_Position = a_pos;
}
