// SPDX-License-Identifier: MIT
/* Words as people have them: what dumpers, drivers of Mesa and C sources print of the same three words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tool/shader_file.h"
#include "tool/words.h"

static const uint32_t wanted[] = { 0x000000a3, 0xf0003c60, 0x12345678 };

static const struct {
	const char *what, *text;
} forms[] = {
	{ "limn asm", "000000a3 f0003c60 12345678\n" },
	{ "0x, commas, comments", "0x000000a3, 0xF0003C60 # first two\n0x12345678,\n" },
	{ "short ones behind 0x", "0xa3, 0xf0003c60, 0x12345678" },
	{ "C", "static const uint32_t code[] = {\n\t0x000000a3u, 0xf0003c60u,\n\t0x12345678u, /* end */\n};\n" },
	{ "C, not all of it hexadecimal", "{\n\t163u, 0xf0003c60,\n\t0x12345678\n}\n" },
	{ "bytes of C, not all of it hexadecimal", "{ 0xa3, 0, 0, 0, 0x60,\n  0x3c,\n  0, 0xf0, 120, 0x56, 0x34, 0x12 }\n" },
	{ "bytes of C, as xxd -i", "unsigned char code[] = {\n  0xa3, 0x00, 0x00, 0x00, 0x60, 0x3c, 0x00, 0xf0,\n"
	  "  0x78, 0x56, 0x34, 0x12\n};\nunsigned int code_len = 12;\n" },
	{ "bytes", "a3 00 00 00  60 3c 00 f0  78 56 34 12\n" },
	{ "hexdump -C", "00000000  a3 00 00 00 60 3c 00 f0  78 56 34 12              |....`<..xV4.|\n0000000c\n" },
	{ "xxd", "00000000: a300 0000 603c 00f0 7856 3412            ....`<..xV4.\n" },
	{ "xxd -g 1", "00000000: a3 00 00 00 60 3c 00 f0 78 56 34 12  ....`<..xV4.\n" },
	{ "xxd -e", "00000000: 000000a3 f0003c60 12345678           ....`<..xV4.\n" },
	{ "hexdump", "0000000 00a3 0000 3c60 f000 5678 1234\n000000c\n" },
	{ "od -t x4", "0000000 000000a3 f0003c60 12345678\n0000014\n" },
	{ "od -t x1", "0000000 a3 00 00 00 60 3c 00 f0 78 56 34 12\n0000014\n" },
	/* Mesa lima/ir/pp/codegen.c, LIMA_DEBUG=pp */
	{ "lima, PP", "========ppir codegen========\n000 (@     0): 000000a3 f0003c60 12345678 \n"
	  "@     0: load.v $0 0, stop\n-----------------------\n" },
	/* Mesa lima/ir/gp/codegen.c, LIMA_DEBUG=gp: a line an instruction */
	{ "lima, GP", "========gpir codegen========\n000: 000000a3 f0003c60 12345678 \n" },
	/* Mesa etnaviv_disasm.c: the number, the words in brackets, the text */
	{ "etnaviv", "0 [000000a3 f0003c60 12345678] mov t1.xyz_, void, void, u0.xyzw\n" },
	{ "etnaviv of old", "0000: 000000a3 f0003c60 12345678  MOV t1, void, void, t0\n" },
	{ "an address in front", "0x00001000: 0x000000a3 0xf0003c60\n0x00001008: 0x12345678\n" },
	{ "one without a colon", "0x00001000 0x000000a3 0xf0003c60\n0x00001008 0x12345678\n" },
	{ "gdb, x/2xw", "0x7ffff000 <code>:\t0x000000a3\t0xf0003c60\n0x7ffff008 <code+8>:\t0x12345678\n" },
	{ "a C comment in front", "/* 0 */ 0x000000a3, 0xf0003c60,\n/* 8 */ 0x12345678, /* end */\n" },
	{ "a string of C", "\"\\xa3\\x00\\x00\\x00\\x60\\x3c\\x00\\xf0\"\n\"\\x78\\x56\\x34\\x12\"\n" },
	{ "gcc -S", "\t.long\t0xa3\n\t.long\t0xf0003c60, 0x12345678\n" },
	{ "xxd -p", "a3000000603c00f078\n563412\n" },
	{ "xxd -g 4", "00000000: a3000000 603c00f0 78563412           ....`<..xV4.\n" },
	{ "JSON", "[\"0x000000a3\", \"0xf0003c60\", \"0x12345678\"]\n" },
	{ "Python's list of bytes", "[163, 0, 0, 0, 96, 60, 0, 240, 120, 86, 52, 18]\n" },
};

static void all_forms(void **state)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct words w;

		if (!words_of_text(forms[i].text, strlen(forms[i].text), false, &w))
			fail_msg("%s: no words", forms[i].what);
		if (w.count != 3 || memcmp(w.list, wanted, sizeof(wanted)))
			fail_msg("%s: %zu words, the first %08x %08x", forms[i].what, w.count, w.list[0], w.count > 1 ? w.list[1] : 0);
		free(w.list);
	}
}

