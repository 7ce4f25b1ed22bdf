// SPDX-License-Identifier: MIT
/*
 * What is wrong with a stream. The ways to hang the GPU are those of etna_viv hardware.md
 * (etna_viv's hardware.md): "Ways I've already made it crash", resolve sizes,
 * order of cache flushes.
 */
#include <stdarg.h>
#include <stdio.h>

#include "lib/vivante/check.h"

static void tell(struct viv_check *c, struct viv_finding *f, const char *format, va_list args)
{
	vsnprintf(f->text, sizeof(f->text), format, args);
	if (f->severity == VIV_ERROR)
		c->stats->errors++;
	else if (f->severity == VIV_WARNING)
		c->stats->warnings++;
	if (c->sink && c->sink->finding)
		c->sink->finding(c->sink->ctx, f);
}

void viv_check_fail(struct viv_check *c, enum viv_severity severity, size_t at, const char *rule,
		    const char *format, ...)
{
	struct viv_finding f = { .severity = severity, .at = at, .rule = rule };
	va_list args;

	va_start(args, format);
	tell(c, &f, format, args);
	va_end(args);
}

/* The same of what hangs: busy is who stays at work. */
static void __attribute__((format(printf, 6, 7)))
hangs(struct viv_check *c, enum viv_severity severity, uint32_t busy, size_t at, const char *rule, const char *format, ...)
{
	struct viv_finding f = {
		.severity = severity, .at = at, .rule = rule, .hangs = busy, .stage = c->stage,
		.instruction = c->instruction,
	};
	va_list args;

	va_start(args, format);
	tell(c, &f, format, args);
	va_end(args);
}

#define FE	VIVS_HI_IDLE_STATE_FE
#define PE	VIVS_HI_IDLE_STATE_PE
#define SH	VIVS_HI_IDLE_STATE_SH
#define TX	VIVS_HI_IDLE_STATE_TX
#define BLT	VIVS_HI_IDLE_STATE_BL

static bool is_set(const struct viv_check *c, uint32_t address)
{
	return c->set_at[address / 4];
}

static uint32_t get(const struct viv_check *c, uint32_t address)
{
	return c->value[address / 4];
}

/* --- Single states ------------------------------------------------------ */

static void check_access(struct viv_check *c, const struct viv_word *w)
{
	char name[80];

	if (!w->row) {
		c->stats->unknown_states++;
		viv_check_fail(c, VIV_ERROR, w->at, "state", "no state is known at 0x%05x", w->address);
		return;
	}
	limn_viv_state_text(w->row, w->index, name, sizeof(name));
	if (w->row->flags & VIV_HOST)
		viv_check_fail(c, VIV_ERROR, w->at, "host-register", "%s is a register of the host", name);
	else if (w->row->flags & VIV_KERNEL && (w->value || !(w->row->flags & VIV_ZERO)))
		viv_check_fail(c, c->flags & VIV_DECODE_USER ? VIV_ERROR : VIV_NOTE, w->at, "kernel-state",
			       "%s is the kernel's to write", name);
	if (w->row->kind == VIV_KIND_ADDR && w->fixed)
		viv_check_fail(c, VIV_WARNING, w->at, "fixed-address",
			       "%s is an address, and is converted from fixed point", name);
}

/* The only legal destination of a flush is what has been drawn before it. */
static void check_flush(struct viv_check *c, const struct viv_word *w)
{
	uint32_t both = VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH;

	if ((w->value & both) == both)
		c->flushed = true;
	if (w->value & VIVS_GL_FLUSH_CACHE_TEXTUREVS)
		c->vs_flush = true;
}

static void check_ts_flush(struct viv_check *c, const struct viv_word *w)
{
	if (c->drawn && !(c->flushed && c->stalled))
		viv_check_fail(c, VIV_WARNING, w->at, "ts-flush",
			       "tile status flushed after a draw without %s: hangs",
			       c->flushed ? "a stall for PE" : "a flush of colour and depth");
}

