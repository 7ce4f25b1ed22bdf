// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/exec_step.h"

#define MAX_POINTS	64

/* NAME[.C][@LANE] OP VALUE; without an op: its value is another than at the last stop (watch). */
struct condition {
	char name[16];
	unsigned int component, lane;	/* lane SIM_LANES: any */
	char op[3];
	double value;
	uint32_t was[SIM_LANES];	/* of a watch */
};

struct point {
	bool used, any, line;		/* any: wherever it is; line: at is a line of the text */
	unsigned int at;
	bool conditional;
	struct condition when;
	char text[64];			/* as it was given */
};

struct exec_step {
	struct point points[MAX_POINTS];
	unsigned int left;		/* instructions until it stops; ~0: only at points */
	bool over, greeted;
};

struct exec_step *exec_step_new(void)
{
	struct exec_step *s = calloc(1, sizeof(*s));

	if (s)
		s->left = 0;
	return s;
}

void exec_step_free(struct exec_step *s)
{
	free(s);
}

/* --- Registers ------------------------------------------------------------------------------- */

static bool is(const struct exec *e, const char *isa)
{
	return !strcmp(limn_isa_name(e->file.isa), isa);
}

/* Number behind prefix, below max. */
static bool numbered(const char *name, const char *prefix, unsigned int max, unsigned int *n)
{
	size_t length = strlen(prefix);
	char *end;

	if (strncmp(name, prefix, length) || !isdigit((unsigned char)name[length]))
		return false;
	*n = (unsigned int)strtoul(name + length, &end, 10);
	return !*end && *n < max;
}

/* The register of that name, of all lanes; the number of its components, 0: there is none. */
static unsigned int find_register(const struct exec *e, const char *name, v8u out[4])
{
	const v8f *from = NULL;
	unsigned int n;

	memset(out, 0, 4 * sizeof(out[0]));
	if (is(e, "bifrost")) {
		if (!numbered(name, "r", BFSIM_REGISTERS, &n))
			return 0;
		out[0] = e->bf.r[n];
		return 1;
	}
	if (is(e, "utgard-gp") && numbered(name, "$", 16, &n))
		from = (const v8f *)e->gp.registers[n];
	else if (is(e, "utgard-gp") && numbered(name, "v", GPSIM_VARYINGS, &n))
		from = e->gp.varyings[n];
	else if (is(e, "utgard-gp") && numbered(name, "a", 16, &n))
		from = e->attributes[n];
	else if (is(e, "utgard-pp") && numbered(name, "$", 16, &n))
		from = e->pp.registers[n];
	else if (is(e, "utgard-pp") && (!strcmp(name, "^texture") || !strcmp(name, "^uniform")))
		from = e->pp.registers[name[1] == 't' ? 14 : 15];
	else if (is(e, "utgard-pp") && numbered(name, "v", 16, &n))
		from = e->varyings[n];
	else if (is(e, "vivante") && numbered(name, "t", VIVSIM_TEMPS, &n))
		from = (const v8f *)e->viv.temps[n];
	else if (is(e, "midgard") && numbered(name, "r", MDSIM_AT0, &n))
		from = (const v8f *)e->md.r[n];
	if (from)
		memcpy(out, from, 4 * sizeof(out[0]));
	else if (!is(e, "utgard-pp") && numbered(name, is(e, "utgard-gp") ? "t" : "u", MAX_UNIFORMS, &n))
		for (unsigned int c = 0; c < 4; c++)
			for (unsigned int lane = 0; lane < SIM_LANES; lane++)
				memcpy((uint32_t *)&out[c] + lane, &e->uniforms[n][c], 4);
	else
		return 0;
	return 4;
}

/* "t1.x@3" into its parts; false: no such register, component or lane. */
static bool parse_name(const struct exec *e, const char *text, char name[16], unsigned int *component, unsigned int *lane)
{
	const char *dot = strchr(text, '.'), *at = strchr(text, '@'), *letter;
	size_t n = strcspn(text, ".@");
	v8u values[4];
	unsigned int count;

	*component = 4;
	*lane = SIM_LANES;
	if (n >= 16)
		return false;
	snprintf(name, 16, "%.*s", (int)n, text);
	count = find_register(e, name, values);
	if (dot && (!at || dot < at)) {
		letter = dot[1] ? strchr("xyzw", dot[1]) : NULL;
		if (!letter || (unsigned int)(letter - "xyzw") >= count || (dot[2] && dot[2] != '@'))
			return false;
		*component = (unsigned int)(letter - "xyzw");
	}
	if (at) {
		if (at[1] < '0' || at[1] >= '0' + SIM_LANES || at[2])
			return false;
		*lane = (unsigned int)(at[1] - '0');
	}
	return count;
}

