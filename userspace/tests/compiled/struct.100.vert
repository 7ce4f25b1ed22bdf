/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_data;
varying vec4 v_out;
//! range a_pos 1 2

struct Wave {
	float amplitude;
	vec2 direction;
	float phase;
};

float height(Wave w, vec2 p)
{
	return w.amplitude * fract(dot(w.direction, p) + w.phase);
}

void main()
{
	Wave list[2];

	list[0] = Wave(a_data.x, a_data.yz, 0.25);
	list[1] = Wave(0.5, a_data.wx, a_data.y);
	v_out = vec4(height(list[0], a_pos.xy), height(list[1], a_pos.zw), list[0].phase, list[1].direction.y);
	gl_Position = a_pos;
}
