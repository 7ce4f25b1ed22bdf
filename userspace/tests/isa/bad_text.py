#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong and odd texts for all assemblers: every one is assembled, or refused as the documentation says.

Exit status 0 without a word on standard error, or 1 with messages, each FILE:LINE:COLUMN: with the
line and a caret under the column; with --json the same messages, as JSON that Python can read. A
text that is taken makes words whose text makes the same words.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIMN = "build/limn"
# An instruction that is right, a branch to %s, an operand's place, and a register's name.
ISAS = {
    "utgard-gp": {"good": "mov.a0 ^0 a0.x", "branch": "mov.p ^4 a0.x\n\tbranch ^4 {}", "number": "mov.a0 ^0 t[{}].x",
                  "names": ["a0", "t", "nop", "set"]},
    "utgard-pp": {"good": "mov.v0 $1 $0", "branch": "mov.v0 $1 $0, branch {}", "number": "mov.v0 $1 ${}",
                  "names": ["$0", "stop", "sync", "const0"]},
    "vivante": {"good": "mov t0, void, void, t1", "branch": "branch void, void, void, {}",
                "number": "mov t0, void, void, t{}", "names": ["t0", "u0", "void", "mov"]},
    "midgard": {"good": "vmul.FMUL.f32 R0, R1, #0.5", "branch": "br.cond.true {} -> alu/4",
                "number": "vmul.FMUL.f32 R0, R{}, R1", "names": ["R0", "U0", "break", "ctrl"]},
    "bifrost": {"good": "ds(0) eos\n{\n*MOV.i32 t0, r0\n}", "branch": "{{\n+JUMP t1, {}\n}}",
                "number": "{{\n*SHADDXL.i64 t0, r0, r1, shift:{}\n}}", "names": ["r0", "t0", "NOP", "clause_0"]},
}
NUMBERS = ["", "-", "-1", "-0", "+1", "0x", "0xg", "00", "000000000000000000000000000000001", "99999999999999999999999", "0x" + "f" * 40,
           "1.5", "1e9", "1e999999", "nan", "inf", "-nan", "NaN", "1" * 5000, "0b1", "'a'", "1_000", "١", "\x00", "%s%n", "1.", ".1", "1..1"]


def texts(isa):
    good, branch = isa["good"], isa["branch"]
    for n in NUMBERS:
        yield isa["number"].format(n)
        yield f".word {n}"
        yield f"{good}, set nothing {n}"
        if branch:
            yield branch.format(n)
    for n in range(len(good)):
        yield good[:n]
        yield good[:n] + "\x01" + good[n:]
        yield good[:n] + good[n + 1:]
        yield good[:n] + "é" + good[n:]
    if branch:
        yield branch.format("nowhere")
        yield f"x: {good}\nx: {good}"
        yield f"x:\n\n{good}\n\nx:\n\n{good}\n"
        for name in isa["names"]:
            yield f"{name}: {good}\n\n" + branch.format(name)
        yield "x" * 100000 + f": {good}\n\n" + branch.format("x" * 100000)
        yield "\n\n".join(branch.format(f"no{i}") for i in range(300))
    yield from REFUSED
    yield from (good + end for end in TAKEN)
    yield from ("", "\n", "\n\n\n", " ", "\t", "\r", "\r\n\r\n", "\x00", "\x00" * 1000, "\ufeff" + good, "#", "//", ";", "# only a comment",
                ":", "::", ": :", "x:", "1:", "-:", ",", ",,,,", "(", "((((((((", ")" * 1000, "[" * 100000, "{" * 1000, "<" * 1000, "-" * 100000, "^" * 1000,
                "abs(" * 10000 + "t0", "." * 10000, ".word", ".word ,", ".word 1,2", ".word " + "1 " * 50000, ".", ".word1", ".unknown 1", "set", "set x", "set x 1",
                "%d%s%n%n%n", "é", "日本語", "\x7f", "\x1b[31m", "a" * 1000000, " " * 1000000 + "x")
    for end in ("", "\n", "\r\n", "\r", "\n\n", "\x00", "\x1a", " ", "\t", "#", " # c", " // c", ";", ",", " ,", "\\"):
        yield good + end
    for between in ("\n", "\r\n", "\n\n", "\r\n\r\n", "\r", "\n \n", "\n\t\n", "\n# c\n", "\n// c\n"):
        yield between.join([good, "", good, "junk here", good, "more junk", good])
        yield between.join([good, good])
    yield good.replace(" ", "\t")
    yield good.replace(" ", "  \t ")
    yield good.upper()
    yield good.lower()
    yield "\n".join(f"junk{i}" for i in range(3000))
    yield (good + " ") * 1000
    yield ", ".join([good] * 1000)
    yield good + ", set " + "x" * 100000 + " 1"


