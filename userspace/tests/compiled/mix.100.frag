/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
uniform vec4 u_t;
//! range u_t 0 1

void main()
{
	vec4 c = mix(v_a, v_b, u_t);

	c.xy = mix(c.xy, v_b.zw, u_t.x);
	gl_FragColor = c + step(0.25, v_a) * smoothstep(-1.0, 1.5, v_b);
}
