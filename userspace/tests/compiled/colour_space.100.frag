/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_rgb;
//! range v_rgb 0 1
//! tolerance 1e-5

vec3 hsv(vec3 c)
{
	vec4 p = mix(vec4(c.bg, -1.0, 2.0 / 3.0), vec4(c.gb, 0.0, -1.0 / 3.0), step(c.b, c.g));
	vec4 q = mix(vec4(p.xyw, c.r), vec4(c.r, p.yzx), step(p.x, c.r));
	float d = q.x - min(q.w, q.y);

	return vec3(abs(q.z + (q.w - q.y) / (6.0 * d + 0.01)), d / (q.x + 0.01), q.x);
}

void main()
{
	vec3 h = hsv(v_rgb);

	gl_FragColor = vec4(h, dot(v_rgb, vec3(0.2126, 0.7152, 0.0722)));
}
