// SPDX-License-Identifier: MIT
/* Bad job files: each gets one line that names place and cause, and nothing else happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/utgard/utgard.h"
#include "tests/tool/jobs.h"
#include "tool/job/lex.h"
#include "tool/job/parser.h"

#define TARGET "target 64 64\n"
/* Lines 2 to 10: all that a triangle needs. */
#define DATA "attribute 0 float2 { 0 0 1 0 0 1 }\n" \
	     "outputs position\n" \
	     "vertex-shader {\nmov.a0 ^_/v0.x a0.x\n}\n" \
	     "fragment-shader {\nload.u 0, mov.v1 $0 ^uniform, stop\n}\n" \
	     "fragment-uniforms { 1 1 1 1 }\n"

#define VIVANTE "vivante\ntarget 64 64\n"
/* Lines 3 to 11. */
#define VIV_DATA "attribute 0 float2 { -1 -1  1 -1  -1 1  1 1 }\n" \
		 "outputs position t0\n" \
		 "vertex-shader {\n\tmov t0, void, void, t0\n}\n" \
		 "fragment-shader {\n\tmov t1, void, void, u0\n}\n" \
		 "fragment-uniforms { 1 0 0 1 }\n"
#define TWO_D "vivante 2d\ntarget 64 64\n"

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
	{ TARGET "attribute 0 float2 { (1+2 0 }\n", "2:27", "a ) is missing" },
	{ TARGET "attribute 0 float2 { sin2 0 }\n", "2:22", "not 'sin2'" },
	{ TARGET "attribute 0 float2 { i 0 }\n", "2:22", "not 'i'" },
	{ TARGET "attribute 0 float1 { repeat 4000000 { repeat 2 { 0 } } }\n", "2:46", "turns of loops in a block" },
	{ TARGET "attribute 0 float1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 { repeat 1 {"
	  " repeat 1 { repeat 1 { 0 } } } } } } } } } }\n", "2:117", "loops within each other" },

	/* The language. */
	{ "let 2x = 1\n", "1:5", "'2x' is no name" },
	{ "let x 1\n", "1:7", "= is expected, not '1'" },
	{ "let x = 1 +\n", "1:12", "a number is expected" },
	{ "let x = y\ntarget 8 8\n", "1:9", "'y' is not known" },
	{ "include \"no-such.limn\"\n", "1:9", "no-such.limn: No such file" },
	{ "include \"userspace\"\n", "1:9", "userspace: " },
	{ "include nothing\n", "1:9", "a name in quotes is expected" },
	{ "for i 2\n", "1:8", "{ is expected" },
	{ "for 2 2 {\n}\n", "1:5", "'2' is no name" },
	{ TARGET "for i 2 {\ncull back\n", "2:1", "without a line that holds its }" },
	{ TARGET "for i 2 {\n} cull\n", "3:3", "end of the line is expected" },
	{ TARGET "for i 2 {\n\tcull bck\n}\n", "3:7", "did you mean back?" },
	{ TARGET "}\n", "2:1", "a statement is expected" },
	{ TARGET "for i -1 {\n}\n", "2:7", "not in 0 to" },
	{ "scene a\nscene b\ntarget 1 1\n", "2:1", "has no target" },
	{ TARGET "scene\n", "2:6", "something is expected" },
	{ TARGET "gpu gc2001\n", "2:5", "did you mean gc2000?" },
	{ TARGET "expect pixel 64,0 1 1 1 1\n", "2:14", "64,0 is not within the target's 64x64" },
	{ TARGET "expect pixel 6 1 1 1 1\n", "2:14", "with a comma or an x" },
	{ TARGET "expect pixels 60,0 8x1 { 0 0 0 0 }\n", "2:20", "8x1 from 60,0 is not within" },
	{ TARGET "expect pixels 0,0 8x1 { 0 0 0 }\n", "2:23", "3 numbers, not 4 or 8x1 times 4" },
	{ TARGET "expect pixl 0,0 1 1 1 1\n", "2:8", "did you mean pixel?" },
	{ TARGET "depth (8)\n", "2:7", "no word number 8" },
	{ TARGET "depth (1\n", "2:9", "a ) is missing" },
	{ TARGET "attribute 0 float2 { nan 0 }\n", "2:22", "not 'nan'" },
	{ TARGET "attribute 0 float2 { 1e999 0 }\n", "2:22", "not '1e999'" },
	{ TARGET "vertex-shader \"no end\n", "2:15", "string without an end" },
	{ TARGET "vertex-shader {\nmov\n", "2:15", "without a line that holds its }" },
	{ TARGET "vertex-shader { mov }\n", "2:17", "unknown instruction 'mov'" },
	{ TARGET "vertex-shader mov\n", "2:15", "none of \"FILE\" words {" },

	/* Values. */
	{ "target 0 64\n", "1:8", "not in 1 to 4096" },
	{ "target 64 4097\n", "1:11", "not in 1 to 4096" },
	{ "target 64 -1\n", "1:11", "not in 1 to 4096" },
	{ "target 64 64 rgb566\n", "1:14", "did you mean rgb565?" },
	{ TARGET TARGET, "2:1", "a second target" },
	{ TARGET "samples 2\n", "2:9", "none of 1 4" },
	{ TARGET "clear color 0 0 0 1.5\n", "2:19", "not in 0 to 1" },
	{ TARGET "clear stencil 256\n", "2:15", "not in 0 to 255" },
	{ TARGET "heap 100\n", "2:6", "not in 4096" },
	{ TARGET "frames 0\n", "2:8", "not in 1 to" },
	{ TARGET "scissor 0 0 65 1\n", "2:13", "not in 1 to 64" },
	{ TARGET "scissor 60 0 5 1\n", "2:14", "not in 1 to 4" },
	{ TARGET "scissor 0 0 0 1\n", "2:13", "not in 1 to 4096" },
	{ TARGET "cull sideways\n", "2:6", "none of none front back both" },
	{ TARGET "depth maybe\n", "2:7", "none of off never less" },
	{ TARGET "blend add src-alpha\n", "2:20", "end of line: one of zero one src" },
	{ TARGET "blend add src-alpha two\n", "2:21", "'two' is none of zero one src" },
	{ TARGET "color-mask rgx\n", "2:12", "letters of rgba" },
	{ TARGET "stencil always 0 256 keep keep keep 255\n", "2:18", "not in 0 to 255" },
	{ TARGET "stencil always 0 255 keep keep drop 255\n", "2:32", "'drop' is none of" },
	{ TARGET "sample-mask 16\n", "2:13", "not in 0 to 15" },
	{ TARGET "state RSW.DEPHT_FUNC 1\n", "2:7", "no state 'RSW.DEPHT_FUNC'; did you mean RSW.DEPTH_FUNC?" },
	{ TARGET "state TEX[16].WIDTH 1\n", "2:7", "no state" },
	{ TARGET "state RSW.DEPTH_FUNC 8\n", "2:22", "8 is not in 0 to 7" },
	{ TARGET "state RSW.DEPTH_FUNC lesser\n", "2:22", "a number or a name of its values" },
	{ TARGET "state RSW.DEPTH_OFFSET_UNITS -129\n", "2:30", "not in -128 to 127" },
	{ TARGET "point-size 0\n", "2:12", "not in 0.01" },
	{ TARGET "attribute 16 float2 { 0 0 }\n", "2:11", "not in 0 to 15" },
	{ TARGET "attribute 0 float5 { 0 0 }\n", "2:13", "'float5' is none of float half" },
	{ TARGET "attribute 0 float0 { 0 0 }\n", "2:13", "'float0' is none of float half" },
	{ TARGET "attribute 0 ubyten2 { 0\n 1.5 }\n", "3:2", "not in 0 to 1" },
	{ TARGET "attribute 0 byte2 { 0 128 }\n", "2:23", "not in -128 to 127" },
	{ TARGET "indices u8 { 0 256 }\n", "2:16", "index 256" },
	{ TARGET "indices u16 { 0 1.5 }\n", "2:17", "index 1.5" },
	{ TARGET "indices u32 { 0 }\n", "2:9", "none of u8 u16" },
	{ TARGET "outputs float4\n", "2:1", "one position, at most one" },
	{ TARGET "outputs position position\n", "2:1", "one position, at most one" },
	{ TARGET "outputs position byte4\n", "2:18", "'byte4' is none of position" },
	{ TARGET "fragment-uniforms { 70000 }\n", "2:21", "too large for fp16" },
	{ TARGET "texture 0 rgb9 8 8 solid 0 0 0 0\n", "2:11", "'rgb9' is none of off rgba8888" },
	{ TARGET "texture 0 l8 8 8 levels 5 solid 0 0 0 0\n", "2:25", "not in 1 to 4" },
	{ TARGET "texture 0 l8 8 8 levels 2 rows solid 0 0 0 0\n", "2:27", "has one level" },
	{ TARGET "texture 0 l8 2 1 { 0 0 0 0 }\n", "2:18", "4 numbers, not 2x1 texels" },
	{ TARGET "texture 0 l8 2 1 png \"no-such.png\"\n", "2:22", "no-such.png" },
	{ TARGET "sampler 0 min linear\n", "2:9", "texture 0 is not set" },
	{ TARGET "texture 0 l8 1 1 solid 0 0 0 0\nsampler 0 max linear\n", "3:11", "'max'" },
	{ TARGET "texture-level 0 0 solid 0 0 0 0\n", "2:1", "texture 0 is not set" },
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
	{ TARGET DATA "indices u8 { 0 1 3 }\ndraw-indexed triangles 0 3\n", "11:18",
	  "vertex 3 is drawn at line 12" },
	{ TARGET DATA "attribute 2 float2 { 0 0 1 0 0 1 }\ndraw triangles 0 3\n", "12:1",
	  "attribute 1 is not" },
	{ TARGET DATA "texture 1 l8 1 1 solid 0 0 0 0\ndraw triangles 0 3\n", "12:1",
	  "texture 0 is not" },

	/* Shaders: their text, and what they name that is not there. */
	{ TARGET "vertex-shader {\n\tmov.a0 ^_/v0.x a0.q\n}\n", "3:20", "expected one of x, y, z, w" },
	{ TARGET "vertex-shader {\nmov.a0 ^x a0.x\n\nfrob ^x\n}\n", "5:1", "frob" },
	{ TARGET "fragment-shader {\nload.v $0 0, frob\n}\n", "3:14", "frob" },
	{ TARGET "fragment-shader {\n}\n", "3:1", "empty" },
	{ TARGET DATA "attribute 0 off\ndraw triangles 0 3\n", "5:1",
	  "attribute 0 does not exist (there are 0) at line 12, which draws with this vertex shader" },
	{ TARGET DATA "vertex-shader {\nmov.a0 ^_/v0.x t[2].x\n}\nvertex-uniforms { 1 2 3 4 5 6 7 8 }\n"
	  "draw triangles 0 3\n", "12:1", "uniform vector 2 does not exist (vertex-uniforms gives 2) at line 15" },
	{ TARGET DATA "vertex-shader {\nmov.a0 ^_/v0.x a0.x\n\nmov.a0 ^_/v1.x a0.x\n}\ndraw triangles 0 3\n",
	  "14:1", "output 1 does not exist (outputs names 1) at line 16" },
	{ TARGET DATA "outputs position float2\ndraw triangles 0 3\n", "5:1",
	  "output 1 is never stored by this vertex shader, with which line 12 draws" },
	{ TARGET DATA "fragment-shader {\nload.v $0 0, stop\n}\ndraw triangles 0 3\n", "12:1",
	  "varying 0 does not exist (outputs names 0) at line 14" },
	{ TARGET DATA "fragment-shader {\nload.u 1, mov.v1 $0 ^uniform, stop\n}\ndraw triangles 0 3\n", "12:1",
	  "uniform vector 1 does not exist (fragment-uniforms gives 1)" },
	{ TARGET DATA "outputs position float2\nvertex-shader {\nmov.a0 ^_/v0.x a0.x\n\nmov.a0 ^_/v1.x a0.x\n}\n"
	  "fragment-shader {\nload.v ^discard.xy 0.xy, texld 0, mov.v1 $0 ^texture, sync, stop\n}\n"
	  "draw triangles 0 3\n", "18:1", "texture 0 does not exist (those that are set: 0)" },

	/* Jobs for Vivante. */
	{ "vivante\n", "2:1", "no target" },
	{ "vivante 3d\n", "1:9", "end of the line is expected" },
	{ "vivante\nclear depth 1\n", "2:1", "first statement must be target" },
	{ VIVANTE "target 8 8\n", "3:1", "a second target" },
	{ VIVANTE "frobnicate\n", "3:1", "no statement 'frobnicate'" },
	{ VIVANTE "heap 4096\n", "3:1", "'heap' is no statement of jobs for Vivante" },
	{ "vivante\ntarget 0 64\n", "2:8", "not in 1 to 4096" },
	{ "vivante\ntarget 64 64 rgb888\n", "2:14", "none of bgra8888 rgb565 rgba4444 rgba5551 linear tiled" },
	{ VIVANTE "samples 3\n", "3:9", "none of 1 2 4" },
	{ VIVANTE "depth-buffer d32\n", "3:14", "none of d16 d24s8" },
	{ VIVANTE "fast-clear maybe\n", "3:12", "none of off on" },
	{ VIVANTE "clear color 0 0 2 1\n", "3:17", "not in 0 to 1" },
	{ VIVANTE "cull both\n", "3:6", "none of none front back" },
	{ VIVANTE "blend add one\n", "3:14", "one of zero one" },
	{ VIVANTE "color-mask rgx\n", "3:12", "letters of rgba" },
	{ VIVANTE "scissor 60 0 5 1\n", "3:14", "not in 1 to 4" },
	{ VIVANTE "state NO.SUCH 1\n", "3:7", "no state 'NO.SUCH'" },
	{ VIVANTE "state RS.DEST_ADDR 4096\n", "3:20", "an address is expected" },
	{ VIVANTE "state RS.DEST_ADDR target-4\n", "3:20", "an address is expected" },
	{ VIVANTE "state RS.DEST_ADDR target+\n", "3:20", "an address is expected" },
	{ VIVANTE "state RS.DEST_ADDR target+0.5\n", "3:20", "an address is expected" },
	{ VIVANTE "state PE.COLOR_ADDR 1\n", "3:21", "an address is expected" },
	{ VIVANTE "state MMUv2.CONFIGURATION 1\n", "3:7", "not a job's to write" },
	{ VIVANTE "state HI.CLOCK_CONTROL 1\n", "3:7", "not a job's to write" },
	{ VIVANTE "state PE.DITHER[2] 1\n", "3:7", "has 2 elements" },
	{ VIVANTE "attribute 16 float2 { 0 0 }\n", "3:11", "not in 0 to 15" },
	{ VIVANTE "attribute 0 float5 { 0 0 }\n", "3:13", "'float5' is none of" },
	{ VIVANTE "attribute 0 float2 { 0 0 0 }\n", "3:13", "3 numbers are not" },
	{ VIVANTE "indices u8 { 256 }\n", "3:14", "not a whole number in 0 to 255" },
	{ VIVANTE "outputs float2 t1\n", "3:1", "one position, at most one" },
	{ VIVANTE "outputs position v1\n", "3:18", "a temporary, t0 to t63" },
	{ VIVANTE "outputs position t64\n", "3:18", "a temporary, t0 to t63" },
	{ VIVANTE "outputs position t0 float5 t1\n", "3:21", "'float5' is none of" },
	{ VIVANTE "vertex-uniforms { 1 2 3 }\n", "3:17", "vectors of 4" },
	{ VIVANTE "vertex-shader {\n\tmov t0, void, void, t0\n\tfrob t0\n}\n", "5:2", "frob" },
	{ VIVANTE "texture 0 dxt9 4 4 solid 0 0 0 0\n", "3:11", "did you mean dxt1?" },
	{ VIVANTE "texture 0 l8 4 4 levels 4 solid 0 0 0 0\n", "3:25", "not in 1 to 3" },
	{ VIVANTE "texture 0 l8 4 4 levels 2 linear solid 0 0 0 0\n", "3:27", "linear texture has one level" },
	{ VIVANTE "texture 0 l8 2 2 { 1 2 3 }\n", "3:18", "not 2x2 texels" },
	{ VIVANTE "texture 0 etc1 4 4 solid 0 0 0 1\n", "3:18", "is given as bytes" },
	{ VIVANTE "texture 0 etc1 4 4 bytes { 1 2 3 }\n", "3:26", "3 bytes are not the 8 " },
	{ VIVANTE "texture 0 l8 1 1 bytes { 256 }\n", "3:26", "256 is no byte" },
	{ VIVANTE "texture 0 l8 1 1 bytes { 0.5 }\n", "3:26", "0.5 is no byte" },
	{ VIVANTE "texture 0 l8 4 2 cube solid 0 0 0 0\n", "3:18", "square, not 4x2" },
	{ VIVANTE "texture 0 l8 4 4 volume 0 solid 0 0 0 0\n", "3:25", "not in 1 to 256" },
	{ VIVANTE "texture 0 l8 4 4 volume 4 linear solid 0 0 0 0\n", "3:27", "linear texture has one image" },
	{ VIVANTE "texture 0 l8 4 4 volume 4 levels 2 solid 0 0 0 0\n", "3:34", "volume with levels" },
	{ VIVANTE "texture 0 rgba8888 4096 4096 volume 5 solid 0 0 0 0\n", "3:37", "is too large" },
	{ VIVANTE "texture 0 dxt1 4 4 supertiled bytes { 0 }\n", "3:20", "neither linear nor supertiled" },
	{ VIVANTE "sampler 3 min linear\n", "3:9", "texture 3 is not set" },
	{ VIVANTE "texture 0 l8 1 1 solid 0 0 0 0\nsampler 0 min cubic\n", "4:15", "none of nearest linear" },

	{ VIVANTE "draw triangles 0 3\n", "3:1", "without a vertex-shader" },
	{ VIVANTE VIV_DATA "draw triangles 0 4\n", "12:1", "not enough or too many" },
	{ VIVANTE VIV_DATA "draw triangles 2 3\n", "12:1", "vertex 4 is drawn, attribute 0 has 4" },
	{ VIVANTE VIV_DATA "draw-indexed triangles 0 3\n", "12:1", "without indices" },
	{ VIVANTE VIV_DATA "indices u8 { 0 1 9 }\ndraw-indexed triangles 0 3\n", "12:18", "vertex 9 is drawn at line 13" },
	{ VIVANTE VIV_DATA "indices u8 { 0 1 2 }\ndraw-indexed triangles 1 3\n", "13:1", "indices 1 to 3 are drawn, there are 3" },
	{ VIVANTE VIV_DATA "attribute 2 float1 { 0 }\ndraw triangles 0 3\n", "13:1", "attribute 1 is not" },
	{ VIVANTE VIV_DATA "depth less\ndraw triangles 0 3\n", "13:1", "without a depth-buffer" },
	{ VIVANTE "depth-buffer d16\n" VIV_DATA "stencil always 0 1 keep keep keep 1\ndraw triangles 0 3\n", "14:1",
	  "without depth-buffer d24s8" },
	{ VIVANTE VIV_DATA "fragment-uniforms { }\ndraw triangles 0 3\n", "9:2", "uniform vector 0 does not exist" },
	{ VIVANTE VIV_DATA "fragment-shader {\n\ttexld t1, tex3, t1, void, void\n}\ndraw triangles 0 3\n", "13:2",
	  "texture 3 does not exist (those that are set: 0) at line 15" },
	/* A missing } of a shader, with statements behind it: they are read. */
	{ VIVANTE VIV_DATA "vertex-shader {\n\tmov t0, void, void, t0\noutputs position t0\ndraw triangles 0 3\n", "12:15",
	  "'outputs' on line 14 begins a statement" },
	{ TARGET DATA "fragment-shader {\nload.u 0, mov.v1 $0 ^uniform, stop\ndraw triangles 0 3\ncull none\n", "11:17",
	  "'draw' on line 13 begins a statement" },
	{ TARGET "vivante\n", "2:1", "vivante must stand before" },
	{ TARGET "fast-clear on\n", "2:1", "as this one is, without the line 'vivante'" },
	{ "target 64 64 supertiled\n", "1:14", "jobs for Vivante have it, this one is for Utgard" },
	{ TARGET "let pi = 3\n", "2:5", "'pi' is always there" },
	{ TARGET "let sin(x) = 3\n", "2:5", "'sin' is always there" },
	{ TARGET "let width = 3\n", "2:5", "'width' is always there" },
	{ TARGET "let half = 3\nlet x = haff\n", "3:9", "did you mean half?" },
	{ TARGET "scene one\nscene two\nexpect same ome\n", "4:13", "no scene 'ome' stands before this one; did you mean one?" },
	{ TARGET "gpu mali400\n", "2:5", "there are: mali-400-mp1" },

	{ TWO_D "draw triangles 0 3\n", "3:1", "'draw' is no statement of jobs for Vivante's 2D" },
	{ TWO_D "fill 0 0 65 1 0 0 0 1\n", "3:10", "not in 1 to 64" },
	{ TWO_D "copy nothing 0 0 0 0 1 1\n", "3:6", "no image 'nothing'" },
	{ TWO_D "image a 8 8 solid 0 0 0 1\ncopy a 4 0 0 0 5 1\n", "4:12", "larger than what 'a' has" },
	{ TWO_D "image a 8 8 solid 0 0 0 1\nstretch a 0 0 9 8 0 0 8 8\n", "4:15", "not in 1 to 8" },
	{ TWO_D "image a 8 80 solid 0 0 0 1\nrotate a 90 0 0\n", "4:15", "does not fit" },
};

