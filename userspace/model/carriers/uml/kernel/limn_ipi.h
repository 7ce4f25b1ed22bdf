/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included by arch/um/os-Linux/smp.c in place of its own handler. That one has the signal of another CPU blocked
 * while interrupts are off: two system calls for each of them, half of the time that the debug kernel took. As with
 * the timer's signal, one that comes meanwhile is remembered here instead, until interrupts are on.
 */
static __thread unsigned int ipis_pending;	/* a bit for each vector */

int os_ipi_pending(void)
{
	return ipis_pending != 0;
}

void os_local_ipi_disable(void)
{
}

/*
 * Not inlined: until interrupts are off the caller may go on as another thread of the host, and its address of a
 * variable of the thread would be the old one's.
 */
static noinline unsigned int take_ipis(void)
{
	return __atomic_exchange_n(&ipis_pending, 0, __ATOMIC_SEQ_CST);
}

/* Interrupts have been turned on: from here on a signal comes through by itself. */
void os_local_ipi_enable(void)
{
	while (ipis_pending) {
		unsigned int vectors;

		signals_enabled = 0;
		um_trace_signals_off();
		vectors = take_ipis();
		for (int vector = 0; vectors; vector++, vectors >>= 1) {
			if (vectors & 1)
				uml_ipi_handler(vector);
		}
		um_trace_signals_on();
		signals_enabled = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	}
}

static void ipi_sig_handler(int sig, siginfo_t *si, void *uc)
{
	int save_errno = errno;
	sigset_t set;

	__atomic_fetch_or(&ipis_pending, 1u << si->si_value.sival_int, __ATOMIC_SEQ_CST);
	if (signals_enabled) {
		/* Softirqs take long. More come meanwhile, one at a time: the stack has no room for many frames. */
		signals_enabled = 0;
		sigemptyset(&set);
		sigaddset(&set, IPI_SIGNAL);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		os_local_ipi_enable();
	}
	errno = save_errno;
}
