// SPDX-License-Identifier: MIT
/* Vivante shaders: instructions into the form that the simulator runs. */
#include <string.h>

#include "isa/table.h"
#include "sim/vivante_internal.h"

/* GUESS: a half immediate is its 16 bits, not converted to a float. */
static uint32_t immediate(const struct isa_bits *b, unsigned int source)
{
	unsigned int v = viv_immediate_bits(b, source), kind = isa_get(b, viv_source[source].amode, 3) >> 1;

	switch (kind) {
	case VIV_IMM_FLOAT: return v << 12;
	case VIV_IMM_INT: return (uint32_t)((int32_t)(v << 12) >> 12);
	case VIV_IMM_UINT: return v;
	default: return v & 0xffff;
	}
}

static enum vivsim_source_kind source_kind(const struct vivsim_source *s)
{
	if (!s->use)
		return VIVSIM_SRC_ZERO;
	/* What looks like modes is part of an immediate's bits. */
	if (s->group == VIV_IMMEDIATE)
		return VIVSIM_SRC_IMMEDIATE;
	if (s->amode >= 1 && s->amode <= 4)
		return VIVSIM_SRC_OTHER;
	if (s->group == VIV_TEMP)
		return VIVSIM_SRC_TEMP;
	return s->group == VIV_UNIFORM0 || s->group == VIV_UNIFORM1 ? VIVSIM_SRC_UNIFORM : VIVSIM_SRC_OTHER;
}

/* The ops that plain() below knows. */
static bool is_plain(const struct vivsim_op *o)
{
	if (o->type != VIV_F32 || !o->dst_use || (o->dst_amode >= 1 && o->dst_amode <= 4) || !o->comps)
		return false;
	switch (o->op) {
	case 0x01: case 0x02: case 0x03: case 0x05: case 0x06: case 0x09: case 0x0c: case 0x73:
		return true;
	case 0x0f: case 0x10:
		return o->cond >= VIV_GT && o->cond <= VIV_NE && o->src[1].use;
	default:
		return false;
	}
}

static void decode(const uint32_t *words, struct vivsim_op *o)
{
	struct isa_bits b;

	memcpy(b.w, words, sizeof(b.w));
	o->op = viv_opcode(&b);
	o->type = viv_type(&b);
	o->cond = isa_get(&b, VIV_COND, 5);
	o->rounding = isa_get(&b, VIV_RMODE, 2);
	o->dst_use = isa_get(&b, VIV_DST_USE, 1);
	o->dst_reg = isa_get(&b, VIV_DST_REG, 7);
	o->dst_amode = isa_get(&b, VIV_DST_AMODE, 3);
	o->comps = isa_get(&b, VIV_DST_COMPS, 4);
	o->saturate = isa_get(&b, VIV_SAT, 1) && !integer_type(o->type);
	o->tex_id = isa_get(&b, VIV_TEX_ID, 5);
	o->tex_amode = isa_get(&b, VIV_TEX_AMODE, 3);
	o->tex_swizzle = isa_get(&b, VIV_TEX_SWIZ, 8);
	o->left_shift = isa_get(&b, VIV_LEFT_SHIFT, 3);
	o->target = isa_get(&b, VIV_TARGET, 15);
	for (unsigned int i = 0; i < 3; i++) {
		const struct viv_source *p = &viv_source[i];
		struct vivsim_source *s = &o->src[i];

		s->use = isa_get(&b, p->use, 1);
		s->reg = isa_get(&b, p->reg, 9);
		s->group = isa_get(&b, p->rgroup, 3);
		s->amode = isa_get(&b, p->amode, 3);
		s->swizzle = isa_get(&b, p->swiz, 8);
		s->abs = isa_get(&b, p->abs, 1);
		s->neg = isa_get(&b, p->neg, 1);
		s->immediate = immediate(&b, i);
		for (unsigned int c = 0; c < 4; c++)
			s->component[c] = s->swizzle >> 2 * c & 3;
		s->kind = source_kind(s);
	}
	o->flow = (o->op >= 0x14 && o->op <= 0x17) || (o->op >= 0x1d && o->op <= 0x20) || o->op == 0x24;
	o->plain = is_plain(o);
}

void vivsim_decode(const uint32_t *words, size_t count, struct vivsim_op *ops)
{
	for (size_t i = 0; i < count; i++)
		decode(words + i * 4, &ops[i]);
}
