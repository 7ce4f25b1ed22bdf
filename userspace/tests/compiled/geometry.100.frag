/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_a;
varying vec3 v_b;
uniform vec3 u_c;
//! tolerance 1e-5

void main()
{
	float d = dot(v_a, v_b) + length(v_a - u_c) + distance(v_b, u_c);

	gl_FragColor = vec4(cross(v_a, v_b) + normalize(v_b + 3.0) * d, dot(v_a.xy, v_b.yz));
}
