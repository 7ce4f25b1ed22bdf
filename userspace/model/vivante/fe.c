// SPDX-License-Identifier: MIT
/*
 * Front end: fetches commands, and sends states and draws to the modules
 * behind it (pipe.c). One command is one slice.
 *
 * Facts: rnndb cmdstream.xml, state.xml; etna_viv hardware.md; Linux etnaviv_buffer.c. FE
 * fetches as many 64-bit words as LINK, CALL or COMMAND_CONTROL say ("nothing
 * else will be fetched"), then waits for ever.
 */
#include <stdio.h>

#include "model/vivante/internal.h"

/* FE_DMA_DEBUG_STATE.CMD_STATE, as rnndb names them. */
enum {
	CMD_IDLE = 0, CMD_DEC = 1, CMD_LOAD0 = 3, CMD_3DCMD = 7, CMD_2DRECT0 = 13, CMD_WAITFIFO = 17,
	CMD_WAIT = 18, CMD_LINK = 19, CMD_END = 20, CMD_STALL = 21,
};

/* Words of the longest command: all rectangles and all data words of a DRAW_2D. */
#define LONGEST	(2 + 2 * VIV_FE_DRAW_2D_MAX + 2048)

static void fe_hang(struct vivante *v, const char *why, uint32_t at)
{
	v->front->state = VIV_FE_HUNG;
	viv_hang(v, "fe", VIVS_HI_IDLE_STATE_FE, "at %08x: %s", at, why);
}

static void set_state(struct vivante *v, enum viv_fe_state state, uint32_t debug)
{
	v->front->state = state;
	v->front->debug = debug;
	if (state == VIV_FE_IDLE)
		v->busy &= ~(uint32_t)VIVS_HI_IDLE_STATE_FE;
	else
		v->busy |= VIVS_HI_IDLE_STATE_FE;
}

/* A job starts when FE leaves its idle loop: time to look at translations anew. */
static void job_start(struct vivante *v)
{
	unit_job_start(v->fe);
	unit_has_job(v->fe, MODEL_BUSY_FE, true);
	for (unsigned int i = VIV_PORT_FE + 1; i < VIV_NUM_PORTS; i++)
		mmu_job_start(v->port[i]->mmu, v->port[i]);
}

/* Strict: what FE is told to fetch must be there, all of it. */
static void check_prefetch(struct vivante *v, uint32_t address, uint32_t words)
{
	struct mmu *mmu = v->fe->mmu;
	uint32_t entry;

	if (address % 8)
		unit_report(v->fe, "address %08x of a command is not a multiple of 8", address);
	if (!words)
		unit_report(v->fe, "nothing is prefetched at %08x", address);
	if (!unit_strict(v->fe))
		return;
	for (uint64_t a = address & ~(MODEL_PAGE - 1); a < (uint64_t)address + words * 8ull; a += MODEL_PAGE) {
		if (a >> 32 || mmu->ops->walk(mmu, a, false, &entry) != MMU_OK) {
			unit_report(v->fe, "prefetch of %u words at %08x runs into page %08x, which is not mapped",
				    words, address, (uint32_t)a);
			break;
		}
	}
}

static void jump(struct vivante *v, uint32_t address, uint32_t words)
{
	check_prefetch(v, address, words);
	v->front->pc = address & ~7u;
	v->front->left = words;
}

void viv_fe_start(struct vivante *v, uint32_t address, uint32_t prefetch)
{
	if (v->front->state != VIV_FE_IDLE)
		unit_report(v->fe, "started at %08x while it runs at %08x", address, v->front->pc);
	if (v->hung)
		return;
	v->front->called = v->front->left_out = false;
	v->front->wait_rounds = 0;
	job_start(v);
	/* GUESS(fe-low-bits): the low bits of the address do not count; Linux restarts FE at DMA_ADDRESS + 2. */
	jump(v, address & ~7u, prefetch);
	set_state(v, VIV_FE_RUN, CMD_DEC);
	unit_wake(v->fe);
}

void viv_fe_reset(struct vivante *v)
{
	struct viv_item *queue = v->front->queue;

	memset(v->front, 0, sizeof(*v->front));
	v->front->queue = queue;
	if (!v->fe)
		return;
	v->fe->pending = v->fe->polling = false;
	unit_has_job(v->fe, MODEL_BUSY_FE, false);
}

