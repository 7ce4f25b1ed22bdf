// SPDX-License-Identifier: MIT
/*
 * FE: index and vertex fetch, primitive assembly. Element and stream states:
 * rnndb state.xml and Mesa etnaviv_state.c, etnaviv_emit.c (which states which
 * generation uses); order of vertices: OpenGL ES 3.0, 2.8 and 2.14.
 */
#include "isa/half.h"
#include "model/vivante/viv3d.h"

enum prim { POINTS = 1, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, LINE_LOOP, QUADS };


/* --- Elements -------------------------------------------------------------- */

static const struct {
	uint8_t bytes;		/* of a component; 0: the element is one 32-bit word */
	uint8_t bits;
	bool is_signed;
	enum { T_INT, T_FLOAT, T_HALF, T_FIXED, T_PACKED, T_RAW, T_NONE } kind;
} type_of[16] = {
	[FE_DATA_TYPE_BYTE] = { 1, 8, true, T_INT },
	[FE_DATA_TYPE_UNSIGNED_BYTE] = { 1, 8, false, T_INT },
	[FE_DATA_TYPE_SHORT] = { 2, 16, true, T_INT },
	[FE_DATA_TYPE_UNSIGNED_SHORT] = { 2, 16, false, T_INT },
	[FE_DATA_TYPE_INT] = { 4, 32, true, T_INT },
	[FE_DATA_TYPE_UNSIGNED_INT] = { 4, 32, false, T_INT },
	[FE_DATA_TYPE_INT_2_10_10_10_REV] = { 0, 10, true, T_PACKED },
	[FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV] = { 0, 10, false, T_PACKED },
	[FE_DATA_TYPE_FLOAT] = { 4, 32, false, T_FLOAT },
	[FE_DATA_TYPE_HALF_FLOAT] = { 2, 16, false, T_HALF },
	[10] = { 0, 0, false, T_NONE },
	[FE_DATA_TYPE_FIXED] = { 4, 32, true, T_FIXED },
	[FE_DATA_TYPE_INT_10_10_10_2] = { 0, 10, true, T_PACKED },
	[FE_DATA_TYPE_UNSIGNED_INT_10_10_10_2] = { 0, 10, false, T_PACKED },
	/* GUESS(fe-integer-sign): integers of a shader are not sign extended: one code serves both. */
	[FE_DATA_TYPE_BYTE_I] = { 1, 8, false, T_RAW },
	[FE_DATA_TYPE_SHORT_I] = { 2, 16, false, T_RAW },
};

/* An integer of so many bits as the shader's float. Signed ones are c / (2^(b-1) - 1), as in OpenGL ES 3.0. */
static float convert(uint32_t raw, unsigned int bits, bool is_signed, bool normalize)
{
	double v = is_signed ? (double)((int32_t)(raw << (32 - bits)) >> (32 - bits)) : (double)raw;

	if (!normalize)
		return (float)v;
	v /= is_signed ? (double)((1ull << (bits - 1)) - 1) : (double)((1ull << bits) - 1);
	return (float)(v < -1 ? -1 : v);
}

static void unpack(const struct v3d_element *e, uint32_t word, uint32_t out[4])
{
	bool rev = e->type == FE_DATA_TYPE_INT_2_10_10_10_REV || e->type == FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV;
	bool is_signed = type_of[e->type].is_signed;

	for (unsigned int c = 0; c < 4; c++) {
		unsigned int bits = c == 3 ? 2 : 10;
		unsigned int shift = rev ? c * 10 : c == 3 ? 0 : 22 - c * 10;

		out[c] = as_bits(convert(word >> shift & ((1u << bits) - 1), bits, is_signed, e->normalize));
	}
}

/* Words of one page, where nobody looks on. False: it is not that easy. */
static inline bool quick_words(const struct unit *port, uint32_t va, unsigned int count, uint32_t *out)
{
	const uint8_t *page = unit_page(port, va);

	if (!page || unit_strict(port) || va % MODEL_PAGE + count * 4 > MODEL_PAGE)
		return false;
	for (unsigned int i = 0; i < count; i++)
		memcpy(&out[i], page + va % MODEL_PAGE + i * 4, 4);
	return true;
}

