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

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot : "";
}

bool picture_name(const char *path)
{
	struct stat st;

	/* A device, a pipe: nobody can name them otherwise. */
	return !strcmp(path, "-") || !strcasecmp(ending(path), ".png") || !strcasecmp(ending(path), ".ppm") ||
	       (!stat(path, &st) && !S_ISREG(st.st_mode));
}

int picture_save(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct limn_error *err)
{
	if (!picture_name(path))
		return limn_fail(err, -1, "%.150s: a picture's name ends in .png or .ppm", path);
	return (strcasecmp(ending(path), ".ppm") ? png_save : ppm_save)(path, width, height, rgba, err);
}

/* --- Animated ---------------------------------------------------------------------- */

#define FRAMES_PER_SECOND	30

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static uint8_t *put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		*p++ = v >> (24 - 8 * i);
	return p;
}

static uint32_t crc(uint32_t c, const uint8_t *p, size_t n)
{
	for (c = ~c; n--; p++) {
		c ^= *p;
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
	}
	return ~c;
}

/* A chunk of two parts. */
static void put_chunk(FILE *f, const char *type, const uint8_t *head, size_t head_size, const uint8_t *data, size_t size)
{
	uint8_t word[8];

	put32(word, head_size + size);
	memcpy(word + 4, type, 4);
	fwrite(word, 1, 8, f);
	fwrite(head, 1, head_size, f);
	fwrite(data, 1, size, f);
	put32(word, crc(crc(crc(0, (const uint8_t *)type, 4), head, head_size), data, size));
	fwrite(word, 1, 4, f);
}

int animation_begin(struct animation *a, const char *path, uint32_t width, uint32_t height, uint32_t frames,
		    struct limn_error *err)
{
	*a = (struct animation){ .width = width, .height = height, .frames = frames };
	return out_open(&a->out, path, err);
}

/* The chunks of a PNG: all of the first, which is the picture of who knows no animations; then IDAT as fdAT. */
int animation_add(struct animation *a, const uint8_t *rgba, struct limn_error *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = a->width, .height = a->height, .format = PNG_FORMAT_RGBA };
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	uint8_t *png = malloc(size), control[26], *p;
	bool first = !a->done++, begun = false;

	if (!png || !png_image_write_to_memory(&image, png, &size, 0, rgba, 0, NULL)) {
		free(png);
		return limn_fail(err, -1, "%.150s: %s", a->out.name, png ? image.message : "out of memory");
	}
	fwrite(png, 1, first ? 8 : 0, a->out.f);
	for (const uint8_t *c = png + 8; c + 12 <= png + size; c += 12 + get32(c)) {
		uint32_t n = get32(c);
		bool data = !memcmp(c + 4, "IDAT", 4);

		if (data && !begun) {
			p = put32(control, a->frames);
			put32(p, 0);
			if (first)
				put_chunk(a->out.f, "acTL", NULL, 0, control, 8);
			p = put32(put32(put32(control, a->sequence++), a->width), a->height);
			p = put32(put32(put32(p, 0), 0), 1 << 16 | FRAMES_PER_SECOND);
			p[0] = p[1] = 0;
			put_chunk(a->out.f, "fcTL", NULL, 0, control, sizeof(control));
			begun = true;
		}
		if (data && !first)
			put32(control, a->sequence++);
		if (data && !first)
			put_chunk(a->out.f, "fdAT", control, 4, c + 8, n);
		else if (first && memcmp(c + 4, "IEND", 4))
			fwrite(c, 1, 12 + n, a->out.f);
	}
	free(png);
	return 0;
}

int animation_end(struct animation *a, struct limn_error *err)
{
	/* Less than was told: no picture at all. */
	if (a->done < a->frames) {
		out_discard(&a->out);
		return limn_fail(err, -1, "%.150s: %u of %u pictures", a->out.name, a->done, a->frames);
	}
	put_chunk(a->out.f, "IEND", NULL, 0, NULL, 0);
	return out_close(&a->out, err);
}

/* --- Reading ------------------------------------------------------------------------- */

int png_load(const char *path, uint32_t *width, uint32_t *height, uint8_t **rgba,
	     struct limn_error *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	FILE *f = fopen(path, "rb");
	char head[8];
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

	/* Of these libpng says no more than "Read Error". */
	if (!f || ferror(f))
		limn_fail(err, -1, "%.150s: %s", path, strerror(errno));
	else if (n < sizeof(head))
		limn_fail(err, -1, "%.150s: Not a PNG file", path);
	if (f)
		fclose(f);
	if (n < sizeof(head))
		return -1;
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
