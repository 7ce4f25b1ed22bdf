#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiled shaders, executed: GLSL through Mesa's compilers, limn exec, and the same GLSL as C++.

compiled.py --set SET --compiler PROGRAM [--gpu GPU] [--limn build/limn] [--glm FOLDER] [--details] [--random FOLDER] [NAME...]

Each program of this folder (NAME.VERSION.vert , .frag or .comp; README says how they are written) is compiled
by the compiler of a set, run on eight lanes of inputs that its name makes, and what it puts out is
compared with what the source does as C++ on GLM. Prints a line for each that differs and a count; exit
status 1 when one differs, 77 without a C++ compiler or GLM.
"""
import argparse
import collections
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LANES = 8

# --- Programs ------------------------------------------------------------------------------------

# Type: columns, rows, kind.
TYPES = {"float": (1, 1, "f"), "int": (1, 1, "i"), "uint": (1, 1, "u"), "bool": (1, 1, "b")}
for n in (2, 3, 4):
    TYPES.update({f"vec{n}": (1, n, "f"), f"ivec{n}": (1, n, "i"), f"uvec{n}": (1, n, "u"), f"mat{n}": (n, n, "f")})
SAMPLERS = ("sampler2D", "sampler3D", "samplerCube", "sampler2DShadow", "samplerCubeShadow")
IMAGE = 256     # words of an image: 8 by 8 texels

Variable = collections.namedtuple("Variable", "kind type name count flat")

DECLARATION = re.compile(
    r"^[ \t]*(?:layout\s*\(([^)]*)\)\s*)?((?:(?:flat|smooth|invariant|centroid|readonly|writeonly)\s+)*)"
    r"(uniform|attribute|varying|in|out|shared)\s+(?:(?:highp|mediump|lowp|readonly|writeonly|coherent)\s+)*(\w+)\s+([^;{]+);", re.M)
# Of one member each.
BUFFER = re.compile(r"^[ \t]*layout\s*\(([^)]*)\)\s*buffer\s+\w+\s*\{\s*(\w+)\s+(\w+)\s*\[\s*(\d+)\s*\];\s*\};", re.M)


class Program:
    """A source file, what it declares, and the directives in its comments."""

    def __init__(self, path):
        self.path = path
        self.name, self.version, stage = os.path.basename(path).split(".")
        self.stage = {"vert": "vertex", "frag": "fragment", "comp": "compute"}[stage]
        self.label = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.ranges, self.tolerances, self.without = {}, {}, {}
        for line in re.findall(r"^//! (.*)$", self.source, re.M):
            word = line.split()
            if word[0] == "range":
                self.ranges[word[1]] = (float(word[2]), float(word[3]))
            elif word[0] == "tolerance":
                self.tolerances[word[1] if len(word) > 2 else None] = float(word[-1])
            elif word[0] == "not":
                self.without[word[1].rstrip(":")] = " ".join(word[2:])
            else:
                raise ValueError(f"{path}: //! {line}")
        self.variables = []
        for _, flat, kind, kind_type, names in DECLARATION.findall(self.plain()):
            if kind == "varying":
                kind = "out" if self.stage == "vertex" else "in"
            kind = "in" if kind == "attribute" else kind
            for name in names.split(","):
                array = re.match(r"\s*(\w+)\s*(?:\[\s*(\w+)\s*\])?", name)
                count = int(array[2]) if array[2] else 0
                self.variables.append(Variable(kind, kind_type, array[1], count, "flat" in flat))

        self.bindings = {}
        for layout, kind_type, name, count in BUFFER.findall(self.plain()):
            self.variables.append(Variable("buffer", kind_type, name, int(count), False))
            self.bindings[name] = int(re.search(r"binding\s*=\s*(\d+)", layout)[1])

    def tolerance(self, one):
        """The set's own, this program's in that set or, where it is larger, this program's in all."""
        return self.tolerances.get(one.name, max(one.tolerance, self.tolerances.get(None, 0)))

    def plain(self):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", self.source, flags=re.S)
        return re.sub(r"#[^\n]*|\bprecision\s+\w+\s+\w+\s*;", "", text)

    def of(self, kind):
        return [v for v in self.variables if v.kind == kind]

    def uses(self, name):
        return re.search(rf"\b{name}\b", self.plain())

    def inputs(self):
        """All that the program reads: name, list of words for each lane. Uniforms are the same in all."""
        wanted = [v for v in self.variables if v.kind in ("in", "uniform", "buffer")]
        if self.stage == "fragment":
            wanted += [Variable("in", t, n, 0, False) for t, n in (("vec4", "gl_FragCoord"), ("vec2", "gl_PointCoord"),
                                                                  ("bool", "gl_FrontFacing")) if self.uses(n)]
        values = {}
        for v in wanted:
            one = []
            for lane in range(LANES):
                key = 0 if v.kind in ("uniform", "buffer") and v.type not in SAMPLERS else lane
                one.append(self.words_of(v, key))
            values[v.name] = one
        if self.stage == "compute":
            # One group of one row.
            for name in ("gl_LocalInvocationID", "gl_GlobalInvocationID", "gl_LocalInvocationIndex"):
                values[name] = [[lane, 0, 0][:1 if name.endswith("Index") else 3] for lane in range(LANES)]
            values["gl_NumWorkGroups"] = [[1, 1, 1]] * LANES
        return values

    def words_of(self, v, lane):
        columns, rows, kind = TYPES.get(v.type, (1, 4, "f"))
        low, high = self.ranges.get(v.name, (0, 1) if v.type in SAMPLERS or kind == "b" else (-2, 2) if kind == "f" else (0, 9))
        words = []
        for i in range(IMAGE if v.type == "image2D" else columns * rows * (v.count or 1)):
            digest = hashlib.sha256(f"{self.label} {v.name} {lane} {i}".encode()).digest()
            x = struct.unpack("<I", digest[:4])[0] / 2 ** 32
            if kind == "f":
                # Of few digits, so that sums and products of some of them are exact.
                words.append(bits(round((low + x * (high - low)) * 64) / 64))
            else:
                words.append(int(low + x * (high + 1 - low)) & 0xffffffff)
        return words


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(word):
    return struct.unpack("<f", struct.pack("<I", word & 0xffffffff))[0]


