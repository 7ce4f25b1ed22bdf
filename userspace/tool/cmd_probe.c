// SPDX-License-Identifier: MIT
/* limn probe: experiments that ask a board what the model guesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/cmd.h"
#include "tool/out_file.h"
#include "tool/probe/probe.h"
#include "tool/progress.h"

struct options {
	struct target target;
	const char *out, *compare;
	bool list, risky, relied_on;
	const char *ids[REPORT_PROBES];
	unsigned int num_ids;
};

static const char *probe_names(void *ctx, unsigned int index)
{
	const struct probes *p = ctx;

	return index < p->count ? p->list[index].scene->name : NULL;
}

static bool chosen(const struct options *o, const struct job_scene *s)
{
	for (unsigned int i = 0; i < o->num_ids; i++)
		if (!strcmp(o->ids[i], s->name))
			return true;
	return !o->num_ids && (!o->relied_on || s->relied_on) && (!s->risky || o->risky);
}

/* Whether the command line can be done with these probes; else an exit status after a message. */
static int check_ids(const struct options *o, struct probes *p)
{
	for (unsigned int i = 0; i < o->num_ids; i++) {
		const struct probe *probe = probes_find(p, o->ids[i]);

		if (!probe)
			return failed(EXIT_USAGE, "no probe '%s'%s (--list)", o->ids[i], did_you_mean(o->ids[i], probe_names, p));
		if (probe->scene->risky && !o->risky && !o->list)
			return failed(EXIT_USAGE, "%s could hang a board for longer: it needs --risky", o->ids[i]);
	}
	return EXIT_OK;
}

/* --- The list ------------------------------------------------------------------- */

static void print_guesses(const char *id)
{
	static const struct {
		const char *guess, *probe;
	} rows[] = {
#define ROW(guess, verdict, probe, text) { guess, probe },
#include "model/guesses.inc"
#undef ROW
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *at = strstr(rows[i].probe, id);

		if (at && strchr(" ", at[strlen(id)]) && (at == rows[i].probe || at[-1] == ' '))
			printf("  settles the guess %s\n", rows[i].guess);
	}
}

/* The question, and the answers with the model's marked. */
static void print_probe(const struct options *o, const struct probe *p)
{
	const struct job_scene *s = p->scene;
	struct target target = o->target;
	struct report_row row;

	if (!target.model)
		target.model = s->num_gpus ? s->gpus[0] : job_family_model(p->job->family);
	printf("%s%s%s\n  %s\n ", s->name, s->risky ? " (risky)" : "", s->relied_on ? " (the driver relies on it)" : "",
	       s->question);
	if (!probe_run(p, &target, &row, NULL))
		snprintf(row.answer, sizeof(row.answer), "?");
	for (uint32_t i = 0; i < s->num_expects; i++) {
		const char *answer = s->expects[i].answer;
		bool said = !answer;

		for (uint32_t k = 0; k < i && !said; k++)
			said = s->expects[k].answer && !strcmp(s->expects[k].answer, answer);
		if (!said)
			printf(" %s%s", answer, strcmp(answer, row.answer) ? "" : "*");
	}
	printf("   (*: %s of the model)\n", target.model);
	print_guesses(s->name);
}

/* --- Running ---------------------------------------------------------------------- */

