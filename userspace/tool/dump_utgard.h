/* SPDX-License-Identifier: MIT */
/* Of limn decode's dumps of Utgard: why a unit stopped (dump_utgard_why.c), for who prints it (dump_utgard.c). */
#ifndef LIMN_TOOL_DUMP_UTGARD_H
#define LIMN_TOOL_DUMP_UTGARD_H

#include "lib/utgard/decode.h"
#include "tool/dump.h"

#define MAX_WORDS	1024	/* of a shader */

/* One list of a unit that was at work, and what is known of its end. */
struct unit {
	const struct dump *dump;
	const struct dump_job *job;
	const struct dump_options *o;
	struct utgard_memory memory;
	const char *name, *mmu, *what;	/* "pp0", "ppmmu0", "tile list" */
	enum utgard_list list;
	uint32_t start, end;
	uint32_t stop;		/* command it stopped at, if has_stop */
	bool has_stop, active;
	char why[260];
	char loop[260];		/* PP: of a shader that does not end: why, behind its address */
	uint32_t loop_at;
	/* Mali-450: the tile list that the DLBU gives all cores; which of the tiles this one got, nobody knows. */
	const uint32_t *dealt;
	uint32_t num_dealt;
	struct dump_place place;	/* what it is about, if not the command where it stopped */
	/* While printing. */
	unsigned int index, stop_index, total;
	bool ends_well;		/* the list is sound */
	bool in_tile;		/* it stopped somewhere in the polygon list that follows */
	struct utgard_state state;
};

/* Finds where it stopped, and why: in u. */
void dump_utgard_explain(struct unit *u);
/* Word i of the frame that was submitted. */
uint32_t dump_frame_word(const struct dump_job *job, unsigned int i);
/* "byte 0x10 of the BO at 0x1000 (label)". */
void dump_place_text(const struct dump_job *job, uint64_t va, char *text, size_t size);
/* The MMU's fault, when it has one. */
bool dump_page_fault(const struct dump *dump, const char *mmu, uint32_t *address, bool *write);

#endif
