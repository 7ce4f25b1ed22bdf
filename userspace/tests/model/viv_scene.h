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
	unsigned int samples, bytes;
	uint32_t pa_config, depth_config, color_format, logic_op;
	uint32_t num_verts;
	bool indexed;
	uint32_t elements[4], num_elements, stride;
	unsigned int num_varyings, components;
};

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

static void program(struct scene *s, bool vertex, const char *text)
{
	struct env *e = &s->e;
	size_t n;
	uint32_t *w = assemble("vivante", text, &n), at = vertex ? VS_AT : PS_AT;

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
	free(w);
}

static const char vs_pass[] = "mov t4, void, void, t0\nmov t5, void, void, t1\n";
static const char ps_color[] = "mov t1, void, void, t1\n";

static inline void uniform(struct scene *s, bool vertex, unsigned int i, const float v[4])
{
	uint32_t base = s->halti >= 5 ? VIVS_SH_HALTI5_UNIFORMS_MIRROR : s->halti >= 1 ? VIVS_SH_UNIFORMS :
			vertex ? VIVS_VS_UNIFORMS : VIVS_PS_UNIFORMS;
	uint32_t w[4] = { fu(v[0]), fu(v[1]), fu(v[2]), fu(v[3]) };

	if (s->halti >= 1 && !vertex)
		base += 16 * 16;
	burst(&s->e, base + i * 16, w, 4);
}

static void scene_open(struct scene *s, const char *gpu)
{
	env_close(&s->e);
	memset(s, 0, sizeof(*s));
	env_open(&s->e, gpu);
	s->halti = !strcmp(gpu, "gc7000l") ? 5 : !strcmp(gpu, "gc3000") ? 2 : 0;
	s->single = s->halti >= 2;
	s->super = strcmp(gpu, "gc600");
	s->samples = 1;
	s->bytes = 4;
	s->pa_config = VIV_SET(VIVS_PA_CONFIG_FILL_MODE, VIVS_PA_CONFIG_FILL_MODE_SOLID) | VIV_SET(VIVS_PA_CONFIG_SHADE_MODEL, VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH) |
		       VIVS_PA_CONFIG_WIDE_LINE;
	s->depth_config = VIVS_PE_DEPTH_CONFIG_DISABLE_ZS | VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, 7);
	s->color_format = VIV_SET(VIVS_PE_COLOR_FORMAT_FORMAT, PE_FORMAT_A8R8G8B8) |
			  VIV_SET(VIVS_PE_COLOR_FORMAT_COMPONENTS, 15) | VIVS_PE_COLOR_FORMAT_OVERWRITE;
	s->logic_op = VIV_SET(VIVS_PE_LOGIC_OP_OP, LOGIC_OP_COPY);
	/* Two elements of four floats, one after the other. */
	s->num_elements = 2;
	s->elements[0] = FE_DATA_TYPE_FLOAT;
	s->elements[1] = FE_DATA_TYPE_FLOAT | 16 << 16;
	s->stride = sizeof(struct vert);
	s->num_varyings = 1;
	s->components = 4;
	program(s, true, vs_pass);
	program(s, false, ps_color);
}

static void scene_close(struct scene *s)
{
	env_close(&s->e);
}

static unsigned int scene_layout(const struct scene *s)
{
	return VIV_LAYOUT_TILED | (s->super ? VIV_LAYOUT_SUPER : 0) |
	       (s->e.id.pixel_pipes > 1 && !s->single ? VIV_LAYOUT_MULTI : 0);
}

static uint32_t scene_stride(const struct scene *s, unsigned int bytes)
{
	return SIZE * bytes * (s->samples > 1 ? 2 : 1);
}

/* The bytes of sample (x, y) of a surface at an offset in BO 0. */
static uint8_t *scene_pixel(struct scene *s, uint32_t at, unsigned int bytes, uint32_t x, uint32_t y)
{
	unsigned int pipe;
	uint32_t stride = scene_stride(s, bytes);
	uint32_t off = viv_tile_offset(scene_layout(s), VIV_SUPERTILE_HZ, x, y, stride, bytes, &pipe);

	return s->e.map[0] + at + off + pipe * stride * PAD / 2;
}

static inline uint32_t color_at(struct scene *s, uint32_t x, uint32_t y)
{
	uint32_t v = 0;

	memcpy(&v, scene_pixel(s, 0, s->bytes, x, y), s->bytes);
	return v;
}

static inline uint32_t depth_at(struct scene *s, uint32_t x, uint32_t y)
{
	uint32_t v;

	memcpy(&v, scene_pixel(s, DEPTH_AT, 4, x, y), 4);
	return v;
}

static inline void scene_clear(struct scene *s, uint32_t color, uint32_t depth)
{
	for (uint32_t y = 0; y < PAD; y++)
		for (uint32_t x = 0; x < SIZE * (s->samples > 1 ? 2u : 1u); x++) {
			if (s->e.id.pixel_pipes > 1 && !s->single && y >= PAD)
				continue;
			memcpy(scene_pixel(s, 0, s->bytes, x, y), &color, s->bytes);
			memcpy(scene_pixel(s, DEPTH_AT, 4, x, y), &depth, 4);
		}
}

static void scene_vertices(struct scene *s, const struct vert *v, unsigned int n)
{
	memcpy(s->e.map[1], v, n * sizeof(*v));
	s->num_verts = n;
}

