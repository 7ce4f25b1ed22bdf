#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random GLSL programs for compiled.py --programs.

random_glsl.py [--seed N] [--count N] FOLDER

Writes programs of random expressions and control flow into FOLDER, in a file each. Two of three are exact: a
float there is a multiple of a power of two, and operands are cut so that no result takes more than BITS bits:
compilers may reorder and fuse what they like, and floors, compares and branches depend on no rounding. The
third has roots, quotients and functions that are approximated, and compares inputs alone. The same seed makes
the same programs. What some compiler of Mesa 25.0.7 gets wrong is left out, or has a '//! not SET' of its own
(Documentation/dev/upstream-bugs.rst).
"""
import argparse
import os
import random

SIZES = (1, 2, 3, 4)
BITS = {"100": 10, "300": 22}      # utgard-pp's registers hold 11 bits, and it takes GLSL ES 1.00 alone
NAMES = {"f": ("float", "vec"), "i": ("int", "ivec"), "u": ("uint", "uvec"), "b": ("bool", "bvec")}


def type_name(kind, n):
    return NAMES[kind][0] if n == 1 else f"{NAMES[kind][1]}{n}"


class Value:
    """An expression: exact floats are multiples of 2^-low and less than 2^high in magnitude."""

    def __init__(self, text, low=0, high=0):
        self.text, self.low, self.high = text, low, high


class Writer:
    def __init__(self, rng, version, stage, exact):
        self.rng, self.es3, self.stage, self.exact, self.bits = rng, version == "300", stage, exact, BITS[version]
        # What variables are cut to: multiples of 2^-low, less than 2^high.
        self.low, self.high = (3, 3) if self.es3 else (2, 2)
        self.variables = []             # (name, kind, components, may be written)
        self.ranges = {}                # of inputs, exact floats
        self.lines, self.indent, self.count = [], 1, 0
        self.loops = 0
        self.kinds = "ffffiiub" if self.es3 else "fffffb"
        self.products = rng.random() < 0.5      # of integers

    def pick(self, *options):
        return self.rng.choice(options)

    def say(self, text):
        self.lines.append("\t" * self.indent + text)

    def name(self):
        self.count += 1
        return f"t{self.count}"

    # --- Leaves ---------------------------------------------------------------------------------

    def constant(self, kind, n):
        def one():
            if kind == "f":
                step = 2 ** min(self.low, 2)
                return f"{self.rng.randint(-3 * step, 3 * step) / step}"
            if kind == "b":
                return self.pick("true", "false")
            if kind == "u":
                return f"{self.pick(self.rng.randint(0, 20), self.rng.getrandbits(32))}u"
            return str(self.pick(self.rng.randint(-20, 20), self.rng.randint(-2**31 + 1, 2**31 - 1)))
        text = one() if n == 1 else f"{type_name(kind, n)}({', '.join(one() for _ in range(self.pick(1, n)))})"
        return Value(text, 2, 2)

    def variable(self, kind, n):
        fit = [v for v in self.variables if v[1] == kind and v[2] >= n]
        if not fit or self.rng.random() < 0.15:
            return self.constant(kind, n)
        name, _, m, _ = self.rng.choice(fit)
        text = name
        if m > n or (m > 1 and self.rng.random() < 0.3):
            text += "." + "".join(self.rng.choice("xyzw"[:m]) for _ in range(n))
        return Value(text, *self.ranges.get(name, (self.low, self.high)))

    def cut(self, value, n):
        """As a variable would be."""
        if not self.exact:
            return value
        if value.low <= self.low and value.high <= self.high:
            return value
        scale = float(2 ** self.low)
        limit = float(2 ** self.high)
        text = value.text
        if value.low > self.low:
            # The product by a power of two is exact.
            text = f"floor(({text}) * {scale}) * {1 / scale}"
        if value.high > self.high:
            text = f"clamp({text}, {-limit}, {limit})"
        return Value(f"({text})", self.low, self.high)

    def fits(self, low, high):
        return not self.exact or low + high <= self.bits

    # --- Expressions ------------------------------------------------------------------------------

    def expr(self, kind, n, depth):
        if depth <= 0 or self.rng.random() < 0.1:
            return self.variable(kind, n)
        value = getattr(self, {"f": "floats", "i": "ints", "u": "ints", "b": "bools"}[kind])(n, depth - 1, kind)
        return value

    def floats(self, n, depth, _):
        what = self.pick("+", "+", "-", "*", "*", "join", "select", "call", "call", "call", "swizzle", "dot", "convert")
        a = self.expr("f", n, depth)
        if what in "+-*":
            b = self.expr("f", self.pick(n, 1), depth)
            if not self.fits(a.low + b.low, a.high + b.high):
                a, b = self.cut(a, n), self.cut(b, n)
            if what == "*":
                if not self.fits(a.low + b.low, a.high + b.high):
                    return a
                return Value(f"({a.text} * {b.text})", a.low + b.low, a.high + b.high)
            return Value(f"({a.text} {what} {b.text})", max(a.low, b.low), max(a.high, b.high) + 1)
        if what == "join" and n > 1:
            k = self.rng.randint(1, n - 1)
            parts = [self.expr("f", k, depth), self.expr("f", n - k, depth)]
            return Value(f"vec{n}({', '.join(p.text for p in parts)})", max(p.low for p in parts), max(p.high for p in parts))
        if what == "select":
            b = self.expr("f", n, depth)
            if self.es3 and n > 1 and self.rng.random() < 0.5:
                text = f"mix({a.text}, {b.text}, {self.expr('b', n, depth).text})"
            else:
                text = f"({self.expr('b', 1, depth).text} ? {a.text} : {b.text})"
            return Value(text, max(a.low, b.low), max(a.high, b.high))
        if what == "swizzle":
            m = self.pick(*[s for s in SIZES if s > 1])
            a = self.expr("f", m, depth)
            return Value(f"({a.text})." + "".join(self.rng.choice("xyzw"[:m]) for _ in range(n)), a.low, a.high)
        if what == "dot" and n == 1:
            m = self.pick(2, 3, 4)
            a, b = self.cut(self.expr("f", m, depth), m), self.cut(self.expr("f", m, depth), m)
            if not self.fits(a.low + b.low, a.high + b.high + 2):
                return self.variable("f", 1)
            return Value(f"dot({a.text}, {b.text})", a.low + b.low, a.high + b.high + 2)
        if what == "convert":
            # The integers are of a few bits.
            if self.es3 and self.rng.random() < 0.7:
                kind = self.pick("i", "u")
                mask = "31u" if kind == "u" else "31"
                return Value(f"{type_name('f', n)}({self.expr(kind, n, depth).text} & {mask})", 0, 5)
            return Value(f"{type_name('f', n)}({self.expr('b', n, depth).text})", 0, 1)
        return self.function(a, n, depth)

    def function(self, a, n, depth):
        names = ["abs", "min", "max", "clamp", "-"]
        if self.exact:
            names += ["floor", "ceil", "fract", "sign", "step", "mod", "mix"] + (["trunc"] if self.es3 else [])
        else:
            names += ["sin", "cos", "sqrt", "inversesqrt", "exp2", "log2", "/", "length", "pow", "atan", "mix", "smoothstep",
                      "distance"] + (["normalize", "reflect"] if n > 1 else [])
            a = Value(f"clamp({a.text}, -4.0, 4.0)")
        name = self.rng.choice(names)
        t = a.text
        if name in ("abs", "-"):
            return Value(f"{name}({t})", a.low, a.high)
        if name in ("floor", "ceil", "trunc"):
            return Value(f"{name}({t})", 0, a.high + 1)
        if name == "fract":
            return Value(f"fract({t})", a.low, 0)
        if name == "sign":
            return Value(f"sign({t})", 0, 1)
        if name in ("min", "max", "step"):
            b = self.expr("f", self.pick(n, 1) if name != "step" else n, depth)
            text = f"{name}({t}, {b.text})"
            return Value(text, 0, 1) if name == "step" else Value(text, max(a.low, b.low), max(a.high, b.high))
        if name == "clamp":
            low, high = sorted(self.rng.sample((-2.0, -1.0, 0.0, 0.5, 1.0, 3.0), 2))
            return Value(f"clamp({t}, {low}, {high})", max(a.low, 1), min(a.high, 2))
        if name == "mod":
            y = self.pick(1.0, 2.0, 4.0, 0.5)
            return Value(f"mod({t}, {y})", a.low, 2)
        if name == "mix":
            b = self.expr("f", n, depth)
            w = self.pick("0.25", "0.5", "0.75")
            low, high = max(a.low, b.low) + 2, max(a.high, b.high) + 1
            if not self.fits(low, high):
                return a
            return Value(f"mix({t}, {b.text}, {w})", low, high)
        b = Value(f"clamp({self.expr('f', n, depth).text}, -3.0, 3.0)")
        text = {
            "sqrt": f"sqrt(abs({t}) + 0.25)", "inversesqrt": f"inversesqrt(abs({t}) + 0.25)", "exp2": f"exp2({b.text})",
            "log2": f"log2(abs({t}) + 0.5)", "/": f"({t} / (abs({b.text}) + 0.5))", "pow": f"pow(abs({t}) + 0.5, {b.text})",
            "normalize": f"normalize(abs({t}) + 0.25)", "length": f"(length(abs({t}) + 0.25) * {type_name('f', n)}(1.0))",
            "smoothstep": f"smoothstep(-1.0, 2.5, {t})", "reflect": f"reflect({t}, normalize(abs({b.text}) + 0.5))",
            "distance": f"({type_name('f', n)}(0.5) * distance({t}, {b.text} + 8.0))",
        }.get(name, f"{name}({t})")
        return Value(text)

    def ints(self, n, depth, kind):
        t, u = type_name(kind, n), "u" if kind == "u" else ""
        a, b = self.expr(kind, n, depth).text, self.expr(kind, self.pick(n, 1), depth).text
        # A shift by a constant is a product to Mesa.
        what = self.pick("+", "-", "&", "|", "^", ">>", "~", "select", "call", "convert", "join", "neg",
                         *(["*", "/", "%", "<<"] if self.products else ["+"]))
        if what in ("+", "-", "*", "&", "|", "^"):
            return Value(f"({a} {what} {b})")
        if what in ("<<", ">>"):
            return Value(f"({a} {what} ({b} & 31{u}))")
        if what == "/":
            return Value(f"({a} / (({b} & 15{u}) + 1{u}))")
        if what == "%":
            # Of negative numbers it is undefined.
            return Value(f"(({a} & 65535{u}) % (({b} & 15{u}) + 1{u}))")
        if what == "~":
            return Value(f"(~{a})")
        if what == "neg":
            return Value(f"(-({a}))")
        if what == "select":
            c = self.expr(kind, n, depth).text
            return Value(f"({self.expr('b', 1, depth).text} ? {a} : {c})")
        if what == "join" and n > 1:
            k = self.rng.randint(1, n - 1)
            return Value(f"{t}({self.expr(kind, k, depth).text}, {self.expr(kind, n - k, depth).text})")
        if what == "convert":
            other = self.pick("i" if kind == "u" else "u", "b", "f")
            if other == "f" and self.exact:
                f = self.cut(self.expr("f", n, depth), n).text
                return Value(f"{t}({f if kind == 'i' else f'abs({f})'})")
            other = "b" if other == "f" else other
            return Value(f"{t}({self.expr(other, n, depth).text})")
        name = self.pick("min", "max", "clamp", "abs", "sign")
        if name == "clamp":
            return Value(f"clamp({a}, {t}(3), {t}(1000))")
        if name in ("abs", "sign") and kind == "i":
            return Value(f"{name}({a})")
        return Value(f"{self.pick('min', 'max')}({a}, {b})")

    def bools(self, n, depth, _):
        what = self.pick("compare", "compare", "compare", "&&", "||", "^^", "!", "equal")
        kinds = "fiu" if self.es3 else "f"
        kind = self.rng.choice(kinds)

        def operand(size):
            if kind == "f" and not self.exact:      # of inputs alone
                fit = [v for v in self.variables if v[1] == "f" and v[2] >= size and v[0] in self.ranges]
                name, _, m, _ = self.rng.choice(fit)
                return name + ("" if m == size else "." + "xyzw"[:size])
            value = self.expr(kind, size, depth)
            return value.text
        if n > 1:
            if what in ("&&", "||", "^^", "!"):
                return Value(f"not({self.expr('b', n, depth).text})")
            name = self.pick("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual")
            return Value(f"{name}({operand(n)}, {operand(n)})")
        if what == "compare":
            op = self.pick("<", "<=", ">", ">=", "==", "!=")
            return Value(f"({operand(1)} {op} {operand(1)})")
        if what == "equal":
            m = self.pick(2, 3, 4)
            return Value(self.pick(f"({operand(m)} {self.pick('==', '!=')} {operand(m)})",
                                   f"{self.pick('any', 'all')}({self.expr('b', m, depth).text})"))
        if what == "!":
            return Value(f"(!{self.expr('b', 1, depth).text})")
        return Value(f"({self.expr('b', 1, depth).text} {what} {self.expr('b', 1, depth).text})")

    # --- Statements -----------------------------------------------------------------------------

    def rhs(self, kind, n, depth=3):
        value = self.expr(kind, n, depth)
        if kind == "f":
            if self.exact:
                return self.cut(value, n).text
            return f"clamp({value.text}, -4.0, 4.0)"
        return value.text

    def declare(self):
        kind, n = self.rng.choice(self.kinds), self.pick(*SIZES)
        name, text = self.name(), self.rhs(kind, n)
        self.say(f"{type_name(kind, n)} {name} = {text if n == 1 else f'{type_name(kind, n)}({text})'};")
        self.variables.append((name, kind, n, True))

    def assign(self):
        own = [v for v in self.variables if v[3]]
        if not own:
            return self.declare()
        name, kind, n, _ = self.rng.choice(own)
        k = self.rng.randint(1, n)
        if n == 1 or k == n:
            return self.say(f"{name} = {self.rhs(kind, n)};")
        mask = "".join(self.rng.sample("xyzw"[:n], k))
        text = self.rhs(kind, k)
        return self.say(f"{name}.{mask} = {text if k == 1 else f'{type_name(kind, k)}({text})'};")

    def block(self, depth):
        kept = len(self.variables)
        self.indent += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth - 1)
        self.indent -= 1
        del self.variables[kept:]

    def branch(self, depth):
        self.say(f"if ({self.expr('b', 1, 2).text}) {{")
        self.block(depth)
        if self.rng.random() < 0.5:
            self.say("} else {")
            self.block(depth)
        self.say("}")

    def loop(self, depth):
        i, bound = self.name(), self.rng.randint(2, 6)
        limit = f"u_n + {bound}" if self.es3 and self.rng.random() < 0.5 else str(bound)
        self.say(f"for (int {i} = 0; {i} < {limit}; {i}++) {{")
        if self.es3:
            self.variables.append((i, "i", 1, False))
        if self.rng.random() < 0.5:
            self.say(f"\tif ({self.expr('b', 1, 2).text})\n" + "\t" * (self.indent + 2) + f"{self.pick('break', 'continue')};")
        self.block(depth)
        self.say("}")
        self.variables = [v for v in self.variables if v[0] != i]

    def array(self):
        """Written and read at places that are known when it runs."""
        name, n, size = self.name(), self.pick(*SIZES), self.pick(2, 4, 8)
        self.say(f"{type_name('f', n)} {name}[{size}];")
        for k in range(size):
            self.say(f"{name}[{k}] = {type_name('f', n)}({self.rhs('f', n, 1)});")

        def place():
            if self.es3:
                return f"{self.expr('i', 1, 1).text} & {size - 1}"
            source = self.variable("f", 1) if self.exact else Value(self.input_scalar())
            return f"int(mod(floor(abs({source.text}) * 4.0), {float(size)}))"
        if self.rng.random() < 0.7:
            self.say(f"{name}[{place()}] = {type_name('f', n)}({self.rhs('f', n, 2)});")
        result = self.name()
        self.say(f"{type_name('f', n)} {result} = {name}[{place()}];")
        self.variables.append((result, "f", n, True))

    def input_scalar(self):
        name, _, n, _ = self.rng.choice([v for v in self.variables if v[0] in self.ranges and v[1] == "f"])
        return name if n == 1 else f"{name}.{self.rng.choice('xyzw'[:n])}"

    def matrix(self):
        n = self.pick(2, 3, 4)
        name, result = self.name(), self.name()
        columns = [self.cut(self.expr("f", n, 1), n) for _ in range(n)]
        vector = self.cut(self.expr("f", n, 1), n)
        if not self.fits(max(c.low for c in columns) + vector.low, max(c.high for c in columns) + vector.high + 2):
            return
        self.say(f"mat{n} {name} = mat{n}({', '.join(c.text if not c.text[0] == '-' else f'({c.text})' for c in columns)});")
        text = self.pick(f"{name} * vec{n}({vector.text})", f"vec{n}({vector.text}) * {name}")
        product = Value(text, max(c.low for c in columns) + vector.low, max(c.high for c in columns) + vector.high + 2)
        text = self.cut(product, n).text if self.exact else f"clamp({text}, -4.0, 4.0)"
        self.say(f"vec{n} {result} = {text};")
        self.variables.append((result, "f", n, True))

    def switch(self, depth):
        self.say(f"switch ({self.expr('i', 1, 2).text} & 3) {{")
        for k in self.rng.sample(range(4), self.rng.randint(1, 3)):
            self.say(f"case {k}: {{")
            self.block(depth)
            self.say("}")
            if self.rng.random() < 0.7:
                self.say("\tbreak;")
        if self.rng.random() < 0.7:
            self.say("default: {")
            self.block(depth)
            self.say("}")
        self.say("}")

    def call(self):
        if self.helpers:
            name, n = self.rng.choice(self.helpers)
            result = self.name()
            own = [v for v in self.variables if v[1] == "f" and v[2] == n and v[3]]
            if not own:
                return
            target = self.rng.choice(own)[0]
            self.say(f"vec{n} {result} = {name}(vec{n}({self.rhs('f', n, 2)}), {target});")
            self.variables.append((result, "f", n, True))

    def statement(self, depth):
        what = self.pick("declare", "declare", "declare", "assign", "assign", "branch", "loop", "array", "matrix", "call", "switch")
        if depth <= 0 or (what == "loop" and self.loops > 2) or (what == "switch" and not self.es3):
            what = self.pick("declare", "assign")
        self.loops += what == "loop"
        function = getattr(self, what)
        return function(depth) if what in ("branch", "loop", "switch") else function()

    def helper(self, name):
        """A function with a parameter of each kind, which may return early."""
        n = self.pick(2, 3, 4)
        kept, self.variables = self.variables, [("p", "f", n, True), ("q", "f", n, True)] + self.globals
        lines, self.lines = self.lines, []
        for _ in range(self.rng.randint(1, 3)):
            self.statement(1)
        if self.rng.random() < 0.6:
            self.say(f"if ({self.expr('b', 1, 1).text})\n\t\treturn vec{n}({self.rhs('f', n, 1)});")
        self.say(f"q = vec{n}({self.rhs('f', n, 2)});")
        self.say(f"return vec{n}({self.rhs('f', n, 2)});")
        body, self.lines, self.variables = self.lines, lines, kept
        self.helpers.append((name, n))
        return [f"vec{n} {name}(in vec{n} p, inout vec{n} q)", "{", *body, "}", ""]

    # --- A program --------------------------------------------------------------------------------

    def program(self):
        vertex, es3 = self.stage == "vert", self.es3
        head = (["#version 300 es"] if es3 else []) + ["/* SPDX-License-Identifier: MIT */", "precision highp float;"]
        head += ["precision highp int;"] if es3 else []
        word = "in" if es3 else "attribute" if vertex else "varying"
        for name, n in (("v_a", 4), ("v_b", 4), ("v_c", self.pick(2, 3)), ("u_a", 4), ("u_b", self.pick(1, 3))):
            kind = "uniform" if name[0] == "u" else word
            head.append(f"{kind} {type_name('f', n)} {name};")
            self.variables.append((name, "f", n, False))
            self.ranges[name] = (6, 1)
        if es3:
            flat = "" if vertex else "flat "
            head += [f"{flat}in ivec4 v_i;", f"{flat}in uvec3 v_u;", "uniform ivec2 u_i;", "uniform int u_n;",
                     "//! range v_i -1000000000 2000000000", "//! range v_u 0 70000", "//! range u_i -50 50", "//! range u_n 0 3"]
            self.variables += [("v_i", "i", 4, False), ("v_u", "u", 3, False), ("u_i", "i", 2, False)]
        if es3 and self.products:
            head.append("//! not vivante: Mesa's compiler gives an immediate factor the swizzle of a register")
        if not self.exact:
            # Mesa's sines for Midgard and Bifrost, and what follows from them.
            head += ["//! tolerance 2e-3", "//! tolerance utgard 0.0625"]
        outputs = [("gl_Position", "f", 4)] if vertex else []
        if vertex:
            outputs += [("o_a", "f", 4), ("o_b", "f", 3)]
            if es3:
                outputs.append(("o_i", "i", 4))
        else:
            outputs += [("f_a", "f", 4), ("f_b", "i", 4), ("f_c", "u", 4)] if es3 else [("gl_FragColor", "f", 4)]
        for i, (name, kind, n) in enumerate(outputs):
            if name.startswith("gl_"):
                continue
            layout = "" if vertex else f"layout(location = {i}) "
            flat = "flat " if vertex and kind == "i" else ""
            head.append(f"{layout}{flat}{'out' if es3 else 'varying'} {type_name(kind, n)} {name};")
        self.globals, self.helpers = list(self.variables), []
        helpers = [line for i in range(self.pick(0, 1, 2)) for line in self.helper(f"helper{i}")]
        for _ in range(self.rng.randint(2, 7)):
            self.statement(2)
        if not vertex and self.rng.random() < 0.2:
            self.say(f"if (v_a.x > 0.5 && {self.expr('b', 1, 2).text})\n\t\tdiscard;")
        for name, kind, n in outputs:
            if name == "gl_Position":   # what divides by it must not be 0; nor negated, which Mesa's for Bifrost v6 encodes wrongly
                self.say(f"gl_Position = vec4({self.rhs('f', 3)}, abs(v_a.x) + 0.5);")
                continue
            # Mesa's Midgard compiler loses a ~ that is the last operation.
            self.say(f"{name} = {type_name(kind, n)}({self.rhs(kind, n)}){' + v_i' if kind == 'i' else ' + v_u.x' if kind == 'u' else ''};")
        return "\n".join([*head, "", *helpers, "void main()", "{", *self.lines, "}"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("folder")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for i in range(options.count):
        rng = random.Random(f"{options.seed} {i}")
        version, stage = rng.choice(("100", "300")), rng.choice(("vert", "frag"))
        text = Writer(rng, version, stage, i % 3 != 2).program()
        with open(os.path.join(options.folder, f"random_{options.seed}_{i}.{version}.{stage}"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
