// SPDX-License-Identifier: MIT
/* limn show: what was sent: submits, their draws, and what each draw has changed. Dumps of failed jobs too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>

#include "tool/capture/draws.h"
#include "tool/cmd.h"
#include "tool/dump.h"
#include "tool/json.h"
#include "tool/options.h"
#include "tool/target.h"
#include "tool/words.h"

#define MAX_DUMP (256u << 20)

struct options {
	const char *path, *model;
	unsigned int submit, draw;
	bool one, one_draw, json;
};

struct show {
	const struct options *o;
	struct json json;
	struct draws draws;	/* of the submit at hand, or of all up to the one that is asked for */
	bool seen, seen_draw;
};

static const char *pipe_of(const struct capture_submit *s)
{
	if (s->file->told.family == LIMN_CAPTURE_UTGARD)
		return s->told.pipe == LIMA_PIPE_GP ? "GP" : "PP";
	return s->told.exec_state == ETNA_PIPE_2D ? "2D" : s->told.exec_state == ETNA_PIPE_3D ? "3D" : "VG";
}

static void print_fact(struct json *j, const struct draw_fact *f)
{
	if (f->code && j->text) {
		fprintf(j->to, "      %s:\n", f->key);
		for (const char *line = f->value, *end; *line; line = *end ? end + 1 : end) {
			end = strchrnul(line, '\n');
			fprintf(j->to, "        %.*s\n", (int)(end - line), line);
		}
		return;
	}
	report(j, "      {_key} = {_value}\n", TEXT("_key", f->key), TEXT("_value", f->value));
	report(j, "", STRING(f->key, f->value));
}

static void on_change(void *ctx, const struct draw_fact *was, const struct draw_fact *is)
{
	struct show *s = ctx;

	if (is)
		print_fact(&s->json, is);
	else
		report(&s->json, "      {_key}: not set any more\n", TEXT("_key", was->key), NONE(was->key));
}

/* The draw before it of the same kind; NULL: it is the first. */
static const struct draw *before(const struct show *s, const struct draw *d)
{
	for (const struct draw *b = d; b-- > s->draws.list;)
		if (b->copy == d->copy)
			return b;
	return NULL;
}

static void print_draw(struct show *s, const struct draw *d)
{
	bool shown = s->o->one && (!s->o->one_draw || d->index == s->o->draw);

	json_object(&s->json, NULL);
	report(&s->json, "    draw {draw}: {command}\n", INT("draw", d->index), STRING("command", d->what));
	s->seen_draw |= d->index == s->o->draw;
	if (shown) {
		/* Asked for alone: all that is set. Else what has changed. */
		json_object(&s->json, "state");
		draws_compare(s->o->one_draw ? NULL : before(s, d), d, true, s, on_change);
		json_end_object(&s->json);
	}
	json_end_object(&s->json);
}

static void print_uses(struct show *s, const struct capture_submit *sub)
{
	json_array(&s->json, "bos");
	for (uint32_t i = 0; i < sub->told.num_bos; i++) {
		const struct capture_use *use = &sub->uses[i];
		const struct replay_bo *bo = use->bo ? use->bo->user : NULL;

		json_object(&s->json, NULL);
		report(&s->json, "    BO {handle%3lld} at 0x{va}, {size} bytes, {access}\n", INT("handle", use->bo ? use->bo->told.handle : 0),
		       HEX("va", bo ? bo->va : 0), INT("size", bo ? bo->size : 0),
		       STRING("access", use->told.flags == 3 ? "reads and writes" : use->told.flags == 2 ? "writes" : "reads"));
		json_end_object(&s->json);
	}
	json_end_array(&s->json);
}

static bool on_submit(void *ctx, const struct replay_job *job)
{
	const struct capture_submit *sub = job->submit;
	struct show *s = ctx;
	size_t num = 0;

	if (s->o->one && sub->number != s->o->submit)
		return true;
	if (!s->o->one)
		draws_of_job(&s->draws, job);
	for (size_t i = 0; i < s->draws.num; i++)
		num += s->draws.list[i].submit == sub->number;
	s->seen = true;
	json_object(&s->json, NULL);
	report(&s->json, "  submit {submit}: {pipe}, {bytes} bytes, {_bos} BOs, {relocations} relocations, {_draws} draws, process {process}\n",
	       INT("submit", sub->number), STRING("pipe", pipe_of(sub)), INT("bytes", sub->told.cmd_size),
	       INT("relocations", sub->told.num_relocs), INT("process", sub->process), TEXT_INT("_bos", sub->told.num_bos),
	       TEXT_INT("_draws", (int64_t)num));
	if (s->o->one && !s->o->one_draw)
		print_uses(s, sub);
	json_array(&s->json, "draws");
	for (size_t i = 0; i < s->draws.num; i++)
		if (s->draws.list[i].submit == sub->number && (!s->o->one_draw || s->draws.list[i].index == s->o->draw))
			print_draw(s, &s->draws.list[i]);
	json_end_array(&s->json);
	json_end_object(&s->json);
	if (!s->o->one)
		draws_free(&s->draws);
	return true;
}

