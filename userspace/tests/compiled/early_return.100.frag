/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

vec4 pick(vec4 v)
{
	for (int i = 0; i < 4; i++) {
		if (v.x > 0.75)
			return v * float(i + 1);
		v = v.yzwx + 0.125;
	}
	return -v;
}

void main()
{
	if (v_a.w > 1.5) {
		gl_FragColor = vec4(1.0, 2.0, 3.0, 4.0);
		return;
	}
	gl_FragColor = pick(v_a);
}
