/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec2 v_a;
uniform vec2 u_size;
//! range gl_FragCoord 0 64
//! range u_size 16 64

void main()
{
	vec2 p = gl_FragCoord.xy / u_size;

	gl_FragColor = vec4(fract(p * 4.0) + v_a, gl_FragCoord.z, 1.0);
}
