/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
uniform float u_count;
varying vec4 v_sum;
//! range u_count 2 9
//! range a_pos 1 2

void main()
{
	vec4 s = a_pos;

	for (float i = 0.0; i < 16.0; i += 1.0) {
		if (i >= u_count + a_pos.x)
			break;
		s += a_pos.yzwx * i * 0.125;
	}
	v_sum = s;
	gl_Position = a_pos;
}
