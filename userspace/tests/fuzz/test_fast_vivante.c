// SPDX-License-Identifier: MIT
/*
 * Random draws and copies of Vivante chips (fast.h): with memory at hand; while somebody watches a pixel; strip by strip of
 * the target, which gives no edge of a triangle away before a block is looked at; on threads; and strict, by way of the caches' copies,
 * where each texel, pixel and vertex is looked up by itself and fills go row by row. Besides, alpha of a target of four
 * times eight bits, which are blended by vectors, must be what a target of alpha alone has, blended one by one.
 */
#include "isa/vivante.h"
#include "model/vivante/internal.h"
#include "model/vivante/viv3d.h"
#include "tests/model/viv_scene.h"
#include "tests/fuzz/fast.h"

enum way { FAST, WATCHED, STRIPS, ALPHA, THREADS, STRICT, WAYS };

static const char *const way_names[WAYS] = { "fast", "watched", "in strips", "alpha alone", "on threads", "strict" };

enum { SHADERS, TEXTURES, PIXELS, VERTICES, COPIES };

static const struct fast_kind kinds[] = {
	{ "shaders", 300 }, { "textures", 300 }, { "pixels", 300 }, { "vertices", 300 }, { "copies", 300 }, { NULL, 0 },
};

/* In BO 0, beside the targets; and in BO 1, whose part from TEXTURE_AT on stays as it is. */
#define STATUS_AT	0x3e000u	/* of tiles: colour's, then depth's */
#define SECOND_AT	0x30000u	/* a second target */
#define NUM_VERTS	12
#define STRIP		8	/* pixels: whole blocks */

static struct scene scene[CHIPS][WAYS];
static struct model_watch watch;
static uint32_t noise[ENV_BO / 4];
static uint32_t fresh[CHIPS][VIV_STATES];	/* states between cases */
static uint32_t left, right;			/* scissor of the case at hand */
static struct part {
	uint32_t at, bytes;
} parts[4];					/* of BO 0, that it may write to; others are looked at now and then */
static unsigned int num_parts;
static enum way built;				/* whose stream is built: FAST's is that of most */
static unsigned int striped;			/* lists of triangles that were drawn so on threads */
static bool has_alpha;				/* the case's target is of 8888 without tile status, so that ALPHA makes sense */

static struct vivante *core_of(const struct scene *s)
{
	return (struct vivante *)host_model(s->e.host)->units[VIV_UNIT_HI];
}

/* --- What the tables of states allow ------------------------------------------------------ */

static const struct {
	const char *owner, *name;
	uint8_t lo, width;
	uint16_t kind;
} fields[] = {
#define VIV_FIELD(owner, name, hi, lo, kind) { #owner, #name, lo, (hi) - (lo) + 1, VIV_KIND_##kind },
#define VIV_BIT(owner, name, pos) { #owner, #name, pos, 1, VIV_KIND_BOOL },
#include <limn/vivante/states.inc>
};

static const struct {
	uint32_t kind, value;
} values[] = {
#define VIV_VALUE(name, value_name, value) { VIV_KIND_##name, value },
#include <limn/vivante/states.inc>
};

static uint32_t any_value(unsigned int kind)
{
	unsigned int first = 0, n = 0;

	/* Those of an enumeration stand together. */
	while (first < COUNT(values) && values[first].kind != kind)
		first++;
	while (first + n < COUNT(values) && values[first + n].kind == kind)
		n++;
	return n ? values[first + below(n)].value : random_word();
}

/* MASK of another field: that one would keep what it had. */
static bool is_mask(unsigned int i)
{
	size_t n = strlen(fields[i].name);

	if (n < 5 || strcmp(fields[i].name + n - 5, "_MASK"))
		return false;
	for (unsigned int k = 0; k < COUNT(fields); k++)
		if (fields[k].owner == fields[i].owner && !strncmp(fields[k].name, fields[i].name, n - 5) && k != i)
			return true;
	return false;
}

/* Words whose fields are made up, and which fields these are: found once. */
enum word {
	ALPHA_CONFIG, ALPHA_OP, STENCIL_OP, STENCIL_CONFIG, STENCIL_EXT, STENCIL_EXT2, DEPTH_CONFIG, COLOR_FORMAT, LOGIC, EARLY_DEPTH,
	PA_CONFIG, SYSTEM_MODE, SAMPLER0, SAMPLER1, SAMPLER_LOD, SAMPLER_CTRL, ELEMENT, RS_CONFIG, BLT_SRC, BLT_DEST, BLT_SRC_CONFIG,
	BLT_DEST_CONFIG, BLT_CONFIG, WORDS,
};

static const char *const owners[WORDS] = {
	"VIVS_PE_ALPHA_CONFIG", "VIVS_PE_ALPHA_OP", "VIVS_PE_STENCIL_OP", "VIVS_PE_STENCIL_CONFIG", "VIVS_PE_STENCIL_CONFIG_EXT",
	"VIVS_PE_STENCIL_CONFIG_EXT2", "VIVS_PE_DEPTH_CONFIG", "VIVS_PE_COLOR_FORMAT", "VIVS_PE_LOGIC_OP", "VIVS_RA_EARLY_DEPTH",
	"VIVS_PA_CONFIG", "VIVS_PA_SYSTEM_MODE", "TE_SAMPLER_CONFIG0", "TE_SAMPLER_CONFIG1", "TE_SAMPLER_LOD_CONFIG",
	"VIVS_NTE_DESCRIPTOR_SAMP_CTRL0", "VIVS_FE_VERTEX_ELEMENT_CONFIG", "VIVS_RS_CONFIG", "VIVS_BLT_SRC_STRIDE",
	"VIVS_BLT_DEST_STRIDE", "BLT_SRC_IMAGE_CONFIG", "BLT_DEST_IMAGE_CONFIG", "VIVS_BLT_CONFIG",
};

static uint16_t owned[WORDS][40];
static unsigned int num_owned[WORDS];

static void find_fields(void)
{
	for (unsigned int w = 0; w < WORDS && !num_owned[w]; w++)
		for (unsigned int i = 0; i < COUNT(fields); i++)
			if (!strcmp(fields[i].owner, owners[w]) && strncmp(fields[i].name, "UNK", 3) && !is_mask(i)) {
				assert_true(num_owned[w] < COUNT(owned[w]));
				owned[w][num_owned[w]++] = (uint16_t)i;
			}
}

