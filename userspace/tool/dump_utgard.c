// SPDX-License-Identifier: MIT
/* limn decode: where GP or PP stopped, on which command, in which state and shader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "tool/dump_utgard.h"
#include "tool/json.h"

#define NEAR		6	/* commands shown before the one it stopped at */
#define IN_TILE		12	/* and of the polygon list that it was in */

/* Words of the frames that userspace submits: <drm/lima_drm.h>. */
#define FRAME_NUM_PP		PP_FRAME_WORDS
#define M400_LISTS		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M400_FRAME_BYTES	((M400_LISTS + 4 + 4) * 4)
#define M450_USE_DLBU		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M450_LISTS		(M450_USE_DLBU + 2)
#define M450_DLBU		M450_LISTS

static const void *memory_at(void *ctx, uint32_t va, uint32_t len)
{
	const struct unit *u = ctx;

	if (u->dealt && va - u->start < 4 * u->num_dealt && len <= 4 * u->num_dealt - (va - u->start))
		return (const uint8_t *)u->dealt + (va - u->start);
	return dump_memory(u->job, va, len);
}

/* --- Printing ------------------------------------------------------------------------ */

static void print_line(const struct unit *u, const struct utgard_command *c, bool here)
{
	struct json *j = u->o->json;

	json_object(j, NULL);
	json_words(j, "words", c->words, 2);
	report(j, "  {_mark} {at}: {_w0} {_w1}  {_in}{text}\n", TEXT("_mark", here ? "=>" : "  "), HEX("at", c->va),
	       TEXT_HEX("_w0", c->words[0]), TEXT_HEX("_w1", c->words[1]), TEXT("_in", c->nested ? "  " : ""),
	       STRING("text", c->text), BOOL("nested", c->nested), BOOL("stopped_here", here));
	json_end_object(j);
}

/* A tile's polygon list is shown up to its last primitive's state. */
static bool print_in_tile(struct unit *u, const struct utgard_command *c)
{
	if (!c->nested)
		return false;
	if (u->index++ - u->stop_index <= IN_TILE || u->o->all)
		print_line(u, c, false);
	u->state = *c->state;
	return true;
}

static bool print_command(void *ctx, const struct utgard_command *c)
{
	struct unit *u = ctx;
	bool here = u->has_stop && u->index == u->stop_index;

	if (u->in_tile)
		return print_in_tile(u, c);
	if (here)
		u->state = *c->state;
	if (u->o->all || here || (u->has_stop && u->index < u->stop_index && u->stop_index - u->index <= NEAR) ||
	    (!u->has_stop && u->total - u->index <= NEAR))
		print_line(u, c, here);
	u->index++;
	u->in_tile = here && u->list == UTGARD_TILE_LIST && !c->nested && u->ends_well;
	return u->o->all || !here || u->in_tile;
}

static void print_shader(const struct unit *u)
{
	bool vertex = u->list == UTGARD_VS_LIST;
	uint32_t words[MAX_WORDS], va = u->state.shader;
	struct json *j = u->o->json;
	size_t n;

	if (u->list == UTGARD_PLBU_LIST || !va)
		return;
	va = vertex ? va : va & RSW_SHADER_MASK;
	n = limn_utgard_shader_words(&u->memory, u->list, va, u->state.shader_instructions, words, MAX_WORDS);
	json_object(j, "shader");
	report(j, "  {stage} shader at 0x{va}", STRING("stage", vertex ? "vertex" : "fragment"), HEX("va", va));
	if (vertex)
		report(j, ", {instructions} instructions", INT("instructions", u->state.shader_instructions));
	report(j, "{_end}\n", TEXT("_end", n ? ":" : ", not in the dump"));
	if (n)
		dump_print_code(j, vertex ? "utgard-gp" : "utgard-pp", "    ", words, n);
	json_end_object(j);
}

