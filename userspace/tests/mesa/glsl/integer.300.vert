#version 300 es
// SPDX-License-Identifier: MIT
// What a vertex shader of GLSL ES 3.00 is given: integers, instances, uniform blocks, arrays.
in vec4 p;
in ivec4 n;
in uvec2 w;
flat out ivec4 i;
flat out uvec4 v;
out vec4 a;
uniform B { mat4 m[4]; vec4 bias; ivec4 steps[3]; } block;
void main()
{
	vec4 q = block.m[gl_InstanceID & 3] * p + block.bias * float(gl_VertexID);
	i = n + block.steps[n.x & 1] * int(w.x);
	v = uvec4(w, w.x << w.y, uint(gl_VertexID));
	a = q.wzyx * 0.25 + vec4(transpose(block.m[1])[2]);
	gl_Position = q;
	gl_PointSize = 4.0;
}
