#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Mesa's compilers emit, through limn's disassemblers, assemblers and checkers.

corpora.py --lib build/liblimn.so [--details] KIND:FILE...

FILE has words and, mostly, the text that Mesa has for them. KIND says how:

 - utgard-gp, utgard-pp: what LIMA_DEBUG=gp,pp prints
 - vivante: what ETNA_MESA_DEBUG=dump_shaders, or etnaviv-disasm, prints
 - vivante-test: Mesa's src/etnaviv/isa/tests/disasm.cpp
 - vivante-capture: a command buffer of LIMN_DATA/vivante, or context-index.txt there (beside
   context-words.txt): the shader words in it
 - midgard: what build/panfrost-compile prints
 - bifrost: the same for a Bifrost GPU

For every shader

 - asm(disasm(words)) must be the words;
 - the checker must have no error and no warning: this is what runs on real hardware;
 - limn's text must be Mesa's, but for what DIFFERENCES names with its reason.

Prints a line per ISA and what went wrong; exit status 1 when something did.
"""
import argparse
import collections
import ctypes as C
import re
import struct
import sys


class Message(C.Structure):
    _fields_ = [("severity", C.c_int), ("rule", C.c_char_p), ("line", C.c_uint), ("column", C.c_uint),
                ("at", C.c_uint), ("other", C.c_uint), ("text", C.c_char_p)]


class Messages(C.Structure):
    _fields_ = [("list", C.POINTER(Message)), ("count", C.c_size_t), ("errors", C.c_size_t),
                ("lines", C.POINTER(C.c_uint)), ("line_count", C.c_size_t)]


class Isa:
    def __init__(self, lib, name):
        self.name, self.lib = name, lib
        lib.limn_isa_find.restype = lib.limn_isa_disasm.restype = C.c_void_p
        lib.limn_isa_disasm.argtypes = [C.c_void_p, C.c_void_p, C.c_size_t]
        lib.limn_isa_asm.argtypes = [C.c_void_p, C.c_char_p, C.c_size_t, C.POINTER(C.POINTER(C.c_uint32)),
                                C.POINTER(C.c_size_t), C.POINTER(Messages)]
        lib.limn_isa_check.argtypes = [C.c_void_p, C.c_void_p, C.c_size_t, C.POINTER(Messages)]
        lib.limn_isa_messages_free.argtypes = [C.POINTER(Messages)]
        self.isa = lib.limn_isa_find(name.encode())
        self.free = C.CDLL(None).free
        self.free.argtypes = [C.c_void_p]

    def _take(self, messages):
        out = [(messages.list[i].severity, (messages.list[i].rule or b"").decode(), messages.list[i].at,
                messages.list[i].text.decode()) for i in range(messages.count)]
        self.lib.limn_isa_messages_free(C.byref(messages))
        return out

    def disasm(self, words):
        pointer = self.lib.limn_isa_disasm(self.isa, (C.c_uint32 * len(words))(*words), len(words))
        text = C.string_at(pointer).decode()
        self.free(pointer)
        return text

    def asm(self, text):
        """Words, or None with messages."""
        data, words, count, messages = text.encode(), C.POINTER(C.c_uint32)(), C.c_size_t(), Messages()
        if self.lib.limn_isa_asm(self.isa, data, len(data), C.byref(words), C.byref(count), C.byref(messages)):
            return None, self._take(messages)
        out = words[:count.value]
        self.free(words)
        return out, self._take(messages)

    def check(self, words):
        messages = Messages()
        self.lib.limn_isa_check(self.isa, (C.c_uint32 * len(words))(*words), len(words), C.byref(messages))
        return self._take(messages)


# --- Mesa's output, cut into shaders: (words, lines of text) -----------------------------------

def gp_shaders(text):
    """LIMA_DEBUG=gp: "000: W W W W" for each instruction, then the disassembly, "000:\\t..."."""
    words, lines = [], []
    for line in text.splitlines() + [""]:
        m = re.match(r"(\d{3}): ((?:[0-9a-f]{8} ){4})$", line)
        if m and m[1] == "000":
            words, lines = [], []
        if m:
            words += [int(w, 16) for w in m[2].split()]
        elif words and re.match(r"\d{3}:\t|\t", line):
            lines.append(line)
        elif words and lines:
            yield words, lines
            words, lines = [], []


def pp_shaders(text):
    """LIMA_DEBUG=pp: "000 (@     0): W W ..." and the instruction's text, in turn."""
    words, lines, inside = [], [], False
    for line in text.splitlines():
        m = re.match(r"\d{3} \(@ *\d+\): (.*)$", line)
        if line.startswith("========ppir codegen"):
            words, lines, inside = [], [], True
        elif inside and line.startswith("-----"):
            yield words, lines
            inside = False
        elif inside and m:
            words += [int(w, 16) for w in m[1].split()]
        elif inside and re.match(r"    ([0-9a-f]{8} )+$", line):
            words += [int(w, 16) for w in line.split()]
        elif inside:
            lines.append(line)


