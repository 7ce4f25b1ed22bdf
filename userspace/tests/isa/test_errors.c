// SPDX-License-Identifier: MIT
/* What the assemblers say to bad text, and the checkers to bad shaders. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/isa.h"
#include "tests/isa/random.h"

struct bad {
	const char *text;
	unsigned int line, column;
	const char *says;
};

static const struct bad gp[] = {
	{ "frob.a0 ^x a0.x", 1, 1, "unknown instruction 'frob.a0'" },
	{ "add.a2 ^x a0.x a0.y", 1, 1, "unknown instruction 'add.a2'" },
	{ "add.a0", 1, 7, "result's name" },
	{ "add.a0 x a0.x a0.y", 1, 8, "result's name" },
	{ "add.a0 ^x a0.x", 1, 15, "operand is missing" },
	{ "add.a0 ^x a0.x a0.y a0.z", 1, 21, "too many operands" },
	{ "add.a0 ^x a16.x a0.y", 1, 12, "16 is out of range" },
	{ "add.a0 ^x a0.q a0.y", 1, 14, "one of x, y, z, w" },
	{ "add.a0 ^x a0 a0.y", 1, 13, "one component" },
	{ "add.a0 ^x $16.x $0.y", 1, 12, "16 is out of range" },
	{ "add.a0 ^x t[512].x $0.y", 1, 13, "512 is out of range" },
	{ "add.a0 ^x t[99999999999999].x $0.y", 1, 13, "99999999999999 is out of range: 0 to 511" },
	{ "add.a0 ^x t[0x123456789abc].x $0.y", 1, 13, "20015998343868 is out of range: 0 to 511" },
	{ "add.a0 ^x t[-0x123456789abcdef012345].x $0.y", 1, 13, "-0x123456789abcdef012345 is out of range: 0 to 511" },
	{ "add.a0 ^x t[0x" "0000000000000000000000000000000000000000000000000000000000000000000000" "200].x $0.y", 1, 13,
	  "512 is out of range: 0 to 511" },
	{ "add.a0 ^x t[1+addr0].x $0.y", 1, 19, "out of range" },
	{ "add.a0 ^x t[1.x $0.y", 1, 14, "expected ']'" },
	{ "add.a0 ^x t[1].x t[2].y", 1, 18, "second one" },
	{ "add.a0 ^x a0.x a1.y", 1, 16, "second one" },
	{ "add.a0 ^x $1.x $2.y, mov.p ^y $3.x", 1, 31, "second one" },
	{ "add.a0 ^x 1 a0.x", 1, 11, "only constants" },
	{ "mul.m0 ^x -a0.x a0.y", 1, 11, "cannot be negated" },
	{ "add.a0 ^x a0.x 0\nmax.a1 ^y a0.x a0.y", 2, 1, "share one opcode" },
	{ "add.a0 ^x a0.x 0\nadd.a0 ^y a0.x a0.y", 2, 1, "used already" },
	{ "mul.m0 ^x a0.x a0.x\ncomplex1.m01 ^y a0.x a0.x a0.x a0.x", 2, 1, "used already" },
	{ "add.a0 ^x ^y a0.y", 1, 11, "no instruction before" },
	{ "add.a0 ^x a0.x 0\nmov.p ^y ^x", 2, 10, "0 instructions old" },
	{ "mov.c ^x a0.x\n\nnop\n\nmov.p ^y ^x", 5, 10, "complex result can be read 1 later" },
	{ "mov.p ^x a0.x\n\nnop\n\nnop\n\nmov.p ^y ^x", 7, 10, "3 instructions old" },
	{ "mov.c ^x a0.x\n\nadd.a0 ^y a0.x ^x", 3, 16, "cannot be the second operand" },
	{ "mov.p ^y/v16.x a0.x", 1, 11, "out of range" },
	{ "mov.p ^y/q0.x a0.x", 1, 10, "place to store to" },
	{ "mov.p ^y/addr1 a0.x", 1, 10, "place to store to" },
	{ "mov.p ^y/v0.x a0.x, mov.c ^z/v1.y a0.x", 1, 30, "second one" },
	{ "mov.p ^y/v0.x a0.x, mov.c ^z/v0.x a0.x", 1, 33, "from another unit" },
	{ "clamp.p ^y a0.x t[1].y t[1].x", 1, 17, "lower limit" },
	{ "mov.p ^y a0.x, branch ^z 3", 1, 23, "unit p of the same instruction" },
	{ "mov.p ^y a0.x, branch ^y nowhere", 1, 26, "no such label" },
	{ "mov.p ^y a0.x, branch ^y 512", 1, 26, "no such label" },
	{ "here: nop\nhere: nop", 2, 1, "there already" },
	{ "set frobs 1", 1, 5, "no field 'frobs'" },
	{ "set acc_op 8", 1, 12, "8 is out of range" },
	{ "set acc_op 1 2", 1, 14, "junk" },
	{ ".word 1 2 3 4 5", 1, 15, "at most four" },
	{ ".word", 1, 6, "expected a word" },
	{ ".word 1\nnop", 2, 1, "only be the last" },
	{ "!", 1, 1, "unknown instruction" },
};

static const struct bad pp[] = {
	{ "frob $0", 1, 1, "unknown instruction 'frob'" },
	{ "mov.v7 $0 $1", 1, 1, "unknown instruction 'mov.v7'" },
	{ "load.v $0 0, frob, stop", 1, 14, "unknown instruction 'frob'" },
	{ "load.v $16 0", 1, 9, "16 is out of range" },
	{ "load.v $0 64", 1, 11, "64 is out of range" },
	{ "load.v $0 0.xz", 1, 15, "one component" },
	{ "load.v $0.yx 0", 1, 11, "in the order" },
	{ "load.v 0", 1, 8, "register to write" },
	{ "mov.v1 $0 $12", 1, 12, "12 is out of range" },
	{ "mov.v1 $0 ^frob", 1, 11, "expected ^const0" },
	{ "mov.v1 $0 $1.xyz", 1, 14, "a swizzle has" },
	{ "mov.v1 $0 abs($1", 1, 17, "expected ')'" },
	{ "mov.v1 $0 ^v0 $1", 1, 15, "too many operands" },
	{ "add.v1 $0 $1 ^v0", 1, 14, "first operand of an adder" },
	{ "mul.v0 $0 ^v0 $1", 1, 11, "first operand of an adder" },
	{ "mov.s1 $0 $1.x", 1, 10, "one component" },
	{ "mov.s1 $0.xy $1.x", 1, 10, "one component" },
	{ "mul.v0 $0 $1<<8 $2", 1, 15, "8 is out of range" },
	{ "add.v1 $0 $1", 1, 13, "operand is missing" },
	{ "mov.v1 $0 $1, mov.v1 $2 $3", 1, 15, "has a vector add already" },
	{ "const0 1 2 3", 1, 13, "number 4 is missing" },
	{ "const0 1 2 3 1e9", 1, 14, "does not fit fp16" },
	{ "const0 1 2 3 0x12345", 1, 14, "does not fit fp16" },
	{ "const0 1 2 3 four", 1, 14, "expected a number" },
	{ "texld 4096, load.v ^discard 0", 1, 7, "4096 is out of range" },
	{ "branch.eq $0.x $1.x", 1, 20, "label" },
	{ "branch nowhere", 1, 8, "no such label" },
	{ "a: nop\na: stop", 2, 1, "there already" },
	{ "branch end\nend:", 1, 8, "no instruction behind" },
	{ "branch.eq -$0.x $1.x 0", 1, 11, "cannot be negated" },
	{ "load.u 40000", 1, 8, "40000 is out of range" },
	{ "load.u 20000.x", 1, 8, "does not fit" },
	{ "store.t 0 $0.x", 1, 13, "junk" },
	{ "store.t 0.x $0", 1, 15, "one component" },
	{ "nop, set uniform.index 3", 1, 10, "does not have so far" },
	{ "load.u 0, set uniform.index 0x10000", 1, 29, "out of range" },
	{ "load.v $0 0, set varying.frob 1", 1, 18, "no field 'varying.frob'" },
};

static void check_bad(const char *name, const struct bad *bad, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct isa_messages m;
		uint32_t *words;
		size_t n;
		int err = limn_isa_asm(limn_isa_find(name), bad[i].text, strlen(bad[i].text), &words, &n, &m);
		const struct isa_message *e = m.list;

		if (err != -EINVAL || !m.count)
			fail_msg("%s: \"%s\" was taken", name, bad[i].text);
		if (e->line != bad[i].line || e->column != bad[i].column || !strstr(e->text, bad[i].says))
			fail_msg("%s: \"%s\": got %u:%u: %s; want %u:%u: %s", name, bad[i].text, e->line, e->column,
				 e->text, bad[i].line, bad[i].column, bad[i].says);
		assert_null(words);
		limn_isa_messages_free(&m);
	}
}

static void test_bad_text(void **state)
{
	check_bad("utgard-gp", gp, sizeof(gp) / sizeof(gp[0]));
	check_bad("utgard-pp", pp, sizeof(pp) / sizeof(pp[0]));
}

static void test_all_errors_in_one_run(void **state)
{
	static const char text[] = "load.v $0 99, frob\n\nmov.v1 $0 $1\nmov.v9 $0 $1, stop, branch nowhere\n";
	static const unsigned int places[][2] = { { 1, 11 }, { 1, 15 }, { 4, 1 }, { 4, 28 } };
	struct isa_messages m;
	uint32_t *words;
	size_t n;

	assert_int_equal(limn_isa_asm(limn_isa_find("utgard-pp"), text, strlen(text), &words, &n, &m), -EINVAL);
	assert_int_equal(m.count, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(m.list[i].line, places[i][0]);
		assert_int_equal(m.list[i].column, places[i][1]);
	}
	limn_isa_messages_free(&m);
}

static void test_empty(void **state)
{
	static const char *const nothing[] = { "", "\n\n", "# comment\n// other\n", "   \t \r\n" };

	for (int i = 0; i < 4; i++) {
		for (unsigned int k = 0; limn_isa_at(k); k++) {
			struct isa_messages m;
			uint32_t *words;
			size_t n;

			assert_int_equal(limn_isa_asm(limn_isa_at(k), nothing[i], strlen(nothing[i]), &words, &n, &m), 0);
			assert_int_equal(n, 0);
			free(words);
		}
	}
}

/* Any bytes at all: an error or words, never a crash (run under ASan by hand). */
static void test_noise(void **state)
{
	static const char *const bits[] = {
		"mov", ".a0", ".v1", " ", "^", "x", "$0", ".x", "t[", "0", "]", "-", ",", "\n", "abs(", ")", ":", "@",
		"const0 ", "set ", ".word ", "branch", "load.v ", "/v0", "\t", "#", "+", "<<", "9999999999", "0x", "\0\xff",
	};
	char text[256];

	random_seed();
	for (int i = 0; i < 20000; i++) {
		size_t n = 0;

		while (n < sizeof(text) - 16 && random_word() % 24) {
			const char *b = bits[random_word() % (sizeof(bits) / sizeof(bits[0]))];
			size_t l = *b ? strlen(b) : 2;

			memcpy(text + n, b, l);
			n += l;
		}
		for (unsigned int k = 0; limn_isa_at(k); k++) {
			struct isa_messages m;
			uint32_t *words;
			size_t count;
			int err = limn_isa_asm(limn_isa_at(k), text, n, &words, &count, &m);

			assert_true(err ? m.errors > 0 && !words : !m.errors);
			for (size_t j = 0; j < m.count; j++)
				assert_true(m.list[j].line >= 1 && m.list[j].column >= 1);
			limn_isa_messages_free(&m);
			free(words);
		}
	}
}

