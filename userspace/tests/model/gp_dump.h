/* SPDX-License-Identifier: MIT */
/* The sentences that limn decode makes of a GP job, with the registers that are told: what the host has reset by then. */
#ifndef LIMN_TESTS_GP_DUMP_H
#define LIMN_TESTS_GP_DUMP_H

#include <limn/utgard/regs.h>

#include "model/carriers/host/host_priv.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tests/model/gp_scene.h"

static inline char *gp_sentences(const struct env *e, uint32_t status, uint32_t raw, uint32_t fault, uint32_t size)
{
	uint32_t frame[6];
	struct dump_region region = { .va = e->va, .size = size, .whole = size, .data = e->map };
	struct dump_job job = { .regions = &region, .num_regions = 1, .frame = (uint8_t *)frame, .frame_size = sizeof(frame) };
	struct dump_reg regs[] = {
		{ "gp", GP_STATUS, status }, { "gp", GP_INT_RAWSTAT, raw }, { "gpmmu", MMU_STATUS, 0 },
		{ "gpmmu", MMU_INT_RAWSTAT, fault ? MMU_INT_PAGE_FAULT : 0 }, { "gpmmu", MMU_PAGE_FAULT_ADDR, fault },
	};
	struct dump dump = { .regs = regs, .num_regs = 5, .jobs = &job, .num_jobs = 1 };
	char *out = NULL;
	size_t len;
	struct json json = { .to = open_memstream(&out, &len), .text = true };

	gp_frame(e, frame);
	dump_print_utgard(&dump, &job, &(struct dump_options){ .json = &json });
	fclose(json.to);
	return out;
}

/* The text has that, and frees it. */
static inline void __attribute__((format(printf, 2, 3))) gp_says(char *text, const char *format, ...)
{
	char says[300];
	va_list ap;

	va_start(ap, format);
	vsnprintf(says, sizeof(says), format, ap);
	va_end(ap);
	if (!strstr(text, says))
		fail_msg("'%s' is not said in:\n%s", says, text);
	free(text);
}

#endif
