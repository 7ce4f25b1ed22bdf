/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
//! range v_b 0.1 4
//! tolerance 1e-5

void main()
{
	gl_FragColor = vec4(exp(v_a.x), exp2(v_a.y), log(v_b.x), log2(v_b.y)) + vec4(pow(v_b.z, v_a.z), pow(v_b.w, 2.5), 0.0, 0.0);
}
