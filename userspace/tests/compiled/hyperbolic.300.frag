#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
in vec4 v_b;
out vec4 f_out;
//! range v_b 1.25 3
//! tolerance 1e-4

void main()
{
	f_out = vec4(sinh(v_a.x), cosh(v_a.y), tanh(v_a.z), asinh(v_a.w)) + vec4(acosh(v_b.x), atanh(v_a.w * 0.25), 0.0, 0.0);
}
