// SPDX-License-Identifier: MIT
/*
 * The tile buffer to memory and back: clear values, every write-back format in
 * both layouts, and the reload that drivers do by drawing a textured rectangle.
 */
#include "pp_scene.h"

#define W 52
#define H 36

/* color = texture 0 at varying 0.xy: load.v ^discard.xy 0.xy, texld 0, mov.v1 $0 ^texture, sync, stop */
static const uint32_t fetch_shader[] = {
	0x000011e6, 0x3f003c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf,
};

static double half_value(unsigned int h)
{
	int e = h >> 10 & 31;
	double m = h & 1023, v = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

	return h & 0x8000 ? -v : v;
}

/* Format: bits of red, green, blue, alpha (shift, width; width 0: not stored). */
struct format {
	const char *name;
	unsigned int code, bytes;
	bool half;
	unsigned int c[4][2];
	unsigned int texel;		/* texel format that reads it back, 0: none */
};

static const struct format formats[] = {
	{ "B5G6R5", PP_WB_B5G6R5, 2, false, { { 11, 5 }, { 5, 6 }, { 0, 5 }, { 0, 0 } }, 0x0e },
	{ "B5G5R5A1", PP_WB_B5G5R5A1, 2, false, { { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } }, 0x0f },
	{ "B4G4R4A4", PP_WB_B4G4R4A4, 2, false, { { 8, 4 }, { 4, 4 }, { 0, 4 }, { 12, 4 } }, 0x10 },
	{ "B8G8R8A8", PP_WB_B8G8R8A8, 4, false, { { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } }, 0x16 },
	{ "B8", PP_WB_B8, 1, false, { { 0, 0 }, { 0, 0 }, { 0, 8 }, { 0, 0 } }, 0 },
	{ "G8B8", PP_WB_G8B8, 2, false, { { 0, 0 }, { 8, 8 }, { 0, 8 }, { 0, 0 } }, 0 },
	{ "B16G16R16A16F", PP_WB_B16G16R16A16F, 8, true,
	  { { 32, 16 }, { 16, 16 }, { 0, 16 }, { 48, 16 } }, 0x26 },
	{ "B16F", PP_WB_B16F, 2, true, { { 0, 0 }, { 0, 0 }, { 0, 16 }, { 0, 0 } }, 0 },
	{ "G16B16F", PP_WB_G16B16F, 4, true, { { 0, 0 }, { 16, 16 }, { 0, 16 }, { 0, 0 } }, 0 },
};

static const float corners[3][4] = { { W, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, H, 0, 1 } };
static const float colors[3][4] = { { 1, 0, 0.25f, 1 }, { 0, 0, 0.5f, 0 }, { 0, 1, 0.75f, 0 } };

/* What the rectangle has at the centre of a pixel. */
static void gradient(uint32_t x, uint32_t y, double out[4])
{
	double u = (x + 0.5) / W, v = (y + 0.5) / H;
	unsigned int c;

	for (c = 0; c < 4; c++)
		out[c] = colors[1][c] + u * (colors[0][c] - colors[1][c]) +
			 v * (colors[2][c] - colors[1][c]);
}

static void target(struct scene *s, const struct format *f, bool tiled, bool swap)
{
	uint32_t *wb = s->job.wb;

	wb[PP_WB_PIXEL_FORMAT / 4] = f->code;
	wb[PP_WB_PIXEL_LAYOUT / 4] = tiled ? PP_WB_LAYOUT_TILED : PP_WB_LAYOUT_LINEAR;
	wb[PP_WB_PITCH / 4] = tiled ? PP_WB_PITCH_TILED(s->w) :
			      PP_WB_PITCH_LINEAR(((s->w + 15) & ~15u) * f->bytes);
	wb[PP_WB_FLAGS / 4] = swap ? PP_WB_FLAG_SWAP_RB : 0;
	if (f->half)
		s->job.frame[PP_FEATURES / 4] |= 1;
}

static uint64_t raw_pixel(const struct scene *s, uint32_t base, unsigned int bytes, bool tiled,
			  uint32_t x, uint32_t y)
{
	uint32_t pitch = (s->w + 15) / 16, at = y * pitch * 16 + x;
	uint64_t v = 0;

	if (tiled)
		at = (y / 16 * pitch + x / 16) * 256 + utgard_tile_index(x % 16, y % 16);
	memcpy(&v, s->mem + base + at * bytes, bytes);
	return v;
}

static void draw_gradient(struct scene *s)
{
	uint32_t rsw[RSW_WORDS];

	scene_rsw(s, rsw, scene_data(s, colors, sizeof(colors)));
	scene_state(s, rsw, scene_data(s, corners, sizeof(corners)));
	scene_prim(s, PLB_OP_RECT, 0, 1, 2);
}

