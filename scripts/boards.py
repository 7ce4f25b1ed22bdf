# SPDX-License-Identifier: MIT
"""What Mesa's CI knows of boards, held against the virtual GPUs: of scripts/piglit-check and scripts/deqp-check."""
import re
import sys
import tarfile
from pathlib import Path

KNOWN = Path("userspace/tests/mesa/boards")
LATER = Path("userspace/tests/mesa/boards-later")


def ci_lists(tarball, board):
    """Names that fail, pattern of those that now and then do, pattern of what is not run; board: folder and name of the lists."""
    lists = {"fails": "", "flakes": "", "skips": ""}
    with tarfile.open(tarball) as tar:
        for member in tar:
            for kind in lists:
                if member.name.endswith(f"/{board}-{kind}.txt"):
                    lists[kind] = tar.extractfile(member).read().decode()
    if not lists["fails"]:
        sys.exit(f"{tarball} has no {board}-fails.txt")
    lines = {kind: [s for s in map(str.strip, text.splitlines()) if s and s[0] != "#"] for kind, text in lists.items()}
    flakes, skips = (re.compile("|".join(lines[kind]) or "$^", re.IGNORECASE) for kind in ("flakes", "skips"))
    return {s.rsplit(",", 1)[0].lower() for s in lines["fails"]}, flakes, skips


def later_list(board, cases):
    """The same of a board whose list is later than that Mesa: its patterns, of these cases."""
    rows = (line.split() for line in LATER.read_text().splitlines() if line and line[0] != "#")
    pattern = re.compile("|".join(p for name, p in rows if name == board) or "$^", re.IGNORECASE)
    return {case.lower() for case in cases if pattern.fullmatch(case)}, re.compile("$^"), re.compile("$^")


def known_rows(gpu, deqp):
    """[where it fails, pattern of names, why] of each row of a GPU; the text above a row says why."""
    rows, why, text = [], "", False
    for line in map(str.strip, KNOWN.read_text().splitlines()):
        if line.startswith("#"):
            why = f"{why} {line[1:].strip()}" if text else line[1:].strip()
        elif line:
            of, where, pattern = line.split(None, 2)
            if of == gpu and pattern.lower().startswith("deqp-") == deqp:
                rows.append((where, re.compile(pattern.lower()), why))
        text = line.startswith("#")
    return rows


def compare(gpu, cases, lists, rows, whole):
    """Prints where board and model differ, and the table; the number of findings. cases: (name in lower case, result)."""
    fails, flakes, skips = lists
    fails |= {name.rsplit("@", n)[0] for name in fails for n in (1, 2)}  # a test fails if a part of it does
    count = dict.fromkeys(("pass on both", "fail on both", "flakes there", "not run there", "slow here", "skip"), 0)
    differ, met = {}, set()
    bad = 0
    for case, result in cases:
        here, there = result in ("fail", "crash"), case in fails
        known = next((row for row in rows if row[0] == ("here" if here else "there") and row[1].fullmatch(case)), None)
        if result in ("skip", "notrun", "incomplete"):
            count["skip"] += 1
        elif result == "timeout":
            count["slow here"] += 1
        elif here == there:
            count["fail on both" if here else "pass on both"] += 1
        elif skips.search(case):
            count["not run there"] += 1
        elif flakes.search(case):
            count["flakes there"] += 1
        elif known:
            met.add(known)
            differ[known[2]] = differ.get(known[2], 0) + 1
        else:
            bad += 1
            print(f"{gpu}: FINDING: fails only {'here' if here else 'there'}: {case}")
    for row in rows if whole else ():
        if row[0] == "there" and row not in met:
            bad += 1
            print(f"{gpu}: FINDING: {KNOWN} has a row that nothing meets: {row[0]} {row[1].pattern}")
    agree = count["pass on both"] + count["fail on both"]
    print(f"{gpu}: {agree} agree, {sum(differ.values()) + bad} differ: " + ", ".join(f"{n} {what}" for what, n in count.items()))
    for why, n in differ.items():
        print(f"{gpu}: {n:4} differ: {why}")
    return bad
