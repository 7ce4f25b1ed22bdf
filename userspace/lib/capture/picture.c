// SPDX-License-Identifier: MIT
/* What a replayed job has drawn, from the memory that it wrote. */
#include <stdlib.h>
#include <string.h>

#include <drm/lima_drm.h>
#include <limn/utgard/formats.h>
#include <limn/utgard/regs.h>
#include <limn/vivante/states.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/decode.h"
#include "lib/vivante/tiling.h"
#include "lib/vivante/vivante.h"
#include "lib/capture/replay.h"

#define MAX_SIZE	8192u
#define STATES		0x10000		/* words of state space */

static bool begin(struct replay_picture *p, uint32_t width, uint32_t height)
{
	*p = (struct replay_picture){ width, height, NULL };
	if (!width || !height || width > MAX_SIZE || height > MAX_SIZE)
		return false;
	p->rgba = calloc((size_t)width * height, 4);
	return p->rgba;
}

/* --- Utgard ----------------------------------------------------------------------------------- */

static const struct utgard_pixel *pixel_of(const uint32_t *wb)
{
	bool swap = wb[PP_WB_FLAGS / 4] & PP_WB_FLAG_SWAP_RB;
	const struct utgard_pixel *near = NULL, *p;

	for (unsigned int i = 0; (p = limn_utgard_pixel_at(i)); i++) {
		if (p->format != wb[PP_WB_PIXEL_FORMAT / 4])
			continue;
		near = p;
		if (p->swap_rb == swap)
			break;
	}
	return near;
}

static bool utgard_target(const struct replay_job *job, const uint32_t *frame, const uint32_t *wb, struct replay_picture *p)
{
	uint32_t width = UTGARD_GET(PP_BOUND_BOX_HIGH, frame[PP_BOUND_BOX_LR / 4]) + 1;
	uint32_t height = UTGARD_GET(PP_BOUND_BOX_HIGH, frame[PP_BOUND_BOX_BT / 4]) + 1;
	bool tiled = wb[PP_WB_PIXEL_LAYOUT / 4] == PP_WB_LAYOUT_TILED;
	const struct utgard_pixel *pixel = pixel_of(wb);
	uint32_t pitch = wb[PP_WB_PITCH / 4], bytes = pixel ? limn_utgard_pixel_bytes(pixel) : 0;

	if (!pixel || !begin(p, width, height))
		return false;
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++) {
			uint64_t at = tiled ? ((uint64_t)(y / 16 * pitch + x / 16) * 256 + utgard_tile_index(x % 16, y % 16)) * bytes :
					      (uint64_t)y * pitch * 8 + x * bytes;
			const uint8_t *from = limn_replay_memory(job, wb[PP_WB_ADDRESS / 4] + at, bytes);

			if (from)
				limn_utgard_pixel_decode(pixel, from, p->rgba + ((size_t)y * width + x) * 4);
		}
	}
	return true;
}

static bool utgard_picture(const struct replay_job *job, struct replay_picture *p)
{
	const struct drm_lima_m400_pp_frame *frame = (const void *)job->words;	/* as far as both kinds are alike */

	if (job->submit->told.pipe != LIMA_PIPE_PP || job->submit->told.cmd_size < sizeof(*frame))
		return false;
	for (unsigned int i = 0; i < 3; i++) {
		const uint32_t *wb = frame->wb + i * LIMA_PP_WB_REG_NUM;

		if (wb[PP_WB_SOURCE_SELECT / 4] == PP_WB_SOURCE_COLOR)
			return utgard_target(job, frame->frame, wb, p);
	}
	return false;
}

/* --- Vivante ---------------------------------------------------------------------------------- */

/* A surface that the stream has had written, by RS or by BLT. */
struct surface {
	bool found;
	uint32_t address;
	uint32_t width, height;
	const struct viv_pixel *format;	/* NULL: none that is shown */
	struct viv_tiling tiling;
};

struct walk {
	uint32_t *state;
	struct surface copy;		/* the last of RS or BLT that is no clear */
};

static uint32_t state(const struct walk *w, uint32_t address)
{
	return w->state[address / 4];
}

