/* SPDX-License-Identifier: MIT */
/* Inside the PLBU: the command processor (plbu.c), primitives (plbu_prim.c), lists (plbu_list.c). */
#ifndef LIMN_MODEL_UTGARD_PLBU_H
#define LIMN_MODEL_UTGARD_PLBU_H

#include <limn/utgard/pp_stream.h>

#include "model/utgard/gp.h"

#define PLBU_REG(p, name)	((p)->reg[(PLBU_REG_##name) - PLBU_REG_POSITIONS])

/* The list of one block of tiles, while it is built. */
struct plb_list {
	uint32_t base;		/* of the PLB block being filled */
	uint32_t at;		/* where the next command goes */
	uint32_t rsw, positions;	/* state that the list holds */
	uint32_t scissor[2];
	uint32_t size;
	bool has_rsw, has_scissor, has_size;
};

/* A draw on its way through primitive assembly. */
struct plbu_draw {
	bool active, indexed;
	uint32_t mode, start, count;
	uint32_t prim;		/* next primitive */
	uint32_t block;		/* blocks of it that are done: where a replayed slice goes on */
};

struct plbu {
	struct gp *gp;
	bool active, hung;
	bool need_heap;		/* out of memory; UPDATE_PLBU_ALLOC resumes */
	bool began;		/* between semaphore BEGIN and END: array draws wait for the VS */
	bool closing;		/* END: lists are being closed */
	uint32_t pc, end;
	uint32_t reg[16];	/* PLBU_REG_POSITIONS.. */
	uint32_t rsw, positions;
	uint32_t scissor[2];
	bool has_scissor;
	uint32_t stride;	/* blocks per row */
	uint32_t shift_w, shift_h;	/* log2 of tiles per block */
	uint32_t heap, heap_end;
	struct plb_list *lists;
	uint32_t num_lists, max_lists, closed;
	struct plbu_draw draw;
};

/* Tiles, inclusive. */
struct tile_box {
	uint32_t x0, y0, x1, y1;
};

struct prim {
	uint32_t op;		/* PLB_OP_TRIANGLE... */
	uint32_t index[3];	/* into the position array */
	float size;		/* points and lines */
};

enum put { PUT_DONE, PUT_FAULT, PUT_HEAP, PUT_ERROR };

/* plbu_list.c */
bool plb_begin(struct plbu *p, uint32_t array, uint32_t count);	/* false: fault */
enum put plb_put(struct plbu *p, uint32_t x, uint32_t y, uint32_t mask, const struct prim *prim);
enum put plb_close(struct plbu *p, unsigned int max);	/* PUT_DONE: all lists are closed */

/* plbu_prim.c: a few primitives of p->draw; clears draw.active after the last. */
enum slice plbu_draw_slice(struct plbu *p);

#endif
