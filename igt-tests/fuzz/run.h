/* SPDX-License-Identifier: MIT */
/* Runs a process of a program: values become arguments, results go to slots. */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include "gpu_lib.h"
#include "grammar.h"

struct fuzz_counts {
	uint64_t calls, done;	/* done: that succeeded */
	uint64_t ns;		/* that they took, all processes */
};

/* Of all processes that the verb has put there. */
#define FUZZ_CGROUP	"/sys/fs/cgroup/fuzz"

/* Descriptors of a process: those of a program are below these three. */
enum { FUZZ_FD_SOCKET = 250, FUZZ_FD_FAIL_NTH, FUZZ_FD_WITNESS, FUZZ_FDS };

/* What is open before a program starts, for all of its processes. */
struct fuzz_shared {
	enum fuzz_family abi;
	bool extensions, can_fail, verbose;
	bool isolated;			/* no client can reach another's memory */
	bool last;			/* the process ends behind this program, and leaves all open */
	struct gpu_client client;	/* of the file that all share */
	int other;			/* file of another device; -1: there is none */
	uint32_t other_bo[2];		/* and memory of it */
	unsigned int *ready;		/* processes of this program that can begin; a futex */
	struct fuzz_counts *counts;	/* of each callee; written by all processes */
	unsigned int *written;		/* witnesses whose memory somebody else wrote; by all processes */
};

/* What a word of a witness' BO is; see limn/witness.h. */
uint32_t fuzz_witness_word(uint32_t word);

/* A file with memory for its own jobs. */
struct gpu_client fuzz_client_new(enum fuzz_family abi, bool extensions, int fd);
/* One more process can begin, or never will; how many now. */
unsigned int fuzz_ready(const struct fuzz_shared *shared);
/* Makes the calls of this process, one after the other; what it opened and mapped for them is gone then. */
void fuzz_run(const struct fuzz_shared *shared, const struct fuzz_program *p, unsigned int process);

#endif
