/* SPDX-License-Identifier: MIT */
#ifndef LIMN_UML_DTS_H
#define LIMN_UML_DTS_H

#include <stdio.h>
#include "model/model.h"

#define DTS_MAX_GPUS 2

/* A GPU of the guest's machine: where its registers begin in the window, and its first interrupt. */
struct dts_gpu {
	const struct model_gpu *gpu;
	uint32_t offset;
	unsigned int line;
};

/* Finds and places what is called "NAME" or "NAME+NAME": how many, 0 when there is no such GPU. */
unsigned int dts_place(const char *names, struct dts_gpu place[DTS_MAX_GPUS]);
/* Writes the device tree source of a UML guest with these GPUs. */
void dts_print(FILE *file, const char *names, const struct dts_gpu *place, unsigned int num);

#endif
