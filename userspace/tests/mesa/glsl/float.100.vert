// SPDX-License-Identifier: MIT
// Float functions of a vertex shader, for float.100.frag.
attribute vec4 p, q;
varying vec4 a, b;
uniform mat4 m;
uniform mat3 n;
void main()
{
	a = m * p;
	b = vec4(n * q.xyz, dot(p, q)) + pow(abs(q), p) - sin(q) * sqrt(abs(p)) + floor(p) / fract(q + 0.1);
	gl_Position = m * p + max(p, q) * min(q, vec4(0.5)) * sign(p) + atan(p, q) + log2(abs(p));
}
