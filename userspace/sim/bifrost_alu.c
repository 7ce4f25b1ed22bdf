// SPDX-License-Identifier: MIT
/* Bifrost: arithmetic. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "isa/half.h"
#include "sim/bifrost_code.h"

#define PI	3.14159265358979323846
#define SIGN	0x80000000u

/* --- Reductions ------------------------------------------------------------------- */

/*
 * What the ops of the reductions know of floats, as bits: mantissas, exponents and tables. Names are those of Mesa's
 * Notes.txt; today's are in parentheses in bifrost_code.h. Sources: Notes.txt, Mesa src/panfrost/compiler
 * bifrost_compile.c (which op feeds which), ARM's patent US20160364209A1 for the reduction of logarithms.
 *
 * A float is m * 2^e with m in [1, 2). GUESS(bf-denormals), where the notes are silent: denormals are normalised first, as frexp()
 * does; a mantissa op gives zero, infinity and NaN back as they are; an exponent op gives 0 for them (the notes say so
 * of FRCP_FREXPE alone).
 */

#define INF	0x7f800000u
#define LOW6	63u	/* of 23 bits of a fraction the tables look at 17 */

/* Zero, infinity, NaN. */
static bool special(uint32_t x)
{
	return !(x & ~SIGN) || (x & INF) == INF;
}

/* A mantissa in [1, 2), of x's sign. */
static float split(uint32_t x, int *e)
{
	float m = 2 * frexpf(as_float(x), e);

	--*e;
	return m;
}

/* .log: m of [1.5, 2) is halved, so that 1 lies within the range. */
uint32_t bifrost_frexpm(uint32_t x, enum bf_split how)
{
	int e;
	float m = split(x, &e);

	if (how == BF_SPLIT_LOG)
		m = fabsf(m) < 1.5f ? m : m / 2;
	else
		m = how == BF_SPLIT_SQRT && !(e & 1) ? m / 4 : m / 2;
	return special(x) ? x : as_bits(m);
}

int32_t bifrost_frexpe(uint32_t x, enum bf_split how)
{
	int e;
	float m = split(x, &e);

	if (special(x))
		return 0;
	return how == BF_SPLIT_LOG ? e + (fabsf(m) >= 1.5f) : how == BF_SPLIT_SQRT ? (e >> 1) + 1 : e + 1;
}

uint32_t bifrost_frcp_table(uint32_t x)
{
	float m = as_float(special(x) ? x : bifrost_frexpm(x, BF_SPLIT) & ~LOW6);

	return isnan(m) ? x : as_bits(1 / m);
}

uint32_t bifrost_frsq_table(uint32_t x)
{
	float m = as_float(special(x) ? x : bifrost_frexpm(x, BF_SPLIT_SQRT) & ~LOW6);

	return isnan(m) ? x : m < 0 ? 0x7fc00000 : as_bits((float)(1 / sqrt(m)));
}

/* The middle of the sixteenth of [1, 2) that m lies in decides. Near 1 it is 1. */
uint32_t bifrost_frcp_approx(uint32_t x)
{
	int e, i = 16 * (fabsf(split(special(x) ? 0 : x, &e)) - 1);
	double r = (i >= 8 ? 2 : 1) / (1 + (i + 0.5) / 16);

	if (i <= 0 || i == 15)
		r = 1;
	/* Five significant bits: steps of 1/32 below 1, of 1/16 above. */
	return as_bits((float)(r < 1 ? rint(r * 32) / 32 : rint(r * 16) / 16));
}

/*
 * A double holds the product of two floats exactly, and the sum well enough
 * for one rounding: where it is not exact, it is odd in its last place.
 */
double bifrost_fma_odd(double a, double b, double c)
{
	double p = a * b, s = p + c, t, rest;
	uint64_t u;

	if (!isfinite(s))
		return s;
	t = s - p;
	rest = (p - (s - t)) + (c - t);
	memcpy(&u, &s, 8);
	if (rest != 0 && !(u & 1)) {
		u += (rest > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &u, 8);
	}
	return s;
}

