/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

struct Light {
	vec3 colour;
	float power;
};

struct Pair {
	Light one;
	Light other;
};

vec3 shine(Light l, float d)
{
	return l.colour * l.power / (1.0 + d * d);
}

void main()
{
	Pair p;

	p.one = Light(v_a.xyz, v_a.w);
	p.other = p.one;
	p.other.colour.x += v_b.y;
	if (v_b.x > 0.0)
		p.one.power *= 3.0;
	gl_FragColor = vec4(shine(p.one, v_b.z) + shine(p.other, v_b.w), p.other.power);
}
