/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_dir;
uniform samplerCube u_cube;

void main()
{
	gl_FragColor = textureCube(u_cube, v_dir) + textureCube(u_cube, -v_dir.zxy * 3.0).yzxw;
}
