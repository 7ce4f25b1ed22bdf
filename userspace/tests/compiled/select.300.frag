#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
in vec4 v_b;
out vec4 f_out;

void main()
{
	bvec4 p = lessThan(v_a, v_b);
	vec4 c = mix(v_a, v_b, p);

	c.xy = mix(c.zw, c.xy, bvec2(p.w, p.z));
	f_out = c + vec4(p) * 10.0;
}