/* A word in which, with one chance in odds each, fields have one of their values. */
static uint32_t any(enum word which, uint32_t word, unsigned int odds)
{
	for (unsigned int i = 0; i < num_owned[which]; i++) {
		unsigned int f = owned[which][i];
		uint32_t mask = (~0u >> (32 - fields[f].width)) << fields[f].lo;

		if (!below(odds))
			word = (word & ~mask) | (any_value(fields[f].kind) << fields[f].lo & mask);
	}
	return word;
}

#define PUT(word, field, value)	((word) = ((word) & ~VIV_MASK(field)) | VIV_SET(field, value))

/* --- Programs ------------------------------------------------------------------------------- */

static const char *const texts[] = {
	"mov t1, void, void, t1\n",
	"mul t1, t1, t1, void\nadd t1, t1, void, t0\n",
	"texkill.lt void, t1, 0.2, void\nmov t1, void, void, t1\n",
	"mov t0.__z_, void, void, t1.xxxx\nmov t1, void, void, t1\n",
	/* Textures from here on. */
	"texld t1, tex0, t1, void, void\n",
	"texldb t1, tex0, t1, void, void\n",
	"texldl t1, tex0, t1, void, void\n",
	"texld t2, tex0, t1, void, void\ntexld t1, tex1, t1.yxzw, void, void\nmul t1, t1, t2, void\n",
};

#define FIRST_TEXTURED	4

static struct {
	uint32_t *words;
	size_t count;
} programs[COUNT(texts)], pass;

/* Memory is none of a draw's business, and what repeats may do so for ever. */
static bool is_tame(const struct isa_op *op)
{
	static const uint16_t wild[] = {
		VIV_OP_call, VIV_OP_ret, VIV_OP_branch, VIV_OP_branch_any, VIV_OP_rep, VIV_OP_endrep, VIV_OP_loop, VIV_OP_endloop,
		VIV_OP_barrier,
		VIV_OP_load, VIV_OP_store, VIV_OP_img_load, VIV_OP_img_store, VIV_OP_img_load_3d, VIV_OP_img_store_3d, VIV_OP_atomic_add,
		VIV_OP_atomic_xchg, VIV_OP_atomic_cmp_xchg, VIV_OP_atomic_min, VIV_OP_atomic_max, VIV_OP_atomic_or, VIV_OP_atomic_and,
		VIV_OP_atomic_xor,
	};

	for (unsigned int i = 0; i < COUNT(wild); i++)
		if (op->id == wild[i])
			return false;
	return isa_has_semantics(op);
}