static bool compare(double a, const char *op, double b)
{
	return !strcmp(op, "<") ? a < b : !strcmp(op, "<=") ? a <= b : !strcmp(op, ">") ? a > b : !strcmp(op, ">=") ? a >= b :
	       !strcmp(op, "==") ? a == b : a != b;
}

/* Whether it is met in one of the lanes. */
static bool is_met(const struct exec *e, struct condition *c, unsigned int lanes)
{
	unsigned int first = c->component < 4 ? c->component : 0, last = c->component < 4 ? c->component : 3;
	v8u values[4];
	bool met = false;

	find_register(e, c->name, values);
	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		uint32_t sum = 0;

		if (c->lane < SIM_LANES && c->lane != lane)
			continue;
		for (unsigned int i = first; i <= last; i++) {
			uint32_t bits = values[i][lane];
			float f;

			memcpy(&f, &bits, 4);
			sum = sum * 0x9e3779b1u + bits;
			met |= c->op[0] && lanes >> lane & 1 && compare(f, c->op, c->value);
		}
		met |= !c->op[0] && sum != c->was[lane];
		c->was[lane] = sum;
	}
	return met;
}

/* --- Where it is ------------------------------------------------------------------------------- */

static size_t word_of(const struct exec *e, unsigned int at)
{
	return is(e, "utgard-gp") || is(e, "vivante") ? (size_t)at * 4 : at;
}

/* The line of the text that the instruction comes from; 0: it was no text. */
static unsigned int line_of(const struct exec *e, unsigned int at)
{
	size_t word = word_of(e, at);

	return e->file.lines && word < e->file.line_count ? e->file.lines[word] : 0;
}

static unsigned int count_lines(const struct exec *e)
{
	unsigned int n = 1;

	for (size_t i = 0; i + 1 < e->file.source.size; i++)
		n += e->file.data[i] == '\n';
	return n;
}

/*
 * Whether that line of the text is one of the instruction at word. The lines of a bundle of Midgard are from the one that
 * its words are said to come from to the next bundle's; those of a clause of Bifrost, from the clause before to that one.
 */
static bool is_of_line(const struct exec *e, size_t word, unsigned int line)
{
	const unsigned int *lines = e->file.lines;
	size_t n = e->file.line_count, i = word;

	if (!lines || word >= n)
		return false;
	if (is(e, "midgard")) {
		while (i < n && lines[i] == lines[word])
			i++;
		return line >= lines[word] && (i < n ? line < lines[i] : line <= count_lines(e));
	}
	if (is(e, "bifrost")) {
		while (i && lines[i - 1] == lines[word])
			i--;
		return line <= lines[word] && line > (i ? lines[i - 1] : 0);
	}
	return line == lines[word];
}

static void print_place(const struct exec *e, const char *form, unsigned int at, unsigned int lanes)
{
	unsigned int line = line_of(e, at);

	printf("at %u", at);
	if (line)
		printf(", %s:%u", e->file.path, line);
	printf(", lanes 0x%02x\n", lanes);
	if (!is(e, "midgard") && !is(e, "bifrost"))
		exec_print_instruction(e, form, at);
}

static bool stops_here(struct exec *e, unsigned int at, unsigned int lanes)
{
	struct exec_step *s = e->step;
	bool stop = s->left != ~0u && !s->left;

	if (s->left != ~0u && s->left)
		s->left--;
	for (unsigned int i = 0; i < MAX_POINTS; i++) {
		struct point *p = &s->points[i];
		bool met;

		if (!p->used || (!p->any && !(p->line ? is_of_line(e, word_of(e, at), p->at) : at == p->at)))
			continue;
		/* A watch looks each time, also when something else stops here. */
		met = !p->conditional || is_met(e, &p->when, lanes);
		if (met)
			printf("%s %u\n", p->any ? "watch" : "break", i);
		stop |= met;
	}
	return stop;
}

