/* SPDX-License-Identifier: MIT */
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v_a;
varying vec3 v_b;
//! tolerance 1e-5

void main()
{
	vec3 n = cross(dFdx(v_b), dFdy(v_b));

	gl_FragColor = dFdx(v_a * 2.0) + fwidth(v_a) + vec4(n, dFdy(v_a.x));
}
