// SPDX-License-Identifier: MIT
#include "igt.h"
#include "lima_jobs.h"

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

/* Places in the lists BO, bytes. */
#define AT_GP		0x0000u		/* the GP job's PLBU list; one page, so 32 of them in turn */
#define AT_ARRAY	0x1000u		/* addresses of the polygon lists' blocks */
#define AT_GP_FIRST	0x1800u		/* the PLBU list that empties the polygon lists */
#define AT_TILES	0x2000u		/* tile lists, 0x400 a core */
#define AT_LOOPS	0x4000u		/* endless lists */
#define AT_BLOCKS	0x5000u		/* polygon lists' first blocks */
#define AT_RSW		0xe000u		/* state word and shader of the frame */
#define AT_LONG		0x10000u
#define LONG_BYTES	0x10000u
#define LISTS_BYTES	(AT_LONG + LONG_BYTES)

#define TILES		(LIMA_PICTURE / PP_TILE_SIZE)	/* each way */
#define GP_SLOT		128u

static uint32_t *put(uint32_t *w, uint32_t w0, uint32_t w1)
{
	w[0] = w0;
	w[1] = w1;
	return w + 2;
}

static struct lima_job gp_job(struct gpu_client *c, uint32_t at, uint32_t bytes)
{
	struct lima_job job = {
		.ctx = c->ctx,
		.pipe = LIMA_PIPE_GP,
		.frame_size = sizeof(job.frame.gp),
	};
	uint32_t *f = job.frame.gp.frame;

	f[GP_VSCL_START / 4] = c->lists.va + AT_GP;
	f[GP_VSCL_END / 4] = c->lists.va + AT_GP;
	f[GP_PLBUCL_START / 4] = c->lists.va + at;
	f[GP_PLBUCL_END / 4] = c->lists.va + at + bytes;
	/* No heap is needed: nothing is drawn. */
	f[GP_PLBU_ALLOC_START / 4] = c->lists.va;
	f[GP_PLBU_ALLOC_END / 4] = c->lists.va;
	lima_job_use(&job, &c->lists, LIMA_SUBMIT_BO_READ);
	lima_job_use(&job, &c->target, LIMA_SUBMIT_BO_WRITE);
	return job;
}

/* How the PLBU stores a word: a register that nothing else uses takes it there. */
static uint32_t *put_store(uint32_t *w, uint32_t va, uint32_t value)
{
	w = put(w, value, 0x10000000 | PLBU_REG_LOW_PRIM_SIZE);
	return put(w, va, UTGARD_W1(UTGARD_COMMAND(PLBU_STORE)) | PLBU_REG_LOW_PRIM_SIZE);
}

struct lima_job lima_gp_store(struct gpu_client *c, uint32_t index, uint32_t value)
{
	/* Lists of the last jobs may still be waiting to run. */
	static uint32_t turn;
	uint32_t at = AT_GP + turn++ % (0x1000 / GP_SLOT) * GP_SLOT;
	uint32_t *start = c->lists.map + at / 4, *w = start;

	igt_assert(index < c->target.size / 4);
	w = put_store(w, c->target.va + index * 4, value);
	w = put(w, 0, PLBU_W1_END);
	return gp_job(c, at, (w - start) * 4);
}

struct lima_job lima_gp_long(struct gpu_client *c, uint32_t index, uint32_t value)
{
	uint32_t *start = c->lists.map + AT_LONG / 4, *w = start;

	while (w < start + LONG_BYTES / 4 - 6)
		w = put(w, 0, 0x10000000 | PLBU_REG_LOW_PRIM_SIZE);
	w = put_store(w, c->target.va + index * 4, value);
	w = put(w, 0, PLBU_W1_END);
	return gp_job(c, AT_LONG, (w - start) * 4);
}

struct lima_job lima_gp_endless(struct gpu_client *c)
{
	put(c->lists.map + AT_LOOPS / 4, c->lists.va + AT_LOOPS, (uint32_t)GP_OP_JUMP << GP_OP_SHIFT);
	return gp_job(c, AT_LOOPS, 16);
}

