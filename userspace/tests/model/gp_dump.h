/* SPDX-License-Identifier: MIT */
/*
 * The sentences that limn decode makes of a GP job that failed. They are printed with the interrupts and with what the
 * model reported: host/hangs.sh looks for each cause there.
 */
#ifndef LIMN_TESTS_GP_DUMP_H
#define LIMN_TESTS_GP_DUMP_H

#include <limn/utgard/regs.h>

#include "model/carriers/host/host_priv.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tests/model/gp_scene.h"

static const struct {
	uint32_t bit;
	const char *name;
} gp_irqs[] = {
	{ GP_IRQ_PLBU_OOM, "GP_IRQ_PLBU_OOM" }, { GP_IRQ_WRITE_BOUND, "GP_IRQ_WRITE_BOUND" },
	{ GP_IRQ_BUS_ERROR, "GP_IRQ_BUS_ERROR" }, { GP_IRQ_VS_INVALID_CMD, "GP_IRQ_VS_INVALID_CMD" },
	{ GP_IRQ_PLBU_INVALID_CMD, "GP_IRQ_PLBU_INVALID_CMD" }, { GP_IRQ_PTR_ARRAY_BOUND, "GP_IRQ_PTR_ARRAY_BOUND" },
};

/* The page of a GPU address is where no memory is on the bus. */
static inline void gp_unplug(const struct env *e, uint32_t va)
{
	const uint32_t *directory = (uint32_t *)host_ram_at(e->host, e->host->directory);
	uint32_t *table = (uint32_t *)host_ram_at(e->host, directory[va >> MMU_PDE_SHIFT] & MMU_PAGE_MASK);
	uint32_t *entry = &table[(va >> MMU_PTE_SHIFT) % MMU_ENTRIES];

	*entry = 0xfff00000 | (*entry & ~MMU_PAGE_MASK);
}

/* One of them begins with that. */
static inline void __attribute__((format(printf, 2, 3))) gp_says(const struct env *e, const char *format, ...)
{
	uint32_t frame[6];
	struct dump_region region = { .va = e->va, .size = e->size, .whole = e->size, .data = e->map };
	struct dump_job job = { .regions = &region, .num_regions = 1, .frame = (uint8_t *)frame, .frame_size = sizeof(frame) };
	struct dump_reg regs[] = {
		{ "gp", GP_STATUS, e->seen.status }, { "gp", GP_INT_RAWSTAT, e->seen.raw }, { "gp", GP_BUS_ERROR_STAT, e->seen.bus_error },
		{ "gpmmu", MMU_STATUS, e->seen.mmu_status }, { "gpmmu", MMU_INT_RAWSTAT, e->seen.mmu_raw },
		{ "gpmmu", MMU_PAGE_FAULT_ADDR, e->seen.mmu_address }, { "gp", GP_WRITE_BOUND_LOW, e->seen.bounds[0] },
		{ "gp", GP_WRITE_BOUND_HIGH, e->seen.bounds[1] },
	};
	struct dump dump = { .regs = regs, .num_regs = 8, .jobs = &job, .num_jobs = 1 };
	char *out = NULL, *at, says[300];
	bool said = false;
	size_t len;
	va_list ap;
	struct json json = { .to = open_memstream(&out, &len), .text = true };

	va_start(ap, format);
	vsnprintf(says, sizeof(says), format, ap);
	va_end(ap);
	gp_frame(e, frame);
	dump_print_utgard(&dump, &job, &(struct dump_options){ .json = &json });
	fclose(json.to);
	printf("gp hangs:");
	for (size_t i = 0; i < sizeof(gp_irqs) / sizeof(gp_irqs[0]); i++)
		if (e->seen.raw & gp_irqs[i].bit)
			printf(" %s", gp_irqs[i].name);
	printf(" %s\n", e->last);
	for (at = out; (at = strstr(at, "in short: ")); at++) {
		printf("    %.*s\n", (int)strcspn(at + 10, "\n"), at + 10);
		said |= !strncmp(at + 10, says, strlen(says));
	}
	if (!said)
		fail_msg("'%s' is not said in:\n%s", says, out);
	free(out);
}

/* That it stopped at the command at that offset in the BO, of the first draw of a list. */
static inline void gp_stopped(const struct env *e, const char *list, uint32_t offset, const char *why)
{
	gp_says(e, "gp was at its first draw of its %s list and stopped at 0x%08x: %s", list, e->va + offset, why);
}

#endif
