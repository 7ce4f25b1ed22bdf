// SPDX-License-Identifier: MIT
/*
 * Lines of the job file that a dump is of. The job is made into commands once more, on the model of the dump's GPU, which
 * places BOs as the drivers do; and only where lists or stream, states and shaders are the dump's own, its lines are told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <limn/vivante/states.h>

#include "tool/dump.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/target.h"

struct dump_source {
	struct limn_device *dev;
	struct job_frame *frame;
};

static const void *memory_at(void *ctx, uint32_t va, uint32_t len)
{
	return dump_memory(ctx, va, len);
}

static bool frame_is(const struct job_frame *frame, const struct dump_job *job, const struct dump_region *stream)
{
	struct job_memory memory = { .at = memory_at, .ctx = (void *)job };

	if (stream) {
		if ((uintptr_t)stream->data & 3)
			return false;
		memory.words = (const uint32_t *)stream->data;
		memory.num_words = stream->size / 4;
	}
	return job_frame_is_in(frame, &memory);
}

static bool frame_is_in(const struct job_frame *frame, const struct dump *dump)
{
	for (size_t i = 0; i < dump->num_jobs; i++) {
		const struct dump_job *job = &dump->jobs[i];

		if (!dump->vivante && frame_is(frame, job, NULL))
			return true;
		for (size_t k = 0; dump->vivante && k < job->num_regions; k++)
			if (job->regions[k].stream && frame_is(frame, job, &job->regions[k]))
				return true;
	}
	return false;
}

/*
 * By the chip's own registers, and by the size of a PP's frame: of the lists that are compared all Utgard GPUs have the same.
 * A GC3000 calls itself a GC2000 of revision 5450 (Linux etnaviv_gpu.c).
 */
static const char *model_of(const struct dump *dump)
{
	struct limn_info info = { .family = LIMN_VIVANTE };
	uint64_t *id = &info.params[0][ETNAVIV_PARAM_GPU_MODEL], revision = 0;

	if (dump->vivante) {
		for (size_t i = 0; i < dump->num_regs; i++) {
			if (dump->regs[i].offset == VIVS_HI_CHIP_MODEL)
				*id = dump->regs[i].value;
			else if (dump->regs[i].offset == VIVS_HI_CHIP_REV)
				revision = dump->regs[i].value;
		}
		if (*id == chipModel_GC2000 && (revision & 0xffff) == 0x5450)
			*id = 0x3000;
		return target_model_for(&info);
	}
	for (size_t i = 0; i < dump->num_jobs; i++)
		if (dump->jobs[i].queue == 1 && dump->jobs[i].frame_size == sizeof(struct drm_lima_m450_pp_frame))
			return "mali-450-mp4";
	return "mali-400-mp4";
}

/* A job's first BO; drivers have their own address for it, and the others behind it. */
static uint32_t lowest_of(const struct dump *dump)
{
	uint64_t va = UINT32_MAX;

	for (size_t i = 0; i < dump->num_jobs; i++)
		for (size_t k = 0; k < dump->jobs[i].num_regions; k++)
			if (dump->jobs[i].regions[k].va < va)
				va = dump->jobs[i].regions[k].va;
	return (uint32_t)va;
}

struct dump_source *dump_source_open(const char *path, const struct dump *dump, const struct job *job)
{
	uint32_t lowest = lowest_of(dump);
	struct target target = { .model = model_of(dump), .lowest = &lowest };
	struct dump_source *s = calloc(1, sizeof(*s));
	struct limn_error err = { "" };

	if (!s || !*target.model || target_open(&target, &s->dev, &err)) {
		failed(EXIT_INPUT, "%s: %s", path, !s ? "out of memory" : *err.text ? err.text :
		       "there is no model of the GPU that it is of, which --job needs");
	} else if (!job_takes(job, s->dev, &err)) {
		failed(EXIT_INPUT, "%s: --job: %s", path, err.text);
	} else {
		for (uint32_t i = 0; i < job->num_scenes; i++) {
			if (!job_frame_create(job, job->scenes[i], s->dev, &s->frame, &err) && frame_is_in(s->frame, dump))
				return s;
			job_frame_free(s->frame);
			s->frame = NULL;
		}
		failed(EXIT_INPUT, "%s: --job: it is not a dump of that job: other commands, states or shaders", path);
	}
	dump_source_free(s);
	return NULL;
}

void dump_source_free(struct dump_source *s)
{
	if (!s)
		return;
	job_frame_free(s->frame);
	if (s->dev)
		limn_close(s->dev);
	free(s);
}

bool dump_source_is(const struct dump_source *s, const struct dump_job *job, const struct dump_region *stream)
{
	return s && frame_is(s->frame, job, stream);
}

void dump_source_tell(const struct dump_source *s, const struct dump_job *job, const struct dump_place *at, struct json *j,
		      char *sentence, size_t size)
{
	enum job_stage stage = at->stage == 'V' ? JOB_VERTEX : at->stage == 'P' ? JOB_FRAGMENT : JOB_SHADERS;
	bool vivante = job_frame_words(s->frame, &(uint32_t){ 0 }), found = false;
	size_t n = strlen(sentence);
	char text[64], note[200];
	struct place line;

	n -= n && sentence[n - 1] == '.';
	if (at->known && vivante) {
		found = job_frame_place(s->frame, at->word, stage, at->instruction, &line, note, sizeof(note));
	} else if (at->known && dump_source_is(s, job, NULL)) {
		snprintf(text, sizeof(text), at->stage == 'V' ? "%08x, instruction %u" : at->stage ? "%08x, word %u" : "%08x", at->va,
			 at->instruction);
		found = job_frame_explain(s->frame, text, &line, note, sizeof(note));
	}
	if (!found)
		return;
	snprintf(sentence + n, size - n, " (%s:%u: %s).", line.source->path, line.line, note);
	json_object(j, "source");
	report(j, "", STRING("file", line.source->path), INT("line", line.line), STRING("note", note));
	json_end_object(j);
}
