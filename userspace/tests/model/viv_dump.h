/* SPDX-License-Identifier: MIT */
/*
 * A dump of a stream that hung the model in process, as limn.ko would write it, and
 * the sentence that limn decode makes of it.
 */
#ifndef LIMN_TESTS_VIV_DUMP_H
#define LIMN_TESTS_VIV_DUMP_H

#include "lib/vivante/states.h"
#include "model/carriers/host/host_priv.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tests/model/viv_stream.h"

#define DUMP_RING	0x00010000u	/* as host_vivante.c has them with MMUv2 */
#define DUMP_STREAM	0x00100000u

static inline void dump_put_reg(struct dump *d, uint32_t offset, uint32_t value)
{
	struct dump_reg *r = &d->regs[d->num_regs++];

	*r = (struct dump_reg){ .unit = "hi", .offset = offset, .value = value };
}

/* HI_IDLE_STATE from the names behind "busy:" of host_error(). */
static inline uint32_t dump_idle(const char *busy)
{
	const struct viv_row *row = limn_viv_state_named("VIVS_HI_IDLE_STATE");
	uint32_t idle = 0x7fffffff;
	char name[40];

	for (const struct viv_row *f = limn_viv_field_first(row); f; f = limn_viv_field_next(f)) {
		const char *at;

		snprintf(name, sizeof(name), " %s", f->name);
		at = strstr(busy, name);
		if (f->hi == f->lo && f->lo < 31 && at && (!at[strlen(name)] || at[strlen(name)] == ' '))
			idle &= ~(1u << f->lo);
	}
	return idle;
}

/* What the last run() left: text is the sentence behind "In short: ". */
static inline void viv_sentence(struct env *e, char *text, size_t size)
{
	const struct host *h = e->host;
	struct dump_region regions[] = {
		{ .va = DUMP_RING, .size = HOST_PAGE, .whole = HOST_PAGE, .data = h->ram + (h->ring - HOST_DMA), .label = "ring",
		  .stream = true },
		{ .va = DUMP_STREAM, .size = 4 * (e->ran + 2), .whole = 4 * (e->ran + 2),
		  .data = h->ram + (h->stream - HOST_DMA), .label = "stream", .stream = true },
		{ .va = e->va[0], .size = ENV_BO, .whole = ENV_BO, .data = e->map[0] },
		{ .va = e->va[1], .size = ENV_BO, .whole = ENV_BO, .data = e->map[1] },
	};
	struct dump_job job = { .regions = regions, .num_regions = 4 };
	struct dump_reg regs[8];
	struct dump dump = { .vivante = true, .regs = regs, .jobs = &job, .num_jobs = 1 };
	const char *error = host_error(e->host), *at = strstr(error, "FE at ");
	const char *after = at ? strstr(at, "after ") : NULL;
	uint32_t fe, low, high;
	char *out = NULL, *in;
	size_t len;
	struct json json = { .to = open_memstream(&out, &len), .text = true };

	assert_non_null(at);
	assert_non_null(after);
	assert_int_equal(sscanf(at, "FE at %x", &fe), 1);
	assert_int_equal(sscanf(after, "after %x %x", &low, &high), 2);
	if (!e->id.mmu_v2) {
		regions[0].va = h->ring - HOST_DMA;
		regions[1].va = h->stream - HOST_DMA;
	}
	dump_put_reg(&dump, VIVS_FE_DMA_ADDRESS, fe);
	dump_put_reg(&dump, VIVS_FE_DMA_LOW, low);
	dump_put_reg(&dump, VIVS_FE_DMA_HIGH, high);
	dump_put_reg(&dump, VIVS_HI_IDLE_STATE, dump_idle(strstr(error, "busy:")));
	dump_put_reg(&dump, VIVS_HI_CLOCK_CONTROL, e->clock);
	dump_put_reg(&dump, VIVS_HI_CHIP_FEATURE, e->id.features[0]);
	dump_print_vivante(&dump, &job, &(struct dump_options){ .json = &json });
	fclose(json.to);
	in = strstr(out, "In short: ");
	assert_non_null(in);
	snprintf(text, size, "%.*s", (int)strcspn(in + 10, "\n"), in + 10);
	free(out);
}

#endif
