/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_p;
//! tolerance 1e-4
//! not utgard: of the hash 11 bits leave nothing

float hash(vec2 p)
{
	p = fract(p * vec2(5.3983, 5.4427));
	p += dot(p.yx, p.xy + vec2(21.5351, 14.3137));
	return fract(p.x * p.y * 95.4337 * 0.01);
}

void main()
{
	vec2 i = floor(v_p), f = fract(v_p);
	vec2 u = f * f * (3.0 - 2.0 * f);

	gl_FragColor = vec4(mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), u.x),
				mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), u.x), u.y));
}