/* One attribute of one vertex. */
static bool fetch_element(struct viv3d *p, const struct v3d_element *e, uint32_t index, uint32_t out[4])
{
	struct v3d_stream *s = &p->fetch.stream[e->stream];
	struct unit *port = p->v->port[VIV_PORT_FE];
	unsigned int size = type_of[e->type].bytes;
	uint8_t raw[16] = { 0 };
	uint32_t word;

	out[0] = out[1] = out[2] = 0;
	out[3] = e->one;
	p->v->perf.mc_read_8b_ip += ((size ? size * e->components : 4) + 7) / 8;
	if (type_of[e->type].kind == T_FLOAT && quick_words(port, s->base + index * s->stride + e->offset, e->components, out))
		return true;
	viv_cache_check(p->v, "fe", s->base + index * s->stride + e->offset, size ? size * e->components : 4);
	if (!unit_read(port, s->base + index * s->stride + e->offset, raw, size ? size * e->components : 4))
		return false;
	if (type_of[e->type].kind == T_PACKED) {
		memcpy(&word, raw, 4);
		unpack(e, word, out);
		return true;
	}
	for (unsigned int c = 0; c < e->components; c++) {
		word = 0;
		memcpy(&word, raw + c * size, size);
		switch (type_of[e->type].kind) {
		case T_INT:
			word = as_bits(convert(word, size * 8, type_of[e->type].is_signed, e->normalize));
			break;
		case T_HALF:
			word = as_bits(half_to_float((uint16_t)word));
			break;
		case T_FIXED:
			word = as_bits((float)((int32_t)word / 65536.0));
			break;
		default:
			break;
		}
		out[c] = word;
	}
	return true;
}

static bool decode_element(struct viv3d *p, unsigned int i)
{
	struct vivante *v = p->v;
	struct v3d_element *e = &p->fetch.element[i];
	bool halti5 = v->chip->halti >= 5;
	uint32_t address = halti5 ? VIV_AT(VIVS_NFE_GENERIC_ATTRIB_CONFIG0, i) : VIV_AT(VIVS_FE_VERTEX_ELEMENT_CONFIG, i);
	uint32_t w = viv_state(v, address), one = as_bits(1);
	unsigned int n = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM, w);

	/* The fields of both generations lie alike but for the end. */
	e->type = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE, w);
	e->stream = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM, w);
	e->components = n ? n : 4;
	e->normalize = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE, w);
	e->offset = VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_START, w);
	/* GUESS(fe-attrib-scale): GENERIC_ATTRIB_SCALE is what a missing w becomes: Mesa puts 1 in the attribute's type there. */
	if (halti5)
		one = viv_state(v, VIV_AT(VIVS_NFE_GENERIC_ATTRIB_SCALE, i));
	else if (v->chip->halti >= 2)
		one = viv_state(v, VIV_AT(VIVS_FE_GENERIC_ATTRIB_SCALE, i));
	e->one = one;
	if (type_of[e->type].kind == T_NONE) {
		viv_report(v, "fe", "state 0x%05x = 0x%08x: vertex element of unknown type %u", address, w, e->type);
		return false;
	}
	if (VIV_GET(VIVS_FE_VERTEX_ELEMENT_CONFIG_ENDIAN, w))
		viv_report(v, "fe", "state 0x%05x = 0x%08x: byte order of vertex elements is not modelled", address, w);
	return true;
}

static void decode_stream(struct viv3d *p, unsigned int i)
{
	struct vivante *v = p->v;
	struct v3d_stream *s = &p->fetch.stream[i];
	uint32_t control;

	if (v->chip->halti >= 2) {
		s->base = viv_state(v, VIV_AT(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR, i));
		s->stride = VIV_GET(VIVS_NFE_VERTEX_STREAMS_CONTROL_VERTEX_STRIDE,
				    viv_state(v, VIV_AT(VIVS_NFE_VERTEX_STREAMS_CONTROL, i)));
		s->divisor = viv_state(v, VIV_AT(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR, i));
		return;
	}
	if (v->chip->stream_count > 1 && i < VIVS_FE_VERTEX_STREAMS_BASE_ADDR__LEN) {
		s->base = viv_state(v, VIV_AT(VIVS_FE_VERTEX_STREAMS_BASE_ADDR, i));
		control = viv_state(v, VIV_AT(VIVS_FE_VERTEX_STREAMS_CONTROL, i));
	} else {
		s->base = viv_state(v, VIVS_FE_VERTEX_STREAM_BASE_ADDR);
		control = viv_state(v, VIVS_FE_VERTEX_STREAM_CONTROL);
	}
	s->stride = VIV_GET(FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE, control);
	s->divisor = VIV_GET(FE_VERTEX_STREAM_CONTROL_VERTEX_DIVISOR, control);
}

/* --- The draw ---------------------------------------------------------------- */

/*
 * Vertices of so many primitives. GUESS(fe-restart-count): with primitive restart the count is
 * still that of indices, as if there were none: what Mesa means by it.
 */
