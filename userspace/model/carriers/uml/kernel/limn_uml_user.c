// SPDX-License-Identifier: GPL-2.0-only
/*
 * The carrier's user half: host system calls only. Starts the model process
 * and talks to it through the mailbox.
 *
 * Two things to know about UML here. Its kernel stacks lie in shared memory,
 * so a forked child would share the parent's stack: the child gets a stack of
 * its own and the parent waits for its exec (CLONE_VFORK). And malloc() is
 * kmalloc() once the kernel runs, so nothing here allocates.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/elf.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <os.h>
#include "limn_mailbox.h"
#include "limn_uml.h"

#define MAX_ARGS	40
#define KEPT		4	/* file descriptors that the model gets */
#define CHILD_STACK	65536
#define SPIN_ROUNDS	4000	/* some 20 us, then sleep */
#define YIELD_ROUNDS	64	/* some 2 us */

static struct limn_mbox *mbox;
static unsigned int sent;	/* sequence number of the newest entry */
static int irq_pipe[2] = { -1, -1 };
static pid_t model_pid;

/*
 * The guest's clock stands still, on all CPUs, while one waits for an answer that
 * takes longer than any register would: else a host that gives the model's CPU
 * to somebody else for a moment makes drivers' microsecond time-outs fire.
 */
#define ANSWER_CYCLES	8192	/* of the host's time stamp counter: 2 to 4 us */
static struct {
	unsigned int seq;		/* odd while the fields below change */
	bool stopped;
	unsigned long long at;		/* guest's ns, while stopped */
	unsigned long long behind;	/* ns that the guest's clock is behind the host's */
} timing;

unsigned long long limn_clock_ns(void)
{
	unsigned long long now;
	unsigned int seq;

	do {
		seq = __atomic_load_n(&timing.seq, __ATOMIC_ACQUIRE);
		now = timing.stopped ? timing.at : os_nsecs() - timing.behind;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq & 1 || seq != __atomic_load_n(&timing.seq, __ATOMIC_RELAXED));
	return now;
}

/* In loops of the kernel's that wait for another CPU, which the host may have suspended. */
void limn_spins(void)
{
	static __thread unsigned int rounds;

	if (++rounds % YIELD_ROUNDS)
		__builtin_ia32_pause();
	else
		sched_yield();
}

static void clock_change(bool stop)
{
	__atomic_add_fetch(&timing.seq, 1, __ATOMIC_SEQ_CST);
	if (stop)
		timing.at = os_nsecs() - timing.behind;
	else
		timing.behind = os_nsecs() - timing.at;
	timing.stopped = stop;
	__atomic_add_fetch(&timing.seq, 1, __ATOMIC_SEQ_CST);
}

struct child {
	const char *path;
	char **argv;
	pid_t parent;
	int keep[KEPT];		/* close-on-exec is lifted in the child only */
	int err;
};

static int child_main(void *arg)
{
	struct child *child = arg;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != child->parent)
		_exit(1);
	for (i = 0; i < KEPT; i++)
		fcntl(child->keep[i], F_SETFD, 0);
	execv(child->path, child->argv);
	child->err = errno;
	_exit(127);
}

static int spawn(struct child *child)
{
	sigset_t all, old;
	void *stack;
	pid_t pid;

	stack = mmap(NULL, CHILD_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return -errno;

	/* UML's handlers must not run in the child, which shares our memory. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	child->parent = getpid();
	pid = clone(child_main, (char *)stack + CHILD_STACK, CLONE_VM | CLONE_VFORK, child);
	if (pid < 0)
		child->err = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	munmap(stack, CHILD_STACK);

	if (child->err) {
		if (pid > 0)
			waitpid(pid, NULL, __WALL);
		return -child->err;
	}
	model_pid = pid;
	return 0;
}

static int open_shared(const char *name, size_t size, int *fd, void **memory)
{
	*fd = memfd_create(name, MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, size) < 0)
		return -errno;
	*memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return *memory == MAP_FAILED ? -errno : 0;
}

static int open_mailbox(int *fd)
{
	void *memory;
	int err = open_shared("limn-mailbox", sizeof(*mbox), fd, &memory);

	if (err)
		return err;
	mbox = memory;

	/*
	 * The model says that it is asleep, then looks at the ring once more. For
	 * that look to see our last entry we would have to fence after each one;
	 * where the host has membarrier(), the model makes us do it only then.
	 */
	mbox->fence = syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) != 0;
	mbox->magic = LIMN_MBOX_MAGIC;
	return 0;
}