uint32_t viv_fe_debug_state(const struct vivante *v)
{
	bool runs = v->front->state != VIV_FE_IDLE;

	return VIV_SET(VIVS_FE_DMA_DEBUG_STATE_CMD_STATE, v->front->debug) |
	       VIV_SET(VIVS_FE_DMA_DEBUG_STATE_CMD_DMA_STATE, runs ? 2 : 0) |
	       VIV_SET(VIVS_FE_DMA_DEBUG_STATE_CMD_FETCH_STATE, runs ? 2 : 0);
}

void viv_fe_look(struct vivante *v)
{
	if (v->front->state == VIV_FE_RUN || v->front->state == VIV_FE_STALLED)
		unit_wake(v->fe);
}

/* --- Commands ------------------------------------------------------------------ */

/* States that FE itself acts upon, besides passing them on. */
static void look_at_state(struct vivante *v, uint32_t address, uint32_t val)
{
	struct viv_front *f = v->front;

	switch (address) {
	case VIVS_GL_SEMAPHORE_TOKEN:
		f->armed[VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_FROM, val)] |= 1u << VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_TO, val);
		break;
	case VIVS_GL_EVENT:
		if (val & VIVS_GL_EVENT_FROM_FE) {
			unit_stats(v->fe)->events++;
			viv_interrupt(v, 1u << VIV_GET(VIVS_GL_EVENT_EVENT_ID, val));
		}
		break;
	case VIVS_FE_FENCE_WAIT_DATA_LOW:
	case VIVS_FE_FENCE_WAIT_DATA_HIGH:
		v->state[address / 4] = val;
		break;
	}
}

static uint32_t from_fixed(uint32_t val)
{
	float f = (float)((double)(int32_t)val / 65536.0);

	memcpy(&val, &f, sizeof(val));
	return val;
}

static void load_state(struct vivante *v, const uint32_t *cmd)
{
	uint32_t address = viv_fe_load_address(cmd[0]), count = viv_fe_load_count(cmd[0]);
	bool fixed = cmd[0] & VIV_FE_LOAD_STATE_HEADER_FIXP;
	struct viv_item item = { .kind = VIV_ITEM_STATE };

	if (address + count * 4 > VIV_STATE_SPACE) {
		unit_report(v->fe, "LOAD_STATE of %u words at %05x leaves the state space", count, address);
		count = (VIV_STATE_SPACE - address) / 4;
	}
	for (uint32_t i = 0; i < count; i++) {
		item.address = address + i * 4;
		item.value = fixed ? from_fixed(cmd[1 + i]) : cmd[1 + i];
		look_at_state(v, item.address, item.value);
		viv_pipe_push(v, &item);
	}
	item = (struct viv_item){ .kind = VIV_ITEM_LOADED, .address = address, .value = count };
	viv_pipe_push(v, &item);
	v->front->debug = CMD_LOAD0;
}

static void draw_3d(struct vivante *v, const struct viv_draw *draw)
{
	struct viv_item item = { .kind = VIV_ITEM_DRAW, .draw = *draw };

	viv_pipe_push(v, &item);
	v->front->debug = CMD_3DCMD;
}

static void draw_2d(struct vivante *v, const uint32_t *cmd)
{
	uint32_t rects = viv_fe_rect_count(cmd[0]);
	uint32_t data = VIV_GET(VIV_FE_DRAW_2D_HEADER_DATA_COUNT, cmd[0]);
	struct viv_item item = { .kind = VIV_ITEM_DRAW_2D, .address = rects, .value = data };

	viv_pipe_push(v, &item);
	for (uint32_t i = 0; i < rects * 2 + data; i++) {
		item = (struct viv_item){ .kind = VIV_ITEM_WORD, .value = cmd[2 + i] };
		viv_pipe_push(v, &item);
	}
	v->front->debug = CMD_2DRECT0;
}

