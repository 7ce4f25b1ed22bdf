// SPDX-License-Identifier: MIT
/*
 * Utgard GP's polygon list builder: its command list.
 *
 * Facts: Mesa lima_draw.c, lima_job.c, lima_parser.c; limare gp.c, plbu.h.
 */
#include <stdlib.h>

#include "model/utgard/plbu.h"

#define COMMANDS_PER_SLICE	16
#define LISTS_PER_SLICE		128

struct plbu *plbu_create(struct gp *gp)
{
	struct plbu *p = calloc(1, sizeof(*p));

	if (p)
		p->gp = gp;
	return p;
}

void plbu_destroy(struct plbu *p)
{
	if (p)
		free(p->lists);
	free(p);
}

void plbu_reset(struct plbu *p)
{
	struct plbu clean = { .gp = p->gp, .lists = p->lists, .max_lists = p->max_lists };

	*p = clean;
}

void plbu_start(struct plbu *p, uint32_t start, uint32_t end)
{
	p->active = true;
	p->hung = false;
	p->began = false;
	p->closing = false;
	p->draw.active = false;
	p->pc = start;
	p->end = end;
}

void plbu_heap(struct plbu *p, uint32_t start, uint32_t end)
{
	if (start % PLB_BLOCK_BYTES)
		unit_report(&p->gp->u, "tile heap at %08x is not aligned to a block", start);
	if (p->active && p->need_heap && start < p->heap)
		unit_report(&p->gp->u, "tile heap goes on at %08x, below %08x: the job's lists are there", start, p->heap);
	p->heap = start;
	p->heap_end = end;
	p->need_heap = false;
}

bool plbu_active(const struct plbu *p)
{
	return p->active;
}

static enum slice invalid(struct plbu *p, uint32_t w0, uint32_t w1)
{
	unit_report(&p->gp->u, "PLBU list %08x: invalid command %08x %08x", p->pc, w0, w1);
	p->active = false;
	gp_raise(p->gp, GP_IRQ_PLBU_INVALID_CMD);
	return SLICE_ERROR;
}

#define MAX_SHIFT	8	/* a frame has at most 256 tiles each way */

static void set_block_step(struct plbu *p, uint32_t w0)
{
	p->shift_w = w0 & 0xffff;
	p->shift_h = w0 >> 16 & 0xfff;
	if (p->shift_w <= MAX_SHIFT && p->shift_h <= MAX_SHIFT)
		return;
	unit_report(&p->gp->u, "PLBU list %08x: blocks of 1 << %u x 1 << %u tiles", p->pc, p->shift_w, p->shift_h);
	p->shift_w = p->shift_w > MAX_SHIFT ? MAX_SHIFT : p->shift_w;
	p->shift_h = p->shift_h > MAX_SHIFT ? MAX_SHIFT : p->shift_h;
}

static void set_register(struct plbu *p, uint32_t w0, uint32_t w1)
{
	uint32_t n = UTGARD_GET(PLBU_REGISTER_NUMBER, w1);

	if (n < PLBU_REG_POSITIONS || n > PLBU_REG_DEPTH_FAR || (w1 & 0x0ffff000)) {
		unit_report(&p->gp->u, "PLBU list %08x: %08x to unknown register %07x", p->pc, w0,
			    w1 & 0xfffffff);
		return;
	}
	p->reg[n - PLBU_REG_POSITIONS] = w0;
	if (n == PLBU_REG_BLOCK_STEP)
		set_block_step(p, w0);
	else if (n == PLBU_REG_HEAP_START)
		p->heap = w0;
	else if (n == PLBU_REG_HEAP_END)
		p->heap_end = w0;
	else if (n == PLBU_REG_UNKNOWN_10A && w0)
		unit_report(&p->gp->u, "PLBU list %08x: register 10a is %08x; its meaning is not known", p->pc, w0);
}

/*
 * GUESS(semaphore-work): how the semaphores work inside. This keeps what drivers rely on: an
 * array draw is not assembled before the VS has finished its vertices, and an
 * indexed draw not before END was met by the VS's signal.
 */
static enum slice semaphore(struct plbu *p, uint32_t w0, uint32_t w1)
{
	struct gp *gp = p->gp;

	switch (w0) {
	case PLBU_SEM_BEGIN:
		gp->sem_vs++;
		p->began = true;
		return SLICE_MORE;
	case PLBU_SEM_END:
		if (!gp->sem_plbu)
			return SLICE_WAIT;
		gp->sem_plbu--;
		p->began = false;
		return SLICE_MORE;
	}
	return invalid(p, w0, w1);
}

static enum slice begin_draw(struct plbu *p, const uint32_t w[2])
{
	struct plbu_draw *d = &p->draw;

