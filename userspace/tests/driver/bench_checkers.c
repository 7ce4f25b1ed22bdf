// SPDX-License-Identifier: MIT
/*
 * The driver's stream checker against mainline's parser, on the same streams:
 *
 *	bench_checkers [--rounds N] --examples | FOLDER
 *
 * Both are built for the host by one compiler with the same options, and take
 * turns; a line of JSON for each round. This is the soundest comparison: in the
 * ioctl, copying, locking and the scheduler drown what differs, and mainline's
 * calls its parser for MMUv1 only. The rules are MMUv1's here too: for those,
 * ours does more. With MMUv2's ours is timed alone.
 *
 * --examples: the streams of userspace/tool/examples/vivante for a GC2000.
 * FOLDER: captured streams (streams.h). Each address has its relocation.
 */
#include <stddef.h>
#include <time.h>

#include <drm/etnaviv_drm.h>

#include "bench_etnaviv.h"
#include "streams.h"
#include "tool/job/job.h"
#include "tool/target.h"

#include "../../../drivers/gpu/drm/limn/validate/vivante_stream.c"

#define EXAMPLES	"userspace/tool/examples/vivante"
#define SLICE		0.02	/* seconds that each has at a time */

static struct vivante_states mmu_v1, mmu_v2;

struct bench_stream {
	uint32_t *words, num_words;
	struct drm_etnaviv_gem_submit_reloc *relocs;
	uint32_t num_relocs;
};

struct corpus {
	struct bench_stream *list;
	uint32_t count, refused;
	uint64_t bytes;
};

/* Of this process: what others do on the machine does not count. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* As the driver answers: an address is good when a relocation put it there. */
struct relocated {
	const struct bench_stream *s;
	uint32_t checked;
};

static int is_relocated(void *data, unsigned int index, unsigned int word)
{
	struct relocated *r = data;

	while (r->checked < r->s->num_relocs && r->s->relocs[r->checked].submit_offset < index * 4)
		r->checked++;
	return r->checked < r->s->num_relocs && r->s->relocs[r->checked].submit_offset == index * 4;
}

static bool limn_v1(const struct bench_stream *s)
{
	struct relocated r = { s, 0 };
	struct vivante_check check = {
		.states = &mmu_v1,
		.commands = vivante_commands(~0u),
		.address_ok = is_relocated,
		.data = &r,
	};

	return vivante_check_stream(&check, s->words, s->num_words) == VIVANTE_OK;
}

static bool limn_v2(const struct bench_stream *s)
{
	struct vivante_check check = { .states = &mmu_v2, .commands = vivante_commands(~0u) };

	return vivante_check_stream(&check, s->words, s->num_words) == VIVANTE_OK;
}

static bool etnaviv(const struct bench_stream *s)
{
	return bench_etnaviv_check(s->words, s->num_words, s->relocs, s->num_relocs);
}

/* --- Streams -------------------------------------------------------------- */

static void add_reloc(struct bench_stream *s, uint32_t word)
{
	s->relocs = realloc(s->relocs, (s->num_relocs + 1) * sizeof(*s->relocs));
	if (!s->relocs)
		exit(1);
	s->relocs[s->num_relocs++] = (struct drm_etnaviv_gem_submit_reloc){ .submit_offset = 4 * word };
}

/* Captures of the vendor's have their addresses in place: what either knows as one is relocated. */
static void find_addresses(struct bench_stream *s)
{
	for (uint32_t i = 0, length; i < s->num_words; i += length ? length : 1) {
		length = viv_fe_command_words(s->words[i]);
		if (VIV_GET(VIV_FE_OPCODE, s->words[i]) != FE_OPCODE_LOAD_STATE)
			continue;
		for (uint32_t k = 0; k < viv_fe_load_count(s->words[i]); k++) {
			uint32_t state = viv_fe_load_address(s->words[i]) / 4 + k;

			if (state < NUM_STATES && i + 1 + k < s->num_words &&
			    (bench_etnaviv_is_address(state) || is_set(mmu_v1.special, state)))
				add_reloc(s, i + 1 + k);
		}
	}
}

