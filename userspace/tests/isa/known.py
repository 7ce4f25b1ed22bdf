#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers that Mesa's own tests of Bifrost expect, asked of limn.

known.py --lib build/liblimn.so --limn build/limn MESA

MESA is the source of Mesa, of which two files are read (and nothing is copied):

 - src/panfrost/compiler/test/test-pack-formats.cpp: clauses, some of them by ARM's compiler, as
   tuples, header and constant, and the words that they are packed into. limn's words must be the
   same, and read back they must be what went in.
 - src/panfrost/compiler/test/test-constant-fold.cpp: instructions on constants and their results.
   limn exec must get the same.

What else there is, and why it says nothing about limn: Documentation/dev/known-answers.rst. The
number of rows of each kind is checked, so that one that is no longer understood is noticed.
"""
import argparse
import ctypes as C
import os
import re
import subprocess
import sys
import tempfile


FOLDS = 12      # EXPECT_FOLD rows of ops that Bifrost has; MKVEC.v2i8 is a pseudo op there


def number(text):
    """A C expression of numbers."""
    text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)(ull|u|l)*\b", r"\1", text)
    if not re.fullmatch(r"[0-9a-fA-FxX()|<>\s]+", text):
        raise ValueError(f"no number: {text}")
    return eval(text, {"__builtins__": {}})     # pylint: disable=eval-used


# --- Clauses -------------------------------------------------------------------------------------

class Tuple(C.Structure):
    _fields_ = [("registers", C.c_uint64), ("fma", C.c_uint32), ("add", C.c_uint32)]


class Clause(C.Structure):
    """struct bifrost_clause of isa/bifrost_clause.h."""
    _fields_ = [("tuple_count", C.c_uint), ("tuples", Tuple * 8), ("header", C.c_uint64),
                ("constant_count", C.c_uint), ("constants", C.c_uint64 * 7), ("modifier", C.c_uint32)]


class Clauses:
    """isa/bifrost_clause.h of liblimn.so."""

    def __init__(self, lib):
        self.read_call, self.write_call = lib.limn_isa_bifrost_clause_read, lib.limn_isa_bifrost_clause_write
        self.read_call.restype = self.write_call.restype = C.c_size_t
        self.read_call.argtypes = [C.c_void_p, C.c_size_t, C.POINTER(Clause)]
        self.write_call.argtypes = [C.POINTER(Clause), C.c_void_p]

    def read(self, words):
        """The clause that words begin with and how many words it has, 0: none."""
        clause = Clause()
        return clause, self.read_call((C.c_uint32 * len(words))(*words), len(words), C.byref(clause))

    def write(self, clause):
        words = (C.c_uint32 * 40)()
        return words[:self.write_call(C.byref(clause), words)]


def packed(text):
    """Name, tuples as 78-bit numbers, header, constant, "no constants behind", 64-bit words."""
    for name, body in re.findall(r"TEST_F\(PackFormats, (\w+)\)\n\{(.*?)\n\}", text, re.S):
        tuples = re.search(r"tuples\[\] = \{(.*?)\n   \};", body, re.S)[1]
        tuples = [int(lo, 16) | int(hi, 16) << 64 for lo, hi in re.findall(r"\{(0x\w+), *(0x\w+)\}", tuples)]
        names = {m[1]: number(re.sub(r"/\*.*?\*/", "", m[2]).replace(">> 4", "")) >> (4 if ">> 4" in m[2] else 0)
                 for m in re.finditer(r"uint64_t (\w+) = ([^;]+);", body)}
        call = re.findall(r"bi_pack_format\(&result, \d+, tuples, \d+, (\w+), (\w+), (\d+), (\w+)\);", body)[-1]
        header, constant = (names[x] if x in names else number(x) for x in call[:2])
        expected = re.search(r"expected\[\] = \{(.*?)\};", body, re.S)[1]
        yield name, tuples, header, constant, call[3] == "true", [int(x, 16) for x in re.findall(r"0x\w+", expected)]


def check_clauses(text, clauses):
    bad, rows = 0, 0
    for name, tuples, header, constant, last, expected in packed(text):
        rows += 1
        clause = Clause(tuple_count=len(tuples), header=header)
        for i, bits in enumerate(tuples):
            clause.tuples[i].registers = bits & (1 << 35) - 1
            clause.tuples[i].fma = bits >> 35 & (1 << 23) - 1
            clause.tuples[i].add = bits >> 58
        clause.constants[0] = constant
        # Where Mesa's row says that constants follow, it does not have them: two zeroes here.
        embedded = len(tuples) in (3, 5, 6, 8)
        clause.constant_count = embedded + (0 if last else 2)
        words = clauses.write(clause)
        want = [word >> shift & 0xffffffff for word in expected for shift in (0, 32)]
        again, n = clauses.read(words)
        if words[:len(want)] != want:
            print(f"FAIL PackFormats.{name}: {[hex(w) for w in words]}, not {[hex(w) for w in want]}")
            bad += 1
        elif n != len(words) or bytes(again) != bytes(clause):
            print(f"FAIL PackFormats.{name}: reading gives something else")
            bad += 1
    print(f"clauses: {rows - bad} of {rows} rows of test-pack-formats.cpp")
    return rows - bad, rows


# --- Instructions on constants ---------------------------------------------------------------------

def split(text):
    """Arguments of a call, at its own level."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


