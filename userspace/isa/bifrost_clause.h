/* SPDX-License-Identifier: MIT */
/*
 * Bifrost clauses: up to eight tuples, a header and constants, packed into
 * words of 128 bits. The instructions of a tuple are those of isa/bifrost.h.
 */
#ifndef LIMN_ISA_BIFROST_CLAUSE_H
#define LIMN_ISA_BIFROST_CLAUSE_H

#include <stddef.h>
#include <stdint.h>


#define BIFROST_TUPLES		8
#define BIFROST_CONSTANTS	7	/* of 64 bits; the first may stand among the tuples */
#define BIFROST_CLAUSE_WORDS	40	/* of 32 bits, at most */

struct bifrost_tuple {
	uint64_t registers;	/* 35 bits: BF_REGISTERS of bifrost.h */
	uint32_t fma, add;	/* 23 and 20 bits */
};

struct bifrost_clause {
	unsigned int tuple_count;	/* 1 to 8 */
	struct bifrost_tuple tuples[BIFROST_TUPLES];
	uint64_t header;		/* 45 bits */
	unsigned int constant_count;	/* of 3, 5, 6 and 8 tuples the first is there always */
	uint64_t constants[BIFROST_CONSTANTS];	/* 60 bits: without the lowest four */
	uint32_t modifier;		/* of the first constant, 15 bits; of 3 and 6 tuples */
};

/* The 32-bit words that the clause at words takes, at most left; 0 when it is none. */
size_t limn_isa_bifrost_clause_read(const uint32_t *words, size_t left, struct bifrost_clause *clause);

/* The words of a clause; their number, 0 when counts are out of range. */
size_t limn_isa_bifrost_clause_write(const struct bifrost_clause *clause, uint32_t words[BIFROST_CLAUSE_WORDS]);

#endif