def vivante_shaders(text):
    """ETNA_MESA_DEBUG=dump_shaders: "000 [W W W W] text", with "lN:" before targets."""
    words, lines = [], []
    for line in text.splitlines() + [""]:
        m = re.match(r"(\d{3,}) \[([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8})\] (.*)$", line)
        if m and int(m[1]) == 0 and words:
            yield words, lines
            words, lines = [], []
        # Mesa shows the words once more before a label.
        if m and not re.match(r"l\d+:$", m[6]):
            words += [int(w, 16) for w in m.groups()[1:5]]
            lines.append(m[6])
    if words:
        yield words, lines


def vivante_tests(text):
    """Rows of "{ {W, W, W, W}, "text\\n"": an instruction each."""
    for m in re.finditer(r'\{ *\{(0x\w+), (0x\w+), (0x\w+), (0x\w+)\}, "(.*?)\\n"', text):
        yield [int(w, 16) for w in m.groups()[:4]], [m[5].replace("\\t", "\t").split("\t")[0]]


def vivante_captures(text, context=None):
    """What is loaded into instruction memory: 4 KiB at 0x4000 VS, at 0x6000 PS; no text."""
    states = {}
    for line in text.splitlines():
        columns = line.split()
        if context and len(columns) == 2:
            states[int(columns[1], 16)] = context[int(columns[0], 16)]
        elif len(columns) == 2 and re.match(r"[0-9a-f]{8}$", columns[0]) and re.match(r"(0x)?[0-9a-fA-F]+$", columns[1]):
            states[int(columns[1], 16)] = int(columns[0], 16)
    for first in 0x4000, 0x6000:
        words = []
        while len(words) < 1024 and first + 4 * len(words) in states:
            words.append(states[first + 4 * len(words)])
        if words:
            yield words, None


def panfrost_shaders(text):
    words = lines = None
    for line in text.splitlines():
        if line.startswith("words"):
            words, lines = [int(w, 16) for w in line.split()[1:]], []
        elif line == "end" and lines is not None:
            yield words, lines
            lines = None
        elif lines is not None:
            lines.append(line)


# --- The two texts as they compare --------------------------------------------------------------

def plain(lines):
    return [re.sub(r"\s+", " ", line).strip() for line in lines if line.strip()]


def sets_gone(line):
    return re.sub(r",? ?set [\w.]+ \w+", "", line)


def midgard_mesa(lines):
    return [re.sub(r"[+-]\d+ ->", "@ ->", re.sub(r",$", "", line)) for line in plain(lines)]


def midgard_limn(text):
    lines = [line for line in text.splitlines() if not re.match(r"L\d+:$|\.word", line)]
    lines = [re.sub(r"(L\d+|[+-]\d+) ->", "@ ->", sets_gone(line)) for line in lines]
    return [line for line in plain(lines) if line != "ctrl"]


