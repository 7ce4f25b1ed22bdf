// SPDX-License-Identifier: MIT
/* limn capture: runs a program with liblimn-capture.so in it, and counts what it has recorded. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>	/* crc32() */

#include "tool/capture/capture.h"
#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/out_file.h"

#define LIBRARY		"liblimn-capture.so"
#define MAX_WORDS	4096
#define NO_PROGRAM	126	/* exit status of the child when there is no such program */

struct options {
	const char *out;
	bool results, quiet;
	const char *words[MAX_WORDS + 1];	/* the program and its arguments */
};

/* Beside this program, or where it is installed. */
static bool find_library(char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash) {
		slash[1] = 0;
		if ((size_t)snprintf(path, size, "%s%s", self, LIBRARY) < size && !access(path, R_OK))
			return true;
	}
	return (size_t)snprintf(path, size, "%s/limn/%s", LIMN_LIBDIR, LIBRARY) < size && !access(path, R_OK);
}

/* In the child. */
static void run(const struct options *o, const char *library, const char *part)
{
	const char *others = getenv("LD_PRELOAD");
	char all[2 * PATH_MAX], path[PATH_MAX];

	snprintf(all, sizeof(all), "%s%s%s", library, others && *others ? ":" : "", others ? others : "");
	if (!realpath(part, path) || setenv("LD_PRELOAD", all, 1) || setenv("LIMN_CAPTURE", path, 1) ||
	    (o->results && setenv("LIMN_CAPTURE_RESULTS", "1", 1)))
		_exit(NO_PROGRAM);
	execvp(o->words[0], (char **)o->words);
	fprintf(stderr, "limn capture: %s: %s\n", o->words[0], strerror(errno));
	_exit(NO_PROGRAM);
}

void capture_end_mark(FILE *f, int status)
{
	struct limn_capture_closed closed = { .status = status };
	struct limn_capture_chunk head = { .type = LIMN_CAPTURE_CLOSED, .stored = sizeof(closed), .size = sizeof(closed) };

	fseek(f, 0, SEEK_END);
	closed.size = ftell(f);
	head.check = crc32(0, (void *)&head, offsetof(struct limn_capture_chunk, check));
	head.check = crc32(head.check, (void *)&closed, sizeof(closed));
	fwrite(&head, sizeof(head), 1, f);
	fwrite(&closed, sizeof(closed), 1, f);
	fflush(f);
}

struct counts {
	uint32_t processes, devices, submits, refused, bos;
	uint64_t spent_ns;	/* of the process that has spent most */
	char gpu[64];
	const char *damage;
};

static int count(const char *path, struct counts *n, struct limn_error *err)
{
	struct capture *c;
	struct capture_event e = { .type = CAPTURE_EVENT_FILE };
	int ret = limn_capture_open(path, &c, err);

	*n = (struct counts){ .spent_ns = 0 };
	while (!ret && e.type != CAPTURE_EVENT_END) {
		uint64_t spent = 0;

		ret = limn_capture_next(c, &e, err);
		if (ret)
			break;
		n->processes += e.type == CAPTURE_EVENT_PROCESS;
		n->devices += e.type == CAPTURE_EVENT_FILE;
		n->bos += e.type == CAPTURE_EVENT_BO;
		if (e.type == CAPTURE_EVENT_FILE && !*n->gpu)
			snprintf(n->gpu, sizeof(n->gpu), "%s%s%s", e.file->told.driver, *capture_gpu(e.file) ? ", " : "",
				 capture_gpu(e.file));
		if (e.type == CAPTURE_EVENT_SUBMIT) {
			n->submits++;
			n->refused += e.refused != 0;
			spent = e.submit->told.spent_ns;
		} else if (e.type == CAPTURE_EVENT_PROCESS_END) {
			spent = e.end.spent_ns;
		}
		n->spent_ns = spent > n->spent_ns ? spent : n->spent_ns;
	}
	if (!ret && limn_capture_damage(c))
		ret = limn_fail(err, -1, "%.80s: %.150s", path, limn_capture_damage(c));
	limn_capture_close(c);
	return ret;
}

