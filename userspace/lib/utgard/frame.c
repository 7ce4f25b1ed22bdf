// SPDX-License-Identifier: MIT
/* A frame: the memory, lists and jobs of one picture. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/utgard/utgard.h"

#define CHUNK_BYTES	(256u << 10)	/* of command and state memory */
#define DEFAULT_HEAP	(16u << 20)
#define STACK_BYTES	0x400u		/* of a core, per unit of stack (Mesa lima_job.c) */
#define FRAME_RSW_BYTES	128

/* A BO of the frame and how each pipe uses it. */
struct frame_bo {
	struct limn_bo *bo;
	uint32_t uses[2];	/* by enum limn_pipe */
	bool foreign;		/* a caller's: not freed with the frame */
};

/* Addresses, and what is there. */
struct range {
	uint32_t va, bytes, draw;
	const char *name;
};

struct utgard_frame {
	struct limn_device *dev;
	struct utgard_target target;
	struct utgard_tiles tiles;
	struct frame_bo *bos;
	uint32_t num_bos, room_bos;
	struct limn_bo *chunk;		/* limn_utgard_frame_alloc() carves from it */
	uint32_t chunk_used;
	struct limn_bo *heap, *plb, *color;
	struct utgard_words vs, plbu;
	uint32_t array_va;		/* of the polygon lists */
	struct range *ranges;
	uint32_t num_ranges, room_ranges, num_draws;
	uint32_t stack;
	bool no_tile;			/* UTGARD_LISTS_NO_TILE */
	struct drm_lima_gp_frame gp;
	union {
		struct drm_lima_m400_pp_frame m400;
		struct drm_lima_m450_pp_frame m450;
	} pp;
	uint32_t pp_bytes;
	struct limn_fence fences[2];	/* by enum limn_pipe */
	const struct limn_how *how;
};

static int add_bo(struct utgard_frame *f, const struct limn_bo *bo, uint32_t gp_use,
		  uint32_t pp_use, bool foreign, struct limn_error *err)
{
	struct frame_bo *bos;

	for (uint32_t i = 0; i < f->num_bos; i++) {
		if (f->bos[i].bo == bo) {
			f->bos[i].uses[LIMN_PIPE_GP] |= gp_use;
			f->bos[i].uses[LIMN_PIPE_PP] |= pp_use;
			return 0;
		}
	}
	if (f->num_bos == f->room_bos) {
		bos = realloc(f->bos, (f->room_bos * 2 + 16) * sizeof(*bos));
		if (!bos)
			return limn_fail(err, -ENOMEM, "out of memory");
		f->bos = bos;
		f->room_bos = f->room_bos * 2 + 16;
	}
	f->bos[f->num_bos++] = (struct frame_bo) {
		.bo = (struct limn_bo *)bo, .uses = { gp_use, pp_use }, .foreign = foreign,
	};
	return 0;
}

/* Draws are numbered when they are whole, so what is placed now is of number num_draws. */
static void name_range(struct utgard_frame *f, const char *name, uint32_t draw, uint32_t va, uint32_t bytes)
{
	if (f->num_ranges == f->room_ranges) {
		uint32_t room = f->room_ranges * 2 + 64;
		struct range *ranges = realloc(f->ranges, room * sizeof(*ranges));

		if (!ranges)
			return;	/* a name less */
		f->ranges = ranges;
		f->room_ranges = room;
	}
	f->ranges[f->num_ranges++] = (struct range){ va, bytes, draw, name };
}

bool limn_utgard_frame_find(const struct utgard_frame *f, uint32_t va, struct utgard_part *part)
{
	for (uint32_t i = 0; i < f->num_ranges; i++) {
		const struct range *r = &f->ranges[i];

		if (va - r->va < r->bytes) {
			*part = (struct utgard_part){ r->name, r->draw, va - r->va };
			return true;
		}
	}
	return false;
}

