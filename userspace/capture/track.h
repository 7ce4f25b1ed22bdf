/* SPDX-License-Identifier: MIT */
/*
 * What a client has: open devices, and their BOs with a copy of what the capture says is in them.
 * Nothing here may be called without the lock of preload.c.
 */
#ifndef LIMN_CAPTURE_TRACK_H
#define LIMN_CAPTURE_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <limn/capture.h>

struct bo {
	uint64_t id;		/* 0: this handle is none */
	uint64_t size, va;
	uint32_t flags;		/* LIMN_CAPTURE_HEAP, ... */
	bool shared;		/* the client, or somebody else, may write it: mapped, exported, imported */
	bool gpu_wrote;		/* a job that writes it was submitted since it was last looked at */
	uint64_t done;		/* what tells that job's end: TRACK_SYNCOBJ, TRACK_FENCE; 0: nothing */
	uint64_t offset;	/* that mmap() takes; 0: not known */
	const uint8_t *map;	/* the library's own mapping; NULL: not yet */
	uint8_t *copy;		/* what the capture has; forks share it */
	uint8_t *known;		/* by page: the copy is not zero; forks share it */
};

/* A syncobj's handle; an etnaviv pipe and the number of its fence. */
#define TRACK_SYNCOBJ(handle)		(1ull << 63 | (handle))
#define TRACK_FENCE(pipe, number)	(1ull << 62 | (uint64_t)(pipe) << 32 | (number))

/* An open file of a render node; descriptors share it. */
struct file {
	uint64_t id;		/* 0: not told yet */
	uint32_t family;
	int fd;			/* a descriptor of the client's */
	struct bo *bos;		/* by handle */
	uint32_t num_bos;
	unsigned int users;	/* descriptors */
};

/* The functions behind those that the library stands in front of. */
extern int (*real_ioctl)(int fd, unsigned long request, ...);
extern void *(*real_mmap)(void *addr, size_t size, int prot, int flags, int fd, off64_t offset);

extern bool capture_results;	/* results of every job, at once */

/* NULL: no device of lima's or etnaviv's user ABI. */
struct file *track_file(int fd);
/* Descriptor to is another one of from's file; from -1: it is closed. */
void track_dup(int from, int to);
void track_close(int fd);

/* By handle; a BO that nobody has told of is asked for. NULL: there is none. */
struct bo *track_bo(struct file *f, uint32_t handle);
/* A BO that an ioctl has made. */
struct bo *track_new_bo(struct file *f, uint32_t handle, uint64_t size, uint64_t va, uint32_t flags);
void track_free_bo(struct file *f, uint32_t handle);
/* The client maps bytes at that offset of the file. */
void track_mapped(struct file *f, uint64_t offset);

/* Before a job that uses it: records what the CPU has written. */
void track_look(struct file *f, uint32_t handle, struct bo *bo);
/* The client has seen the job's end: records what the GPU has written. */
void track_result(struct file *f, uint32_t handle, struct bo *bo);
/* Descriptor fd is a sync file of that fence; it is readable. */
void track_sync_file(struct file *f, int fd, uint64_t done);
void track_readable(int fd);
/* Of all whose jobs have ended with that. */
void track_done(struct file *f, uint64_t done);
/* Waits for its jobs first, and does not mind who may write it. */
void track_wait(struct file *f, uint32_t handle, struct bo *bo);

/* size bytes at from, which may be no memory of the client's: then false. */
bool track_fetch(void *to, uint64_t from, size_t size);

#endif