static void check_pixel(const struct format *f, bool swap, uint64_t raw, uint32_t x, uint32_t y)
{
	double want[4], t, got, step;
	unsigned int c;

	gradient(x, y, want);
	if (swap) {
		t = want[0];
		want[0] = want[2];
		want[2] = t;
	}
	for (c = 0; c < 4; c++) {
		unsigned int width = f->c[c][1];
		uint64_t bits = raw >> f->c[c][0] & ((1ull << width) - 1);

		if (!width)
			continue;
		got = f->half ? half_value(bits) : bits / ((1 << width) - 1.0);
		/* Half a step of the format, of the tile buffer's 8 bits, and of a 16-bit register. */
		step = f->half ? 1e-3 : 0.5 / ((1 << width) - 1) + (width < 8 ? 0.5 / 255 : 0);
		if (fabs(got - want[c]) > step + 0x1p-12)
			fail_msg("%s%s pixel %u, %u channel %u: %g, not %g", f->name,
				 swap ? " swapped" : "", x, y, c, got, want[c]);
	}
}

static void test_formats(void **state)
{
	unsigned int i, variant;
	uint32_t x, y;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		for (variant = 0; variant < 4; variant++) {
			const struct format *f = &formats[i];
			bool tiled = variant & 1, swap = variant & 2;
			struct scene s;

			scene_init(&s, W, H);
			target(&s, f, tiled, swap);
			draw_gradient(&s);
			scene_render(&s);
			for (y = 0; y < H; y++)
				for (x = 0; x < W; x++)
					check_pixel(f, swap, raw_pixel(&s, SCENE_TARGET, f->bytes,
								       tiled, x, y), x, y);
			scene_free(&s);
		}
}

static void test_clear(void **state)
{
	struct scene s;
	uint32_t x, y, *f, *wb;

	scene_init(&s, W, H);
	f = s.job.frame;
	for (x = 0; x < 4; x++)
		f[PP_CLEAR_COLOR(x) / 4] = 0x80402010;	/* a b g r */
	f[PP_CLEAR_DEPTH / 4] = 0x123456;
	f[PP_CLEAR_STENCIL / 4] = 0x9a;
	wb = s.job.wb + PP_WB_WORDS;
	wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_DEPTH_STENCIL;
	wb[PP_WB_ADDRESS / 4] = s.va + SCENE_DEPTH;
	wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_Z24S8;
	wb[PP_WB_PIXEL_LAYOUT / 4] = PP_WB_LAYOUT_TILED;
	wb[PP_WB_PITCH / 4] = PP_WB_PITCH_TILED(W);
	wb += PP_WB_WORDS;
	wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_DEPTH_STENCIL;
	wb[PP_WB_ADDRESS / 4] = s.va + SCENE_DEPTH + (1 << 20);
	wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_Z16;
	wb[PP_WB_PITCH / 4] = PP_WB_PITCH_LINEAR(64 * 2);
	scene_render(&s);
	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++) {
			assert_int_equal(scene_pixel(&s, x, y), 0x80102040);
			assert_int_equal(raw_pixel(&s, SCENE_DEPTH, 4, true, x, y), 0x9a123456);
			assert_int_equal(raw_pixel(&s, SCENE_DEPTH + (1 << 20), 2, false, x, y),
					 0x1234);
		}
	scene_free(&s);

	/* A float target's clear colour comes as unorm16. */
	scene_init(&s, W, H);
	target(&s, &formats[6], false, true);
	s.job.frame[PP_CLEAR_COLOR(0) / 4] = 0x80004000;
	s.job.frame[PP_CLEAR_COLOR(1) / 4] = 0xffff2000;
	scene_render(&s);
	for (x = 0; x < 4; x++) {
		uint64_t v = raw_pixel(&s, SCENE_TARGET, 8, false, 5, 7);
		static const double want[4] = { 0.25, 0.5, 0.125, 1 };

		assert_true(fabs(half_value(v >> (16 * x) & 0xffff) - want[x]) < 1e-3);
	}
	scene_free(&s);
}

