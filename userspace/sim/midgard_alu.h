/* SPDX-License-Identifier: MIT */
/* Inside the Midgard simulator: components and what ops do to them. */
#ifndef LIMN_SIM_MIDGARD_ALU_H
#define LIMN_SIM_MIDGARD_ALU_H

#include "sim/midgard.h"

/* A component, widened: floats as double, integers as they are. */
union mdsim_value {
	double f;
	uint64_t u;
};

/* bits: of a lane; the result is not cut to them. *known is cleared for an op without semantics. */
union mdsim_value mdsim_op(unsigned int op, union mdsim_value a, union mdsim_value b, unsigned int component,
			   unsigned int bits, bool *known);
/* Ops over all components: dot products, all and any. */
bool mdsim_across(unsigned int op);
union mdsim_value mdsim_reduce(unsigned int op, const union mdsim_value *a, const union mdsim_value *b,
			       unsigned int component, unsigned int bits);

#endif
