/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_uv;
varying float v_bias;
uniform sampler2D u_tex;

void main()
{
	gl_FragColor = texture2D(u_tex, v_uv, 1.5) + texture2D(u_tex, v_uv * 2.0, v_bias) * 2.0;
}