#define SOURCE(n) do { \
	bool temp = below(3); \
	viv_put(&b, src##n##_use, below(12) != 0); \
	viv_put(&b, src##n##_amode, below(16) ? 0 : below(5)); \
	viv_put(&b, src##n##_rgroup, temp ? VIV_TEMP : below(2) ? VIV_UNIFORM0 : VIV_IMMEDIATE); \
	if (temp) \
		viv_put(&b, src##n##_reg, below(4)); \
	else \
		viv_put(&b, src##n##_reg, below(24)); \
} while (0)

static void instruction(uint32_t *to)
{
	const struct isa_op *op;
	struct isa_bits b;

	do
		op = &isa_vivante.ops[below((uint32_t)isa_vivante.op_count)];
	while (!is_tame(op));
	for (unsigned int k = 0; k < 4; k++)
		b.w[k] = random_word();
	viv_put(&b, cond, below(16));
	viv_put(&b, sat, !below(4));
	viv_put(&b, dst_use, 1);
	viv_put(&b, dst_amode, below(24) ? 0 : below(5));
	viv_put(&b, dst_reg, below(4));
	viv_put(&b, tex_id, below(2));
	if (op->form == VIV_F_TEX)
		viv_put(&b, tex_amode, 0);
	if (below(3)) {
		viv_put(&b, type, 0);
		viv_put(&b, type_bit2, 0);
	}
	SOURCE(0);
	SOURCE(1);
	SOURCE(2);
	for (unsigned int k = 0; k < COUNT(op->match); k++)
		if (op->match[k].width)
			isa_put(&b, op->match[k].lo, op->match[k].width, op->match[k].value);
	memcpy(to, b.w, 16);
}

static void shader(struct scene *s, unsigned int kind)
{
	unsigned int first = kind == TEXTURES ? FIRST_TEXTURED : 0, which = first + below(COUNT(texts) - first), count = 1 + below(8);
	uint32_t words[8 * 4], uniforms[64];

	for (unsigned int i = 0; i < COUNT(uniforms); i++)
		uniforms[i] = below(3) ? fu((float)random_in(-2, 2)) : below(2) ? below(8) : random_word();
	burst(&s->e, s->halti >= 5 ? VIVS_SH_HALTI5_UNIFORMS : s->halti >= 1 ? VIVS_SH_UNIFORMS : VIVS_PS_UNIFORMS, uniforms,
	      COUNT(uniforms));
	if (kind != SHADERS) {
		program_words(s, false, programs[which].words, programs[which].count);
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		instruction(words + i * 4);
	program_words(s, false, words, count * 4);
	if (below(3))
		return;
	/* After what the other stages need. */
	memcpy(words, pass.words, pass.count * 4);
	for (unsigned int i = 2; i < count; i++)
		instruction(words + i * 4);
	program_words(s, true, words, (count > 2 ? count : 2) * 4);
}

/* --- Textures ------------------------------------------------------------------------------- */

static void sampler(struct scene *s, unsigned int n, unsigned int odds)
{
	struct env *e = &s->e;
	uint32_t c0 = 0, c1 = 0, lod, size, depth = 1 + below(4), at = TEXTURE_AT + below(0x20000) / 64 * 64;
	uint32_t d[TXDESC_BYTES / 4] = { 0 }, linear = 64 + below(300), va[V3D_LEVELS], ctrl;
	uint32_t log = below(8) ? 0 : TE_SAMPLER_LOG_SIZE_SRGB;
	bool ext = below(3) == 0;

	PUT(c0, TE_SAMPLER_CONFIG0_MIN, 1 + below(2));
	PUT(c0, TE_SAMPLER_CONFIG0_MAG, 1 + below(2));
	PUT(c0, TE_SAMPLER_CONFIG0_UWRAP, below(3));
	PUT(c0, TE_SAMPLER_CONFIG0_VWRAP, below(3));
	c0 = any(SAMPLER0, c0, odds);
	c1 = any(SAMPLER1, 0, odds);
	PUT(c0, TE_SAMPLER_CONFIG0_TYPE, below(4) ? TEXTURE_TYPE_2D : any_value(VIV_KIND_TEXTURE_TYPE));
	PUT(c0, TE_SAMPLER_CONFIG0_FORMAT, ext ? 0 : below(3) ? TEXTURE_FORMAT_A4R4G4B4 + below(9) : any_value(VIV_KIND_TEXTURE_FORMAT));
	PUT(c0, TE_SAMPLER_CONFIG0_ADDRESSING_MODE, below(3) ? TEXTURE_ADDRESSING_MODE_TILED : TEXTURE_ADDRESSING_MODE_LINEAR);
	PUT(c1, TE_SAMPLER_CONFIG1_FORMAT_EXT, any_value(VIV_KIND_TEXTURE_FORMAT_EXT));
	PUT(c1, TE_SAMPLER_CONFIG1_HALIGN, below(20) ? below(3) : below(5));
	if (below(4))
		PUT(c1, TE_SAMPLER_CONFIG1_TEXTURE_ARRAY, 0);
	if (below(16))
		PUT(c1, TE_SAMPLER_CONFIG1_USE_TS, 0);
	if (below(4)) {
		PUT(c1, TE_SAMPLER_CONFIG1_SWIZZLE_R, TEXTURE_SWIZZLE_RED);
		PUT(c1, TE_SAMPLER_CONFIG1_SWIZZLE_G, TEXTURE_SWIZZLE_GREEN);
		PUT(c1, TE_SAMPLER_CONFIG1_SWIZZLE_B, TEXTURE_SWIZZLE_BLUE);
		PUT(c1, TE_SAMPLER_CONFIG1_SWIZZLE_A, TEXTURE_SWIZZLE_ALPHA);
	}
	lod = any(SAMPLER_LOD, below(2) ? 0 : VIV_SET(TE_SAMPLER_LOD_CONFIG_MAX, below(200)), 6);
	size = VIV_SET(TE_SAMPLER_SIZE_WIDTH, 1 + below(below(4) ? 40 : 200)) | VIV_SET(TE_SAMPLER_SIZE_HEIGHT, 1 + below(40));
	if (!below(30))
		at = ENV_BO - 64 * below(64);
	for (unsigned int i = 0; i < V3D_LEVELS; i++)
		va[i] = e->va[1] + at + i * 0x440 + (below(16) ? 0 : below(8));
	set(e, VIV_AT(VIVS_TS_SAMPLER_CONFIG, n), below(4) ? 0 : VIVS_TS_SAMPLER_CONFIG_ENABLE);
	/* What says only what it may: cleared, or not. */
	set(e, VIV_AT(VIVS_TS_SAMPLER_STATUS_BASE, n), e->va[1] + DESC_AT + 0x1000);
	set(e, VIV_AT(VIVS_TS_SAMPLER_CLEAR_VALUE, n), random_word());
	set(e, VIV_AT(VIVS_TS_SAMPLER_CLEAR_VALUE2, n), random_word());
	if (s->halti < 5) {
		bool nte = s->halti >= 1;

#define SAMPLER(name, value) set(e, nte ? VIV_AT(VIVS_NTE_SAMPLER_##name, n) : VIV_AT(VIVS_TE_SAMPLER_##name, n), value)
		SAMPLER(CONFIG0, c0);
		SAMPLER(CONFIG1, c1);
		SAMPLER(SIZE, size);
		SAMPLER(LOG_SIZE, log);
		SAMPLER(LOD_CONFIG, lod);
		SAMPLER(3D_CONFIG, depth | below(3) << TE_SAMPLER_3D_CONFIG_WRAP__SHIFT);
#undef SAMPLER
		if (nte)
			set(e, VIV_AT(VIVS_NTE_SAMPLER_BASELOD, n), below(8) ? 0 : random_word() & TE_SAMPLER_BASELOD_COMPARE_ENABLE);
		set(e, nte ? VIV_AT(VIVS_NTE_SAMPLER_LINEAR_STRIDE, n) : VIV_AT2(VIVS_TE_SAMPLER_LINEAR_STRIDE, n, 0), linear);
		for (unsigned int i = 0; i < V3D_LEVELS; i++)
			set(e, nte ? VIV_AT2(VIVS_NTE_SAMPLER_ADDR_LOD, n, i) : VIV_AT2(VIVS_TE_SAMPLER_LOD_ADDR, n, i), va[i]);
		return;
	}
	d[TXDESC_CONFIG0 / 4] = c0;
	d[TXDESC_CONFIG1 / 4] = c1;
	d[TXDESC_CONFIG2 / 4] = below(4) ? 0 : random_word();
	d[TXDESC_SIZE / 4] = size;
	d[TXDESC_3D_CONFIG / 4] = depth;
	d[TXDESC_BASELOD / 4] = VIV_SET(TE_SAMPLER_BASELOD_BASELOD, below(8) ? 0 : below(3)) |
				VIV_SET(TE_SAMPLER_BASELOD_MAXLOD, below(14));
	d[TXDESC_LINEAR_STRIDE / 4] = linear;
	memcpy(d + TXDESC_LOD_ADDR / 4, va, sizeof(va));
	memcpy(e->map[1] + DESC_AT + n * TXDESC_BYTES, d, sizeof(d));
	ctrl = any(SAMPLER_CTRL, 0, odds);
	PUT(ctrl, VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIN, 1 + below(2));
	PUT(ctrl, VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MAG, 1 + below(2));
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, n), e->va[1] + DESC_AT + n * TXDESC_BYTES);
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0, n), ctrl);
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL1, n), log ? VIVS_NTE_DESCRIPTOR_SAMP_CTRL1_SRGB : 0);
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX, n), below(2) ? 0 : below(1600));
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS, n), below(4) ? 0 : random_word());
	set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_TX_CTRL, n), below(16) ? 0 : VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_ENABLE | (n << 2 & 0x1c));
	set(e, VIVS_NTE_DESCRIPTOR_CONTROL, VIVS_NTE_DESCRIPTOR_CONTROL_ENABLE);
}

