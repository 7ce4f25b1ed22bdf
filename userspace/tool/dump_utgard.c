// SPDX-License-Identifier: MIT
/* limn decode: where GP or PP stopped, on which command, in which state and shader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "isa/isa.h"
#include "lib/utgard/decode.h"
#include "tool/dump.h"
#include "tool/json.h"

#define NEAR		6	/* commands shown before the one it stopped at */
#define IN_TILE		12	/* and of the polygon list that it was in */
#define MAX_PP_WORDS	1024	/* of a fragment shader */

/* Words of the frames that userspace submits: <drm/lima_drm.h>. */
#define FRAME_NUM_PP		PP_FRAME_WORDS
#define M400_LISTS		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M400_FRAME_BYTES	((M400_LISTS + 4 + 4) * 4)
#define M450_USE_DLBU		(PP_FRAME_WORDS + 1 + 3 * PP_WB_WORDS)
#define M450_LISTS		(M450_USE_DLBU + 2)

/* One list of a unit that was at work, and what is known of its end. */
struct unit {
	const struct dump *dump;
	const struct dump_job *job;
	const struct dump_options *o;
	struct utgard_memory memory;
	const char *name, *mmu, *what;	/* "pp0", "ppmmu0", "tile list" */
	enum utgard_list list;
	uint32_t start, end;
	uint32_t stop;		/* command it stopped at, if has_stop */
	bool has_stop, active;
	char why[160];
	/* While printing. */
	unsigned int index, stop_index, total;
	bool ends_well;		/* the list is sound */
	bool in_tile;		/* it stopped somewhere in the polygon list that follows */
	struct utgard_state state;
};

static const void *memory_at(void *ctx, uint32_t va, uint32_t len)
{
	return dump_memory(ctx, va, len);
}

static uint32_t frame_word(const struct dump_job *job, unsigned int i)
{
	uint32_t w = 0;

	if ((i + 1) * sizeof(w) <= job->frame_size)
		memcpy(&w, job->frame + i * sizeof(w), sizeof(w));
	return w;
}

static void place(const struct dump_job *job, uint64_t va, char *text, size_t size)
{
	const struct dump_region *region = dump_region_of(job, va);

	if (!region)
		snprintf(text, size, "in no BO of the job");
	else
		snprintf(text, size, "byte 0x%llx of the BO at 0x%llx%s%s%s", (unsigned long long)(va - region->va),
			 (unsigned long long)region->va, region->label[0] ? " (" : "", region->label,
			 region->label[0] ? ")" : "");
}

/* --- Finding the command ------------------------------------------------------------ */

struct search {
	uint32_t address;	/* of memory, or of a command */
	bool memory;
	bool found;
	uint32_t va;
	unsigned int at, commands;
};

static bool look_for(void *ctx, const struct utgard_command *c)
{
	struct search *s = ctx;

	if (!s->found && (s->memory ? c->bytes && s->address - c->address < c->bytes : c->va == s->address)) {
		s->found = true;
		s->va = c->va;
		s->at = s->commands;
	}
	s->commands++;
	return true;
}

static bool find(struct unit *u, uint32_t address, bool memory, struct search *s, struct utgard_walk *walk)
{
	*s = (struct search){ .address = address, .memory = memory };
	utgard_decode(&u->memory, u->list, u->start, u->end, look_for, s, walk);
	return s->found;
}

/* The MMU's fault, when it has one. */
static bool page_fault(const struct unit *u, uint32_t *address, bool *write)
{
	uint32_t status, raw;

	if (!dump_reg(u->dump, u->mmu, MMU_STATUS, &status) || !dump_reg(u->dump, u->mmu, MMU_INT_RAWSTAT, &raw))
		return false;
	*write = status & MMU_STATUS_FAULT_IS_WRITE;
	return (raw & MMU_INT_PAGE_FAULT || status & MMU_STATUS_PAGE_FAULT_ACTIVE) &&
	       dump_reg(u->dump, u->mmu, MMU_PAGE_FAULT_ADDR, address);
}