/* --- What bodies use ------------------------------------------------------------- */

static double rounded(double v, unsigned int mode)
{
	return mode == BFW_rtp ? ceil(v) : mode == BFW_rtn ? floor(v) : mode == BFW_rtz ? trunc(v) :
	       mode == BFW_rtna ? round(v) : nearbyint(v);
}

#define compare(word, x, y) \
	({ typeof(x) x_ = (x), y_ = (y); \
	   (word) == BFW_eq ? x_ == y_ : (word) == BFW_ne ? x_ != y_ : (word) == BFW_lt ? x_ < y_ : (word) == BFW_le ? x_ <= y_ : \
	   (word) == BFW_gt ? x_ > y_ : (word) == BFW_ge ? x_ >= y_ : (word) == BFW_gtlt ? x_ > y_ || x_ < y_ : \
	   x_ == x_ && y_ == y_; })

/* FMIN and FMAX: first is the answer when the comparison holds. */
static double extreme(const struct bf_lane *q, double a, double b, bool first)
{
	switch (bf_mod(q->k, sem)) {
	case BFW_nan_propagate:
		return isnan(a) ? a : isnan(b) || !first ? b : a;
	case BFW_c:
		return first ? a : b;
	case BFW_inverse_c:
		return first || !islessgreater(a, b) ? a : b;	/* .c of b, a (ISA.xml: as which it is encoded) */
	default:
		return isnan(b) || first ? a : b;
	}
}

/* FMA_RSCALE before the scale. Of a product with 0: .n: it is 0 whatever the other is, .left: it is a (Mesa valhall/ISA.xml). */
static double rscale(const struct bf_lane *q, double a, double b, double c)
{
	unsigned int special = a == 0 || b == 0 ? bf_mod(q->k, special) : BFW_none;

	if (special == BFW_n)
		return bifrost_fma_odd(copysign(a != 0, a), copysign(b != 0, b), c);
	return bifrost_fma_odd(a, special == BFW_left ? 1 : b, c);
}

static enum bf_split split_of(const struct bf_insn *k)
{
	return bf_mod(k, log) != BFW_none ? BF_SPLIT_LOG : bf_mod(k, sqrt) != BFW_none ? BF_SPLIT_SQRT : BF_SPLIT;
}

/*
 * FLOG_TABLE other than .red: minus the logarithm of the coarse reciprocal, of base 2 or e. GUESS(bf-flog-parts): .high is it in 12
 * bits, .low the rest.
 */
static uint32_t log_table(const struct bf_lane *q, uint32_t x)
{
	unsigned int mode = bf_mod(q->k, mode), part = bf_mod(q->k, precision);
	double v = -log2(as_float(bifrost_frcp_approx(x))) * (mode == BFW_natural ? log(2) : 1);
	double high = rint(v * 4096) / 4096;

	if (mode == BFW_red)
		return bifrost_frcp_approx(x);
	/* The reduced fraction of 0 and of what is no number is 1: their logarithm comes from here. */
	return as_bits(part == BFW_high ? high : part == BFW_low ? v - high : v);
}

static int64_t byte_product(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int64_t sum = 0;

	for (unsigned int i = 0; i < 32; i += 8)
		sum += (a_signed ? (int8_t)(a >> i) : (int)(uint8_t)(a >> i)) * (b_signed ? (int8_t)(b >> i) : (int)(uint8_t)(b >> i));
	return sum;
}

static unsigned int leading(uint64_t v, unsigned int bits, bool mask)
{
	unsigned int n = 0;

	/* .mask: GUESS(bf-clz-mask): bits that are like the highest one, as a mask below them. */
	while (n < bits && !(v >> (bits - 1 - n) & 1))
		n++;
	return mask ? (1ull << (bits - n)) - 1 : n;
}

