/* SPDX-License-Identifier: MIT */
#ifndef LIMN_SIM_VIVANTE_INTERNAL_H
#define LIMN_SIM_VIVANTE_INTERNAL_H

#include "sim/vivante.h"

/*
 * Ops that take each component for itself: op code, operand type, rounding
 * mode. False: not one of them. Pointers: vectors by value differ between
 * machines with and without AVX.
 */
bool vivsim_component(unsigned int op, unsigned int type, unsigned int cond, unsigned int rounding,
		      bool unary, const v8u *a, const v8u *b, const v8u *c, v8u *out);

/* Lanes (all ones) where a COND b holds on the type; unary conditions look at a alone. */
void vivsim_condition(unsigned int cond, unsigned int type, const v8u *a, const v8u *b, v8i *out);

/* A component of an image: its place in a 32-bit word, and back into one. */
uint32_t vivsim_unpack(unsigned int type, uint32_t word, unsigned int byte);
uint32_t vivsim_pack(unsigned int type, uint32_t word, unsigned int byte, uint32_t v);
unsigned int vivsim_bytes(unsigned int type);

/* bit_findlsb, bit_findmsb: all ones when there is none. */
uint32_t vivsim_find_bit(bool lowest, unsigned int type, uint32_t a);

#endif
