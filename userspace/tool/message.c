// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/json.h"
#include "tool/message.h"
#include "tool/progress.h"

#define SHOWN	160	/* bytes of a line at most */
#define LONGEST	40	/* bytes of a name that a near one is looked for */

void message_add(struct messages *m, enum severity severity, struct place at, const char *note,
		 const char *format, ...)
{
	struct message *list;
	va_list args;

	if (severity == MESSAGE_WARNING && m->strict)
		severity = MESSAGE_ERROR;
	if (severity == MESSAGE_ERROR)
		m->errors++;
	if (m->count == MESSAGES_MAX) {
		m->full = true;
		return;
	}
	if (m->count == m->room) {
		list = realloc(m->list, (m->room * 2 + 8) * sizeof(*list));
		if (!list)
			return;
		m->list = list;
		m->room = m->room * 2 + 8;
	}
	list = &m->list[m->count];
	*list = (struct message){ .severity = severity, .at = at, .note = note ? strdup(note) : NULL };
	va_start(args, format);
	if (vasprintf(&list->text, format, args) < 0)
		list->text = NULL;
	va_end(args);
	if (list->text)
		m->count++;
	else
		free(list->note);
}

void messages_free(struct messages *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->list[i].text);
		free(m->list[i].note);
	}
	free(m->list);
	memset(m, 0, sizeof(*m));
}

static bool continues_utf8(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes as a terminal may have them: nothing that moves the cursor. */
static void put_shown(const char *from, const char *end, FILE *to)
{
	for (; from < end; from++)
		fputc(((unsigned char)*from < ' ' && *from != '\t') || *from == 0x7f ? '?' : *from, to);
}

const char *message_line(const struct place *at, const char **end)
{
	const char *line = at->source->text, *nl;

	*end = line + at->source->size;
	for (unsigned int i = 1; i < at->line; i++) {
		nl = memchr(line, '\n', *end - line);
		line = nl ? nl + 1 : *end;
	}
	nl = memchr(line, '\n', *end - line);
	*end = nl ? nl : *end;
	return line;
}

void message_show(const struct place *at, FILE *to)
{
	const char *end, *from = message_line(at, &end), *caret;
	unsigned int more;

	if (end > from && end[-1] == '\r')
		end--;
	caret = at->column - 1 < (size_t)(end - from) ? from + at->column - 1 : end;
	if (caret - from > SHOWN / 2)
		for (from = caret - SHOWN / 2; from < caret && continues_utf8(*from);)
			from++;
	if (end - from > SHOWN)
		for (end = from + SHOWN; end > caret && continues_utf8(*end);)
			end--;
	fputs("  ", to);
	put_shown(from, end, to);
	fputs("\n  ", to);
	for (const char *p = from; p < caret; p++)
		if (!continues_utf8(*p))
			fputc(*p == '\t' ? '\t' : ' ', to);
	fputc('^', to);
	more = at->length > (size_t)(end - caret) ? (size_t)(end - caret) : at->length;
	for (unsigned int i = 1; i < more; i++)
		if (!continues_utf8(caret[i]))
			fputc('~', to);
	fputc('\n', to);
}

/* Colours are for terminals, of who wants them (no-color.org). */
static const char *color(FILE *to, const char *code)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fileno(to)) && !(no && *no) ? code : "";
}

void messages_print(const struct messages *m, FILE *to)
{
	if (m->count)
		progress_clear();
	for (size_t i = 0; i < m->count; i++) {
		const struct message *g = &m->list[i];

		fprintf(to, "%s:", g->at.source->path);
		if (g->at.line)
			fprintf(to, "%u:%u:", g->at.line, g->at.column);
		fprintf(to, " %s%s%s%s\n", color(to, g->severity == MESSAGE_WARNING ? "\33[33m" : "\33[31m"),
			g->severity == MESSAGE_WARNING ? "warning: " : "", g->text, color(to, "\33[0m"));
		if (g->at.line)
			message_show(&g->at, to);
		if (g->note)
			fprintf(to, "  %s\n", g->note);
	}
	if (m->full)
		fprintf(to, "and more: %zu errors in all\n", m->errors);
}

void messages_json(const struct messages *m, FILE *to)
{
	struct json j = { .to = to };

	json_array(&j, NULL);
	for (size_t i = 0; i < m->count; i++) {
		const struct message *g = &m->list[i];

		json_object(&j, NULL);
		report(&j, "", STRING("file", g->at.source->path), INT("line", g->at.line), INT("column", g->at.column),
		       STRING("severity", g->severity == MESSAGE_WARNING ? "warning" : "error"), STRING("message", g->text));
		if (g->note)
			report(&j, "", STRING("note", g->note));
		json_end_object(&j);
	}
	json_end_array(&j);
}

/* Between two names: 2 for a letter more, less or another, 1 for two that are swapped. Case does not count. */
static unsigned int distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned int rows[3][LONGEST + 1], *two = rows[0], *one = rows[1], *now = rows[2], *swap;

	for (size_t j = 0; j <= m; j++)
		one[j] = 2 * j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = 2 * i;
		for (size_t j = 1; j <= m; j++) {
			int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
			unsigned int best = one[j - 1] + 2 * (x != y);

			best = one[j] + 2 < best ? one[j] + 2 : best;
			best = now[j - 1] + 2 < best ? now[j - 1] + 2 : best;
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]) && two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			now[j] = best;
		}
		swap = two;
		two = one;
		one = now;
		now = swap;
	}
	return one[m];
}

const char *nearest(const char *word, names_fn list, void *ctx)
{
	static char found[LONGEST + 1];
	const char *name;
	size_t n = strlen(word), letters = n - strspn(word, "-");
	/* About a third of the letters may be wrong, and of a short word one. */
	unsigned int limit = 2 * (letters < 2 ? 0 : letters < 4 ? 1 : 1 + letters / 4) + 1, best = limit, is;
	bool within, found_within = false;

	found[0] = 0;
	if (n > LONGEST)
		return NULL;
	for (unsigned int i = 0; (name = list(ctx, i)); i++) {
		size_t m = strlen(name);

		/* Of two letters one is too much to be another: one may be missing. */
		if (!m || m > LONGEST || (letters == 2 && m != n + 1))
			continue;
		/* What begins or ends alike is nearer than it looks: "tri" is triangles, "uniforms" vertex-uniforms. */
		within = n > 2 && m > n && (!strncasecmp(word, name, n) || (name[m - n - 1] == '-' && !strcasecmp(word, name + m - n)));
		/* The difference in length is the least that they differ by. */
		is = 2 * (m > n ? m - n : n - m) < limit ? distance(word, n, name, m) : limit;
		if (is >= limit && within)
			is = limit - 1;
		if (is < 2 * letters && (is < best || (is == best && within && (!found_within || m < strlen(found))))) {
			best = is;
			found_within = within;
			strcpy(found, name);
		}
	}
	return found[0] ? found : NULL;
}

const char *did_you_mean(const char *word, names_fn list, void *ctx)
{
	static char text[LONGEST + 32];
	const char *near = nearest(word, list, ctx);

	snprintf(text, sizeof(text), near ? "; did you mean %s?" : "", near);
	return text;
}

const char *near_or_all(const char *word, names_fn list, void *ctx)
{
	static char text[500];
	const char *near = did_you_mean(word, list, ctx), *name;
	size_t n;

	snprintf(text, sizeof(text), "%s", *near ? near : "; there are:");
	for (unsigned int i = 0; !*near && (name = list(ctx, i)); i++) {
		n = strlen(text);
		snprintf(text + n, sizeof(text) - n, " %s", name);
	}
	return text;
}
