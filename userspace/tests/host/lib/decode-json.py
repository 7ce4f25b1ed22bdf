#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decode-json.py DUMP: limn decode --json DUMP is one JSON object which says what the text says.

Compared, in their order: where lists stop and why, the commands with the arrow, the shaders' instructions,
the states and registers, what is in the way of each job.
"""
import json
import re
import subprocess
import sys


def run(*options):
    return subprocess.run(["build/limn", "decode", *options, sys.argv[1]], capture_output=True, check=True).stdout


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice in {keys}"
    return dict(pairs)


def same(what, seen, wanted):
    assert seen == wanted, f"{what}: the JSON has {seen}, the text {wanted}"
    counts[what] = len(wanted)


def hexes(pattern, text):
    return [int(word, 16) for word in re.findall(pattern, text, re.M)]


def compare(everything):
    options = ["--all"] if everything else []
    text = run(*options).decode()
    dump = json.loads(run("--json", *options).decode(), object_pairs_hook=unique)
    jobs = dump["jobs"]
    same("jobs", ["job"] * len(jobs), re.findall(r"^job(?= \d)", text, re.M) or ["job"])
    lists = [l for j in jobs for u in j.get("units", []) for l in u["lists"]]
    same("stops", [int(l["stopped_at"], 16) for l in lists if l.get("stopped_at")], hexes(r"^  stopped at 0x(\w+): ", text))
    for l in lists:
        assert l.get("done") or l["why"] in text, f"not in the text: {l['why']}"
    same("faults", [int(u["page_fault"]["address"], 16) for j in jobs for u in j.get("units", []) if "page_fault" in u],
         hexes(r"page fault: \w+ of 0x(\w+)", text))
    streams = [s for j in jobs for s in j.get("streams", [])]
    here = [c for s in streams for c in s["commands"] if c.get("stopped_here")] + \
        [c for l in lists for c in l.get("commands", []) if c["stopped_here"]]
    same("arrows", [int(c["at"], 16) for c in here], hexes(r"^  => (\w+): (?!no memory|error)", text))
    same("states", [int(v["value"], 16) for s in streams for v in s.get("state", [])],
         hexes(r"^    [0-9a-f]{5} \w\S* +([0-9a-f]{8})", text))
    same("code", [s["code"].split("\n")[0].split() for c in lists + streams
                  for s in c.get("shaders", [c["shader"]] if "shader" in c else []) if "code" in s],
         [line.split() for line in re.findall(r"shader.*:\n(.*)", text)])
    memory = [m for j in jobs for m in j["memory"]]
    same("memory", [int(m["va"], 16) for m in memory], hexes(r"^(?:stream|BO) +0x(\w+) ", text))
    return dump


counts = {}
compare(True)
dump = compare(False)
print(f"{dump['format']}: {counts}")
