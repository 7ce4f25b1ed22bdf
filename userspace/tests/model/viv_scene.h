/* SPDX-License-Identifier: MIT */
/*
 * A draw on a virtual Vivante chip, in process: states as Mesa emits them for
 * the generation at hand, programs as text, and a way to read pixels. BO 0 holds
 * the targets, BO 1 the rest.
 */
#ifndef LIMN_TESTS_VIV_SCENE_H
#define LIMN_TESTS_VIV_SCENE_H

#include "tests/model/viv_stream.h"
#include "tests/sim/shader.h"

#define SIZE		64		/* pixels of the target, both ways */
#define PAD		128		/* rows that the target has room for */
#define DEPTH_AT	0x20000u	/* in BO 0 */
#define INDEX_AT	0x8000u		/* in BO 1; vertices start it */
#define VS_AT		0xa000u
#define PS_AT		0xb000u
#define DESC_AT		0xc000u
#define TEXTURE_AT	0x10000u

/* A vertex: position, then one attribute of four floats. */
struct vert {
	float pos[4], attr[4];
};

struct scene {
	struct env e;
	int halti;
	bool single, super;
	uint32_t color_format;
};

/* Two vertex elements of four floats, one after the other. */
#define ELEMENTS	2
static const uint32_t elements[ELEMENTS] = { FE_DATA_TYPE_FLOAT, FE_DATA_TYPE_FLOAT | 16 << 16 };

static const char *const chips[] = { "gc880", "gc2000", "gc3000", "gc7000l" };
#define CHIPS	(COUNT(chips))

static inline uint32_t fu(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

static inline void setf(struct env *e, uint32_t address, float f)
{
	set(e, address, fu(f));
}

static inline void burst(struct env *e, uint32_t address, const uint32_t *w, uint32_t n)
{
	e->word[e->n++] = VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, n) |
			  VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, address / 4);
	for (uint32_t i = 0; i < n; i++)
		e->word[e->n++] = w[i];
	if (!(n & 1))
		e->word[e->n++] = 0;
}

static void program_words(struct scene *s, bool vertex, const uint32_t *w, size_t n)
{
	struct env *e = &s->e;
	uint32_t at = vertex ? VS_AT : PS_AT;

	if (s->halti >= 5) {
		memcpy(e->map[1] + at, w, n * 4);
		set(e, vertex ? VIVS_VS_NEWRANGE_LOW : VIVS_PS_NEWRANGE_LOW, 0);
		set(e, vertex ? VIVS_VS_HALTI5_RANGE_HIGH : VIVS_PS_HALTI5_RANGE_HIGH, (uint32_t)n / 4);
		set(e, vertex ? VIVS_VS_INST_ADDR : VIVS_PS_INST_ADDR, e->va[1] + at);
		set(e, VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE);
	} else {
		uint32_t low = vertex ? 0 : 0x100;

		set(e, vertex ? VIVS_VS_RANGE : VIVS_PS_RANGE, ((uint32_t)n / 4 - 1 + low) << 16 | low);
		set(e, vertex ? VIVS_VS_START_PC : VIVS_PS_START_PC, 0);
		set(e, vertex ? VIVS_VS_END_PC : VIVS_PS_END_PC, (uint32_t)n / 4);
		burst(e, vertex ? VIVS_SH_INST_MEM : VIVS_SH_INST_MEM + 0x1000, w, (uint32_t)n);
	}
}

static void program(struct scene *s, bool vertex, const char *text)
{
	size_t n;
	uint32_t *w = assemble("vivante", text, &n);

	program_words(s, vertex, w, n);
	free(w);
}

static const char vs_pass[] = "mov t4, void, void, t0\nmov t5, void, void, t1\n";
static const char ps_color[] = "mov t1, void, void, t1\n";

static void scene_open_as(struct scene *s, const char *gpu, bool strict)
{
	env_close(&s->e);
	memset(s, 0, sizeof(*s));
	env_open_as(&s->e, gpu, strict, 1);
	s->halti = !strcmp(gpu, "gc7000l") ? 5 : !strcmp(gpu, "gc3000") ? 2 : 0;
	s->single = s->halti >= 2;
	s->super = strcmp(gpu, "gc600");
	s->color_format = VIV_SET(VIVS_PE_COLOR_FORMAT_FORMAT, PE_FORMAT_A8R8G8B8) |
			  VIV_SET(VIVS_PE_COLOR_FORMAT_COMPONENTS, 15) | VIVS_PE_COLOR_FORMAT_OVERWRITE;
	program(s, true, vs_pass);
	program(s, false, ps_color);
}

