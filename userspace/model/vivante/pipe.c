// SPDX-License-Identifier: MIT
/*
 * Behind the front end: takes states and draws from the queue, in order. A
 * state that kicks an engine holds everything behind it until the engine is
 * done; a semaphore is raised when what was before it has been done.
 *
 * Facts: etna_viv hardware.md (synchronisation, what hangs), rnndb state.xml, Linux
 * etnaviv_buffer.c.
 */
#include <stdlib.h>

#include "model/vivante/internal.h"

#define SLICE	256	/* states in one slice */

#define BUSY_3D	(VIVS_HI_IDLE_STATE_PE | VIVS_HI_IDLE_STATE_SH | VIVS_HI_IDLE_STATE_PA | VIVS_HI_IDLE_STATE_SE | \
		 VIVS_HI_IDLE_STATE_RA | VIVS_HI_IDLE_STATE_TX)

/* Caches that write. */
#define WRITING	(1u << VIV_CACHE_COLOR | 1u << VIV_CACHE_DEPTH | 1u << VIV_CACHE_TS | 1u << VIV_CACHE_2D)

enum engine { ENGINE_NONE, ENGINE_3D, ENGINE_CL, ENGINE_RS, ENGINE_BLT, ENGINE_DE, ENGINE_FLUSH };

struct pipe {
	struct unit u;
	enum engine engine;
	uint32_t flushing;		/* ENGINE_FLUSH: bit per cache still to do */
	uint32_t unsettled;		/* bit per cache that was flushed, and nobody waited since */
	uint32_t words[2 * VIV_FE_DRAW_2D_MAX + 2048];
};

bool viv_pipe_room(const struct vivante *v, unsigned int items)
{
	return v->front->count + items <= VIV_QUEUE;
}

void viv_pipe_push(struct vivante *v, const struct viv_item *item)
{
	struct viv_front *f = v->front;

	f->queue[(f->head + f->count++) % VIV_QUEUE] = *item;
	v->busy |= v->chip->pipe_3d ? VIVS_HI_IDLE_STATE_PE : VIVS_HI_IDLE_STATE_DE;
	unit_wake(v->pipe);
}

static const struct viv_item *peek(const struct vivante *v)
{
	return &v->front->queue[v->front->head];
}

static void pop(struct vivante *v)
{
	v->front->head = (v->front->head + 1) % VIV_QUEUE;
	v->front->count--;
}

void viv_pipe_reset(struct vivante *v)
{
	struct pipe *p = (struct pipe *)v->pipe;

	v->front->head = v->front->count = 0;
	if (v->rs)
		viv_rs_reset(v);
	if (v->blt)
		viv_blt_reset(v);
	if (v->de)
		viv_de_reset(v);
	if (v->p3d)
		viv3d_reset(v);
	if (!p)
		return;
	p->engine = ENGINE_NONE;
	p->flushing = 0;
	p->unsettled = 0;
	p->u.pending = false;
}

/* --- Synchronisation ------------------------------------------------------------ */

static void semaphore(struct vivante *v, uint32_t token)
{
	uint32_t from = VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_FROM, token), to = VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_TO, token);
	struct viv_front *f = v->front;

	if (to == SYNC_RECIPIENT_BLT && !(viv_state(v, VIVS_BLT_ENABLE) & VIVS_BLT_ENABLE_ENABLE))
		viv_hang(v, "pipe", VIVS_HI_IDLE_STATE_BL, "semaphore to BLT while BLT_ENABLE is 0");
	((struct pipe *)v->pipe)->unsettled = 0;
	f->armed[from] &= ~(1u << to);
	f->raised[from] |= 1u << to;
	viv_fe_look(v);
}

/* A module other than FE waits; all of them are in order here, so a semaphore that was armed has come. */
static void stall_token(struct vivante *v, uint32_t token)
{
	uint32_t from = VIV_GET(VIVS_GL_STALL_TOKEN_FROM, token), to = VIV_GET(VIVS_GL_STALL_TOKEN_TO, token);

	if (!(v->front->raised[from] >> to & 1))
		viv_hang(v, "pipe", VIVS_HI_IDLE_STATE_PE | VIVS_HI_IDLE_STATE_RA,
			 "stall of module %u for a semaphore of module %u that nobody has armed", from, to);
	v->front->raised[from] &= ~(1u << to);
}

