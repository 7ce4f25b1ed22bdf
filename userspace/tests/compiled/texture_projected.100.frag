/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_a;
varying vec4 v_b;
uniform sampler2D u_tex;
//! range v_a 1 3
//! range v_b 1 3

void main()
{
	gl_FragColor = texture2DProj(u_tex, v_a) + texture2DProj(u_tex, v_b) * 2.0;
}
