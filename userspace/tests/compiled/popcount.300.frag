#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uvec4 v_a;
out uvec4 f_out;
//! range v_a 0 4294967295

void main()
{
	uvec4 v = v_a - ((v_a >> 1u) & 0x55555555u);
	uint n = 0u, bits = v_a.x;

	v = (v & 0x33333333u) + ((v >> 2u) & 0x33333333u);
	v = ((v + (v >> 4u)) & 0x0f0f0f0fu) * 0x01010101u >> 24u;
	while (bits != 0u) {
		bits &= bits - 1u;
		n++;
	}
	f_out = v + uvec4(n, 0u, v_a.y >> 31u, 0u);
}