static uint64_t vertices_of(uint32_t type, uint64_t n)
{
	switch (type) {
	case LINES: return n * 2;
	case LINE_STRIP: return n + 1;
	case TRIANGLES: return n * 3;
	case TRIANGLE_STRIP: case TRIANGLE_FAN: return n + 2;
	case QUADS: return n * 4;
	default: return n;
	}
}

static bool index_start(struct viv3d *p)
{
	struct v3d_fetch *f = &p->fetch;
	uint32_t control = viv_state(p->v, VIVS_FE_INDEX_STREAM_CONTROL);

	f->index_bytes = 0;
	f->restart = false;
	if (!f->draw.indexed)
		return true;
	if (VIV_GET(VIVS_FE_INDEX_STREAM_CONTROL_TYPE, control) == 3) {
		viv_report(p->v, "fe", "state 0x00648 = 0x%08x: unknown type of index", control);
		return false;
	}
	f->index_bytes = 1u << VIV_GET(VIVS_FE_INDEX_STREAM_CONTROL_TYPE, control);
	f->restart = control & VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART;
	f->restart_index = viv_state(p->v, VIVS_FE_PRIMITIVE_RESTART_INDEX);
	return true;
}

static void instance_start(struct v3d_fetch *f)
{
	f->next = 0;
	f->fed = 0;
}

bool v3d_fetch_start(struct viv3d *p, const struct viv_draw *draw)
{
	struct v3d_fetch *f = &p->fetch;
	struct vivante *v = p->v;
	uint64_t total;

	f->draw = *draw;
	if (draw->type < POINTS || draw->type > QUADS) {
		viv_report(v, "fe", "draw of unknown primitive type %u", draw->type);
		return false;
	}
	total = draw->vertices ? draw->vertices : vertices_of(draw->type, draw->primitives);
	if (draw->primitives && total > UINT32_MAX) {
		viv_report(v, "fe", "draw of %u primitives", draw->primitives);
		return false;
	}
	f->total = draw->primitives || draw->vertices ? (uint32_t)total : 0;
	f->instance = 0;
	f->num_prims = f->next_prim = 0;
	f->last_provokes = viv_state(v, VIVS_PA_SYSTEM_MODE) & VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST;
	instance_start(f);
	if (!index_start(p))
		return false;
	f->num_elements = p->elements_loaded;
	for (unsigned int i = 0; i < f->num_elements; i++)
		if (!decode_element(p, i))
			return false;
	for (unsigned int i = 0; i < V3D_STREAMS; i++)
		decode_stream(p, i);
	return true;
}

/* --- Assembly ------------------------------------------------------------------ */

static void emit(struct v3d_fetch *f, unsigned int n, unsigned int a, unsigned int b, unsigned int c,
		 unsigned int provoking)
{
	f->prim[f->num_prims++] = (struct v3d_prim){ (uint8_t)n, { (uint8_t)a, (uint8_t)b, (uint8_t)c }, (uint8_t)provoking };
}

static void line(struct v3d_fetch *f, unsigned int a, unsigned int b)
{
	emit(f, 2, a, b, b, f->last_provokes ? b : a);
}

/* Closes what is open: the end of an instance, or a restart. */
static void finish(struct v3d_fetch *f)
{
	if (f->draw.type == LINE_LOOP && f->fed >= 2)
		line(f, f->back[0], f->first);
	f->fed = 0;
}

static void feed(struct v3d_fetch *f, unsigned int slot)
{
	unsigned int a = f->back[1], b = f->back[0], last = f->last_provokes;
	uint32_t n = f->fed++;

	if (!n)
		f->first = (uint8_t)slot;
	switch (f->draw.type) {
	case POINTS:
		emit(f, 1, slot, slot, slot, slot);
		break;
	case LINES:
		if (n & 1)
			line(f, b, slot);
		break;
	case LINE_STRIP: case LINE_LOOP:
		if (n)
			line(f, b, slot);
		break;
	case TRIANGLES:
		if (n % 3 == 2)
			emit(f, 3, a, b, slot, last ? slot : a);
		break;
	case TRIANGLE_STRIP:
		if (n >= 2 && n & 1)
			emit(f, 3, b, a, slot, last ? slot : a);
		else if (n >= 2)
			emit(f, 3, a, b, slot, last ? slot : a);
		break;
	case TRIANGLE_FAN:
		if (n >= 2)
			emit(f, 3, f->first, b, slot, last ? slot : b);
		break;
	case QUADS:
		if (n % 4 == 3) {
			emit(f, 3, f->back[2], a, slot, last ? slot : f->back[2]);
			emit(f, 3, a, b, slot, last ? slot : f->back[2]);
		}
		break;
	}
	f->back[2] = f->back[1];
	f->back[1] = f->back[0];
	f->back[0] = (uint8_t)slot;
}

