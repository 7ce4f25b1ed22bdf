/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bit fields of 32-bit words. A field F of the tables is two constants,
 * F__SHIFT and F__WIDTH:
 *
 *	word |= VIV_SET(VIVS_GL_EVENT_EVENT_ID, 7);
 *	id = VIV_GET(VIVS_GL_EVENT_EVENT_ID, word);
 *	mask = VIV_MASK(VIVS_GL_EVENT_EVENT_ID);
 */
#ifndef LIMN_VIVANTE_FIELD_H
#define LIMN_VIVANTE_FIELD_H

#define VIV_MASK(f)		((0xffffffffu >> (32 - f##__WIDTH)) << f##__SHIFT)
#define VIV_SET(f, v)		(((unsigned int)(v) << f##__SHIFT) & VIV_MASK(f))
#define VIV_GET(f, w)		(((unsigned int)(w) & VIV_MASK(f)) >> f##__SHIFT)

/*
 * The two constants of a field and the one of a single bit, for enums made from table rows:
 * "#define VIV_BIT VIV_BIT_CONSTANTS". Through another macro with arguments a name that the
 * system has a macro for would be replaced first: ARM has MODE_MASK.
 */
#define VIV_FIELD_CONSTANTS(owner, name, hi, lo, ...) \
	owner##_##name##__SHIFT = lo, owner##_##name##__WIDTH = (hi) - (lo) + 1,
#define VIV_BIT_CONSTANTS(owner, name, pos) \
	owner##_##name = 1u << (pos), owner##_##name##__SHIFT = pos, owner##_##name##__WIDTH = 1,

#endif