/*
 * A flush is over when a semaphore behind it has come: drivers wait for one before they tell the CPU, or select
 * another pipe (Linux etnaviv_buffer.c, etnaviv_buffer_queue() and etnaviv_cmd_select_pipe()).
 */
static void check_settled(struct vivante *v, const char *what)
{
	if (((struct pipe *)v->pipe)->unsettled & WRITING)
		viv_report(v, "pipe", "%s right behind a flush, without a semaphore: what the cache held may not be in memory",
			   what);
}

static void event(struct vivante *v, uint32_t val)
{
	uint32_t id = VIV_GET(VIVS_GL_EVENT_EVENT_ID, val);

	if (id >= VIV_EVENTS)
		viv_report(v, "pipe", "event %u: there are %u", id, VIV_EVENTS);
	if (!(val & (VIVS_GL_EVENT_FROM_FE | VIVS_GL_EVENT_FROM_PE | VIVS_GL_EVENT_FROM_BLT)) &&
	    !VIV_GET(VIVS_GL_EVENT_SOURCE, val))
		viv_report(v, "pipe", "event %u comes from no module", id);
	if (id >= VIV_EVENTS || (val & VIVS_GL_EVENT_FROM_FE))
		return;
	check_settled(v, "an event");
	unit_stats(v->pipe)->events++;
	viv_interrupt(v, 1u << id);
}

static void fence_out(struct vivante *v, struct unit *port, uint32_t address_state, uint32_t low_state, uint32_t high)
{
	uint32_t data[2] = { viv_state(v, low_state), high };

	unit_write(port, viv_state(v, address_state), data, sizeof(data));
}

/* --- Caches ------------------------------------------------------------------------- */

static void flush_tlbs(struct vivante *v, uint32_t val)
{
	unsigned int ports = 0;

	if (v->chip->mmu_v2) {
		viv_report(v, "pipe", "GL.FLUSH_MMU on a core with MMUv2");
		return;
	}
	/* GUESS(mmu-flush-bits): bits 1, 2 and 4 stand for TX, PEZ and RA. */
	ports |= val & VIVS_GL_FLUSH_MMU_FLUSH_FEMMU ? 1u << VIV_PORT_FE : 0;
	ports |= val & VIVS_GL_FLUSH_MMU_FLUSH_UNK1 ? 1u << VIV_PORT_TX : 0;
	ports |= val & VIVS_GL_FLUSH_MMU_FLUSH_UNK2 ? 1u << VIV_PORT_PEZ : 0;
	ports |= val & VIVS_GL_FLUSH_MMU_FLUSH_PEMMU ? 1u << VIV_PORT_PE : 0;
	ports |= val & VIVS_GL_FLUSH_MMU_FLUSH_UNK4 ? 1u << VIV_PORT_RA : 0;
	viv_mmus_flush(v, ports);
}

static void flush_caches(struct vivante *v, uint32_t val)
{
	struct pipe *p = (struct pipe *)v->pipe;

	p->flushing |= val & VIVS_GL_FLUSH_CACHE_COLOR ? 1u << VIV_CACHE_COLOR : 0;
	p->flushing |= val & VIVS_GL_FLUSH_CACHE_DEPTH ? 1u << VIV_CACHE_DEPTH : 0;
	p->flushing |= val & VIVS_GL_FLUSH_CACHE_TEXTURE ? 1u << VIV_CACHE_TX : 0;
	p->flushing |= val & VIVS_GL_FLUSH_CACHE_TEXTUREVS ? 1u << VIV_CACHE_TX_VS : 0;
	p->flushing |= val & VIVS_GL_FLUSH_CACHE_PE2D ? 1u << VIV_CACHE_2D : 0;
	p->unsettled |= p->flushing;
	if (v->chip->pipe_3d)
		viv3d_flush(v, val);
	p->engine = ENGINE_FLUSH;
}