/* Takes what both let pass: only that is work for both. */
static void add(struct corpus *c, const uint32_t *words, uint32_t num_words, const uint32_t *relocs,
		uint32_t num_relocs, bool has_relocs)
{
	struct bench_stream s = { .num_words = num_words };

	s.words = malloc(4 * (num_words + 1));
	c->list = realloc(c->list, (c->count + 1) * sizeof(*c->list));
	if (!s.words || !c->list)
		exit(1);
	memcpy(s.words, words, 4 * num_words);
	for (uint32_t i = 0; i < num_relocs; i++)
		add_reloc(&s, relocs[i]);
	if (!has_relocs)
		find_addresses(&s);
	if (!num_words || !limn_v1(&s) || !etnaviv(&s)) {
		c->refused += num_words != 0;
		free(s.words);
		free(s.relocs);
		return;
	}
	c->list[c->count++] = s;
	c->bytes += 4 * num_words;
}

static void add_capture(void *ctx, struct stream *s)
{
	add(ctx, s->words, s->num_words, s->relocs, s->num_relocs, s->has_relocs);
}

static void add_example(struct corpus *c, const char *name)
{
	const struct target target = { .model = "gc2000", .family = LIMN_VIVANTE };
	struct job_frame *frame = NULL;
	struct messages messages = { 0 };
	struct limn_device *dev = NULL;
	struct job *job = NULL;
	struct limn_error err;
	const uint32_t *words;
	char path[300];
	uint32_t n;

	snprintf(path, sizeof(path), EXAMPLES "/%s", name);
	/* Not all fit this GPU. */
	if (job_read(path, NULL, &job, &messages) || job->family != JOB_VIVANTE || target_open(&target, &dev, &err) ||
	    job_frame_create(job, job->scenes[0], dev, &frame, &err)) {
		c->refused++;
	} else {
		words = job_frame_words(frame, &n);
		add(c, words, n, NULL, 0, false);
	}
	messages_free(&messages);
	job_frame_free(frame);
	if (dev)
		limn_close(dev);
	job_free(job);
}

static void add_examples(struct corpus *c)
{
	struct dirent **list;
	int n = scandir(EXAMPLES, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (strstr(list[i]->d_name, ".limn"))
			add_example(c, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* --- Timing ----------------------------------------------------------------- */

static double mb_per_s(const struct corpus *c, bool (*check)(const struct bench_stream *s))
{
	double start = seconds(), took;
	uint64_t bytes = 0, bad = 0;

	do {
		for (uint32_t i = 0; i < c->count; i++)
			bad += !check(&c->list[i]);
		bytes += c->bytes;
		took = seconds() - start;
	} while (took < SLICE);
	if (bad)
		exit(1);
	return bytes / took / 1e6;
}

static void bench(const struct corpus *c, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++) {
		double ours = i % 2 ? mb_per_s(c, limn_v1) : 0;
		double theirs = mb_per_s(c, etnaviv);
		double v2 = mb_per_s(c, limn_v2);

		if (!ours)
			ours = mb_per_s(c, limn_v1);
		printf("{\"streams\": %u, \"refused\": %u, \"bytes\": %" PRIu64 ", \"limn_mb_per_s\": %.1f, "
		       "\"etnaviv_mb_per_s\": %.1f, \"limn_mmu_v2_mb_per_s\": %.1f}\n",
		       c->count, c->refused, c->bytes, ours, theirs, v2);
	}
}

int main(int argc, char **argv)
{
	struct corpus c = { 0 };
	unsigned int rounds = 8;
	int i = 1;

	if (argc > 3 && !strcmp(argv[1], "--rounds")) {
		rounds = strtoul(argv[2], NULL, 0);
		i = 3;
	}
	if (i + 1 != argc) {
		fprintf(stderr, "usage: bench_checkers [--rounds N] --examples | FOLDER\n");
		return 2;
	}
	vivante_states_init(&mmu_v1, 1);
	vivante_states_init(&mmu_v2, 0);
	bench_etnaviv_init();
	if (!strcmp(argv[i], "--examples"))
		add_examples(&c);
	else
		streams_each(argv[i], add_capture, &c);
	if (!c.count) {
		fprintf(stderr, "bench_checkers: %s: no streams\n", argv[i]);
		return 1;
	}
	bench(&c, rounds);
	for (uint32_t k = 0; k < c.count; k++) {
		free(c.list[k].words);
		free(c.list[k].relocs);
	}
	free(c.list);
	return 0;
}