# --- The same in C++ -------------------------------------------------------------------------------

COMPONENT = {c: i for letters in ("xyzw", "rgba", "stpq") for i, c in enumerate(letters)}
SWIZZLE = r"([xyzw]{2,4}|[rgba]{2,4}|[stpq]{2,4})"


def arrays(text):
    """T[n](a, b) as { a, b }."""
    while True:
        m = re.search(r"\b\w+\s*\[\s*\w*\s*\]\s*\(", text)
        if not m:
            return text
        depth, end = 1, m.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:m.start()] + "{" + text[m.end():end - 1] + "}" + text[end:]


def cplusplus(program):
    text = re.sub(r"layout\s*\(\s*local_size[^)]*\)\s*in\s*;", "", program.plain())
    text = DECLARATION.sub(lambda m: f"static {m[4]} {m[5]};", BUFFER.sub(r"static \2 \3[\4];", text))
    text = re.sub(r"\b(highp|mediump|lowp|invariant)\b", "", text)
    text = re.sub(r"\b(?:inout|out)\s+(\w+)\s+(\w+)(?=\s*[,)])", r"\1 &\2", text)
    text = re.sub(r"(?<=[(,])\s*in\s+(?=\w+\s+\w+\s*[,)])", " ", text)
    text = re.sub(rf"([\w\]\[]+)\.{SWIZZLE}\s*([-+*/]?=)(?!=)",
                  lambda m: f"lv<{', '.join(str(COMPONENT[c]) for c in m[2])}>({m[1]}) {m[3]}", text)
    text = re.sub(rf"(?<=[\w)\]])\.{SWIZZLE}\b(?!\s*\()", r".\1()", text)
    text = re.sub(r"\bdiscard\b", "throw Discard()", text).replace("^^", "!=")
    text = re.sub(r"\bnot\s*\(", "not_all(", text)
    text = re.sub(r"(\w+)\.length\(\)", r"length_of(\1)", text)
    text = re.sub(r"\bvoid\s+main\s*\(\s*(void)?\s*\)", "static void shader_main()", arrays(text))
    table = []
    for v in program.variables:
        columns, rows, _ = TYPES.get(v.type, (1, IMAGE if v.type == "image2D" else 5, "f"))
        common = "true" if v.kind in ("buffer", "shared") or v.type == "image2D" else "false"
        table.append(f'{{ "{v.name}", {"" if v.count else "&"}{v.name}, {columns * rows * (v.count or 1)}, {common} }}')
    space = re.sub(r"\W", "_", program.label)
    entry = f'{{ "{program.label}", shader_main, {{ {", ".join(table)} }} }}'
    return f'namespace {space} {{\n#line 1 "{program.label}"\n{text}\nconst Program program = {entry};\n}}\n', f"{space}::program,"


