// SPDX-License-Identifier: MIT
/*
 * Random draws of the PP (fast.h): in batches of blocks; block by block, while somebody watches a pixel; the two cores on
 * threads; with four equal samples in each tile, which go to memory pixel by pixel; and strict, by way of the L2's copies
 * and of memory looked at access by access.
 */
#include <limn/utgard/formats.h>

/* The model's blocks are others. */
#define pp_block isa_pp_block
#include "isa/utgard_pp.h"
#undef pp_block
#include "model/core.h"
#include "model/utgard/pp.h"
#include "tests/model/pp_scene.h"
#include "tests/sim/shader.h"
#include "tests/fuzz/fast.h"

enum way { FAST, WATCHED, THREADS, SAMPLES, STRICT, WAYS };

static const char *const way_names[WAYS] = { "fast", "watched", "on threads", "in four samples", "strict" };

enum { SHADERS, TEXTURES, PIXELS, STREAMS };

static const struct fast_kind kinds[] = {
	{ "shaders", 500 }, { "textures", 500 }, { "pixels", 500 }, { "streams", 500 }, { NULL, 0 },
};

#define CORES		2
#define W		40	/* of the largest picture */
#define H		40
#define TARGET_BYTES	0x10000
#define TEXELS		(SCENE_BYTES - TEXEL_BYTES)	/* up to the BO's end: some textures reach beyond it */
#define TEXEL_BYTES	0x40000
#define FIRST_DATA	4096	/* of a case; below are what all of them have */
#define EXPAND_LIST	(SCENE_LIST + 0x10000)	/* of one way alone */
#define EXPAND_DATA	(SCENE_LIST - 0x1000)
#define VERTICES	8
#define STRIDE		96	/* of varyings */

static struct scene scene[WAYS];
static struct model_watch watch;
static bool one_sample;			/* the case at hand: all samples of a pixel are equal, however many there are */

/* --- What the tables of states allow ------------------------------------------------------ */

enum kind {
	KIND_UINT, KIND_INT, KIND_HEX, KIND_ADDR, KIND_FLOAT, KIND_BOOL,
#define UTG_ENUM(name) KIND_##name,
#include <limn/utgard/states.inc>
};

static const struct {
	const char *block, *name;
	uint16_t bit;
	uint8_t width, kind;
} fields[] = {
#define UTG_FIELD(block, name, word, hi, lo, kind) { #block, #name, 32 * (word) + (lo), (hi) - (lo) + 1, KIND_##kind },
#include <limn/utgard/states.inc>
};

static const struct {
	uint32_t kind, value;
} values[] = {
#define UTG_VALUE(name, prefix, value_name, value) { KIND_##name, value },
#include <limn/utgard/states.inc>
};

static uint32_t any_value(unsigned int kind)
{
	unsigned int n = 0, which;

	if (kind == KIND_FACTOR)
		return below(6) | below(2) * RSW_FACTOR_INVERT | below(2) * RSW_FACTOR_ALPHA;
	for (unsigned int i = 0; i < COUNT(values); i++)
		n += values[i].kind == kind;
	if (!n)
		return random_word();
	which = below(n);
	for (unsigned int i = 0;; i++)
		if (values[i].kind == kind && !which--)
			return values[i].value;
}

/* Of each field that somebody has named, with one chance in odds, one of its values. */
static void any_fields(const char *block, uint32_t *words, unsigned int odds)
{
	for (unsigned int i = 0; i < COUNT(fields); i++)
		if (!strcmp(fields[i].block, block) && strncmp(fields[i].name, "UNKNOWN", 7) && !strstr(fields[i].name, "_UNKNOWN") &&
		    !below(odds))
			utgard_bits_set(words, fields[i].bit, fields[i].width, any_value(fields[i].kind));
}

/* --- Shaders ------------------------------------------------------------------------------ */

