/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_a;
attribute vec4 a_b;
varying vec4 v_out;
//! range a_pos 1 2

void main()
{
	vec4 c = vec4(greaterThan(a_a, a_b));

	c = c * a_a + (1.0 - c) * a_b;
	c.w = a_a.w == a_b.w ? 1.0 : a_a.x < 0.0 ? c.y : c.z;
	v_out = c;
	gl_Position = a_pos;
}
