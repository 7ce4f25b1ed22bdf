// SPDX-License-Identifier: MIT
/* Arithmetic of job files, by recursive descent. A value is a number, a vector or a 4x4 matrix. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/lex.h"

#define MAX_DEPTH	32
#define MAX_ARGUMENTS	32

struct expression {
	const char *at;
	job_name_fn name;
	void *ctx;
	unsigned int depth;
	const char *what;	/* is wrong: the first */
	const char *where;	/* it is; first: the name at hand */
	const char *first;
	bool whole;		/* all of the text is wrong */
	char text[160];
};

static struct job_value comparison(struct expression *e);

static struct job_value number(double v)
{
	return (struct job_value){ .count = 1, .v = { v } };
}

static struct job_value fail(struct expression *e, const char *what)
{
	if (!e->what) {
		e->what = what;
		e->where = e->at;
	}
	return number(0);
}

static void skip(struct expression *e)
{
	while (*e->at == ' ' || *e->at == '\t')
		e->at++;
}

static bool take(struct expression *e, char c)
{
	skip(e);
	if (*e->at != c)
		return false;
	e->at++;
	return true;
}

/* --- Functions ------------------------------------------------------------ */

static double f_sin(double a, double b) { return sin(a); }
static double f_cos(double a, double b) { return cos(a); }
static double f_tan(double a, double b) { return tan(a); }
static double f_sqrt(double a, double b) { return sqrt(a); }
static double f_log2(double a, double b) { return log2(a); }
static double f_abs(double a, double b) { return fabs(a); }
static double f_floor(double a, double b) { return floor(a); }
static double f_min(double a, double b) { return fmin(a, b); }
static double f_max(double a, double b) { return fmax(a, b); }
static double f_and(double a, double b) { return (uint32_t)(int64_t)a & (uint32_t)(int64_t)b; }
static double f_or(double a, double b) { return (uint32_t)(int64_t)a | (uint32_t)(int64_t)b; }
static double f_xor(double a, double b) { return (uint32_t)(int64_t)a ^ (uint32_t)(int64_t)b; }

/* A number of 0 to 1 that looks random, the same for the same argument (splitmix64). */
static double f_rand(double a, double b)
{
	uint64_t z = (uint64_t)(int64_t)floor(a) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return ldexp((z ^ z >> 31) >> 11, -53);
}

static void identity(double *m)
{
	memset(m, 0, 16 * sizeof(*m));
	m[0] = m[5] = m[10] = m[15] = 1;
}

static void m_translate(const double *a, double *m)
{
	identity(m);
	memcpy(m + 12, a, 3 * sizeof(*a));
}

static void m_scale(const double *a, double *m)
{
	identity(m);
	m[0] = a[0];
	m[5] = a[1];
	m[10] = a[2];
}

static void normalize(double *v)
{
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

	for (int i = 0; i < 3; i++)
		v[i] /= length;
}