static void print_rsw(const struct unit *u)
{
	const uint32_t *p = u->state.rsw ? dump_memory(u->job, u->state.rsw, RSW_BYTES) : NULL;
	uint32_t words[RSW_WORDS];
	struct json *j = u->o->json;

	if (!u->state.rsw)
		return;
	report(j, "  render state at 0x{render_state}{_end}", HEX("render_state", u->state.rsw),
	       TEXT("_end", p ? ":" : ", not in the dump\n"));
	if (!p)
		return;
	memcpy(words, p, sizeof(words));
	json_words(j, "render_state_words", words, RSW_WORDS);
	for (unsigned int i = 0; i < RSW_WORDS; i++)
		report(j, "{_gap}{_w}", TEXT("_gap", i % 8 ? " " : "\n    "), TEXT_HEX("_w", words[i]));
	report(j, "\n");
}

static void print_state(const struct unit *u)
{
	const struct utgard_state *s = &u->state;
	struct json *j = u->o->json;

	json_object(j, "state");
	if (s->tile_x >= 0)
		report(j, "  tile ({tile_x}, {tile_y}), pixels ({_x}, {_y}) and on; {primitives} primitives before\n",
		       INT("tile_x", s->tile_x), INT("tile_y", s->tile_y), TEXT_INT("_x", 16 * s->tile_x),
		       TEXT_INT("_y", 16 * s->tile_y), INT("primitives", s->draws));
	else
		report(j, s->draws ? "  after {draws} draws\n" : "", INT("draws", s->draws));
	if (s->positions)
		report(j, "  positions at 0x{positions}\n", HEX("positions", s->positions));
	if (s->uniforms)
		report(j, "  uniforms: {uniform_vectors} vectors at 0x{uniforms}\n", HEX("uniforms", s->uniforms),
		       INT("uniform_vectors", s->uniform_vectors));
	if (s->attributes)
		report(j, "  attributes at 0x{attributes}, varyings at 0x{varyings}\n", HEX("attributes", s->attributes),
		       HEX("varyings", s->varyings));
	if (s->scissor[2]) {
		json_object(j, "scissor");
		report(j, "  scissor ({left}, {top}) to ({right}, {bottom})\n", INT("left", s->scissor[0]),
		       INT("top", s->scissor[1]), INT("right", s->scissor[2]), INT("bottom", s->scissor[3]));
		json_end_object(j);
	}
	print_rsw(u);
	json_end_object(j);
	print_shader(u);
}

/* What the unit was doing and why it stopped, in a sentence. */
static void print_summary(struct unit *u)
{
	const struct utgard_state *s = &u->state;
	char doing[120], text[1000];

	if (u->dealt && u->has_stop)
		snprintf(doing, sizeof(doing), "was drawing a tile that the DLBU gave it, such as %d, %d,", s->tile_x, s->tile_y);
	else if (u->dealt)
		snprintf(doing, sizeof(doing), "was drawing a tile that the DLBU gave it");
	else if (s->tile_x >= 0)
		snprintf(doing, sizeof(doing), "was drawing tile %d, %d", s->tile_x, s->tile_y);
	else if (s->draws)
		snprintf(doing, sizeof(doing), "had done %u draws of its %s", s->draws, u->what);
	else
		snprintf(doing, sizeof(doing), "was at its first draw of its %s", u->what);
	if (u->loop[0])
		snprintf(text, sizeof(text), "%s %s and did not come out of the fragment shader at 0x%08x%s.", u->name, doing, u->loop_at, u->loop);
	else if (u->has_stop)
		snprintf(text, sizeof(text), "%s %s and stopped at 0x%08x: %s.", u->name, doing, u->stop, u->why);
	else
		snprintf(text, sizeof(text), "%s %s: %s.", u->name, doing, u->why);
	/* Of the tile list the state tells the draw, of the others the command. */
	if (!u->place.known && u->list == UTGARD_TILE_LIST)
		u->place = (struct dump_place){ .known = s->rsw, .va = s->rsw };
	else if (!u->place.known)
		u->place = (struct dump_place){ .known = u->has_stop, .va = u->stop };
	if (u->o->source)
		dump_source_tell(u->o->source, u->job, &u->place, u->o->json, text, sizeof(text));
	report(u->o->json, "  in short: {summary}\n", STRING("summary", text));
}

