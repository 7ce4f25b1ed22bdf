/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
//! range v_a 0.1 8

void main()
{
	gl_FragColor = vec4(sqrt(v_a.x), inversesqrt(v_a.y), sqrt(v_a.zw * v_a.xy));
}