static void flush_ts(struct vivante *v)
{
	struct pipe *p = (struct pipe *)v->pipe;

	/* etna_viv hardware.md: "before flushing the TS cache first make sure that DEPTH and COLOR are flushed" */
	if (viv_cache_dirty(v, VIV_CACHE_COLOR) || viv_cache_dirty(v, VIV_CACHE_DEPTH))
		viv_report(v, "ts", "tile status is flushed before colour and depth: the chip may crash");
	p->flushing |= 1u << VIV_CACHE_TS;
	p->unsettled |= 1u << VIV_CACHE_TS;
	p->engine = ENGINE_FLUSH;
}

/* True while there is more to flush, or after a fault. */
static bool step_flush(struct vivante *v, struct pipe *p)
{
	for (unsigned int i = 0; i < VIV_NUM_CACHES; i++) {
		if (!(p->flushing >> i & 1))
			continue;
		if (!viv_cache_flush(v, i))
			return true;
		p->flushing &= ~(1u << i);
	}
	return false;
}

/* --- States that do something ---------------------------------------------------------- */

/* "Sending 3D commands in the 2D pipe" hangs, says the seed. */
static bool in_pipe(struct vivante *v, uint32_t pipe, const char *what)
{
	uint32_t now = VIV_GET(VIVS_GL_PIPE_SELECT_PIPE, viv_state(v, VIVS_GL_PIPE_SELECT));
	bool has = pipe == PIPE_ID_PIPE_3D ? v->chip->pipe_3d : v->chip->pipe_2d;

	if (!has)
		viv_hang(v, "pipe", VIVS_HI_IDLE_STATE_PE, "%s on a core that has no such pipe", what);
	else if (now != pipe)
		viv_hang(v, "pipe", VIVS_HI_IDLE_STATE_PE, "%s while the other pipe is selected", what);
	return has && now == pipe;
}

static void start(struct vivante *v, enum engine engine, uint32_t busy)
{
	((struct pipe *)v->pipe)->engine = engine;
	v->busy |= busy;
}

static void kick_rs(struct vivante *v, uint32_t address, uint32_t val)
{
	if (!in_pipe(v, PIPE_ID_PIPE_3D, "RS"))
		return;
	if (v->chip->blt) {
		viv_hang(v, "rs", VIVS_HI_IDLE_STATE_PE, "kicked on a core that has BLT instead");
		return;
	}
	unit_stats(v->pipe)->blits++;
	if (address == VIVS_RS_KICKER ? viv_rs_kick(v) : viv_rs_kick_inplace(v, val))
		start(v, ENGINE_RS, VIVS_HI_IDLE_STATE_PE | VIVS_HI_IDLE_STATE_TS);
}

static void kick_blt(struct vivante *v, uint32_t val)
{
	if (!v->chip->blt) {
		viv_hang(v, "blt", VIVS_HI_IDLE_STATE_BL, "kicked on a core that has none");
		return;
	}
	unit_stats(v->pipe)->blits++;
	if (viv_blt_kick(v, val))
		start(v, ENGINE_BLT, VIVS_HI_IDLE_STATE_BL);
}

