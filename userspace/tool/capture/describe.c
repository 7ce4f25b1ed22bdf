// SPDX-License-Identifier: MIT
/* What a captured device was. */
#include <stdio.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>

#include "tool/capture/capture.h"
#include "tool/target.h"

const char *capture_gpu(const struct capture_file *file)
{
	const struct limn_capture_file *told = &file->told;
	struct limn_info info = { .num_cores = told->num_cores };

	if (told->family == LIMN_CAPTURE_UTGARD) {
		info.family = LIMN_UTGARD;
		info.gpu = told->params[0][DRM_LIMA_PARAM_GPU_ID] == DRM_LIMA_PARAM_GPU_ID_MALI450 ? 450 : 400;
		info.num_pp = told->params[0][DRM_LIMA_PARAM_NUM_PP];
	} else {
		info.family = LIMN_VIVANTE;
		memcpy(info.params, told->params, sizeof(info.params));
	}
	return target_model_for(&info);
}
