/* SPDX-License-Identifier: MIT */
/*
 * The tile list, and the polygon lists that it calls (pp_stream.h).
 *
 * A slice works a bounded amount and can stop between any two commands. When
 * a memory access faults, the tile begins again, for the tile buffer may have
 * been changed by then; its writing back to memory is repeated alone, for a
 * tile may read what it will overwrite.
 */
#include "model/utgard/pp.h"

#define SLICE_WORK	6000	/* commands, blocks and shader instructions */

void pp_list_start(struct pp *pp)
{
	pp->list = pp->frame[PP_FRAME / 4];
	pp->dlbu = utgard_dlbu_serves(&pp->u, pp->list);
	pp->dlbu_tile = 0;
	pp->tile_open = false;
	pp->depth = 0;
	pp->phase = PP_TILE_LIST;
	if (pp->list % 8 && !pp->dlbu)
		unit_report(&pp->u, "tile list at 0x%08x is not 8-byte aligned", pp->list);
}

static void invalid(struct pp *pp, uint32_t va, const uint32_t cmd[2], const char *what)
{
	unit_report(&pp->u, "command 0x%08x 0x%08x at 0x%08x: %s", cmd[0], cmd[1], va, what);
	pp_end_of_frame(pp, PP_IRQ_INVALID_PLIST_CMD);
}

static void frame_scissor(struct pp *pp)
{
	uint32_t lr = pp->frame[PP_BOUND_BOX_LR / 4], bt = pp->frame[PP_BOUND_BOX_BT / 4];

	pp->scissor[0] = UTGARD_GET(PP_BOUND_BOX_LOW, lr);
	pp->scissor[1] = UTGARD_GET(PP_BOUND_BOX_LOW, bt);
	/* limare leaves both 0 when the frame is whole tiles. */
	pp->scissor[2] = lr ? UTGARD_GET(PP_BOUND_BOX_HIGH, lr) : 0xffff;
	pp->scissor[3] = bt ? UTGARD_GET(PP_BOUND_BOX_HIGH, bt) : 0xffff;
}

static void list_begin(struct pp *pp, uint32_t va)
{
	pp->addr = va;
	pp->depth = 0;
	pp->draw = NULL;
	pp->size = 1;
	frame_scissor(pp);
	pp->phase = PP_LIST;
}

/* Mali-450: the next tile comes from the DLBU instead of a list in memory. */
static void dlbu_tile(struct pp *pp)
{
	uint32_t list;

	if (!utgard_dlbu_tile(&pp->u, pp->dlbu_tile, &pp->tile_x, &pp->tile_y, &list)) {
		pp_end_of_frame(pp, PP_IRQ_END_OF_FRAME);
		return;
	}
	pp_tile_clear(pp);
	list_begin(pp, list);
}

static void tile_command(struct pp *pp)
{
	uint32_t cmd[2];

	if (!pp_read(pp, pp->list, cmd, sizeof(cmd)))
		return;
	if ((cmd[1] & 0xff000000) == PPS_BEGIN_TILE) {
		if (cmd[0] || cmd[1] & 0x00ff0000)
			unit_report(&pp->u, "begin tile 0x%08x 0x%08x at 0x%08x: unknown bits",
				    cmd[0], cmd[1], pp->list);
		if (pp->tile_open && unit_strict(&pp->u))
			unit_report(&pp->u, "begin tile at 0x%08x while tile %u, %u is open",
				    pp->list, pp->tile_x, pp->tile_y);
		pp->tile_x = PPS_TILE_X(cmd[1]);
		pp->tile_y = PPS_TILE_Y(cmd[1]);
		pp->tile_open = true;
		pp_tile_clear(pp);
		pp->list += 8;
	} else if (cmd[1] == PPS_CALL) {
		if (!pp->tile_open)
			invalid(pp, pp->list, cmd, "call outside a tile");
		else if (!cmd[0])
			pp->phase = PP_WRITE_BACK;	/* GUESS: a tile without a list */
		else if (PPS_TARGET_TYPE(cmd[0]) == PPS_TARGET_CALL)
			list_begin(pp, PPS_TARGET(cmd[0]));
		else
			invalid(pp, pp->list, cmd, "call with a bad target word");
	} else if (cmd[1] == PPS_END) {
		if (cmd[0])
			unit_report(&pp->u, "end of list 0x%08x 0x%08x at 0x%08x: unknown bits",
				    cmd[0], cmd[1], pp->list);
		pp_end_of_frame(pp, PP_IRQ_END_OF_FRAME);
	} else if (PPS_OPCODE(cmd[1]) == PLB_OP_RETURN) {
		unit_report(&pp->u, "return at 0x%08x in the tile list", pp->list);
		pp_end_of_frame(pp, PP_IRQ_CALL_STACK_UNDERFLOW);
	} else {
		invalid(pp, pp->list, cmd, "unknown in a tile list");
	}
}

