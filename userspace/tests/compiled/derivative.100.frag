/* SPDX-License-Identifier: MIT */
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v_a;

void main()
{
	vec2 d = dFdx(v_a.xy) + dFdy(v_a.zw) * 2.0;

	gl_FragColor = vec4(d, dFdx(v_a.x * v_a.y), fwidth(v_a.w));
}
