/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	vec4 a = floor(v_a), b = floor(v_b);
	float s = a == b ? 1.0 : 0.0;

	s += a.xy != b.xy ? 2.0 : 0.0;
	s += any(equal(a, b)) ? 4.0 : 0.0;
	s += all(notEqual(a.xyz, b.xyz)) ? 8.0 : 0.0;
	s += floor(v_a.x * 0.0) == floor(v_b.y * 0.0) ? 16.0 : 0.0;
	gl_FragColor = vec4(s, a.x == b.x, a.y != b.y, a.z == a.z);
}
