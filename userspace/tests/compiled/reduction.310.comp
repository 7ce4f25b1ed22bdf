#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
precision highp float;
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { vec4 a_vectors[9]; };
shared vec4 s_vectors[8];
//! tolerance 1e-5

void main()
{
	uint i = gl_LocalInvocationIndex;

	s_vectors[i] = a_vectors[i];
	barrier();
	for (uint n = 4u; n > 0u; n >>= 1u) {
		if (i < n)
			s_vectors[i] += s_vectors[i + n] * 0.5;
		barrier();
	}
	if (i == 0u)
		a_vectors[8] = s_vectors[0] / float(gl_NumWorkGroups.x);
}
