/* SPDX-License-Identifier: MIT */
/*
 * What liblimn.so gives to the world begins with limn_; in C it is called without. A program that has a function of
 * one of the short names itself undefines it, and calls the long one.
 */
#ifndef LIMN_ISA_NAMES_H
#define LIMN_ISA_NAMES_H

#define isa_asm limn_isa_asm
#define isa_at limn_isa_at
#define isa_bifrost_clause_read limn_isa_bifrost_clause_read
#define isa_bifrost_clause_write limn_isa_bifrost_clause_write
#define isa_check limn_isa_check
#define isa_check_declared limn_isa_check_declared
#define isa_coverage limn_isa_coverage
#define isa_describe limn_isa_describe
#define isa_disasm limn_isa_disasm
#define isa_disasm_to limn_isa_disasm_to
#define isa_find limn_isa_find
#define isa_messages_free limn_isa_messages_free
#define isa_name limn_isa_name
#define isa_row_at limn_isa_row_at
#define isa_uses limn_isa_uses
#define mbs_find limn_mbs_find
#define mbs_is limn_mbs_is
#define mbs_make limn_mbs_make
#define mbs_uniforms limn_mbs_uniforms

#endif
