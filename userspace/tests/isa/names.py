#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every instruction that others name in limn's tables, with their code and under their name?

names.py --limn build/limn [--mesa MESA] [--rnndb isa.xml]

What limn has is read from the pages that it generates (limn isa -i ISA); every op there must have
its encoding, meaning, source and coverage. Held against them:

 - the ops of mali-isa-docs' Utgard-GP.md, of the lima project's notes on T6xx, of Mesa's Bifrost Notes.txt and of rnndb's
   isa.xml, which are listed here by code; --rnndb has that document itself, and then this list must
   be complete
 - with --mesa, a source of Mesa: lima's codegen.h of GP and PP, etnaviv.xml, midgard.h and
   midgard_ops.c, Bifrost's Notes.txt

Prints a line for each; exit status 1 when something is missing.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
from itertools import takewhile

# mali-isa-docs Utgard-GP.md: bits of the opcode, and limn's names of the codes that it explains.
UTGARD_GP = {
    "83-85": "0 add, 1 floor, 2 sign, 4 ge, 5 lt, 6 min, 7 max",
    "86-89": "2 exp2, 3 log2, 4 rsqrt, 5 rcp, 9 mov, 10 addr01, 12 mov, 13 mov, 14 mov, 15 mov",
    "100-102": "0 mul, 1 complex1, 3 complex2, 4 sel",
    "103-105": "2 mov, 6 clamp",
}

# Mesa's Notes.txt: the name there, limn's.
BIFROST = {
    "LOG_FREXPM": "FREXPM.f32", "FRCP_FREXPM": "FREXPM.f32", "FSQRT_FREXPM": "FREXPM.f32",
    "FRCP_FREXPE": "FREXPE.f32", "FSQRT_FREXPE": "FREXPE.f32", "FRSQ_FREXPE": "FREXPE.f32",
    "FLOG_FREXPE": "FREXPE.f32", "LSHIFT_ADD_LOW32": "SHADDXL.i64", "LSHIFT_ADD_HIGH32": "SHADDXH.i32",
    "F16_TO_F32.X": "F16_TO_F32", "F16_TO_F32.Y": "F16_TO_F32", "MOV": "MOV.i32", "LD_UBO.v4i32": "LOAD.i128",
    "FRCP_FAST.f32": "FRCP.f32", "FRCP_FAST.f16.X": "FRCP.f16", "FRCP_TABLE": "FRCP_APPROX.f32",
    "FRSQ_TABLE": "FRSQ_APPROX.f32", "FRCP_APPROX": "FLOG_TABLE.f32", "MUX": "MUX.i32", "ST_VAR": "ST_CVT",
    "LD_VAR_ADDR": "LEA_ATTR", "DISCARD": "DISCARD.f32", "ATEST.f32": "ATEST", "BLEND": "BLEND",
}
# Forms of one op that it names too.
BIFROST_MORE = ("SHADDXL.u32", "SHADDXL.s32", "SWZ.v2i16")

# The T6xx notes: code, their name, limn's (Mesa's).
MIDGARD_ALU = """10 fadd FADD, 14 fmul FMUL, 28 fmin FMIN, 2C fmax FMAX, 30 fmov FMOV, 36 ffloor FFLOOR, 37 fceil FCEIL,
3C fdot3 FDOT3, 3D fdot3r FDOT3R, 3E fdot4 FDOT4, 3F freduce FREDUCE, 40 iadd ADD, 46 isub SUB, 58 imul MUL,
7B imov MOV, 80 feq FCMP.eq, 81 fne FCMP.ne, 82 flt FCMP.lt, 83 fle FCMP.le, 99 f2i F2I.rtz, A0 ieq CMP.eq,
A1 ine CMP.ne, A4 ilt CMP.lt, A5 ile CMP.le, C5 csel FCSEL.scalar, B8 i2f I2F, E8 fatan_pt2 FATAN2_PT2,
F0 frcp FRCP, F2 frsqrt FRSQRT, F3 fsqrt FSQRT, F4 fexp2 FEXP2, F5 flog2 FLOG2, F6 fsin FSINPI, F7 fcos FCOSPI,
F9 fatan_pt1 FATAN2_PT1"""
MIDGARD_LDST = """03 noop NOP, 94 attribute LD_ATTR.f32, 95 attribute LD_ATTR.f16, 98 varying LD_VARY.f32,
99 varying LD_VARY.f16, AC uniform LD_UBO.64, B0 uniform LD_UBO.128, D4 varying ST_VARY.f32, D5 varying ST_VARY.f16"""

