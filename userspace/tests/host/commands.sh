#!/bin/bash
# SPDX-License-Identifier: MIT
# The commands of the documentation. Those behind a $ in Documentation/guide.rst are run, in their order; every
# command line of limn in a block of any page, or in the README, has a command and options that there are, and
# every script that a page names is there. The README lists the GPUs that limn has.
set -u
top=$PWD
dir=out/check/commands.d
rm -rf $dir
mkdir -p $dir
failed=0
python3 - "$top" $dir <<'END' || failed=1
import re, subprocess, sys
from pathlib import Path
top, folder = Path(sys.argv[1]), Path(sys.argv[2])
limn = top / "build/limn"
bad = ran = looked = 0

def fail(*what):
    global bad
    print("FAILED:", *what)
    bad = 1

for line in (top / "Documentation/guide.rst").read_text().splitlines():
    match = re.match(r"    \$ (.*?)(?:\s+# exit status (\d))?$", line)
    if not match:
        continue
    command = match[1].replace("/usr/share/limn/", f"{top}/userspace/tool/")
    out = subprocess.run(["bash", "-c", f'limn() {{ "{limn}" "$@"; }}\n{command}'], cwd=folder, capture_output=True, text=True)
    ran += 1
    if out.returncode != int(match[2] or 0):
        fail(f"guide.rst: {match[1]}: exit status {out.returncode}\n{out.stdout}{out.stderr}")
if ran < 20:
    fail("only", ran, "commands were run")

usage = subprocess.run([limn, "--help"], capture_output=True, text=True).stdout
commands = re.findall(r"^  (\w+) ", usage, re.M)
options = {c: set(re.findall(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", subprocess.run([limn, c, "--help"], capture_output=True, text=True).stdout))
           for c in commands}
pages = sorted((top / "Documentation").rglob("*.rst")) + [top / "README.md"]
for page in pages:
    for line in page.read_text().splitlines():
        match = re.match(r"(?:    |\t| {4,}|)(?:\$ )?(?:\S*scripts/testbed .*? -- )?(?:build/)?limn ([a-z]+)((?: .*)?)$", line)
        if match and (line.startswith((" ", "\t")) or page.suffix == ".md"):
            looked += 1
            command, rest = match.groups()
            rest = re.split(r"\s{3,}|\s#|\|| -- ", rest + " ")[0]
            if command not in commands:
                fail(f"{page.relative_to(top)}: there is no limn {command}: {line.strip()}")
                continue
            for option in re.findall(r"(?<=\s)(--?[a-zA-Z][\w-]*)", rest.replace("[", " ").replace("]", " ")):
                if option not in options[command] and option[:2] not in options[command]:
                    fail(f"{page.relative_to(top)}: limn {command} has no {option}: {line.strip()}")
        for script in re.findall(r"(?<![\w/.-])scripts/[a-z][\w/.-]*[\w]", line):
            if not (top / script).exists():
                fail(f"{page.relative_to(top)}: there is no {script}")
print(ran, "commands were run,", looked, "looked at")

readme = (top / "README.md").read_text()
for model in subprocess.run([limn, "info", "--models"], capture_output=True, text=True).stdout.split():
    if f"`{model}`" not in readme:
        fail(f"README.md does not list {model}")
sys.exit(bad)
END

# Every script that people call has --help: what it is, how it is called, an example.
for script in testbed board check igt-run demo docs setup bench bench-arm bench-isa build-matrix check-arm check-smp check-style coverage \
	client-check fuzz-driver igt-build mesa-build mesa-check mutants piglit-check soak results.py debian/package; do
	timeout 60 scripts/$script --help </dev/null >$dir/help 2>$dir/help.err || { echo "FAILED: scripts/$script --help"; cat $dir/help.err; failed=1; }
	grep -q "scripts/$script\|usage:\|$script " $dir/help && grep -qi 'example: ' $dir/help && [ ! -s $dir/help.err ] ||
		{ echo "FAILED: scripts/$script --help has no usage or no example:"; cat $dir/help $dir/help.err; failed=1; }
done
exit $failed
