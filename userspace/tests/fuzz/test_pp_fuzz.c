// SPDX-License-Identifier: MIT
/*
 * Random words where the PP reads words. Nothing is expected of the picture:
 * the model must not crash, must end every job one way or the other, and must
 * do the same again for the same words.
 */
#include "model/core.h"
#include "model/utgard/pp.h"
#include "model/watch.h"
#include "tests/model/pp_scene.h"

#define W 64
#define H 48

/* A sensible draw with a texture, then flips in everything that the PP reads. */
static uint32_t build(struct scene *s)
{
	static const uint32_t fetch[] = {
		0x000011e6, 0x3f003c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf,
	};
	uint32_t rsw[RSW_WORDS], desc[TEX_DESC_WORDS] = { 0 }, va, i, n;
	float pos[8][4], var[8][4];

	for (i = 0; i < 8; i++) {
		pos[i][0] = random_in(-20, W + 20);
		pos[i][1] = random_in(-20, H + 20);
		pos[i][2] = random_in(-0.1, 1.1);
		pos[i][3] = random_in(-0.2, 2);
		for (n = 0; n < 4; n++)
			var[i][n] = random_in(-2, 2);
	}
	utgard_set(desc, TEX_FORMAT, TEX_FORMAT_B8G8R8A8);
	utgard_set(desc, TEX_DIM, TEX_DIM_2D);
	utgard_set(desc, TEX_WIDTH, 32);
	utgard_set(desc, TEX_HEIGHT, 32);
	utgard_set(desc, TEX_DEPTH, 1);
	utgard_set(desc, TEX_LAYOUT, TEX_LAYOUT_TILED);
	utgard_tex_set_level(desc, 0, (s->va + SCENE_DEPTH) >> TEX_LEVEL_SHIFT);
	for (i = random_word() % 4; i; i--)
		desc[random_word() % TEX_DESC_WORDS] ^= 1u << random_word() % 32;
	va = scene_data(s, desc, sizeof(desc));
	va = scene_data(s, &va, 4);
	scene_rsw(s, rsw, scene_data(s, var, sizeof(var)));
	rsw[RSW_SHADER_ADDRESS] = scene_data(s, fetch, sizeof(fetch)) | 6;
	rsw[RSW_TEXTURES_ADDRESS] = va;
	rsw[RSW_AUX0] |= 0x4020;
	for (i = random_word() % 6; i; i--) {
		n = random_word() % RSW_WORDS;
		/* Addresses far away only fault. */
		rsw[n] ^= 1u << random_word() % (n == 9 || n == 11 || n == 12 || n == 15 ? 12 : 32);
	}
	scene_state(s, rsw, scene_data(s, pos, sizeof(pos)));
	for (i = 0; i < 6; i++) {
		float size = random_in(-1, 30);
		uint32_t bits;

		memcpy(&bits, &size, 4);
		scene_cmd(s, bits, PLB_SIZE_HI);
		scene_prim(s, 1 + random_word() % 4, random_word() % 9, random_word() % 9,
			   random_word() % 9);
	}
	/* Now and then a bit of the list, the shader, or the positions. */
	for (i = random_word() % 3; i; i--) {
		uint32_t at = random_word() % 2 ? SCENE_LIST + random_word() % s->list :
			      random_word() % s->used;

		s->mem[at] ^= 1u << random_word() % 8;
	}
	for (i = random_word() % 3; i; i--)
		s->job.frame[1 + random_word() % 22] ^= 1u << random_word() % 32;
	if (random_word() % 3 == 0)
		s->job.wb[2 + random_word() % 7] ^= 1u << random_word() % 16;
	return s->used;
}

static uint64_t digest(const struct scene *s)
{
	uint64_t h = 1469598103934665603ull;
	uint32_t i;

	for (i = SCENE_TARGET; i < SCENE_TARGET + (1 << 20); i++)
		h = (h ^ s->mem[i]) * 1099511628211ull;
	return h;
}

