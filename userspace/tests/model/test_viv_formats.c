// SPDX-License-Identifier: MIT
/*
 * Unorm texels by vectors: eight at a time, and what is between four of each lane, against one texel after
 * the other, for every value of each channel. What a texel is: scenes/vivante/texture.limn and compressed.limn.
 */
#include "model/vivante/viv3d.h"
#include "model/texture.h"
#include "tests/isa/random.h"
#include "tests/unit.h"

static struct v3d_sampler sampler;
static struct texture_four four[2];

static void one_by_one(const v8u *words, v8f out[4])
{
	for (unsigned int lane = 0; lane < V3D_LANES; lane++) {
		uint32_t word = (*words)[lane];
		float rgba[4];

		v3d_texel(&sampler, (const uint8_t *)&word, 0, 0, rgba);
		for (unsigned int c = 0; c < 4; c++)
			out[c][lane] = rgba[c];
	}
}

/* Numbers instead of coordinates: which of the four. */
static void fetch_one(void *ctx, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4])
{
	one_by_one(&((const struct texture_four *)ctx)->words[(*x)[0] + 2 * (*y)[0]], out);
}

static void compare_format(unsigned int format)
{
	struct texture_axis axis[3] = { [0].i[1] = (v8i){ 0 } + 1, [1].i[1] = (v8i){ 0 } + 1 };
	v8f got[4], want[4], second[4];

	sampler.format = (uint8_t)format;
	for (uint32_t v = 0; v < 0x10000; v += V3D_LANES) {
		const v8u low = v + (v8u){ 0, 1, 2, 3, 4, 5, 6, 7 };

		for (unsigned int k = 0; k < 4; k++)
			four[0].words[k] = four[1].words[3 - k] = low << 16 | (low ^ (k * 0x5a5a));
		for (unsigned int a = 0; a < 2; a++)
			for (unsigned int lane = 0; lane < V3D_LANES; lane++)
				axis[a].weight[lane] = random_word() & 3 ? (float)random_in(0, 1) : 0;
		four[0].x = four[1].x = axis[0].weight;
		four[0].y = four[1].y = axis[1].weight;
		v3d_texels_unorm(&sampler, &four[0].words[0], got);
		one_by_one(&four[0].words[0], want);
		assert_memory_equal(got, want, sizeof(want));
		v3d_texels_linear(&sampler, four, NULL, got);
		texture_slice(fetch_one, &four[0], axis, 0, 0xff, want);
		assert_memory_equal(got, want, sizeof(want));
		v3d_texels_linear(&sampler, four, &axis[0].weight, got);
		texture_slice(fetch_one, &four[1], axis, 0, 0xff, second);
		for (unsigned int c = 0; c < 4; c++)
			want[c] += axis[0].weight * (second[c] - want[c]);
		assert_memory_equal(got, want, sizeof(want));
	}
}

static void test_unorm(void **unused)
{
	unsigned int formats_tried = 0, bytes, block;

	random_seed();
	for (unsigned int format = 0; format < 128; format++) {
		sampler.format = (uint8_t)format;
		if (!v3d_texel_format(format, &bytes, &block) || !v3d_texel_is_unorm(&sampler))
			continue;
		compare_format(format);
		formats_tried++;
	}
	assert_true(formats_tried > 10);
}

#define TESTS(T) T(test_unorm)

UNIT_MAIN(TESTS, NULL)