/* --- Targets -------------------------------------------------------------------------------- */

/* Marks of tiles that are plain or cleared, and now and then one that hangs the chip. */
static void status(struct scene *s, uint32_t at, bool second)
{
	unsigned int bits = core_of(s)->chip->ts_bits;
	uint32_t *p = (uint32_t *)(s->e.map[second] + at);

	for (unsigned int i = 0; i < 0x800 / 4; i++)
		p[i] = random_word() & (bits == 2 ? 0x55555555 : 0x11111111) & (below(2) ? ~0u : random_word());
	if (!below(40))
		p[below(8)] |= 2;
}

static unsigned int bytes_of(uint32_t format)
{
	unsigned int bytes = v3d_color_bytes(format);

	return bytes ? bytes : 4;
}

static void targets(struct scene *s, unsigned int kind)
{
	unsigned int odds = kind == PIXELS ? 2 : 12, samples = below(kind == PIXELS ? 4 : 16) ? 0 : 1 + below(2);
	unsigned int fast = below(5), tiles = 1 + below(3);
	uint32_t format = any(COLOR_FORMAT, s->color_format, 8), logic = any(LOGIC, 0, 6), depth = any(DEPTH_CONFIG, 0, odds), pe, bytes;
	bool pipes = s->halti > 0 || s->e.id.pixel_pipes > 1, other = s->halti >= 2 && !samples && !below(8);
	struct env *e = &s->e;
	/* Strides that are no multiple of 16, of which a block's pixels may lie across a page's end. */
	uint32_t stride, more = below(24) ? 0 : 1 + below(15);

	PUT(format, VIVS_PE_COLOR_FORMAT_FORMAT_EXT, 0);
	pe = below(2) ? PE_FORMAT_A8R8G8B8 : below(4) ? any_value(VIV_KIND_PE_FORMAT) : PE_FORMAT_X8R8G8B8;
	PUT(format, VIVS_PE_COLOR_FORMAT_FORMAT, pe < 16 ? pe : 0);
	PUT(format, VIVS_PE_COLOR_FORMAT_FORMAT_EXT, pe < 16 ? 0 : pe);
	PUT(logic, VIVS_PE_LOGIC_OP_OP, below(5) ? LOGIC_OP_COPY : below(16));
	if (below(6))
		PUT(logic, VIVS_PE_LOGIC_OP_SRGB, 0);
	PUT(logic, VIVS_PE_LOGIC_OP_SINGLE_BUFFER, s->single ? below(3) : 0);
	has_alpha = pe == PE_FORMAT_A8R8G8B8 && !samples && !other && !more &&
		    (fast || !(tiles & VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR)) &&
		    VIV_GET(VIVS_PE_LOGIC_OP_OP, logic) == LOGIC_OP_COPY && !(logic & VIVS_PE_LOGIC_OP_SRGB);
	if (built == ALPHA) {
		PUT(format, VIVS_PE_COLOR_FORMAT_FORMAT, 0);
		PUT(format, VIVS_PE_COLOR_FORMAT_FORMAT_EXT, PE_FORMAT_A8);
		pe = PE_FORMAT_A8;
	}
	bytes = bytes_of(pe);
	stride = SIZE * bytes << (samples != 0);
	/* Rows of four samples would reach from the first pipe's part into the second's. */
	more = samples ? 0 : more;
	if (built == FAST) {
		parts[0] = (struct part){ 0, stride * PAD };
		parts[1] = (struct part){ DEPTH_AT, (SIZE * 4 << (samples != 0)) * PAD };
		parts[2] = (struct part){ STATUS_AT, ENV_BO - STATUS_AT };
		parts[3] = (struct part){ SECOND_AT, STATUS_AT - SECOND_AT };
		num_parts = 3 + other;
	}
	set(e, VIVS_PE_COLOR_FORMAT, format);
	set(e, VIVS_PE_LOGIC_OP, logic);
	set(e, VIVS_PE_COLOR_STRIDE, stride + more);
	set(e, VIVS_PE_DEPTH_STRIDE, (SIZE * 4 << (samples != 0)) + more);
	set(e, VIVS_PE_DEPTH_CONFIG, depth);
	for (unsigned int i = 0; pipes && i < 2; i++) {
		set(e, VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, i), e->va[0] + i * stride * PAD / 2);
		set(e, VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, i), e->va[0] + DEPTH_AT + i * (SIZE * 4 << (samples != 0)) * PAD / 2);
	}
	set(e, VIVS_GL_MULTI_SAMPLE_CONFIG, samples | (below(4) ? 0xf : below(16)) << 4);
	set(e, VIVS_PE_ALPHA_CONFIG, any(ALPHA_CONFIG, 0, odds));
	set(e, VIVS_PE_ALPHA_OP, any(ALPHA_OP, 0, kind == PIXELS ? 3 : 24));
	set(e, VIVS_PE_ALPHA_BLEND_COLOR, random_word());
	set(e, VIVS_PE_ALPHA_COLOR_EXT0, below(2) ? 0 : random_word() & 0xbfffbfff);
	set(e, VIVS_PE_ALPHA_COLOR_EXT1, below(2) ? 0 : random_word() & 0xbfffbfff);
	set(e, VIVS_PE_STENCIL_OP, any(STENCIL_OP, 0x70007, odds));
	set(e, VIVS_PE_STENCIL_CONFIG, any(STENCIL_CONFIG, 0, odds));
	set(e, VIVS_PE_STENCIL_CONFIG_EXT, any(STENCIL_EXT, 0, odds));
	set(e, VIVS_PE_STENCIL_CONFIG_EXT2, any(STENCIL_EXT2, 0, odds));
	set(e, VIVS_RA_EARLY_DEPTH, any(EARLY_DEPTH, 0x30, odds));
	setf(e, VIVS_PE_DEPTH_NORMALIZE, VIV_GET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, depth) ? 16777215.0f : 65535.0f);
	for (unsigned int i = 0; i < 2; i++)
		set(e, VIV_AT(VIVS_PE_DITHER, i), below(8) ? ~0u : random_word());
	set(e, VIVS_PE_MEM_CONFIG, VIV_SET(VIVS_PE_MEM_CONFIG_COLOR_TS_MODE, below(2)) |
	    VIV_SET(VIVS_PE_MEM_CONFIG_DEPTH_TS_MODE, below(2)));
	set(e, VIVS_TS_MEM_CONFIG, fast ? 0 : tiles);
	set(e, VIVS_TS_COLOR_STATUS_BASE, e->va[0] + STATUS_AT);
	set(e, VIVS_TS_DEPTH_STATUS_BASE, e->va[0] + STATUS_AT + 0x1000);
	set(e, VIVS_TS_COLOR_SURFACE_BASE, e->va[0]);
	set(e, VIVS_TS_DEPTH_SURFACE_BASE, e->va[0] + DEPTH_AT);
	set(e, VIVS_TS_COLOR_CLEAR_VALUE, random_word());
	set(e, VIVS_TS_DEPTH_CLEAR_VALUE, random_word());
	status(s, STATUS_AT, false);
	status(s, STATUS_AT + 0x1000, false);
	set(e, VIVS_PS_CONTROL, (below(4) ? VIVS_PS_CONTROL_SATURATE_RT0 : 0) | VIV_SET(VIVS_PS_CONTROL_RT_COUNT, other));
	if (!other)
		return;
	do
		pe = any_value(VIV_KIND_PE_FORMAT);
	while (bytes_of(pe) > 4);
	set(e, VIV_AT(VIVS_PE_RT_CONFIG_8, 0), VIV_SET(RT_CONFIG_FORMAT, pe) | VIV_SET(RT_CONFIG_STRIDE, SIZE * bytes_of(pe)) |
	    (below(2) ? RT_CONFIG_SUPER_TILED : 0));
	for (unsigned int i = 0; i < 2; i++)
		set(e, VIV_AT2(VIVS_PE_RT_ADDR_8_PIPE, 0, i), e->va[0] + SECOND_AT + i * 0x4000);
	set(e, VIV_AT(VIVS_PE_HALTI5_RT_COLORMASK, 0), below(16) | below(2) << 4);
	set(e, VIV_AT(VIVS_PE_HALTI5_RT_ALPHA_CONFIG, 0), any(ALPHA_CONFIG, 0, 2));
	set(e, VIVS_PS_OUTPUT_REG, 1 | below(3) << 8);
}

