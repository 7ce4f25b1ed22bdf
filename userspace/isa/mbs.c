// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/mbs.h"

#define HEAD	8	/* of a chunk: tag and size */
#define VERSION	4	/* of the core, in front of a shader's chunks */

static uint32_t get32(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

bool limn_mbs_is(const void *data, size_t size)
{
	return size >= 4 && !memcmp(data, "MBS1", 4);
}

/* The first chunk of that tag in [at, end): its contents. */
static int find(const unsigned char *data, size_t at, size_t end, const char *tag, size_t *offset, size_t *length,
		const char **why)
{
	while (end - at >= HEAD) {
		size_t n = get32(data + at + 4);

		if (n > end - at - HEAD) {
			*why = "it ends within a chunk";
			return -EINVAL;
		}
		if (!memcmp(data + at, tag, 4)) {
			*offset = at + HEAD;
			*length = n;
			return 0;
		}
		at += HEAD + n;
	}
	*why = end > at ? "it ends within a chunk's head" : "it has no code for this instruction set";
	return -EINVAL;
}

/* "CVER" or "CFRA": the tag of a shader of that set; NULL: it is not of Utgard. */
static const char *tag_of(const struct isa *isa)
{
	return !strcmp(limn_isa_name(isa), "utgard-gp") ? "CVER" : !strcmp(limn_isa_name(isa), "utgard-pp") ? "CFRA" : NULL;
}

/* The contents of the shader's chunk, behind its core version. */
static int find_shader(const struct isa *isa, const void *data, size_t size, size_t *offset, size_t *length, const char **why)
{
	const char *tag = tag_of(isa);
	size_t end = limn_mbs_is(data, size) && size >= HEAD ? get32((const unsigned char *)data + 4) : 0;

	*why = !limn_mbs_is(data, size) ? "it is no container" :
	       !tag ? "these hold Utgard shaders only" :
	       size < HEAD ? "it ends within its head" :
	       end > size - HEAD ? "its length is more than there is" :
	       end < size - HEAD ? "there is more than its length says" : NULL;
	if (*why || find(data, HEAD, HEAD + end, tag, offset, length, why))
		return -EINVAL;
	if (*length < VERSION) {
		*why = "its shader has no core version";
		return -EINVAL;
	}
	*offset += VERSION;
	*length -= VERSION;
	return 0;
}

int limn_mbs_find(const struct isa *isa, const void *data, size_t size, size_t *offset, size_t *length,
		  const char **why)
{
	int err = find_shader(isa, data, size, offset, length, why);

	return err ? err : find(data, *offset, *offset + *length, "DBIN", offset, length, why);
}

#define UNIFORM		20	/* bytes of a uniform's fields behind its name; its place in the memory at PLACE */
#define PLACE		16

void limn_mbs_uniforms(const struct isa *isa, const void *data, size_t size, uint32_t *to, size_t count)
{
	size_t at, length, end, uniform, values, n;
	const unsigned char *p = data;
	const char *why;

	if (find_shader(isa, data, size, &at, &length, &why) ||
	    find(p, at, at + length, "SUNI", &at, &length, &why) || length < 8)
		return;
	/* In front of them: how many there are, and the room that they need. */
	for (end = at + length, at += 8; !find(p, at, end, "VUNI", &uniform, &length, &why); at = uniform + length) {
		size_t place, behind;

		if (find(p, uniform, uniform + length, "STRI", &behind, &n, &why) || uniform + length - behind - n < UNIFORM)
			continue;
		behind += n;
		place = p[behind + PLACE] | p[behind + PLACE + 1] << 8;
		if (find(p, behind + UNIFORM, uniform + length, "VINI", &values, &n, &why) || n < 4)
			continue;
		for (size_t i = 0; i < get32(p + values) && 4 * i + 8 <= n && place + i < count; i++)
			to[place + i] = get32(p + values + 4 + 4 * i);
	}
}

static void put_chunk(unsigned char *to, const char *tag, uint32_t size)
{
	memcpy(to, tag, 4);
	for (int i = 0; i < 4; i++)
		to[4 + i] = size >> 8 * i;
}

void *limn_mbs_make(const struct isa *isa, const uint32_t *words, size_t count, size_t *size)
{
	const char *tag = tag_of(isa);
	uint32_t bytes = count * 4;
	unsigned char *p;

	*size = 3 * HEAD + VERSION + bytes;
	p = tag ? calloc(1, *size) : NULL;
	if (!p)
		return NULL;
	put_chunk(p, "MBS1", *size - HEAD);
	put_chunk(p + HEAD, tag, *size - 2 * HEAD);
	p[2 * HEAD] = tag[1] == 'V' ? 6 : 7;	/* Mali-400's core versions (limadriver.org) */
	put_chunk(p + 2 * HEAD + VERSION, "DBIN", bytes);
	for (size_t i = 0; i < bytes; i++)
		p[3 * HEAD + VERSION + i] = words[i / 4] >> i % 4 * 8;
	return p;
}