static const char *const shader_texts[] = {
	"load.v $0 0.xyzw, stop",
	"load.v $0 0\nload.v $1 1, stop",
	"load.v $0 0\nload.v $1 1\nload.u 1, mul.v0 $0 $0 ^uniform, sync, stop",
	"load.v $0 0\nbranch.lt $0.x ^const0.x end, const0 0.5 0 0 0\ndiscard\nend: mov.v1 $0 $0, stop",
	"fb_color $1\nload.v $0 0\nadd.v1 $0 $0 $1, stop",
	/* Textures from here on. */
	"load.v ^discard.xy 0.xy, texld 0, mov.v1 $0 ^texture, sync, stop",
	"load.v ^discard 0, texld 0, mov.v1 $0 ^texture, sync, stop",
	"load.v ^discard 0, texld.cube 0, mov.v1 $0 ^texture, sync, stop",
	"load.v $1.x 1.x\nload.v ^discard 0, texld.b 0 $1.x, mov.v1 $0 ^texture, sync, stop",
	"load.v $1.x 1.x\nload.v ^discard 0, texld.l 0 $1.x, mov.v1 $0 ^texture, sync, stop",
	"load.perspective.w.v ^discard.xy 0, texld 0, mov.v1 $0 ^texture, sync, stop",
	"load.v ^discard.xy 0.xy, texld 0, mov.v1 $1 ^texture, sync\n"
	"load.v ^discard.xy 1.xy, texld 1, mul.v0 $0 $1 ^texture, sync, stop",
};

#define FIRST_TEXTURED	5

static uint32_t shader_at[COUNT(shader_texts)];	/* address | length of the first instruction */

#define FIELD(block)	(1u << (PP_ctrl_fields + (block) - 1))

/* A few instructions of random fields; most have none that branches, has a stack or an index, which no batch runs. */
static uint32_t any_shader(struct scene *s)
{
	static const uint32_t without[] = {
		0, FIELD(PP_TEMP) | FIELD(PP_BRANCH), FIELD(PP_TEMP) | FIELD(PP_BRANCH),
		FIELD(PP_TEMP) | FIELD(PP_BRANCH) | FIELD(PP_VARYING) | FIELD(PP_SAMPLER),
		FIELD(PP_TEMP) | FIELD(PP_BRANCH) | FIELD(PP_VARYING) | FIELD(PP_SAMPLER) | FIELD(PP_UNIFORM),
	};
	/* First what the vertices say: load.v $0 0 */
	uint32_t words[256] = { 0x02180083, 0xf0003c60, 0 }, count = 1 + below(5), at = 3, never = without[below(COUNT(without))];

	for (uint32_t i = 0; i < count; i++) {
		uint32_t ctrl = random_word() & random_word() & 0x0007ff80 & ~never, size = pp_size(ctrl);

		words[at] = ctrl | size | (i + 1 == count ? 1u << PP_ctrl_stop : 0);
		for (uint32_t k = 1; k < size; k++)
			words[at + k] = random_word();
		at += size;
	}
	return scene_data(s, words, at * 4) | 3;
}

/* --- Draws -------------------------------------------------------------------------------- */

static uint32_t texture(struct scene *s, unsigned int odds)
{
	uint32_t desc[TEX_DESC_WORDS_FOR(TEX_MAX_LEVELS)] = { 0 }, at = TEXELS + below(TEXEL_BYTES - 0x8000) / 64 * 64;

	utgard_set(desc, TEX_DIM, below(8) ? TEX_DIM_2D : any_value(KIND_DIM));
	utgard_set(desc, TEX_LAYOUT, any_value(KIND_LAYOUT));
	utgard_set(desc, TEX_MIN_NEAREST, below(2));
	utgard_set(desc, TEX_MAG_NEAREST, below(2));
	any_fields("TEX", desc, odds);
	utgard_set(desc, TEX_FORMAT, below(2) ? TEX_FORMAT_B8G8R8A8 : any_value(KIND_TEXEL));
	utgard_set(desc, TEX_UNNORM_COORDS, !below(8));
	utgard_set(desc, TEX_CUBE_MAP, !below(8));
	utgard_set(desc, TEX_HAS_STRIDE, !below(8));
	utgard_set(desc, TEX_STRIDE, 4 + below(300));
	utgard_set(desc, TEX_WIDTH, 1 + below(below(4) ? 40 : 300));
	utgard_set(desc, TEX_HEIGHT, 1 + below(40));
	utgard_set(desc, TEX_DEPTH, 1 + below(4));
	utgard_set(desc, TEX_MIN_LOD, below(4) ? 0 : below(40));
	utgard_set(desc, TEX_MAX_LOD, below(3) ? below(80) : 0);
	if (!below(20))
		at = SCENE_BYTES - 64 * below(64);
	for (unsigned int i = 0; i < TEX_MAX_LEVELS; i++)
		utgard_tex_set_level(desc, i, (s->va + at + i * (below(8) ? 0x400 : 0x440)) >> TEX_LEVEL_SHIFT);
	return scene_data(s, desc, sizeof(desc));
}