bool limn_utgard_frame_part(const struct utgard_frame *f, uint32_t index, uint32_t *va, uint32_t *bytes, const void **data)
{
	if (index >= f->num_ranges)
		return false;
	*va = f->ranges[index].va;
	*bytes = f->ranges[index].bytes;
	*data = NULL;
	for (uint32_t i = 0; i < f->num_bos; i++) {
		const struct frame_bo *b = &f->bos[i];

		if (*va - b->bo->va < b->bo->size && !((b->uses[0] | b->uses[1]) & LIMN_WRITE))
			*data = (const uint8_t *)b->bo->map + (*va - b->bo->va);
	}
	return true;
}

static int new_bo(struct utgard_frame *f, const char *name, uint32_t draw, uint32_t bytes, uint32_t flags,
		  uint32_t gp_use, uint32_t pp_use, struct limn_bo **bo, struct limn_error *err)
{
	int ret = limn_bo_create(f->dev, bytes, flags, bo, err);

	if (ret)
		return ret;
	ret = add_bo(f, *bo, gp_use, pp_use, false, err);
	if (!ret && draw == ~0u) {
		limn_bo_label(*bo, "%s", name);
		name_range(f, name, draw, (*bo)->va, bytes);
	} else if (!ret) {
		limn_bo_label(*bo, "%s of draw %u", name, draw + 1);
	}
	if (ret) {
		limn_bo_free(*bo);
		*bo = NULL;
	}
	return ret;
}

void *limn_utgard_frame_alloc(struct utgard_frame *f, uint32_t bytes, uint32_t align, uint32_t *va,
			      struct limn_error *err)
{
	uint32_t at = (f->chunk_used + align - 1) & -align;

	if (!f->chunk || at > f->chunk->size || bytes > f->chunk->size - at) {
		if (limn_bo_create(f->dev, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES, 0, &f->chunk, err))
			return NULL;
		limn_bo_label(f->chunk, "lists, states, shaders");
		if (add_bo(f, f->chunk, LIMN_READ, LIMN_READ, false, err)) {
			limn_bo_free(f->chunk);
			f->chunk = NULL;
			return NULL;
		}
		at = 0;
	}
	f->chunk_used = at + bytes;
	*va = f->chunk->va + at;
	return (uint8_t *)f->chunk->map + at;
}

/* Copies data to memory that the GPU reads; its address, or 0 with *err told. */
static uint32_t upload(struct utgard_frame *f, const char *name, const void *data, uint32_t bytes,
		       uint32_t align, struct limn_error *err)
{
	uint32_t va;
	void *map = limn_utgard_frame_alloc(f, bytes ? bytes : align, align, &va, err);

	if (!map)
		return 0;
	if (name)
		name_range(f, name, f->num_draws, va, bytes ? bytes : align);
	if (bytes)
		memcpy(map, data, bytes);
	return va;
}

static int create_memory(struct utgard_frame *f, struct limn_error *err)
{
	/* The PLBU takes an even number of blocks: see PLBU_W1_ARRAY. */
	uint32_t blocks = (f->tiles.block_w * f->tiles.block_h + 1) & ~1u;
	uint32_t heap = f->target.heap ? f->target.heap : DEFAULT_HEAP;
	uint32_t pixels = f->tiles.w * f->tiles.h * PP_TILE_SIZE * PP_TILE_SIZE;
	uint32_t *array;
	int ret;

	ret = new_bo(f, "tile heap", ~0u, heap, f->target.fixed_heap ? 0 : LIMN_BO_HEAP, LIMN_READ | LIMN_WRITE,
		     LIMN_READ, &f->heap, err);
	if (!ret)
		ret = new_bo(f, "polygon lists", ~0u, blocks * PLB_BLOCK_BYTES, 0, LIMN_READ | LIMN_WRITE, LIMN_READ,
			     &f->plb, err);
	if (!ret)
		ret = new_bo(f, "picture", ~0u, pixels * limn_utgard_pixel_bytes(f->target.pixel), 0, 0, LIMN_WRITE, &f->color, err);
	if (ret)
		return ret;
	array = limn_utgard_frame_alloc(f, blocks * 4, 64, &f->array_va, err);
	if (!array)
		return -ENOMEM;
	for (uint32_t i = 0; i < blocks; i++)
		array[i] = f->plb->va + i * PLB_BLOCK_BYTES;
	limn_utgard_plbu_head(&f->plbu, &f->tiles, f->array_va);
	return 0;
}

