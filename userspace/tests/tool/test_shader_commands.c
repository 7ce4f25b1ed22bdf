// SPDX-License-Identifier: MIT
/* limn asm, disasm, check, exec and isa: exit statuses and what they print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "isa/bifrost_clause.h"
#include "isa/isa.h"
#include "tool/cmd.h"

static char folder[] = "/tmp/limn-shader-XXXXXX";
static char printed[65536];

static char *path(const char *name)
{
	static char buf[4][64];
	static unsigned int next;
	char *p = buf[next++ % 4];

	snprintf(p, 64, "%s/%s", folder, name);
	return p;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(path(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void get(const char *name)
{
	FILE *f = fopen(path(name), "r");
	size_t n;

	assert_non_null(f);
	n = fread(printed, 1, sizeof(printed) - 1, f);
	printed[n] = 0;
	fclose(f);
}

/* Runs a command with both outputs in printed. Arguments end with NULL. */
static int run(int (*cmd)(int argc, char **argv), const char *name, ...)
{
	char *argv[16] = { (char *)name };
	int argc = 1, out = dup(1), err = dup(2), status;
	va_list ap;

	va_start(ap, name);
	while ((argv[argc] = va_arg(ap, char *)))
		argc++;
	va_end(ap);
	fflush(NULL);
	assert_non_null(freopen(path("out"), "w", stdout));
	dup2(1, 2);
	status = cmd(argc, argv);
	fflush(NULL);
	dup2(out, 1);
	dup2(err, 2);
	close(out);
	close(err);
	get("out");
	return status;
}

static void has(const char *what)
{
	if (!strstr(printed, what))
		fail_msg("not there: \"%s\" in:\n%s", what, printed);
}

static void test_asm(void **state)
{
	put("good.pp", "load.v $0 0, stop\n");
	assert_int_equal(run(cmd_asm, "asm", path("good.pp"), NULL), 0);
	assert_string_equal(printed, "000000a3 f0003c60 00000000\n");
	assert_int_equal(run(cmd_asm, "asm", "-o", path("good.bin"), path("good.pp"), NULL), 0);
	assert_string_equal(printed, "");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", path("good.bin"), NULL), 0);
	assert_string_equal(printed, "@     0: load.v $0 0, stop\n");
	put("good.hex", "0x000000a3, f0003c60 # comment\n00000000\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", "--hex", path("good.hex"), NULL), 0);
	assert_string_equal(printed, "@     0: load.v $0 0, stop\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", "--json", path("good.bin"), NULL), 0);
	assert_string_equal(printed, "{\"isa\": \"utgard-pp\", \"words\": 3, \"text\": \"@     0: load.v $0 0, stop\\u000a\"}\n");
}

static void test_errors(void **state)
{
	static char long_line[100000];
	char want[256];

	put("bad.pp", "load.v $0 0\n\tmov.v1 $0 $77, frob, stop\n");
	assert_int_equal(run(cmd_asm, "asm", path("bad.pp"), NULL), 1);
	snprintf(want, sizeof(want), "%s:2:13: 77 is out of range: 0 to 11\n  \tmov.v1 $0 $77, frob, stop\n  \t           ^\n",
		 path("bad.pp"));
	has(want);
	snprintf(want, sizeof(want), "%s:2:17: unknown instruction 'frob'\n", path("bad.pp"));
	has(want);
	assert_int_equal(run(cmd_asm, "asm", "--json", path("bad.pp"), NULL), 1);
	has("    \"line\": 2,\n    \"column\": 13,\n    \"severity\": \"error\",\n    \"message\": \"77 is out of range: 0 to 11\"\n");
	/* Good text: the list is there, and empty. Text that cannot be checked: its errors are the list. */
	assert_int_equal(run(cmd_asm, "asm", "--json", "-o", path("good.bin"), path("good.pp"), NULL), 0);
	assert_string_equal(printed, "[]\n");
	assert_int_equal(run(cmd_check, "check", "--json", path("bad.pp"), NULL), 1);
	has("    \"line\": 2,\n    \"column\": 13,\n");
	/* What moves the cursor, and the end of a line, is not shown; of long lines a part is. */
	put("odd.pp", "frob \33[2J\r\n");
	assert_int_equal(run(cmd_asm, "asm", path("odd.pp"), NULL), 1);
	has("\n  frob ?[2J\n  ^\n");
	memset(long_line, 'x', sizeof(long_line) - 1);
	put("long.pp", long_line);
	assert_int_equal(run(cmd_asm, "asm", path("long.pp"), NULL), 1);
	assert_true(strlen(printed) < 500);
	assert_int_equal(run(cmd_asm, "asm", path("nowhere.pp"), NULL), 1);
	has("nowhere.pp: No such file or directory");
	assert_int_equal(run(cmd_asm, "asm", "-i", "z80", path("good.pp"), NULL), 2);
	has("no instruction set 'z80'; there are: utgard-gp utgard-pp vivante");
	assert_int_equal(run(cmd_asm, "asm", path("good.hex"), NULL), 2);
	has("which instruction set");
	assert_int_equal(run(cmd_asm, "asm", NULL), 2);
	has("usage:");
	assert_int_equal(run(cmd_asm, "asm", "--frob", NULL), 2);
	has("unexpected '--frob'");
	put("odd.bin", "12345");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", path("odd.bin"), NULL), 1);
	has("5 bytes are no whole number of 32-bit words");
	put("bad.hex", "00112233\nxyz\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", "--hex", path("bad.hex"), NULL), 1);
	has("bad.hex:2: expected words");
	assert_int_equal(run(cmd_asm, "asm", "-o", "/nowhere/at/all", path("good.pp"), NULL), 1);
	has("/nowhere/at/all: No such file or directory");
}

