// SPDX-License-Identifier: MIT
/* Midgard: words to text, as midgard_asm.c reads it. */
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/memo.h"
#include "isa/midgard_text.h"

struct md_disasm {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	struct md_place_in in;
	uint32_t next_tag;		/* what the bundle behind has; MD_BREAK: there is none */
	uint32_t seen;			/* the last label */
	struct isa_counter labels;	/* the same */
	struct isa_text *text;
};

static const char *prefix(unsigned int which)
{
	static const char *const names[] = { "", "vmul.", "sadd.", "vadd.", "smul.", "lut." };

	return which <= MD_B_LUT ? names[which] : "";
}

static bool is_nop(const struct isa_bits *b)
{
	return b->w[0] == 3 && !b->w[1];
}

static void write_block(struct md_disasm *d, const struct md_bundle *b, const struct md_bundle *came, unsigned int i)
{
	const struct isa_op *op = md_row(&b->block[i], i);

	isa_puts(d->text, prefix(i));
	isa_write_op(d->isa, &d->in, &b->block[i], op, d->text);
	if (came)
		isa_write_sets(d->isa, op->form, &b->block[i], &came->block[i], ", ", "", d->text);
	isa_putc(d->text, '\n');
	if (op->form == MD_F_LDST && md_get(&b->block[i], ld_reg) < 16 && md_ldst_writes(md_get(&b->block[i], ld_op)))
		d->in.written |= 1 << md_get(&b->block[i], ld_reg);
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
	for (unsigned int i = MD_B_VMUL; i < MD_BLOCKS; i++) {
		if (!(b->present >> i & 1) || i == MD_B_CONST || (i == MD_B_LDST1 && is_nop(&b->block[i])))
			continue;
		write_block(d, b, came, i);
	}
	if (b->present >> MD_B_CONST & 1)
		isa_printf(d->text, "uconstants 0x%X, 0x%X, 0x%X, 0x%X\n", w[0], w[1], w[2], w[3]);
	if (b->present >> MD_B_CTRL & 1 && (b->block[MD_B_CTRL].w[0] & 15) >= MD_ALU + 4)
		isa_puts(d->text, "writeout\n");
	isa_puts(d->text, stop ? "break\n\n" : "\n");
}

/* A label leads where it was made for; the tag there goes without saying, or is in the text. */
static void resolve_back(const struct md_disasm *d, struct md_read_bundle *bu, const struct md_bundle *b)
{
	for (int k = 0; k < 2; k++) {
		const struct md_read_target *t = &bu->target[k];
		unsigned int lo, width, tag;
		int64_t to;

		if (!t->name)
			continue;
		md_branch_places(t->form, &lo, &width, &tag);
		isa_put(&bu->b.block[MD_B_BRANCH + k], lo, width, isa_get(&b->block[MD_B_BRANCH + k], lo, width));
		to = (int64_t)d->in.next + 4ll * md_sign_extend(isa_get(&b->block[MD_B_BRANCH + k], lo, width), width);
		if (t->bare)
			isa_put(&bu->b.block[MD_B_BRANCH + k], tag, 4, d->words[to] & 15);
	}
}

