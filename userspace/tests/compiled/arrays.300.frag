#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in int v_i;
const float WEIGHTS[5] = float[5](0.1, 0.25, 0.3, 0.25, 0.1);
out vec4 f_out;
//! range v_i 0 4

void main()
{
	vec2 list[3] = vec2[3](v_a.xy, v_a.zw, v_a.yz);
	float sum = 0.0;

	for (int i = 0; i < 5; i++)
		sum += WEIGHTS[i] * v_a[i % 4];
	f_out = vec4(list[v_i % 3], sum, WEIGHTS[v_i]);
}