static uint32_t any_of_table(unsigned int kind)
{
	unsigned int first = kind == TEXTURES ? FIRST_TEXTURED : 0, end = kind == PIXELS ? FIRST_TEXTURED : COUNT(shader_texts);

	return shader_at[first + below(end - first)];
}

/* Positions in and around the picture; or beyond the guard band, behind the eye and no numbers. */
static uint32_t positions(struct scene *s)
{
	float pos[VERTICES][4];

	for (unsigned int i = 0; i < VERTICES; i++) {
		double far;
		uint32_t word;

		pos[i][0] = (float)random_in(-10, s->w + 10);
		pos[i][1] = (float)random_in(-10, s->h + 10);
		far = below(8) ? 1 : 1.3;
		pos[i][2] = (float)random_in(below(8) ? 0 : -0.3, far);
		pos[i][3] = below(2) ? 1 : (float)random_in(below(8) ? 0.1 : -0.1, 2);
		if (!below(100))
			pos[i][below(4)] *= 1e5f;
		if (!below(400)) {
			word = random_word();
			memcpy(&pos[i][below(4)], &word, 4);
		}
	}
	return scene_data(s, pos, sizeof(pos));
}

/* One stride fits all types: halves are floats' upper ones and lower ones, of whatever size. */
static uint32_t varyings(struct scene *s)
{
	float var[VERTICES * STRIDE / 4];

	for (unsigned int i = 0; i < COUNT(var); i++) {
		var[i] = (float)random_in(-1.5, 2.5);
		if (!below(2000))
			memcpy(&var[i], &(uint32_t){ random_word() }, 4);
	}
	return scene_data(s, var, sizeof(var));
}