/* A shader whose { is missing is one mistake; what stands behind its } is read. */
static void missing_open(void **state)
{
	struct messages messages = { 0 };
	struct job *job = NULL;

	assert_int_not_equal(job_parse("job.limn", TARGET "vertex-shader\n\tmov.a0 ^x a0.x\n}\nfrobnicate\n", NULL, &job, &messages), 0);
	assert_int_equal(messages.errors, 2);
	assert_int_equal(messages.list[0].at.line, 2);
	assert_int_equal(messages.list[1].at.line, 5);
	messages_free(&messages);
	/* The { behind is another text's. */
	assert_int_not_equal(job_parse("job.limn", TARGET "vertex-shader\nfragment-shader {\n\tstop\n}\nfrobnicate\n", NULL, &job, &messages), 0);
	assert_int_equal(messages.list[1].at.line, 6);
	messages_free(&messages);
}

/* The first message is at the place and has the cause in it. */
static void bad_jobs(void **state)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct messages messages = { 0 };
		struct job *job = NULL;
		char place[64] = "", text[300] = "";

		if (!job_parse("dir/job.limn", rows[i].text, NULL, &job, &messages)) {
			job_free(job);
			fail_msg("row %zu was taken: %s", i, rows[i].text);
		}
		assert_true(messages.count && messages.errors);
		snprintf(place, sizeof(place), "%u:%u", messages.list[0].at.line, messages.list[0].at.column);
		snprintf(text, sizeof(text), "%s", messages.list[0].text);
		assert_string_equal(messages.list[0].at.source->path, "dir/job.limn");
		if (strcmp(place, rows[i].place) || !strstr(text, rows[i].cause) || strchr(text, '\n')) {
			print_error("%s\n%s: %s\nnot %s: %s\n", rows[i].text, place, text, rows[i].place,
				    rows[i].cause);
			wrong++;
		}
		messages_free(&messages);
		job_free(job);
	}
	assert_int_equal(wrong, 0);
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
	struct job *job = job_of(text);

	assert_int_equal(job->scenes[0]->num_draws, 2);
	assert_int_equal(job->scenes[0]->target.samples, 4);
	assert_int_equal(job->scenes[0]->draws[0].indices->index_bytes, 2);
	assert_int_equal(job->scenes[0]->draws[0].first, 3);
	assert_int_equal(job->scenes[0]->draws[0].max_index, 2);
	assert_int_equal(job->scenes[0]->draws[0].num_attributes, 1);
	assert_true(job->scenes[0]->draws[0].state.depth_test);
	assert_false(job->scenes[0]->draws[0].state.depth_write);
	assert_int_equal(job->scenes[0]->draws[0].state.depth_func, RSW_LEQUAL);
	assert_int_equal(job->scenes[0]->draws[0].shaders[JOB_VERTEX]->prefetch, 0);
	assert_int_equal(job->scenes[0]->draws[0].num_uniforms[JOB_VERTEX], 3);
	assert_memory_equal(job->scenes[0]->draws[0].uniforms[JOB_VERTEX], viewport, sizeof(viewport));
	assert_null(job->scenes[0]->draws[1].indices);
	assert_int_equal(job->scenes[0]->draws[1].mode, GP_MODE_TRIANGLE_STRIP);
	assert_int_equal(job->scenes[0]->draws[1].at.line, 17);
	job_free(job);
}