def gp_mesa(lines):
    """Mesa shows the code of every branch, 13, as an unknown field."""
    return [line for line in plain(lines) if line != "unknown_1 13"]


def utgard_limn(text):
    """A line that only sets a field belongs to the instruction above; "@ N:" counts words."""
    lines = (re.sub(r"^@ *\d+: ", "", re.sub(r",\s*set [\w.]+ \w+", "", line)) for line in text.splitlines())
    return plain(line for line in lines if not re.match(r"\s+set [\w.]+ \w+$", line))


def bifrost_limn(text):
    return [line for line in plain(text.splitlines()) if not re.match(r"(set|constants|\.word) ", line)]


def vivante_mesa(lines):
    return [re.sub(r"\bl(\d+)\b", r"\1", line) for line in plain(lines)]


def vivante_limn(text):
    return vivante_mesa(sets_gone(line) for line in text.splitlines() if not re.match(r"l\d+:$", line))


def halves(line):
    """Numbers as Mesa shows them: six digits of the nearest half float."""
    def shown(m):
        if m[0].startswith("0x"):
            return f"{struct.unpack('e', struct.pack('H', int(m[0], 16)))[0]:f}"
        return f"{struct.unpack('e', struct.pack('e', float(m[0])))[0]:f}"
    return re.sub(r"0x[0-9a-f]{4}\b|-?\d+\.\d+(e[-+]\d+)?", shown, line)


TEXTURE = r"TEX|DERIVATIVE|DER_TO|COORDS_TO|MOV\."

# By ISA: what may differ. Pairs of (what to do to Mesa's line, what to do to ours, why). Each is tried
# alone, then all together.
DIFFERENCES = {
    "midgard": [
        (lambda m: m, lambda o: re.sub(r"\.u(8|16|32|64) ", r".i\1 ", o),
         "Mesa shows unsigned minima, maxima and comparisons as the signed ones"),
        (lambda m: re.sub(r"(s(?:add|mul)\..*)#\S+$", r"\1#", m), lambda o: re.sub(r"(s(?:add|mul)\..*)#\S+$", r"\1#", o),
         "Mesa counts a scalar constant's component in 16-bit steps and reads past the constants"),
        (lambda m: re.sub(r"\.[xyzw]+(?=\.(?:zext|sext|widen))", "", m) if "64 " in m else m,
         lambda o: re.sub(r"\.[xyzw]+(?=\.(?:zext|sext|widen))", "", o) if "64 " in o else o,
         "Mesa's compiler has pairs of selectors for 32-bit sources of 64-bit lanes; its disassembler takes each for one"),
        (lambda m: re.sub(r"(<[^>]*>|#\S+)$", "#", m) if "64 " in m else m, lambda o: re.sub(r"#\S+$", "#", o) if "64 " in o else o,
         "of constants of 64-bit lanes Mesa shows as many as there are narrow ones, and takes a selector of a pair for the lane"),
        (lambda m: re.sub(r"\bR(?=[01]\.)", "AT", re.sub(r"\bAL(?=[01][.'])", "TA", m)) if re.match(TEXTURE, m) else m,
         lambda o: o, "Mesa, told that the GPU is a T720, names the texture unit's registers as the ones they share"),
    ],
    "vivante": [],
    "bifrost": [],
    "utgard-gp": [
        (lambda m: m, lambda o: re.sub(r"(\$\d+\.[xyzw]):\d", r"\1", o),
         "two units can load a register; limn says which of them where Mesa's text does not"),
    ],
    "utgard-pp": [
        (lambda m: m, halves, "limn shows a constant by the shortest number that is the same half float, Mesa by six digits"),
    ],
}

