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
		pp->tile_x = utgard_get(cmd, TILE_BEGIN_X);
		pp->tile_y = utgard_get(cmd, TILE_BEGIN_Y);
		pp->tile_open = true;
		pp_tile_clear(pp);
		pp->list += 8;
	} else if (cmd[1] == PPS_CALL && cmd[0] != PLB_RETURN_LO) {
		if (!pp->tile_open)
			invalid(pp, pp->list, cmd, "call outside a tile");
		else if (!cmd[0])
			pp->phase = PP_WRITE_BACK;	/* GUESS(pp-no-list): a tile without a list */
		else if (PPS_TARGET_TYPE(cmd[0]) == PPS_TARGET_CALL)
			list_begin(pp, PPS_TARGET(cmd[0]));
		else
			invalid(pp, pp->list, cmd, "call with a bad target word");
	} else if (cmd[1] == PPS_END) {
		if (cmd[0])
			unit_report(&pp->u, "end of list 0x%08x 0x%08x at 0x%08x: unknown bits",
				    cmd[0], cmd[1], pp->list);
		pp_end_of_frame(pp, PP_IRQ_END_OF_FRAME);
	} else if (cmd[1] == PLB_RETURN_HI && cmd[0] == PLB_RETURN_LO) {
		unit_report(&pp->u, "return at 0x%08x in the tile list", pp->list);
		pp_end_of_frame(pp, PP_IRQ_CALL_STACK_UNDERFLOW);
	} else {
		invalid(pp, pp->list, cmd, "unknown in a tile list");
	}
}

static void scissor(struct pp *pp, const uint32_t cmd[2])
{
	int32_t s[4] = { utgard_get(cmd, PLB_SCISSOR_MIN_X), utgard_get(cmd, PLB_SCISSOR_MIN_Y),
			 utgard_get(cmd, PLB_SCISSOR_MAX_X), utgard_get(cmd, PLB_SCISSOR_MAX_Y) };

	frame_scissor(pp);
	pp->scissor[0] = s[0] > pp->scissor[0] ? s[0] : pp->scissor[0];
	pp->scissor[1] = s[1] > pp->scissor[1] ? s[1] : pp->scissor[1];
	pp->scissor[2] = s[2] < pp->scissor[2] ? s[2] : pp->scissor[2];
	pp->scissor[3] = s[3] < pp->scissor[3] ? s[3] : pp->scissor[3];
}

static void set_rsw(struct pp *pp, const uint32_t cmd[2])
{
	uint32_t rsw = utgard_get(cmd, PLB_RSW_ADDRESS) << 3;

	if (rsw % RSW_BYTES && pp_once(pp, PP_ONCE_PRIM))
		unit_report(&pp->u, "RSW at 0x%08x is not 64-byte aligned", rsw);
	pp->draw = pp_draw_get(pp, rsw & ~(RSW_BYTES - 1u));
	pp->positions = utgard_get(cmd, PLB_RSW_POSITIONS) << 6;
}

static void primitive(struct pp *pp, uint8_t op, const uint32_t index[3])
{
	if (pp->draw)
		pp_primitive(pp, op, index);
	else if (pp_once(pp, PP_ONCE_NO_RSW))
		unit_report(&pp->u, "primitive at 0x%08x before any RSW of its list", pp->addr);
}

/* Which of two halves of its block of tiles is this tile in? */
static unsigned int half(uint32_t tile, uint32_t shift)
{
	return shift ? tile >> (shift - 1) & 1 : 0;
}

static void triangle(struct pp *pp, const uint32_t cmd[2])
{
	uint32_t index[3] = { utgard_get(cmd, PLB_TRIANGLE_V0), utgard_get(cmd, PLB_TRIANGLE_V1),
			      utgard_get(cmd, PLB_TRIANGLE_V2) };
	uint32_t config = pp->frame[PP_POLYGON_LIST_CONFIG / 4];
	unsigned int x = half(pp->tile_x, UTGARD_GET(PP_PLIST_SHIFT_W, config) & 15);
	unsigned int y = half(pp->tile_y, UTGARD_GET(PP_PLIST_SHIFT_H, config) & 15);

	if (utgard_get(cmd, PLB_TRIANGLE_MASK) >> (y * 2 + x) & 1)
		primitive(pp, PLB_OP_TRIANGLE, index);
}

static void other_primitive(struct pp *pp, uint8_t op, const uint32_t cmd[2])
{
	uint32_t index[3] = { utgard_get(cmd, PLB_WIDE_V0), utgard_get(cmd, PLB_WIDE_V1), utgard_get(cmd, PLB_WIDE_V2) };

	primitive(pp, op == PLB_OP_WIDE ? PLB_OP_TRIANGLE : op, index);
}

static void list_return(struct pp *pp)
{
	if (pp->depth)
		pp->addr = pp->stack[--pp->depth];
	else
		pp->phase = PP_WRITE_BACK;
}

static void list_call(struct pp *pp, uint32_t lo)
{
	if (pp->depth == PP_CALL_DEPTH) {
		unit_report(&pp->u, "call at 0x%08x: %u calls deep already", pp->addr, pp->depth);
		pp_end_of_frame(pp, PP_IRQ_CALL_STACK_OVERFLOW);
	} else {
		pp->stack[pp->depth++] = pp->addr + 8;
		pp->addr = PPS_TARGET(lo);
	}
}

/* Where the list goes on. */
static void list_control(struct pp *pp, const uint32_t cmd[2])
{
	uint32_t type = PPS_TARGET_TYPE(cmd[0]);

	if (cmd[1] == PLB_JUMP_HI && type == PPS_TARGET_JUMP)
		pp->addr = PPS_TARGET(cmd[0]);
	else if (cmd[1] == PLB_JUMP_HI && type == PPS_TARGET_CALL)
		list_call(pp, cmd[0]);
	else if (cmd[1] == PLB_RETURN_HI && cmd[0] == PLB_RETURN_LO)
		list_return(pp);
	else
		invalid(pp, pp->addr, cmd, "unknown in a polygon list");
}

static void list_command(struct pp *pp)
{
	uint32_t cmd[2], op;

	if (!pp_read(pp, pp->addr, cmd, sizeof(cmd)))
		return;
	pp->count[PP_CNT_LIST_READS]++;
	if (cmd[1] >> (32 - PLB_TRIANGLE__BITS) == PLB_TRIANGLE__OP) {
		if (cmd[1] & ~PLB_TRIANGLE_HI(~0u, ~0u))
			invalid(pp, pp->addr, cmd, "a triangle with unknown bits");
		else
			triangle(pp, cmd);
		pp->addr += 8;
		return;
	}
	op = PPS_OPCODE(cmd[1]);
	switch (op) {
	case PLB_OP_WIDE:
	case PLB_OP_LINE:
	case PLB_OP_POINT:
	case PLB_OP_RECT:
		other_primitive(pp, op, cmd);
		break;
	case PLB_SIZE__OP:
		memcpy(&pp->size, &cmd[0], sizeof(pp->size));
		break;
	case PLB_SCISSOR__OP:
		scissor(pp, cmd);
		break;
	case PLB_RSW__OP:
		set_rsw(pp, cmd);
		break;
	default:
		list_control(pp, cmd);
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
