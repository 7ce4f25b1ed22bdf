/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
//! tolerance 1e-4
// Terms of up to 40, of which 11 bits hold halves of 1/32.
//! tolerance utgard 0.01

void main()
{
	vec4 c[16];
	vec4 sum = vec4(0.0);

	for (int i = 0; i < 16; i++)
		c[i] = sin(v_a * (float(i) * 0.25 + 1.0)) + v_b.yzwx * float(i);
	for (int i = 0; i < 16; i++)
		sum += c[i].wzyx * c[15 - i] * 0.0625;
	for (int i = 0; i < 16; i++)
		sum += c[i] * 0.125;
	gl_FragColor = sum;
}
