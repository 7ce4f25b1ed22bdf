// SPDX-License-Identifier: MIT
/* limn decode: where GP or PP stopped, on which command, in which state and shader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limn/utgard/regs.h>
#include <limn/utgard/rsw.h>

#include "isa/isa.h"
#include "lib/utgard/decode.h"
#include "tool/dump.h"

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

static void print_line(const struct utgard_command *c, const char *mark)
{
	printf("  %s %08x: %08x %08x  %s%s\n", mark, c->va, c->words[0], c->words[1], c->nested ? "  " : "", c->text);
}

/* A tile's polygon list is shown up to its last primitive's state. */
static bool print_in_tile(struct unit *u, const struct utgard_command *c)
{
	if (!c->nested)
		return false;
	if (u->index++ - u->stop_index <= IN_TILE || u->o->all)
		print_line(c, "  ");
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
		print_line(c, here ? "=>" : "  ");
	u->index++;
	u->in_tile = here && u->list == UTGARD_TILE_LIST && !c->nested && u->ends_well;
	return u->o->all || !here || u->in_tile;
}

static void print_disassembly(const char *isa, const uint32_t *words, size_t count)
{
	char *text = isa_disasm(isa_find(isa), words, count), *line, *next;

	if (!text)
		return;
	for (line = text; *line; line = next) {
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

static void print_shader(const struct unit *u)
{
	uint32_t words[MAX_PP_WORDS];
	uint32_t va = u->state.shader;
	size_t n;

	if (u->list == UTGARD_PLBU_LIST || !va)
		return;
	if (u->list == UTGARD_VS_LIST) {
		const void *p;

		n = u->state.shader_instructions * 4;
		n = n > MAX_PP_WORDS ? MAX_PP_WORDS : n;
		p = dump_memory(u->job, va, 4 * n);
		printf("  vertex shader at 0x%08x, %u instructions%s\n", va, u->state.shader_instructions,
		       p ? ":" : ", not in the dump");
		if (p) {
			memcpy(words, p, 4 * n);
			print_disassembly("utgard-gp", words, n);
		}
		return;
	}
	n = pp_shader_words(u->job, va & RSW_SHADER_MASK, words);
	printf("  fragment shader at 0x%08x%s\n", va & RSW_SHADER_MASK, n ? ":" : ", not in the dump");
	print_disassembly("utgard-pp", words, n);
}

static void print_rsw(const struct unit *u)
{
	const void *p = u->state.rsw ? dump_memory(u->job, u->state.rsw, RSW_BYTES) : NULL;
	uint32_t words[RSW_WORDS];

	if (!u->state.rsw)
		return;
	printf("  render state at 0x%08x%s", u->state.rsw, p ? ":" : ", not in the dump\n");
	if (!p)
		return;
	memcpy(words, p, sizeof(words));
	for (unsigned int i = 0; i < RSW_WORDS; i++)
		printf("%s%08x", i % 8 ? " " : "\n    ", words[i]);
	printf("\n");
}

static void print_state(const struct unit *u)
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
	print_rsw(u);
	print_shader(u);
}

static void print_unit(struct unit *u)
{
	struct utgard_walk walk;
	char where[160];

	u->memory = (struct utgard_memory){ (void *)u->job, memory_at };
	explain(u);
	place(u->job, u->start, where, sizeof(where));
	printf("%s: %s at 0x%08x, %s\n", u->name, u->what, u->start, where);
	if (u->has_stop)
		printf("  stopped at 0x%08x: %s\n", u->stop, u->why);
	else
		printf("  %s\n", u->why);
	utgard_decode(&u->memory, u->list, u->start, u->end, print_command, u, &walk);
	/* It stopped behind its last command, or nowhere in particular. */
	if (!u->has_stop || u->stop_index >= u->index) {
		u->state = walk.state;
		if (u->has_stop)
			printf("  => %08x: no memory\n", u->stop);
	}
	print_state(u);
}

/* --- Registers ------------------------------------------------------------------------ */

struct bit {
	uint32_t mask;
	const char *name;
};

static void print_bits(const char *unit, const char *name, uint32_t value, const struct bit *bits, unsigned int n)
{
	const char *separator = ": ";

	printf("%-8s %-10s %08x", unit, name, value);
	for (unsigned int i = 0; i < n; i++) {
		if (!(value & bits[i].mask))
			continue;
		printf("%s%s", separator, bits[i].name);
		separator = ", ";
	}
	printf("\n");
}

#define PRINT_BITS(unit, name, value, bits) \
	print_bits(unit, name, value, bits, sizeof(bits) / sizeof(bits[0]))

static void print_gp_registers(const struct dump *dump)
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

	if (dump_reg(dump, "gp", GP_STATUS, &value))
		PRINT_BITS("gp", "status", value, status);
	if (dump_reg(dump, "gp", GP_INT_RAWSTAT, &value))
		PRINT_BITS("gp", "interrupts", value, irq);
}

