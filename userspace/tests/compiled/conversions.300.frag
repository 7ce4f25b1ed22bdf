#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec2 v_b;
flat in uvec2 v_c;
out vec4 f_out;
//! range v_b -100000 100000
//! range v_c 0 4294967295

void main()
{
	uvec2 u = uvec2(abs(v_a.xy) * 1000.0);
	ivec2 i = ivec2(v_a.zw * -1000.0);

	f_out = vec4(vec2(u), vec2(i)) + vec4(float(v_b.x), float(v_c.x) * 0.25, float(bool(v_b.y)), float(v_c.y & 15u));
}
