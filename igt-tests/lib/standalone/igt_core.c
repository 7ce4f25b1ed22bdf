// SPDX-License-Identifier: MIT
/*
 * A small libigt.so.0: what of its ABI our tests use (../abi), for machines that
 * have none; Debian packages libigt for x86 only. Subtests, fixtures, forked
 * children and helpers end the way libigt's do, and the output reads the same.
 */
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <xf86drm.h>
#include "igt.h"

#define MAX_HANDLERS	8
#define MAX_CHILDREN	256

jmp_buf igt_subtest_jmpbuf;
jmp_buf igt_dynamic_jmpbuf;
int (*igt_ioctl)(int fd, unsigned long request, void *arg) = drmIoctl;

enum outcome { NONE, SUCCESS, SKIP, FAIL };
static const char * const outcome_name[] = { "", "SUCCESS", "SKIP", "FAIL" };

static struct {
	const char *program, *wanted;	/* --run-subtest: names or globs, with commas between */
	bool list_only, debug;
	bool found;			/* a subtest that was wanted */
	bool in_fixture, is_child, is_helper;
	char subtest[256];		/* the one that runs; empty: none */
	struct timespec start;
	enum outcome rest;		/* of subtests that cannot run: their fixture did not end well */
	unsigned int count[FAIL + 1];
	int exitcode;			/* of the first failure */
	igt_exit_handler_t handler[MAX_HANDLERS];
	unsigned int num_handlers;
	pid_t child[MAX_CHILDREN];
	unsigned int num_children;
	struct igt_helper_process signaller;
} igt;

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec + (now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* --- the end of the program ------------------------------------------- */

static void run_handlers(int sig)
{
	while (igt.num_handlers)
		igt.handler[--igt.num_handlers](sig);
}

static void at_exit(void)
{
	if (!igt.is_child && !igt.is_helper)
		run_handlers(0);
}

static void on_fatal_signal(int sig)
{
	static const char text[] = "Received a fatal signal\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(128 + sig);
	if (!igt.is_child && !igt.is_helper)
		run_handlers(sig);
	signal(sig, SIG_DFL);
	raise(sig);
}

void igt_install_exit_handler(igt_exit_handler_t handler)
{
	igt_assert(igt.num_handlers < MAX_HANDLERS);
	igt.handler[igt.num_handlers++] = handler;
}

static void parse(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--list-subtests")) {
			igt.list_only = true;
		} else if (!strcmp(argv[i], "--debug")) {
			igt.debug = true;
		} else if (!strcmp(argv[i], "--run-subtest") && i + 1 < argc) {
			igt.wanted = argv[++i];
		} else {
			fprintf(stderr, "usage: %s [--list-subtests] [--debug] [--run-subtest NAMES]\n%s\n",
				argv[0], __igt_test_description);
			exit(IGT_EXIT_INVALID);
		}
	}
}

int igt_subtest_init_parse_opts(int *argc, char **argv, const char *short_opts,
				const struct option *long_opts, const char *help,
				igt_opt_handler_t handler, void *data)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT };
	struct utsname uts;
	unsigned int i;

	igt.program = argv[0];
	parse(*argc, argv);
	if (igt.list_only)
		return 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], on_fatal_signal);
	atexit(at_exit);
	if (!uname(&uts))
		printf("IGT-Version: limn's own (%s: %s %s)\n", uts.machine, uts.sysname, uts.release);
	return 0;
}

void igt_exit(void)
{
	if (igt.list_only)
		exit(IGT_EXIT_SUCCESS);
	if (igt.wanted && !igt.found) {
		fprintf(stderr, "Unknown subtest: %s\n", igt.wanted);
		exit(IGT_EXIT_INVALID);
	}
	if (igt.count[FAIL])
		exit(igt.exitcode ? igt.exitcode : IGT_EXIT_FAILURE);
	exit(igt.count[SUCCESS] ? IGT_EXIT_SUCCESS : IGT_EXIT_SKIP);
}

/* --- fixtures and subtests -------------------------------------------- */

bool igt_only_list_subtests(void)
{
	return igt.list_only;
}

