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

/*
 * PS_MSAA_CONFIG of HALTI5 (Mesa etnaviv_emit.c, the newest): a mask beside MULTI_SAMPLE_CONFIG's; a coverage in
 * sixteenths, of which GUESS(msaa-coverage): it is that part of the samples from the first on; and the alpha.
 */
static void newer_config(struct viv3d *p)
{
	struct v3d_samples *s = &p->samples;
	uint32_t config = viv_state(p->v, VIVS_PS_MSAA_CONFIG);
	unsigned int all = (1u << s->count) - 1, share = VIV_GET(VIVS_PS_MSAA_CONFIG_SAMPLE_COVERAGE_VALUE, config);
	unsigned int covered = share < 16 ? (1u << (share * s->count + 8) / 16) - 1 : all;

	if (config & VIVS_PS_MSAA_CONFIG_SAMPLE_MASK_ENABLE)
		s->mask &= VIV_GET(VIVS_PS_MSAA_CONFIG_SAMPLE_MASK, config);
	if (config & VIVS_PS_MSAA_CONFIG_SAMPLE_COVERAGE_INVERT)
		covered ^= all;
	if (config & VIVS_PS_MSAA_CONFIG_SAMPLE_COVERAGE && covered != all) {
		viv_guess(p->v, "ra", "which samples a coverage of %u/16 takes away", share);
		s->mask &= covered;
	}
	s->alpha = config & VIVS_PS_MSAA_CONFIG_ALPHA_TO_COVERAGE;
	if (s->alpha)
		viv_guess(p->v, "ra", "which samples alpha takes away");
}

/*
 * GUESS(msaa-alpha-coverage): PS_ALPHA_TO_COVERAGE_DITHER has 16 pixels of a square, two a word, row by row, each with a
 * threshold of 4 bits for each of its samples, the first lowest; a sample is covered where alpha is above its own, in
 * sixteenths. Read off the values that Mesa writes: of each four there is one in each quarter.
 */
void v3d_alpha_coverage(const struct viv3d *p, struct v3d_block *b, const v8f *alpha)
{
	EACH_LANE(0xff) {
		unsigned int x = (unsigned int)b->x + V3D_LANE_X(lane), y = (unsigned int)b->y + V3D_LANE_Y(lane);
		uint32_t word = viv_state(p->v, VIV_AT(VIVS_PS_ALPHA_TO_COVERAGE_DITHER, (y & 3) * 2 + (x >> 1 & 1)));

		for (unsigned int s = 0; s < V3D_SAMPLES && s < p->samples.count; s++)
			if (!((*alpha)[lane] * 16 > (float)(word >> (x & 1) * 16 >> 4 * s & 15)))
				b->cover[s] &= ~(1u << lane);
	}
}

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
	s->alpha = false;
	if (s->count == 1) {
		/* GUESS(msaa-mask-single): without multisampling the mask has no effect. */
		s->mask = 1;
		s->x[0] = s->y[0] = V3D_SUBPIXELS / 2;
		return;
	}
	if (v->chip->halti >= 5)
		newer_config(p);
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
