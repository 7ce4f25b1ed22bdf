// SPDX-License-Identifier: MIT
/* What the arguments of statements may be: bounds, and words with the values that the hardware has for them. */
#include <string.h>

#include <limn/vivante/states.h>

#include "lib/utgard/utgard.h"
#include "lib/vivante/tiling.h"
#include "tool/job/parser.h"

#define NONE		FORM_NOT_THERE
#define BOTH(word, value)	{ word, { value, value, value } }
#define UTGARD(word, value)	{ word, { value, NONE, NONE } }
#define VIVANTE(word, value)	{ word, { NONE, value, value } }
#define EITHER(word, utgard, vivante)	{ word, { utgard, vivante, vivante } }
#define END		{ NULL, { 0 } }

static const struct form_choice switches[] = { BOTH("off", 0), BOTH("on", 1), END };
static const struct form_choice samples[] = { BOTH("1", 1), VIVANTE("2", 2), BOTH("4", 4), END };
static const struct form_choice depth_formats[] = { VIVANTE("d16", 2), VIVANTE("d24s8", 4), END };
static const struct form_choice layouts[] = {
	VIVANTE("linear", 0), VIVANTE("tiled", VIV_TILE), VIVANTE("supertiled", VIV_TILE | VIV_SUPER), END
};
static const struct form_choice index_types[] = { BOTH("u8", 1), BOTH("u16", 2), VIVANTE("u32", 4), END };
static const struct form_choice filters[] = { BOTH("nearest", 0), BOTH("linear", 1), END };
static const struct form_choice mips[] = { BOTH("none", 0), BOTH("nearest", 1), BOTH("linear", 2), END };
static const struct form_choice culls[] = { BOTH("none", 0), BOTH("front", 1), BOTH("back", 2), UTGARD("both", 3), END };
static const struct form_choice windings[] = { BOTH("ccw", 0), BOTH("cw", 1), END };

/* Kind and number of components: JOB_OUTPUT_OF(). */
#define OUTPUTS(word, kind)	BOTH(word "1", JOB_OUTPUT(kind, 1)), BOTH(word "2", JOB_OUTPUT(kind, 2)), \
				BOTH(word "3", JOB_OUTPUT(kind, 3)), BOTH(word "4", JOB_OUTPUT(kind, 4))
static const struct form_choice outputs[] = {
	BOTH("position", JOB_OUTPUT(JOB_POSITION, 4)), BOTH("point-size", JOB_OUTPUT(JOB_POINT_SIZE, 1)),
	OUTPUTS("float", JOB_VARYING), OUTPUTS("half", JOB_HALF), END
};
static const struct form_choice varyings[] = { OUTPUTS("float", JOB_VARYING), OUTPUTS("color", JOB_COLOR), END };

static const struct form_choice wraps[] = {
	EITHER("repeat", TEX_WRAP_REPEAT, TEXTURE_WRAPMODE_REPEAT),
	EITHER("clamp", TEX_WRAP_CLAMP_TO_EDGE, TEXTURE_WRAPMODE_CLAMP_TO_EDGE),
	UTGARD("clamp-half", TEX_WRAP_CLAMP),
	UTGARD("border", TEX_WRAP_CLAMP_TO_BORDER),
	EITHER("mirror", TEX_WRAP_MIRROR_REPEAT, TEXTURE_WRAPMODE_MIRRORED_REPEAT),
	UTGARD("mirror-clamp", TEX_WRAP_MIRROR_CLAMP_TO_EDGE),
	UTGARD("mirror-clamp-half", TEX_WRAP_MIRROR_CLAMP),
	UTGARD("mirror-border", TEX_WRAP_MIRROR_CLAMP_TO_BORDER),
	VIVANTE("border", TEXTURE_WRAPMODE_CLAMP_TO_BORDER),
	END
};

#define FUNCS(ROW) \
	ROW("never", NEVER), ROW("less", LESS), ROW("equal", EQUAL), ROW("lequal", LEQUAL), ROW("greater", GREATER), \
	ROW("notequal", NOTEQUAL), ROW("gequal", GEQUAL), ROW("always", ALWAYS)
#define TEST(word, func)	EITHER(word, RSW_##func, COMPARE_FUNC_##func)
#define COMPARE(word, func)	VIVANTE(word, TEXTURE_COMPARE_FUNC_##func + 1)
static const struct form_choice funcs[] = { FUNCS(TEST), END };
static const struct form_choice compares[] = { FUNCS(COMPARE), END };