/* All that were chosen and are for the device, which is the board's; an exit status after messages. */
static int run(const struct options *o, const struct probes *p, const struct report *board, struct report *r)
{
	struct target target = o->target;
	struct limn_device *dev;
	struct limn_error err;

	target.any_family = target.node_only = true;
	if (target_open(&target, &dev, &err))
		return failed(target_status(&target), "%s", err.text);
	probe_describe(r, dev);
	if (o->compare && strcmp(board->gpu, r->gpu)) {
		limn_close(dev);
		fprintf(stderr, "%s:5: a report of a %s, but this is a %s\n", o->compare, board->gpu, r->gpu);
		return EXIT_INPUT;
	}
	progress_begin("probes");
	for (unsigned int i = 0; i < p->count; i++) {
		const struct probe *probe = &p->list[i];

		if (!chosen(o, probe->scene))
			continue;
		if (!probe_fits(probe, dev)) {
			if (o->num_ids)
				fprintf(stderr, "limn probe: %s is not for a %s\n", probe->scene->name, r->gpu);
			continue;
		}
		progress(i, p->count);
		/* Who watches wants to know which one it was. */
		if (probe->scene->risky && isatty(2)) {
			progress_clear();
			fprintf(stderr, "limn probe: %s, which may hang the GPU\n", probe->scene->name);
		}
		if (!probe_run(probe, &target, &r->rows[r->num_rows], &err)) {
			limn_close(dev);
			return failed(EXIT_DEVICE, "%s", err.text);
		}
		r->num_rows++;
	}
	progress_end();
	limn_close(dev);
	if (r->num_rows)
		return EXIT_OK;
	return failed(EXIT_JOB, "no probe is for a %s", r->gpu);
}

static int print_answers(const struct report *r, const char *out)
{
	int status = EXIT_OK;

	for (unsigned int i = 0; i < r->num_rows; i++) {
		const struct report_row *row = &r->rows[i];

		if (!strcmp(row->answer, "failed"))
			status = EXIT_JOB;
		if (out && !strcmp(out, "-"))
			continue;
		printf("%-24s %-16s", row->id, row->answer);
		for (uint32_t k = 0; k < row->num_words; k++)
			printf(" %08x", row->words[k]);
		putchar('\n');
	}
	return status;
}

/* What the driver relies on is each such probe's first answer. */
static int judge(const struct probes *p, const struct report *r)
{
	FILE *f = fopen("/sys/module/limn/parameters/conservative", "r");
	bool does_without = f && fgetc(f) == 'Y';
	unsigned int wrong = 0;

	if (f)
		fclose(f);
	/* Only a driver that takes the short ways can be wrong on them. */
	if (does_without || !strstr(r->driver, "of limn")) {
		printf("%s: nothing was relied on%s; ask with limn.ko and conservative=0\n", r->driver,
		       does_without ? ", conservative is on" : "");
		return EXIT_OK;
	}
	for (unsigned int i = 0; i < r->num_rows; i++) {
		const struct job_scene *s = probes_find(p, r->rows[i].id)->scene;
		uint32_t first = 0;

		while (first < s->num_expects && !s->expects[first].answer)
			first++;
		wrong += s->relied_on && first < s->num_expects && strcmp(s->expects[first].answer, r->rows[i].answer);
	}
	if (wrong)
		printf("keep conservative=1: %u of %u answers are not what limn.ko relies on\n", wrong, r->num_rows);
	else
		printf("limn.ko may run without conservative=1: all %u answers are what it relies on\n", r->num_rows);
	return wrong ? EXIT_JOB : EXIT_OK;
}

/* --- Comparing ---------------------------------------------------------------------- */

/* Revisions of a chip have one name, and one model. */
static void compare_identity(const char *path, const struct report *board, const struct report *here)
{
	for (unsigned int i = 0; i < board->num_identity && i < here->num_identity; i++) {
		if (board->identity[i] != here->identity[i]) {
			fprintf(stderr, "%s:6: another revision of a %s: word %u of its identity is 0x%08x, here 0x%08x\n", path,
				board->gpu, i, board->identity[i], here->identity[i]);
			return;
		}
	}
}

static int compare(const char *path, const struct report *board, const struct report *here)
{
	unsigned int same = 0, differ = 0;

	compare_identity(path, board, here);
	for (unsigned int i = 0; i < here->num_rows; i++) {
		for (unsigned int k = 0; k < board->num_rows; k++) {
			const struct report_row *a = &board->rows[k], *b = &here->rows[i];

			if (strcmp(a->id, b->id))
				continue;
			if (!strcmp(a->answer, b->answer)) {
				same++;
				continue;
			}
			differ++;
			printf("%-24s report: %-16s here: %s\n", a->id, a->answer, b->answer);
		}
	}
	printf("%s: %u answers agree, %u differ, %u are not in the report\n", here->gpu, same, differ,
	       here->num_rows - same - differ);
	return differ ? EXIT_JOB : EXIT_OK;
}

