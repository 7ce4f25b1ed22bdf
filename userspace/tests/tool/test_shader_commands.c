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
	has("good.bin 3 words\n");
	assert_int_equal(run(cmd_asm, "asm", "-q", "-o", path("good.bin"), path("good.pp"), NULL), 0);
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
	snprintf(want, sizeof(want), "%s:2:13: 77 is out of range: 0 to 11\n  \tmov.v1 $0 $77, frob, stop\n  \t           ^\n"
				     "  the form: mov.v1 D A\n",
		 path("bad.pp"));
	has(want);
	snprintf(want, sizeof(want), "%s:2:17: unknown instruction 'frob' (limn isa -i utgard-pp lists them)\n", path("bad.pp"));
	has(want);
	assert_int_equal(run(cmd_asm, "asm", "--json", path("bad.pp"), NULL), 1);
	has("    \"line\": 2,\n    \"column\": 13,\n    \"severity\": \"error\",\n    \"message\": \"77 is out of range: 0 to 11\",\n    \"note\": \"the form: mov.v1 D A\"\n");
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
	put("job.limn", "draw triangles 3\n");
	assert_int_equal(run(cmd_asm, "asm", path("job.limn"), NULL), 2);
	has("a .limn is a job, for limn run and limn check");
	put("swapped.viv", "amd t1, t1, t1, t1\n");
	assert_int_equal(run(cmd_asm, "asm", path("swapped.viv"), NULL), 1);
	has("unknown instruction 'amd'; did you mean mad?");
	assert_int_equal(run(cmd_asm, "asm", NULL), 2);
	assert_string_equal(printed, "limn asm: FILE is missing (limn asm --help)\n");
	assert_int_equal(run(cmd_asm, "asm", "--frob", NULL), 2);
	assert_string_equal(printed, "limn asm: no option --frob\n");
	assert_int_equal(run(cmd_asm, "asm", "--hexx", path("good.pp"), NULL), 2);
	assert_string_equal(printed, "limn asm: no option --hexx; did you mean --hex?\n");
	assert_int_equal(run(cmd_asm, "asm", path("good.pp"), "-o", NULL), 2);
	assert_string_equal(printed, "limn asm: --out FILE: its value is missing\n");
	put("odd.bin", "123");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", path("odd.bin"), NULL), 1);
	has("3 bytes are no whole number of 32-bit words");
	put("zero.hex", "0 0 0 0\n");
	assert_int_equal(run(cmd_check, "check", "-i", "bifrost", "--hex", path("zero.hex"), NULL), 1);
	has("zero.hex: error: word 0: here is no clause, or not all of one [clause]\n");
	put("bad.hex", "00112233\nxyz\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", "--hex", path("bad.hex"), NULL), 1);
	has("bad.hex:2: expected words");
	assert_int_equal(run(cmd_asm, "asm", "-o", "/nowhere/at/all", path("good.pp"), NULL), 1);
	has("/nowhere/at/all: No such file or directory");
}

