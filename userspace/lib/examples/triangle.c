// SPDX-License-Identifier: MIT
/* A triangle on whatever GPU is there, as triangle.ppm: cc triangle.c $(pkg-config --cflags --libs liblimn) */
#include <lib/draw/triangles.h>
#include <stdio.h>

#define SIZE 128

static const float corners[][4] = { { -0.75, -0.75, 0, 1 }, { 0.75, -0.75, 0, 1 }, { 0, 0.75, 0, 1 } };
static const float red[][4] = { { 1, 0.3, 0, 1 } };

/* The corners as they are, and one colour. */
static const char *const shaders[][2] = {
	[LIMN_UTGARD] = {
		"mov.a0 ^_/v0.x a0.x\n"
		"mov.a1 ^_/v0.y a0.y\n"
		"mov.m0 ^_/v0.z a0.z\n"
		"mov.m1 ^_/v0.w a0.w\n",
		"load.u 0, mov.v1 $0 ^uniform, stop\n",
	},
	[LIMN_VIVANTE] = {
		"mov t0, void, void, t0\n",
		"mov t1, void, void, u0\n",
	},
};

/* rgba: SIZE x SIZE pixels. */
static int draw(struct limn_device *dev, const struct limn_how *how, uint8_t *rgba, struct limn_error *err)
{
	const char *const *texts = shaders[limn_get_info(dev)->family];
	const struct limn_triangles triangle = {
		.size = sizeof(triangle), .width = SIZE, .height = SIZE, .clear = { 40, 40, 40, 255 },
		.vertex_shader = texts[0], .fragment_shader = texts[1], .attributes = { corners }, .num_attributes = 1,
		.num_vertices = 3, .constants = red, .num_constants = 1, .how = how,
	};

	return limn_draw_triangles(dev, &triangle, rgba, err);
}

int main(int argc, char **argv)
{
	static uint8_t rgba[SIZE * SIZE * 4];
	struct limn_device *dev;
	struct limn_error err;
	FILE *f;

	if (limn_open_any(argc > 1 ? argv[1] : NULL, &dev, &err) || draw(dev, NULL, rgba, &err))
		return fprintf(stderr, "%s\n", err.text), 1;
	f = fopen("triangle.ppm", "w");
	if (!f)
		return perror("triangle.ppm"), 1;
	fprintf(f, "P6\n%d %d\n255\n", SIZE, SIZE);
	for (int i = 0; i < SIZE * SIZE; i++)
		fwrite(rgba + 4 * i, 3, 1, f);
	return limn_close(dev), fclose(f);
}
