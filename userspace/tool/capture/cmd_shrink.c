// SPDX-License-Identifier: MIT
/*
 * limn shrink: leaves out of a capture what a pixel does not need: chunks, pages of data, draws of Vivante streams.
 * Pieces go in ever smaller groups, each group for good if the pixel stays what it is without it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limn/vivante/hw_regs.h>
#include <limn/vivante/states.h>
#include <zlib.h>	/* crc32() */
#include <zstd.h>

#include "lib/vivante/decode.h"
#include "tool/capture/pixel.h"
#include "tool/capture/capture.h"
#include "tool/capture/replay.h"
#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/out_file.h"
#include "tool/target.h"
#include "tool/words.h"

#define PAGE		4096u
#define MAX_FILE	(1u << 30)
#define LEVEL		19	/* of zstd: nobody waits for the last file */
#define MAX_ALL		(2ull << 30)	/* bytes of all chunks, inflated */
#define NOP		(3u << 27)	/* VIV_FE_NOP */

struct options {
	const char *words[2], *out, *model;	/* words: the capture, X,Y */
	bool quiet;
};

struct chunk {
	struct limn_capture_chunk head;
	uint8_t *data;
	bool vivante;			/* a submit of one */
	uint32_t first, num;		/* its pages or draws among the pieces */
};

/* What may go: a chunk; a page of its data; a draw of its stream. */
struct piece {
	uint32_t chunk;
	enum { CHUNK, DATA_PAGE, DRAW } kind;
	uint32_t at, words;		/* DATA_PAGE: number of the page, over all runs; DRAW: its words in the stream */
	bool gone;
};

struct shrink {
	const struct options *o;
	uint8_t *head;			/* of the file */
	uint32_t head_size;
	struct chunk *chunks;
	uint32_t num_chunks;
	struct piece *pieces;
	uint32_t num_pieces;
	int32_t x, y;
	uint8_t wanted[4];
	uint32_t failed;		/* jobs that fail in the whole capture */
	unsigned int tries;
	/* While chunks are split. */
	uint32_t chunk;
	bool drawing, full;
};

/* --- Reading ------------------------------------------------------------------------------ */

static int read_chunks(struct shrink *s, const uint8_t *data, size_t size, struct limn_error *err)
{
	uint64_t total = 0;
	size_t at;

	memcpy(&s->head_size, data + offsetof(struct limn_capture_header, header_size), 4);
	s->head = malloc(s->head_size);
	if (!s->head)
		return limn_fail(err, -1, "out of memory");
	memcpy(s->head, data, s->head_size);
	/* A replay has read the file by now: it is whole up to where this stops. */
	for (at = s->head_size; size - at >= sizeof(struct limn_capture_chunk);) {
		struct chunk *c = s->num_chunks % 64 ? s->chunks : realloc(s->chunks, (s->num_chunks + 64) * sizeof(*c));
		uint32_t room;

		if (!c)
			return limn_fail(err, -1, "out of memory");
		s->chunks = c;
		c += s->num_chunks;
		*c = (struct chunk){ .data = NULL };
		memcpy(&c->head, data + at, sizeof(c->head));
		at += sizeof(c->head);
		room = c->head.size;
		total += room;
		if (c->head.stored > size - at || room > LIMN_CAPTURE_MAX_CHUNK)
			break;
		c->data = total < MAX_ALL ? malloc(room + 1) : NULL;
		if (!c->data)
			return limn_fail(err, -1, "its chunks do not fit in memory");
		if (!(c->head.flags & LIMN_CAPTURE_COMPRESSED))
			memcpy(c->data, data + at, room);
		else if (ZSTD_decompress(c->data, room, data + at, c->head.stored) != room)
			break;
		at += c->head.stored;
		if (c->head.type == LIMN_CAPTURE_CLOSED)
			free(c->data);
		else
			s->num_chunks++;
	}
	return 0;
}

/* --- Pieces ------------------------------------------------------------------------------- */

static struct piece *add(struct shrink *s, int kind, uint32_t at)
{
	struct piece *p = s->num_pieces % 256 ? s->pieces : realloc(s->pieces, (s->num_pieces + 256) * sizeof(*p));

	s->full |= !p;
	if (!p)
		return NULL;
	s->pieces = p;
	p += s->num_pieces++;
	*p = (struct piece){ .chunk = s->chunk, .kind = kind, .at = at, .words = 1 };
	return p;
}

