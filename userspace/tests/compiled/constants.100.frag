/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
const float SCALE = 3.1415926;
const vec4 OFFSET = vec4(0.1, 0.2, 0.3, 0.4);
const mat2 TURN = mat2(0.8, 0.6, -0.6, 0.8);

void main()
{
	gl_FragColor = v_a * SCALE + OFFSET * vec4(1.0, 1e3, -1e-3, 12345.0) + vec4(TURN * v_a.zw, TURN[1]);
}
