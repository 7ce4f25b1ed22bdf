/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	vec4 c = v_a;
	float n = 0.0;

	for (int i = 0; i < 50; i++) {
		if (c.x > 30.0 + v_a.w)
			break;
		c.x = abs(c.x) * 1.25 + 0.5;
		n += 1.0;
	}
	gl_FragColor = vec4(c.x, n, c.zw);
}
