#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
precision highp sampler3D;
flat in ivec4 v_p;
uniform sampler3D u_volume;
out vec4 f_out;
//! range v_p 0 60
//! not vivante: Mesa 25.0.7 has no texelFetch() for it

void main()
{
	f_out = texelFetch(u_volume, v_p.xyz, 0) - texelFetch(u_volume, v_p.wyx + 1, 2).zyxw;
}
