/* SPDX-License-Identifier: MIT */
#ifndef LIMN_UML_DTS_H
#define LIMN_UML_DTS_H

#include <stdio.h>
#include "model/model.h"

/* Writes the device tree source of a UML guest with this GPU. */
void dts_print(FILE *file, const struct model_gpu *gpu);

#endif
