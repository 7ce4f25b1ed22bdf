/* SPDX-License-Identifier: MIT */
/*
 * The capture's file, for the library in a client: <limn/capture.h>. Each chunk is one write() that
 * appends, so that processes can share the file. Nothing here may be called without capture_lock().
 */
#ifndef LIMN_CAPTURE_SINK_H
#define LIMN_CAPTURE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <limn/capture.h>

/* A part of a chunk. */
struct sink_part {
	const void *data;
	size_t size;
};

void sink_open(const char *path);
/* False: there is no file, or it cannot be written any more. */
bool sink_active(void);
/* The process's first chunk, when it has none yet. */
void sink_begin_process(void);
/* It is a fork now: when the parent had begun it gets its own number and chunk. */
void sink_forked(void);
void sink_end_process(void);
/* The client is about to close or to replace that descriptor. */
void sink_keep(int fd);
void sink_chunk(enum limn_capture_type type, const struct sink_part *parts, unsigned int num_parts);
/* A number that nothing else in the capture has. */
uint64_t sink_number(void);

#define sink_struct(type, value) sink_chunk(type, &(struct sink_part){ &(value), sizeof(value) }, 1)

uint64_t sink_now(void);
/* Time that went into the capture, of all threads. */
extern uint64_t sink_spent_ns;

#endif
