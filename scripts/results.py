#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results of tests as KTAP, as JUnit, and as a page: the only place that writes these.

results.py KTAP [--ktap FILE] [--junit FILE] [--html FILE]

scripts/check and igt-run write all three; limn-igt prints the same KTAP on boards that have no Python, and this
makes the other two of it.

example: results.py board.ktap --junit board.xml --html board.html

KTAP has two levels, groups of tests and the tests of each. A test's duration and output are lines before it:
'# duration: 0.25 s', and '# ' in front of each line. A picture that differs from what it should be is a line of
the output, 'differ: WANTED.png IS.png': the page shows both.
"""
import argparse
import base64
import difflib
import html
import re
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

SKIPPED = ("SKIP", "KNOWN")


class Result:
    """word: PASS, FAIL, SKIP, or KNOWN, which has failed as its list says."""

    def __init__(self, group, name, word, seconds=0.0, text=""):
        self.group, self.name, self.word, self.seconds, self.text = group, name, word, seconds, text


def groups_of(results):
    groups = {}
    for result in results:
        groups.setdefault(result.group, []).append(result)
    return groups


def printable(text):
    """XML and terminals have no use for the other control characters."""
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]", "?", text)


def write_ktap(path, results):
    groups = groups_of(results)
    with open(path, "w") as file:
        file.write(f"KTAP version 1\n1..{len(groups)}\n")
        for i, (group, tests) in enumerate(groups.items(), 1):
            file.write(f"    KTAP version 1\n    # Subtest: {group}\n    1..{len(tests)}\n")
            for k, test in enumerate(tests, 1):
                lines = printable(test.text).splitlines() if test.word != "PASS" else []
                note = " # SKIP " + lines.pop(0) if test.word in SKIPPED and lines else \
                    " # SKIP" if test.word in SKIPPED else ""
                file.write(f"    # duration: {test.seconds:.3f} s\n")
                file.writelines(f"    # {line}\n" for line in lines)
                file.write(f"    {'not ok' if test.word == 'FAIL' else 'ok'} {k} {test.name}{note}\n")
            bad = any(t.word == "FAIL" for t in tests)
            file.write(f"{'not ok' if bad else 'ok'} {i} {group}\n")


def read_ktap(path):
    results, group, seconds, lines = [], "", 0.0, []
    for line in Path(path).read_text(errors="replace").splitlines():
        match = re.match(r"\s+(not ok|ok) \d+ (?:- )?(\S.*?)(?: # (SKIP)\s*(.*))?$", line)
        if line.startswith("    # Subtest: "):
            group, lines, seconds = line[15:], [], 0.0
        elif line.startswith("    # duration: "):
            seconds, lines = float(line.split()[2]), []
        elif match:
            ok, name, skip, why = match.groups()
            word = "FAIL" if ok == "not ok" else "SKIP" if skip else "PASS"
            results.append(Result(group, name, word, seconds, "\n".join(([why] if skip else []) + lines)))
            seconds, lines = 0.0, []
        elif line.startswith("    # "):
            lines.append(line[6:])
    return results


def write_junit(path, results):
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
        for group, tests in groups_of(results).items():
            count = {w: sum(t.word == w for t in tests) for w in ("FAIL", "SKIP", "KNOWN")}
            file.write(f'<testsuite name={quoteattr(group)} tests="{len(tests)}" failures="{count["FAIL"]}" errors="0" '
                       f'skipped="{count["SKIP"] + count["KNOWN"]}" time="{sum(t.seconds for t in tests):.3f}">\n')
            for t in tests:
                text = printable(t.text)
                first = quoteattr(text.split("\n")[0])
                inner = f"<failure message={first}>{escape(text)}</failure>" if t.word == "FAIL" else \
                    f"<skipped message={first}/>" if t.word in SKIPPED else ""
                file.write(f'<testcase classname={quoteattr(group)} name={quoteattr(t.name)} time="{t.seconds:.3f}">'
                           f"{inner}</testcase>\n")
            file.write("</testsuite>\n")
        file.write("</testsuites>\n")


STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .15rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
td:nth-child(3) { text-align: right; white-space: nowrap }
.FAIL { color: #c22; font-weight: bold } .PASS { color: #292 } .SKIP, .KNOWN { color: #a70 }
pre { background: #8882; padding: .5rem; overflow-x: auto; font-size: .8rem; max-height: 24rem }
.pair { display: flex; gap: 1rem; flex-wrap: wrap; margin: .6rem 0 } .pair figure { margin: 0 }
.pair img { image-rendering: pixelated; min-width: 256px; border: 1px solid #8886; background: #222 }
"""


