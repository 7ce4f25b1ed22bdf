#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { uint a_words[24]; };
layout(std430, binding = 1) buffer B { int b_words[16]; };
//! range a_words 0 4294967295
//! range b_words -1000 1000

void main()
{
	uint i = gl_LocalInvocationID.x;
	int k = b_words[i + 8u];

	uint r = atomicAdd(a_words[0], i + 1u);
	r ^= atomicAnd(a_words[1], ~(1u << i));
	r += atomicOr(a_words[2], 1u << (i * 3u));
	r ^= atomicXor(a_words[3], i * 77u);
	r += atomicMin(a_words[4], i * 1000000000u);
	r ^= atomicMax(a_words[5], i * 600000000u);
	r += atomicExchange(a_words[6], i);
	r ^= atomicCompSwap(a_words[7], 6u, 99u);
	r += uint(atomicAdd(b_words[2], 1));
	a_words[8u + i] = r;
	a_words[16u + i] = uint(atomicMin(b_words[0], k) + atomicMax(b_words[1], k));
}
