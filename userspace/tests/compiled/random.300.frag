#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in uint v_seed;
out uvec4 f_out;
//! range v_seed 0 4294967295

uint next(inout uint state)
{
	state ^= state << 13u;
	state ^= state >> 17u;
	state ^= state << 5u;
	return state * 1664525u + 1013904223u;
}

void main()
{
	uint s = v_seed | 1u, a = next(s), b = next(s);

	f_out = uvec4(a, b, next(s) >> 1u, 0u);
	f_out.w = s;
}