/* --- Vertices ------------------------------------------------------------------------------- */

/* The second element is of any type; so are indices. */
static void vertices(struct scene *s, unsigned int kind)
{
	uint32_t config = any(ELEMENT, 0, 1), c[2], c1[2], pa = any(PA_CONFIG, 0, kind == VERTICES ? 3 : 16);
	struct vert v[NUM_VERTS];
	struct env *e = &s->e;

	for (unsigned int i = 0; i < NUM_VERTS; i++)
		for (unsigned int k = 0; k < 4; k++) {
			v[i].pos[k] = k == 3 ? below(2) ? 1 : (float)random_in(below(8) ? 0.2 : -0.5, 2) : (float)random_in(-1.3, 1.3);
			v[i].attr[k] = (float)random_in(-1.5, 2.5);
			if (k == 2 && below(8))
				v[i].pos[k] = (float)random_in(0, 0.8);
		}
	scene_vertices(s, v, NUM_VERTS);
	PUT(pa, VIVS_PA_CONFIG_FILL_MODE, below(8) ? VIVS_PA_CONFIG_FILL_MODE_SOLID : below(3));
	if (below(4))
		PUT(pa, VIVS_PA_CONFIG_CULL_FACE_MODE, 0);
	set(e, VIVS_PA_CONFIG, pa | VIVS_PA_CONFIG_WIDE_LINE);
	set(e, VIVS_PA_SYSTEM_MODE, any(SYSTEM_MODE, 0x11, 4));
	setf(e, VIVS_PA_POINT_SIZE, (float)random_in(0, 12));
	setf(e, VIVS_PA_LINE_WIDTH, (float)random_in(0, 4));
	left = below(below(2) ? 1 : SIZE);
	right = 16 + below(SIZE - 15);
	setf(e, VIVS_SE_SCISSOR_LEFT, (float)left);
	setf(e, VIVS_SE_SCISSOR_TOP, (float)below(below(2) ? 1 : SIZE));
	setf(e, VIVS_SE_SCISSOR_RIGHT, (float)right + 0.06f);
	setf(e, VIVS_SE_SCISSOR_BOTTOM, (float)(8 + below(SIZE - 7)) + 0.06f);
	if (kind != VERTICES)
		return;
	PUT(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_START, 16 + below(8) * below(2));
	PUT(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM, below(8) ? 0 : below(3));
	PUT(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_ENDIAN, 0);
	config = (config & 0x00ffffff) | 32u << 24;
	c[0] = elements[0] | (s->halti >= 5 ? 0 : 0x80 | 16u << 24);
	c[1] = s->halti >= 5 ? config & 0x00ffffff : config;
	c1[0] = 16 | VIVS_NFE_GENERIC_ATTRIB_CONFIG1_NONCONSECUTIVE;
	c1[1] = 32 | VIVS_NFE_GENERIC_ATTRIB_CONFIG1_NONCONSECUTIVE;
	burst(e, s->halti >= 5 ? VIVS_NFE_GENERIC_ATTRIB_CONFIG0 : VIVS_FE_VERTEX_ELEMENT_CONFIG, c, ELEMENTS);
	if (s->halti >= 5)
		burst(e, VIVS_NFE_GENERIC_ATTRIB_CONFIG1, c1, ELEMENTS);
	/* Vertices may lie across pages, and their last ones where nothing is. */
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_CONTROL : VIVS_FE_VERTEX_STREAMS_CONTROL,
	    below(4) ? sizeof(struct vert) : below(80));
	if (below(4))
		return;
	memcpy(e->map[1] + 0x1000 - 40, v, sizeof(v));
	set(e, s->halti >= 2 ? VIVS_NFE_VERTEX_STREAMS_BASE_ADDR : VIVS_FE_VERTEX_STREAMS_BASE_ADDR,
	    e->va[1] + (below(8) ? 0x1000 - 40 : ENV_BO - below(400)));
}