static void print_unit(struct unit *u)
{
	struct json *j = u->o->json;
	struct utgard_walk walk;
	char where[160];

	u->memory = (struct utgard_memory){ u, memory_at };
	dump_utgard_explain(u);
	dump_place_text(u->job, u->start, where, sizeof(where));
	json_object(j, NULL);
	report(j, "{_unit}: {list} at 0x{start}, {place}\n", TEXT("_unit", u->name), STRING("list", u->what),
	       HEX("start", u->start), STRING("place", where));
	if (u->has_stop)
		report(j, "  stopped at 0x{stopped_at}: {why}\n", HEX("stopped_at", u->stop), STRING("why", u->why));
	else
		report(j, "  {why}\n", NONE("stopped_at"), STRING("why", u->why));
	json_array(j, "commands");
	limn_utgard_decode(&u->memory, u->list, u->start, u->end, print_command, u, &walk);
	/* It stopped behind its last command, or nowhere in particular. */
	if (!u->has_stop || u->stop_index >= u->index) {
		u->state = walk.state;
		if (u->has_stop)
			report(j, "  => {_stop}: no memory\n", TEXT_HEX("_stop", u->stop));
	}
	json_end_array(j);
	print_state(u);
	print_summary(u);
	json_end_object(j);
}

/* --- Registers ------------------------------------------------------------------------ */

/* Bits of registers, by unit and offset; an empty row ends those of a register. */
static const struct bits {
	const char *unit, *name;
	uint32_t offset;
	struct {
		uint32_t mask;
		const char *name;
	} list[14];
} registers[] = {
	{ "gp", "status", GP_STATUS, {
		{ GP_STATUS_VS_ACTIVE, "VS active" }, { GP_STATUS_PLBU_ACTIVE, "PLBU active" },
		{ GP_STATUS_BUS_STOPPED, "bus stopped" }, { GP_STATUS_BUS_ERROR, "bus error" },
		{ GP_STATUS_WRITE_BOUND, "write bound" } } },
	{ "gp", "interrupts", GP_INT_RAWSTAT, {
		{ GP_IRQ_VS_END, "VS end" }, { GP_IRQ_PLBU_END, "PLBU end" }, { GP_IRQ_PLBU_OOM, "heap is full" },
		{ GP_IRQ_FORCE_HANG, "forced hang" }, { GP_IRQ_HANG, "hang" }, { GP_IRQ_WRITE_BOUND, "write bound" },
		{ GP_IRQ_BUS_ERROR, "bus error" }, { GP_IRQ_SYNC_ERROR, "sync error" },
		{ GP_IRQ_VS_INVALID_CMD, "invalid VS command" }, { GP_IRQ_PLBU_INVALID_CMD, "invalid PLBU command" },
		{ GP_IRQ_SEM_UNDERFLOW, "semaphore underflow" }, { GP_IRQ_SEM_OVERFLOW, "semaphore overflow" },
		{ GP_IRQ_PTR_ARRAY_BOUND, "pointer array bound" } } },
	{ "pp", "status", PP_STATUS, {
		{ PP_STATUS_RENDERING, "rendering" }, { PP_STATUS_BUS_STOPPED, "bus stopped" } } },
	{ "pp", "interrupts", PP_INT_RAWSTAT, {
		{ PP_IRQ_END_OF_FRAME, "end of frame" }, { PP_IRQ_HANG, "hang" }, { PP_IRQ_FORCE_HANG, "forced hang" },
		{ PP_IRQ_BUS_ERROR, "bus error" }, { PP_IRQ_WRITE_BOUND, "write bound" },
		{ PP_IRQ_INVALID_PLIST_CMD, "invalid polygon list command" },
		{ PP_IRQ_CALL_STACK_UNDERFLOW, "call stack underflow" },
		{ PP_IRQ_CALL_STACK_OVERFLOW, "call stack overflow" }, { PP_IRQ_RESET_DONE, "reset done" } } },
};

static void print_registers(const struct dump *dump, const char *unit, struct json *j)
{
	uint32_t value;

	json_array(j, "registers");
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
		const struct bits *b = &registers[i];
		const char *gap = ": ";

		if (strncmp(b->unit, unit, 2) || !dump_reg(dump, unit, b->offset, &value))
			continue;
		json_object(j, NULL);
		report(j, "{_unit%-8s} {name%-10s} {value}", TEXT("_unit", unit), STRING("name", b->name),
		       HEX("value", value));
		json_array(j, "bits");
		for (unsigned int k = 0; b->list[k].mask; k++) {
			if (!(value & b->list[k].mask))
				continue;
			report(j, "{_gap}{_bit}", TEXT("_gap", gap), TEXT("_bit", b->list[k].name), STRING(NULL, b->list[k].name));
			gap = ", ";
		}
		json_end_array(j);
		json_end_object(j);
		report(j, "\n");
	}
	json_end_array(j);
}

