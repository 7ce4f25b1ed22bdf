#version 300 es
// SPDX-License-Identifier: MIT
// Texture functions of GLSL ES 3.00, derivatives, depth and several targets.
precision highp float;
precision highp int;
precision highp sampler3D;
precision highp sampler2DShadow;
precision highp samplerCubeShadow;
precision highp sampler2DArray;
precision highp isampler2D;
precision highp usampler2D;
in vec4 a;
uniform sampler2D s;
uniform sampler3D s3;
uniform samplerCube sc;
uniform sampler2DArray sa;
uniform sampler2DShadow sh;
uniform samplerCubeShadow sch;
uniform isampler2D si;
uniform usampler2D su;
uniform float lod;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 second;
void main()
{
	vec4 r = texture(s, a.xy) + texture(s, a.xy, lod) + texture(s3, a.xyz) + texture(sc, a.xyz) + texture(sa, a.xyz);
	r += textureLod(s, a.xy, lod) + textureLod(s3, a.xyz, 1.5) + textureLod(sc, a.xyz, lod) + textureProj(s, a.xyw);
	r += textureGrad(s, a.xy, dFdx(a.zw), dFdy(a.zw)) + textureGrad(sc, a.xyz, dFdx(a.xyz), dFdy(a.xyz));
	r += texelFetch(s, ivec2(a.xy), int(lod)) + texelFetch(s3, ivec3(a.xyz), 0) + texelFetch(sa, ivec3(a.xyz), 1);
	r += textureOffset(s, a.xy, ivec2(-3, 4)) + texelFetchOffset(s, ivec2(a.zw), 0, ivec2(2, -1)) + textureLodOffset(s, a.xy, lod, ivec2(1, 2));
	r += vec4(texture(sh, a.xyz)) + vec4(texture(sch, a)) + vec4(textureLod(sh, a.xyz, 0.0)) + vec4(textureProj(sh, a));
	r += vec4(texture(si, a.xy)) + vec4(texture(su, a.xy)) + vec4(textureSize(s, int(lod)), textureSize(s3, 0).z, 1);
	r += fwidth(a) + dFdx(r) + dFdy(a.yxwz);
	gl_FragDepth = r.z;
	colour = r;
	second = r.wxyz;
}
