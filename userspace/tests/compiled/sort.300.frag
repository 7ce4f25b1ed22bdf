#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
in vec4 v_b;
out vec4 f_out;

void main()
{
	float list[8] = float[8](v_a.x, v_a.y, v_a.z, v_a.w, v_b.x, v_b.y, v_b.z, v_b.w);

	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 7 - i; j++)
			if (list[j] > list[j + 1]) {
				float t = list[j];

				list[j] = list[j + 1];
				list[j + 1] = t;
			}
	f_out = vec4(list[0], list[2], list[5], list[7]);
}