static void test_mbs(void **state)
{
	FILE *f;

	assert_int_equal(run(cmd_asm, "asm", "--mbs", "-o", path("good.mbs"), path("good.pp"), NULL), 0);
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", path("good.mbs"), NULL), 0);
	assert_string_equal(printed, "@     0: load.v $0 0, stop\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", path("good.mbs"), NULL), 1);
	has("MBS1 container: it has no code for this instruction set");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "midgard", path("good.mbs"), NULL), 1);
	has("MBS1 container: these hold Utgard shaders only");
	assert_int_equal(run(cmd_asm, "asm", "--mbs", path("good.pp"), NULL), 2);
	put("head.mbs", "MBS1");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", path("head.mbs"), NULL), 1);
	has("MBS1 container: it ends within its head");
	/* Lengths that lie. */
	for (int at = 0; at < 40; at++) {
		char data[40];
		size_t n;
		int status;

		f = fopen(path("good.mbs"), "rb");
		n = fread(data, 1, sizeof(data), f);
		fclose(f);
		assert_int_equal(n, 40);
		data[at] ^= 0xff;
		f = fopen(path("bent.mbs"), "wb");
		fwrite(data, 1, at % 3 ? n : (size_t)at, f);
		fclose(f);
		status = run(cmd_disasm, "disasm", "-i", "utgard-pp", path("bent.mbs"), NULL);
		assert_true(status == 0 || status == 1);
	}
}

static void test_vivante(void **state)
{
	put("add.viv", "add t3._y__, t0.xxxx, void, u2.zzzz ; comment\n");
	assert_int_equal(run(cmd_asm, "asm", "-i", "vivante", path("add.viv"), NULL), 0);
	assert_int_equal(run(cmd_asm, "asm", "-i", "vivante", "-o", path("viv.bin"), path("add.viv"), NULL), 0);
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("viv.bin"), "--in", "t0=2.5", "--in", "u2=0,0,4",
			     "--trace", NULL), 0);
	has("000: add               t3._y__, t0.xxxx, void, u2.zzzz\n");
	has("t3 = - 6.5 - -   (- 0x40d00000 - -)\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", path("viv.bin"), NULL), 0);
	put("two.asm", "mad t3, t0, u1, u2\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", path("two.asm"), NULL), 1);
	has("[one-uniform]");
	put("temps.asm", "nop void, void, void, void\nmov t4, void, void, t0\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--temps", "5", path("temps.asm"), NULL), 0);
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--temps", "4", path("temps.asm"), NULL), 1);
	has("temps.asm:2: error: instruction 1: writes t4, but NUM_TEMPS declares 4: hangs [temporaries]\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--inputs", "1", "--elements", "2", path("temps.asm"), NULL), 1);
	has("[vs-inputs]");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--temps", "-1", path("temps.asm"), NULL), 2);
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--inputs", "x", path("temps.asm"), NULL), 2);
}

static void test_check(void **state)
{
	assert_int_equal(run(cmd_check, "check", path("good.pp"), NULL), 0);
	assert_string_equal(printed, "");
	put("early.gp", "complex1.m01 ^x a0.x a0.x a0.x a0.x\n\nmov.a0 ^y ^x\n");
	assert_int_equal(run(cmd_check, "check", path("early.gp"), NULL), 1);
	has("early.gp:3: error: instruction 1 (with 0, 1 before): reads the result of complex1 1 instruction later; it is there after 2 [complex1-latency]\n");
	assert_int_equal(run(cmd_check, "check", "--json", path("early.gp"), NULL), 1);
	has("    \"rule\": \"complex1-latency\",\n    \"at\": 1,\n    \"other\": 0,\n    \"line\": 3,\n");
}