static void draw_instanced(struct vivante *v, const uint32_t *cmd)
{
	bool indexed = cmd[0] & VIV_FE_DRAW_INSTANCED_HEADER_INDEXED;
	struct viv_draw draw = {
		.type = VIV_GET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, cmd[0]),
		.indexed = indexed,
		.instanced = true,
		.vertices = VIV_GET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, cmd[1]),
		.instances = VIV_GET(VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO, cmd[0]) |
			     VIV_GET(VIV_FE_DRAW_INSTANCED_COUNT_INSTANCE_COUNT_HI, cmd[1]) << 16,
	};

	/* rnndb: GC2000 ignores the start; with indices it is what is added to them. */
	if (v->chip->halti >= 2) {
		draw.first = indexed ? 0 : cmd[2];
		draw.base_vertex = indexed ? (int32_t)cmd[2] : 0;
	}
	draw_3d(v, &draw);
}

/*
 * GUESS(fe-indirect-layout): the structure in memory is OpenGL's: count, instances, first, [base vertex].
 * False after a fault.
 */
static bool draw_indirect(struct vivante *v, const uint32_t *cmd)
{
	struct viv_draw draw = {
		.type = VIV_GET(VIV_FE_DRAW_INDIRECT_HEADER_TYPE, cmd[0]),
		.indexed = cmd[0] & VIV_FE_DRAW_INDIRECT_HEADER_INDEXED,
		.instanced = true,
	};
	uint32_t args[4] = { 0 };

	viv_guess(v, "fe", "DRAW_INDIRECT reads its counts at %08x as OpenGL's structure", cmd[1]);
	if (!unit_read(v->fe, cmd[1], args, draw.indexed ? 16 : 12))
		return false;
	draw.vertices = args[0];
	draw.instances = args[1];
	draw.first = args[2];
	draw.base_vertex = (int32_t)args[3];
	draw_3d(v, &draw);
	return true;
}

static void stall(struct vivante *v, uint32_t token, uint32_t at)
{
	struct viv_front *f = v->front;
	uint32_t from = VIV_GET(VIV_FE_STALL_TOKEN_FROM, token), to = VIV_GET(VIV_FE_STALL_TOKEN_TO, token);

	if (from != SYNC_RECIPIENT_FE)
		unit_report(v->fe, "STALL from module %u: FE stalls only itself", from);
	if (!((f->armed[from] | f->raised[from]) >> to & 1)) {
		fe_hang(v, "STALL waits for a semaphore that nobody has armed", at);
		return;
	}
	f->stall = token;
	set_state(v, VIV_FE_STALLED, CMD_STALL);
}

/* True when the semaphore has come, and FE goes on. */
static bool stall_over(struct vivante *v)
{
	struct viv_front *f = v->front;
	uint32_t from = VIV_GET(VIV_FE_STALL_TOKEN_FROM, f->stall), to = VIV_GET(VIV_FE_STALL_TOKEN_TO, f->stall);

	if (!(f->raised[from] >> to & 1))
		return false;
	f->raised[from] &= ~(1u << to);
	set_state(v, VIV_FE_RUN, CMD_DEC);
	return true;
}

static void link_to(struct vivante *v, const uint32_t *cmd, uint32_t at)
{
	struct viv_front *f = v->front;

	if (cmd[1] == f->wait && at == f->wait + 8) {
		f->wait_rounds++;
		unit_has_job(v->fe, MODEL_BUSY_FE, false);
	} else {
		if (f->wait_rounds)
			job_start(v);
		f->wait_rounds = 0;
	}
	jump(v, cmd[1], VIV_GET(VIV_FE_LINK_HEADER_PREFETCH, cmd[0]));
	f->debug = CMD_LINK;
}

static void call(struct vivante *v, const uint32_t *cmd, uint32_t at)
{
	struct viv_front *f = v->front;

	/* GUESS(fe-call-nesting): there is one place for a return address. */
	if (f->called)
		unit_report(v->fe, "CALL at %08x within a CALL: the outer return is lost", at);
	f->called = true;
	f->return_left = cmd[2];
	f->return_pc = cmd[3];
	jump(v, cmd[1], VIV_GET(VIV_FE_CALL_HEADER_PREFETCH, cmd[0]));
	f->debug = CMD_LINK;
}