/* The words from first on again, for each strip of the target. */
static void strips(struct env *e, unsigned int first)
{
	uint32_t again[64], n = e->n - first;

	if (built != STRIPS || left >= right)
		return;
	assert_true(n <= COUNT(again));
	memcpy(again, e->word + first, n * 4);
	e->n = first;
	for (uint32_t x = left / STRIP * STRIP; x < right; x += STRIP) {
		setf(e, VIVS_SE_SCISSOR_LEFT, (float)(x > left ? x : left));
		setf(e, VIVS_SE_SCISSOR_RIGHT, (float)(x + STRIP < right ? x + STRIP : right) + 0.06f);
		memcpy(e->word + e->n, again, n * 4);
		e->n += n;
	}
}

static void draw(struct scene *s, unsigned int kind)
{
	uint32_t type = kind == VERTICES || !below(4) ? 1 + below(8) : 4 + below(3), n = 1 + below(type == 5 || type == 6 ? 6 : 3);
	uint8_t *index = s->e.map[1] + INDEX_AT;
	struct env *e = &s->e;
	uint32_t size = below(3), at = below(8) ? 0 : 0xff0 + below(16);

	if (kind != VERTICES || below(3) == 0) {
		put(e, VIV_FE_COMMAND(DRAW_PRIMITIVES), type);
		put(e, below(3), n);
		return;
	}
	for (unsigned int i = 0; i < 64; i++)
		memcpy(index + at + (i << size), &(uint32_t){ below(30) ? below(NUM_VERTS) : ~0u }, 1u << size);
	set(e, VIVS_FE_INDEX_STREAM_BASE_ADDR, e->va[1] + INDEX_AT + at);
	set(e, VIVS_FE_INDEX_STREAM_CONTROL, size | (below(4) ? VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART : 0));
	set(e, VIVS_FE_PRIMITIVE_RESTART_INDEX, ~0u);
	if (s->halti >= 2 && !below(4)) {
		put(e, VIV_FE_COMMAND(DRAW_INSTANCED) | VIV_SET(VIV_FE_DRAW_INSTANCED_HEADER_TYPE, type) | (1 + below(3)) |
		    (below(2) ? VIV_FE_DRAW_INSTANCED_HEADER_INDEXED : 0), VIV_SET(VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT, n * 3));
		put(e, 0, 0);
		return;
	}
	put(e, VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES), type);
	n += below(30);
	put(e, below(8), n);
	put(e, 0, 0);
}

/* --- Copies --------------------------------------------------------------------------------- */

