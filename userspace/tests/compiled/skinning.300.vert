#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in ivec4 a_bones;
in vec4 a_weights;
uniform mat4 u_bones[4];
out vec4 v_pos;
//! range a_pos 1 2
//! range a_bones 0 3
//! range a_weights 0 1
//! tolerance 1e-5

void main()
{
	vec4 p = vec4(0.0);

	for (int i = 0; i < 4; i++)
		p += u_bones[a_bones[i]] * a_pos * a_weights[i];
	v_pos = p;
	gl_Position = a_pos;
}