static int64_t mux(const struct bf_lane *q, int64_t a, int64_t b, int64_t c)
{
	switch (bf_mod(q->k, mux)) {
	case BFW_neg:
		return c < 0 ? a : b;
	case BFW_fp_zero:
		return c & ((1ull << (q->k->from.bits - 1)) - 1) ? b : a;
	case BFW_bit:
		return (c & a) | (~c & b);
	default:
		return c ? b : a;
	}
}

static uint32_t shaddxl(const struct bf_lane *q, uint32_t a, int64_t b)
{
	struct bf_carry *c = q->carry;
	bool wide = q->k->from.bits == 64;
	uint64_t add = wide ? (uint32_t)b : (uint64_t)b, sum;

	c->shift = q->k->number[0];
	add <<= c->shift;
	sum = (uint64_t)a + (uint32_t)add;
	c->shadd = true;
	c->wide = wide;
	c->low = sum;
	c->high = add >> 32;
	c->overflow = sum >> 32;
	return sum;
}

/* GUESS(bf-cube-equal): z wins over y over x where they are equal. */
static double cubeface(const struct bf_lane *q, double x, double y, double z)
{
	unsigned int axis = fabs(z) >= fabs(x) && fabs(z) >= fabs(y) ? 2 : fabs(y) >= fabs(x);
	double v = axis == 2 ? z : axis ? y : x;

	q->carry->face = 2 * axis + !!signbit(v);
	return fabs(v);
}

/* --- Bodies ----------------------------------------------------------------------- */

#define a	(q->s[0].f)
#define b	(q->s[1].f)
#define c	(q->s[2].f)
#define ia	(q->s[0].i)
#define ib	(q->s[1].i)
#define ic	(q->s[2].i)
#define id_	(q->s[3].i)
#define fa	(q->s[0].bits)
#define wa	(q->s[0].w)
#define wb	(q->s[1].w)
#define wc	(q->s[2].w)
#define wd	(q->s[3].w)
#define MOD(kind)	bf_mod(q->k, kind)
#define BITS		(q->k->from.bits)
#define ONES		(~0ull >> (64 - BITS))

#define BODY(id, to, value) \
	static void body_##id(const struct bf_lane *q, struct bf_element *r) \
	{ \
		r->to = (value); \
	}
#define FLOATS(id, value)	BODY(id, f, value)
#define FLOAT_BITS(id, value)	BODY(id, bits, value)
#define INTS(id, value)		BODY(id, i, value)
#define TRUTHS(id, value)	BODY(id, i, value)
#define WORDS(id, value)	BODY(id, w, value)
#include "sim/bifrost_sem.inc"
#undef FLOATS
#undef FLOAT_BITS
#undef INTS
#undef TRUTHS
#undef WORDS
#undef a
#undef b
#undef c

static const struct {
	bf_body *body;
	uint8_t makes;
} bodies[BF_OPS] = {
#define FLOATS(id, value)	[BF_OP_##id] = { body_##id, BF_MAKES_FLOAT },
#define FLOAT_BITS(id, value)	[BF_OP_##id] = { body_##id, BF_MAKES_BITS },
#define INTS(id, value)		[BF_OP_##id] = { body_##id, BF_MAKES_INT },
#define TRUTHS(id, value)	[BF_OP_##id] = { body_##id, BF_MAKES_TRUTH },
#define WORDS(id, value)	[BF_OP_##id] = { body_##id, BF_MAKES_WORD },
#include "sim/bifrost_sem.inc"
};

/* --- Decoding --------------------------------------------------------------------- */

/* "v2f16", "S32" */
static struct bf_type read_type(const char *text, size_t length)
{
	struct bf_type t = { 1, 32, 'i' };

	if (length > 2 && tolower(text[0]) == 'v') {
		t.count = text[1] - '0';
		text += 2;
		length -= 2;
	}
	if (length < 2)
		return t;
	t.kind = tolower(text[0]);
	t.bits = atoi(text + 1);
	if (t.bits < 8)
		t.bits = 32;
	return t;
}

