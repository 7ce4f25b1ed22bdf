#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
uniform sampler2D u_heights;
out vec4 v_out;
//! range a_pos 1 2
//! not vivante: Mesa 25.0.7 has no texelFetch() for it

void main()
{
	vec4 h = textureLod(u_heights, a_pos.xy, 1.5);

	v_out = h + texelFetch(u_heights, ivec2(a_pos.zw * 8.0), 2);
	gl_Position = a_pos;
}