static void put_targets(struct scene *s)
{
	struct env *e = &s->e;
	uint32_t half[2] = { scene_stride(s, s->bytes) * PAD / 2, scene_stride(s, 4) * PAD / 2 };
	bool multi = scene_layout(s) & VIV_LAYOUT_MULTI, pipes = s->halti > 0 || e->id.pixel_pipes > 1;

	set(e, VIVS_PE_COLOR_FORMAT, s->color_format | (s->super ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0));
	set(e, VIVS_PE_COLOR_STRIDE, scene_stride(s, s->bytes));
	set(e, VIVS_PE_DEPTH_STRIDE, scene_stride(s, 4));
	if (!pipes) {
		set(e, VIVS_PE_COLOR_ADDR, e->va[0]);
		set(e, VIVS_PE_DEPTH_ADDR, e->va[0] + DEPTH_AT);
	}
	for (unsigned int i = 0; pipes && i < 2; i++) {
		set(e, VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, i), e->va[0] + (multi ? i * half[0] : 0));
		set(e, VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, i), e->va[0] + DEPTH_AT + (multi ? i * half[1] : 0));
	}
	set(e, VIVS_PE_LOGIC_OP, s->logic_op | (s->single ? VIV_SET(VIVS_PE_LOGIC_OP_SINGLE_BUFFER, 2) : 0));
	set(e, VIVS_PE_DEPTH_CONFIG, s->depth_config | (s->super ? VIVS_PE_DEPTH_CONFIG_SUPER_TILED : 0) |
	    VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8));
	setf(e, VIVS_PE_DEPTH_NORMALIZE, 16777215.0f);
	set(e, VIVS_PE_DITHER, ~0u);
	set(e, VIV_AT(VIVS_PE_DITHER, 1), ~0u);
	set(e, VIVS_RA_EARLY_DEPTH, 0x30 | VIVS_RA_EARLY_DEPTH_WRITE_DISABLE);
}

static void put_vertices(struct scene *s)
{
	struct env *e = &s->e;
	uint32_t config[4], config1[4], scale[4];

	for (unsigned int i = 0; i < s->num_elements; i++) {
		uint32_t end = (s->elements[i] >> 16) + 16;

		config[i] = s->elements[i] | (s->halti >= 5 ? 0 : 0x80 | end << 24);
		config1[i] = end | VIVS_NFE_GENERIC_ATTRIB_CONFIG1_NONCONSECUTIVE;
		scale[i] = fu(1);
	}
	if (s->halti >= 5) {
		burst(e, VIVS_NFE_GENERIC_ATTRIB_CONFIG0, config, s->num_elements);
		burst(e, VIVS_NFE_GENERIC_ATTRIB_SCALE, scale, s->num_elements);
		burst(e, VIVS_NFE_GENERIC_ATTRIB_CONFIG1, config1, s->num_elements);
	} else {
		burst(e, VIVS_FE_VERTEX_ELEMENT_CONFIG, config, s->num_elements);
		if (s->halti >= 2)
			burst(e, VIVS_FE_GENERIC_ATTRIB_SCALE, scale, s->num_elements);
	}
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_BASE_ADDR : VIVS_FE_VERTEX_STREAMS_BASE_ADDR, e->va[1]);
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_CONTROL : VIVS_FE_VERTEX_STREAMS_CONTROL, s->stride);
	set(e, VIVS_VS_INPUT_COUNT, s->num_elements | 0x100);
	set(e, s->halti >= 5 ? VIVS_VS_HALTI5_INPUT : VIVS_VS_INPUT, 0x03020100);
}

static void put_shaders(struct scene *s)
{
	struct env *e = &s->e;
	uint32_t counts = 0;

	for (unsigned int i = 0; i < s->num_varyings; i++)
		counts |= s->components << 4 * i;
	set(e, VIVS_VS_OUTPUT_COUNT, 1 + s->num_varyings + !!(s->pa_config & VIVS_PA_CONFIG_POINT_SIZE_ENABLE));
	set(e, s->halti >= 5 ? VIVS_VS_HALTI5_OUTPUT : VIVS_VS_OUTPUT, 0x07060504);
	set(e, VIVS_VS_TEMP_REGISTER_CONTROL, 12);
	set(e, VIVS_PS_TEMP_REGISTER_CONTROL, 12);
	set(e, VIVS_PS_INPUT_COUNT, 0x1f01 + s->num_varyings);
	set(e, VIVS_PS_OUTPUT_REG, 1);
	set(e, VIVS_PS_CONTROL, VIVS_PS_CONTROL_SATURATE_RT0);
	set(e, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, s->num_varyings << 8);
	set(e, s->halti >= 5 ? VIVS_PS_VARYING_NUM_COMPONENTS : VIVS_GL_VARYING_NUM_COMPONENTS, counts);
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
	set(e, VIVS_PA_CONFIG, s->pa_config);
	set(e, VIVS_PA_SYSTEM_MODE, VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER);
	setf(e, VIVS_SE_SCISSOR_RIGHT, SIZE + 0.06f);
	setf(e, VIVS_SE_SCISSOR_BOTTOM, SIZE + 0.06f);
	set(e, VIVS_GL_MULTI_SAMPLE_CONFIG, s->samples == 4 ? 0xf2 : s->samples == 2 ? 0x31 : 0xf0);
	if (s->samples > 1 && s->halti < 5)
		set(e, VIVS_RA_MULTISAMPLE_UNK00E10, s->samples == 4 ? 0xeaa26e26 : 0xaa22);
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
static enum host_status scene_draw(struct scene *s, uint32_t type, uint32_t primitives)
{
	struct env *e = &s->e;

	if (s->indexed) {
		put(e, VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES), type);
		put(e, 0, primitives);
		put(e, 0, 0);
	} else {
		put(e, VIV_FE_COMMAND(DRAW_PRIMITIVES), type);
		put(e, 0, primitives);
	}
	set(e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	set(e, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	return run(e, HOST_PIPE_3D);
}

#endif
