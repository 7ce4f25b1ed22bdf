// SPDX-License-Identifier: MIT
/* Statements of the language itself: names, files, loops, scenes and what is expected of them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/model.h"
#include "tool/job/parser.h"

/* --- Names ------------------------------------------------------------------------- */

/* Beside the functions. */
static const char *const always[] = { "frame", "width", "height", "any", "viewport", NULL };

const char *job_known_name(void *ctx, unsigned int index)
{
	const struct job_parser *p = ctx;
	unsigned int functions = 0, names = sizeof(always) / sizeof(always[0]) - 1;
	const struct job_variable *v;

	while (job_function_name(functions))
		functions++;
	if (index < functions)
		return job_function_name(index);
	index -= functions;
	if (index < names)
		return always[index];
	index -= names;
	for (v = p ? p->variables : NULL; v && index; v = v->next)
		index--;
	return v ? v->name : NULL;
}

bool job_is_name(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n && !isdigit((unsigned char)text[0]) && !text[n] && n < sizeof(((struct job_variable *)NULL)->name);
}

/* Of what is called as the variable is: a function as a function, a name as a name. */
static bool always_there(const struct job_variable *v)
{
	const char *name;

	for (unsigned int i = 0; (name = job_known_name(NULL, i)); i++)
		if (!strcmp(name, v->name) && (job_function_name(i) || !v->num_parameters))
			return true;
	return false;
}

static bool built_in(const struct job_parser *p, const char *name, struct job_value *value)
{
	const double *v = p->now.state.viewport, *d = p->now.state.depth_range;

	*value = (struct job_value){ .count = 1 };
	if (!strcmp(name, "frame")) {
		p->job->uses_frame = true;
		value->v[0] = p->options ? p->options->frame : 0;
	} else if (!strcmp(name, "width")) {
		value->v[0] = p->scene->target.width;
	} else if (!strcmp(name, "height")) {
		value->v[0] = p->scene->target.height;
	} else if (!strcmp(name, "any")) {
		value->v[0] = JOB_ANY;
	} else if (!strcmp(name, "viewport") && p->job->family == JOB_UTGARD) {
		/* Clip space divided by w to pixels and depth; it is y up, pictures are y down. */
		*value = (struct job_value){ .count = 8, .v = {
			v[2] / 2, -v[3] / 2, (d[1] - d[0]) / 2, 0,
			v[0] + v[2] / 2, v[1] + v[3] / 2, (d[1] + d[0]) / 2, 0,
		} };
	} else {
		return false;
	}
	return true;
}

/* The function's body, its arguments being names as those of loops are. */
static const char *call(struct job_parser *p, const struct job_variable *f, const struct job_value *arguments,
			struct job_value *value)
{
	unsigned int loops = p->num_loops;
	const char *wrong;

	if (p->calls == JOB_MAX_CALLS)
		return "functions call each other too deep";
	for (unsigned int i = 0; i < f->num_parameters; i++) {
		p->loops[p->num_loops].value = arguments[i];
		strcpy(p->loops[p->num_loops++].name, f->parameters[i]);
	}
	p->calls++;
	p->work++;
	wrong = job_evaluate(f->body, job_name, p, value);
	p->calls--;
	p->num_loops = loops;
	return wrong;
}

const char *job_name(void *ctx, const char *name, const struct job_value *arguments, unsigned int count,
		     struct job_value *value)
{
	struct job_parser *p = ctx;

	for (unsigned int i = p->num_loops; i-- > 0 && !count;) {
		if (p->loops[i].name[0] == name[0] && !strcmp(p->loops[i].name, name)) {
			*value = p->loops[i].value;
			return NULL;
		}
	}
	for (const struct job_variable *v = p->variables; v; v = v->next) {
		if (v->name[0] != name[0] || strcmp(v->name, name))
			continue;
		if (v->wrong)
			return JOB_SAID;
		if (v->num_parameters != count)
			return v->num_parameters ? "the function takes other arguments" : "it is no function";
		*value = v->value;
		return v->body ? call(p, v, arguments, value) : NULL;
	}
	return !count && built_in(p, name, value) ? NULL : JOB_UNKNOWN;
}