/* Vertices that the next chunk may need move to the slots below it. */
static void carry(struct v3d_fetch *f)
{
	uint8_t from[V3D_CARRY] = { f->first, f->back[2], f->back[1], f->back[0] };
	struct v3d_vertex keep[V3D_CARRY];

	for (unsigned int i = 0; i < V3D_CARRY; i++)
		keep[i] = f->vertex[from[i]];
	memcpy(f->vertex, keep, sizeof(keep));
	f->first = 0;
	f->back[2] = 1;
	f->back[1] = 2;
	f->back[0] = 3;
}

/* --- A chunk: indices, unique vertices, shader, assembly --------------------------- */

static bool fetch_index(struct viv3d *p, uint32_t n, uint32_t *index, bool *restart)
{
	struct v3d_fetch *f = &p->fetch;
	const uint8_t *page;
	uint32_t v = 0, va;

	*restart = false;
	if (!f->index_bytes) {
		*index = f->draw.first + n;
		return true;
	}
	va = viv_state(p->v, VIVS_FE_INDEX_STREAM_BASE_ADDR) + (f->draw.first + n) * f->index_bytes;
	page = unit_page(p->v->port[VIV_PORT_FE], va);
	if (f->index_bytes == 2 && page && !(va & 1) && !unit_strict(&p->v->u)) {
		memcpy(&v, page + va % MODEL_PAGE, 2);
	} else {
		viv_cache_check(p->v, "fe", va, f->index_bytes);
		if (!unit_read(p->v->port[VIV_PORT_FE], va, &v, f->index_bytes))
			return false;
	}
	/* GUESS(fe-restart-width): the restart index is compared as wide as the indices are. */
	*restart = f->restart && v == (f->restart_index & (0xffffffffu >> (32 - 8 * f->index_bytes)));
	*index = v + (uint32_t)f->draw.base_vertex;
	return true;
}

static bool shade(struct viv3d *p, const uint32_t *index, unsigned int count, unsigned int slot)
{
	static const uint32_t none[4];
	struct v3d_fetch *f = &p->fetch;
	uint32_t input[V3D_ELEMENTS][4][V3D_LANES];
	struct v3d_vertex *out[V3D_LANES];

	for (unsigned int l = 0; l < V3D_LANES; l++) {
		out[l] = l < count ? &f->vertex[slot + l] : NULL;
		for (unsigned int e = 0; e < f->num_elements; e++) {
			const struct v3d_stream *s = &f->stream[f->element[e].stream];
			uint32_t v[4], n = s->divisor && f->draw.instanced ? f->instance / s->divisor : l < count ? index[l] : 0;

			memcpy(v, none, sizeof(v));
			if (l < count && !fetch_element(p, &f->element[e], n, v))
				return false;
			for (unsigned int c = 0; c < 4; c++)
				input[e][c][l] = v[c];
		}
	}
	return v3d_run_vs(p, input, index, count, out);
}

bool v3d_fetch_chunk(struct viv3d *p)
{
	struct v3d_fetch *f = &p->fetch;
	uint32_t index[V3D_CHUNK], unique[V3D_CHUNK];
	uint8_t slot[V3D_CHUNK];
	bool restart[V3D_CHUNK];
	unsigned int n = 0, u = 0, i, j;

	f->num_prims = f->next_prim = 0;
	if (f->instance >= f->draw.instances || !f->total)
		return false;
	for (; n < V3D_CHUNK && f->next + n < f->total; n++) {
		if (!fetch_index(p, f->next + n, &index[n], &restart[n]))
			goto fault;
		if (restart[n])
			continue;
		for (j = 0; j < u && unique[j] != index[n]; j++)
			;
		if (j == u)
			unique[u++] = index[n];
		slot[n] = (uint8_t)(V3D_CARRY + j);
	}
	carry(f);
	for (i = 0; i < u; i += V3D_LANES)
		if (!shade(p, unique + i, u - i < V3D_LANES ? u - i : V3D_LANES, V3D_CARRY + i))
			goto fault;
	p->v->perf.pa_input_vtx += n;
	for (i = 0; i < n; i++) {
		if (restart[i])
			finish(f);
		else
			feed(f, slot[i]);
	}
	f->next += n;
	if (f->next == f->total) {
		finish(f);
		f->instance++;
		instance_start(f);
	}
	p->budget -= (int)u * 8;
	return true;
fault:
	if (!p->v->hung)
		p->fault = true;
	return false;
}