static void test_exec(void **state)
{
	put("add.gp", "add.a0 ^x/v3.y a0.x t[2].z\n");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=2.5", "--in", "t2=0,0,4", NULL), 0);
	assert_string_equal(printed, "v3 = - 6.5 - -\n");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0@5=2", NULL), 0);
	has("v3@4 = - 0 - -\nv3@5 = - 2 - -\n");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--trace", NULL), 0);
	has("000:\tadd.a0 ^0/v3.y a0.x t[2].z\n");
	assert_int_equal(run(cmd_exec, "exec", path("good.pp"), "--in", "v0=1,0.5,0.25,1", NULL), 0);
	assert_string_equal(printed, "$0 = 1 0.5 0.25 1\ndiscarded = none\n");
	put("loop.pp", "again: branch again\n");
	assert_int_equal(run(cmd_exec, "exec", path("loop.pp"), "--limit", "50", NULL), 1);
	has("not at its end after 50 instructions");
	put("off.pp", "mov.v1 $0 $1\n");
	assert_int_equal(run(cmd_exec, "exec", path("off.pp"), NULL), 1);
	has("off.pp: at ");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "v0=1", NULL), 2);
	has("'v0=1' is no input of utgard-gp");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=1,x", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=1,2,3,4,5", NULL), 2);
	has("'a0=1,2,3,4,5': it takes one to four numbers");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "t0@2=1", NULL), 2);
	has("all lanes have the same uniforms");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0", NULL), 2);
	has("'a0': expected NAME=VALUE");
	assert_int_equal(run(cmd_exec, "exec", path("good.pp"), "--in", "face=1,0", NULL), 2);
	has("it takes one number");
	assert_int_equal(run(cmd_exec, "exec", path("good.pp"), "--in", "pointcoord=1,0,1", NULL), 2);
	has("it takes one or two numbers");
	put("unpack.asm", "NOP\n\nUNPACK.f32 R0.xyzw, AL0, 0x0\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("unpack.asm"), NULL), 1);
	assert_non_null(strstr(printed, "word 4: UNPACK.f32 is not executed: Mesa says"));
	assert_int_equal(run(cmd_exec, "exec", path("good.pp"), "--in", "mem0=1", NULL), 2);
	has("is no input of utgard-pp");
}

/* r1 = r0 * 2 and r2.x = r1.x + 2 in one bundle; then r3 = varying 1. */
static const char midgard[] = 
	"000a005a 0b418500 00720214 0410ff20 00001005 00000000\n"
	"00000000 00000000 3f800000 40000000 00000000 00000000\n"
	"c9e39815 08003839 00000030 00000000\n";

/* No program, and sizes that no program has, are told alike for all sets. */
static void test_exec_nothing(void **state)
{
	const struct isa *isa;

	put("nothing.asm", "# nothing\n");
	put("nothing.bin", "");
	for (unsigned int i = 0; (isa = isa_at(i)); i++) {
		assert_int_equal(run(cmd_exec, "exec", "-i", isa_name(isa), path("nothing.asm"), NULL), 1);
		has("nothing.asm: there is no instruction to run\n");
		assert_int_equal(run(cmd_exec, "exec", "-i", isa_name(isa), "--bench", "1", path("nothing.bin"), NULL), 1);
		has("nothing.bin: there is no instruction to run\n");
	}
	put("one.hex", "0\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", "--hex", path("one.hex"), NULL), 1);
	has("1 words are no whole number of instructions of 4 words");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a4294967296=1", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=i:4294967296", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--limit", "4294967297", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=nan", "--in", "t2=i:0,0,0x7fc12345", NULL), 0);
	has("v3 = - nan - -\n");
}

static void test_exec_midgard(void **state)
{
	put("two.hex", midgard);
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "r0=1,2,3,4", "--in", "v1=5,6",
			     NULL), 0);
	has("r1 = 2 4 6 8   (0x40000000 0x40800000 0x40c00000 0x41000000)\n");
	has("r3 = 5 6 - -");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "r0@3=9", "--trace", NULL), 0);
	has("lane 3 @0:\n");
	has("r1@3 = 18 - - -");
	put("bad.hex", "0 0 0 0\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("bad.hex"), NULL), 1);
	has("bad.hex: a thread met words that are no bundle");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "t0=1", NULL), 2);
}

static void test_exec_bifrost(void **state)
{
	put("pair.asm", "*SHADDXL.i64 port0, port1, 3\n+SHADDXH.i32 port0, port1\n*F16_TO_F32.h1 port2\n+FRCP.f32 stage\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("pair.asm"), "--in", "port0=i:1", "--in", "port1=i:5",
			     "--in", "port2@2=i:0x40000000", "--trace", NULL), 0);
	has("(0x00000029 - - -)");
	has("fma@2 = 2 - - -");
	has("add@2 = 0.5 - - -");
	put("odd.asm", "*OP 0x123456\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("odd.asm"), NULL), 0);
	has("odd.asm: at 0: nobody has named this instruction");
}

