/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_rotation;
varying vec3 v_turned;
//! range a_pos 1 2
//! tolerance 1e-5
// Mesa's lower_sincos is made of two parabolas and 0.001 off (nir_opt_algebraic.py names their source).
//! tolerance utgard 0.002

vec3 turn(vec4 q, vec3 v)
{
	return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void sincos(float x, out float s, out float c)
{
	s = sin(x);
	c = cos(x);
}

void main()
{
	float s, c;

	sincos(a_rotation.x, s, c);
	v_turned = turn(normalize(a_rotation + vec4(0.0, 0.0, 0.0, 3.0)), a_pos.xyz) * s - c;
	gl_Position = a_pos;
}
