/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_data;
varying vec4 v_a;
varying vec3 v_b;
varying vec3 v_c;
varying vec2 v_d;
varying float v_e;
varying vec4 v_f;
//! range a_pos 1 2

void main()
{
	v_a = a_data + a_pos;
	v_b = a_data.xyz * a_pos.w;
	v_c = a_data.zxy - a_pos.xyz;
	v_d = a_data.wz * 3.0;
	v_e = dot(a_data, a_pos);
	v_f = vec4(v_b.x, v_c.y, v_d.x, v_e);
	gl_Position = a_pos;
}
