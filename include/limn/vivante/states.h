/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * State space of the Vivante GCxxx cores: 256 KiB of 32-bit words, each with
 * one address for the bus and for LOAD_STATE. states.inc is the only copy; this
 * header turns it into constants, and whoever needs to walk it defines the rows
 * and includes it again:
 *
 *	static const struct row rows[] = {
 *	#define VIV_STATE(addr, unit, name, kind, init, flags) ...
 *	#include <limn/vivante/states.inc>
 *	};
 *
 * Rows:
 *	VIV_STATE(addr, unit, name, kind, init, flags)	one word
 *	VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags)
 *		n1 * n2 words, at addr + i1 * s1 + i2 * s2 (bytes)
 *	VIV_BITSET(name)	fields that several states share
 *	VIV_FIELD(owner, name, high bit, low bit, kind), VIV_BIT(owner, name, bit)
 *		fields of the state or bitset above them
 *	VIV_ENUM(name), VIV_VALUE(enum, name, value)
 * unit is the hardware block; init the value in a fresh context of the vendor's
 * driver; kind says how to read a value and is a VIV_KIND_*, an enum or a bitset.
 *
 * Constants: a state is NAME (its address), an array has NAME__LEN, __STRIDE,
 * __LEN2, __STRIDE2 and VIV_AT/VIV_AT2; a field is OWNER_FIELD__SHIFT and
 * __WIDTH (field.h), a single bit also OWNER_FIELD, its mask; a value is
 * ENUM_VALUE, *not shifted* (Mesa's and rnndb's headers shift the values of
 * nameless enums). Bitsets keep their own name (RT_CONFIG_STRIDE, not
 * VIVS_PE_RT_CONFIG_4_STRIDE), with rnndb's leading "2D_" written "DE_".
 *
 * A field FOO with a neighbour FOO_MASK: FOO keeps its
 * old value where FOO_MASK is written as 1. rnndb says so of a few such states
 * only; the others behave the same.
 *
 * VG and DE addresses overlap (0x2800-0x29ff): which one a write reaches depends
 * on the pipe. rnndb's DEC400EX registers belong to another block and are left out.
 */
#ifndef LIMN_VIVANTE_STATES_H
#define LIMN_VIVANTE_STATES_H

#include <limn/vivante/field.h>

#define VIV_STATE_SPACE		0x40000u	/* bytes */

/*
 * Flags. Exactly one of the first three. A state that nobody can say what it does
 * (UNK and its address) is the kernel's, unless a client is known to load it.
 */
#define VIV_USER		0x1	/* a client's stream may write it */
#define VIV_KERNEL		0x2	/* only the kernel's streams: page tables, events, pipe select, remapping */
#define VIV_HOST		0x4	/* a register of the bus; no stream has business there */
#define VIV_ZERO		0x8	/* with VIV_KERNEL: a client's stream may write 0 */

enum viv_kind {
	VIV_KIND_HEX,
	VIV_KIND_UINT,
	VIV_KIND_INT,		/* two's complement in the field's width */
	VIV_KIND_FIXED,		/* lower half of the field's bits is the fraction */
	VIV_KIND_FLOAT,		/* 32 bits: IEEE single; 16 bits: IEEE half */
	VIV_KIND_ADDR,		/* GPU virtual address: needs a relocation or a softpin BO */
	VIV_KIND_BOOL,
#define VIV_ENUM(name)		VIV_KIND_##name,
#define VIV_BITSET(name)	VIV_KIND_##name,
#include <limn/vivante/states.inc>
	VIV_KIND_COUNT
};

enum {
#define VIV_STATE(addr, unit, name, kind, init, flags) name = addr,
#define VIV_ARRAY(addr, unit, name, n1, s1, n2, s2, kind, init, flags) \
	name = addr, name##__LEN = n1, name##__STRIDE = s1, name##__LEN2 = n2, name##__STRIDE2 = s2,
#define VIV_FIELD VIV_FIELD_CONSTANTS
#define VIV_BIT VIV_BIT_CONSTANTS
#define VIV_VALUE(name, value_name, value) name##_##value_name = value,
#include <limn/vivante/states.inc>
};

/* Address of element i, or i and j, of an array. */
#define VIV_AT(name, i)		(name + (i) * name##__STRIDE)
#define VIV_AT2(name, i, j)	(name + (i) * name##__STRIDE + (j) * name##__STRIDE2)

/* Varyings of a draw, at most: PS_VARYING_NUM_COMPONENTS has room for as many. */
#define VIV_VARYINGS		32
/* GUESS(sh-call-depth): calls within calls, and loops within loops, at most. */
#define VIV_SHADER_NEST		4u
/* Items of a work group, as many as CL_WORKGROUP_DIM_SIZE can name; of more nobody knows (the model: cl-group-items). */
#define VIV_GROUP_ITEMS		1024u

/* Texture descriptor in memory (HALTI5): byte offsets. Its words use the TE_SAMPLER_* bitsets. */
#define TXDESC_BYTES		0x100

enum {
#define VIV_TXDESC(offset, name, words, kind) name = offset,
#include <limn/vivante/tables/texdesc.inc>
#undef VIV_TXDESC
};

#endif
