// SPDX-License-Identifier: MIT
/* The GP's lists: vertex shading and polygon list building of each draw. */
#include "isa/half.h"
#include "lib/utgard/utgard.h"

uint32_t limn_utgard_varyings_layout(const struct utgard_output *outputs, uint32_t count,
				     uint32_t *offset)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t type = outputs[i].half ? RSW_VARYING_F16X4 : RSW_VARYING_F32X4;

		if (outputs[i].kind != UTGARD_VARYING)
			continue;
		at = (at + RSW_VARYING_ALIGN(type) - 1) & -RSW_VARYING_ALIGN(type);
		offset[i] = at;
		at += RSW_VARYING_SIZE(type);
	}
	return (at + 15) & ~15u;
}

/* A register that a command writes; draw may force bits of it, or be NULL. */
static void set_register(struct utgard_words *list, const struct utgard_draw *draw, enum utgard_block block,
			 uint32_t reg, uint32_t value)
{
	if (draw)
		value = limn_utgard_force_word(value, reg, block, draw->forced, draw->num_forced);
	limn_utgard_emit(list, value, GP_W1_REGISTER(reg));
}

/* Whole registers that are forced; those that a draw sets anyway are so twice. */
static void set_forced(struct utgard_words *list, const struct utgard_draw *draw, enum utgard_block block)
{
	for (uint32_t i = 0; i < draw->num_forced; i++)
		if (draw->forced[i].block == block && draw->forced[i].width == 32)
			set_register(list, draw, block, draw->forced[i].bit / 32, 0);
}

static void semaphore(struct utgard_words *list, const struct utgard_draw *draw, uint32_t value, uint32_t command)
{
	if (draw->lists != UTGARD_LISTS_NO_SEMAPHORES)
		limn_utgard_emit(list, value, command);
}

void limn_utgard_vs_list(struct utgard_words *list, const struct utgard_draw *draw,
			 const struct utgard_places *at)
{
	bool indexed = draw->index_bytes;
	uint32_t uniforms = draw->num_vs_uniforms ? draw->num_vs_uniforms : 1;
	uint32_t attributes = draw->num_attributes ? draw->num_attributes : 1;
	uint32_t count = indexed ? draw->max_index - draw->min_index + 1 : draw->count;

	if (!indexed) {
		semaphore(list, draw, VS_SEM_BEGIN_1, VS_W1_SEMAPHORE);
		semaphore(list, draw, VS_SEM_BEGIN_2, VS_W1_SEMAPHORE);
	}
	limn_utgard_emit(list, at->vs_uniforms_va, VS_W1_UNIFORMS(uniforms * 16));
	limn_utgard_emit(list, at->vs_va, VS_W1_SHADER(draw->vs_bytes));
	set_register(list, draw, UTGARD_BLOCK_VS_REG, VS_REG_SHADER_INFO,
		     VS_SHADER_INFO(draw->vs_prefetch, draw->vs_bytes));
	set_register(list, draw, UTGARD_BLOCK_VS_REG, VS_REG_COUNTS, VS_COUNTS(draw->num_outputs, attributes));
	set_register(list, draw, UTGARD_BLOCK_VS_REG, VS_REG_UNKNOWN_41, 3);
	limn_utgard_emit(list, at->attributes_va, VS_W1_ATTRIBUTES(attributes));
	limn_utgard_emit(list, at->outputs_va, VS_W1_VARYINGS(draw->num_outputs));
	limn_utgard_emit(list, VS_W0_DRAW(count, indexed), VS_W1_DRAW(count));
	if (draw->lists != UTGARD_LISTS_NO_VS_FLUSH)
		limn_utgard_emit(list, 0, VS_W1_FLUSH);
	semaphore(list, draw, indexed ? VS_SEM_END_INDEXED : VS_SEM_END, VS_W1_SEMAPHORE);
}

static bool is_line(uint8_t mode)
{
	return mode >= GP_MODE_LINES && mode < GP_MODE_TRIANGLES;
}

static uint32_t primitive_word(const struct utgard_draw *draw, bool force_size)
{
	const struct utgard_state *s = &draw->state;
	uint32_t word = PLBU_PRIM(draw->index_bytes);

	if (force_size)
		word |= UTGARD_MASK(PLBU_REG_FORCE_SIZE);
	/* Culling is told by winding, and the state tells which winding is the front. */
	if (s->cull_front)
		word |= s->front_ccw ? UTGARD_MASK(PLBU_REG_CULL_CCW) : UTGARD_MASK(PLBU_REG_CULL_CW);
	if (s->cull_back)
		word |= s->front_ccw ? UTGARD_MASK(PLBU_REG_CULL_CW) : UTGARD_MASK(PLBU_REG_CULL_CCW);
	return word;
}

