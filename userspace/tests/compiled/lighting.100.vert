/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec3 a_normal;
uniform mat4 u_mvp;
uniform vec4 u_lights[3];
uniform vec4 u_colours[3];
varying vec4 v_colour;
//! range a_pos 1 2
//! tolerance 2e-5

void main()
{
	vec4 c = vec4(0.1);

	for (int i = 0; i < 3; i++) {
		vec3 l = u_lights[i].xyz - a_pos.xyz * 0.25;
		float d = max(dot(normalize(l + 4.0), a_normal), 0.0);

		c += u_colours[i] * d / (1.0 + dot(l, l));
	}
	v_colour = c;
	gl_Position = u_mvp * a_pos;
}