static void check_scissor(struct viv_check *c, const struct viv_word *w)
{
	if (w->fixed && (w->value & 0xffff) == 5)
		hangs(c, VIV_NOTE, VIVS_HI_IDLE_STATE_SE, w->at, "scissor",
		      "%s ends in a fraction of 5/65536: hung a GC600 at 1920x1080",
		      w->address == VIVS_SE_SCISSOR_RIGHT ? "SE.SCISSOR_RIGHT" : "SE.SCISSOR_BOTTOM");
}

static void check_pipe(struct viv_check *c, const struct viv_word *w)
{
	if (is_set(c, VIVS_GL_PIPE_SELECT) && get(c, VIVS_GL_PIPE_SELECT) != w->loaded && !c->stalled)
		viv_check_fail(c, VIV_WARNING, w->at, "pipe-switch",
			       "pipe changed without a stall of FE for PE");
}

static bool blt_is_off(const struct viv_check *c)
{
	return is_set(c, VIVS_BLT_ENABLE) && !(get(c, VIVS_BLT_ENABLE) & VIVS_BLT_ENABLE_ENABLE);
}

static void token(struct viv_check *c, size_t at, uint32_t value, bool arm, const char *what)
{
	uint32_t from = VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_FROM, value);
	uint32_t to = VIV_GET(VIVS_GL_SEMAPHORE_TOKEN_TO, value);

	if (arm) {
		if (to == SYNC_RECIPIENT_BLT && blt_is_off(c))
			hangs(c, VIV_ERROR, BLT, at, "blt-enable", "a semaphore to BLT while BLT_ENABLE is 0: hangs");
		c->armed[from][to] = true;
		return;
	}
	if (!c->armed[from][to])
		hangs(c, VIV_WARNING, from == SYNC_RECIPIENT_FE ? FE : PE, at, "semaphore",
		      "%s waits for a semaphore that this stream has not armed: hangs", what);
	c->armed[from][to] = false;
	if (to == SYNC_RECIPIENT_PE) {
		c->stalled = true;
		c->vs_flush = false;
	}
}

/* --- Resolve -------------------------------------------------------------- */

static void check_resolve(struct viv_check *c, size_t at)
{
	uint32_t config = get(c, VIVS_RS_CONFIG), size = get(c, VIVS_RS_WINDOW_SIZE);
	uint32_t width = VIV_GET(VIVS_RS_WINDOW_SIZE_WIDTH, size);
	uint32_t height = VIV_GET(VIVS_RS_WINDOW_SIZE_HEIGHT, size);
	uint32_t clear = VIV_GET(VIVS_RS_CLEAR_CONTROL_MODE, get(c, VIVS_RS_CLEAR_CONTROL));
	const char *why = viv_rs_hangs(width, height, config & VIVS_RS_CONFIG_SOURCE_TILED,
				       config & VIVS_RS_CONFIG_DEST_TILED, clear);

	if (*why && is_set(c, VIVS_RS_CONFIG) && is_set(c, VIVS_RS_WINDOW_SIZE))
		hangs(c, VIV_ERROR, PE, at, "resolve-size", "resolve of %ux%u pixels: %s: hangs", width, height, why);
	if (is_set(c, VIVS_GL_PIPE_SELECT) && get(c, VIVS_GL_PIPE_SELECT) == PIPE_ID_PIPE_2D)
		hangs(c, VIV_ERROR, PE, at, "pipe", "a resolve in the 2D pipe: hangs");
}

/* --- BLT ------------------------------------------------------------------- */

static void check_blt(struct viv_check *c, size_t at)
{
	uint32_t levels = VIV_GET(VIVS_BLT_MIPMAP_CONFIG_NUM, get(c, VIVS_BLT_MIPMAP_CONFIG));

	if (blt_is_off(c))
		hangs(c, VIV_ERROR, BLT, at, "blt-enable", "BLT_COMMAND while BLT_ENABLE is 0: hangs");
	if (VIV_GET(VIVS_BLT_COMMAND_COMMAND, get(c, VIVS_BLT_COMMAND)) == VIVS_BLT_COMMAND_COMMAND_GEN_MIPMAPS &&
	    is_set(c, VIVS_BLT_MIPMAP_CONFIG) && (levels < 2 || levels > VIVS_BLT_MIP_ADDR__LEN + 1))
		hangs(c, VIV_ERROR, BLT, at, "mipmaps", "mipmaps of %u levels: hangs", levels);
}

