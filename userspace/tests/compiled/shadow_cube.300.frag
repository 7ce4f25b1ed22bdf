#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp samplerCubeShadow;
precision highp sampler2DShadow;
in vec4 v_a;
uniform samplerCubeShadow u_shadow;
uniform sampler2DShadow u_flat;
out vec4 f_out;

void main()
{
	f_out = vec4(texture(u_shadow, v_a), texture(u_flat, v_a.wzy), v_a.xy);
}
