/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
uniform float u_low;
uniform float u_high;
//! range u_low -1 0
//! range u_high 0 1

void main()
{
	vec4 c = min(v_a, v_b) + max(v_a, v_b.wzyx) * 0.5;

	gl_FragColor = clamp(c, u_low, u_high) + clamp(v_a, 0.0, 1.0) + max(v_b, 0.0) + clamp(v_a + v_b, -1.0, 1.0);
}