/* --- OpenCL ---------------------------------------------------------------- */

static void check_kick(struct viv_check *c, size_t at)
{
	uint32_t size[3] = { 1, 1, 1 }, dimensions = VIV_GET(VIVS_CL_CONFIG_DIMENSIONS, get(c, VIVS_CL_CONFIG));
	uint64_t items = 1;

	for (uint32_t d = 0; d < dimensions && items <= VIV_GROUP_ITEMS; d++) {
		uint32_t newer = VIVS_CL_WORKGROUP_SIZE_X + 4 * d, older = VIVS_CL_WORKGROUP_X + 4 * d;

		/* Chips that have the newer ones do not heed the older ones: a guess of the model (walk.c). */
		size[d] += is_set(c, newer) ? get(c, newer) : VIV_GET(CL_WORKGROUP_DIM_SIZE, get(c, older));
		items *= size[d];
	}
	if (!items || items > VIV_GROUP_ITEMS)
		hangs(c, VIV_WARNING, SH, at, "work-group",
		      "a work group of %ux%ux%u items: nobody knows what a core does with more than %u",
		      size[0], size[1], size[2], VIV_GROUP_ITEMS);
}

/* --- Draws ---------------------------------------------------------------- */

/* Fields of the shader instruction, rnndb isa.xml: opcode 5:0 and bit 80, destination, sampler. */
static unsigned int opcode_of(const uint32_t *i)
{
	return (i[0] & 0x3f) | (i[2] >> 10 & 0x40);
}

static bool is_texture(unsigned int opcode)
{
	return opcode >= 0x18 && opcode <= 0x1c;	/* TEXLD, TEXLDB, TEXLDD, TEXLDL, TEXLDP */
}

#define MAX_INSTRUCTIONS	0x10000	/* PCs have 16 bits */

struct shader {
	const char *name;
	uint32_t code;			/* state address of instruction 0 */
	bool in_memory;			/* instead of it */
	const uint32_t *words;		/* that has instruction 0; NULL: not known */
	size_t num_words;
	uint32_t start, end;		/* instructions, end not included */
	uint32_t temps;
	bool known_temps;
};

/* NULL: the stream has not loaded it, or nobody knows that memory. */
static const uint32_t *instruction(const struct viv_check *c, const struct shader *s, uint32_t i)
{
	uint32_t address = s->code + 16 * i;

	if (s->in_memory)
		return i < s->num_words / 4 ? s->words + 4 * (size_t)i : NULL;
	if (i >= VIV_STATE_SPACE / 16 || address + 16 > VIV_STATE_SPACE)
		return NULL;
	/* Pixel shaders come in through a second window onto the same memory. */
	if (s->code == VIVS_SH_INST_MEM && !is_set(c, address))
		address -= VIVS_SH_INST_MEM - VIVS_SH_INST_MEM_MIRROR;
	return is_set(c, address) && is_set(c, address + 12) ? &c->value[address / 4] : NULL;
}

/* As far as it is known; a note, where the stream itself has not said so. Cores of HALTI5 have it in memory. */
static bool sampler_is_off(const struct viv_check *c, uint32_t unit, enum viv_severity *severity)
{
	uint32_t te = VIV_AT(VIVS_TE_SAMPLER_CONFIG0, unit), nte = VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, unit), config;
	uint32_t descriptor = VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, unit), state = is_set(c, nte) ? nte : te;
	const uint32_t *words;
	size_t n = 0;

	if (is_set(c, descriptor)) {
		words = c->sink && c->sink->memory ? c->sink->memory(c->sink->ctx, get(c, descriptor), &n) : NULL;
		if (!words || n < TXDESC_BYTES / 4)
			return false;
		state = descriptor;
		config = words[TXDESC_CONFIG0 / 4];
	} else {
		if (state == te && (unit >= VIVS_TE_SAMPLER_CONFIG0__LEN || !is_set(c, te)))
			return false;
		config = get(c, state);
	}
	*severity = c->set_at[state / 4] == VIV_SET_BEFORE ? VIV_NOTE : VIV_ERROR;
	return VIV_GET(TE_SAMPLER_CONFIG0_TYPE, config) == TEXTURE_TYPE_NONE;
}

