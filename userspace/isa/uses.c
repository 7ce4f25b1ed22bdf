// SPDX-License-Identifier: MIT
/*
 * What a shader needs from outside: the attributes, uniforms, varyings,
 * textures and outputs that its instructions name. From the fields of the
 * tables; nothing here knows where a field lies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_pp.h"

struct uses {
	struct isa_use *list;
	size_t count;
	bool failed;
};

/* components: 0 of all but outputs. */
static void add(struct uses *u, enum isa_use_kind kind, unsigned int index, size_t at, unsigned int components)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->list[i].kind == kind && u->list[i].index == index && u->list[i].at == at) {
			u->list[i].components |= components;
			return;
		}
	u->failed |= !isa_room(&u->list, u->count, 1, sizeof(*u->list));
	if (!u->failed)
		u->list[u->count++] = (struct isa_use) { kind, index, at, components };
}

static void gp_attribute(struct uses *u, const struct isa_bits *b, size_t at)
{
	if (gp_get(b, register0_attribute))
		add(u, ISA_ATTRIBUTE, gp_get(b, register0_addr), at, 0);
}

static void gp_unit_uses(struct uses *u, const struct isa_bits *b, unsigned int unit, size_t at, bool temporaries)
{
	const struct isa_op *op = gp_unit_op(b, unit);
	bool negated;

	for (const char *letter = "ABCEXY"; op && *letter; letter++) {
		unsigned int src = gp_source(b, op, *letter, &negated);

		if (src < GP_SRC_REG1)
			gp_attribute(u, b, at);
		else if (src >= GP_SRC_P1_REG0 && src < GP_SRC_ZERO && at)
			gp_attribute(u, b - 1, at - 4);
		else if (src >= GP_SRC_LOAD && src < GP_SRC_LOAD + 4 && !temporaries && gp_get(b, load_offset) == 7)
			add(u, ISA_UNIFORM, gp_get(b, load_addr), at, 0);
	}
}

static void gp_uses(struct uses *u, const uint32_t *words, size_t count)
{
	const struct isa_bits *code = (const void *)words;
	bool temporaries = false;

	/* Temporaries lie behind the uniforms in one memory: an address does not tell which. */
	for (size_t i = 0; i < count / 4; i++)
		temporaries |= gp_get(&code[i], store0_temporary) || gp_get(&code[i], store1_temporary);
	for (size_t i = 0; i < count / 4; i++) {
		for (unsigned int unit = 0; unit < GP_UNITS; unit++)
			gp_unit_uses(u, &code[i], unit, 4 * i, temporaries);
		for (unsigned int c = 0; c < 4; c++)
			if (gp_store_get(&code[i], c / 2, varying) && gp_stored(&code[i], c) != GP_STORE_NONE)
				add(u, ISA_OUTPUT, gp_store_get(&code[i], c / 2, addr), 4 * i, 1u << c);
	}
}

static void pp_uses(struct uses *u, const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_bits block[PP_BLOCKS];

	for (size_t at = 0; at < count && PP_COUNT(words[at]); at += PP_COUNT(words[at])) {
		const struct isa_bits *var = &block[PP_VARYING], *tex = &block[PP_SAMPLER], *uni = &block[PP_UNIFORM];
		uint32_t w = words[at];

		if (PP_COUNT(w) > count - at || PP_COUNT(w) < pp_size(w))
			return;
		pp_split(words + at, block);
		if (PP_HAS(w, PP_VARYING) && isa_match_op(isa, PP_VARYING, var)->id == PP_OP_load_varying &&
		    pp_get(var, var_offset_vector) == PP_NO_OFFSET)
			add(u, ISA_VARYING, pp_get(var, var_index) * pp_varying_unit(pp_get(var, var_alignment)) / 4, at, 0);
		if (PP_HAS(w, PP_SAMPLER) && !pp_get(tex, tex_offset_en))
			add(u, ISA_TEXTURE, pp_get(tex, tex_index), at, 0);
		if (PP_HAS(w, PP_UNIFORM) && isa_match_op(isa, PP_UNIFORM, uni)->id == PP_OP_load_uniform &&
		    !pp_get(uni, mem_offset_en))
			add(u, ISA_UNIFORM, pp_get(uni, mem_index) * pp_memory_unit(pp_get(uni, mem_alignment)) / 4, at, 0);
		if (PP_HAS(w, PP_BRANCH) && isa_match_op(isa, PP_BRANCH, &block[PP_BRANCH])->id == PP_OP_discard)
			add(u, ISA_DISCARD, 0, at, 0);
	}
}

int limn_isa_uses(const struct isa *isa, const uint32_t *words, size_t count, struct isa_use **list,
		  size_t *n)
{
	struct uses u = { 0 };

	if (isa == &isa_utgard_gp)
		gp_uses(&u, words, count);
	else if (isa == &isa_utgard_pp)
		pp_uses(&u, isa, words, count);
	else
		return -EINVAL;
	if (u.failed) {
		free(u.list);
		return -ENOMEM;
	}
	*list = u.list;
	*n = u.count;
	return 0;
}
