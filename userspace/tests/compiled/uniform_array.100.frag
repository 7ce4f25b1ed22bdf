/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
uniform vec4 u_list[6];
uniform float u_weights[5];
uniform vec2 u_pairs[3];

void main()
{
	vec4 c = u_list[0] * v_a + u_list[5] * u_weights[3];

	for (int i = 1; i < 5; i++)
		c += u_list[i] * u_weights[i] * v_a.wzyx;
	gl_FragColor = c + vec4(u_pairs[1], u_pairs[2].yx);
}
