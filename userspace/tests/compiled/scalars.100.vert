/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute float a_x;
attribute float a_y;
uniform float u_k;
varying float v_a;
varying float v_b;
varying float v_c;
//! range a_pos 1 2

void main()
{
	v_a = min(a_x, a_y) * u_k + max(a_x, 0.25);
	v_b = floor(a_x * 4.0) + fract(a_y * 3.0) + abs(a_x - a_y);
	v_c = sign(a_x) + clamp(a_y, -0.5, 0.5) + step(a_x, a_y) + mod(a_x, 0.75);
	gl_Position = a_pos;
}