static const char *name_x(void *ctx, const char *name, const struct job_value *arguments, unsigned int count,
			  struct job_value *value)
{
	*value = (struct job_value){ .count = 1, .v = { 4 } };
	return strcmp(name, "x") ? JOB_UNKNOWN : NULL;
}

static void matrix_is(const char *text, const double expected[16])
{
	struct job_value value;

	assert_null(job_evaluate(text, NULL, NULL, &value));
	assert_int_equal(value.count, 16);
	for (int i = 0; i < 16; i++)
		assert_float_equal(value.v[i], expected[i], 1e-9);
}

static void expressions(void **state)
{
	static const struct {
		const char *text;
		double value;
	} numbers[] = {
		{ "x*pi/pi+0x10", 20 }, { "-0*10+0", 0 }, { "-2*10+1", -19 }, { "2*(3-1)/4", 1 }, { "7%4", 3 },
		{ "cos(0)+sqrt(9)", 4 }, { "( 1 + 2 ) * 3", 9 }, { "pick(2, 5, 6, 7)", 7 }, { "1<2", 1 }, { "3 <= 2", 0 },
		{ "(2==2)+(2!=2)", 1 }, { "floor(rand(7)*1e6)==floor(rand(7)*1e6)", 1 }, { "rand(1)<1", 1 },
		{ "and(12, 10)+or(1, 2)", 11 }, { "vec(1,2,3)*vec(1,0,0)==1", 1 }, { "log2(8)", 3 }, { "min(3, max(1, 2))", 2 }, { "abs(-x)", 4 },
	};
	static const double moved[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1 };
	static const double quarter[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
	/* f = 1, near 1, far 3: the columns of gluPerspective's matrix. */
	static const double lens[16] = { 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -1, 0, 0, -3, 0 };
	/* From (0, 0, 5) to the origin: five back. */
	static const double camera[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1 };
	static const struct {
		const char *text, *wrong;
		unsigned int at;
	} bad[] = {
		{ "1+", "a number is expected", 2 }, { "(1", "a ) is missing", 2 }, { "1/0", "not finite", 0 },
		{ "sin", "a ( is expected", 3 }, { "min(1)", "min takes 2 numbers", 0 }, { "1 2", "an operator is missing", 2 },
		{ "1,", "no , or ;", 1 }, { "1x", "it is no number", 0 }, { "1 + x", "'x' is not known", 4 },
		{ "sqrtt(2)", "did you mean sqrt?", 0 }, { "translate(1,2,3)+scale(1,1)", "scale takes 3", 17 },
		{ "vec(1,2)+vec(1,2,3)", "different lengths", 19 }, { "pick(-1, 1)", "no number i", 11 }, { "pick(2)", "no number i", 7 },
	};
	struct job_value value;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_null(job_evaluate(numbers[i].text, name_x, NULL, &value));
		assert_int_equal(value.count, 1);
		assert_float_equal(value.v[0], numbers[i].value, 1e-9);
	}
	matrix_is("translate(1, 2, 3)", moved);
	matrix_is("scale(2,2,2)*translate(1,2,3)*scale(0.5,0.5,0.5)*translate(-1,-2,-3)*translate(1,2,3)", (const double [16]) {
		1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 4, 6, 1 });
	matrix_is("rotate(90, 0, 0, 1)", quarter);
	matrix_is("perspective(90, 2, 1, 3)", lens);
	matrix_is("look_at(0,0,5, 0,0,0, 0,1,0)", camera);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *wrong = job_evaluate(bad[i].text, NULL, NULL, &value);

		if (!wrong || !strstr(wrong, bad[i].wrong))
			fail_msg("%s: %s, not %s", bad[i].text, wrong ? wrong : "taken", bad[i].wrong);
		if (value.wrong_at != bad[i].at)
			fail_msg("%s: wrong at %u, not %u", bad[i].text, value.wrong_at, bad[i].at);
	}
}

