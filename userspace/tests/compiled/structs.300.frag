#version 300 es
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
in vec4 v_a;
flat in ivec4 v_b;
out vec4 f_out;

struct Item {
	vec3 value;
	int count;
};

Item grow(Item i, int by)
{
	i.count += by;
	i.value *= float(i.count);
	return i;
}

void main()
{
	Item list[2] = Item[2](Item(v_a.xyz, v_b.x), Item(v_a.wzy, v_b.y));

	list[1] = grow(list[1], v_b.z);
	list[0].value += grow(list[0], 1).value;
	f_out = vec4(list[0].value + list[1].value, float(list[0].count + list[1].count));
}
