/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	vec4 list[4];
	float sum = 0.0;

	for (int i = 0; i < 4; i++)
		list[i] = v_a * float(i) + float(3 - i);
	for (int i = 0; i < 3; i++) {
		vec4 t = list[i];

		list[i] = list[i + 1] * 0.5;
		list[i + 1] = t.yzwx;
		sum += list[i].x;
	}
	gl_FragColor = list[0] + list[1] * list[2] - list[3] + sum;
}
