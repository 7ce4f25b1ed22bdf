/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform float u_n;
//! range u_n 3 6

void main()
{
	vec4 c = vec4(0.0);

	for (float y = 0.0; y < 32.0; y += 1.0) {
		if (y > u_n)
			break;
		for (float x = 0.0; x < 40.0; x += 1.0) {
			if (x > y + v_a.y)
				break;
			c.xy += vec2(x, y) * v_a.zw;
			c.z += 1.0;
		}
	}
	gl_FragColor = c;
}
