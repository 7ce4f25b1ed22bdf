/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_data;
uniform vec4 u_limit;
varying vec4 v_out;
//! range a_pos 1 2

void main()
{
	vec4 c = a_data;

	if (a_data.x > u_limit.x)
		c = c.yzwx * 2.0;
	else if (a_data.y > u_limit.y)
		c.xy = floor(c.zw * 4.0);
	if (all(lessThan(a_data.zw, u_limit.zw)))
		c += 10.0;
	v_out = c;
	gl_Position = a_pos;
}
