#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
flat in int v_n;
flat in int v_m;
out ivec4 f_out;
//! range v_n 1 60
//! range v_m 1 60

void main()
{
	int a = v_n, b = v_m, steps = 0, n = v_n, collatz = 0;

	while (b != 0) {
		int t = a % b;

		a = b;
		b = t;
		steps++;
	}
	do {
		n = (n & 1) == 1 ? 3 * n + 1 : n >> 1;
		collatz++;
	} while (n != 1 && collatz < 120);
	f_out = ivec4(a, steps, collatz, n);
}