	if (!w[0] && !w[1])
		return SLICE_MORE;	/* an empty command */
	d->indexed = utgard_get(w, PLBU_DRAW_INDEXED);
	if (!d->indexed && p->began && !p->gp->sem_plbu)
		return SLICE_WAIT;
	d->mode = utgard_get(w, PLBU_DRAW_MODE);
	d->start = utgard_get(w, PLBU_DRAW_START);
	d->count = utgard_get(w, PLBU_DRAW_COUNT);
	d->prim = 0;
	d->block = 0;
	d->active = true;
	return SLICE_MORE;
}

static enum slice store_register(struct plbu *p, uint32_t w0, uint32_t w1, bool *fault)
{
	uint32_t n = UTGARD_GET(PLBU_STORE_NUMBER, w1), val;

	if (n < PLBU_REG_POSITIONS || n > PLBU_REG_DEPTH_FAR)
		return invalid(p, w0, w1);
	val = n == PLBU_REG_HEAP_START ? p->heap : p->reg[n - PLBU_REG_POSITIONS];
	*fault = !gp_store(p->gp, w0, &val, sizeof(val));
	return SLICE_MORE;
}

/* SLICE_MORE: executed, go on behind it; with *fault: to be run again. */
static enum slice execute(struct plbu *p, const uint32_t w[2], bool *fault)
{
	uint32_t w0 = w[0], w1 = w[1];

	switch (w1 >> GP_OP_SHIFT) {
	case PLBU_DRAW__OP:
		return begin_draw(p, w);
	case PLBU_REGISTER__OP:
		set_register(p, w0, w1);
		return SLICE_MORE;
	case PLBU_BLOCK_STRIDE__OP:
		p->stride = w0 & 0xff;
		return SLICE_MORE;
	case PLBU_SEMAPHORE__OP:
		return semaphore(p, w0, w1);
	case PLBU_SCISSOR__OP:
		p->scissor[0] = w0;
		p->scissor[1] = w1;
		p->has_scissor = true;
		return SLICE_MORE;
	case PLBU_RSW__OP:
		p->rsw = w0;
		p->positions = utgard_get(w, PLBU_RSW_POSITIONS) << 4;
		if ((p->rsw | p->positions) % 64)
			unit_report(&p->gp->u, "PLBU list %08x: render state %08x, positions %08x: not aligned to 64, as polygon lists need",
				    p->pc, p->rsw, p->positions);
		return SLICE_MORE;
	case PLBU_STORE__OP:
		return store_register(p, w0, w1, fault);
	case PLBU_FLUSH__OP:
		return SLICE_MORE;
	}
	return invalid(p, w0, w1);
}

static enum slice close_lists(struct plbu *p)
{
	switch (plb_close(p, LISTS_PER_SLICE)) {
	case PUT_DONE:
		p->active = false;
		return SLICE_END;
	case PUT_ERROR:
		p->active = false;
		return SLICE_ERROR;
	default:
		return SLICE_MORE;
	}
}

/* One command. SLICE_MORE with *fault: it is to be run again. */
static enum slice step_command(struct plbu *p, bool *fault)
{
	struct unit *u = &p->gp->u;
	uint32_t w[2];
	enum slice s;

	if (p->pc == p->end) {
		unit_report(u, "PLBU list ends at %08x without an END command: polygon lists stay open", p->pc);
		p->active = false;
		return SLICE_END;
	}
	*fault = !gp_load(p->gp, p->pc, w, sizeof(w));
	if (*fault)
		return SLICE_MORE;
	switch (w[1] >> GP_OP_SHIFT) {
	case PLBU_END__OP:
		p->closing = true;
		p->closed = 0;
		return SLICE_MORE;
	case PLBU_JUMP__OP:
		p->pc = w[0];
		return SLICE_MORE;
	case PLBU_LISTS__OP:
		if (!utgard_get(w, PLBU_LISTS_M400))
			unit_report(u, "PLBU list %08x: array address in Mali-200's form (%08x)", p->pc, w[1]);
		*fault = !plb_begin(p, w[0], utgard_get(w, PLBU_LISTS_COUNT) + 1);
		if (!*fault)
			p->pc += 8;
		return SLICE_MORE;
	}
	s = execute(p, w, fault);
	if (s == SLICE_MORE && !*fault)
		p->pc += 8;
	return s;
}

enum slice plbu_slice(struct plbu *p)
{
	enum slice s = SLICE_MORE;
	bool fault = false;

	if (p->hung || p->need_heap)
		return SLICE_WAIT;
	if (p->closing)
		return close_lists(p);
	for (int i = 0; i < COMMANDS_PER_SLICE && s == SLICE_MORE && !fault; i++) {
		if (p->draw.active)
			return plbu_draw_slice(p);
		s = step_command(p, &fault);
		if (p->closing)
			break;
		if (s == SLICE_WAIT && i)
			return SLICE_MORE;	/* not before all else was tried again */
	}
	return s;
}
