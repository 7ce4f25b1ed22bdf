/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands of FE, as the kernel writes them: each returns where the next one goes. */
#ifndef LIMN_VIVANTE_CMD_H
#define LIMN_VIVANTE_CMD_H

#include <linux/types.h>
#include <limn/vivante/cmdstream.h>

static inline u32 *vivante_put(u32 *cmd, u32 header, u32 argument)
{
	*cmd++ = header;
	*cmd++ = argument;
	return cmd;
}

static inline u32 *vivante_put_state(u32 *cmd, u32 state, u32 value)
{
	return vivante_put(cmd, VIV_FE_COMMAND(LOAD_STATE) |
			   VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
			   VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, state / 4), value);
}

/* FE waits until @module (SYNC_RECIPIENT_*) has done what came before. */
static inline u32 *vivante_put_sync(u32 *cmd, u32 module)
{
	cmd = vivante_put_state(cmd, VIVS_GL_SEMAPHORE_TOKEN,
				VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_FROM, SYNC_RECIPIENT_FE) |
				VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_TO, module));
	return vivante_put(cmd, VIV_FE_COMMAND(STALL),
			   VIV_SET(VIV_FE_STALL_TOKEN_FROM, SYNC_RECIPIENT_FE) |
			   VIV_SET(VIV_FE_STALL_TOKEN_TO, module));
}

#endif
