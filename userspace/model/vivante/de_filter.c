// SPDX-License-Identifier: MIT
/*
 * Video rasteriser of the 2D engine: scales with a separable filter of nine
 * taps. It is started by a state, and does one rectangle.
 *
 * Facts: rnndb state_2d.xml; etna_viv doc/2d.md ("9-tap separable filter with
 * 5 bit subpixel precision"). GUESS(de-filter-table): the table has 17 sets of 9 coefficients,
 * signed 2.14, for the fractions 0/32 to 16/32; the others are their mirror
 * images; samples beyond the source image repeat its edge.
 */
#include "model/vivante/de.h"

#define TAPS	9

static int32_t coefficient(struct vivante *v, uint32_t table, uint32_t phase, unsigned int tap)
{
	uint32_t n, word;

	if (phase > 16) {
		phase = 32 - phase;
		tap = TAPS - 1 - tap;
	}
	n = phase * TAPS + tap;
	word = viv_state(v, table + n / 2 * 4);
	return (int16_t)(n & 1 ? word >> 16 : word);
}

struct axis {
	int32_t at;		/* sample that the middle tap takes */
	uint32_t phase;
	bool filtered;
	uint32_t table;
};

static struct axis axis(uint32_t origin, uint32_t step, int32_t n, bool filtered, uint32_t table)
{
	uint64_t pos = origin + (uint64_t)step * n;

	if (!filtered)
		return (struct axis){ .at = pos >> 16 };
	return (struct axis){ .at = pos >> 16, .phase = pos >> 11 & 31, .filtered = true, .table = table };
}

static int32_t within(int32_t val, int32_t low, int32_t end)
{
	return val < low ? low : val >= end ? end - 1 : val;
}

static uint8_t to_byte(int64_t sum, unsigned int shift)
{
	sum = (sum + (1ll << (shift - 1))) >> shift;
	return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}

static bool pixel(struct vivante *v, const struct viv_de *de, const struct axis *ax, const struct axis *ay,
		  const int32_t image[4], uint8_t bgra[4])
{
	unsigned int nx = ax->filtered ? TAPS : 1, ny = ay->filtered ? TAPS : 1;
	int64_t sum[4] = { 0 };

	for (unsigned int j = 0; j < ny; j++) {
		int32_t y = within(ay->at + (ay->filtered ? (int32_t)j - TAPS / 2 : 0), image[1], image[3]);
		int64_t cy = ay->filtered ? coefficient(v, ay->table, ay->phase, j) : 1 << 14;

		for (unsigned int i = 0; cy && i < nx; i++) {
			int32_t x = within(ax->at + (ax->filtered ? (int32_t)i - TAPS / 2 : 0), image[0], image[2]);
			int64_t cx = ax->filtered ? coefficient(v, ax->table, ax->phase, i) : 1 << 14;
			uint8_t p[4];

			if (!cx)
				continue;
			if (!de_fetch(v, &de->src, x, y, p))
				return false;
			for (unsigned int c = 0; c < 4; c++)
				sum[c] += cx * cy * p[c];
		}
	}
	for (unsigned int c = 0; c < 4; c++)
		bgra[c] = to_byte(sum[c], 28);
	return true;
}

bool de_filter_row(struct vivante *v, const struct viv_de *de, int32_t y)
{
	bool one_pass = de->command == VIVS_DE_VR_CONFIG_START_ONE_PASS_BLIT;
	bool hor = one_pass || de->command == VIVS_DE_VR_CONFIG_START_HORIZONTAL_BLIT;
	uint32_t low = viv_state(v, VIVS_DE_VR_SOURCE_IMAGE_LOW), high = viv_state(v, VIVS_DE_VR_SOURCE_IMAGE_HIGH);
	const int32_t image[4] = { low & 0xffff, low >> 16, high & 0xffff, high >> 16 };
	uint32_t kx = one_pass ? VIVS_DE_HORI_FILTER_KERNEL : VIVS_DE_FILTER_KERNEL;
	uint32_t ky = one_pass ? VIVS_DE_VERTI_FILTER_KERNEL : VIVS_DE_FILTER_KERNEL;
	/* GUESS(de-filter-axis): an axis that is not filtered is not scaled either. */
	uint32_t step_x = hor ? viv_state(v, VIVS_DE_STRETCH_FACTOR_LOW) : 1 << 16;
	uint32_t step_y = one_pass || !hor ? viv_state(v, VIVS_DE_STRETCH_FACTOR_HIGH) : 1 << 16;
	int32_t left = de->rect[0] & 0xffff, right = de->rect[1] & 0xffff, top = de->rect[0] >> 16;
	struct axis ay = axis(viv_state(v, VIVS_DE_VR_SOURCE_ORIGIN_HIGH), step_y, y - top, one_pass || !hor, ky);

	for (int32_t x = left; x < right; x++) {
		struct axis ax = axis(viv_state(v, VIVS_DE_VR_SOURCE_ORIGIN_LOW), step_x, x - left, hor, kx);
		uint8_t bgra[4];

		if (!pixel(v, de, &ax, &ay, image, bgra) || !de_store(v, &de->dst, x, y, bgra))
			return false;
	}
	return true;
}
