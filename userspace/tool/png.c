// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static int ppm_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct limn_error *err)
{
	struct out_file out;

	if (out_open(&out, path, err))
		return -1;
	fprintf(out.f, "P6\n%u %u\n255\n", width, height);
	for (size_t i = 0; i < (size_t)width * height; i++)
		fwrite(rgba + 4 * i, 1, 3, out.f);
	return out_close(&out, err);
}

int picture_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct limn_error *err)
{
	const char *dot = strrchr(path, '.'), *ending = dot && !strchr(dot, '/') ? dot : "";
	struct stat st;

	if (!strcmp(path, "-"))
		return png_save("/dev/stdout", width, height, rgba, err);
	if (!strcasecmp(ending, ".ppm"))
		return ppm_save(path, width, height, rgba, err);
	/* A device, a pipe: nobody can name them otherwise. */
	if (strcasecmp(ending, ".png") && (stat(path, &st) || S_ISREG(st.st_mode)))
		return limn_fail(err, -1, "%.150s: a picture's name ends in .png or .ppm", path);
	return png_save(path, width, height, rgba, err);
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