static void test_exec_memory(void **state)
{
	put("mem.asm", "load t1, u0.xxxx, u0.yyyy, void\nstore mem.xy__, u0.xxxx, u0.zzzz, t0\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("mem.asm"), "--in", "u0=i:4096,8,64", "--in",
			     "mem0x1008=7,8,9,10", "--in", "t0=i:11,12,13,14", NULL), 0);
	has("t1 = 7 8 9 10 ");
	has("mem0x1040 = 0x0000000b 0x0000000c\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("mem.asm"), "--in", "u0=i:-4,0,0", NULL), 0);
	has("the shader met");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("mem.asm"), "--in", "mem0x100000=1", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("mem.asm"), "--in", "mem2=1", NULL), 2);
}

/* Images of limn exec lie in its memory; outside them reads 0 and nothing is written. */
static void test_exec_images(void **state)
{
	static const char *const bad[] = {
		"img1=0x100,4", "img1=0x101,4,4", "img1=0,70000,1", "img1=0x100000,1,1", "img1=0,1,1,1,1", "img1=-4,1,1",
		"img1=x", "img16=0,1,1", "img1=0,1024,65,1", "img1=",
	};

	put("img.txt", "ST_IMAGE.u32 AL1.xyzw, AL0.w + 0x1, AL0.u32.x\n\nLD_IMAGE.u32 R3.yx~~, AL0.w + 0x1, AL0.u32.x\n"
		       "LEA_IMAGE R4.xy~~, AL0, AL0.w + 0x1, AL0.u32.x\n\nLD_IMAGE.u32 R5.xyzw, AL0.w + 0x2, AL0.u32.x\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("img.txt"), "--in", "img1=0x100,4,4", "--in",
			     "r26=i:3", "--in", "r27=i:5,6,7,8", NULL), 0);
	has("mem0x130 = 0x00000005 0x00000006 0x00000007 0x00000008\n");
	has("(0x00000006 0x00000005 - -)");
	has("r4 = 4.25994733e-43 - - -   (0x00000130 - - -)");
	assert_null(strstr(printed, "r5 ="));
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("img.txt"), "--in", "img1=0x100,3,4", "--in",
			     "r26=i:3", "--in", "r27=i:5,6,7,8", NULL), 0);
	assert_null(strstr(printed, "mem0x"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("img.txt"), "--in", bad[i], NULL), 2);
}

static void test_clauses(void **state)
{
	struct bifrost_clause c = {
		.tuple_count = 2, .header = 0x1234, .constant_count = 2, .constants = { 0x77, 0x88 },
		.tuples = { { 0x402200000, 0x701963, 0x3d968 }, { 1, 0x701968, 0x3d964 } },
	};
	uint32_t words[BIFROST_CLAUSE_WORDS];
	size_t count = isa_bifrost_clause_write(&c, words);
	char text[512] = "";

	assert_int_equal(count, 12);
	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%08x\n", words[i]);
	put("clause.hex", text);
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "bifrost", "--hex", "--clauses", path("clause.hex"), NULL), 0);
	has("header 0x000000001234; registers 0x402200000 0x000000001; constants 0x0000000000000770 0x0000000000000880\n"
	    "*NOP\n+MOV.i32 port0\n*MOV.i32 port0\n+NOP\n");
	text[strlen(text) - 9] = 0;
	put("clause.hex", text);
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "bifrost", "--hex", "--clauses", path("clause.hex"), NULL), 1);
	has("clause.hex: at word 0 there is no clause, or not all of one\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "vivante", "--hex", "--clauses", path("clause.hex"), NULL), 2);
	assert_int_equal(run(cmd_check, "check", "-i", "bifrost", "--hex", "--clauses", path("clause.hex"), NULL), 2);
}

static void test_isa(void **state)
{
	assert_int_equal(run(cmd_isa, "isa", NULL), 0);
	has("utgard-gp\nutgard-pp\nvivante\n");
	assert_int_equal(run(cmd_isa, "isa", "-i", "utgard-gp", NULL), 0);
	has("``complex1.m01 D A B C E``");
	assert_int_equal(run(cmd_isa, "isa", "--coverage", NULL), 0);
	has("utgard-pp");
	assert_int_equal(run(cmd_isa, "isa", "--frob", NULL), 2);
}

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asm),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_mbs),
		cmocka_unit_test(test_vivante),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_exec_nothing),
		cmocka_unit_test(test_exec_midgard),
		cmocka_unit_test(test_exec_bifrost),
		cmocka_unit_test(test_exec_memory),
		cmocka_unit_test(test_exec_images),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_isa),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
