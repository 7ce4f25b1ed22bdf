/* SPDX-License-Identifier: MIT */
/* Layout of vertex URB entries in a geometry shader's payload; see vue.h. */
#include "tool/vue.h"

#define SLOTS_PER_UNIT	2
#define DWORDS		8

bool vue_valid(const struct vue_layout *l)
{
	if (l->mode != VUE_SIMD4X2 && l->mode != VUE_SIMD8)
		return false;
	if (l->read_length < 1 || l->read_length > VUE_MAX_READ_LENGTH)
		return false;
	/* points, lines, triangles, and the two with adjacency */
	return l->vertices >= 1 && l->vertices <= 6 && l->vertices != 5;
}

unsigned int vue_primitives(const struct vue_layout *l)
{
	return l->mode == VUE_SIMD8 ? 8 : 2;
}

unsigned int vue_slots(const struct vue_layout *l)
{
	return l->read_length * SLOTS_PER_UNIT;
}

/* A slot takes one register in SIMD4x2, and one per component in SIMD8. */
static unsigned int slot_registers(const struct vue_layout *l)
{
	return l->mode == VUE_SIMD8 ? 4 : 1;
}

unsigned int vue_registers(const struct vue_layout *l)
{
	return slot_registers(l) * vue_slots(l) * l->vertices;
}

bool vue_place(const struct vue_layout *l, unsigned int primitive, unsigned int vertex,
	       unsigned int slot, unsigned int component, struct vue_place *place)
{
	unsigned int reg;

	if (primitive >= vue_primitives(l) || vertex >= l->vertices || slot >= vue_slots(l) ||
	    component >= 4)
		return false;
	reg = (vertex * vue_slots(l) + slot) * slot_registers(l);
	if (l->mode == VUE_SIMD8) {
		place->reg = l->first + reg + component;
		place->dword = primitive;
	} else {
		place->reg = l->first + reg;
		place->dword = primitive * 4 + component;
	}
	return true;
}

bool vue_find(const struct vue_layout *l, struct vue_place place, unsigned int *primitive,
	      unsigned int *vertex, unsigned int *slot, unsigned int *component)
{
	unsigned int reg = place.reg - l->first, n = slot_registers(l);

	if (place.reg < l->first || reg >= vue_registers(l) || place.dword >= DWORDS)
		return false;
	*vertex = reg / n / vue_slots(l);
	*slot = reg / n % vue_slots(l);
	*component = l->mode == VUE_SIMD8 ? reg % n : place.dword % 4;
	*primitive = l->mode == VUE_SIMD8 ? place.dword : place.dword / 4;
	return true;
}

unsigned int vue_control_bits(const struct vue_control *c)
{
	if (c->points)
		return c->streams ? 2 : 0;
	return c->ends_primitives ? 1 : 0;
}

unsigned int vue_control_header_bits(const struct vue_control *c)
{
	return c->max_vertices * vue_control_bits(c);
}

unsigned int vue_control_header_units(const struct vue_control *c)
{
	return (vue_control_header_bits(c) + 255) / 256;
}

struct vue_end vue_thread_end(int static_vertices, const enum vue_insn *insns, unsigned int count)
{
	/* The header, and with it the number of vertices if nobody knows it before. */
	struct vue_end end = { -1, static_vertices < 0 ? 2 : 1 };

	if (static_vertices < 0)
		return end;
	while (count--) {
		if (insns[count] == VUE_URB_WRITE)
			return (struct vue_end){ (int)count, 0 };
		if (insns[count] != VUE_PLAIN)
			break;
	}
	return end;
}
