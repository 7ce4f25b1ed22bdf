// SPDX-License-Identifier: MIT
/* Bad job files: each gets one line that names place and cause, and nothing else happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tool/job.h"
#include "tool/job_lex.h"

#define TARGET "target 64 64\n"
/* Lines 2 to 10: all that a triangle needs. */
#define DATA "attribute 0 float2 { 0 0 1 0 0 1 }\n" \
	     "outputs position\n" \
	     "vertex-shader {\nmov.a0 ^_/v0.x a0.x\n}\n" \
	     "fragment-shader {\nload.u 0, mov.v1 $0 ^uniform, stop\n}\n" \
	     "fragment-uniforms { 1 1 1 1 }\n"

static const struct {
	const char *text, *place, *cause;
} rows[] = {
	/* Syntax. */
	{ "", "1:1", "no target" },
	{ "# nothing\n\n", "3:1", "no target" },
	{ "clear depth 1\n", "1:1", "first statement must be target" },
	{ TARGET "frobnicate 3\n", "2:1", "no statement 'frobnicate'" },
	{ TARGET "{\n", "2:1", "a statement is expected" },
	{ TARGET "  clear depth 1 2\n", "2:17", "end of the line" },
	{ TARGET "clear depth\n", "2:12", "not 'end of line'" },
	{ TARGET "clear depth", "2:12", "not 'end of file'" },
	{ TARGET "attribute 0 float2 { 0 0\n1 x }\n", "3:3", "not 'x'" },
	{ TARGET "attribute 0 float2 { 0 0\n\n", "4:1", "not 'end of file'" },
	{ TARGET "attribute 0 float2 0 0\n", "2:20", "{ is expected" },
	{ TARGET "attribute 0 float2 { repeat 2 0 0 }\n", "2:31", "{ is expected" },
	{ TARGET "attribute 0 float2 { repeat 0 { 0 0 } }\n", "2:29", "not in 1 to" },
	{ TARGET "attribute 0 float2 { for 3 2 { 0 0 } }\n", "2:26", "a name is expected" },
	{ TARGET "attribute 0 float2 { for i 2 { i j } }\n", "2:34", "not 'j'" },
	{ TARGET "attribute 0 float2 { for i 2 { i i/0 } }\n", "2:34", "not 'i/0'" },
	{ TARGET "attribute 0 float2 { (1+2 0 }\n", "2:22", "not '(1+2'" },
	{ TARGET "attribute 0 float2 { sin2 0 }\n", "2:22", "not 'sin2'" },
	{ TARGET "attribute 0 float2 { i 0 }\n", "2:22", "not 'i'" },
	{ TARGET "attribute 0 float1 { repeat 4000000 { repeat 2 { 0 } } }\n", "2:50", "more than" },
	{ TARGET "attribute 0 float1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 { 0 } } } } } }\n",
	  "2:73", "loops within each other" },
	{ TARGET "attribute 0 float2 { nan 0 }\n", "2:22", "not 'nan'" },
	{ TARGET "attribute 0 float2 { 1e999 0 }\n", "2:22", "not '1e999'" },
	{ TARGET "vertex-shader \"no end\n", "2:15", "string without an end" },
	{ TARGET "vertex-shader {\nmov\n", "2:15", "without a line that holds its }" },
	{ TARGET "vertex-shader { mov }\n", "2:17", "not expected behind {" },
	{ TARGET "vertex-shader mov\n", "2:15", "{ is expected" },

	/* Values. */
	{ "target 0 64\n", "1:8", "not in 1 to 4096" },
	{ "target 64 4097\n", "1:11", "not in 1 to 4096" },
	{ "target 64 -1\n", "1:11", "whole number" },
	{ "target 64 64 rgb123\n", "1:14", "no pixel format 'rgb123'" },
	{ TARGET TARGET, "2:8", "second target" },
	{ TARGET "samples 2\n", "2:9", "none of 1 4" },
	{ TARGET "clear color 0 0 0 1.5\n", "2:19", "not in 0 to 1" },
	{ TARGET "clear stencil 256\n", "2:15", "not in 0 to 255" },
	{ TARGET "heap 100\n", "2:6", "not in 4096" },
	{ TARGET "frames 0\n", "2:8", "not in 1 to" },
	{ TARGET "scissor 0 0 65 1\n", "2:13", "not in 1 to 64" },
	{ TARGET "scissor 60 0 5 1\n", "2:14", "not in 1 to 4" },
	{ TARGET "scissor 0 0 0 1\n", "2:13", "not in 1 to 64" },
	{ TARGET "cull sideways\n", "2:6", "none of none front back both" },
	{ TARGET "depth maybe\n", "2:7", "none of never less" },
	{ TARGET "blend add src-alpha\n", "2:20", "no blend factor" },
	{ TARGET "blend add src-alpha two\n", "2:21", "no blend factor 'two'" },
	{ TARGET "color-mask rgx\n", "2:12", "letters of rgba" },
	{ TARGET "stencil always 0 256 keep keep keep 255\n", "2:18", "not in 0 to 255" },
	{ TARGET "stencil always 0 255 keep keep drop 255\n", "2:32", "'drop' is none of" },
	{ TARGET "sample-mask 16\n", "2:13", "not in 0 to 15" },
	{ TARGET "rsw 16 0 0\n", "2:5", "not in 0 to 15" },
	{ TARGET "point-size 0\n", "2:12", "not in 0.01" },
	{ TARGET "attribute 16 float2 { 0 0 }\n", "2:11", "not in 0 to 15" },
	{ TARGET "attribute 0 float5 { 0 0 }\n", "2:13", "no attribute format 'float5'" },
	{ TARGET "attribute 0 float0 { 0 0 }\n", "2:13", "no attribute format 'float0'" },
	{ TARGET "attribute 0 ubyten2 { 0\n 1.5 }\n", "3:2", "not in 0 to 1" },
	{ TARGET "attribute 0 byte2 { 0 128 }\n", "2:23", "not in -128 to 127" },
	{ TARGET "indices u8 { 0 256 }\n", "2:16", "index 256" },
	{ TARGET "indices u16 { 0 1.5 }\n", "2:17", "index 1.5" },
	{ TARGET "indices u32 { 0 }\n", "2:9", "none of u8 u16" },
	{ TARGET "outputs float4\n", "2:15", "one position" },
	{ TARGET "outputs position position\n", "2:26", "one position" },
	{ TARGET "outputs position byte4\n", "2:23", "a varying is" },
	{ TARGET "fragment-uniforms { 70000 }\n", "2:21", "too large for fp16" },
	{ TARGET "texture 0 rgb9 8 8 solid 0 0 0 0\n", "2:11", "no texture format 'rgb9'" },
	{ TARGET "texture 0 l8 8 8 levels 5 solid 0 0 0 0\n", "2:25", "not in 1 to 4" },
	{ TARGET "texture 0 l8 8 8 levels 2 rows solid 0 0 0 0\n", "2:32", "has one level" },
	{ TARGET "texture 0 l8 2 1 { 0 0 0 0 }\n", "2:18", "4 numbers, not 2x1 texels" },
	{ TARGET "texture 0 l8 2 1 png \"no-such.png\"\n", "2:22", "no-such.png" },
	{ TARGET "sampler 0 min linear\n", "2:11", "texture 0 is not set" },
	{ TARGET "texture 0 l8 1 1 solid 0 0 0 0\nsampler 0 max linear\n", "3:11", "'max'" },
	{ TARGET "texture-level 0 0 solid 0 0 0 0\n", "2:17", "texture 0 is not set" },
	{ TARGET "vertex-shader words { 1 2 3 }\n", "2:1", "instructions of 4 words" },
	{ TARGET "vertex-shader words { 1 2 3 4294967296 }\n", "2:29", "not a word" },
	{ TARGET "fragment-shader words { }\n", "2:1", "empty" },
	{ TARGET "vertex-shader \"no-such.s\"\n", "2:15", "no-such.s" },

	/* Counts. */
	{ TARGET "attribute 0 float3 { 0 0 0 1 }\n", "2:13", "4 numbers are not" },
	{ TARGET "attribute 0 float3 { }\n", "2:13", "0 numbers are not" },
	{ TARGET "vertex-uniforms { 1 2 3 }\n", "2:17", "vectors of 4" },
	{ TARGET "draw triangles 0 3\n", "2:1", "without a vertex-shader" },
	{ TARGET DATA "draw patches 0 3\n", "11:6", "'patches' is none of" },
	{ TARGET DATA "draw triangles 0 2\n", "11:1", "not enough or too many for triangles" },
	{ TARGET DATA "draw triangles 0 4\n", "11:1", "not enough or too many for triangles" },
	{ TARGET DATA "draw lines 0 3\n", "11:1", "too many for lines" },
	{ TARGET DATA "draw triangles 1 3\n", "11:1", "vertex 3 is drawn, attribute 0 has 3" },
	{ TARGET DATA "draw triangles 0 0\n", "11:18", "not in 1 to 65535" },
	{ TARGET DATA "draw triangles 0 99999\n", "11:18", "not in 1 to 65535" },
	{ TARGET DATA "draw-indexed triangles 0 3\n", "11:1", "without indices" },
	{ TARGET DATA "indices u8 { 0 1 }\ndraw-indexed triangles 0 3\n", "12:1", "there are 2" },
	{ TARGET DATA "indices u8 { 0 1 3 }\ndraw-indexed triangles 0 3\n", "12:1",
	  "vertex 3 is drawn" },
	{ TARGET DATA "attribute 2 float2 { 0 0 1 0 0 1 }\ndraw triangles 0 3\n", "12:1",
	  "attribute 1 is not" },
	{ TARGET DATA "texture 1 l8 1 1 solid 0 0 0 0\ndraw triangles 0 3\n", "12:1",
	  "texture 0 is not" },

	/* Shaders: their text, and what they name that is not there. */
	{ TARGET "vertex-shader {\n\tmov.a0 ^_/v0.x a0.q\n}\n", "3:20", "expected one of x, y, z, w" },
	{ TARGET "vertex-shader {\nmov.a0 ^x a0.x\n\nfrob ^x\n}\n", "5:1", "frob" },
	{ TARGET "fragment-shader {\nload.v $0 0, frob\n}\n", "3:14", "frob" },
	{ TARGET "fragment-shader {\n}\n", "3:1", "empty" },
	{ TARGET DATA "attribute 0 off\ndraw triangles 0 3\n", "12:1",
	  "attribute 0 does not exist (there are 0): instruction 0 of the vertex shader at line 5" },
	{ TARGET DATA "vertex-shader {\nmov.a0 ^_/v0.x t[2].x\n}\nvertex-uniforms { 1 2 3 4 5 6 7 8 }\n"
	  "draw triangles 0 3\n", "15:1", "uniform vector 2 does not exist (there are 2)" },
	{ TARGET DATA "vertex-shader {\nmov.a0 ^_/v0.x a0.x\n\nmov.a0 ^_/v1.x a0.x\n}\ndraw triangles 0 3\n",
	  "16:1", "output 1 does not exist (there are 1): instruction 1" },
	{ TARGET DATA "outputs position float2\ndraw triangles 0 3\n", "12:1",
	  "output 1 is never stored" },
	{ TARGET DATA "fragment-shader {\nload.v $0 0, stop\n}\ndraw triangles 0 3\n", "14:1",
	  "varying 0 does not exist (there are 0): word 0 of the fragment shader at line 12" },
	{ TARGET DATA "fragment-shader {\nload.u 1, mov.v1 $0 ^uniform, stop\n}\ndraw triangles 0 3\n", "14:1",
	  "uniform vector 1 does not exist (there are 1)" },
	{ TARGET DATA "outputs position float2\nvertex-shader {\nmov.a0 ^_/v0.x a0.x\n\nmov.a0 ^_/v1.x a0.x\n}\n"
	  "fragment-shader {\nload.v ^discard.xy 0.xy, texld 0, mov.v1 $0 ^texture, sync, stop\n}\n"
	  "draw triangles 0 3\n", "20:1", "texture 0 does not exist (there are 0)" },
};

