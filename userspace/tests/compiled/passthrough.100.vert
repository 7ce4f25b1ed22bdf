/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_colour;
varying vec4 v_colour;
//! range a_pos 1 2

void main()
{
	gl_Position = a_pos;
	v_colour = a_colour;
}
