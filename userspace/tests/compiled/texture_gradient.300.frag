#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
in vec4 v_a;
in vec4 v_b;
uniform sampler2D u_map;
uniform samplerCube u_cube;
out vec4 f_out;

void main()
{
	vec4 sum = textureGrad(u_map, v_a.xy, v_b.xy, v_b.zw) + textureGrad(u_cube, v_a.zyx, v_b.xyz, v_b.wzy).zxyw;

	f_out = vec4(sum.xyz, 1.0);
}
