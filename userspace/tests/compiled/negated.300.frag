#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
out vec4 f_out;
//! range v_a -1000 1000

/* Compilers fold the sign into the conversion: the float's, not the integer's. */
void main()
{
	f_out = vec4(vec2(ivec2(-v_a.xy)), float(uint(abs(v_a.z))), float(int(-abs(v_a.w))));
}
