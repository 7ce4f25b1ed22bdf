#version 310 es
// SPDX-License-Identifier: MIT
// Buffers, atomics, images, shared memory and bit functions of GLSL ES 3.10.
precision highp int;
precision highp float;
precision highp image2D;
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer A { uint a[]; };
layout(std430, binding = 1) buffer B { ivec4 b[16]; vec3 f; int i; };
layout(binding = 0, rgba8) writeonly uniform image2D wi;
layout(binding = 1, r32f) readonly uniform image2D ri;
layout(binding = 2, offset = 4) uniform atomic_uint counter;
shared uint s[64];
shared ivec2 t;
void main()
{
	uint x = gl_GlobalInvocationID.x + gl_LocalInvocationIndex * gl_WorkGroupID.y + gl_NumWorkGroups.z;
	uint r = a[x] + atomicAdd(a[0], x) + atomicMin(a[1], x) + atomicMax(a[2], x) + atomicAnd(a[3], x) + atomicOr(a[4], x);
	r += atomicXor(a[5], x) + atomicExchange(a[6], x) + atomicCompSwap(a[7], x, r) + atomicCounterIncrement(counter);
	int k = atomicMin(i, int(x)) + atomicMax(i, -int(x));
	s[gl_LocalInvocationIndex] = r;
	atomicAdd(s[3], r);
	atomicMax(t.y, k);
	memoryBarrierShared();
	barrier();
	r += s[63u - gl_LocalInvocationIndex] + uint(t.x);
	r += uint(bitfieldExtract(k, 3, 5)) + bitfieldExtract(r, 2, 9) + bitfieldInsert(r, x, 4, 8) + bitfieldReverse(r);
	r += uint(bitCount(r) + findLSB(k) + findMSB(k) + findMSB(r));
	uint hi, lo, c;
	int shi, slo;
	umulExtended(r, x, hi, lo);
	imulExtended(k, int(x), shi, slo);
	r += uaddCarry(hi, lo, c) + c + uint(shi ^ slo);
	r += usubBorrow(r, x, c) + c + packUnorm4x8(vec4(f, 0.5)) + packSnorm4x8(vec4(f, -0.5));
	vec4 v = imageLoad(ri, ivec2(x, r)) + unpackUnorm4x8(r) + unpackSnorm4x8(x) + ldexp(vec4(f, 1.0), b[2]);
	imageStore(wi, ivec2(x, r & 255u), v * vec4(imageSize(wi), 1.0, 1.0));
	b[x & 15u] = ivec4(v) + b[(x + 1u) & 15u].wzyx;
	f.y = v.x;
	a[x] = r;
}