static void end(struct vivante *v, uint32_t header)
{
	set_state(v, VIV_FE_IDLE, CMD_END);
	unit_has_job(v->fe, MODEL_BUSY_FE, false);
	v->front->wait_rounds = 0;
	if (!(header & VIV_FE_END_HEADER_EVENT_ENABLE))
		return;
	unit_stats(v->fe)->events++;
	viv_interrupt(v, 1u << VIV_GET(VIV_FE_END_HEADER_EVENT_ID, header));
}

/* WAIT_FENCE: 64 bits in memory have reached what FENCE_WAIT_DATA says. 1, 0, or -1 after a fault. */
static int fence_reached(struct vivante *v, uint32_t address)
{
	uint64_t have, want = (uint64_t)viv_state(v, VIVS_FE_FENCE_WAIT_DATA_HIGH) << 32 |
			      viv_state(v, VIVS_FE_FENCE_WAIT_DATA_LOW);

	if (!unit_read(v->fe, address, &have, sizeof(have)))
		return -1;
	/* GUESS(fe-fence-later): a later value will do as well. */
	return have >= want;
}

/*
 * CHIP_SELECT has left this core out. GUESS(fe-chip-select): it still follows the stream, which
 * the cores of such a chip share, and skips what would do something.
 */
static bool skipped(const struct viv_front *f, uint32_t header)
{
	switch (VIV_GET(VIV_FE_OPCODE, header)) {
	case FE_OPCODE_LOAD_STATE:
	case FE_OPCODE_DRAW_2D:
	case FE_OPCODE_DRAW_PRIMITIVES:
	case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
	case FE_OPCODE_DRAW_INSTANCED:
	case FE_OPCODE_DRAW_INDIRECT:
	case FE_OPCODE_STALL:
		return f->left_out;
	}
	return false;
}

/* False: FE stays at this command. */
static bool execute(struct vivante *v, const uint32_t *cmd, uint32_t at)
{
	struct viv_front *f = v->front;

	if (skipped(f, cmd[0]))
		return true;
	switch (VIV_GET(VIV_FE_OPCODE, cmd[0])) {
	case FE_OPCODE_LOAD_STATE:
		load_state(v, cmd);
		return true;
	case FE_OPCODE_END:
		end(v, cmd[0]);
		return true;
	case FE_OPCODE_NOP:
		return true;
	case FE_OPCODE_DRAW_2D:
		draw_2d(v, cmd);
		return true;
	case FE_OPCODE_DRAW_PRIMITIVES:
		draw_3d(v, &(struct viv_draw){ .type = cmd[1] & 0xff, .first = cmd[2], .primitives = cmd[3],
					       .instances = 1 });
		return true;
	case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
		draw_3d(v, &(struct viv_draw){ .type = cmd[1] & 0xff, .indexed = true, .first = cmd[2],
					       .primitives = cmd[3], .base_vertex = (int32_t)cmd[4], .instances = 1 });
		return true;
	case FE_OPCODE_DRAW_INSTANCED:
		draw_instanced(v, cmd);
		return true;
	case FE_OPCODE_DRAW_INDIRECT:
		return draw_indirect(v, cmd);
	case FE_OPCODE_WAIT:
		if (f->wait != at)
			f->wait_rounds = 0;
		f->wait = at;
		f->debug = CMD_WAIT;
		return true;
	case FE_OPCODE_LINK:
		link_to(v, cmd, at);
		return true;
	case FE_OPCODE_STALL:
		stall(v, cmd[1], at);
		return true;
	case FE_OPCODE_CALL:
		call(v, cmd, at);
		return true;
	case FE_OPCODE_RETURN:
		if (!f->called) {
			fe_hang(v, "RETURN without a CALL", at);
			return false;
		}
		f->called = false;
		jump(v, f->return_pc, f->return_left);
		return true;
	case FE_OPCODE_CHIP_SELECT:
		f->left_out = !(VIV_GET(VIV_FE_CHIP_SELECT_HEADER_ENABLE_CHIP, cmd[0]) & 1);
		if (f->left_out)
			unit_report(v->fe, "CHIP_SELECT at %08x leaves out core 0, the only one", at);
		return true;
	case FE_OPCODE_WAIT_FENCE:
		set_state(v, VIV_FE_FENCE, CMD_WAITFIFO);
		f->stall = cmd[1];
		return true;
	case FE_OPCODE_SNAP_PAGES:
		unit_report(v->fe, "SNAP_PAGES at %08x: nobody knows what it does", at);
		return true;
	}
	return true;
}

