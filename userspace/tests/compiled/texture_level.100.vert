/* SPDX-License-Identifier: MIT */
attribute vec4 a_pos;
attribute vec4 a_at;
uniform sampler2D u_map;
uniform samplerCube u_cube;
varying vec4 v_out;
//! range a_pos 1 2
//! not utgard: vertex shaders have no textures

void main()
{
	v_out = texture2DLod(u_map, a_at.xy, a_at.z) + textureCubeLod(u_cube, a_at.wzy, 3.0).yzxw;
	gl_Position = a_pos;
}
