// SPDX-License-Identifier: MIT
/*
 * Findings of the checker name the rule, both instructions and how far they are apart: one program
 * for each rule, beside one that is a step further and fine. Rules with one instruction: other is at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/isa.h"

struct row {
	const char *isa, *text, *rule;	/* rule NULL: no finding at all */
	unsigned int at, other;		/* word offsets */
	const char *says;
};

#define GP "utgard-gp"
#define PP "utgard-pp"
#define MD "midgard"
#define BI "bifrost"
#define VIV "vivante"

static const struct row rows[] = {
	/* Latency windows of registers, temporaries and address registers: each distance that is too short. */
	{ GP, "mov.a0 ^x/$1.x a0.x\n\nmov.a0 ^y $1.x", "register-latency", 4, 0, "1 instruction after its store; the new value is there after 3" },
	{ GP, "mov.a0 ^x/$1.x a0.x\n\nnop\n\nmov.a0 ^y $1.x", "register-latency", 8, 0, "2 instructions after its store" },
	{ GP, "mov.a0 ^x/$1.x a0.x\n\nnop\n\nnop\n\nmov.a0 ^y $1.x", NULL, 0, 0, NULL },
	{ GP, "mov.a0 ^x/t[addr0].x a0.x\n\nnop\n\nnop\n\nmov.a0 ^y t[0].x", "temporary-latency", 12, 0, "3 instructions after a temporary is stored" },
	{ GP, "mov.a0 ^x/t[addr0].x a0.x\n\nnop\n\nnop\n\nnop\n\nmov.a0 ^y t[0].x", NULL, 0, 0, NULL },
	{ GP, "mov.c ^x/addr1 a0.x\n\nmov.a0 ^y t[0+addr1].x", "address-latency", 4, 0, "1 instruction after it was set; it is there after 4" },
	{ GP, "mov.c ^x/addr3 a0.x\n\nnop\n\nmov.a0 ^y t[0+addr3].x", "address-latency", 8, 0, "2 instructions after it was set" },
	{ GP, "addr01.c ^x a0.x\n\nnop\n\nnop\n\nmov.a0 ^y t[0+addr1].x", "address-latency", 12, 0, "3 instructions after it was set" },
	{ GP, "complex1.m01 ^x a0.x a0.x a0.x a0.x\n\nmov.a0 ^y ^x", "complex1-latency", 4, 0, "1 instruction later; it is there after 2" },
	{ GP, "nop\n\nmov.a0 ^0 ^1", "result-of-idle-unit", 4, 0, "unit a1 of instruction 0" },
	{ GP, "mov.a0 ^0 ^-6", "result-before-start", 0, 0, "1 instruction ago, before the first" },
	/* A register that nothing has written: by component; in a loop what stands behind may have been before. */
	{ GP, "mov.a0 ^x/$1.x a0.x\n\nnop\n\nnop\n\nmov.a0 ^y $1.y", "register-unwritten", 12, 12, "reads $1.y before" },
	{ GP, "back: mov.a0 ^y $1.x\n\nmov.a0 ^x/$1.x a0.x, mov.p ^4 a0.x, branch ^4 back", NULL, 0, 0, NULL },
	{ PP, "load.v $0.xy 0\nmul.s0 $1.x $0.z $0.x, stop", "register-unwritten", 3, 3, "reads $0.z before" },
	{ PP, "load.v $0 0\nadd.v1 $0 $0 $1, stop", "register-unwritten", 3, 3, "reads $1 before" },
	{ PP, "load.v $0.xy 0, add.v1 $0 $0.xyxy $0.xyxy, stop", NULL, 0, 0, NULL },
	{ PP, "load.v $0 0\nback: add.v1 $0 $0 $1\nmov.v1 $1 $0, branch.lt $0.x $0.y back\nstop", NULL, 0, 0, NULL },
	/* Store sources, kinds and conflicts. */
	{ GP, "nop, set store1_src_w 4", "store-of-idle-unit", 0, 0, "component w is stored from unit p" },
	{ GP, "complex1.m01 ^x/v0.x a0.x a0.x a0.x a0.x", "complex1-latency", 0, 0, "at once; it is there after 2 instructions" },
	{ GP, "mov.a0 ^0/t[addr0].x a0.x, set store0_varying 1", "store-kind", 0, 0, "at once" },
	{ GP, "mov.p ^4 a0.x, mov.a0 ^0/t[addr0].x a0.x, branch ^4 0", "branch-and-temporary", 0, 0, "different values" },
	{ GP, "mov.p ^4 a0.x, branch ^4 9", "branch-target", 0, 0, "target 9 is past the last instruction 0" },
	{ GP, "branch ^4 0", "branch-condition", 0, 0, "unit p makes no condition" },
	{ GP, "mov.a0 ^0 t[0+unk5].x", "unknown-code", 0, 0, "load offset 5" },
	/* PP: lengths, prefetch, pipeline registers. */
	{ PP, "load.v $0 0\nstop, mov.v1 $0 $0, set ctrl.count 2", "length", 3, 3, "says 2 words; its fields need 3" },
	{ PP, "load.v $0 0, set ctrl.next_count 1\nstop, mov.v1 $0 $0", "next-length", 0, 3, "said to have 1 words; it has 3" },
	{ PP, "load.v $0 0, set ctrl.prefetch 0\nstop, mov.v1 $0 $0", "prefetch", 0, 3, "prefetch bit is clear" },
	{ PP, "branch 4, set branch.next_count 1\nstop, mov.v1 $0 $0", "branch-length", 0, 4, "has 1 words; it has 3" },
	{ PP, "load.v $0 0", "no-end", 0, 0, "neither stops nor jumps" },
	{ PP, "mov.v1 $0 ^const1, stop", "pipeline-register", 0, 0, "^const1 is read, but this instruction has no constant 1" },
	{ PP, "mov.v0 $0 ^texture, add.v1 $0 $1 $2, stop", "pipeline-register", 0, 0, "no texture" },
	{ PP, "texld 0+^uniform.x, load.v ^discard 0, load.u 0, sync, stop", "pipeline-order", 0, 0, "comes before the uniform" },
	{ PP, "load.v $0 0, set ctrl.unknown 3, stop", "unknown-field", 0, 0, "ctrl.unknown is 0x3" },
	/* Zero words behind the program are padding: dumps have whole cache lines. */
	{ PP, "load.v $0 0, stop\n.word 0 0 0 0 0 0 0 0 0 0 0", NULL, 0, 0, NULL },
	{ PP, "mov.v1 $0 ^const0, const0 0 0 0 0, stop\n.word 0", NULL, 0, 0, NULL },
	{ PP, "load.v $0 0\n.word 0 0", "no-end", 0, 0, "neither stops nor jumps" },
	{ PP, "load.v $0 0, stop\n.word 0 0 0x21", "length", 3, 3, "says 0 words; its fields need 1" },
	/* Midgard: tags, next tags, registers, constants. */
	{ MD, "ctrl, set ctrl.next 5\nvmul.FMUL.f32 R0, R1, R2\n\nvadd.FADD.f32 R0, R1, R2\n", "next-tag", 0, 4, "tag 5; it has 8" },
	{ MD, "br.cond.always -1 -> alu/8\n", "branch-tag", 0, 0, "said to have tag 9; it has 8" },
	{ MD, "br.cond.always +9 -> alu/4\n", "branch-target", 0, 0, "does not meet the start of a bundle" },
	{ MD, ".word 1 2 3 4\n", "tag", 0, 0, "no bundle begins with tag 1" },
	{ MD, "vmul.FMUL.f32 U0, R1, R2\n", "uniform-write", 0, 0, "register 23 is written" },
	{ MD, "vmul.FMUL.f32 R0, AL0, R2\n", "constants", 0, 0, "no constants" },
	{ MD, "vmul.FMUL.f32 R0, R1, R2\nuconstants 1, 2, 3, 4\n", "constants", 0, 0, "not read" },
	{ MD, "vmul.FMUL.f32 R0, R1, R2, set vec.shrink 3\n", "shrink", 0, 0, "3 is not known" },
	{ MD, "sadd.FADD.f32 R0.x, R1.x, R2.x, set sca.out_comp 1\n", "component", 0, 0, "odd component 1" },
	/* Bifrost: SHADDXL and SHADDXH are a tuple. */
	{ BI, "{\n*SHADDXL.i64 t0, r0, r1, shift:0\n+MOV.i32 t1, r0\n}\n", "shaddx-pair", 0, 0, "hands its carry to the ADD" },
	{ BI, "{\n*SHADDXL.i64 t0, r0, r1, shift:0\n}\n", "shaddx-pair", 0, 0, "none that takes it" },
	{ BI, "{\n*MOV.i32 t0, r0\n+SHADDXH.i32 t1, r0, r1\n}\n", "shaddx-pair", 0, 0, "needs a SHADDXL" },
	{ BI, "{\n*SHADDXL.i64 t0, r0, r1, shift:0\n+SHADDXH.i32 t1, r0, r1\n}\n", NULL, 0, 0, NULL },
	/* Clauses: encodings, what sources can be, ports, messages, ends. */
	{ BI, "{\n*OP t0, bits:7340032\n}\n", "encoding", 0, 0, "FMA slot of tuple 0: 0x700000 is no instruction" },
	{ BI, "{\n*FADD.f32 t0, r0, r1\nset fma.src1 2\n}\n", "source", 0, 0, "FMA slot of tuple 0: source 1 cannot be that" },
	{ BI, "{\n*MOV.i32 t0, r0\nset fma.src0 1\n}\n", "port", 0, 0, "source 0 is port 1, which does not read" },
	{ BI, "{\n+NOP t1\n+NOP t1\nset registers.port1 0x26\nset registers.port2 0\n}\n", "control", 0, 0, "tuple 1: this control of ports is reserved" },
	{ BI, "{\n+JUMP t1, clause_0\n*NOP t0\n+NOP t1\n}\n", "last", 0, 0, "+JUMP can only be in the last tuple" },
	{ BI, "{\n+STORE.i32 t1, r0, r1, @r2\n*NOP t0\n+LOAD.i32 t1, r0, r1, @r2\n}\n", "message", 0, 0, "a clause has one message, this has 2" },
	{ BI, "ds(0) eos\n{\n+LOAD.i32 t1, r0, r1, @r2\n}\n", "message", 0, 0, "the header says message kind 0, the instructions have 5" },
	{ BI, "ds(0) eos attr\n{\n+LOAD.i32.ubo t1, r0, r1, @r2\n}\n", NULL, 0, 0, NULL },
	{ BI, "{\n+NOP t1\nset header.unknown_14 1\n}\n", "reserved", 0, 0, "bits of the header from 14 on are reserved" },
	{ BI, "ds(0) nbb\n{\n+NOP t1\n}\n", "end", 0, 0, "no clause ends the shader" },
	{ BI, "{\n+NOP t1\n}\n.word 1 2 3 4\n", "clause", 4, 4, "here is no clause" },
	{ BI, "{\n+NOP t1\n}\n.word 0 0 0 0\n", NULL, 0, 0, NULL },
	/* Nothing is no program. */
	{ GP, "", "length", 0, 0, "there is no instruction" },
	{ PP, "", "length", 0, 0, "there is no instruction" },
	{ VIV, "", "length", 0, 0, "there is no instruction" },
	{ MD, "", "length", 0, 0, "there is no instruction" },
	{ BI, "", "length", 0, 0, "there is no instruction" },
	/* Vivante. */
	{ VIV, "mad t3, u0, t0, u1", "one-uniform", 0, 0, "source 2's is taken for source 0's" },
	{ VIV, "sin t3, void, void, t3", "sine-in-place", 0, 0, "one register" },
	{ VIV, "branch void, void, void, 9", "branch-target", 0, 0, "target 9 is past" },
	{ VIV, "branch.imm void, void, void, 9", "branch-target", 0, 0, "target 9 is past" },
	{ VIV, "branch void, void, void, 0, set cf.unknown_118_10 4", "unknown-field", 0, 0, "cf.unknown_118_10 is 0x4" },
	{ VIV, "add t0, t1, void, t2, set unknown_38_1 1", "unknown-field", 0, 0, "unknown_38_1 is 0x1" },
	{ VIV, "swizzle.u8 t7, t2, t5, 65535", "unknown-code", 0, 0, "swizzle has no known meaning: components of the first source" },
	{ VIV, "mov t0, void, t1, t2", "operand", 0, 0, "takes no source 1" },
	{ VIV, "norm_mul t0, t0, t0, void", NULL, 0, 0, NULL },
};

