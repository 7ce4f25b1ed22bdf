/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_c;
//! tolerance 1e-4
//! not utgard: in 11 bits points leave after another number of steps

void main()
{
	vec2 z = vec2(0.0);
	float n = 0.0;

	for (int i = 0; i < 24; i++) {
		if (dot(z, z) > 4.0)
			break;
		z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + v_c;
		n += 1.0;
	}
	gl_FragColor = vec4(n, n < 24.0 ? 1.0 : 0.0, n * 0.5, 1.0);
}