struct rule {
	const char *text, *rule;
	unsigned int at, other;		/* in instructions for GP, words for PP */
};

static const struct rule gp_rules[] = {
	{ "mov.a0 ^x/$1.x a0.x\n\nmov.a0 ^y $1.x", "register-latency", 1, 0 },
	{ "mov.a0 ^x/$1.w a0.x\n\nnop\n\nmov.a0 ^y $1.w:0", "register-latency", 2, 0 },
	{ "mov.a0 ^x/$1.x a0.x\n\nnop\n\nnop\n\nmov.a0 ^y $1.x", NULL, 0, 0 },
	{ "mov.a0 ^x/$1.x a0.x\n\nmov.a0 ^y $1.y", "register-unwritten", 1, 1 },
	{ "mov.a0 ^x/v1.x a0.x\n\nmov.a0 ^y $1.x", "register-unwritten", 1, 1 },
	{ "mov.c ^x/addr2 a0.x\n\nnop\n\nnop\n\nmov.a0 ^y t[0+addr2].x", "address-latency", 3, 0 },
	{ "mov.c ^x/addr2 a0.x\n\nnop\n\nnop\n\nnop\n\nmov.a0 ^y t[0+addr2].x", NULL, 0, 0 },
	{ "mov.c ^x/addr1 a0.x\n\nmov.a0 ^y t[0+addr2].x", NULL, 0, 0 },
	{ "mov.a0 ^x/t[addr0].x a0.x\n\nmov.a0 ^y t[0].x", "temporary-latency", 1, 0 },
	{ "complex1.m01 ^x a0.x a0.x a0.x a0.x\n\nmov.a0 ^y ^x", "complex1-latency", 1, 0 },
	{ "complex1.m01 ^x a0.x a0.x a0.x a0.x\n\nnop\n\nmov.a0 ^y ^x", NULL, 0, 0 },
	{ "complex1.m01 ^x/v0.x a0.x a0.x a0.x a0.x", "complex1-latency", 0, 0 },
	{ "mov.a0 ^0 a0.x\n\nmov.a0 ^6 ^1", "result-of-idle-unit", 1, 0 },
	{ "mov.a0 ^0 ^-6", "result-before-start", 0, 0 },
	{ "nop, set store0_src_x 0", "store-of-idle-unit", 0, 0 },
	{ "mov.a0 ^0 a0.x, set store0_src_x 5", "unknown-code", 0, 0 },
	{ "mov.a0 ^0 unknown1", "unknown-code", 0, 0 },
	{ "unk7.p ^0 a0.x", "unknown-code", 0, 0 },
	{ "unknown6.m01 ^0 a0.x a0.x a0.x a0.x", "unknown-code", 0, 0 },
	{ "op3.a0 ^0 a0.x a0.x", "unknown-code", 0, 0 },
	{ "mov.p ^4 a0.x, branch ^4 7", "branch-target", 0, 0 },
	{ "branch ^4 0", "branch-condition", 0, 0 },
	{ "nop, set branch 1", "half-branch", 0, 0 },
	{ "", "length", 0, 0 },
	{ "nop\n\n.word 1 2", "length", 1, 1 },
	{ "mov.a0 ^a a0.x, mov.m0 ^b a0.y\n\nadd.a0 ^c/v0.x ^a ^b", NULL, 0, 0 },
};

