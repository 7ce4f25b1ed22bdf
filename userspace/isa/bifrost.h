/* SPDX-License-Identifier: MIT */
/*
 * Bifrost v6 and v7. A program is clauses of up to eight tuples of an FMA and an ADD instruction, whose operands come
 * from ports that the tuple's register block assigns, from the fast-access uniforms (FAU) of the tuple, among them the
 * clause's constants, and from the tuple before.
 *
 * Sources: Mesa src/panfrost/compiler/bifrost/ISA.xml (ops), bifrost.h (clauses, headers, register blocks),
 * bifrost/disassemble.c (text), bifrost/bi_pack.c (how ports are assigned).
 */
#ifndef LIMN_ISA_BIFROST_H
#define LIMN_ISA_BIFROST_H

#include "isa/bifrost_clause.h"
#include "isa/table.h"

/* All that modifiers, types and the names of numbers can be. */
#define BF_WORDS(X) \
	X(aadd) X(aadds) X(aaddu) X(aand) X(abs) X(accumulate) X(adec) X(ainc) X(all) X(and) X(any) X(aor) X(aor1) \
	X(asmax) X(asmax1) X(asmin) X(attribute_1) X(attribute_2) X(attribute_index) X(aumax) X(aumax1) X(aumin) \
	X(auto) X(axor) X(b0) X(b00) X(b0000) X(b0011) X(b01) X(b0101) X(b0123) X(b02) X(b03) X(b1) X(b10) X(b1032) \
	X(b11) X(b1111) X(b12) X(b13) X(b2) X(b20) X(b21) X(b22) X(b2222) X(b2233) X(b23) X(b2323) X(b3) X(b30) \
	X(b31) X(b32) X(b3210) X(b33) X(b3333) X(base2) X(bit) X(bits) X(bytes2) X(c) X(call) X(center) X(centroid) \
	X(clamp_0_1) X(clamp_0_inf) X(clamp_m1_1) X(clobber) X(computed_lod) X(conditional) X(cycle_counter) X(d0) \
	X(divzero) X(eq) X(even) X(explicit) X(f1) X(f16) X(f32) X(f64) X(fill) X(flat) X(fp_zero) X(frag_w) \
	X(frag_z) X(ge) X(gt) X(gtlt) X(h) X(h0) X(h00) X(h01) X(h1) X(h10) X(h11) X(high) X(i1) X(i128) X(i16) \
	X(i24) X(i32) X(i48) X(i64) X(i8) X(i96) X(index) X(inf) X(inf0) X(infn) X(int_zero) X(inverse_c) X(l) \
	X(le) X(left) X(log) X(low) X(lt) X(m1) X(mask) X(n) X(nan_propagate) X(nan_suppress) X(natural) X(ne) \
	X(neg) X(none) X(not) X(nz) X(odd) X(offset) X(or) X(point) X(pos) X(pow) X(pown) X(powr) X(preserve_null) \
	X(red) X(replace) X(retrieve) X(return) X(rootn) X(rtn) X(rtna) X(rto) X(rtp) X(rtz) X(s16) X(s32) \
	X(sample) X(sampler_index) X(sat) X(scale) X(scale16) X(sext) X(shift) X(skip) X(small) X(smax) X(smin) \
	X(sqrt) X(stencil) X(store) X(stream) X(subgroup16) X(subgroup2) X(subgroup4) X(subgroup8) \
	X(system_timestamp) X(texture_index) X(tl) X(total) X(u16) X(u32) X(u4) X(u6) X(u64) X(ubo) X(umax) X(v2) \
	X(v2f1) X(v2f16) X(v2i1) X(v2i16) X(v2inf) X(v2infn) X(v2s16) X(v2smax) X(v2smin) X(v2u16) X(v3) X(v4) \
	X(v4i8) X(v4s8) X(v4smax) X(v4smin) X(v4u8) X(vary) X(varying_index) X(w0) X(w1) X(wls) X(xor) X(z) X(zero) \
	X(zero_lod) X(zext)

/* What modifiers are about; lanes: which parts of a source, in whatever words. */
#define BF_KINDS(X) \
	X(abs) X(adj) X(atom_opc) X(bytes) X(clamp) X(cmp) X(combine) X(divzero) X(extend) X(format) X(func) \
	X(function) X(h) X(inactive_result) X(l) X(lane_dest) X(lane_op) X(lanes) X(lod_mode) X(log) X(mask) \
	X(mode) X(mux) X(neg) X(not) X(not_result) X(offset) X(precision) X(preserve_null) X(result_type) \
	X(result_word) X(round) X(sample) X(saturate) X(scale) X(seg) X(sem) X(sign) X(skip) X(source) \
	X(special) X(sqrt) X(stack_mode) X(stencil) X(subgroup) X(table) X(test_mode) X(threads) X(type) \
	X(update) X(varying_name) X(vecsize) X(z)