static void on_word(void *ctx, const struct viv_word *word)
{
	struct shrink *s = ctx;

	if (word->type == VIV_WORD_COMMAND) {
		s->drawing = word->row && (!strncmp(word->row->name, "DRAW", 4) || strstr(word->row->name, "_DRAW"));
		if (s->drawing)
			add(s, DRAW, (uint32_t)word->at);
	} else if (s->drawing && s->num_pieces && s->pieces[s->num_pieces - 1].kind == DRAW) {
		s->pieces[s->num_pieces - 1].words++;
	}
}

static size_t stream_of(const struct chunk *c, uint32_t *bytes)
{
	struct limn_capture_submit told;

	memcpy(&told, c->data, sizeof(told));
	*bytes = told.cmd_size;
	return c->head.size - told.cmd_size;
}

static void split(struct shrink *s, const struct chunk *c)
{
	const struct viv_sink sink = { .ctx = s, .word = on_word };
	struct viv_decode_stats stats;
	uint32_t bytes, pages = 0;
	struct limn_capture_data data;

	if (c->head.type == LIMN_CAPTURE_SUBMIT && c->vivante) {
		size_t at = stream_of(c, &bytes);
		uint32_t *words = malloc(bytes + 4);

		s->full |= !words;
		if (words)
			memcpy(words, c->data + at, bytes);
		if (words)
			limn_viv_decode(words, bytes / 4, 0, &sink, &stats);
		free(words);
	} else if (c->head.type == LIMN_CAPTURE_DATA) {
		memcpy(&data, c->data, sizeof(data));
		for (uint32_t i = 0; i < data.num_runs; i++) {
			struct limn_capture_run run;

			memcpy(&run, c->data + sizeof(data) + i * sizeof(run), sizeof(run));
			for (uint64_t at = 0; at < run.size; at += PAGE)
				add(s, DATA_PAGE, pages++);
		}
	}
}

static void find_pieces(struct shrink *s)
{
	uint64_t vivante[64], number;
	uint32_t num = 0;

	for (s->chunk = 0; s->chunk < s->num_chunks; s->chunk++) {
		struct chunk *c = &s->chunks[s->chunk];
		struct limn_capture_submit told;
		struct limn_capture_file file;

		if (c->head.type == LIMN_CAPTURE_FILE && c->head.size >= offsetof(struct limn_capture_file, driver)) {
			memcpy(&file, c->data, offsetof(struct limn_capture_file, driver));
			number = file.file;
			if (file.family == LIMN_CAPTURE_VIVANTE && num < 64)
				vivante[num++] = number;
		} else if (c->head.type == LIMN_CAPTURE_SUBMIT) {
			memcpy(&told, c->data, sizeof(told));
			for (uint32_t i = 0; i < num; i++)
				c->vivante |= vivante[i] == told.file;
		}
		add(s, CHUNK, 0);
	}
	for (s->chunk = 0; s->chunk < s->num_chunks; s->chunk++) {
		struct chunk *c = &s->chunks[s->chunk];

		c->first = s->num_pieces;
		split(s, c);
		c->num = s->num_pieces - c->first;
	}
}

/* --- Writing ------------------------------------------------------------------------------ */

/* A chunk's data without the pages that are gone; its size, 0: nothing is left. A run for each page. */
static uint32_t without_pages(const struct shrink *s, const struct chunk *c, uint8_t *to)
{
	const struct piece *page = s->pieces + c->first;
	struct limn_capture_run run, one;
	struct limn_capture_data data;
	uint32_t kept = 0, fill, at;

	memcpy(&data, c->data, sizeof(data));
	for (uint32_t i = 0; i < c->num; i++)
		kept += !page[i].gone;
	at = (uint32_t)(sizeof(data) + data.num_runs * sizeof(run));
	fill = (uint32_t)(sizeof(data) + kept * sizeof(run));
	kept = 0;
	for (uint32_t i = 0; i < data.num_runs; i++) {
		memcpy(&run, c->data + sizeof(data) + i * sizeof(run), sizeof(run));
		for (uint64_t k = 0; k < run.size; k += PAGE, page++, at += (uint32_t)one.size) {
			one.offset = run.offset + k;
			one.size = run.size - k < PAGE ? run.size - k : PAGE;
			if (page->gone)
				continue;
			memcpy(to + sizeof(data) + kept++ * sizeof(one), &one, sizeof(one));
			memcpy(to + fill, c->data + at, one.size);
			fill += (uint32_t)one.size;
		}
	}
	data.num_runs = kept;
	memcpy(to, &data, sizeof(data));
	return kept ? fill : 0;
}

