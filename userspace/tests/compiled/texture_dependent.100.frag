/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec4 v_uv;
uniform sampler2D u_tex;
uniform sampler2D u_map;
uniform float u_scale;

void main()
{
	vec2 where = texture2D(u_map, v_uv.xy).xy * u_scale;
	vec4 c = texture2D(u_tex, where + v_uv.zw);

	if (c.x > 0.0)
		c += texture2D(u_tex, c.yx);
	gl_FragColor = c;
}
