// SPDX-License-Identifier: MIT
/*
 * asm(disasm(x)) is x: for random words of every shape, for the examples, and
 * for the shaders in the folder that LIMN_SHADERS names (its gp/ and pp/),
 * where the checker must find nothing either.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "isa/bifrost.h"
#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "tests/isa/random.h"

/* Random words of each set: 100,000 instructions of four; LIMN_ROUNDTRIP says another number. */
static unsigned long wanted(void)
{
	const char *s = getenv("LIMN_ROUNDTRIP");

	return s ? strtoul(s, NULL, 0) : 400000;
}

static char *round_trip(const struct isa *isa, const uint32_t *words, size_t count, const char *what)
{
	char *text = limn_isa_disasm(isa, words, count);
	struct isa_messages m;
	uint32_t *again;
	size_t n;
	int err;

	if (!text)
		fail_msg("%s: no text", what);
	err = limn_isa_asm(isa, text, strlen(text), &again, &n, &m);
	for (size_t i = 0; i < m.count && i < 5; i++)
		print_error("%u:%u: %s\n", m.list[i].line, m.list[i].column, m.list[i].text);
	if (err)
		fail_msg("%s: the disassembler's own text does not assemble", what);
	if (n != count || (count && memcmp(again, words, count * 4))) {
		for (size_t i = 0; i < n && i < count; i++)
			if (again[i] != words[i])
				print_error("word %zu: %08x became %08x\n", i, words[i], again[i]);
		fail_msg("%s: %zu words became %zu others", what, count, n);
	}
	limn_isa_messages_free(&m);
	free(again);
	return text;
}

static void test_gp_random(void **state)
{
	static uint32_t words[512 * 4 + 3];

	random_seed();
	for (unsigned long done = 0; done < wanted();) {
		size_t n = 1 + random_word() % (sizeof(words) / 4);

		/* Bits that are all random are rarely a branch or a nop: thin some out. */
		for (size_t i = 0; i < n; i++)
			words[i] = random_word() & (random_word() % 4 ? ~0u : random_word());
		for (size_t i = 3; i < n; i += 4)
			if (random_word() % 4 == 0)
				words[i] = (words[i] & ~0x00f00000u) | 13u << 20;
		free(round_trip(&isa_utgard_gp, words, n, "random GP"));
		done += n;
	}
}

/* Plausible control words, so that the fields behind them are seen as such. */
static size_t random_pp(uint32_t *words, size_t max)
{
	size_t at = 0;

	while (at + 32 < max && random_word() % 64) {
		uint32_t ctrl = random_word();

		ctrl &= random_word() % 2 ? ~0u : ~(random_word() << 7);
		if (random_word() % 32)
			ctrl = (ctrl & ~31u) | pp_size(ctrl);
		words[at++] = ctrl;
		for (unsigned int i = 1; i < pp_size(ctrl); i++)
			words[at++] = random_word() & (random_word() % 4 ? ~0u : random_word());
	}
	return at;
}

static void test_pp_random(void **state)
{
	static uint32_t words[4096];
	unsigned long done = 0;

	random_seed();
	while (done < wanted()) {
		size_t n = random_pp(words, sizeof(words) / 4);
		free(round_trip(&isa_utgard_pp, words, n, "random PP"));
		done += n;
	}
	for (int i = 0; i < 2000; i++) {
		for (int k = 0; k < 64; k++)
			words[k] = random_word();
		free(round_trip(&isa_utgard_pp, words, random_word() % 65, "noise PP"));
	}
}

/* Fixed-size words: all random, and with the opcode alone set for every op. */
static void test_vivante(void **state)
{
	static uint32_t words[512 * 4 + 3];

	random_seed();
	for (unsigned long done = 0; done < wanted();) {
		size_t n = random_word() % (sizeof(words) / 4);

		for (size_t i = 0; i < n; i++)
			words[i] = random_word() & (random_word() % 4 ? ~0u : random_word());
		free(round_trip(&isa_vivante, words, n, "random Vivante"));
		done += n;
	}
	for (uint32_t opcode = 0; opcode < 128; opcode++) {
		uint32_t in[4] = { opcode & 63, 0, opcode >> 6 << 16, 0 };

		free(round_trip(&isa_vivante, in, 4, "Vivante opcode"));
	}
}

