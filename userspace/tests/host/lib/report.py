#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes a report of limn probe and makes its sum right again.

report.py plant REPORT OUT WANTED N      the nth other answer wherever model/profile.inc has one; WANTED: probe and answer
report.py replace REPORT OUT OLD NEW     one text by another, once
"""
import re
import sys


def write(text, path):
    body, value = text[:text.index('  "sum"')], 0xcbf29ce484222325
    for c in body.encode():
        value = (value ^ c) * 0x100000001b3 % 2**64
    with open(path, "w") as out:
        out.write(f'{body}  "sum": "0x{value:016x}"\n}}\n')


def plant(text, wanted, n):
    with open(wanted, "w") as want, open("userspace/model/profile.inc") as rows:
        for row in re.findall(r'^PROFILE\((.*)\)$', rows.read(), re.M):
            probe, *answers = re.findall(r'"([^"]*)"', row)
            if f'"id": "{probe}"' in text and len(answers) > n:
                text = re.sub(f'("id": "{probe}", "answer": ")[^"]*', rf"\g<1>{answers[n]}", text)
                print(probe, answers[n], file=want)
    return text


what, report, path, *rest = sys.argv[1:]
with open(report) as f:
    content = f.read()
if what == "plant":
    content = plant(content, rest[0], int(rest[1]))
else:
    assert rest[0] in content, rest[0]
    content = content.replace(*rest, 1)
write(content, path)
