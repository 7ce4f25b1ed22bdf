/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;
varying vec3 v_c;
varying vec2 v_d;
varying float v_e;
varying vec4 v_f;

void main()
{
	gl_FragColor = v_a + v_b.wzyx * v_e + vec4(v_c, v_d.x) - vec4(v_d.y, v_f.xyz) * v_f.w;
}