static void stop_at(struct unit *u, uint32_t va, unsigned int index)
{
	u->stop = va;
	u->stop_index = index;
	u->has_stop = true;
}

static void explain(struct unit *u)
{
	uint32_t address = 0, rend = 0;
	struct utgard_walk walk;
	struct search s;
	bool write = false, fault = page_fault(u, &address, &write);
	char where[160];

	if (fault && find(u, address, true, &s, &walk)) {
		stop_at(u, s.va, s.at);
		snprintf(u->why, sizeof(u->why), "it %s 0x%08x, where nothing is mapped for that",
			 write ? "writes" : "reads", address);
		return;
	}
	find(u, address, false, &s, &walk);
	u->total = walk.commands;
	u->ends_well = walk.end == UTGARD_END_END;
	if (walk.end != UTGARD_END_END) {
		stop_at(u, walk.va, walk.end == UTGARD_END_MEMORY ? walk.commands : walk.commands - 1);
		snprintf(u->why, sizeof(u->why), "%s", utgard_end_text(walk.end));
		return;
	}
	if (u->list == UTGARD_TILE_LIST && dump_reg(u->dump, u->name, PP_CURRENT_REND_LIST, &rend) &&
	    find(u, rend, false, &s, &walk)) {
		stop_at(u, s.va, s.at);
		snprintf(u->why, sizeof(u->why), "the unit says that it is here");
		if (fault) {
			place(u->job, address, where, sizeof(where));
			snprintf(u->why, sizeof(u->why), "while the unit %s 0x%08x, %.90s",
				 write ? "wrote" : "read", address, where);
		}
		return;
	}
	if (fault)
		snprintf(u->why, sizeof(u->why), "the unit %s 0x%08x, which no command names",
			 write ? "wrote" : "read", address);
	else
		snprintf(u->why, sizeof(u->why), "the list is sound: what it makes the unit do does not end");
}

/* --- Printing ------------------------------------------------------------------------ */

