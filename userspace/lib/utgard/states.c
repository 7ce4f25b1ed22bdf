// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "lib/utgard/states.h"

/* Registers of PP and its write-back units are named by offset in bytes, others by number. */
#define WORD_OF(block, at) \
	((UTGARD_BLOCK_##block == UTGARD_BLOCK_PP || UTGARD_BLOCK_##block == UTGARD_BLOCK_PP_WB) ? (at) / 4 : (at))

enum {
#define UTG_BLOCK(block, count, words) COUNT_##block = count,
#include <limn/utgard/states.inc>
};

static const struct utgard_field fields[] = {
#define UTG_WORD(block, index, name, kind) \
	{ #block, #name, UTGARD_BLOCK_##block, COUNT_##block, 32, UTGARD_KIND_##kind, 32 * (index) },
#define UTG_REG(block, at, name, kind) \
	{ #block, #name, UTGARD_BLOCK_##block, COUNT_##block, 32, UTGARD_KIND_##kind, 32 * WORD_OF(block, at) },
#define UTG_FIELD(block, name, word, hi, lo, kind) \
	{ #block, #name, UTGARD_BLOCK_##block, COUNT_##block, (hi) - (lo) + 1, UTGARD_KIND_##kind, 32 * (word) + (lo) },
#include <limn/utgard/states.inc>
};

static const struct {
	uint8_t kind;
	const char *name;
	uint32_t value;
} values[] = {
#define UTG_VALUE(e, prefix, value_name, value) { UTGARD_KIND_##e, #value_name, value },
#include <limn/utgard/states.inc>
};

#define NUM_FIELDS (sizeof(fields) / sizeof(fields[0]))
#define NUM_VALUES (sizeof(values) / sizeof(values[0]))

const struct utgard_field *limn_utgard_field_at(unsigned int index)
{
	return index < NUM_FIELDS ? &fields[index] : NULL;
}

const struct utgard_field *limn_utgard_field_named(const char *name, unsigned int *index)
{
	size_t n = strcspn(name, "[.");
	const char *rest = name + n;
	char *end;

	*index = 0;
	if (*rest == '[') {
		*index = strtoul(rest + 1, &end, 10);
		if (end == rest + 1 || *end != ']')
			return NULL;
		rest = end + 1;
	}
	if (*rest++ != '.')
		return NULL;
	for (unsigned int i = 0; i < NUM_FIELDS; i++)
		if (strlen(fields[i].block_name) == n && !strncasecmp(fields[i].block_name, name, n) &&
		    !strcasecmp(fields[i].name, rest))
			return *index < fields[i].count ? &fields[i] : NULL;
	return NULL;
}

const struct utgard_field *limn_utgard_register(enum utgard_block block, unsigned int number)
{
	for (unsigned int i = 0; i < NUM_FIELDS; i++)
		if (fields[i].block == block && fields[i].width == 32 && fields[i].bit == 32 * number)
			return &fields[i];
	return NULL;
}

const char *limn_utgard_value_name(unsigned int kind, uint32_t value)
{
	for (unsigned int i = 0; i < NUM_VALUES; i++)
		if (values[i].kind == kind && values[i].value == value)
			return values[i].name;
	return NULL;
}

bool limn_utgard_value_text(unsigned int kind, uint32_t value, char *text, size_t size)
{
	uint32_t flags = kind == UTGARD_KIND_FACTOR ? value & RSW_FACTOR_ALPHA : 0;
	const char *name;

	if (kind == UTGARD_KIND_FACTOR && (value & 15) != RSW_FACTOR_ONE)
		flags |= value & RSW_FACTOR_INVERT;
	name = limn_utgard_value_name(kind, value & ~flags);
	if (name)
		snprintf(text, size, "%s%s%s", name, flags & RSW_FACTOR_INVERT ? "|INVERT" : "", flags & RSW_FACTOR_ALPHA ? "|ALPHA" : "");
	return name;
}

bool limn_utgard_value_named(unsigned int kind, const char *names, uint32_t *value)
{
	size_t n;

	*value = 0;
	for (bool found = true; found; names += n + 1) {
		n = strcspn(names, "|");
		found = false;
		for (unsigned int i = 0; i < NUM_VALUES && !found; i++) {
			found = values[i].kind == kind && strlen(values[i].name) == n &&
				!strncasecmp(values[i].name, names, n);
			if (found)
				*value |= values[i].value;
		}
		if (found && !names[n])
			return true;
	}
	return false;
}

void limn_utgard_force(uint32_t *words, enum utgard_block block, unsigned int index, const struct utgard_forced *forced,
		       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (forced[i].block == block && forced[i].index == index)
			utgard_bits_set(words, forced[i].bit, forced[i].width, forced[i].value);
}

uint32_t limn_utgard_force_word(uint32_t word, unsigned int number, enum utgard_block block,
				const struct utgard_forced *forced, uint32_t count)
{
	uint32_t words[2] = { word };	/* fields of registers do not reach into the next */

	for (uint32_t i = 0; i < count; i++)
		if (forced[i].block == block && forced[i].bit / 32 == number)
			utgard_bits_set(words, forced[i].bit % 32, forced[i].width, forced[i].value);
	return words[0];
}
