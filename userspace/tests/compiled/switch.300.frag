#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in int v_kind;
in vec4 v_a;
out vec4 f_out;
//! range v_kind 0 5

void main()
{
	vec4 c = v_a;

	switch (v_kind) {
	case 0:
		c *= 2.0;
		break;
	case 1:
		c += 1.0;
	case 2:
		c = c.wzyx;
		break;
	case 4:
		c = -c;
		break;
	default:
		c = vec4(float(v_kind));
	}
	f_out = c;
}