# rnndb's isa.xml, INST_OPCODE from 0 on; a name behind '=' is limn's, where it is Mesa's and another.
RNNDB = """NOP ADD MAD MUL DST DP3 DP4 DSX DSY MOV MOVAR MOVAF RCP RSQ LITP SELECT
SET EXP LOG FRC CALL RET BRANCH TEXKILL TEXLD TEXLDB TEXLDD TEXLDL TEXLDPCF REP ENDREP LOOP
ENDLOOP SQRT SIN COS BRANCH2=branch_any FLOOR CEIL SIGN ADDLO MULLO BARRIER SWIZZLE I2I I2F F2I F2IRND
F2I7 CMP LOAD STORE IMG_LOAD_3D IMG_STORE_3D GETMANT=clamp0_max NAN NEXTAFTER ROUNDEVEN ROUNDAWAY IADDSAT
IMULLO0 IMULLO1 IMULLOSAT0 IMULLOSAT1
IMULHI0 IMULHI1 IMUL0 IMUL1 IDIV0 IDIV1 IDIV2 IDIV3 IMOD0=imod TEXELFETCH IMOD2 IMOD3 IMADLO0 IMADLO1 IMADLOSAT0
IMADLOSAT1
IMADHI0 IMADHI1 IMADHISAT0 IMADHISAT1 HALFADD HALFADDINC MOVAI IABS LEADZERO LSHIFT RSHIFT ROTATE OR AND XOR NOT
BITSELECT=bit_extract POPCOUNT STOREB RGB2YUV DIV ATOM_ADD=atomic_add ATOM_XCHG=atomic_xchg
ATOM_CMP_XCHG=atomic_cmp_xchg ATOM_MIN=atomic_min ATOM_MAX=atomic_max ATOM_OR=atomic_or ATOM_AND=atomic_and
ATOM_XOR=atomic_xor BIT_REV BYTE_REV TEXLDLPCF
TEXLDGPCF PACK CONV DP2 NORM_DP2 NORM_DP3 NORM_DP4 NORM_MUL STORE_ATTR IMG_LOAD IMG_STORE RESTART NOP7C NOP7D NOP7E
NOP7F=bit_findlsb""".split()

failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL", text)


# --- limn's pages ----------------------------------------------------------------------------------

class Page:
    """Rows of a page's table of ops: dicts of its columns; name is what the text begins with."""

    def __init__(self, limn, isa):
        self.isa, self.rows = isa, []
        lines = subprocess.run([limn, "isa", "-i", isa], check=True, capture_output=True, text=True).stdout.splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("   :header: Unit"))
        names = lines[head].split(": ")[1].split(", ")
        for cells in csv.reader(takewhile(str.strip, lines[head + 2:]), skipinitialspace=True):
            row = dict(zip(names, (cell.strip() for cell in cells)))
            for head in "Unit", "Text", "Encoding", "Meaning", "Source", "Coverage":
                if not row.get(head):
                    fail(f"{isa}: no {head.lower()} for {row.get('Text')}")
            row["name"] = re.split(r"[ %]", row["Text"].strip("`"))[0]
            row["codes"] = dict(re.findall(r"([\d-]+): (0x[0-9a-f]+)", row["Encoding"]))
            self.rows.append(row)

    def names(self, bits, code, unit=None):
        """Names of the rows that have that code there."""
        return {row["name"] for row in self.rows if (not unit or row["Unit"] == unit) and
                bits in row["codes"] and int(row["codes"][bits], 16) == code}

    def begins(self, name):
        return any(row["name"].lstrip("*+") == name or re.match(re.escape(name) + r"\b", row["name"].lstrip("*+"))
                   for row in self.rows)