#define BF_MESSAGES(X, RESERVED) \
	X(varying, "vary") X(attribute, "attr") X(tex, "tex") X(vartex, "vartex") X(load, "load") \
	X(store, "store") X(atomic, "atomic") X(barrier, "barrier") X(blend, "blend") X(tile, "tile") RESERVED(reserved) \
	X(z_stencil, "z_stencil") X(atest, "atest") X(job, "job") X(job_management, "64")

#define X(name) BFW_##name,
enum bf_word { BF_WORDS(X) BFW_required };
#undef X
#define X(name) BFK_##name,
enum bf_kind { BF_KINDS(X) BF_KIND_COUNT };
#undef X
#define X(name, ...) BFM_##name,
enum bf_message { BFM_none, BF_MESSAGES(X, X) };
#undef X

enum bf_id {
#define OP(id, ...) BF_OP_##id,
#define TEXT	OP
#include "isa/bifrost_ops.inc"
	BF_OPS
};

enum { BF_FMA, BF_ADD };
enum { BF_F_FMA, BF_F_ADD, BF_F_REGISTERS, BF_F_HEADER, BF_F_CLAUSE, BF_FORMS };

#define BF_SOURCES	4
#define BF_NAME		BF_SOURCES	/* where a modifier is that hangs on the mnemonic */
#define BF_COLUMNS	5
#define BF_PARTS	10

struct bf_code {
	uint8_t code, words[BF_COLUMNS];
};

struct bf_table {
	struct bf_column {
		uint8_t kind, where, plain;	/* plain: the word that is not written */
	} columns[BF_COLUMNS];
	uint8_t column_count;
	uint8_t places[5];	/* width of the first bits; place and width of others */
	bool ordered;
	uint8_t code_count;
	const struct bf_code *codes;
};

struct bf_part {
	uint8_t table;		/* 0: none; BF_NUMBER */
	uint8_t lo, where;
	uint8_t word, width;	/* of a number: its name */
};

#define BF_NUMBER 1

enum { BF_LAST = 1, BF_NO_DEST = 2 };

struct bf_row {
	uint32_t mask, exact;
	const char *type, *sources, *staging;
	uint8_t message, flags;
	struct bf_part parts[BF_PARTS];
};

extern const struct bf_table bf_tables[];
extern const struct bf_row bf_rows[];

static inline const struct bf_row *bf_row(const struct isa_op *op)
{
	return &bf_rows[op - isa_bifrost.ops];
}

/* A statement for each source of a row, which stands in the three bits from 3 * i on; for each word of its parts. */
#define BF_EACH_SOURCE(row, i)	for (unsigned int i = 0; (row)->sources[i]; i++) if ((row)->sources[i] != '-')
#define BF_EACH_WORD(row, i, k)	\
	for (unsigned int i = 0; (row)->parts[i].table; i++) \
		for (unsigned int k = 0; k < bf_tables[(row)->parts[i].table].column_count; k++)

/* Where a column's word stands, of a part. */
static inline unsigned int bf_where(const struct bf_part *part, unsigned int column)
{
	unsigned int where = bf_tables[part->table].columns[column].where;

	return where > BF_NAME ? part->where : where;
}

const char *bf_word(unsigned int word);

/* The words of a part in these bits, NULL: none are there. */
const struct bf_code *bf_code(const struct bf_part *part, uint32_t bits);
/* Puts the part's code there that has these words, by the order of the sources that are in *bits. False: there is none. */
bool bf_put_words(const struct bf_part *part, const uint8_t *words, uint32_t *bits);
static inline bool bf_is_words(const struct bf_part *part)
{
	return part->table > BF_NUMBER;
}

/* Where a source comes from. */
enum bf_from {
	BF_PORT0, BF_PORT1, BF_PORT2, BF_STAGE, BF_FAU_LO, BF_FAU_HI, BF_PASS_FMA, BF_PASS_ADD,
};

/* What a source is, in the terms of the text. */
struct bf_value {
	enum { BF_REGISTER, BF_PASSED, BF_FAU, BF_CONSTANT, BF_TARGET } kind;
	uint32_t value;		/* register; code; FAU index; constant; target, in 128-bit words */
	bool high;		/* of the FAU; of a target: its high word */
};

/* The mode of ports 2 and 3, enum bifrost_reg_op. */
enum bf_port_mode { BF_IDLE, BF_READ, BF_WRITE, BF_WRITE_LO, BF_WRITE_HI };