struct lima_job lima_gp_invalid(struct gpu_client *c)
{
	put(c->lists.map + (AT_LOOPS + 0x300) / 4, 0xffffffff, 0xc0000000);
	return gp_job(c, AT_LOOPS + 0x300, 16);
}

/* Mesa's lima_draw_vbo: four vertices of triangles hang it. */
struct lima_job lima_gp_count(struct gpu_client *c)
{
	uint32_t *start = c->lists.map + (AT_LOOPS + 0x400) / 4, *w = start;

	w = put(w, PLBU_W0_DRAW(0, 4), PLBU_W1_DRAW_ARRAYS(GP_MODE_TRIANGLES, 4));
	w = put(w, 0, PLBU_W1_END);
	return gp_job(c, AT_LOOPS + 0x400, (w - start) * 4);
}

/* The PLBU waits for the VS, which has no list. */
struct lima_job lima_gp_semaphore(struct gpu_client *c)
{
	uint32_t *start = c->lists.map + (AT_LOOPS + 0x480) / 4, *w = start;

	w = put(w, PLBU_SEM_BEGIN, PLBU_W1_SEMAPHORE);
	w = put(w, PLBU_SEM_END, PLBU_W1_SEMAPHORE);
	w = put(w, 0, PLBU_W1_END);
	return gp_job(c, AT_LOOPS + 0x480, (w - start) * 4);
}

void lima_gp_lists(struct gpu_client *c, struct lima_job *job, bool vs, bool plbu)
{
	uint32_t at = AT_LOOPS + 0x500, *start = c->lists.map + at / 4, *w = start;

	/* Semaphores would wait for the PLBU. */
	w = put(w, 0, VS_W1_FLUSH);
	job->frame.gp.frame[GP_VSCL_START / 4] = c->lists.va + at;
	job->frame.gp.frame[GP_VSCL_END / 4] = c->lists.va + at + (vs ? (w - start) * 4 : 0);
	if (!plbu)
		job->frame.gp.frame[GP_PLBUCL_END / 4] = job->frame.gp.frame[GP_PLBUCL_START / 4];
}

struct lima_job lima_gp_unmapped(struct gpu_client *c)
{
	struct lima_job job = lima_gp_store(c, 0, 0);
	uint32_t va = lima_hole(c);

	job.frame.gp.frame[GP_VSCL_START / 4] = va;
	job.frame.gp.frame[GP_VSCL_END / 4] = va;
	job.frame.gp.frame[GP_PLBUCL_START / 4] = va;
	job.frame.gp.frame[GP_PLBUCL_END / 4] = va + 32;
	return job;
}

/* The polygon lists of an empty frame, as the hardware itself writes them. */
static void empty_polygon_lists(struct gpu_client *c)
{
	uint32_t *start = c->lists.map + AT_GP_FIRST / 4, *w = start;
	struct lima_job job;

	for (uint32_t i = 0; i < TILES * TILES; i++)
		c->lists.map[AT_ARRAY / 4 + i] = c->lists.va + AT_BLOCKS + i * PLB_BLOCK_BYTES;
	w = put(w, TILES, PLBU_W1_BLOCK_STRIDE);
	w = put(w, c->lists.va + AT_ARRAY, PLBU_W1_ARRAY(TILES * TILES));
	w = put(w, (TILES - 1) << 24 | (TILES - 1) << 8, 0x10000000 | PLBU_REG_TILES);
	w = put(w, 0, 0x10000000 | PLBU_REG_BLOCK_STEP);
	w = put(w, PLBU_PRIM(0), 0x10000000 | PLBU_REG_PRIMITIVE);
	w = put(w, 0, PLBU_W1_END);
	job = gp_job(c, AT_GP_FIRST, (w - start) * 4);
	job.bos[0].flags |= LIMA_SUBMIT_BO_WRITE;
	igt_assert_eq(lima_run(c->fd, &job), 0);
}

/* Tile lists, tiles dealt to the cores in turn. */
static void tile_lists(struct gpu_client *c)
{
	for (uint32_t core = 0; core < c->num_pp; core++) {
		uint32_t *w = c->lists.map + (AT_TILES + core * 0x400) / 4;

		for (uint32_t i = core; i < TILES * TILES; i += c->num_pp) {
			w = put(w, 0, PPS_BEGIN_TILE | i % TILES | i / TILES << 8);
			w = put(w, PPS_CALL_WORD(c->lists.va + AT_BLOCKS + i * PLB_BLOCK_BYTES),
				PPS_CALL);
		}
		put(w, 0, PPS_END);
	}
}

