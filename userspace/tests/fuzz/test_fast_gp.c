// SPDX-License-Identifier: MIT
/*
 * Random lists of the GP (fast.h): with memory at hand; while somebody watches a pixel; and strict, by way of the L2's
 * copies. What the vertex shader and the polygon list builder write must be the same, and so must what they count.
 */
#include "model/core.h"
#include "model/utgard/gp.h"
#include "tests/model/gp_scene.h"
#include "tests/fuzz/fast.h"

enum way { FAST, WATCHED, STRICT, WAYS };

static const char *const way_names[WAYS] = { "fast", "watched", "strict" };

static const struct fast_kind kinds[] = { { "lists", 800 }, { NULL, 0 } };

#define TILES		4	/* each way */
#define VS_LIST		0x0000
#define PLBU_LIST	0x1000
#define SHADER		0x2000
#define IN		0x2800
#define OUT		0x2840
#define ARRAY		0x2880
#define INDICES		0x3000
#define ATTRIBUTES	0x4000
#define UNIFORMS	0x7000
#define BUILT		0x8000	/* what a case writes is below, what the GP writes from here on */
#define POSITIONS	0x8000
#define VARYINGS	0xa000
#define SIZES		0xe000
#define BLOCKS		0x10000
#define BO_SIZE		0x14000
#define HEAP_SIZE	0x10000
#define VERTICES	60	/* most of a draw */

static struct env envs[WAYS];
static struct model_watch watch;
static uint8_t *heaps[WAYS];
static uint32_t *copy_words;
static size_t copy_count;

static const char copy_text[] =
	"mov.a0 ^1/v0.x a0.x\n"
	"mov.a1 ^2/v0.y a0.y\n"
	"mov.m0 ^3/v0.z a0.z\n"
	"mov.m1 ^4/v0.w a0.w\n";

static uint32_t stream_format(bool out)
{
	static const uint16_t types[] = {
		GP_TYPE_F32, GP_TYPE_I32, GP_TYPE_U32, GP_TYPE_F16, GP_TYPE_I16, GP_TYPE_U16, GP_TYPE_I8, GP_TYPE_U8, GP_TYPE_I8N, GP_TYPE_U8N,
		GP_TYPE_I16N, GP_TYPE_U16N, GP_TYPE_I32N, GP_TYPE_U32N, GP_TYPE_FIXED,
	};

	if (!below(40))
		return random_word() & 0xffff;
	if (out)
		return GP_STREAM(below(8) ? 16 : below(40), below(2) ? GP_VARYING_F32 : GP_VARYING_F16, 1 + below(4));
	return GP_STREAM(below(2) ? 16 : below(40), types[below(3) ? 0 : below(COUNT(types))], 1 + below(4));
}

static void build_vs(struct env *e, uint32_t count)
{
	uint32_t *in = (uint32_t *)(e->map + IN), *out = (uint32_t *)(e->map + OUT), *words = (uint32_t *)(e->map + SHADER);
	uint32_t n = (uint32_t)copy_count * 4;

	memcpy(words, copy_words, n);
	if (!below(3))
		words[below(n / 4)] ^= 1u << below(32);
	for (unsigned int i = 0; i < 2; i++) {
		in[2 * i] = e->va + ATTRIBUTES + below(64) * below(2);
		in[2 * i + 1] = stream_format(false);
	}
	out[0] = e->va + POSITIONS;
	out[1] = GP_VARYING_POSITION_WORD;
	out[2] = e->va + (below(2) ? SIZES : VARYINGS);
	out[3] = below(2) ? GP_VARYING_POINT_SIZE_WORD : stream_format(true);
	vs(e, VS_SEM_BEGIN_1, VS_W1_SEMAPHORE);
	vs(e, VS_SEM_BEGIN_2, VS_W1_SEMAPHORE);
	vs(e, e->va + UNIFORMS, VS_W1_UNIFORMS(64));
	vs(e, e->va + SHADER, VS_W1_SHADER(n));
	vs_reg(e, VS_REG_SHADER_INFO, VS_SHADER_INFO(n / 16 - 1, n));
	vs_reg(e, VS_REG_COUNTS, VS_COUNTS(2, 2));
	vs_reg(e, VS_REG_UNKNOWN_41, 3);
	vs(e, e->va + IN, VS_W1_ATTRIBUTES(2));
	vs(e, e->va + OUT, VS_W1_VARYINGS(2));
	vs(e, VS_W0_DRAW(count, false), VS_W1_DRAW(count));
	vs(e, 0, VS_W1_FLUSH);
	vs(e, VS_SEM_END, VS_W1_SEMAPHORE);
}

