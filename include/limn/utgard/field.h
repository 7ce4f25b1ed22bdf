/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bit fields of 32-bit words. A field F of the tables (limn/utgard/states.inc) is
 * two constants, F__BIT and F__WIDTH:
 *
 *	word |= UTGARD_SET(RSW_DEPTH_FUNC, 7);
 *	func = UTGARD_GET(RSW_DEPTH_FUNC, word);
 *	mask = UTGARD_MASK(RSW_DEPTH_FUNC);
 *
 * of the word that it is in, and of the whole block's words, where a field may
 * cross from one to the next:
 *
 *	utgard_set(desc, TEX_STRIDE, 64);
 *	stride = utgard_get(desc, TEX_STRIDE);
 */
#ifndef LIMN_UTGARD_FIELD_H
#define LIMN_UTGARD_FIELD_H

#define UTGARD_MASK(f)		((0xffffffffu >> (32 - f##__WIDTH)) << (f##__BIT & 31))
#define UTGARD_SET(f, v)	(((unsigned int)(v) << (f##__BIT & 31)) & UTGARD_MASK(f))
#define UTGARD_GET(f, w)	(((unsigned int)(w) & UTGARD_MASK(f)) >> (f##__BIT & 31))
#define utgard_get(words, f)	utgard_bits_get(words, f##__BIT, f##__WIDTH)
#define utgard_set(words, f, v)	utgard_bits_set(words, f##__BIT, f##__WIDTH, v)

static inline unsigned int utgard_bits_get(const unsigned int *words, unsigned int bit, unsigned int width)
{
	unsigned int word = bit / 32, shift = bit % 32;
	unsigned int v = words[word] >> shift;

	if (shift + width > 32)
		v |= words[word + 1] << (32 - shift);
	return v & (0xffffffffu >> (32 - width));
}

static inline void utgard_bits_set(unsigned int *words, unsigned int bit, unsigned int width, unsigned int value)
{
	unsigned int word = bit / 32, shift = bit % 32;
	unsigned int mask = 0xffffffffu >> (32 - width);

	value &= mask;
	words[word] = (words[word] & ~(mask << shift)) | value << shift;
	if (shift + width > 32)
		words[word + 1] = (words[word + 1] & ~(mask >> (32 - shift))) | value >> (32 - shift);
}

#endif