#define LOADED	"load.v $0 0\nload.v $1 0\nload.v $2 0\n"

static const struct rule pp_rules[] = {
	{ "load.v $0 0, stop", NULL, 0, 0 },
	{ "mov.v1 $0 ^const0, stop", "pipeline-register", 0, 0 },
	{ "mov.v1 $0 ^const0, const0 0 0 0 0, stop", NULL, 0, 0 },
	{ "mov.v1 $0 ^texture, stop", "pipeline-register", 0, 0 },
	{ "mov.v1 $0 ^uniform, stop", "pipeline-register", 0, 0 },
	{ "add.v1 $0 ^v0 $1, stop", "pipeline-register", 0, 0 },
	{ "add.s1 $0.x ^s0 $1.x, stop", "pipeline-register", 0, 0 },
	{ "sel.v1 $0 $1 $2, stop", "pipeline-register", 0, 0 },
	{ "load.v $0 $1, load.u 0+^uniform.x, stop", "pipeline-order", 0, 0 },
	{ "texld 0, sync, stop", "texture-coordinates", 0, 0 },
	{ "load.v ^discard 0, texld 0, mov.v1 $0 ^texture, stop", "sync", 0, 0 },
	{ "dFdx.v1 $0 $1 -$1, stop", "sync", 0, 0 },
	{ "mov.v1 $12 $0, stop", "register", 0, 0 },
	{ "mov.v1 $0 $9, stop", "register", 0, 0 },
	{ "load.v $0 0", "no-end", 0, 0 },
	{ "load.v $0 0\nstop, mov.v1 $0 $0, set ctrl.count 9", "length", 3, 3 },
	{ "load.v $0 0\nstop, mov.v1 $0 $0, set ctrl.count 2", "length", 3, 3 },
	{ "load.v $0 0, set ctrl.next_count 1\nstop, mov.v1 $0 $0", "next-length", 0, 3 },
	{ "load.v $0 0, set ctrl.prefetch 0\nstop, mov.v1 $0 $0", "prefetch", 0, 3 },
	{ "branch 1\nstop, mov.v1 $0 $0", "branch-target", 0, 0 },
	{ "branch 4, set branch.next_count 1\nstop, mov.v1 $0 $0", "branch-length", 0, 4 },
	{ "branch 4\nload.v $0 0, stop", NULL, 0, 0 },
	{ "branch 4\nstop, mov.v1 $0 $0", "register-unwritten", 4, 4 },
	{ "op20.v0 $0 $1 $2, stop", "unknown-code", 0, 0 },
	{ "load.v $0 0, set varying.unknown_1 3, stop", "unknown-field", 0, 0 },
	{ "discard", NULL, 0, 0 },
	{ "mul.v0 $0 $1, stop", "result-unused", 0, 0 },
	{ "mul.s0 $0.x $1.x, stop", "result-unused", 0, 0 },
	{ LOADED "mul.s0 $0.x $1.x, sel.v1 $0 $1 $2, stop", NULL, 0, 0 },
	{ LOADED "mul.v0 $0 $1, add.v1 $0 ^v0 $2, stop", NULL, 0, 0 },
	{ "", "length", 0, 0 },
};

