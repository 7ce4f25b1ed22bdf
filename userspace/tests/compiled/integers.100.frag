/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
varying vec4 v_a;
uniform int u_n;
uniform ivec3 u_list;

void main()
{
	int a = int(v_a.x * 10.0), b = int(v_a.y * 10.0);
	ivec3 v = u_list * a + ivec3(b, u_n, -a);

	gl_FragColor = vec4(float(a * b - u_n), vec2(v.xz), float(v.y));
}