const char *igt_subtest_name(void)
{
	return igt.subtest[0] ? igt.subtest : NULL;
}

bool __igt_fixture(void)
{
	if (igt.list_only || igt.rest)
		return false;
	igt.in_fixture = true;
	return true;
}

void __igt_fixture_complete(void)
{
	igt.in_fixture = false;
}

void __igt_subtest_group_save(int *save, int *desc)
{
	*save = igt.rest;
	*desc = 0;
}

void __igt_subtest_group_restore(int save, int desc)
{
	igt.rest = save;
}

void igt_describe_f(const char *format, ...)
{
}

static bool wanted(const char *name)
{
	char names[4096], *rest = names, *one;

	if (!igt.wanted)
		return true;
	snprintf(names, sizeof(names), "%s", igt.wanted);
	while ((one = strsep(&rest, ",")))
		if (!fnmatch(one, name, 0))
			return true;
	return false;
}

bool __igt_run_subtest(const char *name, const char *file, int line)
{
	if (igt.list_only) {
		puts(name);
		return false;
	}
	if (!wanted(name))
		return false;
	igt.found = true;
	if (igt.rest) {
		printf("Subtest %s: %s\n", name, outcome_name[igt.rest]);
		igt.count[igt.rest]++;
		return false;
	}
	snprintf(igt.subtest, sizeof(igt.subtest), "%s", name);
	printf("Starting subtest: %s\n", name);
	fflush(NULL);
	clock_gettime(CLOCK_MONOTONIC, &igt.start);
	return true;
}

/* Back to where the subtest or the fixture began, which then is over. */
static void __attribute__((noreturn)) leave(enum outcome outcome)
{
	igt_reset_timeout();
	if (igt.in_fixture) {
		igt.in_fixture = false;
		igt.rest = outcome;
	} else if (igt.subtest[0]) {
		printf("Subtest %s: %s (%.3fs)\n", igt.subtest, outcome_name[outcome], seconds_since(&igt.start));
		fflush(stdout);
		igt.subtest[0] = '\0';
		igt.count[outcome]++;
	} else {
		exit(outcome == SKIP ? IGT_EXIT_SKIP : IGT_EXIT_FAILURE);
	}
	siglongjmp(igt_subtest_jmpbuf, 1);
}

void igt_success(void)
{
	if (igt.is_child)
		exit(0);
	leave(SUCCESS);
}

static void __attribute__((noreturn)) fail(int exitcode)
{
	if (igt.is_child || igt.is_helper)
		exit(exitcode);
	if (!igt.exitcode)
		igt.exitcode = exitcode;
	igt_kill_children(SIGKILL);
	leave(FAIL);
}

static void print_reason(FILE *file, const char *format, va_list args)
{
	if (format)
		vfprintf(file, format, args);
}

static void __attribute__((noreturn)) skip(const char *format, va_list args)
{
	print_reason(stdout, format, args);
	if (igt.is_child)
		exit(IGT_EXIT_SKIP);
	leave(SKIP);
}

void igt_skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	skip(format, args);
}

void __igt_skip_check(const char *file, int line, const char *func, const char *check,
		      const char *format, ...)
{
	va_list args;

	printf("Test requirement not met in function %s, file %s:%d:\nTest requirement: %s\n", func, file,
	       line, check);
	va_start(args, format);
	skip(format, args);
}

void __igt_fail_assert(const char *domain, const char *file, int line, const char *func,
		       const char *assertion, const char *format, ...)
{
	int err = errno;
	va_list args;

	fflush(stdout);
	fprintf(stderr, "(%s:%d) CRITICAL: Test assertion failure function %s, file %s:%d:\n", igt.program,
		getpid(), func, file, line);
	fprintf(stderr, "(%s:%d) CRITICAL: Failed assertion: %s\n", igt.program, getpid(), assertion);
	if (err)
		fprintf(stderr, "(%s:%d) CRITICAL: Last errno: %d, %s\n", igt.program, getpid(), err,
			strerror(err));
	va_start(args, format);
	if (format)
		fprintf(stderr, "(%s:%d) CRITICAL: ", igt.program, getpid());
	print_reason(stderr, format, args);
	va_end(args);
	fail(IGT_EXIT_FAILURE);
}