/* Loops in a block, and what they count. */
static void loops(void **state)
{
	static const char text[] = TARGET DATA
		"vertex-uniforms { for i 3 { for j 2 { -i*10+j } } 2*(3-1)/4 7%4 repeat 2 { 5 6 } }\n"
		"draw triangles 0 3\n";
	static const float expected[] = { 0, 1, -10, -9, -20, -19, 1, 3, 5, 6, 5, 6 };
	struct job *job = job_of(text);

	assert_int_equal(job->scenes[0]->draws[0].num_uniforms[JOB_VERTEX], 3);
	assert_memory_equal(job->scenes[0]->draws[0].uniforms[JOB_VERTEX], expected, sizeof(expected));
	job_free(job);
}

/* All errors of a file are told, each once, and none that is only a consequence. */
static void all_errors(void **state)
{
	static const char text[] = "target 64 64\nscisor 0 0 1 1\ndepth lesss\nattribute 0 float2 {\n 1 2 x\n}\n"
				   "vertex-shader {\nfrob a\n\nmov.a0 ^_/v0.x a0.q\n}\ncull bck\ntexture 0 rgba888 4 4 solid 1 1 1 1\n"
				   "sampler 0 min linear\ndraw triangle 0 3\n";
	static const struct {
		unsigned int line;
		const char *text;
	} expected[] = {
		{ 2, "did you mean scissor?" }, { 3, "did you mean less?" }, { 5, "not 'x'" }, { 8, "frob" },
		{ 10, "expected one of x, y, z, w" }, { 12, "did you mean back?" }, { 13, "did you mean rgba8888?" },
		{ 15, "did you mean triangles?" },
	};
	struct messages messages = { 0 };
	struct job *job;
	size_t n = sizeof(expected) / sizeof(expected[0]);

	assert_int_equal(job_parse("row", text, NULL, &job, &messages), -1);
	for (size_t i = 0; i < messages.count; i++)
		if (i >= n || messages.list[i].at.line != expected[i].line ||
		    !strstr(messages.list[i].text, expected[i].text))
			fail_msg("message %zu: %u: %s", i, messages.list[i].at.line, messages.list[i].text);
	assert_int_equal(messages.count, n);
	messages_free(&messages);
	job_free(job);
}