/* Each instruction that the stream has loaded, or that is in memory. */
static void check_code(struct viv_check *c, size_t at, const struct shader *s)
{
	enum viv_severity severity = VIV_ERROR;
	uint32_t loaded = 0, first = 0;

	if ((s->end || s->in_memory) && s->end <= s->start)
		hangs(c, VIV_ERROR, SH, at, "shader-length", "%s runs from %u to %u, which is no program: hangs", s->name,
		      s->start, s->end);
	if (s->in_memory && s->end > MAX_INSTRUCTIONS)
		hangs(c, VIV_ERROR, SH, at, "shader-length", "%s runs from %u to %u, but PCs end at %u: hangs", s->name, s->start,
		      s->end, MAX_INSTRUCTIONS);
	for (uint32_t i = s->start; i < s->end; i++) {
		const uint32_t *w = instruction(c, s, i);

		if (!w && (s->in_memory || i >= MAX_INSTRUCTIONS))
			break;
		if (!w) {
			first = loaded == i - s->start ? i : first;
			continue;
		}
		loaded++;
		c->stage = *s->name;
		c->instruction = i - s->start;
		if ((w[0] & 0x1000) && s->known_temps && (w[0] >> 16 & 0x7f) >= s->temps)
			hangs(c, VIV_ERROR, SH, at, "temporaries", "%s instruction %u writes t%u, but NUM_TEMPS is %u: hangs",
			      s->name, i, w[0] >> 16 & 0x7f, s->temps);
		if (is_texture(opcode_of(w)) && sampler_is_off(c, w[0] >> 27 & 31, &severity))
			hangs(c, severity, TX, at, "texture", "%s instruction %u samples unit %u, which is off: hangs", s->name,
			      i, w[0] >> 27 & 31);
		c->stage = 0;
	}
	if (loaded && !s->in_memory && loaded != s->end - s->start)
		hangs(c, VIV_ERROR, SH, at, "shader-length", "%s runs from %u to %u, but instruction %u is not loaded: hangs",
		      s->name, s->start, s->end, first);
}

/* States that say where a program in memory is. */
struct place {
	uint32_t address, start, end, range, new_low, new_high;
};

/* Cores with an instruction cache: GC3000, where the cache is on, those of HALTI5 always. */
static void find_in_memory(const struct viv_check *c, struct shader *s, const struct place *p)
{
	if (!is_set(c, p->address))
		return;
	if (is_set(c, p->new_high)) {
		s->start = get(c, p->new_low);
		s->end = get(c, p->new_high);
	} else if (get(c, VIVS_SH_ICACHE_CONTROL) & VIVS_SH_ICACHE_CONTROL_ENABLE) {
		s->start = get(c, p->start);
		s->end = get(c, p->end);
		if (!s->end && is_set(c, p->range))	/* the fields of both stages are alike */
			s->end = VIV_GET(VIVS_VS_RANGE_HIGH, get(c, p->range)) - VIV_GET(VIVS_VS_RANGE_LOW, get(c, p->range)) + 1;
	} else {
		return;
	}
	s->in_memory = true;
	if (c->sink && c->sink->memory)
		s->words = c->sink->memory(c->sink->ctx, get(c, p->address), &s->num_words);
}

/* PCs count from RANGE's start; the fields of both stages are alike. */
static void check_range(struct viv_check *c, size_t at, const char *name, uint32_t range, uint32_t end_pc)
{
	uint32_t low = VIV_GET(VIVS_VS_RANGE_LOW, get(c, range)), high = VIV_GET(VIVS_VS_RANGE_HIGH, get(c, range));

	if (is_set(c, range) && is_set(c, end_pc) && high >= low && high && get(c, end_pc) > high - low + 1)
		hangs(c, VIV_ERROR, SH, at, "shader-length", "%s runs to instruction %u, but RANGE has %u: hangs", name,
		      get(c, end_pc), high - low + 1);
}