/* The value that the command line gives a name, the last of several; or NULL. */
static const char *defined(struct job_parser *p, const char *name)
{
	size_t n = strlen(name);
	const char *value = NULL;

	for (uint32_t i = 0; p->options && i < p->options->num_defines; i++) {
		const char *d = p->options->defines[i];

		if (strncmp(d, name, n) || d[n] != '=')
			continue;
		if (i < sizeof(p->used) / sizeof(p->used[0]))
			p->used[i] = true;
		value = d + n + 1;
	}
	return value;
}

/* "name" or "name(a, b)"; false after an error. */
static bool read_head(struct job_parser *p, const struct job_arg *a, struct job_variable *v)
{
	char text[sizeof(p->r.text)], *part, *rest = NULL;

	snprintf(text, sizeof(text), "%s", a->text);
	part = strtok_r(text, "(), ", &rest);
	for (unsigned int i = 0; part; i++, part = strtok_r(NULL, "(), ", &rest)) {
		if (!job_is_name(part)) {
			job_error(p, a->at, "'%s' is no name: letters, digits and _, at most 31", part);
			return false;
		}
		if (i > 4) {
			job_error(p, a->at, "a function has at most 4 arguments");
			return false;
		}
		strcpy(i ? v->parameters[i - 1] : v->name, part);
		v->num_parameters = i;
	}
	if (!v->name[0])
		job_error(p, a->at, "'%s' is no name", a->text);
	else if (always_there(v))
		job_error(p, a->at, "'%s' is always there, as something else", v->name);
	return !p->failed;
}

void job_read_let(struct job_parser *p)
{
	const struct job_arg *name = job_take(p), *text;
	struct job_variable new = { .value.count = 1 }, *v = &new, *old;
	const char *given, *wrong;

	job_took(p, "=");
	text = job_take(p);
	if (!read_head(p, name, v))
		return;
	if (v->num_parameters) {
		v->body = text->text;
	} else {
		given = defined(p, v->name);
		wrong = job_evaluate(given ? given : text->text, job_name, p, &v->value);
		v->wrong = wrong != NULL;
		if (wrong && (given || !job_error_inside(p, text->at, text->text, &v->value, wrong)))
			job_error(p, given ? name->at : text->at, "a number is expected, not '%s'%s: %s",
				  given ? given : text->text, given ? " of -D" : "", wrong);
	}
	/* Who sets a name again, in a loop perhaps, has one name all the same. */
	for (old = p->variables; old && strcmp(old->name, new.name); old = old->next)
		;
	if (!old) {
		old = job_memory(p, sizeof(*old));
		if (!old)
			return;
		new.next = p->variables;
		p->variables = old;
	} else {
		new.next = old->next;
	}
	*old = new;
}

static const char *variable_names(void *ctx, unsigned int index)
{
	const struct job_parser *p = ctx;
	const struct job_variable *v = p->variables;

	while (v && index--)
		v = v->next;
	return v ? v->name : NULL;
}

void job_check_defines(struct job_parser *p)
{
	static const struct source command_line = { "-D", "", 0 };
	char name[64];

	for (uint32_t i = 0; p->options && i < p->options->num_defines; i++) {
		const char *d = p->options->defines[i];

		if (i < sizeof(p->used) / sizeof(p->used[0]) && p->used[i])
			continue;
		p->failed = false;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(d, "="), d);
		job_error_unless(p, (struct place){ &command_line, 0, 0, 0 }, "the job has no 'let %s'%s", name,
				 did_you_mean(name, variable_names, p));
	}
}

/* --- Files and loops ------------------------------------------------------------------ */

