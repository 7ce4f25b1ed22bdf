/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	bvec4 l = lessThan(v_a, v_b), g = greaterThanEqual(v_a, v_b.wzyx);
	float s = 0.0;

	if (any(l))
		s += 1.0;
	if (all(g))
		s += 2.0;
	if (any(not(lessThanEqual(v_a, v_b * 2.0))))
		s += 4.0;
	if (all(greaterThan(v_a.xy, v_b.xy - 3.0)))
		s += 8.0;
	gl_FragColor = vec4(l) * 0.5 + vec4(g) + s;
}