/* A submit with NOPs in the place of draws that are gone. */
static uint32_t without_draws(const struct shrink *s, const struct chunk *c, uint8_t *to)
{
	static const uint32_t nop[2] = { NOP, 0 };
	uint32_t bytes;
	size_t stream = stream_of(c, &bytes);

	memcpy(to, c->data, c->head.size);
	for (uint32_t i = 0; i < c->num; i++) {
		const struct piece *p = &s->pieces[c->first + i];

		for (uint32_t w = 0; p->gone && w + 1 < p->words; w += 2)
			memcpy(to + stream + 4ull * (p->at + w), nop, sizeof(nop));
	}
	return c->head.size;
}

static bool write_chunk(FILE *f, const struct chunk *c, const uint8_t *data, uint32_t size, bool small)
{
	struct limn_capture_chunk head = c->head;
	size_t room = ZSTD_compressBound(size);
	uint8_t *packed = small ? malloc(room) : NULL;

	head.flags = 0;
	head.size = head.stored = size;
	room = packed ? ZSTD_compress(packed, room, data, size, LEVEL) : size;
	if (!ZSTD_isError(room) && room < size) {
		head.flags = LIMN_CAPTURE_COMPRESSED;
		head.stored = (uint32_t)room;
		data = packed;
	}
	head.check = crc32(crc32(0, (void *)&head, offsetof(struct limn_capture_chunk, check)), data, head.stored);
	fwrite(&head, 1, sizeof(head), f);
	fwrite(data, 1, head.stored, f);
	free(packed);
	return !ferror(f);
}

/* What is left, as a capture; small: compressed. False: no memory, or f cannot be written. */
static bool write_rest(const struct shrink *s, FILE *f, bool small)
{
	bool ok = fwrite(s->head, 1, s->head_size, f) == s->head_size;

	/* The pieces begin with the chunks. */
	for (uint32_t i = 0; i < s->num_chunks && ok; i++) {
		const struct chunk *c = &s->chunks[i];
		uint8_t *to = s->pieces[i].gone ? NULL : malloc(c->head.size + c->num * sizeof(struct limn_capture_run) + 1);
		const uint8_t *data = c->data;
		uint32_t size = c->head.size;

		if (s->pieces[i].gone)
			continue;
		if (c->num && to) {
			size = (c->head.type == LIMN_CAPTURE_DATA ? without_pages : without_draws)(s, c, to);
			data = to;
		}
		ok = to && (!size || write_chunk(f, c, data, size, small));
		free(to);
	}
	capture_end_mark(f, 0);
	return ok && !ferror(f);
}

/* --- Trying ------------------------------------------------------------------------------- */

struct pixel {
	int32_t x, y;
	uint8_t rgba[4];
	bool found;
	uint32_t failed;		/* jobs */
};

static bool after(void *ctx, const struct replay_job *job)
{
	struct replay_picture picture;
	struct pixel *p = ctx;

	if (!limn_replay_picture(job, &picture))
		return true;
	p->found = (uint32_t)p->x < picture.width && (uint32_t)p->y < picture.height;
	if (p->found)
		memcpy(p->rgba, picture.rgba + 4 * ((size_t)p->y * picture.width + (uint32_t)p->x), 4);
	free(picture.rgba);
	return true;
}

/* The pixel at the end of a capture. 0, or -1 with a line in err. */
static int pixel_of(const struct shrink *s, const char *path, struct pixel *p, struct limn_error *err)
{
	const struct replay_options options = { .model = s->o->model, .last = UINT32_MAX, .ctx = p, .job = after };
	struct replay_totals totals;
	struct capture *c;
	int ret;

	*p = (struct pixel){ .x = s->x, .y = s->y };
	if (limn_capture_open(path, &c, err))
		return -1;
	ret = replay_here(c, &options, &totals, err);
	p->failed = totals.failed;
	if (!ret && limn_capture_damage(c))
		ret = limn_fail(err, -1, "%.120s: %.130s", path, limn_capture_damage(c));
	limn_capture_close(c);
	return ret;
}