static void print_counts(const struct options *o, const struct counts *n, uint64_t size, double seconds)
{
	double spent = n->spent_ns * 1e-9;

	fprintf(stderr, "%s: %u submits", o->out, n->submits);
	if (n->refused)
		fprintf(stderr, " (%u refused)", n->refused);
	if (n->gpu[0])
		fprintf(stderr, " to %s", n->gpu);
	fprintf(stderr, " from %u process%s, %u BOs, %llu bytes; slower by %.2f times (%.2f s of %.2f s)\n", n->processes,
		n->processes == 1 ? "" : "es", n->bos, (unsigned long long)size,
		seconds > spent ? seconds / (seconds - spent) : 1, spent, seconds);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* The client's exit status, or as a shell tells of a signal: 128 and its number. */
static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return NO_PROGRAM;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int capture(const struct options *o, struct out_file *out, const char *library)
{
	const struct limn_capture_header header = {
		LIMN_CAPTURE_MAGIC, LIMN_CAPTURE_MAJOR, LIMN_CAPTURE_MINOR, sizeof(header),
	};
	double begin = now(), end;
	struct limn_error err;
	struct counts n;
	pid_t child;
	int status;

	fwrite(&header, sizeof(header), 1, out->f);
	if (fflush(out->f)) {
		out_close(out, &err);
		return failed(EXIT_INPUT, "%s", err.text);
	}
	/* An interrupt from the terminal ends the client; what it has submitted stays. */
	signal(SIGINT, SIG_IGN);
	child = fork();
	if (!child) {
		signal(SIGINT, SIG_DFL);
		run(o, library, out->part);
	}
	status = child < 0 ? NO_PROGRAM : wait_for(child);
	end = now();
	capture_end_mark(out->f, status);
	if (count(out->part, &n, &err)) {
		fprintf(stderr, "limn capture: %s\n", err.text);
		out_close(out, NULL);
		return EXIT_INPUT;
	}
	if (!n.devices) {
		out_discard(out);
		if (status != NO_PROGRAM)
			fprintf(stderr, "limn capture: %s has opened no device of lima's or etnaviv's user ABI\n", o->words[0]);
		return status == NO_PROGRAM ? EXIT_USAGE : EXIT_INPUT;
	}
	if (out_close(out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!o->quiet) {
		struct capture *c;
		uint64_t size = limn_capture_open(o->out, &c, NULL) ? 0 : limn_capture_size(c);

		limn_capture_close(c);
		print_counts(o, &n, size, end - begin);
	}
	if (status)
		fprintf(stderr, "limn capture: %s has ended with status %d\n", o->words[0], status);
	return status ? EXIT_JOB : EXIT_OK;
}

int cmd_capture(int argc, char **argv)
{
	struct options o = { .out = "out.limncap" };
	const struct option own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE",
		  .help = "the capture; out.limncap" },
		{ .name = "--results", .kind = OPTION_FLAG, .to = &o.results,
		  .help = "waits for each job and records what it has written" },
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "capture", .files = "-- CMD [ARG...]", .options = own,
		.about = "Runs a program and records what it and its children submit to a GPU of lima's or etnaviv's user\n"
			 "ABI, on any driver and without privileges: the contents of BOs that have changed, then each job.\n"
			 "Results that the program reads back are recorded too; limn replay compares with them. When the\n"
			 "program crashes the file has what it submitted until then. Exit status 3 when it failed.\n",
		.example = "limn capture -o frame.limncap -- glmark2-es2",
		.paths = o.words, .max_paths = MAX_WORDS, .min_paths = 1,
	};
	char library[PATH_MAX];
	struct out_file out;
	struct limn_error err;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (!find_library(library, sizeof(library)))
		return failed(EXIT_INPUT, "%s is not beside limn, and not in %s/limn", LIBRARY, LIMN_LIBDIR);
	if (out_open(&out, o.out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!out.part[0]) {
		out_discard(&out);
		return failed(EXIT_INPUT, "%s: a capture is a regular file", o.out);
	}
	return capture(&o, &out, library);
}
