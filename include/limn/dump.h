/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What limn leaves of a job that hung or failed: the file that devcoredump
 * offers, /sys/class/devcoredump/devcdN/data.
 *
 * A header, then sections, each with a header of its own and padded to 8 bytes,
 * up to LIMN_DUMP_END. Everything is in the byte order of the machine that wrote
 * it; the magic number tells which. A reader skips sections of a type that it
 * does not know, and the part of a header that it does not know. A file that ends
 * before LIMN_DUMP_END is incomplete: there was no more memory, or no more was wanted (dump_mib).
 *
 * Newer versions add section types and fields at the end of headers (minor), or
 * change what is here (major).
 */
#ifndef LIMN_DUMP_H
#define LIMN_DUMP_H

#include <linux/types.h>

#define LIMN_DUMP_MAGIC		0x504d4e4cu	/* "LNMP" */
#define LIMN_DUMP_MAJOR		1
#define LIMN_DUMP_MINOR		0

/* What is in a section. */
#define LIMN_DUMP_END		0	/* nothing: the dump is complete */
#define LIMN_DUMP_INFO		1	/* text, lines of "key: value" */
#define LIMN_DUMP_REGS		2	/* struct limn_dump_reg of the unit called name */
#define LIMN_DUMP_JOB		3	/* Utgard: words that userspace submitted; arg: the queue */
#define LIMN_DUMP_PAGE_TABLE	4	/* a page of it; va: what it maps, arg: its own address */
#define LIMN_DUMP_BO		5	/* contents at va; name: its label; arg: its whole size */
#define LIMN_DUMP_STREAM	6	/* command words at va that are in no BO; name: what they are */

/* Of a section. */
#define LIMN_DUMP_HEAP		(1 << 2)	/* BO: a heap, as far as it has memory */
#define LIMN_DUMP_UNREADABLE	(1 << 3)	/* BO: somebody else's memory, no contents */
#define LIMN_DUMP_DIRECTORY	(1 << 4)	/* page table: the first level */

struct limn_dump_header {
	__u32 magic;
	__u16 major;
	__u16 minor;
	__u32 header_size;	/* bytes of this */
	__u32 family;		/* LIMN_DUMP_UTGARD, ... */
};

#define LIMN_DUMP_UTGARD	1
#define LIMN_DUMP_VIVANTE	2

struct limn_dump_section {
	__u32 type;
	__u32 flags;
	__u32 header_size;	/* bytes of this */
	__u32 pad;
	__u64 size;		/* bytes that follow it, without padding */
	__u64 va;
	__u64 arg;
	char name[64];		/* ends with a 0 */
};

struct limn_dump_reg {
	__u32 offset;		/* bytes from the start of the unit */
	__u32 value;
};

#endif
