#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
uniform sampler2D u_list[3];
out vec4 f_out;

void main()
{
	f_out = texture(u_list[0], v_a.xy) + texture(u_list[2], v_a.zw) * 2.0 - texture(u_list[1], v_a.yz).yxwz;
}