static void state(struct scene *s, unsigned int kind)
{
	static const uint8_t odds[] = { [SHADERS] = 16, [TEXTURES] = 16, [PIXELS] = 2, [STREAMS] = 8 };
	uint32_t rsw[RSW_WORDS], was[RSW_WORDS], va[2], halves[16];
	bool samples = !below(kind == PIXELS ? 3 : 12);

	pp_rsw(rsw, 0);
	memcpy(was, rsw, sizeof(was));
	any_fields("RSW", rsw, odds[kind]);
	if (below(8))
		rsw[RSW_DEPTH_RANGE] = was[RSW_DEPTH_RANGE];
	if (!below(3))
		rsw[RSW_ALPHA_BLEND] = (rsw[RSW_ALPHA_BLEND] & UTGARD_MASK(RSW_COLOR_MASK)) | (was[RSW_ALPHA_BLEND] & 0x0fffffff);
	if (below(4))
		rsw[RSW_MULTI_SAMPLE] = (rsw[RSW_MULTI_SAMPLE] & 0xffff) | was[RSW_MULTI_SAMPLE] << 16;
	if (!samples)
		rsw[RSW_MULTI_SAMPLE] = (rsw[RSW_MULTI_SAMPLE] & ~0xff78u) | (was[RSW_MULTI_SAMPLE] & 0xff78);
	if (below(4))
		rsw[RSW_MULTI_SAMPLE] |= RSW_ALWAYS;
	one_sample &= !(rsw[RSW_MULTI_SAMPLE] & UTGARD_MASK(RSW_MSAA)) &&
		      UTGARD_GET(RSW_SAMPLE_MASK, rsw[RSW_MULTI_SAMPLE]) == 0xf;
	/* Floats and halves of 4 and 2 components; some types that nobody knows. */
	rsw[RSW_VARYING_TYPES] = below(3) ? 0 : random_word() & (below(4) ? 0x1b6db6db : ~0u);
	rsw[RSW_VARYINGS_ADDRESS] = varyings(s) | below(16);
	rsw[RSW_SHADER_ADDRESS] = kind == SHADERS || !below(8) ? any_shader(s) : any_of_table(kind);
	for (unsigned int i = 0; i < COUNT(halves); i++)
		halves[i] = (random_word() & 0xbfffbfff) | (below(2) ? 0x30003000 : 0);
	va[0] = scene_data(s, halves, sizeof(halves));
	rsw[RSW_UNIFORMS_ADDRESS] = scene_data(s, va, 4) | 3;
	va[0] = texture(s, kind == TEXTURES ? 2 : 6);
	va[1] = texture(s, kind == TEXTURES ? 2 : 6);
	rsw[RSW_TEXTURES_ADDRESS] = scene_data(s, va, sizeof(va));
	rsw[RSW_AUX0] &= UTGARD_MASK(RSW_AUX0_EARLY_Z) | UTGARD_MASK(RSW_AUX0_PIXEL_KILL) | UTGARD_MASK(RSW_AUX0_COLOR1_REG);
	if (rsw[RSW_AUX0] & UTGARD_MASK(RSW_AUX0_EARLY_Z))
		rsw[RSW_AUX0] |= UTGARD_MASK(RSW_AUX0_EARLY_Z);
	rsw[RSW_AUX0] |= UTGARD_SET(RSW_AUX0_VARYING_STRIDE, STRIDE / 8) | UTGARD_SET(RSW_AUX0_HAS_SAMPLERS, 1) |
			 UTGARD_SET(RSW_AUX0_NUM_SAMPLERS, 2) | UTGARD_SET(RSW_AUX0_HAS_UNIFORMS, 1);
	scene_state(s, rsw, positions(s));
}

static void commands(struct scene *s, unsigned int kind)
{
	static const uint8_t ops[] = { PLB_OP_TRIANGLE, PLB_OP_TRIANGLE, PLB_OP_RECT, PLB_OP_LINE, PLB_OP_POINT, PLB_OP_WIDE };
	unsigned int vertex[3];
	bool plain = kind != STREAMS;

	for (unsigned int i = 1 + below(plain ? 3 : 8); i; i--) {
		float size = (float)random_in(-1, 12);
		uint32_t cmd[2] = { 0 };

		if (!plain || !below(4))
			scene_cmd(s, *(uint32_t *)memcpy(cmd, &size, 4), PLB_SIZE_HI);
		if (!plain && !below(3)) {
			cmd[0] = 0;
			cmd[1] = UTGARD_W1(UTGARD_COMMAND(PLB_SCISSOR));
			utgard_set(cmd, PLB_SCISSOR_MIN_X, below(W));
			utgard_set(cmd, PLB_SCISSOR_MAX_X, below(W + 8));
			utgard_set(cmd, PLB_SCISSOR_MIN_Y, below(H));
			utgard_set(cmd, PLB_SCISSOR_MAX_Y, below(H + 8));
			scene_cmd(s, cmd[0], cmd[1]);
		}
		for (unsigned int i = 3; i--;)
			vertex[i] = below(VERTICES);
		scene_prim(s, ops[below(COUNT(ops))], vertex[0], vertex[1], vertex[2]);
	}
}