static int list(const struct options *o, const struct probes *p)
{
	struct limn_device *dev = NULL;
	struct limn_error err;

	if (o->target.model && target_open(&o->target, &dev, &err))
		return failed(target_status(&o->target), "%s", err.text);
	for (unsigned int i = 0; i < p->count; i++) {
		const struct job_scene *s = p->list[i].scene;

		if (dev && !probe_fits(&p->list[i], dev))
			continue;
		if (o->num_ids ? chosen(o, s) : !o->relied_on || s->relied_on)
			print_probe(o, &p->list[i]);
	}
	if (dev)
		limn_close(dev);
	return EXIT_OK;
}

/* Runs and prints; there is a report to write when *here has rows. */
static int ask(struct options *o, const struct probes *p, const struct report *board, struct report *here)
{
	int status;

	/* A report is held against the model of its chip, unless a device is named. */
	if (o->compare && !o->target.device && !o->target.model)
		o->target.model = board->gpu;
	status = run(o, p, board, here);
	if (status) {
		here->num_rows = 0;
		return status;
	}
	status = o->compare ? compare(o->compare, board, here) : print_answers(here, o->out);
	return o->relied_on && !status ? judge(p, here) : status;
}

static int probe(struct options *o, struct probes *p, struct report *board, struct report *here)
{
	struct out_file out;
	struct limn_error err;
	int status = probes_read(p);

	if (!status)
		status = check_ids(o, p);
	if (!status && o->compare)
		status = probe_report_read(p, o->compare, board);
	if (status)
		return status;
	if (o->list)
		return list(o, p);
	/* At first: a board's answers are not thrown away for a folder that is not there. */
	if (o->out && out_open(&out, o->out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	status = ask(o, p, board, here);
	if (!o->out)
		return status;
	if (!here->num_rows) {
		out_discard(&out);
		return status;
	}
	report_write(here, out.f);
	return out_close(&out, &err) ? failed(EXIT_INPUT, "%s", err.text) : status;
}

int cmd_probe(int argc, char **argv)
{
	struct options o = { .list = false };
	const struct option shared[] = TARGET_OPTIONS(&o.target), own[] = {
		{ .name = "--list", .kind = OPTION_FLAG, .to = &o.list,
		  .help = "the questions, their answers, and which of them the model gives" },
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE",
		  .help = "also a report, JSON: chip, versions, answers, words; nothing of the owner" },
		{ .name = "--compare", .kind = OPTION_TEXT, .to = &o.compare, .value = "FILE",
		  .help = "a report: where its answers differ from those of the model of its chip, or of --device" },
		{ .name = "--relied-on", .kind = OPTION_FLAG, .to = &o.relied_on,
		  .help = "only what limn.ko relies on, and whether it may run without conservative=1" },
		{ .name = "--risky", .kind = OPTION_FLAG, .to = &o.risky, .help = "also those that may hang a GPU until it is reset" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "probe", .files = "[ID...]", .options = own, .more = shared,
		.about = "Asks a GPU, with small jobs, what no document says of it.\n", .example = "limn probe -o report.json",
		.paths = o.ids, .max_paths = REPORT_PROBES,
	};
	struct report *reports;
	struct probes *p;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	o.num_ids = c.num_paths;
	reports = calloc(2, sizeof(*reports));
	p = calloc(1, sizeof(*p));
	status = reports && p ? probe(&o, p, &reports[0], &reports[1]) : EXIT_INPUT;
	if (p)
		probes_free(p);
	free(p);
	free(reports);
	return status;
}