static void act(struct vivante *v, uint32_t address, uint32_t val)
{
	switch (address) {
	case VIVS_GL_EVENT:
		event(v, val);
		break;
	case VIVS_GL_SEMAPHORE_TOKEN:
		semaphore(v, val);
		break;
	case VIVS_GL_STALL_TOKEN:
		stall_token(v, val);
		break;
	case VIVS_GL_FLUSH_CACHE:
		flush_caches(v, val);
		break;
	case VIVS_GL_FLUSH_MMU:
		flush_tlbs(v, val);
		break;
	case VIVS_TS_FLUSH_CACHE:
		if (val & VIVS_TS_FLUSH_CACHE_FLUSH)
			flush_ts(v);
		break;
	case VIVS_RS_KICKER:
	case VIVS_RS_KICKER_INPLACE:
		kick_rs(v, address, val);
		break;
	case VIVS_BLT_COMMAND:
		kick_blt(v, val);
		break;
	case VIVS_BLT_SET_COMMAND:
		/* GUESS(blt-set-command): 1 flushes BLT's tile status, which has no cache here; 3 goes around a COMMAND. */
		if (v->chip->blt && val == 1)
			flush_ts(v);
		break;
	case VIVS_DE_VR_CONFIG:
		/* The start is what the write holds, not what is latched; its mask bit keeps it from starting. */
		if ((val & VIVS_DE_VR_CONFIG_START_MASK) || !in_pipe(v, PIPE_ID_PIPE_2D, "a filter blit"))
			break;
		unit_stats(v->pipe)->blits++;
		if (viv_de_filter(v, val))
			start(v, ENGINE_DE, VIVS_HI_IDLE_STATE_DE);
		break;
	case VIVS_GL_FENCE_OUT_DATA_HIGH:
		fence_out(v, v->port[VIV_PORT_PE], VIVS_GL_FENCE_OUT_ADDRESS, VIVS_GL_FENCE_OUT_DATA_LOW, val);
		break;
	case VIVS_BLT_FENCE_OUT_DATA_HIGH:
		fence_out(v, v->port[VIV_PORT_PE], VIVS_BLT_FENCE_OUT_ADDRESS, VIVS_BLT_FENCE_OUT_DATA_LOW, val);
		break;
	case VIVS_CL_KICKER:
		if (in_pipe(v, PIPE_ID_PIPE_3D, "the thread walker") && viv3d_kick(v))
			start(v, ENGINE_CL, VIVS_HI_IDLE_STATE_SH);
		break;
	case VIVS_MMUv2_CONFIGURATION:
	case VIVS_MMUv2_SAFE_ADDRESS:
	case VIVS_MMUv2_PTA_CONFIG:
		if (v->chip->mmu_v2)
			viv_mmu_v2_state(v, address);
		else
			viv_report(v, "pipe", "%s on a core with MMUv1", viv_state_name(address));
		break;
	}
}

/* Changes that lose what a cache holds. */
static void check_change(struct vivante *v, uint32_t address, uint32_t old, uint32_t new)
{
	if (address == VIVS_GL_PIPE_SELECT && VIV_GET(VIVS_GL_PIPE_SELECT_PIPE, new ^ old))
		check_settled(v, "the pipe is switched");
	if (address == VIVS_GL_PIPE_SELECT && VIV_GET(VIVS_GL_PIPE_SELECT_PIPE, new ^ old) &&
	    (viv_cache_dirty(v, VIV_CACHE_COLOR) || viv_cache_dirty(v, VIV_CACHE_DEPTH) ||
	     viv_cache_dirty(v, VIV_CACHE_2D)))
		viv_report(v, "pipe", "the pipe is switched while a cache of the other one is dirty");
	/* etna_viv hardware.md, "State changes and caches". */
	if (address == VIVS_PE_COLOR_FORMAT && ((new ^ old) & VIVS_PE_COLOR_FORMAT_OVERWRITE) &&
	    viv_cache_dirty(v, VIV_CACHE_COLOR))
		viv_report(v, "pe", "PE.COLOR_FORMAT OVERWRITE changes from %08x to %08x while the colour cache is dirty: "
			   "GL.FLUSH_CACHE COLOR did not flush it", old, new);
	/*
	 * Mesa etnaviv_emit.c: "Flush TS cache before changing TS configuration." It does for addresses
	 * and clear values; its MEM_CONFIG alone turns fast clear off over a dirty cache at times.
	 */
	if (address > VIVS_TS_MEM_CONFIG && address <= VIVS_TS_DEPTH_CLEAR_VALUE && new != old &&
	    viv_cache_dirty(v, VIV_CACHE_TS))
		viv_report(v, "ts", "%s changes from %08x to %08x while the tile status cache is dirty: TS.FLUSH_CACHE did "
			   "not flush it", viv_state_name(address), old, new);
}

/* Latches a state, and lets it act. */
static void latch(struct vivante *v, uint32_t address, uint32_t val)
{
	uint32_t old = viv_state(v, address), new = viv_state_merge(address, old, val);
	unsigned int flags = viv_state_flags(address);

	if (!flags)
		viv_report(v, "pipe", "unknown state %05x is set to %08x", address, val);
	else if (flags & VIV_HOST)
		viv_report(v, "pipe", "a stream sets %s (%05x) to %08x: a register of the bus", viv_state_name(address),
			   address, val);
	check_change(v, address, old, new);
	v->state[address / 4] = new;
	act(v, address, val);
}

/* --- Slices -------------------------------------------------------------------------------- */