/* What the PP runs outside of draws: a shader that writes a constant (Mesa lima_screen.h). */
static void frame_state(struct gpu_client *c)
{
	static const uint32_t shader[] = {
		0x00020425, 0x0000000c, 0x01e007cf, 0xb0000000, 0x000005f5,
	};
	uint32_t *w = c->lists.map + AT_RSW / 4;

	memset(w, 0, RSW_BYTES);
	w[RSW_MULTI_SAMPLE] = UTGARD_SET(RSW_SAMPLE_MASK, 0xf) |
			      UTGARD_SET(RSW_MSAA, RSW_MSAA_CLEAR_RSW);
	w[RSW_SHADER_ADDRESS] = (c->lists.va + AT_RSW + RSW_BYTES) | (shader[0] & 0x1f);
	w[RSW_AUX0] = UTGARD_SET(RSW_AUX0_EARLY_Z, RSW_AUX0_EARLY_Z_ON);
	memcpy(w + RSW_WORDS, shader, sizeof(shader));
}

static struct lima_job pp_job(struct gpu_client *c, uint32_t rgba)
{
	struct lima_job job = { .ctx = c->ctx, .pipe = LIMA_PIPE_PP };
	uint32_t *f, *wb, *lists;

	if (c->m450) {
		job.frame.m450.num_pp = c->num_pp;
		job.frame_size = sizeof(job.frame.m450);
		f = job.frame.m450.frame;
		wb = job.frame.m450.wb;
		lists = job.frame.m450.plbu_array_address;
	} else {
		job.frame.m400.num_pp = c->num_pp;
		job.frame_size = sizeof(job.frame.m400);
		f = job.frame.m400.frame;
		wb = job.frame.m400.wb;
		lists = job.frame.m400.plbu_array_address;
	}
	f[PP_RSW / 4] = c->lists.va + AT_RSW;
	f[PP_FEATURES / 4] = 0x2;
	for (int i = 0; i < 4; i++)
		f[PP_CLEAR_COLOR(i) / 4] = rgba;
	f[PP_BOUND_BOX_LR / 4] = LIMA_PICTURE - 1;
	f[PP_BOUND_BOX_BT / 4] = LIMA_PICTURE - 1;
	f[PP_ORIGIN_OFFSET_X / 4] = PP_ORIGIN_OFFSET_X_DRIVER;
	f[PP_ORIGIN_OFFSET_Y / 4] = PP_ORIGIN_OFFSET_Y_DRIVER(LIMA_PICTURE);
	f[PP_SUBPIXEL / 4] = PP_SUBPIXEL_DRIVER;
	f[PP_TIEBREAK / 4] = PP_TIEBREAK_DRIVER;
	f[PP_SCALING / 4] = PP_SCALING_DRIVER;
	f[PP_CHANNEL_LAYOUT / 4] = PP_CHANNELS_8888;
	wb[PP_WB_SOURCE_SELECT / 4] = PP_WB_SOURCE_COLOR;
	wb[PP_WB_ADDRESS / 4] = c->target.va;
	wb[PP_WB_PIXEL_FORMAT / 4] = PP_WB_B8G8R8A8;
	wb[PP_WB_PIXEL_LAYOUT / 4] = PP_WB_LAYOUT_LINEAR;
	wb[PP_WB_PITCH / 4] = PP_WB_PITCH_LINEAR(LIMA_PICTURE * 4);
	wb[PP_WB_FLAGS / 4] = PP_WB_FLAG_SWAP_RB;
	for (uint32_t i = 0; i < c->num_pp; i++)
		lists[i] = c->lists.va + AT_TILES + i * 0x400;
	lima_job_use(&job, &c->lists, LIMA_SUBMIT_BO_READ);
	lima_job_use(&job, &c->target, LIMA_SUBMIT_BO_WRITE);
	return job;
}

