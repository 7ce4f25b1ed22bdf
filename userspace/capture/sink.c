// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>	/* crc32() */
#include <zstd.h>

#include "capture/sink.h"

#define LEVEL		1	/* of zstd: the client waits for it */
#define MIN_COMPRESS	64	/* bytes; what is shorter stays as it is */

static struct {
	int fd;
	dev_t dev;		/* of the file: clients close descriptors that they do not know */
	ino_t ino;
	bool failed;
	uint32_t process;	/* 0: not begun */
	uint32_t numbers;
	ZSTD_CCtx *z;
	uint8_t *buffer;	/* header and content of the chunk that is written */
	size_t room;
} sink = { .fd = -1 };

uint64_t sink_spent_ns;

uint64_t sink_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

bool sink_active(void)
{
	return sink.fd >= 0 && !sink.failed;
}

static void give_up(const char *why)
{
	sink.failed = true;
	fprintf(stderr, "limn capture: process %d is not recorded any more: %s\n", (int)getpid(), why);
}

/* Out of the way of programs that count on small descriptors. Not through the functions that preload.c stands for. */
static void move(int fd)
{
	int high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200);

	sink.fd = high < 0 ? fd : high;
	if (high >= 0)
		syscall(SYS_close, fd);
}

void sink_open(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "limn capture: process %d is not recorded: %s: %m\n", (int)getpid(), path);
		return;
	}
	sink.dev = st.st_dev;
	sink.ino = st.st_ino;
	move(fd);
}

void sink_keep(int fd)
{
	if (fd >= 0 && fd == sink.fd)
		sink.fd = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200);
}

uint64_t sink_number(void)
{
	return (uint64_t)sink.process << 32 | ++sink.numbers;
}

static void begin_process(uint32_t parent)
{
	struct limn_capture_process p = { .pid = getpid(), .parent = parent, .time_ns = sink_now() };
	char command[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, command, sizeof(command));
	struct sink_part parts[2] = { { &p, sizeof(p) }, { command, n > 0 ? n : 0 } };

	if (fd >= 0)
		syscall(SYS_close, fd);
	for (ssize_t i = 0; i + 1 < n; i++)
		command[i] = command[i] ? command[i] : ' ';
	/* Two processes of one capture can have had the same pid. */
	sink.process = crc32(crc32(0, (void *)&p.pid, sizeof(p.pid)), (void *)&p.time_ns, sizeof(p.time_ns)) | 1;
	sink_chunk(LIMN_CAPTURE_PROCESS, parts, 2);
}

void sink_begin_process(void)
{
	if (!sink.process)
		begin_process(0);
}

void sink_forked(void)
{
	sink_spent_ns = 0;
	if (sink.process)
		begin_process(sink.process);
}

void sink_end_process(void)
{
	struct limn_capture_end told = { .time_ns = sink_now(), .spent_ns = sink_spent_ns };

	if (sink.process)
		sink_struct(LIMN_CAPTURE_END, told);
}

static bool reserve(size_t size)
{
	uint8_t *more = size > sink.room ? realloc(sink.buffer, size) : sink.buffer;

	if (!more)
		return false;
	sink.room = size > sink.room ? size : sink.room;
	sink.buffer = more;
	return true;
}

/* The parts, compressed into to. 0: it did not become smaller. */
static size_t compress_parts(uint8_t *to, size_t size, const struct sink_part *parts, unsigned int num_parts)
{
	ZSTD_outBuffer out = { to, size, 0 };

	if (!sink.z)
		sink.z = ZSTD_createCCtx();
	if (!sink.z)
		return 0;
	ZSTD_CCtx_reset(sink.z, ZSTD_reset_session_only);
	ZSTD_CCtx_setParameter(sink.z, ZSTD_c_compressionLevel, LEVEL);
	for (unsigned int i = 0; i < num_parts; i++) {
		ZSTD_inBuffer in = { parts[i].data, parts[i].size, 0 };
		bool last = i + 1 == num_parts;
		size_t left = ZSTD_compressStream2(sink.z, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);

		if (ZSTD_isError(left) || in.pos < in.size || (last && left))
			return 0;
	}
	return out.pos;
}

static void append(const uint8_t *data, size_t size)
{
	struct stat st;
	ssize_t n;

	if (fstat(sink.fd, &st) || st.st_dev != sink.dev || st.st_ino != sink.ino) {
		give_up("it has closed the file");
		return;
	}
	n = write(sink.fd, data, size);
	if (n < 0)
		give_up("the file cannot be written");
	else if ((size_t)n < size)
		give_up("the file cannot be written: no space");
}

void sink_chunk(enum limn_capture_type type, const struct sink_part *parts, unsigned int num_parts)
{
	struct limn_capture_chunk head = { .type = type, .process = sink.process };
	size_t size = 0, at = sizeof(head);

	if (!sink_active())
		return;
	for (unsigned int i = 0; i < num_parts; i++)
		size += parts[i].size;
	if (size > LIMN_CAPTURE_MAX_CHUNK || !reserve(sizeof(head) + size)) {
		give_up(size > LIMN_CAPTURE_MAX_CHUNK ? "a submit is too large" : "out of memory");
		return;
	}
	head.size = size;
	head.stored = size >= MIN_COMPRESS ? compress_parts(sink.buffer + at, size, parts, num_parts) : 0;
	if (head.stored) {
		head.flags = LIMN_CAPTURE_COMPRESSED;
	} else {
		head.stored = size;
		for (unsigned int i = 0; i < num_parts; i++) {
			if (parts[i].size)
				memcpy(sink.buffer + at, parts[i].data, parts[i].size);
			at += parts[i].size;
		}
	}
	head.check = crc32(0, (void *)&head, offsetof(struct limn_capture_chunk, check));
	head.check = crc32(head.check, sink.buffer + sizeof(head), head.stored);
	memcpy(sink.buffer, &head, sizeof(head));
	append(sink.buffer, sizeof(head) + head.stored);
}
