/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	vec4 c = v_a;

	if (v_a.x > 0.5) {
		c = c * 3.0 + v_b;
		if (v_b.y > 0.0)
			c.x = floor(c.y);
		else
			c.yz = v_b.zx;
	} else if (v_a.x > -0.5) {
		c -= v_b * v_b;
	} else {
		c = fract(v_b);
	}
	gl_FragColor = c;
}
