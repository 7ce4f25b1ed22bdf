// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_sys.h"
#include "kcov.h"
#include "workers.h"

#define PROGRAM_SECONDS	20	/* then its processes are killed, */
#define KILL_SECONDS	60	/* and have so long to die */

static struct worker {
	pid_t pid;	/* 0: there is none */
	int socket;	/* to it: struct fuzz_shared and its files; from it: a byte behind each program */
	bool busy;
} workers[FUZZ_PROCESSES];
static unsigned int cut_short;

unsigned int workers_cut_short(void)
{
	return cut_short;
}

int workers_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --- What a program starts with ------------------------------------------- */

union files {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(2 * sizeof(int))];
};

static bool send_shared(int socket, const struct fuzz_shared *shared)
{
	struct iovec data = { (void *)shared, sizeof(*shared) };
	unsigned int n = shared->other < 0 ? 1 : 2;
	int fds[2] = { shared->client.fd, shared->other };
	union files files = { 0 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &files, .msg_controllen = CMSG_SPACE(n * sizeof(int)),
	};

	files.header.cmsg_level = SOL_SOCKET;
	files.header.cmsg_type = SCM_RIGHTS;
	files.header.cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(&files.header), fds, n * sizeof(int));
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(*shared);
}

static bool receive_shared(struct fuzz_shared *shared)
{
	struct iovec data = { shared, sizeof(*shared) };
	int fds[2] = { -1, -1 };
	union files files = { 0 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &files, .msg_controllen = sizeof(files),
	};

	if (recvmsg(FUZZ_FD_SOCKET, &message, 0) != (ssize_t)sizeof(*shared) || !message.msg_controllen)
		return false;
	memcpy(fds, CMSG_DATA(&files.header), files.header.cmsg_len - CMSG_LEN(0));
	shared->client.fd = fds[0];
	shared->other = fds[1];
	return true;
}

/* --- A worker ------------------------------------------------------------- */

_Noreturn static void work(const struct fuzz_program *p, unsigned int process, int socket)
{
	struct fuzz_shared shared;

	dup2(socket, FUZZ_FD_SOCKET);
	close_range(3, FUZZ_FD_SOCKET - 1, 0);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit) { FUZZ_FDS, FUZZ_FDS });
	kcov_enable();
	while (receive_shared(&shared)) {
		fuzz_run(&shared, p, process);
		kcov_collect();
		if (shared.last || send(FUZZ_FD_SOCKET, "", 1, MSG_NOSIGNAL) != 1)
			break;
	}
	_exit(0);
}

static bool start(const struct fuzz_program *p, unsigned int process)
{
	int sockets[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return false;
	child = fork();
	if (!child)
		work(p, process, sockets[1]);
	close(sockets[1]);
	workers[process] = (struct worker) { .pid = child, .socket = sockets[0] };
	return child > 0;
}

/* --- All of them ---------------------------------------------------------- */

/* Its calls are not made; the others need not wait for it. */
static void forget(const struct fuzz_shared *shared, struct worker *w)
{
	close(w->socket);
	*w = (struct worker) { 0 };
	fuzz_ready(shared);
}

/* Those that are ready with the program, or ended; whether any is left that runs it. */
static bool some_busy(const struct fuzz_shared *shared, int wait_ms)
{
	struct pollfd polls[FUZZ_PROCESSES];
	bool busy = false;
	char byte;

	for (unsigned int i = 0; i < FUZZ_PROCESSES; i++)
		polls[i] = (struct pollfd) { .fd = workers[i].busy ? workers[i].socket : -1, .events = POLLIN };
	poll(polls, FUZZ_PROCESSES, wait_ms);
	for (unsigned int i = 0; i < FUZZ_PROCESSES; i++) {
		struct worker *w = &workers[i];

		if (w->busy && polls[i].revents && recv(w->socket, &byte, 1, MSG_DONTWAIT) == 1)
			w->busy = false;
		/* What it has open is closed behind its socket. */
		if (w->busy && polls[i].revents && waitpid(w->pid, NULL, WNOHANG) == w->pid)
			forget(shared, w);
		busy |= w->busy;
	}
	return busy;
}

/* Where in the kernel they are: the workers, and those that hold their sockets. */
static void print_stacks(void)
{
	static const char *const files[] = { "status", "wchan", "stack" };
	char path[300], text[4096];
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc && (e = readdir(proc))) {
		if (atoi(e->d_name) <= 0 || atoi(e->d_name) == getpid())
			continue;
		for (unsigned int i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			snprintf(path, sizeof(path), "/proc/%s/%s", e->d_name, files[i]);
			if (sys_read(path, text, sizeof(text)) <= 0)
				break;
			/* The others; and User Mode Linux reads the stack of a process that has none any more. */
			if (i == 0 && (!strstr(text, "fuzz-driver") || strstr(text, "State:\tZ")))
				break;
			printf("%s:\n%.1000s\n", path, text);
		}
	}
	if (proc)
		closedir(proc);
}

static bool wait_for_all(const struct fuzz_shared *shared)
{
	int end = workers_clock() + PROGRAM_SECONDS, die_at = end + KILL_SECONDS;
	bool killed = false;

	while (some_busy(shared, killed ? 10 : 1000)) {
		if (workers_clock() > die_at) {
			print_stacks();
			return false;
		}
		if (!killed && workers_clock() > end) {
			printf("fuzz-driver: cut short after %d s\n", PROGRAM_SECONDS);
			print_stacks();
			for (unsigned int i = 0; i < FUZZ_PROCESSES; i++) {
				if (workers[i].busy)
					kill(workers[i].pid, SIGKILL);
			}
			killed = true;
			cut_short++;
		}
	}
	return true;
}

bool workers_run(const struct fuzz_shared *shared, const struct fuzz_program *p)
{
	for (unsigned int i = 0; i < FUZZ_PROCESSES; i++) {
		if (!workers[i].pid && !start(p, i)) {
			printf("fuzz-driver: no process can be made\n");
			exit(1);
		}
		/* One that was killed for memory behind its last program is found by some_busy(). */
		send_shared(workers[i].socket, shared);
		workers[i].busy = true;
	}
	return wait_for_all(shared);
}
