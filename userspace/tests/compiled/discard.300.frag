#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in int v_n;
out vec4 f_out;
//! range v_n 0 9

void main()
{
	float d = dFdx(v_a.x);

	for (int i = 0; i < v_n; i++) {
		if (v_a.y + float(i) * 0.25 > 1.75)
			discard;
	}
	if ((v_n & 1) == 1 && v_a.z > 1.0)
		discard;
	f_out = vec4(d, v_a.yzw);
}
