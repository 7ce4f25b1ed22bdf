#version 300 es
// SPDX-License-Identifier: MIT
// Integers of GLSL ES 3.00 and the packing functions.
precision highp float;
precision highp int;
flat in ivec4 i;
flat in uvec4 v;
in vec4 a;
uniform ivec4 k;
uniform uvec4 m;
out vec4 colour;
void main()
{
	ivec4 r = i * k + i / k - i % (k | 1) + (i << (k & 31)) + (i >> 3) + (i ^ k) + (i & ~k) + abs(i) + sign(k);
	uvec4 q = v * m + v / (m | 1u) + v % (m | 2u) + (v << 5u) + (v >> (m & 31u)) + (v ^ m) + min(v, m) + max(v, 7u);
	r += min(i, k) + max(i, k) + clamp(i, -5, 9) + ivec4(lessThan(i, k)) + ivec4(greaterThan(v, m));
	r += ivec4(a * 100.0) + ivec4(uvec4(abs(a)) + q) + floatBitsToInt(a) + ivec4(round(a)) + ivec4(trunc(a) + roundEven(a));
	q.x += packHalf2x16(a.xy) + packSnorm2x16(a.zw) + packUnorm2x16(a.xz);
	q.y += uint(r.x == r.y ? r.z : -r.w);
	vec4 f = intBitsToFloat(r) + uintBitsToFloat(q) + vec4(i) + vec4(v);
	f.xy += unpackHalf2x16(q.x) + unpackSnorm2x16(q.y) + unpackUnorm2x16(q.z);
	f += vec4(isnan(a)) + vec4(isinf(a)) + sinh(a) + cosh(a) + tanh(a) + asinh(a) + acosh(a) + atanh(a);
	if (all(equal(i, k)) || any(lessThan(v, m)) || all(notEqual(i, r)))
		f *= determinant(mat2(a.xy, a.zw)) * inverse(mat2(a.xy, a.zw))[0].xxyy;
	switch (k.x & 3) {
	case 0: f += 1.0; break;
	case 1: f *= a; break;
	case 2: f -= a.wzyx; // falls through
	default: f = -f;
	}
	colour = f;
}
