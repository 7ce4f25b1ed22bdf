/* SPDX-License-Identifier: MIT */
/*
 * Builder of FE command streams. States that follow each other in address go
 * into one LOAD_STATE; a state that this stream has already given the same value
 * is not loaded again, unless writing it does something (flushes, kickers,
 * tokens). A stream starts with no state known: another client's job may have run.
 *
 * Running out of memory is sticky: the calls go on doing nothing, and
 * limn_viv_stream_end() tells.
 */
#ifndef LIMN_LIB_VIVANTE_STREAM_H
#define LIMN_LIB_VIVANTE_STREAM_H

#include <limn/vivante/cmdstream.h>

#include "lib/limn.h"

struct viv_stream {
	uint32_t *words;
	uint32_t num_words, room_words;
	struct limn_reloc *relocs;
	uint32_t num_relocs, room_relocs;
	struct limn_use *uses;		/* every BO once */
	uint32_t num_uses, room_uses;
	bool failed;
	/* The LOAD_STATE that may still grow: its header's index plus one, 0: none. */
	uint32_t open;
	uint32_t next;			/* state address behind it */
	bool fixed;
	uint32_t *value;		/* by address / 4: what the stream has loaded */
	uint64_t *known;		/* bit: value counts */
	uint32_t skipped;		/* states not loaded again */
};

/* 0, -ENOMEM. */
int limn_viv_stream_init(struct viv_stream *s, struct limn_error *err);
void limn_viv_stream_free(struct viv_stream *s);
/* Empties it; nothing is known then. */
void limn_viv_stream_reset(struct viv_stream *s);
/* Completes the last command. False: memory ran out, the stream is not whole. */
bool limn_viv_stream_end(struct viv_stream *s);

void limn_viv_set(struct viv_stream *s, uint32_t address, uint32_t value);
void limn_viv_set_float(struct viv_stream *s, uint32_t address, float value);
/* 16.16 in the stream; FE makes it a float. */
void limn_viv_set_fixed(struct viv_stream *s, uint32_t address, float value);
/* n states from address on, always loaded, in one LOAD_STATE (n up to 1023 each). */
void limn_viv_set_many(struct viv_stream *s, uint32_t address, uint32_t n, const uint32_t *values);
/* Address of a byte in a BO, which the job then uses with flags, LIMN_READ | LIMN_WRITE. */
void limn_viv_set_bo(struct viv_stream *s, uint32_t address, const struct limn_bo *bo, uint32_t offset, uint32_t flags);
/* The job uses the BO though the stream does not name it (addresses in memory). */
void limn_viv_use_bo(struct viv_stream *s, const struct limn_bo *bo, uint32_t flags);
/* The next load of the state is not skipped: something else has changed it. */
void limn_viv_forget(struct viv_stream *s, uint32_t address);

/* A state that is set last before what starts the work, for experiments. */
struct viv_extra {
	uint32_t address, value;
	bool of_target;			/* value is a place in the target's memory */
};

void viv_set_extra(struct viv_stream *s, const struct viv_extra *extra, uint32_t n, const struct limn_bo *target);

/* Semaphore and stall: from waits until to has done what came before. SYNC_RECIPIENT_*. */
void limn_viv_stall(struct viv_stream *s, uint32_t from, uint32_t to);

/* type: PRIMITIVE_TYPE_*; count of primitives. */
void limn_viv_draw_primitives(struct viv_stream *s, uint32_t type, int32_t first, uint32_t count);
void limn_viv_draw_indexed(struct viv_stream *s, uint32_t type, uint32_t first, uint32_t count, int32_t base);
/* count of vertices or indices; HALTI0. start: first vertex (HALTI2), or base of the indices. */
void limn_viv_draw_instanced(struct viv_stream *s, uint32_t type, bool indexed, uint32_t count, uint32_t instances,
			     int32_t start);

/* HALTI5; counts: number, instances, first vertex. */
void viv_draw_indirect(struct viv_stream *s, uint32_t type, const struct limn_bo *counts);

struct viv_rect {
	uint16_t x1, y1, x2, y2;	/* x2, y2 exclusive; for lines the end point */
};

/* n from 1 to 256. */
void limn_viv_draw_2d(struct viv_stream *s, const struct viv_rect *rects, uint32_t n);

#endif