static void decode_types(struct bf_insn *k, const struct bf_row *row)
{
	const char *name = k->op->pattern + 1, *to = strstr(name, "_TO_");
	const char *word = bf_word(bf_mod(k, type));

	if (to) {
		k->from = read_type(name, to - name);
		k->to = read_type(to + 4, strcspn(to + 4, "."));
		return;
	}
	if (bf_mod(k, type) == BFW_none)
		word = *row->type ? row->type + 1 : "";
	k->from = k->to = read_type(word, strlen(word));
}

void bf_decode_insn(struct bf_insn *k, const struct bf_slot *slot)
{
	const struct bf_row *row = bf_row(slot->op);
	unsigned int numbers = 0;

	memset(k, 0, sizeof(*k));
	memset(k->words, BFW_none, sizeof(k->words));
	k->op = slot->op;
	BF_EACH_SOURCE(row, i)
		k->source[k->sources++] = slot->sources[i];
	for (unsigned int i = 0; row->parts[i].table; i++)
		if (!bf_is_words(&row->parts[i]))
			k->number[numbers++] = slot->numbers[i];
	BF_EACH_WORD(row, i, n)
		k->words[bf_tables[row->parts[i].table].columns[n].kind][bf_where(&row->parts[i], n)] = slot->words[i][n];
	decode_types(k, row);
	k->body = bodies[k->op->id].body;
	k->makes = bodies[k->op->id].makes;
	k->lane = bf_lane_bodies[k->op->id];
	/* What these do is not known; of LDEXP infinity is handled otherwise, for arctan. */
	if (bf_mod(k, round) == BFW_inf || bf_mod(k, round) == BFW_inf0 || bf_mod(k, adj) != BFW_none ||
	    bf_mod(k, divzero) != BFW_none || bf_mod(k, preserve_null) != BFW_none || (k->op->id == BF_OP_WMASK && k->number[0])) {
		k->body = NULL;
		k->lane = NULL;
	}
}

/* --- Running ---------------------------------------------------------------------- */

static void fetch(const struct bf_insn *k, unsigned int source, unsigned int element, uint32_t word, struct bf_element *s)
{
	const char *parts = bf_word(k->words[BFK_lanes][source]);	/* "h10", "b2", ...; "none": by the type */
	unsigned int bits = k->from.bits < 32 ? k->from.bits : 32, n = element % (32 / bits);
	bool is_signed = k->from.kind == 's' || k->from.kind == 'i';
	uint32_t v;

	if (*parts != 'n') {
		unsigned int last = strlen(parts) - 2;

		bits = *parts == 'h' ? 16 : 8;
		n = parts[1 + (element < last ? element : last)] - '0';
		/* A part of a plain integer: as a shift, without a sign, unless there is .sext. */
		is_signed = k->from.kind == 's' || (k->from.kind == 'i' && bits == k->from.bits);
		is_signed = bf_mod(k, extend) == BFW_none ? is_signed : bf_mod(k, extend) == BFW_sext;
	}
	v = (uint32_t)isa_low(word >> n * bits, bits);
	s->w = word;
	s->i = is_signed ? isa_signed(v, bits) : v;
	if (k->words[BFK_not][source] == BFW_not)
		s->i = ~s->i;
	s->bits = bits == 16 ? as_bits(half_to_float(v)) : v;
	if (k->words[BFK_abs][source] == BFW_abs)
		s->bits &= ~SIGN;
	if (k->words[BFK_neg][source] == BFW_neg)
		s->bits ^= SIGN;
	s->f = as_float(s->bits);
}