/* What a job has done. */
struct done {
	enum host_status status;
	uint64_t hash, count[PP_CNT_MAX];
	uint32_t raw, rend, mmu[3];
	unsigned int reports;
	char last[256];
	unsigned int tested;		/* blocks of the last batch */
};

static enum model_permit permit(void *ctx, uint32_t state, uint32_t draw)
{
	return MODEL_PERMIT;
}

static void draw(struct done *done, bool strict, struct model_watch *watch)
{
	struct model *m;
	struct scene s = { 0 };

	scene_begin(&s, W, H, strict);
	s.expect_reports = true;
	m = host_model(s.host);
	m->watch = watch;
	build(&s);
	memset(done, 0, sizeof(*done));
	done->status = scene_run(&s);
	done->hash = digest(&s);
	for (unsigned int i = 0; i < m->row->num_units; i++)
		if (m->units[i]->ops == &utgard_pp_ops) {
			memcpy(done->count, ((struct pp *)m->units[i])->count, sizeof(done->count));
			done->tested += ((struct pp *)m->units[i])->batch->num_tested;
		}
	done->raw = s.raw;
	done->rend = s.rend;
	memcpy(done->mmu, s.mmu, sizeof(done->mmu));
	done->reports = s.reports;
	memcpy(done->last, s.last, sizeof(done->last));
	scene_free(&s);
}

/* The same words do the same again. */
static void test_flipped_bits(void **state)
{
	unsigned int ended[3] = { 0 };

	random_seed();
	for (unsigned int n = 0; n < 150; n++) {
		uint64_t before = random_state;
		static struct done first, second;

		draw(&first, true, NULL);
		random_state = before;
		draw(&second, true, NULL);
		if (memcmp(&first, &second, sizeof(first)))
			fail_msg("job %u: status %d and %d, %s", n, first.status, second.status,
				 first.hash != second.hash ? "two pictures" : "what the core counts or says differs");
		ended[first.status]++;
	}
	printf("%u done, %u faulted, %u timed out\n", ended[HOST_OK], ended[HOST_FAULT], ended[HOST_TIMEOUT]);
	assert_true(ended[HOST_OK] > 10);
}

/* While somebody watches, blocks are drawn one after the other; else together, with the same results. */
static void test_together(void **state)
{
	struct model_watch watch = { .allow = permit };
	uint64_t fragments = 0, rejected = 0;
	unsigned int faults = 0, reports = 0, tested = 0;

	random_seed();
	for (unsigned int n = 0; n < 400; n++) {
		uint64_t before = random_state;
		static struct done alone, together;

		draw(&together, false, NULL);
		random_state = before;
		draw(&alone, false, &watch);
		for (unsigned int i = 0; i < PP_CNT_MAX; i++)
			if (alone.count[i] != together.count[i])
				printf("# count 0x%02x: together %llu, alone %llu\n", i, (unsigned long long)together.count[i],
				       (unsigned long long)alone.count[i]);
		assert_int_equal(alone.tested, 0);
		tested += together.tested;
		together.tested = 0;
		if (memcmp(&alone, &together, sizeof(alone)))
			fail_msg("job %u: status %d and %d, %u and %u reports, %s", n, together.status, alone.status, together.reports,
				 alone.reports, together.hash != alone.hash ? "two pictures" : "what the core counts or says");
		fragments += alone.count[PP_CNT_FRAGMENTS];
		rejected += alone.count[PP_CNT_EARLY_REJECTED];
		faults += alone.status == HOST_FAULT;
		reports += alone.reports;
	}
	printf("%llu fragments, %llu blocks without one, %u faults, %u reports, %u blocks in last batches\n",
	       (unsigned long long)fragments, (unsigned long long)rejected, faults, reports, tested);
	assert_true(fragments > 100000 && rejected && faults && reports && tested > 500);
}

#define TESTS(T) T(test_flipped_bits) T(test_together)

UNIT_MAIN(TESTS, NULL)