/* The page table entry of an address; false: the dump has no table for it. */
static bool translation(const struct dump *dump, uint32_t va, uint32_t *entry)
{
	for (size_t i = 0; i < dump->num_tables; i++) {
		const struct dump_table *t = &dump->tables[i];
		uint32_t at = va >> MMU_PTE_SHIFT & (MMU_ENTRIES - 1);

		if (t->directory || t->va >> MMU_PDE_SHIFT != va >> MMU_PDE_SHIFT || 4 * at + 4 > t->size)
			continue;
		memcpy(entry, t->data + 4 * at, 4);
		return true;
	}
	return false;
}

static void print_mmu(const struct dump *dump, const struct dump_job *job, const char *mmu, struct json *j)
{
	uint32_t status, address, entry;
	char where[160];
	bool write;

	if (!dump_reg(dump, mmu, MMU_STATUS, &status) || !dump_page_fault(dump, mmu, &address, &write))
		return;
	dump_place_text(job, address, where, sizeof(where));
	json_object(j, "page_fault");
	report(j, "{_mmu%-8s} page fault: {access} of 0x{address} by bus master {bus_master}, {place}\n", TEXT("_mmu", mmu),
	       HEX("address", address), STRING("access", write ? "write" : "read"),
	       INT("bus_master", MMU_STATUS_BUS_ID(status)), STRING("place", where));
	if (translation(dump, address, &entry))
		report(j, "{_mmu%-8s} page entry {page_entry}{_why}\n", TEXT("_mmu", mmu), HEX("page_entry", entry),
		       TEXT("_why", !(entry & MMU_ENTRY_PRESENT) ? ": not present" : entry & MMU_ENTRY_WRITE ? "" : ": read-only"));
	else if (dump->num_tables)
		report(j, "{_mmu%-8s} no page table for that address\n", TEXT("_mmu", mmu), NONE("page_entry"));
	json_end_object(j);
}

/* --- Jobs ------------------------------------------------------------------------------- */

/* Opens a unit's object, with its lists to come: two ends are due. */
static void begin_unit(const struct dump *dump, const struct dump_job *job, const struct dump_options *o,
		       const char *name, const char *mmu)
{
	json_object(o->json, NULL);
	report(o->json, "", STRING("unit", name));
	print_registers(dump, name, o->json);
	print_mmu(dump, job, mmu, o->json);
	json_array(o->json, "lists");
}

static void end_unit(const struct dump_options *o)
{
	json_end_array(o->json);
	json_end_object(o->json);
}

static void print_done(const struct dump_options *o, const char *unit, const char *list)
{
	json_object(o->json, NULL);
	report(o->json, "{_unit}: the {list} was done\n", TEXT("_unit", unit), STRING("list", list), BOOL("done", true));
	json_end_object(o->json);
}

static void print_gp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	struct unit vs = {
		.dump = dump, .job = job, .o = o, .name = "gp", .mmu = "gpmmu", .what = "VS list", .list = UTGARD_VS_LIST,
		.start = dump_frame_word(job, GP_VSCL_START / 4), .end = dump_frame_word(job, GP_VSCL_END / 4),
	};
	struct unit plbu = vs;
	uint32_t status = GP_STATUS_VS_ACTIVE | GP_STATUS_PLBU_ACTIVE;
	bool known = dump_reg(dump, "gp", GP_STATUS, &status);
	uint32_t raw = 0;

	/* At a command that is none the VS stops, and is not active. */
	if (dump_reg(dump, "gp", GP_INT_RAWSTAT, &raw) && raw & GP_IRQ_VS_INVALID_CMD)
		status |= GP_STATUS_VS_ACTIVE;
	if (raw & GP_IRQ_PLBU_INVALID_CMD)
		status |= GP_STATUS_PLBU_ACTIVE;
	plbu.what = "PLBU list";
	plbu.list = UTGARD_PLBU_LIST;
	plbu.start = dump_frame_word(job, GP_PLBUCL_START / 4);
	plbu.end = dump_frame_word(job, GP_PLBUCL_END / 4);
	begin_unit(dump, job, o, "gp", "gpmmu");
	if (!known)
		report(o->json, "gp: no registers in the dump; its lists as they were submitted:\n");
	if (vs.start != vs.end && status & GP_STATUS_VS_ACTIVE)
		print_unit(&vs);
	else if (vs.start != vs.end)
		print_done(o, "gp", vs.what);
	if (plbu.start != plbu.end && (status & GP_STATUS_PLBU_ACTIVE || !(status & GP_STATUS_VS_ACTIVE)))
		print_unit(&plbu);
	else if (plbu.start != plbu.end)
		print_done(o, "gp", plbu.what);
	end_unit(o);
}