/* Words that begin like bundles: a tag, and for ALU bundles units and no padding at times. */
static void test_midgard(void **state)
{
	static uint32_t words[4096];

	random_seed();
	for (unsigned long done = 0; done < wanted();) {
		size_t n = random_word() % (sizeof(words) / 4);

		for (size_t i = 0; i < n; i++) {
			words[i] = random_word() & (random_word() % 4 ? ~0u : random_word());
			if (i % 4 == 0 && random_word() % 4)
				words[i] &= ~(1u << (17 + random_word() % 11));
		}
		free(round_trip(&isa_midgard, words, n, "random Midgard"));
		done += n;
	}
}

/* Few instructions many times over, so that both directions take them from their memos. */
static void test_repeated(void **state)
{
	static uint32_t pool[32][32], words[32 * 400];
	unsigned int sizes[32];

	random_seed();
	for (unsigned int round = 0; round < 100; round++) {
		for (unsigned int k = 0; limn_isa_at(k); k++) {
			bool pp = limn_isa_at(k) == &isa_utgard_pp;
			size_t n = 0;

			for (unsigned int i = 0; i < 32; i++) {
				for (unsigned int w = 0; w < 32; w++)
					pool[i][w] = random_word() & (random_word() % 4 ? ~0u : random_word());
				pool[i][0] = pp ? (pool[i][0] & ~31u) | pp_size(pool[i][0]) : pool[i][0];
				sizes[i] = pp ? pp_size(pool[i][0]) : 4;
			}
			for (unsigned int i = 0; i < 300; i++) {
				unsigned int which = random_word() % (1 + round % 32);

				memcpy(words + n, pool[which], sizes[which] * 4);
				n += sizes[which];
			}
			free(round_trip(limn_isa_at(k), words, n, "repeated"));
		}
	}
}

/* Clauses, most of whose instructions are those of a row. */
static struct bifrost_clause random_clause(void)
{
	struct bifrost_clause c = { .tuple_count = 1 + random_word() % BIFROST_TUPLES };

	c.header = ((uint64_t)random_word() << 32 | random_word()) >> 19;
	c.modifier = c.tuple_count == 3 || c.tuple_count == 6 ? random_word() & 0x7fff : 0;
	c.constant_count = bf_embedded(c.tuple_count) + 2 * (random_word() % 2);
	for (unsigned int i = 0; i < c.constant_count; i++)
		c.constants[i] = ((uint64_t)random_word() << 32 | random_word()) >> 4;
	for (unsigned int i = 0; i < 2 * c.tuple_count; i++) {
		uint32_t bits = random_word();
		const struct isa_op *op;

		do
			op = &isa_bifrost.ops[random_word() % isa_bifrost.op_count];
		while (op->unit != i % 2);
		if (random_word() % 8)
			bits = (bits & ~bf_row(op)->mask) | bf_row(op)->exact;
		if (i % 2)
			c.tuples[i / 2].add = bits & 0xfffff;
		else
			c.tuples[i / 2].fma = bits & 0x7fffff;
		c.tuples[i / 2].registers = ((uint64_t)random_word() << 32 | random_word()) >> 29;
	}
	return c;
}

static void test_bifrost(void **state)
{
	static uint32_t words[16 * BIFROST_CLAUSE_WORDS + 8];

	random_seed();
	for (unsigned long done = 0; done < wanted();) {
		size_t n = 0;

		for (unsigned int i = 0; i < 16; i++) {
			struct bifrost_clause c = random_clause();

			n += limn_isa_bifrost_clause_write(&c, words + n);
			if (random_word() % 16 == 0)
				words[random_word() % n] = random_word();
		}
		for (unsigned int i = random_word() % 8; i; i--)
			words[n++] = random_word();
		free(round_trip(&isa_bifrost, words, n, "random Bifrost"));
		done += n;
	}
}

/*
 * Mesa's own vectors, bits and text, read where LIMN_MESA says that its source
 * is. Differences allowed: "set" behind ours, "dontcare" behind theirs.
 */
