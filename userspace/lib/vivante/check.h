/* SPDX-License-Identifier: MIT */
/* Rules of limn_viv_decode(): what the walk tells the checker, in stream order. */
#ifndef LIMN_LIB_VIVANTE_CHECK_H
#define LIMN_LIB_VIVANTE_CHECK_H

#include "lib/vivante/decode.h"

#define VIV_STATE_WORDS	(VIV_STATE_SPACE / 4)
#define VIV_SET_BEFORE	UINT32_MAX

struct viv_check {
	const struct viv_sink *sink;
	struct viv_decode_stats *stats;
	uint32_t flags;
	/* What the stream has loaded: value, and index of the word that did, plus one (0: never, or VIV_SET_BEFORE). */
	uint32_t value[VIV_STATE_WORDS];
	uint32_t set_at[VIV_STATE_WORDS];
	uint32_t elements;		/* vertex elements as last set */
	bool armed[32][32];		/* semaphore tokens, [from][to] */
	bool drawn;			/* since the last flush of colour and depth */
	bool flushed, stalled;		/* colour and depth; RA behind PE or FE behind PE */
	bool vs_flush;			/* texture cache of the VS flushed, no stall since */
	char stage;			/* of the instruction that is looked at, as findings have it */
	uint32_t instruction;
	size_t end_at;			/* a command after which nothing is executed, plus one */
};

void viv_check_fail(struct viv_check *c, enum viv_severity severity, size_t at, const char *rule,
		    const char *format, ...) __attribute__((format(printf, 5, 6)));
void viv_check_load(struct viv_check *c, const struct viv_word *w);
/* A whole command, its words at w. */
void viv_check_command(struct viv_check *c, const uint32_t *w, size_t at, unsigned int opcode);
void viv_check_end(struct viv_check *c, size_t n);

#endif
