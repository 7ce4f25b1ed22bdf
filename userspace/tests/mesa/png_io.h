/* SPDX-License-Identifier: MIT */
/* 8-bit RGBA PNGs, rows from top to bottom. */
#ifndef LIMN_TESTS_MESA_PNG_IO_H
#define LIMN_TESTS_MESA_PNG_IO_H

/* 0, or -1 with errno or libpng's message printed to stderr. */
int png_store(const char *path, int width, int height, const unsigned char *rgba);

/* Pixels to be freed by the caller, or NULL with a message on stderr. */
unsigned char *png_load(const char *path, int *width, int *height);

#endif