static void cross(const double *a, const double *b, double *c)
{
	for (int i = 0; i < 3; i++)
		c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Degrees about an axis, as glRotate. */
static void m_rotate(const double *a, double *m)
{
	double axis[3] = { a[1], a[2], a[3] }, s = sin(a[0] * M_PI / 180), c = cos(a[0] * M_PI / 180);

	identity(m);
	normalize(axis);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			m[4 * i + j] = axis[i] * axis[j] * (1 - c) + (i == j ? c : 0);
	for (int i = 0; i < 3; i++) {
		m[4 * i + (i + 1) % 3] += s * axis[(i + 2) % 3];
		m[4 * ((i + 1) % 3) + i] -= s * axis[(i + 2) % 3];
	}
}

/* Degrees from bottom to top, width by height, near, far, as gluPerspective. */
static void m_perspective(const double *a, double *m)
{
	double f = 1 / tan(a[0] * M_PI / 360);

	memset(m, 0, 16 * sizeof(*m));
	m[0] = f / a[1];
	m[5] = f;
	m[10] = (a[3] + a[2]) / (a[2] - a[3]);
	m[11] = -1;
	m[14] = 2 * a[3] * a[2] / (a[2] - a[3]);
}

/* Eye, what it looks at, up, as gluLookAt. */
static void m_look_at(const double *a, double *m)
{
	double forward[3], side[3], up[3], eye[3] = { -a[0], -a[1], -a[2] };

	for (int i = 0; i < 3; i++)
		forward[i] = a[3 + i] - a[i];
	normalize(forward);
	cross(forward, a + 6, side);
	normalize(side);
	cross(side, forward, up);
	identity(m);
	for (int i = 0; i < 3; i++) {
		m[4 * i] = side[i];
		m[4 * i + 1] = up[i];
		m[4 * i + 2] = -forward[i];
	}
	for (int i = 0; i < 3; i++)
		m[12 + i] = m[i] * eye[0] + m[4 + i] * eye[1] + m[8 + i] * eye[2];
}

#define ANY	(MAX_ARGUMENTS + 1)	/* that many and fewer */

static const struct function {
	const char *name;
	unsigned int arguments;
	double (*scalar)(double a, double b);	/* of each number of vectors */
	void (*matrix)(const double *arguments, double *m);
} functions[] = {
	{ "sin", 1, f_sin, NULL }, { "cos", 1, f_cos, NULL }, { "tan", 1, f_tan, NULL }, { "sqrt", 1, f_sqrt, NULL },
	{ "log2", 1, f_log2, NULL }, { "abs", 1, f_abs, NULL }, { "floor", 1, f_floor, NULL },
	{ "min", 2, f_min, NULL }, { "max", 2, f_max, NULL }, { "and", 2, f_and, NULL }, { "or", 2, f_or, NULL },
	{ "xor", 2, f_xor, NULL }, { "rand", 1, f_rand, NULL }, { "pick", ANY, NULL, NULL }, { "vec", ANY, NULL, NULL },
	{ "translate", 3, NULL, m_translate }, { "scale", 3, NULL, m_scale }, { "rotate", 4, NULL, m_rotate },
	{ "perspective", 4, NULL, m_perspective }, { "look_at", 9, NULL, m_look_at }, { "pi", 0, NULL, NULL },
};

const char *job_function_name(unsigned int index)
{
	return index < sizeof(functions) / sizeof(functions[0]) ? functions[index].name : NULL;
}

/* "(a, b)" behind a function's name; returns how many. */
static unsigned int arguments_of(struct expression *e, struct job_value *list)
{
	unsigned int n = 0;

	if (!take(e, '(')) {
		fail(e, "a ( is expected");
		return 0;
	}
	do {
		struct job_value a = comparison(e);

		if (n == MAX_ARGUMENTS)
			fail(e, "too many arguments");
		else
			list[n++] = a;
	} while (!e->what && take(e, ','));
	if (!take(e, ')'))
		fail(e, "a ) is missing");
	return n;
}

static struct job_value each(struct expression *e, const struct function *f, const struct job_value *a)
{
	const struct job_value *b = f->arguments > 1 ? a + 1 : a;
	struct job_value value = { .count = a->count > b->count ? a->count : b->count };

	if (a->count != b->count && a->count != 1 && b->count != 1)
		return fail(e, "vectors of different lengths");
	for (uint32_t i = 0; i < value.count; i++)
		value.v[i] = f->scalar(a->v[a->count > 1 ? i : 0], b->v[b->count > 1 ? i : 0]);
	return value;
}

static struct job_value call(struct expression *e, const struct function *f)
{
	struct job_value list[MAX_ARGUMENTS], value = { .count = 0 };
	double numbers[MAX_ARGUMENTS * 16];
	const char *first = e->first;
	unsigned int n = arguments_of(e, list), count = 0;

	for (unsigned int i = 0; i < n; i++)
		for (uint32_t k = 0; k < list[i].count; k++)
			numbers[count++] = list[i].v[k];
	if (e->what)
		return number(0);
	/* The last of them is for all that is larger. */
	if (!strcmp(f->name, "pick"))
		return n > 1 && numbers[0] >= 0 ? list[numbers[0] + 1 < n ? (unsigned int)numbers[0] + 1 : n - 1] :
		       fail(e, "pick(i, ...) has no number i");
	if (!strcmp(f->name, "vec")) {
		value.count = count < 16 ? count : 16;
		memcpy(value.v, numbers, value.count * sizeof(value.v[0]));
		return value;
	}
	if ((f->scalar ? n : count) != f->arguments) {
		snprintf(e->text, sizeof(e->text), "%s takes %u number%s in ( )", f->name, f->arguments,
			 f->arguments > 1 ? "s" : "");
		e->at = first;
		return fail(e, e->text);
	}
	if (f->scalar)
		return each(e, f, list);
	value.count = 16;
	f->matrix(numbers, value.v);
	return value;
}

/* --- The grammar ------------------------------------------------------------ */

static struct job_value named(struct expression *e)
{
	struct job_value value, list[MAX_ARGUMENTS];
	const char *wrong, *first = e->at;
	char name[64];
	size_t n = 0;

	while (isalnum((unsigned char)*e->at) || *e->at == '_') {
		if (n + 1 == sizeof(name))
			return fail(e, "the name is too long");
		name[n++] = *e->at++;
	}
	name[n] = 0;
	e->first = first;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].name[0] == name[0] && !strcmp(functions[i].name, name))
			return functions[i].arguments ? call(e, &functions[i]) : number(M_PI);
	n = e->name && *e->at == '(' ? arguments_of(e, list) : 0;
	if (e->what)
		return number(0);
	wrong = e->name ? e->name(e->ctx, name, list, n, &value) : JOB_UNKNOWN;
	if (!wrong)
		return value;
	e->at = first;
	if (wrong != JOB_UNKNOWN) {
		snprintf(e->text, sizeof(e->text), "%s", wrong);
		return fail(e, e->text);
	}
	snprintf(e->text, sizeof(e->text), "'%s' is not known%s", name, did_you_mean(name, job_known_name, e->ctx));
	return fail(e, e->text);
}

