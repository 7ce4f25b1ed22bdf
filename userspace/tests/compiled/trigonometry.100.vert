/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
uniform float u_time;
varying vec4 v_wave;
//! range a_pos 1 2
//! tolerance 1e-5
// Mesa's lower_sincos is made of two parabolas and 0.001 off (nir_opt_algebraic.py names their source).
//! tolerance utgard 0.002

void main()
{
	vec4 p = a_pos;

	p.y += sin(p.x * 2.0 + u_time) * 0.25;
	p.z += cos(p.x - u_time);
	v_wave = vec4(sin(u_time), cos(u_time + a_pos.x), tan(a_pos.y * 0.5), p.y);
	gl_Position = p;
}
