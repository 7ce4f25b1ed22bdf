/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec2 v_b;
//! range v_a -1 1
//! tolerance 5e-4

void main()
{
	gl_FragColor = vec4(asin(v_a.x), acos(v_a.y), atan(v_a.z * 3.0), atan(v_b.x, v_b.y));
}