/* The opcodes that only some chips have. */
static bool has_opcode(const struct vivante *v, uint32_t header)
{
	if (!viv_fe_command_words(header))
		return false;
	switch (viv_fe_need(VIV_GET(VIV_FE_OPCODE, header))) {
	case VIV_NEEDS_HALTI0:
		return v->chip->halti >= 0;
	case VIV_NEEDS_HALTI5:
		return v->chip->halti >= 5;
	default:
		return true;	/* a draw that the pipe cannot do has a report of its own */
	}
}

/* Items that the command may put into the queue. */
static unsigned int items(uint32_t header, unsigned int words)
{
	switch (VIV_GET(VIV_FE_OPCODE, header)) {
	case FE_OPCODE_LOAD_STATE:
	case FE_OPCODE_DRAW_2D:
		return words + 1;
	default:
		return 1;
	}
}

/* --- Slices ----------------------------------------------------------------------- */

/* One command. True: there is more to do now. */
static bool run_command(struct vivante *v)
{
	struct viv_front *f = v->front;
	uint32_t at = f->pc, cmd[LONGEST];
	unsigned int words;

	if (!f->left) {
		/* GUESS(fe-prefetch-end): it waits for ever, here and where there is no such opcode. */
		fe_hang(v, "the words to prefetch are used up, and no END or LINK came", at);
		return false;
	}
	if (!unit_read(v->fe, at, cmd, 8))
		return true;
	f->command[0] = cmd[0];
	f->command[1] = cmd[1];
	words = viv_fe_command_words(cmd[0]);
	if (!has_opcode(v, cmd[0])) {
		char why[64];

		snprintf(why, sizeof(why), "%08x is no command of this chip", cmd[0]);
		fe_hang(v, why, at);
		return false;
	}
	if (words / 2 > f->left) {
		fe_hang(v, "the command is longer than what is left to prefetch", at);
		return false;
	}
	if (!viv_pipe_room(v, items(cmd[0], words))) {
		f->debug = CMD_WAITFIFO;
		return false;
	}
	if (words > 2 && !unit_read(v->fe, at + 8, cmd + 2, words * 4 - 8))
		return true;
	f->pc += words * 4;
	f->left -= words / 2;
	unit_stats(v->fe)->commands++;
	v->perf.mc_read_8b_ip += words / 2;
	v->host->cycles++;
	if (!execute(v, cmd, at) && f->state == VIV_FE_RUN) {
		f->pc = at;
		f->left += words / 2;
	}
	return f->state == VIV_FE_RUN || f->state == VIV_FE_FENCE || f->state == VIV_FE_STALLED;
}

static bool fe_step(struct unit *u)
{
	struct vivante *v = viv_of(u);
	struct viv_front *f = v->front;
	int reached;
	bool more;

	switch (f->state) {
	case VIV_FE_IDLE:
	case VIV_FE_HUNG:
		return false;
	case VIV_FE_STALLED:
		return stall_over(v);	/* else the pipe wakes FE */
	case VIV_FE_FENCE:
		reached = fence_reached(v, f->stall);
		if (reached > 0)
			set_state(v, VIV_FE_RUN, CMD_DEC);
		else if (!reached)
			unit_poll(u);
		return reached != 0;
	case VIV_FE_RUN:
		break;
	}
	more = run_command(v);
	/* In its idle loop, WAIT and LINK are one slice, and FE only watches WAIT. */
	if (more && f->wait_rounds > 1 && f->debug == CMD_WAIT)
		more = run_command(v);
	if (more && f->wait_rounds > 1 && f->debug == CMD_LINK && f->pc == f->wait) {
		v->host->idle_cycles++;
		unit_poll(u);
		return false;
	}
	return more;
}

const struct unit_ops vivante_fe_ops = {
	.name = "fe",
	.size = sizeof(struct unit),
	.class = MODEL_OTHER,
	.step = fe_step,
	.bus_error = viv_port_bus_error,
};