static uint32_t *assemble(const struct isa *isa, const char *text, size_t *n)
{
	struct isa_messages m;
	uint32_t *words;

	if (limn_isa_asm(isa, text, strlen(text), &words, n, &m))
		fail_msg("%s: \"%s\": %s", limn_isa_name(isa), text, m.count ? m.list[0].text : "?");
	limn_isa_messages_free(&m);
	return words;
}

static const struct isa_message *find(const struct isa_messages *m, const char *rule)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->list[i].rule, rule))
			return &m->list[i];
	return NULL;
}

static void test_rules(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		const struct isa *isa = limn_isa_find(r->isa);
		const struct isa_message *f;
		struct isa_messages m;
		uint32_t *words;
		size_t n;

		words = assemble(isa, r->text, &n);
		assert_int_equal(limn_isa_check(isa, words, n, &m), 0);
		if (!r->rule) {
			if (m.count)
				fail_msg("%s: \"%s\": false alarm: %s", r->isa, r->text, m.list[0].text);
		} else {
			f = find(&m, r->rule);
			if (!f)
				fail_msg("%s: \"%s\": no %s, but %s", r->isa, r->text, r->rule, m.count ? m.list[0].text : "nothing");
			if (f->at != r->at || f->other != r->other || !strstr(f->text, r->says))
				fail_msg("%s: \"%s\": at %u, other %u: %s", r->isa, r->text, f->at, f->other, f->text);
		}
		limn_isa_messages_free(&m);
		free(words);
	}
}

