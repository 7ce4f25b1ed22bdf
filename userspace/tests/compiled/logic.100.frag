/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform float u_t;

void main()
{
	bool p = v_a.x > 0.0, q = v_a.y < u_t, r = v_a.z >= 0.5;

	gl_FragColor = vec4(p && q, p || !r, p ^^ q, (p && !q) || (r && q));
}
