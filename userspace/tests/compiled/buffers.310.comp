#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { uint a_words[32]; };
layout(std430, binding = 1) buffer B { ivec4 b_vectors[16]; };
layout(std430, binding = 2) buffer C { float c_floats[24]; };
layout(std430, binding = 3) buffer D { vec2 d_pairs[8]; };
uniform ivec4 u_k;
//! range a_words 0 4294967295

void main()
{
	uint i = gl_GlobalInvocationID.x;

	a_words[i] = a_words[i + 8u] * 3u + a_words[31u - i];
	b_vectors[i] = b_vectors[15u - i].wzyx + u_k * int(i);
	c_floats[i * 2u] = c_floats[23u - i] * 0.5 + float(i);
	d_pairs[i] = d_pairs[i].yx * 2.0;
}