static struct job *with(const struct job_options *options, const char *text, struct messages *messages)
{
	struct job *job;

	if (job_parse("row", text, options, &job, messages) && !options) {
		messages_print(messages, stderr);
		fail_msg("%s", text);
	}
	return job;
}

/* Names, -D, loops over statements, the number of the frame. */
static void language(void **state)
{
	static const char text[] = "let n = 2 * 3\nlet plus(a, b) = a+b\nlet m = plus(n, 1)\ntarget n m\nfor i n/2 {\n\tfor j i {\n"
				   "\t\tfill 0 0 1+i 1+j 0 0 0 1\n\t}\n}\nfill frame 0 1 1 0 0 0 1\n";
	static const char *const defines[] = { "n=4", "unknown=1" };
	struct job_options options = { .defines = defines, .num_defines = 1, .frame = 3 };
	struct messages messages = { 0 };
	char all[400];
	struct job *job;

	snprintf(all, sizeof(all), "vivante 2d\n%s", text);
	job = with(NULL, all, &messages);
	assert_int_equal(job->scenes[0]->target.width, 6);
	assert_int_equal(job->scenes[0]->target.height, 7);
	/* i = 1, 2: one and two turns of j. */
	assert_int_equal(job->scenes[0]->num_ops, 3 + 1);
	assert_int_equal(job->scenes[0]->ops[2].op.to.x2, 3);
	assert_int_equal(job->scenes[0]->ops[2].op.to.y2, 2);
	assert_int_equal(job->scenes[0]->ops[3].op.to.x1, 0);
	assert_true(job->uses_frame);
	job_free(job);
	job = with(&options, all, &messages);
	assert_int_equal(messages.errors, 0);
	assert_int_equal(job->scenes[0]->target.width, 4);
	assert_int_equal(job->scenes[0]->num_ops, 1 + 1);
	assert_int_equal(job->scenes[0]->ops[1].op.to.x1, 3);
	job_free(job);
	options.num_defines = 2;
	job = with(&options, all, &messages);
	assert_int_equal(messages.errors, 1);
	assert_non_null(strstr(messages.list[0].text, "the job has no 'let unknown'"));
	messages_free(&messages);
	job_free(job);
}