void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
{
	FILE *file = level >= IGT_LOG_WARN ? stderr : stdout;
	va_list args;

	if (level == IGT_LOG_DEBUG && !igt.debug)
		return;
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
}

/* --- time ------------------------------------------------------------- */

static const char *timeout_op;

static void on_alarm(int sig)
{
	fprintf(stderr, "Timed out%s%s\n", timeout_op ? ": " : "", timeout_op ? timeout_op : "");
	fail(IGT_EXIT_FAILURE);
}

void igt_set_timeout(unsigned int seconds, const char *op)
{
	const struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_NODEFER };

	timeout_op = op;
	sigaction(SIGALRM, &action, NULL);
	alarm(seconds);
}

void igt_reset_timeout(void)
{
	alarm(0);
}

uint64_t igt_nsec_elapsed(struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!start->tv_sec && !start->tv_nsec) {
		*start = now;
		return 0;
	}
	return (now.tv_sec - start->tv_sec) * 1000000000ull + now.tv_nsec - start->tv_nsec;
}

/* --- processes -------------------------------------------------------- */

static pid_t fork_off(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	igt_assert(pid >= 0);
	return pid;
}

bool __igt_fork(void)
{
	pid_t pid;

	igt_assert(igt.num_children < MAX_CHILDREN);
	pid = fork_off();
	if (!pid) {
		igt.is_child = true;
		igt.num_children = 0;
		return true;
	}
	igt.child[igt.num_children++] = pid;
	return false;
}

void igt_kill_children(int sig)
{
	unsigned int i;

	for (i = 0; i < igt.num_children; i++)
		kill(igt.child[i], sig);
	if (sig == SIGKILL || sig == SIGTERM) {
		for (i = 0; i < igt.num_children; i++)
			while (waitpid(igt.child[i], NULL, 0) < 0 && errno == EINTR)
				;
		igt.num_children = 0;
	}
}

void igt_waitchildren(void)
{
	unsigned int i, n = igt.num_children;
	int status, err = 0;

	igt.num_children = 0;
	for (i = 0; i < n; i++) {
		while (waitpid(igt.child[i], &status, 0) < 0)
			if (errno != EINTR)
				break;
		if (status && !err) {
			err = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			fprintf(stderr, "CRITICAL: child %u failed with exit status %d\n", i, err);
		}
	}
	if (err == IGT_EXIT_SKIP)
		igt_skip(NULL);
	if (err)
		fail(err);
}

void igt_waitchildren_timeout(int seconds, const char *reason)
{
	igt_set_timeout(seconds, reason);
	igt_waitchildren();
	igt_reset_timeout();
}

bool __igt_fork_helper(struct igt_helper_process *proc)
{
	pid_t pid;

	igt_assert(!proc->running);
	pid = fork_off();
	if (!pid) {
		igt.is_helper = true;
		igt.num_children = 0;
		signal(SIGTERM, SIG_DFL);
		return true;
	}
	proc->running = true;
	proc->pid = pid;
	return false;
}

int igt_wait_helper(struct igt_helper_process *proc)
{
	int status = -1;

	while (waitpid(proc->pid, &status, 0) < 0 && errno == EINTR)
		;
	proc->running = false;
	return status;
}

void igt_stop_helper(struct igt_helper_process *proc)
{
	kill(proc->pid, proc->use_SIGKILL ? SIGKILL : SIGTERM);
	igt_wait_helper(proc);
}

static void on_interruption(int sig)
{
}

/* Something that interrupts every system call of the test that sleeps. */
void igt_fork_signal_helper(void)
{
	const struct sigaction action = { .sa_handler = on_interruption };
	pid_t parent = getpid();

	sigaction(SIGCONT, &action, NULL);
	igt_fork_helper(&igt.signaller) {
		const struct timespec pause = { .tv_nsec = 2000000 };

		while (!kill(parent, SIGCONT))
			nanosleep(&pause, NULL);
	}
}

void igt_stop_signal_helper(void)
{
	if (igt.signaller.running)
		igt_stop_helper(&igt.signaller);
}
