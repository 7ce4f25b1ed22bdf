/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the kernel half (kernel headers) and the user half (host headers). */
#ifndef LIMN_UML_H
#define LIMN_UML_H

struct limn_model_start {
	const char *path;	/* program, on the host */
	const char *args;	/* comma-separated, after the ones of the carrier */
	int ram_fd;		/* the file that is the guest's RAM */
	unsigned long long ram_start, ram_size;	/* what of it is ordinary memory, in bytes */
};

/*
 * Starts the model process; *irq_fd becomes readable when a line goes up, *dma
 * is a counter for each page of RAM, see limn_dma_kern.c. 0 or -errno.
 */
int limn_model_start(const struct limn_model_start *start, int *irq_fd, unsigned short **dma);
void limn_dma_init(unsigned short *counters, unsigned long long start, unsigned long long size);

/* Both: one caller at a time, interrupts off. An answered one returns the answer; a dead model panics. */
void limn_model_post(unsigned int op, unsigned int offset, unsigned int value);
unsigned int limn_model_ask(unsigned int op, unsigned int offset);

unsigned int limn_model_levels(void);
void limn_model_irq_ack(void);		/* before looking at the levels */
void limn_model_irq_kick(void);		/* have the handler called again */

/* NULL when there is no counter of that index. Valid after an answered LIMN_MBOX_STATS. */
const char *limn_model_counter(unsigned int index, unsigned long long *value);

/* The guest's clock, in nanoseconds: see limn_uml_user.c. */
unsigned long long limn_clock_ns(void);

/* In a loop that waits for another CPU. */
void limn_spins(void);

/* As ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, kept), where the host has more than that to set. */
struct iovec;
long limn_set_xstate(int pid, const struct iovec *kept);

/* Called by the user half; never returns. */
void limn_model_died(int status);

/* Host file descriptors for the guest's init: see limn_host_kern.c. */
int limn_host_ready(int fd, int write);

#endif