/* What the text of one bundle, from start on, assembles to. */
static bool read_back(const struct md_disasm *d, size_t start, const struct md_bundle *b, struct md_bundle *came)
{
	struct md_read_bundle bu;
	uint32_t out[16];

	if (!md_read_text(d->isa, d->text->data + start, d->text->length - start, &bu))
		return false;
	resolve_back(d, &bu, b);
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

/* False: it has no text of its own, and must not be kept. */
static bool write_one(struct md_disasm *d, const uint32_t *words, bool stop, struct isa_draft *draft)
{
	size_t start = d->text->length;
	uint16_t written = d->in.written;
	struct md_bundle b, came;

	md_split(words, d->count - (words - d->words), &b);
	d->in.draft = draft;
	isa_draft_begin(draft, d->text);
	write_bundle(d, &b, NULL, stop);
	/* What the text alone means says which "set" are needed. */
	if (d->text->failed || !read_back(d, start, &b, &came)) {
		d->text->length = start;
		write_words(words, b.words, d->text);
		return false;
	}
	if (!memcmp(b.block, came.block, sizeof(b.block)))
		return true;
	d->text->length = start;
	d->in.written = written;
	isa_draft_begin(draft, d->text);
	write_bundle(d, &b, &came, stop);
	return true;
}

/* How many words the bundle, or .word line, at i has. */
static size_t stride(const uint32_t *words, size_t i, size_t count)
{
	unsigned int n = md_length(words + i, count - i);

	return n ? n : count - i < 4 ? count - i : 4;
}

static bool has_branch(const uint32_t *words)
{
	return (words[0] & 15) >= MD_ALU && words[0] >> 26 & 3;
}

/* Where the branch in that block goes; -1: there is none, or it leads out of the program. */
static int64_t target_of(const struct md_bundle *b, unsigned int which, size_t next, size_t count)
{
	unsigned int offset, width, tag;
	int64_t to;

	if (!b->words || !(b->present >> which & 1))
		return -1;
	md_branch_places(md_row(&b->block[which], which)->form, &offset, &width, &tag);
	to = (int64_t)next + 4ll * md_sign_extend(isa_get(&b->block[which], offset, width), width);
	return to >= 0 && to < (int64_t)count ? to : -1;
}

#define IS_TARGET	1
#define IS_START	2

/* Numbers, in their order, the bundles that branches go to. NULL: out of memory. */
static uint32_t *find_labels(const uint32_t *words, size_t count)
{
	uint32_t *labels = calloc(count / 4 + 2, sizeof(*labels)), n = 0;
	struct md_bundle b;

	for (size_t i = 0; labels && i < count; i += stride(words, i, count)) {
		int64_t to;

		labels[i / 4] |= IS_START;
		if (!has_branch(words + i))
			continue;
		md_split(words + i, count - i, &b);
		to = target_of(&b, b.present >> MD_B_BRANCHX & 1 ? MD_B_BRANCHX : MD_B_BRANCH, i + b.words, count);
		if (to >= 0)
			labels[to / 4] |= IS_TARGET;
	}
	/* Only what is a bundle's, or a .word line's, beginning can have one. */
	for (size_t k = 0; labels && k < count / 4 + 1; k++)
		labels[k] = labels[k] == (IS_START | IS_TARGET) ? ++n : 0;
	return labels;
}

#define KEY	(16 + 3)

/*
 * What the text of a bundle depends on, and its length: also how far the labels of its branches are
 * from the one before it, as labels are numbered.
 */
static unsigned int make_key(uint32_t key[KEY], const struct md_disasm *d, const uint32_t *words, unsigned int n, bool stop)
{
	unsigned int size = 1;

	key[0] = d->in.written | stop << 16 | d->next_tag << 17;
	if (has_branch(words)) {
		struct md_bundle b;

		md_split(words, n, &b);
		for (unsigned int which = MD_B_BRANCH; which <= MD_B_BRANCHX; which++) {
			int64_t to = target_of(&b, which, d->in.next, d->count);
			uint32_t label = to >= 0 && !(to % 4) ? d->in.labels[to / 4] : 0;

			key[size++] = label ? label - d->seen : 0x80000000;
		}
	}
	memcpy(key + size, words, n * 4);
	return size + n;
}

/* The bundle of n words. */
static void disassemble_one(struct md_disasm *d, struct isa_memo *memo, const uint32_t *words, unsigned int n)
{
	bool stop = (words[0] >> 4 & 15) == MD_BREAK && d->next_tag != MD_BREAK;
	uint32_t key[KEY];
	unsigned int size = memo ? make_key(key, d, words, n, stop) : 0;
	struct isa_draft draft;

	if (size && isa_memo_write(memo, key, size, &d->labels, d->text)) {
		d->in.written = isa_memo_state(memo);
		return;
	}
	if (!write_one(d, words, stop, &draft))
		draft.whole = false;
	draft.state = d->in.written;
	if (size)
		isa_memo_keep(memo, key, size, &draft, d->text);
}

void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct md_disasm d = { .isa = isa, .words = words, .count = count, .text = text };
	struct isa_memo *memo = count > 4 * ISA_MEMO_FEW ? isa_memo_new() : NULL;
	uint32_t *labels = find_labels(words, count);
	unsigned int next;

	text->failed |= !labels;
	d.in.labels = labels;
	d.in.label_base = &d.labels;
	d.in.words = count;
	next = count ? md_length(words, count) : 0;
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		n = next;
		if (labels[i / 4]) {
			d.seen = labels[i / 4];
			isa_counter_set(&d.labels, d.seen);
			isa_putc(text, 'L');
			isa_put_uint(text, d.seen);
			isa_puts(text, ":\n");
		}
		if (!n) {
			n = stride(words, i, count);
			write_words(words + i, n, text);
			next = i + n < count ? md_length(words + i + n, count - i - n) : 0;
		} else {
			d.in.next = i + n;
			next = d.in.next < count ? md_length(words + d.in.next, count - d.in.next) : 0;
			d.next_tag = next ? words[d.in.next] & 15 : MD_BREAK;
			disassemble_one(&d, memo, words + i, n);
		}
		isa_text_pause(text);
	}
	free(labels);
	isa_memo_free(memo);
}
