// SPDX-License-Identifier: MIT
/* limn exec: Midgard shaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/midgard.h"
#include "tool/exec_step.h"

static void io_load(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		    union mdsim_reg *out)
{
	struct exec *e = ctx;
	uint32_t word = offset / 4;

	for (unsigned int c = 0; c < 4; c++) {
		float v = 0;

		if (kind == MDSIM_UNIFORM)
			v = index == 0 && word + c < MAX_UNIFORMS * 4 ? e->uniforms[0][word + c] : 0;
		else if (kind == MDSIM_TILEBUFFER)
			v = index < 8 ? e->fb[c][lane] : 0;	/* depth and stencil are not given */
		else if (index < 16 && kind != MDSIM_SPECIAL)
			v = (kind == MDSIM_ATTRIBUTE ? e->attributes : e->varyings)[index][c][lane];
		if (half)
			out->u16[c] = half_from_float(v);
		else
			out->f32[c] = v;
	}
}

static void io_store(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		     const union mdsim_reg *in)
{
	struct exec *e = ctx;
	unsigned int target = index < 8 ? index : 8;
	v8f *to = kind == MDSIM_TARGET ? e->targets[target] : kind == MDSIM_TILEBUFFER ? e->fb : kind == MDSIM_VARYING && index < 16 ? e->stored[index] : NULL;

	for (unsigned int c = 0; c < 4 && to; c++)
		if (mask >> c & 1)
			to[c][lane] = half ? half_to_float(in->u16[c]) : in->f32[c];
	if (kind == MDSIM_TARGET)
		e->target_lanes[target] |= 1u << lane;
	if (to && kind == MDSIM_VARYING)
		e->stored_mask[index] |= mask;
}

static void io_texture(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4])
{
	struct exec *e = ctx;
	unsigned int count = sample->dimensions ? sample->dimensions : 3;

	for (unsigned int c = 0; c < 4 && sample->texture < 16 && e->coords >> sample->texture & 1; c++) {
		if (sample->mode == 5)
			out[c] = sample->reference;
		else
			out[c] = c == 3 ? sample->lod : c >= count ? 0 : sample->coords[c] + (sample->op == 4 ? sample->offset[c] : 0);
	}
	for (unsigned int c = 0; c < 4 && !(sample->texture < 16 && e->coords >> sample->texture & 1); c++)
		out[c] = sample->texture < 16 ? e->textures[sample->texture][c][lane] : 0;
}

/* The texel's first word; NULL outside the image. */
static uint32_t *texel_at(struct exec *e, const struct mdsim_texel *t)
{
	const struct exec_image *i = &e->images[t->image % 16];

	if (t->image >= 16 || t->coords[0] >= i->width || t->coords[1] >= i->height || t->coords[2] >= i->layers)
		return NULL;
	return e->memory + i->address / 4 +
	       4 * (((size_t)t->coords[2] * i->height + t->coords[1]) * i->width + t->coords[0]);
}

/* Outside reads 0 and is not written. */
static void io_image(void *ctx, unsigned int lane, const struct mdsim_texel *texel, bool store, union mdsim_reg *data)
{
	uint32_t *at = texel_at(ctx, texel);

	for (unsigned int c = 0; c < 4 && at; c++) {
		union mdsim_reg word = { .u32 = { at[c] } };

		if (store)
			word.f32[0] = half_to_float(data->u16[c]);
		if (store)
			at[c] = texel->type == MDSIM_F16 ? word.u32[0] : data->u32[c];
		else if (texel->type == MDSIM_F16)
			data->u16[c] = half_from_float(word.f32[0]);
		else
			data->u32[c] = at[c];
	}
}

static uint64_t io_image_address(void *ctx, unsigned int lane, const struct mdsim_texel *texel)
{
	struct exec *e = ctx;
	const uint32_t *at = texel_at(e, texel);

	return at ? (uint64_t)(at - e->memory) * 4 : 0;
}

/* Bytes, of a memory of little-endian words. */
static bool io_memory(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	struct exec *e = ctx;
	unsigned char *bytes = (unsigned char *)e->memory;

	if (address > MEMORY_WORDS * 4 || size > MEMORY_WORDS * 4 - address)
		return false;
	if (write)
		memcpy(bytes + address, data, size);
	else
		memcpy(data, bytes + address, size);
	return true;
}

const struct mdsim_io exec_io = {
	.load = io_load, .store = io_store, .texture = io_texture, .memory = io_memory, .image = io_image,
	.image_address = io_image_address,
};

static void print_registers(struct exec *e, v8u (*before)[4], const uint8_t *written, unsigned int lanes, bool trace)
{
	exec_print_changed(trace ? "\t# r" : "r", e->md.r, before, written, MDSIM_AT0, lanes);
	exec_print_changed(trace ? "\t# at" : "at", e->md.r + MDSIM_AT0, before + MDSIM_AT0, written ? written + MDSIM_AT0 : NULL,
			   MDSIM_REGISTERS - MDSIM_AT0, lanes);
}