def picture(path, what):
    try:
        data = base64.b64encode(Path(path).read_bytes()).decode()
    except OSError as error:
        return f"<figure><figcaption>{what}: {html.escape(str(error))}</figcaption></figure>"
    return (f'<figure><img alt="{what}" src="data:image/png;base64,{data}">'
            f"<figcaption>{what}: {html.escape(path)}</figcaption></figure>")


def pairs(text):
    """Pictures that differ, side by side."""
    return "".join(f'<div class="pair">{picture(a, "wanted")}{picture(b, "is")}</div>'
                   for a, b in re.findall(r"^differ: (\S+) (\S+)$", text, re.M))


def write_html(path, results, title):
    order = {"FAIL": 0, "KNOWN": 1, "SKIP": 2, "PASS": 3}
    count = {w: sum(r.word == w for r in results) for w in order}
    rows = []
    for r in sorted(results, key=lambda r: order[r.word]):
        text = r.text if r.word != "PASS" else ""
        body = (f"<details{' open' if r.word == 'FAIL' else ''}><summary>{html.escape(text.splitlines()[0])}</summary>"
                f"<pre>{html.escape(text)}</pre></details>" if "\n" in text.strip() else html.escape(text)) + pairs(text)
        rows.append(f'<tr><td class="{r.word}">{r.word}</td><td>{html.escape(r.group)}: {html.escape(r.name)}</td>'
                    f"<td>{r.seconds:.2f} s</td><td>{body}</td></tr>")
    summary = f"{count['PASS']} passed, {count['FAIL']} failed, {count['SKIP'] + count['KNOWN']} skipped"
    Path(path).write_text(f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}: {summary}</title><style>{STYLE}</style></head>
<body><h1>{html.escape(title)}</h1><p>{summary}, in {sum(r.seconds for r in results):.1f} s of tests</p>
<table><tr><th></th><th>test</th><th>took</th><th></th></tr>
{chr(10).join(rows)}
</table></body></html>
""")


def did_you_mean(word, names):
    near = difflib.get_close_matches(word, list(names), 1)
    return f"; did you mean {near[0]}?" if near else ""


class Parser(argparse.ArgumentParser):
    """What is wrong with the command line in one line, and exit status 2. The help is the module's text."""

    def __init__(self, text):
        super().__init__(description=text, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        unknown = [a for a in sys.argv[1:] if a.startswith("--") and a.partition("=")[0] not in self._option_string_actions]
        choice = re.match(r"argument ([^:]*): invalid choice: '(.*)' \(choose from (.*)\)", message)
        if unknown:
            message = f"no option {unknown[0]}{did_you_mean(unknown[0], self._option_string_actions)}"
        elif choice:
            option, word, names = choice.groups()
            message = f"{option}: no '{word}'" + (did_you_mean(word, re.findall(r"[\w-]+", names)) or ";") + f" there are: {names}"
        message = re.sub(r"^argument ([^:]*): invalid int value: '(.*)'", r"\1 \2: a whole number is expected", message)
        self.exit(2, f"{self.prog}: {message} (--help tells more)\n")

    def one_of(self, kind, word, names):
        """Ends the program unless the word is one of the names."""
        if word not in names:
            self.error(f"no {kind} {word}{did_you_mean(word, names) or ';'} there are: {' '.join(names)}")

    def one_gpu(self, *words):
        """The same of the model's GPUs, and two as one machine; where the model is not built any will do."""
        model = Path(__file__).resolve().parent.parent / "build" / "limn-model"
        known = subprocess.run([model, "--list"], capture_output=True, text=True, check=False).stdout.split() if model.exists() else []
        for word in words:
            for part in word.split("+") if known and word not in known else []:
                self.one_of("GPU", part, known)

    def add_results(self):
        self.add_argument("--ktap", type=Path, metavar="FILE", help="the results as KTAP")
        self.add_argument("--junit", type=Path, metavar="FILE", help="the results as JUnit has them")
        self.add_argument("--html", type=Path, metavar="FILE", help="the results as a page, with the pictures that differ")


def write(args, results, title):
    for path in (args.ktap, args.junit, args.html):
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
    if args.ktap:
        write_ktap(args.ktap, results)
    if args.junit:
        write_junit(args.junit, results)
    if args.html:
        write_html(args.html, results, title)


def main():
    parser = Parser(__doc__)
    parser.add_argument("file", metavar="KTAP")
    parser.add_results()
    args = parser.parse_args()
    try:
        results = read_ktap(args.file)
    except OSError as error:
        parser.error(f"{args.file}: {error.strerror}")
    if not results:
        parser.error(f"{args.file}: no results of tests")
    write(args, results, Path(args.file).stem)
    return 1 if any(r.word == "FAIL" for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
