// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the GPUs of QEMU's boards are, and what the boards' clock units do to them.
 *
 * Sources: the boards' device trees in Linux (sun8i-h3.dtsi, imx6qdl.dtsi,
 * imx6q.dtsi); Allwinner's H3 user manual, chapter CCU, and ccu-sun8i-h3.c; the
 * i.MX6 reference manual, chapter CCM, and clk-imx6q.c.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/misc/allwinner-h3-ccu.h"
#include "hw/misc/imx6_ccm.h"
#include "hw/misc/limn_gpu.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"

/* A board's clock unit, with the GPUs that must hear when it is written to. */
#define MAX_GPUS 3
struct clock_watch {
	MemoryRegion iomem;	/* lies over the unit's own */
	MemoryRegion *unit;
	LimnGpuState *gpu[MAX_GPUS];
};

static MemTxResult watch_read(void *opaque, hwaddr offset, uint64_t *value, unsigned size,
			      MemTxAttrs attrs)
{
	struct clock_watch *watch = opaque;

	return memory_region_dispatch_read(watch->unit, offset, value, size_memop(size) | MO_LE, attrs);
}

static MemTxResult watch_write(void *opaque, hwaddr offset, uint64_t value, unsigned size,
			       MemTxAttrs attrs)
{
	struct clock_watch *watch = opaque;
	MemTxResult result;
	unsigned int i;

	result = memory_region_dispatch_write(watch->unit, offset, value, size_memop(size) | MO_LE,
					      attrs);
	for (i = 0; i < MAX_GPUS && watch->gpu[i]; i++)
		limn_gpu_update_clocks(watch->gpu[i]);
	return result;
}

static const MemoryRegionOps watch_ops = {
	.read_with_attrs = watch_read,
	.write_with_attrs = watch_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 4 },
	.impl = { .min_access_size = 4, .max_access_size = 4 },
};

static int spi_of(const struct limn_gpu_place *place, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(place->irq) && place->irq[i].spi; i++)
		if (!strcmp(place->irq[i].name, name))
			return place->irq[i].spi;
	return -1;
}

static LimnGpuState *add_gpu(const struct limn_gpu_place *place, DeviceState *gic, Object *clock_unit)
{
	DeviceState *dev = qdev_new(TYPE_LIMN_GPU);
	const char *name;
	unsigned int i;
	int spi;

	qdev_prop_set_string(dev, "gpu", place->gpu);
	limn_gpu_set_place(LIMN_GPU(dev), place, clock_unit);
	sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
	/* Above the "unimplemented device" that some boards have there. */
	sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, place->base);
	for (i = 0; (name = limn_gpu_irq_name(LIMN_GPU(dev), i)); i++) {
		spi = spi_of(place, name);
		if (spi >= 0)
			sysbus_connect_irq(SYS_BUS_DEVICE(dev), i, qdev_get_gpio_in(gic, spi));
	}
	return LIMN_GPU(dev);
}

static void add_gpus(const struct limn_gpu_place *place, unsigned int num, DeviceState *gic,
		     SysBusDevice *clock_unit, MemoryRegion *registers)
{
	struct clock_watch *watch = g_new0(struct clock_watch, 1);
	unsigned int i;

	g_assert(num <= MAX_GPUS);
	for (i = 0; i < num; i++)
		watch->gpu[i] = add_gpu(&place[i], gic, OBJECT(clock_unit));
	watch->unit = registers;
	memory_region_init_io(&watch->iomem, OBJECT(clock_unit), &watch_ops, watch, "limn-clocks",
			      memory_region_size(registers));
	memory_region_add_subregion_overlap(get_system_memory(), clock_unit->mmio[0].addr,
					    &watch->iomem, 1);
}

/* CCU of the H3: offsets and bits that concern the GPU. */
enum {
	H3_PLL_GPU = 0x038,		/* bit 31: the core clock's source */
	H3_BUS_CLK_GATING1 = 0x064,	/* bit 20: GPU's bus clock */
	H3_GPU_CLK = 0x1a0,		/* bit 31: GPU's core clock */
	H3_BUS_SOFT_RST1 = 0x2c4,	/* bit 20: 0 holds the GPU in reset */
};

static struct limn_gpu_clocks h3_clocks(Object *unit)
{
	const uint32_t *regs = AW_H3_CCU(unit)->regs;

	return (struct limn_gpu_clocks){
		.bus = regs[H3_BUS_CLK_GATING1 / 4] >> 20 & 1,
		.core = (regs[H3_GPU_CLK / 4] & regs[H3_PLL_GPU / 4]) >> 31,
		.reset = !(regs[H3_BUS_SOFT_RST1 / 4] >> 20 & 1),
	};
}

static const struct limn_gpu_place h3 = {
	.gpu = "mali-400-mp2",
	.base = 0x01c40000,
	.ram = 0x40000000,
	.irq = {
		{ "gp", 97 }, { "gpmmu", 98 }, { "pp0", 99 }, { "ppmmu0", 100 },
		{ "pmu", 101 }, { "pp1", 102 }, { "ppmmu1", 103 },
	},
	.clocks = h3_clocks,
};

void limn_gpu_add_h3(DeviceState *gic, SysBusDevice *ccu)
{
	add_gpus(&h3, 1, gic, ccu, &AW_H3_CCU(ccu)->iomem);
}

/* CCM of the i.MX6: two bits for each gate, zero is off. AXI clocks of 2D and 3D have no gate. */
static bool imx6_gate(Object *unit, unsigned int reg, unsigned int gate)
{
	return IMX6_CCM(unit)->ccm[reg] >> 2 * gate & 3;
}

static struct limn_gpu_clocks imx6_3d(Object *unit)
{
	return (struct limn_gpu_clocks){ .bus = true, .core = imx6_gate(unit, CCM_CCGR1, 13) };
}

static struct limn_gpu_clocks imx6_2d(Object *unit)
{
	return (struct limn_gpu_clocks){ .bus = true, .core = imx6_gate(unit, CCM_CCGR1, 12) };
}

static struct limn_gpu_clocks imx6_vg(Object *unit)
{
	return (struct limn_gpu_clocks){
		.bus = imx6_gate(unit, CCM_CCGR3, 15), .core = imx6_gate(unit, CCM_CCGR1, 12),
	};
}

/*
 * Three cores that share nothing but RAM: a model for each, of which one core is
 * connected, so that each has its own clocks.
 */
#define IMX6_CORE(n, base_, name, spi, clocks_) { \
	.gpu = "imx6q", .device = n, .base = base_, .ram = 0x10000000, \
	.irq = { { name, spi } }, .clocks = clocks_, \
}
static const struct limn_gpu_place imx6[] = {
	IMX6_CORE(0, 0x00130000, "gpu3d", 9, imx6_3d),		/* GC2000 */
	IMX6_CORE(1, 0x00134000, "gpu2d", 10, imx6_2d),		/* GC320 */
	IMX6_CORE(2, 0x02204000, "gpuvg", 11, imx6_vg),		/* GC355 */
};

void limn_gpu_add_imx6(DeviceState *gic, SysBusDevice *ccm)
{
	add_gpus(imx6, ARRAY_SIZE(imx6), gic, ccm, &IMX6_CCM(ccm)->ioccm);
}