static void pp_set_lists(struct gpu_client *c, struct lima_job *job, uint32_t va)
{
	uint32_t *lists = c->m450 ? job->frame.m450.plbu_array_address :
				    job->frame.m400.plbu_array_address;

	for (uint32_t i = 0; i < c->num_pp; i++)
		lists[i] = va;
}

struct lima_job lima_pp_clear(struct gpu_client *c, uint32_t rgba)
{
	return pp_job(c, rgba);
}

/* The four registers: Mesa's lima_job.c. Each tile has a block of its own. */
struct lima_job lima_pp_clear_dlbu(struct gpu_client *c, uint32_t rgba)
{
	struct lima_job job = pp_job(c, rgba);
	struct drm_lima_m450_pp_frame *frame = &job.frame.m450;

	igt_assert(c->m450);
	_Static_assert(PLB_BLOCK_BYTES == 512, "blocks of 128 << 2 bytes");
	memset(frame->plbu_array_address, 0, sizeof(frame->plbu_array_address));
	frame->use_dlbu = 1;
	frame->dlbu_regs[0] = c->lists.va + AT_BLOCKS;
	frame->dlbu_regs[1] = (TILES - 1) << 16 | (TILES - 1);
	frame->dlbu_regs[2] = 2u << 28;
	frame->dlbu_regs[3] = (TILES - 1) << 24 | (TILES - 1) << 16;
	return job;
}

struct lima_job lima_pp_endless(struct gpu_client *c)
{
	uint32_t at = AT_LOOPS + 0x100, list = AT_LOOPS + 0x200;
	struct lima_job job = pp_job(c, 0);
	uint32_t *w = c->lists.map + at / 4;

	w = put(w, 0, PPS_BEGIN_TILE);
	w = put(w, PPS_CALL_WORD(c->lists.va + list), PPS_CALL);
	put(w, 0, PPS_END);
	put(c->lists.map + list / 4, PLB_JUMP_LO(c->lists.va + list), PLB_JUMP_HI);
	pp_set_lists(c, &job, c->lists.va + at);
	return job;
}

struct lima_job lima_pp_endless_shader(struct gpu_client *c)
{
	/* again: branch again; then mov.v0 $0 ^const0.xxxx, const0 1 0 0 0, stop */
	static const uint32_t shader[] = {
		0x02290004, 0x00070000, 0x00000000, 0x00000040,
		0x00020425, 0x0000000c, 0x01e007cf, 0x00000000, 0x00000000,
	};
	static const float corners[3][4] = { { 1, 1, 0.5f, 1 }, { 14, 2, 0.5f, 1 }, { 3, 13, 0.5f, 1 } };
	uint32_t tiles = AT_LOOPS + 0x800, list = AT_LOOPS + 0x840, state = AT_LOOPS + 0x880;
	uint32_t code = AT_LOOPS + 0x8c0, positions = AT_LOOPS + 0x900;
	uint32_t *rsw = c->lists.map + state / 4, *w;
	struct lima_job job = pp_job(c, 0);