/* Whether what is left still shows the pixel as it is. */
static bool shows(struct shrink *s)
{
	int fd = memfd_create("limn-shrink", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
	struct limn_error err;
	struct pixel p;
	char path[40];
	bool ok;

	s->tries++;
	if (!f) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ok = write_rest(s, f, false) && !fflush(f) && !pixel_of(s, path, &p, &err) && p.found &&
	     p.failed <= s->failed && !memcmp(p.rgba, s->wanted, sizeof(p.rgba));
	fclose(f);
	return ok;
}

/* A piece that a chunk which is gone takes with it, or that is gone itself. */
static bool is_gone(const struct shrink *s, uint32_t i)
{
	return s->pieces[i].gone || (s->pieces[i].kind != CHUNK && s->pieces[s->pieces[i].chunk].gone);
}

/* Groups of as many pieces go, the last ones first. Whether any went. before: groups of this round so far. */
static bool drop_groups(struct shrink *s, uint32_t size, uint32_t before)
{
	uint32_t *group = calloc(size, sizeof(*group)), n = 0;
	bool any = false;

	for (uint32_t i = s->num_pieces; group && i--;) {
		if (!is_gone(s, i)) {
			s->pieces[i].gone = true;
			group[n++] = i;
		}
		if (!n || (n < size && i))
			continue;
		progress(before + (s->num_pieces - i) / size, 2ull * s->num_pieces);
		if (shows(s))
			any = true;
		else
			while (n)
				s->pieces[group[--n]].gone = false;
		n = 0;
	}
	free(group);
	return any;
}

static void drop_all(struct shrink *s)
{
	uint32_t before;
	bool any;

	do {
		any = false;
		before = 0;
		progress_begin("steps");
		for (uint32_t size = s->num_pieces; size; size /= 2) {
			any |= drop_groups(s, size, before);
			before += s->num_pieces / size;
		}
		progress_end();
	} while (any);
}

/* --- The command ---------------------------------------------------------------------------- */

static int save(const struct shrink *s, size_t before)
{
	uint32_t submits = 0, left = 0;
	struct out_file out;
	struct limn_error err;
	bool ok;
	long size;

	for (uint32_t i = 0; i < s->num_chunks; i++) {
		submits += s->chunks[i].head.type == LIMN_CAPTURE_SUBMIT;
		left += s->chunks[i].head.type == LIMN_CAPTURE_SUBMIT && !s->pieces[i].gone;
	}
	if (out_open(&out, s->o->out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	ok = write_rest(s, out.f, true);
	size = ftell(out.f);
	if (!ok && !ferror(out.f)) {
		out_discard(&out);
		return failed(EXIT_INPUT, "out of memory");
	}
	if (out_close(&out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!s->o->quiet && strcmp(s->o->out, "-"))
		printf("%s: %ld of %zu bytes, %u of %u submits; pixel %d,%d is %u %u %u %u as before (%u replays)\n", s->o->out, size, before,
		       left, submits, s->x, s->y, s->wanted[0], s->wanted[1], s->wanted[2], s->wanted[3], s->tries);
	return EXIT_OK;
}

static int shrink(struct shrink *s)
{
	const char *path = s->o->words[0], *why;
	struct limn_error err;
	struct pixel p;
	size_t size;
	char *data;
	int ret;

	if (pixel_of(s, path, &p, &err))
		return failed(EXIT_INPUT, strncmp(err.text, path, strlen(path)) ? "%s: %s" : "%.0s%s", path, err.text);
	if (!p.found)
		return failed(EXIT_USAGE, "%s: %s is outside of its picture, or it has none", path, s->o->words[1]);
	memcpy(s->wanted, p.rgba, sizeof(s->wanted));
	s->failed = p.failed;
	why = file_read(path, MAX_FILE, &data, &size);
	if (why)
		return failed(EXIT_INPUT, "%s: %s", path, why);
	ret = read_chunks(s, (const uint8_t *)data, size, &err);
	free(data);
	if (ret)
		return failed(EXIT_INPUT, "%s: %s", path, err.text);
	find_pieces(s);
	if (s->full)
		return failed(EXIT_INPUT, "out of memory");
	if (!shows(s))
		return failed(EXIT_INPUT, "%s: replayed again it shows another pixel", path);
	drop_all(s);
	return save(s, size);
}

int cmd_shrink(int argc, char **argv)
{
	struct options o = { .quiet = false };
	const struct option own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE", .required = true,
		  .help = "the small capture" },
		OPTION_OTHER_MODEL(&o.model),
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "shrink", .files = "FILE X,Y", .options = own, .paths = o.words, .max_paths = 2, .min_paths = 2,
		.example = "limn shrink frame.limncap 120,64 -o small.limncap",
		.about = "Leaves out of a capture what its picture's pixel X,Y does not need to be what it is: submits, BOs,\n"
			 "pages of memory, draws of a Vivante's streams (those of a Mali stay, in lists in memory), and the\n"
			 "results that were recorded. Each step is a replay on the model.\n",
	};
	struct shrink s = { .o = &o };
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	status = pixel_read("", o.words[1], &s.x, &s.y);
	if (status)
		return status;
	status = shrink(&s);
	for (uint32_t i = 0; i < s.num_chunks; i++)
		free(s.chunks[i].data);
	free(s.chunks);
	free(s.pieces);
	free(s.head);
	return status;
}
