// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel's stream loads between two clients.
 */

/**
 * DOC: clean contexts
 *
 * Nothing of a Vivante core is saved or restored: a client's streams load what
 * they need. What they do not load they would find as the client before left it.
 * So before the first job of another client the kernel loads
 *
 * - each state that is an address and a client's: of a page that is nobody's and
 *   reads as zeros; with MMUv2 it cannot be written either;
 * - all uniforms and all instruction memory: zeros, which are NOPs;
 * - tile status and samplers: off, their clear values 0;
 *
 * and empties the caches of textures, shaders, descriptors and instructions. It
 * does the same after a reset and after sleep, for memory in the core may outlive
 * both. What remains are numbers: formats, strides, sizes, blending.
 *
 * Which states there are: include/limn/vivante/states.inc, and which chip has
 * them: the notes in rnndb's state*.xml. What a client of each generation uses, where
 * uniforms and instructions are and how many: Mesa's etnaviv_screen.c and
 * etnaviv_emit.c, etna_reset_gpu_state() in etnaviv_context.c.
 */
#include "vivante_clean.h"

/* More words than that are several loads. */
#define LOAD_WORDS	1022

enum value { ZERO, ADDRESS };

/* @count states from @state on, and so @times, @step bytes apart. Count 0: for each pixel pipe. */
struct clean_row {
	unsigned int state;
	unsigned short count, times, step;
	signed char from, to;		/* generations: HALTI */
	unsigned char value;
	unsigned short has;		/* all of these bits */
};