#define STENCIL(word, op)	EITHER(word, RSW_STENCIL_##op, STENCIL_OP_##op)
static const struct form_choice stencil_ops[] = {
	STENCIL("keep", KEEP), STENCIL("zero", ZERO), STENCIL("replace", REPLACE), STENCIL("incr", INCR),
	STENCIL("decr", DECR), STENCIL("invert", INVERT), STENCIL("incr-wrap", INCR_WRAP),
	STENCIL("decr-wrap", DECR_WRAP), END
};

#define EQUATION(word, name)	EITHER(word, RSW_BLEND_##name, BLEND_EQ_##name)
static const struct form_choice equations[] = {
	EQUATION("add", ADD), EQUATION("subtract", SUBTRACT), EQUATION("reverse-subtract", REVERSE_SUBTRACT),
	EQUATION("min", MIN), EQUATION("max", MAX), END
};

#define FACTOR(word, source, name) \
	EITHER(word, RSW_FACTOR_##source, BLEND_FUNC_##name), \
	EITHER("one-minus-" word, RSW_FACTOR_##source | RSW_FACTOR_INVERT, BLEND_FUNC_ONE_MINUS_##name)
#define ALPHA(word, source, name)	FACTOR(word, source | RSW_FACTOR_ALPHA, name)
static const struct form_choice factors[] = {
	EITHER("zero", RSW_FACTOR_ZERO, BLEND_FUNC_ZERO), EITHER("one", RSW_FACTOR_ONE, BLEND_FUNC_ONE),
	FACTOR("src", SRC, SRC_COLOR), ALPHA("src-alpha", SRC, SRC_ALPHA),
	FACTOR("dst", DST, DST_COLOR), ALPHA("dst-alpha", DST, DST_ALPHA),
	FACTOR("const", CONST, CONSTANT_COLOR), ALPHA("const-alpha", CONST, CONSTANT_ALPHA),
	EITHER("src-alpha-saturate", RSW_FACTOR_SRC_ALPHA_SATURATE, BLEND_FUNC_SRC_ALPHA_SATURATE), END
};

#define MODE(word, name)	EITHER(word, GP_MODE_##name, PRIMITIVE_TYPE_##name)
static const struct form_choice modes[] = {
	MODE("points", POINTS), MODE("lines", LINES), MODE("line-loop", LINE_LOOP), MODE("line-strip", LINE_STRIP),
	MODE("triangles", TRIANGLES), MODE("triangle-strip", TRIANGLE_STRIP), MODE("triangle-fan", TRIANGLE_FAN),
	MODE("quads", QUADS), UTGARD("quad-strip", GP_MODE_QUAD_STRIP), UTGARD("polygon", GP_MODE_POLYGON),
	UTGARD("rectangle", GP_MODE_RECT), END
};

static const struct form_choice gp_lists[] = {
	UTGARD("plain", UTGARD_LISTS_PLAIN), UTGARD("no-semaphores", UTGARD_LISTS_NO_SEMAPHORES),
	UTGARD("no-vs-flush", UTGARD_LISTS_NO_VS_FLUSH), UTGARD("plbu-flush", UTGARD_LISTS_PLBU_FLUSH),
	UTGARD("array", UTGARD_LISTS_ARRAY), UTGARD("no-tile", UTGARD_LISTS_NO_TILE), END
};

static const struct form_choice rotations[] = {
	VIVANTE("90", DE_ROT_MODE_ROT90), VIVANTE("180", DE_ROT_MODE_ROT180), VIVANTE("270", DE_ROT_MODE_ROT270),
	VIVANTE("flip-x", DE_ROT_MODE_FLIP_X), VIVANTE("flip-y", DE_ROT_MODE_FLIP_Y), END
};

#define WHOLE(n, least, most)	{ .name = n, .kind = FORM_WHOLE, .min = least, .max = most }
#define NUMBER(n, least, most)	{ .name = n, .kind = FORM_NUMBER, .min = least, .max = most }
#define WORDS(n, list)		{ .name = n, .kind = FORM_CHOICE, .choices = list }

static const struct form_type types[] = {
	WHOLE("size", 1, JOB_MAX_SIZE),
	WHOLE("place", 0, JOB_MAX_SIZE - 1),
	WHOLE("frames", 1, JOB_MAX_FRAMES),
	WHOLE("bytes", 4096, 512u << 20),
	WHOLE("slot", 0, JOB_MAX_ATTRIBUTES - 1),
	WHOLE("texunit", 0, JOB_MAX_TEXTURES - 1),
	WHOLE("level", 0, JOB_MAX_LEVELS - 1),
	WHOLE("levels", 1, JOB_MAX_LEVELS),
	WHOLE("depth", 1, 256),
	WHOLE("times", 1, JOB_MAX_NUMBERS),
	WHOLE("turns", 0, 65536),
	WHOLE("number", 0, JOB_MAX_SIZE * JOB_MAX_SIZE),
	NUMBER("level255", -1e6, 1e6),
	WHOLE("register", 0, 5),
	WHOLE("nibble", 0, 15),
	WHOLE("byte", 0, 255),
	WHOLE("first", 0, 0xffffff),
	WHOLE("count", 1, JOB_MAX_VERTICES),
	WHOLE("instances", 1, 0xffffff),
	NUMBER("unit", 0, 1),
	NUMBER("position", -8192, 8192),
	NUMBER("extent", 0, 8192),
	NUMBER("scale", -32, 31.75),
	NUMBER("units", -64, 63.5),
	NUMBER("large", -1e6, 1e6),
	NUMBER("pixels", 0.01, 100),
	NUMBER("viv-pixels", 0, 128),
	NUMBER("lod", 0, 15.9375),
	NUMBER("bias", -15, 15),

	WORDS("switch", switches),
	WORDS("samples", samples),
	WORDS("depth-format", depth_formats),
	WORDS("layout", layouts),
	WORDS("index", index_types),
	WORDS("output", outputs),
	WORDS("varying", varyings),
	WORDS("filter", filters),
	WORDS("mip", mips),
	WORDS("wrap", wraps),
	WORDS("cull", culls),
	WORDS("winding", windings),
	WORDS("func", funcs),
	WORDS("compare", compares),
	WORDS("stencil-op", stencil_ops),
	WORDS("equation", equations),
	WORDS("factor", factors),
	WORDS("mode", modes),
	WORDS("rotation", rotations),
	WORDS("lists", gp_lists),
	{ .name = "pixel", .kind = FORM_CHOICE, .list = job_pixel_word },
	{ .name = "texel", .kind = FORM_CHOICE, .list = job_texel_word },
	{ .name = "element", .kind = FORM_CHOICE, .list = job_element_word,
	  .text = "float half fixed byte ubyte short ushort int uint byten ubyten shortn ushortn, "
		  "with a count of 1 to 4: float2" },

	{ .name = "point", .kind = FORM_PAIR, .min = 0, .max = JOB_MAX_SIZE - 1 },
	{ .name = "area", .kind = FORM_PAIR, .min = 1, .max = JOB_MAX_SIZE },
	{ .name = "open", .kind = FORM_OPEN },
	{ .name = "rest", .kind = FORM_REST },
	{ .name = "name", .kind = FORM_NAME },
	{ .name = "string", .kind = FORM_STRING },
	{ .name = "temp", .kind = FORM_TEMP },
	{ .name = "block", .kind = FORM_BLOCK },
	{ .name = "text", .kind = FORM_TEXT },
	{ .name = "rgba", .kind = FORM_FORM, .text = "R:unit G:unit B:unit A:unit" },
	{ .name = "rgba255", .kind = FORM_FORM, .text = "R:level255 G:level255 B:level255 A:level255" },
	{ .name = "shader", .kind = FORM_FORM, .text = "FILE:string | words NUMBERS:block | TEXT" },
	{ .name = "source", .kind = FORM_FORM,
	  .text = "solid RGBA | checker CELL:size RGBA RGBA | gradient | png FILE:string | TEXELS:block" },
	{ .name = "texels", .kind = FORM_FORM,
	  .text = "[cube | volume DEPTH] [levels (all | N:levels)] [linear | tiled | supertiled]"
		  " (bytes NUMBERS:block | (SOURCE)...)" },
};

const struct form_type *form_type_at(unsigned int index)
{
	return index < sizeof(types) / sizeof(types[0]) ? &types[index] : NULL;
}

const struct form_type *form_type_find(const char *name, size_t length)
{
	for (unsigned int i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].name) == length && !strncasecmp(types[i].name, name, length))
			return &types[i];
	return NULL;
}

const char *form_word(const struct form_type *t, enum job_family family, unsigned int index)
{
	if (t->list)
		return t->list(family, index);
	for (const struct form_choice *c = t->choices; c->word; c++)
		if (c->value[family] != NONE && !index--)
			return c->word;
	return NULL;
}

bool form_value(const struct form_type *t, enum job_family family, const char *word, unsigned int *value)
{
	const char *name;

	for (const struct form_choice *c = t->choices; c && c->word; c++) {
		if (!strcmp(c->word, word) && c->value[family] != NONE) {
			*value = c->value[family];
			return true;
		}
	}
	for (*value = 0; t->list && (name = t->list(family, *value)); ++*value)
		if (!strcmp(name, word))
			return true;
	return false;
}