# By kind: instruction set, how the file is read, and how both texts are made alike.
FORMATS = {
    "utgard-gp": ("utgard-gp", gp_shaders, gp_mesa, utgard_limn),
    "utgard-pp": ("utgard-pp", pp_shaders, plain, utgard_limn),
    "vivante": ("vivante", vivante_shaders, vivante_mesa, vivante_limn),
    "vivante-test": ("vivante", vivante_tests, vivante_mesa, vivante_limn),
    "vivante-capture": ("vivante", vivante_captures, None, None),
    "bifrost": ("bifrost", panfrost_shaders, plain, bifrost_limn),
    "midgard": ("midgard", panfrost_shaders, midgard_mesa, midgard_limn),
}


def same(isa, mesa, ours, counts):
    if mesa == ours:
        counts["equal"] += 1
        return True
    rules = DIFFERENCES[isa]
    for left, right, why in rules:
        if left(mesa) == right(ours):
            counts[why] += 1
            return True
    for left, right, _ in rules:
        mesa, ours = left(mesa), right(ours)
    counts["several of these"] += mesa == ours
    return mesa == ours


class Corpus:
    def __init__(self, lib, name, details):
        self.name, self.isa, self.details = name, Isa(lib, FORMATS[name][0]), details
        self.seen, self.shaders, self.words, self.sets, self.bad = set(), 0, 0, 0, []
        self.counts = collections.Counter()

    def shader(self, where, words, mesa):
        if tuple(words) in self.seen:
            return
        self.seen.add(tuple(words))
        self.shaders += 1
        self.words += len(words)
        text = self.isa.disasm(words)
        back, messages = self.isa.asm(text)
        if back != words:
            self.bad.append(f"{where}: does not come back: {messages}\n{text}")
        for severity, rule, at, what in self.isa.check(words):
            # A row of a test is a piece of a shader: its branches lead out of it.
            if severity < 2 and not (self.name.endswith("-test") and rule == "branch-target"):
                self.bad.append(f"{where}: the checker's {rule} at word {at}: {what}")
        self.sets += sum("set " in line for line in text.splitlines())
        left, right = FORMATS[self.name][2:]
        if not left or mesa is None:
            return
        mesa, ours = left(mesa), right(text)
        if len(mesa) != len(ours):
            self.bad.append(f"{where}: {len(ours)} lines of text, Mesa has {len(mesa)}")
        for m, o in zip(mesa, ours):
            if not same(self.isa.name, m, o, self.counts):
                self.bad.append(f"{where}: text differs\n\tMesa: {m}\n\tlimn: {o}")

    def report(self):
        lines = sum(self.counts.values())
        print(f"{self.name}: {self.shaders} shaders, {self.words} words come back; "
              f"{self.counts['equal']} of {lines} lines are Mesa's, {self.sets} lines need 'set'")
        for why, n in self.counts.items():
            if why != "equal":
                print(f"\t{n} lines: {why}")
        for text in self.bad if self.details else self.bad[:10]:
            print("FAIL", self.name, text)
        if len(self.bad) > 10 and not self.details:
            print(f"FAIL {self.name}: {len(self.bad) - 10} more")
        if not self.shaders:
            print(f"FAIL {self.name}: no shader in its files")
        return not self.bad and self.shaders


def more_for(path):
    """What a reader needs beside the text: the words that an index file points into."""
    if not path.endswith("context-index.txt"):
        return ()
    with open(path.replace("-index", "-words"), encoding="utf-8") as file:
        return ([int(word, 16) for word in file.read().split()],)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--details", action="store_true", help="every failure, not ten for each ISA")
    parser.add_argument("files", nargs="+", metavar="KIND:FILE")
    arguments = parser.parse_args()
    lib = C.CDLL(arguments.lib)
    corpora = {}
    for argument in arguments.files:
        name, path = argument.split(":", maxsplit=1)
        corpus = corpora.setdefault(name, Corpus(lib, name, arguments.details))
        with open(path, encoding="utf-8", errors="replace") as file:
            more = more_for(path)
            for i, (words, mesa) in enumerate(FORMATS[name][1](file.read(), *more)):
                corpus.shader(f"{path} shader {i}", words, mesa)
    results = [corpus.report() for corpus in corpora.values()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
