/* SPDX-License-Identifier: MIT */
/*
 * What a page of a client begins with that has no jobs: no GPU may touch it, and the
 * strict model reports who does. Tests write it; the driver does not know of it.
 */
#ifndef LIMN_WITNESS_H
#define LIMN_WITNESS_H

#define LIMN_WITNESS	{ 0x6d696c01, 0x7fb3d5c9, 0xe1a40d16, 0x939b28ff }	/* words, little endian */

#endif
