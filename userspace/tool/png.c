// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "tool/out_file.h"
#include "tool/png.h"

int png_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
	     struct limn_error *err)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION,
		.width = width,
		.height = height,
		.format = PNG_FORMAT_RGBA,
	};
	struct out_file out;

	if (out_open(&out, path, err))
		return -1;
	if (!png_image_write_to_stdio(&image, out.f, 0, rgba, 0, NULL)) {
		const char *why = ferror(out.f) ? strerror(errno) : image.message;

		out_discard(&out);
		return limn_fail(err, -1, "%.150s: %s", path, why);
	}
	return out_close(&out, err);
}

int png_load(const char *path, uint32_t *width, uint32_t *height, uint8_t **rgba,
	     struct limn_error *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };

	if (!png_image_begin_read_from_file(&image, path))
		return limn_fail(err, -1, "%.150s: %s", path, image.message);
	image.format = PNG_FORMAT_RGBA;
	if (image.width > 8192 || image.height > 8192) {
		png_image_free(&image);
		return limn_fail(err, -1, "%.150s: larger than 8192x8192", path);
	}
	*rgba = malloc(PNG_IMAGE_SIZE(image));
	if (!*rgba) {
		png_image_free(&image);
		return limn_fail(err, -1, "out of memory");
	}
	if (!png_image_finish_read(&image, NULL, *rgba, 0, NULL)) {
		free(*rgba);
		return limn_fail(err, -1, "%.150s: %s", path, image.message);
	}
	*width = image.width;
	*height = image.height;
	return 0;
}
