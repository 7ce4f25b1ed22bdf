/* SPDX-License-Identifier: MIT */
/*
 * A capture: what clients of lima's and etnaviv's user ABIs have submitted. Documentation/capture-format.rst.
 *
 * A header, then chunks, each with a checksum, in the order in which things happened. All numbers
 * are little-endian. A reader passes over chunks of a type that it does not know, and over what
 * stands behind the part of a structure that it knows. A file may end anywhere: what stands before
 * the first chunk that is not whole is good. LIMN_CAPTURE_CLOSED says that it is all.
 */
#ifndef LIMN_CAPTURE_H
#define LIMN_CAPTURE_H

#include <linux/types.h>

#define LIMN_CAPTURE_MAGIC	0x5041434e4d494cull	/* "LIMNCAP" and a zero */
#define LIMN_CAPTURE_MAJOR	2	/* what is here means something else */
#define LIMN_CAPTURE_MINOR	0	/* there are more chunks or fields */

struct limn_capture_header {
	__u64 magic;
	__u16 major, minor;
	__u32 header_size;	/* bytes of this */
};

enum limn_capture_type {
	LIMN_CAPTURE_PROCESS = 1,	/* struct limn_capture_process, its command line */
	LIMN_CAPTURE_FILE = 2,		/* struct limn_capture_file: a device was opened */
	LIMN_CAPTURE_BO = 3,		/* struct limn_capture_bo: there is a BO, of zeros */
	LIMN_CAPTURE_BO_FREE = 4,	/* struct limn_capture_bo_free */
	LIMN_CAPTURE_DATA = 5,		/* struct limn_capture_data, runs, their bytes */
	LIMN_CAPTURE_SUBMIT = 6,	/* struct limn_capture_submit, its lists, the commands */
	LIMN_CAPTURE_REFUSED = 7,	/* struct limn_capture_refused: the submit that was said before was refused */
	LIMN_CAPTURE_END = 8,		/* struct limn_capture_end: a process has ended */
	LIMN_CAPTURE_CLOSED = 9,	/* struct limn_capture_closed: limn capture has ended; the file is whole */
};

/* The chunk's content is a Zstandard frame (RFC 8878) of size bytes. */
#define LIMN_CAPTURE_COMPRESSED	(1 << 0)
/* Bytes of a chunk's content, decompressed. */
#define LIMN_CAPTURE_MAX_CHUNK	(64u << 20)

struct limn_capture_chunk {
	__u16 type, flags;
	__u32 process;		/* that wrote it */
	__u32 stored;		/* bytes that follow */
	__u32 size;		/* of them decompressed */
	__u32 check;		/* CRC-32 of the fields above, then of the bytes that follow */
};

struct limn_capture_process {
	__u32 pid;
	__u32 parent;		/* process that it is a fork of, and whose files it has too; 0: it began anew */
	__u64 time_ns;		/* CLOCK_MONOTONIC */
};

#define LIMN_CAPTURE_UTGARD	0
#define LIMN_CAPTURE_VIVANTE	1
#define LIMN_CAPTURE_CORES	4
#define LIMN_CAPTURE_PARAMS	0x20

struct limn_capture_file {
	__u64 file;		/* number of the file, as BOs and submits name it */
	__u32 family;		/* LIMN_CAPTURE_UTGARD, ... */
	__u32 num_cores;	/* of params that are told */
	char driver[32], desc[96];	/* with a zero at the end */
	__s32 version[3];
	__u32 pad;
	__u64 params[LIMN_CAPTURE_CORES][LIMN_CAPTURE_PARAMS];	/* GET_PARAM: of each pipe; Utgard: one */
};

/* Of a BO. */
#define LIMN_CAPTURE_HEAP	(1 << 0)	/* grows; its contents are not told */
#define LIMN_CAPTURE_IMPORTED	(1 << 1)	/* by PRIME, or made by somebody who was not captured */
#define LIMN_CAPTURE_USERMEM	(1 << 2)	/* the client's own memory */

struct limn_capture_bo {
	__u64 bo;		/* its number, which no other one in the capture has */
	__u64 file;
	__u64 size;
	__u64 va;		/* GPU address; Vivante: 0: only the kernel knows it, or each submit says it */
	__u32 handle;
	__u32 flags;
};

struct limn_capture_bo_free {
	__u64 bo;
};

/* What data is. */
#define LIMN_CAPTURE_WRITTEN	0	/* by the CPU, since it was last told */
#define LIMN_CAPTURE_RESULT	1	/* by the jobs before, which have ended: the BO's contents are this now */

struct limn_capture_data {
	__u64 bo;
	__u32 kind;
	__u32 num_runs;
};

/* The bytes of the runs stand behind all of them, one after the other. */
struct limn_capture_run {
	__u64 offset;		/* in the BO; runs ascend */
	__u64 size;
};

struct limn_capture_submit {
	__u64 submit;		/* its number, which no other one in the capture has */
	__u64 file;
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__u64 spent_ns;		/* that the process's threads have spent on the capture by then */
	__u32 pipe;		/* Utgard: LIMA_PIPE_*; Vivante: number of the core */
	__u32 exec_state;	/* Vivante: ETNA_PIPE_* */
	__u32 flags;		/* of the ioctl */
	__u32 ioctl;		/* its number: 3 lima's, 6 etnaviv's, 0x21 limn's */
	__u32 group, group_size;	/* limn's: which of how many jobs of one ioctl */
	__u32 num_bos, num_relocs, num_syncs, num_pmrs;
	__u32 cmd_size;		/* bytes of the frame, or of the stream */
	__u32 ctx;
};

/* Lists of a submit, in this order; then cmd_size bytes. */
struct limn_capture_use {
	__u64 bo;
	__u64 va;		/* where the job has it; 0: not told */
	__u32 flags;		/* 1: reads it, 2: writes it */
	__u32 pad;
};

struct limn_capture_reloc {
	__u32 offset;		/* byte of the stream, of a word that becomes an address */
	__u32 use;		/* index in the list of BOs */
	__u64 bo_offset;
};

struct limn_capture_sync {
	__u32 handle;		/* of a syncobj, or a file descriptor */
	__u32 flags;		/* 1: signalled by the job, else waited for; 2: a descriptor */
	__u64 point;
};

struct limn_capture_pmr {
	__u32 words[5];		/* struct drm_etnaviv_gem_submit_pmr */
};

struct limn_capture_refused {
	__u64 submit;
	__s32 error;		/* negative errno */
	__u32 pad;
};

struct limn_capture_end {
	__u64 time_ns;
	__u64 spent_ns;
};

struct limn_capture_closed {
	__s32 status;		/* of the client, as a shell tells: 128 and a signal's number */
	__u32 pad;
	__u64 size;		/* bytes of the file before this chunk */
};

#endif
