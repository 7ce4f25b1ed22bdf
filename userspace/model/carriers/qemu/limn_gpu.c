// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The virtual GPU as a device of a QEMU board.
 *
 * The model is a shared library that the "model" property names, so that QEMU
 * need not be built again when the model changes. All calls into it are made
 * under QEMU's big lock. The GPU works in slices on the virtual clock: with
 * -icount the same run gives the same interleaving.
 *
 * Where the GPU sits on a board (address, interrupts, clock gates, reset line)
 * is in limn_boards.c.
 */
#include "qemu/osdep.h"
#include <dlfcn.h>
#include "exec/address-spaces.h"
#include "hw/boards.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"
#include "qemu/timer.h"
#include "sysemu/dma.h"
#include "hw/misc/limn_gpu.h"

#define SLICE_STEPS	32	/* model steps for each tick of the clock: property slice-ns */
/* An idle unit that watches memory looks again after so long, and ever later up to the second. */
#define POLL_NS		20000
#define POLL_MAX_NS	320000
#define MAX_REPORTS	2000	/* a run that goes wild must not fill the disk */

struct LimnGpuState {
	SysBusDevice parent;
	MemoryRegion iomem;
	AddressSpace dma;
	QEMUTimer *timer;
	qemu_irq irq[LIMN_QEMU_IRQS];
	unsigned int num_irqs;
	hwaddr window;		/* of this device among those of its GPU */
	int64_t poll_ns;
	uint32_t slice_ns;

	char *gpu, *library, *report, *fault;
	bool strict;
	uint64_t seed;
	const struct limn_gpu_place *place;
	Object *clock_unit;
	struct limn_gpu_clocks clocks;

	void *handle;
	const struct limn_qemu_model *call;
	struct model *model;
	void *ram;
	dma_addr_t ram_base, ram_size;
	FILE *report_file;
	unsigned int reports;
};

static void limn_gpu_irq(void *ctx, unsigned int line, bool level)
{
	LimnGpuState *s = ctx;

	if (line < s->num_irqs)
		qemu_set_irq(s->irq[line], level);
}

static void limn_gpu_report(void *ctx, const char *unit, const char *text)
{
	LimnGpuState *s = ctx;

	if (++s->reports > MAX_REPORTS)
		return;
	fprintf(s->report_file, "%s: %s: %s\n", s->gpu, unit, text);
	fflush(s->report_file);
}

static void limn_gpu_wake(LimnGpuState *s, int64_t ns)
{
	timer_mod_anticipate_ns(s->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + ns);
}

void limn_gpu_update_clocks(LimnGpuState *s)
{
	struct limn_gpu_clocks now = { .bus = true, .core = true };

	if (!s->model)
		return;
	if (s->clock_unit)
		now = s->place->clocks(s->clock_unit);
	if (now.bus != s->clocks.bus || now.core != s->clocks.core)
		s->call->set_clocks(s->model, now.bus, now.core);
	if (now.reset != s->clocks.reset)
		s->call->set_reset(s->model, now.reset);
	s->clocks = now;
	limn_gpu_wake(s, s->slice_ns);
}

static uint64_t limn_gpu_read(void *opaque, hwaddr offset, unsigned size)
{
	LimnGpuState *s = opaque;
	uint32_t value = s->call->read32(s->model, s->window + offset);

	/* A driver that polls sees the GPU get on, however long the slices are. */
	s->call->step(s->model);
	limn_gpu_wake(s, s->slice_ns);
	return value;
}

static void limn_gpu_write(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
	LimnGpuState *s = opaque;

	s->call->write32(s->model, s->window + offset, value);
	limn_gpu_wake(s, s->slice_ns);
}

static const MemoryRegionOps limn_gpu_ops = {
	.read = limn_gpu_read,
	.write = limn_gpu_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 4 },
	.impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void limn_gpu_tick(void *opaque)
{
	LimnGpuState *s = opaque;
	bool busy = false;
	int i;

	for (i = 0; i < SLICE_STEPS; i++) {
		if (!s->call->step(s->model))
			break;
		busy = true;
	}
	if (i == SLICE_STEPS) {
		s->poll_ns = POLL_NS;
		limn_gpu_wake(s, s->slice_ns);
	} else if (s->call->polls(s->model)) {
		s->poll_ns = busy ? POLL_NS : MIN(2 * s->poll_ns, POLL_MAX_NS);
		limn_gpu_wake(s, s->poll_ns);
	}
}

static bool limn_gpu_load(LimnGpuState *s, Error **errp)
{
	s->handle = dlopen(s->library ?: "libmodel.so", RTLD_NOW | RTLD_LOCAL);
	if (!s->handle) {
		error_setg(errp, "limn-gpu: %s", dlerror());
		return false;
	}
	s->call = dlsym(s->handle, LIMN_QEMU_MODEL);
	if (!s->call || s->call->abi != LIMN_QEMU_ABI) {
		error_setg(errp, "limn-gpu: %s is not a model of ABI %d", s->library, LIMN_QEMU_ABI);
		return false;
	}
	return true;
}

