# SPDX-License-Identifier: MIT
"""editors.py LIMN FOLDER: what Vim's syntax files and the TextMate grammars make of limn's texts.

Standard input: the samples of host/editors, ENDING|LINE|WORD=VIM GROUP=TEXTMATE SCOPE|... Then the tables: each
statement of job files and each word of their arguments (limn info --statements), and each op of each instruction
set (limn isa) is shown as one, and the lists of the editor files have no others.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIMN, FOLDER = sys.argv[1], Path(sys.argv[2])
EDITORS = Path("userspace/editors")
VIM = shutil.which("vim")
SETS = {"gp": "utgard-gp", "pp": "utgard-pp", "viv": "vivante", "midgard": "midgard", "bifrost": "bifrost"}
VIM_OPS = {"limnOp", "limnFlow", "limnDirective", "limnUnit"}
SCOPES_OF_OPS = {"operator", "control", "preprocessor"}
FAILED = []


def fail(*what):
    if len(FAILED) < 40:
        print("FAIL:", *what)
    FAILED.append(what)


def vim_groups(path):
    """Of each line of the file, the group of each column."""
    out = FOLDER / "groups"
    script = FOLDER / "groups.vim"
    script.write_text("let out = []\nfor l in range(1, line('$'))\n"
                      "call add(out, join(map(range(1, col([l, '$']) - 1), 'synIDattr(synID(l, v:val, 1), \"name\")'), ' , '))\n"
                      f"endfor\ncall writefile(out, '{out}')\n")
    subprocess.run([VIM, "-u", "NONE", "-N", "-es", "--cmd", f"set rtp^={EDITORS.resolve()}/vim", "-c", "filetype on", "-c", "syntax on",
                    "-c", f"edit {path}", "-c", f"source {script}", "-c", "qa!"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return [[g.strip() for g in line.split(",")] for line in out.read_text().split("\n")]


class TextMate:
    """Scopes as TextMate gives them: the rule that matches first wins, of two at a place the one above."""

    def __init__(self):
        package = json.loads((EDITORS / "vscode/package.json").read_text())["contributes"]
        self.grammars = {g["scopeName"]: json.loads((EDITORS / "vscode" / g["path"]).read_text()) for g in package["grammars"]}
        self.endings = {e: "source." + l["id"] for l in package["languages"] for e in l["extensions"]}
        for scope, grammar in self.grammars.items():
            if grammar["scopeName"] != scope:
                fail(scope, "is", grammar["scopeName"], "in its file")

    def rules(self, patterns):
        for pattern in patterns:
            if "include" in pattern:
                yield from self.rules(self.grammars[pattern["include"]]["patterns"])
            else:
                yield pattern, re.compile(pattern.get("begin", pattern.get("match")))

    def scopes(self, lines, ending):
        outer = list(self.rules(self.grammars[self.endings["." + ending]]["patterns"]))
        block, result = None, []
        for line in lines:
            shown, at = [""] * len(line), 0
            while at < len(line):
                rules = outer if not block else [(None, re.compile(block["end"]))] + list(self.rules(block["patterns"]))
                found = [(m.start(), i, p, m) for i, (p, r) in enumerate(rules) for m in [r.search(line, at)] if m and m.end() > at]
                if not found:
                    break
                start, _, pattern, m = min(found, key=lambda f: f[:2])
                if pattern is None:
                    name, block = block["endCaptures"]["0"]["name"], None
                elif "begin" in pattern:
                    name, block = pattern["beginCaptures"]["0"]["name"], pattern
                else:
                    name = pattern["name"]
                shown[start:m.end()] = [name] * (m.end() - start)
                at = m.end()
            result.append([set(s.split(".")) for s in shown])
        return result


TM = TextMate()


def look(ending, lines, wanted):
    """Shown as one: the span (line, begin, end) as any of those groups and of those scopes; or, for None, as nothing."""
    path = FOLDER / f"table.{ending}"
    path.write_text("\n".join(lines) + "\n")
    groups, scopes = vim_groups(path) if VIM else None, TM.scopes(lines, ending)
    for line, begin, end, vim, textmate in wanted:
        for i in {begin, end - 1}:
            word = lines[line][begin:end]
            if VIM and (groups[line][i] not in vim if vim else groups[line][i] in ("jobStatement", "jobWord")):
                fail(f"vim shows {word} of .{ending} as '{groups[line][i]}'")
            if not scopes[line][i] & textmate if textmate else scopes[line][i] & {"keyword", "language"}:
                fail(f"TextMate shows {word} of .{ending} as {scopes[line][i]}")


def samples():
    for row in sys.stdin.read().splitlines():
        ending, line, *words = row.split("|")
        wanted = []
        for word, group, scope in (w.split("=") for w in words):
            at = line.index(word)
            wanted.append((0, at, at + len(word), {group}, {scope}))
        look(ending, [line], wanted)


def table_of_jobs():
    """(statements, words) of job files."""
    text = subprocess.run([LIMN, "info", "--statements"], capture_output=True, text=True, check=True).stdout
    statements, arguments = text.split("Their arguments\n")
    forms = re.findall(r"^``([a-z-]+)(?: (.*))?``$", statements, re.M)
    words = set()
    for _, form in forms:
        words |= set(re.findall(r'(?<![\w"-])[a-z][a-z0-9-]*(?![\w"])', form))
    for body in re.findall(r"^``[a-z0-9-]+``\n\t(``.*)$", arguments, re.M):
        for part in re.findall(r"``([^`]*)``", body):
            words |= set(re.findall(r"(?<![\w:-])[a-z][a-z0-9-]*(?!\w)", part))
    # What a file for Vivante begins with stands before all statements.
    return {name for name, _ in forms} | {"vivante"}, words


def jobs():
    statements, words = table_of_jobs()
    if len(statements) < 50 or len(words) < 200:
        fail("limn info --statements has too little:", len(statements), len(words))
    vim = (EDITORS / "vim/syntax/limn.vim").read_text().replace("'\n\t\\ . '", "")
    textmate = [p.get("match", "") for p in TM.grammars["source.limn"]["patterns"]]
    lists = [("vim", "statements", re.search(r"s:statements = '(.*)'", vim)[1].split(), statements),
             ("vim", "words", re.search(r"s:words = '(.*)'", vim)[1].split(), words),
             ("TextMate", "statements", re.search(r"\^\\s\*\((.*)\)\(", textmate[3])[1].split("|"), statements),
             ("TextMate", "words", re.search(r"\)\((.*)\)\(", textmate[4])[1].split("|"), words)]
    for editor, what, have, want in lists:
        if set(have) != want:
            fail(f"{editor}'s {what}: missing {sorted(want - set(have))}, too many {sorted(set(have) - want)}")
    lines, wanted = ["frobnicate x frobnicate-on"], [(0, 0, 10, None, None), (0, 13, 26, None, None)]
    for name in sorted(statements):
        lines.append(f"{name} 1")
        wanted.append((len(lines) - 1, 0, len(name), {"jobStatement"}, {"control"}))
    for word in sorted(words):
        lines.append(f"x {word}")
        wanted.append((len(lines) - 1, 2, 2 + len(word), {"jobWord"}, {"language"}))
    # Shaders begin with their brace.
    look("limn", [line for line in lines], wanted)
    for first, vertex, fragment in (("target 8 8", "\tmul.m0 ^1 a0.x $2.y", "\tload.v $0 0, stop"),
                                    ("vivante", "\tmov\tt0, void, void, t0", "\tmov\tt1, void, void, t1")):
        lines = [first, "vertex-shader {", vertex, "}", "fragment-shader {", fragment, "}", "draw points 0 1"]
        look("limn", lines, [(n, 1, 4, VIM_OPS, SCOPES_OF_OPS) for n in (2, 5)] + [(7, 0, 4, {"jobStatement"}, {"control"})])


def ops(ending, isa):
    text = subprocess.run([LIMN, "isa", "-i", isa], capture_output=True, text=True, check=True).stdout
    lines, wanted = [], []
    for unit, op in re.findall(r'^   "([^"]*)", "``([^ `]+)', text, re.M):
        before = {"vector": "vmul.", "scalar": "sadd."}.get(unit, "") if isa == "midgard" else ""
        lines.append(before + op.rstrip("."))    # an operand follows the dot
        wanted.append((len(lines) - 1, len(before), len(lines[-1]), VIM_OPS, SCOPES_OF_OPS))
    if len(lines) < 50:
        fail(f"limn isa -i {isa}: only {len(lines)} ops")
    look(ending, lines, wanted)
    return len(lines)


samples()
jobs()
print(sum(ops(ending, isa) for ending, isa in SETS.items()), "ops are shown as such" if not FAILED else "ops were looked at")
sys.exit(bool(FAILED))