static inline void scene_open(struct scene *s, const char *gpu)
{
	scene_open_as(s, gpu, true);
}

/* What the tests have, closed behind each of them and before the next one is opened. */
static struct scene s;

static inline int scene_end(void **state)
{
	env_close(&s.e);
	return 0;
}

static unsigned int scene_layout(const struct scene *s)
{
	return VIV_LAYOUT_TILED | (s->super ? VIV_LAYOUT_SUPER : 0) |
	       (s->e.id.pixel_pipes > 1 && !s->single ? VIV_LAYOUT_MULTI : 0);
}

#define STRIDE	(SIZE * 4)	/* of both targets, whose pixels have four bytes */

/* Pixel (x, y) of the target at an offset in BO 0. */
static inline uint32_t *scene_pixel(struct scene *s, uint32_t at, uint32_t x, uint32_t y)
{
	unsigned int pipe;
	uint32_t off = viv_tile_offset(scene_layout(s), VIV_SUPERTILE_HZ, x, y, STRIDE, 4, &pipe);

	return (uint32_t *)(s->e.map[0] + at + off + pipe * STRIDE * PAD / 2);
}

static inline uint32_t color_at(struct scene *s, uint32_t x, uint32_t y)
{
	return *scene_pixel(s, 0, x, y);
}

static inline void scene_clear(struct scene *s, uint32_t color, uint32_t depth)
{
	for (uint32_t i = 0; i < PAD * SIZE; i++) {
		*scene_pixel(s, 0, i % SIZE, i / SIZE) = color;
		*scene_pixel(s, DEPTH_AT, i % SIZE, i / SIZE) = depth;
	}
}

static void scene_vertices(struct scene *s, const struct vert *v, unsigned int n)
{
	memcpy(s->e.map[1], v, n * sizeof(*v));
}

static void put_targets(struct scene *s)
{
	struct env *e = &s->e;
	uint32_t second = scene_layout(s) & VIV_LAYOUT_MULTI ? STRIDE * PAD / 2 : 0;
	bool pipes = s->halti > 0 || e->id.pixel_pipes > 1;

	set(e, VIVS_PE_COLOR_FORMAT, s->color_format | (s->super ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0));
	set(e, VIVS_PE_COLOR_STRIDE, STRIDE);
	set(e, VIVS_PE_DEPTH_STRIDE, STRIDE);
	if (!pipes) {
		set(e, VIVS_PE_COLOR_ADDR, e->va[0]);
		set(e, VIVS_PE_DEPTH_ADDR, e->va[0] + DEPTH_AT);
	}
	for (unsigned int i = 0; pipes && i < 2; i++) {
		set(e, VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, i), e->va[0] + i * second);
		set(e, VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, i), e->va[0] + DEPTH_AT + i * second);
	}
	set(e, VIVS_PE_LOGIC_OP, VIV_SET(VIVS_PE_LOGIC_OP_OP, LOGIC_OP_COPY) | (s->single ? VIV_SET(VIVS_PE_LOGIC_OP_SINGLE_BUFFER, 2) : 0));
	set(e, VIVS_PE_DEPTH_CONFIG, VIVS_PE_DEPTH_CONFIG_DISABLE_ZS | VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, 7) |
	    (s->super ? VIVS_PE_DEPTH_CONFIG_SUPER_TILED : 0) |
	    VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8));
	setf(e, VIVS_PE_DEPTH_NORMALIZE, 16777215.0f);
	set(e, VIVS_PE_DITHER, ~0u);
	set(e, VIV_AT(VIVS_PE_DITHER, 1), ~0u);
	set(e, VIVS_RA_EARLY_DEPTH, 0x30 | VIVS_RA_EARLY_DEPTH_WRITE_DISABLE);
}