static void check_shaders(struct viv_check *c, size_t at)
{
	struct shader vs = {
		.name = "VS", .code = VIVS_VS_INST_MEM, .start = get(c, VIVS_VS_START_PC), .end = get(c, VIVS_VS_END_PC),
		.temps = get(c, VIVS_VS_TEMP_REGISTER_CONTROL), .known_temps = is_set(c, VIVS_VS_TEMP_REGISTER_CONTROL),
	};
	struct shader ps = {
		.name = "PS", .code = VIVS_PS_INST_MEM, .start = get(c, VIVS_PS_START_PC), .end = get(c, VIVS_PS_END_PC),
		.temps = get(c, VIVS_PS_TEMP_REGISTER_CONTROL), .known_temps = is_set(c, VIVS_PS_TEMP_REGISTER_CONTROL),
	};

	/* Cores with the unified memory say their range in RANGE, LOW and HIGH inclusive. */
	check_range(c, at, "VS", VIVS_VS_RANGE, VIVS_VS_END_PC);
	check_range(c, at, "PS", VIVS_PS_RANGE, VIVS_PS_END_PC);
	if (is_set(c, VIVS_VS_RANGE)) {
		vs.code = VIVS_SH_INST_MEM;
		vs.start = VIV_GET(VIVS_VS_RANGE_LOW, get(c, VIVS_VS_RANGE));
		vs.end = VIV_GET(VIVS_VS_RANGE_HIGH, get(c, VIVS_VS_RANGE)) + 1;
	}
	if (is_set(c, VIVS_PS_RANGE)) {
		ps.code = VIVS_SH_INST_MEM;
		ps.start = VIV_GET(VIVS_PS_RANGE_LOW, get(c, VIVS_PS_RANGE));
		ps.end = VIV_GET(VIVS_PS_RANGE_HIGH, get(c, VIVS_PS_RANGE)) + 1;
	}
	find_in_memory(c, &vs, &(struct place){ VIVS_VS_INST_ADDR, VIVS_VS_START_PC, VIVS_VS_END_PC, VIVS_VS_RANGE,
						VIVS_VS_NEWRANGE_LOW, VIVS_VS_HALTI5_RANGE_HIGH });
	find_in_memory(c, &ps, &(struct place){ VIVS_PS_INST_ADDR, VIVS_PS_START_PC, VIVS_PS_END_PC, VIVS_PS_RANGE,
						VIVS_PS_NEWRANGE_LOW, VIVS_PS_HALTI5_RANGE_HIGH });
	if (is_set(c, VIVS_VS_END_PC) || is_set(c, VIVS_VS_RANGE) || vs.in_memory)
		check_code(c, at, &vs);
	if (is_set(c, VIVS_PS_END_PC) || is_set(c, VIVS_PS_RANGE) || ps.in_memory)
		check_code(c, at, &ps);
	if (ps.known_temps && is_set(c, VIVS_PS_INPUT_COUNT) &&
	    VIV_GET(VIVS_PS_INPUT_COUNT_COUNT, get(c, VIVS_PS_INPUT_COUNT)) >
	    VIV_GET(VIVS_PS_TEMP_REGISTER_CONTROL_NUM_TEMPS, ps.temps))
		hangs(c, VIV_ERROR, SH, at, "temporaries", "PS has %u inputs but %u temporaries to hold them: hangs",
		      VIV_GET(VIVS_PS_INPUT_COUNT_COUNT, get(c, VIVS_PS_INPUT_COUNT)),
		      VIV_GET(VIVS_PS_TEMP_REGISTER_CONTROL_NUM_TEMPS, ps.temps));
}

