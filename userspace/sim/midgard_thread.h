/* SPDX-License-Identifier: MIT */
/* Inside the Midgard simulator: one thread while it runs, and what its units share. */
#ifndef LIMN_SIM_MIDGARD_THREAD_H
#define LIMN_SIM_MIDGARD_THREAD_H

#include "isa/midgard.h"
#include "sim/midgard_alu.h"

#define CONSTANTS	26
#define CONDITION	31

struct thread {
	struct mdsim_state *s;
	unsigned int lane;
	size_t at;			/* word offset of its next bundle */
	unsigned int left;		/* bundles it may still run */
	bool limited;
	union mdsim_reg *r;		/* its 32 registers */
	union mdsim_reg next[32];	/* as they will be when the bundle ends */
	uint32_t written;		/* registers of next that differ */
	const union mdsim_reg *constants;
	const union mdsim_reg (*inputs)[2];	/* of the texture unit, by lane, before the bundle */
};

/* The register as it will be; written when the bundle ends. */
union mdsim_reg *mdt_destination(struct thread *t, unsigned int reg);
uint64_t mdt_raw(const union mdsim_reg *r, unsigned int i, unsigned int bits);
void mdt_set_raw(union mdsim_reg *r, unsigned int i, unsigned int bits, uint64_t v);
double mdt_as_float(uint64_t v, unsigned int bits);
uint64_t mdt_from_float(double d, unsigned int bits);
/* mode: 0 to nearest even, 1 towards 0, 2 down, 3 up, as the ops' codes end. */
uint64_t mdt_round_float(double d, unsigned int bits, unsigned int mode);
double mdt_clamp_float(double v, unsigned int outmod);

static inline int32_t mdt_sign_extend(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

/* midgard_cube.c: a direction to a face and the place on it, and back. */
uint64_t mdt_cube_descriptor(const float direction[3]);
void mdt_cube_direction(uint64_t descriptor, float direction[3]);

/* midgard_mem.c */
void mdt_ldst(struct thread *t, const struct isa_bits *k);
void mdt_texture(struct thread *t, const struct isa_bits *k);

#endif
