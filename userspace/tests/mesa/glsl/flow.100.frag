// SPDX-License-Identifier: MIT
// Branches, loops, discard, what a fragment is given, arrays and indices that vary.
precision mediump float;
varying vec4 a;
varying vec2 t;
uniform sampler2D s;
uniform samplerCube c;
uniform int n;
uniform vec4 u[8];
void main()
{
	vec4 r = gl_FragCoord * 0.01 + vec4(gl_PointCoord, 0.0, 1.0);
	vec4 list[4];
	for (int i = 0; i < 4; i++)
		list[i] = a * float(i);
	for (int i = 0; i < 12; i++) {
		if (i == n)
			break;
		if (r.x > 4.0)
			continue;
		r += u[i - i / 8 * 8] * texture2D(s, t + r.xy);
		for (int k = 0; k < 3; k++) {
			if (r.y < float(k))
				break;
			r.y -= list[k].x;
		}
	}
	if (r.w < 0.25)
		discard;
	if (gl_FrontFacing)
		r = textureCube(c, r.xyz) + texture2DProj(s, a.xyw) + texture2D(s, t, 1.5);
	else if (n > 3)
		r = r.yxwz * list[n - 4];
	gl_FragColor = r;
}
