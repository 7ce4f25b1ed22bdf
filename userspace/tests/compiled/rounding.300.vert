#version 300 es
/* SPDX-License-Identifier: MIT */
in vec4 a_pos;
in vec4 a_data;
out vec4 v_a;
out vec4 v_b;
//! range a_pos 1 2
//! tolerance 1e-5

void main()
{
	v_a = vec4(trunc(a_data.x * 3.0), roundEven(a_data.y * 2.0), ceil(a_data.z), floor(a_data.w * 5.0));
	v_b = vec4(tanh(a_data.x), float(isnan(a_data.y)), sign(a_data.z), mod(a_data.w, 0.75));
	gl_Position = a_pos;
}
