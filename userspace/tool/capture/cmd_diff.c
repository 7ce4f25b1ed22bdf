// SPDX-License-Identifier: MIT
/* limn diff: two captures by what their draws mean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/capture/draws.h"
#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/options.h"

#define MAX_DRAWS	2000	/* of each side */

struct options {
	const char *paths[2];
	bool json;
};

struct diff {
	struct json json;
	const struct draw *a, *b;
	size_t differences;
	bool begun;		/* the pair at hand has been named */
};

static void begin_pair(struct diff *d)
{
	if (d->begun)
		return;
	d->begun = true;
	json_object(&d->json, NULL);
	report(&d->json, "draw {draw} of submit {submit}, {command}", INT("draw", d->a->index), INT("submit", d->a->submit),
	       STRING("command", d->a->what));
	if (d->a->submit != d->b->submit || d->a->index != d->b->index)
		report(&d->json, " (in the other: draw {other_draw} of submit {other_submit})", INT("other_draw", d->b->index),
		       INT("other_submit", d->b->submit));
	report(&d->json, ":\n");
	json_array(&d->json, "differences");
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* A shader: how many lines more or less, and the first one that differs. */
static void code_differs(struct diff *d, const char *key, const char *a, const char *b)
{
	unsigned int na = lines(a), nb = lines(b), line = 1;
	const char *x = a, *y = b;
	char was[100], is[100];

	while (*x && *y) {
		size_t n = strcspn(x, "\n"), m = strcspn(y, "\n");

		if (n != m || memcmp(x, y, n))
			break;
		x += n + (x[n] != 0);
		y += m + (y[m] != 0);
		line++;
	}
	snprintf(was, sizeof(was), "%.*s", (int)strcspn(x, "\n"), x);
	snprintf(is, sizeof(is), "%.*s", (int)strcspn(y, "\n"), y);
	json_object(&d->json, NULL);
	report(&d->json, "  {state}: {_n} instructions {_more}; the first that differs is {line}: {a} | {b}\n", STRING("state", key),
	       TEXT_INT("_n", na > nb ? na - nb : nb > na ? nb - na : na), TEXT("_more", nb > na ? "more" : na > nb ? "fewer" : "too"),
	       INT("line", line), STRING("a", was), STRING("b", is));
	json_end_object(&d->json);
}

/* Vertices or indices: how many, and the first one that differs. */
static void list_differs(struct diff *d, const char *key, const char *a, const char *b)
{
	char was[100] = "", is[100] = "";
	unsigned int number = 0, first = 0, count = 0;

	while (*a || *b) {
		size_t n = strcspn(a, ";"), m = strcspn(b, ";");

		if (n != m || memcmp(a, b, n)) {
			if (!count++) {
				first = number;
				snprintf(was, sizeof(was), "%.*s", (int)n, a);
				snprintf(is, sizeof(is), "%.*s", (int)m, b);
			}
		}
		a += n + strspn(a + n, "; ");
		b += m + strspn(b + m, "; ");
		number++;
	}
	json_object(&d->json, NULL);
	report(&d->json, "  {state}: {count} of {_number} differ; the first is {first}: {a} | {b}\n", STRING("state", key), INT("count", count),
	       TEXT_INT("_number", number), INT("first", first), STRING("a", was), STRING("b", is));
	json_end_object(&d->json);
}

static void on_difference(void *ctx, const struct draw_fact *a, const struct draw_fact *b)
{
	struct diff *d = ctx;

	begin_pair(d);
	d->differences++;
	if (a && b && a->code) {
		code_differs(d, a->key, a->value, b->value);
		return;
	}
	if (a && b && a->list) {
		list_differs(d, a->key, a->value, b->value);
		return;
	}
	json_object(&d->json, NULL);
	report(&d->json, "  {state}: {a} | {b}\n", STRING("state", (a ? a : b)->key),
	       STRING("a", !a ? "not set" : a->code ? "a shader" : a->value), STRING("b", !b ? "not set" : b->code ? "a shader" : b->value));
	json_end_object(&d->json);
}

static void compare_pair(struct diff *d, const struct draw *a, const struct draw *b)
{
	d->a = a;
	d->b = b;
	d->begun = false;
	if (strcmp(a->what, b->what)) {
		struct draw_fact was = { .key = "command", .value = (char *)a->what }, is = { .key = "command", .value = (char *)b->what };

		on_difference(d, &was, &is);
	}
	draws_compare(a, b, false, d, on_difference);
	if (d->begun) {
		json_end_array(&d->json);
		json_end_object(&d->json);
	}
}

static void alone(struct diff *d, const char *path, const struct draw *draw)
{
	d->differences++;
	json_object(&d->json, NULL);
	report(&d->json, "only in {only_in}: draw {draw} of submit {submit}, {command}\n", STRING("only_in", path), INT("draw", draw->index),
	       INT("submit", draw->submit), STRING("command", draw->what));
	json_end_object(&d->json);
}

/* --- Which draw is which ------------------------------------------------------------------- */

static const char *code_of(const struct draw *d, const char *key)
{
	for (size_t i = 0; i < d->num_facts; i++)
		if (d->facts[i].code && !strcmp(d->facts[i].key, key))
			return d->facts[i].value;
	return "";
}

/* How much two draws are the same one: of the same primitives, with the same shaders. */
static unsigned int likeness(const struct draw *a, const struct draw *b)
{
	return 1 + 4 * !strcmp(a->what, b->what) + 2 * !strcmp(code_of(a, "fragment shader"), code_of(b, "fragment shader")) +
	       2 * !strcmp(code_of(a, "vertex shader"), code_of(b, "vertex shader"));
}

/* The order-preserving matching of greatest likeness (Needleman and Wunsch); false: no memory. */
static bool match(struct diff *d, const struct options *o, const struct draws *a, const struct draws *b)
{
	size_t w = b->num + 1, i = 0, k = 0;
	uint32_t *best = calloc((a->num + 1) * w, sizeof(*best));

	if (!best)
		return false;
	for (i = a->num; i--;) {
		for (k = b->num; k--;) {
			uint32_t pair = best[(i + 1) * w + k + 1] + likeness(&a->list[i], &b->list[k]);
			uint32_t skip_a = best[(i + 1) * w + k], skip_b = best[i * w + k + 1];

			best[i * w + k] = pair >= skip_a && pair >= skip_b ? pair : skip_a >= skip_b ? skip_a : skip_b;
		}
	}
	for (i = k = 0; i < a->num || k < b->num;) {
		bool both = i < a->num && k < b->num;

		if (both && best[i * w + k] == best[(i + 1) * w + k + 1] + likeness(&a->list[i], &b->list[k]))
			compare_pair(d, &a->list[i++], &b->list[k++]);
		else if (k == b->num || (both && best[i * w + k] == best[(i + 1) * w + k]))
			alone(d, o->paths[0], &a->list[i++]);
		else
			alone(d, o->paths[1], &b->list[k++]);
	}
	free(best);
	return true;
}

static int diff(const struct options *o)
{
	struct diff d = { .json = { .to = stdout, .text = !o->json } };
	struct draws sides[2] = { { .list = NULL }, { .list = NULL } };
	struct limn_error err = { "" };
	int status = EXIT_OK;

	for (int i = 0; i < 2 && !status; i++) {
		if (draws_read(o->paths[i], NULL, &sides[i], &err))
			status = EXIT_INPUT;
		else if (sides[i].num > MAX_DRAWS) {
			limn_fail(&err, -1, "%s: %zu draws; more than %u are not compared", o->paths[i], sides[i].num, MAX_DRAWS);
			status = EXIT_INPUT;
		}
	}
	if (!status) {
		json_object(&d.json, NULL);
		json_array(&d.json, "draws");
		if (!match(&d, o, &sides[0], &sides[1]))
			status = EXIT_INPUT;
		json_end_array(&d.json);
		report(&d.json, "{_a} and {_b} draws, {differences} differences\n", TEXT_INT("_a", sides[0].num), TEXT_INT("_b", sides[1].num),
		       INT("differences", d.differences));
		json_end_object(&d.json);
	}
	if (status)
		fprintf(stderr, "limn diff: %s\n", err.text[0] ? err.text : "out of memory");
	draws_free(&sides[0]);
	draws_free(&sides[1]);
	return status ? status : d.differences ? EXIT_INPUT : EXIT_OK;
}

int cmd_diff(int argc, char **argv)
{
	struct options o = { .json = false };
	const struct option own[] = {
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "diff", .files = "A B", .options = own, .paths = o.paths, .max_paths = 2, .min_paths = 2,
		.example = "limn diff right.limncap wrong.limncap",
		.about = "Compares the draws of two captures by what is set for each: state by name, vertices, indices,\n"
			 "uniforms, textures, shaders. Addresses do not count, nor does the order in which state was written; draws that one\n"
			 "side alone has are named. Exit status 1 when there is a difference.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	return diff(&o);
}
