/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
// Terms of up to 40, of which 11 bits hold halves of 1/32.
//! tolerance utgard 0.03

void main()
{
	vec4 c = vec4(0.0);

	for (int i = 0; i < 7; i++)
		c += v_a * float(i) - c.yzwx * 0.25;
	gl_FragColor = c;
}
