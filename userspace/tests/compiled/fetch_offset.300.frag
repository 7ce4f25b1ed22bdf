#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in ivec4 v_p;
uniform sampler2D u_tex;
out vec4 f_out;
//! range v_p 10 60
//! not vivante: Mesa 25.0.7 has no texelFetch() for it

void main()
{
	f_out = texelFetchOffset(u_tex, v_p.xy, 1, ivec2(-3, 2)) + texelFetchOffset(u_tex, v_p.zw, 0, ivec2(7, -8)) * 2.0;
}