/* "*" of hexdump and od: as many lines as the offsets say, whatever their digits are. */
static void repeated(void **state)
{
	static const struct {
		const char *text;
		size_t count;
	} rows[] = {
		/* hexdump -C, od -A x, od, od -A d: 96 bytes, of which the second line is there four times */
		{ "00000000  61 00 00 00 62 00 00 00  63 00 00 00 64 00 00 00  |a...b...c...d...|\n"
		  "00000010  01 00 00 00 02 00 00 00  03 00 00 00 04 00 00 00  |................|\n*\n"
		  "00000050  61 00 00 00 62 00 00 00  63 00 00 00 64 00 00 00  |a...b...c...d...|\n00000060\n", 24 },
		{ "000000 00000061 00000062 00000063 00000064\n000010 00000001 00000002 00000003 00000004\n*\n"
		  "000050 00000061 00000062 00000063 00000064\n000060\n", 24 },
		{ "0000000 00000061 00000062 00000063 00000064\n0000020 00000001 00000002 00000003 00000004\n*\n"
		  "0000120 00000061 00000062 00000063 00000064\n0000140\n", 24 },
		{ "0000000 00000061 00000062 00000063 00000064\n0000016 00000001 00000002 00000003 00000004\n*\n"
		  "0000080 00000061 00000062 00000063 00000064\n0000096\n", 24 },
		/* Zeros to the end. */
		{ "0000000 0061 0000 0062 0000 0063 0000 0064 0000\n*\n0000040\n", 16 },
		{ "00000001 00000002\n*\n00000003 00000004\n", 0 },
		{ "0000000 00000061 00000062\n*\n", 0 },
		{ "00000000  00000061 00000062\n*\n08000000\n", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct words w;

		assert_true(words_of_text(rows[i].text, strlen(rows[i].text), false, &w));
		assert_int_equal(w.unclear, !rows[i].count);
		if (rows[i].count)
			assert_int_equal(w.count, rows[i].count);
		if (rows[i].count == 24)
			assert_true(w.list[4] == 1 && w.list[16] == 1 && w.list[19] == 4 && w.list[20] == 0x61);
		free(w.list);
	}
}

/* First words that look like offsets: two instructions of Vivante. */
static void no_offsets(void **state)
{
	static const char text[] = "00800009 00000000 00000000 00000008\n0080000c 00000000 00000000 00000008\n";
	struct words w;

	assert_true(words_of_text(text, sizeof(text) - 1, false, &w));
	assert_int_equal(w.count, 8);
	free(w.list);
}

/* Text of a language is no words, and what is cut loses its end alone. */
static void none(void **state)
{
	static const char *const texts[] = {
		"", "hello\n", "mov.a0 ^x a0.x\n", "add t1, t0, void, t0\n", "12\n", "face\n", "target 256 256\n", "add\nbe\n",
	};
	struct words w;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (words_of_text(texts[i], strlen(texts[i]), false, &w))
			fail_msg("words in '%s'", texts[i]);
	assert_true(words_of_bytes("\1\2\3\4\5\6", 6, &w));
	assert_int_equal(w.count, 1);
	assert_int_equal(w.left_out, 2);
	assert_int_equal(w.list[0], 0x04030201);
	free(w.list);
	/* printf("%#x") */
	assert_true(words_of_text("0xa3, 0, 0xf0003c60, 0\n", 23, false, &w));
	assert_int_equal(w.count, 4);
	assert_int_equal(w.list[2], 0xf0003c60);
	free(w.list);
	assert_true(words_of_text("0 0 1\nfrob\n", 11, true, &w));
	assert_int_equal(w.count, 3);
	assert_int_equal(w.line, 2);
	free(w.list);
}

/* 16 digits are two words, the low one first. */
static void wide(void **state)
{
	struct words w;

	assert_true(words_of_text("0xf0003c60000000a3", 18, false, &w));
	assert_int_equal(w.count, 2);
	assert_memory_equal(w.list, wanted, 8);
	free(w.list);
}

static void any_bytes(void **state)
{
	static const char letters[] = "0123456789abcdefx:,;# \n\t[](){}@g\xff\0zU*<>\\\"/";
	uint32_t x = 1;
	char text[64];

	for (unsigned int round = 0; round < 200000; round++) {
		struct words w;
		char *copy;
		size_t n;

		for (n = 0; n < sizeof(text); n++) {
			x = x * 1664525 + 1013904223;
			text[n] = letters[(x >> 16) % sizeof(letters)];
		}
		/* Exactly as long as it is, so that a sanitizer sees what reads beyond. */
		n = x >> 24 & 63;
		copy = malloc(n + !n);
		memcpy(copy, text, n);
		if (words_of_text(copy, n, x & 1, &w))
			free(w.list);
		is_text(copy, n);
		free(copy);
	}
}

static void names(void **state)
{
	static const struct {
		const char *name, *path, *isa;
	} rows[] = {
		{ "UTGARD-GP", "x", "utgard-gp" }, { "gp", "x", "utgard-gp" }, { "GC2000", "x", "vivante" },
		{ "gc7000l", "x", "vivante" }, { "etnaviv", "x", "vivante" }, { "mali-t860", "x", "midgard" },
		{ "T760", "x", "midgard" }, { "mali-G52", "x", "bifrost" }, { "g72", "x", "bifrost" },
		{ "lima", "x.pp", "utgard-pp" }, { "mali-400", "x.gp", "utgard-gp" }, { NULL, "x.gp", "utgard-gp" },
		{ NULL, "x.PP", "utgard-pp" }, { NULL, "x.viv", "vivante" }, { NULL, "x.midgard", "midgard" },
		{ "lima", "x.bin", NULL }, { NULL, "x.bin", NULL }, { "g", "x", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct isa *isa = shader_isa(rows[i].name, rows[i].path);

		if (!rows[i].isa)
			assert_null(isa);
		else if (!isa || strcmp(limn_isa_name(isa), rows[i].isa))
			fail_msg("%s, %s: %s", rows[i].name, rows[i].path, isa ? limn_isa_name(isa) : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_forms), cmocka_unit_test(repeated), cmocka_unit_test(no_offsets), cmocka_unit_test(none), cmocka_unit_test(wide), cmocka_unit_test(any_bytes),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
