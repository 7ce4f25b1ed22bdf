/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
varying vec4 v_a;

void main()
{
	bool p = bool(floor(v_a.x));
	int n = int(p) + int(v_a.y * 4.0);
	ivec2 m = ivec2(v_a.zw * 8.0);

	gl_FragColor = vec4(float(p), float(n), vec2(m)) + vec4(bvec4(n, m, 1));
}