/* bits are of have, nearest to v: by the mode the next number above, below, towards 0, the odd one, of ties the one away from 0. */
static uint32_t adjust(uint32_t bits, unsigned int width, double have, double v, unsigned int mode)
{
	bool up = mode == BFW_rtp && v > have, down = mode == BFW_rtn && v < have, beyond = fabs(have) > fabs(v);
	double away = width == 16 ? half_to_float(bits + 1) : as_float(bits + 1);

	if ((up || down) && have == 0)
		return down ? 1u << (width - 1) | 1 : 1;
	if (up || down)
		return (have > 0) == up ? bits + 1 : bits - 1;
	if (mode == BFW_rto && have != v && !isnan(v))
		return (bits - beyond) | 1;
	if (mode == BFW_rtna && away - v == v - have)
		return bits + 1;
	return mode == BFW_rtz && beyond ? bits - 1 : bits;
}

static uint32_t pack_float(const struct bf_insn *k, double v)
{
	unsigned int mode = bf_mod(k, round), clamp = bf_mod(k, clamp);
	uint32_t bits;

	if (clamp != BFW_none && clamp != BFW_clamp_m1_1 && !(v > 0))
		v = 0;
	if (clamp == BFW_clamp_m1_1 && !(v >= -1))	/* NaN, too: NIR's fsat_signed, valhall/ISA.xml */
		v = -1;
	if ((clamp == BFW_clamp_m1_1 || clamp == BFW_clamp_0_1) && v > 1)
		v = 1;
	if (k->to.bits == 16) {
		uint16_t half = half_from_float(v);
		float narrow = v;

		/* Odd in its last place where it is not exact: then it is rounded once. */
		if (narrow != v && !isnan(v) && !isinf(narrow)) {
			bits = as_bits(narrow);
			bits = fabs(narrow) > fabs(v) ? bits - 1 : bits;
			half = half_from_float(as_float(bits | 1));
		}
		bits = adjust(half, 16, half_to_float(half), v, mode);
		return isnan(v) && isinf(half_to_float(bits)) ? 0x7e00 : bits & 0xffff;
	}
	return adjust(as_bits(v), 32, (float)v, v, mode);
}

static uint32_t pack(const struct bf_insn *k, const struct bf_element *r)
{
	unsigned int bits = k->to.bits < 32 ? k->to.bits : 32, truth = bf_mod(k, result_type);
	uint32_t ones = ~0u >> (32 - bits);
	int64_t i = r->i;

	switch (k->makes) {
	case BF_MAKES_FLOAT:
		return pack_float(k, r->f);
	case BF_MAKES_BITS:
		return bits == 16 ? half_from_float(as_float(r->bits)) : r->bits;
	case BF_MAKES_TRUTH:
		return !i ? 0 : truth == BFW_m1 ? ones : truth == BFW_f1 ? (bits == 16 ? 0x3c00 : as_bits(1)) : 1;
	case BF_MAKES_WORD:
		return r->w;
	default:
		if (bf_mod(k, saturate) == BFW_sat)
			i = sim_saturate(i, bits, k->to.kind != 'u');
		return (bf_mod(k, not_result) == BFW_not ? ~i : i) & ones;
	}
}

/* A result that is not a number though no source is has one pattern. */
static void made_nan(const struct bf_lane *q, struct bf_element *r)
{
	bool any = false;

	for (unsigned int i = 0; i < q->k->sources; i++)
		any |= isnan(q->s[i].f);
	if (isnan(r->f) && !any)
		r->f = as_float(0x7fc00000);
}

void bf_run_alu(struct bf_lane *l)
{
	const struct bf_insn *k = l->k;
	unsigned int count = k->makes == BF_MAKES_WORD ? 1 : k->to.count;

	for (unsigned int e = 0; e < count; e++) {
		struct bf_element r = { 0 };

		for (unsigned int i = 0; i < k->sources; i++)
			fetch(k, i, e, l->t->sources[i][l->lane], &l->s[i]);
		/* These make a vector of a part of each source. */
		if (k->op->id == BF_OP_MKVEC || k->op->id == BF_OP_V2F32_TO_V2F16)
			l->s[0] = l->s[e];
		k->body(l, &r);
		made_nan(l, &r);
		l->result |= pack(k, &r) << e * k->to.bits % 32;
	}
}
