#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp sampler3D;
precision highp sampler2DShadow;
precision highp samplerCubeShadow;
in vec4 v_a;
uniform sampler3D u_volume;
uniform samplerCube u_cube;
uniform sampler2DShadow u_shadow;
out vec4 f_out;
//! tolerance 1e-5
//! not vivante: Mesa 25.0.7 leaves the reference of textureLod() of a shadow map away

void main()
{
	vec4 c = texture(u_volume, v_a.xyz) + textureLod(u_volume, v_a.yzw, 1.25) * 0.5;

	c += textureLod(u_cube, v_a.zyx, 2.0) + texture(u_cube, v_a.wxy).yzwx;
	c.x += texture(u_shadow, v_a.xyz) + textureLod(u_shadow, v_a.wzy, 0.5) * 2.0;
	f_out = c;
}
