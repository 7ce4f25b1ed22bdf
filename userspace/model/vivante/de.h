/* SPDX-License-Identifier: MIT */
/* Inside the 2D engine: pixels (de_pixel.c), blits and lines (de.c), filter blits (de_filter.c). */
#ifndef LIMN_VIVANTE_DE_H
#define LIMN_VIVANTE_DE_H

#include "model/vivante/copy.h"

/* A side of an operation: memory, format, and how it is turned. */
struct de_surface {
	struct viv_surface s;
	unsigned int format, swizzle;
	uint32_t endian;
	unsigned int rotation;		/* DE_ROT_MODE */
	uint32_t width, height;		/* of the surface in memory; for rotation */
	uint32_t u, v, u_stride, v_stride;	/* planes of YUV formats */
	bool bt709, swap_uv;
};

enum de_kind { DE_DRAW, DE_FILTER };

struct viv_de {
	enum de_kind kind;
	unsigned int command;
	struct de_surface src, dst;
	uint32_t rect[2 * VIV_FE_DRAW_2D_MAX];
	unsigned int rects;
	uint32_t data[2048];
	unsigned int words;
	int32_t clip[4];		/* left, top, right, bottom */
	unsigned int sources, source;	/* of a multi-source blit: 1 to 8, 0: none; which of them it is at */
	/* Progress. */
	unsigned int n;			/* rectangle */
	int32_t y;			/* row within it */
};

/* A state of the operation; of those that each source of a multi-source blit has, that of its source. */
uint32_t de_state(struct vivante *v, uint32_t address);

/* The pixel that is at logical (x, y) of the surface. False after a fault. */
bool de_fetch(struct vivante *v, const struct de_surface *s, int32_t x, int32_t y, uint8_t bgra[4]);
bool de_store(struct vivante *v, const struct de_surface *s, int32_t x, int32_t y, const uint8_t bgra[4]);
/* Bytes of a pixel of a DE_FORMAT in its (first) plane; 0: not known. */
uint32_t de_format_bytes(unsigned int format);

void de_source(struct vivante *v, struct de_surface *s);
void de_dest(struct vivante *v, struct de_surface *s);

/*
 * Combines a source pixel with the destination and the pattern as the states
 * say, and writes it. opaque: false for what transparency leaves out.
 */
bool de_combine(struct vivante *v, const struct viv_de *de, int32_t x, int32_t y, const uint8_t src[4], bool opaque);
/* Solid colour or 8x8 pattern at (x, y). False after a fault. */
bool de_pattern(struct vivante *v, int32_t x, int32_t y, uint8_t bgra[4]);

/* One row of a filter blit; false after a fault. */
bool de_filter_row(struct vivante *v, const struct viv_de *de, int32_t y);

#endif
