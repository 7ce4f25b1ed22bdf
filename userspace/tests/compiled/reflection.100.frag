/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_a;
varying vec3 v_b;
//! tolerance 2e-5

void main()
{
	vec3 n = normalize(v_b + vec3(2.5, 0.0, 0.0)), i = normalize(v_a + vec3(0.0, 3.0, 0.0));

	gl_FragColor = vec4(reflect(i, n) + refract(i, n, 0.7) + faceforward(n, i, n), 1.0);
}
