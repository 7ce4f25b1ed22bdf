// SPDX-License-Identifier: MIT
#include "model/core.h"

const struct gpu_row *const vivante_gpus[] = {
	NULL,
};
