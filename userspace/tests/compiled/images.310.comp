#version 310 es
/* SPDX-License-Identifier: MIT */
precision highp int;
precision highp float;
layout(local_size_x = 8) in;
layout(rgba32f, binding = 0) readonly uniform highp image2D u_from;
layout(rgba32f, binding = 1) writeonly uniform highp image2D u_to;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);

	for (int y = 0; y < 8; y++)
		imageStore(u_to, ivec2(p.x, y), imageLoad(u_from, ivec2(y, p.x)).wzyx + float(y));
}