static struct job_value negative(struct job_value v)
{
	for (uint32_t i = 0; i < v.count; i++)
		v.v[i] = -v.v[i];
	return v;
}

static struct job_value factor(struct expression *e)
{
	struct job_value v;
	char *end;

	skip(e);
	if (e->what)
		return number(0);
	if (++e->depth > MAX_DEPTH)
		return fail(e, "too many parentheses or signs");
	if (take(e, '-')) {
		v = negative(factor(e));
	} else if (take(e, '+')) {
		v = factor(e);
	} else if (take(e, '(')) {
		v = comparison(e);
		if (!take(e, ')'))
			fail(e, "a ) is missing");
	} else if (isalpha((unsigned char)*e->at) || *e->at == '_') {
		v = named(e);
	} else if (isdigit((unsigned char)*e->at) || *e->at == '.') {
		v = number(strtod(e->at, &end));
		if (end == e->at)
			return fail(e, "a number is expected");
		e->at = end;
	} else {
		return fail(e, "a number is expected");
	}
	e->depth--;
	return v;
}

/* One operand on numbers, or on each number of a vector; a matrix times a matrix or a vector. */
static struct job_value combine(struct expression *e, char op, struct job_value a, struct job_value b)
{
	struct job_value c = { .count = a.count > b.count ? a.count : b.count };

	if (op == '*' && a.count == 16 && (b.count == 16 || b.count == 4)) {
		c.count = b.count;
		for (uint32_t i = 0; i < b.count; i++)
			for (int k = 0; k < 4; k++)
				c.v[i] += a.v[4 * k + i % 4] * b.v[i / 4 * 4 + k];
		return c;
	}
	if (a.count != b.count && a.count != 1 && b.count != 1)
		return fail(e, "vectors of different lengths");
	for (uint32_t i = 0; i < c.count; i++) {
		double x = a.v[a.count > 1 ? i : 0], y = b.v[b.count > 1 ? i : 0];

		c.v[i] = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : op == '/' ? x / y :
			 fmod(x, y);
	}
	return c;
}

/* By how tightly they bind, from 0 on; of comparisons, level 0, there is one, and it is 1 or 0. */
static const struct operator {
	char text[3];
	uint8_t level;
} operators[] = {
	{ "<=", 0 }, { ">=", 0 }, { "==", 0 }, { "!=", 0 }, { "<", 0 }, { ">", 0 }, { "+", 1 }, { "-", 1 }, { "*", 2 },
	{ "/", 2 }, { "%", 2 },
};

static const struct operator *operator_at(const char *at, unsigned int level)
{
	for (unsigned int i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		const char *op = operators[i].text;

		if (operators[i].level >= level && at[0] == op[0] && (!op[1] || at[1] == op[1]))
			return &operators[i];
	}
	return NULL;
}

static double compare(const char *op, double a, double b)
{
	switch (op[0]) {
	case '<':
		return op[1] ? a <= b : a < b;
	case '>':
		return op[1] ? a >= b : a > b;
	}
	return op[0] == '=' ? a == b : a != b;
}

static struct job_value operation(struct expression *e, unsigned int level)
{
	struct job_value v = factor(e), w;
	const struct operator *op;

	for (skip(e); !e->what && (op = operator_at(e->at, level)); skip(e)) {
		e->at += op->text[1] ? 2 : 1;
		w = operation(e, op->level + 1);
		if (!op->level)
			return number(compare(op->text, v.v[0], w.v[0]));
		v = combine(e, op->text[0], v, w);
	}
	return v;
}

static struct job_value comparison(struct expression *e)
{
	return operation(e, 0);
}

const char JOB_UNKNOWN[] = "it is not known";
const char JOB_SAID[] = "its value is wrong";

const char *job_evaluate(const char *text, job_name_fn name, void *ctx, struct job_value *value)
{
	static char what[160];
	struct expression e = { .at = text, .name = name, .ctx = ctx };

	*value = comparison(&e);
	skip(&e);
	if (!e.what && strchr(",;", *e.at) && *e.at)
		fail(&e, "numbers have blanks between them, no , or ;");
	else if (!e.what && *e.at && e.at[-1] == ' ')
		fail(&e, "an operator is missing");
	else if (!e.what && *e.at && (e.whole = true))
		fail(&e, "it is no number");
	for (uint32_t i = 0; i < value->count && !e.what; i++)
		if (!isfinite(value->v[i]) && (e.whole = true))
			fail(&e, "its value is not finite");
	if (!e.what)
		return NULL;
	value->wrong_at = e.whole ? 0 : e.where - text;
	snprintf(what, sizeof(what), "%s", e.what);
	return what;
}