#define ANY		-1, 127
#define SINCE(halti)	halti, 127
#define UNTIL(halti)	-1, halti
#define RUN(name, count, halti, value, has) \
	{ VIVS_##name, count, 1, 0, halti, value, has }
#define RUNS(name, count, times, step, halti, value, has) \
	{ VIVS_##name, count, times, step, halti, value, has }

static const struct clean_row rows_3d[] = {
	RUN(FE_INDEX_STREAM_BASE_ADDR, 1, ANY, ADDRESS, 0),
	RUN(FE_VERTEX_STREAM_BASE_ADDR, 1, ANY, ADDRESS, 0),
	RUN(FE_VERTEX_STREAMS_BASE_ADDR, 8, ANY, ADDRESS, VIVANTE_HAS_STREAMS),
	RUN(NFE_VERTEX_STREAMS_BASE_ADDR, 16, SINCE(2), ADDRESS, 0),
	RUN(FE_INDEX_STREAM_ROBUSTNESS, 1, ANY, ADDRESS, VIVANTE_HAS_ROBUST),
	RUN(NFE_VERTEX_STREAMS_ROBUSTNESS, 16, ANY, ADDRESS, VIVANTE_HAS_ROBUST),
	RUN(GL_OCCLUSION_QUERY_ADDR, 1, SINCE(0), ADDRESS, 0),
	RUN(GL_FENCE_OUT_ADDRESS, 1, SINCE(5), ADDRESS, 0),
	RUN(VS_INST_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_ICACHE),
	RUN(PS_INST_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_ICACHE),
	RUN(TFB_CONTEXT_BUFFER, 1, ANY, ADDRESS, VIVANTE_HAS_TFB),
	RUN(TFB_QUERY_BUFFER, 1, ANY, ADDRESS, VIVANTE_HAS_TFB),
	RUN(TFB_BUFFER_ADDR, 4, ANY, ADDRESS, VIVANTE_HAS_TFB),

	RUN(PE_DEPTH_ADDR, 1, ANY, ADDRESS, 0),
	RUN(PE_COLOR_ADDR, 1, ANY, ADDRESS, 0),
	RUN(PE_HDEPTH_ADDR, 1, ANY, ADDRESS, 0),
	RUN(PE_PIPE_COLOR_ADDR, 0, ANY, ADDRESS, VIVANTE_HAS_PIPES),
	RUN(PE_PIPE_DEPTH_ADDR, 0, ANY, ADDRESS, VIVANTE_HAS_PIPES),
	RUNS(PE_RT_ADDR_4_PIPE, 8, 3, 0x20, SINCE(1), ADDRESS, 0),
	RUNS(PE_RT_ADDR_8_PIPE, 8, 8, 0x20, SINCE(2), ADDRESS, 0),
	RUN(PE_DEPTH_ROBUSTNESS, 1, ANY, ADDRESS, VIVANTE_HAS_ROBUST),
	RUN(PE_RT_ROBUSTNESS, 8, ANY, ADDRESS, VIVANTE_HAS_ROBUST),

	RUN(RS_SOURCE_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_RS),
	RUN(RS_DEST_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_RS),
	RUN(RS_PIPE_SOURCE_ADDR, 0, ANY, ADDRESS, VIVANTE_HAS_RS | VIVANTE_HAS_PIPES),
	RUN(RS_PIPE_DEST_ADDR, 0, ANY, ADDRESS, VIVANTE_HAS_RS | VIVANTE_HAS_PIPES),
	RUN(YUV_Y_BASE, 1, ANY, ADDRESS, VIVANTE_HAS_YUV),
	RUN(YUV_U_BASE, 1, ANY, ADDRESS, VIVANTE_HAS_YUV),
	RUN(YUV_V_BASE, 1, ANY, ADDRESS, VIVANTE_HAS_YUV),
	RUN(YUV_DEST_BASE, 1, ANY, ADDRESS, VIVANTE_HAS_YUV),

	RUN(TS_MEM_CONFIG, 1, ANY, ZERO, 0),
	RUN(TS_COLOR_STATUS_BASE, 2, ANY, ADDRESS, 0),		/* and surface */
	RUN(TS_COLOR_CLEAR_VALUE, 1, ANY, ZERO, 0),
	RUN(TS_DEPTH_STATUS_BASE, 2, ANY, ADDRESS, 0),		/* and surface */
	RUN(TS_DEPTH_CLEAR_VALUE, 1, ANY, ZERO, 0),
	RUN(TS_HDEPTH_STATUS_BASE, 1, ANY, ADDRESS, 0),
	RUN(TS_HDEPTH_CLEAR_VALUE, 1, ANY, ZERO, 0),
	RUN(TS_COLOR_CLEAR_VALUE_EXT, 1, SINCE(2), ZERO, 0),
	RUN(TS_SAMPLER_CONFIG, 8, ANY, ZERO, 0),
	RUN(TS_SAMPLER_STATUS_BASE, 8, ANY, ADDRESS, 0),
	RUN(TS_SAMPLER_CLEAR_VALUE, 8, ANY, ZERO, 0),
	RUN(TS_SAMPLER_CLEAR_VALUE2, 8, SINCE(2), ZERO, 0),
	RUN(TS_SAMPLER_SURFACE_BASE, 8, SINCE(3), ADDRESS, 0),
	RUN(TS_RT_CONFIG, 8, SINCE(2), ZERO, 0),
	RUN(TS_RT_STATUS_BASE, 8, SINCE(2), ADDRESS, 0),
	RUN(TS_RT_SURFACE_BASE, 8, SINCE(2), ADDRESS, 0),
	RUN(TS_RT_CLEAR_VALUE, 8, SINCE(2), ZERO, 0),
	RUN(TS_RT_CLEAR_VALUE2, 8, SINCE(2), ZERO, 0),

	RUN(TE_SAMPLER_CONFIG0, 16, UNTIL(0), ZERO, 0),
	RUN(TE_SAMPLER_LOD_ADDR, 16 * 14, UNTIL(0), ADDRESS, 0),
	RUN(NTE_SAMPLER_CONFIG0, 32, SINCE(1), ZERO, 0),
	RUNS(NTE_SAMPLER_ADDR_LOD, 14, 32, 0x40, SINCE(1), ADDRESS, 0),
	RUN(NTE_DESCRIPTOR_TX_CTRL, 128, SINCE(5), ZERO, 0),
	RUN(NTE_DESCRIPTOR_ADDR_MIRROR, 128, SINCE(5), ADDRESS, 0),
	RUN(NTE_DESCRIPTOR_ADDR, 128, SINCE(5), ADDRESS, 0),
	RUN(NTE_DESCRIPTOR_FLUSH, 1, SINCE(5), ZERO, 0),
};

/* Between BLT_ENABLE 1 and 0. */
static const struct clean_row rows_blt[] = {
	RUN(BLT_SRC_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_SRC_TS, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_DEST_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_DEST_TS, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	/* And those of the target, and of clears. */
	RUN(BLT_SRC_TS_CLEAR_VALUE0, 8, ANY, ZERO, VIVANTE_HAS_BLT),
	RUN(BLT_YUV_SRC_YADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_YUV_SRC_UADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_YUV_SRC_VADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_YUV_DEST_ADDR, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_FENCE_OUT_ADDRESS, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_MIP_ADDR, 13, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_SRC_END, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
	RUN(BLT_DEST_END, 1, ANY, ADDRESS, VIVANTE_HAS_BLT),
};

static const struct clean_row rows_2d[] = {
	RUN(DE_SRC_ADDRESS, 1, ANY, ADDRESS, 0),
	RUN(DE_DEST_ADDRESS, 1, ANY, ADDRESS, 0),
	RUN(DE_PATTERN_ADDRESS, 1, ANY, ADDRESS, 0),
	RUN(DE_UPLANE_ADDRESS, 1, ANY, ADDRESS, 0),
	RUN(DE_VPLANE_ADDRESS, 1, ANY, ADDRESS, 0),
	RUN(DE_SRC_EX_ADDRESS, 1, ANY, ADDRESS, VIVANTE_HAS_MULTI),
	RUN(DE_DE_PLANE2_ADDRESS, 1, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_DE_PLANE3_ADDRESS, 1, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_BLOCK4_SRC_ADDRESS, 4, ANY, ADDRESS, VIVANTE_HAS_MULTI),
	RUN(DE_BLOCK4_ADDRESS_U, 4, ANY, ADDRESS, VIVANTE_HAS_MULTI),
	RUN(DE_BLOCK4_ADDRESS_V, 4, ANY, ADDRESS, VIVANTE_HAS_MULTI),
	RUN(DE_BLOCK4_SRC_EX_ADDRESS, 4, ANY, ADDRESS, VIVANTE_HAS_MULTI),
	RUN(DE_BLOCK8_SRC_ADDRESS, 8, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_BLOCK8_ADDRESS_U, 8, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_BLOCK8_ADDRESS_V, 8, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_BLOCK8_SRC_EX_ADDRESS, 8, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	RUN(DE_TS_ADDRESS, 8, ANY, ADDRESS, VIVANTE_HAS_MULTI_EX),
	/* A palette is a client's picture in part. */
	RUN(DE_INDEX_COLOR_TABLE, 256, ANY, ZERO, 0),
};

#define COUNT(rows)	(sizeof(rows) / sizeof((rows)[0]))

/* Where words go; NULL: they are only counted. */
struct writer {
	unsigned int *words;
	unsigned int num;
};

static void put(struct writer *w, unsigned int word)
{
	if (w->words)
		w->words[w->num] = word;
	w->num++;
}

static void put_load(struct writer *w, unsigned int state, unsigned int count, unsigned int value)
{
	unsigned int i, n;

	for (; count; count -= n, state += 4 * n) {
		n = count < LOAD_WORDS ? count : LOAD_WORDS;
		put(w, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, n) |
		       VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, state / 4));
		for (i = 0; i < n; i++)
			put(w, value);
		if (n % 2 == 0)
			put(w, 0);
	}
}

static void put_rows(struct writer *w, const struct vivante_clean *clean,
		     const struct clean_row *rows, unsigned int num)
{
	unsigned int i, k;

	for (i = 0; i < num; i++) {
		const struct clean_row *row = &rows[i];

		if (clean->halti < row->from || clean->halti > row->to ||
		    (clean->has & row->has) != row->has)
			continue;
		for (k = 0; k < row->times; k++)
			put_load(w, row->state + k * row->step,
				 row->count ? row->count : clean->pixel_pipes,
				 row->value == ADDRESS ? clean->address : 0);
	}
}

/*
 * GUESS(drv-uniforms): a load of unified uniforms reaches all of them, for whichever shader; but
 * with VIVANTE_STEER it is not relied on.
 */
static void put_uniforms(struct writer *w, const struct vivante_clean *clean)
{
	unsigned int vs = 168, ps = 64;

	if (clean->halti >= 5) {
		if (clean->has & VIVANTE_STEER)
			put_load(w, VIVS_SH_HALTI5_UNIFORMS_MIRROR, 4 * clean->constants, 0);
		put_load(w, VIVS_SH_HALTI5_UNIFORMS, 4 * clean->constants, 0);
		return;
	}
	if (clean->halti >= 1) {
		put_load(w, VIVS_SH_UNIFORMS, 4 * clean->constants, 0);
		return;
	}
	if (clean->constants >= 256)
		vs = 256;
	if (clean->constants >= 256 && clean->constants != 320 && clean->model != chipModel_GC1000)
		ps = 256;
	put_load(w, VIVS_VS_UNIFORMS, 4 * vs, 0);
	put_load(w, VIVS_PS_UNIFORMS, 4 * ps, 0);
}

static void put_instructions(struct writer *w, const struct vivante_clean *clean)
{
	unsigned int num = clean->instructions;

	/* From memory, and from there alone. */
	if (clean->halti >= 5)
		return;
	/* A chip with an instruction cache says 256, and has 512. */
	if (clean->has & VIVANTE_HAS_ICACHE && num < 512)
		num = 512;
	if (num > 1024)
		num = 1024;
	if (num > 256) {
		put_load(w, VIVS_SH_INST_MEM, 4 * num, 0);
		return;
	}
	put_load(w, VIVS_VS_INST_MEM, 4 * num, 0);
	put_load(w, VIVS_PS_INST_MEM, 4 * num, 0);
}

static void put_3d(struct writer *w, const struct vivante_clean *clean)
{
	unsigned int caches = VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_TEXTUREVS |
			      VIVS_GL_FLUSH_CACHE_SHADER_L1;

	if (clean->halti < 5)
		put_load(w, VIVS_SH_CONTROL, 1, 0);
	if (clean->halti < 5 && clean->has & VIVANTE_HAS_ICACHE)
		put_load(w, VIVS_SH_ICACHE_CONTROL, 1, VIVS_SH_ICACHE_CONTROL_FLUSH_VS |
						       VIVS_SH_ICACHE_CONTROL_FLUSH_PS);
	put_rows(w, clean, rows_3d, COUNT(rows_3d));
	if (clean->has & VIVANTE_HAS_BLT) {
		put_load(w, VIVS_BLT_ENABLE, 1, 1);
		put_rows(w, clean, rows_blt, COUNT(rows_blt));
		put_load(w, VIVS_BLT_ENABLE, 1, 0);
	}
	put_uniforms(w, clean);
	put_instructions(w, clean);
	/* So far for the vertex shader: Mesa's etnaviv_emit.c, "steering". */
	if (clean->halti < 5 && clean->has & VIVANTE_STEER) {
		put_load(w, VIVS_SH_CONTROL, 1,
			 VIVS_SH_CONTROL_PS_CODE | VIVS_SH_CONTROL_PS_UNIFORM);
		put_uniforms(w, clean);
		put_instructions(w, clean);
		put_load(w, VIVS_SH_CONTROL, 1, 0);
	}
	if (clean->halti >= 5) {
		put_load(w, VIVS_VS_ICACHE_INVALIDATE, 1, 0x1f);
		caches |= VIVS_GL_FLUSH_CACHE_UNK10 | VIVS_GL_FLUSH_CACHE_UNK11 |
			  VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK12 |
			  VIVS_GL_FLUSH_CACHE_DESCRIPTOR_UNK13;
	}
	put_load(w, VIVS_GL_FLUSH_CACHE, 1, caches);
}

/**
 * vivante_clean_write - the commands that make a pipe's states nobody's
 * @clean: which pipe of which chip
 * @words: where they go, or NULL to learn how many they are
 *
 * Return: how many words, an even number.
 */
unsigned int vivante_clean_write(const struct vivante_clean *clean, unsigned int *words)
{
	struct writer w = { .words = words };

	if (clean->pipe_2d)
		put_rows(&w, clean, rows_2d, COUNT(rows_2d));
	else
		put_3d(&w, clean);
	return w.num;
}