/* Where tiles go, and what they start as. */
static void frame(struct scene *s, unsigned int kind)
{
	uint32_t *f = s->job.frame, *wb = s->job.wb, units = below(4), format = below(2) ? PP_WB_B8G8R8A8 : below(9);
	bool half = !below(kind == PIXELS ? 6 : 16);

	s->w = 1 + below(W);
	s->h = 1 + below(H);
	pp_frame(&s->job, s->w, s->h, s->va + SCENE_TARGET);
	s->job.num_pp = 1 + below(CORES);
	f[PP_FEATURES / 4] |= half;
	f[PP_CLEAR_DEPTH / 4] = below(2) ? 0xffffff : random_word() & 0xffffff;
	f[PP_CLEAR_STENCIL / 4] = below(2) ? 0 : below(256);
	f[PP_STACK_SIZE / 4] = below(2) * 0x40004;
	one_sample = !half;
	for (unsigned int i = 0; i < 4; i++) {
		f[PP_CLEAR_COLOR(i) / 4] = i && below(8) ? f[PP_CLEAR_COLOR(0) / 4] : random_word();
		one_sample &= f[PP_CLEAR_COLOR(i) / 4] == f[PP_CLEAR_COLOR(0) / 4];
	}
	for (unsigned int u = 0; u < 2; u++, wb += PP_WB_WORDS) {
		bool tiled = below(2), depth = u;
		uint32_t bytes;

		if (u && !(units & 1))
			break;
		format = u ? PP_WB_Z24S8 - below(3) : format;
		bytes = utgard_pixel_formats[format].bytes;
		wb[PP_WB_SOURCE_SELECT / 4] = depth ? PP_WB_SOURCE_DEPTH_STENCIL : PP_WB_SOURCE_COLOR;
		wb[PP_WB_ADDRESS / 4] = s->va + (depth ? SCENE_DEPTH : SCENE_TARGET) + (below(8) ? 0 : below(200));
		wb[PP_WB_PIXEL_FORMAT / 4] = format;
		wb[PP_WB_PIXEL_LAYOUT / 4] = tiled ? PP_WB_LAYOUT_TILED : PP_WB_LAYOUT_LINEAR;
		wb[PP_WB_PITCH / 4] = tiled ? (s->w + 15) / 16 : (s->w + 15) / 16 * 2 * bytes;
		wb[PP_WB_FLAGS / 4] = below(2) ? PP_WB_FLAG_SWAP_RB : 0;
		/* Samples do not overlap: which of two cores is the last to write would be chance. */
		wb[PP_WB_MRT_BITS / 4] = below(6) || bytes > 4 ? 0 : below(16);
		wb[PP_WB_MRT_PITCH / 4] = TARGET_BYTES / 4;
	}
}

static void build(struct scene *s, unsigned int kind)
{
	s->used = FIRST_DATA;
	s->list = s->tiles = 0;
	frame(s, kind);
	for (unsigned int draws = 1 + below(3); draws; draws--) {
		state(s, kind);
		commands(s, kind);
	}
	/* Now and then a bit that nobody meant. */
	for (unsigned int i = below(kind == STREAMS ? 2 : 20) ? 0 : 1 + below(3); i; i--, one_sample = false)
		s->mem[below(3) ? SCENE_LIST + below(s->list) : FIRST_DATA + below(s->used - FIRST_DATA)] ^= 1u << below(8);
	if (kind == STREAMS && !below(8)) {
		s->job.frame[1 + below(22)] ^= 1u << below(32);
		one_sample = false;
	}
	scene_cmd(s, PLB_RETURN_LO, PLB_RETURN_HI);
}

/* Of a mask of samples each tile gets planes for them: a draw that leaves nothing, which goes on to the list. */
static uint32_t expand_list(struct scene *s)
{
	static const float corners[3][4] = { { -100, -100, 0, 1 }, { 400, -100, 0, 1 }, { -100, 400, 0, 1 } };
	uint32_t rsw[RSW_WORDS], list = s->list;

	pp_rsw(rsw, shader_at[0]);
	rsw[RSW_ALPHA_BLEND] &= ~UTGARD_MASK(RSW_COLOR_MASK);
	rsw[RSW_MULTI_SAMPLE] &= ~UTGARD_SET(RSW_SAMPLE_MASK, 8);
	rsw[RSW_DEPTH_TEST] = 0x30;
	rsw[RSW_AUX0] = 2;
	s->list = EXPAND_LIST - SCENE_LIST;
	s->used = EXPAND_DATA;
	rsw[RSW_VARYINGS_ADDRESS] = scene_data(s, corners, sizeof(corners));
	scene_state(s, rsw, scene_data(s, corners, sizeof(corners)));
	scene_prim(s, PLB_OP_TRIANGLE, 0, 1, 2);
	scene_cmd(s, PLB_JUMP_LO(s->va + SCENE_LIST), PLB_JUMP_HI);
	s->list = list;
	return s->va + EXPAND_LIST;
}

