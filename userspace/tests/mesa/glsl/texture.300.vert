#version 300 es
// SPDX-License-Identifier: MIT
// For texture.300.frag: textures in a vertex shader.
precision highp float;
in vec4 p;
out vec4 a;
uniform sampler2D s;
uniform highp isampler2D si;
void main()
{
	a = p + textureLod(s, p.xy, p.z) + texelFetch(s, ivec2(p.xy), 1) + vec4(texelFetch(si, ivec2(p.zw), 0));
	gl_Position = p;
}
