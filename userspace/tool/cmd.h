/* SPDX-License-Identifier: MIT */
/*
 * The limn command: one function per subcommand, listed in main.c. argv[0] is
 * the subcommand's name. Each returns the process's exit status, which options.h
 * lists, after it has printed what is wrong. Only the tool prints or exits.
 */
#ifndef LIMN_TOOL_CMD_H
#define LIMN_TOOL_CMD_H

int cmd_run(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_pixel(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_isa(int argc, char **argv);
int cmd_vue(int argc, char **argv);
int cmd_probe(int argc, char **argv);

#endif
