// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "lib/vivante/stream.h"

#define STATES (VIV_STATE_SPACE / 4)

int limn_viv_stream_init(struct viv_stream *s, struct limn_error *err)
{
	memset(s, 0, sizeof(*s));
	s->value = calloc(STATES, sizeof(*s->value));
	s->known = calloc(STATES / 64, sizeof(*s->known));
	if (s->value && s->known)
		return 0;
	limn_viv_stream_free(s);
	return limn_fail(err, -ENOMEM, "out of memory");
}

void limn_viv_stream_free(struct viv_stream *s)
{
	free(s->words);
	free(s->relocs);
	free(s->uses);
	free(s->value);
	free(s->known);
	memset(s, 0, sizeof(*s));
}

void limn_viv_stream_reset(struct viv_stream *s)
{
	s->num_words = s->num_relocs = s->num_uses = s->open = s->skipped = 0;
	s->failed = false;
	memset(s->known, 0, STATES / 8);
}

/* Room for one more element of an array; false: no memory. */
static bool grow(struct viv_stream *s, void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? *room * 2 : 256;
	void *more;

	if (count < *room)
		return true;
	more = s->failed ? NULL : realloc(*array, wanted * size);
	if (!more) {
		s->failed = true;
		return false;
	}
	*array = more;
	*room = wanted;
	return true;
}

static void put(struct viv_stream *s, uint32_t word)
{
	if (grow(s, (void **)&s->words, s->num_words, &s->room_words, sizeof(*s->words)))
		s->words[s->num_words++] = word;
}

/* Ends the open LOAD_STATE: the next command begins at a multiple of 8 bytes. */
static void close_load(struct viv_stream *s)
{
	if (s->open && s->num_words & 1)
		put(s, 0);
	s->open = 0;
}

bool limn_viv_stream_end(struct viv_stream *s)
{
	close_load(s);
	return !s->failed;
}

static void command(struct viv_stream *s, uint32_t header)
{
	close_load(s);
	put(s, header);
}

/* Space for the next word of a LOAD_STATE that reaches address. */
static void load(struct viv_stream *s, uint32_t address, bool fixed)
{
	uint32_t header;

	if (s->open && s->next == address && s->fixed == fixed && !s->failed) {
		header = s->words[s->open - 1];
		/* 1024 would be written as 0; one less keeps the field plain. */
		if (VIV_GET(VIV_FE_LOAD_STATE_HEADER_COUNT, header) < VIV_FE_LOAD_STATE_MAX - 1) {
			s->words[s->open - 1] = header + VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1);
			s->next += 4;
			return;
		}
	}
	command(s, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
		   VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, address / 4) |
		   (fixed ? VIV_FE_LOAD_STATE_HEADER_FIXP : 0));
	s->open = s->failed ? 0 : s->num_words;
	s->next = address + 4;
	s->fixed = fixed;
}

/* Writing one of these does something, whatever its value was. */
static bool acts(uint32_t address)
{
	switch (address) {
	case VIVS_GL_EVENT:
	case VIVS_GL_SEMAPHORE_TOKEN:
	case VIVS_GL_STALL_TOKEN:
	case VIVS_GL_FLUSH_CACHE:
	case VIVS_GL_FLUSH_MMU:
	case VIVS_GL_OCCLUSION_QUERY_ADDR:
	case VIVS_GL_OCCLUSION_QUERY_CONTROL:
	case VIVS_TS_FLUSH_CACHE:
	case VIVS_TS_COLOR_AUTO_DISABLE_COUNT:	/* counts down as tiles are written */
	case VIVS_TS_DEPTH_AUTO_DISABLE_COUNT:
	case VIVS_TS_MEM_CONFIG:		/* auto-disable clears its enables */
	case VIVS_RS_KICKER:
	case VIVS_RS_KICKER_INPLACE:
	case VIVS_CL_KICKER:
	case VIVS_DE_VR_CONFIG:
	case VIVS_NTE_DESCRIPTOR_FLUSH:
	case VIVS_NTE_DESCRIPTOR_INVALIDATE:
	case VIVS_VS_ICACHE_PREFETCH:
	case VIVS_PS_ICACHE_PREFETCH:
	case VIVS_VS_ICACHE_INVALIDATE:
	case VIVS_SH_ICACHE_CONTROL:
	case VIVS_SH_CONTROL:			/* steers the uniform and code writes behind it */
	case VIVS_DUMMY_DUMMY:
		return true;
	}
	/* BLT takes its states when the command is set, and ENABLE frames them. */
	return address >= VIVS_BLT_SRC_ADDR && address < VIVS_BLT_SRC_ADDR + 0x400;
}

static void forget(struct viv_stream *s, uint32_t address)
{
	s->known[address / 4 / 64] &= ~(1ull << (address / 4 % 64));
}

void limn_viv_forget(struct viv_stream *s, uint32_t address)
{
	forget(s, address);
}

/* value: what the state becomes; word: what stands in the stream. */
static void set(struct viv_stream *s, uint32_t address, uint32_t value, uint32_t word, bool fixed)
{
	uint32_t i = address / 4;
	uint64_t bit = 1ull << (i % 64);

	if (s->known[i / 64] & bit && s->value[i] == value && !acts(address)) {
		s->skipped++;
		return;
	}
	load(s, address, fixed);
	put(s, word);
	s->value[i] = value;
	s->known[i / 64] |= bit;
	/* Its change clobbers what PS gets (Mesa etnaviv_emit.c). */
	if (address == VIVS_GL_MULTI_SAMPLE_CONFIG) {
		forget(s, VIVS_PS_INPUT_COUNT);
		forget(s, VIVS_PS_TEMP_REGISTER_CONTROL);
	}
}

void limn_viv_set(struct viv_stream *s, uint32_t address, uint32_t value)
{
	set(s, address, value, value, false);
}

