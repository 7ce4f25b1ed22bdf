/* SPDX-License-Identifier: MIT */
/*
 * Utgard's command lists as text: what the VS and the PLBU of the GP read, and
 * a PP's tile list with the polygon lists that it calls. Lists are followed
 * through their jumps, in memory that somebody else has.
 */
#ifndef LIMN_LIB_UTGARD_DECODE_H
#define LIMN_LIB_UTGARD_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* GPU memory: len bytes at va in one piece, NULL when they are not known. */
struct utgard_memory {
	void *ctx;
	const void *(*at)(void *ctx, uint32_t va, uint32_t len);
};

enum utgard_list {
	UTGARD_VS_LIST,
	UTGARD_PLBU_LIST,
	UTGARD_TILE_LIST,	/* and the polygon lists it calls */
};

/* What is set where a list has got to; 0: nothing was. */
struct utgard_state {
	uint32_t shader;	/* VS: address of the shader; PP: address, length of the first instruction */
	uint32_t shader_instructions;	/* VS */
	uint32_t uniforms, uniform_vectors;	/* VS */
	uint32_t attributes, varyings;	/* VS: descriptors */
	uint32_t rsw, positions;	/* PLBU, PP */
	uint32_t primitive;	/* PLBU: register */
	uint32_t scissor[4];	/* PLBU, PP: minx, miny, maxx, maxy, half-open; maxx 0: none */
	int tile_x, tile_y;	/* PP: -1: no tile */
	uint32_t tile_command;	/* PP: address of the tile list's command */
	unsigned int draws;	/* VS, PLBU: so far; PP: primitives of this tile */
};

struct utgard_command {
	enum utgard_list list;
	bool nested;		/* PP: of a polygon list */
	uint32_t va;
	uint32_t words[2];
	uint32_t address, bytes;	/* memory that it reads or writes by itself; bytes 0: none */
	char text[120];
	const struct utgard_state *state;	/* before it */
};

enum utgard_end {
	UTGARD_END_END,		/* it ends as it should */
	UTGARD_END_MEMORY,	/* memory that is not known */
	UTGARD_END_INVALID,	/* a command that does not exist */
	UTGARD_END_CALL,	/* PP: of a polygon list, and no tile was begun */
	UTGARD_END_LOOP,	/* a jump to where it has been */
	UTGARD_END_LENGTH,	/* longer than anybody's */
	UTGARD_END_STOP,	/* the visitor said so */
};

struct utgard_walk {
	enum utgard_end end;
	uint32_t va;		/* of the command that ended it, or of the missing memory */
	struct utgard_state state;
	unsigned int commands;
};

/* Called for each command in turn; false: stop here. */
typedef bool (*utgard_visitor)(void *ctx, const struct utgard_command *command);

/*
 * Follows a list from start; VS and PLBU lists also end in front of end, when
 * that is not 0. PP: limit is the number of commands per tile that is read.
 */
void limn_utgard_decode(const struct utgard_memory *memory, enum utgard_list list, uint32_t start, uint32_t end,
			utgard_visitor visit, void *ctx, struct utgard_walk *walk);

/*
 * The words of a shader at va, at most max of them: of a VS list's as many as its instructions have; of a fragment
 * shader each instruction tells its length, and whether it is the last. Returns how many memory has.
 */
size_t limn_utgard_shader_words(const struct utgard_memory *memory, enum utgard_list list, uint32_t va,
				uint32_t instructions, uint32_t *words, size_t max);

/*
 * Why such a fragment shader may not end, as text behind its address; "": it ends, as far as can be seen. An instruction
 * branches back; or the code runs on to where none is. Returns the word of the instruction.
 */
size_t limn_utgard_shader_endless(const uint32_t *words, size_t n, char *text, size_t size);

/* "ends", "jumps back to where it has been", ... */
const char *limn_utgard_end_text(enum utgard_end end);

#endif