static void limn_gpu_realize(DeviceState *dev, Error **errp)
{
	LimnGpuState *s = LIMN_GPU(dev);
	unsigned int window;

	if (!limn_gpu_load(s, errp))
		return;
	s->report_file = s->report ? fopen(s->report, "a") : stderr;
	if (!s->report_file) {
		error_setg_errno(errp, errno, "limn-gpu: %s", s->report);
		return;
	}
	window = s->call->window(s->gpu);
	if (!window) {
		error_setg(errp, "limn-gpu: the model has no GPU '%s'", s->gpu);
		return;
	}
	s->window = (hwaddr)s->place->device * window;
	memory_region_init_io(&s->iomem, OBJECT(dev), &limn_gpu_ops, s, s->gpu, window);
	sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->iomem);
	while (s->num_irqs < LIMN_QEMU_IRQS && s->call->irq_name(s->gpu, s->num_irqs))
		sysbus_init_irq(SYS_BUS_DEVICE(dev), &s->irq[s->num_irqs++]);
	/* No board of ours has an IOMMU: the GPU's bus is the system's. */
	address_space_init(&s->dma, get_system_memory(), "limn-gpu-dma");
	s->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, limn_gpu_tick, s);
}

/*
 * RAM as the device sees it, once and for good, and what lies outside answers with
 * a bus error. It is the largest piece: on the H3 another RAM lies over the first
 * page (allwinner-h3-dramc.c).
 */
static void limn_gpu_map_ram(LimnGpuState *s)
{
	dma_addr_t at = s->place->ram, end = at + current_machine->ram_size, size;
	void *ram;

	for (; at < end; at += size) {
		size = end - at;
		ram = dma_memory_map(&s->dma, at, &size, DMA_DIRECTION_FROM_DEVICE,
				     MEMTXATTRS_UNSPECIFIED);
		if (!ram)
			return;
		if (size <= s->ram_size) {
			dma_memory_unmap(&s->dma, ram, size, DMA_DIRECTION_FROM_DEVICE, 0);
			continue;
		}
		if (s->ram)
			dma_memory_unmap(&s->dma, s->ram, s->ram_size, DMA_DIRECTION_FROM_DEVICE, 0);
		s->ram = ram;
		s->ram_base = at;
		s->ram_size = size;
	}
}

/* Power-on: a model in the state that the board's reset leaves it in. */
static void limn_gpu_reset(DeviceState *dev)
{
	LimnGpuState *s = LIMN_GPU(dev);
	struct limn_qemu_config config = {
		.gpu = s->gpu, .fault = s->fault, .strict = s->strict, .seed = s->seed,
		.ctx = s, .irq = limn_gpu_irq, .report = limn_gpu_report,
	};
	int err;

	timer_del(s->timer);
	if (s->model) {
		s->call->destroy(s->model);
		s->model = NULL;
	}
	if (!s->ram)
		limn_gpu_map_ram(s);
	config.ram = s->ram;
	config.dma = s->ram_base;
	config.size = s->ram_size;
	err = s->ram ? s->call->create(&config, &s->model) : -ENXIO;
	if (err) {
		error_setg_errno(&error_fatal, -err, "limn-gpu: %s", s->gpu);
		return;
	}
	s->clocks = (struct limn_gpu_clocks){ .bus = true, .core = true };
	s->poll_ns = POLL_NS;
	limn_gpu_update_clocks(s);
}

const char *limn_gpu_irq_name(LimnGpuState *s, unsigned int line)
{
	return s->call->irq_name(s->gpu, line);
}

void limn_gpu_set_place(LimnGpuState *s, const struct limn_gpu_place *place, Object *unit)
{
	s->place = place;
	s->clock_unit = unit;
}

static Property limn_gpu_properties[] = {
	DEFINE_PROP_STRING("gpu", LimnGpuState, gpu),
	DEFINE_PROP_STRING("model", LimnGpuState, library),
	DEFINE_PROP_STRING("report", LimnGpuState, report),
	DEFINE_PROP_STRING("fault", LimnGpuState, fault),
	DEFINE_PROP_BOOL("strict", LimnGpuState, strict, false),
	DEFINE_PROP_UINT64("seed", LimnGpuState, seed, 1),
	DEFINE_PROP_UINT32("slice-ns", LimnGpuState, slice_ns, 2000),
	DEFINE_PROP_END_OF_LIST(),
};

static void limn_gpu_class_init(ObjectClass *klass, void *data)
{
	DeviceClass *dc = DEVICE_CLASS(klass);

	dc->desc = "virtual Mali or Vivante GPU";
	dc->realize = limn_gpu_realize;
	dc->reset = limn_gpu_reset;
	device_class_set_props(dc, limn_gpu_properties);
}

static const TypeInfo limn_gpu_info = {
	.name = TYPE_LIMN_GPU,
	.parent = TYPE_SYS_BUS_DEVICE,
	.instance_size = sizeof(LimnGpuState),
	.class_init = limn_gpu_class_init,
};

static void limn_gpu_register(void)
{
	type_register_static(&limn_gpu_info);
}
type_init(limn_gpu_register)