/* A descriptor as Mesa's lima_pack_blit_cmd() makes it for the target just written. */
static uint32_t reload_texture(struct scene *s, unsigned int format, unsigned int bytes, bool tiled,
			       bool swap, uint32_t base)
{
	uint32_t desc[TEX_DESC_WORDS] = { 0 }, va;

	utgard_set(desc, TEX_FORMAT, format);
	utgard_set(desc, TEX_SWAP_RB, swap);
	utgard_set(desc, TEX_UNNORM_COORDS, 1);
	utgard_set(desc, TEX_DIM, TEX_DIM_2D);
	utgard_set(desc, TEX_MIN_NEAREST, 1);
	utgard_set(desc, TEX_MAG_NEAREST, 1);
	utgard_set(desc, TEX_WRAP_S, TEX_WRAP_CLAMP_TO_EDGE);
	utgard_set(desc, TEX_WRAP_T, TEX_WRAP_CLAMP_TO_EDGE);
	utgard_set(desc, TEX_WIDTH, s->w);
	utgard_set(desc, TEX_HEIGHT, s->h);
	utgard_set(desc, TEX_DEPTH, 1);
	utgard_set(desc, TEX_LAYOUT, tiled ? TEX_LAYOUT_TILED : TEX_LAYOUT_LINEAR);
	if (!tiled) {
		utgard_set(desc, TEX_HAS_STRIDE, 1);
		utgard_set(desc, TEX_STRIDE, ((s->w + 15) & ~15u) * bytes);
	}
	utgard_tex_set_level(desc, 0, (s->va + base) >> TEX_LEVEL_SHIFT);
	va = scene_data(s, desc, sizeof(desc));
	return scene_data(s, &va, 4);
}

/* The reload's render state, also Mesa's. */
static void reload_rsw(struct scene *s, uint32_t rsw[RSW_WORDS], uint32_t textures)
{
	float coords[3][2] = { { W, 0 }, { 0, 0 }, { 0, H } };

	memset(rsw, 0, RSW_BYTES);
	rsw[RSW_ALPHA_BLEND] = 0xf03b1ad2;
	rsw[RSW_DEPTH_TEST] = 0xe;
	rsw[RSW_DEPTH_RANGE] = 0xffff0000;
	rsw[RSW_STENCIL_FRONT] = 7;
	rsw[RSW_STENCIL_BACK] = 7;
	rsw[RSW_MULTI_SAMPLE] = 0xf007;
	rsw[RSW_SHADER_ADDRESS] = scene_data(s, fetch_shader, sizeof(fetch_shader)) | 6;
	rsw[RSW_VARYING_TYPES] = RSW_VARYING_F32X2;
	rsw[RSW_TEXTURES_ADDRESS] = textures;
	rsw[RSW_AUX0] = 0x4021;
	rsw[RSW_VARYINGS_ADDRESS] = scene_data(s, coords, sizeof(coords));
}

/* Written, read into the tile buffer, written again: the same bits. */
static void test_reload_color(void **state)
{
	unsigned int i, variant;
	uint32_t x, y;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		for (variant = 0; variant < 4; variant++) {
			const struct format *f = &formats[i];
			bool tiled = variant & 1, swap = variant & 2;
			uint32_t rsw[RSW_WORDS], textures;
			uint64_t before[H][W];
			struct scene s;

			if (!f->texel)
				continue;
			scene_init(&s, W, H);
			target(&s, f, tiled, swap);
			draw_gradient(&s);
			scene_render(&s);
			for (y = 0; y < H; y++)
				for (x = 0; x < W; x++)
					before[y][x] = raw_pixel(&s, SCENE_TARGET, f->bytes, tiled, x, y);
			textures = reload_texture(&s, f->texel, f->bytes, tiled, swap, SCENE_TARGET);
			reload_rsw(&s, rsw, textures);
			scene_state(&s, rsw, scene_data(&s, corners, sizeof(corners)));
			scene_prim(&s, PLB_OP_RECT, 0, 1, 2);
			scene_render(&s);
			for (y = 0; y < H; y++)
				for (x = 0; x < W; x++)
					if (raw_pixel(&s, SCENE_TARGET, f->bytes, tiled, x, y) !=
					    before[y][x])
						fail_msg("%s variant %u pixel %u, %u", f->name, variant, x, y);
			scene_free(&s);
		}
}