def expect(source, page, found, name, what):
    if not any(n == name or n.split(".")[0] == name for n in found):
        fail(f"{source}: {what} is {', '.join(sorted(found)) or 'missing'} in {page.isa}, not {name}")
        return 0
    return 1


def report(source, count):
    print(f"{source}: {count} ops")
    if not count:
        fail(f"{source}: nothing found in it")


# --- Notes and rnndb ---------------------------------------------------------------------------------

def listed(text):
    return [row.split() for row in text.replace("\n", " ").split(",")]


def utgard_gp(page):
    count = 0
    for bits, codes in UTGARD_GP.items():
        for code, name in listed(codes):
            count += expect("Utgard-GP.md", page, page.names(bits, int(code)), name, f"code {code} of bits {bits}")
    count += any(row["name"] == "branch" for row in page.rows)
    report("Utgard-GP.md", count)


def bifrost(page, text):
    count = 0
    for theirs, ours in list(BIFROST.items()) + [(name, name) for name in BIFROST_MORE]:
        if page.begins(ours):
            count += 1
        else:
            fail(f"Mesa Notes.txt: {theirs} ({ours}) is missing")
    for name in re.findall(r"^\|?\s*([A-Z][A-Z0-9_]+(?:\.\w+)*):?\s*(?://.*)?$", text or "", re.M):
        if name not in BIFROST and name != "ADD":
            fail(f"Mesa Notes.txt: names.py does not list {name}")
    report("Mesa Notes.txt", count)


def t6xx(page):
    count = 0
    for code, theirs, ours in listed(MIDGARD_ALU):
        for unit in "vector", "scalar":
            count += expect("T6xx notes", page, page.names("16-23", int(code, 16), unit), ours, f"{code} {theirs}")
    for code, theirs, ours in listed(MIDGARD_LDST):
        count += expect("T6xx notes", page, page.names("0-7", int(code, 16), "load/store"), ours, f"{code} {theirs}")
    report("T6xx notes", count)


def vivante_names(page, code):
    return {row["name"] for row in page.rows if "0-5" in row["codes"] and
            int(row["codes"]["0-5"], 16) | int(row["codes"]["80"], 16) << 6 == code}


def rnndb(page, text):
    count = 0
    for code, name in enumerate(RNNDB):
        theirs, _, ours = name.partition("=")
        count += expect("rnndb", page, vivante_names(page, code), ours or theirs.lower(), f"{code:#x} {theirs}")
    for code, name in re.findall(r'<value value="(0x\w+)" name="(\w+)"', (text or "").split("</enum>")[0]):
        if RNNDB[int(code, 16)].partition("=")[0] != name:
            fail(f"rnndb: names.py does not list {name}")
    report("rnndb isa.xml", count)


# --- Mesa ------------------------------------------------------------------------------------------

def lima(pages, mesa):
    gp_bits = {"acc": "83-85", "complex": "86-89", "mul": "100-102", "pass": "103-105"}
    gp_names = {"pass": "mov", "select": "sel", "temp_store_addr": "mov"}
    text, count = read(mesa, "src/gallium/drivers/lima/ir/gp/codegen.h"), 0
    for unit, name, code in re.findall(r"gpir_codegen_(acc|complex|mul|pass)_op_(\w+)\s*= (\d+)", text):
        name = "mov" if name.startswith("temp_load_addr") else gp_names.get(name, name)
        if name != "nop":
            count += expect("Mesa lima GP", pages["utgard-gp"], pages["utgard-gp"].names(gp_bits[unit], int(code)), name,
                            f"{unit} {code}")
    report("Mesa lima GP", count)
    pp_bits = {"vec4_mul": ("38-42", "vector multiply"), "float_mul": ("25-29", "scalar multiply"),
               "vec4_acc": ("38-42", "vector add"), "float_acc": ("25-29", "scalar add"),
               "combine_scalar": ("2-5", "combine")}
    text, count = read(mesa, "src/gallium/drivers/lima/ir/pp/codegen.h"), 0
    for unit, name, code in re.findall(r"ppir_codegen_(vec4_mul|float_mul|vec4_acc|float_acc|combine_scalar)_op_(\w+)\s*="
                                       r"\s*(\w+)", text):
        if not re.fullmatch(r"mul\d*", name):
            count += expect("Mesa lima PP", pages["utgard-pp"], pages["utgard-pp"].names(pp_bits[unit][0], int(code, 0),
                            pp_bits[unit][1]), name, f"{unit} {code}")
    report("Mesa lima PP", count)


