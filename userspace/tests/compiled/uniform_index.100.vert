/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute float a_index;
uniform vec4 u_list[8];
uniform mat4 u_turns[3];
varying vec4 v_a;
varying vec4 v_b;
//! range a_index 0 2.9
//! range a_pos 1 2

void main()
{
	int i = int(a_index);

	v_a = u_list[i * 2] + u_list[i + 3].wzyx;
	v_b = u_turns[i] * a_pos;
	gl_Position = a_pos;
}