static void bad_jobs(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct limn_error err = { "" };
		struct job *job = NULL;
		char begin[64];

		if (!job_parse("dir/job.limn", rows[i].text, &job, &err)) {
			job_free(job);
			fail_msg("row %zu was taken: %s", i, rows[i].text);
		}
		assert_null(job);
		snprintf(begin, sizeof(begin), "dir/job.limn:%s: ", rows[i].place);
		if (strncmp(err.text, begin, strlen(begin)) || !strstr(err.text, rows[i].cause) ||
		    strchr(err.text, '\n'))
			fail_msg("row %zu: '%s', not %s and '%s'", i, err.text, begin,
				 rows[i].cause);
	}
}

static void good_job(void **state)
{
	static const char text[] = TARGET "samples 4 # comment\n" "\n" DATA
		"vertex-uniforms { viewport 1 2 3 4 }\n"
		"indices u16 { repeat 2 { 2 1 0 } }\n"
		"depth lequal read-only\n"
		"draw-indexed triangles 3 3\n"
		"draw triangle-strip 0 3";
	static const float viewport[] = { 32, -32, 0.5f, 0, 32, 32, 0.5f, 0, 1, 2, 3, 4 };
	struct limn_error err;
	struct job *job;

	if (job_parse("job.limn", text, &job, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job->num_draws, 2);
	assert_int_equal(job->target.samples, 4);
	assert_int_equal(job->draws[0].draw.index_bytes, 2);
	assert_int_equal(job->draws[0].draw.start, 3);
	assert_int_equal(job->draws[0].draw.max_index, 2);
	assert_int_equal(job->draws[0].draw.num_attributes, 1);
	assert_true(job->draws[0].draw.state.depth_test);
	assert_false(job->draws[0].draw.state.depth_write);
	assert_int_equal(job->draws[0].draw.state.depth_func, RSW_LEQUAL);
	assert_int_equal(job->draws[0].draw.vs_prefetch, 0);
	assert_int_equal(job->draws[0].draw.num_vs_uniforms, 3);
	assert_memory_equal(job->draws[0].draw.vs_uniforms, viewport, sizeof(viewport));
	assert_int_equal(job->draws[1].draw.index_bytes, 0);
	assert_int_equal(job->draws[1].draw.mode, GP_MODE_TRIANGLE_STRIP);
	assert_int_equal(job->draws[1].line, 17);
	job_free(job);
}

static void expressions(void **state)
{
	static const char text[] = TARGET
		"attribute 0 float1 { for i 3 { for j 2 { -i*10+j } } 2*(3-1)/4 7%4 cos(0)+sqrt(9) }\n";
	static const float expected[] = { 0, 1, -10, -9, -20, -19, 1, 3, 4 };
	static const struct job_variable v[] = { { "x", 3 }, { "x", 4 } };
	struct limn_error err;
	struct job *job;
	double value;

	assert_true(job_evaluate("x*pi/pi+0x10", v, 2, &value));
	assert_float_equal(value, 20, 1e-9);
	if (job_parse("job.limn", text, &job, &err))
		fail_msg("%s", err.text);
	job_free(job);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		static const char *const texts[] = { "-0*10+0", "1", "-1*10", "-1*10+1", "-2*10",
						     "-2*10+1", "2*(3-1)/4", "7%4", "cos(0)+sqrt(9)" };

		assert_true(job_evaluate(texts[i], NULL, 0, &value));
		assert_float_equal(value, expected[i], 1e-9);
	}
}

