/* SPDX-License-Identifier: MIT */
/* Words of a single Midgard instruction, from its row of the table, and registers by lane to run them on. */
#ifndef LIMN_TESTS_SIM_MIDGARD_ROWS_H
#define LIMN_TESTS_SIM_MIDGARD_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "isa/midgard.h"
#include "sim/midgard.h"

/*
 * One instruction with an op's row alone, in a bundle of its unit; change: what
 * its fields are to be beside that. The words.
 */
static inline size_t md_bundle_of(const struct isa_op *op, void (*change)(const struct isa_op *op, struct isa_bits *k),
				  uint32_t words[16])
{
	static const uint8_t blocks[] = {
		[MD_U_VECTOR] = MD_B_VMUL, [MD_U_SCALAR] = MD_B_SADD, [MD_U_BRANCH] = MD_B_BRANCH,
		[MD_U_BRANCHX] = MD_B_BRANCHX, [MD_U_LDST] = MD_B_LDST0, [MD_U_TEX] = MD_B_TEX,
	};
	struct md_bundle b = { .present = 1 << MD_B_CTRL };
	struct isa_bits *k = &b.block[blocks[op->unit]];

	/* Catch-alls have no match: a code that no row names. */
	static const struct { uint8_t lo, width, code; } unnamed[] = {
		[MD_U_VECTOR] = { MD_vec_op, 8, 1 }, [MD_U_SCALAR] = { MD_sca_op, 8, 1 },
		[MD_U_BRANCH] = { MD_br_op, 3, 3 }, [MD_U_BRANCHX] = { MD_brx_op, 3, 3 },
		[MD_U_LDST] = { MD_ld_op, 8, 0xff }, [MD_U_TEX] = { MD_tex_op, 4, 15 },
	};

	isa_reset(&isa_midgard, MD_F_CTRL, &b.block[MD_B_CTRL]);
	isa_reset(&isa_midgard, op->form, k);
	if (change)
		change(op, k);
	if (!isa_is_named(op))
		isa_put(k, unnamed[op->unit].lo, unnamed[op->unit].width, op->match[0].width ? 0x42 : unnamed[op->unit].code);
	for (int i = 0; i < 3 && op->match[i].width && isa_is_named(op); i++)
		isa_put(k, op->match[i].lo, op->match[i].width, op->match[i].value);
	assert_ptr_equal(md_row(k, blocks[op->unit]), op);
	b.present |= 1 << blocks[op->unit];
	if (op->unit == MD_U_LDST) {
		isa_put(&b.block[MD_B_CTRL], 0, 4, MD_LDST);
		isa_reset(&isa_midgard, MD_F_LDST, &b.block[MD_B_LDST1]);
		b.present |= 1 << MD_B_LDST1;
	} else if (op->unit == MD_U_TEX) {
		b.present = 1 << MD_B_TEX;
	}
	return md_join(&b, words);
}

/* A register of one lane; r28 and r29 are set on both sides. */
static inline void md_set_register(struct mdsim_state *s, unsigned int lane, unsigned int reg, union mdsim_reg value)
{
	for (unsigned int c = 0; c < 4; c++)
		s->r[reg][c][lane] = value.u32[c];
	if (reg == 28 || reg == 29)
		md_set_register(s, lane, reg + 4, value);
}

/* The simulator's state as tests like to look at it. */
struct md_test {
	union mdsim_reg r[SIM_LANES][32];
	const struct mdsim_io *io;
	uint8_t discarded, written;
	unsigned int events;
};

static inline enum sim_status md_test_run(struct md_test *t, const uint32_t *words, size_t count, uint8_t mask,
					  unsigned int limit)
{
	static struct mdsim_state s;
	struct mdsim_program *program = mdsim_decode(words, count);
	enum sim_status status;

	assert_non_null(program);
	memset(&s, 0, sizeof(s));
	s.io = t->io;
	s.discarded = t->discarded;
	s.written = t->written;
	s.events = t->events;
	for (unsigned int i = 0; i < SIM_LANES * 32; i++)
		md_set_register(&s, i / 32, i % 32, t->r[i / 32][i % 32]);
	status = mdsim_run(&s, program, mask, limit);
	for (unsigned int i = 0; i < SIM_LANES * 32; i++)
		t->r[i / 32][i % 32] = mdsim_get(&s, i / 32, i % 32);
	t->discarded = s.discarded;
	t->written = s.written;
	t->events = s.events;
	assert_int_equal(!s.unknown, !(s.events & MDSIM_UNKNOWN_OP));
	mdsim_free(program);
	return status;
}

#endif
