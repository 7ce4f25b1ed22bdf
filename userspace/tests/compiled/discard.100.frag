/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	if (v_a.x < 0.0)
		discard;
	gl_FragColor = v_a * 2.0;
}
