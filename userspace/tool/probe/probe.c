// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <drm/etnaviv_drm.h>

#include "tool/probe/probe.h"

#define WAIT_NS		20000000000ll	/* longer than the drivers let a job hang */

/* The files as text that ends with a 0 (Makefile.inc knows that this depends on them). */
#define EMBED(name, file) \
	__asm__(".pushsection .rodata\n" #name ":\n.incbin \"userspace/tool/probe/" file "\"\n.byte 0\n.popsection\n"); \
	extern const char name[] __attribute__((visibility("hidden")))
EMBED(probe_utgard, "utgard.limn");
EMBED(probe_vivante, "vivante.limn");
EMBED(probe_vivante_shader, "vivante-shader.limn");
EMBED(probe_vivante_compute, "vivante-compute.limn");
EMBED(probe_vivante_2d, "vivante-2d.limn");
EMBED(probe_vivante_rs, "vivante-rs.limn");
EMBED(probe_vivante_blt, "vivante-blt.limn");

static const struct {
	const char *name, *text;
} files[PROBE_FILES] = {
	{ "utgard.limn", probe_utgard }, { "vivante.limn", probe_vivante },
	{ "vivante-shader.limn", probe_vivante_shader }, { "vivante-compute.limn", probe_vivante_compute },
	{ "vivante-2d.limn", probe_vivante_2d }, { "vivante-rs.limn", probe_vivante_rs },
	{ "vivante-blt.limn", probe_vivante_blt },
};

/* A report has room for the words of each. */
static bool too_many_words(const struct job_scene *s)
{
	uint32_t words = 0;

	for (uint32_t i = 0; i < s->num_expects; i++)
		words += s->expects[i].answer != NULL;
	if (words > REPORT_WORDS)
		fprintf(stderr, "%s: %u pixels and counts, of at most %u\n", s->name, words, REPORT_WORDS);
	return words > REPORT_WORDS;
}

int probes_read(struct probes *p)
{
	struct messages messages = { .strict = false };

	*p = (struct probes){ .count = 0 };
	for (int i = 0; i < PROBE_FILES; i++) {
		int ret = job_parse(files[i].name, files[i].text, NULL, &p->jobs[i], &messages);

		/* Warnings are of what is asked on purpose. */
		if (ret)
			messages_print(&messages, stderr);
		messages_free(&messages);
		if (ret)
			return EXIT_INPUT;
		for (uint32_t k = 0; k < p->jobs[i]->num_scenes; k++) {
			if (!p->jobs[i]->scenes[k]->question)
				continue;
			if (p->count == REPORT_PROBES || too_many_words(p->jobs[i]->scenes[k]))
				return EXIT_INPUT;
			p->list[p->count++] = (struct probe){ p->jobs[i], p->jobs[i]->scenes[k] };
		}
	}
	return EXIT_OK;
}

void probes_free(struct probes *p)
{
	for (int i = 0; i < PROBE_FILES; i++)
		job_free(p->jobs[i]);
}

const struct probe *probes_find(const struct probes *p, const char *id)
{
	for (unsigned int i = 0; i < p->count; i++)
		if (!strcmp(p->list[i].scene->name, id))
			return &p->list[i];
	return NULL;
}

bool probe_fits(const struct probe *p, const struct limn_device *dev)
{
	const char *gpu = target_gpu(dev);
	bool is = !p->scene->num_gpus;

	for (uint32_t i = 0; i < p->scene->num_gpus; i++)
		is |= !strcmp(p->scene->gpus[i], gpu);
	return is && job_fits(p->job, dev);
}

/* --- Running ------------------------------------------------------------------ */

/* The frame stays in *frame, or NULL: it is the caller's. */
static int draw(const struct probe *p, const struct job_scene *scene, struct limn_device *dev, uint8_t *rgba,
		struct job_frame **out, struct limn_error *err)
{
	struct job_frame *frame = NULL;
	int ret = job_frame_create(p->job, scene, dev, &frame, err);

	if (!ret)
		ret = job_frame_submit(frame, err);
	if (!ret)
		ret = job_frame_wait(frame, WAIT_NS, err);
	if (!ret && rgba)
		job_frame_read(frame, rgba);
	*out = frame;
	return ret;
}

/* The scene before it that is no probe, whose job leaves all it can behind. */
static const struct job_scene *dirt(const struct probe *p)
{
	const struct job_scene *found = NULL;

	for (uint32_t i = 0; p->scene->relied_on && p->job->scenes[i] != p->scene; i++)
		if (!p->job->scenes[i]->question)
			found = p->job->scenes[i];
	return found;
}

/* The first pixel is always the clear colour's: what has another is not the picture. */
static bool is_drawn(const struct job_scene *scene, const uint8_t *rgba)
{
	for (int c = 0; c < 4; c++) {
		double off = rgba[c] - scene->target.clear_color[c] * 255;

		if (off < -1 || off > 1)
			return false;
	}
	return true;
}

static void no_report(void *ctx, const char *text)
{
}

bool probe_run(const struct probe *p, const struct target *target, struct report_row *row, struct limn_error *err)
{
	const struct job_scene *s = p->scene, *before = dirt(p);
	uint8_t *rgba = calloc((size_t)s->target.width * s->target.height, 4);
	struct job_frame *frame = NULL, *other = NULL;
	struct target own = *target;
	struct limn_device *dev;
	struct limn_error why;
	bool queued = before && !strcmp(before->name, "queued");

	own.report = target->report ? target->report : no_report;
	own.family = job_device_family(p->job->family);
	snprintf(row->id, sizeof(row->id), "%s", s->name);
	snprintf(row->answer, sizeof(row->answer), "failed");
	row->num_words = 0;
	if (!rgba || target_open(&own, &dev, err)) {
		free(rgba);
		return false;
	}
	/* One that is called queued is drawn while the driver prepares the probe. */
	if (queued && !job_frame_create(p->job, before, dev, &other, &why))
		queued = !job_frame_submit(other, &why);
	else if (before)
		draw(p, before, dev, NULL, &other, &why);
	/* One that is called beside keeps its memory while the probe runs: that is in other pages then. */
	if (before && !strcmp(before->name, "before")) {
		job_frame_free(other);
		other = NULL;
	}
	if (!draw(p, s, dev, rgba, &frame, &why) && is_drawn(s, rgba)) {
		row->num_words = job_probe_words(s, rgba, row->words);
		snprintf(row->answer, sizeof(row->answer), "%s", job_probe_answer(s, row->words));
	}
	job_frame_free(frame);
	if (queued && other)
		job_frame_wait(other, WAIT_NS, &why);
	job_frame_free(other);
	limn_close(dev);
	free(rgba);
	return true;
}

/* --- Reports -------------------------------------------------------------------- */

void probe_describe(struct report *r, const struct limn_device *dev)
{
	static const unsigned int ids[] = {
		ETNAVIV_PARAM_GPU_MODEL, ETNAVIV_PARAM_GPU_REVISION, ETNAVIV_PARAM_GPU_PRODUCT_ID, ETNAVIV_PARAM_GPU_ECO_ID,
	};
	const struct limn_info *info = limn_get_info(dev);
	struct utsname kernel;
	const char *gpu = target_gpu(dev);

	*r = (struct report){ .limn = LIMN_VERSION, .kernel = "none" };
	/* Only the numbers: what comes behind them may name who has built it. */
	if (!target_model(dev) && !uname(&kernel))
		snprintf(r->kernel, sizeof(r->kernel), "%.*s", (int)strspn(kernel.release, "0123456789."), kernel.release);
	snprintf(r->driver, sizeof(r->driver), "%.24s %d.%d.%d%s", info->driver, info->version[0], info->version[1],
		 info->version[2], info->says_isolation ? " of limn" : "");
	if (info->family == LIMN_UTGARD) {
		uint32_t words[] = { info->gpu, info->num_pp, info->gp_version, info->pp_version };

		snprintf(r->gpu, sizeof(r->gpu), "%s", *gpu ? gpu : "mali");
		memcpy(r->identity, words, sizeof(words));
		r->num_identity = 4;
		return;
	}
	snprintf(r->gpu, sizeof(r->gpu), "gc%x", (uint32_t)info->params[0][ETNAVIV_PARAM_GPU_MODEL]);
	if (*gpu)
		snprintf(r->gpu, sizeof(r->gpu), "%s", gpu);
	for (unsigned int i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		r->identity[r->num_identity++] = info->params[0][ids[i]];
	for (unsigned int i = 0; i < 13; i++)
		r->identity[r->num_identity++] = info->params[0][ETNAVIV_PARAM_GPU_FEATURES_0 + i];
}

static int wrong(const char *path, unsigned int line, const char *what, const char *of)
{
	if (line)
		fprintf(stderr, "%s:%u: %s%s\n", path, line, what, of);
	else
		fprintf(stderr, "%s: %s%s\n", path, what, of);
	return EXIT_INPUT;
}

/* Whether a row is what its words say, by the probe of this version. */
static int check_row(const struct probes *p, const struct report_row *row, const char *path)
{
	const struct probe *probe = probes_find(p, row->id);
	uint32_t count = 0;

	if (!probe)
		return wrong(path, row->line, "there is no probe ", row->id);
	for (uint32_t i = 0; i < probe->scene->num_expects; i++)
		count += probe->scene->expects[i].answer != NULL;
	if (!strcmp(row->answer, "failed"))
		return row->num_words ? wrong(path, row->line, "words of a job that failed: ", row->id) : EXIT_OK;
	if (row->num_words != count)
		return wrong(path, row->line, "another number of words than this version's probe has: ", row->id);
	if (strcmp(job_probe_answer(probe->scene, row->words), row->answer))
		return wrong(path, row->line, "the words are not those of the answer ", row->answer);
	return EXIT_OK;
}

int probe_report_read(const struct probes *p, const char *path, struct report *r)
{
	unsigned int line;
	const char *what;
	int status = report_load(r, path, &line, &what) ? EXIT_OK : wrong(path, line, what, "");

	for (unsigned int i = 0; i < r->num_rows && !status; i++)
		status = check_row(p, &r->rows[i], path);
	return status;
}