REFUSED = {".word", ".word ", ".word ,", ".word # c", ".word1", ".word 1,2", "set", "nop1"}
TAKEN = ("\n", "\r\n", "\r\n\r\n", "\t", " # c", " // c")   # behind an instruction


LINE = re.compile(rb"^(.*):(\d+):(\d+): (.+)$", re.S)


def check_messages(path, source, stderr):
    """[(line, column)] of the plain messages; ValueError when one is not as it should be."""
    lines, found, at = source.split(b"\n"), [], 0
    while at < len(stderr):
        end = stderr.index(b"\n", at)
        match = LINE.match(stderr[at:end])
        if not match or match[1] != str(path).encode():
            raise ValueError(f"not FILE:LINE:COLUMN: {stderr[at:end][:200]}")
        line, column = int(match[2]), int(match[3])
        if not 1 <= line <= len(lines) or not 1 <= column <= len(lines[line - 1]) + 1:
            raise ValueError(f"no such place: {stderr[at:end][:200]}")
        shown, end = stderr[end + 1:], end + 1
        # The line, or a part of a long one, and a caret.
        text, _, rest = shown.partition(b"\n")
        caret, _, _ = rest.partition(b"\n")
        if not text.startswith(b"  ") or not caret.startswith(b"  ") or caret.strip(b" \t") != b"^":
            raise ValueError(f"no line or no caret: {text[:100]} {caret[:100]}")
        if len(text) > 1000 or len(caret) > 1000:
            raise ValueError(f"a line of {len(text)} characters is shown")
        found.append((line, column))
        at = end + len(text) + 1 + len(caret) + 1
        # The form that would be right, the fields that there are; of a hundred errors no more than their number.
        if stderr[at:].startswith((b"  the form: ", b"  there are:")):
            at = stderr.index(b"\n", at) + 1
        if re.match(rb"and more: \d+ errors in all\n$", stderr[at:]) and len(found) == 100:
            at = len(stderr)
    return found


def run(arguments, timeout=20):
    return subprocess.run([LIMN, *arguments], capture_output=True, timeout=timeout, check=False)


def check(name, text, folder):
    path, binary = folder / "text.asm", folder / "binary"
    source = text.encode("utf-8", "surrogateescape")
    path.write_bytes(source)
    done = run(["asm", "-i", name, "-o", binary, path])
    as_json = run(["asm", "-i", name, "--json", "-o", folder / "other", path])
    if done.returncode not in (0, 1) or as_json.returncode != done.returncode:
        raise ValueError(f"exit status {done.returncode}, with --json {as_json.returncode}")
    messages = json.loads(as_json.stderr)
    if text in REFUSED and done.returncode == 0:
        raise ValueError("taken")
    if done.returncode and text in {ISAS[name]["good"] + end for end in TAKEN}:
        raise ValueError(f"refused: {done.stderr[:200]}")
    if done.returncode == 0:
        if done.stderr or messages:
            raise ValueError(f"taken, but: {done.stderr[:200]}")
        again = run(["disasm", "-i", name, binary])
        path.write_bytes(again.stdout)
        back = run(["asm", "-i", name, "-o", folder / "other", path])
        if again.returncode or back.returncode or (folder / "other").read_bytes() != binary.read_bytes():
            raise ValueError(f"no round trip: {again.stdout[:200]} {again.stderr[:200]} {back.stderr[:300]}")
        return True
    places = check_messages(path, source, done.stderr)
    if not places:
        raise ValueError("refused without a message")
    if places != [(m["line"], m["column"]) for m in messages]:
        raise ValueError("--json has other messages")
    if len(text) % 8:   # one in eight is enough to see that these are told too
        return False
    for command in ("check", "exec"):
        if run([command, "-i", name, path]).returncode != 1:
            raise ValueError(f"limn {command} takes it")
    if not isinstance(json.loads(run(["check", "--json", "-i", name, path]).stdout), list):
        raise ValueError("check --json: no list")
    return False


def main():
    failed = taken = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, isa in ISAS.items():
            assert check(name, isa["good"], Path(folder)), f"{name}: {isa['good']} is refused"
            for text in texts(isa):
                count += 1
                try:
                    taken += check(name, text, Path(folder))
                except (ValueError, KeyError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"FAIL: {name}: {text[:80]!r}: {error}")
    print(f"{count} texts, {taken} of them taken, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