static void put_vertices(struct scene *s)
{
	struct env *e = &s->e;
	uint32_t config[ELEMENTS], config1[ELEMENTS], scale[ELEMENTS];

	for (unsigned int i = 0; i < ELEMENTS; i++) {
		uint32_t end = (elements[i] >> 16) + 16;

		config[i] = elements[i] | (s->halti >= 5 ? 0 : 0x80 | end << 24);
		config1[i] = end | VIVS_NFE_GENERIC_ATTRIB_CONFIG1_NONCONSECUTIVE;
		scale[i] = fu(1);
	}
	if (s->halti >= 5) {
		burst(e, VIVS_NFE_GENERIC_ATTRIB_CONFIG0, config, ELEMENTS);
		burst(e, VIVS_NFE_GENERIC_ATTRIB_SCALE, scale, ELEMENTS);
		burst(e, VIVS_NFE_GENERIC_ATTRIB_CONFIG1, config1, ELEMENTS);
	} else {
		burst(e, VIVS_FE_VERTEX_ELEMENT_CONFIG, config, ELEMENTS);
		if (s->halti >= 2)
			burst(e, VIVS_FE_GENERIC_ATTRIB_SCALE, scale, ELEMENTS);
	}
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_BASE_ADDR : VIVS_FE_VERTEX_STREAMS_BASE_ADDR, e->va[1]);
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_CONTROL : VIVS_FE_VERTEX_STREAMS_CONTROL, sizeof(struct vert));
	set(e, VIVS_VS_INPUT_COUNT, ELEMENTS | 0x100);
	set(e, s->halti >= 5 ? VIVS_VS_HALTI5_INPUT : VIVS_VS_INPUT, 0x03020100);
}

static void put_shaders(struct scene *s)
{
	struct env *e = &s->e;

	set(e, VIVS_VS_OUTPUT_COUNT, 2);
	set(e, s->halti >= 5 ? VIVS_VS_HALTI5_OUTPUT : VIVS_VS_OUTPUT, 0x07060504);
	set(e, VIVS_VS_TEMP_REGISTER_CONTROL, 12);
	set(e, VIVS_PS_TEMP_REGISTER_CONTROL, 12);
	set(e, VIVS_PS_INPUT_COUNT, 0x1f02);
	set(e, VIVS_PS_OUTPUT_REG, 1);
	set(e, VIVS_PS_CONTROL, VIVS_PS_CONTROL_SATURATE_RT0);
	set(e, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, 1 << 8);
	set(e, s->halti >= 5 ? VIVS_PS_VARYING_NUM_COMPONENTS : VIVS_GL_VARYING_NUM_COMPONENTS, 4);
	if (s->halti >= 1)
		set(e, VIVS_PS_UNIFORM_BASE, 16);
	if (s->halti < 5)
		set(e, VIVS_PA_SHADER_ATTRIBUTES, 0x2f1);
	else
		set(e, VIVS_GL_HALTI5_SH_SPECIALS, 0x7f7f7f00);
}

static void put_view(struct scene *s)
{
	struct env *e = &s->e;

	setf(e, VIVS_PA_VIEWPORT_SCALE_X, SIZE / 2);
	setf(e, VIVS_PA_VIEWPORT_SCALE_Y, -SIZE / 2);
	setf(e, VIVS_PA_VIEWPORT_SCALE_Z, 1);
	setf(e, VIVS_PA_VIEWPORT_OFFSET_X, SIZE / 2);
	setf(e, VIVS_PA_VIEWPORT_OFFSET_Y, SIZE / 2);
	setf(e, VIVS_PA_VIEWPORT_OFFSET_Z, 0);
	set(e, VIVS_PA_CONFIG, VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID) |
	    VIV_SET(VIVS_PA_CONFIG_SHADE_MODEL, VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH) | VIVS_PA_CONFIG_WIDE_LINE);
	set(e, VIVS_PA_SYSTEM_MODE, VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER);
	setf(e, VIVS_SE_SCISSOR_RIGHT, SIZE + 0.06f);
	setf(e, VIVS_SE_SCISSOR_BOTTOM, SIZE + 0.06f);
	set(e, VIVS_GL_MULTI_SAMPLE_CONFIG, 0xf0);
}

/* States that the test has not put itself; call before those. */
static void scene_states(struct scene *s)
{
	put_targets(s);
	put_vertices(s);
	put_shaders(s);
	put_view(s);
}

/* The draw, and what makes its pixels visible. */
static inline enum host_status scene_draw(struct scene *s, uint32_t type, uint32_t primitives)
{
	struct env *e = &s->e;

	put(e, VIV_FE_COMMAND(DRAW_PRIMITIVES), type);
	put(e, 0, primitives);
	set(e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	set(e, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	return run(e, HOST_PIPE_3D);
}

#endif