static void scissor(struct pp *pp, const uint32_t cmd[2])
{
	int32_t s[4] = { PLB_SCISSOR_X0(cmd[0], cmd[1]), PLB_SCISSOR_Y0(cmd[0], cmd[1]),
			 PLB_SCISSOR_X1(cmd[0], cmd[1]), PLB_SCISSOR_Y1(cmd[0], cmd[1]) };

	frame_scissor(pp);
	pp->scissor[0] = s[0] > pp->scissor[0] ? s[0] : pp->scissor[0];
	pp->scissor[1] = s[1] > pp->scissor[1] ? s[1] : pp->scissor[1];
	pp->scissor[2] = s[2] < pp->scissor[2] ? s[2] : pp->scissor[2];
	pp->scissor[3] = s[3] < pp->scissor[3] ? s[3] : pp->scissor[3];
}

static void set_rsw(struct pp *pp, const uint32_t cmd[2])
{
	if (cmd[0] % RSW_BYTES && pp_once(pp, PP_ONCE_PRIM))
		unit_report(&pp->u, "RSW at 0x%08x is not 64-byte aligned", cmd[0]);
	pp->draw = pp_draw_get(pp, cmd[0] & ~(RSW_BYTES - 1u));
	pp->positions = PLB_RSW_GL_POS(cmd[1]);
}

static void primitive(struct pp *pp, uint8_t op, const uint32_t cmd[2])
{
	uint32_t index[3] = { PLB_PRIM_I0(cmd[0], cmd[1]), PLB_PRIM_I1(cmd[0], cmd[1]),
			      PLB_PRIM_I2(cmd[0], cmd[1]) };

	if (pp->draw)
		pp_primitive(pp, op, index);
	else if (pp_once(pp, PP_ONCE_NO_RSW))
		unit_report(&pp->u, "primitive at 0x%08x before any RSW of its list", pp->addr);
}

static void list_return(struct pp *pp)
{
	if (pp->depth)
		pp->addr = pp->stack[--pp->depth];
	else
		pp->phase = PP_WRITE_BACK;
}

static void list_call(struct pp *pp, const uint32_t cmd[2])
{
	if (PPS_TARGET_TYPE(cmd[0]) != PPS_TARGET_CALL) {
		invalid(pp, pp->addr, cmd, "call with a bad target word");
	} else if (pp->depth == PP_CALL_DEPTH) {
		unit_report(&pp->u, "call at 0x%08x: %u calls deep already", pp->addr, pp->depth);
		pp_end_of_frame(pp, PP_IRQ_CALL_STACK_OVERFLOW);
	} else {
		pp->stack[pp->depth++] = pp->addr + 8;
		pp->addr = PPS_TARGET(cmd[0]);
	}
}

static void list_command(struct pp *pp)
{
	uint32_t cmd[2], op;

	if (!pp_read(pp, pp->addr, cmd, sizeof(cmd)))
		return;
	pp->count[PP_CNT_LIST_READS]++;
	op = PPS_OPCODE(cmd[1]);
	switch (op) {
	case PLB_OP_NOP:
		if (cmd[0] || cmd[1]) {
			invalid(pp, pp->addr, cmd, "unknown in a polygon list");
			return;
		}
		break;
	case PLB_OP_TRIANGLE:
	case PLB_OP_LINE:
	case PLB_OP_POINT:
	case PLB_OP_RECT:
		primitive(pp, op, cmd);
		break;
	case PLB_OP_SIZE:
		memcpy(&pp->size, &cmd[0], sizeof(pp->size));
		break;
	case PLB_OP_SCISSOR:
		scissor(pp, cmd);
		break;
	case PLB_OP_RSW:
		set_rsw(pp, cmd);
		break;
	case PLB_OP_JUMP:
		if (PPS_TARGET_TYPE(cmd[0]) == PPS_TARGET_JUMP)
			pp->addr = PPS_TARGET(cmd[0]);
		else
			invalid(pp, pp->addr, cmd, "jump with a bad target word");
		return;
	case PPS_CALL >> 28:
		list_call(pp, cmd);
		return;
	case PLB_OP_RETURN:
		list_return(pp);
		return;
	default:
		invalid(pp, pp->addr, cmd, "unknown in a polygon list");
		return;
	}
	pp->addr += 8;
}

static void tile_done(struct pp *pp)
{
	if (pp->dlbu)
		pp->dlbu_tile++;
	else
		pp->list += 8;
	pp->tile_open = false;
	pp->wb_unit = 0;
	pp->phase = PP_TILE_LIST;
	unit_stats(&pp->u)->tiles++;
	pp_raise(pp, PP_IRQ_END_OF_TILE);
}

bool pp_list_step(struct pp *pp)
{
	pp->budget = SLICE_WORK;
	while (pp->budget > 0) {
		pp->budget -= 4;
		switch (pp->phase) {
		case PP_TILE_LIST:
			if (pp->dlbu)
				dlbu_tile(pp);
			else
				tile_command(pp);
			break;
		case PP_LIST:
			list_command(pp);
			break;
		case PP_WRITE_BACK:
			pp->budget -= 200;
			if (pp_write_back(pp))
				tile_done(pp);
			break;
		default:
			return false;
		}
		if (pp->hang) {
			pp->phase = PP_HUNG;
			return false;
		}
		if (!pp->fault)
			continue;
		pp->fault = false;
		if (pp->phase == PP_LIST) {
			pp_tile_clear(pp);
			pp_draw_flush(pp);
			pp->phase = PP_TILE_LIST;
		}
		return true;
	}
	return pp->phase != PP_IDLE;
}
