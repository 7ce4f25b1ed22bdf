/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_data;
varying vec4 v_out;
//! range a_pos 1 2

void main()
{
	float list[8];

	for (int i = 0; i < 8; i++)
		list[i] = a_data.x * float(i) + a_data.y;
	for (int i = 0; i < 7; i++)
		if (list[i] > list[i + 1]) {
			float t = list[i];

			list[i] = list[i + 1];
			list[i + 1] = t;
		}
	v_out = vec4(list[0], list[3], list[6], list[7]) + a_data.zwzw;
	gl_Position = a_pos;
}