class Evaluator:
    """All programs as one C++ program that stays and is asked."""

    def __init__(self, programs, glm, folder):
        parts = [cplusplus(p) for p in programs]
        source = '#include "glsl.hpp"\n' + "".join(a for a, _ in parts) + \
            "const std::vector<Program> programs = {\n" + "\n".join(b for _, b in parts) + "\n};\n"
        path = os.path.join(folder, "programs.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        # The order of operations is the source's; GLM is a library of the system.
        subprocess.run(["g++", "-std=c++20", "-O0", "-w", "-fwrapv", "-ffp-contract=off", "-fsingle-precision-constant",
                        "-fno-operator-names", "-I", HERE, *(["-isystem", glm] if glm else []), "-o", path[:-4], path],
                       check=True)
        self.process = subprocess.Popen([path[:-4]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, program, inputs, coords):
        """Values by lane and name, and the lanes that are discarded."""
        lines = [f"program {program.label}"]
        samplers = {v.name for v in program.variables if v.type in SAMPLERS}
        for name, lanes in inputs.items():
            for lane, words in enumerate(lanes):
                if name in samplers:
                    words = [w for i in range(0, len(words), 4) for w in words[i:i + 4] + [int(coords)]]
                lines.append(f"{lane} {name} " + " ".join(f"{w:x}" for w in words))
        self.process.stdin.write("\n".join(lines) + "\nrun\n")
        self.process.stdin.flush()
        values, discarded = [{} for _ in range(LANES)], 0
        while True:
            word = self.process.stdout.readline().split()
            if not word or word[0] == "end":
                return values, discarded
            if word[0] == "discard":
                discarded |= 1 << int(word[1])
            else:
                values[int(word[1])][word[2]] = [int(w, 16) for w in word[3:]]


# --- Sets ------------------------------------------------------------------------------------------------

def partner(program):
    """The other stage, which passes all on: compilers take both."""
    es3 = program.version != "100"
    lines = [f"#version {program.version} es"] if es3 else []
    if program.stage == "fragment":
        lines.append(f"{'in' if es3 else 'attribute'} vec4 a_position;")
        for i, v in enumerate(program.of("in")):
            flat = "flat " if v.flat else ""
            lines.append(f"{'in' if es3 else 'attribute'} {v.type} a_{i};")
            lines.append(f"{flat}{'out' if es3 else 'varying'} highp {v.type} {v.name};")
        body = [f"{v.name} = a_{i};" for i, v in enumerate(program.of("in"))] + ["gl_Position = a_position;"]
    else:
        lines.append("precision highp float; precision highp int;")
        lines += ["out vec4 f_out;"] if es3 else []
        terms = ["vec4(0.0)"]
        for v in program.of("out"):
            flat = "flat " if v.flat else ""
            lines.append(f"{flat}{'in' if es3 else 'varying'} highp {v.type} {v.name};")
            _, rows, kind = TYPES[v.type]
            value = v.name if kind == "f" else f"{'float' if rows == 1 else f'vec{rows}'}({v.name})"
            terms.append(f"vec4({value}{', 1.0' * (4 - rows)})")
        body = [f"{'f_out' if es3 else 'gl_FragColor'} = {' + '.join(terms)};"]
    return "\n".join(lines) + "\nvoid main() { " + " ".join(body) + " }\n"


class Shader:
    """What a compiler put out: words, and lines on where inputs and outputs are, by their first word."""

    def __init__(self, stage):
        self.stage, self.words, self.lines = stage, [], collections.defaultdict(list)


def read_shaders(text):
    """The compilers' common form (userspace/tests/mesa/tools/panfrost_compile.c)."""
    shaders, shader = {}, None
    for line in text.splitlines():
        word = line.split()
        if line.startswith("shader "):
            shader = Shader(re.sub("MESA_SHADER_", "", word[1]).lower())
            shaders[shader.stage] = shader
        elif shader and line.startswith("words"):
            shader.words = [int(w, 16) for w in word[1:]]
            shader = None
        elif shader and word:
            shader.lines[word[0]].append(word[1:])
    return shaders


class Set:
    """An instruction set: subclasses say what to run and where inputs and outputs are."""
    name = None             # of limn exec -i, by stage
    tolerance = 2e-6        # of a value, relative to the larger of it and 1
    coords = False          # limn exec takes texN=coords
    alone = False           # the compiler takes one stage without the other
    versions = ("100", "300", "310")
    stages = ("vertex", "fragment", "compute")

    def __init__(self, options, folder):
        self.options, self.folder, self.ops = options, folder, set()

    def command(self, program, files):
        raise NotImplementedError

    def compile(self, program):
        files, sources = [], {program.stage: program.source}
        if not self.alone and program.stage != "compute":
            sources["fragment" if program.stage == "vertex" else "vertex"] = partner(program)
        for stage, source in sources.items():
            path = os.path.join(self.folder, "program." + stage[:4])
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            files.append(path)
        done = subprocess.run(self.command(program, sorted(files, reverse=True)), capture_output=True, text=True)
        if done.returncode or "Unhandled" in done.stderr:
            raise ValueError(f"does not compile: {done.stderr.strip()[-300:]}")
        return self.read(done.stdout)

    read = staticmethod(read_shaders)

    def adapted(self, inputs):
        """Inputs as this set can have them."""
        return inputs

    def tolerance_of(self, program):
        return program.tolerance(self)

    def place(self, program, shaders, inputs):
        """Arguments of limn exec: pairs of an input's name there and its values, by lane (None: all)."""
        raise NotImplementedError

    def outputs(self, program, shaders, printed):
        """Words by the GLSL's name and lane, from what limn exec printed: name and lane to words."""
        raise NotImplementedError

    def expected(self, program, name, words):
        """What a value is in the registers of this set (a position may be transformed already)."""
        return words

    def execute(self, program, shaders, inputs):
        path = os.path.join(self.folder, "shader.bin")
        if program.stage not in shaders or not shaders[program.stage].words:
            raise ValueError(f"the compiler prints no {program.stage} shader")
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{len(shaders[program.stage].words)}I", *shaders[program.stage].words))
        command = [self.options.limn, "exec", "-i", self.exec_name(program)]
        for name, lane, words in self.place(program, shaders, inputs):
            at = "" if lane is None else f"@{lane}"
            command += ["--in", f"{name}{at}=" + (words if isinstance(words, str) else "i:" + ",".join(f"0x{w:x}" for w in words))]
        done = subprocess.run([*command, path], capture_output=True, text=True)
        self.note_ops(path)
        if self.options.show:
            print(" ".join(command), self.options.show)
            with open(path, "rb") as file, open(self.options.show, "wb") as copy:
                copy.write(file.read())
            print(subprocess.run([self.options.limn, "disasm", "-i", command[3], path], capture_output=True, text=True).stdout)
        if done.returncode or done.stderr:
            raise ValueError(f"limn exec: {done.returncode} {done.stderr.strip()}")
        return read_printed(done.stdout)

    def note_ops(self, path):
        if self.options.emitted:
            text = subprocess.run([self.options.limn, "disasm", "-i", self.name, path], capture_output=True, text=True, check=True)
            self.ops |= self.ops_of(text.stdout)

    def ops_of(self, text):
        """Names of ops in a disassembler's text (limn's, or Mesa's of the same dialect)."""
        raise NotImplementedError

    def exec_name(self, program):
        return self.name


def read_printed(text):
    """What limn exec prints: [name][lane] is a list of words, None where none was written."""
    values = collections.defaultdict(dict)
    for line in text.splitlines():
        m = re.match(r"mem0x(\w+) = (.*)$", line)
        if m:
            values["memory"].update({int(m[1], 16) + 4 * i: int(w, 16) for i, w in enumerate(m[2].split())})
            continue
        m = re.match(r"([\w$]+)(?:@(\d))? = (.*)$", line)
        if not m:
            continue
        exact = re.search(r"\((.*)\)$", m[3])
        if m[1] == "discarded" and "lanes" not in m[3]:
            values["discarded"][0] = [sum(1 << int(lane) for lane in m[3].split() if lane != "none")]
            continue
        if exact and "lanes" not in m[3]:
            words = [None if w == "-" else int(w, 16) for w in exact[1].split()]
        else:
            first = m[3].split()
            words = [int(first[0], 16)] if "lanes" in m[3] else [None if w == "-" else bits_of(w) for w in first]
        for lane in range(LANES) if m[2] is None else [int(m[2])]:
            values[m[1]][lane] = words
    return values


def bits_of(word):
    return bits(float(word))


class Panfrost(Set):
    """What Midgard and Bifrost share: the interface that panfrost-compile prints, and the viewport."""
    alone = True

    def command(self, program, files):
        return [self.options.compiler, "--separate", self.options.gpu, program.version, *files]

    def constants(self, program, shader, inputs):
        """Uniform buffer 0, by vectors."""
        slots = collections.defaultdict(lambda: [0, 0, 0, 0])
        for name, slot in shader.lines["uniform"]:
            v = next(v for v in program.variables if v.name == name)
            columns, rows, _ = TYPES[v.type]
            words = inputs[name][0]
            for i in range(columns * (v.count or 1)):
                slots[int(slot) + i][:rows] = words[i * rows:(i + 1) * rows]
        for name, slot, which in shader.lines["system"]:
            buffer = next((v for v in program.of("buffer") if program.bindings[v.name] == int(which)), None)
            # No viewport, and no limits on levels.
            slots[int(slot)] = {
                "load_viewport_scale": [bits(1)] * 3 + [0],
                "load_sampler_lod_parameters_pan": [bits(-100), bits(100), 0, 0],
                "load_ssbo_address": [self.address(int(which)), 0, 0, 0],
                "get_ssbo_size": [4 * len(inputs[buffer.name][0]) if buffer else 0, 0, 0, 0],
                "load_num_workgroups": [1, 1, 1, 0],
            }.get(name, [0, 0, 0, 0])
        return slots

    @staticmethod
    def address(which):
        """Of a buffer or, from 16 on, of an image."""
        return 0x1000 * (which + 1)

    def memory(self, program, shader):
        """Names and addresses of what lies in memory."""
        images = {name: self.address(16 + int(n)) for name, n in shader.lines["image"]}
        return {**{name: self.address(n) for name, n in program.bindings.items()}, **images}

    def numbers(self, shader, program, kind):
        """Where an input or output is: its name to numbers, one for each column, and to the component of the first."""
        at = {location: int(number) for _, number, _, location in shader.lines[kind]}
        places = {}
        for name, location, component in shader.lines["variable"]:
            columns = next((TYPES[v.type][0] for v in program.variables if v.name == name), 1)
            # FRAG_RESULT_DATA0 and what is before it need no numbers of the compiler.
            own = [at.get(str(int(location) + i)) for i in range(columns)]
            if own[0] is not None:
                places[name] = own, int(component)
        return places

    def expected(self, program, name, words):
        if name == "gl_Position":
            x, y, z, w = (number(v) for v in words)
            # Mesa's nir_lower_viewport_transform() with scale 1 and offset 0, w as its reciprocal.
            return [bits(x / w), bits(y / w), bits(z / w), bits(1 / w)] if w else None
        return words

    def place(self, program, shaders, inputs):
        shader = shaders[program.stage]
        slots = self.constants(program, shader, inputs)
        for slot, words in slots.items():
            yield f"u{slot}", None, words
        pushed = [int(w) for w in shader.lines["push"][0]]
        yield from self.pushed(slots, pushed[::2], pushed[1::2])
        for name, index in shader.lines["sampler"]:
            for i in range(next(v for v in program.variables if v.name == name).count or 1):
                yield f"tex{int(index) + i}", None, "coords"
        for name, address in self.memory(program, shader).items():
            for i in range(0, len(inputs[name][0]), 64):
                yield f"mem0x{address + 4 * i:x}", None, inputs[name][0][i:i + 64]
        for name, n in shader.lines["image"]:
            yield f"img{n}", None, f"{self.address(16 + int(n))},8,8"
        for lane in range(LANES):
            yield from self.preset(program, inputs, lane)
        letter, empty = ("a", [0, 0, 0, bits(1)]) if program.stage == "vertex" else ("v", [0, 0, 0, 0])
        for name, (numbers, component) in self.numbers(shader, program, "in").items():
            for lane, words in enumerate(inputs[name]):
                rows = len(words) // len(numbers)
                for i, at in enumerate(numbers):
                    one = words[i * rows:(i + 1) * rows]
                    yield f"{letter}{at}", lane, empty[:component] + one + empty[component + rows:]

    @staticmethod
    def preset(_program, _inputs, _lane):
        """What else hardware has in registers when a shader begins."""
        return ()

    def outputs(self, program, shaders, printed):
        result = {}
        if program.stage == "compute":
            inputs = program.inputs()
            for name, address in self.memory(program, shaders["compute"]).items():
                words = inputs[name][0]
                result[name] = {0: [printed["memory"].get(address + 4 * i, w) for i, w in enumerate(words)]}
            return result
        if program.stage == "fragment":
            for name, index, component, location in shaders["fragment"].lines["out"]:
                v = next((v for v in program.of("out") if v.name == name), None)
                at = int(location) - 4 if int(location) >= 4 else 0     # FRAG_RESULT_DATA0
                result[name] = printed.get(f"rt{at}", {lane: [0] * 4 for lane in range(LANES)}), \
                    TYPES[v.type][1] if v else 4
            return {n: {lane: w[:rows] for lane, w in lanes.items()} for n, (lanes, rows) in result.items()}
        for name, (numbers, component) in self.numbers(shaders["vertex"], program, "out").items():
            v = next((v for v in program.of("out") if v.name == name), None)
            columns, rows, _ = TYPES[v.type] if v else (1, 4, "f")
            result[name] = {lane: [] for lane in range(LANES)}
            for lane in range(LANES):
                for at in numbers:
                    words = printed.get(f"vary{at}", {}).get(lane, [None] * 4)
                    result[name][lane] += words[component:component + rows]
        return result


class Midgard(Panfrost):
    name = "midgard"
    coords = True

    def ops_of(self, text):
        """Without the texture unit's modifiers."""
        names = re.findall(r"^\s*(?:(?:vmul|sadd|vadd|smul|lut)\.)?([A-Z][A-Z_0-9]+[\w.]*|brx?\.[\w.]+)\b(?!:)", text, re.M)
        return {re.sub(r"^(TEX\w*|DERIVATIVE|BARRIER)\..*", r"\1", n) for n in names if not re.match(r"L\d+$", n)}

    def pushed(self, slots, buffers, offsets):
        """In the last work registers."""
        registers = collections.defaultdict(lambda: [0, 0, 0, 0])
        if any(buffers):
            raise ValueError("pushes another buffer than the uniforms")
        for i, offset in enumerate(offsets):
            registers[23 - i // 4][i % 4] = slots[offset // 16][offset // 4 % 4]
        for register, words in registers.items():
            yield f"r{register}", None, words


class Bifrost(Panfrost):
    name = "bifrost"
    coords = True
    halves = ()             # colours of the last program that are of 16 bits

    def adapted(self, inputs):
        """Fragments are in the middle of pixels."""
        for words in inputs.get("gl_FragCoord", []):
            words[:2] = [bits(int(number(w)) + 0.5) for w in words[:2]]
        return inputs

    def tolerance_of(self, program):
        """Colours are halves, but for what asks for more; Mesa follows the table of sines by two terms of the series."""
        if self.halves and program.stage == "fragment":
            return max(program.tolerance(self), 2 ** -11)
        series = 6e-5 if re.search(r"\b(sin|cos|tan)\b", program.plain()) else 0
        return max(program.tolerance(self), series)

    def command(self, program, files):
        # Without what hardware of v7 loads before the shader begins.
        return ["env", "BIFROST_MESA_DEBUG=nopreload", *super().command(program, files)]

    def ops_of(self, text):
        """The mnemonic with its type."""
        return set(re.findall(r"^\s*[*+]([A-Z]\w*(?:\.(?:v\d)?[fisu]\d+)?)", text, re.M))

    def pushed(self, slots, buffers, offsets):
        """In the fast access uniforms, by twos."""
        words = [slots[offset // 16][offset // 4 % 4] for offset in offsets]
        for i in range(0, len(words), 2):
            yield f"fau{i // 2}", None, (words + [0])[i:i + 2]

    @staticmethod
    def preset(program, inputs, lane):
        """What hardware has in registers and beside varyings (Mesa bifrost_compile.c, bi_preload())."""
        if program.stage == "compute":
            yield "r55", lane, [lane]
            yield "r60", lane, [lane]
        if program.stage == "fragment" and not lane:
            yield "r60", None, [1]
        if "gl_FrontFacing" in inputs:
            yield "r58", lane, [int(not inputs["gl_FrontFacing"][lane][0])]

    def outputs(self, program, shaders, printed):
        shader = shaders[program.stage]
        result = super().outputs(program, shaders, printed)
        halves = {int(n) for n, kind in shader.lines["blend"] if int(kind) & 0x7f == 16}
        self.halves = halves
        for name, _, _, location in shader.lines["out"] if program.stage == "fragment" else []:
            if int(location) - 4 in halves or (int(location) < 4 and 0 in halves):
                result[name] = {lane: [c for w in words for c in halves_of(w)][:len(words)] for lane, words in result[name].items()}
        return result


def halves_of(word):
    """Two halves as floats."""
    return [bits(x) for x in struct.unpack("<2e", struct.pack("<I", word or 0))]


class Vivante(Set):
    """By a GL driver that prints what it compiles (gl_compile.c), under Mesa's noop shim."""
    name = "vivante"
    coords = 2              # a cube's direction as it is given
    tolerance = 4e-6
    stages = ("vertex", "fragment")
    MEMORY = 0x1000         # where the uniforms are

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.versions = ("100",) if options.gpu == "GC2000" else ("100", "300", "310")

    def command(self, program, files):
        return [*self.options.compiler.split(), program.version, *files]

    def ops_of(self, text):
        """With condition and type."""
        found = re.findall(r"^(?:\d+ \[[^\]]*\] )?([a-z]\w*(?:\.\w+)*) +(?:t\d|void|mem)", text, re.M)
        return {re.sub(r"\.(rtz|pack|sat)\b", "", op) for op in found}

    @staticmethod
    def read(text):
        """etna_dump_shader() and NIR's declarations; of more variants the last one, which draws."""
        shaders, shader = {}, None
        for line in text.splitlines():
            m = re.match(r"shader: MESA_SHADER_(\w+)", line)
            if m:
                shader = Shader(m[1].lower())
                shaders[shader.stage] = shader
                continue
            for word, pattern in (
                    ("uniform", r"decl_var uniform .*? (\S+) \(\d+, (\d+), (\d+)\)(?: = (.*))?"),
                    ("in", r"decl_var shader_in .* (\S+) \((\w+)(?:\.(\w+))?, "),
                    ("out", r"decl_var shader_out .* (\S+) \((\w+)(?:\.(\w+))?, "),
                    ("constant", r" \[(\d+)\]\.(\w) = \S+ \((0x\w+)\) \((\d+)\)"),
                    ("register", r" \[(\d+)\] name=(\w+)"),
                    ("special", r"  (\w+(?:\[\d\])?)=(-?\d+)$")):
                m = re.match(pattern, line)
                if m:
                    shader.lines[word].append(list(m.groups()))
            m = re.match(r"\d+ \[(\w{8}) (\w{8}) (\w{8}) (\w{8})\] (?!l\d+:$)", line)
            if m:
                shader.words += [int(w, 16) for w in m.groups()]
        return shaders

    @staticmethod
    def registers(shader):
        """Name of a slot to register."""
        found = {name: int(register) for register, name in shader.lines["register"]}
        special = dict(shader.lines["special"])
        for slot, word in (("VARYING_SLOT_POS", "vs_pos_out_reg"), ("VARYING_SLOT_PSIZ", "vs_pointsize_out_reg"),
                           ("FRAG_RESULT_DEPTH", "ps_depth_out_reg")):
            if int(special.get(word, -1)) >= 0:
                found[slot] = int(special[word])
        return found

    def uniform_words(self, program, shader, inputs):
        """The words of the uniforms, vectors padded to four, by their index."""
        words = {}
        for name, at, _, constant in shader.lines["uniform"]:
            v = next((v for v in program.variables if v.name == name), None)
            if name == "gl_FbWposYTransform":
                words.update(enumerate([bits(1), 0, bits(-1), 0], int(at) * 4))
            for i, element in enumerate(re.findall(r"\{ ([^{}]*) \}", constant or "")):
                words.update(enumerate([int(c, 0) if c.startswith("0x") else bits(float(c)) for c in element.split(", ")],
                                       (int(at) + i) * 4))
            if v is None or v.type in SAMPLERS:
                continue
            columns, rows, kind = TYPES[v.type]
            for i, word in enumerate(inputs[name][0]):
                # To a chip without integers Mesa gives floats.
                given = word if kind == "f" or self.options.gpu != "GC2000" else bits(word - (word >> 31 << 32))
                words[int(at) * 4 + i // rows * 4 + i % rows] = given
        return words

    def varyings(self, shaders, program):
        """Name to the (slot, component) of each of its components, as the linked vertex shader says."""
        places = {}
        for packed, slot, letters in shaders["vertex"].lines["out"]:
            number_at = re.match(r"VARYING_SLOT_VAR(\d+)", slot)
            at = COMPONENT[letters[0]] if letters else 0
            for one in packed.removeprefix("packed:").split(","):
                name, _, part = one.partition(".")
                v = next((v for v in program.variables if v.name == name), None)
                columns, rows, _ = TYPES[v.type] if v else (1, 4, "f")
                own = places.setdefault(name, [None] * rows * columns * (v.count or 1 if v else 1))
                for i in [COMPONENT[c] for c in part] or range(rows):
                    for column in range(len(own) // rows):
                        to = f"VARYING_SLOT_VAR{int(number_at[1]) + column}" if number_at else slot
                        own[column * rows + i] = (to, at)
                    at += 1
        return places

    def place(self, program, shaders, inputs):
        shader = shaders[program.stage]
        uniforms, constants = self.uniform_words(program, shader, inputs), collections.defaultdict(lambda: [0] * 4)
        for register, component, data, contents in shader.lines["constant"]:
            # 1: a constant; 2: of the uniforms; 8: where the uniforms are in memory, for those with an index.
            if contents not in ("0", "1", "2", "8"):
                raise ValueError(f"a uniform of kind {contents}")
            data = int(data, 16)
            constants[int(register)][COMPONENT[component]] = \
                {"2": uniforms.get(data, 0), "8": self.MEMORY}.get(contents, data)
            for index, word in uniforms.items() if contents == "8" else ():
                yield f"mem{self.MEMORY + 4 * index}", None, [word]
        for register, words in constants.items():
            yield f"u{register}", None, words
        for name, _, binding, _ in shader.lines["uniform"]:
            v = next((v for v in program.variables if v.name == name and v.type in SAMPLERS), None)
            first = int(binding) + (self.vertex_samplers() if program.stage == "vertex" else 0)
            for i in range(v.count or 1 if v else 0):
                yield f"tex{first + i}", None, "reference" if "Shadow" in v.type else "coords2" if v.type == "sampler2D" else "coords3"
        self.initial = collections.defaultdict(lambda: [[0] * 4 for _ in range(LANES)])
        registers = self.registers(shader)
        if program.stage == "vertex":
            self.place_attributes(program, shader, registers, inputs)
        else:
            self.place_varyings(program, shaders, registers, inputs)
        for register, lanes in self.initial.items():
            for lane, words in enumerate(lanes):
                yield f"t{register}", lane, words
        if "gl_FrontFacing" in inputs:
            # The chip's is 1.0 for a triangle that is clockwise, as those in front are in a framebuffer object.
            for lane, words in enumerate(inputs["gl_FrontFacing"]):
                yield "face", lane, [bits(1) if words[0] else 0]

    def vertex_samplers(self):
        return 8 if self.options.gpu == "GC2000" else 16

    def place_attributes(self, program, shader, registers, inputs):
        for whole, slot, _ in shader.lines["in"]:
            name, _, column = whole.partition("#")      # of a matrix, each column is one
            v = next((v for v in program.variables if v.name == name), None)
            if not v:
                raise ValueError(f"an input {whole}")
            _, rows, _ = TYPES[v.type]
            for lane in range(LANES if slot in registers else 0):
                words = inputs[name][lane][int(column or -1) * rows + rows:][:rows]
                self.initial[registers[slot]][lane] = words + [0, 0, 0, bits(1)][rows:]

    def place_varyings(self, program, shaders, registers, inputs):
        for name, slot in (("gl_FragCoord", None), ("gl_PointCoord", "VARYING_SLOT_PNTC")):
            if name in inputs and (slot is None or slot in registers):
                for lane, words in enumerate(inputs[name]):
                    self.initial[registers[slot] if slot else 0][lane][:len(words)] = words
        for name, own in self.varyings(shaders, program).items():
            for i, at in enumerate(own):
                if name in inputs and at and at[0] in registers:
                    for lane in range(LANES):
                        self.initial[registers[at[0]]][lane][at[1]] = inputs[name][lane][i]

    def outputs(self, program, shaders, printed):
        shader, result = shaders[program.stage], {}

        def read(register, components):
            """Registers that did not change are not printed."""
            values = {}
            for lane in range(LANES):
                words = printed.get(f"t{register}", {}).get(lane, [None] * 4)
                own = self.initial[int(register)][lane]
                values[lane] = [own[c] if words[c] is None else words[c] for c in components]
            return values

        if program.stage == "fragment":
            special = dict(shader.lines["special"])
            for name, slot, _ in shader.lines["out"]:
                at = re.match(r"FRAG_RESULT_DATA(\d)", slot)
                register = special[f"ps_color_out_reg[{at[1]}]"] if at else special["ps_depth_out_reg"]
                v = next((v for v in program.of("out") if v.name == name), None)
                result[name] = read(register, range(TYPES[v.type][1]) if v else range(4) if at else [2])
            result["gl_FragColor"] = result.get("gl_FragData[0]")
            return result
        registers = self.registers(shader)
        for name, own in self.varyings(shaders, program).items():
            parts = [read(registers[at[0]], [at[1]]) if at and at[0] in registers else {} for at in own]
            result[name] = {lane: [p.get(lane, [None])[0] for p in parts] for lane in range(LANES)}
        return result


class Lima(Set):
    """Both of Utgard's, by what Mesa's driver prints (LIMA_DEBUG=gp,pp): NIR, words, the GP's uniforms."""
    name = "utgard"
    versions = ("100",)
    stages = ("vertex", "fragment")
    tolerance = 2e-6

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.stage = None

    def exec_name(self, program):
        return {"vertex": "utgard-gp", "fragment": "utgard-pp"}[program.stage]

    def command(self, program, files):
        self.stage = program.stage
        # PP's registers hold 11 bits of a float; an expression rounds a few times.
        self.tolerance = 2e-6 if program.stage == "vertex" else 2 ** -8
        return ["env", *self.options.compiler.split(), program.version, *files]

    @staticmethod
    def read(text):
        shaders, shader, code = {}, None, False
        for line in text.splitlines():
            m = re.match(r"shader: MESA_SHADER_(\w+)$", line)
            if m:
                shader = shaders.setdefault(m[1].lower(), Shader(m[1].lower()))
                shader.words = []
            m = re.match(r"decl_var (uniform|shader_in|shader_out) .*?(\w+(?:\[\d+\])?) (\w+) \((.*)\)", line)
            if m and shader:
                shader.lines[m[1]].append([m[3], *m[4].split(", ")])
            m = re.match(r"OUTPUT_(\w+): \$(\d+)", line)
            if m:
                shader.lines["output"].append(list(m.groups()))
            for value in re.findall(r"load_const \((.*)\)", line) if shader else ():
                shader.lines["const"] += [[w] for w in re.findall(r"0x[0-9a-f]{8}\b", value)]
            # GP: "000: " and four words; PP: "000 (@   0): ", words, lines that go on with blanks.
            m = re.match(r"\d{3}(?: \(@ *\d+\))?: ((?:[0-9a-f]{8} ?)+)$", line) or \
                (re.match(r" {4}((?:[0-9a-f]{8} ?)+)$", line) if code else None)
            code = bool(m)
            if m and shader:
                shader.words += [int(w, 16) for w in m[1].split()]
            m = re.match(r" *(\d+):((?: +-?[\d.naif]+){1,4})$", line)
            if m and shader:
                shader.lines["row"].append(m[2].split())
        return shaders

    def places(self, program, shader, kind):
        """Name in the source, or of a slot, to where it is."""
        return {name: int(at) for name, _, at, *_ in shader.lines[kind]}

    def place(self, program, shaders, inputs):
        shader = shaders[program.stage]
        vertex = program.stage == "vertex"
        rows = collections.defaultdict(lambda: [0] * 4)
        # Constants stand behind the uniforms, printed with four digits: which ones they are, the NIR says.
        exact = {f"{number(int(w, 16)):.4f}": int(w, 16) for (w,) in shader.lines["const"]}
        for i, row in enumerate(shader.lines["row"]):
            rows[i][:len(row)] = [exact.get(w, bits(float(w))) for w in row]
        uniforms, end = shader.lines["uniform"], 0
        for name, _, at, *_ in uniforms:
            at, v = int(at), next((v for v in program.of("uniform") if v.name == name), None)
            if name == "gl_FbWposYTransform":
                rows[at] = [bits(1), 0, bits(1), 0]
                continue
            if v is None or v.type in SAMPLERS:
                continue
            columns, size, kind = TYPES[v.type]
            for i, word in enumerate(inputs[name][0]):
                # Neither unit has integers.
                rows[at + i // size][i % size] = word if kind == "f" else bits(word - (word >> 31 << 32))
            end = max(end, at + columns * (v.count or 1))
        if vertex and shader.lines["row"]:
            # The viewport: no scale and no offset.
            rows[end], rows[end + 1] = [bits(1)] * 3 + [0], [0] * 4
        for at, words in rows.items():
            yield f"{'t' if vertex else 'u'}{at}", None, words
        for name, at in self.places(program, shader, "shader_in").items():
            yield from self.place_input(program, shaders, inputs, name, at)
        for i, v in enumerate(v for v in program.of("uniform") if v.type in SAMPLERS):
            for lane in range(LANES):
                yield f"tex{i}", lane, inputs[v.name][lane]
        for name, what in (("gl_FragCoord", "fragcoord"), ("gl_PointCoord", "pointcoord"), ("gl_FrontFacing", "face")):
            for lane in range(LANES) if name in inputs else ():
                words = inputs[name][lane]
                if name == "gl_FrontFacing":
                    words = [bits(1) if words[0] else 0]
                if name == "gl_FragCoord":      # w comes as its reciprocal
                    words = words[:3] + [bits(1 / number(words[3])) if number(words[3]) else 0]
                yield what, lane, words

    def place_input(self, program, shaders, inputs, name, at):
        if program.stage == "fragment":
            # VARYING_SLOT_VARn: what the vertex shader has there.
            slot = {line[1].lstrip("(").split(".")[0]: line[0] for line in shaders["vertex"].lines["shader_out"]}
            name = slot.get(name, name)
        for lane in range(LANES) if name in inputs else ():
            words = inputs[name][lane]
            v = next(v for v in program.of("in") if v.name == name)
            columns, size, kind = TYPES[v.type]
            for column in range(columns * (v.count or 1)):
                part = words[column * size:(column + 1) * size]
                part = part if kind == "f" else [bits(w - (w >> 31 << 32)) for w in part]
                yield f"{'a' if program.stage == 'vertex' else 'v'}{at + column}", lane, part + [0, 0, 0, bits(1)][size:]

    def outputs(self, program, shaders, printed):
        shader, result = shaders[program.stage], {}
        if program.stage == "fragment":
            register = dict(shader.lines["output"]).get("COLOR0", "0")
            result["gl_FragColor"] = {lane: [w if w is not None else 0 for w in printed[f"${register}"].get(lane, [0] * 4)]
                                      for lane in range(LANES)}
            result["gl_FragData[0]"] = result["gl_FragColor"]
            return result
        for name, at in self.places(program, shader, "shader_out").items():
            v = next((v for v in program.of("out") if v.name == name), None)
            columns, size, _ = TYPES[v.type] if v else (1, 1 if name == "gl_PointSize" else 4, "f")
            columns *= v.count or 1 if v else 1
            result[name] = {lane: [w for i in range(columns) for w in printed.get(f"v{at + i}", {}).get(lane, [None] * 4)[:size]]
                            for lane in range(LANES)}
        return result

    def expected(self, program, name, words):
        return Panfrost.expected(self, program, name, words)

    def note_ops(self, path):
        if self.options.emitted:
            isa = self.exec_name(argparse.Namespace(stage=self.stage))
            text = subprocess.run([self.options.limn, "disasm", "-i", isa, path], capture_output=True, text=True, check=True)
            self.ops |= self.ops_of(text.stdout)

    def ops_of(self, text):
        """Names with the kind of unit: of the GP's lines, which begin with a tab, and of the PP's behind their words."""
        ops, code = set(), False
        for line in text.splitlines():
            gp = re.match(r"(?:\d{3}:)?\t([a-z]\w*)(?:\.([amcp]))?", line)
            pp = re.match(r"@ *\d+: (.*)$", line)
            words = re.match(r"(?:\d{3} \(@.*\): |    )(?:[0-9a-f]{8} ?)+$", line)
            # The GP's branch has a half in another unit, for which Mesa has no name.
            if gp and not gp[1].startswith("unknown_"):
                ops.add("gp " + ".".join(filter(None, gp.groups())))
            elif not gp and (pp or (code and not words)):
                parts = (re.match(r"([a-z]\w*)(?:\.([vs]))?", part) for part in (pp[1] if pp else line).split(", "))
                ops |= {"pp " + ".".join(filter(None, m.groups())) for m in parts if m}
            code = bool(words)
        return ops


SETS = {"midgard": Midgard, "bifrost": Bifrost, "vivante": Vivante, "utgard": Lima}

# --- Comparing -----------------------------------------------------------------------------------------------


def close(want, got, kind, tolerance):
    if got is None:
        return False
    if kind != "f":
        return want == got
    a, b = number(want), number(got)
    return want == got or (a != a and b != b) or abs(a - b) <= tolerance * max(1, abs(a))


def check(one, evaluator, program):
    """None, or what is wrong."""
    inputs = one.adapted(program.inputs())
    values, discarded = evaluator.run(program, inputs, one.coords)
    shaders = one.compile(program)
    printed = one.execute(program, shaders, inputs)
    got_discarded = printed.get("discarded", {}).get(0, [0])[0]
    if program.stage == "fragment" and got_discarded != discarded:
        return f"lanes 0x{got_discarded:x} are discarded, not 0x{discarded:x}"
    outputs = one.outputs(program, shaders, printed)
    compared = 0
    kept = [v.name for v in program.variables if v.kind == "buffer" or v.type == "image2D"]
    for name in kept + [v.name for v in program.of("out")] + [n for n in ("gl_Position", "gl_FragColor", "gl_FragData") if program.uses(n)]:
        kind = next((TYPES.get(v.type, "fff")[2] for v in program.variables if v.name == name), "f")
        have = outputs.get(name) or outputs.get("gl_FragData[0]" if name == "gl_FragData" else name)
        if have is None:
            return f"{name} is not there, of {', '.join(outputs) or 'nothing'}"
        for lane in range(1 if name in kept else LANES):
            want = one.expected(program, name, values[lane][name])
            if discarded >> lane & 1 or want is None:
                continue
            words = have.get(lane, [None] * 4)
            for i, word in enumerate(words):
                if len(words) > 4 and not close(want[i], word, kind, one.tolerance_of(program)):
                    return f"{name} has 0x{word:x} as word {i}; the source says 0x{want[i]:x}"
                if not close(want[i], word, kind, one.tolerance_of(program)):
                    text = [f"{number(w):.7g}" if kind == "f" else str(w) for w in want[:len(words)]]
                    mine = ["-" if w is None else f"{number(w):.7g}" if kind == "f" else str(w) for w in words]
                    return f"{name} of lane {lane} is {', '.join(mine)}; the source says {', '.join(text)}"
                compared += 1
    return None if compared else "nothing was compared"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--set", required=True, choices=SETS)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--gpu", default="0x860")
    parser.add_argument("--limn", default="build/limn")
    parser.add_argument("--glm", help="folder that has glm/glm.hpp, where the system has none")
    parser.add_argument("--emitted", action="append", default=[], metavar="FILE",
                        help="a compiler's output for other programs: an op there that no program here has is an error")
    parser.add_argument("--details", action="store_true", help="a line for each program")
    parser.add_argument("--show", metavar="FILE", help="print shaders and how they are run, and keep the last one's words there")
    parser.add_argument("--random", metavar="FOLDER", help="programs of random_glsl.py, which a compiler may refuse")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    paths = sorted(os.path.join(d, f) for d in (HERE, options.random) if d for f in os.listdir(d)
                   if re.search(r"\.\d+\.(vert|frag|comp)$", f))
    programs = [p for p in map(Program, paths) if not options.names or any(n in p.label for n in options.names)]
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        one = SETS[options.set](options, folder)
        programs = [p for p in programs if p.version in one.versions and p.stage in one.stages and options.set not in p.without]
        evaluator = Evaluator(programs, options.glm, folder)
        for program in programs:
            try:
                wrong = check(one, evaluator, program)
            except ValueError as error:
                wrong = str(error)
            if wrong and wrong.startswith("does not compile") and program.label.startswith("random_"):
                print(f"refused {program.label}", flush=True)
                continue
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f"FAIL {program.label}: {wrong}", flush=True)
            elif options.details:
                print(f"ok {program.label}", flush=True)
        evaluator.process.stdin.close()
        evaluator.process.wait()
    print(f"{options.set}: {passed} of {passed + failed} programs" + (f", {len(one.ops)} ops" if one.ops else ""))
    for path in options.emitted:
        with open(path, encoding="utf-8") as file:
            missing = one.ops_of(re.sub(r"^[a-z]\w* .*$", "", file.read(), flags=re.M)) - one.ops
        if missing:
            print(f"FAIL no program here has {', '.join(sorted(missing))}, which {os.path.basename(path)} has")
            failed += 1
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
