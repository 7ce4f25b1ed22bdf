// SPDX-License-Identifier: MIT
/* The steps of a watched pixel's shader, for the units of both families. */
#include <string.h>

#include "model/watch.h"

void model_step_begin(struct model_watch *watch, struct model_step *step, const char *isa, int32_t at)
{
	*step = (struct model_step){ .isa = isa, .at = at };
	watch->under_way = step;
}

void model_step_texture(struct model_watch *watch, uint32_t sampler, unsigned int lane, const v8f *coord, const v8f texel[4])
{
	struct model_step *step = watch->under_way;

	if (!step)
		return;
	step->sampled = true;
	step->sampler = sampler;
	for (unsigned int c = 0; c < 4; c++) {
		step->coord[c] = coord[c][lane];
		step->texel[c] = texel[c][lane];
	}
}

void model_step_register(struct model_step *step, unsigned int number, const uint32_t before[4], const uint32_t now[4])
{
	struct model_register *reg = &step->reg[step->num_registers];
	unsigned int mask = 0;

	for (unsigned int c = 0; c < 4; c++)
		mask |= (unsigned int)(before[c] != now[c]) << c;
	if (!mask || step->num_registers == MODEL_STEP_REGISTERS)
		return;
	*reg = (struct model_register){ .number = (uint8_t)number, .mask = (uint8_t)mask };
	memcpy(reg->value, now, sizeof(reg->value));
	step->num_registers++;
}

void model_step_end(struct model_watch *watch, const uint32_t *words, uint32_t num_words)
{
	struct model_step *step = watch->under_way;

	watch->under_way = NULL;
	step->words = words;
	step->num_words = num_words;
	watch->step(watch->ctx, step);
}
