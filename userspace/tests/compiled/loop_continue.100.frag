/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
//! not utgard: 11 bits hold the product to 1/16, and its fraction is another

void main()
{
	vec4 c = vec4(1.0);

	for (int i = 0; i < 40; i++) {
		if (fract(float(i) * v_a.x) > 0.5)
			continue;
		c += v_a * 0.125;
		if (c.y > 6.0)
			break;
	}
	gl_FragColor = c;
}