class Source:
    """A bi_index on a constant: its 32 bits and how its user sees it: halves, or one byte."""

    def __init__(self, expression, names):
        self.halves, self.byte = "01", 0
        expression = expression.strip()
        if expression in names:
            expression = names[expression]
        call = re.fullmatch(r"(bi_\w+)\((.*)\)", expression, re.S)
        arguments = split(call[2])
        if call[1] in ("bi_imm_u32", "bi_imm_u16", "bi_imm_u8"):
            self.value = number(arguments[0])
            if call[1] == "bi_imm_u16":
                self.halves = "00"
        elif call[1] in ("bi_swz_16", "bi_byte"):
            inner = Source(arguments[0], names)
            self.value = inner.value
            if call[1] == "bi_byte":
                self.byte = number(arguments[1])
            else:
                self.halves = "".join("1" if x == "true" else "0" for x in arguments[1:])
        else:
            raise ValueError(f"unknown source {expression}")


def instruction(op, sources):
    """limn's text, of r0 to r2 and u0.w0; None where Bifrost has no such instruction."""
    s = sources
    names = ("r0", "r1", "r2", "u0.w0")
    if op == "swz_v2i16":
        return f"+{'MOV.i32' if s[0].halves == '01' else 'SWZ.v2i16'} r5:t1, r0" + ("" if s[0].halves == "01" else f".h{s[0].halves}")
    if op == "mkvec_v2i16":
        return f"*MKVEC.v2i16 r5:t0, r0.h{s[0].halves[0]}, r1.h{s[1].halves[0]}"
    if op == "mkvec_v4i8":
        return "*MKVEC.v4i8 r5:t0, " + ", ".join(f"{name}.b{x.byte}" for name, x in zip(names, s))
    if op == "lshift_or_i32":
        return f"*LSHIFT_OR.i32 r5:t0, r0, r1, r2.b{s[2].byte}"
    if op == "mkvec_v2i8":
        return None
    raise ValueError(f"unknown instruction {op}")


def folds(text):
    for body in re.findall(r"TEST_F\(ConstantFold, \w+\)\n\{(.*?)\n\}", text, re.S):
        names = {m[1]: m[2] for m in re.finditer(r"bi_index (\w+) = ([^;]+);", body)}
        for m in re.finditer(r"\bEXPECT_FOLD\((.*?)\);", body, re.S):
            call, expected = split(re.sub(r"/\*.*?\*/", "", m[1]))
            op, arguments = re.fullmatch(r"bi_(\w+)_to\((.*)\)", call, re.S).groups()
            yield op, [Source(x, names) for x in split(arguments)[2:]], number(expected)


def execute(limn, text, sources):
    inputs = [x for name, s in zip(("r0", "r1", "r2", "fau0"), sources) for x in ("--in", f"{name}=i:0x{s.value:x}")]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        print(f"{{\n{text}\n*NOP t0\n+NOP t1\n}}", file=file, flush=True)
        out = subprocess.run([limn, "exec", "-i", "bifrost", "--in", "r5=i:0x5a5a5a5a", *inputs, file.name], text=True,
                             capture_output=True, check=False)
    m = re.search(r"^r5 = .*\(0x([0-9a-f]+)", out.stdout, re.M)
    return int(m[1], 16) if m and not out.returncode else out.stdout + out.stderr


def check_folds(text, limn):
    bad, rows, left = 0, 0, 0
    for op, sources, expected in folds(text):
        line = instruction(op, sources)
        if not line:
            left += 1
            continue
        rows += 1
        got = execute(limn, line, sources)
        if got != expected:
            print(f"FAIL {line} of {[hex(s.value) for s in sources]}: {got}, not {expected:#x}")
            bad += 1
    print(f"constants: {rows - bad} of {rows} rows of test-constant-fold.cpp; {left} more are of MKVEC.v2i8, "
          "which Bifrost does not have")
    return rows - bad, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--limn", required=True)
    parser.add_argument("mesa", metavar="MESA")
    arguments = parser.parse_args()
    text = {}
    for name in "pack-formats", "constant-fold":
        with open(os.path.join(arguments.mesa, f"src/panfrost/compiler/test/test-{name}.cpp"), encoding="utf-8") as f:
            text[name] = f.read()
    clauses = check_clauses(text["pack-formats"], Clauses(C.CDLL(arguments.lib)))
    constants = check_folds(text["constant-fold"], arguments.limn)
    expected = text["pack-formats"].count("TEST_F(")
    if clauses != (expected, expected) or constants != (FOLDS, FOLDS):
        print(f"FAIL: {expected} clauses and {FOLDS} constants expected")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