/* A tuple's register block, taken apart. */
struct bf_ports {
	uint8_t reg[4];
	bool read[2];
	uint8_t mode2, mode3;	/* enum bf_port_mode */
	bool mode3_fma;		/* port 3 writes the result of FMA */
	bool reserved;		/* this control code is none */
};

struct bf_ports bf_get_ports(uint64_t registers, bool first);

/* Where a slot's result goes beside t0 or t1: register and how it is written; BF_IDLE: nowhere. */
struct bf_dest {
	uint8_t reg, mode;
};

/* A slot, in the terms of the text. */
struct bf_slot {
	const struct isa_op *op;
	uint8_t words[BF_PARTS][BF_COLUMNS];
	uint32_t numbers[BF_PARTS];
	struct bf_value sources[BF_SOURCES];
	struct bf_dest dest;
};

/* The slots (FMA, ADD, FMA ...) of a clause that begins at 128-bit word at. */
void bf_get_slots(const struct bifrost_clause *clause, size_t at, struct bf_slot slots[2 * BIFROST_TUPLES]);

/*
 * Assigns ports and constants to slots as Mesa's compiler does, into the tuples of *clause, whose count is
 * set; constants: those of *clause, false: new ones. Tuples that cannot be: as bits of the result.
 */
unsigned int bf_assign(struct bifrost_clause *clause, const struct bf_slot *slots, size_t at, bool constants);

/* Constants that clauses of so many tuples have among them: 0 or 1; and all that they can have. */
unsigned int bf_embedded(unsigned int tuples);
unsigned int bf_most_constants(unsigned int tuples);

/* Header fields; the bits are in isa_bifrost.forms[BF_F_HEADER]. */
#define BF_HEADER(X) \
	X(unknown_0_5, 0, 5, 0, "reserved") \
	X(ftz, 5, 2, 0, "subnormals to zero: no, as DX11 has it, always, abruptly") \
	X(suppress_inf, 7, 1, 0, "infinite results become the largest number") \
	X(suppress_nan, 8, 1, 0, "results that are NaN become 0") \
	X(exceptions, 9, 2, 0, "floating-point exceptions") \
	X(flow, 11, 3, 0, "end of the shader; or whether the next clause follows at once, and how lanes come together") \
	X(unknown_14, 14, 1, 0, "reserved") \
	X(terminate_discarded, 15, 1, 0, "fragments that are discarded end") \
	X(prefetch, 16, 1, 0, "the next clause may be fetched") \
	X(staging_barrier, 17, 1, 0, "wait until messages have read their data registers") \
	X(staging_register, 18, 6, 0, "data register of the clause's message") \
	X(wait, 24, 8, 0, "slots to wait for, a bit each") \
	X(slot, 32, 3, 0, "of the clause's message") \
	X(message, 35, 5, 0, "kind of the clause's message") \
	X(next_message, 40, 5, 0, "kind of the next clause's message")

/* The same of a tuple's register block, and of what stands beside a clause's constant; prefixed by the form. */
#define BF_REGISTERS(X) \
	X(fau, 0, 8, 0, "index of the fast-access uniforms") \
	X(port3, 8, 6, 0, "register that is written for the tuple before") \
	X(port2, 14, 6, 0, "register that is read, or written for the tuple before") \
	X(port0, 20, 5, 0, "register that is read") \
	X(port1, 25, 6, 0, "register that is read; with control 0: control, and port 0's bit 5") \
	X(control, 31, 4, 0, "what ports 2 and 3 do")
#define BF_MODIFIER(X) \
	X(m1, 0, 4, 0, "of 3 and 6 tuples: how the first constant is relative to the clause") \
	X(m2, 4, 4, 0, "with m1 7: which of its halves") \
	X(unknown_8_7, 8, 7, 0, "beside it")

#define X(name, lo, width, reset, note) BF_##name = lo, BF_##name##_width = width,
enum { BF_HEADER(X) BF_REGISTERS(X) BF_MODIFIER(X) };
#undef X

static inline uint32_t bf_bits(uint64_t v, unsigned int lo, unsigned int width)
{
	return v >> lo & ((1ull << width) - 1);
}

/* A field of a header, a register block or a modifier. */
#define bf_get(bits, name) bf_bits(bits, BF_##name, BF_##name##_width)

/* For the table. */
bool bf_read_line(struct isa_program *p, struct isa_cursor *c);
void bf_finish(struct isa_program *p);
extern const size_t bf_own_size;
void bf_write_form(const struct isa_op *op, struct isa_text *text);
void bf_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);
void bf_check(struct isa_checker *c);

#endif