/* Each scene starts with what stands before the first, and with no more. */
static void scenes(void **state)
{
	static const char text[] = TARGET DATA "depth less\ndraw triangles 0 3\nlet a = 1\n"
		"scene one\ncull back\nlet a = 5\ndraw triangles 0 3\n"
		"for i 2 {\n\tscene turn\n\tdepth (i+a)\n\tdraw triangles 0 3\n\tdraw triangles 0 3\n}\n";
	struct messages messages = { 0 };
	struct job *job = with(NULL, text, &messages);

	assert_int_equal(job->num_scenes, 3);
	assert_string_equal(job->scenes[0]->name, "one");
	assert_string_equal(job->scenes[1]->name, "turn i=0");
	assert_string_equal(job->scenes[2]->name, "turn i=1");
	assert_int_equal(job->scenes[0]->num_draws, 2);
	assert_int_equal(job->scenes[1]->num_draws, 3);
	assert_int_equal(job->scenes[2]->num_draws, 3);
	assert_int_equal(job->scenes[0]->draws[1].state.cull, 2);
	assert_int_equal(job->scenes[1]->draws[1].state.cull, 0);
	assert_int_equal(job->scenes[1]->draws[0].state.depth_func, RSW_LESS);
	/* Names hold from their line on, whatever the scene. */
	assert_int_equal(job->scenes[1]->draws[2].state.depth_func, RSW_NOTEQUAL);
	assert_int_equal(job->scenes[2]->draws[2].state.depth_func, RSW_GEQUAL);
	assert_int_equal(job->scenes[2]->target.width, 64);
	job_free(job);
}

