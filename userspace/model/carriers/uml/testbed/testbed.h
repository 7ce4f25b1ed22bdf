/* SPDX-License-Identifier: MIT */
/*
 * Between the testbed's runner (on the host) and its init (in the guest).
 *
 * The runner's orders are a list of NUL-terminated strings "key=value", read
 * by init from HOSTFD_ORDERS; init answers with lines on HOSTFD_RESULT.
 */
#ifndef LIMN_TESTBED_H
#define LIMN_TESTBED_H

/* /dev/hostfdN in the guest */
enum { HOSTFD_STDIN, HOSTFD_STDOUT, HOSTFD_STDERR, HOSTFD_RESULT, HOSTFD_ORDERS, HOSTFD_COUNT };

/*
 * Orders:
 *   cwd=DIR		working directory of the command
 *   rw=DIR		host folder that the command may write to; any number
 *   modules=DIR	lib/modules/RELEASE of the kernel's build
 *   module=NAME[ ARGS]	load that module of the build, and what it depends on
 *   insmod=FILE[\nARGS]	load this file
 *   depends=NAME	load what NAME needs, not NAME itself
 *   bound=NAME		this driver must have a render node by now
 *   unload=NAME	at the end
 *   leaks=1		look for leaks at the end
 *   env=NAME=VALUE	environment of the command; any number
 *   arg=STRING		the command, word by word
 * Results:
 *   exit N		status of the command; the last line when all went well
 *   error TEXT		init could not do its part
 *   splat TEXT		a leak, a module that does not go
 */

#endif