static void rs(struct scene *s)
{
	static const unsigned int layouts[] = {
		VIV_LAYOUT_LINEAR, VIV_LAYOUT_TILED, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER, VIV_LAYOUT_TILED | VIV_LAYOUT_MULTI,
		VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER | VIV_LAYOUT_MULTI,
	};
	unsigned int n = s->e.id.pixel_pipes > 1 ? COUNT(layouts) : 3, mode = below(2) ? 0 : 1 + below(3);
	unsigned int format = below(3) ? below(7) : any_value(VIV_KIND_RS_FORMAT), to = below(2) ? format : below(7);
	unsigned int layout = layouts[below(n)], stride = 64 << below(4), height;
	struct env *e = &s->e;

	rs_surface(e, false, below(2), stride, layout, format);
	layout = layouts[below(n)];
	rs_surface(e, true, 0, 64 << below(4), layout, to);
	e->rs_config |= any(RS_CONFIG, 0, 4) & (VIVS_RS_CONFIG_DOWNSAMPLE_X | VIVS_RS_CONFIG_DOWNSAMPLE_Y | VIVS_RS_CONFIG_SWAP_RB |
						VIVS_RS_CONFIG_FLIP);
	for (unsigned int k = 0; k < 4; k++)
		set(e, VIV_AT(VIVS_RS_FILL_VALUE, k), random_word());
	set(e, VIVS_RS_CLEAR_CONTROL, VIV_SET(VIVS_RS_CLEAR_CONTROL_MODE, mode) |
	    VIV_SET(VIVS_RS_CLEAR_CONTROL_BITS, below(2) ? 0xffff : random_word()));
	set(e, VIVS_RS_EXTRA_CONFIG, VIV_SET(VIVS_RS_EXTRA_CONFIG_ENDIAN, below(8) ? 0 : below(3)));
	set(e, VIVS_TS_MEM_CONFIG, below(2) ? 0 : VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	set(e, VIVS_TS_COLOR_STATUS_BASE, e->va[0] + STATUS_AT);
	set(e, VIVS_TS_COLOR_SURFACE_BASE, e->va[0]);
	set(e, VIVS_TS_COLOR_CLEAR_VALUE, random_word());
	status(s, STATUS_AT, false);
	height = 4 * (1 + below(12));
	rs_kick(e, 16 * (1 + below(4)), height);
}

static void blt_surface(struct env *e, bool dest, unsigned int bo)
{
	uint32_t stride = any(dest ? BLT_DEST : BLT_SRC, 0, 2), config = any(dest ? BLT_DEST_CONFIG : BLT_SRC_CONFIG, 0, 6);
	uint32_t format = below(2) ? BLT_FORMAT_A8R8G8B8 : any_value(VIV_KIND_BLT_FORMAT);

	PUT(stride, VIVS_BLT_SRC_STRIDE_STRIDE, 64 << below(5));
	if (dest)
		PUT(stride, VIVS_BLT_DEST_STRIDE_FORMAT, format);
	else
		PUT(stride, VIVS_BLT_SRC_STRIDE_FORMAT, format);
	set(e, dest ? VIVS_BLT_DEST_STRIDE : VIVS_BLT_SRC_STRIDE, stride);
	set(e, dest ? VIVS_BLT_DEST_CONFIG : VIVS_BLT_SRC_CONFIG, below(4) ? config & ~1u : config);
	set(e, dest ? VIVS_BLT_DEST_ADDR : VIVS_BLT_SRC_ADDR, e->va[bo] + (below(4) ? 0 : below(64)));
	set(e, dest ? VIVS_BLT_DEST_TS : VIVS_BLT_SRC_TS, e->va[0] + STATUS_AT + dest * 0x1000);
	set(e, dest ? VIVS_BLT_DEST_POS : VIVS_BLT_SRC_POS, below(2) ? 0 : below(16) * 4 | below(8) * 4 << 16);
}

static void blt(struct scene *s)
{
	struct env *e = &s->e;

	status(s, STATUS_AT, false);
	status(s, STATUS_AT + 0x1000, false);
	set(e, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	blt_surface(e, false, 1);
	blt_surface(e, true, 0);
	for (uint32_t a = VIVS_BLT_SRC_TS_CLEAR_VALUE0; a <= VIVS_BLT_CLEAR_BITS1; a += 4)
		set(e, a, a >= VIVS_BLT_CLEAR_BITS0 && below(2) ? ~0u : random_word());
	set(e, VIVS_BLT_CONFIG, any(BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, (1u << below(4)) - 1), 8));
	set(e, VIVS_BLT_IMAGE_SIZE, below(2) ? 4 * (1 + below(16)) | 4 * (1 + below(8)) << 16 : (1 + below(64)) | (1 + below(32)) << 16);
	set(e, VIVS_BLT_BUFFER_SIZE, 1 + below(4096));
	set(e, VIVS_BLT_INPLACE_TILE_COUNT, 1 + below(64));
	set(e, VIVS_BLT_COMMAND, below(8) ? 1 + below(2) : 1 + below(4));
	set(e, VIVS_BLT_ENABLE, 0);
}

static void build(struct scene *s, unsigned int kind)
{
	struct env *e = &s->e;

	e->n = 0;
	if (kind == COPIES) {
		parts[0] = (struct part){ 0, ENV_BO };
		num_parts = 1;
		for (unsigned int i = 1 + below(3); i; i--)
			(core_of(s)->chip->blt ? blt : rs)(s);
		return;
	}
	scene_states(s);
	program_words(s, true, pass.words, pass.count);
	targets(s, kind);
	for (unsigned int n = 0; n < 2; n++)
		sampler(s, n, kind == TEXTURES ? 3 : 8);
	status(s, DESC_AT + 0x1000, true);
	vertices(s, kind);
	for (unsigned int i = 1 + below(2); i; i--) {
		unsigned int first;

		shader(s, kind);
		first = e->n;
		draw(s, kind);
		strips(e, first);
	}
	set(e, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	set(e, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
}

/* --- What fast.h calls ------------------------------------------------------------ */

static void open_all(void)
{
	uint64_t before = random_state;

	find_fields();
	random_state = 1;
	fast_noise(noise, sizeof(noise));
	watch = fast_watch;
	pass.words = pass.words ? pass.words : assemble("vivante", vs_pass, &pass.count);
	for (unsigned int i = 0; i < COUNT(texts) && !programs[COUNT(texts) - 1].words; i++)
		programs[i].words = assemble("vivante", texts[i], &programs[i].count);
	for (unsigned int c = 0; c < CHIPS; c++)
		for (unsigned int w = 0; w < WAYS; w++) {
			struct scene *s = &scene[c][w];

			scene_open_as(s, chips[c], w == STRICT);
			s->e.expect_reports = true;
			s->e.n = 0;
			if (w == WATCHED)
				model_watch_pixel(host_model(s->e.host), &watch);
			if (w == THREADS) {
				host_model(s->e.host)->config.threads = 2;
				core_of(s)->p3d->stripe_pixels = 0;
				core_of(s)->p3d->slice = 60;
			}
			memcpy(s->e.map[0], noise, ENV_BO);
			memcpy(s->e.map[1], noise, ENV_BO);
			if (w == FAST)
				memcpy(fresh[c], core_of(s)->state, sizeof(fresh[c]));
		}
	random_state = before;
}

static bool same_memory(void)
{
	bool alike = true;

	for (unsigned int c = 0; c < CHIPS; c++)
		for (unsigned int w = 1; w < WAYS; w++)
			alike &= fast_same("textures", way_names[w], scene[c][FAST].e.map[1] + TEXTURE_AT, scene[c][w].e.map[1] + TEXTURE_AT,
					   ENV_BO - TEXTURE_AT) &&
				 (w == STRIPS || w == ALPHA || w == THREADS ||
				  fast_same("targets", way_names[w], scene[c][FAST].e.map[0], scene[c][w].e.map[0], ENV_BO));
	return alike;
}

struct done {
	enum host_status status;
	struct viv_perf perf;
	unsigned int reports;
	char last[256];
};

static void submit(struct scene *s, struct done *done)
{
	struct vivante *v = core_of(s);

	memset(&v->perf, 0, sizeof(v->perf));
	v->p3d->elements_loaded = 0;
	memset(v->p3d->uniforms, 0, sizeof(v->p3d->uniforms));
	memset(done, 0, sizeof(*done));
	s->e.reports = 0;
	s->e.last[0] = 0;
	assert_int_equal(host_submit_stream(s->e.host, HOST_PIPE_3D, s->e.word, s->e.n, &done->status), 0);
	striped += v->p3d->times_striped;
	v->p3d->times_striped = 0;
	done->perf = v->perf;
	done->reports = s->e.reports;
	memcpy(done->last, s->e.last, sizeof(done->last));
}

/* Before the job of ALPHA its target gets alpha of what the other's was; when it has run, it has that of what the other's is. */
static bool alphas(unsigned int chip, bool ran)
{
	const struct v3d_target *t = &core_of(&scene[chip][FAST])->p3d->pe.rt[0].target;
	const uint8_t *four = ran ? scene[chip][FAST].e.map[0] : (const uint8_t *)noise;
	uint8_t *one = scene[chip][ALPHA].e.map[0];

	for (uint32_t i = 0; i < SIZE * SIZE; i++) {
		unsigned int pipe;
		uint32_t from = viv_tile_offset(t->layout, t->mode, i % SIZE, i / SIZE, SIZE * 4, 4, &pipe) + pipe * SIZE * 4 * PAD / 2 + 3;
		uint32_t to = viv_tile_offset(t->layout, t->mode, i % SIZE, i / SIZE, SIZE, 1, &pipe) + pipe * SIZE * PAD / 2;

		if (!ran) {
			one[to] = four[from];
		} else if (one[to] != four[from]) {
			printf("# %s, %s: pixel %u, %u is %u, and %u the fast way\n", chips[chip], way_names[ALPHA], i % SIZE, i / SIZE, one[to],
			       four[from]);
			return false;
		}
	}
	return !ran || fast_same(chips[chip], way_names[ALPHA], scene[chip][FAST].e.map[0] + DEPTH_AT, one + DEPTH_AT, SIZE * 4 * PAD);
}

/*
 * Strict mode finds more to report; and of a job that does not end well its caches have not written all, as a real chip's.
 * In strips and on threads primitives come in another order: of two reasons to fail the other one may be the first.
 */
static bool same(unsigned int chip, enum way way, const struct done *fast, const struct done *other)
{
	const struct scene *a = &scene[chip][FAST], *b = &scene[chip][way];
	bool disordered = way == STRIPS || way == THREADS;
	bool alike = disordered && fast->status != HOST_OK ? other->status != HOST_OK : fast->status == other->status;

	if (!alike)
		printf("# %s, %s: status %d (%s), and %d (%s) the fast way\n", chips[chip], way_names[way], other->status,
		       host_error(b->e.host), fast->status, host_error(a->e.host));
	if ((way == WATCHED || (way == THREADS && fast->status == HOST_OK)) &&
	    (fast->reports != other->reports || strcmp(fast->last, other->last))) {
		printf("# %s, %s: %u reports, the last \"%s\", and %u, \"%s\" the fast way\n", chips[chip], way_names[way], other->reports,
		       other->last, fast->reports, fast->last);
		alike = false;
	}
	if (fast->status != HOST_OK)
		return alike;
	if (way == ALPHA)
		return alphas(chip, true) && alike;
	for (unsigned int i = 0; i < sizeof(fast->perf) / 4 && way != STRIPS; i++)
		if (((const uint32_t *)&fast->perf)[i] != ((const uint32_t *)&other->perf)[i]) {
			printf("# %s, %s: counter %u is %u, and %u the fast way\n", chips[chip], way_names[way], i,
			       ((const uint32_t *)&other->perf)[i], ((const uint32_t *)&fast->perf)[i]);
			alike = false;
		}
	for (unsigned int i = 0; i < num_parts; i++)
		alike &= fast_same(chips[chip], way_names[way], a->e.map[0] + parts[i].at, b->e.map[0] + parts[i].at, parts[i].bytes);
	return alike;
}

/* To the parts of a way what the first one's are before the job. */
static void renew(const struct scene *from, struct scene *to)
{
	for (unsigned int i = 0; i < num_parts; i++)
		memcpy(to->e.map[0] + parts[i].at, from->e.map[0] + parts[i].at, parts[i].bytes);
}

/* States that the stream has written, and parts of the BO, are as they were before. */
static void clear(struct scene *s, unsigned int chip)
{
	struct vivante *v = core_of(s);

	for (uint32_t i = 0, words; i < s->e.n; i += words) {
		uint32_t command = s->e.word[i], count = VIV_GET(VIV_FE_LOAD_STATE_HEADER_COUNT, command);
		uint32_t at = VIV_GET(VIV_FE_LOAD_STATE_HEADER_OFFSET, command);

		switch (command >> 27) {
		case VIV_FE_COMMAND(LOAD_STATE) >> 27:
			memcpy(&v->state[at], &fresh[chip][at], count * 4);
			words = (count + 2) & ~1u;
			break;
		case VIV_FE_COMMAND(DRAW_INDEXED_PRIMITIVES) >> 27:
			words = 6;
			break;
		default:	/* the other draws */
			words = 4;
		}
	}
	for (unsigned int i = 0; i < num_parts; i++)
		memcpy(s->e.map[0] + parts[i].at, (uint8_t *)noise + parts[i].at, parts[i].bytes);
	s->e.n = 0;
}

static bool run_all(unsigned int kind)
{
	static struct done done[WAYS];
	unsigned int chip = below(CHIPS);
	struct scene *fast = &scene[chip][FAST];
	uint64_t before = random_state;
	bool alike = true, too[WAYS] = { true, true, kind != COPIES && !below(3), false, kind != COPIES, true };

	random_state = before;
	has_alpha = false;
	build(fast, kind);
	too[ALPHA] = has_alpha;
	watch.x = (int32_t)below(SIZE);
	watch.y = (int32_t)below(SIZE);
	for (unsigned int w = 1; w < WAYS; w++) {
		struct scene *s = &scene[chip][w];

		if (!too[w])
			continue;

		renew(fast, s);
		memcpy(s->e.map[1], fast->e.map[1], TEXTURE_AT);
		memcpy(s->e.word, fast->e.word, fast->e.n * 4);
		s->e.n = fast->e.n;
	}
	for (built = STRIPS; built <= ALPHA; built++)
		if (too[built]) {
			random_state = before;
			build(&scene[chip][built], kind);
		}
	built = FAST;
	for (unsigned int w = 0; w < WAYS; w++) {
		if (!too[w] || (w == ALPHA && done[FAST].status != HOST_OK))
			continue;
		if (w == ALPHA)
			alphas(chip, false);
		submit(&scene[chip][w], &done[w]);
		alike &= !w || same(chip, w, &done[FAST], &done[w]);
	}
	fast_ended[done[FAST].status]++;
	for (unsigned int w = 0; w < WAYS; w++)
		clear(&scene[chip][w], chip);
	return alike;
}

int main(int argc, char **argv)
{
	static const struct fast_test test = { kinds, open_all, run_all, same_memory };
	int differ = fast_main(argc, argv, &test);

	/* The test as a whole has to meet it. */
	if (argc == 1 && !striped) {
		printf("# nothing was drawn in stripes\n");
		differ = 1;
	}

	for (unsigned int c = 0; c < CHIPS; c++)
		for (unsigned int w = 0; w < WAYS; w++)
			env_close(&scene[c][w].e);
	for (unsigned int i = 0; i < COUNT(texts); i++)
		free(programs[i].words);
	free(pass.words);
	return differ;
}