/* A container whose compiler has given u1 a value. */
static void test_mbs_uniforms(void **state)
{
	static const uint8_t uniforms[] = {
		'S', 'U', 'N', 'I', 76, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0,
		'V', 'U', 'N', 'I', 60, 0, 0, 0, 'S', 'T', 'R', 'I', 4, 0, 0, 0, '?', 'c', '0', 0,
		0, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0xff, 0xff,
		'V', 'I', 'N', 'I', 20, 0, 0, 0, 4, 0, 0, 0,
		0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40,
	};
	uint8_t data[200], whole[300];
	size_t n;
	FILE *f;

	put("u.pp", "load.u 1, mov.v1 $0 ^uniform, stop\n");
	assert_int_equal(run(cmd_asm, "asm", "--mbs", "-o", path("u.mbs"), path("u.pp"), NULL), 0);
	f = fopen(path("u.mbs"), "rb");
	n = fread(data, 1, sizeof(data), f);
	fclose(f);
	/* Behind the core's version, within two chunks. */
	memcpy(whole, data, 20);
	memcpy(whole + 20, uniforms, sizeof(uniforms));
	memcpy(whole + 20 + sizeof(uniforms), data + 20, n - 20);
	whole[4] += sizeof(uniforms);
	whole[12] += sizeof(uniforms);
	for (size_t cut = 0; cut <= sizeof(uniforms); cut++) {
		whole[24] = 76 - cut % 76;
		f = fopen(path("u.mbs"), "wb");
		fwrite(whole, 1, n + sizeof(uniforms), f);
		fclose(f);
		run(cmd_exec, "exec", path("u.mbs"), NULL);
		if (!cut)
			has("$0 = 1 2 3 4\n");
	}
	whole[24] = 76;
	f = fopen(path("u.mbs"), "wb");
	fwrite(whole, 1, n + sizeof(uniforms), f);
	fclose(f);
	assert_int_equal(run(cmd_exec, "exec", path("u.mbs"), "--in", "u1=5", NULL), 0);
	has("$0 = 5 0 0 0\n");
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
	/* All registers that a shader may be given, not the first sixteen. */
	put("high.asm", "add t30.x___, t16.xxxx, void, t31.xxxx\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("high.asm"), "--in", "t16=2", "--in", "t31=0.5", NULL), 0);
	has("t30 = 2.5 - - -");
	/* A chip's name is that chip. */
	put("old.asm", "add.s32 t1.xy__, t0.xyzw, void, t0.xyzw\nf2i.s32 t2.x___, t3.xxxx, void, void\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "GC2000", path("old.asm"), "--in", "t0=i:1,2", "--in", "t3=nan", NULL), 0);
	has("(0x00000002 0x00000002 - -)\n");
	has("(0x7fffffff - - -)\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "gc3000", path("old.asm"), "--in", "t0=i:1,2", "--in", "t3=nan", NULL), 0);
	has("(0x00000002 0x00000004 - -)\n");
	has("(0x00000000 - - -)\n");
	put("two.asm", "mad t3, t0, u1, u2\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", path("two.asm"), NULL), 0);
	has("[one-uniform]");
	assert_int_equal(run(cmd_check, "check", "-i", "gc3000", path("two.asm"), NULL), 1);
	has("[one-uniform]");
	assert_int_equal(run(cmd_check, "check", "-i", "gc7000l", path("two.asm"), NULL), 0);
	assert_null(strstr(printed, "one-uniform"));
	assert_int_equal(run(cmd_exec, "exec", "-i", "gc2000", path("two.asm"), "--in", "u2=4", NULL), 0);
	has("several uniforms");
	/* Behind ';' is a comment, of which there is a warning when it is an instruction. */
	put("hidden.limn", "vivante\ntarget 8 8\nvertex-shader {\n\tmov t0, void, void, t0\t; position\n"
	    "\t; mov t2, void, void, t2\n\tmov t1, void, void, t1; mov t3, void, void, t1\n}\n");
	run(cmd_exec, "exec", "--stage", "vertex", path("hidden.limn"), NULL);
	has("hidden.limn:6:24: warning: what is behind ';' is a comment here: an instruction needs a line of its own\n");
	assert_null(strstr(printed, "hidden.limn:4:"));
	assert_null(strstr(printed, "hidden.limn:5:"));
	put("temps.asm", "nop void, void, void, void\nmov t4, void, void, t0\n");
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--temps", "5", path("temps.asm"), NULL), 0);
	assert_int_equal(run(cmd_check, "check", "-i", "vivante", "--temps", "4", path("temps.asm"), NULL), 1);
	has("temps.asm:2:1: error: instruction 1: writes t4, but NUM_TEMPS declares 4: hangs [temporaries]\n");
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
	has("early.gp:3:1: error: instruction 1 (with 0, 1 before): reads the result of complex1 1 instruction later; it is there after 2 [complex1-latency]\n");
	assert_int_equal(run(cmd_check, "check", "--json", path("early.gp"), NULL), 1);
	has("    \"rule\": \"complex1-latency\",\n    \"at\": 1,\n    \"other\": 0,\n    \"line\": 3,\n    \"column\": 1,\n");
}

static void test_exec(void **state)
{
	put("add.gp", "add.a0 ^x/v3.y a0.x t[2].z\n");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0=2.5", "--in", "t2=0,0,4", NULL), 0);
	assert_string_equal(printed, "v3 = - 6.5 - -\n");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--in", "a0@5=2", NULL), 0);
	has("v3@4 = - 0 - -\nv3@5 = - 2 - -\n");
	assert_int_equal(run(cmd_exec, "exec", "--json", path("add.gp"), "--in", "a0@5=2", NULL), 0);
	has("  \"isa\": \"utgard-gp\",\n  \"values\": [\n    {\"name\": \"v3\", \"lane\": 0, \"values\": [null, 0, null, null], \"words\": [null, \"0x00000000\", null, null]},\n");
	has("{\"name\": \"v3\", \"lane\": 5, \"values\": [null, 2, null, null], \"words\": [null, \"0x40000000\", null, null]},\n");
	has("  \"end\": \"done\"\n}\n");
	put("store.viv", "store.u32 mem.x___, t0, u0, t1\ntexkill.lt void, t0, u1, void\n");
	assert_int_equal(run(cmd_exec, "exec", "--json", path("store.viv"), "--in", "t0=i:64", "--in", "t1=i:7", NULL), 0);
	has("  \"memory\": [\n    {\n      \"address\": \"0x00000040\",\n      \"word\": \"0x00000007\"\n    }\n  ],\n");
	has("  \"discarded\": [");
	assert_int_equal(run(cmd_exec, "exec", path("add.gp"), "--trace", NULL), 0);
	has("000:\tadd.a0 ^0/v3.y a0.x t[2].z\n");
	assert_int_equal(run(cmd_exec, "exec", path("good.pp"), "--in", "v0=1,0.5,0.25,1", NULL), 0);
	assert_string_equal(printed, "$0 = 1 0.5 0.25 1\ndiscarded = none\n");
	put("loop.pp", "again: branch again\n");
	assert_int_equal(run(cmd_exec, "exec", path("loop.pp"), "--limit", "50", NULL), 3);
	has("not at its end after 50 instructions");
	put("off.pp", "mov.v1 $0 $1\n");
	assert_int_equal(run(cmd_exec, "exec", path("off.pp"), NULL), 3);
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
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("unpack.asm"), NULL), 3);
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
	for (unsigned int i = 0; (isa = limn_isa_at(i)); i++) {
		assert_int_equal(run(cmd_exec, "exec", "-i", limn_isa_name(isa), path("nothing.asm"), NULL), 1);
		has("nothing.asm: there is no instruction to run\n");
		assert_int_equal(run(cmd_exec, "exec", "-i", limn_isa_name(isa), "--bench", "1", path("nothing.bin"), NULL), 1);
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

/* All that was written is printed, though it is as before. */
static void test_exec_written(void **state)
{
	put("zero.gp", "add.a0 ^0/$3.x t[0].x t[0].x\n\nnop\n\nnop\n\nnop\n");
	assert_int_equal(run(cmd_exec, "exec", path("zero.gp"), NULL), 0);
	has("$3 = 0 - - -");
	put("zero.viv", "mov t3._y__, void, void, u0\n");
	assert_int_equal(run(cmd_exec, "exec", path("zero.viv"), NULL), 0);
	has("t3 = - 0 - -");
	put("zero.pp", "mov.v1 $2.z $1, stop\n");
	assert_int_equal(run(cmd_exec, "exec", path("zero.pp"), NULL), 0);
	has("$2 = 0 0 0 0\n");
	put("zero.bifrost", "clause_0:\neos\n{\n*MOV.i32 r5:t0, r1\n+NOP t1\n}\n");
	assert_int_equal(run(cmd_exec, "exec", path("zero.bifrost"), NULL), 0);
	has("r5 = 0 - - -");
}

/* What Mesa prints of both of Utgard's sets: each takes its own words. */
static void test_lima_log(void **state)
{
	put("lima.log", "shader: MESA_SHADER_VERTEX\nsource_blake3: {0x0939a12f, 0xebec808f}\n12345678 9abcdef0\n"
			"000: 4a5294a5 000152b5 0007ff80 000ad500 \n000:\tnop\n"
			"000 (@     0): 000218a7 11003c6d f8000010 20030e40 03c005cf 00000000 \n    00000000 \n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-pp", path("lima.log"), NULL), 0);
	has("@     0: load.v $1.x gl_FrontFacing");
	has("const0 1.0 0.0 0.0 0.0, stop");
	assert_null(strstr(printed, "@     7"));
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "utgard-gp", path("lima.log"), NULL), 0);
	has("000:");
	assert_null(strstr(printed, "001:"));
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "panfrost", path("lima.log"), NULL), 2);
	has("Panfrost has two instruction sets");
}

