#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in int a_kind;
out vec4 v_out;
//! range a_pos 1 2
//! range a_kind 0 4

void main()
{
	switch (a_kind) {
	case 1:
		v_out = a_pos * 3.0;
		break;
	case 3:
		v_out = a_pos.wzyx;
		break;
	default:
		v_out = vec4(float(a_kind), a_pos.xyz);
	}
	gl_Position = a_pos;
}