static void check_draw(struct viv_check *c, size_t at)
{
	uint32_t inputs = VIV_GET(VIVS_VS_INPUT_COUNT_COUNT, get(c, VIVS_VS_INPUT_COUNT));
	uint32_t outputs = VIV_GET(VIVS_VS_OUTPUT_COUNT_COUNT, get(c, VIVS_VS_OUTPUT_COUNT));
	uint32_t varyings = VIV_GET(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT, get(c, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT));
	/* Four to a state, and two in OUTPUT_COUNT. */
	uint32_t most = 2 + 4 * (is_set(c, VIVS_VS_HALTI5_OUTPUT) ? VIVS_VS_HALTI5_OUTPUT__LEN : VIVS_VS_OUTPUT__LEN);

	if (is_set(c, VIVS_GL_PIPE_SELECT) && get(c, VIVS_GL_PIPE_SELECT) == PIPE_ID_PIPE_2D)
		hangs(c, VIV_ERROR, PE, at, "pipe", "a 3D draw in the 2D pipe: hangs");
	if (c->elements && is_set(c, VIVS_VS_INPUT_COUNT) && inputs != c->elements)
		hangs(c, VIV_ERROR, SH, at, "vs-inputs", "VS has %u inputs, but %u vertex elements are set: hangs", inputs,
		      c->elements);
	if (outputs > most)
		hangs(c, VIV_ERROR, SH, at, "vs-outputs", "VS has %u outputs, but there are %u: hangs", outputs, most);
	if (varyings > VIV_VARYINGS)
		hangs(c, VIV_ERROR, VIVS_HI_IDLE_STATE_PA, at, "varyings", "PA has %u varyings, but there are %u: hangs",
		      varyings, VIV_VARYINGS);
	if (c->vs_flush)
		viv_check_fail(c, VIV_WARNING, at, "texturevs",
			       "draw right after a flush of the VS's texture cache: may hang");
	check_shaders(c, at);
	c->drawn = true;
	c->flushed = c->stalled = c->vs_flush = false;
}

/* --- The walk's calls ------------------------------------------------------- */

/* Element 0 starts a new set; the ones behind it follow in order, in one load or in several. */
static void count_elements(struct viv_check *c, uint32_t address, uint32_t base, uint32_t length)
{
	uint32_t i = (address - base) / 4;

	if (address >= base && i < length && (!i || i == c->elements))
		c->elements = i + 1;
}

void viv_check_load(struct viv_check *c, const struct viv_word *w)
{
	check_access(c, w);
	count_elements(c, w->address, VIVS_FE_VERTEX_ELEMENT_CONFIG, VIVS_FE_VERTEX_ELEMENT_CONFIG__LEN);
	count_elements(c, w->address, VIVS_NFE_GENERIC_ATTRIB_CONFIG0, VIVS_NFE_GENERIC_ATTRIB_CONFIG0__LEN);
	switch (w->address) {
	case VIVS_GL_FLUSH_CACHE:
		check_flush(c, w);
		break;
	case VIVS_TS_FLUSH_CACHE:
		check_ts_flush(c, w);
		break;
	case VIVS_SE_SCISSOR_RIGHT:
	case VIVS_SE_SCISSOR_BOTTOM:
		check_scissor(c, w);
		break;
	case VIVS_GL_PIPE_SELECT:
		check_pipe(c, w);
		break;
	case VIVS_GL_SEMAPHORE_TOKEN:
		token(c, w->at, w->value, true, "");
		break;
	case VIVS_GL_STALL_TOKEN:
		token(c, w->at, w->value, false, "GL.STALL_TOKEN");
		break;
	}
	c->value[w->address / 4] = w->loaded;
	c->set_at[w->address / 4] = w->at + 1;
	if (w->address == VIVS_RS_KICKER)
		check_resolve(c, w->at);
	if (w->address == VIVS_BLT_COMMAND)
		check_blt(c, w->at);
	if (w->address == VIVS_CL_KICKER)
		check_kick(c, w->at);
}

/*
 * What FE fetches at a jump's target must lead on: it executes nothing that it has
 * not fetched, and fetches only what a LINK, CALL or RETURN in there tells it to.
 */