/* The tile list that the DLBU makes of its registers (Linux lima_dlbu.c; Mesa lima_job.c): NULL: no memory. */
static uint32_t *deal(const struct dump_job *job, uint32_t *count)
{
	uint32_t base = dump_frame_word(job, M450_DLBU), size = dump_frame_word(job, M450_DLBU + 1), conf = dump_frame_word(job, M450_DLBU + 2);
	uint32_t w = (size & 0xffff) + 1, h = (size >> 16) + 1, shift_w = conf & 31, shift_h = conf >> 16 & 31, n = 0;
	uint32_t *list = NULL;

	if (w <= 256 && h <= 256)
		list = malloc(((size_t)w * h * 4 + 2) * sizeof(*list));
	for (uint32_t y = 0; list && y << shift_h < h; y++) {
		for (uint32_t x = 0; x << shift_w < w; x++) {
			list[n++] = 0;
			list[n++] = PPS_BEGIN_TILE | x << shift_w | y << shift_h << 8;
			list[n++] = PPS_CALL_WORD(base);
			list[n++] = PPS_CALL;
			base += 0x80u << (conf >> 28);
		}
	}
	if (list) {
		list[n++] = 0;
		list[n++] = PPS_END;
	}
	*count = n;
	return list;
}

static void print_one_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o, uint32_t i)
{
	bool m450 = job->frame_size != M400_FRAME_BYTES, dlbu = m450 && dump_frame_word(job, M450_USE_DLBU);
	char name[16], mmu[16];
	struct unit u = {
		.dump = dump, .job = job, .o = o, .name = name, .mmu = mmu, .what = "tile list",
		.list = UTGARD_TILE_LIST,
		.start = dump_frame_word(job, (m450 ? M450_LISTS : M400_LISTS) + i),
	};
	uint32_t status, raw, *dealt = NULL;

	snprintf(name, sizeof(name), "pp%u", i);
	snprintf(mmu, sizeof(mmu), "ppmmu%u", i);
	begin_unit(dump, job, o, name, mmu);
	if ((dump->num_regs && !dump_reg(dump, name, PP_STATUS, &status)) ||
	    (dump_reg(dump, name, PP_INT_RAWSTAT, &raw) && raw & PP_IRQ_END_OF_FRAME))
		print_done(o, name, u.what);
	else if (!dlbu || (dealt = deal(job, &u.num_dealt))) {
		u.dealt = dealt;
		if (dlbu && (!dump_reg(dump, name, PP_CURRENT_REND_LIST, &u.start) || u.start % 8))
			u.start = UTGARD_DLBU_VA;
		print_unit(&u);
	}
	free(dealt);
	end_unit(o);
}

static void print_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	bool dlbu = job->frame_size != M400_FRAME_BYTES && dump_frame_word(job, M450_USE_DLBU);
	uint32_t num = dump_frame_word(job, FRAME_NUM_PP);

	if (dlbu)
		report(o->json, "pp: tiles are dealt by the DLBU: what follows is the list that its registers mean\n");
	for (uint32_t i = 0; i < num && i < 8; i++)
		print_one_pp(dump, job, o, i);
}

void dump_print_utgard(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	json_array(o->json, "units");
	if (!job->frame)
		report(o->json, "no frame in the dump\n");
	else
		(job->queue == 0 ? print_gp : print_pp)(dump, job, o);
	json_end_array(o->json);
}
