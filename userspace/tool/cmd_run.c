// SPDX-License-Identifier: MIT
/* limn run: draws the scenes of job files, and holds them against what they expect. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/capture/pixel.h"
#include "tool/cmd.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/out_file.h"
#include "tool/png.h"
#include "tool/progress.h"
#include "tool/target.h"

#define WAIT_NS 30000000000ll	/* longer than a driver's own job timeout */
#define MAX_JOBS 1024

struct options {
	struct target target;
	const char *out, *stream, *scene, *pixel;
	int32_t x, y;		/* of pixel */
	struct option_list defines;
	uint64_t frames;
	struct animation *animation;	/* that the pictures go to */
	bool json, werror, quiet;
};

struct reports {
	char **list;
	uint32_t count;
};

/* A job file that is being run. */
struct run {
	const struct options *o;
	const char *path;
	struct job *job;
	struct target target;
	struct messages found;		/* what was not as expected */
	struct job_picture *pictures;	/* by scene */
	uint32_t done, failed, skipped;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Every byte of a picture, for comparing two without files (FNV-1a). */
static uint64_t hash(const uint8_t *bytes, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;

	while (n--)
		h = (h ^ *bytes++) * 0x100000001b3;
	return h;
}

static void print_json(const struct run *r, const struct job_scene *scene, const struct limn_info *info,
		       uint32_t frames, double seconds, const uint8_t *rgba)
{
	const struct job_target *t = &scene->target;
	struct json j = { .to = stdout, .line = true };
	char pixels[24];

	snprintf(pixels, sizeof(pixels), "%016llx", (unsigned long long)hash(rgba, (size_t)t->width * t->height * 4));
	json_object(&j, NULL);
	report(&j, "", STRING("job", r->path));
	if (scene->name)
		report(&j, "", STRING("scene", scene->name));
	report(&j, "", STRING("driver", info->driver), STRING("desc", info->desc));
	if (info->family == LIMN_UTGARD)
		report(&j, "", INT("pp_cores", info->num_pp));
	report(&j, "", INT("width", t->width), INT("height", t->height), INT("frames", frames), REAL("seconds", seconds),
	       STRING("pixels", pixels));
	json_end_object(&j);
}

static int save_stream(const char *path, const struct job_frame *frame, struct limn_error *err)
{
	uint32_t count;
	const uint32_t *words = job_frame_words(frame, &count);
	struct out_file out;

	if (out_open(&out, path, err))
		return -1;
	fwrite(words, 4, count, out.f);
	return out_close(&out, err);
}

static void say(const struct options *o, struct messages *messages)
{
	if (o->json && messages->count)
		messages_json(messages, stderr);
	else
		messages_print(messages, stderr);
	messages_free(messages);
}

/* --- One scene ----------------------------------------------------------------------- */

static void keep_report(void *ctx, const char *text)
{
	struct reports *r = ctx;
	char **list = realloc(r->list, (r->count + 1) * sizeof(*list));

	if (!list)
		return;
	r->list = list;
	list[r->count] = strdup(text);
	r->count += list[r->count] != NULL;
}

static void free_reports(struct reports *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		free(r->list[i]);
	free(r->list);
	*r = (struct reports){ NULL, 0 };
}

static int draw(const struct run *r, struct job_frame *frame, uint32_t frames, struct limn_error *err)
{
	int ret = r->o->stream ? save_stream(r->o->stream, frame, err) : 0;

	progress_begin("frames");
	for (uint32_t i = 0; i < frames && !ret; i++) {
		ret = job_frame_submit(frame, err);
		if (!ret)
			ret = job_frame_wait(frame, WAIT_NS, err);
		progress(i + 1, frames);
	}
	progress_end();
	return ret;
}

static bool is_for(const struct job_scene *scene, const char *gpu)
{
	for (uint32_t i = 0; i < scene->num_gpus; i++)
		if (!strcmp(scene->gpus[i], gpu))
			return true;
	return !scene->num_gpus;
}

static bool expects_reports(const struct job_scene *scene)
{
	for (uint32_t i = 0; i < scene->num_expects; i++)
		if (scene->expects[i].kind == JOB_EXPECT_REPORT)
			return true;
	return false;
}

/* With the line of the job that it is about. */
static void print_report(const struct job_frame *frame, const char *text)
{
	struct place at;
	char note[200];

	progress_clear();
	if (frame && job_frame_explain(frame, text, &at, note, sizeof(note)))
		fprintf(stderr, "model: %s\n  %s:%u: %s\n", text, at.source->path, at.line, note);
	else
		fprintf(stderr, "model: %s\n", text);
}

/* Draws the scene; its picture is kept in pictures[index]. 0; an exit status after messages. */
static int run_on(struct run *r, uint32_t index, struct limn_device *dev, struct reports *reports)
{
	const struct job_scene *scene = r->job->scenes[index];
	bool pictures = r->o->animation || strchr(r->o->out ? r->o->out : "", '%');
	uint32_t frames = r->o->frames && !pictures ? r->o->frames : scene->frames;
	size_t bytes = (size_t)scene->target.width * scene->target.height * 4, before = r->found.errors;
	struct job_picture *picture = &r->pictures[index];
	struct job_outcome outcome = {
		.strict = r->o->target.strict && scene->num_expects, .pictures = r->pictures, .num_pictures = index,
	};
	struct json json = { .to = r->o->json || (r->o->out && !strcmp(r->o->out, "-")) ? stderr : stdout, .text = true };
	struct pixel_history history = { .watch = { .x = r->o->x, .y = r->o->y }, .json = &json };
	struct job_frame *frame = NULL;
	struct limn_error err = { "" };
	double begin = now();

	if (r->o->pixel)
		pixel_watch(&history, target_model(dev));
	*picture = (struct job_picture){ scene->name, malloc(bytes), bytes };
	if (!picture->rgba || job_frame_create(r->job, scene, dev, &frame, &err) || draw(r, frame, frames, &err))
		outcome.error = picture->rgba ? err.text : "out of memory";
	else
		job_frame_read(frame, picture->rgba);
	if (r->o->pixel)
		pixel_end(&history);
	outcome.frame = frame;
	outcome.rgba = picture->rgba;
	outcome.reports = reports->list;
	outcome.num_reports = reports->count;
	job_check_outcome(scene, &outcome, &r->found);
	for (uint32_t i = 0; i < reports->count && !expects_reports(scene); i++)
		print_report(frame, reports->list[i]);
	if (!outcome.error && r->o->json)
		print_json(r, scene, limn_get_info(dev), frames, now() - begin, picture->rgba);
	job_frame_free(frame);
	return r->found.errors > before ? EXIT_JOB : EXIT_OK;
}

/* Whether somebody can tell of the pixel; else an exit status after a message. */
static int check_pixel(const struct run *r, const struct job_scene *scene, const struct limn_device *dev)
{
	const struct job_target *t = &scene->target;

	if (!r->o->pixel)
		return EXIT_OK;
	if ((uint32_t)r->o->x >= t->width || (uint32_t)r->o->y >= t->height)
		fprintf(stderr, "limn run: %s: pixel %s is outside of %ux%u\n", r->path, r->o->pixel, t->width, t->height);
	else if (!target_model(dev))
		fprintf(stderr, "limn run: --pixel: only the model can tell: give --model\n");
	else
		return EXIT_OK;
	return EXIT_USAGE;
}

static int run_scene(struct run *r, uint32_t index)
{
	const struct job_scene *scene = r->job->scenes[index];
	struct reports reports = { NULL, 0 };
	struct limn_device *dev;
	struct limn_error err;
	int status;

	r->target.fallback = scene->num_gpus ? scene->gpus[0] : job_family_model(r->job->family);
	r->target.report = keep_report;
	r->target.ctx = &reports;
	if (target_open(&r->target, &dev, &err))
		return failed(target_status(&r->target), "%s: %s", r->path, err.text);
	if (!is_for(scene, target_gpu(dev)) || (expects_reports(scene) && !target_model(dev))) {
		r->skipped++;
		status = EXIT_OK;
	} else if (!job_takes(r->job, dev, &err)) {
		status = failed(r->target.model || r->target.device ? EXIT_USAGE : EXIT_DEVICE, "%s: %s", r->path, err.text);
	} else if (check_pixel(r, scene, dev)) {
		status = EXIT_USAGE;
	} else {
		status = run_on(r, index, dev, &reports);
		r->done++;
		r->failed += status != EXIT_OK;
	}
	limn_close(dev);
	free_reports(&reports);
	return status;
}

/* --- A file ---------------------------------------------------------------------------- */

/* The picture of the one scene there is; number: of a frame, for a name with %d. */
static int save(const struct run *r, uint32_t index, uint32_t number)
{
	const struct job_target *t = &r->job->scenes[index]->target;
	const char *percent = strchr(r->o->out, '%');
	struct limn_error err;
	char path[4096];

	snprintf(path, sizeof(path), "%s", r->o->out);
	if (percent) {
		int width = atoi(percent + 1);
		const char *rest = strchr(percent, 'd');

		snprintf(path, sizeof(path), "%.*s%0*u%s", (int)(percent - r->o->out), r->o->out,
			 width > 0 && width < 20 ? width : 1, number, rest ? rest + 1 : "");
	}
	if (r->o->animation) {
		if (animation_add(r->o->animation, r->pictures[index].rgba, &err))
			return failed(EXIT_INPUT, "%s", err.text);
		return EXIT_OK;
	}
	if (picture_save(path, t->width, t->height, r->pictures[index].rgba, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	progress_clear();
	if (!r->o->quiet && !r->o->json && strcmp(path, "-"))
		printf("%s %ux%u\n", path, t->width, t->height);
	return EXIT_OK;
}

static int run_scenes(struct run *r, uint32_t number)
{
	int status = EXIT_OK, worst = EXIT_OK;

	for (uint32_t i = 0; i < r->job->num_scenes; i++) {
		const char *name = r->job->scenes[i]->name;

		if (r->o->scene && (!name || strcmp(name, r->o->scene)))
			continue;
		status = run_scene(r, i);
		if (!status && r->o->out && r->pictures[i].rgba)
			status = save(r, i, number);
		worst = status > worst ? status : worst;
		if (status == EXIT_DEVICE || status == EXIT_USAGE)
			break;
	}
	say(r->o, &r->found);
	if (r->job->num_scenes > 1 && !r->o->json) {
		printf("%s: ", r->path);
		if (r->target.model)
			printf("%s: ", r->target.model);
		printf("%u scenes, %u failed", r->done, r->failed);
		if (r->skipped)
			printf(", %u are for others", r->skipped);
		putchar('\n');
	}
	return worst;
}

/* On each model that can draw the job. */
static int run_models(struct run *r)
{
	int status, worst = EXIT_OK;
	struct limn_device *dev;

	for (unsigned int i = 0; target_models(NULL, i); i++) {
		bool fits;

		r->target.model = target_models(NULL, i);
		if (target_open(&r->target, &dev, NULL))
			continue;
		fits = job_fits(r->job, dev);
		limn_close(dev);
		if (!fits)
			continue;
		r->done = r->failed = r->skipped = 0;
		status = run_scenes(r, 0);
		worst = status > worst ? status : worst;
		for (uint32_t k = 0; k < r->job->num_scenes; k++) {
			free(r->pictures[k].rgba);
			r->pictures[k].rgba = NULL;
		}
	}
	return worst;
}

/* NULL: messages were printed. */
static struct job *read_job(const struct options *o, const char *path, uint32_t number)
{
	const struct job_options options = {
		.defines = o->defines.list, .num_defines = o->defines.count, .frame = number,
	};
	struct messages messages = { .strict = o->werror };
	struct job *job;
	int ret = job_read(path, &options, &job, &messages);

	say(o, &messages);
	if (!ret)
		return job;
	job_free(job);
	return NULL;
}

static const char *scene_names(void *ctx, unsigned int index)
{
	const struct job *job = ctx;

	return index < job->num_scenes && job->scenes[index]->name ? job->scenes[index]->name : NULL;
}

/* Whether the options make sense for the job; else an exit status after a message. */
static int check_options(const struct options *o, const char *path, struct job *job)
{
	bool found = !o->scene;

	for (uint32_t i = 0; i < job->num_scenes && o->scene; i++)
		found |= job->scenes[i]->name && !strcmp(job->scenes[i]->name, o->scene);
	if (!found)
		return failed(EXIT_USAGE, "%s has no scene '%s'%s", path, o->scene, did_you_mean(o->scene, scene_names, job));
	if (o->stream && job->family == JOB_UTGARD)
		return failed(EXIT_USAGE, "--stream: a job for Utgard has no command stream");
	if (o->out && job->num_scenes > 1 && !o->scene)
		return failed(EXIT_USAGE, "%s has %u scenes: --out needs --scene NAME", path, job->num_scenes);
	return EXIT_OK;
}

static int run_file(const struct options *o, const char *path, uint32_t number)
{
	struct run r = { .o = o, .path = path, .target = o->target, .job = read_job(o, path, number) };
	int status;

	if (!r.job)
		return EXIT_INPUT;
	r.target.family = job_device_family(r.job->family);
	r.pictures = calloc(r.job->num_scenes, sizeof(*r.pictures));
	status = r.pictures ? check_options(o, path, r.job) : EXIT_INPUT;
	if (!status)
		status = o->target.model && !strcmp(o->target.model, "all") ? run_models(&r) : run_scenes(&r, number);
	for (uint32_t i = 0; i < r.job->num_scenes && r.pictures; i++)
		free(r.pictures[i].rgba);
	free(r.pictures);
	job_free(r.job);
	return status;
}

/* Whether the frames are to be one picture that moves: those of a job that frame makes others, in a PNG. */
static bool is_animated(const struct options *o, const char *path, struct animation *a, int *status)
{
	const char *dot = o->out ? strrchr(o->out, '.') : NULL;
	struct limn_error err;
	struct job *job = NULL;
	bool is;

	*status = EXIT_OK;
	if (!o->out || strchr(o->out, '%') || o->frames < 2)
		return false;
	job = read_job(o, path, 0);
	is = !job || job->uses_frame;
	if (!job)
		*status = EXIT_INPUT;
	else if (is && dot && !strcasecmp(dot, ".ppm"))
		*status = failed(EXIT_USAGE, "--out %s: the picture moves, and a .ppm does not: a .png does, or a name with %%03d", o->out);
	else if (is)
		*status = check_options(o, path, job);
	if (is && !*status && animation_begin(a, o->out, job->scenes[0]->target.width, job->scenes[0]->target.height, o->frames, &err))
		*status = failed(EXIT_INPUT, "%s", err.text);
	job_free(job);
	return is;
}

static int run_animated(struct options *o, const char *path, struct animation *a)
{
	int status = EXIT_OK;
	struct limn_error err;

	o->animation = a;
	progress_begin("frames");
	for (uint32_t n = 0; n < o->frames && !status; n++) {
		status = run_file(o, path, n);
		progress(n + 1, o->frames);
	}
	progress_end();
	if (animation_end(a, &err)) {
		status = failed(status ? status : EXIT_INPUT, "%s", err.text);
	} else if (!o->quiet && !o->json && strcmp(o->out, "-")) {
		printf("%s %ux%u, %u frames\n", o->out, a->width, a->height, a->frames);
	}
	return status;
}

/* Whether it is a name for pictures, with at most one place for a number; else an exit status after a message. */
static int check_out(const char *out)
{
	const char *p = out ? strchr(out, '%') : NULL;

	if (p && (p[1 + strspn(p + 1, "0123456789")] != 'd' || strchr(p + 1, '%')))
		return failed(EXIT_USAGE, "--out %s: behind %% stands d or 03d, once, for the number of the frame", out);
	if (out && !picture_name(out))
		return failed(EXIT_USAGE, "--out %s: a picture's name ends in .png or .ppm", out);
	return EXIT_OK;
}

int cmd_run(int argc, char **argv)
{
	struct options o = { .out = NULL };
	const char *jobs[MAX_JOBS];
	const struct option shared[] = TARGET_OPTIONS(&o.target), own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE",
		  .help = "the picture, .png or .ppm, or - for a PNG on standard output; with %03d, of each frame" },
		{ .name = "--frames", .kind = OPTION_WHOLE, .to = &o.frames, .value = "N", .min = 1, .max = JOB_MAX_FRAMES,
		  .help = "how often it is drawn, instead of what the job says; of a job with frame\n"
			  "                        in it the pictures move: one animated PNG, or those of a name with %03d" },
		OPTION_DEFINE(&o.defines),
		{ .name = "--scene", .kind = OPTION_TEXT, .to = &o.scene, .value = "NAME", .help = "only that scene" },
		{ .name = "--stream", .kind = OPTION_TEXT, .to = &o.stream, .value = "FILE",
		  .help = "also the command stream (Vivante), for limn decode -i vivante-fe" },
		{ .name = "--pixel", .kind = OPTION_TEXT, .to = &o.pixel, .value = "X,Y",
		  .help = "print what each primitive did to that pixel (on a model; see limn pixel)" },
		OPTION_WERROR(&o.werror),
		OPTION_JSON(&o.json),
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "run", .files = "JOB.limn...", .options = own, .more = shared,
		.about = "Draws job files (limn-job(5)) on a GPU or on its model; - is standard input.\n"
			 "With --json there is a line for each scene, and messages are a list on standard error.\n",
		.example = "limn run triangle.limn -o triangle.png",
		.paths = jobs, .max_paths = MAX_JOBS, .min_paths = 1,
	};
	struct animation animation;
	int status, worst = EXIT_OK;

	if (!options_read(&c, argc, argv, &status))
		return status;
	status = o.pixel ? pixel_read("--pixel ", o.pixel, &o.x, &o.y) : EXIT_OK;
	if (status)
		return status;
	if (o.out && c.num_paths > 1)
		return failed(EXIT_USAGE, "--out takes one job");
	status = check_out(o.out);
	if (status)
		return status;
	o.target.quiet = o.quiet;
	if (is_animated(&o, jobs[0], &animation, &status))
		return status ? status : run_animated(&o, jobs[0], &animation);
	for (uint32_t i = 0; i < c.num_paths; i++) {
		uint32_t pictures = o.out && strchr(o.out, '%') && o.frames ? o.frames : 1;

		if (pictures > 1)
			progress_begin("pictures");
		for (uint32_t n = 0; n < pictures && worst != EXIT_DEVICE; n++) {
			status = run_file(&o, jobs[i], n);
			worst = status > worst ? status : worst;
			progress(n + 1, pictures);
		}
		if (pictures > 1)
			progress_end();
	}
	return worst;
}
