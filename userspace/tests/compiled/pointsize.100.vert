/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute float a_size;
uniform float u_scale;
varying vec4 v_a;
//! range a_pos 1 2

void main()
{
	gl_PointSize = 4.0;
	v_a = vec4(a_size * u_scale, a_pos.zyx);
	gl_Position = a_pos;
}