/* Depth and stencil through the packed reload, with the words Mesa writes for it. */
static void test_reload_depth(void **state)
{
	uint64_t seed = scene_seed();
	unsigned int part, tiled;
	uint32_t x, y;

	for (part = 1; part < 4; part++)
		for (tiled = 0; tiled < 2; tiled++) {
			uint32_t rsw[RSW_WORDS], textures, before[H][W], *wb;
			struct scene s;

			scene_init(&s, W, H);
			wb = s.job.wb;
			wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_DEPTH_STENCIL;
			wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_Z24S8;
			wb[PP_WB_PIXEL_LAYOUT / 4] = tiled ? PP_WB_LAYOUT_TILED : PP_WB_LAYOUT_LINEAR;
			if (tiled)
				wb[PP_WB_PITCH / 4] = PP_WB_PITCH_TILED(W);
			s.job.frame[PP_CLEAR_DEPTH / 4] = 0x654321;
			s.job.frame[PP_CLEAR_STENCIL / 4] = 0x77;
			for (x = 0; x < 64 * 48; x++) {
				uint32_t v = scene_rnd(&seed);

				memcpy(s.mem + SCENE_TARGET + x * 4, &v, 4);
			}
			for (y = 0; y < H; y++)
				for (x = 0; x < W; x++)
					before[y][x] = raw_pixel(&s, SCENE_TARGET, 4, tiled, x, y);
			textures = reload_texture(&s, TEX_FORMAT_Z24S8_RELOAD, 4, tiled, false,
						  SCENE_TARGET);
			reload_rsw(&s, rsw, textures);
			rsw[RSW_ALPHA_BLEND] &= 0x0fffffff;
			rsw[RSW_DEPTH_TEST] |= 0x400;
			if (part & 1)
				rsw[RSW_DEPTH_TEST] |= 0x801;
			if (part & 2) {
				rsw[RSW_DEPTH_TEST] |= 0x1000;
				rsw[RSW_STENCIL_FRONT] = 0x24f;
				rsw[RSW_STENCIL_BACK] = 0x24f;
				rsw[RSW_STENCIL_TEST] = 0xffff;
			}
			scene_state(&s, rsw, scene_data(&s, corners, sizeof(corners)));
			scene_prim(&s, PLB_OP_RECT, 0, 1, 2);
			scene_render(&s);
			for (y = 0; y < H; y++)
				for (x = 0; x < W; x++) {
					uint32_t want = part & 1 ? before[y][x] & 0xffffff : 0x654321;

					want |= part & 2 ? before[y][x] & 0xff000000 : 0x77000000;
					if (raw_pixel(&s, SCENE_TARGET, 4, tiled, x, y) != want)
						fail_msg("part %u pixel %u, %u: 0x%08x, not 0x%08x", part, x, y,
							 (uint32_t)raw_pixel(&s, SCENE_TARGET, 4, tiled,
									     x, y), want);
				}
			scene_free(&s);
		}
}

/* Four samples go out to four planes, and come back one by one by the sample mask. */
static void test_reload_samples(void **state)
{
	uint64_t seed = scene_seed();
	uint32_t rsw[RSW_WORDS], i, k, pitch = 64 * 48 * 4;
	uint8_t *before = malloc(4 * pitch);
	struct scene s;

	scene_init(&s, W, H);
	s.job.wb[PP_WB_MRT_BITS / 4] = 15;
	s.job.wb[PP_WB_MRT_PITCH / 4] = pitch;
	s.job.wb[PP_WB_PIXEL_LAYOUT / 4] = PP_WB_LAYOUT_TILED;
	s.job.wb[PP_WB_PITCH / 4] = PP_WB_PITCH_TILED(W);
	for (i = 0; i < 4 * pitch; i++)
		s.mem[SCENE_TARGET + i] = scene_rnd(&seed);
	memcpy(before, s.mem + SCENE_TARGET, 4 * pitch);
	for (k = 0; k < 4; k++) {
		reload_rsw(&s, rsw, reload_texture(&s, TEX_FORMAT_B8G8R8A8, 4, true, false,
						   SCENE_TARGET + k * pitch));
		rsw[RSW_MULTI_SAMPLE] = 0x0007 | 1 << (12 + k);
		scene_state(&s, rsw, scene_data(&s, corners, sizeof(corners)));
		scene_prim(&s, PLB_OP_RECT, 0, 1, 2);
	}
	scene_render(&s);
	for (k = 0; k < 4; k++) {
		uint32_t x, y;

		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				uint32_t at = k * pitch + ((y / 16 * 4 + x / 16) * 256 +
							   utgard_tile_index(x % 16, y % 16)) * 4;

				assert_memory_equal(s.mem + SCENE_TARGET + at, before + at, 4);
			}
	}
	free(before);
	scene_free(&s);
}

/* A frame that is no multiple of 16: nothing beyond it is written. */
static void test_bounding_box(void **state)
{
	static const float whole[3][4] = { { -10, -10, 0, 1 }, { 400, -10, 0, 1 }, { -10, 400, 0, 1 } };
	static const float ones[3][4] = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } };
	uint32_t rsw[RSW_WORDS], x, y;
	struct scene s;

	scene_init(&s, 37, 21);
	memset(s.mem + SCENE_TARGET, 0xcc, 48 * 48 * 4);
	scene_rsw(&s, rsw, scene_data(&s, ones, sizeof(ones)));
	scene_state(&s, rsw, scene_data(&s, whole, sizeof(whole)));
	scene_prim(&s, PLB_OP_TRIANGLE, 0, 1, 2);
	scene_render(&s);
	for (y = 0; y < 48; y++)
		for (x = 0; x < 48; x++)
			assert_int_equal(scene_pixel(&s, x, y), x < 37 && y < 21 ? 0xffffffff : 0xcccccccc);
	scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_bounding_box),
		cmocka_unit_test(test_reload_color),
		cmocka_unit_test(test_reload_depth),
		cmocka_unit_test(test_reload_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