void limn_utgard_plbu_list(struct utgard_words *list, const struct utgard_draw *draw,
			   const struct utgard_places *at)
{
	const enum utgard_block regs = UTGARD_BLOCK_PLBU_REG;
	const struct utgard_state *s = &draw->state;
	uint32_t x1 = s->scissor_x + s->scissor_w, y1 = s->scissor_y + s->scissor_h;
	bool line = is_line(draw->mode);
	bool force_size = line || (draw->mode == GP_MODE_POINTS && !at->has_point_size);
	/* Wide lines may reach out of the viewport, which cuts what the PLBU keeps. */
	float grow = line && s->line_width != 1.0f ? s->line_width / 2 : 0;

	set_register(list, draw, regs, PLBU_REG_VIEWPORT_LEFT, as_bits(s->viewport[0] - grow));
	set_register(list, draw, regs, PLBU_REG_VIEWPORT_RIGHT, as_bits(s->viewport[1] + grow));
	set_register(list, draw, regs, PLBU_REG_VIEWPORT_BOTTOM, as_bits(s->viewport[2] - grow));
	set_register(list, draw, regs, PLBU_REG_VIEWPORT_TOP, as_bits(s->viewport[3] + grow));
	if (!draw->index_bytes)
		semaphore(list, draw, PLBU_SEM_BEGIN, PLBU_W1_SEMAPHORE);
	set_register(list, draw, regs, PLBU_REG_PRIMITIVE, primitive_word(draw, force_size));
	limn_utgard_emit(list, at->rsw_va, PLBU_W1_RSW(at->positions_va));
	limn_utgard_emit(list, PLBU_W0_SCISSOR(s->scissor_x, y1, s->scissor_y),
			 PLBU_W1_SCISSOR(s->scissor_x, x1));
	set_register(list, draw, regs, PLBU_REG_UNKNOWN_10A, 0);
	set_register(list, draw, regs, PLBU_REG_DEPTH_NEAR, as_bits(s->depth_near));
	set_register(list, draw, regs, PLBU_REG_DEPTH_FAR, as_bits(s->depth_far));
	if (force_size)
		set_register(list, draw, regs, PLBU_REG_LOW_PRIM_SIZE,
			      as_bits(line ? s->line_width : s->point_size));
	set_forced(list, draw, regs);
	if (draw->index_bytes) {
		set_register(list, draw, regs, PLBU_REG_POSITIONS, at->positions_va);
		if (at->has_point_size)
			set_register(list, draw, regs, PLBU_REG_POINT_SIZES, at->point_sizes_va);
		set_register(list, draw, regs, PLBU_REG_INDICES, at->indices_va);
	} else {
		limn_utgard_emit(list, PLBU_W0_DRAW(draw->start, draw->count),
				 PLBU_W1_DRAW_ARRAYS(draw->mode, draw->count));
	}
	semaphore(list, draw, PLBU_SEM_END, PLBU_W1_SEMAPHORE);
	if (draw->index_bytes)
		limn_utgard_emit(list, PLBU_W0_DRAW(draw->min_index, draw->count),
				 PLBU_W1_DRAW_ELEMENTS(draw->mode, draw->count));
	if (draw->lists == UTGARD_LISTS_PLBU_FLUSH)
		limn_utgard_emit(list, 0, UTGARD_W1(UTGARD_COMMAND(PLBU_FLUSH)));
}

void limn_utgard_plbu_head(struct utgard_words *list, const struct utgard_tiles *tiles,
			   uint32_t array_va)
{
	uint32_t shift_min = tiles->shift_w < tiles->shift_h ? tiles->shift_w : tiles->shift_h;

	if (shift_min > 2)
		shift_min = 2;
	set_register(list, NULL, UTGARD_BLOCK_PLBU_REG, PLBU_REG_PRIMITIVE, 0x200);	/* 512-byte blocks */
	set_register(list, NULL, UTGARD_BLOCK_PLBU_REG, PLBU_REG_BLOCK_STEP,
		      shift_min << 28 | tiles->shift_h << 16 | tiles->shift_w);
	set_register(list, NULL, UTGARD_BLOCK_PLBU_REG, PLBU_REG_TILES, (tiles->w - 1) << 24 | (tiles->h - 1) << 8);
	limn_utgard_emit(list, tiles->block_w, PLBU_W1_BLOCK_STRIDE);
	limn_utgard_emit(list, array_va, PLBU_W1_ARRAY(tiles->block_w * tiles->block_h));
}