static void build_plbu(struct env *e, uint32_t count)
{
	static const uint8_t modes[] = { 0, 1, 2, 3, 4, 4, 5, 6, 15 };
	uint32_t shift = below(4) ? 0 : 1, wide = TILES >> shift, *array = (uint32_t *)(e->map + ARRAY), index = below(3);
	uint32_t prim = 0x2000 | below(3) << 8 | index << 10 | below(2) << 12 | (below(3) ? 0 : 1 + below(3)) << 17;

	for (uint32_t i = 0; i < wide * wide; i++)
		array[i] = e->va + BLOCKS + i * PLB_BLOCK_BYTES;
	for (uint32_t i = 0; i < VERTICES; i++)
		memcpy(e->map + INDICES + (i << index), &(uint32_t){ below(count) }, 1u << index);
	reg(e, PLBU_REG_PRIMITIVE, 0x200);
	reg(e, PLBU_REG_BLOCK_STEP, shift << 16 | shift);
	reg(e, PLBU_REG_TILES, (TILES - 1) << 24 | (TILES - 1) << 8);
	plbu(e, wide, PLBU_W1_BLOCK_STRIDE);
	plbu(e, e->va + ARRAY, PLBU_W1_ARRAY(wide * wide));
	regf(e, PLBU_REG_VIEWPORT_LEFT, below(4) ? 0 : (float)below(20));
	regf(e, PLBU_REG_VIEWPORT_RIGHT, TILES * 16);
	regf(e, PLBU_REG_VIEWPORT_BOTTOM, below(4) ? 0 : (float)below(20));
	regf(e, PLBU_REG_VIEWPORT_TOP, TILES * 16);
	regf(e, PLBU_REG_DEPTH_NEAR, 0);
	regf(e, PLBU_REG_DEPTH_FAR, 1);
	reg(e, PLBU_REG_INDICES, e->va + INDICES);
	reg(e, PLBU_REG_POSITIONS, e->va + POSITIONS);
	reg(e, PLBU_REG_POINT_SIZES, e->va + SIZES);
	regf(e, PLBU_REG_LOW_PRIM_SIZE, (float)random_in(0, 10));
	plbu(e, PLBU_SEM_BEGIN, PLBU_W1_SEMAPHORE);
	for (unsigned int i = 1 + below(4); i; i--) {
		uint32_t mode = modes[below(COUNT(modes))], start = below(4) ? 0 : below(count), n = 1 + below(count), x = below(60);

		n = mode == 4 || mode == 15 ? (n + 2) / 3 * 3 : mode == 1 ? (n + 1) & ~1u : n + 2;
		reg(e, PLBU_REG_PRIMITIVE, prim);
		plbu(e, 0x00abc000 + below(4) * 64, PLBU_W1_RSW(e->va + POSITIONS));
		if (!below(3)) {
			uint32_t w1 = PLBU_W1_SCISSOR(x, 1 + below(64));

			plbu(e, PLBU_W0_SCISSOR(x, 1 + below(64), below(30)), w1);
		}
		plbu(e, PLBU_W0_DRAW(start, n), below(2) ? PLBU_W1_DRAW_ARRAYS(mode, n) : PLBU_W1_DRAW_ELEMENTS(mode, n));
	}
	plbu(e, PLBU_SEM_END, PLBU_W1_SEMAPHORE);
	plbu(e, 0, PLBU_W1_END);
}

static void build(struct env *e)
{
	uint32_t count = 1 + below(VERTICES);
	float *attributes = (float *)(e->map + ATTRIBUTES);

	gp_lists(e, VS_LIST, PLBU_LIST);
	for (unsigned int i = 0; i < 4 * VERTICES; i++)
		attributes[i] = i % 4 == 3 ? below(8) ? 1 : (float)random_in(-0.5, 2) : (float)random_in(-16, i % 4 == 2 ? 1 : TILES * 16 + 16);
	build_vs(e, count);
	build_plbu(e, count);
	for (unsigned int i = below(12) ? 0 : 1 + below(3); i; i--)
		e->map[below(2) ? PLBU_LIST + below(e->plbu_words * 4) : VS_LIST + below(e->vs_words * 4)] ^= 1u << below(8);
}

struct done {
	enum host_status status;
	uint64_t count[GP_EVENTS];
	uint32_t raw, bus_error, mmu[3], bounds[2];
	unsigned int reports;
	char last[256];
};

static struct gp *gp_of(struct env *e)
{
	struct model *m = host_model(e->host);

