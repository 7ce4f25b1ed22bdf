#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
uniform sampler2D u_tex;
uniform sampler2D u_other;
uniform float u_level;
out vec4 f_out;

void main()
{
	vec4 c = texture(u_tex, v_a.xy) + textureLod(u_other, v_a.zw, 2.5);

	c += textureLod(u_tex, c.xy, u_level) * 0.5;
	f_out = c + textureLod(u_other, v_a.yx, v_a.w).wzyx;
}
