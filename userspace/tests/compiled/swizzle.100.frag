/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;
varying vec4 v_b;

void main()
{
	vec4 c = v_a.wzyx;

	c.yz = v_b.xx;
	c.wx += v_b.yz * v_a.xw;
	c.rgb *= v_b.bgr;
	gl_FragColor = c.zwxy + vec4(v_b.w);
}
