#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_p;
uniform sampler2D u_tex;
out vec4 f_out;
//! range v_p 0 100
//! not vivante: Mesa 25.0.7 has no texelFetch() for it

void main()
{
	f_out = texelFetch(u_tex, v_p.xy, 0) + texelFetch(u_tex, v_p.zw * 2, 3).wyxz;
}