/* Mesa 25.0.7 compiled these words and gave them prefetch 7 (userspace/tests/mesa: triangle). */
static void prefetch_of_mesas_shader(void **state)
{
	static const char text[] = TARGET
		"attribute 0 float2 { 0 0 1 0 0 1 }\nattribute 1 float4 { repeat 3 { 0 0 0 0 } }\n"
		"outputs position point-size float4\nvertex-uniforms { viewport 1 2 3 4 }\n"
		"vertex-shader words {\n"
		"0xad4ad463 0x438002b5 0x0147ff80 0x000a8d30 0xad41da56 0x438002b5 0x0007ff80 0x000ad510\n"
		"0xad4ad6b5 0x038002b5 0x0007ff80 0x000ad500 0x6e8ad6b5 0x038082b5 0x003fff80 0x000ad500\n"
		"0x740b06c0 0x478082b5 0x0037ff80 0x000ad500 0xb3080602 0x4380aad3 0x4807e780 0x00095500\n"
		"0xb3074b00 0x43802acd 0x4a47ff00 0x000c5100 0x74c84a3b 0x478062c2 0x46443f00 0x0001e109\n"
		"0x64cb42d7 0x038041b2 0x40026400 0x000ad508 }\n"
		"fragment-shader words { 0x000000a3 0xf0003c60 0 }\n"
		"draw triangles 0 3\n";
	struct limn_error err;
	struct job *job;

	if (job_parse("job.limn", text, &job, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job->draws[0].draw.vs_prefetch, 7);
	assert_false(job->draws[0].draw.fs_discards);
	job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_jobs),
		cmocka_unit_test(good_job),
		cmocka_unit_test(expressions),
		cmocka_unit_test(prefetch_of_mesas_shader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
