// SPDX-License-Identifier: MIT
/*
 * The state space: which addresses are known, what they start with, and how a
 * masked write is merged. All from limn/vivante/states.inc.
 *
 * Rule of masks (etna_viv hardware.md): a state's group of bits FOO keeps its old value
 * where the bit FOO_MASK is written as 1. The mask bits themselves are latched
 * as 0.
 */
#include <limn/vivante/states.h>

#include "model/vivante/internal.h"

struct row {
	uint32_t address, len1, stride1, len2, stride2;
	uint32_t init;
	unsigned int flags;
	unsigned int kind;	/* a bitset's fields are those of all its states */
	const char *name;
};

static const struct row rows[] = {
#define VIV_STATE(addr, unit, name, kind, init, flags) \
	{ addr, 1, 4, 1, 4, init, flags, VIV_KIND_##kind, #name },
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) \
	{ addr, n1, s1, n2, s2, init, flags, VIV_KIND_##kind, #name },
#include <limn/vivante/states.inc>
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

/* Fields in the order of the tables; owner: of the state or bitset above them. */
struct field {
	const char *owner, *name;
	uint32_t mask;
};

static const struct field fields[] = {
#define VIV_FIELD(owner, name, hi, lo, kind) { #owner, #name, (0xffffffffu >> (31 - (hi) + (lo))) << (lo) },
#define VIV_BIT(owner, name, pos) { #owner, #name, 1u << (pos) },
#include <limn/vivante/states.inc>
};

#define FIELDS	(sizeof(fields) / sizeof(fields[0]))

static const char *const bitset_names[] = {
#define VIV_BITSET(name) [VIV_KIND_##name] = #name,
#include <limn/vivante/states.inc>
};

/* Mask bits of one state: while bit is set in a write, group keeps its value. */
#define MAX_GROUPS	12

struct merge {
	unsigned int num;
	struct {
		uint32_t bit, group;
	} group[MAX_GROUPS];
};

static uint16_t row_of[VIV_STATES];	/* index + 1; 0: unknown */
static struct merge merges[ROWS];
static bool built;

static bool owns(unsigned int r, const char *owner)
{
	const char *bitset = rows[r].kind < sizeof(bitset_names) / sizeof(bitset_names[0]) ?
				     bitset_names[rows[r].kind] : NULL;

	return !strcmp(rows[r].name, owner) || (bitset && !strcmp(bitset, owner));
}

/*
 * Masks that are not called as what they keep (rnndb). GUESS(state-masks): what they keep: the fields below of
 * the same state.
 */
static const struct {
	const char *owner, *mask, *kept;
} odd_masks[] = {
	{ "VIVS_PE_STENCIL_CONFIG", "WRITE_MASK_MASK", "WRITE_MASK_FRONT" },
	{ "VIVS_PE_STENCIL_CONFIG_EXT", "UNK16_MASK", "EXTRA_ALPHA_REF" },
	{ "VIVS_PE_ALPHA_OP", "ALPHA_REF_MASKFUNC_MASK", "ALPHA_REF" },
	{ "DE_PE_TRANSPARENCY", "TRANSPARENCY_MASK", "SOURCE" },
	{ "DE_PE_TRANSPARENCY", "TRANSPARENCY_MASK", "PATTERN" },
	{ "DE_PE_TRANSPARENCY", "TRANSPARENCY_MASK", "DESTINATION" },
	{ "DE_PE_TRANSPARENCY", "RESOURCE_OVERRIDE_MASK", "USE_SRC_OVERRIDE" },
	{ "DE_PE_TRANSPARENCY", "RESOURCE_OVERRIDE_MASK", "USE_PAT_OVERRIDE" },
	{ "DE_PE_TRANSPARENCY", "RESOURCE_OVERRIDE_MASK", "USE_DST_OVERRIDE" },
};

#define ODD_MASKS	(sizeof(odd_masks) / sizeof(odd_masks[0]))

/* The bits of that field of an owner; 0: it has none. */
static uint32_t bits_of(const char *owner, const char *name)
{
	for (unsigned int i = 0; i < FIELDS; i++) {
		if (!strcmp(fields[i].owner, owner) && !strcmp(fields[i].name, name))
			return fields[i].mask;
	}
	return 0;
}

/* The field that the single bit at index i keeps, if it is a mask: it has the name before _MASK. */
static const struct field *kept_by(unsigned int i)
{
	size_t len = strlen(fields[i].name);

	if (len < 6 || strcmp(fields[i].name + len - 5, "_MASK") || (fields[i].mask & (fields[i].mask - 1)))
		return NULL;
	for (unsigned int k = 0; k < FIELDS; k++) {
		if (strlen(fields[k].name) == len - 5 && !strncmp(fields[k].name, fields[i].name, len - 5) &&
		    !strcmp(fields[k].owner, fields[i].owner))
			return &fields[k];
	}
	return NULL;
}

static void add_group(const char *owner, uint32_t bit, uint32_t group)
{
	for (unsigned int r = 0; r < ROWS; r++) {
		struct merge *m = &merges[r];

		if (m->num == MAX_GROUPS || !owns(r, owner))
			continue;
		m->group[m->num].bit = bit;
		m->group[m->num++].group = group;
	}
}

static void build_merges(void)
{
	for (unsigned int i = 0; i < FIELDS; i++) {
		const struct field *kept = kept_by(i);

		if (kept)
			add_group(kept->owner, fields[i].mask, kept->mask);
	}
	for (unsigned int i = 0; i < ODD_MASKS; i++)
		add_group(odd_masks[i].owner, bits_of(odd_masks[i].owner, odd_masks[i].mask),
			  bits_of(odd_masks[i].owner, odd_masks[i].kept));
}

static void build(void)
{
	if (built)
		return;
	build_merges();
	for (unsigned int r = 0; r < ROWS; r++) {
		for (uint32_t i = 0; i < rows[r].len1; i++) {
			for (uint32_t k = 0; k < rows[r].len2; k++) {
				uint32_t n = (rows[r].address + i * rows[r].stride1 + k * rows[r].stride2) / 4;

				/* VG overlaps DE and comes later: what was there first stays. */
				if (n < VIV_STATES && !row_of[n])
					row_of[n] = r + 1;
			}
		}
	}
	built = true;
}

unsigned int viv_state_flags(uint32_t address)
{
	build();
	address /= 4;
	return address < VIV_STATES && row_of[address] ? rows[row_of[address] - 1].flags : 0;
}

const char *viv_state_name(uint32_t address)
{
	build();
	address /= 4;
	return address < VIV_STATES && row_of[address] ? rows[row_of[address] - 1].name : "unknown";
}

uint32_t viv_state_merge(uint32_t address, uint32_t old, uint32_t val)
{
	const struct merge *m;
	uint32_t keep = 0, bits = 0;

	build();
	if (!row_of[address / 4])
		return val;
	m = &merges[row_of[address / 4] - 1];
	for (unsigned int i = 0; i < m->num; i++) {
		bits |= m->group[i].bit;
		if (val & m->group[i].bit)
			keep |= m->group[i].group;
	}
	return ((val & ~keep) | (old & keep)) & ~bits;
}

void viv_state_reset(struct vivante *v)
{
	build();
	memset(v->state, 0, VIV_STATES * sizeof(*v->state));
	/* GUESS(state-reset): after a reset, states are as in the context that the vendor's driver starts with. */
	for (uint32_t i = 0; i < VIV_STATES; i++) {
		if (row_of[i])
			v->state[i] = rows[row_of[i] - 1].init;
	}
}