/* --- Commands ------------------------------------------------------------------------------------ */

static const char help[] =
	"s [N]         step: N instructions (1), also an empty line\n"
	"c             continue to the next breakpoint or the end\n"
	"b AT [if NAME OP VALUE]   breakpoint at an instruction, or with :LINE at a line of the text;\n"
	"              of Midgard and Bifrost, at the word of a bundle or clause, or any line of its text;\n"
	"              where NAME, as t1.x or t1.x@3, is so in one of the lanes; OP: < <= > >= == !=\n"
	"w NAME        stops when the register has changed\n"
	"d [N]         deletes breakpoint or watch N, or all; i lists them\n"
	"p NAME...     prints registers: of each set those that its inputs and outputs have\n"
	"x ADDRESS [N] prints N (1) words of memory\n"
	"l             lists the program\n"
	"q             ends the run here: what it has put out so far is printed\n";

static void set_point(struct exec *e, const struct point *p, const char *kind)
{
	unsigned int i;

	for (i = 0; i < MAX_POINTS && e->step->points[i].used; i++)
		;
	if (i == MAX_POINTS) {
		puts("there are too many");
		return;
	}
	e->step->points[i] = *p;
	printf("%s %u: %s\n", kind, i, p->text);
}

/* Whether an instruction is there, or comes from that line. */
static bool is_place(const struct exec *e, const struct point *p)
{
	size_t unit = is(e, "utgard-gp") || is(e, "vivante") ? 4 : 1;

	if (!p->line)
		return p->at < e->file.count / unit;
	for (size_t word = 0; word < e->file.line_count; word++)
		if (is_of_line(e, word, p->at))
			return true;
	return false;
}

static void add_point(struct exec *e, unsigned int count, char **words)
{
	struct point p = { .used = true };
	const char *at = count > 1 ? words[1] : "";
	char *end;

	p.line = *at == ':';
	p.at = (unsigned int)strtoul(at + p.line, &end, 10);
	if (end == at + p.line || *end || (count != 2 && (count != 6 || strcmp(words[2], "if")))) {
		puts("b AT or b :LINE, then nothing, or if NAME OP VALUE");
		return;
	}
	if (p.line && !e->file.lines) {
		puts("the shader was no text: it has no lines");
		return;
	}
	if (!is_place(e, &p)) {
		printf("no instruction is at %s\n", at);
		return;
	}
	if (count == 6) {
		p.conditional = true;
		p.when.value = strtod(words[5], &end);
		if (!parse_name(e, words[3], p.when.name, &p.when.component, &p.when.lane) || p.when.component == 4 || *end ||
		    strlen(words[4]) > 2 || !strstr("< <= > >= == !=", words[4])) {
			printf("not a condition: %s %s %s\n", words[3], words[4], words[5]);
			return;
		}
		snprintf(p.when.op, sizeof(p.when.op), "%s", words[4]);
	}
	if (count == 6)
		snprintf(p.text, sizeof(p.text), "%.16s if %.16s %s %.16s", at, words[3], words[4], words[5]);
	else
		snprintf(p.text, sizeof(p.text), "%.16s", at);
	set_point(e, &p, "break");
}

static void add_watch(struct exec *e, const char *name)
{
	struct point p = { .used = true, .any = true, .conditional = true };

	if (!parse_name(e, name, p.when.name, &p.when.component, &p.when.lane)) {
		printf("no register %s\n", name);
		return;
	}
	is_met(e, &p.when, 0);
	snprintf(p.text, sizeof(p.text), "%s", name);
	set_point(e, &p, "watch");
}

static void list_points(const struct exec_step *s)
{
	for (unsigned int i = 0; i < MAX_POINTS; i++) {
		const struct point *p = &s->points[i];

		if (p->used)
			printf("%s %u: %s\n", p->any ? "watch" : "break", i, p->text);
	}
}

static void delete_point(struct exec_step *s, const char *which)
{
	char *end;
	unsigned long n = which ? strtoul(which, &end, 10) : 0;

	if (which && (end == which || *end || n >= MAX_POINTS || !s->points[n].used)) {
		printf("there is no %s\n", which);
		return;
	}
	for (unsigned int i = 0; i < MAX_POINTS; i++)
		s->points[i].used &= which && i != n;
}