/* A list of tiles for each core. */
static void tiles(struct scene *s, uint32_t list)
{
	s->tiles = 0;
	for (uint32_t core = 0; core < s->job.num_pp; core++) {
		s->job.plbu_array_address[core] = s->va + SCENE_TILES + s->tiles;
		for (uint32_t i = core; i < (s->h + 15) / 16 * ((s->w + 15) / 16); i += s->job.num_pp) {
			scene_tile_word(s, 0, PPS_BEGIN_TILE | i % ((s->w + 15) / 16) | i / ((s->w + 15) / 16) << 8);
			scene_tile_word(s, PPS_CALL_WORD(list), PPS_CALL);
		}
		scene_tile_word(s, 0, PPS_END);
	}
}

/* --- What a job leaves -------------------------------------------------------------------- */

struct done {
	enum host_status status;
	uint64_t count[CORES][PP_CNT_MAX];
	uint32_t raw, rend, bus_error, mmu[3];
	unsigned int reports;
	char last[256];
};

static struct pp *core_of(struct scene *s, unsigned int n)
{
	struct model *m = host_model(s->host);

	for (unsigned int i = 0; i < m->row->num_units; i++)
		if (m->units[i]->ops == &utgard_pp_ops && !n--)
			return (struct pp *)m->units[i];
	return NULL;
}

static void submit(struct scene *s, struct done *done)
{
	memset(done, 0, sizeof(*done));
	for (unsigned int i = 0; i < CORES; i++)
		memset(core_of(s, i)->count, 0, sizeof(done->count[0]));
	s->reports = 0;
	s->last[0] = 0;
	assert_int_equal(host_submit(s->host, HOST_PIPE_PP, &s->job, sizeof(s->job), &done->status), 0);
	for (unsigned int i = 0; i < CORES; i++)
		memcpy(done->count[i], core_of(s, i)->count, sizeof(done->count[0]));
	done->raw = s->raw;
	done->rend = s->rend;
	done->bus_error = s->bus_error;
	memcpy(done->mmu, s->mmu, sizeof(done->mmu));
	done->reports = s->reports;
	memcpy(done->last, s->last, sizeof(done->last));
}

static bool same_pictures(enum way way)
{
	const uint8_t *a = scene[FAST].mem, *b = scene[way].mem;

	return fast_same("colour", way_names[way], a + SCENE_TARGET, b + SCENE_TARGET, TARGET_BYTES) &
	       fast_same("depth", way_names[way], a + SCENE_DEPTH, b + SCENE_DEPTH, TARGET_BYTES);
}

/*
 * Strict mode finds more to report. Where two cores work and one fails, how far the other has come is chance. A job that
 * hangs is stopped after so many steps, which strict mode spends on other things as well. Behind those two other programs
 * are decoded already. On threads the last report is that of any core.
 */
static bool of_programs(unsigned int counter)
{
	return counter == PP_CNT_PROGRAM_READS || counter == PP_CNT_BUS_READS || counter == PP_CNT_BUS_READ_REQUESTS;
}

