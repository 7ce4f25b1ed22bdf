/* SPDX-License-Identifier: MIT */
precision highp float;
varying vec3 v_normal;
varying vec3 v_eye;
uniform vec3 u_light;
uniform vec4 u_diffuse;
uniform vec4 u_specular;
uniform float u_shininess;
//! range u_shininess 1 8
//! tolerance 5e-5

void main()
{
	vec3 n = normalize(v_normal + vec3(0.0, 0.0, 3.0)), l = normalize(u_light + vec3(0.0, 0.0, 3.0));
	vec3 h = normalize(l + normalize(v_eye + vec3(0.0, 0.0, 3.0)));
	float d = max(dot(n, l), 0.0), s = pow(max(dot(n, h), 0.0), u_shininess);

	gl_FragColor = u_diffuse * d + u_specular * s;
}
