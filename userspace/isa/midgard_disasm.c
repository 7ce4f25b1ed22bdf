// SPDX-License-Identifier: MIT
/* Midgard: words to text, as midgard_asm.c reads it. */
#include <stdlib.h>

#include "isa/line.h"
#include "isa/midgard_text.h"

struct md_disasm {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	struct md_place_in in;
	uint32_t next_tag;		/* what the bundle behind has; MD_BREAK: there is none */
	struct isa_text *text;
};

static void write_block(struct md_disasm *d, const struct md_bundle *b, const struct md_bundle *came, unsigned int i)
{
	const struct isa_bits *block = &b->block[i];
	const struct isa_op *op = md_row(block, i);

	if (i <= MD_B_LUT)
		isa_printf(d->text, "%s.", md_block_names[i]);
	isa_write_op(d->isa, &d->in, block, op, d->text);
	if (came)
		isa_write_sets(d->isa, op->form, block, &came->block[i], ", ", "", d->text);
	isa_putc(d->text, '\n');
	if (op->form == MD_F_LDST && md_get(block, ld_reg) < 16 && !(op->props & MD_P_STORES))
		d->in.written |= 1 << md_get(block, ld_reg);
}

/* came: what the text alone gives; NULL at first. */
static void write_bundle(struct md_disasm *d, const struct md_bundle *b, const struct md_bundle *came, bool stop)
{
	bool ctrl = !(b->present & ~(1 << MD_B_CTRL));
	const uint32_t *w = b->block[MD_B_CONST].w;
	if (came && b->present >> MD_B_CTRL & 1)
		ctrl |= b->block[MD_B_CTRL].w[0] != came->block[MD_B_CTRL].w[0];
	if (ctrl) {
		isa_puts(d->text, "ctrl");
		if (came)
			isa_write_sets(d->isa, MD_F_CTRL, &b->block[MD_B_CTRL], &came->block[MD_B_CTRL], ", ", "", d->text);
		isa_putc(d->text, '\n');
	}
	d->in.constants = b->present >> MD_B_CONST & 1 ? w : NULL;
	for (unsigned int i = MD_B_VMUL; i < MD_BLOCKS; i++)
		if (b->present >> i & 1 && i != MD_B_CONST &&
		    (i != MD_B_LDST1 || b->block[i].w[0] != MD_LDST_NOP || b->block[i].w[1]))
			write_block(d, b, came, i);
	if (d->in.constants)
		isa_printf(d->text, "uconstants 0x%X, 0x%X, 0x%X, 0x%X\n", w[0], w[1], w[2], w[3]);
	if (b->present >> MD_B_CTRL & 1 && md_get(&b->block[MD_B_CTRL], ctrl_tag) >= MD_ALU + 4)
		isa_puts(d->text, "writeout\n");
	isa_puts(d->text, stop ? "break\n\n" : "\n");
}

/* What the text of one bundle, from start on, assembles to. */
static bool read_back(const struct md_disasm *d, size_t start, const struct md_bundle *b, struct md_bundle *came)
{
	struct md_text bu;
	uint32_t out[16];

	if (!md_read_text(d->isa, d->text->data + start, d->text->length - start, &bu))
		return false;
	/* A label leads where it was made for; the tag there goes without saying, or is in the text. */
	for (int k = 0; k < 2; k++) {
		const struct isa_bits *block = &b->block[MD_B_BRANCH + k];
		const struct isa_operand *o = isa_operand_of(d->isa, &(struct isa_op){ .form = bu.target[k].form }, 'o');

		if (bu.target[k].name)
			md_put_at(o, &bu.b.block[MD_B_BRANCH + k], 0, md_at(o, block, 0));
	}
	if (md_finish(&bu, out) != b->words)
		return false;
	out[0] = (out[0] & ~0xf0u) | (bu.stop ? MD_BREAK : d->next_tag) << 4;
	md_split(out, b->words, came);
	return came->words == b->words && came->present == b->present;
}

static void write_words(const uint32_t *words, size_t n, struct isa_text *text)
{
	isa_line_words(words, n, text);
	isa_puts(text, "\n\n");
}

static void write_one(struct md_disasm *d, const struct md_bundle *b, const uint32_t *words, bool stop)
{
	size_t start = d->text->length;
	uint16_t written = d->in.written;
	struct md_bundle came;

	write_bundle(d, b, NULL, stop);
	if (d->text->failed)
		return;
	/* What the text alone means says which "set" are needed. */
	if (!read_back(d, start, b, &came)) {
		d->text->length = start;
		write_words(words, b->words, d->text);
	} else if (memcmp(b->block, came.block, sizeof(b->block))) {
		d->text->length = start;
		d->in.written = written;
		write_bundle(d, b, &came, stop);
	}
}

/* How many words the bundle, or .word line, at i has. */
static size_t stride(const struct md_bundle *b, size_t left)
{
	return b->words ? b->words : left < 4 ? left : 4;
}

#define IS_TARGET	1
#define IS_START	2

/* Numbers, in their order, the bundles that branches go to. NULL: out of memory. */
static uint32_t *find_labels(const uint32_t *words, size_t count)
{
	uint32_t *labels = calloc(count / 4 + 2, sizeof(*labels)), n = 0;
	struct md_bundle b;

	for (size_t i = 0; labels && i < count; i += stride(&b, count - i)) {
		unsigned int which;
		int64_t to;

		md_split(words + i, count - i, &b);
		labels[i / 4] |= IS_START;
		which = b.present >> MD_B_BRANCHX & 1 ? MD_B_BRANCHX : MD_B_BRANCH;
		if (!b.words || !(b.present >> which & 1))
			continue;
		to = (int64_t)i + b.words + 4ll * md_distance(&b.block[which], md_row(&b.block[which], which)->form);
		if (to >= 0 && to < (int64_t)count)
			labels[to / 4] |= IS_TARGET;
	}
	/* Only what is a bundle's, or a .word line's, beginning can have one. */
	for (size_t k = 0; labels && k < count / 4 + 1; k++)
		labels[k] = labels[k] == (IS_START | IS_TARGET) ? ++n : 0;
	return labels;
}

void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct md_disasm d = { .isa = isa, .words = words, .count = count, .text = text, .in.words = count };
	uint32_t *labels = find_labels(words, count);
	struct md_bundle b, next;

	text->failed |= !labels;
	d.in.labels = labels;
	if (count)
		md_split(words, count, &next);
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		b = next;
		n = stride(&b, count - i);
		if (labels[i / 4])
			isa_printf(text, "L%u:\n", labels[i / 4]);
		d.in.next = i + n;
		d.next_tag = MD_BREAK;
		if (d.in.next < count) {
			md_split(words + d.in.next, count - d.in.next, &next);
			d.next_tag = next.words ? words[d.in.next] & 15 : MD_BREAK;
		}
		if (b.words)
			write_one(&d, &b, words + i, (words[i] >> 4 & 15) == MD_BREAK && d.next_tag != MD_BREAK);
		else
			write_words(words + i, n, text);
		isa_text_pause(text);
	}
	free(labels);
}