int limn_utgard_frame_create(struct limn_device *dev, const struct utgard_target *t,
			     struct utgard_frame **out, struct limn_error *err)
{
	struct utgard_frame *f;
	int ret;

	if (!t->width || !t->height || t->width > UTGARD_MAX_SIZE || t->height > UTGARD_MAX_SIZE)
		return limn_fail(err, -EINVAL, "a target is 1x1 to %ux%u pixels, not %ux%u",
				 UTGARD_MAX_SIZE, UTGARD_MAX_SIZE, t->width, t->height);
	if (t->samples != 1 && t->samples != 4)
		return limn_fail(err, -EINVAL, "1 or 4 samples, not %u", t->samples);
	f = calloc(1, sizeof(*f));
	if (!f)
		return limn_fail(err, -ENOMEM, "out of memory");
	f->dev = dev;
	f->target = *t;
	f->tiles = limn_utgard_tiles_of(t->width, t->height);
	ret = create_memory(f, err);
	if (ret) {
		limn_utgard_frame_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

void limn_utgard_frame_free(struct utgard_frame *f)
{
	if (!f)
		return;
	limn_fence_free(&f->fences[LIMN_PIPE_GP]);
	limn_fence_free(&f->fences[LIMN_PIPE_PP]);
	for (uint32_t i = 0; i < f->num_bos; i++)
		if (!f->bos[i].foreign)
			limn_bo_free(f->bos[i].bo);
	free(f->bos);
	free(f->ranges);
	limn_utgard_words_free(&f->vs);
	limn_utgard_words_free(&f->plbu);
	free(f);
}

/* The vertex shader's outputs: one BO that the GP writes and the PP reads. */
static int place_outputs(struct utgard_frame *f, const struct utgard_draw *draw,
			 struct utgard_places *at, struct limn_error *err)
{
	uint32_t count = draw->index_bytes ? draw->max_index - draw->min_index + 1 : draw->count;
	uint32_t offset[UTGARD_MAX_OUTPUTS], words[2 * UTGARD_MAX_OUTPUTS];
	uint32_t positions, varyings, bytes;
	struct limn_bo *bo;
	int ret;

	at->varying_stride = limn_utgard_varyings_layout(draw->outputs, draw->num_outputs, offset);
	positions = (count * PLB_POSITION_BYTES + 63) & ~63u;
	varyings = (count * at->varying_stride + 63) & ~63u;
	bytes = positions + varyings + count * 4;
	ret = new_bo(f, "vertices", f->num_draws, bytes, 0, LIMN_READ | LIMN_WRITE, LIMN_READ, &bo, err);
	if (ret)
		return ret;
	name_range(f, "positions", f->num_draws, bo->va, positions);
	name_range(f, "varyings", f->num_draws, bo->va + positions, varyings);
	name_range(f, "point sizes", f->num_draws, bo->va + positions + varyings, count * 4);
	at->positions_va = bo->va;
	at->varyings_va = bo->va + positions;
	at->point_sizes_va = bo->va + positions + varyings;
	for (uint32_t i = 0; i < draw->num_outputs; i++) {
		const struct utgard_output *o = &draw->outputs[i];

		if (o->kind == UTGARD_POSITION) {
			words[2 * i] = at->positions_va;
			words[2 * i + 1] = GP_VARYING_POSITION_WORD;
		} else if (o->kind == UTGARD_POINT_SIZE) {
			words[2 * i] = at->point_sizes_va;
			words[2 * i + 1] = GP_VARYING_POINT_SIZE_WORD;
			at->has_point_size = true;
		} else {
			words[2 * i] = at->varyings_va + offset[i];
			words[2 * i + 1] = GP_STREAM(at->varying_stride,
						     o->half ? GP_VARYING_F16 : GP_VARYING_F32,
						     o->components);
		}
	}
	at->outputs_va = upload(f, "output streams", words, draw->num_outputs * 8, 64, err);
	return at->outputs_va ? 0 : -ENOMEM;
}

static int place_attributes(struct utgard_frame *f, const struct utgard_draw *draw,
			    struct utgard_places *at, struct limn_error *err)
{
	uint32_t first = draw->index_bytes ? draw->min_index : draw->start;
	uint32_t words[2 * UTGARD_MAX_ATTRIBUTES] = { 0 };
	uint32_t n = draw->num_attributes ? draw->num_attributes : 1;

	for (uint32_t i = 0; i < draw->num_attributes; i++) {
		const struct limn_bo *bo = draw->attributes[i].bo;
		int ret = add_bo(f, bo, LIMN_READ, 0, true, err);

		if (ret)
			return ret;
		words[2 * i] = bo->va + draw->attributes[i].offset +
			       first * GP_STREAM_STRIDE(draw->attributes[i].format);
		words[2 * i + 1] = draw->attributes[i].format;
	}
	at->attributes_va = upload(f, "attribute streams", words, n * 8, 64, err);
	return at->attributes_va ? 0 : -ENOMEM;
}

static int place_textures(struct utgard_frame *f, const struct utgard_draw *draw,
			  struct utgard_places *at, struct limn_error *err)
{
	uint32_t list[UTGARD_MAX_TEXTURES] = { 0 };

	if (!draw->num_textures)
		return 0;
	for (uint32_t i = 0; i < draw->num_textures; i++) {
		const struct utgard_texture *t = &draw->textures[i];
		const struct limn_bo *bo = t->bo ? t->bo : f->plb;
		uint32_t *desc;
		int ret = t->bo ? add_bo(f, bo, 0, LIMN_READ, true, err) : 0;

		if (ret)
			return ret;
		if (!t->bo && t->image->bytes > bo->size)
			return limn_fail(err, -EINVAL, "the texture is larger than the polygon lists");
		desc = limn_utgard_frame_alloc(f, TEX_DESC_WORDS_FOR(t->image->levels) * 4,
					       TEX_DESC_ALIGN, &list[i], err);
		if (!desc)
			return -ENOMEM;
		name_range(f, "texture descriptor", f->num_draws, list[i], TEX_DESC_WORDS_FOR(t->image->levels) * 4);
		limn_utgard_texture_desc(desc, t->image, bo->va, &t->sampler);
		limn_utgard_force(desc, UTGARD_BLOCK_TEX, i, draw->forced, draw->num_forced);
	}
	at->textures_va = upload(f, "texture list", list, sizeof(list), 64, err);
	return at->textures_va ? 0 : -ENOMEM;
}

/* Uniforms of the fragment shader lie behind a pointer. */
static int place_fs_uniforms(struct utgard_frame *f, const struct utgard_draw *draw,
			     struct utgard_places *at, struct limn_error *err)
{
	uint32_t va;

	if (!draw->num_fs_uniforms)
		return 0;
	va = upload(f, "fragment uniforms", draw->fs_uniforms, draw->num_fs_uniforms * 2, 64, err);
	if (!va)
		return -ENOMEM;
	at->fs_uniforms_va = upload(f, "pointer to the fragment uniforms", &va, 4, 64, err);
	return at->fs_uniforms_va ? 0 : -ENOMEM;
}

static int check_draw(const struct utgard_frame *f, const struct utgard_draw *draw,
		      struct limn_error *err)
{
	const struct utgard_state *s = &draw->state;
	uint32_t vertices = draw->index_bytes ? draw->max_index - draw->min_index + 1 : draw->count;

	if (!draw->count || draw->count > 0xffff || vertices > 0x10000)
		return limn_fail(err, -EINVAL, "a draw has 1 to 65535 vertices, not %u",
				 draw->count);
	if (draw->index_bytes > 2)
		return limn_fail(err, -EINVAL, "indices of %u bytes", draw->index_bytes);
	if (!draw->num_outputs || draw->num_outputs > UTGARD_MAX_OUTPUTS ||
	    draw->num_attributes > UTGARD_MAX_ATTRIBUTES ||
	    draw->num_textures > UTGARD_MAX_TEXTURES)
		return limn_fail(err, -EINVAL, "too many or no attributes, outputs or textures");
	if (!draw->vs_bytes || draw->vs_bytes % 16 || draw->vs_bytes > 512 * 16 ||
	    draw->fs_bytes < 4)
		return limn_fail(err, -EINVAL, "a shader is empty or too long");
	if (!s->scissor_w || !s->scissor_h || s->scissor_x > f->target.width ||
	    s->scissor_y > f->target.height || s->scissor_w > f->target.width - s->scissor_x ||
	    s->scissor_h > f->target.height - s->scissor_y)
		return limn_fail(err, -EINVAL, "the scissor is empty or leaves the target");
	return 0;
}

/* Where the lists will be is not known yet: the ranges are words, marked by the names, until end_gp(). */
static const char vs_name[] = "VS commands", plbu_name[] = "PLBU commands";

static void place_lists(struct utgard_frame *f, const struct utgard_draw *draw, const struct utgard_places *at)
{
	uint32_t vs = f->vs.count * 4, plbu = f->plbu.count * 4;

	if (draw->lists == UTGARD_LISTS_ARRAY)
		limn_utgard_emit(&f->plbu, f->array_va, PLBU_W1_ARRAY(f->tiles.block_w * f->tiles.block_h));
	limn_utgard_vs_list(&f->vs, draw, at);
	limn_utgard_plbu_list(&f->plbu, draw, at);
	name_range(f, vs_name, f->num_draws, vs, f->vs.count * 4 - vs);
	name_range(f, plbu_name, f->num_draws, plbu, f->plbu.count * 4 - plbu);
}

static void move_lists(struct utgard_frame *f, uint32_t vs_va, uint32_t plbu_va)
{
	for (uint32_t i = 0; i < f->num_ranges; i++) {
		if (f->ranges[i].name == vs_name)
			f->ranges[i].va += vs_va;
		else if (f->ranges[i].name == plbu_name)
			f->ranges[i].va += plbu_va;
	}
}

int limn_utgard_draw(struct utgard_frame *f, const struct utgard_draw *draw, struct limn_error *err)
{
	static const float no_uniforms[4];
	uint32_t vectors = draw->num_vs_uniforms ? draw->num_vs_uniforms : 1;
	struct utgard_places at = { 0 };
	uint32_t rsw[RSW_WORDS];
	int ret = check_draw(f, draw, err);

	if (!ret)
		ret = place_outputs(f, draw, &at, err);
	if (!ret)
		ret = place_attributes(f, draw, &at, err);
	if (!ret)
		ret = place_textures(f, draw, &at, err);
	if (!ret)
		ret = place_fs_uniforms(f, draw, &at, err);
	if (ret)
		return ret;
	at.vs_va = upload(f, "vertex shader", draw->vs, draw->vs_bytes, 64, err);
	at.fs_va = upload(f, "fragment shader", draw->fs, draw->fs_bytes, 64, err);
	at.vs_uniforms_va = upload(f, "vertex uniforms", draw->num_vs_uniforms ? draw->vs_uniforms : no_uniforms,
				   vectors * 16, 64, err);
	if (!at.vs_va || !at.fs_va || !at.vs_uniforms_va)
		return -ENOMEM;
	if (draw->index_bytes) {
		at.indices_va = upload(f, "indices", (const uint8_t *)draw->indices +
				       draw->start * draw->index_bytes,
				       draw->count * draw->index_bytes, 64, err);
		if (!at.indices_va)
			return -ENOMEM;
	}
	limn_utgard_rsw(rsw, draw, &at, f->target.samples);
	at.rsw_va = upload(f, "render state", rsw, sizeof(rsw), 64, err);
	if (!at.rsw_va)
		return -ENOMEM;
	place_lists(f, draw, &at);
	f->num_draws++;
	f->no_tile |= draw->lists == UTGARD_LISTS_NO_TILE;
	if (draw->fs_stack > f->stack)
		f->stack = draw->fs_stack;
	return 0;
}

/*
 * What the PP runs outside of draws. Mesa and limare point it at a shader that
 * writes a constant; its colour is not seen in pictures.
 * const1 1.0 0.0 0.0 -1.67773, mov.v0 $0 ^const1.xxxx, stop (Mesa lima_screen.h)
 */
static uint32_t frame_rsw(struct utgard_frame *f, struct limn_error *err)
{
	static const uint32_t program[] = {
		0x00020425, 0x0000000c, 0x01e007cf, 0xb0000000, 0x000005f5,
	};
	uint32_t va, *words = limn_utgard_frame_alloc(f, FRAME_RSW_BYTES, 64, &va, err);

	if (!words)
		return 0;
	memset(words, 0, FRAME_RSW_BYTES);
	words[RSW_MULTI_SAMPLE] = UTGARD_SET(RSW_SAMPLE_MASK, 0xf) |
				  UTGARD_SET(RSW_MSAA, RSW_MSAA_CLEAR_RSW);
	words[RSW_SHADER_ADDRESS] = va + RSW_BYTES;
	words[RSW_AUX0] = UTGARD_SET(RSW_AUX0_EARLY_Z, 1);
	memcpy(words + RSW_WORDS, program, sizeof(program));
	return va;
}

static int end_gp(struct utgard_frame *f, struct limn_error *err)
{
	uint32_t *w = f->gp.frame;

	limn_utgard_emit(&f->plbu, 0, PLBU_W1_END);
	if (f->vs.failed || f->plbu.failed)
		return limn_fail(err, -ENOMEM, "out of memory");
	w[0] = f->vs.count ? upload(f, NULL, f->vs.w, f->vs.count * 4, 64, err) : f->plb->va;
	w[2] = upload(f, NULL, f->plbu.w, f->plbu.count * 4, 64, err);
	if (!w[0] || !w[2])
		return -ENOMEM;
	move_lists(f, w[0], w[2]);
	w[1] = w[0] + f->vs.count * 4;
	w[3] = w[2] + f->plbu.count * 4;
	w[4] = f->heap->va;
	w[5] = f->heap->va + f->heap->size;
	return 0;
}

/* Mali-400: a list of tiles for each core. */
static int place_tile_lists(struct utgard_frame *f, uint32_t num_pp, uint32_t *vas,
			    struct limn_error *err)
{
	uint32_t offset[UTGARD_MAX_PP], va, *map;
	uint32_t bytes = limn_utgard_tile_lists(&f->tiles, num_pp, 0, NULL, offset);

	map = limn_utgard_frame_alloc(f, bytes, 64, &va, err);
	if (!map)
		return -ENOMEM;
	limn_utgard_tile_lists(&f->tiles, num_pp, f->plb->va, map, offset);
	for (uint32_t i = 0; i + 2 < bytes / 4 && f->no_tile; i += 2)
		if (map[i + 1] == (PPS_BEGIN_TILE | 0x101))
			map[i + 2] = 0;
	for (uint32_t i = 0; i < num_pp; i++)
		vas[i] = va + offset[i];
	return 0;
}

static int place_stacks(struct utgard_frame *f, uint32_t num_pp, uint32_t *vas,
			struct limn_error *err)
{
	uint32_t bytes = f->stack * STACK_BYTES;
	struct limn_bo *bo;
	int ret;

	if (!f->stack)
		return 0;
	ret = new_bo(f, "fragment stacks", ~0u, bytes * num_pp, 0, 0, LIMN_READ | LIMN_WRITE, &bo, err);
	for (uint32_t i = 0; i < num_pp && !ret; i++)
		vas[i] = bo->va + i * bytes;
	return ret;
}

static int end_pp(struct utgard_frame *f, struct limn_error *err)
{
	const struct limn_info *info = limn_get_info(f->dev);
	struct drm_lima_m400_pp_frame *m400 = &f->pp.m400;
	struct drm_lima_m450_pp_frame *m450 = &f->pp.m450;
	uint32_t num_pp = info->num_pp, rsw;
	int ret;

	if (!num_pp || num_pp > (info->gpu == 450 ? 8 : 4))
		return limn_fail(err, -ENOTSUP, "a GPU with %u PP cores", num_pp);
	rsw = frame_rsw(f, err);
	if (!rsw)
		return -ENOMEM;
	if (info->gpu == 450) {
		f->pp_bytes = sizeof(*m450);
		m450->num_pp = num_pp;
		m450->use_dlbu = 1;
		limn_utgard_dlbu(&f->tiles, f->plb->va, m450->dlbu_regs);
		limn_utgard_pp_frame(m450->frame, m450->wb, &f->target, rsw, f->color->va, f->stack);
		return place_stacks(f, num_pp, m450->fragment_stack_address, err);
	}
	f->pp_bytes = sizeof(*m400);
	m400->num_pp = num_pp;
	limn_utgard_pp_frame(m400->frame, m400->wb, &f->target, rsw, f->color->va, f->stack);
	ret = place_tile_lists(f, num_pp, m400->plbu_array_address, err);
	return ret ? ret : place_stacks(f, num_pp, m400->fragment_stack_address, err);
}

int limn_utgard_frame_end(struct utgard_frame *f, struct limn_error *err)
{
	int ret = end_gp(f, err);

	return ret ? ret : end_pp(f, err);
}

int limn_utgard_frame_submit_pipe(struct utgard_frame *f, enum limn_pipe pipe, struct limn_error *err)
{
	struct limn_use uses[f->num_bos];
	struct limn_submit submit = {
		.pipe = pipe,
		.frame = pipe == LIMN_PIPE_GP ? (const void *)&f->gp : &f->pp,
		.frame_size = pipe == LIMN_PIPE_GP ? sizeof(f->gp) : f->pp_bytes,
		.uses = uses,
		.size = sizeof(submit), .how = f->how,
	};

	for (uint32_t i = 0; i < f->num_bos; i++) {
		if (!f->bos[i].uses[pipe])
			continue;
		uses[submit.num_uses].bo = f->bos[i].bo;
		uses[submit.num_uses++].flags = f->bos[i].uses[pipe];
	}
	limn_fence_free(&f->fences[pipe]);
	return limn_submit(f->dev, &submit, &f->fences[pipe], err);
}

int limn_utgard_frame_submit(struct utgard_frame *f, struct limn_error *err)
{
	const struct limn_submit jobs[2] = {
		{ .pipe = LIMN_PIPE_GP, .frame = &f->gp, .frame_size = sizeof(f->gp) },
		{ .pipe = LIMN_PIPE_PP, .frame = &f->pp, .frame_size = f->pp_bytes },
	};
	struct limn_batch_use uses[f->num_bos];
	const struct limn_batch batch = {
		.size = sizeof(batch), .jobs = jobs, .num_jobs = 2, .uses = uses, .num_uses = f->num_bos, .how = f->how,
	};

	for (uint32_t i = 0; i < f->num_bos; i++) {
		const uint32_t *use = f->bos[i].uses;

		uses[i].bo = f->bos[i].bo;
		uses[i].read = (use[0] & LIMN_READ ? 1 : 0) | (use[1] & LIMN_READ ? 2 : 0);
		uses[i].write = (use[0] & LIMN_WRITE ? 1 : 0) | (use[1] & LIMN_WRITE ? 2 : 0);
	}
	limn_fence_free(&f->fences[LIMN_PIPE_GP]);
	limn_fence_free(&f->fences[LIMN_PIPE_PP]);
	return limn_submit_batch(f->dev, &batch, f->fences, err);
}

void limn_utgard_frame_how(struct utgard_frame *f, const struct limn_how *how)
{
	f->how = how;
}

struct limn_fence *limn_utgard_frame_fence(struct utgard_frame *f, enum limn_pipe pipe)
{
	return &f->fences[pipe];
}

int limn_utgard_frame_wait(struct utgard_frame *f, int64_t timeout_ns, struct limn_error *err)
{
	int ret = 0;

	for (unsigned int i = 0; i < 2 && !ret; i++)
		if (f->fences[i].dev)
			ret = limn_wait(&f->fences[i], timeout_ns, err);
	return ret;
}

const uint8_t *limn_utgard_frame_pixels(const struct utgard_frame *f, uint32_t *stride)
{
	*stride = f->tiles.w * PP_TILE_SIZE * limn_utgard_pixel_bytes(f->target.pixel);
	return f->color->map;
}