int limn_model_start(const struct limn_model_start *start, int *irq_fd, unsigned short **dma)
{
	static char args[1024], number[6][24];
	char *argv[MAX_ARGS], *p;
	struct child child = { .path = start->path, .argv = argv };
	int mbox_fd, dma_fd, argc = 0, err;
	void *counters;

	err = open_mailbox(&mbox_fd);
	if (!err)
		err = open_shared("limn-dma", start->ram_size / UM_KERN_PAGE_SIZE * sizeof(**dma),
				  &dma_fd, &counters);
	if (err)
		return err;
	*dma = counters;
	/* A pipe, because an eventfd raises no SIGIO. */
	if (pipe2(irq_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;

	snprintf(number[0], sizeof(number[0]), "%d", mbox_fd);
	snprintf(number[1], sizeof(number[1]), "%d", start->ram_fd);
	snprintf(number[2], sizeof(number[2]), "%llu", start->ram_start);
	snprintf(number[3], sizeof(number[3]), "%llu", start->ram_size);
	snprintf(number[4], sizeof(number[4]), "%d", irq_pipe[1]);
	snprintf(number[5], sizeof(number[5]), "%d", dma_fd);
	argv[argc++] = "limn-model";
	argv[argc++] = "--mailbox-fd";
	argv[argc++] = number[0];
	argv[argc++] = "--ram-fd";
	argv[argc++] = number[1];
	argv[argc++] = "--ram-start";
	argv[argc++] = number[2];
	argv[argc++] = "--ram-size";
	argv[argc++] = number[3];
	argv[argc++] = "--irq-fd";
	argv[argc++] = number[4];
	argv[argc++] = "--dma-fd";
	argv[argc++] = number[5];
	snprintf(args, sizeof(args), "%s", start->args ? start->args : "");
	for (p = args; *p && argc < MAX_ARGS - 1; ) {
		argv[argc++] = p;
		p += strcspn(p, ",");
		if (*p)
			*p++ = 0;
	}
	argv[argc] = NULL;

	child.keep[0] = mbox_fd;
	child.keep[1] = start->ram_fd;
	child.keep[2] = irq_pipe[1];
	child.keep[3] = dma_fd;
	err = spawn(&child);
	close(mbox_fd);
	close(dma_fd);
	*irq_fd = irq_pipe[0];
	return err;
}

static void futex_wake(unsigned int *word)
{
	syscall(__NR_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void check_alive(void)
{
	int status;

	if (waitpid(model_pid, &status, WNOHANG | __WALL) == model_pid)
		limn_model_died(status);
}

/* A wait for the model. The one producer waits, so there is one at a time. */
struct wait {
	unsigned long long start;
	unsigned int rounds;
};

/* One round: spins at first, then sleeps 1 ms at a time. */
static void wait_round(struct wait *wait)
{
	struct timespec ms = { .tv_nsec = 1000000 };
	unsigned int *rounds = &wait->rounds, seen;

	if (!timing.stopped && __builtin_ia32_rdtsc() - wait->start > ANSWER_CYCLES)
		clock_change(true);
	if (++*rounds < SPIN_ROUNDS) {
		if (*rounds > 256)
			__builtin_ia32_pause();
		return;
	}
	if (*rounds == SPIN_ROUNDS) {
		/* The condition is looked at once more between this and the sleep. */
		__atomic_store_n(&mbox->waiting, 1, __ATOMIC_SEQ_CST);
		return;
	}
	seen = __atomic_load_n(&mbox->wakeups, __ATOMIC_ACQUIRE);
	if (syscall(__NR_futex, &mbox->wakeups, FUTEX_WAIT, seen, &ms, NULL, 0) < 0 &&
	    errno == ETIMEDOUT)
		check_alive();
}

static void wait_end(const struct wait *wait)
{
	if (timing.stopped)
		clock_change(false);
	if (wait->rounds >= SPIN_ROUNDS)
		__atomic_store_n(&mbox->waiting, 0, __ATOMIC_RELAXED);
}

static void wait_for_room(unsigned int seq)
{
	struct wait wait = { .start = __builtin_ia32_rdtsc() };

	while (seq - __atomic_load_n(&mbox->done, __ATOMIC_ACQUIRE) > LIMN_MBOX_SLOTS)
		wait_round(&wait);
	wait_end(&wait);
}

static unsigned int publish(unsigned int op, unsigned int offset, unsigned int value)
{
	unsigned int seq = ++sent;
	struct limn_mbox_slot *slot = &mbox->slot[seq % LIMN_MBOX_SLOTS];

	if (seq - __atomic_load_n(&mbox->done, __ATOMIC_ACQUIRE) > LIMN_MBOX_SLOTS)
		wait_for_room(seq);

	slot->op = op;
	slot->offset = offset;
	slot->value = value;
	__atomic_store_n(&slot->seq, seq, __ATOMIC_RELEASE);
	if (mbox->fence)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	else
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&mbox->asleep, __ATOMIC_RELAXED)) {
		__atomic_store_n(&mbox->asleep, 0, __ATOMIC_SEQ_CST);
		futex_wake(&mbox->asleep);
	}
	return seq;
}

void limn_model_post(unsigned int op, unsigned int offset, unsigned int value)
{
	publish(op, offset, value);
}

unsigned int limn_model_ask(unsigned int op, unsigned int offset)
{
	struct wait wait = { .start = __builtin_ia32_rdtsc() };
	unsigned int seq = publish(op, offset, 0);
	unsigned long long answer;

	while (1) {
		answer = __atomic_load_n(&mbox->answer, __ATOMIC_ACQUIRE);
		if ((unsigned int)(answer >> 32) == seq)
			break;
		wait_round(&wait);
	}
	wait_end(&wait);
	return (unsigned int)answer;
}

unsigned int limn_model_levels(void)
{
	return __atomic_load_n(&mbox->levels, __ATOMIC_SEQ_CST);
}

void limn_model_irq_ack(void)
{
	char drain[64];

	while (read(irq_pipe[0], drain, sizeof(drain)) == sizeof(drain))
		;
	__atomic_store_n(&mbox->kicked, 0, __ATOMIC_SEQ_CST);
}

void limn_model_irq_kick(void)
{
	char byte = 0;

	/* EAGAIN: the pipe is full, so the handler will be called anyway. */
	if (write(irq_pipe[1], &byte, 1) < 0)
		return;
}

const char *limn_model_counter(unsigned int index, unsigned long long *value)
{
	if (index >= LIMN_MBOX_COUNTERS || !mbox->counter[index].name[0])
		return NULL;
	*value = mbox->counter[index].value;
	return mbox->counter[index].name;
}

int limn_host_ready(int fd, int write)
{
	struct pollfd p = { .fd = fd, .events = write ? POLLOUT : POLLIN };

	return poll(&p, 1, 0) != 0;
}

/*
 * Linux 6.12's User Mode Linux keeps 2696 bytes of extended processor state for
 * each process, and the host takes no less than it has: 11008 where the processor
 * has tiles (AMX). A process has to ask for tiles before it can use them, and
 * none can here, so what is beyond stays in its initial state, all zero.
 */
long limn_set_xstate(int pid, const struct iovec *kept)
{
	static char whole[16384];
	static size_t size;
	struct iovec all = { .iov_base = whole, .iov_len = sizeof(whole) };
	int enabled;
	long ret;

	if (!size) {
		if (ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &all) < 0)
			return -1;
		size = all.iov_len;
		memset(whole, 0, sizeof(whole));
	}
	if (size <= kept->iov_len)
		return ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, kept);
	/* Another process may run after an interrupt, and comes here too. */
	enabled = um_set_signals(0);
	memcpy(whole, kept->iov_base, kept->iov_len);
	all.iov_len = size;
	ret = ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &all);
	um_set_signals(enabled);
	return ret;
}
