/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	vec4 c = v_a;

	for (int i = 0; i < 5; i++) {
		c = c * 0.75 + 0.25;
		if (c.x + c.y > 2.0)
			discard;
	}
	if (v_a.z > 1.25)
		discard;
	gl_FragColor = c;
}