static void on_rs(struct walk *w)
{
	uint32_t config = state(w, VIVS_RS_CONFIG), stride = state(w, VIVS_RS_DEST_STRIDE), size = state(w, VIVS_RS_WINDOW_SIZE);
	bool tiled = config & VIVS_RS_CONFIG_DEST_TILED;
	struct surface *s = &w->copy;
	uint32_t pipes = 0;	/* where the window of the second pixel pipe begins: both are as large */

	if (VIV_GET(VIVS_RS_CLEAR_CONTROL_MODE, state(w, VIVS_RS_CLEAR_CONTROL)))
		return;
	*s = (struct surface){ .found = true, .format = limn_viv_pixel_find(VIV_GET(VIVS_RS_CONFIG_DEST_FORMAT, config)) };
	s->address = state(w, VIVS_RS_DEST_ADDR);
	if (!s->address) {
		s->address = state(w, VIV_AT(VIVS_RS_PIPE_DEST_ADDR, 0));
		pipes = state(w, VIV_AT(VIVS_RS_PIPE_OFFSET, 1));
	}
	s->width = VIV_GET(VIVS_RS_WINDOW_SIZE_WIDTH, size) >> !!(config & VIVS_RS_CONFIG_DOWNSAMPLE_X);
	s->height = VIV_GET(VIVS_RS_WINDOW_SIZE_HEIGHT, size) >> !!(config & VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	s->height += VIV_GET(VIVS_RS_PIPE_OFFSET_Y, pipes);
	s->tiling = (struct viv_tiling){ .mode = VIV_SUPERTILE_MODE_HZ, .cpp = s->format ? s->format->cpp : 0, .height = s->height };
	s->tiling.stride = VIV_GET(VIVS_RS_DEST_STRIDE_STRIDE, stride) / (tiled ? 4 : 1);
	if (tiled)
		s->tiling.bits = VIV_TILE | (stride & VIVS_RS_DEST_STRIDE_TILING ? VIV_SUPER : 0) |
				 (stride & VIVS_RS_DEST_STRIDE_MULTI ? VIV_MULTI : 0);
}

static void on_blt(struct walk *w)
{
	uint32_t stride = state(w, VIVS_BLT_DEST_STRIDE), size = state(w, VIVS_BLT_IMAGE_SIZE);
	uint32_t tiling = VIV_GET(VIVS_BLT_DEST_STRIDE_TILING, stride);
	struct surface *s = &w->copy;

	if (VIV_GET(VIVS_BLT_COMMAND_COMMAND, state(w, VIVS_BLT_COMMAND)) != VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE)
		return;
	*s = (struct surface){
		.found = true, .address = state(w, VIVS_BLT_DEST_ADDR),
		.format = limn_viv_pixel_find(VIV_GET(VIVS_BLT_DEST_STRIDE_FORMAT, stride)),
		.width = VIV_GET(VIVS_BLT_IMAGE_SIZE_WIDTH, size), .height = VIV_GET(VIVS_BLT_IMAGE_SIZE_HEIGHT, size),
	};
	s->tiling = (struct viv_tiling){
		.mode = VIV_SUPERTILE_MODE_HZ, .cpp = s->format ? s->format->cpp : 0, .height = s->height,
		.bits = tiling == BLT_TILING_SUPER_TILED ? VIV_TILE | VIV_SUPER : tiling ? VIV_TILE : 0,
		.stride = VIV_GET(VIVS_BLT_DEST_STRIDE_STRIDE, stride) / (tiling ? 4 : 1),
	};
}

static void on_word(void *ctx, const struct viv_word *word)
{
	struct walk *w = ctx;

	if (word->type != VIV_WORD_STATE || word->address / 4 >= STATES)
		return;
	w->state[word->address / 4] = word->loaded;
	if (word->address == VIVS_RS_KICKER)
		on_rs(w);
	else if (word->address == VIVS_BLT_COMMAND)
		on_blt(w);
}

static bool read_surface(const struct replay_job *job, const struct surface *s, struct replay_picture *p)
{
	if (!s->found || !s->tiling.cpp || !begin(p, s->width, s->height))
		return false;
	for (uint32_t y = 0; y < s->height; y++) {
		for (uint32_t x = 0; x < s->width; x++) {
			const uint8_t *from = limn_replay_memory(job, s->address + limn_viv_tiling_offset(&s->tiling, x, y), s->tiling.cpp);

			if (from)
				limn_viv_pixel_decode(s->format, from, p->rgba + ((size_t)y * s->width + x) * 4);
		}
	}
	return true;
}

static bool vivante_picture(const struct replay_job *job, struct replay_picture *p)
{
	struct walk w = { .state = calloc(STATES, 4) };
	struct viv_sink sink = { .ctx = &w, .word = on_word };
	struct viv_decode_stats stats;
	bool ok;

	if (!w.state)
		return false;
	limn_viv_decode(job->words, job->submit->told.cmd_size / 4, 0, &sink, &stats);
	ok = read_surface(job, &w.copy, p);
	free(w.state);
	return ok;
}

bool limn_replay_picture(const struct replay_job *job, struct replay_picture *p)
{
	*p = (struct replay_picture){ .rgba = NULL };
	return job->submit->file->told.family == LIMN_CAPTURE_UTGARD ? utgard_picture(job, p) : vivante_picture(job, p);
}