/* A log of several shaders is not one shader. */
static void test_etnaviv_log(void **state)
{
	put("log.txt", "VERT\n000 [00801009 00000000 00000000 00000008] mov t0.x___, void, void, t0.xxxx\n"
		       "001 [00811009 00000000 00000000 00000008] mov t1.x___, void, void, t0.xxxx\n"
		       "num loops: 0\nnum temps: 2\nimmediates:\n [0].x = 1.000000 (0x3f800000) (3)\n"
		       "FRAG\n000 [00821009 00000000 00000000 00000008] mov t2.x___, void, void, t0.xxxx\nnum loops: 0\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "etnaviv", path("log.txt"), NULL), 0);
	has("log.txt: note: of 2 shaders in it this is the last\n");
	assert_null(strstr(printed, "t1.x"));
	has(" t2.x___, void, void, t0.xxxx\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "etnaviv", "--stage", "vertex", path("log.txt"), "--in", "t0=3", NULL), 0);
	assert_string_equal(printed, "t0 = 3 - - -   (0x40400000 - - -)\nt1 = 3 - - -   (0x40400000 - - -)\n");
}

/* lima.dump of LIMA_DEBUG=dump: streams, and both shaders as text. */
static void test_lima_dump(void **state)
{
	put("lima.dump", "/* ============ VS CMD STREAM BEGIN ============= */\n/* 0x00000000 (0x00000000) */\t0x12345678 0x9abcdef0\n"
			 "/* ============ VS DISASSEMBLY BEGIN ============== */\n000:\tmov.c ^5/v0.x a0.x\n"
			 "/* ============ VS DISASSEMBLY END ================= */\n"
			 "/* ============ FS DISASSEMBLY BEGIN ============== */\n@     0: load.v $0 0, stop\n"
			 "/* ============ FS DISASSEMBLY END ================= */\n{ /* 0x00000000 */\n\t0x00000001, 0x00000002,\n}\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "pp", path("lima.dump"), NULL), 0);
	assert_string_equal(printed, "@     0: load.v $0 0, stop\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "gp", path("lima.dump"), "--in", "a0=7", NULL), 0);
	assert_string_equal(printed, "v0 = 7 - - -\n");
}

static void test_exec_midgard(void **state)
{
	put("two.hex", midgard);
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "r0=1,2,3,4", "--in", "v1=5,6",
			     NULL), 0);
	has("r1 = 2 4 6 8   (0x40000000 0x40800000 0x40c00000 0x41000000)\n");
	has("r3 = 5 6 0 0");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "r0@3=9", "--trace", NULL), 0);
	has("lane 3 @0:\n");
	has("r1@3 = 18 - - -");
	put("bad.hex", "0 0 0 0\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("bad.hex"), NULL), 3);
	has("bad.hex: a thread met words that are no bundle");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", "--hex", path("two.hex"), "--in", "t0=1", NULL), 2);
}

static void test_exec_bifrost(void **state)
{
	put("pair.txt", "ds(0) nbb\n{\n*SHADDXL.i64 r5:t0, r0, r1, shift:3\n+SHADDXH.i32 t1, r0, r1\n*F16_TO_F32 r6:t0, r2.h1\n"
			"+FRCP.f32 r7:t1, t\n*NOP t0\n+NOP t1\n}\nds(0) eos blend\n{\n*NOP t0\n+BLEND t1, r60, blend_descriptor_1.x, "
			"blend_descriptor_1.y, @r5\n}\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("pair.txt"), "--in", "r0=i:1", "--in", "r1=i:5",
			     "--in", "r2@2=i:0x40000000", "--in", "r60=i:1", "--trace", NULL), 0);
	has("lanes 0xff clause_0:\n");
	has("    +FRCP.f32 r7:t1, t\n");
	has("(0x00000029 - - -)");
	has("r6@2 = 2 - - -");
	has("r7@2 = 0.5 - - -");
	has("rt1@2 = ");
	put("odd.txt", "ds(0) eos\n{\n*OP t0, bits:7340032\n}\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("odd.txt"), NULL), 3);
	has("odd.txt: word 0: *OP is not executed: nobody has said what it does");
	put("odd.hex", "1 2 3 4\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", "--hex", path("odd.hex"), NULL), 3);
	has("odd.hex: a thread met words that are no clause, and ended");
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("pair.txt"), "--in", "fau0=1,2,3", NULL), 2);
	assert_int_equal(run(cmd_exec, "exec", "-i", "bifrost", path("pair.txt"), "--in", "r64=1", NULL), 2);
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
	has("r4 = 4.25994733e-43 0 - -   (0x00000130 0x00000000 - -)");
	has("r5 = 0 0 0 0");
	assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("img.txt"), "--in", "img1=0x100,3,4", "--in",
			     "r26=i:3", "--in", "r27=i:5,6,7,8", NULL), 0);
	assert_null(strstr(printed, "mem0x"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(run(cmd_exec, "exec", "-i", "midgard", path("img.txt"), "--in", bad[i], NULL), 2);
}

/* Files as they come: cut, padded, of a driver of Mesa, a job. */
static void test_inputs(void **state)
{
#define JOB(vs, fs) "vivante\ntarget 8 8\nattribute 0 float2 { 1 2  3 4  5 6 }\noutputs position t0 float2 t1\n" \
		    "vertex-shader {\n\tadd t0, t0, void, u0\n" vs "}\nfragment-shader {\n\tmov t1, void, void, " fs "\n}\n" \
		    "vertex-uniforms { 10 20 30 40 }\nfragment-uniforms { 1 0 0 1 }\ndraw triangles 0 3\n"
	static const char job[] = JOB("\tmov t1, void, void, t0\n", "u0");
	FILE *f;

	put("lima.txt", "========ppir codegen========\n000 (@     0): 000000a3 f0003c60 00000000 \n@     0: load.v $0 0, stop\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "pp", path("lima.txt"), NULL), 0);
	assert_string_equal(printed, "@     0: load.v $0 0, stop\n");
	put("array.txt", "static const uint32_t code[] = {\n\t0x000000a3, 0xf0003c60, 0,\n};\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "pp", path("array.txt"), NULL), 0);
	has("array.txt:1: note: no words here, and on others; the line is left out\n");
	has("@     0: load.v $0 0, stop\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "PP", path("lima.txt"), "--in", "v0=1,2", NULL), 0);
	has("$0 = 1 2 0 0\n");
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "pp", path("good.pp"), NULL), 1);
	has("this is text, not words (limn asm makes words of it)");
	f = fopen(path("cut.bin"), "wb");
	assert_int_equal(fwrite("\xa3\0\0\0\x60\x3c\0\xf0\0\0\0\0\1\2", 1, 14, f), 14);
	fclose(f);
	assert_int_equal(run(cmd_disasm, "disasm", "-i", "pp", path("cut.bin"), NULL), 0);
	has("cut.bin: note: it is cut: the last 2 bytes are no whole word\n@     0: load.v $0 0, stop\n");
	/* What is behind a GP program is not run. */
	put("padded.hex", "700ad6b5 438082b5 4c07e380 000ad500\n00000000 00000000 00000000 00000000\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "gp", path("padded.hex"), "--in", "a0=2.5", NULL), 0);
	has("v3 = - 2.5 - -\n");
	put("regs.pp", "add.v1 $2 $1 $1, const0 1.0 2.0 3.0 4.0\nmov.v1 $3 ^const0, const0 1.0 2.0 3.0 4.0, stop\n");
	assert_int_equal(run(cmd_exec, "exec", path("regs.pp"), NULL), 0);
	has("$0 = 0 0 0 0\n$2 = 0 0 0 0\n$3 = 1 2 3 4\n");
	put("job.limn", job);
	assert_int_equal(run(cmd_exec, "exec", path("job.limn"), "--stage", "vertex", NULL), 0);
	has("t0@0 = 11 22 30 41 ");
	has("t0@2 = 15 26 30 41 ");
	assert_int_equal(run(cmd_exec, "exec", path("job.limn"), "--stage", "vertex", "--in", "u0=100", NULL), 0);
	has("t0@0 = 101 2 0 1 ");
	assert_int_equal(run(cmd_exec, "exec", path("job.limn"), NULL), 0);
	has("t1 = 1 0 0 1 ");
	assert_int_equal(run(cmd_check, "check", path("job.limn"), NULL), 0);
	assert_string_equal(printed, "");
	put("bad.limn", JOB("", "t9"));
	assert_int_equal(run(cmd_check, "check", path("bad.limn"), NULL), 0);
	has("bad.limn:6:2: warning: the vertex shader never writes t1, which 'outputs' names\n");
	has("bad.limn:9:2: warning: the fragment shader reads t9 before anything has written it: varyings come in t0 to t1 at line 13\n");
	assert_int_equal(run(cmd_run, "run", "--model", "gc2000", "--werror", path("bad.limn"), NULL), 1);
	assert_int_equal(run(cmd_check, "check", "--werror", path("bad.limn"), NULL), 1);
}

/* An op that nobody has named is named with its place, and the status says so. */
static void test_exec_unknown(void **state)
{
	put("unknown.asm", "mov t1, void, void, t0\naddlo t2, t1, t1, void\n");
	assert_int_equal(run(cmd_exec, "exec", "-i", "vivante", path("unknown.asm"), NULL), 3);
	has("unknown.asm: at 1: nobody has said what this does, or all of it: addlo ");
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
		cmocka_unit_test(test_mbs), cmocka_unit_test(test_mbs_uniforms),
		cmocka_unit_test(test_vivante),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_exec_nothing),
		cmocka_unit_test(test_exec_written),
		cmocka_unit_test(test_lima_log), cmocka_unit_test(test_etnaviv_log), cmocka_unit_test(test_lima_dump),
		cmocka_unit_test(test_exec_midgard),
		cmocka_unit_test(test_exec_bifrost),
		cmocka_unit_test(test_exec_memory),
		cmocka_unit_test(test_exec_images),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_exec_unknown),
		cmocka_unit_test(test_isa),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
