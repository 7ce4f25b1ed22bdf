/* SPDX-License-Identifier: MIT */
/*
 * MBS1 containers: what glGetProgramBinary and the offline compiler of
 * Mali-200/400 give. Chunks of a tag of four letters, a size and contents,
 * nested: MBS1 holds CFRA or CVER (four bytes of core version, then chunks), one
 * of which is DBIN, the code (Mesa lima/standalone/lima_disasm.c, limadriver.org).
 */
#ifndef LIMN_ISA_MBS_H
#define LIMN_ISA_MBS_H

#include "isa/isa.h"

/* Does it begin as a container does? */
bool limn_mbs_is(const void *data, size_t size);

/*
 * Where the code for that instruction set is. 0; -EINVAL: the container is
 * broken, or has no such code; *why says which, in static words.
 */
int limn_mbs_find(const struct isa *isa, const void *data, size_t size, size_t *offset, size_t *length,
		  const char **why);

/*
 * Puts the values that the compiler gave uniforms, as words of floats, to their places in the uniforms' memory of
 * count words. Chunks: limare's lib/program.c; what is broken or of another kind is passed over.
 */
void limn_mbs_uniforms(const struct isa *isa, const void *data, size_t size, uint32_t *to, size_t count);

/* The smallest container around the words; free() it. NULL: no memory, or not an Utgard set. */
void *limn_mbs_make(const struct isa *isa, const uint32_t *words, size_t count, size_t *size);

#endif
