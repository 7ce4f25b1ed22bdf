// SPDX-License-Identifier: MIT
/*
 * Utgard GP's polygon list builder: the lists in memory, one per block of
 * tiles, chained through the tile heap. What a list holds is in pp_stream.h.
 */
#include <stdlib.h>

#include "model/utgard/plbu.h"

#define MAX_LISTS	65536u
#define COMMAND		8u

static uint32_t block_bytes(const struct plbu *p)
{
	return 0x80u << UTGARD_GET(PLBU_REG_BLOCK_SIZE, PLBU_REG(p, PRIMITIVE));
}

bool plb_begin(struct plbu *p, uint32_t array, uint32_t count)
{
	struct unit *u = &p->gp->u;
	struct plb_list *lists;

	if (count > MAX_LISTS) {
		unit_report(u, "PLBU list %08x: %u blocks of tiles", p->pc, count);
		count = MAX_LISTS;
	}
	if (count > p->max_lists) {
		lists = realloc(p->lists, count * sizeof(*lists));
		if (!lists) {
			unit_report(u, "the model is out of memory for %u polygon lists", count);
			count = p->max_lists;
		} else {
			p->lists = lists;
			p->max_lists = count;
		}
	}
	p->num_lists = count;
	for (uint32_t i = 0; i < count; i++) {
		struct plb_list *l = &p->lists[i];

		memset(l, 0, sizeof(*l));
		if (!gp_load(p->gp, array + 4 * i, &l->base, 4)) {
			p->num_lists = 0;
			return false;
		}
		if (l->base % 32)
			unit_report(u, "PLB block %u at %08x is not aligned to 32", i, l->base);
		l->at = l->base;
	}
	return true;
}

/* One command at the end of a list, in a new block of the heap if it does not fit. */
static enum put put_command(struct plbu *p, struct plb_list *l, uint32_t lo, uint32_t hi)
{
	uint32_t bytes = block_bytes(p), w[2] = { lo, hi };

	/* The last command of a block leads on, or ends the list. */
	if (l->at + 2 * COMMAND > l->base + bytes) {
		uint32_t link[2] = { PLB_JUMP_LO(p->heap), PLB_JUMP_HI };

		if (p->heap + bytes > p->heap_end || p->heap + bytes < p->heap)
			return PUT_HEAP;
		if (!gp_store(p->gp, l->at, link, sizeof(link)))
			return PUT_FAULT;
		l->base = p->heap;
		l->at = p->heap;
		p->heap += bytes;
		p->gp->count[GP_EVENT_BLOCKS]++;
	}
	if (!gp_store(p->gp, l->at, w, sizeof(w)))
		return PUT_FAULT;
	l->at += COMMAND;
	p->gp->count[GP_EVENT_COMMANDS]++;
	return PUT_DONE;
}

/* Brings the list's state up to date, then adds the primitive. Each command is a step of its own. */
static enum put put_prim(struct plbu *p, struct plb_list *l, const struct prim *prim, uint32_t mask)
{
	enum put r;
	uint32_t size;

	if (!l->has_rsw || l->rsw != p->rsw || l->positions != p->positions) {
		r = put_command(p, l, PLB_RSW_LO(p->rsw), PLB_RSW_HI(p->positions));
		if (r != PUT_DONE)
			return r;
		l->has_rsw = true;
		l->rsw = p->rsw;
		l->positions = p->positions;
	}
	if (p->has_scissor && (!l->has_scissor || memcmp(l->scissor, p->scissor, sizeof(l->scissor)))) {
		r = put_command(p, l, p->scissor[0], p->scissor[1]);
		if (r != PUT_DONE)
			return r;
		l->has_scissor = true;
		memcpy(l->scissor, p->scissor, sizeof(l->scissor));
	}
	if (prim->op == PLB_OP_POINT || prim->op == PLB_OP_LINE) {
		memcpy(&size, &prim->size, sizeof(size));
		if (!l->has_size || l->size != size) {
			r = put_command(p, l, size, PLB_SIZE_HI);
			if (r != PUT_DONE)
				return r;
			l->has_size = true;
			l->size = size;
		}
	}
	if (prim->op == PLB_OP_TRIANGLE)
		return put_command(p, l, PLB_TRIANGLE_LO(prim->index[0], prim->index[1]), PLB_TRIANGLE_HI(mask, prim->index[2]));
	return put_command(p, l, PLB_PRIM_LO(prim->index[0], prim->index[1]),
			   PLB_PRIM_HI(prim->op, prim->index[1], prim->index[2]));
}

enum put plb_put(struct plbu *p, uint32_t x, uint32_t y, uint32_t mask, const struct prim *prim)
{
	uint32_t n = y * p->stride + x;
	enum put r;

	if (n >= p->num_lists) {
		unit_report(&p->gp->u, "block of tiles %u, %u is number %u, the array has %u", x, y, n, p->num_lists);
		gp_raise(p->gp, GP_IRQ_PTR_ARRAY_BOUND);
		return PUT_ERROR;
	}
	r = put_prim(p, &p->lists[n], prim, mask);
	if (r == PUT_HEAP) {
		p->need_heap = true;
		gp_raise(p->gp, GP_IRQ_PLBU_OOM);
	}
	return r;
}

enum put plb_close(struct plbu *p, unsigned int max)
{
	const uint32_t w[2] = { PLB_RETURN_LO, PLB_RETURN_HI };

	for (; p->closed < p->num_lists && max; p->closed++, max--) {
		if (!gp_store(p->gp, p->lists[p->closed].at, w, sizeof(w)))
			return PUT_FAULT;
	}
	return p->closed == p->num_lists ? PUT_DONE : PUT_FAULT;
}
