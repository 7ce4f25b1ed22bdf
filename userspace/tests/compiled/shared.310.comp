#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { uint a_words[16]; };
shared uint s_words[8];
shared uint s_total;
//! range a_words 0 1000

void main()
{
	uint i = gl_LocalInvocationIndex;

	if (i == 0u)
		s_total = 5u;
	s_words[i] = a_words[i] * 2u;
	memoryBarrierShared();
	barrier();
	atomicAdd(s_total, s_words[7u - i]);
	barrier();
	a_words[8u + i] = s_words[(i + 3u) & 7u] + s_total;
}