static bool collect(void *ctx, const struct replay_job *job)
{
	struct show *s = ctx;

	draws_of_job(&s->draws, job);
	return true;
}

/* What is set for the draws of a Utgard GP job is known when its PP job comes, which is the next one of that client. */
static void read_ahead(struct show *s)
{
	const struct replay_options options = {
		.model = s->o->model, .last = s->o->submit < UINT32_MAX ? s->o->submit + 1 : UINT32_MAX, .ctx = s, .before = collect,
	};
	struct replay_totals totals;
	struct limn_error err;
	struct capture *c;

	if (limn_capture_open(s->o->path, &c, &err))
		return;
	replay_here(c, &options, &totals, &err);	/* what is wrong with it is told the next time */
	limn_capture_close(c);
}

static int show_capture(const struct options *o)
{
	struct show s = { .o = o, .json = { .to = stdout, .text = !o->json } };
	const struct replay_options options = {
		.model = o->model, .last = o->one ? o->submit : UINT32_MAX, .ctx = &s, .before = on_submit,
	};
	struct replay_totals totals;
	struct limn_error err;
	struct capture *c;
	int status = EXIT_OK;

	if (limn_capture_open(o->path, &c, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (o->one)
		read_ahead(&s);
	json_object(&s.json, NULL);
	report(&s.json, "capture: {bytes} bytes\n", INT("bytes", limn_capture_size(c)));
	json_array(&s.json, "submits");
	if (replay_here(c, &options, &totals, &err))
		status = failed(EXIT_INPUT, "%s: %s", o->path, err.text);
	json_end_array(&s.json);
	json_end_object(&s.json);
	if (!status && o->one && !s.seen) {
		status = failed(EXIT_USAGE, "%s: submit %u: there are %u, or it was refused", o->path, o->submit, totals.submits);
	} else if (!status && o->one_draw && !s.seen_draw) {
		status = failed(EXIT_USAGE, "%s: submit %u has no draw %u", o->path, o->submit, o->draw);
	}
	if (!status && limn_capture_damage(c))
		status = failed(EXIT_INPUT, "%s: %s", o->path, limn_capture_damage(c));
	draws_free(&s.draws);
	limn_capture_close(c);
	return status;
}

static int show_dump(const struct options *o)
{
	struct json json = { .to = stdout, .text = !o->json };
	const struct dump_options options = { .all = true, .json = &json };
	size_t size;
	char *data;
	const char *why = file_read(o->path, MAX_DUMP, &data, &size);
	int ret;

	if (why)
		return failed(EXIT_INPUT, "%s: %s", o->path, why);
	ret = dump_print(o->path, data, size, &options);
	free(data);
	return ret;
}

int cmd_show(int argc, char **argv)
{
	struct options o = { .path = NULL };
	const struct option own[] = {
		{ .name = "--submit", .kind = OPTION_COUNT, .to = &o.submit, .value = "N", .max = UINT32_MAX, .given = &o.one,
		  .help = "only that one (they count from 0), with its BOs, and of each draw what it changes" },
		{ .name = "--draw", .kind = OPTION_COUNT, .to = &o.draw, .value = "N", .max = UINT32_MAX, .given = &o.one_draw,
		  .help = "of that submit only this draw, with all that is set for it" },
		OPTION_OTHER_MODEL(&o.model),
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "show", .files = "FILE", .options = own, .paths = &o.path, .max_paths = 1, .min_paths = 1,
		.example = "limn show frame.limncap --submit 2 --draw 0",
		.about = "Prints what was submitted: of a capture the jobs and their draws, with state by name, uniforms,\n"
			 "textures and shaders; of a dump of a failed job (limn decode) all that is in it.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (o.one_draw && !o.one)
		return failed(EXIT_USAGE, "--draw needs --submit N");
	return limn_capture_is(o.path) ? show_capture(&o) : show_dump(&o);
}
