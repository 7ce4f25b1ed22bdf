// SPDX-License-Identifier: MIT
/*
 * Where samples are. Source: etna_viv hardware.md and Mesa etnaviv_state.c for the values
 * that drivers write; a byte holds x and y of a sample in sixteenths of a pixel
 * [read off the values: they are the usual rotated grid, its mirror image, and
 * the square one].
 */
#include "model/vivante/viv3d.h"

/* GUESS(msaa-halti5-grid): HALTI5 has no such states; its samples lie in the same grid. */
#define DEFAULT_2X	0x0000aa22u
#define DEFAULT_4X	0xeaa26e26u

void v3d_samples_start(struct viv3d *p)
{
	struct v3d_samples *s = &p->samples;
	struct vivante *v = p->v;
	uint32_t config = viv_state(v, VIVS_GL_MULTI_SAMPLE_CONFIG);
	uint32_t where = viv_state(v, VIV_AT(VIVS_RA_MULTISAMPLE_UNK00E10, 0));

	switch (VIV_GET(VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES, config)) {
	case VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X:
		s->count = 2;
		break;
	case VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X:
		s->count = 4;
		break;
	case VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_NONE:
		s->count = 1;
		break;
	default:
		viv_report(v, "ra", "state 0x03818 = 0x%08x: unknown number of samples", config);
		s->count = 1;
	}
	s->mask = VIV_GET(VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES, config);
	if (s->count == 1) {
		/* GUESS(msaa-mask-single): without multisampling the mask has no effect. */
		s->mask = 1;
		s->x[0] = s->y[0] = V3D_SUBPIXELS / 2;
		return;
	}
	if (v->chip->halti >= 5 || !where)
		where = s->count == 4 ? DEFAULT_4X : DEFAULT_2X;
	/*
	 * GUESS(msaa-grid-choice): RA_MULTISAMPLE_UNK00E04 chooses one of the grids UNK00E10[0..2] for
	 * each pixel of a 2x2 square; no driver is known to write anything but 0.
	 */
	if (viv_state(v, VIVS_RA_MULTISAMPLE_UNK00E04))
		viv_report(v, "ra", "state 0x00e04 = 0x%08x: jittered samples are not modelled",
			   viv_state(v, VIVS_RA_MULTISAMPLE_UNK00E04));
	for (unsigned int i = 0; i < s->count; i++) {
		s->x[i] = (int)(where >> 8 * i & 15) * (V3D_SUBPIXELS / 16);
		s->y[i] = (int)(where >> (8 * i + 4) & 15) * (V3D_SUBPIXELS / 16);
	}
}
