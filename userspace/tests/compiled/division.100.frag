/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
varying vec4 v_a;
uniform int u_n;
//! range u_n 2 7
//! not utgard: it divides in float

void main()
{
	int a = int(v_a.x * 100.0), b = int(abs(v_a.y) * 20.0) + 1;

	gl_FragColor = vec4(float(a / b), float(a - a / u_n * u_n), float(b / u_n), float(-a / 3));
}
