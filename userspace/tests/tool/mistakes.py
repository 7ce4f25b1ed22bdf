#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mistakes.py LIMN FOLDER [SEED]: mistakes of typing, planted into the example jobs, and what limn says of them.

Swapped, missing, doubled and wrong letters in words of statements, of lists and of shaders; capitals and _ for -;
missing braces, of shaders too; one number too few or too many; registers that are not there; a uniform, varying or
texture that the draw does not have; an instruction of another set. Of sixty, chosen by a
seed: a message names the right line of at least 58, and the right word, or the form of the statement or op, of at least 50.
"""
import random
import re
import subprocess
import sys
from pathlib import Path

LIMN, FOLDER = sys.argv[1], Path(sys.argv[2])
EXAMPLES = sorted(Path("userspace/tool/examples").rglob("*.limn"))
COUNT, LINES, WORDS = 60, 58, 50
OTHERS = {True: "mul.m0 ^x a0.x t[0].x", False: "mov\tt1, void, void, u0"}    # of another set, in a job for Vivante or not


def mistype(word, random):
    """The word with one mistake; never the word itself."""
    while True:
        i = random.randrange(len(word))
        other = random.choice([
            word[:i] + word[i + 1:i + 2] + word[i:i + 1] + word[i + 2:],
            word[:i] + word[i + 1:],
            word[:i] + word[i] + word[i:],
            word[:i] + random.choice("aeiourstn") + word[i + 1:],
        ])
        if other != word and other:
            return other


def plant(lines, random):
    """(kind, text, number of the line, what the message should have) of one mistake, or None."""
    kind = random.choice(["statement", "word", "op", "brace", "few", "many", "register", "isa", "capitals", "dash", "end", "use"])
    shader, places, begun, begin_line = False, [], {}, 0
    for n, line in enumerate(lines):
        begins = re.match(r"(vertex|fragment)-shader \{", line)
        if shader and line.strip() == "}":
            shader = False
            # The message is where the shader begins, and names what stands behind it.
            if kind == "end" and (behind := next((text for text in lines[n + 1:] if re.match("[a-z]", text)), None)):
                places.append((n, (0, 1), behind.split()[0]))
                begun = {**begun, n: begin_line}
        elif shader:
            if kind == "isa" and (m := re.match(r"\t(\S.*)", line)):
                places.append((n, m.span(1), None))
            if kind == "op" and (m := re.match(r"\t?([a-z]{3,})", line)):
                places.append((n, m.span(1), m[1]))
            if kind == "use" and (m := re.search(r"(?<=load\.v \$0 )0|(?<=texld )0|(?<=load\.u )0|(?<=[ \t]u)0\b|(?<=tex)0\b", line)):
                places.append((n, m.span(), "does not exist"))
            if kind == "register" and (m := re.search(r"[ \t]([atu$]\d+|\$\d)\b", line)):
                places.append((n, m.span(1), None))
        elif kind in ("capitals", "dash") and (m := re.match(r"([a-z]{3,}-[a-z]+)|draw|attribute|clear", line)):
            places.append((n, m.span(), m[0]))
        elif kind == "statement" and (m := re.match(r"([a-z][a-z-]{3,})", line)):
            places.append((n, m.span(1), m[1]))
        elif kind == "word" and (m := re.match(r"(?:draw|draw-indexed|cull|depth|blend|clear|front|indices|samples) ([a-z][a-z0-9-]{3,})", line)):
            places.append((n, m.span(1), m[1]))
        elif kind == "brace" and line.startswith(("attribute", "vertex-uniforms", "fragment-uniforms", "indices")) and line.endswith("}"):
            places.append((n, (len(line) - 1, len(line)), None))
        elif kind in ("few", "many") and (m := re.match(r"(?:clear color|viewport|draw|scissor|depth-range)[ \w.-]* ([\d.]+)$", line)):
            places.append((n, m.span(1), None))
        if begins:
            shader, begin_line = True, n
    if not places:
        return None
    n, (begin, end), word = random.choice(places)
    old = lines[n][begin:end]
    new = {"brace": "", "few": "", "many": old + " 1", "register": old[0] + "999", "capitals": old.upper(),
           "dash": old.replace("-", "_") + "_" * ("-" not in old), "end": "", "use": "9",
           "isa": OTHERS[any(re.match("vivante", text) for text in lines)]}.get(kind) if kind not in ("statement", "word", "op") else mistype(old, random)
    text = lines[:n] + [lines[n][:begin] + new + lines[n][end:]] + lines[n + 1:]
    return kind, "\n".join(text) + "\n", begun.get(n, n) + 1, word


def main():
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 18)
    right_line = right_word = done = 0
    while done < COUNT:
        example = chance.choice(EXAMPLES)
        planted = plant(example.read_text().split("\n"), chance)
        if not planted:
            continue
        kind, text, line, word = planted
        job = FOLDER / "mistake.limn"
        job.write_text(re.sub(r'(png|shader) "', lambda m: f'{m[1]} "{example.parent.resolve()}/', text))
        said = subprocess.run([LIMN, "check", job], capture_output=True, check=False, timeout=20)
        out = (said.stdout + said.stderr).decode(errors="replace")
        if said.returncode == 0:
            continue    # it is a job all the same: another word, a register of another's
        done += 1
        # A brace that is missing shows where something else begins.
        named = [int(n) for n in re.findall(r"mistake\.limn:(\d+):", out)]
        good = bool(named) and (named[0] == line or (kind == "brace" and named[0] == line + 1))
        helps = (kind in ("end", "use") and word in out) or (word and word in out.split("did you mean")[-1] and "did you mean" in out) or "the form: " in out or \
            (kind == "register" and "out of range" in out) or (kind == "isa" and "  that is " in out)
        right_line += good
        right_word += bool(helps)
        if not good or not helps:
            print(f"{example.name}: {kind} at line {line}: {'' if good else 'another line; '}{'' if helps else 'no help'}\n{out[:300]}")
    print(f"{right_line} of {COUNT} name the line, {right_word} the word or the form")
    return right_line < LINES or right_word < WORDS


sys.exit(main())