	memcpy(c->lists.map + code / 4, shader, sizeof(shader));
	memcpy(c->lists.map + positions / 4, corners, sizeof(corners));
	memset(rsw, 0, RSW_BYTES);
	rsw[RSW_ALPHA_BLEND] = UTGARD_SET(RSW_BLEND_FUNC_RGB, RSW_BLEND_ADD) |
			       UTGARD_SET(RSW_BLEND_FUNC_ALPHA, RSW_BLEND_ADD) |
			       UTGARD_SET(RSW_BLEND_SRC_RGB, RSW_FACTOR_ONE) |
			       UTGARD_SET(RSW_BLEND_DST_RGB, RSW_FACTOR_ZERO) |
			       UTGARD_SET(RSW_BLEND_SRC_ALPHA, RSW_FACTOR_ONE) |
			       UTGARD_SET(RSW_BLEND_DST_ALPHA, RSW_FACTOR_ZERO) |
			       UTGARD_SET(RSW_COLOR_MASK, 0xf);
	rsw[RSW_DEPTH_TEST] = UTGARD_SET(RSW_DEPTH_FUNC, RSW_ALWAYS);
	rsw[RSW_DEPTH_RANGE] = UTGARD_SET(RSW_DEPTH_RANGE_FAR, 0xffff);
	rsw[RSW_MULTI_SAMPLE] = UTGARD_SET(RSW_ALPHA_FUNC, RSW_ALWAYS) |
				UTGARD_SET(RSW_PRIM_TYPE, RSW_PRIM_TRIANGLES) |
				UTGARD_SET(RSW_SAMPLE_MASK, 0xf);
	rsw[RSW_SHADER_ADDRESS] = (c->lists.va + code) | (shader[0] & 0x1f);
	w = put(c->lists.map + list / 4, PLB_RSW_LO(c->lists.va + state), PLB_RSW_HI(c->lists.va + positions));
	w = put(w, PLB_TRIANGLE_LO(0, 1), PLB_TRIANGLE_HI(PLB_MASK_ALL, 2));
	put(w, PLB_RETURN_LO, PLB_RETURN_HI);
	w = put(c->lists.map + tiles / 4, 0, PPS_BEGIN_TILE);
	w = put(w, PPS_CALL_WORD(c->lists.va + list), PPS_CALL);
	put(w, 0, PPS_END);
	pp_set_lists(c, &job, c->lists.va + tiles);
	return job;
}

struct lima_job lima_pp_invalid(struct gpu_client *c)
{
	struct lima_job job = pp_job(c, 0);

	put(c->lists.map + (AT_LOOPS + 0x400) / 4, 0xffffffff, 0x30000000);
	pp_set_lists(c, &job, c->lists.va + AT_LOOPS + 0x400);
	return job;
}

struct lima_job lima_pp_unmapped(struct gpu_client *c)
{
	struct lima_job job = pp_job(c, 0);

	pp_set_lists(c, &job, lima_hole(c));
	return job;
}

void lima_check_picture(const struct gpu_client *c, uint32_t rgba)
{
	for (uint32_t i = 0; i < LIMA_PICTURE * LIMA_PICTURE; i++)
		igt_assert_f(c->target.map[i] == rgba, "pixel %u,%u is %08x, not %08x\n",
			     i % LIMA_PICTURE, i / LIMA_PICTURE, c->target.map[i], rgba);
}

uint32_t lima_hole(const struct gpu_client *c)
{
	/* Far above what the few BOs of a test reach when addresses grow from the bottom. */
	igt_assert(c->lists.va < GPU_HOLE - LISTS_BYTES && c->target.va < GPU_HOLE - LISTS_BYTES);
	return GPU_HOLE;
}

struct gpu_client lima_client_on(int fd)
{
	struct gpu_client c = { .fd = fd };

	c.ctx = lima_ctx_new(fd);
	c.num_pp = lima_num_pp(fd);
	c.m450 = lima_param(fd, DRM_LIMA_PARAM_GPU_ID) == DRM_LIMA_PARAM_GPU_ID_MALI450;
	c.lists = lima_bo_new(fd, LISTS_BYTES);
	c.target = lima_bo_new(fd, LIMA_PICTURE * LIMA_PICTURE * 4);
	tile_lists(&c);
	frame_state(&c);
	empty_polygon_lists(&c);
	return c;
}

struct gpu_client lima_client_new(void)
{
	return lima_client_on(lima_open());
}

void lima_client_free(struct gpu_client *c)
{
	gpu_bo_free(&c->target);
	gpu_bo_free(&c->lists);
	igt_assert_eq(lima_try_ctx_free(c->fd, c->ctx), 0);
	close(c->fd);
	c->fd = -1;
}

void lima_check_works(struct gpu_client *c)
{
	static uint32_t seed = 0x1000193;
	struct lima_job job;

	seed = seed * 1664525 + 1013904223;
	job = lima_gp_store(c, 3, seed);
	igt_assert_eq(lima_run(c->fd, &job), 0);
	igt_assert_eq_u32(c->target.map[3], seed);
	job = lima_pp_clear(c, seed);
	igt_assert_eq(lima_run(c->fd, &job), 0);
	lima_check_picture(c, seed);
}

void lima_check_gpu(void)
{
	struct gpu_client c = lima_client_new();

	lima_check_works(&c);
	lima_client_free(&c);
}