static void check_target(struct viv_check *c, size_t at, const char *name, uint32_t prefetch, uint32_t va)
{
	size_t known = 0, fetched = 2 * (size_t)prefetch, i, length;
	const uint32_t *w = c->sink && c->sink->memory && !(va & 7) ? c->sink->memory(c->sink->ctx, va, &known) : NULL;

	if (!w || !prefetch)
		return;
	if (fetched > known)
		viv_check_fail(c, VIV_WARNING, at, "prefetch",
			       "%s fetches %u 64-bit words at 0x%08x, but there are %zu: it runs into what is behind",
			       name, prefetch, va, known / 2);
	for (i = 0; i < fetched && i < known; i += length) {
		length = viv_fe_command_words(w[i]);
		if (!length)
			return;		/* no command: told where it is decoded */
		if (i + length > fetched)
			break;
		switch (VIV_GET(VIV_FE_OPCODE, w[i])) {
		case FE_OPCODE_END:
		case FE_OPCODE_LINK:
		case FE_OPCODE_CALL:
		case FE_OPCODE_RETURN:
			return;
		}
	}
	if (i < known)
		viv_check_fail(c, VIV_ERROR, at, "prefetch",
			       "%s fetches %u 64-bit words at 0x%08x, and none of them leads on (END, LINK, CALL, RETURN): FE stops",
			       name, prefetch, va);
}

static void check_jump(struct viv_check *c, const uint32_t *w, size_t at, const char *name)
{
	check_target(c, at, name, VIV_GET(VIV_FE_LINK_HEADER_PREFETCH, w[0]), w[1]);
	if (!VIV_GET(VIV_FE_LINK_HEADER_PREFETCH, w[0]))
		viv_check_fail(c, VIV_ERROR, at, "prefetch", "%s fetches nothing: FE stops", name);
	if (w[1] & 7)
		viv_check_fail(c, VIV_ERROR, at + 1, "alignment", "%s to 0x%08x: not a multiple of 8", name, w[1]);
	if (c->flags & VIV_DECODE_USER)
		viv_check_fail(c, VIV_ERROR, at, "jump", "a client's stream must not %s", name);
}

void viv_check_command(struct viv_check *c, const uint32_t *w, size_t at, unsigned int opcode)
{
	if (c->end_at) {
		viv_check_fail(c, VIV_WARNING, at, "unreachable", "behind the END, LINK or RETURN at word %zu",
			       c->end_at - 1);
		c->end_at = 0;
	}
	switch (opcode) {
	case FE_OPCODE_LINK:
		check_jump(c, w, at, "LINK");
		c->end_at = at + 1;
		break;
	case FE_OPCODE_CALL:
		check_jump(c, w, at, "CALL");
		check_target(c, at, "RETURN", w[2], w[3]);
		if (w[3] & 7 || !w[2])
			viv_check_fail(c, VIV_ERROR, at, "alignment", "CALL returns to 0x%08x, prefetch %u", w[3], w[2]);
		break;
	case FE_OPCODE_END:
	case FE_OPCODE_RETURN:
		if (c->flags & VIV_DECODE_USER)
			viv_check_fail(c, VIV_ERROR, at, "jump", "a client's stream must not end FE's");
		c->end_at = at + 1;
		break;
	case FE_OPCODE_STALL:
		token(c, at, w[1], false, "STALL");
		break;
	case FE_OPCODE_DRAW_PRIMITIVES:
	case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
	case FE_OPCODE_DRAW_INSTANCED:
	case FE_OPCODE_DRAW_INDIRECT:
		check_draw(c, at);
		break;
	case FE_OPCODE_DRAW_2D:
		if (is_set(c, VIVS_GL_PIPE_SELECT) && get(c, VIVS_GL_PIPE_SELECT) == PIPE_ID_PIPE_3D)
			hangs(c, VIV_ERROR, PE, at, "pipe", "a 2D draw in the 3D pipe: hangs");
		break;
	}
}

void viv_check_end(struct viv_check *c, size_t n)
{
	/* A client's stream goes on in the kernel's: the driver appends the LINK. */
	if (!c->end_at && n && !(c->flags & VIV_DECODE_USER))
		viv_check_fail(c, VIV_NOTE, n - 1, "prefetch",
			       "the stream does not end with END, LINK or RETURN: whoever fetches it must append one");
}