def etnaviv(page, mesa):
    text, count = read(mesa, "src/etnaviv/isa/etnaviv.xml"), 0
    for head, body in re.findall(r'<bitset name="([^#"][^>]*)>(.*?)</bitset>', text, re.S):
        shown = re.search(r'displayname="([^"]*)"', head)
        name = (shown[1] if shown else head.split('"')[0]).split("{")[0]
        low = re.search(r'<pattern low="0" high="5">([01]{6})<', body)
        high = re.search(r'<pattern pos="80">([01])<', body)
        if low and high:
            code = int(low[1], 2) | int(high[1]) << 6
            count += expect("Mesa etnaviv.xml", page, vivante_names(page, code), name, f"{code:#x}")
    report("Mesa etnaviv.xml", count)


def midgard(page, mesa):
    codes = dict(re.findall(r"(midgard_(?:alu_|tex_)?op_\w+)\s*=\s*(\w+)", read(mesa, "src/panfrost/midgard/midgard.h")))
    text, count = read(mesa, "src/panfrost/midgard/midgard_ops.c"), 0
    seen = set()
    for enum, name in re.findall(r'\[(midgard_\w+)\]\s*= \{"([^"]+)"', text):
        code = int(codes[enum], 0)
        seen.add(enum)
        if enum.startswith("midgard_alu_"):
            found = page.names("16-23", code, "vector") & page.names("16-23", code, "scalar")
        elif enum.startswith("midgard_tex_"):
            found = page.names("8-11", code, "texture")
        else:
            found = page.names("0-7", code, "load/store")
        # Mesa 25.0.7 has the names of 64-bit atomics and of image stores' types the wrong way round.
        alike = {name}
        if enum.startswith("midgard_op_atomic_"):
            bits = "64" if "64" in enum else "32"
            alike = {re.sub(r"(32|64).*", bits + (".be" if enum.endswith("_be") else ""), name)}
        elif enum.startswith("midgard_op_st_image_32"):
            alike |= {"ST_IMAGE.u32", "ST_IMAGE.s32"}
        if found & alike:
            count += 1
        else:
            fail(f"Mesa midgard_ops.c: {enum} {code:#x} is {', '.join(found) or 'missing'}, not {', '.join(alike)}")
    for enum in set(codes) - seen:
        # Named in the header alone: the no-op of load/store, traps.
        bits, unit = ("8-11", "texture") if "_tex_" in enum else ("16-23", "vector") if "_alu_" in enum else \
            ("0-7", "load/store")
        if page.names(bits, int(codes[enum], 0), unit):
            count += 1
        else:
            fail(f"Mesa midgard.h: {enum} is missing")
    report("Mesa midgard", count)


def read(mesa, path):
    with open(os.path.join(mesa, path), encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--limn", required=True)
    parser.add_argument("--mesa")
    parser.add_argument("--rnndb")
    arguments = parser.parse_args()
    pages = {isa: Page(arguments.limn, isa) for isa in ("utgard-gp", "utgard-pp", "vivante", "midgard", "bifrost")}
    for isa, page in pages.items():
        print(f"{isa}: {len(page.rows)} rows with encoding, meaning, source and coverage")
    utgard_gp(pages["utgard-gp"])
    t6xx(pages["midgard"])
    rnndb(pages["vivante"], read("", arguments.rnndb) if arguments.rnndb else None)
    if arguments.mesa:
        lima(pages, arguments.mesa)
        etnaviv(pages["vivante"], arguments.mesa)
        midgard(pages["midgard"], arguments.mesa)
    bifrost(pages["bifrost"], read(arguments.mesa, "src/panfrost/compiler/Notes.txt") if arguments.mesa else None)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
