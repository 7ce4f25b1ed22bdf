/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_weights;
attribute vec4 a_bones;
uniform vec4 u_bones[12];
varying vec4 v_pos;
//! range a_bones 0 3.9
//! range a_weights 0 1
//! range a_pos 1 2
//! not utgard: Mesa's GP scheduler finds no place for a node

void main()
{
	vec4 p = vec4(0.0, 0.0, 0.0, 1.0);

	for (int i = 0; i < 4; i++) {
		int b = int(a_bones[i]) * 3;

		p.x += dot(u_bones[b], a_pos) * a_weights[i];
		p.y += dot(u_bones[b + 1], a_pos) * a_weights[i];
		p.z += dot(u_bones[b + 2], a_pos) * a_weights[i];
	}
	v_pos = p;
	gl_Position = p;
}
