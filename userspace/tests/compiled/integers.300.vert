#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp int;
in vec4 a_pos;
in ivec4 a_data;
in uvec2 a_more;
flat out ivec4 v_a;
flat out uvec2 v_b;
//! range a_pos 1 2
//! range a_data -1000 1000
//! range a_more 0 4294967295

void main()
{
	v_a = (a_data * a_data.wzyx) >> 2;
	v_b = a_more ^ (a_more.yx << 7u);
	gl_Position = a_pos;
}
