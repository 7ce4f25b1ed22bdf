/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The shared page between a User Mode Linux kernel and its model process.
 *
 * One ring carries everything that the kernel says, in order: posted register
 * writes, register reads, clock gates, the reset line. An entry is published
 * by storing its sequence number last, so that the model polls the very cache
 * line that brings the data: a read costs two line transfers. The kernel is
 * the only producer (with its interrupts off), the model the only consumer.
 *
 * Either side sleeps on a futex when the other one is slow; see the .c files.
 */
#ifndef LIMN_UML_MAILBOX_H
#define LIMN_UML_MAILBOX_H

#define LIMN_MBOX_SLOTS		1024	/* a power of two */
#define LIMN_MBOX_COUNTERS	32
#define LIMN_MBOX_MAGIC		0x6c696d6e

enum limn_mbox_op {
	LIMN_MBOX_WRITE,	/* posted */
	LIMN_MBOX_CLOCKS,	/* posted; value: LIMN_CLOCK_* */
	LIMN_MBOX_RESET,	/* posted; value: 1 asserted */
	LIMN_MBOX_ANSWERED,	/* those from here on get an answer */
	LIMN_MBOX_READ = LIMN_MBOX_ANSWERED,
	LIMN_MBOX_SYNC,		/* everything before it has been done */
	LIMN_MBOX_STATS,	/* fills in counter[] */
	LIMN_MBOX_QUIT,		/* writes the statistics and ends */
};

#define LIMN_CLOCK_BUS		1
#define LIMN_CLOCK_CORE		2

struct limn_mbox_slot {
	unsigned int seq;	/* stored last: entry number seq is complete */
	unsigned int op;
	unsigned int offset;	/* bytes from the start of the GPU's window */
	unsigned int value;
};

struct limn_mbox_counter {
	char name[24];
	unsigned long long value;
};

#define LIMN_MBOX_LINE	__attribute__((aligned(64)))

struct limn_mbox {
	/* Written once by the kernel. */
	unsigned int magic;
	unsigned int fence;	/* the kernel fences after each entry: no membarrier() here */

	/* Written by the model. */
	LIMN_MBOX_LINE unsigned long long answer;	/* seq << 32 | value */
	LIMN_MBOX_LINE unsigned int done;	/* entries consumed, updated now and then */
	unsigned int asleep;		/* futex: the model sleeps until it is zero */
	unsigned int wakeups;		/* futex: the kernel sleeps until it changes */

	/* Interrupt lines. */
	LIMN_MBOX_LINE unsigned int levels;	/* bit per line, as the model drives it now */
	unsigned int kicked;		/* a byte for the kernel is in the pipe already */

	/* Written by the kernel. */
	LIMN_MBOX_LINE unsigned int waiting;	/* the kernel sleeps on wakeups */

	LIMN_MBOX_LINE struct limn_mbox_slot slot[LIMN_MBOX_SLOTS];
	LIMN_MBOX_LINE struct limn_mbox_counter counter[LIMN_MBOX_COUNTERS];
};

#endif