static void print_register(const struct exec *e, const char *text)
{
	unsigned int component, lane, count;
	char name[16];
	v8u values[4];
	float f;

	if (!parse_name(e, text, name, &component, &lane)) {
		printf("no register %s\n", text);
		return;
	}
	count = find_register(e, name, values);
	if (component == 4 && lane == SIM_LANES) {
		exec_print_bits(name, values, count == 1 ? 1 : 15);
		return;
	}
	printf("%s =", text);
	for (unsigned int c = component < 4 ? component : 0; c < (component < 4 ? component + 1 : count); c++) {
		for (unsigned int l = lane < SIM_LANES ? lane : 0; l < (lane < SIM_LANES ? lane + 1 : SIM_LANES); l++) {
			memcpy(&f, (uint32_t *)&values[c] + l, 4);
			printf(" %.9g", f);
		}
	}
	putchar('\n');
}

static void print_memory(const struct exec *e, const char *address, const char *count)
{
	char *end, *last = NULL;
	unsigned long at = address ? strtoul(address, &end, 0) : 1, n = count ? strtoul(count, &last, 0) : 1;

	if (!address || end == address || *end || (last && *last) || at % 4 || !n || at / 4 >= MEMORY_WORDS ||
	    n > MEMORY_WORDS - at / 4) {
		puts("x ADDRESS [N]: an address that is a multiple of 4, and words in the 1 MiB of memory");
		return;
	}
	for (unsigned long i = 0; i < n; i++) {
		float f;

		memcpy(&f, &e->memory[at / 4 + i], 4);
		printf("0x%05lx: 0x%08x %.9g\n", at + 4 * i, e->memory[at / 4 + i], f);
	}
}

/* False: the run goes on. */
static bool command(struct exec *e, char *text)
{
	struct exec_step *s = e->step;
	char *words[8], *end;
	unsigned int n = 0;

	for (char *w = strtok(text, " \t\r\n"); w && n < 8; w = strtok(NULL, " \t\r\n"))
		words[n++] = w;
	if (!n || !strcmp(words[0], "s")) {
		unsigned long by = n > 1 ? strtoul(words[1], &end, 10) : 1;

		if (n > 2 || (n > 1 && (*end || !by || by > 1000000))) {
			puts("s [N]: N is 1 to 1000000");
			return true;
		}
		s->left = (unsigned int)by - 1;
		return false;
	}
	if (!strcmp(words[0], "c") && n == 1) {
		s->left = ~0u;
		return false;
	}
	if (!strcmp(words[0], "q") && n == 1) {
		s->over = true;
		return false;
	}
	if (!strcmp(words[0], "b"))
		add_point(e, n, words);
	else if (!strcmp(words[0], "w") && n == 2)
		add_watch(e, words[1]);
	else if (!strcmp(words[0], "d") && n <= 2)
		delete_point(s, n > 1 ? words[1] : NULL);
	else if (!strcmp(words[0], "i") && n == 1)
		list_points(s);
	else if (!strcmp(words[0], "p") && n > 1)
		for (unsigned int i = 1; i < n; i++)
			print_register(e, words[i]);
	else if (!strcmp(words[0], "x") && n <= 3)
		print_memory(e, n > 1 ? words[1] : NULL, n > 2 ? words[2] : NULL);
	else if (!strcmp(words[0], "l") && n == 1)
		fputs(e->text, stdout);
	else
		fputs(!strcmp(words[0], "h") || !strcmp(words[0], "help") ? help : "no such command; h lists them\n", stdout);
	return true;
}

bool exec_step_at(struct exec *e, const char *form, unsigned int at, unsigned int lanes)
{
	struct exec_step *s = e->step;
	bool terminal = isatty(0);
	char text[200];

	if (!s || s->over)
		return !s;
	if (!stops_here(e, at, lanes))
		return true;
	print_place(e, form, at, lanes);
	if (terminal && !s->greeted)
		puts("h lists the commands");
	s->greeted = true;
	do {
		if (terminal)
			fputs("(limn) ", stdout);
		fflush(stdout);
		/* A script that is over lets the shader run on. */
		if (!fgets(text, sizeof(text), stdin)) {
			memset(s->points, 0, sizeof(s->points));
			s->left = ~0u;
			break;
		}
	} while (command(e, text));
	return !s->over;
}
