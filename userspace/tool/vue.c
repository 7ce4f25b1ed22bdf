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

static uint64_t plain_index(const struct vue_layout *l, unsigned int primitive, unsigned int vertex,
			    unsigned int slot, unsigned int component)
{
	return ((uint64_t)(primitive * l->vertices + vertex) * vue_slots(l) + slot) * 4 + component;
}

/* Each register dword is one component of the inputs, so one walk over them does either way. */
static void convert(const struct vue_layout *l, uint32_t *data, uint32_t *regs, bool to_registers)
{
	unsigned int p, v, s, c;
	struct vue_place at;

	for (at.reg = l->first; at.reg < l->first + vue_registers(l); at.reg++)
		for (at.dword = 0; at.dword < DWORDS; at.dword++) {
			uint32_t *reg = &regs[(at.reg - l->first) * DWORDS + at.dword];
			uint32_t *plain;

			vue_find(l, at, &p, &v, &s, &c);
			plain = &data[plain_index(l, p, v, s, c)];
			if (to_registers)
				*reg = *plain;
			else
				*plain = *reg;
		}
}

void vue_to_registers(const struct vue_layout *l, const uint32_t *data, uint32_t *regs)
{
	convert(l, (uint32_t *)data, regs, true);
}

void vue_from_registers(const struct vue_layout *l, const uint32_t *regs, uint32_t *data)
{
	convert(l, data, (uint32_t *)regs, false);
}

/* The SIMD4x2 register dword, in its thread, that a SIMD8 dword corresponds to. */
static uint32_t half_index(const struct vue_layout *simd8, struct vue_place at, unsigned int *thread)
{
	struct vue_layout half = *simd8;
	unsigned int p, v, s, c;
	struct vue_place there;

	half.mode = VUE_SIMD4X2;
	vue_find(simd8, at, &p, &v, &s, &c);
	*thread = p / 2;
	vue_place(&half, p % 2, v, s, c, &there);
	return (there.reg - half.first) * DWORDS + there.dword;
}

void vue_simd4x2_to_simd8(const struct vue_layout *simd8, const uint32_t *const in[4], uint32_t *out)
{
	unsigned int i, thread, n = vue_registers(simd8) * DWORDS;

	for (i = 0; i < n; i++) {
		struct vue_place at = { simd8->first + i / DWORDS, i % DWORDS };
		uint32_t from = half_index(simd8, at, &thread);

		out[i] = in[thread][from];
	}
}

void vue_simd8_to_simd4x2(const struct vue_layout *simd8, const uint32_t *in, uint32_t *const out[4])
{
	unsigned int i, thread, n = vue_registers(simd8) * DWORDS;

	for (i = 0; i < n; i++) {
		struct vue_place at = { simd8->first + i / DWORDS, i % DWORDS };
		uint32_t to = half_index(simd8, at, &thread);

		out[thread][to] = in[i];
	}
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