/* The text of the one bundle at that word. */
static void print_bundle(const struct exec *e, size_t at)
{
	struct md_bundle b;
	char *text;

	md_split(e->file.words + at, e->file.count - at, &b);
	text = limn_isa_disasm(e->file.isa, e->file.words + at, b.words);
	printf("@%zu:\n", at);
	for (const char *p = text; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		/* What follows the bundle is not in this text: its tag is no news. */
		if (n && strncmp(p, "ctrl, set ctrl.next", 19))
			printf("\t%.*s\n", (int)n, p);
	}
	free(text);
}

static void trace(void *ctx, unsigned int lanes, size_t at, v8u (*before)[4])
{
	struct exec *e = ctx;

	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		printf("lane %u ", lane);
		print_bundle(e, at);
		print_registers(e, before, NULL, 1u << lane, true);
	}
}

static bool enter(void *ctx, unsigned int lanes, size_t at)
{
	return exec_step_at(ctx, NULL, (unsigned int)at, lanes);
}

void exec_print_lanes(const char *what, unsigned int lanes)
{
	if (!exec_json_lanes(what, lanes) && lanes)
		printf("%s = 0x%02x (lanes)\n", what, lanes);
}

/*
 * What the GPU knows of its threads: LOCAL_STORAGE_PTR.xy is for registers that are spilled, .zw what they share,
 * PC_SP.zw for variables (Mesa compiler.h, LDST_SHARED and LDST_SCRATCH); numbers of a row of eight.
 */
static void name_threads(struct mdsim_state *s)
{
	for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
		s->special[1][0][lane] = STORAGE_START + lane * STORAGE;
		s->special[0][2][lane] = STORAGE_START + lane * STORAGE + STORAGE / 2;
		s->special[1][2][lane] = SHARED_START;
		s->special[2][0][lane] = s->special[4][0][lane] = lane;
	}
}

void exec_print_unknown(const struct exec *e, const struct isa *isa, const struct isa_op *op, size_t at)
{
	struct isa_row row;

	if (op && limn_isa_row_at(isa, (unsigned int)(op - isa->ops), &row))
		fprintf(stderr, "%s: word %zu: %.*s is not executed: %s\n", e->file.path, at, (int)row.length, row.name,
			row.why && *row.why ? row.why : "nobody has said what it does");
}

void exec_print_outputs(const struct exec *e)
{
	for (unsigned int i = 0; i < 16; i++) {
		char name[16];

		snprintf(name, sizeof(name), "vary%u", i);
		if (e->stored_mask[i])
			exec_print_bits(name, (const v8u *)e->stored[i], e->stored_mask[i]);
	}
	for (unsigned int i = 0; i < 9; i++) {
		char name[16];

		snprintf(name, sizeof(name), i < 8 ? "rt%u" : "zs", i);
		if (e->target_lanes[i])
			exec_print_bits(name, (const v8u *)e->targets[i], i < 8 ? 15 : 3);
	}
}

int exec_midgard(struct exec *e)
{
	struct mdsim_program *program = mdsim_decode(e->file.words, e->file.count);
	v8u first[MDSIM_REGISTERS][4];
	struct mdsim_io io = exec_io;
	v8f tile[4];
	struct sim_fault none = { 0 };
	enum sim_status status;

	memcpy(e->md.r, e->registers, sizeof(e->registers));
	memcpy(e->md.r[MDSIM_AT0], e->registers[28], 2 * sizeof(e->registers[28]));
	memcpy(first, e->md.r, sizeof(first));
	memcpy(tile, e->fb, sizeof(tile));
	io.ctx = e;
	e->md.io = &io;
	name_threads(&e->md);
	e->md.trace = e->trace ? trace : NULL;
	e->md.enter = e->step ? enter : NULL;
	e->md.trace_ctx = e;
	status = program ? mdsim_run(&e->md, program, 0xff, e->limit) : SIM_FAULT;
	mdsim_free(program);
	exec_print_outputs(e);
	if (memcmp(tile, e->fb, sizeof(tile)))
		exec_print_vec4("fb", e->fb, 15);
	print_registers(e, first, e->md.registers_written, 0xff, false);
	memcpy(e->memory + SHARED_START / 4, e->memory_before + SHARED_START / 4, SHARED + SIM_LANES * STORAGE);
	exec_print_memory(e);
	exec_print_lanes("written", e->md.written);
	exec_print_lanes("discarded", e->md.discarded);
	exec_print_unknown(e, &isa_midgard, e->md.events & MDSIM_UNKNOWN_OP ? e->md.unknown : NULL, e->md.unknown_at);
	if (e->md.events & MDSIM_BAD_BUNDLE)
		fprintf(stderr, "%s: a thread met words that are no bundle, and ended\n", e->file.path);
	if (e->md.events & MDSIM_BAD_TARGET)
		fprintf(stderr, "%s: a branch left the program, and its thread ended\n", e->file.path);
	if (e->md.events & (MDSIM_BAD_BUNDLE | MDSIM_BAD_TARGET | MDSIM_UNKNOWN_OP))
		return EXIT_JOB;
	return exec_finish(e, status, none, e->md.events & MDSIM_MEMORY ? 1 : 0);
}
