/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_data;
varying vec4 v_a;
varying vec4 v_b;
//! range a_data 0.25 3
//! range a_pos 1 2
//! tolerance 2e-5

void main()
{
	v_a = vec4(sqrt(a_data.x), inversesqrt(a_data.y), exp2(a_data.z), log2(a_data.w));
	v_b = vec4(pow(a_data.x, a_data.y), exp(a_data.z), log(a_data.w), 1.0 / a_data.x);
	gl_Position = a_pos;
}
