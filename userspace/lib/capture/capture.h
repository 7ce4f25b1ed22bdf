/* SPDX-License-Identifier: MIT */
/*
 * Reading captures: <limn/capture.h>. A walk over the chunks, each of which is checked against its
 * checksum and its own sizes, with what every BO holds at that point.
 */
#ifndef LIMN_LIB_CAPTURE_CAPTURE_H
#define LIMN_LIB_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <limn/capture.h>

#include "lib/limn.h"

struct capture_file {
	struct limn_capture_file told;
	uint32_t process;
	void *user;		/* of who walks */
};

struct capture_bo {
	struct limn_capture_bo told;
	struct capture_file *file;
	uint8_t *data;		/* told.size bytes; NULL: nothing was told, all zeros */
	void *user;		/* of who walks */
};

struct capture_use {
	struct limn_capture_use told;
	struct capture_bo *bo;	/* NULL: not known */
};

struct capture_submit {
	struct limn_capture_submit told;
	uint32_t number;	/* from 0: in the order of the file, those that were refused too */
	uint32_t process;
	struct capture_file *file;
	struct capture_use *uses;
	struct limn_capture_reloc *relocs;
	struct limn_capture_sync *syncs;
	const uint8_t *cmd;	/* frame or stream; aligned to 8 bytes */
};

enum capture_event_type {
	CAPTURE_EVENT_END,	/* there is no more; see limn_capture_damage() */
	CAPTURE_EVENT_PROCESS,
	CAPTURE_EVENT_FILE,
	CAPTURE_EVENT_BO,
	CAPTURE_EVENT_BO_FREE,	/* bo is gone after this event */
	CAPTURE_EVENT_DATA,	/* bo->data has it already */
	CAPTURE_EVENT_SUBMIT,	/* refused ones too: see refused */
	CAPTURE_EVENT_PROCESS_END,
};

/* Pointers are good until the next event; those to files and BOs as long as they exist. */
struct capture_event {
	enum capture_event_type type;
	uint32_t process;
	struct limn_capture_process told_process;
	const char *command;		/* PROCESS: its command line */
	struct capture_file *file;
	struct capture_bo *bo;
	uint32_t kind;			/* DATA: LIMN_CAPTURE_WRITTEN, ... */
	const struct limn_capture_run *runs;
	uint32_t num_runs;
	const struct capture_submit *submit;
	int refused;			/* SUBMIT: 0, or the negative errno that the client got */
	struct limn_capture_end end;
};

struct capture;

/* path; a chunk at a time is in memory. 0 or -1 with a line in err that begins with the path. */
int limn_capture_open(const char *path, struct capture **capture, struct limn_error *err);
void limn_capture_close(struct capture *c);
/* Whether the file's first bytes are those of a capture. */
bool limn_capture_is(const char *path);
/* The next event; 0, or -1: out of memory, or contents that no client can have made. */
int limn_capture_next(struct capture *c, struct capture_event *event, struct limn_error *err);
/* Back to the begin; what was user is for the caller to free before. */
void limn_capture_rewind(struct capture *c);
/* Where the file ends before it should, as a sentence; NULL: it is whole. After CAPTURE_EVENT_END. */
const char *limn_capture_damage(const struct capture *c);
uint64_t limn_capture_size(const struct capture *c);
/* Where in the file the next event is. */
uint64_t limn_capture_position(const struct capture *c);
/* The BO of that number; NULL: there is none now. */
struct capture_bo *limn_capture_bo_of(const struct capture *c, uint64_t number);
/* Those that there are now; NULL behind the last. */
struct capture_bo *limn_capture_bo_at(const struct capture *c, uint32_t index);
struct capture_file *limn_capture_file_at(const struct capture *c, uint32_t index);

#endif