/* What is printed: the line, a caret below, the form. */
static void shown(void **state)
{
	struct messages messages = { 0 };
	struct job *job;
	char *text = NULL;
	size_t length;
	FILE *to;

	assert_int_equal(job_parse("a.limn", TARGET "\tcull bck # odd\r\n", NULL, &job, &messages), -1);
	to = open_memstream(&text, &length);
	messages_print(&messages, to);
	fclose(to);
	assert_string_equal(text, "a.limn:2:7: 'bck' is none of none front back both; did you mean back?\n"
				  "  \tcull bck # odd\n  \t     ^~~\n  the form: cull CULL\n");
	free(text);
	to = open_memstream(&text, &length);
	messages_json(&messages, to);
	fclose(to);
	assert_non_null(strstr(text, "\"column\": 7,\n"));
	free(text);
	messages_free(&messages);
	job_free(job);
}

/* Each form can be printed: its types are there. */
static void forms(void **state)
{
	for (const struct job_statement *s = job_statements; s->name; s++) {
		char *text = *s->name ? form_text(s) : NULL;

		if (!*s->name)
			continue;
		assert_non_null(text);
		assert_true(strlen(text) > strlen(s->name) + 1);
		if (!*s->help)
			assert_string_equal(s->name, s[-1].name);
		else
			assert_true(strlen(s->help) > 5 && s->help[strlen(s->help) - 1] == '.');
		free(text);
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
	struct job *job = job_of(text);

	assert_int_equal(job->scenes[0]->draws[0].shaders[JOB_VERTEX]->prefetch, 7);
	assert_false(job->scenes[0]->draws[0].shaders[JOB_FRAGMENT]->discards);
	job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_open), cmocka_unit_test(bad_jobs),
		cmocka_unit_test(good_job),
		cmocka_unit_test(expressions),
		cmocka_unit_test(loops),
		cmocka_unit_test(all_errors),
		cmocka_unit_test(language),
		cmocka_unit_test(scenes),
		cmocka_unit_test(shown),
		cmocka_unit_test(forms),
		cmocka_unit_test(prefetch_of_mesas_shader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
