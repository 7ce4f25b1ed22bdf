// SPDX-License-Identifier: MIT
/*
 * The Utgard GPUs that there are: blocks, offsets, power domains, interrupts.
 *
 * Facts: Linux lima_device.c (blocks, offsets, interrupt names), lima_pmu.c
 * (domains), Documentation/devicetree/bindings/gpu/arm,mali-utgard.yaml.
 */
#include <stddef.h>

#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

/* Interrupt lines of every Mali-400; there are no gaps, whatever its size. */
#define IRQ_GP		0
#define IRQ_GPMMU	1
#define IRQ_PMU		2
#define IRQ_PP(i)	(3 + 2 * (i))
#define IRQ_PPMMU(i)	(4 + 2 * (i))

/* Indexes into the tables below. */
#define M400_L2		1
#define M400_GPMMU	2
#define M400_PPMMU(i)	(4 + 2 * (i))

/* A PP and its MMU. */
#define PP_ROWS(i, domain, mmu, l2, mmu_irq, pp_irq) \
	{ &utgard_mmu_ops, UTGARD_PPMMU_OFFSET(i), "ppmmu" #i, 1 + (i), domain, -1, l2, mmu_irq }, \
	{ &utgard_pp_ops, UTGARD_PP_OFFSET(i), "pp" #i, (i), domain, mmu, l2, pp_irq }

#define M400_PP_ROWS(i)	PP_ROWS(i, PMU_M400_PP(i), M400_PPMMU(i), M400_L2, IRQ_PPMMU(i), IRQ_PP(i))

#define M400_COMMON \
	{ &utgard_pmu_ops, UTGARD_PMU_OFFSET, "pmu", 0, 0, -1, -1, IRQ_PMU }, \
	{ &utgard_l2_ops, UTGARD_M400_L2_OFFSET, "l2_cache0", 0, PMU_M400_L2, -1, -1, -1 }, \
	{ &utgard_mmu_ops, UTGARD_GPMMU_OFFSET, "gpmmu", 0, PMU_M400_GP, -1, M400_L2, IRQ_GPMMU }, \
	{ &utgard_gp_ops, UTGARD_GP_OFFSET, "gp", 0, PMU_M400_GP, M400_GPMMU, M400_L2, IRQ_GP }

#define M400_IRQS	[IRQ_GP] = "gp", [IRQ_GPMMU] = "gpmmu", [IRQ_PMU] = "pmu"
#define M400_PP_IRQS(i)	[IRQ_PP(i)] = "pp" #i, [IRQ_PPMMU(i)] = "ppmmu" #i

/* Versions of GP and PP. Revision r1p1: what boards print; drivers only log it. */
static const uint32_t m400_versions[] = { GP_VERSION_M400 << 16 | 0x0101, (uint32_t)PP_VERSION_M400 << 16 | 0x0101 };
static const uint32_t m450_versions[] = { GP_VERSION_M450 << 16 | 0x0101, (uint32_t)PP_VERSION_M450 << 16 | 0x0101 };

#define ROW(chip, n, rows, ...) \
	static const struct gpu_row mali_##chip##_mp##n = { \
		.gpu = { \
			.name = "mali-" #chip "-mp" #n, \
			.compatible = "arm,mali-" #chip, \
			.window = UTGARD_M##chip##_WINDOW_SIZE, \
			.irq = { M400_IRQS, __VA_ARGS__ }, \
			.clocks = { { "bus", false }, { "core", true } }, \
			.has_reset = true, \
		}, \
		.units = m##chip##_units, \
		.num_units = (rows), \
		.revision = m##chip##_versions, \
		.revision_at = 2, \
		.revision_words = 2, \
	}

/* An MPn takes the first 4 + 2n rows. */
static const struct unit_desc m400_units[] = {
	M400_COMMON,
	M400_PP_ROWS(0),
	M400_PP_ROWS(1),
	M400_PP_ROWS(2),
	M400_PP_ROWS(3),
};

ROW(400, 1, 6, M400_PP_IRQS(0));
ROW(400, 2, 8, M400_PP_IRQS(0), M400_PP_IRQS(1));
ROW(400, 3, 10, M400_PP_IRQS(0), M400_PP_IRQS(1), M400_PP_IRQS(2));
ROW(400, 4, 12, M400_PP_IRQS(0), M400_PP_IRQS(1), M400_PP_IRQS(2), M400_PP_IRQS(3));

/*
 * Mali-450. GUESS(pmu-domains): the domains of L2s, broadcast and DLBU: the GP's L2 goes
 * with the GP, a group's L2 with the group, the rest is always on.
 */
#define M450_L2_GP	1
#define M450_L2_PP03	2
#define M450_PPMMU(i)	(9 + 2 * (i))
#define M450_L2_PP47	17
#define M450_PPMMU47(i)	(18 + 2 * ((i) - 4))
/* Its lines; without gaps on either size. */
#define M450_IRQ_PP_BCAST	3
#define M450_IRQ_PP(i)		(4 + 2 * (i))
#define M450_IRQ_PPMMU(i)	(5 + 2 * (i))
#define M450_PP_IRQS(i)	[M450_IRQ_PP(i)] = "pp" #i, [M450_IRQ_PPMMU(i)] = "ppmmu" #i

#define M450_PP_ROWS(i, domain, mmu, l2)	PP_ROWS(i, domain, mmu, l2, M450_IRQ_PPMMU(i), M450_IRQ_PP(i))

static const struct unit_desc m450_units[] = {
	{ &utgard_pmu_ops, UTGARD_PMU_OFFSET, "pmu", 0, 0, -1, -1, IRQ_PMU },
	{ &utgard_l2_ops, UTGARD_M450_L2_GP_OFFSET, "l2_cache0", 0, PMU_M450_GP, -1, -1, -1 },
	{ &utgard_l2_ops, UTGARD_M450_L2_PP03_OFFSET, "l2_cache1", 1, PMU_M450_PP0, -1, -1, -1 },
	{ &utgard_mmu_ops, UTGARD_GPMMU_OFFSET, "gpmmu", 0, PMU_M450_GP, -1, M450_L2_GP, IRQ_GPMMU },
	{ &utgard_gp_ops, UTGARD_GP_OFFSET, "gp", 0, PMU_M450_GP, 3, M450_L2_GP, IRQ_GP },
	{ &utgard_dlbu_ops, UTGARD_DLBU_OFFSET, "dlbu", 0, 0, -1, -1, -1 },
	{ &utgard_bcast_ops, UTGARD_BCAST_OFFSET, "bcast", 0, 0, -1, -1, M450_IRQ_PP_BCAST },
	{ &utgard_pp_bcast_ops, UTGARD_PP_BCAST_OFFSET, "pp_bcast", 0, 0, -1, -1, -1 },
	{ &utgard_ppmmu_bcast_ops, UTGARD_PPMMU_BCAST_OFFSET, "ppmmu_bcast", 0, 0, -1, -1, -1 },
	M450_PP_ROWS(0, PMU_M450_PP0, M450_PPMMU(0), M450_L2_PP03),
	M450_PP_ROWS(1, PMU_M450_PP13, M450_PPMMU(1), M450_L2_PP03),
	M450_PP_ROWS(2, PMU_M450_PP13, M450_PPMMU(2), M450_L2_PP03),
	M450_PP_ROWS(3, PMU_M450_PP13, M450_PPMMU(3), M450_L2_PP03),
	/* An MP4 ends here. */
	{ &utgard_l2_ops, UTGARD_M450_L2_PP47_OFFSET, "l2_cache2", 2, PMU_M450_PP47, -1, -1, -1 },
	M450_PP_ROWS(4, PMU_M450_PP47, M450_PPMMU47(4), M450_L2_PP47),
	M450_PP_ROWS(5, PMU_M450_PP47, M450_PPMMU47(5), M450_L2_PP47),
	M450_PP_ROWS(6, PMU_M450_PP47, M450_PPMMU47(6), M450_L2_PP47),
	M450_PP_ROWS(7, PMU_M450_PP47, M450_PPMMU47(7), M450_L2_PP47),
};

#define M450_IRQS	[M450_IRQ_PP_BCAST] = "pp"

ROW(450, 4, 17, M450_IRQS, M450_PP_IRQS(0), M450_PP_IRQS(1), M450_PP_IRQS(2), M450_PP_IRQS(3));
ROW(450, 8, 26, M450_IRQS, M450_PP_IRQS(0), M450_PP_IRQS(1), M450_PP_IRQS(2), M450_PP_IRQS(3),
    M450_PP_IRQS(4), M450_PP_IRQS(5), M450_PP_IRQS(6), M450_PP_IRQS(7));

const struct gpu_row *const utgard_gpus[] = {
	&mali_400_mp1,
	&mali_400_mp2,
	&mali_400_mp3,
	&mali_400_mp4,
	&mali_450_mp4,
	&mali_450_mp8,
	NULL,
};

struct unit *utgard_find(const struct model *m, const struct unit_ops *ops)
{
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		if (m->units[i]->ops == ops)
			return m->units[i];
	}
	return NULL;
}

bool utgard_is_m450(const struct unit *u)
{
	return u->model->row->units == m450_units;
}

const uint32_t *utgard_versions(const struct unit *u)
{
	return u->model->row->revision;
}
