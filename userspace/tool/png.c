// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "tool/png.h"

/* A failed save leaves no half file: it goes to a neighbour that is renamed at the end. */
int png_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
	     struct limn_error *err)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION,
		.width = width,
		.height = height,
		.format = PNG_FORMAT_RGBA,
	};
	char part[4096];

	if ((size_t)snprintf(part, sizeof(part), "%s.part", path) >= sizeof(part))
		return limn_fail(err, -1, "%.100s: name too long", path);
	if (!png_image_write_to_file(&image, part, 0, rgba, 0, NULL)) {
		unlink(part);
		return limn_fail(err, -1, "%.150s: %s", path, image.message);
	}
	if (rename(part, path)) {
		limn_fail(err, -1, "%.150s: %s", path, strerror(errno));
		unlink(part);
		return -1;
	}
	return 0;
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