static bool same_file(const struct source *a, const struct source *b)
{
	struct stat one, two;

	return !stat(a->path, &one) && !stat(b->path, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

void job_read_include(struct job_parser *p)
{
	const struct job_arg *a = job_take(p);
	bool includes;

	if (p->num_files == JOB_MAX_FILES)
		job_error(p, a->at, "more than %u files included from each other", JOB_MAX_FILES);
	else
		p->include = job_file_read(p, a->text, JOB_MAX_FILE, a->at);
	if (!p->include)
		return;
	includes = same_file(p->include, p->at.source);
	for (unsigned int i = 0; i < p->num_files; i++)
		includes |= same_file(p->include, p->includes[i].source);
	if (includes)
		job_error(p, a->at, "%s includes itself", p->include->path);
}

void job_read_for(struct job_parser *p)
{
	const struct job_arg *name = job_take(p);
	struct job_variable *v = &p->loops[p->num_loops];

	if (p->num_loops == JOB_MAX_LOOPS)
		job_error(p, p->at, "more than %d loops within each other", JOB_MAX_LOOPS);
	else if (!job_is_name(name->text))
		job_error(p, name->at, "'%s' is no name: letters, digits and _, at most 31", name->text);
	if (p->failed)
		return;
	*v = (struct job_variable){ .value.count = 1 };
	strcpy(v->name, name->text);
	p->turns = job_number(p);
}

/* --- Scenes --------------------------------------------------------------------------- */

void job_begin_scene(struct job_parser *p, const char *name)
{
	struct job *job = p->job;
	struct job_scene **list, *scene = job_memory(p, sizeof(*scene));

	if (name && p->prelude.there)
		job_check_scene(p);
	if (name && !p->prelude.there) {
		p->prelude.there = true;
		p->prelude.has_target = p->has_target;
		p->prelude.scene = *p->scene;
		p->prelude.now = p->now;
		job->num_scenes = 0;
	} else if (name) {
		p->has_target = p->prelude.has_target;
		p->now = p->prelude.now;
	}
	p->own_target = false;
	list = job_grow(p, job->scenes, job->num_scenes, &p->room_scenes, sizeof(*list));
	if (!scene || !list)
		return;
	if (name)
		*scene = p->prelude.scene;
	else
		scene->frames = 1;
	scene->name = name;
	scene->at = p->at;
	/* Lists that the prelude has begun are not to grow where they are. */
	p->room_draws = scene->num_draws;
	p->room_ops = scene->num_ops;
	p->room_expects = scene->num_expects;
	job->scenes = list;
	list[job->num_scenes++] = scene;
	p->scene = scene;
}

/* Within loops the counters are part of the name. */
static void begin_named(struct job_parser *p, const char *name)
{
	char text[512];
	size_t n;

	if (p->prelude.there && !p->has_target)
		job_error_unless(p, p->at, "the scene before this one has no target");
	n = snprintf(text, sizeof(text), "%.300s", name);
	for (unsigned int i = 0; i < p->num_loops && n < sizeof(text); i++)
		n += snprintf(text + n, sizeof(text) - n, " %s=%g", p->loops[i].name, p->loops[i].value.v[0]);
	if (p->prelude.there && p->job->num_scenes == JOB_MAX_SCENES)
		job_error(p, p->at, "more than %u scenes", JOB_MAX_SCENES);
	if (!p->failed)
		job_begin_scene(p, job_keep(p, text));
}

void job_read_scene(struct job_parser *p)
{
	begin_named(p, job_take(p)->text);
}

void job_read_probe(struct job_parser *p)
{
	begin_named(p, job_take(p)->text);
	p->scene->question = job_take(p)->text;
	p->scene->risky = job_took(p, "risky");
	p->scene->relied_on = job_took(p, "relied-on");
}

static const char *gpu_names(void *ctx, unsigned int index)
{
	const struct model_gpu *gpu = model_gpu_at(index);

	return gpu ? gpu->name : NULL;
}

void job_read_gpu(struct job_parser *p)
{
	struct job_scene *s = p->scene;

	s->num_gpus = 0;
	while (p->arg < p->num_args) {
		const struct job_arg *a = job_take(p);

		if (!model_gpu_find(a->text))
			job_error(p, a->at, "no GPU '%s'%s", a->text, near_or_all(a->text, gpu_names, NULL));
		else if (s->num_gpus == JOB_MAX_GPUS)
			job_error(p, a->at, "more than %u GPUs", JOB_MAX_GPUS);
		else
			s->gpus[s->num_gpus++] = a->text;
	}
}

/* --- What is expected -------------------------------------------------------------------- */

static void take_within(struct job_parser *p, struct job_expect *e, double otherwise)
{
	e->within = job_took(p, "within") ? job_number(p) : otherwise;
}

static void take_point(struct job_parser *p, struct job_expect *e)
{
	const struct job_arg *a = job_take(p);

	e->x = a->number;
	e->y = a->second;
	e->width = e->height = 1;
	if (e->x >= p->scene->target.width || e->y >= p->scene->target.height)
		job_error(p, a->at, "%u,%u is not within the target's %ux%u", e->x, e->y, p->scene->target.width,
			  p->scene->target.height);
}

static void take_values(struct job_parser *p, struct job_expect *e, uint32_t count)
{
	float *values = job_memory(p, count * sizeof(*values));

	for (uint32_t i = 0; i < count && values; i++)
		values[i] = job_number(p);
	e->values = values;
}

static void take_pixels(struct job_parser *p, struct job_expect *e)
{
	const struct job_arg *area = job_take(p), *list = job_take(p);
	float *values = job_memory(p, list->count * sizeof(*values));

	e->width = area->number;
	e->height = area->second;
	e->each = list->count == 4;
	if (e->width > p->scene->target.width - e->x || e->height > p->scene->target.height - e->y)
		job_error(p, area->at, "%ux%u from %u,%u is not within the target", e->width, e->height, e->x, e->y);
	else if (!e->each && list->count != 4 * e->width * e->height)
		job_error(p, list->at, "%u numbers, not 4 or %ux%u times 4", list->count, e->width, e->height);
	for (uint32_t i = 0; i < list->count && !p->failed; i++)
		values[i] = list->block[i].value;
	e->values = values;
}

/* One more of the scene's, unless something was wrong with it. */
static void add_expect(struct job_parser *p, const struct job_expect *e)
{
	struct job_expect *list = job_grow(p, p->scene->expects, p->scene->num_expects, &p->room_expects, sizeof(*e));

	if (!list || p->failed)
		return;
	p->scene->expects = list;
	list[p->scene->num_expects++] = *e;
}

static void take_count(struct job_parser *p, struct job_expect *e)
{
	e->kind = JOB_EXPECT_COUNT;
	e->x = job_whole(p);
	take_values(p, e, 4);
	take_within(p, e, 0.5);
}

static const char *earlier_scenes(void *ctx, unsigned int index)
{
	const struct job_parser *p = ctx;

	return index + 1 < p->job->num_scenes ? p->job->scenes[index]->name : NULL;
}

static void check_scene_name(struct job_parser *p, const char *wanted)
{
	const char *name;

	for (unsigned int i = 0; (name = earlier_scenes(p, i)); i++)
		if (!strcmp(name, wanted))
			return;
	job_error(p, job_here(p), "no scene '%s' stands before this one%s", wanted, did_you_mean(wanted, earlier_scenes, p));
}

void job_read_expect(struct job_parser *p)
{
	struct job_expect e = { .at = p->at };

	if (job_took(p, "pixel") || job_took(p, "pixels")) {
		e.kind = JOB_EXPECT_PIXELS;
		e.each = !strncmp(p->args[0].name, "pixel ", 6);
		take_point(p, &e);
		if (e.each)
			take_values(p, &e, 4);
		else
			take_pixels(p, &e);
		take_within(p, &e, 0.5);
	} else if (job_took(p, "count")) {
		take_count(p, &e);
	} else if (job_took(p, "depth")) {
		e.kind = JOB_EXPECT_DEPTH;
		take_point(p, &e);
		take_values(p, &e, 1);
		take_within(p, &e, 0.5 / 65535);
	} else if (job_took(p, "stencil")) {
		e.kind = JOB_EXPECT_STENCIL;
		take_point(p, &e);
		take_values(p, &e, 1);
	} else {
		e.kind = job_took(p, "same") ? JOB_EXPECT_SAME : job_took(p, "report") ? JOB_EXPECT_REPORT :
			 JOB_EXPECT_ERROR;
		job_took(p, "error");
		e.text = job_take(p)->text;
		if (e.kind == JOB_EXPECT_SAME)
			check_scene_name(p, e.text);
	}
	add_expect(p, &e);
}

void job_read_answer(struct job_parser *p)
{
	const char *name = job_take(p)->text;

	while (p->arg < p->num_args && !p->failed) {
		struct job_expect e = { .at = p->at, .answer = name };

		if (job_took(p, "count")) {
			take_count(p, &e);
		} else {
			job_took(p, "pixel");
			e.each = true;
			take_point(p, &e);
			take_values(p, &e, 4);
			take_within(p, &e, 0.5);
		}
		add_expect(p, &e);
	}
}
