/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	gl_FragData[0] = v_a.zwxy - 0.5;
}