static const struct bad vivante[] = {
	{ "frob t0, void, void, void", 1, 1, "unknown instruction 'frob'" },
	{ "add.frob t0, t1, void, t2", 1, 4, "unknown modifier '.frob'" },
	{ "add t0, t1, void", 1, 17, "expected ','" },
	{ "add t0, t1, void, t2, t3", 1, 23, "too many operands" },
	{ "add t128, t1, void, t2", 1, 6, "128 is out of range" },
	{ "add t0.xx, t1, void, t2", 1, 9, "expected ','" },
	{ "add t0, t1.xyz, void, t2", 1, 12, "one or four of x, y, z, w" },
	{ "add t0, t1[a.q], void, t2", 1, 12, "expected" },
	{ "add t0, |t1.xyzw, void, t2", 1, 17, "expected '|'" },
	{ "add t0, 1048576, void, t2", 1, 9, "does not fit the 20 bits" },
	{ "add t0, frob, void, t2", 1, 9, "expected a source" },
	{ "texld t0, tex32.xyzw, t1, void, void", 1, 14, "32 is out of range" },
	{ "branch void, t0, t1, nowhere", 1, 22, "no such label" },
	{ ".word 1 2 3 4 5", 1, 15, "more words than" },
};

static const struct rule viv_rules[] = {
	{ "mad t3, t0, u1, u2", "one-uniform", 0, 0 },
	{ "mad t3, t0, u1, u1.xxxx", NULL, 0, 0 },
	{ "mad t3, u1, u1[a.x], t0", "one-uniform", 0, 0 },
	{ "add t3, t0, t1, t2", "operand", 0, 0 },
	{ "sin t3, void, void, t3", "sine-in-place", 0, 0 },
	{ "sin t3, void, void, t2", NULL, 0, 0 },
	{ "branch void, void, void, 9", "branch-target", 0, 0 },
	{ "op127 t0, void, void, void", "unknown-code", 0, 0 },
	{ "set.cond30 t0, t1, t2, void", "unknown-code", 0, 0 },
	{ "nop void, void, void, void\n.word 1", "length", 1, 1 },
};

