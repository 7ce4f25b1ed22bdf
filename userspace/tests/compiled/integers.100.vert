/* SPDX-License-Identifier: MIT */
precision highp int;
attribute vec4 a_pos;
attribute vec4 a_data;
uniform ivec4 u_n;
varying vec4 v_out;
//! range a_pos 1 2

void main()
{
	ivec4 i = ivec4(a_data * 10.0), j = i * u_n + 3;

	j.x = i.x > i.y ? j.x : -j.y;
	v_out = vec4(j) + float(i.x == i.y) + float(u_n.x >= i.z);
	gl_Position = a_pos;
}
