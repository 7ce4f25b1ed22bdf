// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/core.h"
#include "model/profile.h"
#include "model/report.h"

static const struct {
	const char *probe, *answers[5];	/* NULL behind the last */
} rows[PROFILE_COUNT] = {
#define PROFILE(name, probe, ...) { probe, { __VA_ARGS__ } },
#include "model/profile.inc"
#undef PROFILE
};

/* The reports of model/chips, as text (Makefile.inc). */
static const struct {
	const char *file, *text;
} chips[] = {
#define CHIP(file, text) { file, text },
#include "chips.inc"
#undef CHIP
	{ NULL, NULL }
};

unsigned int unit_answer(const struct unit *u, enum profile which)
{
	return u->model->answers[which];
}

/* Takes the row's answer, if it is one that the model can give. */
static bool follow(struct model *m, const struct report_row *row)
{
	for (unsigned int i = 0; i < PROFILE_COUNT; i++)
		for (unsigned int k = 0; !strcmp(rows[i].probe, row->id) && rows[i].answers[k]; k++)
			if (!strcmp(rows[i].answers[k], row->answer)) {
				m->answers[i] = k;
				return true;
			}
	return false;
}

unsigned int model_follow(struct model *m, const struct report *r)
{
	unsigned int followed = 0;

	for (unsigned int i = 0; i < r->num_rows; i++)
		followed += follow(m, &r->rows[i]);
	return followed;
}

/* Revisions of a chip have one name, and differ in what is asked. */
static bool is_revision(const struct gpu_row *row, const struct report *r)
{
	for (unsigned int i = 0; i < row->revision_words; i++)
		if ((r->identity[row->revision_at + i] ^ row->revision[i]) & 0xffff)
			return false;
	return true;
}

void model_follow_chip(struct model *m)
{
	struct report *r = chips[0].file ? calloc(1, sizeof(*r)) : NULL;
	bool followed = false;
	unsigned int line;
	const char *what;
	char text[400];

	for (unsigned int i = 0; r && chips[i].file; i++) {
		bool whole = report_read(r, chips[i].text, strlen(chips[i].text), &line, &what);
		bool same = whole && !strcmp(r->gpu, m->config.gpu);

		if (whole && !model_gpu_find(r->gpu)) {
			what = "a report of a chip that is not modelled";
			line = 5;
		} else if (same && !is_revision(m->row, r)) {
			what = "a report of another revision of the chip";
			line = 6;
		} else if (same && followed) {
			what = "a second report of the chip";
			line = 5;
		}
		if (what && m->config.carrier.report) {
			snprintf(text, sizeof(text), "%.200s:%u: %s: no model follows it", chips[i].file, line, what);
			m->config.carrier.report(m->config.carrier.ctx, "profile", text);
		} else if (same) {
			followed = model_follow(m, r);
		}
	}
	free(r);
}
