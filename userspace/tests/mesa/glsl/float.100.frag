// SPDX-License-Identifier: MIT
// Every float function of GLSL ES 1.00.
precision highp float;
varying vec4 a, b;
uniform vec4 u[4];
uniform float s;
void main()
{
	vec4 r = sin(a) + cos(b) + tan(a.yzwx) + asin(a) + acos(b) + atan(a, b) + atan(a);
	r += pow(abs(a), b) + exp(a) + log(abs(b)) + exp2(a) + log2(abs(b)) + sqrt(abs(a)) + inversesqrt(abs(b));
	r += abs(a) - sign(b) + floor(a) + ceil(b) + fract(a) + mod(a, b) + mod(b, 3.0) + min(a, b) + max(a, s);
	r += clamp(a, -b, b) + clamp(a, 0.0, 1.0) + mix(a, b, s) + step(a, b) + smoothstep(a, b, u[1]);
	r.x += length(a) + distance(a, b) + dot(a.xyz, b.xyz) + dot(a.xy, b.zw) + dot(a, b);
	r.xyz += cross(a.xyz, b.xyz) + normalize(b.xyz) + faceforward(a.xyz, b.xyz, u[2].xyz);
	r.xyz += reflect(a.xyz, b.xyz) + refract(a.xyz, b.xyz, 0.7);
	r *= vec4(lessThan(a, b)) + vec4(greaterThanEqual(a, u[3])) + vec4(equal(a, b)) + vec4(notEqual(a, b));
	if (any(lessThan(a, b)) && all(greaterThan(a.xy, b.xy)) || !any(equal(r, a)))
		r = r.wzyx * mat4(u[0], u[1], u[2], u[3]);
	gl_FragColor = r / b;
}
