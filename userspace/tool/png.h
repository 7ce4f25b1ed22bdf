/* SPDX-License-Identifier: MIT */
/* Pictures in and out, 8-bit RGBA, top row first. 0 or -1 with a line in err. */
#ifndef LIMN_TOOL_PNG_H
#define LIMN_TOOL_PNG_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/limn.h"
#include "tool/out_file.h"

int png_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
	     struct limn_error *err);
/* By the name's ending: .png, .ppm (without alpha); PNG on standard output for "-", and for what is no regular file. */
int picture_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct limn_error *err);
/* Whether a picture can be saved by that name: its ending, or that it is no regular file. */
bool picture_name(const char *path);
/*
 * Pictures of one size as an animated PNG (Third Edition): begin, a picture for each of frames, end.
 */
struct animation {
	struct out_file out;
	uint32_t width, height, frames, done, sequence;
};

int animation_begin(struct animation *a, const char *path, uint32_t width, uint32_t height, uint32_t frames,
		    struct limn_error *err);
int animation_add(struct animation *a, const uint8_t *rgba, struct limn_error *err);
int animation_end(struct animation *a, struct limn_error *err);
/* *rgba is malloc'ed: width x height x 4 bytes. */
int png_load(const char *path, uint32_t *width, uint32_t *height, uint8_t **rgba,
	     struct limn_error *err);

#endif
