/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_uv;
uniform sampler2D u_tex;
uniform sampler2D u_other;

void main()
{
	gl_FragColor = texture2D(u_tex, v_uv) * 0.5 + texture2D(u_other, v_uv.yx + 0.25).zyxw;
}