static void print_pp_registers(const struct dump *dump, const char *pp)
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

	if (dump_reg(dump, pp, PP_STATUS, &value))
		PRINT_BITS(pp, "status", value, status);
	if (dump_reg(dump, pp, PP_INT_RAWSTAT, &value))
		PRINT_BITS(pp, "interrupts", value, irq);
}

/* What the tables say of an address. */
static void print_translation(const struct dump *dump, const char *mmu, uint32_t va)
{
	for (size_t i = 0; i < dump->num_tables; i++) {
		const struct dump_table *t = &dump->tables[i];
		uint32_t entry, at = va >> MMU_PTE_SHIFT & (MMU_ENTRIES - 1);

		if (t->directory || t->va >> MMU_PDE_SHIFT != va >> MMU_PDE_SHIFT || 4 * at + 4 > t->size)
			continue;
		memcpy(&entry, t->data + 4 * at, 4);
		printf("%-8s page entry %08x%s\n", mmu, entry, !(entry & MMU_ENTRY_PRESENT) ? ": not present" :
		       entry & MMU_ENTRY_WRITE ? "" : ": read-only");
		return;
	}
	if (dump->num_tables)
		printf("%-8s no page table for that address\n", mmu);
}

static void print_mmu(const struct dump *dump, const struct dump_job *job, const char *mmu)
{
	struct unit u = { .dump = dump, .mmu = mmu };
	uint32_t status, address;
	char where[160];
	bool write;

	if (!dump_reg(dump, mmu, MMU_STATUS, &status) || !page_fault(&u, &address, &write))
		return;
	place(job, address, where, sizeof(where));
	printf("%-8s page fault: %s of 0x%08x by bus master %u, %s\n", mmu, write ? "write" : "read", address,
	       MMU_STATUS_BUS_ID(status), where);
	print_translation(dump, mmu, address);
}

/* --- Jobs ------------------------------------------------------------------------------- */

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
	print_gp_registers(dump);
	print_mmu(dump, job, "gpmmu");
	if (!known)
		printf("gp: no registers in the dump; its lists as they were submitted:\n");
	if (vs.start != vs.end && status & GP_STATUS_VS_ACTIVE)
		print_unit(&vs);
	else if (vs.start != vs.end)
		printf("gp: the VS was done\n");
	if (plbu.start != plbu.end && (status & GP_STATUS_PLBU_ACTIVE || !(status & GP_STATUS_VS_ACTIVE)))
		print_unit(&plbu);
	else if (plbu.start != plbu.end)
		printf("gp: the PLBU was done\n");
}

static void print_pp(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	bool m450 = job->frame_size != M400_FRAME_BYTES;
	uint32_t num = frame_word(job, FRAME_NUM_PP);

	if (m450 && frame_word(job, M450_USE_DLBU))
		printf("pp: tiles are dealt by the DLBU: there are no tile lists in memory\n");
	for (uint32_t i = 0; i < num && i < 8; i++) {
		char name[16], mmu[16];
		struct unit u = {
			.dump = dump, .job = job, .o = o, .name = name, .mmu = mmu, .what = "tile list",
			.list = UTGARD_TILE_LIST,
			.start = frame_word(job, (m450 ? M450_LISTS : M400_LISTS) + i),
		};
		uint32_t status, raw;

		snprintf(name, sizeof(name), "pp%u", i);
		snprintf(mmu, sizeof(mmu), "ppmmu%u", i);
		print_pp_registers(dump, name);
		print_mmu(dump, job, mmu);
		if (dump->num_regs && !dump_reg(dump, name, PP_STATUS, &status)) {
			printf("%s: done\n", name);
			continue;
		}
		if (dump_reg(dump, name, PP_INT_RAWSTAT, &raw) && raw & PP_IRQ_END_OF_FRAME)
			printf("%s: done\n", name);
		else if (!m450 || !frame_word(job, M450_USE_DLBU))
			print_unit(&u);
	}
}

void dump_print_utgard(const struct dump *dump, const struct dump_job *job, const struct dump_options *o)
{
	if (!job->frame)
		printf("no frame in the dump\n");
	else if (job->queue == 0)
		print_gp(dump, job, o);
	else
		print_pp(dump, job, o);
}