/* The 512th instruction is the last that there may be. */
static void test_512(void **state)
{
	const struct isa *isa = limn_isa_find(GP);
	static char text[5 * 513 + 1];
	struct isa_messages m;
	uint32_t *words;
	size_t n;

	for (int i = 0; i < 513; i++)
		memcpy(text + 5 * i, "nop\n\n", 5);
	words = assemble(isa, text, &n);
	assert_int_equal(n, 513 * 4);
	assert_int_equal(limn_isa_check(isa, words, 512 * 4, &m), 0);
	assert_int_equal(m.count, 0);
	limn_isa_messages_free(&m);
	assert_int_equal(limn_isa_check(isa, words, n, &m), 0);
	assert_int_equal(m.count, 1);
	assert_string_equal(m.list[0].rule, "length");
	assert_int_equal(m.list[0].at, 512 * 4);
	assert_non_null(strstr(m.list[0].text, "513 instructions; 512 are the most"));
	limn_isa_messages_free(&m);
	free(words);
}

struct declared_row {
	const char *text;
	struct isa_declared declared;
	const char *rule;
	unsigned int at;
	const char *says;
};

#define NO ISA_UNDECLARED
#define ANY ISA_UNIFORMS_UNKNOWN

static const struct declared_row declared_rows[] = {
	{ "mov t2.x, void, void, t1", { 3, NO, NO, ANY }, NULL, 0, NULL },
	{ "mov t0, void, void, t0\nmov t3.x, void, void, t1", { 3, NO, NO, ANY }, "temporaries", 4, "writes t3, but NUM_TEMPS declares 3" },
	{ "add t0, t1, void, t5", { 5, NO, NO, ANY }, "temporaries", 0, "reads t5, but NUM_TEMPS declares 5" },
	{ "branch.lt void, t5, u1, 0", { 5, NO, NO, ANY }, "temporaries", 0, "reads t5" },
	{ "add t0, u9, void, t1", { 2, NO, NO, ANY }, NULL, 0, NULL },
	{ "add t0, t1, void, t2", { NO, NO, NO, ANY }, NULL, 0, NULL },
	{ "add t0, t1, void, t2", { 3, 2, 2, ANY }, NULL, 0, NULL },
	{ "add t0, t1, void, t2", { 3, 2, 3, ANY }, "vs-inputs", 0, "2 inputs, but there are 3 vertex elements" },
	{ "mad t3, u0, t0, u1", { 9, NO, NO, ANY }, "one-uniform", 0, "one uniform on most chips; source 2's" },
	{ "mad t3, u0, t0, u1", { 9, NO, NO, ISA_ONE_UNIFORM }, "one-uniform", 0, "one uniform; source 2's" },
	{ "mad t3, u0, t0, u1", { 9, NO, NO, ISA_MANY_UNIFORMS }, NULL, 0, NULL },
	{ "add t0, t1, void, t0", { 2, 3, 3, ANY }, "temporaries", 0, "3 inputs come in temporaries, but NUM_TEMPS declares 2" },
};

static void test_declared(void **state)
{
	const struct isa *isa = limn_isa_find(VIV);

	for (size_t i = 0; i < sizeof(declared_rows) / sizeof(declared_rows[0]); i++) {
		const struct declared_row *r = &declared_rows[i];
		struct isa_messages m;
		uint32_t *words;
		size_t n;

		words = assemble(isa, r->text, &n);
		assert_int_equal(limn_isa_check_declared(isa, words, n, &r->declared, &m), 0);
		if (m.count != !!r->rule)
			fail_msg("\"%s\": %s", r->text, m.count ? m.list[0].text : "nothing is found");
		if (r->rule) {
			assert_string_equal(m.list[0].rule, r->rule);
			assert_int_equal(m.list[0].at, r->at);
			assert_non_null(strstr(m.list[0].text, r->says));
		}
		limn_isa_messages_free(&m);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_512),
		cmocka_unit_test(test_declared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
