/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

float poly(float x)
{
	return (x * 0.5 + 1.0) * x - 0.25;
}

vec3 twice(vec3 v, float f)
{
	if (f > 0.0)
		return v * 2.0;
	return v - f;
}

void split(in vec4 v, out vec2 low, out vec2 high, inout float sum)
{
	low = v.xy;
	high = v.zw * sum;
	sum += v.x;
}

void main()
{
	float s = poly(v_a.x);
	vec2 p, q;

	split(v_a, p, q, s);
	gl_FragColor = vec4(twice(vec3(p, s), v_a.y), poly(q.x) + q.y);
}
