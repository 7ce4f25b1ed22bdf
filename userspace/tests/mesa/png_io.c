// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "png_io.h"

int png_store(const char *path, int width, int height, const unsigned char *rgba)
{
	png_image img = { .version = PNG_IMAGE_VERSION, .width = width, .height = height,
			  .format = PNG_FORMAT_RGBA };

	if (png_image_write_to_file(&img, path, 0, rgba, 0, NULL))
		return 0;
	fprintf(stderr, "%s: %s\n", path, img.message);
	return -1;
}

unsigned char *png_load(const char *path, int *width, int *height)
{
	png_image img = { .version = PNG_IMAGE_VERSION };
	unsigned char *rgba = NULL;

	if (png_image_begin_read_from_file(&img, path)) {
		img.format = PNG_FORMAT_RGBA;
		rgba = malloc(PNG_IMAGE_SIZE(img));
		if (rgba && png_image_finish_read(&img, NULL, rgba, 0, NULL)) {
			*width = img.width;
			*height = img.height;
			return rgba;
		}
	}
	fprintf(stderr, "%s: %s\n", path, img.message);
	png_image_free(&img);
	free(rgba);
	return NULL;
}
