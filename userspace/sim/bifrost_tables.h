/* SPDX-License-Identifier: MIT */
/*
 * Bifrost: what the ops of the reductions know of floats, as bits. Names are those of Mesa's Notes.txt; today's are in
 * parentheses.
 *
 * A float is m * 2^e with m in [1, 2). GUESS(bf-denormals), where the notes are silent: denormals are normalised first, as frexp()
 * does; a mantissa op gives zero, infinity and NaN back as they are; an exponent op gives 0 for them (the notes say so
 * of FRCP_FREXPE alone).
 */
#ifndef LIMN_SIM_BIFROST_TABLES_H
#define LIMN_SIM_BIFROST_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* Mantissas. */
uint32_t bifrost_log_frexpm(uint32_t x);	/* (FREXPM.log) in [0.75, 1.5) */
uint32_t bifrost_frcp_frexpm(uint32_t x);	/* (FREXPM) in [0.5, 1) */
uint32_t bifrost_fsqrt_frexpm(uint32_t x);	/* (FREXPM.sqrt) in [0.25, 1) */

/* Exponents, as integers. */
int32_t bifrost_frcp_frexpe(uint32_t x);	/* (FREXPE.neg) -e - 1 */
int32_t bifrost_fsqrt_frexpe(uint32_t x);	/* (FREXPE.sqrt) floor(e / 2) + 1 */
int32_t bifrost_frsq_frexpe(uint32_t x);	/* (FREXPE.neg.sqrt) -floor(e / 2) - 1 */
int32_t bifrost_flog_frexpe(uint32_t x);	/* (FREXPE.log) of bifrost_log_frexpm() */

/*
 * Approximations. GUESS(bf-approximations): the tables' contents; here the quotient and the root
 * of the part that they look at, rounded to nearest.
 */
uint32_t bifrost_frcp_table(uint32_t x);	/* (FRCP_APPROX) 2/m of m's top 17 bits, x's sign */
uint32_t bifrost_frsq_table(uint32_t x);	/* (FRSQ_APPROX) of FREXPM.sqrt, top 17 bits */
uint32_t bifrost_frcp_approx(uint32_t x);	/* (FLOG_TABLE.red) 5 bits of 1 / LOG_FREXPM */

/* a * b + c, whose last place says whether it is inexact: rounded once more it is rounded right. */
double bifrost_fma_odd(double a, double b, double c);

#endif
