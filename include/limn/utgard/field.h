/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bit fields of 32-bit words, described once as "high, low" and used both to
 * build and to read words:
 *
 *	#define RSW_DEPTH_FUNC	3, 1
 *	word |= UTGARD_SET(RSW_DEPTH_FUNC, 7);
 *	func = UTGARD_GET(RSW_DEPTH_FUNC, word);
 *	mask = UTGARD_MASK(RSW_DEPTH_FUNC);
 */
#ifndef LIMN_UTGARD_FIELD_H
#define LIMN_UTGARD_FIELD_H

#define UTGARD_MASK_(hi, lo)		((0xffffffffu >> (31 - (hi) + (lo))) << (lo))
#define UTGARD_SET_(hi, lo, v)		(((unsigned int)(v) << (lo)) & UTGARD_MASK_(hi, lo))
#define UTGARD_GET_(hi, lo, w)		(((unsigned int)(w) & UTGARD_MASK_(hi, lo)) >> (lo))
#define UTGARD_MASK(field)		UTGARD_MASK_(field)
#define UTGARD_SET(field, v)		UTGARD_SET_(field, v)
#define UTGARD_GET(field, w)		UTGARD_GET_(field, w)

#endif