static bool same(enum way way, const struct done *fast, const struct done *other)
{
	const struct scene *s = &scene[FAST];
	bool alike = fast->status == other->status, whole = fast->status == HOST_OK || s->job.num_pp == 1;

	if (!alike)
		printf("# %s: status %d, and %d the fast way\n", way_names[way], other->status, fast->status);
	if (!whole)
		return (fast->status == HOST_OK) == (other->status == HOST_OK);
	if (way == SAMPLES)
		return alike && (fast->status != HOST_OK || same_pictures(way));
	if (way != STRICT && (fast->reports != other->reports || (way != THREADS && strcmp(fast->last, other->last)))) {
		printf("# %s: %u reports, the last \"%s\", and %u, \"%s\" the fast way\n", way_names[way], other->reports, other->last,
		       fast->reports, fast->last);
		alike = false;
	}
	if (fast->status != HOST_TIMEOUT && s->job.num_pp == 1)
		alike &= fast_same("registers", way_names[way], &fast->raw, &other->raw,
				   offsetof(struct done, reports) - offsetof(struct done, raw));
	for (unsigned int c = 0; c < CORES && fast->status != HOST_TIMEOUT; c++)
		for (unsigned int i = 0; i < PP_CNT_MAX; i++)
			if (!(way != WATCHED && of_programs(i)) && fast->count[c][i] != other->count[c][i]) {
				printf("# %s: counter 0x%02x of pp%u is %llu, and %llu the fast way\n", way_names[way], i, c,
				       (unsigned long long)other->count[c][i], (unsigned long long)fast->count[c][i]);
				alike = false;
			}
	return same_pictures(way) && alike;
}

/* --- What fast.h calls ------------------------------------------------------------ */

static void open_all(void)
{
	uint64_t before = random_state;

	for (unsigned int w = 0; w < WAYS; w++) {
		struct scene *s = &scene[w];

		scene_begin_on(s, W, H, (struct host_config){ .gpu = "mali-400-mp2", .strict = w == STRICT, .threads = w == THREADS ? 2 : 0,
							      .timeout = 1000, .ram = 64 << 20 });
		s->expect_reports = true;
		for (unsigned int i = 0; i < COUNT(shader_texts); i++) {
			size_t n;
			uint32_t *words = assemble("utgard-pp", shader_texts[i], &n);

			shader_at[i] = scene_data(s, words, n * 4) | (words[0] & 0x1f);
			free(words);
		}
		assert_true(s->used <= FIRST_DATA);
		random_state = 1;
		fast_noise(s->mem + TEXELS, TEXEL_BYTES);
	}
	watch = fast_watch;
	model_watch_pixel(host_model(scene[WATCHED].host), &watch);
	random_state = before;
}

static void blank(struct scene *s)
{
	memset(s->mem + SCENE_TARGET, 0x55, TARGET_BYTES);
	memset(s->mem + SCENE_DEPTH, 0xaa, TARGET_BYTES);
}

static bool same_memory(void)
{
	bool alike = true;

	/* The last job may have failed, and two cores then have come this far or that. */
	for (unsigned int w = 0; w < WAYS; w++)
		blank(&scene[w]);
	for (unsigned int w = 1; w < WAYS; w++)
		alike &= w == THREADS || w == SAMPLES || fast_same("all memory", way_names[w], scene[FAST].mem, scene[w].mem, SCENE_BYTES);
	return alike;
}

static bool run_all(unsigned int kind)
{
	static struct done done[WAYS];
	struct scene *fast = &scene[FAST];
	bool alike = true, threads;

	build(fast, kind);
	tiles(fast, fast->va + SCENE_LIST);
	watch.x = (int32_t)below(W);
	watch.y = (int32_t)below(H);
	/* Threads cost more than they show. */
	threads = fast->job.num_pp > 1 && !below(4);
	for (unsigned int w = 0; w < WAYS; w++) {
		struct scene *s = &scene[w];

		if (w) {
			memcpy(s->mem + FIRST_DATA, fast->mem + FIRST_DATA, fast->used - FIRST_DATA);
			memcpy(s->mem + SCENE_LIST, fast->mem + SCENE_LIST, fast->list);
			memcpy(s->mem + SCENE_TILES, fast->mem + SCENE_TILES, fast->tiles);
			s->job = fast->job;
			s->w = fast->w;
			s->h = fast->h;
			s->used = fast->used;
			s->list = fast->list;
		}
		if ((w == THREADS && !threads) || (w == SAMPLES && !one_sample))
			continue;
		if (w == SAMPLES)
			tiles(s, expand_list(s));
		blank(s);
		submit(s, &done[w]);
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
		scene_free(&scene[w]);
	return differ;
}
