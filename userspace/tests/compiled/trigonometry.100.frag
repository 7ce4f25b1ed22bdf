/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	gl_FragColor = vec4(sin(v_a.x), cos(v_a.y), tan(v_a.z * 0.5), radians(v_a.w * 90.0) + degrees(v_a.x) * 0.01);
}