static void start_2d(struct vivante *v, struct pipe *p)
{
	uint32_t rects = peek(v)->address, data = peek(v)->value;

	pop(v);
	for (uint32_t i = 0; i < rects * 2 + data; i++) {
		p->words[i] = peek(v)->value;
		pop(v);
	}
	if (!in_pipe(v, PIPE_ID_PIPE_2D, "DRAW_2D"))
		return;
	unit_stats(v->pipe)->blits++;
	if (viv_de_draw(v, p->words, rects, p->words + rects * 2, data))
		start(v, ENGINE_DE, VIVS_HI_IDLE_STATE_DE);
}

static void take(struct vivante *v, struct pipe *p)
{
	struct viv_item item = *peek(v);

	switch (item.kind) {
	case VIV_ITEM_STATE:
		pop(v);
		latch(v, item.address, item.value);
		break;
	case VIV_ITEM_LOADED:
		pop(v);
		if (v->chip->pipe_3d)
			viv3d_loaded(v, item.address, item.value);
		break;
	case VIV_ITEM_DRAW:
		pop(v);
		if (!in_pipe(v, PIPE_ID_PIPE_3D, "a 3D draw"))
			break;
		/*
		 * etna_viv hardware.md ("Vertex texture fetch"). GUESS(tex-vs-semaphore): a semaphore
		 * behind the flush is enough, as Mesa sends one.
		 */
		if (p->unsettled >> VIV_CACHE_TX_VS & 1)
			viv_report(v, "pipe", "a draw right after a flush of TEXTUREVS, without a semaphore: the chip may crash");
		unit_stats(v->pipe)->draws++;
		viv3d_draw(v, &item.draw);
		start(v, ENGINE_3D, BUSY_3D);
		break;
	case VIV_ITEM_DRAW_2D:
		start_2d(v, p);
		break;
	case VIV_ITEM_WORD:
		pop(v);
		break;
	}
}

static bool engine_step(struct vivante *v, struct pipe *p)
{
	switch (p->engine) {
	case ENGINE_3D:
		return viv3d_step(v);
	case ENGINE_CL:
		return viv3d_walk(v);
	case ENGINE_RS:
		return viv_rs_step(v);
	case ENGINE_BLT:
		return viv_blt_step(v);
	case ENGINE_DE:
		return viv_de_step(v);
	case ENGINE_FLUSH:
		return step_flush(v, p);
	case ENGINE_NONE:
		break;
	}
	return false;
}

/* For timelines. */
static void tell_engine(struct pipe *p)
{
	static const char *const names[] = {
		[ENGINE_3D] = "3d", [ENGINE_CL] = "cl", [ENGINE_RS] = "rs", [ENGINE_BLT] = "blt", [ENGINE_DE] = "de",
		[ENGINE_FLUSH] = "flush",
	};

	for (unsigned int e = ENGINE_NONE + 1; e < sizeof(names) / sizeof(names[0]); e++)
		unit_busy(&p->u, e, names[e], p->engine == e);
}

static bool pipe_step(struct unit *u)
{
	struct vivante *v = viv_of(u);
	struct pipe *p = (struct pipe *)u;

	/* Nothing goes on after a fault or a hang; a reset starts anew. */
	if (v->hung || viv_mmus_faulted(v))
		return false;
	v->host->cycles++;
	if (p->engine != ENGINE_NONE) {
		if (engine_step(v, p))
			return true;
		p->engine = ENGINE_NONE;
		tell_engine(p);
		if (v->hung || viv_mmus_faulted(v))
			return false;
	}
	for (unsigned int n = 0; n < SLICE && v->front->count && p->engine == ENGINE_NONE && !v->hung; n++)
		take(v, p);
	tell_engine(p);
	viv_fe_look(v);
	if (v->front->count || p->engine != ENGINE_NONE)
		return true;
	if (!v->hung)
		v->busy &= VIVS_HI_IDLE_STATE_FE;
	return false;
}

static void pipe_unit_reset(struct unit *u)
{
}

const struct unit_ops vivante_pipe_ops = {
	.name = "pipe",
	.size = sizeof(struct pipe),
	.class = MODEL_OTHER,
	.reset = pipe_unit_reset,
	.step = pipe_step,
};