	for (unsigned int i = 0; i < m->row->num_units; i++)
		if (m->units[i]->ops == &utgard_gp_ops)
			return (struct gp *)m->units[i];
	return NULL;
}

static void submit(struct env *e, struct done *done)
{
	memset(done, 0, sizeof(*done));
	memset(gp_of(e)->count, 0, sizeof(done->count));
	memset(e->map + BUILT, 0x55, BO_SIZE - BUILT);
	e->reports = 0;
	done->status = run(e);
	memcpy(done->count, gp_of(e)->count, sizeof(done->count));
	done->raw = e->seen.raw;
	done->bus_error = e->seen.bus_error;
	memcpy(done->mmu, &e->seen.mmu_status, sizeof(done->mmu));
	memcpy(done->bounds, e->seen.bounds, sizeof(done->bounds));
	done->reports = e->reports;
	memcpy(done->last, e->last, sizeof(done->last));
}

/*
 * Strict mode finds more to report. Both processors of a job that fails or hangs work at once, so how far the other has
 * come by then is chance; for one that ends only the slices in which one has waited for the other are.
 */
static bool same(enum way way, const struct done *fast, const struct done *other)
{
	bool alike = fast->status == other->status;

	if (!alike)
		printf("# %s: status %d, and %d the fast way\n", way_names[way], other->status, fast->status);
	if (way == WATCHED && (fast->reports != other->reports || strcmp(fast->last, other->last))) {
		printf("# watched: %u reports, the last \"%s\", and %u, \"%s\" the fast way\n", other->reports, other->last, fast->reports,
		       fast->last);
		alike = false;
	}
	if (fast->status != HOST_OK)
		return alike;
	for (unsigned int i = 0; i < GP_EVENTS; i++)
		if (i != GP_EVENT_ACTIVE && i != GP_EVENT_WORDS_READ && fast->count[i] != other->count[i]) {
			printf("# %s: event 0x%02x is counted %llu times, and %llu the fast way\n", way_names[way], i,
			       (unsigned long long)other->count[i], (unsigned long long)fast->count[i]);
			alike = false;
		}
	alike &= fast_same("registers", way_names[way], fast->mmu, other->mmu, sizeof(fast->mmu) + sizeof(fast->bounds));
	alike &= fast_same("memory", way_names[way], envs[FAST].map, envs[way].map, BO_SIZE);
	alike &= fast_same("heap", way_names[way], heaps[FAST], heaps[way], HEAP_SIZE);
	return alike;
}

static void open_all(void)
{
	uint64_t before = random_state;

	copy_words = copy_words ? copy_words : assemble("utgard-gp", copy_text, &copy_count);
	watch = fast_watch;
	for (unsigned int w = 0; w < WAYS; w++) {
		uint32_t va, backed;
		void *map;

		gp_open(&envs[w], w == STRICT, 200, BO_SIZE, HEAP_SIZE);
		assert_int_equal(host_bo_info(envs[w].host, envs[w].heap_handle, &va, &map, &backed), 0);
		heaps[w] = map;
		random_state = 1;
		fast_noise(envs[w].map, BUILT);
	}
	model_watch_pixel(host_model(envs[WATCHED].host), &watch);
	random_state = before;
}

static bool same_memory(void)
{
	return true;
}

static bool run_all(unsigned int kind)
{
	static struct done done[WAYS];
	bool alike = true;

	build(&envs[FAST]);
	watch.x = (int32_t)below(TILES * 16);
	watch.y = (int32_t)below(TILES * 16);
	/* Before any of them runs: a list with a wrong bit may write where it is read. */
	for (unsigned int w = 1; w < WAYS; w++) {
		memcpy(envs[w].map, envs[FAST].map, BUILT);
		envs[w].vs_list = envs[FAST].vs_list;
		envs[w].plbu_list = envs[FAST].plbu_list;
		envs[w].vs_words = envs[FAST].vs_words;
		envs[w].plbu_words = envs[FAST].plbu_words;
	}
	for (unsigned int w = 0; w < WAYS; w++) {
		memset(heaps[w], 0x55, HEAP_SIZE);
		submit(&envs[w], &done[w]);
		alike &= !w || same(w, &done[FAST], &done[w]);
	}
	fast_ended[done[FAST].status]++;
	return alike;
}

int main(int argc, char **argv)
{
	static const struct fast_test test = { kinds, open_all, run_all, same_memory };
	int differ = fast_main(argc, argv, &test);

	for (unsigned int w = 0; w < WAYS; w++)
		stop(&envs[w]);
	free(copy_words);
	return differ;
}
