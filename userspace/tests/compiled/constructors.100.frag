/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_a;

void main()
{
	mat3 m = mat3(v_a.x, v_a.y, v_a.z, v_a.w, 1.0, 2.0, v_a.x, v_a.y, 5.0);
	mat2 small = mat2(m);
	vec4 c = vec4(vec2(v_a), small[1]);

	gl_FragColor = c + vec4(vec3(v_a.x), 1.0) + vec4(m[2], small[0].y) + mat4(small)[3];
}