/* The first finding is the rule's, at its place; NULL: there is none. */
static void check_rules(const char *name, const struct rule *rules, size_t count, unsigned int unit)
{
	for (size_t i = 0; i < count; i++) {
		const struct isa *isa = limn_isa_find(name);
		struct isa_messages m;
		uint32_t *words;
		size_t n;

		if (limn_isa_asm(isa, rules[i].text, strlen(rules[i].text), &words, &n, &m))
			fail_msg("%s: \"%s\": %s", name, rules[i].text, m.list[0].text);
		assert_int_equal(limn_isa_check(isa, words, n, &m), 0);
		if (!rules[i].rule) {
			if (m.count)
				fail_msg("%s: \"%s\": false alarm %s", name, rules[i].text, m.list[0].text);
		} else if (!m.count || strcmp(m.list[0].rule, rules[i].rule) ||
			   m.list[0].at / unit != rules[i].at || m.list[0].other / unit != rules[i].other) {
			fail_msg("%s: \"%s\": got %s at %u, other %u", name, rules[i].text,
				 m.count ? m.list[0].rule : "nothing", m.count ? m.list[0].at / unit : 0,
				 m.count ? m.list[0].other / unit : 0);
		}
		limn_isa_messages_free(&m);
		free(words);
	}
}

static void test_rules(void **state)
{
	check_rules("utgard-gp", gp_rules, sizeof(gp_rules) / sizeof(gp_rules[0]), 4);
	check_rules("utgard-pp", pp_rules, sizeof(pp_rules) / sizeof(pp_rules[0]), 1);
}

static void test_vivante(void **state)
{
	check_bad("vivante", vivante, sizeof(vivante) / sizeof(vivante[0]));
	check_rules("vivante", viv_rules, sizeof(viv_rules) / sizeof(viv_rules[0]), 4);
}

static void test_check_noise(void **state)
{
	random_seed();
	for (int i = 0; i < 5000; i++) {
		uint32_t words[64];
		unsigned int n = random_word() % 65;

		for (unsigned int k = 0; k < n; k++)
			words[k] = random_word();
		for (unsigned int k = 0; limn_isa_at(k); k++) {
			struct isa_messages m;

			assert_int_equal(limn_isa_check(limn_isa_at(k), words, n, &m), 0);
			limn_isa_messages_free(&m);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_text),
		cmocka_unit_test(test_all_errors_in_one_run),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_vivante),
		cmocka_unit_test(test_check_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
