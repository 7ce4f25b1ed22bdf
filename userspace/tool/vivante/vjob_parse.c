// SPDX-License-Identifier: MIT
/* Jobs for Vivante: the loop over statements, targets, draws. */
#include <stdlib.h>
#include <string.h>

#include "tool/vivante/vjob.h"

static const struct vjob_format formats[] = {
	{ "bgra8888", PE_FORMAT_A8R8G8B8, DE_FORMAT_A8R8G8B8, 4 },
	{ "rgb565", PE_FORMAT_R5G6B5, DE_FORMAT_R5G6B5, 2 },
	{ "rgba4444", PE_FORMAT_A4R4G4B4, DE_FORMAT_A4R4G4B4, 2 },
	{ "rgba5551", PE_FORMAT_A1R5G5B5, DE_FORMAT_A1R5G5B5, 2 },
};

const struct vjob_format *vjob_format_find(const char *name)
{
	for (unsigned int i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

/* Bits of blue, green, red, alpha, from the lowest bit on. */
static const uint8_t *widths(const struct vjob_format *f)
{
	static const uint8_t w8[4] = { 8, 8, 8, 8 }, w565[4] = { 5, 6, 5, 0 }, w4[4] = { 4, 4, 4, 4 },
			     w1[4] = { 5, 5, 5, 1 };

	return f->pe == PE_FORMAT_A8R8G8B8 ? w8 : f->pe == PE_FORMAT_R5G6B5 ? w565 :
	       f->pe == PE_FORMAT_A4R4G4B4 ? w4 : w1;
}

uint32_t vjob_pack(const struct vjob_format *f, const float rgba[4])
{
	static const int order[4] = { 2, 1, 0, 3 };
	const uint8_t *w = widths(f);
	uint32_t value = 0, shift = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t max = (1u << w[i]) - 1;

		value |= (uint32_t)(rgba[order[i]] * max + 0.5f) << shift;
		shift += w[i];
	}
	return value;
}

void vjob_unpack(const struct vjob_format *f, const uint8_t *pixel, uint8_t rgba[4])
{
	static const int order[4] = { 2, 1, 0, 3 };
	const uint8_t *w = widths(f);
	uint32_t value = 0;

	memcpy(&value, pixel, f->cpp);
	for (int i = 0; i < 4; i++) {
		uint32_t max = (1u << w[i]) - 1;

		rgba[order[i]] = max ? ((value & max) * 255 + max / 2) / max : 255;
		value >>= w[i];
	}
}

static void read_target(struct vjob_parser *v)
{
	static const char *const tilings[] = { "linear", "tiled", "supertiled", NULL };
	static const uint32_t bits[] = { 0, VIV_TILE, VIV_TILE | VIV_SUPER };
	struct job_reader *r = v->r;
	struct vjob *job = v->job;

	if (v->has_target)
		job_fail(r, "a second target");
	job->width = job_integer(r, "width", 1, VJOB_MAX_SIZE);
	job->height = job_integer(r, "height", 1, VJOB_MAX_SIZE);
	job->samples = 1;
	job->clear_depth = 1;
	job->bits = job->is_2d ? 0 : VIV_TILE;
	job->format = &formats[0];
	if (!r->failed && r->token == JOB_WORD && vjob_format_find(r->text)) {
		job->format = vjob_format_find(r->text);
		job_next(r);
	}
	if (!r->failed && r->token == JOB_WORD && !job->is_2d)
		job->bits = bits[job_choice(r, "format or tiling", tilings)];
	v->has_target = !r->failed;
	vjob_state_init(v);
}

/* --- Draws --------------------------------------------------------------------- */

static void check_attributes(struct vjob_parser *v, int line, int column)
{
	struct vjob_draw *d = &v->now;
	uint32_t n = VIV_MAX_ATTRIBUTES, last = d->first + d->count - 1;

	while (n && !d->attributes[n - 1])
		n--;
	if (!n)
		job_fail_at(v->r, line, column, "no attribute is set");
	if (d->indices) {
		if (d->first + d->count > d->indices->count)
			job_fail_at(v->r, line, column, "index %u is drawn, there are %u", d->first + d->count - 1,
				    d->indices->count);
		last = 0;
		for (uint32_t i = d->first; i < d->first + d->count && !v->r->failed; i++) {
			uint32_t x = d->indices->index_bytes == 1 ? ((const uint8_t *)d->indices->data)[i] :
				     ((const uint16_t *)d->indices->data)[i];

			last = x > last ? x : last;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!d->attributes[i])
			job_fail_at(v->r, line, column, "attribute %u is set, attribute %u is not", n - 1, i);
		else if (last >= d->attributes[i]->vertices)
			job_fail_at(v->r, line, column, "vertex %u is drawn, attribute %u has %u vertices", last, i,
				    d->attributes[i]->vertices);
	}
	d->num_attributes = n;
}

static void check_shader(struct vjob_parser *v, const struct vjob_shader *s, const char *name, bool vertex,
			 uint32_t uniforms, int line, int column)
{
	if (!s) {
		job_fail_at(v->r, line, column, "no %s shader", name);
		return;
	}
	if (s->uniforms > uniforms)
		job_fail_at(v->r, line, column, "the %s shader reads u%u, %s-uniforms gives %u vectors", name,
			    s->uniforms - 1, name, uniforms);
	for (uint32_t i = 0; i < 32; i++)
		if (s->textures >> i & 1 && (i >= VJOB_MAX_TEXTURES || !v->now.textures[vertex][i]))
			job_fail_at(v->r, line, column, "the %s shader samples tex%u, which is off", name, i);
}

static void check_count(struct vjob_parser *v, int line, int column)
{
	static const struct {
		uint32_t least, step;
	} of[] = {
		[PRIMITIVE_TYPE_POINTS] = { 1, 1 }, [PRIMITIVE_TYPE_LINES] = { 2, 2 },
		[PRIMITIVE_TYPE_LINE_STRIP] = { 2, 1 }, [PRIMITIVE_TYPE_TRIANGLES] = { 3, 3 },
		[PRIMITIVE_TYPE_TRIANGLE_STRIP] = { 3, 1 }, [PRIMITIVE_TYPE_TRIANGLE_FAN] = { 3, 1 },
		[PRIMITIVE_TYPE_LINE_LOOP] = { 2, 1 }, [PRIMITIVE_TYPE_QUADS] = { 4, 4 },
	};
	uint32_t type = v->now.primitive, n = v->now.count;

	if (n < of[type].least || n % of[type].step)
		job_fail_at(v->r, line, column, "%u vertices are not enough or too many for the mode", n);
}

static void read_draw(struct vjob_parser *v, bool indexed, int line, int column)
{
	static const char *const modes[] = {
		"points", "lines", "line-strip", "triangles", "triangle-strip", "triangle-fan", "line-loop", "quads",
		NULL
	};
	struct job_reader *r = v->r;
	struct vjob_draw *d = &v->now, *draws;
	const struct job_indices *indices = d->indices;
	uint32_t room = v->room_draws ? v->room_draws * 2 : 16;

	d->line = line;
	d->primitive = PRIMITIVE_TYPE_POINTS + job_choice(r, "mode", modes);
	d->first = job_integer(r, "first", 0, 0xffffff);
	d->count = job_integer(r, "count", 1, JOB_MAX_VERTICES);
	if (indexed && !indices)
		job_fail_at(r, line, column, "draw-indexed without indices");
	if (r->failed)
		return;
	d->indices = indexed ? indices : NULL;
	check_count(v, line, column);
	check_attributes(v, line, column);
	check_shader(v, d->vs, "vertex", true, d->num_vs_uniforms, line, column);
	check_shader(v, d->ps, "fragment", false, d->num_ps_uniforms, line, column);
	if (d->state.depth_test && !v->job->depth_cpp)
		job_fail_at(r, line, column, "depth test without a depth-buffer");
	if ((v->stencil[0].on || v->stencil[1].on) && v->job->depth_cpp != 4)
		job_fail_at(r, line, column, "stencil test without depth-buffer d24s8");
	vjob_state_resolve(v);
	if (v->job->num_draws == JOB_MAX_DRAWS)
		job_fail_at(r, line, column, "more than %u draws", JOB_MAX_DRAWS);
	if (v->job->num_draws == v->room_draws && !r->failed) {
		draws = job_alloc(v->p->job, room * sizeof(*draws));
		if (!draws) {
			job_fail(r, "out of memory");
			return;
		}
		if (v->job->num_draws)
			memcpy(draws, v->job->draws, v->job->num_draws * sizeof(*draws));
		v->job->draws = draws;
		v->room_draws = room;
	}
	if (!r->failed)
		v->job->draws[v->job->num_draws++] = *d;
	d->indices = indices;
}

/* --- The loop ------------------------------------------------------------------- */

static const struct vjob_statement *find(const struct vjob_statement *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

static void read_statement(struct vjob_parser *v)
{
	struct job_reader *r = v->r;
	int line = r->token_line, column = r->token_column;
	const struct vjob_statement *s;
	bool indexed;

	if (r->token != JOB_WORD) {
		job_fail(r, "a statement is expected");
		return;
	}
	if (job_accept(r, "target")) {
		read_target(v);
	} else if (!v->has_target) {
		job_fail(r, "target must come before this");
	} else if (!v->job->is_2d && (job_is_word(r, "draw") || job_is_word(r, "draw-indexed"))) {
		indexed = job_is_word(r, "draw-indexed");
		job_next(r);
		read_draw(v, indexed, line, column);
	} else {
		s = find(v->job->is_2d ? vjob_2d_statements : vjob_state_statements, r->text);
		if (!s && !v->job->is_2d)
			s = find(vjob_data_statements, r->text);
		if (!s && !v->job->is_2d)
			s = find(vjob_texture_statements, r->text);
		if (!s) {
			job_fail(r, "no statement '%s'", r->text);
			return;
		}
		job_next(r);
		s->read(v);
	}
	if (!r->failed && r->token != JOB_NEWLINE && r->token != JOB_END)
		job_fail(r, "the end of the line is expected");
}

void vjob_parse(struct job_parser *p)
{
	struct vjob_parser *v = calloc(1, sizeof(*v));

	if (v)
		v->job = job_alloc(p->job, sizeof(*v->job));
	if (!v || !v->job) {
		job_fail(&p->r, "out of memory");
		free(v);
		return;
	}
	v->p = p;
	v->r = &p->r;
	v->job->is_2d = job_accept(&p->r, "2d");
	job_expect(&p->r, JOB_NEWLINE, "the end of the line");
	while (!p->r.failed && p->r.token != JOB_END) {
		if (p->r.token == JOB_NEWLINE)
			job_next(&p->r);
		else
			read_statement(v);
	}
	if (!v->has_target)
		job_fail(&p->r, "no target");
	p->job->vivante = v->job;
	p->job->target.width = v->job->width;
	p->job->target.height = v->job->height;
	free(v);
}