void limn_viv_set_float(struct viv_stream *s, uint32_t address, float value)
{
	limn_viv_set(s, address, as_bits(value));
}

void limn_viv_set_fixed(struct viv_stream *s, uint32_t address, float value)
{
	int32_t fixed = lrintf(value * 65536.0f);

	set(s, address, as_bits(fixed / 65536.0f), fixed, true);
}

void limn_viv_set_many(struct viv_stream *s, uint32_t address, uint32_t n, const uint32_t *values)
{
	while (n) {
		uint32_t now = n < VIV_FE_LOAD_STATE_MAX - 1 ? n : VIV_FE_LOAD_STATE_MAX - 1;

		close_load(s);
		for (uint32_t i = 0; i < now; i++, address += 4) {
			forget(s, address);
			set(s, address, values[i], values[i], false);
		}
		close_load(s);
		values += now;
		n -= now;
	}
}

void limn_viv_use_bo(struct viv_stream *s, const struct limn_bo *bo, uint32_t flags)
{
	for (uint32_t i = 0; i < s->num_uses; i++) {
		if (s->uses[i].bo == bo) {
			s->uses[i].flags |= flags;
			return;
		}
	}
	if (grow(s, (void **)&s->uses, s->num_uses, &s->room_uses, sizeof(*s->uses)))
		s->uses[s->num_uses++] = (struct limn_use){ bo, flags };
}

/* Of the last word. */
static void relocate(struct viv_stream *s, const struct limn_bo *bo, uint32_t offset, uint32_t flags)
{
	limn_viv_use_bo(s, bo, flags);
	if (grow(s, (void **)&s->relocs, s->num_relocs, &s->room_relocs, sizeof(*s->relocs)))
		s->relocs[s->num_relocs++] = (struct limn_reloc){ s->num_words - 1, bo, offset };
}

void limn_viv_set_bo(struct viv_stream *s, uint32_t address, const struct limn_bo *bo, uint32_t offset, uint32_t flags)
{
	/* Never skipped: where the kernel relocates, the value here says nothing. */
	forget(s, address);
	set(s, address, bo->va + offset, bo->va + offset, false);
	forget(s, address);
	relocate(s, bo, offset, flags);
}

void viv_set_extra(struct viv_stream *s, const struct viv_extra *extra, uint32_t n, const struct limn_bo *target)
{
	for (uint32_t i = 0; i < n; i++) {
		if (extra[i].of_target)
			limn_viv_set_bo(s, extra[i].address, target, extra[i].value, LIMN_READ | LIMN_WRITE);
		else
			limn_viv_set(s, extra[i].address, extra[i].value);
	}
}

void limn_viv_stall(struct viv_stream *s, uint32_t from, uint32_t to)
{
	uint32_t token = VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_FROM, from) | VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_TO, to);
	bool blt = from == SYNC_RECIPIENT_BLT || to == SYNC_RECIPIENT_BLT;

	if (blt)
		limn_viv_set(s, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	limn_viv_set(s, VIVS_GL_SEMAPHORE_TOKEN, token);
	if (from == SYNC_RECIPIENT_FE) {
		command(s, VIV_FE_COMMAND(STALL));
		put(s, token);
	} else {
		limn_viv_set(s, VIVS_GL_STALL_TOKEN, token);
	}
	if (blt)
		limn_viv_set(s, VIVS_BLT_ENABLE, 0);
}

void limn_viv_draw_primitives(struct viv_stream *s, uint32_t type, int32_t first, uint32_t count)
{
	command(s, VIV_FE_COMMAND(DRAW_PRIMITIVES));
	put(s, type);
	put(s, first);
	put(s, count);
}

void limn_viv_draw_indexed(struct viv_stream *s, uint32_t type, uint32_t first, uint32_t count, int32_t base)
{
	command(s, VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES));
	put(s, type);
	put(s, first);
	put(s, count);
	put(s, base);
	put(s, 0);
}

void limn_viv_draw_instanced(struct viv_stream *s, uint32_t type, bool indexed, uint32_t count, uint32_t instances,
			     int32_t start)
{
	command(s, VIV_FE_COMMAND(DRAW_INSTANCED) | VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, type) |
		   (indexed ? VIV_FE_DRAW_INSTANCED_HEADER_INDEXED : 0) |
		   VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO, instances));
	put(s, VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_INSTANCE_COUNT_HI, instances >> 16) |
	       VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, count));
	put(s, start);
	put(s, 0);
}

void viv_draw_indirect(struct viv_stream *s, uint32_t type, const struct limn_bo *counts)
{
	command(s, VIV_FE_COMMAND(DRAW_INDIRECT) | VIV_SET(VIV_FE_DRAW_INDIRECT_HEADER_TYPE, type));
	put(s, counts->va);
	relocate(s, counts, 0, LIMN_READ);
}

void limn_viv_draw_2d(struct viv_stream *s, const struct viv_rect *rects, uint32_t n)
{
	/* The field says 0 for 256. */
	command(s, VIV_FE_COMMAND(DRAW_2D) | VIV_SET(VIV_FE_DRAW_2D_HEADER_COUNT, n));
	put(s, 0xdeadbeef);
	for (uint32_t i = 0; i < n; i++) {
		put(s, VIV_SET(VIV_FE_DRAW_2D_TOP_LEFT_X, rects[i].x1) |
		       VIV_SET(VIV_FE_DRAW_2D_TOP_LEFT_Y, rects[i].y1));
		put(s, VIV_SET(VIV_FE_DRAW_2D_BOTTOM_RIGHT_X, rects[i].x2) |
		       VIV_SET(VIV_FE_DRAW_2D_BOTTOM_RIGHT_Y, rects[i].y2));
	}
}
