// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/vivante/states.h"

/* States, bitsets and enums, in the order of the tables: fields follow their owner, values their enum. */
static const struct viv_row rows[] = {
#define VIV_STATE(addr, unit, name, kind, init, flags) \
	{ VIV_ROW_STATE, #name, #unit, addr, 1, 4, 1, 0, 0, 0, flags, VIV_KIND_##kind, init },
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) \
	{ VIV_ROW_STATE, #name, #unit, addr, n1, s1, n2, s2, 0, 0, flags, VIV_KIND_##kind, init },
#define VIV_BITSET(name) { .type = VIV_ROW_BITSET, #name, .kind = VIV_KIND_##name },
#define VIV_FIELD(owner, name, high, low, k) \
	{ .type = VIV_ROW_FIELD, #name, .hi = high, .lo = low, .kind = VIV_KIND_##k },
#define VIV_BIT(owner, name, pos) \
	{ .type = VIV_ROW_FIELD, #name, .hi = pos, .lo = pos, .kind = VIV_KIND_BOOL },
#define VIV_ENUM(name) { .type = VIV_ROW_ENUM, #name, .kind = VIV_KIND_##name },
#define VIV_VALUE(e, name, value) { .type = VIV_ROW_VALUE, #name, .at = value },
#include <limn/vivante/states.inc>
	{ .type = VIV_ROW_END },
};

static const struct viv_row commands[] = {
#define VIV_COMMAND(opcode, name, words, need, flags) \
	{ .type = VIV_ROW_COMMAND, #name, .at = opcode, .count = words },
#define VIV_WORD(owner, index) { .type = VIV_ROW_WORD, #owner, .at = index },
#define VIV_FIELD(owner, name, high, low, k) \
	{ .type = VIV_ROW_FIELD, #name, .hi = high, .lo = low, .kind = VIV_KIND_##k },
#define VIV_BIT(owner, name, pos) \
	{ .type = VIV_ROW_FIELD, #name, .hi = pos, .lo = pos, .kind = VIV_KIND_BOOL },
#include <limn/vivante/commands.inc>
	{ .type = VIV_ROW_END },
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]) - 1)

const struct viv_row *limn_viv_row(size_t i)
{
	return i < NUM_ROWS ? &rows[i] : NULL;
}

static bool holds(const struct viv_row *r, uint32_t address, uint32_t index[2])
{
	uint32_t d = address - r->at;

	if (address < r->at || d > (r->count - 1u) * r->stride + (r->count2 - 1u) * r->stride2 || d & 3)
		return false;
	for (uint32_t j = 0; j < r->count2; j++) {
		uint32_t rest = d - j * r->stride2;

		if (d < j * r->stride2)
			break;
		if (rest % r->stride || rest / r->stride >= r->count)
			continue;
		index[0] = rest / r->stride;
		index[1] = j;
		return true;
	}
	return false;
}

const struct viv_row *limn_viv_state_at(uint32_t address, uint32_t index[2])
{
	/* VG's table comes last. */
	for (const struct viv_row *r = rows; r->type != VIV_ROW_END; r++)
		if (r->type == VIV_ROW_STATE && holds(r, address, index))
			return r;
	return NULL;
}

const struct viv_row *limn_viv_state_named(const char *name)
{
	if (!strncmp(name, "VIVS_", 5))
		name += 5;
	for (const struct viv_row *r = rows; r->type != VIV_ROW_END; r++) {
		const char *a = r->name + 5, *b = name;

		if (r->type != VIV_ROW_STATE)
			continue;
		while (*a && (*a == *b || (*a == '_' && *b == '.')))
			a++, b++;
		if (!*a && !*b)
			return r;
	}
	return NULL;
}

/* The next field before another owner; enums of fields may stand between. */
static const struct viv_row *find_field(const struct viv_row *r)
{
	for (; r->type == VIV_ROW_FIELD || r->type == VIV_ROW_ENUM || r->type == VIV_ROW_VALUE; r++)
		if (r->type == VIV_ROW_FIELD)
			return r;
	return NULL;
}

const struct viv_row *limn_viv_field_first(const struct viv_row *owner)
{
	return find_field(owner + 1);
}

const struct viv_row *limn_viv_field_next(const struct viv_row *field)
{
	return find_field(field + 1);
}

const struct viv_row *limn_viv_kind_row(unsigned int kind)
{
	for (const struct viv_row *r = rows; r->type != VIV_ROW_END; r++)
		if ((r->type == VIV_ROW_ENUM || r->type == VIV_ROW_BITSET) && r->kind == kind)
			return r;
	return NULL;
}

const char *limn_viv_value_name(const struct viv_row *e, uint32_t value)
{
	for (const struct viv_row *r = e + 1; r->type == VIV_ROW_VALUE; r++)
		if (r->at == value)
			return r->name;
	return NULL;
}

bool limn_viv_value_named(const struct viv_row *e, const char *name, uint32_t *value)
{
	for (const struct viv_row *r = e + 1; r->type == VIV_ROW_VALUE; r++) {
		if (!strcmp(r->name, name)) {
			*value = r->at;
			return true;
		}
	}
	return false;
}

const struct viv_row *limn_viv_command(unsigned int opcode)
{
	for (const struct viv_row *r = commands; r->type != VIV_ROW_END; r++)
		if (r->type == VIV_ROW_COMMAND && r->at == opcode)
			return r;
	return NULL;
}

const struct viv_row *limn_viv_command_word(const struct viv_row *command, unsigned int i)
{
	for (const struct viv_row *r = command + 1; r->type == VIV_ROW_WORD || r->type == VIV_ROW_FIELD; r++)
		if (r->type == VIV_ROW_WORD && r->at == i)
			return r;
	return NULL;
}

char *limn_viv_state_text(const struct viv_row *s, const uint32_t index[2], char *text, size_t size)
{
	size_t unit = strlen(s->unit);
	const char *rest = s->name + 5;
	int n;

	/* BLT_YUV_CONFIG is of unit BLT; every name begins with its unit. */
	n = snprintf(text, size, "%s.%s", s->unit, rest + unit + 1);
	if (s->count > 1 && n > 0 && (size_t)n < size)
		n += snprintf(text + n, size - n, "[%u]", index[0]);
	if (s->count2 > 1 && n > 0 && (size_t)n < size)
		snprintf(text + n, size - n, "[%u]", index[1]);
	return text;
}

struct out {
	char *text;
	size_t size, used;
};

static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(o->text + o->used, o->size - o->used, format, args);
	va_end(args);
	if (n > 0)
		o->used += (size_t)n < o->size - o->used ? (size_t)n : o->size - o->used - 1;
}

static double half_value(uint32_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 0x3ff;
	double v = !exponent ? ldexp(fraction, -24) :
		   exponent == 31 ? (fraction ? NAN : INFINITY) : ldexp(fraction + 1024, exponent - 25);

	return h & 0x8000 ? -v : v;
}

static void put_fields(struct out *o, const struct viv_row *owner, uint32_t value, const char *open);

static void put_kind(struct out *o, unsigned int kind, unsigned int width, uint32_t value)
{
	uint32_t sign = 1u << (width - 1);
	const struct viv_row *row;
	const char *name;
	float f;

	switch (kind) {
	case VIV_KIND_HEX:
		put(o, value < 10 ? "%u" : "0x%x", value);
		return;
	case VIV_KIND_ADDR:
		put(o, "0x%08x", value);
		return;
	case VIV_KIND_UINT:
	case VIV_KIND_BOOL:
		put(o, "%u", value);
		return;
	case VIV_KIND_INT:
		put(o, "%d", (int32_t)((value ^ sign) - sign));
		return;
	case VIV_KIND_FIXED:
		put(o, "%g", ldexp((int32_t)((value ^ sign) - sign), -(int)(width / 2)));
		return;
	case VIV_KIND_FLOAT:
		memcpy(&f, &value, 4);
		put(o, "%g", width == 16 ? half_value(value) : f);
		return;
	}
	row = limn_viv_kind_row(kind);
	if (row && row->type == VIV_ROW_BITSET) {
		put(o, "(");
		put_fields(o, row, value, "");
		put(o, ")");
		return;
	}
	name = row ? limn_viv_value_name(row, value) : NULL;
	if (name)
		put(o, "%s", name);
	else
		put(o, "%u?", value);
}

/* Bits that are set; fields that are 0 only where 0 has a name. */
static void put_fields(struct out *o, const struct viv_row *owner, uint32_t value, const char *open)
{
	uint32_t known = 0;
	const char *sep = open;

	for (const struct viv_row *f = limn_viv_field_first(owner); f; f = limn_viv_field_next(f)) {
		unsigned int width = f->hi - f->lo + 1;
		uint32_t mask = (0xffffffffu >> (32 - width)) << f->lo, v = (value & mask) >> f->lo;
		const struct viv_row *e = limn_viv_kind_row(f->kind);

		known |= mask;
		if (!v && (f->kind == VIV_KIND_BOOL || !e || e->type == VIV_ROW_BITSET || !limn_viv_value_name(e, 0)))
			continue;
		put(o, "%s%s", sep, f->name);
		sep = " ";
		if (f->kind != VIV_KIND_BOOL) {
			put(o, "=");
			put_kind(o, f->kind, width, v);
		}
	}
	if (value & ~known)
		put(o, "%sunknown=0x%x", sep, value & ~known);
}

char *limn_viv_value_text(const struct viv_row *row, uint32_t value, char *text, size_t size)
{
	struct out o = { text, size, 0 };
	const struct viv_row *of;

	text[0] = 0;
	if (limn_viv_field_first(row)) {
		put_fields(&o, row, value, "");
	} else if (row->type == VIV_ROW_STATE && row->kind != VIV_KIND_HEX && row->kind != VIV_KIND_ADDR) {
		of = limn_viv_kind_row(row->kind);
		if (of && of->type == VIV_ROW_BITSET)
			put_fields(&o, of, value, "");
		else
			put_kind(&o, row->kind, 32, value);
	}
	return text;
}