static void test_mesa_vivante(void **state)
{
	const char *mesa = getenv("LIMN_MESA");
	unsigned int count = 0;
	char path[512], line[1024];
	FILE *f;

	if (!mesa) {
		print_message("LIMN_MESA names no Mesa source: skipped\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/src/etnaviv/isa/tests/disasm.cpp", mesa);
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: not there", path);
	while (fgets(line, sizeof(line), f)) {
		char *p = strstr(line, "disasm_state{ {0x"), *end, *text;
		uint32_t words[4];

		if (!p || sscanf(p, "disasm_state{ {%x, %x, %x, %x}", &words[0], &words[1], &words[2], &words[3]) != 4)
			continue;
		p = strchr(p, '"') + 1;
		end = strstr(p, "\\t;") ? strstr(p, "\\t;") : strstr(p, "\\n\"");
		assert_non_null(end);
		*end = 0;
		text = round_trip(&isa_vivante, words, 4, p);
		if (strncmp(text, p, strlen(p)) || (text[strlen(p)] != '\n' && strncmp(text + strlen(p), ", set ", 6)))
			fail_msg("Mesa: %s\nours: %s", p, text);
		free(text);
		count++;
	}
	fclose(f);
	assert_true(count > 100);
	printf("# %u of Mesa's vectors\n", count);
}

static void corpus(const struct isa *isa, const char *folder)
{
	static uint32_t words[65536];
	DIR *dir = opendir(folder);
	unsigned int shaders = 0;
	struct dirent *d;

	if (!dir)
		fail_msg("%s: no such folder", folder);
	while ((d = readdir(dir))) {
		char path[512];
		struct isa_messages m;
		size_t n;
		FILE *f;

		if (!strstr(d->d_name, ".bin"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
		f = fopen(path, "rb");
		assert_non_null(f);
		n = fread(words, 4, 65536, f);
		fclose(f);
		free(round_trip(isa, words, n, path));
		assert_int_equal(limn_isa_check(isa, words, n, &m), 0);
		for (size_t i = 0; i < m.count; i++)
			print_error("%s: %u: %s\n", path, m.list[i].at, m.list[i].text);
		assert_int_equal(m.count, 0);
		limn_isa_messages_free(&m);
		shaders++;
	}
	closedir(dir);
	printf("# %s: %u shaders\n", folder, shaders);
}

static void test_corpus(void **state)
{
	const char *folder = getenv("LIMN_SHADERS");
	char path[512];

	if (!folder) {
		print_message("LIMN_SHADERS names no folder of compiled shaders: skipped\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/gp", folder);
	corpus(&isa_utgard_gp, path);
	snprintf(path, sizeof(path), "%s/pp", folder);
	corpus(&isa_utgard_pp, path);
}

/* Text that people paste: Mesa's own, with its numbers and its unknown_1. */
static void test_mesa_dialect(void **state)
{
	static const char gp[] =
		"000:\tadd.a0 ^0 a0.x -t[1].y\n\tmov.m0 ^2/$3.x a0.y\n"
		"001:\tmov.p ^10 ^0\n\tbranch ^10 003\n\tunknown_1 13\n"
		"002:\tnop\n"
		"003:\tmov.a1 ^19/v1.x/v1.w $3.x\n";
	static const char pp[] =
		"@     0: load.perspective.w.v $0.xy 1.zw, mul.sat.v0 $1.xyz -abs($0.xxyz)<<1 ^const0, "
		"add.v1 $2 ^v0 $1.wwww, const0 1.000000 0.500000 -2.000000 0.000000\n"
		"@    10: texld.b.cube 3 $1.x, load.v ^discard.xyz cube($1)\n"
		"         branch.ne $0.x ^uniform.y 0, load.u 3\n"
		"         stop\n";
	const struct isa *isa[2] = { &isa_utgard_gp, &isa_utgard_pp };
	const char *text[2] = { gp, pp };

	for (int i = 0; i < 2; i++) {
		struct isa_messages m;
		uint32_t *words;
		size_t n;
		int err = limn_isa_asm(isa[i], text[i], strlen(text[i]), &words, &n, &m);

		for (size_t k = 0; k < m.count; k++)
			print_error("%u:%u: %s\n", m.list[k].line, m.list[k].column, m.list[k].text);
		assert_int_equal(err, 0);
		free(round_trip(isa[i], words, n, "pasted text"));
		limn_isa_messages_free(&m);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gp_random),
		cmocka_unit_test(test_pp_random),
		cmocka_unit_test(test_vivante),
		cmocka_unit_test(test_midgard),
		cmocka_unit_test(test_bifrost),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_mesa_vivante),
		cmocka_unit_test(test_corpus),
		cmocka_unit_test(test_mesa_dialect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
