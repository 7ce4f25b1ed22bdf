/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual GPU in QEMU: what the device and the boards know of each other. */
#ifndef LIMN_GPU_H
#define LIMN_GPU_H

#include "hw/sysbus.h"
#include "hw/misc/limn_abi.h"

#define TYPE_LIMN_GPU "limn-gpu"
OBJECT_DECLARE_SIMPLE_TYPE(LimnGpuState, LIMN_GPU)

/* What a board's clock unit does to a GPU now. */
struct limn_gpu_clocks {
	bool bus, core;		/* they run */
	bool reset;		/* it is held in reset */
};

/* One GPU of a board. */
struct limn_gpu_place {
	const char *gpu;	/* as the model names it */
	unsigned int device;	/* which of its register windows, where a GPU has several */
	hwaddr base;
	hwaddr ram;		/* where the board's RAM begins */
	struct {
		const char *name;	/* as the model names it */
		int spi;
	} irq[LIMN_QEMU_IRQS];
	struct limn_gpu_clocks (*clocks)(Object *unit);
};

/* Before it is realized: clocks of unit (NULL: always on) are asked for at reset and by the call below. */
void limn_gpu_set_place(LimnGpuState *s, const struct limn_gpu_place *place, Object *unit);
/* Some clock or reset line may have changed. */
void limn_gpu_update_clocks(LimnGpuState *s);
const char *limn_gpu_irq_name(LimnGpuState *s, unsigned int line);

/* Called by the boards' own init: the GPUs of an Allwinner H3, of an i.MX6. */
void limn_gpu_add_h3(DeviceState *gic, SysBusDevice *ccu);
void limn_gpu_add_imx6(DeviceState *gic, SysBusDevice *ccm);

#endif