static void print_line(const struct unit *u, const struct utgard_command *c, bool here)
{
	struct json *j = u->o->json;

	if (j) {
		json_object(j, NULL);
		json_hex(j, "at", c->va);
		json_array(j, "words");
		json_hex(j, NULL, c->words[0]);
		json_hex(j, NULL, c->words[1]);
		json_end_array(j);
		json_string(j, "text", c->text);
		json_bool(j, "nested", c->nested);
		json_bool(j, "stopped_here", here);
		json_end_object(j);
		return;
	}
	printf("  %s %08x: %08x %08x  %s%s\n", here ? "=>" : "  ", c->va, c->words[0], c->words[1], c->nested ? "  " : "", c->text);
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

static void print_disassembly(const struct unit *u, const char *isa, const uint32_t *words, size_t count)
{
	char *text = isa_disasm(isa_find(isa), words, count), *line, *next;

	if (!text)
		return;
	if (u->o->json)
		json_string(u->o->json, "code", text);
	for (line = text; *line && !u->o->json; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : line + strlen(line);
		printf("    %.*s%s", (int)(next - line), line, next[-1] == '\n' ? "" : "\n");
	}
	free(text);
}

/* A fragment shader's length is in its instructions: each has its own, and the last says so. */
static size_t pp_shader_words(const struct dump_job *job, uint32_t va, uint32_t *words)
{
	size_t n = 0;

	while (n < MAX_PP_WORDS) {
		const void *p = dump_memory(job, va + 4 * n, 4);
		uint32_t head, len;

		if (!p)
			break;
		memcpy(&head, p, 4);
		len = head & 0x1f;
		p = len && n + len <= MAX_PP_WORDS ? dump_memory(job, va + 4 * n, 4 * len) : NULL;
		if (!p)
			break;
		memcpy(words + n, p, 4 * len);
		n += len;
		if (head & 0x20)
			break;
	}
	return n;
}

/* Words of the shader that the state names, in words. */
static size_t shader_words(const struct unit *u, uint32_t *words)
{
	uint32_t va = u->state.shader;
	const void *p;
	size_t n;

	if (u->list == UTGARD_TILE_LIST)
		return pp_shader_words(u->job, va & RSW_SHADER_MASK, words);
	n = u->state.shader_instructions * 4;
	n = n > MAX_PP_WORDS ? MAX_PP_WORDS : n;
	p = dump_memory(u->job, va, 4 * n);
	if (!p)
		return 0;
	memcpy(words, p, 4 * n);
	return n;
}

static void print_shader(const struct unit *u)
{
	bool vertex = u->list == UTGARD_VS_LIST;
	uint32_t words[MAX_PP_WORDS], va = u->state.shader;
	struct json *j = u->o->json;
	size_t n;

	if (u->list == UTGARD_PLBU_LIST || !va)
		return;
	n = shader_words(u, words);
	va = vertex ? va : va & RSW_SHADER_MASK;
	if (j) {
		json_object(j, "shader");
		json_string(j, "stage", vertex ? "vertex" : "fragment");
		json_hex(j, "va", va);
		if (vertex)
			json_int(j, "instructions", u->state.shader_instructions);
	} else if (vertex) {
		printf("  vertex shader at 0x%08x, %u instructions%s\n", va, u->state.shader_instructions,
		       n ? ":" : ", not in the dump");
	} else {
		printf("  fragment shader at 0x%08x%s\n", va, n ? ":" : ", not in the dump");
	}
	if (n)
		print_disassembly(u, vertex ? "utgard-gp" : "utgard-pp", words, n);
	if (j)
		json_end_object(j);
}

static void print_rsw(const struct unit *u)
{
	const void *p = u->state.rsw ? dump_memory(u->job, u->state.rsw, RSW_BYTES) : NULL;
	uint32_t words[RSW_WORDS];
	struct json *j = u->o->json;

	if (!u->state.rsw)
		return;
	if (j)
		json_hex(j, "render_state", u->state.rsw);
	else
		printf("  render state at 0x%08x%s", u->state.rsw, p ? ":" : ", not in the dump\n");
	if (!p)
		return;
	memcpy(words, p, sizeof(words));
	if (j)
		json_array(j, "render_state_words");
	for (unsigned int i = 0; i < RSW_WORDS; i++) {
		if (j)
			json_hex(j, NULL, words[i]);
		else
			printf("%s%08x", i % 8 ? " " : "\n    ", words[i]);
	}
	if (j)
		json_end_array(j);
	else
		printf("\n");
}

static void json_state(struct json *j, const struct unit *u)
{
	const struct utgard_state *s = &u->state;
	static const char *const corner[] = { "left", "top", "right", "bottom" };

	if (s->tile_x >= 0) {
		json_int(j, "tile_x", s->tile_x);
		json_int(j, "tile_y", s->tile_y);
	}
	json_int(j, s->tile_x >= 0 ? "primitives" : "draws", s->draws);
	if (s->positions)
		json_hex(j, "positions", s->positions);
	if (s->uniforms) {
		json_hex(j, "uniforms", s->uniforms);
		json_int(j, "uniform_vectors", s->uniform_vectors);
	}
	if (s->attributes) {
		json_hex(j, "attributes", s->attributes);
		json_hex(j, "varyings", s->varyings);
	}
	if (s->scissor[2]) {
		json_object(j, "scissor");
		for (unsigned int i = 0; i < 4; i++)
			json_int(j, corner[i], s->scissor[i]);
		json_end_object(j);
	}
}

static void text_state(const struct unit *u)
{
	const struct utgard_state *s = &u->state;

	if (s->tile_x >= 0)
		printf("  tile (%d, %d), pixels (%d, %d) and on; %u primitives before\n", s->tile_x, s->tile_y,
		       16 * s->tile_x, 16 * s->tile_y, s->draws);
	else if (s->draws)
		printf("  after %u draws\n", s->draws);
	if (s->positions)
		printf("  positions at 0x%08x\n", s->positions);
	if (s->uniforms)
		printf("  uniforms: %u vectors at 0x%08x\n", s->uniform_vectors, s->uniforms);
	if (s->attributes)
		printf("  attributes at 0x%08x, varyings at 0x%08x\n", s->attributes, s->varyings);
	if (s->scissor[2])
		printf("  scissor (%u, %u) to (%u, %u)\n", s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
}

static void print_state(const struct unit *u)
{
	struct json *j = u->o->json;

	if (j) {
		json_object(j, "state");
		json_state(j, u);
	} else {
		text_state(u);
	}
	print_rsw(u);
	if (j)
		json_end_object(j);
	print_shader(u);
}

static void print_head(const struct unit *u)
{
	struct json *j = u->o->json;
	char where[160];

	place(u->job, u->start, where, sizeof(where));
	if (j) {
		json_object(j, NULL);
		json_string(j, "list", u->what);
		json_hex(j, "start", u->start);
		json_string(j, "place", where);
		if (u->has_stop)
			json_hex(j, "stopped_at", u->stop);
		else
			json_null(j, "stopped_at");
		json_string(j, "why", u->why);
		json_array(j, "commands");
		return;
	}
	printf("%s: %s at 0x%08x, %s\n", u->name, u->what, u->start, where);
	if (u->has_stop)
		printf("  stopped at 0x%08x: %s\n", u->stop, u->why);
	else
		printf("  %s\n", u->why);
}

static void print_unit(struct unit *u)
{
	struct json *j = u->o->json;
	struct utgard_walk walk;

	u->memory = (struct utgard_memory){ (void *)u->job, memory_at };
	explain(u);
	print_head(u);
	utgard_decode(&u->memory, u->list, u->start, u->end, print_command, u, &walk);
	/* It stopped behind its last command, or nowhere in particular. */
	if (!u->has_stop || u->stop_index >= u->index) {
		u->state = walk.state;
		if (u->has_stop && !j)
			printf("  => %08x: no memory\n", u->stop);
	}
	if (j)
		json_end_array(j);
	print_state(u);
	if (j)
		json_end_object(j);
}

/* --- Registers ------------------------------------------------------------------------ */

struct bit {
	uint32_t mask;
	const char *name;
};

static void print_bits(struct json *j, const char *unit, const char *name, uint32_t value, const struct bit *bits,
		       unsigned int n)
{
	const char *separator = ": ";

	if (j) {
		json_object(j, NULL);
		json_string(j, "name", name);
		json_hex(j, "value", value);
		json_array(j, "bits");
	} else {
		printf("%-8s %-10s %08x", unit, name, value);
	}
	for (unsigned int i = 0; i < n; i++) {
		if (!(value & bits[i].mask))
			continue;
		if (j)
			json_string(j, NULL, bits[i].name);
		else
			printf("%s%s", separator, bits[i].name);
		separator = ", ";
	}
	if (j) {
		json_end_array(j);
		json_end_object(j);
	} else {
		printf("\n");
	}
}

#define PRINT_BITS(j, unit, name, value, bits) \
	print_bits(j, unit, name, value, bits, sizeof(bits) / sizeof(bits[0]))

static void print_gp_registers(const struct dump *dump, struct json *j)
{
	static const struct bit status[] = {
		{ GP_STATUS_VS_ACTIVE, "VS active" }, { GP_STATUS_PLBU_ACTIVE, "PLBU active" },
		{ GP_STATUS_BUS_STOPPED, "bus stopped" }, { GP_STATUS_BUS_ERROR, "bus error" },
		{ GP_STATUS_WRITE_BOUND, "write bound" },
	};
	static const struct bit irq[] = {
		{ GP_IRQ_VS_END, "VS end" }, { GP_IRQ_PLBU_END, "PLBU end" }, { GP_IRQ_PLBU_OOM, "heap is full" },
		{ GP_IRQ_FORCE_HANG, "forced hang" }, { GP_IRQ_HANG, "hang" }, { GP_IRQ_WRITE_BOUND, "write bound" },
		{ GP_IRQ_BUS_ERROR, "bus error" }, { GP_IRQ_SYNC_ERROR, "sync error" },
		{ GP_IRQ_VS_INVALID_CMD, "invalid VS command" }, { GP_IRQ_PLBU_INVALID_CMD, "invalid PLBU command" },
		{ GP_IRQ_SEM_UNDERFLOW, "semaphore underflow" }, { GP_IRQ_SEM_OVERFLOW, "semaphore overflow" },
		{ GP_IRQ_PTR_ARRAY_BOUND, "pointer array bound" },
	};
	uint32_t value;

	if (j)
		json_array(j, "registers");
	if (dump_reg(dump, "gp", GP_STATUS, &value))
		PRINT_BITS(j, "gp", "status", value, status);
	if (dump_reg(dump, "gp", GP_INT_RAWSTAT, &value))
		PRINT_BITS(j, "gp", "interrupts", value, irq);
	if (j)
		json_end_array(j);
}

static void print_pp_registers(const struct dump *dump, const char *pp, struct json *j)
{
	static const struct bit status[] = {
		{ PP_STATUS_RENDERING, "rendering" }, { PP_STATUS_BUS_STOPPED, "bus stopped" },
	};
	static const struct bit irq[] = {
		{ PP_IRQ_END_OF_FRAME, "end of frame" }, { PP_IRQ_HANG, "hang" }, { PP_IRQ_FORCE_HANG, "forced hang" },
		{ PP_IRQ_BUS_ERROR, "bus error" }, { PP_IRQ_WRITE_BOUND, "write bound" },
		{ PP_IRQ_INVALID_PLIST_CMD, "invalid polygon list command" },
		{ PP_IRQ_CALL_STACK_UNDERFLOW, "call stack underflow" },
		{ PP_IRQ_CALL_STACK_OVERFLOW, "call stack overflow" }, { PP_IRQ_RESET_DONE, "reset done" },
	};
	uint32_t value;

	if (j)
		json_array(j, "registers");
	if (dump_reg(dump, pp, PP_STATUS, &value))
		PRINT_BITS(j, pp, "status", value, status);
	if (dump_reg(dump, pp, PP_INT_RAWSTAT, &value))
		PRINT_BITS(j, pp, "interrupts", value, irq);
	if (j)
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

static void print_translation(const struct dump *dump, const char *mmu, uint32_t va, struct json *j)
{
	uint32_t entry;
	bool known = translation(dump, va, &entry);

	if (j && known)
		json_hex(j, "page_entry", entry);
	else if (j && dump->num_tables)
		json_null(j, "page_entry");
	else if (known)
		printf("%-8s page entry %08x%s\n", mmu, entry, !(entry & MMU_ENTRY_PRESENT) ? ": not present" :
		       entry & MMU_ENTRY_WRITE ? "" : ": read-only");
	else if (dump->num_tables)
		printf("%-8s no page table for that address\n", mmu);
}

static void print_mmu(const struct dump *dump, const struct dump_job *job, const char *mmu, struct json *j)
{
	struct unit u = { .dump = dump, .mmu = mmu };
	uint32_t status, address;
	char where[160];
	bool write;

	if (!dump_reg(dump, mmu, MMU_STATUS, &status) || !page_fault(&u, &address, &write))
		return;
	place(job, address, where, sizeof(where));
	if (j) {
		json_object(j, "page_fault");
		json_hex(j, "address", address);
		json_string(j, "access", write ? "write" : "read");
		json_int(j, "bus_master", MMU_STATUS_BUS_ID(status));
		json_string(j, "place", where);
	} else {
		printf("%-8s page fault: %s of 0x%08x by bus master %u, %s\n", mmu, write ? "write" : "read", address,
		       MMU_STATUS_BUS_ID(status), where);
	}
	print_translation(dump, mmu, address, j);
	if (j)
		json_end_object(j);
}

/* --- Jobs ------------------------------------------------------------------------------- */

/* A unit's object, with its lists to come. */
static void json_unit(const struct dump_options *o, const char *name)
{
	if (!o->json)
		return;
	json_object(o->json, NULL);
	json_string(o->json, "unit", name);
}

static void json_lists(const struct dump_options *o)
{
	if (o->json)
		json_array(o->json, "lists");
}

static void json_end_unit(const struct dump_options *o)
{
	if (!o->json)
		return;
	json_end_array(o->json);
	json_end_object(o->json);
}

static void print_done(const struct dump_options *o, const char *unit, const char *list)
{
	if (o->json) {
		json_object(o->json, NULL);
		json_string(o->json, "list", list);
		json_bool(o->json, "done", true);
		json_end_object(o->json);
	} else if (!strcmp(unit, "gp")) {
		printf("gp: the %.*s was done\n", (int)strcspn(list, " "), list);
	} else {
		printf("%s: done\n", unit);
	}
}

static void print_gp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	struct unit vs = {
		.dump = dump, .job = job, .o = o, .name = "gp", .mmu = "gpmmu", .what = "VS list", .list = UTGARD_VS_LIST,
		.start = frame_word(job, GP_VSCL_START / 4), .end = frame_word(job, GP_VSCL_END / 4),
	};
	struct unit plbu = vs;
	uint32_t status = GP_STATUS_VS_ACTIVE | GP_STATUS_PLBU_ACTIVE;
	bool known = dump_reg(dump, "gp", GP_STATUS, &status);

	plbu.what = "PLBU list";
	plbu.list = UTGARD_PLBU_LIST;
	plbu.start = frame_word(job, GP_PLBUCL_START / 4);
	plbu.end = frame_word(job, GP_PLBUCL_END / 4);
	json_unit(o, "gp");
	print_gp_registers(dump, o->json);
	print_mmu(dump, job, "gpmmu", o->json);
	if (!known && !o->json)
		printf("gp: no registers in the dump; its lists as they were submitted:\n");
	json_lists(o);
	if (vs.start != vs.end && status & GP_STATUS_VS_ACTIVE)
		print_unit(&vs);
	else if (vs.start != vs.end)
		print_done(o, "gp", vs.what);
	if (plbu.start != plbu.end && (status & GP_STATUS_PLBU_ACTIVE || !(status & GP_STATUS_VS_ACTIVE)))
		print_unit(&plbu);
	else if (plbu.start != plbu.end)
		print_done(o, "gp", plbu.what);
	json_end_unit(o);
}

static void print_one_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o, uint32_t i)
{
	bool m450 = job->frame_size != M400_FRAME_BYTES, dlbu = m450 && frame_word(job, M450_USE_DLBU);
	char name[16], mmu[16];
	struct unit u = {
		.dump = dump, .job = job, .o = o, .name = name, .mmu = mmu, .what = "tile list",
		.list = UTGARD_TILE_LIST,
		.start = frame_word(job, (m450 ? M450_LISTS : M400_LISTS) + i),
	};
	uint32_t status, raw;
	bool done;

	snprintf(name, sizeof(name), "pp%u", i);
	snprintf(mmu, sizeof(mmu), "ppmmu%u", i);
	json_unit(o, name);
	print_pp_registers(dump, name, o->json);
	print_mmu(dump, job, mmu, o->json);
	json_lists(o);
	done = (dump->num_regs && !dump_reg(dump, name, PP_STATUS, &status)) ||
	       (dump_reg(dump, name, PP_INT_RAWSTAT, &raw) && raw & PP_IRQ_END_OF_FRAME);
	if (done)
		print_done(o, name, u.what);
	else if (!dlbu)
		print_unit(&u);
	json_end_unit(o);
}

static void print_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	bool dlbu = job->frame_size != M400_FRAME_BYTES && frame_word(job, M450_USE_DLBU);
	uint32_t num = frame_word(job, FRAME_NUM_PP);

	if (dlbu && !o->json)
		printf("pp: tiles are dealt by the DLBU: there are no tile lists in memory\n");
	for (uint32_t i = 0; i < num && i < 8; i++)
		print_one_pp(dump, job, o, i);
}

void dump_print_utgard(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	if (o->json)
		json_array(o->json, "units");
	else if (!job->frame)
		printf("no frame in the dump\n");
	if (job->frame && job->queue == 0)
		print_gp(dump, job, o);
	else if (job->frame)
		print_pp(dump, job, o);
	if (o->json)
		json_end_array(o->json);
}
