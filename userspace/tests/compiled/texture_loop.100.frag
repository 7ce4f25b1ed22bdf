/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_uv;
uniform sampler2D u_tex;
uniform vec2 u_step;

void main()
{
	vec4 c = vec4(0.0);

	for (int i = -2; i <= 2; i++)
		c += texture2D(u_tex, v_uv + float(i) * u_step) * (3.0 - abs(float(i)));
	gl_FragColor = c / 9.0;
}
